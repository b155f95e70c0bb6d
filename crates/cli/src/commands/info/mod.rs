//! The command `ndq info`.

mod cells;
mod graph;
mod optimal;
mod printed;
mod summary;
mod symmetry;
mod text;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ndqueens_archive::archive::Archive;
use ndqueens_archive::best::{self, Best, Trust};
use ndqueens_archive::bounds::Cube;
use ndqueens_archive::effort;
use ndqueens_archive::ledger::LedgerRow;
use ndqueens_archive::next::{Open, Suggestion, TreeSize};
use ndqueens_model::board::Board;
use ndqueens_model::facts::counts;
use ndqueens_model::facts::known::{self, PublishedBounds};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::graph::{NoFigures, figures};
use ndqueens_workflow::prove::estimate::{self, Sampling};

use self::cells::cell_graph;
use self::optimal::Optimality;
use self::printed::Solutions;
use self::summary::{File, FullSolutions, Info};
use self::symmetry::symmetry_before;
use self::text::text;
use super::Exit;
use crate::args::values::{ValueError, board, duration};
use crate::output::{Output, log};
use crate::typed::quote;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3, 4x5x6 or 6,3 for 6^3.
    #[arg(value_parser = parse_name)]
    pub(crate) board: Named,
    /// Show how the bounds are derived, as trees.
    #[arg(long)]
    pub(crate) why: bool,
    /// Use no published values, only theorems, checked certificates and archived bounds.
    #[arg(long)]
    pub(crate) unpublished: bool,
    /// As --unpublished, but use only archived bounds whose proofs are checked in this run.
    #[arg(long)]
    pub(crate) certified: bool,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m, for the checks of archived proofs and for the
    /// symmetry of a large board, which are left out when it is over [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
}

/// Board, or n^d with more squares than other commands allow.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    Board(BoardName),
    Cube(Cube),
}

fn parse_name(text: &str) -> Result<Named, ValueError> {
    let cube = || text.replacen(',', "^", 1).parse().ok().map(Named::Cube);
    board(text).map(Named::Board).or_else(|fault| cube().ok_or(fault))
}

pub(crate) fn run(args: &Args, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    let deadline = Deadline::after(args.time_limit);
    let name = match &args.board {
        Named::Board(name) => name.clone(),
        Named::Cube(cube) => cube.board(),
    };
    out.notes().report_all(name.notes());
    let board = matches!(args.board, Named::Board(_)).then(|| Arc::new(Board::new(&name)));
    let trust = match (args.certified, args.unpublished) {
        (true, _) => Trust::Checked,
        (_, true) => Trust::Archived,
        _ => Trust::Reported,
    };
    let certificates = super::archived::certificates(archive)?;
    let found = match &board {
        Some(board) => best::best(archive, board, trust, &certificates, deadline),
        None => best::of_cube(archive, Cube::of(&name).expect("n^d"), trust, &certificates, deadline),
    };
    let [lower, upper] = match found {
        Ok(bounds) => bounds,
        Err(contradiction) => {
            log(&format!("error: {contradiction}"));
            return Ok(Exit::Failed);
        }
    };
    let symmetry = board.as_ref().map_or(Err("too many squares"), |board| symmetry_before(board, deadline));
    let published = known::lookup(&name).map(PublishedBounds::best);
    let Next { commands, efforts, obstacle } =
        next(archive, &name, board.as_deref(), &lower, &upper, deadline)?;
    let info = Info {
        board: name.to_string(),
        squares: squares(&name, board.as_deref()),
        lines: board.as_ref().map(|board| board.lines_extent().rows),
        trivial_bound: board.as_deref().map(Board::trivial_bound),
        symmetry,
        graph: board.as_deref().map_or(Err(NoFigures::TooManySquares), |board| figures(board, deadline)),
        parts: board.as_deref().and_then(Board::drawn_parts).filter(|&parts| parts > 1),
        next: commands,
        next_effort: efforts,
        obstacle,
        optimal: board.as_deref().and_then(|board| Optimality::of(board, &lower, &upper)),
        solutions: counts::lookup(&name).map(Solutions::from),
        printed: printed::of(&name, board.as_deref(), &lower, &upper),
        published,
        full_solutions: FullSolutions::of(&name),
        files: files(archive, &name),
        lower,
        upper,
        cell_graph: cell_graph(&name)?,
    };
    if let Err(fault @ NoFigures::Clique(..)) = &info.graph {
        log(&format!("error: {fault}"));
        return Ok(Exit::Failed);
    }
    let text = if out.json() { String::new() } else { text(board.as_deref(), &info, args.why)? };
    out.result(&info, &text)?;
    Ok(if info.symmetry.is_err() && deadline.is_over() { Exit::Stopped } else { Exit::Yes })
}

