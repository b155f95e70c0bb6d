//! `ndq info`

mod symmetry;
mod text;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::Args as Group;
use ndqueens_control::Deadline;
use ndqueens_control::interruptible::run_interruptible;
use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::best::{self, Best, Trust};
use ndqueens_knowledge::bounds::Cube;
use ndqueens_knowledge::ledger::{Ledger, LedgerRow};
use ndqueens_model::board::Board;
use ndqueens_model::facts::known;
use ndqueens_model::name::BoardName;
use serde::Serialize;

use self::symmetry::{BYTES_PER_SQUARE, Symmetry, parts, symmetry};
use self::text::text;
use super::Exit;
use crate::args::typed::Typed;
use crate::args::values::{board, seconds};
use crate::output::{Output, log};

const EXAMPLES: &str = "\
Try:  ndq info 8^4          all that is known of 8^4, on one screen
      ndq info 8^4 --why    the same, and how its bounds are derived, down to the leaves";

#[derive(Debug, Group)]
#[command(after_help = EXAMPLES)]
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
    /// Wall-clock limit in seconds for the symmetry of a large board, which is left out when it is over [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
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

#[derive(Serialize)]
struct Info {
    board: String,
    squares: u128,
    lines: Option<u128>,
    trivial_bound: Option<u64>,
    /// `None` if it was not computed.
    #[serde(serialize_with = "of_ok")]
    symmetry: Result<Symmetry, &'static str>,
    /// How many parts a drawing falls into, when its squares do not all hang together by their sides.
    parts: Option<usize>,
    lower: Best,
    upper: Best,
    published: Option<Published>,
    /// Files of the archive that show bounds of the board, with the commands that make them again.
    files: Vec<File>,
    next: Vec<String>,
}

#[derive(Serialize)]
struct Published {
    lower: u64,
    upper: u64,
    source: &'static str,
    /// The bounds in words.
    #[serde(skip)]
    value: String,
}

#[derive(Serialize)]
struct File {
    file: String,
    kind: String,
    command: String,
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
    let certificates = super::table::archived_certificates()?;
    let found = match &board {
        Some(board) => best::best(board, trust, certificates),
        None => best::of_cube(Cube::of(&name).expect("n^d"), trust, certificates),
    };
    let [lower, upper] = match found {
        Ok(bounds) => bounds,
        Err(contradiction) => {
            log("error: a lower bound is above an upper bound, so one of the facts below is wrong");
            log(&format!("{}\n\n{}", contradiction.lower, contradiction.upper));
            return Ok(Exit::Failed);
        }
    };
    if lower.value > upper.value {
        bail!("the lower bound {lower} is above the upper bound {upper}, so one of them is wrong");
    }
    let symmetry = board.as_ref().map_or(Err("too many squares"), |board| symmetry_before(board, deadline));
    let published = known::lookup(&name).map(|known| Published {
        lower: known.lower,
        upper: known.upper,
        source: &known.source,
        value: known.value(),
    });
    let info = Info {
        board: name.to_string(),
        squares: squares(&name, board.as_deref()),
        lines: board.as_ref().map(|board| board.lines_extent().rows),
        trivial_bound: board.as_deref().map(Board::trivial_bound),
        symmetry,
        parts: board.as_deref().and_then(parts).filter(|&parts| parts > 1),
        next: board.as_ref().map(|board| next(board, &lower, &upper)).unwrap_or_default(),
        lower,
        upper,
        published,
        files: files(&name)?,
    };
    let text = if out.json() { String::new() } else { text(board.as_deref(), &info, args.why)? };
    out.result(&info, &text)?;
    Ok(if info.symmetry.is_err() && deadline.is_over() { Exit::Stopped } else { Exit::Yes })
}

/// The symmetry of a board, or why it is not computed.
fn symmetry_before(board: &Arc<Board>, deadline: Deadline) -> Result<Symmetry, &'static str> {
    if super::refuse_if_too_large(board, "its orbits", board.size() as u64 * BYTES_PER_SQUARE).is_err() {
        return Err("too many squares");
    }
    let shared = Arc::clone(board);
    let tick = &mut || if deadline.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    match run_interruptible("symmetry", move |_| symmetry(&shared), tick) {
        Ok(found) => found.ok_or("time limit"),
        // There is no thread for it.
        Err(_) => Ok(symmetry(board)),
    }
}

fn of_ok<T: Serialize, E, S: serde::Serializer>(
    result: &Result<T, E>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    result.as_ref().ok().serialize(serializer)
}

fn squares(name: &BoardName, board: Option<&Board>) -> u128 {
    let cube = || Cube::of(name).map(|Cube { side, dimension }| u128::from(side).pow(dimension as u32));
    board.map(|board| board.size() as u128).or_else(cube).unwrap_or_default()
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
fn next(board: &Board, lower: &Best, upper: &Best) -> Vec<String> {
    let name = board.name();
    let command = |words: &str| Typed::new(words).word(name).to_string();
    if lower.value == upper.value {
        return vec![command("ndq prove")];
    }
    let more = lower.value + 1;
    let search =
        Typed::new("ndq find").word(name).option("--method", "search").option("--at-least", more).to_string();
    let certify = board.grid().is_some().then(|| command("ndq lp certify"));
    [Some(search), certify, Some(command("ndq prove"))].into_iter().flatten().collect()
}
