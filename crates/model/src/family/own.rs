use std::sync::Arc;

use ndqueens_notation::certificate::Problem;

use super::{Family, Inequalities, Inequality, OrbitRows, ValidityError, positions};
use crate::board::{Board, Extent, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::orbit::{BoxOrbits, OrbitRow, Shape};
use crate::own::{self, Claim, OwnInequalities, OwnInequality, Placement, Standing, Support, WeightBound};
use crate::variant::Variant;

/// Name of the family of the inequalities of a formulation's file.
pub(crate) const NAME: &str = own::FAMILY;

impl Family for OwnInequalities {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "inequalities of the formulation's file"
    }

    fn citation(&self) -> &'static str {
        "the formulation"
    }

    fn validity(&self, board: &Board, _: Problem, _: &Variant) -> Result<(), ValidityError> {
        self.claims(board).map(drop).map_err(|fault| ValidityError::Misplaced(Box::new(fault)))
    }

    fn bounds(&self, _: &Board, _: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        Vec::new()
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        self.list().iter().fold(Extent::default(), |sum, inequality| sum + extent(inequality, board))
    }

    /// Returns the rows of the inequalities that are proved; the others cannot be part of a certificate.
    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        _: &'a dyn UpperBounds,
    ) -> Option<OrbitRows<'a>> {
        let board = Board::new(&grid.part(false, grid.sides()));
        let is_proved = move |inequality: &&OwnInequality| {
            let is_proved = |claim: &Claim| matches!(self.standing(claim), Standing::Proved(_));
            inequality.claims(&board).is_ok_and(|claims| claims.iter().all(is_proved))
        };
        let proved = self.list().iter().filter(is_proved);
        Some(Box::new(proved.flat_map(|inequality| orbit_rows(inequality, grid, orbits))))
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        Box::new(self.list().iter().flat_map(|inequality| inequality.rows(board)))
    }
}

/// Returns the placements of a pattern, which has a place on the board.
fn placements(support: &Support, grid: &Grid) -> Vec<Placement> {
    match support {
        Support::Squares(_) => Vec::new(),
        Support::Pattern(pattern) => pattern.placements(grid).expect("it has a place on the board"),
    }
}

/// Returns the number of rows and nonzeros, which are upper bounds for patterns at chosen borders.
fn extent(inequality: &OwnInequality, board: &Board) -> Extent {
    match (&inequality.support, board.grid()) {
        (Support::Squares(terms), _) => Extent { rows: 1, nonzeros: terms.len() as u128 },
        (Support::Pattern(_), None) => Extent::default(),
        (support @ Support::Pattern(_), Some(grid)) => {
            placements(support, grid).iter().fold(Extent::default(), |sum, placement| {
                let rows = placement.places.iter().copied().map(u128::from).product();
                sum + Extent { rows, nonzeros: rows * placement.terms.len() as u128 }
            })
        }
    }
}

impl OwnInequality {
    /// Returns the rows of the inequality, those of a pattern in the order of its strides, images and
    /// positions.
    ///
    /// # Panics
    /// Panics if the inequality has no place on the board.
    pub fn rows<'a>(&'a self, board: &'a Board) -> Inequalities<'a> {
        let (comparison, rhs) = (self.comparison, self.rhs);
        match (&self.support, board.grid()) {
            (Support::Squares(terms), _) => {
                let term = |square: &[u32]| board.square(square).expect("it is a square of the board");
                let terms = terms.iter().map(|listed| (term(&listed.square), listed.coefficient));
                Box::new(std::iter::once(Inequality::with_weights(terms, comparison, rhs)))
            }
            (Support::Pattern(_), None) => Box::new(std::iter::empty()),
            (support @ Support::Pattern(_), Some(grid)) => {
                Box::new(placements(support, grid).into_iter().flat_map(move |placement| {
                    let terms = placement.terms.clone();
                    let allowed = positions(placement.places.clone()).filter(move |at| placement.allows(at));
                    allowed.map(move |position| {
                        let terms = terms.iter().map(|term| {
                            let offset: Vec<i32> = term.square.iter().map(|&x| x as i32).collect();
                            let square =
                                grid.step(&position, &offset, 1).expect("placements lie on the grid");
                            (square, term.coefficient)
                        });
                        Inequality::with_weights(terms, comparison, rhs)
                    })
                }))
            }
        }
    }
}

/// Returns the upper bounds that are equivalent to an inequality on a plain box; none without a place on it.
fn weight_bounds(inequality: &OwnInequality, board: &Board) -> Vec<WeightBound> {
    let claims = inequality.claims(board).unwrap_or_default();
    claims.iter().flat_map(Claim::weight_bounds).collect()
}

/// Returns at least one row of each orbit of the rows that follow from a proved inequality of a plain box.
/// Negative coefficients are left out, which makes the rows stronger and is part of the proof.
fn orbit_rows(inequality: &OwnInequality, grid: &Grid, orbits: &BoxOrbits) -> Vec<OrbitRow> {
    let board = Board::new(&grid.part(false, grid.sides()));
    let bounds = weight_bounds(inequality, &board);
    let row = |bound: &WeightBound, squares: &dyn Fn(&[u32]) -> Vec<u32>| {
        let rhs = u64::try_from(bound.rhs).ok().filter(|_| !bound.squares.is_empty())?;
        let terms = bound.squares.iter().zip(&bound.weights);
        let terms = terms.map(|(square, &weight)| (squares(square), weight)).collect();
        Some(OrbitRow { shape: Shape::Weighted(terms), rhs, bound: None })
    };
    let Support::Pattern(pattern) = &inequality.support else {
        return bounds.iter().filter_map(|bound| row(bound, &<[u32]>::to_vec)).collect();
    };
    let mut all = Vec::new();
    for placement in placements(&inequality.support, grid) {
        // With all images, a placement has an image at a position that is reflected and sorted.
        let corners = match pattern.with_images {
            true => orbits.positions(|axis| placement.places[axis], |axis| placement.sides[axis]),
            false => positions(placement.places.clone()).collect(),
        };
        let image =
            OwnInequality { support: Support::Squares(placement.terms.clone()), ..inequality.clone() };
        let image_bounds = weight_bounds(&image, &board);
        for corner in corners.iter().filter(|corner| placement.allows(corner)) {
            let moved = |square: &[u32]| square.iter().zip(corner).map(|(x, at)| x + at).collect();
            all.extend(image_bounds.iter().filter_map(|bound| row(bound, &moved)));
        }
    }
    all
}
