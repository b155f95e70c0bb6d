//! Families of valid inequalities, and their registry.
//!
//! A family is a type with a name, a citation, a test of the boards and problems that it is valid for, and an
//! iterator of rows. A new family needs one file and one entry of [`REGISTRY`].
//!
//! # References
//! Unless a family says otherwise: T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, section 5.

mod collinear;
mod cube;
mod cuboid;
mod dilated;
mod domination;
mod edge;
mod equality;
mod faces;
mod layer;
mod lex;
mod line;
mod lmr;
mod maximal_clique;
mod odd_cycle;
pub(crate) mod own;
mod star;
mod subsolution;
mod symmetry;
mod translates;
mod validity;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::validity::ValidityError;
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::Piece;
use serde::de::DeserializeOwned;

use crate::board::{Board, Extent, Grid, Square};
use crate::facts::{UpperBound, UpperBounds};
use crate::ilp::{Comparison, Row, Tag};
use crate::orbit::{BoxOrbits, OrbitRow};
use crate::variant::Variant;

/// Property of all solutions of a problem.
///
/// # Examples
/// ```
/// use ndqueens_model::family::{Property, REGISTRY};
///
/// let (_, make) = REGISTRY[0];
/// let family = make(toml::Table::new())?;
/// assert_eq!(family.ensures(), Some(Property::Independence));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// No two squares of the set attack each other.
    Independence,
    /// Every square is in the set or attacked from a square of the set.
    Domination,
    /// No three squares of the set are on a straight line.
    NoThreeInLine,
}

impl Property {
    /// Returns the properties that define the solutions of a problem.
    pub(crate) fn of(problem: Problem) -> &'static [Self] {
        match problem {
            Problem::IndependentSet => &[Self::Independence],
            Problem::DominatingSet => &[Self::Domination],
            Problem::IndependentDominatingSet => &[Self::Independence, Self::Domination],
            Problem::NoThreeInLine => &[Self::NoThreeInLine],
        }
    }
}

/// Row without a number: squares with coefficients, comparison and right-hand side.
///
/// # Examples
/// ```
/// use ndqueens_model::family::Inequality;
/// use ndqueens_model::ilp::Tag;
///
/// let row = Inequality::clique(vec![0, 1, 3]).into_row(Tag { family: "own", number: 0 });
/// assert_eq!((row.left(&[1, 0, 1, 1]), row.rhs), (2, 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inequality {
    /// Squares whose variables are summed, strictly increasing.
    pub squares: Vec<Square>,
    /// Coefficient of each square; `None` if all are 1.
    pub coefficients: Option<Vec<i64>>,
    /// Comparison of the two sides.
    pub comparison: Comparison,
    /// Right-hand side.
    pub rhs: i64,
    /// Bound that is the right-hand side; `None` if the right-hand side follows from a definition.
    pub bound: Option<Arc<UpperBound>>,
}

impl Inequality {
    /// Returns the row that allows at most one queen on squares that attack each other pairwise.
    #[must_use]
    pub fn clique(mut squares: Vec<Square>) -> Self {
        squares.sort_unstable();
        squares.dedup();
        Self { squares, coefficients: None, comparison: Comparison::AtMost, rhs: 1, bound: None }
    }

    /// Returns a row with weights. Weights of the same square are added, and squares with weight 0 are left
    /// out.
    #[must_use]
    pub fn with_weights(
        terms: impl IntoIterator<Item = (Square, i64)>,
        comparison: Comparison,
        rhs: i64,
    ) -> Self {
        let mut weights = BTreeMap::new();
        for (square, weight) in terms {
            *weights.entry(square).or_insert(0) += weight;
        }
        let (squares, coefficients) = weights.into_iter().filter(|&(_, weight)| weight != 0).unzip();
        Self { squares, coefficients: Some(coefficients), comparison, rhs, bound: None }
    }

    /// Returns the row that allows at most as many queens on the squares of a box as the bound on the box
    /// states.
    #[must_use]
    pub fn box_bound(mut squares: Vec<Square>, bound: &Arc<UpperBound>) -> Self {
        squares.sort_unstable();
        Self {
            squares,
            coefficients: None,
            comparison: Comparison::AtMost,
            rhs: i64::try_from(bound.value).expect("a bound is at most the number of squares"),
            bound: Some(Arc::clone(bound)),
        }
    }

