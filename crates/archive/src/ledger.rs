//! The ledger: proved bounds with the files that show them, and the bounds that each rests on.
//!
//! A row bounds one board from one side. Its file is in the folder `ledger/` of the [archive]. Files of more
//! than 16 megabytes are not stored; their rows have a digest and the command that recreates them. A bound
//! counts as proved only if its file, and those of the bounds that it rests on, were checked in this run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use ndqueens_model::board::Board;
use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_model::facts::{Provenance, Side, UpperBound, reading};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::digest::Digester;
use ndqueens_system::file::{self, FileError, packed};
use ndqueens_system::lock::{self, Guard};
use ndqueens_system::note;
use ndqueens_system::thread::all_cores;
use ndqueens_workflow::evidence::{self, CheckOptions, Conclusion, Evidence, Refusal, Statement, verified};
use ndqueens_workflow::record::COMMIT;
use parking_lot::Mutex;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::archive::{self, Archive, ArchiveError};

/// Kind of a file that shows a bound and that archives store.
#[derive(Debug, Clone, Copy)]
pub struct Kind(&'static dyn Evidence);

impl Kind {
    /// Placements, checked from the definition of an attack.
    pub const CERTIFICATE: Self = Self(evidence::CERTIFICATE);

    /// Returns the name of the kind with its indefinite article.
    fn with_article(self) -> String {
        let article = if self.0.name().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {self}")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for Kind {}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let kind = evidence::by_name(&name).filter(|kind| kind.archived_as().is_some());
        kind.map(Self).ok_or_else(|| D::Error::custom(format!("an archive stores no \"{name}\"")))
    }
}

/// An upper bound `alpha(board) <= most` that another bound rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    board: BoardName,
    most: u64,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<={}", self.board, self.most)
    }
}

/// Error for a text that is not a [`Need`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" should be a bound such as 3^4<=6")]
struct NeedError(String);

impl FromStr for Need {
    type Err = NeedError;

    fn from_str(text: &str) -> Result<Self, NeedError> {
        let parts = text.split_once("<=");
        let plain = |most: &str| most.parse::<u64>().ok().filter(|number| number.to_string() == most);
        let need =
            parts.and_then(|(board, most)| Some(Self { board: board.parse().ok()?, most: plain(most)? }));
        need.ok_or_else(|| NeedError(text.to_owned()))
    }
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerRow {
    /// The board; a box without its sides of 1, and sorted.
    pub board: BoardName,
    /// Side of the bound.
    pub side: Side,
    /// The bound, in queens.
    #[serde(deserialize_with = "reading::parse_number")]
    pub value: u64,
    /// Kind of the file that shows the bound.
    #[schemars(with = "String")]
    pub kind: Kind,
    /// The file that shows the bound.
    pub file: String,
    /// Size of the file in bytes; a file of more than 16,000,000 bytes is not archived.
    #[serde(deserialize_with = "reading::parse_number")]
    pub bytes: u64,
    /// SHA-256 digest of the file.
    pub sha256: String,
    /// Bounds of other boards that the bound rests on, such as `3^4<=6`, separated by semicolons.
    pub rests_on: String,
    /// The command that regenerates the file; required if the file is not archived.
    pub command: String,
    /// The commit that wrote the row.
    pub commit: String,
    /// The verified checker that accepted the file, if it was run; the bounds that this one rests on have
    /// rows of their own.
    #[serde(default)]
    pub verified: String,
}

impl LedgerRow {
    /// Returns the key of the row, which does not depend on the order of the sides or on sides of 1.
    fn key(&self) -> Key {
        (self.board.without_unit_sides(), self.side)
    }

    /// Returns the bound, marked as not checked in this run.
    fn archived_bound(&self) -> UpperBound {
        let provenance = Provenance::Archived(format!("{} {}", self.kind, self.file));
        UpperBound { board: self.board.clone(), value: self.value, provenance }
    }

    /// Returns `true` if `bounds` contains a bound of the same board and side that is at least as good.
    fn is_shown_by(&self, bounds: &BTreeMap<Key, u64>) -> bool {
        bounds.get(&self.key()).is_some_and(|&value| !self.side.is_better(self.value, value))
    }

    /// Parses the bounds that the row rests on.
    fn needs(&self) -> Result<Vec<Need>, NeedError> {
        self.rests_on.split(';').filter(|need| !need.is_empty()).map(str::parse).collect()
    }
}

/// Reason why a file cannot be added, or why the ledger cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The archive cannot be read or changed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The ledger is malformed.
    #[error("{} is not a ledger: {fault}", path.display())]
    Malformed {
        /// Path of the ledger.
        path: PathBuf,
        /// The fault.
        fault: csv::Error,
    },
    /// The file is wrong.
    #[error("{} does not hold: {fault}", path.display())]
    Fault {
        /// Path of the file.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// The file is not of a kind that the ledger stores.
    #[error("{} cannot be archived: {fault}", path.display())]
    Unchecked {
        /// Path of the file.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// The check failed to run.
    #[error("{} was not checked: {fault}", path.display())]
    Failed {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        fault: String,
    },
    /// The check reached a limit.
    #[error("{} was not checked: {fault}", path.display())]
    Limit {
        /// Path of the file.
        path: PathBuf,
        /// The limit.
        fault: String,
    },
    /// The file rests on a bound that the ledger does not prove.
    #[error("{} rests on alpha({board}) <= {most}, which the ledger does not prove", path.display())]
    Unproved {
        /// Path of the file.
        path: PathBuf,
        /// Board of the missing bound.
        board: BoardName,
        /// Value of the missing bound.
        most: u64,
    },
    /// The board is described in a file, which the ledger does not store.
    #[error("{} is about {board}, and the ledger is for boards with a name of their own", path.display())]
    FileBoard {
        /// Path of the file.
        path: PathBuf,
        /// The board.
        board: BoardName,
    },
    /// The file rests on a row of the ledger that is rejected.
    #[error("{} rests on alpha({board}) <= {most}, and the ledger's row does not hold: {why}", path.display())]
    Refused {
        /// Path of the file.
        path: PathBuf,
        /// Board of the rejected row.
        board: BoardName,
        /// Value of the rejected row.
        most: u64,
        /// Reason for which the row is rejected.
        why: String,
    },
    /// The file is too large to be stored, and no command to recreate it is given.
    #[error("{} has more than {MAX_BYTES} bytes, so it is not archived, and no command that reproduces it is recorded", .0.display())]
    TooLarge(PathBuf),
}

impl LedgerError {
    /// Returns `true` if the system failed, and `false` if the input is at fault.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::File(fault) => fault.is_failure(),
            Self::Archive(error) => error.is_failure(),
            Self::Failed { .. } => true,
            _ => false,
        }
    }

