//! Proof that is being written. Its file gets its name after the check.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_crosscheck::fault::LineFault;
use ndqueens_crosscheck::proof::{ProofError, ProofResult};
use ndqueens_crosscheck::vipr;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::{Control, StoppableReader};
use ndqueens_system::file::{self, FileError};
use ndqueens_system::thread::all_cores;
use parking_lot::Mutex;

use crate::parallel_check::{CheckedAhead, check_text_on};
use crate::run::exact_engine::FOUND_BY;
use crate::run::{RefusedError, WorkflowError};

/// Proof on the way to its file, or in a temporary file for the check alone.
pub(crate) struct ProofDraft {
    file: file::Draft,
    sources: Sources,
}

/// Files from which the lines of a proof were copied.
#[derive(Default)]
pub(crate) struct Sources {
    lines: AtomicU64,
    /// Last line of each source, with its path.
    ends: Mutex<Vec<(u64, PathBuf)>>,
}

impl ProofDraft {
    /// Creates an empty draft.
    pub(crate) fn new(keep: Option<&Path>) -> Result<Self, FileError> {
        Ok(Self { file: file::Draft::new(keep)?, sources: Sources::default() })
    }

    /// Writes the proof. Errors name the file.
    pub(crate) fn write<T>(
        &self,
        fill: impl FnOnce(&mut (dyn Write + Send), &Sources) -> io::Result<T>,
    ) -> io::Result<T> {
        self.file.write(|out| fill(&mut Counted { out, sources: &self.sources }, &self.sources))
    }

    /// Checks that the proof shows this bound on this board, and gives the file its name. Returns `None` if
    /// the control stopped the check.
    pub(crate) fn finish(
        self,
        board: &BoardName,
        at_most: u64,
        control: &Control,
    ) -> Result<Option<ProofResult>, WorkflowError> {
        let shows = |proved: &ProofResult| proved.board() == board && proved.at_most() == Some(at_most);
        let nothing = CheckedAhead::default();
        let Some(proved) = self.check(board, &shows, &nothing, all_cores(), control)? else {
            return Ok(None);
        };
        self.persist()?;
        Ok(Some(proved))
    }

    /// Checks that a VIPR file shows the result on this board, and gives the file its name. Returns `false`
    /// if the control stopped the check.
    pub(crate) fn finish_vipr(
        self,
        board: &BoardName,
        shows: &dyn Fn(&vipr::Theorem) -> bool,
        control: &Control,
    ) -> Result<bool, WorkflowError> {
        let text = self.text().map_err(WorkflowError::engine)?;
        let open = board.file_opener();
        let read_board = |name: &str| BoardName::parse_with(name, &open);
        let theorem = match vipr::check(text, &read_board, &|| control.is_stopped()) {
            Err(_) if control.is_stopped() => return Ok(false),
            theorem => theorem.map_err(RefusedError::Vipr)?,
        };
        if theorem.board() != board || !shows(&theorem) {
            let fault = io::Error::other("it shows something else than was found");
            return Err(RefusedError::Vipr(fault.into()).into());
        }
        self.persist()?;
        Ok(true)
    }

    /// Checks on `threads` threads that the proof shows the result on this board. Trees in `ahead` were
    /// checked before. Returns `None` if the control stopped the check.
    pub(crate) fn check(
        &self,
        board: &BoardName,
        shows: &dyn Fn(&ProofResult) -> bool,
        ahead: &CheckedAhead,
        threads: usize,
        control: &Control,
    ) -> Result<Option<ProofResult>, WorkflowError> {
        let checked = || -> Result<ProofResult, ProofError> {
            let text = BufReader::new(StoppableReader { reader: self.text()?, control });
            // A board from a file is the one that was read already, because a stream can be read only once.
            let open = board.file_opener();
            let read_board = |name: &str| BoardName::parse_with(name, &open);
            let proved = check_text_on(ahead, threads, &read_board, text, &|| control.is_stopped())?;
            if shows(&proved) {
                return Ok(proved);
            }
            Err(io::Error::other("it shows something else than was found").into())
        };
        let checked = checked();
        if checked.is_err() && control.is_stopped() {
            return Ok(None);
        }
        let proved = checked.map_err(|fault| {
            let file = match fault {
                ProofError::Step(LineFault { line, .. }) => self.sources.of_line(line),
                _ => None,
            };
            match file {
                Some(file) => RefusedError::File { file, fault },
                None => RefusedError::Proof { found_by: FOUND_BY, fault },
            }
        })?;
        Ok(Some(proved))
    }

    /// Returns the text of the proof, from the first line on.
    pub(crate) fn text(&self) -> io::Result<impl BufRead + '_> {
        self.file.text()
    }

    /// Gives the file its name.
    pub(crate) fn persist(self) -> Result<(), FileError> {
        self.file.persist()
    }
}

impl Sources {
    /// Records that the lines since the end of the last source were copied from this file.
    pub(crate) fn end(&self, path: PathBuf) {
        self.ends.lock().push((self.lines.load(Relaxed), path));
    }

    fn of_line(&self, line: u64) -> Option<PathBuf> {
        let ends = self.ends.lock();
        ends.iter().find(|(last, _)| line <= *last).map(|(_, path)| path.clone())
    }
}

/// Writer that counts lines.
struct Counted<'s, 'o> {
    out: &'o mut (dyn Write + Send),
    sources: &'s Sources,
}

impl Write for Counted<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        let lines = bytes[..written].iter().filter(|&&byte| byte == b'\n').count();
        self.sources.lines.fetch_add(lines as u64, Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
