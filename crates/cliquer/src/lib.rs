//! CliqueR, a pencil-and-paper game: two players take turns joining dots by segments that do not cross, and a
//! move scores points for every clique that it completes: 1 for the segment itself, 3 for a triangle, 5 for
//! four dots that are all joined.
//!
//! All geometry is exact, in integers. A finished game is a triangulation of its dots. With n dots, h of them
//! on the hull, it therefore takes exactly 3n - 3 - h moves, and the sum of the two scores depends only on
//! the triangulation. [`scoring`] defines variations of the points and of the turn order.
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
