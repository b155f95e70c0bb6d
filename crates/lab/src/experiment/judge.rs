//! Answers held against each other: a bound that excludes a solution which was found and checked is wrong, whoever gave it.

use std::collections::{HashMap, HashSet};

use ndqueens_crosscheck::verify;
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::known;

use super::planned::Planned;
use super::store::Finished;
use crate::record::Answer;
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
    /// Runs whose solution does not pass the check.
    refused: HashSet<String>,
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
        let fault = fault(&row.planned, &row.answer);
        if fault.is_some() {
            self.refused.insert(row.planned.id.clone());
        }
        if let Some(verdict) = own(row, fault.is_some()).filter(|verdict| verdict.is_contradiction()) {
            // What the run's own process was refuted by stands in the row.
            let words = match (fault.as_ref().or(row.failure.as_ref()), known::lookup(board)) {
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
        let found = row.answer.incumbent.filter(|_| fault.is_none());
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

/// What is wrong with the solution of an answer, from the definition: whoever wrote the row may be mistaken.
#[must_use]
pub fn fault(planned: &Planned, answer: &Answer) -> Option<String> {
    let Some(text) = &answer.certificate else {
        return answer.incumbent.map(|n| format!("it claims {n} queens and shows none"));
    };
    let board = &planned.question.board;
    let certificate = match Certificate::read(text, &board.opener()) {
        Ok(certificate) => certificate,
        Err(fault) => return Some(format!("its certificate cannot be read: {fault}")),
    };
    if let Err(fault) = verify::verify_on(board, &certificate) {
        return Some(format!("its certificate does not hold: {fault}"));
    }
    let size = i64::try_from(certificate.size()).ok();
    if size != answer.incumbent || certificate.claim.to_string() != planned.problem {
        return Some(format!(
            "its certificate shows something else: {} of {}",
            certificate.claim,
            certificate.size()
        ));
    }
    None
}

/// The verdict on a row by itself.
fn own(row: &Finished, refused: bool) -> Option<Verdict> {
    if refused { Some(Verdict::FailSolutionInfeasible) } else { row.answer.verdict }
}

/// The verdict on every row in the light of all: what its own check says, or that it excludes a solution which another one
/// found; and all that contradicts something.
#[must_use]
pub fn judge(rows: &[Finished]) -> (Vec<Option<Verdict>>, Vec<Conflict>) {
    let mut judge = Judge::default();
    let conflicts = rows.iter().flat_map(|row| judge.take(row)).collect();
    let verdict = |row: &Finished| {
        let own = own(row, judge.refused.contains(&row.planned.id));
        let key = (row.planned.question.board.sorted().to_string(), row.planned.problem.clone());
        let best = judge.known.get(&key).and_then(|known| known.best.as_ref());
        let excluded = bound(row).zip(best).is_some_and(|(bound, (best, _))| {
            if maximises(&row.planned.problem) { *best > bound } else { *best < bound }
        });
        if excluded && !own.is_some_and(Verdict::is_failure) { Some(Verdict::FailInconsistent) } else { own }
    };
    (rows.iter().map(verdict).collect(), conflicts)
}
