//! The commands that may improve the bounds of a board.

use ndqueens_exact::MOST_SQUARES;
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_model::orbit::BoxOrbits;
use ndqueens_solver::orbit_lp::MOST_COLUMNS;

/// The largest board that is searched, in squares.
const MOST_SEARCHED: u128 = 100_000_000;

/// The largest board whose bound may be lowered by cases, in squares.
const MOST_BY_CASES: u128 = 25_000;

/// The command that may find a placement of so many queens, if the board is not too large; `typed` is its name as a shell reads it.
#[must_use]
pub fn raise(typed: &str, squares: u128, queens: u128) -> Option<String> {
    (squares <= MOST_SEARCHED).then(|| format!("ndq find {typed} --method search --at-least {queens}"))
}

/// The command that may show that fewer queens fit, if the board is not too large; `typed` is its name as a shell reads it.
#[must_use]
pub fn reduce(board: &BoardName, typed: &str, squares: u128) -> Option<String> {
    if squares <= MOST_SQUARES as u128 {
        return Some(format!("ndq prove {typed} --work w"));
    }
    let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = board else { return None };
    let fits = BoxOrbits::of_sides(sides.clone()).number() <= u128::from(MOST_COLUMNS);
    let formulation = match sides.len() > 3 && squares <= MOST_BY_CASES {
        true => "strong-clique --cases 10000",
        false => "cube,strong",
    };
    fits.then(|| format!("ndq lp certify {typed} -f {formulation}"))
}
