//! Atomic writes: a file exists in full or not at all.
//!
//! A file is written under a temporary name, synced and renamed, and its folder is synced. It receives the
//! mode and the owner of the file that it replaces. A symbolic link is kept: the file that it leads to is
//! replaced or created.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, Write};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use flate2::Compression;

use super::error::FileError;
use super::packed;
use super::path::{folder_of, not_plain, target};
use super::temporary::Temporary;

/// Writes a file under a temporary name in the same folder and renames it when it is complete and on disk.
///
/// The file is compressed by gzip if its name ends in `.gz`. Returns the result of `fill`.
///
/// # Errors
/// Returns an error if the folder does not exist or is not writable, the disk is full, or `fill` fails. The
/// temporary file is then removed.
pub fn write<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, FileError> {
    write_as_it_is(path, |out| match packed::is_name(path) {
        true => packed::write(out, Compression::default(), fill),
        false => fill(out),
    })
}

/// Writes a file as [`write()`] does, but without compressing it. The contents may be compressed already.
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

/// Writes a file as [`write()`] does, but only if the path does not exist or is a plain file.
///
/// This is for folders that programs fill, where opening a named pipe would block.
///
/// # Errors
/// Returns an error in the same cases as [`write()`], and if the path exists and is not a plain file.
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

/// Creates a folder and its missing parent folders.
///
/// # Errors
/// Returns an error if the folder cannot be created.
pub fn make_folder(folder: &Path) -> Result<(), FileError> {
    let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let new: Vec<&Path> = folder.ancestors().take_while(missing).collect();
    let created = std::fs::create_dir_all(folder);
    created.and_then(|()| new.iter().try_for_each(|new| sync_folder(folder_of(new)))).map_err(|cause| {
        let described = match cause.kind() {
            io::ErrorKind::AlreadyExists => io::Error::new(cause.kind(), "it is a file, not a folder"),
            io::ErrorKind::NotADirectory => {
                io::Error::new(cause.kind(), "its parent is a file, not a folder")
            }
            _ => cause,
        };
        FileError::new("write", folder, described)
    })
}

/// Syncs the directory entries of a folder to disk, if the folder can be opened and the file system supports
/// it.
fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(fault) if matches!(fault.kind(), InvalidInput | PermissionDenied | Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Checks that a file could be written, before a long computation of its contents starts.
///
/// # Errors
/// Returns an error if the folder does not exist or is not writable, or the path is a folder.
pub fn writable(path: &Path) -> Result<(), FileError> {
    Unfinished::beside(path).map(drop)
}

/// Checks that a plain file could be read, changed and replaced.
///
/// # Errors
/// Returns an error in the same cases as [`writable`], and if the path exists and is not a plain file.
pub fn replaceable(path: &Path) -> Result<(), FileError> {
    ensure_plain(path)?;
    writable(path)
}

/// File that is being written under a temporary name in the folder of its target. It is removed on drop.
///
/// If the target exists and is not a plain file, for example a pipe or a device, it is not replaced: the
/// contents are copied to it at the end.
#[derive(Debug)]
pub struct Unfinished {
    temporary: Temporary,
    path: PathBuf,
    /// Path of the file that is replaced or created; `None` if the target exists and is not a plain file.
    target: Option<PathBuf>,
}

impl Unfinished {
    /// Creates the temporary file of the target `path`.
    ///
    /// # Errors
    /// Returns an error if no file can be created in the folder of the target.
    pub fn beside(path: &Path) -> Result<Self, FileError> {
        let create = || {
            let resolved = target(path)?;
            if resolved.metadata().is_ok_and(|metadata| metadata.file_type().is_socket()) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a socket"));
            }
            let is_replaced = !resolved.exists() || resolved.is_file() || resolved.is_dir();
            let target = is_replaced.then_some(resolved);
            let temporary = target.as_deref().map_or_else(Temporary::create, Temporary::replacing)?;
            Ok((temporary, target))
        };
        let (temporary, target) = create().map_err(|cause| FileError::new("write", path, cause))?;
        Ok(Self { temporary, path: path.to_owned(), target })
    }

    /// Returns the open temporary file.
    #[must_use]
    pub fn file(&self) -> &File {
        self.temporary.file()
    }

    /// Calls `fill` with a buffered writer of the file and returns its result.
    ///
    /// # Errors
    /// Returns an error if the disk is full or `fill` fails.
    pub fn write<T>(
        &self,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> Result<T, FileError> {
        let write_all = || {
            let mut out = BufWriter::new(self.file());
            let filled = fill(&mut out)?;
            out.flush().map(|()| filled)
        };
        write_all().map_err(|cause| FileError::new("write", &self.path, cause))
    }

    /// Syncs the file to disk and renames it to its target.
    ///
    /// # Errors
    /// Returns an error if the file cannot be synced or renamed, or not copied to a target that is not a
    /// plain file.
    pub fn finish(self) -> Result<(), FileError> {
        let Self { temporary, path, target } = self;
        let replace = || {
            if let Some(target) = target {
                temporary.file().sync_all()?;
                temporary.rename(&target)?;
                return sync_folder(folder_of(&target));
            }
            temporary.file().rewind()?;
            io::copy(&mut temporary.file(), &mut OpenOptions::new().write(true).open(&path)?).map(drop)
        };
        replace().map_err(|cause| FileError::new("write", &path, cause))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;
    use crate::file::{are_one, read};

    #[test]
    fn failed_write_leaves_no_file() {
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
    fn replacement_keeps_mode_and_owner() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        for mode in [0o600, 0o640, 0o664, 0o755, 0o444] {
            std::fs::write(&path, "old").expect("written");
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("set");
            // Only root may change the owner of a file.
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
    fn writing_through_a_dangling_link_creates_its_target() {
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
    fn recognises_two_names_of_one_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, new] = ["file", "link", "new"].map(|name| folder.path().join(name));
        write(&file, |out| out.write_all(b"a")).expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        assert!(are_one(&file, &link) && are_one(&new, &folder.path().join("./new")));
        assert!(!are_one(&file, &new) && !are_one(Path::new("/dev/null"), Path::new("/dev/null")));
    }

    #[test]
    fn keeps_links_and_devices() {
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
