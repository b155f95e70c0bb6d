//! The command `ndq table counts`.

use clap::Args as Group;
use ndqueens_archive::queens_constant::{PUBLISHED, exponent, ln_estimate, scientific};
use ndqueens_model::facts::full_counts::{self, PublishedCount};
use ndqueens_report::column::{Column, Data, Table, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet};
use schemars::JsonSchema;
use serde::Serialize;

use super::written::{self, Destination};
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, Group)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) destination: Destination,
}

/// A published number of solutions and its estimate.
#[derive(JsonSchema, Serialize)]
struct EstimatedCount {
    #[serde(flatten)]
    published: &'static PublishedCount,
    /// (n e^-a)^n in scientific notation, a the n-queens constant.
    estimate: String,
    /// e in (n e^-e)^n = solutions; null if there are no solutions.
    exponent: Option<f64>,
}

printed!(EstimatedCount: "table counts");

impl EstimatedCount {
    /// Returns the exponent with four digits after the decimal point, or an empty text if there are no
    /// solutions.
    fn exponent(&self) -> String {
        self.exponent.map_or_else(String::new, |exponent| format!("{exponent:.4}"))
    }
}

fn columns() -> [Column<EstimatedCount>; 7] {
    [
        Column::new("board", Unit::Text, "the board n^2", |row| row.published.board.to_string()),
        Column::new("queens", Unit::Queens, "queens of a solution, n", |row| {
            row.published.queens.to_string()
        }),
        Column::new("solutions", Unit::Count, "published number of solutions", |row| {
            row.published.solutions.to_string()
        }),
        Column::new("estimate", Unit::Text, "(n e^-a)^n, where a is the n-queens constant", |row| {
            row.estimate.clone()
        }),
        Column::new(
            "exponent",
            Unit::Ratio,
            "e in (n e^-e)^n = solutions; absent if there are no solutions",
            EstimatedCount::exponent,
        ),
        Column::new("source", Unit::Text, "the publication", |row| row.published.source.clone()),
        Column::new("identifier", Unit::Text, "its DOI, sequence or address", |row| {
            row.published.identifier.clone()
        }),
    ]
}

/// Returns the columns of the table.
pub(super) fn table() -> Table {
    let fields = columns().map(|column| column.field).to_vec();
    Table {
        name: "counts",
        title: "Published numbers of solutions of n queens on n^2, with estimates",
        fields,
    }
}

fn sheet(rows: &[EstimatedCount]) -> Sheet {
    let line = |row: &EstimatedCount| {
        let EstimatedCount { published, estimate, .. } = row;
        let cells = [
            published.board.to_string(),
            published.queens.to_string(),
            published.solutions.to_string(),
            estimate.clone(),
            row.exponent(),
            published.source.clone(),
        ];
        Line::Entries(cells.map(Entry::from).to_vec())
    };
    let heads = ["board", "queens", "solutions", "(n e^-a)^n", "exponent", "source"];
    Sheet {
        title: "Published numbers of solutions of n queens on n^2".to_owned(),
        notes: format!(
            "solutions = (n e^-exponent)^n; the exponent tends to the n-queens constant a, {} < a < {}",
            PUBLISHED[0], PUBLISHED[1]
        ),
        labels: 1,
        words: &[5],
        heads: heads.map(|name| (String::new(), name.to_owned())).to_vec(),
        rows: rows.iter().map(line).collect(),
    }
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    args.destination.ensure_writable()?;
    let estimated = |published: &'static PublishedCount| EstimatedCount {
        published,
        estimate: scientific(ln_estimate(published.queens)),
        exponent: exponent(published.queens, published.solutions),
    };
    let rows: Vec<EstimatedCount> = full_counts::table().iter().map(estimated).collect();
    let data = Data::of(&columns().iter().collect::<Vec<_>>(), &rows);
    written::write(&args.destination, &rows, &data, &sheet(&rows), out)?;
    Ok(Exit::Yes)
}
