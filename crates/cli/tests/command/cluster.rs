//! Runners that share a folder, and job scripts.

use std::fs;
use std::time::SystemTime;

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

use crate::harness::Desk;

/// Creates a test folder with a split of the proof that 22 queens do not fit on 6^3.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.ndq("prove split 6^3 --at-least 22 --parts 100 -o parts").success();
    desk
}

fn json(desk: &Desk, arguments: &str, code: i32) -> Value {
    desk.json(code, arguments).pop().expect("an object")
}

#[test]
fn several_runners_do_each_part_once() {
    let desk = desk();
    desk.ndq("prove run parts --all --threads 1").success();
    desk.ndq("prove join parts -o one.proof").success();
    desk.ndq("prove split 6^3 --at-least 22 --parts 100 -o shared").success();
    let mut runners: Vec<_> = (1..=4)
        .map(|number| {
            let mut command = desk.command();
            command.args(["prove", "run", "shared", "--all", "--threads", "1", "--quiet"]);
            command.arg("--share").arg(format!("{number}/4")).current_dir(desk.path(""));
            command.stdout(std::process::Stdio::null()).spawn().expect("started")
        })
        .collect();
    for runner in &mut runners {
        assert!(runner.wait().expect("ended").success());
    }
    desk.ndq("prove join shared -o four.proof").success();
    assert_eq!(desk.read("four.proof"), desk.read("one.proof"));
    let nodes = |folder: &str| json(&desk, &format!("prove status {folder}"), 0)["total"]["nodes"].as_u64();
    assert!(nodes("parts").is_some_and(|nodes| nodes > 1000));
    assert_eq!(nodes("shared"), nodes("parts"));
}

#[test]
fn a_part_that_proves_heavy_is_cut_again() {
    let desk = Desk::new();
    // Without box bounds, two parts have some thousand nodes each.
    for folder in ["parts", "whole"] {
        desk.ndq(&format!("prove split 6^3 --at-least 22 --node-limit 0 --parts 2 -o {folder}")).success();
    }
    desk.ndq("prove run whole --all").success();
    desk.ndq("prove join whole -o whole.proof").success();
    desk.ndq("prove run parts --all --cut-above 2000").success().stdout(contains("cut again"));
    let cuts: Vec<String> =
        desk.names("parts").into_iter().filter(|name| name.ends_with(".cut.gz")).collect();
    assert!(cuts.iter().any(|name| name.matches('-').count() > 1), "a piece is cut again, too: {cuts:?}");
    let status = json(&desk, "prove status parts", 0);
    assert!(status["parts"].as_u64() > Some(2) && status["missing"] == Value::Array(vec![]));
    desk.ndq("prove join parts -o pieces.proof").success();
    desk.ndq("check pieces.proof").success();
    assert!(desk.read("pieces.proof") == desk.read("whole.proof"));
    // If a cut is missing, its part is missing too, and is run again.
    let cut = desk.path(&format!("parts/{}", cuts[0]));
    let number = cuts[0].trim_start_matches("part-").trim_end_matches(".cut.gz").to_owned();
    fs::remove_file(&cut).expect("there");
    let status = json(&desk, "prove status parts", 3);
    assert_eq!(status["array"].as_str(), number.split('-').next());
    // All commands count the same parts and pieces.
    let (parts, number) =
        (status["parts"].as_u64().expect("a number"), number.split('-').next().expect("a word"));
    desk.ndq("prove join parts")
        .code(2)
        .stderr(contains(format!("1 of {parts} parts is missing: {number};")));
    desk.ndq("prove run parts --all").success();
    desk.ndq("prove join parts -o again.proof").success();
    desk.ndq("check again.proof").success();
}

