//! The symmetry of a board as the game sees it: the permutations of its dots that take crossing segments to crossing ones and
//! others to others. Every symmetry of the picture is one; a board may have more of them.

use crate::board::Board;

/// All symmetries of a board, each as the list of the dots' images; the first is the identity.
#[must_use]
pub fn symmetries(board: &Board) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    extend(board, &mut Vec::new(), &mut found);
    found.sort_unstable();
    found
}

/// Extends the images of the first dots in every way that no segment between them tells apart.
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

/// Whether a permutation of the dots takes crossing segments to crossing ones. Then it takes no others to them, for there are
/// as many.
pub(crate) fn is_symmetry(board: &Board, images: &[usize]) -> bool {
    let segments = board.segments();
    let image = |segment: usize| board.segment(images[segments[segment][0]], images[segments[segment][1]]);
    (0..segments.len())
        .all(|s| board.crossing(s).iter().all(|&t| board.crossing(image(s)).binary_search(&image(t)).is_ok()))
}
