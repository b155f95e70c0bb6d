//! The cheapest proofs of a maximum: by theorem, and by the orbit LP.

use std::time::{Duration, Instant};

use ndqueens_model::board::{Board, Grid};
use ndqueens_model::bound::Bounds;
use ndqueens_model::certificate::Claim;
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_model::recipe::Recipe;
use ndqueens_solver::backend::Options;
use ndqueens_solver::construction::cut::Cut;
use ndqueens_solver::local_search;
use ndqueens_solver::orbit_lp::OrbitLpError;

use crate::bound::{self, Certified};
use crate::machine;
use crate::prove::{Proof, ProofKind, Status};
use crate::solve::{self, Event, LabError, Watch};

/// The recipes whose orbit LPs are tried, cheap ones first.
const RECIPES: [&str; 2] = ["cube", "strong-clique"];

/// What an orbit LP may take before a search is tried instead, and what the search for a placement may look at.
const PATIENCE: Duration = Duration::from_secs(5);
const WORK: u64 = 500_000;

/// Tries to close the gap between a quick placement and the bounds that hold by theorem or by the orbit LP, with right sides from the ledger. What is
/// left open at the end is for a search.
///
/// # Errors
/// When HiGHS fails, or a placement or a bound does not pass the check.
pub fn cheapest(
    board: &Board,
    value: Option<u64>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Proof, LabError> {
    let (begin, cpu_before) = (Instant::now(), machine::cpu_time());
    let mut proof = Proof::open(board);
    let squares = quick_placement(board, options.seed, proof.upper);
    let found_by = if squares.1 { "subcube cut" } else { "local search" };
    proof.certificate = solve::checked(board, &squares.0, Claim::IndependentSet, &[], found_by)?;
    proof.judge(value);
    let boxed = board.grid().filter(|grid: &&Grid| !grid.is_torus());
    for name in RECIPES {
        let Some(grid) = boxed.filter(|_| proof.status == Status::Open) else { break };
        let mut sides = grid.sides().to_vec();
        sides.sort_unstable();
        let sorted = Board::new(&BoardName::grid(grid.piece(), false, &sides));
        let recipe = Recipe::shipped(name).expect("it is shipped");
        let left =
            options.time_limit.map_or(PATIENCE, |limit| PATIENCE.min(limit.saturating_sub(begin.elapsed())));
        let limited = Options { time_limit: Some(left), ..options.clone() };
        match bound::bound(&sorted, &recipe, &Bounds::with_ledger(), &limited, watch) {
            Ok(Ok(certified)) if certified.shown.at_most() < proof.upper => proof.take(name, &certified),
            Ok(_) | Err(LabError::OrbitLp(OrbitLpError::Family { .. })) => {}
            Err(fault) => return Err(fault),
        }
        proof.judge(value);
    }
    if proof.status == Status::Open {
        let (found, upper) = (board.pieces(proof.certificate.size() as u64), proof.upper);
        // Whether to go on is asked again as soon as a search starts.
        let _ = watch(&Event::Stage(format!("{}: {found}, bound {upper}: {}", board.name(), proof.kind)));
    }
    proof.settle_answer(begin, cpu_before);
    Ok(proof)
}

/// The better of a cut, and then true, and what a short local search finds.
fn quick_placement(board: &Board, seed: u32, enough: u64) -> (Vec<u32>, bool) {
    let queens = board.grid().filter(|grid| grid.piece() == Piece::Queen && !grid.is_torus());
    let cut = queens.and_then(|grid| Cut::best(grid.sides(), &[], WORK));
    let cut: Vec<u32> = cut.map_or_else(Vec::new, |cut| {
        cut.squares().iter().filter_map(|square| board.square(square)).collect()
    });
    if cut.len() as u64 >= enough {
        return (cut, true);
    }
    let found = local_search::quick(board, &[], seed.into(), WORK, enough as usize).unwrap_or_default();
    if found.len() > cut.len() { (found, false) } else { (cut, true) }
}

impl Proof {
    fn take(&mut self, recipe: &str, certified: &Certified) {
        self.upper = certified.shown.at_most();
        self.kind = ProofKind::OrbitLp {
            recipe: recipe.to_owned(),
            rows: certified.shown.rows() as u64,
            sum: ndqueens_crosscheck::bound::mixed(certified.shown.sum()),
        };
        self.lemmas = certified.rests_on.iter().map(|bound| (**bound).clone()).collect();
    }
}
