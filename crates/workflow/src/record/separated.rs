//! Families of inequalities that are added to an LP if its optimum violates them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Family of inequalities that are added to an LP if its optimum violates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Separated {
    /// At most (k - 1) / 2 queens on a cycle of odd length k of squares that attack each other in turn.
    OddCycle,
    /// Maximal cliques.
    ///
    /// They are separated on plain boxes only.
    Clique,
    /// Half the sum of some rows and bounds of the LP, rounded down (heuristic).
    ZeroHalf,
    /// The inequalities of the family volume.
    Volume,
    /// The inequalities of the family class.
    Class,
    /// Facets of the independent-set polytope of small sets of squares.
    ///
    /// They are separated on plain boxes only.
    Local,
}

impl Separated {
    /// Returns the name of the family in files and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OddCycle => "odd-cycle",
            Self::Clique => "clique",
            Self::ZeroHalf => "zero-half",
            Self::Volume => "volume",
            Self::Class => "class",
            Self::Local => "local",
        }
    }
}

impl fmt::Display for Separated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
