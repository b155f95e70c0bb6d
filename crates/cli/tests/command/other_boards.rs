//! Hexagonal boards, boards for three players and Sudoku in every command.

use predicates::str::contains;

use crate::desk::Desk;

#[test]
fn they_are_told_solved_proved_and_counted() {
    let desk = Desk::new();
    for (board, squares, lines, orbits, optimum) in
        [("hex:4", 37, 54, 6, 7), ("three:6", 54, 44, 6, 9), ("sudoku:2", 64, 64, 1, 16)]
    {
        let told = &desk.json(0, &format!("info {board}"))[0];
        assert_eq!((&told["squares"], &told["lines"]), (&squares.into(), &lines.into()), "{board}");
        assert_eq!(told["symmetry"]["orbits"].as_array().map(Vec::len), Some(orbits), "{board}");
        desk.ndq(&format!("solve {board} -o c.txt")).success();
        desk.ndq("check c.txt").success().stdout(contains(format!("{optimum} squares of {board}")));
        desk.ndq(&format!("prove {board}"))
            .success()
            .stdout(contains(format!("alpha({board}) = {optimum}: proved")));
        desk.ndq(&format!("find {board}")).success();
        desk.ndq(&format!("lp relax {board}")).success();
        for file in ["m.lp", "m.mps", "m.opb"] {
            desk.ndq(&format!("model {board} -f base -o {file}")).success();
        }
        desk.ndq(&format!("model {board} -f base --at-least {optimum} -o m.cnf")).success();
    }
}

#[test]
fn solutions_that_de_groot_lists_are_checked() {
    let desk = Desk::new();
    desk.write("hex.txt", "2 6 14 24 32 36 19");
    desk.ndq("check hex.txt --as degroot --board hex:4 -o c.txt").success();
    desk.ndq("check c.txt --board hex:4").success().stdout(contains("7 squares of hex:4"));
    desk.write("three.txt", "8 13 18 33 48 59 74 91 53 71 86 28");
    desk.ndq("check three.txt --as degroot --board three:8").success();
    desk.write("wrong.txt", "2 6 14 24 32 36 20");
    desk.ndq("check wrong.txt --as degroot --board hex:4").code(1).stdout(contains("does not hold"));
    desk.write("far.txt", "2 6\n38");
    desk.ndq("check far.txt --as degroot --board hex:4").code(2).stderr(contains("line 2, column 1"));
    desk.ndq("check hex.txt --as degroot --board 8^2").code(2).stderr(contains("8^2 is neither"));
}

#[test]
fn what_is_for_boxes_is_refused_on_them() {
    let desk = Desk::new();
    for (arguments, words) in [
        ("info hex:0", "at least 1"),
        ("info three:9", "must be even"),
        ("info rook:three:8", "nothing comes before three:"),
        ("info sudoku:99", "more than 2147483648 squares"),
        ("solve hex:3 -f cube", "the family \"cube\" of formulation cube is not valid on hex:3"),
        ("solve three:4 -f full", "full solutions are those of queens and rooks"),
        ("find hex:3 --method regular", "this construction is for queens on n^d"),
        ("lp certify sudoku:2", "sudoku:2 is not a plain box"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
}
