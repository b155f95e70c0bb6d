//! Weights of solutions, and the proof that no independent set is heavier.

use std::time::Instant;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::weighted::{self, Verdict};
use ndqueens_model::board::Square;
use ndqueens_model::ilp::Ilp;
use ndqueens_model::model::Model;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::{Outcome, Progress};
use ndqueens_system::cancel::Deadline;

use super::refutation::{Refutation, format_placement, violated_inequality};
use crate::record::Answer;
use crate::run::{Event, Watch, WorkflowError, placement_check};

/// Maximum number of nodes of the search for a heavier set.
const MOST_NODES: u64 = 5_000_000;

/// Proof of an optimum, as records and answers name it.
const PROOF: &str = "exhaustive search for a heavier independent set";

/// Weighs the solution of an integer program, and searches for a heavier one.
pub(super) struct Weigher<'a, 'w> {
    pub(super) model: &'a Model<'a>,
    pub(super) ilp: &'a Ilp,
    /// Weight of each square, 0 or more.
    pub(super) weights: &'a [i64],
    pub(super) deadline: Deadline,
    pub(super) watch: &'a mut Watch<'w>,
}

impl Weigher<'_, '_> {
    /// Records the weight of a checked solution. If the solver reports it as an optimum, an exhaustive search
    /// decides whether there is a heavier set, within its limit of nodes; an optimum that it confirms rests on
    /// no bound or inequality of the formulation. Returns a refutation if there is a heavier set.
    ///
    /// # Errors
    /// Returns an error if the heavier set does not pass the check.
    pub(super) fn weigh(
        &mut self,
        certificate: &Certificate,
        outcome: &Outcome,
        answer: &mut Answer,
    ) -> Result<Option<Refutation>, WorkflowError> {
        let squares: Vec<Square> =
            certificate.squares.iter().filter_map(|square| self.model.board().square(square)).collect();
        let weight = self.weight(&squares);
        answer.weight = Some(weight);
        if !matches!(outcome, Outcome::Optimal { .. }) {
            return Ok(None);
        }
        match self.search(weight) {
            Some(Verdict::Holds { .. }) => {
                answer.proof = Some(PROOF.to_owned());
                answer.proved_bound = Some(weight);
                (answer.lemmas, answer.conditions) = (Vec::new(), Vec::new());
                Ok(None)
            }
            Some(Verdict::Violated(heavier)) => {
                let candidates = self.candidates();
                let heavier = heavier.into_iter().map(|place| candidates[place]);
                self.refute(heavier.chain(self.model.variant().include.iter().copied()).collect(), weight)
                    .map(Some)
            }
            Some(Verdict::Undecided) | None => Ok(None),
        }
    }

    /// Returns the sum of the weights of these squares.
    fn weight(&self, squares: &[Square]) -> i64 {
        squares.iter().map(|&square| self.weights[square as usize]).sum()
    }

    /// Returns the squares with a weight that no included square attacks, other than the included ones.
    fn candidates(&self) -> Vec<Square> {
        let (board, include) = (self.model.board(), &self.model.variant().include);
        let rules = definition(board.name());
        let included: Vec<Vec<u32>> = include.iter().map(|&square| board.coordinates(square)).collect();
        let is_free = |square: &Square| {
            let coordinates = board.coordinates(*square);
            self.weights[*square as usize] > 0
                && !include.contains(square)
                && !included.iter().any(|other| rules.attacks(&coordinates, other))
        };
        board.squares().filter(is_free).collect()
    }

    /// Decides whether a set of [`Self::candidates`] and the included squares is heavier than `weight`. Returns
    /// `None` if the search was stopped or the board is too large for it.
    fn search(&mut self, weight: i64) -> Option<Verdict> {
        let board = self.model.board();
        let candidates = self.candidates();
        let squares: Vec<Vec<u32>> = candidates.iter().map(|&square| board.coordinates(square)).collect();
        let weights: Vec<u64> =
            candidates.iter().map(|&square| self.weights[square as usize].unsigned_abs()).collect();
        let rest = u64::try_from(weight - self.weight(&self.model.variant().include)).ok()?;
        let rules = definition(board.name());
        let attacks = |a: usize, b: usize| rules.attacks(&squares[a], &squares[b]);
        let began = Instant::now();
        // A stop is also noticed during the search.
        let _ = (self.watch)(&Event::Stage(format!("{}: {PROOF}", board.name())));
        let go_on = &mut || {
            let progress = Progress { seconds: began.elapsed().as_secs_f64(), ..Progress::default() };
            (self.watch)(&Event::Progress(progress)).is_continue() && !self.deadline.is_over()
        };
        weighted::check(&attacks, &weights, rest, MOST_NODES, go_on).ok()
    }

    /// Returns the refutation of an optimum by a heavier set, after the independent check of the set.
    fn refute(&self, mut heavier: Vec<Square>, weight: i64) -> Result<Refutation, WorkflowError> {
        let (board, include) = (self.model.board(), &self.model.variant().include);
        heavier.sort_unstable();
        placement_check::certify(board, &heavier, Problem::IndependentSet, include, PROOF)?;
        let solution = format!("{}, of weight {}", format_placement(board, &heavier), self.weight(&heavier));
        Ok(match violated_inequality(self.ilp, &self.model.point(&heavier)) {
            Some(row) => Refutation::Inequality { row, solution },
            None => {
                Refutation::Solver(format!("it says that {weight} is the largest weight, and {solution}"))
            }
        })
    }
}
