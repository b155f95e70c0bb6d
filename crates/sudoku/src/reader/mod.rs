//! Reader of puzzle files: plain text and tables, JSON, and OpenSudoku's XML.
//!
//! Every byte has exactly one meaning, or the whole text is rejected; `docs/sudoku.md` describes the formats.

mod cells;
mod json;
mod lines;
mod names;
mod row;
mod unread;
mod xml;

use crate::puzzle::{ORDERS, Puzzle};
use ndqueens_notation::counted::counted;

/// Reason why a text is rejected, with the position of its first byte.
#[derive(Debug)]
struct Fault {
    at: usize,
    message: String,
}

/// Returns a fault at byte `at`.
fn fail<T>(at: usize, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { at, message: message.into() })
}

/// Part of a text, usually one cell, with the position of its first byte.
#[derive(Debug, Clone, Copy)]
struct Cell<'t> {
    text: &'t str,
    at: usize,
}

/// Line of cells, which is a row or a whole puzzle, with the position of its first byte.
#[derive(Debug, Clone)]
struct Row<'t> {
    at: usize,
    text: &'t str,
    cells: Vec<Cell<'t>>,
}

/// Number of cells in a row of the largest puzzles.
const LONGEST_ROW: usize = ORDERS.end().pow(2);

/// Returns the order of a puzzle with this number of cells, or `None` if no puzzle has that number.
fn whole(cells: usize) -> Option<usize> {
    ORDERS.clone().find(|order| order.pow(4) == cells)
}

/// Returns the order of a puzzle with this number of cells in a row, or `None` if no puzzle has that number.
fn side(cells: usize) -> Option<usize> {
    ORDERS.clone().find(|order| order.pow(2) == cells)
}

/// Formats a number of cells, with a note that is not empty if it is the size of an unsupported variant.
fn format_cells(cells: usize) -> (String, &'static str) {
    let is_variant = matches!(cells, 6 | 8 | 10 | 12 | 21 | 36 | 64 | 100 | 144 | 441);
    (
        counted(cells, "cell"),
        if is_variant {
            "; grids of 6 x 6, 8 x 8, 10 x 10, 12 x 12 and 21 x 21 are not supported"
        } else {
            ""
        },
    )
}

/// Puzzles read so far, and their text.
struct Puzzles<'t> {
    text: &'t str,
    conventions: Conventions,
    puzzles: Vec<Puzzle>,
    /// Position in the text and its line, from which further lines are counted.
    last_line: (usize, usize),
}

impl<'t> Puzzles<'t> {
    /// Returns the line that contains a byte, from 1.
    fn line(&mut self, at: usize) -> usize {
        let (from, line) = self.last_line;
        let line = if from <= at {
            line + self.text[from..at].matches('\n').count()
        } else {
            1 + self.text[..at].matches('\n').count()
        };
        self.last_line = (at, line);
        line
    }

    /// Adds a puzzle with the solution that the text states, if it states one.
    ///
    /// # Errors
    /// Returns an error if the number of cells is not that of a puzzle, if the solution has another number,
    /// or if a cell is not a number of the puzzle.
    fn add(&mut self, cells: &[Cell<'t>], expected: Option<&[Cell<'t>]>) -> Result<(), Fault> {
        let at = cells[0].at;
        let Some(order) = whole(cells.len()) else {
            let (found, note) = format_cells(cells.len());
            return fail(at, format!("{found} found; a puzzle has 16, 81, 256 or 625 of them{note}"));
        };
        let parts: Vec<&[Cell<'t>]> = [Some(cells), expected].into_iter().flatten().collect();
        if let Some(expected) = expected.filter(|expected| expected.len() != cells.len()) {
            let message = format!(
                "{} found in the solution of a puzzle of {}",
                counted(expected.len(), "cell"),
                cells.len()
            );
            return fail(expected.first().map_or(at, |cell| cell.at), message);
        }
        let mut values = cells::values(order, &parts, self.conventions.symbols)?.into_iter();
        let cells = values.next().unwrap_or_default();
        self.push(at, order, cells, values.next().unwrap_or_default())
    }

    /// Adds a puzzle whose cells have been converted to numbers.
    ///
    /// # Errors
    /// Returns an error if the side differs from [`Conventions::side`].
    fn push(
        &mut self,
        at: usize,
        order: usize,
        cells: Vec<Option<u32>>,
        expected: Vec<Option<u32>>,
    ) -> Result<(), Fault> {
        let n = order * order;
        if let Some(side) = self.conventions.side.filter(|&side| side != n) {
            return fail(
                at,
                format!("the puzzle is {n} x {n}; --side {side} accepts grids of {side} x {side} only"),
            );
        }
        let line = self.line(at);
        self.puzzles.push(Puzzle { line, expected, ..Puzzle::new(order, cells) });
        Ok(())
    }

    /// Returns `true` if lines of 16 cells are whole 4 x 4 puzzles, `false` if they are rows
    /// of 16 x 16 puzzles.
    ///
    /// # Errors
    /// Returns an error if both readings are possible and the caller has not chosen one.
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
        fail(
            rows[0].at,
            "these lines of 16 cells are puzzles of 4 x 4 or rows of 16 x 16; choose with --side 4 or --side 16",
        )
    }
}

