//! Completing given queens to a solution, and minimal sets of queens that admit no completion.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

use crate::harness::Desk;

/// Returns the squares of an answer, each as a line of a certificate.
fn lines(squares: &Value) -> Vec<String> {
    let line = |square: &Value| {
        let numbers: Vec<String> =
            square.as_array().expect("a square").iter().map(Value::to_string).collect();
        numbers.join(" ")
    };
    squares.as_array().expect("squares").iter().map(line).collect()
}

fn certificate(desk: &Desk, name: &str, board: &str, squares: &[String]) {
    desk.certificate(name, board, &squares.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn completion_contains_the_given_queens() {
    let desk = Desk::new();
    for (board, given, size) in [
        ("8^2", &["0 0"][..], 8),
        ("8^2", &["0 3", "1 6", "2 2"], 8),
        ("5^3", &["0 0 0"], 13),
        ("rook:3^3", &["0 0 0", "1 1 0", "0 1 2"], 9),
        ("hex:5", &["0 0"], 7),
        ("three:8", &["0 0 0"], 12),
        ("sudoku:2", &["0 0 0", "1 1 1"], 16),
        ("torus:5^2", &[], 5),
    ] {
        desk.certificate("q.txt", board, given);
        let run = format!("extend {board} --include q.txt -o c.txt");
        let outcome = &desk.json(0, &run)[0];
        assert_eq!((&outcome["completes"], &outcome["size"]), (&true.into(), &size.into()), "{board}");
        let squares = lines(&outcome["squares"]);
        assert!(squares.len() == size && given.iter().all(|square| squares.contains(&(*square).to_owned())));
        desk.ndq("check c.txt").success().stdout(contains(format!("{size} squares of {board}")));
    }
    // Squares numbered from 1, and lists of solutions.
    desk.write("one.txt", "1 4\n2 7\n");
    desk.certificate("q.txt", "8^2", &["0 3", "1 6"]);
    let completed =
        |words: &str| desk.json(0, &format!("extend 8^2 --include {words}"))[0]["squares"].clone();
    assert_eq!(completed("one.txt --as tuples1"), completed("q.txt"));
    desk.ndq("count 6^2 --solutions 6.txt").success();
    desk.ndq("extend 6^2 --include 6.txt").success().stderr(contains("taken").not());
    desk.ndq("draw 6^2 --show 6.txt").success().stdout(contains("Q").count(6));
    desk.ndq("count 8^2 --solutions 8.txt").success();
    for taken in ["extend 8^2 --include 8.txt", "draw 8^2 --show 8.txt"] {
        desk.ndq(taken).success().stderr(contains("8.txt: the first of its 12 solutions is taken"));
    }
    desk.ndq("draw 6^2 --show 8.txt").code(2).stderr(contains("8.txt"));
    // A smaller solution, and a solution that is given already.
    desk.certificate("q.txt", "6^2", &["0 0", "1 2"]);
    desk.ndq("extend 6^2 --include q.txt --exactly 4").success().stdout(contains("complete to 4 queens"));
    desk.ndq("extend 6^2 --include q.txt --exactly 2").success();
}

#[test]
fn pictures_use_piece_letters_and_are_read_back() {
    let desk = Desk::new();
    for (board, letter, word) in [
        ("knight:4^2", 'N', "1 knight completes to 8 knights"),
        ("king:4^2", 'K', "1 king completes to 4 kings"),
    ] {
        desk.certificate("one.txt", board, &["0 0"]);
        let printed = desk.ndq(&format!("extend {board} --include one.txt -o all.txt")).success();
        let text = String::from_utf8(printed.get_output().stdout.clone()).expect("text");
        assert!(text.contains(word), "{text}");
        let is_row = |line: &&str| line.split(' ').all(|sign| sign == "." || sign == letter.to_string());
        let picture: Vec<&str> = text.lines().filter(is_row).collect();
        assert_eq!(picture.len(), 4, "{text}");
        desk.write("picture.txt", picture.join("\n") + "\n");
        desk.ndq(&format!("check picture.txt --board {board} --as picture")).success();
        desk.ndq(&format!("check picture.txt --board {board}")).success();
    }
}

#[test]
fn blocking_sets_have_minimum_size() {
    let desk = Desk::new();
    for (board, given) in [
        ("6^2", &["0 0"][..]),
        ("6^2", &["0 1", "2 0", "3 5"]),
        ("8^2", &["0 3", "1 6", "2 4", "3 7", "6 5"]),
        ("3^3", &["1 1 1"]),
        ("4^3", &["0 0 0", "1 2 0", "2 1 3", "3 3 1"]),
        ("hex:4", &["0 0"]),
        ("three:8", &["0 0 1", "2 2 0", "4 3 2"]),
    ] {
        desk.certificate("q.txt", board, given);
        let run = format!("extend {board} --include q.txt");
        let output = desk.command().args(run.split_whitespace()).arg("--json").output().expect("runs");
        let outcome: Value = serde_json::from_slice(&output.stdout).expect(board);
        if outcome["completes"] == true {
            assert_eq!(output.status.code(), Some(0), "{board}");
            continue;
        }
        assert_eq!((output.status.code(), &outcome["minimal"]), (Some(1), &true.into()), "{board}");
        let clash = lines(&outcome["clash"]);
        assert!(!clash.is_empty() && clash.iter().all(|square| given.contains(&square.as_str())), "{board}");
        certificate(&desk, "c.txt", board, &clash);
        assert_eq!(desk.json(1, &format!("extend {board} --include c.txt"))[0]["clash"], outcome["clash"]);
        for left_away in 0..clash.len() {
            let mut fewer = clash.clone();
            fewer.remove(left_away);
            certificate(&desk, "f.txt", board, &fewer);
            desk.ndq(&format!("extend {board} --include f.txt")).success();
        }
    }
    // No solution exists at all, so the given queens are not reported.
    desk.certificate("q.txt", "8^2", &["0 0"]);
    let outcome = desk.ndq("extend 8^2 --include q.txt --exactly 9").code(1);
    outcome.stdout(contains(
        "no solution of 9 queens exists on 8^2 at all: at most 8 queens fit, for a partition of the board into 8 lines",
    ))
    .stderr(contains("ruled out").not());
    // Every square is attacked.
    desk.certificate("q.txt", "2^3", &["0 0 0"]);
    let outcome = desk.ndq("extend 2^3 --include q.txt --exactly 2").code(1);
    outcome.stdout(contains("no solution of 2 queens exists on 2^3 at all"));
}

#[test]
fn what_cannot_be_completed_is_refused() {
    let desk = Desk::new();
    desk.certificate("q.txt", "8^2", &["0 0", "1 2"]);
    desk.certificate("attack.txt", "8^2", &["0 0", "1 1"]);
    desk.certificate("off.txt", "8^2", &["8 8"]);
    desk.certificate("twice.txt", "8^2", &["0 0", "0 0"]);
    desk.write("loose.txt", "0 0\n1 2\n");
    for (arguments, words) in [
        ("8^2", "--include <FILE>"),
        ("8^2 --include none.txt", "cannot read none.txt"),
        ("8^2 --include loose.txt", "line 1, column 1: the file must begin with"),
        ("7^2 --include q.txt", "the certificate is for the board 8^2, but 7^2 was asked for"),
        ("8^2 --include attack.txt", "(0, 0) and (1, 1), attack each other"),
        ("8^2 --include off.txt", "(8, 8), is off the board 8^2; the coordinates lie in [0,7]"),
        ("8^2 --include twice.txt", "is in the list twice"),
        ("8^2 --include q.txt --exactly 1", "2 queens are given, more than a solution of 1 has"),
        ("8^2 --include q.txt --exactly -1", "it must be a whole number of queens, from 0 to"),
        ("8^2 --include q.txt --exactly abc", "it must be a whole number of queens, from 0 to"),
        ("8^2 --include loose.txt --as tuple", "unknown convention"),
        ("8^2 --include loose.txt --as tuples1", "line 1, column 1"),
        ("8^2 --include q.txt -o none/c.txt", "cannot write none/c.txt"),
        ("three:7 --include q.txt", "must be even"),
    ] {
        let outcome = desk.ndq(&format!("extend {arguments}")).code(2).stdout("");
        outcome.stderr(contains(words).and(contains("panicked").not()));
    }
    // If there is no completion, no file is written.
    desk.ndq("extend 8^2 --include q.txt -o c.txt").code(1);
    assert!(!desk.path("c.txt").exists());
    let outcome = desk.ndq("extend 12^3 --include big.txt --time-limit 1").code(2);
    outcome.stderr(contains("cannot read big.txt"));
    desk.certificate("big.txt", "12^3", &["0 0 0"]);
    desk.ndq("extend 12^3 --include big.txt --time-limit 1").code(3).stdout(contains("stopped (time limit)"));
}
