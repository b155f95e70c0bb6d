//! Answers to a question: by one search, by cases, or part by part.

use std::collections::HashMap;
use std::io::{self, Write};

use parking_lot::Mutex;

use crate::question::{Feasibility, Question};
use crate::schedule::enumeration::Enumeration;
use crate::schedule::estimate::Estimate;
use crate::schedule::task::Task;
use crate::search::budget::Budget;
use crate::search::instance::Subproblem;
use crate::settings::Settings;

/// Question whose tree is cut off, so that its parts can be searched one by one.
pub struct Split<'a> {
    /// Number of branchings after which the tree is cut off.
    pub depth: u32,
    /// Weight of each part: its share of the tree if all children of a node have equal shares.
    pub weights: Vec<f64>,
    /// Order, slabs and the nodes above the parts, as in a proof, with marks for the parts.
    pub top: Vec<u8>,
    task: Task<'a>,
    parts: Vec<Subproblem>,
    /// Pieces of parts that were divided further, by the numbers that lead to them.
    pieces: Mutex<HashMap<Vec<usize>, Subproblem>>,
}

/// Part that was divided further.
#[derive(Debug, Clone, PartialEq)]
pub struct Recut {
    /// Weight of each piece in the whole tree.
    pub weights: Vec<f64>,
    /// Nodes of the part above its pieces, with marks for the pieces.
    pub top: Vec<u8>,
}

impl Split<'_> {
    /// Searches one part with at most `node_limit` nodes, and writes its tree as far as it was searched. A
    /// part is given by its number, a piece of a part by the numbers that lead to it.
    ///
    /// # Errors
    /// Returns an error if the tree cannot be written, or there is no such part.
    pub fn run(&self, part: &[usize], node_limit: u64, out: &mut dyn Write) -> io::Result<Feasibility> {
        let run = self.task.refute(&self.part(part)?, &Budget::new(node_limit), Some(out))?;
        Ok(self.task.answer_of(run.end, run.done, None))
    }

    /// Divides a part into `pieces` pieces or more, which can then be searched like parts. Returns `None` if
    /// the search was stopped, or if the part has no more than one piece.
    ///
    /// # Errors
    /// Returns an error if there is no such part.
    pub fn recut(&self, part: &[usize], pieces: usize) -> io::Result<Option<Recut>> {
        let cut = self.task.cut(&self.part(part)?, pieces)?;
        let Some(cut) = cut.filter(|cut| cut.run.parts.len() > 1) else { return Ok(None) };
        let weights = cut.run.parts.iter().map(|piece| piece.weight).collect();
        let mut known = self.pieces.lock();
        for (number, piece) in cut.run.parts.into_iter().enumerate() {
            known.insert([part, &[number]].concat(), piece);
        }
        Ok(Some(Recut { weights, top: cut.top }))
    }

    /// Returns `true` if a part was divided further.
    #[must_use]
    pub fn is_cut(&self, part: &[usize]) -> bool {
        self.pieces.lock().contains_key(&[part, &[0]].concat())
    }

    fn part(&self, part: &[usize]) -> io::Result<Subproblem> {
        let found = match *part {
            [number] => self.parts.get(number).cloned(),
            _ => self.pieces.lock().get(part).cloned(),
        };
        found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no such part"))
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

impl<'a> Question<'a> {
    /// Searches the tree with at most `node_limit` nodes. Returns the answer and the number of nodes. The
    /// tree does not depend on the number of threads, but the solution found may.
    ///
    /// # Errors
    /// Returns an error if the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer(&self, settings: &Settings<'_>, node_limit: u64) -> io::Result<(Feasibility, u64)> {
        Task::new(self, settings)?.answer(node_limit)
    }

    /// Searches by cases for the numbers of queens in layers. Returns `None` if there are no cases, or too
    /// many.
    ///
    /// # Errors
    /// Returns an error if the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer_by_layers(
        &self,
        settings: &Settings<'_>,
        node_limit: u64,
    ) -> io::Result<Option<(Feasibility, u64)>> {
        Task::new(self, settings)?.answer_by_layers(node_limit)
    }

    /// Estimates the size of the tree by `samples` random walks, or fewer if the search is stopped.
    ///
    /// # Errors
    /// Returns an error if the board is too large.
    pub fn estimate(&self, settings: &Settings<'_>, samples: u64) -> io::Result<Estimate> {
        Ok(Task::new(self, settings)?.estimate(samples))
    }

    /// Prepares the enumeration of all solutions: cuts the tree off at the least depth at which it has
    /// `parts` parts or more, or at its end. Each tally keeps at most `keep` orbits of solutions. If the
    /// settings ask for proofs, the tree is written, too. Returns `None` if the search was stopped.
    ///
    /// # Errors
    /// Returns an error if the board is too large, or the tree cannot be written.
    pub fn enumerate(
        &self,
        settings: &Settings<'a>,
        parts: usize,
        keep: usize,
    ) -> io::Result<Option<Enumeration<'a>>> {
        Task::new(self, settings)?.enumerate(parts, keep)
    }

    /// Cuts the tree off at the least depth at which it has `parts` parts or more, or at the last depth
    /// before a solution is found. A tree that is refuted above that depth has no parts. Returns `None` if
    /// the search was stopped.
    ///
    /// # Errors
    /// Returns an error if the board is too large.
    pub fn split(&self, settings: &Settings<'a>, parts: usize) -> io::Result<Option<Split<'a>>> {
        let task = Task::new(self, settings)?;
        let Some(cut) = task.cut(&task.instance.root(), parts)? else { return Ok(None) };
        let mut top = Vec::new();
        task.write_regions(&mut top)?;
        top.extend(cut.top);
        let weights = cut.run.parts.iter().map(|part| part.weight).collect();
        let (parts, pieces) = (cut.run.parts, Mutex::default());
        Ok(Some(Split { depth: cut.depth, weights, top, task, parts, pieces }))
    }
}
