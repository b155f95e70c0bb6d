//! Files that are there in full or not at all.
//!
//! A file is written under a temporary name, synced, renamed, and its folder synced. It keeps the mode and the owner of the
//! file that it replaces, and a symbolic link stays one: the file that it leads to is replaced or made.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, Write};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use tempfile::NamedTempFile;

use crate::fault::FileError;
use crate::packed;
use crate::path::{folder_of, not_plain, target};
use crate::temporary::{Temporary, temporary_beside};

/// Writes a file under a temporary name beside it and renames it when it is complete and on disk. The file is compressed by
/// gzip if its name ends in `.gz`. Returns what `fill` returns.
///
/// # Errors
/// Returns an error if the folder does not exist or is not writable, the disk is full, or `fill` fails; then nothing is left
/// behind.
pub fn write<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, FileError> {
    write_as_it_is(path, |out| match packed::is_name(path) {
        true => packed::write(out, Compression::default(), fill),
        false => fill(out),
    })
}

/// Writes a file like [`write()`], but without compressing it: for contents that are compressed already.
///
/// # Errors
/// Returns an error in the same cases as [`write()`].
pub fn write_as_it_is<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, FileError> {
    let unfinished = Unfinished::beside(path)?;
    let filled = unfinished.write(fill)?;
    unfinished.finish()?;
    Ok(filled)
}

/// Writes a file of a folder that programs fill: the same, and what has its name must be a plain file, for a pipe would be
/// waited for.
///
/// # Errors
/// Those of [`write()`], and when something else has the name.
pub fn write_plain<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, FileError> {
    ensure_plain(path)?;
    write(path, fill)
}

fn ensure_plain(path: &Path) -> Result<(), FileError> {
    if path.exists() && !path.is_file() && !path.is_dir() {
        return Err(FileError::new("write", path, not_plain()));
    }
    Ok(())
}

/// Makes a folder, and those that it is in, if need be.
///
/// # Errors
/// When it cannot be made.
pub fn make_folder(folder: &Path) -> Result<(), FileError> {
    let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let new: Vec<&Path> = folder.ancestors().take_while(missing).collect();
    let made = std::fs::create_dir_all(folder);
    made.and_then(|()| new.iter().try_for_each(|new| sync_folder(folder_of(new)))).map_err(|cause| {
        let told = match cause.kind() {
            io::ErrorKind::AlreadyExists => io::Error::new(cause.kind(), "it is a file, not a folder"),
            io::ErrorKind::NotADirectory => {
                io::Error::new(cause.kind(), "what it would be in is a file, not a folder")
            }
            _ => cause,
        };
        FileError::new("write", folder, told)
    })
}

