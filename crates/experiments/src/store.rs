//! The folder of an experiment: rows that survive whatever happens to those who write them.
//!
//! | file | is |
//! | --- | --- |
//! | `experiment.toml` | the experiment file as it was run last; what it starts from stands beside it as it did there |
//! | `plan.csv` | its runs in order; tables show these |
//! | `plan.csv.sha256` | the digest of `plan.csv`, as sha256sum writes it |
//! | `runs.jsonl` | the rows: one JSON object a line for each finished run, with its digest, in the order in which they finished |
//! | `runs-2.jsonl`, ... | the rows of further runners that worked at the same time |
//! | `claimed/` | which runs are made just now, and by whom |
//!
//! A runner appends rows to a file that is its own, in one write, and each is on disk before the next run begins. No locks are
//! needed: claims save work, and rows of one run that was made twice are held against each other.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_lab::parts;
use ndqueens_model::facts::reading;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_notation::name::file::Reading;
use ndqueens_record::machine;
use ndqueens_record::{self as record, Answer, Provenance, Question};
use ndqueens_system::claim::{self, Claim, Claimed, Claims};
use ndqueens_system::file::{self, FileError, digest};
use ndqueens_system::journal::{self, Line, Own};
use ndqueens_system::{lock, note};
use parking_lot::Mutex;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::definition::{Definition, Tables};
use crate::executor::{Point, Usage};
use crate::planned::{self, Planned};

/// The number of this layout of rows; a reader refuses others.
pub const LAYOUT: u32 = 1;

/// A finished run: a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// The version of this layout of rows.
    pub layout: u32,
    /// What was to be run.
    pub planned: Planned,
    /// What came out.
    pub answer: Answer,
    /// What the operating system says of the process.
    pub process: Usage,
    /// Why there is no answer, in words.
    pub failure: Option<String>,
    /// Incumbent and bound over time, as the solver told them.
    pub trace: Vec<Point>,
    /// What was run, where and when.
    pub provenance: Provenance,
}

/// Why a folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line of a file is not what belongs there.
    #[error("{}, line {line}: not what this version reads there: {fault}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// The board file of a row is not there, or is another one than it was.
    #[error("{}, line {line}: {fault}", path.display())]
    Board {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// A line of the plan is no run.
    #[error("{}, {fault}", path.display())]
    Plan {
        /// The plan.
        path: PathBuf,
        /// Its line, and what is wrong there.
        fault: csv::Error,
    },
    /// The plan is not the one that was written.
    #[error("{} has changed since it was written: {PLAN_DIGEST} next to it holds another digest", .0.display())]
    ChangedPlan(PathBuf),
    /// There is no experiment.
    #[error("{}: no folder of an experiment: it holds no plan.csv", .0.display())]
    NoPlan(PathBuf),
    /// The folder holds work in parts.
    #[error("{} is of work in parts: an experiment needs a folder of its own", .0.display())]
    OfParts(PathBuf),
}

impl StoreError {
    /// Whether the system failed, and not what was given.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::File(fault) if fault.is_failure())
    }
}

/// The folder, open for a runner.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    claims: Claims,
    own: Mutex<Own>,
    /// Up to where each file has been read.
    read: Mutex<HashMap<PathBuf, Read>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Read {
    bytes: u64,
    lines: usize,
}

fn refused(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> FileError + use<> {
    let path = path.to_owned();
    move |cause| FileError { verb, path: path.clone(), cause }
}

/// The names of the plan and of its digest.
const PLAN: &str = "plan.csv";
const PLAN_DIGEST: &str = "plan.csv.sha256";
/// The stem of the files of rows.
const ROWS: &str = "runs";

impl Store {
    /// Opens the folder for a runner; it is made if need be.
    ///
    /// # Errors
    /// When it cannot be made or written to, or holds the parts of a split, of a count or of colourings.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        if let Some(manifest) = parts::manifest(folder).filter(|_| !folder.join(PLAN).exists()) {
            return Err(StoreError::OfParts(manifest));
        }
        file::make_folder(folder)?;
        let claims = Claims::of(folder, machine::holder())?;
        let mut own = Own::open(folder, ROWS, &claims)?;
        own.ready()?;
        let (own, read) = (Mutex::new(own), Mutex::default());
        Ok(Self { path: folder.to_owned(), claims, own, read })
    }

    /// Keeps the experiment file with the certificates beside it that it starts from, and the plan as a CSV text.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn begin(&self, definition: &Definition, plan: &[Planned]) -> Result<(), FileError> {
        let plan_text = planned::csv(plan);
        let plan_path = self.path.join(PLAN);
        let alone = lock::exclusive(&plan_path)?;
        let sealed = format!("{}  {PLAN}\n", digest::of(&plan_text));
        for (name, text) in
            [("experiment.toml", &definition.text), (PLAN, &plan_text), (PLAN_DIGEST, &sealed)]
        {
            file::write_plain(&self.path.join(name), |out| out.write_all(text.as_bytes()))?;
        }
        drop(alone);
        let folder = definition.path.parent().unwrap_or(Path::new(""));
        let starts: HashSet<&Path> =
            plan.iter().filter_map(|run| run.question.start.file().map(Path::new)).collect();
        for start in starts.into_iter().filter(|start| start.is_file()) {
            let Ok(beside) = start.strip_prefix(folder) else { continue };
            if !beside.components().all(|part| matches!(part, Component::Normal(_))) {
                continue;
            }
            let (text, copy) = (file::read(start)?, self.path.join(beside));
            file::make_folder(copy.parent().unwrap_or(&self.path))?;
            file::write_plain(&copy, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    /// The rows that have been added since the last call, by whomever; all of them at first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn news(&self) -> Result<Vec<Finished>, StoreError> {
        let mut read = self.read.lock();
        let mut all = Vec::new();
        for path in journal::all(&self.path, ROWS)? {
            let (news, up_to) = appended(&path, read.get(&path).copied().unwrap_or_default())?;
            read.insert(path, up_to);
            all.extend(news);
        }
        Ok(all)
    }

    /// Claims a run; `None` when another runner has it.
    ///
    /// # Errors
    /// When the claim cannot be written.
    pub fn claim(&self, id: &str) -> Result<Option<Claim>, FileError> {
        self.claims.claim(id)
    }

    /// Adds a row: in full, or not at all.
    ///
    /// # Errors
    /// When it cannot be written; what was there stays as it was.
    pub fn add(&self, row: &Finished) -> Result<(), FileError> {
        self.own.lock().append(row)
    }
}

