//! Densities: the share of the solutions that occupy each square of a board, or its value in an LP optimum.

use std::fmt;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;

use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::reading;
use ndqueens_notation::name::file::Reading;

/// Density of solutions on a board, by square, or the point of a linear program.
#[derive(Debug, Clone, PartialEq)]
pub struct Density {
    shares: Vec<f64>,
    most: f64,
    /// Name of the linear program whose optimum this is; `None` for a density of solutions.
    lp: Option<String>,
    /// Number of solutions for each square, as written in the file; empty for a density without counts.
    counts: Vec<String>,
}

/// Fault in the text of a density.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("density, line {line}: {fault}")]
pub struct DensityError {
    /// Line number, starting at 1.
    pub line: u64,
    /// The fault and the values that are allowed.
    pub fault: String,
}

/// Names of the columns. The last one may be missing.
const COLUMNS: [&str; 4] = ["square", "count", "share", "board"];

/// Writes a density in the format of [`Density::read`]: for every square, in the order of the board, the
/// number of solutions that occupy it, and their share.
///
/// # Errors
/// Returns an error if writing fails.
pub fn write<C: fmt::Display>(
    board: &Board,
    squares: impl IntoIterator<Item = (C, f64)>,
    mut out: impl Write,
) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    let name = board.name().to_string();
    let mut table = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::NonNumeric).from_writer(out);
    for (square, (count, share)) in board.squares().zip(squares) {
        table.write_record([&board.label(square), &count.to_string(), &format!("{share:.6}"), &name])?;
    }
    table.flush()
}

/// Returns `true` if these are names of different boards. Two different paths may lead to the same board
/// file.
fn is_other(name: &str, other: &str) -> bool {
    name != other && (Reading::split(name).is_none() || Reading::split(other).is_none())
}

impl Density {
    /// Reads a density in the format of `ndq count --density`: CSV with the columns
    /// `square,count,share,board` and a line for every square. A square is written as `"(0,1,2)"`. A share is
    /// a number from 0 to 1, the count divided by a number that is the same for all squares, up to the
    /// precision of the text. The column `board` may be missing; if it names a file, the path may differ.
    ///
    /// # Errors
    /// Returns line and fault if the text is malformed or does not fit the board.
    pub fn read(board: &Board, text: impl Read) -> Result<Self, DensityError> {
        let error = |line: u64, fault: String| DensityError { line, fault };
        let mut reader = csv::Reader::from_reader(text);
        let damaged = |fault: csv::Error| {
            let line = fault.position().map_or(1, csv::Position::line);
            error(line, format!("not a table of squares: {}", reading::describe_error(&fault)))
        };
        let header = reader.headers().map_err(damaged)?;
        let named = header.len() == COLUMNS.len();
        if header.len() + 1 < COLUMNS.len()
            || header.iter().map(str::trim).ne(COLUMNS.into_iter().take(header.len()))
        {
            return Err(error(1, format!("the columns are {}, in a first line", COLUMNS.join(","))));
        }
        let name = board.name().to_string();
        let mut whole = 0.0..=f64::INFINITY;
        let mut shares = vec![None; board.size()];
        let mut counts = vec![String::new(); board.size()];
        for record in reader.records() {
            let record = record.map_err(damaged)?;
            let line = record.position().map_or(1, csv::Position::line);
            let fault = |fault: String| error(line, fault);
            let square = parse(&record[0]).and_then(|coordinates| board.square(&coordinates));
            let square = square.ok_or_else(|| {
                let example = board.label(0);
                fault(format!("\"{}\" is not a square of {name}; its first is {example}", &record[0]))
            })?;
            if record[1].is_empty() || !record[1].chars().all(|sign| sign.is_ascii_digit()) {
                return Err(fault(format!("the count must be a whole number, not \"{}\"", &record[1])));
            }
            if let Some(of) = record.get(3).filter(|of| named && is_other(of, &name)) {
                return Err(fault(format!("this is a density of {of}, not of {name}")));
            }
            let share: Option<f64> = record[2].trim().parse().ok();
            let share = share
                .filter(|share| (0.0..=1.0).contains(share))
                .ok_or_else(|| fault(format!("the share must lie from 0 to 1, not \"{}\"", &record[2])))?;
            whole = narrow(&whole, &record[1], share, &record[2]).ok_or_else(|| {
                fault(format!(
                    "the share {} does not fit to the count {} and the lines before: shares are the counts, divided by one number",
                    &record[2], &record[1]
                ))
            })?;
            counts[square as usize] = record[1].to_owned();
            if shares[square as usize].replace(share).is_some() {
                return Err(fault(format!("the square {} stands here a second time", board.label(square))));
            }
        }
        if let Some(missing) = board.squares().find(|&square| shares[square as usize].is_none()) {
            let words = format!("the square {} of {name} is missing", board.label(missing));
            return Err(error(reader.position().line(), words));
        }
        let shares: Vec<f64> = shares.into_iter().flatten().collect();
        Ok(Self { counts, ..Self::of(shares) })
    }

