//! Proof trees as text: what the search did, for a checker that shares no code with it. `docs/proof-format.md` tells their form
//! in full.
//!
//! ```text
//! ndqueens proof 2
//! board 4^3
//! box 1x1x1 1 lines
//! box 1x1x2 1 lines
//! ...
//! box 3x4x4 6 cut 1 1
//! box 4x4x4 7 search
//! order lexicographic
//! slab 1 0-0 2
//! slab 1 3-3 2
//! orbit 21 2,1,3 1,3,2
//! nodes abbBaab
//! ...
//! at most 7
//! end
//! ```
//!
//! Boxes come with sorted sides and a bound each, before they are used. A tree is its nodes, depth first. Most nodes are a
//! letter: the region that first-fit cliques cover, small when they are taken from the first square on, capital when from the
//! last. The checker takes the same cliques, and goes on to a child for each square that they leave.
//!
//! Where a tree is cut off there is a line `part number` until the part's own tree takes its place.

use std::io::{self, BufRead, Write};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::BoardName;
use ndqueens_notation::proof::{LETTERS, NODES, PROOF, PROOF_WITH_ROWS};

use crate::search::indexed_board::IndexedBoard;
use crate::search::log::{FirstFit, Log};
use crate::search::relaxation::{Boxes, FractionalCover, RelaxationRow};

/// Returns the lines that a proof about a board begins with.
#[must_use]
pub fn head(board: &BoardName) -> String {
    head_with(PROOF, board)
}

/// Returns the lines that a proof with rows of format 3 begins with.
#[must_use]
pub fn head_with_rows(board: &BoardName) -> String {
    head_with(PROOF_WITH_ROWS, board)
}

fn head_with(header: &str, board: &BoardName) -> String {
    let digest = match board {
        BoardName::File(file) => format!("digest sha256 {}\n", file.digest()),
        _ => String::new(),
    };
    format!("{header}\nboard {board}\n{digest}")
}

/// A line of nodes is ended when it is as long as that, in bytes.
const LONG: usize = 120;

/// Lines of a tree. Where a line of nodes ends depends on nothing but the nodes.
struct Lines<O> {
    out: O,
    /// A line of nodes that has not ended.
    nodes: String,
}

impl<O: Write> Lines<O> {
    fn new(out: O) -> Self {
        Self { out, nodes: String::new() }
    }

    /// Nodes without blanks.
    fn nodes(&mut self, nodes: &str) -> io::Result<()> {
        let mut rest = nodes;
        while !rest.is_empty() {
            if self.nodes.is_empty() {
                self.nodes.push_str(NODES);
            }
            // Up to the first node with which the line is long.
            let room = LONG.saturating_sub(self.nodes.len() + 1).min(rest.len());
            let digits = rest[room..].bytes().take_while(u8::is_ascii_digit).count();
            let (taken, further) = rest.split_at((room + digits + 1).min(rest.len()));
            self.nodes.push_str(taken);
            rest = further;
            if self.nodes.len() >= LONG && !taken.ends_with(|c: char| c.is_ascii_digit()) {
                self.end_nodes()?;
            }
        }
        Ok(())
    }

    fn end_nodes(&mut self) -> io::Result<()> {
        if self.nodes.is_empty() {
            return Ok(());
        }
        self.nodes.push('\n');
        let written = self.out.write_all(self.nodes.as_bytes());
        self.nodes.clear();
        written
    }

    /// A line of its own.
    fn line(&mut self, line: &str) -> io::Result<()> {
        self.end_nodes()?;
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }
}

/// Writes parts of a tree as if they had been written together.
struct Together<O> {
    lines: Lines<O>,
    /// The begin of a line.
    begun: Vec<u8>,
}

impl<O: Write> Write for Together<O> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if self.begun.pop_if(|byte| *byte == b'\n').is_some() {
                let line = std::str::from_utf8(&self.begun).map_err(io::Error::other)?;
                match line.strip_prefix(NODES) {
                    Some(nodes) => self.lines.nodes(nodes)?,
                    None => self.lines.line(line)?,
                }
                self.begun.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lines.out.flush()
    }
}

