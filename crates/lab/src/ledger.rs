//! The ledger: proved bounds with the files that show them, and what each finally rests on.
//!
//! A row bounds one board from one side. Its file lies in the folder beside the ledger that has its name, such as
//! `results/ledger/` beside `results/ledger.csv`. Files over a megabyte are not kept: their rows have a digest and the
//! command that makes them again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ndqueens_crosscheck::proof::Proved;
use ndqueens_crosscheck::{bound, verify};
use ndqueens_model::board::Board;
use ndqueens_model::bound::{Standing as Footing, UpperBound};
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::ledger::MOST_BYTES;
use ndqueens_model::name::BoardName;
use serde::{Deserialize, Serialize};

use crate::exact;
use crate::file::{self, FileError};
use crate::record::{Provenance, digest_of_file};

/// Where the shipped ledger is, seen from the clone's folder.
pub const SHIPPED: &str = "results/ledger.csv";

/// Which side a row bounds from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// At least so many queens fit.
    Lower,
    /// At most so many queens fit.
    Upper,
}

/// What shows a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// A placement, checked from the definition of an attack.
    #[serde(rename = "certificate")]
    Certificate,
    /// A sum of inequalities, checked in exact fractions.
    #[serde(rename = "orbit LP")]
    OrbitLp,
    /// A proof tree, checked in integers.
    #[serde(rename = "proof tree")]
    Tree,
}

impl Kind {
    /// With the article before it.
    fn with_article(self) -> String {
        match self {
            Self::OrbitLp => format!("an {self}"),
            Self::Certificate | Self::Tree => format!("a {self}"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Certificate => "certificate",
            Self::OrbitLp => "orbit LP",
            Self::Tree => "proof tree",
        })
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
        let read = parts.and_then(|(board, most)| Some((board.parse().ok()?, most.parse().ok()?)));
        let (board, most) = read.ok_or_else(|| format!("\"{text}\" should be a bound such as 3^4<=6"))?;
        Ok(Self { board, most })
    }
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The board; a box without its sides of 1, and sorted.
    pub board: BoardName,
    /// Which side it bounds from.
    pub side: Side,
    /// The bound, in queens.
    pub value: u64,
    /// What shows it.
    pub kind: Kind,
    /// The file that shows it.
    pub file: String,
    /// Its size in bytes; one of more than [`MOST_BYTES`] is not kept.
    pub bytes: u64,
    /// Its SHA-256 digest.
    pub sha256: String,
    /// Bounds of other boards that it rests on, such as `3^4<=6`, parted by semicolons.
    pub rests_on: String,
    /// The command that makes the file again; needed when it is not kept.
    pub command: String,
    /// The commit that made the row.
    pub commit: String,
}

impl Row {
    /// Rows of the same board, whichever way its sides are ordered, have the same key.
    fn key(&self) -> (BoardName, Side) {
        (self.board.reduced(), self.side)
    }

    /// The bound as something that other bounds may rest on, if it is an upper one.
    #[must_use]
    pub fn upper_bound(&self, ledger: &Path) -> Option<UpperBound> {
        let why = format!("{}, in {}", self.kind, ledger.display());
        let standing = if self.bytes > MOST_BYTES { Footing::Recorded(why) } else { Footing::Proved(why) };
        let (board, value) = (self.board.clone(), self.value);
        (self.side == Side::Upper).then_some(UpperBound { board, value, standing })
    }

    /// Whether the other says as much of the same board from the same side, or more.
    fn is_shown_by(&self, bounds: &BTreeMap<(BoardName, Side), u64>) -> bool {
        bounds.get(&self.key()).is_some_and(|&value| match self.side {
            Side::Lower => value >= self.value,
            Side::Upper => value <= self.value,
        })
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
    #[error("{} has more than {MOST_BYTES} bytes, so it is not kept: --command must tell how to make it again", .0.display())]
    TooLarge(PathBuf),
}

/// A ledger in memory.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    rows: BTreeMap<(BoardName, Side), Row>,
}

/// What a file shows.
enum Shows {
    Certificate(Certificate),
    Bound(bound::Shown),
    /// Of a proof tree the board and all boxes with their bounds, reduced.
    Tree(BoardName, BTreeMap<BoardName, u64>),
}

/// What the file of a row shows; nothing when it is not here.
type Looked = Result<Option<(Kind, Shows)>, String>;

