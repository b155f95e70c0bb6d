//! Experiments: planning, running, stopping and resuming them, and the resulting folder.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;

/// Two boards, two formulations, two seeds: eight runs of a few milliseconds.
pub(crate) const SMALL: &str = r#"
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
    let outcome = desk.ndq("lab plan e.toml").success().stderr(contains("8 runs"));
    let plan = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    assert_eq!(plan.lines().count(), 9);
    // The digest of the run's definition; a different digest would invalidate all existing rows.
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

#[test]
fn batch_stops_at_its_time_limit_and_resumes() {
    let desk = desk_with(SMALL);
    let stopped = desk.ndq("lab run e.toml -o d --time-limit 0").code(3);
    stopped.stdout(contains("0 of 8 runs done")).stderr(contains("8 runs missing; the same command resumes"));
    desk.ndq("lab run e.toml -o d --time-limit 600").success().stdout(contains("8 of 8 runs done, 0 failed"));
}

/// Returns the shipped experiment files.
fn shipped() -> Vec<std::path::PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/experiments");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect(folder).map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

#[test]
fn every_shipped_experiment_plans() {
    let desk = Desk::new();
    let ids = |path: &std::path::Path| -> std::collections::BTreeSet<String> {
        let runs = desk.json(0, &format!("lab plan {}", path.display()));
        runs.iter().map(|run| run["id"].as_str().expect("an id").to_owned()).collect()
    };
    let plans: std::collections::BTreeMap<_, _> = shipped()
        .iter()
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), ids(path)))
        .collect();
    assert!(plans.contains_key("smoke"));
    let table = |number: u32| &plans[&format!("kunt-table-{number}")];
    for number in 11..=35 {
        assert!(!table(number).is_empty(), "{number}");
    }
    // Comparison tables consist of the runs of other tables.
    for (comparison, parts) in [(21, 11..=20), (29, 22..=28), (35, 30..=34)] {
        let union: std::collections::BTreeSet<_> = parts.flat_map(table).cloned().collect();
        assert_eq!(*table(comparison), union, "{comparison}");
    }
    // Ten seeds on fourteen boards.
    assert_eq!(table(11).len(), 140);
}

#[test]
fn experiment_file_in_a_folder_plans_identical_runs() {
    let desk = desk_with(&SMALL.replace("[[runs]]", "[defaults]\nstart = \"starts/{board}.txt\"\n[[runs]]"));
    let text = desk.read("e.toml");
    desk.write(
        "e.toml",
        format!(
            "{text}\n[[runs]]\nboards = [\"4^3\"]\nformulations = [\"base\"]\nvariants = [\"warm start\"]\n"
        ),
    );
    std::fs::create_dir(desk.path("starts")).expect("a folder");
    desk.ndq("find 4^3 -o starts/4^3.txt").success();
    desk.ndq("lab run e.toml -o d").success();
    std::fs::remove_dir_all(desk.path("starts")).expect("a folder");
    desk.ndq("lab plan e.toml").code(2).stderr(contains("starts/4^3.txt"));
    let ids = |runs: Vec<serde_json::Value>| runs.iter().map(|run| run["id"].to_string()).collect::<Vec<_>>();
    assert_eq!(ids(desk.json(0, "lab plan d/experiment.toml")).len(), 9);
    desk.ndq("lab run d/experiment.toml -o d").success().stderr(contains("9 of 9 runs are there already"));
}

