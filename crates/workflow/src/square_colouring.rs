//! Colourings of n^2 by full solutions: their classes as permutations, and their symmetry.

use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_solver::colouring::cover::Classes;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::symmetry;

/// Returns the symmetry of a valid colouring, if it is one of n^2 by full solutions.
#[must_use]
pub fn symmetry(colouring: &Colouring) -> Option<Operator> {
    classes(colouring).map(|classes| symmetry::symmetry(&classes))
}

/// Returns the classes of a valid colouring, if it is one of n^2 by full solutions.
#[must_use]
pub fn classes(colouring: &Colouring) -> Option<Classes> {
    let two = colouring.classes.iter().flatten().all(|square| square.len() == 2);
    if colouring.kind != ClassKind::FullSolutions || !two || colouring.colours() > usize::from(u8::MAX) {
        return None;
    }
    // The squares of a class are sorted, one in each row.
    let class = |class: &Vec<Vec<u32>>| {
        let mut class = class.clone();
        class.sort_unstable();
        class.iter().map(|square| square[1] as u8).collect()
    };
    let mut classes: Classes = colouring.classes.iter().map(class).collect();
    classes.sort_unstable();
    Some(classes)
}
