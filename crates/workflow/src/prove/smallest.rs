//! Smallest dominating sets, by branch and bound on LP relaxations.

use std::time::Instant;

use crate::record::{Answer, Outcome, Verdict, machine};
use ndqueens_crosscheck::vipr::Theorem;
use ndqueens_model::board::Square;
use ndqueens_model::facts::Bounds;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::Progress;
use ndqueens_solver::branch_and_bound::{
    self as tree, CoverProblem, CoverSearch, End, Monitor, Settings, Symmetry, ensure_cover_rows,
};
use ndqueens_system::cancel::{Deadline, StopReason};

use super::branch_and_bound::{Effort, NAME, TreeRequest, watch_check};
use super::kind::ProofKind;
use super::proof_state::Status;
use super::vipr;
use crate::run::{Event, ProofDraft, Watch, WorkflowError, placement_check, run_watched};

/// Bounds on the size of a smallest dominating set.
#[derive(Debug)]
pub struct SmallestSet {
    /// Status of the claim.
    pub status: Status,
    /// Smallest set that was found, checked.
    pub certificate: Certificate,
    /// Number of squares that every set must contain.
    pub included: u64,
    /// Lower bound on the size of every set, by a checked proof.
    pub lower: u64,
    /// Kind of the proof of the lower bound; `None` before the first one.
    pub kind: Option<ProofKind>,
    /// Reason why the work stopped.
    pub stop: StopReason,
    /// Columns of the record.
    pub answer: Answer,
}

impl SmallestSet {
    /// Sets the status of the claim of this value, or of any value if it is `None`.
    fn judge(&mut self, value: Option<u64>) {
        let found = self.certificate.size() as u64;
        self.status = match value {
            Some(k) if found < k || self.lower > k => Status::Refuted,
            _ if found == self.lower && self.kind.is_some() => Status::Proved,
            _ => Status::Open,
        };
    }

    /// Returns the answer to the question for a smallest set.
    #[must_use]
    pub fn into_answer(self) -> Answer {
        let outcome = match self.status {
            Status::Open => Outcome::Feasible,
            Status::Proved | Status::Refuted | Status::Solved | Status::Conditional => Outcome::Optimal,
        };
        Answer { outcome, verdict: Some(Verdict::Ok), ..self.answer }
    }
}

/// Answer to the question for a set of at most a number of squares.
enum Reply {
    Found(Vec<Square>),
    None,
    Stopped(StopReason),
}

/// Proves by branch and bound the size of a smallest dominating set that contains the squares of `include`,
/// or that this size is the claimed value. The proof is checked, and written to a VIPR file if one is given.
///
/// # Errors
/// Returns an error if the formulation does not suit the board, HiGHS fails, the proof cannot be written, or
/// a given or computed certificate or the proof does not pass the check.
pub fn prove_smallest(
    request: &TreeRequest<'_>,
    include: &[Square],
    value: Option<u64>,
    certificate: Option<&Certificate>,
    watch: &mut Watch<'_>,
) -> Result<SmallestSet, WorkflowError> {
    let (begin, cpu_before) = (Instant::now(), machine::cpu_time());
    let TreeRequest { board, formulation, options, .. } = *request;
    let deadline = Deadline::since(begin, options.time_limit);
    let cover = request.cover(include)?;
    let certificate = request.first_set(&cover, certificate, begin, deadline, watch)?;
    let mut proof = SmallestSet {
        status: Status::Open,
        certificate,
        included: include.len() as u64,
        lower: include.len().saturating_sub(1) as u64,
        kind: None,
        stop: StopReason::Finished,
        answer: Answer::default(),
    };
    let mut effort = Effort::default();
    loop {
        proof.judge(value);
        if proof.status != Status::Open || proof.stop != StopReason::Finished {
            break;
        }
        let found = proof.certificate.size() as u64;
        // The relaxation at the root excludes smaller sets.
        let rounded = effort.root_bound.map_or(0, |bound| (bound - 1e-6).ceil() as u64);
        let target = proof.lower.max(rounded.saturating_sub(1)).min(found - 1);
        // The proof that settles the question is kept.
        let is_last = target + 1 >= value.map_or(found, |k| found.min(k + 1));
        match request.decide_smallest(&cover, target, is_last, &mut effort, deadline, watch)? {
            Reply::Found(squares) => {
                proof.certificate =
                    placement_check::certify(board, &squares, formulation.problem, include, NAME)?;
            }
            Reply::None => {
                proof.lower = target + 1;
                let formulation = formulation.name.clone();
                proof.kind = Some(ProofKind::BranchAndBound { formulation, nodes: effort.nodes });
            }
            Reply::Stopped(reason) => proof.stop = reason,
        }
    }
    let answer = &mut proof.answer;
    effort.note(answer);
    answer.outcome = proof.status.into();
    answer.stop = proof.stop.into();
    answer.proved_bound = i64::try_from(proof.lower).ok();
    answer.proof = proof.kind.as_ref().map(ToString::to_string);
    answer.wall_seconds = begin.elapsed().as_secs_f64();
    answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    answer.note_certificate(&proof.certificate);
    Ok(proof)
}

