//! The best bounds of one board, whatever kind it is, each with what it rests on.

use std::fmt;

use ndqueens_control::Deadline;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Side;
use ndqueens_model::facts::{Bounds as UpperBoundsOf, Provenance, UpperBounds as _, boxes};
use schemars::JsonSchema;
use serde::Serialize;

use crate::ARCHIVE;
use crate::archive::Archive;
use crate::bounds::{Bounds, Contradiction, Cube, Derivation, Extent, Sources};
use crate::certificates::{CertificateStore, Stored};
use crate::ledger::{Ledger, RowStatus, recheck};

/// A bound with what it rests on.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Best {
    /// The bound, in queens.
    pub value: u128,
    /// What it rests on, in one line: `theorem: a cut of the linear set ...`.
    pub because: String,
    /// How it is derived, for n^d.
    pub derivation: Option<Derivation>,
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", self.value, self.because)
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
/// When a lower bound of n^d comes out above an upper one: then one of the facts that they rest on is wrong.
pub fn best(
    board: &Board,
    trust: Trust,
    certificates: Vec<Stored>,
    deadline: Deadline,
) -> Result<[Best; 2], Box<Contradiction>> {
    match Cube::of(board.name()) {
        Some(cube) => of_cube(cube, trust, certificates, deadline),
        None => Ok([lower(board, trust, deadline), upper(board, trust, deadline)]),
    }
}

/// The same of n^d, however many squares that has; beyond [`Extent::ALLOWED`] without what follows from smaller cubes.
///
/// # Errors
/// Those of [`best`].
pub fn of_cube(
    cube: Cube,
    trust: Trust,
    certificates: Vec<Stored>,
    deadline: Deadline,
) -> Result<[Best; 2], Box<Contradiction>> {
    let sources = Sources {
        certificates,
        reported: trust == Trust::Reported,
        checked_only: trust == Trust::Checked,
        deadline,
        ..Sources::default()
    };
    let bounds = match Cube::allowed(Some(cube)) {
        Ok(Cube { dimension, side }) => Bounds::new(Extent { dimension, side }, [cube], &sources)?,
        Err(_) => Bounds::of_one(cube, &sources)?,
    };
    Ok([Side::Lower, Side::Upper].map(|side| {
        let fact = bounds.of(cube, side);
        Best {
            value: fact.value,
            because: format!("{}: {}", fact.strength, fact.reason),
            derivation: Some(bounds.why(cube, side)),
        }
    }))
}

fn lower(board: &Board, trust: Trust, deadline: Deadline) -> Best {
    let name = board.name();
    let plain = |value: u128, because: String| Best { value, because, derivation: None };
    let one = plain(board.size().min(1) as u128, "theorem: one queen".to_owned());
    let certificate = CertificateStore::of(Archive::here()).best(name);
    let certificate =
        certificate.map(|held| plain(held.size() as u128, format!("checked: certificate, {}", held.origin)));
    let row = Ledger::of(Archive::here()).ok().and_then(|ledger| {
        let (row, status) = ledger.checked(name, Side::Lower, 0, deadline)?;
        let status = match status {
            RowStatus::Checked => "checked",
            RowStatus::Refused(_) => return None,
            _ if trust == Trust::Checked => return None,
            _ => "archived",
        };
        Some(plain(row.value.into(), format!("{status}: {} {}", row.kind, row.file)))
    });
    let placed = boxes::placed(name).filter(|_| trust != Trust::Checked);
    let placed = placed.map(|placed| plain(placed.into(), "archived: table of boxes".to_owned()));
    // The first of the largest: what was checked now comes before what was not.
    certificate
        .into_iter()
        .chain(row)
        .chain(placed)
        .fold(one, |best, other| if other.value > best.value { other } else { best })
}

fn upper(board: &Board, trust: Trust, deadline: Deadline) -> Best {
    let trivial = Best {
        value: board.trivial_bound().into(),
        because: "theorem: a partition of the squares into cliques".to_owned(),
        derivation: None,
    };
    let bounds = match trust {
        Trust::Checked => ARCHIVE.checked_bounds(deadline),
        Trust::Archived => not_refused(deadline),
        Trust::Reported => not_refused(deadline).and_reported(),
    };
    match bounds.upper(board.name()) {
        Some(bound) if u128::from(bound.value) < trivial.value => {
            Best { value: bound.value.into(), because: bound.provenance.to_string(), derivation: None }
        }
        _ => trivial,
    }
}

/// Theorems, and besides them what is in the archive and is not refused by the check of its proof before time is up.
fn not_refused(deadline: Deadline) -> UpperBoundsOf {
    UpperBoundsOf::with_checked_archive(move |bound| {
        Some(recheck(bound, deadline)).filter(|checked| !matches!(checked.provenance, Provenance::Refused(_)))
    })
}
