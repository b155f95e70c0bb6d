//! What solves linear programs for the engine, if it is given one.

use std::fmt::Debug;

/// A solver of linear programs.
pub trait LpSolver: Debug + Sync {
    /// The program that maximises the sum of so many variables from 0 to 1, without rows yet. `None` when the solver refuses.
    fn programme(&self, variables: usize) -> Option<Box<dyn LinearProgramme>>;
}

/// A linear program that grows by rows, and is solved again and again.
pub trait LinearProgramme {
    /// Adds a row: the sum of these variables is at most `rhs`. `None` when the solver refuses.
    fn add_row(&mut self, variables: &[usize], rhs: f64) -> Option<()>;

    /// Sets a variable to 0 for good.
    fn fix_to_zero(&mut self, variable: usize);

    /// Solves it. `None` when the solver has no optimum; then it is of no further use.
    fn solve(&mut self) -> Option<Optimum>;
}

/// An optimal solution, in floating point.
#[derive(Debug, Clone)]
pub struct Optimum {
    /// The value of the objective.
    pub value: f64,
    /// The value of each variable.
    pub primal: Vec<f64>,
    /// The dual value of each row, in the order in which they were added.
    pub dual: Vec<f64>,
}
