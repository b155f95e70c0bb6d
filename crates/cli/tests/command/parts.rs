//! A proof in parts: splitting, running, resuming and joining them.

use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use ndqueens_model::board::Board;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;

fn fitting(board: &str, number: u64) -> String {
    Board::new(&board.parse().expect(board)).format_fitting(number)
}

/// Splits, runs all parts, joins, and has the proof checked.
fn is_proved(board: &str, at_least: u64, parts: usize) {
    let desk = Desk::new();
    let cut = &desk.json(0, &format!("prove split {board} --at-least {at_least} --parts {parts} -o d"))[0];
    let ran = &desk.json(0, "prove run d --all --threads 2")[0];
    assert_eq!((&ran["finished"], ran["missing"].as_u64()), (&cut["parts"], Some(0)), "{board}");
    let said = format!("at most {} on {board}: proved", fitting(board, at_least - 1));
    desk.ndq("prove join d -o p.gz").code(0).stdout(contains(said.as_str()));
    desk.ndq("check p.gz").code(0).stdout(contains(board));
    desk.ndq("prove run d --all").code(0).stdout(contains("all parts were already finished"));
}

#[test]
fn proves_that_too_many_queens_do_not_fit() {
    for (board, at_least) in
        [("5^3", 14), ("6^3", 22), ("3^4", 7), ("4x5x3", 8), ("torus:4^3", 8), ("rook:4^3", 17)]
    {
        is_proved(board, at_least, 40);
    }
    is_proved("4^3", 8, 1);
    is_proved("2^3", 2, 1000);
}

#[test]
fn queens_that_fit_are_found_in_a_part() {
    let desk = Desk::new();
    for (board, at_least) in [("5^3", 13), ("4x5x3", 7), ("torus:4^3", 4), ("2^3", 1)] {
        let folder = board.replace(':', "-");
        desk.ndq(&format!("prove split {board} --at-least {at_least} --parts 30 -o {folder}")).code(0);
        for _ in 0..2 {
            desk.ndq(&format!("prove run {folder} --all")).code(1).stdout(contains(" on "));
        }
        desk.ndq(&format!("prove join {folder}"))
            .code(1)
            .stdout(contains(format!("{} on {board}", fitting(board, at_least))));
        let found = desk
            .names(&folder)
            .into_iter()
            .filter(|name| name.ends_with(".txt"))
            .min()
            .expect("a certificate");
        let found = format!("{folder}/{found}");
        desk.ndq(&format!("check {found}")).code(0);
        // A maximum independent set also dominates, but the changed file does not claim that
        // it is independent.
        desk.write(&found, desk.read(&found).replace("independent set", "dominating set"));
        desk.ndq(&format!("check {found}")).code(0);
        desk.ndq(&format!("prove join {folder}")).code(2).stderr(contains("of a dominating set"));
    }
}

#[test]
fn boxes_left_open_by_a_limit_are_resumed() {
    let desk = Desk::new();
    let limited = desk.ndq("prove 7^3 --node-limit 0 --work w --proof p.gz").code(3);
    limited.stdout(contains("alpha(7^3): not settled in this run, stopped (node limit); 32 <= alpha <= "));
    desk.ndq("check p.gz").success();
    desk.ndq("prove 7^3 --node-limit 0 --work w").code(3);
    desk.ndq("prove 7^3 --work w").success().stdout(contains("alpha(7^3) = 32: proved"));
    let claims = desk.ndq("prove 8^3 --node-limit 0 --k 40").code(1);
    claims.stdout(contains("refuted"));
}

#[test]
fn the_effort_of_a_proof_is_estimated() {
    let desk = Desk::new();
    let outcome = desk.ndq("prove estimate 5^3 --at-least 14 --work w").success();
    outcome.stdout(contains("whether 14 queens fit on 5^3: about ").and(contains("1000 samples")));
    let trees = desk.json(0, "prove estimate 5^3 --at-least 14 --samples 20 --work w");
    assert_eq!((trees.len(), &trees[1]["samples"]), (2, &20.into()));
    desk.ndq("prove estimate 5^3 --at-least 5").code(1).stdout(contains("5 queens fit on 5^3, checked"));
    desk.ndq("prove estimate 5^3 --at-least 126").code(2);
    desk.ndq("prove estimate 20^3 --at-least 365").code(2).stderr(contains("more than 4096 squares"));
}

