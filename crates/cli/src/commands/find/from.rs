//! The command `ndq find --from`, which builds a solution from given ones.

use std::path::{Path, PathBuf};

use anyhow::bail;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::construct::{Attempt, ConstructionError, Method};
use ndqueens_workflow::assembly;

use crate::commands::certificate::{colouring, of_a_box};

/// Builds a solution on the board by a method from the contents of files.
pub(super) fn construct(method: Method, board: &Board, files: &[PathBuf]) -> anyhow::Result<Attempt> {
    let made = match (method, files) {
        (Method::Product, [left, right]) => Some(assembly::product_of(&of_a_box(left)?, &of_a_box(right)?)),
        (Method::Corner, [whole]) => {
            let whole = of_a_box(whole)?;
            let Some(made) = assembly::without_corner(&whole) else {
                bail!("{} has a side of length 1: no layer can be cut off", whole.1.board);
            };
            Some(made)
        }
        (Method::Stack, [colouring]) => stack(board, colouring)?,
        (Method::Product, _) => bail!("--method product takes two files after --from"),
        (Method::Corner | Method::Stack, _) => bail!("--method {method} takes one file after --from"),
        _ => bail!("--from is for the methods product, corner and stack, not {method}"),
    };
    if let Some(Certificate { board: made, .. }) = &made
        && made != board.name()
    {
        bail!("what --from gives is on {made}, not on {}", board.name());
    }
    Ok(Attempt { method, result: made.ok_or(ConstructionError::NoOrder) })
}

/// Builds a full solution of n^3 whose layers are the classes of a colouring. Returns `None` if no order of
/// the classes gives one.
fn stack(board: &Board, path: &Path) -> anyhow::Result<Option<Certificate>> {
    let colouring = colouring(path)?;
    let Some(whole) = assembly::stacked_board(&colouring) else {
        bail!("{}: stacks are made of colourings of n^2 by full solutions", path.display());
    };
    if whole != *board.name() {
        bail!(
            "{}: the classes of a colouring of {} are layers of {whole}, not of {}",
            path.display(),
            colouring.board,
            board.name()
        );
    }
    Ok(assembly::stack_of(&colouring))
}
