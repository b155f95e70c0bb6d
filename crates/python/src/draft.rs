//! Proofs that get their file name only after the check.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek as _, Write};
use std::path::PathBuf;

use flate2::Compression;
use ndqueens_crosscheck::proof::{self, ProofError, ProofResult};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::{Control, StoppableReader};
use ndqueens_system::file::{self, Unfinished, packed};
use pyo3::PyResult;

use crate::fault::{Failure, engine, file};

/// Proof that is written and then checked. It is compressed if its file name ends in `.gz`, and temporary if
/// it has no file name.
pub(crate) struct Draft {
    unfinished: Option<Unfinished>,
    file: File,
    is_packed: bool,
}

impl Draft {
    pub(crate) fn new(path: Option<&PathBuf>) -> PyResult<Self> {
        let unfinished = path.map(|path| Unfinished::beside(path)).transpose().map_err(file)?;
        let opened = match &unfinished {
            Some(unfinished) => unfinished.file().try_clone(),
            None => tempfile::tempfile(),
        };
        let is_packed = path.is_none_or(|path| packed::is_name(path));
        Ok(Self { unfinished, file: opened.map_err(engine)?, is_packed })
    }

    /// Writes the proof by `fill` and flushes it.
    pub(crate) fn write<T>(
        &self,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut out = BufWriter::new(&self.file);
        let filled = if self.is_packed {
            packed::write(&mut out, Compression::default(), fill)
        } else {
            fill(&mut out)
        }?;
        out.flush()?;
        Ok(filled)
    }

    /// Checks the proof, and renames it to its file name if it proves the bound `at_most` for `board`.
    /// Returns `None` if the control stopped the check.
    pub(crate) fn finish(
        self,
        board: &BoardName,
        at_most: u64,
        control: &Control,
    ) -> PyResult<Option<ProofResult>> {
        let refused =
            |words: String| Failure::new_err(format!("the proof of the exact engine was refused: {words}"));
        (&self.file).rewind().map_err(engine)?;
        match read(BufReader::new(&self.file), control) {
            Err(_) if control.is_stopped() => Ok(None),
            Err(fault) => Err(refused(fault.to_string())),
            Ok(proved) if *proved.board() == *board && proved.at_most() == Some(at_most) => {
                self.unfinished.map_or(Ok(()), Unfinished::finish).map_err(file)?;
                Ok(Some(proved))
            }
            Ok(_) => Err(refused("it shows something else than was found".to_owned())),
        }
    }
}

/// Checks a proof, which may be compressed, until the control stops the check.
///
/// # Errors
/// Returns an error at the first invalid step.
pub(crate) fn read(text: impl BufRead, control: &Control) -> Result<ProofResult, ProofError> {
    let text = packed::read(text)?;
    let read_board = |name: &str| BoardName::parse_with(name, &file::open);
    proof::check(BufReader::new(StoppableReader { reader: text, control }), &read_board)
}
