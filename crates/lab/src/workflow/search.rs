//! Search for large sets: each improvement is checked and stored as soon as it is found.

use std::path::Path;
use std::time::Instant;

use ndqueens_crosscheck::verify;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::volume;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::construct::local_search::{self, Found, SearchResult, Settings, Subgroup, Technique};
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::{file, lock};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use crate::run::{Event, LabError, SearchProgress, Watch, check, run_watched};

/// Request for a search.
#[derive(Debug, Clone)]
pub struct SearchRequest<'a> {
    /// Board to search.
    pub board: &'a Board,
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
    pub unkept: Option<LabError>,
}

/// Searches for large sets.
///
/// # Errors
/// Returns an error if the board is too large, the start is not invariant under the symmetry, a set does not
/// pass the check, or the file holds something else at the start.
pub fn search(request: &SearchRequest<'_>, watch: &mut Watch<'_>) -> Result<Best, LabError> {
    let SearchRequest { board, include, .. } = *request;
    let begin = Instant::now();
    let control = Control::default();
    let start = request.start.map(|start| given(request, start)).transpose()?;
    let before = held(request)?;
    let beat = [before.as_ref(), request.start].into_iter().flatten().map(Certificate::size).max();
    let beat = beat.unwrap_or(include.len());
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
    let kept: Mutex<(Vec<Improvement>, [Option<LabError>; 2])> = Mutex::default();
    let stored: Mutex<Option<Certificate>> = Mutex::default();
    let incumbent = || {
        let kept = kept.lock();
        kept.0.last().map_or(beat, |last| last.queens)
    };
    let now = |seconds| {
        Event::Search(SearchProgress {
            incumbent: incumbent(),
            bound: volume::or_trivial(board),
            moves: control.nodes(),
            seconds,
        })
    };
    let (found, stop) = run_watched(&control, request.deadline, watch, &now, |tell| {
        let tell = Mutex::new(tell.clone());
        local_search::search(board, &settings, &|found: &Found| {
            let seconds = begin.elapsed().as_secs_f64();
            let checked = certified(request, found);
            let mut before = stored.lock();
            let stored = checked.map(|certificate| store(request, certificate, &mut before));
            let mut kept = kept.lock();
            let held = match stored {
                Ok(Ok(held)) => held,
                Ok(Err(fault)) => {
                    control.stop();
                    kept.1[1].get_or_insert(fault);
                    None
                }
                Err(fault) => {
                    control.stop();
                    kept.1[0].get_or_insert(fault);
                    return;
                }
            };
            let queens = found.squares.len();
            if kept.0.last().is_some_and(|last| last.queens == queens) {
                return;
            }
            kept.0.push(Improvement { queens, seconds, round: found.round });
            let mut words = format!(
                "{} after {seconds:.1} s: {}",
                board.format_pieces(queens as u64),
                origin(request, found)
            );
            if let (Some(held), Some(path)) = (held, request.keep) {
                words += &format!("; {} holds {} by now and stays", path.display(), held.size());
            }
            // Sending fails if the search was stopped, which is no error.
            let _ = tell.lock().send(Event::Stage(words));
        })
    });
    let (improvements, [fault, unkept]) = kept.into_inner();
    if let Some(fault) = fault {
        return Err(fault);
    }
    let SearchResult { best: found, next_round } = found?;
    let certificate = match (found, before, request.start) {
        (Some(found), ..) => {
            let found = certified(request, &found)?;
            let held = if unkept.is_none() { held(request)? } else { None };
            larger(found, held)
        }
        (None, Some(before), start) if start.is_none_or(|start| start.size() <= before.size()) => before,
        (None, _, Some(start)) => larger(start.clone(), store(request, start.clone(), &mut None)?),
        (None, ..) => {
            let origin =
                if include.is_empty() { "the empty set" } else { "the squares to be included, and no more" };
            check::checked(board, include, Problem::IndependentSet, include, origin)?
        }
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

/// Returns the larger of the set found here and the set that another command stored in the file meanwhile.
fn larger(found: Certificate, held: Option<Certificate>) -> Certificate {
    held.filter(|held| held.size() > found.size()).unwrap_or(found)
}

fn certified(request: &SearchRequest<'_>, found: &Found) -> Result<Certificate, LabError> {
    let origin = origin(request, found);
    check::checked(request.board, &found.squares, Problem::IndependentSet, request.include, &origin)
}

/// Returns the checked squares of a certificate, which must contain those to be included.
fn given(request: &SearchRequest<'_>, certificate: &Certificate) -> Result<Vec<Square>, LabError> {
    let squares = check::given(request.board, Problem::IndependentSet, certificate)?;
    let include: Vec<_> = request.include.iter().map(|&square| request.board.coordinates(square)).collect();
    verify::verify_includes(certificate, &include).map_err(LabError::Given)?;
    Ok(squares)
}

/// Reads the certificate in the file for the largest set, if there is one that this search could have found.
fn held(request: &SearchRequest<'_>) -> Result<Option<Certificate>, LabError> {
    let there = |path: &&Path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    let Some(path) = request.keep.filter(there) else { return Ok(None) };
    let unfit = |why: String| LabError::IncompatibleStart { path: path.to_owned(), why };
    let text = file::read(path)?;
    let held = Certificate::parse_with(&text, &file::open).map_err(|fault| unfit(fault.to_string()))?;
    let squares = given(request, &held).map_err(|fault| unfit(fault.to_string()))?;
    match request.symmetry {
        Some(symmetry) if !symmetry.keeps(request.board, &squares) => {
            Err(unfit(format!("it is not invariant under the symmetry {symmetry}")))
        }
        _ => Ok(Some(held)),
    }
}

/// Stores a certificate in the file unless the file holds another set that is at least as large; that set is
/// returned. The set that this search has `stored` itself is replaced.
fn store(
    request: &SearchRequest<'_>,
    certificate: Certificate,
    stored: &mut Option<Certificate>,
) -> Result<Option<Certificate>, LabError> {
    let Some(path) = request.keep else { return Ok(None) };
    let _alone = lock::exclusive(path)?;
    if let Some(held) = held(request)?.filter(|held| held.size() >= certificate.size())
        && stored.as_ref() != Some(&held)
    {
        return Ok(Some(held));
    }
    file::write(path, |out| write!(out, "{certificate}"))?;
    *stored = Some(certificate);
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
