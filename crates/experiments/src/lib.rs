//! Experiments: runs many solves defined by one file, each in its own process, and evaluates them as tables
//! and plots.
//!
//! ```text
//! definition -> plan -> runner -> store -> judge -> evaluation -> table, plot, compare
//! TOML file     runs    child     rows     contra-  what each
//!               with    processes on disk  dictions run counts
//!               ids
//! ```

pub mod child;
mod columns;
pub mod compare;
pub mod definition;
mod error;
pub mod evaluation;
pub mod executor;
pub mod judge;
pub mod plan;
pub mod planned;
pub mod plot;
mod relaxations;
pub mod runner;
#[cfg(test)]
mod sample;
pub mod statistics;
pub mod store;
pub mod table;
mod trajectory;
mod variant;

pub use self::error::ExperimentError;
