//! The command `ndq check`.

mod answer;
mod args;
mod bound;
mod certificate;
mod colouring;
mod solutions;
mod verdict;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use ndqueens_model::import::Convention;
use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_notation::certificate::solutions::is_list;
use ndqueens_system::file::{self, FileError};
use ndqueens_workflow::evidence::{self, vipr};

use self::answer::Answer;
pub(crate) use self::args::Args;

use super::Exit;
use crate::advice::report;
use crate::exit::class_of_chain;
use crate::output::Output;

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let of = |file: &PathBuf| Args { file: file.clone(), ..args.clone() };
    if let [file] = args.files.as_slice() {
        return check_file(&of(file), out);
    }
    if args.output.is_some() {
        bail!("-o writes the certificate of one file, and {} are given", args.files.len());
    }
    let mut worst = Exit::Yes;
    for file in &args.files {
        let exit = check_file(&of(file), out).unwrap_or_else(|error| {
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

fn check_file(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    if args.formulation.is_some() && args.board.is_none() && args.model.is_none() {
        bail!("-f needs --board, the board of the model, or --model, the file that the solver read");
    }
    let convention: Convention = args.convention.parse()?;
    if args.is_answer() && vipr::is_name(&args.file) {
        args.refuse_output()?;
        let evidence = answer::vipr(args)?;
        return bound::check(args, &evidence, &args.file, &mut io::empty(), out);
    }
    if let Some(evidence) = evidence::by_file_name(&args.file) {
        args.refuse_flags()?;
        return bound::check(args, evidence, &args.file, &mut io::empty(), out);
    }
    let input = file::input(&args.file, evidence::most_bytes)?;
    let unreadable = |cause| FileError::new("read", &args.file, cause);
    let mut contents = BufReader::new(File::open(input.path()).map_err(unreadable)?);
    if let Some(evidence) = evidence::beginning(contents.fill_buf().map_err(unreadable)?) {
        args.refuse_flags()?;
        return bound::check(args, evidence, input.path(), &mut contents, out);
    }
    let name = args.file.display();
    let text = file::read(input.path()).map_err(|fault| fault.of(&args.file))?;
    if args.convention == "native" && !args.is_answer() {
        refuse_mark(args, input.path())?;
    }
    if is_list(&text) {
        args.refuse_flags()?;
        args.refuse_verified()?;
        return solutions::check_list(args, &text, out);
    }
    if ndqueens_cliquer::text::is_board(&text) {
        if args.output.is_some()
            || args.is_answer()
            || args.board.is_some()
            || args.convention != "native"
            || args.verified
        {
            bail!("{name} is a board of CliqueR: -o, --as, --board, -f and --verified are for other files");
        }
        return super::dots::check(&args.file, &text, out);
    }
    if Colouring::is_colouring(&text) {
        args.refuse_flags()?;
        args.refuse_verified()?;
        return colouring::check_colouring(args, &text, out);
    }
    if args.convention != "native" || args.is_answer() {
        args.refuse_verified()?;
    }
    match answer::read(&text, args).with_context(|| args.file.display().to_string())? {
        Some(Answer::Colouring(colouring)) => return colouring::check(args, &colouring, out),
        Some(Answer::Squares(certificate, violation)) => {
            return certificate::check(args, &certificate, violation, &text, convention, out);
        }
        None => {}
    }
    certificate::check_certificate(args, &text, convention, out)
}

/// Returns an error if a file starts with a byte order mark, which other checkers do not read.
fn refuse_mark(args: &Args, path: &Path) -> anyhow::Result<()> {
    let mut first = Vec::new();
    File::open(path)?.take(3).read_to_end(&mut first)?;
    if first == "\u{feff}".as_bytes() {
        let name = args.file.display();
        bail!(
            "{name}, line 1, column 1: the file must not begin with a byte order mark; save it without one"
        );
    }
    Ok(())
}
