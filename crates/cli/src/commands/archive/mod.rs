//! `ndq archive`

mod bounds;
mod certificates;
mod counts;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args as Group, Subcommand};
use ndqueens_files::FileError;
use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::counts as stored;
use ndqueens_lab::evidence;

use super::Exit;
use crate::args::groups::Limit;
use crate::output::Output;

#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) enum Args {
    /// Check certificates, bounds and proofs, and archive what they show.
    Add(Add),
    /// Check every file that is here, and print what each bound rests on.
    Verify(Verify),
    /// List bounds, certificates and counts.
    #[command(after_help = include_str!("list.txt"))]
    List,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("add.txt"))]
pub(crate) struct Add {
    /// Certificates, bounds of ndq lp certify -o, or proofs of ndq prove --proof or ndq count --proof. A certificate is archived as the best one of
    /// its board, unless another one or a rule gives as many queens, and as a lower bound.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The command that makes the files again; files over 16 megabytes are not archived, and need it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) command: Option<String>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Have the verified checker check each file too, and note that in the rows of the ledger; scripts/setup --verified builds it.
    #[arg(long)]
    pub(crate) verified: bool,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("verify.txt"))]
pub(crate) struct Verify {
    /// Have the verified checker check the files of plain boxes, too; scripts/setup --verified builds it.
    #[arg(long)]
    pub(crate) verified: bool,
    #[command(flatten)]
    pub(crate) limit: Limit,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    match args {
        Args::Add(add) => self::add(add, out),
        Args::Verify(args) => verify(args, out),
        Args::List => {
            bounds::list(out)?;
            certificates::list(out)?;
            counts::list(out)?;
            Ok(Exit::Yes)
        }
    }
}

fn add(args: &Add, out: &mut Output) -> anyhow::Result<Exit> {
    let mut exit = Exit::Yes;
    for path in &args.files {
        if stored::is_count(path)? {
            if !counts::add(path, args.verified, out)? {
                exit = Exit::No;
            }
            continue;
        }
        let new = match bounds::add(path, args.command.as_deref(), args.verified, out)? {
            Some(new) if is_certificate(path)? => Some(certificates::add(path, out)? || new),
            // A bound that is known already is no fault of the file.
            new => new.map(|_| true),
        };
        if new != Some(true) {
            exit = Exit::No;
        }
    }
    Ok(exit)
}

/// Whether a file is none of the kinds that show an upper bound.
fn is_certificate(path: &Path) -> Result<bool, FileError> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut first));
    read.map_err(|cause| FileError::new("read", path, cause))?;
    Ok(evidence::named(path).is_none() && evidence::beginning(&first).is_none())
}

fn verify(args: &Verify, out: &mut Output) -> anyhow::Result<Exit> {
    let exits = [
        bounds::verify(args.verified, out)?,
        certificates::verify(out)?,
        counts::verify(args.verified, out)?,
    ];
    if exits == [None, None, None] {
        bail!("there is no bound, no certificate and no count in {} to be verified", Archive::here());
    }
    let exits: Vec<Exit> = exits.into_iter().flatten().collect();
    Ok([Exit::No, Exit::Stopped].into_iter().find(|exit| exits.contains(exit)).unwrap_or(Exit::Yes))
}
