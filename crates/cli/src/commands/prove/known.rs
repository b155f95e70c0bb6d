//! What is known of a board besides what a run has settled.

use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::certificates::CertificateStore;
use ndqueens_knowledge::ledger::Ledger;
use ndqueens_model::facts::{boxes, known, ledger};
use ndqueens_model::name::BoardName;
use serde::Serialize;

/// What is known of a board besides what a run has settled.
#[derive(Serialize)]
pub(super) struct Known {
    /// The bounds of the archive: certificates, checked now, and proofs, which are not.
    pub(super) archived: Vec<String>,
    pub(super) published: Option<String>,
}

impl Known {
    pub(super) fn of(board: &BoardName) -> Self {
        let lower = CertificateStore::of(Archive::here()).best(board);
        let lower = lower.map(|held| format!("alpha({board}) >= {} (checked: certificate)", held.size()));
        let row = Ledger::of(Archive::here()).ok().and_then(|ledger| ledger.lower(board));
        let upper = ledger::upper(board).or_else(|| boxes::lookup(board)).map(ToString::to_string);
        let published = known::lookup(board).map(|known| format!("{} [{}]", known.value(), known.source));
        Self { archived: lower.into_iter().chain(row).chain(upper).collect(), published }
    }
}
