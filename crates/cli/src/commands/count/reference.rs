//! Counts by the reference algorithms, which share nothing with the engine.

use std::time::Instant;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::count::{self as bron_kerbosch, CountError};
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive;
use ndqueens_model::name::BoardName;
use serde_json::json;

use super::answer::{BRON_KERBOSCH, MethodCount, RECURSION};

/// A count that was stopped before its end.
pub(super) struct Unfinished {
    pub(super) answer: MethodCount,
    /// The largest set that was found, where one is kept.
    pub(super) incumbent: Option<Vec<Vec<u32>>>,
}

type Counted = anyhow::Result<Result<MethodCount, Unfinished>>;

pub(super) fn by_bron_kerbosch(board: &BoardName, over: &dyn Fn() -> bool) -> Counted {
    let begin = Instant::now();
    let unfinished = || MethodCount::unfinished(BRON_KERBOSCH, begin);
    Ok(match bron_kerbosch::count(board, over) {
        Ok(count) => Ok(MethodCount {
            independence_number: Some(count.independence_number as u64),
            solutions: Some(json!(count.maximum_sets)),
            solutions_up_to_symmetry: count.orbits.map(|orbits| json!(orbits)),
            finished: true,
            ..unfinished()
        }),
        Err(CountError::Stopped { incumbent }) => {
            Err(Unfinished { answer: unfinished(), incumbent: Some(incumbent) })
        }
        Err(fault) => return Err(fault.into()),
    })
}

pub(super) fn by_recursion(board: &BoardName, over: &dyn Fn() -> bool) -> Counted {
    let begin = Instant::now();
    let unfinished = || MethodCount::unfinished(RECURSION, begin);
    let graph = Graph::new(&*definition(board))?;
    Ok(match recursive::independence_number(&graph, over) {
        Ok(number) => {
            Ok(MethodCount { independence_number: Some(number as u64), finished: true, ..unfinished() })
        }
        Err(_) => Err(Unfinished { answer: unfinished(), incumbent: None }),
    })
}
