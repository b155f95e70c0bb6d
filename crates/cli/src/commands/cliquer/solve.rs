//! `ndq cliquer value` and `ndq cliquer extremes`

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::extremes::{ExtremesError, Model, Side, extreme};
use ndqueens_cliquer::rules::Player;
use ndqueens_cliquer::triangulation::{Census, census};
use ndqueens_cliquer::value::{Bounds, Search};
use ndqueens_cliquer::{text, verify};
use ndqueens_control::{Deadline, StopReason};
use ndqueens_files as files;
use ndqueens_lab::run::Event;
use ndqueens_model::format::{Contents, FileFormat, Format};
use ndqueens_solver::backends::Progress;
use serde::Serialize;

use super::super::Exit;
use super::args::{CliquerExtremes, CliquerValue, Extremes, ExtremesMethod};
use super::verdict;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Display;

/// Stops at limits and at Ctrl-C, and tells why.
pub(super) struct Watch<'d> {
    began: Instant,
    deadline: Deadline,
    node_limit: u64,
    display: &'d mut Display,
    stop: Option<StopReason>,
}

impl<'d> Watch<'d> {
    pub(super) fn new(
        time_limit: Option<Duration>,
        node_limit: Option<u64>,
        display: &'d mut Display,
    ) -> Self {
        let node_limit = node_limit.unwrap_or(u64::MAX);
        let began = Instant::now();
        Self { began, deadline: Deadline::since(began, time_limit), node_limit, display, stop: None }
    }

    pub(super) fn go_on(&mut self, nodes: u64) -> ControlFlow<()> {
        let seconds = self.began.elapsed().as_secs_f64();
        let progress = Progress { seconds, nodes: Some(nodes), ..Progress::default() };
        let asked = self.display.show(&Event::Progress(progress)).is_break();
        self.stop = match () {
            () if asked => Some(StopReason::Interrupted),
            () if nodes >= self.node_limit => Some(StopReason::NodeLimit),
            () => self.deadline.reason(),
        };
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stopped(&self) -> StopReason {
        self.stop.unwrap_or(StopReason::Finished)
    }

    fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }
}

#[derive(Serialize)]
struct Valued {
    file: String,
    moves_made: usize,
    moves_left: usize,
    to_move: Player,
    scores: [u32; 2],
    /// By how many points the first player wins when both play best.
    margin: Option<i64>,
    at_least: i64,
    at_most: i64,
    winner: Option<&'static str>,
    best_moves: Option<Vec<String>>,
    legal_moves: usize,
    nodes: u64,
    positions: usize,
    seconds: f64,
    stop: String,
}

pub(super) fn value(args: &CliquerValue, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = super::read(&args.file)?;
    let game = super::game(&board, &moves)?;
    let mut watch = Watch::new(args.time_limit, None, display);
    let mut go_on = |nodes| watch.go_on(nodes);
    let mut search = Search::new(&board, &mut go_on)?.within(args.node_limit.unwrap_or(u64::MAX));
    let Bounds { lower, upper } = search.value(&game);
    let best = if lower == upper { search.best_moves(&game, lower).ok() } else { None };
    let (nodes, positions) = (search.nodes(), search.positions());
    let stop = match (&best, watch.stopped()) {
        (None, StopReason::Finished) => StopReason::NodeLimit,
        (_, stop) => stop,
    };

    let [first, second] = game.scores().map(i64::from);
    let lead = first - second;
    let (at_least, at_most) = match game.player() {
        Player::First => (lead + i64::from(lower), lead + i64::from(upper)),
        Player::Second => (lead - i64::from(upper), lead - i64::from(lower)),
    };
    let winner = if at_least > 0 {
        Some("first")
    } else if at_most < 0 {
        Some("second")
    } else {
        (at_least == at_most).then_some("neither")
    };
    let valued = Valued {
        file: args.file.display().to_string(),
        moves_made: moves.len(),
        moves_left: board.moves() - moves.len(),
        to_move: game.player(),
        scores: game.scores(),
        margin: (at_least == at_most).then_some(at_least),
        at_least,
        at_most,
        winner,
        best_moves: best.map(|best| best.iter().map(|&segment| board.name(segment)).collect()),
        legal_moves: game.legal().len(),
        nodes,
        positions,
        seconds: watch.seconds(),
        stop: stop.to_string(),
    };
    out.result(&valued, &told(&valued, game.player())?)?;
    let exit = if valued.best_moves.is_some() { Exit::Yes } else { Exit::Stopped };
    Ok(exit)
}

