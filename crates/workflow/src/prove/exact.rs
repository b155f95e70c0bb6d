//! Maximum by the exact engine.

use std::path::Path;

use ndqueens_exact::Maximum;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::StopReason;

use super::kind::ProofKind;
use super::proof_state::{ProofState, StartTimes, construct_best};
use crate::prove::engine_run::{self, ExactResult};
use crate::run::exact_engine::FOUND_BY;
use crate::run::{Watch, WorkflowError};

/// Settings of a proof by the exact engine.
#[derive(Debug, Clone, Default)]
pub struct ExactRequest<'a> {
    /// Threads, seed and limits; the node limit applies to each box.
    pub options: Options,
    /// Folder for intermediate results, from which a stopped run is resumed.
    pub work: Option<&'a Path>,
    /// File for the proof.
    pub keep: Option<&'a Path>,
    /// True if bounds that were not checked are omitted from the result.
    pub certified: bool,
}

/// Proves by the exact engine the maximum, or that the maximum is the claimed value, as far as the node limit
/// of each box allows. The proof is checked whether or not it is kept. The `known` bounds are kept if the
/// engine finds nothing better. If neither the proof nor intermediate results are kept, the engine stops once
/// it has placed as many queens as the known upper bound allows.
///
/// # Errors
/// Returns an error if the board is too large, the proof cannot be written, or the placement or the proof
/// does not pass the check.
pub fn prove_exactly(
    board: &Board,
    value: Option<u64>,
    known: Option<ProofState>,
    request: &ExactRequest<'_>,
    watch: &mut Watch<'_>,
) -> Result<ProofState, WorkflowError> {
    let start = StartTimes::now();
    let ExactRequest { options, work, keep, certified } = request;
    let target = known.as_ref().map(|known| known.upper).filter(|_| work.is_none() && keep.is_none());
    let bounded = engine_run::run(board, options, *work, *keep, target, watch)?;
    conclude(board, value, known, bounded, options.seed, *certified, start)
}

/// Combines known bounds with the result of the engine.
pub(crate) fn conclude(
    board: &Board,
    value: Option<u64>,
    known: Option<ProofState>,
    ExactResult { maximum, proved }: ExactResult,
    seed: u32,
    certified: bool,
    start: StartTimes,
) -> Result<ProofState, WorkflowError> {
    let nothing_known = known.is_none();
    let mut proof = known.map_or_else(|| ProofState::open(board), Ok)?;
    let Maximum { value: found, upper, placement, nodes, boxes, .. } = maximum;
    if found > proof.certificate.size() as u64 {
        proof.certificate = Certificate::independent(board.name().clone(), placement, FOUND_BY);
    }
    proof.answer.nodes = Some(nodes);
    match proved {
        Ok(proved) => {
            if upper <= proof.upper {
                let kind = ProofKind::Exact { nodes: proved.nodes(), boxes: proved.boxes() };
                proof.bound(upper, kind);
            }
            proof.boxes = Some(boxes);
            if (proof.certificate.size() as u64) < proof.upper {
                proof.stop = StopReason::NodeLimit;
            }
        }
        Err(_) if proof.certificate.size() as u64 >= proof.upper => {}
        Err(stop) => {
            proof.stop = stop;
            if nothing_known {
                let constructed = construct_best(board, seed)?;
                if constructed.size() as u64 > found {
                    proof.certificate = constructed;
                }
            }
            if upper < proof.upper && !certified {
                proof.bound(upper, ProofKind::Stopped);
            }
        }
    }
    proof.judge(value);
    proof.answer.solver = Some(FOUND_BY.to_owned());
    proof.settle_answer(&start);
    Ok(proof)
}
