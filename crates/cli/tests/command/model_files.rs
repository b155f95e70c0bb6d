//! Model files have the same meaning for other solvers.

use std::process::Command;

use batsat::{BasicSolver, Lit, SolverInterface as _, lbool};
use ndqueens_solver::backends::highs::Highs;
use rustsat::instances::fio::opb;
use rustsat::instances::{BasicVarManager, Cnf, OptInstance, SatInstance};
use rustsat::types::constraints::PbConstraint;

use crate::harness::Desk;

/// Returns the optimum that cbc finds for a file; `None` if it is infeasible.
fn cbc(desk: &Desk, file: &str) -> Option<f64> {
    let run =
        Command::new("cbc").current_dir(desk.path("")).args([file, "solve", "solution", "cbc.txt"]).output();
    let run = run.expect("cbc is not on the PATH: scripts/test installs it, or install coinor-cbc");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success() && !said.contains("errors on input"), "{file}: {said}");
    let solution = desk.read("cbc.txt");
    let head = solution.lines().next().expect("a line of status");
    let (status, value) = head.split_once(" - objective value ").expect(head);
    match status {
        "Optimal" => Some(value.trim().parse().expect(head)),
        "Infeasible" | "Integer infeasible" => None,
        _ => panic!("{file}: {head}"),
    }
}

#[test]
fn lp_and_mps_files_preserve_the_optimum() {
    let desk = Desk::new();
    for (board, formulations) in [
        ("3^3", &["base", "lmr", "cube", "star", "cube-star", "all"][..]),
        ("2x3x4", &["base", "cube-star", "all"]),
        ("4^2", &["cube-star"]),
        ("torus:3^2", &["base"]),
        ("rook:2x3", &["base"]),
    ] {
        for formulation in formulations {
            let solved = &desk.json(0, &format!("solve {board} -f {formulation}"))[0];
            let best = solved["answer"]["incumbent"].as_u64().expect("an optimum");
            for goal in [
                "".to_owned(),
                format!("--at-least {best}"),
                format!("--exactly {best}"),
                format!("--at-least {}", best + 1),
            ] {
                if goal.ends_with(&(best + 1).to_string()) && board != "3^3" && board != "2x3x4" {
                    // Above the trivial bound, and therefore rejected.
                    continue;
                }
                for extension in ["lp", "mps"] {
                    let expected = match (goal.as_str(), extension) {
                        ("", "lp") => Some(best as f64),
                        ("", _) => Some(-(best as f64)),
                        (goal, _) => (!goal.ends_with(&(best + 1).to_string())).then_some(0.0),
                    };
                    let file = format!("model.{extension}");
                    desk.ndq(&format!("model {board} -f {formulation} {goal} -o {file}")).success();
                    let what = format!("{board} {formulation} {goal} {extension}");
                    let highs = Highs.optimum_of_file(&desk.path(&file)).expect(&what);
                    assert_eq!(highs.map(f64::round), expected, "HiGHS, {what}");
                    assert_eq!(cbc(&desk, &file).map(f64::round), expected, "cbc, {what}");
                }
            }
        }
    }
}

/// Returns `true` if batsat can satisfy clauses that another library has read or made.
fn satisfiable(clauses: &Cnf) -> bool {
    let mut solver = BasicSolver::default();
    for clause in clauses.iter() {
        let numbers = clause.iter().map(|literal| literal.to_ipasir());
        let mut clause: Vec<Lit> =
            numbers.map(|n| Lit::new(solver.var_of_int(n.unsigned_abs()), n > 0)).collect();
        solver.add_clause_reuse(&mut clause);
    }
    solver.solve_limited(&[]) == lbool::TRUE
}

