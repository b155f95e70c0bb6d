//! Claims: who works on what in a folder that several share.
//!
//! A claim is a file that is made exclusively, so that it needs no locks, and that names its holder. The holder writes it anew
//! now and then. A claim whose holder is known to be dead, or has been silent for long, is taken over. Claims save work and
//! decide nothing: two that hold the same claim do the same work.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use crate::fault::FileError;
use crate::path::{is_at, not_plain};
use crate::temporary::{TEMPORARIES, TEMPORARY, UNFINISHED, new_temporary, remove_abandoned};
use crate::{make_folder, open_plain};

/// The name of the folder of claims in the folder that is shared.
pub const CLAIMS: &str = "claimed";

/// How often a holder writes its claims anew.
const BEAT: Duration = Duration::from_secs(30);

/// How long a holder is silent before its claims are taken over.
pub const SILENCE: Duration = Duration::from_secs(300);

/// Who holds a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The host.
    pub host: String,
    /// The process.
    pub process: u32,
    /// Among which processes this number counts; containers on one host have numbers of their own.
    pub processes: String,
    /// When the process began, by the machine's count, for a number is given to another process later; `None` if unknown.
    #[serde(default)]
    pub began: Option<u64>,
    /// The job of the scheduler, if there is one.
    pub job: Option<String>,
    /// Since when, in seconds since 1970 by the holder's clock.
    pub since: u64,
}

impl Holder {
    /// This process, now.
    #[must_use]
    pub fn here(host: String, job: Option<String>) -> Self {
        let process = std::process::id();
        Self {
            host,
            process,
            processes: processes(),
            began: look(process).map(|seen| seen.began),
            job,
            since: now(),
        }
    }

    /// For how many seconds it has held its claim, by the clocks of both hosts.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        now().saturating_sub(self.since)
    }

    /// Whether it is a process of this machine that is not there any more, has been killed, or whose number another one has.
    fn is_dead(&self, here: &Self) -> bool {
        let Ok(process) = i32::try_from(self.process) else { return false };
        let is_of_here =
            self.host == here.host && !self.processes.is_empty() && self.processes == here.processes;
        // Of other users' processes the system may tell no more than that they are there.
        is_of_here
            && (kill(Pid::from_raw(process), None) == Err(Errno::ESRCH)
                || look(self.process)
                    .is_some_and(|seen| !seen.runs || self.began.is_some_and(|began| began != seen.began)))
    }
}

/// A process that is there.
struct Process {
    /// Whether it runs; one that has ended stays there until its parent has waited for it.
    runs: bool,
    /// When it began, in clock ticks since the machine did.
    began: u64,
}

/// Looks at a process; `None` when it is not there, and where the system does not tell.
fn look(process: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may hold anything.
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let runs = !matches!(words.next()?, "Z" | "X");
    Some(Process { runs, began: words.nth(18)?.parse().ok()? })
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Among which processes numbers count: the machine's boot, and the namespace.
fn processes() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    if boot.is_empty() { String::new() } else { format!("{} {}", boot.trim(), space.display()) }
}

/// The claims in a folder, as one process makes and sees them.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    here: Holder,
    /// The file server's clock at an instant of ours.
    clock: (SystemTime, Instant),
    held: Arc<Held>,
}

/// The files of claims, and what is in them.
type Open = BTreeMap<PathBuf, (File, Vec<u8>)>;

#[derive(Debug, Default)]
struct Held {
    claims: Mutex<Open>,
    over: Condvar,
}

/// A claim, which nobody else takes while this lives and its process goes on.
#[derive(Debug)]
#[must_use = "the claim is given up when this is dropped"]
pub struct Claim {
    path: PathBuf,
    held: Arc<Held>,
}

/// A claim that somebody holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claimed {
    /// What is claimed.
    pub key: String,
    /// By whom; `None` while it is being written.
    pub holder: Option<Holder>,
    /// Whether the holder is dead, or has been silent for long.
    pub abandoned: bool,
}

impl Held {
    fn claims(&self) -> MutexGuard<'_, Open> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claims {
    /// The claims in a folder that is shared.
    ///
    /// # Errors
    /// When files cannot be made there.
    pub fn of(shared: &Path, here: Holder) -> Result<Self, FileError> {
        let folder = shared.join(CLAIMS);
        make_folder(&folder)?;
        let clock = || {
            let probe = new_temporary(&folder)?;
            let made = probe.as_file().metadata()?;
            remove_abandoned(&folder, made.uid());
            Ok((made.modified()?, Instant::now()))
        };
        let clock =
            clock().map_err(|cause: io::Error| FileError::new("write", &folder, cause.kind().into()))?;
        let held = Arc::new(Held::default());
        let beats = Arc::downgrade(&held);
        thread::spawn(move || beat(&beats));
        Ok(Self { folder, here, clock, held })
    }

