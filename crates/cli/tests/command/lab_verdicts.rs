//! Impossible answers in experiments are detected and reported as contradictions, for every solver.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

use crate::harness::Desk;
use crate::lab::desk_with;
use crate::lab_tables::rewrite;

/// An experiment with HiGHS on a board without published values.
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

/// Changes the runs of seed 0 to claim that there is no solution.
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
fn bound_excluding_a_published_value_is_a_contradiction() {
    let desk = desk_with(
        r#"
title = "Liar"
source = "a test"
[[runs]]
boards = ["22^3"]
formulations = ["base"]
variants = ["at least 463"]
backends = ["sh liar.sh {model} {solution}"]
[[runs]]
boards = ["3^3"]
formulations = ["base"]
variants = ["at least 4"]
backends = ["highs"]
"#,
    );
    desk.write("liar.sh", "echo 'Infeasible - objective value 0.00000000' > $2\n");
    desk.ndq("lab run e.toml -o d --allow-commands")
        .code(4)
        .stdout(contains("1 in contradiction"))
        .stderr(contains("CONTRADICTION: ").and(contains("fail_dual_bound")));
    let rows = desk.json(4, "lab table d --layout raw");
    assert_eq!((&rows[0]["verdict"], &rows[0]["solved"]), (&"fail_dual_bound".into(), &false.into()));
    assert_eq!((&rows[1]["verdict"], &rows[1]["solved"]), (&"ok".into(), &true.into()));
    // The contradiction is reported even if no run is left.
    desk.ndq("lab run e.toml -o d --allow-commands").code(4).stderr(contains("CONTRADICTION: "));
}

#[test]
fn claim_refuted_by_local_search_is_a_contradiction() {
    let desk = unpublished("0");
    desk.write("e.toml", desk.read("e.toml").replace("\"highs\"", "\"sh liar.sh {model} {solution}\""));
    desk.write("liar.sh", "echo 'Infeasible - objective value 0.00000000' > $2\n");
    let shouted = || contains("CONTRADICTION: ").and(contains("here is one of 3 queens"));
    desk.ndq("lab run e.toml -o d --allow-commands")
        .code(4)
        .stdout(contains("1 failed, 1 in contradiction"))
        .stderr(shouted());
    desk.ndq("lab table d").code(4).stdout(contains("CONTRADICTION: 1 of the answers")).stderr(shouted());
    let row = desk.json(4, "lab table d --layout raw").remove(0);
    assert_eq!((&row["verdict"], &row["solved"]), (&"fail_inconsistent".into(), &false.into()));
    assert!(row["failure"].as_str().expect("a reason").contains("here is one of 3 queens"), "{row}");
}

#[test]
fn solution_violating_a_row_is_a_contradiction() {
    let desk = unpublished("0");
    desk.write("e.toml", desk.read("e.toml").replace("\"highs\"", "\"sh liar.sh {model} {solution}\""));
    desk.write("liar.sh", "printf 'Optimal - objective value 0\n' > $2\n");
    desk.ndq("lab run e.toml -o d --allow-commands").code(4).stdout(contains("1 failed, 1 in contradiction"));
    let row = desk.json(4, "lab table d --layout raw").remove(0);
    assert_eq!(row["verdict"], "fail_solution_infeasible");
}

#[test]
fn bound_excluding_a_found_solution_is_a_contradiction() {
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
    let verdicts = desk.ndq("lab compare a b").code(4);
    verdicts
        .stderr(contains("seed 0) of a excludes more than 2 queens").and(contains("seed 1) of b found 3")));
}

#[test]
fn replaced_rows_and_rows_of_other_plans_count() {
    let desk = unpublished("0, 1");
    desk.ndq("lab run e.toml -o d").success();
    let good = desk.read("d/runs.jsonl");
    lie(&desk, "d");
    let lied = desk.read("d/runs.jsonl");
    // Only the good run is in the plan.
    desk.write("e.toml", UNPUBLISHED.replace("SEEDS", "1"));
    let shouted = || contains("seed 0) excludes more than 2 queens");
    desk.ndq("lab run e.toml -o d")
        .code(4)
        .stderr(shouted())
        .stdout(contains("0 failed, 1 in contradiction"));
    desk.ndq("lab table d").code(4).stderr(shouted());
    // The false row was replaced.
    desk.write("d/runs.jsonl", lied + &good);
    desk.ndq("lab table d").code(4).stderr(shouted());
    desk.write("d/runs.jsonl", good);
    desk.ndq("lab table d").success();
}

