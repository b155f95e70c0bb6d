//! Files of the ledger: their size, their digest and the bounds that they show, from one pass over their
//! bytes.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;

use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::digest::Digester;
use ndqueens_system::note::Notes;
use ndqueens_workflow::evidence::{self, CheckOptions, Conclusion, Refusal, Statement, verified};
use ndqueens_workflow::run::PriorResults;
use parking_lot::Mutex;

use super::kind::Kind;
use crate::files::{self, ArchiveFiles};

/// Name of the folder in the archive.
pub(crate) const FOLDER: &str = "ledger";

/// Size, digest and conclusion of a file, from one pass over its bytes.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) bytes: u64,
    pub(super) sha256: String,
    pub(super) finding: Result<Finding, Refusal>,
}

/// Kind and conclusion of a valid file.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) kind: Kind,
    pub(super) statement: Statement,
}

/// Result of reading a file of the ledger; `None` if the file does not exist.
pub(super) type ReadResult = Result<Option<Contents>, ReadError>;

/// Reason why a file of the ledger cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum ReadError {
    #[error("\"{0}\" is not the name of a file")]
    Name(String),
    #[error("{file} cannot be read: {cause}")]
    Unreadable { file: String, cause: Arc<io::Error> },
}

impl ReadError {
    /// Returns the function that adds the name of a file to a system error.
    fn unreadable(file: &str) -> impl Fn(io::Error) -> Self {
        move |cause| Self::Unreadable { file: file.to_owned(), cause: Arc::new(cause) }
    }
}

/// The files of the ledger of an archive. Each is read at most once.
#[derive(Debug)]
pub(super) struct LedgerFiles {
    archive: ArchiveFiles,
    /// Results of the files read so far, by file name.
    results: Mutex<HashMap<String, Arc<ReadResult>>>,
}

impl LedgerFiles {
    /// Returns the files of an archive.
    pub(super) fn of(archive: &ArchiveFiles) -> Self {
        Self { archive: archive.clone(), results: Mutex::default() }
    }

    /// Returns the archive.
    pub(super) fn archive(&self) -> &ArchiveFiles {
        &self.archive
    }

    /// Returns the size of a file in bytes; `None` if it does not exist.
    pub(super) fn size(&self, file: &str) -> io::Result<Option<u64>> {
        if is_plain(file) { self.archive.size(&archive_name(file)) } else { Ok(None) }
    }

    /// Reads the kind of a file from its first bytes; `None` if they are of no known kind.
    pub(super) fn read_kind(&self, file: &str) -> Result<Option<Kind>, ReadError> {
        let read = || -> io::Result<Option<Kind>> {
            let Some(mut file) = self.archive.open(&archive_name(file))? else { return Ok(None) };
            Ok(evidence::beginning(file.fill_buf()?).map(Kind))
        };
        read().map_err(ReadError::unreadable(file))
    }

    /// Reads a file until `deadline`. The result is cached unless the deadline is over.
    pub(super) fn read(&self, file: &str, threads: usize, deadline: Deadline) -> Arc<ReadResult> {
        let cache = || self.results.lock();
        if let Some(known) = cache().get(file) {
            return Arc::clone(known);
        }
        let read = || {
            if !is_plain(file) {
                return Err(ReadError::Name(file.to_owned()));
            }
            let opened = self.archive.open(&archive_name(file));
            opened
                .and_then(|opened| opened.map(|opened| read_contents(opened, threads, deadline)).transpose())
                .map_err(ReadError::unreadable(file))
        };
        let result = Arc::new(read());
        if !deadline.is_over() {
            cache().insert(file.to_owned(), Arc::clone(&result));
        }
        result
    }

    /// Sets the result of reading a file that is to be written, or to be removed if `contents` is `None`.
    pub(super) fn set(&mut self, file: String, contents: Option<Contents>) {
        self.results.get_mut().insert(file, Arc::new(Ok(contents)));
    }

