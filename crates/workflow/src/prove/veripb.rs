//! Proofs for VeriPB, written together with their formulas.

use std::io;
use std::path::Path;

use ndqueens_crosscheck::opb::{OpbFormula, Question};
use ndqueens_exact::Settings;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::veripb as proof;
pub use ndqueens_exact::veripb::{LONG, Size};
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::Progress;
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::lp::Simplex;
use ndqueens_system::cancel::{Control, Deadline};
use ndqueens_system::file::{self, Unfinished, packed};

use crate::external_checker::veripb::formula_of;
use crate::run::{Event, Interruptible, Watch, WorkflowError, run_watched};

/// Writes the proof that a placement is maximum, and its formula. If trees would take more than `long` bytes,
/// such as [`LONG`], the proof uses smaller boxes, whose bounds come from `boxes` if it is given. The
/// estimated length of the proof is reported first. If the work is stopped, neither file is written.
///
/// # Errors
/// Returns an error if a file cannot be written, the board is too large, or the placement is not maximum.
///
/// # Panics
/// Panics if `path` is not the name of a proof.
pub fn write(
    board: &Board,
    placement: &[Square],
    boxes: Option<&BoxTable>,
    path: &Path,
    long: u64,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Interruptible<Size>, WorkflowError> {
    let formula = formula(board, &formula_of(path).expect("the name of a proof"))?;
    let control = Control::default();
    let settings = Settings { heuristics: Some(&Heuristics), lp: Some(&Simplex), ..Settings::new(&control) };
    let now = |seconds| Event::Progress(Progress { seconds, ..Progress::default() });
    let packed = if packed::is_name(path) { " before it is gzip-compressed" } else { "" };
    let (written, stopped) = run_watched(&control, deadline, watch, &now, |events| {
        let mut report = |Size { nodes, bytes }| {
            let (nodes, megabytes) = (counted(nodes, "node"), bytes as f64 / 1e6);
            // Sending fails if the run was stopped, which is no error.
            let _ = events
                .send(Event::Stage(format!("proof for VeriPB: {nodes}, about {megabytes:.1} MB{packed}")));
        };
        file::write(path, |out| {
            let size = proof::write(board, placement, boxes, long, &settings, &mut report, out)?;
            size.ok_or_else(|| io::Error::from(io::ErrorKind::Interrupted))
        })
    });
    match (written, stopped) {
        (Ok(size), _) => {
            formula.finish()?;
            Ok(Interruptible::Finished(size))
        }
        (Err(_), Some(reason)) => Ok(Interruptible::Stopped(reason)),
        (Err(fault), None) => Err(fault.into()),
    }
}

/// Writes the formula that asks for a maximum; the proof relies on the order of its rows. The file gets its
/// name when the proof does.
fn formula(board: &Board, path: &Path) -> Result<Unfinished, WorkflowError> {
    let formula = OpbFormula::new(board.name(), Question::Maximum)?;
    let unfinished = Unfinished::beside(path)?;
    unfinished.write(|out| out.write_all(formula.text().as_bytes()))?;
    Ok(unfinished)
}
