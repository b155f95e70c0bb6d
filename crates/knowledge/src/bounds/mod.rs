//! The bounds engine: lower and upper bounds of all cubes in a range, closed under every rule, and where each comes from.
//!
//! A *fact* bounds the independence number of one board from one side. Leaves are facts that rest on a theorem, a
//! construction, a checked certificate, a proved box or a publication; all others follow from earlier facts by a rule. A
//! fact replaces another of the same board and side when it says more, or as much with stronger standing, so every
//! derivation is a finite tree.

mod cases;
mod closure;
mod derivation;
mod leaves;
mod table;

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use ndqueens_model::name::{BoardName, Piece};
use serde::{Serialize, Serializer};

pub use self::cases::{maxima, maxima_fields, open, open_fields};
pub use self::derivation::Derivation;
pub use self::leaves::Sources;
pub use self::table::{data, fields, sheet, text};
use crate::side::Side;

/// The board n^d.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The dimension d.
    pub dimension: usize,
    /// The side n.
    pub side: u32,
}

impl Cube {
    /// The cube that a board for queens is, if it is one.
    #[must_use]
    pub fn of(board: &BoardName) -> Option<Self> {
        let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = board else { return None };
        sides.iter().all(|&side| side == sides[0]).then_some(Self { dimension: sides.len(), side: sides[0] })
    }

    /// The cube, when it is one within [`Extent::ALLOWED`].
    ///
    /// # Errors
    /// Else with what is allowed, in words.
    pub fn allowed(cube: Option<Self>) -> Result<Self, String> {
        let (dimensions, sides) = Extent::ALLOWED;
        cube.filter(|cube| dimensions.contains(&cube.dimension) && sides.contains(&cube.side)).ok_or_else(
            || {
                format!(
                    "bounds are for queens on n^d, d up to {} and n up to {}",
                    dimensions.end(),
                    sides.end()
                )
            },
        )
    }

    /// The board's name.
    #[must_use]
    pub fn board(self) -> BoardName {
        BoardName::queen(&vec![self.side; self.dimension])
    }

    /// The number of lines along an axis, `n^(d-1)`.
    fn lines(self) -> u128 {
        u128::from(self.side).pow(self.dimension as u32 - 1)
    }
}

/// Reads `n^d`, within [`Extent::ALLOWED`], however many squares that has.
impl FromStr for Cube {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let power = name.split_once('^').and_then(|(side, dimension)| {
            Some(Self { side: side.parse().ok()?, dimension: dimension.parse().ok()? })
        });
        Self::allowed(power.or_else(|| Self::of(&name.parse().ok()?)))
    }
}

/// The cubes that the engine looks at: all n^d with `1 <= n <= side` and `1 <= d <= dimension`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The largest dimension.
    pub dimension: usize,
    /// The longest side.
    pub side: u32,
}

impl Extent {
    /// The dimensions and sides that can be looked at.
    pub const ALLOWED: (RangeInclusive<usize>, RangeInclusive<u32>) = (1..=12, 1..=100);

    /// The smallest extent that holds a cube besides.
    #[must_use]
    pub fn with(self, cube: Cube) -> Self {
        Self { dimension: self.dimension.max(cube.dimension), side: self.side.max(cube.side) }
    }

    fn cubes(self) -> impl Iterator<Item = Cube> {
        (1..=self.dimension)
            .flat_map(move |dimension| (1..=self.side).map(move |side| Cube { dimension, side }))
    }

    fn contains(self, cube: Cube) -> bool {
        cube.dimension <= self.dimension && cube.side <= self.side
    }
}

/// How well founded a fact is: as its weakest leaf. From strongest to weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Theorems alone.
    Theorem,
    /// Certificates and proofs that were checked in this run.
    Checked,
    /// Bounds of the archive, their proofs not checked in this run.
    Archived,
    /// Somebody's publication, not checked here.
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

/// As it prints.
impl Serialize for Strength {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The number of a fact.
type FactId = usize;

/// A bound on the independence number of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The sides of the board, in increasing order.
    pub sides: Vec<u32>,
    /// Which side it bounds from.
    pub side: Side,
    /// The bound, in queens.
    pub value: u128,
    /// What it rests on.
    pub strength: Strength,
    /// The leaf's origin, or the rule.
    pub reason: String,
    /// The facts that the rule was applied to.
    premises: Vec<FactId>,
}

