//! A question whose tree is cut off, so that its parts can be searched one by one.

use std::io::{self, Write};

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
    /// Cuts the tree off at the least depth at which it has `parts` parts or more, or at the last one before it ends with the
    /// queens found. A tree that ends without them before there are as many has no parts. `None` when stopped.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn split(&self, settings: &Settings<'a>, parts: usize) -> io::Result<Option<Split<'a>>> {
        let task = Task::new(self, settings)?;
        let Some(cut) = task.cut(&task.seed()?, parts, &Budget::new(u64::MAX))? else { return Ok(None) };
        let weights = cut.run.parts.iter().map(|part| part.weight).collect();
        let parts = cut.run.parts;
        let run_part = Box::new(move |number: usize, out: &mut dyn Write| {
            let run = task.refute(&parts[number], &[], &Budget::new(u64::MAX), Some(out))?;
            Ok(task.judge(run.end, run.done, None))
        });
        Ok(Some(Split { depth: cut.depth, weights, top: cut.top, run_part }))
    }
}
