//! Commands on the counts of the archive, each with a proof that there are no other solutions.

use std::path::Path;

use ndqueens_archive::archive::Archive;
use ndqueens_archive::counts::{self, Counted, StoredCount, VerifiedCheck};
use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_report::sheet::align_columns;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::{Output, log};
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Entry {
    file: String,
    board: Option<String>,
    queens: Option<u64>,
    /// Number of maximum solutions.
    solutions: Option<u64>,
    /// Number of nodes of the proof.
    nodes: Option<u64>,
    bytes: Option<u64>,
    /// The verified checker that also accepts the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_by: Option<String>,
    holds: bool,
    says: Option<String>,
}

printed!(Entry: "archive list", "archive verify");

#[derive(JsonSchema, Serialize)]
struct Kept {
    file: String,
    board: String,
    queens: u64,
    solutions: u64,
    /// The verified checker that also accepts the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_by: Option<String>,
    says: String,
}

printed!(Kept: "archive add");

/// Reports a count that was stored.
pub(super) fn report_added(
    path: &Path,
    added: Counted,
    stored: &Path,
    out: &mut Output,
) -> anyhow::Result<()> {
    let Counted { board, queens, solutions, verified_by, .. } = added;
    let pieces = Board::new(&board).format_pieces(queens);
    let says = format!("stored in {}", stored.display());
    let number = counted(solutions, "maximum solution");
    let mut text = format!("{}: exactly {number} of {board}, of {pieces}; {says}", path.display());
    text.extend(verified_by.iter().map(|checker| format!("; accepted by {checker}, too")));
    let (file, board) = (path.display().to_string(), board.to_string());
    Ok(out.result(&Kept { file, board, queens, solutions, verified_by, says }, &text)?)
}

pub(super) fn list(archive: &Archive, out: &mut Output) -> anyhow::Result<()> {
    print(counts::read(archive.files(), VerifiedCheck::Never)?, out)
}

/// Checks every proof, and with `twice` also with the verified checker on plain boxes. Returns [`Exit::Yes`]
/// if all are valid, or `None` if there are no counts.
pub(super) fn verify(archive: &Archive, twice: bool, out: &mut Output) -> anyhow::Result<Option<Exit>> {
    let check = if twice { VerifiedCheck::IfReadable } else { VerifiedCheck::Never };
    let stored = counts::read(archive.files(), check)?;
    if stored.is_empty() {
        return Ok(None);
    }
    let (all, holds) = (stored.len(), stored.iter().filter(|stored| stored.count.is_ok()).count());
    let checkers = stored.iter().filter_map(|stored| stored.count.as_ref().ok()?.verified_by.clone());
    let checkers: Vec<String> = checkers.collect();
    print(stored, out)?;
    log(&format!(
        "{holds} of {all} counts in {} hold, and their solutions are all there are",
        archive.files()
    ));
    if let Some(checker) = checkers.first() {
        log(&format!("{} of them are shown by files that {checker} accepts, too", checkers.len()));
    }
    Ok(Some(if holds == all { Exit::Yes } else { Exit::No }))
}

fn print(stored: Vec<StoredCount>, out: &mut Output) -> anyhow::Result<()> {
    let entries: Vec<Entry> = stored.into_iter().map(entry).collect();
    if out.json() {
        entries.iter().try_for_each(|entry| out.result(entry, ""))?;
    } else if !entries.is_empty() {
        let lines = entries.iter().map(|entry| {
            let number =
                entry.solutions.map_or_else(|| "-".to_owned(), |number| counted(number, "maximum solution"));
            vec![entry.file.clone(), number, entry.says.clone().unwrap_or_default()]
        });
        out.result(&(), &align_columns(lines, &[0, 2]))?;
    }
    Ok(())
}

fn entry(StoredCount { file, count }: StoredCount) -> Entry {
    let holds = count.is_ok();
    let says = match &count {
        Ok(Counted { board, queens, nodes, .. }) => {
            format!("of {}, {}", Board::new(board).format_pieces(*queens), counted(*nodes, "node"))
        }
        Err(fault) => fault.to_string(),
    };
    let count = count.ok();
    let number = |of: fn(&Counted) -> u64| count.as_ref().map(of);
    Entry {
        file,
        board: count.as_ref().map(|count| count.board.to_string()),
        queens: number(|count| count.queens),
        solutions: number(|count| count.solutions),
        nodes: number(|count| count.nodes),
        bytes: number(|count| count.bytes),
        verified_by: count.as_ref().and_then(|count| count.verified_by.clone()),
        holds,
        says: Some(says),
    }
}
