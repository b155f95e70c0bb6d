//! Sudoku as graph colouring: the cell graph, its polynomial, k-distant colourings, diagonal puzzles, maximal
//! sets, and the method of Bron and Kerbosch.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::harness::Desk;

const RESULTS: &str = ".1.2\n2...\n..1.\n...4\n";

/// Returns the JSON printed by a command that ends with exit code `code`.
fn answer(desk: &Desk, arguments: &str, code: i32) -> Value {
    let output = desk.ndq(&format!("--json {arguments}")).code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).expect(arguments)
}

#[test]
fn the_cell_graph_of_a_sudoku_is_described() {
    let desk = Desk::new();
    for (board, vertices, edges, degrees, number, eulerian) in [
        ("sudoku:2", 16, 56, [7, 7], 4, false),
        ("sudoku:3", 81, 810, [20, 20], 9, true),
        ("cells:3", 81, 810, [20, 20], 9, true),
        ("cells:4", 256, 4992, [39, 39], 16, false),
        ("sudoku-x:2", 16, 64, [7, 9], 4, false),
    ] {
        let info = answer(&desk, &format!("info {board}"), 0);
        let graph = &info["cell_graph"];
        assert_eq!(graph["vertices"], vertices, "{board}");
        assert_eq!(graph["edges"], edges, "{board}");
        assert_eq!(json!([graph["degree_least"], graph["degree_most"]]), json!(degrees), "{board}");
        assert_eq!(graph["clique_number"], number, "{board}");
        assert_eq!(graph["chromatic_number"], number, "{board}");
        assert_eq!(graph["eulerian"], eulerian, "{board}");
        assert_eq!(graph["hamiltonian_cycle"].as_array().map(Vec::len), Some(vertices), "{board}");
    }
    assert_eq!(answer(&desk, "info 3^2", 0)["cell_graph"], Value::Null);
    desk.ndq("info cells:1").success().stdout(contains("cells:1: 1 vertex, 0 edges"));
    let regular = contains("81 vertices, 810 edges, 20-regular").and(contains("Eulerian: connected"));
    desk.ndq("info sudoku:3").code(0).stdout(regular);
}

#[test]
fn a_grid_is_a_colouring_of_its_cells() {
    let desk = Desk::new();
    let coloured = answer(&desk, "colour cells:3 -o grid.txt", 0);
    assert_eq!(json!([coloured["lower"], coloured["upper"]]), json!([9, 9]));
    desk.ndq("check grid.txt").code(0).stdout(contains("cells:3 is coloured in 9 colours"));
    desk.ndq("model cells:3 -o cells.col").code(0);
    assert!(desk.read("cells.col").contains("p edge 81 810"));
    // 27 largest cliques: the rows, columns and boxes.
    desk.ndq("count cliques:file:cells.col").code(0).stdout(contains("27 maximum solutions of size 9"));
}

#[test]
fn the_polynomial_of_the_cells_counts_grids() {
    let desk = Desk::new();
    for (command, polynomial, value) in [
        ("colour 3^1 --polynomial --colours 5", Some("k^3 - 3k^2 + 2k"), "60"),
        ("colour cells:2 --polynomial --colours 4", None, "288"),
        ("colour cells-x:2 --polynomial --colours 4", None, "48"),
        ("colour rook:2^3 --polynomial --colours 2", None, "2"),
    ] {
        let found = answer(&desk, command, 0);
        assert_eq!(found["value"], value, "{command}");
        assert!(polynomial.is_none_or(|polynomial| found["polynomial"] == polynomial), "{found}");
    }
    desk.write("results.txt", RESULTS);
    desk.ndq("sudoku results.txt --polynomial").code(0).stdout(contains("P(4) = 1 solution"));
    desk.write("empty.txt", "................\n");
    let empty = answer(&desk, "sudoku empty.txt --polynomial", 0);
    assert_eq!(empty["count"], 288);
    assert_eq!(empty["polynomial"], answer(&desk, "colour cells:2 --polynomial", 0)["polynomial"]);
    desk.write("none.txt", "11..............\n");
    desk.ndq("sudoku none.txt --polynomial").code(1).stdout(contains("P(k) = 0"));
    desk.ndq("colour 3^2 --polynomial --all").code(2);
    desk.ndq("colour cells:3 --polynomial --time-limit 0").code(3).stdout(contains("was not computed"));
}

