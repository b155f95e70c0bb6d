//! The command `ndq prove BOARD`.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use ndqueens_archive::archive::Archive;
use ndqueens_archive::beside::Beside;
use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_system::file;
use ndqueens_workflow::dispatch::{self, Answered, Proven};
use ndqueens_workflow::prove::veripb;
use ndqueens_workflow::prove::{ProofState, Status};
use ndqueens_workflow::record::{Engine, Record};
use ndqueens_workflow::run::RunContext;

use super::args::Maximum;
use super::outputs::{self, ProveResult, VeriPbProof, Written};
use super::{other, question, text};
use crate::commands::{self, Exit};
use crate::memory;
use crate::output::Output;
use crate::progress::Display;

pub(crate) fn run(
    args: &Maximum,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    outputs::make_ready(args)?;
    let begin = Instant::now();
    let question = question::question(args)?;
    let has_file = args.include.is_some() || args.start.file().is_some();
    args.form.refuse_without(has_file, "--include FILE and --start FILE")?;
    commands::make_ready(&args.outputs)?;
    display.work_on(format!("prove {}", question.board));
    check_files(args)?;
    let prior = archive.prior_results();
    let context = RunContext {
        log: args.solver.highs.log.as_deref(),
        work: args.work.as_deref(),
        proof: args.proof.as_deref(),
        certified: args.certified,
        start_as: args.form.convention,
        ..RunContext::new(memory::for_models(None), &prior, out.notes())
    };
    let Answered { record, proof } = dispatch::run(&question, &context, &mut |event| display.show(event))?;
    let proof = match proof.expect("a proof is what was asked for") {
        Proven::Maximum(proof) => proof,
        Proven::Smallest(proof) => return other::smallest(args, &proof, record, display, out),
        Proven::Placement(asked) => return other::placement(args, asked, record, display, out),
    };
    print_notes(args, &record, &proof, display);
    let known = (proof.status == Status::Open).then(|| Beside::of(archive, &record.question.board));
    let mut text = text::text(&proof, &record, known.as_ref())?;
    let (mut exit, mut written) = (exit(&proof, args.k), None);
    // Report the result even if a file cannot be written.
    let mut keep = || -> anyhow::Result<()> {
        if let Some(path) = &args.outputs.output {
            file::write(path, |file| write!(file, "{}", proof.certificate))?;
        }
        if let Some(folder) = &args.outputs.record {
            let path = record.store(folder, out.notes())?;
            display.print(&format!("record: {}", path.display()));
        }
        if let Some(path) = &args.veripb {
            written = write_veripb(args, &proof, path, begin, &mut text.details, display)?;
            if written.is_none() {
                exit = Exit::Stopped;
            }
        }
        Ok(())
    };
    let kept = keep();
    let exit = commands::exit_of_verdict(&record, exit);
    out.answer(&ProveResult { record, known, veripb: written }, &text)?;
    kept.map(|()| exit)
}

/// Checks that the proof can be written, and that the log of HiGHS is a file of its own.
fn check_files(args: &Maximum) -> anyhow::Result<()> {
    args.proof.as_deref().map_or(Ok(()), file::writable)?;
    let written = [
        ("-o", args.outputs.output.as_deref()),
        ("--proof", args.proof.as_deref()),
        ("--veripb", args.veripb.as_deref()),
    ];
    Ok(args.solver.highs.make_ready(&written)?)
}

/// Writes a proof for VeriPB. Returns `None` without such a proof; the reason is added to `text`.
fn write_veripb(
    args: &Maximum,
    proof: &ProofState,
    path: &Path,
    begin: Instant,
    text: &mut String,
    display: &mut Display,
) -> anyhow::Result<Option<Written>> {
    match outputs::for_veripb(proof, path, begin, args.solver.time_limit, display)? {
        VeriPbProof::Written(veripb::Size { nodes, bytes }) => {
            let file = path.display().to_string();
            let (all, size) = (counted(nodes, "node"), counted(bytes, "byte"));
            writeln!(text, "proof for VeriPB: {all}, {size}; to check it: ndq check {file}")?;
            Ok(Some(Written { file, nodes, bytes }))
        }
        VeriPbProof::Omitted(why) => {
            writeln!(text, "no proof for VeriPB was written: {why}")?;
            Ok(None)
        }
    }
}

/// Prints what was stored or discarded, and why a requested file is not written.
fn print_notes(args: &Maximum, record: &Record, proof: &ProofState, display: &mut Display) {
    if let Some(note) = args.solver.highs.unused_log() {
        display.print(&note);
    }
    let engine = &record.question.engine;
    match (&args.work, proof.status) {
        (Some(folder), Status::Open) => {
            let stored = match engine {
                Engine::BranchAndBound { .. } => "finished parts of the tree",
                _ => "settled sub-boxes",
            };
            display.print(&format!("{stored} are stored in {}; the same command resumes", folder.display()));
        }
        (None, Status::Open) => {
            let how = match (engine, Board::new(&record.question.board).plain_box()) {
                (Engine::Exact | Engine::Route, None) => {
                    "ndq prove split proves a bound in parts, which are kept"
                }
                (Engine::Exact | Engine::Route | Engine::BranchAndBound { .. }, _) => commands::WITH_WORK,
                _ => "this engine stores none; --engine exact --work DIR does",
            };
            commands::report_discarded(how, display);
        }
        _ => {}
    }
    if let Some((path, why)) = args.proof.as_deref().zip(outputs::no_proof(args, record, proof)) {
        display.print(&format!("{} is not written: {why}", path.display()));
    }
}

fn exit(proof: &ProofState, claimed: Option<u64>) -> Exit {
    match proof.status {
        Status::Conditional if claimed.is_some_and(|k| proof.upper < k) => Exit::No,
        Status::Proved | Status::Solved | Status::Conditional => Exit::Yes,
        Status::Refuted => Exit::No,
        Status::Open => Exit::Stopped,
    }
}
