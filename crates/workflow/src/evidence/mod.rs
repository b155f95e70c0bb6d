//! Evidence: the kinds of files that `ndq check` accepts, each recognised and checked in its own module.
//!
//! [`check_file`] looks a file up among the [kinds](Evidence), in three passes: by its name, by its first
//! bytes and by its whole text. Each pass tests the kinds in the order of the registry. The kind checks the
//! file. If that proves a [`Statement`], second opinions are requested and the bounds that it needs are
//! checked again, before the statement is reported.

mod answer;
mod archived_placement;
mod asked_model;
mod check_kind;
mod colouring;
mod colouring_text;
mod drat;
mod error;
mod facets;
mod foundation;
mod list;
mod options;
pub mod orbit_lp;
pub mod partition;
mod placement;
mod refusal;
mod report;
mod squares;
mod statement;
pub mod tree;
mod unpacked;
pub mod verified;
mod veripb;
pub mod vipr;
pub mod volume;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use ndqueens_system::file::{self, FileError, packed};

pub use self::asked_model::AskedModelError;
pub use self::check_kind::CheckedBound;
pub use self::colouring::CheckedColouring;
pub use self::error::EvidenceError;
pub use self::facets::CheckedFacets;
pub use self::foundation::Foundation;
pub use self::list::CheckedList;
pub use self::options::{AnswerOptions, CheckOptions, OptionsError};
pub use self::placement::CheckedPlacements;
pub use self::refusal::Refusal;
pub use self::report::{FileReport, FileVerdict, JsonObject};
pub use self::squares::CheckedSquares;
pub use self::statement::{Conclusion, Statement};
pub use self::unpacked::check_unpacked;

/// Kind of file that can be checked.
pub trait Evidence: fmt::Debug + Sync {
    /// Returns the name of the kind.
    fn name(&self) -> &'static str;

    /// Returns the file extension in an archive, without that of packing, or `None` for kinds that are not
    /// archived.
    fn archived_as(&self) -> Option<&'static str> {
        None
    }

    /// Returns `true` if the file name is one of this kind. The kind opens such a file itself.
    fn is_name(&self, _name: &Path) -> bool {
        false
    }

    /// Returns `true` if a text is of this kind. `first` has its first 16 bytes or more, unless the text is
    /// shorter.
    fn begins(&self, _first: &[u8]) -> bool {
        false
    }

    /// Returns `true` if a whole text, unpacked, is of this kind.
    fn is_text(&self, _text: &str, _options: &CheckOptions<'_>) -> bool {
        false
    }

    /// Returns the maximum number of bytes that are read from a pipe, which may be endless.
    fn most_bytes(&self) -> u64 {
        file::LARGEST
    }

    /// Checks that the given options apply to a file of this kind. By default, those for files with squares
    /// do not.
    ///
    /// # Errors
    /// Returns an error that names the options that do not apply.
    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        options.refuse_squares(name)
    }

    /// Checks a file.
    ///
    /// # Errors
    /// Returns an error if the file is invalid or cannot be checked.
    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError>;
}

/// Kinds of files, in the order in which they are tested. Answers of other programs are recognised by the
/// options, and placements are texts of no other kind.
const KINDS: [&dyn Evidence; 10] = [
    &veripb::VeriPb,
    &drat::Drat,
    &vipr::Vipr,
    &orbit_lp::OrbitLp,
    &tree::Tree,
    &list::List,
    &colouring::Coloured,
    &facets::Facets,
    &answer::Answer,
    &placement::Placement,
];

/// Certificates in the native format only, the placements that archives store.
pub const CERTIFICATE: &dyn Evidence = &archived_placement::ArchivedPlacement;

/// Returns the kind of this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().chain([CERTIFICATE]).find(|kind| kind.name() == name)
}

/// Returns the kind of file with these first bytes, 16 or more unless the file is shorter.
#[must_use]
pub fn beginning(first: &[u8]) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().find(|kind| kind.begins(first))
}

/// Returns the maximum number of bytes that are read from a pipe with these first bytes, 16 or more.
fn most_bytes(first: &[u8]) -> u64 {
    // The first bytes of a compressed file do not identify its kind; proof trees are the longest kind.
    if first.starts_with(&packed::MAGIC) {
        return tree::LONGEST;
    }
    beginning(first).unwrap_or(CERTIFICATE).most_bytes()
}

/// File to check.
#[allow(missing_debug_implementations, reason = "a reader and a function have nothing to show")]
pub struct Given<'a> {
    /// Path of the file, from which that of its formula is derived for external checkers.
    pub name: &'a Path,
    /// Text from the first byte; empty for kinds that are recognised by the name, which open the file at that
    /// path.
    pub text: &'a mut dyn BufRead,
    /// Options of the check.
    pub options: &'a CheckOptions<'a>,
}