/// The rows of a file from there on, and up to where it has been read then.
fn appended(path: &Path, Read { bytes, lines }: Read) -> Result<(Vec<Finished>, Read), StoreError> {
    let mut text = Vec::new();
    file::open_plain(path)
        .and_then(|mut file| file.seek(SeekFrom::Start(bytes)).map(|_| file))
        .and_then(|mut file| file.read_to_end(&mut text))
        .map_err(refused("read", path))?;
    let whole = journal::whole_lines(&text);
    let rows = parse(path, &text[..whole], lines)?;
    let up_to = Read { bytes: bytes + whole as u64, lines: lines + rows.len() };
    Ok((rows, up_to))
}

/// Reads rows, after so many lines of the file, and tells of those without a digest.
fn parse(path: &Path, text: &[u8], before: usize) -> Result<Vec<Finished>, StoreError> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let unsealed = AtomicUsize::new(0);
    let rows: Vec<_> = lines
        .par_iter()
        .enumerate()
        .map(|(number, line)| parse_row(path, line, before + number + 1, &unsealed))
        .collect();
    let unsealed = unsealed.into_inner();
    if unsealed > 0 {
        let path = path.display();
        note::report(&format!(
            "{path}: {} {} no digest; damage to them may go unnoticed",
            counted(unsealed, "row"),
            if unsealed == 1 { "has" } else { "have" }
        ));
    }
    // The first fault in the file, whichever was found first.
    rows.into_iter().collect()
}

fn parse_row(
    path: &Path,
    line: &[u8],
    number: usize,
    unsealed: &AtomicUsize,
) -> Result<Finished, StoreError> {
    let malformed = |fault| StoreError::Malformed { path: path.to_owned(), line: number, fault };
    let bad_row = |fault: &str| malformed(format!("{fault}; a row that is taken out is made again"));
    let bad_board = |fault| StoreError::Board { path: path.to_owned(), line: number, fault };
    let object = match Line::of(line) {
        Line::Whole(object) => object,
        Line::Unsealed(object) => {
            unsealed.fetch_add(1, Relaxed);
            object.into_owned()
        }
        Line::Damaged => return Err(bad_row("it has changed since it was written")),
    };
    let row: Finished = serde_json::from_str(&object).map_err(|e| {
        if let Some(fault) = absent_board(&object) {
            return bad_board(fault);
        }
        let words = e.to_string();
        bad_row(words.rsplit_once(" at line ").map_or(&*words, |(fault, _)| fault))
    })?;
    if row.layout != LAYOUT {
        return Err(malformed(format!("its layout is {}; this version reads layout {LAYOUT}", row.layout)));
    }
    let Question { board, board_sha256, .. } = &row.planned.question;
    if *board_sha256 != record::board_digest(board) {
        return Err(bad_board(format!(
            "{board} has changed since this run; put it back, or begin another folder"
        )));
    }
    match row.planned.fault().or_else(|| absurd(&row)) {
        Some(fault) => Err(bad_row(&fault)),
        None => Ok(row),
    }
}

