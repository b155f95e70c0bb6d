//! Exclusive locks for files that are read, changed and replaced.
//!
//! The lock is a lock of the operating system on a hidden file in the same folder, so it is released when its
//! holder ends, also if that is killed. The holder removes the hidden file before it releases the lock, and a
//! process that acquires the lock checks that the hidden file still exists. A hidden file that a killed
//! holder leaves is harmless.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use nix::libc;

use crate::file::{FileError, LOCK, TEMPORARY, folder_of, is_at, not_plain, not_there, target};
use crate::note::Notes;

/// Exclusive lock on a file, released on drop.
#[derive(Debug)]
#[must_use = "the file is free again when this is dropped"]
pub struct Guard(Option<(File, PathBuf)>);

/// Time to wait for other writers of a file.
const PATIENCE: Duration = Duration::from_secs(60);

/// Interval between two attempts to acquire a lock.
const PACE: Duration = Duration::from_millis(10);

/// Locks a file exclusively. Waits at most a minute for another process to release it.
///
/// Anything read from the file before must be read again. On a file system without locks, nothing is locked
/// and a note is reported.
///
/// # Errors
/// Returns an error if the folder does not exist or is not writable, the path exists and is not a plain file,
/// or another process does not release the lock in time.
pub fn exclusive(path: &Path, notes: &Notes) -> Result<Guard, FileError> {
    exclusive_within(path, PATIENCE, notes)
}

/// Locks a file exclusively, without waiting for other processes.
///
/// # Errors
/// Returns an error in the same cases as [`exclusive`], and if another process holds the lock.
pub fn exclusive_now(path: &Path, notes: &Notes) -> Result<Guard, FileError> {
    exclusive_within(path, Duration::ZERO, notes)
}

/// Locks a file exclusively, waiting at most `patience` for other processes.
fn exclusive_within(path: &Path, patience: Duration, notes: &Notes) -> Result<Guard, FileError> {
    let lock_error = |cause| FileError::new("lock", path, cause);
    let resolved = target(path).map_err(lock_error)?;
    if resolved.exists() && !resolved.is_file() {
        return Err(lock_error(not_plain()));
    }
    let lock = lock_path(&resolved).map_err(lock_error)?;
    let begin = Instant::now();
    loop {
        let mut file = open(&lock).map_err(lock_error)?;
        match file.try_lock() {
            Ok(()) if is_at(&file, &lock) => {
                // The id is read for the error message of processes that give up waiting.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Guard(Some((file, lock))));
            }
            // The previous holder has removed the file, so the lock is on a deleted file.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if begin.elapsed() < patience => thread::sleep(PACE),
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.take(20).read_to_string(&mut holder);
                let since = match patience.is_zero() {
                    true => "is changing it".to_owned(),
                    false => format!("has been changing it for more than {} s", patience.as_secs()),
                };
                let words = format!("process {holder} {since} (lock file {})", lock.display());
                return Err(lock_error(io::Error::new(io::ErrorKind::WouldBlock, words)));
            }
            Err(TryLockError::Error(fault)) => {
                let _ = std::fs::remove_file(&lock);
                notes.report(&format!(
                    "{}: this file system has no locks ({fault}); let one command at a time change the file",
                    path.display()
                ));
                return Ok(Guard(None));
            }
        }
    }
}

/// Returns the path of the hidden file that is locked in place of `path`.
///
/// # Errors
/// Returns an error if the path has no file name or its folder does not exist.
fn lock_path(path: &Path) -> io::Result<PathBuf> {
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"))?;
    let (name, room) = (name.to_string_lossy(), 255 - TEMPORARY.len() - LOCK.len());
    let end = (0..=room.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(not_there(folder));
    }
    Ok(folder.join(format!("{TEMPORARY}{}{LOCK}", &name[..end])))
}

/// Opens the hidden file of a lock and creates it if it does not exist.
///
/// # Errors
/// Returns an error if the file cannot be opened or is not a plain file.
fn open(lock: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = match options.clone().write(true).create(true).open(lock) {
        // A file of another user can be locked if it is readable.
        Err(fault) if fault.kind() == io::ErrorKind::PermissionDenied && lock.exists() => {
            options.open(lock)?
        }
        opened => opened?,
    };
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("{}, the lock file, is not a plain file", lock.display()),
    ))
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some((_file, lock)) = self.0.take() {
            // Removed while the lock is held, because otherwise the file of the next holder might be removed.
            let _ = std::fs::remove_file(&lock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{read, write};

    #[test]
    fn concurrent_changes_are_not_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("sum"), folder.path().join("link"));
        write(&file, |out| write!(out, "0")).expect("written");
        std::os::unix::fs::symlink("sum", &link).expect("linked");
        let increment = |path: &Path| {
            for _ in 0..20 {
                let _guard = exclusive(path, &Notes::default()).expect("it gets free");
                let sum: u32 = read(path).expect("there").parse().expect("a number");
                write(path, |out| write!(out, "{}", sum + 1)).expect("written");
            }
        };
        thread::scope(|threads| {
            for number in 0..8 {
                let path = if number % 2 == 0 { &file } else { &link };
                threads.spawn(move || increment(path));
            }
        });
        assert_eq!(read(&file).expect("there"), "160");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 2);
    }

    #[test]
    fn reports_the_holder_and_takes_abandoned_locks() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        std::fs::write(folder.path().join(".ndq-a.csv.lock"), "4711").expect("written");
        let held = exclusive(&path, &Notes::default()).expect("not held");
        let fault = exclusive_now(&path, &Notes::default()).expect_err("it is held").to_string();
        assert!(fault.contains(&format!("process {} is changing it", std::process::id())), "{fault}");
        drop(held);
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
        let fault = exclusive(Path::new("/dev/null"), &Notes::default()).expect_err("a device").to_string();
        assert_eq!(fault, "cannot lock /dev/null: it is not a plain file");
        let long = folder.path().join("é".repeat(127));
        drop(exclusive(&long, &Notes::default()).expect("a long name"));
        let fault =
            exclusive(&folder.path().join("none/a"), &Notes::default()).expect_err("no folder").to_string();
        assert!(fault.contains("there is no folder"), "{fault}");
        nix::unistd::mkfifo(&folder.path().join(".ndq-a.csv.lock"), nix::sys::stat::Mode::S_IRWXU)
            .expect("made");
        let fault = exclusive(&path, &Notes::default()).expect_err("no plain file").to_string();
        assert!(fault.ends_with("the lock file, is not a plain file"), "{fault}");
    }
}
