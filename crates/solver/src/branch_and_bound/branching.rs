//! The choice of the square on which a node branches.

use std::collections::BTreeMap;
use std::fmt;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Group;
use serde::{Deserialize, Serialize};

/// Rule for the choice of the square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Branching {
    /// The square `v` with the largest product of min(x(orbit of v), 1) and x(v and the squares that it attacks) − 1.
    #[default]
    Neighbourhood,
    /// The square with the value closest to 1/2.
    MostFractional,
    /// The one of eight candidates of the rule `Neighbourhood` whose two relaxations lower the bound most.
    Strong,
    /// The square whose two children are expected to lower the bound most, by what branches on its orbit have done so far.
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
    /// A queen stands on the square.
    With,
    /// No queen stands on its orbit.
    Without,
}

/// A branch on a square.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    /// The square.
    pub(super) square: usize,
    /// Value of the square in the LP solution.
    pub(super) value: f64,
    /// Value of all squares of its orbit together.
    pub(super) mass: f64,
    /// Bound before the branch.
    pub(super) bound: f64,
}

impl Branch {
    /// Returns by how much the LP solution has to change in a child.
    fn change(&self, side: Side) -> f64 {
        let change = match side {
            Side::With => 1.0 - self.value,
            Side::Without => self.mass,
        };
        change.max(1e-6)
    }
}

/// By how much the bound has decreased in the children of branches for each unit of change, by the orbits of the squares under
/// all symmetries of the board.
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
    /// Notes the bound of a child of a branch on a square of an orbit.
    pub(super) fn note(&mut self, branch: &Branch, orbit: usize, side: Side, bound: f64) {
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

/// Orbits of the free squares under the symmetries that map the placed squares and the free squares to themselves.
pub(super) struct Orbits {
    /// Those symmetries, the identity among them.
    pub(super) stabiliser: Vec<u32>,
}

impl Orbits {
    pub(super) fn of(group: &Group, placed: &FixedBitSet, free: &FixedBitSet) -> Self {
        let keeps = |element: u32, set: &FixedBitSet| {
            set.ones().all(|square| set.contains(group.image(element, square)))
        };
        let stabiliser =
            group.elements().filter(|&element| keeps(element, placed) && keeps(element, free)).collect();
        Self { stabiliser }
    }

    /// Returns the orbit of a square with, for each image, the first symmetry that leads to it.
    pub(super) fn of_square(&self, group: &Group, square: usize) -> Vec<(usize, u32)> {
        group.orbit(square, &self.stabiliser)
    }
}

/// Returns the squares to branch on, best first; one representative of each orbit. `first_of` has the first square of the orbit of
/// each square under all symmetries of the board.
pub(super) fn candidates(
    (rule, costs): (Branching, &PseudoCosts),
    (group, orbits): (&Group, &Orbits),
    graph: &[FixedBitSet],
    point: &[f64],
    free: &FixedBitSet,
    (tie_break, first_of): (&[u32], &[u32]),
) -> Vec<usize> {
    const POSITIVE: f64 = 1e-6;
    let mut seen = FixedBitSet::with_capacity(free.len());
    let mut scored: Vec<(f64, u32, usize)> = Vec::new();
    let mut squares: Vec<usize> = free.ones().filter(|&square| point[square] > POSITIVE).collect();
    squares.sort_by_key(|&square| tie_break[square]);
    for square in squares {
        // The square of an orbit with the largest value stands for it under the rule that looks at single values.
        if rule == Branching::MostFractional {
            scored.push((-(point[square] - 0.5).abs(), tie_break[square], square));
            continue;
        }
        if seen.contains(square) {
            continue;
        }
        let orbit = orbits.of_square(group, square);
        orbit.iter().for_each(|&(image, _)| seen.insert(image));
        let mass: f64 = orbit.iter().map(|&(image, _)| point[image]).sum();
        let score = match rule {
            Branching::PseudoCost => {
                let branch = Branch { square, value: point[square], mass, bound: 0.0 };
                costs.score(&branch, first_of[square] as usize)
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
