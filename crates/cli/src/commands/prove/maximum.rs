//! `ndq prove BOARD`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args as Group;
use ndqueens_files as files;
use ndqueens_knowledge::ARCHIVE;
use ndqueens_lab::record::{Record, Start};
use ndqueens_lab::run::RunContext;
use ndqueens_lab::workflow::prove::{Proof, Status};
use ndqueens_lab::workflow::{self, Answered, veripb};
use ndqueens_model::name::BoardName;
use serde::Serialize;

use super::known::Known;
use super::outputs::{self, Written};
use super::{question, text};
use crate::args::groups::{Engine, Keep, Solver};
use crate::args::values::{backend, board, queens};
use crate::commands::{self, Exit};
use crate::memory;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    // Absent where a subcommand stands.
    #[arg(value_parser = board, required = true)]
    pub(crate) board: Option<BoardName>,
    /// Claimed maximum, to be proved or refuted [default: the maximum is determined].
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) k: Option<u64>,
    /// What proves the upper bound; highs when a recipe, a backend or another flag for it is given. Else the cheapest that
    /// closes the gap: a theorem, the orbit LP, the exact engine, and HiGHS for boards that are too large for the engine.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<Engine>,
    /// Keep each box that is settled in this folder, made if need be; the same command goes on there after it was stopped.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Keep the proof in this file; ndq check reads it. The exact engine's is packed when the name ends in .gz; the name of
    /// a SAT solver's ends in .drat, and its formula goes beside it (.cnf).
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a proof for the checker VeriPB to this file, which ends in .pbp or .pbp.gz, and its formula beside it (.opb).
    #[arg(long, value_name = "FILE")]
    pub(crate) veripb: Option<PathBuf>,
    /// The recipe whose rows HiGHS takes: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "RECIPE")]
    pub(crate) formulation: Option<String>,
    /// Accept only bounds verified by ndq's own checker (no floating-point solver results).
    #[arg(long)]
    pub(crate) certified: bool,
    /// With HiGHS, ask for exactly k + 1 queens (the equality form of Kunt 2023) instead of at least k + 1.
    #[arg(long)]
    pub(crate) exactly: bool,
    /// With HiGHS, take published right-hand sides as given instead of proving them first; the result is then conditional.
    #[arg(long)]
    pub(crate) assume_reported: bool,
    /// The certificate to begin with: cut, greedy, none (the best construction, or one that is kept here), or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: Start,
    /// The solver: highs, microlp, cbc-lib (in builds with it); highs-cli, cbc, scip or gurobi as commands; or a command
    /// with {model} and {solution}, and perhaps {seconds}, {seed}, {threads} and {start}, such as
    /// "cbc {model} -solve -solution {solution}".
    #[arg(long, value_name = "NAME|COMMAND", value_parser = backend)]
    pub(crate) backend: Option<String>,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) keep: Keep,
}

#[derive(Serialize)]
struct Result {
    #[serde(flatten)]
    record: Record,
    /// What the archive and publications say, when this run has not settled the question.
    known: Option<Known>,
    veripb: Option<Written>,
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    outputs::make_ready(args)?;
    let begin = Instant::now();
    let question = question::question(args)?;
    commands::make_ready(&args.keep)?;
    args.proof.as_deref().map_or(Ok(()), files::writable)?;
    let context = RunContext {
        work: args.work.as_deref(),
        proof: args.proof.as_deref(),
        certified: args.certified,
        ..RunContext::new(memory::for_models(None), ARCHIVE)
    };
    let Answered { record, proof } = workflow::run(&question, &context, &mut |event| display.show(event))?;
    let proof = proof.expect("a proof is what was asked for");
    if let (Status::Open, Some(folder)) = (proof.status, &args.work) {
        let folder = folder.display();
        display.say(&format!(
            "boxes that are settled were kept in {folder}; the same command goes on with them"
        ));
    }
    if let Some((path, why)) = args.proof.as_deref().zip(outputs::no_proof(args, &proof)) {
        display.say(&format!("{} is not written: {why}", path.display()));
    }
    let known = (proof.status == Status::Open).then(|| Known::of(&record.question.board));
    let mut text = text::text(&proof, &record, known.as_ref())?;
    let (mut exit, mut written) = (exit(&proof, args.k), None);
    // What was found is told even if it cannot be kept.
    let mut keep = || -> anyhow::Result<()> {
        if let Some(path) = &args.keep.output {
            files::write(path, |file| write!(file, "{}", proof.certificate))?;
        }
        if let Some(folder) = &args.keep.record {
            let path = record.store(folder)?;
            display.say(&format!("record: {}", path.display()));
        }
        let Some(path) = &args.veripb else { return Ok(()) };
        match outputs::for_veripb(&proof, path, begin, args.solver.time_limit, display)? {
            Ok(veripb::Size { nodes, bytes }) => {
                let file = path.display().to_string();
                writeln!(
                    text,
                    "proof for VeriPB: {nodes} nodes, {bytes} bytes; to check it: ndq check {file}"
                )?;
                written = Some(Written { file, nodes, bytes });
            }
            Err(why) => {
                writeln!(text, "no proof for VeriPB was written: {why}")?;
                exit = Exit::Stopped;
            }
        }
        Ok(())
    };
    let kept = keep();
    let exit = commands::judged(&record, exit);
    out.result(&Result { record, known, veripb: written }, &text)?;
    kept.map(|()| exit)
}

fn exit(proof: &Proof, claimed: Option<u64>) -> Exit {
    match proof.status {
        Status::Conditional if claimed.is_some_and(|k| proof.upper < k) => Exit::No,
        Status::Proved | Status::Solved | Status::Conditional => Exit::Yes,
        Status::Refuted => Exit::No,
        Status::Open => Exit::Stopped,
    }
}
