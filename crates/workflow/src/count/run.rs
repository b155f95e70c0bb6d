//! Counting all maximum solutions as a run: the answer, with one checked maximum solution.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use crate::record::verdict::{self, Stated};
use crate::record::{Answer, CountMethod, Outcome, machine};
use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::bron_kerbosch::Ordering;
use ndqueens_crosscheck::count::{self as bron_kerbosch, CountError};
use ndqueens_crosscheck::graph::{Graph, MAX_SQUARES};
use ndqueens_crosscheck::recursive;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::known;
use ndqueens_notation::certificate::Problem;
use ndqueens_solver::backends::{Options, Progress};
use ndqueens_solver::max_clique::{complement, maximum_clique};
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::count::{self, CountRequest, Stopped};
use crate::run::{Event, Interruptible, Watch, WorkflowError, placement_check};

/// Result of a method.
#[derive(Default)]
struct Found {
    /// Largest independent set, if one is known.
    squares: Vec<Square>,
    /// Number of maximum solutions, and their number up to symmetry, if they were counted.
    counts: [Option<String>; 2],
    nodes: Option<u64>,
    /// Reason why the method stopped early.
    stopped: Option<StopReason>,
}

/// Counts the maximum solutions of a board by `method`, within the time limit.
///
/// # Errors
/// Returns an error if the board is too large for the method, or if the set it found does not pass the check.
pub(crate) fn answer(
    board: &Board,
    method: CountMethod,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Answer, WorkflowError> {
    let (began, cpu_before) = (Instant::now(), machine::cpu_time());
    let deadline = Deadline::since(began, options.time_limit);
    let found = match method {
        CountMethod::Fast => by_engine(board, options, deadline, watch)?,
        CountMethod::Bk => by_bron_kerbosch(board, Ordering::Pivot, deadline, watch)?,
        CountMethod::BkDegeneracy => by_bron_kerbosch(board, Ordering::Degeneracy, deadline, watch)?,
        CountMethod::Recursive => by_recursion(board, deadline, watch)?,
        CountMethod::MaxClique => by_maximum_clique(board, deadline, watch)?,
    };
    let Found { squares, counts: [solutions, up_to_symmetry], nodes, stopped } = found;
    let size = squares.len() as u64;
    let proved_bound = i64::try_from(size).ok().filter(|_| stopped.is_none());
    let mut answer = Answer {
        solver: Some(format!("count, method {}", method.name())),
        stop: stopped.unwrap_or(StopReason::Finished).into(),
        outcome: match (stopped, size) {
            (None, _) => Outcome::Optimal,
            (Some(_), 0) => Outcome::Unknown,
            (Some(_), _) => Outcome::Feasible,
        },
        proved_bound,
        proof: proved_bound.map(|_| "search that is not checked".to_owned()),
        nodes,
        solutions,
        up_to_symmetry,
        wall_seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: (machine::cpu_time() - cpu_before).as_secs_f64(),
        ..Answer::default()
    };
    if size > 0 {
        let origin = format!("count, method {}", method.name());
        answer.note_certificate(&placement_check::certify(
            board,
            &squares,
            Problem::IndependentSet,
            &[],
            &origin,
        )?);
    }
    let stated = Stated {
        found: (size > 0).then_some(size),
        excluded: stopped.is_none().then_some(size + 1),
        settled: stopped.is_none(),
    };
    answer.verdict = Some(verdict::on_maximum(&stated, known::lookup(board.name())));
    answer.peak_memory_bytes = machine::peak_memory();
    Ok(answer)
}

/// Number of calls of the stop test between two looks at the clock.
const QUESTIONS: u32 = 256;

/// Time between two reports of progress.
const EVERY: Duration = Duration::from_millis(200);

/// Runs a search that calls its stop test at every node. Returns the reason if it was stopped.
fn stoppable<T>(
    deadline: Deadline,
    watch: &mut Watch<'_>,
    search: impl FnOnce(&dyn Fn() -> bool) -> T,
) -> (T, Option<StopReason>) {
    let (began, watch) = (Instant::now(), RefCell::new(watch));
    let (questions, last_report, reason) = (Cell::new(0u32), Cell::new(began), Cell::new(None));
    let stop = || {
        questions.set(questions.get().wrapping_add(1));
        if reason.get().is_some() || !questions.get().is_multiple_of(QUESTIONS) {
            return reason.get().is_some();
        }
        if last_report.get().elapsed() >= EVERY {
            last_report.set(Instant::now());
            let seconds = began.elapsed().as_secs_f64();
            let progress = Event::Progress(Progress { seconds, ..Progress::default() });
            if watch.borrow_mut()(&progress).is_break() {
                reason.set(Some(StopReason::Interrupted));
            }
        }
        reason.set(reason.get().or(deadline.reason()));
        reason.get().is_some()
    };
    let found = search(&stop);
    (found, reason.get())
}

fn by_engine(
    board: &Board,
    options: &Options,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Found, WorkflowError> {
    let request = CountRequest { size: None, keep: 1, work: None, proof: None };
    Ok(match count::count(board, &request, options, deadline, watch)? {
        Interruptible::Finished(counted) => Found {
            squares: counted.tally.representatives.first().cloned().unwrap_or_default(),
            counts: [
                Some(counted.solutions().to_string()),
                counted.up_to_symmetry().map(|orbits| orbits.to_string()),
            ],
            nodes: Some(counted.nodes),
            stopped: None,
        },
        Interruptible::Stopped(Stopped { reason, .. }) => Found { stopped: Some(reason), ..Found::default() },
    })
}

fn by_bron_kerbosch(
    board: &Board,
    ordering: Ordering,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Found, WorkflowError> {
    let (counted, stopped) =
        stoppable(deadline, watch, |stop| bron_kerbosch::count_with(board.name(), ordering, stop));
    let squares = |set: &[Vec<u32>]| set.iter().filter_map(|square| board.square(square)).collect();
    match counted {
        Ok(counted) => Ok(Found {
            squares: squares(&counted.example),
            counts: [Some(counted.maximum_sets.to_string()), counted.orbits.map(|orbits| orbits.to_string())],
            nodes: None,
            stopped: None,
        }),
        Err(CountError::Stopped { incumbent }) => {
            Ok(Found { squares: squares(&incumbent), stopped, ..Found::default() })
        }
        Err(CountError::TooManySquares(_)) => Err(too_large(board)),
    }
}

fn by_recursion(board: &Board, deadline: Deadline, watch: &mut Watch<'_>) -> Result<Found, WorkflowError> {
    let graph = Graph::new(&*definition(board.name())).map_err(|_| too_large(board))?;
    let (found, stopped) = stoppable(deadline, watch, |stop| recursive::maximum_set(&graph, stop));
    let square = |vertex: usize| board.square(&graph.squares()[vertex]);
    let squares = found.map_or_else(|_| Vec::new(), |set| set.into_iter().filter_map(square).collect());
    Ok(Found { squares, stopped, ..Found::default() })
}

fn by_maximum_clique(
    board: &Board,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Found, WorkflowError> {
    if board.size() > MAX_SQUARES {
        return Err(too_large(board));
    }
    let graph = complement(&board.graph());
    let (found, stopped) = stoppable(deadline, watch, |stop| maximum_clique(&graph, stop));
    Ok(Found {
        squares: found.vertices.iter().map(|&vertex| vertex as Square).collect(),
        nodes: Some(found.nodes),
        stopped: stopped.filter(|_| !found.is_maximum),
        ..Found::default()
    })
}

/// Returns the error for a board that is too large for the reference algorithms.
fn too_large(board: &Board) -> WorkflowError {
    WorkflowError::TooLarge { board: board.name().to_string(), most: MAX_SQUARES }
}
