//! Requirements that every backend must meet.

mod common;

use std::ops::ControlFlow;
use std::time::Duration;

use ndqueens_model::ilp::{Comparison, Ilp, Sense};
use ndqueens_solver::backends::choice::{self, UnknownBackend};
use ndqueens_solver::backends::{Backend, BackendError, Options, Outcome, Run};
use ndqueens_system::cancel::StopReason;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use common::{Handmade, brute_force, go_on, knapsack, optimum, random_program, slow};

use Comparison::{AtLeast, AtMost, Equal};
use Sense::{Feasibility, Maximise, Minimise};

/// Returns the backends of this build that require only programs installed by scripts/setup.
fn backends() -> Vec<(&'static str, Box<dyn Backend>)> {
    let mut names = vec!["highs", "microlp", "cbc"];
    if cfg!(feature = "cbc") {
        names.push("cbc-lib");
    }
    names.into_iter().map(|name| (name, choice::backend(name).unwrap())).collect()
}

fn each(test: impl Fn(&str, &dyn Fn(&Ilp, &Options) -> Run)) {
    for (name, backend) in backends() {
        test(name, &|program, options| {
            let run = backend.solve(program, options, &mut go_on).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(run.solver, backend.solver());
            run
        });
    }
}

fn each_outcome(program: &Handmade, expected: &Outcome) {
    each(|name, solve| {
        let run = solve(&program.ilp(), &Options::default());
        assert_eq!((&run.outcome, run.stop), (expected, StopReason::Finished), "{name}");
    });
}

#[test]
fn finds_and_claims_an_optimum() {
    each_outcome(&knapsack(), &Outcome::Optimal { solution: vec![1, 0, 0, 1], value: 17 });
    let program = Handmade::binary(Minimise, &[-3, 2]).bounds(0, -5, 7).bounds(1, -4, -2);
    let program = program.row(&[(0, 2), (1, 3)], AtMost, 1);
    each_outcome(&program, &Outcome::Optimal { solution: vec![6, -4], value: -26 });
}

#[test]
fn finds_and_claims_infeasibility() {
    let parity = Handmade::binary(Maximise, &[1, 1, 1]).row(&[(0, 2), (1, 2), (2, 2)], Equal, 3);
    each_outcome(&parity, &Outcome::Infeasible);
    let search = Handmade::binary(Feasibility, &[0, 0]).row(&[(0, 1), (1, 1)], AtLeast, 3);
    each_outcome(&search, &Outcome::Infeasible);
}

#[test]
fn answers_feasibility_by_a_point_without_bound() {
    let program = Handmade::binary(Feasibility, &[0; 4]).row(&[(0, 1), (1, 1), (2, 1), (3, 1)], Equal, 2);
    each(|name, solve| {
        let run = solve(&program.ilp(), &Options::default());
        let Outcome::Feasible { solution, value: 0, bound: None } = run.outcome else {
            panic!("{name}: {:?}", run.outcome)
        };
        assert_eq!((solution.iter().sum::<i64>(), run.stop), (2, StopReason::Finished), "{name}");
    });
}

#[test]
fn accepts_programs_without_rows_or_columns() {
    let best = Outcome::Optimal { solution: vec![1, 0], value: 1 };
    each_outcome(&Handmade::binary(Maximise, &[1, -1]), &best);
    each_outcome(&Handmade::binary(Maximise, &[1, -1]).row(&[], AtMost, 0), &best);
    each_outcome(&Handmade::binary(Maximise, &[1, -1]).row(&[], AtLeast, 1), &Outcome::Infeasible);
    let empty = Outcome::Optimal { solution: vec![], value: 0 };
    each_outcome(&Handmade::binary(Maximise, &[]), &empty);
    each_outcome(&Handmade::binary(Minimise, &[]).row(&[], AtLeast, 1), &Outcome::Infeasible);
}

#[test]
fn keeps_fixed_columns() {
    let fixed = knapsack().bounds(3, 0, 0).bounds(0, 1, 1);
    each_outcome(&fixed, &Outcome::Optimal { solution: vec![1, 1, 1, 0], value: 16 });
}

#[test]
fn rejects_an_infeasible_start() {
    for (name, backend) in backends() {
        for start in [vec![1, 1, 1, 1], vec![2, 0, 0, 0], vec![0]] {
            let options = Options { start: Some(start), ..Options::default() };
            let error = backend.solve(&knapsack().ilp(), &options, &mut go_on).unwrap_err();
            assert!(matches!(error, BackendError::BadStart(_)), "{name}: {error}");
        }
    }
}

