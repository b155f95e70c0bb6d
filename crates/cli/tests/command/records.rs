//! `ndq table bounds` and `ndq archive`: known bounds and their evidence.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;

#[test]
fn bounds_are_a_table_in_every_form() {
    let desk = Desk::new();
    let rows = desk.json(0, "table bounds --d 2..3 --n 1..12 --unpublished");
    assert_eq!(rows.len(), 24);
    let row = rows.iter().find(|row| row["board"] == "8^3").expect("8^3");
    assert_eq!((&row["lower"], &row["upper"]), (&48.into(), &48.into()));
    assert!(rows.iter().all(|row| row["upper_status"] != "reported" && row["lower_status"] != "reported"));

    desk.ndq("table bounds --d 3 --n 11").success().stdout(contains("=121"));
    desk.ndq("table bounds --d 3 --n 10..12 --format markdown")
        .success()
        .stdout(contains("| 11 | **121** |"));
    desk.ndq("table bounds --d 3 --n 10..12 --format latex").success().stdout(contains("\\textbf{121}"));
    desk.ndq("table bounds --d 3 --n 10..12 -o t.csv").success();
    assert!(desk.read("t.csv").starts_with("board,d,n,lower,lower_status,upper,"));
}

#[test]
fn tables_without_ranges_list_boards_of_the_archive() {
    let desk = Desk::new();
    let boards = |command: &str| -> Vec<String> {
        let rows = desk.json(0, command);
        rows.iter().map(|row| row["board"].as_str().expect("a name").to_owned()).collect()
    };
    let open = boards("table open");
    assert!(["3^11", "3^12", "9^9"].iter().all(|board| open.iter().any(|listed| listed == board)));
    assert!(!open.iter().any(|board| board == "4^10" || board == "5^10"));
    assert_eq!(boards("table bounds --d 2..9 --n 3").len(), 8);
    assert_eq!(boards("table bounds --n 3").len(), 11);
    assert_eq!(boards("table bounds --d 10"), (1..=30).map(|n| format!("{n}^10")).collect::<Vec<_>>());
}

#[test]
fn a_bound_says_why() {
    let desk = Desk::new();
    let outcome = desk.ndq("info 8^4 --why").success();
    outcome.stdout(
        contains("alpha(8^4) >= 241  [theorem] subcube cut")
            .and(contains("alpha(8^4) <= 245  [checked] orbit LP 8^4.bound")),
    );
    let outcome = desk.ndq("info 14^3 --why").success();
    outcome.stdout(contains("alpha(14^3) >= 172").and(contains("alpha(14^3) <= 1")));
    let why = &desk.json(0, "info 4^9 --why")[0];
    assert_eq!(
        (&why["lower"]["derivation"]["steps"][0]["value"], &why["board"]),
        (&512.into(), &"4^9".into())
    );
}

#[test]
fn a_derivation_adds_up_from_what_it_prints() {
    let desk = Desk::new();
    let mut partitions = 0;
    // The last board exceeds the limit on squares of other commands.
    for cube in ["9^7", "19^5", "30^8"] {
        let why = &desk.json(0, &format!("info {cube} --why"))[0];
        for step in why["upper"]["derivation"]["steps"].as_array().expect("steps") {
            let reason = step["reason"].as_str().expect("a reason");
            let premise = |i: usize| {
                let place = step["premises"][i].as_u64().expect("a place") as usize;
                why["upper"]["derivation"]["steps"][place]["value"].as_u64().expect("a bound")
            };
            let first_number = || reason.split(' ').find_map(|word| word.parse::<u64>().ok());
            if let Some((_, boxes)) = reason.split_once("a rest: ") {
                let product = |(i, term): (usize, &str)| {
                    let (number, bound) = term.split_once(" x ").expect(term);
                    assert_eq!(bound.parse(), Ok(premise(i)));
                    number.parse::<u64>().expect(term) * premise(i)
                };
                assert_eq!(step["value"], boxes.split(" + ").enumerate().map(product).sum::<u64>(), "{step}");
                partitions += 1;
            } else if reason.starts_with("corner cut") {
                assert_eq!(step["value"], premise(0) + first_number().expect("lines"), "{step}");
            }
            let statuses = ["theorem", "checked", "archived", "reported"];
            assert!(statuses.iter().any(|status| step["status"] == *status), "{step}");
        }
    }
    assert!(partitions > 0);
}

