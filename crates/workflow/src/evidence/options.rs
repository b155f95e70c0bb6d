//! Options of a check.

use std::fmt;
use std::path::{Path, PathBuf};

use ndqueens_model::import::Convention;
use ndqueens_model::variant::Goal;
use ndqueens_notation::name::BoardName;
use ndqueens_system::memory;
use ndqueens_system::note::Notes;

use crate::run::PriorResults;

/// Options of a check. Each kind of file states by [`check_options`](super::Evidence::check_options) which of
/// them apply to it.
#[derive(Clone, Copy)]
pub struct CheckOptions<'a> {
    /// Board of the file; required if the file does not name its board.
    pub board: Option<&'a BoardName>,
    /// Notation of the squares.
    pub convention: Convention,
    /// Question that the file answers, if another program wrote it.
    pub answer: AnswerOptions<'a>,
    /// `true` if the verified checker must accept the file, too.
    pub verified: bool,
    /// `true` if the file is to be written again in its native form.
    pub rewrites: bool,
    /// Polled during the check, which stops if it returns `true`.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Number of threads.
    pub threads: usize,
    /// Earlier results, from which rows of a formula may take their right-hand sides.
    pub prior: &'a PriorResults,
    /// Destination of notes about board files.
    pub notes: &'a Notes,
    /// Returns the memory that a model may use, in bytes.
    pub memory: fn() -> u64,
    /// Receives remarks on files with included squares.
    pub remark: &'a dyn Fn(&str),
}

impl fmt::Debug for CheckOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckOptions")
            .field("board", &self.board)
            .field("convention", &self.convention)
            .field("answer", &self.answer)
            .field("verified", &self.verified)
            .field("rewrites", &self.rewrites)
            .finish_non_exhaustive()
    }
}

/// Question that the answer of another program is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnswerOptions<'a> {
    /// File of the model that the program read.
    pub model: Option<&'a Path>,
    /// Formulation of the model.
    pub formulation: Option<&'a str>,
    /// `true` if the file is a colouring.
    pub coloured: bool,
    /// Goal of the model.
    pub goal: Option<Goal>,
    /// Certificate of squares that the solution must contain.
    pub include: Option<&'a Path>,
}

impl AnswerOptions<'_> {
    /// Returns `true` if the options state that the file is the answer of another program.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.formulation.is_some() || self.model.is_some() || self.coloured
    }
}

impl<'a> CheckOptions<'a> {
    /// Creates the options of a file in its native form.
    #[must_use]
    pub fn new(
        stop: &'a (dyn Fn() -> bool + Sync),
        threads: usize,
        prior: &'a PriorResults,
        notes: &'a Notes,
    ) -> Self {
        Self {
            board: None,
            convention: Convention::Native,
            answer: AnswerOptions::default(),
            verified: false,
            rewrites: false,
            stop,
            threads,
            prior,
            notes,
            memory: memory::for_models,
            remark: &|_| {},
        }
    }

    /// Checks that no option is given that only applies to squares: another notation, a question, or a file
    /// to write.
    ///
    /// # Errors
    /// Returns an error if such an option is given.
    pub fn refuse_squares(&self, name: &Path) -> Result<(), OptionsError> {
        match self.rewrites || self.answer.is_given() || !self.convention.is_native() {
            true => Err(OptionsError::Squares(name.to_owned())),
            false => Ok(()),
        }
    }

    /// Checks that the verified checker is not requested, for a file that it does not read.
    ///
    /// # Errors
    /// Returns an error if it is requested.
    pub fn refuse_verified(&self, name: &Path) -> Result<(), OptionsError> {
        if self.verified { Err(OptionsError::Verified(name.to_owned())) } else { Ok(()) }
    }
}

/// Error of an option that does not apply to a file.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    /// Option for files with squares.
    #[error("{} is not a certificate: -o, --as, --model and -f are for certificates and solution files", .0.display())]
    Squares(PathBuf),
    /// Request for the verified checker.
    #[error(
        "{}: --verified is for proofs of ndq prove --proof, bounds of ndq lp certify -o and certificates of independent sets in the native form",
        .0.display()
    )]
    Verified(PathBuf),
    /// Options that do not apply to files of this kind.
    #[error("{} is {kind}: {options} are for other files", name.display())]
    Other {
        /// Path of the file.
        name: PathBuf,
        /// Kind of the file with its article, or "not a certificate".
        kind: &'static str,
        /// Names of the options.
        options: &'static str,
    },
}
