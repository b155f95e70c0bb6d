//! Bounds by the orbit LP as files, checked by crosscheck in exact arithmetic.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use ndqueens_crosscheck::bound::{self, BoundError, Shown};
use ndqueens_files::FileError;

/// `1 inequality that adds up to 1`, `7 inequalities that add up to 245 1/3`
#[must_use]
pub fn added_up(rows: u64, sum: &str) -> String {
    match rows {
        1 => format!("1 inequality that adds up to {sum}"),
        _ => format!("{rows} inequalities that add up to {sum}"),
    }
}

/// What the file of a bound begins with.
pub(crate) const HEADER: &[u8] = b"ndqueens bound";

/// Whether a file is a bound, by its first bytes.
///
/// # Errors
/// When the file cannot be read.
pub fn is_bound(path: &Path) -> Result<bool, FileError> {
    let first = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(14).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    first().map(|first| first == HEADER).map_err(|cause| FileError::new("read", path, cause))
}

/// Checks the bound in a file.
///
/// # Errors
/// When the file cannot be read, or at the first line that is not accepted.
pub fn check(path: &Path) -> Result<Shown, BoundError> {
    bound::check(BufReader::new(File::open(path)?))
}
