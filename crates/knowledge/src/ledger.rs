//! The ledger: proved bounds with the files that show them, and what each finally rests on.
//!
//! A row bounds one board from one side. Its file lies in the folder `ledger/` of the [archive]. Files over 16
//! megabytes are not kept: their rows have a digest and the command that makes them again. A bound counts as proved only where
//! its file, and those of the bounds that it rests on, were checked in this run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fs::{self};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use ndqueens_lab::evidence::{self, Conclusion, Evidence, Given, Refusal, Shown, verified};
use ndqueens_model::board::Board;
use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_model::facts::{Provenance, Side, UpperBound, reading};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_record::COMMIT;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::digest::Digester;
use ndqueens_system::file::{self, FileError, packed};
use ndqueens_system::lock::{self, Guard};
use ndqueens_system::note;
use ndqueens_system::thread::all_cores;
use parking_lot::Mutex;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::archive::{self, Archive, ArchiveError};

/// What shows a bound: a kind of file that archives keep.
#[derive(Debug, Clone, Copy)]
pub struct Kind(&'static dyn Evidence);

impl Kind {
    /// Placements, checked from the definition of an attack.
    pub const CERTIFICATE: Self = Self(evidence::CERTIFICATE);

    /// With the article before it.
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
        let kind = evidence::called(&name).filter(|kind| kind.archived_as().is_some());
        kind.map(Self).ok_or_else(|| D::Error::custom(format!("an archive stores no \"{name}\"")))
    }
}

/// `alpha(board) <= value`, as something that a bound rests on.
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

impl FromStr for Need {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once("<=");
        let plain = |most: &str| most.parse::<u64>().ok().filter(|number| number.to_string() == most);
        let read = parts.and_then(|(board, most)| Some((board.parse().ok()?, plain(most)?)));
        let (board, most) = read.ok_or_else(|| format!("\"{text}\" should be a bound such as 3^4<=6"))?;
        Ok(Self { board, most })
    }
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerRow {
    /// The board; a box without its sides of 1, and sorted.
    pub board: BoardName,
    /// Which side it bounds from.
    pub side: Side,
    /// The bound, in queens.
    #[serde(deserialize_with = "reading::parse_number")]
    pub value: u64,
    /// What shows it.
    #[schemars(with = "String")]
    pub kind: Kind,
    /// The file that shows it.
    pub file: String,
    /// Its size in bytes; a file of more than 16,000,000 is not archived.
    #[serde(deserialize_with = "reading::parse_number")]
    pub bytes: u64,
    /// Its SHA-256 digest.
    pub sha256: String,
    /// Bounds of other boards that it rests on, such as `3^4<=6`, parted by semicolons.
    pub rests_on: String,
    /// The command that makes the file again; needed when the file is not archived.
    pub command: String,
    /// The commit that made the row.
    pub commit: String,
    /// The verified checker that accepted the file, if it was asked; what the bound rests on is for the other rows to say.
    #[serde(default)]
    pub verified: String,
}

impl LedgerRow {
    /// Rows of the same board, whichever way its sides are ordered, have the same key.
    fn key(&self) -> Key {
        (self.board.without_unit_sides(), self.side)
    }

    /// The bound as one that was not checked in this run.
    fn archived(&self) -> UpperBound {
        let provenance = Provenance::Archived(format!("{} {}", self.kind, self.file));
        UpperBound { board: self.board.clone(), value: self.value, provenance }
    }

    /// Whether the other says as much of the same board from the same side, or more.
    fn is_shown_by(&self, bounds: &BTreeMap<Key, u64>) -> bool {
        bounds.get(&self.key()).is_some_and(|&value| !self.side.is_better(self.value, value))
    }

    fn needs(&self) -> Result<Vec<Need>, String> {
        self.rests_on.split(';').filter(|need| !need.is_empty()).map(str::parse).collect()
    }
}

