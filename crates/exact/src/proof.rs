//! Proof trees as text: what the search did, for a checker that shares no code with it.
//!
//! ```text
//! ndqueens proof 1
//! board 4^3
//! box 1x1x1 1 lines
//! box 1x1x2 1 lines
//! ...
//! box 3x4x4 6 cut 0 1
//! box 4x4x4 7 search
//! slab 0 0 1
//! slab 0 3 1
//! o 21 2,1,3 1,3,2
//! b 0 0,1,4,5 2,3,6,7 / 21 22
//! x 1 0,1,2,3 4,5,6,7
//! ...
//! at most 7
//! end
//! ```
//!
//! Boxes come with sorted sides and a bound each, before they are used. `lines`: the number of squares divided by the
//! longest side. `cut axis width`: the sum of the bounds of the two parts. `search`: a tree follows in which one queen more
//! does not fit. Its regions are numbered: 0 is the whole box, then come the slabs `slab axis from width`, which need one
//! queen more than the bound, less the bound of what lies outside them. Each node is a line, depth first:
//!
//! - `x region cliques...`: the free squares of the region are covered by fewer cliques than it still needs queens.
//! - `b region cliques... / squares...`: so they are but for these squares; a child for each, a queen on it and none on
//!   those before.
//! - `f denominator rows... / squares...`: a row is `multiplier*clique` or `multiplier*box`, a box `from-to` along each
//!   axis, joined by `x`. The rows count each free square of the board `denominator` times or more, but for these squares,
//!   and what cliques (one queen) and boxes (their bounds, less the queens placed in them) hold comes to less than
//!   `denominator` times the queens still needed; a child for each, as before.
//! - `o square symmetries...`: two children, a queen on the square, and none on its images under the symmetries, which fix
//!   the queens placed and the free squares as sets. A symmetry of a box is a signed permutation of its axes counted from 1:
//!   coordinate j of the image is coordinate |k_j| of the square, counted from the other end when negative. On other
//!   boards it is the list of all images, `=` before it.
//!
//! Where a tree is cut off there is a line `part number` until the part's own tree takes its place.
//!
//! Squares are numbers in lexicographic order. A board that is not a plain box
//! has one line `search bound` in place of boxes.

use std::io::{self, BufRead, Write};

use ndqueens_model::board::{Board, Square};

use super::indexed::IndexedBoard;
use super::log::Log;
use super::relaxation::{Boxes, FractionalCover, Row};

/// First line of every proof.
pub const HEADER: &str = "ndqueens proof 1";

/// Bytes of a tree that are held in memory; longer ones go to a temporary file.
pub(super) const HELD_IN_MEMORY: usize = 1 << 26;

/// Copies a tree that was cut off; `part` writes what takes the place of each part.
///
/// # Errors
/// When something cannot be read or written.
pub fn join(
    mut top: impl BufRead,
    out: &mut dyn Write,
    part: &mut dyn FnMut(usize, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = String::new();
    while top.read_line(&mut line)? > 0 {
        match line.strip_prefix("part ") {
            Some(number) => part(number.trim_end().parse().map_err(io::Error::other)?, out)?,
            None => out.write_all(line.as_bytes())?,
        }
        line.clear();
    }
    Ok(())
}

/// Writes the nodes of one search.
pub(super) struct Tree<'a, O, const W: usize> {
    out: O,
    /// The first failure; nothing is written after it.
    fault: Option<io::Error>,
    board: &'a Board,
    indexed: &'a IndexedBoard<W>,
    slabs: usize,
    line: String,
}

impl<'a, O: Write, const W: usize> Tree<'a, O, W> {
    /// Of a search with so many slabs.
    pub(super) fn new(out: O, board: &'a Board, indexed: &'a IndexedBoard<W>, slabs: usize) -> Self {
        Self { out, fault: None, board, indexed, slabs, line: String::new() }
    }

    /// The writer, if all went well.
    pub(super) fn finish(self) -> io::Result<O> {
        self.fault.map_or(Ok(self.out), Err)
    }

