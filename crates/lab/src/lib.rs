//! Where solver and crosscheck meet: solving and proving as workflows, and the records of what was run.

pub mod evidence;
pub mod machine;
pub mod parts;
pub mod ranges;
pub mod record;
pub mod run;
pub mod workflow;
