//! Independent sets built from given ones: products, corner cuts and stacks.

use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_notation::certificate::{Certificate, format_square};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::colouring::superimposed;
use ndqueens_solver::construct::{corner, product};

use crate::colour::classes;

/// Sides of a plain box, and a checked certificate of queens on it.
pub type OnBox = (Vec<u32>, Certificate);

/// Returns the product of two sets.
#[must_use]
pub fn product_of((left, a): &OnBox, (right, b): &OnBox) -> Certificate {
    let origin = format!("product of {} ({}) and {} ({})", a.board, a.origin, b.board, b.origin);
    certificate(&[left.as_slice(), right].concat(), product::product(&a.squares, &b.squares), origin)
}

/// Removes the layers through the corner where the fewest queens are lost. Returns `None` if a side of the
/// box has length 1.
#[must_use]
pub fn without_corner((sides, whole): &OnBox) -> Option<Certificate> {
    if sides.contains(&1) {
        return None;
    }
    let corner::CornerCut { squares, corner } = corner::cut(sides, &whole.squares);
    let corner = format_square(&corner);
    let origin = format!("{} ({}) without the layers at its corner {corner}", whole.board, whole.origin);
    let sides: Vec<u32> = sides.iter().map(|side| side - 1).collect();
    Some(certificate(&sides, squares, origin))
}

/// Returns n^3 if the colouring is one of n^2 by full solutions: the board whose layers its classes can be.
#[must_use]
pub fn stacked_board(colouring: &Colouring) -> Option<BoardName> {
    classes(colouring).map(|classes| BoardName::queen(&[classes.len() as u32; 3]))
}

/// Returns a full solution of n^3 whose layers are the classes of a colouring of n^2, if some order of the
/// classes yields one.
#[must_use]
pub fn stack_of(colouring: &Colouring) -> Option<Certificate> {
    let classes = classes(colouring)?;
    let order = superimposed::stacks(&classes).into_iter().next()?;
    let layer = |(z, &class): (u32, &usize)| -> Vec<Vec<u32>> {
        (0..).zip(&classes[class]).map(|(row, &column)| vec![row, u32::from(column), z]).collect()
    };
    let squares = (0..).zip(&order).flat_map(layer).collect();
    let origin = format!("the classes of a colouring of {} ({}) stacked", colouring.board, colouring.origin);
    Some(certificate(&[classes.len() as u32; 3], squares, origin))
}

fn certificate(sides: &[u32], squares: Vec<Vec<u32>>, origin: String) -> Certificate {
    Certificate::independent(BoardName::queen(sides), squares, origin)
}
