//! Results for boxes, kept between runs, each as a text of its own:
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
//! The bound rests on those of the boxes inside, `on` as many queens as were proved by then. Where one of them is weaker now, for
//! its own text was lost, it cannot be used before they are made again.
//!
//! Nothing of it is trusted: the placement is tested again, and the bound with its tree goes into a proof that is checked. A
//! text that does not have this form, or cannot be read to its very end, is as good as none, and the cache is told.

use std::io::{self, BufRead, Write};

use ndqueens_model::board::Board;
use ndqueens_notation::name::Piece;
use tempfile::SpooledTempFile;

use crate::boxes::box_result::{BoxResult, Entry, How, is_independent, shown, write_entry};
use crate::boxes::box_table::{BoxTable, parts};
use crate::proof::HELD_IN_MEMORY;
use crate::settings::work_store::WorkStore;

/// The longest line that is read, in bytes; what goes on is no text of this form.
const LONGEST: u64 = 1 << 28;

/// The name under which a box with these sorted sides is kept.
#[must_use]
pub fn name(piece: Piece, sides: &[u32]) -> String {
    format!("{}-{}", piece.word(), shown(sides))
}

fn first_line(piece: Piece) -> String {
    format!("ndqueens box 3 of {}", piece.word())
}

/// Keeps the result of a box.
pub(crate) fn store(
    cache: &dyn WorkStore,
    piece: Piece,
    sides: &[u32],
    result: &mut BoxResult,
    table: &BoxTable,
) -> io::Result<()> {
    let mut inside = parts(sides);
    inside.pop();
    cache.store(&name(piece, sides), &mut |out| {
        writeln!(out, "{}", first_line(piece))?;
        writeln!(out, "nodes {}", result.entry.nodes)?;
        for part in &inside {
            let upper = table.upper(part).expect("smaller boxes come first");
            writeln!(out, "on {} {upper}", shown(part))?;
        }
        for square in &result.placement {
            let words: Vec<String> = square.iter().map(u32::to_string).collect();
            writeln!(out, "queen {}", words.join(" "))?;
        }
        write_entry(out, sides, result)?;
        writeln!(out, "end")
    })
}

/// What is kept of a box.
pub(crate) enum Kept {
    /// It can be used.
    Usable(BoxResult),
    /// It rests on better bounds of boxes inside than there are now.
    Waiting,
    /// Nothing.
    Nothing,
}

/// Takes a box from the cache, if it is there and can be used.
pub(crate) fn load(
    cache: &dyn WorkStore,
    sides: &[u32],
    board: &Board,
    table: &BoxTable,
) -> io::Result<Kept> {
    let name = name(table.piece, sides);
    let Some(text) = cache.open(&name)? else { return Ok(Kept::Nothing) };
    let read = read(text, sides, board, table);
    match &read {
        Ok(Some(_)) => {}
        Ok(None) => cache.refuse(&name, "it is not the text of this box"),
        Err(fault) => cache.refuse(&name, &fault.to_string()),
    }
    Ok(read.ok().flatten().unwrap_or(Kept::Nothing))
}

fn read(mut text: impl BufRead, sides: &[u32], board: &Board, table: &BoxTable) -> io::Result<Option<Kept>> {
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
        let (Some(part), Ok(upper)) = (sides_of(part), upper.parse::<u64>()) else { return Ok(None) };
        let Some(here) = table.upper(&part).filter(|_| number < board.size()) else { return Ok(None) };
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
    let Some((upper, how)) = entry(line.trim_end(), sides).filter(|(upper, _)| *upper >= lower) else {
        return Ok(None);
    };
    let mut tree = io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY));
    while next(&mut line)? > 0 && line != "end\n" {
        tree.write_all(line.as_bytes())?;
    }
    // The end of a packed text is read too, where its checksum is.
    if line != "end\n" || next(&mut line)? > 0 {
        return Ok(None);
    }
    if is_waiting {
        return Ok(Some(Kept::Waiting));
    }
    let tree = tree.into_inner().map_err(io::IntoInnerError::into_error)?;
    let entry = Entry { lower, upper, how, nodes };
    Ok(Some(Kept::Usable(BoxResult {
        entry,
        placement,
        tree: (how == How::Search).then_some(tree),
        waits: false,
    })))
}

fn sides_of(text: &str) -> Option<Vec<u32>> {
    text.split('x').map(str::parse).collect::<Result<_, _>>().ok()
}

/// The bound and its reason in the line of a proof.
fn entry(line: &str, sides: &[u32]) -> Option<(u64, How)> {
    let words: Vec<&str> = line.split(' ').collect();
    let ["box", named, upper, how @ ..] = words.as_slice() else { return None };
    let named = sides_of(named)?;
    let how = match how {
        ["lines"] => How::Lines,
        ["cut", axis, width] => {
            let axis = axis.parse::<usize>().ok()?.checked_sub(1)?;
            How::Cut { axis, width: width.parse().ok()? }
        }
        ["search"] => How::Search,
        _ => return None,
    };
    (named == sides).then_some((upper.parse().ok()?, how))
}
