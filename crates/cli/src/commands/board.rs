//! `ndq board`

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args as Group;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::known;
use ndqueens_model::name::BoardName;
use ndqueens_report::diagram;
use serde::Serialize;

use super::Exit;
use crate::args::values::board;
use crate::output::{Output, counted};

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Draw the solution in this certificate file instead of the orbits of squares.
    #[arg(long, value_name = "FILE")]
    pub(crate) show: Option<PathBuf>,
}

#[derive(Serialize)]
struct Description {
    board: String,
    squares: usize,
    lines: u128,
    trivial_bound: u64,
    attacks_least: usize,
    attacks_most: usize,
    orbits: Vec<Orbit>,
    /// Absent when symmetries are not looked for.
    generators: Option<usize>,
    known_lower: Option<u64>,
    known_upper: Option<u64>,
    /// How many parts a drawing falls into, when its squares do not all hang together by their sides.
    parts: Option<usize>,
}

#[derive(Serialize)]
struct Orbit {
    representative: Vec<u32>,
    squares: usize,
    attacks: usize,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    super::refuse_if_too_large(&board, "its orbits", board.size() as u64 * BYTES_PER_SQUARE)?;
    let shown = args.show.as_deref().map(|path| super::draw::placed(&board, path, "native")).transpose()?;
    let description = describe(&board);
    let text = if out.json() { String::new() } else { text(&board, &description, shown.as_deref())? };
    out.result(&description, &text)?;
    Ok(Exit::Yes)
}

/// The number of its orbit and its place in the queue, for every square.
const BYTES_PER_SQUARE: u64 = 8;

fn describe(board: &Board) -> Description {
    let orbits = board.orbits();
    let orbit = |(&square, &squares): (&u32, &usize)| Orbit {
        representative: board.coordinates(square),
        squares,
        attacks: board.degree(square),
    };
    let orbits: Vec<Orbit> = orbits.representatives().iter().zip(orbits.sizes()).map(orbit).collect();
    let published = known::lookup(board.name());
    Description {
        board: board.name().to_string(),
        squares: board.size(),
        lines: board.lines_extent().rows,
        trivial_bound: board.trivial_bound(),
        attacks_least: orbits.iter().map(|orbit| orbit.attacks).min().unwrap_or(0),
        attacks_most: orbits.iter().map(|orbit| orbit.attacks).max().unwrap_or(0),
        generators: board.symmetry_is_known().then(|| board.generators().len()),
        orbits,
        known_lower: published.map(|known| known.lower),
        known_upper: published.map(|known| known.upper),
        parts: parts(board).filter(|&parts| parts > 1),
    }
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

fn text(board: &Board, description: &Description, shown: Option<&[Square]>) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(text, "board          {}", description.board)?;
    writeln!(text, "squares        {}", description.squares)?;
    if let Some(parts) = description.parts {
        writeln!(text, "parts          {parts}, which have no side in common")?;
    }
    writeln!(text, "lines          {} of two squares or more", description.lines)?;
    writeln!(
        text,
        "attacks        {} to {} other{}",
        description.attacks_least,
        description.attacks_most,
        board.places(2).replace('2', "")
    )?;
    writeln!(text, "trivial bound  {}", board.pieces(description.trivial_bound))?;
    if let (Some(lower), Some(upper)) = (description.known_lower, description.known_upper) {
        let value = if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") };
        writeln!(text, "published      {value}; see ndq known {}", description.board)?;
    }
    let symmetry = description.generators.map_or_else(
        || "not computed".to_owned(),
        |generators| {
            let orbits = counted(description.orbits.len() as u64, "orbit");
            format!("{orbits} of squares under a group with {}", counted(generators as u64, "generator"))
        },
    );
    writeln!(text, "symmetry       {symmetry}")?;
    let width = 100;
    if let Some(squares) = shown {
        let drawn = diagram::placement(board, width, |square| squares.contains(&square))
            .context("the board cannot be drawn, or is too large to be drawn here")?;
        write!(text, "\n{drawn}\n")?;
        return Ok(text);
    }
    let letter = |orbit: usize| LETTERS.chars().nth(orbit);
    if description.generators.is_none() || description.orbits.len() > LETTERS.len() {
        return Ok(text);
    }
    for (number, orbit) in description.orbits.iter().enumerate() {
        let coordinates: Vec<String> = orbit.representative.iter().map(u32::to_string).collect();
        let (letter, square) = (letter(number).expect("enough letters"), coordinates.join(","));
        writeln!(
            text,
            "  {letter}  {:6} {} like ({square}), each attacks {}",
            orbit.squares,
            if orbit.squares == 1 { "square " } else { "squares" },
            orbit.attacks
        )?;
    }
    let sign = |square| letter(board.orbits().of(square)).expect("enough letters");
    if let Some(drawn) = diagram::layers(board, width, sign) {
        write!(text, "\n{drawn}\n")?;
    }
    Ok(text)
}

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
