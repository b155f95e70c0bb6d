//! `ndq table counts`

use ndqueens_knowledge::queens_constant::{PUBLISHED, exponent, ln_estimate, scientific};
use ndqueens_model::facts::full_counts::{self, PublishedCount};
use ndqueens_report::sheet::aligned;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

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

pub(super) fn run(out: &mut Output) -> anyhow::Result<Exit> {
    let estimated = |published: &'static PublishedCount| EstimatedCount {
        published,
        estimate: scientific(ln_estimate(published.queens)),
        exponent: exponent(published.queens, published.solutions),
    };
    let rows: Vec<EstimatedCount> = full_counts::table().iter().map(estimated).collect();
    if out.json() {
        rows.iter().try_for_each(|row| out.result(row, ""))?;
        return Ok(Exit::Yes);
    }
    let head = ["board", "queens", "solutions", "(n e^-a)^n", "exponent", "source"].map(str::to_owned);
    let lines = rows.iter().map(|EstimatedCount { published, estimate, exponent }| {
        vec![
            published.board.to_string(),
            published.queens.to_string(),
            published.solutions.to_string(),
            estimate.clone(),
            exponent.map_or_else(String::new, |exponent| format!("{exponent:.4}")),
            published.source.clone(),
        ]
    });
    let mut text = aligned(std::iter::once(head.to_vec()).chain(lines), &[0, 5]);
    text += &format!(
        "solutions = (n e^-exponent)^n; the exponent tends to the n-queens constant a, {} < a < {}\n",
        PUBLISHED[0], PUBLISHED[1]
    );
    out.result(&(), &text)?;
    Ok(Exit::Yes)
}
