//! Refutation of a part of a tree, by covers with cliques, and by fractional covers if that takes long.
//!
//! A part is searched first, with a limit on nodes. If its tree is larger, the search is discarded, and the
//! LP relaxation of its node is solved. Squares with the largest values are removed one after another until
//! the relaxation shows that the remaining squares do not hold the queens. Each solution then has a queen on
//! one of the squares removed, and each of these squares is a child. If symmetries are left, a square
//! represents its orbit.
//!
//! A large board is divided first, by covers, into many parts: without queens, most squares of its root have
//! similar values in the LP solution, so that many would be removed, each after an LP of all squares.

use std::io::{self, Seek as _, Write};

use ndqueens_model::board::Board;
use tempfile::SpooledTempFile;

use crate::proof::{self, MAX_BYTES_IN_MEMORY};
use crate::schedule::task::{Cut, Task};
use crate::schedule::turns::run_in_turns;
use crate::search::budget::Budget;
use crate::search::instance::Subproblem;
use crate::search::log::Log as _;
use crate::search::relaxation::{Relaxation, RelaxationRow};
use crate::search::tree_search::{CutOff, End, Run};
use crate::settings::{Relax, Settings};

/// Node limit of the search below a node whose relaxation was solved. A relaxation takes about as long as
/// this number of nodes.
const NODES_BELOW_RELAXATION: u64 = 1 << 10;

/// Number of squares above which a board is divided before relaxations are solved.
const MAX_SQUARES_UNDIVIDED: usize = 450;

/// Least number of parts into which a board is divided.
const PARTS: usize = 1000;

/// Node limit of the search of such a part before its relaxation is solved.
const NODES_PER_PART: u64 = 1 << 13;

/// Node with its children.
struct BranchedNode {
    /// Nodes above the children, with marks for the children.
    top: Vec<u8>,
    children: Vec<Subproblem>,
    /// Binding rows of its relaxation.
    rows: Vec<RelaxationRow>,
    /// Number of nodes above which the tree of a child is large.
    large_tree: u64,
    nodes: u64,
    /// Part of the tree that needs no child.
    done: f64,
    /// Reason why not all children are known, if branching found a solution or was stopped.
    end: Result<(), End>,
}

/// Returns `true` if the root of a search on this board is divided before relaxations are solved.
pub(crate) fn is_divided(board: &Board, settings: &Settings<'_>) -> bool {
    settings.has_relaxation(board) && board.size() > MAX_SQUARES_UNDIVIDED
}

