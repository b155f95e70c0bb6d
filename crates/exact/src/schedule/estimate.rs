//! How large a tree will be.

use ndqueens_model::board::Square;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;

use crate::schedule::task::Task;
use crate::search::budget::Budget;
use crate::search::log::Silent;
use crate::search::tree_search::{CutOff, End, Search};

/// What is known of the size of a tree from random walks down it.
#[derive(Debug, Clone, PartialEq)]
pub enum Estimate {
    /// Its size.
    Nodes {
        /// The mean of the walks' estimates.
        mean: f64,
        /// The standard error of the mean.
        error: f64,
        /// The walks.
        samples: u64,
        /// The nodes they met.
        met: u64,
    },
    /// A walk ended with the queens placed, on these squares.
    Found(Vec<Square>),
}

impl Task<'_> {
    /// Estimates the size of the tree by so many walks.
    pub(crate) fn estimate(&self, samples: u64) -> Estimate {
        let budget = Budget::new(u64::MAX);
        let mut random = ChaCha8Rng::seed_from_u64(self.settings.seed);
        let before = self.settings.control.nodes();
        let mut search = Search::new(&self.instance, CutOff::Never, &budget, self.settings.control, Silent);
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
