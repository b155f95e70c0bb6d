//! Signs of cells, and the numbers that they denote.

use super::{Cell, Fault, Symbols, fail};
use crate::puzzle::SIGNS;

/// Signs of an empty cell, in every grid; `0` and `x` depend on the grid.
const EMPTY: &str = ". * _ ? -";

/// Returns `true` if a cell with this sign is empty in every grid.
pub(super) fn is_empty_sign(text: &str) -> bool {
    matches!(text, "" | "." | "*" | "_" | "?" | "-")
}

/// Returns `true` if a cell may be written with this character.
pub(super) fn is_sign(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '*' | '_' | '?' | '-')
}

/// Returns `true` for `|` and the vertical lines among the box-drawing characters.
pub(super) fn is_bar(c: char) -> bool {
    c == '|' || matches!(c, '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋')
}

/// Returns `true` if a cell of a 4 x 4 puzzle may be written with this character.
pub(super) fn is_small_sign(c: char) -> bool {
    matches!(c, '0'..='4' | '.' | '*' | '_' | '?' | '-' | 'x' | 'X')
}

/// Returns `true` for a number of at most two digits or a sign, which may be a cell by itself.
pub(super) fn is_one_cell(text: &str) -> bool {
    let is_number = !text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number || (text.len() == 1 && text.chars().all(is_sign))
}

/// Returns `true` for a digit or a sign of an empty cell; letters other than `x` are left out.
pub(super) fn is_bare(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | '*' | '_' | '?' | '-' | 'x' | 'X' | '+')
}

/// Returns an error for a character that is not a cell.
pub(super) fn not_a_cell<T>(at: usize, c: char) -> Result<T, Fault> {
    fail(
        at,
        format!("\"{c}\" is not a cell; a cell is a digit or a letter, or {EMPTY} 0 or x when it is empty"),
    )
}

/// Splits a word into cells of one character each.
pub(super) fn signs(word: Cell<'_>) -> Result<Vec<Cell<'_>>, Fault> {
    let cell = |(index, c): (usize, char)| {
        let at = word.at + index;
        if is_sign(c) { Ok(Cell { text: &word.text[index..=index], at }) } else { not_a_cell(at, c) }
    };
    word.text.char_indices().map(cell).collect()
}

/// Returns the number of a cell from 0, or `None` if it is empty.
///
/// `decimal` is `true` if the puzzle has numbers of two digits; letters are then not numbers.
fn value(text: &str, symbols: Symbols, n: usize, decimal: bool) -> Result<Option<u32>, ()> {
    if is_empty_sign(text) {
        return Ok(None);
    }
    let in_grid = |number: u32| if (number as usize) < n { Ok(Some(number)) } else { Err(()) };
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Files with numbers of two digits pad them: 01 to 16.
        if text.len() > 1 && n < 10 {
            return Err(());
        }
        let number: u32 = text.parse().map_err(drop)?;
        return match (symbols, number) {
            (Symbols::FromZero, _) => in_grid(number),
            (Symbols::FromOne | Symbols::Letters, 0) => Ok(None),
            (Symbols::FromOne, _) => in_grid(number - 1),
            (Symbols::Letters, _) => Err(()),
        };
    }
    let [letter] = text.as_bytes() else { return Err(()) };
    let index = u32::from(letter.to_ascii_uppercase().wrapping_sub(b'A'));
    let number = match symbols {
        Symbols::FromZero if !decimal => in_grid(index + 10),
        Symbols::FromOne if !decimal => in_grid(index + 9),
        Symbols::Letters => in_grid(index),
        _ => Err(()),
    };
    if number.is_err() && letter.eq_ignore_ascii_case(&b'x') { Ok(None) } else { number }
}

/// Describes the numbers of a puzzle of side `n`, for messages.
fn describe(symbols: Symbols, n: usize) -> String {
    match symbols {
        Symbols::Letters => format!("A to {}", char::from(b'A' + (n - 1) as u8)),
        Symbols::FromZero if n < 10 => format!("0 to {}", n - 1),
        Symbols::FromZero => format!("0 to {}, or 0 to 9 and A to {}", n - 1, char::from(SIGNS[n - 2])),
        Symbols::FromOne if n < 10 => format!("1 to {n}"),
        Symbols::FromOne => format!("1 to {n}, or 1 to 9 and A to {}", char::from(SIGNS[n - 1])),
    }
}

