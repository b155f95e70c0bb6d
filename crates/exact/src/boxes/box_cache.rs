//! Results for boxes, stored between runs, each as a text of its own:
//!
//! ```text
//! ndqueens box 3 of queen
//! nodes 812
//! on 3x3x4 5
//! ...
//! queen 0 0 1
//! ...
//! box 3x4x4 6 search
//! order morton
//! slab 1 0-0 1
//! ...
//! end
//! ```
//!
//! The bound depends on those of the boxes inside; the lines `on` list their values at that time. If one
//! of them is weaker now, because its own text was lost, the result cannot be used until that bound has
//! been proved again.
//!
//! Stored texts are not trusted: the placement is verified again, and the bound with its tree becomes part of
//! a proof, which is checked. A text that does not have this form, or cannot be read to its end, is reported
//! to the cache and ignored.

use std::io::{self, BufRead, Write};

use ndqueens_model::board::Board;
use ndqueens_notation::name::Piece;
use tempfile::SpooledTempFile;

use crate::boxes::box_result::{BoxResult, Entry, Justification, format_sides, is_independent, write_entry};
use crate::boxes::box_table::{BoxTable, sub_boxes};
use crate::proof::MAX_BYTES_IN_MEMORY;
use crate::settings::work_store::WorkStore;

/// Maximum number of bytes read of a line; longer lines are not of this form.
const MAX_LINE_BYTES: u64 = 1 << 28;

/// Returns the name under which the result for a box with these sorted sides is stored.
#[must_use]
pub fn entry_name(piece: Piece, sides: &[u32]) -> String {
    format!("{}-{}", piece.word(), format_sides(sides))
}

/// Returns the first line of a stored result.
fn first_line(piece: Piece) -> String {
    format!("ndqueens box 3 of {}", piece.word())
}

/// Stores the result for a box.
///
/// # Errors
/// Returns an error if the cache cannot be written.
pub(crate) fn store(
    cache: &dyn WorkStore,
    piece: Piece,
    sides: &[u32],
    result: &mut BoxResult,
    table: &BoxTable,
) -> io::Result<()> {
    let mut inside = sub_boxes(sides);
    inside.pop();
    cache.store(&entry_name(piece, sides), &mut |out| {
        writeln!(out, "{}", first_line(piece))?;
        writeln!(out, "nodes {}", result.entry.nodes)?;
        for part in &inside {
            let upper = table.upper_bound(part).expect("smaller boxes are bounded first");
            writeln!(out, "on {} {upper}", format_sides(part))?;
        }
        for square in &result.placement {
            let coordinates: Vec<String> = square.iter().map(u32::to_string).collect();
            writeln!(out, "queen {}", coordinates.join(" "))?;
        }
        write_entry(out, sides, result)?;
        writeln!(out, "end")
    })
}

/// Result of a cache lookup.
pub(crate) enum CacheLookup {
    /// A result that can be used.
    Usable(BoxResult),
    /// A result that depends on better bounds of boxes inside than those known now.
    Pending,
    /// No usable result.
    Missing,
}

/// Looks up a box in the cache.
///
/// # Errors
/// Returns an error if the text is stored but cannot be opened.
pub(crate) fn load(
    cache: &dyn WorkStore,
    sides: &[u32],
    board: &Board,
    table: &BoxTable,
) -> io::Result<CacheLookup> {
    let name = entry_name(table.piece, sides);
    let Some(text) = cache.open(&name)? else { return Ok(CacheLookup::Missing) };
    let lookup = read_result(text, sides, board, table);
    match &lookup {
        Ok(Some(_)) => {}
        Ok(None) => cache.reject(&name, "not a stored result for this box"),
        Err(error) => cache.reject(&name, &error.to_string()),
    }
    Ok(lookup.ok().flatten().unwrap_or(CacheLookup::Missing))
}

