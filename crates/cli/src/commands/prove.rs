//! `ndq prove`

use std::fmt::Write as _;

use anyhow::bail;
use ndqueens_lab::file;
use ndqueens_lab::prove::{self, Claimed, Proof, Status};
use ndqueens_lab::record::{self, Command, Provenance, Question, Record};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;
use ndqueens_solver::choice;
use serde::Serialize;

use super::Exit;
use crate::args::{self, Engine};
use crate::output::Output;
use crate::progress::Display;

#[derive(Serialize)]
struct Result {
    #[serde(flatten)]
    record: Record,
    lemmas: Vec<String>,
}

pub(super) fn run(args: &args::Prove, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let (proof, record) = prove(args, display)?;
    if let Some(path) = &args.keep.output {
        file::write(path, |file| write!(file, "{}", proof.certificate))?;
    }
    if let Some(folder) = &args.keep.record {
        let path = record.store(folder)?;
        display.say(&format!("record: {}", path.display()));
    }
    let text = text(&proof, &record)?;
    let lemmas = proof.lemmas.iter().map(ToString::to_string).collect();
    out.result(&Result { record, lemmas }, &text)?;
    Ok(exit(proof.status))
}

pub(super) fn exit(status: Status) -> Exit {
    match status {
        Status::Proved => Exit::Yes,
        Status::Refuted => Exit::No,
        Status::Open => Exit::Stopped,
    }
}

/// Proves, and makes the record.
pub(super) fn prove(args: &args::Prove, display: &mut Display) -> anyhow::Result<(Proof, Record)> {
    let board = Board::new(&args.board);
    let options = args.solver.options();
    let for_highs =
        args.formulation.is_some() || args.exactly || args.assume_reported || args.start != "none";
    let engine = args.engine.unwrap_or(if for_highs { Engine::Highs } else { Engine::Exact });
    super::make_ready(&args.keep)?;
    if let Some(path) = &args.proof {
        file::writable(path)?;
    }
    let formulation =
        args.formulation.as_deref().unwrap_or(if engine == Engine::Exact { "none" } else { "cube" });
    let mut question = Question::new(Command::Prove, board.name(), formulation, &options);
    question.claimed = args.k;
    question.start.clone_from(&args.start);
    question.assume_reported = args.assume_reported;
    question.engine = engine_name(engine);
    question.backend = args.backend.clone().unwrap_or(question.backend);
    let proof = match engine {
        Engine::Exact if for_highs => {
            bail!("--formulation, --backend, --exactly, --assume-reported and --start are for --engine highs")
        }
        Engine::Highs if args.proof.is_some() => bail!("--proof is for --engine exact; HiGHS gives no proof"),
        Engine::Exact => {
            let watch = &mut |event: &_| display.show(event);
            prove::prove_exactly(&board, args.k, &options, args.proof.as_deref(), watch)?
        }
        Engine::Highs => {
            let recipe = super::recipe(formulation)?;
            let certificate = super::start(&board, &args.start, &[], options.seed)?;
            let claimed = Claimed {
                board: &board,
                recipe: &recipe,
                value: args.k,
                certificate: certificate.as_ref(),
                exactly: args.exactly,
                assume_reported: args.assume_reported,
                options,
                memory: args.solver.memory(),
            };
            let backend = choice::backend(&question.backend)?;
            prove::prove(&claimed, &*backend, &mut |event| display.show(event))?
        }
    };
    question.exactly = args.exactly.then_some(proof.certificate.size() as u64 + 1);
    let record = Record {
        layout: record::LAYOUT,
        question,
        answer: proof.answer.clone(),
        provenance: Provenance::here(),
    };
    Ok((proof, record))
}

fn engine_name(engine: Engine) -> String {
    match engine {
        Engine::Exact => "exact".to_owned(),
        Engine::Highs => "highs".to_owned(),
    }
}

fn text(proof: &Proof, record: &Record) -> anyhow::Result<String> {
    let mut text = String::new();
    let (board, lower, upper) = (&record.question.board, proof.certificate.size(), proof.upper);
    let conditional = if proof.conditions.is_empty() { "" } else { ", conditionally" };
    match (proof.status, record.question.claimed) {
        (Status::Proved, _) => writeln!(text, "alpha({board}) = {lower}: proved{conditional}")?,
        (Status::Refuted, Some(k)) if lower as u64 > k => {
            writeln!(text, "alpha({board}) = {k}: refuted; {lower} queens fit")?;
        }
        (Status::Refuted, claimed) => {
            let k = claimed.unwrap_or_default();
            writeln!(text, "alpha({board}) = {k}: refuted{conditional}; at most {upper} queens fit")?;
        }
        (Status::Open, _) => {
            writeln!(
                text,
                "alpha({board}) is open: stopped ({}) with {lower} queens, bound {upper}",
                proof.stop
            )?;
        }
    }
    writeln!(
        text,
        "  lower bound  {lower}: a certificate, checked from the definition; {}",
        proof.certificate.origin
    )?;
    writeln!(text, "  upper bound  {upper}: {}", proof.kind)?;
    for lemma in &proof.lemmas {
        writeln!(text, "  lemma        {lemma}")?;
    }
    for condition in &proof.conditions {
        writeln!(text, "  holds if     {condition}")?;
    }
    write_rest(&mut text, record)?;
    Ok(text)
}

/// Effort and the drawn certificate: what `solve` and `prove` end with.
pub(super) fn write_rest(text: &mut String, record: &Record) -> anyhow::Result<()> {
    let answer = &record.answer;
    let mut effort = Vec::new();
    effort.extend(answer.root_lp_bound.map(|bound| format!("root LP bound {bound:.4}")));
    effort.extend(answer.nodes.map(|nodes| format!("{nodes} nodes")));
    effort.extend(answer.lp_iterations.map(|iterations| format!("{iterations} LP iterations")));
    effort.push(format!("{:.2} s", answer.wall_seconds));
    effort.extend(answer.peak_memory_bytes.map(|bytes| format!("{} MiB", bytes >> 20)));
    effort.extend(answer.verdict.map(|verdict| format!("verdict {verdict}")));
    writeln!(text, "{}", effort.join(", "))?;
    if let Some(certificate) = &answer.certificate {
        let certificate = Certificate::read(certificate, &record.question.board.opener())?;
        write!(text, "\n{}", super::certificate::drawn(&Board::new(&certificate.board), &certificate))?;
    }
    Ok(())
}
