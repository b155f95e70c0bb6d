//! Solvers behind the interface `good_lp`, which reports a solution and a status, but neither bounds,
//! nodes nor iterations.
//!
//! None of them can be interrupted: the thread of a run that is stopped is abandoned, and its
//! incumbent is lost.
//!
//! | solver | feature | |
//! | --- | --- | --- |
//! | microlp | always available | in Rust, independent of HiGHS, for small programs; makes no random choices |
//! | CBC | `cbc` | the COIN-OR library of this machine; Ctrl-C reaches it directly |

use std::time::Duration;

use good_lp::solvers::{SolutionStatus, WithInitialSolution, WithTimeLimit};
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, variable,
};
use ndqueens_model::ilp::{Comparison, Program, Sense};
use ndqueens_system::cancel::StopReason;

use crate::backends::claim::{self, SolverClaim, SolverStatus};
use crate::backends::monitored::{MonitoredRun, SolverReport};
use crate::backends::{Backend, BackendError, Options};

/// Time after the deadline at which a run is abandoned.
const GRACE: Duration = Duration::from_secs(1);

/// Solver behind `good_lp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoodLp {
    /// microlp.
    Microlp,
    /// CBC, linked in.
    #[cfg(feature = "cbc")]
    Cbc,
}

impl Backend for GoodLp {
    fn solver(&self) -> String {
        match self {
            Self::Microlp => "microlp 0.6.0".to_owned(),
            #[cfg(feature = "cbc")]
            Self::Cbc => format!("CBC {}", coin_cbc::raw::Model::version()),
        }
    }

    fn unsupported_setting(&self, options: &Options, _has_start: bool) -> Option<&'static str> {
        options.unsupported_by_plain_solver(false, false)
    }

    fn run_solver(&self, run: &mut MonitoredRun<'_>) -> Result<SolverClaim, BackendError> {
        let model = GoodLpModel::new(run)?;
        let solver = *self;
        let job = move |_: &_| match solver {
            Self::Microlp => model.solve(good_lp::microlp),
            #[cfg(feature = "cbc")]
            Self::Cbc => model.solve(good_lp::coin_cbc),
        };
        let Some(ended) = run.run_on_thread(GRACE, &SolverReport::default, job)? else {
            return Ok(run.stopped());
        };
        // At a limit, CBC returns the point of an LP relaxation if it has no better one.
        let at_limit = |reason, point: &[f64]| SolverClaim {
            solution: claim::feasible(run.ilp, point),
            ..SolverClaim::stopped(reason)
        };
        match ended {
            Ok((SolutionStatus::Optimal, point)) => Ok(SolverClaim {
                solution: Some(claim::round(&point)),
                ..SolverClaim::new(SolverStatus::Optimal)
            }),
            Ok((SolutionStatus::TimeLimit, point)) => Ok(at_limit(StopReason::TimeLimit, &point)),
            Ok((SolutionStatus::GapLimit, point)) => Ok(at_limit(StopReason::Unstated, &point)),
            Err(ResolutionError::Infeasible) => Ok(SolverClaim::new(SolverStatus::Infeasible)),
            Err(ResolutionError::Other(fault)) if fault.starts_with("Time limit") => {
                Ok(SolverClaim::stopped(StopReason::TimeLimit))
            }
            // CBC, on Ctrl-C.
            Err(ResolutionError::Other("UserEvent")) => Ok(SolverClaim::stopped(StopReason::Interrupted)),
            Err(error) => Err(run.failed(error.to_string())),
        }
    }
}

/// Integer program in the terms of `good_lp`.
struct GoodLpModel {
    variables: ProblemVariables,
    columns: Vec<Variable>,
    objective: Expression,
    maximise: bool,
    constraints: Vec<Constraint>,
    start: Option<Vec<i64>>,
    seconds: f64,
}

impl GoodLpModel {
    fn new(run: &MonitoredRun<'_>) -> Result<Self, BackendError> {
        let exact = |number| claim::exact(number, &run.solver);
        let sense = run.ilp.sense();
        let mut variables = ProblemVariables::new();
        let mut columns = Vec::with_capacity(run.ilp.columns().len());
        let mut objective = Expression::with_capacity(run.ilp.columns().len());
        for column in run.ilp.columns() {
            let (lower, upper) = (exact(column.lower)?, exact(column.upper)?);
            let x = variables.add(variable().integer().min(lower).max(upper));
            if sense != Sense::Feasibility {
                objective.add_mul(exact(column.objective)?, x);
            }
            columns.push(x);
        }
        let mut constraints = Vec::with_capacity(run.ilp.row_count());
        for row in run.ilp.rows() {
            let mut left = Expression::with_capacity(row.columns.len());
            for (column, factor) in row.terms() {
                left.add_mul(exact(factor)?, columns[column as usize]);
            }
            let right = exact(row.rhs)?;
            constraints.push(match row.comparison {
                Comparison::AtMost => left.leq(right),
                Comparison::Equal => left.eq(right),
                Comparison::AtLeast => left.geq(right),
            });
        }
        Ok(Self {
            variables,
            columns,
            objective,
            maximise: sense == Sense::Maximise,
            constraints,
            start: run.options.start.clone(),
            seconds: run.seconds_left(),
        })
    }

    fn solve<S>(self, mut solver: S) -> Result<(SolutionStatus, Vec<f64>), ResolutionError>
    where
        S: good_lp::Solver,
        S::Model: SolverModel<Error = ResolutionError> + WithInitialSolution + WithTimeLimit,
    {
        let direction = if self.maximise { ProblemVariables::maximise } else { ProblemVariables::minimise };
        let mut model = solver.create_model(direction(self.variables, self.objective));
        for constraint in self.constraints {
            model.add_constraint(constraint);
        }
        if let Some(start) = self.start {
            let values = start.into_iter().map(|x| x as f64);
            model = model.with_initial_solution(self.columns.iter().copied().zip(values));
        }
        let solution = model.with_time_limit(self.seconds).solve()?;
        Ok((solution.status(), self.columns.iter().map(|&x| solution.value(x)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn names_the_linked_version_of_microlp() {
        let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let mut locks = folders.filter_map(|folder| fs::read_to_string(folder.join("Cargo.lock")).ok());
        let lock = locks.next().expect("a lock file");
        let version = GoodLp::Microlp.solver().replace("microlp ", "");
        assert!(lock.contains(&format!("name = \"microlp\"\nversion = \"{version}\"")), "{version}");
    }
}
