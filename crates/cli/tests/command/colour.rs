//! `ndq colour`: finding, counting, rejecting, storing and stacking colourings.

use ndqueens_crosscheck::colouring::verify;
use ndqueens_notation::certificate::colouring::Colouring;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::json;

use crate::harness::Desk;

fn colouring(text: &str) -> Colouring {
    let none = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let colouring = Colouring::parse_with(text, &none).expect("a colouring");
    verify(&colouring).expect("it holds");
    colouring
}

#[test]
fn chromatic_numbers_come_with_a_lower_bound() {
    let desk = Desk::new();
    for (board, colours, reason) in [
        ("5^2", 5, "a line has 5 squares"),
        ("8^2", 9, "found no partition into 8 solutions of 8 queens"),
        ("9^2", 10, "found no partition into 9 solutions of 9 queens"),
        ("10^2", 11, "found no partition into 10 solutions of 10 queens"),
        ("12^2", 12, "a line has 12 squares"),
        ("25^2", 25, "a line has 25 squares"),
        ("60^2", 60, "a line has 60 squares"),
        ("2^4", 16, "attack each other pairwise"),
        ("torus:8^2", 11, "no colour has more than 6 of the 64 squares (exact proof of"),
        ("rook:3x5", 5, "attack each other pairwise"),
        ("hex:1", 1, "attack each other pairwise"),
        ("sudoku:1", 1, "attack each other pairwise"),
    ] {
        let found = &desk.json(0, &format!("colour {board} -o c.txt"))[0];
        assert_eq!([&found["lower"], &found["upper"]], [&json!(colours); 2], "{board}");
        assert!(found["lower_because"].as_str().expect(board).contains(reason), "{found}");
        assert_eq!(colouring(&desk.read("c.txt")).colours(), colours, "{board}");
        desk.ndq("check c.txt").success().stdout(contains("holds"));
    }
}

#[test]
fn exit_code_answers_a_number_of_colours() {
    let desk = Desk::new();
    desk.ndq("colour 8^2 --colours 8 -o c.txt").code(1).stdout(contains("8^2 has no colouring in 8 colours"));
    assert!(!desk.path("c.txt").exists());
    desk.ndq("colour 8^2 --colours 9").success().stdout(contains("8^2 in 9 colours, checked"));
    desk.ndq("colour 6^2 --colours 6 --method dsatur -o c.txt").code(1).stdout(contains("no colouring in 6"));
    assert!(!desk.path("c.txt").exists());
    desk.ndq("colour 8^2 --method greedy -q").code(3).stdout(contains("8^2 in 13 colours, checked"));
    desk.ndq("colour 8^2 --method edges -q").code(3).stdout(contains("8^2 in 16 colours, checked"));
    desk.ndq("colour hex:2 --method greedy --colours 7 -o h.txt").success().stdout(contains("first fit"));
    desk.ndq("check h.txt").success();
    desk.ndq("colour 5^3 --colours 8").code(1).stdout(contains("at least 10 colours are needed"));
    desk.write("one.col", "p edge 5 0\n");
    desk.ndq("colour file:one.col --colours 1").success();
    desk.ndq("colour file:one.col --colours 0").code(2).stderr(contains("a number of colours, 1 or more"));
    desk.ndq("colour 108^2 --colours 110").success().stdout(contains("108^2 in 109 colours"));
    desk.ndq("colour 22^2 --colours 23").success().stdout(contains("cut out of 23^2"));
    // A stored colouring is an upper bound.
    for board in ["14^2", "26^2", "110^2"] {
        let found = desk.ndq(&format!("colour {board} --time-limit 0 -o stored.txt"));
        found.success().stdout(contains("stored with the program: classes drawn at random with symmetry h"));
        desk.ndq("check stored.txt").success();
    }
    let stopped = &desk.json(3, "colour 27^2 --time-limit 0")[0];
    assert_eq!(
        [&stopped["lower"], &stopped["upper"], &stopped["enough"]],
        [&json!(27), &json!(28), &json!(null)]
    );
    desk.ndq("colour 64^2 --colours 64")
        .code(3)
        .stdout(contains("whether 64 colours are enough for 64^2 was not"));
    desk.ndq("colour 6^2 --colours 5").code(1).stdout(contains("a line has 6 squares"));
    desk.ndq("colour 14^2 --symmetry h --time-limit 0").code(3);
}

