//! `ndq dots`: boards, games typed at the terminal, exact values, extreme totals, drawings and tables.

use std::process::{Output, Stdio};

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::json;

use crate::harness::Desk;

/// Triangle with one dot inside and one outside.
const BOARD: &str = "ndqueens cliquer 1\n# a remark\n0 0\n10 1\n4 9\n5 3\n6 -9\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("board.txt", BOARD);
    desk
}

/// Runs `ndq` with standard input `input`.
fn typed(desk: &Desk, arguments: &str, input: &str) -> Output {
    let mut command = desk.command();
    command
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("runs");
    // A command that has ended no longer reads its input.
    let _ = std::io::Write::write_all(&mut child.stdin.take().expect("piped"), input.as_bytes());
    child.wait_with_output().expect("ends")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn two_humans_play_a_game_to_the_end() {
    let desk = desk();
    // The parser accepts letters in either case, with or without a hyphen; it skips comments and blank lines.
    let moves = "A-B\nbc\nundo\nB-C # the same again\n\nAC\nA-D\nB-D\nC-D\nA-E\nB-E\n";
    let output = typed(&desk, "dots play board.txt --second human -o game.txt", moves);
    let text = said(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", said(&output.stderr));
    for words in [
        "1. first player: A-B, 1 point; 1 to 0",
        "taken back: B-C",
        "6. second player: C-D, 12 points; 9 to 14",
        "the game is over after 8 moves: 10 to 18, the second player wins by 8",
        "game.txt: the board and 8 moves",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for command in ["check", "dots check"] {
        let holds = contains("game.txt: holds").and(contains("the game is over after 8 moves: 10 to 18"));
        desk.ndq(&format!("{command} game.txt")).code(0).stdout(holds);
    }
    desk.ndq("dots value game.txt").code(0).stdout(contains("none, the game is over"));
}

#[test]
fn program_plays_a_human_and_itself() {
    let desk = desk();
    // The human always plays the first legal move.
    let mut moves = Vec::new();
    loop {
        let output = typed(&desk, "--json dots play board.txt --seed 3", &moves.join("\n"));
        let lines: Vec<serde_json::Value> =
            said(&output.stdout).lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let last = lines.last().expect("a result");
        if output.status.code() == Some(0) {
            assert_eq!(last["end"], "over");
            assert_eq!(last["moves"].as_array().map(Vec::len), Some(8));
            break;
        }
        assert_eq!((output.status.code(), &last["end"]), (Some(3), &json!("left")));
        desk.write("now.txt", BOARD);
        let asked = typed(&desk, "dots play board.txt --seed 3", &[&moves.join("\n"), "\nmoves\n"].concat());
        let list = said(&asked.stdout);
        let line = list
            .lines()
            .rfind(|line| line.contains(" point: ") || line.contains(" points: "))
            .expect("moves are listed");
        let name = line.split_whitespace().nth(2).expect("a move");
        moves.push(name.to_owned());
        assert!(moves.len() < 9);
    }
    let games: Vec<String> = (0..2)
        .map(|_| {
            desk.ndq("dots play board.txt --first program --seed 5 -o auto.txt").code(0);
            desk.read("auto.txt")
        })
        .collect();
    assert_eq!(games[0], games[1]);
    // Both players play optimally, so the margin is the value.
    let value = &desk.json(0, "dots value board.txt")[0];
    let checked = &desk.json(0, "dots check auto.txt")[0];
    let scores: Vec<i64> =
        checked["scores"].as_array().expect("two").iter().filter_map(|s| s.as_i64()).collect();
    assert_eq!(value["margin"], json!(scores[0] - scores[1]));
    assert_eq!(checked["finished"], json!(true));
}

#[test]
fn game_can_be_left_resigned_and_resumed() {
    let desk = desk();
    let output =
        typed(&desk, "dots play board.txt --second human -o game.txt", "A-B\nhelp\nboard\nhint\nmoves\n");
    assert_eq!(output.status.code(), Some(3));
    let text = said(&output.stdout);
    for words in [
        "take back your last move",
        "when both play best",
        "  1 point: A-C",
        "the game is not over; after 1 move",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let output = typed(&desk, "--json dots play game.txt --second human", "A-C\nresign\n");
    assert_eq!(output.status.code(), Some(0));
    let text = said(&output.stdout);
    let end = text.lines().last().expect("a result");
    assert!(end.starts_with("{\"end\":\"resigned\",\"winner\":\"second\",\"scores\":[1,1],"), "{end}");
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn rejects_bad_moves_and_files_in_one_sentence() {
    let desk = desk();
    desk.write("square.txt", "ndqueens cliquer 1\n0 0\n9 0\n9 9\n0 8\n");
    for (input, words) in [
        ("A-C\nB-D\n", "error: line 2 of the input: B-D crosses A-C, which is move 1\n"),
        ("A-C\n\nC-A\n", "error: line 3 of the input: A-C repeats move 1\n"),
        ("A-Z\n", "error: line 1 of the input: there is no dot Z: the dots are A to D\n"),
        ("jump\n", "error: line 1 of the input: a move is two dots, such as A-B, not \"jump\"\n"),
        ("undo\n", "error: line 1 of the input: there is no move of yours to take back\n"),
    ] {
        let output = typed(&desk, "dots play square.txt --second human -o kept.txt", input);
        assert_eq!((output.status.code(), said(&output.stderr).as_str()), (Some(2), words));
        assert!(!desk.path("kept.txt").exists());
    }
    desk.write("line.txt", "ndqueens cliquer 1\n0 0\n1 1\n5 0\n 3 3\n");
    desk.write("cross.txt", "ndqueens cliquer 1\n0 0\n9 0\n9 9\n0 8\nmoves:\nA-C B-D\n");
    desk.write("twice.txt", "ndqueens cliquer 1\n0 0\n9 0\n9 9\n0 8\nmoves:\nA-C A-C\n");
    desk.write("word.txt", "ndqueens cliquer 1\n0 0\n9 o\n");
    for (file, words) in [
        ("line.txt", "line 5, column 2: three dots are on a line: A at (0, 0), B at (1, 1), D at (3, 3)\n"),
        ("cross.txt", "line 7, column 5: move 2 is not allowed: B-D crosses A-C, which is move 1\n"),
        ("twice.txt", "line 7, column 5: move 2 is not allowed: A-C repeats move 1\n"),
        ("word.txt", "line 3, column 3: a coordinate is a whole number, not \"o\"\n"),
    ] {
        for command in
            ["check", "dots check", "dots value", "dots extremes", "dots play", "dots draw -o d.svg"]
        {
            let said = format!("error: {file}: {words}");
            desk.ndq(&format!("{command} {file}")).code(2).stdout("").stderr(said);
        }
    }
    desk.ndq("dots check none.txt").code(2).stderr(contains("cannot read none.txt"));
    desk.ndq("dots draw board.txt -o board.gif").code(2).stderr(contains("ends in .svg, .png, .pdf or .tex"));
    desk.ndq("dots extremes board.txt -o g.txt")
        .code(2)
        .stderr(contains("--side largest or --side smallest"));
    desk.ndq("dots board 7 --hull 8").code(2).stderr(contains("8 of 7 dots cannot be on the hull"));
    desk.ndq("dots board 7 --symmetry spin")
        .code(2)
        .stderr(contains("a symmetry is any, none, mirror, or turn:K"));
    desk.ndq("dots table --dots 4..20").code(2).stderr(contains("within 3 and 10"));
    let names = desk.names(".");
    assert!(!names.iter().any(|name| name.ends_with("svg") || name.ends_with("png")), "{names:?}");
}

#[test]
fn value_is_exact_and_limits_leave_bounds() {
    let desk = desk();
    desk.ndq("dots board 8 --hull 4 --seed 2 -o eight.txt").code(0);
    let value = &desk.json(0, "dots value eight.txt")[0];
    let margin = value["margin"].as_i64().expect("known");
    assert_eq!([&value["at_least"], &value["at_most"]], [margin, margin]);
    assert!(!value["best_moves"].as_array().expect("known").is_empty());
    let limited = &desk.json(3, "dots value eight.txt --node-limit 5000")[0];
    assert_eq!(limited["stop"], "node limit");
    assert_eq!(limited["nodes"], 5000);
    let bound = |key: &str| limited[key].as_i64().expect("a bound");
    assert!(bound("at_least") <= margin && margin <= bound("at_most"));
    // A game on eight dots, four of them on the hull, takes 17 moves and scores at most 79.
    desk.ndq("dots value eight.txt --node-limit 0").code(3).stdout(contains(
        "stopped (node limit); when both play best, the score of the first player less that of the second is between \
         -61 and 63",
    ));
    desk.ndq("dots value eight.txt --time-limit 0").code(3).stdout(contains("stopped (time limit)"));
    desk.ndq("dots board 12 -o twelve.txt").code(0);
    desk.ndq("dots value twelve.txt")
        .code(2)
        .stderr(contains("up to 11 dots are searched, and this one has 12"));
}

#[test]
fn rules_change_points_and_turns() {
    let desk = desk();
    desk.ndq("dots board 5 --hull 3 --seed 1 --rules 3=1,4=9,again=3 -o rules.txt").code(0);
    assert!(desk.read("rules.txt").contains("\nrules: 2=1 3=1 4=9 again=3\n"));
    desk.ndq("dots play rules.txt --first program --second program -o game.txt").code(0);
    assert!(desk.read("game.txt").contains("\nrules: 2=1 3=1 4=9 again=3\n"));
    let played = &desk.json(0, "dots check game.txt")[0];
    assert_eq!(played["rules"], "2=1 3=1 4=9 again=3");
    // All moves on five dots, three on the hull: at most 9 segments, 7 triangles and 2 sets of four.
    assert_eq!(played["largest_total"], 9 + 7 + 2 * 9);
    let own = &desk.json(0, "dots value rules.txt")[0];
    let scores = played["scores"].as_array().expect("two");
    let margin = scores[0].as_i64().expect("a score") - scores[1].as_i64().expect("a score");
    assert_eq!(own["margin"], margin, "both played best");
    assert_eq!(desk.json(0, "dots value rules.txt --rules 2=1")[0]["rules"], "2=1 3=3 4=5");
    let usual = &desk.json(0, "dots value board.txt")[0];
    assert_eq!(desk.json(0, "dots value board.txt --rules 2=1,3=3,4=5")[0]["margin"], usual["margin"]);
    desk.ndq("dots value board.txt --rules 5=1").code(2).stderr(contains("instead of \"5=1\""));
    desk.write("late.txt", BOARD.replace("0 0\n", "0 0\nrules: 2=0\n"));
    desk.ndq("dots check late.txt").code(2).stderr(contains("line 4, column 1: the rules are stated once"));
}

#[test]
fn extreme_totals_agree_with_all_triangulations() {
    let desk = desk();
    desk.ndq("dots board 9 --hull 3 --seed 4 -o nine.txt").code(0);
    let key = |value: &serde_json::Value| {
        (value["side"].clone(), value["total"].clone(), value["is_extreme"].clone())
    };
    let solved: Vec<_> = desk.json(0, "dots extremes nine.txt").iter().map(key).collect();
    let visited: Vec<_> = desk.json(0, "dots extremes nine.txt --method flips").iter().map(key).collect();
    assert_eq!(solved, visited);
    assert_eq!(solved.len(), 2);
    // The written game is legal and has that total.
    desk.ndq("dots extremes nine.txt --side largest -o most.txt")
        .code(0)
        .stdout(contains("saved   most.txt"));
    let checked = &desk.json(0, "dots check most.txt")[0];
    let total: i64 =
        checked["scores"].as_array().expect("two").iter().filter_map(serde_json::Value::as_i64).sum();
    assert_eq!((&checked["finished"], json!(total)), (&json!(true), solved[0].1.clone()));
    // The integer program can be written for another solver.
    desk.ndq("dots extremes nine.txt --side smallest --model m.lp").code(0).stdout(contains("columns"));
    assert!(desk.read("m.lp").contains("Minimize"));
    for name in ["m.clq", "m.cnf", "m.txt"] {
        desk.ndq(&format!("dots extremes nine.txt --side smallest --model {name}"))
            .code(2)
            .stderr(format!("error: {name}: the program is written as .lp, .mps, .opb or .mtx\n"));
    }
    // Theorems bound the cases left open by a limit, and settle those that attain the bound.
    desk.ndq("dots extremes nine.txt --side largest --time-limit 0")
        .code(0)
        .stdout(contains("the largest total score is 108 [theorem: at most 17n - 12h - 9; game checked]"));
    let smallest = solved[1].1.as_i64().expect("known");
    let limited = &desk.json(3, "dots extremes nine.txt --side smallest --time-limit 0")[0];
    assert!(60 <= limited["bound"].as_i64().expect("a bound"));
    assert!(limited["total"].as_i64().expect("a total") >= smallest);
    desk.ndq("dots extremes nine.txt --method flips --time-limit 0")
        .code(3)
        .stdout(contains("stopped (time limit)").and(contains("bound 108")).and(contains("bound 60")));
}

#[test]
fn boards_are_made_to_order_and_drawn() {
    let desk = desk();
    desk.ndq("dots board 7 --hull 3 --symmetry turn:3 --seed 2 -o seven.txt").code(0);
    let facts = &desk.json(0, "dots check seven.txt")[0];
    assert_eq!((&facts["dots"], &facts["hull"], &facts["moves"]), (&json!(7), &json!(3), &json!(15)));
    assert_eq!(facts["symmetries"].as_u64().map(|order| order % 3), Some(0));
    let again = desk.ndq("dots board 7 --hull 3 --symmetry turn:3 --seed 2").code(0);
    assert_eq!(said(&again.get_output().stdout), desk.read("seven.txt"));
    desk.ndq("dots board 7 --cliques 27 --tries 100")
        .code(3)
        .stderr(contains("no such board was found in 100 tries"));
    desk.ndq("dots board 10 --size 2").code(2).stderr(contains("leave room for 6 dots, not 10"));
    desk.ndq("dots board 1000000000000000000").code(2).stderr(contains("a board has 3 to 52 dots"));
    desk.ndq("dots board 52 --tries 20000").code(0).stdout(contains("--size 2704 --clearance 2 --seed 0"));
    desk.ndq("dots play seven.txt --first program --nodes 1000 -o game.txt").code(0);
    desk.ndq("dots draw game.txt --title Seven -o game.svg").code(0).stdout(contains("7 dots and 15 moves"));
    let svg = desk.read("game.svg");
    assert_eq!(svg.matches("<circle").count(), 7 + 15);
    assert!(svg.contains("Seven") && svg.contains("stroke-dasharray=\"9 6\""));
}

#[test]
fn measured_depths_form_a_documented_table() {
    let desk = desk();
    let arguments = "dots table --dots 4..5 --boards 2 --games 3 -o t.csv";
    desk.ndq(arguments).code(0).stdout(contains("| 5 | 3 | 2 | 9 | first |"));
    let table = desk.read("t.csv");
    assert_eq!(table.lines().count(), 1 + 2 * (2 + 3));
    desk.ndq(arguments).code(0);
    assert_eq!(desk.read("t.csv"), table);
    let columns = desk.ndq("dots table --columns").code(0);
    let columns = said(&columns.get_output().stdout);
    let names: Vec<&str> = columns.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(names.join(","), table.lines().next().expect("a head"));
}
