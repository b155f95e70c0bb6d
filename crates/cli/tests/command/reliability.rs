//! Concurrent writers, damaged files, ignored signals, and programs that do not end: docs/reliability.md.

use std::fs::Permissions;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;
use crate::lab::desk_with;

fn start(desk: &Desk, arguments: &str) -> Child {
    let mut command = desk.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("runs")
}

fn all_succeed(children: Vec<Child>) {
    for mut child in children {
        assert_eq!(child.wait().expect("ends").code(), Some(0));
    }
}

#[test]
fn many_writers_of_a_table_lose_no_row() {
    let desk = Desk::new();
    let boards =
        ["2^3", "2x2x3", "2x3x3", "3^3", "bishop:2^2", "bishop:2^3", "rook:2^2", "rook:2^3", "2^4", "2x5"];
    for round in 0..5 {
        let table = format!("t{round}.csv");
        all_succeed(
            boards.iter().map(|board| start(&desk, &format!("table boxes {board} -o {table}"))).collect(),
        );
        let before = desk.read(&table);
        for board in boards {
            desk.ndq(&format!("table boxes {board} -o {table}")).success();
        }
        assert_eq!(desk.read(&table), before, "every row was there");
    }
    assert_eq!(desk.names(".").len(), 5, "no lock is left");
}

#[test]
fn concurrent_archive_writers_lose_nothing() {
    let desk = Desk::new();
    let boards = ["2^3", "3^3", "4^3", "3^4", "5^3", "bishop:3^3"];
    for (number, board) in boards.iter().enumerate() {
        desk.ndq(&format!("prove {board} --proof {number}.gz")).code(0);
    }
    // Better and worse certificates of one board: the best is kept, in any order.
    desk.ndq("prove 5^3 -o 13.txt").code(0);
    let best = desk.read("13.txt");
    for size in 8..13 {
        let fewer: Vec<&str> = best.trim_end().lines().collect();
        let fewer = fewer[..fewer.len() - (13 - size)].join("\n");
        desk.write(&format!("{size}.txt"), fewer.replace("size: 13", &format!("size: {size}")) + "\n");
    }
    for round in 0..3 {
        let proofs = (0..boards.len())
            .map(|number| start(&desk, &format!("archive add {number}.gz --data a{round}")))
            .collect();
        let certificates: Vec<Child> = [10, 13, 8, 12, 9, 11]
            .map(|size| start(&desk, &format!("archive add {size}.txt --data a{round}")))
            .into();
        all_succeed(proofs);
        all_succeed(certificates);
        let kept = desk.ndq(&format!("archive verify --data a{round}")).code(0);
        let kept = String::from_utf8_lossy(&kept.get_output().stdout).into_owned();
        for board in boards {
            assert!(kept.contains(&format!("alpha({board}) ")), "the row of {board} was lost:\n{kept}");
        }
        desk.ndq(&format!("check a{round}/certificates/5^3.txt"))
            .code(0)
            .stdout(contains("13 squares of 5^3"));
    }
}

#[test]
fn records_of_one_second_have_distinct_names() {
    let desk = Desk::new();
    all_succeed((0..8).map(|_| start(&desk, "solve 2^3 --record r")).collect());
    assert_eq!(desk.names("r").len(), 8);
}

#[test]
fn search_keeps_a_better_set_of_another_command() {
    let desk = Desk::new();
    let mut search = desk.command();
    search.args(
        "--json find bishop:20^3 --method search --symmetry none --time-limit 4 -o best.txt".split(' '),
    );
    let search = search.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("runs");
    while !desk.path("best.txt").exists() {
        sleep(Duration::from_millis(1));
    }
    let better = &desk.json(0, "find bishop:20^3 --method search --rounds 30 -o best.txt")[0]["queens"];
    let best = desk.read("best.txt");
    let out = search.wait_with_output().expect("ends").stdout;
    let found: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
    let improvements = found["improvements"].as_array().expect("a list");
    let last = improvements.last().and_then(|last| last["queens"].as_u64());
    assert!(last < better.as_u64(), "{last:?}: the file was to be the better one");
    assert_eq!(found["queens"], *better, "what is there already is told");
    assert_eq!(desk.read("best.txt"), best);
}

