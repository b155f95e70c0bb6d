//! Sets of squares in files of other programs, and files that cannot be read.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::json;

use crate::harness::{Desk, case};

/// The placement 1, 3, 0, 2, by heights numbered from 0.
const FOUR: &str = ".Q..\n...Q\nQ...\n..Q.\n";

/// Returns the standard output of a command.
fn printed(desk: &Desk, arguments: &str) -> String {
    let output = desk.command().args(arguments.split_whitespace()).output().expect("ndq runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn drawings_of_others_are_checked() {
    let desk = Desk::new();
    for name in ["R12-picture.txt", "R12-strings.json"] {
        let holds = contains("holds; 4 squares of 4^2 are an independent set");
        for flags in ["", "--board 4^2", "--as picture", "--as picture --board 4^2"] {
            let path = case(name);
            let mut command = desk.command();
            command.arg("check").arg(&path).args(flags.split_whitespace());
            assert_cmd::assert::OutputAssertExt::assert(&mut command).success().stdout(holds.clone());
        }
    }
    desk.write("a.txt", "Q...\n.Q..\n..Q.\n...Q\n");
    desk.ndq("check a.txt").code(1).stdout(contains("(0, 0) and (1, 1), attack each other"));
    desk.write("m.txt", "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n");
    desk.ndq("check m.txt").code(2).stderr(contains("--as"));
    desk.ndq("check m.txt --as picture -o n.txt").success().stdout(contains("4 squares of 4^2"));
    assert!(desk.read("n.txt").ends_with("\n0 1\n1 3\n2 0\n3 2\n"));
    desk.write("marked.txt", "xQxx\nxxxQ\nQxxx\nxxQx\n");
    desk.ndq("check marked.txt").success().stdout(contains("4 squares of 4^2"));
    desk.write("unclear.txt", ".Q..\n..1Q\nQ...\n..Q.\n");
    desk.ndq("check unclear.txt").code(2).stderr(contains("line 2, column 3").and(contains("\"1\"")));
}

#[test]
fn several_placements_are_each_checked() {
    let desk = Desk::new();
    desk.write("two.txt", format!("{FOUR}\n..Q.\nQ...\n...Q\n.Q..\n"));
    desk.ndq("check two.txt --board 4^2")
        .success()
        .stdout(contains("each of 2 placements, of 4 squares of 4^2"));
    desk.ndq("check two.txt").code(2).stderr(contains("--board"));
    desk.ndq("check two.txt --board 2x4x4").code(1);
    desk.write("wrong.txt", format!("{FOUR}\n..QQ\nQ...\n...Q\n.Q..\n"));
    desk.ndq("check wrong.txt --board 4^2").code(1).stdout(contains("the placement of line 6"));
    let checked = &desk.json(1, "check wrong.txt --board 4^2")[0];
    assert_eq!((&checked["line"], &checked["sizes"]), (&json!(6), &json!([4, 5])));
    desk.write("lines.txt", "1 3 0 2\n2 0 3 1\n");
    desk.ndq("check lines.txt --as heights --board 4^2").success().stdout(contains("each of 2 placements"));
    desk.ndq("solve 4^2 --include two.txt")
        .code(2)
        .stderr(contains("a second placement").and(contains("line 6")));
    desk.ndq("check two.txt --board 4^2 -o one.txt").code(2).stderr(contains("one placement"));
}

#[test]
fn heights_drop_no_entry() {
    let desk = Desk::new();
    let heights = |base: usize| -> String {
        let row = |i: usize| {
            (0..11).map(|j| ((2 * i + 4 * j) % 11 + base).to_string()).collect::<Vec<_>>().join(" ")
        };
        (0..11).map(|i| row(i) + "\n").collect()
    };
    desk.write("zero.txt", heights(0));
    desk.write("one.txt", heights(1));
    desk.ndq("check zero.txt --as heights1 --board 11^3 -o kept.txt")
        .code(2)
        .stderr(contains("line 1, column 1").and(contains("--as heights")));
    assert!(!desk.path("kept.txt").exists());
    desk.ndq("check zero.txt --as heights --board 11^3").stdout(contains("121").or(contains("attack")));
    desk.ndq("check one.txt --as heights --board 11^3").code(2).stderr(contains("from 0 to 10"));
    desk.write("empty.txt", "0 4 1 0\n");
    desk.ndq("check empty.txt --as heights1 --board 4^2").success().stdout(contains("2 squares of 4^2"));
    desk.write("dots.txt", ". 4 . 1\n");
    desk.ndq("check dots.txt --as heights1 --board 4^2").success().stdout(contains("2 squares of 4^2"));
    for (text, convention, words) in [
        ("1 2 3 5", "heights1", "from 1 to 4"),
        ("1 2 x 3", "heights", "not \"x\""),
        ("1 2 +3 0", "heights", "not \"+3\""),
        ("(0,1), (1,3", "tuples", "is not closed"),
        ("0 1)", "tuples", "closes no"),
    ] {
        desk.write("bad.txt", text);
        desk.ndq(&format!("check bad.txt --as {convention} --board 4^2")).code(2).stderr(contains(words));
    }
}

#[test]
fn printed_drawings_are_read_back() {
    let desk = Desk::new();
    let boards = [
        "4^2",
        "3x4",
        "7^1",
        "3^3",
        "2x3x4",
        "3^4",
        "rook:3^2",
        "torus:5^2",
        "knight:4^2",
        "klein:4x5",
        "hex:3",
        "three:4",
        "sudoku:2",
        "12^3",
    ];
    for board in boards {
        desk.ndq(&format!("find {board} -o c.txt")).success();
        let size: usize = desk
            .read("c.txt")
            .lines()
            .find_map(|line| line.strip_prefix("size: ")?.parse().ok())
            .expect("a size");
        let mut commands = vec![format!("find {board}")];
        if board != "12^3" {
            commands.push(format!("draw {board} --show c.txt"));
            if !board.starts_with("sudoku") {
                commands.push(format!("draw {board} --show c.txt --attacked"));
            }
        }
        if ["4^2", "3^3", "hex:3", "sudoku:2", "rook:3^2"].contains(&board) {
            commands.extend([format!("solve {board}"), format!("prove {board}")]);
        }
        for command in commands {
            let text = printed(&desk, &command);
            desk.write("p.txt", &text);
            let is_alone = command.starts_with("draw");
            let named = if is_alone { format!("--board {board}") } else { String::new() };
            let checked =
                desk.command().args(["check", "p.txt", "--json"]).args(named.split_whitespace()).output();
            let checked = checked.expect("ndq runs");
            let out = String::from_utf8_lossy(&checked.stdout).into_owned();
            let value: serde_json::Value = serde_json::from_str(&out).unwrap_or_default();
            assert_eq!(value["holds"], json!(true), "{command}:\n{text}\n{out}");
            assert_eq!(value["board"], json!(board), "{command}:\n{text}");
            if command.starts_with("find") || is_alone {
                assert_eq!(value["size"], json!(size), "{command}:\n{text}");
            }
        }
    }
}

#[test]
fn printed_lists_are_read_back() {
    let desk = Desk::new();
    desk.write("list.txt", printed(&desk, "prove 40^2"));
    desk.ndq("check list.txt").code(0).stdout(contains("holds; 40 squares of 40^2"));
}

#[test]
fn several_files_give_the_worst_exit_code() {
    let desk = Desk::new();
    desk.write("good.txt", FOUR);
    desk.write("bad.txt", "Q...\n.Q..\n..Q.\n...Q\n");
    desk.write("odd.txt", "ndqueens certificate 9\n");
    desk.ndq("check good.txt good.txt").success();
    let outcome = desk.ndq("check good.txt bad.txt").code(1);
    outcome.stdout(contains("good.txt: holds").and(contains("bad.txt: does not hold")));
    let outcome = desk.ndq("check odd.txt good.txt bad.txt").code(2);
    outcome
        .stderr(contains("odd.txt"))
        .stdout(contains("good.txt: holds").and(contains("bad.txt: does not")));
    let lines = desk.json(2, "check odd.txt good.txt bad.txt");
    let holds: Vec<_> = lines.iter().map(|line| &line["holds"]).collect();
    assert_eq!(holds, [&json!(null), &json!(true), &json!(false)]);
    assert_eq!(lines[0]["exit_code"], json!(2));
    desk.ndq("check good.txt bad.txt -o one.txt").code(2).stderr(contains("-o writes"));
    desk.ndq("check").code(2);
}

#[test]
fn conventions_go_with_every_file_of_squares() {
    let desk = Desk::new();
    desk.write("q.txt", "(1,2)\n");
    desk.write("s.txt", "2 4 1 3\n");
    desk.write("p.txt", FOUR);
    for arguments in [
        "solve 4^2 --include q.txt --as tuples1",
        "solve 4^2 --start s.txt --as heights1",
        "solve 4^2 --start p.txt",
        "find 4^2 --include q.txt --as tuples1",
        "find 4^2 --method search --start s.txt --as heights1 --time-limit 5",
        "extend 4^2 --include q.txt --as tuples1",
        "count 4^2 --include q.txt --as tuples1",
        "prove 4^2 --engine highs --start s.txt --as heights1",
        "model 4^2 --include q.txt --as tuples1 -o m.lp",
        "draw 4^2 --show s.txt --as heights1",
        "draw 4^2 --show p.txt",
    ] {
        desk.ndq(arguments).success();
    }
    for arguments in [
        "solve 4^2 --as tuples1",
        "find 4^2 --as tuples1",
        "prove 4^2 --as tuples1",
        "count 4^2 --as tuples1",
        "draw 4^2 --as tuples1",
        "model 4^2 --as tuples1 -o n.lp",
    ] {
        desk.ndq(arguments).code(2).stderr(contains("--as tuples1"));
    }
    desk.ndq("solve 4^2 --include q.txt --as tuple").code(2).stderr(contains("unknown convention"));
    desk.ndq("solve 4^2 --include s.txt").code(2).stderr(contains("--as"));
}

/// Counts the placements of `n` queens on `n^2` that extend `heights` and contain `given`,
/// by plain recursion.
fn placements(n: usize, heights: &mut Vec<usize>, given: &[(usize, usize)]) -> usize {
    let row = heights.len();
    if row == n {
        return 1;
    }
    let mut count = 0;
    for height in 0..n {
        let attacked =
            heights.iter().enumerate().any(|(other, &at)| at == height || at.abs_diff(height) == row - other);
        if attacked || given.iter().any(|&(at, fixed)| at == row && fixed != height) {
            continue;
        }
        heights.push(height);
        count += placements(n, heights, given);
        heights.pop();
    }
    count
}

#[test]
fn counts_of_completions_agree_with_brute_force() {
    let desk = Desk::new();
    for (n, given) in [
        (4, vec![(0, 1)]),
        (6, vec![(1, 3)]),
        (8, vec![(0, 0)]),
        (8, vec![(0, 3), (4, 1)]),
        (7, vec![(2, 2), (3, 5)]),
    ] {
        let expected = placements(n, &mut Vec::new(), &given);
        let tuples: String = given.iter().map(|(x, y)| format!("{x} {y}\n")).collect();
        desk.write("q.txt", tuples);
        for exactly in [String::new(), format!("--exactly {n}")] {
            let counted = &desk.json(0, &format!("count {n}^2 --include q.txt --as tuples {exactly}"))[0];
            assert_eq!(counted["solutions"], json!(expected.to_string()), "{n} {given:?}");
        }
    }
    desk.write("q.txt", "0 0\n");
    let one = &desk.json(0, "count 8^2 --include q.txt --as tuples --exactly 1")[0];
    assert_eq!(one["solutions"], json!("1"));
    desk.ndq("count 3^3 --include q.txt --as flat").code(2).stderr(contains("q.txt"));
}

#[test]
fn a_placement_with_an_attack_is_drawn() {
    let desk = Desk::new();
    desk.write("a.txt", "Q..Q\n....\n....\n.Q..\n");
    let outcome = desk.ndq("draw 4^2 --show a.txt").success();
    let outcome =
        outcome.stderr(contains("a.txt: the placement does not hold").and(contains("attack each other")));
    outcome.stdout(contains("! . . !\n. . . .\n. . . .\n. Q . ."));
    desk.write("again.txt", printed(&desk, "draw 4^2 --show a.txt"));
    desk.ndq("check again.txt").code(1).stdout(contains("(0, 0) and (0, 3), attack each other"));
    for picture in ["a.svg", "a.pdf", "a.tex", "a.png"] {
        desk.ndq(&format!("draw 4^2 --show a.txt -o {picture}")).success().stderr(contains("does not hold"));
        assert!(desk.path(picture).exists());
    }
    assert!(desk.read("a.svg").contains("those outlined attack each other"));
    let drawn = &desk.json(0, "draw 4^2 --show a.txt")[0];
    assert_eq!(drawn["holds"], json!(false));
    desk.write("off.txt", "0 0\n0 9\n");
    desk.ndq("draw 4^2 --show off.txt --as tuples").code(2).stderr(contains("does not hold"));
}

#[test]
fn drawings_of_other_pieces_name_their_board() {
    let desk = Desk::new();
    for board in ["rook:3^2", "bishop:4^2", "torus:5^2", "rook:2x3x4"] {
        desk.ndq(&format!("find {board} -o found.txt")).success();
        desk.write("drawn.txt", printed(&desk, &format!("draw {board} --show found.txt")));
        desk.ndq("check drawn.txt").success().stdout(contains(format!("squares of {board} are")));
    }
}
