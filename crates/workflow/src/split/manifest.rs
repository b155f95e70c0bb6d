//! Description of the folder of a split: the names of its files, and its manifest.

use crate::record;
use ndqueens_exact::{Order, Slab};
use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_system::file::digest;
use serde::{Deserialize, Serialize};

/// Version of this layout of folders; other versions are rejected.
pub const LAYOUT: u32 = 4;

pub(super) const BOXES: &str = "boxes.proof.gz";
pub(super) const TOP: &str = "top.tree.gz";
pub(super) const BOX_CACHE: &str = "boxes";

/// Data that define the parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Version of the layout.
    pub layout: u32,
    /// Board of the question.
    #[serde(deserialize_with = "record::deserialize_board")]
    pub board: BoardName,
    /// SHA-256 of the board file, if the board has one.
    pub board_sha256: Option<String>,
    /// Number of queens; the proof shows that they do not fit.
    pub at_least: u64,
    /// Order of the squares.
    pub order: Order,
    /// Requested number of parts.
    pub parts_wanted: usize,
    /// Number of decisions after which the tree is cut.
    pub depth: u32,
    /// Number of parts.
    pub parts: usize,
    /// Minimum numbers of queens in slabs, which follow from the bounds of the boxes inside. Axes are those
    /// of the sorted sides.
    pub slabs: Vec<Slab>,
    /// Bounds of the boxes inside, with their sorted sides.
    pub boxes: Vec<(Vec<u32>, u64)>,
    /// SHA-256 of the tree above the parts.
    pub top_sha256: String,
}

/// Content of `split.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Data that define the parts.
    pub definition: Definition,
    /// SHA-256 of the definition.
    pub digest: String,
    /// Estimated share of the tree of each part.
    pub weights: Vec<f64>,
    /// Node limit of each box inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_limit: Option<u64>,
    /// Version of the program that cut the tree.
    pub version: String,
}

impl Definition {
    pub(super) fn digest(&self) -> String {
        digest::of(serde_json::to_vec(self).expect("plain data"))
    }
}

/// Returns `true` if a slab lies on the board.
pub(super) fn lies_on(slab: &Slab, board: &Board) -> bool {
    let side = box_sides(board.name()).and_then(|sides| sides.get(slab.axis));
    side.is_some_and(|&side| {
        slab.width > 0 && slab.from.checked_add(slab.width).is_some_and(|end| end <= side)
    })
}

/// Returns the sides of a plain box, or `None` for other boards.
pub(super) fn box_sides(name: &BoardName) -> Option<&[u32]> {
    match name {
        BoardName::Grid { torus: false, sides, .. } => Some(sides),
        _ => None,
    }
}

/// Returns the piece on the squares.
pub(super) fn piece(name: &BoardName) -> Piece {
    match name {
        BoardName::Grid { piece, .. } => *piece,
        _ => Piece::Queen,
    }
}
