//! One question for the search, answered at once, on several threads, or part by part.

use std::io::{self, Seek as _, SeekFrom, Write};
use std::sync::{Arc, Mutex, OnceLock};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::bits::{Bits, with_words};
use super::enumeration::{Collector, Enumeration, Tally};
use super::group::Group;
use super::indexed::{IndexedBoard, Order};
use super::proof::{self, HELD_IN_MEMORY, Tree};
use super::relaxation::{Boxes, RelaxationContext, relaxes};
use super::search::{
    Budget, End, Instance, NO_DEPTH_LIMIT, OrbitalBranching, Region, Run, Search, Silent, Subproblem,
};
use super::table::BoxTable;
use super::{Settings, too_large};

/// Whether k queens fit.
#[derive(Debug)]
pub enum Answer {
    /// They do not; the tree is there when proofs are written.
    Infeasible(Option<SpooledTempFile>),
    /// They fit on these squares.
    Feasible(Vec<Square>),
    /// The search did not finish; about this part of its tree is done, from 0 to 1.
    Stopped(f64),
}

/// Whether `at_least` queens fit on a board, and what the search takes as given.
#[derive(Debug)]
pub struct Question<'a> {
    /// The board.
    pub board: &'a Board,
    /// The number of queens.
    pub at_least: u64,
    /// The order of the squares.
    pub order: Order,
    /// Slabs that must hold queens, thin ones first.
    pub slabs: Vec<Slab>,
    /// Bounds of the boxes inside by their sorted sides, for the LP relaxation.
    pub boxes: Vec<(Vec<u32>, u64)>,
}

/// A slab at a face of a box, with the number of queens that it must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slab {
    /// The axis across which it lies.
    pub axis: usize,
    /// Its first layer.
    pub from: u32,
    /// The number of its layers.
    pub width: u32,
    /// The queens it must hold: those that do not fit into the rest of the box.
    #[serde(rename = "need")]
    pub demand: u64,
}

impl Slab {
    fn contains(&self, coordinates: &[u32]) -> bool {
        (self.from..self.from + self.width).contains(&coordinates[self.axis])
    }
}

/// The slabs that must hold a queen or more when a box holds k, smallest first: the rest of the box is too small for them. Slabs
/// thicker than half the box cost more than they save.
pub(super) fn slabs(sides: &[u32], k: u64, table: &BoxTable) -> Vec<Slab> {
    let mut slabs = Vec::new();
    for (axis, &n) in sides.iter().enumerate() {
        for width in 1..=n / 2 {
            let mut rest = sides.to_vec();
            rest[axis] = n - width;
            let Some(demand) =
                table.upper(&rest).and_then(|rest| k.checked_sub(rest)).filter(|&demand| demand > 0)
            else {
                continue;
            };
            slabs.extend([0, n - width].map(|from| Slab { axis, from, width, demand }));
        }
    }
    let size: u64 = sides.iter().map(|&n| u64::from(n)).product();
    slabs.sort_by_key(|slab| size / u64::from(sides[slab.axis]) * u64::from(slab.width));
    slabs
}

/// Does something with the task of a question, whose sets have as many words as the board needs.
macro_rules! with_task {
    ($question:expr, $settings:expr, $task:ident => $done:expr) => {
        with_words!($question.board.size(), WORDS in [1 2 3 4 6 8 10 12 16 20 24 28 32 40 48 64] => {
            let $task = Task::<WORDS>::new($question, $settings);
            $done
        } else {
            Err(too_large($question.board))
        })
    };
}

/// A search that may take as many nodes is done in parts, at least so many for each thread.
const NODES_WORTH_PARTS: u64 = 1 << 17;
const PARTS_PER_THREAD: usize = 32;

impl<'a> Question<'a> {
    /// A question with the slabs that a table gives.
    #[must_use]
    pub fn new(
        board: &'a Board,
        at_least: u64,
        order: Order,
        table: &BoxTable,
        settings: &Settings<'_>,
    ) -> Self {
        let grid = board.grid().filter(|grid| settings.components.demands && !grid.is_torus());
        let slabs = grid.map_or_else(Vec::new, |grid| slabs(grid.sides(), at_least, table));
        let boxes = if relaxes(board, settings) { table.uppers() } else { Vec::new() };
        Self { board, at_least, order, slabs, boxes }
    }

