//! Subgroups of a box's symmetry group: record placements are often kept by one.
//!
//! A symmetry is written as a signed permutation of the axes: `-1,3,2` says that the first coordinate of a square's image
//! is its own first one reflected, the second its third, the third its second. Several, parted by semicolons, generate a
//! subgroup.

use std::collections::HashSet;
use std::fmt;

use ndqueens_model::board::{Board, Square, closure};
use ndqueens_notation::similar::did_you_mean;

/// A signed permutation: the axis that the image's coordinate is taken from, and whether it is reflected.
pub(super) type Symmetry = Vec<(usize, bool)>;

/// A subgroup of a board's symmetry group, given by generators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subgroup {
    generators: Vec<Symmetry>,
}

/// Why a text is no subgroup of a board's symmetries.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSubgroup {
    /// The board is not a box.
    #[error("{0} is not a box: signed permutations of axes are for boxes; give none")]
    NotABox(String),
    /// A text is not a signed permutation of the axes.
    #[error(
        "\"{0}\" does not name each of the axes 1 to {1} once, each with a minus before it or not, such as {2}{suggestion}",
        suggestion = did_you_mean(.0, ["auto", "none", "central"])
    )]
    NotAPermutation(String, usize, String),
    /// Two axes of different length are exchanged.
    #[error("\"{0}\" takes axis {1} to axis {2}, whose sides {3} and {4} differ")]
    UnequalSides(String, usize, usize, u32, u32),
}

impl Subgroup {
    /// Reads generators such as `-1,-2,3;2,1,3`, or `none` for the trivial subgroup, or `central` for the reflection of
    /// all axes.
    ///
    /// # Errors
    /// When the board is not a box, or a generator is not a symmetry of it.
    pub fn parse(text: &str, board: &Board) -> Result<Self, NoSubgroup> {
        if text == "none" {
            return Ok(Self::default());
        }
        let sides = board.box_sides().ok_or_else(|| NoSubgroup::NotABox(board.name().to_string()))?;
        if text == "central" {
            return Ok(Self { generators: vec![(0..sides.len()).map(|axis| (axis, true)).collect()] });
        }
        let generators =
            text.split(';').map(|generator| symmetry(generator.trim(), sides)).collect::<Result<_, _>>()?;
        Ok(Self { generators })
    }

    /// One cyclic subgroup of a board for each conjugacy class of signed permutations, the trivial one first; that one
    /// alone on boards that are not boxes.
    ///
    /// A class is given by its cycles: how long each is, and whether it reflects an odd number of times.
    #[must_use]
    pub fn cyclic(board: &Board) -> Vec<Self> {
        let sides = board.box_sides().unwrap_or_default();
        let mut lengths = sides.to_vec();
        lengths.sort_unstable();
        lengths.dedup();
        let mut all = vec![(0..sides.len()).map(|axis| (axis, false)).collect::<Symmetry>()];
        for length in lengths {
            let axes: Vec<usize> = (0..sides.len()).filter(|&axis| sides[axis] == length).collect();
            // On a side of length 1 nothing is moved.
            let types = if length == 1 { Vec::new() } else { signed_cycle_types(axes.len()) };
            all = all
                .into_iter()
                .flat_map(|symmetry| {
                    let with = |cycles: &Vec<(usize, bool)>| on_axes(&symmetry, &axes, cycles);
                    let mut extended: Vec<Symmetry> = types.iter().map(with).collect();
                    if extended.is_empty() {
                        extended.push(symmetry.clone());
                    }
                    extended
                })
                .collect();
        }
        let moves =
            |symmetry: &Symmetry| symmetry.iter().enumerate().any(|(axis, &image)| image != (axis, false));
        let nontrivial = all.into_iter().filter(moves).map(|symmetry| Self { generators: vec![symmetry] });
        std::iter::once(Self::default()).chain(nontrivial).collect()
    }

    /// Returns the subgroup that a cycle of the first `length` axes generates.
    pub(super) fn cycle(length: usize, axes: usize) -> Self {
        let source = |axis| if axis < length { (axis + 1) % length } else { axis };
        Self { generators: vec![(0..axes).map(|axis| (source(axis), false)).collect()] }
    }

