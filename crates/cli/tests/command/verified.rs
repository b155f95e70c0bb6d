//! `--verified`. The tests that run the program `ndqueens-verified` are ignored by default;
//! scripts/test --all runs them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use assert_cmd::assert::{Assert, OutputAssertExt as _};
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;

/// Creates a test folder with a proof and a certificate of 3^3.
fn proved() -> Desk {
    let desk = Desk::new();
    desk.ndq("prove 3^3 --proof a.proof -o a.txt").code(0);
    desk
}

/// Checks a file with the ndqueens-verified of the test folder, if there is one.
fn check(desk: &Desk, file: &str) -> Assert {
    let mut command: Command = desk.command();
    command
        .args(["check", "--verified", file])
        .env("PATH", format!("{}:/usr/bin:/bin", desk.path("").display()));
    command.assert()
}

/// Installs a stand-in for the verified checker that prints `version` for `--version` and
/// `verdict` for every file.
fn impostor(desk: &Desk, version: &str, verdict: &str) {
    let program = format!("#!/bin/sh\n[ $1 = --version ] && echo '{version}' || printf '{verdict}'\n");
    desk.write("ndqueens-verified", program);
    fs::set_permissions(desk.path("ndqueens-verified"), Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn names_the_command_that_builds_the_verified_checker() {
    let desk = proved();
    for file in ["a.proof", "a.txt"] {
        desk.ndq(&format!("check {file}")).code(0);
        check(&desk, file).code(2).stderr(contains(
            "ndqueens-verified is not on the path; to install it: scripts/setup --verified",
        ));
    }
    impostor(&desk, "ndqueens-verified 7.0", "");
    check(&desk, "a.txt").code(2).stderr(contains("is not the proof checker that is read here"));
}

#[test]
fn the_verified_checker_must_come_to_the_same() {
    let desk = proved();
    let boxes: String =
        ["1x1x1 1", "1x1x2 1", "1x1x3 1", "1x2x2 1", "1x2x3 2", "2x2x2 1", "1x3x3 2", "2x2x3 2", "2x3x3 3"]
            .iter()
            .map(|bound| format!("box {bound}\\n"))
            .collect();
    let said = |verdict: &str| impostor(&desk, "ndqueens-verified 1.0", verdict);
    said(&format!("accepted: at most 4 on queen:3x3x3; 1 node\\n{boxes}box 3x3x3 4\\n"));
    check(&desk, "a.proof").code(0).stdout(contains("accepted  by ndqueens-verified 1.0, an unknown build"));
    for (verdict, words) in [
        ("accepted: at most 5 on queen:3x3x3; 1 node\\n", "not \"accepted: at most 4 on queen:3x3x3\""),
        ("accepted: at most 4 on rook:3x3x3; 1 node\\n", "not \"accepted: at most 4 on queen:3x3x3\""),
        ("accepted: at most 4 on queen:3x3x3; 1 node\\n", "does not report that at most"),
        ("refused: line 3: no\\n", "reports \"refused: line 3: no\""),
        ("", "reports \"\""),
    ] {
        said(verdict);
        check(&desk, "a.proof").code(1).stdout(contains("does not hold")).stdout(contains(words));
    }
    for verdict in
        ["error: the file is too large for this machine\\x27s memory\\n", "not checked: too large\\n"]
    {
        said(verdict);
        check(&desk, "a.proof").code(3).stdout(contains("not checked")).stdout(contains("too large"));
    }
    said("accepted: at least 4 on queen:3x3x3\\n");
    check(&desk, "a.txt").code(0).stdout(contains("accepted  by ndqueens-verified 1.0"));
    said("accepted: at least 5 on queen:3x3x3\\n");
    check(&desk, "a.txt").code(1).stdout(contains("does not hold"));
}

#[test]
fn rejects_a_different_count() {
    let desk = Desk::new();
    desk.ndq("count 3^2 --proof a.proof").code(0);
    let proof = desk.read("a.proof");
    let boxes = proof.lines().filter(|line| line.starts_with("box "));
    let bound = |line: &str| line.split(' ').take(3).collect::<Vec<_>>().join(" ") + "\\n";
    let boxes: String = boxes.map(bound).collect();
    let said = |verdict: &str| impostor(&desk, "ndqueens-verified 1.2", verdict);
    let verdict = "accepted: exactly 8 sets of 2 on queen:3x3; 9 nodes, 6 boxes; no more fit\\n";
    said(&format!("{verdict}{boxes}"));
    check(&desk, "a.proof")
        .code(0)
        .stdout(contains("exactly 8 maximum solutions of 3^2").and(contains("by ndqueens-verified 1.2")));
    for (other, words) in [
        (verdict.replace("8 sets", "7 sets"), "not \"accepted: exactly 8 sets of 2 on queen:3x3\""),
        (verdict.replace("of 2", "of 3"), "not \"accepted: exactly 8 sets of 2 on queen:3x3\""),
        (verdict.replace("exactly 8 sets of", "at most"), "reports \"accepted: at most 2 on queen:3x3"),
        (verdict.replace("; no more fit", ""), "does not report that no more than 2 fit"),
    ] {
        said(&format!("{other}{boxes}"));
        check(&desk, "a.proof").code(1).stdout(contains("does not hold").and(contains(words)));
    }
    said(verdict);
    check(&desk, "a.proof").code(1).stdout(contains("does not report that at most"));
    desk.ndq("count 3^2 --exactly 1 --proof below.proof").code(0);
    let verdict = "accepted: exactly 9 sets of 1 on queen:3x3; 9 nodes, 6 boxes";
    said(&format!("{verdict}; no more fit\\n"));
    check(&desk, "below.proof").code(1).stdout(contains("reports that no more than 1 fit"));
}

/// Bound that rests on alpha(3^4) <= 6, which is in the archive.
const BOUND: &str = "ndqueens bound 1
board 4^4
needs 3^4 6
box 16 6 0,0,0,0 3x3x3x3 1
at most 96
end
";

#[test]
fn rejects_different_assumptions_of_an_orbit_lp() {
    let desk = Desk::new();
    desk.write("a.bound", BOUND);
    let said = |verdict: &str| impostor(&desk, "ndqueens-verified 1.0", verdict);
    let verdict = "accepted: at most 96 on queen:4x4x4x4; 1 inequality\\n";
    said(&format!("{verdict}needs 3x3x3x3 6\\n"));
    check(&desk, "a.bound").code(0).stdout(contains("accepted  by ndqueens-verified 1.0, an unknown build"));
    for needs in ["", "needs 3x3x3x3 7\\n", "needs 3x3x3 6\\n", "needs 3x3x3x3 6\\nneeds 2x2x2x2 0\\n"] {
        said(&format!("{verdict}{needs}"));
        check(&desk, "a.bound").code(1).stdout(
            contains("does not hold; ndqueens-verified 1.0")
                .and(contains("uses other bounds than alpha(3^4) <= 6")),
        );
    }
    said(&verdict.replace("96", "95"));
    check(&desk, "a.bound").code(1).stdout(contains("not \"accepted: at most 96 on queen:4x4x4x4\""));
}

#[test]
fn rejects_files_the_verified_checker_does_not_support() {
    let desk = Desk::new();
    impostor(&desk, "ndqueens-verified 1.0", "");
    desk.ndq("prove torus:3^2 --proof torus.proof -o torus.txt").code(0);
    desk.ndq("solve 3^2 -f domination -o dominating.txt").code(0);
    for file in ["torus.proof", "torus.txt", "dominating.txt"] {
        check(&desk, file)
            .code(2)
            .stderr(contains("accepts only proof trees, orbit LPs and independent sets of plain boxes"));
    }
    desk.write("tuples.txt", "[(0,0,0)]");
    desk.ndq("check --verified --as tuples --board 3^3 tuples.txt")
        .code(2)
        .stderr(contains("--verified is for proofs"));
}

#[test]
#[ignore = "needs the program ndqueens-verified on the path, which scripts/setup --verified builds"]
fn accepts_valid_files_and_rejects_forged_ones() {
    let desk = Desk::new();
    desk.ndq("prove 4^3 --proof a.proof.gz -o a.txt").code(0);
    desk.ndq("prove rook:2x3x3 --proof rook.proof").code(0);
    desk.ndq("lp certify 4x4x5 -f strong-clique -o cuboid.bound").code(0);
    desk.ndq("count 4^3 --proof count.proof").code(0);
    desk.ndq("count 3^3 --exactly 3 --proof below.proof.gz").code(0);
    desk.ndq("lp certify 5^5 -f strong-clique --cases 9 -o cases.bound.gz").code(0);
    desk.write("a.bound", BOUND);
    let proofs = ["a.proof.gz", "rook.proof", "count.proof", "below.proof.gz"];
    let files = ["a.txt", "cuboid.bound", "cases.bound.gz", "a.bound"].into_iter().chain(proofs);
    for file in files {
        desk.ndq(&format!("check --verified {file}")).code(0);
        let outcome = &desk.json(0, &format!("check --verified {file}"))[0];
        assert_eq!(outcome["verified"], "ndqueens-verified 1.7");
    }
    desk.ndq("prove 4^3 --proof a.proof").code(0);
    let forged = desk.read("a.proof").replace("box 4x4x4 7", "box 4x4x4 6").replace("at most 7", "at most 6");
    desk.write("forged.proof", forged);
    desk.ndq("check forged.proof").code(1);
    let alone = Command::new("ndqueens-verified").arg("proof").arg(desk.path("forged.proof")).assert();
    alone.code(1).stdout(contains("refused: line "));
    desk.write("forged.bound", BOUND.replace("box 16", "box 15"));
    let alone = Command::new("ndqueens-verified").arg("bound").arg(desk.path("forged.bound")).assert();
    alone.code(1).stdout(contains("refused: line 5: a square and its images are counted less than once"));
}

#[test]
#[ignore = "needs the program ndqueens-verified on the path, which scripts/setup --verified builds"]
fn an_archive_tells_what_is_verified() {
    let desk = Desk::new();
    desk.ndq("prove 4^3 --proof a.proof.gz -o a.txt").code(0);
    desk.ndq("lp certify 3^4 -f cube -o cube.bound").code(0);
    let command = "--data archive archive";
    desk.ndq(&format!("{command} add a.proof.gz cube.bound")).code(0);
    desk.ndq(&format!("{command} add --verified a.txt a.proof.gz cube.bound")).code(0);
    let ledger = desk.read("archive/ledger.csv");
    let verified = ledger.lines().filter(|line| line.ends_with(",ndqueens-verified 1.7")).count();
    assert_eq!(verified, ledger.lines().count() - 1, "{ledger}");
    let outcome = desk.ndq(&format!("{command} verify --verified")).code(0);
    outcome.stderr(contains(format!(
        "{verified} of them are shown by files that ndqueens-verified 1.7 accepts"
    )));
    desk.ndq("count 4^3 --proof count.proof").code(0);
    desk.ndq("count torus:3^2 --proof torus.count").code(0);
    let outcome = desk.ndq(&format!("{command} add --verified count.proof")).code(0);
    outcome.stdout(contains("accepted by ndqueens-verified 1.7, too"));
    desk.ndq(&format!("{command} add --verified torus.count"))
        .code(2)
        .stderr(contains("accepts only proof trees"));
    desk.ndq(&format!("{command} add torus.count")).code(0);
    for outcome in desk.json(0, "archive verify --verified --data archive") {
        if let Some(file) = outcome["file"].as_str().filter(|file| file.ends_with(".count.gz")) {
            let expected = file.starts_with("4^3").then_some("ndqueens-verified 1.7");
            assert_eq!(outcome.get("verified_by").and_then(|by| by.as_str()), expected, "{outcome}");
        }
    }
    desk.ndq("prove torus:3^2 --proof torus.proof").code(0);
    desk.ndq(&format!("{command} add --verified torus.proof"))
        .code(2)
        .stderr(contains("accepts only proof trees"));
}
