//! `ndq dots draw`

use std::path::PathBuf;

use anyhow::bail;
use clap::Args as Group;
use ndqueens_cliquer::drawing;
use ndqueens_files as files;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::{Output, counted};

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The file of a board, perhaps with moves.
    pub(crate) file: PathBuf,
    /// The title; the name of the file when absent.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The SVG file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Serialize)]
struct Drawn {
    file: String,
    svg: String,
    dots: usize,
    moves: usize,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = super::read(&args.file)?;
    if args.output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("svg")) {
        bail!("the name of a drawing ends in .svg, and {} does not", args.output.display());
    }
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let title = args.title.as_deref().unwrap_or(&name);
    let svg = drawing::svg(&super::game(&board, &moves)?, title);
    files::write(&args.output, |out| out.write_all(svg.as_bytes()))?;
    let drawn = Drawn {
        file: args.file.display().to_string(),
        svg: args.output.display().to_string(),
        dots: board.dots().len(),
        moves: moves.len(),
    };
    out.result(
        &drawn,
        &format!("{}: {} dots and {}", drawn.svg, drawn.dots, counted(moves.len() as u64, "move")),
    )?;
    Ok(Exit::Yes)
}
