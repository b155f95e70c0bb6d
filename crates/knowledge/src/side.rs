//! The two sides that a maximum is bounded from.

use serde::{Deserialize, Serialize};

/// Which side a bound is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// At least so many queens fit.
    Lower,
    /// At most so many queens fit.
    Upper,
}
