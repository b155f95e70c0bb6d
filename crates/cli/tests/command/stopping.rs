//! Commands stopped at a limit or by the user end with exit code 3 and print what is known.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::str::{contains, is_match};

use crate::harness::Desk;

/// Starts `ndq`, sends a signal twice at once, as `timeout` does, when its progress contains `words`, and
/// returns its output. Checks that it ends soon with exit code 3.
fn signalled(signal: Signal, arguments: &str, words: &str) -> String {
    signalled_at(&Desk::new(), signal, arguments, words)
}

fn signalled_at(desk: &Desk, signal: Signal, arguments: &str, words: &str) -> String {
    let mut command = desk.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("runs");
    let mut progress = BufReader::new(child.stderr.take().expect("piped")).lines();
    if words.is_empty() {
        std::thread::sleep(Duration::from_millis(500));
    } else {
        let seen = progress.by_ref().any(|line| line.expect("UTF-8").contains(words));
        assert!(seen, "{arguments} never says {words}");
    }
    let asked = Instant::now();
    let id = Pid::from_raw(child.id().try_into().expect("a process id"));
    for _ in 0..2 {
        kill(id, signal).expect("the process runs");
    }
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("UTF-8");
    let rest: Vec<_> = progress.map_while(Result::ok).collect();
    let status = child.wait().expect("ends");
    assert_eq!(status.code(), Some(3), "{arguments}: {out} {rest:?}");
    assert!(asked.elapsed() < Duration::from_secs(10), "{arguments}: {:?}", asked.elapsed());
    out
}

fn matches(text: &str, pattern: &str) {
    let pattern = is_match(pattern).expect("a pattern");
    assert!(predicates::Predicate::eval(&pattern, text), "{text}");
}

#[test]
fn a_time_limit_keeps_incumbent_and_bound() {
    let desk = Desk::new();
    let outcome = desk.ndq("solve 7^3 --time-limit 2 --start greedy").code(3);
    outcome.stdout(
        is_match(r"(?m)^stopped \(time limit\): found \d+ queens on 7\^3, bound \d+ ").expect("a pattern"),
    );
    let answer = &desk.json(3, "solve 7^3 --time-limit 1 --start greedy -o kept.txt")[0]["answer"];
    assert_eq!((&answer["outcome"], &answer["stop"]), (&"feasible".into(), &"time limit".into()));
    assert!(answer["incumbent"].as_i64() >= Some(20));
    desk.ndq("check kept.txt").success();
}

#[test]
fn a_limit_among_lemmas_keeps_incumbent_and_bound() {
    let desk = Desk::new();
    let outcome = desk.ndq("prove 12^3 --engine highs -f all --time-limit 6 -o kept.txt").code(3);
    outcome
        .stdout(contains("alpha(12^3): not settled in this run, stopped (time limit); 133 <= alpha <= 144"));
    desk.ndq("check kept.txt").success();
    let out = signalled(Signal::SIGINT, "prove 12^3 --engine highs -f all -v", "lemma: 5^3");
    matches(&out, r"not settled in this run, stopped \(interrupted\); 133 <= alpha <= 144");
}

#[test]
fn a_node_limit_stops_a_solve() {
    let outcome = Desk::new().ndq("solve 4^3 --node-limit 1 --presolve off --detect-symmetry off").code(3);
    outcome.stdout(contains("stopped (node limit)"));
}

#[test]
fn a_time_limit_stops_relax_prove_and_count() {
    let desk = Desk::new();
    desk.ndq("lp relax 10^3 -f cube --time-limit 1").code(3).stdout(contains("time limit"));
    // Finished formulations are printed, although the current one does not check the clock.
    desk.ndq("lp relax 12^3 -f edge,all --time-limit 1").code(3).stdout(contains("\nedge "));
    let outcome = desk.ndq("prove 12^3 --time-limit 2").code(3);
    outcome.stdout(contains("alpha(12^3): not settled in this run, stopped (time limit); 133 <= alpha <= "));
    let outcome = desk.ndq("prove 7^3 --engine highs --time-limit 2").code(3);
    outcome.stdout(contains("alpha(7^3): not settled in this run, stopped (time limit); 32 <= alpha <= "));
    let outcome = desk.ndq("count 6^3 --method bk --time-limit 0.5").code(3);
    let words = r"stopped \(time limit\) before it was done: \d+ queens found, trivial bound 36";
    outcome.stdout(is_match(words).expect("a pattern"));
    let outcome = desk.ndq("count 12^3 --time-limit 1").code(3);
    outcome.stdout(contains("the count of 12^3 was stopped (time limit) before it was done"));
    let outcome = desk.ndq("count 6^3 --method recursive --time-limit 0.5").code(3);
    outcome.stdout(contains("stopped (time limit) before it was done: no incumbent, trivial bound 36"));
    // One maximal set, and 2^40 independent ones.
    desk.write("points.txt", "n 40\n");
    let methods = &desk.json(3, "count file:points.txt --method all --time-limit 2")[0]["methods"];
    for (method, number) in [(0, Some(40)), (1, Some(40)), (2, None)] {
        assert_eq!(methods[method]["independence_number"].as_u64(), number);
    }
    let stopped = &desk.json(3, "count 6^3 --method bk --time-limit 0.5")[0];
    assert_eq!(
        stopped["squares"].as_array().map(Vec::len),
        stopped["incumbent"].as_u64().map(|n| n as usize)
    );
}

