//! One round over the boxes inside a board: each is bounded as soon as those inside it are.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use ndqueens_control::all_cores;
use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Piece};
use rayon::Scope;

use crate::bounds::gap::close_gap;
use crate::boxes::box_cache::{self, Kept};
use crate::boxes::box_result::{BoxResult, Entry, How, checked_size};
use crate::boxes::box_table::{BoxTable, below_a_search, parts};
use crate::question::Question;
use crate::search::indexed_board::{InOrders, IndexedBoards};
use crate::settings::Settings;

/// What the engine tells when it has bounded a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// The box.
    pub sides: &'a [u32],
    /// What was found out.
    pub entry: Entry,
    /// Boxes that it has bounded by now, of those that it was asked for and did not know.
    pub done: usize,
    /// All of those.
    pub boxes: usize,
}

/// How the engine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// It has bounded all that it was asked for, as far as the limit on nodes allows.
    Finished,
    /// As many queens as are asked for are placed.
    TargetReached,
    /// The control was stopped.
    Stopped,
}

impl Termination {
    /// Of work that is over, with the target reached or not.
    pub(crate) fn of(reached: bool, settings: &Settings<'_>) -> Self {
        match reached {
            true => Self::TargetReached,
            false if settings.control.is_stopped() => Self::Stopped,
            false => Self::Finished,
        }
    }

    /// Whether it finished.
    #[must_use]
    pub fn is_finished(self) -> bool {
        self == Self::Finished
    }
}

/// A box that is not in a table, with what was found out about it since.
pub(crate) struct Missing {
    pub(crate) sides: Vec<u32>,
    pub(crate) result: Option<BoxResult>,
    pub(crate) is_told: bool,
    /// While its bounds do not meet.
    pub(crate) indexed: InOrders,
}

impl Missing {
    pub(crate) fn new(sides: Vec<u32>) -> Self {
        Self { sides, result: None, is_told: false, indexed: InOrders::default() }
    }

    fn is_closed(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.entry.is_closed())
    }

    fn is_numbered(&self) -> bool {
        self.indexed.iter().any(|made| made.get().is_some())
    }

    /// Pairs of its squares.
    fn pairs(&self) -> u64 {
        self.sides.iter().map(|&side| u64::from(side)).product::<u64>().saturating_pow(2)
    }
}

/// The most pairs of squares, in all boxes that stay numbered from round to round, for their tables have a bit for each pair.
const MOST_PAIRS_KEPT: u64 = 1 << 23;

/// Effort of the search for a subcube cut.
const CUT_WORK: u64 = 100_000;

/// Work on several boxes at a time.
struct Round<'r, 't> {
    boxes: Vec<Mutex<&'r mut Missing>>,
    /// For each box the boxes that wait for it, and for how many it waits itself.
    after: Vec<Vec<usize>>,
    waits_for: Vec<AtomicUsize>,
    table: RwLock<&'t mut BoxTable>,
    piece: Piece,
    limit: &'r (dyn Fn(&[u32]) -> u64 + Sync),
    /// That of the largest box.
    longest_limit: u64,
    settings: &'r Settings<'r>,
    /// Pairs of squares of the boxes that stay numbered.
    pairs_kept: AtomicU64,
    /// Whether as many queens as are asked for are placed.
    reached: AtomicBool,
    tell: Mutex<Teller<'r>>,
    /// The first failure; nothing is begun after it.
    fault: Mutex<Option<io::Error>>,
}

/// Tells of each box that is bounded.
struct Teller<'r> {
    tell: &'r mut (dyn FnMut(Step<'_>) + Send),
    done: usize,
    boxes: usize,
}

/// The boxes with one layer less, sides sorted.
fn one_less(sides: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let less = |axis: usize| {
        let mut less = sides.to_vec();
        less[axis] -= 1;
        less.sort_unstable();
        less
    };
    (0..sides.len()).filter(|&axis| sides[axis] > 1).map(less)
}

