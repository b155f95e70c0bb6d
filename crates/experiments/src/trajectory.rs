//! Measures of the incumbent and the bound of a run over time.
//!
//! # References
//! Timo Berthold, *Measuring the impact of primal heuristics*, Operations Research Letters 41 (2013), 611-614.

use ndqueens_model::variant::Goal;

use crate::executor::Point;
use crate::store::Finished;

/// Returns the seconds after which the solver had its best solution, or `None` if it reported none.
///
/// A solution that the solver reported only at its end counts with the time of the run.
pub(crate) fn seconds_to_best(run: &Finished) -> Option<f64> {
    let best = run.answer.incumbent?;
    let first = run.trace.iter().find(|point| point.incumbent == Some(best));
    Some(first.map_or(run.answer.wall_seconds, |point| point.seconds.min(run.answer.wall_seconds)))
}

/// Returns the integral over the time of the run of the gap between incumbent and bound, in seconds.
///
/// The gap is the difference divided by the larger one of both, and 1 if one of them is missing. Returns
/// `None` unless the question is for an optimum, and for runs without an answer.
pub(crate) fn primal_dual_integral(run: &Finished) -> Option<f64> {
    if run.planned.question.goal() != Goal::Optimise || run.failure.is_some() {
        return None;
    }
    let end = run.answer.wall_seconds;
    let (mut integral, mut before) = (0.0, Point::default());
    for &point in &run.trace {
        let seconds = point.seconds.clamp(before.seconds, end.max(before.seconds));
        integral += gap(&before) * (seconds - before.seconds);
        before = Point { seconds, ..point };
    }
    Some(integral + gap(&before) * (end - before.seconds).max(0.0))
}

/// Returns the gap between the incumbent and the bound of a point, from 0 to 1.
fn gap(point: &Point) -> f64 {
    let (Some(incumbent), Some(bound)) = (point.incumbent, point.dual_bound) else { return 1.0 };
    let incumbent = incumbent as f64;
    let largest = incumbent.abs().max(bound.abs());
    if largest == 0.0 { 0.0 } else { ((bound - incumbent).abs() / largest).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{answer, row, sample_run};
    use ndqueens_workflow::record::Outcome;

    fn point(seconds: f64, incumbent: Option<i64>, dual_bound: Option<f64>) -> Point {
        Point { seconds, incumbent, dual_bound }
    }

    #[test]
    fn integral_is_that_of_a_step_function() {
        let mut run = row(sample_run("5^3", "cube", "maximise", 0), answer(Outcome::Optimal));
        (run.answer.wall_seconds, run.answer.incumbent) = (10.0, Some(13));
        // Nothing for 1 s, a bound alone for 1 s, a gap of 1/2 for 2 s, 1/4 for 4 s, and none for 2 s.
        run.trace = vec![
            point(1.0, None, Some(26.0)),
            point(2.0, Some(13), Some(26.0)),
            point(4.0, Some(12), Some(16.0)),
            point(8.0, Some(13), Some(13.0)),
        ];
        assert!((primal_dual_integral(&run).expect("an optimum") - 4.0).abs() < 1e-9);
        assert_eq!(seconds_to_best(&run), Some(2.0));
        run.trace.clear();
        assert_eq!(primal_dual_integral(&run), Some(10.0));
        assert_eq!(seconds_to_best(&run), Some(10.0));
        run.answer.incumbent = None;
        assert_eq!(seconds_to_best(&run), None);
    }

    #[test]
    fn questions_for_a_number_have_no_integral() {
        let run = row(sample_run("5^3", "cube", "at least 13", 0), answer(Outcome::Feasible));
        assert_eq!(primal_dual_integral(&run), None);
    }
}
