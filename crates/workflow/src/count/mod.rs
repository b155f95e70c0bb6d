//! Counting solutions with the exact engine, part by part. Finished parts may be kept in a folder.

pub mod full;
mod list;
mod parts;
mod proof;
pub mod run;
pub mod symmetric;
pub mod symmetry_name;
mod threshold;

use std::io;
use std::path::Path;

use ndqueens_crosscheck::proof::ProofResult;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::proof::header;
use ndqueens_exact::{Enumeration, Order, Question, Settings, Tally};
use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_notation::name::Piece;
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::local_search;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::thread::with_threads;
use num_bigint::BigUint;

use self::list::coordinates;
pub use self::list::{List, solutions};
use self::parts::{Folder, Manifest, Parts};
use self::proof::CountProof;
pub use self::threshold::{Threshold, threshold};
use crate::prove::engine_run::{ExactResult, run_in};
use crate::run::exact_engine::settings;
use crate::run::placement_check::ensure_size;
use crate::run::{CountError, Interruptible, ProofDraft, Watch, WorkflowError, nodes, run_watched};

/// Request to count solutions.
#[derive(Debug, Clone, Copy)]
pub struct CountRequest<'a> {
    /// Size of the solutions; if absent, the independence number.
    pub size: Option<u64>,
    /// Maximum number of orbits of solutions that are kept.
    pub keep: usize,
    /// Folder for finished parts and settled boxes.
    pub work: Option<&'a Path>,
    /// File for a proof that lists all solutions and shows that there are no others. It cannot be combined
    /// with a folder, whose parts have no trees.
    pub proof: Option<&'a Path>,
}

/// Result of a count.
#[derive(Debug)]
pub struct Counted {
    /// Size of the solutions.
    pub size: u64,
    /// True if crosscheck accepted a proof that this size is the independence number.
    pub maximum: bool,
    /// Counts and solutions of the search.
    pub tally: Tally,
    /// Order of the board's symmetry group, or `None` if the group is not known or too large to be listed.
    pub order: Option<u64>,
    /// Number of search nodes of this run, including those of the proof.
    pub nodes: u64,
    /// Number of parts that were taken from the folder without running them.
    pub taken: usize,
    /// Result of crosscheck's check of the proof, if a proof was requested, or the reason why no proof was
    /// written.
    pub proved: Option<Result<ProofResult, CountError>>,
}

impl Counted {
    /// Returns the number of solutions.
    #[must_use]
    pub fn solutions(&self) -> BigUint {
        self.tally.solutions()
    }

    /// Returns pairs of the order of a stabiliser and the number of solutions up to symmetry whose
    /// stabilisers have this order. Returns `None` if the board's group is not known or too large to be
    /// listed.
    #[must_use]
    pub fn stabilisers(&self) -> Option<Vec<(u64, BigUint)>> {
        self.order.map(|order| self.tally.up_to_symmetry(order))
    }

    /// Returns the number of solutions up to symmetry.
    #[must_use]
    pub fn up_to_symmetry(&self) -> Option<BigUint> {
        self.stabilisers().map(|sizes| sizes.into_iter().map(|(_, orbits)| orbits).sum())
    }

    /// Returns for each square of the board the number of solutions that occupy it.
    #[must_use]
    pub fn density(&self, board: &Board) -> Vec<BigUint> {
        let of_orbit = self.tally.density(board.orbits());
        board.squares().map(|square| of_orbit[board.orbits().of(square)].clone()).collect()
    }
}

/// State of a count that was stopped.
#[derive(Debug, Clone)]
pub struct Stopped {
    /// Reason of the stop.
    pub reason: StopReason,
    /// Size of the solutions, if it is known.
    pub size: Option<u64>,
    /// Number of solutions enumerated in the finished parts.
    pub met: u64,
    /// Number of finished parts and number of all parts.
    pub parts: Option<(usize, usize)>,
}

/// Minimum number of parts for each thread, and of a count that keeps its parts.
const PARTS_PER_THREAD: usize = 32;
const PARTS_KEPT: usize = 1024;

/// Node limit of each box if the size of the solutions is given.
const NODES_A_BOX: u64 = 100_000;

