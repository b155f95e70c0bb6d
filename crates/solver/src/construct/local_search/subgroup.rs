//! Subgroups of the symmetry group of a box. Record placements are often invariant under such a subgroup.
//!
//! A symmetry is written as a signed permutation of the axes. Under `-1,3,2`, the image of a square has as
//! its coordinates the reflected first, the third and the second coordinate of the square. Several
//! symmetries, separated by semicolons, generate a subgroup.

use std::collections::HashSet;
use std::fmt;

use ndqueens_model::board::{Board, Square, closure};
use ndqueens_notation::similar::did_you_mean;

/// A signed permutation: for each axis of the image, the source axis and `true` if the
/// coordinate is reflected.
pub(super) type Symmetry = Vec<(usize, bool)>;

/// A subgroup of a board's symmetry group, given by generators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subgroup {
    generators: Vec<Symmetry>,
}

/// Error for a text that is not a subgroup of the symmetries of a board.
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
    /// An axis is mapped to an axis of another length.
    #[error("\"{0}\" takes axis {1} to axis {2}, whose sides {3} and {4} differ")]
    UnequalSides(String, usize, usize, u32, u32),
}

impl Subgroup {
    /// Parses generators such as `-1,-2,3;2,1,3`, or `none` for the trivial subgroup, or `central` for the
    /// reflection of all axes.
    ///
    /// # Errors
    /// Returns an error if the board is not a box, or a generator is not one of its symmetries.
    pub fn parse(text: &str, board: &Board) -> Result<Self, NoSubgroup> {
        if text == "none" {
            return Ok(Self::default());
        }
        let sides = board.box_sides().ok_or_else(|| NoSubgroup::NotABox(board.name().to_string()))?;
        if text == "central" {
            return Ok(Self { generators: vec![(0..sides.len()).map(|axis| (axis, true)).collect()] });
        }
        let generators = text
            .split(';')
            .map(|generator| parse_symmetry(generator.trim(), sides))
            .collect::<Result<_, _>>()?;
        Ok(Self { generators })
    }