    /// Returns `true` if a file was checked and is wrong, or rests on a bound that is unproved or rejected.
    #[must_use]
    pub fn is_refutation(&self) -> bool {
        matches!(self, Self::Fault { .. } | Self::Unproved { .. } | Self::Refused { .. })
    }

    fn of(refusal: Refusal, path: &Path) -> Self {
        let path = path.to_owned();
        match refusal {
            Refusal::Wrong(fault) => Self::Fault { path, fault },
            Refusal::Unreadable(fault) | Refusal::Unchecked(fault) | Refusal::NoBoard(fault) => {
                Self::Unchecked { path, fault }
            }
            Refusal::Failed(fault) => Self::Failed { path, fault },
            Refusal::Limit(fault) => Self::Limit { path, fault },
        }
    }
}

/// The ledger of an archive, in memory.
#[derive(Debug)]
pub struct Ledger {
    archive: Archive,
    rows: BTreeMap<Key, LedgerRow>,
    /// Results of the files read so far, by file name.
    inspected: Mutex<HashMap<String, Arc<Inspection>>>,
}

type Key = (BoardName, Side);

/// Size, digest and conclusion of a file, from one pass over its bytes.
#[derive(Debug)]
struct Contents {
    bytes: u64,
    sha256: String,
    finding: Result<Finding, Refusal>,
}

/// Kind and conclusion of a valid file.
#[derive(Debug)]
struct Finding {
    kind: Kind,
    statement: Statement,
}

/// Result of reading a file of the ledger; `None` if the file does not exist.
type Inspection = Result<Option<Contents>, InspectionError>;

/// Reason why a file of the ledger cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
enum InspectionError {
    #[error("\"{0}\" is not the name of a file")]
    Name(String),
    #[error("{file} cannot be read: {cause}")]
    Unreadable { file: String, cause: Arc<io::Error> },
}

impl InspectionError {
    /// Returns the function that adds the name of a file to a system error.
    fn unreadable(file: &str) -> impl Fn(io::Error) -> Self {
        move |cause| Self::Unreadable { file: file.to_owned(), cause: Arc::new(cause) }
    }
}

/// Reason why a row of the ledger does not hold.
#[derive(Debug, thiserror::Error)]
enum RowError {
    #[error("the board must be written as {0}")]
    BoardForm(BoardName),
    #[error("{} shows no bound from this side", .0.with_article())]
    Side(Kind),
    #[error(transparent)]
    Need(#[from] NeedError),
    #[error("\"{0}\" is no SHA-256 digest of 64 hexadecimal digits")]
    DigestForm(String),
    #[error("{file} is another file: it has {}, not {expected}", counted(*bytes, "byte"))]
    Size { file: String, bytes: u64, expected: u64 },
    #[error("{file} is another file: its digest is {digest}")]
    Digest { file: String, digest: String },
    #[error(transparent)]
    Inspection(#[from] InspectionError),
    #[error("{file} does not begin as {} does", kind.with_article())]
    Beginning { file: String, kind: Kind },
    #[error("{file} is missing, and the ledger lists it as archived: it has {}", counted(*bytes, "byte"))]
    Missing { file: String, bytes: u64 },
    #[error("{0} is missing, and no command reproduces it")]
    NoCommand(String),
    /// Reason for which the file is rejected.
    #[error("{0}")]
    Refused(String),
    #[error("{file} is {}, not {}", kind.with_article(), expected.with_article())]
    Kind { file: String, kind: Kind, expected: Kind },
    #[error("{0} is about another board")]
    OtherBoard(String),
    #[error("{file} shows {proved}, not {value}")]
    Value { file: String, proved: u64, value: u64 },
    #[error("{file} rests on \"{needs}\", not on \"{listed}\"")]
    OtherNeeds { file: String, needs: String, listed: String },
    #[error("it rests on {0}, which is no smaller board")]
    NoSmallerBoard(BoardName),
    #[error("it rests on alpha({board}) <= {most}, which the ledger does not prove")]
    Unproved { board: BoardName, most: u64 },
    #[error("it rests on {board}, and there: {why}")]
    RefusedPremise { board: BoardName, why: String },
}

/// Result of inspecting a file of the ledger, in whole or in part.
enum FileInspection {
    Whole(Arc<Inspection>),
    /// Size of the file in bytes, and its kind according to the first bytes.
    Beginning {
        bytes: u64,
        kind: Result<Option<Kind>, InspectionError>,
    },
}

/// Status of a row after the ledger was verified.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case", tag = "status", content = "why")]
pub enum RowStatus {
    /// Its file was checked, and so were those of all rows that it rests on.
    Checked,
    /// Its file was checked, but it rests on a row whose file was not checked.
    RestsOnNotRechecked,
    /// Its file was not checked: it is not archived and the command regenerates it, it is too large to be
    /// checked in passing, or its check reached a limit.
    NotRechecked,
    /// The row does not hold, for this reason.
    Refused(String),
}

/// A row and the result of its verification.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Verified {
    /// The row.
    #[serde(flatten)]
    pub row: LedgerRow,
    /// Status of the row.
    #[serde(flatten)]
    pub status: RowStatus,
    /// The files that the row ultimately rests on, each with the status of its check.
    pub foundation: BTreeSet<String>,
    /// The verified checker that accepted, in this run, its file and the files of all rows that it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_by: Option<String>,
}

/// Result of adding a file to the ledger.
#[derive(Debug)]
pub struct Added {
    /// New and changed rows.
    pub rows: Vec<LedgerRow>,
    /// Bounds that the file rests on and that were not fully checked, because a file is not available.
    pub conditions: Vec<UpperBound>,
    /// The certificate, if the file is one.
    pub certificate: Option<Certificate>,
}

impl Ledger {
    /// Reads the ledger of an archive; empty if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is malformed.
    pub fn of(archive: &Archive) -> Result<Self, LedgerError> {
        let text = archive.read(TABLE)?.unwrap_or_default();
        let malformed =
            |fault: csv::Error| LedgerError::Malformed { path: archive.display_path(TABLE), fault };
        reading::require_columns(&text, &["board", "side", "value", "kind", "file"]).map_err(malformed)?;
        let mut rows = BTreeMap::new();
        for (line, row) in reading::parse_numbered_rows::<LedgerRow>(&text).map_err(malformed)? {
            let fault = format!("an earlier row gives the {} bound of {} as well", row.side, row.board);
            if rows.insert(row.key(), row).is_some() {
                return Err(malformed(reading::line_error(line, &fault)));
            }
        }
        Ok(Self { archive: archive.clone(), rows, inspected: Mutex::default() })
    }

