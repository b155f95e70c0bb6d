//! Symmetry breaking: colourings that differ by a symmetry of the board are found once.
//!
//! Let G be the group of the symmetries of the board that map candidates to candidates. A colouring has a
//! candidate on each corner, and G permutes the candidates on corners. The rank of such a candidate is the
//! number of its orbit under G, in the order of the first candidates of the orbits. Some symmetry of G maps a
//! candidate of least rank of a colouring to the first of its orbit. It is therefore sufficient to search,
//! for the first candidate of every orbit, the colourings that have it and no candidate of lower rank on a
//! corner; all colourings are images of these under G.

use super::candidates::{Listed, Quotient};
use super::operator::BoardSymmetry;

/// The candidates on corners up to the symmetries of the board.
#[derive(Debug, Default)]
pub(super) struct Corners {
    /// The rank of each candidate; [`u32::MAX`] if it is on no corner.
    ranks: Vec<u32>,
    /// The first candidate of each rank.
    first: Vec<u32>,
    /// Number of orbits of corners under the operator.
    orbits: i32,
}

impl Corners {
    /// Ranks candidates, which must be in lexicographic order.
    pub(super) fn new(quotient: &Quotient, candidates: &[Listed]) -> Self {
        let n = quotient.side;
        let mut corners = [0, n - 1, n * (n - 1), n * n - 1].map(|square| quotient.orbit_of[square]).to_vec();
        corners.sort_unstable();
        corners.dedup();
        let symmetries: Vec<BoardSymmetry> = quotient.operator.normalizer().collect();
        let (mut ranks, mut first) = (vec![u32::MAX; candidates.len()], Vec::new());
        for (number, listed) in candidates.iter().enumerate() {
            let is_on_corner =
                corners.iter().any(|&orbit| listed.covers[orbit / 64] >> (orbit % 64) & 1 == 1);
            if !is_on_corner || ranks[number] != u32::MAX {
                continue;
            }
            for symmetry in &symmetries {
                let image = symmetry.image(&listed.candidate.solution);
                let image = quotient.operator.orbit(&image).into_iter().min();
                let place =
                    candidates.binary_search_by(|other| Some(&other.candidate.solution).cmp(&image.as_ref()));
                ranks[place.expect("symmetries map candidates to candidates")] = first.len() as u32;
            }
            first.push(number as u32);
        }
        Self { ranks, first, orbits: corners.len() as i32 }
    }

    /// Returns the first candidate of each rank, with the estimated share of its subtree in the tree, from 0
    /// to 1. Only candidates of at least its rank remain for the other corners.
    pub(super) fn first(&self) -> impl Iterator<Item = (u32, f64)> {
        let number = self.first.len();
        let weight = move |rank: usize| ((number - rank) as f64 / number as f64).powi(self.orbits - 1);
        let whole: f64 = (0..number).map(weight).sum();
        self.first.iter().enumerate().map(move |(rank, &first)| (first, weight(rank) / whole))
    }

    /// Returns `true` if a candidate can be in a colouring in which another one has the least rank.
    pub(super) fn allow(&self, candidate: u32, least: u32) -> bool {
        self.ranks[candidate as usize] >= self.ranks[least as usize]
    }
}
