//! Sets of squares in rows.

/// Set of squares of a box. Coordinates are counted from 0.
///
/// # Examples
/// ```
/// use ndqueens_model::orbit::Shape;
///
/// let line = Shape::Line { start: vec![0, 2], direction: vec![1, -1], length: 3 };
/// assert_eq!(line.squares(), [[0, 2], [1, 1], [2, 0]]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Squares `start + t * direction` for t below `length`.
    Line {
        /// First square.
        start: Vec<u32>,
        /// Step along each axis: 0, 1 or -1.
        direction: Vec<i32>,
        /// Number of squares.
        length: u32,
    },
    /// Squares `corner + stride * offset` for all offsets in a box with these sides.
    Lattice {
        /// Square with the least coordinates.
        corner: Vec<u32>,
        /// Number of squares along each axis.
        sides: Vec<u32>,
        /// Distance of neighbouring squares.
        stride: u32,
    },
    /// Corners of a cube, and its centre if its edge is even.
    Cube {
        /// Corner with the least coordinates.
        corner: Vec<u32>,
        /// Distance of neighbouring corners.
        edge: u32,
    },
    /// Square with the squares at a fixed distance from it along all axes.
    Star {
        /// Central square.
        centre: Vec<u32>,
        /// Distance from the centre.
        arm: u32,
    },
    /// Squares `corner + stride * offset` for all offsets in a box with sides of 1 and 3, each with the
    /// weight of its class. The class is the number of axes of side 3 along which the offset is 1.
    Faces {
        /// Square with the least coordinates.
        corner: Vec<u32>,
        /// Number of squares along each axis, 1 or 3.
        sides: Vec<u32>,
        /// Distance of neighbouring squares.
        stride: u32,
        /// Weight of each class.
        weights: ClassWeights,
    },
    /// Explicit list of squares.
    Squares(Vec<Vec<u32>>),
    /// Explicit list of distinct squares with weights above 0.
    Weighted(Vec<(Vec<u32>, u64)>),
}

/// Weights of the classes of a box `3^m`.
///
/// # Examples
/// ```
/// use ndqueens_model::orbit::ClassWeights;
///
/// assert_eq!(ClassWeights::Of(vec![4, 2, 1]).by_class(2), [4, 2, 1]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassWeights {
    /// Weights 0 below class `least`, then 1, 2, 4, …, and `2^(m - least) - 1` for class `m`.
    Volume {
        /// First class with a weight above 0; from 1 to `m - 1`.
        least: u32,
    },
    /// Explicit weights of the classes 0 to `m`.
    Of(Vec<u64>),
}

impl ClassWeights {
    /// Returns the weights of the classes 0 to `axes` of `3^axes`.
    #[must_use]
    pub fn by_class(&self, axes: usize) -> Vec<u64> {
        match self {
            Self::Volume { least } => {
                let least = *least as usize;
                let power = |j: usize| j.checked_sub(least).map_or(0, |exponent| 1u64 << exponent);
                (0..axes).map(power).chain([(1 << (axes - least)) - 1]).collect()
            }
            Self::Of(weights) => weights.clone(),
        }
    }
}

impl Shape {
    /// Returns the squares with their weights, which are 1 except for [`Shape::Faces`] and
    /// [`Shape::Weighted`].
    #[must_use]
    pub fn terms(&self) -> Vec<(Vec<u32>, u64)> {
        let (corner, sides, stride, weights) = match self {
            Self::Faces { corner, sides, stride, weights } => (corner, sides, stride, weights),
            Self::Weighted(terms) => return terms.clone(),
            _ => return self.squares().into_iter().map(|square| (square, 1)).collect(),
        };
        let weights = weights.by_class(sides.iter().filter(|&&side| side == 3).count());
        let class = |square: &[u32]| {
            let steps = square.iter().zip(corner).map(|(x, a)| (x - a) / stride);
            steps.zip(sides).filter(|&(step, &side)| side == 3 && step == 1).count()
        };
        let weighted = |square: Vec<u32>| {
            let weight = weights[class(&square)];
            (square, weight)
        };
        lattice(corner, sides, *stride).into_iter().map(weighted).filter(|(_, weight)| *weight > 0).collect()
    }

    /// Returns the squares with a weight above 0.
    #[must_use]
    pub fn squares(&self) -> Vec<Vec<u32>> {
        match self {
            Self::Line { start, direction, length } => (0..*length)
                .map(|t| {
                    start.iter().zip(direction).map(|(&a, &e)| a.wrapping_add_signed(e * t as i32)).collect()
                })
                .collect(),
            Self::Lattice { corner, sides, stride } => lattice(corner, sides, *stride),
            Self::Cube { corner, edge } => {
                let mut squares = lattice(corner, &vec![2; corner.len()], *edge);
                if edge % 2 == 0 {
                    squares.push(corner.iter().map(|a| a + edge / 2).collect());
                }
                squares
            }
            Self::Star { centre, arm } => {
                let mut squares = vec![centre.clone()];
                for axis in 0..centre.len() {
                    for moved in [centre[axis] - arm, centre[axis] + arm] {
                        let mut square = centre.clone();
                        square[axis] = moved;
                        squares.push(square);
                    }
                }
                squares
            }
            Self::Faces { .. } | Self::Weighted(_) => {
                self.terms().into_iter().map(|(square, _)| square).collect()
            }
            Self::Squares(squares) => squares.clone(),
        }
    }
}

/// Returns the squares `corner + stride * offset` for all offsets in a box with these sides.
fn lattice(corner: &[u32], sides: &[u32], stride: u32) -> Vec<Vec<u32>> {
    let mut squares = vec![Vec::new()];
    for (&a, &side) in corner.iter().zip(sides) {
        let extend = |square: Vec<u32>| (0..side).map(move |t| [&square[..], &[a + stride * t]].concat());
        squares = squares.into_iter().flat_map(extend).collect();
    }
    squares
}
