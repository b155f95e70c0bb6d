//! External proof checkers: programs that decide whether a proof holds, and the formulas that they receive.

pub mod drat;
pub mod veripb;

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_system::program::{self, ProcessTree};
use ndqueens_system::signal::Signal;

/// External proof checker.
#[derive(Debug)]
pub(crate) struct Checker {
    /// Name of the program on the path, which its version line starts with.
    pub(crate) program: &'static str,
    /// Prefix of the versions whose verdicts can be parsed.
    pub(crate) versions: &'static str,
    /// Installation instructions.
    pub(crate) install: &'static str,
}

/// Reason why a checker gave no verdict.
#[derive(Debug, thiserror::Error)]
pub enum CheckerError {
    /// The program is not installed.
    #[error("{program} is not installed: the program {program} is not on the path; to install it: {install}")]
    Missing {
        /// Name of the program.
        program: &'static str,
        /// Installation instructions.
        install: &'static str,
    },
    /// Another program, or another version, has this name.
    #[error(
        "the program {program} on the path is not the proof checker that is read here, which calls itself \
         \"{program} {versions}...\"; it says: {says}; to install it: {install}"
    )]
    OtherProgram {
        /// Name of the program.
        program: &'static str,
        /// Prefix of the supported versions.
        versions: &'static str,
        /// Output of the program for `--version`.
        says: String,
        /// Installation instructions.
        install: &'static str,
    },
    /// The program could not be run, or ended abnormally.
    #[error("{program} gave no verdict: {fault}")]
    Fault {
        /// Name of the program.
        program: &'static str,
        /// Error of the program.
        fault: io::Error,
    },
    /// The system lacks resources, such as space for temporary files.
    #[error(
        "formula or proof cannot be saved: {fault}; temporary files are in {folder}, which TMPDIR changes",
        fault = .0,
        folder = std::env::temp_dir().display()
    )]
    Room(io::Error),
    /// The program was stopped.
    #[error("{0} was stopped before it came to a verdict")]
    Stopped(&'static str),
}

impl CheckerError {
    /// Returns `true` if the system failed rather than the user.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Fault { .. } | Self::Room(_))
    }
}

/// Time between two checks of whether a checker has ended.
const PACE: Duration = Duration::from_millis(5);

/// Number of bytes of a checker's output that are kept, from its beginning and from its end.
const WORDS: usize = 1 << 20;

/// Time limit for `--version`.
const INTRODUCTION: Duration = Duration::from_secs(5);

impl Checker {
    /// Returns name and version of the checker if it is the expected program in a supported version. `stop`
    /// is polled while it runs.
    pub(crate) fn version(&self, stop: &dyn Fn() -> bool) -> Result<String, CheckerError> {
        let begin = Instant::now();
        let &Self { program, versions, install } = self;
        let other = |says: String| CheckerError::OtherProgram { program, versions, says, install };
        let answer = self.run(&["--version"], &|| stop() || begin.elapsed() > INTRODUCTION);
        let (output, status) = match answer {
            Err(CheckerError::Stopped(_)) if !stop() => {
                let says = format!("nothing for {} s", INTRODUCTION.as_secs());
                return Err(other(says));
            }
            answer => answer?,
        };
        // VeriPB first prints that it runs.
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

    /// Runs the checker, and returns the verdict of acceptance that `accepting` parses from its output. The
    /// checker must also end with exit status 0, which alone is not a verdict. `stop` is polled while it
    /// runs.
    pub(crate) fn verdict<T, E: From<CheckerError>>(
        &self,
        arguments: &[impl AsRef<OsStr>],
        stop: &dyn Fn() -> bool,
        accepting: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, E> {
        let (output, status) = self.run(arguments, stop)?;
        let verdict = accepting(&output)?;
        if !status.success() {
            let fault =
                io::Error::other(format!("it said that it accepts the proof, and then failed: {status}"));
            return Err(CheckerError::Fault { program: self.program, fault }.into());
        }
        Ok(verdict)
    }

    fn run(
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

/// Runs a program, and returns its output and exit status, or `None` if it was stopped.
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
    // A checker that fails aborts itself; other signals come from outside.
    if status.signal().is_some_and(|signal| signal != Signal::SIGABRT as i32) {
        return Err(io::Error::other(format!("it was ended by a {status}")));
    }
    Ok(Some((said.collect(), status)))
}
