//! Executes a question and produces its record. Used for questions from the command line, from records and
//! from plans.

use std::path::Path;
use std::time::Instant;

use crate::record::machine;
use crate::record::verdict::Verdict;
use crate::record::{Answer, Engine, Outcome, Question, QuestionError, Record, Start, Task};
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::Ilp;
use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::model::{Model, ModelError, above_trivial_bound};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{BackendError, Options, choice};
use ndqueens_solver::branch_and_bound::Branching;
use ndqueens_solver::construct::ensure_constructible;
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::count::run as count_run;
use crate::evidence::partition;
use crate::lp::bound::{self, BoundRequest};
use crate::prove::route;
use crate::prove::{
    self, BackendRequest, ExactRequest, ProofKind, ProofState, SmallestSet, Status, TreeRequest,
};
use crate::run::{Event, GoalError, RunContext, Watch, WorkflowError, formulation, placement_check, start};
use crate::solve::{self, SolveRequest};

/// Result of a run.
#[derive(Debug)]
pub struct Answered {
    /// Record of the run.
    pub record: Record,
    /// Result of the proof, if the question is for one.
    pub proof: Option<Proven>,
}

/// Result of a proof.
#[derive(Debug)]
pub enum Proven {
    /// Proof of a maximum.
    Maximum(Box<ProofState>),
    /// Size of a smallest dominating set.
    Smallest(Box<SmallestSet>),
    /// Placement of this number of queens, or proof that no such placement exists; the record has the answer.
    Placement(u64),
}

/// Answers a question, and checks the result.
///
/// # Errors
/// Returns an error if the question, formulation or start is invalid, the engine fails, or a given or
/// computed certificate or proof does not pass the check.
pub fn run(
    question: &Question,
    context: &RunContext<'_>,
    watch: &mut Watch<'_>,
) -> Result<Answered, WorkflowError> {
    question.ensure_answerable()?;
    let options =
        Options { log: context.log.map(Path::to_owned), notes: context.notes.clone(), ..question.options()? };
    let run = Run { question, board: Board::new(&question.board), options, context };
    match &question.task {
        Task::Solve { goal, include, rows_kept } => {
            let answer = run.solve(*goal, include, *rows_kept, watch)?;
            Ok(Answered { record: Record::new(question.clone(), answer), proof: None })
        }
        Task::Prove { claimed, include, .. } if run.is_other_question()? => {
            let (answer, proven) = run.prove_other(*claimed, include, watch)?;
            Ok(Answered { record: Record::new(question.clone(), answer), proof: Some(proven) })
        }
        Task::Prove { include, .. } if !include.is_empty() => {
            Err(GoalError::NothingToInclude(question.formulation().to_owned()).into())
        }
        Task::Prove { claimed, exactly, assume_reported, include: _ } => {
            let proof = run.prove(*claimed, exactly.is_some(), *assume_reported, watch)?;
            let exactly = exactly.map(|_| proof.certificate.size() as u64 + 1);
            let mut question = question.clone();
            question.task = Task::Prove {
                claimed: *claimed,
                exactly,
                assume_reported: *assume_reported,
                include: Vec::new(),
            };
            if matches!(proof.kind, ProofKind::Exact { .. } | ProofKind::Stopped)
                && question.engine == Engine::Route
            {
                question.engine = Engine::Exact;
            }
            let record = Record::new(question, proof.answer.clone());
            Ok(Answered { record, proof: Some(Proven::Maximum(Box::new(proof))) })
        }
    }
}

struct Run<'a> {
    question: &'a Question,
    board: Board,
    options: Options,
    context: &'a RunContext<'a>,
}

