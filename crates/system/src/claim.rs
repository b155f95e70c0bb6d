//! Claims of parts of the work in a folder that several processes share.
//!
//! A claim is a file that is created exclusively, so that it needs no locks, and that names its holder. The
//! holder rewrites the file every 30 seconds. A claim is taken over if its holder is known to be dead or has
//! not rewritten the file for 5 minutes. Claims only prevent duplicate work: results do not depend on them if
//! two processes hold the same claim.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use parking_lot::{Condvar, Mutex};
use serde::{Deserialize, Serialize};

use crate::file::{
    FileError, TEMPORARY, UNFINISHED, create_temporary_in, is_at, make_folder, not_plain, open_plain,
    remove_abandoned,
};

/// Name of the folder of claims in the shared folder.
pub const CLAIMS: &str = crate::file::CLAIMS;

/// Interval at which a holder rewrites its claims.
const RENEWAL: Duration = Duration::from_secs(30);

/// Time without a renewal after which a claim is taken over.
pub const SILENCE: Duration = Duration::from_secs(300);

/// Process that holds a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Name of the host.
    pub host: String,
    /// Id of the process.
    pub process: u32,
    /// Boot id and process namespace to which the process id belongs; containers on one host have separate
    /// namespaces.
    pub processes: String,
    /// Start time of the process in clock ticks since boot, because process ids are reused; `None` if
    /// unknown.
    #[serde(default)]
    pub began: Option<u64>,
    /// Id of the scheduler's job, if there is one.
    pub job: Option<String>,
    /// Time at which the claim was made, in seconds since 1970 by the holder's clock.
    pub since: u64,
}

impl Holder {
    /// Returns this process as a holder since now.
    #[must_use]
    pub fn here(host: String, job: Option<String>) -> Self {
        let process = std::process::id();
        Self {
            host,
            process,
            processes: process_namespace(),
            began: process_state(process).map(|state| state.began),
            job,
            since: now(),
        }
    }

    /// Returns the number of seconds since the claim was made, by the clocks of both hosts.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        now().saturating_sub(self.since)
    }

    /// Returns `true` if the holder is a process of this machine that has ended, or whose id another process
    /// has now.
    fn is_dead(&self, here: &Self) -> bool {
        let Ok(process) = i32::try_from(self.process) else { return false };
        let is_local =
            self.host == here.host && !self.processes.is_empty() && self.processes == here.processes;
        let is_other = |state: &ProcessState| self.began.is_some_and(|began| began != state.began);
        // The system may hide the state of other users' processes; then only their existence is tested.
        is_local
            && (kill(Pid::from_raw(process), None) == Err(Errno::ESRCH)
                || process_state(self.process).is_some_and(|state| !state.is_running || is_other(&state)))
    }
}

/// State of an existing process.
struct ProcessState {
    /// `false` if the process has ended and its parent has not collected its exit status yet.
    is_running: bool,
    /// Start time in clock ticks since boot.
    began: u64,
}

/// Returns the state of a process; `None` if the process does not exist or the system does not report it.
fn process_state(process: u32) -> Option<ProcessState> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain any characters.
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let is_running = !matches!(words.next()?, "Z" | "X");
    Some(ProcessState { is_running, began: words.nth(18)?.parse().ok()? })
}

/// Returns the number of seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Returns the boot id and the process namespace, which together determine the meaning of a process id; empty
/// if unknown.
fn process_namespace() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    if boot.is_empty() { String::new() } else { format!("{} {}", boot.trim(), space.display()) }
}

/// Claims of one process in a shared folder.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    here: Holder,
    /// Time of the file server's clock, and the instant of the local clock at which it was read.
    clock: (SystemTime, Instant),
    held: Arc<HeldClaims>,
}

/// Open files of claims with their contents, by path.
type ClaimFiles = BTreeMap<PathBuf, (File, Vec<u8>)>;

/// Claims that this process holds.
#[derive(Debug, Default)]
struct HeldClaims {
    files: Mutex<ClaimFiles>,
    /// Notified when [`Claims`] is dropped.
    dropped: Condvar,
}

