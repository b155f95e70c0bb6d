//! Proving a maximum with the exact engine: its proof tree goes to a file and is checked before anything is said.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use ndqueens_crosscheck::proof::{self, ProofError, Proved};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Claim;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backend::{Progress, StopReason};
use ndqueens_solver::exact::{self, Control, Maximum, Settings, Step};
use tempfile::NamedTempFile;

use crate::file::{self, FileError};
use crate::solve::{self, Event, LabError, Watch};

/// A maximum with its checked proof.
#[derive(Debug)]
pub struct Theorem {
    /// What was found.
    pub maximum: Maximum,
    /// What crosscheck says of the proof.
    pub proved: Proved,
    /// The proof, compressed with gzip; gone when dropped, unless it is kept.
    pub proof: NamedTempFile,
}

impl Theorem {
    /// Keeps the proof under a name: as it is when the name ends in `.gz`, else unpacked.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self, path: &Path) -> Result<(), FileError> {
        file::write(path, |out| {
            let mut packed = BufReader::new(File::open(self.proof.path())?);
            if path.extension().is_some_and(|extension| extension == "gz") {
                return io::copy(&mut packed, out);
            }
            io::copy(&mut GzDecoder::new(packed), out)
        })
        .map(drop)
    }
}

/// Finds and proves the maximum on a board. `Err` in the answer tells why the engine stopped before it was done.
///
/// # Errors
/// When the proof cannot be written, the board is too large, or the placement or the proof does not pass the check.
pub fn prove(
    board: &Board,
    seed: u32,
    threads: usize,
    deadline: Option<Instant>,
    watch: &mut Watch<'_>,
) -> Result<Result<Theorem, StopReason>, LabError> {
    if board.size() > exact::MOST_SQUARES {
        return Err(LabError::TooLarge { board: board.name().to_string(), most: exact::MOST_SQUARES });
    }
    let begin = Instant::now();
    let control = Control::default();
    let settings = Settings {
        seed: u64::from(seed),
        threads,
        needs: true,
        symmetry: true,
        proofs: true,
        control: &control,
    };
    let packed = NamedTempFile::new().map_err(LabError::Proof)?;
    let out = packed.reopen().map_err(LabError::Proof)?;
    let out = GzEncoder::new(BufWriter::new(out), Compression::fast());
    let (sender, receiver) = mpsc::channel();
    let mut stopped = None;
    let found = thread::scope(|scope| {
        let engine = scope.spawn(|| {
            let sender = sender;
            let mut tell = |step: Step<'_>| {
                let board = BoardName::queen(step.sides).to_string();
                // Nobody listens any more when the run was stopped.
                let _ = sender.send((board, step.value, step.nodes));
            };
            exact::maximum(board, &settings, Some(Box::new(out)), &mut tell)
        });
        loop {
            let event = match receiver.recv_timeout(EVERY) {
                Ok((board, value, nodes)) if nodes >= WORTH_A_LINE => {
                    Event::Stage(format!("box {board}: {value} queens, {nodes} nodes"))
                }
                Ok(_) => continue,
                Err(RecvTimeoutError::Timeout) => Event::Progress(Progress {
                    seconds: begin.elapsed().as_secs_f64(),
                    nodes: Some(control.nodes()),
                    ..Progress::default()
                }),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let over =
                deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(StopReason::TimeLimit);
            let broken = watch(&event).is_break().then_some(StopReason::Interrupted);
            if let Some(reason) = stopped.or(broken).or(over) {
                stopped = Some(reason);
                control.stop();
            }
        }
        engine.join()
    });
    let found = found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map_err(LabError::Proof)?;
    let Some(maximum) = found else {
        return Ok(Err(stopped.unwrap_or(StopReason::Interrupted)));
    };
    let squares: Vec<_> = maximum.placement.iter().filter_map(|square| board.square(square)).collect();
    solve::checked(board, &squares, Claim::IndependentSet, &[], FOUND_BY)?;
    let proved = check(packed.path())
        .and_then(|proved| {
            let fits = proved.board() == board.name() && proved.at_most() == maximum.value;
            fits.then_some(proved).ok_or_else(|| {
                ProofError::Unreadable(io::Error::other("it is of another board or bound than was found"))
            })
        })
        .map_err(|fault| LabError::RefusedProof { found_by: FOUND_BY.to_owned(), fault })?;
    Ok(Ok(Theorem { maximum, proved, proof: packed }))
}

/// Who finds placements and proofs here, as certificates name it.
pub const FOUND_BY: &str = concat!("exact engine ", env!("CARGO_PKG_VERSION"));

/// How often progress is told, and how many nodes a box must take to be told of.
const EVERY: Duration = Duration::from_millis(50);
const WORTH_A_LINE: u64 = 50_000;

/// Whether a file is a proof, packed or not, by its first bytes.
///
/// # Errors
/// When the file cannot be read.
pub fn is_proof(path: &Path) -> Result<bool, FileError> {
    let first = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(16).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let first = first().map_err(|cause| FileError { verb: "read", path: path.to_owned(), cause })?;
    Ok(first == b"ndqueens proof 1" || first.starts_with(&GZIP))
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Checks a proof in a file, packed or not.
///
/// # Errors
/// When the file cannot be read, or at the first step that is not accepted.
pub fn check(path: &Path) -> Result<Proved, ProofError> {
    let mut file = BufReader::new(File::open(path)?);
    let read_board = |name: &str| BoardName::read(name, &file::open).map_err(|fault| fault.to_string());
    if file.fill_buf()?.starts_with(&GZIP) {
        return proof::check(BufReader::new(GzDecoder::new(file)), &read_board);
    }
    proof::check(file, &read_board)
}
