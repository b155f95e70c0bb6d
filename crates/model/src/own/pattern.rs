//! Patterns: coefficients on a small box, with the places that it has on a board.

use super::{Misplacement, Term, format_sides};
use crate::board::{Grid, closure};

/// Maximum number of squares of all images of a pattern on one board together.
pub const MAX_IMAGE_SQUARES: usize = 10_000_000;

/// Coefficients on a box, and the places that the box may have on a board.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// Sides of the box. On a board with more axes, it has the side 1 along the others.
    pub sides: Vec<u32>,
    /// Squares of the box with their coefficients, in increasing order.
    pub terms: Vec<Term>,
    /// Allowed distances of neighbouring squares; `None` for all.
    pub strides: Option<Vec<u32>>,
    /// `true` if images under exchanges and reflections of axes are placed, too.
    pub with_images: bool,
    /// Allowed numbers of axes along which the box reaches the border of the board; `None` for all.
    pub touching: Option<Vec<usize>>,
}

/// Image of a pattern at a stride, with its positions on a board.
#[derive(Debug, Clone)]
pub struct Placement {
    /// Sides of the box, one for each axis of the board.
    pub sides: Vec<u32>,
    /// Squares with their coefficients, relative to the position and multiplied by the stride.
    pub terms: Vec<Term>,
    /// Distance of neighbouring squares of the box.
    pub stride: u32,
    /// Number of positions along each axis.
    pub places: Vec<u32>,
    /// Allowed numbers of axes along which the box reaches the border of the board; `None` for all.
    touching: Option<Vec<usize>>,
}

/// Box with coefficients, one side for each axis of a board.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Image {
    sides: Vec<u32>,
    terms: Vec<Term>,
}

/// Generator of the images.
enum Move {
    /// Reflection of the first axis.
    Reflect,
    /// Exchange of an axis with the next one.
    Exchange(usize),
}

impl Pattern {
    /// Returns the pattern on a box as large as the board. Its placements are the images of the terms under
    /// the symmetries of a plain box.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::board::Board;
    /// use ndqueens_model::own::{Pattern, Term};
    ///
    /// let corner = Pattern::of_board(vec![4, 5], vec![Term { square: vec![0, 0], coefficient: 1 }]);
    /// let board = Board::new(&"4x5".parse()?);
    /// assert_eq!(corner.placements(board.grid().expect("a box"))?.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_board(sides: Vec<u32>, mut terms: Vec<Term>) -> Self {
        terms.sort_unstable();
        Self { sides, terms, strides: None, with_images: true, touching: None }
    }

    /// Returns the images at all strides that have a place on a grid.
    ///
    /// # Errors
    /// Returns an error if the pattern has more axes than the grid, no place on it or too many images, or if
    /// it refers to the border of a torus.
    pub fn placements(&self, grid: &Grid) -> Result<Vec<Placement>, Misplacement> {
        let axes = grid.dimension();
        if self.sides.len() > axes {
            return Err(Misplacement::Axes { pattern: self.sides.len(), board: axes });
        }
        if self.touching.is_some() && grid.is_torus() {
            return Err(Misplacement::NoBorder);
        }
        let images = self.images(axes)?;
        let mut all = Vec::new();
        for stride in self.strides_on(grid) {
            for image in &images {
                let Some(places) = places(grid, &image.sides, stride) else { continue };
                let scale = |term: &Term| {
                    let square = term.square.iter().map(|x| x * stride).collect();
                    Term { square, coefficient: term.coefficient }
                };
                let terms = image.terms.iter().map(scale).collect();
                let touching = self.touching.clone();
                all.push(Placement { sides: image.sides.clone(), terms, stride, places, touching });
            }
        }
        if all.is_empty() {
            return Err(Misplacement::TooLarge(format_sides(&self.sides)));
        }
        if !all.iter().any(Placement::is_allowed) {
            return Err(Misplacement::Touching);
        }
        Ok(all)
    }

    /// Returns the strides at which the pattern may have a place on a grid.
    fn strides_on(&self, grid: &Grid) -> Vec<u32> {
        if let Some(strides) = &self.strides {
            return strides.clone();
        }
        // The stride of a single square is immaterial, and opposite strides of a torus are equivalent.
        let longest = *grid.sides().iter().max().expect("a box has sides");
        let most = match self.sides.iter().all(|&side| side == 1) {
            true => 1,
            false if grid.is_torus() && self.with_images => longest / 2,
            false => longest.saturating_sub(1),
        };
        (1..=most.max(1)).collect()
    }

    /// Returns the images on a board with this number of axes, in increasing order.
    fn images(&self, axes: usize) -> Result<Vec<Image>, Misplacement> {
        let mut sides = self.sides.clone();
        sides.resize(axes, 1);
        let extend = |term: &Term| {
            let mut square = term.square.clone();
            square.resize(axes, 0);
            Term { square, coefficient: term.coefficient }
        };
        let first = Image { sides, terms: self.terms.iter().map(extend).collect() };
        if !self.with_images {
            return Ok(vec![first]);
        }
        let moves: Vec<Move> =
            std::iter::once(Move::Reflect).chain((1..axes).map(|axis| Move::Exchange(axis - 1))).collect();
        let most = MAX_IMAGE_SQUARES / first.terms.len().max(1);
        let mut images = closure(first, &moves, most, Image::moved);
        if images.len() > most {
            return Err(Misplacement::TooManyImages);
        }
        images.sort_unstable();
        Ok(images)
    }
}

