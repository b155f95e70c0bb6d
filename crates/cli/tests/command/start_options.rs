//! Combined options: starts with symmetry rows, squares in every convention, time limits.

use predicates::prelude::*;
use predicates::str::contains;

use crate::harness::{Desk, case};

#[test]
fn starts_are_moved_to_an_allowed_image() {
    let desk = Desk::new();
    desk.ndq("find 4^3 -o start.txt").success();
    for formulation in ["lex", "symmetry"] {
        for start in ["cut", "greedy", "start.txt"] {
            for board in ["4^3", "5^2", "3x4x5"] {
                if start == "start.txt" && board != "4^3" {
                    continue;
                }
                let question = format!("solve {board} -f {formulation} --start {start} --time-limit 60");
                desk.ndq(&question).success().stdout(contains(": optimal"));
            }
        }
    }
    // A corner of the board that is not the image allowed by the symmetry rows.
    desk.certificate("corner.txt", "3^2", &["2 2"]);
    desk.ndq("solve 3^2 -f lex --start corner.txt").success();
}

#[test]
fn lab_runs_symmetry_rows_with_a_start() {
    let desk = Desk::new();
    let plan = case("R15-lex-start.toml").display().to_string();
    desk.ndq(&format!("lab run {plan} -o folder")).success();
    let rows = desk.ndq("lab status folder").success().get_output().stdout.clone();
    assert!(!String::from_utf8_lossy(&rows).contains("time limit"));
}

#[test]
fn a_trivial_no_is_an_ordinary_answer() {
    let desk = Desk::new();
    let outcome = desk.ndq("solve 8^2 --at-least 9").code(1);
    outcome
        .stdout(contains("no solution with at least 9 queens on 8^2 [partition of the board"))
        .stderr(contains("error:").not());
    let answer = &desk.json(1, "solve 8^2 --exactly 9")[0]["answer"];
    assert_eq!((&answer["outcome"], &answer["stop"]), (&"infeasible".into(), &"finished".into()));
    assert_eq!(answer["proved_bound"], 8);
    desk.json(1, "solve 3^2 -f domination --at-least 10");
    // A formulation that does not apply to the board is still rejected.
    desk.ndq("solve rook:3^3 -f star --at-least 100").code(2);
    let plan = case("R16-trivial.toml").display().to_string();
    desk.ndq(&format!("lab run {plan} -o folder")).success();
    desk.ndq("lab table folder").success();
}

#[test]
fn time_limits_take_units() {
    let desk = Desk::new();
    for limit in ["90", "90s", "15m", "1h", "3h50m", "0.5h", "1-12:00:00"] {
        desk.ndq(&format!("solve 3^2 --time-limit {limit}")).success();
        desk.ndq(&format!("count 3^2 --time-limit {limit}")).success();
    }
    for limit in ["1x", "soon", "3h50", "-1h"] {
        desk.ndq(&format!("solve 3^2 --time-limit {limit}"))
            .code(2)
            .stderr(contains("a number of seconds is needed, or a time such as 90s"));
    }
}

#[test]
fn misspelt_names_are_suggested() {
    let desk = Desk::new();
    for (words, suggestion) in [
        ("solve 3^3 -f cubestar", "did you mean \"cube-star\"?"),
        ("solve 3^3 -f symetry", "did you mean \"symmetry\"?"),
        ("solve 3^3 --backend gurboi", "did you mean \"gurobi\"?"),
        ("solve 3^3 --backend HiGHS", "did you mean \"highs\"?"),
        ("find 3^3 --method gredy", "did you mean \"greedy\"?"),
        ("find 3^3 --method serach", "did you mean \"search\"?"),
    ] {
        desk.ndq(words).code(2).stderr(contains(suggestion));
    }
    let head = "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\n";
    desk.write("e.toml", format!("{head}variants = [\"maximize\"]\n"));
    desk.ndq("lab plan e.toml").code(2).stderr(contains("did you mean \"maximise\"?"));
}

#[test]
fn proofs_by_highs_have_one_clock_and_bound() {
    let desk = Desk::new();
    let outcome = desk.ndq("prove 6^3 --engine highs --time-limit 4").code(3);
    let out = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    assert!(out.contains("<= alpha <= 23"), "{out}");
    assert_eq!(out.matches("alpha(6^3) >= 21").count(), 1, "{out}");
    let seconds = out.lines().find(|line| line.contains(" MiB")).expect("a line").to_owned();
    let seconds = seconds.split(", ").find_map(|word| word.strip_suffix(" s")).expect("seconds");
    assert!(seconds.parse::<f64>().expect("a number") >= 3.9, "{out}");
}

#[test]
fn proved_bounds_are_checked_bounds() {
    let desk = Desk::new();
    desk.write("liar", "printf 'Infeasible - objective value 0\\n' > \"$2\"\n");
    let mut command = desk.command();
    command.args([
        "prove",
        "bishop:3^3",
        "--engine",
        "highs",
        "--json",
        "--backend",
        "sh liar {model} {solution}",
    ]);
    let output = command.output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    if let Some(line) = text.lines().next() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let answer = &value["answer"];
        assert!(answer["proof"].as_str().expect("words").contains("not certified"));
        let (proved, claimed) = (answer["proved_bound"].as_i64(), answer["dual_bound"].as_f64());
        assert!(proved.expect("a bound") as f64 > claimed.expect("a bound"), "{line}");
    }
    let answer = &desk.json(0, "prove 4^3 --engine highs")[0]["answer"];
    assert_eq!(answer["outcome"], "solved");
    assert!(answer["proved_bound"].as_i64().expect("a bound") >= 8, "{answer}");
}
