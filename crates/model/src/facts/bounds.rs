//! All upper bounds that are known, together.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use ndqueens_notation::name::BoardName;

use super::bound::{Provenance, Theorems, UpperBound, UpperBounds};
use super::{boxes, known, ledger};

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
    All,
    /// What counts after the check of its proof.
    Checked(Recheck),
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "Nothing",
            Self::All => "All",
            Self::Checked(_) => "Checked",
        })
    }
}

impl Bounds {
    /// Theorems, and besides them all of the archive: the ledger and the table of boxes.
    #[must_use]
    pub fn with_archive() -> Self {
        Self { archive: Archive::All, ..Self::default() }
    }

    /// Theorems, and besides them what is in the archive and counts after the check of its proof.
    #[must_use]
    pub fn with_checked_archive(
        recheck: impl Fn(&UpperBound) -> Option<UpperBound> + Send + Sync + 'static,
    ) -> Self {
        Self { archive: Archive::Checked(Arc::new(recheck)), ..Self::default() }
    }

    /// Theorems, and besides them all of the archive and published values.
    #[must_use]
    pub fn with_reported() -> Self {
        Self::with_archive().and_reported()
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
        let archived = || [ledger::upper(&key), boxes::lookup(&key)].into_iter().flatten();
        match &self.archive {
            Archive::Nothing => {}
            Archive::All => all.extend(archived().cloned()),
            // Only what would win is worth a check.
            Archive::Checked(recheck) => {
                let known = all.iter().map(|bound| bound.value).min().unwrap_or(u64::MAX);
                all.extend(archived().filter(|bound| bound.value < known).filter_map(|bound| recheck(bound)));
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
