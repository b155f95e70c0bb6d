//! Proving a maximum with the exact engine: its proof tree goes to a file and is checked before anything is said.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use ndqueens_crosscheck::proof::{self, ProofError, Proved};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Claim;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::{Options, Progress};
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::control::{Control, Deadline, StopReason};
use ndqueens_solver::exact::box_cache::{self, BoxCache};
use ndqueens_solver::exact::table::Entry;
use ndqueens_solver::exact::{self, Maximum, Settings, Step};

use crate::bound::CHECKING;
use crate::draft::Draft;
use crate::file::{self, FileError};
use crate::note;
use crate::packed;
use crate::solve::{self, Event, LabError, Watch};

/// What is known of a maximum, the placement checked.
#[derive(Debug)]
pub struct Bounded {
    /// What was found.
    pub maximum: Maximum,
    /// What crosscheck says of the proof; or why the engine stopped before there was one.
    pub proved: Result<Proved, StopReason>,
}

/// Finds and proves the maximum on a board, or bounds that the options' limit on nodes allows. The proof is kept in the file `keep`, if that is given, packed when its name ends
/// in `.gz`. Boxes that are settled are kept in the folder `work`, if that is given, and are taken from it. When `target` queens
/// are placed, the engine stops without a proof. The options' limit on time is for all of it.
///
/// # Errors
/// When the proof cannot be written, the board is too large, or the placement or the proof does not pass the check.
pub fn prove(
    board: &Board,
    options: &Options,
    work: Option<&Path>,
    keep: Option<&Path>,
    target: Option<u64>,
    watch: &mut Watch<'_>,
) -> Result<Bounded, LabError> {
    let deadline = Deadline::after(options.time_limit);
    refuse_too_large(board)?;
    let control = Control::default();
    let folder = work.map(BoxFolder::make).transpose()?;
    let box_cache = folder.as_ref().map(|folder| folder as &dyn BoxCache);
    let settings = Settings {
        proofs: true,
        box_cache,
        target: target.unwrap_or(u64::MAX),
        ..settings(options, &control)
    };
    let draft = Draft::new(keep)?;
    let (found, stopped) = attended(&control, deadline, watch, &|seconds| nodes(&control, seconds), |tell| {
        draft.write(|out, sources| {
            exact::maximum(board, &settings, Some(out), &mut |step| {
                if let (Some(folder), Some(grid)) = (&folder, board.grid()) {
                    sources.end(folder.path(&box_cache::name(grid.piece(), step.sides)));
                }
                tell_box(tell, step);
            })
        })
    });
    let maximum = found.map_err(LabError::engine)?;
    let squares: Vec<_> = maximum.placement.iter().filter_map(|square| board.square(square)).collect();
    solve::checked(board, &squares, Claim::IndependentSet, &[], FOUND_BY)?;
    let (proved, stopped) = if maximum.end.is_finished() {
        let control = Control::default();
        let deadline = deadline.later(CHECKING);
        attended(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
            draft.finish(board.name(), maximum.upper, &control)
        })
    } else {
        (Ok(None), stopped)
    };
    let proved = proved?.ok_or(stopped.unwrap_or(StopReason::Interrupted));
    Ok(Bounded { maximum, proved })
}

/// Refuses a board that the search cannot hold.
pub(crate) fn refuse_too_large(board: &Board) -> Result<(), LabError> {
    if board.size() > exact::MOST_SQUARES {
        return Err(LabError::TooLarge { board: board.name().to_string(), most: exact::MOST_SQUARES });
    }
    Ok(())
}

/// The engine with all its means, but without proofs; with the seed, the threads and the limit on nodes of the options.
pub(crate) fn settings<'a>(options: &Options, control: &'a Control) -> Settings<'a> {
    Settings {
        seed: u64::from(options.seed),
        threads: options.threads.unwrap_or(1) as usize,
        node_limit: options.node_limit.unwrap_or(u64::MAX),
        ..Settings::new(&Heuristics, control)
    }
}

/// A folder of settled boxes, a packed file each.
#[derive(Debug)]
pub(crate) struct BoxFolder(PathBuf);

impl BoxFolder {
    pub(crate) fn make(folder: &Path) -> Result<Self, FileError> {
        file::make_folder(folder)?;
        let made = Self(folder.to_owned());
        file::writable(&made.path("box")).map_err(|fault| fault.of(folder))?;
        Ok(made)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.box.gz"))
    }
}

impl BoxCache for BoxFolder {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>> {
        match File::open(self.path(name)).and_then(|file| packed::read(BufReader::new(file))) {
            Ok(text) => Ok(Some(text)),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(FileError::new("read", &self.path(name), fault).into()),
        }
    }

    fn keep(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let packed = |out: &mut (dyn Write + Send)| packed::write(out, Compression::fast(), |out| fill(out));
        Ok(file::write(&self.path(name), packed)?)
    }

    fn refuse(&self, name: &str, why: &str) {
        note::tell(&format!("{} is damaged ({why}); the box is settled again", self.path(name).display()));
    }
}

/// Runs the engine on another thread, which may send events. Between them `now` is told every moment, given the seconds so
/// far. When the watcher breaks or time is up, the control stops the engine, and the reason is given back.
pub(crate) fn attended<T: Send>(
    control: &Control,
    deadline: Deadline,
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
            let broken = watch(&event).is_break().then_some(StopReason::Interrupted);
            if let Some(reason) = stopped.or(broken).or(deadline.reason()) {
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
    let Step { sides, entry: Entry { lower, upper, nodes, .. } } = step;
    if nodes >= WORTH_A_LINE {
        let board = BoardName::queen(sides);
        let queens = if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") };
        // Nobody listens any more when the run was stopped.
        let _ = tell.send(Event::Stage(format!("box {board}: {queens} queens, {nodes} nodes")));
    }
}

/// Who finds placements and proofs here, as certificates name it.
pub const FOUND_BY: &str = concat!("exact engine ", env!("CARGO_PKG_VERSION"));

/// How often progress is told, and how many nodes a box must take to be told of.
const EVERY: Duration = Duration::from_millis(50);
const WORTH_A_LINE: u64 = 50_000;

/// What a proof begins with that is not packed.
const HEADER: &[u8] = b"ndqueens proof 1";

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
    first().map(|first| begins_proof(&first)).map_err(|cause| FileError::new("read", path, cause))
}

/// Whether these bytes, 16 or more, are the first of a proof, packed or not.
pub(crate) fn begins_proof(first: &[u8]) -> bool {
    first.starts_with(HEADER) || first.starts_with(&packed::MAGIC)
}

/// Checks a proof in a file, packed or not.
///
/// # Errors
/// When the file cannot be read, or at the first step that is not accepted.
pub fn check(path: &Path) -> Result<Proved, ProofError> {
    check_text(packed::read(BufReader::new(File::open(path)?))?)
}

pub(crate) fn check_text(text: impl BufRead) -> Result<Proved, ProofError> {
    proof::check(text, &|name| BoardName::read(name, &file::open).map_err(|fault| fault.to_string()))
}
