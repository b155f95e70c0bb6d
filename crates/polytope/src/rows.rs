//! Inequalities in files: as a CSV file with a column for each square, and in the rows of an LP file.
//!
//! ```text
//! name,x_0_0,x_0_1,relation,rhs
//! line_0,1,1,<=,1
//! ```
//!
//! A missing column and an empty cell mean the coefficient 0. Columns `orbit` and `tight_sets`, which
//! [`write_csv`] adds, are ignored. Of an LP file, the rows between `Subject To` and the next section are
//! read, with integers as numbers.

use std::collections::HashMap;
use std::io::{self, Write};

use ndqueens_model::board::{Board, Square};
use ndqueens_model::family::Inequality;
use ndqueens_model::ilp::Comparison;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::escape::escape;

use crate::facets::FacetOrbit;
use crate::halfspace::{LARGEST_NUMBER, variable};

/// Inequality with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedInequality {
    /// Name, such as `cube_17`.
    pub name: String,
    /// Inequality.
    pub inequality: Inequality,
}

/// Error in a file with inequalities.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct RowError {
    /// Line, counted from 1.
    pub line: u64,
    /// Description of the error and of what is allowed.
    pub fault: String,
}

impl Classified for RowError {
    fn class(&self) -> ErrorClass {
        ErrorClass::BadInput
    }
}

/// Columns of a CSV file that are not squares and not part of an inequality.
const IGNORED: [&str; 2] = ["orbit", "tight_sets"];

/// Meaning of a column of a CSV file.
#[derive(Clone, Copy)]
enum Column {
    Name,
    Relation,
    Rhs,
    Square(Square),
    Ignored,
}

/// Reads the inequalities of a CSV file for a board.
///
/// # Errors
/// Returns an error if the text is not such a file.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::rows::read_csv;
///
/// let board = Board::new(&"1x2".parse()?);
/// let rows = read_csv(&board, "name,x_0_0,x_0_1,relation,rhs\nline_0,1,1,<=,1\n")?;
/// assert_eq!((rows[0].name.as_str(), rows[0].inequality.squares.len()), ("line_0", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_csv(board: &Board, text: &str) -> Result<Vec<NamedInequality>, RowError> {
    let malformed = |error: csv::Error| RowError {
        line: error.position().map_or(1, csv::Position::line),
        fault: escape(&error.to_string()),
    };
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let columns = read_header(board, reader.headers().map_err(malformed)?)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(malformed)?;
        let line = record.position().map_or(1, csv::Position::line);
        rows.push(read_record(&columns, &record, line)?);
    }
    Ok(rows)
}

/// Returns the meaning of each column of a CSV file.
fn read_header(board: &Board, header: &csv::StringRecord) -> Result<Vec<Column>, RowError> {
    let squares = variables(board);
    let fault = |fault: String| RowError { line: 1, fault };
    let mut columns = Vec::new();
    for (k, title) in header.iter().enumerate() {
        if header.iter().take(k).any(|earlier| earlier == title) {
            return Err(fault(format!("column \"{}\" occurs twice", escape(title))));
        }
        columns.push(match (title, squares.get(title)) {
            ("name", _) => Column::Name,
            ("relation", _) => Column::Relation,
            ("rhs", _) => Column::Rhs,
            (_, Some(&square)) => Column::Square(square),
            _ if IGNORED.contains(&title) => Column::Ignored,
            _ => {
                let last = board.squares().last().map_or(String::new(), |last| variable(board, last));
                return Err(fault(format!(
                    "unknown column \"{}\"; expected name, relation, rhs, or a square of {} such as {last}",
                    escape(title),
                    board.name()
                )));
            }
        });
    }
    for (title, found) in [
        ("relation", columns.iter().any(|column| matches!(column, Column::Relation))),
        ("rhs", columns.iter().any(|column| matches!(column, Column::Rhs))),
    ] {
        if !found {
            return Err(fault(format!("the column {title} is missing")));
        }
    }
    Ok(columns)
}

/// Reads a line of a CSV file.
fn read_record(
    columns: &[Column],
    record: &csv::StringRecord,
    line: u64,
) -> Result<NamedInequality, RowError> {
    let number = |text: &str| parse_number(text, line);
    let mut name = format!("row_{line}");
    let (mut terms, mut comparison, mut rhs) = (Vec::new(), Comparison::AtMost, 0);
    for (column, cell) in columns.iter().zip(record) {
        match column {
            Column::Name => name = escape(cell),
            Column::Relation => {
                comparison = parse_relation(cell).ok_or_else(|| {
                    let fault = format!("the relation is \"{}\"; expected <=, >= or =", escape(cell));
                    RowError { line, fault }
                })?;
            }
            Column::Rhs => rhs = number(cell)?,
            Column::Square(_) if cell.is_empty() => {}
            Column::Square(square) => terms.push((*square, number(cell)?)),
            Column::Ignored => {}
        }
    }
    Ok(NamedInequality { name, inequality: Inequality::with_weights(terms, comparison, rhs) })
}

