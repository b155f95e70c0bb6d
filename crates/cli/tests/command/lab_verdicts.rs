//! Answers of experiments that cannot be right are found and shouted, whoever gave them.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::desk::Desk;
use crate::lab::desk_with;
use crate::lab_tables::rewrite;

/// An experiment on one board, with a solver that says that there is no solution, and with HiGHS.
fn with_a_liar(board: &str, asked: &str) -> Desk {
    let experiment = format!(
        r#"
title = "Liar"
source = "a test"
[[runs]]
boards = ["{board}"]
formulations = ["base"]
variants = ["{asked}"]
backends = ["sh liar.sh {{model}} {{solution}}", "highs"]
"#
    );
    let desk = desk_with(&experiment);
    desk.write("liar.sh", "echo 'Infeasible - objective value 0.00000000' > $2\n");
    desk
}

#[test]
fn a_bound_that_excludes_a_published_value_is_shouted() {
    let desk = with_a_liar("3^3", "at least 4");
    desk.ndq("lab run e.toml -o d")
        .code(4)
        .stdout(contains("2 in contradiction"))
        .stderr(contains("CONTRADICTION: ").and(contains("fail_dual_bound")));
    let rows = desk.json(4, "lab table d --layout raw");
    assert_eq!((&rows[0]["verdict"], &rows[0]["solved"]), (&"fail_dual_bound".into(), &false.into()));
    assert_eq!((&rows[1]["verdict"], &rows[1]["solved"]), (&"ok".into(), &true.into()));
    // It is not forgotten when nothing is left to be run.
    desk.ndq("lab run e.toml -o d").code(4).stderr(contains("CONTRADICTION: "));
}

#[test]
fn a_bound_that_excludes_another_runs_solution_is_shouted() {
    // Nothing is published of this board.
    let desk = with_a_liar("2x3x4", "at least 3");
    let words = "excludes more than 2 queens, and run";
    desk.ndq("lab run e.toml -o d").code(4).stderr(contains(words));
    for command in ["lab table d --layout comparison", "lab plot d", "lab compare d"] {
        desk.ndq(command).code(4).stderr(contains("CONTRADICTION: ").and(contains(words)));
    }
    let rows = desk.json(4, "lab table d --layout raw");
    assert_eq!(rows[0]["verdict"], "fail_inconsistent");
}

#[test]
fn runs_of_two_folders_may_contradict_each_other() {
    let desk = with_a_liar("2x3x4", "at least 3");
    let experiment = desk.read("e.toml");
    desk.write("liar.toml", experiment.replace(", \"highs\"]", "]"));
    desk.write("highs.toml", experiment.replace("\"sh liar.sh {model} {solution}\", ", ""));
    desk.ndq("lab run liar.toml -o a").success();
    desk.ndq("lab run highs.toml -o b").success();
    desk.ndq("lab compare a b").code(4).stderr(contains("CONTRADICTION: "));
}

#[test]
fn a_solution_that_was_tampered_with_is_refused() {
    let desk = with_a_liar("2x3x4", "at least 3");
    desk.write("e.toml", desk.read("e.toml").replace("\"sh liar.sh {model} {solution}\", ", ""));
    desk.ndq("lab run e.toml -o d").success();
    let raw = || desk.json(0, "lab table d --layout raw").remove(0);
    assert_eq!(raw()["solved"], true);
    rewrite(&desk, "d", |row| {
        let certificate = row["answer"]["certificate"].as_str().expect("a certificate");
        let (head, squares) = certificate.split_once("recipe base\n").expect("an origin");
        let first = squares.lines().next().expect("a square");
        let count = squares.lines().count();
        let squares = format!("{first}\n").repeat(count);
        row["answer"]["certificate"] = format!("{head}recipe base\n{squares}").into();
    });
    desk.ndq("lab table d").code(4).stderr(contains("its certificate "));
    let raw = desk.json(4, "lab table d --layout raw").remove(0);
    assert_eq!((&raw["verdict"], &raw["solved"]), (&"fail_solution_infeasible".into(), &false.into()));
}