fn told(valued: &Valued, player: Player) -> Result<String, std::fmt::Error> {
    let Valued { file, moves_made, moves_left, at_least, at_most, nodes, positions, seconds, .. } = valued;
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
        writeln!(text, "  now         {first} to {second} after {moves_made} moves, {moves_left} left")?;
    } else {
        writeln!(text, "  moves       {moves_left}")?;
    }
    match &valued.best_moves {
        Some(best) if best.is_empty() => writeln!(text, "  best moves  none, the game is over")?,
        Some(best) => writeln!(
            text,
            "  best moves  {} ({} of {}, {player})",
            best.join(" "),
            best.len(),
            valued.legal_moves
        )?,
        None => writeln!(text, "  best moves  not known ({})", valued.stop)?,
    }
    writeln!(text, "  search      {nodes} nodes, {positions} positions kept, {seconds:.2} s")?;
    Ok(text)
}

#[derive(Serialize)]
struct Found {
    file: String,
    side: String,
    /// The total score of the best game found, checked.
    total: Option<u32>,
    /// What no total is beyond.
    bound: i64,
    is_extreme: bool,
    shown_by: String,
    game: Option<Vec<String>>,
    triangulations: Option<usize>,
    nodes: Option<u64>,
    seconds: f64,
    stop: String,
}

#[derive(Serialize)]
struct Written {
    file: String,
    model: String,
    side: String,
    #[serde(flatten)]
    contents: Contents,
}

pub(super) fn extremes(
    args: &CliquerExtremes,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let (board, drawn) = super::read(&args.file)?;
    let sides: &[Side] = match args.side {
        Extremes::Both => &[Side::Largest, Side::Smallest],
        Extremes::Largest => &[Side::Largest],
        Extremes::Smallest => &[Side::Smallest],
    };
    if (args.output.is_some() || args.model.is_some()) && sides.len() > 1 {
        bail!("-o and --model write what belongs to one side: --side largest or --side smallest is needed");
    }
    if let Some(path) = &args.model {
        return write_model(args, path, &board, &drawn, sides[0], out);
    }
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let found = match args.method {
        ExtremesMethod::Highs => solved(args, &board, &drawn, sides, display)?,
        ExtremesMethod::Flips => visited(args, &board, &drawn, sides, display)?,
    };
    let mut exit = Exit::Yes;
    for (found, game) in &found {
        if !found.is_extreme {
            exit = Exit::Stopped;
        }
        let mut text = match (found.total, found.is_extreme) {
            (Some(total), true) => {
                format!("{}: the {} total score is {total} [{}]\n", found.file, found.side, found.shown_by)
            }
            (total, _) => {
                let total =
                    total.map_or_else(|| "none was found".to_owned(), |total| format!("{total} was found"));
                format!(
                    "{}: stopped ({}) before the {} total score was known; {total}, bound {}\n",
                    found.file, found.stop, found.side, found.bound
                )
            }
        };
        if let Some(names) = &found.game {
            writeln!(text, "  game    {}", names.join(" "))?;
        }
        let nodes = found.nodes.map(|nodes| format!("{nodes} nodes, "));
        let visits = found.triangulations.map(|count| format!("{count} triangulations, "));
        writeln!(text, "  effort  {}{:.2} s", nodes.or(visits).unwrap_or_default(), found.seconds)?;
        if let (Some(path), Some(game)) = (&args.output, game) {
            let rest = game.iter().copied().filter(|segment| !drawn.contains(segment));
            let moves: Vec<usize> = drawn.iter().copied().chain(rest).collect();
            let remark = format!("a game with the total score {}", found.total.unwrap_or_default());
            let written = text::write(&board, &moves, &[remark]);
            files::write(path, |out| out.write_all(written.as_bytes()))?;
            writeln!(text, "  kept    {}", path.display())?;
        }
        out.result(found, &text)?;
    }
    Ok(exit)
}

