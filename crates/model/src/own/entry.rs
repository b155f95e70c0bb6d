//! The entries `[[inequalities]]` of a formulation's file.

use std::collections::BTreeSet;
use std::io;

use ndqueens_notation::escape::escape;
use serde::{Deserialize, Serialize};

use super::error::{InequalityError, MAX_NUMBER, MAX_SQUARES};
use super::row::FileRow;
use super::{OwnInequalities, OwnInequality, Pattern, Support, Term, format_sides, format_square, lp, table};
use crate::ilp::Comparison;

/// Function that reads a file named in a formulation.
pub type ReadFile<'a> = &'a mut dyn FnMut(&str) -> io::Result<String>;

/// Entry `[[inequalities]]` of a formulation's file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InequalityEntry {
    name: Option<String>,
    squares: Option<Vec<Vec<u32>>>,
    coefficients: Option<Vec<i64>>,
    classes: Option<Vec<i64>>,
    sense: Option<String>,
    rhs: Option<i64>,
    #[serde(rename = "box")]
    sides: Option<Vec<u32>>,
    strides: Option<Vec<u32>>,
    images: Option<bool>,
    touching: Option<Vec<usize>>,
    file: Option<String>,
}

/// Error of an entry, with its number.
#[derive(Debug, thiserror::Error)]
#[error("inequality {number}: {fault}")]
pub(crate) struct EntryError {
    /// Number of the entry, from 1.
    number: usize,
    fault: InequalityError,
}

/// Reads the inequalities of the entries, where a file may give several. None of them is proved.
///
/// # Errors
/// Returns an error if an entry or a file that it names is malformed.
pub(crate) fn read_entries(
    entries: Vec<InequalityEntry>,
    read: ReadFile<'_>,
) -> Result<OwnInequalities, EntryError> {
    let mut own = OwnInequalities::default();
    for (k, entry) in entries.into_iter().enumerate() {
        let number = k + 1;
        own.files.extend(entry.file.clone());
        own.inequalities
            .extend(entry.inequalities(number, read).map_err(|fault| EntryError { number, fault })?);
    }
    Ok(own)
}

impl From<&OwnInequality> for InequalityEntry {
    fn from(inequality: &OwnInequality) -> Self {
        let (terms, pattern) = match &inequality.support {
            Support::Squares(terms) => (terms, None),
            Support::Pattern(pattern) => (&pattern.terms, Some(pattern)),
        };
        let is_weighted = terms.iter().any(|term| term.coefficient != 1);
        let has_sense = inequality.comparison != Comparison::AtMost;
        Self {
            name: inequality.name.clone(),
            squares: Some(terms.iter().map(|term| term.square.clone()).collect()),
            coefficients: is_weighted.then(|| terms.iter().map(|term| term.coefficient).collect()),
            classes: None,
            sense: has_sense.then(|| inequality.comparison.to_string()),
            rhs: Some(inequality.rhs),
            sides: pattern.map(|pattern| pattern.sides.clone()),
            strides: pattern.and_then(|pattern| pattern.strides.clone()),
            images: pattern.filter(|pattern| !pattern.with_images).map(|_| false),
            touching: pattern.and_then(|pattern| pattern.touching.clone()),
            file: None,
        }
    }
}

impl InequalityEntry {
    /// Returns the inequalities of the entry.
    fn inequalities(
        mut self,
        number: usize,
        read: ReadFile<'_>,
    ) -> Result<Vec<OwnInequality>, InequalityError> {
        if let Some(file) = self.file.take() {
            if let Some(key) = self.first_key() {
                return Err(InequalityError::Conflict("file", key));
            }
            return read_file(&file, read);
        }
        let label = match &self.name {
            Some(name) => format!("inequality {number} ({})", escape(name)),
            None => format!("inequality {number}"),
        };
        let comparison = comparison(self.sense.as_deref().unwrap_or("<="))?;
        let rhs = in_range("rhs", self.rhs.ok_or(InequalityError::Missing("rhs"))?)?;
        let support = match self.sides.take() {
            None => Support::Squares(self.listed_terms()?),
            Some(sides) => Support::Pattern(self.pattern(sides)?),
        };
        Ok(vec![OwnInequality { name: self.name, label, support, comparison, rhs }])
    }

