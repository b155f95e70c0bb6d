//! `ndq sudoku`: solving, counting, refuting, hints and generating.

use std::collections::HashSet;
use std::process::{Output, Stdio};

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::harness::Desk;

const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// By A. Inkala, 2012.
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Returns `true` if a line of cells is a valid filled grid of order `order`.
fn is_filled(cells: &str, order: usize) -> bool {
    let n = order * order;
    let cells: Vec<char> = cells.chars().collect();
    let units = (0..n).flat_map(|i| {
        let row = move |j: usize| i * n + j;
        let column = move |j: usize| j * n + i;
        let of_box = move |j: usize| (i / order * order + j / order) * n + i % order * order + j % order;
        let unit = move |at: &dyn Fn(usize) -> usize| (0..n).map(at).collect::<Vec<_>>();
        [unit(&row), unit(&column), unit(&of_box)]
    });
    let sign = |number: u32| char::from_digit(number, 36).map(|sign| sign.to_ascii_uppercase());
    let numbers: HashSet<char> = (1..=n as u32).filter_map(sign).collect();
    cells.len() == n * n
        && units.into_iter().all(|unit| unit.iter().map(|&at| cells[at]).collect::<HashSet<_>>() == numbers)
}

/// Returns `true` if a line of cells contains all clues of a puzzle.
fn has(cells: &str, puzzle: &str) -> bool {
    cells.len() == puzzle.len()
        && cells.chars().zip(puzzle.chars()).all(|(cell, clue)| clue == '.' || clue == cell)
}

/// Returns all 4 x 4 grids, found by plain backtracking.
fn small_grids() -> Vec<String> {
    fn fill(cells: &mut Vec<usize>, grids: &mut Vec<String>) {
        let at = cells.len();
        if at == 16 {
            grids.push(cells.iter().map(|number| char::from(b'1' + *number as u8)).collect());
            return;
        }
        for number in 0..4 {
            let free = cells.iter().enumerate().all(|(other, &is)| {
                let one_box = other / 8 == at / 8 && other % 4 / 2 == at % 4 / 2;
                is != number || (other / 4 != at / 4 && other % 4 != at % 4 && !one_box)
            });
            if free {
                cells.push(number);
                fill(cells, grids);
                cells.pop();
            }
        }
    }
    let mut grids = Vec::new();
    fill(&mut Vec::new(), &mut grids);
    grids
}

fn typed(desk: &Desk, arguments: &str, input: impl AsRef<[u8]>) -> Output {
    let mut child = desk
        .command()
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    // A command that has ended no longer reads its input.
    let _ = std::io::Write::write_all(&mut child.stdin.take().expect("piped"), input.as_ref());
    child.wait_with_output().expect("ends")
}

fn strings(value: &Value) -> Vec<String> {
    let strings = value.as_array().expect("a list").iter();
    strings.map(|string| string.as_str().expect("a string").to_owned()).collect()
}

#[test]
fn a_puzzle_is_drawn_with_its_solution() {
    let desk = Desk::new();
    desk.write("p.txt", EASY);
    desk.ndq("sudoku p.txt")
        .code(0)
        .stdout(contains("one solution\n5 3 4 | 6 7 8 | 9 1 2\n").and(contains("------+-------+------\n")))
        .stderr(contains("1 puzzle: 1 with one solution; "));
    let output = typed(&desk, "-q sudoku -", EASY);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    let drawn = String::from_utf8(output.stdout).expect("UTF-8");
    desk.write("s.txt", drawn.split_once('\n').expect("two lines").1);
    let again = &desk.json(0, "sudoku s.txt")[0];
    assert_eq!((&again["solutions"], &again["clues"]), (&json!([SOLVED]), &json!(81)));
}