/// The boxes that a proof tree bounds, reduced.
fn boxes(proved: &Proved) -> BTreeMap<BoardName, u64> {
    let mut boxes = BTreeMap::new();
    for (board, most) in proved.bounds() {
        let known = boxes.entry(board.reduced()).or_insert(most);
        *known = most.min(*known);
    }
    boxes
}

/// What became of a row when the ledger was verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "status", content = "why")]
pub enum Standing {
    /// Its file was checked, and so were those of all rows that it rests on.
    Checked,
    /// Its file was checked, and rests on a row whose file is not here.
    RestsOnNotRechecked,
    /// Its file is not here; the command makes it again.
    NotRechecked,
    /// It does not hold.
    Refused(String),
}

/// A row with what was found.
#[derive(Debug, Clone, Serialize)]
pub struct Verified {
    /// The row.
    #[serde(flatten)]
    pub row: Row,
    /// Whether it holds.
    #[serde(flatten)]
    pub standing: Standing,
    /// The files that it finally rests on, each with whether it was checked here.
    pub foundation: BTreeSet<String>,
}

impl Ledger {
    /// Reads a ledger.
    ///
    /// # Errors
    /// When the file cannot be read or is none.
    pub fn read(path: &Path) -> Result<Self, LedgerError> {
        let text = file::read(path)?;
        let malformed = |fault: csv::Error| LedgerError::Malformed { path: path.to_owned(), fault };
        let mut rows = BTreeMap::new();
        for row in csv::Reader::from_reader(text.as_bytes()).into_deserialize() {
            let row: Row = row.map_err(malformed)?;
            if rows.insert(row.key(), row).is_some() {
                let fault =
                    io::Error::new(io::ErrorKind::InvalidData, "a board comes twice with the same side");
                return Err(malformed(fault.into()));
            }
        }
        Ok(Self { path: path.to_owned(), rows })
    }

    /// Reads a ledger that is to be added to; an empty one when there is no file yet.
    ///
    /// # Errors
    /// When the file cannot be read or is none.
    pub fn read_or_begin(path: &Path) -> Result<Self, LedgerError> {
        if path.exists() {
            Self::read(path)
        } else {
            Ok(Self { path: path.to_owned(), rows: BTreeMap::new() })
        }
    }

