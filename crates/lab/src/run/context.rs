//! What a run is given besides its question.

use std::path::Path;

use ndqueens_model::import::Convention;

use super::PriorResults;

/// What a run is given besides its question; records do not tell of it.
#[derive(Debug, Clone, Copy)]
pub struct RunContext<'a> {
    /// What a model may take, in bytes.
    pub memory: u64,
    /// What earlier runs proved and found.
    pub prior: PriorResults,
    /// Whether the LP relaxation of an integer program is solved as well.
    pub root_bound: bool,
    /// File for the log of HiGHS.
    pub log: Option<&'a Path>,
    /// A folder in which the exact engine keeps what is settled on the way, so that a stopped run resumes there.
    pub work: Option<&'a Path>,
    /// The file in which the proof is kept.
    pub proof: Option<&'a Path>,
    /// Whether a bound that was not checked is left out.
    pub certified: bool,
    /// Form of the file with the squares that the run starts from.
    pub start_as: Convention,
}

impl RunContext<'_> {
    /// Nothing is kept, and nothing besides the answer is asked for.
    #[must_use]
    pub fn new(memory: u64, prior: PriorResults) -> Self {
        Self {
            memory,
            prior,
            root_bound: false,
            log: None,
            work: None,
            proof: None,
            certified: false,
            start_as: Convention::Native,
        }
    }
}
