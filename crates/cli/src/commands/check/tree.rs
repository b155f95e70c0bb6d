//! Proof trees.

use std::path::Path;

use anyhow::bail;
use ndqueens_crosscheck::proof::Proved;
use ndqueens_lab::evidence::tree;
use ndqueens_model::board::Board;
use serde::Serialize;

use super::Args;
use crate::commands::Exit;
use crate::output::{Output, counted};

#[derive(Serialize)]
struct CheckedProof {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    nodes: Option<u64>,
    boxes: Option<u64>,
    fault: Option<String>,
}

pub(super) fn check_proof(args: &Args, file: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let result = tree::check(file);
    let proved = result.as_ref().ok();
    if let (Some(proved), Some(board)) = (proved, &args.board)
        && proved.board() != board
    {
        bail!("{name}: the proof is about {}, but {board} was asked for", proved.board());
    }
    let checked = CheckedProof {
        file: name.to_string(),
        holds: proved.is_some(),
        board: proved.map(|proved| proved.board().to_string()),
        at_most: proved.map(Proved::at_most),
        nodes: proved.map(Proved::nodes),
        boxes: proved.map(Proved::boxes),
        fault: result.as_ref().err().map(ToString::to_string),
    };
    let text = match &result {
        Ok(proved) => format!(
            "{name}: holds; at most {} on {} ({}, {})",
            Board::new(proved.board()).fitting(proved.at_most()),
            proved.board(),
            counted(proved.nodes(), "node"),
            counted(proved.boxes(), "bound")
        ),
        Err(fault) => format!("{name}: does not hold; {fault}"),
    };
    out.result(&checked, &text)?;
    Ok(if result.is_ok() { Exit::Yes } else { Exit::No })
}