    /// Claims what has this key, a plain file name; `None` when somebody else holds it. What a dead or silent holder left is
    /// taken over.
    ///
    /// # Errors
    /// When the claim cannot be written.
    pub fn claim(&self, key: &str) -> Result<Option<Claim>, FileError> {
        self.claimed(key, true)
    }

    /// The same, but a silent holder keeps its claim, for it may wake up; only one that is known to be dead loses it.
    ///
    /// # Errors
    /// As [`Claims::claim`].
    pub fn claim_for_good(&self, key: &str) -> Result<Option<Claim>, FileError> {
        self.claimed(key, false)
    }

    fn claimed(&self, key: &str, silence_counts: bool) -> Result<Option<Claim>, FileError> {
        let path = self.folder.join(key);
        let refused = |cause| FileError::new("write", &path, cause);
        for _ in 0..2 {
            if let Some((file, text)) = self.make(&path).map_err(refused)? {
                TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
                self.held.claims().insert(path.clone(), (file, text));
                return Ok(Some(Claim { path, held: Arc::clone(&self.held) }));
            }
            if !self.take_away(&path, silence_counts) {
                return Ok(None);
            }
        }
        // A link that leads nowhere is there, too.
        let is_there = fs::symlink_metadata(&path).is_ok();
        if is_there && !path.is_file() { Err(refused(not_plain())) } else { Ok(None) }
    }

    /// Makes a claim's file, which then is there with its text; `None` when it is there already.
    fn make(&self, path: &Path) -> io::Result<Option<(File, Vec<u8>)>> {
        if path.exists() {
            return Ok(None);
        }
        let text = serde_json::to_vec(&Holder { since: now(), ..self.here.clone() })?;
        let new = new_temporary(&self.folder);
        // The library's own words name the temporary file.
        let new = new.map_err(|fault| io::Error::from(fault.kind()))?;
        new.as_file().write_all(&text)?;
        let mut made = fs::hard_link(new.path(), path).map(|()| None);
        if made.as_ref().is_err_and(|fault| fault.kind() != io::ErrorKind::AlreadyExists) {
            // There are file systems without such links.
            made = OpenOptions::new().write(true).create_new(true).open(path).map(Some);
        }
        match made {
            Ok(None) => Ok(Some((new.into_file(), text))),
            Ok(Some(mut file)) => file.write_all(&text).map(|()| Some((file, text))),
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Looks at a claim; `None` when it is gone.
    fn look(&self, path: &Path) -> Option<Seen> {
        Seen::look(path, self.clock.0 + self.clock.1.elapsed())
    }

    /// Takes a claim away from a dead or silent holder. Says whether it may be free now.
    fn take_away(&self, path: &Path, silence_counts: bool) -> bool {
        let Some(seen) = self.look(path) else { return true };
        if !seen.is_abandoned(&self.here, silence_counts) {
            return false;
        }
        // Of several that try this, one succeeds.
        let aside = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .suffix(UNFINISHED)
            .make_in(&self.folder, |aside| fs::rename(path, aside));
        let Ok(aside) = aside else { return true };
        let taken = self.look(aside.path());
        if taken.is_some_and(|taken| taken.holder != seen.holder || taken.modified != seen.modified) {
            // Somebody took it over in between, or its holder woke up.
            let _ = fs::hard_link(aside.path(), path);
            return false;
        }
        true
    }
}

/// All that is claimed now in a folder that is shared; nothing is written.
///
/// # Errors
/// When the folder cannot be read.
pub fn all(shared: &Path, here: &Holder) -> Result<Vec<Claimed>, FileError> {
    let folder = shared.join(CLAIMS);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let refused = |cause| FileError::new("read", &folder, cause);
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).map_err(refused)? {
        let entry = entry.map_err(refused)?;
        let Ok(key) = entry.file_name().into_string() else { continue };
        if key.starts_with(TEMPORARY) {
            continue;
        }
        let Some(seen) = Seen::look(&entry.path(), SystemTime::now()) else { continue };
        all.push(Claimed { key, abandoned: seen.is_abandoned(here, true), holder: seen.holder });
    }
    all.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(all)
}

/// A claim as it is found.
struct Seen {
    holder: Option<Holder>,
    modified: SystemTime,
    silent: Duration,
}

impl Seen {
    /// Looks at a claim; `None` when it is gone.
    fn look(path: &Path, now: SystemTime) -> Option<Self> {
        let file = open_plain(path).ok()?;
        let modified = file.metadata().ok()?.modified().ok()?;
        let holder = serde_json::from_reader(file).ok();
        // What was written in the future has a clock that nobody knows.
        let silent = now.duration_since(modified).unwrap_or_else(|ahead| ahead.duration());
        Some(Self { holder, modified, silent })
    }

