//! Checks of texts that may be compressed.

use std::io::{self, BufRead, Read};

use ndqueens_system::file::packed;

/// Text that returns an error once its check is to stop.
struct Stoppable<'s, T> {
    text: T,
    stop: &'s (dyn Fn() -> bool + Sync),
}

impl<T: BufRead> Read for Stoppable<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

impl<T: BufRead> BufRead for Stoppable<'_, T> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if (self.stop)() { Err(io::ErrorKind::TimedOut.into()) } else { self.text.fill_buf() }
    }

    fn consume(&mut self, bytes: usize) {
        self.text.consume(bytes);
    }
}

/// Passes the uncompressed text to a checker. If the checker rejects a compressed text, reads it to its end,
/// where its checksum is, because a damaged file must not be reported as wrong.
///
/// # Errors
/// Returns the error of the checker, or that of a text that cannot be read.
pub fn check_unpacked<T, E: From<io::Error>>(
    text: &mut dyn BufRead,
    stop: &(dyn Fn() -> bool + Sync),
    check: impl FnOnce(&mut dyn BufRead) -> Result<T, E>,
) -> Result<T, E> {
    let is_packed = text.fill_buf()?.starts_with(&packed::MAGIC);
    let mut text = Stoppable { text: packed::read(text)?, stop };
    let checked = check(&mut text);
    if is_packed && checked.is_err() {
        io::copy(&mut text, &mut io::sink())?;
    }
    checked
}
