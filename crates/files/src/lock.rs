//! One writer at a time for a file that is read, changed and replaced.
//!
//! The lock is the operating system's, on a hidden file beside the one to be changed: it ends with its holder, however that
//! ends. Whoever holds it removes the hidden file before letting go, and whoever gets it makes sure that the file is still
//! there. One that a killed holder leaves does no harm.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use nix::libc;

use crate::fault::FileError;
use crate::note;
use crate::path::{folder_of, is_at, not_plain, not_there, target};
use crate::temporary::{LOCK, TEMPORARIES, TEMPORARY};

/// The right to change a file, which nobody else has while this lives.
#[derive(Debug)]
#[must_use = "the file is free again when this is dropped"]
pub struct Guard(Option<(File, PathBuf)>);

/// How long one waits for the other writers of a file.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often one looks whether a file is free.
const PACE: Duration = Duration::from_millis(10);

/// Waits until nobody else changes a file, at most a minute. What was read of the file before is to be read again. On a file
/// system without locks nothing is held, and a note says so.
///
/// # Errors
/// When the folder is not there or not writable, what is there is no plain file, or another process does not let it go.
pub fn exclusive(path: &Path) -> Result<Guard, FileError> {
    exclusive_within(path, PATIENCE)
}

/// The same, refused when somebody else changes the file now.
///
/// # Errors
/// As [`exclusive`].
pub fn exclusive_now(path: &Path) -> Result<Guard, FileError> {
    exclusive_within(path, Duration::ZERO)
}

fn exclusive_within(path: &Path, patience: Duration) -> Result<Guard, FileError> {
    let refused = |cause| FileError::new("lock", path, cause);
    let at = target(path).map_err(refused)?;
    if at.exists() && !at.is_file() {
        return Err(refused(not_plain()));
    }
    let lock = lock_of(&at).map_err(refused)?;
    let begin = Instant::now();
    loop {
        let mut file = open(&lock).map_err(refused)?;
        match file.try_lock() {
            Ok(()) if is_at(&file, &lock) => {
                TEMPORARIES.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(lock.clone());
                // It is for the message of those who wait in vain.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Guard(Some((file, lock))));
            }
            // Its holder has removed it.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if begin.elapsed() < patience => thread::sleep(PACE),
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.take(20).read_to_string(&mut holder);
                let since = match patience.is_zero() {
                    true => "is changing it".to_owned(),
                    false => format!("has been changing it for more than {} s", patience.as_secs()),
                };
                let words = format!("process {holder} {since}, as its lock {} says", lock.display());
                return Err(refused(io::Error::new(io::ErrorKind::WouldBlock, words)));
            }
            Err(TryLockError::Error(fault)) => {
                let _ = std::fs::remove_file(&lock);
                note::report(&format!(
                    "{}: this file system has no locks ({fault}); let one command at a time change the file",
                    path.display()
                ));
                return Ok(Guard(None));
            }
        }
    }
}

/// The name of a file's lock.
fn lock_of(at: &Path) -> io::Result<PathBuf> {
    let name =
        at.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"))?;
    let (name, room) = (name.to_string_lossy(), 255 - TEMPORARY.len() - LOCK.len());
    let end = (0..=room.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    let folder = folder_of(at);
    if !folder.is_dir() {
        return Err(not_there(folder));
    }
    Ok(folder.join(format!("{TEMPORARY}{}{LOCK}", &name[..end])))
}

/// Opens a lock; it is made if need be. No more than a plain file is opened.
fn open(lock: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = match options.clone().write(true).create(true).open(lock) {
        // What another user made can be locked all the same.
        Err(fault) if fault.kind() == io::ErrorKind::PermissionDenied && lock.exists() => {
            options.open(lock)?
        }
        opened => opened?,
    };
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is in the way", lock.display())))
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some((_file, lock)) = self.0.take() {
            TEMPORARIES.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(&lock);
            // While it is still held, so that nobody loses a lock on it.
            let _ = std::fs::remove_file(&lock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic::write;
    use crate::input::read;

    #[test]
    fn nothing_is_lost_when_many_change_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("sum"), folder.path().join("link"));
        write(&file, |out| write!(out, "0")).expect("written");
        std::os::unix::fs::symlink("sum", &link).expect("linked");
        let one = |path: &Path| {
            for _ in 0..20 {
                let _guard = exclusive(path).expect("it gets free");
                let sum: u32 = read(path).expect("there").parse().expect("a number");
                write(path, |out| write!(out, "{}", sum + 1)).expect("written");
            }
        };
        thread::scope(|threads| {
            for number in 0..8 {
                let path = if number % 2 == 0 { &file } else { &link };
                threads.spawn(move || one(path));
            }
        });
        assert_eq!(read(&file).expect("there"), "160");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 2);
    }

    #[test]
    fn a_lock_that_is_held_is_told_with_its_holder_and_one_that_was_left_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        std::fs::write(folder.path().join(".ndq-a.csv.lock"), "4711").expect("written");
        let held = exclusive(&path).expect("nobody has it");
        let fault = exclusive_now(&path).expect_err("it is held").to_string();
        assert!(fault.contains(&format!("process {} is changing it", std::process::id())), "{fault}");
        drop(held);
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
        let fault = exclusive(Path::new("/dev/null")).expect_err("a device").to_string();
        assert_eq!(fault, "cannot lock /dev/null: it is not a plain file");
        let long = folder.path().join("é".repeat(127));
        drop(exclusive(&long).expect("a long name"));
        let fault = exclusive(&folder.path().join("none/a")).expect_err("no folder").to_string();
        assert!(fault.contains("there is no folder"), "{fault}");
        nix::unistd::mkfifo(&folder.path().join(".ndq-a.csv.lock"), nix::sys::stat::Mode::S_IRWXU)
            .expect("made");
        let fault = exclusive(&path).expect_err("no plain file").to_string();
        assert!(fault.ends_with("is in the way"), "{fault}");
    }
}
