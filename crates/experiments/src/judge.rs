//! Judges rows: each by itself and against the published values, and all against each other. A bound that
//! excludes a checked solution is wrong, whichever run reported it.
//!
//! New rows and rows read from disk are judged in the same way: from the answer itself, not from the verdict
//! stored in it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use ndqueens_crosscheck::verify;
use ndqueens_model::facts::known;
use ndqueens_model::variant::Goal;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_system::file::digest;
use ndqueens_workflow::record::verdict::{self, Stated, Verdict};
use ndqueens_workflow::record::{Answer, Outcome};

use crate::planned::Planned;
use crate::store::Finished;

/// Collects rows one by one and finds contradictions.
#[derive(Debug, Default)]
pub struct Judge {
    rows: Vec<JudgedRow>,
    cases: HashMap<(String, Problem), Case>,
}

/// Data kept of a row.
#[derive(Debug, Clone)]
struct JudgedRow {
    id: String,
    /// Name of the row in messages.
    name: String,
    board: String,
    problem: Problem,
    /// Number of queens of its checked solution.
    found: Option<i64>,
    /// Bound on the best number of queens that it reports.
    bound: Option<i64>,
    /// Numbers of queens for which it excludes a solution, if that is not a bound.
    denied: Option<RangeInclusive<i64>>,
    /// Number of maximum solutions, and that number up to symmetry, if they were counted.
    counted: [Option<String>; 2],
    assessment: Assessment,
    /// `true` if it excludes a solution that was found, or if its counts differ from those of an earlier row.
    excludes: bool,
}

/// Data on all rows with the same board and problem.
#[derive(Debug, Default)]
struct Case {
    /// Number of queens of the best checked solution, and the name of its row.
    best: Option<(i64, String)>,
    /// Numbers of queens of all checked solutions, each with the name of the first row that found it.
    found: BTreeMap<i64, String>,
    /// First reported number of maximum solutions, and that number up to symmetry, each with the name of its
    /// row.
    counted: [Option<(String, String)>; 2],
    /// Indices of the rows with a bound or excluded numbers that no solution contradicts yet.
    claims: Vec<usize>,
}

/// Judgement of a row by itself and against the published values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// Verdict as one word.
    pub verdict: Verdict,
    /// Reason in a sentence, if the answer is contradictory.
    pub fault: Option<String>,
}

/// Contradiction in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Id of the run whose answer is in doubt.
    pub id: String,
    /// Description in a sentence.
    pub words: String,
}

impl Judge {
    /// Adds a row. Returns the contradictions that it reveals, in its own answer or in earlier ones.
    pub fn add(&mut self, row: &Finished) -> Vec<Conflict> {
        let Finished { planned, answer, failure, .. } = row;
        let assessment = assess(planned, answer, failure.as_deref());
        let question = &planned.question;
        self.note(&JudgedRow {
            id: planned.id.clone(),
            name: format!(
                "run {} ({}, {}, seed {})",
                planned.id,
                question.board,
                planned.configuration(),
                question.seed
            ),
            board: question.board.with_sorted_sides().to_string(),
            problem: planned.problem,
            found: answer.incumbent.filter(|_| assessment.verdict != Verdict::FailSolutionInfeasible),
            bound: bound(planned, answer),
            denied: excluded_range(planned, answer),
            counted: [answer.solutions.clone(), answer.up_to_symmetry.clone()],
            assessment,
            excludes: false,
        })
    }

    /// Returns the contradictions between the rows of several folders, each given with its name.
    #[must_use]
    pub fn between(folders: &[(&str, &Self)]) -> Vec<Conflict> {
        let mut all = Self::default();
        let rows = folders.iter().flat_map(|(folder, judge)| {
            judge.rows.iter().cloned().map(move |judged| JudgedRow {
                name: format!("{} of {folder}", judged.name),
                excludes: false,
                ..judged
            })
        });
        rows.flat_map(|row| all.note(&row)).collect()
    }

    /// Returns the verdict on the row with this index in order of addition, taking all rows into account.
    #[must_use]
    pub fn verdict(&self, place: usize) -> Verdict {
        let JudgedRow { assessment, excludes, .. } = &self.rows[place];
        if *excludes { Verdict::FailInconsistent } else { assessment.verdict }
    }

