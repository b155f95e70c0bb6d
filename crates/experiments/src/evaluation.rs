//! The rows of a folder, judged and made comparable: which run solved its question, what it took, how runs are summed up.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::path::Path;

use ndqueens_model::facts::known;
use ndqueens_notation::certificate::Problem;
use ndqueens_record::{Outcome, Verdict};

use crate::definition::Clock;
use crate::judge::{self, Conflict, Judge};
use crate::planned::Planned;
use crate::statistics::{mean, shifted_geometric_mean};
use crate::store::{self, Finished, Found, StoreError};

/// Seconds that are added to times for their geometric mean.
pub const SHIFT_SECONDS: f64 = 1.0;
/// What is added to nodes and to simplex iterations for their geometric means.
pub const SHIFT_COUNT: f64 = 100.0;

/// The folder of an experiment, ready for tables and plots.
#[derive(Debug)]
pub struct Evaluation {
    /// The title of the experiment.
    pub title: String,
    /// Which seconds are meant.
    pub clock: Clock,
    /// The configurations in the order of the plan: formulation, variant, and what else is not the default.
    pub configurations: Vec<String>,
    /// The boards in the order of the plan, each once for every problem.
    pub boards: Vec<Place>,
    /// The places of the runs on every board.
    by_board: Vec<Vec<usize>>,
    /// The place among `configurations` of the one that speed-ups are against.
    pub reference: usize,
    /// The runs in the order of the plan.
    pub runs: Vec<Run>,
    /// How many runs of the plan have no row.
    pub missing: usize,
    /// Answers in the folder that cannot be right, also of runs that are not in the plan.
    pub conflicts: Vec<Conflict>,
    /// What was made of all rows of the folder.
    pub judge: Judge,
}

/// A board and what is sought on it: values of different problems are never beside each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The board.
    pub board: String,
    /// What a solution is.
    pub problem: Problem,
}

/// A run that has ended, judged in the light of all others.
#[derive(Debug)]
pub struct Run {
    /// Its row.
    pub row: Finished,
    /// The place of its configuration.
    pub configuration: usize,
    /// The place of its board and problem.
    pub board: usize,
    /// What its answer is worth.
    pub verdict: Verdict,
    /// Whether it gave the answer that was asked for, and nothing speaks against it.
    pub solved: bool,
    /// Its seconds. One that failed counts its time limit, or what it took if that is more or there is none.
    pub seconds: f64,
}

/// A number of runs summed up. One that was not solved counts what it had taken, so that they say: at least this.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Arithmetic mean.
    pub mean: f64,
    /// The least.
    pub least: f64,
    /// Whether a run that was solved has the least.
    pub least_solved: bool,
    /// The most.
    pub most: f64,
    /// The shifted geometric mean.
    pub geometric: f64,
}

/// Runs of one configuration, summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many there are.
    pub runs: usize,
    /// How many of them solved their question.
    pub solved: usize,
    /// How many gave no answer, or a wrong one.
    pub failed: usize,
    /// Seconds.
    pub seconds: Measure,
    /// Simplex iterations, where all runs tell.
    pub lp_iterations: Option<Measure>,
    /// Branch-and-bound nodes, where all runs tell.
    pub nodes: Option<Measure>,
}

/// Why there is nothing of this name.
#[derive(Debug, thiserror::Error)]
#[error("no run was made {how} \"{asked}\"; there is \"{}\"", known.join("\", \""))]
pub struct Unknown {
    how: &'static str,
    asked: String,
    known: Vec<String>,
}

/// Names, each once, in the order in which they came.
struct Places<T> {
    names: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self { names: Vec::new(), places: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Places<T> {
    /// The place of a name.
    fn of(&mut self, name: T) -> usize {
        *self.places.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() - 1
        })
    }
}

/// The places of the runs on every board.
fn by_board(boards: usize, runs: &[Run]) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); boards];
    for (at, run) in runs.iter().enumerate() {
        places[run.board].push(at);
    }
    places
}

