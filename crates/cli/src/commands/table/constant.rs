//! `ndq table constant`

use clap::Args as Group;
use ndqueens_control::Deadline;
use ndqueens_knowledge::queens_constant::{Enclosure, MOST_CELLS, PUBLISHED, enclose};
use ndqueens_report::sheet::aligned;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::groups::Limit;
use crate::args::values::whole;
use crate::commands::Exit;
use crate::interrupt;
use crate::output::{Output, log};
use crate::schema::printed;

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// Cells along a side of the grid [default: 8, 16, 32, 64 and 128].
    #[arg(long, value_name = "M", value_parser = whole::<usize>(1..=MOST_CELLS as u64))]
    pub(crate) cells: Option<usize>,
    #[command(flatten)]
    pub(crate) limit: Limit,
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

/// Grids of the table.
const GRIDS: [usize; 5] = [8, 16, 32, 64, 128];

/// Digits after the decimal point, of which floating-point errors change none.
const SCALE: f64 = 1e9;

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let deadline = Deadline::after(args.limit.time_limit);
    let grids = args.cells.map_or(GRIDS.to_vec(), |cells| vec![cells]);
    let mut rows = Vec::new();
    let mut exit = Exit::Yes;
    for cells in grids {
        let Some(Enclosure { lower, upper, .. }) =
            enclose(cells, &|| interrupt::asked() || deadline.is_over())
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
    if out.json() {
        rows.iter().try_for_each(|row| out.result(row, ""))?;
        return Ok(exit);
    }
    let head = ["cells", "lower", "upper"].map(str::to_owned).to_vec();
    let lines = rows.iter().map(|ConstantBounds { cells, lower, upper }| {
        vec![format!("{cells}^2"), format!("{lower:.9}"), format!("{upper:.9}")]
    });
    let mut text = aligned(std::iter::once(head).chain(lines), &[]);
    text += &format!(
        "bounds on the n-queens constant in floating point, rounded outwards; published: {} to {} [Nobel, Agrawal, Boyd 2023]\n",
        PUBLISHED[0], PUBLISHED[1]
    );
    out.result(&(), &text)?;
    Ok(exit)
}
