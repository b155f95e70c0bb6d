//! Result of `ndq lp certify` for one formulation.

use std::sync::Arc;

use ndqueens_crosscheck::bound::{ProvedBound, approximate, format_mixed};
use ndqueens_model::board::Board;
use ndqueens_model::facts::UpperBound;
use ndqueens_solver::orbit_lp::NotLowered;
use ndqueens_workflow::lp::orbit_lp::Certified;
use ndqueens_workflow::run::Interruptible;
use schemars::JsonSchema;
use serde::Serialize;

use super::cuts::{KeptCuts, of_orbit_rows};
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
pub(super) struct Bounded {
    board: String,
    formulation: String,
    pub(super) at_most: Option<u64>,
    /// Exact sum of the right-hand sides.
    value: Option<String>,
    pub(super) approximately: Option<f64>,
    pub(super) orbits: usize,
    pub(super) row_orbits: usize,
    pub(super) inequalities: usize,
    /// Number of cases in which the inequalities are added up; 1 if nothing is split.
    cases: usize,
    cliques: Option<usize>,
    /// Number of local cuts added; null if they were not separated.
    local_cuts: Option<usize>,
    /// Separated cuts with a positive multiplier, by family; before the cases if there are any.
    kept: Vec<KeptCuts>,
    /// Number of LPs that were solved before the cases.
    lps: Option<u64>,
    /// Reason for which cases do not lower the bound by one: `cases` if more are needed, `point` if integers
    /// on all orbits satisfy the LP, `rounding`, `stopped`; null if nothing was to be split.
    not_lowered: Option<&'static str>,
    lp_iterations: u64,
    seconds: f64,
    pub(super) stop: String,
    /// Bounds of smaller boards that were checked in this run.
    rests_on: Vec<String>,
    /// Bounds of smaller boards that were not checked in this run.
    conditions: Vec<String>,
    /// `true` if the sum and everything that it rests on was checked.
    checked: bool,
}

printed!(Bounded: "lp certify");

impl Bounded {
    pub(super) fn new(
        board: &Board,
        formulation: &str,
        certified: &Interruptible<Certified>,
        seconds: f64,
    ) -> Self {
        let (bound, stop) = match certified {
            Interruptible::Finished(bound) => (Some(bound), bound.found.stop),
            Interruptible::Stopped(stop) => (None, *stop),
        };
        let (found, proved) = (bound.map(|bound| &bound.found), bound.map(|bound| &bound.proved));
        let texts = |bounds: &[Arc<UpperBound>]| bounds.iter().map(ToString::to_string).collect();
        Self {
            board: board.name().to_string(),
            formulation: formulation.to_owned(),
            at_most: proved.map(ProvedBound::at_most),
            value: proved.map(|proved| format_mixed(proved.sum())),
            approximately: proved.map(|proved| approximate(proved.sum())),
            orbits: found.map_or(0, |found| found.columns),
            row_orbits: found.map_or(0, |found| found.rows),
            inequalities: proved.map_or(0, ProvedBound::rows),
            cases: proved.map_or(0, ProvedBound::cases),
            cliques: found.and_then(|found| found.cliques),
            local_cuts: found.and_then(|found| found.local_cuts),
            kept: found.map_or_else(Vec::new, |found| KeptCuts::count(&of_orbit_rows(board, &found.kept))),
            lps: found.map(|found| found.lps),
            not_lowered: found.and_then(|found| found.not_lowered).map(|why| match why {
                NotLowered::TooManyCases => "cases",
                NotLowered::WholePoint => "point",
                NotLowered::Rounding => "rounding",
                NotLowered::Stopped(_) => "stopped",
            }),
            lp_iterations: found.map_or(0, |found| found.lp_iterations),
            seconds,
            stop: stop.to_string(),
            rests_on: bound.map_or_else(Vec::new, |bound| texts(&bound.lemmas)),
            conditions: bound.map_or_else(Vec::new, |bound| texts(&bound.conditions)),
            checked: bound.is_some_and(|bound| bound.conditions.is_empty()),
        }
    }
}
