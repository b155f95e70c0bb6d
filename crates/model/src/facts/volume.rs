//! The volume bound on boxes with sides of at most 3: queens are faces of a cube.
//!
//! A square of a box with `a` sides of 3 and `b` sides of 2 is a face of the cube `{0,1}^a`: on an axis of
//! side 3 a coordinate 0 or 2 fixes the axis to 0 or 1, and a coordinate 1 leaves it free. The coordinates on
//! the axes of side 2 are a *label*. The *direction* of a face is the set of its free axes.
//!
//! **Lemma.** The faces of two queens that do not attack each other are disjoint, and the two queens differ
//! in the direction or in the label. *Proof.* Let two squares have faces that meet. Then no axis of side 3
//! has the coordinates 0 and 2, so every difference, on all axes, is 0 or 1, and the squares attack each
//! other. If the directions and the labels are the same, every difference is 0 or 2, and they attack each
//! other as well.
//!
//! A face with `j` free axes has `2^j` vertices, there are `C(a,j)` directions with `j` axes and `2^b`
//! labels, and the cube has `2^a` vertices. Hence the numbers `c_j` of queens with `j` coordinates 1 on the
//! axes of side 3 satisfy `c_j <= 2^b C(a,j)` and `sum 2^j c_j <= 2^a`. The sum of the `c_j` is largest if
//! the smallest faces are taken first.
//!
//! The lemma is an equivalence (`docs/faces.md`), so that maximum placements on `3^d` are maximum sets of
//! disjoint faces with different directions. The bound for `3^d` is 1, 2, 4, 6, 11, 19, 32, 52, 89, 158, 262,
//! 426, 725 for d = 1, …, 13.

use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_notation::proof::BOUND;

use crate::board::Board;

/// Largest number of sides for which the bound is computed, so that all numbers fit into 128 bits.
const MAX_SIDES: usize = 120;

/// Facets of the polytope of class counts of `3^m` for `m` from 2 to 5, in addition to `c_j >= 0`: the
/// weights of the classes 0 to `m`, and the right-hand side. The class of a queen is its number of
/// coordinates 1. Tests compare the table with exhaustive search.
pub const CLASS_FACETS: &[(&[u64], u64)] = &[
    (&[0, 1, 1], 1),
    (&[1, 0, 1], 1),
    (&[0, 0, 1, 1], 1),
    (&[1, 0, 0, 1], 1),
    (&[0, 1, 2, 3], 3),
    (&[0, 0, 0, 1, 1], 1),
    (&[1, 0, 0, 0, 1], 1),
    (&[0, 0, 1, 2, 3], 3),
    (&[0, 1, 0, 1, 4], 4),
    (&[0, 1, 1, 2, 5], 5),
    (&[0, 1, 2, 4, 7], 7),
    (&[0, 0, 0, 0, 1, 1], 1),
    (&[1, 0, 0, 0, 0, 1], 1),
    (&[0, 0, 0, 1, 2, 3], 3),
    (&[0, 0, 1, 2, 4, 7], 7),
    (&[0, 0, 2, 3, 6, 12], 12),
    (&[0, 1, 0, 0, 1, 5], 5),
    (&[0, 1, 0, 1, 3, 7], 7),
    (&[0, 1, 0, 3, 5, 11], 11),
    (&[0, 1, 1, 2, 5, 10], 10),
    (&[0, 1, 1, 4, 7, 14], 14),
    (&[0, 1, 2, 4, 8, 15], 15),
];

/// Returns the volume bound of a plain box of queens, or `None` if a side is larger than 3, there are more
/// than 120 sides larger than 1, or the bound does not fit into 64 bits.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::volume;
///
/// assert_eq!(volume::bound(&[3; 9]), Some(89));
/// assert_eq!(volume::bound(&[3, 3, 2]), Some(3));
/// assert_eq!(volume::bound(&[4, 3]), None);
/// ```
#[must_use]
pub fn bound(sides: &[u32]) -> Option<u64> {
    let count = |length: u32| sides.iter().filter(|&&side| side == length).count();
    let [one, two, three] = [count(1), count(2), count(3)];
    if one + two + three != sides.len() || sides.is_empty() || two + three > MAX_SIDES {
        return None;
    }
    u64::try_from(numbers_by_dimension(three, two).iter().sum::<u128>()).ok()
}

/// Returns the trivial bound of a board, or its volume bound if that exists and is smaller.
#[must_use]
pub fn or_trivial(board: &Board) -> u64 {
    let plain = board.plain_box().filter(|_| board.piece() == Some(Piece::Queen));
    let by_volume = plain.and_then(|plain| bound(plain.sides()));
    by_volume.map_or_else(|| board.trivial_bound(), |bound| bound.min(board.trivial_bound()))
}

