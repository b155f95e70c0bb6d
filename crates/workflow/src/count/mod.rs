//! Counting solutions with the exact engine, part by part. Finished parts may be kept in a folder.

pub mod full;
mod proof;
pub mod run;
pub mod symmetric;
pub mod symmetry_name;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::record;
use ndqueens_crosscheck::proof::ProofResult;
use ndqueens_crosscheck::solutions::{ListFault, verify_list};
use ndqueens_crosscheck::stop::{self, Stop};
use ndqueens_crosscheck::verify::verify;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::proof::header;
use ndqueens_exact::{Enumeration, Order, Question, Settings, Slab, Tally};
use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::solutions::{Heading, ListKind, Solutions, format_line};
use ndqueens_notation::name::Piece;
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::local_search;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::{self, FileError, digest};
use ndqueens_system::note;
use ndqueens_system::thread::with_threads;
use num_bigint::BigUint;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use self::proof::CountProof;
use crate::parts::{COUNT_MANIFEST, Pump, begin};
use crate::prove::exact_proof::{Bounded, prove_in};
use crate::run::check::ensure_size;
use crate::run::engine::{FOUND_BY, settings};
use crate::run::{CountError, Draft, Interruptible, Watch, WorkflowError, nodes, run_watched};

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

/// Data that define the parts of a count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    layout: u32,
    version: String,
    board: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board_sha256: Option<String>,
    /// Requested size; `None` for maximum solutions.
    #[serde(default)]
    asked: Option<u64>,
    size: u64,
    keep: usize,
    slabs: Vec<Slab>,
    weights: Vec<f64>,
}

const LAYOUT: u32 = 5;

impl Manifest {
    /// Reads the manifest of a count that was started in a folder.
    fn of(folder: &Path) -> Result<Option<Self>, WorkflowError> {
        let path = folder.join(COUNT_MANIFEST);
        if !path.exists() {
            return Ok(None);
        }
        let unreadable = |_| {
            let words = "it is damaged or from another version; restore it or choose another folder, because the parts in this \
                         folder cannot be used without it";
            FileError::new("read", &path, io::Error::new(io::ErrorKind::InvalidData, words))
        };
        Ok(Some(serde_json::from_str(&file::read_plain(&path)?).map_err(unreadable)?))
    }