#[test]
fn experiment_file_errors_have_line_and_column() {
    let head = "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\n";
    let desk = desk_with("");
    for (text, place, words) in [
        ("title = \"t\"\nsource =".to_owned(), "line 2, column 9", ""),
        (format!("{head}colour = 1\n"), "line 6, column 1", "unknown field `colour`"),
        (head.replace("3^3", "3^^3"), "line 4, column 11", "3^^3"),
        (head.replace("base", "bas"), "line 5, column 17", "bas"),
        (
            format!("{head}variants = [\"maximise\", \"k+2\"]\n"),
            "line 6, column 25",
            "expected one of maximise",
        ),
        (format!("{head}variants = [\"warm start\"]\n"), "line 6, column 13", "a warm start needs start"),
        (
            format!("{head}variants = [\"warm start\"]\nstart = \"none.txt\"\n"),
            "line 7, column 9",
            "none.txt",
        ),
        (format!("{head}seeds = 0\n"), "line 6, column 9", "seeds are"),
        (format!("{head}threads = 0\n"), "line 6, column 11", "threads are 1 to 1024"),
        (format!("{head}memory_mib = 9223372036854775807\n"), "line 6, column 14", "at most 1073741824"),
        (format!("{head}[k]\n\"3^^3\" = 4\n"), "line 7, column 1", "3^^3"),
        (head.replace("boards = [\"3^3\"]\n", ""), "line 3, column 1", "a block of runs needs boards"),
        (format!("{head}variants = []\n"), "line 3, column 1", "the list of variants is empty"),
        (format!("{head}variants = [\"exactly 99\"]\n"), "line 6, column 13", "the trivial upper bound is 9"),
        (format!("{head}[[exclude]]\nboards = [\"3^3\"]\n"), "line 6, column 1", "no run is left"),
        (format!("{head}[[exclude]]\n"), "line 6, column 1", "no run is left"),
        (
            format!("{head}[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\nnodes = 3\n"),
            "line 6, column 1",
            "3^3 is run twice as \"base\" with seed 0, with different limits",
        ),
        (
            format!("{head}variants = [\"k+1\"]\n[k]\n\"3^3\" = 9223372036854775807\n"),
            "line 4, column 11",
            "too large for [k]",
        ),
        (format!("{head}time_seconds = -1.0\n"), "line 6, column 16", "from 0 to 1000000000"),
        (format!("{head}time_seconds = 1e300\n"), "line 6, column 16", "from 0 to 1000000000"),
        (format!("{head}start = \"cut\"\n"), "line 6, column 9", "no run starts from it"),
        (
            head.replace("[[runs]]", "[defaults]\nstart = \"cut\"\n[[runs]]"),
            "line 4, column 9",
            "no run starts from it",
        ),
        (head.replace("base", "modular"), "line 5, column 17", "it is for a torus"),
        (head.replace("base", "partial"), "line 5, column 17", "it needs a number of queens"),
        (head.replace("base", "completion"), "line 5, column 17", "it needs queens to include"),
        (format!("{head}backends = [\"none\"]\n"), "line 6, column 13", "unknown backend"),
        (format!("{head}[[exclude]]\nboards = [\"4^3\"]\n"), "line 7, column 11", "matches no run"),
        (
            format!(
                "{head}[[runs]]\nboards = [\"4^3\"]\nformulations = [\"base\"]\n[[exclude]]\nboards = [\"4^3\", \"5^3\"]\n"
            ),
            "line 10, column 18",
            "\"5^3\" matches no run",
        ),
        (
            format!("{head}seeds = 3\n[[exclude]]\nboards = [\"3^3\"]\nseeds = [1, 7]\n"),
            "line 9, column 9",
            "seed 7 matches no run",
        ),
        (format!("{head}[k]\n\"3^3\" = 4\n"), "line 7, column 1", "no run asks for more queens"),
        (
            format!("{head}variants = [\"k+1\"]\n[k]\n\"3^3\" = 4\n\"9^5\" = 4\n"),
            "line 9, column 1",
            "no run asks for more queens",
        ),
        (
            format!("{head}[tables]\nreference = \"cube\"\n"),
            "line 7, column 13",
            "the configurations are \"base\"",
        ),
        (head.replace("3^3", "three").replace("base", "cube"), "line 4, column 11", "three"),
        (
            head.replace("3^3", "9^5").replace("\"base\"]", "\"base\"]\nvariants = [\"k+1\"]"),
            "line 4, column 11",
            "[k]",
        ),
    ] {
        desk.write("e.toml", &text);
        let outcome = desk.ndq("lab plan e.toml").code(2);
        let error = String::from_utf8(outcome.get_output().stderr.clone()).expect("UTF-8");
        assert!(error.contains(&format!("e.toml, {place}: ")) && error.contains(words), "{text}\n{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        desk.ndq("lab run e.toml -o d").code(2);
        assert!(!desk.path("d").exists());
    }
}

#[test]
fn relaxations_are_tabled_with_the_gap_that_they_close() {
    let desk = desk_with(
        "title = \"Bounds\"\nsource = \"a test\"\n[defaults]\nboards = [\"3^3\", \"4^3\"]\nbackends = [\"relaxation\"]\n\
         [[runs]]\nformulations = [\"base\", \"own.toml\"]\nhighs_root = true\n\
         [[runs]]\nformulations = [\"base\"]\nseparate = [\"clique\", \"local\"]\n",
    );
    desk.write(
        "own.toml",
        "title = \"own\"\nsource = \"none\"\nproblem = \"independent set\"\nfamilies = [\"line\"]\n\
         [[inequalities]]\nbox = [3, 3, 3]\nclasses = [0, 1, 2, 3]\nrhs = 3\n",
    );
    desk.ndq("lab run e.toml -o d").success().stdout(contains("6 of 6 runs done, 0 failed"));
    let rows = desk.json(0, "lab table d");
    assert_eq!(rows.len(), 6);
    let relaxed = desk.json(0, "lp relax 3^3 4^3 -f base,own.toml --root");
    for (of_lab, of_relax) in rows.chunks(3).flat_map(|rows| &rows[..2]).zip(&relaxed) {
        assert_eq!(of_lab["board"], of_relax["board"]);
        assert_eq!(of_lab["queens"].to_string(), of_relax["alpha_at_least"].to_string());
        for (here, there) in [
            ("lp_bound", "lp_bound"),
            ("gap", "gap"),
            ("gap_closed", "gap_closed"),
            ("highs_root_bound", "root_bound"),
            ("rows", "rows"),
        ] {
            let [here, there] =
                [&of_lab[here], &of_relax[there]].map(|value| value.as_f64().expect("a number"));
            assert!((here - there).abs() < 1e-6, "{of_lab} {of_relax}");
        }
    }
    for (of_lab, board) in rows.iter().skip(2).step_by(3).zip(["3^3", "4^3"]) {
        let relaxed = &desk.json(0, &format!("lp relax {board} -f base --separate clique,local"))[0];
        let [here, there] = [of_lab, relaxed].map(|row| row["lp_bound"].as_f64().expect("a bound"));
        assert!((here - there).abs() < 1e-6, "{of_lab} {relaxed}");
        assert_eq!(of_lab["cuts"].to_string(), relaxed["separated"]["rows"].to_string());
    }
    let latex = desk.ndq("lab table d --layout relaxations --format latex").success();
    latex.stdout(contains("\\toprule").and(contains("separate clique+local")));
    assert!(desk.read("d/tables/relaxations.csv").starts_with("board,problem,configuration,queens,"));
    // Tables that compare solves do not have these runs.
    assert_eq!(desk.read("d/tables/comparison.csv").lines().count(), 1);
    desk.write("s.toml", SMALL);
    desk.ndq("lab run s.toml -o s").success();
    assert!(!desk.path("s/tables/relaxations.csv").exists());
    desk.ndq("lab table s --layout relaxations").code(2).stderr(contains("no run is an LP relaxation"));
}
