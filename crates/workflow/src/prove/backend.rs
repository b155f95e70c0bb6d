//! Maximum by integer programs that ask for more queens than were found, until one is infeasible. Right-hand
//! sides that are only published are proved first, as lemmas, by the same workflow on smaller boards.

use std::sync::Arc;
use std::time::Instant;

use crate::record::machine;
use ndqueens_model::board::Board;
use ndqueens_model::facts::{Bounds, Provenance, UpperBound, UpperBounds as _};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::backends::{Backend, Options, Outcome, Progress};
use ndqueens_system::cancel::{Deadline, StopReason};

use super::kind::ProofKind;
use super::proof_state::{ProofState, Status, next_target};
use crate::lp::orbit_lp::{self, Certified};
use crate::run::{Event, GoalError, PriorResults, Watch, WorkflowError};
use crate::solve::{self, SolveRequest};

/// Request for a proof by integer programs.
#[derive(Debug)]
pub struct BackendRequest<'a> {
    /// Board to prove the maximum of.
    pub board: &'a Board,
    /// Formulation whose rows prove the upper bound.
    pub formulation: &'a Formulation,
    /// BackendRequest maximum; if absent, the maximum is computed.
    pub value: Option<u64>,
    /// Certificate to start from; if absent, one is constructed.
    pub certificate: Option<&'a Certificate>,
    /// Known bounds of the board; their certificate is the start if no other one is given.
    pub known: Option<&'a ProofState>,
    /// True to ask for exactly k + 1 queens, the equality form of Kunt (2023), instead of at least k + 1.
    pub exactly: bool,
    /// True if published right-hand sides are assumed, which makes the result conditional.
    pub assume_reported: bool,
    /// Settings of the backend; the time limit covers the whole proof.
    pub options: Options,
    /// Memory limit of a model, in bytes.
    pub memory: u64,
    /// Results of earlier runs.
    pub prior: &'a PriorResults,
}

/// Proves the maximum, or that the maximum is the claimed value.
///
/// # Errors
/// Returns an error if the formulation does not ask for a maximum, the formulation does not suit the board,
/// the backend fails, or a given or computed certificate does not pass the check.
pub fn prove_by_backend(
    claimed: &BackendRequest<'_>,
    backend: &dyn Backend,
    watch: &mut Watch<'_>,
) -> Result<ProofState, WorkflowError> {
    if !claimed.formulation.maximises() {
        return Err(GoalError::NotAMaximum { formulation: claimed.formulation.name.clone() }.into());
    }
    let deadline = Deadline::after(claimed.options.time_limit);
    let mut bounds = if claimed.assume_reported {
        Bounds::with_publications(claimed.prior.bounds())
    } else {
        Bounds::default()
    };
    let mut prover = Prover {
        claimed,
        backend,
        deadline,
        interrupted: false,
        watch,
        began: Instant::now(),
        nodes: None,
        lp_iterations: None,
        found: 0,
        certified: None,
        of_lemmas: claimed.formulation.without_own(),
    };
    prover.prove(claimed.board, claimed.value, claimed.certificate, claimed.known, &mut bounds)
}

struct Prover<'a, 'w> {
    claimed: &'a BackendRequest<'a>,
    backend: &'a dyn Backend,
    deadline: Deadline,
    /// True if the watcher has requested a stop.
    interrupted: bool,
    watch: &'a mut Watch<'w>,
    /// Start of the work, including lemmas.
    began: Instant,
    /// Number of branch-and-bound nodes of the finished solves, including lemmas.
    nodes: Option<u64>,
    /// Number of simplex iterations of these solves.
    lp_iterations: Option<u64>,
    /// Size of the best certificate of the board of the request.
    found: u64,
    /// Best checked upper bound of the board of the request, once it is known.
    certified: Option<u64>,
    /// Formulation for lemmas: inequalities of the file are stated for the board of the request.
    of_lemmas: Formulation,
}

