//! Small integer programs, written by hand or random, and a brute-force solver for them.

#![allow(dead_code, reason = "each file of tests needs a part of this")]

use std::ops::ControlFlow;

use ndqueens_model::ilp::{Column, Comparison, Ilp, Program, Row, Sense, Tag};
use ndqueens_solver::backends::{Outcome, Progress, Run};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use Comparison::{AtLeast, AtMost, Equal};
use Sense::{Maximise, Minimise};

pub(crate) struct Handmade {
    pub(crate) sense: Sense,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
}

impl Handmade {
    /// Returns a program with binary columns and the given objective.
    pub(crate) fn binary(sense: Sense, objective: &[i64]) -> Self {
        let columns = objective.iter().enumerate();
        let columns =
            columns.map(|(j, &objective)| Column { name: format!("x_{j}"), objective, lower: 0, upper: 1 });
        Self { sense, columns: columns.collect(), rows: Vec::new() }
    }

    pub(crate) fn bounds(mut self, column: usize, lower: i64, upper: i64) -> Self {
        (self.columns[column].lower, self.columns[column].upper) = (lower, upper);
        self
    }

    pub(crate) fn row(mut self, terms: &[(u32, i64)], comparison: Comparison, rhs: i64) -> Self {
        let number = self.rows.len() as u64;
        self.rows.push(Row {
            tag: Tag { family: "test", number },
            columns: terms.iter().map(|term| term.0).collect(),
            coefficients: Some(terms.iter().map(|term| term.1).collect()),
            comparison,
            rhs,
        });
        self
    }

    pub(crate) fn ilp(&self) -> Ilp {
        Ilp::of(self)
    }
}

impl Program for Handmade {
    fn name(&self) -> String {
        "test".to_owned()
    }
    fn sense(&self) -> Sense {
        self.sense
    }
    fn columns(&self) -> &[Column] {
        &self.columns
    }
    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        Box::new(self.rows.iter().cloned())
    }
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

pub(crate) fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

pub(crate) fn optimum(run: &Run) -> i64 {
    match &run.outcome {
        Outcome::Optimal { value, .. } => *value,
        other => panic!("no optimum: {other:?}"),
    }
}

/// Returns the knapsack problem with weights 3, 4, 5, 9, values 4, 5, 7, 13 and capacity 12. The first and
/// the last item have the value 17, the first three items 16.
pub(crate) fn knapsack() -> Handmade {
    Handmade::binary(Maximise, &[4, 5, 7, 13]).row(&[(0, 3), (1, 4), (2, 5), (3, 9)], AtMost, 12)
}

/// Returns the program for a largest independent set of a random graph, with one row for each edge. Its LP
/// bound is n/2, so proofs of optimality are slow.
pub(crate) fn independent_set(n: u32, density: f64, seed: u64) -> Ilp {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut program = Handmade::binary(Maximise, &vec![1; n as usize]);
    for a in 0..n {
        for b in a + 1..n {
            if random.random_bool(density) {
                program = program.row(&[(a, 1), (b, 1)], AtMost, 1);
            }
        }
    }
    program.ilp()
}

/// Returns a program that takes minutes to solve.
pub(crate) fn slow() -> Ilp {
    independent_set(300, 0.1, 1)
}

/// Returns the best value over all integer points, or `None` if the program is infeasible.
pub(crate) fn brute_force(program: &Ilp) -> Option<i64> {
    let columns = program.columns();
    let mut point: Vec<i64> = columns.iter().map(|column| column.lower).collect();
    let mut best = None;
    loop {
        if program.violation(&point).is_none() {
            let value = program.value(&point);
            best = Some(match (best, program.sense()) {
                (Some(best), Maximise) => value.max(best),
                (Some(best), _) => value.min(best),
                (None, _) => value,
            });
        }
        let Some(next) = (0..point.len()).find(|&j| point[j] < columns[j].upper) else { return best };
        point[next] += 1;
        for j in 0..next {
            point[j] = columns[j].lower;
        }
    }
}

/// Returns a random packing program (rows of type at most), covering program (at least) or mixed program,
/// which may have equations and a column that is not binary.
pub(crate) fn random_program(random: &mut ChaCha8Rng) -> Ilp {
    let columns = random.random_range(2..=9);
    let kind = random.random_range(0..3);
    let sense = if kind == 1 { Minimise } else { Maximise };
    let weighted = random.random_bool(0.5);
    let objective: Vec<i64> =
        (0..columns).map(|_| if weighted { random.random_range(-3..=20) } else { 1 }).collect();
    let mut program = Handmade::binary(sense, &objective);
    if random.random_bool(0.3) {
        program = program.bounds(0, -1, 2);
    }
    for _ in 0..random.random_range(1..=8) {
        let mut terms = Vec::new();
        for column in 0..columns {
            if random.random_bool(0.4) {
                terms.push((column, if weighted { random.random_range(1..=9) } else { 1 }));
            }
        }
        let total: i64 = terms.iter().map(|term| term.1).sum();
        let comparison = match kind {
            0 => AtMost,
            1 => AtLeast,
            _ => [AtMost, AtLeast, Equal][random.random_range(0..3)],
        };
        program = program.row(&terms, comparison, random.random_range(0..=total.max(1)));
    }
    program.ilp()
}
