//! Kings and knights by the parity of the coordinates.
//!
//! Two kings on squares with even coordinates differ by 2 or more along an axis. A knight's move changes the
//! parity of the sum of the coordinates, so knights on squares of one colour do not attack each other. Both
//! hold on tori of even side as well.

use ndqueens_notation::name::{BoardName, Leaper};

use super::Construction;

/// Returns `true` if the construction applies to a board.
pub(super) fn applies(board: &BoardName) -> bool {
    matches!(board, BoardName::Leaper { leaper: Leaper::King | Leaper::Knight, torus, sides }
        if !torus || sides.iter().all(|side| side % 2 == 0))
}

/// Returns the squares of the kings or knights in lexicographic order; `None` if the construction does not
/// apply. Knights are on the colour of `through`, if a square is given, and otherwise on that of the corner.
pub(super) fn set(board: &BoardName, through: Option<&Vec<u32>>) -> Option<Construction> {
    let BoardName::Leaper { leaper, sides, .. } = board else { return None };
    if !applies(board) {
        return None;
    }
    if *leaper == Leaper::King {
        let squares = product(sides, |side| (0..side).step_by(2).collect());
        let origin = "kings on the squares with even coordinates".to_owned();
        return Some(Construction { squares, origin });
    }
    let colour = through.map_or(0, |square| sum(square) % 2);
    let (last, others) = sides.split_last()?;
    let mut squares = Vec::new();
    for start in product(others, |side| (0..side).collect()) {
        let first = (sum(&start) + colour) % 2;
        squares.extend((first as u32..*last).step_by(2).map(|x| [start.as_slice(), &[x]].concat()));
    }
    let parity = if colour == 0 { "even" } else { "odd" };
    Some(Construction {
        squares,
        origin: format!("knights on the squares with an {parity} sum of coordinates"),
    })
}

fn sum(square: &[u32]) -> u64 {
    square.iter().map(|&x| u64::from(x)).sum()
}

/// Returns the Cartesian product of the lists `coordinates(side)` of all sides, in lexicographic order.
fn product(sides: &[u32], coordinates: impl Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new()];
    for &side in sides {
        let entries = coordinates(side);
        lists = lists
            .iter()
            .flat_map(|list| entries.iter().map(move |&x| [list.as_slice(), &[x]].concat()))
            .collect();
    }
    lists
}
