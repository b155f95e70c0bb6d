//! `ndq prove --engine sat` and DRAT proofs. The tests that need CaDiCaL require the feature `sat`, and are
//! ignored by default because they also run the program `rate`; scripts/test-sat runs them.

use predicates::str::contains;

use crate::harness::Desk;

#[test]
#[cfg(not(feature = "sat"))]
fn build_without_solver_explains_how_to_build_one() {
    let desk = Desk::new();
    for arguments in ["prove 4^3 --engine sat", "prove 4^3 --engine sat --proof a.drat"] {
        desk.ndq(arguments).code(2).stdout("").stderr(contains("--features sat"));
    }
    assert!(desk.names(".").is_empty());
}

#[test]
fn what_has_no_meaning_is_refused() {
    let desk = Desk::new();
    for (arguments, words) in [
        ("solve 4^3 --engine sat", "--engine sat proves a maximum: ndq prove 4^3 --engine sat"),
        ("prove 4^3 --engine sat -f cube", "are for --engine highs"),
        ("prove 4^3 --engine sat --proof a.gz", "a.gz: the name of a SAT solver's proof ends in .drat"),
        ("prove 4^3 --engine sat --proof none/a.drat", "cannot write none/a.cnf: there is no folder none"),
        ("prove 4^3 --engine sat --proof a.drat -o a.cnf", "-o names the file a.cnf, which another output"),
        ("check a.drat", "cannot read a.cnf"),
    ] {
        desk.ndq(arguments).code(2).stdout("").stderr(contains(words));
    }
    assert!(desk.names(".").is_empty());
}

#[test]
fn rejects_formula_of_another_board() {
    let desk = Desk::new();
    desk.write("a.drat", b"a\0");
    for heading in ["", "p cnf 1 1\n1 0\n", "c board 0^3\nc at least 2\n", "c board 4^3\nc at least 0\n"] {
        desk.write("a.cnf", heading);
        desk.ndq("check a.drat").code(2).stderr(contains("does not say in its first two lines"));
    }
    for (heading, question) in [
        ("c board 4^3\nc at least 7\n", "4^3 and 7 queens"),
        ("c board 2^2\nc at least 5\n", "2^2 and 5 queens"),
    ] {
        desk.write("a.cnf", format!("{heading}p cnf 1 2\n1 0\n-1 0\n"));
        let words = format!("does not hold; the formula a.cnf is not that of {question}");
        desk.ndq("check a.drat").code(1).stdout(contains(words));
    }
}

#[cfg(feature = "sat")]
mod with_a_solver {
    use assert_cmd::assert::OutputAssertExt as _;

    use super::*;

    #[test]
    #[ignore = "needs the program rate on the path"]
    fn maxima_are_proved_and_proofs_checked_again() {
        let desk = Desk::new();
        for (board, maximum) in [("4^3", 7), ("3^4", 6), ("torus:5^2", 5), ("5x4x2", 6), ("1^1", 1)] {
            let outcome = desk.ndq(&format!("prove {board} --engine sat --proof a.drat")).code(0);
            outcome.stdout(contains(format!("alpha({board}) = {maximum}: proved"))).stdout(contains(
                format!("upper bound  {maximum}: DRAT proof by CaDiCaL 3.0.1, checked by rate 0.3.0"),
            ));
            let holds = format!("a.drat: holds; at most {maximum} queen");
            desk.ndq("check a.drat").code(0).stdout(contains(holds));
            assert_eq!(desk.json(0, "check a.drat")[0]["at_most"], maximum);
        }
        desk.ndq("check a.drat --board 4^3").code(2).stderr(contains("4^3 was asked for"));
        assert_eq!(desk.names(".").len(), 2);
    }

    #[test]
    #[ignore = "needs the program rate on the path"]
    fn claims_are_judged() {
        let desk = Desk::new();
        desk.ndq("prove 4^3 --k 6 --engine sat").code(1).stdout(contains("refuted"));
        let outcome = desk.ndq("prove 4^3 --k 8 --engine sat --proof a.drat").code(1);
        outcome.stdout(contains("alpha(4^3) = 8: refuted; at most 7 queens fit"));
        desk.ndq("check a.drat").code(0);
        desk.certificate("two.txt", "4^3", &["0 0 0", "1 2 3"]);
        let outcome = desk.ndq("prove 4^3 --start two.txt --engine sat -o best.txt --record runs").code(0);
        outcome.stderr(contains("4^3: 2 queens, checked")).stdout(contains("alpha(4^3) = 7: proved"));
        desk.ndq("check best.txt").code(0);
        let record = format!("runs/{}", desk.names("runs").concat());
        desk.ndq(&format!("rerun {record}")).code(0).stdout(contains("the same answer"));
        for (flags, words) in [
            ("--work w", "--work is for --engine exact"),
            ("--threads 2", "mean nothing to the SAT solver"),
            ("--node-limit 9", "mean nothing to the SAT solver"),
        ] {
            desk.ndq(&format!("prove 4^3 --engine sat {flags}")).code(2).stdout("").stderr(contains(words));
        }
    }

    #[test]
    #[ignore = "needs the program rate on the path"]
    fn a_run_that_is_stopped_keeps_no_proof() {
        let desk = Desk::new();
        let outcome = desk.ndq("prove 8^3 --engine sat --time-limit 2 --proof a.drat").code(3);
        outcome
            .stdout(contains("alpha(8^3): not settled in this run, stopped (time limit);"))
            .stderr(contains("a.drat is not written: the run was stopped"));
        assert!(desk.names(".").is_empty());
    }

    #[test]
    fn without_a_checker_nothing_begins() {
        let desk = Desk::new();
        let mut command = desk.command();
        command.env("PATH", desk.path(".")).args(["prove", "4^3", "--engine", "sat", "--proof", "a.drat"]);
        command.assert().code(2).stdout("").stderr(contains("the program rate is not on the path"));
        assert!(desk.names(".").is_empty());
    }
}
