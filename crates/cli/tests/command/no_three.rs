//! The largest sets of squares of which no three are on a straight line.

use predicates::str::contains;

use crate::harness::Desk;

#[test]
fn squares_hold_twice_as_many_as_rows() {
    let desk = Desk::new();
    for n in 2..=6 {
        let record = &desk.json(0, &format!("solve {n}^2 -f no-three-in-line -o set{n}.txt"))[0];
        assert_eq!(
            (&record["answer"]["outcome"], &record["answer"]["incumbent"]),
            (&"optimal".into(), &(2 * n).into())
        );
        assert!(
            record["answer"]["proof"].as_str().is_some_and(|proof| proof.starts_with("theorem")),
            "{record}"
        );
        desk.ndq(&format!("check set{n}.txt")).success().stdout(contains("are a no-three-in-line set"));
    }
    desk.ndq("solve 4^2 -f no-three-in-line")
        .success()
        .stdout(contains("8 squares of 4^2, no three in line: optimal"));
    desk.ndq("solve 4^2 -f no-three-in-line --at-least 9")
        .code(1)
        .stdout(contains("no solution of size at least 9"))
        .stderr(contains("9 squares do not fit on 4^2: the trivial upper bound is 8"));
    desk.ndq("solve 50^2 -f no-three-in-line --time-limit 1").code(3).stdout(contains("bound 100"));
    desk.ndq("solve 3^3 -f no-three-in-line").success().stdout(contains("no three in line: optimal"));
}

#[test]
fn sets_and_placements_are_distinguished() {
    let desk = Desk::new();
    let head = "ndqueens certificate 1\nboard: 4^2\n";
    let placement = "0 1\n1 3\n2 0\n3 2\n";
    desk.write(
        "set.txt",
        format!("{head}problem: no-three-in-line set\nsize: 4\norigin: a test\n{placement}"),
    );
    desk.write(
        "line.txt",
        format!("{head}problem: no-three-in-line set\nsize: 3\norigin: a test\n0 0\n1 1\n3 3\n"),
    );
    desk.ndq("check set.txt").success();
    desk.ndq("check line.txt").code(1).stdout(contains("(0, 0), (1, 1) and (3, 3), are on a straight line"));
    desk.ndq("prove 4^2 --start set.txt").code(2).stderr(contains("no-three-in-line set"));
    let refusal = "no proof is written for no-three-in-line sets; ndq solve 4^2 -f no-three-in-line finds their maximum";
    desk.ndq("prove 4^2 -f no-three-in-line").code(2).stderr(contains(refusal));
    let plain = "plain boxes, which are named without a piece, such as 8^2";
    for (board, words) in [("torus:4^2", "not wrapped round"), ("hex:3", plain), ("knight:5^2", plain)] {
        desk.ndq(&format!("solve {board} -f no-three-in-line")).code(2).stderr(contains(words));
    }
}
