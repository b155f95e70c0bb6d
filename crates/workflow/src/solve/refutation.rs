//! Refutes a solver's claim by a solution found without the solver: from the archive or by a short local
//! search.
//!
//! This cannot prove that a claim is right. It catches a backend that is broken, or that answers another
//! question.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::ArchivedBounds;
use ndqueens_model::ilp::{Ilp, Program as _};
use ndqueens_model::model::Model;
use ndqueens_model::own;
use ndqueens_model::variant::Goal;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::Outcome;
use ndqueens_solver::construct::local_search;

use crate::run::{PriorResults, WorkflowError, placement_check};

/// Limits on the work of the local search, in candidates and neighbours inspected: for each square, and in
/// total.
const WORK_PER_SQUARE: u64 = 20_000;
const MOST_WORK: u64 = 1_000_000;

fn work(board: &Board) -> u64 {
    MOST_WORK.min(WORK_PER_SQUARE * board.size() as u64)
}

/// Maximum number of images of a solution that are tried if rows break the symmetry.
const IMAGES: usize = 1000;

/// Refutation of an answer.
#[derive(Debug)]
pub(crate) enum Refutation {
    /// Claim of the solver, and a solution that satisfies every row: the end of a sentence.
    Solver(String),
    /// Claim of the solver, and a placement of the box table, whose squares are not known: the end of a
    /// sentence.
    Table(String),
    /// Solution that violates only inequalities that the formulation states.
    Inequality {
        /// Violated row.
        row: String,
        /// The solution, as the end of a sentence.
        solution: String,
    },
}

/// Solution that an answer excludes.
struct ExcludedSolution {
    squares: Vec<Square>,
    /// Violated row of an inequality that the formulation states; `None` if the solution satisfies all rows.
    violated: Option<String>,
}

/// Solutions that a solver excludes.
#[derive(Debug, Clone, Copy)]
enum Excluded {
    /// Every solution.
    All,
    /// Solutions of more squares than this, or of fewer in a minimisation.
    Beyond(usize),
}

/// Searches for a solution that the answer excludes, and that the independent check confirms. It satisfies
/// every row of the program, except perhaps rows of inequalities that the formulation states. Returns `None`
/// if no such solution is found.
///
/// # Errors
/// Returns [`RefusedError::Solution`](crate::run::RefusedError::Solution) if the solution found here does not pass the check.
pub(crate) fn of(
    model: &Model<'_>,
    ilp: &Ilp,
    outcome: &Outcome,
    prior: &PriorResults,
) -> Result<Option<Refutation>, WorkflowError> {
    // The local search does not look for such sets.
    if model.formulation().problem == Problem::NoThreeInLine {
        return Ok(None);
    }
    let optimises = model.variant().goal == Goal::Optimise;
    let beyond = |bound: &i64| optimises.then(|| Excluded::Beyond(usize::try_from(*bound).unwrap_or(0)));
    let excluded = match outcome {
        Outcome::Optimal { value, .. } => beyond(value),
        Outcome::Feasible { bound, .. } | Outcome::Unknown { bound } => bound.as_ref().and_then(beyond),
        Outcome::Infeasible => Some(Excluded::All),
    };
    let Some(excluded) = excluded else { return Ok(None) };
    let Some(solution) = excluded_solution(model, ilp, excluded, prior) else {
        return Ok(excluded_by_table(model, excluded, prior.bounds()).map(Refutation::Table));
    };
    let ExcludedSolution { squares, violated } = solution;
    let (board, variant) = (model.board(), model.variant());
    placement_check::certify(board, &squares, model.formulation().problem, &variant.include, "refutation")?;
    if let Some(row) = violated {
        return Ok(Some(Refutation::Inequality { row, solution: format_placement(board, &squares) }));
    }
    let claim = match excluded {
        Excluded::All => "that there is no solution".to_owned(),
        Excluded::Beyond(value) if model.formulation().problem == Problem::IndependentSet => {
            format!("that no solution has more than {}", board.format_pieces(value as u64))
        }
        Excluded::Beyond(value) => {
            format!("that no solution has fewer than {}", board.format_pieces(value as u64))
        }
    };
    let solution = format_placement(board, &squares);
    Ok(Some(Refutation::Solver(format!("it says {claim}, and {solution}"))))
}

/// Searches for a placement of more than `at_most` queens, the bound that an external checker accepted: in
/// the archive, or by a short local search. Returns the end of a sentence for the message, or `None` if none
/// is found.
///
/// # Errors
/// Returns [`RefusedError::Solution`](crate::run::RefusedError::Solution) if the placement does not pass the check.
pub fn of_bound(board: &Board, at_most: u64, prior: &PriorResults) -> Result<Option<String>, WorkflowError> {
    let Some(target) = usize::try_from(at_most).ok().and_then(|most| most.checked_add(1)) else {
        return Ok(None);
    };
    let Some(squares) = at_least(board, &[], target, prior) else { return Ok(None) };
    placement_check::certify(board, &squares, Problem::IndependentSet, &[], "refutation")?;
    Ok(Some(format_placement(board, &squares)))
}

/// Returns an independent set of at least `target` squares from the archive or by a short local search.
fn at_least(board: &Board, include: &[Square], target: usize, prior: &PriorResults) -> Option<Vec<Square>> {
    let archived = || {
        let is_large = |certificate: &Certificate| certificate.size() >= target && include.is_empty();
        let squares = prior.placements(board.name()).into_iter().find(is_large)?.squares;
        let mut squares: Vec<Square> = squares.iter().filter_map(|square| board.square(square)).collect();
        squares.sort_unstable();
        Some(squares)
    };
    let found = || local_search::quick(board, include, 0, work(board), target);
    archived().or_else(found).filter(|set| set.len() >= target)
}

