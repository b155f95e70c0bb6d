//! Report of experiments: one file without references to others.

mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use askama::Template;
use ndqueens_experiments::evaluation::{Evaluation, Run};
use ndqueens_experiments::judge::{Conflict, Judge};
use ndqueens_experiments::plot;
use ndqueens_experiments::table::{self, Layout};
use ndqueens_workflow::record::Verdict;

use self::runs::{Limits, Runs};
use crate::chart::Figure;
use crate::page::{self, PageError};
use crate::table::Table;

/// Experiment of a folder.
#[derive(Debug)]
pub struct Experiment {
    /// Name of the folder.
    pub name: String,
    /// Text of the experiment file.
    pub definition: String,
    /// Evaluated rows.
    pub evaluation: Evaluation,
}

/// File that every folder of an experiment has.
const PLAN: &str = "plan.csv";

/// Returns the folder of an experiment itself, or else the folders of experiments in it, in the order of
/// their names.
#[must_use]
pub fn folders(path: &Path) -> Vec<PathBuf> {
    if path.join(PLAN).exists() {
        return vec![path.to_owned()];
    }
    let entries = path.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = entries.filter(|folder| folder.join(PLAN).exists()).collect();
    folders.sort();
    if folders.is_empty() { vec![path.to_owned()] } else { folders }
}

/// Returns the contradictions between rows of different folders, without rows that contradict rows of their
/// own folder.
#[must_use]
pub fn between(experiments: &[Experiment]) -> Vec<Conflict> {
    if experiments.len() < 2 {
        return Vec::new();
    }
    let judges: Vec<(&str, &Judge)> =
        experiments.iter().map(|one| (one.name.as_str(), &one.evaluation.judge)).collect();
    let inside: BTreeSet<&str> = experiments
        .iter()
        .flat_map(|one| &one.evaluation.conflicts)
        .map(|conflict| conflict.id.as_str())
        .collect();
    let all = Judge::between(&judges).into_iter();
    all.filter(|conflict| !inside.contains(conflict.id.as_str())).collect()
}

/// Largest number of failed runs in the list of failures.
const MOST_FAILURES: usize = 100;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'e> {
    title: String,
    runs: usize,
    missing: usize,
    contradictions: usize,
    between: Vec<Conflict>,
    sections: Vec<Section<'e>>,
    command: String,
}

struct Section<'e> {
    number: usize,
    name: &'e str,
    title: &'e str,
    definition: &'e str,
    done: usize,
    missing: usize,
    conflicts: &'e [Conflict],
    verdicts: Vec<(String, &'static str, usize, bool)>,
    failures: Vec<Failure<'e>>,
    failures_left: usize,
    machines: Vec<Machine>,
    comparison: Vec<Table>,
    kunt: Vec<Table>,
    measures: Table,
    figures: Vec<Figure>,
    shown: usize,
    data: String,
}

struct Failure<'e> {
    id: &'e str,
    board: String,
    configuration: String,
    seed: u32,
    words: String,
}

/// Machine and versions of some runs.
struct Machine {
    host: String,
    cpu: String,
    version: String,
    commit: String,
    solver: String,
    runs: usize,
    first: String,
    last: String,
}

/// Returns the report as a page. `path` is the path of the experiments as the user gave it.
///
/// # Errors
/// Returns an error if the template fails.
pub fn page(experiments: &[Experiment], path: &str) -> Result<String, PageError> {
    let sections: Vec<Section<'_>> =
        experiments.iter().zip(1..).map(|(one, number)| one.section(number)).collect();
    let between = between(experiments);
    let title = match experiments {
        [one] => one.evaluation.title.clone(),
        _ => format!("{path}: {} experiments", experiments.len()),
    };
    let page = Page {
        title,
        runs: sections.iter().map(|section| section.done).sum(),
        missing: sections.iter().map(|section| section.missing).sum(),
        contradictions: between.len() + sections.iter().map(|section| section.conflicts.len()).sum::<usize>(),
        between,
        sections,
        command: format!("ndq lab report {path} -o report.html"),
    };
    Ok(page::bind_relations(&page.render()?))
}

