//! What parts and runs cost: a line for each, in a file of each runner.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use ndqueens_record::machine;
use ndqueens_system::claim::Claims;
use ndqueens_system::file::{self, FileError};
use ndqueens_system::journal::{self, Line, Own};
use ndqueens_system::note;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The stem of the files of accounts.
const ACCOUNTS: &str = "accounts";

/// What one part took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// The part.
    pub part: String,
    /// About its part of the tree, from 0 to 1.
    pub weight: f64,
    /// Whether it was finished.
    pub finished: bool,
    /// Wall-clock time of this part, in seconds.
    pub wall_seconds: f64,
    /// CPU time of the runner since its last line, in seconds; the sum of all lines is the CPU time of the runner.
    pub cpu_seconds: f64,
    /// Nodes of the runner since its last line.
    pub nodes: u64,
    /// The most memory that the runner has held so far, in bytes.
    pub peak_bytes: Option<u64>,
    /// The machine.
    #[serde(flatten)]
    pub machine: Machine,
    /// When the part ended, in UTC.
    pub date: String,
}

/// Where something ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Machine {
    /// The host.
    pub host: String,
    /// The model of the CPU, if the system tells.
    pub cpu: Option<String>,
    /// The job of the scheduler, if there is one.
    pub job: Option<String>,
}

impl Machine {
    /// This one.
    #[must_use]
    pub fn here() -> Self {
        Self { host: machine::host(), cpu: machine::cpu(), job: machine::job() }
    }
}

/// What all parts took together.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize)]
pub struct Total {
    /// CPU time, in seconds.
    pub cpu_seconds: f64,
    /// Nodes.
    pub nodes: u64,
    /// The most memory that a runner held, in bytes.
    pub peak_bytes: Option<u64>,
    /// The hosts.
    pub hosts: usize,
}

/// Adds accounts up.
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

/// The accounts in a folder. What cannot be read is left out, for nothing rests on it; a note tells of files.
///
/// # Errors
/// When the folder cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Account>, FileError> {
    let mut accounts = Vec::new();
    for path in journal::all(folder, ACCOUNTS)? {
        let mut text = Vec::new();
        let read = file::open_plain(&path).and_then(|file| file.take(file::LARGEST).read_to_end(&mut text));
        if let Err(fault) = read {
            note::report(&format!("cannot read {}: {fault}; its accounts are left out", path.display()));
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

/// The accounts that this runner writes.
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
    /// Begins to count, from so many nodes on.
    pub(crate) fn begin(folder: &Path, claims: &Claims, nodes: u64) -> Result<Self, FileError> {
        let mut own = Own::open(folder, ACCOUNTS, claims)?;
        // What cannot be written is told before work is done; a new file is made with the first line.
        if own.path.symlink_metadata().is_ok() {
            own.ready()?;
        }
        Ok(Self(Mutex::new(Open { own, machine: Machine::here(), cpu: machine::cpu_time(), nodes })))
    }

    /// Writes what a part took; `nodes` are those of this runner so far.
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
        // Parts that end together may come here in any order.
        (open.cpu, open.nodes) = (cpu, open.nodes.max(nodes));
        open.own.append(&account)
    }
}
