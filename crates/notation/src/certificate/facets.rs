//! Certificates of facets: inequalities that define facets of the convex hull of the independent sets of a
//! board, each with independent sets that show it.
//!
//! ```text
//! ndqueens facets 1
//! board: 1x2
//! facets: 1
//! origin: by hand
//! at most 1: 1*0,0 1*0,1
//! 0,0
//! 0,1
//! ```
//!
//! A line `at most B: ...` begins a facet: `A*SQUARE` is a square with its coefficient, which may be
//! negative. Each line after it is a set of squares, `-` the empty one. There are as many sets as the board
//! has squares. They satisfy the inequality with equality, and their characteristic vectors are affinely
//! independent.
//!
//! Empty lines and lines that start with `#` are skipped; a line `digest: ` follows the board as in a
//! certificate. The reader checks the format only. The crosscheck crate checks the facets.

use std::fmt;
use std::num::IntErrorKind;

use super::{CertificateError, FileKind, Lines, certificate_error, has_header, plain_number};
use crate::counted::counted;
use crate::name::{BoardName, OpenFile};

/// First line of every certificate of facets.
pub const HEADER: &str = "ndqueens facets 1";

/// Square with its coefficient in an inequality.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::facets::Term;
///
/// assert_eq!(Term { square: vec![0, 1], coefficient: -2 }.to_string(), "-2*0,1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Coordinates of the square.
    pub square: Vec<u32>,
    /// Coefficient.
    pub coefficient: i64,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}*{}", self.coefficient, format_tuple(&self.square))
    }
}

/// Inequality "sum of the terms at most `rhs`", with independent sets that satisfy it with equality.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::facets::{FacetCertificate, Term};
///
/// let terms = vec![Term { square: vec![0], coefficient: 1 }];
/// let facet = FacetCertificate { terms, rhs: 1, sets: vec![vec![vec![0]]] };
/// assert_eq!(facet.to_string(), "at most 1: 1*0\n0\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCertificate {
    /// Squares with their coefficients.
    pub terms: Vec<Term>,
    /// Right-hand side.
    pub rhs: i64,
    /// Sets of squares.
    pub sets: Vec<Vec<Vec<u32>>>,
}

impl fmt::Display for FacetCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {}:", self.rhs)?;
        self.terms.iter().try_for_each(|term| write!(f, " {term}"))?;
        writeln!(f)?;
        for set in &self.sets {
            let squares: Vec<String> = set.iter().map(|square| format_tuple(square)).collect();
            writeln!(f, "{}", if squares.is_empty() { "-".to_owned() } else { squares.join(" ") })?;
        }
        Ok(())
    }
}

/// Certificates of facets of one board.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::facets::FacetCertificates;
/// use ndqueens_notation::name::reject_files;
///
/// let text = "ndqueens facets 1\nboard: 1x2\nfacets: 1\norigin: by hand\nat most 1: 1*0,0 1*0,1\n0,0\n0,1\n";
/// let certificates = FacetCertificates::parse_with(text, &reject_files)?;
/// assert_eq!((certificates.facets[0].rhs, certificates.to_string()), (1, text.to_owned()));
/// # Ok::<(), ndqueens_notation::certificate::CertificateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCertificates {
    /// Board.
    pub board: BoardName,
    /// Origin in one line.
    pub origin: String,
    /// Facets.
    pub facets: Vec<FacetCertificate>,
}

impl FacetCertificates {
    /// Returns `true` if a text begins as a certificate of facets.
    #[must_use]
    pub fn is_certificate(text: &str) -> bool {
        has_header(text, HEADER)
    }

    /// Reads certificates of facets. Opens the board file that they name, if any, with `open`.
    ///
    /// # Errors
    /// Returns an error if the text does not follow the format, or if the board file cannot be read or has
    /// changed. The error names the line, the column and the values allowed there.
    pub fn parse_with(text: &str, open: OpenFile<'_>) -> Result<Self, CertificateError> {
        Self::parse(text, open).map_err(|error| CertificateError { file: FileKind::Facets, ..error })
    }

    /// Reads certificates of facets. Errors name another kind of file.
    fn parse(text: &str, open: OpenFile<'_>) -> Result<Self, CertificateError> {
        let mut lines = Lines::new(text, HEADER)?;
        let board = lines.board(open)?;
        let (number_line, number_column, number) = lines.number("facets")?;
        let origin = lines.origin()?;
        let mut facets: Vec<FacetCertificate> = Vec::new();
        while let Some((line, text)) = lines.next() {
            match (text.trim().strip_prefix("at most "), facets.last_mut()) {
                (Some(inequality), _) => facets.push(parse_inequality(line, text, inequality)?),
                (None, Some(facet)) => facet.sets.push(parse_set(line, text)?),
                (None, None) => {
                    return Err(certificate_error(line, 1, "expected \"at most B: ...\"".to_owned()));
                }
            }
        }
        if number == 0 {
            let message = "a certificate has one facet or more".to_owned();
            return Err(certificate_error(number_line, number_column, message));
        }
        if facets.len() != number {
            let message = format!(
                "the number of facets is given as {number}, but the file has {}",
                counted(facets.len(), "facet")
            );
            return Err(certificate_error(number_line, number_column, message));
        }
        Ok(Self { board, origin, facets })
    }
}

