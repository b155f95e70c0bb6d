//! A maximum by branch and bound on the LP relaxations of a formulation.

use std::path::Path;
use std::time::Instant;

use ndqueens_control::{Control, Deadline, StopReason};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::{Certificate, Problem};
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_record::machine;
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::branch_and_bound::{self as tree, Branching, End, Monitor, Search, Settings};

use super::kind::ProofKind;
use super::proof::{Proof, Status, next_asked};
use crate::run::{CHECKING, Draft, Event, LabError, TreeProgress, Watch, check, nodes, run_watched};

/// Name of the engine in messages and certificates.
pub(crate) const NAME: &str = concat!("branch and bound ", env!("CARGO_PKG_VERSION"));

/// How the tree is built.
#[derive(Debug, Clone, Copy)]
pub struct TreeSettings {
    /// Rule for the choice of the square to branch on.
    pub branching: Branching,
    /// Rounds of separation of cliques at the root; 0 for no separation.
    pub cut_rounds: u32,
}

/// Proves by branch and bound what the maximum is, or that it is the value claimed. The proof is checked, and written to `keep`
/// if that is given. A theorem does not replace the tree.
///
/// # Errors
/// Returns an error if the formulation does not suit the board or the proof format, HiGHS fails, the proof cannot be written,
/// or a certificate, given or found, or the proof does not pass the check.
pub fn prove_by_tree(
    board: &Board,
    value: Option<u64>,
    certificate: Option<&Certificate>,
    formulation: &Formulation,
    tree_settings: TreeSettings,
    (options, memory, keep): (&Options, u64, Option<&Path>),
    watch: &mut Watch<'_>,
) -> Result<Proof, LabError> {
    let (begin, cpu_before) = (Instant::now(), machine::cpu_time());
    if !formulation.maximises() {
        return Err(LabError::NotAMaximum { formulation: formulation.name.clone() });
    }
    let deadline = Deadline::since(begin, options.time_limit);
    let solver = format!("{NAME}, LPs by HiGHS {}", Highs::version());
    let mut proof = Proof::begin(board, certificate, options.seed, deadline, watch)?;
    let bounds = Bounds::with_reported();
    let problem = tree::Problem { board, formulation, bounds: &bounds, memory };
    let (mut all_nodes, mut iterations) = (0, 0);
    loop {
        let found = proof.certificate.size() as u64;
        proof.judge(value);
        let settled = match proof.status {
            Status::Proved => matches!(proof.kind, ProofKind::BranchAndBound { .. }),
            Status::Refuted => true,
            Status::Open | Status::Solved | Status::Conditional => false,
        };
        if settled || proof.stop != StopReason::Finished {
            break;
        }
        let asked = next_asked(found, value);
        // The search reports again, and then the answer counts.
        let _ = watch(&Event::Stage(format!("{}: asking for {}", board.name(), board.pieces(asked))));
        let draft = Draft::new(keep)?;
        let monitor = Monitor::default();
        let settings = Settings {
            branching: tree_settings.branching,
            symmetry: options.symmetry != Some(false),
            root_rounds: tree_settings.cut_rounds,
            seed: options.seed,
            node_limit: options.node_limit.unwrap_or(u64::MAX).saturating_sub(all_nodes),
            // A claim that is exceeded is refuted; without a claim the search goes on for more.
            first_solution: value.is_some(),
            ..Settings::new(&monitor)
        };
        let progress = |seconds: f64| {
            let done = monitor.control.done();
            Event::Tree(TreeProgress {
                incumbent: found,
                bound: monitor.bound(),
                nodes: all_nodes + monitor.control.nodes(),
                open: monitor.open(),
                lp_iterations: iterations + monitor.lp_iterations(),
                done,
                left: (done > 0.0).then(|| (1.0 - done) / done * seconds),
                seconds,
            })
        };
        let (searched, stopped) =
            run_watched(&monitor.control, deadline, watch, &progress, |_| {
                draft.write(|out, _| Ok(tree::prove(&problem, asked, &settings, out)))
            });
        let Search { end, solution, refuted, statistics } = searched.map_err(LabError::engine)??;
        (all_nodes, iterations) = (all_nodes + statistics.nodes, iterations + statistics.lp_iterations);
        proof.answer.root_lp_bound.get_or_insert(statistics.root_bound);
        if let Some(squares) = solution {
            proof.certificate = check::checked(board, &squares, Problem::IndependentSet, &[], NAME)?;
        }
        match end {
            End::Found => {}
            End::Stopped(reason) => proof.stop = stopped.unwrap_or(reason),
            End::Finished => {
                let control = Control::default();
                let deadline = deadline.later(CHECKING);
                let (checked, stopped) =
                    run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
                        draft.finish(board.name(), refuted - 1, &control)
                    });
                match checked.map_err(|fault| fault.found_by(NAME))? {
                    Some(_) => proof.bound(
                        refuted - 1,
                        ProofKind::BranchAndBound { formulation: formulation.name.clone(), nodes: all_nodes },
                    ),
                    None => proof.stop = stopped.unwrap_or(StopReason::Interrupted),
                }
            }
        }
    }
    proof.answer.nodes = Some(all_nodes);
    proof.answer.lp_iterations = Some(iterations);
    proof.answer.solver = Some(solver);
    proof.settle_answer(begin, cpu_before);
    Ok(proof)
}