#[test]
fn claims_are_respected_until_their_runner_is_silent() {
    let desk = desk();
    fs::create_dir(desk.path("parts/claimed")).expect("writable");
    let claim = desk.path("parts/claimed/part-7");
    let holder = r#"{"host":"n1","process":1,"processes":"","job":"17_3","since":1}"#;
    fs::write(&claim, holder).expect("writable");
    desk.ndq("prove run parts --all").success().stdout(contains("1 claimed by other runners"));
    desk.ndq("prove run parts 7").code(3).stdout(contains("part 7 is claimed by another runner"));
    let status = desk.ndq("prove status parts").code(3);
    status.stdout(contains("running: 7 on n1, job 17_3")).stdout(contains("\n  missing: 7\n"));
    let silent = SystemTime::now() - ndqueens_system::claim::SILENCE * 2;
    fs::File::options().write(true).open(&claim).and_then(|file| file.set_modified(silent)).expect("set");
    desk.ndq("prove status parts")
        .code(3)
        .stdout(contains("claimed: ").and(contains("whose runner is gone")));
    desk.ndq("prove run parts 7").success().stdout(contains("1 part finished"));
    assert!(!claim.exists());
    // The runner was killed before it released the claim.
    fs::write(&claim, holder).expect("writable");
    assert_eq!(json(&desk, "prove status parts", 0)["running"], Value::Array(vec![]));
    desk.ndq("prove join parts").success();
}

#[test]
fn starts_only_work_that_ends_in_time() {
    let desk = desk();
    desk.ndq("prove run parts 0").success();
    // According to the accounts, each part takes an hour.
    let account = |part: usize| {
        let account = serde_json::json!({
            "part": part.to_string(), "weight": 1e-9, "finished": true, "wall_seconds": 3600.0, "cpu_seconds": 1.0,
            "nodes": 1, "peak_bytes": null, "host": "n1", "cpu": null, "job": null, "date": "2026-11-25T00:00:00Z",
        });
        ndqueens_system::journal::line(&account).expect("plain data")
    };
    fs::write(desk.path("parts/accounts-2.jsonl"), (0..200).flat_map(account).collect::<Vec<_>>())
        .expect("writable");
    let run = json(&desk, "prove run parts --all --for 1m --cut-above 1000000000", 0);
    // A part that does not fit into the whole time is cut again, as long as it can be cut.
    assert!(run["cut_again"].as_u64() > Some(0), "{run}");
    desk.ndq("prove join parts -o p.proof").success();
    desk.ndq("check p.proof").success();
}

