//! The best bounds of one board, whatever kind it is, each with what it rests on.

use std::fmt;

use ndqueens_model::board::Board;
use ndqueens_model::facts::{self, Provenance, Side};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

use crate::archive;
use crate::bounds::{Bounds, Contradiction, Cube, Derivation, Extent, Sources, Step, Strength};
use crate::certificates::Stored;
use crate::ledger::recheck;

mod closed_forms;
mod found;
mod others;

pub use self::found::best_placement;

/// A bound with what it rests on.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Best {
    /// The bound, in queens.
    pub value: u128,
    /// What it rests on.
    #[serde(rename = "status")]
    pub strength: Strength,
    /// The same in one line: `theorem: a cut of the linear set ...`.
    pub because: String,
    /// How it is derived.
    pub derivation: Derivation,
    /// The best bound that rests on theorems and on what was checked in this run, where this one does not.
    pub certified: Option<Box<Best>>,
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", self.value, self.because)
    }
}

impl Best {
    /// The fact that a derivation comes to.
    fn of(derivation: Derivation) -> Self {
        let Step { value, strength, ref reason, .. } = derivation.steps[0];
        Self { value, strength, because: format!("{strength}: {reason}"), derivation, certified: None }
    }

    /// A bound that follows from nothing else.
    fn leaf(board: &BoardName, side: Side, value: u128, strength: Strength, reason: String) -> Self {
        let fact = format!("alpha({board}) {} {value}", side.sign());
        let step = Step { fact, side, value, strength, reason, premises: Vec::new() };
        Self::of(Derivation { steps: vec![step] })
    }

    /// Whether it rests on theorems and on what was checked in this run.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.strength <= Strength::Checked
    }
}

/// What a bound may rest on, besides theorems and certificates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Proofs of the archive that are checked in this run.
    Checked,
    /// Bounds of the archive.
    Archived,
    /// Publications too.
    Reported,
}

/// The best lower and the best upper bound of a board, for n^d by all rules. The certificates are those of the archive, verified;
/// its proofs are checked until time is up.
///
/// # Errors
/// When a lower bound comes out above an upper one: then one of the facts that they rest on is wrong.
pub fn best(
    board: &Board,
    trust: Trust,
    certificates: &[Stored],
    deadline: Deadline,
) -> Result<[Best; 2], Box<Contradiction>> {
    match Cube::of(board.name()) {
        Some(cube) => of_cube(cube, trust, certificates, deadline),
        None => others::of_board(board, trust, certificates, deadline),
    }
}

/// The same of n^d, however many squares that has; for sides beyond [`Extent::ALLOWED`], and for boards with
/// many squares, without what follows from smaller cubes.
///
/// # Errors
/// Those of [`best`].
pub fn of_cube(
    cube: Cube,
    trust: Trust,
    certificates: &[Stored],
    deadline: Deadline,
) -> Result<[Best; 2], Box<Contradiction>> {
    let sources = Sources { certificates: certificates.to_vec(), deadline, ..Sources::default() };
    and_certified(trust, |trust| {
        let (reported, checked_only) = (trust == Trust::Reported, trust == Trust::Checked);
        let sources = Sources { reported, checked_only, ..sources.clone() };
        let Cube { dimension, side } = cube;
        let bounds = match cube.is_closable() {
            true => Bounds::new(Extent { dimension, side }, [cube], &sources)?,
            false => Bounds::of_one(cube, &sources)?,
        };
        Ok([Side::Lower, Side::Upper].map(|side| Best::of(bounds.why(cube, side))))
    })
}

/// What is found with this trust, and where that was not checked the best that was.
fn and_certified(
    trust: Trust,
    found: impl Fn(Trust) -> Result<[Best; 2], Box<Contradiction>>,
) -> Result<[Best; 2], Box<Contradiction>> {
    let mut bounds = found(trust)?;
    if !bounds.iter().all(Best::is_checked) {
        for (best, certified) in bounds.iter_mut().zip(found(Trust::Checked)?) {
            best.certified = (!best.is_checked()).then(|| Box::new(certified));
        }
    }
    Ok(bounds)
}

/// Theorems, and besides them what is in the archive and is not refused by the check of its proof before time is up.
fn not_refused(deadline: Deadline) -> facts::Bounds {
    facts::Bounds::with_checked_archive(archive::bounds(), move |bound| {
        Some(recheck(bound, deadline))
            .filter(|checked| !matches!(checked.provenance, Provenance::Rejected(_)))
    })
}