/// Every command that may run long accepts a time limit, and ends soon after it.
#[test]
fn a_time_limit_stops_whatever_runs_long() {
    let desk = Desk::new();
    for command in [
        "archive verify --time-limit 0",
        "archive add missing.txt --time-limit 0",
        "dots board 14 --hull 3 --cliques 700 --tries 1000000000 --time-limit 1",
        "dots table --dots 10 --boards 1000 --time-limit 1",
        "find 300^3 --time-limit 0.1",
        "find 13^3 --method stack --count --threads 1 --time-limit 0.1",
        "lp relax 200^3 --time-limit 0.5",
        "lp relax hex:300 --time-limit 0.5",
        "model 60^3 -f strong -o large.lp --large --time-limit 0.1",
        "prove join parts --time-limit 0",
        "table open --d 3..9 --certified --time-limit 0",
    ] {
        let begin = Instant::now();
        let outcome = desk.ndq(command);
        let (took, out) = (begin.elapsed(), outcome.get_output().clone());
        let words = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(3), "{command}: {words}");
        assert!(words.contains("stopped"), "{command}: {words}");
        assert!(took < Duration::from_secs(4), "{command}: {took:?}");
    }
    // A script receives the same information.
    for command in [
        "archive verify --time-limit 0",
        "dots board 9 --symmetry turn:3 --cliques 4 --tries 10",
        "find 13^3 --method stack --count --threads 1 --time-limit 0.1",
        "model 60^3 -f strong -o large.lp --large --time-limit 0.1",
        "prove split 6^4 --at-least 100 -o split --time-limit 0.1",
    ] {
        let outcome = desk.json(3, command);
        assert_eq!((outcome.len(), &outcome[0]["exit_code"]), (1, &3.into()), "{command}: {outcome:?}");
    }
    let outcome = signalled(Signal::SIGINT, "--json model 100^3 -f strong -o large.lp --large", "");
    assert_eq!(
        outcome,
        "{\"error\":\"stopped (signal) before anything was finished\",\"kind\":\"limit\",\"exit_code\":3}\n"
    );
    assert!(!desk.names(".").iter().any(|name| name.contains("large")), "{:?}", desk.names("."));
}

#[test]
fn signals_stop_solve_with_incumbent_and_bound() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let out = signalled(signal, "solve 8^3 -f base -v", ", bound ");
        matches(&out, r"(?m)^stopped \(interrupted\): found \d+ queens? on 8\^3, bound \d+ ");
    }
}

#[test]
fn signals_stop_prove_relax_and_count() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let out = signalled(signal, "prove 7^3 --engine highs -v", "asking for 33");
        matches(&out, r"alpha\(7\^3\): not settled in this run, stopped \(interrupted\); 32 <= alpha <= ");
        matches(&signalled(signal, "lp relax 10^3 -f cube -v", " s"), "cube +interrupted");
        matches(&signalled(signal, "count 6^3 --method bk", ""), r"before it was done: \d+ queens found");
        matches(&signalled(signal, "count 6^3 --method recursive", ""), "before it was done");
        matches(&signalled(signal, "count 12^3", ""), "before it was done");
    }
}

