//! Run records: one JSON object for every solve and prove, with all that is needed to run it again and to judge it.

use std::io;
use std::path::{Path, PathBuf};

use ndqueens_model::certificate::Certificate;
use ndqueens_model::format::Format;
use ndqueens_model::ilp::Program;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::{Options, Outcome, Run};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest as _, Sha256};

use crate::file::{self, FileError};
use crate::machine;
use crate::verdict::Verdict;

/// The number of this layout of records; a reader refuses others.
pub const LAYOUT: u32 = 1;

/// One run. Absent values are those that the backend cannot report or that do not apply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`LAYOUT`].
    pub layout: u32,
    /// What was asked.
    pub question: Question,
    /// What came out.
    pub answer: Answer,
    /// What was run, where and when.
    pub provenance: Provenance,
}

/// Everything that defines a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// `solve` or `prove`.
    pub command: Command,
    /// The board; its name in the record, and a board file is opened again when the record is read.
    #[serde(deserialize_with = "opened")]
    pub board: BoardName,
    /// SHA-256 of the board file, when the board has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_sha256: Option<String>,
    /// The recipe: its name, or the path of its file.
    pub formulation: String,
    /// The least number of queens asked for, when that was the goal.
    pub at_least: Option<u64>,
    /// The largest number of queens asked for, when that was the goal.
    pub at_most: Option<u64>,
    /// The exact number of queens asked for, when that was the goal.
    pub exactly: Option<u64>,
    /// The number claimed to be the maximum, for `prove`.
    pub claimed: Option<u64>,
    /// Squares that had to be part of the solution.
    pub include: Vec<Vec<u32>>,
    /// Which rows were kept: `all`, `distinct` or `undominated`.
    pub rows_kept: String,
    /// The warm start: `none`, `cut`, `greedy`, or the path of a certificate.
    pub start: String,
    /// Whether published right sides were taken as given.
    pub assume_reported: bool,
    /// What proved the upper bound, for `prove`: `exact`, or `highs` for the integer programme.
    #[serde(default = "highs")]
    pub engine: String,
    /// The backend: its name, or the command that is run.
    #[serde(default = "highs")]
    pub backend: String,
    /// The solver's seed.
    pub seed: u32,
    /// The solver's threads.
    pub threads: u32,
    /// Wall-clock limit in seconds.
    pub time_limit_seconds: Option<f64>,
    /// Node limit.
    pub node_limit: Option<u64>,
    /// Presolve on or off, when not left to the solver.
    pub presolve: Option<bool>,
    /// Symmetry detection on or off, when not left to the solver.
    pub symmetry: Option<bool>,
}

/// Engine and backend of records that do not name them.
fn highs() -> String {
    "highs".to_owned()
}

/// Which workflow ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// [`crate::solve`]
    Solve,
    /// [`crate::prove`]
    Prove,
}

/// What a run gave.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Name and version of the solver; absent when none was needed.
    pub solver: Option<String>,
    /// Why the run stopped.
    pub stop: String,
    /// `optimal`, `infeasible`, `feasible` or `unknown`; for `prove`: `proved`, `solved`, `conditional`, `refuted` or `open`.
    pub outcome: String,
    /// Queens of the best checked solution.
    pub incumbent: Option<i64>,
    /// The dual bound as the solver states it (float).
    pub dual_bound: Option<f64>,
    /// The bound on the number of queens that the run proves, rounded to an integer.
    pub proved_bound: Option<i64>,
    /// What proves the bound.
    pub proof: Option<String>,
    /// Bounds of smaller boards, shown in this run, that the bound rests on.
    #[serde(default)]
    pub lemmas: Vec<String>,
    /// Bounds that nothing in this run shows, archived or published, and that the bound rests on.
    pub conditions: Vec<String>,
    /// The optimum of the LP relaxation (float).
    pub root_lp_bound: Option<f64>,
    /// Branch-and-bound nodes.
    pub nodes: Option<u64>,
    /// Simplex iterations.
    pub lp_iterations: Option<u64>,
    /// Wall-clock seconds of the solve.
    pub wall_seconds: f64,
    /// Processor seconds of the solve, model building included.
    pub cpu_seconds: f64,
    /// The most memory that the process held, in bytes.
    pub peak_memory_bytes: Option<u64>,
    /// Rows of the model.
    pub model_rows: Option<u64>,
    /// Columns of the model.
    pub model_columns: Option<u64>,
    /// Nonzeros of the model.
    pub model_nonzeros: Option<u64>,
    /// SHA-256 of the model's LP file.
    pub model_sha256: Option<String>,
    /// The certificate's text, checked.
    pub certificate: Option<String>,
    /// SHA-256 of the certificate's text.
    pub certificate_sha256: Option<String>,
    /// What the answer is worth.
    pub verdict: Option<Verdict>,
}

/// Where a record comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of the workbench.
    pub version: String,
    /// Commit of the workbench.
    pub commit: String,
    /// The host.
    pub host: String,
    /// When the run ended, in UTC.
    pub date: String,
}

impl Provenance {
    /// This build, on this host, now.
    #[must_use]
    pub fn here() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: git_version::git_version!(
                args = ["--always", "--abbrev=12", "--dirty=-modified"],
                fallback = "unknown"
            )
            .to_owned(),
            host: machine::host(),
            date: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        }
    }
}