impl Experiment {
    fn section(&self, number: usize) -> Section<'_> {
        let Self { name, definition, evaluation } = self;
        let failures: Vec<Failure<'_>> =
            evaluation.runs.iter().filter(|run| run.has_failed()).map(Failure::of).collect();
        let failures_left = failures.len().saturating_sub(MOST_FAILURES);
        let runs = Runs::of(evaluation, Limits::PAGE);
        let comparison = table::data(evaluation, Layout::Comparison);
        let sheets = |layout| table::sheets(evaluation, layout).iter().map(Table::of_sheet).collect();
        Section {
            number,
            name,
            title: &evaluation.title,
            definition,
            done: evaluation.runs.len(),
            missing: evaluation.missing,
            conflicts: &evaluation.conflicts,
            verdicts: verdicts(&evaluation.runs),
            failures: failures.into_iter().take(MOST_FAILURES).collect(),
            failures_left,
            machines: machines(&evaluation.runs),
            comparison: sheets(Layout::Comparison),
            kunt: sheets(Layout::Kunt),
            measures: Table::of_data("Every configuration on every board, and summed up", "", &comparison),
            figures: plot::charts(evaluation).iter().map(|(_, chart)| Figure::from(chart)).collect(),
            shown: runs.count(),
            data: page::data(&runs.data()),
        }
    }
}

impl<'e> Failure<'e> {
    fn of(run: &'e Run) -> Self {
        let planned = &run.row.planned;
        Self {
            id: &planned.id,
            board: planned.question.board.to_string(),
            configuration: planned.configuration(),
            seed: run.seed(),
            words: run.row.failure.clone().unwrap_or_else(|| format!("its verdict is {}", run.verdict)),
        }
    }
}

/// Returns the meaning of a verdict.
fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "nothing contradicts the answer",
        Verdict::SolvedNotVerified => "solved; no optimum is published to compare with",
        Verdict::Better => "a checked solution better than any published",
        Verdict::FailDualBound => "its bound excludes a published solution",
        Verdict::FailObjectiveValue => "it claims an optimum, and a better solution is published",
        Verdict::FailSolutionInfeasible => "its solution fails the check",
        Verdict::FailInconsistent => "it excludes a checked solution, or contradicts itself",
        Verdict::FailAbort => "there is no answer",
    }
}

/// Returns the verdicts of runs: name, meaning, number of runs, and `true` for a failure. Failures come
/// first.
fn verdicts(runs: &[Run]) -> Vec<(String, &'static str, usize, bool)> {
    let mut counts: BTreeMap<String, (Verdict, usize)> = BTreeMap::new();
    for run in runs {
        counts.entry(run.verdict.to_string()).or_insert((run.verdict, 0)).1 += 1;
    }
    let mut rows: Vec<_> = counts
        .into_iter()
        .map(|(name, (verdict, count))| (name, meaning(verdict), count, verdict.is_failure()))
        .collect();
    rows.sort_by_key(|(_, _, count, is_failure)| (!is_failure, std::cmp::Reverse(*count)));
    rows
}

/// Returns the machines and versions of runs, with the number of runs and the dates of the first and the last
/// one.
fn machines(runs: &[Run]) -> Vec<Machine> {
    let mut machines: BTreeMap<[String; 5], (usize, String, String)> = BTreeMap::new();
    for run in runs {
        let made = &run.row.provenance;
        let solver = run.row.answer.solver.clone().unwrap_or_default();
        let key = [
            made.host.clone(),
            made.cpu.clone().unwrap_or_default(),
            made.version.clone(),
            made.commit.clone(),
            solver,
        ];
        let (count, first, last) = machines.entry(key).or_insert((0, made.date.clone(), made.date.clone()));
        *count += 1;
        *first = made.date.clone().min(first.clone());
        *last = made.date.clone().max(last.clone());
    }
    machines
        .into_iter()
        .map(|([host, cpu, version, commit, solver], (runs, first, last))| Machine {
            host,
            cpu,
            version,
            commit,
            solver,
            runs,
            first,
            last,
        })
        .collect()
}
