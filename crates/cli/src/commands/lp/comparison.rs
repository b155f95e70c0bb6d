//! Comparison of LP bounds with the best known bounds, and its table.

use anyhow::anyhow;
use ndqueens_model::board::Board;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_report::column::{Column, Data, Table, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Options, Outcome};
use ndqueens_workflow::lp::relaxation::highs_root_bound;
use ndqueens_workflow::record::verdict::Verdict;
use ndqueens_workflow::solve::{self, SolveRequest};

use super::gap::{Comparison, IntegerRun};
use super::relaxed::{LpSettings, Relaxed, SolvedLp};
use crate::memory;
use crate::progress::Display;

/// Returns the bound of HiGHS at the root node of an integer program, after its own presolve and cuts.
pub(super) fn root_bound(
    lp: &SolvedLp,
    settings: &LpSettings<'_>,
    display: &mut Display,
) -> anyhow::Result<Option<f64>> {
    let options = Options { time_limit: settings.deadline.left(), ..settings.options.clone() };
    Ok(highs_root_bound(&lp.ilp, &options, &mut |event| display.show(event))?)
}

/// Solves the integer program of a formulation by HiGHS, and checks its solution. An answer that contradicts
/// a published value is an error.
pub(super) fn integer_run(
    board: &Board,
    formulation: &Formulation,
    settings: &LpSettings<'_>,
    display: &mut Display,
) -> anyhow::Result<IntegerRun> {
    let options = Options { time_limit: settings.deadline.left(), ..settings.options.clone() };
    let request = SolveRequest {
        board,
        formulation,
        variant: Variant::of(Goal::Optimise),
        weights: None,
        start: None,
        options,
        memory: memory::for_models(None),
        prior: &settings.archive.prior_results(),
    };
    let solved = solve::solve(&request, settings.bounds, &Highs, &mut |event| display.show(event))?;
    if solved.answer.verdict.is_some_and(Verdict::is_failure) {
        let conditions = match solved.answer.conditions.as_slice() {
            [] => String::new(),
            conditions => format!(", or a condition of the answer does not hold: {}", conditions.join("; ")),
        };
        return Err(anyhow!(
            "the answer of formulation {} on {} contradicts a published value; one of the two is wrong{conditions}",
            formulation.name,
            board.name()
        ));
    }
    Ok(IntegerRun {
        queens: solved.answer.incumbent,
        optimal: matches!(solved.run.outcome, Outcome::Optimal { .. }),
        seconds: solved.run.seconds,
        nodes: solved.run.nodes,
        stop: solved.run.stop.to_string(),
    })
}

fn format_option<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn compared<T>(relaxed: &Relaxed, value: impl Fn(&Comparison) -> Option<T>) -> Option<T> {
    relaxed.comparison.as_ref().and_then(value)
}

/// Columns of the table as data.
static COLUMNS: [Column<Relaxed>; 18] = [
    Column::new("board", Unit::Text, "the board", |r| r.board.clone()),
    Column::new("formulation", Unit::Text, "the formulation", |r| r.formulation.clone()),
    Column::new("lp_bound", Unit::Queens, "optimum of the LP relaxation, a float", |r| {
        format_option(r.lp_bound)
    }),
    Column::new("alpha_at_least", Unit::Queens, "most queens that are known to fit", |r| {
        format_option(compared(r, |c| c.alpha_at_least))
    }),
    Column::new("alpha_at_most", Unit::Queens, "best known upper bound", |r| {
        format_option(compared(r, |c| c.alpha_at_most))
    }),
    Column::new(
        "alpha_status",
        Unit::Text,
        "status of the weaker one of both: theorem, checked, archived or reported",
        |r| format_option(compared(r, |c| c.alpha_status)),
    ),
    Column::new("gap", Unit::Queens, "lp_bound - alpha_at_least", |r| format_option(compared(r, |c| c.gap))),
    Column::new(
        "gap_closed",
        Unit::Ratio,
        "share of the gap of the formulation base that is closed: 1 for all, negative if the bound is weaker; empty if base has no gap",
        |r| format_option(compared(r, |c| c.gap_closed)),
    ),
    Column::new(
        "root_bound",
        Unit::Queens,
        "bound of HiGHS at the root node of the integer program after its own cuts, a float, if asked for",
        |r| format_option(compared(r, |c| c.root_bound)),
    ),
    Column::new("queens", Unit::Queens, "best solution of the integer program, if asked for", |r| {
        format_option(compared(r, |c| c.integer.as_ref().and_then(|run| run.queens)))
    }),
    Column::new("optimal", Unit::Flag, "whether HiGHS proved it optimal in floating point", |r| {
        format_option(compared(r, |c| c.integer.as_ref().map(|run| run.optimal)))
    }),
    Column::new("solve_seconds", Unit::Seconds, "wall clock of the integer program", |r| {
        format_option(compared(r, |c| c.integer.as_ref().map(|run| run.seconds)))
    }),
    Column::new("nodes", Unit::Count, "branch-and-bound nodes of the integer program", |r| {
        format_option(compared(r, |c| c.integer.as_ref().and_then(|run| run.nodes)))
    }),
    Column::new("rows", Unit::Count, "rows of the LP", |r| r.rows.to_string()),
    Column::new("nonzeros", Unit::Count, "nonzeros of the LP", |r| r.nonzeros.to_string()),
    Column::new("lp_seconds", Unit::Seconds, "wall clock of the LP", |r| r.seconds.to_string()),
    Column::new("stop", Unit::Text, "why the LP ended", |r| r.stop.clone()),
    Column::new(
        "conditions",
        Unit::Count,
        "how many unproved bounds and inequalities the LP rests on",
        |r| r.conditions.len().to_string(),
    ),
];

