//! Limits on stack, memory and time, and work that is rejected before it starts.

use std::fmt::Write as _;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_match};

use crate::harness::Desk;

/// Runs a shell command with `ndq` as `$0` and returns its output.
fn shell(desk: &Desk, words: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", words]).arg(assert_cmd::cargo::cargo_bin!("ndq")).current_dir(desk.path(""));
    shell.output().expect("runs")
}

fn ends(desk: &Desk, words: &str, code: i32, said: &str) {
    let out = shell(desk, words);
    let outcome = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{words}: {outcome}");
    assert!(outcome.contains(said), "{words}: {outcome}");
}

/// Writes a graph with `vertices` vertices and the edges `edges`.
fn graph(desk: &Desk, name: &str, vertices: u32, edges: impl Iterator<Item = (u32, u32)>) {
    let mut lines = String::new();
    let number = edges.map(|(a, b)| writeln!(lines, "e {a} {b}").expect("a text grows")).count();
    desk.write(name, format!("p edge {vertices} {number}\n{lines}"));
}

/// Checks that the command ends with exit code `code` within `seconds` seconds.
fn within(seconds: u64, desk: &Desk, arguments: &str, code: i32) -> Assert {
    let begin = Instant::now();
    let ended = desk.ndq(arguments).code(code);
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(seconds), "{arguments}: {took:?}");
    ended
}

#[test]
fn deep_searches_do_not_overflow_the_stack() {
    let desk = Desk::new();
    graph(&desk, "empty.col", 2000, std::iter::empty());
    for method in ["fast", "bk"] {
        let outcome = desk.ndq(&format!("count file:empty.col --method {method}")).code(0);
        outcome.stdout(is_match(r"maximum solutions +1\n").expect("a pattern"));
    }
    // The largest board that the engine accepts.
    graph(&desk, "path.col", 4096, (1..4096).map(|vertex| (vertex, vertex + 1)));
    let proved = desk.ndq("prove file:path.col --proof path.proof").code(0);
    // When the search stops, thousands of nodes with hundreds of children each are open.
    proved.stdout(is_match(r" s, \d{1,3} MiB").expect("a pattern"));
    desk.ndq("check path.proof").code(0).stdout(contains("at most 2048"));
    desk.ndq("colour file:path.col").code(0);
    desk.ndq("count file:path.col --method recursive --time-limit 0.2").code(3);
}

#[test]
fn unrepresentable_time_limits_are_ignored() {
    let desk = Desk::new();
    desk.certificate("one.txt", "8^2", &["0 0"]);
    for (command, answer) in [
        ("count 4^3", "maximum solutions      1344\n"),
        ("extend 8^2 --include one.txt", "1 queen completes to 8 queens on 8^2: a certificate"),
        ("sudoku --generate 1", ".3......56..3............4.8"),
        ("lp certify 4^3", "at most 8 queens fit on 4^3: formulation strong, checked in exact arithmetic\n"),
        ("solve 3^3", "4 queens on 3^3: optimal "),
        ("prove 3^3", "alpha(3^3) = 4: proved\n"),
    ] {
        desk.ndq(&format!("{command} --time-limit 1e19")).code(0).stdout(contains(answer));
    }
}

#[test]
fn time_limit_covers_the_whole_command() {
    let desk = Desk::new();
    let limited = |command: &str| within(8, &desk, &format!("{command} --time-limit 1"), 3);
    limited("lp relax 12^3");
    limited("prove 1000^3");
    limited("solve 40^3 --root-bound");
    limited("solve 60^3").stdout(contains("bound 3600 (trivial)"));
    let cut_off = "cannot be interrupted";
    for command in ["colour 14^2 --count", "colour 16^2 --method cover"] {
        limited(command).stdout(contains("stopped (time limit)")).stderr(contains(cut_off).not());
    }
    limited("find 12^5 --method search").stdout(contains("--from-round=0")).stderr(contains(cut_off).not());
    limited("prove hex:200 --engine highs").stderr(contains(cut_off).not());
    limited("lp certify 20^6 -f strong").stdout(contains("time limit")).stderr(contains(cut_off).not());
    limited("info hex:5000").stdout(contains("symmetry group not computed: time limit\n"));
    // Each closed neighbourhood is a row of 1,600 squares and more.
    graph(
        &desk,
        "dense.col",
        2000,
        (1..=2000).flat_map(|a| (a + 1..=2000).map(move |b| (a, b))).filter(|(a, b)| (a * b) % 5 != 0),
    );
    limited("solve file:dense.col -f domination");
    // The number of lines is computed without enumerating the squares.
    within(8, &desk, "info hex:26755", 0);
}

#[test]
fn a_small_stack_or_address_space_is_enough() {
    let desk = Desk::new();
    // The program is mapped into the address space.
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_ndq")).expect("built").len() >> 10;
    for limit in ["ulimit -s 80".to_owned(), format!("ulimit -v {}", program + 115_000)] {
        ends(&desk, &format!("{limit}; exec \"$0\" prove 4^3 >&2"), 0, "alpha(4^3) = 7: proved");
    }
    // With less, an error message is printed.
    for kib in [4_000, 8_000, 28_000].map(|more| program + more) {
        for command in ["info 4^3", "prove 4^3"] {
            let words = format!("ulimit -v {kib}; RUST_BACKTRACE=0 exec \"$0\" {command}");
            let out = shell(&desk, &words);
            let outcome = String::from_utf8_lossy(&out.stderr);
            let code = out.status.code();
            assert!(
                code == Some(0) || code == Some(4) && outcome.contains("error: "),
                "{words}: {code:?} {outcome}"
            );
            assert!(!outcome.contains("panicked"), "{words}: {outcome}");
        }
    }
}

