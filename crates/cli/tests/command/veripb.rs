//! Proofs for VeriPB as `ndq prove --veripb` writes them. The tests that run the program `veripb` are ignored
//! by default; scripts/test --all runs them.

use std::fs;
use std::io::Read as _;

use assert_cmd::assert::{Assert, OutputAssertExt as _};
use flate2::read::GzDecoder;
use predicates::str::contains;

use crate::harness::Desk;

#[test]
fn writes_formula_and_proof_and_predicts_the_size() {
    let desk = Desk::new();
    let outcome = desk.ndq("prove 5^3 --veripb a.pbp").code(0);
    outcome
        .stderr(contains("proof for VeriPB: 1666 nodes, about 0.4 MB\n"))
        .stdout(contains("alpha(5^3) = 13: proved"))
        .stdout(contains("to check it: ndq check a.pbp"));
    let (formula, proof) = (desk.read("a.opb"), desk.read("a.pbp"));
    assert!(formula.contains("\n* board 5^3"), "{formula}");
    assert!(proof.starts_with("pseudo-Boolean proof version 3.0\n"));
    assert!(proof.ends_with("-13;\nend pseudo-Boolean proof;\n"));

    let outcome = desk.ndq("prove 5^3 --veripb b.pbp.gz").code(0);
    outcome.stderr(contains("about 0.4 MB before it is gzip-compressed\n"));
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
fn rejects_unwritable_output_before_the_work() {
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
    let outcome = desk.ndq("prove 12^3 --time-limit 1 --veripb a.pbp").code(3);
    outcome.stdout(contains("no proof for VeriPB was written: the maximum is open"));
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
    // The formula of another board, a truncated formula, and a missing formula.
    desk.ndq("prove 4^3 --veripb a.pbp").code(0);
    desk.ndq("prove 3x4x4 --veripb b.pbp").code(0);
    fs::copy(desk.path("b.opb"), desk.path("a.opb")).expect("copied");
    desk.ndq("check a.pbp").code(1).stdout(contains("does not hold"));
    desk.write("a.opb", &desk.read("b.opb")[..400]);
    desk.ndq("check a.pbp --board 4^3").code(1).stdout(contains("the formula is not that of 4^3"));
    fs::remove_file(desk.path("a.opb")).expect("there");
    desk.ndq("check a.pbp").code(2).stderr(contains("cannot read a.opb"));
}

/// Two proofs that VeriPB accepts, but whose formulas differ from what they seem to be.
const FALSE_PROOFS: [(&str, &str); 2] = [
    // The constraints use other variables than the objective.
    (
        "* board 2^2, formulation base\nmin: -1 x1 -1 x2 -1 x3 -1 x4 ;\n-1 x01 -1 x02 -1 x03 -1 x04 >= -1 ;\n",
        "pseudo-Boolean proof version 3.0\nf 1;\nsoli x1 x2 x3 x4 ~x01 ~x02 ~x03 ~x04;\nrup >= 1;\noutput NONE;\n\
         conclusion BOUNDS -4 : 3 -4;\nend pseudo-Boolean proof;\n",
    ),
    // A step that is part of a comment unless carriage returns end lines.
    (
        "* board 2^2, formulation base\n-1 x1 -1 x2 >= -1 ;\n-1 x3 -1 x4 >= -1 ;\n-1 x2 -1 x3 >= -1 ;\n-1 x1 -1 x3 >= -1 ;\n\
         -1 x2 -1 x4 >= -1 ;\n-1 x1 -1 x4 >= -1 ;\n+1 x1 +1 x2 +1 x3 +1 x4 >= 1 ;\n",
        "pseudo-Boolean proof version 3.0\nf 7;\n% so\ra 1 x1 >= 2;\nrup >= 1;\noutput NONE;\n\
         conclusion UNSAT : 9;\nend pseudo-Boolean proof;\n",
    ),
];

/// Writes an executable stand-in for `veripb` that runs `script`.
fn fake(desk: &Desk, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(desk.path("bin")).expect("a folder");
    desk.write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(desk.path(&format!("bin/{name}")), executable).expect("made executable");
}

fn with_fake(desk: &Desk, arguments: &str) -> Assert {
    let mut command = desk.command();
    let path = std::env::var("PATH").expect("a path");
    command.env("PATH", format!("{}:{path}", desk.path("bin").display()));
    command.args(arguments.split_whitespace()).assert()
}

const HONEST: &str = "if [ \"$1\" = --version ]; then echo veripb 3.0.2; exit; fi\n";

#[test]
fn rejects_formulas_that_veripb_reads_differently() {
    let desk = Desk::new();
    fake(&desk, "veripb", &format!("{HONEST}echo 's VERIFIED BOUNDS -4 <= obj <= -4'"));
    for ((formula, proof), says) in
        FALSE_PROOFS.into_iter().zip(["line 3 of the formula", "control character"])
    {
        desk.write("a.opb", formula);
        desk.write("a.pbp", proof);
        with_fake(&desk, "check a.pbp").code(1).stdout(contains(says));
    }
}

#[test]
fn formula_is_read_once_and_passed_to_veripb() {
    let desk = Desk::new();
    desk.ndq("prove 3^2 --veripb a.pbp").code(0);
    let (formula, proof) = (desk.read("a.opb"), desk.read("a.pbp"));
    let keep = "cp \"$2\" formula; cp \"$3\" proof; echo 's VERIFIED BOUNDS -2 <= obj <= -2'";
    fake(&desk, "veripb", &format!("{HONEST}[ \"$1\" = --opb ] || exit 1\n{keep}"));
    // A pipe delivers its text to the first reader; a second reader gets another text.
    for (name, text) in [("a.opb", &formula), ("a.pbp", &proof)] {
        fs::remove_file(desk.path(name)).expect("there");
        nix::unistd::mkfifo(&desk.path(name), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let (path, text) = (desk.path(name), text.clone());
        std::thread::spawn(move || {
            fs::write(&path, text).expect("read by ndq");
            std::thread::sleep(std::time::Duration::from_secs(1));
            let _ = fs::write(&path, "another text");
        });
    }
    with_fake(&desk, "check a.pbp").code(0).stdout(contains("at most 2 queens fit on 3^2"));
    assert_eq!((desk.read("formula"), desk.read("proof")), (formula, proof));
}

#[test]
fn rejects_programs_that_do_not_identify_themselves() {
    let desk = Desk::new();
    desk.ndq("prove 3^2 --veripb a.pbp").code(0);
    let verdict = "echo 's VERIFIED BOUNDS -2 <= obj <= -2'";
    fake(&desk, "veripb", &format!("{HONEST}{verdict}"));
    with_fake(&desk, "check a.pbp").code(0).stdout(contains("(veripb 3.0.2)"));
    for (introduction, says) in [
        (verdict, "it says: s VERIFIED"),
        ("echo Running VeriPB version 3.0.2", "it says: Running VeriPB"),
        ("echo veripb 2.4.1", "it says: veripb 2.4.1"),
        ("echo veripb 30.0.2", "it says: veripb 30.0.2"),
        ("echo veripb 3.0.2-fork", "it says: veripb 3.0.2-fork"),
        ("echo rate 0.3.0", "it says: rate 0.3.0"),
        ("echo veripb 3.0.2; exit 1", "it says: veripb 3.0.2"),
        (":", "it says: nothing"),
        ("sleep 60", "it says: nothing for 5 s"),
    ] {
        let script = format!("if [ \"$1\" = --version ]; then\n{introduction}\nexit\nfi\n{verdict}");
        fake(&desk, "veripb", &script);
        with_fake(&desk, "check a.pbp")
            .code(2)
            .stdout("")
            .stderr(contains(says))
            .stderr(contains("to install it"));
    }
    // The verdict is compared with a known placement.
    desk.ndq("prove 4^3 --veripb b.pbp").code(0);
    fake(&desk, "veripb", &format!("{HONEST}echo 's VERIFIED BOUNDS -6 <= obj <= -6'"));
    let outcome = with_fake(&desk, "check b.pbp").code(4).stdout("");
    outcome.stderr(contains(
        "veripb 3.0.2 accepted it as a proof that at most 6 queens fit on 4^3, and here is one of 7 queens: ",
    ));
    // The time limit covers the version query.
    fake(&desk, "veripb", "if [ \"$1\" = --version ]; then sleep 60; fi");
    let outcome = with_fake(&desk, "check a.pbp --time-limit 1").code(3).stderr("");
    outcome.stdout(contains("veripb was stopped before it came to a verdict"));
    fake(&desk, "veripb", &format!("{HONEST}{verdict}; exit 1"));
    let outcome = with_fake(&desk, "check a.pbp").code(4).stdout("");
    outcome.stderr(contains(
        "veripb gave no verdict: it said that it accepts the proof, and then failed: exit status: 1",
    ));
    fake(&desk, "veripb", &format!("{HONEST}kill -9 $$"));
    with_fake(&desk, "check a.pbp").code(4).stderr(contains("veripb gave no verdict"));
}

#[test]
#[ignore = "needs the program veripb on the path"]
fn veripb_itself_would_believe_what_is_refused() {
    let desk = Desk::new();
    for (formula, proof) in FALSE_PROOFS {
        desk.write("a.opb", formula);
        desk.write("a.pbp", proof);
        desk.ndq("check a.pbp").code(1).stdout(contains("does not hold"));
        let mut veripb = std::process::Command::new("veripb");
        veripb.args(["a.opb", "a.pbp"]).current_dir(desk.path("."));
        let output = veripb.output().expect("on the path");
        assert!(String::from_utf8_lossy(&output.stdout).contains("s VERIFIED"), "{proof}");
    }
}