#[test]
fn changed_part_of_colouring_count_is_searched_again() {
    let desk = Desk::new();
    let run = "colour 11^2 --count --work w";
    assert_eq!(desk.json(0, run)[0]["colourings"], 8);
    let whole = desk.read("w/done.jsonl");
    let line = whole.lines().find(|line| !line.contains("\"colourings\":[]")).expect("a colouring");
    let (head, found) = line.split_once("\"colourings\":[").expect("its colourings");
    let found = found.strip_suffix("]}").expect("the end");
    let changed = [
        format!("{head}\"colourings\":[]}}"),
        format!("{head}\"colourings\":[{found},{found}]}}"),
        line.replacen("{\"sha256\":", "{\"shb256\":", 1),
        // The format of earlier versions.
        format!("{{{}", line.split_once("\",").expect("a digest").1),
        "\u{0}\u{0}".to_owned(),
    ];
    for changed in changed {
        desk.write("w/done.jsonl", whole.replace(line, &changed));
        let outcome = desk.ndq(&format!("--json {run}")).code(0);
        outcome.stdout(contains("\"colourings\":8")).stderr(contains("w/done.jsonl: changed in line "));
    }
    // Repeated identical lines count once.
    desk.write("w/done.jsonl", whole.clone() + &whole);
    desk.ndq(&format!("--json {run}"))
        .code(0)
        .stdout(contains("\"colourings\":8"))
        .stderr(contains("note").not());
}

#[test]
fn concurrent_colouring_runs_lose_no_part() {
    let desk = Desk::new();
    let run = "colour 11^2 --count --work w";
    all_succeed((0..4).map(|_| start(&desk, run)).collect());
    let outcome = desk.ndq(&format!("--json {run}")).code(0);
    outcome.stdout(contains("\"colourings\":8")).stderr(contains("note").not());
}

#[test]
fn box_with_flipped_byte_is_settled_again() {
    let desk = Desk::new();
    desk.ndq("prove 4^3 -q --work w --proof p.gz").code(0);
    let proof = std::fs::read(desk.path("p.gz")).expect("kept");
    let file = "w/queen-3x4x4.box.gz";
    let right = std::fs::read(desk.path(file)).expect("kept");
    // Bytes of the checksum, bytes of the length, and some in the middle.
    for place in (right.len() - 8..right.len()).chain([right.len() / 3, right.len() / 2]) {
        let mut damaged = right.clone();
        damaged[place] ^= 1;
        desk.write(file, &damaged);
        let outcome = desk.ndq("prove 4^3 -q --work w --proof p.gz").code(0);
        outcome.stderr(contains(format!("{file} is damaged")).and(contains("settled again")));
        assert_eq!(std::fs::read(desk.path("p.gz")).ok().as_ref(), Some(&proof), "byte {place}");
        assert_eq!(std::fs::read(desk.path(file)).ok().as_ref(), Some(&right), "byte {place}");
    }
    // A text that decompresses correctly but has other content.
    let text = unpacked(&right);
    let line = text.lines().rfind(|line| line.starts_with("nodes "));
    let line = line.expect("the box was searched");
    desk.write(file, packed(&text.replacen(&format!("{line}\n"), "", 1)));
    let outcome = desk.ndq("prove 4^3 -q --work w --proof p.gz").code(0);
    outcome.stderr(contains("do not match its digest").and(contains("settled again")));
    assert_eq!(std::fs::read(desk.path("p.gz")).ok().as_ref(), Some(&proof));
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).expect("packed");
    text
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).expect("a vector grows");
    packer.finish().expect("a vector grows")
}

