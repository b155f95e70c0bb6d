//! Tables and comparisons of experiments whose rows have known times.

use predicates::str::contains;
use serde_json::Value;

use crate::harness::Desk;
use crate::lab::desk_with;

const BOARDS: &str = r#"
title = "Two boards"
source = "a test"
[defaults]
time_seconds = 100
seeds = 2
[[runs]]
boards = ["2^3", "3^3"]
formulations = ["base", "cube"]
"#;

/// Changes every row of a folder.
pub(crate) fn rewrite(desk: &Desk, folder: &str, change: impl Fn(&mut Value)) {
    let name = format!("{folder}/runs.jsonl");
    let rows = desk.read(&name);
    let rows = rows.lines().map(|line| {
        let mut row: Value = serde_json::from_str(line).expect(line);
        row.as_object_mut().expect("a row").remove("sha256");
        change(&mut row);
        format!("{row}\n")
    });
    desk.write(&name, rows.collect::<String>());
}

/// Returns the board, formulation and seed of a row.
fn what(row: &Value) -> (&str, &str, i64) {
    let question = &row["planned"]["question"];
    let text = |key: &str| question[key].as_str().expect("a text");
    (text("board"), text("formulation"), question["seed"].as_i64().expect("a seed"))
}

/// Creates a folder in which 2^3 takes 1 s and 3 s with base and half as long with cube; 3^3 takes 7 s with
/// cube, and base does not solve it with seed 1.
fn filled() -> Desk {
    let desk = desk_with(BOARDS);
    desk.ndq("lab run e.toml -o d").success();
    rewrite(&desk, "d", |row| {
        let (board, formulation, seed) = what(row);
        let (seconds, solved) = match (board, formulation, seed) {
            ("2^3", "base", 0) => (1.0, true),
            ("2^3", "base", _) => (3.0, true),
            ("2^3", _, 0) => (0.5, true),
            ("2^3", ..) => (1.5, true),
            (_, "base", 1) => (100.0, false),
            _ => (7.0, true),
        };
        let answer = &mut row["answer"];
        answer["wall_seconds"] = seconds.into();
        answer["cpu_seconds"] = (seconds * 10.0).into();
        answer["nodes"] = 5.into();
        answer["lp_iterations"] = Value::Null;
        if !solved {
            answer["outcome"] = "feasible".into();
            answer["stop"] = "time limit".into();
        }
    });
    desk
}

#[test]
fn the_comparison_marks_the_fastest_and_sums_up() {
    let desk = filled();
    let outcome = desk.ndq("lab table d").success();
    let table = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    let rows = "\
| board | queens | base | cube |
| --- | ---: | ---: | ---: |
| 2^3 | 1 | 2.00 | **1.00** |
| 3^3 | 4 | > 53.50 | **7.00** |
| geometric mean, 2 boards |  | > 7.97 | 2.94 |
| geometric mean, 1 board solved by all |  | 1.83 | 0.94 |
| speed-up, 1 board solved by all |  | 1.00 | 1.95 |
| runs solved |  | 3 of 4 | 4 of 4 |
";
    assert!(table.contains("Two boards") && table.ends_with(rows), "{table}");
    desk.ndq("lab table d --time cpu --reference cube")
        .success()
        .stdout(contains("| 3^3 | 4 | > 535.00 | **70.00** |"));
    desk.ndq("lab table d --reference star")
        .code(2)
        .stderr(contains("no run was made with the configuration \"star\"; there is \"base\", \"cube\""));
}

#[test]
fn the_sources_layout_has_mean_least_and_most() {
    let desk = filled();
    let outcome = desk.ndq("lab table d --layout kunt").success();
    outcome
        .stdout(contains("| 2^3 | 1 | 2 of 2 | 2.00 | 1.00 | 3.00 | – | – | – | 5.0 | 5 | 5 |"))
        .stdout(contains("| 3^3 | 4 | 1 of 2 | > 53.50 | 7.00 | > 100.00 | – | – | – | > 5.0 | 5 | > 5 |"));
    let latex = desk.ndq("lab table d --layout kunt --format latex").success();
    latex.stdout(contains("\\cmidrule(lr){4-6}\\cmidrule(lr){7-9}\\cmidrule(lr){10-12}"));
    rewrite(&desk, "d", |row| {
        if what(row).0 == "3^3" {
            row["answer"]["outcome"] = "feasible".into();
        }
    });
    let outcome = desk.ndq("lab table d --layout kunt").success();
    outcome.stdout(contains(
        "| 3^3 | 4 | 0 of 2 | > 53.50 | > 7.00 | > 100.00 | – | – | – | > 5.0 | > 5 | > 5 |",
    ));
    let desk = filled();
    let rows = desk.json(0, "lab table d --layout kunt");
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1]["seconds_mean"], 53.5);
    assert_eq!((&rows[1]["solved"], &rows[1]["lp_iterations_mean"]), (&1.into(), &Value::Null));
}

