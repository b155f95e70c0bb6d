//! Compares the exact engine with the local search and the simplex method of this crate with HiGHS.

#[path = "../../exact/tests/engine/draw.rs"]
mod draw;

use std::ops::ControlFlow;

use ndqueens_crosscheck::proof;
use ndqueens_exact::{Settings, maximum};
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::Ilp;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options, Outcome};
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::lp::Simplex;
use ndqueens_system::cancel::Control;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Returns the maximum by HiGHS.
fn maximum_by_highs(board: &Board) -> i64 {
    let formulation = Formulation::builtin("base").expect("shipped");
    let variant = Variant::of(Goal::Optimise);
    let bounds = Bounds::default();
    let model = Model::new(board, &formulation, variant, &bounds, 1 << 30).expect("a model");
    let run = Highs.solve(&Ilp::of(&model), &Options::default(), &mut |_| ControlFlow::Continue(()));
    match run.expect("HiGHS").outcome {
        Outcome::Optimal { value, .. } => value,
        other => panic!("{}: {other:?}", board.name()),
    }
}

#[test]
fn random_boards_agree_with_highs() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let control = Control::new();
    for number in 0..150 {
        let name = draw::board(&mut random, number % draw::KINDS, 45);
        let board = Board::new(&name);
        let settings = Settings {
            seed: random.random_range(0..100),
            threads: random.random_range(1..=2),
            components: draw::components(&mut random),
            heuristics: Some(&Heuristics),
            lp: Some(&Simplex),
            proofs: true,
            ..Settings::new(&control)
        };
        let mut text = Vec::new();
        let found = maximum(&board, &settings, Some(&mut text), &mut |_| {}).expect("a proof in memory");
        assert_eq!(i64::try_from(found.value), Ok(maximum_by_highs(&board)), "{name}");
        let read_board = |named: &str| BoardName::parse_with(named, &name.file_opener());
        let proved =
            proof::check(text.as_slice(), &read_board).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!((proved.board(), proved.at_most()), (&name, Some(found.value)));
    }
}

#[test]
fn threads_do_not_change_the_proof() {
    let control = Control::new();
    for (name, numbers) in [("9^3", &[1, 2][..]), ("7^3", &[1, 3, 4])] {
        let board = Board::new(&name.parse().expect("a board"));
        let prove = |&threads: &usize| {
            let settings = Settings {
                threads,
                heuristics: Some(&Heuristics),
                lp: Some(&Simplex),
                proofs: true,
                ..Settings::new(&control)
            };
            let mut text = Vec::new();
            let found = maximum(&board, &settings, Some(&mut text), &mut |_| {}).expect("a proof in memory");
            (found.value, found.upper, found.nodes, text)
        };
        let proofs: Vec<_> = numbers.iter().map(prove).collect();
        assert!(proofs.iter().all(|proof| *proof == proofs[0]), "{name}");
    }
}
