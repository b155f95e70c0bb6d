//! The point that a solver run as a command starts from, as that solver writes solutions itself.

use std::io::{self, Write};

use ndqueens_model::ilp::{Ilp, Program as _};

/// The solver whose files those of a start are like. [`solution_file`](super::solution_file) reads each of them back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartFile {
    /// CBC: number, name, value and cost of every column.
    Cbc,
    /// HiGHS, sparse: name, value and number of what is not 0.
    Highs,
    /// SCIP: names and values of what is not 0.
    Scip,
    /// Gurobi: names and values of every column.
    Gurobi,
}

impl StartFile {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Cbc, Self::Highs, Self::Scip, Self::Gurobi];

    /// What stands for its path in the template of a command.
    pub(crate) fn place(self) -> &'static str {
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
    /// When writing fails.
    pub fn write(self, programme: &Ilp, point: &[i64], out: &mut dyn Write) -> io::Result<()> {
        let value = programme.value(point);
        let columns = programme.columns().iter().zip(point);
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