impl Question {
    /// A question with the solver's settings filled in and nothing else asked.
    #[must_use]
    pub fn new(command: Command, board: &BoardName, formulation: &str, options: &Options) -> Self {
        Self {
            command,
            board: board.clone(),
            board_sha256: digest(board),
            formulation: formulation.to_owned(),
            at_least: None,
            at_most: None,
            exactly: None,
            claimed: None,
            include: Vec::new(),
            rows_kept: "all".to_owned(),
            start: "none".to_owned(),
            assume_reported: false,
            engine: highs(),
            backend: highs(),
            seed: options.seed,
            threads: options.threads.unwrap_or(1),
            time_limit_seconds: options.time_limit.map(|limit| limit.as_secs_f64()),
            node_limit: options.node_limit,
            presolve: options.presolve,
            symmetry: options.symmetry,
        }
    }

    /// The number of queens asked for, when there is one.
    #[must_use]
    pub fn asked(&self) -> Option<u64> {
        self.at_least.or(self.at_most).or(self.exactly)
    }
}

pub(crate) fn opened<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardName, D::Error> {
    BoardName::read(&String::deserialize(deserializer)?, &file::open).map_err(serde::de::Error::custom)
}

pub(crate) fn digest(board: &BoardName) -> Option<String> {
    match board {
        BoardName::File(file) => Some(file.digest()),
        _ => None,
    }
}

impl Answer {
    /// Takes over what the solver reports of a run.
    pub fn note_run(&mut self, run: &Run) {
        self.solver = Some(run.solver.clone());
        self.stop = run.stop.to_string();
        self.dual_bound = run.dual_bound.filter(|bound| bound.is_finite());
        self.nodes = run.nodes;
        self.lp_iterations = run.lp_iterations;
        self.wall_seconds += run.seconds;
        let (outcome, bound) = match &run.outcome {
            Outcome::Optimal { value, .. } => ("optimal", Some(*value)),
            Outcome::Infeasible => ("infeasible", None),
            Outcome::Feasible { bound, .. } => ("feasible", *bound),
            Outcome::Unknown { bound } => ("unknown", *bound),
        };
        self.outcome = outcome.to_owned();
        self.proved_bound = bound;
    }

    /// Takes over the size of a model and the digest of its LP file.
    pub fn note_model(&mut self, program: &dyn Program) {
        let (rows, nonzeros) =
            program.rows().fold((0, 0), |(rows, all), row| (rows + 1, all + row.columns.len() as u64));
        self.model_rows = Some(rows);
        self.model_columns = Some(program.columns().len() as u64);
        self.model_nonzeros = Some(nonzeros);
        let mut digest = Digester(Sha256::new());
        Format::Lp.write(program, &mut digest).expect("a digest takes everything");
        self.model_sha256 = Some(hex(&digest.0.finalize()));
    }

    /// Takes over a checked certificate.
    pub fn note_certificate(&mut self, certificate: &Certificate) {
        let text = certificate.to_string();
        self.incumbent = i64::try_from(certificate.size()).ok();
        self.certificate_sha256 = Some(digest_of(&text));
        self.certificate = Some(text);
    }
}

/// The SHA-256 digest of some bytes, in hexadecimal digits.
pub(crate) fn digest_of(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

struct Digester(Sha256);

impl io::Write for Digester {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The text is not a record.
    #[error("{}: not a run record that can be run again: {fault}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        fault: String,
    },
}

impl Record {
    /// Makes the folder for records if need be, and finds out whether they can be written into it.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn make_folder(folder: &Path) -> Result<(), FileError> {
        file::make_folder(folder)?;
        file::writable(&folder.join("record.json"))
    }

    /// Writes the record into a folder, which is made if need be, under a name that tells what was run and when.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn store(&self, folder: &Path) -> Result<PathBuf, FileError> {
        Self::make_folder(folder)?;
        let Question { board, formulation, seed, .. } = &self.question;
        let recipe =
            Path::new(formulation).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let command = match self.question.command {
            Command::Solve => "solve",
            Command::Prove => "prove",
        };
        let date = self.provenance.date.replace([':', '-'], "");
        let board = board.to_string();
        let board = board.rsplit('/').next().unwrap_or_default().replace(':', "_");
        let stem = format!("{date}-{command}-{board}-{recipe}-{seed}");
        let name = |n: u32| if n == 1 { format!("{stem}.json") } else { format!("{stem}-{n}.json") };
        // Two that are made in one second get two names.
        let _alone = file::exclusive(&folder.join(name(1)))?;
        let path =
            (1..).map(|n| folder.join(name(n))).find(|path| !path.exists()).expect("names do not run out");
        file::write(&path, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            writeln!(out)
        })?;
        Ok(path)
    }

    /// Reads a record.
    ///
    /// # Errors
    /// When the file cannot be read or is not a record of this layout, or its board file cannot be read or has changed.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let malformed = |fault: String| RecordError::Malformed { path: path.to_owned(), fault };
        let record: Self = serde_json::from_str(&file::read(path)?).map_err(|e| malformed(e.to_string()))?;
        if record.layout != LAYOUT {
            return Err(malformed(format!(
                "its layout is {}; this version reads layout {LAYOUT}",
                record.layout
            )));
        }
        let Question { board, board_sha256, .. } = &record.question;
        if *board_sha256 != digest(board) {
            return Err(malformed(format!("{board} has changed since the run: its digest is another one")));
        }
        Ok(record)
    }
}
