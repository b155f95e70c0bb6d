//! Full disks and killed processes: no partial file looks complete, and finished files are reused.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use flate2::read::GzDecoder;
use ndqueens_system::file::digest;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::harness::Desk;

/// Runs `ndq` with files limited to `blocks` blocks of 512 bytes, or of 1024 bytes in some shells.
fn limited(desk: &Desk, blocks: u32, arguments: &str) -> Output {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" {arguments}")]);
    shell.arg(assert_cmd::cargo::cargo_bin!("ndq")).current_dir(desk.path(""));
    shell.output().expect("runs")
}

/// Checks that the command fails with one sentence that names the file, and leaves the folder unchanged.
fn does_not_fit(desk: &Desk, folder: &str, blocks: u32, arguments: &str, file: &str) {
    let sorted = || {
        let mut names = desk.names(folder);
        // All claims have been released.
        names.retain(|name| name != "claimed");
        names.sort();
        names
    };
    let before = sorted();
    let out = limited(desk, blocks, &format!("-q {arguments}"));
    let said = String::from_utf8(out.stderr).expect("UTF-8");
    assert_eq!(out.status.code(), Some(4), "{arguments}: {said}");
    assert!(said.contains(&format!("error: cannot write {file}: File too large")), "{arguments}: {said}");
    assert_eq!(said.lines().count(), 1, "{arguments}: {said}");
    assert_eq!(sorted(), before, "{arguments}");
}

#[test]
fn full_disk_leaves_no_file() {
    let desk = Desk::new();
    desk.ndq("prove split 6^3 --at-least 22 --parts 10 -o d").code(0);
    desk.ndq("prove run d --all").code(0);
    for (name, all_blocks) in [("p.gz", [0, 2, 6]), ("p.proof", [0, 2, 10])] {
        for blocks in all_blocks {
            does_not_fit(&desk, ".", blocks, &format!("prove 6^3 --proof {name}"), name);
            does_not_fit(&desk, ".", blocks, &format!("prove join d -o {name}"), name);
        }
    }
    let temporary = std::env::temp_dir().display().to_string();
    does_not_fit(&desk, ".", 0, "prove 6^3 -o best.txt", &temporary);
    does_not_fit(&desk, "d", 1, "prove join d", &temporary);
    for name in ["v.pbp", "v.pbp.gz"] {
        does_not_fit(&desk, ".", 0, &format!("prove 6^3 --veripb {name}"), &temporary);
        does_not_fit(&desk, ".", 4, &format!("prove 12^2 --veripb {name}"), "v.opb");
        does_not_fit(&desk, ".", 1000, &format!("prove 6^3 --veripb {name}"), name);
    }
    let table = include_str!("../../../../results/archive/box-table.csv");
    desk.write("t.csv", table);
    does_not_fit(&desk, ".", 4, "table boxes 2^3 -o t.csv", "t.csv");
    does_not_fit(&desk, ".", 1, "table boxes 7^3 -o t.csv", &temporary);
    assert_eq!(desk.read("t.csv"), table);
    desk.ndq("prove split 7^3 --at-least 33 --parts 1 -o e").code(0);
    does_not_fit(&desk, "e", 1, "prove run e 0", "e/part-0.proof.gz");
    desk.ndq("prove join e").code(2).stderr(contains("1 of 1 parts is missing"));
}

#[test]
fn split_can_be_repeated_after_a_full_disk() {
    let desk = Desk::new();
    for blocks in [0, 4, 20] {
        let out = limited(&desk, blocks, "prove split 6^3 --at-least 22 -o d");
        let said = String::from_utf8(out.stderr).expect("UTF-8");
        assert!(out.status.code() == Some(4) && said.contains("error: cannot write d/"), "{said}");
        for command in ["prove run d --all", "prove join d"] {
            desk.ndq(command).code(2).stderr(contains("only an unfinished one"));
        }
    }
    desk.ndq("prove split 6^3 --at-least 22 -o d").code(0);
    desk.ndq("prove run d --all").code(0);
    desk.ndq("prove join d").code(0).stdout(contains("at most 21 queens fit on 6^3: proved"));
}

