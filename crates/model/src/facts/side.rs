//! The two sides that a maximum is bounded from.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which side a bound is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// At least so many queens fit.
    Lower,
    /// At most so many queens fit.
    Upper,
}

impl Side {
    /// `>=` or `<=`.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Lower => ">=",
            Self::Upper => "<=",
        }
    }

    /// Whether a bound from this side says more than another.
    pub fn is_better<T: Ord + Copy>(self, value: T, than: T) -> bool {
        match self {
            Self::Lower => value > than,
            Self::Upper => value < than,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
        })
    }
}