#[test]
fn parts_that_are_wrong_are_refused_by_name() {
    let desk = Desk::new();
    desk.ndq("prove split 5^3 --at-least 14 --parts 10 -o d").code(0);
    desk.ndq("prove split 5^3 --at-least 14 --parts 11 -o e").code(0);
    desk.ndq("prove join d").code(2).stderr(contains("are missing: 0-"));
    desk.ndq("prove run d 1").code(0).stdout(contains("1 part finished"));
    desk.ndq("prove join d").code(2).stderr(contains("are missing: 0, 2-"));
    desk.ndq("prove run d 9999").code(2).stderr(contains("there is no part 9999"));
    desk.ndq("prove run d").code(2).stderr(contains("required arguments were not provided:\n  <I|--all>"));
    desk.ndq("prove run d --all").code(0);
    desk.ndq("prove run e --all").code(0);
    let (one, kept) = (desk.path("d/part-1.proof.gz"), desk.path("kept"));
    std::fs::rename(&one, &kept).expect("moved");
    let refused = |words: &str| {
        desk.ndq("prove join d").code(2).stderr(contains("part-1.proof.gz").and(contains(words)));
        std::fs::remove_file(&one).expect("there");
    };
    let copy = |from: &Path| std::fs::copy(from, &one).expect("copied");
    // A part of another split, a part with another number, and a file that is not a part.
    copy(&desk.path("e/part-1.proof.gz"));
    refused("not a part of this split");
    copy(&desk.path("d/part-0.proof.gz"));
    refused("under a name that is not its own");
    desk.write("d/part-1.proof.gz", "nonsense");
    refused("ndq prove run d --all makes it again");
    // Truncated, as a compressed file or as text.
    let whole = std::fs::read(&kept).expect("there");
    desk.write("d/part-1.proof.gz", &whole[..whole.len() - 9]);
    refused("cannot read d/part-1.proof.gz");
    // A damaged part is not reported as missing, and is run again.
    let cut_short = &whole[..whole.len() - 9];
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    // A compressed text of excessive length.
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::copy(&mut std::io::repeat(b'0').take(1 << 30), &mut bomb).expect("a vector grows");
    let bomb = bomb.finish().expect("a vector grows");
    for damaged in [cut_short, &flipped, &bomb, &[0x1f, 0x8b, 0], b"nonsense"] {
        for run in ["prove run d --all", "prove run d 1"] {
            desk.write("d/part-1.proof.gz", damaged);
            let words = "note: d/part-1.proof.gz is damaged; its part is run again";
            desk.ndq(run).code(0).stdout(contains("1 part finished")).stderr(contains(words));
            assert_eq!(std::fs::read(&one).expect("there"), whole);
        }
    }
    // The box bounds and the tree above the parts, which all parts share, are also made again.
    for name in ["boxes.proof.gz", "top.tree.gz"] {
        let file = format!("d/{name}");
        let whole = std::fs::read(desk.path(&file)).expect("there");
        for damaged in [Some(&whole[..whole.len() / 2]), None] {
            match damaged {
                Some(damaged) => desk.write(&file, damaged),
                None => std::fs::remove_file(desk.path(&file)).expect("there"),
            }
            let outcome = desk.ndq("prove join d").code(2);
            outcome.stderr(
                contains(format!("cannot read {file}")).and(contains("ndq prove run d --all makes it again")),
            );
            desk.ndq("prove run d 1").code(0).stderr("");
            desk.ndq("prove run d --all").code(0).stderr(contains(&file).and(contains("; it is made again")));
            assert_eq!(std::fs::read(desk.path(&file)).expect("made again"), whole);
            assert!(!desk.path("d/boxes").exists());
        }
    }
    // The same part under two names.
    copy(&kept);
    std::fs::copy(&kept, desk.path("d/part-01.proof.gz")).expect("copied");
    desk.ndq("prove join d").code(2).stderr(contains("part-01.proof.gz"));
    std::fs::remove_file(desk.path("d/part-01.proof.gz")).expect("there");
    desk.ndq("prove join d").code(0);
    // A manifest of another split, and a folder that is in use.
    desk.write("d/split.json", desk.read("d/split.json").replace("\"at_least\": 14", "\"at_least\": 13"));
    desk.ndq("prove join d").code(2).stderr(contains("it has been changed"));
    desk.ndq("prove split 5^3 --at-least 14 -o d")
        .code(2)
        .stderr(contains("there is a split in this folder"));
    for queens in ["0", "126", "4294967309", "18446744073709551615"] {
        let refused = desk.ndq(&format!("prove split 5^3 --at-least {queens} -o f")).code(2);
        refused.stderr(contains("5^3 has 125 squares, so the number of queens must be from 1 to 125"));
    }
    assert!(!desk.path("f").exists());
    desk.ndq("prove join none").code(2).stderr(contains("none: there is no split in this folder"));
}

