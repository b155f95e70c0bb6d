//! Files that are there in full or not at all.
//!
//! A file is written under a temporary name, synced, renamed, and its folder synced. It keeps the mode and the owner of the
//! file that it replaces, and a symbolic link stays one: the file that it leads to is replaced or made.

mod lock;

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufRead, BufWriter, Read, Seek as _, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::Duration;

use nix::libc;
use tempfile::NamedTempFile;

use crate::exact;
pub use lock::{Guard, exclusive};

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {verb} {}: {cause}", path.display())]
pub struct FileError {
    /// `read`, `write` or `lock`.
    pub verb: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the operating system says.
    pub cause: io::Error,
}

impl FileError {
    /// A fault of a file, or the fault of another file that led to it.
    pub(crate) fn new(verb: &'static str, path: &Path, cause: io::Error) -> Self {
        cause.downcast().unwrap_or_else(|cause| Self { verb, path: path.to_owned(), cause })
    }

    /// Whether the system failed, such as by a full disk, and not the path that was given.
    #[must_use]
    pub fn is_of_the_system(&self) -> bool {
        use io::ErrorKind::{
            AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
            PermissionDenied, ReadOnlyFilesystem,
        };
        let of_the_path = matches!(
            self.cause.kind(),
            AlreadyExists
                | InvalidFilename
                | InvalidInput
                | IsADirectory
                | NotADirectory
                | NotFound
                | PermissionDenied
                | ReadOnlyFilesystem
        );
        matches!(self.verb, "write" | "lock") && !of_the_path
    }

    /// The same fault, of a file that the user knows by another name.
    #[must_use]
    pub fn of(self, path: &Path) -> Self {
        Self { path: path.to_owned(), ..self }
    }
}

impl From<FileError> for io::Error {
    fn from(fault: FileError) -> Self {
        Self::new(fault.cause.kind(), fault)
    }
}

/// A reader or a writer whose faults name its file.
#[derive(Debug)]
pub(crate) struct Named<'p, T> {
    inner: T,
    path: &'p Path,
}

impl<'p, T> Named<'p, T> {
    pub(crate) fn new(inner: T, path: &'p Path) -> Self {
        Self { inner, path }
    }
}

impl<T: Read> Read for Named<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.inner.read(bytes).map_err(|cause| FileError::new("read", self.path, cause).into())
    }
}

impl<T: BufRead> BufRead for Named<'_, T> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let path = self.path;
        self.inner.fill_buf().map_err(|cause| FileError::new("read", path, cause).into())
    }

    fn consume(&mut self, bytes: usize) {
        self.inner.consume(bytes);
    }
}

impl<T: Write> Write for Named<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes).map_err(|cause| FileError::new("write", self.path, cause).into())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(|cause| FileError::new("write", self.path, cause).into())
    }
}

/// The largest text file that is read, in bytes.
pub(crate) const LARGEST: u64 = 1 << 30;

/// The longest proof that is taken from a pipe, in bytes: there is no end to what a pipe may give.
const LONGEST_PROOF: u64 = 1 << 36;

