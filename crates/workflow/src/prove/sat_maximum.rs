//! Maximum by a SAT solver.

use std::path::Path;

use ndqueens_model::board::Board;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Deadline, StopReason};

use super::kind::ProofKind;
use super::proof_state::{ProofState, StartTimes, Status, next_target};
use crate::external_checker::drat;
use crate::prove::sat_decision;
use crate::run::{Event, Watch, WorkflowError, placement_check};

/// Proves by a SAT solver the maximum, or that the maximum is the claimed value. The solver is run even if a
/// theorem gives the bound. Its DRAT proof is checked by the program `rate`. If `keep` is given, the proof is
/// written to that file, and the formula to the file of the same name with another extension.
///
/// # Errors
/// Returns an error if there is no checker, the board is too large, a file cannot be written, or a given or
/// computed certificate or the proof does not pass the check.
pub fn prove_by_sat(
    board: &Board,
    value: Option<u64>,
    certificate: Option<&Certificate>,
    options: &Options,
    keep: Option<&Path>,
    watch: &mut Watch<'_>,
) -> Result<ProofState, WorkflowError> {
    let start = StartTimes::now();
    let deadline = Deadline::since(start.wall, options.time_limit);
    let (solver, checker) = (ndqueens_solver::backends::sat::solver(), drat::checker(&|| false)?);
    let mut proof = ProofState::begin(board, certificate, options.seed, deadline, watch)?;
    let mut conflicts = 0;
    loop {
        let found = proof.certificate.size() as u64;
        proof.judge(value);
        let settled = match proof.status {
            Status::Proved => matches!(proof.kind, ProofKind::Drat { .. }),
            Status::Refuted => true,
            Status::Open | Status::Solved | Status::Conditional => false,
        };
        if settled || proof.stop != StopReason::Finished {
            break;
        }
        let target = next_target(found, value);
        // The answer of the watcher is ignored here, because it is called again when the solver starts.
        let _ = watch(&Event::Stage(format!("{}: asking for {}", board.name(), board.format_pieces(target))));
        let (answer, more) = sat_decision::decide(board, target, keep, options.seed, deadline, watch)?;
        conflicts += more;
        match answer {
            sat_decision::SatAnswer::Fit(squares) => {
                proof.certificate =
                    placement_check::certify(board, &squares, Problem::IndependentSet, &[], &solver)?;
            }
            sat_decision::SatAnswer::DoNotFit => {
                proof.upper = target - 1;
                proof.kind = ProofKind::Drat { solver: solver.clone(), checker: checker.clone() };
            }
            sat_decision::SatAnswer::Stopped(reason) => proof.stop = reason,
        }
    }
    proof.answer.nodes = Some(conflicts);
    proof.answer.solver = Some(solver);
    proof.settle_answer(&start);
    Ok(proof)
}
