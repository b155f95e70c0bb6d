//! Proving a maximum with the exact engine: its proof tree goes to a file and is checked before anything is said.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _};
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use ndqueens_crosscheck::proof::{self, ProofError, Proved};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Claim;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backend::{Progress, StopReason};
use ndqueens_solver::exact::{self, Maximum, Settings, Step};
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
    deadline: Option<Instant>,
    watch: &mut Watch<'_>,
) -> Result<Result<Theorem, StopReason>, LabError> {
    let begin = Instant::now();
    let watch = RefCell::new(watch);
    let last_told = RefCell::new(begin);
    let stopped = RefCell::new(None);
    let stop = || {
        if stopped.borrow().is_none() {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                *stopped.borrow_mut() = Some(StopReason::TimeLimit);
            } else if last_told.borrow().elapsed() >= EVERY {
                *last_told.borrow_mut() = Instant::now();
                let progress = Progress { seconds: begin.elapsed().as_secs_f64(), ..Progress::default() };
                if (watch.borrow_mut())(&Event::Progress(progress)).is_break() {
                    *stopped.borrow_mut() = Some(StopReason::Interrupted);
                }
            }
        }
        stopped.borrow().is_some()
    };
    let mut box_begin = begin;
    let mut tell = |step: Step<'_>| {
        if box_begin.elapsed() >= WORTH_A_LINE {
            let sides = BoardName::queen(step.sides);
            let words = format!(
                "box {sides}: {} queens, {} nodes, {:.1} s",
                step.value,
                step.nodes,
                box_begin.elapsed().as_secs_f64()
            );
            // Whether to go on is asked again at once.
            let _ = (watch.borrow_mut())(&Event::Stage(words));
        }
        box_begin = Instant::now();
    };
    let settings = Settings { seed: u64::from(seed), needs: true, symmetry: true, proofs: true, stop: &stop };
    let packed = NamedTempFile::new().map_err(LabError::Proof)?;
    let out = packed.reopen().map_err(LabError::Proof)?;
    let out = GzEncoder::new(BufWriter::new(out), Compression::fast());
    let found = exact::maximum(board, &settings, Some(Box::new(out)), &mut tell).map_err(LabError::Proof)?;
    let Some(maximum) = found else {
        return Ok(Err(stopped.borrow().unwrap_or(StopReason::Interrupted)));
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

/// How often progress is told, and how long a box must take to be told of.
const EVERY: Duration = Duration::from_millis(100);
const WORTH_A_LINE: Duration = Duration::from_secs(1);

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
