//! Constructions, tried one after the other.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::construct::{self as construction, Attempt, Effort, Method};

use crate::run::{ConstructionProgress, Event, LabError, Watch, check};

/// What is to be tried.
#[derive(Debug, Clone)]
pub struct ConstructionRequest {
    /// The board.
    pub board: BoardName,
    /// The methods, in the order in which they are tried.
    pub methods: Vec<Method>,
    /// Squares that the set must contain.
    pub include: Vec<Square>,
    /// The seed.
    pub seed: u64,
    /// The work of each method.
    pub effort: Effort,
}

/// What came of the methods.
#[derive(Debug)]
pub struct Tried {
    /// One for each method that was done, in their order; all of them unless the watcher ended it before.
    pub attempts: Vec<Attempt>,
    /// The largest set, checked; of equals the first.
    pub best: Option<Certificate>,
    /// The queens of a larger set that were being checked when the watcher broke.
    pub unchecked: Option<usize>,
}

/// What the thread that tries the methods tells.
enum Step {
    /// The method made so many queens, which are being checked.
    Made(usize),
    /// The method is done, and its set checked if it is the largest so far.
    Done(Attempt),
}

/// Time between two looks at the watcher.
const EVERY: Duration = Duration::from_millis(50);

/// Tries the methods one after the other, and checks each set that is larger than all before. When the watcher breaks, what
/// is done is given back at once. The method that is being tried is left to itself: it is bounded by its effort, and its
/// thread ends with it.
///
/// # Errors
/// When a set does not pass the check, or there is no thread to be had.
pub fn construct(request: &ConstructionRequest, watch: &mut Watch<'_>) -> Result<Tried, LabError> {
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

/// Sends what comes of each method once its set is checked, if it is the largest so far.
fn try_all(request: &ConstructionRequest, tell: &Sender<Result<Step, LabError>>) {
    let ConstructionRequest { board, methods, include, seed, effort } = request;
    let board = Board::new(board);
    let mut most = None;
    for &method in methods {
        let result = construction::construct(method, &board, include, *seed, *effort);
        let attempt = match result {
            Ok(made) if most.is_none_or(|most| most < made.size()) => {
                most = Some(made.size());
                // Nobody listens any more when the watcher broke.
                let _ = tell.send(Ok(Step::Made(made.size())));
                checked(&board, &made, include).map(|made| Attempt { method, result: Ok(made) })
            }
            result => Ok(Attempt { method, result }),
        };
        let failed = attempt.is_err();
        if tell.send(attempt.map(Step::Done)).is_err() || failed {
            return;
        }
    }
}

/// What was made, once it has passed the independent check.
///
/// # Errors
/// [`LabError::Refused`] when it does not pass.
pub fn checked(board: &Board, made: &Certificate, include: &[Square]) -> Result<Certificate, LabError> {
    let squares: Vec<_> = made.squares.iter().filter_map(|square| board.square(square)).collect();
    check::checked(board, &squares, Problem::IndependentSet, include, &made.origin)
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
        // The last method has work for hours.
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