#[test]
fn pipe_in_a_folder_does_not_block() {
    let desk = desk_with(crate::lab::SMALL);
    desk.ndq("prove split 5^3 --at-least 14 --parts 4 -o s").code(0);
    desk.ndq("prove run s --all").code(0);
    desk.ndq("count 5^2 --work c").code(0);
    desk.ndq("colour 7^2 --count --work j").code(0);
    desk.ndq("prove 4^3 --work w").code(0);
    desk.ndq("lab run e.toml -o e").code(0);
    for (file, command, code) in [
        ("s/split.json", "prove join s", 2),
        ("s/part-0.proof.gz", "prove run s --all", 2),
        ("s/part-0.proof.gz", "prove join s", 2),
        ("s/boxes.proof.gz", "prove join s", 2),
        ("c/count.json", "count 5^2 --work c", 2),
        ("j/colourings.json", "colour 7^2 --count --work j", 2),
        ("j/done.jsonl", "colour 7^2 --count --work j", 2),
        ("w/queen-2x2x2.box.gz", "prove 4^3 --work w", 2),
        ("e/runs.jsonl", "lab run e.toml -o e", 2),
        ("e/runs.jsonl", "lab table e", 2),
        ("e/tables/raw.csv", "lab run e.toml -o e", 2),
        ("e/plots/time.svg", "lab run e.toml -o e", 2),
        ("e/plots/time.svg", "lab plot e", 2),
        ("e/plan.csv", "lab table e", 2),
        ("e/plan.csv.sha256", "lab table e", 2),
        ("e/experiment.toml", "lab table e", 2),
    ] {
        let (path, kept) = (desk.path(file), desk.path("kept"));
        std::fs::rename(&path, &kept).expect(file);
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let outcome = desk.ndq(command).code(code);
        let words = if file == "e/plan.csv" { "it holds no plan.csv" } else { "it is not a plain file" };
        outcome.stderr(contains(words));
        std::fs::remove_file(&path).expect("there");
        std::fs::rename(&kept, &path).expect("there");
    }
}

#[test]
fn a_damaged_question_is_not_repeated() {
    let desk = Desk::new();
    desk.ndq("colour 7^2 --count --work j").code(0);
    desk.write("j/colourings.json", "x".repeat(5000));
    let outcome = desk.ndq("colour 7^2 --count --work j").code(2);
    outcome.stderr(contains("j/colourings.json: it is damaged; remove the folder").and(contains("xx").not()));
    desk.ndq("colour 5^2 --count --work k").code(0);
    desk.ndq("colour 7^2 --count --work k")
        .code(2)
        .stderr(contains("holds the work on \"5-colourings of 5^2"));
}

/// Commands that read, change and replace files reject special files before the work
/// begins, and do not block.
#[test]
fn files_that_are_replaced_are_plain_files() {
    let desk = Desk::new();
    nix::unistd::mkfifo(&desk.path("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let _socket = std::os::unix::net::UnixListener::bind(desk.path("socket")).expect("a socket");
    std::os::unix::fs::symlink("circle", desk.path("circle")).expect("a link");
    for command in ["table boxes 3^3", "find 12^3 --method search --time-limit 50"] {
        for file in ["pipe", "socket", "/dev/null"] {
            let outcome = desk.ndq(&format!("{command} -o {file}")).code(2).stdout("");
            outcome.stderr(contains(format!("cannot write {file}: it is not a plain file")));
        }
    }
    for (file, words) in [
        ("socket", "cannot write socket: it is a socket"),
        ("circle", "cannot write circle: it is a symbolic link that leads to no file"),
        ("circle/a", "cannot write circle/a: there is no folder circle"),
    ] {
        desk.ndq(&format!("solve 4^2 -o {file}")).code(2).stdout("").stderr(contains(words));
    }
    // Tables of an archive.
    std::fs::create_dir(desk.path("a")).expect("a folder");
    for name in ["ledger.csv", "box-table.csv"] {
        desk.write(&format!("a/{name}"), "");
        desk.ndq("--data a info 4^3").code(2).stderr(contains("it is empty: its columns have no names"));
        std::fs::remove_file(desk.path(&format!("a/{name}"))).expect("there");
        std::os::unix::fs::symlink("nowhere", desk.path(&format!("a/{name}"))).expect("a link");
        desk.ndq("--data a info 4^3").code(2).stderr(contains(format!("cannot read a/{name}")));
        std::fs::remove_file(desk.path(&format!("a/{name}"))).expect("there");
    }
}

const TWO: &str = "title = \"Two\"\nsource = \"a test\"\n[defaults]\nseeds = 2\n[[runs]]\nboards = [\"2^3\"]\n\
    formulations = [\"base\"]\n";

#[test]
fn damage_to_plans_and_rows_is_noticed() {
    let desk = desk_with(TWO);
    desk.ndq("lab run e.toml -o d").success();
    let (plan, rows) = (desk.read("d/plan.csv"), desk.read("d/runs.jsonl"));
    let cut = plan.trim_end().rfind('\n').expect("two rows") + 1;
    for plan in [&plan[..cut], &plan.replacen("2^3", "3^3", 1)] {
        desk.write("d/plan.csv", plan);
        desk.ndq("lab table d").code(2).stderr(contains("d/plan.csv has changed since it was written"));
    }
    std::fs::remove_file(desk.path("d/plan.csv.sha256")).expect("it is there");
    let columns = plan.lines().next().expect("the names of columns").split(',').count();
    for (bad, says) in [
        (
            plan.replacen('\n', "\nx\n", 1),
            format!("line 2: it has 1 value, but the first line names {columns} columns"),
        ),
        (plan.replacen("id,", "number,", 1), "line 1: missing column `id`".to_owned()),
    ] {
        desk.write("d/plan.csv", bad);
        let refused = desk.ndq("lab table d").code(2);
        refused.stderr(contains(format!("error: d/plan.csv, {says}\n")));
    }
    desk.ndq("lab run e.toml -o d").success();
    assert_eq!(desk.read("d/plan.csv"), plan);
    let other = if rows.contains("\"nodes\":1,") { "\"nodes\":2," } else { "\"nodes\":1," };
    let nodes = rows.find("\"nodes\":").expect("nodes");
    let end = nodes + rows[nodes..].find(',').expect("more") + 1;
    desk.write("d/runs.jsonl", rows.replacen(&rows[nodes..end], other, 1));
    desk.ndq("lab table d")
        .code(2)
        .stderr(contains("d/runs.jsonl, line 1").and(contains("has changed since")));
    // Rows of earlier versions are accepted with a note.
    let plain: Vec<_> =
        rows.lines().map(|line| format!("{{{}\n", line.split_once("\",").expect("a digest").1)).collect();
    desk.write("d/runs.jsonl", plain.concat());
    desk.ndq("lab table d").success().stderr(contains("note: d/runs.jsonl: 2 rows have no digest"));
}

#[test]
fn initially_ignored_signals_stay_ignored() {
    let desk = Desk::new();
    for (name, signal) in [("HUP", Signal::SIGHUP), ("INT", Signal::SIGINT)] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("trap '' {name}; exec \"$0\" find 12^3 --method search --time-limit 3")]);
        shell.arg(assert_cmd::cargo::cargo_bin!("ndq")).current_dir(desk.path(""));
        let mut child = shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("runs");
        sleep(Duration::from_millis(800));
        kill(Pid::from_raw(child.id().try_into().expect("an id")), signal).expect("it runs");
        assert_eq!(child.wait().expect("ends").code(), Some(0), "{name}");
    }
}

