//! Where solver and crosscheck meet: solving and proving as workflows, and the records of what was run.

pub mod bound;
pub mod bounds;
pub mod boxes;
mod checker;
pub mod complete;
pub mod count;
mod draft;
pub mod drat;
pub mod estimate;
pub mod exact;
pub mod experiment;
pub mod file;
pub mod full;
pub mod ledger;
pub mod machine;
mod packed;
pub mod picture;
pub mod prove;
pub mod record;
mod refutation;
pub mod route;
pub mod search;
pub mod solve;
pub mod split;
pub mod store;
pub mod verdict;
pub mod veripb;