#[test]
fn contradiction_is_reported_with_both_derivations() {
    let desk = Desk::new();
    desk.write(
        "false.csv",
        "board,side,value,status,source,place,identifier\n4^4,upper,15,theorem,nobody,,\n",
    );
    let outcome = desk.ndq("table bounds --values false.csv").code(4);
    outcome
        .stdout(contains("alpha(4^4) <= 15  [reported] published: nobody").and(contains("alpha(4^4) >= 16")))
        .stderr(contains("one of the leaves below is wrong"));
}

#[test]
fn store_keeps_better_certificates_and_ignores_edited_ones() {
    let desk = Desk::new();
    desk.ndq("find 5^3 --method search --at-least 13 --rounds 100 -o best.txt").success();
    desk.ndq("archive add best.txt --data s")
        .success()
        .stdout(contains("13 queens on 5^3, stored in s/certificates/5^3.txt"));
    desk.ndq("archive add best.txt --data s")
        .success()
        .stdout("best.txt: holds; the archive has as many already: s/certificates/5^3.txt holds 13 queens\n");
    desk.ndq("archive list --data s").success().stdout(contains("5^3.txt"));
    desk.ndq("archive verify --data s").success().stderr(contains("1 of 1 certificates in s is valid"));
    desk.ndq("info 5^3 --why --data s --unpublished")
        .success()
        .stdout(contains("certificate 5^3.txt, checked"));

    let edited = desk.read("s/certificates/5^3.txt").replacen("size: 13", "size: 14", 1) + "2 2 2\n";
    desk.write("s/certificates/5^3.txt", edited);
    desk.ndq("archive verify --data s").code(1).stdout(contains("5^3.txt"));
    let outcome = desk.ndq("info 5^3 --why --data s --unpublished").success();
    outcome
        .stdout(contains("certificate 5^3.txt, checked").not())
        .stderr(contains("certificates/5^3.txt is not used"));
}

#[test]
fn rejected_file_leaves_the_archive_unchanged() {
    let desk = Desk::new();
    desk.ndq("find 5^3 --method search --at-least 13 --rounds 100 -o best.txt").success();
    desk.ndq("count 4^3 --proof count.gz").success();
    desk.ndq("lp certify 3^4 -f strong-clique -o small.bound").success();
    desk.ndq("archive add small.bound --data l").success();
    desk.ndq("lp certify 9^4 -f strong --data l -o above.bound").success();
    desk.write("junk.txt", "not a certificate\n");
    desk.certificate("wrong.txt", "5^2", &["0 0", "1 1"]);
    let genuine = desk.read("small.bound");
    desk.write("wrong.bound", genuine.replacen("at most 6", "at most 5", 1));
    let refused = [
        (2, "junk.txt", "junk.txt cannot be archived: certificate, line 1, column 1"),
        (2, "missing.txt", "missing.txt"),
        (1, "wrong.txt", "wrong.txt does not hold"),
        (1, "wrong.bound", "wrong.bound does not hold"),
        (
            1,
            "above.bound small.bound",
            "above.bound rests on alpha(3^4) <= 6, which the ledger does not prove",
        ),
    ];
    for (exit, files, says) in refused {
        let command = format!("archive add best.txt count.gz {files} --data s");
        desk.ndq(&command).code(exit).stdout("").stderr(contains(says));
        assert_eq!(desk.names("s"), Vec::<String>::new(), "{files}");
    }
    desk.ndq("archive add missing.txt --data new").code(2);
    assert!(!desk.path("new").exists());
    let all = "archive add best.txt count.gz small.bound above.bound --data s";
    desk.ndq(all).code(0);
    let again = desk.json(0, all);
    assert_eq!(again.len(), 4);
    for (object, file) in again.iter().zip(["best.txt", "count.gz", "small.bound", "above.bound"]) {
        assert_eq!((&object["file"], &object["stored"]), (&file.into(), &false.into()), "{object}");
    }
    let words = desk.ndq(all).code(0).stdout(contains("small.bound: holds; the archive has as much already"));
    words.stdout(contains("the archive has it already: s/counts/4^3.count.gz"));
    let verified = desk.ndq("archive verify --data s").code(0);
    verified.stderr(contains("3 bounds: 3 checked here").and(contains("1 of 1 certificates")));
    let before = desk.read("s/ledger.csv");
    desk.ndq("archive add small.bound junk.txt --data s").code(2);
    assert_eq!(desk.read("s/ledger.csv"), before);
}