#[test]
fn job_scripts_are_for_people_and_for_bash() {
    let desk = desk();
    desk.write("e.toml", format!("{SHORT}time_seconds = 3600\n"));
    let asked = "--tasks 50 --time 4h --partition long --memory-per-core 2000 -o job.sbatch";
    for command in ["prove batch parts", "lab batch e.toml --folder d"] {
        desk.ndq(&format!("{command} {asked}")).success().stdout(contains(
            "next: job=$(sbatch --parsable job.sbatch) && sbatch --dependency=afterok:$job job.join.sbatch",
        ));
        let script = desk.read("job.sbatch");
        for line in [
            "array=1-50",
            "time=0-04:00:00",
            "requeue",
            "open-mode=append",
            "partition=long",
            "mem-per-cpu=2000M",
        ] {
            assert!(script.contains(&format!("\n#SBATCH --{line}\n")), "{script}");
        }
        assert!(script.contains("--memory 1 "), "{script}");
        assert!(script.contains("--share \"$SLURM_ARRAY_TASK_ID/50\" --for 3h50m"), "{script}");
        for file in ["job.sbatch", "job.join.sbatch"] {
            let mut bash = std::process::Command::new("bash");
            assert!(bash.arg("-n").arg(desk.path(file)).status().expect("bash runs").success());
        }
    }
    desk.ndq("prove batch parts --tasks 2000000000 --time 4h -o other.sbatch")
        .code(2)
        .stderr(contains("an array of 2000000000 tasks is more than"));
    for (arguments, words) in [
        ("prove batch parts --tasks 5 --time 1m -o j.sbatch", "3 minutes or more"),
        ("prove batch parts --tasks 5 --time 1h -o parts/part-1.proof.gz", "must end in .sbatch"),
        ("lab batch e.toml --folder e.toml --tasks 5 --time 4h -o j.sbatch", "it is a file, not a folder"),
        (
            "lab batch e.toml --folder d --tasks 5 --time 1h -o j.sbatch",
            "a task needs twice the time of a run",
        ),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
    desk.write("e.toml", SHORT);
    let endless = desk.ndq("lab batch e.toml --folder d --tasks 5 --time 1h -o j.sbatch").code(2);
    endless.stderr(contains("may take any time"));
    assert!(!desk.path("other.sbatch").exists() && !desk.path("j.sbatch").exists());
    desk.ndq("prove batch parts --tasks 5 --time 1-12:00:00 -o days.sbatch").success();
    let script = desk.read("days.sbatch");
    assert!(script.contains("--time=1-12:00:00\n") && script.contains("--for 35h50m"), "{script}");
}

/// Runs a job script with an `srun` that ends with `code`. Returns the exit code of the script, the arguments
/// of `scontrol`, and those of `srun`.
fn run_script(
    desk: &Desk,
    script: &str,
    code: &str,
    environment: &[(&str, &str)],
) -> (Option<i32>, String, String) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(desk.path("bin")).expect("writable");
    let end = if code == "killed" { "kill -9 $$".to_owned() } else { format!("exit {code}") };
    for (program, end) in [("srun", end.as_str()), ("scontrol", "exit 0")] {
        desk.write(&format!("{program}.txt"), "");
        let log = desk.path(&format!("{program}.txt"));
        let name = format!("bin/{program}");
        desk.write(&name, format!("#!/bin/sh\necho \"$@\" >>'{}'\n{end}\n", log.display()));
        fs::set_permissions(desk.path(&name), fs::Permissions::from_mode(0o755)).expect("set");
    }
    let path = std::env::var("PATH").expect("a search path");
    let mut bash = std::process::Command::new("bash");
    bash.arg(desk.path(script)).env("PATH", format!("{}:{path}", desk.path("bin").display()));
    for name in ["SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_JOB_ID"] {
        bash.env_remove(name);
    }
    bash.envs(environment.iter().copied()).stderr(std::process::Stdio::null());
    let status = bash.status().expect("bash runs");
    (status.code(), desk.read("scontrol.txt"), desk.read("srun.txt"))
}

#[test]
fn job_script_requeues_its_own_task_only() {
    let desk = desk();
    desk.write("e.toml", format!("{SHORT}time_seconds = 60\n"));
    // Slurm gives the last task that starts in an array the id of the array itself.
    let last = [("SLURM_JOB_ID", "17"), ("SLURM_ARRAY_JOB_ID", "17"), ("SLURM_ARRAY_TASK_ID", "3")];
    let first = [("SLURM_JOB_ID", "18"), ("SLURM_ARRAY_JOB_ID", "17"), ("SLURM_ARRAY_TASK_ID", "1")];
    let single = [("SLURM_JOB_ID", "17")];
    for command in ["prove batch parts", "lab batch e.toml --folder d"] {
        desk.ndq(&format!("{command} --tasks 3 --time 1h -o job.sbatch")).success();
        for (environment, name, share) in
            [(&last[..], "17_3", "3/3"), (&first[..], "17_1", "1/3"), (&single[..], "17", "1/3")]
        {
            let (code, requeued, run) = run_script(&desk, "job.sbatch", "3", environment);
            assert_eq!(
                (code, requeued.as_str()),
                (Some(0), format!("requeue {name}\n").as_str()),
                "{command}"
            );
            assert!(run.contains(&format!("--share {share} ")), "{run}");
        }
        for (ended, code) in [("0", 0), ("1", 0), ("2", 2), ("4", 4), ("137", 137), ("killed", 137)] {
            let outcome = run_script(&desk, "job.sbatch", ended, &last);
            assert_eq!((outcome.0, outcome.1.as_str()), (Some(code), ""), "{command}: {ended}");
        }
        for (ended, code) in [("0", 0), ("1", 0), ("2", 2), ("3", 3), ("4", 4), ("killed", 137)] {
            let outcome = run_script(&desk, "job.join.sbatch", ended, &single);
            assert_eq!((outcome.0, outcome.1.as_str()), (Some(code), ""), "{command}: join, {ended}");
        }
    }
}

