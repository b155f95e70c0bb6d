//! Files with the start of a solver that runs as a command, in the formats in which these
//! solvers write solutions.

use std::io::{self, Write};

use ndqueens_model::ilp::{Ilp, Program as _};

/// Format of a start: the solution file of a solver. [`solution_file`](super::solution_file) can
/// read each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartFile {
    /// CBC: number, name, value and cost of every column.
    Cbc,
    /// HiGHS, sparse: name, value and number of every nonzero column.
    Highs,
    /// SCIP: names and values of the nonzero columns.
    Scip,
    /// Gurobi: names and values of all columns.
    Gurobi,
}

impl StartFile {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Cbc, Self::Highs, Self::Scip, Self::Gurobi];

    /// Returns the placeholder of the path in the template of a command.
    pub(crate) fn placeholder(self) -> &'static str {
        match self {
            Self::Cbc => "{start}",
            Self::Highs => "{start.highs}",
            Self::Scip => "{start.scip}",
            Self::Gurobi => "{start.gurobi}",
        }
    }

    /// Writes a point, one value for each column.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(self, ilp: &Ilp, point: &[i64], out: &mut dyn Write) -> io::Result<()> {
        let value = ilp.value(point);
        let columns = ilp.columns().iter().zip(point);
        let nonzero = columns.clone().enumerate().filter(|(_, (_, x))| **x != 0);
        match self {
            Self::Cbc => {
                writeln!(out, "Feasible - objective value {value}")?;
                for (number, (column, x)) in columns.enumerate() {
                    writeln!(out, "{number} {} {x} {}", column.name, column.objective)?;
                }
            }
            Self::Highs => {
                let count = nonzero.clone().count();
                writeln!(out, "Model status\nUnknown\n\n# Primal solution values\nFeasible")?;
                writeln!(out, "Objective {value}\n# Columns -{count}")?;
                for (number, (column, x)) in nonzero {
                    writeln!(out, "{} {x} {number}", column.name)?;
                }
            }
            Self::Scip => {
                writeln!(out, "objective value: {value}")?;
                for (_, (column, x)) in nonzero {
                    writeln!(out, "{} {x}", column.name)?;
                }
            }
            Self::Gurobi => {
                writeln!(out, "# Objective value = {value}")?;
                for (column, x) in columns {
                    writeln!(out, "{} {x}", column.name)?;
                }
            }
        }
        Ok(())
    }
}
