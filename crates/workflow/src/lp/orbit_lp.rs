//! Upper bounds by the orbit LP, each checked in exact arithmetic before it is reported.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ndqueens_crosscheck::bound::{self, BoundError, ProvedBound};
use ndqueens_model::board::Board;
use ndqueens_model::facts::{Bounds, Provenance, UpperBound, UpperBounds as _};
use ndqueens_model::formulation::Formulation;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::{Options, Progress};
use ndqueens_solver::orbit_lp::{self, OrbitBound, OrbitLpError, OrbitLpOutcome, OrbitLpSettings};
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::run::{
    CHECKING, Event, Interruptible, PriorResults, RefusedError, Watch, WorkflowError, lemmas_and_conditions,
};

/// Formulations whose orbit LPs are tried, cheap ones first.
pub(crate) const FORMULATIONS: [&str; 2] = ["cube", "strong-clique"];

/// Time limit of an orbit LP before a search is tried instead.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bound that passed the check.
#[derive(Debug)]
pub struct Certified {
    /// Bound as the solver computed it.
    pub found: OrbitBound,
    /// Bound as crosscheck verified it.
    pub proved: ProvedBound,
    /// Bound as a file.
    pub text: Vec<u8>,
    /// Bounds of smaller boards on which the bound rests and that were checked in this run.
    pub lemmas: Vec<Arc<UpperBound>>,
    /// Bounds of smaller boards that it rests on and that were not proved in this run.
    pub conditions: Vec<Arc<UpperBound>>,
}

/// Bounds the number of queens on a box by the orbit LP of a formulation. Cases then lower the bound by one
/// queen at a time, as long as the case limit of the settings suffices for each. The sides of the box must be
/// in increasing order. The work counts as stopped if no bound passed the check before the stop.
///
/// # Errors
/// Returns an error if the board is not a plain box, a family cannot be used on it, HiGHS fails, or the bound
/// does not pass the check.
pub fn bound(
    board: &Board,
    formulation: &Formulation,
    bounds: &Bounds,
    settings: &OrbitLpSettings<'_>,
    prior: &PriorResults,
    watch: &mut Watch<'_>,
) -> Result<Interruptible<Certified>, WorkflowError> {
    let began = Instant::now();
    let monitor = &mut |progress: &_| watch(&Event::Progress(*progress));
    let found = match orbit_lp::bound(board, formulation, bounds, settings, monitor)? {
        OrbitLpOutcome::Bounded(found) => *found,
        OrbitLpOutcome::Stopped(stop) => return Ok(Interruptible::Stopped(stop)),
    };
    let mut text = Vec::new();
    found.write(board.name(), &mut text).map_err(|fault| RefusedError::Bound(fault.into()))?;
    // A bound that is known when time is up is still checked, within a short time limit.
    let late = Deadline::since(began, settings.options.time_limit).later(CHECKING);
    let mut stopped = None;
    let go_on = &mut || {
        let seconds = began.elapsed().as_secs_f64();
        let progress = Progress { seconds, dual_bound: Some(found.lp_value), ..Progress::default() };
        let broken = watch(&Event::Progress(progress)).is_break().then_some(StopReason::Interrupted);
        stopped = broken.or(late.reason());
        stopped.is_none()
    };
    let proved = match bound::check_while(text.as_slice(), go_on) {
        Err(BoundError::Stopped) => return Ok(Interruptible::new(None, stopped)),
        proved => proved.map_err(RefusedError::Bound)?,
    };
    let rests_on: Vec<_> = proved.needs().iter().map(|(board, most)| resting(bounds, board, *most)).collect();
    let (lemmas, conditions) = lemmas_and_conditions(&rests_on, prior);
    Ok(Interruptible::Finished(Certified { found, proved, text, lemmas, conditions }))
}

/// Returns a bound that crosscheck requires, with the provenance that `bounds` records for it.
fn resting(bounds: &Bounds, board: &BoardName, most: u64) -> Arc<UpperBound> {
    let known = bounds.upper(board).filter(|known| known.value <= most);
    let provenance = match known.map(|known| known.provenance) {
        // Crosscheck does not accept this bound as a theorem; the archive may have its proof.
        Some(Provenance::Theorem(why)) => Provenance::Archived(why),
        Some(provenance) => provenance,
        None => Provenance::Reported("not known".to_owned()),
    };
    Arc::new(UpperBound { board: board.clone(), value: most, provenance })
}

/// Bounds the number of queens on a box with increasing sides by the orbit LP of a shipped formulation,
/// within a short time. Right-hand sides are theorems, and bounds of the archive whose files pass the check.
/// Returns `None` if the formulation does not apply to the box.
///
/// # Errors
/// Returns an error if HiGHS fails, or if the bound does not pass the check.
pub(crate) fn quick_bound(
    board: &Board,
    formulation: &str,
    options: &Options,
    deadline: Deadline,
    prior: &PriorResults,
    watch: &mut Watch<'_>,
) -> Result<Option<Interruptible<Certified>>, WorkflowError> {
    let formulation = Formulation::builtin(formulation).expect("it is shipped");
    // The LP is small. On one thread its basis does not depend on the number of threads, and HiGHS's workers
    // do not spin.
    let time_limit = Some(deadline.within(PATIENCE));
    let limited = Options { time_limit, threads: Some(1), ..options.clone() };
    let settings = OrbitLpSettings::new(&limited);
    let mut solve = |bounds: Bounds| bound(board, &formulation, &bounds, &settings, prior, watch);
    // The LP uses few bounds of the archive, so only these are checked first. If the check of one fails, the
    // LP is solved again with only bounds that pass the check.
    let mut found = solve(Bounds::with_archive(prior.bounds()));
    if matches!(&found, Ok(Interruptible::Finished(bound)) if !bound.conditions.is_empty()) {
        found = solve(prior.checked_bounds(deadline));
    }
    match found {
        Err(WorkflowError::OrbitLp(OrbitLpError::Family { .. } | OrbitLpError::TooLarge { .. })) => Ok(None),
        found => found.map(Some),
    }
}

/// Computes the best unconditional bound of [`quick_bound`] over all [`FORMULATIONS`].
///
/// # Errors
/// Returns an error if HiGHS fails, or if a bound does not pass the check.
pub(crate) fn certified_bound(
    board: &Board,
    options: &Options,
    deadline: Deadline,
    prior: &PriorResults,
    watch: &mut Watch<'_>,
) -> Result<Option<(&'static str, Certified)>, WorkflowError> {
    let mut best: Option<(&'static str, Certified)> = None;
    let (patience, sorted) = (Deadline::after(Some(PATIENCE)), Board::new(&board.name().with_sorted_sides()));
    for name in FORMULATIONS {
        if board.plain_box().is_none() || deadline.is_over() || patience.is_over() {
            break;
        }
        match quick_bound(&sorted, name, options, deadline, prior, watch)? {
            Some(Interruptible::Finished(bound)) if bound.conditions.is_empty() => {
                let at_most = bound.proved.at_most();
                if best.as_ref().is_none_or(|(_, best)| at_most < best.proved.at_most()) {
                    best = Some((name, bound));
                }
            }
            Some(Interruptible::Stopped(StopReason::Interrupted)) => break,
            _ => {}
        }
    }
    Ok(best)
}
