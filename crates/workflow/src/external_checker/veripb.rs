//! Proofs for the external checker VeriPB: written together with their formulas, and checked by the program
//! itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use ndqueens_crosscheck::opb::{self, FormulaFault, OpbFormula, ProofFault, Question, Verdict};
pub use ndqueens_exact::veripb::{LONG, Size};
use ndqueens_notation::error_class::{Classified as _, ErrorClass};
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::{self, FileError, Temporary, packed};

use super::{Checker, CheckerError};

/// Installation instructions for the checker.
pub const INSTALL: &str = "cargo install veripb --version 3.0.2 --locked";

const VERIPB: Checker = Checker { program: "veripb", versions: "3.", install: INSTALL };

/// Returns the path of the formula of a proof: `FILE.opb` for `FILE.pbp` and `FILE.pbp.gz`.
#[must_use]
pub fn formula_of(proof: &Path) -> Option<PathBuf> {
    let unpacked = packed::without_ending(proof);
    (unpacked.extension() == Some(OsStr::new("pbp"))).then(|| unpacked.with_extension("opb"))
}

/// Bound by a proof that VeriPB accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// Board of the proof.
    pub board: BoardName,
    /// Upper bound on the number of queens.
    pub at_most: u64,
    /// True if the proof shows a placement of `at_most` queens.
    pub attained: bool,
    /// Name and version of the checker.
    pub checker: String,
}

/// Reason why a proof is rejected or could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The formula does not name its board.
    #[error("the formula {} does not name its board", .0.display())]
    NoBoard(PathBuf),
    /// The formula is not that of the board.
    #[error("the formula is not that of {board}: {fault}")]
    Formula {
        /// Board of the formula.
        board: BoardName,
        /// Difference between the formulas.
        fault: FormulaFault,
    },
    /// The proof is rejected.
    #[error(transparent)]
    Proof(#[from] ProofFault),
    /// The verdict does not answer the question of the formula.
    #[error("VeriPB verified {verdict:?}, but the formula asks for {question:?}")]
    OtherQuestion {
        /// Verdict of VeriPB.
        verdict: Verdict,
        /// Question of the formula.
        question: Question,
    },
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
        match self {
            Self::Formula { fault, .. } => fault.class() == ErrorClass::Refuted,
            Self::Proof(_) | Self::OtherQuestion { .. } => true,
            Self::File(_) | Self::NoBoard(_) | Self::Checker(_) => false,
        }
    }
}

/// Checks a proof with the program `veripb`. The file of its formula, see [`formula_of`], must be, apart from
/// comments, the one that crosscheck writes for the board and the question that it names; the proof must have
/// no assumptions; and the verdict must answer that question. Formula and proof are read once: `veripb`
/// receives crosscheck's formula and a copy of the proof. If `board` is `None`, the board is the one that the
/// formula names. `stop` is polled while the checker runs.
///
/// # Errors
/// Returns an error if the formula differs, the proof is rejected, or it cannot be checked.
///
/// # Panics
/// Panics if `path` is not the name of a proof.
pub fn check(path: &Path, board: Option<&BoardName>, stop: &dyn Fn() -> bool) -> Result<Accepted, Refusal> {
    let formula_path = formula_of(path).expect("the name of a proof");
    let text = file::read_as_it_is(&formula_path)?;
    let named = || BoardName::parse_with(opb::parse_board(&text)?, &file::open).ok();
    let board = board.cloned().or_else(named).ok_or_else(|| Refusal::NoBoard(formula_path.clone()))?;
    let other = |fault| Refusal::Formula { board: board.clone(), fault };
    let question = opb::parse_question(&text).map_err(other)?;
    let formula = OpbFormula::new(&board, question).map_err(other)?;
    formula.compare(&text).map_err(other)?;
    let proof = copy::<Refusal>(path)?;
    opb::refuse_assumptions(BufReader::new(File::open(proof.path())?))?;
    let checker = VERIPB.version(stop)?;

    let own = Temporary::create()?;
    own.file().write_all(formula.text().as_bytes())?;
    let arguments = [OsStr::new("--opb"), own.path().as_os_str(), proof.path().as_os_str()];
    let verdict = VERIPB.verdict(&arguments, stop, |output| Ok::<_, Refusal>(opb::parse_verdict(output)?))?;
    let (at_most, attained) = match (question, verdict) {
        (Question::Maximum, Verdict::Optimal(value)) if value <= 0 => (value.unsigned_abs(), true),
        (Question::AtLeast(k), Verdict::Unsatisfiable) => (k - 1, false),
        (question, verdict) => return Err(Refusal::OtherQuestion { verdict, question }),
    };
    Ok(Accepted { board, at_most, attained, checker })
}

/// Copies a proof into a temporary file, uncompressed.
pub(super) fn copy<E: From<FileError> + From<io::Error>>(path: &Path) -> Result<Temporary, E> {
    let opened = file::open_to_read(path).and_then(|file| packed::read(BufReader::new(file)));
    let mut proof = opened.map_err(|cause| FileError::new("read", path, cause))?;
    let copy = Temporary::create()?;
    let mut out = copy.file();
    let mut block = vec![0; 1 << 16];
    loop {
        match proof.read(&mut block).map_err(|cause| FileError::new("read", path, cause))? {
            0 => return Ok(copy),
            length => out.write_all(&block[..length])?,
        }
    }
}