#[test]
fn bad_shares_and_times_are_refused() {
    let desk = desk();
    for (arguments, words) in [
        ("--share 0/4", "a share is I/N"),
        ("--share 5/4", "a share is I/N"),
        ("--for 3x", "a time such as 3h50m"),
        ("--for 0s", "a time such as 3h50m"),
        ("--for -3s", "invalid value '-3s' for '--for <TIME>': a time such as 3h50m"),
        (
            "--time-limit -3s",
            "invalid value '-3s' for '--time-limit <SECONDS>': a number of seconds is needed",
        ),
        ("--for 1-", "a time such as 3h50m"),
        ("--for 1h --time-limit 5", "cannot be used with"),
        ("--cut-above 0", "a whole number is needed, 1 or more"),
    ] {
        desk.ndq(&format!("prove run parts --all {arguments}")).code(2).stderr(contains(words));
    }
    desk.ndq("prove batch parts --tasks 5 --time 1h --partition a,b\u{1} -o j")
        .code(2)
        .stderr(contains("a name without"));
    desk.ndq("prove run parts 3 --share 1/2").code(2).stderr(contains("cannot be used with"));
    desk.ndq("prove batch nowhere --tasks 5 --time 1h -o j")
        .code(2)
        .stderr(contains("no split in this folder"));
    desk.ndq("lab status parts").code(2).stderr(contains("no folder of an experiment"));
}

#[test]
fn damaged_files_are_remade_or_ignored() {
    let desk = desk();
    desk.write("parts/part-3.cut.gz", "no cut");
    fs::write(desk.path("parts/accounts.jsonl"), b"\xff\xfe\n").expect("writable");
    desk.ndq("prove run parts --all --time-limit 60").success().stderr(contains("part-3.cut.gz is damaged"));
    desk.ndq("prove join parts -o p.proof").success();
    fs::create_dir(desk.path("parts/accounts-9.jsonl")).expect("writable");
    desk.ndq("prove status parts").success().stderr(contains("its accounts are left out"));
    // A folder in place of a claim does not count as an active runner.
    fs::remove_file(desk.path("parts/part-5.proof.gz")).expect("there");
    fs::create_dir(desk.path("parts/claimed/part-5")).expect("writable");
    desk.ndq("prove run parts --all").failure().stderr(contains("it is not a plain file"));
    fs::remove_dir(desk.path("parts/claimed/part-5")).expect("there");
    std::os::unix::fs::symlink("nowhere", desk.path("parts/claimed/part-5")).expect("writable");
    desk.ndq("prove run parts --all").failure().stderr(contains("it is not a plain file"));
    fs::remove_file(desk.path("parts/claimed/part-5")).expect("there");
    // All commands count a damaged part as missing, in addition to a deleted one.
    desk.write("parts/part-3.proof.gz", "no part");
    let status = desk.ndq("prove status parts --json").code(3).stderr(contains("part-3.proof.gz is damaged"));
    let status: Value = serde_json::from_slice(&status.get_output().stdout).expect("JSON");
    assert_eq!(status["array"], "3,5");
    desk.ndq("prove join parts").code(2).stderr(contains("part-3.proof.gz"));
    desk.ndq("prove run parts --all").success().stdout(contains("2 parts finished"));
    // A remade cut reports nothing, and neither does a cut whose part exists.
    desk.write("parts/part-3.cut.gz", "no cut");
    desk.ndq("prove status parts").success().stderr(contains("cut").not());
    desk.ndq("prove join parts -o again.proof").success().stderr(contains("cut").not());
    assert!(desk.read("again.proof") == desk.read("p.proof"));
    // If accounts cannot be written, nothing is started.
    fs::remove_file(desk.path("parts/part-5.proof.gz")).expect("there");
    fs::remove_file(desk.path("parts/accounts.jsonl")).expect("there");
    fs::create_dir(desk.path("parts/accounts.jsonl")).expect("writable");
    desk.ndq("prove run parts --all").code(2).stderr(contains("cannot write parts/accounts.jsonl"));
    assert!(!desk.path("parts/part-5.proof.gz").exists());
}

