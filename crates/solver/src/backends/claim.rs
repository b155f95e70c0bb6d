//! Claims of solvers, and their check in exact integer arithmetic.

use ndqueens_model::ilp::{Ilp, Program, Sense};

use crate::backends::{BackendError, Outcome};
use ndqueens_system::cancel::StopReason;

/// Status that a solver reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolverStatus {
    /// Its solution is optimal.
    Optimal,
    /// There is no solution.
    Infeasible,
    /// The objective has no bound.
    Unbounded,
    /// It stopped without a proof.
    Stopped(StopReason),
}

/// Unchecked answer of a solver.
#[derive(Debug)]
pub struct SolverClaim {
    /// Status.
    pub(crate) status: SolverStatus,
    /// Solution, one value for each column.
    pub(crate) solution: Option<Vec<i64>>,
    /// Dual bound, which is finite.
    pub(crate) dual_bound: Option<f64>,
    /// Number of branch-and-bound nodes.
    pub(crate) nodes: Option<u64>,
    /// Number of simplex iterations.
    pub(crate) lp_iterations: Option<u64>,
}

/// Claim of a solver after its check.
#[derive(Debug)]
pub(crate) struct CheckedClaim {
    pub(crate) outcome: Outcome,
    pub(crate) stop: StopReason,
}

impl SolverClaim {
    /// Creates a claim that consists of a status alone.
    pub(crate) fn new(status: SolverStatus) -> Self {
        Self { status, solution: None, dual_bound: None, nodes: None, lp_iterations: None }
    }

    /// Creates the claim of a solver that stopped without a result.
    pub(crate) fn stopped(reason: StopReason) -> Self {
        Self::new(SolverStatus::Stopped(reason))
    }

    /// Returns the answer to a program without columns, or `None` if it has columns. Few solvers
    /// accept such programs.
    pub(crate) fn without_columns(ilp: &Ilp) -> Option<Self> {
        if !ilp.columns().is_empty() {
            return None;
        }
        Some(match ilp.violation(&[]) {
            None => Self { solution: Some(Vec::new()), ..Self::new(SolverStatus::Optimal) },
            Some(_) => Self::new(SolverStatus::Infeasible),
        })
    }

    /// Checks the claim against the program and against `known`, a feasible point. The better of the two
    /// solutions is kept.
    ///
    /// # Errors
    /// Returns an error if the solution is infeasible or the claim is false.
    pub(crate) fn check(
        self,
        ilp: &Ilp,
        known: Option<Vec<i64>>,
        solver: &str,
    ) -> Result<CheckedClaim, BackendError> {
        let Self { status, solution, dual_bound, .. } = self;
        if let Some(violation) = solution.as_ref().and_then(|point| ilp.violation(point)) {
            return Err(BackendError::wrong(solver, violation));
        }
        let sense = ilp.sense();
        let value = |point: &Option<Vec<i64>>| point.as_ref().map(|point| ilp.value(point));
        let (claimed, known_value) = (value(&solution), value(&known));
        check_status(status, sense, claimed, known_value, solver)?;
        let reason = match status {
            SolverStatus::Infeasible => {
                return Ok(CheckedClaim { outcome: Outcome::Infeasible, stop: StopReason::Finished });
            }
            SolverStatus::Stopped(reason) => reason,
            SolverStatus::Optimal | SolverStatus::Unbounded => StopReason::Finished,
        };
        let bound = dual_bound.and_then(|bound| integral_bound(sense, bound));
        let is_known_better =
            claimed.zip(known_value).is_some_and(|(claimed, known)| is_worse(sense, claimed, known));
        let Some(solution) = (if is_known_better { known } else { solution.or(known) }) else {
            return Ok(CheckedClaim { outcome: Outcome::Unknown { bound }, stop: reason });
        };
        let value = ilp.value(&solution);
        if let Some(bound) = bound.filter(|&bound| is_worse(sense, bound, value)) {
            let claim = format!("its dual bound {bound} excludes a solution of value {value}");
            return Err(BackendError::refuted(solver, claim));
        }
        let (outcome, stop) = match bound {
            // Any point answers the question.
            _ if sense == Sense::Feasibility => {
                (Outcome::Feasible { solution, value, bound: None }, StopReason::Finished)
            }
            // A bound that leaves room for a better solution proves no optimum.
            Some(bound) if status == SolverStatus::Optimal && bound != value => {
                (Outcome::Feasible { solution, value, bound: Some(bound) }, StopReason::Unstated)
            }
            _ if status == SolverStatus::Optimal => (Outcome::Optimal { solution, value }, reason),
            bound => (Outcome::Feasible { solution, value, bound }, reason),
        };
        Ok(CheckedClaim { outcome, stop })
    }
}