impl Measure {
    /// Of values, and whether the run of each was solved.
    fn of(runs: &[(f64, bool)], shift: f64) -> Option<Self> {
        let values: &[f64] = &runs.iter().map(|(value, _)| *value).collect::<Vec<_>>();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        Some(Self {
            mean: mean(values)?,
            least,
            least_solved: runs.iter().any(|(value, solved)| *solved && *value <= least),
            most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            geometric: shifted_geometric_mean(values, shift)?,
        })
    }
}

impl Summary {
    /// Sums runs up; `None` when there is none.
    #[must_use]
    pub fn of(runs: &[&Run]) -> Option<Self> {
        let counts = |count: &dyn Fn(&Run) -> Option<u64>| {
            let values: Option<Vec<_>> =
                runs.iter().map(|run| Some((count(run)? as f64, run.solved))).collect();
            Measure::of(&values?, SHIFT_COUNT)
        };
        let seconds: Vec<_> = runs.iter().map(|run| (run.seconds, run.solved)).collect();
        Some(Self {
            runs: runs.len(),
            solved: runs.iter().filter(|run| run.solved).count(),
            failed: runs.iter().filter(|run| run.failed()).count(),
            seconds: Measure::of(&seconds, SHIFT_SECONDS)?,
            lp_iterations: counts(&|run| run.row.answer.lp_iterations),
            nodes: counts(&|run| run.row.answer.nodes),
        })
    }

    /// Whether all of its runs solved their question.
    #[must_use]
    pub fn all_solved(&self) -> bool {
        self.solved == self.runs
    }
}

impl Run {
    /// Whether it gave no answer, be it that it was killed at a limit, or a wrong one; a limit that it kept is no failure.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.verdict.is_failure()
    }

    /// The solver's seed.
    #[must_use]
    pub fn seed(&self) -> u32 {
        self.row.planned.question.seed
    }

    fn of(row: Finished, verdict: Verdict, clock: Clock, places: (usize, usize)) -> Self {
        let answer = &row.answer;
        let decided = matches!(answer.outcome, Outcome::Optimal | Outcome::Infeasible);
        // A question about a number is answered by any solution.
        let found = answer.incumbent.is_some() && row.planned.asked().is_some();
        let solved = (decided || found) && !verdict.is_failure();
        let took = match clock {
            Clock::Wall => answer.wall_seconds,
            Clock::Cpu => answer.cpu_seconds,
        };
        let (board, configuration) = places;
        let mut run = Self { row, configuration, board, verdict, solved, seconds: took };
        if run.failed() {
            run.seconds = took.max(run.row.planned.question.time_limit_seconds.unwrap_or(0.0));
        }
        run
    }
}

