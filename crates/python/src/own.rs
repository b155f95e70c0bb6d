//! Proofs of the inequalities that a formulation states itself.

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::weighted::{self, Verdict};
use ndqueens_model::board::Board;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::own::{Claim, Standing, WeightBound};
use ndqueens_notation::certificate::Problem;
use ndqueens_system::cancel::Control;
use pyo3::PyResult;

use crate::fault::does_not_hold;

/// Maximum number of nodes of the search that decides one inequality.
const MOST_NODES: u64 = 5_000_000;

/// Proves the inequalities of a formulation for the independent sets of a board. Those that are not decided
/// stay open, and are conditions of the formulation.
///
/// # Errors
/// Returns an error if a solution violates an inequality.
pub(crate) fn prove_own(formulation: &mut Formulation, board: &Board, control: &Control) -> PyResult<()> {
    // The model reports an inequality without a place on the board.
    let Ok(claims) = formulation.own.claims(board) else { return Ok(()) };
    let all_are_solutions = formulation.problem == Problem::IndependentSet && !formulation.full;
    let numbered =
        |(number, claims): (usize, Vec<Claim>)| claims.into_iter().map(move |claim| (number, claim));
    for (number, claim) in claims.into_iter().enumerate().flat_map(numbered) {
        let mut standing = Standing::Proved("exhaustive search for a heavier independent set".to_owned());
        for bound in claim.weight_bounds() {
            match violation(&claim, &bound, MOST_NODES, control) {
                _ if !formulation.problem.is_independent() => {
                    standing = Standing::Open("proofs are of independent sets".to_owned());
                }
                Decision::Holds { .. } => {}
                Decision::Violated(violation) if all_are_solutions => {
                    let label = &formulation.own.list()[number].label;
                    return Err(does_not_hold(format!("{label} does not hold: {claim}, and {violation}")));
                }
                Decision::Violated(violation) => {
                    standing = Standing::Open(format!("{violation}; the queens need not be a solution"));
                }
                Decision::Open(why) => standing = Standing::Open(why),
            }
        }
        formulation.own.settle(claim, standing);
    }
    Ok(())
}

/// Decides for each claim whether all independent sets satisfy it, by searches that visit at most as many nodes
/// together as the search for one inequality of a formulation. Returns `None` for a claim that is proved, and the
/// end of a sentence for the others.
pub(crate) fn faults(claims: &[Claim], control: &Control) -> Vec<Option<String>> {
    let mut left = MOST_NODES;
    let mut fault = |claim: &Claim| {
        for bound in claim.weight_bounds() {
            match violation(claim, &bound, left, control) {
                Decision::Holds { nodes } => left = left.saturating_sub(nodes),
                Decision::Violated(violation) => {
                    return Some(format!("does not hold for all independent sets: {violation}"));
                }
                Decision::Open(why) => return Some(format!("is not proved: {why}")),
            }
        }
        None
    };
    claims.iter().map(&mut fault).collect()
}

/// Result of the search for a heavier independent set.
enum Decision {
    Holds {
        /// Number of nodes of the search.
        nodes: u64,
    },
    /// Description of an independent set that is too heavy.
    Violated(String),
    /// Reason why it was not decided.
    Open(String),
}

fn violation(claim: &Claim, bound: &WeightBound, most_nodes: u64, control: &Control) -> Decision {
    let Ok(rhs) = u64::try_from(bound.rhs) else { return Decision::Violated(claim.format_violation(&[])) };
    let board = definition(&claim.board);
    let attacks = |a: usize, b: usize| board.attacks(&bound.squares[a], &bound.squares[b]);
    match weighted::check(&attacks, &bound.weights, rhs, most_nodes, &mut || !control.is_stopped()) {
        Ok(Verdict::Holds { nodes }) => Decision::Holds { nodes },
        Ok(Verdict::Violated(squares)) => {
            let squares: Vec<_> = squares.into_iter().map(|square| bound.squares[square].clone()).collect();
            Decision::Violated(claim.format_violation(&squares))
        }
        Ok(Verdict::Undecided) => Decision::Open(format!("not decided by a search of {MOST_NODES} nodes")),
        Err(fault) => Decision::Open(fault.to_string()),
    }
}