impl Task<'_> {
    /// Searches below a part, and writes its tree to `out`, if given. The tree does not depend on the number
    /// of threads.
    ///
    /// # Errors
    /// Returns an error if the tree cannot be written.
    pub(crate) fn refute(
        &self,
        part: &Subproblem,
        budget: &Budget<'_>,
        out: Option<&mut dyn Write>,
    ) -> io::Result<Run> {
        self.refute_below(part, &[], self.settings.large_tree, budget, out)
    }

    /// Searches below a part. `above` has the binding rows of the node above, if its relaxation was solved;
    /// otherwise, a tree of more than `large_tree` nodes is searched again with relaxations.
    fn refute_below(
        &self,
        part: &Subproblem,
        above: &[RelaxationRow],
        large_tree: u64,
        budget: &Budget<'_>,
        out: Option<&mut dyn Write>,
    ) -> io::Result<Run> {
        let (most, cut_off) = match self.settings.components.relax {
            _ if !self.settings.has_relaxation(self.board) => {
                return self.run(part, CutOff::Never, budget, out);
            }
            Relax::Always => (u64::MAX, CutOff::AtDepth(0)),
            _ if above.is_empty() => (large_tree, CutOff::Never),
            _ => (NODES_BELOW_RELAXATION, CutOff::Never),
        };
        let left = budget.remaining();
        let mut text = out.is_some().then(Vec::new);
        let run = self.run(part, cut_off, &Budget::new(most.min(left)), text.as_mut())?;
        budget.spend(run.nodes.min(left));
        match run.end {
            Ok(()) if run.parts.is_empty() => {
                if let (Some(out), Some(text)) = (out, text) {
                    out.write_all(&text)?;
                }
                return Ok(run);
            }
            Err(End::Found(_)) => return Ok(run),
            _ if left <= most && most < u64::MAX || self.settings.control.is_stopped() => {
                // Parts that were cut off are not refuted.
                let end = run.end.and(Err(End::Stopped));
                return Ok(Run { end, parts: Vec::new(), ..run });
            }
            _ => drop(text),
        }
        self.settings.control.uncount_progress(run.done);
        let branched = self.branch(part, above, large_tree)?;
        let (nodes, done) = (run.nodes + branched.nodes, branched.done);
        if branched.end.is_err() {
            return Ok(Run { end: branched.end, nodes, done, parts: Vec::new() });
        }
        let below = self.refute_children(&branched, budget, out)?;
        Ok(Run { nodes: nodes + below.nodes, done: done + below.done, parts: Vec::new(), ..below })
    }

    /// Searches below the children of a node, and writes their trees to `out`, if given, below that of the
    /// node.
    fn refute_children(
        &self,
        branched: &BranchedNode,
        budget: &Budget<'_>,
        out: Option<&mut dyn Write>,
    ) -> io::Result<Run> {
        let writes_tree = out.is_some();
        let search = |_: usize, child: &Subproblem, budget: &Budget<'_>| {
            let mut tree =
                writes_tree.then(|| io::BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY >> 4)));
            let out = tree.as_mut().map(|tree| tree as &mut dyn Write);
            let run = self.refute_below(child, &branched.rows, branched.large_tree, budget, out)?;
            let tree = tree.map(io::BufWriter::into_inner).transpose();
            Ok((run, tree.map_err(io::IntoInnerError::into_error)?))
        };
        let (below, mut trees) = run_in_turns(&branched.children, budget, self.settings.control, search)?;
        if let (Some(out), Ok(())) = (out, &below.end) {
            proof::join_seamlessly(branched.top.as_slice(), out, &mut |number, out| {
                let tree = trees[number].as_mut().expect("each child has a tree");
                tree.rewind()?;
                io::copy(tree, out).map(drop)
            })?;
        }
        Ok(below)
    }

    /// Branches on a node: divides the root of a large board, and solves the relaxation of any other node.
    fn branch(
        &self,
        part: &Subproblem,
        above: &[RelaxationRow],
        large_tree: u64,
    ) -> io::Result<BranchedNode> {
        if part.placed.is_empty() && is_divided(self.board, &self.settings) {
            return self.divide(part);
        }
        match self.branch_by_relaxation(part, above)? {
            Some(branched) => Ok(branched),
            None => self.branch_by_cover(part, above, large_tree),
        }
    }

    /// Branches on a node by its relaxation. Returns `None` if there is no relaxation or the search was
    /// stopped.
    fn branch_by_relaxation(
        &self,
        part: &Subproblem,
        above: &[RelaxationRow],
    ) -> io::Result<Option<BranchedNode>> {
        let queens_left = self.instance.whole_region().demand - part.placed.len() as i32;
        let context = self.relaxation_context();
        let free = part.free.ones().collect();
        let relaxed = |solver| Relaxation::new(solver, context, &part.placed, free, queens_left, above);
        let Some(mut relaxation) = self.settings.lp.and_then(relaxed) else { return Ok(None) };
        let mut squares = Vec::new();
        let cover = loop {
            if let Some(cover) = relaxation.tighten(self.settings.control) {
                break cover;
            }
            let Some(x) = relaxation.heaviest_square() else { return Ok(None) };
            if self.settings.control.is_stopped() {
                return Ok(None);
            }
            part.orbit(x, &self.instance).ones().for_each(|x| relaxation.remove(x));
            squares.push(x);
        };
        let done = if squares.is_empty() { part.weight } else { 0.0 };
        self.settings.control.count(1, done);
        let share = part.weight / squares.len() as f64;
        let mut rest = part.clone();
        let (mut top, mut children) = (Vec::new(), Vec::new());
        self.write(&mut top, |mut tree| {
            let symmetric = part.elements.len() > 1;
            if !symmetric {
                tree.write_fractional_cover(&cover, context.boxes.as_ref(), &squares);
            }
            for (number, &x) in squares.iter().enumerate() {
                if symmetric {
                    tree.log_orbit(x, &part.elements);
                }
                tree.log_part(number);
                children.push(rest.with_queen(x, &self.instance, share));
                rest.free.difference_with(&part.orbit(x, &self.instance));
            }
            if symmetric {
                tree.write_fractional_cover(&cover, context.boxes.as_ref(), &[]);
            }
            ((), tree)
        })?;
        let (rows, large_tree) = (relaxation.binding_rows(), self.settings.large_tree);
        Ok(Some(BranchedNode { top, children, rows, large_tree, nodes: 1, done, end: Ok(()) }))
    }

    /// Divides the root into parts, by covers with cliques.
    fn divide(&self, root: &Subproblem) -> io::Result<BranchedNode> {
        let Some(Cut { top, run, .. }) = self.cut(root, PARTS)? else {
            return self.branch_by_cover(root, &[], NODES_PER_PART);
        };
        let Run { parts: children, nodes, done, end } = run;
        Ok(BranchedNode { top, children, rows: Vec::new(), large_tree: NODES_PER_PART, nodes, done, end })
    }

    /// Branches on a node by a cover with cliques.
    fn branch_by_cover(
        &self,
        part: &Subproblem,
        above: &[RelaxationRow],
        large_tree: u64,
    ) -> io::Result<BranchedNode> {
        let mut top = Vec::new();
        let run = self.run(part, CutOff::AtDepth(1), &Budget::new(u64::MAX), Some(&mut top))?;
        let Run { parts: children, nodes, done, end } = run;
        Ok(BranchedNode { top, children, rows: above.to_vec(), large_tree, nodes, done, end })
    }
}
