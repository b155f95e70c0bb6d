//! Cancellation of searches.

/// Function called at every node of a search. The search stops if it returns `true`. It may read a flag or a
/// clock.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Error of a search that was stopped before it was complete. Such a search proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped before it was done")]
pub struct Stopped;