/// Returns the comparison of a relation sign.
fn parse_relation(text: &str) -> Option<Comparison> {
    match text {
        "<=" | "=<" | "<" => Some(Comparison::AtMost),
        ">=" | "=>" | ">" => Some(Comparison::AtLeast),
        "=" => Some(Comparison::Equal),
        _ => None,
    }
}

/// Parses an integer of at most 2^40 in absolute value, which is on this line.
fn parse_number(text: &str, line: u64) -> Result<i64, RowError> {
    let number: Option<i64> = text.parse().ok();
    number.filter(|number| number.unsigned_abs() <= LARGEST_NUMBER.unsigned_abs()).ok_or_else(|| RowError {
        line,
        fault: format!("\"{}\" is not an integer of at most 2^40 in absolute value", escape(text)),
    })
}

/// Returns the squares of a board by the names of their variables.
fn variables(board: &Board) -> HashMap<String, Square> {
    board.squares().map(|square| (variable(board, square), square)).collect()
}

/// Writes the facets of a board as a CSV file: a line for each orbit.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub fn write_csv(board: &Board, orbits: &[FacetOrbit], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let squares = board.squares().map(|square| variable(board, square));
    let last = ["relation", "rhs", "orbit", "tight_sets"].map(str::to_owned);
    writer.write_record(["name".to_owned()].into_iter().chain(squares).chain(last))?;
    for (k, orbit) in orbits.iter().enumerate() {
        let numbers = orbit.halfspace.coefficients.iter().map(i64::to_string);
        let last = ["<=".to_owned(), orbit.halfspace.rhs.to_string(), orbit.size.to_string()];
        let all = [format!("facet_{k}")].into_iter().chain(numbers).chain(last);
        writer.write_record(all.chain([orbit.tight_sets.to_string()]))?;
    }
    writer.flush()
}

/// First words of the sections of an LP file that end the constraints.
const SECTIONS: [&str; 10] =
    ["bounds", "bound", "binary", "binaries", "bin", "general", "generals", "gen", "end", "semi-continuous"];

/// Reads the constraints of an LP file, whose variables are the squares of a board.
///
/// # Errors
/// Returns an error if there are no constraints, or one of them is malformed.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::rows::read_lp;
///
/// let board = Board::new(&"1x2".parse()?);
/// let text = "Maximize\n obj: x_0_0 + x_0_1\nSubject To\n line_0: 2 x_0_0\n   + x_0_1 <= 2\nEnd\n";
/// let rows = read_lp(&board, text)?;
/// assert_eq!((rows[0].inequality.coefficients.as_deref(), rows[0].inequality.rhs), (Some(&[2, 1][..]), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_lp(board: &Board, text: &str) -> Result<Vec<NamedInequality>, RowError> {
    let lines = (1..).zip(text.lines().map(|line| line.split('\\').next().unwrap_or_default().trim()));
    let heading = |line: &str| line.to_ascii_lowercase();
    let is_start = |line: &str| ["subject to", "such that", "st", "s.t."].contains(&heading(line).as_str());
    let mut body = lines.skip_while(|(_, line)| !is_start(line)).skip(1).peekable();
    if body.peek().is_none() {
        return Err(RowError { line: 1, fault: "the file has no section Subject To".to_owned() });
    }
    let variables = variables(board);
    let mut reader =
        LpReader { board, variables: &variables, rows: Vec::new(), row: LpRow::default(), line: 1 };
    for (line, text) in body {
        if SECTIONS.contains(&heading(text.split_whitespace().next().unwrap_or_default()).as_str()) {
            break;
        }
        reader.line = line;
        for word in split_words(text) {
            reader.read_word(&word)?;
        }
    }
    if !reader.row.is_empty() {
        return Err(reader.fault("the constraint has no right-hand side"));
    }
    Ok(reader.rows)
}

