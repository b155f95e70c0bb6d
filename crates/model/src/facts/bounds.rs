//! All upper bounds that are known, together.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use ndqueens_notation::name::BoardName;

use super::bound::{Provenance, Theorems, UpperBound, UpperBounds};
use super::boxes::BoxTable;
use super::known;
use super::ledger::LedgerBounds;

/// The bounds of an archive.
#[derive(Debug, Default)]
pub struct ArchivedBounds {
    /// Those of its ledger.
    pub ledger: LedgerBounds,
    /// Those of its table of boxes.
    pub boxes: BoxTable,
}

impl ArchivedBounds {
    /// Returns the bounds of the archive that comes with the program.
    #[must_use]
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<ArchivedBounds>> = LazyLock::new(|| {
            Arc::new(ArchivedBounds { ledger: LedgerBounds::shipped(), boxes: BoxTable::shipped() })
        });
        Arc::clone(&SHIPPED)
    }

    /// Returns the upper bounds of a board, in whichever order its sides are: that of the ledger first.
    pub fn upper(&self, board: &BoardName) -> impl Iterator<Item = &UpperBound> {
        [self.ledger.upper(board), self.boxes.upper(board)].into_iter().flatten()
    }
}

/// Checks the archived proof of a bound, and gives the bound back with what that came to, if it counts.
type Recheck = Arc<dyn Fn(&UpperBound) -> Option<UpperBound> + Send + Sync>;

/// The theorems, the values proved so far, and, if wanted, what the archive and publications say: the least wins, and of
/// equal ones the one that rests on most.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    proved: HashMap<BoardName, UpperBound>,
    archive: Archive,
    with_reported: bool,
}

/// What of the archive counts.
#[derive(Clone, Default)]
enum Archive {
    #[default]
    Nothing,
    All(Arc<ArchivedBounds>),
    /// Bounds that count after the check of their proofs.
    Checked(Arc<ArchivedBounds>, Recheck),
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "Nothing",
            Self::All(_) => "All",
            Self::Checked(..) => "Checked",
        })
    }
}

impl Bounds {
    /// Theorems, and besides them all of the archive: the ledger and the table of boxes.
    #[must_use]
    pub fn with_archive(archived: &Arc<ArchivedBounds>) -> Self {
        Self { archive: Archive::All(Arc::clone(archived)), ..Self::default() }
    }

    /// Theorems, and besides them what is in the archive and counts after the check of its proof.
    #[must_use]
    pub fn with_checked_archive(
        archived: &Arc<ArchivedBounds>,
        recheck: impl Fn(&UpperBound) -> Option<UpperBound> + Send + Sync + 'static,
    ) -> Self {
        let archived = Arc::clone(archived);
        Self { archive: Archive::Checked(archived, Arc::new(recheck)), ..Self::default() }
    }

    /// Theorems, and besides them all of the archive and published values.
    #[must_use]
    pub fn with_reported(archived: &Arc<ArchivedBounds>) -> Self {
        Self::with_archive(archived).and_reported()
    }

    /// These, and published values besides.
    #[must_use]
    pub fn and_reported(self) -> Self {
        Self { with_reported: true, ..self }
    }

    /// Adds a bound. A better one of the same board stays.
    pub fn add(&mut self, bound: UpperBound) {
        let key = bound.board.reduced();
        match self.proved.get(&key) {
            Some(known) if known.value <= bound.value => {}
            _ => drop(self.proved.insert(key, bound)),
        }
    }
}

impl UpperBounds for Bounds {
    fn upper(&self, board: &BoardName) -> Option<UpperBound> {
        let key = board.reduced();
        let mut all: Vec<_> =
            Theorems.upper(&key).into_iter().chain(self.proved.get(&key).cloned()).collect();
        match &self.archive {
            Archive::Nothing => {}
            Archive::All(archived) => all.extend(archived.upper(&key).cloned()),
            // Only what would win is worth a check.
            Archive::Checked(archived, recheck) => {
                let known = all.iter().map(|bound| bound.value).min().unwrap_or(u64::MAX);
                let archived = archived.upper(&key).filter(|bound| bound.value < known);
                all.extend(archived.filter_map(|bound| recheck(bound)));
            }
        }
        if self.with_reported {
            all.extend(known::lookup(&key).and_then(known::Known::upper_bound));
        }
        let best = all.into_iter().min_by_key(|bound| (bound.value, rank(&bound.provenance)))?;
        Some(UpperBound { board: board.clone(), ..best })
    }
}

/// The place in the order from strongest to weakest.
fn rank(provenance: &Provenance) -> u8 {
    match provenance {
        Provenance::Theorem(_) => 0,
        Provenance::Proved(_) => 1,
        Provenance::Archived(_) => 2,
        Provenance::Solved(_) => 3,
        Provenance::Reported(_) => 4,
        Provenance::Refused(_) => 5,
    }
}
