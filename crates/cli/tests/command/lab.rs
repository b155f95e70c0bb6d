//! Experiments: planned, run, stopped, gone on with, and what is in the folder afterwards.

use predicates::str::contains;

use crate::desk::Desk;

/// Two boards, two formulations, two seeds: eight runs of a few milliseconds.
const SMALL: &str = r#"
title = "Small"
source = "a test"
[[runs]]
boards = ["2^3", "3^3"]
formulations = ["base", "cube"]
seeds = 2
"#;

pub(crate) fn desk_with(experiment: &str) -> Desk {
    let desk = Desk::new();
    desk.write("e.toml", experiment);
    desk
}

#[test]
fn a_plan_lists_runs_with_ids_that_stay() {
    let desk = desk_with(SMALL);
    let told = desk.ndq("lab plan e.toml").success().stderr(contains("8 runs"));
    let plan = String::from_utf8(told.get_output().stdout.clone()).expect("UTF-8");
    assert_eq!(plan.lines().count(), 9);
    // The digest of what defines the run; another one would make all rows that people have worthless.
    assert!(plan.contains("\nace02b7a2c828d4c,2^3,base,maximise,,highs,0,1,none,,,\n"), "{plan}");
    let ids: std::collections::HashSet<_> = plan.lines().map(|line| &line[..16]).collect();
    assert_eq!(ids.len(), 9);
    assert_eq!(desk.json(0, "lab plan e.toml").len(), 8);
    desk.ndq("lab plan none.toml").code(2).stderr(contains("cannot read none.toml"));
}

#[test]
fn a_second_run_makes_only_what_is_missing() {
    let desk = desk_with(SMALL);
    desk.ndq("lab run e.toml -o d").success().stdout(contains("8 of 8 runs done, 0 failed"));
    let rows = desk.read("d/runs.jsonl");
    assert_eq!(rows.lines().count(), 8);
    desk.ndq("lab run e.toml -o d").success().stderr(contains("8 of 8 runs are there already"));
    assert_eq!(desk.read("d/runs.jsonl"), rows);
    desk.write("e.toml", SMALL.replace("seeds = 2", "seeds = 3"));
    desk.ndq("lab run e.toml -o d --jobs 2").success().stdout(contains("12 of 12 runs done"));
    assert_eq!(desk.read("d/runs.jsonl").lines().count(), 12);
}
