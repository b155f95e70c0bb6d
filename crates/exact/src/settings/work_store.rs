//! Finished pieces of a long computation, kept between runs.

use std::fmt;
use std::io::{self, BufRead, Write};

/// Keeps texts under names. Nothing that it returns is trusted: it is checked with the proof.
pub trait WorkStore: Sync + fmt::Debug {
    /// Opens the text of a name. Returns `None` if no text of this name was stored.
    ///
    /// # Errors
    /// Returns an error if the text is there but cannot be opened.
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>>;

    /// Stores the text that `fill` writes under a name, in full or not at all.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    fn store(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// Reports that the text of a name cannot be used, and why; the work is done again.
    fn refuse(&self, name: &str, why: &str);
}
