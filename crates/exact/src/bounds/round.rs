//! One round over the boxes inside a board. Each box is bounded as soon as the boxes inside it are.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_system::thread::all_cores;
use parking_lot::{Mutex, RwLock};
use rayon::Scope;

use crate::bounds::gap::close_gap;
use crate::boxes::box_cache::{self, CacheLookup};
use crate::boxes::box_result::{BoxResult, Entry, Justification, verify_independent};
use crate::boxes::box_table::{BoxTable, search_prerequisites, sub_boxes};
use crate::question::Question;
use crate::search::indexed_board::{BoardsByOrder, IndexedBoards};
use crate::settings::Settings;

/// Progress of the engine: a box that it has bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// Sides of the box.
    pub sides: &'a [u32],
    /// Bounds of the box.
    pub entry: Entry,
    /// Number of boxes bounded so far, among those that were unknown at the beginning.
    pub done: usize,
    /// Number of boxes that were unknown at the beginning.
    pub boxes: usize,
}

/// Reason why the engine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// All boxes were bounded, as far as the node limit allows.
    Finished,
    /// A placement with the target number of queens was found.
    TargetReached,
    /// The search was stopped from outside.
    Stopped,
}

impl Termination {
    /// Returns the reason why work ended that reached its target or not.
    pub(crate) fn of(reached: bool, settings: &Settings<'_>) -> Self {
        match reached {
            true => Self::TargetReached,
            false if settings.control.is_stopped() => Self::Stopped,
            false => Self::Finished,
        }
    }

    /// Returns `true` if all boxes were bounded.
    #[must_use]
    pub fn is_finished(self) -> bool {
        self == Self::Finished
    }
}

/// Box that was not in a table at the beginning, with its result.
pub(crate) struct Missing {
    pub(crate) sides: Vec<u32>,
    pub(crate) result: Option<BoxResult>,
    /// `true` if the progress callback was called for the box.
    pub(crate) is_reported: bool,
    /// Numbered squares of the box, kept while its bounds do not meet.
    pub(crate) indexed: BoardsByOrder,
}

impl Missing {
    pub(crate) fn new(sides: Vec<u32>) -> Self {
        Self { sides, result: None, is_reported: false, indexed: BoardsByOrder::default() }
    }

    fn is_closed(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.entry.is_closed())
    }

    fn is_numbered(&self) -> bool {
        self.indexed.iter().any(|made| made.get().is_some())
    }

    /// Returns the number of pairs of squares.
    fn pairs(&self) -> u64 {
        self.sides.iter().map(|&side| u64::from(side)).product::<u64>().saturating_pow(2)
    }
}

/// Maximum number of pairs of squares in all boxes whose numbering is kept from round to round. The attack
/// table of a box has a bit for each pair.
const MAX_PAIRS_KEPT: u64 = 1 << 23;

/// Effort of the search for a subcube cut, in neighbours that are examined.
const CUT_WORK: u64 = 100_000;

/// State of a round, shared by all threads.
struct Round<'r, 't> {
    boxes: Vec<Mutex<&'r mut Missing>>,
    /// Boxes that wait for each box.
    after: Vec<Vec<usize>>,
    /// Number of boxes for which each box still waits.
    waits_for: Vec<AtomicUsize>,
    /// Table of the boxes. Its lock must not be held during work that waits for other threads.
    table: RwLock<&'t mut BoxTable>,
    piece: Piece,
    /// Node limit of a box.
    limit: &'r (dyn Fn(&[u32]) -> u64 + Sync),
    /// Node limit of the largest box.
    longest_limit: u64,
    settings: &'r Settings<'r>,
    /// Number of pairs of squares in the boxes whose numbering is kept.
    pairs_kept: AtomicU64,
    /// `true` if the target number of queens is placed.
    has_target: AtomicBool,
    reporter: Mutex<Reporter<'r>>,
    /// First error. No box is started after it.
    fault: Mutex<Option<io::Error>>,
}

