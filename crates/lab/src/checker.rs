//! Programs that others wrote to check proofs.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use std::thread;
use std::time::Duration;

use ndqueens_solver::process::Tree;
use nix::sys::signal::Signal;

/// Why a checker said nothing.
#[derive(Debug)]
pub(crate) enum Silence {
    /// There is no such program.
    Missing,
    /// It could not be run to its end.
    Fault(io::Error),
    /// It was stopped.
    Stopped,
}

impl From<io::Error> for Silence {
    fn from(fault: io::Error) -> Self {
        Self::Fault(fault)
    }
}

/// How often a checker is looked after.
const PACE: Duration = Duration::from_millis(5);

/// How much of the beginning and of the end of what a checker prints is kept, in bytes.
const WORDS: usize = 1 << 20;

/// What a checker prints; its exit status says less than its words. `stop` is asked now and then.
pub(crate) fn run(
    program: &str,
    arguments: &[impl AsRef<OsStr>],
    stop: &dyn Fn() -> bool,
) -> Result<String, Silence> {
    let mut command = Command::new(program);
    let spawned = Tree::heard(command.args(arguments).env("RUST_BACKTRACE", "0"), WORDS);
    let (mut checker, said) = spawned.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Silence::Missing,
        _ => error.into(),
    })?;
    let status = loop {
        if let Some(status) = checker.try_wait()? {
            break status;
        }
        if stop() {
            return Err(Silence::Stopped);
        }
        thread::sleep(PACE);
    };
    drop(checker);
    // It aborts by itself when it cannot go on; any other signal comes from outside.
    if status.signal().is_some_and(|signal| signal != Signal::SIGABRT as i32) {
        return Err(io::Error::other(format!("it was ended by a {status}")).into());
    }
    Ok(said.take())
}
