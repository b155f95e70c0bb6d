//! Placements and bounds that are computed quickly, by constructions and by a short exact search.

use std::ops::ControlFlow;
use std::time::Duration;

use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::{self as construction, Effort};
use ndqueens_system::cancel::Deadline;
use ndqueens_system::note::Notes;
use ndqueens_workflow::find::construct;
use ndqueens_workflow::prove::engine_run;

/// Largest board on which placements are constructed, in squares.
pub(super) const MOST_SQUARES: usize = 20_000;

/// Work limits of each construction. They amount to a few hundredths of a second.
const QUICK: Effort = Effort { cut: 300_000, greedy: 2_000_000 };

/// Returns the largest placement that constructions find, checked; `None` on large boards. If quick
/// constructions find fewer than `wanted` pieces, they are repeated with the effort of `ndq find`.
#[must_use]
pub fn best_placement(board: &Board, wanted: u128, notes: &Notes) -> Option<Certificate> {
    if board.size() > MOST_SQUARES {
        return None;
    }
    let construct = |effort| {
        let placement = construction::best(board, &[], 0, effort).ok()?;
        construct::certify(board, &placement, &[]).map_err(|fault| notes.report(&fault.to_string())).ok()
    };
    let quick = construct(QUICK);
    let size = |certificate: &Option<Certificate>| certificate.as_ref().map_or(0, Certificate::size);
    if size(&quick) as u128 >= wanted {
        return quick;
    }
    let thorough = construct(Effort::default());
    if size(&thorough) > size(&quick) { thorough } else { quick }
}

/// Largest board that is searched exactly, in squares.
const MOST_SEARCHED: usize = 512;

/// Node limit of the search, and of each sub-box in it.
const MOST_NODES: u64 = 20_000;

/// Time limit of the search.
const PATIENCE: Duration = Duration::from_secs(2);

/// A maximum found by a short exact search, with a checked proof.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    /// Maximum placement.
    pub(super) placement: Certificate,
    /// Number of search nodes.
    pub(super) nodes: u64,
}

/// Searches a small board exactly and checks the proof with crosscheck. Returns `None` if the board is too
/// large, the search reaches a limit, or the deadline is over.
pub(super) fn settle(board: &Board, deadline: Deadline, notes: &Notes) -> Option<Settled> {
    if board.size() > MOST_SEARCHED || deadline.is_over() {
        return None;
    }
    let options = Options {
        threads: Some(1),
        node_limit: Some(MOST_NODES),
        box_limit: Some(MOST_NODES),
        time_limit: Some(deadline.within(PATIENCE)),
        ..Options::default()
    };
    let bounded = engine_run::run(board, &options, None, None, None, &mut |_| ControlFlow::Continue(()));
    let bounded = bounded.map_err(|fault| notes.report(&format!("{}: {fault}", board.name()))).ok()?;
    let at_most = bounded.proved.ok()?.at_most()?;
    let nodes = bounded.maximum.nodes;
    let origin = format!("exact search of {} in this run", counted(nodes, "node"));
    let placement = Certificate::independent(board.name().clone(), bounded.maximum.placement, origin);
    (placement.size() as u64 == at_most).then_some(Settled { placement, nodes })
}
