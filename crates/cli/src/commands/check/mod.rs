//! `ndq check`

mod bound;
mod certificate;
mod colouring;
mod solutions;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args as Group;
use ndqueens_files::{self as files, FileError};
use ndqueens_lab::evidence;
use ndqueens_model::certificate::colouring::Colouring;
use ndqueens_model::certificate::import::Convention;
use ndqueens_model::certificate::solutions::is_list;
use ndqueens_model::name::BoardName;

use super::Exit;
use crate::args::values::{board, queens, seconds};
use crate::output::Output;

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The file to check: a certificate, a list of solutions written by ndq count --solutions, a proof written by ndq prove --proof, or a proof for VeriPB (.pbp, its formula beside
    /// it), which the program veripb checks.
    pub(crate) file: PathBuf,
    /// How the squares are written: native, tuples, tuples1, flat, flat1, degroot (on hex:n and three:n), heights or heights1
    /// (1: counted from 1).
    #[arg(long = "as", value_name = "CONVENTION", default_value = "native")]
    pub(crate) convention: String,
    /// The board that the file must be for; needed for all conventions but the native one.
    #[arg(long, value_parser = board)]
    pub(crate) board: Option<BoardName>,
    /// The file is a solution file of HiGHS, CBC, SCIP, Gurobi or GLPK for the programme of this formulation on the board.
    #[arg(short, long, value_name = "FORMULATION", requires = "board", conflicts_with = "convention")]
    pub(crate) formulation: Option<String>,
    /// That programme asked for at least K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation", conflicts_with_all = ["at_most", "exactly"])]
    pub(crate) at_least: Option<u64>,
    /// That programme asked for a dominating set of at most K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation", conflicts_with = "exactly")]
    pub(crate) at_most: Option<u64>,
    /// The queens in this certificate file had to be part of its solution.
    #[arg(long, value_name = "FILE", requires = "formulation")]
    pub(crate) include: Option<PathBuf>,
    /// That programme asked for exactly K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation")]
    pub(crate) exactly: Option<u64>,
    /// Wall-clock limit in seconds [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write the certificate to this file, in the native form.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let convention: Convention = args.convention.parse()?;
    if let Some(evidence) = evidence::named(&args.file) {
        refuse_flags(args)?;
        return bound::check(args, evidence, &mut io::empty(), out);
    }
    let input = files::input(&args.file, evidence::most_bytes)?;
    let unreadable = |cause| FileError::new("read", &args.file, cause);
    let mut contents = BufReader::new(File::open(input.path()).map_err(unreadable)?);
    if let Some(evidence) = evidence::beginning(contents.fill_buf().map_err(unreadable)?) {
        refuse_flags(args)?;
        return bound::check(args, evidence, &mut contents, out);
    }
    let name = args.file.display();
    let text = files::read(input.path()).map_err(|fault| fault.of(&args.file))?;
    if is_list(&text) {
        refuse_flags(args)?;
        return solutions::check_list(args, &text, out);
    }
    if ndqueens_cliquer::text::is_board(&text) {
        if args.output.is_some()
            || args.formulation.is_some()
            || args.board.is_some()
            || args.convention != "native"
        {
            bail!(
                "{name} is a board of CliqueR: -o, --as, --board and -f are for certificates and solution files"
            );
        }
        return super::dots::check(&args.file, &text, out);
    }
    if Colouring::is_colouring(&text) {
        refuse_flags(args)?;
        return colouring::check_colouring(args, &text, out);
    }
    certificate::check_certificate(args, &text, convention, out)
}

/// Refuses what means nothing for a proof.
fn refuse_flags(args: &Args) -> anyhow::Result<()> {
    if args.output.is_some() || args.formulation.is_some() || args.convention != "native" {
        bail!(
            "{} is no certificate: -o, --as and -f are for certificates and solution files",
            args.file.display()
        );
    }
    Ok(())
}
