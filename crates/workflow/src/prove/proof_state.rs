//! State of a proof of a maximum, during the work and at its end.

use std::time::{Duration, Instant};

use crate::record::machine;
use crate::record::{Answer, Outcome, verdict};
use ndqueens_exact::MOST_SQUARES;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_model::board::Board;
use ndqueens_model::facts::known;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::Progress;
use ndqueens_solver::construct::{self as construction, Effort};
use ndqueens_system::cancel::{Deadline, StopReason, abandon_on_stop};

use super::kind::ProofKind;
use crate::evidence::{partition, volume};
use crate::find::construct;
use crate::run::{Event, RefusedError, Watch, WorkflowError, placement_check};

/// Status of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Lower and upper bound meet (at the claimed value, if there is one), and both were checked.
    Proved,
    /// The bounds meet, but the upper bound is that of a solver in floating point.
    Solved,
    /// The bounds meet, or the claim is refuted, under the condition that bounds hold that were not checked
    /// in this run.
    Conditional,
    /// The maximum is not the claimed value.
    Refuted,
    /// The run stopped before the question was settled.
    Open,
}

impl From<Status> for Outcome {
    fn from(status: Status) -> Self {
        match status {
            Status::Proved => Self::Proved,
            Status::Solved => Self::Solved,
            Status::Conditional => Self::Conditional,
            Status::Refuted => Self::Refuted,
            Status::Open => Self::Open,
        }
    }
}

/// Bounds of a maximum and their proofs.
#[derive(Debug)]
pub struct ProofState {
    /// Status of the claim.
    pub status: Status,
    /// Best certificate, checked.
    pub certificate: Certificate,
    /// Best upper bound.
    pub upper: u64,
    /// Kind of the proof of the upper bound.
    pub kind: ProofKind,
    /// Best upper bound that crosscheck or an external checker accepted, without conditions.
    pub certified: u64,
    /// Bounds of all boxes in the board, if the exact engine computed them.
    pub boxes: Option<BoxTable>,
    /// Bounds of smaller boards on which the upper bound rests and that were proved before or in this run.
    pub lemmas: Vec<String>,
    /// Bounds and inequalities on which the upper bound rests and that were not checked in this run.
    pub conditions: Vec<String>,
    /// Reason why the work stopped.
    pub stop: StopReason,
    /// Columns of the record.
    pub answer: Answer,
}

/// Returns the next number of queens to ask for: one more than were found. If a larger value is claimed, that
/// value is requested first.
pub(super) fn next_target(found: u64, claimed: Option<u64>) -> u64 {
    claimed.map_or(found + 1, |k| if found < k { k } else { k + 1 })
}

/// Returns the best construction, checked.
pub(super) fn construct_best(board: &Board, seed: u32) -> Result<Certificate, WorkflowError> {
    let made = construction::best(board, &[], u64::from(seed), Effort::default())?;
    construct::certify(board, &made, &[])
}

/// Times at the start of some work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartTimes {
    /// Wall-clock time.
    pub(crate) wall: Instant,
    /// CPU time of the process.
    pub(crate) cpu: Duration,
}

impl StartTimes {
    /// Returns the times of this moment.
    pub(crate) fn now() -> Self {
        Self { wall: Instant::now(), cpu: machine::cpu_time() }
    }
}

