//! Files that show an upper bound: proof trees, bounds by the orbit LP, and proofs that outside programs check.

use std::io::BufRead;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use ndqueens_control::Deadline;
use ndqueens_knowledge::ARCHIVE;
use ndqueens_lab::evidence::{Conclusion, Evidence, Given, Refusal, Shown};
use ndqueens_lab::run::settled;
use ndqueens_lab::workflow::refutation;
use ndqueens_model::board::Board;
use ndqueens_model::facts::{UpperBound, ledger};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Args;
use crate::commands::Exit;
use crate::output::{Output, report};

#[derive(Serialize)]
struct Checked {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    /// What this kind of file shows besides.
    #[serde(flatten)]
    details: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<String>,
    #[serde(flatten)]
    foundation: Foundation,
    fault: Option<String>,
}

/// What a file rests on.
#[derive(Default, Serialize)]
struct Foundation {
    /// Bounds that were checked in this run.
    rests_on: Vec<String>,
    /// Bounds that were not.
    conditions: Vec<String>,
    /// Bounds that the ledger does not have.
    missing: Vec<String>,
}

pub(super) fn check(
    args: &Args,
    evidence: &dyn Evidence,
    text: &mut dyn BufRead,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let deadline = Deadline::after(args.time_limit);
    let stop = || deadline.is_over();
    let given = Given { name: &args.file, text, board: args.board.as_ref(), stop: &stop };
    let mut checked = Checked {
        file: name.to_string(),
        holds: false,
        board: None,
        at_most: None,
        details: Map::new(),
        checker: None,
        foundation: Foundation::default(),
        fault: None,
    };
    let shown = match evidence.check(given) {
        Ok(shown) => shown,
        Err(Refusal::Unchecked(words)) => bail!("{name}: {words}"),
        Err(Refusal::Failed(words)) => {
            report(&anyhow!("{name}: {words}"));
            return Ok(Exit::Failed);
        }
        Err(Refusal::Stopped(words)) => {
            out.result(&checked, &format!("{name}: {words}"))?;
            return Ok(Exit::Stopped);
        }
        Err(Refusal::Wrong(words)) => {
            let text = format!("{name}: does not hold; {words}");
            checked.fault = Some(words);
            out.result(&checked, &text)?;
            return Ok(Exit::No);
        }
    };
    let board = &shown.board;
    if let Some(asked) = args.board.as_ref().filter(|asked| asked.sorted() != board.sorted()) {
        bail!("{name}: the {} is about {board}, but {asked} was asked for", evidence.name());
    }
    if let Some(refuted) = refuted(&shown)? {
        report(&anyhow!("{name}: {refuted}"));
        return Ok(Exit::Failed);
    }
    let words = words(&shown);
    checked.board = Some(board.to_string());
    checked.at_most = at_most(&shown);
    checked.foundation = foundation(&shown);
    checked.details = shown.details;
    checked.checker = shown.checker;
    let Foundation { rests_on, conditions, missing } = &checked.foundation;
    checked.fault = (!missing.is_empty())
        .then(|| format!("it rests on {}, which the ledger does not have", missing.join(" and ")));
    checked.holds = checked.fault.is_none();
    let holds = if conditions.is_empty() { "holds" } else { "holds conditionally" };
    let mut text = match &checked.fault {
        None => format!("{name}: {holds}; {words}\n"),
        Some(fault) => format!("{name}: does not hold; {fault}\n"),
    };
    text.extend(rests_on.iter().map(|bound| format!("  rests on  {bound}\n")));
    text.extend(conditions.iter().map(|bound| format!("  holds if  {bound}\n")));
    out.result(&checked, &text)?;
    Ok(match (checked.holds, conditions.is_empty()) {
        (true, true) => Exit::Yes,
        (true, false) => Exit::Stopped,
        (false, _) => Exit::No,
    })
}

fn at_most(shown: &Shown) -> Option<u64> {
    match shown.conclusion {
        Conclusion::Fit(_) => None,
        Conclusion::AtMost { value, .. } => Some(value),
    }
}

/// `at most 14 queens fit on 4^3 (12 nodes, 19 bounds)`
fn words(shown: &Shown) -> String {
    let (board, by) = (&shown.board, &shown.words);
    match &shown.conclusion {
        Conclusion::Fit(certificate) => format!("{} fit on {board}", certificate.size()),
        Conclusion::AtMost { value, attained, .. } => {
            let also = match (attained, value) {
                (false, _) => String::new(),
                (true, 1) => ", and 1 does".to_owned(),
                (true, value) => format!(", and {value} do"),
            };
            format!("at most {} on {board}{also} ({by})", Board::new(board).fitting(*value))
        }
    }
}

/// What is wrong with the word of an outside checker, when queens that it excludes are at hand.
fn refuted(shown: &Shown) -> anyhow::Result<Option<String>> {
    let Some((checker, at_most)) = shown.checker.as_ref().zip(at_most(shown)) else { return Ok(None) };
    let board = Board::new(&shown.board);
    let found = refutation::of_bound(&board, at_most, ARCHIVE)?;
    Ok(found.map(|found| {
        let fitting = board.fitting(at_most);
        format!("{checker} accepted it as a proof that at most {fitting} on {}, and {found}", board.name())
    }))
}

/// What a file rests on is looked up in the archive, and checked there as far as the files are kept.
fn foundation(shown: &Shown) -> Foundation {
    let (mut archived, mut missing) = (Vec::new(), Vec::new());
    for (board, most) in &shown.needs {
        match ledger::upper(board).filter(|known| known.value <= *most) {
            Some(known) => archived.push(Arc::new(UpperBound { value: *most, ..known.clone() })),
            None => missing.push(format!("alpha({board}) <= {most}")),
        }
    }
    let (checked, conditions) = settled(&archived, ARCHIVE);
    let words = |bounds: Vec<Arc<UpperBound>>| bounds.iter().map(ToString::to_string).collect();
    Foundation { rests_on: words(checked), conditions: words(conditions), missing }
}
