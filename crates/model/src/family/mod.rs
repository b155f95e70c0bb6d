//! Families of valid inequalities, and the registry of them.
//!
//! A family is a small type with a name, a citation, the boards and problems it is valid for, and an iterator of rows.
//! Adding one is one file and one line in [`REGISTRY`].
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
mod star;
mod subsolution;
mod symmetry;

use std::collections::BTreeMap;
use std::sync::Arc;

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::Piece;
use serde::de::DeserializeOwned;

use crate::board::{Board, Extent, Grid, Square};
use crate::facts::{UpperBound, UpperBounds};
use crate::ilp::{Comparison, Row, Tag};
use crate::orbit::{BoxOrbits, OrbitRow, Shape};
use crate::variant::Variant;

/// What is true of all solutions of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// No two squares attack each other.
    Independence,
    /// Every square is in the set or attacked from it.
    Domination,
    /// No three squares are on a straight line.
    NoThreeInLine,
}

impl Property {
    pub(crate) fn of(problem: Problem) -> &'static [Self] {
        match problem {
            Problem::IndependentSet => &[Self::Independence],
            Problem::DominatingSet => &[Self::Domination],
            Problem::IndependentDominatingSet => &[Self::Independence, Self::Domination],
            Problem::NoThreeInLine => &[Self::NoThreeInLine],
        }
    }
}

/// A row before it is numbered: squares, comparison, right-hand side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inequality {
    /// The squares whose variables are summed, strictly increasing.
    pub squares: Vec<Square>,
    /// Coefficients, one for each square; all 1 when absent.
    pub coefficients: Option<Vec<i64>>,
    /// The comparison.
    pub comparison: Comparison,
    /// The right-hand side.
    pub rhs: i64,
    /// The bound that the right-hand side is taken from, if it is not a matter of definition.
    pub bound: Option<Arc<UpperBound>>,
}

impl Inequality {
    /// At most one of these squares, which attack each other pairwise.
    #[must_use]
    pub fn clique(mut squares: Vec<Square>) -> Self {
        squares.sort_unstable();
        squares.dedup();
        Self { squares, coefficients: None, comparison: Comparison::AtMost, rhs: 1, bound: None }
    }

    /// Squares with weights, which are added up where a square comes twice; squares of weight 0 are left out.
    #[must_use]
    pub fn weighted(
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

    /// At most `alpha(box) <= bound` of the squares of a box.
    #[must_use]
    pub fn bounded(mut squares: Vec<Square>, bound: &Arc<UpperBound>) -> Self {
        squares.sort_unstable();
        Self {
            squares,
            coefficients: None,
            comparison: Comparison::AtMost,
            rhs: i64::try_from(bound.value).expect("a bound is at most the number of squares"),
            bound: Some(Arc::clone(bound)),
        }
    }

    /// Returns the row of this name, without the bound that its right-hand side is taken from.
    #[must_use]
    pub fn into_row(self, tag: Tag) -> Row {
        let Self { squares: columns, coefficients, comparison, rhs, bound: _ } = self;
        Row { tag, columns, coefficients, comparison, rhs }
    }
}

/// The rows of a family on a board, lazily.
pub type Inequalities<'a> = Box<dyn Iterator<Item = Inequality> + 'a>;

/// A family of inequalities that every solution of a problem satisfies, or, where [`Family::breaks_symmetry`], an image of
/// every solution.
pub trait Family: std::fmt::Debug + Send + Sync {
    /// The name used in formulations.
    fn name(&self) -> &'static str;

    /// What the rows are, in one line.
    fn summary(&self) -> &'static str;

    /// Where the family comes from.
    fn citation(&self) -> &'static str;

    /// Whether the rows are valid for this problem on this board, asked for in this way.
    ///
    /// # Errors
    /// The reason, as the end of a sentence, when they are not.
    fn validity(&self, board: &Board, problem: Problem, variant: &Variant) -> Result<(), String>;

    /// Whether the rows cut off solutions of which they leave an image under the board's symmetries. Nothing may be counted
    /// then, and no argument may average over the group.
    fn breaks_symmetry(&self) -> bool {
        false
    }

    /// What the rows alone make sure of on every board, if anything.
    fn ensures(&self) -> Option<Property> {
        None
    }

    /// The bounds that right-hand sides are taken from.
    fn bounds(&self, _board: &Board, _bounds: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        Vec::new()
    }

    /// Rows and nonzeros, or upper bounds on them, known before a row is made.
    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent;

