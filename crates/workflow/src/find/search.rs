//! Search for large sets: each improvement is checked and stored as soon as it is found.

use std::path::Path;
use std::time::Instant;

use ndqueens_crosscheck::verify;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::volume;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::construct::local_search::{self, Found, SearchResult, Settings, Subgroup, Technique};
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::note::Notes;
use ndqueens_system::{file, lock};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use crate::run::{Event, SearchProgress, StartError, Watch, WorkflowError, placement_check, run_watched};

/// Request for a search.
#[derive(Debug, Clone)]
pub struct SearchRequest<'a> {
    /// Board to search.
    pub board: &'a Board,
    /// Destination of notes about the file for the largest set.
    pub notes: &'a Notes,
    /// Kind of local search.
    pub technique: Technique,
    /// Squares that the set must contain.
    pub include: &'a [Square],
    /// Certificate of a set from which the search starts.
    pub start: Option<&'a Certificate>,
    /// Subgroup under which the sets are invariant; if absent, the search chooses one.
    pub symmetry: Option<&'a Subgroup>,
    /// Seed of random choices.
    pub seed: u32,
    /// Number of the first round.
    pub from_round: u64,
    /// Maximum number of rounds.
    pub rounds: u64,
    /// Number of queens at which the search ends.
    pub target: u64,
    /// Number of rounds that run at a time.
    pub threads: usize,
    /// Deadline of the search.
    pub deadline: Deadline,
    /// File that always holds the largest set. The search must improve on the set it holds already.
    pub keep: Option<&'a Path>,
}

/// A set that is larger than all sets found before.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Improvement {
    /// Number of queens of the set.
    pub queens: usize,
    /// Seconds since the start of the search.
    pub seconds: f64,
    /// Number of the round that found the set.
    pub round: u64,
}

/// Result of a search.
#[derive(Debug)]
pub struct Best {
    /// Largest set, checked.
    pub certificate: Certificate,
    /// Improvements, in the order in which they were found.
    pub improvements: Vec<Improvement>,
    /// Number of the round from which the search can be resumed.
    pub next_round: u64,
    /// Number of moves.
    pub moves: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Reason why the search ended early.
    pub stop: Option<StopReason>,
    /// Error that prevented the set from being stored in its file, and that ended the search.
    pub unkept: Option<WorkflowError>,
}

/// Results of a search so far.
#[derive(Default)]
struct SearchLog {
    improvements: Vec<Improvement>,
    /// Error of the first set that failed the check.
    fault: Option<WorkflowError>,
    /// Error of the first set that could not be stored.
    unkept: Option<WorkflowError>,
}

/// Records the sets that the threads of a search find.
struct Recorder<'a> {
    request: &'a SearchRequest<'a>,
    control: &'a Control,
    begin: Instant,
    log: Mutex<SearchLog>,
    /// Set that this search has stored in the file.
    stored: Mutex<Option<Certificate>>,
}

impl Recorder<'_> {
    /// Checks and stores a set, and reports it if it is larger than those found before. A set that fails the
    /// check or cannot be stored stops the search.
    fn record(&self, found: &Found, report: &dyn Fn(String)) {
        let Self { request, control, begin, log, stored } = self;
        let seconds = begin.elapsed().as_secs_f64();
        let certificate = certify(request, found);
        let mut stored = stored.lock();
        let result = certificate.map(|certificate| store(request, certificate, &mut stored));
        let mut log = log.lock();
        let other = match result {
            Ok(Ok(other)) => other,
            Ok(Err(fault)) => {
                control.stop();
                log.unkept.get_or_insert(fault);
                None
            }
            Err(fault) => {
                control.stop();
                log.fault.get_or_insert(fault);
                return;
            }
        };
        let queens = found.squares.len();
        if log.improvements.last().is_some_and(|last| last.queens == queens) {
            return;
        }
        log.improvements.push(Improvement { queens, seconds, round: found.round });
        let mut words = format!(
            "{} after {seconds:.1} s: {}",
            request.board.format_pieces(queens as u64),
            origin(request, found)
        );
        if let (Some(other), Some(path)) = (other, request.keep) {
            words += &format!("; {} holds {} by now and stays", path.display(), other.size());
        }
        report(words);
    }
}