#[test]
fn symmetry_of_n_colourings_and_its_absence() {
    let desk = Desk::new();
    let absent = "no 12-colouring of 12^2 has the symmetry r4: the complete algorithm visited all";
    desk.ndq("colour 12^2 --symmetry r4").code(1).stdout(contains(absent));
    desk.ndq("colour 5^2 --symmetry r4 --method closed").success().stdout(contains("symmetry r4"));
    for any in ["8^2 --colours 9", "hex:3", "7^2 --colours 9", "5^2 --method dsatur"] {
        desk.ndq(&format!("colour {any} --symmetry none")).success();
    }
    for (arguments, reason) in [
        ("8^2 --colours 9 --symmetry hv", "here with 8 colours, not 9"),
        ("7^2 --method dsatur --symmetry r2", "the methods dsatur, greedy and edges accept no symmetry"),
        ("7^2 --method greedy --symmetry r2", "the methods dsatur, greedy and edges accept no symmetry"),
        ("7^2 --method draw", "for n from 12 to 44"),
        ("6^2 --count --colours 7", "here with 6 colours, not 7"),
        ("12^2 --count --method dsatur", "--method cover"),
        ("12^2 --colours 12 --symmetry hv --write q.lp", "cannot be used with"),
        ("14^2 --method draw --symmetry none", "the search without one is the complete algorithm"),
        ("13^2 --method closed --symmetry r4", "the closed form of 13^2 has the symmetry r2, not r4"),
    ] {
        desk.ndq(&format!("colour {arguments}")).code(2).stderr(contains(reason));
    }
}

/// Compares the numbers of solutions and nodes with the source, which breaks ties by a different rule.
#[test]
fn counts_all_colourings_with_and_without_the_filter() {
    let desk = Desk::new();
    for (side, solutions, without, colourings, exit) in
        [(7, 32, 40, 4, 0), (8, 48, 92, 0, 1), (10, 544, 724, 0, 1), (11, 1744, 2680, 8, 0)]
    {
        let filtered = &desk.json(exit, &format!("colour {side}^2 --count"))[0];
        let all = &desk.json(exit, &format!("colour {side}^2 --count --no-filter --threads 2"))[0];
        assert_eq!([&filtered["solutions"], &all["solutions"]], [&json!(solutions), &json!(without)]);
        assert_eq!([&filtered["colourings"], &all["colourings"]], [&json!(colourings); 2], "{side}");
        assert!(filtered["nodes"].as_u64() <= all["nodes"].as_u64(), "{filtered} {all}");
        assert_eq!(filtered["full_solutions"], all["full_solutions"]);
    }
}

/// The orders of the classes of all colourings give as many full solutions as stacking finds.
#[test]
fn colourings_are_listed_and_stacked() {
    let desk = Desk::new();
    let all = &desk.json(0, "colour 11^2 --all")[0];
    assert_eq!(all["classes"].as_array().map(Vec::len), Some(8));
    assert_eq!(all["up_to_symmetry"], 2);
    let stacks = &desk.json(0, "find 11^3 --method stack --count")[0];
    assert_eq!(all["full_solutions"], stacks["solutions"]);

    desk.ndq("find 11^3 --method regular -o full.txt").success();
    for axis in 1..=3 {
        desk.ndq(&format!("colour 11^2 --layers full.txt --axis {axis} -o c.txt")).success();
        assert_eq!(colouring(&desk.read("c.txt")).colours(), 11);
        desk.ndq("find 11^3 --method stack --from c.txt -o stack.txt")
            .success()
            .stdout(contains("121 queens"));
        desk.ndq("check stack.txt").success();
    }
    desk.ndq("colour 7^2 -o seven.txt").success();
    desk.ndq("find 7^3 --method stack --from seven.txt").code(1).stdout(contains("no order of the classes"));
    desk.ndq("find 17^4 --method regular -o four.txt").success();
    desk.ndq("colour 17^3 --layers four.txt --axis 4 -o three.txt -q").success();
    assert_eq!(colouring(&desk.read("three.txt")).colours(), 17);
}

