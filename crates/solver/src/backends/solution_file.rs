//! Solution files of other solvers, read against the program for which they were made.
//!
//! | solver | files |
//! | --- | --- |
//! | HiGHS | raw (style 0), pretty (style 1) and sparse (style 4), from 1.16 on with bound and gap |
//! | CBC | `solution`, with all columns or the nonzero ones |
//! | SCIP | `write solution`, with or without zeros and the line of the status |
//! | Gurobi | `.sol` and `.mst`, which never state the status, and `.json`, which does |
//! | CPLEX | `.sol` and `.mst`, which are XML |
//! | GLPK | the output of glpsol with `-w` and with `-o` |
//! | MIPLIB | `=obj=`, then names and values |
//! | SAT solvers | `s` and `v` lines for a CNF file, and the form of MiniSat |
//! | pseudo-Boolean solvers | `s`, `o` and `v` lines for an OPB file |
//!
//! The format is detected from the first lines. A column that a file omits is 0, except that the files of SAT
//! and pseudo-Boolean solvers must list every column. Columns in another order, as modelling layers write
//! them, are matched by name.
//!
//! A file is rejected if it is truncated, contains a value that is not an integer, or states an objective
//! that differs from that of its values. It is rejected as the solution of another program if it names an
//! unknown column, numbers columns as a program with fewer columns does, or lists zeros but not every column.
//! The file of a smaller board may pass only if it has neither zeros nor numbers, as those of SCIP.
//! Feasibility is not checked here.
//!
//! The status *optimal* is lowered if the file states a bound or a gap that leaves room for a better integer.

mod cbc;
mod competition;
mod cplex;
mod glpk;
mod gurobi;
mod highs;
mod log;
mod miplib;
mod scip;
mod values;

use ndqueens_model::ilp::Program;

use self::values::{BREAKS_OFF, Lines, Values};
pub use self::values::{SolutionFile, SolutionFileError};

/// Reads a solution file.
///
/// # Errors
/// Returns an error with line and reason if the text is not a solution file of this program.
pub fn read(text: &str, program: &dyn Program) -> Result<SolutionFile, SolutionFileError> {
    read_ordered(text, program, None)
}

/// Reads a solution file. If the solver read the columns in another order, `order` has the
/// column at each position.
///
/// # Errors
/// Returns an error with line and reason if the text is not a solution file of this program.
pub fn read_ordered(
    text: &str,
    program: &dyn Program,
    order: Option<&[usize]>,
) -> Result<SolutionFile, SolutionFileError> {
    let mut lines = Lines { rest: text.lines(), number: 0 };
    let first = lines.next().unwrap_or_default();
    let values = Values::new(program, order);
    if first.starts_with('{') {
        return gurobi::json(text, values);
    }
    if first.starts_with("<?xml") || first.starts_with("<CPLEXSolution") {
        return cplex::read(text, values);
    }
    if !text.ends_with('\n') {
        return Err(SolutionFileError { line: text.lines().count().max(1), fault: BREAKS_OFF.to_owned() });
    }
    if first == "Model status" {
        return highs::raw(lines, values);
    } else if first == "Columns" {
        return highs::pretty(lines, values);
    } else if first.contains(cbc::OBJECTIVE) {
        return cbc::read(first, lines, values);
    } else if first.starts_with(scip::STATUS) || first.starts_with(scip::OBJECTIVE) {
        return scip::read(first, lines, values);
    } else if first.starts_with("Problem:") {
        return glpk::report(lines, values);
    }
    let mut all = Lines { rest: text.lines(), number: 0 };
    let head = loop {
        match all.next() {
            Some(line) if line.is_empty() || line.starts_with('#') => {}
            head => break head.unwrap_or_default(),
        }
    };
    if miplib::HEADS.iter().any(|start| head.starts_with(start)) {
        return miplib::read(head, all, values);
    }
    if first.starts_with('#') {
        return gurobi::sol(first, lines, values);
    }
    let comment = |line: &&str| line.trim().is_empty() || *line == "c" || line.starts_with("c ");
    let head = text.lines().map(str::trim_end).find(|line| !comment(line)).unwrap_or_default();
    if first.starts_with("c Problem:")
        || ["s mip ", "s bas ", "s ipt "].iter().any(|start| head.starts_with(start))
    {
        return glpk::raw(Lines { rest: text.lines(), number: 0 }, values);
    }
    if competition::is_first_line(head) {
        return competition::read(text, values);
    }
    lines.fault(
        "this is not a solution file of HiGHS, CBC, SCIP, Gurobi, CPLEX, GLPK, MIPLIB, a SAT solver or a pseudo-Boolean solver",
    )
}
