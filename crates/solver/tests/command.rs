//! Tests solvers that run as commands: a real solver, and scripts that misbehave.

mod common;

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Ilp, Sense};
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::command::CommandSolver;
use ndqueens_solver::backends::{Backend, BackendError, Options, Outcome, Run};
use ndqueens_system::cancel::StopReason;
use tempfile::TempDir;

use common::{Handmade, go_on, knapsack, optimum};

fn queens(board: &str, goal: Goal) -> Ilp {
    let board = Board::new(&board.parse().unwrap());
    let formulation = Formulation::builtin("base").unwrap();
    Model::new(&board, &formulation, Variant::of(goal), &Theorems, 1 << 30).unwrap().ilp()
}

#[test]
fn solves_a_board_by_cbc() {
    let cbc = CommandSolver::builtin("cbc").unwrap();
    assert!(cbc.solver().starts_with("cbc 2."), "{}", cbc.solver());
    let options = Options { seed: 5, ..Options::default() };
    let run = cbc.solve(&queens("4^3", Goal::Optimise), &options, &mut go_on).unwrap();
    assert_eq!((optimum(&run), run.stop), (7, StopReason::Finished));
    let run = cbc.solve(&queens("4^3", Goal::AtLeast(8)), &options, &mut go_on).unwrap();
    assert_eq!(run.outcome, Outcome::Infeasible);
    let written = CommandSolver::from_template("cbc {model} -solve -solution '{solution}'").unwrap();
    let run = written.solve(&queens("3^3", Goal::Optimise), &Options::default(), &mut go_on).unwrap();
    assert_eq!((optimum(&run), run.solver.as_str()), (4, "\"cbc {model} -solve -solution '{solution}'\""));
}

#[test]
fn returns_the_incumbent_of_cbc_at_its_limit() {
    let cbc = CommandSolver::builtin("cbc").unwrap();
    let program = queens("7^3", Goal::Optimise);
    // A machine that is slow or busy needs longer for the first incumbent.
    let found = [2, 4, 8, 16, 32].into_iter().any(|seconds| {
        let options = Options { time_limit: Some(Duration::from_secs(seconds)), ..Options::default() };
        let run = cbc.solve(&program, &options, &mut go_on).unwrap();
        assert_eq!(run.stop, StopReason::TimeLimit);
        match run.outcome {
            Outcome::Feasible { .. } => true,
            Outcome::Unknown { .. } => false,
            other => panic!("{other:?}"),
        }
    });
    assert!(found);
}