/// Writes an executable script.
fn program(desk: &Desk, name: &str, text: &str) {
    desk.write(name, format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(desk.path(name), Permissions::from_mode(0o755)).expect("set");
}

fn runs(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.trim()));
    stat.is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_that_a_solver_started_outlives_it() {
    let desk = Desk::new();
    let solved = "printf 'Optimal - objective value 1\\n 0 x_0_0_0 1 1\\n' > $2";
    let sleeper = |number: u32| format!("sh -c 'echo $$ > pid{number}; exec sleep 1000' >/dev/null 2>&1");
    let left = [
        format!("{} &", sleeper(0)),
        format!("setsid {} &", sleeper(1)),
        // It has another parent, another session and another environment.
        format!("(setsid env -i {} &)", sleeper(2)),
    ]
    .join("\n");
    for (end, code) in [(solved, 0), ("sleep 1000", 3), ("exit 1", 4)] {
        program(&desk, "solver", &format!("{left}\nsleep 0.5\n{end}"));
        let mut command = desk.command();
        command.args(["solve", "2^3", "--time-limit", "2", "--backend", "./solver {model} {solution}"]);
        let out = command.output().expect("runs");
        assert_eq!(out.status.code(), Some(code), "{end}: {}", String::from_utf8_lossy(&out.stderr));
        for number in 0..3 {
            let process = desk.read(&format!("pid{number}"));
            assert!(!runs(&process), "{end}: sleeper {number}");
        }
    }
}