#[test]
fn ctrl_c_keeps_constructions_made_so_far() {
    let desk = Desk::new();
    for json in ["", " --json"] {
        // The cut is made at once, but the products of these sides take long.
        let arguments = format!("find 2x3x4x5x6x7x8x9x11 -v -o made.txt{json}");
        let out = signalled_at(&desk, Signal::SIGINT, &arguments, "trying product, best so far ");
        if json.is_empty() {
            matches(&out, r"(?m)^product +-  stopped before it was done$");
            matches(&out, r"(?m)^greedy +-  not tried: stopped$");
            matches(&out, r"(?m)^\d+ queens on 2x3x4x5x6x7x8x9x11, checked");
        } else {
            let made: serde_json::Value = serde_json::from_str(&out).expect("JSON");
            assert_eq!((&made["stopped"], &made["checked"]), (&true.into(), &true.into()));
            assert_eq!(made["attempts"][7]["says"], "not tried: stopped");
            assert_eq!(made["best"], made["attempts"][2]["queens"]);
        }
        desk.ndq("check made.txt").success();
        std::fs::remove_file(desk.path("made.txt")).expect("it was written");
    }
    // An unchecked result is not saved.
    let out =
        signalled_at(&desk, Signal::SIGINT, "find 157^4 -v -o made.txt", "checking 3869893 by regular, ");
    matches(&out, r"^regular +-  stopped before its 3869893 were checked\n");
    assert!(desk.names(".").is_empty(), "{:?}", desk.names("."));
    signalled(Signal::SIGTERM, "find 16^3 --method stack --count", "");
    signalled(Signal::SIGINT, "find 199^3 --method regular --count", "");
}

#[test]
fn ctrl_c_ends_commands_without_results() {
    signalled(Signal::SIGINT, "info hex:5000", "");
    signalled(Signal::SIGTERM, "info hex:5000", "");
    let desk = Desk::new();
    signalled_at(&desk, Signal::SIGINT, "model 60^3 -o graph.col", "");
    assert!(desk.names(".").is_empty(), "{:?}", desk.names("."));
}

#[test]
fn ctrl_c_keeps_boxes_settled_by_exact_engine() {
    let desk = Desk::new();
    let signalled = |arguments: &str, words: &str| signalled_at(&desk, Signal::SIGINT, arguments, words);
    let out = signalled("prove 12^3 --work w --proof p.gz --veripb v.pbp", "");
    matches(&out, r"alpha\(12\^3\): not settled in this run, stopped \(interrupted\); \d+ <= alpha <= \d+");
    assert!(!desk.names("w").is_empty(), "no box was kept");
    signalled("table boxes 12^3 -o t.csv", "");
    assert!(desk.read("t.csv").lines().count() > 1, "no box was kept");
    assert_eq!(signalled("prove split 12^3 --at-least 138 -o d", ""), "");
    assert_eq!(desk.names("d"), ["boxes"]);
    desk.ndq("prove split 3^3 --at-least 5 -o d").code(0);
    signalled("prove split 6^4 --at-least 100 --parts 1000000 -o e", "");
    // Writing of the proof for VeriPB has started once its size is printed.
    let out = signalled("prove 7^3 --veripb v.pbp.gz", "proof for VeriPB: ");
    matches(&out, r"alpha\(7\^3\) = 32: proved");
    matches(&out, r"no proof for VeriPB was written: stopped \(interrupted\)");
    let mut names = desk.names(".");
    names.sort();
    assert_eq!(names, ["d", "e", "t.csv", "w"]);
}

#[test]
fn quiet_keeps_standard_error_empty() {
    let outcome = Desk::new().ndq("--quiet solve 3^3").success();
    outcome.stderr("").stdout(contains("4 queens"));
}

