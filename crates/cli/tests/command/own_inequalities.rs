//! Inequalities that a formulation's file states, from the file to models, solutions and tables.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::json;

use crate::harness::Desk;

/// Writes a formulation of lines with this text after its families.
fn formulation(desk: &Desk, name: &str, inequalities: &str) {
    let head = "title = \"own\"\nsource = \"none\"\nproblem = \"independent set\"\nfamilies = [\"line\"]\n";
    desk.write(name, format!("{head}{inequalities}"));
}

/// The volume inequality of 3^3 as a pattern.
const VOLUME: &str = "[[inequalities]]\nbox = [3, 3, 3]\nclasses = [0, 1, 2, 3]\nrhs = 3\n";

/// Lines of a torus wrap around, so that (0,0) and (1,4) attack each other on torus:5^2, and each stride has a
/// proof of its own.
#[test]
fn patterns_on_a_torus_are_decided_there() {
    let desk = Desk::new();
    let head = "title = \"t\"\nsource = \"s\"\nproblem = \"independent set\"\nfamilies = [\"line\"]\n";
    let pair = |keys: &str| format!("{head}[[inequalities]]\n{keys}\nrhs = 1\n");
    desk.write("near.toml", pair("box = [2, 5]\nsquares = [[0, 0], [1, 4]]"));
    for command in ["solve torus:5^2", "face torus:5^2"] {
        desk.ndq(&format!("{command} -f near.toml")).success();
    }
    let wide = "box = [2, 3]\nsquares = [[0, 0], [1, 2]]";
    desk.write("one.toml", pair(&format!("{wide}\nstrides = [1]")));
    desk.write("two.toml", pair(&format!("{wide}\nstrides = [2]")));
    desk.ndq("solve torus:6^2 -f one.toml").code(1).stderr(contains("does not hold"));
    desk.ndq("solve torus:6^2 -f two.toml").success();
    desk.write("all.toml", pair(wide));
    desk.ndq("solve torus:6^2 -f all.toml").code(1).stderr(contains("does not hold"));
}

#[test]
fn pattern_gives_the_rows_of_the_family() {
    let desk = Desk::new();
    formulation(&desk, "own.toml", VOLUME);
    formulation(
        &desk,
        "both.toml",
        &format!(
            "{VOLUME}[[inequalities]]\nbox = [3, 3]\nclasses = [0, 1, 1]\nrhs = 1\n\
             [[inequalities]]\nbox = [3, 3, 3]\nclasses = [0, 0, 1, 1]\nrhs = 1\n"
        ),
    );
    for board in ["3^3", "5^3", "3x4x5", "torus:5^3"] {
        // These are all volume inequalities of sub-boxes of two and of three axes.
        let rows = desk.json(0, &format!("lp relax {board} -f both.toml,volume"));
        let [own, family] = [&rows[0], &rows[1]].map(|row| row["lp_bound"].as_f64().expect("a bound"));
        assert!((own - family).abs() < 1e-6, "{board}: {own}, {family}");
        assert_eq!(rows[0]["rows"], rows[1]["rows"], "{board}");
        assert_eq!(rows[0]["conditions"], json!([]), "{board}");
    }
    desk.ndq("model 3^3 -f own.toml --row own_0").success().stdout(contains("checked in this run"));
    desk.ndq("solve 4^3 -f own.toml").success().stdout(contains("7 queens on 4^3: optimal"));
    desk.ndq("prove 4^3 -f own.toml --engine highs").success().stdout(contains("alpha(4^3) = 7"));
}

