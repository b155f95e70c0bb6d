//! Tests HiGHS on small programs against brute force, and tests its limits.

mod common;

use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::time::{Duration, Instant};

use ndqueens_model::ilp::{Comparison, Ilp, Sense};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend, BackendError, Options, Outcome, Progress, Run};
use ndqueens_system::cancel::StopReason;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use common::{Handmade, brute_force, go_on, independent_set, knapsack, optimum, random_program, slow};

use Comparison::{AtLeast, AtMost, Equal};
use Sense::{Feasibility, Maximise, Minimise};

fn solve_with(program: &Ilp, options: &Options) -> Run {
    Highs.solve(program, options, &mut go_on).unwrap()
}

fn solve(program: &Ilp) -> Run {
    solve_with(program, &Options::default())
}

fn relaxation(program: &Ilp) -> Option<f64> {
    let relaxation = Highs.relax(program, &Options::default(), &mut go_on).unwrap();
    assert_eq!(relaxation.stop, StopReason::Finished);
    relaxation.value
}

#[test]
fn reports_its_version() {
    assert_eq!(Highs.solver(), "HiGHS 1.15.0");
    assert_eq!(Highs::version(), "1.15.0");
}

#[test]
fn solves_a_knapsack_problem() {
    let run = solve(&knapsack().ilp());
    assert_eq!(run.outcome, Outcome::Optimal { solution: vec![1, 0, 0, 1], value: 17 });
    assert_eq!((run.stop, run.solver.as_str()), (StopReason::Finished, "HiGHS 1.15.0"));
    assert!((run.dual_bound.unwrap() - 17.0).abs() < 1e-6);
    assert!(run.seconds >= 0.0 && run.nodes.is_some() && run.lp_iterations.is_some());
}

#[test]
fn supports_general_integers() {
    let program = Handmade::binary(Minimise, &[-3, 2]).bounds(0, -5, 7).bounds(1, -4, -2);
    let run = solve(&program.row(&[(0, 2), (1, 3)], AtMost, 1).ilp());
    // -3x + 2y with 2x + 3y <= 1: y = -4 allows x = 6.
    assert_eq!(run.outcome, Outcome::Optimal { solution: vec![6, -4], value: -26 });
}

#[test]
fn proves_infeasibility() {
    let parity = Handmade::binary(Maximise, &[1, 1, 1]).row(&[(0, 2), (1, 2), (2, 2)], Equal, 3);
    assert_eq!(solve(&parity.ilp()).outcome, Outcome::Infeasible);
    let crossed = Handmade::binary(Maximise, &[1]).bounds(0, 1, 0);
    assert_eq!(solve(&crossed.ilp()).outcome, Outcome::Infeasible);
    let search = Handmade::binary(Feasibility, &[0, 0]).row(&[(0, 1), (1, 1)], AtLeast, 3);
    let run = solve(&search.ilp());
    assert_eq!((run.outcome, run.stop), (Outcome::Infeasible, StopReason::Finished));
}

#[test]
fn answers_feasibility_by_a_point_without_bound() {
    let program =
        Handmade::binary(Feasibility, &[0; 4]).row(&[(0, 1), (1, 1), (2, 1), (3, 1)], Equal, 2).ilp();
    let run = solve(&program);
    let Outcome::Feasible { solution, value: 0, bound: None } = run.outcome else {
        panic!("{:?}", run.outcome)
    };
    assert_eq!(solution.iter().sum::<i64>(), 2);
    assert_eq!((run.stop, run.dual_bound), (StopReason::Finished, None));
}

#[test]
fn accepts_programs_without_rows_or_columns() {
    let free = Handmade::binary(Maximise, &[1, -1]);
    assert_eq!(solve(&free.ilp()).outcome, Outcome::Optimal { solution: vec![1, 0], value: 1 });
    let idle = Handmade::binary(Maximise, &[1, -1]).row(&[], AtMost, 0);
    assert_eq!(optimum(&solve(&idle.ilp())), 1);
    let broken = Handmade::binary(Maximise, &[1, -1]).row(&[], AtLeast, 1);
    assert_eq!(solve(&broken.ilp()).outcome, Outcome::Infeasible);

    let empty = Handmade::binary(Maximise, &[]);
    assert_eq!(solve(&empty.ilp()).outcome, Outcome::Optimal { solution: vec![], value: 0 });
    assert_eq!(relaxation(&empty.ilp()), Some(0.0));
    let broken = Handmade::binary(Minimise, &[]).row(&[], AtLeast, 1);
    assert_eq!(solve(&broken.ilp()).outcome, Outcome::Infeasible);
    assert_eq!(relaxation(&broken.ilp()), None);
    let search = Handmade::binary(Feasibility, &[]);
    let found = Outcome::Feasible { solution: vec![], value: 0, bound: None };
    assert_eq!(solve(&search.ilp()).outcome, found);
}

