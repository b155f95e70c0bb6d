//! The command `ndq table constant`.

use ndqueens_archive::queens_constant::{Enclosure, MOST_CELLS, PUBLISHED, enclose};
use ndqueens_report::column::{Column, Data, Table, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet};
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

use super::written::{self, Destination};
use crate::args::groups::Limit;
use crate::args::values::whole;
use crate::commands::Exit;
use crate::interrupt;
use crate::output::{Output, log};
use crate::schema::printed;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Cells along a side of the grid [default: 8, 16, 32, 64 and 128].
    #[arg(long, value_name = "M", value_parser = whole::<usize>(1..=MOST_CELLS as u64))]
    pub(crate) cells: Option<usize>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    #[command(flatten)]
    pub(crate) destination: Destination,
}

/// Bounds on the n-queens constant from one grid.
#[derive(JsonSchema, Serialize)]
struct ConstantBounds {
    /// Cells along a side of the grid.
    cells: usize,
    /// Lower bound, in floating point.
    lower: f64,
    /// Upper bound, in floating point.
    upper: f64,
}

printed!(ConstantBounds: "table constant");

/// Grid sizes of the table.
const GRIDS: [usize; 5] = [8, 16, 32, 64, 128];

/// Scale of the printed digits, which floating-point errors do not change.
const SCALE: f64 = 1e9;

fn columns() -> [Column<ConstantBounds>; 3] {
    [
        Column::new("cells", Unit::Count, "cells along a side of the grid", |row| row.cells.to_string()),
        Column::new("lower", Unit::Ratio, "lower bound on the n-queens constant, in floating point", |row| {
            format!("{:.9}", row.lower)
        }),
        Column::new("upper", Unit::Ratio, "upper bound on the n-queens constant, in floating point", |row| {
            format!("{:.9}", row.upper)
        }),
    ]
}

/// Returns the columns of the table.
pub(super) fn table() -> Table {
    let fields = columns().map(|column| column.field).to_vec();
    Table { name: "constant", title: "Bounds on the n-queens constant", fields }
}

fn sheet(rows: &[ConstantBounds]) -> Sheet {
    let line = |ConstantBounds { cells, lower, upper }: &ConstantBounds| {
        let cells = [format!("{cells}^2"), format!("{lower:.9}"), format!("{upper:.9}")];
        Line::Entries(cells.map(Entry::from).to_vec())
    };
    Sheet {
        title: "Bounds on the n-queens constant".to_owned(),
        notes: format!(
            "bounds on the n-queens constant in floating point, rounded outwards; published: {} to {} [Nobel, Agrawal, Boyd 2023]",
            PUBLISHED[0], PUBLISHED[1]
        ),
        labels: 1,
        words: &[],
        heads: ["cells", "lower", "upper"].map(|name| (String::new(), name.to_owned())).to_vec(),
        rows: rows.iter().map(line).collect(),
    }
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    args.destination.ensure_writable()?;
    let deadline = Deadline::after(args.limit.time_limit);
    let grids = args.cells.map_or(GRIDS.to_vec(), |cells| vec![cells]);
    let mut rows = Vec::new();
    let mut exit = Exit::Yes;
    for cells in grids {
        let Some(Enclosure { lower, upper, .. }) =
            enclose(cells, &|| interrupt::is_requested() || deadline.is_over())
        else {
            log(&format!("stopped before the bounds on the grid of {cells}^2 cells were computed"));
            exit = Exit::Stopped;
            break;
        };
        rows.push(ConstantBounds {
            cells,
            lower: (lower * SCALE).floor() / SCALE,
            upper: (upper * SCALE).ceil() / SCALE,
        });
    }
    let data = Data::of(&columns().iter().collect::<Vec<_>>(), &rows);
    written::write(&args.destination, &rows, &data, &sheet(&rows), out)?;
    Ok(exit)
}
