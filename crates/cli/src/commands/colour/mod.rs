//! `ndq colour`

mod all;
mod args;
mod few;

use std::path::Path;

use anyhow::bail;
use ndqueens_control::Deadline;
use ndqueens_files as files;
use ndqueens_lab::workflow::few_colours::{self, Asked};
use ndqueens_model::board::Board;
use ndqueens_model::colouring::ColouringProgram;
use ndqueens_model::format::FileFormat;
use ndqueens_solver::colouring::operator::Operator;
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use self::args::Args;

use super::Exit;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    display.work_on(format!("colourings of {}", args.board));
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    args.refuse_ignored(few_colours::side(&args.board).is_some())?;
    let asked = asked(args, &board)?;
    few_colours::ensure_symmetry(&asked)?;
    if let Some(path) = &args.write {
        return write(args, &board, path, out);
    }
    if args.all || args.count {
        return all::run(args, &asked, display, out);
    }
    few::run(args, &asked, display, out)
}

fn asked<'a>(args: &Args, board: &'a Board) -> anyhow::Result<Asked<'a>> {
    let symmetry = match args.symmetry.as_str() {
        "auto" => None,
        name => Some(name.parse::<Operator>()?),
    };
    Ok(Asked {
        board,
        colours: args.colours,
        symmetry,
        method: args.method.into(),
        filter: !args.no_filter,
        threads: args.threads.number() as usize,
        seed: args.seed.seed,
        deadline: Deadline::after(args.limit.time_limit),
    })
}

#[derive(JsonSchema, Serialize)]
struct Written {
    board: String,
    colours: u64,
    file: String,
    #[serde(flatten)]
    contents: ndqueens_model::format::Contents,
}

printed!(Written: "colour");

fn write(args: &Args, board: &Board, path: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let colours = args.colours.unwrap_or_default();
    let Ok(FileFormat::Program(format)) = FileFormat::of_path(path) else {
        bail!("{}: the question is written as .lp, .mps, .opb, .cnf or .mtx", path.display());
    };
    let extent = board.lines_extent();
    let entries = (extent.nonzeros + board.size() as u128).saturating_mul(u128::from(colours));
    super::refuse_if_too_large(board, "its program", u64::try_from(entries * 24).unwrap_or(u64::MAX))?;
    let program = ColouringProgram::new(board, colours as usize);
    let contents = files::write(path, |file| format.write(&program, file))?;
    let text = format!("{}: {contents}: is {} coloured in {colours} colours?", path.display(), board.name());
    let written =
        Written { board: board.name().to_string(), colours, file: path.display().to_string(), contents };
    out.result(&written, &text)?;
    Ok(Exit::Yes)
}
