//! Programs that others wrote, each with all that it starts: a tree of processes that ends when its owner lets it go.
//!
//! A process that leaves its group, by `setsid` say, is found by a mark in its environment, which children inherit, and by its
//! ancestors. Where [`adopt`] was called, one that has cleared its environment and lost its parent comes to this process and
//! is found there.

pub mod scratch;

use std::collections::BTreeMap;
use std::io::{self, PipeReader, Read as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_control::interruptible::PACE;
use nix::sys::signal::{self, Signal};
use nix::unistd::Pid;

/// Returns the reason why a program could not be started, as a phrase that follows its name.
#[must_use]
pub fn not_started(program: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if program.contains('/') => "cannot be run: there is no such file".to_owned(),
        io::ErrorKind::NotFound => "is not installed: no program of this name is on the path".to_owned(),
        io::ErrorKind::PermissionDenied => "cannot be run: it is not an executable file".to_owned(),
        _ if error.raw_os_error() == Some(nix::libc::ENOEXEC) => {
            "cannot be run: it is not a program for this machine, or a script without its first line #!"
                .to_owned()
        }
        _ => format!("cannot be run: {error}"),
    }
}

/// The variable that holds the marks of a process, with colons between them: its own and those that its parents had.
const MARKS: &str = "NDQ_PROCESS";

/// The trees of this process, by the number of their first process: the mark, and whether its status was taken.
static TREES: Mutex<BTreeMap<i32, (String, bool)>> = Mutex::new(BTreeMap::new());

/// Whether processes that lose their parents come to this one.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Has the processes that programs leave behind come to this one, so that they can be ended. A program calls it at its
/// beginning, if it starts no processes but those of this module. Only Linux can do it.
pub fn adopt() {
    #[cfg(target_os = "linux")]
    ADOPTS.store(nix::sys::prctl::set_child_subreaper(true).is_ok(), Relaxed);
}

/// A program that runs, with all that it starts. None of it is left when this goes out of scope.
#[derive(Debug)]
pub struct Tree {
    child: Child,
    root: i32,
    mark: String,
    /// Whether the status of the first process was taken, so that its number may be another's.
    waited: bool,
}

impl Tree {
    /// Starts a program in a group of its own. It is killed when this process is.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let mark = format!("{}-{}-{now}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let marks = std::env::var(MARKS).map_or_else(|_| mark.clone(), |outer| format!("{outer}:{mark}"));
        command.env(MARKS, marks).process_group(0);
        #[cfg(target_os = "linux")]
        end_with_us(command);
        let mut trees = TREES.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        let root = i32::try_from(child.id()).map_err(io::Error::other)?;
        trees.insert(root, (mark.clone(), false));
        Ok(Self { child, root, mark, waited: false })
    }

    /// Starts a program without standard input, and listens to what it prints, up to so many bytes at the beginning and as
    /// many at the end.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn heard(command: &mut Command, most: usize) -> io::Result<(Self, Words)> {
        let (reader, writer) = io::pipe()?;
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let tree = Self::spawn(command);
        // The command holds the ends that are written to.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok((tree?, Words::of(reader, most)))
    }

    /// The number of the first process.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.root
    }

    /// What it says on its pipes, if they were asked for.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// How the first process ended, if it did.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.was_waited_for();
        }
        Ok(status)
    }

    /// Says that somebody else has waited for the first process.
    pub fn was_waited_for(&mut self) {
        self.waited = true;
        if let Some((_, waited)) = TREES.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&self.root) {
            *waited = true;
        }
    }

    /// Sends a signal to the group.
    pub fn signal(&self, signal: Signal) {
        // It fails when the group has ended, which is as good.
        let _ = signal::killpg(Pid::from_raw(self.root), signal);
    }

    /// Asks the group to end, as Ctrl-C does, and waits for a while.
    pub fn interrupt(&mut self, patience: Duration) {
        self.signal(Signal::SIGINT);
        let asked = Instant::now();
        while matches!(self.try_wait(), Ok(None)) && asked.elapsed() < patience {
            thread::sleep(PACE);
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        end(self.root, &self.mark, self.waited);
        if !self.waited {
            // Frees its entry in the table of processes.
            let _ = self.child.wait();
        }
        TREES.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.root);
    }
}