/// Puts the names in a folder on disk, if it can be opened and the file system does such a thing.
fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(fault) if matches!(fault.kind(), InvalidInput | PermissionDenied | Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Finds out, before long work for it begins, whether a file could be written.
///
/// # Errors
/// When the folder is not there or not writable, or the name is that of a folder.
pub fn writable(path: &Path) -> Result<(), FileError> {
    Unfinished::beside(path).map(drop)
}

/// The same of a file that is read, changed and replaced, which is a plain file.
///
/// # Errors
/// Those of [`writable`], and when something else has the name.
pub fn replaceable(path: &Path) -> Result<(), FileError> {
    ensure_plain(path)?;
    writable(path)
}

/// A file under a temporary name beside its own; it is gone when dropped. What is there and is no file, such as a pipe or a
/// device, is not replaced but written to at the end.
#[derive(Debug)]
pub struct Unfinished {
    temporary: Temporary,
    path: PathBuf,
    /// The file that is replaced or made; nothing when what is there is no file.
    at: Option<PathBuf>,
}

impl Unfinished {
    /// Begins a file.
    ///
    /// # Errors
    /// When no file can be made beside it.
    pub fn beside(path: &Path) -> Result<Self, FileError> {
        let begun = || {
            let at = target(path)?;
            if at.metadata().is_ok_and(|there| there.file_type().is_socket()) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a socket"));
            }
            let at = (!at.exists() || at.is_file() || at.is_dir()).then_some(at);
            let temporary = at.as_deref().map_or_else(NamedTempFile::new, temporary_beside)?;
            Ok((Temporary::new(temporary), at))
        };
        let (temporary, at) = begun().map_err(|cause| FileError::new("write", path, cause))?;
        Ok(Self { temporary, path: path.to_owned(), at })
    }

    /// The open file.
    #[must_use]
    pub fn file(&self) -> &File {
        self.temporary.file()
    }

    /// Writes what `fill` writes.
    ///
    /// # Errors
    /// When the disk is full, or `fill` fails.
    pub fn write<T>(
        &self,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> Result<T, FileError> {
        let in_full = || {
            let mut out = BufWriter::new(self.file());
            let filled = fill(&mut out)?;
            out.flush().map(|()| filled)
        };
        in_full().map_err(|cause| FileError::new("write", &self.path, cause))
    }

    /// Gives the file its name when it is on disk.
    ///
    /// # Errors
    /// When it cannot be synced or renamed.
    pub fn finish(self) -> Result<(), FileError> {
        let Self { temporary, path, at } = self;
        let finished = || {
            if let Some(at) = at {
                temporary.file().sync_all()?;
                temporary.rename(&at)?;
                return sync_folder(folder_of(&at));
            }
            temporary.file().rewind()?;
            io::copy(&mut temporary.file(), &mut OpenOptions::new().write(true).open(&path)?).map(drop)
        };
        finished().map_err(|cause| FileError::new("write", &path, cause))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;
    use crate::input::read;
    use crate::path::are_one;

    #[test]
    fn a_file_that_fails_half_way_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        let error = write(&path, |out| {
            out.write_all(b"half")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert!(error.expect_err("failed").to_string().contains("no more"));
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
        write(&path, |out| out.write_all(b"whole")).expect("written");
        assert_eq!(read(&path).expect("read"), "whole");
        for refused in [folder.path().to_owned(), folder.path().join("none/a.txt")] {
            assert!(write(&refused, |_| Ok(())).is_err());
            assert!(writable(&refused).is_err());
        }
        writable(&path).expect("may be written again");
        let fault = make_folder(&path).expect_err("a file").to_string();
        assert!(fault.ends_with("it is a file, not a folder"), "{fault}");
        let fault = make_folder(&path.join("b")).expect_err("in a file").to_string();
        assert!(fault.ends_with("is a file, not a folder"), "{fault}");
        assert_eq!(read(&path).expect("untouched"), "whole");
    }

    #[test]
    fn a_file_in_the_place_of_another_has_its_mode_and_owner() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        for mode in [0o600, 0o640, 0o664, 0o755, 0o444] {
            std::fs::write(&path, "old").expect("written");
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("set");
            // Nobody but root may give a file away.
            let given = std::os::unix::fs::chown(&path, Some(4711), Some(4712)).is_ok();
            let before = path.metadata().expect("there");
            write(&path, |out| out.write_all(b"new")).expect("written");
            let after = path.metadata().expect("there");
            assert_eq!(read(&path).expect("read"), "new");
            assert_eq!((after.uid(), after.gid(), after.mode()), (before.uid(), before.gid(), before.mode()));
            assert!(!given || after.uid() == 4711);
            std::fs::remove_file(&path).expect("there");
        }
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_makes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let [inner, link, circle] = ["inner", "link", "circle"].map(|name| folder.path().join(name));
        make_folder(&inner).expect("made");
        std::os::unix::fs::symlink("inner/file", &link).expect("linked");
        std::os::unix::fs::symlink("circle", &circle).expect("linked");
        write(&link, |out| out.write_all(b"new")).expect("written");
        assert!(link.is_symlink());
        assert_eq!(read(&inner.join("file")).expect("made"), "new");
        assert!(write(&circle, |out| out.write_all(b"new")).is_err());
    }

    #[test]
    fn two_names_of_one_file_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, new] = ["file", "link", "new"].map(|name| folder.path().join(name));
        write(&file, |out| out.write_all(b"a")).expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        assert!(are_one(&file, &link) && are_one(&new, &folder.path().join("./new")));
        assert!(!are_one(&file, &new) && !are_one(Path::new("/dev/null"), Path::new("/dev/null")));
    }

    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, device] = ["file", "link", "device"].map(|name| folder.path().join(name));
        write(&file, |out| out.write_all(b"old")).expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        std::os::unix::fs::symlink("/dev/full", &device).expect("linked");
        write(&link, |out| out.write_all(b"new")).expect("written");
        assert_eq!(read(&file).expect("read"), "new");
        let full = write(&device, |out| out.write_all(b"new")).expect_err("it is always full");
        assert_eq!(full.cause.kind(), io::ErrorKind::StorageFull);
        write(Path::new("/dev/null"), |out| out.write_all(b"new")).expect("written");
        assert!(link.is_symlink() && device.is_symlink());
        assert!(!Path::new("/dev/full").is_file() && !Path::new("/dev/null").is_file());
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 3);
    }
}
