//! Reads folders of experiments for tables, plots and comparisons.

use std::path::Path;

use ndqueens_experiments::definition::Clock;
use ndqueens_experiments::evaluation::Evaluation;
use ndqueens_experiments::judge::Conflict;
use ndqueens_system::note::Notes;

use crate::commands::Exit;
use crate::output::log;

/// Reads a folder. `clock` and `reference`, if given, replace the settings of the experiment file.
pub(super) fn evaluation(
    folder: &Path,
    clock: Option<Clock>,
    reference: Option<&str>,
    notes: &Notes,
) -> anyhow::Result<Evaluation> {
    let mut evaluation = Evaluation::read(folder, clock, notes)?;
    if let Some(reference) = reference {
        evaluation.against(reference)?;
    }
    Ok(evaluation)
}

/// Reports contradictions. Returns [`Exit::Failed`] if there are any.
pub(super) fn report_conflicts(conflicts: &[Conflict]) -> Exit {
    for conflict in conflicts {
        log(&format!("CONTRADICTION: {}", conflict.words));
    }
    if conflicts.is_empty() { Exit::Yes } else { Exit::Failed }
}
