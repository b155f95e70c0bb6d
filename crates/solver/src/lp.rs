//! Linear programs of the exact engine, which grow by rows, solved by the simplex method of HiGHS.

use highs::{Col, HighsModelStatus, Model, RowProblem, Sense};
use ndqueens_exact::lp::{LinearProgram, LpSolver, Optimum};

/// Simplex method of HiGHS, on one thread and without presolve.
#[derive(Debug, Clone, Copy)]
pub struct Simplex;

impl LpSolver for Simplex {
    fn create_program(&self, variables: usize) -> Option<Box<dyn LinearProgram>> {
        let mut problem = RowProblem::new();
        let columns = (0..variables).map(|_| problem.add_column(1.0, 0.0..=1.0)).collect();
        let mut model = problem.try_optimise(Sense::Maximise).ok()?;
        for (name, value) in [("threads", 1), ("random_seed", 0)] {
            model.try_set_option(name, value).ok()?;
        }
        model.try_set_option("output_flag", false).ok()?;
        model.try_set_option("presolve", "off").ok()?;
        model.try_set_option("solver", "simplex").ok()?;
        Some(Box::new(SimplexProgram { columns, model: Some(model) }))
    }
}

/// Linear program with the basis of its last solution.
struct SimplexProgram {
    columns: Vec<Col>,
    /// `None` after a failure of HiGHS.
    model: Option<Model>,
}

impl LinearProgram for SimplexProgram {
    fn add_row(&mut self, variables: &[usize], rhs: f64) -> Option<()> {
        let terms = variables.iter().map(|&variable| (self.columns[variable], 1.0));
        self.model.as_mut()?.try_add_row(..=rhs, terms).ok().map(drop)
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
