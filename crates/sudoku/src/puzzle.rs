//! Puzzles and clues. [`read`] reads them from a text; the formats are described in `docs/sudoku.md`.

use std::fmt;

use crate::reader;

/// The orders that are read and solved.
pub const ORDERS: std::ops::RangeInclusive<usize> = 2..=5;

/// A grid with some numbers in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The side of its boxes.
    pub order: usize,
    /// The number of every cell, row by row; nothing where none is given.
    pub cells: Vec<Option<u32>>,
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// Numbers of the solution according to the file, cell by cell; empty if the file states none.
    pub expected: Vec<Option<u32>>,
}

impl Puzzle {
    /// The side of the grid.
    #[must_use]
    pub fn side(&self) -> usize {
        self.order * self.order
    }

    /// Creates a puzzle that is not read from a file.
    #[must_use]
    pub fn new(order: usize, cells: Vec<Option<u32>>) -> Self {
        Self { order, cells, line: 1, expected: Vec::new() }
    }

    /// The clues: row, column and number.
    pub fn clues(&self) -> impl Iterator<Item = Clue> + '_ {
        let n = self.side();
        let clue = move |(cell, number): (usize, &Option<u32>)| {
            number.map(|number| Clue { row: cell / n, column: cell % n, number })
        };
        self.cells.iter().enumerate().filter_map(clue)
    }

    /// The first two clues of one number in a row, a column or a box, and which of these it is.
    #[must_use]
    pub fn contradiction(&self) -> Option<([Clue; 2], &'static str)> {
        let clues: Vec<Clue> = self.clues().collect();
        let before = |at: usize| {
            let clue = clues[at];
            clues[..at].iter().find_map(|&other| Some(([other, clue], other.unit_with(clue, self.order)?)))
        };
        (0..clues.len()).find_map(before)
    }

    /// The cells as a line: 1 to 9, letters from A on, and dots.
    #[must_use]
    pub fn line_of(cells: &[Option<u32>]) -> String {
        let sign = |cell: &Option<u32>| cell.map_or('.', |number| SIGNS[number as usize] as char);
        cells.iter().map(sign).collect()
    }
}

pub(crate) const SIGNS: &[u8] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A number in a cell; all count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clue {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// The number.
    pub number: u32,
}

impl Clue {
    /// What has both clues and wants their number once only; nothing if their numbers differ.
    fn unit_with(self, other: Self, order: usize) -> Option<&'static str> {
        let in_one_box = self.row / order == other.row / order && self.column / order == other.column / order;
        match other {
            _ if self.number != other.number => None,
            _ if self.row == other.row => Some("row"),
            _ if self.column == other.column => Some("column"),
            _ => in_one_box.then_some("box"),
        }
    }
}

/// Counts from 1: `5 in row 1, column 3`.
impl fmt::Display for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in row {}, column {}", self.number + 1, self.row + 1, self.column + 1)
    }
}

/// Why a text holds no puzzles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct PuzzleError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong there and what is allowed.
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

/// Decisions of the caller where a text has two readings.
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
/// Returns the place and the reason if a part of the text has no documented meaning or has two of them.
pub fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    read_with(text, Conventions::default())
}

/// Reads the puzzles of a text with the conventions that the caller has chosen.
///
/// # Errors
/// Those of [`read`], and if a puzzle does not fit the conventions.
pub fn read_with(text: &str, conventions: Conventions) -> Result<Vec<Puzzle>, PuzzleError> {
    reader::read(text, conventions).map_err(|fault| {
        let before = &text[..fault.at];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        PuzzleError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault: fault.words,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Puzzle {
        let mut puzzles = read(text).unwrap_or_else(|fault| panic!("{text}\n{fault}"));
        assert_eq!(puzzles.len(), 1, "{text}");
        puzzles.remove(0)
    }

    #[test]
    fn puzzles_are_read_in_every_dress() {
        let cells = one("1...\n..2.\n....\n...4").cells;
        assert_eq!(Puzzle::line_of(&cells), "1.....2........4");
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
    fn headings_remarks_and_tables_are_read() {
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
    fn sixteen_numbers_are_written_in_three_ways() {
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
    fn equal_clues_contradict_each_other_in_a_row_a_column_or_a_box() {
        for (text, places) in [
            ("1..1\n....\n....\n....", Some(([(0, 0), (0, 3)], "row"))),
            ("1...\n..2.\n.1..\n1..4", Some(([(0, 0), (3, 0)], "column"))),
            ("1...\n.1..\n....\n....", Some(([(0, 0), (1, 1)], "box"))),
            ("1...\n..1.\n.1..\n...1", None),
        ] {
            let place = |clue: Clue| (clue.row, clue.column);
            assert_eq!(one(text).contradiction().map(|(clues, unit)| (clues.map(place), unit)), places);
        }
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, line, column, words) in [
            ("", 1, 1, "no puzzle"),
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
            ("..2.\n...1\n.1..\n4..2\n.3..", 5, 1, "a row of 4 cells too many for the grid before; another"),
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
        ] {
            let fault = read(text).expect_err(text);
            assert_eq!((fault.line, fault.column), (line, column), "{text}: {fault}");
            assert!(fault.fault.contains(words), "{text}: {fault}");
        }
    }
}
