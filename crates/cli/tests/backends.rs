//! Other solvers than HiGHS, on the command line.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn ndq() -> Command {
    Command::cargo_bin("ndq").expect("built with the tests")
}

#[test]
fn other_backends_solve_and_prove() {
    for (backend, solver) in [("microlp", "microlp 0.6.0"), ("cbc", "cbc 2.")] {
        let solved = ndq().args(["solve", "3^3", "-f", "base", "--backend", backend]).assert();
        solved.code(0).stdout(contains("4 queens on 3^3: optimal").and(contains(solver)));
        let proved = ndq().args(["prove", "4^3", "--k", "7", "--backend", backend]).assert();
        proved.code(0).stdout(contains("alpha(4^3) = 7: solved in floating point").and(contains(solver)));
    }
}

#[test]
fn a_record_names_its_backend_and_is_run_again_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = "cbc {model} -solve -solution {solution}";
    let records = folder.path().join("records");
    ndq().args(["solve", "3^3", "--backend", command, "--record"]).arg(&records).assert().code(0);
    let record = fs::read_dir(&records).expect("records").next().expect("one").expect("readable").path();
    assert!(fs::read_to_string(&record).expect("text").contains(&format!("\"backend\": \"{command}\"")));
    ndq()
        .arg("rerun")
        .arg(&record)
        .arg("--allow-commands")
        .assert()
        .code(0)
        .stdout(contains("the same answer"));
}

#[test]
fn what_is_no_backend_or_cannot_be_is_refused() {
    let solve = |args: &[&str]| ndq().args(["solve", "3^3"]).args(args).assert();
    solve(&["--backend", "cplex"])
        .code(2)
        .stderr(contains("unknown backend \"cplex\"; expected one of highs"));
    solve(&["--backend", "cbc {model}"]).code(2).stderr(contains("needs {model} and {solution}"));
    solve(&["--backend", "microlp", "--node-limit", "5"])
        .code(2)
        .stderr(contains("cannot take a node limit"));
    solve(&["--backend", "/no/such {model} {solution}"]).code(4).stderr(contains("cannot be run"));
    solve(&["--backend", "true {model} {solution}"]).code(4).stderr(contains("it wrote no solution file"));
}

#[test]
fn a_model_solved_elsewhere_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, solution) = (folder.path().join("m.lp"), folder.path().join("m.sol"));
    let certificate = folder.path().join("c.txt");
    ndq().args(["model", "4^3", "-f", "cube", "-o"]).arg(&model).assert().code(0);
    let cbc = |path: &std::path::Path| {
        Command::new("cbc").arg(path).args(["-solve", "-solution"]).arg(&solution).assert().success();
    };
    cbc(&model);
    let check = |args: &[&str]| ndq().arg("check").arg(&solution).args(args).assert();
    ndq()
        .arg("check")
        .arg(&solution)
        .args(["--board", "4^3", "-f", "cube", "-o"])
        .arg(&certificate)
        .assert()
        .code(0)
        .stdout(contains("holds; 7 squares of 4^3"));
    ndq().arg("check").arg(&certificate).assert().code(0);
    check(&["--board", "3^3", "-f", "cube"]).code(2).stderr(contains("is not a column of the program"));
    check(&["--board", "5^3", "-f", "cube"]).code(2).stderr(contains("this is the solution of another one"));
    check(&["-f", "cube"]).code(2);

    let with_rows = ["-printingOptions", "all", "-solve", "-solution"].map(std::ffi::OsStr::new);
    Command::new("cbc").arg(&model).args(with_rows).arg(&solution).assert().success();
    check(&["--board", "4^3", "-f", "cube"]).code(0);

    ndq().args(["model", "4^3", "--at-least", "7", "-o"]).arg(&model).assert().code(0);
    cbc(&model);
    check(&["--board", "4^3", "-f", "cube", "--at-least", "7"]).code(0);
    check(&["--board", "4^3", "-f", "cube", "--at-least", "8"])
        .code(1)
        .stdout(contains("does not hold; row size_0: 7 >= 8"));

    fs::write(&solution, "objective value: 2\nx_0_0_0 1\nx_1_1_1 1\n").expect("written");
    check(&["--board", "4^3", "-f", "cube"]).code(1).stdout(contains("does not hold"));
    fs::write(&solution, "objective value: 2\nx_0_0_0 1\nx_1_1").expect("written");
    check(&["--board", "4^3", "-f", "cube"])
        .code(2)
        .stderr(contains("m.sol: line 3: the file breaks off here"));
}

#[test]
fn a_solver_that_lies_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), format!("#!/bin/sh\nprintf '{text}' > $2\n"))
            .expect("writable");
        format!("sh {name} {{model}} {{solution}}")
    };
    let solve = |question: &str, backend: &str| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("ndq"));
        command
            .current_dir(folder.path())
            .arg("solve")
            .args(question.split(' '))
            .args(["--backend", backend]);
        assert_cmd::Command::from_std(command).assert().code(4)
    };
    let infeasible = script("infeasible", "Infeasible - objective value 0\\n");
    for (question, words) in [
        ("4^3", "it says that there is no solution, and here is one of "),
        ("4^3 --at-least 7", "here is one of 7 queens: "),
        ("4^3 --exactly 6", "here is one of 6 queens: "),
        ("7^2 -f full", "here is one of 7 queens: "),
        ("4^3 -f symmetry --at-least 7", "here is one of 7 queens: "),
        ("rook:3x4x5", "here is one of 12 rooks: "),
        ("torus:5^2 -f modular", "here is one of 5 queens: "),
        ("8^2 -f domination --at-most 5", "here is one of 5 queens: "),
        ("8^2 -f independent-domination --at-most 6", "here is one of "),
        ("8^2 -f independent-domination --at-least 8", "here is one of 8 queens: "),
        ("rook:2^4 -f independent-domination --exactly 5", "here is one of 5 rooks: "),
    ] {
        solve(question, &infeasible).stderr(predicates::str::contains(words));
    }
    // No local search finds this one so soon.
    solve("22^3 -f base --at-least 463", &infeasible).stderr(predicates::str::contains(
        "contradicts a published value: at least 463 on 22^3 [Kunt 2023, table 4]",
    ));
    let unbounded = script("unbounded", "Unbounded - objective value 0\\n");
    solve("4^2", &unbounded).stderr(predicates::str::contains("every column has bounds"));
    let none = script("none", "Optimal - objective value 0\\n");
    solve("4^2", &none).stderr(predicates::str::contains(
        "it says that no solution has more than 0 queens, and here is one of ",
    ));
    let all: String = (0..16).map(|k| format!("{k} x_{}_{} 1 1\\n", k / 4, k % 4)).collect();
    let everywhere = script("everywhere", &format!("Optimal - objective value 16\\n{all}"));
    solve("4^2 -f domination", &everywhere).stderr(predicates::str::contains(
        "it says that no solution has fewer than 16 queens, and here is one of ",
    ));
    let low = script("low", "Optimal - objective value 2\\n 0 x_0_0_0 1 1\\n 6 x_0_1_2 1 1\\n");
    solve("4^3", &low).stderr(predicates::str::contains("no solution has more than 2 queens"));
}
