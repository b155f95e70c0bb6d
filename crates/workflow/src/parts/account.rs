//! Resources that parts took: a line for each part, in one file for each runner.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use crate::record::machine;
use ndqueens_system::claim::Claims;
use ndqueens_system::file::{self, FileError};
use ndqueens_system::journal::{self, Line, Own};
use ndqueens_system::note::Notes;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stem of the names of the files.
const ACCOUNTS: &str = "accounts";

/// Resources that one part took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Name of the part.
    pub part: String,
    /// Estimated share of the tree, from 0 to 1.
    pub weight: f64,
    /// True if the part was finished.
    pub finished: bool,
    /// Wall-clock time of this part, in seconds.
    pub wall_seconds: f64,
    /// CPU time of the runner since its last line, in seconds; the sum of all lines is the CPU time of the
    /// runner.
    pub cpu_seconds: f64,
    /// Number of nodes of the runner since its last line.
    pub nodes: u64,
    /// Peak memory of the runner so far, in bytes.
    pub peak_bytes: Option<u64>,
    /// Machine of the runner.
    #[serde(flatten)]
    pub machine: Machine,
    /// Time at which the part ended, in UTC.
    pub date: String,
}

/// Machine on which a part was run.
#[derive(Debug, Clone, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Machine {
    /// Host name.
    pub host: String,
    /// CPU model, if the system reports it.
    pub cpu: Option<String>,
    /// Job identifier of the scheduler, if there is one.
    pub job: Option<String>,
}

impl Machine {
    /// Describes this machine.
    #[must_use]
    pub fn here() -> Self {
        Self { host: machine::host(), cpu: machine::cpu(), job: machine::job() }
    }
}

/// Resources that all parts used together.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize)]
pub struct Total {
    /// CPU time, in seconds.
    pub cpu_seconds: f64,
    /// Number of nodes.
    pub nodes: u64,
    /// Peak memory of a runner, in bytes.
    pub peak_bytes: Option<u64>,
    /// Number of hosts.
    pub hosts: usize,
}

/// Adds up accounts.
#[must_use]
pub fn total(accounts: &[Account]) -> Total {
    let hosts: BTreeSet<&str> = accounts.iter().map(|account| account.machine.host.as_str()).collect();
    Total {
        // An empty sum would be -0.
        cpu_seconds: accounts.iter().fold(0.0, |sum, account| sum + account.cpu_seconds),
        nodes: accounts.iter().map(|account| account.nodes).sum(),
        peak_bytes: accounts.iter().filter_map(|account| account.peak_bytes).max(),
        hosts: hosts.len(),
    }
}

/// Reads the accounts in a folder. Unreadable lines are omitted, because no result depends on them;
/// unreadable files are also reported in a note.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn read(folder: &Path, notes: &Notes) -> Result<Vec<Account>, FileError> {
    let mut accounts = Vec::new();
    for path in journal::all(folder, ACCOUNTS)? {
        let mut text = Vec::new();
        let read = file::open_plain(&path).and_then(|file| file.take(file::LARGEST).read_to_end(&mut text));
        if let Err(fault) = read {
            notes.report(&format!("cannot read {}: {fault}; its accounts are left out", path.display()));
            continue;
        }
        let whole = &text[..journal::whole_lines(&text)];
        accounts.extend(whole.split(|&byte| byte == b'\n').filter_map(|line| match Line::of(line) {
            Line::Whole(object) => serde_json::from_str::<Account>(&object).ok(),
            _ => None,
        }));
    }
    Ok(accounts)
}

/// File of accounts that this runner writes.
#[derive(Debug)]
pub(crate) struct Accounts(Mutex<Open>);

#[derive(Debug)]
struct Open {
    own: Own,
    machine: Machine,
    cpu: Duration,
    nodes: u64,
}

impl Accounts {
    /// Opens the file; the first account counts from the given number of nodes.
    pub(crate) fn begin(folder: &Path, claims: &Claims, nodes: u64) -> Result<Self, FileError> {
        let mut own = Own::open(folder, ACCOUNTS, claims)?;
        // An existing file that cannot be written is reported before work is done; a new file is created with
        // the first line.
        if own.path.symlink_metadata().is_ok() {
            own.ready()?;
        }
        Ok(Self(Mutex::new(Open { own, machine: Machine::here(), cpu: machine::cpu_time(), nodes })))
    }

    /// Writes the account of a part; `nodes` is the number of nodes of this runner so far.
    pub(crate) fn add(
        &self,
        part: &str,
        weight: f64,
        finished: bool,
        wall: Duration,
        nodes: u64,
    ) -> Result<(), FileError> {
        let mut open = self.0.lock();
        let cpu = machine::cpu_time();
        let account = Account {
            part: part.to_owned(),
            weight,
            finished,
            wall_seconds: wall.as_secs_f64(),
            cpu_seconds: cpu.saturating_sub(open.cpu).as_secs_f64(),
            nodes: nodes.saturating_sub(open.nodes),
            peak_bytes: machine::peak_memory(),
            machine: open.machine.clone(),
            date: machine::date(),
        };
        // Parts that end at the same time may arrive in any order.
        (open.cpu, open.nodes) = (cpu, open.nodes.max(nodes));
        open.own.append(&account)
    }
}
