//! Outcomes of `ndq check`: shown, refuted, not checked, and unreadable.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::harness::{Desk, case};

const LEDGER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/archive/ledger");

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crosscheck/tests/vectors/refused");

const CERTIFICATE: &str = "ndqueens certificate 1\nboard: 3^3\nproblem: independent set\nsize: 4\norigin: by hand\n\
                           0 0 0\n0 1 2\n1 2 0\n2 0 1\n";

/// Checks that a file is reported as not checked for a reason, as text and as JSON.
fn assert_not_checked(desk: &Desk, arguments: &str, reason: &str) {
    desk.ndq(arguments).code(3).stdout(contains("not checked; ").and(contains(reason)));
    let outcome = &desk.json(3, arguments)[0];
    assert_eq!(
        (&outcome["verdict"], &outcome["holds"], &outcome["checked"]),
        (&json!("not checked"), &Value::Null, &json!(false))
    );
    assert!(outcome["fault"].as_str().expect("a reason").contains(reason), "{outcome}");
}

#[test]
fn reports_a_time_limit_as_not_checked() {
    let desk = Desk::new();
    for proof in ["12^3.proof.gz", "5^4.proof.gz"] {
        let arguments = format!("check {LEDGER}/{proof} --time-limit 0.01");
        assert_not_checked(&desk, &arguments, "the check was stopped");
    }
}

#[test]
fn reports_files_as_not_checked_after_an_interrupt() {
    let desk = Desk::new();
    let proof = format!("{LEDGER}/5^4.proof.gz");
    let child = desk
        .command()
        .args(["check", &proof, &proof])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    thread::sleep(Duration::from_millis(300));
    kill(Pid::from_raw(child.id().try_into().expect("a process id")), Signal::SIGINT).expect("it runs");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(3));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.matches("not checked; the check was stopped before its end").count(), 2, "{printed}");
}

#[test]
fn reports_limits_of_the_checker_as_not_checked() {
    let desk = Desk::new();
    for (file, reason) in [
        ("squares-many.proof", "more than 4096 squares"),
        ("number-large.proof", "numbers are below 2^64"),
        ("bound-largest.proof", "less than 2^64 - 1"),
        ("list-long.proof", "67108864 squares in all"),
        ("steps-many.proof", "more than 16777216 steps"),
        ("bound-number.bound", "numbers are below 2^64"),
        ("bound-denominator.bound", "more than 16384 binary digits"),
        ("bound-digits.bound", "more than 10000 digits"),
        ("bound-orbits.bound", "more than 4194304 orbits"),
    ] {
        assert_not_checked(&desk, &format!("check {VECTORS}/{file}"), reason);
    }
}