impl Evaluation {
    /// Reads a folder and judges its rows. `clock` and `reference`, when given, replace what the experiment file says.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn read(folder: &Path, clock: Option<Clock>) -> Result<Self, StoreError> {
        let found = store::read(folder)?;
        Ok(Self::of(found, clock))
    }

    /// Judges what was found in a folder.
    #[must_use]
    pub fn of(found: Found, clock: Option<Clock>) -> Self {
        let Found { title, tables, rows, missing, others } = found;
        let clock = clock.unwrap_or(tables.time);
        let mut judge = Judge::default();
        let conflicts = rows.iter().chain(&others).flat_map(|row| judge.hear(row)).collect();
        let (mut configurations, mut boards) = (Places::default(), Places::default());
        let mut runs = Vec::with_capacity(rows.len());
        for (place_heard, row) in rows.into_iter().enumerate() {
            let Planned { question, problem, .. } = &row.planned;
            let board = Place { board: question.board.to_string(), problem: *problem };
            let board = boards.of(board);
            let configuration = configurations.of(row.planned.configuration());
            runs.push(Run::of(row, judge.verdict(place_heard), clock, (board, configuration)));
        }
        let (configurations, boards) = (configurations.names, boards.names);
        let by_board = by_board(boards.len(), &runs);
        let named = tables.reference.map(toml::Spanned::into_inner);
        let reference = named
            .and_then(|named| configurations.iter().position(|configuration| *configuration == named))
            .unwrap_or(0);
        Self { title, clock, configurations, boards, by_board, reference, runs, missing, conflicts, judge }
    }

    /// Takes another configuration as the one that speed-ups are against.
    ///
    /// # Errors
    /// When no run has it.
    pub fn against(&mut self, configuration: &str) -> Result<(), Unknown> {
        let place = self.configurations.iter().position(|known| known == configuration);
        self.reference = place.ok_or_else(|| Unknown {
            how: "with the configuration",
            asked: configuration.to_owned(),
            known: self.configurations.clone(),
        })?;
        Ok(())
    }

    /// Keeps the runs on these boards only. They are judged in the light of all.
    ///
    /// # Errors
    /// When there is none on one of them.
    pub fn restrict_to(&mut self, boards: &[String]) -> Result<(), Unknown> {
        let there = |board: &String| self.boards.iter().any(|place| place.board == *board);
        if let Some(unknown) = boards.iter().find(|board| !there(board)) {
            let mut known: Vec<String> = self.boards.iter().map(|place| place.board.clone()).collect();
            let mut seen = HashSet::new();
            known.retain(|board| seen.insert(board.clone()));
            return Err(Unknown { how: "on", asked: unknown.clone(), known });
        }
        self.runs.retain(|run| boards.contains(&self.boards[run.board].board));
        self.by_board = by_board(self.boards.len(), &self.runs);
        Ok(())
    }

    /// The runs on a board.
    pub fn on(&self, board: usize) -> impl Iterator<Item = &Run> {
        self.by_board[board].iter().map(|&at| &self.runs[at])
    }

    /// The runs of a configuration on a board.
    #[must_use]
    pub fn cell(&self, configuration: usize, board: usize) -> Vec<&Run> {
        self.on(board).filter(|run| run.configuration == configuration).collect()
    }

    /// The problems in the order of the plan.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Places::default();
        for Place { problem, .. } in &self.boards {
            problems.of(*problem);
        }
        problems.names
    }

    /// The title, with the problem where the experiment has several.
    #[must_use]
    pub fn titled(&self, problem: Problem) -> String {
        let Self { title, .. } = self;
        if self.problems().len() > 1 { format!("{title}: {problem}s") } else { title.clone() }
    }

    /// How many runs have an answer that cannot be right.
    #[must_use]
    pub fn in_contradiction(&self) -> usize {
        self.runs.iter().filter(|run| run.verdict.is_contradiction()).count()
    }

    /// The places of the boards with a problem.
    #[must_use]
    pub fn boards_of(&self, problem: Problem) -> Vec<usize> {
        (0..self.boards.len()).filter(|&board| self.boards[board].problem == problem).collect()
    }

    /// The places of the configurations that a problem was run with.
    #[must_use]
    pub fn configurations_of(&self, problem: Problem) -> Vec<usize> {
        let run_with = |configuration: &usize| {
            self.runs
                .iter()
                .any(|run| run.configuration == *configuration && self.boards[run.board].problem == problem)
        };
        (0..self.configurations.len()).filter(run_with).collect()
    }

    /// The configuration that speed-ups are against on a problem: the reference, or the first one where the reference is about another
    /// problem.
    #[must_use]
    pub fn reference_of(&self, problem: Problem) -> usize {
        let configurations = self.configurations_of(problem);
        if configurations.contains(&self.reference) {
            self.reference
        } else {
            configurations.first().copied().unwrap_or(0)
        }
    }

    /// The boards and seeds that every configuration of a problem was run with: what configurations are compared on, for another set of runs would
    /// be another question.
    #[must_use]
    pub fn common(&self, problem: Problem) -> HashSet<(usize, u32)> {
        let of = |configuration| -> HashSet<_> {
            let runs = self.runs.iter().filter(|run| run.configuration == configuration);
            let runs = runs.filter(|run| self.boards[run.board].problem == problem);
            runs.map(|run| (run.board, run.seed())).collect()
        };
        let sets = self.configurations_of(problem).into_iter().map(of);
        sets.reduce(|common, set| &common & &set).unwrap_or_default()
    }

    /// Of these boards and seeds those on whose boards every run of every configuration was solved.
    #[must_use]
    pub fn solved_by_all(&self, common: &HashSet<(usize, u32)>) -> HashSet<(usize, u32)> {
        let unsolved: HashSet<usize> = self
            .runs
            .iter()
            .filter(|run| !run.solved && common.contains(&(run.board, run.seed())))
            .map(|run| run.board)
            .collect();
        common.iter().copied().filter(|(board, _)| !unsolved.contains(board)).collect()
    }

    /// The runs of a configuration among these boards and seeds.
    #[must_use]
    pub fn among(&self, configuration: usize, set: &HashSet<(usize, u32)>) -> Vec<&Run> {
        let inside =
            |run: &&Run| run.configuration == configuration && set.contains(&(run.board, run.seed()));
        self.runs.iter().filter(inside).collect()
    }

    /// The best number of queens on a board, as far as one knows: the published value, or the best checked solution of this
    /// folder where nothing is published; and whether better ones may be there.
    #[must_use]
    pub fn queens(&self, board: usize) -> Option<(u64, bool)> {
        let here = || self.on(board);
        let planned = &here().next()?.row.planned;
        if planned.problem == Problem::IndependentSet
            && let Some(known) = known::lookup(&planned.question.board)
        {
            return Some((known.lower?, known.maximum().is_none()));
        }
        let optimal = |run: &&Run| run.solved && run.row.answer.outcome == Outcome::Optimal;
        let found = || here().filter(|run| run.row.answer.incumbent.is_some());
        let best = match here().find(optimal) {
            Some(best) => best,
            None if judge::maximises(planned.problem) => {
                found().max_by_key(|run| run.row.answer.incumbent)?
            }
            None => found().min_by_key(|run| run.row.answer.incumbent)?,
        };
        let queens = u64::try_from(best.row.answer.incumbent?).ok()?;
        Some((queens, !optimal(&best)))
    }

    /// How many seeds each configuration was run with on each board.
    #[must_use]
    pub fn seeds(&self) -> Vec<usize> {
        let mut seeds: HashMap<(usize, usize), HashSet<u32>> = HashMap::new();
        for run in &self.runs {
            seeds.entry((run.configuration, run.board)).or_default().insert(run.seed());
        }
        seeds.into_values().map(|seeds| seeds.len()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Tables;
    use crate::sample::{answer, planned, row, shows};

    /// Nothing is published of this board.
    const BOARD: &str = "2x3x4";
    const FOUR: &[&[u32]] = &[&[0, 0, 0], &[0, 2, 1], &[1, 0, 2], &[1, 2, 3]];

    fn made(formulation: &str, seed: u32, outcome: Outcome, queens: usize, seconds: f64) -> Finished {
        let mut answer = shows(outcome, BOARD, Problem::IndependentSet, &FOUR[..queens]);
        answer.wall_seconds = seconds;
        row(planned(BOARD, formulation, "maximise", seed), answer)
    }

    fn evaluation(rows: Vec<Finished>, clock: Option<Clock>) -> Evaluation {
        let tables = Tables::default();
        Evaluation::of(Found { title: "t".to_owned(), tables, rows, missing: 0, others: Vec::new() }, clock)
    }

    #[test]
    fn a_run_is_solved_when_its_question_is_answered_and_nothing_speaks_against_it() {
        let number = |outcome| row(planned(BOARD, "base", "at least 5", 0), answer(outcome));
        let some = shows(Outcome::Feasible, BOARD, Problem::IndependentSet, FOUR);
        let wrong = row(planned(BOARD, "base", "at least 2", 3), answer(Outcome::Infeasible));
        let rows = vec![
            made("base", 0, Outcome::Optimal, 4, 1.0),
            made("base", 1, Outcome::Feasible, 4, 1.0),
            number(Outcome::Infeasible),
            number(Outcome::Unknown),
            row(planned(BOARD, "base", "at least 3", 2), some),
            wrong,
        ];
        let evaluation = evaluation(rows, None);
        let solved: Vec<_> = evaluation.runs.iter().map(|run| run.solved).collect();
        assert_eq!(solved, [true, false, true, false, true, false]);
        assert_eq!(evaluation.conflicts.len(), 1);
        assert_eq!(evaluation.in_contradiction(), 1);
        // One that failed counts its time limit.
        assert_eq!((evaluation.runs[5].seconds, evaluation.runs[0].seconds), (60.0, 1.0));
    }

    #[test]
    fn runs_are_summed_up_by_configuration() {
        let rows = vec![
            made("base", 0, Outcome::Optimal, 4, 1.0),
            made("cube", 0, Outcome::Optimal, 4, 3.0),
            made("base", 1, Outcome::Feasible, 4, 2.0),
        ];
        let evaluation = evaluation(rows, None);
        assert_eq!(evaluation.configurations, ["base", "cube"]);
        let summary = Summary::of(&evaluation.cell(0, 0)).expect("two runs");
        assert_eq!((summary.runs, summary.solved, summary.failed, summary.all_solved()), (2, 1, 0, false));
        let Measure { mean, least, least_solved, most, .. } = summary.seconds;
        assert_eq!((mean, least, least_solved, most), (1.5, 1.0, true, 2.0));
        assert_eq!(summary.nodes, None);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn configurations_are_compared_on_what_all_were_run_with() {
        let rows = vec![
            made("base", 0, Outcome::Optimal, 4, 1.0),
            made("base", 1, Outcome::Optimal, 4, 1.0),
            made("cube", 0, Outcome::Feasible, 4, 1.0),
        ];
        let mut evaluation = evaluation(rows, None);
        let common = evaluation.common(Problem::IndependentSet);
        assert_eq!(common, HashSet::from([(0, 0)]));
        assert_eq!(evaluation.among(0, &common).len(), 1);
        assert!(evaluation.solved_by_all(&common).is_empty());
        assert_eq!(evaluation.problems(), [Problem::IndependentSet]);
        evaluation.against("cube").expect("it was run");
        assert_eq!(evaluation.reference_of(Problem::IndependentSet), 1);
        let unknown = evaluation.against("star").expect_err("not run").to_string();
        assert_eq!(unknown, "no run was made with the configuration \"star\"; there is \"base\", \"cube\"");
        assert!(evaluation.restrict_to(&["9^9".to_owned()]).is_err());
        evaluation.restrict_to(&[BOARD.to_owned()]).expect("it was run");
        assert_eq!(evaluation.on(0).count(), 3);
    }

    #[test]
    fn the_clock_says_which_seconds_count() {
        let rows = || vec![made("base", 0, Outcome::Optimal, 4, 1.0)];
        assert_eq!(evaluation(rows(), None).runs[0].seconds, 1.0);
        assert_eq!(evaluation(rows(), Some(Clock::Cpu)).runs[0].seconds, 2.0);
    }

    #[test]
    fn the_best_number_of_queens_is_the_published_one_or_that_of_the_folder() {
        let queens = |rows| evaluation(rows, None).queens(0);
        assert_eq!(queens(vec![made("base", 0, Outcome::Feasible, 3, 1.0)]), Some((3, true)));
        let two = vec![made("base", 0, Outcome::Feasible, 3, 1.0), made("cube", 0, Outcome::Optimal, 4, 1.0)];
        assert_eq!(queens(two), Some((4, false)));
        assert_eq!(
            queens(vec![row(planned("3^3", "base", "maximise", 0), answer(Outcome::Unknown))]),
            Some((4, false))
        );
        assert_eq!(queens(vec![row(planned(BOARD, "base", "maximise", 0), answer(Outcome::Unknown))]), None);
    }
}
