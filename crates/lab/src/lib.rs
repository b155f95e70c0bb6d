//! Where solver and crosscheck meet: solving and proving as workflows, and the records of what was run.

pub mod archive;
pub mod bounds;
pub mod evidence;
pub mod experiment;
pub mod figure;
pub mod ledger;
pub mod picture;
pub mod record;
pub mod run;
pub mod store;
pub mod workflow;
