//! Proofs for VeriPB, a checker that others wrote: written beside their formulas, and checked by the program itself.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use ndqueens_crosscheck::opb::{self, FormulaFault, OpbFormula, ProofFault, Question, Verdict};
pub use ndqueens_exact::veripb::{LONG, Size};
use ndqueens_notation::error_class::{Classified as _, ErrorClass};
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::{self, FileError, Temporary, packed};
use serde_json::Map;
use tempfile::NamedTempFile;

use super::checker::Checker;
pub use super::checker::CheckerError;
use super::{Conclusion, Evidence, Given, Shown};

/// The checker as it is installed.
pub const INSTALL: &str = "cargo install veripb --version 3.0.2 --locked";

const VERIPB: Checker = Checker { program: "veripb", versions: "3.", install: INSTALL };

/// The formula of a proof: `FILE.opb` for `FILE.pbp` and `FILE.pbp.gz`.
#[must_use]
pub fn formula_of(proof: &Path) -> Option<PathBuf> {
    let unpacked = packed::without_ending(proof);
    (unpacked.extension() == Some(OsStr::new("pbp"))).then(|| unpacked.with_extension("opb"))
}

/// Proofs for VeriPB, packed or not.
#[derive(Debug)]
pub(super) struct VeriPb;

impl Evidence for VeriPb {
    fn name(&self) -> &'static str {
        "VeriPB proof"
    }

    fn archived_as(&self) -> Option<&'static str> {
        None
    }

    fn is_name(&self, name: &Path) -> bool {
        formula_of(name).is_some()
    }

    fn check(&self, given: Given<'_>) -> Result<Shown, super::Refusal> {
        let Accepted { board, at_most, attained, checker } = check(given.name, given.board, given.stop)?;
        let bounds = BTreeMap::from([(board.without_unit_sides(), at_most)]);
        Ok(Shown {
            board,
            conclusion: Conclusion::AtMost { value: at_most, attained, bounds },
            needs: BTreeMap::new(),
            words: checker.clone(),
            details: Map::from_iter([("attained".to_owned(), attained.into())]),
            checker: Some(checker),
        })
    }
}

/// What a proof shows that VeriPB accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The board.
    pub board: BoardName,
    /// No more queens than this fit.
    pub at_most: u64,
    /// Whether the proof shows a placement of as many.
    pub attained: bool,
    /// Name and version of the checker.
    pub checker: String,
}

/// Why a proof is not accepted, or could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The formula does not say whose it is.
    #[error("the formula {} does not name its board", .0.display())]
    NoBoard(PathBuf),
    /// The formula is not the board's.
    #[error("the formula is not that of {board}: {fault}")]
    Formula {
        /// The board.
        board: BoardName,
        /// Where they differ.
        fault: FormulaFault,
    },
    /// The proof is refused.
    #[error(transparent)]
    Proof(#[from] ProofFault),
    /// The verdict answers another question than the formula asks.
    #[error("VeriPB verified {verdict:?}, but the formula asks for {question:?}")]
    OtherQuestion {
        /// What was verified.
        verdict: Verdict,
        /// What was asked.
        question: Question,
    },
    /// The checker gave no verdict.
    #[error(transparent)]
    Checker(#[from] CheckerError),
    /// The system does not give what is needed, such as room for temporary files.
    #[error(
        "formula or proof cannot be saved: {fault}; temporary files are in {folder}, which TMPDIR changes",
        fault = .0,
        folder = std::env::temp_dir().display()
    )]
    Room(#[from] io::Error),
}

impl From<Refusal> for super::Refusal {
    fn from(refusal: Refusal) -> Self {
        let words = refusal.to_string();
        match refusal {
            Refusal::Checker(error) => error.into(),
            Refusal::Room(_) => Self::Failed(words),
            Refusal::NoBoard(_) => Self::NoBoard(words),
            Refusal::Formula { fault, .. } => match fault.class() {
                ErrorClass::BadInput | ErrorClass::Refuted => Self::Wrong(words),
                ErrorClass::Limit => Self::Limit(words),
                ErrorClass::Failure => Self::Failed(words),
            },
            refusal if refusal.is_verdict() => Self::Wrong(words),
            _ => Self::Unchecked(words),
        }
    }
}

impl Refusal {
    /// Whether it says that the proof is wrong, and not just that it could not be checked.
    #[must_use]
    pub fn is_verdict(&self) -> bool {
        match self {
            Self::Formula { fault, .. } => fault.class() == ErrorClass::Refuted,
            Self::Proof(_) | Self::OtherQuestion { .. } => true,
            Self::File(_) | Self::NoBoard(_) | Self::Checker(_) | Self::Room(_) => false,
        }
    }
}

/// Checks a proof with the program `veripb`: the formula beside it must be, apart from remarks, the one that crosscheck writes for the
/// board and the question that it names, the proof free of assumptions, and the verdict an answer to that question. Formula and
/// proof are read once; `veripb` gets crosscheck's formula and a copy of the proof. The board is the one that the formula names
/// when none is given. `stop` is asked now and then.
///
/// # Errors
/// When any of that is not so, or it cannot be found out.
///
/// # Panics
/// When `path` does not name a proof.
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

    let own = Temporary::new(NamedTempFile::new()?);
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
    let copy = Temporary::new(NamedTempFile::new()?);
    let mut out = copy.file();
    let mut block = vec![0; 1 << 16];
    loop {
        match proof.read(&mut block).map_err(|cause| FileError::new("read", path, cause))? {
            0 => return Ok(copy),
            length => out.write_all(&block[..length])?,
        }
    }
}
