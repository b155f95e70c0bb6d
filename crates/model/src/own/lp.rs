//! Inequalities as a file in CPLEX LP format, such as `ndq model` writes.
//!
//! Only the rows are read. The variable `x_0_1_2` belongs to the square (0,1,2), and all numbers are whole.
//! The objective, bounds and types of the variables are skipped.

use super::Term;
use super::error::InequalityError;
use super::row::FileRow;

/// Section of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Objective,
    Rows,
    Rest,
}

/// Word of the rows, with its line.
struct Word {
    line: usize,
    text: String,
}

/// Returns the rows of a file.
///
/// # Errors
/// Returns an error with the line if the section of rows is missing or malformed.
pub(super) fn rows(file: &str, text: &str) -> Result<Vec<FileRow>, InequalityError> {
    let fault = |line: usize, fault: String| InequalityError::Line { file: file.to_owned(), line, fault };
    let (words, has_rows) = words(text);
    if !has_rows {
        return Err(fault(1, "there is no section \"Subject To\"".to_owned()));
    }
    let mut rows = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.peek() {
        let name = match word.text.strip_suffix(':') {
            Some(name) => name.to_owned(),
            None => format!("{}", rows.len() + 1),
        };
        if word.text.ends_with(':') {
            words.next();
        }
        let mut row = RowReader::default();
        let mut line = 1;
        let (sense, rhs) = loop {
            let Some(word) = words.next() else {
                return Err(fault(line, format!("row {name} has no right-hand side")));
            };
            line = word.line;
            if let Some(sense) = sense(&word.text) {
                row.end().map_err(|e| fault(line, e.to_string()))?;
                let side =
                    words.next().ok_or_else(|| fault(line, format!("row {name} ends with {sense}")))?;
                let (sign, side) = match side.text.as_str() {
                    sign @ ("-" | "+") => {
                        let next = words.next().map(|word| word.text).unwrap_or_default();
                        (if sign == "-" { -1 } else { 1 }, next)
                    }
                    _ => (1, side.text),
                };
                let number = side.parse::<i64>().ok().and_then(|side| side.checked_mul(sign));
                let number = number.ok_or_else(|| {
                    fault(line, format!("the right-hand side \"{side}\" is not a whole number"))
                })?;
                break (sense, number);
            }
            row.read(&word.text).map_err(|e| fault(line, e.to_string()))?;
        };
        rows.push(FileRow { name, terms: row.terms, sense: sense.to_owned(), rhs });
    }
    Ok(rows)
}

/// Returns the words of the section of rows, and `true` if there is such a section.
fn words(text: &str) -> (Vec<Word>, bool) {
    let (mut section, mut has_rows, mut words) = (Section::Objective, false, Vec::new());
    for (k, line) in text.lines().enumerate() {
        let line = line.split('\\').next().unwrap_or_default();
        let heading = line.trim().to_ascii_lowercase();
        match heading.as_str() {
            "subject to" | "such that" | "st" | "s.t." | "st." => {
                (section, has_rows) = (Section::Rows, true);
                continue;
            }
            "bounds" | "bound" | "binaries" | "binary" | "bin" | "generals" | "general" | "gen" | "end" => {
                section = Section::Rest;
            }
            _ => {}
        }
        if section != Section::Rows {
            continue;
        }
        // Signs and comparisons need no blanks around them.
        let mut spaced = String::new();
        let mut characters = line.chars().peekable();
        while let Some(c) = characters.next() {
            match c {
                '+' | '-' => spaced.extend([' ', c, ' ']),
                ':' => spaced.extend([':', ' ']),
                '<' | '>' | '=' => {
                    spaced.extend([' ', c]);
                    while let Some(next) = characters.next_if(|next| "<>=".contains(*next)) {
                        spaced.push(next);
                    }
                    spaced.push(' ');
                }
                c => spaced.push(c),
            }
        }
        words.extend(spaced.split_whitespace().map(|word| Word { line: k + 1, text: word.to_owned() }));
    }
    (words, has_rows)
}

/// Returns the comparison of a word, if it is one.
fn sense(word: &str) -> Option<&'static str> {
    match word {
        "<" | "<=" | "=<" => Some("<="),
        ">" | ">=" | "=>" => Some(">="),
        "=" => Some("="),
        _ => None,
    }
}

/// Terms of a row that were read, with the sign and the coefficient of the next one.
#[derive(Default)]
struct RowReader {
    terms: Vec<Term>,
    is_negative: Option<bool>,
    coefficient: Option<i64>,
}