/// Decides by branch and bound whether a dominating set of at most `most` squares exists. A proof that none
/// exists is checked.
///
/// # Errors
/// Returns the errors of [`prove_smallest`].
pub fn decide_smallest(
    request: &TreeRequest<'_>,
    most: u64,
    certificate: Option<&Certificate>,
    watch: &mut Watch<'_>,
) -> Result<Answer, WorkflowError> {
    let (begin, cpu_before) = (Instant::now(), machine::cpu_time());
    let TreeRequest { board, formulation, options, .. } = *request;
    let deadline = Deadline::since(begin, options.time_limit);
    let cover = request.cover(&[])?;
    let certificate = request.first_set(&cover, certificate, begin, deadline, watch)?;
    let (mut effort, mut answer) = (Effort::default(), Answer::default());
    answer.stop = StopReason::Finished.into();
    let reply = match certificate.size() as u64 <= most {
        true => None,
        false => Some(request.decide_smallest(&cover, most, true, &mut effort, deadline, watch)?),
    };
    match reply {
        None => answer.note_certificate(&certificate),
        Some(Reply::Found(squares)) => {
            answer.note_certificate(&placement_check::certify(
                board,
                &squares,
                formulation.problem,
                &[],
                NAME,
            )?);
        }
        Some(Reply::None) => {
            answer.outcome = Outcome::Infeasible;
            answer.proved_bound = i64::try_from(most + 1).ok();
            let formulation = formulation.name.clone();
            answer.proof = Some(ProofKind::BranchAndBound { formulation, nodes: effort.nodes }.to_string());
        }
        Some(Reply::Stopped(reason)) => {
            answer.outcome = Outcome::Unknown;
            answer.stop = reason.into();
        }
    }
    if answer.certificate.is_some() {
        answer.outcome = Outcome::Feasible;
    }
    effort.note(&mut answer);
    answer.verdict = Some(Verdict::Ok);
    answer.wall_seconds = begin.elapsed().as_secs_f64();
    answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    Ok(answer)
}

impl<'a> TreeRequest<'a> {
    /// Returns the problem of a smallest dominating set with these squares, if the formulation suits the
    /// board.
    fn cover<'s>(&self, include: &'s [Square]) -> Result<CoverProblem<'s>, WorkflowError>
    where
        'a: 's,
    {
        let Self { board, formulation, .. } = *self;
        let bounds = Bounds::with_publications(self.prior.bounds());
        let problem = tree::Problem { board, formulation, bounds: &bounds, memory: self.memory };
        ensure_cover_rows(&problem, include)?;
        let is_independent = formulation.problem == Problem::IndependentDominatingSet;
        Ok(CoverProblem { board, is_independent, included: include })
    }

    /// Returns a small dominating set: the given one, or one by an exchange search.
    fn first_set(
        &self,
        cover: &CoverProblem<'_>,
        given: Option<&Certificate>,
        begin: Instant,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Certificate, WorkflowError> {
        let Self { board, formulation, options, .. } = *self;
        let problem = formulation.problem;
        if let Some(given) = given {
            let squares = placement_check::verify_given(board, problem, given)?;
            return placement_check::certify(board, &squares, problem, cover.included, &given.origin);
        }
        let mut is_to_stop = || {
            let seconds = begin.elapsed().as_secs_f64();
            let progress = Event::Progress(Progress { seconds, ..Progress::default() });
            watch(&progress).is_break() || deadline.is_over()
        };
        let squares = tree::small_dominating_set(cover, options.seed.into(), &mut is_to_stop);
        placement_check::certify(board, &squares, problem, cover.included, "exchange of squares")
    }

    /// Builds a tree that decides whether a set of at most `target` squares exists. If `is_kept`, a proof
    /// that none exists is written to the file of the request.
    fn decide_smallest(
        &self,
        cover: &CoverProblem<'_>,
        target: u64,
        is_kept: bool,
        effort: &mut Effort,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Reply, WorkflowError> {
        let Self { board, formulation, options, .. } = *self;
        // The search reports again, and then the answer of the watcher counts.
        let stage = format!(
            "{}: asking for a {} of {}",
            board.name(),
            formulation.problem,
            board.format_pieces(target)
        );
        let _ = watch(&Event::Stage(stage));
        let draft = ProofDraft::new(self.keep.filter(|_| is_kept))?;
        let monitor = Monitor::default();
        let settings = Settings {
            symmetry: if options.symmetry == Some(false) { Symmetry::Nowhere } else { Symmetry::Root },
            seed: options.seed,
            node_limit: options.node_limit.unwrap_or(u64::MAX).saturating_sub(effort.nodes),
            ..Settings::new(&monitor)
        };
        let progress = |seconds: f64| effort.progress(&monitor, target + 1, seconds);
        let (searched, stopped) = run_watched(&monitor.control, deadline, watch, &progress, |_| {
            draft.write(|out, _| Ok(vipr::prove_cover(cover, formulation.problem, target, &settings, out)))
        });
        let CoverSearch { end, statistics } =
            searched.map_err(WorkflowError::engine)?.map_err(tree::ProofError::from)?;
        effort.add(&statistics);
        match end {
            End::Found(squares) => Ok(Reply::Found(squares)),
            End::Stopped(reason) => Ok(Reply::Stopped(stopped.unwrap_or(reason))),
            End::Refuted => {
                let included: Vec<_> =
                    cover.included.iter().map(|&square| board.coordinates(square)).collect();
                let shows = |theorem: &Theorem| {
                    theorem.problem() == formulation.problem
                        && theorem.included() == included
                        && theorem.at_least() == Some(target + 1)
                };
                let (is_checked, stopped) =
                    watch_check(deadline, watch, |control| draft.finish_vipr(board.name(), &shows, control))?;
                Ok(match is_checked {
                    true => Reply::None,
                    false => Reply::Stopped(stopped.unwrap_or(StopReason::Interrupted)),
                })
            }
        }
    }
}
