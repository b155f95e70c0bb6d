//! Facts, and the best one for each board and side.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use ndqueens_model::facts::{Side, UpperBound};
use ndqueens_notation::name::BoardName;
use schemars::JsonSchema;
use serde::Serialize;

use super::cube::{Cube, Extent};
use crate::archive::Archive;

/// Strength of a fact, which is that of its weakest leaf. The order is from strongest to weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Theorems only.
    Theorem,
    /// Certificates and proofs that were checked in this run.
    Checked,
    /// Bounds of the archive whose proofs were not checked in this run.
    Archived,
    /// Publications, not checked here.
    Reported,
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Theorem => "theorem",
            Self::Checked => "checked",
            Self::Archived => "archived",
            Self::Reported => "reported",
        })
    }
}

/// Index of a fact in [`Bounds::facts`].
pub(super) type FactId = usize;

/// A bound on the independence number of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The sides of the board, in increasing order.
    pub sides: Vec<u32>,
    /// Side of the bound.
    pub side: Side,
    /// The bound, in queens.
    pub value: u128,
    /// Status of the weakest leaf.
    pub strength: Strength,
    /// Origin of a leaf, or rule of another fact.
    pub reason: String,
    /// Facts that the rule was applied to.
    pub(super) premises: Vec<FactId>,
    /// The archived bound that this fact is. Until its proof is checked, the proof is assumed to be valid.
    pub(super) archived: Option<Arc<UpperBound>>,
}

/// Writes the fact in the form `alpha(4^3) <= 8`.
impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alpha({}) {} {}", BoardName::queen(&self.sides), self.side.sign(), self.value)
    }
}

/// The justification of a fact.
#[derive(Clone, Copy)]
pub(super) enum Reason<'a> {
    /// Leaf with this status and origin.
    Leaf(Strength, &'a dyn fmt::Display),
    /// Archived bound with this status and origin.
    Archived(&'a Arc<UpperBound>, Strength, &'a dyn fmt::Display),
    /// Derived from other facts by this rule.
    Rule(&'a dyn fmt::Display),
}

/// Two facts that contradict each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conflict {
    pub(super) lower: FactId,
    pub(super) upper: FactId,
}

/// Bounds closed under all rules, with their derivations.
#[derive(Debug)]
pub struct Bounds {
    pub(super) archive: Archive,
    pub(super) extent: Extent,
    /// The requested cubes: all archived proofs of their bounds are checked.
    pub(super) requested: HashSet<Cube>,
    pub(super) facts: Vec<Fact>,
    pub(super) best: HashMap<(Side, Vec<u32>), FactId>,
    pub(super) checked_only: bool,
    /// Results of the checks of archived proofs, for the bounds that were checked.
    pub(super) rechecked: HashMap<Arc<UpperBound>, UpperBound>,
}

impl Bounds {
    /// Returns the best bound of a cube from one side.
    ///
    /// # Panics
    /// Panics if the bounds of the cube were not requested.
    #[must_use]
    pub fn of(&self, cube: Cube, side: Side) -> &Fact {
        assert!(self.requested.contains(&cube), "the bounds of {} were not requested", cube.board());
        &self.facts[self.id(cube, side)]
    }

    pub(super) fn id(&self, cube: Cube, side: Side) -> FactId {
        self.best[&(side, vec![cube.side; cube.dimension])]
    }

    pub(super) fn best_id(&self, side: Side, sides: &[u32]) -> Option<FactId> {
        self.best.get(&(side, sides.to_vec())).copied()
    }

    /// Returns these facts and all facts that they rest on.
    pub(super) fn with_premises(&self, ids: &[FactId]) -> Vec<FactId> {
        let (mut all, mut seen) = (ids.to_vec(), ids.iter().copied().collect::<HashSet<_>>());
        let mut next = 0;
        while let Some(&id) = all.get(next) {
            all.extend(self.facts[id].premises.iter().filter(|&&premise| seen.insert(premise)));
            next += 1;
        }
        all
    }

    /// Adds a fact if it is better than the known one of the same board and side, or equal and stronger.
    /// Returns `true` if it was added.
    pub(super) fn add(
        &mut self,
        side: Side,
        sides: &[u32],
        value: u128,
        reason: Reason<'_>,
        premises: &[FactId],
    ) -> Result<bool, Conflict> {
        let own = match reason {
            Reason::Leaf(strength, _) | Reason::Archived(_, strength, _) => strength,
            Reason::Rule(_) => Strength::Theorem,
        };
        let archived =
            if let Reason::Archived(archived, ..) = reason { Some(Arc::clone(archived)) } else { None };
        let strength = premises.iter().map(|&id| self.facts[id].strength).fold(own, Ord::max);
        if let Some(id) = self.best_id(side, sides) {
            let known = &self.facts[id];
            if !side.is_better(value, known.value) && (value != known.value || strength >= known.strength) {
                return Ok(false);
            }
        }
        let (Reason::Leaf(_, reason) | Reason::Archived(_, _, reason) | Reason::Rule(reason)) = reason;
        let id = self.facts.len();
        let fact = Fact {
            sides: sides.to_vec(),
            side,
            value,
            strength,
            reason: reason.to_string(),
            premises: premises.to_vec(),
            archived,
        };
        self.facts.push(fact);
        self.best.insert((side, sides.to_vec()), id);
        let bound = |side| self.best_id(side, sides);
        match (bound(Side::Lower), bound(Side::Upper)) {
            (Some(lower), Some(upper)) if self.facts[lower].value > self.facts[upper].value => {
                Err(Conflict { lower, upper })
            }
            _ => Ok(true),
        }
    }
}
