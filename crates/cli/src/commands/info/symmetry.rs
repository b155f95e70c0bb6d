//! Symmetry of a board, with a drawing of its orbits.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use ndqueens_model::board::{Board, Square};
use ndqueens_model::orbit::BoxOrbits;
use ndqueens_notation::counted::counted;
use ndqueens_report::diagram;
use ndqueens_system::cancel::{Deadline, run_stoppable};
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::refuse_if_too_large;

/// The orbits of the squares under the board's symmetry group.
#[derive(JsonSchema, Serialize)]
pub(super) struct Symmetry {
    pub(super) attacks_least: usize,
    pub(super) attacks_most: usize,
    /// Order of the group; null if it is not known.
    pub(super) order: Option<u128>,
    /// Number of its generators; null if symmetries are not computed.
    pub(super) generators: Option<usize>,
    /// Number of orbits of squares.
    pub(super) orbit_count: u128,
    /// The orbits; empty on boards with more than 2^20 squares.
    pub(super) orbits: Vec<Orbit>,
}

#[derive(JsonSchema, Serialize)]
pub(super) struct Orbit {
    representative: Vec<u32>,
    squares: usize,
    attacks: usize,
}

/// Memory per square in bytes, for the number of its orbit and its place in the queue.
const BYTES_PER_SQUARE: u64 = 8;

/// Largest box whose orbits are listed, in squares; those of larger ones are only counted.
const MOST_LISTED: usize = 1 << 20;

/// Returns the symmetry of a large box by formula, without listing the squares.
///
/// A plain box has the number of orbits that [`BoxOrbits`] computes. A square attacks the fewest others in a
/// corner and the most in the centre: if a square is moved one layer away from the nearer face of an axis,
/// then, of the squares m steps away, one more is on that side for one m and one less on the other side for a
/// larger m, and the number of squares in reach along the other axes does not increase with m. On a torus,
/// translations map every square to every other one, so there is one orbit.
fn symmetry_by_formula(board: &Board) -> Option<Symmetry> {
    let grid = board.grid().filter(|_| board.size() > MOST_LISTED)?;
    let degree = |place: &dyn Fn(u32) -> u32| {
        let coordinates: Vec<u32> = grid.sides().iter().map(|&side| place(side)).collect();
        board.degree(board.square(&coordinates).expect("a square of the box"))
    };
    Some(Symmetry {
        attacks_least: degree(&|_| 0),
        attacks_most: degree(&|side| (side - 1) / 2),
        order: board.symmetry_order(),
        generators: Some(board.generators().len()),
        orbit_count: BoxOrbits::of(grid).map_or(1, |orbits| orbits.number()),
        orbits: Vec::new(),
    })
}

/// Returns the symmetry of a board, or the reason why it is not computed.
pub(super) fn symmetry_before(board: &Arc<Board>, deadline: Deadline) -> Result<Symmetry, &'static str> {
    if let Some(symmetry) = symmetry_by_formula(board) {
        return Ok(symmetry);
    }
    if refuse_if_too_large(board, "its orbits", board.size() as u64 * BYTES_PER_SQUARE).is_err() {
        return Err("too many squares");
    }
    let shared = Arc::clone(board);
    let tick = &mut || if deadline.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    match run_stoppable("symmetry", move |_| symmetry(&shared), tick) {
        Ok(found) => found.ok_or("time limit"),
        // Without a thread, compute it here and ignore the deadline.
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
        generators: board.has_symmetry().then(|| board.generators().len()),
        orbit_count: orbits.len() as u128,
        orbits,
    }
}

pub(super) fn write_symmetry(text: &mut String, board: &Board, symmetry: &Symmetry) -> std::fmt::Result {
    let places = board.format_squares(2).replace('2', "");
    match (symmetry.attacks_least, symmetry.attacks_most) {
        (least, most) if least == most => {
            let squares = board.format_squares(most as u64).replacen(' ', " other ", 1);
            writeln!(text, "attacks        {squares}")?;
        }
        (least, most) => writeln!(text, "attacks        {least} to {most} other{places}")?,
    }
    let words = symmetry.generators.map_or_else(
        || "not computed".to_owned(),
        |generators| {
            let orbits = counted(u64::try_from(symmetry.orbit_count).unwrap_or(u64::MAX), "orbit");
            let order = symmetry.order.map_or_else(|| "unknown".to_owned(), |order| order.to_string());
            format!("order {order} ({}), {orbits} of squares", counted(generators as u64, "generator"))
        },
    );
    writeln!(text, "symmetry group {words}")
}

/// Describes the orbits of the squares, and draws the layers of the board with a letter for each orbit if
/// there are enough letters.
pub(super) fn draw_orbits(board: &Board, symmetry: &Symmetry) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const WIDTH: usize = 100;
    /// Number of lines that fit on a screen with the rest.
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
