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
//! The bound depends on those of the boxes inside; the lines `on` list their values at that time. If one of them is
//! weaker now, because its own text was lost, the result cannot be used until that bound has been proved again.
//!
//! Stored texts are not trusted: the placement is verified again, and the bound with its tree becomes part of a
//! proof, which is checked. A text that does not have this form, or cannot be read to its end, is reported to the
//! cache and ignored.

use std::io::{self, BufRead, Write};

use ndqueens_model::board::Board;
use ndqueens_notation::name::Piece;
use tempfile::SpooledTempFile;

use crate::boxes::box_result::{BoxResult, Entry, Justification, format_sides, is_independent, write_entry};
use crate::boxes::box_table::{BoxTable, sub_boxes};
use crate::proof::MAX_BYTES_IN_MEMORY;
use crate::settings::work_store::WorkStore;

/// Maximum number of bytes read of a line; longer lines are not of this form.
const LONGEST: u64 = 1 << 28;

/// Returns the name under which the result for a box with these sorted sides is stored.
#[must_use]
pub fn entry_name(piece: Piece, sides: &[u32]) -> String {
    format!("{}-{}", piece.word(), format_sides(sides))
}

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
            let upper = table.upper_bound(part).expect("smaller boxes come first");
            writeln!(out, "on {} {upper}", format_sides(part))?;
        }
        for square in &result.placement {
            let words: Vec<String> = square.iter().map(u32::to_string).collect();
            writeln!(out, "queen {}", words.join(" "))?;
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
    let read = read(text, sides, board, table);
    match &read {
        Ok(Some(_)) => {}
        Ok(None) => cache.reject(&name, "it is not the text of this box"),
        Err(fault) => cache.reject(&name, &fault.to_string()),
    }
    Ok(read.ok().flatten().unwrap_or(CacheLookup::Missing))
}

fn read(
    mut text: impl BufRead,
    sides: &[u32],
    board: &Board,
    table: &BoxTable,
) -> io::Result<Option<CacheLookup>> {
    let mut line = String::new();
    let mut next = |line: &mut String| {
        line.clear();
        io::Read::take(&mut text, LONGEST).read_line(line)
    };
    next(&mut line)?;
    if line.trim_end() != first_line(table.piece) {
        return Ok(None);
    }
    next(&mut line)?;
    let Some(nodes) = line.trim_end().strip_prefix("nodes ").and_then(|n| n.parse().ok()) else {
        return Ok(None);
    };
    next(&mut line)?;
    let (mut is_waiting, mut number) = (false, 0);
    while let Some((part, upper)) = line.trim_end().strip_prefix("on ").and_then(|on| on.split_once(' ')) {
        let (Some(part), Ok(upper)) = (parse_sides(part), upper.parse::<u64>()) else { return Ok(None) };
        let Some(here) = table.upper_bound(&part).filter(|_| number < board.size()) else { return Ok(None) };
        is_waiting |= here > upper;
        number += 1;
        next(&mut line)?;
    }
    let mut placement: Vec<Vec<u32>> = Vec::new();
    while let Some(square) = line.trim_end().strip_prefix("queen ") {
        if placement.len() == board.size() {
            return Ok(None);
        }
        let Ok(square) = square.split(' ').map(str::parse).collect() else { return Ok(None) };
        placement.push(square);
        next(&mut line)?;
    }
    let squares: Option<Vec<_>> = placement.iter().map(|square| board.square(square)).collect();
    let Some(squares) = squares.filter(|squares| is_independent(board, squares)) else { return Ok(None) };
    let lower = squares.len() as u64;
    let Some((upper, how)) = parse_bound(line.trim_end(), sides).filter(|(upper, _)| *upper >= lower) else {
        return Ok(None);
    };
    let mut tree = io::BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY));
    while next(&mut line)? > 0 && line != "end\n" {
        tree.write_all(line.as_bytes())?;
    }
    // Read up to the end of a gzip-compressed text, which verifies its checksum.
    if line != "end\n" || next(&mut line)? > 0 {
        return Ok(None);
    }
    if is_waiting {
        return Ok(Some(CacheLookup::Pending));
    }
    let tree = tree.into_inner().map_err(io::IntoInnerError::into_error)?;
    let entry = Entry { lower, upper, justification: how, nodes };
    Ok(Some(CacheLookup::Usable(BoxResult {
        entry,
        placement,
        tree: (how == Justification::Search).then_some(tree),
        has_pending_entry: false,
    })))
}

fn parse_sides(text: &str) -> Option<Vec<u32>> {
    text.split('x').map(str::parse).collect::<Result<_, _>>().ok()
}

/// Parses the bound and its justification from the line `box` of a proof.
fn parse_bound(line: &str, sides: &[u32]) -> Option<(u64, Justification)> {
    let words: Vec<&str> = line.split(' ').collect();
    let ["box", named, upper, how @ ..] = words.as_slice() else { return None };
    let named = parse_sides(named)?;
    let how = match how {
        ["lines"] => Justification::Lines,
        ["cut", axis, width] => {
            let axis = axis.parse::<usize>().ok()?.checked_sub(1)?;
            Justification::Cut { axis, width: width.parse().ok()? }
        }
        ["search"] => Justification::Search,
        _ => return None,
    };
    (named == sides).then_some((upper.parse().ok()?, how))
}
