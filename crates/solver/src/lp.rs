//! Linear programs that grow by rows, for the exact engine and for the separation of local cuts, solved by the
//! simplex method of HiGHS.

use highs::{Col, HighsModelStatus, Model, RowProblem, Sense};
use ndqueens_exact::lp::{LinearProgram, LpSolver, Optimum};

/// Simplex method of HiGHS, on one thread and without presolve.
#[derive(Debug, Clone, Copy)]
pub struct Simplex;

impl LpSolver for Simplex {
    fn create_program(&self, variables: usize) -> Option<Box<dyn LinearProgram>> {
        Some(Box::new(SimplexProgram::new(&vec![1.0; variables])?))
    }
}

/// Linear program over variables from 0 to 1, with the basis of its last solution.
pub(crate) struct SimplexProgram {
    columns: Vec<Col>,
    /// `None` after a failure of HiGHS.
    model: Option<Model>,
}

impl SimplexProgram {
    /// Creates a program without rows that maximises the sum of the variables with these coefficients. Returns
    /// `None` if HiGHS fails.
    pub(crate) fn new(objective: &[f64]) -> Option<Self> {
        let mut problem = RowProblem::new();
        let columns = objective.iter().map(|&value| problem.add_column(value, 0.0..=1.0)).collect();
        let mut model = problem.try_optimise(Sense::Maximise).ok()?;
        for (name, value) in [("threads", 1), ("random_seed", 0)] {
            model.try_set_option(name, value).ok()?;
        }
        model.try_set_option("output_flag", false).ok()?;
        model.try_set_option("presolve", "off").ok()?;
        model.try_set_option("solver", "simplex").ok()?;
        Some(Self { columns, model: Some(model) })
    }

    /// Adds the row that bounds a sum of variables with coefficients from above. Returns `None` if HiGHS fails.
    pub(crate) fn add_weighted_row(
        &mut self,
        terms: impl IntoIterator<Item = (usize, f64)>,
        rhs: f64,
    ) -> Option<()> {
        let terms = terms.into_iter().map(|(variable, weight)| (self.columns[variable], weight));
        self.model.as_mut()?.try_add_row(..=rhs, terms).ok().map(drop)
    }
}

impl LinearProgram for SimplexProgram {
    fn add_row(&mut self, variables: &[usize], rhs: f64) -> Option<()> {
        self.add_weighted_row(variables.iter().map(|&variable| (variable, 1.0)), rhs)
    }

    fn fix_to_zero(&mut self, variable: usize) {
        if let Some(model) = &mut self.model {
            model.change_column_bounds(self.columns[variable], 0.0..=0.0);
        }
    }

    fn solve(&mut self) -> Option<Optimum> {
        let solved = self.model.take()?.try_solve().ok()?;
        if solved.status() != HighsModelStatus::Optimal {
            return None;
        }
        let solution = solved.get_solution();
        let (primal, dual) = (solution.columns().to_vec(), solution.dual_rows().to_vec());
        let value = solved.objective_value();
        self.model = Some(solved.into());
        Some(Optimum { value, primal, dual })
    }
}