impl fmt::Display for FacetCertificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\nboard: {}", self.board)?;
        if let BoardName::File(file) = &self.board {
            writeln!(f, "digest: {}", file.digest())?;
        }
        writeln!(f, "facets: {}", self.facets.len())?;
        writeln!(f, "origin: {}", self.origin.replace(['\n', '\r'], " "))?;
        self.facets.iter().try_for_each(|facet| write!(f, "{facet}"))
    }
}

/// Formats coordinates as in these files: `0,1,2`.
fn format_tuple(square: &[u32]) -> String {
    square.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// Parses `B: A*SQUARE ...`, the rest of line `number` with the text `line`.
fn parse_inequality(number: usize, line: &str, rest: &str) -> Result<FacetCertificate, CertificateError> {
    let Some((rhs, terms)) = rest.split_once(':') else {
        return Err(certificate_error(number, 1, "expected \"at most B: ...\" with a colon".to_owned()));
    };
    let rhs = parse_integer(number, line, rhs)?;
    let term = |word: &str| {
        let (coefficient, square) = word.split_once('*').ok_or_else(|| {
            let message = format!("expected a coefficient and a square, such as 2*0,1, not \"{word}\"");
            certificate_error(number, column(line, word), message)
        })?;
        let coefficient = parse_integer(number, line, coefficient)?;
        Ok(Term { square: parse_tuple(number, line, square)?, coefficient })
    };
    let terms = terms.split_whitespace().map(term).collect::<Result<Vec<_>, _>>()?;
    Ok(FacetCertificate { terms, rhs, sets: Vec::new() })
}

/// Parses a line with a set of squares.
fn parse_set(number: usize, line: &str) -> Result<Vec<Vec<u32>>, CertificateError> {
    match line.trim() {
        "-" => Ok(Vec::new()),
        squares => squares.split_whitespace().map(|word| parse_tuple(number, line, word)).collect(),
    }
}

/// Returns the column of a word of a line, counted from 1.
fn column(line: &str, word: &str) -> usize {
    line[..word.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1
}

/// Parses an integer with an optional minus sign and without leading zeros.
fn parse_integer(number: usize, line: &str, word: &str) -> Result<i64, CertificateError> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let value = plain_number::<i64>(digits).map_err(|kind| {
        let message = match kind {
            IntErrorKind::PosOverflow => format!("{word} is too large"),
            _ => format!("expected an integer without leading zeros, not \"{word}\""),
        };
        certificate_error(number, column(line, word), message)
    })?;
    Ok(if digits.len() < word.len() { -value } else { value })
}

/// Parses coordinates separated by commas.
fn parse_tuple(number: usize, line: &str, word: &str) -> Result<Vec<u32>, CertificateError> {
    let square: Result<Vec<u32>, _> = word.split(',').map(plain_number).collect();
    square.map_err(|kind: IntErrorKind| {
        let message = match kind {
            IntErrorKind::PosOverflow => format!("a coordinate of \"{word}\" is too large"),
            _ => format!(
                "a square must be coordinates without signs or leading zeros, separated by commas, not \"{word}\""
            ),
        };
        certificate_error(number, column(line, word), message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::reject_files;

    const TEXT: &str = "ndqueens facets 1\nboard: 1x2\nfacets: 2\norigin: by hand\n\
                        at most 1: 1*0,0 1*0,1\n0,0\n0,1\nat most 0: -1*0,1\n-\n0,0\n";

    #[test]
    fn reads_back_written_certificates() {
        let read = FacetCertificates::parse_with(TEXT, &reject_files).expect("certificates");
        assert_eq!((read.facets.len(), read.to_string().as_str()), (2, TEXT));
        assert!(FacetCertificates::is_certificate(TEXT));
    }

    #[test]
    fn errors_name_line_and_column() {
        for (from, to, line, column) in [
            (HEADER, "ndqueens certificate 1", 1, 1),
            ("facets: 2", "facets: 3", 3, 9),
            ("origin: by hand\n", "", 4, 1),
            ("at most 1: ", "at least 1: ", 5, 1),
            ("at most 1: ", "at most 1 ", 5, 1),
            ("at most 1: ", "at most 1.5: ", 5, 9),
            ("1*0,0", "0,0", 5, 12),
            ("1*0,0", "1*0,-1", 5, 14),
            ("1*0,0", "99999999999999999999*0,0", 5, 12),
            ("\n0,1\n", "\n0,01\n", 7, 1),
        ] {
            let error = FacetCertificates::parse_with(&TEXT.replacen(from, to, 1), &reject_files);
            let error = error.expect_err(to);
            assert_eq!((error.line, error.column), (line, column), "{to}: {error}");
        }
    }
}
