//! Separation of cliques and local cuts on a box.

use std::collections::HashMap;

use ndqueens_model::board::{Board, Square};
use ndqueens_model::orbit::{BoxOrbits, Orbit, OrbitRow, Shape};

use super::clique::{self, Classes};
use super::local_cuts::LocalCuts;

/// Separator of valid inequalities of a plain box.
pub struct Separator<'a> {
    board: &'a Board,
    orbits: BoxOrbits,
    /// Orbits of squares, with the number of squares of each.
    columns: Vec<(Orbit, u64)>,
    /// Number of each orbit in `columns`.
    column_of: HashMap<Orbit, u32>,
    separates_cliques: bool,
    /// Maximum number of squares of the sets of local cuts; 0 for no local cuts.
    local_squares: usize,
    /// Sets of squares up to symmetry, created for the first separation of local cuts.
    local: Option<LocalCuts>,
    /// Sets of squares at all places, created for the first separation of local cuts at a point that is not the
    /// same on all squares of an orbit.
    local_at_all_places: Option<LocalCuts>,
}

impl<'a> Separator<'a> {
    /// Creates a separator of cliques, and of local cuts on sets of at most `local_squares` squares. Returns
    /// `None` if the board is not a plain box.
    #[must_use]
    pub fn new(board: &'a Board, separates_cliques: bool, local_squares: usize) -> Option<Self> {
        let orbits = BoxOrbits::of(board.grid()?)?;
        let columns = orbits.all();
        let column_of = columns.iter().map(|(orbit, _)| orbit.clone()).zip(0..).collect();
        Some(Self {
            board,
            orbits,
            columns,
            column_of,
            separates_cliques,
            local_squares,
            local: None,
            local_at_all_places: None,
        })
    }

    /// Returns rows of which a point, with a value for each square of the board, violates an image: cliques, or
    /// local cuts if no clique is violated.
    ///
    /// Rows that the mean of the point over the orbits of squares violates come first, because they are found
    /// fast, and the point violates an image of each. If the mean violates no row, rows of the point itself follow.
    ///
    /// The search ends with the rows found so far if `keep_going`, which is called often, returns `false`.
    pub fn violated_rows(&mut self, point: &[f64], keep_going: &mut dyn FnMut() -> bool) -> Vec<OrbitRow> {
        /// Distance from the mean below which a value counts as equal to it.
        const TOLERANCE: f64 = 1e-9;
        let columns: Vec<usize> = self.board.squares().map(|square| self.column(square)).collect();
        let mut means = vec![0.0; self.columns.len()];
        for (&column, x) in columns.iter().zip(point) {
            means[column] += x / self.columns[column].1 as f64;
        }
        let rows = self.violated_orbit_rows(&means, keep_going);
        let is_symmetric =
            columns.iter().zip(point).all(|(&column, x)| (means[column] - x).abs() < TOLERANCE);
        match is_symmetric || !rows.is_empty() || !keep_going() {
            true => rows,
            false => self.violated_rows_at_all_places(point, keep_going),
        }
    }

    /// Returns rows like [`Self::violated_rows`] for a point with a value for each orbit, in the order of
    /// [`BoxOrbits::all`].
    pub(super) fn violated_orbit_rows(
        &mut self,
        values: &[f64],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Vec<OrbitRow> {
        let mut rows = Vec::new();
        if self.separates_cliques {
            let first = |(orbit, _): &(Orbit, u64)| {
                self.board.square(&self.orbits.square(orbit)).expect("an orbit has a square")
            };
            let representatives: Vec<Square> = self.columns.iter().map(first).collect();
            let classes = Classes { representatives: &representatives, of: &|square| self.column(square) };
            rows = clique_rows(self.board, &classes, values, keep_going);
        }
        if rows.is_empty() && self.local_squares > 0 && keep_going() {
            let local = self.local.get_or_insert_with(|| {
                LocalCuts::up_to_symmetry(self.board, &self.orbits, &self.column_of, self.local_squares)
            });
            rows = local.violated_cuts(values, keep_going);
        }
        rows
    }

    /// Returns rows that a point with a value for each square violates.
    fn violated_rows_at_all_places(
        &mut self,
        point: &[f64],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Vec<OrbitRow> {
        let mut rows = Vec::new();
        if self.separates_cliques {
            let representatives: Vec<Square> = self.board.squares().collect();
            let classes = Classes { representatives: &representatives, of: &|square| square as usize };
            rows = clique_rows(self.board, &classes, point, keep_going);
        }
        if rows.is_empty() && self.local_squares > 0 && keep_going() {
            let local = self.local_at_all_places.get_or_insert_with(|| {
                LocalCuts::at_all_places(self.board, self.orbits.sides(), self.local_squares)
            });
            rows = local.violated_cuts(point, keep_going);
        }
        rows
    }

    /// Returns the number of the orbit of a square.
    fn column(&self, square: Square) -> usize {
        self.column_of[&self.orbits.orbit(&self.board.coordinates(square))] as usize
    }
}

/// Returns the rows of violated cliques.
fn clique_rows(
    board: &Board,
    classes: &Classes<'_>,
    values: &[f64],
    keep_going: &mut dyn FnMut() -> bool,
) -> Vec<OrbitRow> {
    let violated = clique::violated_cliques(board, classes, values, keep_going);
    violated.into_iter().map(|clique| OrbitRow::clique(Shape::Squares(clique))).collect()
}

impl std::fmt::Debug for Separator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Separator")
            .field("board", &self.board.name())
            .field("separates_cliques", &self.separates_cliques)
            .field("local_squares", &self.local_squares)
            .finish_non_exhaustive()
    }
}