    /// Returns the verdict on the row added last, taking all earlier ones into account.
    #[must_use]
    pub fn last(&self) -> Option<Verdict> {
        self.rows.len().checked_sub(1).map(|place| self.verdict(place))
    }

    fn note(&mut self, judged: &JudgedRow) -> Vec<Conflict> {
        let Self { rows, cases } = self;
        let place = rows.len();
        rows.push(judged.clone());
        let fault = judged.assessment.fault.iter();
        let mut conflicts: Vec<_> = fault.map(|fault| judged.conflict(&format!(": {fault}"))).collect();
        for &problem in solves(judged.problem) {
            let case = cases.entry((judged.board.clone(), problem)).or_default();
            // Claims without a contradiction are checked again only if a new number of queens was found.
            let mut again = case.claims.len();
            // A count of the solutions of one problem says nothing about those of another.
            if problem == judged.problem {
                if judged.is_claim() {
                    case.claims.push(place);
                }
                for words in case.add_counts(judged) {
                    rows[place].excludes = true;
                    conflicts.push(judged.conflict(&words));
                }
            }
            if case.add_solution(problem, judged) {
                again = 0;
            }
            for at in case.claims.split_off(again) {
                match case.contradiction(problem, &rows[at]) {
                    Some(words) => {
                        rows[at].excludes = true;
                        conflicts.push(rows[at].conflict(&words));
                    }
                    None => case.claims.push(at),
                }
            }
        }
        conflicts
    }
}

impl JudgedRow {
    fn conflict(&self, words: &str) -> Conflict {
        Conflict { id: self.id.clone(), words: format!("{}{words}", self.name) }
    }

    /// Returns `true` if the row excludes solutions and is not contradictory by itself.
    fn is_claim(&self) -> bool {
        self.assessment.fault.is_none() && (self.bound.is_some() || self.denied.is_some())
    }
}

impl Case {
    /// Adds the counts of a row. Returns their contradictions to those of earlier rows.
    fn add_counts(&mut self, row: &JudgedRow) -> Vec<String> {
        let mut contradictions = Vec::new();
        for (first, counted) in self.counted.iter_mut().zip(&row.counted) {
            let Some(counted) = counted else { continue };
            let (other, counter) = first.get_or_insert_with(|| (counted.clone(), row.name.clone()));
            if other != counted {
                contradictions
                    .push(format!(" counts {counted} maximum solutions, and {counter} counts {other}"));
            }
        }
        contradictions
    }

    /// Adds the solution of a row, if it has one. Returns `true` if no earlier one has as many queens.
    fn add_solution(&mut self, problem: Problem, row: &JudgedRow) -> bool {
        let Some(found) = row.found else { return false };
        if self.best.as_ref().is_none_or(|(best, _)| is_better(problem, found, *best)) {
            self.best = Some((found, row.name.clone()));
        }
        let Entry::Vacant(new) = self.found.entry(found) else { return false };
        new.insert(row.name.clone());
        true
    }

    /// Describes how a solution contradicts the claim of a row, if one does.
    fn contradiction(&self, problem: Problem, row: &JudgedRow) -> Option<String> {
        let (best, finder) = self.best.as_ref()?;
        if let Some(bound) = row.bound.filter(|bound| is_better(problem, *best, *bound)) {
            let more = if maximises(problem) { "more" } else { "fewer" };
            let queens = counted(bound, "queen");
            return Some(format!(" excludes {more} than {queens}, and {finder} found {best}, checked"));
        }
        let (found, finder) = self.found.range(row.denied.clone()?).next()?;
        let queens = counted(*found, "queen");
        Some(format!(" says that there is no such solution, and {finder} found one of {queens}, checked"))
    }
}

fn is_better(problem: Problem, number: i64, other: i64) -> bool {
    if maximises(problem) { number > other } else { number < other }
}

/// Returns `true` if more queens are better.
pub(super) fn maximises(problem: Problem) -> bool {
    problem.is_maximised()
}

/// Returns the problems that a solution of `problem` also solves.
fn solves(problem: Problem) -> &'static [Problem] {
    match problem {
        Problem::IndependentSet => &[Problem::IndependentSet],
        Problem::DominatingSet => &[Problem::DominatingSet],
        Problem::NoThreeInLine => &[Problem::NoThreeInLine],
        Problem::IndependentDominatingSet => {
            &[Problem::IndependentDominatingSet, Problem::DominatingSet, Problem::IndependentSet]
        }
    }
}

