//! Kinds of proofs of an upper bound.

use std::fmt;

use crate::evidence::orbit_lp::added_up;
use crate::evidence::partition::Partitioned;
use crate::evidence::volume::Volume;
use crate::run::exact_engine::FOUND_BY;
use ndqueens_notation::counted::counted;

/// Kind of the proof of an upper bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofKind {
    /// Partition of the board into cliques, checked from the definition.
    Partition(Partitioned),
    /// Volume of a cube whose faces are the queens, as a sum of inequalities that was checked in exact
    /// fractions.
    Volume(Volume),
    /// Proof tree, checked in integers.
    Exact {
        /// Number of nodes of all its trees.
        nodes: u64,
        /// Number of boxes that it bounds.
        boxes: u64,
    },
    /// Branch-and-bound tree on LP relaxations, checked in integers.
    BranchAndBound {
        /// Formulation whose LP relaxations bound the nodes.
        formulation: String,
        /// Number of nodes of all its trees.
        nodes: u64,
    },
    /// Sum of inequalities, checked in exact fractions.
    OrbitLp {
        /// Formulation of the orbit LP.
        formulation: String,
        /// Number of inequalities, one of each orbit.
        rows: u64,
        /// Sum of their right-hand sides.
        sum: String,
    },
    /// Bound of the exact engine before it was stopped; its proof was not checked.
    Stopped,
    /// Proof by a SAT solver, verified by its own checker.
    Drat {
        /// Name and version of the solver.
        solver: String,
        /// Name and version of the checker.
        checker: String,
    },
    /// Bound by a solver in floating point.
    SolverRun {
        /// Name and version of the solver.
        solver: String,
        /// Formulation of the model.
        formulation: String,
    },
}

impl fmt::Display for ProofKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Partition(partitioned) => {
                write!(f, "partition of the board into {partitioned}, checked from the definition")
            }
            Self::Volume(volume) => {
                let rows = added_up(volume.rows, &volume.sum, 1);
                write!(f, "volume of a cube whose faces are the queens, {rows}, checked in fractions")
            }
            Self::Exact { nodes, boxes } => {
                let way = if *boxes > 1 { format!(" by way of {boxes} sub-boxes") } else { String::new() };
                let nodes = counted(*nodes, "node");
                write!(f, "exact proof of {nodes}{way}, checked in integers")
            }
            Self::BranchAndBound { formulation, nodes } => {
                let nodes = counted(*nodes, "node");
                write!(
                    f,
                    "branch and bound on the LP of formulation {formulation}, {nodes}, checked in integers"
                )
            }
            Self::OrbitLp { formulation, rows, sum } => {
                let rows = added_up(*rows, sum, 1);
                write!(f, "orbit LP of formulation {formulation}, {rows}, checked in fractions")
            }
            Self::Stopped => {
                write!(f, "{FOUND_BY}, stopped: sub-boxes bounded so far and cuts, not checked")
            }
            Self::Drat { solver, checker } => write!(f, "DRAT proof by {solver}, checked by {checker}"),
            Self::SolverRun { solver, formulation } => {
                write!(f, "floating-point solve, not certified: {solver}, formulation {formulation}")
            }
        }
    }
}