    /// Returns the rows, ordered by board and side.
    pub fn rows(&self) -> impl Iterator<Item = &LedgerRow> {
        self.rows.values()
    }

    /// Writes the ledger to the archive.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    fn write(&self) -> Result<(), LedgerError> {
        file::write(&self.archive.path(TABLE)?, |out| {
            let mut table = csv::Writer::from_writer(out);
            self.rows.values().try_for_each(|row| table.serialize(row))?;
            table.flush()
        })?;
        Ok(())
    }

    /// Returns the row that bounds a board from one side, for any order of the sides of the board.
    #[must_use]
    pub fn row(&self, board: &BoardName, side: Side) -> Option<&LedgerRow> {
        self.rows.get(&(board.without_unit_sides(), side))
    }

    fn upper(&self, board: &BoardName) -> Option<&LedgerRow> {
        self.row(board, Side::Upper)
    }

    /// Returns the name for a file: that of its board, with a number if rows rest on another file of that
    /// name that shows better bounds.
    fn name_for(&self, stem: &str, extension: &str, sha256: &str, bounds: &BTreeMap<Key, u64>) -> String {
        let plain = format!("{stem}.{extension}");
        let numbered = (2..).map(|number| format!("{stem}-{number}.{extension}"));
        let is_free = |name: &String| {
            let mut others = self.rows.values().filter(|row| row.file == *name && row.sha256 != sha256);
            others.all(|row| row.is_shown_by(bounds))
        };
        std::iter::once(plain).chain(numbered).find(is_free).expect("there is always another number")
    }

    /// Returns `true` if the file of a row exists and has the digest of the row.
    fn has_file(&self, row: &LedgerRow) -> bool {
        let inspected = self.inspect(&row.file, all_cores(), Deadline::NEVER);
        matches!(&*inspected, Ok(Some(contents)) if contents.sha256 == row.sha256)
    }

    /// Checks that the ledger has the upper bounds `needs`, and checks the files of these rows and of all
    /// rows that they rest on. Returns the bounds that were not fully checked, because a file is not
    /// available.
    fn check_needs(&self, needs: &[Need], path: &Path) -> Result<Vec<UpperBound>, LedgerError> {
        let mut rows = Vec::new();
        for Need { board, most } in needs {
            match self.upper(board).filter(|row| row.value <= *most) {
                Some(row) => rows.push(row),
                None => {
                    let (path, board) = (path.to_owned(), board.clone());
                    return Err(LedgerError::Unproved { path, board, most: *most });
                }
            }
        }
        let verified = self.verify_rows(&self.with_premises(rows.clone()), u64::MAX, Deadline::NEVER);
        let refused = verified.iter().find_map(|one| match &one.status {
            RowStatus::Refused(why) if one.row.side == Side::Upper => Some((&one.row, why.clone())),
            _ => None,
        });
        if let Some((LedgerRow { board, value, .. }, why)) = refused {
            let (path, board) = (path.to_owned(), board.clone());
            return Err(LedgerError::Refused { path, board, most: *value, why });
        }
        let keys: BTreeSet<Key> = rows.iter().map(|row| row.key()).collect();
        let needed = verified.into_iter().filter(|one| keys.contains(&one.row.key()));
        Ok(needed
            .filter(|one| one.status != RowStatus::Checked)
            .map(|one| one.row.archived_bound())
            .collect())
    }