#[test]
fn devices_are_not_replaced() {
    let desk = Desk::new();
    for command in ["prove 5^3 --proof", "prove 5^3 -o", "find 3^3 -o"] {
        let full = desk.ndq(&format!("{command} /dev/full")).code(4);
        full.stderr(contains("cannot write /dev/full: No space left on device"));
        desk.ndq(&format!("{command} /dev/null")).code(0);
    }
    assert!(!Path::new("/dev/full").is_file() && !Path::new("/dev/null").is_file());
    // A pipe receives the same text as a file.
    let proof = "prove 4^3 -q --proof /dev/stderr";
    let outcome =
        desk.ndq(proof).code(0).stderr(contains("ndqueens proof 2\n").and(contains("\nat most 7\nend\n")));
    desk.write("p.txt", &outcome.get_output().stderr);
    desk.ndq("check p.txt").code(0).stdout(contains("at most 7 queens fit on 4^3"));
}

/// Starts a command repeatedly and kills it after a random time, until it ends before it is killed.
fn kill_again_and_again(desk: &Desk, random: &mut ChaCha8Rng, kept: &str, arguments: &str) {
    let kept = || if desk.path(kept).exists() { desk.names(kept) } else { Vec::new() };
    let complete = |name: &String| !name.starts_with(".ndq-");
    for _ in 0..12 {
        let before: Vec<String> = kept().into_iter().filter(complete).collect();
        let mut command = desk.command();
        command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("runs");
        sleep(Duration::from_millis(random.random_range(1..150)));
        let ended = child.try_wait().expect("a child").is_some();
        child.kill().expect("it runs or has ended");
        child.wait().expect("ends");
        if ended {
            break;
        }
        let after = kept();
        assert!(before.iter().all(|name| after.contains(name)), "{arguments}: {before:?} {after:?}");
    }
    desk.ndq(arguments).code(0);
}

#[test]
fn killed_proof_equals_uninterrupted_proof() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let desk = Desk::new();
    let run = "prove 7^3 -q --proof whole.gz";
    desk.ndq(run).code(0);
    kill_again_and_again(&desk, &mut random, "w", "prove 7^3 -q --work w --proof p.gz");
    assert_eq!(fs::read(desk.path("p.gz")).ok(), fs::read(desk.path("whole.gz")).ok());
    desk.ndq("check p.gz").code(0).stdout(contains("at most 32 queens fit on 7^3"));
}

#[test]
fn killed_parts_equal_uninterrupted_parts() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let desk = Desk::new();
    let split = "prove split 7^3 --at-least 33 --parts 100 -q";
    desk.ndq(&format!("{split} -o whole")).code(0);
    desk.ndq("prove run whole --all").code(0);
    desk.ndq("prove join whole -o whole.gz").code(0);
    for _ in 0..6 {
        kill_split(&desk, &mut random, &format!("{split} -o d"));
    }
    if !desk.path("d/split.json").exists() {
        desk.ndq(&format!("{split} -o d")).code(0);
    }
    assert_eq!(desk.read("d/split.json"), desk.read("whole/split.json"));
    kill_again_and_again(&desk, &mut random, "d", "prove run d --all --threads 2");
    desk.ndq("prove join d -o p.gz").code(0).stdout(contains("at most 32 queens fit on 7^3: proved"));
    assert_eq!(fs::read(desk.path("p.gz")).ok(), fs::read(desk.path("whole.gz")).ok());
}

fn kill_split(desk: &Desk, random: &mut ChaCha8Rng, arguments: &str) {
    let mut command = desk.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("runs");
    sleep(Duration::from_millis(random.random_range(1..200)));
    child.kill().expect("it runs or has ended");
    child.wait().expect("ends");
    if !desk.path("d/split.json").exists() {
        desk.ndq("prove run d --all")
            .code(2)
            .stderr(contains("cannot read").or(contains("only an unfinished one")));
    }
}

