//! The boards n^d, and which of them are looked at.

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

impl Cube {
    /// The cube that a board for queens is, if it is one.
    #[must_use]
    pub fn of(board: &BoardName) -> Option<Self> {
        let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = board else { return None };
        sides.iter().all(|&side| side == sides[0]).then_some(Self { dimension: sides.len(), side: sides[0] })
    }

    /// The cube, when it is one within [`Extent::ALLOWED`].
    ///
    /// # Errors
    /// Else with what is allowed, in words.
    pub fn allowed(cube: Option<Self>) -> Result<Self, String> {
        let (dimensions, sides) = Extent::ALLOWED;
        cube.filter(|cube| dimensions.contains(&cube.dimension) && sides.contains(&cube.side)).ok_or_else(
            || {
                format!(
                    "bounds are for queens on n^d, d up to {} and n up to {}",
                    dimensions.end(),
                    sides.end()
                )
            },
        )
    }

    /// Returns `true` if the bounds of the cube can be closed under all rules: every number of squares then fits in 128 bits, and the cubes
    /// with smaller sides and fewer dimensions are few.
    pub(crate) fn is_closable(self) -> bool {
        Self::allowed(Some(self)).is_ok()
            || Extent::ALLOWED.1.contains(&self.side) && self.squares() <= u64::MAX.into()
    }

    /// All of these dimensions and sides, by dimension.
    pub fn all(
        dimensions: &RangeInclusive<usize>,
        sides: &RangeInclusive<u32>,
    ) -> impl Iterator<Item = Self> + use<> {
        let sides = sides.clone();
        dimensions.clone().flat_map(move |dimension| sides.clone().map(move |side| Self { dimension, side }))
    }

    /// The board's name.
    #[must_use]
    pub fn board(self) -> BoardName {
        BoardName::queen(&vec![self.side; self.dimension])
    }

    /// The number of squares, `n^d`.
    #[must_use]
    pub fn squares(self) -> u128 {
        u128::from(self.side).saturating_pow(self.dimension as u32)
    }

    /// The number of lines along an axis, `n^(d-1)`.
    pub(super) fn lines(self) -> u128 {
        u128::from(self.side).pow(self.dimension as u32 - 1)
    }
}

/// Reads `n^d`, within [`Extent::ALLOWED`], however many squares that has.
impl FromStr for Cube {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let power = name.split_once('^').and_then(|(side, dimension)| {
            Some(Self { side: side.parse().ok()?, dimension: dimension.parse().ok()? })
        });
        Self::allowed(power.or_else(|| Self::of(&name.parse().ok()?)))
    }
}

/// The cubes that the engine looks at: all n^d with `1 <= n <= side` and `1 <= d <= dimension`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The largest dimension.
    pub dimension: usize,
    /// The longest side.
    pub side: u32,
}

impl Extent {
    /// The dimensions and sides that can be looked at.
    pub const ALLOWED: (RangeInclusive<usize>, RangeInclusive<u32>) = (1..=12, 1..=100);

    /// The smallest extent that holds a cube besides.
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
