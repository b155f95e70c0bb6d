//! From what a solver claims to what a run may say: the one gate that every solution goes through.

use ndqueens_model::ilp::{Ilp, Program, Sense};

use crate::backends::{BackendError, Outcome};
use ndqueens_system::cancel::StopReason;

/// What a solver says that it has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolverStatus {
    /// No solution is better than the one it gives.
    Optimal,
    /// There is no solution.
    Infeasible,
    /// The objective has no bound.
    Unbounded,
    /// Nothing; it stopped.
    Stopped(StopReason),
}

/// All that a solver came back with.
#[derive(Debug)]
pub(crate) struct SolverAnswer {
    pub(crate) claim: SolverStatus,
    /// Its solution, not checked.
    pub(crate) solution: Option<Vec<i64>>,
    /// The bound that it proves.
    pub(crate) bound: Option<i64>,
}

impl SolverAnswer {
    pub(crate) fn stopped(reason: StopReason) -> Self {
        Self { claim: SolverStatus::Stopped(reason), solution: None, bound: None }
    }

    /// The answer to a program without columns, which few solvers look at.
    pub(crate) fn without_columns(programme: &Ilp) -> Option<Self> {
        if !programme.columns().is_empty() {
            return None;
        }
        let solution = programme.violation(&[]).is_none().then(Vec::new);
        let claim = if solution.is_some() { SolverStatus::Optimal } else { SolverStatus::Infeasible };
        Some(Self { claim, solution, bound: None })
    }

    /// Checks the answer against the program and against a feasible point that was known before.
    ///
    /// # Errors
    /// When the solution is not feasible, or what the solver claims is false.
    pub(crate) fn judge(
        self,
        programme: &Ilp,
        known: Option<Vec<i64>>,
        solver: &str,
    ) -> Result<(Outcome, StopReason), BackendError> {
        let Self { claim, solution, bound } = self;
        let refuted = |claim: String| Err(BackendError::refuted(solver, claim));
        if let Some(violation) = solution.as_ref().and_then(|point| programme.violation(point)) {
            return Err(BackendError::wrong(solver, violation));
        }
        let sense = programme.sense();
        let worse = |a: i64, b: i64| match sense {
            Sense::Maximise => a < b,
            Sense::Minimise => a > b,
            Sense::Feasibility => false,
        };
        let value = |point: &Option<Vec<i64>>| point.as_ref().map(|point| programme.value(point));
        let (given, before) = (value(&solution), value(&known));
        let surpassed = given.zip(before).is_some_and(|(given, before)| worse(given, before));
        match claim {
            SolverStatus::Infeasible if given.or(before).is_some() => {
                return refuted("it calls a program infeasible that has a solution".to_owned());
            }
            SolverStatus::Infeasible => return Ok((Outcome::Infeasible, StopReason::Finished)),
            SolverStatus::Unbounded => {
                return refuted("it says \"unbounded\", and every column has bounds".to_owned());
            }
            SolverStatus::Optimal if given.is_none() => {
                return Err(BackendError::failed(solver, "it reports an optimum without a solution"));
            }
            SolverStatus::Optimal if surpassed => {
                let (given, before) = (given.unwrap_or_default(), before.unwrap_or_default());
                return refuted(format!(
                    "it calls {given} the optimum, but a solution of value {before} is known"
                ));
            }
            SolverStatus::Optimal | SolverStatus::Stopped(_) => {}
        }
        let reason = match claim {
            SolverStatus::Stopped(reason) => reason,
            SolverStatus::Optimal | SolverStatus::Infeasible | SolverStatus::Unbounded => {
                StopReason::Finished
            }
        };
        let Some(solution) = (if surpassed { known } else { solution.or(known) }) else {
            return Ok((Outcome::Unknown { bound }, reason));
        };
        let value = programme.value(&solution);
        match bound {
            Some(bound) if worse(bound, value) => {
                refuted(format!("its dual bound {bound} excludes a solution of value {value}"))
            }
            // Any point answers the question.
            _ if sense == Sense::Feasibility => {
                Ok((Outcome::Feasible { solution, value, bound: None }, StopReason::Finished))
            }
            // A bound that leaves room for a better solution proves no optimum.
            Some(bound) if claim == SolverStatus::Optimal && bound != value => {
                let reason = StopReason::Unstated;
                Ok((Outcome::Feasible { solution, value, bound: Some(bound) }, reason))
            }
            _ if claim == SolverStatus::Optimal => Ok((Outcome::Optimal { solution, value }, reason)),
            bound => Ok((Outcome::Feasible { solution, value, bound }, reason)),
        }
    }
}

/// The error that a solver's dual bound is granted before it is rounded, a hundred times the usual tolerance: a bound of
/// 11.99995 on a maximum is read as 12, not as 11.
const BOUND_ERROR: f64 = 1e-4;

/// Returns the integer that a dual bound proves, up to [`BOUND_ERROR`].
pub(crate) fn integral_bound(sense: Sense, bound: f64) -> Option<i64> {
    let rounded = match sense {
        Sense::Maximise => (bound + BOUND_ERROR).floor(),
        Sense::Minimise => (bound - BOUND_ERROR).ceil(),
        Sense::Feasibility => return None,
    };
    (rounded.abs() <= EXACT as f64).then_some(rounded as i64)
}

/// Rounds a point to integers.
pub(crate) fn rounded(point: &[f64]) -> Vec<i64> {
    point.iter().map(|x| x.round() as i64).collect()
}

/// Rounds a point to integers, if it is feasible then.
pub(crate) fn feasible(programme: &Ilp, point: &[f64]) -> Option<Vec<i64>> {
    Some(rounded(point)).filter(|point| programme.violation(point).is_none())
}

/// Integers up to this size are exact in floating point.
pub(crate) const EXACT: i64 = 1 << 53;

/// An integer as a floating-point number, if that is exact.
pub(crate) fn exact(number: i64, solver: &str) -> Result<f64, BackendError> {
    if (-EXACT..=EXACT).contains(&number) {
        Ok(number as f64)
    } else {
        Err(BackendError::failed(solver, format!("{number} is not exact in floating point")))
    }
}