/// Replaces a file by its uncompressed text and returns the text; commands read both forms.
fn unpack(desk: &Desk, name: &str) -> String {
    let mut text = String::new();
    GzDecoder::new(&*fs::read(desk.path(name)).expect(name)).read_to_string(&mut text).expect(name);
    desk.write(name, &text);
    text
}

#[test]
fn box_bound_too_small_proves_nothing() {
    let desk = Desk::new();
    let prove = "prove 4^3 --work w --proof p.gz -o best.txt --record r";
    desk.ndq("prove 4^3 --work w").code(0);
    let boxes = desk.names("w");
    assert_eq!(boxes.len(), 20);
    for name in boxes {
        let file = format!("w/{name}");
        let right = fs::read(desk.path(&file)).expect("kept");
        // One queen fewer, and a bound smaller by one.
        let text = unpack(&desk, &file);
        let (mut lines, mut queens) = (Vec::new(), 0);
        for line in text.lines().filter(|line| !line.starts_with("sha256 ")) {
            if line.starts_with("queen ") {
                queens += 1;
                if queens == 1 {
                    continue;
                }
            }
            let bounded: Vec<&str> = line.split(' ').collect();
            match bounded.as_slice() {
                ["box", sides, bound, how @ ..] => {
                    assert_eq!(bound.parse(), Ok(queens), "{file}");
                    lines.push(format!("box {sides} {} {}", queens - 1, how.join(" ")));
                }
                _ => lines.push(line.to_owned()),
            }
        }
        desk.write(&file, sealed(&(lines.join("\n") + "\n")));
        let refused = desk.ndq(prove).code(2).stdout("");
        let outcome = format!(
            "this step was read from {file}; delete that file, or the file of an earlier step, to compute it again"
        );
        refused.stderr(contains("refuses").and(contains(outcome)));
        desk.write(&file, right);
    }
    assert_eq!(desk.names("r").len() + usize::from(desk.path("p.gz").exists()), 0);
    assert!(!desk.path("best.txt").exists());
    // An invalid box is not used, and an unreadable box is reported.
    desk.write("w/queen-2x3x4.box.gz", [0x1f, 0x8b, 0, 1]);
    desk.write("w/queen-2x3x3.box.gz", "");
    desk.write("w/.ndq-left", "half");
    desk.write("w/notes.txt", "mine");
    desk.ndq(prove).code(0).stdout(contains("alpha(4^3) = 7: proved"));
    fs::remove_file(desk.path("w/queen-2x2x2.box.gz")).expect("there");
    fs::create_dir(desk.path("w/queen-2x2x2.box.gz")).expect("a folder");
    desk.ndq(prove).code(2).stderr(contains("cannot read w/queen-2x2x2.box.gz: it is not a plain file"));
}

/// Returns a text with its digest, in the form stored in a folder.
fn sealed(text: &str) -> String {
    format!("{text}sha256 {}\n", digest::of(text))
}

