//! A run in a process of its own.

use anyhow::Context as _;
use ndqueens_lab::experiment::child::{self, Point, Refuted, Told};
use ndqueens_lab::record::verdict::Verdict;
use ndqueens_lab::run::LabError;

use crate::commands::{Exit, rerun};
use crate::progress::Display;

/// In the child: one run.
pub(super) fn answer() -> anyhow::Result<Exit> {
    let planned = child::begin().context("ndq lab child takes a planned run on standard input")?;
    let mut last = Point::default();
    let mut display = Display::telling(move |progress| {
        if let Some(point) = last.new_since(progress) {
            last = point;
            // A parent that is gone sends a signal.
            let _ = child::tell(&Told::Point(point));
        }
    });
    let memory = planned.memory_limit_mib.map(|mib| mib.div_ceil(1024));
    let answered = rerun::answer(&planned.question, planned.root_bound, memory, &mut display);
    if let Err(error) = &answered
        && let Some(verdict) =
            error.chain().find_map(|cause| Verdict::on_refused(cause.downcast_ref::<LabError>()?))
    {
        child::tell(&Told::Refuted(Refuted { verdict, words: format!("{error:#}") }))?;
    }
    child::tell(&Told::Record(Box::new(answered?)))?;
    Ok(Exit::Yes)
}
