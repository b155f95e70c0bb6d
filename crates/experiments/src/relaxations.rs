//! Table of LP bounds: a row for every LP relaxation on every board.

use ndqueens_notation::certificate::Problem;
use ndqueens_report::column::{Column, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet};
use ndqueens_workflow::record::{Engine, Question};

use crate::evaluation::{Evaluation, Run, Summary};
use crate::judge;

/// Gap below which a bound counts as attained.
const TOLERANCE: f64 = 1e-6;

/// LP relaxation on a board, with the means over its seeds.
#[derive(Debug, Clone)]
pub(crate) struct Relaxed {
    board: String,
    problem: Problem,
    configuration: String,
    /// Best known number of queens, and `true` if a better one may exist.
    queens: Option<(u64, bool)>,
    lp_bound: Option<f64>,
    /// Share of the gap of the formulation `base` that is closed.
    gap_closed: Option<f64>,
    highs_root_bound: Option<f64>,
    rows: Option<u64>,
    nonzeros: Option<u64>,
    cuts: Option<u64>,
    conditions: usize,
    runs: usize,
    /// Number of runs that ended with the bound.
    solved: usize,
    seconds: f64,
}

impl Relaxed {
    /// Returns the gap between the LP bound and the best known number of queens.
    fn gap(&self) -> Option<f64> {
        gap(self.problem, self.lp_bound?, self.queens?.0)
    }
}

/// Returns the gap between a bound and a number of queens, without rounding errors around 0.
fn gap(problem: Problem, bound: f64, queens: u64) -> Option<f64> {
    let difference = bound - queens as f64;
    let gap = if judge::maximises(problem) { difference } else { -difference };
    Some(if gap.abs() < TOLERANCE { 0.0 } else { gap })
}

/// Returns the share of a gap that a smaller one closes, without rounding errors around 0.
fn share(of_base: f64, gap: f64) -> f64 {
    let share = (of_base - gap) / of_base;
    if share.abs() < TOLERANCE { 0.0 } else { share }
}

fn format_option<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Columns of the table as data.
pub(crate) static COLUMNS: [Column<Relaxed>; 16] = [
    Column::new("board", Unit::Text, "the board", |r| r.board.clone()),
    Column::new("problem", Unit::Text, "what a solution is", |r| r.problem.to_string()),
    Column::new("configuration", Unit::Text, "formulation, and what else is not the default", |r| {
        r.configuration.clone()
    }),
    Column::new(
        "queens",
        Unit::Queens,
        "best known number of queens: published, or else found in this folder",
        |r| format_option(r.queens.map(|(queens, _)| queens)),
    ),
    Column::new("queens_open", Unit::Flag, "whether a better number of queens may exist", |r| {
        format_option(r.queens.map(|(_, is_open)| is_open))
    }),
    Column::new("lp_bound", Unit::Queens, "optimum of the LP relaxation, a float", |r| {
        format_option(r.lp_bound)
    }),
    Column::new("gap", Unit::Queens, "difference between lp_bound and queens", |r| format_option(r.gap())),
    Column::new(
        "gap_closed",
        Unit::Ratio,
        "share of the gap of the relaxation of base that is closed: 1 for all, negative if the bound is weaker; empty without a run of base \
         or if base has no gap",
        |r| format_option(r.gap_closed),
    ),
    Column::new(
        "highs_root_bound",
        Unit::Queens,
        "bound of HiGHS at the root node of the integer program after its own cuts, a float, if asked for",
        |r| format_option(r.highs_root_bound),
    ),
    Column::new("rows", Unit::Count, "rows of the formulation", |r| format_option(r.rows)),
    Column::new("nonzeros", Unit::Count, "nonzeros of the formulation", |r| format_option(r.nonzeros)),
    Column::new("cuts", Unit::Count, "inequalities that were added, if families are separated", |r| {
        format_option(r.cuts)
    }),
    Column::new("conditions", Unit::Count, "unproved bounds and inequalities that the bound rests on", |r| {
        r.conditions.to_string()
    }),
    Column::new("runs", Unit::Count, "runs that have ended", |r| r.runs.to_string()),
    Column::new("solved", Unit::Count, "those of them that ended with the bound", |r| r.solved.to_string()),
    Column::new(
        "seconds_mean",
        Unit::Seconds,
        "arithmetic mean over the runs; at least this when solved < runs",
        |r| format!("{:.6}", r.seconds),
    ),
];

