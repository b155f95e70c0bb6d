//! Which symmetries a colouring has, and how many there are up to symmetry.

use std::collections::{BTreeMap, HashSet};

use super::operator::{BoardSymmetry, Operator};

/// A colouring: the classes as solutions, each the column of every row's queen, in the order of their queens on row 0.
pub type Classes = Vec<Vec<u8>>;

/// How many colourings have which symmetries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Colourings, permutations of colours not counted.
    pub colourings: usize,
    /// Those that no symmetry of the square takes to each other.
    pub up_to_symmetry: usize,
    /// How many have exactly these symmetries, by the name of the operator.
    pub with: BTreeMap<String, usize>,
}

/// Returns the image of a colouring.
pub(super) fn image(classes: &Classes, symmetry: BoardSymmetry) -> Classes {
    let mut image: Classes = classes.iter().map(|class| symmetry.image(class)).collect();
    image.sort_unstable();
    image
}

/// All symmetries of a colouring, as the largest of the operators that keep it.
///
/// The classes must be in the order of their queens on row 0.
#[must_use]
pub fn symmetry(classes: &Classes) -> Operator {
    let keeps =
        |transpose, rows, columns| image(classes, BoardSymmetry { transpose, rows, columns }) == *classes;
    match (keeps(false, true, false), keeps(false, false, true)) {
        (true, true) => Operator::Hv,
        (true, false) => Operator::H,
        (false, true) => Operator::V,
        (false, false) if keeps(true, true, false) => Operator::R4,
        (false, false) if keeps(false, true, true) => Operator::R2,
        (false, false) => Operator::None,
    }
}

/// Counts colourings, which must be distinct, up to symmetry and by the symmetries that they have.
#[must_use]
pub fn census(colourings: &[Classes]) -> Census {
    let mut first = HashSet::new();
    let mut with = BTreeMap::new();
    for classes in colourings {
        let images = BoardSymmetry::all().map(|symmetry| image(classes, symmetry));
        first.extend(images.min());
        *with.entry(symmetry(classes).to_string()).or_default() += 1;
    }
    Census { colourings: colourings.len(), up_to_symmetry: first.len(), with }
}
