//! Runs attacked commands, checks the requirements on each command, and counts events.

use std::fmt::{self, Display, Formatter};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, setrlimit};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use tempfile::TempDir;

/// Limit on the address space of each command, in bytes.
const MEMORY: u64 = 8 << 30;

/// Time limit of each command of an attack.
const TIME: Duration = Duration::from_secs(60);

/// Numbers of events of a run.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) commands: u64,
    pub(crate) kills: u64,
    pub(crate) writers: u64,
    pub(crate) full_disks: u64,
    pub(crate) lies: u64,
    pub(crate) damaged: u64,
    pub(crate) refusals: u64,
}

impl Display for Counts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { commands, kills, writers, full_disks, lies, damaged, refusals } = self;
        write!(
            f,
            "{commands} commands, {kills} kills, {writers} writers beside others, {full_disks} full disks, \
             {lies} solvers that fail or lie, {damaged} damaged files, {refusals} refusals"
        )
    }
}

/// Exit code and output of a command.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) said: String,
}

/// Folder for commands, with a random number generator.
pub(crate) struct Bench {
    seed: u64,
    round: u64,
    folder: TempDir,
    pub(crate) random: ChaCha8Rng,
    pub(crate) counts: Counts,
}

impl Bench {
    pub(crate) fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let random = ChaCha8Rng::seed_from_u64(seed);
        Self { seed, round: 0, folder, random, counts: Counts::default() }
    }

    /// Starts a round in an empty folder.
    pub(crate) fn begin(&mut self, round: u64) {
        self.round = round;
        self.empty();
    }

    /// Continues the round in a new, empty folder.
    pub(crate) fn empty(&mut self) {
        self.folder = tempfile::tempdir().expect("a folder");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_default()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("writable");
    }

    /// Returns the file names in a folder, except hidden files.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| !name.starts_with('.')).collect()
    }

    /// Returns a random element.
    pub(crate) fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.random.random_range(0..of.len())]
    }

    /// Panics with a message that contains the seed and the round, which reproduce the failure.
    pub(crate) fn fail(&self, what: &str) -> ! {
        panic!("seed {}, round {}: {what}", self.seed, self.round)
    }

    #[allow(
        unsafe_code,
        reason = "the standard library has no safe way to do something between fork and exec"
    )]
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ndq"));
        command.args(words).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // SAFETY: the closure makes one system call, allocates nothing and takes no lock.
        unsafe { command.pre_exec(|| Ok(setrlimit(Resource::RLIMIT_AS, MEMORY, MEMORY)?)) };
        command
    }

    pub(crate) fn start(&mut self, line: &str) -> Child {
        self.counts.commands += 1;
        self.command(&line.split_whitespace().collect::<Vec<_>>()).spawn().expect("runs")
    }

    /// Runs a command to its end. Its arguments must not contain blanks.
    pub(crate) fn run(&mut self, line: &str) -> Ended {
        let child = self.start(line);
        self.wait(child, line)
    }

    /// Waits for a command, and fails unless it ends within the time limit with a valid exit code and without
    /// a panic.
    pub(crate) fn wait(&mut self, mut child: Child, line: &str) -> Ended {
        let (mut out, mut error) = (child.stdout.take(), child.stderr.take());
        let began = Instant::now();
        let (status, out, said) = std::thread::scope(|threads| {
            let read = |from: Option<&mut dyn std::io::Read>| {
                let mut bytes = Vec::new();
                // Output that cannot be read is ignored.
                let _ = from.map(|from| from.read_to_end(&mut bytes));
                String::from_utf8_lossy(&bytes).into_owned()
            };
            let out = threads.spawn(move || read(out.as_mut().map(|out| out as &mut dyn std::io::Read)));
            let said = threads.spawn(move || read(error.as_mut().map(|out| out as &mut dyn std::io::Read)));
            let status = loop {
                if let Some(status) = child.try_wait().expect("a child") {
                    break Some(status);
                }
                if began.elapsed() > TIME {
                    child.kill().expect("it runs");
                    child.wait().expect("it was killed");
                    break None;
                }
                std::thread::sleep(Duration::from_millis(2));
            };
            (status, out.join().expect("no panic"), said.join().expect("no panic"))
        });
        let Some(status) = status else { self.fail(&format!("ndq {line}: not done after {TIME:?}\n{said}")) };
        match status.code() {
            Some(code @ 0..=4) if !said.contains("panicked") => {
                self.counts.refusals += u64::from(code == 2);
                Ended { code, out, said }
            }
            _ => self.fail(&format!("ndq {line}: {status}\n{out}{said}")),
        }
    }

    /// Runs a command, and fails unless it ends with the exit code `code` and its output contains `words`.
    pub(crate) fn answers(&mut self, line: &str, code: i32, words: &str) -> Ended {
        let ended = self.run(line);
        if ended.code != code || !ended.out.contains(words) {
            let Ended { code: was, out, said } = ended;
            self.fail(&format!("ndq {line}: {code} and \"{words}\" expected, not {was}:\n{out}{said}"));
        }
        ended
    }
}
