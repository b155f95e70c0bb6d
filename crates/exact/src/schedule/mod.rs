//! Searches of the tree of a question: on one thread or several, as a whole or in parts.
//!
//! The result does not depend on the number of threads. A [`task`] is a question with its tree, and
//! [`answer`] has what callers can ask. [`pieces`] divides a long search among threads, [`turns`] runs
//! several searches as if one after the other, [`refutation`] uses relaxations where a tree becomes large,
//! and [`part_trees`] joins proofs. [`enumeration`] lists all solutions, [`symmetric`] those with given
//! symmetries.

pub(crate) mod answer;
pub(crate) mod enumeration;
pub(crate) mod estimate;
pub(crate) mod part_trees;
pub(crate) mod pieces;
pub(crate) mod refutation;
pub(crate) mod symmetric;
pub(crate) mod task;
pub(crate) mod turns;