/// Why a file cannot be added, or the ledger cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The archive cannot be read or changed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The ledger is not one.
    #[error("{} is not a ledger: {fault}", path.display())]
    Malformed {
        /// The ledger.
        path: PathBuf,
        /// What is wrong.
        fault: csv::Error,
    },
    /// It does not hold.
    #[error("{} does not hold: {fault}", path.display())]
    Fault {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// It is no file of a kind that a ledger takes.
    #[error("{} cannot be archived: {fault}", path.display())]
    Unchecked {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// The check failed.
    #[error("{} was not checked: {fault}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What happened.
        fault: String,
    },
    /// The check reached a limit.
    #[error("{} was not checked: {fault}", path.display())]
    Limit {
        /// The file.
        path: PathBuf,
        /// The limit.
        fault: String,
    },
    /// It rests on what the ledger does not prove.
    #[error("{} rests on alpha({board}) <= {most}, which the ledger does not prove", path.display())]
    Unproved {
        /// The file.
        path: PathBuf,
        /// The board.
        board: BoardName,
        /// The bound.
        most: u64,
    },
    /// Its board is described in a file of its own, which a ledger does not hold.
    #[error("{} is about {board}, and the ledger is for boards with a name of their own", path.display())]
    FileBoard {
        /// The file.
        path: PathBuf,
        /// The board.
        board: BoardName,
    },
    /// It rests on a row of the ledger that does not hold.
    #[error("{} rests on alpha({board}) <= {most}, and the ledger's row does not hold: {why}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The board.
        board: BoardName,
        /// The bound.
        most: u64,
        /// What is wrong.
        why: String,
    },
    /// It is too large to be kept, and nothing tells how to make it again.
    #[error("{} has more than {MAX_BYTES} bytes, so it is not archived, and no command that reproduces it is recorded", .0.display())]
    TooLarge(PathBuf),
}

impl LedgerError {
    /// Whether the system failed, and not what was given.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::File(fault) => fault.is_failure(),
            Self::Archive(error) => error.is_failure(),
            Self::Failed { .. } => true,
            _ => false,
        }
    }

    /// Whether a file was checked and does not hold, or what it rests on does not.
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

/// A ledger in memory.
#[derive(Debug)]
pub struct Ledger {
    archive: Archive,
    rows: BTreeMap<Key, LedgerRow>,
    /// What was found in the files that were looked at.
    inspected: Mutex<HashMap<String, Arc<Inspection>>>,
}

type Key = (BoardName, Side);

/// A file that was read once, from its first byte to its last.
#[derive(Debug)]
struct Contents {
    bytes: u64,
    sha256: String,
    shows: Result<(Kind, Shown), Refusal>,
}

/// A file of the ledger; `None` if it is not here.
type Inspection = Result<Option<Contents>, String>;

/// What was looked at of a file of the ledger.
enum LookedAt {
    Whole(Arc<Inspection>),
    /// How many bytes it has, and the kind of file that begins as it does.
    Beginning(u64, Result<Option<Kind>, String>),
}

/// What became of a row when the ledger was verified.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case", tag = "status", content = "why")]
pub enum RowStatus {
    /// Its file was checked, and so were those of all rows that it rests on.
    Checked,
    /// Its file was checked, and rests on a row whose file is not here.
    RestsOnNotRechecked,
    /// Its file was not checked: it is not here, and the command makes it again, or it is too large to be checked in passing, or its check
    /// reached a limit.
    NotRechecked,
    /// It does not hold.
    Refused(String),
}

/// A row with what was found.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Verified {
    /// The row.
    #[serde(flatten)]
    pub row: LedgerRow,
    /// Whether it holds.
    #[serde(flatten)]
    pub status: RowStatus,
    /// The files that it finally rests on, each with whether it was checked here.
    pub foundation: BTreeSet<String>,
    /// The verified checker that accepted its file, and those of all that it rests on, now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_by: Option<String>,
}

/// What was taken in.
#[derive(Debug)]
pub struct Added {
    /// The rows that are new.
    pub rows: Vec<LedgerRow>,
    /// Bounds that they rest on and that were not checked, as their files are not here.
    pub conditions: Vec<UpperBound>,
    /// The certificate that shows them, if that is what the file is.
    pub certificate: Option<Certificate>,
}

