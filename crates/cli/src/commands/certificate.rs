//! Certificates: read as a file gives them, checked, drawn.

use ndqueens_lab::picture;
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;

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
