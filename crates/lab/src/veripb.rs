//! Proofs for VeriPB, a checker that others wrote: written beside their formulas, and checked by the program itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use ndqueens_crosscheck::opb::{self, Formula, FormulaFault, ProofFault, Question, Verdict};
use ndqueens_model::board::{Board, Square};
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::Progress;
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::control::{Control, Deadline, StopReason};
use ndqueens_solver::exact::Settings;
use ndqueens_solver::exact::table::BoxTable;
use ndqueens_solver::exact::veripb as proof;
pub use ndqueens_solver::exact::veripb::{LONG, Size};
use tempfile::NamedTempFile;

use crate::checker::Checker;
pub use crate::checker::Silence;
use crate::file::{self, FileError, Temporary, Unfinished};
use crate::packed;
use crate::solve::{Event, LabError, Watch};

/// The checker as it is installed.
pub const INSTALL: &str = "cargo install veripb --version 3.0.2 --locked";

const VERIPB: Checker = Checker { program: "veripb", versions: "3.", install: INSTALL };

/// Whether a file is a proof for VeriPB, packed or not, by its name.
#[must_use]
pub fn is_proof(path: &Path) -> bool {
    formula_of(path).is_some()
}

/// The formula of a proof: `FILE.opb` for `FILE.pbp` and `FILE.pbp.gz`.
#[must_use]
pub fn formula_of(proof: &Path) -> Option<PathBuf> {
    let unpacked = if packed::is_name(proof) { proof.with_extension("") } else { proof.to_owned() };
    (unpacked.extension() == Some(OsStr::new("pbp"))).then(|| unpacked.with_extension("opb"))
}

/// Writes the proof that a placement is maximum, and its formula beside it; by way of smaller boxes where trees would
/// take more than `long` bytes, such as [`LONG`], with their bounds from `boxes` if that is given. The watcher hears first
/// how long the proof will be. `Err` in the answer tells why it was stopped; then neither file is written.
///
/// # Errors
/// When a file cannot be written, the board is too large, or the placement is not maximum.
///
/// # Panics
/// When `path` does not name a proof.
pub fn write(
    board: &Board,
    placement: &[Square],
    boxes: Option<&BoxTable>,
    path: &Path,
    long: u64,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Result<Size, StopReason>, LabError> {
    let formula = formula(board, &formula_of(path).expect("the name of a proof"))?;
    let begin = Instant::now();
    let control = Control::default();
    let settings = Settings::new(&Heuristics, &control);
    let (sender, receiver) = mpsc::channel();
    let mut stopped = None;
    let written = thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let sender = sender;
            let mut tell = |size: Size| {
                // Nobody listens any more when the run was stopped.
                let _ = sender.send(size);
            };
            file::write(path, |out| {
                let size = if packed::is_name(path) {
                    packed::write(out, Compression::default(), |out| {
                        proof::write(board, placement, boxes, long, &settings, &mut tell, out)
                    })?
                } else {
                    proof::write(board, placement, boxes, long, &settings, &mut tell, out)?
                };
                size.ok_or_else(|| io::Error::from(io::ErrorKind::Interrupted))
            })
        });
        loop {
            let event = match receiver.recv_timeout(EVERY) {
                Ok(Size { nodes, bytes }) => Event::Stage(format!(
                    "proof for VeriPB: {nodes} nodes, about {:.1} MB{}",
                    bytes as f64 / 1e6,
                    if packed::is_name(path) { " before it is packed" } else { "" }
                )),
                Err(RecvTimeoutError::Timeout) => Event::Progress(Progress {
                    seconds: begin.elapsed().as_secs_f64(),
                    ..Progress::default()
                }),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let broken = watch(&event).is_break().then_some(StopReason::Interrupted);
            if let Some(reason) = stopped.or(broken).or(deadline.reason()) {
                stopped = Some(reason);
                control.stop();
            }
        }
        writer.join()
    });
    match (written.unwrap_or_else(|panic| std::panic::resume_unwind(panic)), stopped) {
        (Ok(size), _) => {
            formula.finish()?;
            Ok(Ok(size))
        }
        (Err(_), Some(reason)) => Ok(Err(reason)),
        (Err(fault), None) => Err(fault.into()),
    }
}

/// How often progress is told.
const EVERY: Duration = Duration::from_millis(50);

/// The formula that asks for most queens; the proof counts on the order of its rows. It gets its name when the proof has.
fn formula(board: &Board, path: &Path) -> Result<Unfinished, LabError> {
    let formula = Formula::new(board.name(), Question::Maximum)?;
    let unfinished = Unfinished::beside(path)?;
    unfinished.write(|out| out.write_all(formula.text().as_bytes()))?;
    Ok(unfinished)
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
    #[error("the formula {} does not name its board; name it with --board", .0.display())]
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
    Checker(#[from] Silence),
    /// The system does not give what is needed, such as room for temporary files.
    #[error(
        "formula or proof cannot be kept: {fault}; temporary files are in {folder}, which TMPDIR changes",
        fault = .0,
        folder = std::env::temp_dir().display()
    )]
    Room(#[from] io::Error),
}

impl Refusal {
    /// Whether it says that the proof is wrong, and not just that it could not be checked.
    #[must_use]
    pub fn is_verdict(&self) -> bool {
        match self {
            Self::Formula { fault, .. } => !matches!(fault, FormulaFault::Lines { .. }),
            Self::Proof(_) | Self::OtherQuestion { .. } => true,
            Self::File(_) | Self::NoBoard(_) | Self::Checker(_) | Self::Room(_) => false,
        }
    }

    /// Whether it says that the system failed, or this program.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Checker(silence) => silence.is_of_the_system(),
            Self::Room(_) | Self::Formula { fault: FormulaFault::Lines { .. }, .. } => true,
            _ => false,
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
    let named = || BoardName::read(opb::board(&text)?, &file::open).ok();
    let board = board.cloned().or_else(named).ok_or_else(|| Refusal::NoBoard(formula_path.clone()))?;
    let other = |fault| Refusal::Formula { board: board.clone(), fault };
    let question = opb::question(&text).map_err(other)?;
    let formula = Formula::new(&board, question).map_err(other)?;
    formula.compare(&text).map_err(other)?;
    let proof = copy(path)?;
    opb::refuse_assumptions(BufReader::new(File::open(proof.path())?))?;
    let checker = VERIPB.version()?;

    let own = Temporary::new(NamedTempFile::new()?);
    own.file().write_all(formula.text().as_bytes())?;
    let arguments = [OsStr::new("--opb"), own.path().as_os_str(), proof.path().as_os_str()];
    let output = VERIPB.run(&arguments, stop)?;
    let (at_most, attained) = match (question, opb::verdict(&output)?) {
        (Question::Maximum, Verdict::Optimal(value)) if value <= 0 => (value.unsigned_abs(), true),
        (Question::AtLeast(k), Verdict::Unsatisfiable) => (k - 1, false),
        (question, verdict) => return Err(Refusal::OtherQuestion { verdict, question }),
    };
    Ok(Accepted { board, at_most, attained, checker })
}

/// A copy of a proof, unpacked when it is packed.
fn copy(path: &Path) -> Result<Temporary, Refusal> {
    let mut proof = packed::open(path).map_err(|cause| FileError::new("read", path, cause))?;
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
