//! The bounds engine: lower and upper bounds of all cubes in a range, closed under every rule, and their
//! derivations.
//!
//! A *fact* bounds the independence number of one board from one side. Leaves are facts that rest on a
//! theorem, a construction, a checked certificate, an archived proof or a publication; all others follow from
//! earlier facts by a rule. A fact replaces another of the same board and side if its bound is better, or if
//! it is equal and stronger, so every derivation is a finite tree.

mod cases;
mod closure;
mod cube;
mod derivation;
mod facts;
mod leaves;
mod new;
mod ratios;
mod table;

use std::collections::{HashMap, HashSet};
use std::fmt;

use ndqueens_model::facts::Side;

pub use self::cases::{maxima, maxima_fields, open, open_fields};
pub use self::cube::{Cube, CubeRangeError, Extent};
pub use self::derivation::{Derivation, Step};
pub use self::facts::{Bounds, Fact, Strength};
use self::facts::{Conflict, FactId};
pub use self::leaves::Sources;
pub use self::new::{new, new_fields};
pub use self::ratios::{ratios, ratios_fields};
pub use self::table::{data, fields, sheet, text};

/// A lower bound that exceeds an upper bound of the same board, which means that one of the leaves is wrong.
#[derive(Debug, Clone)]
pub struct Contradiction {
    /// The derivation of the lower bound.
    pub lower: Derivation,
    /// The derivation of the upper bound.
    pub upper: Derivation,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lower, upper } = self;
        write!(
            f,
            "a lower bound is above an upper bound, so one of the facts below is wrong\n{lower}\n\n{upper}"
        )
    }
}

impl Bounds {
    /// Computes the bounds of the cubes `requested`, closed under all rules on the cubes of `extent`, which
    /// contains them. The archived proofs that these bounds rest on are checked.
    ///
    /// # Errors
    /// Returns an error if a lower bound exceeds an upper bound of the same board.
    pub fn new(
        extent: Extent,
        requested: impl IntoIterator<Item = Cube>,
        sources: &Sources,
    ) -> Result<Self, Box<Contradiction>> {
        let cubes: Vec<Cube> = extent.cubes().collect();
        Self::fill(extent, requested.into_iter().collect(), sources, |bounds| {
            bounds.add_leaves(&cubes, sources).and_then(|()| bounds.close())
        })
    }

    /// Computes the bounds of one cube of any size, without those that follow from other cubes.
    ///
    /// # Errors
    /// Returns the errors of [`Self::new`].
    pub fn of_one(cube: Cube, sources: &Sources) -> Result<Self, Box<Contradiction>> {
        let extent = Extent { dimension: cube.dimension, side: cube.side };
        Self::fill(extent, HashSet::from([cube]), sources, |bounds| bounds.add_leaves(&[cube], sources))
    }

    /// Computes bounds on the assumption that all archived proofs are valid, checks the proofs that the
    /// requested bounds rest on, and repeats this with the results until no result differs from the
    /// assumption. `derive` adds all facts.
    fn fill(
        extent: Extent,
        requested: HashSet<Cube>,
        sources: &Sources,
        derive: impl Fn(&mut Self) -> Result<(), Conflict>,
    ) -> Result<Self, Box<Contradiction>> {
        let mut bounds = Self {
            archive: sources.archive.clone(),
            extent,
            requested,
            facts: Vec::new(),
            best: HashMap::new(),
            checked_only: sources.checked_only,
            rechecked: HashMap::new(),
        };
        loop {
            let derived = derive(&mut bounds);
            let ids: Vec<FactId> = match derived {
                Ok(()) => {
                    let sides = [Side::Lower, Side::Upper];
                    bounds
                        .requested
                        .iter()
                        .flat_map(|&cube| sides.map(|side| bounds.id(cube, side)))
                        .collect()
                }
                Err(Conflict { lower, upper }) => vec![lower, upper],
            };
            if bounds.check_proofs(&ids, sources.deadline) {
                return bounds.without_conflict(derived);
            }
            bounds.facts.clear();
            bounds.best.clear();
        }
    }

    fn without_conflict(self, derived: Result<(), Conflict>) -> Result<Self, Box<Contradiction>> {
        match derived {
            Ok(()) => Ok(self),
            Err(Conflict { lower, upper }) => Err(Box::new(Contradiction {
                lower: self.derivation_of(lower),
                upper: self.derivation_of(upper),
            })),
        }
    }