    /// Returns `true` if the verified checker accepts a file that crosscheck accepts, and `false` if it
    /// cannot read such files.
    ///
    /// # Errors
    /// Returns the reason for which it rejects the file.
    pub(super) fn confirm(&self, file: &str) -> Result<bool, Refusal> {
        let result = self.read(file, 1, Deadline::NEVER);
        let Ok(Some(Contents { finding: Ok(Finding { kind, statement }), .. })) = &*result else {
            return Ok(false);
        };
        if !verified::reads(kind.0.name(), statement) {
            return Ok(false);
        }
        let opened = self.archive.open(&archive_name(file)).map_err(ReadError::unreadable(file));
        let opened = opened.map_err(|fault| Refusal::Unreadable(fault.to_string()))?;
        let Some(mut text) = opened else { return Ok(false) };
        confirm(&mut text, *kind, statement).map(|_| true)
    }
}

/// Returns the name in the archive of a file of the ledger.
fn archive_name(file: &str) -> String {
    format!("{FOLDER}/{file}")
}

/// Returns `true` if a name is a plain file name without folders.
pub(super) fn is_plain(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|plain| plain == name)
}

/// Checks a text with the verified checker, and returns its name and version.
pub(super) fn confirm(text: &mut dyn BufRead, kind: Kind, statement: &Statement) -> Result<String, Refusal> {
    verified::confirm(text, kind.0.name(), statement, &|| false)
}

/// Reads a file to its end. Its size, its digest and its conclusion come from the same bytes.
pub(super) fn read_contents(file: impl BufRead, threads: usize, deadline: Deadline) -> io::Result<Contents> {
    let mut digested = Digested { inner: file, digest: Digester::default(), bytes: 0, deadline };
    let finding = read_finding(&mut digested, threads, deadline);
    io::copy(&mut digested, &mut io::sink())?;
    let Digested { digest, bytes, .. } = digested;
    Ok(Contents { bytes, sha256: digest.finish(), finding })
}

/// A reader that digests the bytes read through it, and fails when the deadline is over.
struct Digested<R> {
    inner: R,
    digest: Digester,
    bytes: u64,
    deadline: Deadline,
}

impl<R: BufRead> Read for Digested<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Digested<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.deadline.is_over() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "time is up"));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        let taken = self.inner.fill_buf().map_or(&[][..], |filled| &filled[..bytes]);
        self.digest.update(taken);
        self.bytes += bytes as u64;
        self.inner.consume(bytes);
    }
}

/// Checks a file and returns its kind and conclusion.
fn read_finding(file: &mut dyn BufRead, threads: usize, deadline: Deadline) -> Result<Finding, Refusal> {
    let first = file.fill_buf().map_err(|fault| Refusal::Unreadable(fault.to_string()))?;
    let proof = evidence::beginning(first);
    let certificate = &mut file.take(files::LARGEST);
    let (evidence, text): (_, &mut dyn BufRead) = match proof {
        Some(proof) => (proof, certificate.get_mut()),
        None => (evidence::CERTIFICATE, certificate),
    };
    if evidence.archived_as().is_none() {
        return Err(Refusal::Unchecked("outside checkers are not asked here".to_owned()));
    }
    let stop = || deadline.is_over();
    // No kind of file that is archived takes right-hand sides from the archive.
    let (prior, notes) = (PriorResults::none(), Notes::default());
    let options = CheckOptions::new(&stop, threads, &prior, &notes);
    let statement = evidence::prove(evidence, text, &options)?;
    match &statement.conclusion {
        Conclusion::Fit(Certificate { problem, .. }) if *problem != Problem::IndependentSet => {
            let this = problem.with_article();
            Err(Refusal::Unchecked(format!("the ledger is for independent sets, and this is {this}")))
        }
        Conclusion::Restricted { .. } => {
            let words = "the ledger is for independent sets without included squares".to_owned();
            Err(Refusal::Unchecked(words))
        }
        _ => Ok(Finding { kind: Kind(evidence), statement }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_digest_are_those_of_all_bytes() {
        for text in ["", "nonsense\n", "ndqueens bound 1\nboard 3^2\n", "ndqueens proof 2\nx\nmore\n"] {
            let contents = read_contents(text.as_bytes(), 1, Deadline::NEVER).expect("in memory");
            assert_eq!(contents.bytes, text.len() as u64);
            assert_eq!(contents.sha256, ndqueens_system::file::digest::of(text));
            assert!(contents.finding.is_err(), "{text}");
        }
    }
}