fn squares(name: &BoardName, board: Option<&Board>) -> u128 {
    board.map(|board| board.size() as u128).or_else(|| Cube::of(name).map(Cube::squares)).unwrap_or_default()
}

/// Returns the files of a board in the ledger of an archive.
fn files(archive: &Archive, name: &BoardName) -> Vec<File> {
    let name = name.without_unit_sides();
    let of_board = archive.ledger().rows().filter(|row| row.board == name);
    of_board
        .map(|LedgerRow { file, kind, command, .. }| File {
            file: file.clone(),
            kind: kind.to_string(),
            command: command.clone(),
        })
        .collect()
}

/// Suggested next commands.
#[derive(Default)]
struct Next {
    commands: Vec<String>,
    /// Estimated effort of each command.
    efforts: Vec<String>,
    /// Reason why no command is known to lower the upper bound.
    obstacle: Option<String>,
}

/// Returns the commands that check the bounds again, or improve them.
fn next(
    archive: &Archive,
    name: &BoardName,
    board: Option<&Board>,
    lower: &Best,
    upper: &Best,
    deadline: Deadline,
) -> anyhow::Result<Next> {
    let (typed, squares) = (quote(&name.to_string()).into_owned(), squares(name, board));
    if lower.value == upper.value && [lower, upper].iter().all(|best| best.is_checked()) {
        let at_once = |board: &Board| {
            board.size() <= MOST_PROVED_AT_ONCE || u128::from(board.trivial_bound()) == upper.value
        };
        let commands = board.filter(|board| at_once(board)).map(|_| format!("ndq prove {typed}"));
        return Ok(Next { commands: commands.into_iter().collect(), ..Next::default() });
    }
    let efforts = effort::of(archive.files())?;
    let checked = |best: &Best| best.certified.as_ref().map_or(best.value, |certified| certified.value);
    let open = Open { board: name, typed: &typed, squares, lower: lower.value, upper: checked(upper) };
    let reduce = open.reduce(archive.ledger(), &efforts, &|| tree_size(board?, lower.value, deadline));
    let (reduce, obstacle) = match reduce {
        Ok(suggestion) => (Some(suggestion), None),
        Err(obstacle) => (None, Some(obstacle.to_string())),
    };
    let raise = if lower.value < upper.value { open.raise(&efforts) } else { None };
    let suggestions = raise.into_iter().chain(reduce).map(|Suggestion { command, effort }| (command, effort));
    let (commands, efforts) = suggestions.unzip();
    Ok(Next { commands, efforts, obstacle })
}

/// Largest board whose maximum `ndq prove` shows at once, in squares.
const MOST_PROVED_AT_ONCE: usize = 512;

/// Largest board whose search tree is estimated, in squares.
const MOST_ESTIMATED: usize = 1000;

/// Number of random walks down the tree.
const SAMPLES: u64 = 50;

/// Node limit of each sub-box.
const BOX_NODES: u64 = 300;

/// Returns the estimated size of the search tree of the proof that no `lower + 1` pieces fit, or `None` on
/// large boards.
fn tree_size(board: &Board, lower: u128, deadline: Deadline) -> Option<TreeSize> {
    if board.size() > MOST_ESTIMATED || deadline.is_over() {
        return None;
    }
    let options = Options {
        threads: Some(1),
        node_limit: Some(BOX_NODES),
        time_limit: deadline.left(),
        ..Options::default()
    };
    let at_least = u64::try_from(lower).ok()? + 1;
    let sampling = Sampling { at_least, samples: SAMPLES, options, work: None };
    let estimated = estimate::estimate(board, &sampling, &mut |_| ControlFlow::Continue(())).ok()?;
    let smallest = estimated.trees.into_iter().min_by(|a, b| a.nodes.total_cmp(&b.nodes))?;
    Some(TreeSize { nodes: smallest.nodes, seconds: Some(smallest.seconds) })
}
