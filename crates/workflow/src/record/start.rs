//! Warm start of a run.

use std::fmt;

use ndqueens_solver::construct::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Warm start of a run. In files: `none`, the name of a construction, or the path of a certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Start {
    /// No warm start; an engine may compute one of its own.
    #[default]
    None,
    /// The placement of a construction.
    Construction(Method),
    /// A certificate file.
    File(String),
}

impl Start {
    /// Returns `true` if there is no warm start.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Returns the path of the certificate; `None` if the warm start is not a file.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::File(path) => Some(path),
            Self::None | Self::Construction(_) => None,
        }
    }
}

const NONE: &str = "none";

impl From<String> for Start {
    fn from(text: String) -> Self {
        match text.parse() {
            _ if text == NONE => Self::None,
            Ok(method) => Self::Construction(method),
            Err(_) => Self::File(text),
        }
    }
}

impl From<&str> for Start {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<Start> for String {
    fn from(start: Start) -> Self {
        start.to_string()
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str(NONE),
            Self::Construction(method) => method.fmt(f),
            Self::File(path) => f.write_str(path),
        }
    }
}