#[test]
fn violated_inequality_is_refuted_with_a_placement() {
    let desk = Desk::new();
    let one_on_a_cube = VOLUME.replace("[0, 1, 2, 3]", "[1, 1, 1, 1]").replace("rhs = 3", "rhs = 1");
    formulation(&desk, "bad.toml", &one_on_a_cube);
    for command in [
        "model 4^3 -o m.lp -f",
        "solve 4^3 -f",
        "prove 4^3 --engine highs -f",
        "lp relax 4^3 -f",
        "lp certify 4^3 -f",
    ] {
        let run = desk.ndq(&format!("{command} bad.toml")).code(1);
        run.stderr(contains("inequality 1 does not hold: ").and(contains("do not attack each other")));
    }
    assert!(!desk.path("m.lp").exists());
    formulation(
        &desk,
        "single.toml",
        "[[inequalities]]\nsquares = [[0, 0], [1, 0]]\ncoefficients = [2, 1]\nrhs = 1\n",
    );
    let run = desk.ndq("solve 3^2 -f single.toml").code(1);
    run.stderr(
        contains(
            "2 (0,0) + (1,0) <= 1 on 3^2, and a single queen on (0,0) violates it, because the sum is 2",
        )
        .and(contains("attack").not()),
    );
    formulation(&desk, "centre.toml", &VOLUME.replace("rhs = 3", "rhs = 2"));
    desk.ndq("solve 4^3 -f centre.toml").code(1).stderr(contains("a single queen on (1,1,1) violates it"));
    formulation(&desk, "negative.toml", "[[inequalities]]\nsquares = [[0, 0]]\nsense = \">=\"\nrhs = 1\n");
    desk.ndq("solve 2^2 -f negative.toml").code(1).stderr(contains("no queen at all"));
}

#[test]
fn inequality_on_other_sets_is_a_condition() {
    let desk = Desk::new();
    let text = "title = \"own\"\nsource = \"none\"\nproblem = \"dominating set\"\nfamilies = [\"domination\"]\n\
        [[inequalities]]\nsquares = [[0, 0], [0, 1]]\nrhs = 1\n";
    desk.write("dominating.toml", text);
    desk.ndq("solve 3^2 -f dominating.toml").success().stdout(contains("holds if inequality 1 on 3^2"));
}

#[test]
fn rows_are_read_from_csv_and_lp_files() {
    let desk = Desk::new();
    formulation(&desk, "own.toml", VOLUME);
    desk.ndq("model 3^3 -f own.toml -o rows.lp").success();
    formulation(&desk, "lp.toml", "[[inequalities]]\nfile = \"rows.lp\"\n");
    desk.write("rows.csv", "row,sense,rhs,coefficient,square\na,<=,1,1,\"(0,0,0)\"\na,<=,1,1,\"(0,0,1)\"\n");
    formulation(&desk, "csv.toml", "[[inequalities]]\nfile = \"rows.csv\"\n");
    let rows = desk.json(0, "lp relax 3^3 -f own.toml,lp.toml,csv.toml");
    assert_eq!(rows[0]["lp_bound"], rows[1]["lp_bound"]);
    assert_eq!(rows[2]["rows"], 110);
    desk.write("rows.csv", "row,sense,rhs,coefficient,square\na,<=,1,1.5,\"(0,0,0)\"\n");
    desk.ndq("lp relax 3^3 -f csv.toml")
        .code(2)
        .stderr(contains("rows.csv, line 2: the coefficient \"1.5\""));
    formulation(&desk, "none.toml", "[[inequalities]]\nfile = \"none.csv\"\n");
    desk.ndq("lp relax 3^3 -f none.toml").code(2).stderr(contains("inequality 1: none.csv: "));
}

