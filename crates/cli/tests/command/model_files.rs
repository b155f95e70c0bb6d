//! Model files mean the same to other solvers as to ours.

use std::collections::BTreeSet;
use std::process::Command;

use batsat::{BasicSolver, Lit, SolverInterface as _, lbool};
use ndqueens_solver::highs::Highs;

use crate::desk::Desk;

/// The optimum that cbc finds for a file; nothing when it is infeasible.
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
fn lp_and_mps_files_have_the_optimum_that_solve_finds() {
    let desk = Desk::new();
    for (board, recipes) in [
        ("3^3", &["base", "lmr", "cube", "star", "cube-star", "all"][..]),
        ("2x3x4", &["base", "cube-star", "all"]),
        ("4^2", &["cube-star"]),
        ("torus:3^2", &["base"]),
        ("rook:2x3", &["base"]),
    ] {
        for recipe in recipes {
            let solved = &desk.json(0, &format!("solve {board} -f {recipe}"))[0];
            let best = solved["answer"]["incumbent"].as_u64().expect("an optimum");
            for goal in [
                "".to_owned(),
                format!("--at-least {best}"),
                format!("--exactly {best}"),
                format!("--at-least {}", best + 1),
            ] {
                if goal.ends_with(&(best + 1).to_string()) && board != "3^3" && board != "2x3x4" {
                    // Above the trivial bound; refused.
                    continue;
                }
                for extension in ["lp", "mps"] {
                    let expected = match (goal.as_str(), extension) {
                        ("", "lp") => Some(best as f64),
                        ("", _) => Some(-(best as f64)),
                        (goal, _) => (!goal.ends_with(&(best + 1).to_string())).then_some(0.0),
                    };
                    let file = format!("model.{extension}");
                    desk.ndq(&format!("model {board} -f {recipe} {goal} -o {file}")).success();
                    let what = format!("{board} {recipe} {goal} {extension}");
                    let highs = Highs.optimum_of_file(&desk.path(&file)).expect(&what);
                    assert_eq!(highs.map(f64::round), expected, "HiGHS, {what}");
                    assert_eq!(cbc(&desk, &file).map(f64::round), expected, "cbc, {what}");
                }
            }
        }
    }
}

/// The optimum that cbc finds for an OPB file, which is brought into the form of an LP file word by word.
fn cbc_on_opb(desk: &Desk, file: &str) -> Option<f64> {
    let (mut objective, mut rows, mut names) = (String::new(), String::new(), BTreeSet::new());
    for line in desk.read(file).lines().filter(|line| !line.starts_with('*')) {
        let terms = line.strip_suffix(';').expect(line).trim();
        names.extend(terms.split_whitespace().filter(|word| word.starts_with('x')).map(str::to_owned));
        match terms.strip_prefix("min:") {
            Some(terms) => objective += terms,
            None => rows += &format!("{terms}\n"),
        }
    }
    let names = Vec::from_iter(names).join("\n");
    desk.write("opb.lp", format!("Minimize\n{objective}\nSubject To\n{rows}Binary\n{names}\nEnd\n"));
    cbc(desk, "opb.lp")
}

#[test]
fn opb_files_have_the_optimum_that_cbc_finds() {
    let desk = Desk::new();
    desk.certificate("given.txt", "3^3", &["1 1 1"]);
    for (question, expected) in [
        ("3^3 -f cube", Some(-4.0)),
        ("3^3 -f all", Some(-4.0)),
        ("3^3 -f base --include given.txt", Some(-1.0)),
        ("4^2 -f domination", Some(2.0)),
        ("rook:3^2", Some(-3.0)),
        ("4^2 --exactly 4", Some(0.0)),
        ("3^3 --at-least 5", None),
    ] {
        desk.ndq(&format!("model {question} -o model.opb")).success();
        assert_eq!(cbc_on_opb(&desk, "model.opb").map(f64::round), expected, "{question}");
    }
}

#[test]
fn cnf_files_are_satisfiable_when_there_is_a_solution() {
    let desk = Desk::new();
    for (question, possible) in [
        ("3^3 --at-least 4", true),
        ("3^3 --exactly 4 -f all", true),
        ("3^3 --at-least 5", false),
        ("6^2 -f full", true),
        ("torus:4^2 -f modular", false),
        ("4^2 -f domination --at-most 2", true),
        ("4^2 -f domination --at-most 1", false),
        ("bishop:2x3 --exactly 4", true),
    ] {
        desk.ndq(&format!("model {question} -o model.cnf")).success();
        let mut solver = BasicSolver::default();
        for line in desk.read("model.cnf").lines().filter(|line| !line.starts_with(['c', 'p'])) {
            let numbers: Vec<i32> = line.split_whitespace().map(|word| word.parse().expect(line)).collect();
            let (0, literals) = numbers.split_last().map(|(&zero, rest)| (zero, rest)).expect(line) else {
                panic!("{line}")
            };
            let mut clause: Vec<Lit> =
                literals.iter().map(|&n| Lit::new(solver.var_of_int(n.unsigned_abs()), n > 0)).collect();
            solver.add_clause_reuse(&mut clause);
        }
        assert_eq!(solver.solve_limited(&[]) == lbool::TRUE, possible, "{question}");
    }
}

#[test]
fn graphs_are_read_back_as_boards_with_the_same_solutions() {
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
