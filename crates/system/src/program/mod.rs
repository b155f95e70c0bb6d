//! External programs with all their child processes: a process tree that is killed when its owner drops it.
//!
//! A process that leaves its group, for example by `setsid`, is recognised by a mark in its environment,
//! which child processes inherit, and by its ancestors. If [`adopt_orphans`] was called, a process that has
//! cleared its environment and lost its parent is reparented to this process and recognised as an orphan.
//!
//! Crates such as `process-wrap` and `command-group` do not replace this module, because they kill the
//! process group only, which a process leaves by `setsid`.

pub mod scratch;

use std::collections::BTreeMap;
use std::io::{self, PipeReader, Read as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::signal::{self, Signal};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use parking_lot::Mutex;

use crate::cancel::PACE;

/// Returns the reason why a program could not be started, as a phrase that follows its name.
#[must_use]
pub fn start_failure(program: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if program.contains('/') => "cannot be run: there is no such file".to_owned(),
        io::ErrorKind::NotFound => "is not installed: no program of this name is on the path".to_owned(),
        io::ErrorKind::PermissionDenied => "cannot be run: it is not an executable file".to_owned(),
        _ if error.raw_os_error() == Some(libc::ENOEXEC) => {
            "cannot be run: it is not a program for this machine, or a script without its first line #!"
                .to_owned()
        }
        _ => format!("cannot be run: {error}"),
    }
}

/// Environment variable with the marks of a process and of its ancestors, separated by colons.
const MARKS: &str = "NDQ_PROCESS";

/// Process trees that this process owns: for each id of a root process, its mark and `true` if its exit
/// status was collected.
///
/// There is one list for the process, because orphans are reparented to the process and any thread can reap
/// them: an owner with a list of its own would mistake the root processes of other owners for orphans.
static TREES: Mutex<BTreeMap<i32, (String, bool)>> = Mutex::new(BTreeMap::new());

/// Makes this process the new parent of orphaned descendants, so that they can be killed.
///
/// A program calls this at its start if it starts processes only through this module. It has an effect on
/// Linux only.
pub fn adopt_orphans() {
    // Without it, only orphans that have cleared their environment are missed.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Returns `true` if orphaned descendants are reparented to this process.
fn adopts_orphans() -> bool {
    #[cfg(target_os = "linux")]
    return nix::sys::prctl::get_child_subreaper().unwrap_or(false);
    #[cfg(not(target_os = "linux"))]
    return false;
}

/// Resources that a process used, with those of the child processes that it waited for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResourceUsage {
    /// CPU time, user and system, in seconds.
    pub cpu_seconds: f64,
    /// Largest resident memory in bytes.
    pub peak_memory_bytes: u64,
}

/// Running program with all processes that it started. Dropping the tree kills all of them.
#[derive(Debug)]
pub struct ProcessTree {
    child: Child,
    root: i32,
    mark: String,
    /// `true` if the exit status of the root process was collected, after which the system may reuse its id.
    waited: bool,
}

impl ProcessTree {
    /// Starts a program in a new process group. On Linux, its root process is killed when this process dies.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let mark = format!("{}-{}-{now}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let marks = std::env::var(MARKS).map_or_else(|_| mark.clone(), |outer| format!("{outer}:{mark}"));
        command.env(MARKS, marks).process_group(0);
        #[cfg(target_os = "linux")]
        kill_with_parent(command);
        let mut trees = TREES.lock();
        let child = command.spawn()?;
        let root = i32::try_from(child.id()).map_err(io::Error::other)?;
        trees.insert(root, (mark.clone(), false));
        Ok(Self { child, root, mark, waited: false })
    }

    /// Starts a program without standard input and captures its output: the first and the last `most` bytes.
    ///
    /// # Errors
    /// Returns an error if the program or its pipe cannot be created.
    pub fn spawn_captured(command: &mut Command, most: usize) -> io::Result<(Self, CapturedOutput)> {
        let (reader, writer) = io::pipe()?;
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let tree = Self::spawn(command);
        // Closes the write ends of the pipe, which the command holds.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok((tree?, CapturedOutput::capture(reader, most)))
    }

    /// Returns the root process, which has the pipes that were requested.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Returns the exit status of the root process, or `None` if it is still running.
    ///
    /// # Errors
    /// Returns an error if the status cannot be queried.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.record_wait();
        }
        Ok(status)
    }

    /// Returns the exit status of the root process and the resources that it used, or `None` if it is still
    /// running. Must not be called again after it has returned a status.
    ///
    /// # Errors
    /// Returns an error if the status cannot be queried.
    #[allow(unsafe_code, reason = "nix has no function that returns the resource usage of a child")]
    pub fn try_wait_with_usage(&mut self) -> io::Result<Option<(ExitStatus, ResourceUsage)>> {
        let mut status = 0;
        // SAFETY: all zeros is a value of this struct of numbers.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to values that live through the call and that the call may overwrite.
        let waited = unsafe { libc::wait4(self.root, &raw mut status, libc::WNOHANG, &raw mut usage) };
        if waited < 0 {
            let error = io::Error::last_os_error();
            return if error.kind() == io::ErrorKind::Interrupted { Ok(None) } else { Err(error) };
        }
        if waited == 0 {
            return Ok(None);
        }
        self.record_wait();
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        // Linux counts KiB, macOS bytes.
        let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
        let usage = ResourceUsage {
            cpu_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            peak_memory_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * unit,
        };
        Ok(Some((ExitStatus::from_raw(status), usage)))
    }

    /// Records that the exit status of the root process was collected.
    fn record_wait(&mut self) {
        self.waited = true;
        if let Some((_, waited)) = TREES.lock().get_mut(&self.root) {
            *waited = true;
        }
    }

    /// Sends a signal to the process group.
    pub fn signal(&self, signal: Signal) {
        // An error means that the group has ended already.
        let _ = signal::killpg(Pid::from_raw(self.root), signal);
    }

    /// Sends SIGINT to the process group and waits until its root process ends, at most for `patience`.
    pub fn interrupt(&mut self, patience: Duration) {
        self.signal(Signal::SIGINT);
        let begin = Instant::now();
        while matches!(self.try_wait(), Ok(None)) && begin.elapsed() < patience {
            thread::sleep(PACE);
        }
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        kill_tree(self.root, &self.mark, self.waited);
        if !self.waited {
            // Frees its entry in the process table.
            let _ = self.child.wait();
        }
        TREES.lock().remove(&self.root);
    }
}

