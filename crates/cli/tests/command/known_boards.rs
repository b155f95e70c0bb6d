//! What `ndq info`, `ndq site` and `ndq table` report on boards with known values.

use std::time::{Duration, Instant};

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

use crate::harness::Desk;

fn bounds(info: &Value) -> (u64, u64) {
    let value = |side: &str| info[side]["value"].as_u64().expect("a bound");
    (value("lower"), value("upper"))
}

#[test]
fn info_bounds_boards_of_every_kind() {
    let desk = Desk::new();
    desk.write("heart.txt", "ndqueens board 1\n##.##\n#####\n.###.\n");
    desk.write("path.txt", "n 4\n0 1\n1 2\n2 3\n");
    for (board, lower, upper) in [
        ("hex:8", 15, 15),
        ("hex:9", 16, 16),
        ("three:6", 9, 9),
        ("three:8", 12, 12),
        ("sudoku:3", 81, 81),
        ("rook:4^3", 16, 16),
        ("rook:torus:4^3", 16, 16),
        ("rook:2x5x7", 10, 10),
        ("bishop:4^2", 6, 6),
        ("bishop:1x9", 9, 9),
        ("bishop:4x6", 8, 8),
        ("bishop:100x200", 298, 298),
        ("bishop:torus:6^2", 6, 6),
        ("bishop:4^3", 16, 16),
        ("torus:11^3", 121, 121),
        ("torus:12^2", 10, 10),
        ("torus:14^2", 13, 13),
        ("torus:3^5", 1, 1),
        ("4x7", 4, 4),
        ("2x3x4", 4, 4),
        ("file:heart.txt", 3, 3),
        ("file:path.txt", 2, 2),
    ] {
        let info = &desk.json(0, &format!("info {board}"))[0];
        assert_eq!(bounds(info), (lower, upper), "{board}: {info}");
        let statuses = ["lower", "upper"].map(|side| info[side]["status"].as_str().expect("a status"));
        let is_shown = |status: &&str| ["theorem", "checked"].contains(status);
        assert!(statuses.iter().all(is_shown), "{board}: {statuses:?}");
        desk.ndq(&format!("info {board}")).code(0).stdout(contains("--at-least 2\n").not());
    }
}

#[test]
fn info_derives_bounds_of_every_kind() {
    let desk = Desk::new();
    for (board, reason) in [
        ("hex:8", "alpha(hex:8) >= 15  [checked] placement, made and checked in this run"),
        ("rook:4^3", "alpha(rook:4^3) <= 16  [theorem]"),
        ("torus:12^3", "alpha(torus:12^3) <= 120  [theorem] layers"),
        ("bishop:9^3", "└─ alpha(bishop:9^2) <= 16  [theorem]"),
    ] {
        desk.ndq(&format!("info {board} --why")).code(0).stdout(contains(reason));
    }
}

#[test]
fn info_ends_with_the_maximum() {
    let desk = Desk::new();
    for (arguments, last) in [
        ("info 8^4", "maximum        open, gap 4"),
        ("info 6^3", "maximum        settled by the bounds above: 21"),
        ("info hex:8 --why", "maximum        settled by the bounds above: 15"),
    ] {
        let printed = desk.ndq(arguments).code(0);
        let text = String::from_utf8(printed.get_output().stdout.clone()).expect("UTF-8");
        assert_eq!(text.trim_end().lines().last(), Some(last), "{text}");
    }
}

#[test]
fn info_suggests_only_what_may_help() {
    let desk = Desk::new();
    let info = |board: &str| desk.json(0, &format!("info {board}")).remove(0);
    for board in ["8^4", "14^3", "18^3", "20^3", "18^4"] {
        let info = info(board);
        let next = info["next"].to_string();
        assert!(next.contains("ndq find") && !next.contains("prove") && !next.contains("certify"), "{next}");
        let obstacle = info["obstacle"].as_str().expect("a reason");
        assert!(obstacle.starts_with("nothing known here lowers it"), "{obstacle}");
    }
    let text = desk.ndq("info 8^4").code(0);
    text.stdout(contains("exact search takes about 4e15 nodes, and the orbit LP gives 245, also with cases"));
    let certified = info("10x10x10x10x10x12");
    assert!(certified["next"][1] == "ndq lp certify 10x10x10x10x10x12 -f cube", "{certified}");
    assert!(certified["next_effort"][1].as_str().expect("an effort").contains("756 columns"));
    let large = info("3^13");
    assert!(
        bounds(&large).0 >= 412 && large["next"][0].as_str().expect("a command").contains("faces"),
        "{large}"
    );
    let searched = info("hex:12");
    assert_eq!(
        (&searched["next"][1], &searched["obstacle"]),
        (&"ndq prove hex:12 --work w".into(), &Value::Null)
    );
    assert!(searched["next_effort"][1].as_str().expect("an effort").contains("nodes"));
}

