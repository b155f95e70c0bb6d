//! `ndq split`, `ndq run-part` and `ndq join`

use std::fmt::Write as _;

use anyhow::bail;
use ndqueens_lab::split::{self, Cutting, Definition, Folder, Joined, Ran};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;
use serde::Serialize;

use super::Exit;
use crate::args;
use crate::output::{Output, counted};
use crate::progress::Display;

#[derive(Serialize)]
struct Cut<'a> {
    board: String,
    at_least: u64,
    parts: usize,
    depth: u32,
    digest: &'a str,
}

#[derive(Serialize)]
struct Run {
    board: String,
    at_least: u64,
    parts: usize,
    finished: usize,
    missing: usize,
    nodes: u64,
    /// Absent when the parts do not say that the queens fit.
    certificate: Option<String>,
    stop: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    board: String,
    at_least: u64,
    fit: bool,
    proof_nodes: Option<u64>,
    certificate: Option<String>,
}

pub(super) fn split(args: &args::Split, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let cutting = Cutting { at_least: args.at_least, parts: args.parts, options: args.bounding.options() };
    let folder = match split::split(&args.board, &cutting, &args.output, &mut |event| display.show(event))? {
        Ok(folder) => folder,
        Err(stop) => {
            let folder = args.output.display();
            display.say(&format!(
                "stopped ({stop}): boxes that are settled were kept in {folder}; the same command goes on with them"
            ));
            return Ok(Exit::Stopped);
        }
    };
    let manifest = folder.manifest();
    let Definition { board, at_least, parts, depth, .. } = &manifest.definition;
    let cut = Cut {
        board: board.to_string(),
        at_least: *at_least,
        parts: *parts,
        depth: *depth,
        digest: &manifest.digest,
    };
    let shown = args.output.display();
    let next = if *parts > 0 { format!("run-part {shown} --all") } else { format!("join {shown}") };
    let text = format!(
        "whether {} on {board}: {}, cut off after {}\nnext: ndq {next}",
        Board::new(board).fitting(*at_least),
        counted(*parts as u64, "part"),
        counted(*depth as u64, "decision")
    );
    out.result(&cut, &text)?;
    Ok(Exit::Yes)
}

pub(super) fn run_part(
    args: &args::RunPart,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if args.part.is_none() && !args.all {
        bail!("which part? its number, or --all for all that are missing");
    }
    let folder = Folder::open(&args.folder)?;
    let ran = folder.run(args.part, args.threads.threads as usize, &mut |event| display.show(event))?;
    let Definition { board, at_least, parts, .. } = &folder.manifest().definition;
    let Ran { finished, missing, nodes, fits, stop } = ran;
    let mut text = match &stop {
        Some(stop) => format!("stopped ({stop}): "),
        None => String::new(),
    };
    let (done, nodes_done) = (counted(finished as u64, "part"), counted(nodes, "node"));
    write!(text, "{done} finished in {nodes_done}, {missing} of {parts} missing")?;
    if let Some(certificate) = &fits {
        text = found(*at_least, certificate);
    } else if missing == 0 {
        write!(text, "\nnext: ndq join {}", args.folder.display())?;
    }
    let run = Run {
        board: board.to_string(),
        at_least: *at_least,
        parts: *parts,
        finished,
        missing,
        nodes,
        certificate: fits.as_ref().map(ToString::to_string),
        stop: stop.map(|stop| stop.to_string()),
    };
    out.result(&run, &text)?;
    Ok(match (fits, stop) {
        (Some(_), _) => Exit::No,
        (None, Some(_)) => Exit::Stopped,
        (None, None) => Exit::Yes,
    })
}

pub(super) fn join(args: &args::Join, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder)?;
    let Definition { board, at_least, .. } = &folder.manifest().definition;
    let joined = folder.join(args.output.as_deref())?;
    let (proof_nodes, certificate, text) = match &joined {
        Joined::DoNotFit(proved) => {
            let text = format!(
                "at most {} on {board}: proved\n  exact proof of {}, checked in integers",
                Board::new(board).fitting(proved.at_most()),
                counted(proved.nodes(), "node")
            );
            (Some(proved.nodes()), None, text)
        }
        Joined::Fit(certificate) => (None, Some(certificate.to_string()), found(*at_least, certificate)),
    };
    let fit = certificate.is_some();
    out.result(
        &Answer { board: board.to_string(), at_least: *at_least, fit, proof_nodes, certificate },
        &text,
    )?;
    Ok(if fit { Exit::No } else { Exit::Yes })
}

fn found(at_least: u64, certificate: &Certificate) -> String {
    let board = Board::new(&certificate.board);
    let drawn = super::certificate::drawn(&board, certificate);
    format!(
        "{} on {}: a certificate, checked from the definition\n\n{drawn}",
        board.fitting(at_least),
        board.name()
    )
}