    /// Returns the numbered row, without the bound that is its right-hand side.
    #[must_use]
    pub fn into_row(self, tag: Tag) -> Row {
        let Self { squares: columns, coefficients, comparison, rhs, bound: _ } = self;
        Row { tag, columns, coefficients, comparison, rhs }
    }
}

/// Rows of a family on a board, generated lazily.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::family::REGISTRY;
///
/// let (_, make) = REGISTRY[0];
/// let (board, family) = (Board::new(&"3^2".parse()?), make(toml::Table::new())?);
/// assert!(family.rows(&board, &Theorems).all(|row| row.rhs == 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Inequalities<'a> = Box<dyn Iterator<Item = Inequality> + 'a>;

/// Family of inequalities that all solutions of a problem satisfy.
///
/// If [`Family::breaks_symmetry`], only an image of each solution under the symmetries of the board satisfies
/// them.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::family::REGISTRY;
///
/// let (_, make) = REGISTRY[0];
/// let (board, family) = (Board::new(&"3^2".parse()?), make(toml::Table::new())?);
/// assert_eq!(family.rows(&board, &Theorems).count() as u128, family.extent(&board, &Theorems).rows);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Family: std::fmt::Debug + Send + Sync {
    /// Returns the name used in formulations.
    fn name(&self) -> &'static str;

    /// Returns a description of the rows in one line.
    fn summary(&self) -> &'static str;

    /// Returns the source of the family.
    fn citation(&self) -> &'static str;

    /// Checks that the rows are valid for a variant of a problem on a board.
    ///
    /// # Errors
    /// Returns an error with the reason if they are not.
    fn validity(&self, board: &Board, problem: Problem, variant: &Variant) -> Result<(), ValidityError>;

    /// Returns `true` if the rows cut off solutions, leaving an image of each under the symmetries of the
    /// board.
    ///
    /// The solutions of such rows may not be counted, and arguments may not average over the group.
    fn breaks_symmetry(&self) -> bool {
        false
    }

    /// Returns the property that the rows alone enforce on every board, if there is one.
    fn ensures(&self) -> Option<Property> {
        None
    }

    /// Returns the bounds that are right-hand sides, possibly with repetitions.
    fn bounds(&self, _board: &Board, _bounds: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        Vec::new()
    }

    /// Returns the numbers of rows and nonzeros, or upper bounds on them, without generating rows.
    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent;

    /// Returns one row of each orbit under the symmetries of a plain box, for which the family must be valid.
    ///
    /// Returns `None` if the family does not support orbits.
    fn orbit_rows<'a>(
        &'a self,
        _grid: &'a Grid,
        _orbits: &'a BoxOrbits,
        _bounds: &'a dyn UpperBounds,
    ) -> Option<OrbitRows<'a>> {
        None
    }

    /// Returns the rows on a board, for which the family must be valid.
    fn rows<'a>(&'a self, board: &'a Board, bounds: &'a dyn UpperBounds) -> Inequalities<'a>;
}

/// Rows up to symmetry, generated lazily.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::family::REGISTRY;
/// use ndqueens_model::orbit::BoxOrbits;
///
/// let (_, make) = REGISTRY[0];
/// let (board, family) = (Board::new(&"4^2".parse()?), make(toml::Table::new())?);
/// let grid = board.grid().expect("a box");
/// let orbits = BoxOrbits::of(grid).expect("a plain box");
/// assert!(family.orbit_rows(grid, &orbits, &Theorems).is_some_and(|mut rows| rows.all(|row| row.rhs == 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type OrbitRows<'a> = Box<dyn Iterator<Item = OrbitRow> + 'a>;

