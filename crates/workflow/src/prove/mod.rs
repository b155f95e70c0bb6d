//! Proofs of a maximum: a checked certificate of k queens, and a proof that k + 1 queens do not fit.
//!
//! | module | content |
//! | --- | --- |
//! | [`route`] | proof without a choice of method: cheap bounds first, then the exact engine or HiGHS |
//! | [`exact`](ExactRequest) | proof by the exact engine, with bounds known before |
//! | [`engine_run`] | one run of the exact engine, whose proof is checked |
//! | [`branch_and_bound`](TreeRequest), [`smallest`](SmallestSet) | branch and bound on the LPs of a formulation |
//! | [`backend`](BackendRequest) | a MIP solver, asked for more queens until none fit |
//! | `sat_maximum`, `sat_decision` | a SAT solver with a proof |
//! | [`proof_state`](ProofState) | the bounds, the placement and the proof so far, which every method changes |
//! | [`kind`](ProofKind) | kinds of proofs of an upper bound |
//! | [`estimate`] | estimated duration of a proof |
//! | [`veripb`], [`vipr`] | proofs in the formats of other programs |

mod backend;
mod branch_and_bound;
pub mod engine_run;
pub mod estimate;
mod exact;
mod kind;
mod proof_state;
pub mod route;
#[cfg(feature = "sat")]
mod sat_decision;
#[cfg(feature = "sat")]
mod sat_maximum;
mod smallest;
pub mod veripb;
pub mod vipr;

pub use self::backend::{BackendRequest, prove_by_backend};
pub use self::branch_and_bound::{TreeRequest, decide_by_tree, prove_by_tree};
pub(crate) use self::exact::conclude;
pub use self::exact::{ExactRequest, prove_exactly};
pub use self::kind::ProofKind;
pub(crate) use self::proof_state::StartTimes;
pub use self::proof_state::{ProofState, Status};
#[cfg(feature = "sat")]
pub use self::sat_maximum::prove_by_sat;
pub use self::smallest::{SmallestSet, decide_smallest, prove_smallest};