    pub(super) fn generators(&self) -> &[Symmetry] {
        &self.generators
    }

    /// Whether it has the identity alone.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// Whether it carries every square of a set to a square of the set.
    #[must_use]
    pub fn keeps(&self, board: &Board, set: &[Square]) -> bool {
        let set: HashSet<Square> = set.iter().copied().collect();
        set.iter().all(|&square| self.orbit(board, square).iter().all(|image| set.contains(image)))
    }

    /// The squares that a square is carried to, itself first.
    #[must_use]
    pub fn orbit(&self, board: &Board, square: Square) -> Vec<Square> {
        closure(square, &self.generators, usize::MAX, |&square, generator| image(board, square, generator))
    }

    /// Returns the orbits of all squares.
    #[must_use]
    pub fn orbits(&self, board: &Board) -> Vec<Vec<Square>> {
        let mut known = vec![false; board.size()];
        let mut orbits = Vec::new();
        for square in board.squares() {
            if !known[square as usize] {
                let orbit = self.orbit(board, square);
                orbit.iter().for_each(|&image| known[image as usize] = true);
                orbits.push(orbit);
            }
        }
        orbits
    }

    /// Returns the images of all squares under each generator.
    #[must_use]
    pub fn images(&self, board: &Board) -> Vec<Vec<Square>> {
        let images = |generator| board.squares().map(|square| image(board, square, generator)).collect();
        self.generators.iter().map(images).collect()
    }
}

/// As [`Subgroup::parse`] reads it.
impl fmt::Display for Subgroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_trivial() {
            return f.write_str("none");
        }
        let sign = |reflected| if reflected { "-" } else { "" };
        let axis = |&(axis, reflected): &(usize, bool)| format!("{}{}", sign(reflected), axis + 1);
        let text = |symmetry: &Symmetry| symmetry.iter().map(axis).collect::<Vec<_>>().join(",");
        f.write_str(&self.generators.iter().map(text).collect::<Vec<_>>().join(";"))
    }
}

/// Returns the image of a square of a box.
fn image(board: &Board, square: Square, generator: &Symmetry) -> Square {
    let from = board.coordinates(square);
    let sides = board.box_sides().expect("only boxes have generators");
    let place = |(to, &(axis, reflected)): (usize, &(usize, bool))| {
        if reflected { sides[to] - 1 - from[axis] } else { from[axis] }
    };
    let image: Vec<u32> = generator.iter().enumerate().map(place).collect();
    board.square(&image).expect("a symmetry keeps the board")
}

fn symmetry(text: &str, sides: &[u32]) -> Result<Symmetry, NoSubgroup> {
    let axis = |part: &str| {
        let part = part.trim();
        let (reflected, number) = part.strip_prefix('-').map_or((false, part), |number| (true, number));
        let number: usize = number.parse().ok()?;
        (1..=sides.len()).contains(&number).then(|| (number - 1, reflected))
    };
    let read: Option<Symmetry> = text.split(',').map(axis).collect();
    let mut named: Vec<usize> = read.iter().flatten().map(|&(axis, _)| axis).collect();
    named.sort_unstable();
    let Some(symmetry) = read.filter(|_| named.into_iter().eq(0..sides.len())) else {
        let example = (1..=sides.len()).map(|axis| format!("-{axis}")).collect::<Vec<_>>().join(",");
        return Err(NoSubgroup::NotAPermutation(text.to_owned(), sides.len(), example));
    };
    match symmetry.iter().enumerate().find(|&(to, &(from, _))| sides[to] != sides[from]) {
        Some((to, &(from, _))) => {
            Err(NoSubgroup::UnequalSides(text.to_owned(), from + 1, to + 1, sides[from], sides[to]))
        }
        None => Ok(symmetry),
    }
}