/// Splits a line of an LP file into labels, signs, relations, numbers and names.
fn split_words(line: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut previous = ' ';
    for sign in line.chars() {
        let is_relation = |c: char| matches!(c, '<' | '>' | '=');
        if matches!(sign, '+' | '-') || (is_relation(sign) != is_relation(previous)) {
            spaced.push(' ');
        }
        spaced.push(sign);
        if matches!(sign, '+' | '-' | ':') {
            spaced.push(' ');
        }
        previous = sign;
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Constraint of an LP file as far as it was read.
#[derive(Default)]
struct LpRow {
    name: Option<String>,
    terms: Vec<(Square, i64)>,
    sign: Option<i64>,
    factor: Option<i64>,
    comparison: Option<Comparison>,
}

impl LpRow {
    /// Returns `true` if no word of the constraint was read.
    fn is_empty(&self) -> bool {
        self.name.is_none() && self.terms.is_empty() && self.factor.is_none() && self.comparison.is_none()
    }
}

/// Reader of the constraints of an LP file, word by word.
struct LpReader<'a> {
    board: &'a Board,
    variables: &'a HashMap<String, Square>,
    rows: Vec<NamedInequality>,
    row: LpRow,
    /// Line of the current word.
    line: u64,
}

impl LpReader<'_> {
    /// Returns an error on the current line.
    fn fault(&self, fault: impl Into<String>) -> RowError {
        RowError { line: self.line, fault: fault.into() }
    }

    /// Reads a word.
    fn read_word(&mut self, word: &str) -> Result<(), RowError> {
        if let Some(name) = word.strip_suffix(':') {
            if !self.row.is_empty() {
                return Err(self.fault("the constraint before this label has no right-hand side"));
            }
            self.row.name = Some(escape(name));
            return Ok(());
        }
        if let Some(comparison) = parse_relation(word) {
            if self.row.comparison.replace(comparison).is_some() || self.row.factor.is_some() {
                return Err(self.fault(format!("unexpected {word}; a constraint has one relation")));
            }
            return Ok(());
        }
        if matches!(word, "+" | "-") {
            if self.row.factor.is_some() {
                return Err(self.fault(format!("unexpected {word} after a number")));
            }
            let sign = if word == "-" { -1 } else { 1 };
            self.row.sign = Some(self.row.sign.unwrap_or(1) * sign);
            return Ok(());
        }
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            return self.read_number(parse_number(word, self.line)?);
        }
        self.read_variable(word)
    }

    /// Reads a variable.
    fn read_variable(&mut self, word: &str) -> Result<(), RowError> {
        let Some(&square) = self.variables.get(word) else {
            let fault = format!("\"{}\" is not a variable of {}", escape(word), self.board.name());
            return Err(self.fault(fault));
        };
        if self.row.comparison.is_some() {
            return Err(self.fault("variables are allowed on the left-hand side only"));
        }
        let coefficient = self.row.sign.take().unwrap_or(1) * self.row.factor.take().unwrap_or(1);
        self.row.terms.push((square, coefficient));
        Ok(())
    }

    /// Reads a number: a factor of a variable, or the right-hand side, which ends the constraint.
    fn read_number(&mut self, number: i64) -> Result<(), RowError> {
        let Some(comparison) = self.row.comparison else {
            return match self.row.factor.replace(number) {
                Some(_) => Err(self.fault("two numbers follow each other")),
                None => Ok(()),
            };
        };
        let row = std::mem::take(&mut self.row);
        let rhs = row.sign.unwrap_or(1) * number;
        let name = row.name.unwrap_or_else(|| format!("row_{}", self.rows.len()));
        let inequality = Inequality::with_weights(row.terms, comparison, rhs);
        self.rows.push(NamedInequality { name, inequality });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        Board::new(&"2^2".parse().expect("a board"))
    }

    #[test]
    fn reads_lp_constraints() {
        let text = "\\ a comment\nMaximize\n obj: x_0_0\nsubject to\n a: x_0_0 - 3 x_0_1\n  +x_1_1>=-1 \\ c\n x_0_0 = 1\nBinaries\n x_0_0\nEnd\n";
        let rows = read_lp(&board(), text).expect("two constraints");
        assert_eq!(rows.len(), 2);
        let Inequality { squares, coefficients, comparison, rhs, .. } = &rows[0].inequality;
        assert_eq!((squares.as_slice(), coefficients.as_deref()), (&[0, 1, 3][..], Some(&[1, -3, 1][..])));
        assert_eq!((*comparison, *rhs, rows[1].name.as_str()), (Comparison::AtLeast, -1, "row_1"));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("", 1),
            ("Maximize\n", 1),
            ("Subject To\n a: x_0_0 + x_9_9 <= 1\nEnd\n", 2),
            ("Subject To\n a: x_0_0\n b: x_0_1 <= 1\nEnd\n", 3),
            ("Subject To\n a: x_0_0 <= 1.5\nEnd\n", 2),
            ("Subject To\n a: 2 3 x_0_0 <= 1\nEnd\n", 2),
            ("Subject To\n a: x_0_0 <= x_0_1\nEnd\n", 2),
            ("Subject To\n a: x_0_0 <=\nEnd\n", 2),
            ("Subject To\n a: 2199023255552 x_0_0 <= 1\nEnd\n", 2),
        ] {
            assert_eq!(read_lp(&board(), text).expect_err(text).line, line, "{text}");
        }
        for (text, line) in [
            ("", 1),
            ("name,x_0_0,rhs\n", 1),
            ("name,x_0_0,x_0_0,relation,rhs\n", 1),
            ("name,x_5_0,relation,rhs\n", 1),
            ("name,x_0_0,relation,rhs\na,1,<=,1\nb,1,==,1\n", 3),
            ("name,x_0_0,relation,rhs\na,one,<=,1\n", 2),
            ("name,x_0_0,relation,rhs\na,1,<=\n", 2),
        ] {
            assert_eq!(read_csv(&board(), text).expect_err(text).line, line, "{text}");
        }
    }
}
