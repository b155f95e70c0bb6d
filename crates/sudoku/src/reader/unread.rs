//! Values that are not read, such as ids, ratings and remarks.
//!
//! A value that contains cells is rejected, because a puzzle would be lost.

use super::cells::{is_bar, is_bare, is_one_cell, is_sign, is_small_sign};
use super::names::{PUZZLE_NAMES, SOLUTION_NAMES};
use super::{Cell, Fault, fail, whole};
use crate::puzzle::Puzzle;

/// Minimum length of a run of cells that counts as a part of a puzzle: more than half of a 9 x 9 puzzle.
///
/// A number of 128 bits has fewer digits.
const FEWEST: usize = 41;

/// Returns `true` if 16 cells are a 4 x 4 board rather than a number or a date of 16 characters.
///
/// `neighbour` is the number of cells of the puzzle in the same record.
fn is_small_board(cells: &str, neighbour: usize) -> bool {
    if cells.len() != 16 || !cells.chars().all(is_small_sign) {
        return false;
    }
    let number = |c: char| c.to_digit(10).and_then(|digit| digit.checked_sub(1));
    let empty = cells.chars().filter(|c| !c.is_ascii_digit()).count();
    neighbour == 16
        || empty >= 8
        || Puzzle::new(2, cells.chars().map(number).collect()).contradiction().is_none()
}

/// Returns the number of cells in a value if it is a board of 16, 81, 256 or 625 cells or has a
/// long row of cells.
///
/// `neighbour` is the number of cells of the puzzle in the same record.
pub(super) fn cells_in(text: &str, neighbour: usize) -> Option<usize> {
    // The shortest board is 16 empty fields.
    if text.len() < 15 {
        return None;
    }
    let is_blank = |c: char| {
        c.is_whitespace() || is_bar(c) || matches!(c, '[' | ']' | '{' | '}' | '(' | ')' | '"' | '\'' | '/')
    };
    let text = text.replace("\\n", " ");
    let plain: String = text.chars().map(|c| if is_blank(c) { ' ' } else { c }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let joined = words.concat();
    let is_even = words.iter().all(|word| word.len() == words[0].len());
    let is_large = |cells: usize| cells >= 81 && whole(cells).is_some();
    if joined.chars().all(is_sign) && is_large(joined.len()) && (is_even || joined.chars().all(is_bare)) {
        return Some(joined.len());
    }
    if is_even && is_small_board(&joined, neighbour) {
        return Some(16);
    }
    if is_large(words.len()) && words.iter().all(|word| is_one_cell(word)) {
        return Some(words.len());
    }
    for separator in [',', ';', ':'] {
        let fields: Vec<&str> = plain.split(separator).map(str::trim).collect();
        let is_list = fields.iter().all(|field| field.is_empty() || is_one_cell(field));
        let small =
            || fields.iter().map(|field| if field.is_empty() { "0" } else { field }).collect::<String>();
        if is_list && (is_large(fields.len()) || fields.len() == 16 && is_small_board(&small(), neighbour)) {
            return Some(fields.len());
        }
    }
    let has_digit = |run: &&str| run.contains(|c: char| c.is_ascii_digit());
    let longest = plain.split(|c| !is_bare(c)).filter(has_digit).map(str::len).max().unwrap_or_default();
    let is_digest = matches!(text.len(), 64 | 96 | 128)
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic());
    (longest >= FEWEST && !is_digest).then_some(longest)
}

/// Checks that the value of a column or a key without a known name contains no cells.
///
/// `kind` is "column" or "key", and `neighbour` is the number of cells of the puzzle in the same record.
///
/// # Errors
/// Returns an error if the value contains cells.
pub(super) fn check(kind: &str, name: &str, value: Cell<'_>, neighbour: usize) -> Result<(), Fault> {
    let Some(cells) = cells_in(value.text, neighbour) else { return Ok(()) };
    let message = format!(
        "the {kind} \"{name}\" has {cells} cells and no known name; names of puzzles are {}, and names of solutions are {}",
        PUZZLE_NAMES.join(", "),
        SOLUTION_NAMES.join(", ")
    );
    fail(value.at, message)
}