/// Tolerance when a floating-point bound is rounded to an integer.
const ROUNDING: f64 = 0.01;

/// Returns the bound on the best number of queens that an answer states: an upper bound if the problem is
/// maximised, else a lower bound.
fn bound(planned: &Planned, answer: &Answer) -> Option<i64> {
    let up = maximises(planned.problem);
    if let Some(asked) = planned.target() {
        // Removing a queen keeps a set independent, and adding one keeps it dominating, so infeasibility for
        // one number gives a bound. Sets that are both allow neither. The objective of a question about a
        // number is that number.
        let tells =
            answer.outcome == Outcome::Infeasible && planned.problem != Problem::IndependentDominatingSet;
        let asked = i64::try_from(asked).ok().filter(|_| tells)?;
        return Some(if up { asked - 1 } else { asked.saturating_add(1) });
    }
    let optimum = answer.incumbent.filter(|_| answer.outcome == Outcome::Optimal);
    let whole = |bound: f64| if up { (bound + ROUNDING).floor() } else { (bound - ROUNDING).ceil() } as i64;
    let floats = [answer.dual_bound, answer.root_lp_bound].map(|bound| bound.map(whole));
    let bounds = [optimum, answer.proved_bound].into_iter().chain(floats).flatten();
    if up { bounds.min() } else { bounds.max() }
}

/// Returns the numbers of queens for which an answer excludes a solution, if they do not form a bound. This
/// is the case for independent dominating sets: they may exist for some number and neither for one more nor
/// for one less.
fn excluded_range(planned: &Planned, answer: &Answer) -> Option<RangeInclusive<i64>> {
    if planned.problem != Problem::IndependentDominatingSet || answer.outcome != Outcome::Infeasible {
        return None;
    }
    let number = |k: u64| i64::try_from(k).unwrap_or(i64::MAX);
    match planned.question.goal() {
        Goal::Optimise => None,
        Goal::AtMost(k) => Some(0..=number(k)),
        Goal::AtLeast(k) => Some(number(k)..=i64::MAX),
        Goal::Exactly(k) => Some(number(k)..=number(k)),
    }
}

/// Judges an answer by itself and against the published values. `failure` is the reason why an
/// answer is missing, if it is.
#[must_use]
pub fn assess(planned: &Planned, answer: &Answer, failure: Option<&str>) -> Assessment {
    let wrong = |verdict, fault| Assessment { verdict, fault: Some(fault) };
    if let Some(fault) = fault(planned, answer) {
        return wrong(Verdict::FailSolutionInfeasible, fault);
    }
    if let Some(failure) = failure {
        // An answer that its own process refuted was never reported.
        return match answer.verdict.filter(|verdict| verdict.is_contradiction()) {
            Some(verdict) => wrong(verdict, failure.to_owned()),
            None => Assessment { verdict: Verdict::FailAbort, fault: None },
        };
    }
    let is_of_placements = planned.problem == Problem::IndependentSet;
    let known = known::lookup(&planned.question.board).filter(|_| is_of_placements);
    let verdict = verdict::on_maximum(&stated_answer(planned, answer), known);
    if let Some(known) = known.filter(|_| verdict.is_failure()) {
        let number = |n: Option<i64>| n.map_or_else(|| "none".to_owned(), |n| n.to_string());
        let words = format!(
            "{verdict}: its answer is {}, incumbent {}, bound {}, and {} published [{}]",
            answer.outcome,
            number(answer.incumbent),
            number(bound(planned, answer)),
            known.best(),
            known.source
        );
        return wrong(verdict, words);
    }
    match incoherence(planned, answer) {
        Some(words) => wrong(Verdict::FailInconsistent, words),
        None => Assessment { verdict, fault: None },
    }
}

/// Returns the numbers of queens that an answer reports as found and as excluded.
fn stated_answer(planned: &Planned, answer: &Answer) -> Stated {
    let queens = |n: i64| u64::try_from(n).ok();
    Stated {
        found: answer.incumbent.and_then(queens),
        excluded: bound(planned, answer).and_then(|bound| queens(bound.checked_add(1)?)),
        settled: matches!(answer.outcome, Outcome::Optimal | Outcome::Infeasible),
    }
}

