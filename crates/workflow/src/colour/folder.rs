//! Folder that holds a question for the complete algorithm and the finished parts of its search.
//!
//! - `colourings.json`: the question, the numbers of solutions and parts, and a digest of these.
//! - `done.jsonl`: a line for every finished part: its number, the digest of the question, its nodes and its
//!   colourings up to symmetry, with a digest of the line. A damaged line is ignored, and its part is
//!   searched again.
//! - `claimed/`: the parts that are being searched, and by which runner.
//! - `accounts.jsonl`, `accounts-2.jsonl`, ...: resources that parts took; each runner writes its own file.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::record::machine;
use ndqueens_solver::colouring::cover::{Classes, MAX_SIDE, SolutionList, Subproblem};
use ndqueens_system::claim::{self, Claimed};
use ndqueens_system::file::{self, FileError};
use ndqueens_system::journal::{self, Line};
use ndqueens_system::note::Notes;
use serde::{Deserialize, Serialize};

use super::question::{ColouringDefinition, ColouringQuestion, LAYOUT};
use crate::parts::account::{self, Total};
use crate::parts::{COLOURING_MANIFEST, begin};
use crate::run::{SplitError, WorkflowError};

/// Name of the file of finished parts.
const DONE: &str = "done.jsonl";

/// Content of `colourings.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ColouringManifest {
    definition: ColouringDefinition,
    /// SHA-256 of the definition.
    digest: String,
    /// Estimated share of the tree of each part.
    weights: Vec<f64>,
    /// Version of the program that wrote it.
    version: String,
}

/// Finished part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DonePart {
    pub(super) part: usize,
    /// Digest of the definition of the search to which the part belongs; empty in memory.
    pub(super) of: String,
    pub(super) nodes: u64,
    pub(super) colourings: Vec<Classes>,
}

/// Folder with a search in parts.
#[derive(Debug)]
pub struct ColouringFolder {
    pub(super) path: PathBuf,
    manifest: ColouringManifest,
    question: ColouringQuestion,
    /// Destination of notes about damaged files.
    pub(super) notes: Notes,
}

/// Progress of a search in parts.
#[derive(Debug)]
pub struct ColouringStatus {
    /// Number of parts.
    pub parts: usize,
    /// Numbers of the missing parts.
    pub missing: Vec<usize>,
    /// Estimated share of the tree that is done, from 0 to 1.
    pub done: f64,
    /// Number of colourings found so far, up to symmetry.
    pub found: usize,
    /// Claims of the parts that are being searched.
    pub running: Vec<Claimed>,
    /// Resources that the parts have taken so far.
    pub total: Total,
    /// Estimated CPU time for the missing parts, in seconds; `None` if no part has ended.
    pub cpu_seconds_left: Option<f64>,
}

impl ColouringFolder {
    /// Opens a folder that was created for a search in parts.
    ///
    /// # Errors
    /// Returns an error if the manifest is missing or has changed.
    pub fn open(path: &Path, notes: &Notes) -> Result<Self, WorkflowError> {
        let name = path.join(COLOURING_MANIFEST);
        match file::read_plain(&name) {
            Err(fault) if fault.cause.kind() == io::ErrorKind::NotFound => {
                Err(WorkflowError::ColourParts(SplitError::None(path.to_owned())))
            }
            read => Self::parse(path, &read?, notes),
        }
    }

    fn parse(path: &Path, text: &str, notes: &Notes) -> Result<Self, WorkflowError> {
        let wrong = |fault: String| {
            let path = path.join(COLOURING_MANIFEST);
            WorkflowError::ColourParts(SplitError::Manifest { path, fault })
        };
        let damaged = || wrong("it is damaged; remove the folder, and its work is done again".to_owned());
        let manifest: ColouringManifest = serde_json::from_str(text).map_err(|_| damaged())?;
        let ColouringDefinition { layout, side, parts, .. } = manifest.definition;
        if layout != LAYOUT {
            return Err(wrong(format!("its layout is {layout}; this version reads layout {LAYOUT}")));
        }
        let is_whole = manifest.digest == manifest.definition.digest() && manifest.weights.len() == parts;
        match manifest.definition.question().filter(|_| is_whole && (1..=MAX_SIDE).contains(&side)) {
            Some(question) => Ok(Self { path: path.to_owned(), manifest, question, notes: notes.clone() }),
            None => Err(damaged()),
        }
    }

