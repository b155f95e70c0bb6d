//! Clues, and the ways in which puzzles are written down.
//!
//! A puzzle is a line of all its cells, or a grid of n lines of n cells. `.`, `0`, `*` and `_` are empty cells. Numbers are 1 to 9 and
//! then letters from A on, in either case; a puzzle of 16 x 16 that has both `.` and `0` uses 0 to F, and one of 16 x 16 or 25 x 25
//! without digits from 1 to 9 uses A to P or A to Y. Cells may also be decimal numbers between blanks, where 0 or a dot is empty, and
//! those of a grid may be fields between commas. Bars, rules of `-`, `+` and `=`, empty lines, lines that start with `#`, `;` or `//`,
//! headings in brackets, as in `.sdk` files, and headings such as `Grid 01` are skipped, and so is what follows a whole puzzle in its line
//! after a blank. So are `.sdm` files read, which have a puzzle a line, and tables of puzzles and solutions with commas between them.

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

/// The cells of a line.
#[derive(Debug)]
struct TextRow<'t> {
    number: usize,
    text: &'t str,
    cells: Vec<Sign<'t>>,
}

impl TextRow<'_> {
    /// What is wrong with a line of so many cells, and may explain it.
    fn fault(&self, fault: &str) -> PuzzleError {
        let found =
            if self.cells.len() == 1 { "1 cell".to_owned() } else { format!("{} cells", self.cells.len()) };
        let mut fault = format!("{found} {fault}");
        if self.text.split_whitespace().any(|word| word.len() > 1 && word.chars().all(char::is_alphabetic)) {
            fault += "; a line of words begins with #, ; or //";
        } else if self.text.trim().contains(' ') {
            fault += "; a blank is not a cell: . 0 * and _ are empty ones";
        }
        PuzzleError { line: self.number, column: 1, fault }
    }
}

/// Reads the puzzles of a text.
///
/// # Errors
/// Line, column and what is allowed there, if it does not hold puzzles only, or none.
pub fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let mut puzzles = Vec::new();
    // Lines of cells with nothing that separates puzzles between them.
    let mut run: Vec<TextRow<'_>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            // Between the bands of a grid there may be empty lines.
            if !ends_band(&run) {
                take_puzzles(&mut run, &mut puzzles)?;
            }
            continue;
        }
        if trimmed.starts_with(['#', '[', ';']) || trimmed.starts_with("//") || is_heading(trimmed) {
            take_puzzles(&mut run, &mut puzzles)?;
            continue;
        }
        if trimmed.chars().all(|c| matches!(c, '-' | '+' | '=' | '|' | ' ')) {
            continue;
        }
        let row = TextRow { number, text: line, cells: signs(number, line)? };
        // What is too long for a row of any grid is not kept until its run ends.
        if row.cells.len() > LONGEST_ROW && whole(row.cells.len()).is_some() {
            take_puzzles(&mut run, &mut puzzles)?;
        }
        run.push(row);
        if run[0].cells.len() > LONGEST_ROW {
            take_puzzles(&mut run, &mut puzzles)?;
        }
    }
    take_puzzles(&mut run, &mut puzzles)?;
    if puzzles.is_empty() {
        return Err(PuzzleError { line: 1, column: 1, fault: "no puzzle stands here".to_owned() });
    }
    Ok(puzzles)
}

/// Cells in a row of the largest puzzles.
const LONGEST_ROW: usize = ORDERS.end().pow(2);

/// The order of the puzzles with so many cells.
fn whole(cells: usize) -> Option<usize> {
    ORDERS.clone().find(|order| order.pow(4) == cells)
}

/// The order of the puzzles with so many cells in a row.
fn side(cells: usize) -> Option<usize> {
    ORDERS.clone().find(|order| order.pow(2) == cells)
}

/// Whether a line names the puzzle that follows: a word and a number, such as `Grid 01`, or words with commas between them.
fn is_heading(line: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || c == '_');
    let is_number = |word: &str| {
        let digits = word.trim_start_matches('#').trim_end_matches([':', '.']);
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let cells: usize = words.iter().map(|word| word.len()).sum();
    match words[..] {
        [word, number] if is_word(word) && is_number(number) => !matches!(cells, 16 | 25),
        _ => line.contains(',') && line.split(',').all(|field| is_word(field.trim())),
    }
}

