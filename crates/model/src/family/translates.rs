//! Families whose rows are all translates of a few patterns of squares, such as sub-boxes, cubes and stars.
//!
//! A family enumerates [`Translates`]: a pattern with its right-hand side, and the number of its positions
//! along each axis. Rows, orbit representatives of rows and extents are derived from these.

use std::fmt::Debug;
use std::sync::Arc;

use ndqueens_notation::certificate::Problem;

use super::{
    Family, Inequalities, Inequality, OrbitRows, ValidityError, needs_grid, needs_independence, positions,
};
use crate::board::{Board, Extent, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::ilp::Comparison;
use crate::orbit::{BoxOrbits, ClassWeights, OrbitRow, Shape};
use crate::variant::Variant;

/// Family of inequalities whose rows are all translates of its patterns.
pub(super) trait TranslateFamily {
    /// Name in formulations.
    const NAME: &'static str;
    /// Description of the rows in one line.
    const SUMMARY: &'static str;
    /// Source of the family.
    const CITATION: &'static str;

    /// Checks that the rows are valid for independent sets of the board: by default, that it is a box.
    ///
    /// # Errors
    /// Returns the reason, as the end of a sentence, if they are not.
    fn board_validity(board: &Board) -> Result<(), ValidityError> {
        needs_grid(board).map(drop)
    }

    /// Returns the patterns in the order of their rows.
    ///
    /// If `orbits` is given, the grid is a plain box, and one pattern of each orbit under the permutations of
    /// axes is enough.
    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        bounds: &'a dyn UpperBounds,
        orbits: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a>;
}

/// All translates of a pattern on a grid.
#[derive(Debug)]
pub(super) struct Translates {
    pub(super) pattern: Pattern,
    /// Number of positions along each axis.
    pub(super) places: Vec<u32>,
}

/// Inequality on squares that are given relative to a position.
#[derive(Debug)]
pub(super) enum Pattern {
    /// Lattice `stride * offset` for all offsets in a box with these sides, with at most as many queens as
    /// the bound states.
    Lattice { sides: Vec<u32>, stride: u32, bound: Arc<UpperBound> },
    /// Corners of a cube and, if its edge is even, its centre, with at most one queen.
    Cube { edge: u32 },
    /// Centre with the squares at distance `arm` from it along all axes, with at most one queen. The position
    /// has the least coordinate of these squares along each axis if `is_inside`; otherwise it is the centre,
    /// and the arms wrap around a torus.
    Star { arm: u32, is_inside: bool },
    /// Lattice `stride * offset` for all offsets in a box with sides of 1 and 3, where the class weights of
    /// the queens add up to at most `rhs`.
    Faces { sides: Vec<u32>, stride: u32, weights: ClassWeights, rhs: u64 },
}

impl Pattern {
    /// Returns the squares relative to the position, with their weights. Weights of 0 are included.
    fn terms(&self, dimension: usize) -> Vec<(Vec<i32>, u64)> {
        match self {
            Self::Lattice { sides, stride, .. } => {
                lattice(sides, *stride).map(|offset| (offset, 1)).collect()
            }
            Self::Cube { edge } => {
                let centre = (edge % 2 == 0).then(|| vec![(edge / 2) as i32; dimension]);
                lattice(&vec![2; dimension], *edge).chain(centre).map(|offset| (offset, 1)).collect()
            }
            Self::Star { arm, is_inside } => {
                let arm = *arm as i32;
                let centre = vec![if *is_inside { arm } else { 0 }; dimension];
                let ends = (0..dimension).flat_map(|axis| {
                    [arm, -arm].map(|step| {
                        let mut end = centre.clone();
                        end[axis] += step;
                        end
                    })
                });
                std::iter::once(centre.clone()).chain(ends).map(|offset| (offset, 1)).collect()
            }
            Self::Faces { sides, stride, weights, .. } => {
                let weights = weights.by_class(long_axes(sides));
                let weight = |offset: &[u32]| {
                    let class = offset.iter().zip(sides).filter(|&(&x, &side)| side == 3 && x == 1).count();
                    weights[class]
                };
                let offsets = positions(sides.clone());
                offsets.map(|offset| (scale(&offset, *stride), weight(&offset))).collect()
            }
        }
    }

    /// Returns the number of squares with a weight above 0, those that coincide on a torus counted
    /// separately.
    fn size(&self, dimension: usize) -> u128 {
        match self {
            Self::Lattice { sides, .. } => product(sides),
            Self::Cube { edge } => (1 << dimension) + u128::from(edge % 2 == 0),
            Self::Star { .. } => 1 + 2 * dimension as u128,
            Self::Faces { sides, weights, .. } => {
                let axes = long_axes(sides);
                let weights = weights.by_class(axes);
                weights.iter().zip(class_sizes(axes)).filter(|(weight, _)| **weight > 0).map(|(_, n)| n).sum()
            }
        }
    }

    /// Returns the side of the pattern along an axis in steps. Axes of the same length are equivalent if
    /// these sides are equal.
    fn side(&self, axis: usize) -> u32 {
        match self {
            Self::Lattice { sides, .. } | Self::Faces { sides, .. } => sides[axis],
            Self::Cube { .. } | Self::Star { .. } => 0,
        }
    }

    /// Returns the inequality at a position of a plain box.
    fn orbit_row(&self, corner: Vec<u32>) -> OrbitRow {
        match self {
            Self::Lattice { sides, stride, bound } => {
                OrbitRow::box_bound(Shape::Lattice { corner, sides: sides.clone(), stride: *stride }, bound)
            }
            Self::Cube { edge } => OrbitRow::clique(Shape::Cube { corner, edge: *edge }),
            Self::Star { arm, .. } => {
                let centre = corner.into_iter().map(|x| x + arm).collect();
                OrbitRow::clique(Shape::Star { centre, arm: *arm })
            }
            Self::Faces { sides, stride, weights, rhs } => {
                let (sides, weights) = (sides.clone(), weights.clone());
                OrbitRow {
                    shape: Shape::Faces { corner, sides, stride: *stride, weights },
                    rhs: *rhs,
                    bound: None,
                }
            }
        }
    }
}

impl Translates {
    /// Creates the translates of a lattice with these sides and this stride; `None` if [`places`] returns
    /// `None`.
    pub(super) fn of_lattice(
        grid: &Grid,
        sides: Vec<u32>,
        stride: u32,
        bound: Arc<UpperBound>,
    ) -> Option<Self> {
        let places = places(grid, &sides, stride)?;
        Some(Self { pattern: Pattern::Lattice { sides, stride, bound }, places })
    }

    /// Returns the number of rows, and an upper bound on the number of their nonzeros, which is exact on
    /// plain boxes.
    fn extent(&self) -> Extent {
        let rows = product(&self.places);
        Extent { rows, nonzeros: rows * self.pattern.size(self.places.len()) }
    }

    /// Returns the rows of all positions in lexicographic order.
    fn rows(self, grid: &Grid) -> impl Iterator<Item = Inequality> + '_ {
        let Self { pattern, places } = self;
        let terms = pattern.terms(places.len());
        positions(places).map(move |position| {
            let square =
                |offset: &[i32]| grid.step(&position, offset, 1).expect("translates lie on the grid");
            let squares = || terms.iter().map(|(offset, _)| square(offset)).collect();
            match &pattern {
                Pattern::Lattice { bound, .. } => Inequality::box_bound(squares(), bound),
                Pattern::Cube { .. } | Pattern::Star { .. } => Inequality::clique(squares()),
                Pattern::Faces { rhs, .. } => {
                    let terms = terms.iter().map(|(offset, weight)| (square(offset), *weight as i64));
                    Inequality::with_weights(terms, Comparison::AtMost, *rhs as i64)
                }
            }
        })
    }

    /// Returns one row of each orbit under the group of a plain box.
    fn orbit_rows(self, orbits: &BoxOrbits) -> impl Iterator<Item = OrbitRow> + use<> {
        let Self { pattern, places } = self;
        let corners = orbits.positions(|axis| places[axis], |axis| pattern.side(axis));
        corners.into_iter().map(move |corner| pattern.orbit_row(corner))
    }
}

