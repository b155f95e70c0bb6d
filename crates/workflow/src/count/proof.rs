//! Proof of a count: bounds, the list of all solutions, and a tree that shows that there are no others.

use std::io::{self, BufRead, Write};
use std::path::Path;

use ndqueens_crosscheck::proof::{ProofResult, SolutionCount};
use ndqueens_exact::Enumeration;
use ndqueens_model::board::Board;
use ndqueens_system::cancel::{Control, Deadline};
use num_bigint::BigUint;

use super::Counted;
use super::list::all_images;
use crate::parallel_check::CheckedAhead;
use crate::run::{CHECKING, CountError, Interruptible, ProofDraft, Watch, WorkflowError, nodes, run_watched};

/// Maximum number of squares that a proof lists, in all solutions together.
const MOST_SQUARES: u64 = 1 << 26;

/// Proof of a count that is being written.
pub(super) struct CountProof {
    draft: ProofDraft,
    /// Bounds at the start of the proof, as a proof of its own or without a conclusion.
    bound: ProofDraft,
    /// Bounds of further boxes inside.
    inside: ProofDraft,
}

impl CountProof {
    /// Starts a proof in a file.
    pub(super) fn begin(path: &Path) -> Result<Self, WorkflowError> {
        Ok(Self {
            draft: ProofDraft::new(Some(path))?,
            bound: ProofDraft::new(None)?,
            inside: ProofDraft::new(None)?,
        })
    }

    /// Returns the draft for the bounds.
    pub(super) fn bound(&self) -> &ProofDraft {
        &self.bound
    }

    /// Returns the draft for bounds of boxes inside that the bounds of the maximum do not need.
    pub(super) fn inside(&self) -> &ProofDraft {
        &self.inside
    }

    /// Writes the list and the tree after the bounds, checks the whole proof, and gives the file its name.
    /// The inner `Err` holds the reason why there is no proof.
    pub(super) fn finish(
        self,
        board: &Board,
        counted: &Counted,
        enumeration: Enumeration<'_>,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Interruptible<Result<ProofResult, CountError>>, WorkflowError> {
        let (size, solutions) = (counted.size, counted.solutions());
        if counted.tally.more || &solutions * size > BigUint::from(MOST_SQUARES) {
            return Ok(Interruptible::Finished(Err(CountError::TooManyToProve { most: MOST_SQUARES })));
        }
        let Self { draft, bound, inside } = self;
        let control = Control::default();
        let deadline = deadline.later(CHECKING);
        let count = |sets| SolutionCount { size, sets, no_more_fit: counted.maximum };
        let work = |_: &_| -> Result<Option<ProofResult>, WorkflowError> {
            let Ok(sets) = all_images(board, counted, &|| control.is_stopped()) else { return Ok(None) };
            let number = sets.len() as u64;
            if solutions != number.into() {
                let words = format!(
                    "the number of solutions is {solutions} by their shares, but {number} are listed"
                );
                return Err(WorkflowError::Engine(io::Error::other(words)));
            }
            let written = draft.write(|out, _| {
                copy_statements(bound.text()?, out)?;
                copy_statements(inside.text()?, out)?;
                enumeration.write(&sets, out)?;
                write!(out, "count {size} {number}\nend\n")
            });
            written.map_err(WorkflowError::engine)?;
            let shows = |proved: &ProofResult| {
                proved.board() == board.name() && proved.count() == Some(count(number))
            };
            draft.check(board.name(), &shows, &CheckedAhead::default(), 1, &control)
        };
        let (proved, stop) =
            run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), work);
        let proved = proved?;
        if proved.is_some() {
            draft.persist()?;
        }
        Ok(Interruptible::new(proved.map(Ok), stop))
    }
}

/// Copies the lines of a proof before its conclusion, if it has one.
fn copy_statements(mut proof: impl BufRead, out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    while proof.read_until(b'\n', &mut line)? > 0 && !line.starts_with(b"at most ") {
        out.write_all(&line)?;
        line.clear();
    }
    Ok(())
}
