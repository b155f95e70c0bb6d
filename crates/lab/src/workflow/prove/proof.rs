//! What is known at the end of a proof, and on the way there.

use std::time::{Duration, Instant};

use ndqueens_exact::MOST_SQUARES;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_model::board::Board;
use ndqueens_model::facts::{UpperBound, known};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_record::machine;
use ndqueens_record::{Answer, Outcome, verdict};
use ndqueens_solver::backends::Progress;
use ndqueens_solver::construct::{self as construction, Effort};
use ndqueens_system::cancel::{Deadline, StopReason, abandon_on_stop};

use super::kind::ProofKind;
use crate::evidence::{partition, volume};
use crate::run::{Event, LabError, Watch, check};
use crate::workflow::construct;

/// Where the claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Lower and upper bound meet (at the value claimed, if one was), and both were checked.
    Proved,
    /// They meet, by an upper bound that a solver says in floating point.
    Solved,
    /// They meet, or the claim is refuted, if bounds hold that were not checked in this run.
    Conditional,
    /// The maximum is not the value claimed.
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

/// What is known at the end.
#[derive(Debug)]
pub struct Proof {
    /// Where the claim stands.
    pub status: Status,
    /// The best certificate, checked.
    pub certificate: Certificate,
    /// The best upper bound.
    pub upper: u64,
    /// What proves the upper bound.
    pub kind: ProofKind,
    /// The best upper bound that crosscheck or an outside checker accepted, without conditions.
    pub certified: u64,
    /// All boxes in the board, when the exact engine bounded them on the way.
    pub boxes: Option<BoxTable>,
    /// Bounds of smaller boards, proved before or on the way, that the upper bound rests on.
    pub lemmas: Vec<UpperBound>,
    /// Bounds that were not checked in this run and that the upper bound rests on.
    pub conditions: Vec<UpperBound>,
    /// Why the work stopped.
    pub stop: StopReason,
    /// The columns of the record.
    pub answer: Answer,
}

/// How many queens are asked for next: one more than were found, and a claim above that is first shown to be reached.
pub(super) fn next_asked(found: u64, claimed: Option<u64>) -> u64 {
    claimed.map_or(found + 1, |k| if found < k { k } else { k + 1 })
}

/// The best construction, checked.
pub(super) fn constructed(board: &Board, seed: u32) -> Result<Certificate, LabError> {
    let made = construction::best(board, &[], u64::from(seed), Effort::default())?;
    construct::checked(board, &made, &[])
}

impl Proof {
    /// The certificate to begin with, that of no queens where none is constructed, and the upper bound that a partition gives.
    pub(super) fn begin(
        board: &Board,
        certificate: Option<&Certificate>,
        seed: u32,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Self, LabError> {
        let mut proof = Self::open(board)?;
        proof.certificate = match certificate {
            Some(certificate) => {
                check::given(board, Problem::IndependentSet, certificate)?;
                certificate.clone()
            }
            None => {
                let (name, begin) = (board.name().clone(), Instant::now());
                let go_on = &mut || {
                    let seconds = begin.elapsed().as_secs_f64();
                    let progress = Event::Progress(Progress { seconds, ..Progress::default() });
                    watch(&progress).is_continue() && !deadline.is_over()
                };
                match abandon_on_stop(go_on, move || constructed(&Board::new(&name), seed)) {
                    None => {
                        proof.stop = deadline.reason().unwrap_or(StopReason::Interrupted);
                        proof.answer.stop = proof.stop.into();
                        proof.certificate
                    }
                    // No construction takes the board; a solver may.
                    Some(Err(LabError::Construction(_))) => proof.certificate,
                    Some(made) => made?,
                }
            }
        };
        let (name, size) = (board.name(), proof.certificate.size() as u64);
        // Whether to go on is asked again as soon as a solver starts.
        let _ = watch(&Event::Stage(format!(
            "{name}: {}, checked; {}",
            board.format_pieces(size),
            proof.certificate.origin
        )));
        Ok(proof)
    }

    /// A placement that is given, and the upper bound that a partition gives.
    ///
    /// # Errors
    /// When the placement does not pass the check.
    pub fn given(board: &Board, certificate: &Certificate) -> Result<Self, LabError> {
        check::given(board, Problem::IndependentSet, certificate)?;
        Ok(Self { certificate: certificate.clone(), ..Self::open(board)? })
    }

    /// Returns the upper bound that a partition or the volume of a cube gives, and no placement.
    ///
    /// # Errors
    /// When the partition does not pass the check.
    pub(crate) fn open(board: &Board) -> Result<Self, LabError> {
        let partitioned = partition::best(board)?;
        // On smaller boards the orbit LP and the exact engine give the same bound, with a proof that does not need the picture of a cube.
        let is_large = board.size() > MOST_SQUARES;
        let by_volume = if is_large { volume::best(board).map_err(LabError::RefusedBound)? } else { None };
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

    /// Returns `true` if the upper bound was checked and rests on nothing that was not.
    fn is_certified(&self) -> bool {
        !matches!(self.kind, ProofKind::SolverRun { .. } | ProofKind::Stopped) && self.conditions.is_empty()
    }

    /// Replaces the upper bound, and what it rests on.
    pub(crate) fn bound(&mut self, upper: u64, kind: ProofKind) {
        if self.is_certified() {
            self.certified = self.certified.min(self.upper);
        }
        (self.upper, self.kind) = (upper, kind);
        self.lemmas.clear();
        self.conditions.clear();
    }

    /// Says where a claim of this value, or of any, stands.
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

    /// Fills in the answer at the end of work that began then.
    pub(crate) fn settle_answer(&mut self, begin: Instant, cpu_before: Duration) {
        let (lower, board) = (self.certificate.size() as u64, &self.certificate.board);
        self.answer.verdict = Some(verdict::on_bounds(lower, self.upper, known::lookup(board)));
        self.answer.stop = self.stop.into();
        self.answer.wall_seconds = begin.elapsed().as_secs_f64();
        self.fill_answer(cpu_before);
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
        answer.lemmas = self.lemmas.iter().map(ToString::to_string).collect();
        answer.conditions = self.conditions.iter().map(ToString::to_string).collect();
        answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
        answer.peak_memory_bytes = machine::peak_memory();
        answer.note_certificate(&self.certificate);
    }
}