/// Checks a status against the values of the claimed solution and of a known one.
fn check_status(
    status: SolverStatus,
    sense: Sense,
    claimed: Option<i64>,
    known: Option<i64>,
    solver: &str,
) -> Result<(), BackendError> {
    let refuted = |claim: &str| Err(BackendError::refuted(solver, claim));
    match (status, claimed, known) {
        (SolverStatus::Infeasible, None, None) | (SolverStatus::Stopped(_), _, _) => Ok(()),
        (SolverStatus::Infeasible, _, _) => refuted("it reports an infeasible program, which has a solution"),
        (SolverStatus::Unbounded, _, _) => {
            refuted("it reports an unbounded program, and every column has bounds")
        }
        (SolverStatus::Optimal, None, _) => {
            Err(BackendError::failed(solver, "it reports an optimum without a solution"))
        }
        (SolverStatus::Optimal, Some(claimed), Some(known)) if is_worse(sense, claimed, known) => {
            refuted(&format!("it reports the optimum {claimed}, but a solution of value {known} is known"))
        }
        (SolverStatus::Optimal, Some(_), _) => Ok(()),
    }
}

/// Returns `true` if the objective value `first` is worse than `second`.
fn is_worse(sense: Sense, first: i64, second: i64) -> bool {
    match sense {
        Sense::Maximise => first < second,
        Sense::Minimise => first > second,
        Sense::Feasibility => false,
    }
}

/// Error that is allowed to the dual bound of a solver before it is rounded, a hundred times the usual
/// tolerance: a bound of 11.99995 on a maximum is read as 12, not as 11.
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
pub(crate) fn round(point: &[f64]) -> Vec<i64> {
    point.iter().map(|x| x.round() as i64).collect()
}

/// Rounds a point to integers. Returns `None` if the result is infeasible.
pub(crate) fn feasible(ilp: &Ilp, point: &[f64]) -> Option<Vec<i64>> {
    Some(round(point)).filter(|point| ilp.violation(point).is_none())
}

/// Largest absolute value up to which all integers are exact in floating point.
pub(crate) const EXACT: i64 = 1 << 53;

/// Converts an integer to floating point.
///
/// # Errors
/// Returns an error if the conversion is not exact.
pub(crate) fn exact(number: i64, solver: &str) -> Result<f64, BackendError> {
    if (-EXACT..=EXACT).contains(&number) {
        Ok(number as f64)
    } else {
        Err(BackendError::failed(solver, format!("{number} is not exact in floating point")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_to_the_safe_side() {
        let maximum = |bound| integral_bound(Sense::Maximise, bound);
        assert_eq!(maximum(12.7), Some(12));
        assert_eq!(maximum(11.999_95), Some(12));
        assert_eq!(maximum(11.99), Some(11));
        assert_eq!(maximum(-0.5), Some(-1));
        let minimum = |bound| integral_bound(Sense::Minimise, bound);
        assert_eq!(minimum(12.3), Some(13));
        assert_eq!(minimum(12.000_05), Some(12));
        assert_eq!(minimum(-0.5), Some(0));
    }

    #[test]
    fn bounds_that_are_no_integers_prove_nothing() {
        for bound in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e17] {
            assert_eq!(integral_bound(Sense::Maximise, bound), None);
            assert_eq!(integral_bound(Sense::Minimise, bound), None);
        }
        assert_eq!(integral_bound(Sense::Feasibility, 0.0), None);
    }

    #[test]
    fn rejects_integers_that_floats_do_not_hold() {
        assert_eq!(exact(-EXACT, "s"), Ok(-9_007_199_254_740_992.0));
        assert!(exact(EXACT + 1, "s").is_err());
        assert!(exact(i64::MIN, "s").is_err());
    }
}
