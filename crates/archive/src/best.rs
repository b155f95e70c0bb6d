//! The best bounds of one board of any kind, each with its derivation.

use std::fmt;

use ndqueens_model::board::Board;
use ndqueens_model::facts::{self, Provenance, Side};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

use crate::archive::Archive;
use crate::bounds::{Bounds, Contradiction, Cube, Derivation, Extent, Sources, Step, Strength};
use crate::certificates::Stored;

mod closed_forms;
mod found;
mod others;

pub use self::found::best_placement;

/// A bound and its derivation.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Best {
    /// The bound, in queens.
    pub value: u128,
    /// Strength of the facts that it rests on.
    #[serde(rename = "status")]
    pub strength: Strength,
    /// Strength and reason in one line, such as `theorem: a cut of the linear set ...`.
    pub because: String,
    /// Derivation of the bound.
    pub derivation: Derivation,
    /// Best bound that rests only on theorems and on checks of this run, if this one does not.
    pub certified: Option<Box<Best>>,
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", self.value, self.because)
    }
}

impl Best {
    /// Returns the bound at the root of a derivation.
    fn of(derivation: Derivation) -> Self {
        let Step { value, strength, ref reason, .. } = derivation.steps[0];
        Self { value, strength, because: format!("{strength}: {reason}"), derivation, certified: None }
    }

    /// Returns a bound without premises.
    fn leaf(board: &BoardName, side: Side, value: u128, strength: Strength, reason: String) -> Self {
        let fact = format!("alpha({board}) {} {value}", side.sign());
        let step = Step { fact, side, value, strength, reason, premises: Vec::new() };
        Self::of(Derivation { steps: vec![step] })
    }

    /// Returns `true` if the bound rests only on theorems and on certificates and proofs checked in this run.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.strength <= Strength::Checked
    }
}

/// Sources of bounds that are accepted in addition to theorems and certificates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Archived bounds whose proofs are checked in this run.
    Checked,
    /// Archived bounds too, except those whose proofs a check rejects.
    Archived,
    /// Archived bounds as for [`Self::Archived`], and published values.
    Reported,
}

/// Returns the best lower and the best upper bound of a board; for n^d those that follow by all rules.
/// `certificates` are those of the archive, verified. Proofs of the archive are checked until `deadline`.
///
/// # Errors
/// Returns an error if the lower bound exceeds the upper bound, because one of the facts that they rest on is
/// then wrong.
pub fn best(
    archive: &Archive,
    board: &Board,
    trust: Trust,
    certificates: &[Stored],
    deadline: Deadline,
) -> Result<[Best; 2], Box<Contradiction>> {
    match Cube::of(board.name()) {
        Some(cube) => of_cube(archive, cube, trust, certificates, deadline),
        None => others::of_board(archive, board, trust, certificates, deadline),
    }
}

/// Returns the same bounds for n^d, for any number of squares. For sides beyond [`Extent::ALLOWED`], and for
/// boards with many squares, bounds of smaller cubes are not used.
///
/// # Errors
/// Returns the errors of [`best`].
pub fn of_cube(
    archive: &Archive,
    cube: Cube,
    trust: Trust,
    certificates: &[Stored],
    deadline: Deadline,
) -> Result<[Best; 2], Box<Contradiction>> {
    let sources = Sources { certificates: certificates.to_vec(), deadline, ..Sources::of(archive) };
    add_certified(trust, |trust| {
        let (reported, checked_only) = (trust == Trust::Reported, trust == Trust::Checked);
        let sources = Sources { reported, checked_only, ..sources.clone() };
        let Cube { dimension, side } = cube;
        let bounds = match cube.is_closable() {
            true => Bounds::new(Extent { dimension, side }, [cube], &sources)?,
            false => Bounds::of_one(cube, &sources)?,
        };
        Ok([Side::Lower, Side::Upper].map(|side| Best::of(bounds.derivation(cube, side))))
    })
}

/// Returns the bounds that `compute` returns for this trust. Each one that is not checked also gets the best
/// checked bound.
fn add_certified(
    trust: Trust,
    compute: impl Fn(Trust) -> Result<[Best; 2], Box<Contradiction>>,
) -> Result<[Best; 2], Box<Contradiction>> {
    let mut bounds = compute(trust)?;
    if !bounds.iter().all(Best::is_checked) {
        for (best, certified) in bounds.iter_mut().zip(compute(Trust::Checked)?) {
            best.certified = (!best.is_checked()).then(|| Box::new(certified));
        }
    }
    Ok(bounds)
}

/// Returns theorems and the archived bounds, without those whose proofs are rejected by a check that ends at
/// `deadline`.
fn unrefuted_bounds(archive: &Archive, deadline: Deadline) -> facts::Bounds {
    let checking = archive.clone();
    facts::Bounds::with_checked_archive(archive.bounds(), move |bound| {
        Some(checking.recheck(bound, deadline))
            .filter(|checked| !matches!(checked.provenance, Provenance::Rejected(_)))
    })
}
