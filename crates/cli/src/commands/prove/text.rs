//! Formats the answers of `ndq prove` as text.

use std::fmt::Write as _;

use ndqueens_archive::beside::Beside;
use ndqueens_model::board::Board;
use ndqueens_model::facts::known::{self, PublishedBounds};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::StopReason;
use ndqueens_workflow::prove::{ProofKind, ProofState, Status};
use ndqueens_workflow::record::verdict::Verdict;
use ndqueens_workflow::record::{Record, Task};

use crate::commands::certificate::draw_text;
use crate::output::Answer;

/// Formats the answer and its justification.
pub(super) fn text(proof: &ProofState, record: &Record, known: Option<&Beside>) -> anyhow::Result<Answer> {
    let verdict = describe_verdict(proof, record)?;
    let board = Board::new(&record.question.board);
    let (lower, upper) = (proof.certificate.size() as u64, proof.upper);
    let mut drawing = String::new();
    write_drawn(&mut drawing, record)?;
    let mut text = String::new();
    if drawing.starts_with('(') {
        // So that ndq can read back the list, the number of pieces and the board precede it.
        writeln!(text, "{} on {}", board.format_pieces(lower), board.name())?;
    }
    text += &drawing;
    writeln!(
        text,
        "  lower bound  {lower}: a certificate, checked from the definition; {}",
        proof.certificate.origin
    )?;
    writeln!(text, "  upper bound  {upper}: {}", proof.kind)?;
    for lemma in &proof.lemmas {
        writeln!(text, "  lemma        {lemma}")?;
    }
    if let Some(Beside { archived, published }) = known {
        for bound in archived {
            writeln!(text, "  archive      {bound}")?;
        }
        if let Some(published) = published {
            writeln!(text, "  published    {published}")?;
        }
    }
    write_effort(&mut text, record)?;
    Ok(Answer { details: text, verdict })
}

/// Describes the status of the claim and its conditions.
fn describe_verdict(proof: &ProofState, record: &Record) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for condition in &proof.conditions {
        writeln!(text, "  holds if     {condition}")?;
    }
    let board = Board::new(&record.question.board);
    let (lower, upper) = (proof.certificate.size() as u64, proof.upper);
    let claimed = match record.question.task {
        Task::Prove { claimed, .. } => claimed,
        Task::Solve { .. } => None,
    };
    let at_most = || board.format_fitting(upper);
    let alpha = format!("alpha({})", board.name());
    match (proof.status, claimed) {
        (Status::Proved, _) => writeln!(text, "{alpha} = {lower}: proved")?,
        (Status::Solved, _) => writeln!(text, "{alpha} = {lower}: solved in floating point, not certified")?,
        (Status::Conditional, Some(k)) if upper < k => {
            writeln!(text, "{alpha} = {k}: refuted conditionally; at most {}", at_most())?;
        }
        (Status::Conditional, _) => writeln!(text, "{alpha} = {lower}: holds conditionally")?,
        (Status::Refuted, Some(k)) if lower > k => {
            writeln!(text, "{alpha} = {k}: refuted; {}", board.format_fitting(lower))?;
        }
        (Status::Refuted, claimed) => {
            let k = claimed.unwrap_or_default();
            let is_float = matches!(proof.kind, ProofKind::SolverRun { .. });
            let how = if is_float { "refuted in floating point, not certified" } else { "refuted" };
            writeln!(text, "{alpha} = {k}: {how}; at most {}", at_most())?;
        }
        (Status::Open, _) => {
            let why = match proof.stop {
                StopReason::Finished => "the board is too large for every engine that is left".to_owned(),
                stop => format!("stopped ({stop})"),
            };
            writeln!(text, "{alpha}: not settled in this run, {why}; {lower} <= alpha <= {upper}")?;
        }
    }
    Ok(text)
}

/// Writes the certificate of a record as a board and an empty line.
pub(in crate::commands) fn write_drawn(text: &mut String, record: &Record) -> anyhow::Result<()> {
    if let Some(certificate) = &record.answer.certificate {
        let certificate = Certificate::parse_with(certificate, &record.question.board.file_opener())?;
        writeln!(text, "{}", draw_text(&Board::new(&certificate.board), &certificate))?;
    }
    Ok(())
}

/// Writes a line with the effort of an answer.
pub(in crate::commands) fn write_effort(text: &mut String, record: &Record) -> anyhow::Result<()> {
    let answer = &record.answer;
    let mut effort = Vec::new();
    effort.extend(answer.root_lp_bound.map(|bound| format!("root LP bound {bound:.4}")));
    effort.extend(answer.nodes.map(|nodes| counted(nodes, "node")));
    effort.extend(answer.lp_iterations.map(|iterations| counted(iterations, "LP iteration")));
    effort.push(format!("{:.2} s", answer.wall_seconds));
    effort.extend(answer.peak_memory_bytes.map(|bytes| format!("{} MiB", bytes >> 20)));
    effort.extend(answer.verdict.map(|verdict| match verdict {
        Verdict::SolvedNotVerified => "nothing published to compare with".to_owned(),
        Verdict::Ok => match known::lookup(&record.question.board).map(PublishedBounds::best) {
            Some(published) => format!("consistent with the published {published}"),
            None => "nothing contradicts it".to_owned(),
        },
        Verdict::Better => "better than what is published".to_owned(),
        verdict => format!("verdict {verdict}"),
    }));
    writeln!(text, "{}", effort.join(", "))?;
    Ok(())
}

/// Formats a placement that refutes a claim of the infeasibility of `at_least` pieces.
pub(super) fn certificate_answer(at_least: u64, certificate: &Certificate) -> Answer {
    let board = Board::new(&certificate.board);
    let fitting = board.format_fitting(at_least);
    let verdict = format!("{fitting} on {}: a certificate, checked from the definition", board.name());
    Answer { details: draw_text(&board, certificate), verdict }
}