#[test]
fn returns_the_incumbent_of_an_interrupted_cbc() {
    let cbc = CommandSolver::builtin("cbc").unwrap();
    let mut monitor = |progress: &ndqueens_solver::backends::Progress| {
        if progress.seconds > 3.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let run = cbc.solve(&queens("7^3", Goal::Optimise), &Options::default(), &mut monitor).unwrap();
    assert_eq!(run.stop, StopReason::Interrupted);
    assert!(run.seconds < 7.0, "{} s", run.seconds);
    assert!(
        matches!(run.outcome, Outcome::Feasible { bound: None, .. } | Outcome::Unknown { bound: None }),
        "{:?}",
        run.outcome
    );
}

/// Shell script in place of a solver; `$1` is the LP file, `$2` the solution file.
struct Script {
    folder: TempDir,
}

impl Script {
    fn new(body: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solver");
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> CommandSolver {
        CommandSolver::from_template(&format!("{} {{model}} {{solution}}", self.file("solver").display()))
            .unwrap()
    }

    /// Returns the command for runs with a start, whose file is `$3`.
    fn warm_command(&self) -> CommandSolver {
        let solver = self.file("solver");
        CommandSolver::from_template(&format!("{} {{model}} {{solution}} {{start}}", solver.display()))
            .unwrap()
    }

    fn solve(&self, options: &Options) -> Result<Run, BackendError> {
        // The script is busy for a moment if another thread of the tests forks while it is written.
        loop {
            let command = if options.start.is_some() { self.warm_command() } else { self.command() };
            let result = command.solve(&knapsack().ilp(), options, &mut go_on);
            match &result {
                Err(BackendError::Failed { fault, .. }) if fault.contains("busy") => {
                    thread::sleep(Duration::from_millis(20));
                }
                _ => return result,
            }
        }
    }

    fn fault(&self) -> String {
        match self.solve(&Options::default()) {
            Err(BackendError::Failed { fault, .. }) => fault,
            other => panic!("{other:?}"),
        }
    }

    fn violation(&self, options: &Options) -> String {
        match self.solve(options) {
            Err(BackendError::Wrong { violation, .. } | BackendError::Refuted { claim: violation, .. }) => {
                violation
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn passes_a_start_or_rejects_it() {
    let started = Options { start: Some(vec![0, 0, 1, 0]), ..Options::default() };
    let run = Script::new("cp \"$3\" \"$2\"").solve(&started).unwrap();
    assert_eq!(run.outcome, Outcome::Feasible { solution: vec![0, 0, 1, 0], value: 7, bound: None });

    let cbc = Script::new("cbc \"$1\" -mipstart \"$3\" -solve -solution \"$2\" > \"${0%/*}/log\"");
    assert_eq!(optimum(&cbc.solve(&started).unwrap()), 17);
    let log = fs::read_to_string(cbc.file("log")).unwrap();
    assert!(log.contains("MIPStart values read for 4 variables"), "{log}");
    let known =
        CommandSolver::builtin("cbc").unwrap().solve(&knapsack().ilp(), &started, &mut go_on).unwrap();
    assert_eq!(optimum(&known), 17);

    let refused = |command: CommandSolver, options: &Options| {
        let error = command.solve(&knapsack().ilp(), options, &mut go_on).unwrap_err();
        assert!(!error.is_failure());
        error.to_string().rsplit_once(" cannot take ").unwrap().1.to_owned()
    };
    assert_eq!(refused(cbc.command(), &started), "a start: the command has no {start}");
    assert_eq!(
        refused(cbc.warm_command(), &Options::default()),
        "a run without a start: the command has {start}"
    );
    let seeded = Options { seed: 1, ..Options::default() };
    assert_eq!(refused(cbc.command(), &seeded), "a seed: the command has no {seed}");
}

/// Creates a script that writes `text` as the solution file.
fn writes(text: &str) -> Script {
    Script::new(&format!("cat > \"$2\" <<'END'\n{text}\nEND"))
}

#[test]
fn reports_missing_and_failing_solvers() {
    let absent = CommandSolver::from_template("/no/such/solver {model} {solution}").unwrap();
    let error = absent.solve(&knapsack().ilp(), &Options::default(), &mut go_on).unwrap_err();
    assert_eq!(error.to_string(), "/no/such/solver cannot be run: there is no such file");
    let fails = Script::new("echo 'no licence' >&2; exit 3");
    assert_eq!(fails.fault(), "it ended with exit status: 3; its last output: no licence");
    let crashes = Script::new("kill -SEGV $$");
    assert!(crashes.fault().contains("signal: 11"), "{}", crashes.fault());
}

#[test]
fn reports_missing_and_invalid_solution_files() {
    assert_eq!(
        Script::new("echo one; echo two").fault(),
        "it wrote no solution file; its last output: one | two"
    );
    assert_eq!(Script::new(": > $2").fault(), "it wrote no solution file");
    assert_eq!(
        writes("42").fault(),
        "its solution file solution.sol, line 1: this is not a solution file of HiGHS, CBC, SCIP, Gurobi, \
         CPLEX, GLPK, MIPLIB, a SAT solver or a pseudo-Boolean solver"
    );
    assert_eq!(
        writes("Optimal - objective value 4\n 0 y 1 4").fault(),
        "its solution file solution.sol, line 2: \"y\" is not a column of the program: this is the solution of \
         another one"
    );
    assert_eq!(Script::new("printf '\\377\\n' > $2").fault(), "its solution file is not text");
}

#[test]
fn detects_false_claims() {
    let plain = Options::default();
    let too_much = writes("Optimal - objective value 29\n 0 x_0 1 0\n 1 x_1 1 0\n 2 x_2 1 0\n 3 x_3 1 0");
    assert_eq!(too_much.violation(&plain), "row test_0: 21 <= 12 does not hold");
    let outside = writes("Optimal - objective value 8\n 0 x_0 2 0");
    assert_eq!(outside.violation(&plain), "x_0 = 2 is outside 0..1");

    let started = Options { start: Some(vec![1, 0, 0, 1]), ..Options::default() };
    let modest = writes("Optimal - objective value 4\n 0 x_0 1 0");
    assert_eq!(modest.violation(&started), "it reports the optimum 4, but a solution of value 17 is known");
    let denies = writes("Infeasible - objective value 0");
    assert_eq!(denies.violation(&started), "it reports an infeasible program, which has a solution");
    let empty_handed = writes("solution status: optimal solution found\nno solution available");
    assert_eq!(empty_handed.fault(), "it reports an optimum without a solution");
}

#[test]
fn claims_no_more_than_the_solver() {
    let solution = "# Objective value = 4\nx_0 1\nx_1 0\nx_2 0\nx_3 0";
    let run = writes(solution).solve(&Options::default()).unwrap();
    assert_eq!(run.outcome, Outcome::Feasible { solution: vec![1, 0, 0, 0], value: 4, bound: None });
    assert_eq!(run.stop, StopReason::Unstated);
    let started = Options { start: Some(vec![0, 0, 1, 0]), ..Options::default() };
    let run = writes(solution).solve(&started).unwrap();
    assert_eq!(run.outcome, Outcome::Feasible { solution: vec![0, 0, 1, 0], value: 7, bound: None });
    let run = writes("solution status: unknown\nno solution available").solve(&Options::default()).unwrap();
    assert_eq!((run.outcome, run.stop), (Outcome::Unknown { bound: None }, StopReason::Unstated));
    let unbounded = writes("solution status: unbounded\nno solution available");
    let error = unbounded.solve(&Options::default()).unwrap_err();
    assert!(error.to_string().ends_with("every column has bounds"), "{error}");

    let search = Handmade::binary(Sense::Feasibility, &[0, 0]).ilp();
    let found = writes("# Objective value = 0\nx_0 0\nx_1 1");
    let run = found.command().solve(&search, &Options::default(), &mut go_on).unwrap();
    assert_eq!(run.stop, StopReason::Finished);
}

/// Returns `true` if the process whose number is in a file is running.
fn is_running(file: &Path) -> bool {
    let number = fs::read_to_string(file).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[test]
#[cfg(target_os = "linux")]
fn kills_a_hanging_solver_with_its_children() {
    let script = Script::new(
        "trap '' INT\nsleep 600 &\necho $! > \"${0%/*}/child\"\necho $$ > \"${0%/*}/self\"\nwait; wait",
    );
    let start = Some(vec![1, 0, 0, 1]);
    let options = Options { start, time_limit: Some(Duration::from_millis(300)), ..Options::default() };
    let began = Instant::now();
    let run = script.solve(&options).unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!(run.stop, StopReason::TimeLimit);
    assert_eq!(run.outcome, Outcome::Feasible { solution: vec![1, 0, 0, 1], value: 17, bound: None });
    thread::sleep(Duration::from_millis(100));
    assert!(!is_running(&script.file("self")) && !is_running(&script.file("child")));
}

#[test]
#[cfg(target_os = "linux")]
fn reads_the_solution_of_an_interrupted_solver() {
    // Background processes of a shell ignore interrupts from the start, and a shell cannot
    // trap ignored signals.
    let script = Script::new(
        "[ \"$BORN\" ] || exec env --default-signal=INT BORN=1 \"$0\" \"$@\"\ntrap 'printf \"Optimal - objective value 4\\n 0 x_0 1 0\\n\" > \"$2\"; exit 0' INT\n: > \"${0%/*}/ready\"\nwhile :; do sleep 0.05; done",
    );
    let ready = script.file("ready");
    let mut monitor = |_: &_| if ready.exists() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let run = script.command().solve(&knapsack().ilp(), &Options::default(), &mut monitor).unwrap();
    assert_eq!(run.outcome, Outcome::Feasible { solution: vec![1, 0, 0, 0], value: 4, bound: None });
    assert_eq!(run.stop, StopReason::Interrupted);
}

#[test]
#[cfg(target_os = "linux")]
fn leaves_no_process_if_the_monitor_panics() {
    let script = Script::new("echo $$ > \"${0%/*}/self\"\nsleep 600");
    let file = script.file("self");
    let mut monitor =
        |_: &_| if file.exists() { panic!("the monitor's own") } else { ControlFlow::Continue(()) };
    let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        script.command().solve(&knapsack().ilp(), &Options::default(), &mut monitor)
    }));
    assert!(run.is_err());
    assert!(!is_running(&script.file("self")));
}
