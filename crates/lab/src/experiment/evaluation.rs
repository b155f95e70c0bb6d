//! The rows of a folder, judged and made comparable: which run solved its question, what it took, how runs are summed up.

use std::collections::HashSet;
use std::path::Path;

use ndqueens_model::known;

use super::definition::Clock;
use super::judge::{self, Conflict};
use super::runner;
use super::statistics::{mean, shifted_geometric_mean};
use super::store::{self, Finished, Found, StoreError};
use crate::verdict::Verdict;

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
    /// The ways in the order of the plan: formulation, variant, and what else is not the default.
    pub ways: Vec<String>,
    /// The boards in the order of the plan.
    pub boards: Vec<String>,
    /// The place among `ways` of the one that speed-ups are against.
    pub reference: usize,
    /// The runs in the order of the plan.
    pub runs: Vec<Run>,
    /// How many runs of the plan have no row.
    pub missing: usize,
    /// Answers that cannot be right.
    pub conflicts: Vec<Conflict>,
}

/// A run that has ended, judged in the light of all others.
#[derive(Debug)]
pub struct Run {
    /// Its row.
    pub row: Finished,
    /// The place of its way.
    pub way: usize,
    /// The place of its board.
    pub board: usize,
    /// What its answer is worth.
    pub verdict: Option<Verdict>,
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
    /// The most.
    pub most: f64,
    /// The shifted geometric mean.
    pub geometric: f64,
}

/// Runs of one way, summed up.
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

fn place(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

impl Measure {
    fn of(values: &[f64], shift: f64) -> Option<Self> {
        Some(Self {
            mean: mean(values)?,
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
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
            let values: Option<Vec<f64>> = runs.iter().map(|run| count(run).map(|n| n as f64)).collect();
            Measure::of(&values?, SHIFT_COUNT)
        };
        let seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
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
    /// Whether it gave no answer, or a wrong one; a limit is no failure.
    #[must_use]
    pub fn failed(&self) -> bool {
        let wrong = self.verdict.is_some_and(|v| v.is_failure() && v != Verdict::FailAbort);
        wrong || runner::has_failed(&self.row)
    }

    /// The solver's seed.
    #[must_use]
    pub fn seed(&self) -> u32 {
        self.row.planned.question.seed
    }

    fn of(row: Finished, verdict: Option<Verdict>, clock: Clock, places: (usize, usize)) -> Self {
        let answer = &row.answer;
        let asked = row.planned.question.asked().is_some();
        let decided = matches!(answer.outcome.as_str(), "optimal" | "infeasible");
        let found = asked && answer.incumbent.is_some();
        let solved = (decided || found) && row.failure.is_none() && !verdict.is_some_and(Verdict::is_failure);
        let took = match clock {
            Clock::Wall => answer.wall_seconds,
            Clock::Cpu => answer.cpu_seconds,
        };
        let (board, way) = places;
        let mut run = Self { row, way, board, verdict, solved, seconds: took };
        if run.failed() || run.verdict == Some(Verdict::FailAbort) {
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
        let Found { title, tables, rows, missing, .. } = found;
        let clock = clock.unwrap_or(tables.time);
        let (verdicts, conflicts) = judge::judge(&rows);
        let (mut ways, mut boards) = (Vec::new(), Vec::new());
        let mut runs = Vec::with_capacity(rows.len());
        for (row, verdict) in rows.into_iter().zip(verdicts) {
            let board = place(&mut boards, row.planned.question.board.to_string());
            let way = place(&mut ways, row.planned.way());
            runs.push(Run::of(row, verdict, clock, (board, way)));
        }
        let named = tables.reference.map(toml::Spanned::into_inner);
        let reference = named.and_then(|named| ways.iter().position(|way| *way == named)).unwrap_or(0);
        Self { title, clock, ways, boards, reference, runs, missing, conflicts }
    }

    /// Takes another way as the one that speed-ups are against.
    ///
    /// # Errors
    /// When no run was made that way.
    pub fn against(&mut self, way: &str) -> Result<(), Unknown> {
        let place = self.ways.iter().position(|known| known == way);
        self.reference = place.ok_or_else(|| Unknown {
            how: "the way",
            asked: way.to_owned(),
            known: self.ways.clone(),
        })?;
        Ok(())
    }

    /// Keeps the runs on these boards only. They are judged in the light of all.
    ///
    /// # Errors
    /// When there is none on one of them.
    pub fn keep(&mut self, boards: &[String]) -> Result<(), Unknown> {
        if let Some(unknown) = boards.iter().find(|board| !self.boards.contains(board)) {
            return Err(Unknown { how: "on", asked: unknown.clone(), known: self.boards.clone() });
        }
        self.runs.retain(|run| boards.contains(&self.boards[run.board]));
        Ok(())
    }

    /// The runs of a way on a board.
    #[must_use]
    pub fn cell(&self, way: usize, board: usize) -> Vec<&Run> {
        self.runs.iter().filter(|run| run.way == way && run.board == board).collect()
    }

    /// The boards and seeds that every way was run with: what ways are compared on, for another set of runs would be another
    /// question.
    #[must_use]
    pub fn common(&self) -> HashSet<(usize, u32)> {
        let of = |way| -> HashSet<_> {
            self.runs.iter().filter(|run| run.way == way).map(|run| (run.board, run.seed())).collect()
        };
        let sets = (0..self.ways.len()).map(of);
        sets.reduce(|common, set| &common & &set).unwrap_or_default()
    }

    /// Of these boards and seeds those on whose boards every run of every way was solved.
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

    /// The runs of a way among these boards and seeds.
    #[must_use]
    pub fn among(&self, way: usize, set: &HashSet<(usize, u32)>) -> Vec<&Run> {
        let inside = |run: &&Run| run.way == way && set.contains(&(run.board, run.seed()));
        self.runs.iter().filter(inside).collect()
    }

    /// The best number of queens on a board, as far as one knows: the published value, or the best checked solution of this
    /// folder where nothing is published; and whether better ones may be there.
    #[must_use]
    pub fn queens(&self, board: usize) -> Option<(u64, bool)> {
        let here = || self.runs.iter().filter(|run| run.board == board);
        let planned = &here().next()?.row.planned;
        if planned.problem == ndqueens_model::certificate::Claim::IndependentSet.to_string()
            && let Some(known) = known::lookup(&planned.question.board)
        {
            return Some((known.lower, known.lower < known.upper));
        }
        let optimal = |run: &&Run| run.solved && run.row.answer.outcome == "optimal";
        let found = || here().filter(|run| run.row.answer.incumbent.is_some());
        let best = match here().find(optimal) {
            Some(best) => best,
            None if judge::maximises(&planned.problem) => {
                found().max_by_key(|run| run.row.answer.incumbent)?
            }
            None => found().min_by_key(|run| run.row.answer.incumbent)?,
        };
        let queens = u64::try_from(best.row.answer.incumbent?).ok()?;
        Some((queens, !optimal(&best)))
    }

    /// The seeds of all runs, and how many there are.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.runs.iter().map(Run::seed).collect::<HashSet<_>>().len()
    }
}
