//! What shows that a bound holds: files of several kinds, each detected and checked in a file of its own.

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

/// A kind of file that shows a bound.
pub trait Evidence: fmt::Debug + Sync {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// The extension of such a file in an archive, unless it is packed; `None` for what an outside program checks, which archives do not keep.
    fn archived_as(&self) -> Option<&'static str>;

    /// Whether the name of a file says that it is of this kind.
    fn is_name(&self, _name: &Path) -> bool {
        false
    }

    /// Whether a text is of this kind, by its first bytes, 16 or more if it has as many.
    fn begins(&self, _first: &[u8]) -> bool {
        false
    }

    /// How many bytes are read of one that comes through a pipe: there is no end to what a pipe may give.
    fn most_bytes(&self) -> u64 {
        file::LARGEST
    }

    /// Checks a file.
    ///
    /// # Errors
    /// When it does not hold, or that cannot be found out.
    fn check(&self, given: Given<'_>) -> Result<Shown, Refusal>;
}

/// The kinds that names or first bytes tell, in the order in which a file is asked which it is.
const KINDS: [&dyn Evidence; 5] =
    [&veripb::VeriPb, &drat::Drat, &vipr::Vipr, &orbit_lp::OrbitLp, &tree::Tree];

/// Certificates, which are what is none of the other kinds.
pub const CERTIFICATE: &dyn Evidence = &certificate::OfSquares;

/// The kind that is called so.
#[must_use]
pub fn called(name: &str) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().chain([CERTIFICATE]).find(|kind| kind.name() == name)
}

/// The kind of file that has such a name.
#[must_use]
pub fn named(name: &Path) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().find(|kind| kind.is_name(name))
}

/// The kind of file that begins with these bytes, 16 or more if it has as many.
#[must_use]
pub fn beginning(first: &[u8]) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().find(|kind| kind.begins(first))
}

/// How many bytes are read of a pipe that begins with these, 16 or more.
#[must_use]
pub fn most_bytes(first: &[u8]) -> u64 {
    // So few bytes of a compressed file do not say what it holds, and proofs are the longest.
    if first.starts_with(&packed::MAGIC) {
        return tree::LONGEST;
    }
    beginning(first).unwrap_or(CERTIFICATE).most_bytes()
}

/// What is checked.
#[allow(missing_debug_implementations, reason = "a reader and a function have nothing to show")]
pub struct Given<'a> {
    /// Its name, beside which outside checkers find its formula.
    pub name: &'a Path,
    /// Its text, from the first byte. What goes by the name is opened there.
    pub text: &'a mut dyn BufRead,
    /// The board that it must be about, when the file itself need not tell.
    pub board: Option<&'a BoardName>,
    /// Asked now and then whether an outside checker, or one on several threads, is to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// On how many threads it may be checked.
    pub threads: usize,
    /// The bounds of the archive, from which rows of a formula may have their right-hand sides.
    pub archived: &'a Arc<ArchivedBounds>,
}

/// What a file shows, checked.
#[derive(Debug)]
pub struct Shown {
    /// The board that it is about.
    pub board: BoardName,
    /// What it shows of that board.
    pub conclusion: Conclusion,
    /// Upper bounds that it rests on and does not show.
    pub needs: BTreeMap<BoardName, u64>,
    /// How it shows that: `12 nodes, 19 sub-boxes`.
    pub words: String,
    /// The same by name, for programs.
    pub details: Map<String, Value>,
    /// The outside program whose word it is.
    pub checker: Option<String>,
}

impl Shown {
    /// No more queens than this fit on the board, if it shows that.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        match &self.conclusion {
            Conclusion::Fit(_) | Conclusion::Restricted { .. } => None,
            Conclusion::AtMost { value, .. } => Some(*value),
            Conclusion::Count { bounds, .. } => bounds.get(&self.board.without_unit_sides()).copied(),
        }
    }

    /// What it shows, and how: `at most 14 queens fit on 4^3 (12 nodes, 19 sub-boxes)`.
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

/// What a file shows of its board.
#[derive(Debug)]
pub enum Conclusion {
    /// These queens fit.
    Fit(Certificate),
    /// No more fit.
    AtMost {
        /// The bound, in queens.
        value: u64,
        /// Whether it shows, too, that so many fit.
        attained: bool,
        /// The bounds of all boards that it bounds, its own among them, [reduced](BoardName::without_unit_sides).
        bounds: BTreeMap<BoardName, u64>,
    },
    /// A bound that is not one of independent sets of the whole board: of dominating sets, from below, or of sets with included squares.
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
    /// So many independent sets of a size are there.
    Count {
        /// The size of the sets, and how many there are; whether no more queens fit.
        count: SolutionCount,
        /// The bounds of all boards that it bounds, [reduced](BoardName::without_unit_sides).
        bounds: BTreeMap<BoardName, u64>,
    },
}

impl Conclusion {
    /// A bound of one board.
    fn at_most(board: &BoardName, value: u64) -> Self {
        Self::AtMost { value, attained: false, bounds: BTreeMap::from([(board.without_unit_sides(), value)]) }
    }
}

/// Why a file shows nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It was read, and it does not hold.
    #[error("{0}")]
    Wrong(String),
    /// It cannot be read: it is damaged, cut off, or in another format.
    #[error("{0}")]
    Unreadable(String),
    /// It cannot be checked as it was given.
    #[error("{0}")]
    Unchecked(String),
    /// It does not tell which board it is about, and none was given.
    #[error("{0}")]
    NoBoard(String),
    /// The system failed, or this program.
    #[error("{0}")]
    Failed(String),
    /// The check reached a limit, of time or of what the checker takes, so that nothing is shown either way.
    #[error("{0}")]
    Limit(String),
}

impl Refusal {
    /// Creates the refusal of a file of a kind, given the error of its checker.
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
    pub fn of_read(fault: &io::Error, of: &str) -> Self {
        use io::ErrorKind::{InvalidData, InvalidInput, TimedOut, UnexpectedEof};
        match fault.kind() {
            TimedOut => Self::Limit("the check was stopped before its end".to_owned()),
            InvalidData | InvalidInput | UnexpectedEof => Self::unreadable(fault, of),
            _ => Self::Failed(fault.to_string()),
        }
    }
}

/// Text that ends in an error as soon as its check is to stop.
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

/// Passes a text to a checker, uncompressed. If the checker does not accept a compressed text, it is read to its end, where its checksum
/// stands: a damaged file is not one that was read and shown false.
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
