//! Failures during a batch, none of which loses a row.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

use crate::harness::Desk;
use crate::lab::desk_with;

/// A run that takes minutes, then three short runs, distinguished by seed.
const LONG_FIRST: &str = r#"
title = "Long first"
source = "a test"
[[runs]]
boards = ["9^3"]
formulations = ["base"]
[[runs]]
boards = ["2^3"]
formulations = ["base"]
seeds = [1, 2, 3]
"#;

/// Twenty-four runs of a few milliseconds.
const MANY: &str = r#"
title = "Many"
source = "a test"
[[runs]]
boards = ["2^3", "3^3"]
formulations = ["base", "cube"]
seeds = 6
"#;

fn start(desk: &Desk, arguments: &str) -> Child {
    let mut command = desk.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("runs")
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().try_into().expect("a process id"))
}

/// Waits until `look` returns a value.
fn wait_for<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    for _ in 0..1200 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} never comes");
}

/// Returns the child processes of `parent`.
fn children(parent: Pid) -> Vec<Pid> {
    let lists = Path::new("/proc").join(parent.to_string()).join("task");
    let Ok(threads) = std::fs::read_dir(lists) else { return Vec::new() };
    let texts =
        threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    texts
        .flat_map(|text| {
            text.split_whitespace().map(|id| Pid::from_raw(id.parse().expect("an id"))).collect::<Vec<_>>()
        })
        .collect()
}

/// Waits until a runner has started a run, and 300 ms more for the solver to start. Returns the
/// process of the run.
fn busy(runner: &Child) -> Pid {
    let found = wait_for("a run", || children(pid(runner)).first().copied());
    std::thread::sleep(Duration::from_millis(300));
    found
}