/// Name of a family, and the function that creates it from its options in a formulation.
type Registered = (&'static str, fn(toml::Table) -> Result<Box<dyn Family>, toml::de::Error>);

/// All families.
///
/// # Examples
/// ```
/// use ndqueens_model::family::REGISTRY;
///
/// let (name, make) = REGISTRY[0];
/// let family = make(toml::Table::new())?;
/// assert_eq!((name, family.name()), ("line", "line"));
/// # Ok::<(), toml::de::Error>(())
/// ```
pub const REGISTRY: &[Registered] = &[
    ("line", make::<line::Line>),
    ("lmr", make::<lmr::Lmr>),
    ("cube", make::<cube::Cube>),
    ("star", make::<star::Star>),
    ("layer", make::<layer::Layer>),
    ("subsolution", make::<subsolution::Subsolution>),
    ("dilated", make::<dilated::Dilated>),
    ("cuboid", make::<cuboid::Cuboid>),
    ("volume", make::<faces::Volume>),
    ("class", make::<faces::Class>),
    ("edge", make::<edge::Edge>),
    ("odd-cycle", make::<odd_cycle::OddCycle>),
    ("maximal-clique", make::<maximal_clique::MaximalClique>),
    ("equality", make::<equality::Equality>),
    ("domination", make::<domination::Domination>),
    ("collinear", make::<collinear::Collinear>),
    ("symmetry", make::<symmetry::Symmetry>),
    ("lex", make::<lex::Lex>),
];

/// Returns the family with this name and the default options, or `None` if the name is unknown.
///
/// # Examples
/// ```
/// use ndqueens_model::family::with_default_options;
///
/// assert!(with_default_options("cube").is_some_and(|family| family.name() == "cube"));
/// assert!(with_default_options("kube").is_none());
/// ```
#[must_use]
pub fn with_default_options(name: &str) -> Option<Box<dyn Family>> {
    let (_, make) = REGISTRY.iter().find(|(known, _)| *known == name)?;
    Some(make(toml::Table::new()).expect("every option has a default value"))
}

/// Creates a family from its options.
fn make<F: Family + DeserializeOwned + 'static>(
    options: toml::Table,
) -> Result<Box<dyn Family>, toml::de::Error> {
    Ok(Box::new(options.try_into::<F>()?))
}

/// Checks that the solutions of a problem are independent sets.
fn needs_independence(problem: Problem) -> Result<(), ValidityError> {
    match problem {
        Problem::IndependentSet | Problem::IndependentDominatingSet => Ok(()),
        Problem::DominatingSet | Problem::NoThreeInLine => Err(ValidityError::NotIndependent(problem)),
    }
}

/// Checks that no queens are included, which symmetry breaking might exclude.
fn needs_symmetry(variant: &Variant) -> Result<(), ValidityError> {
    if variant.include.is_empty() { Ok(()) } else { Err(ValidityError::Included) }
}

/// Returns the grid of a box or a torus of queens, rooks or bishops, or an error for other boards.
fn needs_grid(board: &Board) -> Result<&Grid, ValidityError> {
    board.grid().ok_or(ValidityError::NoGrid)
}

/// Checks that the board is a box or a torus with queens.
fn needs_queens(board: &Board) -> Result<(), ValidityError> {
    match needs_grid(board)?.piece() {
        Piece::Queen => Ok(()),
        piece => Err(ValidityError::NoClique(piece)),
    }
}

/// Returns the number of ordered pairs of squares that attack each other.
fn attack_count(board: &Board) -> u128 {
    let orbits = board.orbits().representatives().iter().zip(board.orbits().sizes());
    orbits.map(|(&square, &size)| (board.degree(square) * size) as u128).sum()
}

/// Returns all points of the box `[0, extents)` in lexicographic order.
fn positions(extents: Vec<u32>) -> impl Iterator<Item = Vec<u32>> {
    let mut next = (!extents.contains(&0)).then(|| vec![0; extents.len()]);
    std::iter::from_fn(move || {
        let current = next.take()?;
        let mut following = current.clone();
        if let Some(axis) = (0..extents.len()).rev().find(|&axis| following[axis] + 1 < extents[axis]) {
            following[axis] += 1;
            following[axis + 1..].fill(0);
            next = Some(following);
        }
        Some(current)
    })
}

/// Returns the squares `corner + stride * offset` for all offsets in the box `[0, sides)`, wrapping around on
/// a torus.
fn sub_box(grid: &Grid, corner: &[u32], sides: &[u32], stride: u32) -> Vec<Square> {
    let square = |offset: Vec<u32>| {
        let offset: Vec<i32> = offset.into_iter().map(|x| x as i32).collect();
        grid.step(corner, &offset, stride as i32).expect("the box lies on the board")
    };
    positions(sides.to_vec()).map(square).collect()
}

#[cfg(test)]
mod tests;