    /// One row of each orbit under the symmetries of a plain box; `None` when the family does not tell them. The box must
    /// be one that the family is valid for.
    fn orbit_rows<'a>(
        &'a self,
        _grid: &'a Grid,
        _orbits: &'a BoxOrbits,
        _bounds: &'a dyn UpperBounds,
    ) -> Option<OrbitRows<'a>> {
        None
    }

    /// The rows. The board must be one that the family is valid for.
    fn rows<'a>(&'a self, board: &'a Board, bounds: &'a dyn UpperBounds) -> Inequalities<'a>;
}

/// Rows up to symmetry, made as they are asked for.
pub type OrbitRows<'a> = Box<dyn Iterator<Item = OrbitRow> + 'a>;

/// A family by name, made from its options in a formulation.
type Registered = (&'static str, fn(toml::Table) -> Result<Box<dyn Family>, toml::de::Error>);

/// Every family.
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

fn make<F: Family + DeserializeOwned + 'static>(
    options: toml::Table,
) -> Result<Box<dyn Family>, toml::de::Error> {
    Ok(Box::new(options.try_into::<F>()?))
}

fn needs_independence(problem: Problem) -> Result<(), String> {
    match problem {
        Problem::IndependentSet | Problem::IndependentDominatingSet => Ok(()),
        Problem::DominatingSet => {
            Err("it holds for independent sets, and a dominating set need not be one".to_owned())
        }
        Problem::NoThreeInLine => {
            Err("it holds for independent sets, and a no-three-in-line set need not be one".to_owned())
        }
    }
}

fn needs_symmetry(variant: &Variant) -> Result<(), String> {
    if variant.include.is_empty() {
        return Ok(());
    }
    Err("it keeps one image of each solution under the board's symmetries, and that one may lack the included queens"
        .to_owned())
}

fn needs_grid(board: &Board) -> Result<&Grid, String> {
    board.grid().ok_or_else(|| "it is defined on boxes and tori of squares".to_owned())
}

fn needs_queens(board: &Board) -> Result<(), String> {
    match needs_grid(board)?.piece() {
        Piece::Queen => Ok(()),
        piece => Err(format!("its squares attack each other pairwise for queens, not for {}s", piece.word())),
    }
}

/// The number of ordered pairs of squares that attack each other.
fn attacks(board: &Board) -> u128 {
    let orbits = board.orbits().representatives().iter().zip(board.orbits().sizes());
    orbits.map(|(&square, &size)| (board.degree(square) * size) as u128).sum()
}

/// All boxes `[0, extents)` of coordinates in lexicographic order; none when an extent is 0.
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

/// The squares `corner + stride * offset` for all offsets in the box `[0, sides)`; wraps round on a torus.
fn sub_box(grid: &Grid, corner: &[u32], sides: &[u32], stride: u32) -> Vec<Square> {
    let square = |offset: Vec<u32>| {
        let offset: Vec<i32> = offset.into_iter().map(|x| x as i32).collect();
        grid.step(corner, &offset, stride as i32).expect("the box lies on the board")
    };
    positions(sides.to_vec()).map(square).collect()
}

/// The strides at which there are boxes of more than one square. On a torus one of each two that are opposite.
fn strides(grid: &Grid) -> impl Iterator<Item = u32> + use<> {
    let longest = *grid.sides().iter().max().expect("a box has sides");
    if grid.is_torus() { 1..=longest / 2 } else { 1..=longest - 1 }
}

/// One of each orbit of the lattices of these sides at this stride, whose places along each axis are known.
fn orbit_lattices(orbits: &BoxOrbits, sides: &[u32], stride: u32, places: &[u32]) -> Vec<Shape> {
    let corners = orbits.positions(|axis| places[axis], |axis| sides[axis]);
    corners.into_iter().map(|corner| Shape::Lattice { corner, sides: sides.to_vec(), stride }).collect()
}

/// The numbers of positions along each axis of a box of these sides at this stride; `None` when it does not fit, or would
/// wrap over itself on a torus.
fn places(grid: &Grid, sides: &[u32], stride: u32) -> Option<Vec<u32>> {
    let along = |(&n, &side): (&u32, &u32)| {
        let span = stride.checked_mul(side - 1).filter(|&span| span < n)?;
        // All the way round a torus, positions a stride apart are the same.
        let round = side > 1 && n - span == stride;
        Some(match grid.is_torus() {
            true if round => stride,
            true => n,
            false => n - span,
        })
    };
    grid.sides().iter().zip(sides).map(along).collect()
}

#[cfg(test)]
mod tests;
