//! Sets of squares that rows are about.

/// A set of squares of a box. Coordinates are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// `start + t * direction` for t below `length`.
    Line {
        /// The first square.
        start: Vec<u32>,
        /// 0, 1 or -1 along each axis.
        direction: Vec<i32>,
        /// The number of squares.
        length: u32,
    },
    /// `corner + stride * offset` for all offsets in a box of these sides.
    Lattice {
        /// The least square.
        corner: Vec<u32>,
        /// Squares along each axis.
        sides: Vec<u32>,
        /// From square to square.
        stride: u32,
    },
    /// The corners of a cube, and its centre when its edge is even.
    Cube {
        /// The least corner.
        corner: Vec<u32>,
        /// From corner to corner.
        edge: u32,
    },
    /// A square and those at one distance from it along all axes.
    Star {
        /// The square in the middle.
        centre: Vec<u32>,
        /// The distance.
        arm: u32,
    },
    /// `corner + stride * offset` for all offsets in a box with sides of 1 and 3, each with the weight of its class: the number of
    /// its offsets 1 along axes of side 3.
    Faces {
        /// Least square.
        corner: Vec<u32>,
        /// Squares along each axis, 1 or 3.
        sides: Vec<u32>,
        /// Distance from square to square.
        stride: u32,
        /// Weight of each class.
        weights: ClassWeights,
    },
    /// These squares.
    Squares(Vec<Vec<u32>>),
}

/// Weights of the classes of a box `3^m`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassWeights {
    /// 0 below class `least`, then 1, 2, 4, …, and `2^(m - least) - 1` for class `m`.
    Volume {
        /// First class with a weight above 0; from 1 to `m - 1`.
        least: u32,
    },
    /// These weights, of the classes 0 to `m`.
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
    /// Returns the squares with their weights, which are 1 except for [`Shape::Faces`].
    #[must_use]
    pub fn terms(&self) -> Vec<(Vec<u32>, u64)> {
        let Self::Faces { corner, sides, stride, weights } = self else {
            return self.squares().into_iter().map(|square| (square, 1)).collect();
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

    /// The squares.
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
            Self::Faces { .. } => self.terms().into_iter().map(|(square, _)| square).collect(),
            Self::Squares(squares) => squares.clone(),
        }
    }
}

fn lattice(corner: &[u32], sides: &[u32], stride: u32) -> Vec<Vec<u32>> {
    let mut squares = vec![Vec::new()];
    for (&a, &side) in corner.iter().zip(sides) {
        let longer = |square: Vec<u32>| (0..side).map(move |t| [&square[..], &[a + stride * t]].concat());
        squares = squares.into_iter().flat_map(longer).collect();
    }
    squares
}