/// For each box those that wait for it: the boxes with one layer more. Boxes come with all boxes inside, but for those whose boxes
/// inside are missing, too.
fn waiting(boxes: &[Missing]) -> Vec<Vec<usize>> {
    let numbers: HashMap<&[u32], usize> =
        boxes.iter().enumerate().map(|(number, one)| (one.sides.as_slice(), number)).collect();
    let mut after = vec![Vec::new(); boxes.len()];
    for (number, one) in boxes.iter().enumerate() {
        let mut next: Vec<Vec<u32>> = one_less(&one.sides).collect();
        next.sort_unstable();
        next.dedup();
        while let Some(less) = next.pop() {
            match numbers.get(less.as_slice()) {
                Some(&before) if after[before].last() == Some(&number) => {}
                Some(&before) => after[before].push(number),
                // What is known need not be waited for, but for what is inside.
                None => next.extend(one_less(&less)),
            }
        }
    }
    after
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Finds out more about all boxes whose bounds do not meet, each with so many nodes in all.
pub(crate) fn run(
    table: &mut BoxTable,
    boxes: &mut [Missing],
    limit: &(dyn Fn(&[u32]) -> u64 + Sync),
    settings: &Settings<'_>,
    tell: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Termination> {
    let settings = &Settings { proofs: settings.proofs || settings.box_cache.is_some(), ..*settings };
    let after = waiting(boxes);
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
        reached: AtomicBool::new(false),
        tell: Mutex::new(Teller { tell, done: 0, boxes: open }),
        fault: Mutex::new(None),
    };
    rayon::scope(|scope| {
        let first = (0..waits_for.len()).filter(|&number| waits_for[number] == 0);
        first.for_each(|number| round.start(scope, number));
    });
    let Round { fault, reached, .. } = round;
    match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(fault) => Err(fault),
        None => Ok(Termination::of(reached.into_inner(), settings)),
    }
}