    /// Returns one cyclic subgroup for each conjugacy class of signed permutations, the trivial one first. On
    /// boards that are not boxes, this is the trivial subgroup only.
    ///
    /// A class is determined by the lengths of its cycles and the parity of the number of
    /// reflections on each cycle.
    #[must_use]
    pub fn cyclic(board: &Board) -> Vec<Self> {
        let sides = board.box_sides().unwrap_or_default();
        let mut lengths = sides.to_vec();
        lengths.sort_unstable();
        lengths.dedup();
        let mut all = vec![(0..sides.len()).map(|axis| (axis, false)).collect::<Symmetry>()];
        for length in lengths {
            let axes: Vec<usize> = (0..sides.len()).filter(|&axis| sides[axis] == length).collect();
            // Symmetries of axes of length 1 move no square.
            let types = if length == 1 { Vec::new() } else { signed_cycle_types(axes.len()) };
            all = all
                .into_iter()
                .flat_map(|symmetry| {
                    let extend = |cycles: &Vec<SignedCycle>| with_cycles(&symmetry, &axes, cycles);
                    let mut extensions: Vec<Symmetry> = types.iter().map(extend).collect();
                    if extensions.is_empty() {
                        extensions.push(symmetry.clone());
                    }
                    extensions
                })
                .collect();
        }
        let is_nontrivial =
            |symmetry: &Symmetry| symmetry.iter().enumerate().any(|(axis, &image)| image != (axis, false));
        let nontrivial =
            all.into_iter().filter(is_nontrivial).map(|symmetry| Self { generators: vec![symmetry] });
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

    /// Returns `true` if the identity is the only element.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// Returns `true` if a set of squares is invariant under the subgroup.
    #[must_use]
    pub fn keeps(&self, board: &Board, set: &[Square]) -> bool {
        let set: HashSet<Square> = set.iter().copied().collect();
        set.iter().all(|&square| self.orbit(board, square).iter().all(|image| set.contains(image)))
    }

    /// Returns the orbit of a square, starting with the square itself.
    #[must_use]
    pub fn orbit(&self, board: &Board, square: Square) -> Vec<Square> {
        closure(square, &self.generators, usize::MAX, |&square, generator| image(board, square, generator))
    }

    /// Returns the orbits of all squares.
    #[must_use]
    pub fn orbits(&self, board: &Board) -> Vec<Vec<Square>> {
        let mut is_listed = vec![false; board.size()];
        let mut orbits = Vec::new();
        for square in board.squares() {
            if !is_listed[square as usize] {
                let orbit = self.orbit(board, square);
                orbit.iter().for_each(|&image| is_listed[image as usize] = true);
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

/// Writes the generators in the form that [`Subgroup::parse`] reads.
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
    let source = board.coordinates(square);
    let sides = board.box_sides().expect("only boxes have generators");
    let coordinate = |(to, &(from, reflected)): (usize, &(usize, bool))| {
        if reflected { sides[to] - 1 - source[from] } else { source[from] }
    };
    let image: Vec<u32> = generator.iter().enumerate().map(coordinate).collect();
    board.square(&image).expect("a symmetry maps the board to itself")
}

fn parse_symmetry(text: &str, sides: &[u32]) -> Result<Symmetry, NoSubgroup> {
    let parse_axis = |part: &str| {
        let part = part.trim();
        let (reflected, number) = part.strip_prefix('-').map_or((false, part), |number| (true, number));
        let number: usize = number.parse().ok()?;
        (1..=sides.len()).contains(&number).then(|| (number - 1, reflected))
    };
    let axes: Option<Symmetry> = text.split(',').map(parse_axis).collect();
    let mut sources: Vec<usize> = axes.iter().flatten().map(|&(axis, _)| axis).collect();
    sources.sort_unstable();
    let Some(symmetry) = axes.filter(|_| sources.into_iter().eq(0..sides.len())) else {
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

/// Length of a cycle of axes, and `true` if the number of reflections on it is odd.
type SignedCycle = (usize, bool);

/// Returns all multisets of cycles whose lengths sum to `total`.
fn signed_cycle_types(total: usize) -> Vec<Vec<SignedCycle>> {
    fn extend(
        remaining: usize,
        largest: SignedCycle,
        cycles: &mut Vec<SignedCycle>,
        all: &mut Vec<Vec<SignedCycle>>,
    ) {
        if remaining == 0 {
            all.push(cycles.clone());
        }
        for length in 1..=remaining {
            for cycle in [(length, false), (length, true)] {
                if cycle <= largest {
                    cycles.push(cycle);
                    extend(remaining - length, cycle, cycles, all);
                    cycles.pop();
                }
            }
        }
    }
    let mut all = Vec::new();
    extend(total, (total, true), &mut Vec::new(), &mut all);
    all
}

/// Returns a symmetry that permutes `axes` in the given cycles and is equal to `symmetry` on the other axes.
fn with_cycles(symmetry: &Symmetry, axes: &[usize], cycles: &[SignedCycle]) -> Symmetry {
    let mut symmetry = symmetry.clone();
    let mut remaining = axes;
    for &(length, reflected) in cycles {
        let (cycle, others) = remaining.split_at(length);
        remaining = others;
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
    fn parses_what_it_writes() {
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
    fn rejects_texts_that_are_no_symmetries() {
        for (name, text, reason) in [
            ("4^3", "1,2", "each of the axes 1 to 3"),
            ("4^3", "1,2,2", "each of the axes 1 to 3"),
            ("4^3", "1,2,4", "each of the axes 1 to 3"),
            ("4^3", "", "each of the axes 1 to 3"),
            ("4^3", "some", "each of the axes 1 to 3"),
            ("4x4x5", "3,2,1", "sides 5 and 4 differ"),
        ] {
            let error = Subgroup::parse(text, &board(name)).expect_err(text).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn cyclic_has_one_subgroup_for_each_class() {
        // Classes of signed permutations of d axes: pairs of partitions with sum d (OEIS
        // A000712); one is trivial.
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
    fn orbits_partition_the_board_and_keep_degrees() {
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