    /// Returns these rows, all rows that they rest on, and the rows that contradict one of them.
    fn with_premises<'a>(&'a self, mut rows: Vec<&'a LedgerRow>) -> BTreeMap<&'a Key, &'a LedgerRow> {
        let mut all = BTreeMap::new();
        while let Some(row) = rows.pop() {
            let (key, row) = self.rows.get_key_value(&row.key()).expect("a row of this ledger");
            if all.insert(key, row).is_none() {
                let needs = row.needs().unwrap_or_default();
                rows.extend(needs.iter().filter_map(|need| self.upper(&need.board)));
                let of_board = [Side::Lower, Side::Upper].map(|side| self.row(&row.board, side));
                rows.extend(of_board.into_iter().flatten().filter(|other| contradicts(row, other)));
            }
        }
        all
    }

    /// Returns the row that bounds a board from a side by `value` or better, with the result of the check of
    /// its file and of all that it rests on, until `deadline`. Of files of more than 2 MB only size and
    /// beginning are checked. Prints a note for each rejected row of the board.
    #[must_use]
    pub fn check_bound(
        &self,
        board: &BoardName,
        side: Side,
        value: u64,
        deadline: Deadline,
    ) -> Option<(&LedgerRow, RowStatus)> {
        let row = self.row_at_least(board, side, value)?;
        let verified = self.verify_rows(&self.with_premises(vec![row]), CHECKED_IN_PASSING, deadline);
        // A check that was cut short by the deadline has no result.
        if deadline.is_over() {
            return Some((row, RowStatus::NotRechecked));
        }
        for Verified { row: LedgerRow { side, board, value, .. }, status, .. } in &verified {
            if let RowStatus::Refused(why) = status
                && *board == row.board
            {
                let sign = side.sign();
                note::report(&format!("the archive's alpha({board}) {sign} {value} is refused: {why}"));
            }
        }
        let status = verified.into_iter().find(|one| one.row == *row).map(|one| one.status);
        Some((row, status.unwrap_or(RowStatus::NotRechecked)))
    }

    /// Returns `true` if a row is rejected although its file is available or too large to be stored. Returns
    /// `false` if the other row of the board is rejected as well, because it is unknown which one is wrong.
    fn is_refused(&self, row: &LedgerRow) -> bool {
        let rows = self.with_premises(vec![row]);
        let verified = self.verify_rows(&rows, CHECKED_IN_PASSING, Deadline::NEVER);
        let of_board = verified.iter().filter(|one| one.row.board == row.board);
        let refused: Vec<_> = of_board.filter(|one| matches!(one.status, RowStatus::Refused(_))).collect();
        let is_alone = matches!(refused.as_slice(), [one] if one.row == *row);
        is_alone && (row.bytes > MAX_BYTES || self.has_file(row))
    }

    /// Returns the row that bounds a board from a side by `value` or better.
    fn row_at_least(&self, board: &BoardName, side: Side, value: u64) -> Option<&LedgerRow> {
        self.row(board, side).filter(|row| !side.is_better(value, row.value))
    }

    /// Checks all rows with all available files.
    #[must_use]
    pub fn verify(&self) -> Vec<Verified> {
        self.verify_rows(&self.rows.iter().collect(), u64::MAX, Deadline::NEVER)
    }

    /// Checks all rows, but of files of more than 2 MB only size and beginning.
    #[must_use]
    pub fn verify_in_passing(&self) -> Vec<Verified> {
        self.verify_rows(&self.rows.iter().collect(), CHECKED_IN_PASSING, Deadline::NEVER)
    }

    /// Checks all rows with all available files, and checks with the verified checker those files that it can
    /// read. A row whose file it rejects is rejected.
    ///
    /// # Errors
    /// Returns an error if the verified checker is not available.
    pub fn verify_twice(&self) -> Result<Vec<Verified>, Refusal> {
        let checker = verified::version(&|| false)?;
        let mut rows = self.verify();
        let files: BTreeSet<String> = rows
            .iter()
            .filter(|one| matches!(one.status, RowStatus::Checked | RowStatus::RestsOnNotRechecked))
            .map(|one| one.row.file.clone())
            .collect();
        let verdicts: HashMap<String, Result<bool, RowError>> = files
            .into_par_iter()
            .map(|file| {
                let verdict = self.confirm(&file);
                (file, verdict)
            })
            .collect();
        let mut accepted: HashMap<Key, bool> = HashMap::new();
        // A bound rests only on bounds of smaller boards.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&at| squares(&rows[at].row.board));
        for at in order {
            let row = rows[at].row.clone();
            let needs = row.needs().unwrap_or_default();
            let are_premises_accepted = needs.iter().all(|need| {
                let premise = self.upper(&need.board);
                premise.is_some_and(|premise| accepted.get(&premise.key()) == Some(&true))
            });
            match verdicts.get(&row.file) {
                Some(Err(fault)) => rows[at].status = RowStatus::Refused(fault.to_string()),
                Some(Ok(true)) if are_premises_accepted => rows[at].verified_by = Some(checker.clone()),
                _ => {}
            }
            accepted.insert(row.key(), rows[at].verified_by.is_some());
        }
        Ok(rows)
    }

    /// Returns `true` if the verified checker accepts a file that crosscheck accepts, and `false` if it
    /// cannot read such files. The error is the reason for which it rejects the file.
    fn confirm(&self, file: &str) -> Result<bool, RowError> {
        let inspected = self.inspect(file, 1, Deadline::NEVER);
        let Ok(Some(Contents { finding: Ok(Finding { kind, statement }), .. })) = &*inspected else {
            return Ok(false);
        };
        if !verified::reads(kind.0.name(), &statement.board, &statement.conclusion) {
            return Ok(false);
        }
        let opened = self.archive.open(&archive_name(file)).map_err(InspectionError::unreadable(file))?;
        let Some(mut text) = opened else { return Ok(false) };
        confirm(&mut text, *kind, statement)
            .map(|_| true)
            .map_err(|refusal| RowError::Refused(refusal.to_string()))
    }

    /// Checks `rows`, which contain all rows that they rest on. Of files of more than `largest` bytes only
    /// size and beginning are checked.
    fn verify_rows(
        &self,
        rows: &BTreeMap<&Key, &LedgerRow>,
        largest: u64,
        deadline: Deadline,
    ) -> Vec<Verified> {
        let files: BTreeSet<&str> = rows.values().map(|row| row.file.as_str()).collect();
        // If there are few files, a single one may need most of the time.
        let threads = if files.len() <= 8 { rayon::current_num_threads() } else { 1 };
        let inspect = |file| match self.size(file) {
            Ok(Some(bytes)) if bytes > largest => {
                (file, FileInspection::Beginning { bytes, kind: self.read_kind(file) })
            }
            _ => (file, FileInspection::Whole(self.inspect(file, threads, deadline))),
        };
        let files: HashMap<&str, FileInspection> = files.into_par_iter().map(inspect).collect();
        // A bound rests only on bounds of smaller boards, so these are checked first.
        let mut order: Vec<(&Key, &LedgerRow)> = rows.iter().map(|(key, row)| (*key, *row)).collect();
        order.sort_by_key(|((board, _), _)| (squares(board), board));
        let mut done: HashMap<Key, Verified> = HashMap::new();
        for of_board in order.chunk_by(|((board, _), _), ((other, _), _)| board == other) {
            let verify = |&(_, row): &(&Key, &LedgerRow)| {
                self.with_foundation(row, &judge(row, &files[row.file.as_str()]), &done)
            };
            let mut verified: Vec<Verified> = of_board.iter().map(verify).collect();
            reject_contradictions(&mut verified);
            done.extend(verified.into_iter().map(|one| (one.row.key(), one)));
        }
        rows.values().filter_map(|row| done.remove(&row.key())).collect()
    }

    /// Returns the size of a file of the ledger in bytes; `None` if it does not exist.
    fn size(&self, file: &str) -> io::Result<Option<u64>> {
        if is_plain(file) { self.archive.size(&archive_name(file)) } else { Ok(None) }
    }

    /// Returns the kind of a file of the ledger according to its first bytes.
    fn read_kind(&self, file: &str) -> Result<Option<Kind>, InspectionError> {
        let read = || -> io::Result<Option<Kind>> {
            let Some(mut file) = self.archive.open(&archive_name(file))? else { return Ok(None) };
            Ok(evidence::beginning(file.fill_buf()?).map(Kind))
        };
        read().map_err(InspectionError::unreadable(file))
    }

    /// Checks a file of the ledger until `deadline`. Results are cached unless the deadline is over.
    fn inspect(&self, file: &str, threads: usize, deadline: Deadline) -> Arc<Inspection> {
        let cache = || self.inspected.lock();
        if let Some(known) = cache().get(file) {
            return Arc::clone(known);
        }
        let read = || {
            if !is_plain(file) {
                return Err(InspectionError::Name(file.to_owned()));
            }
            let opened = self.archive.open(&archive_name(file));
            opened
                .and_then(|opened| opened.map(|opened| inspect(opened, threads, deadline)).transpose())
                .map_err(InspectionError::unreadable(file))
        };
        let inspection = Arc::new(read());
        if !deadline.is_over() {
            cache().insert(file.to_owned(), Arc::clone(&inspection));
        }
        inspection
    }

    /// Combines the status of a row with those of the rows that it rests on, which are in `done`.
    fn with_foundation(
        &self,
        row: &LedgerRow,
        status: &RowStatus,
        done: &HashMap<Key, Verified>,
    ) -> Verified {
        let mark = if *status == RowStatus::NotRechecked { " (not re-checked here)" } else { "" };
        let mut foundation = BTreeSet::from([format!("{} {}{mark}", row.kind, row.file)]);
        let mut combine = || -> Result<RowStatus, RowError> {
            let mut status = status.clone();
            for Need { board, most } in row.needs()? {
                if squares(&board) >= squares(&row.board) {
                    return Err(RowError::NoSmallerBoard(board));
                }
                let premise = self.upper(&board).filter(|premise| premise.value <= most);
                let Some(premise) = premise.and_then(|premise| done.get(&premise.key())) else {
                    return Err(RowError::Unproved { board, most });
                };
                if let RowStatus::Refused(why) = &premise.status {
                    return Err(RowError::RefusedPremise { board, why: why.clone() });
                }
                if status == RowStatus::Checked && premise.status != RowStatus::Checked {
                    status = RowStatus::RestsOnNotRechecked;
                }
                foundation.extend(premise.foundation.iter().cloned());
            }
            Ok(status)
        };
        let status = match status {
            RowStatus::Refused(_) => status.clone(),
            _ => combine().unwrap_or_else(|fault| RowStatus::Refused(fault.to_string())),
        };
        Verified { row: row.clone(), status, foundation, verified_by: None }
    }
}

