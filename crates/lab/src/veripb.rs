//! Proofs for VeriPB, a checker that others wrote: written beside their formulas, and checked by the program itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use ndqueens_crosscheck::opb::{self, FormulaFault, ProofFault, Question, Verdict};
use ndqueens_model::board::{Board, Square};
use ndqueens_model::bound::Bounds;
use ndqueens_model::format::Format;
use ndqueens_model::formulation::{Formulation, Goal, Variant};
use ndqueens_model::name::BoardName;
use ndqueens_model::recipe::Recipe;
use ndqueens_solver::backend::{Progress, StopReason};
use ndqueens_solver::deadline::Deadline;
use ndqueens_solver::exact::Control;
use ndqueens_solver::exact::table::BoxTable;
use ndqueens_solver::exact::veripb as proof;
pub use ndqueens_solver::exact::veripb::{LONG, Size};
use tempfile::NamedTempFile;

use crate::checker::{self, Silence};
use crate::file::{self, FileError, Temporary, Unfinished};
use crate::machine;
use crate::packed;
use crate::solve::{Event, LabError, Watch};

/// The checker as it is installed.
pub const INSTALL: &str = "cargo install veripb --version 3.0.2 --locked";

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
    deadline: impl Into<Deadline>,
    watch: &mut Watch<'_>,
) -> Result<Result<Size, StopReason>, LabError> {
    let formula = formula(board, &formula_of(path).expect("the name of a proof"))?;
    let (begin, deadline) = (Instant::now(), deadline.into());
    let control = Control::default();
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
                        proof::write(board, placement, boxes, long, &control, &mut tell, out)
                    })?
                } else {
                    proof::write(board, placement, boxes, long, &control, &mut tell, out)?
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

/// The recipe `base`: the rows of the lines in the order that the proof counts on. It gets its name when the proof has.
fn formula(board: &Board, path: &Path) -> Result<Unfinished, LabError> {
    let base = Recipe::shipped("base").expect("a shipped recipe");
    let bounds = Bounds::default();
    let memory = machine::memory_for_models();
    let formula = Formulation::new(board, &base, Variant::of(Goal::Optimise), &bounds, memory)?;
    let unfinished = Unfinished::beside(path)?;
    unfinished.write(|out| Format::Opb.write(&formula, out))?;
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
    /// There is no checker.
    #[error("the program veripb is not on the path; to install it: {INSTALL}")]
    NoChecker,
    /// The checker could not be run to its end.
    #[error("veripb could not be run: {0}")]
    Checker(#[from] io::Error),
    /// The checker took too long.
    #[error("veripb was stopped before it came to a verdict")]
    Stopped,
}

impl Refusal {
    /// Whether it says that the proof is wrong, and not just that it could not be checked.
    #[must_use]
    pub fn is_verdict(&self) -> bool {
        matches!(self, Self::Formula { .. } | Self::Proof(_) | Self::OtherQuestion { .. })
    }
}

impl From<Silence> for Refusal {
    fn from(silence: Silence) -> Self {
        match silence {
            Silence::Missing => Self::NoChecker,
            Silence::Fault(fault) => Self::Checker(fault),
            Silence::Stopped => Self::Stopped,
        }
    }
}

/// Checks a proof with the program `veripb`: the formula must be the board's, the proof free of assumptions, and the verdict an
/// answer to what the formula asks. The board is the one that the formula names when none is given. `stop` is asked now and
/// then.
///
/// # Errors
/// When any of that is not so, or it cannot be found out.
///
/// # Panics
/// When `path` does not name a proof.
pub fn check(path: &Path, board: Option<&BoardName>, stop: &dyn Fn() -> bool) -> Result<Accepted, Refusal> {
    let formula_path = formula_of(path).expect("the name of a proof");
    let formula = file::read(&formula_path)?;
    let named = || {
        let name = formula.lines().find_map(|line| line.strip_prefix("* board ")?.split(", ").next())?;
        BoardName::read(name, &file::open).ok()
    };
    let board = board.cloned().or_else(named).ok_or_else(|| Refusal::NoBoard(formula_path.clone()))?;
    let question =
        opb::question(&formula, &board).map_err(|fault| Refusal::Formula { board: board.clone(), fault })?;
    let unreadable = |cause| FileError { verb: "read", path: path.to_owned(), cause };
    let unpacked = unpacked(path).map_err(unreadable)?;
    let proof = unpacked.as_ref().map_or(path, Temporary::path);
    opb::refuse_assumptions(BufReader::new(File::open(proof).map_err(unreadable)?))?;

    let output = checker::run("veripb", &[&*formula_path, proof], stop)?;
    let checker =
        output.lines().find_map(|line| line.strip_prefix("Running ")).unwrap_or("VeriPB").to_owned();
    let (at_most, attained) = match (question, opb::verdict(&output)?) {
        (Question::Maximum, Verdict::Optimal(value)) if value <= 0 => (value.unsigned_abs(), true),
        (Question::AtLeast(k), Verdict::Unsatisfiable) => (k - 1, false),
        (question, verdict) => return Err(Refusal::OtherQuestion { verdict, question }),
    };
    Ok(Accepted { board, at_most, attained, checker })
}

fn unpacked(path: &Path) -> io::Result<Option<Temporary>> {
    let mut file = BufReader::new(File::open(path)?);
    if !file.fill_buf()?.starts_with(&packed::MAGIC) {
        return Ok(None);
    }
    let unpacked = Temporary::new(NamedTempFile::new()?);
    io::copy(&mut packed::read(file)?, &mut unpacked.file())?;
    Ok(Some(unpacked))
}
