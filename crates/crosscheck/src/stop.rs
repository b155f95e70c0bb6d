//! How a search is told to stop before it is done.

/// Asked at every node of a search; the search stops when it answers yes. It may look at a flag or at a clock.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// The search was stopped before it was done; it has proved nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped before it was done")]
pub struct Stopped;
