//! The verdict on a file, as JSON objects state it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;

/// Outcome of the check of a file that could be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub(super) enum Verdict {
    /// What the file shows is true.
    #[serde(rename = "holds")]
    Holds,
    /// It is true if the bounds in `conditions` are, which were not checked in this run.
    #[serde(rename = "holds conditionally")]
    Conditional,
    /// The file was read, and it is wrong, or it rests on a bound that the ledger does not have.
    #[serde(rename = "does not hold")]
    False,
    /// The check reached a limit, named in `fault`. Neither a yes nor a no follows.
    #[default]
    #[serde(rename = "not checked")]
    NotChecked,
}

impl Verdict {
    /// Returns the field `holds`: `true` or `false` only if that was shown.
    pub(super) fn holds(self) -> Option<bool> {
        match self {
            Self::Holds => Some(true),
            Self::False => Some(false),
            Self::Conditional | Self::NotChecked => None,
        }
    }

    /// Returns the words of the verdict.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Conditional => "holds conditionally",
            Self::False => "does not hold",
            Self::NotChecked => "not checked",
        }
    }

    /// Returns the exit code of the verdict.
    pub(super) fn exit(self) -> Exit {
        match self {
            Self::Holds => Exit::Yes,
            Self::Conditional | Self::NotChecked => Exit::Stopped,
            Self::False => Exit::No,
        }
    }
}
