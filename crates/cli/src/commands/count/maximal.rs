//! The command `ndq count --maximal`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use anyhow::bail;
use ndqueens_crosscheck::maximal::{MaximalSets, maximal_sets_of};
use ndqueens_crosscheck::solutions::verify_list;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::solutions::{self, Heading, ListKind, Solutions};
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{LARGE_GROUP, UNKNOWN_GROUP};
use super::args::Args;
use super::report::reason;
use crate::commands::Exit;
use crate::interrupt;
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

/// The maximal non-attacking sets of a board.
#[derive(JsonSchema, Serialize)]
struct CountedMaximal {
    board: String,
    /// Number of sets, or of those that were visited if the count was stopped.
    maximal_sets: u64,
    /// Number of sets of each size.
    by_size: BTreeMap<usize, u64>,
    /// Number of their orbits for each size; null if the symmetry group is not known or too large.
    orbits_by_size: Option<BTreeMap<usize, u64>>,
    seconds: f64,
    stopped: Option<String>,
}

printed!(CountedMaximal: "count");

/// Maximum total number of squares of all sets that are kept for a list.
const MOST_KEPT: usize = 20_000_000;

pub(super) fn run(
    args: &Args,
    board: &Board,
    deadline: Deadline,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    args.solutions.as_deref().map_or(Ok(()), file::writable)?;
    display.work_on(format!("maximal sets of {}", board.name()));
    let mut kept: Vec<Vec<Vec<u32>>> = Vec::new();
    let mut squares = 0;
    let over = || interrupt::is_requested() || deadline.is_over();
    let counted = maximal_sets_of(board.name(), &over, &mut |set| {
        if args.solutions.is_some() && squares <= MOST_KEPT {
            squares += set.len();
            kept.push(set.to_vec());
        }
    })?;
    let stopped = (!counted.finished).then(|| reason().to_string());
    if let (Some(path), None) = (&args.solutions, &stopped) {
        if squares > MOST_KEPT {
            bail!("the maximal sets have more than {MOST_KEPT} squares in all, too many to be listed");
        }
        kept.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        let heading = Heading {
            board: board.name().clone(),
            size: kept.first().map_or(0, Vec::len),
            listed: ListKind::Maximal,
            solutions: kept.len(),
            origin: "Bron-Kerbosch".to_owned(),
        };
        let list = Solutions { heading, sets: kept.into_iter().map(|set| (0, set)).collect() };
        verify_list(&list)?;
        file::write(path, |file| {
            write!(file, "{}", list.heading)?;
            list.sets.iter().try_for_each(|(_, set)| writeln!(file, "{}", solutions::format_line(set)))
        })?;
    }
    let exit = if stopped.is_some() { Exit::Stopped } else { Exit::Yes };
    let answer = CountedMaximal {
        board: board.name().to_string(),
        maximal_sets: counted.total(),
        by_size: counted.sets.clone(),
        orbits_by_size: counted.orbits.clone(),
        seconds: begin.elapsed().as_secs_f64(),
        stopped,
    };
    out.answer(&answer, &text(board, &counted, &answer)?)?;
    Ok(exit)
}

fn text(board: &Board, counted: &MaximalSets, answer: &CountedMaximal) -> anyhow::Result<Answer> {
    let mut details = format!("board                  {}\n", answer.board);
    writeln!(details, "method                 Bron-Kerbosch with pivot, every maximal set visited")?;
    writeln!(details, "seconds                {:.2}", answer.seconds)?;
    let mut verdict = String::new();
    for (size, sets) in &counted.sets {
        let orbits = counted.orbits.as_ref().map_or_else(String::new, |orbits| {
            format!(", {} up to symmetry", orbits.get(size).copied().unwrap_or(0))
        });
        writeln!(verdict, "of {:19} {sets}{orbits}", board.format_pieces(*size as u64))?;
    }
    if counted.orbits.is_none() && counted.finished {
        let why = if board.symmetry_is_whole() { LARGE_GROUP } else { UNKNOWN_GROUP };
        writeln!(details, "up to symmetry         not counted: {why}")?;
    }
    let total = answer.maximal_sets;
    match (&answer.stopped, counted.sets.last_key_value()) {
        (Some(reason), _) => {
            writeln!(verdict, "stopped ({reason}) after {total} maximal sets of {}", answer.board)?;
        }
        (None, Some((size, maximum))) => writeln!(
            verdict,
            "{}: {total} maximal sets, {maximum} of them maximum, with {}",
            answer.board,
            board.format_pieces(*size as u64)
        )?,
        (None, None) => {}
    }
    Ok(Answer { details, verdict })
}