    /// The rows, by board and side.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    fn folder(&self) -> PathBuf {
        self.path.with_extension("")
    }

    /// Writes the ledger.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self) -> Result<(), FileError> {
        file::write(&self.path, |out| {
            let mut table = csv::Writer::from_writer(out);
            self.rows.values().try_for_each(|row| table.serialize(row))?;
            table.flush()
        })
    }

    fn upper(&self, board: &BoardName) -> Option<&Row> {
        self.rows.get(&(board.reduced(), Side::Upper))
    }

    /// Checks a file, and takes in what it shows that is better than what is known, or takes the place of a file that is not
    /// here any more. Returns the rows that are new. The file is copied beside the ledger, unless it is too large to be kept.
    /// Rows that rested on a file of the same name go over to this one when it shows as much; else this one gets another name.
    ///
    /// # Errors
    /// When the file cannot be read or does not hold, rests on what the ledger does not prove, is about a board that a file
    /// describes, or is too large and there is no command; or when the copy cannot be written.
    pub fn add(&mut self, path: &Path, command: Option<&str>) -> Result<Vec<Row>, LedgerError> {
        let unreadable = |fault| FileError::new("read", path, fault);
        let fault = |fault: String| LedgerError::Fault { path: path.to_owned(), fault };
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(unreadable(io::Error::other("it is not a file")).into());
        }
        let size = File::open(path).and_then(|file| file.metadata()).map_err(unreadable)?.len();
        let (kind, shows) = shows(path).map_err(fault)?;
        let (board, extension) = match &shows {
            Shows::Certificate(certificate) => (certificate.board.clone(), "txt"),
            Shows::Bound(shown) => (shown.board().clone(), "bound"),
            Shows::Tree(board, _) => (board.clone(), "proof.gz"),
        };
        if matches!(board, BoardName::File(_)) {
            return Err(LedgerError::FileBoard { path: path.to_owned(), board });
        }
        if size > MOST_BYTES && command.is_none() {
            return Err(LedgerError::TooLarge(path.to_owned()));
        }
        let mut rests_on = String::new();
        let bounds: BTreeMap<(BoardName, Side), u64> = match shows {
            Shows::Certificate(certificate) => {
                BTreeMap::from([((board.reduced(), Side::Lower), certificate.size() as u64)])
            }
            Shows::Bound(shown) => {
                let needs = needs(&shown);
                self.provides(&needs, path)?;
                rests_on = needs.iter().map(Need::to_string).collect::<Vec<_>>().join(";");
                BTreeMap::from([((board.reduced(), Side::Upper), shown.at_most())])
            }
            Shows::Tree(_, boxes) => {
                boxes.into_iter().map(|(board, most)| ((board, Side::Upper), most)).collect()
            }
        };
        let sha256 = digest_of_file(path).map_err(unreadable)?;
        let stem = board.to_string().replace([':', '/'], "-");
        let file = self.name_for(&stem, extension, &sha256, &bounds);
        let mut here: HashMap<(&str, &str), bool> = HashMap::new();
        let mut taken: BTreeMap<(BoardName, Side), u64> = BTreeMap::new();
        for (key @ (board, _), &value) in &bounds {
            let takes = match self.rows.get(key) {
                // What a theorem says as well needs no row.
                None => kind != Kind::Tree || Board::new(board).trivial_bound() > value,
                // What can be checked here, or was made anew, takes the place of what cannot be had any more.
                Some(known) if value == known.value => {
                    let anew = known.file == file && known.sha256 != sha256;
                    (size <= MOST_BYTES || anew)
                        && !*here.entry((&known.file, &known.sha256)).or_insert_with(|| self.is_here(known))
                }
                Some(known) => known.is_shown_by(&bounds),
            };
            if takes {
                taken.insert(key.clone(), value);
            }
        }
        if taken.is_empty() {
            return Ok(Vec::new());
        }
        let of_the_name = self.rows.values().filter(|row| row.file == file && row.sha256 != sha256);
        taken.extend(of_the_name.map(|row| (row.key(), bounds[&row.key()])));
        let before: BTreeSet<String> = self.rows.values().map(|row| row.file.clone()).collect();
        let commit = Provenance::here().commit;
        let mut new = Vec::new();
        for ((board, side), value) in taken {
            let (file, sha256, rests_on) = (file.clone(), sha256.clone(), rests_on.clone());
            let (command, commit) = (command.unwrap_or_default().to_owned(), commit.clone());
            let row = Row { board, side, value, kind, file, bytes: size, sha256, rests_on, command, commit };
            self.rows.insert(row.key(), row.clone());
            new.push(row);
        }
        let kept = self.folder().join(&file);
        if size <= MOST_BYTES {
            file::make_folder(&self.folder())?;
            file::write(&kept, |out| io::copy(&mut File::open(path)?, out).map(drop))?;
        }
        let now: BTreeSet<&String> = self.rows.values().map(|row| &row.file).collect();
        for name in before.iter().filter(|name| !now.contains(name) && is_plain(name)) {
            remove(&self.folder().join(name))?;
        }
        // An earlier file of the name that is not this one: nothing rests on it any more.
        if size > MOST_BYTES && !self.is_here(&new[0]) {
            remove(&kept)?;
        }
        Ok(new)
    }

    /// The name that a file gets: that of its board, with a number when rows rest on another file of that name that shows more.
    fn name_for(
        &self,
        stem: &str,
        extension: &str,
        sha256: &str,
        bounds: &BTreeMap<(BoardName, Side), u64>,
    ) -> String {
        let plain = format!("{stem}.{extension}");
        let numbered = (2..).map(|number| format!("{stem}-{number}.{extension}"));
        let is_free = |name: &String| {
            let mut others = self.rows.values().filter(|row| row.file == *name && row.sha256 != sha256);
            others.all(|row| row.is_shown_by(bounds))
        };
        std::iter::once(plain).chain(numbered).find(is_free).expect("there is always another number")
    }

    /// Whether the file of a row is here and is the one that the row means.
    fn is_here(&self, row: &Row) -> bool {
        is_plain(&row.file)
            && digest_of_file(&self.folder().join(&row.file)).is_ok_and(|digest| digest == row.sha256)
    }

    /// Checks that the ledger proves upper bounds that a file rests on: the files of these rows, and of those that they rest on.
    ///
    /// # Errors
    /// When there is no such row, or one that does not hold.
    fn provides(&self, needs: &[Need], path: &Path) -> Result<(), LedgerError> {
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
        let refused = self.verified(&self.below(rows)).into_iter().find_map(|one| match one.standing {
            Standing::Refused(why) => Some((one.row, why)),
            _ => None,
        });
        refused.map_or(Ok(()), |(Row { board, value, .. }, why)| {
            Err(LedgerError::Refused { path: path.to_owned(), board, most: value, why })
        })
    }

    /// Checks that upper bounds of boards hold as the ledger has them, with all that they rest on.
    ///
    /// # Errors
    /// When there is no such row, or one that does not hold.
    pub fn stands_for(&self, bounds: &[UpperBound]) -> Result<(), LedgerError> {
        let need = |bound: &UpperBound| Need { board: bound.board.reduced(), most: bound.value };
        self.provides(&bounds.iter().map(need).collect::<Vec<_>>(), &self.path)
    }

    /// Rows and all that they rest on, as far as the ledger has it.
    fn below<'a>(&'a self, mut rows: Vec<&'a Row>) -> BTreeMap<&'a (BoardName, Side), &'a Row> {
        let mut all = BTreeMap::new();
        while let Some(row) = rows.pop() {
            let (key, row) = self.rows.get_key_value(&row.key()).expect("a row of this ledger");
            if all.insert(key, row).is_none() {
                rows.extend(
                    row.needs().unwrap_or_default().iter().filter_map(|need| self.upper(&need.board)),
                );
            }
        }
        all
    }

    /// Checks every file that is here, and what each row rests on.
    #[must_use]
    pub fn verify(&self) -> Vec<Verified> {
        self.verified(&self.rows.iter().collect())
    }

    /// Checks rows, among which are all that they rest on.
    fn verified(&self, rows: &BTreeMap<&(BoardName, Side), &Row>) -> Vec<Verified> {
        // Rows of one file may name different digests.
        let mut files: HashMap<(&str, &str), Looked> = HashMap::new();
        for row in rows.values() {
            files.entry((&row.file, &row.sha256)).or_insert_with(|| self.look(row));
        }
        let standings: HashMap<(BoardName, Side), Standing> = rows
            .iter()
            .map(|(&key, row)| {
                (key.clone(), self.judge(row, &files[&(row.file.as_str(), row.sha256.as_str())]))
            })
            .collect();
        let verified = |(&key, row): (&&(BoardName, Side), &&Row)| {
            let mut standing = standings[key].clone();
            let mut foundation = BTreeSet::new();
            let mut path = Vec::new();
            match self.found(row, &standings, &mut path, &mut foundation) {
                Err(why) if !matches!(standing, Standing::Refused(_)) => standing = Standing::Refused(why),
                Ok(false) if standing == Standing::Checked => standing = Standing::RestsOnNotRechecked,
                _ => {}
            }
            Verified { row: (*row).clone(), standing, foundation }
        };
        rows.iter().map(verified).collect()
    }

    /// What the file of a row shows, if it is here and is the one that the row means.
    fn look(&self, row: &Row) -> Looked {
        if !is_plain(&row.file) {
            return Err(format!("\"{}\" is not the name of a file", row.file));
        }
        let path = self.folder().join(&row.file);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::metadata(&path).map_or(0, |there| there.len());
        if bytes != row.bytes {
            return Err(format!("{} is another file: it has {bytes} bytes, not {}", row.file, row.bytes));
        }
        let digest =
            digest_of_file(&path).map_err(|fault| format!("{} cannot be read: {fault}", row.file))?;
        if digest != row.sha256 {
            return Err(format!("{} is another file: its digest is {digest}", row.file));
        }
        shows(&path).map(Some)
    }

    /// Whether what is here shows the bound of a row.
    fn judge(&self, row: &Row, looked: &Looked) -> Standing {
        let judged = || -> Result<Standing, String> {
            if row.board.reduced() != row.board {
                return Err(format!("the board should stand as {}", row.board.reduced()));
            }
            if (row.kind == Kind::Certificate) != (row.side == Side::Lower) {
                return Err(format!("{} shows no bound from this side", row.kind.with_article()));
            }
            let (lower, upper) = (self.rows.get(&(row.board.clone(), Side::Lower)), self.upper(&row.board));
            if let (Some(lower), Some(upper)) = (lower, upper)
                && lower.value > upper.value
            {
                return Err(format!(
                    "the lower bound {} is above the upper bound {}",
                    lower.value, upper.value
                ));
            }
            let needs = row.needs()?;
            if row.sha256.len() != 64 || !row.sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
                return Err(format!("\"{}\" is no SHA-256 digest of 64 hexadecimal digits", row.sha256));
            }
            let Some((kind, shows)) = looked.as_ref().map_err(Clone::clone)? else {
                if row.bytes <= MOST_BYTES {
                    return Err(format!(
                        "{} is not there, and it is kept: it has {} bytes",
                        row.file, row.bytes
                    ));
                }
                if row.command.is_empty() {
                    return Err(format!("{} is not there, and no command makes it again", row.file));
                }
                return Ok(Standing::NotRechecked);
            };
            if *kind != row.kind {
                return Err(format!(
                    "{} is {}, not {}",
                    row.file,
                    kind.with_article(),
                    row.kind.with_article()
                ));
            }
            let (shown, rests_on) = match shows {
                Shows::Certificate(certificate) => {
                    let same = certificate.board.reduced() == row.board;
                    (same.then_some(certificate.size() as u64), Vec::new())
                }
                Shows::Bound(shown) => {
                    let same = shown.board().reduced() == row.board;
                    (same.then_some(shown.at_most()), self::needs(shown))
                }
                Shows::Tree(_, boxes) => (boxes.get(&row.board).copied(), Vec::new()),
            };
            let shown = shown.ok_or_else(|| format!("{} is about another board", row.file))?;
            let enough = match row.side {
                Side::Lower => shown >= row.value,
                Side::Upper => shown <= row.value,
            };
            if !enough {
                return Err(format!("{} shows {shown}, not {}", row.file, row.value));
            }
            if rests_on != needs {
                let real = rests_on.iter().map(Need::to_string).collect::<Vec<_>>().join(";");
                return Err(format!("{} rests on \"{real}\", not on \"{}\"", row.file, row.rests_on));
            }
            Ok(Standing::Checked)
        };
        judged().unwrap_or_else(Standing::Refused)
    }

    /// Walks down what a row rests on: whether all files are here, its own among them.
    fn found(
        &self,
        row: &Row,
        standings: &HashMap<(BoardName, Side), Standing>,
        path: &mut Vec<BoardName>,
        foundation: &mut BTreeSet<String>,
    ) -> Result<bool, String> {
        let (mut here, mark) = match &standings[&row.key()] {
            Standing::Checked | Standing::RestsOnNotRechecked => (true, ""),
            Standing::NotRechecked => (false, " (not re-checked here)"),
            Standing::Refused(why) => {
                return Err(if path.is_empty() {
                    why.clone()
                } else {
                    format!("it rests on {}, and there: {why}", row.board)
                });
            }
        };
        if row.side == Side::Upper {
            if path.contains(&row.board) {
                return Err(format!("it rests on itself, by way of {}", row.board));
            }
            path.push(row.board.clone());
        }
        foundation.insert(format!("{} {}{mark}", row.kind, row.file));
        for Need { board, most } in row.needs()? {
            match self.upper(&board).filter(|below| below.value <= most) {
                Some(below) => here &= self.found(below, standings, path, foundation)?,
                None => {
                    return Err(format!(
                        "it rests on alpha({board}) <= {most}, which the ledger does not prove"
                    ));
                }
            }
        }
        path.pop();
        Ok(here)
    }
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

fn needs(shown: &bound::Shown) -> Vec<Need> {
    shown.needs().iter().map(|(board, most)| Need { board: board.clone(), most: *most }).collect()
}

/// What a file shows, checked.
fn shows(path: &Path) -> Result<(Kind, Shows), String> {
    let told = |fault: FileError| fault.to_string();
    if crate::bound::is_bound(path).map_err(told)? {
        let shown = crate::bound::check(path).map_err(|fault| fault.to_string())?;
        return Ok((Kind::OrbitLp, Shows::Bound(shown)));
    }
    if exact::is_proof(path).map_err(told)? {
        let proved = exact::check(path).map_err(|fault| fault.to_string())?;
        return Ok((Kind::Tree, Shows::Tree(proved.board().reduced(), boxes(&proved))));
    }
    let text = file::read(path).map_err(told)?;
    let certificate = Certificate::read(&text, &file::open).map_err(|fault| fault.to_string())?;
    if certificate.claim != Claim::IndependentSet {
        return Err(format!(
            "the ledger is for independent sets, and this is {}",
            certificate.claim.with_article()
        ));
    }
    verify::verify(&certificate).map_err(|fault| fault.to_string())?;
    Ok((Kind::Certificate, Shows::Certificate(certificate)))
}