/// Formats a placement: `here is one of 7 queens: a1 b3 c5, ...`.
pub(super) fn format_placement(board: &Board, squares: &[Square]) -> String {
    let labels: Vec<String> = squares.iter().take(12).map(|&square| board.label(square)).collect();
    let rest = if squares.len() > labels.len() { ", ..." } else { "" };
    format!("here is one of {}: {}{rest}", board.format_pieces(squares.len() as u64), labels.join(" "))
}

/// Returns a message if the box table has a tested placement that the claim excludes. The table does not
/// store the placement itself.
fn excluded_by_table(model: &Model<'_>, excluded: Excluded, archived: &ArchivedBounds) -> Option<String> {
    let (board, variant) = (model.board(), model.variant());
    if !model.formulation().maximises() || !variant.include.is_empty() {
        return None;
    }
    let most = match (excluded, variant.goal) {
        (Excluded::Beyond(value), _) => value as u64,
        (Excluded::All, Goal::AtLeast(k) | Goal::Exactly(k)) => k.checked_sub(1)?,
        (Excluded::All, Goal::Optimise | Goal::AtMost(_)) => return None,
    };
    let placed = archived.boxes.lower(board.name()).filter(|placed| *placed > most)?;
    Some(format!(
        "it says that no solution has more than {}, and the box table of the archive has a tested placement of {}",
        board.format_pieces(most),
        board.format_pieces(placed)
    ))
}

fn excluded_solution(
    model: &Model<'_>,
    ilp: &Ilp,
    excluded: Excluded,
    prior: &PriorResults,
) -> Option<ExcludedSolution> {
    let (board, problem) = (model.board(), model.formulation().problem);
    let include = &model.variant().include[..];
    let largest = |target| at_least(board, include, target, prior);
    let dominating = |sizes: RangeInclusive<usize>| {
        let independent = problem == Problem::IndependentDominatingSet;
        local_search::quick_dominating(board, include, independent, sizes.clone(), 0, work(board))
            .filter(|set| sizes.contains(&set.len()))
    };
    let everything = board.size();
    let to_usize = |number: u64| usize::try_from(number).ok();
    let maximises = problem == Problem::IndependentSet;
    let set = match (excluded, model.variant().goal) {
        (Excluded::Beyond(value), _) if maximises => largest(value + 1),
        (Excluded::Beyond(value), _) => value.checked_sub(1).and_then(|most| dominating(0..=most)),
        (Excluded::All, Goal::Optimise) if maximises => {
            local_search::quick(board, include, 0, work(board), usize::MAX)
        }
        (Excluded::All, Goal::Optimise) => dominating(0..=everything),
        (Excluded::All, Goal::AtMost(most)) => dominating(0..=to_usize(most)?),
        (Excluded::All, Goal::AtLeast(least) | Goal::Exactly(least)) if maximises => {
            let least = to_usize(least)?;
            let mut set = largest(least)?;
            let mut surplus = set.len() - least;
            set.retain(|square| {
                let stays = surplus == 0 || include.contains(square);
                surplus -= usize::from(!stays);
                stays
            });
            Some(set)
        }
        (Excluded::All, Goal::AtLeast(least) | Goal::Exactly(least)) if problem == Problem::DominatingSet => {
            let least = to_usize(least)?;
            let mut set = dominating(0..=least)?;
            let others = board.squares().filter(|square| !set.contains(square));
            let missing: Vec<Square> = others.take(least - set.len()).collect();
            set.extend(missing);
            set.sort_unstable();
            Some(set)
        }
        (Excluded::All, Goal::AtLeast(least)) => {
            // Maximum independent sets dominate.
            dominating(to_usize(least)?..=everything).or_else(|| largest(to_usize(least)?))
        }
        (Excluded::All, Goal::Exactly(size)) => {
            dominating(to_usize(size)?..=to_usize(size)?).or_else(|| largest(to_usize(size)?))
        }
    }?;
    let mut of_inequality = None;
    for squares in images(model, set) {
        let point = model.point(&squares);
        if ilp.violation(&point).is_none() {
            return Some(ExcludedSolution { squares, violated: None });
        }
        if of_inequality.is_none()
            && let Some(row) = violated_inequality(ilp, &point)
        {
            of_inequality = Some(ExcludedSolution { squares, violated: Some(row) });
        }
    }
    of_inequality
}

/// Describes the first violated row of an inequality that the formulation states, if the point violates no
/// other row.
pub(super) fn violated_inequality(ilp: &Ilp, point: &[i64]) -> Option<String> {
    let mut bounded = ilp.columns().iter().zip(point);
    if bounded.any(|(column, x)| !(column.lower..=column.upper).contains(x)) {
        return None;
    }
    let mut first = None;
    for row in ilp.rows().filter(|row| !row.comparison.holds(row.left(point), row.rhs)) {
        if row.tag.family != own::FAMILY {
            return None;
        }
        let text = || format!("row {}, with {} {} {}", row.tag, row.left(point), row.comparison, row.rhs);
        first = first.or_else(|| Some(text()));
    }
    first
}

/// Iterates over the set and its images under the board's symmetries, up to [`IMAGES`] of them.
fn images<'a>(model: &'a Model<'_>, set: Vec<Square>) -> impl Iterator<Item = Vec<Square>> + 'a {
    let generators = model.board().generators();
    let mut seen = HashSet::from([set.clone()]);
    let mut next = std::collections::VecDeque::from([set]);
    std::iter::from_fn(move || {
        let set = next.pop_front()?;
        for generator in &generators {
            let mut image: Vec<Square> = set.iter().map(|&square| generator(square)).collect();
            image.sort_unstable();
            if seen.len() < IMAGES && seen.insert(image.clone()) {
                next.push_back(image);
            }
        }
        Some(set)
    })
}