/// Without a symmetry, no random colouring is drawn, and none drawn earlier is used.
#[test]
fn symmetry_none_uses_no_symmetry() {
    let desk = Desk::new();
    let none = "colour 12^2 --symmetry none --time-limit 0.1";
    desk.ndq(none).code(3).stdout(contains("cut out of 13^2").and(contains("at least 12 colours")));
    let origin = &desk.json(0, "colour 12^2 --symmetry auto")[0]["origin"];
    assert!(origin.as_str().is_some_and(|origin| origin.contains("drawn at random with symmetry hv")));
    let larger =
        "--symmetry none selects the complete algorithm, for n up to 16; --symmetry auto and --method closed";
    for board in ["17^2", "20^2", "60^2"] {
        desk.ndq(&format!("colour {board} --symmetry none --time-limit 1")).code(2).stderr(contains(larger));
    }
    desk.ndq("colour 11^2 --symmetry none --method closed").success().stdout(contains("closed form"));
    for searched in ["colour 7^2", "colour 11^2", "colour 11^2 --method cover"] {
        desk.ndq(&format!("{searched} --symmetry none"))
            .success()
            .stdout(contains("complete algorithm, symmetry none").and(contains("closed form").not()));
    }
}

/// Sides above 255 are coloured by closed forms, by products with them, and by cuts.
#[test]
fn long_sides_are_coloured_at_once() {
    let desk = Desk::new();
    for (side, exit, colours, origin) in [
        (257, 0, 257, "closed form: column + 2 row mod 257"),
        (300, 0, 300, "product of 12^2 ("),
        (256, 3, 257, "cut out of 257^2, closed form"),
        (254, 3, 255, "cut out of 255^2, product of 15^2 ("),
        (170, 3, 173, "cut out of 173^2, closed form"),
        (68, 3, 70, "cut out of 70^2, product of 14^2 ("),
    ] {
        let found = &desk.json(exit, &format!("colour {side}^2 -o c.txt"))[0];
        assert_eq!(found["upper"], colours, "{side}");
        assert!(found["origin"].as_str().is_some_and(|text| text.starts_with(origin)), "{}", found["origin"]);
        assert_eq!(colouring(&desk.read("c.txt")).colours(), colours, "{side}");
        desk.ndq("check c.txt").success();
    }
    let drawn_with_limit =
        "a colouring in 170 colours needs one of 34^2 in 34, which is drawn only with a time limit";
    desk.ndq("colour 170^2").code(3).stdout(contains(drawn_with_limit));
    desk.ndq("colour 170^2 --time-limit 1").code(3).stdout(contains("cut out of 173^2"));
}

#[test]
fn found_colouring_has_the_requested_symmetry() {
    let desk = Desk::new();
    for (side, operator) in [(12, "h"), (12, "v"), (12, "hv"), (11, "r2"), (14, "h"), (16, "hv")] {
        let found = &desk.json(0, &format!("colour {side}^2 --symmetry {operator}"))[0];
        let symmetry = found["symmetry"].as_str().expect("a symmetry");
        assert!(
            symmetry == operator || symmetry == "hv" && operator != "r4",
            "{side} {operator}: {symmetry}"
        );
    }
    let with = &desk.json(0, "colour 12^2 --count --symmetry hv")[0];
    assert_eq!(with["with"], json!({ "hv": with["colourings"] }));
    assert_eq!(with["full_solutions"], json!(null), "others may have more");
}

