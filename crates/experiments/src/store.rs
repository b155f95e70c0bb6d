//! Folder of an experiment. Its rows survive crashes of the runners that write them.
//!
//! | file | contents |
//! | --- | --- |
//! | `experiment.toml` | experiment file of the last batch; certificates from which runs start keep their relative paths |
//! | `plan.csv` | planned runs in order; tables show these |
//! | `plan.csv.sha256` | digest of `plan.csv` in the format of sha256sum |
//! | `runs.jsonl` | rows: one JSON object per line and finished run, with its digest, in order of completion |
//! | `runs-2.jsonl`, ... | rows of further runners that worked at the same time |
//! | `claimed/` | claims of the runs that are being executed |
//!
//! A runner appends rows to its own file, each row in one write, and each is on disk before the next run
//! starts. Locks are not needed: claims avoid duplicate work, and several rows of the same run are compared
//! with each other.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_model::facts::reading;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_notation::name::file::Reading;
use ndqueens_system::claim::{self, Claim, Claimed, Claims};
use ndqueens_system::file::{self, FileError, digest};
use ndqueens_system::journal::{self, Line, Own};
use ndqueens_system::lock;
use ndqueens_system::note::Notes;
use ndqueens_workflow::parts;
use ndqueens_workflow::record::machine;
use ndqueens_workflow::record::{self as record, Answer, Provenance, Question};
use parking_lot::Mutex;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::definition::{Definition, Tables};
use crate::error::ExperimentError;
use crate::executor::{Point, Usage};
use crate::planned::{self, Planned};

/// Version of the layout of rows; a reader rejects others.
pub const LAYOUT: u32 = 1;

/// Row of a finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// Version of the layout of rows.
    pub layout: u32,
    /// Run that was planned.
    pub planned: Planned,
    /// Answer of the run.
    pub answer: Answer,
    /// Resource usage of the process, as reported by the operating system.
    pub process: Usage,
    /// Reason in words why there is no answer.
    pub failure: Option<String>,
    /// Incumbent and bound over time, as reported by the solver.
    pub trace: Vec<Point>,
    /// Program version, machine and date of the run.
    pub provenance: Provenance,
}

/// Folder of an experiment, opened for a runner.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    claims: Claims,
    own: Mutex<Own>,
    notes: Notes,
    /// Position up to which each file has been read.
    read: Mutex<HashMap<PathBuf, Read>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Read {
    bytes: u64,
    lines: usize,
}