/// Exclusive claim, released on drop or when its process ends.
#[derive(Debug)]
#[must_use = "the claim is given up when this is dropped"]
pub struct Claim {
    path: PathBuf,
    held: Arc<HeldClaims>,
}

/// Claim that a process holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claimed {
    /// Key of the claimed part of the work.
    pub key: String,
    /// Holder of the claim; `None` while its file is being written.
    pub holder: Option<Holder>,
    /// `true` if the holder is dead or has not renewed the claim for [`SILENCE`].
    pub abandoned: bool,
}

impl Claims {
    /// Opens the claims in a shared folder and starts a thread that renews those of this process.
    ///
    /// # Errors
    /// Returns an error if files cannot be created in the folder.
    pub fn of(shared: &Path, here: Holder) -> Result<Self, FileError> {
        let folder = shared.join(CLAIMS);
        make_folder(&folder)?;
        let clock = || {
            let probe = create_temporary_in(&folder)?;
            let metadata = probe.as_file().metadata()?;
            remove_abandoned(&folder, metadata.uid());
            Ok((metadata.modified()?, Instant::now()))
        };
        let clock =
            clock().map_err(|cause: io::Error| FileError::new("write", &folder, cause.kind().into()))?;
        let held = Arc::new(HeldClaims::default());
        let renewed = Arc::downgrade(&held);
        thread::spawn(move || renew_claims(&renewed));
        Ok(Self { folder, here, clock, held })
    }

    /// Claims a key, which must be a plain file name. Returns `None` if another process holds the claim.
    ///
    /// A claim of a dead holder is taken over, as well as one that was not renewed for [`SILENCE`].
    ///
    /// # Errors
    /// Returns an error if the claim cannot be written.
    pub fn claim(&self, key: &str) -> Result<Option<Claim>, FileError> {
        self.acquire(key, true)
    }

    /// Claims a key as [`Claims::claim`] does, but takes over claims of dead holders only: one that was not
    /// renewed for long may still be alive.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Claims::claim`].
    pub fn claim_for_good(&self, key: &str) -> Result<Option<Claim>, FileError> {
        self.acquire(key, false)
    }

    /// Claims a key. If `silence_counts`, claims that were not renewed for [`SILENCE`] are taken over.
    fn acquire(&self, key: &str, silence_counts: bool) -> Result<Option<Claim>, FileError> {
        let path = self.folder.join(key);
        let write_error = |cause| FileError::new("write", &path, cause);
        for _ in 0..2 {
            if let Some((file, text)) = self.create(&path).map_err(write_error)? {
                self.held.files.lock().insert(path.clone(), (file, text));
                return Ok(Some(Claim { path, held: Arc::clone(&self.held) }));
            }
            if !self.remove_if_abandoned(&path, silence_counts) {
                return Ok(None);
            }
        }
        // A dangling link exists as well.
        let exists = fs::symlink_metadata(&path).is_ok();
        if exists && !path.is_file() { Err(write_error(not_plain())) } else { Ok(None) }
    }

