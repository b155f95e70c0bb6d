//! Refuting a part of a tree: by covers, and where that takes long by fractional ones.
//!
//! A part is searched first, with a limit on nodes. If its tree is larger, what was found is dropped, and the relaxation
//! of its node is solved. Squares that weigh most in the LP are taken out one after another, until what is left does not
//! hold the queens: a queen stands on one of those taken out, and each of them makes a smaller part. Where symmetry still
//! acts, a square stands for its orbit.

use std::io::{self, Seek as _, Write};

use tempfile::SpooledTempFile;

use crate::proof::{self, HELD_IN_MEMORY};
use crate::schedule::task::Task;
use crate::schedule::turns::run_in_turns;
use crate::search::budget::Budget;
use crate::search::instance::Subproblem;
use crate::search::log::Log as _;
use crate::search::relaxation::{Relaxation, RelaxationRow};
use crate::search::tree_search::{CutOff, End, Run};
use crate::settings::Relax;

/// The nodes after which a tree is large below a node whose relaxation was solved, which takes about as long as these.
const LARGE_BELOW: u64 = 1 << 10;

/// A node with its children.
struct Opened {
    /// The nodes above the children, as a tree that is cut off writes them.
    top: Vec<u8>,
    children: Vec<Subproblem>,
    /// The rows of its relaxation that say most.
    rows: Vec<RelaxationRow>,
    nodes: u64,
    /// The part of the tree that needs no child.
    done: f64,
}

impl Task<'_> {
    /// Searches below a part; its tree goes to `out`, if that is given. `above` are the rows that said most at the node above.
    /// The tree does not depend on the number of threads.
    pub(crate) fn refute(
        &self,
        part: &Subproblem,
        above: &[RelaxationRow],
        budget: &Budget<'_>,
        out: Option<&mut dyn Write>,
    ) -> io::Result<Run> {
        let (most, cut_off) = match self.settings.components.relax {
            _ if !self.settings.relaxes(self.board) => return self.run(part, CutOff::Never, budget, out),
            Relax::Always => (u64::MAX, CutOff::AtDepth(0)),
            _ if above.is_empty() => (self.settings.large_tree, CutOff::Never),
            _ => (LARGE_BELOW, CutOff::Never),
        };
        let left = budget.left();
        let mut text = out.is_some().then(Vec::new);
        let mut run = self.run(part, cut_off, &Budget::new(most.min(left)), text.as_mut())?;
        budget.spend(run.nodes.min(left));
        match run.end {
            Ok(()) if run.parts.is_empty() => {
                if let (Some(out), Some(text)) = (out, text) {
                    out.write_all(&text)?;
                }
                return Ok(run);
            }
            Err(End::Found(_)) => return Ok(run),
            _ if left <= most && most < u64::MAX || self.settings.control.is_stopped() => return Ok(run),
            _ => drop(text),
        }
        self.settings.control.uncount_progress(run.done);
        let opened = match self.relax(part, above)? {
            Some(opened) => opened,
            None => self.open(part, above)?,
        };
        run = Run { end: Ok(()), nodes: run.nodes + opened.nodes, done: opened.done, parts: Vec::new() };
        let told = out.is_some();
        let search = |_: usize, child: &Subproblem, budget: &Budget<'_>| {
            let mut tree = told.then(|| io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY >> 4)));
            let run =
                self.refute(child, &opened.rows, budget, tree.as_mut().map(|tree| tree as &mut dyn Write))?;
            let tree = tree.map(io::BufWriter::into_inner).transpose();
            Ok((run, tree.map_err(io::IntoInnerError::into_error)?))
        };
        let (below, mut trees) = run_in_turns(&opened.children, budget, self.settings.control, search)?;
        run.nodes += below.nodes;
        run.done += below.done;
        run.end = below.end;
        if let (Some(out), Ok(())) = (out, &run.end) {
            proof::join_seamlessly(opened.top.as_slice(), out, &mut |number, out| {
                let tree = trees[number].as_mut().expect("each child has one");
                tree.rewind()?;
                io::copy(tree, out).map(drop)
            })?;
        }
        Ok(run)
    }

    /// Opens a node by its relaxation; `None` when the solver has nothing to say, or when stopped.
    fn relax(&self, part: &Subproblem, above: &[RelaxationRow]) -> io::Result<Option<Opened>> {
        let asked = self.instance.whole().demand - part.placed.len() as i32;
        let context = self.context();
        let free = part.free.ones().collect();
        let relaxed = |solver| Relaxation::new(solver, context, &part.placed, free, asked, above);
        let Some(mut relaxation) = self.settings.lp.and_then(relaxed) else { return Ok(None) };
        let mut squares = Vec::new();
        let cover = loop {
            if let Some(cover) = relaxation.tighten(self.settings.control) {
                break cover;
            }
            let Some(x) = relaxation.heaviest() else { return Ok(None) };
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
                tree.fractional(&cover, context.boxes.as_ref(), &squares);
            }
            for (number, &x) in squares.iter().enumerate() {
                if symmetric {
                    tree.orbit(x, &part.elements);
                }
                tree.part(number);
                children.push(rest.with_queen(x, &self.instance, share));
                rest.free.difference_with(&part.orbit(x, &self.instance));
            }
            if symmetric {
                tree.fractional(&cover, context.boxes.as_ref(), &[]);
            }
            ((), tree)
        })?;
        Ok(Some(Opened { top, children, rows: relaxation.binding(), nodes: 1, done }))
    }

    /// Opens a node by covers.
    fn open(&self, part: &Subproblem, above: &[RelaxationRow]) -> io::Result<Opened> {
        let mut top = Vec::new();
        let run = self.run(part, CutOff::AtDepth(1), &Budget::new(u64::MAX), Some(&mut top))?;
        Ok(Opened { top, children: run.parts, rows: above.to_vec(), nodes: run.nodes, done: run.done })
    }
}
