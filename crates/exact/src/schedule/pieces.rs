//! A long search in pieces: each is cut off after a while, what is open then are further pieces, and each thread takes the first of
//! them in the order of the tree. What comes of it is what would if one had been done after the other.

use std::collections::BTreeMap;
use std::io::{self, BufWriter};
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ndqueens_control::{Control, stack};
use rayon::Scope;
use tempfile::SpooledTempFile;

use crate::proof::Joined;
use crate::search::budget::{Budget, Turn};
use crate::search::instance::Subproblem;
use crate::search::tree_search::{CutOff, End, Run};

/// What came of a piece, with its tree, if trees are written.
pub(crate) type Ran = (Run, Option<Vec<u8>>);

/// Searches a piece until it is cut off.
pub(crate) type SearchPiece<'p> = dyn Fn(&Subproblem, CutOff, &Budget<'_>) -> io::Result<Ran> + Sync + 'p;

/// After so many nodes, or fewer, the first piece is cut off: others wait for it.
const FIRST: u64 = 1 << 6;

/// The numbers of the parts that lead to a piece: in lexicographic order, pieces are in that of the tree.
type Place = Vec<u32>;

/// What came of nothing so far.
const NOTHING: Run = Run { end: Ok(()), nodes: 0, done: 0.0, parts: Vec::new() };

struct Pieces<'p> {
    search: &'p SearchPiece<'p>,
    /// After so many nodes a piece is cut off.
    nodes: u64,
    budget: &'p Budget<'p>,
    /// What was spent before the first one.
    before: u64,
    control: &'p Control,
    state: Mutex<State>,
}

/// How far a search in pieces is.
struct State {
    /// Pieces that are not begun.
    open: BTreeMap<Place, Subproblem>,
    /// Those that are, until they are joined to the whole.
    begun: BTreeMap<Place, Begun>,
    /// What came of all pieces up to the first one that is not done.
    whole: Run,
    /// Their tree, if trees are written.
    tree: Option<Joined<BufWriter<SpooledTempFile>>>,
    fault: Option<io::Error>,
}

#[derive(Default)]
struct Begun {
    nodes: u64,
    /// What came of it, once it is done.
    ran: Option<Ran>,
}

/// Searches below a part in pieces of so many nodes: what came of it, and its tree below what is written of it, if trees are written.
///
/// # Errors
/// When a piece fails, or the tree cannot be written.
pub(crate) fn search_in_pieces(
    part: &Subproblem,
    budget: &Budget<'_>,
    control: &Control,
    tree: Option<BufWriter<SpooledTempFile>>,
    (nodes, search): (u64, &SearchPiece<'_>),
) -> io::Result<(Run, Option<SpooledTempFile>)> {
    let state = Mutex::new(State {
        open: BTreeMap::from([(Place::new(), part.clone())]),
        begun: BTreeMap::new(),
        whole: NOTHING,
        tree: tree.map(Joined::new),
        fault: None,
    });
    let pieces = Pieces { search, nodes, budget, before: budget.spent(), control, state };
    rayon::scope(|scope| pieces.search_next(scope));
    let State { whole, tree, fault, .. } = pieces.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(fault) = fault {
        return Err(fault);
    }
    let tree = tree.filter(|_| whole.end.is_ok()).map(Joined::finish).transpose()?;
    let tree = tree.map(BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)?;
    Ok((whole, tree))
}

impl Pieces<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches the first piece that is open, if there is one, and has as much done for each that it leaves.
    fn search_next<'s>(&'s self, scope: &Scope<'s>) {
        let Some((place, part)) = self.state().begin() else { return };
        let nodes = if place.is_empty() { self.nodes.min(FIRST) } else { self.nodes };
        let piece = Piece { pieces: self, place };
        let budget = Budget::of_turn(&piece);
        let ran = match budget.spend(0) && !self.control.is_stopped() {
            true => stack::level(|| (self.search)(&part, CutOff::AfterNodes(nodes), &budget)),
            false => Ok((Run { end: Err(End::Stopped), ..NOTHING }, None)),
        };
        // The state is free again before others begin.
        let further = self.state().end(self, &piece.place, ran);
        (0..further).for_each(|_| scope.spawn(|scope| self.search_next(scope)));
    }
}

impl State {
    fn begin(&mut self) -> Option<(Place, Subproblem)> {
        let (place, part) = self.open.pop_first()?;
        self.begun.insert(place.clone(), Begun::default());
        Some((place, part))
    }

