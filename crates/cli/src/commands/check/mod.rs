//! The command `ndq check`: looks up the kind of each file, and shows the report of its check.

mod args;

use std::path::Path;

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_system::thread::all_cores;
use ndqueens_workflow::evidence::{
    self, CheckOptions, CheckedBound, CheckedColouring, CheckedFacets, CheckedList, CheckedPlacements,
    CheckedSquares, Evidence, EvidenceError, FileReport,
};

pub(crate) use self::args::Args;

use super::Exit;
use super::dots::CliquerGame;
use crate::advice::report;
use crate::exit::class_of_chain;
use crate::output::{Output, log};
use crate::schema::printed;
use crate::{interrupt, memory};

printed!(CheckedBound: "check");
printed!(CheckedColouring: "check");
printed!(CheckedFacets: "check");
printed!(CheckedList: "check");
printed!(CheckedPlacements: "check");
printed!(CheckedSquares: "check");

/// Kinds of files in addition to those of the workflows.
const OTHER_KINDS: [&dyn Evidence; 1] = [&CliquerGame];

pub(crate) fn run(args: &Args, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    if let [file] = args.files.as_slice() {
        return check_file(args, file, archive, out);
    }
    if args.output.is_some() {
        bail!("-o writes the certificate of one file, and {} are given", args.files.len());
    }
    let mut worst = Exit::Yes;
    for file in &args.files {
        let exit = check_file(args, file, archive, out).unwrap_or_else(|error| {
            let class = class_of_chain(&error);
            out.fault(&report(&error), class);
            class.into()
        });
        worst = std::cmp::max_by_key(worst, exit, |exit| severity(*exit));
    }
    Ok(worst)
}

/// Returns the rank of an exit code among those of several files, the worst last.
fn severity(exit: Exit) -> u8 {
    match exit {
        Exit::Yes => 0,
        Exit::Stopped => 1,
        Exit::No => 2,
        Exit::BadInput => 3,
        Exit::Failed => 4,
    }
}

fn check_file(args: &Args, file: &Path, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    args.refuse_incomplete()?;
    let deadline = Deadline::after(args.limit.time_limit);
    let stop = || interrupt::is_requested() || deadline.is_over();
    let prior = archive.prior_results();
    let options = CheckOptions {
        board: args.board.as_ref(),
        convention: args.convention.parse()?,
        answer: args.answer_options(),
        verified: args.verified,
        rewrites: args.output.is_some(),
        memory: || memory::for_models(None),
        remark: &log,
        ..CheckOptions::new(&stop, all_cores(), &prior, out.notes())
    };
    let report = evidence::check_file(file, &options, &OTHER_KINDS).map_err(|error| match error {
        EvidenceError::Refusal(_) => anyhow::Error::from(error).context(file.display().to_string()),
        error => error.into(),
    })?;
    let FileReport { verdict, native, .. } = &report;
    if let Some((native, path)) = native.as_ref().zip(args.output.as_ref()) {
        file::write(path, |file| file.write_all(native.as_bytes()))?;
    }
    out.report(&report)?;
    Ok((*verdict).into())
}