    /// Returns the number of orbits of solutions that the count in the folder keeps, if this request may
    /// resume it. That number may be larger than the requested one.
    fn keeps(&self, folder: &Path, board: &Board, request: &CountRequest<'_>) -> Result<usize, CountError> {
        let differs = |found: String| Err(CountError::Other { folder: folder.to_owned(), found });
        if (self.layout, self.version.as_str()) != (LAYOUT, env!("CARGO_PKG_VERSION")) {
            return differs("another version of the program began it".to_owned());
        }
        if self.board != board.name().to_string() {
            return differs(format!("of {}, not of {}", self.board, board.name()));
        }
        if self.board_sha256 != record::board_digest(board.name()) {
            return differs(format!("the text of {} was another one", self.board));
        }
        let describe = |size: Option<u64>| {
            size.map_or_else(
                || "of maximum solutions".to_owned(),
                |size| format!("of solutions of size {size}"),
            )
        };
        if self.asked != request.size {
            return differs(format!("{}, not {}", describe(self.asked), describe(request.size)));
        }
        if self.keep < request.keep {
            return Err(CountError::NoneKept { folder: folder.to_owned() });
        }
        Ok(self.keep)
    }
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
    let bound = proof.as_ref().map(CountProof::bound);
    let earlier = request
        .work
        .map(|folder| Manifest::of(folder).map(|earlier| Some((earlier?, folder))))
        .transpose()?;
    let keep = match earlier.flatten() {
        Some((earlier, folder)) => earlier.keeps(folder, board, request)?,
        None => request.keep,
    };
    let stopped = |reason: Option<StopReason>, size| {
        let reason = reason.unwrap_or(StopReason::Interrupted);
        Ok(Interruptible::Stopped(Stopped { reason, size, met: 0, parts: None }))
    };
    let control = Control::default();
    let settings = settings(options, &control);
    let now = |seconds: f64| nodes(&control, seconds);
    let settings = Settings { proofs: proof.is_some(), ..settings };
    let (size, boxes, nodes, placement) = if let Some(size) = request.size {
        if let Some(bound) = bound {
            bound.write(|out, _| write!(out, "{}", header(board.name()))).map_err(WorkflowError::engine)?;
        }
        (size, BoxTable::new(board.grid().map_or(Piece::Queen, Grid::piece)), 0, None)
    } else {
        let options = Options { time_limit: deadline.left(), ..options.clone() };
        let Bounded { maximum, proved } =
            prove_in(bound.unwrap_or(&Draft::new(None)?), board, &options, request.work, None, watch)?;
        match proved {
            Ok(proved) if proved.at_most() == Some(maximum.value) => {}
            Ok(_) => return stopped(Some(StopReason::NodeLimit), None),
            Err(reason) => return stopped(Some(reason), None),
        }
        let placement = maximum.placement.iter().filter_map(|square| board.square(square)).collect();
        (maximum.value, maximum.boxes, maximum.nodes, Some(placement))
    };
    let inside = proof.as_ref().map(CountProof::inside);
    let work = |_: &_| with_threads(settings.threads, || with_inside(boxes, board, &settings, inside));
    let (boxes, stop) = run_watched(&control, deadline, watch, &now, work);
    let Some(boxes) = boxes.flatten().map_err(WorkflowError::engine)? else {
        return stopped(stop, Some(size));
    };
    let question = Question::new(board, size, Order::Lexicographic, &boxes, &settings);
    let least = match (request.work, settings.threads) {
        (Some(_), _) => PARTS_KEPT,
        (None, 1) => 1,
        (None, threads) => PARTS_PER_THREAD * threads,
    };
    let work = |_: &_| question.enumerate(&settings, least, keep);
    let (enumeration, stop) = run_watched(&control, deadline, watch, &now, work);
    let Some(enumeration) = enumeration.map_err(WorkflowError::engine)? else {
        return stopped(stop, Some(size));
    };
    let manifest = |question: &Question<'_>| Manifest {
        layout: LAYOUT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        board: board.name().to_string(),
        board_sha256: record::board_digest(board.name()),
        asked: request.size,
        size: question.at_least,
        keep,
        slabs: question.slabs.clone(),
        weights: enumeration.weights.clone(),
    };
    let folder = request.work.map(|folder| Folder::open(folder, &manifest(&question)));
    let parts = Parts {
        enumeration: &enumeration,
        folder: folder.transpose()?,
        keep,
        tally: Mutex::new(enumeration.top.clone()),
        finished: AtomicUsize::new(0),
    };
    let missing = parts.load()?;
    let all = enumeration.weights.len();
    let stop = parts.run(&missing, &settings, deadline, watch)?;
    let (tally, finished) = (parts.tally.into_inner(), parts.finished.into_inner());
    if finished < all {
        let reason = stop.unwrap_or(StopReason::Interrupted);
        let parts = Some((finished, all));
        let stopped = Stopped { reason, size: Some(size), met: tally.met(), parts };
        return Ok(Interruptible::Stopped(stopped));
    }
    let (order, nodes) = (enumeration.order, nodes + control.nodes());
    if let Some(folder) = request.work.filter(|_| !tally.adds_up(board.orbits(), order)) {
        return Err(CountError::Shares { folder: folder.to_owned() }.into());
    }
    let (taken, maximum) = (all - missing.len(), request.size.is_none());
    if let Some(folder) = request.work.filter(|_| taken > 0) {
        let solution: Option<Vec<Square>> = placement.or_else(|| solution_of_size(board, size));
        if let Some(solution) = solution.filter(|solution| !has_solution(&tally, board, solution)) {
            let solution = coordinates(board, &solution);
            return Err(CountError::Missed { folder: folder.to_owned(), solution }.into());
        }
    }
    let mut counted = Counted { size, maximum, tally, order, nodes, taken, proved: None };
    if let Some(proof) = proof {
        match proof.finish(board, &counted, enumeration, deadline, watch)? {
            Interruptible::Finished(proved) => counted.proved = Some(proved),
            Interruptible::Stopped(reason) => {
                let (met, parts) = (counted.tally.met(), Some((all, all)));
                return Ok(Interruptible::Stopped(Stopped { reason, size: Some(size), met, parts }));
            }
        }
    }
    Ok(Interruptible::Finished(counted))
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
    proof: Option<&Draft>,
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

