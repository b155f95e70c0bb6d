//! `ndq known`

use std::fmt::Write as _;

use clap::Args as Group;
use ndqueens_model::facts::known::{self, Known, UpperStanding};
use ndqueens_model::name::BoardName;
use serde::Serialize;

use super::Exit;
use crate::args::values::board;
use crate::output::{Output, log};

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The board; the whole table when absent.
    #[arg(value_parser = board)]
    pub(crate) board: Option<BoardName>,
}

#[derive(Serialize)]
struct Row<'a> {
    board: String,
    lower: u64,
    upper: u64,
    upper_standing: &'static str,
    source: &'a str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let Some(board) = &args.board else {
        for chunk in known::table().chunks(if out.json() { 1 } else { known::table().len() }) {
            print(chunk.iter(), out)?;
        }
        return Ok(Exit::Yes);
    };
    let Some(known) = known::lookup(board) else {
        log(&format!("no published value of {board} is known here"));
        return Ok(Exit::No);
    };
    print([known].into_iter(), out)?;
    Ok(Exit::Yes)
}

fn print<'a>(rows: impl Iterator<Item = &'a Known>, out: &mut Output) -> anyhow::Result<()> {
    let rows: Vec<Row<'_>> = rows.map(row).collect();
    let mut text = format!("{:8}  {:>5}  {:>5}  {:8}  source\n", "board", "lower", "upper", "upper is");
    for row in &rows {
        writeln!(
            text,
            "{:8}  {:5}  {:5}  {:8}  {}",
            row.board, row.lower, row.upper, row.upper_standing, row.source
        )?;
    }
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