    /// Creates the file of a claim with its contents atomically. Returns `None` if it exists.
    fn create(&self, path: &Path) -> io::Result<Option<(File, Vec<u8>)>> {
        if path.exists() {
            return Ok(None);
        }
        let text = serde_json::to_vec(&Holder { since: now(), ..self.here.clone() })?;
        let new = create_temporary_in(&self.folder);
        // Leaves out the name of the temporary file, which the library adds to its message.
        let new = new.map_err(|fault| io::Error::from(fault.kind()))?;
        new.as_file().write_all(&text)?;
        // The claim is opened by its own name, by which the end of this process finds it.
        let linked = fs::hard_link(new.path(), path).and_then(|()| OpenOptions::new().write(true).open(path));
        let mut created = linked.map(|file| (file, true));
        if created.as_ref().is_err_and(|fault| fault.kind() != io::ErrorKind::AlreadyExists) {
            // Some file systems do not support hard links.
            created = OpenOptions::new().write(true).create_new(true).open(path).map(|file| (file, false));
        }
        match created {
            Ok((file, true)) => Ok(Some((file, text))),
            Ok((mut file, false)) => file.write_all(&text).map(|()| Some((file, text))),
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Reads the file of a claim. Returns `None` if it does not exist.
    fn read(&self, path: &Path) -> Option<ClaimState> {
        ClaimState::read(path, self.clock.0 + self.clock.1.elapsed())
    }

    /// Removes the file of an abandoned claim. Returns `true` if the claim may be free now.
    fn remove_if_abandoned(&self, path: &Path, silence_counts: bool) -> bool {
        let Some(before) = self.read(path) else { return true };
        if !before.is_abandoned(&self.here, silence_counts) {
            return false;
        }
        // If several processes try to rename the file, one succeeds.
        let moved = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .suffix(UNFINISHED)
            .make_in(&self.folder, |moved| fs::rename(path, moved));
        let Ok(moved) = moved else { return true };
        let after = self.read(moved.path());
        if after.is_some_and(|after| after.holder != before.holder || after.modified != before.modified) {
            // Another process took the claim over in the meantime, or its holder renewed it.
            let _ = fs::hard_link(moved.path(), path);
            return false;
        }
        true
    }
}

/// Returns all current claims in a shared folder, sorted by key. Writes nothing.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn all(shared: &Path, here: &Holder) -> Result<Vec<Claimed>, FileError> {
    let folder = shared.join(CLAIMS);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read_error = |cause| FileError::new("read", &folder, cause);
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).map_err(read_error)? {
        let entry = entry.map_err(read_error)?;
        let Ok(key) = entry.file_name().into_string() else { continue };
        if key.starts_with(TEMPORARY) {
            continue;
        }
        let Some(state) = ClaimState::read(&entry.path(), SystemTime::now()) else { continue };
        all.push(Claimed { key, abandoned: state.is_abandoned(here, true), holder: state.holder });
    }
    all.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(all)
}

/// State of a claim's file.
struct ClaimState {
    /// Holder; `None` if the file is incomplete.
    holder: Option<Holder>,
    /// Time of the last renewal.
    modified: SystemTime,
    /// Time since the last renewal.
    silent: Duration,
}

impl ClaimState {
    /// Reads the file of a claim at the time `now` of the file server's clock. Returns `None` if it does not
    /// exist.
    fn read(path: &Path, now: SystemTime) -> Option<Self> {
        let file = open_plain(path).ok()?;
        let modified = file.metadata().ok()?.modified().ok()?;
        let holder = serde_json::from_reader(file).ok();
        // If the time of the renewal is in the future, the clocks differ, and the difference counts as
        // silence.
        let silent = now.duration_since(modified).unwrap_or_else(|ahead| ahead.duration());
        Some(Self { holder, modified, silent })
    }

    /// Returns `true` if the holder is dead, or if `silence_counts` and the last renewal is longer ago than
    /// [`SILENCE`].
    fn is_abandoned(&self, here: &Holder, silence_counts: bool) -> bool {
        silence_counts && self.silent > SILENCE
            || self.holder.as_ref().is_some_and(|holder| holder.is_dead(here))
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        self.held.dropped.notify_all();
    }
}