/// Parts of a count.
struct Parts<'a> {
    enumeration: &'a Enumeration<'a>,
    folder: Option<Folder>,
    keep: usize,
    /// Tally of the finished parts and of the tree above the parts.
    tally: Mutex<Tally>,
    finished: AtomicUsize,
}

impl Parts<'_> {
    /// Adds the parts that are in the folder, and returns the numbers of those that are missing.
    fn load(&self) -> Result<Vec<usize>, WorkflowError> {
        let mut missing = Vec::new();
        for number in 0..self.enumeration.weights.len() {
            match self.folder.as_ref().map_or(Ok(None), |folder| folder.part(number))? {
                Some(part) => self.add(part),
                None => missing.push(number),
            }
        }
        Ok(missing)
    }

    /// Runs the missing parts. Returns the reason if the run was stopped.
    fn run(
        &self,
        missing: &[usize],
        settings: &Settings<'_>,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Option<StopReason>, WorkflowError> {
        let weights = &self.enumeration.weights;
        let pump = Pump {
            missing,
            parts: weights.len(),
            finished_before: self.finished.load(Relaxed),
            share_before: 1.0 - missing.iter().map(|&number| weights[number]).sum::<f64>(),
            completes: true,
            threads: settings.threads,
            deadline,
            control: settings.control,
        };
        let (done, stop) = pump.run(watch, |number| {
            let part = self.enumeration.run(number).map_err(WorkflowError::engine)?;
            let Some(part) = part else { return Ok(false) };
            self.folder.as_ref().map_or(Ok(()), |folder| folder.store(number, &part))?;
            self.add(part);
            Ok(true)
        });
        done.map_err(|fault| fault.into_lab(WorkflowError::engine))?;
        Ok(stop)
    }

    fn add(&self, part: Tally) {
        self.tally.lock().add(part, self.keep);
        self.finished.fetch_add(1, Relaxed);
    }
}

/// Folder of finished parts.
struct Folder {
    path: PathBuf,
    /// Digest of the manifest of the count.
    digest: String,
    /// Number of queens of a solution.
    size: u64,
}

/// Content of the file of a finished part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile<T> {
    /// Digest of the manifest.
    count: String,
    number: usize,
    /// Digest of the other fields.
    sha256: String,
    tally: T,
}

/// Returns the digest of a part: of the digest of its count, its number, and its tally.
fn digest_of_part(count: &str, number: usize, tally: &Tally) -> String {
    digest::of(serde_json::to_string(&(count, number, tally)).expect("a tally is plain data"))
}

impl Folder {
    /// Opens the folder for a count, or creates it.
    fn open(folder: &Path, manifest: &Manifest) -> Result<Self, WorkflowError> {
        let text = serde_json::to_string_pretty(manifest).expect("a manifest is plain data");
        if begin(folder, COUNT_MANIFEST, &text)?.is_some() {
            let found = "it is cut into other parts".to_owned();
            return Err(CountError::Other { folder: folder.to_owned(), found }.into());
        }
        Ok(Self { path: folder.to_owned(), digest: digest::of(&text), size: manifest.size })
    }

    fn file(&self, number: usize) -> PathBuf {
        self.path.join(format!("count-{number}.json"))
    }

