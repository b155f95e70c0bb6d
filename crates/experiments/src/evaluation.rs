//! Evaluates the rows of a folder: which runs solved their question, what they took, and summaries of runs.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::path::Path;

use ndqueens_model::facts::known;
use ndqueens_notation::certificate::Problem;
use ndqueens_system::note::Notes;
use ndqueens_workflow::record::{Outcome, Stop, Verdict};

use crate::definition::Clock;
use crate::error::ExperimentError;
use crate::judge::{self, Conflict, Judge};
use crate::planned::Planned;
use crate::statistics::{mean, shifted_geometric_mean};
use crate::store::{self, Finished, Found};

/// Seconds added to times for their shifted geometric mean.
pub const SHIFT_SECONDS: f64 = 1.0;
/// Number added to nodes and to simplex iterations for their shifted geometric means.
pub const SHIFT_COUNT: f64 = 100.0;

/// Evaluated folder of an experiment, the input of tables and plots.
#[derive(Debug)]
pub struct Evaluation {
    /// Title of the experiment.
    pub title: String,
    /// Kind of time that is used.
    pub clock: Clock,
    /// Configurations in the order of the plan: formulation, variant, and settings that are not the default.
    pub configurations: Vec<String>,
    /// Boards in the order of the plan, each once for every problem.
    pub boards: Vec<Place>,
    /// Indices of the runs on every board.
    by_board: Vec<Vec<usize>>,
    /// Index in `configurations` of the one to which speed-ups are relative.
    pub reference: usize,
    /// Runs in the order of the plan.
    pub runs: Vec<Run>,
    /// Number of runs of the plan without a row.
    pub missing: usize,
    /// Contradictions among the answers in the folder, including runs that are not in the plan.
    pub conflicts: Vec<Conflict>,
    /// Judge that has seen all rows of the folder.
    pub judge: Judge,
}

/// Board with a problem. Values of different problems are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Name of the board.
    pub board: String,
    /// Problem that is solved on it.
    pub problem: Problem,
}

/// Finished run, judged together with all others.
#[derive(Debug)]
pub struct Run {
    /// Row of the run.
    pub row: Finished,
    /// Index of its configuration.
    pub configuration: usize,
    /// Index of its board and problem.
    pub board: usize,
    /// Verdict on its answer.
    pub verdict: Verdict,
    /// `true` if the question is answered and no contradiction to the answer is known.
    pub solved: bool,
    /// Seconds that the run counts with. A failed run counts with its time limit, or with the time that it
    /// took if that is more or there is no limit.
    pub seconds: f64,
}

/// Summary of a quantity over runs. An unsolved run counts with what it had taken, so that the values are
/// lower bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Arithmetic mean.
    pub mean: f64,
    /// Minimum.
    pub least: f64,
    /// `true` if a solved run attains the minimum.
    pub least_solved: bool,
    /// Maximum.
    pub most: f64,
    /// Shifted geometric mean.
    pub geometric: f64,
}

/// Summary of the runs of one configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Number of runs.
    pub runs: usize,
    /// Number of runs that solved their question.
    pub solved: usize,
    /// Number of runs without an answer or with a wrong one.
    pub failed: usize,
    /// Seconds.
    pub seconds: Measure,
    /// Simplex iterations; `None` unless all runs report them.
    pub lp_iterations: Option<Measure>,
    /// Branch-and-bound nodes; `None` unless all runs report them.
    pub nodes: Option<Measure>,
}

/// Error for a configuration or board without runs.
#[derive(Debug, thiserror::Error)]
#[error("no run was made {how} \"{asked}\"; there is \"{}\"", known.join("\", \""))]
pub struct Unknown {
    how: &'static str,
    asked: String,
    known: Vec<String>,
}

/// Distinct names in order of their first occurrence.
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
    /// Returns the index of a name, which is added if it is new.
    fn of(&mut self, name: T) -> usize {
        *self.places.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() - 1
        })
    }
}

/// Returns the indices of the runs on every board.
fn by_board(boards: usize, runs: &[Run]) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); boards];
    for (at, run) in runs.iter().enumerate() {
        places[run.board].push(at);
    }
    places
}

impl Measure {
    /// Summarises values, each with a flag that is `true` if its run was solved.
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
    /// Summarises runs. Returns `None` for an empty list.
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
            failed: runs.iter().filter(|run| run.has_failed()).count(),
            seconds: Measure::of(&seconds, SHIFT_SECONDS)?,
            lp_iterations: counts(&|run| run.row.answer.lp_iterations),
            nodes: counts(&|run| run.row.answer.nodes),
        })
    }

    /// Returns `true` if all runs solved their question.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.solved == self.runs
    }
}