#[test]
fn nested_case_splits_share_one_step_limit() {
    let desk = Desk::new();
    let split = "layers 1 / 9-11 1 / 0-8 14\n";
    let body = "nodes a\n";
    let text = format!(
        "ndqueens proof 2\nboard 12^2\nbox 1x12 12 lines\nbox 12x12 18 search\norder lexicographic\n{}{body}at most 18\nend\n",
        split.repeat(200)
    );
    desk.write("a.proof", text);
    let begin = Instant::now();
    assert_not_checked(&desk, "check a.proof", "more than 16777216 steps");
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn large_denominators_take_linear_time() {
    let desk = Desk::new();
    let row = |i: u64| format!("clique 1/{} 0,0\n", 1_000_000_000_000_000_001 + 7 * i);
    let bound = |rows: u64| {
        let rows: String = (0..rows).map(row).collect();
        format!("ndqueens bound 1\nboard 3^2\n{rows}clique 4 0,0 0,1 1,0 1,1\nat most 4\nend\n")
    };
    desk.write("few.bound", bound(100));
    desk.ndq("check few.bound").code(0).stdout(contains("holds; at most 4 queens"));
    desk.write("many.bound", bound(20_000));
    let begin = Instant::now();
    assert_not_checked(&desk, "check many.bound", "the common denominator");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn unreadable_files_are_not_refuted() {
    let desk = Desk::new();
    let (proof, bound) =
        (format!("{VECTORS}/count-short.proof"), "ndqueens bound 1\nboard 3^2\nclique 1 0,0\n");
    let whole = fs::read_to_string(proof).expect("a vector");
    for (name, text, kind) in [
        ("a.proof", &whole[..whole.len() / 2], "a proof tree"),
        ("b.proof", "ndqueens proof 1\nboard 3^2\n", "a proof tree"),
        ("c.bound", bound, "a bound by an orbit LP"),
        ("d.bound", "ndqueens bound 7\nboard 3^2\n", "a bound by an orbit LP"),
    ] {
        desk.write(name, text);
        let words = format!("cannot be read as {kind}");
        desk.ndq(&format!("check {name}")).code(2).stderr(contains(words)).stdout("");
    }
    let older = case("R13-older-proof.txt");
    let words =
        "cannot be read as a proof tree: line 1 of the proof: a proof must begin with \"ndqueens proof 2\"";
    desk.ndq(&format!("check {}", older.display())).code(2).stderr(contains(words)).stdout("");
    let plain = case("R13-certificate.txt");
    desk.ndq(&format!("check {}", plain.display())).code(0).stdout(contains("holds; 4 squares of 4^2"));
}

#[test]
fn damaged_compressed_files_are_not_refuted() {
    let desk = Desk::new();
    desk.ndq("prove 4^3 --proof a.proof.gz").success();
    desk.ndq("lp certify 4x4x5 -f strong-clique -o a.bound.gz").success();
    for (whole, damaged) in [("a.proof.gz", "b.proof.gz"), ("a.bound.gz", "b.bound.gz")] {
        let bytes = desk.read_bytes(whole);
        // The gzip header holds a time and other bytes without meaning here.
        for at in (10..bytes.len()).step_by(4) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            desk.write(damaged, &changed);
            desk.ndq(&format!("check {damaged}")).code(2).stdout("");
        }
        // A file whose text is false is refuted.
        let mut text = String::new();
        let mut packed = flate2::read::GzDecoder::new(bytes.as_slice());
        std::io::Read::read_to_string(&mut packed, &mut text).expect("text");
        let (before, most) = text.rsplit_once("at most ").expect("a bound");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let forged = format!("{before}at most 1{}", most.trim_start_matches(|c: char| c.is_ascii_digit()));
        std::io::Write::write_all(&mut packer, forged.as_bytes()).expect("memory");
        desk.write(damaged, packer.finish().expect("memory"));
        desk.ndq(&format!("check {damaged}")).code(1).stdout(contains("does not hold"));
    }
}

#[test]
fn archive_add_does_not_refute_unchecked_files() {
    let desk = Desk::new();
    desk.ndq(&format!("archive add --data data {VECTORS}/steps-many.proof"))
        .code(3)
        .stderr(contains("was not checked").and(contains("steps")));
    desk.ndq(&format!("archive add --data data {VECTORS}/header.proof")).code(2);
}

#[test]
fn numbers_of_a_ledger_have_no_sign() {
    let desk = Desk::new();
    desk.write("a.txt", CERTIFICATE);
    desk.ndq("archive add --data data a.txt").code(0);
    desk.ndq("archive verify --data data").code(0);
    let ledger = desk.read("data/ledger.csv");
    assert!(ledger.contains(",lower,4,"), "{ledger}");
    for number in ["+4", "04", "-4", "4 "] {
        desk.write("data/ledger.csv", ledger.replace(",lower,4,", &format!(",lower,{number},")));
        desk.ndq("archive verify --data data").code(2).stderr(contains("is not a number"));
    }
}

#[test]
fn open_conditions_are_reported_as_conditional() {
    let desk = Desk::new();
    let text =
        "ndqueens bound 1\nboard 28^3\nneeds 14^3 193\nbox 8 193 0,0,0 14x14x14 1\nat most 1544\nend\n";
    desk.write("a.bound", text);
    desk.ndq("check a.bound").code(3).stdout(contains("holds conditionally").and(contains("holds if")));
    let outcome = &desk.json(3, "check a.bound")[0];
    assert_eq!((&outcome["verdict"], &outcome["holds"]), (&json!("holds conditionally"), &Value::Null));
    assert_eq!(
        (&outcome["checked"], outcome["conditions"].as_array().map(Vec::len)),
        (&json!(false), Some(1))
    );
    desk.write("b.bound", "ndqueens bound 1\nboard 2^2\nclique 1 0,0 0,1 1,0 1,1\nat most 1\nend\n");
    let outcome = &desk.json(0, "check b.bound")[0];
    assert_eq!(
        (&outcome["verdict"], &outcome["holds"], &outcome["checked"]),
        (&json!("holds"), &json!(true), &json!(true))
    );
}

#[test]
fn certificates_have_plain_numbers_and_no_mark() {
    let desk = Desk::new();
    desk.write("a.txt", CERTIFICATE);
    desk.ndq("check a.txt").code(0);
    for (from, to, place) in [
        ("0 1 2", "0 +1 2", "line 7, column 3"),
        ("0 1 2", "0 01 2", "line 7, column 3"),
        ("0 1 2", "0\t1 2", "line 7, column 2"),
        ("size: 4", "size: +4", "line 4, column 7"),
        ("board: 3^3", "board: 03^3", "line 2, column 8"),
        ("ndqueens", "\u{feff}ndqueens", "line 1, column 1"),
    ] {
        desk.write("b.txt", CERTIFICATE.replacen(from, to, 1));
        desk.ndq("check b.txt").code(2).stderr(contains(place));
    }
}

/// Installs a stand-in for the verified checker that copies its input file and accepts it.
fn copying_checker(desk: &Desk) {
    let program = "#!/bin/sh\nif [ $1 = --version ]; then echo 'ndqueens-verified 1.3'; else cat \"$2\" >seen\n\
                   echo 'accepted: at least 4 on queen:3x3x3'; fi\n";
    desk.write("ndqueens-verified", program);
    fs::set_permissions(desk.path("ndqueens-verified"), Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn verified_checker_receives_the_bytes_of_the_file() {
    let desk = Desk::new();
    copying_checker(&desk);
    let path = format!("{}:/usr/bin:/bin", desk.path("").display());
    let check = |arguments: &[&str]| {
        let mut command = desk.command();
        command.args(["check", "--verified", "a.txt"]).args(arguments).env("PATH", &path);
        assert_cmd::assert::OutputAssertExt::assert(&mut command)
    };
    for text in [
        CERTIFICATE.to_owned(),
        CERTIFICATE.replace('\n', "\r\n"),
        CERTIFICATE.replace("0 0 0", "# none\n 0 0 0"),
    ] {
        desk.write("a.txt", &text);
        check(&[]).code(0).stdout(contains("an unknown build").and(contains("proved correct").not()));
        assert_eq!(desk.read("seen"), text);
    }
    let outcome = check(&["--json"]).get_output().stdout.clone();
    let outcome: Value = serde_json::from_slice(&outcome).expect("JSON");
    assert_eq!(outcome["verified_build"], "an unknown build");
    let digest = ndqueens_system::file::digest::of(desk.read_bytes("ndqueens-verified"));
    desk.write("ndqueens-verified.sha256", format!("{digest}\n"));
    check(&[]).code(0).stdout(contains("which is proved correct").and(contains(&digest)));
    desk.write("ndqueens-verified.sha256", format!("{}\n", "0".repeat(64)));
    check(&[]).code(0).stdout(contains("an unknown build"));
}

#[test]
fn vipr_files_show_bounds() {
    let desk = Desk::new();
    let vectors = format!("{VECTORS}/../vipr");
    desk.ndq(&format!("check {vectors}/accepted/range.vipr"))
        .success()
        .stdout(contains("holds; at most 2 queens fit on 3^2, and 2 do (13 derived constraints)"));
    let outcome = &desk.json(0, &format!("check {vectors}/accepted/infeasible.vipr"))[0];
    assert_eq!(
        (
            &outcome["verdict"],
            &outcome["board"],
            &outcome["at_most"],
            &outcome["attained"],
            &outcome["derivations"]
        ),
        (&json!("holds"), &json!("3^2"), &json!(2), &json!(false), &json!(13))
    );
    let text = fs::read(format!("{vectors}/accepted/tree.vipr")).expect("a file");
    desk.write("plain", &text);
    desk.ndq("check plain").success().stdout(contains("at most 1 queen fits on 2^2 (9 derived constraints)"));
    let mut packed = Vec::new();
    ndqueens_system::file::packed::write(&mut packed, flate2::Compression::fast(), |out| {
        std::io::Write::write_all(out, &text)
    })
    .expect("a vector");
    desk.write("tree.vipr.gz", &packed);
    desk.ndq("check tree.vipr.gz").success().stdout(contains("at most 1 queen fits on 2^2"));
    packed.pop();
    desk.write("cut.vipr.gz", &packed);
    desk.ndq("check cut.vipr.gz").code(2).stderr(contains("it cannot be read as a VIPR file"));
    desk.ndq(&format!("check {vectors}/refused/fractional-split.vipr")).code(1).stdout(contains(
        "does not hold; line 22 of the VIPR file: the right side of a split must be an integer",
    ));
    assert_not_checked(
        &desk,
        &format!("check {vectors}/refused/weak.vipr"),
        "the extension \"weak\" is not supported",
    );
    desk.write("other.vipr", b"VER 1.0\nVAR 1\nx\n");
    desk.ndq("check other.vipr").code(2).stderr(contains("the first line must be \"% ndqueens vipr 1\""));
    desk.ndq("check missing.vipr").code(2).stderr(contains("missing.vipr"));
}

#[test]
fn vipr_files_of_scip_need_the_question() {
    let desk = Desk::new();
    let read = |name: &str| {
        let text = fs::read_to_string(format!("{VECTORS}/../vipr/scip/{name}.vipr")).expect(name);
        text[text.find("VER").expect("the version")..].to_owned()
    };
    desk.write("three.vipr", read("maximum").as_bytes());
    desk.ndq("check three.vipr")
        .code(2)
        .stderr(contains("\"% ndqueens vipr 2\" for a file of another program"));
    desk.ndq("model 3^2 -f base -o three.lp").success();
    let holds = "three.vipr: holds; at most 2 queens fit on 3^2, and 2 do (37 derived constraints)";
    desk.ndq("check three.vipr --model three.lp").success().stdout(contains(holds));
    desk.ndq("check three.vipr --board 3^2 -f base").success().stdout(contains(holds));
    desk.ndq("check three.vipr --board 3^2 -f base --at-least 3")
        .code(1)
        .stdout(contains("line 54 of the VIPR file: the constraint").and(contains("of 3^2 is missing")));
    desk.ndq("check three.vipr --board torus:3^2 -f base")
        .code(1)
        .stdout(contains("of the program of torus:3^2 is missing"));
    desk.ndq("check three.vipr --model three.lp -o x.txt").code(2).stderr(contains("is not a certificate"));
    desk.ndq("check three.vipr --model three.lp --exactly 3").code(2).stderr(contains("goal"));
    desk.write("more.vipr", read("at-least").as_bytes());
    desk.ndq("model 3^2 -f base --at-least 3 -o more.lp").success();
    desk.ndq("check more.vipr --model more.lp")
        .success()
        .stdout(contains("holds; at most 2 queens fit on 3^2"));
    desk.ndq("check more.vipr --model three.lp").code(1).stdout(contains("the objective is not that"));
    desk.write("included.vipr", read("included").as_bytes());
    desk.write(
        "corner.txt",
        b"ndqueens certificate 1\nboard: 4^2\nproblem: independent set\nsize: 1\norigin: a corner\n0 0\n",
    );
    desk.ndq("check included.vipr --board 4^2 -f base --at-least 4 --include corner.txt")
        .success()
        .stdout(contains("at most 3 queens fit on 4^2, with 1 queen included"));
    desk.write("weak.vipr", read("weak").as_bytes());
    assert_not_checked(
        &desk,
        "check weak.vipr --board 5^2 -f base",
        "the extension \"weak\" is not supported: complete the file first, for example with viprcomp",
    );
    desk.write("dominating.vipr", read("dominating").as_bytes());
    desk.ndq("check dominating.vipr --board 4^2 -f domination")
        .success()
        .stdout(contains("at least 2 queens dominate 4^2, and 2 do"));
}