    /// Returns the first key that is given apart from `file`.
    fn first_key(&self) -> Option<&'static str> {
        let given = [
            ("name", self.name.is_some()),
            ("squares", self.squares.is_some()),
            ("coefficients", self.coefficients.is_some()),
            ("classes", self.classes.is_some()),
            ("sense", self.sense.is_some()),
            ("rhs", self.rhs.is_some()),
            ("box", self.sides.is_some()),
            ("strides", self.strides.is_some()),
            ("images", self.images.is_some()),
            ("touching", self.touching.is_some()),
        ];
        given.into_iter().find_map(|(key, is_given)| is_given.then_some(key))
    }

    /// Returns the terms of an inequality without a box.
    fn listed_terms(&mut self) -> Result<Vec<Term>, InequalityError> {
        let needs_box = [
            ("classes", self.classes.is_some()),
            ("strides", self.strides.is_some()),
            ("images", self.images.is_some()),
            ("touching", self.touching.is_some()),
        ];
        if let Some((key, _)) = needs_box.into_iter().find(|(_, is_given)| *is_given) {
            return Err(InequalityError::Without { key, with: "box" });
        }
        let squares = self.squares.take().ok_or(InequalityError::Missing("squares, or box and classes"))?;
        terms(squares, self.coefficients.take())
    }

    fn pattern(&mut self, sides: Vec<u32>) -> Result<Pattern, InequalityError> {
        let sides = positive("box", sides)?;
        let size = sides.iter().try_fold(1usize, |size, &side| size.checked_mul(side as usize));
        if size.is_none_or(|size| size > MAX_SQUARES) {
            return Err(InequalityError::TooLarge(format_sides(&sides)));
        }
        let terms = match (self.squares.take(), self.classes.take()) {
            (Some(_), Some(_)) => return Err(InequalityError::Conflict("squares", "classes")),
            (None, None) => return Err(InequalityError::Missing("squares or classes")),
            (Some(squares), None) => terms(squares, self.coefficients.take())?,
            (None, Some(_)) if self.coefficients.is_some() => {
                return Err(InequalityError::Conflict("coefficients", "classes"));
            }
            (None, Some(classes)) => class_terms(&sides, &classes)?,
        };
        let is_outside = |term: &&Term| {
            term.square.len() != sides.len() || term.square.iter().zip(&sides).any(|(x, side)| x >= side)
        };
        if let Some(term) = terms.iter().find(is_outside) {
            let (square, sides) = (format_square(&term.square), format_sides(&sides));
            return Err(InequalityError::Outside { square, sides });
        }
        let strides = self.strides.take().map(|strides| positive("strides", strides)).transpose()?;
        if let Some(strides) = &strides {
            refuse_repetition("strides", strides)?;
        }
        let touching = self.touching.take();
        if let Some(touching) = &touching {
            refuse_repetition("touching", touching)?;
        }
        Ok(Pattern { sides, terms, strides, with_images: self.images.unwrap_or(true), touching })
    }
}

/// Returns the terms of these squares in increasing order.
pub(super) fn terms(
    squares: Vec<Vec<u32>>,
    coefficients: Option<Vec<i64>>,
) -> Result<Vec<Term>, InequalityError> {
    let coefficients = coefficients.unwrap_or_else(|| vec![1; squares.len()]);
    if coefficients.len() != squares.len() {
        return Err(InequalityError::Lengths { coefficients: coefficients.len(), squares: squares.len() });
    }
    let term = |(square, coefficient)| Term { square, coefficient };
    let mut terms: Vec<Term> = squares.into_iter().zip(coefficients).map(term).collect();
    let first = terms.first().ok_or(InequalityError::Empty("squares"))?;
    if let Some(other) = terms.iter().find(|term| term.square.len() != first.square.len()) {
        return Err(InequalityError::Axes(format_square(&first.square), format_square(&other.square)));
    }
    for term in &terms {
        in_range("coefficients", term.coefficient)?;
        if term.coefficient == 0 {
            return Err(InequalityError::Zero(format_square(&term.square)));
        }
    }
    terms.sort_unstable();
    if let Some(pair) = terms.windows(2).find(|pair| pair[0].square == pair[1].square) {
        let value = format_square(&pair[0].square);
        return Err(InequalityError::Repeated { key: "squares", value });
    }
    Ok(terms)
}