#[test]
fn a_full_solution_or_none_answers_the_question() {
    let desk = desk_with(
        "title = \"Full\"\nsource = \"a test\"\n[[runs]]\nboards = [\"3^3\", \"5^2\"]\nformulations = [\"full\"]\n",
    );
    desk.ndq("lab run e.toml -o d").success().stdout(contains("0 failed, 0 in contradiction"));
    let rows = desk.json(0, "lab table d --layout raw");
    let verdicts: Vec<_> = rows.iter().map(|row| (&row["outcome"], &row["asked"], &row["solved"])).collect();
    let expected =
        [("infeasible", 9), ("feasible", 5)].map(|(outcome, asked)| (outcome.into(), asked.into()));
    let solved = Value::from(true);
    assert_eq!(verdicts, expected.each_ref().map(|(outcome, asked)| (outcome, asked, &solved)));
}

#[test]
fn a_claim_that_the_start_refutes_is_inconsistent() {
    let desk = desk_with(
        r#"
title = "Less than it was given"
source = "a test"
[[runs]]
boards = ["2x3x4"]
formulations = ["base"]
variants = ["warm start"]
start = "greedy"
backends = ["sh liar.sh {model} {solution} {start}"]
"#,
    );
    desk.write("liar.sh", "printf 'Optimal - objective value 1\n 0 x_0_0_0 1 1\n' > $2\n");
    desk.ndq("lab run e.toml -o d --allow-commands").code(4).stderr(contains("reports the optimum 1"));
    assert_eq!(desk.json(4, "lab table d --layout raw")[0]["verdict"], "fail_inconsistent");
}

/// Description of a change to a row, the change, the exit code, and the expected message.
type Plant = (&'static str, fn(&mut Value), i32, &'static str);

/// Removes the last queen of the certificate and updates the digest.
fn drop_a_queen(row: &mut Value) {
    use sha2::Digest as _;
    let answer = &mut row["answer"];
    let text = answer["certificate"].as_str().expect("a certificate").replace("size: 4", "size: 3");
    let text = text.trim_end().rsplit_once('\n').expect("lines").0.to_owned() + "\n";
    let digest: String = sha2::Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    answer["certificate_sha256"] = digest.into();
    answer["certificate"] = text.into();
    answer["incumbent"] = 3.into();
}

fn forget_the_solution(row: &mut Value) {
    for found in ["incumbent", "certificate", "certificate_sha256"] {
        row["answer"][found] = Value::Null;
    }
}

#[test]
fn rows_are_judged_anew_when_they_are_read() {
    let desk = desk_with(
        "title = \"Planted\"\nsource = \"a test\"\n[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\nroot_bound = true\n",
    );
    desk.ndq("lab run e.toml -o d").success();
    let good = desk.read("d/runs.jsonl");
    let plants: [Plant; 15] = [
        (
            "a smaller optimum",
            |row| {
                drop_a_queen(row);
                row["answer"]["dual_bound"] = 3.0.into();
                row["answer"]["proved_bound"] = 3.into();
                row["answer"]["verdict"] = "better".into();
            },
            4,
            "fail_objective_value",
        ),
        ("an optimum below its bound", drop_a_queen, 4, "fail_objective_value"),
        (
            "a bound below the published value",
            |row| {
                forget_the_solution(row);
                row["answer"]["outcome"] = "unknown".into();
                row["answer"]["proved_bound"] = 3.into();
            },
            4,
            "fail_dual_bound",
        ),
        (
            "an optimum with a larger bound",
            |row| row["answer"]["proved_bound"] = 5.into(),
            4,
            "with the bound 5",
        ),
        ("an optimum without a bound", |row| row["answer"]["proved_bound"] = Value::Null, 4, "with no bound"),
        ("an optimum without a solution", forget_the_solution, 4, "has no solution"),
        (
            "no solution at all",
            |row| {
                forget_the_solution(row);
                row["answer"]["outcome"] = "infeasible".into();
            },
            4,
            "there is always a best one",
        ),
        (
            "a word for nothing",
            |row| row["answer"]["outcome"] = "unknown".into(),
            4,
            "it reports \"unknown\"",
        ),
        (
            "a relaxation below the optimum",
            |row| row["answer"]["root_lp_bound"] = 3.5.into(),
            4,
            "fail_dual_bound",
        ),
        (
            "another digest",
            |row| row["answer"]["certificate_sha256"] = "00".into(),
            4,
            "whose digest it gives",
        ),
        (
            "another seed",
            |row| row["planned"]["question"]["seed"] = 7.into(),
            2,
            "is not the digest of what it says",
        ),
        ("another variant", |row| row["planned"]["variant"] = "k+1".into(), 2, "the variant \"k+1\""),
        (
            "another problem",
            |row| row["planned"]["problem"] = "dominating set".into(),
            2,
            "not about dominating sets",
        ),
        ("less than no time", |row| row["answer"]["wall_seconds"] = (-5.0).into(), 2, "it took -5.0 seconds"),
        ("all the time", |row| row["process"]["cpu_seconds"] = 1e300.into(), 2, "it took 1e300 seconds"),
    ];
    for (what, plant, code, words) in plants {
        desk.write("d/runs.jsonl", &good);
        rewrite(&desk, "d", plant);
        for command in ["lab table d", "lab run e.toml -o d"] {
            let verdicts = desk.ndq(command).code(code);
            let error = String::from_utf8(verdicts.get_output().stderr.clone()).expect("UTF-8");
            assert!(error.contains(words), "{what}: {error}");
        }
    }
    // The verdict stored in a row is not used.
    desk.write("d/runs.jsonl", &good);
    rewrite(&desk, "d", |row| row["answer"]["verdict"] = "fail_dual_bound".into());
    desk.ndq("lab table d").success();
}

