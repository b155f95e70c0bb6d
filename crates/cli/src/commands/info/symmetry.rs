//! The symmetry of a board, and the pieces of a drawn one.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use ndqueens_control::Deadline;
use ndqueens_control::interruptible::run_interruptible;
use ndqueens_model::board::{Board, Square};
use ndqueens_report::diagram;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::refuse_if_too_large;
use crate::output::counted;

/// The orbits of the squares under the board's symmetry group.
#[derive(JsonSchema, Serialize)]
pub(super) struct Symmetry {
    pub(super) attacks_least: usize,
    pub(super) attacks_most: usize,
    /// The order of the group; null when it is not known.
    pub(super) order: Option<u128>,
    /// How many generators it has; null when symmetries are not looked for.
    pub(super) generators: Option<usize>,
    pub(super) orbits: Vec<Orbit>,
}

#[derive(JsonSchema, Serialize)]
pub(super) struct Orbit {
    representative: Vec<u32>,
    squares: usize,
    attacks: usize,
}

/// The number of its orbit and its place in the queue, for every square.
const BYTES_PER_SQUARE: u64 = 8;

/// The symmetry of a board, or why it is not computed.
pub(super) fn symmetry_before(board: &Arc<Board>, deadline: Deadline) -> Result<Symmetry, &'static str> {
    if refuse_if_too_large(board, "its orbits", board.size() as u64 * BYTES_PER_SQUARE).is_err() {
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
        order: board.symmetry_order(),
        generators: board.symmetry_is_known().then(|| board.generators().len()),
        orbits,
    }
}

pub(super) fn write_symmetry(text: &mut String, board: &Board, symmetry: &Symmetry) -> std::fmt::Result {
    let places = board.places(2).replace('2', "");
    writeln!(text, "attacks        {} to {} other{places}", symmetry.attacks_least, symmetry.attacks_most)?;
    let words = symmetry.generators.map_or_else(
        || "not computed".to_owned(),
        |generators| {
            let orbits = counted(symmetry.orbits.len() as u64, "orbit");
            let order = symmetry.order.map_or_else(|| "unknown".to_owned(), |order| order.to_string());
            format!("order {order} ({}), {orbits} of squares", counted(generators as u64, "generator"))
        },
    );
    writeln!(text, "symmetry group {words}")
}

/// The orbits of the squares, and the layers of the board with a letter for each orbit, where there are enough letters.
pub(super) fn drawn(board: &Board, symmetry: &Symmetry) -> String {
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
