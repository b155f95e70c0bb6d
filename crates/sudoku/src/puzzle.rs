//! Clues, and the ways in which puzzles are written down.
//!
//! A puzzle is a line of all its cells, or a grid of n lines of n cells. `.`, `0`, `*` and `_` are empty cells. Numbers are 1 to 9 and
//! then letters from A on, in either case; a puzzle of 16 x 16 that has both `.` and `0` uses 0 to F, and one of 16 x 16 or 25 x 25
//! without digits from 1 to 9 uses A to P or A to Y. Cells of a grid may also be decimal numbers between blanks, where 0 or a dot is empty. Bars, rules of `-`, `+` and `=`, empty lines
//! between puzzles, lines that start with `#` and headings in brackets, as in `.sdk` files, are skipped, and so is what follows a whole
//! puzzle in its line after a blank. So are `.sdm` files, which have a puzzle a line.

use std::fmt;

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
}

impl Puzzle {
    /// The side of the grid.
    #[must_use]
    pub fn side(&self) -> usize {
        self.order * self.order
    }

    /// The clues: row, column and number.
    pub fn clues(&self) -> impl Iterator<Item = Clue> + '_ {
        let n = self.side();
        let clue = move |(cell, number): (usize, &Option<u32>)| {
            number.map(|number| Clue { row: cell / n, column: cell % n, number })
        };
        self.cells.iter().enumerate().filter_map(clue)
    }

    /// The first two clues of one number in a row, a column or a box.
    #[must_use]
    pub fn contradiction(&self) -> Option<[Clue; 2]> {
        let clues: Vec<Clue> = self.clues().collect();
        let before = |at: usize| {
            let clue = clues[at];
            let other = clues[..at].iter().find(|other| other.unit_with(clue, self.order).is_some());
            other.map(|&other| [other, clue])
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

const SIGNS: &[u8] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

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

/// A cell as it is written, and where.
#[derive(Debug, Clone, Copy)]
struct Sign<'t> {
    text: &'t str,
    line: usize,
    /// What stands before it in its line.
    before: &'t str,
}

impl<'t> Sign<'t> {
    /// The sign from byte `from` to byte `to` of a line.
    fn new(line: usize, whole: &'t str, from: usize, to: usize) -> Self {
        Self { text: &whole[from..to], line, before: &whole[..from] }
    }

    fn fault(&self, fault: impl Into<String>) -> PuzzleError {
        PuzzleError { line: self.line, column: self.before.chars().count() + 1, fault: fault.into() }
    }
}

/// Reads the puzzles of a text.
///
/// # Errors
/// Line, column and what is allowed there, if it does not hold puzzles only, or none.
pub fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let mut puzzles = Vec::new();
    // Lines of cells, of one length, with nothing that separates puzzles between them.
    let mut run: Vec<Vec<Sign<'_>>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', '[']) {
            take(&mut run, &mut puzzles)?;
            continue;
        }
        if trimmed.chars().all(|c| matches!(c, '-' | '+' | '=' | '|' | ' ')) {
            continue;
        }
        let row = signs(number, line)?;
        // What is too long for a row is a whole puzzle, and not kept until its run ends.
        if row.len() > LONGEST_ROW || run.first().is_some_and(|first| first.len() != row.len()) {
            take(&mut run, &mut puzzles)?;
        }
        run.push(row);
    }
    take(&mut run, &mut puzzles)?;
    if puzzles.is_empty() {
        return Err(PuzzleError { line: 1, column: 1, fault: "no puzzle stands here".to_owned() });
    }
    Ok(puzzles)
}

/// Cells in a row of the largest puzzles.
const LONGEST_ROW: usize = ORDERS.end().pow(2);

/// Takes the puzzles out of a run of lines.
fn take(run: &mut Vec<Vec<Sign<'_>>>, puzzles: &mut Vec<Puzzle>) -> Result<(), PuzzleError> {
    let run = std::mem::take(run);
    let Some(length) = run.first().map(Vec::len) else { return Ok(()) };
    let whole = ORDERS.clone().find(|order| order.pow(4) == length);
    let side = ORDERS.clone().find(|order| order * order == length);
    // Lines of 16 cells are rows if some number is above 4, else whole puzzles.
    let is_small = |sign: &Sign<'_>| matches!(sign.text, "." | "0" | "*" | "_" | "1" | "2" | "3" | "4");
    match (whole, side) {
        (Some(order), side) if side.is_none() || run.iter().flatten().all(is_small) => {
            for cells in &run {
                puzzles.push(puzzle(order, cells)?);
            }
        }
        (_, Some(order)) => {
            for rows in run.chunks(length) {
                if rows.len() < length {
                    let fault = format!("{} of {length} rows found; the grid ends too early", rows.len());
                    return Err(rows[rows.len() - 1][0].fault(fault));
                }
                puzzles.push(puzzle(order, &rows.concat())?);
            }
        }
        _ => {
            let fault = format!(
                "{length} cells found; a row has 4, 9, 16 or 25 of them, and a whole puzzle 16, 81, 256 or 625"
            );
            return Err(run[0][0].fault(fault));
        }
    }
    Ok(())
}

