//! `ndq construct`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args as Group;
use ndqueens_control::StopReason;
use ndqueens_files as files;
use ndqueens_lab::workflow::construct::{self, ConstructionRequest, Tried};
use ndqueens_lab::workflow::{colour, full};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_solver::colouring::superimposed;
use ndqueens_solver::construct::linear::regular::Census;
use ndqueens_solver::construct::{Attempt, ConstructionError, Effort, Method, corner, product, stack};
use serde::Serialize;

use super::Exit;
use super::certificate::drawn;
use crate::args::groups::Verbosity;
use crate::args::groups::{Seed, Threads};
use crate::args::values::board;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Only this method: regular, planar, cut, extend, product, corner, stack or greedy.
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Count what the method regular or stack can make in all: regular solutions, or all full solutions on n^3.
    #[arg(long, requires = "method", conflicts_with = "include")]
    pub(crate) count: bool,
    /// Make it from these files: two certificates for the method product, one for corner, a colouring of n^2 for stack.
    #[arg(long, value_name = "FILE", num_args = 1..=2, requires = "method", conflicts_with_all = ["include", "count"])]
    pub(crate) from: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Queens that must be part of the solution: a certificate file.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Write the certificate to this file; with --method regular --count, all coefficient vectors as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let mut display = Display::new(verbosity, None);
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    if args.count { count(args, &mut display, out) } else { make(args, verbosity.quiet, &mut display, out) }
}

#[derive(Serialize)]
struct Constructed {
    board: String,
    attempts: Vec<Line>,
    /// Whether it was stopped before all methods were done.
    stopped: bool,
    best: Option<usize>,
    origin: Option<String>,
    squares: Option<Vec<Vec<u32>>>,
    checked: bool,
}

/// What came of one method.
#[derive(Serialize)]
struct Line {
    method: String,
    queens: Option<usize>,
    says: String,
}

impl Line {
    fn of(Attempt { method, result }: &Attempt) -> Self {
        let (queens, says) = match result {
            Ok(made) => (Some(made.size()), made.origin.clone()),
            // What applies instead is in the other lines.
            Err(ConstructionError::DoesNotApply { obstacle, .. }) => (None, obstacle.to_string()),
            Err(error) => (None, error.to_string()),
        };
        Self { method: method.to_string(), queens, says }
    }
}

