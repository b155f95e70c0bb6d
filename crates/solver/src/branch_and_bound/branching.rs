//! Choice of the square on which a node branches.

use std::collections::BTreeMap;
use std::fmt;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Group;
use serde::{Deserialize, Serialize};

use super::relaxation::NodeSquares;

/// Rule for the choice of the square that branch and bound branches on.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Branching {
    /// The square whose orbit and neighbourhood have most weight in the LP solution.
    ///
    /// This is the square `v` with the largest product of min(x(orbit of v), 1) and x(v and the squares
    /// that it attacks) − 1.
    #[default]
    Neighbourhood,
    /// The square whose value is closest to 1/2.
    MostFractional,
    /// The one of eight candidates whose two relaxations lower the bound most.
    ///
    /// The candidates are those of the rule `Neighbourhood`.
    Strong,
    /// The square whose orbit has lowered the bound most in the branches so far.
    PseudoCost,
}

impl Branching {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Neighbourhood, Self::MostFractional, Self::Strong, Self::PseudoCost];
}

impl fmt::Display for Branching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Neighbourhood => "neighbourhood",
            Self::MostFractional => "most-fractional",
            Self::Strong => "strong",
            Self::PseudoCost => "pseudo-cost",
        })
    }
}

/// One of the two children of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Child with a queen on the square.
    With,
    /// Child without a queen on its orbit.
    Without,
}

/// Branch on a square.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    /// Square.
    pub(super) square: usize,
    /// Value of the square in the LP solution.
    pub(super) value: f64,
    /// Value of all squares of its orbit together.
    pub(super) mass: f64,
    /// Bound before the branch.
    pub(super) bound: f64,
}

impl Branch {
    /// Returns the distance by which the LP solution must change in a child.
    fn change(&self, side: Side) -> f64 {
        let change = match side {
            Side::With => 1.0 - self.value,
            Side::Without => self.mass,
        };
        change.max(1e-6)
    }
}

/// Mean decreases of the bound in the children of branches per unit of change, by the orbits of the squares
/// under all symmetries of the board.
///
/// # References
/// T. Achterberg, T. Koch, A. Martin, *Branching rules revisited*, Oper. Res. Lett. 33 (2005).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PseudoCosts {
    with: Observations,
    without: Observations,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Observations {
    /// Number and sum of the decreases of each orbit, by its first square.
    orbits: BTreeMap<usize, (u64, f64)>,
    number: u64,
    sum: f64,
}

impl Observations {
    fn add(&mut self, orbit: usize, decrease: f64) {
        let observed = self.orbits.entry(orbit).or_default();
        *observed = (observed.0 + 1, observed.1 + decrease);
        (self.number, self.sum) = (self.number + 1, self.sum + decrease);
    }

    /// Returns the mean of an orbit, together with the mean of all orbits as one observation.
    fn mean(&self, orbit: usize) -> f64 {
        let all = if self.number == 0 { 1.0 } else { self.sum / self.number as f64 };
        let (number, sum) = self.orbits.get(&orbit).copied().unwrap_or_default();
        (sum + all) / (number + 1) as f64
    }
}

impl PseudoCosts {
    /// Adds the bound of a child of a branch on a square of an orbit.
    pub(super) fn add(&mut self, branch: &Branch, orbit: usize, side: Side, bound: f64) {
        let decrease = (branch.bound - bound).max(0.0) / branch.change(side);
        match side {
            Side::With => self.with.add(orbit, decrease),
            Side::Without => self.without.add(orbit, decrease),
        }
    }

    /// Returns the product of the expected decreases in both children.
    fn score(&self, branch: &Branch, orbit: usize) -> f64 {
        let expected = |observed: &Observations, side| (observed.mean(orbit) * branch.change(side)).max(1e-6);
        expected(&self.with, Side::With) * expected(&self.without, Side::Without)
    }
}

/// Number of candidates of strong branching.
pub(super) const CANDIDATES: usize = 8;

/// Orbits of the free squares under the symmetries that map the placed squares and the free
/// squares to themselves.
pub(super) struct Orbits<'g> {
    group: &'g Group,
    /// Those symmetries, including the identity.
    stabiliser: Vec<u32>,
}

impl<'g> Orbits<'g> {
    pub(super) fn new(group: &'g Group, node: NodeSquares<'_>) -> Self {
        let preserves = |element: u32, set: &FixedBitSet| {
            set.ones().all(|square| set.contains(group.image(element, square)))
        };
        let is_symmetry = |&element: &u32| preserves(element, node.placed) && preserves(element, node.free);
        Self { group, stabiliser: group.elements().filter(is_symmetry).collect() }
    }

    /// Returns the orbit of a square with, for each image, the first symmetry that leads to it.
    pub(super) fn orbit(&self, square: usize) -> Vec<(usize, u32)> {
        self.group.orbit(square, &self.stabiliser)
    }
}

/// State of a search from which branching squares are chosen.
pub(super) struct BranchingContext<'b> {
    pub(super) rule: Branching,
    pub(super) costs: &'b PseudoCosts,
    pub(super) graph: &'b [FixedBitSet],
    /// Preference among squares with equal scores, smallest first.
    pub(super) tie_break: &'b [u32],
    /// First square of the orbit of each square under all symmetries of the board.
    pub(super) first_of_orbit: &'b [u32],
}

/// Returns the squares to branch on, best first; one representative of each orbit. `point`
/// is the LP solution.
pub(super) fn candidates(
    context: &BranchingContext<'_>,
    orbits: &Orbits<'_>,
    point: &[f64],
    free: &FixedBitSet,
) -> Vec<usize> {
    const POSITIVE: f64 = 1e-6;
    let BranchingContext { rule, costs, graph, tie_break, first_of_orbit } = *context;
    let mut seen = FixedBitSet::with_capacity(free.len());
    let mut scored: Vec<(f64, u32, usize)> = Vec::new();
    let mut squares: Vec<usize> = free.ones().filter(|&square| point[square] > POSITIVE).collect();
    squares.sort_by_key(|&square| tie_break[square]);
    for square in squares {
        // This rule compares single values, so all squares are candidates.
        if rule == Branching::MostFractional {
            scored.push((-(point[square] - 0.5).abs(), tie_break[square], square));
            continue;
        }
        if seen.contains(square) {
            continue;
        }
        let orbit = orbits.orbit(square);
        orbit.iter().for_each(|&(image, _)| seen.insert(image));
        let mass: f64 = orbit.iter().map(|&(image, _)| point[image]).sum();
        let score = match rule {
            Branching::PseudoCost => {
                let branch = Branch { square, value: point[square], mass, bound: 0.0 };
                costs.score(&branch, first_of_orbit[square] as usize)
            }
            _ => {
                let around: f64 = graph[square].intersection(free).map(|near| point[near]).sum();
                mass.min(1.0) * (around + point[square] - 1.0)
            }
        };
        scored.push((score, tie_break[square], square));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().map(|(_, _, square)| square).collect()
}
