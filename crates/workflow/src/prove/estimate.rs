//! Estimated duration of a proof: the size of its search tree, computed from samples.

use std::path::Path;
use std::time::Instant;

use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::{Estimate, Order, Question, Settings, Step, WorkStore};
use ndqueens_model::board::{Board, Grid};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::Piece;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::thread::with_threads;

use crate::run::exact_engine::{BoxesMonitor, FOUND_BY, WorkFolder, settings};
use crate::run::placement_check::{self, ensure_size, is_valid_target};
use crate::run::{SplitError, Watch, WorkflowError, run_watched};

/// Request for an estimate.
#[derive(Debug, Clone)]
pub struct Sampling<'a> {
    /// Number of queens, `k`; the trees decide whether `k` queens fit.
    pub at_least: u64,
    /// Random walks down each tree.
    pub samples: u64,
    /// Seed of the walks. Seed, threads and node limit also apply to the bounds of the boxes inside.
    pub options: Options,
    /// Folder in which settled boxes are cached.
    pub work: Option<&'a Path>,
}

/// Estimated sizes of the search trees.
#[derive(Debug)]
pub struct Estimated {
    /// Estimates, one for each order of the squares.
    pub trees: Vec<Tree>,
    /// Checked placement of that many queens; in this case there is nothing to prove.
    pub fits: Option<Certificate>,
    /// Reason why the work stopped early.
    pub stop: Option<StopReason>,
}

/// Estimated size of a search tree.
#[derive(Debug, Clone, Copy)]
pub struct Tree {
    /// Order of the squares.
    pub order: Order,
    /// Estimated number of nodes: the mean over the walks.
    pub nodes: f64,
    /// Standard error of the mean.
    pub error: f64,
    /// Number of walks.
    pub samples: u64,
    /// Seconds on one thread, at the speed of the walks.
    pub seconds: f64,
}

impl Tree {
    /// Formats the size: `1 node`, `52000 nodes`, `3.4e7 nodes`.
    #[must_use]
    pub fn size(&self) -> String {
        match self.nodes.round() {
            nodes if nodes < 1e6 => counted(nodes, "node"),
            nodes => format!("{nodes:.1e} nodes"),
        }
    }
}

/// Bounds the boxes inside a board, and estimates the trees of the question of whether `at_least` queens fit.
///
/// # Errors
/// Returns an error if the board is too large, if `at_least` is 0 or more than the number of squares, or if
/// the folder cannot be used.
pub fn estimate(
    board: &Board,
    sampling: &Sampling<'_>,
    watch: &mut Watch<'_>,
) -> Result<Estimated, WorkflowError> {
    ensure_size(board)?;
    if !is_valid_target(sampling.at_least, board) {
        return Err(SplitError::Queens { board: board.name().to_string(), squares: board.size() }.into());
    }
    let control = Control::default();
    let monitor = BoxesMonitor::new(&control);
    let folder =
        sampling.work.map(|folder| WorkFolder::of_boxes(folder, &sampling.options.notes)).transpose()?;
    let box_cache = folder.as_ref().map(|folder| folder as &dyn WorkStore);
    let settings = Settings { box_cache, ..settings(&sampling.options, &control) };
    let (estimates, stop) = run_watched(
        &control,
        Deadline::after(sampling.options.time_limit),
        watch,
        &|seconds| monitor.now(seconds),
        |_| {
            let mut table = BoxTable::new(board.grid().map_or(Piece::Queen, Grid::piece));
            if let Some(grid) = board.plain_box() {
                let report = &mut |step: Step<'_>| monitor.record(step);
                let fill = || table.fill_inside(grid.sides(), &settings, None, report);
                if !with_threads(settings.threads, fill)??.is_finished() {
                    return Ok(Vec::new());
                }
            }
            let of = |order| {
                let begin = Instant::now();
                let question = Question::new(board, sampling.at_least, order, &table, &settings);
                Ok((order, question.estimate(&settings, sampling.samples)?, begin.elapsed().as_secs_f64()))
            };
            Order::ALL.into_iter().map(of).collect::<std::io::Result<Vec<_>>>()
        },
    );
    let mut estimated = Estimated { trees: Vec::new(), fits: None, stop };
    for (order, estimate, seconds) in estimates.map_err(WorkflowError::engine)? {
        match estimate {
            Estimate::Nodes { mean, error, samples, met } if samples > 0 => {
                let seconds = mean * seconds / met.max(1) as f64;
                estimated.trees.push(Tree { order, nodes: mean, error, samples, seconds });
            }
            Estimate::Nodes { .. } => {}
            Estimate::Found(squares) => {
                let fits = placement_check::certify(board, &squares, Problem::IndependentSet, &[], FOUND_BY)?;
                estimated.fits = Some(fits);
            }
        }
    }
    Ok(estimated)
}