/// Writes the bound as a file of clique inequalities: at most one queen is on the squares whose faces contain
/// a given vertex, and at most one on the squares with a given direction and label. `docs/bound-format.md`
/// describes the format, and `docs/faces.md` the multipliers. Returns `None` if [`bound`] does, and for boxes
/// without a side of 3, which are cliques.
#[must_use]
pub fn file(sides: &[u32]) -> Option<String> {
    let most = bound(sides)?;
    let mut sides: Vec<u32> = sides.to_vec();
    sides.sort_unstable();
    let count = |length: u32| sides.iter().filter(|&&side| side == length).count();
    let (two, three) = (count(2), count(3));
    if three == 0 {
        return None;
    }
    let numbers = numbers_by_dimension(three, two);
    // The smallest number of free axes for which not all faces are taken.
    let threshold = (0..=three).find(|&free| numbers[free] < faces_of(three, two, free)).unwrap_or(three);
    let join = |numbers: &mut dyn Iterator<Item = String>, sign: &str| numbers.collect::<Vec<_>>().join(sign);
    let row = |times: String, corner: Vec<u32>, lengths: Vec<u32>, stride: u32| {
        let corner = join(&mut corner.iter().map(u32::to_string), ",");
        let lengths = join(&mut lengths.iter().map(u32::to_string), "x");
        format!("box {times} 1 {corner} {lengths} {stride}\n")
    };
    let name = BoardName::queen(&sides);
    let mut text = format!("{BOUND}\nboard {name}\n");
    let corner = vec![0; sides.len()];
    let lengths = sides.iter().map(|&side| side.min(2)).collect();
    text += &row(fraction(1 << three, 1 << threshold), corner, lengths, 1);
    for free in 0..threshold {
        let choices = faces_of(three, two, free);
        // The axes of side 3 are the last ones; the first of them are free.
        let of_axis = |axis: usize| (axis + three).checked_sub(sides.len());
        let corner =
            (0..sides.len()).map(|axis| u32::from(of_axis(axis).is_some_and(|k| k < free))).collect();
        let lengths = (0..sides.len())
            .map(|axis| if of_axis(axis).is_some_and(|k| k >= free) { 2 } else { 1 })
            .collect();
        text +=
            &row(fraction(choices * ((1 << threshold) - (1 << free)), 1 << threshold), corner, lengths, 2);
    }
    text += &format!("at most {most}\nend\n");
    Some(text)
}

/// Returns the number of directions with `free` axes, times the number of labels.
fn faces_of(three: usize, two: usize, free: usize) -> u128 {
    (0..free).fold(1u128 << two, |choices, k| choices * (three - k) as u128 / (k + 1) as u128)
}

/// Writes a fraction whose denominator is a power of 2 in lowest terms.
fn fraction(numerator: u128, denominator: u128) -> String {
    let common = 1 << numerator.trailing_zeros().min(denominator.trailing_zeros());
    match (numerator / common, denominator / common) {
        (whole, 1) => whole.to_string(),
        (numerator, denominator) => format!("{numerator}/{denominator}"),
    }
}

/// Returns the largest dimension of a face that is needed to attain the volume bound on a box with `three`
/// sides of 3 and `two` sides of 2.
///
/// # Panics
/// Panics if there are more than 120 sides.
#[must_use]
pub fn largest_face(three: usize, two: usize) -> u32 {
    let numbers = numbers_by_dimension(three, two);
    numbers.iter().rposition(|&faces| faces > 0).unwrap_or(0) as u32
}

/// Returns the number of faces with `j` free axes, for each dimension `j`, in a choice that attains the
/// volume bound. The choice takes the smallest faces first.
fn numbers_by_dimension(three: usize, two: usize) -> Vec<u128> {
    assert!(three + two <= MAX_SIDES, "the numbers fit into 128 bits");
    let mut volume = 1u128 << three;
    (0..=three)
        .map(|free| {
            let faces = faces_of(three, two, free).min(volume >> free);
            volume -= faces << free;
            faces
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn bound_has_the_listed_values() {
        let values: Vec<u64> = (1..=13).map(|d| bound(&vec![3; d]).expect("sides of 3")).collect();
        assert_eq!(values, [1, 2, 4, 6, 11, 19, 32, 52, 89, 158, 262, 426, 725]);
        assert_eq!(largest_face(9, 0), 3);
        assert_eq!(largest_face(1, 0), 0);
        assert_eq!((largest_face(3, 0), largest_face(3, 1)), (1, 1));
        assert_eq!(largest_face(3, 3), 0);
        assert!(bound(&[3; 121]).is_none());
        assert_eq!(bound(&[2; 100]), Some(1));
        assert_eq!(bound(&[1, 1]), Some(1));
    }

    #[test]
    fn boxes_with_sides_of_2_and_3_respect_the_bound() {
        for sides in [&[3, 2][..], &[3, 3, 2], &[3, 2, 2], &[3, 3, 3], &[2, 2, 2], &[3, 3, 1], &[3, 2, 2, 2]]
        {
            let board = Board::new(&BoardName::queen(sides));
            let bound = bound(sides).expect("sides of at most 3");
            let found = largest(&board, &mut Vec::new(), 0);
            assert!(found as u64 <= bound, "{sides:?}: {found} queens, bound {bound}");
        }
    }

    /// Returns the size of a largest independent set that contains the squares placed so far.
    fn largest(board: &Board, placed: &mut Vec<u32>, from: u32) -> usize {
        let mut best = placed.len();
        for square in from..board.size() as u32 {
            if placed.iter().all(|&other| !board.attacks(other, square)) {
                placed.push(square);
                best = best.max(largest(board, placed, square + 1));
                placed.pop();
            }
        }
        best
    }

    #[test]
    fn queens_attack_exactly_if_faces_meet_or_are_parallel() {
        let board = Board::new(&BoardName::queen(&[3; 4]));
        let face = |square: u32| {
            let coordinates = board.coordinates(square);
            let axes =
                |wanted: u32| (0..4).filter(|&i| coordinates[i] == wanted).fold(0u32, |set, i| set | 1 << i);
            (axes(1), axes(2))
        };
        for a in board.squares() {
            for b in board.squares().filter(|&b| b != a) {
                let ((free, ones), (other_free, other_ones)) = (face(a), face(b));
                let meet = (ones ^ other_ones) & !free & !other_free == 0;
                assert_eq!(board.attacks(a, b), meet || free == other_free);
            }
        }
    }
}
