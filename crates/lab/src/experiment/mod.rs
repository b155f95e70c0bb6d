//! Experiments: many runs from one file, each in a process of its own, into tables and plots.
//!
//! ```text
//! definition -> plan -> runner -> store -> judge -> table, plot, compare
//! TOML file     runs    child     rows     contradictions
//!               with    processes on disk
//!               ids
//! ```

pub mod child;
pub mod definition;
pub mod judge;
pub mod plan;
pub mod planned;
pub mod runner;
pub mod store;
