//! The command `ndq archive`.

mod bounds;
mod certificates;
mod counts;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Subcommand;
use ndqueens_archive::addition::{self, Added, Known};
use ndqueens_archive::archive::Archive;

use super::Exit;
use crate::args::groups::{Limit, Limited};
use crate::output::Output;
use crate::schema::printed;

printed!(Known: "archive add");

#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) enum Args {
    /// Check certificates, bounds and proofs, and archive what they show.
    Add(Add),
    /// Check every archived file, and print the facts that each bound rests on.
    Verify(Verify),
    /// List bounds, certificates and counts.
    ///
    /// List bounds, certificates and counts, each with its status. They are checked before they are listed,
    /// except files of bounds whose check takes long; ndq archive verify checks these too.
    #[command(after_help = include_str!("list.txt"))]
    List,
}

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("add.txt"))]
pub(crate) struct Add {
    /// Certificates, bounds of ndq lp certify -o, or proofs of ndq prove --proof or ndq count --proof.
    /// A certificate is archived as the best one of its board, unless another one or a rule gives as
    /// many queens, and as a lower bound. If a file is refused, none is archived; one that shows
    /// nothing new changes nothing.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The command that makes the files again; files over 16 megabytes are not archived, and need it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) command: Option<String>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Check each file with the verified checker too, and note that in the rows of the ledger; scripts/setup
    /// --verified builds it.
    #[arg(long)]
    pub(crate) verified: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("verify.txt"))]
pub(crate) struct Verify {
    /// Check the files of plain boxes with the verified checker too; scripts/setup --verified builds it.
    #[arg(long)]
    pub(crate) verified: bool,
    #[command(flatten)]
    pub(crate) limit: Limit,
}

impl Limited for Args {
    fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Add(add) => add.limit.time_limit,
            Self::Verify(verify) => verify.limit.time_limit,
            Self::List { .. } => None,
        }
    }
}

pub(crate) fn run(args: &Args, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    match args {
        Args::Add(add) => self::add(add, archive, out),
        Args::Verify(args) => verify(args, archive, out),
        Args::List => {
            let exit = bounds::list(archive, out)?;
            certificates::list(archive, out)?;
            counts::list(archive, out)?;
            Ok(exit)
        }
    }
}

fn add(args: &Add, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    let added = addition::add(archive, &args.files, args.command.as_deref(), args.verified)?;
    for (path, added) in args.files.iter().zip(added) {
        match added {
            Added::Count(counted, stored) => counts::report_added(path, counted, &stored, out)?,
            Added::Bounds(bounds, stored) => {
                bounds::report_added(path, &bounds, out)?;
                if let Some((certificate, stored)) = bounds.certificate.as_ref().zip(stored) {
                    certificates::report_added(path, certificate, &stored, out)?;
                }
            }
            Added::Known(known) => out.result(&known, &known.to_string())?,
        }
    }
    Ok(Exit::Yes)
}

fn verify(args: &Verify, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    let exits = [
        bounds::verify(archive, args.verified, out)?,
        certificates::verify(archive, out)?,
        counts::verify(archive, args.verified, out)?,
    ];
    if exits == [None, None, None] {
        bail!("there is no bound, no certificate and no count in {} to be verified", archive.files());
    }
    let exits: Vec<Exit> = exits.into_iter().flatten().collect();
    Ok([Exit::No, Exit::Stopped].into_iter().find(|exit| exits.contains(exit)).unwrap_or(Exit::Yes))
}