/// Reads the puzzles of a text.
fn read_puzzles(text: &str, conventions: Conventions) -> Result<Vec<Puzzle>, Fault> {
    if let Some(at) = text.find('\0') {
        return fail(at, "a zero byte is not text; a file in UTF-16 must be saved as UTF-8");
    }
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let rest = &text[start..];
    let mut puzzles = Puzzles { text, conventions, puzzles: Vec::new(), last_line: (0, 1) };
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
        return fail(0, "no puzzle found");
    }
    Ok(puzzles.puzzles)
}

/// Error of a text that is not read as puzzles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct PuzzleError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// Message: the fault and, where it helps, the allowed forms.
    pub fault: String,
}

/// Meaning of the numbers in a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbols {
    /// 0 to n-1 in decimal, or 0 to 9 and then letters from A on; 0 is a number.
    FromZero,
    /// 1 to n in decimal, or 1 to 9 and then letters from A on; 0 is an empty cell.
    FromOne,
    /// Letters from A on; 0 is an empty cell.
    Letters,
}

/// Choices of the caller for texts with two readings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Conventions {
    /// Meaning of the numbers; derived from the puzzle if absent.
    pub symbols: Option<Symbols>,
    /// Side of every grid; derived from the text if absent.
    pub side: Option<usize>,
}

/// Reads the puzzles of a text.
///
/// # Errors
/// Returns an error if a part of the text has no documented meaning, or two of them.
///
/// # Examples
/// ```
/// let puzzles = ndqueens_sudoku::reader::read("1...\n..2.\n....\n...4\n")?;
/// assert_eq!(puzzles[0].clues().count(), 3);
/// # Ok::<(), ndqueens_sudoku::reader::PuzzleError>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    read_with(text, Conventions::default())
}