/// Makes a large set by every method, or by the one that is named.
fn make(args: &Args, quiet: bool, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    super::refuse_to_construct(&board)?;
    let include = super::included(&board, args.include.as_deref(), Claim::IndependentSet)?;
    let asked: Option<Method> = args.method.as_deref().map(str::parse).transpose()?;
    let methods = asked.map_or_else(|| Method::ALL.to_vec(), |method| vec![method]);
    let Tried { attempts, best, unchecked } = match asked {
        Some(method) if !args.from.is_empty() => {
            let attempt = made_from(method, &board, &args.from)?;
            let best = match &attempt.result {
                Ok(made) => Some(construct::checked(&board, made, &[])?),
                Err(_) => None,
            };
            Tried { best, attempts: vec![attempt], unchecked: None }
        }
        _ => {
            let request = ConstructionRequest {
                board: args.board.clone(),
                methods: methods.clone(),
                include,
                seed: u64::from(args.seed.seed),
                effort: Effort::default(),
            };
            construct::construct(&request, &mut |event| display.show(event))?
        }
    };
    if asked.is_some()
        && args.from.is_empty()
        && let [Attempt { method, result: Err(error) }] = &attempts[..]
    {
        return Err(error.clone()).with_context(|| format!("{method} on {}", board.name()));
    }
    let stopped = attempts.len() < methods.len();
    let left = methods.iter().skip(attempts.len()).enumerate().map(|(place, method)| {
        let says = match (place, unchecked) {
            (0, Some(queens)) => format!("stopped before its {queens} were checked"),
            (0, None) => "stopped before it was done".to_owned(),
            _ => "not tried: stopped".to_owned(),
        };
        Line { method: method.to_string(), queens: None, says }
    });
    let lines: Vec<Line> = attempts.iter().map(Line::of).chain(left).collect();
    let mut text = String::new();
    for Line { method, queens, says } in lines.iter().filter(|_| !quiet) {
        let queens = queens.map_or_else(|| "-".to_owned(), |n| n.to_string());
        writeln!(text, "{method:8}  {queens:>6}  {says}")?;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    match &best {
        Some(best) => {
            let pieces = board.pieces(best.size() as u64);
            writeln!(text, "{pieces} on {}, checked: no two attack each other", board.name())?;
            text += &drawn(&board, best);
        }
        None if stopped => {
            writeln!(text, "stopped before anything was made and checked on {}", board.name())?;
        }
        None => writeln!(text, "nothing was made on {}", board.name())?,
    }
    if let (Some(path), Some(best)) = (&args.output, &best) {
        files::write(path, |file| write!(file, "{best}"))?;
    }
    let constructed = Constructed {
        board: board.name().to_string(),
        attempts: lines,
        stopped,
        best: best.as_ref().map(Certificate::size),
        origin: best.as_ref().map(|best| best.origin.clone()),
        checked: best.is_some(),
        squares: best.map(|best| best.squares),
    };
    out.result(&constructed, &text)?;
    Ok(match constructed.best {
        _ if stopped => Exit::Stopped,
        Some(_) => Exit::Yes,
        None => Exit::No,
    })
}

#[derive(Serialize)]
struct Counted {
    board: String,
    method: String,
    /// Coefficient vectors of regular solutions.
    coefficient_vectors: Option<u64>,
    /// The file that lists them.
    vectors: Option<PathBuf>,
    solutions: u64,
    /// Solutions up to symmetry.
    fundamental: Option<u64>,
    seconds: f64,
}

/// The most coefficient vectors, roughly, that are listed.
const MOST_VECTORS: u128 = 1 << 28;

fn count(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let method: Method = args.method.as_deref().unwrap_or_default().parse()?;
    let (side, dimension) = cube(&args.board)?;
    let board = args.board.to_string();
    let mut counted = Counted {
        board,
        method: method.to_string(),
        coefficient_vectors: None,
        vectors: None,
        solutions: 0,
        fundamental: None,
        seconds: 0.0,
    };
    let stopped = |stop: StopReason, display: &Display| {
        display.say(&format!("stopped ({stop}) before all were counted; nothing is known yet"));
        Ok(Exit::Stopped)
    };
    let how = match method {
        Method::Regular => {
            if u128::from(side).pow(dimension as u32 - 1) > MOST_VECTORS {
                bail!("{} has too many coefficient vectors to be listed", args.board);
            }
            let census = match full::list_regular(side, dimension, &mut |event| display.show(event)) {
                Ok(census) => census,
                Err(stop) => return stopped(stop, display),
            };
            if let Some(path) = &args.output {
                files::write(path, |file| full::write_vectors(&census, dimension, file))?;
                counted.vectors = Some(path.clone());
            }
            let Census { vectors, solutions, orbits } = census;
            let vectors = vectors.len() as u64;
            let orbits = orbits.map(|orbits| orbits.solutions);
            counted.coefficient_vectors = Some(vectors);
            (counted.solutions, counted.fundamental) = (solutions, orbits);
            let orbits =
                orbits.map_or_else(|| "not counted".to_owned(), |orbits| format!("{orbits} up to symmetry"));
            format!(
                "regular solutions on {}: {vectors} coefficient vectors, {side} constants; {orbits}",
                args.board
            )
        }
        Method::Stack if args.output.is_some() => {
            bail!(
                "-o with --count lists coefficient vectors, which the method stack has not: it counts solutions only"
            )
        }
        Method::Stack if dimension == 3 && side <= stack::MOST_LAYERS => {
            match full::count_stacks(side, args.threads.threads as usize, &mut |event| display.show(event))? {
                Ok(solutions) => counted.solutions = solutions,
                Err(stop) => return stopped(stop, display),
            }
            format!("full solutions on {}, all: every stack of full layers was visited", args.board)
        }
        Method::Stack => bail!("all stacks are visited on n^3 with n up to {} only", stack::MOST_LAYERS),
        _ => bail!("--count is for the methods regular and stack, not {method}"),
    };
    counted.seconds = begin.elapsed().as_secs_f64();
    let text = format!("{} {how}\n{:.2} s", counted.solutions, counted.seconds);
    out.result(&counted, &text)?;
    Ok(if counted.solutions > 0 { Exit::Yes } else { Exit::No })
}

fn cube(board: &BoardName) -> anyhow::Result<(u32, usize)> {
    match board {
        BoardName::Grid { piece: Piece::Queen, torus: false, sides }
            if sides.iter().all(|n| *n == sides[0]) =>
        {
            Ok((sides[0], sides.len()))
        }
        _ => bail!("--count is for queens on n^d, not {board}"),
    }
}

/// A solution on the board made from what is given.
fn made_from(method: Method, board: &Board, files: &[PathBuf]) -> anyhow::Result<Attempt> {
    let made = match (method, files) {
        (Method::Product, [left, right]) => {
            let ((left, a), (right, b)) =
                (super::certificate::of_a_box(left)?, super::certificate::of_a_box(right)?);
            let origin = format!("product of {} ({}) and {} ({})", a.board, a.origin, b.board, b.origin);
            Some(([left, right].concat(), product::product(&a.squares, &b.squares), origin))
        }
        (Method::Corner, [whole]) => {
            let (sides, whole) = super::certificate::of_a_box(whole)?;
            if sides.contains(&1) {
                bail!("{} has a side of length 1: no layer can be cut off", whole.board);
            }
            let (squares, corner) = corner::cut(&sides, &whole.squares);
            let origin =
                format!("{} ({}) without the layers at its corner {corner:?}", whole.board, whole.origin);
            Some((sides.iter().map(|side| side - 1).collect(), squares, origin))
        }
        (Method::Stack, [colouring]) => stacked(board, colouring)?,
        (Method::Product, _) => bail!("--method product takes two files after --from"),
        (Method::Corner | Method::Stack, _) => bail!("--method {method} takes one file after --from"),
        _ => bail!("--from is for the methods product, corner and stack, not {method}"),
    };
    let Some((sides, squares, origin)) = made else {
        return Ok(Attempt { method, result: Err(ConstructionError::NoOrder) });
    };
    let made = BoardName::queen(&sides);
    if made != *board.name() {
        bail!("what --from gives is on {made}, not on {}", board.name());
    }
    Ok(Attempt { method, result: Ok(Certificate::independent(made, squares, origin)) })
}

/// The sides of a box, squares on it, and where they are from.
type Made = (Vec<u32>, Vec<Vec<u32>>, String);

/// A full solution of n^3 whose layers are the classes of a colouring, if they can be put in such an order.
fn stacked(board: &Board, path: &Path) -> anyhow::Result<Option<Made>> {
    let colouring = super::certificate::colouring(path)?;
    let Some(classes) = colour::classes(&colouring) else {
        bail!("{}: stacks are made of colourings of n^2 by full solutions", path.display());
    };
    let sides = vec![classes.len() as u32; 3];
    if BoardName::queen(&sides) != *board.name() {
        bail!(
            "{}: the classes of a colouring of {} are layers of {}, not of {}",
            path.display(),
            colouring.board,
            BoardName::queen(&sides),
            board.name()
        );
    }
    let Some(order) = superimposed::stacks(&classes).into_iter().next() else { return Ok(None) };
    let layer = |(z, &class): (u32, &usize)| -> Vec<Vec<u32>> {
        (0..).zip(&classes[class]).map(|(row, &column)| vec![row, u32::from(column), z]).collect()
    };
    let squares = (0..).zip(&order).flat_map(layer).collect();
    let origin = format!("the classes of a colouring of {} ({}) stacked", colouring.board, colouring.origin);
    Ok(Some((sides, squares, origin)))
}
