//! The symmetries that a colouring of the n x n board by solutions of n queens can have.
//!
//! Let a symmetry of the board permute the classes of such a colouring, n > 1. Every class has exactly one
//! queen on each of the two main diagonals, because each of these has n squares, no two of one class.
//!
//! - *A reflection in a diagonal* fixes all squares of that diagonal. It therefore fixes the class of
//!   each of them, that is, all classes. But a queen off the diagonal and its image are on one line of
//!   the other direction of diagonals, so every queen is on the diagonal, a contradiction. No colouring
//!   has this symmetry.
//! - *H and V*, the reflections in the middle line between the rows and between the columns, fix no class,
//!   because a queen and its image are on one column or row. For odd n they fix the squares of a line, so the
//!   class of each: no colouring has this symmetry. For even n the classes come in pairs.
//! - *R2*, the half turn, maps each main diagonal to itself. A class that it fixes has its queen of that
//!   diagonal on the centre. So for even n the classes come in pairs, and for odd n one class is fixed and
//!   the others come in pairs.
//! - *HV*, both reflections, contains the half turn: n is even, and the classes come in
//!   fours, so 4 divides n.
//! - *R4*, the quarter turns, contains the half turn: for even n the classes come in fours, so 4 divides n;
//!   for odd n one class is fixed and the others come in fours, so n = 4p + 1.
//!
//! # References
//! M. Vasquez, D. Habet, *Complete and Incomplete Algorithms for the Queen Graph Coloring Problem*,
//! ECAI 2004, section 5.

use std::fmt;
use std::str::FromStr;

/// A group of symmetries of the square board that permutes the classes of a colouring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// The trivial group.
    None,
    /// The reflection that reverses the rows.
    H,
    /// The reflection that reverses the columns.
    V,
    /// Both reflections and the half turn.
    Hv,
    /// The half turn.
    R2,
    /// The quarter turns.
    R4,
}

/// A square as row and column.
pub type Cell = (usize, usize);

/// Error for a symmetry that no colouring by solutions has on boards of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no {side}-colouring of {side}^2 has the symmetry {operator}: {reason}")]
pub struct Misfit {
    /// The side of the board.
    pub side: usize,
    /// The symmetry.
    pub operator: Operator,
    /// The reason.
    pub reason: &'static str,
}

/// Error for a text that is not the name of an operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a symmetry of colourings; expected one of {}", Operator::ALL.map(|o| o.to_string()).join(", "))]
pub struct UnknownOperator {
    /// The text as given.
    pub name: String,
}

impl Operator {
    /// All operators.
    pub const ALL: [Self; 6] = [Self::None, Self::H, Self::V, Self::Hv, Self::R2, Self::R4];

    /// Returns the number of symmetries in the group.
    #[must_use]
    pub fn order(self) -> usize {
        match self {
            Self::None => 1,
            Self::H | Self::V | Self::R2 => 2,
            Self::Hv | Self::R4 => 4,
        }
    }

    /// Returns `true` if `other` is a subgroup.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        other == Self::None
            || other == self
            || self == Self::Hv && matches!(other, Self::H | Self::V | Self::R2)
            || self == Self::R4 && other == Self::R2
    }

    /// Returns the images of a square under all symmetries, starting with the square itself.
    /// Images may coincide.
    #[must_use]
    pub fn images(self, side: usize, (row, column): Cell) -> Vec<Cell> {
        let (up, left) = (side - 1 - row, side - 1 - column);
        let here = (row, column);
        match self {
            Self::None => vec![here],
            Self::H => vec![here, (up, column)],
            Self::V => vec![here, (row, left)],
            Self::Hv => vec![here, (up, column), (row, left), (up, left)],
            Self::R2 => vec![here, (up, left)],
            Self::R4 => vec![here, (column, up), (up, left), (left, row)],
        }
    }

    /// Returns the distinct images of a solution, starting with the solution itself. Solutions are given as
    /// the column of the queen in each row.
    #[must_use]
    pub fn orbit(self, solution: &[u8]) -> Vec<Vec<u8>> {
        let n = solution.len();
        let mut images = vec![vec![0u8; n]; self.order()];
        for (row, &column) in solution.iter().enumerate() {
            for (image, (row, column)) in images.iter_mut().zip(self.images(n, (row, column as usize))) {
                image[row] = column as u8;
            }
        }
        let mut distinct: Vec<Vec<u8>> = Vec::with_capacity(images.len());
        for image in images {
            if !distinct.contains(&image) {
                distinct.push(image);
            }
        }
        distinct
    }

    /// Checks that colourings of the n x n board may have this symmetry; see the module documentation.
    ///
    /// # Errors
    /// Returns an error with the reason if no colouring has this symmetry.
    pub fn ensure_possible(self, side: usize) -> Result<(), Misfit> {
        let reason = match self {
            _ if side == 1 => return Ok(()),
            Self::H | Self::V if side % 2 == 1 => {
                "the reflection fixes the squares of its middle line, so their classes, but no solution is its own mirror image"
            }
            Self::Hv if side % 2 == 1 => {
                "the reflections fix the squares of their middle lines, so their classes, but no solution is its own mirror image"
            }
            Self::Hv if side % 4 == 2 => "its classes would come in fours, and 4 does not divide the side",
            Self::R4 if side % 4 == 2 => "its classes would come in fours, and 4 does not divide the side",
            Self::R4 if side % 4 == 3 => {
                "its classes but that of the centre would come in fours, and 4 does not divide the side less 1"
            }
            _ => return Ok(()),
        };
        Err(Misfit { side, operator: self, reason })
    }
}

/// One of the eight symmetries of the square board: first the transposition, then the reversal
/// of rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardSymmetry {
    pub(super) transpose: bool,
    pub(super) rows: bool,
    pub(super) columns: bool,
}

impl BoardSymmetry {
    /// Returns all eight symmetries, starting with the identity.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|k| Self { transpose: k & 4 != 0, rows: k & 2 != 0, columns: k & 1 != 0 })
    }

    /// Returns the image of a solution, given as the column of each row's queen.
    pub(super) fn image(self, solution: &[u8]) -> Vec<u8> {
        let n = solution.len();
        let mut image = vec![0; n];
        for (row, &column) in solution.iter().enumerate() {
            let (row, column) = if self.transpose { (column as usize, row) } else { (row, column as usize) };
            let row = if self.rows { n - 1 - row } else { row };
            image[row] = (if self.columns { n - 1 - column } else { column }) as u8;
        }
        image
    }
}

impl Operator {
    /// Returns the symmetries of the board that map orbits of this operator to orbits: the
    /// normaliser of its group.
    pub(super) fn normalizer(self) -> impl Iterator<Item = BoardSymmetry> {
        let is_axial = matches!(self, Self::H | Self::V);
        BoardSymmetry::all().filter(move |symmetry| !(is_axial && symmetry.transpose))
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::H => "h",
            Self::V => "v",
            Self::Hv => "hv",
            Self::R2 => "r2",
            Self::R4 => "r4",
        })
    }
}

impl FromStr for Operator {
    type Err = UnknownOperator;

    fn from_str(name: &str) -> Result<Self, UnknownOperator> {
        let named = Self::ALL.into_iter().find(|operator| operator.to_string() == name);
        named.ok_or_else(|| UnknownOperator { name: name.to_owned() })
    }
}
