//! Temporary files: they are gone when their writer is, however that ends.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::Duration;

use nix::libc;
use tempfile::NamedTempFile;

use crate::path::{folder_of, is_at, not_there};

/// A temporary file with a name that goes when it is dropped, or when the process is ended and [`remove_temporaries`] is
/// called before.
#[derive(Debug)]
pub struct Temporary(Option<NamedTempFile>);

/// The names of the temporary files of this process.
pub(crate) static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

impl Temporary {
    /// Registers a temporary file, so that it goes with the process.
    #[must_use]
    pub fn new(file: NamedTempFile) -> Self {
        TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).insert(file.path().to_owned());
        Self(Some(file))
    }

    fn inner(&self) -> &NamedTempFile {
        self.0.as_ref().expect("it is there until it is renamed or dropped")
    }

    /// The open file.
    #[must_use]
    pub fn file(&self) -> &File {
        self.inner().as_file()
    }

    /// Its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.inner().path()
    }

    pub(crate) fn rename(mut self, path: &Path) -> io::Result<()> {
        let Some(file) = self.forget() else { return Ok(()) };
        file.persist(path).map(drop).map_err(|fault| fault.error)
    }

    fn forget(&mut self) -> Option<NamedTempFile> {
        let file = self.0.take()?;
        TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).remove(file.path());
        Some(file)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.forget();
    }
}

/// Removes the temporary files of this process, which is about to be ended.
pub fn remove_temporaries() {
    // Who holds the list may be what cannot go on.
    for _ in 0..10 {
        let names = match TEMPORARIES.try_lock() {
            Ok(names) => names,
            Err(TryLockError::Poisoned(names)) => names.into_inner(),
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
        };
        for path in &*names {
            // It may have been renamed or removed just now.
            let _ = std::fs::remove_file(path);
        }
        return;
    }
}

/// A temporary file with the mode and the owner of the file that it is to replace, or with those of an ordinary new file.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(not_there(folder));
    }
    let made = new_temporary(folder);
    // The temporary name, which the library adds, says nothing to the user.
    let made = made.map_err(|fault| match fault.kind() {
        io::ErrorKind::NotFound => {
            io::Error::new(fault.kind(), format!("no file can be made in {}", folder.display()))
        }
        kind => io::Error::from(kind),
    })?;
    // A file system without locks keeps what is abandoned.
    let _ = made.as_file().lock();
    let owner = made.as_file().metadata()?.uid();
    remove_abandoned(folder, owner);
    if let Ok(before) = path.metadata() {
        keep_attributes(made.as_file(), &before)?;
    }
    Ok(made)
}

/// A temporary file in a folder, with the mode of an ordinary new file.
pub(crate) fn new_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(UNFINISHED)
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

/// Gives a new file the owner and the mode of the one that it is to replace.
fn keep_attributes(new: &File, before: &std::fs::Metadata) -> io::Result<()> {
    let now = new.metadata()?;
    if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
        let words = "it belongs to another user or group, which a file in its place would not";
        std::os::unix::fs::fchown(new, Some(before.uid()), Some(before.gid()))
            .map_err(|fault| io::Error::new(fault.kind(), words))?;
    }
    new.set_permissions(Permissions::from_mode(before.mode() & 0o7777))
}

/// Removes the temporary files in a folder whose writers were killed: those that this user made and nobody holds a lock on.
/// Done once for each folder.
pub(crate) fn remove_abandoned(folder: &Path, owner: u32) {
    static DONE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !DONE.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    let remove_if_abandoned = |path: &Path| -> io::Result<()> {
        // What is no plain file, such as a pipe, is not even opened.
        let is_ours = |file: std::fs::Metadata| file.is_file() && file.uid() == owner;
        if !is_ours(path.symlink_metadata()?) {
            return Ok(());
        }
        let file =
            OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
        // A new one may not be locked yet.
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
            // What cannot be removed stays.
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

/// What names of temporary files beside others begin with.
pub const TEMPORARY: &str = ".ndq-";

/// What names of files that are being written end with.
pub(crate) const UNFINISHED: &str = ".tmp";

/// What names of locks end with.
pub(crate) const LOCK: &str = ".lock";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic::write;

    #[test]
    fn what_a_killed_writer_left_goes_and_what_is_being_written_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = [".ndq-a.tmp", ".ndq-b.lock", ".ndq-held.tmp", ".ndq-new.tmp", ".ndq-mine", "old"];
        let paths = names.map(|name| folder.path().join(name));
        let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
        let files = paths.each_ref().map(|path| File::create(path).expect("made"));
        for (file, _) in files.iter().zip(names).filter(|(_, name)| !name.contains("new")) {
            file.set_modified(long_ago).expect("set");
        }
        files[2].lock().expect("nobody else has it");
        // Neither is opened: the one would wait for a writer, the other leads elsewhere.
        let (pipe, link) = (folder.path().join(".ndq-pipe.tmp"), folder.path().join(".ndq-link.tmp"));
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("made");
        std::os::unix::fs::symlink("old", &link).expect("linked");
        write(&folder.path().join("a.txt"), |out| out.write_all(b"a")).expect("written");
        assert_eq!(paths.map(|path| path.exists()), [false, false, true, true, true, true]);
        assert!(pipe.exists() && link.is_symlink());
    }
}
