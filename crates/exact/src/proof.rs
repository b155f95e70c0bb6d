//! Proof files: the nodes of the search as text, for a checker that shares no code with the search. The
//! format is specified in `docs/proof-format.md`.
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
//! Boxes are listed with sorted sides and a bound, before they are used. A tree lists its nodes in
//! depth-first order. Most nodes are a letter, which names the region covered by first-fit cliques: lower
//! case if they are taken from the first square on, upper case if from the last. The checker computes the
//! same cliques and continues with a child for each square that they leave uncovered.
//!
//! If a tree is cut off, a line `part number` marks the place of each part until it is replaced by
//! the part's own tree.

use std::io::{self, BufRead, Write};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::BoardName;
use ndqueens_notation::proof::{LETTERS, NODES, PROOF, PROOF_WITH_ROWS};

use crate::search::indexed_board::IndexedBoard;
use crate::search::log::{FirstFit, Log};
use crate::search::relaxation::{BoxBounds, FractionalCover, RelaxationRow};

/// Returns the first lines of a proof about a board.
#[must_use]
pub fn header(board: &BoardName) -> String {
    format_header(PROOF, board)
}

/// Returns the first lines of a proof in format 3, which contains constraints.
#[must_use]
pub fn header_with_rows(board: &BoardName) -> String {
    format_header(PROOF_WITH_ROWS, board)
}

/// Formats the first lines of a proof; `format` is the line that names the format.
fn format_header(format: &str, board: &BoardName) -> String {
    let digest = match board {
        BoardName::File(file) => format!("digest sha256 {}\n", file.digest()),
        _ => String::new(),
    };
    format!("{format}\nboard {board}\n{digest}")
}

/// Length in bytes from which on a line of nodes is ended.
const MIN_LINE_BYTES: usize = 120;

/// Writer of the lines of a tree. The line breaks between nodes depend on the nodes only.
struct LineWriter<O> {
    out: O,
    /// Unfinished line of nodes.
    nodes: String,
}

impl<O: Write> LineWriter<O> {
    fn new(out: O) -> Self {
        Self { out, nodes: String::new() }
    }

    /// Writes nodes, given without blanks.
    fn push_nodes(&mut self, nodes: &str) -> io::Result<()> {
        let mut rest = nodes;
        while !rest.is_empty() {
            if self.nodes.is_empty() {
                self.nodes.push_str(NODES);
            }
            // Up to the first node that makes the line long enough.
            let room = MIN_LINE_BYTES.saturating_sub(self.nodes.len() + 1).min(rest.len());
            let digits = rest[room..].bytes().take_while(u8::is_ascii_digit).count();
            let (line_part, remaining) = rest.split_at((room + digits + 1).min(rest.len()));
            self.nodes.push_str(line_part);
            rest = remaining;
            if self.nodes.len() >= MIN_LINE_BYTES && !line_part.ends_with(|c: char| c.is_ascii_digit()) {
                self.end_nodes()?;
            }
        }
        Ok(())
    }

    /// Ends the line of nodes, if one is unfinished.
    fn end_nodes(&mut self) -> io::Result<()> {
        if self.nodes.is_empty() {
            return Ok(());
        }
        self.nodes.push('\n');
        let result = self.out.write_all(self.nodes.as_bytes());
        self.nodes.clear();
        result
    }

    /// Writes a line other than nodes.
    fn write_line(&mut self, line: &str) -> io::Result<()> {
        self.end_nodes()?;
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }
}

/// Writer that merges parts of a tree into the lines of the uncut tree.
struct NodeMerger<O> {
    lines: LineWriter<O>,
    /// Unfinished input line.
    partial_line: Vec<u8>,
}

impl<O: Write> Write for NodeMerger<O> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.partial_line.extend_from_slice(piece);
            if self.partial_line.pop_if(|byte| *byte == b'\n').is_some() {
                let line = std::str::from_utf8(&self.partial_line).map_err(io::Error::other)?;
                match line.strip_prefix(NODES) {
                    Some(nodes) => self.lines.push_nodes(nodes)?,
                    None => self.lines.write_line(line)?,
                }
                self.partial_line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lines.out.flush()
    }
}

impl<O: Write> NodeMerger<O> {
    /// Ends the last line of nodes, since the underlying writer may have an unfinished line of nodes as well.
    fn finish(mut self) -> io::Result<O> {
        self.lines.end_nodes()?;
        Ok(self.lines.out)
    }
}

