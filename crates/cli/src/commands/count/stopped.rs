//! Reports a count that was stopped.

use std::fmt::Write as _;
use std::time::Instant;

use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_workflow::count::Stopped;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

/// Result of a count that was stopped.
#[derive(JsonSchema, Serialize)]
struct ToldStopped {
    board: String,
    method: &'static str,
    /// Size of the solutions, or of the largest set found.
    incumbent: Option<u64>,
    /// Largest set that Bron-Kerbosch found.
    squares: Option<Vec<Vec<u32>>>,
    trivial_bound: u64,
    /// Number of solutions in the finished parts.
    met: Option<u64>,
    finished_parts: Option<usize>,
    parts: Option<usize>,
    stop: String,
    seconds: f64,
}

printed!(ToldStopped: "count");

pub(super) fn report_stopped(
    method: &'static str,
    board: &Board,
    stopped: &Stopped,
    squares: Option<Vec<Vec<u32>>>,
    begin: Instant,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let Stopped { reason, size, met, parts } = stopped;
    let trivial_bound = board.trivial_bound();
    let found =
        size.map_or_else(|| "no incumbent".to_owned(), |n| format!("{} found", board.format_pieces(n)));
    let mut text = format!(
        "the count of {} was stopped ({reason}) before it was done: {found}, trivial bound {trivial_bound}",
        board.name()
    );
    if let Some((there, parts)) = parts {
        let of_parts = counted(*parts as u64, "part");
        write!(text, "; {there} of {of_parts} finished, {} met in them", counted(*met, "solution"))?;
    }
    let summary = ToldStopped {
        board: board.name().to_string(),
        method,
        incumbent: *size,
        squares,
        trivial_bound,
        met: parts.map(|_| *met),
        finished_parts: parts.map(|(there, _)| there),
        parts: parts.map(|(_, parts)| parts),
        stop: reason.to_string(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    out.result(&summary, &text)?;
    Ok(Exit::Stopped)
}
