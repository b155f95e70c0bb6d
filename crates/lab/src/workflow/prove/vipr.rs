//! Branch and bound that is written as a VIPR file, about the program that crosscheck writes.

use std::io::{self, Write};
use std::path::Path;

use ndqueens_crosscheck::vipr::formula::IntegerProgram;
use ndqueens_files::packed;
use ndqueens_solver::branch_and_bound::{self as tree, Problem, ProofError, Search, Settings, ViprHead};

/// Returns `true` if the name of a file says that it is a VIPR file: it ends in `.vipr` or `.vipr.gz`.
#[must_use]
pub fn is_name(path: &Path) -> bool {
    let name = if packed::is_name(path) { path.with_extension("") } else { path.to_owned() };
    name.extension().is_some_and(|extension| extension == "vipr")
}

/// Searches for `target` queens, and writes a VIPR file to `out` if they do not fit.
pub(super) fn prove(
    problem: &Problem<'_>,
    target: u64,
    settings: &Settings<'_>,
    out: &mut dyn Write,
) -> Result<Search, ProofError> {
    let name = problem.board.name();
    let program = IntegerProgram::new(name, None, &[]).map_err(io::Error::other)?;
    let head = |at_least: u64, representatives: &[usize]| -> io::Result<ViprHead> {
        let program = IntegerProgram::new(name, Some(at_least), representatives).map_err(io::Error::other)?;
        let mut text = Vec::new();
        program.write(&mut text)?;
        let rows = program.symmetry_rows().iter().enumerate();
        let symmetry_rows = rows.map(|(row, &(square, _))| (square, program.symmetry_row(row))).collect();
        Ok(ViprHead { text, constraints: program.constraints(), symmetry_rows })
    };
    tree::prove_vipr(problem, target, settings, program.lines(), &head, out)
}