impl Ledger {
    /// Reads the ledger of an archive; an empty one when there is none.
    ///
    /// # Errors
    /// When the file cannot be read or is none.
    pub fn of(archive: &Archive) -> Result<Self, LedgerError> {
        let text = archive.read(TABLE)?.unwrap_or_default();
        let malformed = |fault: csv::Error| LedgerError::Malformed { path: archive.shown(TABLE), fault };
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

    /// The rows, by board and side.
    pub fn rows(&self) -> impl Iterator<Item = &LedgerRow> {
        self.rows.values()
    }

    /// Writes the ledger.
    ///
    /// # Errors
    /// When it cannot be written.
    fn write(&self) -> Result<(), LedgerError> {
        file::write(&self.archive.path(TABLE)?, |out| {
            let mut table = csv::Writer::from_writer(out);
            self.rows.values().try_for_each(|row| table.serialize(row))?;
            table.flush()
        })?;
        Ok(())
    }

    /// The row that bounds a board from a side, whichever way the sides of the board are ordered.
    #[must_use]
    pub fn row(&self, board: &BoardName, side: Side) -> Option<&LedgerRow> {
        self.rows.get(&(board.without_unit_sides(), side))
    }

    fn upper(&self, board: &BoardName) -> Option<&LedgerRow> {
        self.row(board, Side::Upper)
    }

    /// The name that a file gets: that of its board, with a number when rows rest on another file of that name that shows more.
    fn name_for(&self, stem: &str, extension: &str, sha256: &str, bounds: &BTreeMap<Key, u64>) -> String {
        let plain = format!("{stem}.{extension}");
        let numbered = (2..).map(|number| format!("{stem}-{number}.{extension}"));
        let is_free = |name: &String| {
            let mut others = self.rows.values().filter(|row| row.file == *name && row.sha256 != sha256);
            others.all(|row| row.is_shown_by(bounds))
        };
        std::iter::once(plain).chain(numbered).find(is_free).expect("there is always another number")
    }

    /// Whether the file of a row is here and is the one that the row means.
    fn is_here(&self, row: &LedgerRow) -> bool {
        let inspected = self.inspect(&row.file, all_cores(), Deadline::NEVER);
        matches!(&*inspected, Ok(Some(contents)) if contents.sha256 == row.sha256)
    }

    /// Checks that the ledger has upper bounds that a file rests on, and the files of these rows and of those that they rest
    /// on. Returns those whose files are not here.
    fn provides(&self, needs: &[Need], path: &Path) -> Result<Vec<UpperBound>, LedgerError> {
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
        let verified = self.verified(&self.below(rows.clone()), u64::MAX, Deadline::NEVER);
        let refused = verified.iter().find_map(|one| match &one.status {
            RowStatus::Refused(why) if one.row.side == Side::Upper => Some((&one.row, why.clone())),
            _ => None,
        });
        if let Some((LedgerRow { board, value, .. }, why)) = refused {
            let (path, board) = (path.to_owned(), board.clone());
            return Err(LedgerError::Refused { path, board, most: *value, why });
        }
        let keys: BTreeSet<Key> = rows.iter().map(|row| row.key()).collect();
        let open = verified.into_iter().filter(|one| keys.contains(&one.row.key()));
        Ok(open.filter(|one| one.status != RowStatus::Checked).map(|one| one.row.archived()).collect())
    }

    /// Rows and all that they rest on, as far as the ledger has it, and what contradicts one of these.
    fn below<'a>(&'a self, mut rows: Vec<&'a LedgerRow>) -> BTreeMap<&'a Key, &'a LedgerRow> {
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

    /// The row that bounds a board from a side by this or better, with what the check of its file and of all that it rests on comes
    /// to, before time is up; of files of more than 2 MB only size and beginning are looked at. A note tells of a row of the board
    /// that is refused.
    #[must_use]
    pub fn checked(
        &self,
        board: &BoardName,
        side: Side,
        value: u64,
        deadline: Deadline,
    ) -> Option<(&LedgerRow, RowStatus)> {
        let row = self.at_least_as_good(board, side, value)?;
        let verified = self.verified(&self.below(vec![row]), CHECKED_IN_PASSING, deadline);
        // A file of which only a part was read says nothing.
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

    /// Whether a row does not hold though its file is whole, or need not be here; not where one of two rows does not, and nothing
    /// tells which.
    fn is_refused(&self, row: &LedgerRow) -> bool {
        let verified = self.verified(&self.below(vec![row]), CHECKED_IN_PASSING, Deadline::NEVER);
        let of_board = verified.iter().filter(|one| one.row.board == row.board);
        let refused: Vec<_> = of_board.filter(|one| matches!(one.status, RowStatus::Refused(_))).collect();
        let is_alone = matches!(refused.as_slice(), [one] if one.row == *row);
        is_alone && (row.bytes > MAX_BYTES || self.is_here(row))
    }

    fn at_least_as_good(&self, board: &BoardName, side: Side, value: u64) -> Option<&LedgerRow> {
        self.row(board, side).filter(|row| !side.is_better(value, row.value))
    }

    /// Checks every file that is here, and what each row rests on.
    #[must_use]
    pub fn verify(&self) -> Vec<Verified> {
        self.verified(&self.rows.iter().collect(), u64::MAX, Deadline::NEVER)
    }

    /// Checks the files whose check is short, and what each row rests on. Larger files count as not checked.
    #[must_use]
    pub fn verify_in_passing(&self) -> Vec<Verified> {
        self.verified(&self.rows.iter().collect(), CHECKED_IN_PASSING, Deadline::NEVER)
    }

    /// Checks every file that is here, and has the verified checker check the files that it reads, too: one that it refuses is refused.
    ///
    /// # Errors
    /// When the verified checker is not there.
    pub fn verify_twice(&self) -> Result<Vec<Verified>, String> {
        let checker = verified::version(&|| false).map_err(|fault| fault.to_string())?;
        let mut rows = self.verify();
        let files: BTreeSet<String> = rows
            .iter()
            .filter(|one| matches!(one.status, RowStatus::Checked | RowStatus::RestsOnNotRechecked))
            .map(|one| one.row.file.clone())
            .collect();
        let verdicts: HashMap<String, Result<bool, String>> = files
            .into_par_iter()
            .map(|file| {
                let verdict = self.confirm(&file);
                (file, verdict)
            })
            .collect();
        let mut accepted: HashMap<Key, bool> = HashMap::new();
        // What a bound rests on is of smaller boards.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&at| squares(&rows[at].row.board));
        for at in order {
            let row = rows[at].row.clone();
            let below = row.needs().unwrap_or_default();
            let below = below.iter().all(|need| {
                let known = self.upper(&need.board);
                known.is_some_and(|known| accepted.get(&known.key()) == Some(&true))
            });
            match verdicts.get(&row.file) {
                Some(Err(why)) => rows[at].status = RowStatus::Refused(why.clone()),
                Some(Ok(true)) if below => rows[at].verified_by = Some(checker.clone()),
                _ => {}
            }
            accepted.insert(row.key(), rows[at].verified_by.is_some());
        }
        Ok(rows)
    }

    /// Whether the verified checker accepts a file that crosscheck accepts; not, if it does not read such files.
    fn confirm(&self, file: &str) -> Result<bool, String> {
        let Ok(Some(Contents { shows: Ok((kind, shown)), .. })) = &*self.inspect(file, 1, Deadline::NEVER)
        else {
            return Ok(false);
        };
        if !verified::reads(kind.0.name(), &shown.board, &shown.conclusion) {
            return Ok(false);
        }
        let opened = self.archive.open(&stored(file));
        let opened = opened.map_err(|fault| format!("{file} cannot be read: {fault}"))?;
        let Some(mut text) = opened else { return Ok(false) };
        confirmed(&mut text, *kind, shown).map(|_| true).map_err(|fault| fault.to_string())
    }

    /// Checks rows, among which are all that they rest on, as far as no file has more than these bytes.
    fn verified(&self, rows: &BTreeMap<&Key, &LedgerRow>, largest: u64, deadline: Deadline) -> Vec<Verified> {
        let files: BTreeSet<&str> = rows.values().map(|row| row.file.as_str()).collect();
        // Where there are few files, one of them may be most of the work.
        let threads = if files.len() <= 8 { rayon::current_num_threads() } else { 1 };
        let looked_at = |file| match self.size(file) {
            Ok(Some(bytes)) if bytes > largest => (file, LookedAt::Beginning(bytes, self.beginning(file))),
            _ => (file, LookedAt::Whole(self.inspect(file, threads, deadline))),
        };
        let files: HashMap<&str, LookedAt> = files.into_par_iter().map(looked_at).collect();
        // A bound rests on smaller boards only, so what it rests on comes before it.
        let mut order: Vec<(&Key, &LedgerRow)> = rows.iter().map(|(key, row)| (*key, *row)).collect();
        order.sort_by_key(|((board, _), _)| (squares(board), board));
        let mut done: HashMap<Key, Verified> = HashMap::new();
        for of_board in order.chunk_by(|((board, _), _), ((other, _), _)| board == other) {
            let verified = |&(_, row): &(&Key, &LedgerRow)| {
                self.with_foundation(row, &judge(row, &files[row.file.as_str()]), &done)
            };
            let mut verified: Vec<Verified> = of_board.iter().map(verified).collect();
            refuse_contradicted(&mut verified);
            done.extend(verified.into_iter().map(|one| (one.row.key(), one)));
        }
        rows.values().filter_map(|row| done.remove(&row.key())).collect()
    }

    /// How many bytes a file of the ledger has, if it is here.
    fn size(&self, file: &str) -> io::Result<Option<u64>> {
        if is_plain(file) { self.archive.size(&stored(file)) } else { Ok(None) }
    }

    /// The kind of file that begins as one of the ledger does.
    fn beginning(&self, file: &str) -> Result<Option<Kind>, String> {
        let begins = || -> io::Result<Option<Kind>> {
            let Some(mut file) = self.archive.open(&stored(file))? else { return Ok(None) };
            Ok(evidence::beginning(file.fill_buf()?).map(Kind))
        };
        begins().map_err(|fault| format!("{file} cannot be read: {fault}"))
    }

    /// What a file of the ledger shows, if it is here and time is not up before.
    fn inspect(&self, file: &str, threads: usize, deadline: Deadline) -> Arc<Inspection> {
        let inspected = || self.inspected.lock();
        if let Some(known) = inspected().get(file) {
            return Arc::clone(known);
        }
        let look = || {
            if !is_plain(file) {
                return Err(format!("\"{file}\" is not the name of a file"));
            }
            let opened = self.archive.open(&stored(file));
            opened
                .and_then(|opened| opened.map(|opened| inspect(opened, threads, deadline)).transpose())
                .map_err(|fault| format!("{file} cannot be read: {fault}"))
        };
        let found = Arc::new(look());
        if !deadline.is_over() {
            inspected().insert(file.to_owned(), Arc::clone(&found));
        }
        found
    }

    /// A row with what it rests on; everything on smaller boards is done.
    fn with_foundation(
        &self,
        row: &LedgerRow,
        status: &RowStatus,
        done: &HashMap<Key, Verified>,
    ) -> Verified {
        let mark = if *status == RowStatus::NotRechecked { " (not re-checked here)" } else { "" };
        let mut foundation = BTreeSet::from([format!("{} {}{mark}", row.kind, row.file)]);
        let mut walk = || -> Result<RowStatus, String> {
            let mut status = status.clone();
            for Need { board, most } in row.needs()? {
                if squares(&board) >= squares(&row.board) {
                    return Err(format!("it rests on {board}, which is no smaller board"));
                }
                let below = self.upper(&board).filter(|below| below.value <= most);
                let Some(below) = below.and_then(|below| done.get(&below.key())) else {
                    return Err(format!(
                        "it rests on alpha({board}) <= {most}, which the ledger does not prove"
                    ));
                };
                if let RowStatus::Refused(why) = &below.status {
                    return Err(format!("it rests on {board}, and there: {why}"));
                }
                if status == RowStatus::Checked && below.status != RowStatus::Checked {
                    status = RowStatus::RestsOnNotRechecked;
                }
                foundation.extend(below.foundation.iter().cloned());
            }
            Ok(status)
        };
        let status = match status {
            RowStatus::Refused(_) => status.clone(),
            _ => walk().unwrap_or_else(RowStatus::Refused),
        };
        Verified { row: row.clone(), status, foundation, verified_by: None }
    }
}

/// A ledger to which files are added: each is checked against what the others show, and all are stored together. No other process
/// changes the ledger meanwhile.
#[derive(Debug)]
pub struct Additions {
    ledger: Ledger,
    /// The files that rows named before.
    before: BTreeSet<String>,
    /// Files that are to be written, or removed where there is nothing.
    files: BTreeMap<String, Option<Vec<u8>>>,
    is_changed: bool,
    _alone: Guard,
}

impl Additions {
    /// Begins with the ledger of an archive.
    ///
    /// # Errors
    /// When the archive cannot be read or changed.
    pub fn to(archive: &Archive) -> Result<Self, LedgerError> {
        archive.make_folder("")?;
        let alone = lock::exclusive(&archive.path(TABLE)?)?;
        let ledger = Ledger::of(archive)?;
        let before = ledger.rows.values().map(|row| row.file.clone()).collect();
        Ok(Self { ledger, before, files: BTreeMap::new(), is_changed: false, _alone: alone })
    }

    /// Checks a file, and takes in what it shows that is better than what is known, or takes the place of a file that is not here
    /// any more. The file is copied beside the ledger, unless it is too large to be kept. Rows that rested on a file of the same
    /// name go over to this one when it shows as much; else this one gets another name.
    ///
    /// # Errors
    /// When the file cannot be read or does not hold, rests on what the ledger does not prove, is about a board that a file
    /// describes, or is too large and there is no command.
    pub fn check(
        &mut self,
        path: &Path,
        command: Option<&str>,
        verified: bool,
    ) -> Result<Added, LedgerError> {
        let unreadable = |fault| FileError::new("read", path, fault);
        let refused = |refusal| LedgerError::of(refusal, path);
        // What is kept is read once, so that what was checked is what is kept.
        let mut kept = Vec::new();
        let mut file = file::open_plain(path).map_err(unreadable)?;
        (&mut file).take(MAX_BYTES + 1).read_to_end(&mut kept).map_err(unreadable)?;
        let Contents { bytes: size, sha256, shows } =
            inspect(BufReader::new(kept.as_slice().chain(file)), all_cores(), Deadline::NEVER)
                .map_err(unreadable)?;
        let (kind, shows) = shows.map_err(refused)?;
        let board = shows.board.clone();
        if matches!(board, BoardName::File(_)) {
            return Err(LedgerError::FileBoard { path: path.to_owned(), board });
        }
        if size > MAX_BYTES && command.is_none() {
            return Err(LedgerError::TooLarge(path.to_owned()));
        }
        let verified = match verified {
            true => confirmed(&mut BufReader::new(file::open_plain(path).map_err(unreadable)?), kind, &shows)
                .map_err(refused)?,
            false => String::new(),
        };
        let needs = needs(&shows);
        let conditions = self.ledger.provides(&needs, path)?;
        let rests_on = needs.iter().map(Need::to_string).collect::<Vec<_>>().join(";");
        let (bounds, certificate): (BTreeMap<Key, u64>, _) = match &shows.conclusion {
            Conclusion::Fit(certificate) => {
                let bound = ((board.without_unit_sides(), Side::Lower), certificate.size() as u64);
                (BTreeMap::from([bound]), Some(certificate.clone()))
            }
            Conclusion::Restricted { .. } => (BTreeMap::new(), None),
            Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. } => {
                (bounds.iter().map(|(board, &most)| ((board.clone(), Side::Upper), most)).collect(), None)
            }
        };
        let stem = board.to_string().replace([':', '/'], "-");
        let extension = kind.0.archived_as().expect("a kind that is archived");
        let packed = if kept.starts_with(&packed::MAGIC) { ".gz" } else { "" };
        let file = self.ledger.name_for(&stem, &format!("{extension}{packed}"), &sha256, &bounds);
        let mut taken: BTreeMap<Key, u64> = BTreeMap::new();
        for (key @ (board, _), &value) in &bounds {
            let takes = match self.ledger.rows.get(key) {
                // What a theorem says as well needs no row.
                None => bounds.len() == 1 || Board::new(board).trivial_bound() > value,
                // What can be checked here, or was made anew, takes the place of what cannot be had any more.
                Some(known) if value == known.value => {
                    let anew = known.file == file && known.sha256 != sha256;
                    (size <= MAX_BYTES || anew) && !self.ledger.is_here(known)
                }
                Some(known) => known.is_shown_by(&bounds) || self.ledger.is_refused(known),
            };
            if takes {
                taken.insert(key.clone(), value);
            }
        }
        if taken.is_empty() {
            let rows = self.ledger.rows.values_mut();
            let now_verified = rows.filter(|row| row.sha256 == sha256 && row.verified != verified);
            let rows = now_verified.filter(|_| !verified.is_empty()).map(|row| {
                row.verified.clone_from(&verified);
                row.clone()
            });
            let rows: Vec<LedgerRow> = rows.collect();
            self.is_changed |= !rows.is_empty();
            return Ok(Added { rows, conditions, certificate });
        }
        let of_the_name = self.ledger.rows.values().filter(|row| row.file == file && row.sha256 != sha256);
        taken.extend(of_the_name.map(|row| (row.key(), bounds[&row.key()])));
        let row = |((board, side), value)| LedgerRow {
            board,
            side,
            value,
            kind,
            file: file.clone(),
            bytes: size,
            sha256: sha256.clone(),
            rests_on: rests_on.clone(),
            command: command.unwrap_or_default().to_owned(),
            commit: COMMIT.to_owned(),
            verified: verified.clone(),
        };
        let rows: Vec<LedgerRow> = taken.into_iter().map(row).collect();
        self.ledger.rows.extend(rows.iter().map(|row| (row.key(), row.clone())));
        self.is_changed = true;
        if size <= MAX_BYTES {
            let contents = Contents { bytes: size, sha256, shows: Ok((kind, shows)) };
            self.put(file, Some(kept), Some(contents));
        } else if !self.ledger.is_here(&rows[0]) {
            // An earlier file of the name that is not this one: nothing rests on it any more.
            self.put(file, None, None);
        }
        Ok(Added { rows, conditions, certificate })
    }

    /// Notes what a file of the ledger is to be.
    fn put(&mut self, file: String, text: Option<Vec<u8>>, contents: Option<Contents>) {
        let inspected = self.ledger.inspected.get_mut();
        inspected.insert(file.clone(), Arc::new(Ok(contents)));
        self.files.insert(file, text);
    }

    /// Stores what was taken in.
    ///
    /// # Errors
    /// When it cannot be written.
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

/// The bound with what the check of the files comes to by which the ledger of this run's archive shows it, each checked once in a
/// run, before time is up: proved, refused, or as it was.
#[must_use]
pub fn recheck(bound: &UpperBound, deadline: Deadline) -> UpperBound {
    let checked = here().and_then(|ledger| ledger.checked(&bound.board, Side::Upper, bound.value, deadline));
    match checked {
        Some((row, RowStatus::Checked)) => proved(row),
        // Where the table of boxes says the same, that is nothing that was refused.
        Some((row, RowStatus::Refused(why))) if row.archived().provenance == bound.provenance => {
            UpperBound { provenance: Provenance::Rejected(why), ..bound.clone() }
        }
        _ => bound.clone(),
    }
}

/// What [`recheck`] says of the bound if all files pass the check: none is looked at yet.
#[must_use]
pub(crate) fn unchecked(bound: &UpperBound) -> UpperBound {
    let passing = || {
        let ledger = here()?;
        let row = ledger.at_least_as_good(&bound.board, Side::Upper, bound.value)?;
        let below = ledger.below(vec![row]);
        let mut needed = below.values().filter(|row| row.side == Side::Upper);
        needed.all(|row| row.bytes <= CHECKED_IN_PASSING).then(|| proved(row))
    };
    passing().unwrap_or_else(|| bound.clone())
}

/// The ledger of this run's archive, and what was found in its files.
pub(crate) fn here() -> Option<&'static Ledger> {
    static LEDGER: OnceLock<Option<Ledger>> = OnceLock::new();
    LEDGER.get_or_init(|| Ledger::of(Archive::here()).ok()).as_ref()
}

fn proved(row: &LedgerRow) -> UpperBound {
    let provenance = Provenance::Proved(format!("{} {}", row.kind, row.file));
    UpperBound { board: row.board.clone(), value: row.value, provenance }
}

/// Whether what is here shows the bound of a row.
fn judge(row: &LedgerRow, looked_at: &LookedAt) -> RowStatus {
    let judged = || -> Result<RowStatus, String> {
        if row.board.without_unit_sides() != row.board {
            return Err(format!("the board must be written as {}", row.board.without_unit_sides()));
        }
        if (row.kind == Kind::CERTIFICATE) != (row.side == Side::Lower) {
            return Err(format!("{} shows no bound from this side", row.kind.with_article()));
        }
        let listed = row.needs()?;
        if row.sha256.len() != 64 || !row.sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(format!("\"{}\" is no SHA-256 digest of 64 hexadecimal digits", row.sha256));
        }
        let is_as_large = |bytes: u64| match bytes == row.bytes {
            true => Ok(()),
            false => Err(format!(
                "{} is another file: it has {}, not {}",
                row.file,
                counted(bytes, "byte"),
                row.bytes
            )),
        };
        let inspected = match looked_at {
            LookedAt::Whole(inspected) => (**inspected).as_ref(),
            LookedAt::Beginning(bytes, kind) => {
                is_as_large(*bytes)?;
                // Whatever begins as nothing else is read as a certificate.
                if kind.clone()?.unwrap_or(Kind::CERTIFICATE) != row.kind {
                    return Err(format!("{} does not begin as {} does", row.file, row.kind.with_article()));
                }
                return Ok(RowStatus::NotRechecked);
            }
        };
        let Some(Contents { bytes, sha256, shows }) = inspected.map_err(Clone::clone)? else {
            if row.bytes <= MAX_BYTES {
                return Err(format!(
                    "{} is missing, and the ledger lists it as archived: it has {}",
                    row.file,
                    counted(row.bytes, "byte")
                ));
            }
            if row.command.is_empty() {
                return Err(format!("{} is missing, and no command reproduces it", row.file));
            }
            return Ok(RowStatus::NotRechecked);
        };
        is_as_large(*bytes)?;
        if *sha256 != row.sha256 {
            return Err(format!("{} is another file: its digest is {sha256}", row.file));
        }
        let (kind, shows) = match shows {
            Err(Refusal::Limit(_)) => return Ok(RowStatus::NotRechecked),
            shows => shows.as_ref().map_err(ToString::to_string)?,
        };
        if *kind != row.kind {
            return Err(format!("{} is {}, not {}", row.file, kind.with_article(), row.kind.with_article()));
        }
        let shown = match &shows.conclusion {
            Conclusion::Fit(certificate) => {
                (shows.board.without_unit_sides() == row.board).then_some(certificate.size() as u64)
            }
            Conclusion::Restricted { .. } => None,
            Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. } => {
                bounds.get(&row.board).copied()
            }
        };
        let rests_on = needs(shows);
        let shown = shown.ok_or_else(|| format!("{} is about another board", row.file))?;
        if row.side.is_better(row.value, shown) {
            return Err(format!("{} shows {shown}, not {}", row.file, row.value));
        }
        if rests_on != listed {
            let real = rests_on.iter().map(Need::to_string).collect::<Vec<_>>().join(";");
            return Err(format!("{} rests on \"{real}\", not on \"{}\"", row.file, row.rests_on));
        }
        Ok(RowStatus::Checked)
    };
    judged().unwrap_or_else(RowStatus::Refused)
}

