//! Hexagonal boards, three-player boards, Sudoku, pieces with moves of fixed length, and twisted boards in
//! every command.

use predicates::str::contains;

use crate::harness::Desk;

#[test]
fn they_are_told_solved_proved_and_counted() {
    let desk = Desk::new();
    for (board, squares, lines, orbits, optimum) in
        [("hex:4", 37, 54, 6, 7), ("three:6", 54, 44, 6, 9), ("sudoku:2", 64, 64, 1, 16)]
    {
        let outcome = &desk.json(0, &format!("info {board}"))[0];
        assert_eq!((&outcome["squares"], &outcome["lines"]), (&squares.into(), &lines.into()), "{board}");
        assert_eq!(outcome["symmetry"]["orbits"].as_array().map(Vec::len), Some(orbits), "{board}");
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

/// Boards above the limit of the exact engine, 4096 squares, are settled by a construction and a partition.
#[test]
fn large_boards_of_kings_and_knights_are_proved() {
    let desk = Desk::new();
    for (board, optimum) in [
        ("king:66^2", 1089),
        ("king:100^2", 2500),
        ("king:17^3", 729),
        ("king:torus:70^2", 1225),
        ("knight:66^2", 2178),
        ("knight:67^2", 2245),
        ("knight:100^2", 5000),
        ("knight:torus:70^2", 2450),
    ] {
        desk.ndq(&format!("prove {board} --time-limit 60"))
            .success()
            .stdout(contains(format!("alpha({board}) = {optimum}: proved")));
        desk.ndq(&format!("find {board} --method parity -o c.txt -q")).success();
        desk.ndq("check c.txt").success().stdout(contains(format!("{optimum} squares of {board}")));
    }
    desk.certificate("one.txt", "knight:8^2", &["0 1"]);
    desk.ndq("find knight:8^2 --method parity --include one.txt").success().stdout(contains("32 knights"));
    desk.ndq("find king:torus:7^2 --method parity").code(2).stderr(contains("on tori of even side"));
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
        ("info rook:three:8", "\"three:\" must begin the name"),
        ("info sudoku:99", "more than 2147483648 squares"),
        ("solve hex:3 -f cube", "the family \"cube\" of formulation cube is not valid on hex:3"),
        ("solve three:4 -f full", "full solutions are those of queens and rooks"),
        ("find hex:3 --method regular", "this construction is for queens on n^d"),
        ("lp certify sudoku:2", "sudoku:2 is not a plain box"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
}

/// Board, squares, rows of `base`, orbits of squares, maximum, number of maximum solutions. A program that
/// tests all pairs of squares finds the same maxima and numbers.
const MORE_BOARDS: [(&str, u32, u32, usize, u32, u32); 6] = [
    ("knight:5^2", 25, 48, 6, 13, 1),
    ("king:4x5", 20, 12, 6, 6, 27),
    ("king:torus:5^2", 25, 25, 1, 5, 10),
    ("superqueen:6^2", 36, 110, 6, 4, 112),
    ("moebius:5^2", 25, 18, 3, 3, 40),
    ("klein:6^2", 36, 15, 2, 2, 96),
];

#[test]
fn describes_and_counts_other_pieces_and_twisted_boards() {
    let desk = Desk::new();
    for (board, squares, lines, orbits, optimum, solutions) in MORE_BOARDS {
        let outcome = &desk.json(0, &format!("info {board}"))[0];
        assert_eq!((&outcome["squares"], &outcome["lines"]), (&squares.into(), &lines.into()), "{board}");
        assert_eq!(outcome["symmetry"]["orbits"].as_array().map(Vec::len), Some(orbits), "{board}");
        let counted = &desk.json(0, &format!("count {board}"))[0]["methods"][0];
        assert_eq!(
            (&counted["independence_number"], &counted["solutions"]),
            (&optimum.into(), &solutions.into()),
            "{board}"
        );
    }
}

#[test]
fn solves_proves_and_colours_other_and_twisted_boards() {
    let desk = Desk::new();
    for (board, .., optimum, _) in MORE_BOARDS {
        desk.ndq(&format!("prove {board} --proof p.proof -o c.txt"))
            .success()
            .stdout(contains(format!("alpha({board}) = {optimum}: proved")));
        desk.ndq("check p.proof").success();
        desk.ndq("check c.txt").success().stdout(contains(format!("{optimum} squares of {board}")));
        desk.ndq(&format!("solve {board}")).success();
        desk.ndq(&format!("find {board} -o f.txt")).success();
        desk.ndq("check f.txt").success();
        desk.ndq(&format!("draw {board} --show c.txt --attacked")).success();
        for file in ["m.lp", "m.opb"] {
            desk.ndq(&format!("model {board} -f base -o {file}")).success();
        }
    }
    desk.ndq("colour king:4^2").success().stdout(contains("4"));
    desk.ndq("colour klein:4^2").success().stdout(contains("16"));
}

#[test]
fn rejects_lines_and_boxes_for_other_pieces() {
    let desk = Desk::new();
    for (arguments, words) in [
        ("info moebius:3^3", "two side lengths"),
        ("info rook:klein:3^2", "\"klein:\" must begin the name"),
        ("info king:torus:3x4", "equal sides"),
        ("solve knight:4^2 -f cube", "is not valid on knight:4^2"),
        ("solve klein:4^2 -f star", "is not valid on klein:4^2"),
        ("solve superqueen:5^2 -f full", "full solutions are those of queens and rooks"),
        ("find superqueen:5^2 --method regular", "this construction is for queens on n^d"),
        ("lp certify king:4^2", "king:4^2 is not a plain box"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
    desk.write("kings.txt", "ndqueens board 1\npiece: king\n##\n");
    desk.ndq("info file:kings.txt").code(2).stderr(contains("a piece is queen, rook or bishop"));
}

/// Two knights that attack each other, and queens on one line across the twisted side.
#[test]
fn attacks_on_other_boards_are_found() {
    let desk = Desk::new();
    for (board, squares) in [
        ("knight:torus:5^2", ["0 0", "4 3"]),
        ("king:3^3", ["0 0 0", "1 1 1"]),
        ("superqueen:5^2", ["0 0", "1 2"]),
        ("moebius:5x3", ["0 0", "1 0"]),
        ("klein:5x3", ["0 1", "4 0"]),
    ] {
        desk.certificate("c.txt", board, &squares);
        desk.ndq("check c.txt").code(1).stdout(contains("attack each other"));
    }
}
