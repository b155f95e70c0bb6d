//! Files that get their name only after a check.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;

use super::{FileError, Named, Unfinished, packed};

/// File on the way to its name, packed if the name ends in `.gz`. Without a name, it is a packed temporary
/// file for a check alone.
#[derive(Debug)]
pub struct Draft {
    unfinished: Option<Unfinished>,
    file: File,
    /// Path for messages.
    path: PathBuf,
}

impl Draft {
    /// Creates an empty draft of the file `keep`.
    ///
    /// # Errors
    /// Returns an error if no file can be created in the folder of `keep`, or in that of temporary files.
    pub fn new(keep: Option<&Path>) -> Result<Self, FileError> {
        let unfinished = keep.map(Unfinished::beside).transpose()?;
        let path = keep.map_or_else(std::env::temp_dir, Path::to_owned);
        let file = match &unfinished {
            Some(unfinished) => unfinished.file().try_clone(),
            None => tempfile::tempfile(),
        };
        let file = file.map_err(|cause| FileError::new("write", &path, cause))?;
        Ok(Self { unfinished, file, path })
    }

    /// Writes the contents by `fill`, and returns its result.
    ///
    /// # Errors
    /// Returns an error, which names the file, if it cannot be written, or the error of `fill`.
    pub fn write<T>(&self, fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>) -> io::Result<T> {
        let mut file = BufWriter::new(Named::new(&self.file, &self.path));
        let filled = match &self.unfinished {
            Some(_) if !packed::is_name(&self.path) => fill(&mut file)?,
            Some(_) => packed::write(&mut file, Compression::default(), fill)?,
            // A temporary file need not be small.
            None => packed::write(&mut file, Compression::fast(), fill)?,
        };
        file.flush()?;
        Ok(filled)
    }

    /// Returns the uncompressed contents, from the first byte on.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn text(&self) -> io::Result<impl BufRead + '_> {
        (&self.file).rewind()?;
        packed::read(BufReader::new(&self.file))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// Returns an error if the file cannot be synced or renamed.
    pub fn persist(self) -> Result<(), FileError> {
        self.unfinished.map_or(Ok(()), Unfinished::finish)
    }
}
