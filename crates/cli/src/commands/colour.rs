//! `ndq colour`

use std::fmt::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::{Args as Group, ValueEnum};
use ndqueens_crosscheck::colouring::verify;
use ndqueens_lab::colour::{self, Covered, Request};
use ndqueens_lab::figure::letter;
use ndqueens_lab::prove::{self, Exactly};
use ndqueens_lab::solve::Event;
use ndqueens_lab::{file, picture};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::colouring::{Classes as Claim, Colouring};
use ndqueens_model::colouring::ColouringProgram;
use ndqueens_model::format::FileFormat;
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_solver::backends::Options;
use ndqueens_solver::colouring::cover::Classes;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{chromatic, closed, cover, search, squares, superimposed, symmetry};
use ndqueens_solver::control::Deadline;
use serde::Serialize;

use super::Exit;
use crate::args::groups::{Seed, Threads};
use crate::args::values::{board, colours, seconds};
use crate::output::{Output, counted};
use crate::progress::Display;

const HELP: &str = "\
Symmetries: h and v are the reflections that reverse rows and columns, hv both, r2 the half turn, r4 the quarter turns. They
            permute the classes of a colouring. Those that no n-colouring of n^2 has are refused, with the reason.";

/// How a colouring is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// What suits the board.
    #[default]
    Auto,
    /// Closed forms, for n^2.
    Closed,
    /// The complete algorithm, for n^2.
    Cover,
    /// Random beginnings that are completed in every way, for n^2.
    Draw,
    /// DSATUR branch and bound.
    Dsatur,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = HELP)]
pub(crate) struct Args {
    /// The board, such as 12^2 or 3^3.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Ask whether K colours are enough, instead of for the fewest.
    #[arg(long, value_name = "K", value_parser = colours)]
    pub(crate) colours: Option<u64>,
    /// Give the first colouring that is found; this is the default.
    #[arg(long, conflicts_with_all = ["all", "count"])]
    pub(crate) first: bool,
    /// Visit all n-colourings of n^2, and list them up to colours.
    #[arg(long, conflicts_with = "count")]
    pub(crate) all: bool,
    /// Visit all n-colourings of n^2, and count them: up to colours, up to symmetry, and by their symmetries.
    #[arg(long)]
    pub(crate) count: bool,
    /// Which symmetry the colouring is to have: none (it may have any), h, v, hv, r2, r4, or auto.
    #[arg(long, value_name = "OPERATOR", default_value = "auto")]
    pub(crate) symmetry: String,
    /// How a colouring is found: auto, closed (closed forms), cover (complete, by lists of solutions), draw (random beginnings,
    /// completed in every way) or dsatur (branch and bound on any board).
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Method,
    /// Leave out the clique filter of the complete algorithm.
    #[arg(long)]
    pub(crate) no_filter: bool,
    /// Take the layers of this full solution of n^d as classes: the board is n^(d-1).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "count", "colours", "symmetry", "method", "write"])]
    pub(crate) layers: Option<PathBuf>,
    /// The axis along which the layers are taken, counted from 1.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), requires = "layers")]
    pub(crate) axis: u16,
    /// A folder for what is done of --all or --count, made if need be; the same command goes on there after it was stopped.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Write the question, with --colours, as a file for other solvers instead (.lp, .mps, .opb or .cnf).
    #[arg(long, value_name = "FILE", requires = "colours", conflicts_with_all = ["first", "all", "count", "symmetry", "method", "no_filter", "work", "output"])]
    pub(crate) write: Option<PathBuf>,
    /// Wall-clock limit in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Keep the colouring, the first one, in this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What is known of the colours that a board needs.
#[derive(Debug, Default, Serialize)]
struct Coloured {
    board: String,
    /// How many colours were asked about.
    asked: Option<u64>,
    /// Whether they are enough, where that is known.
    enough: Option<bool>,
    /// What colouring there is not, where a symmetry or a method was asked for.
    absent: Option<String>,
    /// No fewer colours will do.
    lower: usize,
    /// Why not.
    lower_because: String,
    /// The colours of the colouring.
    upper: Option<usize>,
    /// How it was made.
    origin: Option<String>,
    /// Its symmetry, where its classes are solutions of n queens.
    symmetry: Option<String>,
    classes: Option<Vec<Vec<Vec<u32>>>>,
    checked: bool,
    nodes: u64,
    seconds: f64,
    stop: Option<String>,
}

/// All colourings.
#[derive(Serialize)]
struct All {
    board: String,
    symmetry: String,
    filter: bool,
    solutions: u64,
    candidates: usize,
    nodes: u64,
    colourings: usize,
    up_to_symmetry: usize,
    with: std::collections::BTreeMap<String, usize>,
    /// Full solutions of n^3 whose layers along the last axis are the classes of one of them, every order counted; known when
    /// all colourings were visited.
    full_solutions: Option<usize>,
    classes: Option<Vec<Vec<Vec<Vec<u32>>>>>,
    parts: usize,
    seconds: f64,
    stop: Option<String>,
}

pub(super) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    let side = side(&args.board);
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let symmetry = match args.symmetry.as_str() {
        "auto" => None,
        name => Some(name.parse::<Operator>()?),
    };
    // A colouring that may have any symmetry is looked for as well as one can.
    let symmetry = symmetry.filter(|&operator| operator != Operator::None);
    if let Some(operator) = symmetry {
        let Some(side) = side.filter(|_| args.method != Method::Dsatur) else {
            bail!("--symmetry {operator} is for n-colourings of queens on n^2");
        };
        if let Some(colours) = args.colours.filter(|&k| k != side as u64) {
            bail!("--symmetry {operator} is for n-colourings, {side} colours here, not {colours}");
        }
        operator.fits(side)?;
    }
    if let Some(path) = &args.write {
        return write(args, &board, path, out);
    }
    if args.all || args.count {
        return all(args, &board, side, symmetry, display, out);
    }
    if args.no_filter || args.work.is_some() {
        bail!("--no-filter and --work are for --all and --count");
    }
    if let Some(path) = &args.layers {
        return layers(args, &board, path, out);
    }
    one(args, &board, side, symmetry, display, out)
}