/// Prefix of the line in place of a part; the number of the part follows.
const PART: &str = "part ";

/// Maximum number of bytes of a tree kept in memory; longer trees are moved to a temporary file.
pub(crate) const MAX_BYTES_IN_MEMORY: usize = 1 << 26;

/// Copies a tree that was cut off. `part` writes the replacement of each part, whose nodes start a line.
///
/// # Errors
/// Returns an error if reading or writing fails.
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

/// Copies a tree as [`join`] does, but breaks the lines of nodes as if the tree had never been cut off.
///
/// # Errors
/// Returns an error if reading or writing fails.
pub fn join_seamlessly(
    top: impl BufRead,
    out: &mut dyn Write,
    part: &mut dyn FnMut(usize, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut merger = NodeMerger { lines: LineWriter::new(out), partial_line: Vec::new() };
    join(top, &mut merger, part)?;
    merger.finish().map(drop)
}

/// Writer of a tree that is delivered piece by piece, in depth-first order, as if it had never been cut off.
pub(crate) struct TreeJoiner<O> {
    merger: NodeMerger<O>,
    /// Rests of the pieces that end with a missing part, innermost last.
    pending: Vec<io::Cursor<Vec<u8>>>,
}

impl<O: Write> TreeJoiner<O> {
    /// Creates the writer; `out` contains everything that precedes the nodes.
    pub(crate) fn new(out: O) -> Self {
        Self {
            merger: NodeMerger { lines: LineWriter::new(out), partial_line: Vec::new() },
            pending: Vec::new(),
        }
    }

    /// Writes the piece that replaces the next part, and everything up to the part after it.
    pub(crate) fn add(&mut self, piece: Vec<u8>) -> io::Result<()> {
        self.pending.push(io::Cursor::new(piece));
        let mut line = String::new();
        while let Some(piece) = self.pending.last_mut() {
            line.clear();
            if piece.read_line(&mut line)? == 0 {
                self.pending.pop();
            } else if line.starts_with(PART) {
                break;
            } else {
                self.merger.write_all(line.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Returns the underlying writer.
    pub(crate) fn finish(self) -> io::Result<O> {
        self.merger.finish()
    }
}

/// Writer of the nodes of one search.
pub(crate) struct ProofTreeWriter<'a, O> {
    lines: LineWriter<O>,
    /// First write error; nothing is written after it.
    error: Option<io::Error>,
    board: &'a Board,
    indexed: &'a IndexedBoard,
    /// Number of each region in the proof.
    region_numbers: &'a [usize],
}

impl<'a, O: Write> ProofTreeWriter<'a, O> {
    /// Creates the writer for a search whose regions have the given numbers in the proof.
    pub(crate) fn new(
        out: O,
        board: &'a Board,
        indexed: &'a IndexedBoard,
        region_numbers: &'a [usize],
    ) -> Self {
        Self { lines: LineWriter::new(out), error: None, board, indexed, region_numbers }
    }

    /// Returns the underlying writer.
    ///
    /// # Errors
    /// Returns the first write error, if any.
    pub(crate) fn finish(mut self) -> io::Result<O> {
        self.write(LineWriter::end_nodes);
        self.error.map_or(Ok(self.lines.out), Err)
    }

    /// Writes a node with a fractional cover. A child for each of the uncovered squares follows.
    pub(crate) fn write_fractional_cover(
        &mut self,
        cover: &FractionalCover,
        boxes: Option<&BoxBounds>,
        uncovered: &[usize],
    ) {
        let mut words = vec!["sum".to_owned(), cover.denominator.to_string()];
        for (multiplier, row) in &cover.rows {
            let row = match row {
                RelaxationRow::Clique(clique) => self.square_names(self.generators(clique)).join(","),
                RelaxationRow::Box(number) => {
                    let intervals = boxes.map_or_else(Vec::new, |boxes| boxes.intervals(*number));
                    let intervals = intervals.into_iter().map(|(from, to)| format!("{from}-{to}"));
                    intervals.collect::<Vec<_>>().join("x")
                }
            };
            words.push(format!("{multiplier}*{row}"));
        }
        words.push("/".to_owned());
        words.extend(self.square_names(uncovered.iter().copied()));
        self.write(|lines| lines.write_line(&words.join(" ")));
    }

    /// Writes a leaf whose board is covered by the given cliques.
    pub(crate) fn write_clique_cover(&mut self, cliques: &[Vec<usize>]) {
        let cliques =
            cliques.iter().map(|clique| format!(" {}", self.square_names(self.generators(clique)).join(",")));
        let line = format!("cover 0{} /", cliques.collect::<String>());
        self.write(|lines| lines.write_line(&line));
    }

    /// Writes a leaf with a solution that is listed in the proof.
    pub(crate) fn write_solution(&mut self) {
        self.write(|lines| lines.push_nodes("."));
    }

    /// Returns squares that generate a clique: the checker extends them to the whole clique, or to a larger
    /// one, by repeatedly adding the first square that attacks all squares so far.
    fn generators(&self, clique: &[usize]) -> Vec<usize> {
        let mut generators: Vec<usize> = Vec::new();
        let mut missing = clique.first().copied();
        while let Some(x) = missing {
            generators.push(x);
            let completed: FixedBitSet = self.indexed.complete_clique(&generators).into_iter().collect();
            missing = clique.iter().rev().copied().find(|&x| !completed.contains(x));
        }
        generators
    }

    /// Returns the numbers of the squares at the given places, as text.
    fn square_names(&self, places: impl IntoIterator<Item = usize>) -> Vec<String> {
        places.into_iter().map(|x| self.indexed.squares[x].to_string()).collect()
    }

    /// Calls `write` unless an earlier write has failed, and records its error.
    fn write(&mut self, write: impl FnOnce(&mut LineWriter<O>) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = write(&mut self.lines).err();
        }
    }
}

impl<O: Write> Log for ProofTreeWriter<'_, O> {
    fn log_cover(
        &mut self,
        cover: FirstFit,
        _: impl FnOnce() -> Vec<Vec<usize>>,
        _: impl FnOnce() -> Vec<usize>,
    ) {
        let region = self.region_numbers[cover.region];
        match u8::try_from(region) {
            Ok(letter) if region < LETTERS => {
                let letter = char::from(letter + if cover.reversed { b'A' } else { b'a' });
                self.write(|lines| lines.push_nodes(letter.encode_utf8(&mut [0])));
            }
            _ => {
                let sign = if cover.reversed { '-' } else { '+' };
                self.write(|lines| lines.push_nodes(&format!("{region}{sign}")));
            }
        }
    }

    fn log_orbit(&mut self, square: usize, elements: &[u32]) {
        let mut words = vec!["orbit".to_owned()];
        words.extend(self.square_names([square]));
        for (image, element) in self.indexed.orbit(square, elements) {
            if image != square {
                words.push(format_symmetry(self.board, |square| self.indexed.image(element, square)));
            }
        }
        self.write(|lines| lines.write_line(&words.join(" ")));
    }

    fn log_part(&mut self, number: usize) {
        self.write(|lines| lines.write_line(&format!("{PART}{number}")));
    }

    fn is_broken(&self) -> bool {
        self.error.is_some()
    }
}

/// Formats a symmetry of the board as in proof files; `images` maps each square to its image.
pub fn format_symmetry(board: &Board, images: impl Fn(Square) -> Square) -> String {
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
    fn joins_nested_parts_seamlessly() {
        let lines_of = |nodes: &str| {
            let mut lines = LineWriter::new(Vec::new());
            lines.push_nodes(nodes).and_then(|()| lines.end_nodes()).expect("writing to memory cannot fail");
            lines.out
        };
        for length in [50, 100, 150, 400] {
            let nodes: String = ('a'..='y').cycle().take(4 * length).collect();
            let pieces: Vec<Vec<u8>> =
                (0..4).map(|k| lines_of(&nodes[k * length..(k + 1) * length])).collect();
            let top = "part 0\npart 1\npart 2\n";
            let mut whole = Vec::new();
            let replace_part = |number: usize, out: &mut dyn Write| match number {
                1 => join_seamlessly("part 1\npart 2\n".as_bytes(), out, &mut |number, out| {
                    out.write_all(&pieces[number])
                }),
                2 => out.write_all(&pieces[3]),
                _ => out.write_all(&pieces[0]),
            };
            join_seamlessly(top.as_bytes(), &mut whole, &mut { replace_part })
                .expect("writing to memory cannot fail");
            assert_eq!(String::from_utf8(whole), String::from_utf8(lines_of(&nodes)));
        }
    }
}