    /// Searches for the queens. The answer, and the number of nodes. The tree does not depend on the number of threads, but
    /// the squares found may.
    ///
    /// # Errors
    /// When the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer(&self, settings: &Settings<'_>, node_limit: u64) -> io::Result<(Answer, u64)> {
        with_task!(self, settings, task => task.answer(node_limit))
    }

    /// Estimates the size of the tree by going down it at random so many times, or until stopped.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn estimate(&self, settings: &Settings<'_>, samples: u64) -> io::Result<Estimate> {
        with_task!(self, settings, task => Ok(task.estimate(samples)))
    }

    /// Prepares the search for every placement of the queens: cuts the tree off at the least depth at which it has `parts`
    /// parts or more, or at its end. At most `keep` orbits of solutions are kept in each tally. `None` when stopped.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn enumerate(
        &self,
        settings: &Settings<'a>,
        parts: usize,
        keep: usize,
    ) -> io::Result<Option<Enumeration<'a>>> {
        with_task!(self, settings, task => Ok(task.enumerate(parts, keep)))
    }

    /// Cuts the tree off at the least depth at which it has `parts` parts or more, or at the last one before it ends with the
    /// queens found. A tree that ends without them before there are as many has no parts. `None` when stopped.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn split(&self, settings: &Settings<'a>, parts: usize) -> io::Result<Option<Split<'a>>> {
        with_task!(self, settings, task => {
            let Some(cut) = task.cut(parts, &Budget::new(u64::MAX))? else { return Ok(None) };
            let weights = cut.run.parts.iter().map(|part| part.weight).collect();
            let parts = cut.run.parts;
            let run_part = Box::new(move |number: usize, out: &mut dyn Write| {
                let run = task.refute(&parts[number], &[], &Budget::new(u64::MAX), Some(out))?;
                Ok(task.judge(run.end, run.done, None))
            });
            Ok(Some(Split { depth: cut.depth, weights, top: cut.top, run_part }))
        })
    }
}

/// A question whose tree is cut off, so that its parts can be searched one by one.
pub struct Split<'a> {
    /// The number of decisions after which the tree is cut off.
    pub depth: u32,
    /// For each part its part of the tree, when the children of a node count alike.
    pub weights: Vec<f64>,
    /// The slabs and the tree above, as a proof writes them, with the parts marked.
    pub top: Vec<u8>,
    run_part: Box<RunPart<'a>>,
}

type RunPart<'a> = dyn Fn(usize, &mut dyn Write) -> io::Result<Answer> + Send + Sync + 'a;

impl Split<'_> {
    /// Searches one part, and writes its tree as far as it comes.
    ///
    /// # Errors
    /// When the tree cannot be written.
    ///
    /// # Panics
    /// When there is no part of that number.
    pub fn run(&self, number: usize, out: &mut dyn Write) -> io::Result<Answer> {
        (self.run_part)(number, out)
    }
}

impl std::fmt::Debug for Split<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Split")
            .field("depth", &self.depth)
            .field("parts", &self.weights.len())
            .finish_non_exhaustive()
    }
}

/// What is known of the size of a tree from random walks down it.
#[derive(Debug, Clone, PartialEq)]
pub enum Estimate {
    /// Its size.
    Nodes {
        /// The mean of the walks' estimates.
        mean: f64,
        /// The standard error of the mean.
        error: f64,
        /// The walks.
        samples: u64,
        /// The nodes they met.
        met: u64,
    },
    /// A walk ended with the queens placed, on these squares.
    Found(Vec<Square>),
}

/// One question in the search's own terms.
pub(super) struct Task<'a, const W: usize> {
    pub(super) board: &'a Board,
    pub(super) settings: Settings<'a>,
    indexed: Arc<IndexedBoard<W>>,
    /// The slabs as the proof names them: axis, first coordinate, width; in the order of the regions.
    slabs: Vec<[u32; 3]>,
    pub(super) instance: Instance<W>,
    /// Bounds of boxes inside, for the relaxations.
    known: Vec<(Vec<u32>, u64)>,
    /// Made when it is needed.
    context: OnceLock<RelaxationContext>,
}

