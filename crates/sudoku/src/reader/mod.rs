//! Reader of puzzle files: plain text and tables, JSON, and OpenSudoku's XML.
//!
//! Every byte is read with one meaning, or the whole text is refused.

mod cells;
mod json;
mod lines;
mod row;
mod xml;

use crate::puzzle::{Conventions, ORDERS, Puzzle};

/// Reason for which a text is refused, and the byte at which it stands.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) words: String,
}

impl Fault {
    fn new<T>(at: usize, words: impl Into<String>) -> Result<T, Self> {
        Err(Self { at, words: words.into() })
    }
}

/// A cell as it is written, and the byte at which it begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell<'t> {
    text: &'t str,
    at: usize,
}

/// A row or a whole puzzle, and the byte at which its line begins.
#[derive(Debug, Clone)]
struct Row<'t> {
    at: usize,
    text: &'t str,
    cells: Vec<Cell<'t>>,
}

/// Number of cells in a row of the largest puzzles.
const LONGEST_ROW: usize = ORDERS.end().pow(2);

/// Returns the order of the puzzles that have this number of cells.
fn whole(cells: usize) -> Option<usize> {
    ORDERS.clone().find(|order| order.pow(4) == cells)
}

/// Returns the order of the puzzles that have this number of cells in a row.
fn side(cells: usize) -> Option<usize> {
    ORDERS.clone().find(|order| order.pow(2) == cells)
}

/// Returns the number of cells in words, and a note if a grid of that size is a variant that is not read.
fn counted(cells: usize) -> (String, &'static str) {
    let found = if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") };
    let is_variant = matches!(cells, 6 | 8 | 10 | 12 | 21 | 36 | 64 | 100 | 144 | 441);
    (
        found,
        if is_variant {
            "; grids of 6 x 6, 8 x 8, 10 x 10, 12 x 12 and 21 x 21 are not supported"
        } else {
            ""
        },
    )
}

/// Puzzles that have been read.
struct Puzzles<'t> {
    text: &'t str,
    conventions: Conventions,
    puzzles: Vec<Puzzle>,
    /// A place in the text and its line; lines are counted from there on.
    counted: (usize, usize),
}

impl<'t> Puzzles<'t> {
    fn line(&mut self, at: usize) -> usize {
        let (from, line) = self.counted;
        let line = if from <= at {
            line + self.text[from..at].matches('\n').count()
        } else {
            1 + self.text[..at].matches('\n').count()
        };
        self.counted = (at, line);
        line
    }

    /// Adds a puzzle, and the numbers that the text states for its solution.
    fn add(&mut self, cells: &[Cell<'t>], expected: Option<&[Cell<'t>]>) -> Result<(), Fault> {
        let at = cells[0].at;
        let Some(order) = whole(cells.len()) else {
            let (found, note) = counted(cells.len());
            return Fault::new(at, format!("{found} found; a puzzle has 16, 81, 256 or 625 of them{note}"));
        };
        let parts: Vec<&[Cell<'t>]> = [Some(cells), expected].into_iter().flatten().collect();
        if let Some(expected) = expected.filter(|expected| expected.len() != cells.len()) {
            let words =
                format!("{} cells found in the solution of a puzzle of {}", expected.len(), cells.len());
            return Fault::new(expected.first().map_or(at, |cell| cell.at), words);
        }
        let mut values = cells::values(order, &parts, self.conventions.symbols)?.into_iter();
        let cells = values.next().unwrap_or_default();
        self.push(at, order, cells, values.next().unwrap_or_default())
    }

    /// Adds a puzzle whose numbers are known.
    fn push(
        &mut self,
        at: usize,
        order: usize,
        cells: Vec<Option<u32>>,
        expected: Vec<Option<u32>>,
    ) -> Result<(), Fault> {
        let n = order * order;
        if let Some(side) = self.conventions.side.filter(|&side| side != n) {
            return Fault::new(
                at,
                format!("the puzzle is {n} x {n}; --side {side} accepts grids of {side} x {side} only"),
            );
        }
        let line = self.line(at);
        self.puzzles.push(Puzzle { order, cells, line, expected });
        Ok(())
    }

    /// Returns `true` if lines of 16 cells are whole 4 x 4 puzzles, `false` if they are rows of 16 x 16 puzzles.
    fn are_whole(&self, rows: &[Row<'_>]) -> Result<bool, Fault> {
        let small = |cell: &Cell<'_>| {
            cells::is_empty_sign(cell.text) || matches!(cell.text, "0" | "1" | "2" | "3" | "4")
        };
        if rows.is_empty() || !rows.iter().flat_map(|row| &row.cells).all(small) {
            return Ok(false);
        }
        match self.conventions.side {
            Some(4) => return Ok(true),
            Some(16) => return Ok(false),
            _ => {}
        }
        let repeats = |row: &Row<'_>| {
            ["1", "2", "3", "4"]
                .iter()
                .any(|sign| row.cells.iter().filter(|cell| cell.text == *sign).count() > 1)
        };
        if !rows.len().is_multiple_of(16) || rows.iter().any(repeats) {
            return Ok(true);
        }
        Fault::new(
            rows[0].at,
            "these lines of 16 cells are puzzles of 4 x 4 or rows of 16 x 16; choose with --side 4 or --side 16",
        )
    }
}

/// Reads the puzzles of a text.
pub(crate) fn read(text: &str, conventions: Conventions) -> Result<Vec<Puzzle>, Fault> {
    if let Some(at) = text.find('\0') {
        return Fault::new(at, "a zero byte is not text; a file in UTF-16 must be saved as UTF-8");
    }
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let rest = &text[start..];
    let mut puzzles = Puzzles { text, conventions, puzzles: Vec::new(), counted: (0, 1) };
    // A heading such as [Puzzle] begins with a letter.
    let is_list = rest.strip_prefix('[').is_some_and(|rest| {
        let rest = rest.trim_start();
        !rest.starts_with(|c: char| c.is_ascii_alphabetic()) || rest.starts_with("null")
    });
    if rest.starts_with('<') {
        xml::read(&mut puzzles, start)?;
    } else if rest.starts_with('{') || is_list {
        json::read(&mut puzzles, start)?;
    } else {
        lines::read(&mut puzzles, if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })?;
    }
    if puzzles.puzzles.is_empty() {
        return Fault::new(0, "no puzzle stands here");
    }
    Ok(puzzles.puzzles)
}
