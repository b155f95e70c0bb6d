//! Decision by a SAT solver of whether k queens fit. The solver's proof is checked before its answer is
//! accepted.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use ndqueens_crosscheck::cnf::CnfFormula;
use ndqueens_model::board::{Board, Square};
use ndqueens_solver::backends::sat;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::{self, Temporary};

use crate::external_checker::CheckerError;
use crate::external_checker::drat::{Refusal, Written, formula_of};
use crate::run::{Event, Watch, WorkflowError, nodes, run_watched};

/// Answer to the question of whether `k` queens fit.
pub(crate) enum SatAnswer {
    /// They fit on these squares, which are not checked yet.
    Fit(Vec<Square>),
    /// They do not fit, and the checker verified the proof.
    DoNotFit,
    /// The run was stopped.
    Stopped(StopReason),
}

/// Decides by CaDiCaL whether `at_least` queens fit on a board, and has its proof checked if they do not. In
/// that case the proof is written to the file `keep`, if one is given, and the formula to the file of the
/// same name with another extension. The second value is the number of conflicts.
///
/// # Errors
/// Returns an error if the board is too large, a file cannot be written, or the proof is rejected.
pub(crate) fn decide(
    board: &Board,
    at_least: u64,
    keep: Option<&Path>,
    seed: u32,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<(SatAnswer, u64), WorkflowError> {
    let formula = CnfFormula::new(board.name(), at_least).map_err(Refusal::from)?;
    let written = Written::new(&formula).map_err(Refusal::from)?;
    let proof = Temporary::create().map_err(Refusal::from)?;
    let control = Arc::new(Control::new());
    let now = |seconds| nodes(&control, seconds);
    let (answer, stopped) = run_watched(&control, deadline, watch, &now, |events| {
        let answer = sat::solve(written.path(), proof.path(), seed, &control)?;
        if answer == sat::Satisfiability::Unsatisfiable {
            let bytes = proof.path().metadata()?.len();
            // Sending fails if the run was stopped, which is no error.
            let _ = events.send(Event::Stage(format!(
                "{} says no in {} conflicts; rate checks its proof of {:.1} MB",
                sat::solver(),
                control.nodes(),
                bytes as f64 / 1e6
            )));
            written.refuted_by(proof.path(), &|| control.is_stopped())?;
        }
        Ok(answer)
    });
    let answer = match (answer, stopped) {
        (Err(Refusal::Checker(CheckerError::Stopped(_))) | Ok(sat::Satisfiability::Stopped), stopped) => {
            SatAnswer::Stopped(stopped.unwrap_or(StopReason::Interrupted))
        }
        (Err(refusal), _) => return Err(refusal.into()),
        (Ok(sat::Satisfiability::Satisfiable(values)), _) => {
            let taken = formula.squares().iter().zip(values).filter(|(_, taken)| *taken);
            SatAnswer::Fit(taken.filter_map(|(square, _)| board.square(square)).collect())
        }
        (Ok(sat::Satisfiability::Unsatisfiable), _) => {
            if let Some(path) = keep {
                let formula_path = formula_of(path).expect("the name of a proof");
                for (path, from) in [(&*formula_path, written.path()), (path, proof.path())] {
                    file::write(path, |out| io::copy(&mut File::open(from)?, out))?;
                }
            }
            SatAnswer::DoNotFit
        }
    };
    Ok((answer, control.nodes()))
}
