//! Boards of de Groot's thesis: optimal solutions, printed numbers, figures of graphs, counting methods, and
//! counts as runs of an experiment.

use predicates::str::contains;
use serde_json::{Value, json};

use crate::harness::Desk;

fn info(desk: &Desk, board: &str) -> Value {
    desk.json(0, &format!("info {board}")).remove(0)
}

#[test]
fn info_tells_whether_solutions_are_optimal() {
    let desk = Desk::new();
    for (board, size, reached) in [
        ("hex:1", 1, true),
        ("hex:4", 7, true),
        ("hex:5", 9, false),
        ("hex:8", 15, true),
        ("three:2", 3, false),
        ("three:4", 6, true),
        ("three:6", 9, true),
        ("three:8", 12, true),
        ("2^2", 2, false),
        ("5^2", 5, true),
        ("4^3", 16, false),
        ("rook:3^3", 9, true),
    ] {
        let optimal = &info(&desk, board)["optimal"];
        assert_eq!([&optimal["size"], &optimal["reached"]], [&json!(size), &json!(reached)], "{board}");
        assert!(["theorem", "checked"].map(Value::from).contains(&optimal["status"]), "{board}: {optimal}");
    }
    // The bound of the archive is not checked in this run.
    assert_eq!(
        info(&desk, "12^3")["optimal"],
        json!({ "size": 144, "reached": false, "status": "archived" })
    );
    desk.ndq("info 12^3").success().stdout(contains("no, if the bound below holds"));
    for board in ["4x5", "bishop:4^2", "sudoku:2"] {
        assert_eq!(info(&desk, board)["optimal"], Value::Null, "{board}");
    }
}

#[test]
fn info_shows_printed_numbers_with_their_standing() {
    let desk = Desk::new();
    desk.ndq("info three:4").success().stdout(contains(
        "queens 5 (wrong: 6), solutions 12 (wrong: 2), up to symmetry 1 (confirmed), optimal no (wrong: yes)",
    ));
    desk.ndq("info hex:6")
        .success()
        .stdout(contains("up to symmetry 35 (wrong: 34), optimal no (confirmed)"));
    desk.ndq("info 4^4").success().stdout(contains("solutions 404564 (not checked)"));
    let printed = &info(&desk, "three:2")["printed"][0];
    let standing = |quantity: usize| printed["values"][quantity]["standing"].clone();
    let standings: Vec<Value> = (0..4).map(standing).collect();
    assert_eq!(standings, ["confirmed", "wrong", "confirmed", "wrong"]);
}

#[test]
fn known_counts_are_those_of_a_count() {
    let desk = Desk::new();
    for board in
        ["hex:4", "hex:5", "hex:6", "three:2", "three:4", "three:6", "1^2", "2^2", "6^2", "3^3", "4^3", "3^4"]
    {
        let known = info(&desk, board)["solutions"].clone();
        let counted = desk.json(0, &format!("count {board}")).remove(0)["methods"][0].clone();
        assert_eq!(known["maximum"], counted["solutions"], "{board}");
        assert_eq!(known["up_to_symmetry"], counted["solutions_up_to_symmetry"], "{board}");
    }
}

#[test]
fn info_shows_figures_of_the_graph() {
    let desk = Desk::new();
    let graph = info(&desk, "sudoku:2")["graph"].clone();
    assert_eq!(graph["degeneracy_ordering"].as_array().map(Vec::len), Some(64));
    let graph = info(&desk, "hex:9")["graph"].clone();
    assert_eq!((&graph["edges"], &graph["clique_number"]), (&json!(6132), &json!(17)));
    desk.ndq("info 8^2").success().stdout(contains("728 edges, density 0.3611, degrees 21 to 27"));
    desk.ndq("info 70^2").success().stdout(contains("the board has more than 4096 squares"));
}

#[test]
fn orderings_of_bron_kerbosch_count_the_same() {
    let desk = Desk::new();
    for board in ["hex:5", "three:6", "3^3", "torus:5^2"] {
        let count = |flags: &str| desk.json(0, &format!("count {board} {flags}"))[0]["methods"][0].clone();
        let by_pivot = count("--method bk");
        for ordering in ["pivot", "degeneracy"] {
            let counted = count(&format!("--method bk --ordering {ordering}"));
            for key in ["independence_number", "solutions", "solutions_up_to_symmetry"] {
                assert_eq!(counted[key], by_pivot[key], "{board} {ordering}");
            }
        }
        let maximum = count("--method max-clique");
        assert_eq!(maximum["independence_number"], by_pivot["independence_number"], "{board}");
        assert_eq!(maximum["solutions"], Value::Null);
    }
    for (flags, words) in [
        ("--ordering degeneracy", "--ordering goes with the method bk"),
        ("--method max-clique --exactly 3", "--exactly goes with the method fast"),
        ("--method bk --ordering size", "invalid value 'size'"),
    ] {
        desk.ndq(&format!("count hex:3 {flags}")).code(2).stderr(contains(words));
    }
    desk.ndq("count 65^2 --method max-clique").code(2).stderr(contains("more than 4096 squares"));
}

const COUNTS: &str = r#"
title = "Counts"
source = "a test"
[defaults]
formulations = ["none"]
variants = ["count"]
[[runs]]
boards = ["hex:3", "hex:4"]
backends = ["fast", "bk", "bk-degeneracy", "recursive", "max-clique"]
"#;

#[test]
fn counts_are_a_kind_of_run() {
    let desk = Desk::new();
    desk.write("e.toml", COUNTS);
    desk.ndq("lab run e.toml -o d")
        .success()
        .stdout(contains("10 of 10 runs done, 0 failed, 0 in contradiction"));
    let rows = desk.json(0, "lab table d --layout raw");
    for row in &rows {
        let counts = [&row["solutions"], &row["up_to_symmetry"]];
        let counted = match (row["backend"].as_str().expect("a method"), row["board"].as_str()) {
            ("recursive" | "max-clique", _) => [Value::Null, Value::Null],
            (_, Some("hex:3")) => [json!(12), json!(1)],
            _ => [json!(2), json!(1)],
        };
        assert_eq!(counts, [&counted[0], &counted[1]], "{row}");
        assert_eq!((&row["outcome"], &row["verdict"]), (&json!("optimal"), &json!("ok")), "{row}");
    }
    assert!(desk.read("d/plots/time.svg").contains("hex:n"));
    for (from, to, words) in [
        ("\"count\"", "\"maximise\"", "the variant \"count\" goes with the backends fast, bk"),
        ("\"fast\", ", "\"highs\", ", "the variant \"count\" goes with the backends fast, bk"),
        ("\"none\"", "\"base\"", "a count takes no formulation"),
        ("\"fast\", ", "\"quick\", ", "or, to count, fast, bk, bk-degeneracy, recursive, max-clique"),
    ] {
        desk.write("e.toml", COUNTS.replace(from, to));
        desk.ndq("lab plan e.toml").code(2).stderr(contains(words));
    }
}
