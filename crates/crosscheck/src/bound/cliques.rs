//! Cliques that are recognised without a test of each pair, because they may be very large.

use std::collections::{BTreeSet, HashSet};

use ndqueens_notation::name::Piece;

use crate::boards::Definition as _;
use crate::boards::grid::Grid;

/// Returns `true` if the squares are recognised as a clique. If not, they may still be one.
pub(super) fn is_known_clique(grid: &Grid, piece: Piece, squares: &[Vec<u32>]) -> bool {
    is_on_a_line(grid, squares) || is_in_a_cube(piece, squares)
}

/// Returns `true` if the squares are different squares of a line along which the piece moves: each is
/// reached from the first by a number of steps of 1 or -1 along the axes on which the second square
/// differs from the first. The difference of any two squares is then the difference of their numbers of
/// steps.
fn is_on_a_line(grid: &Grid, squares: &[Vec<u32>]) -> bool {
    let [first, second, ..] = squares else { return false };
    if !grid.attacks(first, second) {
        return false;
    }
    let apart = |square: &[u32], axis: usize| i64::from(square[axis]) - i64::from(first[axis]);
    let axes = 0..first.len();
    let direction: Vec<i64> = axes.clone().map(|axis| apart(second, axis).signum()).collect();
    let lead = axes.clone().find(|&axis| direction[axis] != 0).expect("a square does not attack itself");
    let mut steps = BTreeSet::new();
    squares.iter().all(|square| {
        let step = apart(square, lead) * direction[lead];
        axes.clone().all(|axis| apart(square, axis) == step * direction[axis]) && steps.insert(step)
    })
}

/// Returns `true` if the piece is the queen and the squares are distinct, each a corner or the centre of
/// one cube. Along each axis, two corners differ by 0 or by the side of the cube, and a corner and the
/// centre by half of it, so the squares are a clique.
fn is_in_a_cube(piece: Piece, squares: &[Vec<u32>]) -> bool {
    let extent = |axis: usize| {
        let along = || squares.iter().map(|square| square[axis]);
        along().min().zip(along().max()).unwrap_or_default()
    };
    let extents: Vec<(u32, u32)> = (0..squares.first().map_or(0, Vec::len)).map(extent).collect();
    let side = extents.iter().map(|(least, most)| most - least).max().unwrap_or_default();
    let has_one_side = extents.iter().all(|(least, most)| [0, side].contains(&(most - least)));
    let with_extents = |square: &[u32], fits: fn(u32, (u32, u32)) -> bool| {
        square.iter().zip(&extents).all(|(&coordinate, &ends)| fits(coordinate, ends))
    };
    let is_corner =
        |square: &[u32]| with_extents(square, |place, (least, most)| place == least || place == most);
    let is_centre = |square: &[u32]| with_extents(square, |place, (least, most)| 2 * place == least + most);
    let different = || squares.iter().collect::<HashSet<_>>().len() == squares.len();
    piece == Piece::Queen
        && has_one_side
        && squares.iter().all(|square| is_corner(square) || is_centre(square))
        && different()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clique_shortcuts_agree_with_pairwise_tests() {
        use rand::{RngExt as _, SeedableRng as _};
        let mut random = rand::rngs::ChaCha8Rng::seed_from_u64(3);
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let d = random.random_range(1..=3);
            let piece = Piece::ALL[random.random_range(0..3)];
            let grid = Grid::new(piece, false, &vec![4; d]);
            let corner: Vec<u32> = (0..d).map(|_| random.random_range(0..3)).collect();
            let reach = random.random_range(1..=2);
            let near = |random: &mut rand::rngs::ChaCha8Rng| -> Vec<u32> {
                corner.iter().map(|x| (x + random.random_range(0..=reach)).min(3)).collect()
            };
            let squares: Vec<Vec<u32>> = (0..random.random_range(0..5)).map(|_| near(&mut random)).collect();
            let pairwise = |i: usize| squares[..i].iter().all(|b| grid.attacks(&squares[i], b));
            let clique = (0..squares.len()).all(pairwise);
            let glances = [is_on_a_line(&grid, &squares), is_in_a_cube(piece, &squares)];
            assert!(clique || glances == [false, false], "{piece:?} {squares:?} {glances:?}");
            for (count, seen_one) in seen.iter_mut().zip([glances[0], glances[1], clique]) {
                *count += usize::from(seen_one);
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }
}
