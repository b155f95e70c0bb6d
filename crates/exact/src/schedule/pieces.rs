//! A long search that is divided into pieces. Each piece is cut off after a number of nodes, and its open
//! nodes become further pieces. Each thread takes the first open piece in the order of the tree. The result
//! is that of a sequential search.

use std::collections::BTreeMap;
use std::io::{self, BufWriter};
use std::mem::take;

use ndqueens_system::cancel::Control;
use ndqueens_system::stack;
use parking_lot::{Mutex, MutexGuard};
use rayon::Scope;
use tempfile::SpooledTempFile;

use crate::proof::TreeJoiner;
use crate::search::budget::{Budget, BudgetSlot};
use crate::search::instance::Subproblem;
use crate::search::tree_search::{CutOff, End, Run};

/// Result of a piece, with its tree if trees are written.
pub(crate) type PieceResult = (Run, Option<Vec<u8>>);

/// Function that searches a piece until it is cut off.
pub(crate) type SearchPiece<'p> =
    dyn Fn(&Subproblem, CutOff, &Budget<'_>) -> io::Result<PieceResult> + Sync + 'p;

/// Maximum number of nodes after which the first piece is cut off. It is small because all other threads wait
/// for this piece.
const NODES_OF_FIRST_PIECE: u64 = 1 << 6;

/// Numbers of the parts that lead to a piece. Their lexicographic order is the order of the pieces in the
/// tree.
type Place = Vec<u32>;

/// Result of no piece.
const NOTHING: Run = Run { end: Ok(()), nodes: 0, done: 0.0, parts: Vec::new() };

struct Pieces<'p> {
    search: &'p SearchPiece<'p>,
    /// Number of nodes after which a piece is cut off.
    nodes: u64,
    budget: &'p Budget<'p>,
    /// Nodes spent before the first piece.
    before: u64,
    control: &'p Control,
    state: Mutex<State>,
}

/// State of a search in pieces.
struct State {
    /// Pieces that no thread has taken yet.
    open: BTreeMap<Place, Subproblem>,
    /// Pieces that were taken and are not joined to the whole yet.
    begun: BTreeMap<Place, Begun>,
    /// Joint result of all pieces before the first one that is not done.
    whole: Run,
    /// Joint tree of these pieces, if trees are written.
    tree: Option<TreeJoiner<BufWriter<SpooledTempFile>>>,
    fault: Option<io::Error>,
}

/// Piece that was taken.
#[derive(Default)]
struct Begun {
    /// Nodes spent so far.
    nodes: u64,
    /// Result of the piece once it is done.
    result: Option<PieceResult>,
}

/// Searches below a part in pieces of `nodes` nodes each. Returns the result, and the tree if `tree` is
/// given: the lines written to it so far, and the nodes of all pieces. The tree is `None` if the part was not
/// refuted.
///
/// # Errors
/// Returns an error if a piece fails, or the tree cannot be written.
pub(crate) fn search_in_pieces(
    part: &Subproblem,
    budget: &Budget<'_>,
    control: &Control,
    tree: Option<BufWriter<SpooledTempFile>>,
    nodes: u64,
    search: &SearchPiece<'_>,
) -> io::Result<(Run, Option<SpooledTempFile>)> {
    let state = Mutex::new(State {
        open: BTreeMap::from([(Place::new(), part.clone())]),
        begun: BTreeMap::new(),
        whole: NOTHING,
        tree: tree.map(TreeJoiner::new),
        fault: None,
    });
    let pieces = Pieces { search, nodes, budget, before: budget.spent(), control, state };
    rayon::scope(|scope| pieces.search_next(scope));
    let State { whole, tree, fault, .. } = pieces.state.into_inner();
    if let Some(fault) = fault {
        return Err(fault);
    }
    let tree = tree.filter(|_| whole.end.is_ok()).map(TreeJoiner::finish).transpose()?;
    let tree = tree.map(BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)?;
    Ok((whole, tree))
}