/// The side of a square board of queens.
fn side(board: &BoardName) -> Option<usize> {
    match board {
        BoardName::Grid { piece: Piece::Queen, torus: false, sides }
            if sides.len() == 2 && sides[0] == sides[1] =>
        {
            Some(sides[0] as usize)
        }
        _ => None,
    }
}

#[derive(Serialize)]
struct Written {
    board: String,
    colours: u64,
    file: String,
    #[serde(flatten)]
    contents: ndqueens_model::format::Contents,
}

fn write(args: &Args, board: &Board, path: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let colours = args.colours.unwrap_or_default();
    let FileFormat::Program(format) = FileFormat::of_path(path)? else {
        bail!("{} would hold a graph; ndq model writes it", path.display());
    };
    let extent = board.lines_extent();
    let entries = (extent.nonzeros + board.size() as u128).saturating_mul(u128::from(colours));
    super::refuse_if_too_large(board, "its programme", u64::try_from(entries * 24).unwrap_or(u64::MAX))?;
    let program = ColouringProgram::new(board, colours as usize);
    let contents = file::write(path, |file| format.write(&program, file))?;
    let text = format!("{}: {contents}: is {} coloured in {colours} colours?", path.display(), board.name());
    let written =
        Written { board: board.name().to_string(), colours, file: path.display().to_string(), contents };
    out.result(&written, &text)?;
    Ok(Exit::Yes)
}

fn request<'a>(args: &'a Args, side: usize, operator: Operator) -> Request<'a> {
    Request {
        side,
        operator,
        filter: !args.no_filter,
        first: false,
        threads: args.threads.threads as usize,
        deadline: Deadline::after(args.time_limit),
        work: args.work.as_deref(),
    }
}