#[test]
fn raw_rows_have_documented_columns() {
    let desk = filled();
    let outcome = desk.ndq("lab table d --layout raw").success();
    let raw = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    assert_eq!(raw.lines().count(), 9);
    desk.ndq("lab table d --layout raw --format latex").code(2).stderr(contains("--format csv"));
    let outcome = desk.ndq("lab table d --columns").success();
    let columns = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    for layout in ["raw", "kunt", "comparison"] {
        let outcome = desk.ndq(&format!("lab table d --layout {layout} --format csv")).success();
        let csv = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
        for name in csv.lines().next().expect("a head").split(',') {
            assert!(columns.contains(&format!("{layout},{name},")), "{layout} {name}");
        }
    }
}

#[test]
fn tables_depend_on_the_rows_alone() {
    let desk = filled();
    let texts = || {
        ["csv", "markdown", "latex"].map(|format| {
            let outcome = desk.ndq(&format!("lab table d --format {format}")).success();
            outcome.get_output().stdout.clone()
        })
    };
    let before = texts();
    // Runs end in arbitrary order.
    let rows: Vec<String> = desk.read("d/runs.jsonl").lines().rev().map(|line| format!("{line}\n")).collect();
    desk.write("d/runs.jsonl", rows.concat());
    assert_eq!(texts(), before);
    desk.ndq("lab table d --format csv -o t.csv").success();
    assert_eq!(
        desk.read("t.csv").as_bytes(),
        before[0].strip_suffix(b"\n").map(|text| [text, b"\n"].concat()).expect("a line")
    );
    desk.ndq("lab table none").code(2).stderr(contains("no folder of an experiment"));
}

#[test]
fn a_run_ends_with_tables() {
    let desk = desk_with(BOARDS);
    desk.ndq("lab run e.toml -o d").success().stdout(contains("rows, tables and plots in d"));
    let mut names = desk.names("d/tables");
    names.sort();
    let expected = [
        "columns.csv",
        "comparison.csv",
        "comparison.md",
        "comparison.tex",
        "kunt.csv",
        "kunt.md",
        "kunt.tex",
        "raw.csv",
    ];
    assert_eq!(names, expected);
}

/// Copies a folder.
fn copy(desk: &Desk, from: &str, to: &str) {
    std::fs::create_dir(desk.path(to)).expect("writable");
    for name in ["experiment.toml", "plan.csv", "runs.jsonl"] {
        std::fs::copy(desk.path(&format!("{from}/{name}")), desk.path(&format!("{to}/{name}"))).expect(name);
    }
}

#[test]
fn a_comparison_tells_what_is_significant() {
    let desk = desk_with(BOARDS);
    desk.ndq("lab run e.toml -o d").success();
    rewrite(&desk, "d", |row| row["answer"]["wall_seconds"] = 2.0.into());
    copy(&desk, "d", "slower");
    rewrite(&desk, "slower", |row| row["answer"]["wall_seconds"] = 3.0.into());
    copy(&desk, "d", "other");
    rewrite(&desk, "other", |row| {
        let sign = if what(row).2 == 0 { 1.0 } else { -1.0 };
        row["answer"]["wall_seconds"] = (2.0 + sign).into();
    });
    let all = |second: &str| desk.json(0, &format!("lab compare d {second}")).remove(0);
    let slower = all("slower");
    assert_eq!((&slower["pairs"], &slower["p"]), (&8.into(), &(2.0 / 256.0).into()));
    // Eight differences, four of them log 4/3 and four log 2/3: the ranks of the latter are larger.
    let other = all("other");
    assert!(other["p"].as_f64() > Some(0.2), "{other}");
    desk.ndq("lab compare d slower")
        .success()
        .stdout(contains("A = d, B = slower: seconds of wall clock"))
        .stdout(contains("significant: A takes less"))
        .stdout(contains("too few pairs: with 4 differing pairs, p is never below 0.12"));
    desk.ndq("lab compare d other").success().stdout(contains("not significant"));
    desk.ndq("lab compare d d").success().stdout(contains("no difference at all"));
    desk.ndq("lab compare d --reference cube --by nodes")
        .success()
        .stdout(contains("A = cube, B = each configuration: nodes"));
    let board = desk.json(0, "lab compare d slower --board 3^3").remove(0);
    assert_eq!(board["pairs"], 4);
    desk.ndq("lab compare d --board 4^3")
        .code(2)
        .stderr(contains("no run was made on \"4^3\"; there is \"2^3\", \"3^3\""));
    desk.ndq("lab compare d none").code(2).stderr(contains("no folder of an experiment"));
}