/// Calls the progress callback for each box that is bounded.
struct Reporter<'r> {
    report: &'r mut (dyn FnMut(Step<'_>) + Send),
    done: usize,
    boxes: usize,
}

/// Returns the boxes with one layer less, sides sorted.
fn remove_layer(sides: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let less = |axis: usize| {
        let mut less = sides.to_vec();
        less[axis] -= 1;
        less.sort_unstable();
        less
    };
    (0..sides.len()).filter(|&axis| sides[axis] > 1).map(less)
}

/// Returns, for each box, the boxes that wait for it: those with one layer more. If a box is missing in the
/// list, the boxes that would wait for it wait for the boxes inside it.
fn list_waiting(boxes: &[Missing]) -> Vec<Vec<usize>> {
    let numbers: HashMap<&[u32], usize> =
        boxes.iter().enumerate().map(|(number, one)| (one.sides.as_slice(), number)).collect();
    let mut after = vec![Vec::new(); boxes.len()];
    for (number, one) in boxes.iter().enumerate() {
        let mut next: Vec<Vec<u32>> = remove_layer(&one.sides).collect();
        next.sort_unstable();
        next.dedup();
        while let Some(less) = next.pop() {
            match numbers.get(less.as_slice()) {
                Some(&before) if after[before].last() == Some(&number) => {}
                Some(&before) => after[before].push(number),
                // The box is known, so only the boxes inside it are waited for.
                None => next.extend(remove_layer(&less)),
            }
        }
    }
    after
}

