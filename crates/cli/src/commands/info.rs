//! `ndq info`

use std::fmt::Write as _;

use anyhow::{anyhow, bail};
use clap::Args as Group;
use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::best::{self, Best, Trust};
use ndqueens_knowledge::bounds::Cube;
use ndqueens_knowledge::ledger::{Ledger, LedgerRow};
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::known::{self, Known};
use ndqueens_model::name::{BoardName, NameError};
use ndqueens_report::diagram;
use serde::Serialize;

use super::Exit;
use crate::args::typed::Typed;
use crate::args::values::board;
use crate::output::{Output, counted, log};

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
}

/// A board, or n^d with more squares than a board may have elsewhere.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    Board(BoardName),
    Cube(Cube),
}

fn named(text: &str) -> Result<Named, NameError> {
    let cube = || text.replacen(',', "^", 1).parse().ok().map(Named::Cube);
    board(text).map(Named::Board).or_else(|fault| cube().ok_or(fault))
}

#[derive(Serialize)]
struct Info {
    board: String,
    squares: u128,
    lines: Option<u128>,
    trivial_bound: Option<u64>,
    /// `None` if the board is too large for its orbits.
    symmetry: Option<Symmetry>,
    /// How many parts a drawing falls into, when its squares do not all hang together by their sides.
    parts: Option<usize>,
    lower: Best,
    upper: Best,
    published: Option<Published>,
    /// Files of the archive that show bounds of the board, with the commands that make them again.
    files: Vec<File>,
    next: Vec<String>,
}

/// The orbits of the squares under the board's symmetry group.
#[derive(Serialize)]
struct Symmetry {
    attacks_least: usize,
    attacks_most: usize,
    /// Absent when symmetries are not looked for.
    generators: Option<usize>,
    orbits: Vec<Orbit>,
}

#[derive(Serialize)]
struct Orbit {
    representative: Vec<u32>,
    squares: usize,
    attacks: usize,
}

#[derive(Serialize)]
struct Published {
    lower: u64,
    upper: u64,
    source: String,
}

#[derive(Serialize)]
struct File {
    file: String,
    kind: String,
    command: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let name = match &args.board {
        Named::Board(name) => name.clone(),
        Named::Cube(cube) => cube.board(),
    };
    if args.why {
        Cube::allowed(Cube::of(&name)).map_err(|fault| anyhow!("--why: {fault}"))?;
    }
    let board = matches!(args.board, Named::Board(_)).then(|| Board::new(&name));
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
    let fits = |board: &&Board| {
        super::refuse_if_too_large(board, "its orbits", board.size() as u64 * BYTES_PER_SQUARE).is_ok()
    };
    let published = known::lookup(&name).map(|Known { lower, upper, source, .. }| Published {
        lower: *lower,
        upper: *upper,
        source: source.clone(),
    });
    let info = Info {
        board: name.to_string(),
        squares: squares(&name, board.as_ref()),
        lines: board.as_ref().map(|board| board.lines_extent().rows),
        trivial_bound: board.as_ref().map(Board::trivial_bound),
        symmetry: board.as_ref().filter(fits).map(symmetry),
        parts: board.as_ref().and_then(parts).filter(|&parts| parts > 1),
        next: board.as_ref().map(|board| next(board, &lower, &upper)).unwrap_or_default(),
        lower,
        upper,
        published,
        files: files(&name)?,
    };
    let text = if out.json() { String::new() } else { text(board.as_ref(), &info, args.why)? };
    out.result(&info, &text)?;
    Ok(Exit::Yes)
}

/// The number of its orbit and its place in the queue, for every square.
const BYTES_PER_SQUARE: u64 = 8;

