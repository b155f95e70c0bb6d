//! `ndq info`

mod summary;
mod symmetry;
mod text;

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args as Group;
use ndqueens_control::Deadline;
use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::best::{self, Best, Trust};
use ndqueens_knowledge::bounds::Cube;
use ndqueens_knowledge::ledger::{Ledger, LedgerRow};
use ndqueens_knowledge::next;
use ndqueens_model::board::Board;
use ndqueens_model::facts::known::{self, Known};
use ndqueens_model::name::BoardName;

use self::summary::{File, Info};
use self::symmetry::symmetry_before;
use self::text::text;
use super::Exit;
use crate::args::values::{board, seconds};
use crate::output::{Output, log};
use crate::typed::quoted;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3, 4x5x6 or 6,3 for 6^3.
    #[arg(value_parser = named)]
    pub(crate) board: Named,
    /// Show how the bounds of n^d are derived, as trees.
    #[arg(long)]
    pub(crate) why: bool,
    /// Use no published values, only theorems, checked certificates and archived bounds.
    #[arg(long)]
    pub(crate) unpublished: bool,
    /// As --unpublished, but use only archived bounds whose proofs are checked in this run.
    #[arg(long)]
    pub(crate) certified: bool,
    /// Wall-clock limit in seconds for the checks of archived proofs and for the symmetry of a large board, which are left out
    /// when it is over [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
}

/// A board, or n^d with more squares than a board may have elsewhere.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    Board(BoardName),
    Cube(Cube),
}

fn named(text: &str) -> Result<Named, String> {
    let cube = || text.replacen(',', "^", 1).parse().ok().map(Named::Cube);
    board(text).map(Named::Board).or_else(|fault| cube().ok_or(fault))
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let deadline = Deadline::after(args.time_limit);
    let name = match &args.board {
        Named::Board(name) => name.clone(),
        Named::Cube(cube) => cube.board(),
    };
    if args.why {
        Cube::allowed(Cube::of(&name)).map_err(|fault| anyhow!("--why: {fault}"))?;
    }
    let board = matches!(args.board, Named::Board(_)).then(|| Arc::new(Board::new(&name)));
    let trust = match (args.certified, args.unpublished) {
        (true, _) => Trust::Checked,
        (_, true) => Trust::Archived,
        _ => Trust::Reported,
    };
    let certificates = super::archived::certificates()?;
    let found = match &board {
        Some(board) => best::best(board, trust, &certificates, deadline),
        None => best::of_cube(Cube::of(&name).expect("n^d"), trust, &certificates, deadline),
    };
    let [lower, upper] = match found {
        Ok(bounds) => bounds,
        Err(contradiction) => {
            log(&format!("error: {contradiction}"));
            return Ok(Exit::Failed);
        }
    };
    let symmetry = board.as_ref().map_or(Err("too many squares"), |board| symmetry_before(board, deadline));
    let published = known::lookup(&name).and_then(Known::published);
    let info = Info {
        board: name.to_string(),
        squares: squares(&name, board.as_deref()),
        lines: board.as_ref().map(|board| board.lines_extent().rows),
        trivial_bound: board.as_deref().map(Board::trivial_bound),
        symmetry,
        parts: board.as_deref().and_then(Board::drawn_parts).filter(|&parts| parts > 1),
        next: next(&name, board.as_deref(), &lower, &upper),
        lower,
        upper,
        published,
        files: files(&name)?,
    };
    let text = if out.json() { String::new() } else { text(board.as_deref(), &info, args.why)? };
    out.result(&info, &text)?;
    Ok(if info.symmetry.is_err() && deadline.is_over() { Exit::Stopped } else { Exit::Yes })
}

fn squares(name: &BoardName, board: Option<&Board>) -> u128 {
    board.map(|board| board.size() as u128).or_else(|| Cube::of(name).map(Cube::squares)).unwrap_or_default()
}

fn files(name: &BoardName) -> anyhow::Result<Vec<File>> {
    let ledger = Ledger::of(Archive::here())?;
    let name = name.reduced();
    let of_board = ledger.rows().filter(|row| row.board == name);
    Ok(of_board
        .map(|LedgerRow { file, kind, command, .. }| File {
            file: file.clone(),
            kind: kind.to_string(),
            command: command.clone(),
        })
        .collect())
}

/// The commands that check the bounds again, or improve them.
fn next(name: &BoardName, board: Option<&Board>, lower: &Best, upper: &Best) -> Vec<String> {
    let (typed, squares) = (quoted(&name.to_string()).into_owned(), squares(name, board));
    if lower.value == upper.value {
        return board.map(|_| format!("ndq prove {typed}")).into_iter().collect();
    }
    let reduce = next::reduce(name, &typed, squares);
    next::raise(&typed, squares, lower.value + 1).into_iter().chain(reduce).collect()
}
