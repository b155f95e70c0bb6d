//! The choice of the square on which a node branches.

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
}

impl Branching {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Neighbourhood, Self::MostFractional, Self::Strong];
}

impl fmt::Display for Branching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Neighbourhood => "neighbourhood",
            Self::MostFractional => "most-fractional",
            Self::Strong => "strong",
        })
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

/// Returns the squares to branch on, best first; one representative of each orbit.
pub(super) fn candidates(
    rule: Branching,
    (group, orbits): (&Group, &Orbits),
    graph: &[FixedBitSet],
    point: &[f64],
    free: &FixedBitSet,
    tie_break: &[u32],
) -> Vec<usize> {
    const POSITIVE: f64 = 1e-6;
    let mut seen = FixedBitSet::with_capacity(free.len());
    let mut scored: Vec<(f64, u32, usize)> = Vec::new();
    let mut squares: Vec<usize> = free.ones().filter(|&square| point[square] > POSITIVE).collect();
    squares.sort_by_key(|&square| tie_break[square]);
    for square in squares {
        // The square of an orbit with the largest value stands for it under the rule that looks at single values.
        let score = match rule {
            Branching::Neighbourhood | Branching::Strong => {
                if seen.contains(square) {
                    continue;
                }
                let orbit = orbits.of_square(group, square);
                orbit.iter().for_each(|&(image, _)| seen.insert(image));
                let mass: f64 = orbit.iter().map(|&(image, _)| point[image]).sum();
                let around: f64 = graph[square].intersection(free).map(|near| point[near]).sum();
                mass.min(1.0) * (around + point[square] - 1.0)
            }
            Branching::MostFractional => -(point[square] - 0.5).abs(),
        };
        scored.push((score, tie_break[square], square));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().map(|(_, _, square)| square).collect()
}
