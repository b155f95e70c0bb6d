//! Reads, checks and draws certificates.

use std::path::Path;

use anyhow::{Context as _, bail};
use ndqueens_crosscheck::colouring as crosscheck;
use ndqueens_model::board::Board;
use ndqueens_model::import::Convention;
use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_report::diagram;
use ndqueens_system::file;
use ndqueens_workflow::run;

use crate::args::groups::FileForm;
use crate::output::log;

/// Reads a certificate file in the native form, or the first solution of a list.
pub(super) fn read(path: &Path) -> anyhow::Result<Certificate> {
    read_as(path, Convention::Native, None)
}

/// Reads the squares in a file for a question about a board, or the first solution of a list.
pub(super) fn read_for(board: &BoardName, path: &Path, form: FileForm) -> anyhow::Result<Certificate> {
    log_note(run::certificate::read_for(board, path, form.convention)?)
}

fn log_note(given: run::certificate::Given) -> anyhow::Result<Certificate> {
    given.note.iter().for_each(|note| log(note));
    Ok(given.certificate)
}

/// Reads the squares in a file that follows a convention, or the first solution of a list. `board` is needed
/// if the file does not name its board.
pub(super) fn read_as(
    path: &Path,
    convention: Convention,
    board: Option<&BoardName>,
) -> anyhow::Result<Certificate> {
    log_note(run::certificate::read(path, convention, board)?)
}

/// Formats a certificate as layers if the board is small enough, else as a list of squares.
pub(super) fn draw_text(board: &Board, certificate: &Certificate) -> String {
    let on = |square| {
        let coordinates = board.coordinates(square);
        certificate.squares.contains(&coordinates)
    };
    let small = board.size() <= 1500;
    let layers = small.then(|| diagram::placement(board, 100, on)).flatten();
    let list = || {
        let tuple = |square: &Vec<u32>| {
            format!("({})", square.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
        };
        certificate.squares.iter().map(tuple).collect::<Vec<_>>().join(" ")
    };
    layers.unwrap_or_else(list) + "\n"
}

/// Reads a colouring and checks it.
pub(super) fn colouring(path: &Path) -> anyhow::Result<Colouring> {
    let text = file::read(path)?;
    let colouring = Colouring::parse_with(&text, &file::open).with_context(|| path.display().to_string())?;
    crosscheck::verify(&colouring).with_context(|| format!("{} does not hold", path.display()))?;
    Ok(colouring)
}

/// Reads a certificate of queens on a plain box and checks it. Returns it after the sides of the box.
pub(super) fn of_a_box(path: &Path) -> anyhow::Result<(Vec<u32>, Certificate)> {
    let certificate = read(path)?;
    let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = certificate.board.clone() else {
        bail!("{}: {} is not a plain box for queens", path.display(), certificate.board);
    };
    if certificate.problem != Problem::IndependentSet {
        bail!("{}: it is a {}, not an independent set", path.display(), certificate.problem);
    }
    ndqueens_workflow::run::placement_check::verify_given(
        &Board::new(&certificate.board),
        certificate.problem,
        &certificate,
    )
    .with_context(|| path.display().to_string())?;
    Ok((sides, certificate))
}
