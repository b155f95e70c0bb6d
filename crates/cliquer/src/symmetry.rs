//! Symmetries of a board with respect to the game: permutations of the dots that preserve
//! which segments cross.
//!
//! Every geometric symmetry is one; a board may have further ones.

use crate::board::Board;

/// Returns all symmetries of a board, each as the list of the images of the dots; the first is the identity.
#[must_use]
pub fn symmetries(board: &Board) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    extend(board, &mut Vec::new(), &mut found);
    found.sort_unstable();
    found
}

/// Adds the symmetries that extend the images of the first dots, which are pruned by the numbers of
/// crossings of segments.
fn extend(board: &Board, images: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let n = board.dots().len();
    let dot = images.len();
    if dot == n {
        if is_symmetry(board, images) {
            found.push(images.clone());
        }
        return;
    }
    let crossings = |a: usize, b: usize| board.crossing(board.segment(a, b)).len();
    for image in (0..n).filter(|image| !images.contains(image)).collect::<Vec<_>>() {
        if (0..dot).all(|before| crossings(before, dot) == crossings(images[before], image)) {
            images.push(image);
            extend(board, images, found);
            images.pop();
        }
    }
}

/// Returns `true` if a permutation of the dots maps crossing segments to crossing segments.
///
/// It then maps no others to them, because the two numbers are equal.
pub(crate) fn is_symmetry(board: &Board, images: &[usize]) -> bool {
    let segments = board.segments();
    let image = |segment: usize| board.segment(images[segments[segment][0]], images[segments[segment][1]]);
    (0..segments.len())
        .all(|s| board.crossing(s).iter().all(|&t| board.crossing(image(s)).binary_search(&image(t)).is_ok()))
}
