//! DRAT proofs of upper bounds. In builds with the feature `sat`, a SAT solver writes them. The external
//! program `rate` checks them.
//!
//! A proof is about exactly the formula that crosscheck writes; the checker receives that formula each time.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndqueens_crosscheck::cnf::{self, CnfFormula, NotVerified};
use ndqueens_crosscheck::graph::TooManySquares;
use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds, Provenance};
use ndqueens_model::format::{self, FileFormat, Format, Subject};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::{self, FileError, Temporary, packed};

use super::{Checker, CheckerError, veripb};

/// Installation instructions for the checker.
pub const INSTALL: &str = "cargo install rate --version 0.3.0 --locked";

const RATE: Checker = Checker { program: "rate", versions: "0.", install: INSTALL };

/// Returns the path of the formula of a proof: `FILE.cnf` for `FILE.drat` and `FILE.drat.gz`.
#[must_use]
pub fn formula_of(proof: &Path) -> Option<PathBuf> {
    let unpacked = packed::without_ending(proof);
    (unpacked.extension()? == "drat").then(|| unpacked.with_extension("cnf"))
}

/// Bound by a proof that rate verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// Board of the proof.
    pub board: BoardName,
    /// Upper bound on the number of queens.
    pub at_most: u64,
    /// Name and version of the checker.
    pub checker: String,
    /// Formulation, if `ndq model` wrote the formula and not crosscheck.
    pub formulation: Option<String>,
    /// Upper bounds of smaller boards that rows of the formula state.
    pub needs: BTreeMap<BoardName, u64>,
}

/// Reason why a proof is rejected or could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The board is too large.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
    /// The formula does not state its question.
    #[error("the formula {} does not say in its first two lines, or in the comments of ndq model, which board it is about and how many queens it asks for", .0.display())]
    NoQuestion(PathBuf),
    /// The formula states a question for which no formula can be written.
    #[error("the formula {} names a question for which no formula can be written: {reason}", path.display())]
    Model {
        /// Path of the formula.
        path: PathBuf,
        /// Reason in words.
        reason: String,
    },
    /// The formula differs from the one for its question.
    #[error("the formula {} is not that of {board} and {at_least} queens", path.display())]
    OtherFormula {
        /// Path of the formula.
        path: PathBuf,
        /// Board that it names.
        board: BoardName,
        /// Number of queens that it names.
        at_least: u64,
    },
    /// The proof is rejected.
    #[error(transparent)]
    Proof(#[from] NotVerified),
    /// The checker gave no verdict.
    #[error(transparent)]
    Checker(#[from] CheckerError),
}

impl From<io::Error> for Refusal {
    fn from(fault: io::Error) -> Self {
        CheckerError::Room(fault).into()
    }
}

impl Refusal {
    /// Returns `true` if the proof is wrong, rather than impossible to check.
    #[must_use]
    pub fn is_verdict(&self) -> bool {
        matches!(self, Self::OtherFormula { .. } | Self::Proof(_))
    }

    /// Returns `true` if the system failed.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Checker(silence) if silence.is_failure())
    }
}

/// Returns name and version of the checker. `stop` is polled while it runs.
///
/// # Errors
/// Returns an error if the checker is not installed.
pub fn checker(stop: &dyn Fn() -> bool) -> Result<String, Refusal> {
    Ok(RATE.version(stop)?)
}

