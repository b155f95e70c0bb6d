//! Proofs of a maximum: a checked certificate of k queens, and a proof that k + 1 queens do not fit.

mod backend;
mod branch_and_bound;
pub mod estimate;
mod exact;
pub mod exact_run;
mod kind;
mod maximum;
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
pub use self::exact::{Exactly, prove_exactly};
pub use self::kind::ProofKind;
pub(crate) use self::maximum::StartTimes;
pub use self::maximum::{Proof, Status};
#[cfg(feature = "sat")]
pub use self::sat_maximum::prove_by_sat;
pub use self::smallest::{SmallestSet, decide_smallest, prove_smallest};