impl Run {
    /// Returns `true` if the run gave no answer, for example because it was killed at a limit, or a wrong
    /// one. Stopping at its own limit is not a failure.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.verdict.is_failure()
    }

    /// Returns the solver's seed.
    #[must_use]
    pub fn seed(&self) -> u32 {
        self.row.planned.question.seed
    }

    fn of(row: Finished, verdict: Verdict, clock: Clock, places: (usize, usize)) -> Self {
        let answer = &row.answer;
        let decided = matches!(answer.outcome, Outcome::Optimal | Outcome::Infeasible);
        // Any solution answers a question about a number of queens.
        let found = answer.incumbent.is_some() && row.planned.target().is_some();
        let bounded =
            row.planned.is_relaxation() && answer.root_lp_bound.is_some() && answer.stop == Stop::Finished;
        let solved = (decided || found || bounded) && !verdict.is_failure();
        let took = match clock {
            Clock::Wall => answer.wall_seconds,
            Clock::Cpu => answer.cpu_seconds,
        };
        let (board, configuration) = places;
        let mut run = Self { row, configuration, board, verdict, solved, seconds: took };
        if run.has_failed() {
            run.seconds = took.max(run.row.planned.question.time_limit_seconds.unwrap_or(0.0));
        }
        run
    }
}