fn lives(process: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    // A process that has ended and has not been waited for is a zombie.
    stat.is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

fn rows(desk: &Desk, folder: &str) -> Vec<Value> {
    let files = desk.names(folder).into_iter().filter(|name| name.starts_with("runs"));
    let texts = files.map(|name| desk.read(&format!("{folder}/{name}")));
    texts
        .flat_map(|text| text.lines().map(|line| serde_json::from_str(line).expect(line)).collect::<Vec<_>>())
        .collect()
}

fn ids(rows: &[Value]) -> Vec<String> {
    rows.iter().map(|row| row["planned"]["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn killed_runner_leaves_whole_rows_and_no_child() {
    let desk = desk_with(
        &LONG_FIRST.replace("[[runs]]\nboards = [\"9^3\"]", "[[runs]]\nboards = [\"2^3\", \"9^3\"]"),
    );
    let mut runner = start(&desk, "lab run e.toml -o d");
    wait_for("the first row", || (rows_now(&desk) > 0).then_some(()));
    let child = busy(&runner);
    kill(pid(&runner), Signal::SIGKILL).expect("the runner runs");
    runner.wait().expect("ends");
    wait_for("the end of the child", || (!lives(child)).then_some(()));
    let before = desk.read("d/runs.jsonl");
    assert!(before.ends_with('\n') && rows(&desk, "d").len() == 1, "{before}");
    // Another experiment on the folder runs its missing runs, and keeps the row.
    desk.write("e.toml", LONG_FIRST.replace("9^3", "2^3"));
    desk.ndq("lab run e.toml -o d").success().stderr(contains("1 of 4 runs is there already"));
    assert!(desk.read("d/runs.jsonl").starts_with(&before));
    assert_eq!(rows(&desk, "d").len(), 4);
}

fn rows_now(desk: &Desk) -> usize {
    let read = |name| std::fs::read_to_string(desk.path(name)).map_or(0, |text| text.matches('\n').count());
    read("d/runs.jsonl") + read("d/runs-2.jsonl")
}

#[test]
fn killed_child_is_recorded_with_a_reason() {
    let desk = desk_with(LONG_FIRST);
    let mut runner = start(&desk, "lab run e.toml -o d");
    kill(busy(&runner), Signal::SIGKILL).expect("the child runs");
    assert_eq!(runner.wait().expect("ends").code(), Some(4));
    let rows = rows(&desk, "d");
    assert_eq!(rows.len(), 4);
    let crashed = rows.iter().find(|row| row["answer"]["stop"] == "crash").expect("a crash");
    assert_eq!(crashed["planned"]["question"]["board"], "9^3");
    assert_eq!(crashed["answer"]["verdict"], "fail_abort");
    assert!(crashed["failure"].as_str().expect("words").contains("SIGKILL"), "{crashed}");
    // The next runner does not repeat the failed run, except with `--retry`.
    desk.ndq("lab run e.toml -o d").code(4).stdout(contains("4 of 4 runs done, 1 failed"));
    let mut runner = start(&desk, "lab run e.toml -o d --retry");
    kill(busy(&runner), Signal::SIGKILL).expect("it is made again");
    runner.wait().expect("ends");
    assert_eq!(self::rows(&desk, "d").len(), 5);
}

#[test]
fn ctrl_c_stops_the_run_and_keeps_results() {
    let desk = desk_with(
        &LONG_FIRST.replace("[[runs]]\nboards = [\"9^3\"]", "[[runs]]\nboards = [\"2^3\", \"9^3\"]"),
    );
    let mut runner = start(&desk, "lab run e.toml -o d");
    wait_for("the first row", || (rows_now(&desk) > 0).then_some(()));
    let child = busy(&runner);
    kill(pid(&runner), Signal::SIGINT).expect("the runner runs");
    assert_eq!(runner.wait().expect("ends").code(), Some(3));
    assert!(!lives(child));
    assert_eq!(rows(&desk, "d").len(), 1);
    assert!(desk.read("d/tables/comparison.md").contains("Not complete; runs that are missing: 4."));
}

#[test]
fn full_disk_stops_the_batch_without_damage() {
    let desk = desk_with(MANY);
    // Files are limited to some KiB; the accompanying signal is ignored, so writing fails as on a full disk.
    let on_full_disk = |kib: u32| {
        let script = format!(
            "trap '' XFSZ; ulimit -f {kib}; exec '{}' lab run e.toml -o d",
            desk.command().get_program().display()
        );
        let mut shell = Command::new("bash");
        let output = shell.args(["-c", &script]).current_dir(desk.path("")).output().expect("bash runs");
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(4), "{error}");
        error
    };
    // A disk that is full from the start is detected before any run.
    let error = on_full_disk(0);
    assert_eq!(error, "error: cannot write d/claimed/runs.jsonl: File too large (os error 27)\n");
    assert_eq!((desk.names("d"), desk.names("d/claimed")), (vec!["claimed".to_owned()], vec![]));
    let error = on_full_disk(16);
    assert!(error.contains("cannot write d/runs.jsonl: File too large"), "{error}");
    let before = desk.read("d/runs.jsonl");
    let kept = rows(&desk, "d").len();
    assert!(before.ends_with('\n') && (1..24).contains(&kept), "{kept}");
    desk.ndq("lab run e.toml -o d").success();
    assert!(desk.read("d/runs.jsonl").starts_with(&before));
    assert_eq!(ids(&rows(&desk, "d")).into_iter().collect::<HashSet<_>>().len(), 24);
    assert_eq!(rows(&desk, "d").len(), 24);
}

#[test]
fn unwritable_folder_is_reported_before_any_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = desk_with(MANY);
    desk.ndq("lab run e.toml -o /proc/none/d").code(2).stderr(contains("cannot write /proc/none/d"));
    desk.write("file", "");
    desk.ndq("lab run e.toml -o file").code(2).stderr(contains("cannot write file"));
    std::fs::create_dir_all(desk.path("odd/runs.jsonl")).expect("writable");
    desk.ndq("lab run e.toml -o odd").code(2).stderr(contains("cannot write odd/runs.jsonl: Is a directory"));
    desk.ndq("lab run e.toml -o d").success();
    let permit =
        |mode| std::fs::set_permissions(desk.path("d"), std::fs::Permissions::from_mode(mode)).expect("ours");
    permit(0o555);
    // Reading needs no write permission.
    desk.ndq("lab table d").success();
    // The superuser can write anyway.
    if std::fs::write(desk.path("d/probe"), "").is_err() {
        let rows = desk.read("d/runs.jsonl");
        desk.write("e.toml", MANY.replace("seeds = 6", "seeds = 7"));
        desk.ndq("lab run e.toml -o d").code(2).stderr(contains("cannot write d/"));
        assert_eq!(desk.read("d/runs.jsonl"), rows);
    }
    permit(0o755);
}

#[test]
fn truncated_row_is_run_again() {
    let desk = desk_with(MANY);
    desk.ndq("lab run e.toml -o d").success();
    let whole = desk.read("d/runs.jsonl");
    let last = whole.trim_end().rfind('\n').expect("many rows") + 1;
    for kept in [last + 1, last + 100, whole.len() - 1] {
        desk.write("d/runs.jsonl", &whole[..kept]);
        desk.ndq("lab table d").success().stdout(contains("Not complete; runs that are missing: 1."));
        desk.ndq("lab run e.toml -o d").success().stderr(contains("23 of 24 runs are there already"));
        assert!(desk.read("d/runs.jsonl").starts_with(&whole[..last]));
        assert_eq!(
            ids(&rows(&desk, "d")),
            ids(&whole.lines().map(|line| serde_json::from_str(line).expect(line)).collect::<Vec<_>>())
        );
    }
    // Damage in the middle of the file is reported.
    desk.write("d/runs.jsonl", whole.replacen("\"layout\":1", "\"layout\":", 1));
    desk.ndq("lab table d").code(2).stderr(contains("d/runs.jsonl, line 1: "));
    desk.ndq("lab run e.toml -o d").code(2).stderr(contains("d/runs.jsonl, line 1: "));
}

#[test]
fn two_runners_never_make_the_same_run() {
    let desk = desk_with(MANY);
    let runners: Vec<_> = (0..3).map(|_| start(&desk, "lab run e.toml -o d --jobs 2")).collect();
    for mut runner in runners {
        assert_eq!(runner.wait().expect("ends").code(), Some(0));
    }
    let rows = rows(&desk, "d");
    assert_eq!(rows.len(), 24);
    assert_eq!(ids(&rows).into_iter().collect::<HashSet<_>>().len(), 24);
    assert!(desk.read("d/tables/comparison.md").contains("12 of 12"));
}

#[test]
fn runner_takes_over_claims_of_a_killed_runner() {
    // The run takes seconds, not minutes, because another runner has to finish it.
    let desk = desk_with(&LONG_FIRST.replace("9^3", "5^3"));
    let mut first = start(&desk, "lab run e.toml -o d");
    busy(&first);
    // A runner does not wait for the runs of another runner.
    desk.ndq("lab run e.toml -o d").success().stderr(contains("1 run claimed by other runners"));
    assert_eq!(rows_now(&desk), 3);
    kill(pid(&first), Signal::SIGKILL).expect("the first runner runs");
    first.wait().expect("ends");
    desk.ndq("lab run e.toml -o d").success().stdout(contains("4 of 4 runs done"));
    assert_eq!(rows(&desk, "d").len(), 4);
}

#[test]
fn limits_end_a_run_and_say_so() {
    let desk = desk_with(
        r#"
title = "Limits"
source = "a test"
[[runs]]
boards = ["9^3"]
formulations = ["base"]
time_seconds = 1
[[runs]]
boards = ["60^3"]
formulations = ["base"]
memory_mib = 256
"#,
    );
    // A run that stops at its limit gives an answer; a run killed at its limit has failed.
    desk.ndq("lab run e.toml -o d").code(4).stdout(contains("2 of 2 runs done, 1 failed"));
    let stops: Vec<_> = rows(&desk, "d").iter().map(|row| row["answer"]["stop"].clone()).collect();
    assert_eq!(stops, ["time limit", "memory limit"]);
    desk.ndq("lab table d")
        .success()
        .stdout(contains("| runs failed |  | 1 |").and(contains("with a wrong one: 1.")));
    let failed = |row: &Value| row["failed"].as_u64().expect("a number");
    let rows: Vec<Value> = desk.json(0, "lab table d --layout kunt");
    assert_eq!(rows.iter().map(failed).collect::<Vec<_>>(), [0, 1]);
    // The run would only end in the same way.
    desk.ndq("lab run e.toml -o d --retry")
        .code(4)
        .stderr(contains("2 of 2 runs are there already, 1 of them failed"));
    assert_eq!(self::rows(&desk, "d").len(), 2);
}

#[test]
fn hanging_run_is_killed_after_its_limit() {
    let limited = "formulations = [\"base\"]\ntime_seconds = 1\n[[";
    let desk = desk_with(&LONG_FIRST.replacen("formulations = [\"base\"]\n[[", limited, 1));
    let mut runner = start(&desk, "lab run e.toml -o d");
    // A stopped process checks neither its clock nor a termination signal.
    kill(busy(&runner), Signal::SIGSTOP).expect("the child runs");
    assert_eq!(runner.wait().expect("ends").code(), Some(4));
    desk.ndq("lab run e.toml -o d").code(4).stdout(contains("4 of 4 runs done, 1 failed"));
    let rows = rows(&desk, "d");
    let stops: Vec<_> = rows.iter().map(|row| row["answer"]["stop"].as_str().expect("a reason")).collect();
    assert_eq!(stops, ["hard time limit", "finished", "finished", "finished"]);
}

#[test]
fn experiment_rejects_folder_of_other_work() {
    let desk = desk_with(MANY);
    desk.ndq("prove split 4^3 --at-least 8 -o split").success();
    desk.ndq("count 4^3 --work count").success();
    desk.ndq("colour 8^2 --count --work colours").code(1);
    for (folder, manifest) in
        [("split", "split.json"), ("count", "count.json"), ("colours", "colourings.json")]
    {
        let before = desk.names(folder);
        let words =
            format!("{folder}/{manifest} is of work in parts: an experiment needs a folder of its own");
        desk.ndq(&format!("lab run e.toml -o {folder}")).code(2).stderr(contains(words));
        assert_eq!(desk.names(folder).len(), before.len());
    }
}

#[test]
fn runs_respect_a_lower_shell_limit() {
    let desk = desk_with(&MANY.replace("[[runs]]", "[defaults]\nmemory_mib = 1000000\n[[runs]]"));
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -d 2000000 && exec \"$0\" lab run e.toml -o d"]);
    let ended =
        shell.arg(assert_cmd::cargo::cargo_bin!("ndq")).current_dir(desk.path("")).output().expect("runs");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    desk.ndq("lab table d").success();
}