#[test]
fn malformed_inequalities_are_rejected_in_a_sentence() {
    let desk = Desk::new();
    for (text, fault) in [
        ("squares = []\nrhs = 1", "squares is empty"),
        ("squares = [[0,0], [0,0]]\nrhs = 1", "squares has (0,0) twice"),
        ("squares = [[0,0], [0]]\nrhs = 1", "(0,0) and (0) have different numbers of coordinates"),
        ("squares = [[0,0]]\ncoefficients = [0]\nrhs = 1", "the coefficient of (0,0) is 0"),
        ("squares = [[0,0]]\ncoefficients = [1, 2]\nrhs = 1", "2 coefficients for 1 squares"),
        ("squares = [[0,0]]\ncoefficients = [9999999999]\nrhs = 1", "coefficients has 9999999999"),
        ("squares = [[0,0]]\nrhs = 1.5", "floating point `1.5`, expected a whole number"),
        ("squares = [[0,0]]\nrhs = nan", "expected a whole number"),
        ("squares = [[-1,0]]\nrhs = 1", "expected a whole number from 0 on"),
        ("squares = [[0,0]]", "it needs rhs"),
        ("rhs = 1", "it needs squares"),
        ("squares = [[0,0]]\nrhs = 1\ncolour = 2", "unknown field `colour`"),
        ("squares = [[0,0]]\nrhs = 1\nsense = \"<\"", "unknown sense \"<\""),
        ("squares = [[0,0]]\nrhs = 1\nstrides = [1]", "strides goes with box"),
        ("box = [2,2]\nsquares = [[0,2]]\nrhs = 1", "(0,2) is not a square of its box 2x2"),
        ("box = [3,3]\nclasses = [1,1]\nrhs = 1", "classes has 2 weights"),
        ("box = [3,4]\nclasses = [1,1]\nrhs = 1", "not for 3x4"),
        ("box = [3,0]\nclasses = [1,1]\nrhs = 1", "box has a 0"),
        ("box = [2,2]\nclasses = [1]\nrhs = 1\nstrides = []", "strides is empty"),
        ("file = \"rows.txt\"", "rows.txt: "),
        // The board is 3^2.
        ("squares = [[0,3]]\nrhs = 1", "(0,3) is not a square of the board"),
        ("box = [4,1]\nsquares = [[0,0]]\nrhs = 1", "its box 4x1 does not fit on the board"),
        ("box = [2,2,2]\nclasses = [1]\nrhs = 1", "its box has 3 axes, and the board has 2"),
    ] {
        formulation(&desk, "own.toml", &format!("[[inequalities]]\n{text}\n"));
        let run = desk.ndq("model 3^2 -f own.toml -o m.lp").code(2);
        run.stderr(contains(fault));
        assert!(!desk.path("m.lp").exists(), "{text}");
    }
}

#[test]
fn relax_compares_boards_in_one_table() {
    let desk = Desk::new();
    formulation(&desk, "own.toml", VOLUME);
    let rows = desk.json(0, "lp relax 3^3 4^3 -f base,cube,own.toml --root --solve");
    assert_eq!(rows.len(), 6);
    for (row, [alpha, bound]) in rows.iter().step_by(3).zip([[4.0, 9.0], [7.0, 16.0]]) {
        assert_eq!(row["alpha_at_least"], json!(alpha as u64), "{row}");
        assert!((row["lp_bound"].as_f64().expect("a bound") - bound).abs() < 1e-6, "{row}");
        assert_eq!(row["gap_closed"], 0.0, "{row}");
    }
    for row in &rows {
        assert_eq!(row["integer"]["queens"], row["alpha_at_least"], "{row}");
        let [root, lp] = ["root_bound", "lp_bound"].map(|key| row[key].as_f64().expect("a bound"));
        assert!(root <= lp + 1e-6, "{row}");
    }
    let latex = desk.ndq("lp relax 3^3 4^3 -f cube,own.toml --solve --format latex").success();
    latex.stdout(contains("\\toprule").and(contains("own.toml")));
    desk.ndq("lp relax 3^3 4^3 -f cube -o table.csv").success();
    let table = std::fs::read_to_string(desk.path("table.csv")).expect("the table");
    assert_eq!(table.lines().count(), 3);
    // A pattern that is too large for one board ends the command before the first LP.
    desk.ndq("lp relax 4^3 2^3 -f own.toml").code(2).stderr(contains("does not fit on the board"));
}

