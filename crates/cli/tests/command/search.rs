//! `ndq find`: finding, checking, saving and resuming.

use std::fs;

use predicates::str::contains;

use crate::harness::Desk;

#[test]
fn search_keeps_its_best_set_and_resumes() {
    let desk = Desk::new();
    let outcome = desk.ndq("find 5^3 --method search --rounds 30 --at-least 13 -o best.txt").success();
    outcome.stdout(contains("13 queens on 5^3, checked")).stdout(contains("published: 13 [OEIS A068940]"));
    desk.ndq("check best.txt").success().stdout(contains("13 squares of 5^3"));

    let best = desk.read("best.txt");
    for more in ["--start best.txt", "--time-limit 0", "--start greedy"] {
        let found = &desk
            .json(0, &format!("find 5^3 --method search --rounds 1 --from-round 7 -o best.txt {more}"))[0];
        assert_eq!(found["queens"], 13);
        assert_eq!(found["improvements"], serde_json::json!([]));
        let origin = found["origin"].as_str().expect("an origin");
        assert!(best.contains(&format!("origin: {origin}\n")), "{more}: {origin}");
        assert_eq!(desk.read("best.txt"), best, "{more}");
    }
}

#[test]
fn cyclically_invariant_faces_attain_the_volume_bound() {
    let desk = Desk::new();
    let found =
        desk.ndq("find 3^10 --method faces --seed 1 --at-least 158 --threads 1 -o best.txt").success();
    found.stdout(contains("158 queens on 3^10, checked"));
    desk.ndq("check best.txt").success();
    assert!(desk.read("best.txt").contains("symmetry 2,3,4,5,6,7,8,9,1,10\n"));
    desk.ndq("find 2x3x3 --method faces --symmetry 1,3,2").code(2).stderr(contains("if all sides are 3"));
}

#[test]
fn resumed_search_equals_uninterrupted_search() {
    let desk = Desk::new();
    for asked in [
        "5^5 --threads=1",
        "6^3 --symmetry=2,3,1 --threads=1",
        "5^4 --start=greedy --threads=1",
        "9^3 --include=one.txt --at-least=68 --threads=2",
    ] {
        desk.certificate("one.txt", "9^3", &["4 4 4"]);
        let code = if asked.contains("at-least") { 3 } else { 0 };
        let whole = desk
            .json(code, &format!("find {asked} --method search --rounds 12 --seed 7 -o whole.txt"))
            .remove(0);
        let first =
            desk.ndq(&format!("find {asked} --method search --rounds 5 --seed 7 -o parts.txt")).code(code);
        let outcome = String::from_utf8(first.get_output().stdout.clone()).expect("a text");
        let (_, next) = outcome.split_once("to resume: ndq ").expect("a command");
        let next = next.lines().next().expect("a line");
        let next = shlex::split(next).expect("as a shell reads it").join(" ");
        let last = desk.json(code, &format!("{next} --rounds 7")).remove(0);
        assert_eq!(last["queens"], whole["queens"], "{asked}: {next}");
        assert_eq!(last["next_round"], whole["next_round"]);
        if asked.contains("--threads=1") {
            assert_eq!(last["squares"], whole["squares"], "{asked}: {next}");
            assert_eq!(desk.read("parts.txt"), desk.read("whole.txt"), "{asked}: {next}");
        }
        for name in ["whole.txt", "parts.txt"] {
            fs::remove_file(desk.path(name)).expect("it is there");
        }
    }
}

#[test]
fn rounds_tell_the_same_again() {
    let desk = Desk::new();
    let search = |file: &str| {
        desk.json(0, &format!("find 4x5x6 --method search --rounds 10 --seed 3 -o {file}")).remove(0)
    };
    let (once, again) = (search("once.txt"), search("again.txt"));
    assert_eq!(once["squares"], again["squares"]);
    assert_eq!(desk.read("once.txt"), desk.read("again.txt"));
    assert_eq!(once["moves"], again["moves"]);
    let sizes: Vec<_> =
        once["improvements"].as_array().expect("a list").iter().map(|i| i["queens"].as_u64()).collect();
    assert!(sizes.is_sorted_by(|a, b| a < b) && sizes.last() == Some(&once["queens"].as_u64()), "{sizes:?}");
}