#[test]
fn large_boxes_are_described_without_their_squares() {
    let desk = Desk::new();
    let begin = Instant::now();
    let info = &desk.json(0, "info 20000^2 --memory 1")[0];
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(bounds(info), (20000, 20000));
    assert_eq!(info["symmetry"]["orbit_count"], 50_005_000);
    // The formula agrees with the list where a box is just below and just above the limit.
    for (listed, counted) in [("1024^2", "1025^2"), ("rook:64x128x128", "rook:65x128x128")] {
        let [listed, counted] =
            [listed, counted].map(|board| desk.json(0, &format!("info {board}")).remove(0));
        let orbits = listed["symmetry"]["orbits"].as_array().expect("a list");
        assert_eq!(listed["symmetry"]["orbit_count"], orbits.len());
        let attacks = |orbit: &Value| orbit["attacks"].as_u64().expect("a number");
        let least = orbits.iter().map(attacks).min();
        assert_eq!(listed["symmetry"]["attacks_least"].as_u64(), least);
        assert_eq!(counted["symmetry"]["orbits"], Value::Array(Vec::new()));
        assert!(counted["symmetry"]["orbit_count"].as_u64() > listed["symmetry"]["orbit_count"].as_u64());
    }
}

#[test]
fn derived_values_are_not_published() {
    let desk = Desk::new();
    desk.ndq("table published").code(0).stdout(contains("derived").not().and(contains("hex:8")));
    assert_eq!(desk.json(0, "info 8^4")[0]["published"], Value::Null);
    assert_eq!(desk.json(0, "info 18^3")[0]["published"]["upper"], Value::Null);
}

#[test]
fn site_shows_the_best_placement() {
    let desk = Desk::new();
    desk.ndq("site --d 2..2 --n 1..28 -o s").code(0);
    for n in 4..=28 {
        let page = desk.read(&format!("s/boards/d2-n{n}.html"));
        assert!(page.contains(&format!("{n} queens, of which no two attack")), "{n}");
        assert!(!page.contains("the largest that is stored"), "{n}");
    }
    desk.ndq("site --d 7..7 --n 4..4 -o s").code(0);
    assert!(desk.read("s/boards/d7-n4.html").contains("128 queens, of which no two attack"));
    desk.ndq("site --d 4..4 --n 7..7 -o s").code(0);
    assert!(desk.read("s/boards/d4-n7.html").contains("the maximum is <strong>145</strong>"));
}

#[test]
fn reported_maxima_stay_open() {
    let desk = Desk::new();
    let of_7 = |table: &str| {
        let rows = desk.json(0, &format!("table {table} --d 4..4 --n 5..8"));
        rows.into_iter().find(|row| row["board"] == "7^4")
    };
    assert_eq!(of_7("maxima"), None);
    let open = of_7("open").expect("an open case");
    assert_eq!((&open["upper"], &open["upper_status"]), (&145.into(), &"reported".into()));
    let settled = desk.json(0, "table maxima --d 2..4 --n 1..9");
    assert!(settled.iter().all(|row| row["status"] != "reported") && settled.len() > 15);
}

#[test]
fn listed_bounds_have_their_status() {
    let desk = Desk::new();
    desk.ndq("lp certify 3^4 -f strong-clique -o b.txt").code(0);
    desk.ndq("archive add b.txt --data l").code(0);
    desk.ndq("archive list --data l")
        .code(0)
        .stdout(contains("alpha(3^4) <= 6, orbit LP (3^4.bound): checked"));
    let rows = desk.read("l/ledger.csv");
    desk.write("l/ledger.csv", rows.replace("upper,6,", "upper,5,"));
    desk.ndq("archive list --data l").code(1).stdout(contains("refused:"));
    assert_eq!(desk.json(1, "archive list --data l")[0]["status"], "refused");
}

#[test]
fn emptied_parts_of_a_count_are_refused() {
    let desk = Desk::new();
    desk.ndq("count 6^3 --work c").code(0).stdout(contains("912"));
    let mut emptied = 0;
    for name in desk.names("c").iter().filter(|name| name.starts_with("count-")) {
        let part: Value = serde_json::from_str(&desk.read(&format!("c/{name}"))).expect("a part");
        let tally = r#"{"sums":[],"representatives":[],"more":false}"#;
        let sealed = format!("[{},{},{tally}]", part["count"], part["number"]);
        let digest = ndqueens_system::file::digest::of(&sealed);
        let (count, number) = (&part["count"], &part["number"]);
        let text = format!(r#"{{"count":{count},"number":{number},"sha256":"{digest}","tally":{tally}}}"#);
        desk.write(&format!("c/{name}"), text);
        emptied += 1;
    }
    assert!(emptied > 1000);
    desk.ndq("count 6^3 --work c").code(2).stderr(contains("the parts in c lack the solution"));
}

#[test]
fn page_states_the_node_counts_of_the_program() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/kunt.md");
    let page = std::fs::read_to_string(page).expect("a page");
    let desk = Desk::new();
    for n in 5..=8 {
        let row =
            page.lines().find(|line| line.starts_with(&format!("| {n}^3 | ")) && line.contains(" nodes |"));
        let row = row.expect("a row of the table");
        let proved = desk.ndq(&format!("prove {n}^3")).code(0);
        let text = String::from_utf8(proved.get_output().stdout.clone()).expect("UTF-8");
        let (_, rest) = text.split_once("exact proof of ").expect("a proof");
        let nodes = rest.split_once(' ').expect("a number").0;
        assert!(row.replace(',', "").contains(&format!("proved {nodes} nodes")), "{row}: {nodes}");
    }
}
