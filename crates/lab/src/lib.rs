//! Combines solver and crosscheck: solving and proving as workflows.

pub mod evidence;
pub mod parallel_check;
pub mod parts;
pub mod ranges;
pub mod run;
pub mod workflow;
