//! Proofs for VeriPB as `ndq prove --veripb` writes them. The tests that run the program `veripb` are ignored unless asked
//! for; scripts/test does.

use std::fs;
use std::io::Read as _;

use flate2::read::GzDecoder;
use predicates::str::contains;

use crate::desk::Desk;

#[test]
fn formula_and_proof_are_written_and_the_size_is_told_before() {
    let desk = Desk::new();
    let told = desk.ndq("prove 5^3 --veripb a.pbp").code(0);
    told.stderr(contains("proof for VeriPB: 1666 nodes, about 0.4 MB\n"))
        .stdout(contains("alpha(5^3) = 13: proved"))
        .stdout(contains("to check it: ndq check a.pbp"));
    let (formula, proof) = (desk.read("a.opb"), desk.read("a.pbp"));
    assert!(formula.contains("\n* board 5^3"), "{formula}");
    assert!(proof.starts_with("pseudo-Boolean proof version 3.0\n"));
    assert!(proof.ends_with("-13;\nend pseudo-Boolean proof;\n"));

    let told = desk.ndq("prove 5^3 --veripb b.pbp.gz").code(0);
    told.stderr(contains("about 0.4 MB before it is packed\n"));
    let mut unpacked = String::new();
    let packed = fs::read(desk.path("b.pbp.gz")).expect("written");
    GzDecoder::new(&*packed).read_to_string(&mut unpacked).expect("packed");
    assert!(unpacked == proof && desk.read("b.opb") == formula, "packed or not, it is the same");

    let written = &desk.json(0, "prove 5^3 --veripb a.pbp")[0]["veripb"];
    assert_eq!((&written["file"], &written["nodes"]), (&"a.pbp".into(), &1666.into()));
    assert_eq!(written["bytes"].as_u64(), Some(proof.len() as u64));
    assert!(desk.json(0, "prove 4^3")[0]["veripb"].is_null());
}

#[test]
fn any_board_and_any_answer_has_its_proof() {
    let desk = Desk::new();
    desk.write("points.txt", "n 4\n0 1\n1 2\n");
    for board in ["1^1", "4x2x3", "torus:4^3", "rook:3^3", "bishop:4^2", "file:points.txt"] {
        desk.ndq(&format!("prove {board} --veripb a.pbp")).code(0);
    }
    desk.ndq("prove 4^3 --k 8 --veripb a.pbp").code(1).stdout(contains("to check it: ndq check a.pbp"));
    assert!(desk.read("a.pbp").ends_with("-7;\nend pseudo-Boolean proof;\n"));
    desk.ndq("prove 4^3 --engine highs --veripb a.pbp").code(0);
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let desk = Desk::new();
    for (arguments, words) in [
        ("prove 9^3 --veripb a.txt", "a.txt: the name of a proof for VeriPB ends in .pbp or .pbp.gz"),
        ("prove 9^3 --veripb a.gz", "a.gz: the name of a proof for VeriPB ends in .pbp or .pbp.gz"),
        ("prove 9^3 --veripb none/a.pbp", "cannot write none/a.pbp: there is no folder none"),
        ("prove 9^3 --veripb a.pbp --proof a.pbp", "--proof names the file a.pbp, which another output"),
        ("prove 9^3 --veripb a.pbp --proof a.opb", "--proof names the file a.opb, which another output"),
        ("prove 9^3 --veripb a.pbp -o a.opb", "-o names the file a.opb, which another output"),
    ] {
        desk.ndq(arguments).code(2).stdout("").stderr(contains(words));
    }
    assert!(desk.names(".").is_empty());
}

#[test]
fn a_proof_that_is_stopped_is_not_there() {
    let desk = Desk::new();
    let told = desk.ndq("prove 10^3 --time-limit 1 --veripb a.pbp").code(3);
    told.stdout(contains("no proof for VeriPB was written: the maximum is open"));
    assert!(desk.names(".").is_empty());
}

#[test]
#[ignore = "needs the program veripb on the path"]
fn veripb_accepts_what_prove_writes() {
    let desk = Desk::new();
    for (board, maximum) in [("4^3", 7), ("5^3", 13), ("6^3", 21), ("3^4", 6), ("torus:4^3", 4), ("4x5x2", 6)]
    {
        for file in ["a.pbp", "a.pbp.gz"] {
            desk.ndq(&format!("prove {board} --veripb {file}")).code(0);
            let holds = format!("{file}: holds; at most {maximum} queens fit on {board}, and {maximum} do (");
            desk.ndq(&format!("check {file}")).code(0).stdout(contains(holds));
        }
    }
    // The formula of another board, one that is cut off, and none.
    desk.ndq("prove 4^3 --veripb a.pbp").code(0);
    desk.ndq("prove 3x4x4 --veripb b.pbp").code(0);
    fs::copy(desk.path("b.opb"), desk.path("a.opb")).expect("copied");
    desk.ndq("check a.pbp").code(1).stdout(contains("does not hold"));
    desk.write("a.opb", &desk.read("b.opb")[..400]);
    desk.ndq("check a.pbp --board 4^3").code(1).stdout(contains("the formula is not that of 4^3"));
    fs::remove_file(desk.path("a.opb")).expect("there");
    desk.ndq("check a.pbp").code(2).stderr(contains("cannot read a.opb"));
}