/// Returns the description of the table in the data dictionary.
pub(crate) fn table() -> Table {
    let fields = COLUMNS.iter().map(|column| column.field).collect();
    Table { name: "lp relaxations", title: "LP bounds of formulations on boards", fields }
}

/// Returns the table as data.
pub(super) fn data(rows: &[Relaxed]) -> Data {
    let fields = COLUMNS.iter().map(|column| column.field).collect();
    let values = |row: &Relaxed| COLUMNS.iter().map(|column| (column.value)(row)).collect();
    Data { fields, rows: rows.iter().map(values).collect() }
}

/// Returns the table for readers. Boards are separated by lines; columns that nothing was computed for are
/// left out.
pub(super) fn sheet(rows: &[Relaxed], notes: &[String]) -> Sheet {
    let has_root = rows.iter().any(|row| compared(row, |c| c.root_bound).is_some());
    let has_integer =
        rows.iter().any(|row| row.comparison.as_ref().is_some_and(|compared| compared.integer.is_some()));
    let mut heads = vec![("", "board"), ("", "alpha"), ("", "status"), ("", "formulation")];
    heads.extend([("LP relaxation", "bound"), ("LP relaxation", "gap"), ("LP relaxation", "closed (%)")]);
    heads.extend([("LP relaxation", "rows"), ("LP relaxation", "nonzeros"), ("LP relaxation", "time (s)")]);
    if has_root {
        heads.push(("integer program", "root bound"));
    }
    if has_integer {
        heads.extend([
            ("integer program", "queens"),
            ("integer program", "nodes"),
            ("integer program", "time (s)"),
        ]);
    }
    let mut lines = Vec::new();
    let mut before = None;
    for row in rows {
        if before.is_some_and(|board| board != &row.board) {
            lines.push(Line::Rule);
        }
        before = Some(&row.board);
        lines.push(Line::Entries(entries(row, has_root, has_integer)));
    }
    let explanation = "Gap: LP bound minus the most queens known to fit; closed: share of the gap of base.";
    let notes = std::iter::once(explanation).chain(notes.iter().map(String::as_str));
    Sheet {
        title: "LP bounds".to_owned(),
        notes: notes.collect::<Vec<_>>().join("\n"),
        labels: 4,
        words: &[2, 3],
        heads: heads.into_iter().map(|(group, name)| (group.to_owned(), name.to_owned())).collect(),
        rows: lines,
    }
}

/// Returns the entries of a row of the table for readers.
fn entries(row: &Relaxed, has_root: bool, has_integer: bool) -> Vec<Entry> {
    let rounded = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let bound = match (row.lp_bound, row.lp_feasible) {
        (None, Some(false)) => "infeasible".to_owned(),
        (None, None) => row.stop.clone(),
        (bound, _) => rounded(bound, 4),
    };
    let mut texts = vec![
        row.board.clone(),
        row.comparison.as_ref().map_or_else(String::new, Comparison::alpha),
        format_option(compared(row, |c| c.alpha_status)),
        row.formulation.clone(),
        bound,
        rounded(compared(row, |c| c.gap), 4),
        rounded(compared(row, |c| c.gap_closed).map(|share| 100.0 * share), 1),
        row.rows.to_string(),
        row.nonzeros.to_string(),
        rounded(Some(row.seconds), 2),
    ];
    if has_root {
        texts.push(rounded(compared(row, |c| c.root_bound), 4));
    }
    if has_integer {
        let run = row.comparison.as_ref().and_then(|comparison| comparison.integer.as_ref());
        let at_least = if run.is_some_and(|run| !run.optimal) { "> " } else { "" };
        texts.push(format_option(run.and_then(|run| run.queens)));
        texts.push(
            run.and_then(|run| run.nodes).map_or_else(String::new, |nodes| format!("{at_least}{nodes}")),
        );
        texts.push(run.map_or_else(String::new, |run| format!("{at_least}{:.2}", run.seconds)));
    }
    texts.into_iter().map(Entry::from).collect()
}
