//! A question in the search's own terms, and its tree: searched at once, on several threads, or cut off at a depth.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Board;
use tempfile::SpooledTempFile;

use super::indexed::{IndexedBoard, Order, ensure_size};
use super::instance::{Instance, OrbitalBranching, Region, Subproblem};
use super::log::Silent;
use super::parts::{PartTrees, run_parts, worst};
use super::proof::{HELD_IN_MEMORY, Tree};
use super::question::{Answer, Question};
use super::relaxation::{Boxes, RelaxationContext};
use super::search::{Budget, End, NO_DEPTH_LIMIT, Run, Search};
use super::settings::Settings;
use super::slab::Slab;

/// A search that may take as many nodes is done in so many parts or more, whatever the number of threads.
pub(super) const NODES_WORTH_PARTS: u64 = 1 << 17;
pub(super) const PARTS: usize = 64;
/// So many nodes are searched on one thread before that.
pub(super) const FIRST_DIVE: u64 = 1 << 14;

/// One question in the search's own terms.
pub(super) struct Task<'a> {
    pub(super) board: &'a Board,
    pub(super) settings: Settings<'a>,
    pub(super) indexed: Arc<IndexedBoard>,
    order: Order,
    /// The number of queens.
    pub(super) size: u64,
    /// The slabs, in the order of the regions.
    pub(super) slabs: Vec<Slab>,
    pub(super) instance: Instance,
    /// The numbers of its regions in proofs.
    numbers: Vec<usize>,
    /// For each axis the most queens of 1, 2, ... layers next to each other, but not of all.
    pub(super) layers: Vec<Vec<u64>>,
    /// Bounds of boxes inside by their sorted sides, where there are cases.
    pub(super) bounds: HashMap<Vec<u32>, u64>,
    /// Bounds of boxes inside, for the relaxations.
    known: Vec<(Vec<u32>, u64)>,
    /// Made when it is needed.
    context: OnceLock<RelaxationContext>,
}

/// Trees are cut off this deep at most: each depth is searched from the root again, and trees that have not spread by then, such
/// as that of a long path, are best searched at once.
pub(super) const DEEPEST_CUT: u32 = 64;

/// What a tree grows from.
pub(super) struct Seed<'s> {
    pub(super) instance: &'s Instance,
    /// The numbers of its regions in proofs.
    pub(super) numbers: &'s [usize],
    pub(super) root: Subproblem,
    /// What stands above the nodes in proofs.
    pub(super) head: Vec<u8>,
}

/// What came of a search.
pub(super) struct Searched {
    pub(super) end: Result<(), End>,
    pub(super) nodes: u64,
    pub(super) done: f64,
    /// The tree, if it ended and proofs are written.
    pub(super) tree: Option<SpooledTempFile>,
}

/// A tree that is cut off: its nodes without what stands above them.
pub(super) struct Cut {
    pub(super) depth: u32,
    pub(super) top: Vec<u8>,
    pub(super) run: Run,
}

impl<'a> Task<'a> {
    /// # Errors
    /// When the board is too large.
    pub(super) fn new(question: &Question<'a>, settings: &Settings<'a>) -> io::Result<Self> {
        let board = question.board;
        ensure_size(board)?;
        let indexed = Arc::new(IndexedBoard::new(board, question.order, settings.components.symmetry));
        // One queen more than there are squares fits as little as any number above it.
        let region =
            |demand: u64, squares| Region { squares, demand: demand.min(board.size() as u64 + 1) as i32 };
        let inside = |slab: &Slab| {
            indexed.set(board.squares().filter(|&square| slab.contains(&board.coordinates(square))))
        };
        let mut regions: Vec<Region> =
            question.slabs.iter().map(|slab| region(slab.demand, inside(slab))).collect();
        regions.push(region(question.at_least, indexed.set(board.squares())));
        let orbital = OrbitalBranching::Throughout;
        let instance = Instance::new(Arc::clone(&indexed), regions, settings.components, orbital);
        let (order, slabs) = (question.order, question.slabs.clone());
        let (known, context) = (question.boxes.clone(), OnceLock::new());
        let (size, layers) = (question.at_least, question.layers.clone());
        // In the search the whole board is the last region, in proofs it is number 0.
        let numbers = (1..=slabs.len()).chain([0]).collect();
        let bounds = match layers.is_empty() {
            true => HashMap::new(),
            false => question.boxes.iter().cloned().collect(),
        };
        Ok(Self {
            board,
            settings: *settings,
            indexed,
            order,
            size,
            slabs,
            instance,
            numbers,
            layers,
            bounds,
            known,
            context,
        })
    }

