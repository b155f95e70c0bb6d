//! Evidence for bounds: files of several kinds, each detected and checked in its own module.

mod certificate;
mod checker;
pub mod drat;
pub mod orbit_lp;
pub mod partition;
pub mod tree;
pub mod verified;
pub mod veripb;
pub mod vipr;
pub mod volume;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;

use ndqueens_crosscheck::proof::SolutionCount;
use ndqueens_model::board::Board;
use ndqueens_model::facts::ArchivedBounds;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::{self, packed};
use serde_json::{Map, Value};

/// Kind of file that shows a bound.
pub trait Evidence: fmt::Debug + Sync {
    /// Returns the name of the kind.
    fn name(&self) -> &'static str;

    /// Returns the file extension in an archive, without that of packing, or `None` for kinds that are not
    /// archived.
    fn archived_as(&self) -> Option<&'static str>;

    /// Returns `true` if the file name is one of this kind.
    fn is_name(&self, _name: &Path) -> bool {
        false
    }

    /// Returns `true` if a text is of this kind. `first` has its first 16 bytes or more, unless the text is
    /// shorter.
    fn begins(&self, _first: &[u8]) -> bool {
        false
    }

    /// Returns the maximum number of bytes that are read from a pipe, which may be endless.
    fn most_bytes(&self) -> u64 {
        file::LARGEST
    }

    /// Checks a file.
    ///
    /// # Errors
    /// Returns an error if the file is invalid or cannot be checked.
    fn check(&self, given: Given<'_>) -> Result<Statement, Refusal>;
}

/// Kinds that names or first bytes identify, in the order in which they are tested.
const KINDS: [&dyn Evidence; 5] =
    [&veripb::VeriPb, &drat::Drat, &vipr::Vipr, &orbit_lp::OrbitLp, &tree::Tree];

/// Certificates, the kind of files that are of no other kind.
pub const CERTIFICATE: &dyn Evidence = &certificate::OfSquares;

/// Returns the kind of this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().chain([CERTIFICATE]).find(|kind| kind.name() == name)
}

/// Returns the kind of file that has such a file name.
#[must_use]
pub fn by_file_name(name: &Path) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().find(|kind| kind.is_name(name))
}

/// Returns the kind of file with these first bytes, 16 or more unless the file is shorter.
#[must_use]
pub fn beginning(first: &[u8]) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().find(|kind| kind.begins(first))
}

/// Returns the maximum number of bytes that are read from a pipe with these first bytes, 16 or more.
#[must_use]
pub fn most_bytes(first: &[u8]) -> u64 {
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
    /// Text from the first byte. Kinds that depend on the name open the file at that path.
    pub text: &'a mut dyn BufRead,
    /// Board of the file; required if the file does not name its board.
    pub board: Option<&'a BoardName>,
    /// Polled by checks that run an external checker or several threads; they stop if it returns `true`.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Number of threads.
    pub threads: usize,
    /// Bounds of the archive, from which rows of a formula may take their right-hand sides.
    pub archived: &'a Arc<ArchivedBounds>,
}

/// Result of checking a file.
#[derive(Debug)]
pub struct Statement {
    /// Board of the file.
    pub board: BoardName,
    /// Statement about the board that the file proves.
    pub conclusion: Conclusion,
    /// Upper bounds of other boards on which the statement depends.
    pub needs: BTreeMap<BoardName, u64>,
    /// Description of the proof: `12 nodes, 19 sub-boxes`.
    pub words: String,
    /// Properties of the proof for machine-readable output, by name.
    pub details: Map<String, Value>,
    /// Name and version of the external checker, if one was used.
    pub checker: Option<String>,
}

impl Statement {
    /// Returns the upper bound on the number of queens on the board, if the file proves one.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        match &self.conclusion {
            Conclusion::Fit(_) | Conclusion::Restricted { .. } => None,
            Conclusion::AtMost { value, .. } => Some(*value),
            Conclusion::Count { bounds, .. } => bounds.get(&self.board.without_unit_sides()).copied(),
        }
    }

    /// Describes the statement and its proof: `at most 14 queens fit on 4^3 (12 nodes, 19 sub-boxes)`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (board, by) = (&self.board, &self.words);
        match &self.conclusion {
            Conclusion::Fit(certificate) => format!("{} fit on {board}", certificate.size()),
            Conclusion::AtMost { value, attained, .. } => {
                let also = match (attained, value) {
                    (false, _) => String::new(),
                    (true, 1) => ", and 1 does".to_owned(),
                    (true, value) => format!(", and {value} do"),
                };
                format!("at most {} on {board}{also} ({by})", Board::new(board).format_fitting(*value))
            }
            Conclusion::Restricted { problem, included, value, attained } => {
                let words = Board::new(board);
                let one = |number: u64| number == 1;
                let with = match included {
                    0 => String::new(),
                    included => format!(", with {} included", words.format_pieces(*included)),
                };
                let (claim, verb) = match problem {
                    Problem::IndependentSet | Problem::NoThreeInLine => {
                        (format!("at most {} on {board}", words.format_fitting(*value)), "do")
                    }
                    Problem::DominatingSet | Problem::IndependentDominatingSet => {
                        let dominate = if one(*value) { "dominates" } else { "dominate" };
                        let pieces = words.format_pieces(*value);
                        let pieces = match problem {
                            Problem::IndependentDominatingSet => pieces.replacen(' ', " independent ", 1),
                            _ => pieces,
                        };
                        (format!("at least {pieces} {dominate} {board}"), "do")
                    }
                };
                let verb = if one(*value) { "does" } else { verb };
                let also = if *attained { format!(", and {value} {verb}") } else { String::new() };
                format!("{claim}{with}{also} ({by})")
            }
            Conclusion::Count { count: SolutionCount { size, sets, no_more_fit }, .. } => {
                let pieces = Board::new(board).format_pieces(*size);
                match (sets, no_more_fit) {
                    (0, _) => format!("no independent set of {pieces} on {board} ({by})"),
                    (_, true) => {
                        let sets = counted(*sets, "maximum solution");
                        format!("exactly {sets} of {board}, of {pieces} ({by})")
                    }
                    (_, false) => {
                        let sets = counted(*sets, "independent set");
                        format!("exactly {sets} of {pieces} on {board} ({by})")
                    }
                }
            }
        }
    }
}