fn write_model(
    args: &CliquerExtremes,
    path: &Path,
    board: &Board,
    drawn: &[usize],
    side: Side,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let model = Model::new(board, side, drawn);
    let format = match FileFormat::of_path(path) {
        Ok(FileFormat::Program(format)) if format != Format::Cnf => format,
        _ => bail!("{}: the programme is written as .lp, .mps or .opb", path.display()),
    };
    let contents = files::write(path, |file| format.write(&model, file))?;
    let model = path.display().to_string();
    let text = format!("{model}: {contents}");
    out.result(
        &Written { file: args.file.display().to_string(), model, side: side.to_string(), contents },
        &text,
    )?;
    Ok(Exit::Yes)
}

/// What was found for a side, and the game.
type FoundGame = (Found, Option<Vec<usize>>);

fn solved(
    args: &CliquerExtremes,
    board: &Board,
    drawn: &[usize],
    sides: &[Side],
    display: &mut Display,
) -> anyhow::Result<Vec<FoundGame>> {
    let mut all = Vec::new();
    for &side in sides {
        let monitor = &mut |progress: &Progress| display.show(&Event::Progress(*progress));
        let begin = Instant::now();
        let found = extreme(board, side, drawn, &args.solver.options(), monitor)?;
        let shown_by = match &found.run {
            Some(run) if found.bound != side.bound(board) => format!("solver run (float), {}", run.solver),
            _ => format!("theorem: {}", side.theorem()),
        };
        let told = Found {
            file: args.file.display().to_string(),
            side: side.to_string(),
            total: Some(found.total),
            bound: found.bound,
            is_extreme: found.is_extreme(),
            shown_by: format!("{shown_by}; game checked"),
            game: Some(found.segments.iter().map(|&s| board.name(s)).collect()),
            triangulations: None,
            nodes: found.run.as_ref().and_then(|run| run.nodes),
            seconds: begin.elapsed().as_secs_f64(),
            stop: found.run.map_or(StopReason::Finished, |run| run.stop).to_string(),
        };
        all.push((told, Some(found.segments)));
        if interrupt::asked() {
            break;
        }
    }
    Ok(all)
}

fn visited(
    args: &CliquerExtremes,
    board: &Board,
    drawn: &[usize],
    sides: &[Side],
    display: &mut Display,
) -> anyhow::Result<Vec<FoundGame>> {
    let mut watch = Watch::new(args.solver.time_limit, args.solver.node_limit, display);
    let census = census(board, drawn, &mut |met| watch.go_on(met as u64))?;
    let mut all = Vec::new();
    for &side in sides {
        let pick = |census: &Census| match side {
            Side::Largest => census.largest.clone(),
            Side::Smallest => census.smallest.clone(),
        };
        let game = census.as_ref().map(pick);
        if let Some((segments, total)) = &game {
            let ends: Vec<[usize; 2]> = segments.iter().map(|&segment| board.segments()[segment]).collect();
            let counted = verify::total(board.dots(), &ends).unwrap_or_default();
            if counted != *total {
                let solver = "the visit of all triangulations".to_owned();
                return Err(ExtremesError::Miscounted { solver, claimed: i64::from(*total), counted }.into());
            }
        }
        let told = Found {
            file: args.file.display().to_string(),
            side: side.to_string(),
            total: game.as_ref().map(|(_, total)| *total),
            bound: game.as_ref().map_or_else(|| side.bound(board), |(_, total)| i64::from(*total)),
            is_extreme: game.is_some(),
            shown_by: "all triangulations visited; game checked".to_owned(),
            game: game.as_ref().map(|(segments, _)| segments.iter().map(|&s| board.name(s)).collect()),
            triangulations: census.as_ref().map(|census| census.triangulations),
            nodes: None,
            seconds: watch.seconds(),
            stop: watch.stopped().to_string(),
        };
        all.push((told, game.map(|(segments, _)| segments)));
    }
    Ok(all)
}