/// The cells of a line: signs one after another, or numbers between blanks.
fn signs(line_number: usize, line: &str) -> Result<Vec<Sign<'_>>, PuzzleError> {
    let at = |text: &str| text.as_ptr() as usize - line.as_ptr() as usize;
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || c == '|').filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| (word.len() <= 2 && word.parse::<u32>().is_ok()) || *word == ".";
    let is_row = ORDERS.clone().any(|order| order * order == words.len());
    if is_row && words.iter().all(is_number) {
        return Ok(words
            .into_iter()
            .map(|text| Sign::new(line_number, line, at(text), at(text) + text.len()))
            .collect());
    }
    // What follows a whole puzzle is a remark.
    let length = words[0].chars().count();
    let is_whole = length >= 81 && ORDERS.clone().any(|order| order.pow(4) == length);
    let words = if is_whole { &words[..1] } else { &words[..] };
    let mut signs = Vec::new();
    for word in words {
        let begin = at(word);
        for (index, sign) in word.char_indices() {
            let from = begin + index;
            let found = Sign::new(line_number, line, from, from + sign.len_utf8());
            if !sign.is_ascii_alphanumeric() && !matches!(sign, '.' | '*' | '_') {
                let fault = format!(
                    "\"{sign}\" is no cell; a cell is a digit or a letter, or one of . 0 * _ when it is empty"
                );
                return Err(found.fault(fault));
            }
            signs.push(found);
        }
    }
    Ok(signs)
}

fn puzzle(order: usize, cells: &[Sign<'_>]) -> Result<Puzzle, PuzzleError> {
    let n = order * order;
    let has = |wanted: fn(char) -> bool| cells.iter().any(|sign| sign.text.chars().all(wanted));
    let decimal = cells.iter().any(|sign| sign.text.len() > 1);
    let from_zero = order == 4 && !decimal && has(|c| c == '0') && has(|c| matches!(c, '.' | '*' | '_'));
    let letters = order > 3 && !decimal && !has(|c| matches!(c, '1'..='9'));
    let number = |sign: &Sign<'_>| -> Result<Option<u32>, PuzzleError> {
        let text = sign.text;
        let value = match text {
            "." | "*" | "_" => return Ok(None),
            "0" if !from_zero => return Ok(None),
            _ if text.len() > 1 => text.parse::<u32>().ok().and_then(|value| value.checked_sub(1)),
            _ => {
                let sign = text.chars().next().unwrap_or('.').to_ascii_uppercase();
                let value = sign.to_digit(36);
                match value {
                    Some(value) if from_zero => Some(value),
                    Some(value) if letters => value.checked_sub(10),
                    Some(value) => value.checked_sub(1),
                    None => None,
                }
            }
        };
        let last = if letters {
            format!("A to {}", char::from(SIGNS[n + 8]))
        } else if from_zero {
            "0 to F".to_owned()
        } else if n < 10 {
            format!("1 to {n}")
        } else {
            format!("1 to {n}, or 1 to 9 and A to {}", char::from(SIGNS[n - 1]))
        };
        match value {
            Some(value) if (value as usize) < n => Ok(Some(value)),
            _ => {
                Err(sign.fault(format!("\"{text}\" is no number of a puzzle of {n} x {n}, which has {last}")))
            }
        }
    };
    let line = cells[0].line;
    let puzzle = Puzzle { order, cells: cells.iter().map(number).collect::<Result<_, _>>()?, line };
    match puzzle.contradiction() {
        None => Ok(puzzle),
        Some([one, other]) => {
            let unit = one.unit_with(other, order).unwrap_or("grid");
            let fault = format!("the clues contradict each other: {one} and {other} stand in one {unit}");
            Err(cells[other.row * n + other.column].fault(fault))
        }
    }
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
    fn sixteen_numbers_are_written_in_three_ways() {
        let row = |first: &str| format!("{first}{}\n", ".".repeat(15));
        let rest = ".".repeat(16) + "\n";
        let grid = |first: &str, second: &str| row(first) + &row(second) + &rest.repeat(14);
        assert_eq!(one(&grid("G", "9")).clues().map(|clue| clue.number).collect::<Vec<_>>(), [15, 8]);
        assert_eq!(one(&grid("P", "a")).clues().map(|clue| clue.number).collect::<Vec<_>>(), [15, 0]);
        assert_eq!(one(&grid("F", "0")).clues().map(|clue| clue.number).collect::<Vec<_>>(), [15, 0]);
        let decimal = format!("16 {}\n{}", ". ".repeat(15), format!("{}\n", "0 ".repeat(16)).repeat(15));
        assert_eq!(one(&decimal).clues().next().map(|clue| clue.number), Some(15));
        assert_eq!(read(&"1234341221434321\n".repeat(16)).expect("whole puzzles").len(), 16);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, line, column, words) in [
            ("", 1, 1, "no puzzle"),
            ("# nothing\n\n", 1, 1, "no puzzle"),
            ("12345", 1, 1, "5 cells found"),
            ("1234\n3412\n2143", 3, 1, "3 of 4 rows found"),
            ("1234\n3412\n2153\n4321", 3, 3, "\"5\" is no number of a puzzle of 4 x 4, which has 1 to 4"),
            ("1234\n34?2", 2, 3, "\"?\" is no cell"),
            ("1234\n341\n", 1, 1, "1 of 4 rows"),
            (
                "1...\n..2.\n.1..\n1..4",
                4,
                1,
                "1 in row 1, column 1 and 1 in row 4, column 1 stand in one column",
            ),
            ("1...\n.1..\n....\n....", 2, 2, "stand in one box"),
            ("1é34", 1, 2, "\"é\" is no cell"),
        ] {
            let fault = read(text).expect_err(text);
            assert_eq!((fault.line, fault.column), (line, column), "{text}: {fault}");
            assert!(fault.fault.contains(words), "{text}: {fault}");
        }
    }
}