/// A valid file that is to be added to the ledger.
struct GivenFile {
    /// The bytes of the file, or the first ones if it is too large to be stored.
    text: Vec<u8>,
    /// Size in bytes.
    bytes: u64,
    sha256: String,
    kind: Kind,
    statement: Statement,
    /// The verified checker that accepts the file; empty if it was not used.
    verified: String,
}

impl GivenFile {
    /// Reads and checks a file, with the verified checker too if `verified`.
    fn read(path: &Path, command: Option<&str>, verified: bool) -> Result<Self, LedgerError> {
        let unreadable = |fault| FileError::new("read", path, fault);
        let refused = |refusal| LedgerError::of(refusal, path);
        // Read the bytes to be stored once, so that the bytes checked are the bytes stored.
        let mut text = Vec::new();
        let mut file = file::open_plain(path).map_err(unreadable)?;
        (&mut file).take(MAX_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
        let Contents { bytes, sha256, finding } =
            inspect(BufReader::new(text.as_slice().chain(file)), all_cores(), Deadline::NEVER)
                .map_err(unreadable)?;
        let Finding { kind, statement } = finding.map_err(refused)?;
        if matches!(statement.board, BoardName::File(_)) {
            return Err(LedgerError::FileBoard { path: path.to_owned(), board: statement.board });
        }
        if bytes > MAX_BYTES && command.is_none() {
            return Err(LedgerError::TooLarge(path.to_owned()));
        }
        let verified = match verified {
            true => {
                let mut file = BufReader::new(file::open_plain(path).map_err(unreadable)?);
                confirm(&mut file, kind, &statement).map_err(refused)?
            }
            false => String::new(),
        };
        Ok(Self { text, bytes, sha256, kind, statement, verified })
    }
}

/// Returns the bounds that a file shows, and the certificate if it is one.
fn bounds_of(statement: &Statement) -> (BTreeMap<Key, u64>, Option<Certificate>) {
    match &statement.conclusion {
        Conclusion::Fit(certificate) => {
            let key = (statement.board.without_unit_sides(), Side::Lower);
            (BTreeMap::from([(key, certificate.size() as u64)]), Some(certificate.clone()))
        }
        Conclusion::Restricted { .. } => (BTreeMap::new(), None),
        Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. } => {
            (bounds.iter().map(|(board, &most)| ((board.clone(), Side::Upper), most)).collect(), None)
        }
    }
}

/// A ledger to which files are added. Each file is checked with those added before, and all are stored
/// together. The ledger is locked against changes by other processes.
#[derive(Debug)]
pub struct Additions {
    ledger: Ledger,
    /// Files that the rows named before the additions.
    before: BTreeSet<String>,
    /// Files to be written, or to be removed if `None`.
    files: BTreeMap<String, Option<Vec<u8>>>,
    is_changed: bool,
    _alone: Guard,
}

impl Additions {
    /// Locks and reads the ledger of an archive.
    ///
    /// # Errors
    /// Returns an error if the archive cannot be read or changed.
    pub fn to(archive: &Archive) -> Result<Self, LedgerError> {
        archive.make_folder("")?;
        let alone = lock::exclusive(&archive.path(TABLE)?)?;
        let ledger = Ledger::of(archive)?;
        let before = ledger.rows.values().map(|row| row.file.clone()).collect();
        Ok(Self { ledger, before, files: BTreeMap::new(), is_changed: false, _alone: alone })
    }

    /// Checks a file and adds those of its bounds that are better than the known ones, or that replace a file
    /// that is not available any more. The file is copied into the folder of the ledger, unless it is too
    /// large. If a file of the same name exists, its rows move to this file if this one shows bounds at least
    /// as good; otherwise this file gets another name. With `verified`, the verified checker must accept the
    /// file as well. `command` is the command that recreates the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is wrong, rests on a bound that the ledger does not
    /// prove, is about a board that a file describes, or is too large and no command is given.
    pub fn check(
        &mut self,
        path: &Path,
        command: Option<&str>,
        verified: bool,
    ) -> Result<Added, LedgerError> {
        let given = GivenFile::read(path, command, verified)?;
        let needs = needs(&given.statement);
        let conditions = self.ledger.check_needs(&needs, path)?;
        let (bounds, certificate) = bounds_of(&given.statement);
        let stem = given.statement.board.to_string().replace([':', '/'], "-");
        let extension = given.kind.0.archived_as().expect("a kind that is archived");
        let packed = if given.text.starts_with(&packed::MAGIC) { ".gz" } else { "" };
        let file = self.ledger.name_for(&stem, &format!("{extension}{packed}"), &given.sha256, &bounds);
        let mut taken = self.new_bounds(&given, &file, &bounds);
        if taken.is_empty() {
            let rows = self.mark_verified(&given);
            return Ok(Added { rows, conditions, certificate });
        }
        let GivenFile { text, bytes, sha256, kind, statement, verified } = given;
        let of_the_name = self.ledger.rows.values().filter(|row| row.file == file && row.sha256 != sha256);
        taken.extend(of_the_name.map(|row| (row.key(), bounds[&row.key()])));
        let rests_on = join_needs(&needs);
        let row = |((board, side), value)| LedgerRow {
            board,
            side,
            value,
            kind,
            file: file.clone(),
            bytes,
            sha256: sha256.clone(),
            rests_on: rests_on.clone(),
            command: command.unwrap_or_default().to_owned(),
            commit: COMMIT.to_owned(),
            verified: verified.clone(),
        };
        let rows: Vec<LedgerRow> = taken.into_iter().map(row).collect();
        self.ledger.rows.extend(rows.iter().map(|row| (row.key(), row.clone())));
        self.is_changed = true;
        if bytes <= MAX_BYTES {
            let contents = Contents { bytes, sha256, finding: Ok(Finding { kind, statement }) };
            self.put(file, Some(text), Some(contents));
        } else if !self.ledger.has_file(&rows[0]) {
            // An older file of this name is there, but no row rests on it any more.
            self.put(file, None, None);
        }
        Ok(Added { rows, conditions, certificate })
    }

