//! How far a split is.

use std::collections::HashSet;

use ndqueens_record::machine;
use ndqueens_system::claim::{self, Claimed};

use super::folder::{Folder, numbers};
use crate::parts::account::{self, Total};
use crate::run::{LabError, SplitError};

/// How far a split is.
#[derive(Debug)]
pub struct Status {
    /// Parts and pieces in all.
    pub parts: usize,
    /// Those that are missing.
    pub missing: usize,
    /// The numbers of the parts of the split that are not there in full.
    pub numbers: Vec<usize>,
    /// What part of the tree is there, from 0 to 1, by the estimate that was made when it was cut.
    pub done: f64,
    /// The parts that are run just now.
    pub running: Vec<Claimed>,
    /// What the parts took so far.
    pub total: Total,
    /// CPU time for what is missing, in seconds, if it is like the rest; `None` before a part has ended.
    pub cpu_seconds_left: Option<f64>,
}

impl Folder {
    /// How far it is.
    ///
    /// # Errors
    /// When there are parts that do not belong here, or the folder cannot be read.
    pub fn status(&self) -> Result<Status, LabError> {
        let fits = self.certificate()?.is_some();
        // A join looks at no other file once the queens fit, and where nothing is missing the check of the whole proof decides
        // whether the bounds of the boxes are sound.
        let (parts, missing) = match self.missing_or_damaged(|_| true) {
            Ok((_, parts, missing)) => (parts, missing),
            Err(LabError::Split(SplitError::Wrong(_))) if fits => {
                (self.manifest.definition.parts, Vec::new())
            }
            Err(fault) => return Err(fault),
        };
        if !missing.is_empty() && !fits {
            self.damaged()?;
        }
        let numbers = numbers(missing.iter());
        let left: f64 = missing.iter().map(|leaf| leaf.weight).sum();
        let missing: HashSet<String> = missing.iter().map(|leaf| leaf.part.stem()).collect();
        let mut running = claim::all(&self.path, &machine::holder())?;
        // A runner may have been killed after it wrote a part and before it gave up the claim.
        running.retain(|claim| missing.contains(&claim.key));
        let accounts = account::read(&self.path)?;
        let total = account::total(&accounts);
        let finished: f64 =
            accounts.iter().filter(|account| account.finished).map(|account| account.weight).sum();
        let cpu_seconds_left = (finished > 0.0).then(|| total.cpu_seconds / finished * left);
        let done = (1.0 - left).clamp(0.0, 1.0);
        Ok(Status { parts, missing: missing.len(), numbers, done, running, total, cpu_seconds_left })
    }

    /// What the parts took so far.
    ///
    /// # Errors
    /// When the accounts cannot be read.
    pub fn total(&self) -> Result<Total, LabError> {
        Ok(account::total(&account::read(&self.path)?))
    }
}