/// Checks a proof with the program `rate`. The file of its formula, see [`formula_of`], must be, byte for
/// byte, the one that crosscheck writes for the board and number that it names, or the one that `ndq model`
/// writes for the question in its first comments. `rate` must verify the proof against that formula. `stop`
/// is polled while the checker runs.
///
/// # Errors
/// Returns an error if the formula differs, the proof is rejected, or it cannot be checked.
///
/// # Panics
/// Panics if `path` is not the name of a proof.
pub fn check(
    path: &Path,
    archived: &Arc<ArchivedBounds>,
    stop: &dyn Fn() -> bool,
) -> Result<Accepted, Refusal> {
    let formula_path = formula_of(path).expect("the name of a proof");
    let text = file::read_as_it_is(&formula_path)?;
    let question = cnf::parse_question(&text)
        .and_then(|(board, k)| Some((BoardName::parse_with(board, &file::open).ok()?, k)));
    let Some((board, at_least)) = question.filter(|(_, at_least)| *at_least > 0) else {
        return check_model(path, &formula_path, &text, archived, stop);
    };
    let proof = veripb::copy::<Refusal>(path)?;
    let formula = CnfFormula::new(&board, at_least)?;
    let own = Written::new(&formula)?;
    if std::fs::read(own.path())? != text.as_bytes() {
        return Err(Refusal::OtherFormula { path: formula_path, board, at_least });
    }
    let checker = checker(stop)?;
    own.refuted_by(proof.path(), stop)?;
    Ok(Accepted { board, at_most: at_least - 1, checker, formulation: None, needs: BTreeMap::new() })
}

/// Checks a proof for a formula that `ndq model` wrote, which names board, formulation and goal in its first
/// comments.
fn check_model(
    path: &Path,
    formula_path: &Path,
    text: &str,
    archived: &Arc<ArchivedBounds>,
    stop: &dyn Fn() -> bool,
) -> Result<Accepted, Refusal> {
    let no_question = || Refusal::NoQuestion(formula_path.to_owned());
    let heading = format::heading(text, FileFormat::Program(Format::Cnf)).ok_or_else(no_question)?;
    let Subject::Formulation { name, goal } = heading.subject else { return Err(no_question()) };
    let (Goal::AtLeast(at_least) | Goal::Exactly(at_least)) = goal else { return Err(no_question()) };
    let board = BoardName::parse_with(&heading.board, &file::open).map_err(|_| no_question())?;
    let unsuited = |reason: String| Refusal::Model { path: formula_path.to_owned(), reason };
    let formulation = Formulation::builtin(&name).map_err(|fault| unsuited(fault.to_string()))?;
    if formulation.problem != Problem::IndependentSet || at_least == 0 {
        return Err(no_question());
    }
    let proof = veripb::copy::<Refusal>(path)?;
    let (place, bounds) = (Board::new(&board), Bounds::with_publications(archived));
    let variant = Variant::of(goal);
    // The text has a line for every column, so the model is no larger than the text allows.
    let memory = (text.len() as u64).saturating_mul(1000).max(1 << 28);
    let model = Model::for_writing(&place, &formulation, variant, &bounds, memory)
        .map_err(|fault| unsuited(fault.to_string()))?;
    let own = Written::fill(|out| Format::Cnf.write(&model, out).map(|_| ()))?;
    if std::fs::read(own.path())? != text.as_bytes() {
        return Err(Refusal::OtherFormula { path: formula_path.to_owned(), board, at_least });
    }
    let needs = model.bounds().iter().filter(|bound| !matches!(bound.provenance, Provenance::Theorem(_)));
    let needs = needs.map(|bound| (bound.board.clone(), bound.value)).collect();
    let checker = checker(stop)?;
    own.refuted_by(proof.path(), stop)?;
    Ok(Accepted { board, at_most: at_least - 1, checker, formulation: Some(name), needs })
}

/// Formula in a temporary file.
pub(crate) struct Written(Temporary);

impl Written {
    pub(crate) fn new(formula: &CnfFormula) -> io::Result<Self> {
        Self::fill(|out| formula.write(out))
    }

    /// Creates the file with the text that `write` writes.
    fn fill(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<Self> {
        let temporary = Temporary::create()?;
        let mut out = io::BufWriter::new(temporary.file());
        write(&mut out)?;
        io::Write::flush(&mut out)?;
        drop(out);
        Ok(Self(temporary))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the checker on the formula and a proof.
    pub(crate) fn refuted_by(&self, proof: &Path, stop: &dyn Fn() -> bool) -> Result<(), Refusal> {
        RATE.verdict(&[self.path(), proof], stop, |output| Ok(cnf::check_verdict(output)?))
    }
}
