//! A maximum by the exact engine.

use std::path::Path;
use std::time::{Duration, Instant};

use ndqueens_exact::Maximum;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_record::machine;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::StopReason;

use super::kind::ProofKind;
use super::proof::{Proof, constructed};
use crate::run::engine::FOUND_BY;
use crate::run::{LabError, Watch};
use crate::workflow::exact::{self, Bounded};

/// How the exact engine is to work.
#[derive(Debug, Clone, Default)]
pub struct Exactly<'a> {
    /// Threads, seed and limits; the limit on nodes is for each box.
    pub options: Options,
    /// A folder in which what is settled on the way is kept, so that a stopped run resumes there.
    pub work: Option<&'a Path>,
    /// The file in which the proof is kept.
    pub keep: Option<&'a Path>,
    /// Whether a bound that was not checked is left out.
    pub certified: bool,
}

/// Proves with the exact engine what the maximum is, or that it is the value claimed; with a limit on nodes, for each box, as
/// far as that goes. The proof is checked whether it is kept or not. What is `known` stays if the engine finds nothing better, and where
/// nothing is to be kept the engine ends as soon as as many queens are placed as the known bound allows.
///
/// # Errors
/// When the board is too large, the proof cannot be written, or placement or proof do not pass the check.
pub fn prove_exactly(
    board: &Board,
    value: Option<u64>,
    known: Option<Proof>,
    exactly: &Exactly<'_>,
    watch: &mut Watch<'_>,
) -> Result<Proof, LabError> {
    let began = (Instant::now(), machine::cpu_time());
    let Exactly { options, work, keep, certified } = exactly;
    let target = known.as_ref().map(|known| known.upper).filter(|_| work.is_none() && keep.is_none());
    let bounded = exact::prove(board, options, *work, *keep, target, watch)?;
    conclude(board, value, known, bounded, (options.seed, *certified), began)
}

/// What follows from what was known and what the engine came to, in work that began then.
pub(crate) fn conclude(
    board: &Board,
    value: Option<u64>,
    known: Option<Proof>,
    Bounded { maximum, proved }: Bounded,
    (seed, certified): (u32, bool),
    (begin, cpu_before): (Instant, Duration),
) -> Result<Proof, LabError> {
    let nothing_known = known.is_none();
    let mut proof = known.map_or_else(|| Proof::open(board), Ok)?;
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
                let constructed = constructed(board, seed)?;
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
    proof.settle_answer(begin, cpu_before);
    Ok(proof)
}
