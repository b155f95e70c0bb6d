//! Proves a maximum, trying techniques from the cheapest to the most expensive: partition, orbit LP, exact
//! engine, and HiGHS.

use ndqueens_exact::MOST_SQUARES;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::ModelError;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Options, Progress};
use ndqueens_solver::construct::{self as construction, Effort, Method, local_search};
use ndqueens_system::cancel::{Deadline, StopReason, abandon_on_stop};

use crate::find::construct;
use crate::lp::orbit_lp::{self, Certified, FORMULATIONS};
use crate::prove::engine_run;
use crate::prove::{self, BackendRequest, ExactRequest, ProofKind, ProofState, StartTimes, Status};
use crate::run::{Event, Interruptible, PriorResults, RunContext, Watch, WorkflowError, placement_check};

/// Work limits of the first constructions, the largest trivial bound for which constructions are tried, and
/// the work limit of the local search that tries to reach the bound of an orbit LP.
const EFFORT: Effort = Effort { cut: 500_000, greedy: 500_000 };
const MOST_QUEENS: u64 = 1_000_000;
const WORK: u64 = 20_000_000;

/// Tries one technique after the other until lower and upper bound meet: partition, orbit LP, exact engine,
/// and HiGHS on boards that are too large for the engine. Each technique starts from the best checked bounds
/// so far. The deadline covers all of them.
///
/// # Errors
/// Returns an error if HiGHS fails, or if a placement, a bound or a proof does not pass the check.
pub fn prove_by_route(
    board: &Board,
    value: Option<u64>,
    given: Option<&Certificate>,
    options: &Options,
    deadline: Deadline,
    context: &RunContext<'_>,
    watch: &mut Watch<'_>,
) -> Result<ProofState, WorkflowError> {
    let RunContext { prior, certified, .. } = *context;
    let start = StartTimes::now();
    let too_large = board.size() > MOST_SQUARES;
    let mut known = None;
    let mut find_cheapest = |watch: &mut Watch<'_>| {
        let found = quick_bounds(board, value, given, options, prior, watch);
        let target = found.as_ref().ok().filter(|known| is_for_a_search(known)).map(|known| known.upper);
        known = Some(found);
        target
    };
    // The cheap techniques use one thread; the exact engine, which may be needed, uses the others.
    let is_parallel = options.threads.is_some_and(|threads| threads > 1);
    let bounded = if is_parallel && board.plain_box().is_some() && !too_large {
        Some(engine_run::run_until(board, options, watch, find_cheapest))
    } else {
        find_cheapest(watch);
        None
    };
    let known = known.expect("it was looked for")?;
    if !is_for_a_search(&known) || too_large && certified {
        return Ok(known);
    }
    // A bound of the exact engine is discarded if the engine reached the target: what it found depends on
    // when the target was set.
    if let Some(bounded) = bounded.transpose()?.filter(|bounded| bounded.maximum.value < known.upper) {
        return prove::conclude(board, value, Some(known), bounded, options.seed, certified, start);
    }
    let options = Options { time_limit: deadline.left(), ..options.clone() };
    if !too_large {
        let request = ExactRequest { options, certified, ..ExactRequest::default() };
        return prove::prove_exactly(board, value, Some(known), &request, watch);
    }
    by_highs(board, value, known, options, context, watch)
}

/// Continues with HiGHS from the known bounds, which are the result if its model would be too large.
fn by_highs(
    board: &Board,
    value: Option<u64>,
    known: ProofState,
    options: Options,
    context: &RunContext<'_>,
    watch: &mut Watch<'_>,
) -> Result<ProofState, WorkflowError> {
    let RunContext { memory, prior, .. } = *context;
    let request = BackendRequest {
        board,
        formulation: &Formulation::of_board(board)?,
        value,
        certificate: None,
        known: Some(&known),
        exactly: false,
        assume_reported: false,
        options,
        memory,
        prior,
    };
    match prove::prove_by_backend(&request, &Highs, watch) {
        Err(WorkflowError::Model(fault @ ModelError::TooLarge { .. })) => {
            // Nothing is left that could be stopped.
            let _ = watch(&Event::Note(format!("HiGHS is not asked: {fault}")));
            Ok(known)
        }
        proof => proof,
    }
}

/// Returns `true` if a gap between the bounds is left for a search and the work was not stopped.
fn is_for_a_search(known: &ProofState) -> bool {
    known.status == Status::Open && known.stop == StopReason::Finished
}