impl<O: Write> Together<O> {
    /// Ends the last line of nodes. What it is written to may be in the middle of one.
    fn finish(mut self) -> io::Result<O> {
        self.lines.end_nodes()?;
        Ok(self.lines.out)
    }
}

/// How a line begins where a tree is cut off; the number of the part follows.
const PART: &str = "part ";

/// Bytes of a tree that are held in memory; longer ones go to a temporary file.
pub(crate) const HELD_IN_MEMORY: usize = 1 << 26;

/// Copies a tree that was cut off; `part` writes what takes the place of each part, whose nodes begin a line.
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
        match line.strip_prefix(PART) {
            Some(number) => part(number.trim_end().parse().map_err(io::Error::other)?, out)?,
            None => out.write_all(line.as_bytes())?,
        }
        line.clear();
    }
    Ok(())
}

/// The same, with the nodes in lines as if the tree had never been cut off.
///
/// # Errors
/// When something cannot be read or written.
pub fn join_seamlessly(
    top: impl BufRead,
    out: &mut dyn Write,
    part: &mut dyn FnMut(usize, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut together = Together { lines: Lines::new(out), begun: Vec::new() };
    join(top, &mut together, part)?;
    together.finish().map(drop)
}

/// A tree that is written piece by piece, in order, as if it had never been cut off.
pub(crate) struct Joined<O> {
    together: Together<O>,
    /// What stands below the first part of each piece that waits for it, the last one on top.
    waiting: Vec<io::Cursor<Vec<u8>>>,
}

impl<O: Write> Joined<O> {
    /// What is written so far stands above the nodes.
    pub(crate) fn new(out: O) -> Self {
        Self { together: Together { lines: Lines::new(out), begun: Vec::new() }, waiting: Vec::new() }
    }

    /// Writes the piece that takes the place of the next part, and what follows it.
    pub(crate) fn add(&mut self, piece: Vec<u8>) -> io::Result<()> {
        self.waiting.push(io::Cursor::new(piece));
        let mut line = String::new();
        while let Some(piece) = self.waiting.last_mut() {
            line.clear();
            if piece.read_line(&mut line)? == 0 {
                self.waiting.pop();
            } else if line.starts_with(PART) {
                break;
            } else {
                self.together.write_all(line.as_bytes())?;
            }
        }
        Ok(())
    }

    /// The writer.
    pub(crate) fn finish(self) -> io::Result<O> {
        self.together.finish()
    }
}

/// Writes the nodes of one search.
pub(crate) struct Tree<'a, O> {
    lines: Lines<O>,
    /// The first failure; nothing is written after it.
    fault: Option<io::Error>,
    board: &'a Board,
    indexed: &'a IndexedBoard,
    /// The numbers of the regions.
    numbers: &'a [usize],
}

impl<'a, O: Write> Tree<'a, O> {
    /// Of a search whose regions have these numbers.
    pub(crate) fn new(out: O, board: &'a Board, indexed: &'a IndexedBoard, numbers: &'a [usize]) -> Self {
        Self { lines: Lines::new(out), fault: None, board, indexed, numbers }
    }

    /// The writer, if all went well.
    pub(crate) fn finish(mut self) -> io::Result<O> {
        self.write(Lines::end_nodes);
        self.fault.map_or(Ok(self.lines.out), Err)
    }

    /// A fractional cover, and what it leaves over; a child for each square of that follows.
    pub(crate) fn fractional(&mut self, cover: &FractionalCover, boxes: Option<&Boxes>, rest: &[usize]) {
        let mut words = vec!["sum".to_owned(), cover.denominator.to_string()];
        for (times, row) in &cover.rows {
            let row = match row {
                RelaxationRow::Clique(clique) => self.squares(self.generators(clique)).join(","),
                RelaxationRow::Box(number) => {
                    let intervals = boxes.map_or_else(Vec::new, |boxes| boxes.intervals(*number));
                    let intervals = intervals.into_iter().map(|(from, to)| format!("{from}-{to}"));
                    intervals.collect::<Vec<_>>().join("x")
                }
            };
            words.push(format!("{times}*{row}"));
        }
        words.push("/".to_owned());
        words.extend(self.squares(rest.iter().copied()));
        self.write(|lines| lines.line(&words.join(" ")));
    }

