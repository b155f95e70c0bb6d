//! Counts by the reference algorithms, which share no code with the engine, and the maximum by branch and
//! bound.

use std::time::Instant;

use anyhow::bail;
use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::bron_kerbosch::Ordering;
use ndqueens_crosscheck::count::{self as bron_kerbosch, CountError};
use ndqueens_crosscheck::graph::{Graph, MAX_SQUARES};
use ndqueens_crosscheck::recursive;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::max_clique::{complement, maximum_clique};
use ndqueens_workflow::run::placement_check;
use serde_json::json;

use super::answer::{BRON_KERBOSCH, BRON_KERBOSCH_DEGENERACY, MAXIMUM_CLIQUE, MethodCount, RECURSION};

/// Count by a reference algorithm.
pub(super) struct ReferenceCount {
    pub(super) answer: MethodCount,
    /// Largest set found, if the method keeps one and was stopped before its end.
    pub(super) incumbent: Option<Vec<Vec<u32>>>,
}

impl From<MethodCount> for ReferenceCount {
    fn from(answer: MethodCount) -> Self {
        Self { answer, incumbent: None }
    }
}

pub(super) fn by_bron_kerbosch(
    board: &BoardName,
    ordering: Ordering,
    over: &dyn Fn() -> bool,
) -> anyhow::Result<ReferenceCount> {
    let begin = Instant::now();
    let words = match ordering {
        Ordering::Pivot => BRON_KERBOSCH,
        Ordering::Degeneracy => BRON_KERBOSCH_DEGENERACY,
    };
    let unfinished = || MethodCount::unfinished(words, begin);
    Ok(match bron_kerbosch::count_with(board, ordering, over) {
        Ok(count) => ReferenceCount::from(MethodCount {
            independence_number: Some(count.independence_number as u64),
            solutions: Some(json!(count.maximum_sets)),
            solutions_up_to_symmetry: count.orbits.map(|orbits| json!(orbits)),
            finished: true,
            ..unfinished()
        }),
        Err(CountError::Stopped { incumbent }) => {
            ReferenceCount { answer: unfinished(), incumbent: Some(incumbent) }
        }
        Err(fault) => return Err(fault.into()),
    })
}

pub(super) fn by_recursion(board: &BoardName, over: &dyn Fn() -> bool) -> anyhow::Result<ReferenceCount> {
    let begin = Instant::now();
    let unfinished = || MethodCount::unfinished(RECURSION, begin);
    let graph = Graph::new(&*definition(board))?;
    let answer = match recursive::independence_number(&graph, over) {
        Ok(number) => {
            MethodCount { independence_number: Some(number as u64), finished: true, ..unfinished() }
        }
        Err(_) => unfinished(),
    };
    Ok(answer.into())
}

/// Computes the independence number as the clique number of the complement, and checks its solution.
pub(super) fn by_maximum_clique(board: &Board, over: &dyn Fn() -> bool) -> anyhow::Result<ReferenceCount> {
    let begin = Instant::now();
    let unfinished = || MethodCount::unfinished(MAXIMUM_CLIQUE, begin);
    if board.size() > MAX_SQUARES {
        bail!(
            "{} has more than {MAX_SQUARES} squares, the most that the method max-clique takes",
            board.name()
        );
    }
    let found = maximum_clique(&complement(&board.graph()), over);
    let squares: Vec<Square> = found.vertices.iter().map(|&vertex| vertex as Square).collect();
    let checked = placement_check::certify(board, &squares, Problem::IndependentSet, &[], MAXIMUM_CLIQUE)?;
    Ok(if found.is_maximum {
        let number = Some(checked.size() as u64);
        MethodCount { independence_number: number, finished: true, ..unfinished() }.into()
    } else {
        ReferenceCount { answer: unfinished(), incumbent: Some(checked.squares) }
    })
}