/// Whether a lower bound is above an upper bound of the same board.
fn contradicts(row: &LedgerRow, other: &LedgerRow) -> bool {
    row.side != other.side && row.side.is_better(row.value, other.value)
}

/// Of a lower and an upper bound of a board that contradict each other the one stays that is shown, where the other one is not.
fn refuse_contradicted(of_board: &mut [Verified]) {
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

/// The number of squares of a box, which says what a bound may rest on; other boards rest on nothing.
fn squares(board: &BoardName) -> u128 {
    match board {
        BoardName::Grid { sides, .. } => {
            sides.iter().fold(1, |product: u128, &side| product.saturating_mul(side.into()))
        }
        _ => 0,
    }
}

/// The name in the archive of a file beside the ledger.
fn stored(file: &str) -> String {
    format!("{FOLDER}/{file}")
}

/// Whether a name is that of a file in the folder, and of nothing outside.
fn is_plain(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|plain| plain == name)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(FileError::new("remove", path, fault)),
        _ => Ok(()),
    }
}

fn needs(shown: &Shown) -> Vec<Need> {
    shown.needs.iter().map(|(board, most)| Need { board: board.clone(), most: *most }).collect()
}

/// The verified checker that accepts a text that shows this.
fn confirmed(text: &mut dyn BufRead, kind: Kind, shown: &Shown) -> Result<String, Refusal> {
    let Shown { board, conclusion, needs, .. } = shown;
    verified::confirm(text, kind.0.name(), board, conclusion, needs, &|| false)
}

