//! `ndq draw`: pictures of every kind of board, and rejected input.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;

#[test]
fn draws_every_kind_of_board_in_every_format() {
    let desk = Desk::new();
    desk.write("heart.txt", "ndqueens board 1\n##.#\n####\n.##.\n");
    for board in [
        "7^1",
        "3x5",
        "3^3",
        "2^5",
        "torus:4^2",
        "rook:3^2",
        "knight:4^2",
        "king:3x4",
        "superqueen:3^3",
        "moebius:3x4",
        "hex:3",
        "three:4",
        "sudoku:2",
        "file:heart.txt",
    ] {
        desk.ndq(&format!("draw {board} -o a.svg")).success().stdout("a.svg\n");
        let svg = desk.read("a.svg");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{svg}");
        assert!(svg.contains(&format!("The board {board}")), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{board}");
        desk.ndq(&format!("draw {board} -o a.pdf")).success();
        assert!(desk.read_bytes("a.pdf").starts_with(b"%PDF-"), "{board}");
        desk.ndq(&format!("draw {board} -o a.tex")).success();
        let tikz = desk.read("a.tex");
        assert!(
            tikz.starts_with("\\begin{tikzpicture}") && tikz.ends_with("\\end{tikzpicture}\n"),
            "{board}"
        );
        assert!(!tikz.contains("NaN") && !tikz.contains("inf,"), "{board}");
        desk.ndq(&format!("draw {board} -o a.png")).success();
        let png = std::fs::read(desk.path("a.png")).expect("a picture");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{board}");
        desk.ndq(&format!("draw {board}")).success();
    }
}

#[test]
fn a_placement_is_drawn_with_what_it_attacks() {
    let desk = Desk::new();
    desk.certificate("hex.txt", "hex:3", &["0 0"]);
    desk.ndq("draw hex:3 --show hex.txt --attacked")
        .success()
        .stdout("  Q x x\n x x x .\nx x x . x\n . . x .\n  x . x\n");
    desk.ndq("draw hex:3 --show hex.txt --attacked -o a.svg").success();
    let svg = desk.read("a.svg");
    assert_eq!(svg.matches("href=\"#piece\"").count(), 1, "{svg}");
    assert_eq!(svg.matches("stroke=\"#D55E00\"").count(), 12, "{svg}");
    assert!(svg.contains("1 queen on hex:3, and what they attack: (0,0)"), "{svg}");
    desk.write("clues.txt", "0 0 0\n1 2 3\n");
    desk.ndq("draw sudoku:2 --show clues.txt --as tuples")
        .success()
        .stdout("1 . | . .\n. . | 4 .\n----+----\n. . | . .\n. . | . .\n");
    let drawn = &desk.json(0, "draw sudoku:2 --show clues.txt --as tuples -o s.svg")[0];
    assert_eq!(drawn["squares"], serde_json::json!([[0, 0, 0], [1, 2, 3]]));
    assert_eq!(drawn["file"], "s.svg");
    desk.write("first.txt", "1 12 23 34 47 51 62 72 73 84 94 29");
    desk.ndq("draw three:8 --show first.txt --as degroot -o t.svg").success();
    assert_eq!(desk.read("t.svg").matches("href=\"#piece\"").count(), 12);
}

#[test]
fn boxes_of_three_axes_are_drawn_as_solids() {
    let desk = Desk::new();
    desk.ndq("find 4^3 -o best.txt").success();
    for ending in ["svg", "png", "pdf", "tex"] {
        desk.ndq(&format!("draw 4^3 --show best.txt --attacked --solid -o a.{ending}")).success();
    }
    let svg = desk.read("a.svg");
    // A ball and a highlight for each of 7 queens, and a ball for each of the 57 attacked squares.
    assert_eq!(svg.matches("<circle").count(), 71, "{svg}");
    assert!(svg.contains("7 queens on 4^3, and what they attack"), "{svg}");
    desk.ndq("draw 2x3x4 --solid -o b.svg --width 300 --caption empty").success();
    assert!(desk.read("b.svg").contains(" width=\"300\""), "{}", desk.read("b.svg"));
    for (arguments, words) in [
        ("4^2 --solid -o c.svg", "4^2 is not drawn as a solid: solids are boxes with three axes"),
        ("sudoku:2 --solid -o c.svg", "is not drawn as a solid"),
        ("4^3 --solid", "required arguments were not provided"),
        ("30^3 --solid -o c.svg", "27000 squares are too many"),
        ("4^3 --solid --coordinates -o c.svg", "cannot be used with"),
    ] {
        desk.ndq(&format!("draw {arguments}")).code(2).stderr(contains(words));
    }
    assert!(!desk.path("c.svg").exists());
}

/// Draws figures 18 to 20 of Kunt 2023, a line, a layer and a domination row.
#[test]
fn rows_are_drawn_and_explained() {
    let desk = Desk::new();
    for (row, squares, states, valid) in [
        (
            "9^3 -f cube-star --row cube_1260",
            9,
            "constraint  x_0_0_0 + x_0_0_6 + x_0_6_0 + x_0_6_6 + x_3_3_3 + x_6_0_0 + x_6_0_6 + x_6_6_0 + x_6_6_6 <= 1",
            "attack each other pairwise, which was checked",
        ),
        (
            "9^3 -f cube-star --row star_468",
            7,
            "constraint  x_0_3_3 + x_3_0_3 + x_3_3_0 + x_3_3_3 + x_3_3_6 + x_3_6_3 + x_6_3_3 <= 1",
            "attack each other pairwise",
        ),
        (
            "11^3 -f all --row subsolution_3016",
            1000,
            "squares     1000, the box 10x10x10 from (0,0,0)",
            "alpha(10^3) <= 91",
        ),
        ("5^3 -f base --row line_0", 5, "squares     5, the box 1x1x5 from (0,0,0)", "pairwise"),
        (
            "3^2 -f domination --row domination_0",
            7,
            ">= 1",
            "at least one on every square and the squares that attack it",
        ),
        ("4^2 --at-least 3 --row size_0", 16, "+ x_3_3 >= 3", "is asked for"),
    ] {
        desk.ndq(&format!("model {row}")).success().stdout(contains(states).and(contains(valid)));
        let outcome = &desk.json(0, &format!("model {row}"))[0];
        assert_eq!(outcome["squares"].as_array().map(Vec::len), Some(squares), "{row}");
        if row.contains("--at-least") {
            continue;
        }
        let named = row.rsplit(' ').next().expect("a name");
        desk.ndq(&format!("draw {row} -o a.svg")).success();
        let svg = desk.read("a.svg");
        assert!(svg.contains(&format!("The {squares} squares of the constraint {named} on ")), "{svg}");
        assert_eq!(svg.matches("fill=\"#E69F00\"").count(), squares, "{row}");
        if row.contains("^3") {
            desk.ndq(&format!("draw {row} --solid -o b.svg")).success();
            assert_eq!(desk.read("b.svg").matches("fill=\"#E69F00\"").count(), squares, "{row}");
        }
    }
    desk.ndq("draw 3^2 -f cube --row cube_0")
        .success()
        .stdout("1 1 .\n1 1 .\n. . .\n\ndigits: coefficients; .: no coefficient\n");
    for (arguments, words) in [
        ("draw 3^2 --row cube_99", "no row \"cube_99\"; expected line_0 to line_"),
        ("draw 3^2 -f star --row cube_0", "expected line_0 to "),
        ("draw 3^2 -f cube", "--row"),
        ("model 3^2", "required"),
        ("model 3^2 --row cube_0 -o a.lp", "cannot be used with"),
        ("draw 3^2 -f full --row size_1", "no row \"size_1\""),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
}

#[test]
fn numbers_of_solutions_are_written_into_a_density() {
    let desk = Desk::new();
    desk.ndq("count 8^2 --density d.csv").success();
    desk.ndq("draw 8^2 --density d.csv --numbers")
        .success()
        .stdout(contains(" 4   8  16  18  18  16   8   4\n"));
    for ending in ["svg", "png", "tex"] {
        desk.ndq(&format!("draw 8^2 --density d.csv --numbers -o d.{ending}")).success();
    }
    let svg = desk.read("d.svg");
    assert!(svg.contains("How many of the solutions on 8^2 occupy each square<"), "{svg}");
    desk.ndq("draw 8^2 --density limit -o l.svg").success();
    for (arguments, words) in [
        ("8^2 --numbers", "--density"),
        ("8^2 --density limit --numbers", "limit has shares of the solutions and no numbers"),
        ("8^3 --density limit", "--density limit is for queens on n^2, n up to 141, not for 8^3"),
        ("torus:8^2 --density limit", "not for torus:8^2"),
        ("142^2 --density limit", "not for 142^2"),
    ] {
        desk.ndq(&format!("draw {arguments}")).code(2).stderr(contains(words));
    }
}

#[test]
fn a_density_is_drawn_as_it_is_counted() {
    let desk = Desk::new();
    desk.write("d.csv", "square,count,share\n\"(1)\",3,0.75\n\"(0)\",0,0\n\"(2)\",1,0.25\n");
    desk.ndq("draw 3^1 --density d.csv")
        .success()
        .stdout(". 9 3\n\n.: in no solution; 0 to 9: tenths of the most, which is in 75 % of them\n");
    desk.ndq("draw 3^1 --density d.csv -o d.svg").success();
    let svg = desk.read("d.svg");
    for colour in ["#FFFFFF", "#08306B"] {
        assert!(svg.contains(&format!("fill=\"{colour}\"")), "{svg}");
    }
    desk.ndq("count 3^3 --density 3.csv").success();
    desk.ndq("draw 3^3 --density 3.csv -o d.png").success();
    desk.ndq("draw torus:3^3 --density 3.csv")
        .code(2)
        .stderr(contains("3.csv").and(contains("line 2: this is a density of 3^3, not of torus:3^3")));
}

#[test]
fn holes_are_told_from_squares() {
    let desk = Desk::new();
    desk.write("ring.txt", "ndqueens board 1\n###\n#.#\n###\n");
    desk.ndq("count file:ring.txt --density d.csv --solutions s.txt").success();
    desk.ndq("draw file:ring.txt").success().stdout(". . .\n.   .\n. . .\n\nblank: a hole\n");
    desk.ndq("draw file:ring.txt --density d.csv").success().stdout(contains("; blank: a hole\n"));
    desk.write("q.txt", "0 0");
    for shown in ["", "--density d.csv", "--show q.txt --as tuples --attacked"] {
        desk.ndq(&format!("draw file:ring.txt {shown} -o a.svg")).success();
        let svg = desk.read("a.svg");
        assert!(svg.contains("; holes are hatched") && svg.contains("M1 1.25L1.25 1M1 1.5L1.5 1"), "{svg}");
    }
    desk.ndq("draw 3^2 -o a.svg").success();
    assert!(!desk.read("a.svg").contains("hole"));
}

#[test]
fn drawing_of_a_colouring_numbers_its_classes() {
    let desk = Desk::new();
    for board in ["5^2", "3^3", "hex:3", "three:4", "sudoku:2"] {
        desk.ndq(&format!("colour {board} -o c.txt")).success();
        desk.ndq(&format!("draw {board} --colouring c.txt -o c.svg")).success();
        assert!(desk.read("c.svg").contains("the number of the class of each square"), "{board}");
        desk.ndq(&format!("draw {board} --colouring c.txt")).success();
    }
    desk.ndq("colour 5^2 -o c.txt").success();
    desk.ndq("draw 5^2 --colouring c.txt").success().stdout(contains("a b c d e\n"));
    desk.ndq("draw 5^2 --colouring c.txt -o c.svg").success();
    let svg = desk.read("c.svg");
    let fills = svg.matches("fill=\"#").count();
    assert!(fills >= 25, "{svg}");
    desk.ndq("draw 6^2 --colouring c.txt").code(2).stderr(contains("it is a colouring of 5^2, not of 6^2"));
    let text = desk.read("c.txt");
    desk.write("twice.txt", text.replacen("0,0", "0,1", 1));
    desk.ndq("draw 5^2 --colouring twice.txt -o t.svg").code(2).stderr(contains("twice.txt"));
    assert!(!desk.path("t.svg").exists());
}

#[test]
fn highlighted_colours_stand_out() {
    let desk = Desk::new();
    desk.ndq("colour 5^2 -o c.txt").success();
    desk.ndq("draw 5^2 --colouring c.txt --highlight 1,3 -o c.svg").success();
    let svg = desk.read("c.svg");
    let of = |colour: &str| svg.matches(&format!("fill=\"{colour}\"")).count();
    assert_eq!((of("#E69F00"), of("#56B4E9"), of("#ECECEC")), (5, 5, 15), "{svg}");
    desk.ndq("draw 5^2 --colouring c.txt --highlight 6 -o d.svg")
        .code(2)
        .stderr(contains("--highlight 6: c.txt has the colours 1 to 5"));
    desk.ndq("draw 5^2 --colouring c.txt --highlight 0 -o d.svg").code(2).stderr(contains("--highlight"));
    desk.ndq("draw 5^2 --highlight 1 -o d.svg").code(2).stderr(contains("--colouring"));
    assert!(!desk.names(".").contains(&"d.svg".to_owned()));
}

#[test]
fn small_squares_hold_dots() {
    let desk = Desk::new();
    desk.certificate("q.txt", "5^2", &["0 0", "1 2"]);
    desk.ndq("draw 5^2 --show q.txt -o large.svg").success();
    desk.ndq("draw 5^2 --show q.txt --width 60 -o small.svg").success();
    // A crown has five balls, a dot has one.
    let balls = |name: &str| desk.read(name).matches("<circle").count();
    assert_eq!((balls("large.svg"), balls("small.svg")), (5, 1));
}

#[test]
fn rejects_invalid_densities_with_the_line() {
    let desk = Desk::new();
    let (head, first) = ("square,count,share\n", "\"(0)\",1,0.5\n");
    for (text, words) in [
        (String::new(), "line 1: the columns are square,count,share"),
        ("square,share\n".to_owned(), "line 1: the columns are"),
        (format!("{head}{first}"), "the square (1) of 2^1 is missing"),
        (format!("{head}{first}\"(2)\",1,0.5\n"), "line 3: \"(2)\" is not a square of 2^1; its first is (0)"),
        (format!("{head}{first}1,1,0.5\n"), "line 3: \"1\" is not a square"),
        (format!("{head}{first}{first}"), "line 3: the square (0) stands here a second time"),
        (format!("{head}\"(0)\",-1,0.5\n"), "line 2: the count must be a whole number, not \"-1\""),
        (format!("{head}\"(0)\",1,1.5\n"), "line 2: the share must lie from 0 to 1, not \"1.5\""),
        (format!("{head}\"(0)\",1,NaN\n"), "line 2: the share must lie from 0 to 1"),
        (format!("{head}\"(0)\",1\n"), "line 2: not a table of squares"),
        (format!("{head}{first}\"(1)\",1,0.9\n"), "line 3: the share 0.9 does not fit to the count 1"),
        (format!("{head}\"(0)\",0,0.5\n"), "line 2: the share 0.5 does not fit to the count 0"),
        (format!("{head}\"(0)\",7,0.000\n\"(1)\",7,1\n"), "line 3: the share 1 does not fit"),
        ("square,count,share,board\n\"(0)\",1,0.5,1^2\n".to_owned(), "line 2: this is a density of 1^2"),
    ] {
        desk.write("d.csv", &text);
        desk.ndq("draw 2^1 --density d.csv -o d.svg").code(2).stderr(contains(words));
        assert!(!desk.path("d.svg").exists(), "{text}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let desk = Desk::new();
    desk.write("c5.txt", "0 1\n1 2\n2 3\n3 4\n4 0\n");
    desk.write("attack.txt", "0 0\n1 1\n");
    desk.certificate("other.txt", "hex:3", &["0 0"]);
    desk.certificate("off.txt", "8^2", &["0 8"]);
    for (arguments, words) in [
        ("draw 8^2 -o a.gif", "the name of a picture ends in .svg, .png, .pdf or .tex"),
        ("draw 8^2 -o svg", "the name of a picture ends in .svg, .png, .pdf or .tex"),
        ("draw 8^2 -o none/a.svg", "cannot write none/a.svg"),
        ("draw 40^3 -o a.svg", "64000 squares are too many to be drawn; up to 20000 are"),
        ("draw 17^3", "4913 squares are too many to be drawn; up to 4096 are"),
        ("draw file:c5.txt", "a graph has no layout that could be drawn as text"),
        ("draw 8^2 --show attack.txt --as tuple", "unknown convention"),
        ("draw 8^2 --show attack.txt --as degroot", "de Groot numbers the squares of hex:n and three:n"),
        ("draw 8^2 --show other.txt", "the file is for the board hex:3, not for 8^2"),
        ("draw 8^2 --show off.txt", "does not hold"),
        ("draw 8^2 --show none.txt", "cannot read none.txt"),
        ("draw 8^2 --attacked", "--show <FILE>"),
        ("draw 8^2 --row line_0 --attacked", "'--row <ROW>' cannot be used with '--attacked'"),
        ("draw 8^2 --row line_0 --numbers", "'--row <ROW>' cannot be used with '--numbers'"),
        ("draw 8^2 --row line_0 --highlight 1", "'--row <ROW>' cannot be used with '--highlight <COLOURS>'"),
        ("draw 8^2 --density d.csv --attacked", "'--density <FILE>' cannot be used with '--attacked'"),
        ("draw 8^2 --colouring c.txt --numbers", "'--colouring <FILE>' cannot be used with '--numbers'"),
        ("draw 8^2 --colouring c.txt --attacked", "'--colouring <FILE>' cannot be used with '--attacked'"),
        ("draw 8^2 --show a.txt --numbers", "'--show <FILE>' cannot be used with '--numbers'"),
        (
            "draw 8^2 --show a.txt -f base",
            "'--show <FILE>' cannot be used with '--formulation <FORMULATION>'",
        ),
        ("draw 8^2 --show a --density b", "cannot be used with"),
        ("draw three:5", "must be even"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
        assert!(!desk.path("a.svg").exists(), "{arguments}");
    }
    desk.ndq("draw file:c5.txt -o a.svg").success();
    assert_eq!(desk.read("a.svg").matches("<polygon").count(), 5);
    assert_eq!(desk.read("a.svg").matches("<line").count(), 5);
}

#[test]
fn pictures_are_lettered_and_sized_as_asked() {
    let desk = Desk::new();
    for board in ["3^3", "hex:2", "three:4", "sudoku:2"] {
        let flags = "--caption Figure<1> --coordinates --width 500 -o a.svg";
        desk.ndq(&format!("draw {board} {flags}")).success();
        let svg = desk.read("a.svg");
        assert!(svg.contains("width=\"500\"") && svg.contains("Figure&lt;1&gt;"), "{board}: {svg}");
        desk.ndq(&format!("draw {board} -o b.svg")).success();
        assert!(!desk.read("b.svg").contains("0,0,1</text>") && !desk.read("b.svg").contains("Figure"));
    }
    desk.ndq("draw 3^3 --coordinates -o a.svg").success();
    let svg = desk.read("a.svg");
    for label in ["0,0,0", "1,2,0", "2,2,2"] {
        assert!(svg.contains(label), "{label}: {svg}");
    }
    desk.ndq("draw 3^3 --coordinates -o a.png --width 300").success();
    let png = desk.read_bytes("a.png");
    assert_eq!(png[16..20], 600u32.to_be_bytes());
    desk.ndq("draw 3^2 --caption below").success().stdout(contains("\n\nbelow\n"));
    for (flags, words) in [
        ("--width 9 -o c.svg", "a whole number from 10 to 20000 is needed"),
        ("--coordinates", "--output"),
        ("--width 20000 -o c.png", "too many"),
    ] {
        desk.ndq(&format!("draw 8^2 {flags}")).code(2).stderr(contains(words));
        assert!(!desk.path("c.svg").exists() && !desk.path("c.png").exists());
    }
}
