//! Programs that others wrote to check proofs.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_system::program::{self, ProcessTree};
use ndqueens_system::signal::Signal;

/// A program that checks proofs.
#[derive(Debug)]
pub(crate) struct Checker {
    /// What it is called, on the path and by itself.
    pub(crate) program: &'static str,
    /// What the versions begin with whose verdicts are read.
    pub(crate) versions: &'static str,
    /// How it is installed.
    pub(crate) install: &'static str,
}

/// Why a checker gave no verdict.
#[derive(Debug, thiserror::Error)]
pub enum CheckerError {
    /// There is no such program.
    #[error("{program} is not installed: the program {program} is not on the path; to install it: {install}")]
    Missing {
        /// The program.
        program: &'static str,
        /// How it is installed.
        install: &'static str,
    },
    /// Some other program has its name, or another version.
    #[error(
        "the program {program} on the path is not the proof checker that is read here, which calls itself \
         \"{program} {versions}...\"; it says: {says}; to install it: {install}"
    )]
    OtherProgram {
        /// The program.
        program: &'static str,
        /// What the versions begin with that are read.
        versions: &'static str,
        /// What it says when it is asked for its version.
        says: String,
        /// How the checker is installed.
        install: &'static str,
    },
    /// It could not be run, or did not end as it should.
    #[error("{program} gave no verdict: {fault}")]
    Fault {
        /// The program.
        program: &'static str,
        /// What happened.
        fault: io::Error,
    },
    /// It was stopped.
    #[error("{0} was stopped before it came to a verdict")]
    Stopped(&'static str),
}

impl CheckerError {
    /// Whether the system failed, and not the user.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Fault { .. })
    }
}

/// How often a checker is looked after.
const PACE: Duration = Duration::from_millis(5);

/// How much of the beginning and of the end of what a checker prints is kept, in bytes.
const WORDS: usize = 1 << 20;

/// How long a program may take to say what it is.
const INTRODUCTION: Duration = Duration::from_secs(5);

impl Checker {
    /// Name and version, when it is the checker and its verdicts can be read. `stop` is asked now and then.
    pub(crate) fn version(&self, stop: &dyn Fn() -> bool) -> Result<String, CheckerError> {
        let begin = Instant::now();
        let &Self { program, versions, install } = self;
        let other = |says: String| CheckerError::OtherProgram { program, versions, says, install };
        let asked = self.say(&["--version"], &|| stop() || begin.elapsed() > INTRODUCTION);
        let (output, status) = match asked {
            Err(CheckerError::Stopped(_)) if !stop() => {
                let says = format!("nothing for {} s", INTRODUCTION.as_secs());
                return Err(other(says));
            }
            asked => asked?,
        };
        // VeriPB says first that it runs.
        let last = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing");
        let version = last.strip_prefix(program).and_then(|rest| rest.strip_prefix(' '));
        let plain = |version: &&str| {
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
            version.starts_with(versions) && version.split('.').all(digits)
        };
        match version.filter(plain) {
            Some(_) if status.success() => Ok(last.to_owned()),
            _ => Err(other(last.to_owned())),
        }
    }

    /// The verdict on a proof that accepts it, read by `accepting` from what the checker prints. The checker must also end
    /// with exit status 0, which says less than its words. `stop` is asked now and then.
    pub(crate) fn verdict<T, E: From<CheckerError>>(
        &self,
        arguments: &[impl AsRef<OsStr>],
        stop: &dyn Fn() -> bool,
        accepting: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, E> {
        let (output, status) = self.say(arguments, stop)?;
        let verdict = accepting(&output)?;
        if !status.success() {
            let fault =
                io::Error::other(format!("it said that it accepts the proof, and then failed: {status}"));
            return Err(CheckerError::Fault { program: self.program, fault }.into());
        }
        Ok(verdict)
    }

    fn say(
        &self,
        arguments: &[impl AsRef<OsStr>],
        stop: &dyn Fn() -> bool,
    ) -> Result<(String, ExitStatus), CheckerError> {
        let &Self { program, install, .. } = self;
        let ended = output(program, arguments, stop).map_err(|fault| match fault.kind() {
            io::ErrorKind::NotFound => CheckerError::Missing { program, install },
            io::ErrorKind::PermissionDenied => {
                let fault = io::Error::other(program::start_failure(program, &fault));
                CheckerError::Fault { program, fault }
            }
            _ => CheckerError::Fault { program, fault },
        })?;
        ended.ok_or(CheckerError::Stopped(program))
    }
}

/// What a program prints, and how it ends; nothing when it was stopped.
fn output(
    program: &str,
    arguments: &[impl AsRef<OsStr>],
    stop: &dyn Fn() -> bool,
) -> io::Result<Option<(String, ExitStatus)>> {
    let mut command = Command::new(program);
    let (mut checker, said) =
        ProcessTree::spawn_captured(command.args(arguments).env("RUST_BACKTRACE", "0"), WORDS)?;
    let status = loop {
        if let Some(status) = checker.try_wait()? {
            break status;
        }
        if stop() {
            return Ok(None);
        }
        thread::sleep(PACE);
    };
    drop(checker);
    // It aborts by itself when it cannot go on; any other signal comes from outside.
    if status.signal().is_some_and(|signal| signal != Signal::SIGABRT as i32) {
        return Err(io::Error::other(format!("it was ended by a {status}")));
    }
    Ok(Some((said.collect(), status)))
}
