//! Interface to a solver of linear programs, for the relaxations.

use std::fmt::Debug;

/// Solver of linear programs.
pub trait LpSolver: Debug + Sync {
    /// Creates a linear program without constraints that maximises the sum of `variables` variables between 0
    /// and 1. Returns `None` if the solver rejects it.
    fn create_program(&self, variables: usize) -> Option<Box<dyn LinearProgram>>;
}

/// Linear program that is solved repeatedly while constraints are added.
pub trait LinearProgram {
    /// Adds the constraint that the sum of these variables is at most `rhs`. Returns `None` if the
    /// solver rejects it.
    fn add_row(&mut self, variables: &[usize], rhs: f64) -> Option<()>;

    /// Fixes a variable to 0 permanently.
    fn fix_to_zero(&mut self, variable: usize);

    /// Solves the program. Returns `None` if the solver finds no optimum; the program must not
    /// be used afterwards.
    fn solve(&mut self) -> Option<Optimum>;
}

/// Optimal solution, in floating point.
#[derive(Debug, Clone)]
pub struct Optimum {
    /// Objective value.
    pub value: f64,
    /// Value of each variable.
    pub primal: Vec<f64>,
    /// Dual value of each constraint, in the order in which they were added.
    pub dual: Vec<f64>,
}
