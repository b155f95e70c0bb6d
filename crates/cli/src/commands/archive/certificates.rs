//! Commands on the certificates of the best lower bounds in the archive.

use std::path::{Path, PathBuf};

use ndqueens_archive::RefusedFile;
use ndqueens_archive::archive::Archive;
use ndqueens_archive::certificates::{Added, CertificateStore};
use ndqueens_model::board::Board;
use ndqueens_model::facts::known::{self, PublishedBounds};
use ndqueens_notation::certificate::Certificate;
use ndqueens_report::sheet::align_columns;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::{Output, log};
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Entry {
    file: String,
    board: Option<String>,
    queens: Option<usize>,
    origin: Option<String>,
    holds: bool,
    says: Option<String>,
}

printed!(Entry: "archive list", "archive verify");

#[derive(JsonSchema, Serialize)]
struct Kept {
    file: PathBuf,
    board: String,
    queens: usize,
    stored: bool,
    says: String,
}

printed!(Kept: "archive add");

/// Reports if a certificate was stored, and where.
pub(super) fn report_added(
    path: &Path,
    certificate: &Certificate,
    added: &Added,
    out: &mut Output,
) -> anyhow::Result<()> {
    let says = match added {
        Added::Kept { path, before } => {
            let instead = before.map_or_else(String::new, |size| format!(", in place of {size}"));
            format!("stored in {}{instead}{}", path.display(), compare_with_published(certificate))
        }
        Added::NotBetter(why) => format!("not stored: {why}"),
    };
    let Certificate { board, .. } = certificate;
    let pieces = Board::new(board).format_pieces(certificate.size() as u64);
    let text = format!("{}: {pieces} on {board}, {says}", path.display());
    let stored = matches!(added, Added::Kept { .. });
    let (file, board, queens) = (path.to_owned(), board.to_string(), certificate.size());
    Ok(out.result(&Kept { file, board, queens, stored, says }, &text)?)
}

fn compare_with_published(certificate: &Certificate) -> String {
    match known::lookup(&certificate.board) {
        Some(PublishedBounds { lower: Some(lower), source, .. }) if *lower < certificate.size() as u64 => {
            format!("; more than the {lower} published [{source}]")
        }
        _ => String::new(),
    }
}

fn refused_entry(RefusedFile { path, refusal }: RefusedFile) -> Entry {
    Entry {
        file: path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        board: None,
        queens: None,
        origin: None,
        holds: false,
        says: Some(refusal.to_string()),
    }
}

fn entries(store: &CertificateStore) -> Result<Vec<Entry>, file::FileError> {
    let (held, spoilt) = store.read()?;
    let held = held.into_iter().map(|(file, certificate)| Entry {
        file,
        board: Some(certificate.board.to_string()),
        queens: Some(certificate.size()),
        origin: Some(certificate.origin.clone()),
        holds: true,
        says: None,
    });
    Ok(held.chain(spoilt.into_iter().map(refused_entry)).collect())
}

pub(super) fn list(archive: &Archive, out: &mut Output) -> anyhow::Result<()> {
    print(&entries(&CertificateStore::of(archive))?, out)
}

/// Verifies every file, and reports certificates that others make superfluous. Returns [`Exit::Yes`] if all
/// are valid, or `None` if there are no certificates.
pub(super) fn verify(archive: &Archive, out: &mut Output) -> anyhow::Result<Option<Exit>> {
    let store = CertificateStore::of(archive);
    let mut entries = entries(&store)?;
    if entries.is_empty() {
        return Ok(None);
    }
    for (name, why) in store.superfluous()? {
        for entry in entries.iter_mut().filter(|entry| entry.file == name) {
            entry.says = why.as_ref().map(|why| format!("superfluous: {why}"));
        }
    }
    print(&entries, out)?;
    let holds = entries.iter().filter(|entry| entry.holds).count();
    log(&format!(
        "{holds} of {} certificates in {} {} valid",
        entries.len(),
        archive.files(),
        if holds == 1 { "is" } else { "are" }
    ));
    Ok(Some(if holds == entries.len() { Exit::Yes } else { Exit::No }))
}

fn print(entries: &[Entry], out: &mut Output) -> anyhow::Result<()> {
    if out.json() {
        entries.iter().try_for_each(|entry| out.result(entry, ""))?;
    } else if !entries.is_empty() {
        let lines = entries.iter().map(|Entry { file, queens, origin, says, .. }| {
            let queens = queens.map_or_else(|| "-".to_owned(), |queens| queens.to_string());
            vec![file.clone(), queens, says.as_ref().or(origin.as_ref()).cloned().unwrap_or_default()]
        });
        out.result(&(), &align_columns(lines, &[0, 2]))?;
    }
    Ok(())
}