#[test]
fn optimum_and_duals_are_written_and_drawn() {
    let desk = Desk::new();
    desk.ndq("lp relax 4^2 -f base --solution x.csv --duals y.json").success();
    let text = std::fs::read_to_string(desk.path("x.csv")).expect("the optimum");
    let sum: f64 = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().expect("a cell"))
        .map(|x| x.parse::<f64>().expect("a number"))
        .sum();
    assert!((sum - 4.0).abs() < 1e-6, "{text}");
    let text = std::fs::read_to_string(desk.path("y.json")).expect("the duals");
    let duals: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let share: f64 = duals["families"]
        .as_array()
        .expect("families")
        .iter()
        .map(|f| f["share"].as_f64().expect("a share"))
        .sum();
    assert!((share - 4.0).abs() < 1e-6, "{duals}");
    desk.ndq("draw 4^2 --lp x.csv").success().stdout(contains("tenths of the largest value"));
    desk.ndq("draw 4^2 --lp base -o x.svg").success();
    desk.ndq("lp relax 3^2 4^2 -f base --solution x.csv").code(2).stderr(contains("one board"));
}

#[test]
fn weights_change_the_objective() {
    let desk = Desk::new();
    desk.write("w.csv", "square,weight\n\"(0,0)\",5\n\"(1,1)\",7\n");
    let row = &desk.json(0, "lp relax 2^2 -f base --weights w.csv")[0];
    assert_eq!(row["lp_bound"], 7.0);
    for (line, fault) in [
        ("\"(0,2)\",1", "is not a square of 2^2"),
        ("\"(0,0)\",nan", "\"nan\" is not a whole number"),
        ("\"(0,0)\",1\n\"(0,0)\",2", "has a line already"),
        ("\"(0,0)\",99999999999", "is not a whole number from"),
    ] {
        desk.write("w.csv", format!("square,weight\n{line}\n"));
        desk.ndq("lp relax 2^2 -f base --weights w.csv").code(2).stderr(contains(fault));
    }
}

#[test]
fn false_inequality_without_a_proof_is_blamed() {
    let desk = Desk::new();
    // A sum of more squares than the search takes, with a right-hand side that is too small.
    let squares: Vec<String> =
        (0..33).flat_map(|x| (0..33).map(move |y| format!("few,<=,5,1,\"({x},{y})\"\n"))).collect();
    desk.write("few.csv", format!("row,sense,rhs,coefficient,square\n{}", squares.concat()));
    formulation(&desk, "few.toml", "[[inequalities]]\nfile = \"few.csv\"\n");
    for command in ["solve 33^2 -f few.toml", "solve 33^2 -f few.toml --at-least 6"] {
        let run = desk.ndq(command).code(1);
        run.stderr(
            contains("an inequality that is not proved does not hold: row own_0, with ")
                .and(contains("here is one of"))
                .and(contains("more than 1024 squares"))
                .and(contains("gave an answer").not()),
        );
    }
}

#[test]
fn heaviest_set_is_proved() {
    let desk = Desk::new();
    let weights: String = (0..5)
        .flat_map(|x| (0..5).map(move |y| format!("\"({x},{y})\",{}\n", 1 + (7 * x + 3 * y * y) % 11)))
        .collect();
    desk.write("w.csv", format!("square,weight\n{weights}"));
    let record = &desk.json(0, "solve 5^2 -f base --weights w.csv")[0];
    // The largest weight of all independent sets, by enumeration.
    let weight = |x: u32, y: u32| i64::from(1 + (7 * x + 3 * y * y) % 11);
    let mut heaviest = 0;
    let mut stack: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    while let Some(set) = stack.pop() {
        heaviest = heaviest.max(set.iter().map(|&(x, y)| weight(x, y)).sum());
        let next = set.last().map_or(0, |&(x, y)| 5 * x + y + 1);
        for (x, y) in (next..25).map(|square| (square / 5, square % 5)) {
            let attacks = |&(a, b): &(u32, u32)| a == x || b == y || a.abs_diff(x) == b.abs_diff(y);
            if !set.iter().any(attacks) {
                stack.push([set.clone(), vec![(x, y)]].concat());
            }
        }
    }
    let answer = &record["answer"];
    assert_eq!(answer["weight"], heaviest);
    assert_eq!(answer["proved_bound"], heaviest);
    assert_eq!(answer["proof"], "exhaustive search for a heavier independent set");
    assert_eq!(record["question"]["weights"].as_array().expect("weights").len(), 25);
    desk.ndq("solve 5^2 --weights w.csv -o set.txt --record .")
        .success()
        .stdout(contains("optimal [exhaustive"));
    desk.ndq("check set.txt").success();
    // Microlp finds a set of the same weight.
    let other = &desk.json(0, "solve 5^2 --weights w.csv --backend microlp")[0];
    assert_eq!(other["answer"]["weight"], heaviest);
    // The record has the weights, and can be run again.
    let stored = std::fs::read_dir(desk.path(".")).expect("a folder").filter_map(|entry| {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        name.ends_with(".json").then_some(name)
    });
    for name in stored {
        desk.ndq(&format!("rerun {name}")).success();
    }
}

