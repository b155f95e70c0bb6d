//! What a folder of a split says of itself: the names of its files, and its manifest.

use ndqueens_exact::{Order, Slab};
use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_record as record;
use ndqueens_system::file::digest;
use serde::{Deserialize, Serialize};

/// The number of this layout of folders; a reader refuses others.
pub const LAYOUT: u32 = 4;

pub(super) const BOXES: &str = "boxes.proof.gz";
pub(super) const TOP: &str = "top.tree.gz";
pub(super) const BOX_CACHE: &str = "boxes";

/// What defines the parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The version of this layout.
    pub layout: u32,
    /// The board.
    #[serde(deserialize_with = "record::opened")]
    pub board: BoardName,
    /// SHA-256 of the board file, when the board has one.
    pub board_sha256: Option<String>,
    /// Whether so many queens fit.
    pub at_least: u64,
    /// The order of the squares.
    pub order: Order,
    /// The number of parts that was asked for.
    pub parts_wanted: usize,
    /// The number of decisions after which the tree is cut off.
    pub depth: u32,
    /// The number of parts.
    pub parts: usize,
    /// What the slabs must hold, by the bounds of the boxes inside. Axes are those of the sorted sides.
    pub slabs: Vec<Slab>,
    /// Bounds of the boxes inside, by their sorted sides.
    pub boxes: Vec<(Vec<u32>, u64)>,
    /// SHA-256 of the tree above the parts.
    pub top_sha256: String,
}

/// `split.json`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What defines the parts.
    pub definition: Definition,
    /// SHA-256 of the definition.
    pub digest: String,
    /// For each part about its part of the tree.
    pub weights: Vec<f64>,
    /// The limit on the nodes for each box inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_limit: Option<u64>,
    /// The version that cut the tree.
    pub version: String,
}

impl Definition {
    pub(super) fn digest(&self) -> String {
        digest::of(serde_json::to_vec(self).expect("plain data"))
    }
}

/// Whether a slab is one of the board.
pub(super) fn lies_on(slab: &Slab, board: &Board) -> bool {
    let side = box_sides(board.name()).and_then(|sides| sides.get(slab.axis));
    side.is_some_and(|&side| {
        slab.width > 0 && slab.from.checked_add(slab.width).is_some_and(|end| end <= side)
    })
}

/// The sides of a plain box.
pub(super) fn box_sides(name: &BoardName) -> Option<&[u32]> {
    match name {
        BoardName::Grid { torus: false, sides, .. } => Some(sides),
        _ => None,
    }
}

/// What stands on the squares.
pub(super) fn piece(name: &BoardName) -> Piece {
    match name {
        BoardName::Grid { piece, .. } => *piece,
        _ => Piece::Queen,
    }
}
