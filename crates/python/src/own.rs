//! Proofs of the inequalities that a formulation states itself.

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::weighted::{self, Verdict};
use ndqueens_model::board::Board;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::own::{Claim, Standing, WeightBound, format_square};
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
    for (number, claim) in claims.into_iter().enumerate() {
        let mut standing = Standing::Proved("exhaustive search for a heavier independent set".to_owned());
        for bound in claim.weight_bounds() {
            match violation(&claim, &bound, control) {
                _ if !formulation.problem.is_independent() => {
                    standing = Standing::Open("proofs are of independent sets".to_owned());
                }
                Decision::Holds => {}
                Decision::Violated(queens) if all_are_solutions => {
                    let label = &formulation.own.list()[number].label;
                    let message = format!(
                        "{label} does not hold: {claim}, and queens on {queens} do not attack each other"
                    );
                    return Err(does_not_hold(message));
                }
                Decision::Violated(queens) => {
                    standing = Standing::Open(format!("queens on {queens} violate it"));
                }
                Decision::Open(why) => standing = Standing::Open(why),
            }
        }
        formulation.own.settle(claim, standing);
    }
    Ok(())
}

/// Result of the search for a heavier independent set.
enum Decision {
    Holds,
    /// Squares of an independent set that is too heavy.
    Violated(String),
    /// Reason why it was not decided.
    Open(String),
}

fn violation(claim: &Claim, bound: &WeightBound, control: &Control) -> Decision {
    let Ok(rhs) = u64::try_from(bound.rhs) else { return Decision::Violated("no square".to_owned()) };
    let board = definition(&claim.board);
    let attacks = |a: usize, b: usize| board.attacks(&bound.squares[a], &bound.squares[b]);
    match weighted::check(&attacks, &bound.weights, rhs, MOST_NODES, &mut || !control.is_stopped()) {
        Ok(Verdict::Holds { .. }) => Decision::Holds,
        Ok(Verdict::Violated(squares)) => {
            let squares = squares.into_iter().map(|square| format_square(&bound.squares[square]));
            Decision::Violated(squares.collect::<Vec<_>>().join(" "))
        }
        Ok(Verdict::Undecided) => Decision::Open(format!("not decided by a search of {MOST_NODES} nodes")),
        Err(fault) => Decision::Open(fault.to_string()),
    }
}