impl Run<'_> {
    fn solve(
        &self,
        goal: Goal,
        include: &[Vec<u32>],
        keep: RowFilter,
        watch: &mut Watch<'_>,
    ) -> Result<Answer, WorkflowError> {
        match &self.question.engine {
            Engine::Backend { formulation, backend } => {
                let formulation = self.formulation(formulation, watch)?;
                let include = verify_included(&self.board, include, formulation.problem)?;
                let weights = self.question.square_weights(&self.board)?;
                if weights.is_some() {
                    ensure_weighable(&formulation)?;
                }
                let variant = Variant { goal, include, keep }.with_default_goal(&self.board, &formulation)?;
                if let Some(answer) = self.trivially_none(&formulation, &variant, watch)? {
                    return Ok(answer);
                }
                let backend = choice::backend(backend)?;
                if let Some(setting) =
                    backend.unsupported_setting(&self.options, !self.question.start.is_none())
                {
                    return Err(BackendError::Unsupported { solver: backend.solver(), setting }.into());
                }
                let start = self.start(&variant.include, watch)?;
                let start = start.filter(|start| self.reaches(start, variant.goal, watch));
                let bounds = Bounds::with_publications(self.context.prior.bounds());
                let deadline = Deadline::after(self.options.time_limit);
                let mut request = SolveRequest {
                    board: &self.board,
                    formulation: &formulation,
                    variant,
                    weights: weights.as_deref(),
                    start: start.as_ref(),
                    options: self.options.clone(),
                    memory: self.context.memory,
                    prior: self.context.prior,
                };
                let root_lp_bound = if self.context.root_bound {
                    root_bound(&request, &bounds, deadline, watch)?
                } else {
                    None
                };
                // Queries the version of an external solver once; the time limit covers that too.
                let _ = backend.solver();
                request.options.time_limit = deadline.left();
                let solved = solve::solve(&request, &bounds, &*backend, watch)?;
                Ok(Answer { root_lp_bound, ..solved.answer })
            }
            Engine::Count(method) => count_run::answer(&self.board, *method, &self.options, watch),
            Engine::Exact => {
                let request = ExactRequest { options: self.options.clone(), ..ExactRequest::default() };
                into_answer(prove::prove_exactly(&self.board, None, None, &request, watch)?)
            }
            Engine::BranchAndBound { formulation, branching, cut_rounds } => {
                let formulation = self.formulation(formulation, watch)?;
                ensure_constructible(&self.board, self.context.memory)?;
                let request = self.tree(&formulation, *branching, *cut_rounds);
                self.solve_by_tree(&request, goal, watch)
            }
            Engine::Relaxation { formulation, separate, highs_root } => {
                let formulation = self.formulation(formulation, watch)?;
                let request = BoundRequest {
                    board: &self.board,
                    formulation: &formulation,
                    separate,
                    highs_root: *highs_root,
                    options: &self.options,
                    memory: self.context.memory,
                    prior: self.context.prior,
                };
                bound::answer(&request, watch)
            }
            engine @ (Engine::Sat | Engine::Route) => Err(QuestionError::NotSolved(engine.clone()).into()),
        }
    }

    /// Returns a formulation with its own inequalities proved on the board where that succeeds.
    fn formulation(&self, name: &str, watch: &mut Watch<'_>) -> Result<Formulation, WorkflowError> {
        formulation::load_for(name, &self.board, Deadline::after(self.options.time_limit), watch)
    }

    /// Returns `true` if branch and bound is to answer a question other than that for a maximum.
    fn is_other_question(&self) -> Result<bool, WorkflowError> {
        match &self.question.engine {
            Engine::BranchAndBound { formulation, .. } => Ok(!formulation::load(formulation)?.maximises()),
            _ => Ok(false),
        }
    }

    /// Proves the size of a smallest dominating set, or decides whether a placement of a number of queens
    /// exists.
    fn prove_other(
        &self,
        claimed: Option<u64>,
        include: &[Vec<u32>],
        watch: &mut Watch<'_>,
    ) -> Result<(Answer, Proven), WorkflowError> {
        let Engine::BranchAndBound { formulation, branching, cut_rounds } = &self.question.engine else {
            unreachable!("only branch and bound answers other questions")
        };
        let formulation = self.formulation(formulation, watch)?;
        let board = &self.board;
        ensure_constructible(board, self.context.memory)?;
        let mut include = verify_included(board, include, formulation.problem)?;
        include.sort_unstable();
        if let Some(k) = claimed.filter(|&k| k < include.len() as u64) {
            let included = board.format_pieces(include.len() as u64);
            return Err(GoalError::FewerThanIncluded { asked: k, included }.into());
        }
        let request = self.tree(&formulation, *branching, *cut_rounds);
        if formulation.problem == Problem::NoThreeInLine {
            return Err(GoalError::NotAMaximum { formulation: formulation.name }.into());
        }
        if formulation.problem != Problem::IndependentSet {
            let start = self.dominating_start(&formulation, &include, watch)?;
            let proof = prove::prove_smallest(&request, &include, claimed, start.as_ref(), watch)?;
            return Ok((proof.answer.clone(), Proven::Smallest(Box::new(proof))));
        }
        let goal = claimed.map_or(Goal::Optimise, Goal::AtLeast);
        let (answer, target) = self.placement(&request, goal, include, watch)?;
        Ok((answer, Proven::Placement(target)))
    }

    /// Answers a question for a solution by branch and bound.
    fn solve_by_tree(
        &self,
        request: &TreeRequest<'_>,
        goal: Goal,
        watch: &mut Watch<'_>,
    ) -> Result<Answer, WorkflowError> {
        if request.formulation.problem == Problem::NoThreeInLine {
            return Err(GoalError::NotAMaximum { formulation: request.formulation.name.clone() }.into());
        }
        let is_of_dominating_sets = request.formulation.problem != Problem::IndependentSet;
        match goal {
            Goal::Optimise if is_of_dominating_sets => {
                let start = self.dominating_start(request.formulation, &[], watch)?;
                Ok(prove::prove_smallest(request, &[], None, start.as_ref(), watch)?.into_answer())
            }
            Goal::AtMost(most) if is_of_dominating_sets => {
                let start = self.dominating_start(request.formulation, &[], watch)?;
                prove::decide_smallest(request, most, start.as_ref(), watch)
            }
            Goal::Optimise if request.formulation.maximises() => {
                let start = self.start(&[], watch)?;
                into_answer(prove::prove_by_tree(request, None, start.as_ref(), watch)?)
            }
            // Every subset of an independent set is one, too.
            Goal::AtLeast(k) | Goal::Exactly(k) if request.formulation.maximises() => {
                prove::decide_by_tree(request, &[], k, watch)
            }
            Goal::AtLeast(_) | Goal::Exactly(_) if is_of_dominating_sets => {
                Err(GoalError::OnlyFewest(request.formulation.name.clone()).into())
            }
            Goal::AtMost(_) => Err(GoalError::OnlyMost(request.formulation.name.clone()).into()),
            Goal::Optimise | Goal::AtLeast(_) | Goal::Exactly(_) => {
                Ok(self.placement(request, goal, Vec::new(), watch)?.0)
            }
        }
    }

    /// Decides by branch and bound whether a placement of the requested number of queens exists. The second
    /// value is that number.
    fn placement(
        &self,
        request: &TreeRequest<'_>,
        goal: Goal,
        include: Vec<Square>,
        watch: &mut Watch<'_>,
    ) -> Result<(Answer, u64), WorkflowError> {
        let (board, formulation) = (&self.board, request.formulation);
        let variant = Variant { include, ..Variant::of(goal) }.with_default_goal(board, formulation)?;
        let target = match variant.goal {
            Goal::AtLeast(k) | Goal::Exactly(k) => k,
            Goal::Optimise | Goal::AtMost(_) => {
                return Err(GoalError::NoNumber(formulation.name.clone()).into());
            }
        };
        let answer = match self.trivially_none(formulation, &variant, watch)? {
            Some(answer) => answer,
            None => prove::decide_by_tree(request, &variant.include, target, watch)?,
        };
        Ok((answer, target))
    }

    fn prove(
        &self,
        claimed: Option<u64>,
        exactly: bool,
        assume_reported: bool,
        watch: &mut Watch<'_>,
    ) -> Result<ProofState, WorkflowError> {
        let RunContext { memory, prior, work, proof: keep, certified, .. } = *self.context;
        let (board, options) = (&self.board, self.options.clone());
        match &self.question.engine {
            Engine::Backend { formulation, backend } => {
                let formulation = self.formulation(formulation, watch)?;
                ensure_constructible(board, memory)?;
                let certificate = self.start(&[], watch)?;
                let request = BackendRequest {
                    board,
                    formulation: &formulation,
                    value: claimed,
                    certificate: certificate.as_ref(),
                    known: None,
                    exactly,
                    assume_reported,
                    options,
                    memory,
                    prior,
                };
                prove::prove_by_backend(&request, &*choice::backend(backend)?, watch)
            }
            Engine::BranchAndBound { formulation, branching, cut_rounds } => {
                let formulation = self.formulation(formulation, watch)?;
                ensure_constructible(board, memory)?;
                let start = self.start(&[], watch)?;
                let request = self.tree(&formulation, *branching, *cut_rounds);
                prove::prove_by_tree(&request, claimed, start.as_ref(), watch)
            }
            Engine::Relaxation { .. } => Err(QuestionError::OnlyBound.into()),
            Engine::Count(_) => Err(QuestionError::OnlyCount.into()),
            Engine::Exact => {
                let start = self.start(&[], watch)?;
                let known = start.map(|start| ProofState::from_certificate(board, &start)).transpose()?;
                let request = ExactRequest { options, work, keep, certified };
                prove::prove_exactly(board, claimed, known, &request, watch)
            }
            #[cfg(feature = "sat")]
            Engine::Sat => {
                ensure_constructible(board, memory)?;
                let start = self.start(&[], watch)?;
                prove::prove_by_sat(board, claimed, start.as_ref(), &options, keep, watch)
            }
            #[cfg(not(feature = "sat"))]
            Engine::Sat => Err(WorkflowError::NoSat),
            Engine::Route => {
                let deadline = Deadline::after(options.time_limit);
                let start = self.start(&[], watch)?;
                route::prove_by_route(board, claimed, start.as_ref(), &options, deadline, self.context, watch)
            }
        }
    }

    /// Returns the request for a branch-and-bound tree.
    fn tree<'r>(
        &'r self,
        formulation: &'r Formulation,
        branching: Branching,
        cut_rounds: u32,
    ) -> TreeRequest<'r> {
        let RunContext { memory, prior, work, proof: keep, .. } = *self.context;
        let (board, options) = (&self.board, &self.options);
        TreeRequest { board, formulation, branching, cut_rounds, options, memory, keep, work, prior }
    }

    /// Returns the answer if the requested number of queens is above the trivial bound; no solver is needed
    /// for it.
    fn trivially_none(
        &self,
        formulation: &Formulation,
        variant: &Variant,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Answer>, WorkflowError> {
        let board = &self.board;
        let Some((_, bound)) = above_trivial_bound(board, formulation.problem, variant.goal) else {
            return Ok(None);
        };
        let (began, cpu_before) = (Instant::now(), machine::cpu_time());
        // A formulation that does not suit the board is rejected nevertheless.
        let bounds = Bounds::with_publications(self.context.prior.bounds());
        match Model::new(board, formulation, variant.clone(), &bounds, self.context.memory) {
            Err(ModelError::AboveTrivialBound { asked, board, bound }) => {
                // Nothing is left that could be stopped.
                let _ = watch(&Event::Note(format!(
                    "{asked} do not fit on {board}: the trivial upper bound is {bound}"
                )));
            }
            Err(fault) => return Err(fault.into()),
            Ok(_) => return Ok(None),
        }
        let (most, proof) = match formulation.problem {
            Problem::DominatingSet => (bound, format!("the board has {}", board.format_squares(bound))),
            Problem::NoThreeInLine => (bound, solve::TWO_ON_EACH_LINE.to_owned()),
            Problem::IndependentSet | Problem::IndependentDominatingSet => {
                let partitioned = partition::best(board)?;
                (partitioned.sets, prove::ProofKind::Partition(partitioned).to_string())
            }
        };
        Ok(Some(Answer {
            stop: StopReason::Finished.into(),
            outcome: Outcome::Infeasible,
            proved_bound: i64::try_from(most).ok(),
            proof: Some(proof),
            wall_seconds: began.elapsed().as_secs_f64(),
            cpu_seconds: (machine::cpu_time() - cpu_before).as_secs_f64(),
            peak_memory_bytes: machine::peak_memory(),
            verdict: Some(Verdict::Ok),
            ..Answer::default()
        }))
    }

    fn start(&self, include: &[Square], watch: &mut Watch<'_>) -> Result<Option<Certificate>, WorkflowError> {
        start::solution(
            &self.question.start,
            self.context.start_as,
            &self.board,
            include,
            self.options.seed,
            self.context.memory,
            watch,
        )
    }

    /// Returns the start as a dominating set. The result of a construction is assumed to be one, and is
    /// checked with the answer.
    fn dominating_start(
        &self,
        formulation: &Formulation,
        include: &[Square],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Certificate>, WorkflowError> {
        let mut start = self.start(include, watch)?;
        if let (Some(start), Start::Construction(_)) = (&mut start, &self.question.start) {
            start.problem = formulation.problem;
        }
        Ok(start)
    }

    /// Returns `true` if a start has the requested number of queens; reports a note otherwise.
    fn reaches(&self, start: &Certificate, goal: Goal, watch: &mut Watch<'_>) -> bool {
        let size = start.size() as u64;
        let reaches = match goal {
            Goal::Optimise => true,
            Goal::AtLeast(k) => size >= k,
            Goal::AtMost(k) => size <= k,
            Goal::Exactly(k) => size == k,
        };
        if !reaches {
            let pieces = self.board.format_pieces(size);
            // The answer of the watcher is ignored here, because it is called again when the solver starts.
            let _ = watch(&Event::Note(format!(
                "the start has {pieces}, {goal} are asked for, and it is not used"
            )));
        }
        reaches
    }
}

/// Converts a proof of the maximum into the answer to the question for a solution.
fn into_answer(proof: ProofState) -> Result<Answer, WorkflowError> {
    let outcome = match proof.status {
        Status::Open => Outcome::Feasible,
        Status::Proved | Status::Refuted | Status::Solved | Status::Conditional => Outcome::Optimal,
    };
    Ok(Answer { outcome, ..proof.answer })
}

/// Checks that the weight of squares can be maximised by a formulation.
///
/// # Errors
/// Returns an error if its solutions are not all independent sets.
fn ensure_weighable(formulation: &Formulation) -> Result<(), GoalError> {
    match formulation {
        formulation if !formulation.maximises() => Err(GoalError::NoWeights(formulation.name.clone())),
        formulation if formulation.breaks_symmetry() => {
            Err(GoalError::WeightsBreakSymmetry(formulation.name.clone()))
        }
        _ => Ok(()),
    }
}

/// Returns the optimum of the LP relaxation, or `None` if it was not found in time.
fn root_bound(
    request: &SolveRequest<'_>,
    bounds: &Bounds,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Option<f64>, WorkflowError> {
    let SolveRequest { board, formulation, variant, weights, memory, options, .. } = request;
    let model = Model::new(board, formulation, variant.clone(), bounds, *memory)?;
    let Some(mut ilp) = Ilp::of_while(&model, &mut |_| !deadline.is_over()) else { return Ok(None) };
    if let Some(weights) = weights {
        ilp.set_objective(weights);
    }
    let options = Options { time_limit: deadline.left(), log: None, ..options.clone() };
    Ok(Highs.relax(&ilp, &options, &mut |progress| watch(&Event::Progress(*progress)))?.value)
}

/// Checks and returns the squares that every solution must contain.
fn verify_included(
    board: &Board,
    squares: &[Vec<u32>],
    solution: Problem,
) -> Result<Vec<Square>, WorkflowError> {
    if squares.is_empty() {
        return Ok(Vec::new());
    }
    let mut part = Certificate::independent(board.name().clone(), Vec::new(), "included squares");
    part.squares = squares.to_vec();
    placement_check::verify_included(board, &part, solution)
}