#[test]
fn comparison_omits_runs_stopped_early() {
    let desk = desk_with(BOARDS);
    desk.ndq("lab run e.toml -o d").success();
    copy(&desk, "d", "short");
    rewrite(&desk, "d", |row| row["answer"]["wall_seconds"] = 50.0.into());
    rewrite(&desk, "short", |row| {
        row["answer"]["outcome"] = "feasible".into();
        row["answer"]["wall_seconds"] = if what(row).2 == 0 { 10.0.into() } else { 60.0.into() };
    });
    let all = desk.json(0, "lab compare d short").remove(0);
    let counts = ["pairs", "both_solved", "only_first", "left_out", "differing"]
        .map(|key| all[key].as_u64().expect(key));
    assert_eq!(counts, [8, 0, 8, 4, 4]);
    assert_eq!((&all["first_at_least"], &all["second_at_least"]), (&false.into(), &true.into()));
    let outcome = desk.ndq("lab compare d short").success();
    outcome.stdout(contains("50.00  > 60.00  > 1.20")).stdout(contains("> means at least"));
    let outcome = desk.ndq("lab compare short d").success();
    outcome.stdout(contains("> 60.00  50.00  < 0.83")).stdout(contains("< at most"));
}

#[test]
fn ways_without_pairs_do_not_raise_the_others() {
    let desk = desk_with(&format!("{BOARDS}\n[[runs]]\nboards = [\"2^4\"]\nformulations = [\"star\"]\n"));
    desk.ndq("lab run e.toml -o d").success();
    rewrite(&desk, "d", |row| {
        row["answer"]["wall_seconds"] = if what(row).1 == "base" { 1.0.into() } else { 2.0.into() };
    });
    let groups = desk.json(0, "lab compare d");
    let of = |name: &str| groups.iter().find(|group| group["name"] == name).expect(name);
    let (cube, star) = (of("cube"), of("star"));
    assert_eq!((&cube["pairs"], &cube["p"], &cube["p_raised"]), (&4.into(), &0.125.into(), &0.125.into()));
    assert_eq!((&star["pairs"], &star["p"], &star["p_raised"]), (&0.into(), &Value::Null, &Value::Null));
}

#[test]
fn tables_of_an_empty_folder_report_no_rows() {
    let desk = desk_with(BOARDS);
    desk.ndq("lab run e.toml -o d").success();
    desk.write("d/runs.jsonl", "");
    let outcome = desk.ndq("lab table d").success();
    outcome.stdout("**Two boards.** No run has ended. Not complete; runs that are missing: 8.\n\n| board | queens |\n| --- | ---: |\n");
    for command in ["lab table d --layout kunt", "lab table d --format latex", "lab plot d", "lab compare d"]
    {
        desk.ndq(command).success();
    }
}

#[test]
fn plots_are_svg_with_text() {
    let desk = filled();
    desk.ndq("lab plot d")
        .success()
        .stdout(contains("d/plots/profile.svg"))
        .stdout(contains("d/plots/time.svg"));
    let time = desk.read("d/plots/time.svg");
    for text in ["Two boards: time", "seconds", "n^3", "base", "cube"] {
        assert!(time.contains(&format!(">\n{text}\n</text>")), "{text}");
    }
    desk.ndq("lab plot d -o elsewhere").success();
    assert_eq!(desk.read("elsewhere/time.svg"), time);
}

