//! A question in the search's own terms, and its tree: searched at once, on several threads, or cut off at a depth.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Board;
use tempfile::SpooledTempFile;

use crate::boxes::slab::Slab;
use crate::proof::{HELD_IN_MEMORY, Tree};
use crate::question::{Feasibility, Question};
use crate::schedule::pieces::search_in_pieces;
use crate::search::budget::Budget;
use crate::search::indexed_board::{InOrders, IndexedBoard, IndexedBoards, Order, ensure_size};
use crate::search::instance::{Instance, OrbitalBranching, Region, Subproblem};
use crate::search::log::Silent;
use crate::search::relaxation::{Boxes, RelaxationContext};
use crate::search::tree_search::{CutOff, End, Run, Search};
use crate::settings::Settings;

/// A search that may take fewer nodes is done in one piece.
const NODES_WORTH_PIECES: u64 = 1 << 12;

/// After how many nodes a search that may take so many is cut off, so that threads share what is left of it.
pub(crate) fn piece(node_limit: u64) -> CutOff {
    match node_limit {
        ..NODES_WORTH_PIECES => CutOff::Never,
        _ => CutOff::AfterNodes((node_limit >> 6).clamp(1 << 8, 1 << 11)),
    }
}

/// One question in the search's own terms.
pub(crate) struct Task<'a> {
    pub(crate) board: &'a Board,
    pub(crate) settings: Settings<'a>,
    pub(crate) indexed: Arc<IndexedBoard>,
    order: Order,
    /// The number of queens.
    pub(crate) size: u64,
    /// The slabs, in the order of the regions.
    pub(crate) slabs: Vec<Slab>,
    pub(crate) instance: Instance,
    /// The numbers of its regions in proofs.
    numbers: Vec<usize>,
    /// For each axis the most queens of 1, 2, ... layers next to each other, but not of all.
    pub(crate) layers: Vec<Vec<u64>>,
    /// Bounds of boxes inside by their sorted sides, where there are cases.
    pub(crate) bounds: HashMap<Vec<u32>, u64>,
    /// Bounds of boxes inside, for the relaxations.
    known: Vec<(Vec<u32>, u64)>,
    /// Made when it is needed.
    context: OnceLock<RelaxationContext>,
}

/// Trees are cut off this deep at most: each depth is searched from the root again, and trees that have not spread by then, such
/// as that of a long path, are best searched at once.
pub(crate) const DEEPEST_CUT: u32 = 64;

type TreeWriter = BufWriter<SpooledTempFile>;

fn finished(tree: Option<TreeWriter>) -> io::Result<Option<SpooledTempFile>> {
    tree.map(BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)
}

/// A tree that is cut off: its nodes without what stands above them.
pub(crate) struct Cut {
    pub(crate) depth: u32,
    pub(crate) top: Vec<u8>,
    pub(crate) run: Run,
}

impl<'a> Task<'a> {
    /// # Errors
    /// When the board is too large.
    pub(crate) fn new(question: &Question<'a>, settings: &Settings<'a>) -> io::Result<Self> {
        ensure_size(question.board)?;
        let made = InOrders::default();
        let boards = IndexedBoards::new(question.board, settings.components.symmetry, &made);
        Ok(Self::on(&boards, question, settings))
    }