fn file_error(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> FileError + use<> {
    let path = path.to_owned();
    move |cause| FileError { verb, path: path.clone(), cause }
}

/// File names of the plan and of its digest.
const PLAN: &str = "plan.csv";
const PLAN_DIGEST: &str = "plan.csv.sha256";
/// Stem of the names of files with rows.
const ROWS: &str = "runs";

impl Store {
    /// Opens the folder for a runner and creates it if necessary.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created or written to, or holds the parts of a split, of a
    /// count or of colourings.
    pub fn open(folder: &Path, notes: &Notes) -> Result<Self, ExperimentError> {
        if let Some(manifest) = parts::manifest(folder).filter(|_| !folder.join(PLAN).exists()) {
            return Err(ExperimentError::OfParts(manifest));
        }
        file::make_folder(folder)?;
        let claims = Claims::of(folder, machine::holder())?;
        let mut own = Own::open(folder, ROWS, &claims)?;
        own.ready()?;
        let (own, read) = (Mutex::new(own), Mutex::default());
        Ok(Self { path: folder.to_owned(), claims, own, notes: notes.clone(), read })
    }

    /// Stores the experiment file, copies of the certificates in its folder from which runs start, and the
    /// plan as CSV.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn begin(&self, definition: &Definition, plan: &[Planned]) -> Result<(), FileError> {
        plan.iter().for_each(|run| self.notes.report_all(run.question.board.notes()));
        let plan_text = planned::csv(plan);
        let plan_path = self.path.join(PLAN);
        let alone = lock::exclusive(&plan_path, &self.notes)?;
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

    /// Returns the rows added by any runner since the last call; the first call returns all rows.
    ///
    /// # Errors
    /// Returns an error if a file of rows cannot be read.
    pub fn news(&self) -> Result<Vec<Finished>, ExperimentError> {
        let mut read = self.read.lock();
        let mut all = Vec::new();
        for path in journal::all(&self.path, ROWS)? {
            let Appended { rows: news, up_to, .. } =
                read_appended(&path, read.get(&path).copied().unwrap_or_default(), &self.notes)?;
            read.insert(path, up_to);
            all.extend(news);
        }
        Ok(all)
    }

    /// Claims a run. Returns `None` if another runner has claimed it.
    ///
    /// # Errors
    /// Returns an error if the claim cannot be written.
    pub fn claim(&self, id: &str) -> Result<Option<Claim>, FileError> {
        self.claims.claim(id)
    }

    /// Appends a row, completely or not at all.
    ///
    /// # Errors
    /// Returns an error if it cannot be written; earlier rows are unchanged.
    pub fn add(&self, row: &Finished) -> Result<(), FileError> {
        self.own.lock().append(row)
    }
}

/// Rows that were added to a file.
struct Appended {
    rows: Vec<Finished>,
    /// End of the complete lines.
    up_to: Read,
    /// `true` if an incomplete line follows them.
    has_incomplete_line: bool,
}

/// Reads the rows of a file from a position. Returns them with the new position.
fn read_appended(
    path: &Path,
    Read { bytes, lines }: Read,
    notes: &Notes,
) -> Result<Appended, ExperimentError> {
    let mut text = Vec::new();
    file::open_plain(path)
        .and_then(|mut file| file.seek(SeekFrom::Start(bytes)).map(|_| file))
        .and_then(|mut file| file.read_to_end(&mut text))
        .map_err(file_error("read", path))?;
    let whole = journal::whole_lines(&text);
    let rows = parse(path, &text[..whole], lines, notes)?;
    let up_to = Read { bytes: bytes + whole as u64, lines: lines + rows.len() };
    Ok(Appended { rows, up_to, has_incomplete_line: whole < text.len() })
}

/// Parses the rows that follow `before` lines of the file, and reports how many of them have no digest.
fn parse(path: &Path, text: &[u8], before: usize, notes: &Notes) -> Result<Vec<Finished>, ExperimentError> {
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
        notes.report(&format!(
            "{path}: {} {} no digest; damage to them may go unnoticed",
            counted(unsealed, "row"),
            if unsealed == 1 { "has" } else { "have" }
        ));
    }
    // Collecting returns the first fault in order of lines, although they are parsed in parallel.
    rows.into_iter().collect()
}

