//! `ndq boxes`

use anyhow::bail;
use ndqueens_files as files;
use ndqueens_lab::boxes::{self, Bounded};
use ndqueens_model::board::Board;

use super::Exit;
use crate::args;
use crate::output::Output;
use crate::progress::Display;

pub(super) fn run(args: &args::Boxes, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let board = Board::new(&args.board);
    let watch = &mut |event: &_| display.show(event);
    let Some(Bounded { rows, stop }) = boxes::bound(&board, &args.bounding.options(), watch)? else {
        bail!("{} is not a plain box, so there are no boxes inside", board.name());
    };
    if let Some(path) = &args.output {
        let all = boxes::extend(path, &rows)?;
        display.say(&format!("{}: {all} boxes", path.display()));
    }
    if out.json() {
        rows.iter().try_for_each(|row| out.result(row, ""))?;
    } else if args.output.is_none() {
        let mut table = Vec::new();
        boxes::write(&mut table, &rows)?;
        out.result(&(), &String::from_utf8(table)?)?;
    }
    if let Some(stop) = stop {
        display.say(&format!("stopped ({stop}): {} boxes are settled", rows.len()));
        return Ok(Exit::Stopped);
    }
    Ok(Exit::Yes)
}