#[test]
fn dominating_set_answers_are_compared() {
    let desk = desk_with(
        r#"
title = "Dominating"
source = "a test"
[[runs]]
boards = ["4^2"]
formulations = ["domination", "independent-domination"]
variants = ["minimise"]
"#,
    );
    desk.ndq("lab run e.toml -o d").success();
    let good = desk.read("d/runs.jsonl");
    let formulation = |row: &Value| row["planned"]["question"]["formulation"].clone();
    rewrite(&desk, "d", |row| {
        if formulation(row) == "independent-domination" {
            row["answer"]["proved_bound"] = 1.into();
        }
    });
    desk.ndq("lab table d").code(4).stderr(contains("with the bound 1"));
    // Independent dominating sets dominate.
    desk.write("d/runs.jsonl", good);
    rewrite(&desk, "d", |row| {
        if formulation(row) == "domination" {
            forget_the_solution(row);
            row["answer"]["outcome"] = "unknown".into();
            row["answer"]["proved_bound"] = 4.into();
        }
    });
    desk.ndq("lab table d").code(4).stderr(contains("excludes fewer than 4 queens"));
}

/// Independent dominating sets need not have subsets or supersets of the same kind, so their absence for one
/// number says nothing about other numbers.
#[test]
fn independent_dominating_sets_contradict_claims_of_infeasibility() {
    for (asked, denied) in
        [("at most 4", true), ("exactly 3", true), ("at least 3", true), ("exactly 2", false)]
    {
        let experiment = r#"
title = "Both"
source = "a test"
[[runs]]
boards = ["4^2"]
formulations = ["independent-domination"]
variants = ["exactly 3", "ASKED"]
seeds = [0, 1]
"#;
        let desk = desk_with(&experiment.replace("ASKED", asked).replace(", \"exactly 3\"]", "]"));
        desk.ndq("lab run e.toml -o d");
        rewrite(&desk, "d", |row| {
            let question = &row["planned"]["question"];
            if question["seed"] == 1 && (asked == "exactly 3" || question["exactly"] != 3) {
                row["answer"]["outcome"] = "infeasible".into();
                forget_the_solution(row);
            }
        });
        let table = desk.ndq("lab table d");
        if denied {
            table.code(4).stderr(contains("says that there is no such solution, and run"));
        } else {
            table.success();
        }
    }
}

#[test]
fn best_minimised_solution_is_an_upper_bound() {
    let desk = desk_with(
        r#"
title = "Dominating"
source = "a test"
[[runs]]
boards = ["5^2"]
formulations = ["domination"]
variants = ["at least 4"]
"#,
    );
    desk.ndq("lab run e.toml -o d").success();
    desk.ndq("lab table d --layout comparison --format markdown").success().stdout(contains("| 5^2 | ≤ "));
}

#[test]
fn missing_or_changed_board_file_is_reported() {
    let desk = desk_with(
        "title = \"File\"\nsource = \"a test\"\n[[runs]]\nboards = [\"file:b.txt\"]\nformulations = [\"base\"]\n",
    );
    let board = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/boards/heart.txt"))
        .expect("a board");
    desk.write("b.txt", &board);
    desk.ndq("lab run e.toml -o d").success();
    std::fs::rename(desk.path("b.txt"), desk.path("c.txt")).expect("ours");
    let verdicts = desk.ndq("lab table d").code(2);
    verdicts.stderr(contains("the folder that ndq runs in").and(contains("taken out").not()));
    // The changed file may be invalid or describe another board.
    for changed in [board.repeat(2), b"n 3\n0 1\n".to_vec()] {
        desk.write("b.txt", changed);
        let verdicts = desk.ndq("lab table d").code(2);
        verdicts.stderr(contains("has changed since this run").and(contains("CONTRADICTION").not()));
    }
}
