//! Question for the complete algorithm.

use std::fmt;

use ndqueens_solver::colouring::cover::{Cover, SolutionCounts, SolutionList};
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::digest;
use serde::{Deserialize, Serialize};

use crate::run::{Event, Watch, WorkflowError, nodes, run_watched};

/// Question for all n-colourings of n^2 with a symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColouringQuestion {
    /// Side of the board, from 1 to [`MAX_SIDE`](ndqueens_solver::colouring::cover::MAX_SIDE).
    pub side: usize,
    /// Symmetry of the colourings.
    pub operator: Operator,
    /// True if the clique filter is used.
    pub filter: bool,
}

impl fmt::Display for ColouringQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, operator, filter } = self;
        let filter = if *filter { "with" } else { "without" };
        write!(f, "{side}-colourings of {side}^2, symmetry {operator}, {filter} the clique filter")
    }
}

impl ColouringQuestion {
    /// Lists the solutions of n queens. The search is absent if the listing was stopped before the last one.
    ///
    /// # Errors
    /// Returns an error if no colouring has the symmetry.
    pub(super) fn list(
        &self,
        control: &Control,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<(SolutionList, Option<StopReason>), WorkflowError> {
        let progress = |seconds| nodes(control, seconds);
        let (list, stop) = run_watched(control, deadline, watch, &progress, |_| {
            Cover::list(self.side, self.operator, self.filter, control)
        });
        let list = list?;
        if list.cover.is_some() {
            // The answer of the watcher is ignored here, because it is called again soon.
            let _ = watch(&Event::Stage(self.describe_counts(&list.counts)));
        }
        Ok((list, stop))
    }

    /// Describes the numbers of solutions.
    fn describe_counts(&self, counts: &SolutionCounts) -> String {
        let SolutionCounts { all, meeting, candidates, in_candidates } = counts;
        let side = self.side;
        let mut words = format!(
            "sets of {}: {all}, of which {meeting} meet both main diagonals",
            ndqueens_notation::counted::counted(side, "queen")
        );
        if self.operator != Operator::None {
            let operator = self.operator;
            words += &format!(
                "; {in_candidates} can be classes with the symmetry {operator}, in {}",
                ndqueens_notation::counted::counted(*candidates, "orbit")
            );
        }
        words
    }
}

/// Version of this layout of folders; other versions are rejected.
pub(super) const LAYOUT: u32 = 1;

/// Data that define the parts of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColouringDefinition {
    pub(super) layout: u32,
    pub(super) side: usize,
    pub(super) operator: String,
    pub(super) filter: bool,
    /// Numbers of solutions: all, those that meet both main diagonals, orbits that are candidates, solutions
    /// in these orbits.
    pub(super) solutions: [u64; 4],
    /// Number of parts.
    pub(super) parts: usize,
}

impl ColouringDefinition {
    pub(super) fn new(question: &ColouringQuestion, counts: &SolutionCounts, parts: usize) -> Self {
        let ColouringQuestion { side, operator, filter } = *question;
        let SolutionCounts { all, meeting, candidates, in_candidates } = *counts;
        let solutions = [all, meeting, candidates, in_candidates];
        Self { layout: LAYOUT, side, operator: operator.to_string(), filter, solutions, parts }
    }

    pub(super) fn question(&self) -> Option<ColouringQuestion> {
        let operator = self.operator.parse().ok()?;
        Some(ColouringQuestion { side: self.side, operator, filter: self.filter })
    }

    pub(super) fn digest(&self) -> String {
        digest::of(serde_json::to_vec(self).expect("plain data"))
    }
}