#[test]
fn second_ctrl_c_leaves_no_folder_or_process() {
    let desk = Desk::new();
    let ignore = "trap '' INT TERM HUP";
    let sleeper = |number: u32| format!("setsid sh -c '{ignore}; echo $$ > pid{number}; exec sleep 1000'");
    program(&desk, "solver", &format!("{ignore}\n{} &\n{}", sleeper(0), sleeper(1)));
    std::fs::create_dir(desk.path("tmp")).expect("made");
    let mut command = desk.command();
    command.args(["solve", "2^3", "--backend", "./solver {model} {solution}"]).env("TMPDIR", "tmp");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("runs");
    while (0..2).any(|number| !desk.path(&format!("pid{number}")).exists()) {
        sleep(Duration::from_millis(10));
    }
    assert_eq!(desk.names("tmp").len(), 1, "the solver has a folder");
    let id = Pid::from_raw(child.id().try_into().expect("an id"));
    for _ in 0..2 {
        kill(id, Signal::SIGINT).expect("it runs, or has just ended");
        // A signal that arrives sooner counts as the same signal.
        sleep(Duration::from_millis(500));
    }
    assert_eq!(child.wait().expect("ends").code(), Some(3));
    assert!(desk.names("tmp").is_empty(), "{:?}", desk.names("tmp"));
    if cfg!(target_os = "linux") {
        for number in 0..2 {
            assert!(!runs(&desk.read(&format!("pid{number}"))), "sleeper {number}");
        }
    }
}

#[test]
fn solver_without_version_output_does_not_block() {
    let desk = Desk::new();
    program(&desk, "cbc", "sleep 1000");
    let mut command = desk.command();
    let paths = format!("{}:{}", desk.path("").display(), std::env::var("PATH").expect("a path"));
    let began = Instant::now();
    command.args("solve 3^3 --backend cbc --time-limit 6".split(' ')).env("PATH", paths);
    let output = command.output().expect("runs");
    let said = String::from_utf8_lossy(&output.stderr);
    // The command stops by itself: the five seconds for the version count towards the limit.
    assert!(output.status.code() == Some(3) && !said.contains("cannot be interrupted"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn solver_output_is_bounded_and_private() {
    let desk = Desk::new();
    let solve = |solver: &str| {
        program(&desk, "solver", solver);
        let mut command = desk.command();
        command.args(["solve", "2^3", "--time-limit", "5", "--backend", "./solver {model} {solution}"]);
        let out = command.output().expect("runs");
        (out.status.code(), String::from_utf8(out.stderr).expect("UTF-8"))
    };
    for target in ["/dev/zero", "/proc/self/fd"] {
        let (code, said) = solve(&format!("ln -s {target} $2"));
        assert!(code == Some(4) && said.contains("is not a plain file"), "{target}: {code:?} {said}");
    }
    let (code, said) = solve("head -c 100000000 /dev/zero > $2");
    assert!(code == Some(4) && said.contains("too large for this model"), "{code:?} {said}");
    let (code, said) = solve("head -c 300000000 /dev/zero; echo that was it; exit 1");
    assert!(code == Some(4) && said.contains("that was it") && said.len() < 100_000, "{code:?}");
    let (code, said) = solve("stat -c 'mode %a' $(dirname $2); exit 1");
    assert!(code == Some(4) && said.contains("mode 700"), "{code:?} {said}");
}

#[test]
fn commands_in_files_run_only_if_allowed() {
    let desk = desk_with(&TWO.replace("seeds = 2", "backends = [\"./solver {model} {solution}\"]"));
    program(&desk, "solver", "touch ran; printf 'Optimal - objective value 1\\n 0 x_0_0_0 1 1\\n' > $2");
    let words = "would run the command \"./solver {model} {solution}\"";
    desk.ndq("lab run e.toml -o d").code(2).stderr(contains(words).and(contains("--allow-commands")));
    assert!(!desk.path("ran").exists());
    let shown = "e.toml runs the command \"./solver {model} {solution}\"";
    desk.ndq("lab run e.toml -o d --allow-commands").success().stderr(contains(shown));
    let mut command = desk.command();
    command.args(["solve", "2^3", "--record", "r", "--backend", "./solver {model} {solution}"]);
    assert!(command.output().expect("runs").status.success());
    std::fs::remove_file(desk.path("ran")).expect("it ran");
    let record = format!("r/{}", desk.names("r")[0]);
    desk.ndq(&format!("rerun {record}")).code(2).stderr(contains(words));
    assert!(!desk.path("ran").exists());
    desk.ndq(&format!("rerun {record} --allow-commands")).success().stderr(contains("runs the command"));
    assert!(desk.path("ran").exists());
}
