//! Solvers behind the `good_lp` interface, which hands out a solution and a status, and neither bound, nodes nor
//! iterations.
//!
//! None of them can be interrupted: a run that is stopped is left alone on its thread, and what it had found is lost.
//!
//! | solver | feature | |
//! | --- | --- | --- |
//! | microlp | always there | in Rust, independent of HiGHS, for small programs; makes no random choices |
//! | CBC | `cbc` | the COIN-OR library of this machine; Ctrl-C reaches it directly |

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use good_lp::solvers::{SolutionStatus, WithInitialSolution, WithTimeLimit};
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, variable,
};
use ndqueens_model::ilp::{Comparison, Ilp, Program, Sense};

use crate::backends::claim::{self, SolverAnswer, SolverStatus};
use crate::backends::{Backend, BackendError, Options, Progress, Run};
use ndqueens_system::cancel::{StopReason, run_stoppable};

/// How long after the time limit a solver is given up.
const GRACE: Duration = Duration::from_secs(1);

/// The longest time limit in seconds that is passed on.
const FOREVER: f64 = 1e9;

/// A solver behind `good_lp`.
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

    fn refuses(&self, options: &Options, _start: bool) -> Option<&'static str> {
        options.beyond_plain(false, false)
    }

    fn solve(
        &self,
        programme: &Ilp,
        options: &Options,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Run, BackendError> {
        let began = Instant::now();
        let solver = self.solver();
        options.check(programme, self, &solver)?;
        let answer = match SolverAnswer::without_columns(programme) {
            Some(answer) => answer,
            None => self.answer(programme, options, began, monitor)?,
        };
        let (outcome, stop) = answer.judge(programme, options.start.clone(), &solver)?;
        let seconds = began.elapsed().as_secs_f64();
        Ok(Run { solver, outcome, stop, dual_bound: None, nodes: None, lp_iterations: None, seconds })
    }
}

impl GoodLp {
    fn answer(
        self,
        programme: &Ilp,
        options: &Options,
        began: Instant,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<SolverAnswer, BackendError> {
        let solver = self.solver();
        let model = Model::of(programme, options, &solver)?;
        let job = move |_: &_| match self {
            Self::Microlp => model.solve(good_lp::microlp),
            #[cfg(feature = "cbc")]
            Self::Cbc => model.solve(good_lp::coin_cbc),
        };
        let incumbent = options.start.as_ref().map(|start| programme.value(start));
        let mut left = StopReason::Interrupted;
        let mut tick = || {
            let elapsed = began.elapsed();
            if options.time_limit.is_some_and(|limit| elapsed > limit.saturating_add(GRACE)) {
                left = StopReason::TimeLimit;
                return ControlFlow::Break(());
            }
            monitor(&Progress { seconds: elapsed.as_secs_f64(), incumbent, ..Progress::default() })
        };
        let ended = run_stoppable("good_lp", job, &mut tick);
        let Some(ended) = ended.map_err(|fault| BackendError::failed(&solver, fault.to_string()))? else {
            return Ok(SolverAnswer::stopped(left));
        };
        match ended {
            Ok((SolutionStatus::Optimal, point)) => Ok(SolverAnswer {
                claim: SolverStatus::Optimal,
                solution: Some(claim::rounded(&point)),
                bound: None,
            }),
            // At a limit CBC hands out the point of an LP relaxation when it has no better.
            Ok((SolutionStatus::TimeLimit, point)) => Ok(SolverAnswer {
                solution: claim::feasible(programme, &point),
                ..SolverAnswer::stopped(StopReason::TimeLimit)
            }),
            Ok((SolutionStatus::GapLimit, point)) => Ok(SolverAnswer {
                solution: claim::feasible(programme, &point),
                ..SolverAnswer::stopped(StopReason::Unstated)
            }),
            Err(ResolutionError::Infeasible) => {
                Ok(SolverAnswer { claim: SolverStatus::Infeasible, solution: None, bound: None })
            }
            Err(ResolutionError::Other(fault)) if fault.starts_with("Time limit") => {
                Ok(SolverAnswer::stopped(StopReason::TimeLimit))
            }
            // CBC, on Ctrl-C.
            Err(ResolutionError::Other("UserEvent")) => Ok(SolverAnswer::stopped(StopReason::Interrupted)),
            Err(error) => Err(BackendError::failed(solver, error.to_string())),
        }
    }
}

/// A program in `good_lp`'s terms.
struct Model {
    variables: ProblemVariables,
    columns: Vec<Variable>,
    objective: Expression,
    maximise: bool,
    constraints: Vec<Constraint>,
    start: Option<Vec<i64>>,
    seconds: f64,
}

impl Model {
    fn of(programme: &Ilp, options: &Options, solver: &str) -> Result<Self, BackendError> {
        let exact = |number| claim::exact(number, solver);
        let sense = programme.sense();
        let mut variables = ProblemVariables::new();
        let mut columns = Vec::with_capacity(programme.columns().len());
        let mut objective = Expression::with_capacity(programme.columns().len());
        for column in programme.columns() {
            let (lower, upper) = (exact(column.lower)?, exact(column.upper)?);
            let x = variables.add(variable().integer().min(lower).max(upper));
            if sense != Sense::Feasibility {
                objective.add_mul(exact(column.objective)?, x);
            }
            columns.push(x);
        }
        let mut constraints = Vec::with_capacity(programme.row_count());
        for row in programme.rows() {
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
            start: options.start.clone(),
            seconds: options.time_limit.map_or(FOREVER, |limit| limit.as_secs_f64().min(FOREVER)),
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
    fn microlp_is_the_version_that_is_linked_in() {
        let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let mut locks = folders.filter_map(|folder| fs::read_to_string(folder.join("Cargo.lock")).ok());
        let lock = locks.next().expect("a lock file");
        let version = GoodLp::Microlp.solver().replace("microlp ", "");
        assert!(lock.contains(&format!("name = \"microlp\"\nversion = \"{version}\"")), "{version}");
    }
}
