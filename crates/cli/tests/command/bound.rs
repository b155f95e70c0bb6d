//! `ndq bound`, `ndq ledger`, and what `ndq check` and `ndq prove` say of orbit LPs.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::desk::Desk;

#[test]
fn a_bound_is_kept_and_checked() {
    let desk = Desk::new();
    let says = contains("at most 245 queens fit on 8^4: recipe cube, checked in exact arithmetic");
    desk.ndq("bound 8^4 -f base cube -o b.txt").code(0).stdout(says);
    let says = contains("b.txt: holds; at most 245 queens fit on 8^4").and(contains("add up to 245 1/3"));
    desk.ndq("check b.txt").code(0).stdout(says);
    desk.ndq("check b.txt --board 8^4").code(0);
    desk.ndq("check b.txt --board 6^4").code(2).stderr(contains("6^4 was asked for"));
    let bound = &desk.json(0, "bound 4x3x4 -f strong")[0];
    assert_eq!((bound["board"].as_str(), bound["checked"].as_bool()), (Some("3x4x4"), Some(true)));
    let text = desk.read("b.txt");
    for (from, to, says) in [
        ("at most 245", "at most 244", "add up to 736/3"),
        ("clique ", "clique 1", "does not hold"),
        ("board 8^4", "board 9^4", "less than once"),
        ("end\n", "", "too early"),
    ] {
        desk.write("bad.txt", text.replacen(from, to, 1).as_bytes());
        if to == "clique 1" {
            // A larger multiplier is no fault of its own, but the sum is another.
            desk.ndq("check bad.txt").code(1).stdout(contains("add up to"));
        } else {
            desk.ndq("check bad.txt").code(1).stdout(contains(says));
        }
    }
}

#[test]
fn bounds_that_cannot_be_had_are_refused() {
    let desk = Desk::new();
    desk.ndq("bound torus:5^2").code(2).stderr(contains("no plain box"));
    desk.ndq("bound 4^3 -f lex").code(2).stderr(contains("breaks the symmetry"));
    desk.ndq("bound 4^3 -f domination").code(2).stderr(contains("most queens"));
    desk.ndq("bound rook:4^3 -f cube").code(2).stderr(contains("for queens, not for rooks"));
    desk.ndq("bound rook:4^3 -f base").code(0).stdout(contains("at most 16 rooks fit"));
    desk.ndq("bound 4^3 -f nonsense").code(2).stderr(contains("unknown recipe"));
    desk.ndq("bound 4^3 -o there/is/none.txt").code(2).stderr(contains("no folder"));
    desk.ndq("check b.txt").code(2);
}

#[test]
fn a_bound_that_rests_on_published_values_is_conditional() {
    let desk = Desk::new();
    let bound = &desk.json(0, "bound 10^4 -f all --assume-reported -o b.txt")[0];
    let conditions = bound["conditions"].as_array().expect("a list");
    let rests_on = bound["rests_on"].as_array().expect("a list");
    let code = if conditions.is_empty() { 0 } else { 1 };
    assert!(!conditions.is_empty() || !rests_on.is_empty() || bound["at_most"].as_u64() == Some(601));
    desk.ndq("check b.txt").code(code);
}

#[test]
fn the_shipped_ledger_verifies() {
    let desk = Desk::new();
    let ledger = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/ledger.csv");
    let verified = desk.ndq(&format!("ledger verify --ledger {ledger}")).code(0);
    verified.stdout(contains("alpha(6^4) = 80")).stderr(contains(", 0 refused"));
    desk.ndq("bound 3^4 -f strong-clique -o b.txt").code(0);
    desk.ndq("ledger add b.txt --ledger l.csv").code(0).stdout(contains("alpha(3^4) <= 6, orbit LP"));
    desk.ndq("ledger add b.txt --ledger l.csv").code(0).stdout(contains("nothing better"));
    desk.ndq("ledger list --ledger l.csv").code(0).stdout(contains("alpha(3^4) <= 6"));
    let row = desk.read("l.csv");
    desk.write("l.csv", row.replace("upper,6,", "upper,5,").as_bytes());
    desk.ndq("ledger verify --ledger l.csv").code(1).stderr(contains("shows 6, not 5"));
    desk.write("l.csv", "board,side\n3^4,upper\n".as_bytes());
    desk.ndq("ledger verify --ledger l.csv").code(2).stderr(contains("is not a ledger"));
    desk.write("bad.txt", b"ndqueens bound 1\nboard 3^4\nat most 6\nend\n".as_slice());
    desk.ndq("ledger add bad.txt --ledger new.csv").code(1).stderr(contains("less than once"));
    assert!(!desk.path("new.csv").exists());
}

#[test]
fn prove_takes_the_cheapest_route() {
    let desk = Desk::new();
    desk.ndq("prove 11^3 --record r").code(0).stdout(contains("upper bound  121: theorem: parallel lines"));
    desk.ndq("prove 6^4 --certified").code(0).stdout(contains("upper bound  80: orbit LP of recipe cube"));
    desk.ndq("prove 3^4").code(0).stdout(contains("alpha(3^4) = 6: proved").and(contains("orbit LP")));
    desk.ndq("prove 4^3").code(0).stdout(contains("upper bound  7: exact proof"));
    desk.ndq("prove 6^4 --k 79").code(1).stdout(contains("refuted; 80 queens fit"));
    desk.ndq("prove 6^4 --k 81").code(1).stdout(contains("refuted; at most 80 queens fit"));
    desk.ndq("prove 10^4 --certified")
        .code(3)
        .stdout(contains("too large for every means").and(contains("bound 601")));
    desk.ndq("prove 10^4 --time-limit 1 --certified")
        .code(3)
        .stdout(contains("bound 601").or(contains("bound 625")));
    desk.ndq("prove 10^4 --time-limit 0").code(3).stdout(contains("stopped (time limit)"));
    let record = desk.names("r").pop().expect("a record");
    desk.ndq(&format!("rerun r/{record}")).code(0).stdout(contains("the same answer"));
    let refused = desk.ndq("prove 4^3 --engine highs --certified").code(2);
    refused.stderr(contains("--certified lets nothing count that only a solver says"));
}

