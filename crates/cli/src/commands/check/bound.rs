//! Files that show an upper bound: proof trees, bounds by the orbit LP, and proofs that outside programs check.

use std::io::BufRead;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use ndqueens_control::Deadline;
use ndqueens_knowledge::ARCHIVE;
use ndqueens_lab::evidence::{Evidence, Given, Refusal, Shown};
use ndqueens_lab::run::settled;
use ndqueens_lab::workflow::refutation;
use ndqueens_model::board::Board;
use ndqueens_model::facts::{UpperBound, ledger};
use ndqueens_model::name::BoardName;
use serde::Serialize;

use super::Args;
use super::shown::{Foundation, More, words};
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
    more: More,
    fault: Option<String>,
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
        more: More::None {},
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
    let board = shown.board();
    if let Some(asked) = args.board.as_ref().filter(|asked| !is_about(&shown, asked)) {
        let what = if matches!(shown, Shown::OrbitLp(_)) { "bound" } else { "proof" };
        bail!("{name}: the {what} is about {board}, but {asked} was asked for");
    }
    if let Some(refuted) = refuted(&shown)? {
        report(&anyhow!("{name}: {refuted}"));
        return Ok(Exit::Failed);
    }
    let foundation = foundation(&shown);
    let Foundation { checked: below, conditions, missing } = &foundation;
    checked.board = Some(board.to_string());
    checked.at_most = shown.at_most();
    checked.more = More::of(&shown, &foundation);
    checked.fault = (!missing.is_empty())
        .then(|| format!("it rests on {}, which the ledger does not have", missing.join(" and ")));
    checked.holds = checked.fault.is_none();
    let holds = if conditions.is_empty() { "holds" } else { "holds conditionally" };
    let mut text = match &checked.fault {
        None => format!("{name}: {holds}; {}\n", words(&shown)),
        Some(fault) => format!("{name}: does not hold; {fault}\n"),
    };
    text.extend(below.iter().map(|bound| format!("  rests on  {bound}\n")));
    text.extend(conditions.iter().map(|bound| format!("  holds if  {bound}\n")));
    out.result(&checked, &text)?;
    Ok(match (checked.holds, conditions.is_empty()) {
        (true, true) => Exit::Yes,
        (true, false) => Exit::Stopped,
        (false, _) => Exit::No,
    })
}

/// What is wrong with the word of an outside checker, when queens that it excludes are at hand.
fn refuted(shown: &Shown) -> anyhow::Result<Option<String>> {
    let (checker, at_most) = match shown {
        Shown::Drat(accepted) => (&accepted.checker, accepted.at_most),
        Shown::VeriPb(accepted) => (&accepted.checker, accepted.at_most),
        Shown::Certificate(_) | Shown::Tree(_) | Shown::OrbitLp(_) => return Ok(None),
    };
    let board = Board::new(shown.board());
    let found = refutation::of_bound(&board, at_most, ARCHIVE)?;
    Ok(found.map(|found| {
        let fitting = board.fitting(at_most);
        format!("{checker} accepted it as a proof that at most {fitting} on {}, and {found}", board.name())
    }))
}

/// Whether a file shows something of a board. Bounds by the orbit LP name its sides in increasing order.
fn is_about(shown: &Shown, asked: &BoardName) -> bool {
    match shown {
        Shown::OrbitLp(shown) => *shown.board() == asked.sorted(),
        shown => shown.board() == asked,
    }
}

/// What a file rests on is looked up in the archive, and checked there as far as the files are kept.
fn foundation(shown: &Shown) -> Foundation {
    let Shown::OrbitLp(shown) = shown else { return Foundation::default() };
    let (mut archived, mut missing) = (Vec::new(), Vec::new());
    for (board, most) in shown.needs() {
        match ledger::upper(board).filter(|known| known.value <= *most) {
            Some(known) => archived.push(Arc::new(UpperBound { value: *most, ..known.clone() })),
            None => missing.push(format!("alpha({board}) <= {most}")),
        }
    }
    let (checked, conditions) = settled(&archived, ARCHIVE);
    let words = |bounds: Vec<Arc<UpperBound>>| bounds.iter().map(ToString::to_string).collect();
    Foundation { checked: words(checked), conditions: words(conditions), missing }
}