#[test]
fn bad_input_is_refused_in_a_sentence() {
    let desk = Desk::new();
    let head = "board,side,value,status,source,place,identifier\n";
    desk.write("bad.csv", format!("{head}4^4,upper,many,theorem,nobody,,\n"));
    desk.write("none.csv", head);
    desk.write("box.csv", format!("{head}4x5x6,upper,14,reported,nobody,,\n"));
    desk.write("good.csv", format!("{head}40^3,upper,1600,reported,nobody,,\n"));
    desk.ndq("table bounds --d 3 --n 5 --values good.csv").success();
    desk.certificate("wrong.txt", "5^2", &["0 0", "1 1"]);
    for (exit, arguments, reason) in [
        (2, "table bounds --d 0..3", "within 1 and 12"),
        (2, "table bounds --d 3..2", "a number or a range"),
        (2, "table bounds --n 1..101", "within 1 and 100"),
        (2, "table bounds --values bad.csv", "bad.csv"),
        (2, "table bounds --values nowhere.csv", "nowhere.csv"),
        (2, "table bounds --values none.csv", "none.csv: there are no values in it"),
        (2, "table bounds --values box.csv", "4x5x6: bounds are for queens on n^d"),
        (2, "table bounds --values good.csv --unpublished", "cannot be used with"),
        (2, "table bounds --values good.csv --certified", "cannot be used with"),
        (2, "archive verify --data nowhere", "there is no archive at nowhere"),
        (2, "archive list --data nowhere", "there is no archive at nowhere"),
        (2, "table bounds -o nowhere/t.csv", "nowhere/t.csv"),
        (2, "archive add nowhere.txt --data s", "nowhere.txt"),
        (2, "archive add wrong.txt --data wrong.txt", "there is no archive at wrong.txt"),
        (2, "archive add", "FILE"),
        (1, "archive add wrong.txt --data s", "does not hold"),
    ] {
        desk.ndq(arguments).code(exit).stderr(contains(reason));
    }
}

#[test]
fn solutions_that_a_method_can_make_are_counted() {
    let desk = Desk::new();
    let regular = &desk.json(0, "find 17^3 --method regular --count")[0];
    assert_eq!((&regular["solutions"], &regular["coefficient_vectors"]), (&2040.into(), &120.into()));
    desk.ndq("find 11^3 --method stack --count --threads 2").success().stdout(contains("264 full solutions"));
    assert_eq!(desk.json(1, "find 7^3 --method stack --count")[0]["solutions"], 0);
    let torus = &desk.json(0, "find torus:13^2 --method regular --count")[0];
    assert_eq!((&torus["solutions"], torus["up_to_symmetry"].is_null()), (&130.into(), true));
    for (refused, words) in [
        ("find torus:13^2 --count", "--count needs a method: --method regular or --method stack"),
        ("find torus:11^3 --method stack --count", "--method regular counts its regular solutions"),
        ("find 4x5 --method regular --count", "for queens on n^d and torus:n^d, not 4x5"),
    ] {
        desk.ndq(refused).code(2).stderr(contains(words));
    }
}

