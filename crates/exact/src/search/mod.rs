//! The search of one tree: does a board, with the demands of its regions, have room for the queens?
//!
//! [`instance`] states what is searched, on a board whose squares are numbered by [`indexed_board`]. [`tree_search`]
//! branches on squares and on orbits of squares, and prunes with covers by cliques, within a [`budget`] of nodes.
//! [`relaxation`] finds stronger covers with linear programs. [`log`] receives the nodes of the tree.

pub(crate) mod attacks;
pub(crate) mod budget;
pub(crate) mod indexed_board;
pub(crate) mod instance;
pub(crate) mod layout;
pub(crate) mod log;
pub(crate) mod numbered_region;
pub(crate) mod relaxation;
pub(crate) mod tree_search;