impl Evaluation {
    /// Reads a folder and judges its rows. `clock`, if given, replaces the setting of the experiment file.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn read(folder: &Path, clock: Option<Clock>, notes: &Notes) -> Result<Self, ExperimentError> {
        let found = store::read(folder, notes)?;
        Ok(Self::of(found, clock))
    }

    /// Judges the rows that were found in a folder.
    #[must_use]
    pub fn of(found: Found, clock: Option<Clock>) -> Self {
        let Found { title, tables, rows, missing, others } = found;
        let clock = clock.unwrap_or(tables.time);
        let mut judge = Judge::default();
        let conflicts = rows.iter().chain(&others).flat_map(|row| judge.add(row)).collect();
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

    /// Sets the configuration to which speed-ups are relative.
    ///
    /// # Errors
    /// Returns an error if no run has this configuration.
    pub fn against(&mut self, configuration: &str) -> Result<(), Unknown> {
        let place = self.configurations.iter().position(|known| known == configuration);
        self.reference = place.ok_or_else(|| Unknown {
            how: "with the configuration",
            asked: configuration.to_owned(),
            known: self.configurations.clone(),
        })?;
        Ok(())
    }

    /// Keeps only the runs on these boards. Their verdicts still take all runs into account.
    ///
    /// # Errors
    /// Returns an error if one of the boards has no run.
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

    /// Returns the runs on a board.
    pub fn on(&self, board: usize) -> impl Iterator<Item = &Run> {
        self.by_board[board].iter().map(|&at| &self.runs[at])
    }

    /// Returns the runs of a configuration on a board.
    #[must_use]
    pub fn cell(&self, configuration: usize, board: usize) -> Vec<&Run> {
        self.on(board).filter(|run| run.configuration == configuration).collect()
    }

    /// Returns the problems in the order of the plan.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Places::default();
        for Place { problem, .. } in &self.boards {
            problems.of(*problem);
        }
        problems.names
    }

    /// Returns the title, followed by the problem if the experiment has several.
    #[must_use]
    pub fn title_for(&self, problem: Problem) -> String {
        let Self { title, .. } = self;
        if self.problems().len() > 1 { format!("{title}: {problem}s") } else { title.clone() }
    }

    /// Returns the number of runs whose answer contradicts another fact.
    #[must_use]
    pub fn in_contradiction(&self) -> usize {
        self.runs.iter().filter(|run| run.verdict.is_contradiction()).count()
    }

    /// Returns the indices of the boards with a problem.
    #[must_use]
    pub fn boards_of(&self, problem: Problem) -> Vec<usize> {
        (0..self.boards.len()).filter(|&board| self.boards[board].problem == problem).collect()
    }

    /// Returns `true` if the runs of a configuration solve LP relaxations only.
    #[must_use]
    pub fn is_relaxation(&self, configuration: usize) -> bool {
        let mut runs = self.runs.iter().filter(|run| run.configuration == configuration);
        runs.any(|run| run.row.planned.is_relaxation())
    }

    /// Returns the indices of the configurations with runs of a problem, other than LP relaxations.
    #[must_use]
    pub fn configurations_of(&self, problem: Problem) -> Vec<usize> {
        let run_with = |configuration: &usize| {
            self.runs
                .iter()
                .any(|run| run.configuration == *configuration && self.boards[run.board].problem == problem)
        };
        let solves = |configuration: &usize| !self.is_relaxation(*configuration);
        (0..self.configurations.len()).filter(run_with).filter(solves).collect()
    }

    /// Returns the configuration to which speed-ups on a problem are relative: the reference, or the first
    /// one if the reference has no runs of this problem.
    #[must_use]
    pub fn reference_of(&self, problem: Problem) -> usize {
        let configurations = self.configurations_of(problem);
        if configurations.contains(&self.reference) {
            self.reference
        } else {
            configurations.first().copied().unwrap_or(0)
        }
    }

    /// Returns the boards and seeds with which every configuration of a problem was run. Configurations are
    /// compared on these only, because means over different sets of runs are not comparable.
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

    /// Returns the pairs of `common` on whose boards every run of every configuration was solved. Runs
    /// outside `common` are ignored.
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

    /// Returns the runs of a configuration whose board and seed are in `set`.
    #[must_use]
    pub fn among(&self, configuration: usize, set: &HashSet<(usize, u32)>) -> Vec<&Run> {
        let inside =
            |run: &&Run| run.configuration == configuration && set.contains(&(run.board, run.seed()));
        self.runs.iter().filter(inside).collect()
    }

    /// Returns the best known number of queens on a board, and `true` if a better one may exist. It is the
    /// published value, or else that of the best checked solution in this folder.
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

    /// Returns the number of seeds for every pair of configuration and board, in no particular order.
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
    use crate::sample::{answer, row, sample_run, shows};

    /// Board without published values.
    const BOARD: &str = "2x3x4";
    const FOUR: &[&[u32]] = &[&[0, 0, 0], &[0, 2, 1], &[1, 0, 2], &[1, 2, 3]];

    fn sample_row(formulation: &str, seed: u32, outcome: Outcome, queens: usize, seconds: f64) -> Finished {
        let mut answer = shows(outcome, BOARD, Problem::IndependentSet, &FOUR[..queens]);
        answer.wall_seconds = seconds;
        row(sample_run(BOARD, formulation, "maximise", seed), answer)
    }

    fn evaluation(rows: Vec<Finished>, clock: Option<Clock>) -> Evaluation {
        let tables = Tables::default();
        Evaluation::of(Found { title: "t".to_owned(), tables, rows, missing: 0, others: Vec::new() }, clock)
    }

    #[test]
    fn a_run_is_solved_when_its_question_is_answered_and_nothing_speaks_against_it() {
        let number = |outcome| row(sample_run(BOARD, "base", "at least 5", 0), answer(outcome));
        let some = shows(Outcome::Feasible, BOARD, Problem::IndependentSet, FOUR);
        let wrong = row(sample_run(BOARD, "base", "at least 2", 3), answer(Outcome::Infeasible));
        let rows = vec![
            sample_row("base", 0, Outcome::Optimal, 4, 1.0),
            sample_row("base", 1, Outcome::Feasible, 4, 1.0),
            number(Outcome::Infeasible),
            number(Outcome::Unknown),
            row(sample_run(BOARD, "base", "at least 3", 2), some),
            wrong,
        ];
        let evaluation = evaluation(rows, None);
        let solved: Vec<_> = evaluation.runs.iter().map(|run| run.solved).collect();
        assert_eq!(solved, [true, false, true, false, true, false]);
        assert_eq!(evaluation.conflicts.len(), 1);
        assert_eq!(evaluation.in_contradiction(), 1);
        // A failed run counts with its time limit.
        assert_eq!((evaluation.runs[5].seconds, evaluation.runs[0].seconds), (60.0, 1.0));
    }

    #[test]
    fn runs_are_summed_up_by_configuration() {
        let rows = vec![
            sample_row("base", 0, Outcome::Optimal, 4, 1.0),
            sample_row("cube", 0, Outcome::Optimal, 4, 3.0),
            sample_row("base", 1, Outcome::Feasible, 4, 2.0),
        ];
        let evaluation = evaluation(rows, None);
        assert_eq!(evaluation.configurations, ["base", "cube"]);
        let summary = Summary::of(&evaluation.cell(0, 0)).expect("two runs");
        assert_eq!((summary.runs, summary.solved, summary.failed, summary.is_solved()), (2, 1, 0, false));
        let Measure { mean, least, least_solved, most, .. } = summary.seconds;
        assert_eq!((mean, least, least_solved, most), (1.5, 1.0, true, 2.0));
        assert_eq!(summary.nodes, None);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn configurations_are_compared_on_what_all_were_run_with() {
        let rows = vec![
            sample_row("base", 0, Outcome::Optimal, 4, 1.0),
            sample_row("base", 1, Outcome::Optimal, 4, 1.0),
            sample_row("cube", 0, Outcome::Feasible, 4, 1.0),
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
        let rows = || vec![sample_row("base", 0, Outcome::Optimal, 4, 1.0)];
        assert_eq!(evaluation(rows(), None).runs[0].seconds, 1.0);
        assert_eq!(evaluation(rows(), Some(Clock::Cpu)).runs[0].seconds, 2.0);
    }

    #[test]
    fn the_best_number_of_queens_is_the_published_one_or_that_of_the_folder() {
        let queens = |rows| evaluation(rows, None).queens(0);
        assert_eq!(queens(vec![sample_row("base", 0, Outcome::Feasible, 3, 1.0)]), Some((3, true)));
        let two = vec![
            sample_row("base", 0, Outcome::Feasible, 3, 1.0),
            sample_row("cube", 0, Outcome::Optimal, 4, 1.0),
        ];
        assert_eq!(queens(two), Some((4, false)));
        assert_eq!(
            queens(vec![row(sample_run("3^3", "base", "maximise", 0), answer(Outcome::Unknown))]),
            Some((4, false))
        );
        assert_eq!(
            queens(vec![row(sample_run(BOARD, "base", "maximise", 0), answer(Outcome::Unknown))]),
            None
        );
    }
}