#[test]
fn colours_keep_a_distance() {
    let desk = Desk::new();
    desk.write("cycle.txt", "0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n");
    for (distance, colours) in [(2, 2), (3, 3), (4, 6), (9, 6)] {
        let found = answer(&desk, &format!("colour file:cycle.txt --distance {distance} -o c.txt"), 0);
        assert_eq!(json!([found["lower"], found["upper"]]), json!([colours, colours]), "{distance}");
        desk.ndq("check c.txt").code(0);
    }
    desk.ndq("colour file:cycle.txt --distance 3 -o c.txt").code(0).stdout(contains("at distance 3 or more"));
    assert!(desk.read("c.txt").contains("classes: at distance 3\n"));
    desk.write("near.txt", desk.read("c.txt").replace("at distance 3", "at distance 4"));
    desk.ndq("check near.txt").code(1).stdout(contains("are at distance 3, less than 4"));
    // Any two squares of the board are at most two queen moves apart.
    let all = answer(&desk, "colour 4^2 --distance 3", 0);
    assert_eq!(json!([all["lower"], all["upper"]]), json!([16, 16]));
    desk.ndq("colour 4^2 --distance 1").code(2);
}

#[test]
fn diagonal_puzzles_are_solved_counted_and_made() {
    let desk = Desk::new();
    desk.write("empty.txt", "................\n");
    assert_eq!(answer(&desk, "sudoku empty.txt --diagonal --count", 0)["count"], 48);
    assert_eq!(answer(&desk, "sudoku empty.txt --diagonal --count --method bron-kerbosch", 0)["count"], 48);
    desk.ndq("count sudoku-x:2")
        .code(0)
        .stdout(contains("48 maximum solutions of size 16, 1 up to symmetry"));
    let made = desk.ndq("sudoku --generate 5 --diagonal --seed 3").code(0).get_output().stdout.clone();
    desk.write("made.txt", String::from_utf8(made).expect("UTF-8"));
    desk.ndq("sudoku made.txt --diagonal").code(0);
    desk.ndq("sudoku made.txt --puzzle 1 --diagonal -o one.txt").code(0);
    assert!(desk.read("one.txt").contains("board: sudoku-x:3\n"));
    desk.ndq("check one.txt").code(0).stdout(contains("holds"));
    desk.ndq("sudoku made.txt --puzzle 1 --diagonal --clues clues.txt --hint").code(0);
    desk.ndq("extend sudoku-x:3 --exactly 81 --include clues.txt").code(0);
    // The number 1 occurs twice on a diagonal.
    desk.write("corners.txt", "1..............1\n");
    desk.ndq("sudoku corners.txt --diagonal").code(1).stdout(contains("are in one diagonal"));
    desk.ndq("sudoku corners.txt --count").code(0);
}

#[test]
fn the_route_by_bron_kerbosch_is_shown() {
    let desk = Desk::new();
    desk.write("results.txt", RESULTS);
    let solved = answer(&desk, "sudoku results.txt --method bron-kerbosch", 0);
    assert_eq!(solved["solutions"], json!(["3142243142131324"]));
    let route = &solved["route"];
    assert_eq!(route["cells"], json!([16, 56]));
    assert_eq!(route["numbers"], json!([64, 320]));
    assert_eq!(route["maximal_sets"][route["wanted"].to_string()], 1);
    let shown =
        contains("graph of the cells     16 vertices, 56 edges").and(contains("1 clique with 11 vertices"));
    desk.ndq("sudoku results.txt --method bk").code(0).stdout(shown);
}

#[test]
fn maximal_sets_are_counted_and_listed() {
    let desk = Desk::new();
    let cube = answer(&desk, "count rook:2^3 --maximal --solutions cube.txt", 0);
    assert_eq!(cube["maximal_sets"], 6);
    assert_eq!(cube["by_size"], json!({"2": 4, "4": 2}));
    assert_eq!(cube["orbits_by_size"], json!({"2": 1, "4": 1}));
    desk.ndq("check cube.txt").code(0).stdout(contains("6 maximal sets of size 2 or more"));
    desk.ndq("count rook:2^3 --maximal").code(0).stdout(contains("6 maximal sets, 2 of them maximum"));
    let list = desk.read("cube.txt");
    assert!(list.contains("size: 2\nlist: maximal\nsolutions: 6\n"), "{list}");
    desk.write(
        "part.txt",
        list.replace("list: maximal\nsolutions: 6", "list: maximal\nsolutions: 5")
            .trim_end()
            .rsplit_once('\n')
            .expect("lines")
            .0,
    );
    desk.ndq("check part.txt").code(1);
    let small =
        "ndqueens solutions 1\nboard: rook:2^3\nsize: 1\nlist: maximal\nsolutions: 1\norigin: test\n0 0 0\n";
    desk.write("small.txt", small);
    desk.ndq("check small.txt")
        .code(1)
        .stdout(contains("is not maximal, because the square (0,1,1) can join it"));
    desk.ndq("count 4^2 --maximal --exactly 3").code(2);
    for group in ["central", "each", "nonsense"] {
        desk.ndq(&format!("count 8^2 --symmetry {group} --maximal"))
            .code(2)
            .stderr(contains("'--symmetry <GROUP|each>' cannot be used with '--maximal'"));
    }
}