/// `alpha(4^3) <= 8`.
impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.side {
            Side::Lower => ">=",
            Side::Upper => "<=",
        };
        write!(f, "alpha({}) {relation} {}", BoardName::queen(&self.sides), self.value)
    }
}

/// A lower bound above an upper bound of the same board: one of the leaves is wrong.
#[derive(Debug, Clone)]
pub struct Contradiction {
    /// The derivation of the lower bound.
    pub lower: Derivation,
    /// The derivation of the upper bound.
    pub upper: Derivation,
}

/// The closed bounds.
#[derive(Debug)]
pub struct Bounds {
    extent: Extent,
    facts: Vec<Fact>,
    best: HashMap<(Side, Vec<u32>), FactId>,
    checked_only: bool,
}

impl Bounds {
    /// Closes the bounds that the sources give under all rules.
    ///
    /// # Errors
    /// When a lower bound comes out above an upper one.
    pub fn new(extent: Extent, sources: &Sources) -> Result<Self, Box<Contradiction>> {
        let mut bounds =
            Self { extent, facts: Vec::new(), best: HashMap::new(), checked_only: sources.checked_only };
        let clash = match bounds.add_leaves(sources) {
            Ok(()) => bounds.close(),
            clash => clash,
        };
        match clash {
            Ok(()) => Ok(bounds),
            Err(Conflict { lower, upper }) => Err(Box::new(Contradiction {
                lower: bounds.derivation_of(lower),
                upper: bounds.derivation_of(upper),
            })),
        }
    }

    /// The best bound of a cube in the extent from this side.
    ///
    /// # Panics
    /// When the cube is outside.
    #[must_use]
    pub fn of(&self, cube: Cube, side: Side) -> &Fact {
        &self.facts[self.id(cube, side)]
    }

    /// The derivation of the best bound of a cube in the extent from this side.
    ///
    /// # Panics
    /// When the cube is outside.
    #[must_use]
    pub fn why(&self, cube: Cube, side: Side) -> Derivation {
        self.derivation_of(self.id(cube, side))
    }

    fn id(&self, cube: Cube, side: Side) -> FactId {
        self.best[&(side, vec![cube.side; cube.dimension])]
    }

    fn best_id(&self, side: Side, sides: &[u32]) -> Option<FactId> {
        self.best.get(&(side, sides.to_vec())).copied()
    }