#[test]
fn weights_that_cannot_be_maximised_are_rejected_in_a_sentence() {
    let desk = Desk::new();
    for (line, fault) in [
        ("\"(0,9)\",1", "line 2: \"(0,9)\" is not a square of 3^2"),
        ("\"(0,0)\",-1", "\"-1\" is not a whole number from 0 to 1000000000"),
        ("\"(0,0)\",nan", "\"nan\" is not a whole number"),
        ("\"(0,0)\",99999999999999999999", "is not a whole number"),
        ("\"(0,0)\",1\n\"(0,0)\",2", "line 3: the square (0,0) has a line already"),
        ("\"(0,0)\",0", "no weight is above 0"),
    ] {
        desk.write("w.csv", format!("square,weight\n{line}\n"));
        desk.ndq("solve 3^2 --weights w.csv -o set.txt").code(2).stderr(contains(fault));
        assert!(!desk.path("set.txt").exists(), "{line}");
    }
    desk.write("w.csv", "square,weight\n\"(0,0)\",5\n");
    for (flags, fault) in [
        ("--engine exact", "takes no formulation, backend, start, weights"),
        ("--at-least 2", "without a number of queens"),
        ("-f domination", "formulation domination has another goal"),
        ("-f lex", "formulation lex keeps one solution"),
    ] {
        desk.ndq(&format!("solve 3^2 --weights w.csv {flags}")).code(2).stderr(contains(fault));
    }
    desk.ndq("lp relax 3^2 -f lex --weights w.csv").code(2).stderr(contains("formulation lex keeps one"));
    desk.ndq("lp relax 3^2 --weights w.csv").success().stdout(contains("lex").not());
}

/// Returns the text of the first block of a page with this kind.
fn block<'a>(page: &'a str, kind: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("```{kind}\n")).expect("a block");
    rest.split_once("```").expect("its end").0
}

/// Returns the cells of a LaTeX table, without the columns that show times.
fn untimed_cells(latex: &str) -> Vec<Vec<&str>> {
    let rows: Vec<Vec<&str>> = latex
        .lines()
        .filter(|line| line.contains(" & "))
        .map(|line| line.trim_end_matches("\\\\").split('&').map(str::trim).collect())
        .collect();
    let head = rows.iter().find(|row| row.contains(&"time (s)")).expect("a head");
    let is_timed: Vec<bool> = head.iter().map(|name| *name == "time (s)").collect();
    assert_eq!(is_timed.iter().filter(|timed| **timed).count(), 2, "{latex}");
    rows.iter()
        .filter(|row| row.len() == is_timed.len())
        .map(|row| row.iter().zip(&is_timed).filter(|(_, timed)| !**timed).map(|(cell, _)| *cell).collect())
        .collect()
}

#[test]
fn table_of_an_own_pattern_is_that_of_the_page() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formulations.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (_, section) = page.split_once("### A table for a paper\n").expect("the section");
    let desk = Desk::new();
    desk.write("own.toml", block(section, "toml"));
    let command = block(section, "sh").trim().strip_prefix("ndq ").expect("a command");
    let outcome = desk.ndq(command).success();
    let printed = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    let [shown, printed] = [block(section, "latex"), printed.as_str()].map(untimed_cells);
    // A head, and two formulations on five boards.
    assert_eq!(shown.len(), 11);
    assert_eq!(shown, printed);
}