    /// Starts work on a question in a folder, which is created if it is missing, or resumes it there. Returns
    /// `None` if the list of solutions is incomplete.
    ///
    /// # Errors
    /// Returns an error if the folder holds other work, or cannot be written.
    pub(super) fn begin(
        path: &Path,
        question: &ColouringQuestion,
        list: &SolutionList,
        notes: &Notes,
    ) -> Result<Option<Self>, WorkflowError> {
        let Some(cover) = &list.cover else { return Ok(None) };
        let weights: Vec<f64> = cover.parts().iter().map(|part| part.share).collect();
        let definition = ColouringDefinition::new(question, &list.counts, weights.len());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = ColouringManifest { digest: definition.digest(), definition, weights, version };
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(io::Error::from)
            .map_err(WorkflowError::engine)?;
        if let Some(found) = begin(path, COLOURING_MANIFEST, &format!("{text}\n"), notes)? {
            let found = Self::parse(path, &found, notes)?;
            found.ensure_of(question)?;
            found.ensure_like(list)?;
        }
        Ok(Some(Self { path: path.to_owned(), manifest, question: *question, notes: notes.clone() }))
    }

    /// Returns an error if the folder holds the work on another question.
    pub(super) fn ensure_of(&self, question: &ColouringQuestion) -> Result<(), WorkflowError> {
        if self.question == *question {
            return Ok(());
        }
        let (found, asked) = (self.question.to_string(), question.to_string());
        Err(WorkflowError::OtherWork { folder: self.path.clone(), found, asked })
    }

    /// Returns an error if the folder was made from other solutions or parts than these.
    pub(super) fn ensure_like(&self, list: &SolutionList) -> Result<(), WorkflowError> {
        let parts = list.cover.as_ref().map_or(0, |cover| cover.parts().len());
        if self.manifest.definition == ColouringDefinition::new(&self.question, &list.counts, parts) {
            return Ok(());
        }
        let fault =
            "this version finds other solutions or parts; remove the folder, and its work is done again";
        let path = self.path.join(COLOURING_MANIFEST);
        Err(WorkflowError::ColourParts(SplitError::Manifest { path, fault: fault.to_owned() }))
    }

    /// Returns the question of the folder.
    #[must_use]
    pub fn question(&self) -> &ColouringQuestion {
        &self.question
    }

