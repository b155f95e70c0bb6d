//! A question answered: at once, on several threads, by cases, or part by part.

use std::io::{self, Write};

use super::enumeration::Enumeration;
use super::estimate::Estimate;
use super::question::{Answer, Question};
use super::search::Budget;
use super::settings::Settings;
use super::task::Task;

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

impl<'a> Question<'a> {
    /// Searches for the queens. The answer, and the number of nodes. The tree does not depend on the number of threads, but
    /// the squares found may.
    ///
    /// # Errors
    /// When the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer(&self, settings: &Settings<'_>, node_limit: u64) -> io::Result<(Answer, u64)> {
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
    ) -> io::Result<Option<(Answer, u64)>> {
        if self.layers.is_empty() {
            return Ok(None);
        }
        Task::new(self, settings)?.answer_by_layers(node_limit)
    }

    /// Searches on one thread and without a proof. Where there are as many queens as lines in a partition of the board, the search
    /// branches on lines, which finds queens sooner.
    ///
    /// # Errors
    /// When the board is too large.
    pub(super) fn answer_on_lines(
        &self,
        settings: &Settings<'a>,
        node_limit: u64,
    ) -> io::Result<(Answer, u64)> {
        Task::new(self, settings)?.answer_on_lines(node_limit)
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
        let seed = task.seed()?;
        let Some(cut) = task.cut(&seed, parts, &Budget::new(u64::MAX))? else { return Ok(None) };
        let top = [seed.head, cut.top].concat();
        let weights = cut.run.parts.iter().map(|part| part.weight).collect();
        let parts = cut.run.parts;
        let run_part = Box::new(move |number: usize, out: &mut dyn Write| {
            let run = task.refute(&parts[number], &[], &Budget::new(u64::MAX), Some(out))?;
            Ok(task.judge(run.end, run.done, None))
        });
        Ok(Some(Split { depth: cut.depth, weights, top, run_part }))
    }
}
