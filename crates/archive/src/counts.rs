//! Numbers of maximum solutions with a proof: a folder of the [archive](crate::files) with one file per
//! board. The proof in it lists the maximum solutions and shows that there are no others.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use ndqueens_notation::name::BoardName;
use ndqueens_system::file::{self, FileError, packed};
use ndqueens_workflow::evidence::tree::{self, check_text};
use ndqueens_workflow::evidence::{self, Refusal, Statement, verified};
use rayon::prelude::*;

use crate::error::{ArchiveError, RefusedFile};
use crate::files::ArchiveFiles;

/// Name of the folder in the archive.
pub const FOLDER: &str = "counts";

/// Size limit of a stored file, in bytes.
pub const MAX_BYTES: u64 = 2_000_000;

/// A count that was checked in this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The board.
    pub board: BoardName,
    /// Number of queens of a maximum solution.
    pub queens: u64,
    /// Number of maximum solutions.
    pub solutions: u64,
    /// Number of nodes of the proof.
    pub nodes: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// The verified checker that accepts the file as well; `None` if it was not used or cannot read the file.
    pub verified_by: Option<String>,
}

/// Use of the verified checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerifiedCheck {
    /// Not used.
    Never,
    /// Used for proofs that it can read, which are those on plain boxes.
    IfReadable,
    /// Used for all proofs; a proof that it cannot read is rejected.
    Always,
}

/// A file of the folder.
#[derive(Debug)]
pub struct StoredCount {
    /// Name of the file.
    pub file: String,
    /// The count, or the reason why the file cannot be used.
    pub count: Result<Counted, Refusal>,
}

/// Returns `true` if a file has the form of a proof of a count. The proof is not checked.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn is_count(path: &Path) -> Result<bool, FileError> {
    let scan = || -> io::Result<bool> {
        let mut file = BufReader::new(file::open_plain(path)?);
        if evidence::beginning(file.fill_buf()?).is_none_or(|kind| kind.name() != evidence::tree::NAME) {
            return Ok(false);
        }
        let mut text = packed::read(file)?;
        let mut line = Vec::new();
        while (&mut text).take(1 << 16).read_until(b'\n', &mut line)? > 0 {
            if line.starts_with(b"solutions ") {
                return Ok(true);
            }
            line.clear();
        }
        Ok(false)
    };
    match scan() {
        // A damaged file is not a count; another check rejects it.
        Err(fault) if matches!(fault.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) => {
            Ok(false)
        }
        scanned => scanned.map_err(|cause| FileError::new("read", path, cause)),
    }
}

/// A count that was checked and can be stored.
#[derive(Debug)]
pub struct Checked {
    counted: Counted,
    file: Vec<u8>,
}

impl Checked {
    /// Reads and checks a count, with the verified checker too as `verified` states.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, exceeds [`MAX_BYTES`], or is not a valid proof of a
    /// count.
    pub fn read(path: &Path, verified: VerifiedCheck) -> Result<Self, ArchiveError> {
        let refused = RefusedFile::at(path);
        let mut file = Vec::new();
        let read = file::open_plain(path).and_then(|from| from.take(MAX_BYTES + 1).read_to_end(&mut file));
        read.map_err(|cause| FileError::new("read", path, cause))?;
        if file.len() as u64 > MAX_BYTES {
            let why = format!("counts of more than {MAX_BYTES} bytes are not archived");
            return Err(refused(Refusal::Unchecked(why)).into());
        }
        let counted = check_count(&file, verified).map_err(refused)?;
        Ok(Self { counted, file })
    }

    /// Stores the count in an archive, in place of an earlier one of the same board. Returns the count, the
    /// path of its file, and `true` if the file is new or changed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn store(self, archive: &ArchiveFiles) -> Result<(Counted, PathBuf, bool), ArchiveError> {
        let folder = archive.make_folder(FOLDER)?;
        let name = file_name(&self.counted.board);
        let (path, mut stored) = (folder.join(&name), Vec::new());
        let read = file::open_plain(&path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut stored));
        let is_new = read.is_err() || stored != self.file;
        if is_new {
            file::write_as_it_is(&path, |out| out.write_all(&self.file))?;
        }
        Ok((self.counted, archive.display_path(&format!("{FOLDER}/{name}")), is_new))
    }
}

/// Checks all files of the folder, with the verified checker too as `verified` states.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn read(archive: &ArchiveFiles, verified: VerifiedCheck) -> Result<Vec<StoredCount>, FileError> {
    let names: Vec<String> =
        archive.names(FOLDER)?.into_iter().filter(|name| name.ends_with(EXTENSION)).collect();
    let read = |file: String| StoredCount { count: read_one(archive, &file, verified), file };
    Ok(names.into_par_iter().map(read).collect())
}