#[test]
fn parts_with_a_wrong_step_make_no_theorem() {
    let desk = Desk::new();
    desk.ndq("prove split 5^3 --at-least 14 --parts 10 -o d").code(0);
    desk.ndq("prove run d --all").code(0);
    let wrong = |name: &str, change: &dyn Fn(&str) -> String, exit: i32, words: &str| {
        let file = format!("d/{name}");
        let right = fs::read(desk.path(&file)).expect(name);
        let text = unpack(&desk, &file);
        let (whole, _) = text.trim_end().rsplit_once('\n').expect("lines, and their digest");
        let changed = change(&format!("{whole}\n"));
        assert_ne!(changed, format!("{whole}\n"));
        // A deliberate change has a matching digest.
        desk.write(&file, sealed(&changed));
        let refused = desk.ndq("prove join d -o p.gz").code(exit).stdout("");
        // A tree that lacks nodes continues with the nodes of the next part, where the error is detected.
        let outcome =
            if words == "was read from" && name == "part-3.proof.gz" { "d/part-" } else { file.as_str() };
        refused.stderr(contains(words).and(contains(outcome)));
        desk.write(&file, right);
    };
    let boxes = "boxes.proof.gz";
    wrong(boxes, &|text| text.replace("box 1x2x4 2 lines", "box 1x2x4 1 lines"), 2, "was read from");
    wrong(boxes, &|text| text.replace("box 1x2x4 2 lines\n", ""), 2, "was read from");
    let part = "part-3.proof.gz";
    let without = |kind: &'static str| {
        move |text: &str| {
            let line = text.lines().find(|line| line.starts_with(kind)).expect(kind);
            text.replacen(&format!("{line}\n"), "", 1)
        }
    };
    wrong(part, &without("nodes "), 2, "was read from");
    wrong(part, &|text| format!("{text}cover 0 /\n"), 2, "refuses");
    wrong(part, &|text| format!("{text}end\n"), 2, "refuses");
    wrong("top.tree.gz", &without("orbit "), 2, "is not the top of this split");
    wrong("top.tree.gz", &|text| text.replace("part 3\n", "part 4\n"), 2, "is not the top of this split");
    for name in [boxes, "top.tree.gz"] {
        fs::rename(desk.path(&format!("d/{name}")), desk.path("kept")).expect("there");
        desk.ndq("prove join d")
            .code(2)
            .stderr(contains(format!("cannot read d/{name}: No such file")).and(contains("makes it again")));
        fs::rename(desk.path("kept"), desk.path(&format!("d/{name}"))).expect("there");
    }
    assert!(!desk.path("p.gz").exists());
    desk.ndq("prove join d -o p.gz").code(0);
}

#[test]
fn rejects_extending_a_different_table() {
    let desk = Desk::new();
    desk.ndq("table boxes 3^3 -o t.csv").code(0);
    let right = desk.read("t.csv");
    for (row, words) in [
        (
            "queen,2x3x3,2,2,search,9",
            "line 10: its bounds 2 to 2 on 2x3x3 contradict the bounds 3 to 3 found now",
        ),
        (
            "queen,2x3x3,4,4,search,9",
            "line 10: its bounds 4 to 4 on 2x3x3 contradict the bounds 3 to 3 found now",
        ),
        ("queen,2x3x3,3,3", "it is not a table of boxes"),
        ("queen,2x3x3,many,3,search,9", "it is not a table of boxes"),
    ] {
        let of_box = |line: &&str| line.starts_with("queen,2x3x3,");
        let line = right.lines().find(of_box).expect("a row");
        let wrong = right.replace(line, row);
        desk.write("t.csv", &wrong);
        desk.ndq("table boxes 3^3 -o t.csv")
            .code(2)
            .stderr(contains("cannot extend t.csv").and(contains(words)));
        assert_eq!(desk.read("t.csv"), wrong);
    }
}

/// Results are printed even if they cannot be saved, and the files that can be saved are saved.
#[test]
fn a_result_that_cannot_be_kept_is_told() {
    let desk = Desk::new();
    desk.certificate("one.txt", "8^2", &["0 0"]);
    for (command, outcome) in [
        ("count 5^3 --density /dev/full --solutions kept.txt", "maximum solutions "),
        ("solve 4^3 -o /dev/full", "7 queens on 4^3"),
        ("find 4^3 -o /dev/full", "7 queens on 4^3, checked"),
        ("colour 7^2 -o /dev/full", "7^2 in 7 colours"),
        ("colour 7^2 --count -o /dev/full", "colourings"),
        ("extend 8^2 --include one.txt -o /dev/full", "completes to 8 queens"),
        ("lp certify 4^3 -o /dev/full", "at most 8 queens fit on 4^3"),
        ("prove 4^3 -o /dev/full", "alpha(4^3) = 7: proved"),
    ] {
        desk.ndq(command).code(4).stdout(contains(outcome)).stderr(contains("/dev/full"));
    }
    desk.ndq("check kept.txt").code(0);
}
