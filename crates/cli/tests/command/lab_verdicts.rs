//! Answers of experiments that cannot be right are found and shouted, whoever gave them.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

use crate::desk::Desk;
use crate::lab::desk_with;
use crate::lab_tables::rewrite;

/// An experiment on a board of which nothing is published, with HiGHS.
const UNPUBLISHED: &str = r#"
title = "Nothing is published of this board"
source = "a test"
[[runs]]
boards = ["2x3x4"]
formulations = ["base"]
variants = ["at least 3"]
seeds = [SEEDS]
backends = ["highs"]
"#;

fn unpublished(seeds: &str) -> Desk {
    desk_with(&UNPUBLISHED.replace("SEEDS", seeds))
}

/// Makes the runs of seed 0 claim that there is no solution.
fn lie(desk: &Desk, folder: &str) {
    rewrite(desk, folder, |row| {
        if row["planned"]["question"]["seed"] == 0 {
            row["answer"]["outcome"] = "infeasible".into();
            for found in ["incumbent", "certificate", "certificate_sha256"] {
                row["answer"][found] = Value::Null;
            }
        }
    });
}

#[test]
fn a_bound_that_excludes_a_published_value_is_shouted() {
    let desk = desk_with(
        r#"
title = "Liar"
source = "a test"
[[runs]]
boards = ["20^3"]
formulations = ["base"]
variants = ["at least 364"]
backends = ["sh liar.sh {model} {solution}"]
[[runs]]
boards = ["3^3"]
formulations = ["base"]
variants = ["at least 4"]
backends = ["highs"]
"#,
    );
    desk.write("liar.sh", "echo 'Infeasible - objective value 0.00000000' > $2\n");
    desk.ndq("lab run e.toml -o d")
        .code(4)
        .stdout(contains("1 in contradiction"))
        .stderr(contains("CONTRADICTION: ").and(contains("fail_dual_bound")));
    let rows = desk.json(4, "lab table d --layout raw");
    assert_eq!((&rows[0]["verdict"], &rows[0]["solved"]), (&"fail_dual_bound".into(), &false.into()));
    assert_eq!((&rows[1]["verdict"], &rows[1]["solved"]), (&"ok".into(), &true.into()));
    // It is not forgotten when nothing is left to be run.
    desk.ndq("lab run e.toml -o d").code(4).stderr(contains("CONTRADICTION: "));
}

#[test]
fn a_lie_that_local_search_refutes_is_a_contradiction_with_its_reason() {
    let desk = unpublished("0");
    desk.write("e.toml", desk.read("e.toml").replace("\"highs\"", "\"sh liar.sh {model} {solution}\""));
    desk.write("liar.sh", "echo 'Infeasible - objective value 0.00000000' > $2\n");
    let shouted = || contains("CONTRADICTION: ").and(contains("here is one of 3 queens"));
    desk.ndq("lab run e.toml -o d")
        .code(4)
        .stdout(contains("1 failed, 1 in contradiction"))
        .stderr(shouted());
    desk.ndq("lab table d").code(4).stdout(contains("CONTRADICTION: 1 of the answers")).stderr(shouted());
    let row = desk.json(4, "lab table d --layout raw").remove(0);
    assert_eq!((&row["verdict"], &row["solved"]), (&"fail_inconsistent".into(), &false.into()));
    assert!(row["failure"].as_str().expect("a reason").contains("here is one of 3 queens"), "{row}");
}

#[test]
fn a_solution_that_breaks_a_row_is_a_contradiction_with_its_reason() {
    let desk = unpublished("0");
    desk.write("e.toml", desk.read("e.toml").replace("\"highs\"", "\"sh liar.sh {model} {solution}\""));
    desk.write("liar.sh", "printf 'Optimal - objective value 0\n' > $2\n");
    desk.ndq("lab run e.toml -o d").code(4).stdout(contains("1 failed, 1 in contradiction"));
    let row = desk.json(4, "lab table d --layout raw").remove(0);
    assert_eq!(row["verdict"], "fail_solution_infeasible");
}

#[test]
fn a_bound_that_excludes_another_runs_solution_is_shouted() {
    let desk = unpublished("0, 1");
    desk.ndq("lab run e.toml -o d").success();
    lie(&desk, "d");
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
    let desk = unpublished("0");
    desk.write("other.toml", UNPUBLISHED.replace("SEEDS", "1"));
    desk.ndq("lab run e.toml -o a").success();
    desk.ndq("lab run other.toml -o b").success();
    lie(&desk, "a");
    desk.ndq("lab compare a b").code(4).stderr(contains("CONTRADICTION: "));
}

#[test]
fn a_solution_that_was_tampered_with_is_refused() {
    let desk = unpublished("0");
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
