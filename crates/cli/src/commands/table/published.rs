//! `ndq table published`

use ndqueens_model::facts::known::{self, Known, UpperStanding};
use ndqueens_report::sheet::aligned;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::Output;

#[derive(Serialize)]
struct Row<'a> {
    board: String,
    lower: u64,
    upper: u64,
    upper_standing: &'static str,
    source: &'a str,
}

pub(super) fn run(out: &mut Output) -> anyhow::Result<Exit> {
    for chunk in known::table().chunks(if out.json() { 1 } else { known::table().len() }) {
        print(chunk.iter(), out)?;
    }
    Ok(Exit::Yes)
}

fn print<'a>(rows: impl Iterator<Item = &'a Known>, out: &mut Output) -> anyhow::Result<()> {
    let rows: Vec<Row<'_>> = rows.map(row).collect();
    let head = ["board", "lower", "upper", "upper is", "source"].map(str::to_owned).to_vec();
    let lines = rows.iter().map(|Row { board, lower, upper, upper_standing, source }| {
        vec![
            board.clone(),
            lower.to_string(),
            upper.to_string(),
            (*upper_standing).to_owned(),
            (*source).to_owned(),
        ]
    });
    let text = aligned(std::iter::once(head).chain(lines), &[0, 3, 4]);
    Ok(out.result(&rows[0], &text)?)
}

fn row(known: &Known) -> Row<'_> {
    let upper_standing = match known.upper_standing {
        UpperStanding::Theorem => "theorem",
        UpperStanding::Reported => "reported",
    };
    Row {
        board: known.board.to_string(),
        lower: known.lower,
        upper: known.upper,
        upper_standing,
        source: &known.source,
    }
}