    /// Takes a fact in when it is better than what is known; whether it is.
    fn add(
        &mut self,
        side: Side,
        sides: &[u32],
        value: u128,
        reason: Reason<'_>,
        premises: &[FactId],
    ) -> Result<bool, Conflict> {
        let own = match reason {
            Reason::Leaf(strength, _) => strength,
            Reason::Rule(_) => Strength::Theorem,
        };
        let strength = premises.iter().map(|&id| self.facts[id].strength).fold(own, Ord::max);
        if let Some(id) = self.best_id(side, sides) {
            let known = &self.facts[id];
            let better = match side {
                Side::Lower => value > known.value,
                Side::Upper => value < known.value,
            };
            if !better && (value != known.value || strength >= known.strength) {
                return Ok(false);
            }
        }
        let (Reason::Leaf(_, reason) | Reason::Rule(reason)) = reason;
        let id = self.facts.len();
        let fact = Fact {
            sides: sides.to_vec(),
            side,
            value,
            strength,
            reason: reason.to_string(),
            premises: premises.to_vec(),
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

/// Why a fact holds.
#[derive(Clone, Copy)]
enum Reason<'a> {
    /// It is a leaf, with this standing and origin.
    Leaf(Strength, &'a dyn fmt::Display),
    /// It follows from others by this rule.
    Rule(&'a dyn fmt::Display),
}

/// Two facts that contradict each other.
#[derive(Debug)]
struct Conflict {
    lower: FactId,
    upper: FactId,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_crosscheck::boards::definition;
    use ndqueens_crosscheck::graph::Graph;
    use ndqueens_crosscheck::recursive;
    use ndqueens_model::facts::known::{self, Known, UpperStanding};

    const EXTENT: Extent = Extent { dimension: 8, side: 12 };

    fn bounds(sources: &Sources) -> Bounds {
        Bounds::new(EXTENT, sources).expect("no contradiction")
    }

    fn value(board: &str, lower: u64, upper: u64) -> Known {
        Known {
            board: board.parse().expect("a board"),
            lower,
            upper,
            upper_standing: UpperStanding::Reported,
            source: "a test".to_owned(),
        }
    }

    #[test]
    fn small_boards_lie_within_their_bounds() {
        let bounds = bounds(&Sources::default());
        for (dimension, sides) in [(1, 1..=7u32), (2, 1..=6), (3, 1..=4), (4, 1..=3), (5, 1..=2), (6, 1..=2)]
        {
            for side in sides {
                let cube = Cube { dimension, side };
                let graph = Graph::new(&*definition(&cube.board())).expect("a small board");
                let size = recursive::independence_number(&graph, &|| false).expect("not stopped") as u128;
                let [lower, upper] = [Side::Lower, Side::Upper].map(|side| bounds.of(cube, side));
                assert!((lower.value..=upper.value).contains(&size), "{lower}, {upper}: {size}");
                assert!(lower.strength < Strength::Reported && upper.strength < Strength::Reported);
            }
        }
    }

    #[test]
    fn nothing_contradicts_published_values_and_published_values_change_what_they_should() {
        let proved = bounds(&Sources::default());
        let all = bounds(&Sources { reported: true, ..Sources::default() });
        for known in known::table() {
            let BoardName::Grid { sides, .. } = &known.board else { continue };
            let cube = Cube { dimension: sides.len(), side: sides[0] };
            if cube.board() != known.board || !EXTENT.contains(cube) {
                continue;
            }
            let of = |side| (proved.of(cube, side), all.of(cube, side));
            let ((own, lower), (own_upper, upper)) = (of(Side::Lower), of(Side::Upper));
            assert!(own.value <= known.upper.into() && own_upper.value >= known.lower.into(), "{known:?}");
            assert!(lower.value >= known.lower.into() && upper.value <= known.upper.into(), "{known:?}");
            assert!(lower.value >= own.value && upper.value <= own_upper.value);
        }
    }

    #[test]
    fn theorem_13_is_applied_as_in_table_8() {
        let bounds = bounds(&Sources::default());
        let upper = |side, dimension| bounds.of(Cube { dimension, side }, Side::Upper).value;
        for dimension in 4..=8 {
            for side in [4, 6, 8] {
                assert!(upper(side, dimension) <= u128::from(side / 2).pow(dimension as u32));
            }
        }
        assert!(upper(9, 4) <= 486 && upper(9, 5) <= 2673);
    }

    #[test]
    fn a_fact_is_as_weak_as_its_weakest_leaf() {
        let sources =
            Sources { values: vec![value("7^4", 146, 200), value("4^4", 16, 16)], ..Sources::default() };
        let bounds = bounds(&sources);
        let product = bounds.why(Cube { dimension: 8, side: 7 }, Side::Lower);
        assert!(product.steps[0].value >= 146 * 146);
        for dimension in 4..=8 {
            for side in [Side::Lower, Side::Upper] {
                let derivation = bounds.why(Cube { dimension, side: 7 }, side);
                let weakest = derivation.steps.iter().map(|step| step.strength).max();
                let leaves = derivation.steps.iter().filter(|step| step.premises.is_empty());
                assert_eq!(weakest, leaves.map(|leaf| leaf.strength).max());
                assert_eq!(Some(derivation.steps[0].strength), weakest);
            }
        }
    }

    #[test]
    fn a_false_value_is_found_out_with_both_derivations() {
        for (board, lower, upper) in
            [("4^3", 1, 6), ("4^4", 17, 17), ("3^5", 1, 5), ("12^3", 145, 145), ("8^2", 1, 7)]
        {
            let sources = Sources { values: vec![value(board, lower, upper)], ..Sources::default() };
            let Contradiction { lower, upper } = *Bounds::new(EXTENT, &sources).expect_err(board);
            assert!(lower.steps[0].value > upper.steps[0].value);
            let blamed = |derivation: &Derivation| derivation.to_string().contains("published: a test");
            assert!(blamed(&lower) || blamed(&upper), "{lower}\n{upper}");
        }
    }

    #[test]
    fn every_step_follows_from_earlier_ones() {
        let bounds = bounds(&Sources { reported: true, ..Sources::default() });
        for cube in EXTENT.cubes() {
            for side in [Side::Lower, Side::Upper] {
                let Derivation { steps } = bounds.why(cube, side);
                assert_eq!(steps[0].fact, bounds.of(cube, side).to_string());
                // Premises stand after what uses them first, so a walk along them ends.
                let depth = |mut at: usize| {
                    (0..).take_while(|_| steps[at].premises.first().map(|&p| at = p).is_some()).count()
                };
                assert!((0..steps.len()).all(|at| depth(at) < 1000));
            }
        }
    }
}