/// Returns a contradiction within an answer, if there is one.
fn incoherence(planned: &Planned, answer: &Answer) -> Option<String> {
    let (outcome, asked) = (answer.outcome, planned.target());
    match (outcome, answer.incumbent) {
        (Outcome::Optimal, Some(found)) if asked.is_none() && answer.proved_bound != Some(found) => {
            let bound =
                answer.proved_bound.map_or_else(|| "no bound".to_owned(), |n| format!("the bound {n}"));
            Some(format!("it gives {} as the optimum, with {bound}", counted(found, "queen")))
        }
        (Outcome::Infeasible, None) if asked.is_none() => {
            Some("it says that there is no solution, and there is always a best one".to_owned())
        }
        (Outcome::Optimal | Outcome::Feasible, Some(_)) | (Outcome::Infeasible | Outcome::Unknown, None) => {
            None
        }
        (_, Some(found)) => {
            Some(format!("it reports \"{outcome}\", but has a solution of {}", counted(found, "queen")))
        }
        (_, None) => Some(format!("it reports \"{outcome}\", but has no solution")),
    }
}

/// Checks the solution of an answer from the definition, since the row may be wrong. Returns the fault, if
/// there is one.
fn fault(planned: &Planned, answer: &Answer) -> Option<String> {
    let Some(text) = &answer.certificate else {
        return answer.incumbent.map(|n| format!("it claims {} but has no solution", counted(n, "queen")));
    };
    let question = &planned.question;
    let certificate = match Certificate::parse_with(text, &question.board.file_opener()) {
        Ok(certificate) => certificate,
        Err(fault) => return Some(format!("its certificate cannot be read: {fault}")),
    };
    if let Err(fault) = verify::verify_on(&question.board, certificate.problem, &certificate) {
        return Some(format!("its certificate does not hold: {fault}"));
    }
    let size = certificate.size() as u64;
    if i64::try_from(size).ok() != answer.incumbent || certificate.problem != planned.problem {
        return Some(format!("its certificate shows something else: {} of {size}", certificate.problem));
    }
    let enough = match question.goal() {
        Goal::Optimise => true,
        Goal::AtLeast(k) => size >= k,
        Goal::AtMost(k) => size <= k,
        Goal::Exactly(k) => size == k,
    };
    if !enough {
        return Some(format!(
            "its certificate has {}, which does not satisfy the goal: {}",
            counted(size, "queen"),
            planned.variant
        ));
    }
    let digest = digest::of(text);
    (answer.certificate_sha256.as_ref() != Some(&digest))
        .then(|| "its certificate is not the one whose digest it gives".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{answer, row, sample_run, shows};

    /// Board without published values.
    const BOARD: &str = "2x3x4";
    const FOUR: &[&[u32]] = &[&[0, 0, 0], &[0, 2, 1], &[1, 0, 2], &[1, 2, 3]];

    fn answer_with(outcome: Outcome, queens: usize) -> Answer {
        shows(outcome, BOARD, Problem::IndependentSet, &FOUR[..queens])
    }

    /// Adds rows to a judge in this order. Returns all conflicts, and the verdict on each row at the end.
    fn judge_rows(rows: &[Finished]) -> (Vec<Conflict>, Vec<Verdict>) {
        let mut judge = Judge::default();
        let conflicts = rows.iter().flat_map(|row| judge.add(row)).collect();
        (conflicts, (0..rows.len()).map(|place| judge.verdict(place)).collect())
    }

    #[test]
    fn a_bound_that_excludes_a_solution_is_wrong_in_either_order() {
        let finder = row(sample_run(BOARD, "base", "maximise", 0), answer_with(Outcome::Feasible, 4));
        let denier = row(sample_run(BOARD, "base", "at least 4", 1), answer(Outcome::Infeasible));
        for rows in [[finder.clone(), denier.clone()], [denier.clone(), finder.clone()]] {
            let (conflicts, verdicts) = judge_rows(&rows);
            let [conflict] = &*conflicts else { panic!("{conflicts:?}") };
            assert_eq!(conflict.id, denier.planned.id);
            assert!(conflict.words.contains("excludes more than 3 queens"), "{}", conflict.words);
            assert!(conflict.words.ends_with("found 4, checked"), "{}", conflict.words);
            for (row, verdict) in rows.iter().zip(verdicts) {
                let wrong = row.planned.id == denier.planned.id;
                assert_eq!(verdict == Verdict::FailInconsistent, wrong);
            }
        }
        // The judge ignores the order of the axes.
        let turned = row(sample_run("4x3x2", "base", "at least 4", 1), answer(Outcome::Infeasible));
        assert_eq!(judge_rows(&[finder.clone(), turned]).0.len(), 1);
        let modest = row(sample_run(BOARD, "base", "at least 5", 1), answer(Outcome::Infeasible));
        assert_eq!(judge_rows(&[finder, modest]).0, []);
    }

    #[test]
    fn different_counts_of_a_board_contradict_each_other() {
        let counted = |seed: u32, solutions: &str, orbits: Option<&str>| {
            let answer = Answer {
                solutions: Some(solutions.to_owned()),
                up_to_symmetry: orbits.map(str::to_owned),
                ..answer_with(Outcome::Optimal, 4)
            };
            let answer = Answer { proved_bound: Some(4), ..answer };
            row(sample_run(BOARD, "base", "maximise", seed), answer)
        };
        assert_eq!(judge_rows(&[counted(0, "40", Some("5")), counted(1, "40", None)]).0, []);
        for other in [counted(1, "41", None), counted(1, "40", Some("6"))] {
            let (conflicts, verdicts) = judge_rows(&[counted(0, "40", Some("5")), other]);
            let [conflict] = &*conflicts else { panic!("{conflicts:?}") };
            assert!(conflict.words.contains("maximum solutions, and run"), "{}", conflict.words);
            assert_eq!(verdicts[1], Verdict::FailInconsistent);
        }
    }

    #[test]
    fn runs_of_several_folders_are_held_against_each_other() {
        let (mut a, mut b) = (Judge::default(), Judge::default());
        assert_eq!(
            a.add(&row(sample_run(BOARD, "base", "maximise", 0), answer_with(Outcome::Optimal, 3))),
            []
        );
        assert_eq!(
            b.add(&row(sample_run(BOARD, "cube", "maximise", 1), answer_with(Outcome::Feasible, 4))),
            []
        );
        let conflicts = Judge::between(&[("a", &a), ("b", &b)]);
        let [conflict] = &*conflicts else { panic!("{conflicts:?}") };
        assert!(conflict.words.contains("seed 0) of a excludes more than 3 queens"), "{}", conflict.words);
        assert_eq!((a.last(), b.last()), (Some(Verdict::SolvedNotVerified), Some(Verdict::Ok)));
    }

    #[test]
    fn an_answer_that_contradicts_itself_is_told() {
        let maximise = || sample_run(BOARD, "base", "maximise", 0);
        let unbounded = Answer { proved_bound: None, ..answer_with(Outcome::Optimal, 3) };
        let larger = Answer { proved_bound: Some(5), ..answer_with(Outcome::Optimal, 3) };
        for (planned, answer, words) in [
            (maximise(), unbounded, "it gives 3 queens as the optimum, with no bound"),
            (maximise(), larger, "it gives 3 queens as the optimum, with the bound 5"),
            (maximise(), answer(Outcome::Infeasible), "there is always a best one"),
            (maximise(), answer(Outcome::Optimal), "it reports \"optimal\", but has no solution"),
            (
                maximise(),
                answer_with(Outcome::Unknown, 3),
                "it reports \"unknown\", but has a solution of 3 queens",
            ),
            (maximise(), answer(Outcome::Open), "it reports \"open\", but has no solution"),
        ] {
            let assessment = assess(&planned, &answer, None);
            assert_eq!(assessment.verdict, Verdict::FailInconsistent, "{words}");
            let fault = assessment.fault.expect(words);
            assert!(fault.contains(words), "{fault}");
        }
        for (planned, answer) in [
            (maximise(), answer_with(Outcome::Optimal, 4)),
            (maximise(), answer_with(Outcome::Feasible, 1)),
            (maximise(), answer(Outcome::Unknown)),
            (sample_run(BOARD, "base", "at least 5", 0), answer(Outcome::Infeasible)),
        ] {
            assert_eq!(assess(&planned, &answer, None).fault, None);
        }
    }

    #[test]
    fn a_solution_that_does_not_hold_is_found_out() {
        let attacking: &[&[u32]] = &[&[0, 0, 0], &[0, 0, 1]];
        let good = answer_with(Outcome::Feasible, 3);
        for (variant, answer, words) in [
            (
                "maximise",
                Answer { certificate: None, ..good.clone() },
                "it claims 3 queens but has no solution",
            ),
            ("maximise", Answer { incumbent: Some(4), ..good.clone() }, "independent set of 3"),
            (
                "maximise",
                Answer { certificate_sha256: Some("00".to_owned()), ..good.clone() },
                "not the one whose digest it gives",
            ),
            ("at least 4", good.clone(), "does not satisfy the goal: at least 4"),
            ("exactly 4", good.clone(), "does not satisfy the goal: exactly 4"),
            (
                "maximise",
                shows(Outcome::Feasible, BOARD, Problem::IndependentSet, attacking),
                "its certificate does not hold",
            ),
            (
                "maximise",
                shows(Outcome::Feasible, "2x3x5", Problem::IndependentSet, FOUR),
                "its certificate does not hold",
            ),
            (
                "maximise",
                Answer { certificate: Some("?".to_owned()), ..good },
                "its certificate cannot be read",
            ),
        ] {
            let assessment = assess(&sample_run(BOARD, "base", variant, 0), &answer, None);
            assert_eq!(assessment.verdict, Verdict::FailSolutionInfeasible, "{words}");
            let fault = assessment.fault.expect(words);
            assert!(fault.contains(words), "{fault}");
        }
    }

    #[test]
    fn an_answer_is_held_against_the_published_value() {
        // The maximum of 3^3 is four queens.
        let shown = |queens: usize| {
            let squares: &[&[u32]] = &[&[0, 0, 0], &[0, 1, 2], &[1, 2, 0], &[2, 0, 1]];
            shows(Outcome::Optimal, "3^3", Problem::IndependentSet, &squares[..queens])
        };
        let maximise = sample_run("3^3", "base", "maximise", 0);
        let low = Answer { dual_bound: Some(3.2), ..answer(Outcome::Unknown) };
        let root = Answer { root_lp_bound: Some(3.5), ..answer(Outcome::Unknown) };
        for (planned, answer, verdict) in [
            (&maximise, shown(4), Verdict::Ok),
            (&maximise, shown(3), Verdict::FailObjectiveValue),
            (&maximise, low, Verdict::FailDualBound),
            (&maximise, root, Verdict::FailDualBound),
            (
                &sample_run("3^3", "base", "at least 4", 0),
                answer(Outcome::Infeasible),
                Verdict::FailDualBound,
            ),
            (&sample_run("3^3", "base", "k+1", 0), answer(Outcome::Infeasible), Verdict::Ok),
        ] {
            assert_eq!(assess(planned, &answer, None).verdict, verdict, "{answer:?}");
        }
    }

    #[test]
    fn a_failure_is_the_runs_own_unless_its_answer_was_refuted() {
        let planned = sample_run(BOARD, "base", "maximise", 0);
        let none = assess(&planned, &answer(Outcome::Unknown), Some("it crashed"));
        assert_eq!(none, Assessment { verdict: Verdict::FailAbort, fault: None });
        let refuted = Answer { verdict: Some(Verdict::FailInconsistent), ..answer(Outcome::Unknown) };
        let refuted = assess(&planned, &refuted, Some("here is a better one"));
        assert_eq!(refuted.fault.as_deref(), Some("here is a better one"));
    }

    #[test]
    fn a_number_that_was_found_is_not_denied() {
        let three: &[&[u32]] = &[&[0, 0], &[1, 2], &[3, 1]];
        let problem = Problem::IndependentDominatingSet;
        let finder = row(
            sample_run("4^2", "independent-domination", "exactly 3", 0),
            shows(Outcome::Feasible, "4^2", problem, three),
        );
        for (variant, denied) in [
            ("exactly 3", true),
            ("at least 3", true),
            ("at most 4", true),
            ("exactly 2", false),
            ("at most 2", false),
        ] {
            let denier =
                row(sample_run("4^2", "independent-domination", variant, 1), answer(Outcome::Infeasible));
            let (conflicts, _) = judge_rows(&[finder.clone(), denier]);
            assert_eq!(conflicts.len(), usize::from(denied), "{variant}: {conflicts:?}");
        }
        // The solution is independent and dominating, so it counts for both weaker problems.
        let bound = Answer { proved_bound: Some(4), ..answer(Outcome::Unknown) };
        let dominating = row(sample_run("4^2", "domination", "minimise", 1), bound);
        let (conflicts, _) = judge_rows(&[finder, dominating]);
        assert!(conflicts[0].words.contains("excludes fewer than 4 queens"), "{conflicts:?}");
    }
}
