//! Runs constructions one after the other.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::construct::{self as construction, Attempt, Effort, Method};

use crate::run::{ConstructionProgress, Event, Watch, WorkflowError, placement_check};

/// Request to run constructions.
#[derive(Debug, Clone)]
pub struct ConstructionRequest {
    /// Board to construct on.
    pub board: BoardName,
    /// Methods in the order in which they are tried.
    pub methods: Vec<Method>,
    /// Squares that the set must contain.
    pub include: Vec<Square>,
    /// Seed of random choices.
    pub seed: u64,
    /// Work limit of each method.
    pub effort: Effort,
}

/// Results of the constructions.
#[derive(Debug)]
pub struct Tried {
    /// Attempts of the methods that finished, in order; fewer than requested if the watcher broke.
    pub attempts: Vec<Attempt>,
    /// Largest set, checked; the first one of equal sets.
    pub best: Option<Certificate>,
    /// Size of a larger set whose check was running when the watcher broke.
    pub unchecked: Option<usize>,
}

/// Message from the thread that runs the methods.
enum Step {
    /// The method found a set of this size, which is now checked.
    Made(usize),
    /// The method ended; its set is checked if it is the largest so far.
    Done(Attempt),
}

/// Time between two calls of the watcher.
const EVERY: Duration = Duration::from_millis(50);

/// Runs the methods one after the other, and checks each set that is larger than all before. If the watcher
/// breaks, returns the finished attempts at once. The running method is not cancelled: its effort bounds it,
/// and its thread ends with it.
///
/// # Errors
/// Returns an error if a set does not pass the check, or if the thread cannot be started.
pub fn construct(request: &ConstructionRequest, watch: &mut Watch<'_>) -> Result<Tried, WorkflowError> {
    let begin = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let job = request.clone();
    let worker = thread::Builder::new()
        .name("constructions".to_owned())
        .spawn(move || try_all(&job, &sender))
        .map_err(SearchError::Threads)?;
    let mut tried = Tried { attempts: Vec::new(), best: None, unchecked: None };
    let mut best: Option<(usize, Method)> = None;
    while let Some(&method) = request.methods.get(tried.attempts.len()) {
        match receiver.recv_timeout(EVERY) {
            Ok(Ok(Step::Made(queens))) => {
                tried.unchecked = Some(queens);
                continue;
            }
            Ok(Ok(Step::Done(attempt))) => {
                tried.unchecked = None;
                if let Ok(made) = &attempt.result
                    && best.is_none_or(|(most, _)| most < made.size())
                {
                    best = Some((made.size(), method));
                    tried.best = Some(made.clone());
                }
                tried.attempts.push(attempt);
                continue;
            }
            Ok(Err(refused)) => return Err(refused),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let seconds = begin.elapsed().as_secs_f64();
        if watch(&Event::Construction(ConstructionProgress {
            method,
            checking: tried.unchecked,
            best,
            seconds,
        }))
        .is_break()
        {
            return Ok(tried);
        }
    }
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    Ok(tried)
}

/// Runs all methods and sends their attempts. A set that is the largest so far is checked first.
fn try_all(request: &ConstructionRequest, sender: &Sender<Result<Step, WorkflowError>>) {
    let ConstructionRequest { board, methods, include, seed, effort } = request;
    let board = Board::new(board);
    let mut most = None;
    for &method in methods {
        let result = construction::construct(method, &board, include, *seed, *effort);
        let attempt = match result {
            Ok(made) if most.is_none_or(|most| most < made.size()) => {
                most = Some(made.size());
                // Sending fails if the watcher broke, which is no error.
                let _ = sender.send(Ok(Step::Made(made.size())));
                certify(&board, &made, include).map(|made| Attempt { method, result: Ok(made) })
            }
            result => Ok(Attempt { method, result }),
        };
        let failed = attempt.is_err();
        if sender.send(attempt.map(Step::Done)).is_err() || failed {
            return;
        }
    }
}

/// Checks a constructed set independently and returns its certificate.
///
/// # Errors
/// Returns [`RefusedError::Solution`](crate::run::RefusedError::Solution) if the set does not pass the check.
pub fn certify(board: &Board, made: &Certificate, include: &[Square]) -> Result<Certificate, WorkflowError> {
    let squares: Vec<_> = made.squares.iter().filter_map(|square| board.square(square)).collect();
    placement_check::certify(board, &squares, Problem::IndependentSet, include, &made.origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn request(board: &str) -> ConstructionRequest {
        let effort = Effort { cut: 100_000, greedy: 100_000 };
        ConstructionRequest {
            board: board.parse().expect("a board name"),
            methods: Method::ALL.to_vec(),
            include: Vec::new(),
            seed: 0,
            effort,
        }
    }

    #[test]
    fn every_method_is_tried_and_the_largest_set_is_kept() {
        let tried = construct(&request("8^3"), &mut |_| ControlFlow::Continue(())).expect("constructions");
        let methods: Vec<_> = tried.attempts.iter().map(|attempt| attempt.method).collect();
        assert_eq!(methods, Method::ALL);
        assert_eq!(tried.best.map(|best| best.size()), Some(48));
    }

    #[test]
    fn what_is_done_when_the_watcher_breaks_is_kept() {
        // The last method would run for hours.
        let methods = vec![Method::Cut, Method::Greedy];
        let effort = Effort { cut: 100_000, greedy: u64::MAX };
        let mut last = None;
        let tried =
            construct(&ConstructionRequest { methods, effort, ..request("8^3") }, &mut |event| match event {
                Event::Construction(trying) if trying.best.is_some() => {
                    last = Some((trying.method, trying.best));
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            });
        let tried = tried.expect("constructions");
        assert_eq!(last, Some((Method::Greedy, Some((48, Method::Cut)))));
        assert_eq!((tried.attempts.len(), tried.best.map(|best| best.size())), (1, Some(48)));
    }
}