/// Reads a text file; a byte order mark at its beginning is left out.
///
/// # Errors
/// When the file cannot be read, is larger than a GiB, or is not UTF-8.
pub fn read(path: &Path) -> Result<String, FileError> {
    let text = read_as_it_is(path)?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

/// The same, with the byte order mark.
pub(crate) fn read_as_it_is(path: &Path) -> Result<String, FileError> {
    let told = |cause: io::Error| match cause.kind() {
        io::ErrorKind::InvalidData => io::Error::new(cause.kind(), "it is not a text in UTF-8"),
        io::ErrorKind::IsADirectory => io::Error::new(cause.kind(), "it is a folder"),
        _ => cause,
    };
    let mut text = String::new();
    let size = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
    let size = match size {
        Ok(size) if size as u64 > LARGEST => {
            Err(io::Error::other(format!("it is larger than {LARGEST} bytes")))
        }
        size => size,
    };
    size.map_err(|cause| FileError { verb: "read", path: path.to_owned(), cause: told(cause) })?;
    Ok(text)
}

/// A file that can be read from its beginning more than once.
#[derive(Debug)]
pub struct Input {
    path: PathBuf,
    /// What came through a pipe.
    _held: Option<Temporary>,
}

impl Input {
    /// Where it can be read.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Takes a file as it is, and copies first what can be read but once, such as a pipe; `-` is standard input.
///
/// # Errors
/// When the file cannot be read, or a pipe gives more than a GiB, or 64 GiB of a proof.
pub fn input(path: &Path) -> Result<Input, FileError> {
    let taken = || {
        if path.is_file() {
            return Ok(Input { path: path.to_owned(), _held: None });
        }
        let held = Temporary::new(NamedTempFile::new()?);
        let mut pipe: Box<dyn Read> = match path == Path::new("-") {
            true => Box::new(io::stdin().lock()),
            false => Box::new(File::open(path)?),
        };
        let mut first = Vec::new();
        pipe.by_ref().take(16).read_to_end(&mut first)?;
        let most = if exact::begins_proof(&first) { LONGEST_PROOF } else { LARGEST };
        let bytes = io::copy(&mut first.chain(pipe).take(most + 1), &mut held.file())?;
        if bytes > most {
            return Err(io::Error::other(format!("it is larger than {most} bytes")));
        }
        Ok(Input { path: held.path().to_owned(), _held: Some(held) })
    };
    taken().map_err(|cause: io::Error| FileError {
        verb: "read",
        path: path.to_owned(),
        cause: match cause.kind() {
            io::ErrorKind::IsADirectory => io::Error::new(cause.kind(), "it is a folder"),
            _ => cause,
        },
    })
}

/// Reads the board file that a board name names.
///
/// # Errors
/// When the file cannot be read or is not UTF-8.
pub fn open(path: &str) -> io::Result<String> {
    read(Path::new(path)).map_err(|error| error.cause)
}

/// Writes a file under a temporary name beside it and renames it when it is complete and on disk. Returns what `fill`
/// returns.
///
/// # Errors
/// When the folder is not there or not writable, the disk is full, or `fill` fails; then nothing is left behind.
pub fn write<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, FileError> {
    let unfinished = Unfinished::beside(path)?;
    let filled = unfinished.write(fill)?;
    unfinished.finish()?;
    Ok(filled)
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

/// Whether two names are of one file, of which the second writing would replace what the first has left.
#[must_use]
pub fn are_one(one: &Path, other: &Path) -> bool {
    let at = |path: &Path| {
        let new = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(new)
    };
    at(one).is_some_and(|path| (!path.exists() || path.is_file()) && at(other) == Some(path))
}

/// The folder that a file is or would be in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a name leads to by symbolic links, be that there or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    const MOST: usize = 40;
    if path.exists() {
        // The links of open files, such as /dev/stderr, lead to what has no name.
        return Ok(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    }
    let mut at = path.to_owned();
    for _ in 0..MOST {
        match at.read_link() {
            Ok(to) => at = folder_of(&at).join(to),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("it is a symbolic link that leads to no file"))
}

/// Puts the names in a folder on disk, if it can be opened and the file system does such a thing.
fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(fault) if matches!(fault.kind(), InvalidInput | PermissionDenied | Unsupported) => Ok(()),
        synced => synced,
    }
}

fn not_there(folder: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display()))
}

/// Finds out, before long work for it begins, whether a file could be written.
///
/// # Errors
/// When the folder is not there or not writable, or the name is that of a folder.
pub fn writable(path: &Path) -> Result<(), FileError> {
    Unfinished::beside(path).map(drop)
}

/// A file under a temporary name beside its own; it is gone when dropped. What is there and is no file, such as a pipe or a
/// device, is not replaced but written to at the end.
#[derive(Debug)]
pub(crate) struct Unfinished {
    temporary: Temporary,
    path: PathBuf,
    /// The file that is replaced or made; nothing when what is there is no file.
    at: Option<PathBuf>,
}

impl Unfinished {
    /// Begins a file.
    pub(crate) fn beside(path: &Path) -> Result<Self, FileError> {
        let begun = || {
            let at = target(path)?;
            let at = (!at.exists() || at.is_file() || at.is_dir()).then_some(at);
            let temporary = at.as_deref().map_or_else(NamedTempFile::new, temporary_beside)?;
            Ok((Temporary::new(temporary), at))
        };
        let (temporary, at) = begun().map_err(|cause| FileError::new("write", path, cause))?;
        Ok(Self { temporary, path: path.to_owned(), at })
    }

    pub(crate) fn file(&self) -> &File {
        self.temporary.file()
    }

    /// Writes what `fill` writes.
    pub(crate) fn write<T>(
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
    pub(crate) fn finish(self) -> Result<(), FileError> {
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

/// A temporary file with a name that goes when it is dropped, or when the process is ended and [`remove_temporaries`] is
/// called before.
#[derive(Debug)]
pub(crate) struct Temporary(Option<NamedTempFile>);

/// The names of the temporary files of this process.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

impl Temporary {
    pub(crate) fn new(file: NamedTempFile) -> Self {
        TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).insert(file.path().to_owned());
        Self(Some(file))
    }

    fn inner(&self) -> &NamedTempFile {
        self.0.as_ref().expect("it is there until it is renamed or dropped")
    }

    pub(crate) fn file(&self) -> &File {
        self.inner().as_file()
    }

    pub(crate) fn path(&self) -> &Path {
        self.inner().path()
    }

    fn rename(mut self, path: &Path) -> io::Result<()> {
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
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(not_there(folder));
    }
    let made = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(UNFINISHED)
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder);
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
fn remove_abandoned(folder: &Path, owner: u32) {
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
        if age >= Duration::from_secs(60) && file.try_lock().is_ok() && lock::is_at(&file, path) {
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
pub(crate) const TEMPORARY: &str = ".ndq-";

/// What names of files that are being written end with.
const UNFINISHED: &str = ".tmp";

/// What names of locks end with.
const LOCK: &str = ".lock";

#[cfg(test)]
mod tests {
    use super::*;

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