    /// Reads a part, or returns `None` if its file is missing or damaged; a damaged part is counted again.
    fn part(&self, number: usize) -> Result<Option<Tally>, WorkflowError> {
        let path = self.file(number);
        if !path.exists() {
            return Ok(None);
        }
        let damaged = |fault: &str| {
            note::report(&format!("{} is damaged ({fault}); its part is counted again", path.display()));
            Ok(None)
        };
        let text = match file::read_plain(&path) {
            Err(fault) if fault.cause.kind() == io::ErrorKind::InvalidData => {
                return damaged(&fault.cause.to_string());
            }
            text => text?,
        };
        let part: PartFile<Tally> = match serde_json::from_str(&text) {
            Ok(part) => part,
            Err(fault) => return damaged(&fault.to_string()),
        };
        if part.sha256 != digest_of_part(&part.count, part.number, &part.tally) {
            return damaged("it has changed since it was written");
        }
        if !part.tally.has_queens_of(self.size) {
            return damaged("its queens are not those of its solutions");
        }
        if part.count == self.digest && part.number != number {
            return damaged(&format!("it is part {}", part.number));
        }
        if part.count != self.digest {
            let fault = "it is a part of another count".to_owned();
            return Err(CountError::Part { path, fault }.into());
        }
        Ok(Some(part.tally))
    }

    fn store(&self, number: usize, tally: &Tally) -> Result<(), FileError> {
        let sha256 = digest_of_part(&self.digest, number, tally);
        let part = PartFile { count: self.digest.clone(), number, sha256, tally };
        file::write(&self.file(number), |out| Ok(serde_json::to_writer(out, &part)?))
    }
}

/// List of checked solutions.
#[derive(Debug)]
pub struct List<'a> {
    board: &'a Board,
    heading: Heading,
    sets: BTreeSet<Vec<Square>>,
}

impl List<'_> {
    /// Writes the list, one solution a line.
    ///
    /// # Errors
    /// Returns an error if the writer fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.heading)?;
        self.sets.iter().try_for_each(|set| writeln!(out, "{}", format_line(&coordinates(self.board, set))))
    }
}

fn coordinates(board: &Board, set: &[Square]) -> Vec<Vec<u32>> {
    set.iter().map(|&square| board.coordinates(square)).collect()
}

/// Returns the solutions that were kept, one of each orbit or all of them, after checking each.
///
/// # Errors
/// Returns an error if a solution does not pass the check.
pub fn solutions<'a>(
    board: &'a Board,
    counted: &Counted,
    listed: ListKind,
) -> Result<List<'a>, WorkflowError> {
    let sets = match listed {
        ListKind::UpToSymmetry => counted.tally.representatives.clone(),
        // Maximum solutions are maximal.
        ListKind::All | ListKind::Maximal => all(board, counted, &|| false).expect("not stopped"),
    };
    let heading = Heading {
        board: board.name().clone(),
        size: counted.size as usize,
        listed,
        solutions: sets.len(),
        origin: FOUND_BY.to_owned(),
    };
    // The solutions have no line numbers yet.
    let line = 0;
    match listed {
        ListKind::UpToSymmetry if !sets.is_empty() => {
            let sets = sets.iter().map(|set| (line, coordinates(board, set))).collect();
            verify_list(&Solutions { heading: heading.clone(), sets }).map_err(CountError::List)?;
        }
        ListKind::UpToSymmetry => {}
        // There may be millions of solutions, so they are checked one by one. The set has no duplicates and
        // is closed under the symmetries.
        ListKind::All | ListKind::Maximal => {
            for set in &sets {
                let certificate = Certificate::independent(board.name().clone(), coordinates(board, set), "");
                verify(&certificate).map_err(|fault| CountError::List(ListFault::Wrong { line, fault }))?;
            }
        }
    }
    Ok(List { board, heading, sets })
}

