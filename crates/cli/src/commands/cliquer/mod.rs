//! `ndq cliquer`

mod args;
mod play;
mod solve;
mod table;

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context as _, bail};
use ndqueens_cliquer::board::{Board, Dot};
use ndqueens_cliquer::generate::{self, GenerateError, Wanted};
use ndqueens_cliquer::rules::{Game, Player};
use ndqueens_cliquer::symmetry::symmetries;
use ndqueens_cliquer::triangulation::largest_total;
use ndqueens_cliquer::{drawing, text, verify};
use ndqueens_files as files;
use serde::Serialize;

pub(crate) use self::args::Args;
use self::args::{CliquerBoard, CliquerDraw};
use super::Exit;
use crate::args::groups::Verbosity;
use crate::interrupt;
use crate::output::{Output, counted, log};
use crate::progress::Display;

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let display = |limit| Display::new(verbosity, limit);
    match args {
        Args::Board(wanted) => board(wanted, out),
        Args::Check(given) => check(&given.file, &files::read(&given.file)?, out),
        Args::Play(play) => play::run(play, out),
        Args::Value(value) => solve::value(value, &mut display(value.time_limit), out),
        Args::Extremes(asked) => solve::extremes(asked, &mut display(asked.solver.time_limit), out),
        Args::Draw(draw) => self::draw(draw, out),
        Args::Table(table) => table::run(table, &mut display(None), out),
    }
}

/// The board in a file, and the moves made on it.
fn read(path: &Path) -> anyhow::Result<(Board, Vec<usize>)> {
    text::read(&files::read(path)?).with_context(|| path.display().to_string())
}

/// The game of moves that [`read`] gave.
fn game<'b>(board: &'b Board, moves: &[usize]) -> anyhow::Result<Game<'b>> {
    Ok(Game::after(board, moves).map_err(|(_, fault)| fault)?)
}

/// What a board is, for scripts.
#[derive(Serialize)]
struct Facts {
    dots: usize,
    hull: usize,
    segments: usize,
    crossings: usize,
    attainable_4_cliques: usize,
    symmetries: usize,
    moves: usize,
    last_mover: Option<Player>,
    /// The largest total score, by a theorem.
    largest_total: usize,
    places: Vec<[i64; 2]>,
}

impl Facts {
    fn of(board: &Board) -> Self {
        Self {
            dots: board.dots().len(),
            hull: board.hull().len(),
            segments: board.segments().len(),
            crossings: board.crossings(),
            attainable_4_cliques: board.attainable(),
            symmetries: symmetries(board).len(),
            moves: board.moves(),
            last_mover: board.moves().checked_sub(1).map(Player::of_move),
            largest_total: largest_total(board),
            places: board.dots().iter().map(|&Dot { x, y }| [x, y]).collect(),
        }
    }

    fn text(&self) -> String {
        let Self {
            dots,
            hull,
            segments,
            crossings,
            attainable_4_cliques,
            symmetries,
            moves,
            largest_total,
            ..
        } = self;
        let last =
            self.last_mover.map_or_else(String::new, |player| format!("; the {player} makes the last one"));
        format!(
            "{dots} dots, {hull} on the hull, no three on a line\n\
             {segments} segments, {crossings} pairs of them cross; {attainable_4_cliques} attainable 4-cliques\n\
             symmetry of order {symmetries}\n\
             a game takes {moves} moves{last}; the two scores add up to {largest_total} at most\n"
        )
    }
}

fn board(args: &CliquerBoard, out: &mut Output) -> anyhow::Result<Exit> {
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let size = args.size.unwrap_or_else(|| generate::size(args.dots));
    let wanted = Wanted {
        dots: args.dots,
        hull: args.hull,
        four_cliques: args.cliques,
        symmetry: args.symmetry,
        size,
        clearance: args.clearance.unwrap_or_else(|| generate::clearance(args.dots, size)),
        seed: args.seed,
        tries: args.tries,
    };
    let board = match generate::generate(&wanted, &mut |_| go_on()) {
        Err(fault @ (GenerateError::NotFound { .. } | GenerateError::Stopped { .. })) => {
            log(&format!("error: {fault}"));
            return Ok(Exit::Stopped);
        }
        board => board?,
    };
    let facts = Facts::of(&board);
    let text = text::write(&board, &[], &remarks(args, &wanted, &facts));
    let Some(path) = &args.output else {
        out.result(&facts, &text)?;
        return Ok(Exit::Yes);
    };
    files::write(path, |out| out.write_all(text.as_bytes()))?;
    out.result(&facts, &format!("{}: {}", path.display(), facts.text()))?;
    Ok(Exit::Yes)
}