impl<F: TranslateFamily + Debug + Send + Sync> Family for F {
    fn name(&self) -> &'static str {
        F::NAME
    }

    fn summary(&self) -> &'static str {
        F::SUMMARY
    }

    fn citation(&self) -> &'static str {
        F::CITATION
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        needs_independence(problem)?;
        F::board_validity(board)
    }

    fn bounds(&self, board: &Board, bounds: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        let translates = self.translates(grid_of(board), bounds, None);
        let bound = |translates: Translates| match translates.pattern {
            Pattern::Lattice { bound, .. } => Some(bound),
            Pattern::Cube { .. } | Pattern::Star { .. } | Pattern::Faces { .. } => None,
        };
        translates.filter_map(bound).collect()
    }

    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent {
        let translates = self.translates(grid_of(board), bounds, None);
        translates.fold(Extent::default(), |sum, translates| sum + translates.extent())
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        bounds: &'a dyn UpperBounds,
    ) -> Option<OrbitRows<'a>> {
        let translates = self.translates(grid, bounds, Some(orbits));
        Some(Box::new(translates.flat_map(move |translates| translates.orbit_rows(orbits))))
    }

    fn rows<'a>(&'a self, board: &'a Board, bounds: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = grid_of(board);
        Box::new(self.translates(grid, bounds, None).flat_map(move |translates| translates.rows(grid)))
    }
}