/// Returns all solutions: the images of those that were kept.
fn all(board: &Board, counted: &Counted, stop: Stop<'_>) -> Result<BTreeSet<Vec<Square>>, stop::Stopped> {
    let mut sets = counted.tally.representatives.clone();
    let mut new: Vec<Vec<Square>> = sets.iter().cloned().collect();
    let generators = board.generators();
    while let Some(set) = new.pop() {
        if stop() {
            return Err(stop::Stopped);
        }
        for generator in &generators {
            let mut image: Vec<Square> = set.iter().map(|&square| generator(square)).collect();
            image.sort_unstable();
            if sets.insert(image.clone()) {
                new.push(image);
            }
        }
    }
    Ok(sets)
}

/// Completion threshold of a board, with a witness that it is not larger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threshold {
    /// Largest t such that every non-attacking set of at most t queens is part of a maximum solution, or the
    /// largest t that was tested before a stop.
    pub at_least: usize,
    /// True if the search finished, so that the threshold is not larger.
    pub finished: bool,
    /// Non-attacking set of t + 1 queens that is part of no maximum solution, as coordinates; `None` if t is
    /// the independence number, or if the search was stopped.
    pub witness: Option<Vec<Vec<u32>>>,
}

const MOST_SOLUTIONS: usize = 2_000_000;

/// Computes the completion threshold from all maximum solutions, until `stop` returns `true`.
///
/// # Errors
/// Returns an error if there are too many solutions.
///
/// # References
/// T. Kunt, *The n-Queens Problem in Higher Dimensions* (2023), section 4.4: the threshold qc(n,d).
pub fn threshold(board: &Board, counted: &Counted, stop: Stop<'_>) -> Result<Threshold, CountError> {
    if counted.solutions() > BigUint::from(MOST_SOLUTIONS) {
        return Err(CountError::TooMany { most: MOST_SOLUTIONS });
    }
    let unfinished = |at_least| Ok(Threshold { at_least, finished: false, witness: None });
    let Ok(sets) = all(board, counted, stop) else { return unfinished(0) };
    let mut containing = vec![Vec::new(); board.size()];
    for (number, set) in sets.iter().enumerate() {
        set.iter().for_each(|&square| containing[square as usize].push(number as u32));
    }
    let everywhere: Vec<u32> = (0..sets.len() as u32).collect();
    for size in 1..=counted.size as usize {
        let mut placed = Vec::with_capacity(size);
        match find_uncovered_set(board, &containing, size, 0, &everywhere, &mut placed, stop) {
            Ok(false) => {}
            Ok(true) => {
                let witness = placed.iter().map(|&square| board.coordinates(square)).collect();
                return Ok(Threshold { at_least: size - 1, finished: true, witness: Some(witness) });
            }
            Err(stop::Stopped) => return unfinished(size - 1),
        }
    }
    Ok(Threshold { at_least: counted.size as usize, finished: true, witness: None })
}

