//! A question on numbered squares, and the search of its tree: sequential, on several threads, or cut off at
//! a depth.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Board;
use tempfile::SpooledTempFile;

use crate::boxes::slab::Slab;
use crate::proof::{MAX_BYTES_IN_MEMORY, ProofTreeWriter};
use crate::question::{Feasibility, Question};
use crate::schedule::pieces::search_in_pieces;
use crate::search::budget::Budget;
use crate::search::indexed_board::{BoardsByOrder, IndexedBoard, IndexedBoards, Order, ensure_size};
use crate::search::instance::{Instance, OrbitalBranching, Region, Subproblem};
use crate::search::log::NoLog;
use crate::search::relaxation::{BoxBounds, RelaxationContext};
use crate::search::tree_search::{CutOff, End, Run, Search};
use crate::settings::Settings;

/// Node limit below which a search is not divided.
const MIN_NODES_TO_DIVIDE: u64 = 1 << 12;

/// Returns where a search with a node limit is cut off so that threads share the rest.
pub(crate) fn cut_off_for(node_limit: u64) -> CutOff {
    match node_limit {
        ..MIN_NODES_TO_DIVIDE => CutOff::Never,
        _ => CutOff::AfterNodes((node_limit >> 6).clamp(1 << 8, 1 << 11)),
    }
}

/// Question on numbered squares.
pub(crate) struct Task<'a> {
    pub(crate) board: &'a Board,
    pub(crate) settings: Settings<'a>,
    pub(crate) indexed: Arc<IndexedBoard>,
    order: Order,
    /// Number of queens.
    pub(crate) size: u64,
    /// Slabs, in the order of the regions.
    pub(crate) slabs: Vec<Slab>,
    pub(crate) instance: Instance,
    /// Numbers of the regions in proofs.
    numbers: Vec<usize>,
    /// Upper bounds of 1, 2, ... consecutive layers across each axis, but not of all layers.
    pub(crate) layers: Vec<Vec<u64>>,
    /// Upper bounds of the boxes inside by their sorted sides. Empty if the question is not split into cases.
    pub(crate) bounds: HashMap<Vec<u32>, u64>,
    /// Upper bounds of the boxes inside, for the relaxations.
    known: Vec<(Vec<u32>, u64)>,
    /// Data that all relaxations share, computed when it is needed.
    context: OnceLock<RelaxationContext>,
}

/// Maximum depth at which a tree is cut off. Each depth is searched from the root again, and trees that are
/// still narrow at this depth, such as that of a long path, are best searched as a whole.
pub(crate) const MAX_CUT_DEPTH: u32 = 64;

type TreeWriter = BufWriter<SpooledTempFile>;

/// Returns the file of a tree.
fn into_file(tree: Option<TreeWriter>) -> io::Result<Option<SpooledTempFile>> {
    tree.map(BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)
}

/// Tree that is cut off. `top` has its nodes without the lines above them.
pub(crate) struct Cut {
    pub(crate) depth: u32,
    pub(crate) top: Vec<u8>,
    pub(crate) run: Run,
}

impl<'a> Task<'a> {
    /// Creates the task of a question.
    ///
    /// # Errors
    /// Returns an error if the board is too large.
    pub(crate) fn new(question: &Question<'a>, settings: &Settings<'a>) -> io::Result<Self> {
        ensure_size(question.board)?;
        let made = BoardsByOrder::default();
        let boards = IndexedBoards::new(question.board, settings.components.symmetry, &made);
        Ok(Self::on(&boards, question, settings))
    }

