//! Symmetry breaking: colourings that differ by a symmetry of the board are searched for once.
//!
//! Let G be the symmetries of the board that map candidates to candidates. A colouring has a candidate on each corner, and G
//! permutes the candidates on corners. These are ranked by their orbits under G, in the order of the first of each. Some
//! symmetry of G takes a candidate of least rank among those of a colouring to the first of its orbit. So it is enough to
//! search, for the first of every orbit, for the colourings that have it and no candidate of lower rank on a corner; all
//! colourings are the images of these under G.

use super::candidates::{Listed, Quotient};
use super::operator::BoardSymmetry;

/// The candidates on corners, up to the symmetries of the board.
#[derive(Debug, Default)]
pub(super) struct Corners {
    /// The rank of each candidate; [`u32::MAX`] for those on no corner.
    ranks: Vec<u32>,
    /// The first candidate of each rank.
    first: Vec<u32>,
    /// The number of orbits of corners under the operator.
    orbits: i32,
}

impl Corners {
    /// Ranks candidates, which are in lexicographic order.
    pub(super) fn new(quotient: &Quotient, candidates: &[Listed]) -> Self {
        let n = quotient.side;
        let mut corners = [0, n - 1, n * (n - 1), n * n - 1].map(|square| quotient.orbit_of[square]).to_vec();
        corners.sort_unstable();
        corners.dedup();
        let symmetries: Vec<BoardSymmetry> = quotient.operator.normalizer().collect();
        let (mut ranks, mut first) = (vec![u32::MAX; candidates.len()], Vec::new());
        for (number, listed) in candidates.iter().enumerate() {
            let on_corner = corners.iter().any(|&orbit| listed.covers[orbit / 64] >> (orbit % 64) & 1 == 1);
            if !on_corner || ranks[number] != u32::MAX {
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

    /// Returns the first candidate of each rank, with its share of the tree, from 0 to 1. A rank leaves those above it for the
    /// other corners.
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