#[test]
fn keeps_fixed_columns_and_zero_coefficients() {
    let program = knapsack().bounds(3, 0, 0).bounds(0, 1, 1).row(&[(1, 0), (2, 1)], AtMost, 0);
    assert_eq!(optimum(&solve(&program.ilp())), 9);
    let all_fixed = knapsack().bounds(0, 1, 1).bounds(1, 1, 1).bounds(2, 1, 1).bounds(3, 0, 0);
    let run = solve(&all_fixed.ilp());
    assert_eq!(run.outcome, Outcome::Optimal { solution: vec![1, 1, 1, 0], value: 16 });
    assert_eq!(solve(&all_fixed.bounds(3, 1, 1).ilp()).outcome, Outcome::Infeasible);
}

#[test]
fn keeps_a_start_without_time() {
    let program = slow();
    let mut start = vec![0; 300];
    start[7] = 1;
    let options = Options { start: Some(start), time_limit: Some(Duration::ZERO), ..Options::default() };
    let run = solve_with(&program, &options);
    let Outcome::Feasible { value, .. } = run.outcome else { panic!("{:?}", run.outcome) };
    assert!(value >= 1);
    assert_eq!(run.stop, StopReason::TimeLimit);
}

#[test]
fn proves_an_optimal_start() {
    let options = Options { start: Some(vec![1, 0, 0, 1]), ..Options::default() };
    assert_eq!(optimum(&solve_with(&knapsack().ilp(), &options)), 17);
}

#[test]
fn rejects_an_infeasible_start() {
    for start in [vec![1, 1, 1, 1], vec![2, 0, 0, 0], vec![0]] {
        let options = Options { start: Some(start), ..Options::default() };
        let error = Highs.solve(&knapsack().ilp(), &options, &mut go_on).unwrap_err();
        assert!(matches!(error, BackendError::BadStart(_)), "{error}");
    }
}

#[test]
fn claims_nothing_without_time() {
    let options = Options { time_limit: Some(Duration::ZERO), ..Options::default() };
    let run = solve_with(&slow(), &options);
    assert_eq!(run.stop, StopReason::TimeLimit);
    assert!(matches!(run.outcome, Outcome::Unknown { .. } | Outcome::Feasible { .. }), "{:?}", run.outcome);
    assert!(run.dual_bound.is_none_or(f64::is_finite));
}

#[test]
fn keeps_incumbent_and_bound_at_the_node_limit() {
    let options = Options { node_limit: Some(0), ..Options::default() };
    let run = solve_with(&slow(), &options);
    assert_eq!(run.stop, StopReason::NodeLimit);

    let options = Options { node_limit: Some(1), ..Options::default() };
    let run = solve_with(&independent_set(60, 0.3, 2), &options);
    assert_eq!(run.stop, StopReason::NodeLimit);
    let Outcome::Feasible { value, bound: Some(bound), .. } = run.outcome else {
        panic!("{:?}", run.outcome)
    };
    assert!(0 < value && value < bound && bound <= 60);
    assert!(run.nodes.unwrap() <= 2);
}

