//! The command `ndq dots value`.

use std::fmt::Write as _;
use std::path::PathBuf;

use ndqueens_cliquer::rules::{Player, Winner};
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::value::{Margin, Search};
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::StopReason;
use schemars::JsonSchema;
use serde::Serialize;

use super::board_file;
use super::standing::verdict;
use super::watch::Watch;
use crate::args::groups::Limit;
use crate::args::values::whole;
use crate::commands::Exit;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("value.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The file of a board of up to 11 dots; the value is that of the position after the moves in it.
    pub(crate) file: PathBuf,
    /// Rules instead of those of the file, such as 2=1,3=3,4=5,again=3: the points of cliques of 2, 3 and 4
    /// dots, and the fewest dots of a clique that gives another move.
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Scoring>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Limit on visited positions; if it is reached, bounds are reported.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) node_limit: Option<u64>,
}

#[derive(JsonSchema, Serialize)]
struct Valued {
    file: String,
    rules: String,
    moves_made: usize,
    moves_left: usize,
    to_move: Player,
    scores: [u32; 2],
    /// Points by which the first player wins when both play best.
    margin: Option<i64>,
    at_least: i64,
    at_most: i64,
    winner: Option<Winner>,
    best_moves: Option<Vec<String>>,
    legal_moves: usize,
    nodes: u64,
    positions: usize,
    seconds: f64,
    stop: String,
}

printed!(Valued: "dots value");

pub(super) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = board_file::read_with(&args.file, args.rules)?;
    let game = board_file::game(&board, &moves)?;
    let mut watch = Watch::new(args.limit.time_limit, None, display);
    let mut go_on = |nodes| watch.go_on(nodes);
    let mut search = Search::new(&board, &mut go_on)?.with_node_limit(args.node_limit.unwrap_or(u64::MAX));
    let rest = search.value(&game);
    let best = rest.value().and_then(|value| search.best_moves(&game, value).ok());
    let (nodes, positions) = (search.nodes(), search.positions());
    let stop = match (&best, watch.stop_reason()) {
        (None, StopReason::Finished) => StopReason::NodeLimit,
        (_, stop) => stop,
    };
    let margin = Margin::new(&game, rest);
    let valued = Valued {
        file: args.file.display().to_string(),
        rules: board.scoring().to_string(),
        moves_made: moves.len(),
        moves_left: board.moves() - moves.len(),
        to_move: game.player(),
        scores: game.scores(),
        margin: margin.value(),
        at_least: margin.at_least,
        at_most: margin.at_most,
        winner: margin.winner(),
        best_moves: best.map(|best| best.iter().map(|&segment| board.name(segment)).collect()),
        legal_moves: game.legal_moves().len(),
        nodes,
        positions,
        seconds: watch.seconds(),
        stop: stop.to_string(),
    };
    out.result(&valued, &text(&valued)?)?;
    Ok(if valued.best_moves.is_some() { Exit::Yes } else { Exit::Stopped })
}

fn text(valued: &Valued) -> Result<String, std::fmt::Error> {
    let Valued {
        file, moves_made, moves_left, to_move, at_least, at_most, nodes, positions, seconds, ..
    } = valued;
    let mut text = format!("{file}: ");
    let says = match valued.margin {
        Some(margin) => format!("{} when both play best [exhaustive search]", verdict(margin, "wins")),
        None => format!(
            "stopped ({}); when both play best, the score of the first player less that of the second is between {at_least} \
             and {at_most}",
            valued.stop
        ),
    };
    writeln!(text, "{says}")?;
    if *moves_made > 0 {
        let [first, second] = valued.scores;
        writeln!(
            text,
            "  now         {first} to {second} after {}, {moves_left} left",
            counted(*moves_made, "move")
        )?;
    } else {
        writeln!(text, "  moves       {moves_left}")?;
    }
    match &valued.best_moves {
        Some(best) if best.is_empty() => writeln!(text, "  best moves  none, the game is over")?,
        Some(best) => writeln!(
            text,
            "  best moves  {} ({} of {}, {to_move})",
            best.join(" "),
            best.len(),
            valued.legal_moves
        )?,
        None => writeln!(text, "  best moves  not known ({})", valued.stop)?,
    }
    writeln!(
        text,
        "  search      {}, {} stored, {seconds:.2} s",
        counted(*nodes, "node"),
        counted(*positions, "position")
    )?;
    Ok(text)
}