/// Improves the bounds of all boxes whose bounds do not meet. `limit` returns the number of nodes that a box
/// may take in all rounds together. `report` is called for each box that is bounded.
///
/// # Errors
/// Returns the first error of a box: a proof cannot be written.
pub(crate) fn run(
    table: &mut BoxTable,
    boxes: &mut [Missing],
    limit: &(dyn Fn(&[u32]) -> u64 + Sync),
    settings: &Settings<'_>,
    report: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Termination> {
    let settings = &Settings { proofs: settings.proofs || settings.box_cache.is_some(), ..*settings };
    let after = list_waiting(boxes);
    let mut waits_for = vec![0; boxes.len()];
    after.iter().flatten().for_each(|&number| waits_for[number] += 1);
    let open = boxes.iter().filter(|one| !one.is_closed()).count();
    let pairs_kept = boxes.iter().filter(|one| one.is_numbered()).map(Missing::pairs).sum::<u64>().into();
    let longest_limit = boxes.last().map_or(0, |one| limit(&one.sides));
    let round = Round {
        boxes: boxes.iter_mut().map(Mutex::new).collect(),
        after,
        waits_for: waits_for.iter().copied().map(AtomicUsize::new).collect(),
        piece: table.piece,
        table: RwLock::new(table),
        limit,
        longest_limit,
        settings,
        pairs_kept,
        has_target: AtomicBool::new(false),
        reporter: Mutex::new(Reporter { report, done: 0, boxes: open }),
        fault: Mutex::new(None),
    };
    rayon::scope(|scope| {
        let first = (0..waits_for.len()).filter(|&number| waits_for[number] == 0);
        first.for_each(|number| round.start(scope, number));
    });
    let Round { fault, has_target, .. } = round;
    match fault.into_inner() {
        Some(fault) => Err(fault),
        None => Ok(Termination::of(has_target.into_inner(), settings)),
    }
}

impl Round<'_, '_> {
    /// Starts a box, and after it the boxes that waited for it.
    fn start<'s>(&'s self, scope: &Scope<'s>, number: usize) {
        scope.spawn(move |scope| {
            if let Err(fault) = self.improve_box(&mut self.boxes[number].lock()) {
                self.fault.lock().get_or_insert(fault);
            }
            for &next in &self.after[number] {
                if self.waits_for[next].fetch_sub(1, AcqRel) == 1 {
                    self.start(scope, next);
                }
            }
        });
    }

    /// Improves the bounds of a box, and stores them in the table.
    fn improve_box(&self, one: &mut Missing) -> io::Result<()> {
        if one.is_closed() || self.fault.lock().is_some() {
            return Ok(());
        }
        let settings = Settings { node_limit: (self.limit)(&one.sides), ..*self.settings };
        let was_numbered = one.is_numbered();
        let mut result = self.close_box_gap(one, &settings)?;
        if result.entry.is_closed() || !was_numbered && !self.may_keep_numbering(one.pairs()) {
            one.indexed = BoardsByOrder::default();
        }
        self.pass_to_checker(&one.sides, &mut result)?;
        // A placement on a part is a placement on the board.
        let reaches = result.entry.lower >= settings.target();
        let is_stopped =
            self.has_target.fetch_or(reaches, Relaxed) || reaches || settings.control.is_stopped();
        if !is_stopped {
            one.is_reported = true;
            let Reporter { report, done, boxes } = &mut *self.reporter.lock();
            *done += 1;
            report(Step { sides: &one.sides, entry: result.entry, done: *done, boxes: *boxes });
        }
        self.table.write().insert(&one.sides, &result);
        one.result = Some(result);
        Ok(())
    }

    /// Returns `true` if the numbering of a box with this number of pairs of squares may be kept, too.
    fn may_keep_numbering(&self, pairs: u64) -> bool {
        let with = |kept: u64| Some(kept.saturating_add(pairs)).filter(|&kept| kept <= MAX_PAIRS_KEPT);
        self.pairs_kept.fetch_update(Relaxed, Relaxed, with).is_ok()
    }

    /// Passes the tree of a box whose bounds meet to the checker that runs during the search. Boxes with a
    /// smaller node limit than the board are left out, because the proof probably does not need them. With
    /// fewer threads than cores the checker would be a thread more than requested, so it is not called.
    fn pass_to_checker(&self, sides: &[u32], result: &mut BoxResult) -> io::Result<()> {
        let is_wanted = result.entry.is_closed() && (self.limit)(sides) >= self.longest_limit;
        let has_all_cores = || self.settings.threads >= all_cores().max(2);
        let checker = self.settings.tree_checker.filter(|_| is_wanted && has_all_cores());
        let Some(checker) = checker else { return Ok(()) };
        let Some(tree) = result.short_tree()? else { return Ok(()) };
        let name = |sides: &[u32]| BoardName::grid(self.piece, false, sides);
        let board = name(sides);
        let relaxes = self.settings.has_relaxation(&Board::new(&board));
        let below = if relaxes { sub_boxes(sides) } else { search_prerequisites(sides) };
        let bounds = {
            let table = self.table.read();
            below.iter().filter_map(|part| Some((name(part), table.upper_bound(part)?))).collect()
        };
        checker.check(board, result.entry.upper, bounds, tree);
        Ok(())
    }

    /// Improves the bounds of a box, given those of its proper parts in the table. No search is made if the
    /// target is reached.
    fn close_box_gap(&self, one: &mut Missing, settings: &Settings<'_>) -> io::Result<BoxResult> {
        let (known, sides) = (one.result.take(), one.sides.as_slice());
        let board = Board::new(&BoardName::grid(self.piece, false, sides));
        if self.has_target.load(Relaxed) || settings.control.is_stopped() {
            let cut = self.bound_without_search(&board, sides, settings, 0)?;
            return Ok(match known {
                Some(known) => known.merge(cut),
                None => cut,
            });
        }
        // A stored result that waited for bounds of boxes inside may be usable by now.
        let kept =
            match settings.box_cache.filter(|_| known.as_ref().is_none_or(|known| known.has_pending_entry)) {
                Some(box_cache) => box_cache::load(box_cache, sides, &board, &self.table.read())?,
                None => CacheLookup::Missing,
            };
        let waits = matches!(kept, CacheLookup::Pending);
        let known = match (kept, known) {
            (CacheLookup::Usable(kept), _) => Some(kept),
            (_, known) => known,
        };
        let mut known = match known {
            Some(known) if known.entry.is_closed() => return Ok(known),
            Some(known) => known.merge(self.bound_without_search(&board, sides, settings, CUT_WORK)?),
            None => self.bound_without_search(&board, sides, settings, CUT_WORK)?,
        };
        known.has_pending_entry = waits;
        if known.entry.nodes > 0 && known.is_finished(settings.node_limit) {
            return Ok(known);
        }
        let before = known.entry;
        let questions = |k, order| Question::new(&board, k, order, &self.table.read(), settings);
        let boards = IndexedBoards::new(&board, settings.components.symmetry, &one.indexed);
        let mut result = close_gap(&boards, &questions, settings, known)?;
        if let Some(box_cache) = settings.box_cache.filter(|_| !waits || result.entry.is_closed())
            && (result.entry.upper < before.upper || !settings.control.is_stopped())
        {
            box_cache::store(box_cache, self.piece, sides, &mut result, &self.table.read())?;
        }
        Ok(result)
    }

    /// Returns the bounds of a box by lines, cuts and constructions. `work` limits the effort of the
    /// constructions.
    fn bound_without_search(
        &self,
        board: &Board,
        sides: &[u32],
        settings: &Settings<'_>,
        work: u64,
    ) -> io::Result<BoxResult> {
        let mut entry =
            Entry { lower: 1, upper: board.trivial_bound(), justification: Justification::Lines, nodes: 0 };
        let mut tree = None;
        if self.piece == Piece::Bishop {
            // Bishops have no lines along an axis, and the parallel lines of any other direction differ in
            // length.
            let partition = BoxResult::from_partition(board, settings.proofs)?;
            (entry, tree) = (Entry { lower: 1, ..partition.entry }, partition.tree);
        }
        let mut placement = vec![vec![0; sides.len()]];
        let constructed = settings.heuristics.and_then(|heuristics| heuristics.construct(board, work));
        let table = self.table.read();
        for axis in 0..sides.len() {
            for width in 1..=sides[axis] / 2 {
                let part = |n: u32| {
                    let mut part = sides.to_vec();
                    part[axis] = n;
                    (*table.get(&part).expect("smaller boxes come first"), part)
                };
                let ((thin, _), (thick, thick_sides)) = (part(width), part(sides[axis] - width));
                if thick.lower > entry.lower {
                    entry.lower = thick.lower;
                    placement = table.placement(&thick_sides).expect("each entry has a placement");
                }
                if thin.upper + thick.upper < entry.upper {
                    (entry.upper, entry.justification) =
                        (thin.upper + thick.upper, Justification::Cut { axis, width });
                }
            }
        }
        if let Some(squares) = constructed.filter(|squares| squares.len() as u64 > entry.lower) {
            entry.lower = verify_independent(board, &squares);
            placement = squares.iter().map(|&square| board.coordinates(square)).collect();
        }
        let tree = tree.filter(|_| matches!(entry.justification, Justification::Search));
        Ok(BoxResult { entry, placement, tree, has_pending_entry: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_wait_for_all_boxes_inside() {
        let inside = |a: &[u32], b: &[u32]| a != b && a.iter().zip(b).all(|(a, b)| a <= b);
        for known in 0..3u32 {
            // The boxes that are left out are known.
            let mut all = sub_boxes(&[3, 4, 5]);
            all.retain(|sides| known == 0 || sides.iter().sum::<u32>() % 4 != known);
            let boxes: Vec<Missing> = all.iter().cloned().map(Missing::new).collect();
            let after = list_waiting(&boxes);
            for (number, sides) in all.iter().enumerate() {
                let mut reached = vec![false; all.len()];
                let mut next = vec![number];
                while let Some(number) = next.pop() {
                    next.extend(
                        after[number].iter().filter(|&&later| !std::mem::replace(&mut reached[later], true)),
                    );
                }
                for (later, larger) in all.iter().enumerate() {
                    assert_eq!(reached[later], inside(sides, larger), "{sides:?} {larger:?}");
                }
            }
        }
    }
}
