//! Upper bounds by the orbit LP, each checked in exact arithmetic before it is told.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;

use ndqueens_crosscheck::bound::{self, BoundError, Shown};
use ndqueens_model::board::Board;
use ndqueens_model::bound::{Bounds, Standing, UpperBound};
use ndqueens_model::recipe::Recipe;
use ndqueens_solver::backend::{Options, StopReason};
use ndqueens_solver::orbit_lp::{self, OrbitBound};

use crate::file::FileError;
use crate::solve::{Event, LabError, Watch};

/// A bound that passed the check.
#[derive(Debug)]
pub struct Certified {
    /// What was found.
    pub found: OrbitBound,
    /// What crosscheck says of it.
    pub shown: Shown,
    /// The bound as a file.
    pub text: Vec<u8>,
    /// Bounds of smaller boards that it rests on, those that hold by theorem left out.
    pub rests_on: Vec<Arc<UpperBound>>,
}

impl Certified {
    /// Published, unchecked bounds that it rests on.
    pub fn conditions(&self) -> impl Iterator<Item = &UpperBound> {
        self.rests_on.iter().map(|bound| &**bound).filter(|bound| !bound.standing.is_proof())
    }
}

/// Bounds the number of queens on a box by the orbit LP of a recipe. The sides of the box are to stand in increasing order.
/// `Err` in the answer tells why it was stopped before there was a bound.
///
/// # Errors
/// When the board is no plain box, a family cannot be used on it, HiGHS fails, or the bound does not pass the check.
pub fn bound(
    board: &Board,
    recipe: &Recipe,
    bounds: &Bounds,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Result<Certified, StopReason>, LabError> {
    let monitor = &mut |progress: &_| watch(&Event::Progress(*progress));
    let found = match orbit_lp::bound(board, recipe, bounds, options, monitor)? {
        Ok(found) => found,
        Err(stop) => return Ok(Err(stop)),
    };
    let mut text = Vec::new();
    found.write(board.name(), &mut text).map_err(|fault| LabError::RefusedBound(fault.into()))?;
    let shown = bound::check(text.as_slice()).map_err(LabError::RefusedBound)?;
    let mut rests_on: Vec<_> = found
        .terms
        .iter()
        .filter_map(|(row, _)| row.bound.as_ref())
        .filter(|bound| !matches!(bound.standing, Standing::Theorem(_)))
        .cloned()
        .collect();
    rests_on.sort_by(|a, b| a.board.cmp(&b.board));
    rests_on.dedup();
    Ok(Ok(Certified { found, shown, text, rests_on }))
}

/// Whether a file is a bound, by its first bytes.
///
/// # Errors
/// When the file cannot be read.
pub fn is_bound(path: &Path) -> Result<bool, FileError> {
    let first = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(14).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    first().map(|first| first == b"ndqueens bound").map_err(|cause| FileError::new("read", path, cause))
}

/// Checks the bound in a file.
///
/// # Errors
/// When the file cannot be read, or at the first line that is not accepted.
pub fn check(path: &Path) -> Result<Shown, BoundError> {
    bound::check(BufReader::new(File::open(path)?))
}