    /// Returns the number of parts.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.manifest.weights.len()
    }

    /// Returns the digest of the data that define the parts.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.manifest.digest
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.manifest.weights
    }

    /// Reads the finished parts.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or contains parts of another folder.
    pub(super) fn read_done(&self) -> Result<BTreeMap<usize, DonePart>, WorkflowError> {
        let path = self.path.join(DONE);
        let mut text = Vec::new();
        let read = file::open_plain(&path).and_then(|file| file.take(file::LARGEST).read_to_end(&mut text));
        if let Err(cause) = read
            && cause.kind() != io::ErrorKind::NotFound
        {
            return Err(FileError::new("read", &path, cause).into());
        }
        let done = parse_done(&path, &text[..journal::whole_lines(&text)], &self.notes)?;
        let is_foreign = |done: &&DonePart| done.of != self.manifest.digest || done.part >= self.parts();
        match done.values().find(is_foreign) {
            None => Ok(done),
            Some(DonePart { part, .. }) => Err(wrong(
                &path,
                &format!("its line on part {part} is of another search than {COLOURING_MANIFEST}"),
            )),
        }
    }

    /// Returns the numbers of the parts that are not in `done_parts`.
    pub(super) fn missing(&self, done_parts: &BTreeMap<usize, DonePart>) -> Vec<usize> {
        (0..self.parts()).filter(|part| !done_parts.contains_key(part)).collect()
    }

    /// Opens the file of finished parts to append to it.
    pub(super) fn journal(&self) -> Result<Journal, WorkflowError> {
        let path = self.path.join(DONE);
        let file = file::open_to_append(&path).map_err(|cause| FileError::new("write", &path, cause))?;
        Ok(Journal { file, path })
    }

    /// Returns an error if a colouring of a part does not belong to it.
    pub(super) fn ensure_belong(
        &self,
        done: &DonePart,
        belongs: impl Fn(&Classes) -> bool,
    ) -> Result<(), WorkflowError> {
        if done.colourings.iter().all(belongs) {
            return Ok(());
        }
        let fault = format!("part {} has a colouring that is not of this part", done.part);
        Err(wrong(&self.path.join(DONE), &fault))
    }

    /// Returns the progress of the search.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read, or contains parts of another one.
    pub fn status(&self) -> Result<ColouringStatus, WorkflowError> {
        let done_parts = self.read_done()?;
        let missing = self.missing(&done_parts);
        let left: f64 = missing.iter().map(|&part| self.weights()[part]).sum();
        let keys: BTreeSet<String> = missing.iter().map(|&part| key(part)).collect();
        let mut running = claim::all(&self.path, &machine::holder())?;
        running.retain(|claim| keys.contains(&claim.key));
        let accounts = account::read(&self.path, &self.notes)?;
        let total = account::total(&accounts);
        let finished: f64 =
            accounts.iter().filter(|account| account.finished).map(|account| account.weight).sum();
        let cpu_seconds_left = (finished > 0.0).then(|| total.cpu_seconds / finished * left);
        let found = done_parts.values().map(|done| done.colourings.len()).sum();
        let done = (1.0 - left).clamp(0.0, 1.0);
        Ok(ColouringStatus { parts: self.parts(), missing, done, found, running, total, cpu_seconds_left })
    }

    /// Returns an error if parts are missing.
    pub(super) fn ensure_complete(
        &self,
        done_parts: &BTreeMap<usize, DonePart>,
    ) -> Result<(), WorkflowError> {
        let numbers = self.missing(done_parts);
        if numbers.is_empty() {
            return Ok(());
        }
        let (folder, missing, parts) = (self.path.clone(), numbers.len(), self.parts());
        Err(WorkflowError::ColourParts(SplitError::Missing { folder, missing, parts, numbers }))
    }
}

/// Returns the key of the claim to a part.
pub(super) fn key(part: usize) -> String {
    format!("part-{part}")
}

/// Returns the total share of the finished parts.
pub(super) fn share(parts: &[Subproblem], done_parts: &BTreeMap<usize, DonePart>) -> f64 {
    done_parts.keys().map(|&part| parts[part].share).sum()
}

/// File of finished parts, open for appending.
pub(super) struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    pub(super) fn write(&mut self, done: &DonePart) -> Result<(), FileError> {
        let mut write = || -> io::Result<()> {
            let line = journal::line(done)?;
            // On a file system without locks, only one process may work on the folder at a time.
            let locked = self.file.lock().is_ok();
            let written = journal::append(&mut self.file, &line);
            if locked {
                self.file.unlock()?;
            }
            written
        };
        write().map_err(|cause| FileError::new("write", &self.path, cause))
    }
}

/// Reads the parts in complete lines. Two processes may write the same part.
fn parse_done(path: &Path, text: &[u8], notes: &Notes) -> Result<BTreeMap<usize, DonePart>, WorkflowError> {
    let mut done: BTreeMap<usize, DonePart> = BTreeMap::new();
    let mut damaged = Vec::new();
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let part = match Line::of(line) {
            Line::Whole(object) => serde_json::from_str::<DonePart>(&object).ok(),
            Line::Unsealed(_) | Line::Damaged => None,
        };
        let Some(part) = part else {
            damaged.push((number + 1).to_string());
            continue;
        };
        match done.entry(part.part) {
            Entry::Vacant(entry) => drop(entry.insert(part)),
            Entry::Occupied(entry) if *entry.get() != part => {
                let fault = format!("part {} comes twice and not with the same colourings", part.part);
                return Err(wrong(path, &fault));
            }
            Entry::Occupied(_) => {}
        }
    }
    if !damaged.is_empty() {
        notes.report(&format!(
            "{}: changed in line {}; the parts of changed lines are searched again",
            path.display(),
            damaged.join(", ")
        ));
    }
    Ok(done)
}

/// Returns the error for a file with content that does not belong to the folder.
fn wrong(path: &Path, fault: &str) -> WorkflowError {
    WorkflowError::ColourParts(SplitError::Wrong(vec![format!("{}: {fault}", path.display())]))
}