/// Error of the left-hand side of a row.
#[derive(Debug, thiserror::Error)]
enum LeftSideError {
    #[error("\"{0}\" follows a sign or a coefficient")]
    Sign(String),
    #[error("\"{0}\" is not a whole number")]
    NotWhole(String),
    #[error("the number {1} follows the number {0}")]
    TwoNumbers(i64, i64),
    #[error("\"{0}\" is not the variable of a square, such as x_0_1_2")]
    NotAVariable(String),
    #[error("there is no sign before \"{0}\"")]
    NoSign(String),
    #[error("the left-hand side does not end with a variable")]
    Unfinished,
}

impl RowReader {
    /// Reads a sign, a coefficient or a variable.
    fn read(&mut self, word: &str) -> Result<(), LeftSideError> {
        if let "+" | "-" = word {
            if self.is_negative.is_some() || self.coefficient.is_some() {
                return Err(LeftSideError::Sign(word.to_owned()));
            }
            self.is_negative = Some(word == "-");
            return Ok(());
        }
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            let number = word.parse::<i64>().map_err(|_| LeftSideError::NotWhole(word.to_owned()))?;
            return match self.coefficient.replace(number) {
                None => Ok(()),
                Some(before) => Err(LeftSideError::TwoNumbers(before, number)),
            };
        }
        let coordinates = word.strip_prefix("x_").map(|rest| rest.split('_').map(str::parse).collect());
        let Some(Ok(square)) = coordinates else {
            return Err(LeftSideError::NotAVariable(word.to_owned()));
        };
        if self.is_negative.is_none() && !self.terms.is_empty() {
            return Err(LeftSideError::NoSign(word.to_owned()));
        }
        let sign = if self.is_negative.take() == Some(true) { -1 } else { 1 };
        let coefficient = sign * self.coefficient.take().unwrap_or(1);
        self.terms.push(Term { square, coefficient });
        Ok(())
    }

    /// Checks that the left-hand side ends with a variable.
    fn end(&self) -> Result<(), LeftSideError> {
        match (self.is_negative, self.coefficient) {
            (None, None) => Ok(()),
            _ => Err(LeftSideError::Unfinished),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rows_and_nothing_else() {
        let text =
            "\\ a comment\nMaximize\n obj: x_0_0 + x_0_1\nSubject To\n a: x_0_0 + 2 x_0_1\n   - 3x <= 0\n";
        let error = rows("own.lp", text).expect_err("3x");
        assert!(error.to_string().starts_with("own.lp, line 6: "), "{error}");
        let text = text.replace("- 3x <= 0", "- 3 x_1_1<=-4\n x_0_0>=0 \\ unnamed\nBounds\n x_0_0 <= 1\nEnd");
        let rows = rows("own.lp", &text).expect("two rows");
        let columns_of = |row: &FileRow| {
            let terms: Vec<_> =
                row.terms.iter().map(|term| (term.square.clone(), term.coefficient)).collect();
            (row.name.clone(), terms, row.sense.clone(), row.rhs)
        };
        let terms = vec![(vec![0, 0], 1), (vec![0, 1], 2), (vec![1, 1], -3)];
        assert_eq!(columns_of(&rows[0]), ("a".to_owned(), terms, "<=".to_owned(), -4));
        assert_eq!(columns_of(&rows[1]), ("2".to_owned(), vec![(vec![0, 0], 1)], ">=".to_owned(), 0));
        assert_eq!(rows.len(), 2);
    }

    #[test]
    fn rejects_malformed_rows() {
        for (row, fault) in [
            ("x_0_0 x_0_1 <= 1", "no sign"),
            ("x_0_0 + <= 1", "does not end with a variable"),
            ("x_0_0 + 1.5 x_0_1 <= 1", "\"1.5\" is not a whole number"),
            ("x_0_0 <= inf", "\"inf\" is not a whole number"),
            ("x_0_0 + y <= 1", "\"y\" is not the variable of a square"),
            ("x_0_0 + + x_0_1 <= 1", "follows a sign"),
            ("x_0_0 + 2 2 x_0_1 <= 1", "the number 2 follows the number 2"),
            ("x_0_0", "no right-hand side"),
            ("x_0_0 <=", "ends with <="),
        ] {
            let text = format!("Minimize\n obj: x_0_0\nSubject To\n a: {row}\nEnd\n");
            let error = rows("own.lp", &text).expect_err(row).to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