/// Counts the solutions of a size, up to symmetry. Without a size, counts those of the independence number,
/// which is proved first by a checked proof.
///
/// # Errors
/// Returns an error if the board is too large, the proof or the placement does not pass the check, or the
/// folder cannot be used.
pub fn count(
    board: &Board,
    request: &CountRequest<'_>,
    options: &Options,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Interruptible<Counted, Stopped>, WorkflowError> {
    ensure_size(board)?;
    let proof = request.proof.map(CountProof::begin).transpose()?;
    let control = Control::default();
    let settings = Settings { proofs: proof.is_some(), ..settings(options, &control) };
    let run = CountRun { board, request, settings, deadline };
    match run.count(options, proof, watch) {
        Ok(counted) => Ok(Interruptible::Finished(counted)),
        Err(Unfinished::Stopped(stopped)) => Ok(Interruptible::Stopped(stopped)),
        Err(Unfinished::Failed(fault)) => Err(*fault),
    }
}

/// Reason why a count has no result.
enum Unfinished {
    Stopped(Stopped),
    Failed(Box<WorkflowError>),
}

impl<E: Into<WorkflowError>> From<E> for Unfinished {
    fn from(fault: E) -> Self {
        Self::Failed(Box::new(fault.into()))
    }
}

impl Unfinished {
    /// Creates the state of a count that was stopped before its first part.
    fn before_parts(reason: Option<StopReason>, size: Option<u64>) -> Self {
        let reason = reason.unwrap_or(StopReason::Interrupted);
        Self::Stopped(Stopped { reason, size, met: 0, parts: None })
    }
}

/// Count that is running.
struct CountRun<'a> {
    board: &'a Board,
    request: &'a CountRequest<'a>,
    settings: Settings<'a>,
    deadline: Deadline,
}

/// Size of the solutions of a count, with the boxes that were bounded for it.
struct CountTarget {
    size: u64,
    boxes: BoxTable,
    /// Number of search nodes.
    nodes: u64,
    /// Solution of this size, if one was found.
    placement: Option<Vec<Square>>,
}

impl CountRun<'_> {
    fn count(
        &self,
        options: &Options,
        proof: Option<CountProof>,
        watch: &mut Watch<'_>,
    ) -> Result<Counted, Unfinished> {
        let keep = self.kept_orbits()?;
        let CountTarget { size, boxes, nodes, placement } =
            self.find_size(options, proof.as_ref().map(CountProof::bound), watch)?;
        let boxes = self.bound_inside(size, boxes, proof.as_ref().map(CountProof::inside), watch)?;
        let question = Question::new(self.board, size, Order::Lexicographic, &boxes, &self.settings);
        let enumeration = self.enumerate(&question, keep, watch)?;
        let folder = self.request.work.map(|folder| {
            let manifest = Manifest::new(self.board, self.request, size, keep, &enumeration, &question.slabs);
            Folder::open(folder, &manifest, &options.notes)
        });
        let parts = Parts::new(&enumeration, folder.transpose()?, keep);
        let missing = parts.load()?;
        let all = enumeration.weights.len();
        let stop = parts.run(&missing, &self.settings, self.deadline, watch)?;
        let (tally, finished) = parts.sum();
        if finished < all {
            let reason = stop.unwrap_or(StopReason::Interrupted);
            let parts = Some((finished, all));
            return Err(Unfinished::Stopped(Stopped { reason, size: Some(size), met: tally.met(), parts }));
        }
        let counted = Counted {
            size,
            maximum: self.request.size.is_none(),
            tally,
            order: enumeration.order,
            nodes: nodes + self.settings.control.nodes(),
            taken: all - missing.len(),
            proved: None,
        };
        self.ensure_plausible(&counted, placement)?;
        let Some(proof) = proof else { return Ok(counted) };
        match proof.finish(self.board, &counted, enumeration, self.deadline, watch)? {
            Interruptible::Finished(proved) => Ok(Counted { proved: Some(proved), ..counted }),
            Interruptible::Stopped(reason) => {
                let (met, parts) = (counted.tally.met(), Some((all, all)));
                Err(Unfinished::Stopped(Stopped { reason, size: Some(size), met, parts }))
            }
        }
    }

    /// Returns the number of orbits of solutions that are kept: that of the count in the folder, if there is
    /// one.
    fn kept_orbits(&self) -> Result<usize, WorkflowError> {
        let Some(folder) = self.request.work else { return Ok(self.request.keep) };
        match Manifest::of(folder)? {
            Some(earlier) => Ok(earlier.keeps(folder, self.board, self.request)?),
            None => Ok(self.request.keep),
        }
    }

    /// Returns the requested size, or proves the independence number. Statements go to `draft` if it is
    /// given.
    fn find_size(
        &self,
        options: &Options,
        draft: Option<&ProofDraft>,
        watch: &mut Watch<'_>,
    ) -> Result<CountTarget, Unfinished> {
        let board = self.board;
        if let Some(size) = self.request.size {
            if let Some(draft) = draft {
                draft
                    .write(|out, _| write!(out, "{}", header(board.name())))
                    .map_err(WorkflowError::engine)?;
            }
            let boxes = BoxTable::new(board.grid().map_or(Piece::Queen, Grid::piece));
            return Ok(CountTarget { size, boxes, nodes: 0, placement: None });
        }
        let options = Options { time_limit: self.deadline.left(), ..options.clone() };
        let ExactResult { maximum, proved } = run_in(
            draft.unwrap_or(&ProofDraft::new(None)?),
            board,
            &options,
            self.request.work,
            None,
            watch,
        )?;
        match proved {
            Ok(proved) if proved.at_most() == Some(maximum.value) => {}
            Ok(_) => return Err(Unfinished::before_parts(Some(StopReason::NodeLimit), None)),
            Err(reason) => return Err(Unfinished::before_parts(Some(reason), None)),
        }
        let placement = maximum.placement.iter().filter_map(|square| board.square(square)).collect();
        let (size, boxes, nodes) = (maximum.value, maximum.boxes, maximum.nodes);
        Ok(CountTarget { size, boxes, nodes, placement: Some(placement) })
    }

    /// Bounds the boxes inside the board that are missing from the table.
    fn bound_inside(
        &self,
        size: u64,
        boxes: BoxTable,
        draft: Option<&ProofDraft>,
        watch: &mut Watch<'_>,
    ) -> Result<BoxTable, Unfinished> {
        let settings = &self.settings;
        let work = || with_threads(settings.threads, || with_inside(boxes, self.board, settings, draft));
        let (boxes, stop) = self.watch(watch, work);
        let boxes = boxes.flatten().map_err(WorkflowError::engine)?;
        boxes.ok_or_else(|| Unfinished::before_parts(stop, Some(size)))
    }

    /// Cuts the count into parts.
    fn enumerate<'q>(
        &'q self,
        question: &'q Question<'q>,
        keep: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Enumeration<'q>, Unfinished> {
        let least = match (self.request.work, self.settings.threads) {
            (Some(_), _) => PARTS_KEPT,
            (None, 1) => 1,
            (None, threads) => PARTS_PER_THREAD * threads,
        };
        let (enumeration, stop) = self.watch(watch, || question.enumerate(&self.settings, least, keep));
        let enumeration = enumeration.map_err(WorkflowError::engine)?;
        enumeration.ok_or_else(|| Unfinished::before_parts(stop, Some(question.at_least)))
    }

    /// Runs a step of the engine on another thread. Returns the reason if it was stopped.
    fn watch<T: Send>(
        &self,
        watch: &mut Watch<'_>,
        step: impl FnOnce() -> T + Send,
    ) -> (T, Option<StopReason>) {
        let control = self.settings.control;
        run_watched(control, self.deadline, watch, &|seconds| nodes(control, seconds), |_| step())
    }

    /// Checks that the parts in the folder can be those of this count: that the shares add up to integers,
    /// and that a known solution is among the solutions.
    fn ensure_plausible(&self, counted: &Counted, known: Option<Vec<Square>>) -> Result<(), CountError> {
        let Some(folder) = self.request.work else { return Ok(()) };
        let (board, tally) = (self.board, &counted.tally);
        if !tally.adds_up(board.orbits(), counted.order) {
            return Err(CountError::Shares { folder: folder.to_owned() });
        }
        if counted.taken == 0 {
            return Ok(());
        }
        let solution = known.or_else(|| solution_of_size(board, counted.size));
        match solution.filter(|solution| !has_solution(tally, board, solution)) {
            Some(solution) => {
                let solution = coordinates(board, &solution);
                Err(CountError::Missed { folder: folder.to_owned(), solution })
            }
            None => Ok(()),
        }
    }
}

