//! Checks of the ledger with the verified checker.

use std::collections::{BTreeSet, HashMap};

use ndqueens_workflow::evidence::{Refusal, verified};
use rayon::prelude::*;

use super::Ledger;
use super::check::{CheckedRow, squares};
use super::row::Key;
use super::row_check::RowStatus;

impl Ledger {
    /// Checks all rows with all available files, and checks with the verified checker those files that it can
    /// read. A row whose file it rejects is rejected.
    ///
    /// # Errors
    /// Returns an error if the verified checker is not available.
    pub fn confirm(&self) -> Result<Vec<CheckedRow>, Refusal> {
        let checker = verified::version(&|| false)?;
        let mut rows = self.check(u64::MAX);
        let files: BTreeSet<String> = rows
            .iter()
            .filter(|one| matches!(one.status, RowStatus::Checked | RowStatus::RestsOnNotRechecked))
            .map(|one| one.row.file.clone())
            .collect();
        let verdicts: HashMap<String, Result<bool, Refusal>> = files
            .into_par_iter()
            .map(|file| {
                let verdict = self.files.confirm(&file);
                (file, verdict)
            })
            .collect();
        let mut accepted: HashMap<Key, bool> = HashMap::new();
        // A bound rests only on bounds of smaller boards.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&at| squares(&rows[at].row.board));
        for at in order {
            let row = rows[at].row.clone();
            let needs = row.needs().unwrap_or_default();
            let are_premises_accepted = needs.iter().all(|need| {
                let premise = self.upper(&need.board);
                premise.is_some_and(|premise| accepted.get(&premise.key()) == Some(&true))
            });
            match verdicts.get(&row.file) {
                Some(Err(fault)) => rows[at].status = RowStatus::Refused(fault.to_string()),
                Some(Ok(true)) if are_premises_accepted => rows[at].verified_by = Some(checker.clone()),
                _ => {}
            }
            accepted.insert(row.key(), rows[at].verified_by.is_some());
        }
        Ok(rows)
    }
}
