//! Inequalities as a CSV file: one line for each square of each row.
//!
//! ```csv
//! row,sense,rhs,coefficient,square
//! pentagon,<=,2,1,"(0,1,1)"
//! pentagon,<=,2,1,"(0,2,0)"
//! ```

use super::error::InequalityError;
use super::row::FileRow;
use super::{Term, parse_square};

/// The first line of a file.
const HEADER: &str = "row,sense,rhs,coefficient,square";

/// Returns the rows of a file in the order in which they begin.
///
/// # Errors
/// Returns an error with the line if a line is malformed or gives its row another sense or right-hand side.
pub(super) fn rows(file: &str, text: &str) -> Result<Vec<FileRow>, InequalityError> {
    let fault = |line: usize, fault: String| InequalityError::Line { file: file.to_owned(), line, fault };
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim_end()));
    match lines.next() {
        Some((_, HEADER)) => {}
        _ => return Err(fault(1, format!("the first line must be {HEADER}"))),
    }
    let mut rows: Vec<FileRow> = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let cells: Vec<&str> = line.splitn(5, ',').map(str::trim).collect();
        let [name, sense, rhs, coefficient, square] = cells[..] else {
            return Err(fault(number, format!("it has {} cells; expected 5", cells.len())));
        };
        let whole = |cell: &str, what: &str| {
            let number_of = cell.parse::<i64>();
            number_of.map_err(|_| fault(number, format!("the {what} \"{cell}\" is not a whole number")))
        };
        let (rhs, coefficient) = (whole(rhs, "right-hand side")?, whole(coefficient, "coefficient")?);
        let square = square.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(square);
        let square = parse_square(square)
            .ok_or_else(|| fault(number, format!("{square} is not a square such as \"(0,1,2)\"")))?;
        let term = Term { square, coefficient };
        match rows.iter_mut().rev().find(|row| row.name == name) {
            None => {
                let (name, sense) = (name.to_owned(), sense.to_owned());
                rows.push(FileRow { name, terms: vec![term], sense, rhs });
            }
            Some(row) if (row.sense.as_str(), row.rhs) == (sense, rhs) => row.terms.push(term),
            Some(row) => {
                let before = format!("{} {}", row.sense, row.rhs);
                return Err(fault(number, format!("row {name} has {sense} {rhs} here and {before} before")));
            }
        }
    }
    Ok(rows)
}
