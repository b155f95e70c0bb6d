//! CliqueR, a pencil-and-paper game: two players take turns in joining dots by segments that do not cross, and a move scores
//! for every clique that it completes: 1 for the segment itself, 3 for a triangle, 5 for four dots that are all joined.
//!
//! All geometry is in exact integers. A finished game is a triangulation of its dots, so with n dots, h of them on the hull, it
//! takes exactly 3n - 3 - h moves, and the two scores add up to what depends on the triangulation alone. [`scoring`] has variations
//! of the points and of who moves next.
//!
//! # References
//! D. Ashlock and A. McEachern, "CliqueR: a graph theory game".

pub mod board;
pub mod depth;
pub mod drawing;
pub mod extremes;
pub mod facts;
pub mod generate;
pub mod player;
pub mod rules;
pub mod scoring;
pub mod sketch;
pub mod symmetry;
pub mod text;
pub mod triangulation;
pub mod value;
pub mod verify;
