//! Estimates of the size of a tree.

use ndqueens_model::board::Square;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;

use crate::schedule::task::Task;
use crate::search::budget::Budget;
use crate::search::log::NoLog;
use crate::search::tree_search::{CutOff, End, Search};

/// Estimate of the size of a tree from random walks from its root to leaves, by the method of Knuth.
///
/// # References
/// D. E. Knuth, *Estimating the efficiency of backtrack programs*, Mathematics of Computation 29 (1975),
/// 122-136.
#[derive(Debug, Clone, PartialEq)]
pub enum Estimate {
    /// Number of nodes.
    Nodes {
        /// Mean of the estimates of the walks.
        mean: f64,
        /// Standard error of the mean.
        error: f64,
        /// Number of walks.
        samples: u64,
        /// Number of nodes that the walks visited.
        met: u64,
    },
    /// A walk found a solution, on these squares.
    Found(Vec<Square>),
}

impl Task<'_> {
    /// Estimates the size of the tree by `samples` walks.
    pub(crate) fn estimate(&self, samples: u64) -> Estimate {
        let budget = Budget::new(u64::MAX);
        let mut random = ChaCha8Rng::seed_from_u64(self.settings.seed);
        let before = self.settings.control.nodes();
        let mut search = Search::new(&self.instance, CutOff::Never, &budget, self.settings.control, NoLog);
        let (mut walks, mut mean, mut squares) = (0u64, 0.0, 0.0);
        while walks < samples {
            match search.probe(&mut random) {
                Ok(nodes) => {
                    walks += 1;
                    let off = nodes - mean;
                    mean += off / walks as f64;
                    squares += off * (nodes - mean);
                }
                Err(End::Found(found)) => {
                    return Estimate::Found(found.into_iter().map(|p| self.indexed.squares[p]).collect());
                }
                Err(End::Stopped) => break,
            }
        }
        let error = (squares / walks.saturating_sub(1).max(1) as f64 / walks.max(1) as f64).sqrt();
        Estimate::Nodes { mean, error, samples: walks, met: self.settings.control.nodes() - before }
    }
}
