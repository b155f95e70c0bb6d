//! Colourings in which squares of one colour are far from each other.
//!
//! # References
//! A. Siddiqua, Apoorva, *Solving Sudoku: an application of graph coloring*, 2021, "K-distant graph
//! coloring".

use std::fmt::Write as _;
use std::time::Instant;

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::colouring::chromatic;

use crate::colour;
use crate::colour::few_colours::{ColourRequest, Coloured, colour as colour_board};
use crate::run::{ColourError, Watch, WorkflowError};

/// Colours a board so that any two squares of one colour are at a distance of at least `distance` (2 or more)
/// in the graph of attacks, with the requested number of colours or with fewest.
///
/// This is an ordinary colouring of the power of the graph whose edges join squares at a smaller distance.
///
/// # Errors
/// Returns an error if the board is too large, or if the colouring does not pass the check.
pub fn colour_at_distance(
    request: &ColourRequest<'_>,
    distance: u32,
    watch: &mut Watch<'_>,
) -> Result<Coloured, WorkflowError> {
    let begin = Instant::now();
    let board = request.board;
    if board.size() > chromatic::MAX_SQUARES {
        return Err(ColourError::TooLarge(board.name().clone()).into());
    }
    let power = power(board, distance);
    let found = colour_board(&ColourRequest { board: &power, ..*request }, watch)?;
    let colouring = match &found.colouring {
        Some(of_power) => {
            let squares = |class: &Vec<Vec<u32>>| {
                class.iter().map(|vertex| board.coordinates(vertex[0])).collect::<Vec<_>>()
            };
            let classes = of_power.classes.iter().map(squares).collect();
            let (kind, origin) = (ClassKind::AtDistance(distance), of_power.origin.clone());
            Some(colour::check(Colouring::new(board.name().clone(), kind, classes, origin))?)
        }
        None => None,
    };
    let lower_because = if found.lower_because.ends_with(PAIRWISE) {
        format!("any two of {} are nearer than {distance}", counted(found.lower, "square"))
    } else {
        found.lower_because.clone()
    };
    Ok(Coloured {
        board: board.name().to_string(),
        classes: colouring.as_ref().map(|colouring| colouring.classes.clone()),
        colouring,
        lower_because,
        seconds: begin.elapsed().as_secs_f64(),
        ..found
    })
}

/// End of the reason that names a clique.
const PAIRWISE: &str = "attack each other pairwise";

/// Returns the graph on the squares whose edges join any two at a distance of 1 to `distance - 1`.
fn power(board: &Board, distance: u32) -> Board {
    let mut text = format!("n {}\n", board.size());
    let mut steps = vec![u32::MAX; board.size()];
    for start in board.squares() {
        let mut reached: Vec<Square> = vec![start];
        steps[start as usize] = 0;
        let mut at = 0;
        while let Some(&square) = reached.get(at) {
            at += 1;
            let next = steps[square as usize] + 1;
            if next == distance {
                break;
            }
            for other in board.neighbours(square) {
                if steps[other as usize] == u32::MAX {
                    steps[other as usize] = next;
                    reached.push(other);
                }
            }
        }
        for &other in &reached {
            steps[other as usize] = u32::MAX;
            if other > start {
                let _ = writeln!(text, "{start} {other}");
            }
        }
    }
    let name = BoardName::parse_with("file:power", &|_| Ok(text.clone())).expect("a list of edges");
    Board::new(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(vertices: u32) -> Board {
        let text: String = (1..vertices).map(|v| format!("{} {v}\n", v - 1)).collect();
        Board::new(&BoardName::parse_with("file:path", &|_| Ok(text.clone())).expect("a path"))
    }

    #[test]
    fn a_power_joins_squares_that_are_near() {
        let board = path(9);
        for distance in 2..6 {
            let power = power(&board, distance);
            for (a, b) in board.squares().flat_map(|a| board.squares().map(move |b| (a, b))) {
                assert_eq!(power.attacks(a, b), a != b && a.abs_diff(b) < distance, "{distance}: {a} {b}");
            }
        }
    }
}
