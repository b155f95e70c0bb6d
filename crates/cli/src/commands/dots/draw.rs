//! The command `ndq dots draw`.

use std::path::PathBuf;

use ndqueens_cliquer::drawing;
use ndqueens_notation::counted::counted;
use ndqueens_report::svg::Format;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::board_file;
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("draw.txt"))]
pub(crate) struct Args {
    /// The file of a board, perhaps with moves.
    pub(crate) file: PathBuf,
    /// The title; the name of the file when absent.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The picture, its name ending in .svg, .png, .pdf or .tex (TikZ).
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(JsonSchema, Serialize)]
struct Drawn {
    file: String,
    picture: String,
    dots: usize,
    moves: usize,
}

printed!(Drawn: "dots draw");

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = board_file::read(&args.file)?;
    let format = Format::of(&args.output)?;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let title = args.title.as_deref().unwrap_or(&name);
    let svg = drawing::svg(&board_file::game(&board, &moves)?, title);
    let bytes = format.encode(&svg)?;
    file::write(&args.output, |out| out.write_all(&bytes))?;
    let drawn = Drawn {
        file: args.file.display().to_string(),
        picture: args.output.display().to_string(),
        dots: board.dots().len(),
        moves: moves.len(),
    };
    out.result(
        &drawn,
        &format!("{}: {} dots and {}", drawn.picture, drawn.dots, counted(moves.len() as u64, "move")),
    )?;
    Ok(Exit::Yes)
}
