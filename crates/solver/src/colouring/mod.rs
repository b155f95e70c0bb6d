//! Colourings of boards: every square has a colour, and no two squares of the same colour attack each other.
//!
//! On the n x n board a line has n squares, so at least n colours are needed. If n colours suffice, each
//! class is a solution of n queens, and colourings are partitions into solutions. Other boards and numbers of
//! colours are handled by [`chromatic`].
//!
//! | module | content |
//! | --- | --- |
//! | [`cover`] | the complete algorithm: all colourings with a given symmetry |
//! | [`search`] | the incomplete algorithm: one colouring with a symmetry on larger boards |
//! | [`operator`] | the symmetries that colourings can have |
//! | [`symmetry`] | the symmetries that a colouring has, and colourings up to symmetry |
//! | [`closed`] | colourings in closed form |
//! | [`superimposed`] | colourings as full solutions in three dimensions |
//! | [`chromatic`] | the least number of colours of any small board |
//! | [`polynomial`] | the number of colourings of a small graph, as a polynomial in the number of colours |
//! | [`tabu`] | colourings of any graph in a given number of colours |

mod bits;
mod candidates;
pub mod chromatic;
pub mod closed;
mod corners;
pub mod cover;
pub mod operator;
pub mod polynomial;
pub mod search;
pub mod superimposed;
pub mod symmetry;
pub mod tabu;

use self::cover::Classes;

/// Returns the squares of each class, as coordinates.
#[must_use]
pub fn squares(classes: &Classes) -> Vec<Vec<Vec<u32>>> {
    let class =
        |class: &Vec<u8>| (0..).zip(class).map(|(row, &column)| vec![row, u32::from(column)]).collect();
    classes.iter().map(class).collect()
}

/// Returns the columns of the queens of each class, by row. This is the inverse of [`squares`] for classes
/// with one queen in each row.
///
/// # Panics
/// Panics if a column is above 255.
#[must_use]
pub fn columns(classes: &[Vec<Vec<u32>>]) -> Classes {
    let class = |class: &Vec<Vec<u32>>| {
        let mut rows = class.clone();
        rows.sort_unstable();
        rows.iter().map(|square| u8::try_from(square[1]).expect("a side of at most 256")).collect()
    };
    classes.iter().map(class).collect()
}
