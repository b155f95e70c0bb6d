//! Separation of cliques and local cuts on a box, at points that are the same on all squares of an orbit.

use std::collections::HashMap;

use ndqueens_model::board::Board;
use ndqueens_model::orbit::{BoxOrbits, Orbit, OrbitRow, Shape};

use super::clique;
use super::local_cuts::LocalCuts;

/// Separator of valid inequalities of a plain box.
pub struct Separator<'a> {
    board: &'a Board,
    orbits: BoxOrbits,
    /// Orbits of squares.
    columns: Vec<Orbit>,
    /// Number of each orbit in `columns`.
    column_of: HashMap<Orbit, u32>,
    separates_cliques: bool,
    /// Maximum number of squares of the sets of local cuts; 0 for no local cuts.
    local_squares: usize,
    /// Sets of squares on which local cuts are separated, created for the first separation.
    local: Option<LocalCuts>,
}

impl<'a> Separator<'a> {
    /// Creates a separator of cliques, and of local cuts on sets of at most `local_squares` squares. Returns
    /// `None` if the board is not a plain box.
    #[must_use]
    pub fn new(board: &'a Board, separates_cliques: bool, local_squares: usize) -> Option<Self> {
        let orbits = BoxOrbits::of(board.grid()?)?;
        let columns: Vec<Orbit> = orbits.all().into_iter().map(|(orbit, _)| orbit).collect();
        let column_of = columns.iter().cloned().zip(0..).collect();
        Some(Self { board, orbits, columns, column_of, separates_cliques, local_squares, local: None })
    }

    /// Returns rows that a point violates: cliques, or local cuts if no clique is violated. `point` has a value
    /// for each square of the board, the same for all squares of an orbit.
    ///
    /// The search ends with the rows found so far if `keep_going`, which is called often, returns `false`.
    pub fn violated_rows(&mut self, point: &[f64], keep_going: &mut dyn FnMut() -> bool) -> Vec<OrbitRow> {
        let value = |orbit: &Orbit| {
            let square = self.board.square(&self.orbits.square(orbit)).expect("an orbit has a square");
            point[square as usize]
        };
        let values: Vec<f64> = self.columns.iter().map(value).collect();
        self.violated_orbit_rows(&values, keep_going)
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
            let weights: HashMap<Orbit, f64> =
                self.columns.iter().cloned().zip(values.iter().copied()).collect();
            let violated = clique::violated_cliques(self.board, &self.orbits, &weights, keep_going);
            rows.extend(violated.into_iter().map(|clique| OrbitRow::clique(Shape::Squares(clique))));
        }
        if rows.is_empty() && self.local_squares > 0 && keep_going() {
            let local = self.local.get_or_insert_with(|| {
                LocalCuts::new(self.board, &self.orbits, &self.column_of, self.local_squares)
            });
            rows = local.violated_cuts(values, keep_going);
        }
        rows
    }
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