/// Reads a file to its end: its size, its digest and what it shows are of the same bytes.
fn inspect(file: impl BufRead, threads: usize, deadline: Deadline) -> io::Result<Contents> {
    let mut digested = Digested { inner: file, digest: Digester::default(), bytes: 0, deadline };
    let shows = shows(&mut digested, threads, deadline);
    io::copy(&mut digested, &mut io::sink())?;
    let Digested { digest, bytes, .. } = digested;
    Ok(Contents { bytes, sha256: digest.finish(), shows })
}

/// A reader that digests what is taken from it, until time is up.
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

/// What a file shows, checked.
fn shows(file: &mut dyn BufRead, threads: usize, deadline: Deadline) -> Result<(Kind, Shown), Refusal> {
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
    let archived = archive::bounds();
    let given =
        Given { name: Path::new(""), text, board: None, stop: &|| deadline.is_over(), threads, archived };
    let shown = evidence.check(given)?;
    match &shown.conclusion {
        Conclusion::Fit(Certificate { problem, .. }) if *problem != Problem::IndependentSet => {
            let this = problem.with_article();
            Err(Refusal::Unchecked(format!("the ledger is for independent sets, and this is {this}")))
        }
        Conclusion::Restricted { .. } => {
            let words = "the ledger is for independent sets without included squares".to_owned();
            Err(Refusal::Unchecked(words))
        }
        _ => Ok((Kind(evidence), shown)),
    }
}