#[test]
fn the_engine_ends_where_placement_and_bound_meet() {
    let desk = Desk::new();
    // The engine does not search on when as many queens are placed as the orbit LP allows.
    let met = desk.ndq("prove 3^7 --certified --start best.txt");
    met.code(2).stderr(contains("best.txt"));
    desk.ndq("prove 3^7 --certified")
        .code(0)
        .stdout(contains("alpha(3^7) = 32: proved").and(contains("orbit LP")));
}

#[test]
fn a_proof_begins_with_a_placement_that_is_given_or_constructed() {
    let desk = Desk::new();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/ledger");
    for (board, queens) in [("3^8", 52), ("4^9", 512)] {
        let proved = desk.ndq(&format!("prove {board} --certified --start {shipped}/{board}.txt")).code(0);
        proved.stdout(contains(format!("alpha({board}) = {queens}: proved")));
    }
    desk.ndq("prove 4^9").code(0).stdout(contains("alpha(4^9) = 512: proved"));
    desk.ndq("prove 4^7 --certified").code(0).stdout(contains("alpha(4^7) = 128: proved"));
    desk.ndq("construct 5^3 -o best.txt").code(0);
    desk.ndq("prove 5^3 --start best.txt --engine exact").code(0).stdout(contains("exact proof"));
    let shut = desk.ndq("prove 20^4 --certified --time-limit 0").code(3);
    shut.stdout(contains(" 0 queens").not());
}

#[test]
fn a_ledger_is_read_and_added_to_with_care() {
    let desk = Desk::new();
    for command in ["verify", "list"] {
        desk.ndq(&format!("ledger {command} --ledger none.csv"))
            .code(2)
            .stderr(contains("cannot read none.csv"));
    }
    for file in ["none", "-", "."] {
        desk.ndq(&format!("ledger add {file} --ledger l.csv")).code(2).stderr(contains("cannot read"));
    }
    desk.ndq("construct file:heart.txt").code(2);
    desk.write("heart.txt", b"ndqueens board 1\n##\n#.\n".as_slice());
    desk.ndq("construct file:heart.txt -o c.txt").code(0);
    let refused = desk.ndq("ledger add c.txt --ledger l.csv").code(2);
    refused.stderr(contains("for boards with a name of their own"));
    assert!(!desk.path("l.csv").exists());
    desk.ndq("bound 6x5x4 -o f.txt").code(0);
    desk.ndq("check f.txt --board 6x5x4").code(0);
    desk.ndq("check f.txt --board 6x5x5").code(2);
    desk.ndq("bound 4^4 -o -").code(2).stderr(contains("-o names a file"));
    assert!(!desk.path("-").exists());
    // A needed bound is read from the ledger that is given.
    desk.ndq("bound 3^4 -f strong-clique -o b.txt").code(0);
    desk.ndq("ledger add b.txt --ledger l.csv").code(0).stderr(contains("--ledger l.csv"));
    let rests_on =
        |ledger: &str| desk.json(0, &format!("bound 9^4 -f strong{ledger}"))[0]["rests_on"].to_string();
    assert_ne!(rests_on(""), "[]");
    let here = rests_on(" --ledger l.csv");
    assert!(!here.contains("results/ledger.csv") && !here.contains("box-table"), "{here}");
    // A false row is not believed, nor one whose file is gone.
    let row = desk.read("l.csv");
    desk.write("l.csv", row.replace("upper,6,", "upper,1,"));
    desk.ndq("bound 9^4 -f strong --ledger l.csv").code(2).stderr(contains("shows 6, not 1"));
    desk.write("l.csv", &row);
    desk.ndq("bound 9^4 -f strong --ledger l.csv -o nine.txt").code(0);
    std::fs::remove_file(desk.path("l/3^4.bound")).expect("it was kept");
    desk.ndq("bound 9^4 -f strong --ledger l.csv").code(2).stderr(contains("is not there, and it is kept"));
    desk.ndq("ledger add nine.txt --ledger l.csv").code(1).stderr(contains("the ledger's row does not hold"));
    desk.ndq("ledger verify --ledger l.csv").code(1).stderr(contains("is not there, and it is kept"));
}

/// What is not here may be told of, and does not count with `--certified`.
#[test]
fn proofs_that_are_not_kept_are_told_apart() {
    let desk = Desk::new();
    let ledger = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/ledger.csv");
    let rows = desk.json(0, &format!("ledger verify --ledger {ledger}"));
    let rest = |row: &serde_json::Value| row["foundation"].to_string().contains("not re-checked here");
    for row in &rows {
        let status = row["status"].as_str().expect("a status");
        assert_eq!(rest(row), ["not_rechecked", "rests_on_not_rechecked"].contains(&status), "{row}");
    }
    let all = rows.iter().all(|row| row["status"] == "checked");
    desk.ndq(&format!("ledger verify --certified --ledger {ledger}")).code(i32::from(!all));
    desk.ndq("bounds --why 3^3 --certified").code(0);
    let proved = &desk.json(0, "prove 3x3x3x5 --certified")[0];
    assert!(!proved["lemmas"].to_string().contains("not kept"), "{proved}");
}