/// Searches for a non-attacking set of this size that no solution contains. `within` lists the solutions that
/// contain the squares placed so far; later squares are added to these.
fn find_uncovered_set(
    board: &Board,
    containing: &[Vec<u32>],
    size: usize,
    from: Square,
    within: &[u32],
    placed: &mut Vec<Square>,
    stop: Stop<'_>,
) -> Result<bool, stop::Stopped> {
    if stop() {
        return Err(stop::Stopped);
    }
    if placed.len() == size {
        return Ok(within.is_empty());
    }
    for square in from..board.size() as Square {
        if placed.iter().any(|&other| board.attacks(other, square)) {
            continue;
        }
        placed.push(square);
        let of_square = &containing[square as usize];
        let with: Vec<u32> =
            within.iter().copied().filter(|set| of_square.binary_search(set).is_ok()).collect();
        if find_uncovered_set(board, containing, size, square + 1, &with, placed, stop)? {
            return Ok(true);
        }
        placed.pop();
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use ndqueens_crosscheck::count as reference;
    use ndqueens_notation::name::BoardName;
    use rand::rngs::ChaCha8Rng;
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    /// Returns a board with random holes, from a file in this folder, or a complete board of another kind.
    fn random_board(random: &mut ChaCha8Rng, folder: &Path) -> BoardName {
        if random.random_bool(0.3) {
            let names = ["2^3", "3^2", "4^2", "torus:3^2", "hex:2", "hex:3", "three:2", "rook:2x3"];
            return names.choose(random).expect("a name").parse().expect("a name");
        }
        let rows: Vec<String> = (0..random.random_range(1..=4))
            .map(|_| (0..4).map(|_| if random.random_bool(0.8) { '#' } else { '.' }).collect())
            .collect();
        let path = folder.join("board.txt");
        std::fs::write(&path, format!("ndqueens board 1\n#{}\n", rows.join("\n#"))).expect("writable");
        BoardName::parse_with(&format!("file:{}", path.display()), &file::open).expect("a drawing")
    }

    #[test]
    fn emptied_parts_are_refused() {
        let outer = tempfile::tempdir().expect("a folder");
        let board = Board::new(&"6^3".parse().expect("a board"));
        let folder = outer.path().join("count");
        let request = CountRequest { size: None, keep: 0, work: Some(&folder), proof: None };
        let counted = || {
            count(&board, &request, &Options::default(), Deadline::default(), &mut |_| {
                std::ops::ControlFlow::Continue(())
            })
        };
        let met = counted().expect("a small board").result().expect("not stopped").solutions();
        assert_eq!(met, BigUint::from(912_u32));
        let manifest = file::read(&folder.join(COUNT_MANIFEST)).expect("a manifest");
        let parts = Folder { path: folder.clone(), digest: digest::of(&manifest), size: 21 };
        let mut emptied = 0;
        while parts.file(emptied).exists() {
            parts.store(emptied, &Tally::default()).expect("written");
            emptied += 1;
        }
        assert!(emptied > 1000);
        let refused = counted().expect_err("a solution is known").to_string();
        assert!(
            refused.contains("lack the solution (") && refused.contains("remove the folder"),
            "{refused}"
        );
    }

    #[test]
    fn thresholds_are_those_of_plain_search() {
        let mut random = ChaCha8Rng::seed_from_u64(80);
        let folder = tempfile::tempdir().expect("a folder");
        for _ in 0..60 {
            let name = random_board(&mut random, folder.path());
            let board = Board::new(&name);
            let mut maximum: Vec<u32> = Vec::new();
            reference::for_each_maximum_set(&name, &|| false, |set| {
                maximum.push(
                    set.iter().fold(0, |bits, square| bits | 1 << board.square(square).expect("a square")),
                );
            })
            .expect("a small board");
            let attacked: Vec<u32> = board
                .squares()
                .map(|x| board.neighbours(x).iter().fold(0, |bits, y| bits | 1 << y))
                .collect();
            let independent =
                |set: &u32| board.squares().all(|x| set >> x & 1 == 0 || set & attacked[x as usize] == 0);
            let contained_in_none =
                |set: &u32| independent(set) && maximum.iter().all(|solution| solution & set != *set);
            let least = (0..1u32 << board.size()).filter(contained_in_none).map(u32::count_ones).min();
            let request = CountRequest { size: None, keep: 1000, work: None, proof: None };
            let options = Options::default();
            let counted = count(&board, &request, &options, Deadline::default(), &mut |_| {
                std::ops::ControlFlow::Continue(())
            })
            .expect("a small board")
            .result()
            .expect("not stopped");
            let Threshold { at_least, finished, witness } =
                threshold(&board, &counted, &|| false).expect("few solutions");
            let expected = least.map_or(counted.size as usize, |least| least as usize - 1);
            assert!(finished && at_least == expected, "{name}: {at_least}, not {expected}");
            assert_eq!(witness.map(|set| set.len()), least.map(|least| least as usize), "{name}");
        }
    }
}
