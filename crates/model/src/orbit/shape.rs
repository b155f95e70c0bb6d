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
    /// These squares.
    Squares(Vec<Vec<u32>>),
}

impl Shape {
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