/// Kills all trees of this process, which is about to exit.
pub fn kill_all() {
    let trees = TREES.lock().clone();
    for (root, (mark, waited)) in trees {
        kill_tree(root, &mark, waited);
    }
}

/// Kills a tree. Repeats this until no processes are left, because some may have been forked in the meantime.
fn kill_tree(root: i32, mark: &str, waited: bool) {
    const ROUNDS: usize = 200;
    // The members are listed before killing, which would separate processes from their parents.
    let mut found = members(root, mark);
    if !waited {
        let _ = signal::killpg(Pid::from_raw(root), Signal::SIGKILL);
    }
    for _ in 0..ROUNDS {
        for &process in &found {
            let _ = signal::kill(Pid::from_raw(process), Signal::SIGKILL);
        }
        let was_empty = found.is_empty();
        found = members(root, mark);
        // A single look may miss a process, whose environment cannot be read while it executes a program.
        if was_empty && found.is_empty() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Returns the processes of a tree that have not ended, without its root. Also reaps orphans that have ended.
fn members(root: i32, mark: &str) -> Vec<i32> {
    let us = i32::try_from(std::process::id()).unwrap_or_default();
    let adopts = adopts_orphans();
    let trees = TREES.lock();
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut others: BTreeMap<i32, i32> = BTreeMap::new();
    for process in ids.filter(|&process| process != us) {
        match parent(process) {
            Some((parent, true)) => {
                others.insert(process, parent);
            }
            // Reaps an orphan that has ended and was reparented to this process.
            Some((parent, false)) if parent == us && adopts && !trees.contains_key(&process) => {
                let _ = waitpid(Pid::from_raw(process), Some(WaitPidFlag::WNOHANG));
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
    let is_orphan = |process: i32, parent: i32| adopts && parent == us && !trees.contains_key(&process);
    let is_descendant = |process: i32| {
        let mut ancestor = process;
        // No chain of parents is longer than the list, unless ids were reused in the meantime.
        for _ in 0..others.len() {
            match others.get(&ancestor) {
                Some(&parent) if parent == root => return true,
                Some(&parent) if is_orphan(ancestor, parent) => return true,
                Some(&parent) => ancestor = parent,
                None => return false,
            }
        }
        false
    };
    others
        .keys()
        .copied()
        .filter(|&process| process != root && (is_descendant(process) || is_marked(process)))
        .collect()
}

/// Returns the parent of a process, and `true` if the process has not ended. Returns `None` if the process
/// does not exist.
fn parent(process: i32) -> Option<(i32, bool)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain any characters.
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?;
    Some((words.next()?.parse().ok()?, !matches!(state, "Z" | "X")))
}

/// Requests that the system kill the program of `command` when this process dies.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the standard library has no safe way to do something between fork and exec")]
fn kill_with_parent(command: &mut Command) {
    let set_signal = || nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).map_err(io::Error::from);
    // SAFETY: the closure makes one system call, allocates nothing and takes no lock.
    unsafe { command.pre_exec(set_signal) };
}

/// Captured output of a program, of which only the beginning and the end are kept if it is long.
#[derive(Debug)]
pub struct CapturedOutput {
    output: Arc<Mutex<Vec<u8>>>,
    /// Thread that reads the pipe until all its write ends are closed.
    reader: thread::JoinHandle<()>,
}

impl CapturedOutput {
    /// Captures the first and the last `most` bytes of a pipe.
    fn capture(mut pipe: PipeReader, most: usize) -> Self {
        let output = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&output);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(read @ 1..) = pipe.read(&mut buffer) {
                let mut output = shared.lock();
                output.extend_from_slice(&buffer[..read]);
                if output.len() > 2 * most {
                    let end = output.len() - most;
                    output.drain(most..end);
                }
            }
        });
        Self { output, reader }
    }

    /// Returns the captured output of a program that has ended.
    ///
    /// Other processes may still hold the pipe open; this waits for them for at most a second.
    #[must_use]
    pub fn collect(self) -> String {
        let begin = Instant::now();
        while !self.reader.is_finished() && begin.elapsed() < Duration::from_secs(1) {
            thread::sleep(Duration::from_millis(1));
        }
        String::from_utf8_lossy(&self.output.lock()).into_owned()
    }
}