/// Work limit of the search for a solution, in candidates and neighbours inspected.
const WORK: u64 = 500_000;

/// Returns a solution of this size if a short local search finds one. Every subset of a larger placement is a
/// solution, too.
fn solution_of_size(board: &Board, size: u64) -> Option<Vec<Square>> {
    let size = usize::try_from(size).ok()?;
    let found = local_search::quick(board, &[], 0, WORK, size)?;
    (found.len() >= size).then(|| found[..size].to_vec())
}

/// Returns `true` if the tally is consistent with a solution: each of its squares is occupied by some
/// enumerated solution.
fn has_solution(tally: &Tally, board: &Board, solution: &[Square]) -> bool {
    let orbits = board.orbits();
    let density = tally.density(orbits);
    let met = |&square: &Square| density[orbits.of(square)] > BigUint::ZERO;
    tally.solutions() > BigUint::ZERO && solution.iter().all(met)
}

/// Bounds the boxes inside a board that are missing from the table, within a node limit. Returns `None` if
/// stopped.
fn with_inside(
    mut boxes: BoxTable,
    board: &Board,
    settings: &Settings<'_>,
    proof: Option<&ProofDraft>,
) -> io::Result<Option<BoxTable>> {
    let settings = Settings { node_limit: NODES_A_BOX, ..*settings };
    let Some(grid) = board.plain_box() else { return Ok(Some(boxes)) };
    let end = match proof {
        Some(proof) => proof
            .write(|mut out, _| boxes.fill_inside(grid.sides(), &settings, Some(&mut out), &mut |_| {}))?,
        None => boxes.fill_inside(grid.sides(), &settings, None, &mut |_| {})?,
    };
    Ok(end.is_finished().then_some(boxes))
}