fn grid_of(board: &Board) -> &Grid {
    board.grid().expect("valid on grids only")
}

/// Returns all sets of axes, or one of each orbit under the group of a plain box.
pub(super) fn axis_sets(dimension: usize, orbits: Option<&BoxOrbits>) -> Box<dyn Iterator<Item = Vec<bool>>> {
    match orbits {
        Some(orbits) => Box::new(orbits.axis_sets().into_iter()),
        None => Box::new(positions(vec![2; dimension]).map(|set| set.into_iter().map(|x| x == 1).collect())),
    }
}

/// Returns the sides and the bounds of the cubes `m^d` with m from 2 that are proper parts of the grid and
/// whose bound does not follow from parallel lines.
pub(super) fn subcubes<'a>(
    grid: &'a Grid,
    bounds: &'a dyn UpperBounds,
) -> impl Iterator<Item = (Vec<u32>, Arc<UpperBound>)> + 'a {
    let (shortest, longest) = grid.sides().iter().fold((u32::MAX, 0), |(a, b), &n| (a.min(n), b.max(n)));
    (2..=shortest).filter(move |&side| side < longest || grid.is_torus()).filter_map(move |side| {
        let sides = vec![side; grid.dimension()];
        let cube = grid.part(false, &sides);
        let bound = bounds.upper(&cube).filter(|bound| bound.value < Board::new(&cube).trivial_bound())?;
        Some((sides, Arc::new(bound)))
    })
}

/// Returns the strides at which there are boxes with more than one square, one of each two opposite ones on a
/// torus.
pub(super) fn strides(grid: &Grid) -> impl Iterator<Item = u32> + use<> {
    let longest = *grid.sides().iter().max().expect("a box has sides");
    if grid.is_torus() { 1..=longest / 2 } else { 1..=longest - 1 }
}

/// Returns the numbers of positions along each axis of a lattice with these sides and this stride.
///
/// Returns `None` if the lattice does not fit on the grid, or would overlap itself on a torus.
pub(super) fn places(grid: &Grid, sides: &[u32], stride: u32) -> Option<Vec<u32>> {
    let along = |(&n, &side): (&u32, &u32)| {
        let span = stride.checked_mul(side - 1).filter(|&span| span < n)?;
        // If the lattice goes around a torus, moving it by its stride gives the same squares.
        let goes_around = side > 1 && n - span == stride;
        Some(match grid.is_torus() {
            true if goes_around => stride,
            true => n,
            false => n - span,
        })
    };
    grid.sides().iter().zip(sides).map(along).collect()
}

/// Returns the offsets of the squares of a lattice in lexicographic order.
fn lattice(sides: &[u32], stride: u32) -> impl Iterator<Item = Vec<i32>> + use<> {
    positions(sides.to_vec()).map(move |offset| scale(&offset, stride))
}

fn scale(offset: &[u32], stride: u32) -> Vec<i32> {
    offset.iter().map(|x| (x * stride) as i32).collect()
}

fn product(factors: &[u32]) -> u128 {
    factors.iter().copied().map(u128::from).product()
}

/// Returns the number of sides of 3.
fn long_axes(sides: &[u32]) -> usize {
    sides.iter().filter(|&&side| side == 3).count()
}

/// Returns the number of squares of each class of `3^axes`.
fn class_sizes(axes: usize) -> Vec<u128> {
    let axes = axes as u32;
    let choose = |j: u32| (0..j).fold(1u128, |all, i| all * u128::from(axes - i) / u128::from(i + 1));
    (0..=axes).map(|j| choose(j) << (axes - j)).collect()
}