/// Returns the standard output of a command.
fn printed(desk: &Desk, arguments: &str, code: i32) -> String {
    let outcome = desk.ndq(arguments).code(code);
    String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn verdict_is_last_and_alone_with_quiet() {
    let desk = Desk::new();
    desk.certificate("one.txt", "8^2", &["0 0"]);
    desk.certificate("two.txt", "4^2", &["0 0"]);
    desk.ndq("prove split 3^3 --at-least 4 -o d").success();
    for (arguments, code, verdict) in [
        ("solve 4^3", 0, "7 queens on 4^3: optimal ["),
        ("solve 4^2 -f domination", 0, "2 queens dominate 4^2: optimal ["),
        ("solve 3^3 --at-least 5", 1, "no solution with at least 5"),
        ("prove 4^3", 0, "alpha(4^3) = 7: proved"),
        ("prove 4^3 --k 8", 1, "alpha(4^3) = 8: refuted; at most 7"),
        ("prove 4^3 --engine highs", 0, "alpha(4^3) = 7: solved in floating point, not certified"),
        ("find 8^2", 0, "8 queens on 8^2, checked: no two attack each other"),
        ("find 8^2 --method planar", 0, "8 queens on 8^2, checked: no two attack each other"),
        ("find 6^2 --method search --at-least 6 --time-limit 20", 0, "6 queens on 6^2, checked"),
        ("extend 8^2 --include one.txt", 0, "1 queen completes to 8 queens on 8^2"),
        ("extend 4^2 --include two.txt", 1, "not extendable to 4 queens on 4^2"),
        ("prove run d --all", 1, "4 queens fit on 3^3: a certificate"),
        ("prove status d", 1, "4 queens fit on 3^3: a certificate"),
        ("prove join d", 1, "4 queens fit on 3^3: a certificate"),
        ("colour 4^2 --colours 5", 0, "4^2 in 5 colours, checked"),
    ] {
        let whole = printed(&desk, arguments, code);
        let quiet = printed(&desk, &format!("-q {arguments}"), code);
        let is_verdict = |line: &&str| line.starts_with(verdict);
        let place = whole.lines().position(|line| is_verdict(&line)).expect(&whole);
        let after: Vec<&str> = whole.lines().skip(place + 1).collect();
        assert!(
            after.iter().all(|line| line.contains("enough") || line.contains("needed")),
            "{arguments}: {whole}"
        );
        assert!(place > 0, "{arguments} prints no details: {whole}");
        assert!(quiet.lines().next().is_some_and(|line| is_verdict(&line)), "{arguments}: {quiet}");
        assert_eq!(quiet.lines().count(), after.len() + 1, "{arguments}: {quiet}");
    }
    let whole = printed(&desk, "count 4^3", 0);
    let quiet = printed(&desk, "-q count 4^3", 0);
    assert!(quiet.starts_with("independence number    7\nmaximum solutions      1344\n"), "{quiet}");
    assert!(whole.starts_with("board ") && whole.ends_with(&quiet), "{whole}");
    let quiet = printed(&desk, "-q count 4^2 --method all", 0);
    let agreed = "the 3 methods agree: independence number 4, maximum solutions 2, up to symmetry 1\n";
    assert_eq!(quiet, agreed);
    assert!(printed(&desk, "count 4^2 --method all", 0).ends_with(agreed));
    let whole = printed(&desk, "colour 5^2 --all", 0);
    let quiet = printed(&desk, "-q colour 5^2 --all", 0);
    assert!(quiet.starts_with("colourings               2, up to colours\n"), "{quiet}");
    assert!(whole.starts_with("5-colourings of 5^2\n") && whole.ends_with(&quiet), "{whole}");
}

#[test]
fn stopped_run_says_how_to_keep_its_work() {
    let desk = Desk::new();
    let how = "intermediate work was discarded; to keep it, give the same command with --work DIR";
    for arguments in
        ["prove 12^3 --time-limit 1", "count 12^3 --time-limit 1", "colour 12^2 --all --time-limit 0.2"]
    {
        desk.ndq(arguments).code(3).stderr(contains(how));
        let kept = desk.ndq(&format!("{arguments} --work w{}", arguments.len())).code(3);
        assert!(!String::from_utf8_lossy(&kept.get_output().stderr).contains("discarded"), "{arguments}");
        desk.ndq(&format!("-q {arguments}")).code(3).stderr("");
    }
    desk.ndq("prove hex:16 --engine exact --time-limit 0.2").code(3).stderr(contains("ndq prove split"));
}

#[test]
fn progress_names_step_and_object() {
    let desk = Desk::new();
    for (arguments, words) in [
        ("lp relax 12^3 -f edge,all --time-limit 20 -v", "all on 12^3: "),
        ("count 12^3 --time-limit 2 -v", "count 12^3: "),
        ("count 6^3 --method bk --time-limit 2 -v", "count 6^3 by Bron-Kerbosch: "),
        ("prove 12^3 --time-limit 2 -v", "prove 12^3: "),
        ("solve 8^3 -f base --time-limit 2 -v", "solve 8^3: "),
        ("find 9^3 --method search --time-limit 2 -v", "local search on 9^3: "),
        ("table boxes 12^3 --time-limit 2 -v", "boxes of 12^3: "),
    ] {
        desk.ndq(arguments).stderr(contains(words));
    }
}