impl Pieces<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Searches the first open piece, if there is one, and then starts as many searches as it leaves pieces.
    fn search_next<'s>(&'s self, scope: &Scope<'s>) {
        let Some((place, part)) = self.state().take_first() else { return };
        let nodes = if place.is_empty() { self.nodes.min(NODES_OF_FIRST_PIECE) } else { self.nodes };
        let piece = Piece { pieces: self, place };
        let budget = Budget::for_slot(&piece);
        let result = match budget.spend(0) && !self.control.is_stopped() {
            true => stack::level(|| (self.search)(&part, CutOff::AfterNodes(nodes), &budget)),
            false => Ok((Run { end: Err(End::Stopped), ..NOTHING }, None)),
        };
        // The lock on the state is released before other searches start.
        let further = self.state().store(self, &piece.place, result);
        (0..further).for_each(|_| scope.spawn(|scope| self.search_next(scope)));
    }
}

impl State {
    /// Takes the first open piece.
    fn take_first(&mut self) -> Option<(Place, Subproblem)> {
        let (place, part) = self.open.pop_first()?;
        self.begun.insert(place.clone(), Begun::default());
        Some((place, part))
    }

    /// Stores the result of a piece. Returns the number of further pieces that it leaves.
    fn store(&mut self, pieces: &Pieces<'_>, place: &Place, result: io::Result<PieceResult>) -> usize {
        let further = result.and_then(|(mut run, tree)| {
            let parts = take(&mut run.parts);
            let further = parts.len();
            match run.end {
                Ok(()) if self.before(place).is_none() => {}
                Ok(()) => self.open.extend((0..).map(|number| [&place[..], &[number]].concat()).zip(parts)),
                // Pieces after it are not needed.
                Err(_) => drop(self.open.split_off(place)),
            }
            self.begun.insert(place.clone(), Begun { nodes: run.nodes, result: Some((run, tree)) });
            self.join(pieces).map(|()| further)
        });
        further.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            self.open.clear();
            0
        })
    }

    /// Returns the nodes spent so far by the pieces before a place, or `None` if a piece there is not needed
    /// any more.
    fn before(&self, place: &Place) -> Option<u64> {
        let before = || self.begun.range::<Place, _>(..place).map(|(_, begun)| begun);
        let has_ended = |begun: &Begun| begun.result.as_ref().is_some_and(|(run, _)| run.end.is_err());
        let is_over = self.fault.is_some() || self.whole.end.is_err() || before().any(has_ended);
        (!is_over).then(|| self.whole.nodes + before().map(|begun| begun.nodes).sum::<u64>())
    }

    /// Joins pieces to the whole, up to the first one that is not done.
    fn join(&mut self, Pieces { budget, before, control, .. }: &Pieces<'_>) -> io::Result<()> {
        while let Some(first) = self.begun.first_entry() {
            let waits = self.open.first_key_value().is_some_and(|(open, _)| open < first.key());
            if waits || first.get().result.is_none() {
                break;
            }
            let Some((run, tree)) = first.remove().result else { break };
            if self.whole.end.is_err() {
                control.uncount_progress(run.done);
                continue;
            }
            let nodes = self.whole.nodes + run.nodes;
            self.whole.end = if budget.is_exceeded_by(before + nodes) { Err(End::Stopped) } else { run.end };
            if self.whole.end == Err(End::Stopped) && !control.is_stopped() {
                // The progress depends on the moment at which it was stopped.
                control.uncount_progress(run.done);
            } else {
                (self.whole.nodes, self.whole.done) = (nodes, self.whole.done + run.done);
            }
            if self.whole.end.is_err() {
                self.open.clear();
            } else if let (Some(whole), Some(tree)) = (&mut self.tree, tree) {
                whole.add(tree)?;
            }
        }
        Ok(())
    }
}

/// Piece with its turn in the budget.
struct Piece<'p> {
    pieces: &'p Pieces<'p>,
    place: Place,
}