fn parse_row(
    path: &Path,
    line: &[u8],
    number: usize,
    unsealed: &AtomicUsize,
) -> Result<Finished, ExperimentError> {
    let malformed = |fault| ExperimentError::Malformed { path: path.to_owned(), line: number, fault };
    let bad_row = |fault: &str| malformed(format!("{fault}; a row that is taken out is made again"));
    let bad_board = |fault| ExperimentError::Board { path: path.to_owned(), line: number, fault };
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

/// Returns the reason why the board file of a row cannot be read, or `None` if it can or the row has none.
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

/// Upper limit for plausible times, in seconds.
const TOO_LONG: f64 = 1e12;

/// Returns a fault if a time of the row is negative or implausibly long.
fn absurd(row: &Finished) -> Option<String> {
    let Finished { answer, process, .. } = row;
    let seconds = [answer.wall_seconds, answer.cpu_seconds, process.wall_seconds, process.cpu_seconds];
    let absurd = seconds.into_iter().find(|seconds| !(0.0..TOO_LONG).contains(seconds))?;
    Some(format!("it took {absurd:?} seconds"))
}

/// Contents of an experiment's folder.
#[derive(Debug)]
pub struct Found {
    /// Title of the experiment.
    pub title: String,
    /// Settings of the evaluation from the experiment file.
    pub tables: Tables,
    /// Rows of the runs in the plan, in the order of the plan; the last row of a run that was repeated.
    pub rows: Vec<Finished>,
    /// Number of runs of the plan without a row.
    pub missing: usize,
    /// Other rows that matter for contradictions: those of runs that are not in the plan, and replaced rows
    /// that are not failures.
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

/// Reads the plan and checks its digest, if there is one.
fn plan_text(folder: &Path, notes: &Notes) -> Result<String, ExperimentError> {
    let (path, digest) = (folder.join(PLAN), folder.join(PLAN_DIGEST));
    let text = file::read_plain(&path)?;
    if !digest.exists() {
        let path = path.display();
        notes.report(&format!(
            "{path}: there is no {PLAN_DIGEST} next to it, so that lost rows may remain unnoticed"
        ));
    } else if file::read_plain(&digest)?.split_whitespace().next() != Some(&*digest::of(&text)) {
        return Err(ExperimentError::ChangedPlan { path, digest: PLAN_DIGEST });
    }
    Ok(text)
}

/// Reads all rows of a folder, in the order in which they finished as far as the clocks of the runners agree.
fn rows(folder: &Path, notes: &Notes) -> Result<Vec<Finished>, ExperimentError> {
    let paths = journal::all(folder, ROWS)?;
    let mut all = Vec::new();
    for path in &paths {
        let Appended { rows, has_incomplete_line, .. } = read_appended(path, Read::default(), notes)?;
        if has_incomplete_line {
            let path = path.display();
            notes.report(&format!(
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

/// Returns the claims of the runs that are executed at the moment in the folder of an experiment with these
/// rows.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn running(folder: &Path, rows: &[Finished]) -> Result<Vec<Claimed>, FileError> {
    let mut claimed = claim::all(folder, &machine::holder())?;
    // A runner may have been killed between writing a row and releasing the claim.
    let done: HashSet<&str> =
        rows.iter().filter(|row| row.failure.is_none()).map(|row| row.planned.id.as_str()).collect();
    claimed.retain(|claim| !claim.key.ends_with(".jsonl") && !done.contains(claim.key.as_str()));
    Ok(claimed)
}

/// Reads the folder of an experiment.
///
/// # Errors
/// Returns an error if there is no experiment, or one of its files cannot be read.
pub fn read(folder: &Path, notes: &Notes) -> Result<Found, ExperimentError> {
    let plan = folder.join(PLAN);
    if !plan.is_file() {
        return Err(ExperimentError::NoPlan(folder.to_owned()));
    }
    let ids = reading::parse_rows::<Id>(&plan_text(folder, notes)?);
    let ids = ids.map_err(|fault| ExperimentError::Plan { path: plan, fault })?;
    let mut last = HashMap::new();
    let mut others = Vec::new();
    for row in rows(folder, notes)? {
        notes.report_all(row.planned.question.board.notes());
        // A failure whose run was repeated is dropped.
        others.extend(last.insert(row.planned.id.clone(), row).filter(|row| row.failure.is_none()));
    }
    let experiment = folder.join("experiment.toml");
    let head = file::read_plain(&experiment)?;
    let Head { title, tables } = toml::from_str(&head).map_err(|e| ExperimentError::Malformed {
        path: experiment,
        line: 1 + head[..e.span().map_or(0, |span| span.start)].matches('\n').count(),
        fault: e.message().to_owned(),
    })?;
    let rows: Vec<_> = ids.iter().filter_map(|Id { id }| last.remove(id)).collect();
    others.extend(last.into_values());
    others.sort_by(|a, b| a.planned.id.cmp(&b.planned.id));
    Ok(Found { title, tables, missing: ids.len() - rows.len(), rows, others })
}