#[test]
fn keeps_incumbent_and_bound_if_interrupted() {
    let mut last = Progress::default();
    let mut calls = 0;
    let mut monitor = |progress: &Progress| {
        assert!(progress.seconds >= last.seconds && progress.dual_bound.is_none_or(f64::is_finite));
        assert!(progress.incumbent >= last.incumbent);
        last = *progress;
        calls += 1;
        match (progress.incumbent, progress.dual_bound) {
            (Some(_), Some(_)) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let run = Highs.solve(&slow(), &Options::default(), &mut monitor).unwrap();
    assert_eq!(run.stop, StopReason::Interrupted);
    let Outcome::Feasible { value, bound: Some(bound), .. } = run.outcome else {
        panic!("{:?}", run.outcome)
    };
    assert!(last.incumbent.unwrap() <= value && value < bound);
    assert!(f64::from(calls) <= 20.0 * run.seconds + 1.0);
}

#[test]
fn abandons_an_unresponsive_run_and_keeps_its_start() {
    // HiGHS checks its limits once before the root LP, and that takes longer than this test waits.
    let program = independent_set(1200, 0.5, 3);
    let mut start = vec![0; 1200];
    start[0] = 1;
    let options = Options { start: Some(start), presolve: Some(false), ..Options::default() };
    let mut calls_since_check = 0;
    let mut asked = None;
    let mut monitor = |progress: &Progress| {
        calls_since_check += u32::from(progress.nodes.is_some());
        if calls_since_check < 5 {
            return ControlFlow::Continue(());
        }
        asked = Some(Instant::now());
        ControlFlow::Break(())
    };
    let run = Highs.solve(&program, &options, &mut monitor).unwrap();
    assert!(asked.unwrap().elapsed() < Duration::from_secs(4));
    assert_eq!(run.stop, StopReason::Interrupted);
    assert!(matches!(run.outcome, Outcome::Feasible { value: 1.., .. }), "{:?}", run.outcome);
}

#[test]
fn propagates_a_panic_of_the_monitor() {
    let mut monitor = |_: &Progress| panic!("the monitor's own");
    let program = slow();
    let run = catch_unwind(AssertUnwindSafe(|| Highs.solve(&program, &Options::default(), &mut monitor)));
    assert_eq!(run.unwrap_err().downcast_ref(), Some(&"the monitor's own"));
    assert_eq!(optimum(&solve(&knapsack().ilp())), 17);
}

#[test]
fn changes_the_number_of_threads_between_runs() {
    let program = independent_set(40, 0.3, 4);
    let expected = optimum(&solve(&program));
    for threads in [Some(2), Some(1), Some(3)] {
        let options = Options { threads, ..Options::default() };
        assert_eq!(optimum(&solve_with(&knapsack().ilp(), &options)), 17);
        assert_eq!(optimum(&solve_with(&program, &options)), expected);
    }
    let options = Options { threads: Some(0), ..Options::default() };
    let error = Highs.solve(&knapsack().ilp(), &options, &mut go_on).unwrap_err();
    assert_eq!(error.to_string(), "HiGHS 1.15.0 failed: the number of threads must be at least 1");
}

#[test]
fn rejects_settings_out_of_range() {
    let options = Options { seed: u32::MAX, ..Options::default() };
    let error = Highs.solve(&knapsack().ilp(), &options, &mut go_on).unwrap_err();
    assert_eq!(error.to_string(), "HiGHS 1.15.0 failed: seed 4294967295 is above 2147483647");
    let inexact = Handmade::binary(Maximise, &[1]).bounds(0, 0, i64::MAX);
    assert!(matches!(
        Highs.solve(&inexact.ilp(), &Options::default(), &mut go_on),
        Err(BackendError::Failed { .. })
    ));
}

#[test]
fn agrees_with_brute_force_under_all_settings() {
    let mut random = ChaCha8Rng::seed_from_u64(20_250_101);
    let mut infeasible = 0;
    for number in 0..80 {
        let program = random_program(&mut random);
        let expected = brute_force(&program);
        infeasible += usize::from(expected.is_none());
        for (seed, presolve) in [(0, true), (1, true), (2, true), (0, false), (1, false), (2, false)] {
            let symmetry = Some(seed != 1);
            let options = Options { seed, presolve: Some(presolve), symmetry, ..Options::default() };
            let run = solve_with(&program, &options);
            let found = match run.outcome {
                Outcome::Optimal { value, .. } => Some(value),
                Outcome::Infeasible => None,
                other => panic!("program {number}: {other:?}"),
            };
            assert_eq!(found, expected, "program {number}, seed {seed}, presolve {presolve}");
        }
    }
    assert!((5..60).contains(&infeasible), "{infeasible} of 80 are infeasible");
}

#[test]
fn relaxations_bound_the_optimum() {
    // Packing on a triangle: at most one of each pair.
    let triangle = Handmade::binary(Maximise, &[1, 1, 1]).row(&[(0, 1), (1, 1)], AtMost, 1);
    let triangle = triangle.row(&[(0, 1), (2, 1)], AtMost, 1).row(&[(1, 1), (2, 1)], AtMost, 1).ilp();
    assert!((relaxation(&triangle).unwrap() - 1.5).abs() < 1e-9);
    assert_eq!(optimum(&solve(&triangle)), 1);
    let infeasible = Handmade::binary(Minimise, &[1, 1]).row(&[(0, 1), (1, 1)], AtLeast, 3);
    assert_eq!(relaxation(&infeasible.ilp()), None);
    let parity = Handmade::binary(Maximise, &[1, 1, 1]).row(&[(0, 2), (1, 2), (2, 2)], Equal, 3);
    assert!((relaxation(&parity.ilp()).unwrap() - 1.5).abs() < 1e-9);
}

#[test]
fn relaxations_stop_at_limits_and_on_request() {
    let program = independent_set(1200, 0.5, 3);
    let limited = Options { time_limit: Some(Duration::ZERO), ..Options::default() };
    let relaxation = Highs.relax(&program, &limited, &mut go_on).unwrap();
    assert_eq!((relaxation.value, relaxation.stop), (None, StopReason::TimeLimit));
    let mut stop = |_: &Progress| ControlFlow::Break(());
    let relaxation = Highs.relax(&program, &Options::default(), &mut stop).unwrap();
    assert_eq!((relaxation.value, relaxation.stop), (None, StopReason::Interrupted));
}

#[test]
fn solves_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("knapsack.lp");
    let write = |rhs| {
        let text = format!(
            "max\n obj: 4 a + 5 b + 7 c + 12 d\nst\n r: 3 a + 4 b + 5 c + 9 d <= {rhs}\nbin\n a b c d\nend\n"
        );
        fs::write(&path, text).unwrap();
        Highs.optimum_of_file(&path).unwrap()
    };
    assert!((write(12).unwrap() - 16.0).abs() < 1e-6);
    assert_eq!(write(-1), None);
    assert!(Highs.optimum_of_file(&folder.path().join("absent.lp")).is_err());
}

#[test]
fn highs_prints_nothing() {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "solves_a_knapsack_problem", "--nocapture", "--test-threads", "1", "--quiet"])
        .output()
        .unwrap();
    assert!(child.status.success());
    let printed = String::from_utf8(child.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
    assert!(lines.len() == 3 && lines[0] == "running 1 test", "{printed}");
    assert!(child.stderr.is_empty());
}
