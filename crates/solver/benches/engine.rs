//! Benchmarks of the exact engine on one thread, and of the checker on the proofs of the engine.
//!
//! To compare with an earlier commit, run `cargo bench --bench engine -- --save-baseline before` there, and
//! `cargo bench --bench engine -- --baseline before` here; the change is printed as a ratio in percent.

use std::io;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ndqueens_crosscheck::proof;
use ndqueens_exact::{Settings, maximum};
use ndqueens_model::board::Board;
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::lp::Simplex;
use ndqueens_system::cancel::Control;

/// Boards with their maxima.
const BOARDS: [(&str, u64); 5] = [("5^3", 13), ("6^3", 21), ("7^3", 32), ("3x3x4x4", 10), ("torus:5^3", 7)];

fn engine(criterion: &mut Criterion) {
    let control = Control::new();
    let settings = Settings { heuristics: Some(&Heuristics), lp: Some(&Simplex), ..Settings::new(&control) };
    let mut group = criterion.benchmark_group("prove");
    for (name, value) in BOARDS {
        let board = Board::new(&name.parse().expect("a board"));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let found = maximum(&board, &settings, Some(&mut io::sink()), &mut |_| {}).expect("no file");
                assert_eq!((found.value, found.upper), (value, value), "{name}");
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("check");
    for (name, value) in BOARDS {
        let mut text = Vec::new();
        let board = Board::new(&name.parse().expect("a board"));
        maximum(&board, &settings, Some(&mut text), &mut |_| {}).expect("a proof in memory");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let proved = proof::check(text.as_slice(), &|name| name.parse()).expect("a valid proof");
                assert_eq!(proved.at_most(), Some(value), "{name}");
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
        .measurement_time(Duration::from_secs(5));
    targets = engine
}
criterion_main!(benches);
