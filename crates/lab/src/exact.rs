//! Proving a maximum with the exact engine: its proof tree goes to a file and is checked before anything is said.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
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
use ndqueens_solver::exact::{self, Control, Maximum, Settings, Shelf, Step};
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
        keep(self.proof.path(), path)
    }
}

/// Copies a packed file: as it is when the new name ends in `.gz`, else unpacked.
pub(crate) fn keep(packed: &Path, path: &Path) -> Result<(), FileError> {
    file::write(path, |out| {
        let mut packed = BufReader::new(File::open(packed)?);
        if path.extension().is_some_and(|extension| extension == "gz") {
            return io::copy(&mut packed, out);
        }
        io::copy(&mut GzDecoder::new(packed), out)
    })
    .map(drop)
}

/// Finds and proves the maximum on a board. `Err` in the answer tells why the engine stopped before it was done. Boxes that
/// are settled are kept in the folder `work`, if that is given, and are taken from it.
///
/// # Errors
/// When the proof cannot be written, the board is too large, or the placement or the proof does not pass the check.
pub fn prove(
    board: &Board,
    seed: u32,
    threads: usize,
    work: Option<&Path>,
    deadline: Option<Instant>,
    watch: &mut Watch<'_>,
) -> Result<Result<Theorem, StopReason>, LabError> {
    if board.size() > exact::MOST_SQUARES {
        return Err(LabError::TooLarge { board: board.name().to_string(), most: exact::MOST_SQUARES });
    }
    let control = Control::default();
    let shelf = work.map(BoxFolder::make).transpose()?;
    let shelf = shelf.as_ref().map(|folder| folder as &dyn Shelf);
    let settings = Settings { proofs: true, shelf, ..settings(seed, threads, &control) };
    let packed = NamedTempFile::new().map_err(LabError::Proof)?;
    let out = packed.reopen().map_err(LabError::Proof)?;
    let out = GzEncoder::new(BufWriter::new(out), Compression::fast());
    let (found, stopped) = attended(&control, deadline, watch, &|seconds| nodes(&control, seconds), |tell| {
        exact::maximum(board, &settings, Some(Box::new(out)), &mut |step| tell_box(tell, step))
    });
    let Some(maximum) = found.map_err(LabError::Proof)? else {
        return Ok(Err(stopped.unwrap_or(StopReason::Interrupted)));
    };
    let squares: Vec<_> = maximum.placement.iter().filter_map(|square| board.square(square)).collect();
    solve::checked(board, &squares, Claim::IndependentSet, &[], FOUND_BY)?;
    let proved = check_bound(packed.path(), board, maximum.value)?;
    Ok(Ok(Theorem { maximum, proved, proof: packed }))
}

/// Checks that a proof shows this bound on this board.
pub(crate) fn check_bound(path: &Path, board: &Board, at_most: u64) -> Result<Proved, LabError> {
    check(path)
        .and_then(|proved| {
            let fits = proved.board() == board.name() && proved.at_most() == at_most;
            fits.then_some(proved).ok_or_else(|| {
                ProofError::Unreadable(io::Error::other("it is of another board or bound than was found"))
            })
        })
        .map_err(|fault| LabError::RefusedProof { found_by: FOUND_BY.to_owned(), fault })
}

/// The engine with all its means, but without proofs.
pub(crate) fn settings(seed: u32, threads: usize, control: &Control) -> Settings<'_> {
    Settings {
        seed: u64::from(seed),
        threads,
        needs: true,
        symmetry: true,
        proofs: false,
        shelf: None,
        control,
    }
}

/// A folder of settled boxes, a packed file each.
#[derive(Debug)]
struct BoxFolder(PathBuf);

impl BoxFolder {
    fn make(folder: &Path) -> Result<Self, FileError> {
        let refused = |cause| FileError { verb: "write", path: folder.to_owned(), cause };
        fs::create_dir_all(folder).map_err(refused)?;
        let made = Self(folder.to_owned());
        file::writable(&made.path("box"))?;
        Ok(made)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.box.gz"))
    }
}

impl Shelf for BoxFolder {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>> {
        match File::open(self.path(name)) {
            Ok(file) => Ok(Some(Box::new(BufReader::new(GzDecoder::new(BufReader::new(file)))))),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn keep(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let written = file::write(&self.path(name), |out| {
            let mut packed = BufWriter::new(GzEncoder::new(out, Compression::fast()));
            fill(&mut packed)?;
            packed.into_inner().map_err(io::IntoInnerError::into_error)?.finish().map(drop)
        });
        written.map_err(|fault| io::Error::new(fault.cause.kind(), fault.to_string()))
    }
}

/// Runs the engine on another thread, which may send events. Between them `now` is told every moment, given the seconds so
/// far. When the watcher breaks or time is up, the control stops the engine, and the reason is given back.
pub(crate) fn attended<T: Send>(
    control: &Control,
    deadline: Option<Instant>,
    watch: &mut Watch<'_>,
    now: &dyn Fn(f64) -> Event,
    work: impl FnOnce(&Sender<Event>) -> T + Send,
) -> (T, Option<StopReason>) {
    let begin = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let mut stopped = None;
    let done = thread::scope(|scope| {
        let engine = scope.spawn(move || work(&sender));
        loop {
            let event = match receiver.recv_timeout(EVERY) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => now(begin.elapsed().as_secs_f64()),
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
    (done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)), stopped)
}

/// Tells how many nodes there are.
pub(crate) fn nodes(control: &Control, seconds: f64) -> Event {
    Event::Progress(Progress { seconds, nodes: Some(control.nodes()), ..Progress::default() })
}

/// Tells of a box that took long.
pub(crate) fn tell_box(tell: &Sender<Event>, step: Step<'_>) {
    if step.nodes >= WORTH_A_LINE {
        let board = BoardName::queen(step.sides);
        // Nobody listens any more when the run was stopped.
        let _ = tell.send(Event::Stage(format!("box {board}: {} queens, {} nodes", step.value, step.nodes)));
    }
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
