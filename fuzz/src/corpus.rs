//! Seed texts, which are files of this repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Largest size of a seed in bytes.
const LONGEST: u64 = 6_000;

/// Returns the root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the texts of the short files below a folder with one of these extensions, sorted by path.
///
/// # Panics
/// Panics if a folder or file cannot be read.
#[must_use]
pub fn files(folder: &str, extensions: &[&str]) -> Vec<Vec<u8>> {
    paths(folder, extensions)
        .iter()
        .map(|path| fs::read(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display())))
        .collect()
}

/// Returns the paths of the short files below a folder with one of these extensions, sorted.
pub(crate) fn paths(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join(folder)]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
        for entry in entries {
            let path = entry.expect("a readable entry").path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.contains(&&*extension)
                && path.metadata().is_ok_and(|about| about.len() <= LONGEST)
            {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{folder} has no short file with an extension of {extensions:?}");
    found
}

/// Returns the first lines of a file.
///
/// # Panics
/// Panics if the file cannot be read.
#[must_use]
pub fn head(file: &str, lines: usize) -> Vec<u8> {
    let text = fs::read(root().join(file)).unwrap_or_else(|fault| panic!("{file}: {fault}"));
    text.split_inclusive(|&byte| byte == b'\n').take(lines).collect::<Vec<_>>().concat()
}