    /// The same on a board that may be there already.
    pub(crate) fn on(boards: &IndexedBoards<'_>, question: &Question<'a>, settings: &Settings<'a>) -> Self {
        let board = question.board;
        let indexed = boards.in_order(question.order);
        // One queen more than there are squares fits as little as any number above it.
        let region =
            |demand: u64, squares| Region { squares, demand: demand.min(board.size() as u64 + 1) as i32 };
        let inside = |slab: &Slab| {
            let from = slab.from as usize;
            indexed.between(slab.axis, from..=from + slab.width as usize - 1)
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
        Self {
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
        }
    }

    /// Neither the answer nor the tree depends on the number of threads.
    pub(crate) fn answer(&self, node_limit: u64) -> io::Result<(Feasibility, u64)> {
        self.answer_within(&Budget::new(node_limit))
    }

    /// The same in a turn.
    pub(crate) fn answer_within(&self, budget: &Budget<'_>) -> io::Result<(Feasibility, u64)> {
        let node_limit = budget.left();
        let mut head = Vec::new();
        self.write_regions(&mut head)?;
        let (run, tree) = match self.settings.relaxes(self.board) {
            true => {
                let mut tree = self.new_tree(&head)?;
                let out = tree.as_mut().map(|tree| tree as &mut dyn Write);
                (self.refute(&self.instance.root(), &[], budget, out)?, finished(tree)?)
            }
            false => {
                let root = self.instance.root();
                self.search(&self.instance, &self.numbers, &root, &head, budget, piece(node_limit))?
            }
        };
        let nodes = self.nodes_within(&run, node_limit);
        Ok((self.judge(run.end, run.done, tree), nodes))
    }

    /// The nodes of a search with this limit: when it met it, how many it took beyond depends on the threads.
    pub(crate) fn nodes_within(&self, run: &Run, node_limit: u64) -> u64 {
        let met = run.end == Err(End::Stopped) && !self.settings.control.is_stopped();
        if met { node_limit } else { run.nodes }
    }

    /// A tree that begins with these lines, if trees are written.
    fn new_tree(&self, head: &[u8]) -> io::Result<Option<TreeWriter>> {
        let tree = self.settings.proofs.then(|| BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY)));
        tree.map(|mut tree| tree.write_all(head).map(|()| tree)).transpose()
    }

    /// Searches below a part, with other regions, which have these numbers in proofs: in pieces on all threads, unless it is never
    /// cut off. Its tree, which does not depend on that, has `head` above it.
    pub(crate) fn search(
        &self,
        instance: &Instance,
        numbers: &[usize],
        part: &Subproblem,
        head: &[u8],
        budget: &Budget<'_>,
        piece: CutOff,
    ) -> io::Result<(Run, Option<SpooledTempFile>)> {
        let mut tree = self.new_tree(head)?;
        let CutOff::AfterNodes(nodes) = piece else {
            let run = self.run_on(instance, numbers, part, piece, budget, tree.as_mut())?;
            return Ok((run, finished(tree)?));
        };
        let search = |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| {
            let mut tree = self.settings.proofs.then(Vec::new);
            let run = self.run_on(instance, numbers, part, cut_off, budget, tree.as_mut())?;
            Ok((run, tree))
        };
        search_in_pieces(part, budget, self.settings.control, tree, (nodes, &search))
    }

    /// Looks for the queens on one thread and without a proof. Where there are as many as lines in a partition of the board, the search
    /// branches on lines, which finds queens sooner.
    pub(crate) fn answer_on_lines(mut self, node_limit: u64) -> io::Result<(Feasibility, u64)> {
        self.fill_lines();
        let budget = Budget::new(node_limit);
        let run = self.run(&self.instance.root(), CutOff::Never, &budget, None::<io::Sink>)?;
        Ok((self.judge(run.end, run.done, None), run.nodes))
    }

    /// Cuts a tree off so that it has so many parts or more; `None` when stopped.
    pub(crate) fn cut(&self, root: &Subproblem, parts: usize) -> io::Result<Option<Cut>> {
        let budget = &Budget::new(u64::MAX);
        let mut last: Option<Cut> = None;
        for depth in 0.. {
            let mut top = Vec::new();
            let run = self.run(root, CutOff::AtDepth(depth), budget, Some(&mut top))?;
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
    pub(crate) fn run(
        &self,
        part: &Subproblem,
        cut_off: CutOff,
        budget: &Budget<'_>,
        out: Option<impl Write>,
    ) -> io::Result<Run> {
        self.run_on(&self.instance, &self.numbers, part, cut_off, budget, out)
    }

    /// The same with other regions, which have these numbers in proofs.
    fn run_on(
        &self,
        instance: &Instance,
        numbers: &[usize],
        part: &Subproblem,
        cut_off: CutOff,
        budget: &Budget<'_>,
        out: Option<impl Write>,
    ) -> io::Result<Run> {
        let control = self.settings.control;
        let Some(out) = out else {
            return Ok(Search::new(instance, cut_off, budget, control, Silent).run(part).0);
        };
        self.write_with(numbers, out, |tree| Search::new(instance, cut_off, budget, control, tree).run(part))
    }

    /// Writes nodes of a tree.
    pub(crate) fn write<O: Write, T>(
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
    pub(crate) fn tree<O: Write>(&self, out: O) -> Tree<'_, O> {
        Tree::new(out, self.board, &self.indexed, &self.numbers)
    }

    /// What the relaxations have in common.
    pub(crate) fn context(&self) -> &RelaxationContext {
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
    pub(crate) fn write_regions(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "order {}", self.order.word())?;
        self.slabs.iter().try_for_each(|&Slab { axis, from, width, demand }| {
            writeln!(out, "slab {} {from}-{} {demand}", axis + 1, from + width - 1)
        })
    }

    pub(crate) fn judge(
        &self,
        end: Result<(), End>,
        done: f64,
        tree: Option<SpooledTempFile>,
    ) -> Feasibility {
        match end {
            Ok(()) => Feasibility::Infeasible(tree),
            Err(End::Found(found)) => {
                Feasibility::Feasible(found.into_iter().map(|p| self.indexed.squares[p]).collect())
            }
            Err(End::Stopped) => Feasibility::Stopped(done),
        }
    }
}