#[test]
fn improves_a_start() {
    each(|name, solve| {
        for start in [vec![0, 0, 0, 0], vec![1, 0, 0, 1]] {
            let options = Options { start: Some(start), ..Options::default() };
            assert_eq!(optimum(&solve(&knapsack().ilp(), &options)), 17, "{name}");
        }
    });
}

#[test]
fn keeps_a_start_at_the_time_limit() {
    let mut start = vec![0; 300];
    start[7] = 1;
    let options =
        Options { start: Some(start), time_limit: Some(Duration::from_millis(200)), ..Options::default() };
    each(|name, solve| {
        let run = solve(&slow(), &options);
        let Outcome::Feasible { value, .. } = run.outcome else { panic!("{name}: {:?}", run.outcome) };
        assert!(value >= 1, "{name}");
        assert_eq!(run.stop, StopReason::TimeLimit, "{name}");
        assert!(run.seconds < 8.0, "{name}: {} s", run.seconds);
    });
}

#[test]
fn stops_at_the_request_of_the_monitor() {
    // The limit ends abandoned threads.
    let options = Options { time_limit: Some(Duration::from_secs(20)), ..Options::default() };
    for (name, backend) in backends() {
        let run = backend.solve(&slow(), &options, &mut |_| ControlFlow::Break(())).unwrap();
        assert_eq!(run.stop, StopReason::Interrupted, "{name}");
        assert!(!matches!(run.outcome, Outcome::Optimal { .. } | Outcome::Infeasible), "{name}");
        assert!(run.seconds < 6.0, "{name}: {} s", run.seconds);
    }
}

#[test]
fn agrees_with_brute_force_on_random_programs() {
    let mut random = ChaCha8Rng::seed_from_u64(20_260_101);
    let programs: Vec<Ilp> = (0..200).map(|_| random_program(&mut random)).collect();
    each(|name, solve| {
        // A process takes longer than a library call.
        let count = if name == "cbc" { 25 } else { programs.len() };
        for (number, program) in programs[..count].iter().enumerate() {
            let run = solve(program, &Options::default());
            let found = match run.outcome {
                Outcome::Optimal { value, .. } => Some(value),
                Outcome::Infeasible => None,
                other => panic!("{name}, program {number}: {other:?}"),
            };
            assert_eq!(found, brute_force(program), "{name}, program {number}");
        }
    });
}

#[test]
fn omits_unknown_values_and_rejects_unsupported_settings() {
    for name in ["microlp", "cbc"] {
        let backend = choice::backend(name).unwrap();
        let run = backend.solve(&knapsack().ilp(), &Options::default(), &mut go_on).unwrap();
        assert_eq!((run.dual_bound, run.nodes, run.lp_iterations), (None, None, None), "{name}");
        for (options, what) in [
            (Options { node_limit: Some(1), ..Options::default() }, "a node limit"),
            (Options { presolve: Some(true), ..Options::default() }, "a choice of presolve"),
            (Options { symmetry: Some(false), ..Options::default() }, "a choice of symmetry detection"),
            (Options { threads: Some(2), ..Options::default() }, "more than one thread"),
        ] {
            let error = backend.solve(&knapsack().ilp(), &options, &mut go_on).unwrap_err();
            assert_eq!(error.to_string(), format!("{} cannot take {what}", backend.solver()));
        }
    }
    let seeded = Options { seed: 1, ..Options::default() };
    let microlp = choice::backend("microlp").unwrap();
    let error = microlp.solve(&knapsack().ilp(), &seeded, &mut go_on).unwrap_err();
    assert_eq!(error.to_string(), format!("{} cannot take a seed", microlp.solver()));
}

#[test]
fn chooses_backends_by_name() {
    let Err(unknown) = choice::backend("cplex") else { panic!("an unknown name") };
    assert_eq!(
        unknown.to_string(),
        "unknown backend \"cplex\"; expected one of highs, microlp, cbc-lib, highs-cli, cbc, scip, gurobi, \
         or a command such as \"cbc {model} -solve -solution {solution}\""
    );
    if !cfg!(feature = "cbc") {
        let Err(error) = choice::backend("cbc-lib") else { panic!("not built") };
        assert_eq!(error, UnknownBackend::NoCbc);
    }
    assert!(matches!(choice::backend("solve {model}"), Err(UnknownBackend::Template(_))));
    for name in choice::names() {
        let made = choice::backend(name);
        assert!(matches!(made, Ok(_) | Err(UnknownBackend::NoCbc)), "{name}");
    }
}