#[test]
fn failed_allocation_prints_an_error() {
    let desk = Desk::new();
    let program = std::fs::metadata(assert_cmd::cargo::cargo_bin!("ndq")).expect("the program").len() >> 10;
    for command in ["solve 10^3", "find 20^3 --method search"] {
        ends(
            &desk,
            &format!("ulimit -v {}; exec \"$0\" {command} -o best.txt", program + 10_400),
            4,
            "error: out of memory: ",
        );
        assert!(desk.names(".").is_empty(), "{command}: {:?}", desk.names("."));
    }
}

#[test]
fn memory_limit_holds_for_large_work() {
    let desk = Desk::new();
    desk.ndq("lp relax 20^3 --memory 1 --time-limit 3")
        .code(3)
        .stdout(contains("take about 15 GiB; 1 GiB of memory is allowed"));
    // 191 MB of solutions are written as they are found.
    let command = "ulimit -v 1500000; exec \"$0\" count 13^2 --solutions all.txt --list all";
    ends(&desk, command, 0, "");
}

#[test]
fn what_has_no_end_is_read_in_bounds() {
    let desk = Desk::new();
    let backend = "sh -c 'ln -sf /dev/zero {solution}; test -f {model}'";
    let words = format!("ulimit -v 4000000; exec \"$0\" solve 3^3 --backend \"{backend}\"");
    ends(&desk, &words, 4, "its solution file is not a plain file");
    ends(&desk, "yes | \"$0\" check -", 2, "it is larger than 1073741824 bytes");
}

#[test]
fn rejects_work_that_takes_days() {
    let desk = Desk::new();
    let runs = "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\", \"4^3\"]\n\
                formulations = [\"base\", \"cube\"]\nseeds = 100000\n";
    desk.write("few.toml", runs.replace("100000", "10"));
    desk.ndq("lab plan few.toml").code(0);
    let more: String = (2..=40).map(|side| format!("\"{side}^2\", ")).collect();
    desk.write("many.toml", runs.replace("boards = [", &format!("boards = [{more}")));
    desk.ndq("lab plan many.toml")
        .code(2)
        .stderr(contains("there are 8200000 runs, and an experiment has 1000000"));
    for (file, words) in [("x.lp", "rows with "), ("x.clq", "edges, about ")] {
        let board = if file == "x.lp" { "2^20 -f base" } else { "400^2" };
        let refused = desk.ndq(&format!("model {board} -o {file}")).code(2);
        refused.stderr(contains(words)).stderr(contains("--large writes it all the same"));
    }
    assert_eq!(desk.names(".").len(), 2);
}

#[test]
fn large_boards_are_described_and_checked_in_seconds() {
    let desk = Desk::new();
    within(30, &desk, "info 1500^2 --json", 0);
    // A regular solution: 317 is prime.
    let square = |x: u32, y: u32| format!("{x} {y} {}", (3 * x + 5 * y) % 317);
    let squares: Vec<String> = (0..317).flat_map(|x| (0..317).map(move |y| square(x, y))).collect();
    desk.certificate("full.txt", "317^3", &squares.iter().map(String::as_str).collect::<Vec<_>>());
    within(15, &desk, "check full.txt", 0);
}

#[test]
fn folders_of_many_rows_are_read_in_seconds() {
    let desk = Desk::new();
    let experiment = |seeds: u32| {
        let runs = "[[runs]]\nboards = [\"3^2\"]\nformulations = [\"base\", \"lmr\"]\n";
        format!("title = \"many\"\nsource = \"a test\"\n{runs}seeds = {seeds}\n")
    };
    desk.write("one.toml", experiment(1));
    desk.ndq("lab run one.toml -o one").success();
    let rows: Vec<serde_json::Value> =
        desk.read("one/runs.jsonl").lines().map(|row| serde_json::from_str(row).expect("a row")).collect();
    // The rows of many runs in the format of an earlier version, without digests.
    desk.write("many.toml", experiment(50_000));
    std::fs::create_dir(desk.path("many")).expect("made");
    let mut many = String::new();
    for run in desk.json(0, "lab plan many.toml") {
        let formulation = &run["question"]["formulation"];
        let of_run = |row: &&serde_json::Value| row["planned"]["question"]["formulation"] == *formulation;
        let mut row = rows.iter().find(of_run).expect("one of two").clone();
        row["planned"] = run;
        row.as_object_mut().expect("an object").remove("sha256");
        writeln!(many, "{row}").expect("a text grows");
    }
    desk.write("many/runs.jsonl", many);
    within(30, &desk, "lab run many.toml -o many", 0);
    within(15, &desk, "lab compare many", 0);
    within(15, &desk, "lab plot many", 0);
}

#[test]
fn list_of_a_large_board_is_not_enumerated() {
    let desk = Desk::new();
    desk.ndq("count 4^3 --solutions f.txt").code(0);
    desk.write("large.txt", desk.read("f.txt").replace("board: 4^3", "board: 1000^3"));
    within(5, &desk, "check large.txt --memory 1", 3);
    let outcome = desk.ndq("check large.txt").code(3);
    outcome.stdout(contains("not settled; whether the solutions lie in different orbits"));
}