fn all(
    args: &Args,
    board: &Board,
    side: Option<usize>,
    symmetry: Option<Operator>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let Some(side) = side.filter(|&side| side <= cover::LONGEST) else {
        bail!("--all and --count are for n-colourings of queens on n^2 with n up to {}", cover::LONGEST);
    };
    if let Some(colours) = args.colours.filter(|&k| k != side as u64) {
        bail!("--all and --count are for n-colourings, {side} colours here, not {colours}");
    }
    if !matches!(args.method, Method::Auto | Method::Cover) {
        bail!("--all and --count are for --method cover, the complete algorithm");
    }
    let operator = symmetry.unwrap_or(Operator::None);
    let Covered { solutions, candidates, parts, tally, found, stop } =
        colour::cover(&request(args, side, operator), &mut |event| display.show(event))?;
    let census = symmetry::census(&found);
    let whole = stop.is_none() && operator == Operator::None;
    let full = whole.then(|| found.iter().map(|classes| superimposed::stacks(classes).len()).sum());
    let mut text = format!(
        "{}-colourings of {}{}\nsolutions of {side} queens  {solutions}{}\norbits as candidates    {candidates}\nnodes                    {}\n",
        side,
        board.name(),
        match operator {
            Operator::None => String::new(),
            operator => format!(" with the symmetry {operator}"),
        },
        if args.no_filter { "" } else { " that meet both main diagonals" },
        tally.nodes
    );
    writeln!(text, "colourings               {}, up to colours", census.colourings)?;
    writeln!(text, "up to symmetry           {}", census.up_to_symmetry)?;
    for (operator, count) in &census.with {
        writeln!(text, "  with symmetry {operator:<9}{count}")?;
    }
    if let Some(full) = full {
        writeln!(text, "full solutions of {side}^3   {full}, by stacking the classes in every order")?;
    }
    if args.all {
        for classes in &found {
            text += &grid(classes);
            text.push('\n');
        }
    }
    if let Some(stop) = stop {
        writeln!(text, "stopped ({stop}) before every colouring was visited: there may be more")?;
    }
    if let (Some(path), Some(classes)) = (&args.output, found.first()) {
        let colouring = colour::certified(classes, &format!("complete algorithm, symmetry {operator}"))?;
        file::write(path, |file| write!(file, "{colouring}"))?;
    }
    let answer = All {
        board: board.name().to_string(),
        symmetry: operator.to_string(),
        filter: !args.no_filter,
        solutions,
        candidates,
        nodes: tally.nodes,
        colourings: census.colourings,
        up_to_symmetry: census.up_to_symmetry,
        with: census.with,
        full_solutions: full,
        classes: args.all.then(|| found.iter().map(squares).collect()),
        parts,
        seconds: begin.elapsed().as_secs_f64(),
        stop: stop.map(|stop| stop.to_string()),
    };
    writeln!(text, "{:.1} s", answer.seconds)?;
    out.result(&answer, &text)?;
    Ok(match (stop, found.is_empty()) {
        (Some(_), _) => Exit::Stopped,
        (None, true) => Exit::No,
        (None, false) => Exit::Yes,
    })
}

