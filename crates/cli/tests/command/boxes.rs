//! Answers of the exact engine in `ndq table boxes` and `ndq solve`.

use predicates::str::{contains, starts_with};

use crate::harness::Desk;

#[test]
fn table_of_boxes_can_be_extended() {
    let desk = Desk::new();
    let head = "piece,sides,lower,upper,how,nodes\nqueen,1x1x1,1,1,lines,0\n";
    desk.ndq("table boxes 4x3x4").code(0).stdout(starts_with(head)).stdout(contains("\nqueen,3x4x4,6,6,"));
    desk.ndq("table boxes 3x4x4 -o t.csv").code(0);
    let (first, rows) = (desk.read("t.csv"), desk.json(0, "table boxes 3x4x4"));
    assert_eq!(first.lines().count(), rows.len() + 1);
    desk.ndq("table boxes rook:2^4 -o t.csv").code(0);
    desk.ndq("table boxes 3x3x3 -o t.csv --threads 2").code(0);
    let second = desk.read("t.csv");
    assert!(second.contains("\nrook,2x2x2x2,8,8,"), "{second}");
    assert_eq!(second.lines().count(), first.lines().count() + 5);
    assert!(first.lines().all(|line| second.contains(line)), "{second}");
    desk.write("other.csv", "a,b\n1,2\n");
    desk.ndq("table boxes 2^2 -o other.csv").code(2).stderr(contains("not a table of boxes"));
    desk.ndq("table boxes torus:4^3").code(2).stderr(contains("not a plain box"));
}

#[test]
fn solve_takes_the_exact_engine_for_a_maximum() {
    let desk = Desk::new();
    let solved = "solve 5^3 --engine exact -o best.txt --record r";
    desk.ndq(solved).code(0).stdout(contains("\n13 queens on 5^3: optimal [exact proof of "));
    desk.ndq("check best.txt").code(0);
    let record = desk.names("r").pop().expect("a record");
    desk.ndq(&format!("rerun r/{record}")).code(0).stdout(contains("the same answer"));
    let stopped = desk.ndq("solve 5^4 --engine exact --time-limit 1").code(3);
    stopped.stdout(contains("\nstopped (time limit): found ")).stdout(contains(" [exact engine "));
    for flag in
        ["--at-least 13", "-f base", "--backend microlp", "--start cut", "--root-bound", "--rows distinct"]
    {
        let refused = desk.ndq(&format!("solve 5^3 --engine exact {flag}")).code(2);
        refused.stderr(contains("--engine exact finds how many queens fit"));
    }
}

#[test]
fn the_shipped_table_is_what_the_engine_finds() {
    let shipped = include_str!("../../../../results/archive/box-table.csv");
    let found = Desk::new().ndq("table boxes 6^3").code(0);
    let found = String::from_utf8_lossy(&found.get_output().stdout).into_owned();
    // Node counts depend on the version that made the table.
    let bound = |row: &str| row.rsplit_once(',').expect("columns").0.to_owned();
    let shipped: Vec<String> = shipped.lines().map(bound).collect();
    for row in found.lines().map(bound) {
        assert!(shipped.contains(&row), "{row}");
    }
}

#[test]
fn boxes_settled_without_search_have_a_proof() {
    let desk = Desk::new();
    desk.ndq("prove bishop:4^3 --node-limit 0 --proof p.gz").success();
    desk.ndq("check p.gz").success();
}