/// Starts `prove run --all` and waits until it has finished a few parts.
fn running(desk: &Desk) -> Child {
    let mut command = desk.command();
    command.args(["prove", "run", "d", "--all"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("runs");
    let (before, begin) = (parts(desk), Instant::now());
    while parts(desk) < before + 3 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(child.try_wait().expect("a child").is_none(), "it is done already");
    child
}

fn parts(desk: &Desk) -> usize {
    desk.names("d").iter().filter(|name| name.starts_with("part-")).count()
}

#[test]
fn killed_or_stopped_run_of_parts_resumes() {
    let desk = Desk::new();
    desk.ndq("prove split 4x4x5x5 --at-least 26 --parts 100 --threads 2 -o d").code(0);
    for (signal, code) in [(Signal::SIGKILL, None), (Signal::SIGINT, Some(3))] {
        let before = parts(&desk);
        let mut child = running(&desk);
        kill(Pid::from_raw(child.id().try_into().expect("a process id")), signal).expect("it runs");
        let status = child.wait().expect("ends");
        assert_eq!(status.code(), code, "{:?}", status.signal());
        assert!(parts(&desk) >= before + 3);
    }
    let there = parts(&desk) as u64;
    let ran = &desk.json(0, "prove run d --all --threads 2")[0];
    assert_eq!(ran["finished"].as_u64().map(|n| n + there), ran["parts"].as_u64());
    desk.ndq("prove join d").code(0).stdout(contains("at most 25 queens fit on 4x4x5x5: proved"));
}

#[test]
fn stopped_prove_resumes_with_its_boxes() {
    let desk = Desk::new();
    let arguments = "prove 6x6x9 --work w --proof p.gz";
    let mut command = desk.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("runs");
    let begin = Instant::now();
    let boxes = || if desk.path("w").exists() { desk.names("w") } else { Vec::new() };
    while boxes().len() < 60 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    assert_eq!(child.wait().expect("ends").code(), None);
    // A box file that is truncated, or whose content does not match its name, is settled again.
    let whole = std::fs::read(desk.path("w/queen-3x4x5.box.gz")).expect("settled");
    desk.write("w/queen-3x4x5.box.gz", &whole[..whole.len() / 2]);
    std::fs::copy(desk.path("w/queen-2x2x3.box.gz"), desk.path("w/queen-2x2x2.box.gz")).expect("copied");
    desk.ndq(arguments).code(0).stdout(contains("alpha(6x6x9) = ").and(contains(": proved")));
    desk.ndq("check p.gz").code(0);
    let again = Instant::now();
    desk.ndq(arguments).code(0).stdout(contains("alpha(6x6x9) = ").and(contains(": proved")));
    assert!(again.elapsed() < begin.elapsed(), "nothing was kept");
    // Boxes that rest on a lost box wait until it is settled again.
    desk.ndq("prove 7^3 --work v").code(0);
    for lost in ["5x5x7", "5x7x7", "6x6x7"] {
        std::fs::remove_file(desk.path(&format!("v/queen-{lost}.box.gz"))).expect("settled");
        desk.ndq("prove 7^3 --work v").code(0).stdout(contains("alpha(7^3) = 32: proved"));
    }
    desk.ndq("prove torus:4^3 --work w").code(2).stderr(contains("ndq prove split"));
    desk.ndq("prove 4^3 --engine highs --work w").code(2).stderr(contains("--engine exact"));
}

#[test]
fn folder_holds_one_split_at_a_time() {
    let desk = Desk::new();
    let mut command = desk.command();
    command
        .args("prove split 10^3 --at-least 92 -o d".split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut first = command.spawn().expect("runs");
    while !desk.path("d/boxes").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = desk.ndq("prove split 6^3 --at-least 22 -o d").code(4);
    second.stderr(contains(format!("process {} is changing it", first.id())));
    assert!(!desk.path("d/split.json").exists());
    kill(Pid::from_raw(first.id().try_into().expect("an id")), Signal::SIGKILL).expect("it runs");
    first.wait().expect("ends");
    desk.ndq("prove split 6^3 --at-least 22 -o d").code(0);
}

#[test]
fn sub_boxes_have_a_limit_of_their_own() {
    let desk = Desk::new();
    let outcome = desk.ndq("prove 6^3 --box-limit 0 --proof p.gz --record runs").code(0);
    outcome.stdout(contains("alpha(6^3) = 21: proved"));
    desk.ndq("check p.gz").code(0).stdout(contains("at most 21 queens fit on 6^3"));
    let record = format!("runs/{}", desk.names("runs").concat());
    assert!(desk.read(&record).contains("\"box_limit\": 0"));
    desk.ndq(&format!("rerun {record}")).code(0).stdout(contains("the same answer"));
    // The number of nodes differs from a proof with sub-boxes.
    let nodes = |file: &str| desk.json(0, &format!("check {file}"))[0]["nodes"].as_u64().expect("nodes");
    desk.ndq("prove 6^3 --proof q.gz").code(0);
    assert_ne!(nodes("p.gz"), nodes("q.gz"));
}
