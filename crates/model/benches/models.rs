//! Benchmarks of building models: counting streamed rows, storing rows in memory, and writing LP files.

use std::hint::black_box;
use std::io;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::format::Format;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::Program as _;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};

fn models(criterion: &mut Criterion) {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for (name, formulation) in [("12^3", "all"), ("7^4", "all"), ("20^3", "cube-star")] {
        let board = Board::new(&name.parse().expect("a board"));
        let formulation = Formulation::builtin(formulation).expect("a shipped formulation");
        let build = || {
            let variant = Variant::of(Goal::Optimise);
            Model::new(&board, &formulation, variant, &bounds, u64::MAX).expect("a formulation")
        };
        let mut group = criterion.benchmark_group(format!("{name} {}", formulation.name));
        group.bench_function("stream", |bencher| bencher.iter(|| build().rows().count()));
        group.bench_function("hold", |bencher| bencher.iter(|| black_box(build().ilp()).row_count()));
        group.bench_function("write LP", |bencher| {
            bencher.iter(|| Format::Lp.write(&build(), &mut io::sink()).expect("a sink takes all"));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = models
}
criterion_main!(benches);
