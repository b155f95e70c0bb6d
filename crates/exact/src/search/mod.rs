//! Search of one tree: decides whether the target number of queens fits, given the demands of the regions.
//!
//! [`instance`] defines the problem, on a board whose squares are numbered by [`indexed_board`].
//! [`tree_search`] branches on squares and on orbits of squares, and prunes by clique covers, within a node
//! [`budget`]. [`relaxation`] computes stronger, fractional covers by linear programming. [`log`] receives
//! the nodes of the tree.

pub(crate) mod attacks;
pub(crate) mod budget;
pub(crate) mod indexed_board;
pub(crate) mod instance;
pub(crate) mod layout;
pub(crate) mod log;
pub(crate) mod numbered_region;
pub(crate) mod relaxation;
pub(crate) mod tree_search;