/// Reads the puzzles of a text with chosen conventions.
///
/// # Errors
/// Returns an error in the cases of [`read`], and if a puzzle does not fit the conventions.
pub fn read_with(text: &str, conventions: Conventions) -> Result<Vec<Puzzle>, PuzzleError> {
    // Control characters in quoted text must not reach a terminal.
    let printable = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    read_puzzles(text, conventions).map_err(|fault| {
        let before = &text[..fault.at];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        PuzzleError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault: fault.message.chars().map(printable).collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Clue;

    fn one(text: &str) -> Puzzle {
        let mut puzzles = read(text).unwrap_or_else(|fault| panic!("{text}\n{fault}"));
        assert_eq!(puzzles.len(), 1, "{text}");
        puzzles.remove(0)
    }

    #[test]
    fn reads_one_puzzle_in_different_forms() {
        let cells = one("1...\n..2.\n....\n...4").cells;
        assert_eq!(Puzzle::format_line(&cells), "1.....2........4");
        for text in [
            "1000002000000004",
            "1...|..2.\n----\n....|...4".replace('|', "\n").as_str(),
            "1 . | . .\n. . | 2 .\n----+----\n0 0 | * *\n_ _ | _ 4\n",
            "# a remark\n[Puzzle]\n1...\n..2.\n....\n...4\n",
        ] {
            assert_eq!(one(text).cells, cells, "{text}");
        }
        let nine = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        assert_eq!(one(&format!("{nine} easy")).clues().count(), 30);
        assert_eq!(read(&format!("{nine}\n{nine}\n\n{nine}")).expect("three").len(), 3);
        assert_eq!(read(&format!("{nine}\n{nine}\n\n{nine}")).expect("three")[2].line, 4);
    }

    #[test]
    fn reads_headings_remarks_and_tables() {
        let nine = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let rows: Vec<&str> = (0..9).map(|row| &nine[9 * row..9 * row + 9]).collect();
        let grid = rows.join("\n");
        // As in problem 96 of Project Euler.
        let euler = format!("Grid 01\n{grid}\nGrid 02\n{grid}\nPuzzle #003:\n{grid}\n");
        assert_eq!(
            read(&euler).expect("three").iter().map(|puzzle| puzzle.line).collect::<Vec<_>>(),
            [2, 12, 22]
        );
        let cells = one(nine).cells;
        for text in [
            format!("; a remark\n// another\n{nine}"),
            format!("puzzle,solution\n{nine},{}\n", "1".repeat(81)),
            format!("id, puzzle, solution, clues\n7,{nine},{},30", "1".repeat(81)),
            format!("{}\n\n{}\n\n{}", rows[..3].join("\n"), rows[3..6].join("\n"), rows[6..].join("\n")),
            rows.iter()
                .map(|row| row.chars().map(String::from).collect::<Vec<_>>().join(",") + "\n")
                .collect(),
            grid.lines().map(|row| row.replace("", ",").trim_matches(',').replace('.', "") + "\n").collect(),
            nine.replace("", " "),
        ] {
            assert_eq!(one(&text).cells, cells, "{text}");
        }
        assert_eq!(read(&format!("{grid}\n\n{grid}\n{grid}\n{nine}")).expect("four").len(), 4);
    }

    #[test]
    fn reads_three_notations_of_sixteen_numbers() {
        let row = |first: &str| format!("{first}{}\n", ".".repeat(15));
        let rest = ".".repeat(16) + "\n";
        let grid = |first: &str, second: &str| row(first) + &row(second) + &rest.repeat(14);
        assert_eq!(one(&grid("G", "9")).clues().map(|clue| clue.number).collect::<Vec<_>>(), [15, 8]);
        assert_eq!(one(&grid("P", "a")).clues().map(|clue| clue.number).collect::<Vec<_>>(), [15, 0]);
        assert_eq!(one(&grid("F", "0")).clues().map(|clue| clue.number).collect::<Vec<_>>(), [15, 0]);
        let decimal = format!("16 {}\n{}", ". ".repeat(15), format!("{}\n", "0 ".repeat(16)).repeat(15));
        assert_eq!(one(&decimal).clues().next().map(|clue| clue.number), Some(15));
        assert_eq!(one(&decimal.replace('\n', " ")).cells, one(&decimal).cells);
        assert_eq!(read(&"1234341221434321\n".repeat(16)).expect("whole puzzles").len(), 16);
    }

    #[test]
    fn repeated_numbers_are_contradictions() {
        for (text, places) in [
            ("1..1\n....\n....\n....", Some(([(0, 0), (0, 3)], "row"))),
            ("1...\n..2.\n.1..\n1..4", Some(([(0, 0), (3, 0)], "column"))),
            ("1...\n.1..\n....\n....", Some(([(0, 0), (1, 1)], "box"))),
            ("1...\n..1.\n.1..\n...1", None),
        ] {
            let place = |clue: Clue| (clue.row, clue.column);
            let contradiction = one(text).contradiction();
            assert_eq!(contradiction.map(|found| (found.clues.map(place), found.unit)), places);
        }
    }

    #[test]
    fn errors_state_line_and_column() {
        for (text, line, column, words) in [
            ("", 1, 1, "no puzzle found"),
            ("# nothing\n\n", 1, 1, "no puzzle"),
            ("12345", 1, 1, "5 cells found"),
            ("1234\n3412\n2143", 3, 1, "3 of 4 rows found"),
            ("1234\n3412\n2153\n4321", 3, 3, "\"5\" is not a number of a puzzle of 4 x 4, which has 1 to 4"),
            ("1234\n34$2", 2, 3, "\"$\" is not a cell"),
            ("1234\n341\n", 2, 1, "3 cells found in row 2 of the grid of 4 x 4 that begins in line 1"),
            (
                "..2.\n...1\n.1..\n4..22",
                4,
                1,
                "5 cells found in row 4 of the grid of 4 x 4 that begins in line 1",
            ),
            ("..2.\n...1\n.1.\n4..2", 3, 1, "3 cells found in row 3"),
            ("# one\n..2.\n...1\n.1..\n4..2\n\n..2.\n.\n.1..\n4..2", 8, 1, "1 cell found in row 2"),
            ("..2.\n...1\n.1..\n4..2\n.3..", 5, 1, "1 row of 4 cells too many for the grid before; another"),
            ("..2.\n...1\n.1..\n4..2\n....\n.3..", 5, 1, "2 rows of 4 cells too many for the grid before"),
            ("..2.\n...1\n.1..\n4..2\n\n....\n.3..", 7, 1, "2 of 4 rows found; the grid ends too early"),
            ("Easy one\n1234", 1, 1, "7 cells found; a row has 4, 9, 16 or 25 of them"),
            ("Easy one\n1234", 1, 1, "; a line of words begins with #, ; or //"),
            (
                "5 3  7",
                1,
                1,
                "a whole puzzle 16, 81, 256 or 625; a blank is not a cell: . 0 * and _ are empty ones",
            ),
            ("1", 1, 1, "1 cell found; a row"),
            ("1,2,x\n", 1, 2, "\",\" is not a cell"),
            ("1,2,3,5\n,,,\n,,,\n,,,", 1, 7, "\"5\" is not a number of a puzzle of 4 x 4"),
            ("1é34", 1, 2, "\"é\" is not a cell"),
            ("1\u{1b}34", 1, 2, "\"\\u{1b}\" is not a cell"),
        ] {
            let fault = read(text).expect_err(text);
            assert!(!fault.to_string().contains(char::is_control), "{fault}");
            assert_eq!((fault.line, fault.column), (line, column), "{text}: {fault}");
            assert!(fault.fault.contains(words), "{text}: {fault}");
        }
    }
}