#[test]
fn solves_known_puzzles_and_reports_improper_ones() {
    let desk = Desk::new();
    let instances = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/sudoku");
    let known = desk.json(0, &format!("sudoku {instances}/known.txt"));
    assert!(known.len() >= 14);
    for outcome in &known {
        assert_eq!(outcome["answer"], "one solution");
        let solutions = strings(&outcome["solutions"]);
        assert!(is_filled(&solutions[0], outcome["order"].as_u64().expect("a number") as usize), "{outcome}");
    }
    let improper = desk.json(1, &format!("sudoku {instances}/improper.txt"));
    let answers: Vec<&Value> = improper.iter().map(|outcome| &outcome["answer"]).collect();
    assert_eq!(answers, ["several solutions", "no solution", "several solutions", "no solution"]);
    let counted = desk.json(3, &format!("sudoku {instances}/improper.txt --count --node-limit 2000"));
    assert!(counted[0]["count"].as_u64() > Some(0));
    assert_eq!(counted[2]["count"], 288);
    assert_eq!((&counted[1]["answer"], &counted[3]["count"]), (&json!("stopped"), &json!(0)));
}

#[test]
fn small_puzzle_counts_agree_with_backtracking() {
    let desk = Desk::new();
    let grids = small_grids();
    assert_eq!(grids.len(), 288);
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let sign = |_| if random.random_bool(0.3) { char::from(b'1' + random.random_range(0..4u8)) } else { '.' };
    let drawn: Vec<char> = (0..16 * 600).map(sign).collect();
    let puzzles: Vec<String> = drawn.chunks(16).map(|cells| cells.iter().collect()).collect();
    desk.write("p.txt", puzzles.join("\n"));
    let counted = desk.json(1, "sudoku p.txt --count --threads 2");
    let solved = desk.json(1, "sudoku p.txt");
    assert_eq!((counted.len(), solved.len()), (puzzles.len(), puzzles.len()));
    for ((puzzle, counted), solved) in puzzles.iter().zip(&counted).zip(&solved) {
        let expected: Vec<&String> = grids.iter().filter(|grid| has(grid, puzzle)).collect();
        assert_eq!(counted["count"], expected.len(), "{puzzle}");
        let found = strings(&solved["solutions"]);
        assert_eq!(found.len(), expected.len().min(2), "{puzzle}");
        assert!(found.iter().all(|grid| expected.contains(&grid)), "{puzzle}");
        if !expected.is_empty() {
            continue;
        }
        let clash = solved["clash"].as_array().expect("clues");
        let goes_with = |left_out: usize| {
            let keeps = |grid: &&String| {
                clash.iter().enumerate().all(|(at, square)| {
                    let [row, column, number] = [0, 1, 2].map(|i| square[i].as_u64().expect("a number"));
                    at == left_out || grid.as_bytes()[(row * 4 + column) as usize] == b'1' + number as u8
                })
            };
            grids.iter().any(|grid| keeps(&grid))
        };
        assert!(!goes_with(usize::MAX) && (0..clash.len()).all(goes_with), "{puzzle}: {clash:?}");
        assert_eq!(solved["minimal"], true);
    }
}