#[test]
fn cuts_and_manifests_of_another_split_are_refused() {
    let desk = Desk::new();
    for (folder, queens) in [("one", 22), ("two", 23)] {
        let split = format!("prove split 6^3 --at-least {queens} --node-limit 0 --parts 2 -o {folder}");
        desk.ndq(&split).success();
        desk.ndq(&format!("prove run {folder} --all --cut-above 2000")).success();
    }
    let cut = |folder: &str| -> String {
        let names = desk.names(folder);
        let is_cut = |name: &&String| name.ends_with(".cut.gz") && name.matches('-').count() == 1;
        names.iter().find(is_cut).expect("a part was cut").clone()
    };
    let (one, two) = (cut("one"), cut("two"));
    let kept = fs::read(desk.path(&format!("one/{one}"))).expect("there");
    fs::copy(desk.path(&format!("two/{two}")), desk.path(&format!("one/{one}"))).expect("writable");
    for command in ["status one", "run one --all", "join one"] {
        let words = format!("{one} is not the cut of this part of this split");
        desk.ndq(&format!("prove {command}")).code(2).stderr(contains(words).and(contains("damaged").not()));
    }
    fs::write(desk.path(&format!("one/{one}")), kept).expect("writable");
    desk.ndq("prove join one").success();
    fs::copy(desk.path("two/split.json"), desk.path("one/split.json")).expect("writable");
    for command in ["status one", "run one --all", "join one"] {
        let outcome = desk.ndq(&format!("prove {command}")).code(2);
        outcome
            .stderr(contains("is of another split than split.json").or(contains("not a part of this split")));
    }
}

#[test]
fn a_report_writes_nothing() {
    let desk = desk();
    desk.ndq("prove status parts").code(3);
    assert!(!desk.path("parts/claimed").exists());
}

/// Two runs that end immediately.
const SHORT: &str =
    "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\", \"4^2\"]\nformulations = [\"base\"]\n";

#[test]
fn run_of_unknown_duration_is_started() {
    let desk = Desk::new();
    desk.write("e.toml", format!("{SHORT}time_seconds = 36000\n"));
    desk.ndq("lab run e.toml -o d --for 60s --no-tables").success().stdout(contains("2 of 2 runs done"));
}

#[test]
fn experiment_status_reports_missing_runs() {
    let desk = Desk::new();
    desk.write(
        "e.toml",
        "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\", \"4^3\"]\nformulations = [\"base\"]\nseeds = 3\n",
    );
    desk.ndq("lab run e.toml -o d --no-tables --share 2/3").success();
    assert!(!desk.path("d/tables").exists());
    desk.ndq("lab status d").success().stdout(contains("t: 6 of 6 runs done, 0 failed"));
    let rows = desk.read("d/runs.jsonl");
    assert!(rows.contains("\"host\":") && rows.contains("\"cpu\":"));
    // Rows of two runners are read together, and claims of other runners are respected.
    let (first, second) = rows.split_at(rows.find('\n').expect("lines") + 1);
    desk.write("d/runs.jsonl", first);
    desk.write("d/runs-2.jsonl", second);
    desk.ndq("lab run e.toml -o d").success().stdout(contains("6 of 6 runs done"));
    assert!(desk.path("d/tables").exists());
    desk.write("d/runs-2.jsonl", "");
    desk.write("d/claimed/0123456789abcdef", "");
    let status = json(&desk, "lab status d", 3);
    assert_eq!((status["done"].as_u64(), status["missing"].as_u64()), (Some(1), Some(5)));
    assert_eq!(status["running"].as_array().map(Vec::len), Some(1));
}
