//! Checks files that prove an upper bound: proof trees, bounds by the orbit LP, and proofs for external
//! checkers.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::interrupt;
use anyhow::{anyhow, bail};
use ndqueens_archive::ARCHIVE;
use ndqueens_archive::archive;
use ndqueens_archive::foundation::Foundation;
use ndqueens_model::board::Board;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::thread::all_cores;
use ndqueens_workflow::evidence::{Evidence, Given, Refusal, Statement, verified};
use ndqueens_workflow::solve::refutation;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::args::Args;
use super::verdict::Verdict;
use crate::advice::report;
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Checked {
    file: String,
    verdict: Verdict,
    /// `true` or `false` if that was shown, `null` if the verdict is conditional or the
    /// check reached a limit.
    holds: Option<bool>,
    /// `true` if the file holds and everything that it rests on was checked in this run.
    checked: bool,
    board: Option<String>,
    at_most: Option<u64>,
    /// Further results of this kind of file.
    #[serde(flatten)]
    details: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<String>,
    /// The verified checker that also accepts the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<String>,
    /// The SHA-256 digest of that program if scripts/setup --verified built it, or "an unknown build".
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_build: Option<String>,
    #[serde(flatten)]
    foundation: Foundation,
    /// The first fault of a file that does not hold, or the limit that the check reached.
    fault: Option<String>,
}

impl Checked {
    /// Sets the verdict, and what follows from it.
    fn judge(&mut self, verdict: Verdict) {
        (self.verdict, self.holds, self.checked) = (verdict, verdict.holds(), verdict == Verdict::Holds);
    }
}

printed!(Checked: "check");

/// Build of a verified checker that was not compiled by `scripts/setup --verified`.
pub(super) const UNKNOWN_BUILD: &str = "an unknown build";

pub(super) fn check(
    args: &Args,
    evidence: &dyn Evidence,
    path: &Path,
    text: &mut dyn BufRead,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let deadline = Deadline::after(args.limit.time_limit);
    let stop = || interrupt::is_requested() || deadline.is_over();
    let board = args.board.as_ref();
    let archived = archive::bounds();
    let given = Given { name: &args.file, text, board, stop: &stop, threads: all_cores(), archived };
    let mut checked = Checked {
        file: name.to_string(),
        verdict: Verdict::default(),
        holds: None,
        checked: false,
        board: None,
        at_most: None,
        details: Map::new(),
        checker: None,
        verified: None,
        verified_build: None,
        foundation: Foundation::default(),
        fault: None,
    };
    let mut build = None;
    let result = evidence.check(given).and_then(|statement| {
        if args.verified {
            let mut again =
                BufReader::new(File::open(path).map_err(|fault| Refusal::Failed(fault.to_string()))?);
            let Statement { board, conclusion, needs, .. } = &statement;
            checked.verified =
                Some(verified::confirm(&mut again, evidence.name(), board, conclusion, needs, &stop)?);
            build = verified::build();
            checked.verified_build = Some(build.clone().unwrap_or_else(|| UNKNOWN_BUILD.to_owned()));
        }
        Ok(statement)
    });
    let statement = match result {
        Ok(statement) => statement,
        Err(Refusal::Unreadable(words) | Refusal::Unchecked(words)) => bail!("{name}: {words}"),
        Err(Refusal::NoBoard(words)) => bail!("{name}: {words}; name it with --board"),
        Err(Refusal::Failed(words)) => {
            report(&anyhow!("{name}: {words}"));
            return Ok(Exit::Failed);
        }
        Err(refusal @ (Refusal::Limit(_) | Refusal::Wrong(_))) => {
            let is_limit = matches!(refusal, Refusal::Limit(_));
            checked.judge(if is_limit { Verdict::NotChecked } else { Verdict::False });
            let text = format!("{name}: {}; {refusal}", checked.verdict.words());
            checked.fault = Some(refusal.to_string());
            out.result(&checked, &text)?;
            return Ok(checked.verdict.exit());
        }
    };
    let board = &statement.board;
    if let Some(asked) =
        args.board.as_ref().filter(|asked| asked.with_sorted_sides() != board.with_sorted_sides())
    {
        bail!("{name}: the {} is about {board}, but {asked} was asked for", evidence.name());
    }
    if let Some(refuted) = find_refutation(&statement)? {
        report(&anyhow!("{name}: {refuted}"));
        return Ok(Exit::Failed);
    }
    let words = statement.sentence();
    checked.board = Some(board.to_string());
    checked.at_most = statement.at_most();
    checked.foundation = Foundation::of(&statement);
    checked.details = statement.details;
    checked.checker = statement.checker;
    let Foundation { conditions, missing, .. } = &checked.foundation;
    checked.fault = (!missing.is_empty())
        .then(|| format!("it rests on {}, which the ledger does not have", missing.join(" and ")));
    checked.judge(match (&checked.fault, conditions.as_slice()) {
        (Some(_), _) => Verdict::False,
        (None, []) => Verdict::Holds,
        (None, _) => Verdict::Conditional,
    });
    let Foundation { rests_on, conditions, .. } = &checked.foundation;
    let because = checked.fault.as_ref().unwrap_or(&words);
    let mut text = format!("{name}: {}; {because}\n", checked.verdict.words());
    text.extend(
        checked
            .verified
            .iter()
            .map(|checker| format!("  accepted  by {}\n", verified::describe(checker, build.as_deref()))),
    );
    text.extend(rests_on.iter().map(|bound| format!("  rests on  {bound}\n")));
    text.extend(conditions.iter().map(|bound| format!("  holds if  {bound}\n")));
    out.result(&checked, &text)?;
    Ok(checked.verdict.exit())
}

/// Searches for a placement that refutes a bound accepted by an external checker. Returns a message if there
/// is one.
fn find_refutation(statement: &Statement) -> anyhow::Result<Option<String>> {
    let Some((checker, at_most)) = statement.checker.as_ref().zip(statement.at_most()) else {
        return Ok(None);
    };
    let board = Board::new(&statement.board);
    let found = refutation::of_bound(&board, at_most, ARCHIVE)?;
    Ok(found.map(|found| {
        let fitting = board.format_fitting(at_most);
        format!("{checker} accepted it as a proof that at most {fitting} on {}, and {found}", board.name())
    }))
}
