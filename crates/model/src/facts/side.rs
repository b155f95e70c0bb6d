//! The two sides of bounds on a maximum.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Side of a bound on a maximum.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::Side;
///
/// assert!(Side::Upper.is_better(3, 4) && Side::Lower.is_better(4, 3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Lower bound: at least this number of queens fit.
    Lower,
    /// Upper bound: at most this number of queens fit.
    Upper,
}

impl Side {
    /// Returns the relation of the maximum to the bound: `>=` or `<=`.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Lower => ">=",
            Self::Upper => "<=",
        }
    }

    /// Returns `true` if `value` is a strictly better bound of this side than `than`.
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