/// A tree that is cut off.
struct Cut<const W: usize> {
    depth: u32,
    top: Vec<u8>,
    run: Run<W>,
}

impl<'a, const W: usize> Task<'a, W> {
    fn new(question: &Question<'a>, settings: &Settings<'a>) -> Self {
        let board = question.board;
        let indexed = Arc::new(IndexedBoard::new(board, question.order, settings.components.symmetry));
        // One queen more than there are squares fits as little as any number above it.
        let region =
            |demand: u64, squares| Region { squares, demand: demand.min(board.size() as u64 + 1) as i32 };
        let inside = |slab: &Slab| {
            indexed.set(board.squares().filter(|&square| slab.contains(&board.coordinates(square))))
        };
        let mut regions: Vec<Region<W>> =
            question.slabs.iter().map(|slab| region(slab.demand, inside(slab))).collect();
        regions.push(region(question.at_least, indexed.set(board.squares())));
        let slabs = question.slabs.iter().map(|slab| [slab.axis as u32, slab.from, slab.width]).collect();
        let orbital = OrbitalBranching::Throughout;
        let instance = Instance::new(Arc::clone(&indexed), regions, settings.components, orbital);
        let (known, context) = (question.boxes.clone(), OnceLock::new());
        Self { board, settings: *settings, indexed, slabs, instance, known, context }
    }

    fn estimate(&self, samples: u64) -> Estimate {
        let budget = Budget::new(u64::MAX);
        let mut random = ChaCha8Rng::seed_from_u64(self.settings.seed);
        let before = self.settings.control.nodes();
        let mut search = Search::new(&self.instance, NO_DEPTH_LIMIT, &budget, self.settings.control, Silent);
        let (mut walks, mut mean, mut squares) = (0u64, 0.0, 0.0);
        while walks < samples {
            match search.probe(&mut random) {
                Ok(nodes) => {
                    walks += 1;
                    let off = nodes - mean;
                    mean += off / walks as f64;
                    squares += off * (nodes - mean);
                }
                Err(End::Found(found)) => {
                    return Estimate::Found(found.into_iter().map(|p| self.indexed.squares[p]).collect());
                }
                Err(End::Stopped) => break,
            }
        }
        let error = (squares / walks.saturating_sub(1).max(1) as f64 / walks.max(1) as f64).sqrt();
        Estimate::Nodes { mean, error, samples: walks, met: self.settings.control.nodes() - before }
    }