/// All multisets of cycles (length, whether it reflects an odd number of times) with lengths that sum to `total`.
fn signed_cycle_types(total: usize) -> Vec<Vec<(usize, bool)>> {
    fn extend(
        left: usize,
        last: (usize, bool),
        cycles: &mut Vec<(usize, bool)>,
        all: &mut Vec<Vec<(usize, bool)>>,
    ) {
        if left == 0 {
            all.push(cycles.clone());
        }
        for length in 1..=left {
            for cycle in [(length, false), (length, true)] {
                if cycle <= last {
                    cycles.push(cycle);
                    extend(left - length, cycle, cycles, all);
                    cycles.pop();
                }
            }
        }
    }
    let mut all = Vec::new();
    extend(total, (total, true), &mut Vec::new(), &mut all);
    all
}

/// A symmetry that is also to move these axes in these cycles.
fn on_axes(symmetry: &Symmetry, axes: &[usize], cycles: &[(usize, bool)]) -> Symmetry {
    let mut symmetry = symmetry.clone();
    let mut rest = axes;
    for &(length, reflected) in cycles {
        let (cycle, after) = rest.split_at(length);
        rest = after;
        for (i, &axis) in cycle.iter().enumerate() {
            symmetry[axis] = (cycle[(i + 1) % length], reflected && i == 0);
        }
    }
    symmetry
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board name"))
    }

    #[test]
    fn a_subgroup_reads_as_it_prints() {
        for (name, text) in
            [("4^3", "-1,3,2"), ("4^3", "-1,-2,3;2,1,3"), ("4x4x5", "2,1,-3"), ("file", "none")]
        {
            let board = board(if name == "file" { "3^2" } else { name });
            let subgroup = Subgroup::parse(text, &board).expect(text);
            assert_eq!(subgroup.to_string(), text);
        }
        assert_eq!(Subgroup::parse("central", &board("3^3")).expect("a box").to_string(), "-1,-2,-3");
    }

    #[test]
    fn what_is_no_symmetry_is_refused_with_the_reason() {
        for (name, text, reason) in [
            ("4^3", "1,2", "each of the axes 1 to 3"),
            ("4^3", "1,2,2", "each of the axes 1 to 3"),
            ("4^3", "1,2,4", "each of the axes 1 to 3"),
            ("4^3", "", "each of the axes 1 to 3"),
            ("4^3", "some", "each of the axes 1 to 3"),
            ("4x4x5", "3,2,1", "sides 5 and 4 differ"),
        ] {
            let refused = Subgroup::parse(text, &board(name)).expect_err(text).to_string();
            assert!(refused.contains(reason), "{refused}");
        }
    }

    #[test]
    fn there_is_a_cyclic_subgroup_for_each_class() {
        // Classes of signed permutations of d axes: pairs of partitions with sum d (OEIS A000712); one is trivial.
        for (name, classes) in
            [("5^1", 2), ("5^2", 5), ("5^3", 10), ("5^4", 20), ("5^5", 36), ("4x5", 4), ("1^3", 1)]
        {
            let subgroups = Subgroup::cyclic(&board(name));
            assert_eq!(subgroups.len(), classes, "{name}");
            assert!(subgroups[0].is_trivial());
            for (i, subgroup) in subgroups.iter().enumerate() {
                assert!(!subgroups[..i].contains(subgroup), "{name}: {subgroup} twice");
                assert_eq!(Subgroup::parse(&subgroup.to_string(), &board(name)).as_ref(), Ok(subgroup));
            }
        }
    }

    #[test]
    fn orbits_part_the_board_and_are_kept_by_attacks() {
        for (name, text) in
            [("4^3", "-1,3,2"), ("3x4x4", "1,3,-2"), ("torus:5^2", "2,1"), ("bishop:3^3", "2,3,1")]
        {
            let board = board(name);
            let subgroup = Subgroup::parse(text, &board).expect(text);
            let mut times = vec![0; board.size()];
            for square in board.squares() {
                let mut orbit = subgroup.orbit(&board, square);
                let degree = board.neighbours(square).len();
                assert!(orbit.iter().all(|&s| board.neighbours(s).len() == degree), "{name}");
                orbit.sort_unstable();
                if orbit[0] == square {
                    orbit.iter().for_each(|&s| times[s as usize] += 1);
                }
            }
            assert!(times.iter().all(|&t| t == 1), "{name}");
        }
    }
}
