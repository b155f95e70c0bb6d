//! Store of finished parts of a long computation, used between runs.

use std::fmt;
use std::io::{self, BufRead, Write};

/// Store of named texts. Texts that it returns are not trusted: they are checked together with the proof.
pub trait WorkStore: Sync + fmt::Debug {
    /// Opens the text of the given name. Returns `None` if no such text is stored.
    ///
    /// # Errors
    /// Returns an error if the text is stored but cannot be opened.
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>>;

    /// Stores the text that `fill` writes under the given name, atomically.
    ///
    /// # Errors
    /// Returns an error if the text cannot be written.
    fn store(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// Reports that the text of the given name cannot be used, with the reason. The work is then repeated.
    fn reject(&self, name: &str, reason: &str);
}