impl Prover<'_, '_> {
    fn prove(
        &mut self,
        board: &Board,
        value: Option<u64>,
        certificate: Option<&Certificate>,
        known: Option<&ProofState>,
        bounds: &mut Bounds,
    ) -> Result<ProofState, WorkflowError> {
        let cpu_before = machine::cpu_time();
        let certificate = certificate.or(known.map(|known| &known.certificate));
        let is_lemma = self.certified.is_some();
        let orbit_bound = if is_lemma || known.is_some() { None } else { self.orbit_bound(board)? };
        if !is_lemma {
            self.certified = Some(orbit_bound.as_ref().map_or(u64::MAX, |(_, bound)| bound.proved.at_most()));
        }
        let mut proof =
            ProofState::begin(board, certificate, self.claimed.options.seed, self.deadline, self.watch)?;
        if let Some(known) = known.filter(|known| known.upper <= proof.upper) {
            proof.bound(known.upper, known.kind.clone());
            proof.lemmas.clone_from(&known.lemmas);
        }
        if !is_lemma {
            self.certified = self.certified.min(Some(proof.upper));
        }
        loop {
            if !is_lemma {
                self.found = proof.certificate.size() as u64;
            }
            proof.judge(value);
            if proof.status != Status::Open || proof.stop != StopReason::Finished {
                break;
            }
            self.ask_for_more(board, value, bounds, &mut proof)?;
        }
        if let Some((name, bound)) = &orbit_bound
            && proof.status == Status::Open
            && bound.proved.at_most() < proof.upper
        {
            proof.adopt(name, bound);
            proof.judge(value);
        }
        // Time and counts include the lemmas.
        proof.answer.wall_seconds = self.began.elapsed().as_secs_f64();
        (proof.answer.nodes, proof.answer.lp_iterations) = (self.nodes, self.lp_iterations);
        proof.fill_answer(cpu_before);
        Ok(proof)
    }

    /// Returns the best bound of an orbit LP, with the name of its formulation.
    fn orbit_bound(&mut self, board: &Board) -> Result<Option<(&'static str, Certified)>, WorkflowError> {
        let (options, began, watch) = (self.options(), self.began, &mut *self.watch);
        let timed = &mut |event: &Event| match event {
            Event::Progress(progress) => {
                let seconds = began.elapsed().as_secs_f64();
                watch(&Event::Progress(Progress { seconds, ..*progress }))
            }
            event => watch(event),
        };
        orbit_lp::certified_bound(board, &options, self.deadline, self.claimed.prior, timed)
    }

    /// Asks the backend for more queens than were found, and adds its answer to the proof.
    fn ask_for_more(
        &mut self,
        board: &Board,
        value: Option<u64>,
        bounds: &mut Bounds,
        proof: &mut ProofState,
    ) -> Result<(), WorkflowError> {
        let of_lemmas = self.of_lemmas.clone();
        let is_lemma = board.name() != self.claimed.board.name();
        let formulation = if is_lemma { &of_lemmas } else { self.claimed.formulation };
        let target = next_target(proof.certificate.size() as u64, value);
        if proof.answer.solver.is_none() && !self.claimed.assume_reported {
            self.lemmas(board, bounds)?;
        }
        if let Some(reason) = self.stop() {
            proof.stop = reason;
            proof.answer.stop = reason.into();
            return Ok(());
        }
        let goal = if self.claimed.exactly { Goal::Exactly(target) } else { Goal::AtLeast(target) };
        self.stage(format!("{}: asking for {}", board.name(), board.format_pieces(target)));
        let request = SolveRequest {
            board,
            formulation,
            variant: Variant::of(goal),
            weights: None,
            start: None,
            options: self.options(),
            memory: self.claimed.memory,
            prior: self.claimed.prior,
        };
        let solved = self.solve(&request, bounds)?;
        proof.answer = solved.answer;
        proof.stop = solved.run.stop;
        if let Some(certificate) = solved.certificate {
            let pieces = board.format_pieces(certificate.size() as u64);
            self.stage(format!("{}: {pieces} found and checked", board.name()));
            proof.certificate = certificate;
        } else if solved.run.outcome == Outcome::Infeasible {
            let (solver, formulation) = (solved.run.solver, formulation.name.clone());
            proof.bound(target - 1, ProofKind::SolverRun { solver, formulation });
            proof.lemmas.clone_from(&proof.answer.lemmas);
            proof.conditions.clone_from(&proof.answer.conditions);
        }
        Ok(())
    }