    /// Returns the derivation of the best bound of a cube from one side.
    ///
    /// # Panics
    /// Panics if the bounds of the cube were not requested.
    #[must_use]
    pub fn derivation(&self, cube: Cube, side: Side) -> Derivation {
        assert!(self.requested.contains(&cube), "the bounds of {} were not requested", cube.board());
        self.derivation_of(self.id(cube, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_crosscheck::boards::definition;
    use ndqueens_crosscheck::graph::Graph;
    use ndqueens_crosscheck::recursive;
    use ndqueens_model::facts::known::{self, Published, Status};
    use ndqueens_notation::name::BoardName;

    use crate::archive::Archive;

    const EXTENT: Extent = Extent { dimension: 8, side: 12 };

    fn sources() -> Sources {
        Sources::of(&Archive::embedded())
    }

    fn bounds(sources: &Sources) -> Bounds {
        Bounds::new(EXTENT, EXTENT.cubes(), sources).expect("no contradiction")
    }

    fn values(board: &str, lower: u64, upper: u64) -> Vec<Published> {
        let row = |(side, value)| Published {
            board: board.parse().expect("a board"),
            side,
            value,
            status: Status::Reported,
            source: "a test".to_owned(),
            place: String::new(),
            identifier: String::new(),
        };
        [(Side::Lower, lower), (Side::Upper, upper)].map(row).to_vec()
    }

    #[test]
    fn small_boards_lie_within_their_bounds() {
        let bounds = bounds(&sources());
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
        let proved = bounds(&sources());
        let all = bounds(&Sources { reported: true, ..sources() });
        for known in known::boards() {
            let BoardName::Grid { sides, .. } = &known.board else { continue };
            let cube = Cube { dimension: sides.len(), side: sides[0] };
            if cube.board() != known.board || !EXTENT.contains(cube) {
                continue;
            }
            let published_lower = known.lower.map_or(0, u128::from);
            let published_upper = known.upper.map_or(u128::MAX, u128::from);
            let of = |side| (proved.of(cube, side), all.of(cube, side));
            let ((own, lower), (own_upper, upper)) = (of(Side::Lower), of(Side::Upper));
            assert!(own.value <= published_upper && own_upper.value >= published_lower, "{known:?}");
            assert!(lower.value >= published_lower && upper.value <= published_upper, "{known:?}");
            assert!(lower.value >= own.value && upper.value <= own_upper.value);
        }
    }

    #[test]
    fn theorem_13_is_applied_as_in_table_8() {
        let bounds = bounds(&sources());
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
            Sources { values: [values("7^4", 146, 200), values("4^4", 16, 16)].concat(), ..sources() };
        let bounds = bounds(&sources);
        let product = bounds.derivation(Cube { dimension: 8, side: 7 }, Side::Lower);
        assert!(product.steps[0].value >= 146 * 146);
        for dimension in 4..=8 {
            for side in [Side::Lower, Side::Upper] {
                let derivation = bounds.derivation(Cube { dimension, side: 7 }, side);
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
            let sources = Sources { values: values(board, lower, upper), ..sources() };
            let Contradiction { lower, upper } = *Bounds::new(EXTENT, [], &sources).expect_err(board);
            assert!(lower.steps[0].value > upper.steps[0].value);
            let blamed = |derivation: &Derivation| derivation.to_string().contains("published: a test");
            assert!(blamed(&lower) || blamed(&upper), "{lower}\n{upper}");
        }
    }

    #[test]
    fn every_step_follows_from_earlier_ones() {
        let bounds = bounds(&Sources { reported: true, ..sources() });
        for cube in EXTENT.cubes() {
            for side in [Side::Lower, Side::Upper] {
                let Derivation { steps } = bounds.derivation(cube, side);
                assert_eq!(steps[0].fact, bounds.of(cube, side).to_string());
                // Premises come after the first step that uses them, so following them terminates.
                let depth = |mut at: usize| {
                    (0..).take_while(|_| steps[at].premises.first().map(|&p| at = p).is_some()).count()
                };
                assert!((0..steps.len()).all(|at| depth(at) < 1000));
            }
        }
    }
}