    /// Creates a density from the share of the solutions, 0 to 1, that occupy each square.
    #[must_use]
    pub fn of(shares: Vec<f64>) -> Self {
        let most = shares.iter().copied().fold(0.0, f64::max);
        Self { shares, most, lp: None, counts: Vec::new() }
    }

    /// Creates the picture of the point of a linear program, 0 to 1 for each square. `name` is that of the
    /// linear program, such as `LP relaxation of cube`.
    #[must_use]
    pub fn of_lp(point: Vec<f64>, name: impl Into<String>) -> Self {
        Self { lp: Some(name.into()), ..Self::of(point) }
    }

    /// Returns the name of the linear program whose optimum this is.
    pub(super) fn lp(&self) -> Option<&str> {
        self.lp.as_deref()
    }

    /// Returns `true` if the density has numbers of solutions, and not shares alone.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        !self.counts.is_empty()
    }

    /// Returns the number of solutions that occupy a square; empty for a density without counts.
    pub(super) fn count(&self, square: Square) -> &str {
        self.counts.get(square as usize).map_or("", String::as_str)
    }

    /// Returns the largest number of solutions that occupy a square.
    pub(super) fn largest_count(&self) -> &str {
        self.counts.iter().map(String::as_str).max_by_key(|count| (count.len(), *count)).unwrap_or_default()
    }

    /// Returns the share of a square divided by the largest share.
    pub(super) fn relative(&self, square: Square) -> f64 {
        if self.most > 0.0 { self.shares[square as usize] / self.most } else { 0.0 }
    }

    /// Returns the share of a square in percent, or its value in an LP optimum.
    pub(super) fn label(&self, square: Square) -> String {
        let share = self.shares[square as usize];
        if self.lp.is_some() { decimal(share) } else { percentage(share) }
    }

    /// Returns the largest share in percent, or the largest value in an LP optimum.
    pub(super) fn most_label(&self) -> String {
        if self.lp.is_some() { decimal(self.most) } else { format!("{} %", percentage(self.most)) }
    }

    /// Returns a digit for the share in tenths of the largest, or a dot for a square that is never occupied.
    pub(super) fn sign(&self, square: Square) -> char {
        if self.shares[square as usize] == 0.0 {
            return '.';
        }
        let tenth = (self.relative(square) * 10.0).floor().min(9.0) as u32;
        char::from_digit(tenth, 10).unwrap_or('9')
    }

    /// Returns the legend of the signs.
    pub(super) fn legend(&self) -> String {
        let most = self.most_label();
        match &self.lp {
            Some(_) => format!(".: 0; 0 to 9: tenths of the largest value, which is {most}"),
            None => format!(".: in no solution; 0 to 9: tenths of the most, which is in {most} of them"),
        }
    }
}

/// Formats a value from 0 to 1 with at most two decimals, such as `.25`, `.5` or `1`.
fn decimal(value: f64) -> String {
    match format!("{value:.2}") {
        text if text == "0.00" => "0".to_owned(),
        text => text.trim_start_matches('0').trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// Formats a share in percent, with two or three digits.
fn percentage(share: f64) -> String {
    let percent = share * 100.0;
    if share == 0.0 {
        "0".to_owned()
    } else if percent >= 9.95 {
        format!("{percent:.0}")
    } else if percent >= 0.95 {
        format!("{percent:.1}")
    } else {
        format!("{percent:.2}").trim_start_matches('0').to_owned()
    }
}

/// Narrows the range `whole` of divisors to those for which `count` gives `share`, up to the precision of the
/// text `written`. Returns `None` if it has no such divisor.
fn narrow(
    whole: &RangeInclusive<f64>,
    count: &str,
    share: f64,
    written: &str,
) -> Option<RangeInclusive<f64>> {
    /// Bound on the relative error of floating-point numbers.
    const EXACT: f64 = 1e-12;
    let count: f64 = count.parse().ok()?;
    let digits = written.trim().split_once('.').map_or(3, |(_, digits)| digits.len().min(300));
    // One unit of the last digit, which may be rounded or truncated.
    let error = 10f64.powi(-(digits as i32));
    let (least, most) = (share - error, share + error);
    if count == 0.0 {
        return (least <= 0.0).then(|| whole.clone());
    }
    let low = whole.start().max(count / most * (1.0 - EXACT)).max(count);
    let high = if least > 0.0 { whole.end().min(count / least * (1.0 + EXACT)) } else { *whole.end() };
    (low <= high).then_some(low..=high)
}

/// Parses coordinates in the form `(0,1,2)`.
fn parse(square: &str) -> Option<Vec<u32>> {
    let inner = square.trim().strip_prefix('(')?.strip_suffix(')')?;
    inner.split(',').map(|x| x.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_in_two_digits() {
        for (share, text) in [
            (0.0, "0"),
            (1.0, "100"),
            (0.123, "12"),
            (0.0996, "10"),
            (0.0123, "1.2"),
            (0.0094, ".94"),
            (0.0007, ".07"),
        ] {
            assert_eq!(percentage(share), text);
        }
    }
}
