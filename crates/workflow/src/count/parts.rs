//! Parts of a count, and the folder in which finished ones are kept.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ndqueens_exact::{Enumeration, Settings, Slab, Tally};
use ndqueens_model::board::Board;
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_system::file::{self, FileError, digest};
use ndqueens_system::note::Notes;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::CountRequest;
use crate::parts::{COUNT_MANIFEST, MissingParts, begin};
use crate::record;
use crate::run::{CountError, Watch, WorkflowError};

/// Data that define the parts of a count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    layout: u32,
    version: String,
    board: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board_sha256: Option<String>,
    /// Requested size; `None` for maximum solutions.
    #[serde(default)]
    asked: Option<u64>,
    size: u64,
    keep: usize,
    slabs: Vec<Slab>,
    weights: Vec<f64>,
}

const LAYOUT: u32 = 5;

impl Manifest {
    /// Describes a count of solutions of this size, of which at most `keep` orbits are kept.
    pub(super) fn new(
        board: &Board,
        request: &CountRequest<'_>,
        size: u64,
        keep: usize,
        enumeration: &Enumeration<'_>,
        slabs: &[Slab],
    ) -> Self {
        Self {
            layout: LAYOUT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            board: board.name().to_string(),
            board_sha256: record::board_digest(board.name()),
            asked: request.size,
            size,
            keep,
            slabs: slabs.to_vec(),
            weights: enumeration.weights.clone(),
        }
    }

    /// Reads the manifest of a count that was started in a folder.
    pub(super) fn of(folder: &Path) -> Result<Option<Self>, WorkflowError> {
        let path = folder.join(COUNT_MANIFEST);
        if !path.exists() {
            return Ok(None);
        }
        let unreadable = |_| {
            let words = "it is damaged or from another version; restore it or choose another folder, because the parts in this \
                         folder cannot be used without it";
            FileError::new("read", &path, io::Error::new(io::ErrorKind::InvalidData, words))
        };
        Ok(Some(serde_json::from_str(&file::read_plain(&path)?).map_err(unreadable)?))
    }

    /// Returns the number of orbits of solutions that the count in the folder keeps, if this request may
    /// resume it. That number may be larger than the requested one.
    pub(super) fn keeps(
        &self,
        folder: &Path,
        board: &Board,
        request: &CountRequest<'_>,
    ) -> Result<usize, CountError> {
        let differs = |found: String| Err(CountError::Other { folder: folder.to_owned(), found });
        if (self.layout, self.version.as_str()) != (LAYOUT, env!("CARGO_PKG_VERSION")) {
            return differs("another version of the program began it".to_owned());
        }
        if self.board != board.name().to_string() {
            return differs(format!("of {}, not of {}", self.board, board.name()));
        }
        if self.board_sha256 != record::board_digest(board.name()) {
            return differs(format!("the text of {} was another one", self.board));
        }
        let describe = |size: Option<u64>| {
            size.map_or_else(
                || "of maximum solutions".to_owned(),
                |size| format!("of solutions of size {size}"),
            )
        };
        if self.asked != request.size {
            return differs(format!("{}, not {}", describe(self.asked), describe(request.size)));
        }
        if self.keep < request.keep {
            return Err(CountError::NoneKept { folder: folder.to_owned() });
        }
        Ok(self.keep)
    }
}

/// Parts of a count.
pub(super) struct Parts<'a> {
    enumeration: &'a Enumeration<'a>,
    folder: Option<Folder>,
    keep: usize,
    /// Tally of the finished parts and of the tree above the parts.
    tally: Mutex<Tally>,
    finished: AtomicUsize,
}

impl<'a> Parts<'a> {
    pub(super) fn new(enumeration: &'a Enumeration<'a>, folder: Option<Folder>, keep: usize) -> Self {
        let tally = Mutex::new(enumeration.top.clone());
        Self { enumeration, folder, keep, tally, finished: AtomicUsize::new(0) }
    }

    /// Adds the parts that are in the folder, and returns the numbers of those that are missing.
    pub(super) fn load(&self) -> Result<Vec<usize>, WorkflowError> {
        let mut missing = Vec::new();
        for number in 0..self.enumeration.weights.len() {
            match self.folder.as_ref().map_or(Ok(None), |folder| folder.part(number))? {
                Some(part) => self.add(part),
                None => missing.push(number),
            }
        }
        Ok(missing)
    }

    /// Runs the missing parts. Returns the reason if the run was stopped.
    pub(super) fn run(
        &self,
        missing: &[usize],
        settings: &Settings<'_>,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Option<StopReason>, WorkflowError> {
        let weights = &self.enumeration.weights;
        let missing_parts = MissingParts {
            missing,
            parts: weights.len(),
            finished_before: self.finished.load(Relaxed),
            share_before: 1.0 - missing.iter().map(|&number| weights[number]).sum::<f64>(),
            completes: true,
            threads: settings.threads,
            deadline,
            control: settings.control,
        };
        let (done, stop) = missing_parts.run(watch, |number| {
            let part = self.enumeration.run(number).map_err(WorkflowError::engine)?;
            let Some(part) = part else { return Ok(false) };
            self.folder.as_ref().map_or(Ok(()), |folder| folder.store(number, &part))?;
            self.add(part);
            Ok(true)
        });
        done.map_err(|fault| fault.into_workflow_error(WorkflowError::engine))?;
        Ok(stop)
    }

