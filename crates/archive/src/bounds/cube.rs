//! The boards n^d, and the range of those for which bounds are computed.

use std::ops::RangeInclusive;
use std::str::FromStr;

use ndqueens_notation::name::{BoardName, Piece};

/// The board n^d.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The dimension d.
    pub dimension: usize,
    /// The side n.
    pub side: u32,
}

/// Error for a board that is not a cube within [`Extent::ALLOWED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("bounds are for queens on n^d, d up to {} and n up to {}", Extent::ALLOWED.0.end(), Extent::ALLOWED.1.end())]
pub struct CubeRangeError;

impl Cube {
    /// Returns the cube that a board is, if it is a board n^d of queens that is not a torus.
    #[must_use]
    pub fn of(board: &BoardName) -> Option<Self> {
        let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = board else { return None };
        sides.iter().all(|&side| side == sides[0]).then_some(Self { dimension: sides.len(), side: sides[0] })
    }

    /// Returns `cube` if it is a cube within [`Extent::ALLOWED`].
    ///
    /// # Errors
    /// Returns an error if it is `None` or outside of the allowed range.
    pub fn check_range(cube: Option<Self>) -> Result<Self, CubeRangeError> {
        let (dimensions, sides) = Extent::ALLOWED;
        cube.filter(|cube| dimensions.contains(&cube.dimension) && sides.contains(&cube.side))
            .ok_or(CubeRangeError)
    }

    /// Returns `true` if the bounds of the cube can be closed under all rules: numbers of squares fit in 128
    /// bits, and there are few cubes with smaller or equal side and dimension.
    pub(crate) fn is_closable(self) -> bool {
        Self::check_range(Some(self)).is_ok()
            || Extent::ALLOWED.1.contains(&self.side) && self.squares() <= u64::MAX.into()
    }

    /// Returns all cubes of these dimensions and sides, by dimension.
    pub fn all(
        dimensions: &RangeInclusive<usize>,
        sides: &RangeInclusive<u32>,
    ) -> impl Iterator<Item = Self> + use<> {
        let sides = sides.clone();
        dimensions.clone().flat_map(move |dimension| sides.clone().map(move |side| Self { dimension, side }))
    }

    /// Returns the name of the board.
    #[must_use]
    pub fn board(self) -> BoardName {
        BoardName::queen(&vec![self.side; self.dimension])
    }

    /// Returns the number of squares, `n^d`, saturating at `u128::MAX`.
    #[must_use]
    pub fn squares(self) -> u128 {
        u128::from(self.side).saturating_pow(self.dimension as u32)
    }

    /// Returns the number of lines along an axis, `n^(d-1)`.
    pub(super) fn lines(self) -> u128 {
        u128::from(self.side).pow(self.dimension as u32 - 1)
    }
}

/// Parses `n^d` or another name of a cube within [`Extent::ALLOWED`], with any number of squares.
impl FromStr for Cube {
    type Err = CubeRangeError;

    fn from_str(name: &str) -> Result<Self, CubeRangeError> {
        let power = name.split_once('^').and_then(|(side, dimension)| {
            Some(Self { side: side.parse().ok()?, dimension: dimension.parse().ok()? })
        });
        Self::check_range(power.or_else(|| Self::of(&name.parse().ok()?)))
    }
}

/// The cubes of a closure: all n^d with `1 <= n <= side` and `1 <= d <= dimension`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Largest dimension.
    pub dimension: usize,
    /// Longest side.
    pub side: u32,
}

impl Extent {
    /// Allowed dimensions and sides.
    pub const ALLOWED: (RangeInclusive<usize>, RangeInclusive<u32>) = (1..=12, 1..=100);

    /// Returns the smallest extent that contains both this one and `cube`.
    #[must_use]
    pub fn with(self, cube: Cube) -> Self {
        Self { dimension: self.dimension.max(cube.dimension), side: self.side.max(cube.side) }
    }

    pub(super) fn cubes(self) -> impl Iterator<Item = Cube> {
        Cube::all(&(1..=self.dimension), &(1..=self.side))
    }

    pub(super) fn contains(self, cube: Cube) -> bool {
        cube.dimension <= self.dimension && cube.side <= self.side
    }
}
