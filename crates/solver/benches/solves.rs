//! Benchmarks of HiGHS on small boards: the LP relaxation of `5^3` and the proof of `4^3`. Proofs of `5^3`
//! take seconds each; `scripts/bench` measures them together with another program.

use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::Ilp;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options, Outcome};

fn programme(board: &str, formulation: &str) -> Ilp {
    let board = Board::new(&board.parse().expect("a board"));
    let formulation = Formulation::builtin(formulation).expect("a shipped formulation");
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    Model::new(&board, &formulation, Variant::of(Goal::Optimise), &bounds, u64::MAX)
        .expect("a formulation")
        .ilp()
}

fn solves(criterion: &mut Criterion) {
    let options = Options::default();
    let mut group = criterion.benchmark_group("HiGHS");
    for formulation in ["base", "cube", "cube-star"] {
        let relaxed = programme("5^3", formulation);
        group.bench_function(format!("relax 5^3 {formulation}"), |bencher| {
            bencher.iter(|| Highs.relax(&relaxed, &options, &mut |_| ControlFlow::Continue(())));
        });
        let solved = programme("4^3", formulation);
        group.bench_function(format!("solve 4^3 {formulation}"), |bencher| {
            bencher.iter(|| {
                let run = Highs.solve(&solved, &options, &mut |_| ControlFlow::Continue(()));
                let outcome = run.expect("HiGHS answers").outcome;
                assert!(matches!(outcome, Outcome::Optimal { value: 7, .. }), "alpha(4^3) is 7");
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = solves
}
criterion_main!(benches);