    fn add(&self, part: Tally) {
        self.tally.lock().add(part, self.keep);
        self.finished.fetch_add(1, Relaxed);
    }

    /// Returns the tally and the number of the finished parts.
    pub(super) fn sum(self) -> (Tally, usize) {
        (self.tally.into_inner(), self.finished.into_inner())
    }
}

/// Folder of finished parts.
pub(super) struct Folder {
    path: PathBuf,
    /// Digest of the manifest of the count.
    digest: String,
    /// Number of queens of a solution.
    size: u64,
    notes: Notes,
}

/// Content of the file of a finished part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile<T> {
    /// Digest of the manifest.
    count: String,
    number: usize,
    /// Digest of the other fields.
    sha256: String,
    tally: T,
}

/// Returns the digest of a part: of the digest of its count, its number, and its tally.
fn digest_of_part(count: &str, number: usize, tally: &Tally) -> String {
    digest::of(serde_json::to_string(&(count, number, tally)).expect("a tally is plain data"))
}

impl Folder {
    /// Opens the folder for a count, or creates it.
    pub(super) fn open(folder: &Path, manifest: &Manifest, notes: &Notes) -> Result<Self, WorkflowError> {
        let text = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
        if begin(folder, COUNT_MANIFEST, &text, notes)?.is_some() {
            let found = "it is cut into other parts".to_owned();
            return Err(CountError::Other { folder: folder.to_owned(), found }.into());
        }
        let (path, digest) = (folder.to_owned(), digest::of(&text));
        Ok(Self { path, digest, size: manifest.size, notes: notes.clone() })
    }

    fn file(&self, number: usize) -> PathBuf {
        self.path.join(format!("count-{number}.json"))
    }

    /// Reads a part, or returns `None` if its file is missing or damaged; a damaged part is counted again.
    fn part(&self, number: usize) -> Result<Option<Tally>, WorkflowError> {
        let path = self.file(number);
        if !path.exists() {
            return Ok(None);
        }
        let damaged = |fault: &str| {
            self.notes.report(&format!("{} is damaged ({fault}); its part is counted again", path.display()));
            Ok(None)
        };
        let text = match file::read_plain(&path) {
            Err(fault) if fault.cause.kind() == io::ErrorKind::InvalidData => {
                return damaged(&fault.cause.to_string());
            }
            text => text?,
        };
        let part: PartFile<Tally> = match serde_json::from_str(&text) {
            Ok(part) => part,
            Err(fault) => return damaged(&fault.to_string()),
        };
        if part.sha256 != digest_of_part(&part.count, part.number, &part.tally) {
            return damaged("it has changed since it was written");
        }
        if !part.tally.has_queens_of(self.size) {
            return damaged("its queens are not those of its solutions");
        }
        if part.count == self.digest && part.number != number {
            return damaged(&format!("it is part {}", part.number));
        }
        if part.count != self.digest {
            let fault = "it is a part of another count".to_owned();
            return Err(CountError::Part { path, fault }.into());
        }
        Ok(Some(part.tally))
    }

    fn store(&self, number: usize, tally: &Tally) -> Result<(), FileError> {
        let sha256 = digest_of_part(&self.digest, number, tally);
        let part = PartFile { count: self.digest.clone(), number, sha256, tally };
        file::write(&self.file(number), |out| Ok(serde_json::to_writer(out, &part)?))
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_solver::backends::Options;
    use num_bigint::BigUint;

    use super::*;
    use crate::count::count;

    #[test]
    fn emptied_parts_are_refused() {
        let outer = tempfile::tempdir().expect("a folder");
        let board = Board::new(&"6^3".parse().expect("a board"));
        let folder = outer.path().join("count");
        let request = CountRequest { size: None, keep: 0, work: Some(&folder), proof: None };
        let counted = || {
            count(&board, &request, &Options::default(), Deadline::default(), &mut |_| {
                std::ops::ControlFlow::Continue(())
            })
        };
        let met = counted().expect("a small board").result().expect("not stopped").solutions();
        assert_eq!(met, BigUint::from(912_u32));
        let manifest = file::read(&folder.join(COUNT_MANIFEST)).expect("a manifest");
        let (path, digest) = (folder.clone(), digest::of(&manifest));
        let parts = Folder { path, digest, size: 21, notes: Notes::default() };
        let mut emptied = 0;
        while parts.file(emptied).exists() {
            parts.store(emptied, &Tally::default()).expect("written");
            emptied += 1;
        }
        assert!(emptied > 1000);
        let refused = counted().expect_err("a solution is known").to_string();
        assert!(
            refused.contains("lack the solution (") && refused.contains("remove the folder"),
            "{refused}"
        );
    }
}