fn remarks(args: &CliquerBoard, wanted: &Wanted, facts: &Facts) -> Vec<String> {
    let Facts { dots, hull, attainable_4_cliques, symmetries, .. } = facts;
    let mut command = format!("ndq cliquer board {dots}");
    let _ = args.hull.map(|hull| write!(command, " --hull {hull}"));
    let _ = args.cliques.map(|cliques| write!(command, " --cliques {cliques}"));
    let _ = write!(
        command,
        " --symmetry {} --size {} --clearance {} --seed {}",
        wanted.symmetry, wanted.size, wanted.clearance, wanted.seed
    );
    vec![
        format!(
            "{dots} dots, {hull} on the hull, {attainable_4_cliques} attainable 4-cliques, symmetry of order {symmetries}"
        ),
        format!("made by {command}"),
    ]
}

fn go_on() -> ControlFlow<()> {
    if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A move that was made, for scripts.
#[derive(Debug, Clone, Serialize)]
struct Made {
    number: usize,
    player: Player,
    segment: String,
    points: u32,
}

fn made(game: &Game<'_>) -> Vec<Made> {
    let made = |(number, made): (usize, &ndqueens_cliquer::rules::Move)| Made {
        number: number + 1,
        player: Player::of_move(number),
        segment: game.board().name(made.segment),
        points: made.points,
    };
    game.moves().iter().enumerate().map(made).collect()
}

#[derive(Serialize)]
struct Checked {
    file: String,
    #[serde(flatten)]
    board: Facts,
    made: Vec<Made>,
    scores: [u32; 2],
    finished: bool,
}

/// Checks the text of a file, for `ndq check` too.
pub(super) fn check(path: &Path, text: &str, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = text::read(text).with_context(|| path.display().to_string())?;
    let game = game(&board, &moves)?;
    let scores = game.scores();
    if game.is_over() {
        let ends: Vec<[usize; 2]> = moves.iter().map(|&segment| board.segments()[segment]).collect();
        let counted = verify::total(board.dots(), &ends).map_err(|fault| fault.to_string());
        if counted != Ok(scores.iter().sum()) {
            log(&format!("error: the rules give {scores:?}, and the independent check {counted:?}"));
            return Ok(Exit::Failed);
        }
    }
    let checked = Checked {
        file: path.display().to_string(),
        board: Facts::of(&board),
        made: made(&game),
        scores,
        finished: game.is_over(),
    };
    let mut text = format!("{}: holds\n{}", checked.file, checked.board.text());
    for Made { number, player, segment, points } in &checked.made {
        writeln!(text, "{number:4}  {player:13}  {segment}  {points:2}")?;
    }
    if !checked.made.is_empty() {
        writeln!(text, "{}", standing(&game))?;
    }
    out.result(&checked, &text)?;
    Ok(Exit::Yes)
}

/// The score, and who leads or has won.
fn standing(game: &Game<'_>) -> String {
    let [first, second] = game.scores();
    let margin = i64::from(first) - i64::from(second);
    let moves = counted(game.moves().len() as u64, "move");
    let verb = if game.is_over() { "wins" } else { "leads" };
    let ends = if game.is_over() { "the game is over after" } else { "after" };
    format!("{ends} {moves}: {first} to {second}, {}", verdict(margin, verb))
}

/// Who is ahead by a margin of the first player.
fn verdict(margin: i64, verb: &str) -> String {
    match margin {
        0 => format!("neither player {verb}"),
        1.. => format!("the first player {verb} by {margin}"),
        _ => format!("the second player {verb} by {}", -margin),
    }
}

#[derive(Serialize)]
struct Drawn {
    file: String,
    svg: String,
    dots: usize,
    moves: usize,
}

fn draw(args: &CliquerDraw, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = read(&args.file)?;
    if args.output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("svg")) {
        bail!("the name of a drawing ends in .svg, and {} does not", args.output.display());
    }
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let title = args.title.as_deref().unwrap_or(&name);
    let svg = drawing::svg(&game(&board, &moves)?, title);
    files::write(&args.output, |out| out.write_all(svg.as_bytes()))?;
    let drawn = Drawn {
        file: args.file.display().to_string(),
        svg: args.output.display().to_string(),
        dots: board.dots().len(),
        moves: moves.len(),
    };
    out.result(
        &drawn,
        &format!("{}: {} dots and {}", drawn.svg, drawn.dots, counted(moves.len() as u64, "move")),
    )?;
    Ok(Exit::Yes)
}