/// Returns a row for every LP relaxation on every board, board by board.
pub(crate) fn rows(evaluation: &Evaluation) -> Vec<Relaxed> {
    let configurations = || (0..evaluation.configurations.len()).filter(|&c| evaluation.is_relaxation(c));
    let mut rows = Vec::new();
    for board in 0..evaluation.boards.len() {
        let base = evaluation.on(board).find(|run| is_base(run)).and_then(bound);
        for configuration in configurations() {
            rows.extend(row(evaluation, board, configuration, base));
        }
    }
    rows
}

/// Returns `true` for a run of the relaxation of `base` without separated inequalities.
fn is_base(run: &Run) -> bool {
    let Question { engine, .. } = &run.row.planned.question;
    matches!(engine, Engine::Relaxation { formulation, separate, .. } if formulation == "base" && separate.is_empty())
}

/// Returns the bound of a run that was not stopped.
fn bound(run: &Run) -> Option<f64> {
    run.row.answer.root_lp_bound.filter(|_| run.solved)
}

fn row(evaluation: &Evaluation, board: usize, configuration: usize, base: Option<f64>) -> Option<Relaxed> {
    let runs = evaluation.cell(configuration, board);
    let summary = Summary::of(&runs)?;
    let solved = runs.iter().find(|run| run.solved).or(runs.first())?;
    let answer = &solved.row.answer;
    let place = &evaluation.boards[board];
    let queens = evaluation.queens(board);
    let lp_bound = bound(solved);
    let gap = |bound: Option<f64>| gap(place.problem, bound?, queens?.0);
    let of_base = gap(base).filter(|gap| *gap > TOLERANCE);
    Some(Relaxed {
        board: place.board.clone(),
        problem: place.problem,
        configuration: evaluation.configurations[configuration].clone(),
        queens,
        lp_bound,
        gap_closed: of_base.zip(gap(lp_bound)).map(|(of_base, gap)| share(of_base, gap)),
        highs_root_bound: answer.highs_root_bound,
        rows: answer.model_rows,
        nonzeros: answer.model_nonzeros,
        cuts: answer.cuts,
        conditions: answer.conditions.len(),
        runs: summary.runs,
        solved: summary.solved,
        seconds: summary.seconds.mean,
    })
}

/// Returns the table for readers. Boards are separated by lines; columns that nothing was computed for are
/// left out.
pub(crate) fn sheet(rows: &[Relaxed], title: String, notes: &str) -> Sheet {
    let has_cuts = rows.iter().any(|row| row.cuts.is_some());
    let has_root = rows.iter().any(|row| row.highs_root_bound.is_some());
    let mut heads = vec!["board", "queens", "relaxation", "bound", "gap", "closed (%)", "rows", "nonzeros"];
    heads.extend(has_cuts.then_some("cuts"));
    heads.extend(has_root.then_some("root bound"));
    heads.push("time (s)");
    let mut lines = Vec::new();
    let mut before = None;
    for row in rows {
        if before.is_some_and(|board| board != &row.board) {
            lines.push(Line::Rule);
        }
        before = Some(&row.board);
        lines.push(Line::Entries(entries(row, has_cuts, has_root)));
    }
    let explanation =
        "Gap: between the LP bound and the best known number of queens; closed: share of the gap of base.";
    Sheet {
        title,
        notes: format!("{explanation} {notes}"),
        labels: 3,
        words: &[2],
        heads: heads.into_iter().map(|head| (String::new(), head.to_owned())).collect(),
        rows: lines,
    }
}

/// Returns the entries of a row of the table for readers.
fn entries(row: &Relaxed, has_cuts: bool, has_root: bool) -> Vec<Entry> {
    let rounded = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let sign = match row.queens {
        Some((_, true)) if judge::maximises(row.problem) => "≥ ",
        Some((_, true)) => "≤ ",
        _ => "",
    };
    let at_least = if row.solved < row.runs { "> " } else { "" };
    let mut texts = vec![
        row.board.clone(),
        format!("{sign}{}", format_option(row.queens.map(|(queens, _)| queens))),
        row.configuration.replace(", relaxation", ""),
        rounded(row.lp_bound, 4),
        rounded(row.gap(), 4),
        rounded(row.gap_closed.map(|share| 100.0 * share), 1),
        format_option(row.rows),
        format_option(row.nonzeros),
    ];
    texts.extend(has_cuts.then(|| format_option(row.cuts)));
    texts.extend(has_root.then(|| rounded(row.highs_root_bound, 4)));
    texts.push(format!("{at_least}{:.2}", row.seconds));
    texts.into_iter().map(Entry::from).collect()
}