    /// A leaf where these cliques cover the whole.
    pub(crate) fn named(&mut self, cliques: &[Vec<usize>]) {
        let cliques =
            cliques.iter().map(|clique| format!(" {}", self.squares(self.generators(clique)).join(",")));
        let line = format!("cover 0{} /", cliques.collect::<String>());
        self.write(|lines| lines.line(&line));
    }

    /// A leaf where all queens are placed, and are one of the solutions that the proof lists.
    pub(crate) fn solution(&mut self) {
        self.write(|lines| lines.nodes("."));
    }

    /// Squares of a clique that name it: a checker completes them to all of it, or more, by taking again and again the first
    /// square that attacks all so far.
    fn generators(&self, clique: &[usize]) -> Vec<usize> {
        let mut generators: Vec<usize> = Vec::new();
        let mut missing = clique.first().copied();
        while let Some(x) = missing {
            generators.push(x);
            let completed: FixedBitSet = self.indexed.completed(&generators).into_iter().collect();
            missing = clique.iter().rev().copied().find(|&x| !completed.contains(x));
        }
        generators
    }

    fn squares(&self, places: impl IntoIterator<Item = usize>) -> Vec<String> {
        places.into_iter().map(|x| self.indexed.squares[x].to_string()).collect()
    }

    fn write(&mut self, write: impl FnOnce(&mut Lines<O>) -> io::Result<()>) {
        if self.fault.is_none() {
            self.fault = write(&mut self.lines).err();
        }
    }
}

impl<O: Write> Log for Tree<'_, O> {
    fn covered(
        &mut self,
        cover: FirstFit,
        _: impl FnOnce() -> Vec<Vec<usize>>,
        _: impl FnOnce() -> Vec<usize>,
    ) {
        let region = self.numbers[cover.region];
        match u8::try_from(region) {
            Ok(letter) if region < LETTERS => {
                let letter = char::from(letter + if cover.reversed { b'A' } else { b'a' });
                self.write(|lines| lines.nodes(letter.encode_utf8(&mut [0])));
            }
            _ => {
                let sign = if cover.reversed { '-' } else { '+' };
                self.write(|lines| lines.nodes(&format!("{region}{sign}")));
            }
        }
    }

    fn orbit(&mut self, square: usize, elements: &[u32]) {
        let mut words = vec!["orbit".to_owned()];
        words.extend(self.squares([square]));
        for (image, element) in self.indexed.orbit(square, elements) {
            if image != square {
                words.push(symmetry(self.board, |square| self.indexed.image(element, square)));
            }
        }
        self.write(|lines| lines.line(&words.join(" ")));
    }

    fn part(&mut self, number: usize) {
        self.write(|lines| lines.line(&format!("{PART}{number}")));
    }

    fn is_broken(&self) -> bool {
        self.fault.is_some()
    }
}

/// Returns a symmetry of the board in the notation of proof files.
pub fn symmetry(board: &Board, images: impl Fn(Square) -> Square) -> String {
    if let Some(grid) = board.plain_box() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_cut_within_cuts_is_joined_as_if_it_had_never_been_cut() {
        let lines_of = |nodes: &str| {
            let mut lines = Lines::new(Vec::new());
            lines.nodes(nodes).and_then(|()| lines.end_nodes()).expect("memory");
            lines.out
        };
        for length in [50, 100, 150, 400] {
            let nodes: String = ('a'..='y').cycle().take(4 * length).collect();
            let pieces: Vec<Vec<u8>> =
                (0..4).map(|k| lines_of(&nodes[k * length..(k + 1) * length])).collect();
            let top = "part 0\npart 1\npart 2\n";
            let mut whole = Vec::new();
            let within = |number: usize, out: &mut dyn Write| match number {
                1 => join_seamlessly("part 1\npart 2\n".as_bytes(), out, &mut |number, out| {
                    out.write_all(&pieces[number])
                }),
                2 => out.write_all(&pieces[3]),
                _ => out.write_all(&pieces[0]),
            };
            join_seamlessly(top.as_bytes(), &mut whole, &mut { within }).expect("memory");
            assert_eq!(String::from_utf8(whole), String::from_utf8(lines_of(&nodes)));
        }
    }
}
