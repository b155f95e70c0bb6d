//! Folder of work in parts. A manifest identifies the work, so that parts of other work are not mixed in.

use std::path::{Path, PathBuf};

use ndqueens_system::file::{self, FileError};
use ndqueens_system::lock;
use ndqueens_system::note::Notes;

/// File names of the manifests of a split, of a count, of the colourings of a board, and of branch-and-bound
/// trees on LPs.
pub(crate) const SPLIT_MANIFEST: &str = "split.json";
pub(crate) const COUNT_MANIFEST: &str = "count.json";
pub(crate) const COLOURING_MANIFEST: &str = "colourings.json";
pub(crate) const TREE_MANIFEST: &str = "trees.txt";

/// Returns the manifest of the work in parts that a folder holds, if there is any.
#[must_use]
pub fn manifest(folder: &Path) -> Option<PathBuf> {
    [SPLIT_MANIFEST, COUNT_MANIFEST, COLOURING_MANIFEST, TREE_MANIFEST]
        .map(|name| folder.join(name))
        .into_iter()
        .find(|path| path.exists())
}

/// Starts work in a folder, which is created if it is missing, or resumes it there. Returns `None` if the
/// folder holds the work of this manifest, and the other manifest if it holds other work.
///
/// # Errors
/// Returns an error if the folder cannot be created, or the manifest cannot be read or written.
pub(crate) fn begin(
    folder: &Path,
    name: &str,
    manifest: &str,
    notes: &Notes,
) -> Result<Option<String>, FileError> {
    file::make_folder(folder)?;
    let path = folder.join(name);
    let _alone = lock::exclusive(&path, notes)?;
    if path.exists() {
        let found = file::read_plain(&path)?;
        return Ok((found.trim() != manifest.trim()).then_some(found));
    }
    file::write(&path, |out| out.write_all(manifest.as_bytes()))?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_resumed_and_other_work_is_refused() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().join("work");
        assert_eq!(begin(&folder, "manifest", "one\n", &Notes::default()).expect("made"), None);
        assert_eq!(begin(&folder, "manifest", "one\n", &Notes::default()).expect("there"), None);
        assert_eq!(
            begin(&folder, "manifest", "other\n", &Notes::default()).expect("there"),
            Some("one\n".to_owned())
        );
        assert_eq!(file::read(&folder.join("manifest")).expect("there"), "one\n");
    }
}
