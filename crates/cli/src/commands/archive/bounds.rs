//! Commands on the bounds of the archive and on the files that prove them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_archive::ledger::{Added, CheckedRow, LedgerRow, QUICKLY_CHECKED, RowStatus};
use ndqueens_model::facts::Side;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::{Output, log};
use crate::schema::printed;

printed!(CheckedRow: "archive list", "archive verify");

/// Row that a file added.
#[derive(JsonSchema, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    row: &'a LedgerRow,
    /// Bounds that the row rests on and that were not checked.
    conditions: Vec<String>,
    checked: bool,
}

printed!(Summary<'static>: "archive add");

/// Reports the bounds that a file added.
pub(super) fn report_added(path: &Path, added: &Added, out: &mut Output) -> anyhow::Result<()> {
    let Added { rows, conditions, .. } = added;
    let conditions: Vec<String> = conditions.iter().map(ToString::to_string).collect();
    let path = path.display();
    if out.json() {
        let summarise = |row| Summary { row, conditions: conditions.clone(), checked: conditions.is_empty() };
        return Ok(rows.iter().try_for_each(|row| out.result(&summarise(row), ""))?);
    }
    let mut text = String::new();
    for row in rows {
        writeln!(text, "{path}: {}", bound(row))?;
    }
    for condition in &conditions {
        writeln!(text, "  holds if  {condition}")?;
    }
    if !rows.is_empty() {
        out.result(&(), &text)?;
    }
    Ok(())
}

/// Formats a bound as `alpha(6^4) <= 80`, followed by its kind.
fn bound(row: &LedgerRow) -> String {
    format!("alpha({}) {} {}, {}", row.board, row.side.sign(), row.value, row.kind)
}

/// Lists the bounds with their status; files whose check takes long are not checked. Returns [`Exit::No`] if
/// a bound is refused.
pub(super) fn list(archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    let verified = archive.ledger().check(QUICKLY_CHECKED);
    let refused = verified.iter().any(|one| matches!(one.status, RowStatus::Refused(_)));
    let exit = if refused { Exit::No } else { Exit::Yes };
    if out.json() {
        verified.iter().try_for_each(|one| out.result(one, ""))?;
        return Ok(exit);
    }
    let mut text = String::new();
    for CheckedRow { row, status, .. } in &verified {
        let status = match status {
            RowStatus::Checked => "checked".to_owned(),
            RowStatus::RestsOnNotRechecked => "checked, rests on a file that was not checked".to_owned(),
            RowStatus::NotRechecked => "not checked".to_owned(),
            RowStatus::Refused(why) => format!("refused: {why}"),
        };
        writeln!(text, "{} ({}): {status}", bound(row), row.file)?;
    }
    if !text.is_empty() {
        out.result(&(), &text)?;
    }
    Ok(exit)
}

/// Checks all bounds. Returns [`Exit::Yes`] if every file is present and valid, [`Exit::Stopped`] if some
/// files are absent, [`Exit::No`] if one is refused, and `None` if there are no bounds.
pub(super) fn verify(archive: &Archive, twice: bool, out: &mut Output) -> anyhow::Result<Option<Exit>> {
    let ledger = archive.ledger();
    let verified = if twice { ledger.confirm()? } else { ledger.check(u64::MAX) };
    if verified.is_empty() {
        // A ledger without rows is an error, in contrast to an absent ledger.
        if archive.files().read("ledger.csv")?.is_some() {
            bail!("there is no bound in {}", archive.files().display_path("ledger.csv").display());
        }
        return Ok(None);
    }
    let refused: Vec<(&LedgerRow, &String)> = verified
        .iter()
        .filter_map(
            |one| if let RowStatus::Refused(why) = &one.status { Some((&one.row, why)) } else { None },
        )
        .collect();
    if out.json() {
        verified.iter().try_for_each(|one| out.result(one, ""))?;
    } else if refused.len() < verified.len() {
        out.result(&(), &text(&verified)?)?;
    }
    for (row, why) in &refused {
        log(&format!("error: {}: refused: {why}", bound(row)));
    }
    let count = |status: &RowStatus| verified.iter().filter(|one| one.status == *status).count();
    let (away, above) = (count(&RowStatus::NotRechecked), count(&RowStatus::RestsOnNotRechecked));
    log(&format!(
        "{}: {} checked here, {above} checked that rest on a file not here, {away} not checked because their files are not here, {} refused",
        counted(verified.len() as u64, "bound"),
        count(&RowStatus::Checked),
        refused.len()
    ));
    let by = verified.iter().filter_map(|one| one.verified_by.as_deref());
    if let Some(checker) = by.clone().next() {
        log(&format!(
            "{} of them are shown by files that {checker} accepts, too; it reads no boards but plain boxes",
            by.count()
        ));
    }
    Ok(Some(match (refused.len(), away + above) {
        (0, 0) => Exit::Yes,
        (0, _) => Exit::Stopped,
        _ => Exit::No,
    }))
}

/// Formats a line for each board with its bounds and the facts that these finally rest on. Boards whose
/// bounds rest on absent files come last, with these facts as conditions.
fn text(verified: &[CheckedRow]) -> Result<String, std::fmt::Error> {
    let mut boards: BTreeMap<(bool, &BoardName), [Option<&CheckedRow>; 2]> = BTreeMap::new();
    for one in verified.iter().filter(|one| !matches!(one.status, RowStatus::Refused(_))) {
        let key = (one.status != RowStatus::Checked, &one.row.board);
        boards.entry(key).or_default()[usize::from(one.row.side == Side::Upper)] = Some(one);
    }
    let mut text = String::new();
    for ((open, board), [lower, upper]) in boards {
        let value = |one: &Option<&CheckedRow>| one.map(|one| one.row.value);
        let says = match (value(&lower), value(&upper)) {
            (Some(lower), Some(upper)) if lower == upper => format!("alpha({board}) = {lower}"),
            (Some(lower), Some(upper)) => format!("{lower} <= alpha({board}) <= {upper}"),
            (Some(lower), None) => format!("alpha({board}) >= {lower}"),
            (None, upper) => format!("alpha({board}) <= {}", upper.unwrap_or_default()),
        };
        let rests_on: Vec<&str> = [lower, upper]
            .into_iter()
            .flatten()
            .flat_map(|one| one.foundation.iter().map(String::as_str))
            .collect();
        let relation = if open { "holds if these do:" } else { "rests on" };
        writeln!(text, "{says:32}  {relation} {}", rests_on.join(", "))?;
    }
    Ok(text)
}