impl BudgetSlot for Piece<'_> {
    fn shared_budget(&self) -> &Budget<'_> {
        self.pieces.budget
    }

    fn add(&self, nodes: u64) {
        if let Some(begun) = self.pieces.state.lock().begun.get_mut(&self.place) {
            begun.nodes += nodes;
        }
    }

    fn spent_before(&self) -> Option<u64> {
        self.pieces.state.lock().before(&self.place).map(|nodes| self.pieces.before + nodes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::DefaultHasher;
    use std::hash::{Hash as _, Hasher as _};
    use std::io::{Read as _, Seek as _, Write as _};
    use std::sync::atomic::Ordering::Relaxed;
    use std::sync::atomic::{AtomicU64, AtomicUsize};

    use fixedbitset::FixedBitSet;

    use super::*;
    use crate::proof::MAX_BYTES_IN_MEMORY;

    /// Tree in which `placed` has the numbers of the children on the way to a node.
    struct Fake {
        seed: u64,
        /// Node that is a solution.
        finds: Option<Vec<usize>>,
        /// Number of nodes visited.
        seen: AtomicU64,
    }

    /// Search of the tree that is cut off after a number of nodes.
    struct Walk<'w> {
        fake: &'w Fake,
        cut_off: u64,
        budget: &'w Budget<'w>,
        run: Run,
        text: Vec<u8>,
    }

    fn part(placed: Vec<usize>) -> Subproblem {
        let free = FixedBitSet::new();
        Subproblem {
            placed,
            free,
            elements: vec![],
            orbits: vec![],
            weight: 1.0,
            uncovered_estimates: vec![],
        }
    }

    impl Fake {
        fn children(&self, placed: &[usize]) -> usize {
            let mut hasher = DefaultHasher::new();
            (self.seed, placed).hash(&mut hasher);
            if placed.len() < 9 { hasher.finish() as usize % 4 } else { 0 }
        }

        fn search(&self, from: &[usize], cut_off: CutOff, budget: &Budget<'_>) -> PieceResult {
            let run = Run { end: Ok(()), nodes: 0, done: 0.0, parts: Vec::new() };
            let cut_off = if let CutOff::AfterNodes(nodes) = cut_off { nodes } else { u64::MAX };
            let mut walk = Walk { fake: self, cut_off, budget, run, text: Vec::new() };
            walk.run.end = walk.node(from);
            (walk.run, Some(walk.text))
        }
    }

    impl Walk<'_> {
        fn node(&mut self, placed: &[usize]) -> Result<(), End> {
            if self.run.nodes >= self.cut_off {
                writeln!(self.text, "part {}", self.run.parts.len()).expect("memory");
                self.run.parts.push(part(placed.to_vec()));
                return Ok(());
            }
            self.run.nodes += 1;
            self.fake.seen.fetch_add(1, Relaxed);
            if !self.budget.spend(1) {
                return Err(End::Stopped);
            }
            writeln!(self.text, "{placed:?}").expect("memory");
            if self.fake.finds.as_deref() == Some(placed) {
                return Err(End::Found(placed.to_vec()));
            }
            (0..self.fake.children(placed)).try_for_each(|child| self.node(&[placed, &[child]].concat()))
        }
    }

    fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(work)
    }

    fn tree() -> BufWriter<SpooledTempFile> {
        BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY))
    }

    #[test]
    fn pieces_give_the_sequential_result() {
        for seed in 0..30 {
            let mut fake = Fake { seed, finds: None, seen: AtomicU64::new(0) };
            let (all, text) = fake.search(&[], CutOff::Never, &Budget::new(u64::MAX));
            let ways: Vec<Vec<usize>> = String::from_utf8(text.clone().expect("a tree"))
                .expect("text")
                .lines()
                .map(|line| {
                    line.matches(|c: char| c.is_ascii_digit()).map(|c| c.parse().expect("a digit")).collect()
                })
                .collect();
            for (finds, limit) in
                [(None, u64::MAX), (None, all.nodes), (None, all.nodes - 1), (Some(2), all.nodes)]
                    .into_iter()
                    .chain([(Some(5), all.nodes / 2), (Some(3), all.nodes / 4)])
            {
                // Nodes before the solution.
                let before = finds.map(|finds| ways.len() / finds);
                fake.finds = before.map(|before| ways[before].clone());
                let nodes = before.map_or(all.nodes, |before| before as u64 + 1);
                for (threads, nodes_of_piece) in [(1, 1), (2, 1), (2, 7), (5, 3)] {
                    let control = Control::default();
                    let search = |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| {
                        Ok(fake.search(&part.placed, cut_off, budget))
                    };
                    let budget = Budget::new(limit);
                    let (whole, tree) = (part(vec![]), Some(tree()));
                    let searched =
                        || search_in_pieces(&whole, &budget, &control, tree, nodes_of_piece, &search);
                    fake.seen.store(0, Relaxed);
                    let (run, tree) = on_threads(threads, searched).expect("no fault");
                    if threads == 1 {
                        // No node is visited in vain.
                        assert!(fake.seen.load(Relaxed) <= nodes.min(limit.saturating_add(1)));
                    }
                    let end = match &fake.finds {
                        _ if nodes > limit => Err(End::Stopped),
                        Some(found) => Err(End::Found(found.clone())),
                        None => Ok(()),
                    };
                    assert_eq!(run.end, end, "{seed} {finds:?} {limit}, {nodes_of_piece} on {threads}");
                    if end != Err(End::Stopped) {
                        assert_eq!(run.nodes, nodes);
                    }
                    assert_eq!(tree.is_some(), end.is_ok());
                    if let Some(mut tree) = tree {
                        let mut joined = Vec::new();
                        tree.rewind().expect("memory");
                        tree.read_to_end(&mut joined).expect("memory");
                        assert_eq!(Some(joined), text);
                    }
                }
            }
        }
    }

    #[test]
    fn pieces_share_the_limit_of_a_turn() {
        let fake = Fake { seed: 1, finds: None, seen: AtomicU64::new(0) };
        let (all, _) = fake.search(&[], CutOff::Never, &Budget::new(u64::MAX));
        let control = Control::default();
        for (limit, end) in [(all.nodes, Ok(())), (all.nodes - 1, Err(End::Stopped))] {
            let budget = Budget::new(u64::MAX);
            let search = |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| {
                Ok(fake.search(&part.placed, cut_off, budget))
            };
            let limited = budget.with_limit(limit);
            let searched = || search_in_pieces(&part(vec![]), &limited, &control, None, 2, &search);
            assert_eq!(on_threads(2, searched).expect("no fault").0.end, end);
            assert!(limited.spent() >= limit);
        }
    }

    #[test]
    fn pieces_that_ignore_the_control_are_stopped() {
        let (fake, control) = (Fake { seed: 1, finds: None, seen: AtomicU64::new(0) }, Control::default());
        let search = |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| {
            if fake.seen.load(Relaxed) == 9 {
                control.stop();
            }
            Ok(fake.search(&part.placed, cut_off, budget))
        };
        let budget = Budget::new(u64::MAX);
        let searched = || search_in_pieces(&part(vec![]), &budget, &control, None, 1, &search);
        let (run, _) = on_threads(1, searched).expect("no fault");
        assert_eq!((run.end, run.nodes, fake.seen.into_inner()), (Err(End::Stopped), 10, 10));
    }

    #[test]
    fn failed_piece_stops_the_others() {
        let (fake, control) = (Fake { seed: 1, finds: None, seen: AtomicU64::new(0) }, Control::default());
        let searched = AtomicUsize::new(0);
        let search =
            |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| match searched.fetch_add(1, Relaxed) {
                3 => Err(io::ErrorKind::StorageFull.into()),
                _ => Ok(fake.search(&part.placed, cut_off, budget)),
            };
        let budget = Budget::new(u64::MAX);
        let run = || search_in_pieces(&part(vec![]), &budget, &control, Some(tree()), 1, &search);
        let fault = on_threads(1, run).map(|(run, _)| run).expect_err("a full disk");
        assert_eq!((fault.kind(), searched.into_inner()), (io::ErrorKind::StorageFull, 4));
    }
}
