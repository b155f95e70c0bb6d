//! Branch and bound on linear programs, with a proof in exact arithmetic.
//!
//! HiGHS solves the LP relaxation of each node in floating point; its dual solution is rounded to integer
//! multipliers of rows, whose sum shows that a node has no solution. The tree with these sums is a proof in
//! the format of `docs/proof-format.md`, which makes the answer of the integer program a theorem. The number
//! of nodes measures a formulation independently of the machine.
//!
//! Nodes are visited depth first. A node branches on the orbit of a square under the symmetries of the node:
//! one child places a queen on the square, the other one removes the orbit.
//!
//! | module | contents |
//! | --- | --- |
//! | `problem` | integer program, and errors of a proof |
//! | `proof` | proof file of a board, with the bounds of boxes that its rows need |
//! | `rows` | rows of a formulation, as terms of a proof |
//! | `parts` | parts of a tree, which are searched in parallel and stored |
//! | `tree` | search in a part |
//! | `relaxation` | LP of a node |
//! | `separation` | separation of violated cliques |
//! | `branching` | choice of the branching square |
//! | `multipliers` | integer multipliers from dual values |
//! | `writer` | lines of a proof tree |
//! | `vipr` | the same tree as a VIPR file |
//! | `derivations` | text of a VIPR file before all numbers are known |
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