/// Searches for large sets.
///
/// # Errors
/// Returns an error if the board is too large, the start is not invariant under the symmetry, a set does not
/// pass the check, or the file holds something else at the start.
pub fn search(request: &SearchRequest<'_>, watch: &mut Watch<'_>) -> Result<Best, WorkflowError> {
    let SearchRequest { board, include, .. } = *request;
    let begin = Instant::now();
    let control = Control::default();
    let start = request.start.map(|start| check_start(request, start)).transpose()?;
    let before = read_stored(request)?;
    let sizes = [before.as_ref(), request.start].into_iter().flatten().map(Certificate::size);
    let beat = sizes.max().unwrap_or(include.len());
    let settings = Settings {
        technique: request.technique,
        include,
        start: start.as_deref(),
        beat,
        symmetry: request.symmetry,
        seed: u64::from(request.seed),
        from_round: request.from_round,
        rounds: request.rounds,
        target: request.target,
        threads: request.threads,
        control: &control,
    };
    let (log, stored) = Default::default();
    let recorder = Recorder { request, control: &control, begin, log, stored };
    let incumbent = || recorder.log.lock().improvements.last().map_or(beat, |last| last.queens);
    let now = |seconds| {
        let (bound, moves) = (volume::or_trivial(board), control.nodes());
        Event::Search(SearchProgress { incumbent: incumbent(), bound, moves, seconds })
    };
    let (found, stop) = run_watched(&control, request.deadline, watch, &now, |sender| {
        let sender = Mutex::new(sender.clone());
        local_search::search(board, &settings, &|found: &Found| {
            recorder.record(found, &|words| {
                // Sending fails if the search was stopped, which is no error.
                let _ = sender.lock().send(Event::Stage(words));
            });
        })
    });
    let SearchLog { improvements, fault, unkept } = recorder.log.into_inner();
    if let Some(fault) = fault {
        return Err(fault);
    }
    let SearchResult { best: found, next_round } = found?;
    let certificate = match found {
        Some(found) => {
            let stored = if unkept.is_none() { read_stored(request)? } else { None };
            larger(certify(request, &found)?, stored)
        }
        None => largest_given(request, before)?,
    };
    Ok(Best {
        certificate,
        improvements,
        next_round,
        moves: control.nodes(),
        seconds: begin.elapsed().as_secs_f64(),
        stop,
        unkept,
    })
}

/// Returns the largest set that was given to a search without improvements. `before` is the set that the file
/// held.
fn largest_given(
    request: &SearchRequest<'_>,
    before: Option<Certificate>,
) -> Result<Certificate, WorkflowError> {
    match (before, request.start) {
        (Some(before), start) if start.is_none_or(|start| start.size() <= before.size()) => Ok(before),
        (_, Some(start)) => Ok(larger(start.clone(), store(request, start.clone(), &mut None)?)),
        _ => certify_included(request),
    }
}

/// Returns the larger of the set found here and the set that another command stored in the file meanwhile.
fn larger(found: Certificate, stored: Option<Certificate>) -> Certificate {
    stored.filter(|stored| stored.size() > found.size()).unwrap_or(found)
}

/// Returns the certificate of a set after the independent check.
fn certify(request: &SearchRequest<'_>, found: &Found) -> Result<Certificate, WorkflowError> {
    let origin = origin(request, found);
    placement_check::certify(request.board, &found.squares, Problem::IndependentSet, request.include, &origin)
}

/// Returns the set of the included squares after the independent check.
fn certify_included(request: &SearchRequest<'_>) -> Result<Certificate, WorkflowError> {
    let SearchRequest { board, include, .. } = *request;
    let origin = if include.is_empty() { "the empty set" } else { "the squares to be included, and no more" };
    placement_check::certify(board, include, Problem::IndependentSet, include, origin)
}

/// Returns the checked squares of a certificate, which must contain those to be included.
fn check_start(request: &SearchRequest<'_>, certificate: &Certificate) -> Result<Vec<Square>, WorkflowError> {
    let squares = placement_check::verify_given(request.board, Problem::IndependentSet, certificate)?;
    let include: Vec<_> = request.include.iter().map(|&square| request.board.coordinates(square)).collect();
    verify::verify_includes(certificate, &include).map_err(WorkflowError::Given)?;
    Ok(squares)
}

/// Reads the certificate in the file for the largest set, if there is one that this search could have found.
fn read_stored(request: &SearchRequest<'_>) -> Result<Option<Certificate>, WorkflowError> {
    let is_filled = |path: &&Path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    let Some(path) = request.keep.filter(is_filled) else { return Ok(None) };
    let unfit = |why: String| StartError::Incompatible { path: path.to_owned(), why };
    let text = file::read(path)?;
    let stored = Certificate::parse_with(&text, &file::open).map_err(|fault| unfit(fault.to_string()))?;
    let squares = check_start(request, &stored).map_err(|fault| unfit(fault.to_string()))?;
    match request.symmetry {
        Some(symmetry) if !symmetry.keeps(request.board, &squares) => {
            Err(unfit(format!("it is not invariant under the symmetry {symmetry}")).into())
        }
        _ => Ok(Some(stored)),
    }
}

/// Stores a certificate in the file unless the file holds another set that is at least as large; that set is
/// returned. The set `own` that this search stored itself is replaced.
fn store(
    request: &SearchRequest<'_>,
    certificate: Certificate,
    own: &mut Option<Certificate>,
) -> Result<Option<Certificate>, WorkflowError> {
    let Some(path) = request.keep else { return Ok(None) };
    let _alone = lock::exclusive(path, request.notes)?;
    if let Some(stored) = read_stored(request)?.filter(|stored| stored.size() >= certificate.size())
        && own.as_ref() != Some(&stored)
    {
        return Ok(Some(stored));
    }
    file::write(path, |out| write!(out, "{certificate}"))?;
    *own = Some(certificate);
    Ok(None)
}

fn origin(request: &SearchRequest<'_>, found: &Found) -> String {
    let Found { round, symmetry, start, .. } = found;
    match request.technique {
        Technique::Tabu => {
            format!("local search, seed {}, round {round} from {start}, symmetry {symmetry}", request.seed)
        }
        Technique::Faces => {
            let text = format!("annealing among faces of a cube, seed {}, round {round}", request.seed);
            if symmetry == "none" { text } else { format!("{text}, symmetry {symmetry}") }
        }
    }
}
