//! Boxes inside a board whose proof is split into parts.

use std::fs;
use std::io;
use std::path::Path;

use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::{Settings, Step};
use ndqueens_model::board::Board;
use ndqueens_system::file::sealed;
use ndqueens_system::thread::with_threads;

use super::manifest::{BOX_CACHE, BOXES, box_sides, piece};
use crate::run::exact_engine::WorkFolder;

/// Bounds the boxes inside a board, and writes their bounds into a folder. Returns `None` if stopped.
pub(super) fn bound_boxes(
    folder: &Path,
    board: &Board,
    box_cache: &WorkFolder,
    settings: &Settings<'_>,
    report: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Option<BoxTable>> {
    let mut table = BoxTable::new(piece(board.name()));
    let written = sealed::write(&folder.join(BOXES), |out| {
        let Some(sides) = box_sides(board.name()) else { return Ok(()) };
        let kept = Settings { box_cache: Some(box_cache), ..*settings };
        let fill = || table.fill_inside(sides, &kept, Some(out), report);
        let filled = with_threads(settings.threads, fill)??.is_finished();
        filled.then_some(()).ok_or_else(|| io::ErrorKind::Interrupted.into())
    });
    match written {
        Err(_) if settings.control.is_stopped() => Ok(None),
        written => Ok(written.map(|()| Some(table))?),
    }
}

/// Removes the cached boxes, whose bounds are in one file by now. Files that cannot be removed are ignored.
pub(super) fn remove_boxes(folder: &Path) {
    let _ = fs::remove_dir_all(folder.join(BOX_CACHE));
}
