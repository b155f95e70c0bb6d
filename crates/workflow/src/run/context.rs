//! Settings of a run that are not part of its question.

use std::path::Path;

use ndqueens_model::import::Convention;

use ndqueens_system::note::Notes;

use super::PriorResults;

/// Settings of a run that are not part of its question and not in its record.
#[derive(Debug, Clone, Copy)]
pub struct RunContext<'a> {
    /// Memory limit of a model, in bytes.
    pub memory: u64,
    /// Results of earlier runs.
    pub prior: &'a PriorResults,
    /// Destination of notes about damaged files.
    pub notes: &'a Notes,
    /// True if the LP relaxation of an integer program is solved as well.
    pub root_bound: bool,
    /// File for the log of HiGHS.
    pub log: Option<&'a Path>,
    /// Folder for intermediate results of the exact engine, from which a stopped run is resumed.
    pub work: Option<&'a Path>,
    /// File for the proof.
    pub proof: Option<&'a Path>,
    /// True if bounds that were not checked are omitted from the result.
    pub certified: bool,
    /// Convention of the file with the squares from which the run starts.
    pub start_as: Convention,
}

impl<'a> RunContext<'a> {
    /// Creates a context that writes no files, solves no LP relaxation and omits no bounds.
    #[must_use]
    pub fn new(memory: u64, prior: &'a PriorResults, notes: &'a Notes) -> Self {
        Self {
            memory,
            prior,
            notes,
            root_bound: false,
            log: None,
            work: None,
            proof: None,
            certified: false,
            start_as: Convention::Native,
        }
    }
}
