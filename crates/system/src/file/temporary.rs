//! Temporary files, which are removed when their writer ends. Files of a killed writer are removed by a later
//! one.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::Duration;

use nix::libc;
use tempfile::NamedTempFile;

use super::names::{LOCK, TEMPORARY, UNFINISHED};
use super::opened::{Held, each_held};
use super::path::{folder_of, is_at, not_there};

/// Temporary file with a name. It is removed on drop, and by [`remove_temporaries`], which is called before
/// the process is ended.
#[derive(Debug)]
pub struct Temporary(NamedTempFile);

impl Temporary {
    /// Creates a private file in the folder of temporary files.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn create() -> io::Result<Self> {
        let file = tempfile::Builder::new().prefix(TEMPORARY).suffix(UNFINISHED).tempfile()?;
        // The lock keeps other processes from removing the file as abandoned.
        let _ = file.as_file().lock();
        Ok(Self(file))
    }

    /// Creates a file that is to replace the file at `path`, in the same folder.
    ///
    /// It has the mode and the owner of that file if it exists, otherwise those of an ordinary new file. Also
    /// removes the temporary files that killed processes of the same user left in the folder.
    pub(crate) fn replacing(path: &Path) -> io::Result<Self> {
        create_temporary_for(path).map(Self)
    }

    /// Returns the open file.
    #[must_use]
    pub fn file(&self) -> &File {
        self.0.as_file()
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Renames the file to `path`, which is replaced if it exists.
    pub(crate) fn rename(self, path: &Path) -> io::Result<()> {
        self.0.persist(path).map(drop).map_err(|fault| fault.error)
    }
}

/// Removes the temporary files, locks and claims of this process, which is about to exit. Takes no lock, and
/// allocates memory only for very long names.
pub fn remove_temporaries() {
    each_held(|kind, path| {
        if kind != Held::Folder {
            // The file may have been renamed or removed concurrently.
            let _ = std::fs::remove_file(path);
        }
    });
}

/// Removes the temporary folders of this process, which is about to exit.
pub(crate) fn remove_folders() {
    each_held(|kind, path| {
        if kind == Held::Folder {
            // The folder may have been removed concurrently.
            let _ = std::fs::remove_dir_all(path);
        }
    });
}

/// Creates the file of [`Temporary::replacing`].
fn create_temporary_for(path: &Path) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(not_there(folder));
    }
    let created = create_temporary_in(folder);
    // Leaves out the temporary name, which the library adds to its message and which the user does not know.
    let created = created.map_err(|fault| match fault.kind() {
        io::ErrorKind::NotFound => {
            io::Error::new(fault.kind(), format!("no file can be created in {}", folder.display()))
        }
        kind => io::Error::from(kind),
    })?;
    // Fails on a file system without locks, where abandoned files are never removed.
    let _ = created.as_file().lock();
    let owner = created.as_file().metadata()?.uid();
    remove_abandoned(folder, owner);
    if let Ok(before) = path.metadata() {
        copy_attributes(created.as_file(), &before)?;
    }
    Ok(created)
}

/// Creates a temporary file in a folder, with the mode of an ordinary new file.
pub(crate) fn create_temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(UNFINISHED)
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

/// Sets the owner and the mode of a new file to those of the file that it is to replace.
fn copy_attributes(new: &File, before: &std::fs::Metadata) -> io::Result<()> {
    let now = new.metadata()?;
    if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
        let words = "it belongs to another user or group, which a new file cannot keep";
        std::os::unix::fs::fchown(new, Some(before.uid()), Some(before.gid()))
            .map_err(|fault| io::Error::new(fault.kind(), words))?;
    }
    new.set_permissions(Permissions::from_mode(before.mode() & 0o7777))
}

/// Removes the temporary files in a folder whose writers were killed: those of user `owner` that no process
/// has locked.
pub(crate) fn remove_abandoned(folder: &Path, owner: u32) {
    let remove_if_abandoned = |path: &Path| -> io::Result<()> {
        // Other kinds of files are not opened, because opening a named pipe blocks.
        let is_ours = |file: std::fs::Metadata| file.is_file() && file.uid() == owner;
        if !is_ours(path.symlink_metadata()?) {
            return Ok(());
        }
        let file =
            OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
        // A new file may not be locked yet, so its age must be at least a minute.
        let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age >= Duration::from_secs(60) && file.try_lock().is_ok() && is_at(&file, path) {
            std::fs::remove_file(path)?;
        }
        Ok(())
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(TEMPORARY) && (name.ends_with(UNFINISHED) || name.ends_with(LOCK)) {
            // Files that cannot be removed are kept.
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::write;

    #[test]
    fn removes_only_abandoned_temporary_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = [".ndq-a.tmp", ".ndq-b.lock", ".ndq-held.tmp", ".ndq-new.tmp", ".ndq-mine", "old"];
        let paths = names.map(|name| folder.path().join(name));
        let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
        let files = paths.each_ref().map(|path| File::create(path).expect("made"));
        for (file, _) in files.iter().zip(names).filter(|(_, name)| !name.contains("new")) {
            file.set_modified(long_ago).expect("set");
        }
        files[2].lock().expect("not locked by another process");
        // Neither is opened: opening the pipe would block, and the link leads to another file.
        let (pipe, link) = (folder.path().join(".ndq-pipe.tmp"), folder.path().join(".ndq-link.tmp"));
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("made");
        std::os::unix::fs::symlink("old", &link).expect("linked");
        write(&folder.path().join("a.txt"), |out| out.write_all(b"a")).expect("written");
        assert_eq!(paths.map(|path| path.exists()), [false, false, true, true, true, true]);
        assert!(pipe.exists() && link.is_symlink());
    }
}
