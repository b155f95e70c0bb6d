//! `ndq store`

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args as Group, Subcommand};
use ndqueens_files as files;
use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::certificates::{Added, CertificateStore, CertificateStoreError, Refused};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;
use ndqueens_model::facts::known;
use ndqueens_report::sheet::aligned;
use serde::Serialize;

use super::Exit;
use crate::output::{Output, log};

#[derive(Debug, Subcommand)]
pub(crate) enum Args {
    /// Check certificates, and keep those that no rule and no stored one makes superfluous.
    Add(Add),
    /// Check every certificate of the store, and tell which are superfluous.
    Verify,
    /// List the certificates of the store.
    List,
}

#[derive(Debug, Group)]
pub(crate) struct Add {
    /// Certificate files.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Entry {
    file: String,
    board: Option<String>,
    queens: Option<usize>,
    origin: Option<String>,
    holds: bool,
    says: Option<String>,
}

#[derive(Serialize)]
struct Kept {
    file: PathBuf,
    board: String,
    queens: usize,
    kept: bool,
    says: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    match args {
        Args::Add(add) => self::add(add, out),
        Args::Verify => verify(&CertificateStore::of(Archive::here()), out),
        Args::List => list(&CertificateStore::of(Archive::here()), out),
    }
}

fn add(args: &Add, out: &mut Output) -> anyhow::Result<Exit> {
    let store = CertificateStore::of(Archive::here());
    let mut exit = Exit::Yes;
    for path in &args.files {
        let certificate = super::certificate::read(path)?;
        let added = match store.add(&certificate) {
            Err(CertificateStoreError::Fault(fault)) => {
                log(&format!("error: {}: the certificate does not hold: {fault}", path.display()));
                exit = Exit::No;
                continue;
            }
            added => added.with_context(|| path.display().to_string())?,
        };
        let says = match &added {
            Added::Kept { path, before } => {
                let instead = before.map_or_else(String::new, |size| format!(", in place of {size}"));
                format!("kept in {}{instead}{}", path.display(), against_published(&certificate))
            }
            Added::NotBetter(why) => format!("not kept: {why}"),
        };
        if matches!(added, Added::NotBetter(_)) {
            exit = Exit::No;
        }
        let Certificate { board, .. } = &certificate;
        let pieces = Board::new(board).pieces(certificate.size() as u64);
        let text = format!("{}: {pieces} on {board}, {says}", path.display());
        let kept = Kept {
            file: path.clone(),
            board: board.to_string(),
            queens: certificate.size(),
            kept: matches!(added, Added::Kept { .. }),
            says,
        };
        out.result(&kept, &text)?;
    }
    Ok(exit)
}

fn against_published(certificate: &Certificate) -> String {
    match known::lookup(&certificate.board) {
        Some(known) if known.lower < certificate.size() as u64 => {
            format!("; more than the {} published [{}]", known.lower, known.source)
        }
        _ => String::new(),
    }
}

fn refused(Refused { path, why }: Refused) -> Entry {
    Entry {
        file: path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        board: None,
        queens: None,
        origin: None,
        holds: false,
        says: Some(why),
    }
}

fn entries(store: &CertificateStore) -> Result<Vec<Entry>, files::FileError> {
    let (held, spoilt) = store.read()?;
    let held = held.into_iter().map(|(file, certificate)| Entry {
        file,
        board: Some(certificate.board.to_string()),
        queens: Some(certificate.size()),
        origin: Some(certificate.origin.clone()),
        holds: true,
        says: None,
    });
    Ok(held.chain(spoilt.into_iter().map(refused)).collect())
}

fn list(store: &CertificateStore, out: &mut Output) -> anyhow::Result<Exit> {
    tell(&entries(store)?, out)
}

/// Every file is verified; a certificate that the others and the rules make superfluous is told of.
fn verify(store: &CertificateStore, out: &mut Output) -> anyhow::Result<Exit> {
    let mut entries = entries(store)?;
    for (name, why) in store.superfluous()? {
        for entry in entries.iter_mut().filter(|entry| entry.file == name) {
            entry.says = why.as_ref().map(|why| format!("superfluous: {why}"));
        }
    }
    let exit = tell(&entries, out)?;
    let holds = entries.iter().filter(|entry| entry.holds).count();
    log(&format!("{holds} of {} certificates in {} hold", entries.len(), Archive::here()));
    if entries.is_empty() {
        bail!("there is no certificate in {}", Archive::here());
    }
    Ok(exit)
}

fn tell(entries: &[Entry], out: &mut Output) -> anyhow::Result<Exit> {
    if out.json() {
        entries.iter().try_for_each(|entry| out.result(entry, ""))?;
    } else {
        let lines = entries.iter().map(|Entry { file, queens, origin, says, .. }| {
            let queens = queens.map_or_else(|| "-".to_owned(), |queens| queens.to_string());
            vec![file.clone(), queens, says.as_ref().or(origin.as_ref()).cloned().unwrap_or_default()]
        });
        out.result(&(), &aligned(lines, &[0, 2]))?;
    }
    Ok(if entries.iter().all(|entry| entry.holds) { Exit::Yes } else { Exit::No })
}