    /// Ends a piece: how many further ones it leaves.
    fn end(&mut self, pieces: &Pieces<'_>, place: &Place, ran: io::Result<Ran>) -> usize {
        let further = ran.and_then(|(mut run, tree)| {
            let parts = take(&mut run.parts);
            let further = parts.len();
            match run.end {
                Ok(()) if self.before(place).is_none() => {}
                Ok(()) => self.open.extend((0..).map(|number| [&place[..], &[number]].concat()).zip(parts)),
                // Those after it need not be begun.
                Err(_) => drop(self.open.split_off(place)),
            }
            self.begun.insert(place.clone(), Begun { nodes: run.nodes, ran: Some((run, tree)) });
            self.join(pieces).map(|()| further)
        });
        further.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            self.open.clear();
            0
        })
    }

    /// The nodes of those before a place by now; `None` when nothing after them counts.
    fn before(&self, place: &Place) -> Option<u64> {
        let before = || self.begun.range::<Place, _>(..place).map(|(_, begun)| begun);
        let has_ended = |begun: &Begun| begun.ran.as_ref().is_some_and(|(run, _)| run.end.is_err());
        let is_over = self.fault.is_some() || self.whole.end.is_err() || before().any(has_ended);
        (!is_over).then(|| self.whole.nodes + before().map(|begun| begun.nodes).sum::<u64>())
    }

    /// Joins those that are done to the whole, up to the first one that is not.
    fn join(&mut self, Pieces { budget, before, control, .. }: &Pieces<'_>) -> io::Result<()> {
        while let Some(first) = self.begun.first_entry() {
            let waits = self.open.first_key_value().is_some_and(|(open, _)| open < first.key());
            if waits || first.get().ran.is_none() {
                break;
            }
            let Some((run, tree)) = first.remove().ran else { break };
            if self.whole.end.is_err() {
                control.uncount_progress(run.done);
                continue;
            }
            let nodes = self.whole.nodes + run.nodes;
            self.whole.end = if budget.exceeds(before + nodes) { Err(End::Stopped) } else { run.end };
            if self.whole.end == Err(End::Stopped) && !control.is_stopped() {
                // How far it came depends on when it was stopped.
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

/// A piece that is begun.
struct Piece<'p> {
    pieces: &'p Pieces<'p>,
    place: Place,
}

impl Turn for Piece<'_> {
    fn whole(&self) -> &Budget<'_> {
        self.pieces.budget
    }

    fn add(&self, nodes: u64) {
        if let Some(begun) = self.pieces.state().begun.get_mut(&self.place) {
            begun.nodes += nodes;
        }
    }

    fn before(&self) -> Option<u64> {
        self.pieces.state().before(&self.place).map(|nodes| self.pieces.before + nodes)
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
    use crate::proof::HELD_IN_MEMORY;

    /// A tree whose nodes are the ways down to them, in `placed`.
    struct Fake {
        seed: u64,
        /// The node that is a solution.
        finds: Option<Vec<usize>>,
        /// Nodes that were looked at.
        seen: AtomicU64,
    }

    /// A search of it that is cut off after so many nodes.
    struct Walk<'w> {
        fake: &'w Fake,
        cut_off: u64,
        budget: &'w Budget<'w>,
        run: Run,
        text: Vec<u8>,
    }

    fn part(placed: Vec<usize>) -> Subproblem {
        let free = FixedBitSet::new();
        Subproblem { placed, free, elements: vec![], orbits: vec![], weight: 1.0, left_over: vec![] }
    }

    impl Fake {
        fn children(&self, placed: &[usize]) -> usize {
            let mut hasher = DefaultHasher::new();
            (self.seed, placed).hash(&mut hasher);
            if placed.len() < 9 { hasher.finish() as usize % 4 } else { 0 }
        }

        fn search(&self, from: &[usize], cut_off: CutOff, budget: &Budget<'_>) -> Ran {
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
        BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY))
    }

    #[test]
    fn what_comes_of_pieces_is_what_would_of_one() {
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
                // That part of all nodes before the solution.
                let before = finds.map(|finds| ways.len() / finds);
                fake.finds = before.map(|before| ways[before].clone());
                let nodes = before.map_or(all.nodes, |before| before as u64 + 1);
                for (threads, nodes_of_piece) in [(1, 1), (2, 1), (2, 7), (5, 3)] {
                    let control = Control::default();
                    let search = |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| {
                        Ok(fake.search(&part.placed, cut_off, budget))
                    };
                    let budget = Budget::new(limit);
                    let searched = || {
                        search_in_pieces(
                            &part(vec![]),
                            &budget,
                            &control,
                            Some(tree()),
                            (nodes_of_piece, &search),
                        )
                    };
                    fake.seen.store(0, Relaxed);
                    let (run, tree) = on_threads(threads, searched).expect("no fault");
                    if threads == 1 {
                        // Nothing in vain.
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
            let limited = budget.limited(limit);
            let searched = || search_in_pieces(&part(vec![]), &limited, &control, None, (2, &search));
            assert_eq!(on_threads(2, searched).expect("no fault").0.end, end);
            assert!(limited.spent() >= limit);
        }
    }

    #[test]
    fn pieces_that_never_look_are_stopped_all_the_same() {
        let (fake, control) = (Fake { seed: 1, finds: None, seen: AtomicU64::new(0) }, Control::default());
        let search = |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| {
            if fake.seen.load(Relaxed) == 9 {
                control.stop();
            }
            Ok(fake.search(&part.placed, cut_off, budget))
        };
        let budget = Budget::new(u64::MAX);
        let searched = || search_in_pieces(&part(vec![]), &budget, &control, None, (1, &search));
        let (run, _) = on_threads(1, searched).expect("no fault");
        assert_eq!((run.end, run.nodes, fake.seen.into_inner()), (Err(End::Stopped), 10, 10));
    }

    #[test]
    fn where_a_piece_fails_the_others_need_not_be_begun() {
        let (fake, control) = (Fake { seed: 1, finds: None, seen: AtomicU64::new(0) }, Control::default());
        let searched = AtomicUsize::new(0);
        let search =
            |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| match searched.fetch_add(1, Relaxed) {
                3 => Err(io::ErrorKind::StorageFull.into()),
                _ => Ok(fake.search(&part.placed, cut_off, budget)),
            };
        let budget = Budget::new(u64::MAX);
        let run = || search_in_pieces(&part(vec![]), &budget, &control, Some(tree()), (1, &search));
        let fault = on_threads(1, run).map(|(run, _)| run).expect_err("a full disk");
        assert_eq!((fault.kind(), searched.into_inner()), (io::ErrorKind::StorageFull, 4));
    }
}