    /// Returns those bounds of a file that the ledger takes: new ones, better ones, and those that replace a
    /// row that is rejected or whose file is not available any more. `file` is its name in the ledger.
    fn new_bounds(&self, given: &GivenFile, file: &str, bounds: &BTreeMap<Key, u64>) -> BTreeMap<Key, u64> {
        let is_taken = |key: &Key, value: u64| match self.ledger.rows.get(key) {
            // A bound that equals the trivial bound needs no row.
            None => bounds.len() == 1 || Board::new(&key.0).trivial_bound() > value,
            // Replace a file that is not available any more by one that can be stored or that was recreated.
            Some(known) if value == known.value => {
                let is_recreated = known.file == file && known.sha256 != given.sha256;
                (given.bytes <= MAX_BYTES || is_recreated) && !self.ledger.has_file(known)
            }
            Some(known) => known.is_shown_by(bounds) || self.ledger.is_refused(known),
        };
        let taken = bounds.iter().filter(|&(key, &value)| is_taken(key, value));
        taken.map(|(key, &value)| (key.clone(), value)).collect()
    }

    /// Notes in the rows of a file that the verified checker accepts it. Returns the changed rows.
    fn mark_verified(&mut self, given: &GivenFile) -> Vec<LedgerRow> {
        let GivenFile { sha256, verified, .. } = given;
        let rows = self.ledger.rows.values_mut();
        let unmarked = rows.filter(|row| row.sha256 == *sha256 && row.verified != *verified);
        let rows = unmarked.filter(|_| !verified.is_empty()).map(|row| {
            row.verified.clone_from(verified);
            row.clone()
        });
        let rows: Vec<LedgerRow> = rows.collect();
        self.is_changed |= !rows.is_empty();
        rows
    }

    /// Records that a file of the ledger is to be written, or removed if `text` is `None`.
    fn put(&mut self, file: String, text: Option<Vec<u8>>, contents: Option<Contents>) {
        let inspected = self.ledger.inspected.get_mut();
        inspected.insert(file.clone(), Arc::new(Ok(contents)));
        self.files.insert(file, text);
    }

    /// Writes the added files and the ledger, and removes files that no row names any more.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written or removed.
    pub fn store(self) -> Result<(), LedgerError> {
        if !self.is_changed {
            return Ok(());
        }
        let folder = self.ledger.archive.make_folder(FOLDER)?;
        let named: BTreeSet<&String> = self.ledger.rows.values().map(|row| &row.file).collect();
        for (name, text) in self.files.iter().filter(|(name, _)| named.contains(name)) {
            if let Some(text) = text {
                file::write_as_it_is(&folder.join(name), |out| out.write_all(text))?;
            }
        }
        self.ledger.write()?;
        let superseded = self.before.iter().filter(|name| !named.contains(name) && is_plain(name));
        let removed = self.files.iter().filter_map(|(name, text)| text.is_none().then_some(name));
        superseded.chain(removed).try_for_each(|name| remove(&folder.join(name)))?;
        Ok(())
    }
}

/// Returns the bound with the result of checking the files by which the ledger of this run's archive shows
/// it: proved, rejected, or unchanged. Each file is checked once per run, until `deadline`.
#[must_use]
pub fn recheck(bound: &UpperBound, deadline: Deadline) -> UpperBound {
    let checked =
        current().and_then(|ledger| ledger.check_bound(&bound.board, Side::Upper, bound.value, deadline));
    match checked {
        Some((row, RowStatus::Checked)) => proved_bound(row),
        // A bound of the box table with the same value is not the rejected one.
        Some((row, RowStatus::Refused(why))) if row.archived_bound().provenance == bound.provenance => {
            UpperBound { provenance: Provenance::Rejected(why), ..bound.clone() }
        }
        _ => bound.clone(),
    }
}

/// Returns the result of [`recheck`] on the assumption that all files pass the check. None of them is read.
#[must_use]
pub(crate) fn assume_valid(bound: &UpperBound) -> UpperBound {
    let assume = || {
        let ledger = current()?;
        let row = ledger.row_at_least(&bound.board, Side::Upper, bound.value)?;
        let rows = ledger.with_premises(vec![row]);
        let mut needed = rows.values().filter(|row| row.side == Side::Upper);
        needed.all(|row| row.bytes <= CHECKED_IN_PASSING).then(|| proved_bound(row))
    };
    assume().unwrap_or_else(|| bound.clone())
}

/// Returns the ledger of this run's archive with its cached results; `None` if it cannot be read.
pub(crate) fn current() -> Option<&'static Ledger> {
    static LEDGER: OnceLock<Option<Ledger>> = OnceLock::new();
    LEDGER.get_or_init(|| Ledger::of(Archive::current()).ok()).as_ref()
}

/// Returns the bound of a row, marked as proved.
fn proved_bound(row: &LedgerRow) -> UpperBound {
    let provenance = Provenance::Proved(format!("{} {}", row.kind, row.file));
    UpperBound { board: row.board.clone(), value: row.value, provenance }
}

/// Checks that the file of a row shows the bound of the row, as far as the file was read.
fn judge(row: &LedgerRow, inspection: &FileInspection) -> RowStatus {
    let judge = || -> Result<RowStatus, RowError> {
        let listed = check_form(row)?;
        match inspection {
            FileInspection::Whole(inspection) => check_whole(row, &listed, inspection),
            FileInspection::Beginning { bytes, kind } => check_beginning(row, *bytes, kind),
        }
    };
    judge().unwrap_or_else(|fault| RowStatus::Refused(fault.to_string()))
}

/// Checks those entries of a row that do not depend on its file. Returns the bounds that the row rests on.
fn check_form(row: &LedgerRow) -> Result<Vec<Need>, RowError> {
    let board = row.board.without_unit_sides();
    if board != row.board {
        return Err(RowError::BoardForm(board));
    }
    if (row.kind == Kind::CERTIFICATE) != (row.side == Side::Lower) {
        return Err(RowError::Side(row.kind));
    }
    let listed = row.needs()?;
    if row.sha256.len() != 64 || !row.sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(RowError::DigestForm(row.sha256.clone()));
    }
    Ok(listed)
}