/// Returns the numbers of grids of this order, from 0; all grids use the same symbols.
///
/// Without `wanted`, the symbols are derived from the cells.
///
/// # Errors
/// Returns an error if a cell is not a number of the puzzle, or if the cells have several readings.
pub(super) fn values(
    order: usize,
    grids: &[&[Cell<'_>]],
    wanted: Option<Symbols>,
) -> Result<Vec<Vec<Option<u32>>>, Fault> {
    let n = order * order;
    let symbols = wanted.map_or_else(|| derive_symbols(n, grids), Ok)?;
    read_as(symbols, n, grids)
}

/// Returns the numbers of grids of side `n` with these symbols, from 0.
fn read_as(symbols: Symbols, n: usize, grids: &[&[Cell<'_>]]) -> Result<Vec<Vec<Option<u32>>>, Fault> {
    let decimal = grids.iter().copied().flatten().any(|cell| cell.text.len() > 1);
    let number = |cell: &Cell<'_>| {
        value(cell.text, symbols, n, decimal).or_else(|()| {
            let message = format!(
                "\"{}\" is not a number of a puzzle of {n} x {n}, which has {}",
                cell.text,
                describe(symbols, n)
            );
            fail(cell.at, message)
        })
    };
    let grid = |cells: &&[Cell<'_>]| cells.iter().map(number).collect::<Result<Vec<_>, _>>();
    grids.iter().map(grid).collect()
}

/// Returns the symbols with which grids of side `n` are written.
fn derive_symbols(n: usize, grids: &[&[Cell<'_>]]) -> Result<Symbols, Fault> {
    let all = || grids.iter().copied().flatten();
    let is_readable = |symbols: Symbols| read_as(symbols, n, grids).is_ok();
    let is_zero = |cell: &&Cell<'_>| !cell.text.is_empty() && cell.text.bytes().all(|byte| byte == b'0');
    let zero = all().find(is_zero);
    let is_x = |cell: &Cell<'_>| cell.text.eq_ignore_ascii_case("x");
    let has_empty = all().any(|cell| is_empty_sign(cell.text) || (n < 25 && is_x(cell)));
    if n < 10 {
        return match zero {
            Some(zero) if has_empty && is_readable(Symbols::FromZero) => {
                fail(zero.at, two_readings(n, &[Symbols::FromZero, Symbols::FromOne]))
            }
            _ => Ok(Symbols::FromOne),
        };
    }
    // If another sign denotes empty cells, 0 is a number.
    if zero.is_some() && has_empty && is_readable(Symbols::FromZero) {
        return Ok(Symbols::FromZero);
    }
    let has_clue = all().any(|cell| !(is_empty_sign(cell.text) || is_zero(&cell) || n < 25 && is_x(cell)));
    if !has_clue {
        return Ok(Symbols::FromOne);
    }
    let readings: Vec<Symbols> = [Symbols::FromZero, Symbols::FromOne, Symbols::Letters]
        .into_iter()
        .filter(|&symbols| is_readable(symbols))
        .collect();
    match readings[..] {
        [symbols] => Ok(symbols),
        [] => {
            let has_digit = all().any(|cell| cell.text.bytes().any(|byte| matches!(byte, b'1'..=b'9')));
            Ok(if has_digit { Symbols::FromOne } else { Symbols::Letters })
        }
        _ => {
            let first = zero.or_else(|| all().find(|cell| !is_empty_sign(cell.text)));
            fail(first.map_or(0, |cell| cell.at), two_readings(n, &readings))
        }
    }
}

/// Describes the readings of a puzzle with several of them, and the flags that choose one.
fn two_readings(n: usize, readings: &[Symbols]) -> String {
    let flag = |symbols: &Symbols| match symbols {
        Symbols::FromZero => "--symbols 0-15 (from 0 on; 0 is a number)",
        Symbols::FromOne => "--symbols 1-16 (from 1 on; 0 is an empty cell)",
        Symbols::Letters => "--symbols letters (from A on)",
    };
    let flags: Vec<&str> = readings.iter().map(flag).collect();
    format!(
        "the numbers of this puzzle of {n} x {n} have {} readings; choose with {}",
        flags.len(),
        flags.join(" or ")
    )
}
