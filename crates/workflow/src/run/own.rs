//! Proofs of the inequalities that a formulation's file states.

use std::time::Instant;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::verify::verify;
use ndqueens_crosscheck::weighted::{self, Verdict, WeightedError};
use ndqueens_model::board::Board;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::own::{Claim, Standing, WeightBound};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::Progress;
use ndqueens_system::cancel::Deadline;

use super::{Event, RefusedError, Watch, WorkflowError};

/// Maximum number of nodes of the search that decides one inequality.
const MOST_NODES: u64 = 5_000_000;

/// Proves the inequalities of a formulation's file for the independent sets of a board, by exhaustive search.
/// Placements of a pattern on a plain box are isometric and have one proof. Claims that were decided before are skipped.
///
/// An inequality that is not decided within a limit, or half of the time left, stays open, so that results rest on
/// it. The same holds if
/// the solutions are not all independent sets of the board, and some of these sets violate it.
///
/// # Errors
/// Returns an error if a solution violates an inequality.
pub fn prove_own(
    formulation: &mut Formulation,
    board: &Board,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<(), WorkflowError> {
    // The model reports an inequality without a place on the board.
    let Ok(claims) = formulation.own.claims(board) else { return Ok(()) };
    let began = Instant::now();
    let deadline = Deadline::after(deadline.left().map(|left| left / 2));
    if claims.iter().flatten().any(|claim| !formulation.own.is_settled(claim)) {
        let stage = format!("inequalities of formulation {} on {}", formulation.name, board.name());
        // A stop is also noticed during the searches and by the work that follows.
        let _ = watch(&Event::Stage(stage));
    }
    let numbered =
        |(number, claims): (usize, Vec<Claim>)| claims.into_iter().map(move |claim| (number, claim));
    for (number, claim) in claims.into_iter().enumerate().flat_map(numbered) {
        if formulation.own.is_settled(&claim) {
            continue;
        }
        let go_on = &mut || {
            let progress = Progress { seconds: began.elapsed().as_secs_f64(), ..Progress::default() };
            watch(&Event::Progress(progress)).is_continue() && !deadline.is_over()
        };
        let standing = standing(formulation, number, &claim, go_on)?;
        formulation.own.settle(claim, standing);
    }
    Ok(())
}

/// Returns the result of the proof of a claim, that of the inequality with this number.
fn standing(
    formulation: &Formulation,
    number: usize,
    claim: &Claim,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Standing, WorkflowError> {
    if !formulation.problem.is_independent() {
        let problem = formulation.problem;
        return Ok(Standing::Open(format!("proofs are of independent sets, and the problem is {problem}")));
    }
    for bound in claim.weight_bounds() {
        match verdict(claim, &bound, go_on) {
            Ok(Verdict::Holds { .. }) => {}
            Ok(Verdict::Undecided) => {
                return Ok(Standing::Open(format!("not decided by a search of {MOST_NODES} nodes")));
            }
            Ok(Verdict::Violated(squares)) => {
                let squares = squares.into_iter().map(|square| bound.squares[square].clone()).collect();
                return violated(formulation, number, claim, squares);
            }
            Err(fault) => return Ok(Standing::Open(fault.to_string())),
        }
    }
    Ok(Standing::Proved("exhaustive search for a heavier independent set".to_owned()))
}

/// Decides whether every independent set of a board has at most the stated weight.
fn verdict(
    claim: &Claim,
    bound: &WeightBound,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Verdict, WeightedError> {
    // Even the empty set is too heavy for a negative right-hand side.
    let Ok(rhs) = u64::try_from(bound.rhs) else { return Ok(Verdict::Violated(Vec::new())) };
    let board = definition(&claim.board);
    let attacks = |a: usize, b: usize| board.attacks(&bound.squares[a], &bound.squares[b]);
    weighted::check(&attacks, &bound.weights, rhs, MOST_NODES, go_on)
}

/// Returns the error for a claim that queens on these squares violate, after the independent check that they
/// do not attack each other. The claim stays open if the queens need not be a solution.
fn violated(
    formulation: &Formulation,
    number: usize,
    claim: &Claim,
    squares: Vec<Vec<u32>>,
) -> Result<Standing, WorkflowError> {
    let violation = claim.format_violation(&squares);
    let found_by = "the search for a heaviest independent set";
    let certificate = Certificate::independent(claim.board.clone(), squares, found_by);
    verify(&certificate).map_err(|fault| RefusedError::Solution { found_by: found_by.to_owned(), fault })?;
    if formulation.problem != Problem::IndependentSet || formulation.full {
        return Ok(Standing::Open(format!("{violation}; the queens need not be a solution")));
    }
    Err(WorkflowError::RefutedInequality {
        formulation: formulation.name.clone(),
        label: formulation.own.list()[number].label.clone(),
        claim: claim.to_string(),
        violation,
    })
}