#[test]
fn a_symmetry_keeps_what_is_found() {
    let desk = Desk::new();
    let found = desk.json(0, "find 5^3 --method search --rounds 5 --symmetry -1,-2,-3").remove(0);
    assert!(found["origin"].as_str().is_some_and(|origin| origin.ends_with("symmetry -1,-2,-3")));
    let squares: Vec<Vec<u64>> = serde_json::from_value(found["squares"].clone()).expect("squares");
    for square in &squares {
        assert!(squares.contains(&square.iter().map(|x| 4 - x).collect()), "{square:?}");
    }
}

#[test]
fn more_queens_than_were_found_end_with_3() {
    Desk::new()
        .ndq("find 3^3 --method search --rounds 2 --at-least 5")
        .code(3)
        .stdout(contains("4 queens on 3^3, checked"));
}

#[test]
fn every_board_can_be_searched() {
    let desk = Desk::new();
    desk.write("path.col", "p edge 4 3\ne 1 2\ne 2 3\ne 3 4\n");
    for (board, queens) in
        [("torus:5^2", 5), ("rook:4^3", 16), ("bishop:3^2", 4), ("1^3", 1), ("file:path.col", 2), ("2x3", 2)]
    {
        assert_eq!(
            desk.json(0, &format!("find {board} --method search --rounds 5"))[0]["queens"],
            queens,
            "{board}"
        );
    }
}

#[test]
fn bad_input_is_refused_in_a_sentence() {
    let desk = Desk::new();
    desk.certificate("two.txt", "4^3", &["0 0 0", "1 2 0"]);
    desk.certificate("other.txt", "4^3", &["0 0 1"]);
    desk.write("path.col", "p edge 2 1\ne 1 2\n");
    desk.write(
        "row.txt",
        "ndqueens certificate 1\nboard: 3^2\nproblem: dominating set\nsize: 3\norigin: a test\n0 0\n0 1\n0 2\n",
    );
    let files = || ["two.txt", "path.col"].map(|name| desk.read(name));
    let before = files();
    for (arguments, reason) in [
        ("4^3 --symmetry 1,2", "does not name each of the axes 1 to 3 once"),
        ("4x5x6 --symmetry 2,1,3", "whose sides 5 and 4 differ"),
        ("file:path.col --symmetry central", "is not a box"),
        ("4^3 --symmetry central --include two.txt", "not invariant under the symmetry -1,-2,-3"),
        (
            "4^3 --include two.txt --start other.txt",
            "--start other.txt: the certificate does not hold: the queen (0, 0, 0)",
        ),
        ("5^3 --start two.txt", "4^3"),
        (
            "4^3 --start two.txt --symmetry central",
            "the starting set is not invariant under the symmetry -1,-2,-3",
        ),
        ("3^2 --start row.txt", "of a dominating set, but an independent set was asked for"),
        ("4^3 --from-round 18446744073709551615", "18446744073709551615"),
        ("5^3 --rounds 1 -o two.txt", "two.txt holds a set that this search cannot find"),
        ("4^3 --rounds 1 -o two.txt --include other.txt", "two.txt holds a set that this search cannot find"),
        ("4^3 --rounds 1 -o two.txt --symmetry central", "two.txt holds a set that this search cannot find"),
        ("4^3 --rounds 1 -o path.col", "path.col holds a set that this search cannot find"),
        ("4^3 --start nowhere.txt", "neither cut, greedy or none"),
        ("2^20 --rounds 1", "too large"),
        ("4^3 --time-limit -1", "must be a number of seconds"),
        ("4^3 --rounds 1 -o nowhere/best.txt", "nowhere/best.txt"),
    ] {
        desk.ndq(&format!("find {arguments} --method search")).code(2).stderr(contains(reason));
    }
    assert_eq!(files(), before);
}