fn check_size(row: &LedgerRow, bytes: u64) -> Result<(), RowError> {
    match bytes == row.bytes {
        true => Ok(()),
        false => Err(RowError::Size { file: row.file.clone(), bytes, expected: row.bytes }),
    }
}

/// Checks the size of a file and its kind according to its first bytes.
fn check_beginning(
    row: &LedgerRow,
    bytes: u64,
    kind: &Result<Option<Kind>, InspectionError>,
) -> Result<RowStatus, RowError> {
    check_size(row, bytes)?;
    // A file without a known beginning is read as a certificate.
    if kind.clone()?.unwrap_or(Kind::CERTIFICATE) != row.kind {
        return Err(RowError::Beginning { file: row.file.clone(), kind: row.kind });
    }
    Ok(RowStatus::NotRechecked)
}

/// Checks a file that was read in whole. `listed` are the bounds that the row rests on.
fn check_whole(row: &LedgerRow, listed: &[Need], inspection: &Inspection) -> Result<RowStatus, RowError> {
    let file = || row.file.clone();
    let Some(Contents { bytes, sha256, finding }) = inspection.as_ref().map_err(Clone::clone)? else {
        if row.bytes <= MAX_BYTES {
            return Err(RowError::Missing { file: file(), bytes: row.bytes });
        }
        if row.command.is_empty() {
            return Err(RowError::NoCommand(file()));
        }
        return Ok(RowStatus::NotRechecked);
    };
    check_size(row, *bytes)?;
    if *sha256 != row.sha256 {
        return Err(RowError::Digest { file: file(), digest: sha256.clone() });
    }
    let Finding { kind, statement } = match finding {
        Ok(finding) => finding,
        Err(Refusal::Limit(_)) => return Ok(RowStatus::NotRechecked),
        Err(refusal) => return Err(RowError::Refused(refusal.to_string())),
    };
    if *kind != row.kind {
        return Err(RowError::Kind { file: file(), kind: *kind, expected: row.kind });
    }
    let value = match &statement.conclusion {
        Conclusion::Fit(certificate) => {
            (statement.board.without_unit_sides() == row.board).then_some(certificate.size() as u64)
        }
        Conclusion::Restricted { .. } => None,
        Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. } => {
            bounds.get(&row.board).copied()
        }
    };
    let value = value.ok_or_else(|| RowError::OtherBoard(file()))?;
    if row.side.is_better(row.value, value) {
        return Err(RowError::Value { file: file(), proved: value, value: row.value });
    }
    let needs = needs(statement);
    if needs != listed {
        let (needs, listed) = (join_needs(&needs), row.rests_on.clone());
        return Err(RowError::OtherNeeds { file: file(), needs, listed });
    }
    Ok(RowStatus::Checked)
}

/// Formats bounds as in the column `rests_on`.
fn join_needs(needs: &[Need]) -> String {
    needs.iter().map(Need::to_string).collect::<Vec<_>>().join(";")
}

/// Returns `true` if one row is a lower bound that exceeds the other one, an upper bound. The rows are of the
/// same board.
fn contradicts(row: &LedgerRow, other: &LedgerRow) -> bool {
    row.side != other.side && row.side.is_better(row.value, other.value)
}

/// Rejects bounds of a board that contradict each other, except one that is checked if the other one is not.
fn reject_contradictions(of_board: &mut [Verified]) {
    let [lower, upper] = of_board else { return };
    let is_refused = |one: &Verified| matches!(one.status, RowStatus::Refused(_));
    if is_refused(lower) || is_refused(upper) || !contradicts(&lower.row, &upper.row) {
        return;
    }
    let (below, above) = (lower.row.value, upper.row.value);
    let why = format!("the lower bound {below} is above the upper bound {above}");
    let is_shown = [&*lower, &*upper].map(|one| one.status == RowStatus::Checked);
    if is_shown != [true, false] {
        lower.status = RowStatus::Refused(why.clone());
    }
    if is_shown != [false, true] {
        upper.status = RowStatus::Refused(why);
    }
}

/// Returns the number of squares of a box, and 0 for other boards, whose bounds rest on no others.
fn squares(board: &BoardName) -> u128 {
    match board {
        BoardName::Grid { sides, .. } => {
            sides.iter().fold(1, |product: u128, &side| product.saturating_mul(side.into()))
        }
        _ => 0,
    }
}

/// Returns the name in the archive of a file of the ledger.
fn archive_name(file: &str) -> String {
    format!("{FOLDER}/{file}")
}

/// Returns `true` if a name is a plain file name without folders.
fn is_plain(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|plain| plain == name)
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(FileError::new("remove", path, fault)),
        _ => Ok(()),
    }
}

/// Returns the bounds that a file rests on.
fn needs(statement: &Statement) -> Vec<Need> {
    statement.needs.iter().map(|(board, most)| Need { board: board.clone(), most: *most }).collect()
}

/// Checks a text with the verified checker, and returns its name and version.
fn confirm(text: &mut dyn BufRead, kind: Kind, statement: &Statement) -> Result<String, Refusal> {
    let Statement { board, conclusion, needs, .. } = statement;
    verified::confirm(text, kind.0.name(), board, conclusion, needs, &|| false)
}

/// Reads a file to its end. Its size, its digest and its conclusion come from the same bytes.
fn inspect(file: impl BufRead, threads: usize, deadline: Deadline) -> io::Result<Contents> {
    let mut digested = Digested { inner: file, digest: Digester::default(), bytes: 0, deadline };
    let finding = check_file(&mut digested, threads, deadline);
    io::copy(&mut digested, &mut io::sink())?;
    let Digested { digest, bytes, .. } = digested;
    Ok(Contents { bytes, sha256: digest.finish(), finding })
}

/// A reader that digests the bytes read through it, and fails when the deadline is over.
struct Digested<R> {
    inner: R,
    digest: Digester,
    bytes: u64,
    deadline: Deadline,
}

impl<R: BufRead> Read for Digested<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Digested<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.deadline.is_over() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "time is up"));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        let taken = self.inner.fill_buf().map_or(&[][..], |filled| &filled[..bytes]);
        self.digest.update(taken);
        self.bytes += bytes as u64;
        self.inner.consume(bytes);
    }
}

