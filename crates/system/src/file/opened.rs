//! Files that this process has open, from the list that the operating system keeps of them.
//!
//! A process that is about to exit without its destructors finds in it the temporary files, folders, locks
//! and claims that it has to remove. The library needs no list of its own, and no lock that another thread
//! may hold for good.

#![allow(unsafe_code, reason = "the standard library and nix have no functions that allocate no memory")]

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use nix::libc;

use super::names::{CLAIMS, FOLDER, LOCK, TEMPORARY, UNFINISHED};

/// Largest number of open files that are searched.
const MOST: RawFd = 1 << 16;

/// Kind of an open file that a process removes at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// Temporary file, or lock that this process holds.
    File,
    /// Claim.
    Claim,
    /// Temporary folder.
    Folder,
}

/// Calls `act` for each temporary file, lock, claim and temporary folder that this process has open and that
/// is its own.
///
/// Allocates no memory.
pub(crate) fn each_held(mut act: impl FnMut(Held, &Path)) {
    let mut buffer = [0; libc::PATH_MAX as usize];
    for file in 0..largest() {
        let Some(path) = path(file, &mut buffer) else { continue };
        let Some(name) = path.file_name() else { continue };
        let name = name.as_bytes();
        let is_temporary =
            |suffix: &str| name.starts_with(TEMPORARY.as_bytes()) && name.ends_with(suffix.as_bytes());
        let is_in_claims =
            || path.parent().and_then(Path::file_name).is_some_and(|folder| folder == OsStr::new(CLAIMS));
        if is_temporary(FOLDER) {
            act(Held::Folder, path);
        } else if is_temporary(UNFINISHED) || is_temporary(LOCK) {
            if mode(file) == Some(libc::O_RDWR) && is_lockable(file) {
                act(Held::File, path);
            }
        } else if mode(file) == Some(libc::O_WRONLY) && is_in_claims() {
            act(Held::Claim, path);
        }
    }
}

/// Returns a bound above the numbers of all open files.
fn largest() -> RawFd {
    // SAFETY: the call reads a number of the system.
    let limit = unsafe { libc::sysconf(libc::_SC_OPEN_MAX) };
    RawFd::try_from(limit).map_or(MOST, |limit| if limit < 0 { MOST } else { limit.min(MOST) })
}

/// Returns the absolute path of an open file, unless the file has been removed.
#[cfg(target_os = "linux")]
fn path(file: RawFd, buffer: &mut [u8; libc::PATH_MAX as usize]) -> Option<&Path> {
    let mut link = [0; 32];
    write!(&mut link[..], "/proc/self/fd/{file}\0").ok()?;
    // SAFETY: `link` ends with a zero byte, and the call writes at most as many bytes as `buffer` has.
    let length = unsafe { libc::readlink(link.as_ptr().cast(), buffer.as_mut_ptr().cast(), buffer.len()) };
    let path = &buffer[..usize::try_from(length).ok()?];
    (path.starts_with(b"/") && !path.ends_with(b" (deleted)")).then(|| Path::new(OsStr::from_bytes(path)))
}

/// Returns the absolute path of an open file.
#[cfg(target_os = "macos")]
fn path(file: RawFd, buffer: &mut [u8; libc::PATH_MAX as usize]) -> Option<&Path> {
    // SAFETY: the call writes at most `PATH_MAX` bytes, which end with a zero byte.
    if unsafe { libc::fcntl(file, libc::F_GETPATH, buffer.as_mut_ptr()) } < 0 {
        return None;
    }
    let length = buffer.iter().position(|&byte| byte == 0)?;
    Some(Path::new(OsStr::from_bytes(&buffer[..length])))
}

/// Returns `None`, because the system does not report the path of an open file. Temporary files of an aborted
/// process are removed by a later one.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn path(_: RawFd, _: &mut [u8; libc::PATH_MAX as usize]) -> Option<&Path> {
    None
}

/// Returns the access mode of an open file; `None` for files that are appended to.
fn mode(file: RawFd) -> Option<libc::c_int> {
    // SAFETY: the call reads flags of the system.
    let flags = unsafe { libc::fcntl(file, libc::F_GETFL) };
    (flags >= 0 && flags & libc::O_APPEND == 0).then_some(flags & libc::O_ACCMODE)
}

/// Returns `true` unless another process or another open file has a lock on the file.
fn is_lockable(file: RawFd) -> bool {
    // SAFETY: the call changes a lock of the system only.
    let locked = unsafe { libc::flock(file, libc::LOCK_EX | libc::LOCK_NB) } == 0;
    locked || std::io::Error::last_os_error().kind() != std::io::ErrorKind::WouldBlock
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;
    use crate::file::Temporary;
    use crate::lock;
    use crate::note::Notes;
    use crate::program::scratch::Scratch;

    #[test]
    fn lists_own_temporary_files_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().canonicalize().expect("there").join(name);
        let of_others = [".ndq-other.lock", ".ndq-read.tmp", "plain.tmp"];
        std::fs::create_dir(path(CLAIMS)).expect("made");
        let open = |name: &str| {
            let mut options = OpenOptions::new();
            options.read(name != "claimed/claim").write(true).create(true).truncate(false).open(path(name))
        };
        let [other, _waiting, _plain] =
            [of_others[0], of_others[0], of_others[2]].map(|name| open(name).expect("opened"));
        other.lock().expect("not locked");
        std::fs::write(path(of_others[1]), "").expect("written");
        let _read = std::fs::File::open(path(of_others[1])).expect("opened");
        let claim = open("claimed/claim").expect("opened");
        let lock = lock::exclusive(&path("a.csv"), &Notes::default()).expect("locked");
        let (temporary, scratch) = (Temporary::create().expect("a file"), Scratch::new().expect("a folder"));
        let own = [
            (Held::File, path(".ndq-a.csv.lock")),
            (Held::Claim, path("claimed/claim")),
            (Held::File, temporary.path().canonicalize().expect("there")),
            (Held::Folder, scratch.path().canonicalize().expect("there")),
        ];
        let list = || {
            let mut held = Vec::new();
            each_held(|kind, path| held.push((kind, path.to_owned())));
            held
        };
        let held = list();
        assert!(own.iter().all(|one| held.contains(one)), "{held:?}");
        // The lock is held by the first of the two open files, which counts as one of this process.
        assert_eq!(held.iter().filter(|(_, held)| *held == path(of_others[0])).count(), 1);
        assert!(!held.iter().any(|(_, held)| of_others[1..].iter().any(|name| *held == path(name))));
        drop((lock, temporary, scratch, claim));
        let held = list();
        assert!(!own.iter().any(|one| held.contains(one)), "{held:?}");
    }
}