/// Reads a stored result. Returns `None` if the text is malformed or belongs to another box.
///
/// # Errors
/// Returns an error if the text cannot be read.
fn read_result(
    text: impl BufRead,
    sides: &[u32],
    board: &Board,
    table: &BoxTable,
) -> io::Result<Option<CacheLookup>> {
    let mut reader = ResultReader { text, line: String::new() };
    reader.next_line()?;
    if reader.line.trim_end() != first_line(table.piece) {
        return Ok(None);
    }
    reader.next_line()?;
    let Some(nodes) = reader.value("nodes ").and_then(|n| n.parse().ok()) else { return Ok(None) };
    reader.next_line()?;
    let Some(is_pending) = reader.read_dependencies(board, table)? else { return Ok(None) };
    let Some(placement) = reader.read_placement(board)? else { return Ok(None) };
    let lower = placement.len() as u64;
    let bound = parse_bound(reader.line.trim_end(), sides).filter(|(upper, _)| *upper >= lower);
    let Some((upper, justification)) = bound else { return Ok(None) };
    let Some(tree) = reader.read_tree()? else { return Ok(None) };
    if is_pending {
        return Ok(Some(CacheLookup::Pending));
    }
    let entry = Entry { lower, upper, justification, nodes };
    Ok(Some(CacheLookup::Usable(BoxResult {
        entry,
        placement,
        tree: (justification == Justification::Search).then_some(tree),
        has_pending_entry: false,
    })))
}

/// Reader of the lines of a stored result.
struct ResultReader<R> {
    text: R,
    /// Current line, with its line break; empty at the end of the text.
    line: String,
}

impl<R: BufRead> ResultReader<R> {
    /// Reads the next line. Returns its length in bytes.
    fn next_line(&mut self) -> io::Result<usize> {
        self.line.clear();
        io::Read::take(&mut self.text, MAX_LINE_BYTES).read_line(&mut self.line)
    }

    /// Returns the rest of the current line after `key`.
    fn value(&self, key: &str) -> Option<&str> {
        self.line.trim_end().strip_prefix(key)
    }

    /// Reads the lines `on`. Returns `true` if a bound is weaker now than listed, or `None` if the lines are
    /// malformed.
    fn read_dependencies(&mut self, board: &Board, table: &BoxTable) -> io::Result<Option<bool>> {
        let (mut is_pending, mut listed) = (false, 0);
        while let Some((part, upper)) = self.value("on ").and_then(|on| on.split_once(' ')) {
            let (Some(part), Ok(upper)) = (parse_sides(part), upper.parse::<u64>()) else { return Ok(None) };
            let current = table.upper_bound(&part).filter(|_| listed < board.size());
            let Some(current) = current else { return Ok(None) };
            is_pending |= current > upper;
            listed += 1;
            self.next_line()?;
        }
        Ok(Some(is_pending))
    }

    /// Reads the lines `queen`. Returns `None` if they are malformed or the placement is not independent.
    fn read_placement(&mut self, board: &Board) -> io::Result<Option<Vec<Vec<u32>>>> {
        let mut placement: Vec<Vec<u32>> = Vec::new();
        while let Some(square) = self.value("queen ") {
            if placement.len() == board.size() {
                return Ok(None);
            }
            let Ok(square) = square.split(' ').map(str::parse).collect() else { return Ok(None) };
            placement.push(square);
            self.next_line()?;
        }
        let squares: Option<Vec<_>> = placement.iter().map(|square| board.square(square)).collect();
        let is_valid = squares.is_some_and(|squares| is_independent(board, &squares));
        Ok(is_valid.then_some(placement))
    }

    /// Reads the tree up to the end of the text. Returns `None` if the last line is not `end`.
    fn read_tree(&mut self) -> io::Result<Option<SpooledTempFile>> {
        let mut tree = io::BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY));
        while self.next_line()? > 0 && self.line != "end\n" {
            tree.write_all(self.line.as_bytes())?;
        }
        // Read up to the end of a gzip-compressed text, which verifies its checksum.
        if self.line != "end\n" || self.next_line()? > 0 {
            return Ok(None);
        }
        tree.into_inner().map(Some).map_err(io::IntoInnerError::into_error)
    }
}

/// Parses sides as written by [`format_sides`].
fn parse_sides(text: &str) -> Option<Vec<u32>> {
    text.split('x').map(str::parse).collect::<Result<_, _>>().ok()
}

/// Parses the bound and its justification from the line `box` of a proof.
fn parse_bound(line: &str, sides: &[u32]) -> Option<(u64, Justification)> {
    let words: Vec<&str> = line.split(' ').collect();
    let ["box", box_sides, upper, reason @ ..] = words.as_slice() else { return None };
    let parsed_sides = parse_sides(box_sides)?;
    let justification = match reason {
        ["lines"] => Justification::Lines,
        ["cut", axis, width] => {
            let axis = axis.parse::<usize>().ok()?.checked_sub(1)?;
            Justification::Cut { axis, width: width.parse().ok()? }
        }
        ["search"] => Justification::Search,
        _ => return None,
    };
    (parsed_sides == sides).then_some((upper.parse().ok()?, justification))
}