#[test]
fn all_coefficient_vectors_are_listed() {
    let desk = Desk::new();
    let outcome = &desk.json(0, "find 13^3 --method regular --count -o vectors.csv")[0];
    assert_eq!((&outcome["coefficient_vectors"], &outcome["vectors"]), (&48.into(), &"vectors.csv".into()));
    let table = desk.read("vectors.csv");
    let (head, rows) = table.split_once('\n').expect("a head");
    assert_eq!(head, "a1,a2,orbit");
    let rows: Vec<Vec<u32>> = rows
        .lines()
        .map(|row| row.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect();
    assert_eq!(rows.len(), 48);
    assert!(rows.is_sorted());
    // Every seventh solution is checked against the definition of an attack.
    for (row, a) in rows.iter().enumerate().filter(|(row, _)| row % 7 == 0) {
        let square = |k: u32| {
            let (x, y) = (k / 13, k % 13);
            format!("{x} {y} {}", (a[0] * x + a[1] * y) % 13)
        };
        let squares: Vec<String> = (0..169).map(square).collect();
        desk.certificate("one.txt", "13^3", &squares.iter().map(String::as_str).collect::<Vec<_>>());
        desk.ndq("check one.txt").success();
        assert!(a[2] >= 1 && (row > 0 || a[2] == 1), "{a:?}");
    }
    desk.ndq("find 6^3 --method regular --count -o none.csv").code(1);
    assert_eq!(desk.read("none.csv"), "a1,a2,orbit\n");
}

#[test]
fn a_quiet_construction_prints_the_result_alone() {
    let desk = Desk::new();
    let quiet = desk.ndq("-q find 8^2").success().stderr("");
    let quiet = String::from_utf8(quiet.get_output().stdout.clone()).expect("UTF-8");
    assert!(quiet.starts_with("8 queens on 8^2, checked"), "{quiet}");
    let whole = desk.ndq("find 8^2").success();
    let whole = String::from_utf8(whole.get_output().stdout.clone()).expect("UTF-8");
    assert!(whole.starts_with("regular ") && whole.ends_with(&quiet), "{whole}");
    // The table explains why methods do not apply; the other lines do not mention them.
    assert!(!whole.contains("appl"), "{whole}");
}

#[test]
fn certificates_make_others() {
    let desk = Desk::new();
    desk.ndq("find 5^2 -o five.txt").success();
    desk.ndq("find 3^2 -o three.txt").success();
    desk.ndq("find 5x5x3x3 --method product --from five.txt three.txt -o p.txt").success();
    desk.ndq("check p.txt").success().stdout(contains("10 squares of 5x5x3x3"));
    desk.ndq("find 4^2 --method corner --from five.txt -o four.txt").success();
    desk.ndq("check four.txt").success();
    desk.certificate("bad.txt", "5^2", &["0 0", "1 1"]);
    for (arguments, reason) in [
        ("5^4 --method product --from five.txt three.txt", "is on 5x5x3x3, not on 5^4"),
        ("5^4 --method product --from five.txt", "takes two files"),
        ("4^2 --method corner --from five.txt three.txt", "takes one file"),
        ("4^2 --method cut --from five.txt", "product, corner and stack, not cut"),
        ("4^2 --method corner --from bad.txt", "does not hold"),
        ("6^3 --method cut --count", "regular and stack, not cut"),
        ("17^3 --method stack --count", "n up to 16 only"),
        ("4x5 --method regular --count", "queens on n^d"),
        (
            "6^3 --method regular",
            "the next side that has one is 11; cut, product, corner, stack and greedy apply",
        ),
        ("torus:4^3 --method regular", "regular on torus:4^3: no regular solution has side 4 in dimension 3"),
        ("torus:4^3 --method regular", "the next side that has one is 11; greedy applies"),
        (
            "8^3 --method extend",
            "the least side above 1 that has one in dimension 3 is 11; cut, product, corner, stack and greedy apply",
        ),
        ("2^2 --method planar", "n = 1 or at least 4; cut, product, corner, stack and greedy apply"),
        (
            "2^20 --method corner",
            "the best that regular, planar, cut and extend make on the next larger cube",
        ),
        ("2^20 --method cut", "cut on 2^20: the board is too large for this construction; product applies"),
        ("11^3 --method stack --count -o v.csv", "-o with --count lists coefficient vectors"),
        ("11^3 --method regular --count -o missing/v.csv", "missing"),
    ] {
        desk.ndq(&format!("find {arguments}")).code(2).stderr(contains(reason));
    }
}

#[test]
fn record_with_changed_certificate_is_not_rerun() {
    let desk = Desk::new();
    desk.ndq("prove 3^3 --record r").success();
    let record = format!("r/{}", desk.names("r")[0]);
    let right = desk.read(&record);
    desk.ndq(&format!("rerun {record}")).success().stdout(contains("the same answer"));
    let value: serde_json::Value = serde_json::from_str(&right).expect("JSON");
    let certificate = value["answer"]["certificate"].as_str().expect("a certificate");
    let mut squares: Vec<&str> = certificate.lines().collect();
    let (last, before) = (squares.pop().expect("squares"), squares[squares.len() - 1]);
    let quoted = |line: &str| format!("\\n{line}\\n");
    for (old, new, words) in [
        (quoted(last), quoted(before), "the recorded certificate does not hold"),
        ("origin: ".to_owned(), "origin: not ".to_owned(), "another digest than the one next to it"),
    ] {
        let wrong = right.replacen(&old, &new, 1);
        assert_ne!(wrong, right, "{old}");
        desk.write(&record, wrong);
        desk.ndq(&format!("rerun {record}")).code(2).stderr(contains(words).and(contains(&*record)));
    }
}
