//! Solution files of other solvers, read back against the programme that they were made for.
//!
//! | solver | files |
//! | --- | --- |
//! | HiGHS | raw (style 0), pretty (style 1) and sparse (style 4) |
//! | CBC | `solution`, with all columns or the nonzero ones |
//! | SCIP | `write solution`, with or without zeros and the line of the status |
//! | Gurobi | `.sol`, which never tells the status, and `.json`, which does |
//! | GLPK | what glpsol writes with `-w`, and prints with `-o` |
//!
//! The first line tells them apart. What a file leaves out is 0. A file is refused when it breaks off, holds a value that is
//! no integer, or states an objective that its values do not have; and as the solution of another programme when it
//! names a column that the programme does not have, numbers one otherwise, or lists zeros and yet not every column.
//! CBC's files and HiGHS's sparse ones have numbers, Gurobi's and GLPK's list every column. So a file of a smaller board may pass only
//! when it is SCIP's without zeros. Whether the point is feasible is not looked at here.

mod cbc;
mod glpk;
mod gurobi;
mod highs;
mod scip;
mod values;

use ndqueens_model::ilp::Program;

use self::values::{BREAKS_OFF, Lines, Values};
pub use self::values::{SolutionFile, SolutionFileError};

/// Reads a solution file.
///
/// # Errors
/// Line and reason, when the text is not a solution file or not one of this programme.
pub fn read(text: &str, programme: &dyn Program) -> Result<SolutionFile, SolutionFileError> {
    let mut lines = Lines { rest: text.lines(), number: 0 };
    let first = lines.next().unwrap_or_default();
    let values = Values::of(programme);
    if first.starts_with('{') {
        return gurobi::json(text, values);
    }
    if !text.ends_with('\n') {
        return Err(SolutionFileError { line: text.lines().count().max(1), fault: BREAKS_OFF.to_owned() });
    }
    if first == "Model status" {
        highs::raw(lines, values)
    } else if first == "Columns" {
        highs::pretty(lines, values)
    } else if first.contains(cbc::OBJECTIVE) {
        cbc::read(first, lines, values)
    } else if first.starts_with(scip::STATUS) || first.starts_with(scip::OBJECTIVE) {
        scip::read(first, lines, values)
    } else if first.starts_with("# Solution for model") || first.starts_with(gurobi::OBJECTIVE) {
        gurobi::sol(first, lines, values)
    } else if first.starts_with("c Problem:") || first.starts_with("s mip ") {
        glpk::raw(Lines { rest: text.lines(), number: 0 }, values)
    } else if first.starts_with("Problem:") {
        glpk::printed(lines, values)
    } else {
        lines.fault("this is not a solution file of HiGHS, CBC, SCIP, Gurobi or GLPK")
    }
}
