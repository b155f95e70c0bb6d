//! Known bounds of boards.

use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds, UpperBounds as _, known as publications};
use ndqueens_notation::name::BoardName;
use ndqueens_system::file;
use pyo3::prelude::*;

use crate::fault::{guarded, input};

/// Bound with its source.
type Bound = (u64, String);

/// Published bound: side, value, status, source, place and identifier.
type Publication = (String, u64, String, String, String, String);

/// Returns the best lower and upper bounds of a board among theorems, the archive and publications, and its
/// published bounds.
#[pyfunction]
pub(crate) fn known(py: Python<'_>, board: String) -> PyResult<(Bound, Bound, Vec<Publication>)> {
    guarded(py, move || {
        let archived = ArchivedBounds::builtin();
        let name = BoardName::parse_with(&board, &file::open).map_err(input)?;
        let board = Board::new(&name);
        let published = publications::lookup(&name);
        let lower = [
            Some((board.size().min(1) as u64, "theorem: one queen".to_owned())),
            archived.ledger.lower(&name).map(|value| (value, "archived: certificate".to_owned())),
            archived.boxes.lower(&name).map(|value| (value, "archived: table of boxes".to_owned())),
            published.and_then(|known| Some((known.lower?, format!("reported: {}", known.source)))),
        ];
        let better = |best: Bound, other: Bound| if other.0 > best.0 { other } else { best };
        let lower = lower.into_iter().flatten().reduce(better).unwrap_or_default();
        let trivial = (board.trivial_bound(), "theorem: a partition of the squares into cliques".to_owned());
        let upper = Bounds::with_publications(&archived).upper(&name).filter(|bound| bound.value < trivial.0);
        let upper = upper.map_or(trivial, |bound| (bound.value, bound.provenance.to_string()));
        let sorted = name.with_sorted_sides();
        let rows = publications::of_board(&sorted).map(|row| {
            let side = row.side.to_string();
            let (source, place, identifier) = (row.source.clone(), row.place.clone(), row.identifier.clone());
            (side, row.value, row.status.to_string(), source, place, identifier)
        });
        Ok((lower, upper, rows.collect()))
    })
}
