//! Sudoku puzzles in the formats of other programs.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::json;

use crate::harness::{Desk, case};

const SOLUTION: &str = "419657238856231749372489561123876954645913872987542316234768195591324687768195423";

#[test]
fn reads_the_formats_of_other_programs() {
    let desk = Desk::new();
    for name in [
        "R09-box-drawing.txt",
        "R09-colon.txt",
        "R09-corners.txt",
        "R09-dashes.txt",
        "R09-matrix.json",
        "R09-one-column.csv",
        "R09-questions.txt",
        "R09-quoted.csv",
        "R09-semicolons.csv",
        "R09-simple.ss",
    ] {
        let answers = desk.json(0, &format!("sudoku {}", case(name).display()));
        assert_eq!(answers.len(), 1, "{name}");
        assert_eq!(answers[0]["solutions"], json!([SOLUTION]), "{name}");
        assert_eq!(answers[0]["clues"], 22, "{name}");
    }
}

#[test]
fn refuses_two_puzzles_on_a_line() {
    let desk = Desk::new();
    let refused = desk.ndq(&format!("sudoku {}", case("R10-two-in-a-line.txt").display())).code(2);
    refused.stdout("").stderr(contains("line 1").and(contains("two puzzles are in this line")));
}

#[test]
fn reads_puzzles_of_tables_and_compares_solutions() {
    let desk = Desk::new();
    let quizzes = std::fs::read_to_string(case("R09-quoted.csv")).expect("a case");
    let fields: Vec<&str> = quizzes.lines().nth(1).expect("a line").split(',').collect();
    desk.write("turned.csv", format!("solution,puzzle\n{},{}\n", fields[1], fields[0]));
    assert_eq!(desk.json(0, "sudoku turned.csv")[0]["solutions"], json!([SOLUTION]));
    let other = SOLUTION.replace('4', "x").replace('1', "4").replace('x', "1");
    desk.write("other.csv", format!("puzzle,solution\n{},{other}\n", fields[0].trim_matches('"')));
    let told = desk.ndq("sudoku other.csv").code(1);
    told.stdout(contains("the file states another solution: 1 in row 1, column 1, where the solution has 4"));
}

#[test]
fn ambiguous_numbers_require_a_flag() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..16)
        .map(|row| {
            let cells = (0..16).map(|column| (row * 4 + row / 4 + column) % 16);
            cells.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
        })
        .collect();
    desk.write("full.txt", rows.join("\n"));
    let refused = desk.ndq("sudoku full.txt").code(2);
    refused.stdout("").stderr(contains("--symbols 0-15").and(contains("--symbols 1-16")));
    assert_eq!(desk.json(0, "sudoku full.txt --symbols 0-15")[0]["clues"], 256);
    assert_eq!(desk.json(0, "sudoku full.txt --symbols 1-16")[0]["clues"], 240);
}

#[test]
fn bron_kerbosch_finds_the_same_solutions() {
    let desk = Desk::new();
    let instances = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/sudoku");
    for puzzle in 1..=4 {
        let answer = |method: &str| {
            let command = format!("sudoku {instances}/known.txt --puzzle {puzzle} --method {method}");
            desk.json(0, &command)[0]["solutions"].clone()
        };
        assert_eq!(answer("bron-kerbosch"), answer("search"), "{puzzle}");
    }
    desk.write("open.txt", "1...\n....\n....\n....\n");
    desk.ndq("sudoku open.txt --count --method bk").code(0).stdout(contains("72 solutions [Bron-Kerbosch]"));
    assert_eq!(desk.json(1, "sudoku open.txt --method bk")[0]["answer"], "several solutions");
    desk.write("none.txt", "12..\n..3.\n...4\n....\n");
    assert_eq!(desk.json(1, "sudoku none.txt --method bk")[0]["answer"], "no solution");
    desk.write("clash.txt", "11..\n....\n....\n....\n");
    assert_eq!(desk.json(1, "sudoku clash.txt --method bk")[0]["answer"], "no solution");
    desk.write("empty.txt", ".".repeat(81));
    desk.ndq("sudoku empty.txt --count --method bk --node-limit 1000").code(3).stdout(contains("at least"));
    desk.write("large.txt", format!("Y{}", ".".repeat(624)));
    desk.ndq("sudoku large.txt --method bk").code(2).stderr(contains("more than 4096 squares"));
}

#[test]
fn every_case_stands_in_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command");
    let tests: String = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| std::fs::read_to_string(path).expect("a test"))
        .collect();
    for entry in std::fs::read_dir(format!("{folder}/cases")).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        assert!(tests.contains(&format!("\"{name}\"")), "{name} is not tested");
    }
}
