//! Programs that others wrote to check proofs.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

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

/// What a checker prints; its exit status says less than its words. `stop` is asked now and then.
pub(crate) fn run(
    program: &str,
    arguments: &[impl AsRef<OsStr>],
    stop: &dyn Fn() -> bool,
) -> Result<String, Silence> {
    let mut log = tempfile::tempfile()?;
    let spawned = Command::new(program)
        .args(arguments)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log.try_clone()?)
        .spawn();
    let mut checker = spawned.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Silence::Missing,
        _ => error.into(),
    })?;
    let status = loop {
        if let Some(status) = checker.try_wait()? {
            break status;
        }
        if stop() {
            checker.kill()?;
            checker.wait()?;
            return Err(Silence::Stopped);
        }
        thread::sleep(PACE);
    };
    // It aborts by itself when it cannot go on; any other signal comes from outside.
    if status.signal().is_some_and(|signal| signal != Signal::SIGABRT as i32) {
        return Err(io::Error::other(format!("it was ended by a {status}")).into());
    }
    let mut output = String::new();
    io::Seek::rewind(&mut log)?;
    log.read_to_string(&mut output)?;
    Ok(output)
}