#[test]
fn counts_of_different_solvers_are_not_compared() {
    let exact = "[[runs]]\nboards = [\"2^3\", \"3^3\"]\nformulations = [\"none\"]\nbackends = [\"exact\"]\n";
    let desk = desk_with(&format!("{BOARDS}{exact}"));
    desk.ndq("lab run e.toml -o d").success();
    for by in ["nodes", "lp-iterations"] {
        let groups = desk.json(0, &format!("lab compare d --by {by}"));
        let of = |name: &str| groups.iter().find(|group| group["name"] == name).expect(name);
        assert_eq!(of("cube")["comparable"], true);
        let exact = of("exact");
        assert_eq!(
            (&exact["comparable"], &exact["first"], &exact["p"]),
            (&false.into(), &Value::Null, &Value::Null)
        );
        assert_eq!(exact["left_out"], exact["pairs"]);
        desk.ndq(&format!("lab compare d --by {by}"))
            .success()
            .stdout(contains("not comparable: another solver, which counts other things"))
            .stdout(contains("of different solvers are not the same thing"));
    }
    assert!(desk.json(0, "lab compare d").iter().all(|group| group["comparable"] == true));
}

#[test]
fn problems_are_kept_apart() {
    let desk = desk_with(
        r#"
title = "Most and fewest"
source = "a test"
[[runs]]
boards = ["5^2", "6^2"]
formulations = ["base", "cube"]
[[runs]]
boards = ["5^2", "6^2"]
formulations = ["domination"]
variants = ["minimise"]
"#,
    );
    desk.ndq("lab run e.toml -o d").success();
    let outcome = desk.ndq("lab table d").success();
    let text = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    let tables: Vec<&str> = text.split("**Most and fewest: ").collect();
    assert_eq!(tables.len(), 3, "{text}");
    assert!(
        tables[1].starts_with("independent sets.**") && tables[2].starts_with("dominating sets.**"),
        "{text}"
    );
    assert!(
        tables[1].contains("| board | queens | base | cube |\n") && tables[1].contains("| 5^2 | 5 |"),
        "{text}"
    );
    assert!(
        tables[2].contains("| board | queens | domination |\n") && tables[2].contains("| 5^2 | 3 |"),
        "{text}"
    );
    assert!(tables.iter().skip(1).all(|table| table.contains("geometric mean, 2 boards")), "{text}");
    let rows = desk.json(0, "lab table d --layout comparison");
    let of = |problem: &str| rows.iter().filter(|row| row["problem"] == problem).count();
    let raw = desk.json(0, "lab table d --layout raw");
    let dominating = raw.iter().filter(|row| row["problem"] == "dominating set");
    assert!(dominating.map(|row| &row["verdict"]).all(|verdict| verdict == "solved_not_verified"));
    // Two boards and two totals, with two methods and with one.
    assert_eq!((of("independent set"), of("dominating set"), rows.len()), (8, 4, 12));
    desk.ndq("lab plot d").success();
    for name in ["profile", "time"] {
        let plot = desk.read(&format!("d/plots/{name}.svg"));
        assert!(plot.contains("independent sets") && plot.contains("dominating sets"), "{name}");
    }
    desk.ndq("lab compare d --board 9^2").code(2).stderr(contains("there is \"5^2\", \"6^2\"\n"));
}

#[test]
fn dominant_method_does_not_hide_other_profiles() {
    let desk = filled();
    desk.ndq("lab plot d").success();
    assert!(!desk.read("d/plots/profile.svg").contains("without"));
    desk.write("e.toml", BOARDS.replace("\"cube\"", "\"cube\", \"star\""));
    desk.ndq("lab run e.toml -o d").success();
    rewrite(&desk, "d", |row| {
        let seconds = match what(row).1 {
            "base" => 10.0,
            "cube" => 15.0,
            _ => 0.1,
        };
        row["answer"]["wall_seconds"] = seconds.into();
    });
    desk.ndq("lab plot d").success();
    let plot = desk.read("d/plots/profile.svg");
    for text in ["without star", "100", "1.5"] {
        assert!(plot.contains(&format!(">\n{text}\n</text>")), "{text}");
    }
}

#[test]
fn only_latex_tables_are_fitted_to_the_page() {
    let desk = desk_with(
        &BOARDS.replace("\"cube\"]", "\"cube\", \"star\"]\nvariants = [\"maximise\", \"at least 1\"]"),
    );
    desk.ndq("lab run e.toml -o d").success();
    let latex = desk.read("d/tables/comparison.tex");
    assert!(latex.contains("\\begin{adjustbox}{max width=\\textwidth, "), "{latex}");
    assert!(latex.contains(" & \\shortstack[r]{base\\\\at least 1} & cube & "), "{latex}");
    assert!(
        desk.read("d/tables/comparison.md").contains("| board | queens | base | base, at least 1 | cube | ")
    );
}
