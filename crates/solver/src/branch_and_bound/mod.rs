//! Branch and bound on linear programs, with a proof in integers.
//!
//! HiGHS solves the LP relaxation of each node in floating point; its dual solution is rounded to integer multipliers of
//! rows, whose sum shows that a node has no solution. The tree with these sums is a proof in the format of
//! `docs/proof-format.md`, so that the answer of the integer program is a theorem, and the number of nodes measures a
//! formulation independently of the machine.
//!
//! Nodes are visited depth first. A node branches on the orbit of a square under the symmetries that the node has left: one
//! child places a queen on the square, the other one removes the orbit.
//!
//! | module | is |
//! | --- | --- |
//! | `problem` | the question, and why there may be no answer |
//! | `proof` | the proof file of a board, with the bounds of boxes that its rows need |
//! | `rows` | the rows of a formulation, as a proof holds them |
//! | `parts` | the parts of a tree, which are searched at the same time and stored |
//! | `tree` | the search in a part |
//! | `relaxation` | the LP of a node |
//! | `separation` | violated cliques |
//! | `branching` | the choice of the square |
//! | `multipliers` | from dual values to integers |
//! | `writer` | the lines of a proof tree |
//! | `vipr` | the same tree as a VIPR file |
//! | `derivations` | the text of a VIPR file before all numbers are known |
//! | `cover` | smallest dominating sets |
//!
//! # References
//! - J. Ostrowski, J. Linderoth, F. Rossi, S. Smriglio, *Orbital branching*, Math. Program. 126 (2011).
//! - K. Cheung, A. Gleixner, D. Steffy, *Verifying integer programming results*, IPCO 2017.

mod branching;
mod cover;
mod derivations;
mod multipliers;
mod parts;
mod problem;
mod proof;
mod relaxation;
mod rows;
mod separation;
mod tree;
mod vipr;
mod writer;

pub use self::branching::Branching;
pub use self::cover::{CoverProblem, CoverProgram, CoverSearch, prove_cover, small_dominating_set};
pub use self::derivations::ViprHead;
pub use self::parts::TemporaryStore;
pub use self::problem::{MOST_SQUARES, Problem, ProofError};
pub use self::proof::{prove, prove_vipr};
pub use self::rows::{ensure_cover_rows, ensure_rows};
pub use self::tree::{
    End, Monitor, ROOT_ROUNDS, RootBound, Search, SearchError, Settings, Statistics, Symmetry,
};
