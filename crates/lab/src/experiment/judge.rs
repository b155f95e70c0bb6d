//! Answers held against each other: a bound that excludes a solution which was found and checked is wrong, whoever gave it.

use std::collections::HashMap;

use ndqueens_model::certificate::Claim;
use ndqueens_model::known;

use super::store::Finished;
use crate::verdict::Verdict;

/// What is known of a board and a problem so far.
#[derive(Debug, Default)]
struct Known {
    /// The best checked solution: queens, and the run that found it.
    best: Option<(i64, String)>,
    /// The strictest bound: queens, and the run that gave it.
    bound: Option<(i64, String)>,
}

/// Takes rows one by one and finds contradictions.
#[derive(Debug, Default)]
pub struct Judge {
    known: HashMap<(String, String), Known>,
}

/// An answer that cannot be right, or a second one that it contradicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The run whose answer is in doubt.
    pub id: String,
    /// What contradicts what, in a sentence.
    pub words: String,
}

/// Whether more queens are better.
pub(super) fn maximises(problem: &str) -> bool {
    problem == Claim::IndependentSet.to_string()
}

/// The bound on the best number of queens that an answer states: an upper one for independent sets, a lower one for dominating
/// sets.
fn bound(row: &Finished) -> Option<i64> {
    let asked = row.planned.question.asked().and_then(|k| i64::try_from(k).ok());
    match (row.answer.outcome.as_str(), asked) {
        // Independent sets may lose queens, and dominating sets gain some; sets that are both may do neither.
        ("infeasible", Some(_)) if row.planned.problem == Claim::IndependentDominatingSet.to_string() => None,
        ("infeasible", Some(k)) if maximises(&row.planned.problem) => Some(k - 1),
        ("infeasible", Some(k)) => Some(k + 1),
        // The objective of a question about a number is that number.
        (_, Some(_)) | ("infeasible", None) => None,
        _ => row.answer.proved_bound,
    }
}

impl Judge {
    /// Takes a row, and says what it contradicts: published values, and the rows before it.
    pub fn take(&mut self, row: &Finished) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        let board = &row.planned.question.board;
        let name = told(row);
        if let Some(verdict) =
            row.answer.verdict.filter(|verdict| verdict.is_failure() && *verdict != Verdict::FailAbort)
        {
            let words = match (&row.failure, known::lookup(board)) {
                (Some(failure), _) => format!("{name}: {failure}"),
                (None, Some(known)) => format!(
                    "{name}: {verdict}: its answer is {}, and {} queens fit [{}]",
                    answer(row),
                    known.lower,
                    known.source
                ),
                (None, None) => format!("{name}: {verdict}"),
            };
            conflicts.push(Conflict { id: row.planned.id.clone(), words });
        }
        let checked = row.answer.certificate.is_some() && row.failure.is_none();
        let found = row.answer.incumbent.filter(|_| checked);
        let up = maximises(&row.planned.problem);
        let better = move |a: i64, b: i64| if up { a > b } else { a < b };
        let known = self.known.entry((board.sorted().to_string(), row.planned.problem.clone())).or_default();
        if let Some(found) = found
            && known.best.as_ref().is_none_or(|(best, _)| better(found, *best))
        {
            known.best = Some((found, name.clone()));
            if let Some((bound, who)) = &known.bound
                && better(found, *bound)
            {
                let words =
                    format!("{who} excludes more than {bound} queens, and {name} found {found}, checked");
                conflicts.push(Conflict { id: row.planned.id.clone(), words: oriented(words, up) });
            }
        }
        if let Some(bound) = bound(row)
            && known.bound.as_ref().is_none_or(|(best, _)| better(*best, bound))
        {
            known.bound = Some((bound, name.clone()));
            if let Some((found, who)) = &known.best
                && better(*found, bound)
            {
                let words =
                    format!("{name} excludes more than {bound} queens, and {who} found {found}, checked");
                conflicts.push(Conflict { id: row.planned.id.clone(), words: oriented(words, up) });
            }
        }
        conflicts
    }
}

fn oriented(words: String, up: bool) -> String {
    if up { words } else { words.replace("more than", "fewer than") }
}

fn told(row: &Finished) -> String {
    let question = &row.planned.question;
    format!("run {} ({}, {}, seed {})", row.planned.id, question.board, row.planned.way(), question.seed)
}

fn answer(row: &Finished) -> String {
    let number = |n: Option<i64>| n.map_or_else(|| "none".to_owned(), |n| n.to_string());
    format!(
        "{}, incumbent {}, bound {}",
        row.answer.outcome,
        number(row.answer.incumbent),
        number(bound(row))
    )
}

/// The verdict on every row in the light of all: what each row's own check says, or that it excludes a solution which another
/// one found.
#[must_use]
pub fn verdicts(rows: &[Finished]) -> Vec<Option<Verdict>> {
    let key = |row: &Finished| (row.planned.question.board.sorted().to_string(), row.planned.problem.clone());
    let mut best: HashMap<_, i64> = HashMap::new();
    for row in rows {
        if let (Some(found), true, None) =
            (row.answer.incumbent, row.answer.certificate.is_some(), &row.failure)
        {
            let up = maximises(&row.planned.problem);
            best.entry(key(row))
                .and_modify(|n| *n = if up { found.max(*n) } else { found.min(*n) })
                .or_insert(found);
        }
    }
    rows.iter()
        .map(|row| {
            let excluded = bound(row).zip(best.get(&key(row))).is_some_and(|(bound, best)| {
                if maximises(&row.planned.problem) { *best > bound } else { *best < bound }
            });
            let own = row.answer.verdict;
            if excluded && !own.is_some_and(Verdict::is_failure) {
                Some(Verdict::FailInconsistent)
            } else {
                own
            }
        })
        .collect()
}