/// Lines of 16 cells are rows if some number is above 4, else whole puzzles.
fn are_whole(rows: &[TextRow<'_>]) -> bool {
    let is_small = |sign: &Sign<'_>| matches!(sign.text, "" | "." | "0" | "*" | "_" | "1" | "2" | "3" | "4");
    rows.iter().flat_map(|row| &row.cells).all(is_small)
}

/// Whether these lines are some bands of a grid, and not all of them.
fn ends_band(run: &[TextRow<'_>]) -> bool {
    let Some(length) = run.first().map(|row| row.cells.len()) else { return false };
    let is_whole = whole(length).is_some() && are_whole(run);
    let in_grid = run.len() % length;
    side(length).is_some_and(|order| !is_whole && in_grid > 0 && in_grid.is_multiple_of(order))
}

/// Takes the puzzles out of a run of lines.
fn take_puzzles(run: &mut Vec<TextRow<'_>>, puzzles: &mut Vec<Puzzle>) -> Result<(), PuzzleError> {
    let run = std::mem::take(run);
    let mut rest = &run[..];
    while let [first, ..] = rest {
        let length = first.cells.len();
        let same = rest.iter().take_while(|row| row.cells.len() == length).count();
        match (whole(length), side(length)) {
            (Some(order), side) if side.is_none() || are_whole(&rest[..same]) => {
                for row in &rest[..same] {
                    puzzles.push(puzzle(order, &row.cells)?);
                }
                rest = &rest[same..];
            }
            (_, Some(order)) if same >= length => {
                let (rows, others) = rest.split_at(length);
                let cells: Vec<Sign<'_>> = rows.iter().flat_map(|row| row.cells.iter().copied()).collect();
                puzzles.push(puzzle(order, &cells)?);
                rest = others;
            }
            (_, Some(_)) => return Err(unfinished(&run, rest, same)),
            _ => {
                return Err(first.fault(
                    "found; a row has 4, 9, 16 or 25 of them, and a whole puzzle 16, 81, 256 or 625",
                ));
            }
        }
    }
    Ok(())
}

/// What is wrong with the rest of a run, which begins with too few rows of one length for a grid.
fn unfinished(run: &[TextRow<'_>], rest: &[TextRow<'_>], rows: usize) -> PuzzleError {
    let n = rest[0].cells.len();
    let begin = rest[0].number;
    if let Some(odd) = rest.get(rows) {
        return odd.fault(&format!(
            "found in row {} of the grid of {n} x {n} that begins in line {begin}",
            rows + 1
        ));
    }
    let before = run.len() - rest.len();
    let is_surplus = before > 0 && run[before - 1].cells.len() == n;
    let (line, fault) = if is_surplus {
        let found = if rows == 1 { "a row".to_owned() } else { format!("{rows} rows") };
        (
            begin,
            format!("{found} of {n} cells too many for the grid before; another grid would have {n} rows"),
        )
    } else {
        (rest[rows - 1].number, format!("{rows} of {n} rows found; the grid ends too early"))
    };
    PuzzleError { line, column: 1, fault }
}

/// The cells of a line: signs one after another, numbers between blanks, or fields between commas.
fn signs(line_number: usize, line: &str) -> Result<Vec<Sign<'_>>, PuzzleError> {
    let at = |text: &str| text.as_ptr() as usize - line.as_ptr() as usize;
    let sign = |text: &str| Sign::new(line_number, line, at(text), at(text) + text.len());
    let is_number = |word: &&str| word.parse::<u32>().is_ok() && word.len() <= 2;
    let is_cell = |word: &&str| is_number(word) || matches!(*word, "." | "*" | "_");
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || c == '|').filter(|word| !word.is_empty()).collect();
    if (side(words.len()).is_some() || whole(words.len()).is_some()) && words.iter().all(is_cell) {
        return Ok(words.into_iter().map(sign).collect());
    }
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let is_field = |field: &&str| field.is_empty() || is_cell(field) || field.len() == 1;
    if side(fields.len()).is_some() && fields.iter().all(is_field) {
        return Ok(fields.into_iter().map(sign).collect());
    }
    // What stands before or after a whole puzzle between commas, or follows one after a blank, is a remark.
    let is_whole = |word: &&str| word.len() >= 81 && whole(word.chars().count()).is_some();
    let one = fields
        .iter()
        .copied()
        .find(|field| is_whole(field))
        .or(words.first().copied().filter(|word| is_whole(word)));
    let words = one.map_or(words, |one| vec![one]);
    let mut signs = Vec::new();
    for word in words {
        let begin = at(word);
        for (index, sign) in word.char_indices() {
            let from = begin + index;
            let found = Sign::new(line_number, line, from, from + sign.len_utf8());
            if !sign.is_ascii_alphanumeric() && !matches!(sign, '.' | '*' | '_') {
                let fault = format!(
                    "\"{sign}\" is not a cell; a cell is a digit or a letter, or . 0 * or _ when it is empty"
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
            "" | "." | "*" | "_" => return Ok(None),
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
                let fault = format!("\"{text}\" is not a number of a puzzle of {n} x {n}, which has {last}");
                Err(sign.fault(fault))
            }
        }
    };
    Ok(Puzzle { order, cells: cells.iter().map(number).collect::<Result<_, _>>()?, line: cells[0].line })
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
            ("1234\n34?2", 2, 3, "\"?\" is not a cell"),
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