    fn answer(&self, node_limit: u64) -> io::Result<(Answer, u64)> {
        let budget = Budget::new(node_limit);
        if self.settings.threads > 1
            && node_limit >= NODES_WORTH_PARTS
            && !relaxes(self.board, &self.settings)
        {
            return self.answer_in_parts(&budget);
        }
        let mut tree = self.settings.proofs.then(|| io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY)));
        if let Some(tree) = &mut tree {
            self.write_slabs(tree)?;
        }
        let out = tree.as_mut().map(|tree| tree as &mut dyn Write);
        let run = self.refute(&self.instance.root(), &[], &budget, out)?;
        let tree = tree.map(io::BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)?;
        Ok((self.judge(run.end, run.done, tree), run.nodes))
    }

    /// The same on several threads.
    fn answer_in_parts(&self, budget: &Budget) -> io::Result<(Answer, u64)> {
        let Some(cut) = self.cut(PARTS_PER_THREAD * self.settings.threads, budget)? else {
            return Ok((Answer::Stopped(0.0), 0));
        };
        let trees = self.settings.proofs.then(PartTrees::default);
        let run_part = |number: usize, part: &Subproblem<W>| {
            let mut tree =
                trees.as_ref().map(|_| io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY >> 4)));
            let run = self.run(part, NO_DEPTH_LIMIT, budget, tree.as_mut())?;
            if let (Ok(()), Some((trees, tree))) = (&run.end, trees.as_ref().zip(tree)) {
                trees.add(number, tree.into_inner().map_err(io::IntoInnerError::into_error)?)?;
            }
            Ok((run, ()))
        };
        let (runs, _) = run_parts(&cut.run.parts, budget, run_part)?;
        let nodes = cut.run.nodes + runs.iter().map(|run| run.nodes).sum::<u64>();
        let done = cut.run.done + runs.iter().map(|run| run.done).sum::<f64>();
        let end = worst(&runs);
        let tree = trees.filter(|_| end.is_ok()).map(|trees| trees.join(&cut.top)).transpose()?;
        Ok((self.judge(end, done, tree), nodes))
    }

    fn enumerate(self, parts: usize, keep: usize) -> Option<Enumeration<'a>> {
        // Stabilisers are those in the whole group, whether or not the search uses it.
        let apart = (!self.settings.components.symmetry).then(|| Group::of(self.board, &self.indexed.places));
        let group = apart.as_ref().unwrap_or(&self.indexed.group);
        let order = group.is_whole().then(|| u64::from(group.order()));
        let run_part = move |task: &Self, part: &Subproblem<W>, depth_limit| {
            let (squares, group) = (&task.indexed.squares, apart.as_ref().unwrap_or(&task.indexed.group));
            let (orbits, tally) = (task.board.orbits(), Tally::default());
            let collector = Collector::<W> { squares, group, orbits, keep, tally };
            let (control, budget) = (task.settings.control, Budget::new(u64::MAX));
            let (run, collector) =
                Search::new(&task.instance, depth_limit, &budget, control, collector).run(part);
            run.end.is_ok().then_some((run, collector.tally))
        };
        let mut depth = 0;
        let (run, top) = loop {
            let (run, top) = run_part(&self, &self.instance.root(), depth)?;
            if run.parts.is_empty() || run.parts.len() >= parts {
                break (run, top);
            }
            depth += 1;
        };
        let weights = run.parts.iter().map(|part| part.weight).collect();
        let run_part = Box::new(move |number: usize| {
            let (_, tally) = run_part(&self, &run.parts[number], NO_DEPTH_LIMIT)?;
            Some(tally)
        });
        Some(Enumeration { weights, top, order, run_part })
    }

    /// `None` when stopped.
    fn cut(&self, parts: usize, budget: &Budget) -> io::Result<Option<Cut<W>>> {
        let mut last: Option<Cut<W>> = None;
        for depth in 0.. {
            let mut top = Vec::new();
            self.write_slabs(&mut top)?;
            let run = self.run(&self.instance.root(), depth, budget, Some(&mut top))?;
            match run.end {
                Ok(()) => {}
                Err(End::Found(_)) if last.is_some() => break,
                Err(_) => return Ok(None),
            }
            let enough = run.parts.is_empty() || run.parts.len() >= parts;
            last = Some(Cut { depth, top, run });
            if enough {
                break;
            }
        }
        Ok(last)
    }

    /// Searches below a part; its tree goes to `out`, if that is given.
    pub(super) fn run(
        &self,
        part: &Subproblem<W>,
        depth_limit: u32,
        budget: &Budget,
        out: Option<impl Write>,
    ) -> io::Result<Run<W>> {
        let control = self.settings.control;
        let Some(out) = out else {
            return Ok(Search::new(&self.instance, depth_limit, budget, control, Silent).run(part).0);
        };
        self.write(out, |tree| Search::new(&self.instance, depth_limit, budget, control, tree).run(part))
    }

    /// Writes nodes of a tree.
    pub(super) fn write<O: Write, T>(
        &self,
        out: O,
        nodes: impl FnOnce(Tree<'_, O, W>) -> (T, Tree<'_, O, W>),
    ) -> io::Result<T> {
        let (told, tree) = nodes(Tree::new(out, self.board, &self.indexed, self.slabs.len()));
        tree.finish()?;
        Ok(told)
    }

    /// What the relaxations have in common.
    pub(super) fn context(&self) -> &RelaxationContext {
        self.context.get_or_init(|| {
            let bits = |squares: &Bits<W>| {
                let mut bits = FixedBitSet::with_capacity(self.indexed.squares.len());
                bits.extend(squares.iter());
                bits
            };
            let attacks = self.indexed.attacks.iter().map(bits).collect();
            let grid = self.board.grid().filter(|grid| !grid.is_torus() && !self.known.is_empty());
            RelaxationContext {
                attacks,
                boxes: grid.map(|grid| Boxes::new(grid.sides(), &self.indexed.squares, &self.known)),
            }
        })
    }

    fn write_slabs(&self, out: &mut impl Write) -> io::Result<()> {
        self.slabs.iter().try_for_each(|[axis, from, width]| writeln!(out, "slab {axis} {from} {width}"))
    }

    fn judge(&self, end: Result<(), End>, done: f64, tree: Option<SpooledTempFile>) -> Answer {
        match end {
            Ok(()) => Answer::Infeasible(tree),
            Err(End::Found(found)) => {
                Answer::Feasible(found.into_iter().map(|p| self.indexed.squares[p]).collect())
            }
            Err(End::Stopped) => Answer::Stopped(done),
        }
    }
}