/// Statement about a board that a file proves.
#[derive(Debug)]
pub enum Conclusion {
    /// A placement of queens.
    Fit(Certificate),
    /// An upper bound.
    AtMost {
        /// Bound, in queens.
        value: u64,
        /// True if the file also proves that `value` queens fit.
        attained: bool,
        /// Bounds of all boards that the file bounds, including its own,
        /// [reduced](BoardName::without_unit_sides).
        bounds: BTreeMap<BoardName, u64>,
    },
    /// A bound other than for independent sets of the whole board: a lower bound for dominating sets, or a
    /// bound for sets with included squares.
    Restricted {
        /// Properties of the sets.
        problem: Problem,
        /// Number of squares that every set contains.
        included: u64,
        /// Bound on the number of squares: from above for independent sets, from below for dominating sets.
        value: u64,
        /// `true` if the file has a set of this size.
        attained: bool,
    },
    /// The number of independent sets of a size.
    Count {
        /// Size of the sets, their number, and whether no more queens fit.
        count: SolutionCount,
        /// Bounds of all boards that the file bounds, [reduced](BoardName::without_unit_sides).
        bounds: BTreeMap<BoardName, u64>,
    },
}

impl Conclusion {
    /// Returns the upper bound of one board.
    fn at_most(board: &BoardName, value: u64) -> Self {
        Self::AtMost { value, attained: false, bounds: BTreeMap::from([(board.without_unit_sides(), value)]) }
    }
}

/// Reason why a file proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The file was read, and its statement or proof is wrong.
    #[error("{0}")]
    Wrong(String),
    /// The file cannot be read: it is damaged, truncated, or in another format.
    #[error("{0}")]
    Unreadable(String),
    /// The file cannot be checked in the given form.
    #[error("{0}")]
    Unchecked(String),
    /// The file does not name its board, and none was given.
    #[error("{0}")]
    NoBoard(String),
    /// The system or this program failed.
    #[error("{0}")]
    Failed(String),
    /// The check reached a time limit or a limit of the checker, so the result is unknown.
    #[error("{0}")]
    Limit(String),
}

impl Refusal {
    /// Creates the refusal of a file of the kind `of`, given the error of its checker.
    #[must_use]
    pub fn new(error: &impl Classified, of: &str) -> Self {
        match error.class() {
            ErrorClass::BadInput => Self::unreadable(error, of),
            ErrorClass::Refuted => Self::Wrong(error.to_string()),
            ErrorClass::Limit => Self::Limit(error.to_string()),
            ErrorClass::Failure => Self::Failed(error.to_string()),
        }
    }

    /// Creates the refusal of a text that does not have the form of its kind.
    fn unreadable(why: impl fmt::Display, of: &str) -> Self {
        Self::Unreadable(format!("it cannot be read as {of}: {why}"))
    }

    /// Creates the refusal of a file of a kind that could not be read to its end.
    #[must_use]
    pub fn from_read_error(fault: &io::Error, of: &str) -> Self {
        use io::ErrorKind::{InvalidData, InvalidInput, TimedOut, UnexpectedEof};
        match fault.kind() {
            TimedOut => Self::Limit("the check was stopped before its end".to_owned()),
            InvalidData | InvalidInput | UnexpectedEof => Self::unreadable(fault, of),
            _ => Self::Failed(fault.to_string()),
        }
    }
}

/// Text that returns an error once its check is to stop.
struct Stoppable<'s, T> {
    text: T,
    stop: &'s (dyn Fn() -> bool + Sync),
}

impl<T: BufRead> Read for Stoppable<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

impl<T: BufRead> BufRead for Stoppable<'_, T> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if (self.stop)() { Err(io::ErrorKind::TimedOut.into()) } else { self.text.fill_buf() }
    }

    fn consume(&mut self, bytes: usize) {
        self.text.consume(bytes);
    }
}

/// Passes the uncompressed text to a checker. If the checker rejects a compressed text, reads it to its end,
/// where its checksum is, because a damaged file must not be reported as wrong.
///
/// # Errors
/// Returns the error of the checker, or that of a text that cannot be read.
pub fn check_unpacked<T, E: From<io::Error>>(
    text: &mut dyn BufRead,
    stop: &(dyn Fn() -> bool + Sync),
    check: impl FnOnce(&mut dyn BufRead) -> Result<T, E>,
) -> Result<T, E> {
    let is_packed = text.fill_buf()?.starts_with(&packed::MAGIC);
    let mut text = Stoppable { text: packed::read(text)?, stop };
    let checked = check(&mut text);
    if is_packed && checked.is_err() {
        io::copy(&mut text, &mut io::sink())?;
    }
    checked
}

impl From<checker::CheckerError> for Refusal {
    fn from(error: checker::CheckerError) -> Self {
        let words = error.to_string();
        match error {
            checker::CheckerError::Stopped(_) => Self::Limit(words),
            checker::CheckerError::Fault { .. } => Self::Failed(words),
            checker::CheckerError::Missing { .. } | checker::CheckerError::OtherProgram { .. } => {
                Self::Unchecked(words)
            }
        }
    }
}
