//! Symmetries of colourings, and numbers of colourings up to symmetry.

use std::collections::{BTreeMap, HashSet};

use super::operator::{BoardSymmetry, Operator};

/// A colouring as its classes, sorted by their queens on row 0. A class is a solution, given as the column of
/// the queen in each row.
pub type Classes = Vec<Vec<u8>>;

/// Numbers of colourings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Number of colourings, up to permutations of colours.
    pub colourings: usize,
    /// Number of colourings up to symmetries of the square.
    pub up_to_symmetry: usize,
    /// Number of colourings with exactly the symmetries of an operator, by its name.
    pub with: BTreeMap<String, usize>,
}

/// Returns the image of a colouring.
pub(super) fn image(classes: &Classes, symmetry: BoardSymmetry) -> Classes {
    let mut image: Classes = classes.iter().map(|class| symmetry.image(class)).collect();
    image.sort_unstable();
    image
}

/// Returns the group of all symmetries of a colouring.
///
/// The classes must be sorted by their queens on row 0.
#[must_use]
pub fn symmetry(classes: &Classes) -> Operator {
    let has =
        |transpose, rows, columns| image(classes, BoardSymmetry { transpose, rows, columns }) == *classes;
    match (has(false, true, false), has(false, false, true)) {
        (true, true) => Operator::Hv,
        (true, false) => Operator::H,
        (false, true) => Operator::V,
        (false, false) if has(true, true, false) => Operator::R4,
        (false, false) if has(false, true, true) => Operator::R2,
        (false, false) => Operator::None,
    }
}

/// Counts distinct colourings, up to symmetry and by their symmetries.
#[must_use]
pub fn census(colourings: &[Classes]) -> Census {
    // The least image of each colouring.
    let mut representatives = HashSet::new();
    let mut with = BTreeMap::new();
    for classes in colourings {
        let images = BoardSymmetry::all().map(|symmetry| image(classes, symmetry));
        representatives.extend(images.min());
        *with.entry(symmetry(classes).to_string()).or_default() += 1;
    }
    Census { colourings: colourings.len(), up_to_symmetry: representatives.len(), with }
}
