//! SHA-256 digests in hexadecimal.

use std::io;

use sha2::{Digest as _, Sha256};

/// Returns the digest of `bytes` in hexadecimal.
///
/// # Examples
/// ```
/// use ndqueens_system::file::digest;
///
/// assert!(digest::of("abc").starts_with("ba7816bf"));
/// ```
#[must_use]
pub fn of(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// Writer that computes the digest of the bytes written to it.
#[derive(Debug, Clone, Default)]
pub struct Digester(Sha256);

impl Digester {
    /// Adds bytes to the digest.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes written, in hexadecimal.
    #[must_use]
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

impl io::Write for Digester {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
