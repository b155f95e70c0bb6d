//! Proofs of a maximum: a checked certificate of k queens, and a proof that k + 1 queens do not fit.

mod branch_and_bound;
pub mod estimate;
mod exact;
pub mod exact_proof;
mod kind;
mod programme;
mod proof;
pub mod route;
#[cfg(feature = "sat")]
mod sat;
#[cfg(feature = "sat")]
mod sat_decision;
mod smallest;
pub mod veripb;
pub mod vipr;

pub use self::branch_and_bound::{TreeRequest, decide_by_tree, prove_by_tree};
pub(crate) use self::exact::conclude;
pub use self::exact::{Exactly, prove_exactly};
pub use self::kind::ProofKind;
pub use self::programme::{Claimed, prove};
pub(crate) use self::proof::StartTimes;
pub use self::proof::{Proof, Status};
#[cfg(feature = "sat")]
pub use self::sat::prove_by_sat;
pub use self::smallest::{SmallestSet, decide_smallest, prove_smallest};
