//! Run records: one JSON object per solve or proof, with everything that is needed to repeat and to judge it.

mod answer;
mod flat;
pub mod machine;
mod outcome;
mod provenance;
mod question;
mod separated;
mod start;
pub mod verdict;

use std::path::{Path, PathBuf};

use ndqueens_system::file::{self, FileError};
use ndqueens_system::lock;
use ndqueens_system::note::Notes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use answer::Answer;
pub use outcome::{Outcome, Stop};
pub use provenance::{COMMIT, Provenance};
pub use question::{
    CountMethod, Engine, Question, QuestionError, SquareWeight, Task, board_digest, deserialize_board,
};
pub use separated::Separated;
pub use start::Start;
pub use verdict::Verdict;

/// Version of the layout of records. Other versions are rejected.
pub const LAYOUT: u32 = 1;

/// Record of one run. Values that the backend cannot report or that do not apply are absent.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Version of the layout of the record.
    pub layout: u32,
    /// Question of the run.
    pub question: Question,
    /// Answer of the run.
    pub answer: Answer,
    /// Version, machine and date of the run.
    pub provenance: Provenance,
}

/// Reason why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The text is not a record.
    #[error("{}: not a run record that can be run again: {fault}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// The fault, with line and column.
        fault: String,
    },
}

impl Record {
    /// Returns the record of a run that has just ended on this machine.
    #[must_use]
    pub fn new(question: Question, answer: Answer) -> Self {
        Self { layout: LAYOUT, question, answer, provenance: Provenance::here() }
    }

    /// Creates the folder for records if it does not exist, and checks that files can be written into it.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created or written to.
    pub fn make_folder(folder: &Path) -> Result<(), FileError> {
        file::make_folder(folder)?;
        file::writable(&folder.join("record.json"))
    }

    /// Writes the record into a folder, which is created if it does not exist. The file name contains the
    /// date, the command, the board, the formulation and the seed. Returns the path of the file.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created or written to.
    pub fn store(&self, folder: &Path, notes: &Notes) -> Result<PathBuf, FileError> {
        Self::make_folder(folder)?;
        let Question { task, board, seed, .. } = &self.question;
        let formulation = Path::new(self.question.formulation())
            .file_stem()
            .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let command = match task {
            Task::Solve { .. } => "solve",
            Task::Prove { .. } => "prove",
        };
        let date = self.provenance.date.replace([':', '-'], "");
        let board = board.to_string();
        let board = board.rsplit('/').next().unwrap_or_default().replace(':', "_");
        let stem = format!("{date}-{command}-{board}-{formulation}-{seed}");
        let name = |n: u32| if n == 1 { format!("{stem}.json") } else { format!("{stem}-{n}.json") };
        // Records of the same second get different names.
        let _alone = lock::exclusive(&folder.join(name(1)), notes)?;
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
    /// Returns an error if the file cannot be read or is not a record of this layout, or if its board file
    /// cannot be read or has changed.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let malformed = |fault: String| RecordError::Malformed { path: path.to_owned(), fault };
        let record: Self = serde_json::from_str(&file::read(path)?).map_err(|fault| {
            malformed(if fault.is_data() {
                fault.to_string()
            } else {
                format!("it is not JSON (line {}, column {})", fault.line(), fault.column())
            })
        })?;
        if record.layout != LAYOUT {
            return Err(malformed(format!(
                "its layout is {}; this version reads layout {LAYOUT}",
                record.layout
            )));
        }
        let Question { board, board_sha256, .. } = &record.question;
        if *board_sha256 != board_digest(board) {
            return Err(malformed(format!("{board} has changed since the run: its digest is another one")));
        }
        Ok(record)
    }
}