    fn is_abandoned(&self, here: &Holder, silence_counts: bool) -> bool {
        silence_counts && self.silent > SILENCE
            || self.holder.as_ref().is_some_and(|holder| holder.is_dead(here))
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        self.held.over.notify_all();
    }
}

/// Writes the claims that are held anew, until nobody holds any and nobody can.
fn beat(held: &Weak<Held>) {
    while let Some(held) = held.upgrade() {
        let claims = held.claims();
        let (mut claims, waited) =
            held.over.wait_timeout(claims, BEAT).unwrap_or_else(PoisonError::into_inner);
        if !waited.timed_out() {
            return;
        }
        for (file, text) in claims.values_mut() {
            // The file server's clock tells when a file was written last. One that cannot be written falls silent.
            let _ = file.rewind().and_then(|()| file.write_all(text));
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let file = self.held.claims().remove(&self.path);
        if file.is_some_and(|(file, _)| is_at(&file, &self.path)) {
            let _ = fs::remove_file(&self.path);
        }
        TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.path);
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
    fn what_is_claimed_is_claimed_by_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (claims(folder.path(), "one"), claims(folder.path(), "other"));
        let claim = one.claim("part-1").expect("written").expect("free");
        assert!(one.claim("part-1").expect("read").is_none());
        assert!(other.claim("part-1").expect("read").is_none());
        let held = all(folder.path(), &other.here).expect("read");
        assert_eq!(held.len(), 1);
        assert_eq!((held[0].key.as_str(), held[0].abandoned), ("part-1", false));
        assert_eq!(held[0].holder.as_ref().expect("written").host, "one");
        // Another user of the folder reads who holds it, as any new file here.
        let mode = |path: &Path| fs::metadata(path).expect("there").mode();
        fs::write(folder.path().join("new"), "").expect("written");
        assert_eq!(mode(&folder.path().join(CLAIMS).join("part-1")), mode(&folder.path().join("new")));
        drop(claim);
        assert!(other.claim("part-1").expect("written").is_some());
        assert!(all(folder.path(), &one.here).expect("read").is_empty());
    }

    #[test]
    fn many_threads_never_hold_the_same_claim() {
        let folder = tempfile::tempdir().expect("a folder");
        let free = Mutex::new(());
        thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| {
                    let claims = claims(folder.path(), "host");
                    for _ in 0..200 {
                        if let Some(claim) = claims.claim("it").expect("written") {
                            let alone = free.try_lock().expect("nobody else has it");
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
    fn the_silent_and_the_dead_lose_what_they_claimed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (claims(folder.path(), "one"), claims(folder.path(), "other"));
        let path = folder.path().join(CLAIMS).join("it");
        let silent = one.claim("it").expect("written").expect("free");
        let long_ago = SystemTime::now() - SILENCE - BEAT;
        File::options().write(true).open(&path).and_then(|file| file.set_modified(long_ago)).expect("set");
        assert!(all(folder.path(), &other.here).expect("read")[0].abandoned);
        assert!(other.claim_for_good("it").expect("read").is_none());
        let taken = other.claim("it").expect("written").expect("taken over");
        // Who wakes up does not take away what is another's.
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
        // Nobody has waited for it yet.
        assert!(kill(Pid::from_raw(process.id() as i32), None).is_ok());
        process.wait().expect("ended");
        assert!(dead.is_dead(&one.here));
        fs::write(&path, serde_json::to_vec(&dead).expect("plain data")).expect("written");
        assert!(other.claim_for_good("it").expect("read").is_none());
        assert!(one.claim_for_good("it").expect("written").is_some());
        let here = &one.here;
        let holder = |process: u32, began| Holder { process, began, ..here.clone() };
        // Its number was given to this process.
        let earlier = here.began.map(|began| began - 1);
        assert!(earlier.is_some() && holder(here.process, earlier).is_dead(here));
        assert!(!here.is_dead(here) && !holder(here.process, None).is_dead(here));
        assert!(!holder(here.process, earlier).is_dead(&Holder { host: "other".to_owned(), ..here.clone() }));
        fs::create_dir(&path).expect("writable");
        assert!(one.claim("it").is_err());
        fs::remove_dir(&path).expect("empty");
        // Who has not written its name yet is there.
        fs::write(&path, "").expect("written");
        assert!(one.claim("it").expect("read").is_none());
    }
}
