//! The best upper bound from several sources.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use ndqueens_notation::name::BoardName;

use super::bound::{Provenance, Theorems, UpperBound, UpperBounds};
use super::boxes::BoxTable;
use super::known;
use super::ledger::LedgerBounds;

/// The bounds of an archive.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::ArchivedBounds;
///
/// let archive = ArchivedBounds::builtin();
/// assert!(archive.upper(&"5^3".parse()?).any(|bound| bound.value == 13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct ArchivedBounds {
    /// Bounds of its ledger.
    pub ledger: LedgerBounds,
    /// Bounds of its table of boxes.
    pub boxes: BoxTable,
}

impl ArchivedBounds {
    /// Returns the bounds of the archive that comes with the program.
    #[must_use]
    pub fn builtin() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<ArchivedBounds>> = LazyLock::new(|| {
            Arc::new(ArchivedBounds { ledger: LedgerBounds::builtin(), boxes: BoxTable::builtin() })
        });
        Arc::clone(&SHIPPED)
    }

    /// Returns the upper bounds of a board, first that of the ledger. The order of the sides does not matter.
    pub fn upper(&self, board: &BoardName) -> impl Iterator<Item = &UpperBound> {
        [self.ledger.upper(board), self.boxes.upper(board)].into_iter().flatten()
    }
}

/// Check of the archived proof of a bound: returns the bound with its new provenance, or `None` if it is not
/// to be used.
type Recheck = Arc<dyn Fn(&UpperBound) -> Option<UpperBound> + Send + Sync>;

/// Upper bounds from theorems, from proofs of this run and, optionally, from the archive and from
/// publications. The least bound of a board is used, and among equal ones the one with the strongest
/// provenance.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::{ArchivedBounds, Bounds, Provenance, UpperBounds as _};
///
/// let board = "15^3".parse()?;
/// let proved = Bounds::default().upper(&board).expect("lines partition the board");
/// assert!(matches!(proved.provenance, Provenance::Theorem(_)));
/// let reported = Bounds::with_publications(&ArchivedBounds::builtin()).upper(&board).expect("a bound is published");
/// assert!(reported.value < proved.value && !reported.provenance.is_proof());
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    proved: HashMap<BoardName, UpperBound>,
    archive: Archive,
    with_publications: bool,
}

/// Use of the archive.
#[derive(Clone, Default)]
enum Archive {
    /// No archived bounds.
    #[default]
    Nothing,
    /// All archived bounds, without a check.
    All(Arc<ArchivedBounds>),
    /// Archived bounds after the check of their proofs.
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
    /// Creates the bounds of theorems and of an archive: its ledger and its table of boxes.
    #[must_use]
    pub fn with_archive(archived: &Arc<ArchivedBounds>) -> Self {
        Self { archive: Archive::All(Arc::clone(archived)), ..Self::default() }
    }

    /// Creates the bounds of theorems and of an archive, the latter as `recheck` returns them. `recheck`
    /// checks the proof of an archived bound; it is called only for bounds that improve on the theorems and
    /// on the bounds added so far.
    #[must_use]
    pub fn with_checked_archive(
        archived: &Arc<ArchivedBounds>,
        recheck: impl Fn(&UpperBound) -> Option<UpperBound> + Send + Sync + 'static,
    ) -> Self {
        let archived = Arc::clone(archived);
        Self { archive: Archive::Checked(archived, Arc::new(recheck)), ..Self::default() }
    }

    /// Creates the bounds of theorems, of an archive and of publications.
    #[must_use]
    pub fn with_publications(archived: &Arc<ArchivedBounds>) -> Self {
        Self::with_archive(archived).add_publications()
    }

    /// Adds the published bounds.
    #[must_use]
    pub fn add_publications(self) -> Self {
        Self { with_publications: true, ..self }
    }

    /// Adds a bound, unless a bound at least as good is present for the board.
    pub fn add(&mut self, bound: UpperBound) {
        let key = bound.board.without_unit_sides();
        match self.proved.get(&key) {
            Some(known) if known.value <= bound.value => {}
            _ => drop(self.proved.insert(key, bound)),
        }
    }
}

impl UpperBounds for Bounds {
    fn upper(&self, board: &BoardName) -> Option<UpperBound> {
        let key = board.without_unit_sides();
        let mut all: Vec<_> =
            Theorems.upper(&key).into_iter().chain(self.proved.get(&key).cloned()).collect();
        match &self.archive {
            Archive::Nothing => {}
            Archive::All(archived) => all.extend(archived.upper(&key).cloned()),
            // Proofs are checked only for bounds that would be used.
            Archive::Checked(archived, recheck) => {
                let known = all.iter().map(|bound| bound.value).min().unwrap_or(u64::MAX);
                let archived = archived.upper(&key).filter(|bound| bound.value < known);
                all.extend(archived.filter_map(|bound| recheck(bound)));
            }
        }
        if self.with_publications {
            all.extend(known::lookup(&key).and_then(known::PublishedBounds::upper_bound));
        }
        let best = all.into_iter().min_by_key(|bound| (bound.value, rank(&bound.provenance)))?;
        Some(UpperBound { board: board.clone(), ..best })
    }
}

/// Returns the rank of a provenance: 0 for the strongest.
fn rank(provenance: &Provenance) -> u8 {
    match provenance {
        Provenance::Theorem(_) => 0,
        Provenance::Proved(_) => 1,
        Provenance::Archived(_) => 2,
        Provenance::Solved(_) => 3,
        Provenance::Reported(_) => 4,
        Provenance::Rejected(_) => 5,
    }
}
