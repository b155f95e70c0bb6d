//! Files are synced to disk before they are renamed, and their folder is synced before success is reported. A
//! preloaded library logs the calls of `fsync` and `fdatasync`.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::harness::Desk;

/// Compiles the library in the test folder.
fn teller(desk: &Desk) -> PathBuf {
    desk.write("syncs.c", include_str!("syncs.c"));
    let library = desk.path("syncs.so");
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(desk.path("syncs.c")).status();
    assert!(compiled.expect("a C compiler").success());
    library
}

/// Runs a command that writes the file `target`, with failing syncs if `fails` is `true`.
fn run(desk: &Desk, line: &str, target: &str, fails: bool) -> Output {
    let mut command = desk.command();
    command.args(line.split_whitespace()).env("LD_PRELOAD", desk.path("syncs.so"));
    command.env("SYNC_TARGET", desk.path(target)).env("SYNC_LOG", desk.path("log"));
    if fails {
        command.env("SYNC_FAILS", "1");
    }
    command.output().expect("runs")
}

const WRITERS: [(&str, &str); 10] = [
    ("prove 4^3 --proof p.gz", "p.gz"),
    ("prove 4^3 -o best.txt", "best.txt"),
    ("find 5^3 --method search --rounds 1 -o found.txt", "found.txt"),
    ("lp certify 3^3 -o b.bound", "b.bound"),
    ("model 3^3 -o m.lp", "m.lp"),
    ("table boxes 3^3 -o t.csv", "t.csv"),
    ("draw 3^3 -o x.svg", "x.svg"),
    ("prove split 5^3 --at-least 14 --parts 3 -o d", "d/split.json"),
    ("archive add p.gz --data a", "a/ledger.csv"),
    ("archive add found.txt --data a", "a/certificates/5^3.txt"),
];

#[cfg(target_os = "linux")]
#[test]
fn files_are_synced_before_rename_and_success() {
    let desk = Desk::new();
    teller(&desk);
    for (line, target) in WRITERS {
        desk.write("log", "");
        let out = run(&desk, line, target, false);
        assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
        let path = desk.path(target).canonicalize().expect(target);
        let folder = path.parent().expect("a folder").display().to_string();
        let log = desk.read("log");
        let lines: Vec<&str> = log.lines().collect();
        let written = format!("absent {folder}/.ndq-");
        let file = lines.iter().position(|line| line.starts_with(&written));
        let name = lines.iter().rposition(|line| *line == format!("there {folder}"));
        assert!(file.is_some() && file < name, "{line}: {lines:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn failed_sync_is_not_reported_as_written() {
    let desk = Desk::new();
    teller(&desk);
    for (line, target) in WRITERS {
        let out = run(&desk, line, target, true);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(4), "{line}: {said}");
        assert!(said.contains("Input/output error"), "{line}: {said}");
        assert!(!desk.path(target).exists(), "{line}");
        // The next run without failures succeeds, and its file is not replaced if a later sync fails.
        assert!(run(&desk, line, target, false).status.success(), "{line}");
        let before = desk.read_bytes(target);
        run(&desk, line, target, true);
        assert_eq!(desk.read_bytes(target), before, "{line}");
    }
}
