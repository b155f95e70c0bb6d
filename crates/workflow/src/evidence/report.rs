//! Reports on checked files.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// Outcome of the check of a file that could be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "Verdict")]
pub enum FileVerdict {
    /// The statement of the file holds.
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

impl FileVerdict {
    /// Returns the field `holds`: `true` or `false` only if that was shown.
    #[must_use]
    pub fn holds(self) -> Option<bool> {
        match self {
            Self::Holds => Some(true),
            Self::False => Some(false),
            Self::Conditional | Self::NotChecked => None,
        }
    }

    /// Returns the words of the verdict.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Conditional => "holds conditionally",
            Self::False => "does not hold",
            Self::NotChecked => "not checked",
        }
    }
}

/// Object with the details of a report, with a JSON schema.
pub trait JsonObject: fmt::Debug {
    /// Returns the object as JSON.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written as JSON.
    fn to_json(&self) -> serde_json::Result<String>;
}

impl<T: Serialize + JsonSchema + fmt::Debug> JsonObject for T {
    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// Result of the check of a file, for display.
#[derive(Debug)]
pub struct FileReport {
    /// Verdict.
    pub verdict: FileVerdict,
    /// Description that begins with the name of the file, in one or more lines.
    pub text: String,
    /// The same as a JSON object.
    pub object: Box<dyn JsonObject>,
    /// Text of the file in its native form, if it holds and can be written again.
    pub native: Option<String>,
}

impl FileReport {
    /// Creates the report of a file that cannot be written again.
    #[must_use]
    pub fn new(verdict: FileVerdict, text: String, object: impl JsonObject + 'static) -> Self {
        Self { verdict, text, object: Box::new(object), native: None }
    }
}
