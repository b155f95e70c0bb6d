//! The cheapest proofs of a maximum: by theorem, and by the orbit LP.

use std::time::{Duration, Instant};

use ndqueens_model::board::{Board, Square};
use ndqueens_model::bound::Bounds;
use ndqueens_model::certificate::Claim;
use ndqueens_model::name::Piece;
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
    let (squares, found_by) = quick_placement(board, options.seed, proof.upper);
    proof.certificate = solve::checked(board, &squares, Claim::IndependentSet, &[], found_by)?;
    proof.judge(value);
    let boxed = board.grid().is_some_and(|grid| !grid.is_torus());
    let sorted = Board::new(&board.name().sorted());
    for name in RECIPES {
        if proof.status != Status::Open || !boxed {
            break;
        }
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

/// The better of a cut and what a short local search finds, and which it is.
fn quick_placement(board: &Board, seed: u32, enough: u64) -> (Vec<Square>, &'static str) {
    let queens = board.grid().filter(|grid| grid.piece() == Piece::Queen && !grid.is_torus());
    let cut = queens.and_then(|grid| Cut::best(grid.sides(), &[], WORK));
    let cut: Vec<Square> = cut.map_or_else(Vec::new, |cut| {
        cut.squares().iter().filter_map(|square| board.square(square)).collect()
    });
    if cut.len() as u64 >= enough {
        return (cut, "subcube cut");
    }
    let found = local_search::quick(board, &[], seed.into(), WORK, enough as usize).unwrap_or_default();
    if found.len() > cut.len() { (found, "local search") } else { (cut, "subcube cut") }
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
