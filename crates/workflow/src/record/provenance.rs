//! Provenance of a record: program, machine and date.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::machine;

/// Origin of a record.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of the workbench.
    pub version: String,
    /// Commit of the workbench.
    pub commit: String,
    /// Host name.
    pub host: String,
    /// CPU model, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Job identifier of the scheduler, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// End of the run, in UTC.
    pub date: String,
}

/// Commit of the workbench. In a source archive, the one that `git archive` wrote into `commit.txt`;
/// otherwise that of the clone.
pub const COMMIT: &str = if ARCHIVED.as_bytes()[0] == b'$' { CLONED } else { ARCHIVED.split_at(12).0 };

const ARCHIVED: &str = include_str!("commit.txt");

const CLONED: &str =
    git_version::git_version!(args = ["--always", "--abbrev=12", "--dirty=-modified"], fallback = "unknown");

impl Provenance {
    /// Returns the provenance of this build on this machine, with the current time.
    #[must_use]
    pub fn here() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: COMMIT.to_owned(),
            host: machine::host(),
            cpu: machine::cpu(),
            job: machine::job(),
            date: machine::date(),
        }
    }
}
