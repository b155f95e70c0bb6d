//! The command `ndq table boxes`.

use std::path::PathBuf;

use anyhow::bail;
use ndqueens_archive::boxes as table;
use ndqueens_model::board::Board;
use ndqueens_notation::name::BoardName;
use ndqueens_system::file;
use ndqueens_workflow::boxes;

use crate::args::groups::Bounding;
use crate::args::values::board;
use crate::commands::Exit;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

printed!(table::BoxRow: "table boxes");

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("boxes.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The box, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Add the rows to this CSV file; rows of other boxes stay.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bounding: Bounding,
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    args.output.as_deref().map_or(Ok(()), file::replaceable)?;
    let board = Board::new(&args.board);
    display.work_on(format!("boxes of {}", board.name()));
    let watch = &mut |event: &_| display.show(event);
    let Some(found) = boxes::bound(&board, &args.bounding.options(), watch)? else {
        bail!("{} is not a plain box, so it has no sub-boxes", board.name());
    };
    let rows = table::BoxRow::of(&found);
    if let Some(path) = &args.output {
        let all = table::extend(path, &rows, out.notes())?;
        display.print(&format!("{}: {all} sub-boxes", path.display()));
    }
    if out.json() {
        rows.iter().try_for_each(|row| out.result(row, ""))?;
    } else if args.output.is_none() {
        let mut text = Vec::new();
        table::write(&mut text, &rows)?;
        out.result(&(), &String::from_utf8(text)?)?;
    }
    if let Some(stop) = found.stop {
        display.print(&format!("stopped ({stop}): {} sub-boxes are settled", rows.len()));
        return Ok(Exit::Stopped);
    }
    Ok(Exit::Yes)
}
