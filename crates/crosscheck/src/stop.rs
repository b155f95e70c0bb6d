//! Cancellation of searches.

use ndqueens_notation::error_class::{Classified, ErrorClass};

/// Function called at every node of a search. The search stops if it returns `true`. It may read a flag or a
/// clock.
///
/// # Examples
/// ```
/// use std::time::{Duration, Instant};
///
/// use ndqueens_crosscheck::count::count;
/// use ndqueens_crosscheck::stop::Stop;
///
/// let begin = Instant::now();
/// let stop: Stop<'_> = &|| begin.elapsed() > Duration::from_secs(60);
/// assert_eq!(count(&"4^2".parse()?, stop)?.maximum_sets, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Error of a search that was stopped before it was complete. Such a search proves nothing.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::boards::definition;
/// use ndqueens_crosscheck::bron_kerbosch::every_maximal_set;
/// use ndqueens_crosscheck::graph::Graph;
/// use ndqueens_crosscheck::stop::Stopped;
///
/// let graph = Graph::new(&*definition(&"12^2".parse()?))?;
/// assert_eq!(every_maximal_set(&graph, &|| true, &mut |_| {}), Err(Stopped));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped before it was done")]
pub struct Stopped;

impl Classified for Stopped {
    fn class(&self) -> ErrorClass {
        ErrorClass::Limit
    }
}