    /// A fractional cover, and what it leaves over; children follow as after a branch.
    pub(super) fn fractional(&mut self, cover: &FractionalCover, boxes: Option<&Boxes>, rest: &[usize]) {
        self.line.push_str("f ");
        self.line.push_str(&cover.denominator.to_string());
        for (times, row) in &cover.rows {
            self.line.push_str(&format!(" {times}*"));
            let words: Vec<String> = match row {
                Row::Clique(clique) => clique.iter().map(|&x| self.indexed.squares[x].to_string()).collect(),
                Row::Box(number) => {
                    let intervals = boxes.map_or_else(Vec::new, |boxes| boxes.intervals(*number));
                    intervals.into_iter().map(|(from, to)| format!("{from}-{to}")).collect()
                }
            };
            self.line.push_str(&words.join(if matches!(row, Row::Box(_)) { "x" } else { "," }));
        }
        self.push_uncovered(rest);
        self.end_line();
    }

    /// In the search the whole board is the last region, in proofs it is number 0.
    fn push_region(&mut self, region: usize) {
        self.push_number(if region == self.slabs { 0 } else { region as u32 + 1 });
    }

    fn push_cliques(&mut self, cliques: &[Vec<usize>]) {
        for clique in cliques {
            let mut separator = ' ';
            for &x in clique {
                self.line.push(separator);
                self.push_number(self.indexed.squares[x]);
                separator = ',';
            }
        }
    }

    fn push_uncovered(&mut self, rest: &[usize]) {
        self.line.push_str(" /");
        for &x in rest {
            self.line.push(' ');
            self.push_number(self.indexed.squares[x]);
        }
    }

    fn push_number(&mut self, number: u32) {
        use std::fmt::Write as _;
        write!(self.line, "{number}").expect("a string takes everything");
    }

    fn end_line(&mut self) {
        self.line.push('\n');
        if self.fault.is_none() {
            self.fault = self.out.write_all(self.line.as_bytes()).err();
        }
        self.line.clear();
    }
}

impl<O: Write, const W: usize> Log for Tree<'_, O, W> {
    fn refuted(&mut self, region: usize, cliques: &[Vec<usize>]) {
        self.line.push_str("x ");
        self.push_region(region);
        self.push_cliques(cliques);
        self.end_line();
    }

    fn branch(&mut self, region: usize, cliques: &[Vec<usize>], rest: &[usize]) {
        self.line.push_str("b ");
        self.push_region(region);
        self.push_cliques(cliques);
        self.push_uncovered(rest);
        self.end_line();
    }

    fn orbit(&mut self, square: usize, elements: &[u32]) {
        self.line.push_str("o ");
        self.push_number(self.indexed.squares[square]);
        for (image, element) in self.indexed.orbit(square, elements) {
            if image != square {
                self.line.push(' ');
                self.line.push_str(&symmetry(self.board, |square| self.indexed.image(element, square)));
            }
        }
        self.end_line();
    }

    fn part(&mut self, number: usize) {
        self.line.push_str("part ");
        self.push_number(number as u32);
        self.end_line();
    }

    fn is_broken(&self) -> bool {
        self.fault.is_some()
    }
}

/// A symmetry as proofs write it.
fn symmetry(board: &Board, images: impl Fn(Square) -> Square) -> String {
    if let Some(grid) = board.grid().filter(|grid| !grid.is_torus()) {
        let origin = board.coordinates(images(0));
        let mut entries: Vec<String> = (1..=grid.dimension()).map(|k| k.to_string()).collect();
        for axis in (0..grid.dimension()).filter(|&axis| grid.sides()[axis] > 1) {
            let mut unit = vec![0; grid.dimension()];
            unit[axis] = 1;
            let image = board.coordinates(images(board.square(&unit).expect("the side is above 1")));
            let target =
                (0..grid.dimension()).find(|&t| image[t] != origin[t]).expect("images of two squares differ");
            let sign = if image[target] < origin[target] { "-" } else { "" };
            entries[target] = format!("{sign}{}", axis + 1);
        }
        return entries.join(",");
    }
    let all: Vec<String> = board.squares().map(|square| images(square).to_string()).collect();
    format!("={}", all.join(","))
}