/// Returns the squares of a box with the weights of their numbers of middle coordinates, in increasing order.
fn class_terms(sides: &[u32], classes: &[i64]) -> Result<Vec<Term>, InequalityError> {
    if sides.iter().any(|&side| side > 3) {
        return Err(InequalityError::ClassSides(format_sides(sides)));
    }
    let most = sides.iter().filter(|&&side| side == 3).count();
    if classes.len() != most + 1 {
        let (given, sides) = (classes.len(), format_sides(sides));
        return Err(InequalityError::ClassNumber { given, sides, most });
    }
    for &weight in classes {
        in_range("classes", weight)?;
    }
    if classes.iter().all(|&weight| weight == 0) {
        return Err(InequalityError::Zero("every class".to_owned()));
    }
    let mut squares: Vec<Vec<u32>> = vec![Vec::new()];
    for &side in sides {
        let extend = |square: Vec<u32>| (0..side).map(move |x| [&square[..], &[x]].concat());
        squares = squares.into_iter().flat_map(extend).collect();
    }
    let term = |square: Vec<u32>| {
        let class = square.iter().zip(sides).filter(|&(&x, &side)| side == 3 && x == 1).count();
        Term { square, coefficient: classes[class] }
    };
    Ok(squares.into_iter().map(term).filter(|term| term.coefficient != 0).collect())
}

/// Reads the inequalities of a CSV or LP file.
pub(super) fn read_file(file: &str, read: ReadFile<'_>) -> Result<Vec<OwnInequality>, InequalityError> {
    let text = read(file)
        .map_err(|fault| InequalityError::File { file: file.to_owned(), fault: fault.to_string() })?;
    let rows = match file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
        Some("csv") => table::rows(file, &text)?,
        Some("lp") => lp::rows(file, &text)?,
        _ => return Err(InequalityError::Extension(file.to_owned())),
    };
    if rows.is_empty() {
        return Err(InequalityError::NoRows(file.to_owned()));
    }
    rows.into_iter()
        .map(|row| {
            let name = row.name.clone();
            row.inequality(file).map_err(|fault| InequalityError::Row {
                file: file.to_owned(),
                row: name,
                fault: Box::new(fault),
            })
        })
        .collect()
}

impl FileRow {
    fn inequality(self, file: &str) -> Result<OwnInequality, InequalityError> {
        let (squares, coefficients) =
            self.terms.into_iter().map(|term| (term.square, term.coefficient)).unzip();
        Ok(OwnInequality {
            name: Some(self.name.clone()),
            label: format!("row {} of {}", escape(&self.name), escape(file)),
            support: Support::Squares(terms(squares, Some(coefficients))?),
            comparison: comparison(&self.sense)?,
            rhs: in_range("rhs", self.rhs)?,
        })
    }
}

fn comparison(sense: &str) -> Result<Comparison, InequalityError> {
    match sense {
        "<=" => Ok(Comparison::AtMost),
        ">=" => Ok(Comparison::AtLeast),
        "=" => Ok(Comparison::Equal),
        _ => Err(InequalityError::Sense(sense.to_owned())),
    }
}

fn in_range(key: &'static str, value: i64) -> Result<i64, InequalityError> {
    match (-MAX_NUMBER..=MAX_NUMBER).contains(&value) {
        true => Ok(value),
        false => Err(InequalityError::Range { key, value }),
    }
}

/// Checks that a list is not empty and has no 0.
fn positive(key: &'static str, list: Vec<u32>) -> Result<Vec<u32>, InequalityError> {
    match list.as_slice() {
        [] => Err(InequalityError::Empty(key)),
        list if list.contains(&0) => Err(InequalityError::NotPositive(key)),
        _ => Ok(list),
    }
}

/// Checks that a list is not empty and has no entry twice.
fn refuse_repetition<T: Ord + ToString>(key: &'static str, list: &[T]) -> Result<(), InequalityError> {
    if list.is_empty() {
        return Err(InequalityError::Empty(key));
    }
    let mut seen = BTreeSet::new();
    match list.iter().find(|entry| !seen.insert(*entry)) {
        Some(entry) => Err(InequalityError::Repeated { key, value: entry.to_string() }),
        None => Ok(()),
    }
}