/// Tries to close the gap between a quick placement, or a better one that is given, and the bounds by a
/// partition or an orbit LP. Right-hand sides come from the archive if their files pass the check. A
/// remaining gap is left to a search.
///
/// # Errors
/// Returns an error if HiGHS fails, or if a placement or a bound does not pass the check.
pub fn quick_bounds(
    board: &Board,
    value: Option<u64>,
    given: Option<&Certificate>,
    options: &Options,
    prior: &PriorResults,
    watch: &mut Watch<'_>,
) -> Result<ProofState, WorkflowError> {
    let start = StartTimes::now();
    let deadline = Deadline::since(start.wall, options.time_limit);
    let is_over = || deadline.is_over();
    let mut proof = ProofState::open(board)?;
    let mut interrupted = watch(&Event::Stage(format!("{}: constructing", board.name()))).is_break();
    let report = |watch: &mut Watch<'_>, interrupted: &mut bool| {
        let progress = Progress { seconds: start.wall.elapsed().as_secs_f64(), ..Progress::default() };
        *interrupted |= watch(&Event::Progress(progress)).is_break();
        !*interrupted && !is_over()
    };
    proof.certificate = quick_placement(board, given, prior, options.seed, proof.upper, &mut || {
        report(watch, &mut interrupted)
    })?;
    proof.judge(value);
    let sorted = Board::new(&board.name().with_sorted_sides());
    for name in FORMULATIONS {
        if proof.status != Status::Open || board.plain_box().is_none() || interrupted || is_over() {
            break;
        }
        match orbit_lp::quick_bound(&sorted, name, options, deadline, prior, watch)? {
            Some(Interruptible::Finished(certified)) if certified.proved.at_most() < proof.upper => {
                proof.adopt(name, &certified);
            }
            Some(Interruptible::Stopped(StopReason::Interrupted)) => interrupted = true,
            _ => {}
        }
        proof.judge(value);
    }
    if proof.status == Status::Open && matches!(proof.kind, ProofKind::OrbitLp { .. }) && !is_over() {
        let (own, seed, target) = (board.name().clone(), options.seed.into(), proof.upper as usize);
        let search = move || local_search::quick(&Board::new(&own), &[], seed, WORK, target);
        let found =
            abandon_on_stop(&mut || report(watch, &mut interrupted), search).flatten().unwrap_or_default();
        if found.len() > proof.certificate.size() {
            proof.certificate =
                placement_check::certify(board, &found, Problem::IndependentSet, &[], "local search")?;
        }
        proof.judge(value);
    }
    if proof.status == Status::Open && (interrupted || is_over()) {
        proof.stop = if interrupted { StopReason::Interrupted } else { StopReason::TimeLimit };
    }
    if proof.status == Status::Open {
        let (found, upper) = (board.format_pieces(proof.certificate.size() as u64), proof.upper);
        // The answer of the watcher is ignored here, because it is called again when a search starts.
        let _ = watch(&Event::Stage(format!("{}: {found}, bound {upper}: {}", board.name(), proof.kind)));
    }
    proof.settle_answer(&start);
    Ok(proof)
}

/// Returns a checked placement that takes little time: one that is given or stored for the board, or the best
/// of the constructions that apply, unless time is up; otherwise a single queen.
fn quick_placement(
    board: &Board,
    given: Option<&Certificate>,
    prior: &PriorResults,
    seed: u32,
    target: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Certificate, WorkflowError> {
    let one: Vec<Square> = board.squares().take(1).collect();
    let mut best = placement_check::certify(board, &one, Problem::IndependentSet, &[], "one queen")?;
    if let Some(given) = given {
        placement_check::verify_given(board, Problem::IndependentSet, given)?;
        best = given.clone();
    }
    for stored in prior.placements(board.name()) {
        if stored.size() > best.size() {
            best = stored;
        }
    }
    for method in Method::ALL {
        if best.size() as u64 >= target || board.trivial_bound() > MOST_QUEENS || !go_on() {
            break;
        }
        let own = board.name().clone();
        let size = best.size();
        let construct = move || {
            let board = Board::new(&own);
            let made = construction::construct(method, &board, &[], seed.into(), EFFORT).ok();
            made.filter(|made| made.size() > size).map(|made| construct::certify(&board, &made, &[]))
        };
        if let Some(made) = abandon_on_stop(go_on, construct).flatten() {
            best = made?;
        }
    }
    Ok(best)
}

impl ProofState {
    /// Replaces the upper bound by that of an orbit LP.
    pub(super) fn adopt(&mut self, formulation: &str, certified: &Certified) {
        let kind = ProofKind::OrbitLp {
            formulation: formulation.to_owned(),
            rows: certified.proved.rows() as u64,
            sum: ndqueens_crosscheck::bound::format_mixed(certified.proved.sum()),
        };
        self.bound(certified.proved.at_most(), kind);
        self.lemmas = certified.lemmas.iter().map(ToString::to_string).collect();
        self.conditions = certified.conditions.iter().map(ToString::to_string).collect();
    }
}
