//! Certificates: read as a file gives them, checked, drawn.

use std::path::Path;

use anyhow::{Context as _, bail};
use ndqueens_crosscheck::colouring as crosscheck;
use ndqueens_files as files;
use ndqueens_lab::picture;
use ndqueens_model::board::Board;
use ndqueens_model::certificate::colouring::Colouring;
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::name::{BoardName, Piece};

/// A certificate as layers when the board is small enough, else as a list of squares.
pub(super) fn drawn(board: &Board, certificate: &Certificate) -> String {
    let on = |square| {
        let coordinates = board.coordinates(square);
        certificate.squares.contains(&coordinates)
    };
    let small = board.size() <= 1500;
    let layers = small.then(|| picture::placement(board, 100, on)).flatten();
    let list = || {
        let tuple = |square: &Vec<u32>| {
            format!("({})", square.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
        };
        certificate.squares.iter().map(tuple).collect::<Vec<_>>().join(" ")
    };
    layers.unwrap_or_else(list) + "\n"
}

/// A colouring that a file gives, checked.
pub(super) fn colouring(path: &Path) -> anyhow::Result<Colouring> {
    let text = files::read(path)?;
    let colouring = Colouring::read(&text, &files::open).with_context(|| path.display().to_string())?;
    crosscheck::verify(&colouring).with_context(|| format!("{} does not hold", path.display()))?;
    Ok(colouring)
}

/// A certificate of queens on a plain box, checked, with the sides of the box.
pub(super) fn of_a_box(path: &Path) -> anyhow::Result<(Vec<u32>, Certificate)> {
    let certificate = super::certificate(path)?;
    let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = certificate.board.clone() else {
        bail!("{}: {} is not a plain box for queens", path.display(), certificate.board);
    };
    if certificate.claim != Claim::IndependentSet {
        bail!("{}: it is a {}, not an independent set", path.display(), certificate.claim);
    }
    ndqueens_lab::run::check::given(&Board::new(&certificate.board), certificate.claim, &certificate)
        .with_context(|| path.display().to_string())?;
    Ok((sides, certificate))
}