#[test]
fn grids_without_some_clues_lead_back_to_themselves() {
    let desk = Desk::new();
    let mut random = ChaCha8Rng::seed_from_u64(10);
    let mut puzzles = Vec::new();
    for kept in [20, 25, 30, 40, 60, 81].repeat(5) {
        let mut numbers: Vec<char> = ('1'..='9').collect();
        numbers.shuffle(&mut random);
        let mut order: Vec<usize> = (0..81).collect();
        order.shuffle(&mut random);
        let other = |cell: char| cell.to_digit(10).map_or('.', |digit| numbers[digit as usize - 1]);
        let grid: String = SOLVED.chars().map(other).collect();
        let keep: HashSet<usize> = order[..kept].iter().copied().collect();
        let cell = |(at, cell)| if keep.contains(&at) { cell } else { '.' };
        puzzles.push((grid.chars().enumerate().map(cell).collect::<String>(), grid));
    }
    let lines: Vec<&str> = puzzles.iter().map(|(puzzle, _)| puzzle.as_str()).collect();
    desk.write("p.txt", lines.join("\n"));
    for (outcome, (puzzle, grid)) in desk.json(1, "sudoku p.txt").iter().zip(&puzzles) {
        let found = strings(&outcome["solutions"]);
        assert!(found.iter().all(|found| is_filled(found, 3) && has(found, puzzle)));
        match outcome["answer"].as_str() {
            Some("one solution") => assert_eq!(found, std::slice::from_ref(grid)),
            Some("several solutions") => assert!(found.len() == 2 && found[0] != found[1]),
            _ => panic!("{outcome}"),
        }
    }
    for (puzzle, grid) in &puzzles {
        desk.write("p.txt", puzzle);
        let hint = &desk.json(if puzzle.contains('.') { 0 } else { 1 }, "sudoku p.txt --hint")[0];
        if puzzle.matches('.').count() > 45 || hint["answer"] != "forced number" {
            continue;
        }
        let square: Vec<usize> = hint["square"]
            .as_array()
            .expect("a square")
            .iter()
            .map(|x| x.as_u64().expect("x") as usize)
            .collect();
        assert_eq!(grid.as_bytes()[square[0] * 9 + square[1]], b'1' + square[2] as u8, "{puzzle}");
    }
}

