//! Progress of a split.

use std::collections::HashSet;

use crate::record::machine;
use ndqueens_system::claim::{self, Claimed};

use super::folder::{Folder, numbers};
use crate::parts::account::{self, Total};
use crate::run::{SplitError, WorkflowError};

/// Progress of a split.
#[derive(Debug)]
pub struct Status {
    /// Total number of parts and pieces.
    pub parts: usize,
    /// Number of those that are missing.
    pub missing: usize,
    /// Numbers of the parts of the split that are not complete.
    pub numbers: Vec<usize>,
    /// Estimated share of the tree that is done, from 0 to 1. The estimate was made when the tree was cut.
    pub done: f64,
    /// Claims of the parts that are being run.
    pub running: Vec<Claimed>,
    /// Resources that the parts have taken so far.
    pub total: Total,
    /// Estimated CPU time for the missing parts, in seconds; `None` if no part has ended.
    pub cpu_seconds_left: Option<f64>,
}

impl Folder {
    /// Returns the progress.
    ///
    /// # Errors
    /// Returns an error if the folder contains foreign parts or cannot be read.
    pub fn status(&self) -> Result<Status, WorkflowError> {
        let fits = self.certificate()?.is_some();
        // If the queens fit, a join reads no other file. If nothing is missing, the check of the whole proof
        // decides whether the bounds of the boxes are valid.
        let (parts, missing) = match self.find_missing(|_| true) {
            Ok((_, parts, missing)) => (parts, missing),
            Err(WorkflowError::Split(SplitError::Wrong(_))) if fits => {
                (self.manifest.definition.parts, Vec::new())
            }
            Err(fault) => return Err(fault),
        };
        if !missing.is_empty() && !fits {
            self.find_damaged()?;
        }
        let numbers = numbers(missing.iter());
        let left: f64 = missing.iter().map(|leaf| leaf.weight).sum();
        let missing: HashSet<String> = missing.iter().map(|leaf| leaf.part.stem()).collect();
        let mut running = claim::all(&self.path, &machine::holder())?;
        // A runner may have been killed after it wrote a part and before it released the claim.
        running.retain(|claim| missing.contains(&claim.key));
        let accounts = account::read(&self.path, &self.notes)?;
        let total = account::total(&accounts);
        let finished: f64 =
            accounts.iter().filter(|account| account.finished).map(|account| account.weight).sum();
        let cpu_seconds_left = (finished > 0.0).then(|| total.cpu_seconds / finished * left);
        let done = (1.0 - left).clamp(0.0, 1.0);
        Ok(Status { parts, missing: missing.len(), numbers, done, running, total, cpu_seconds_left })
    }

    /// Returns the resources that the parts have taken so far.
    ///
    /// # Errors
    /// Returns an error if the accounts cannot be read.
    pub fn total(&self) -> Result<Total, WorkflowError> {
        Ok(account::total(&account::read(&self.path, &self.notes)?))
    }
}
