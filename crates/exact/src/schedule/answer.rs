//! A question answered: at once, on several threads, by cases, or part by part.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crate::question::{Feasibility, Question};
use crate::schedule::enumeration::Enumeration;
use crate::schedule::estimate::Estimate;
use crate::schedule::task::Task;
use crate::search::budget::Budget;
use crate::search::instance::Subproblem;
use crate::settings::Settings;

/// A question whose tree is cut off, so that its parts can be searched one by one.
pub struct Split<'a> {
    /// The number of decisions after which the tree is cut off.
    pub depth: u32,
    /// For each part its part of the tree, when the children of a node count alike.
    pub weights: Vec<f64>,
    /// The slabs and the tree above, as a proof writes them, with the parts marked.
    pub top: Vec<u8>,
    task: Task<'a>,
    parts: Vec<Subproblem>,
    /// The pieces of parts that were cut again, by the numbers that lead to them.
    pieces: Mutex<HashMap<Vec<usize>, Subproblem>>,
}

/// A part that is cut again.
#[derive(Debug, Clone, PartialEq)]
pub struct Recut {
    /// For each piece its part of the whole tree.
    pub weights: Vec<f64>,
    /// The tree of the part above its pieces, which are marked like parts.
    pub top: Vec<u8>,
}

impl Split<'_> {
    /// Searches one part with at most so many nodes, and writes its tree as far as it comes. A part has one number; a piece of
    /// one that was cut again has the numbers that lead to it.
    ///
    /// # Errors
    /// When the tree cannot be written, or there is no such part.
    pub fn run(&self, part: &[usize], node_limit: u64, out: &mut dyn Write) -> io::Result<Feasibility> {
        let run = self.task.refute(&self.part(part)?, &[], &Budget::new(node_limit), Some(out))?;
        Ok(self.task.judge(run.end, run.done, None))
    }

    /// Cuts a part again so that it has so many pieces or more, which then can be searched like parts. `None` when stopped, or
    /// when its tree has fewer.
    ///
    /// # Errors
    /// When there is no such part.
    pub fn recut(&self, part: &[usize], pieces: usize) -> io::Result<Option<Recut>> {
        let cut = self.task.cut(&self.part(part)?, pieces)?;
        let Some(cut) = cut.filter(|cut| cut.run.parts.len() > 1) else { return Ok(None) };
        let weights = cut.run.parts.iter().map(|piece| piece.weight).collect();
        let mut known = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, piece) in cut.run.parts.into_iter().enumerate() {
            known.insert([part, &[number]].concat(), piece);
        }
        Ok(Some(Recut { weights, top: cut.top }))
    }

    /// Whether a part was cut again before.
    #[must_use]
    pub fn is_cut(&self, part: &[usize]) -> bool {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&[part, &[0]].concat())
    }

    fn part(&self, part: &[usize]) -> io::Result<Subproblem> {
        let found = match *part {
            [number] => self.parts.get(number).cloned(),
            _ => self.pieces.lock().unwrap_or_else(PoisonError::into_inner).get(part).cloned(),
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
    /// Searches for the queens. The answer, and the number of nodes. The tree does not depend on the number of threads, but
    /// the squares found may.
    ///
    /// # Errors
    /// When the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer(&self, settings: &Settings<'_>, node_limit: u64) -> io::Result<(Feasibility, u64)> {
        Task::new(self, settings)?.answer(node_limit)
    }

    /// The same by cases: how many queens each layer holds. `None` when there are none, or too many of them.
    ///
    /// # Errors
    /// When the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer_by_layers(
        &self,
        settings: &Settings<'_>,
        node_limit: u64,
    ) -> io::Result<Option<(Feasibility, u64)>> {
        Task::new(self, settings)?.answer_by_layers(node_limit)
    }

    /// Estimates the size of the tree by going down it at random so many times, or until stopped.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn estimate(&self, settings: &Settings<'_>, samples: u64) -> io::Result<Estimate> {
        Ok(Task::new(self, settings)?.estimate(samples))
    }

    /// Prepares the search for every placement of the queens: cuts the tree off at the least depth at which it has `parts`
    /// parts or more, or at its end. At most `keep` orbits of solutions are kept in each tally. With proofs, the tree
    /// is written, too. `None` when stopped.
    ///
    /// # Errors
    /// When the board is too large, or the tree cannot be written.
    pub fn enumerate(
        &self,
        settings: &Settings<'a>,
        parts: usize,
        keep: usize,
    ) -> io::Result<Option<Enumeration<'a>>> {
        Task::new(self, settings)?.enumerate(parts, keep)
    }

    /// Cuts the tree off at the least depth at which it has `parts` parts or more, or at the last one before it ends with the
    /// queens found. A tree that ends without them before there are as many has no parts. `None` when stopped.
    ///
    /// # Errors
    /// When the board is too large.
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