/// Checks a file and returns its kind and conclusion.
fn check_file(file: &mut dyn BufRead, threads: usize, deadline: Deadline) -> Result<Finding, Refusal> {
    let first = file.fill_buf().map_err(|fault| Refusal::Unreadable(fault.to_string()))?;
    let proof = evidence::beginning(first);
    let certificate = &mut file.take(archive::LARGEST);
    let (evidence, text): (_, &mut dyn BufRead) = match proof {
        Some(proof) => (proof, certificate.get_mut()),
        None => (evidence::CERTIFICATE, certificate),
    };
    if evidence.archived_as().is_none() {
        return Err(Refusal::Unchecked("outside checkers are not asked here".to_owned()));
    }
    let stop = || deadline.is_over();
    let statement = evidence::prove(evidence, text, &CheckOptions::new(&stop, threads, crate::ARCHIVE))?;
    match &statement.conclusion {
        Conclusion::Fit(Certificate { problem, .. }) if *problem != Problem::IndependentSet => {
            let this = problem.with_article();
            Err(Refusal::Unchecked(format!("the ledger is for independent sets, and this is {this}")))
        }
        Conclusion::Restricted { .. } => {
            let words = "the ledger is for independent sets without included squares".to_owned();
            Err(Refusal::Unchecked(words))
        }
        _ => Ok(Finding { kind: Kind(evidence), statement }),
    }
}

/// Largest file that is checked whenever an answer rests on it, in bytes; the check takes seconds. Larger
/// ones are checked when the whole ledger is verified.
const CHECKED_IN_PASSING: u64 = 2_000_000;

/// Name of the table in the archive.
pub(crate) const TABLE: &str = "ledger.csv";
pub(crate) const FOLDER: &str = "ledger";

#[cfg(test)]
mod tests {
    use super::*;

    fn row(board: &str, side: Side, value: u64, file: &str, rests_on: &str) -> LedgerRow {
        LedgerRow {
            board: board.parse().expect("a board"),
            side,
            value,
            kind: if side == Side::Lower {
                Kind::CERTIFICATE
            } else {
                Kind(evidence::by_name("orbit LP").expect("a kind"))
            },
            file: file.to_owned(),
            bytes: 1,
            sha256: "0".repeat(64),
            rests_on: rests_on.to_owned(),
            command: String::new(),
            commit: String::new(),
            verified: String::new(),
        }
    }

    fn ledger(rows: impl IntoIterator<Item = LedgerRow>) -> Ledger {
        let rows = rows.into_iter().map(|row| (row.key(), row)).collect();
        Ledger { archive: Archive::default(), rows, inspected: Mutex::default() }
    }

    #[test]
    fn needs_are_parsed_as_they_are_written() {
        for text in ["3^4<=6", "torus:5^2<=5", "3x4x5<=9"] {
            assert_eq!(text.parse::<Need>().map(|need| need.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "3^4", "3^4<=", "3^4<=-1", "<=6", "3^4<6"] {
            assert!(text.parse::<Need>().is_err(), "{text}");
        }
        let row = row("6^4", Side::Upper, 80, "6^4.bound", "3^4<=6;2^4<=1;");
        assert_eq!(row.needs().map(|needs| needs.len()), Ok(2));
    }

    #[test]
    fn a_row_comes_with_its_premises() {
        let ledger = ledger([
            row("6^4", Side::Upper, 80, "6^4.bound", "3^4<=6"),
            row("3^4", Side::Upper, 6, "3^4.bound", "3^3<=4;3^2<=2"),
            row("3^3", Side::Upper, 4, "3^3.bound", ""),
            row("3^3", Side::Lower, 4, "3^3.txt", ""),
            row("5^3", Side::Upper, 13, "5^3.bound", ""),
        ]);
        let top = ledger.upper(&"6^4".parse().expect("a board")).expect("a row");
        let below: Vec<String> =
            ledger.with_premises(vec![top]).keys().map(|(board, _)| board.to_string()).collect();
        assert_eq!(below.len(), 3, "{below:?}");
        assert!(["6^4", "3^4", "3^3"].iter().all(|board| below.contains(&(*board).to_owned())));
    }

    #[test]
    fn the_checked_one_of_two_contradicting_bounds_remains() {
        let refusals = |lower: RowStatus, upper: RowStatus, values: [u64; 2]| {
            let one = |side, value, status| Verified {
                row: row("4^4", side, value, "4^4.file", ""),
                status,
                foundation: BTreeSet::new(),
                verified_by: None,
            };
            let mut rows = [one(Side::Lower, values[0], lower), one(Side::Upper, values[1], upper)];
            reject_contradictions(&mut rows);
            rows.map(|one| matches!(one.status, RowStatus::Refused(_)))
        };
        use RowStatus::{Checked, NotRechecked, RestsOnNotRechecked};
        for (lower, upper, refused) in [
            (Checked, NotRechecked, [false, true]),
            (Checked, RestsOnNotRechecked, [false, true]),
            (NotRechecked, Checked, [true, false]),
            (NotRechecked, NotRechecked, [true, true]),
            (NotRechecked, RestsOnNotRechecked, [true, true]),
            (Checked, Checked, [true, true]),
        ] {
            assert_eq!(refusals(lower.clone(), upper.clone(), [17, 16]), refused, "{lower:?} and {upper:?}");
            assert_eq!(refusals(lower, upper, [16, 16]), [false, false]);
        }
        let wrong = || RowStatus::Refused("no".to_owned());
        assert_eq!(refusals(wrong(), NotRechecked, [17, 16]), [true, false]);
        assert_eq!(refusals(NotRechecked, wrong(), [17, 16]), [false, true]);
    }

    #[test]
    fn a_file_gets_another_name_while_rows_rest_on_one_that_shows_more() {
        let ledger = ledger([row("3^4", Side::Upper, 6, "3^4.bound", "")]);
        let bounds = |value| BTreeMap::from([(("3^4".parse().expect("a board"), Side::Upper), value)]);
        assert_eq!(ledger.name_for("3^4", "bound", "1", &bounds(5)), "3^4.bound");
        assert_eq!(ledger.name_for("3^4", "bound", "1", &bounds(7)), "3^4-2.bound");
        assert_eq!(ledger.name_for("3^4", "bound", &"0".repeat(64), &bounds(7)), "3^4.bound");
    }

    #[test]
    fn size_and_digest_are_those_of_all_bytes() {
        for text in ["", "nonsense\n", "ndqueens bound 1\nboard 3^2\n", "ndqueens proof 2\nx\nmore\n"] {
            let contents = inspect(text.as_bytes(), 1, Deadline::NEVER).expect("in memory");
            assert_eq!(contents.bytes, text.len() as u64);
            assert_eq!(contents.sha256, ndqueens_system::file::digest::of(text));
            assert!(contents.finding.is_err(), "{text}");
        }
    }
}