/// Result of a check that was completed.
#[derive(Debug)]
pub enum CheckedFile {
    /// The file proves this statement, if the bounds that it needs hold.
    Statement(Statement),
    /// The file is of a kind that proves no statement about a maximum, or it does not hold.
    Report(FileReport),
}

impl From<Statement> for CheckedFile {
    fn from(statement: Statement) -> Self {
        Self::Statement(statement)
    }
}

impl From<FileReport> for CheckedFile {
    fn from(report: FileReport) -> Self {
        Self::Report(report)
    }
}

impl CheckedFile {
    /// Returns the statement that the file proves.
    ///
    /// # Errors
    /// Returns an error if it proves none.
    pub fn into_statement(self) -> Result<Statement, Refusal> {
        match self {
            Self::Statement(statement) => Ok(statement),
            Self::Report(_) => Err(Refusal::Unchecked("it is not of a kind that shows a bound".to_owned())),
        }
    }
}

/// Checks a text of a kind, and returns the statement that it proves.
///
/// # Errors
/// Returns an error if it proves none or cannot be checked.
pub fn prove(
    kind: &dyn Evidence,
    text: &mut dyn BufRead,
    options: &CheckOptions<'_>,
) -> Result<Statement, Refusal> {
    match kind.check(Given { name: Path::new(""), text, options }) {
        Ok(checked) => checked.into_statement(),
        Err(EvidenceError::Refusal(refusal)) => Err(refusal),
        Err(error) => Err(Refusal::new(&error, kind.name())),
    }
}

/// Checks a file, which may be compressed or a pipe, and reports the result. `others` are kinds in addition
/// to those of this module; they are tested first.
///
/// # Errors
/// Returns an error if the file cannot be read or checked, or if options do not apply to its kind.
///
/// # Examples
/// ```
/// use ndqueens_system::note::Notes;
/// use ndqueens_workflow::evidence::{CheckOptions, FileVerdict, check_file};
/// use ndqueens_workflow::run::PriorResults;
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("four.txt");
/// std::fs::write(&file, ".Q..\n...Q\nQ...\n..Q.\n")?;
/// let (prior, notes) = (PriorResults::none(), Notes::default());
/// let options = CheckOptions::new(&|| false, 1, &prior, &notes);
/// let report = check_file(&file, &options, &[])?;
/// assert_eq!(report.verdict, FileVerdict::Holds);
/// assert!(report.text.contains("4 squares of 4^2 are an independent set"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_file(
    name: &Path,
    options: &CheckOptions<'_>,
    others: &[&'static dyn Evidence],
) -> Result<FileReport, EvidenceError> {
    let kinds = || others.iter().copied().chain(KINDS);
    if let Some(kind) = kinds().find(|kind| kind.is_name(name)) {
        return check_kind::check(kind, Given { name, text: &mut io::empty(), options }, name);
    }
    let input = file::input(name, most_bytes)?;
    let unreadable = |cause| FileError::new("read", name, cause);
    let mut contents = BufReader::new(File::open(input.path()).map_err(unreadable)?);
    let first = contents.fill_buf().map_err(unreadable)?;
    if let Some(kind) = kinds().find(|kind| kind.begins(first)) {
        return check_kind::check(kind, Given { name, text: &mut contents, options }, input.path());
    }
    let text = file::read(input.path()).map_err(|fault| fault.of(name))?;
    if options.convention.is_native() && !options.answer.is_given() {
        refuse_mark(name, input.path())?;
    }
    let kind = kinds().find(|kind| kind.is_text(&text, options)).expect("any text is a placement");
    check_kind::check(kind, Given { name, text: &mut text.as_bytes(), options }, input.path())
}

/// Returns an error if a file starts with a byte order mark, which other checkers do not read.
fn refuse_mark(name: &Path, contents: &Path) -> Result<(), EvidenceError> {
    let mut first = Vec::new();
    let read = File::open(contents).and_then(|file| file.take(3).read_to_end(&mut first));
    read.map_err(|cause| FileError::new("read", name, cause))?;
    match first == "\u{feff}".as_bytes() {
        true => Err(EvidenceError::ByteOrderMark(name.to_owned())),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn kinds_have_distinct_names() {
        let names: BTreeSet<&str> = KINDS.into_iter().chain([CERTIFICATE]).map(Evidence::name).collect();
        assert_eq!(names.len(), KINDS.len() + 1);
        assert!(names.iter().all(|name| by_name(name).is_some_and(|kind| kind.name() == *name)));
    }
}
