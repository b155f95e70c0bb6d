//! Checks that every formulation for maxima finds the same maximum with different solver settings.

use std::ops::ControlFlow;

use ndqueens_crosscheck::count::count;
use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::ModelError;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Options, Outcome};
use ndqueens_workflow::run::{PriorResults, WorkflowError};
use ndqueens_workflow::solve::{SolveRequest, solve};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

const FORMULATIONS: [&str; 6] = ["base", "lmr", "cube", "star", "cube-star", "all"];

fn outcome(
    board: &Board,
    formulation: &str,
    goal: Goal,
    options: Options,
) -> Result<Outcome, Box<WorkflowError>> {
    let formulation = Formulation::builtin(formulation).expect("shipped");
    let variant = Variant::of(goal);
    let request = SolveRequest {
        board,
        formulation: &formulation,
        variant,
        weights: None,
        start: None,
        options,
        memory: 4 << 30,
        prior: &PriorResults::none(),
    };
    let solved =
        solve(&request, &Bounds::with_publications(&ArchivedBounds::builtin()), &Highs, &mut |_| {
            ControlFlow::Continue(())
        })?;
    let found = solved.certificate.map(|certificate| certificate.size() as i64);
    match &solved.run.outcome {
        Outcome::Optimal { value, .. } => assert_eq!(found, Some(*value)),
        Outcome::Feasible { .. } => assert!(found.is_some()),
        Outcome::Infeasible | Outcome::Unknown { .. } => assert_eq!(found, None),
    }
    Ok(solved.run.outcome)
}

/// Solves for the maximum with two seeds, with and without presolve, and then for at least this number of
/// queens and for one more.
fn finds(name: &BoardName, formulation: &str, maximum: u64) {
    let board = Board::new(name);
    for (seed, presolve) in [(0, true), (7, true), (0, false), (7, false)] {
        let options = Options { seed, presolve: Some(presolve), ..Options::default() };
        let found = outcome(&board, formulation, Goal::Optimise, options).expect("an answer");
        let Outcome::Optimal { value, .. } = found else { panic!("{name} {formulation}: {found:?}") };
        assert_eq!(value as u64, maximum, "{name}, {formulation}, seed {seed}, presolve {presolve}");
    }
    let reached =
        outcome(&board, formulation, Goal::AtLeast(maximum), Options::default()).expect("an answer");
    assert!(matches!(reached, Outcome::Feasible { .. }), "{name}, {formulation}: {reached:?}");
    match outcome(&board, formulation, Goal::AtLeast(maximum + 1), Options::default()) {
        Ok(beyond) => assert_eq!(beyond, Outcome::Infeasible, "{name}, {formulation}"),
        Err(error) => {
            let above = matches!(*error, WorkflowError::Model(ModelError::AboveTrivialBound { .. }));
            assert!(above && maximum == board.trivial_bound(), "{name}, {formulation}: {error}");
        }
    }
}

fn counted(board: &BoardName) -> u64 {
    count(board, &|| false).expect("a small board").independence_number as u64
}

fn all_formulations_find_what_is_counted(boards: &[&str]) {
    for board in boards {
        let board: BoardName = board.parse().expect("a board");
        let maximum = counted(&board);
        FORMULATIONS.iter().for_each(|formulation| finds(&board, formulation, maximum));
    }
}

#[test]
fn all_formulations_find_the_maximum_of_small_cubes() {
    all_formulations_find_what_is_counted(&["2^3", "3^3", "2^4"]);
}

#[test]
fn all_formulations_find_the_maximum_of_4_3() {
    all_formulations_find_what_is_counted(&["4^3"]);
}

#[test]
fn all_formulations_find_the_maximum_of_3_4() {
    all_formulations_find_what_is_counted(&["3^4"]);
}

#[test]
fn all_formulations_find_the_maximum_of_random_boxes() {
    let mut random = ChaCha8Rng::seed_from_u64(40);
    let mut boxes = 0;
    while boxes < 12 {
        let dimension = random.random_range(2..=4);
        let sides: Vec<u32> = (0..dimension).map(|_| random.random_range(1..=5)).collect();
        if (4..=48).contains(&sides.iter().product::<u32>()) {
            let board = BoardName::queen(&sides);
            let maximum = counted(&board);
            FORMULATIONS.iter().for_each(|formulation| finds(&board, formulation, maximum));
            boxes += 1;
        }
    }
}

/// Tests that take from minutes to an hour in total; `scripts/soak` runs them.
mod soak {
    use std::time::Instant;

    use super::*;
    use ndqueens_model::facts::known;

    #[allow(clippy::print_stdout, reason = "the measured times are what one runs it for")]
    fn all_formulations_find_what_is_published(board: &str) {
        let board: BoardName = board.parse().expect("a board");
        let published = known::lookup(&board).expect("published");
        let maximum = published.maximum().expect("published bounds meet");
        for formulation in FORMULATIONS {
            let began = Instant::now();
            finds(&board, formulation, maximum);
            println!("{board}, {formulation}: six runs in {:.1} s", began.elapsed().as_secs_f64());
        }
    }

    #[test]
    #[ignore = "takes minutes: scripts/soak runs it"]
    fn all_formulations_find_the_maximum_of_5_3() {
        all_formulations_find_what_is_published("5^3");
    }

    #[test]
    #[ignore = "takes minutes: scripts/soak runs it"]
    fn all_formulations_find_the_maximum_of_4_4() {
        all_formulations_find_what_is_published("4^4");
    }

    #[test]
    #[ignore = "takes minutes: scripts/soak runs it"]
    fn all_formulations_find_the_maximum_of_3_5() {
        all_formulations_find_what_is_published("3^5");
    }
}