/// A square board, a letter for the class of each square.
fn grid(classes: &Classes) -> String {
    let n = classes.len();
    let mut class = vec![vec!['?'; n]; n];
    for (k, members) in classes.iter().enumerate() {
        members
            .iter()
            .enumerate()
            .for_each(|(row, &column)| class[row][column as usize] = letter(k).unwrap_or('?'));
    }
    class.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

fn one(
    args: &Args,
    board: &Board,
    side: Option<usize>,
    symmetry: Option<Operator>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let mut answer = Coloured { board: board.name().to_string(), asked: args.colours, ..Coloured::default() };
    let mut colouring = None;
    let asked = args.colours.map(|k| k as usize);
    if let Some(side) = side {
        answer.lower = side;
        answer.lower_because = format!("a line has {}", counted(side as u64, "square"));
    }
    let planar = side.filter(|&side| asked.is_none_or(|k| k <= side) && args.method != Method::Dsatur);
    if planar.is_none() && !matches!(args.method, Method::Auto | Method::Dsatur) {
        bail!("--method closed, cover and draw are for n-colourings of queens on n^2");
    }
    if let Some(side) = planar.filter(|&side| asked.is_none_or(|k| k == side)) {
        colouring = by_solutions(args, side, symmetry, &mut answer, display)?;
    }
    let over = answer.absent.is_some() || asked.is_some_and(|k| k < answer.lower);
    if colouring.is_none() && !over && symmetry.is_none() {
        if answer.stop.is_none() {
            colouring = any(args, board, side, &mut answer, display)?;
        } else if let Some(found) = side.and_then(|side| cut(side, answer.lower)) {
            colouring = Some(colour::checked(found)?);
        }
    }
    answer.seconds = begin.elapsed().as_secs_f64();
    tell(args, board, answer, colouring.as_ref(), out)
}

/// The colouring of n^(d-1) by the layers of a full solution of n^d.
fn layers(args: &Args, board: &Board, path: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let (sides, full) = super::construct::given(path)?;
    let (side, axis) = (sides[0], usize::from(args.axis));
    let n = side as usize;
    if sides.len() < 3
        || sides.iter().any(|other| *other != side)
        || full.size() * n != n.pow(sides.len() as u32)
    {
        bail!(
            "{}: the layers of full solutions of n^d, d at least 3, are classes; this is one of {} queens on {}",
            path.display(),
            full.size(),
            full.board
        );
    }
    if axis > sides.len() {
        bail!("{} has the axes 1 to {}, and --axis is {axis}", full.board, sides.len());
    }
    if *board.name() != BoardName::queen(&sides[1..]) {
        bail!("the layers of {} colour {}, not {}", full.board, BoardName::queen(&sides[1..]), board.name());
    }
    let classes = superimposed::layers(side, &full.squares, axis - 1);
    let origin = format!("layers of a full solution of {} ({}) along axis {axis}", full.board, full.origin);
    let colouring = Colouring::new(board.name().clone(), Claim::FullSolutions, classes, origin);
    let answer = Coloured {
        board: board.name().to_string(),
        lower: n,
        lower_because: format!("a line has {n} squares"),
        seconds: begin.elapsed().as_secs_f64(),
        ..Coloured::default()
    };
    tell(args, board, answer, Some(&colour::checked(colouring)?), out)
}

/// A colouring that is given, checked.
pub(super) fn given(path: &Path) -> anyhow::Result<Colouring> {
    let text = file::read(path)?;
    let colouring = Colouring::read(&text, &file::open).with_context(|| path.display().to_string())?;
    verify(&colouring).with_context(|| format!("{} does not hold", path.display()))?;
    Ok(colouring)
}

fn tell(
    args: &Args,
    board: &Board,
    mut answer: Coloured,
    colouring: Option<&Colouring>,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if let Some(colouring) = colouring {
        answer.upper = Some(colouring.colours());
        answer.origin = Some(colouring.origin.clone());
        answer.symmetry = colour::symmetry(colouring).map(|operator| operator.to_string());
        answer.classes = Some(colouring.classes.clone());
        answer.checked = true;
    }
    answer.enough = args.colours.and_then(|k| match answer.upper {
        Some(upper) if upper as u64 <= k => Some(true),
        _ if answer.lower as u64 > k => Some(false),
        _ => None,
    });
    let exit = match (args.colours, answer.enough) {
        _ if answer.absent.is_some() => Exit::No,
        (_, Some(true)) => Exit::Yes,
        (_, Some(false)) => Exit::No,
        (None, _) if answer.upper == Some(answer.lower) => Exit::Yes,
        _ => Exit::Stopped,
    };
    // The best colouring is kept when the search for fewest colours is stopped, but not one that is no answer.
    if let (Some(path), Some(colouring)) = (&args.output, colouring)
        && (args.colours.is_none() || exit == Exit::Yes)
    {
        file::write(path, |file| write!(file, "{colouring}"))?;
    }
    out.result(&answer, &text(board, &answer, colouring, exit)?)?;
    Ok(exit)
}

fn text(
    board: &Board,
    answer: &Coloured,
    colouring: Option<&Colouring>,
    exit: Exit,
) -> anyhow::Result<String> {
    let name = board.name();
    let mut text = String::new();
    let Coloured { lower, lower_because, asked, .. } = answer;
    let asked = asked.map(|k| counted(k, "colour"));
    match (&answer.absent, &asked, exit) {
        (Some(absent), ..) => writeln!(text, "{absent}")?,
        (None, Some(colours), Exit::No) => writeln!(text, "{name} has no colouring in {colours}")?,
        (None, Some(colours), Exit::Stopped) => {
            writeln!(text, "whether {colours} are enough for {name} was not decided")?;
        }
        _ => {}
    }
    // What was found is no answer when it has too many colours.
    let answers = asked.is_none() || exit == Exit::Yes;
    match colouring {
        Some(colouring) => {
            let colours = counted(colouring.colours() as u64, "colour");
            writeln!(text, "{name} in {colours}, checked: no two squares of one colour attack each other")?;
            writeln!(text, "{}", colouring.origin)?;
        }
        None if asked.is_none() && answer.absent.is_none() => writeln!(text, "no colouring was found")?,
        None => {}
    }
    match answer.upper {
        _ if *lower <= 1 => {}
        Some(upper) if upper == *lower => writeln!(text, "fewer are not enough: {lower_because}")?,
        _ => writeln!(text, "at least {} are needed: {lower_because}", counted(*lower as u64, "colour"))?,
    }
    if let Some(symmetry) = &answer.symmetry {
        writeln!(text, "symmetry {symmetry}")?;
    }
    if let Some(colouring) = colouring.filter(|_| answers) {
        let class = |square| colouring.class_of(&board.coordinates(square)).and_then(letter).unwrap_or('?');
        let small = colouring.colours() <= 64 && board.size() <= 5000;
        let drawn = small.then(|| picture::layers(board, 100, class)).flatten();
        text += &drawn.unwrap_or_default();
        text.push('\n');
    }
    if let Some(stop) = &answer.stop {
        writeln!(text, "stopped ({stop})")?;
    }
    writeln!(text, "{} nodes, {:.2} s", answer.nodes, answer.seconds)?;
    Ok(text)
}

/// The symmetry with which colourings are looked for when none is asked for.
fn suitable(side: usize) -> Operator {
    match side % 4 {
        0 => Operator::Hv,
        1 => Operator::R4,
        2 => Operator::H,
        _ => Operator::R2,
    }
}

/// An n-colouring of n^2.
fn by_solutions(
    args: &Args,
    side: usize,
    symmetry: Option<Operator>,
    answer: &mut Coloured,
    display: &mut Display,
) -> anyhow::Result<Option<Colouring>> {
    let method = args.method;
    if matches!(method, Method::Auto | Method::Closed)
        && let Some((classes, origin)) = in_closed_form(side)
    {
        let has = symmetry::symmetry(&classes);
        match symmetry {
            Some(operator) if !has.contains(operator) && method == Method::Closed => {
                bail!("the closed form of {side}^2 has the symmetry {has}, not {operator}")
            }
            Some(operator) if !has.contains(operator) => {}
            _ => return Ok(Some(colour::certified(&classes, &origin)?)),
        }
    } else if method == Method::Closed {
        bail!(
            "{side} has no closed form: it is not prime to 6 (a product needs an r-colouring: --method auto)"
        );
    }
    let small = side < SHORTEST_DRAWN || symmetry.is_some() && side == SHORTEST_DRAWN;
    if method == Method::Cover || method == Method::Auto && small {
        if side > cover::LONGEST {
            bail!("the complete algorithm is for n up to {}", cover::LONGEST);
        }
        let operator = symmetry.unwrap_or(Operator::None);
        let request = Request { first: true, ..request(args, side, operator) };
        let Covered { tally, found, stop, .. } = colour::cover(&request, &mut |event| display.show(event))?;
        answer.nodes += tally.nodes;
        answer.stop = stop.map(|stop| stop.to_string());
        if let Some(classes) = found.first() {
            let origin = format!("complete algorithm, symmetry {operator}");
            return Ok(Some(colour::certified(classes, &origin)?));
        }
        if stop.is_none() && operator == Operator::None {
            answer.lower = side + 1;
            answer.lower_because = format!(
                "the complete algorithm visited all partitions into {side} solutions of {side} queens, {} nodes: there is none",
                tally.nodes
            );
        } else if stop.is_none() {
            answer.absent = Some(format!(
                "no {side}-colouring of {side}^2 has the symmetry {operator}: the complete algorithm visited all, {} nodes",
                tally.nodes
            ));
        }
        return Ok(None);
    }
    // A factor prime to 6 leaves a smaller board.
    let factor =
        (5..side).find(|s| side.is_multiple_of(*s) && closed::linear(*s).is_some() && side / s >= 12);
    if let (None, Some(factor)) = (symmetry, factor) {
        stage(display, format!("{side} = {} * {factor}, and {factor} is prime to 6", side / factor));
        let inner = by_solutions(args, side / factor, None, answer, display)?;
        let classes =
            inner.as_ref().and_then(colour::classes).and_then(|classes| closed::product(&classes, factor));
        if let (Some(inner), Some(classes)) = (inner, classes) {
            let origin = format!(
                "product of {}^2 ({}) and the linear {factor}-colouring",
                side / factor,
                inner.origin
            );
            return Ok(Some(colour::certified(&classes, &origin)?));
        }
        return Ok(None);
    }
    if !(SHORTEST_DRAWN..=search::LONGEST).contains(&side) {
        let why = format!("colourings are drawn for n from {SHORTEST_DRAWN} to {}", search::LONGEST);
        if method == Method::Draw || symmetry.is_some() {
            bail!("{why}");
        }
        answer.stop = Some(why);
        return Ok(None);
    }
    let operator = symmetry.unwrap_or_else(|| suitable(side));
    stage(display, format!("colourings of {side}^2 with the symmetry {operator} are drawn"));
    let request = request(args, side, operator);
    let seed = u64::from(args.seed.seed);
    let (found, nodes, stop) = colour::draw(&request, seed, &mut |event| display.show(event))?;
    answer.nodes += nodes;
    answer.stop = stop.map(|stop| stop.to_string());
    let Some((classes, seed)) = found else { return Ok(None) };
    let origin = format!("classes drawn at random with symmetry {operator}, the last completed; seed {seed}");
    Ok(Some(colour::certified(&classes, &origin)?))
}

fn in_closed_form(side: usize) -> Option<(Classes, String)> {
    if side > usize::from(u8::MAX) {
        return None;
    }
    let linear = closed::linear(side)?;
    Some((linear, format!("closed form: column + 2 row mod {side}")))
}

/// A colouring of any board in fewest colours.
fn any(
    args: &Args,
    board: &Board,
    side: Option<usize>,
    answer: &mut Coloured,
    display: &mut Display,
) -> anyhow::Result<Option<Colouring>> {
    if board.size() > chromatic::MOST_SQUARES {
        bail!(
            "{} has more than {} squares, the most that DSATUR takes",
            board.name(),
            chromatic::MOST_SQUARES
        );
    }
    let asked = args.colours.map(|k| k as usize);
    if let Some(found) = side.filter(|_| args.method == Method::Auto).and_then(|side| cut(side, answer.lower))
        && found.colours() <= asked.unwrap_or(answer.lower)
    {
        return Ok(Some(colour::checked(found)?));
    }
    let deadline = Deadline::after(args.time_limit);
    let by_size = by_size(board, answer, deadline, display)?;
    if asked.is_some_and(|k| k < answer.lower) {
        return Ok(None);
    }
    let enough = answer.lower.max(asked.unwrap_or(0));
    stage(display, "squares are coloured by tabu search and DSATUR branch and bound".to_owned());
    let (found, stop) = colour::fewest(board, enough, asked, deadline, &mut |event| display.show(event));
    answer.nodes += found.nodes;
    answer.stop = stop.map(|stop| stop.to_string());
    let clique = found.clique.len();
    if found.lower > answer.lower || by_size && clique == answer.lower {
        answer.lower = found.lower;
        answer.lower_because = if found.lower > clique {
            format!("DSATUR branch and bound visited all colourings in fewer, {} nodes", found.nodes)
        } else {
            let squares: Vec<String> = found.clique.iter().map(|&square| board.label(square)).collect();
            format!("{} attack each other pairwise", squares.join(" "))
        };
    }
    let mut classes = vec![Vec::new(); found.upper];
    board.squares().for_each(|s| classes[found.colours[s as usize]].push(board.coordinates(s)));
    let colouring =
        Colouring::new(board.name().clone(), Claim::IndependentSets, classes, "tabu search and DSATUR");
    Ok(Some(colour::checked(colouring)?))
}

/// No colour has more squares than the largest independent set: whether that says more than was known. The exact engine bounds
/// it, with a checked proof, as far as some nodes for each box go.
fn by_size(
    board: &Board,
    answer: &mut Coloured,
    deadline: Deadline,
    display: &mut Display,
) -> anyhow::Result<bool> {
    if board.size() > MOST_FOR_SIZES {
        return Ok(false);
    }
    let patience = deadline.within(PATIENCE);
    let options =
        Options { node_limit: Some(NODES_FOR_SIZES), time_limit: Some(patience), ..Options::default() };
    let exactly = Exactly { options, certified: true, ..Exactly::default() };
    let proof = prove::prove_exactly(board, None, None, &exactly, &mut |event| display.show(event))?;
    let (size, most) = (board.size(), proof.upper as usize);
    let enough = size.div_ceil(most);
    if enough <= answer.lower {
        return Ok(false);
    }
    answer.lower = enough;
    answer.lower_because =
        format!("no colour has more than {most} of the {} ({})", board.places(size as u64), proof.kind);
    Ok(true)
}

/// The shortest side whose colourings are drawn at random: for the others the complete algorithm is quick.
const SHORTEST_DRAWN: usize = 12;

/// The largest board whose largest independent set is bounded, and what that may take.
const MOST_FOR_SIZES: usize = 400;
const NODES_FOR_SIZES: u64 = 200_000;
const PATIENCE: Duration = Duration::from_secs(10);

/// Says what begins.
fn stage(display: &mut Display, words: String) {
    // Whether to go on is asked again before long.
    let _ = display.show(&Event::Stage(words));
}

/// A colouring of n^2 in few colours, but no fewer than said, cut out of the closed form of a larger side.
fn cut(side: usize, colours: usize) -> Option<Colouring> {
    let (classes, origin) = (colours.max(side + 1)..=usize::from(u8::MAX)).find_map(in_closed_form)?;
    let whole = classes.len();
    let inside = |class: Vec<Vec<u32>>| -> Vec<Vec<u32>> {
        class.into_iter().filter(|square| square.iter().all(|&x| (x as usize) < side)).collect()
    };
    let classes = squares(&classes).into_iter().map(inside).collect();
    let board = BoardName::queen(&[side as u32, side as u32]);
    Some(Colouring::new(board, Claim::IndependentSets, classes, format!("cut out of {whole}^2, {origin}")))
}