/// Why the board file of a row cannot be read, if that is so.
fn absent_board(object: &str) -> Option<String> {
    let row: serde_json::Value = serde_json::from_str(object).ok()?;
    let board = row.pointer("/planned/question/board")?.as_str()?;
    let (_, path) = Reading::split(board)?;
    let fault = BoardName::parse_with(board, &file::open).err()?.to_string();
    let fault = fault.lines().next().unwrap_or_default();
    Some(if Path::new(path).exists() {
        format!("{fault}; the file has changed since this run")
    } else {
        format!("{fault}; board files are looked for from the folder that ndq runs in, as in the run")
    })
}

/// More seconds than any run takes.
const TOO_LONG: f64 = 1e12;

/// What no clock shows.
fn absurd(row: &Finished) -> Option<String> {
    let Finished { answer, process, .. } = row;
    let seconds = [answer.wall_seconds, answer.cpu_seconds, process.wall_seconds, process.cpu_seconds];
    let absurd = seconds.into_iter().find(|seconds| !(0.0..TOO_LONG).contains(seconds))?;
    Some(format!("it took {absurd:?} seconds"))
}

/// An experiment's folder, as it was found.
#[derive(Debug)]
pub struct Found {
    /// The title of the experiment.
    pub title: String,
    /// How the experiment file wants it evaluated.
    pub tables: Tables,
    /// The rows of its plan, in the order of the plan; the last one where a run was made again.
    pub rows: Vec<Finished>,
    /// How many runs of the plan have no row.
    pub missing: usize,
    /// All other rows with an answer that was given: those of runs that are not in the plan, and those that were replaced.
    pub others: Vec<Finished>,
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

#[derive(Deserialize)]
struct Head {
    title: String,
    #[serde(default)]
    tables: Tables,
}

/// The text of a plan, of which nothing was lost.
fn plan_text(folder: &Path) -> Result<String, StoreError> {
    let (path, digest) = (folder.join(PLAN), folder.join(PLAN_DIGEST));
    let text = file::read_plain(&path)?;
    if !digest.exists() {
        let path = path.display();
        note::report(&format!(
            "{path}: there is no {PLAN_DIGEST} next to it, so that lost rows may remain unnoticed"
        ));
    } else if file::read_plain(&digest)?.split_whitespace().next() != Some(&*digest::of(&text)) {
        return Err(StoreError::ChangedPlan(path));
    }
    Ok(text)
}

/// All rows of a folder, in the order in which they finished, as far as the clocks of the runners agree.
fn rows(folder: &Path) -> Result<Vec<Finished>, StoreError> {
    let paths = journal::all(folder, ROWS)?;
    let mut all = Vec::new();
    for path in &paths {
        let (rows, up_to) = appended(path, Read::default())?;
        if path.metadata().is_ok_and(|file| file.len() > up_to.bytes) {
            let path = path.display();
            note::report(&format!(
                "{path}: the last line is incomplete and is left out; ndq lab run makes its run again"
            ));
        }
        all.extend(rows);
    }
    if paths.len() > 1 {
        all.sort_by(|a, b| a.provenance.date.cmp(&b.provenance.date));
    }
    Ok(all)
}

/// The runs that are made just now in the folder of an experiment with these rows, and by whom.
///
/// # Errors
/// When the folder cannot be read.
pub fn running(folder: &Path, rows: &[Finished]) -> Result<Vec<Claimed>, FileError> {
    let mut claimed = claim::all(folder, &machine::holder())?;
    // A runner may have been killed after it wrote a row and before it gave up the claim.
    let done: HashSet<&str> =
        rows.iter().filter(|row| row.failure.is_none()).map(|row| row.planned.id.as_str()).collect();
    claimed.retain(|claim| !claim.key.ends_with(".jsonl") && !done.contains(claim.key.as_str()));
    Ok(claimed)
}

/// Reads the folder of an experiment.
///
/// # Errors
/// When there is none, or a file of it cannot be read.
pub fn read(folder: &Path) -> Result<Found, StoreError> {
    let plan = folder.join(PLAN);
    if !plan.is_file() {
        return Err(StoreError::NoPlan(folder.to_owned()));
    }
    let ids = reading::parse_rows::<Id>(&plan_text(folder)?);
    let ids = ids.map_err(|fault| StoreError::Plan { path: plan, fault })?;
    let mut last = HashMap::new();
    let mut others = Vec::new();
    for row in rows(folder)? {
        // A failure that was made again is done with.
        others.extend(last.insert(row.planned.id.clone(), row).filter(|row| row.failure.is_none()));
    }
    let experiment = folder.join("experiment.toml");
    let head = file::read_plain(&experiment)?;
    let Head { title, tables } = toml::from_str(&head).map_err(|e| StoreError::Malformed {
        path: experiment,
        line: 1 + head[..e.span().map_or(0, |span| span.start)].matches('\n').count(),
        fault: e.message().to_owned(),
    })?;
    let rows: Vec<_> = ids.iter().filter_map(|Id { id }| last.remove(id)).collect();
    others.extend(last.into_values());
    others.sort_by(|a, b| a.planned.id.cmp(&b.planned.id));
    Ok(Found { title, tables, missing: ids.len() - rows.len(), rows, others })
}
