//! Bounds by the orbit LP.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use ndqueens_crosscheck::bound::{Shown, mixed};
use ndqueens_knowledge::ARCHIVE;
use ndqueens_lab::evidence::orbit_lp;
use ndqueens_lab::run::settled;
use ndqueens_model::board::Board;
use ndqueens_model::facts::UpperBound;
use ndqueens_model::facts::ledger;
use serde::Serialize;

use super::Args;
use crate::commands::Exit;
use crate::output::Output;

#[derive(Serialize)]
struct CheckedBound {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    value: Option<String>,
    inequalities: Option<usize>,
    /// Bounds of smaller boards that were checked in this run.
    rests_on: Vec<String>,
    /// Bounds of smaller boards that were not.
    conditions: Vec<String>,
    /// Whether the sum holds, and everything that it rests on.
    checked: bool,
    fault: Option<String>,
}

/// What a bound rests on is looked up in the archive, and checked there as far as the files are kept.
pub(super) fn check_bound(args: &Args, file: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let result = orbit_lp::check(file).map_err(|fault| fault.to_string());
    if let (Ok(shown), Some(board)) = (&result, &args.board)
        && *shown.board() != board.sorted()
    {
        bail!("{name}: the bound is about {}, but {board} was asked for", shown.board());
    }
    let (mut archived, mut open) = (Vec::new(), Vec::new());
    for (board, most) in result.iter().flat_map(Shown::needs) {
        match ledger::upper(board).filter(|known| known.value <= *most) {
            Some(known) => archived.push(Arc::new(UpperBound { value: *most, ..known.clone() })),
            None => open.push(format!("alpha({board}) <= {most}")),
        }
    }
    let (lemmas, conditions) = settled(&archived, ARCHIVE);
    let fault = match &result {
        Err(fault) => Some(fault.clone()),
        Ok(_) if open.is_empty() => None,
        Ok(_) => Some(format!("it rests on {}, which the ledger does not have", open.join(" and "))),
    };
    let shown = result.as_ref().ok();
    let checked = CheckedBound {
        file: name.to_string(),
        holds: fault.is_none(),
        board: shown.map(|shown| shown.board().to_string()),
        at_most: shown.map(Shown::at_most),
        value: shown.map(|shown| mixed(shown.sum())),
        inequalities: shown.map(Shown::rows),
        rests_on: lemmas.iter().map(ToString::to_string).collect(),
        checked: fault.is_none() && conditions.is_empty(),
        conditions: conditions.iter().map(ToString::to_string).collect(),
        fault,
    };
    let holds = if conditions.is_empty() { "holds" } else { "holds conditionally" };
    let mut text = match (&checked.fault, shown) {
        (None, Some(shown)) => format!(
            "{name}: {holds}; at most {} on {} ({})\n",
            Board::new(shown.board()).fitting(shown.at_most()),
            shown.board(),
            orbit_lp::added_up(shown.rows() as u64, &mixed(shown.sum()))
        ),
        (fault, _) => format!("{name}: does not hold; {}\n", fault.as_deref().unwrap_or_default()),
    };
    for below in &checked.rests_on {
        writeln!(text, "  rests on  {below}")?;
    }
    for condition in &checked.conditions {
        writeln!(text, "  holds if  {condition}")?;
    }
    out.result(&checked, &text)?;
    Ok(match (checked.holds, checked.checked) {
        (true, true) => Exit::Yes,
        (true, false) => Exit::Stopped,
        (false, _) => Exit::No,
    })
}