fn read_one(archive: &ArchiveFiles, name: &str, verified: VerifiedCheck) -> Result<Counted, Refusal> {
    let unreadable = |fault: io::Error| Refusal::Unreadable(fault.to_string());
    let mut text = Vec::new();
    let file = archive.open(&format!("{FOLDER}/{name}")).map_err(unreadable)?;
    let file = file.ok_or_else(|| Refusal::Unreadable("it is missing".to_owned()))?;
    file.take(MAX_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
    let counted = check_count(&text, verified)?;
    let file = file_name(&counted.board);
    match name == file {
        true => Ok(counted),
        false => Err(Refusal::Unchecked(format!("a count of {} belongs into {file}", counted.board))),
    }
}

/// Checks a proof, packed or not, and returns its count.
fn check_count(proof: &[u8], verified: VerifiedCheck) -> Result<Counted, Refusal> {
    let checked = evidence::check_unpacked(&mut &*proof, &|| false, |text| check_text(text));
    let proved = checked.map_err(|fault| tree::refusal(&fault))?;
    let board = proved.board().clone();
    if matches!(board, BoardName::File(_)) {
        return Err(Refusal::Unchecked(format!(
            "only counts of boards with a name of their own are archived; {board} is described in a file"
        )));
    }
    match proved.count() {
        Some(count) if count.no_more_fit && count.sets > 0 => {
            let (nodes, bytes) = (proved.nodes(), proof.len() as u64);
            let verified_by = confirm(proof, &tree::statement(&proved)?, verified)?;
            Ok(Counted { board, queens: count.size, solutions: count.sets, nodes, bytes, verified_by })
        }
        _ => Err(Refusal::Unchecked("it does not show how many maximum solutions there are".to_owned())),
    }
}

/// Checks a proof with the verified checker as `check` states. Returns its name and version if it was used.
fn confirm(mut proof: &[u8], statement: &Statement, check: VerifiedCheck) -> Result<Option<String>, Refusal> {
    let is_used = match check {
        VerifiedCheck::Never => false,
        VerifiedCheck::IfReadable => verified::reads(tree::NAME, statement),
        VerifiedCheck::Always => true,
    };
    is_used.then(|| verified::confirm(&mut proof, tree::NAME, statement, &|| false)).transpose()
}

const EXTENSION: &str = ".count.gz";

/// Returns the name of the file for a board, e.g. `8^3.count.gz` or `hex-7.count.gz`.
#[must_use]
pub fn file_name(board: &BoardName) -> String {
    format!("{}{EXTENSION}", board.to_string().replace([':', '/'], "-"))
}

#[cfg(test)]
mod tests {
    use ndqueens_notation::error_class::{Classified as _, ErrorClass};

    use super::*;

    const COUNT: &str = include_str!("../../crosscheck/tests/vectors/accepted/count-orbit.proof");
    const BELOW: &str = include_str!("../../crosscheck/tests/vectors/accepted/count-below.proof");
    const BOUND: &str = include_str!("../../crosscheck/tests/vectors/accepted/sums.proof");

    fn is_refused(read: &Result<Checked, ArchiveError>, class: ErrorClass) -> bool {
        matches!(read, Err(ArchiveError::Refused(file)) if file.refusal.class() == class)
    }

    #[test]
    fn counts_of_maximum_solutions_are_kept_and_checked_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = ArchiveFiles::at(&folder.path().join("archive"));
        let file = folder.path().join("given");
        let give = |text: &str| std::fs::write(&file, text).expect("written");
        for (text, is) in [(COUNT, true), (BELOW, true), (BOUND, false), ("", false)] {
            give(text);
            assert_eq!(is_count(&file).expect("readable"), is);
        }
        for text in [BELOW, BOUND] {
            give(text);
            let refused = Checked::read(&file, VerifiedCheck::Never);
            assert!(is_refused(&refused, ErrorClass::BadInput), "{text}");
        }
        give(&COUNT.replace("count 4 2", "count 4 3"));
        let refused = Checked::read(&file, VerifiedCheck::Never);
        assert!(is_refused(&refused, ErrorClass::Refuted));
        assert!(read(&archive, VerifiedCheck::Never).expect("nothing").is_empty());
        give(COUNT);
        let checked = || Checked::read(&file, VerifiedCheck::Never).expect("a count");
        let (counted, path, is_new) = checked().store(&archive).expect("stored");
        assert!(is_new && !checked().store(&archive).expect("there").2);
        assert_eq!((counted.queens, counted.solutions), (4, 2));
        assert!(path.ends_with("counts/4^2.count.gz"), "{}", path.display());
        let stored = read(&archive, VerifiedCheck::Never).expect("one");
        let [StoredCount { file: name, count: Ok(again) }] = stored.as_slice() else { panic!("{stored:?}") };
        assert_eq!((name.as_str(), again), ("4^2.count.gz", &counted));
        let spoilt = COUNT.replace("solution 2 4 11 13", "solution 2 4 11 15");
        std::fs::write(folder.path().join("archive/counts/4^2.count.gz"), spoilt).expect("written");
        std::fs::write(folder.path().join("archive/counts/5^2.count.gz"), COUNT).expect("written");
        let stored = read(&archive, VerifiedCheck::Never).expect("two");
        let whys: Vec<String> =
            stored.into_iter().filter_map(|stored| Some(stored.count.err()?.to_string())).collect();
        assert!(whys[0].contains("attack") && whys[1].contains("belongs into 4^2.count.gz"), "{whys:?}");
        assert!(matches!(checked().store(&ArchiveFiles::embedded()), Err(ArchiveError::Embedded)));
    }
}