    /// Creates the task of a question on a board whose squares may be numbered already.
    pub(crate) fn on(boards: &IndexedBoards<'_>, question: &Question<'a>, settings: &Settings<'a>) -> Self {
        let board = question.board;
        let indexed = boards.get(question.order);
        // Demands above the number of squares plus 1 cannot be met either.
        let region =
            |demand: u64, squares| Region { squares, demand: demand.min(board.size() as u64 + 1) as i32 };
        let inside = |slab: &Slab| {
            let from = slab.from as usize;
            indexed.layers_between(slab.axis, from..=from + slab.width as usize - 1)
        };
        let mut regions: Vec<Region> =
            question.slabs.iter().map(|slab| region(slab.demand, inside(slab))).collect();
        regions.push(region(question.at_least, indexed.place_set(board.squares())));
        let orbital = OrbitalBranching::AtEveryNode;
        let instance = Instance::new(Arc::clone(&indexed), regions, settings.components, orbital);
        let (order, slabs) = (question.order, question.slabs.clone());
        let (known, context) = (question.boxes.clone(), OnceLock::new());
        let (size, layers) = (question.at_least, question.layers.clone());
        // The whole board is the last region of the search, and region 0 of a proof.
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

    /// Searches the tree. Returns the answer and the number of nodes. Neither of them depends on the number
    /// of threads, nor does the tree.
    pub(crate) fn answer(&self, node_limit: u64) -> io::Result<(Feasibility, u64)> {
        self.answer_within(&Budget::new(node_limit))
    }

    /// Searches the tree like [`Self::answer`] within a budget.
    pub(crate) fn answer_within(&self, budget: &Budget<'_>) -> io::Result<(Feasibility, u64)> {
        let node_limit = budget.remaining();
        let mut head = Vec::new();
        self.write_regions(&mut head)?;
        let (run, tree) = match self.settings.has_relaxation(self.board) {
            true => {
                let mut tree = self.new_tree(&head)?;
                let out = tree.as_mut().map(|tree| tree as &mut dyn Write);
                (self.refute(&self.instance.root(), budget, out)?, into_file(tree)?)
            }
            false => {
                let root = self.instance.root();
                self.search(&self.instance, &self.numbers, &root, &head, budget, cut_off_for(node_limit))?
            }
        };
        let nodes = self.count_nodes(&run, node_limit);
        Ok((self.answer_of(run.end, run.done, tree), nodes))
    }

    /// Returns the number of nodes of a search, but at most its limit: how far a search exceeds the limit
    /// depends on the threads.
    pub(crate) fn count_nodes(&self, run: &Run, node_limit: u64) -> u64 {
        let met = run.end == Err(End::Stopped) && !self.settings.control.is_stopped();
        if met { node_limit } else { run.nodes }
    }

    /// Creates the file of a tree that begins with these lines, if proofs are written.
    fn new_tree(&self, head: &[u8]) -> io::Result<Option<TreeWriter>> {
        let tree = self.settings.proofs.then(|| BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY)));
        tree.map(|mut tree| tree.write_all(head).map(|()| tree)).transpose()
    }

    /// Searches below a part on all threads, in pieces given by `piece`, or on one thread if the search is
    /// never cut off. `instance` has the regions, and `numbers` their numbers in proofs. The tree begins with
    /// `head`, and does not depend on the threads.
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
            return Ok((run, into_file(tree)?));
        };
        let search = |part: &Subproblem, cut_off: CutOff, budget: &Budget<'_>| {
            let mut tree = self.settings.proofs.then(Vec::new);
            let run = self.run_on(instance, numbers, part, cut_off, budget, tree.as_mut())?;
            Ok((run, tree))
        };
        search_in_pieces(part, budget, self.settings.control, tree, nodes, &search)
    }

    /// Searches for a solution on one thread and without a proof. If the number of queens is that of the
    /// lines in a partition of the board, the search branches on lines, which finds solutions sooner.
    pub(crate) fn answer_on_lines(mut self, node_limit: u64) -> io::Result<(Feasibility, u64)> {
        self.branch_on_lines();
        let budget = Budget::new(node_limit);
        let run = self.run(&self.instance.root(), CutOff::Never, &budget, None::<io::Sink>)?;
        Ok((self.answer_of(run.end, run.done, None), run.nodes))
    }

    /// Cuts a tree off at the least depth at which it has `parts` parts or more. Returns `None` if the search
    /// was stopped.
    pub(crate) fn cut(&self, root: &Subproblem, parts: usize) -> io::Result<Option<Cut>> {
        let budget = &Budget::new(u64::MAX);
        let mut last: Option<Cut> = None;
        for depth in 0.. {
            let mut top = Vec::new();
            let run = self.run(root, CutOff::AtDepth(depth), budget, Some(&mut top))?;
            match run.end {
                Ok(()) => {}
                Err(_) => {
                    self.settings.control.uncount_progress(run.done);
                    let found = matches!(run.end, Err(End::Found(_)));
                    return Ok(last.filter(|_| found));
                }
            }
            let enough = run.parts.is_empty() || run.parts.len() >= parts || depth == MAX_CUT_DEPTH;
            if let Some(Cut { run: shallower, .. }) = last.replace(Cut { depth, top, run }) {
                self.settings.control.uncount_progress(shallower.done);
            }
            if enough {
                break;
            }
        }
        Ok(last)
    }

    /// Searches below a part, and writes its tree to `out`, if given.
    pub(crate) fn run(
        &self,
        part: &Subproblem,
        cut_off: CutOff,
        budget: &Budget<'_>,
        out: Option<impl Write>,
    ) -> io::Result<Run> {
        self.run_on(&self.instance, &self.numbers, part, cut_off, budget, out)
    }

    /// Searches below a part like [`Self::run`], with other regions. `numbers` are their numbers in proofs.
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
            return Ok(Search::new(instance, cut_off, budget, control, NoLog).run(part).0);
        };
        self.write_with(numbers, out, |tree| Search::new(instance, cut_off, budget, control, tree).run(part))
    }

    /// Writes nodes of a tree.
    pub(crate) fn write<O: Write, T>(
        &self,
        out: O,
        nodes: impl FnOnce(ProofTreeWriter<'_, O>) -> (T, ProofTreeWriter<'_, O>),
    ) -> io::Result<T> {
        self.write_with(&self.numbers, out, nodes)
    }

    /// Writes nodes of a tree, with the given numbers of the regions.
    fn write_with<O: Write, T>(
        &self,
        numbers: &[usize],
        out: O,
        nodes: impl FnOnce(ProofTreeWriter<'_, O>) -> (T, ProofTreeWriter<'_, O>),
    ) -> io::Result<T> {
        let (result, tree) = nodes(ProofTreeWriter::new(out, self.board, &self.indexed, numbers));
        tree.finish()?;
        Ok(result)
    }

    /// Creates the writer of a tree.
    pub(crate) fn tree_writer<O: Write>(&self, out: O) -> ProofTreeWriter<'_, O> {
        ProofTreeWriter::new(out, self.board, &self.indexed, &self.numbers)
    }

    /// Returns the data that all relaxations share.
    pub(crate) fn relaxation_context(&self) -> &RelaxationContext {
        self.context.get_or_init(|| {
            let size = self.indexed.squares.len();
            let set = |x| {
                FixedBitSet::with_capacity_and_blocks(
                    size,
                    self.indexed.attacks.neighbours(x).iter().copied(),
                )
            };
            let attacks = (0..size).map(set).collect();
            let grid = self.board.grid().filter(|grid| !grid.is_torus() && !self.known.is_empty());
            RelaxationContext {
                attacks,
                boxes: grid.map(|grid| BoxBounds::new(grid.sides(), &self.indexed.squares, &self.known)),
            }
        })
    }

    /// Writes the lines above the nodes of the tree: the order of the squares, and the slabs.
    pub(crate) fn write_regions(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "order {}", self.order.keyword())?;
        self.slabs.iter().try_for_each(|&Slab { axis, from, width, demand }| {
            writeln!(out, "slab {} {from}-{} {demand}", axis + 1, from + width - 1)
        })
    }

    /// Returns the answer, given the end of the search, the part of the tree that was completed, and the
    /// tree.
    pub(crate) fn answer_of(
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