/// Renews held claims every 30 seconds, until [`Claims`] is dropped.
fn renew_claims(held: &Weak<HeldClaims>) {
    while let Some(held) = held.upgrade() {
        let mut files = held.files.lock();
        if !held.dropped.wait_for(&mut files, RENEWAL).timed_out() {
            return;
        }
        for (file, text) in files.values_mut() {
            // The write updates the modification time by the file server's clock. A claim that cannot be
            // written expires.
            let _ = file.rewind().and_then(|()| file.write_all(text));
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let file = self.held.files.lock().remove(&self.path);
        if file.is_some_and(|(file, _)| is_at(&file, &self.path)) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn claims(folder: &Path, host: &str) -> Claims {
        Claims::of(folder, Holder::here(host.to_owned(), None)).expect("a folder")
    }

    #[test]
    fn a_key_is_claimed_by_one_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (claims(folder.path(), "one"), claims(folder.path(), "other"));
        let claim = one.claim("part-1").expect("written").expect("free");
        assert!(one.claim("part-1").expect("read").is_none());
        assert!(other.claim("part-1").expect("read").is_none());
        let held = all(folder.path(), &other.here).expect("read");
        assert_eq!(held.len(), 1);
        assert_eq!((held[0].key.as_str(), held[0].abandoned), ("part-1", false));
        assert_eq!(held[0].holder.as_ref().expect("written").host, "one");
        // Other users of the folder can read the holder: the mode is that of any new file.
        let mode = |path: &Path| fs::metadata(path).expect("there").mode();
        fs::write(folder.path().join("new"), "").expect("written");
        assert_eq!(mode(&folder.path().join(CLAIMS).join("part-1")), mode(&folder.path().join("new")));
        drop(claim);
        assert!(other.claim("part-1").expect("written").is_some());
        assert!(all(folder.path(), &one.here).expect("read").is_empty());
    }

    #[test]
    fn threads_never_hold_the_same_claim() {
        let folder = tempfile::tempdir().expect("a folder");
        let free = Mutex::new(());
        thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| {
                    let claims = claims(folder.path(), "host");
                    for _ in 0..200 {
                        if let Some(claim) = claims.claim("it").expect("written") {
                            let alone = free.try_lock().expect("no other thread holds it");
                            drop(alone);
                            drop(claim);
                        }
                    }
                });
            }
        });
        assert!(all(folder.path(), &claims(folder.path(), "host").here).expect("read").is_empty());
    }

    #[test]
    fn claims_of_dead_and_silent_holders_are_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (claims(folder.path(), "one"), claims(folder.path(), "other"));
        let path = folder.path().join(CLAIMS).join("it");
        let silent = one.claim("it").expect("written").expect("free");
        let long_ago = SystemTime::now() - SILENCE - RENEWAL;
        File::options().write(true).open(&path).and_then(|file| file.set_modified(long_ago)).expect("set");
        assert!(all(folder.path(), &other.here).expect("read")[0].abandoned);
        assert!(other.claim_for_good("it").expect("read").is_none());
        let taken = other.claim("it").expect("written").expect("taken over");
        // A late holder does not release the claim of its successor.
        drop(silent);
        assert!(path.exists() && one.claim("it").expect("read").is_none());
        drop(taken);
        let mut process = Command::new("sleep").arg("600").spawn().expect("started");
        let dead = Holder { process: process.id(), began: None, ..one.here.clone() };
        assert!(!dead.is_dead(&one.here));
        process.kill().expect("running");
        while !dead.is_dead(&one.here) {
            thread::yield_now();
        }
        // The process still exists because its exit status was not collected.
        assert!(kill(Pid::from_raw(process.id() as i32), None).is_ok());
        process.wait().expect("ended");
        assert!(dead.is_dead(&one.here));
        fs::write(&path, serde_json::to_vec(&dead).expect("plain data")).expect("written");
        assert!(other.claim_for_good("it").expect("read").is_none());
        assert!(one.claim_for_good("it").expect("written").is_some());
        let here = &one.here;
        let holder = |process: u32, began| Holder { process, began, ..here.clone() };
        // The id of an ended process is reused for this one.
        let earlier = here.began.map(|began| began - 1);
        assert!(earlier.is_some() && holder(here.process, earlier).is_dead(here));
        assert!(!here.is_dead(here) && !holder(here.process, None).is_dead(here));
        assert!(!holder(here.process, earlier).is_dead(&Holder { host: "other".to_owned(), ..here.clone() }));
        fs::create_dir(&path).expect("writable");
        assert!(one.claim("it").is_err());
        fs::remove_dir(&path).expect("empty");
        // A claim without a holder yet counts as held.
        fs::write(&path, "").expect("written");
        assert!(one.claim("it").expect("read").is_none());
    }
}