impl Image {
    fn moved(&self, by: &Move) -> Self {
        let mut image = self.clone();
        match *by {
            Move::Reflect => {
                let last = image.sides[0] - 1;
                image.terms.iter_mut().for_each(|term| term.square[0] = last - term.square[0]);
            }
            Move::Exchange(axis) => {
                image.sides.swap(axis, axis + 1);
                image.terms.iter_mut().for_each(|term| term.square.swap(axis, axis + 1));
            }
        }
        image.terms.sort_unstable();
        image
    }
}

impl Placement {
    /// Returns `true` if the box may have some position.
    fn is_allowed(&self) -> bool {
        // Along an axis with one or two positions, every position reaches the border.
        let least = self.places.iter().filter(|&&places| places <= 2).count();
        let can_reach = |number: &usize| (least..=self.places.len()).contains(number);
        self.touching.as_ref().is_none_or(|allowed| allowed.iter().any(can_reach))
    }

    /// Returns `true` if the box may have this position.
    #[must_use]
    pub fn allows(&self, position: &[u32]) -> bool {
        self.touching.as_ref().is_none_or(|allowed| {
            let reaches = |(&at, &places): (&u32, &u32)| at == 0 || at + 1 == places;
            allowed.contains(&position.iter().zip(&self.places).filter(|&axis| reaches(axis)).count())
        })
    }
}

/// Returns the number of positions of a box along each axis, or `None` if it does not fit on the grid.
fn places(grid: &Grid, sides: &[u32], stride: u32) -> Option<Vec<u32>> {
    let along = |(&n, &side): (&u32, &u32)| {
        let span = stride.checked_mul(side - 1).filter(|&span| span < n)?;
        Some(if grid.is_torus() { n } else { n - span })
    };
    grid.sides().iter().zip(sides).map(along).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn pattern(sides: &[u32], squares: &[&[u32]]) -> Pattern {
        let terms = squares.iter().map(|&square| Term { square: square.to_vec(), coefficient: 1 }).collect();
        Pattern { sides: sides.to_vec(), terms, strides: None, with_images: true, touching: None }
    }

    #[test]
    fn counts_images_of_symmetric_and_of_asymmetric_patterns() {
        let on = |pattern: &Pattern, axes| pattern.images(axes).expect("few").len();
        assert_eq!(on(&pattern(&[2, 2], &[&[0, 0], &[0, 1], &[1, 0], &[1, 1]]), 2), 1);
        assert_eq!(on(&pattern(&[2, 2], &[&[0, 0], &[0, 1], &[1, 0]]), 2), 4);
        assert_eq!(on(&pattern(&[2, 3], &[&[0, 0], &[0, 1]]), 2), 8);
        // Three planes of a cube, four images in each.
        assert_eq!(on(&pattern(&[2, 2], &[&[0, 0], &[0, 1], &[1, 0]]), 3), 12);
    }

    #[test]
    fn strides_stop_at_the_board() {
        let square = pattern(&[2, 2], &[&[0, 0], &[1, 1]]);
        let board = Board::new(&"4^2".parse().expect("a board"));
        let placements = square.placements(board.grid().expect("a box")).expect("it fits");
        let places: Vec<_> = placements.iter().map(|placement| placement.places[0]).collect();
        assert_eq!(places, [3, 3, 2, 2, 1, 1]);
        let small = Board::new(&"1x1".parse().expect("a board"));
        let error = square.placements(small.grid().expect("a box")).expect_err("too large");
        assert_eq!(error, Misplacement::TooLarge("2x2".to_owned()));
    }

    #[test]
    fn counts_borders() {
        let corner = Pattern { touching: Some(vec![2]), ..pattern(&[1, 1], &[&[0, 0]]) };
        let board = Board::new(&"3^2".parse().expect("a board"));
        let placements = corner.placements(board.grid().expect("a box")).expect("it fits");
        let [placement] = placements.as_slice() else { panic!("one image at one stride") };
        let allowed = |x, y| placement.allows(&[x, y]);
        assert!(allowed(0, 0) && allowed(2, 0) && !allowed(1, 0) && !allowed(1, 1));
    }
}