/// Returns the optimum of an OPB file as rustsat reads it, 0 if there is no objective; `None`
/// if it is infeasible.
fn optimum_of_opb(desk: &Desk, file: &str) -> Option<isize> {
    let (path, options) = (desk.path(file), opb::Options::default());
    if !desk.read(file).contains("min:") {
        let constraints = SatInstance::<BasicVarManager>::from_opb_path(path, options).expect(file);
        return satisfiable(&constraints.into_cnf().0).then_some(0);
    }
    let read = OptInstance::<BasicVarManager>::from_opb_path(path, options).expect(file);
    let (constraints, objective) = read.decompose();
    // The cost of each true literal, without the constant offset.
    let costs: Vec<_> = objective.iter_soft_lits().expect("a linear objective").into_iter().collect();
    let most: usize = costs.iter().map(|(_, cost)| cost).sum();
    (0..=most).map(|cost| cost as isize).find_map(|cost| {
        let mut constraints = constraints.clone();
        constraints.add_pb_constr(PbConstraint::new_ub_unsigned(costs.clone(), cost));
        satisfiable(&constraints.into_cnf().0).then(|| cost + objective.offset())
    })
}

#[test]
fn opb_files_have_the_optimum_of_another_library() {
    let desk = Desk::new();
    desk.certificate("given.txt", "3^3", &["1 1 1"]);
    for (question, expected) in [
        ("3^3 -f cube", Some(-4)),
        ("3^3 -f all", Some(-4)),
        ("3^3 -f cuboid", Some(-4)),
        ("3^3 -f base --include given.txt", Some(-1)),
        ("3^2 -f odd-cycle", Some(-2)),
        ("4^2 -f lex", Some(-4)),
        ("4^2 -f domination", Some(2)),
        ("3x4 -f independent-domination", Some(2)),
        ("4^2 -f full", Some(0)),
        ("rook:3^2", Some(-3)),
        ("torus:5^2 -f modular", Some(0)),
        ("torus:4^2 -f modular", None),
        ("4^2 --exactly 4", Some(0)),
        ("3^3 --at-least 5", None),
        // More queens than the trivial bound, and more than there are squares.
        ("3^3 --at-least 10", None),
        ("2^2 --exactly 5", None),
    ] {
        desk.ndq(&format!("model {question} -o model.opb")).success();
        assert_eq!(optimum_of_opb(&desk, "model.opb"), expected, "{question}");
    }
}

#[test]
fn cnf_files_are_satisfiable_if_a_solution_exists() {
    let desk = Desk::new();
    for (question, possible) in [
        ("3^3 --at-least 4", true),
        ("3^3 --exactly 4 -f all", true),
        ("3^3 --at-least 5", false),
        ("3^2 --at-least 4", false),
        ("2^2 --exactly 5", false),
        ("6^2 -f full", true),
        ("torus:4^2 -f modular", false),
        ("4^2 -f domination --at-most 2", true),
        ("4^2 -f domination --at-most 1", false),
        ("bishop:2x3 --exactly 4", true),
    ] {
        desk.ndq(&format!("model {question} -o model.cnf")).success();
        let read = SatInstance::<BasicVarManager>::from_dimacs_path(desk.path("model.cnf")).expect(question);
        assert_eq!(satisfiable(&read.into_cnf().0), possible, "{question}");
    }
}

#[test]
fn graphs_read_back_have_the_same_solutions() {
    let desk = Desk::new();
    let count = |board: &str| {
        let counted = desk.json(0, &format!("count {board}")).remove(0);
        (counted["independence_number"].clone(), counted["maximum_solutions"].clone())
    };
    for board in ["3^3", "2x3x2", "rook:3^2", "bishop:3x4", "torus:4^2"] {
        desk.ndq(&format!("model {board} -o graph.col")).success();
        assert_eq!(count("file:graph.col"), count(board), "{board}");
        // The complement of the complement.
        desk.ndq(&format!("model {board} -o once.clq")).success();
        desk.ndq("model file:once.clq -o twice.clq").success();
        assert_eq!(count("file:twice.clq"), count(board), "{board}");
    }
}