#[test]
fn what_cannot_be_is_refused() {
    let desk = Desk::new();
    desk.certificate("one.txt", "5^3", &["0 0 0"]);
    desk.certificate("plane.txt", "4^2", &["0 1", "1 3", "2 0", "3 2"]);
    desk.ndq("find 11^3 --method regular -o full.txt").success();
    desk.ndq("colour 4x5 -o box.txt").success();
    desk.ndq("colour 5^2 -o five.txt").success();
    for (arguments, words) in [
        ("colour 15^2 --symmetry h", "h"),
        (
            "colour 15^2 --symmetry r3",
            "\"r3\" is not a symmetry of colourings; expected one of none, h, v, hv, r2, r4, or auto",
        ),
        ("colour 14^2 --symmetry hv", "hv"),
        ("colour 15^2 --symmetry r4", "r4"),
        ("colour 3^3 --symmetry h", "n-colourings of queens on n^2"),
        ("colour 17^2 --count", "n up to 16"),
        ("colour 3^3 --all", "n up to 16"),
        ("colour 12^2 --method closed", "12 has no closed form"),
        ("colour rook:4^2 --method cover", "queens on n^2"),
        ("colour 46^2 --method draw --symmetry h", "colourings are drawn for n from 12 to 44"),
        ("colour 48^2 --method draw --symmetry hv", "n from 12 to 44"),
        ("find 6^3 --method stack --from five.txt", "layers of 5^3, not of 6^3"),
        ("colour 9^2 --work w", "required arguments were not provided:\n  <--all|--count>"),
        ("colour 9^2 --colours 9 --write q.txt", "q.txt"),
        ("colour 40^3", "the limit of dsatur, greedy and edges"),
        ("colour 2001^2", "up to n = 2000"),
        ("colour 2003^2 --method closed", "up to n = 2000"),
        ("colour 258^2 --method closed", "258 has no closed form"),
        ("colour 5^2 --layers one.txt", "this set has 1 queen on 5^3"),
        ("colour 4^1 --layers plane.txt", "d at least 3"),
        ("colour 12^2 --layers full.txt", "the layers of 11^3 colour 11^2"),
        ("colour 11^2 --layers full.txt --axis 4", "the axes 1 to 3"),
        ("colour 11^2 --layers none.txt", "none.txt"),
        ("find 5^3 --method stack --from box.txt", "colourings of n^2 by full solutions"),
        ("find 5^3 --method stack --from one.txt", "one.txt: colouring, line 1"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
    assert!(!desk.path("q.txt").exists() && !desk.path("w").exists());
}

#[test]
fn invalid_colouring_file_is_reported() {
    let desk = Desk::new();
    desk.ndq("colour 5^2 -o c.txt").success();
    let text = desk.read("c.txt");
    let moved = text.replacen("0,0", "0,1", 1);
    desk.write("twice.txt", &moved);
    desk.ndq("check twice.txt").code(1).stdout(contains("does not hold"));
    let lines: Vec<&str> = text.lines().collect();
    desk.write("short.txt", lines[..lines.len() - 1].join("\n"));
    desk.ndq("check short.txt").code(2).stderr(contains("the file has 4 classes"));
    desk.write("letters.txt", text.replacen("0,0", "0,x", 1));
    desk.ndq("check letters.txt").code(2).stderr(contains("a square must be coordinates"));
    desk.ndq("check c.txt --board 6^2").code(2).stderr(contains("5^2"));
    desk.ndq("draw 5^2 --colouring c.txt -o c.svg").success();
}

#[test]
fn the_question_is_written_for_other_solvers() {
    let desk = Desk::new();
    for ending in ["lp", "mps", "opb", "cnf"] {
        desk.ndq(&format!("colour 4^2 --colours 4 --write q.{ending}"))
            .success()
            .stdout(contains("4 colours"));
        assert!(!desk.read(&format!("q.{ending}")).is_empty());
    }
    // 4^2 needs 5 colours: HiGHS agrees.
    desk.ndq("colour 4^2 --colours 4").code(1);
    desk.ndq("colour 4^2 --colours 5").success();
}

/// A kill loses no finished part, and the folder rejects a different question.
#[test]
fn a_count_goes_on_where_it_was_stopped() {
    let desk = Desk::new();
    desk.ndq("colour 12^2 --count --work w --time-limit 2").code(3).stdout(contains("there may be more"));
    desk.ndq("colour 12^2 --count --work w --no-filter").code(2).stderr(contains("clique filter"));
    let mut child = desk.command();
    let mut child = child.args("colour 12^2 --count --work w -q".split(' ')).spawn().expect("it runs");
    std::thread::sleep(std::time::Duration::from_secs(2));
    child.kill().expect("it runs");
    child.wait().expect("it ended");
    let done = desk.read("w/done.jsonl");
    // A truncated line is ignored.
    desk.write("w/done.jsonl", format!("{done}{{\"part\":"));
    desk.ndq("colour 12^2 --count --work w --time-limit 1").code(3);
    assert!(desk.read("w/done.jsonl").starts_with(&done));
    desk.ndq("colour 11^2 --count --work v").success();
    let again = &desk.json(0, "colour 11^2 --count --work v")[0];
    assert_eq!(again["colourings"], 8);
}

/// The numbers of Vasquez and Habet (table 1): solutions, and those that meet both main diagonals.
#[test]
fn a_count_prints_the_numbers_of_solutions() {
    let desk = Desk::new();
    for (question, code, sets, meeting) in [
        ("10^2 --count", 1, 724, 544),
        ("11^2 --count", 0, 2680, 1744),
        ("12^2 --count --symmetry hv", 0, 14200, 9440),
        ("13^2 --count --symmetry r4", 0, 73712, 52008),
    ] {
        let found = &desk.json(code, &format!("colour {question}"))[0];
        assert_eq!([&found["sets"], &found["meeting"]], [&json!(sets), &json!(meeting)], "{question}");
    }
    let words = contains("sets of 12 queens        14200\n  on both main diagonals 9440\n");
    desk.ndq("colour 12^2 --count --symmetry r4").code(1).stdout(words.and(contains("1448, in 362 orbits")));
    let stopped = desk.ndq("colour 16^2 --count --time-limit 0").code(3);
    stopped.stdout(contains("so far").and(contains("there may be more")));
}

#[test]
fn a_count_in_parts_is_the_count() {
    let desk = Desk::new();
    let parts = desk.json(0, "colour split 11^2 -o w")[0]["parts"].as_u64().expect("a number");
    assert_eq!(desk.json(0, "colour run w 3")[0]["missing"], parts - 1);
    desk.ndq("colour status w").code(3).stdout(contains("left: about").and(contains("missing: 0-2,4-")));
    desk.ndq("colour join w").code(2).stderr(contains("ndq colour run w --all runs them"));
    desk.ndq("colour run w --all --time-limit 0").code(3).stdout(contains("stopped (time limit)"));
    let runners = ["1/2", "2/2"].map(|share| {
        let run = format!("colour run w --all --threads 1 --share {share} --for 1m -q");
        desk.command().args(run.split(' ')).stdout(std::process::Stdio::null()).spawn().expect("it runs")
    });
    for mut runner in runners {
        assert!(runner.wait().expect("it ends").success());
    }
    desk.ndq("colour run w --all").success().stdout(contains("all parts were already finished"));
    desk.ndq("colour status w").success().stdout(contains("all done"));
    let joined = &desk.json(0, "colour join w -o first.txt")[0];
    let counted = &desk.json(0, "colour 11^2 --count")[0];
    for key in ["colourings", "up_to_symmetry", "with", "full_solutions", "nodes", "parts"] {
        assert_eq!(joined[key], counted[key], "{key}");
    }
    desk.ndq("check first.txt").success();
    desk.ndq("colour join w").success().stdout(contains("that there are no others rests on their searches"));
    // `--work` accepts the same folder.
    assert_eq!(desk.json(0, "colour 11^2 --count --work w")[0]["colourings"], 8);
    desk.ndq("colour batch w --tasks 3 --time 1h -o job.sbatch").success().stdout(contains("3 tasks"));
    assert!(desk.read("job.sbatch").contains("colour run w --all"));
}

#[test]
fn rejects_parts_of_other_counts() {
    let desk = Desk::new();
    for (board, folder) in [("11^2", "w"), ("11^2 --no-filter", "v")] {
        desk.ndq(&format!("colour split {board} -o {folder}")).success();
        desk.ndq(&format!("colour run {folder} --all")).success();
    }
    let (done, question) = (desk.read("w/done.jsonl"), desk.read("w/colourings.json"));
    desk.write("w/done.jsonl", desk.read("v/done.jsonl"));
    for command in ["run w --all", "join w", "status w", "11^2 --count --work w"] {
        desk.ndq(&format!("colour {command}")).code(2).stderr(contains("of another search"));
    }
    // A damaged line is ignored.
    desk.write("w/done.jsonl", done.replacen("\"nodes\":", "\"nodes\":1", 1));
    desk.ndq("colour join w").code(2).stderr(contains("1 of").and(contains("parts is missing")));
    desk.ndq("colour run w --all").success().stdout(contains("1 part finished"));
    assert_eq!(desk.json(0, "colour join w")[0]["colourings"], 8);
    desk.write("w/colourings.json", question.replacen("1744", "1745", 1));
    desk.ndq("colour join w").code(2).stderr(contains("w/colourings.json: it is damaged"));
    for (command, words) in [
        ("split 11^2 -o v", "ndq colour run v --all resumes it"),
        ("split 11^2 -o .", "the folder is not empty"),
        ("split 17^2 -o q", "n up to 16"),
        ("split 3^3 -o q", "n up to 16"),
        ("split 15^2 --symmetry h -o q", "symmetry h"),
        ("split 12^2 --symmetry auto -o q", "none, h, v, hv, r2, r4"),
        ("run v 99999", "there is no part 99999"),
        ("run q --all", "ndq colour split makes one"),
    ] {
        desk.ndq(&format!("colour {command}")).code(2).stderr(contains(words));
    }
    assert!(!desk.path("q").exists());
}

/// Every stored colouring is valid and matches its file name.
#[test]
fn stored_colourings_hold() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/colourings");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("there are some") {
        let path = entry.expect("an entry").path();
        let stored = colouring(&std::fs::read_to_string(&path).expect("readable"));
        assert_eq!(path.file_stem().and_then(|name| name.to_str()), Some(&*stored.board.to_string()));
        Desk::new().command().arg("check").arg(&path).status().expect("it runs");
        count += 1;
    }
    assert!(count > 0);
}