fn symmetry(board: &Board) -> Symmetry {
    let orbits = board.orbits();
    let orbit = |(&square, &squares): (&u32, &usize)| Orbit {
        representative: board.coordinates(square),
        squares,
        attacks: board.degree(square),
    };
    let orbits: Vec<Orbit> = orbits.representatives().iter().zip(orbits.sizes()).map(orbit).collect();
    Symmetry {
        attacks_least: orbits.iter().map(|orbit| orbit.attacks).min().unwrap_or(0),
        attacks_most: orbits.iter().map(|orbit| orbit.attacks).max().unwrap_or(0),
        generators: board.symmetry_is_known().then(|| board.generators().len()),
        orbits,
    }
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

/// How many parts a drawing falls into: no square of one has a side in common with one of another.
fn parts(board: &Board) -> Option<usize> {
    if !matches!(board.name(), BoardName::File(_)) || board.layout().is_none() {
        return None;
    }
    let beside = |square: Square| {
        let here = board.coordinates(square);
        let step = |axis: usize, forward: bool| {
            let mut there = here.clone();
            there[axis] = if forward { there[axis] + 1 } else { there[axis].checked_sub(1)? };
            board.square(&there)
        };
        (0..here.len()).flat_map(|axis| [step(axis, false), step(axis, true)]).flatten().collect::<Vec<_>>()
    };
    let mut met = vec![false; board.size()];
    let mut parts = 0;
    for first in board.squares() {
        let mut new = vec![first];
        parts += usize::from(!met[first as usize]);
        while let Some(square) = new.pop() {
            if !std::mem::replace(&mut met[square as usize], true) {
                new.extend(beside(square));
            }
        }
    }
    Some(parts)
}

fn text(board: Option<&Board>, info: &Info, why: bool) -> anyhow::Result<String> {
    let mut text = String::new();
    let Info { lower, upper, .. } = info;
    writeln!(text, "board          {}", info.board)?;
    writeln!(text, "squares        {}", info.squares)?;
    if let Some(parts) = info.parts {
        writeln!(text, "parts          {parts}, which have no side in common")?;
    }
    if let Some(lines) = info.lines {
        writeln!(text, "lines          {lines} of two squares or more")?;
    }
    match (board, &info.symmetry) {
        (Some(board), Some(symmetry)) => write_symmetry(&mut text, board, symmetry)?,
        _ => writeln!(text, "symmetry       not computed: too many squares")?,
    }
    if let (Some(board), Some(bound)) = (board, info.trivial_bound) {
        writeln!(text, "trivial bound  {}", board.pieces(bound))?;
    }
    writeln!(text, "lower bound    {lower}")?;
    writeln!(text, "upper bound    {upper}")?;
    let status = match upper.value.checked_sub(lower.value) {
        Some(0) => format!("settled by the bounds above: {}", lower.value),
        gap => format!("open, gap {}", gap.unwrap_or_default()),
    };
    writeln!(text, "maximum        {status}")?;
    if let Some(Published { lower, upper, source }) = &info.published {
        let value = if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") };
        writeln!(text, "published      {value} [{source}]")?;
    }
    for (number, File { file, kind, command }) in info.files.iter().enumerate() {
        let head = if number == 0 { "archive" } else { "" };
        writeln!(text, "{head:13}  {file} ({kind}), by: {command}")?;
    }
    for (number, command) in info.next.iter().enumerate() {
        let head = match (number, lower.value == upper.value) {
            (0, true) => "re-check",
            (0, false) => "to improve",
            _ => "",
        };
        writeln!(text, "{head:13}  {command}")?;
    }
    if why {
        for derivation in [lower, upper].into_iter().filter_map(|best| best.derivation.as_ref()) {
            writeln!(text, "\n{derivation}")?;
        }
        return Ok(text);
    }
    if let (Some(board), Some(symmetry)) = (board, &info.symmetry) {
        text += &drawn(board, symmetry);
    }
    Ok(text)
}

fn write_symmetry(text: &mut String, board: &Board, symmetry: &Symmetry) -> std::fmt::Result {
    let places = board.places(2).replace('2', "");
    writeln!(text, "attacks        {} to {} other{places}", symmetry.attacks_least, symmetry.attacks_most)?;
    let words = symmetry.generators.map_or_else(
        || "not computed".to_owned(),
        |generators| {
            let orbits = counted(symmetry.orbits.len() as u64, "orbit");
            format!("{orbits} of squares under a group with {}", counted(generators as u64, "generator"))
        },
    );
    writeln!(text, "symmetry       {words}")
}

/// The orbits of the squares, and the layers of the board with a letter for each orbit, where there are enough letters.
fn drawn(board: &Board, symmetry: &Symmetry) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const WIDTH: usize = 100;
    /// What goes on a screen beside the rest.
    const MOST_LINES: usize = 24;
    let letter = |orbit: usize| LETTERS.chars().nth(orbit);
    let mut text = String::new();
    if symmetry.generators.is_none() || symmetry.orbits.len() > LETTERS.len() {
        return text;
    }
    for (letter, orbit) in LETTERS.chars().zip(&symmetry.orbits) {
        let square: Vec<String> = orbit.representative.iter().map(u32::to_string).collect();
        let squares = counted(orbit.squares as u64, "square");
        text +=
            &format!("  {letter}  {squares} like ({}), each attacks {}\n", square.join(","), orbit.attacks);
    }
    let sign = |square: Square| letter(board.orbits().of(square)).unwrap_or('?');
    if let Some(drawn) =
        diagram::layers(board, WIDTH, sign).filter(|drawn| drawn.lines().count() <= MOST_LINES)
    {
        text += &format!("\n{drawn}\n");
    }
    text
}
