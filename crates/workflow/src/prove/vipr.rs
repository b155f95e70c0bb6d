//! Branch and bound whose proof is a VIPR file, about the program that crosscheck writes.

use std::io::{self, Write};

use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramForm};
use ndqueens_notation::certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::branch_and_bound::{
    self as tree, CoverProblem, CoverProgram, CoverSearch, Problem, ProofError, Search, SearchError,
    Settings, ViprHead,
};

pub use crate::evidence::vipr::is_name;

/// Searches for `target` queens, and writes a VIPR file to `out` if they do not fit.
pub(super) fn prove_independent_set(
    problem: &Problem<'_>,
    target: u64,
    settings: &Settings<'_>,
    out: &mut dyn Write,
) -> Result<Search, ProofError> {
    let included = settings.included.iter().map(|&square| square as usize).collect();
    let form = ProgramForm { included, ..ProgramForm::default() };
    let name = problem.board.name();
    let program = IntegerProgram::of(name, form.clone()).map_err(io::Error::other)?;
    let head = |at_least: u64, representatives: &[usize]| head(name, &form, at_least, representatives);
    tree::prove_vipr(problem, target, settings, program.lines(), &head, out)
}

/// Searches for a set of at most `most` squares, and writes a VIPR file to `out` if no such set exists.
pub(super) fn prove_cover(
    cover: &CoverProblem<'_>,
    problem: certificate::Problem,
    most: u64,
    settings: &Settings<'_>,
    out: &mut dyn Write,
) -> Result<CoverSearch, SearchError> {
    let included = cover.included.iter().map(|&square| square as usize).collect();
    let form = ProgramForm { problem, included, ..ProgramForm::default() };
    let name = cover.board.name();
    let program = IntegerProgram::of(name, form.clone()).map_err(io::Error::other)?;
    let head = |at_most: u64, representatives: &[usize]| head(name, &form, at_most, representatives);
    let written = CoverProgram { lines: program.lines(), first_cover: program.cover(0), head: &head };
    tree::prove_cover(cover, most, settings, &written, out)
}

/// Returns the program of a board with a limit on the number of squares and symmetry rows.
fn head(
    board: &BoardName,
    form: &ProgramForm,
    limit: u64,
    representatives: &[usize],
) -> io::Result<ViprHead> {
    let form = ProgramForm { limit: Some(limit), representatives: representatives.to_vec(), ..form.clone() };
    let program = IntegerProgram::of(board, form).map_err(io::Error::other)?;
    let mut text = Vec::new();
    program.write(&mut text)?;
    let rows = program.symmetry_rows().iter().enumerate();
    let symmetry_rows = rows.map(|(row, &(square, _))| (square, program.symmetry_row(row))).collect();
    Ok(ViprHead { text, constraints: program.constraints(), symmetry_rows })
}