impl Round<'_, '_> {
    /// Works on a box, and then on those that waited for it.
    fn start<'s>(&'s self, scope: &Scope<'s>, number: usize) {
        scope.spawn(move |scope| {
            if let Err(fault) = self.work_on(&mut locked(&self.boxes[number])) {
                locked(&self.fault).get_or_insert(fault);
            }
            for &next in &self.after[number] {
                if self.waits_for[next].fetch_sub(1, AcqRel) == 1 {
                    self.start(scope, next);
                }
            }
        });
    }

    fn work_on(&self, one: &mut Missing) -> io::Result<()> {
        if one.is_closed() || locked(&self.fault).is_some() {
            return Ok(());
        }
        let settings = Settings { node_limit: (self.limit)(&one.sides), ..*self.settings };
        let was_numbered = one.is_numbered();
        let mut result = self.close_box_gap(one, &settings)?;
        if result.entry.is_closed() || !was_numbered && !self.keep_numbered(one.pairs()) {
            one.indexed = InOrders::default();
        }
        self.check_tree(&one.sides, &mut result)?;
        // What is placed on a part is placed on the board.
        let reaches = result.entry.lower >= settings.target();
        let stopped = self.reached.fetch_or(reaches, Relaxed) || reaches || settings.control.is_stopped();
        if !stopped {
            one.is_told = true;
            let Teller { tell, done, boxes } = &mut *locked(&self.tell);
            *done += 1;
            tell(Step { sides: &one.sides, entry: result.entry, done: *done, boxes: *boxes });
        }
        self.table.write().unwrap_or_else(PoisonError::into_inner).insert(&one.sides, &result);
        one.result = Some(result);
        Ok(())
    }

    /// Whether a box with so many pairs of squares may stay numbered, besides those that do.
    fn keep_numbered(&self, pairs: u64) -> bool {
        let with = |kept: u64| Some(kept.saturating_add(pairs)).filter(|&kept| kept <= MOST_PAIRS_KEPT);
        self.pairs_kept.fetch_update(Relaxed, Relaxed, with).is_ok()
    }

    /// Has the tree of a box checked whose bounds meet, unless the proof is likely to do without, as it is where the limit is shorter than
    /// that of the board; with fewer threads than cores that would be one more than was asked for.
    fn check_tree(&self, sides: &[u32], result: &mut BoxResult) -> io::Result<()> {
        let is_wanted = result.entry.is_closed() && (self.limit)(sides) >= self.longest_limit;
        let has_all_cores = || self.settings.threads >= all_cores().max(2);
        let checker = self.settings.tree_checker.filter(|_| is_wanted && has_all_cores());
        let Some(checker) = checker else { return Ok(()) };
        let Some(tree) = result.short_tree()? else { return Ok(()) };
        let name = |sides: &[u32]| BoardName::grid(self.piece, false, sides);
        let board = name(sides);
        let relaxes = self.settings.relaxes(&Board::new(&board));
        let below = if relaxes { parts(sides) } else { below_a_search(sides) };
        let bounds = {
            let table = self.table();
            below.iter().filter_map(|part| Some((name(part), table.upper(part)?))).collect()
        };
        checker.check(board, result.entry.upper, bounds, tree);
        Ok(())
    }

    /// The table. Nothing that other threads may be waited for in is done while it is held.
    fn table(&self) -> RwLockReadGuard<'_, &mut BoxTable> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds out more about a box whose proper parts are in the table, without a search once the target is reached.
    fn close_box_gap(&self, one: &mut Missing, settings: &Settings<'_>) -> io::Result<BoxResult> {
        let (known, sides) = (one.result.take(), one.sides.as_slice());
        let board = Board::new(&BoardName::grid(self.piece, false, sides));
        if self.reached.load(Relaxed) || settings.control.is_stopped() {
            let cut = self.without_search(&board, sides, settings, 0)?;
            return Ok(match known {
                Some(known) => known.or_better(cut),
                None => cut,
            });
        }
        // What waited for bounds of boxes inside may be used by now.
        let kept = match settings.box_cache.filter(|_| known.as_ref().is_none_or(|known| known.waits)) {
            Some(box_cache) => box_cache::load(box_cache, sides, &board, &self.table())?,
            None => Kept::Nothing,
        };
        let waits = matches!(kept, Kept::Waiting);
        let known = match (kept, known) {
            (Kept::Usable(kept), _) => Some(kept),
            (_, known) => known,
        };
        let mut known = match known {
            Some(known) if known.entry.is_closed() => return Ok(known),
            Some(known) => known.or_better(self.without_search(&board, sides, settings, CUT_WORK)?),
            None => self.without_search(&board, sides, settings, CUT_WORK)?,
        };
        known.waits = waits;
        if known.entry.nodes > 0 && known.is_over(settings.node_limit) {
            return Ok(known);
        }
        let before = known.entry;
        let questions = |k, order| Question::new(&board, k, order, &self.table(), settings);
        let boards = IndexedBoards::new(&board, settings.components.symmetry, &one.indexed);
        let mut result = close_gap(&boards, &questions, settings, known)?;
        if let Some(box_cache) = settings.box_cache.filter(|_| !waits || result.entry.is_closed())
            && (result.entry.upper < before.upper || !settings.control.is_stopped())
        {
            box_cache::store(box_cache, self.piece, sides, &mut result, &self.table())?;
        }
        Ok(result)
    }

    /// What cuts say of a box, and constructions of so much work.
    fn without_search(
        &self,
        board: &Board,
        sides: &[u32],
        settings: &Settings<'_>,
        work: u64,
    ) -> io::Result<BoxResult> {
        let mut entry = Entry { lower: 1, upper: board.trivial_bound(), how: How::Lines, nodes: 0 };
        let mut tree = None;
        if self.piece == Piece::Bishop {
            // Bishops have no lines along an axis, and the parallel lines of any other direction differ in length.
            let partition = BoxResult::of_partition(board, settings.proofs)?;
            (entry, tree) = (Entry { lower: 1, ..partition.entry }, partition.tree);
        }
        let mut placement = vec![vec![0; sides.len()]];
        let constructed = settings.heuristics.and_then(|heuristics| heuristics.construct(board, work));
        let table = self.table();
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
                    (entry.upper, entry.how) = (thin.upper + thick.upper, How::Cut { axis, width });
                }
            }
        }
        if let Some(squares) = constructed.filter(|squares| squares.len() as u64 > entry.lower) {
            entry.lower = checked_size(board, &squares);
            placement = squares.iter().map(|&square| board.coordinates(square)).collect();
        }
        let tree = tree.filter(|_| matches!(entry.how, How::Search));
        Ok(BoxResult { entry, placement, tree, waits: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_wait_for_all_boxes_inside() {
        let inside = |a: &[u32], b: &[u32]| a != b && a.iter().zip(b).all(|(a, b)| a <= b);
        for known in 0..3u32 {
            // Without boxes that are known, as if they had been bounded before.
            let mut all = parts(&[3, 4, 5]);
            all.retain(|sides| known == 0 || sides.iter().sum::<u32>() % 4 != known);
            let boxes: Vec<Missing> = all.iter().cloned().map(Missing::new).collect();
            let after = waiting(&boxes);
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
