//! Images of inequalities and of sets under the symmetries of a board.

use ndqueens_model::board::{Board, Group, Square};

use crate::halfspace::Halfspace;

/// Largest number of symmetries that are listed.
const MOST_SYMMETRIES: usize = 100_000;

/// Symmetries of a board, as permutations of its squares.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::halfspace::Halfspace;
/// use ndqueens_polytope::symmetry::Symmetries;
///
/// let board = Board::new(&"3^2".parse()?);
/// let symmetries = Symmetries::of(&board);
/// let corner = Halfspace::nonnegativity(9, 0);
/// assert_eq!((symmetries.order(), symmetries.orbit_size(&corner)), (8, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Symmetries {
    /// Image of each square under each symmetry; the identity is the first.
    images: Vec<Vec<Square>>,
}

impl Symmetries {
    /// Returns the symmetries of a board. A group of more than 100,000 elements is replaced by the trivial
    /// group, so that each inequality is an orbit of its own.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self::at_most(MOST_SYMMETRIES, board)
    }

    /// Returns the symmetries of a board, or the identity alone if there are more than `most`.
    #[must_use]
    pub fn at_most(most: usize, board: &Board) -> Self {
        let positions: Vec<Square> = board.squares().collect();
        let group = Group::with_at_most(most, board, &positions);
        let image = |element| (0..board.size()).map(|s| group.image(element, s) as Square).collect();
        Self { images: group.elements().map(image).collect() }
    }

    /// Returns the number of symmetries.
    #[must_use]
    pub fn order(&self) -> usize {
        self.images.len()
    }

    /// Returns the image of each square under each symmetry.
    #[must_use]
    pub fn images(&self) -> &[Vec<Square>] {
        &self.images
    }

    /// Returns the images of an inequality, with repetitions.
    fn images_of<'a>(&'a self, halfspace: &'a Halfspace) -> impl Iterator<Item = Halfspace> + 'a {
        self.images.iter().map(|images| halfspace.image(images))
    }

    /// Returns the smallest image of an inequality, which represents its orbit.
    #[must_use]
    pub fn representative(&self, halfspace: &Halfspace) -> Halfspace {
        self.images_of(halfspace).min().expect("the identity is a symmetry")
    }

    /// Returns the number of different images of an inequality.
    #[must_use]
    pub fn orbit_size(&self, halfspace: &Halfspace) -> usize {
        let fixing = self.images_of(halfspace).filter(|image| image == halfspace).count();
        self.order() / fixing
    }

    /// Returns the symmetries that map an inequality to itself.
    #[must_use]
    pub fn stabiliser(&self, halfspace: &Halfspace) -> Vec<&[Square]> {
        let fixing = self.images.iter().filter(|images| halfspace.image(images) == *halfspace);
        fixing.map(Vec::as_slice).collect()
    }
}