    /// Solves a program, and reports its progress as part of the whole proof: time, nodes and iterations
    /// since the start, and the bounds of the board of the request. The backend's own bound belongs to a
    /// decision problem, which has no objective.
    fn solve(&mut self, request: &SolveRequest<'_>, bounds: &Bounds) -> Result<solve::Solved, WorkflowError> {
        let Self { began, nodes, lp_iterations, found, certified, .. } = *self;
        let watch = &mut self.watch;
        let solved = solve::solve(request, bounds, self.backend, &mut |event: &Event| match event {
            Event::Progress(progress) => watch(&Event::Progress(Progress {
                seconds: began.elapsed().as_secs_f64(),
                incumbent: i64::try_from(found).ok(),
                dual_bound: certified.map(|bound| bound as f64),
                nodes: sum(nodes, progress.nodes),
                lp_iterations: sum(lp_iterations, progress.lp_iterations),
            })),
            Event::Rows { rows, .. } => {
                watch(&Event::Rows { rows: *rows, seconds: began.elapsed().as_secs_f64() })
            }
            event => watch(event),
        })?;
        self.nodes = sum(nodes, solved.answer.nodes);
        self.lp_iterations = sum(lp_iterations, solved.answer.lp_iterations);
        Ok(solved)
    }

    /// Proves the bounds that the formulation's rows would take from tables, smallest board first, and adds
    /// them to `bounds`. A lemma that is not settled in time is omitted, and the rows that depend on it with
    /// it.
    fn lemmas(&mut self, board: &Board, bounds: &mut Bounds) -> Result<(), WorkflowError> {
        let published = Bounds::with_publications(self.claimed.prior.bounds());
        let wanted =
            Model::new(board, &self.of_lemmas, Variant::of(Goal::Optimise), &published, self.claimed.memory)?;
        let theorem = |bound: &&Arc<UpperBound>| matches!(bound.provenance, Provenance::Theorem(_));
        let mut wanted: Vec<_> = wanted.bounds().iter().filter(|bound| !theorem(bound)).cloned().collect();
        wanted.sort_by_key(|bound| Board::new(&bound.board).size());
        for lemma in wanted {
            if self.stop().is_some() {
                break;
            }
            let known = bounds.upper(&lemma.board);
            if known.is_some_and(|bound| {
                matches!(bound.provenance, Provenance::Proved(_) | Provenance::Solved(_))
            }) {
                continue;
            }
            self.stage(format!("lemma: {}", lemma.board));
            let proof = self.prove(&Board::new(&lemma.board), None, None, None, bounds)?;
            let provenance = match proof.status {
                Status::Proved => Some(Provenance::Proved(proof.kind.to_string())),
                Status::Solved => Some(Provenance::Solved(proof.kind.to_string())),
                Status::Conditional | Status::Refuted | Status::Open => None,
            };
            if let Some(provenance) = provenance {
                bounds.add(UpperBound { board: lemma.board.clone(), value: proof.upper, provenance });
            }
        }
        Ok(())
    }

    fn options(&self) -> Options {
        Options { time_limit: self.deadline.left(), ..self.claimed.options.clone() }
    }

    fn stage(&mut self, words: String) {
        self.interrupted |= (self.watch)(&Event::Stage(words)).is_break();
    }

    /// Returns the reason to stop, if there is one.
    fn stop(&self) -> Option<StopReason> {
        self.interrupted.then_some(StopReason::Interrupted).or(self.deadline.reason())
    }
}

fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.map_or(b, |a| b.map(|b| a + b))
}