#[test]
fn the_routes_by_cliques_and_by_completion_agree() {
    let desk = Desk::new();
    desk.write("e.txt", "....\n....\n....\n....\n");
    assert_eq!(desk.json(0, "sudoku e.txt --count")[0]["count"], 288);
    desk.ndq("count sudoku:2 --method bk").code(0).stdout(contains("288"));
    desk.write("p.txt", EASY);
    desk.ndq("sudoku p.txt --clues clues.txt -o found.txt").code(0);
    desk.ndq("check found.txt --board sudoku:3").code(0).stdout(contains("81 squares of sudoku:3"));
    desk.ndq("check clues.txt").code(0).stdout(contains("30 squares of sudoku:3"));
    desk.ndq("extend sudoku:3 --exactly 81 --include clues.txt -o completed.txt").code(0);
    let squares = |name: &str| {
        let text = desk.read(name);
        text.lines().skip(5).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(squares("completed.txt"), squares("found.txt"));
    desk.write("q.txt", ".12.\n3...\n....\n4...\n");
    let outcome = &desk.json(1, "sudoku q.txt --clues clash.txt")[0];
    assert_eq!(outcome["clash"].as_array().map(Vec::len), Some(4));
    assert_eq!(desk.json(1, "extend sudoku:2 --exactly 16 --include clash.txt")[0]["completes"], false);
}

#[test]
fn hints_give_the_simplest_reason() {
    let desk = Desk::new();
    desk.write("p.txt", "123.\n....\n....\n....");
    let place = contains("4 in row 1, column 4: the number has no other place in row 1");
    desk.ndq("sudoku p.txt --hint").code(0).stdout(place.clone());
    desk.write("p.txt", HARD);
    let others = contains(": with any other number there, the puzzle has no solution");
    desk.ndq("sudoku p.txt --hint").code(0).stdout(contains("1 in row 1, column 2").and(others));
    desk.write("p.txt", "....\n....\n....\n....");
    let none = contains("several solutions, and in all of them no number is known to be forced");
    desk.ndq("sudoku p.txt --hint").code(1).stdout(none);
    desk.write("p.txt", SOLVED);
    desk.ndq("sudoku p.txt --hint")
        .code(1)
        .stdout(contains("the grid is full, and nothing is wrong with it"));
    // A puzzle without a solution is reported as such, and gets no hint.
    let improper = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/sudoku/improper.txt");
    for number in [2, 4] {
        let outcome = &desk.json(1, &format!("sudoku {improper} --hint --puzzle {number}"))[0];
        assert_eq!((&outcome["answer"], &outcome["square"]), (&json!("no solution"), &Value::Null));
        assert!(!outcome["clash"].as_array().expect("clues").is_empty());
    }
    desk.write("p.txt", "123.\n....\n....\n....");
    let several = contains("several solutions, and in all of them 4 in row 1, column 4: ");
    desk.ndq("sudoku p.txt --hint").code(0).stdout(several);
    desk.ndq("sudoku p.txt --hint --node-limit 0").code(3).stdout(contains("stopped before").and(place));
}

#[test]
fn contradictory_puzzle_does_not_stop_others() {
    let desk = Desk::new();
    let clash = EASY.replacen("..", "5.", 1);
    desk.write("p.txt", format!("{EASY}\n{clash}\n{HARD}\n"));
    let says = "no solution; the clues contradict each other: 5 in row 1, column 1 and 5 in row 1, column 3 are in one row\n";
    for (asks, others) in [("", "one solution"), ("--count", "counted"), ("--hint", "forced number")] {
        let outcome = desk.json(1, &format!("sudoku p.txt {asks}"));
        let answers: Vec<&Value> = outcome.iter().map(|outcome| &outcome["answer"]).collect();
        assert_eq!(answers, [others, "no solution", others]);
        assert_eq!((&outcome[1]["line"], &outcome[1]["minimal"]), (&json!(2), &json!(true)));
        assert_eq!(outcome[1]["clash"], json!([[0, 0, 4], [0, 2, 4]]));
        assert_eq!(outcome[1]["count"], if asks == "--count" { json!(0) } else { Value::Null });
        let outcome = desk.ndq(&format!("sudoku p.txt {asks}")).code(1).stderr(contains("1 with none"));
        outcome.stdout(contains(format!("puzzle 2: {says}puzzle 3: ")));
        desk.ndq(&format!("sudoku p.txt {asks} --puzzle 2")).code(1).stdout(says);
    }
    let refused = desk.ndq("sudoku p.txt --puzzle 2 --clues c.txt").code(2).stdout("");
    refused.stderr(contains("line 2: the clues contradict each other: 5 in row 1"));
    assert_eq!(desk.names("."), ["p.txt"]);
}

#[test]
fn nothing_but_the_only_solution_is_written() {
    let desk = Desk::new();
    desk.write("so.txt", "of old\n");
    for (text, code, words) in [
        (
            "....\n....\n....\n....",
            1,
            "so.txt: nothing was written, because the puzzle has several solutions\n",
        ),
        (".12.\n3...\n....\n4...", 1, "so.txt: nothing was written, because the puzzle has no solution\n"),
    ] {
        desk.write("p.txt", text);
        desk.ndq("sudoku p.txt -o so.txt").code(code).stderr(contains(words));
        assert_eq!(desk.read("so.txt"), "of old\n");
    }
    desk.write("p.txt", HARD);
    desk.ndq("sudoku p.txt -o so.txt --node-limit 1")
        .code(3)
        .stderr(contains("because it is not known whether"));
    desk.ndq("sudoku p.txt -o so.txt").code(0).stderr(contains("so.txt: the solution\n"));
    desk.ndq("check so.txt").code(0);
}

#[test]
fn made_puzzles_are_minimal_and_seeded() {
    let desk = Desk::new();
    let made = desk.json(0, "sudoku --generate 5 --seed 3 --threads 2");
    let plain = typed(&desk, "sudoku --generate 5 --seed 3", "");
    let plain = String::from_utf8(plain.stdout).expect("UTF-8");
    let cells: Vec<&str> = made.iter().map(|made| made["cells"].as_str().expect("cells")).collect();
    assert_eq!(cells, plain.lines().collect::<Vec<_>>());
    assert_eq!(cells.iter().collect::<HashSet<_>>().len(), 5);
    desk.write("p.txt", &plain);
    assert!(desk.json(0, "sudoku p.txt").iter().all(|outcome| outcome["answer"] == "one solution"));
    let without = |at: usize| format!("{}.{}", &cells[0][..at], &cells[0][at + 1..]);
    let clues = cells[0].bytes().enumerate().filter(|(_, cell)| *cell != b'.').map(|(at, _)| at);
    desk.write("p.txt", clues.map(without).collect::<Vec<_>>().join("\n"));
    assert!(desk.json(1, "sudoku p.txt").iter().all(|outcome| outcome["answer"] == "several solutions"));
    for order in [2, 4] {
        let made = &desk.json(0, &format!("sudoku --generate 1 --order {order}"))[0];
        desk.write("p.txt", made["cells"].as_str().expect("cells"));
        assert_eq!(desk.json(0, "sudoku p.txt")[0]["answer"], "one solution");
    }
}

#[test]
fn what_is_stopped_says_what_is_known() {
    let desk = Desk::new();
    desk.write("p.txt", format!("{}\n", ".........\n".repeat(9)));
    let stopped = &desk.json(3, "sudoku p.txt --count --node-limit 1000")[0];
    assert_eq!(stopped["answer"], "stopped");
    assert!(stopped["count"].as_u64() > Some(0));
    desk.ndq("sudoku p.txt --count --time-limit 0").code(3).stdout(contains("at least"));
    desk.write("p.txt", format!("{EASY}\n{HARD}\n"));
    desk.ndq("sudoku p.txt --node-limit 1").code(3).stdout(contains("puzzle 2: stopped before"));
    desk.ndq("sudoku p.txt --puzzle 1 --node-limit 1").code(0);
}

#[test]
fn bad_puzzles_are_refused_in_one_sentence() {
    let desk = Desk::new();
    for (text, words) in [
        ("", "line 1, column 1: no puzzle found"),
        ("1234\n34$2\n2143\n4321", "line 2, column 3: \"$\" is not a cell"),
        ("1234\n3412\n2143\n", "line 3, column 1: 3 of 4 rows found"),
        ("..2.\n...1\n.1..\n4..22", "line 4, column 1: 5 cells found in row 4 of the grid of 4 x 4"),
        ("12345\n", "5 cells found"),
        ("1...\n....\n..6.\n....\n", "line 3, column 3: \"6\" is not a number of a puzzle of 4 x 4"),
        (&EASY[1..], "80 cells found"),
    ] {
        desk.write("p.txt", text);
        for arguments in ["sudoku p.txt", "sudoku p.txt --count", "sudoku p.txt --clues c.txt"] {
            let assert =
                desk.ndq(arguments).code(2).stdout("").stderr(contains("p.txt: line ").and(contains(words)));
            let said = String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
        assert_eq!(typed(&desk, "sudoku -", text).status.code(), Some(2));
    }
    assert!(desk.names(".").iter().all(|name| name == "p.txt"));
    desk.write("b.txt", [0u8, 159, 146, 150, 255]);
    desk.ndq("sudoku b.txt").code(2).stderr(contains("b.txt: it is not a text in UTF-8"));
    desk.ndq("sudoku missing.txt").code(2).stderr(contains("missing.txt"));
    desk.ndq("sudoku .").code(2).stderr(contains("it is a folder"));
    desk.write("p.txt", format!("{EASY}\n{EASY}\n"));
    for (arguments, words) in [
        ("sudoku", "required"),
        ("sudoku p.txt --puzzle 3", "p.txt has 2 puzzles"),
        ("sudoku p.txt --puzzle 0", "a whole number is needed, 1 or more"),
        ("sudoku --generate -1", "a whole number from 1 to 1000000000 is needed"),
        ("sudoku p.txt --clues c.txt", "2 puzzles are there, and a certificate holds one"),
        ("sudoku p.txt --puzzle 1 --clues nowhere/c.txt", "nowhere"),
        ("sudoku p.txt --count --hint", "cannot be used with"),
        ("sudoku --generate 1 --order 5", "a whole number from 2 to 4 is needed"),
        ("sudoku p.txt --generate 1", "cannot be used with"),
        ("sudoku p.txt --seed 1", "cannot be used with"),
        ("sudoku p.txt --order 2", "cannot be used with"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
}