/// The runs of several parts, and what else they gave.
type Runs<const W: usize, T> = (Vec<Run<W>>, Vec<T>);

/// Searches parts on all threads. Where one ends before its tree is done, or fails, the others need not go on.
pub(super) fn run_parts<const W: usize, T: Send>(
    parts: &[Subproblem<W>],
    budget: &Budget,
    run: impl Fn(usize, &Subproblem<W>) -> io::Result<(Run<W>, T)> + Sync,
) -> io::Result<Runs<W, T>> {
    let run = |(number, part)| {
        let run = run(number, part);
        if !matches!(&run, Ok((run, _)) if run.end.is_ok()) {
            budget.exhaust();
        }
        run
    };
    let runs = parts.par_iter().enumerate().with_max_len(1).map(run).collect::<io::Result<Vec<_>>>()?;
    Ok(runs.into_iter().unzip())
}

/// What several searches together come to: queens found, if any of them found them.
pub(super) fn worst<const W: usize>(runs: &[Run<W>]) -> Result<(), End> {
    let found = |run: &&Run<W>| matches!(run.end, Err(End::Found(_)));
    let worst = runs.iter().find(found).or_else(|| runs.iter().find(|run| run.end.is_err()));
    worst.map_or(Ok(()), |run| run.end.clone())
}

/// Trees of parts in one file, in the order in which they were finished.
struct PartTrees(Mutex<(SpooledTempFile, Vec<Place>)>);

/// Number, first byte and length of a tree.
type Place = (usize, u64, u64);

impl Default for PartTrees {
    fn default() -> Self {
        Self(Mutex::new((SpooledTempFile::new(HELD_IN_MEMORY), Vec::new())))
    }
}

impl PartTrees {
    fn add(&self, number: usize, mut tree: SpooledTempFile) -> io::Result<()> {
        let (file, places) = &mut *self.0.lock().expect("no thread panics over it");
        let begin = file.stream_position()?;
        tree.rewind()?;
        let length = io::copy(&mut tree, file)?;
        places.push((number, begin, length));
        Ok(())
    }

    /// The whole tree.
    fn join(self, top: &[u8]) -> io::Result<SpooledTempFile> {
        let (mut file, mut places) = self.0.into_inner().expect("no thread panics over it");
        places.sort_unstable();
        let mut whole = SpooledTempFile::new(HELD_IN_MEMORY);
        proof::join(top, &mut whole, &mut |number, whole| {
            let (_, begin, length) = places[number];
            file.seek(SeekFrom::Start(begin))?;
            io::copy(&mut io::Read::take(&mut file, length), whole).map(drop)
        })?;
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_fails_leaves_nothing_to_the_others() {
        let part = Subproblem::<1> {
            placed: vec![],
            free: Bits::EMPTY,
            elements: vec![],
            orbits: vec![],
            weight: 0.1,
        };
        let done = || Run { end: Ok(()), nodes: 1, done: 0.1, parts: vec![] };
        let parts = vec![part; 10];
        let budget = Budget::new(100);
        let (runs, numbers) = run_parts(&parts, &budget, |number, _| Ok((done(), number))).expect("no fault");
        assert_eq!((runs.len(), budget.left()), (10, 100));
        assert_eq!(numbers, (0..10).collect::<Vec<_>>());
        let full = |number, _: &_| match number {
            7 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok((done(), ())),
        };
        let fault = run_parts(&parts, &budget, full).expect_err("a full disk");
        assert_eq!((fault.kind(), budget.left()), (io::ErrorKind::StorageFull, 0));
    }
}