    /// Neither the answer nor the tree depends on the number of threads, but the squares found may.
    pub(super) fn answer(&self, node_limit: u64) -> io::Result<(Answer, u64)> {
        if node_limit < NODES_WORTH_PARTS || self.settings.relaxes(self.board) {
            return self.answer_at_once(node_limit);
        }
        // Parts only help where the search does not soon find queens or the end of the tree.
        let (answer, nodes) = self.answer_at_once(FIRST_DIVE)?;
        if !matches!(answer, Answer::Stopped(_)) || self.settings.control.is_stopped() {
            return Ok((answer, nodes));
        }
        let searched = self.search_in_parts(&self.seed()?, PARTS, &Budget::new(node_limit))?;
        Ok((self.judge(searched.end, searched.done, searched.tree), searched.nodes))
    }

    /// The same on one thread.
    fn answer_at_once(&self, node_limit: u64) -> io::Result<(Answer, u64)> {
        let budget = Budget::new(node_limit);
        let mut tree = self.settings.proofs.then(|| io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY)));
        if let Some(tree) = &mut tree {
            self.write_regions(tree)?;
        }
        let out = tree.as_mut().map(|tree| tree as &mut dyn Write);
        let run = self.refute(&self.instance.root(), &[], &budget, out)?;
        let tree = tree.map(io::BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)?;
        Ok((self.judge(run.end, run.done, tree), run.nodes))
    }

    /// Looks for the queens without a proof, line by line where each line must hold one.
    pub(super) fn answer_on_lines(mut self, node_limit: u64) -> io::Result<(Answer, u64)> {
        self.fill_lines();
        let budget = Budget::new(node_limit);
        let run = self.run(&self.instance.root(), NO_DEPTH_LIMIT, &budget, None::<io::Sink>)?;
        Ok((self.judge(run.end, run.done, None), run.nodes))
    }

    /// What the tree of the question grows from.
    pub(super) fn seed(&self) -> io::Result<Seed<'_>> {
        let mut head = Vec::new();
        self.write_regions(&mut head)?;
        Ok(Seed { instance: &self.instance, numbers: &self.numbers, root: self.instance.root(), head })
    }

    /// Cuts a tree off so that it has so many parts or more, and searches them on all threads.
    pub(super) fn search_in_parts(
        &self,
        seed: &Seed<'_>,
        parts: usize,
        budget: &Budget,
    ) -> io::Result<Searched> {
        let left = budget.left();
        let Some(cut) = self.cut(seed, parts, budget)? else {
            let nodes = if self.settings.control.is_stopped() { 0 } else { left };
            return Ok(Searched { end: Err(End::Stopped), nodes, done: 0.0, tree: None });
        };
        let trees = self.settings.proofs.then(PartTrees::default);
        let run_part = |number: usize, part: &Subproblem| {
            let mut tree =
                trees.as_ref().map(|_| io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY >> 4)));
            let run =
                self.run_on(seed.instance, seed.numbers, part, NO_DEPTH_LIMIT, budget, tree.as_mut())?;
            if let (Ok(()), Some((trees, tree))) = (&run.end, trees.as_ref().zip(tree)) {
                trees.add(number, tree.into_inner().map_err(io::IntoInnerError::into_error)?)?;
            }
            Ok((run, ()))
        };
        let (runs, _) = run_parts(&cut.run.parts, budget, run_part)?;
        let done = cut.run.done + runs.iter().map(|run| run.done).sum::<f64>();
        let end = worst(&runs);
        let nodes = match end {
            // All of them, but for what the last parts could not use, which depends on which those were.
            Err(End::Stopped) if !self.settings.control.is_stopped() => left,
            _ => cut.run.nodes + runs.iter().map(|run| run.nodes).sum::<u64>(),
        };
        let tree = trees.filter(|_| end.is_ok()).map(|trees| trees.join(&seed.head, &cut.top)).transpose()?;
        Ok(Searched { end, nodes, done, tree })
    }

    /// Cuts a tree off so that it has so many parts or more; `None` when stopped.
    pub(super) fn cut(&self, seed: &Seed<'_>, parts: usize, budget: &Budget) -> io::Result<Option<Cut>> {
        let mut last: Option<Cut> = None;
        for depth in 0.. {
            let mut top = Vec::new();
            let run = self.run_on(seed.instance, seed.numbers, &seed.root, depth, budget, Some(&mut top))?;
            match run.end {
                Ok(()) => {}
                Err(End::Found(_)) if last.is_some() => break,
                Err(_) => return Ok(None),
            }
            let enough = run.parts.is_empty() || run.parts.len() >= parts || depth == DEEPEST_CUT;
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
        part: &Subproblem,
        depth_limit: u32,
        budget: &Budget,
        out: Option<impl Write>,
    ) -> io::Result<Run> {
        self.run_on(&self.instance, &self.numbers, part, depth_limit, budget, out)
    }

    /// The same with other regions, which have these numbers in proofs.
    pub(super) fn run_on(
        &self,
        instance: &Instance,
        numbers: &[usize],
        part: &Subproblem,
        depth_limit: u32,
        budget: &Budget,
        out: Option<impl Write>,
    ) -> io::Result<Run> {
        let control = self.settings.control;
        let Some(out) = out else {
            return Ok(Search::new(instance, depth_limit, budget, control, Silent).run(part).0);
        };
        self.write_with(numbers, out, |tree| {
            Search::new(instance, depth_limit, budget, control, tree).run(part)
        })
    }

    /// Writes nodes of a tree.
    pub(super) fn write<O: Write, T>(
        &self,
        out: O,
        nodes: impl FnOnce(Tree<'_, O>) -> (T, Tree<'_, O>),
    ) -> io::Result<T> {
        self.write_with(&self.numbers, out, nodes)
    }

    /// The same where regions have these numbers in proofs.
    fn write_with<O: Write, T>(
        &self,
        numbers: &[usize],
        out: O,
        nodes: impl FnOnce(Tree<'_, O>) -> (T, Tree<'_, O>),
    ) -> io::Result<T> {
        let (told, tree) = nodes(Tree::new(out, self.board, &self.indexed, numbers));
        tree.finish()?;
        Ok(told)
    }

    /// A tree without nodes.
    pub(super) fn tree<O: Write>(&self, out: O) -> Tree<'_, O> {
        Tree::new(out, self.board, &self.indexed, &self.numbers)
    }

    /// What the relaxations have in common.
    pub(super) fn context(&self) -> &RelaxationContext {
        self.context.get_or_init(|| {
            let size = self.indexed.squares.len();
            let set =
                |x| FixedBitSet::with_capacity_and_blocks(size, self.indexed.attacks.of(x).iter().copied());
            let attacks = (0..size).map(set).collect();
            let grid = self.board.grid().filter(|grid| !grid.is_torus() && !self.known.is_empty());
            RelaxationContext {
                attacks,
                boxes: grid.map(|grid| Boxes::new(grid.sides(), &self.indexed.squares, &self.known)),
            }
        })
    }

    /// What stands above the nodes of the tree.
    pub(super) fn write_regions(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "order {}", self.order.word())?;
        self.slabs.iter().try_for_each(|&Slab { axis, from, width, demand }| {
            writeln!(out, "slab {} {from}-{} {demand}", axis + 1, from + width - 1)
        })
    }

    pub(super) fn judge(&self, end: Result<(), End>, done: f64, tree: Option<SpooledTempFile>) -> Answer {
        match end {
            Ok(()) => Answer::Infeasible(tree),
            Err(End::Found(found)) => {
                Answer::Feasible(found.into_iter().map(|p| self.indexed.squares[p]).collect())
            }
            Err(End::Stopped) => Answer::Stopped(done),
        }
    }
}