impl ProofState {
    /// Starts a proof with a certificate, which is constructed if none is given and is empty if no
    /// construction applies, and with the upper bound of a partition.
    pub(super) fn begin(
        board: &Board,
        certificate: Option<&Certificate>,
        seed: u32,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Self, WorkflowError> {
        let mut proof = Self::open(board)?;
        proof.certificate = match certificate {
            Some(certificate) => {
                placement_check::verify_given(board, Problem::IndependentSet, certificate)?;
                certificate.clone()
            }
            None => {
                let (name, begin) = (board.name().clone(), Instant::now());
                let go_on = &mut || {
                    let seconds = begin.elapsed().as_secs_f64();
                    let progress = Event::Progress(Progress { seconds, ..Progress::default() });
                    watch(&progress).is_continue() && !deadline.is_over()
                };
                match abandon_on_stop(go_on, move || construct_best(&Board::new(&name), seed)) {
                    None => {
                        proof.stop = deadline.reason().unwrap_or(StopReason::Interrupted);
                        proof.answer.stop = proof.stop.into();
                        proof.certificate
                    }
                    // No construction applies to the board; a solver may do so.
                    Some(Err(WorkflowError::Construction(_))) => proof.certificate,
                    Some(made) => made?,
                }
            }
        };
        let (name, size) = (board.name(), proof.certificate.size() as u64);
        // The answer of the watcher is ignored here, because it is called again when a solver starts.
        let _ = watch(&Event::Stage(format!(
            "{name}: {}, checked; {}",
            board.format_pieces(size),
            proof.certificate.origin
        )));
        Ok(proof)
    }

    /// Starts a proof with a given placement and the upper bound of a partition.
    ///
    /// # Errors
    /// Returns an error if the placement does not pass the check.
    pub fn from_certificate(board: &Board, certificate: &Certificate) -> Result<Self, WorkflowError> {
        placement_check::verify_given(board, Problem::IndependentSet, certificate)?;
        Ok(Self { certificate: certificate.clone(), ..Self::open(board)? })
    }

    /// Starts a proof with the upper bound by a partition or by the volume of a cube, without a placement.
    ///
    /// # Errors
    /// Returns an error if the partition or the volume bound does not pass the check.
    pub(crate) fn open(board: &Board) -> Result<Self, WorkflowError> {
        let partitioned = partition::best(board)?;
        // On smaller boards the orbit LP and the exact engine give the same bound, with a proof that does not
        // need the picture of a cube.
        let is_large = board.size() > MOST_SQUARES;
        let by_volume = if is_large { volume::best(board).map_err(RefusedError::Bound)? } else { None };
        let (upper, kind) = match by_volume {
            Some(volume) if volume.at_most < partitioned.sets => (volume.at_most, ProofKind::Volume(volume)),
            _ => (partitioned.sets, ProofKind::Partition(partitioned)),
        };
        Ok(Self {
            status: Status::Open,
            certificate: Certificate::independent(board.name().clone(), Vec::new(), "no queen at all"),
            upper,
            certified: upper,
            kind,
            boxes: None,
            lemmas: Vec::new(),
            conditions: Vec::new(),
            stop: StopReason::Finished,
            answer: Answer::default(),
        })
    }

    /// Returns `true` if the upper bound was checked and has no conditions.
    fn is_certified(&self) -> bool {
        !matches!(self.kind, ProofKind::SolverRun { .. } | ProofKind::Stopped) && self.conditions.is_empty()
    }

    /// Replaces the upper bound and its proof.
    pub(crate) fn bound(&mut self, upper: u64, kind: ProofKind) {
        if self.is_certified() {
            self.certified = self.certified.min(self.upper);
        }
        (self.upper, self.kind) = (upper, kind);
        self.lemmas.clear();
        self.conditions.clear();
    }

    /// Sets the status of the claim of this value, or of any value if it is `None`.
    pub(crate) fn judge(&mut self, value: Option<u64>) {
        let found = self.certificate.size() as u64;
        let beyond = value.is_some_and(|k| self.upper < k);
        self.status = match value {
            Some(k) if found > k => Status::Refuted,
            _ if self.kind == ProofKind::Stopped || found != self.upper && !beyond => Status::Open,
            _ if !self.conditions.is_empty() => Status::Conditional,
            _ if beyond => Status::Refuted,
            _ if matches!(self.kind, ProofKind::SolverRun { .. }) => Status::Solved,
            _ => Status::Proved,
        };
    }

    /// Completes the answer at the end of the work, given the times at its start.
    pub(crate) fn settle_answer(&mut self, start: &StartTimes) {
        let (lower, board) = (self.certificate.size() as u64, &self.certificate.board);
        self.answer.verdict = Some(verdict::on_bounds(lower, self.upper, known::lookup(board)));
        self.answer.stop = self.stop.into();
        self.answer.wall_seconds = start.wall.elapsed().as_secs_f64();
        self.fill_answer(start.cpu);
    }

    pub(super) fn fill_answer(&mut self, cpu_before: Duration) {
        let is_certified = self.is_certified();
        if is_certified {
            self.certified = self.certified.min(self.upper);
        }
        let answer = &mut self.answer;
        answer.outcome = self.status.into();
        answer.proved_bound = i64::try_from(self.certified).ok();
        if matches!(self.kind, ProofKind::SolverRun { .. }) {
            answer.dual_bound = Some(self.upper as f64);
        }
        answer.proof = Some(self.kind.to_string());
        answer.lemmas.clone_from(&self.lemmas);
        answer.conditions.clone_from(&self.conditions);
        answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
        answer.peak_memory_bytes = machine::peak_memory();
        answer.note_certificate(&self.certificate);
    }
}
