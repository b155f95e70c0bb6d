//! Earlier results for a board: its bounds in the archive and in publications.

use ndqueens_model::facts::Side;
use ndqueens_model::facts::known::{self, PublishedBounds};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

use crate::archive::Archive;
use crate::certificates::CertificateStore;
use crate::ledger::{BoundCheck, LedgerRow, RowStatus};

/// Known bounds of a board, in addition to those that a run has settled.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Beside {
    /// Bounds of the archive: certificates, which are checked in this run, and proofs, which are not.
    pub archived: Vec<String>,
    /// Published bounds with their source.
    pub published: Option<String>,
}

impl Beside {
    /// Looks up the bounds of a board in an archive and in publications. Certificates are checked now.
    #[must_use]
    pub fn of(archive: &Archive, board: &BoardName) -> Self {
        let lower = CertificateStore::of(archive).best(board);
        let lower = lower.map(|certificate| certificate.size() as u64);
        let checked = archive.check_bound(board, Side::Lower, 0, Deadline::NEVER);
        let row = checked.and_then(|checked| {
            let BoundCheck { row: LedgerRow { value, file, .. }, status: RowStatus::Checked, .. } = checked
            else {
                return None;
            };
            Some((*value, format!("alpha({board}) >= {value} (checked: certificate {file})")))
        });
        // Report one lower bound only, preferring the row of the ledger because it names its file.
        let lower = lower.filter(|size| row.as_ref().is_none_or(|(value, _)| value < size));
        let lower = match lower {
            Some(size) => Some(format!("alpha({board}) >= {size} (checked: certificate)")),
            None => row.map(|(_, words)| words),
        };
        let upper = archive.bounds().upper(board).next().map(ToString::to_string);
        let published = known::lookup(board).map(PublishedBounds::best);
        let published = published.map(|best| format!("{best} [{}]", best.source));
        Self { archived: lower.into_iter().chain(upper).collect(), published }
    }
}