/// The largest file, in bytes, that is checked wherever an answer rests on it; the check takes seconds. Larger ones are checked
/// when the whole ledger is verified.
const CHECKED_IN_PASSING: u64 = 2_000_000;

/// The table of an archive, and the folder of its files.
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
                Kind(evidence::called("orbit LP").expect("a kind"))
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
    fn what_a_bound_rests_on_reads_as_it_prints() {
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
    fn a_row_comes_with_all_that_it_rests_on() {
        let ledger = ledger([
            row("6^4", Side::Upper, 80, "6^4.bound", "3^4<=6"),
            row("3^4", Side::Upper, 6, "3^4.bound", "3^3<=4;3^2<=2"),
            row("3^3", Side::Upper, 4, "3^3.bound", ""),
            row("3^3", Side::Lower, 4, "3^3.txt", ""),
            row("5^3", Side::Upper, 13, "5^3.bound", ""),
        ]);
        let top = ledger.upper(&"6^4".parse().expect("a board")).expect("a row");
        let below: Vec<String> = ledger.below(vec![top]).keys().map(|(board, _)| board.to_string()).collect();
        assert_eq!(below.len(), 3, "{below:?}");
        assert!(["6^4", "3^4", "3^3"].iter().all(|board| below.contains(&(*board).to_owned())));
    }

    #[test]
    fn of_two_bounds_that_contradict_each_other_the_one_that_is_shown_stays() {
        let after = |lower: RowStatus, upper: RowStatus, values: [u64; 2]| {
            let one = |side, value, status| Verified {
                row: row("4^4", side, value, "4^4.file", ""),
                status,
                foundation: BTreeSet::new(),
                verified_by: None,
            };
            let mut rows = [one(Side::Lower, values[0], lower), one(Side::Upper, values[1], upper)];
            refuse_contradicted(&mut rows);
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
            assert_eq!(after(lower.clone(), upper.clone(), [17, 16]), refused, "{lower:?} and {upper:?}");
            assert_eq!(after(lower, upper, [16, 16]), [false, false]);
        }
        let wrong = || RowStatus::Refused("no".to_owned());
        assert_eq!(after(wrong(), NotRechecked, [17, 16]), [true, false]);
        assert_eq!(after(NotRechecked, wrong(), [17, 16]), [false, true]);
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
            assert!(contents.shows.is_err(), "{text}");
        }
    }
}