/// Ends all trees of this process, which is about to end.
pub fn end_all() {
    let trees = TREES.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for (root, (mark, waited)) in trees {
        end(root, &mark, waited);
    }
}

/// Kills a tree. What forks meanwhile is looked for again.
fn end(root: i32, mark: &str, waited: bool) {
    const ROUNDS: usize = 200;
    // Before its processes lose their parents.
    let mut found = members(root, mark);
    if !waited {
        let _ = signal::killpg(Pid::from_raw(root), Signal::SIGKILL);
    }
    for _ in 0..ROUNDS {
        for &process in &found {
            let _ = signal::kill(Pid::from_raw(process), Signal::SIGKILL);
        }
        found = members(root, mark);
        if found.is_empty() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The processes of a tree that have not ended, without the first one.
fn members(root: i32, mark: &str) -> Vec<i32> {
    let us = i32::try_from(std::process::id()).unwrap_or_default();
    let trees = TREES.lock().unwrap_or_else(PoisonError::into_inner);
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut others: BTreeMap<i32, i32> = BTreeMap::new();
    for process in ids.filter(|&process| process != us) {
        match parent(process) {
            Some((parent, true)) => {
                others.insert(process, parent);
            }
            // It has ended; if it came to us, nobody else asks after it.
            Some((parent, false))
                if parent == us && ADOPTS.load(Relaxed) && !trees.contains_key(&process) =>
            {
                let _ = nix::sys::wait::waitpid(
                    Pid::from_raw(process),
                    Some(nix::sys::wait::WaitPidFlag::WNOHANG),
                );
            }
            _ => {}
        }
    }
    let is_marked = |process: i32| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| {
            let marks = variable.strip_prefix(MARKS.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
            marks.is_some_and(|marks| marks.split(|&byte| byte == b':').any(|one| one == mark.as_bytes()))
        })
    };
    let is_orphan =
        |process: i32, parent: i32| ADOPTS.load(Relaxed) && parent == us && !trees.contains_key(&process);
    let descends = |process: i32| {
        let mut at = process;
        // No chain of parents is longer than the list, unless numbers were given anew meanwhile.
        for _ in 0..others.len() {
            match others.get(&at) {
                Some(&parent) if parent == root => return true,
                Some(&parent) if is_orphan(at, parent) => return true,
                Some(&parent) => at = parent,
                None => return false,
            }
        }
        false
    };
    others
        .keys()
        .copied()
        .filter(|&process| process != root && (descends(process) || is_marked(process)))
        .collect()
}

/// The parent of a process, and whether it still runs.
fn parent(process: i32) -> Option<(i32, bool)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may hold anything.
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?;
    Some((words.next()?.parse().ok()?, !matches!(state, "Z" | "X")))
}

/// Has the command killed when this process is, which then cannot do it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the standard library has no safe way to do something between fork and exec")]
fn end_with_us(command: &mut Command) {
    let end = || nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).map_err(io::Error::from);
    // SAFETY: the closure makes one system call, allocates nothing and takes no lock.
    unsafe { command.pre_exec(end) };
}

/// What a program prints, of which the middle is left out when it is long.
#[derive(Debug)]
pub struct Words {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Goes when all who could write have ended.
    listener: thread::JoinHandle<()>,
}

impl Words {
    fn of(mut reader: PipeReader, most: usize) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let keeps = Arc::clone(&kept);
        let listener = thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                let mut kept = keeps.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&buffer[..read]);
                if kept.len() > 2 * most {
                    let end = kept.len() - most;
                    kept.drain(most..end);
                }
            }
        });
        Self { kept, listener }
    }

    /// What was printed. The program must have ended; who else could still write is not waited for.
    #[must_use]
    pub fn collect(self) -> String {
        let ended = Instant::now();
        while !self.listener.is_finished() && ended.elapsed() < Duration::from_secs(1) {
            thread::sleep(Duration::from_millis(1));
        }
        String::from_utf8_lossy(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}
