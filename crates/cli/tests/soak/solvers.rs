//! Solvers that hang, crash, write endless output, return wrong solutions or leave processes behind.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use crate::bench::Bench;

/// Scripts of solvers; `$1` is the path of the model, `$2` the path of the solution. The maximum of 3^3 is 4
/// queens.
const SOLVERS: [&str; 14] = [
    "sleep 1000",
    "trap '' INT TERM; while :; do sleep 1; done",
    "kill -SEGV $$",
    "exit 7",
    "yes",
    "yes > $2",
    "head -c 200000000 /dev/urandom > $2",
    "ln -s /dev/zero $2",
    "mkfifo $2",
    "mkdir $2",
    "echo 'Infeasible - objective value 0' > $2",
    "printf 'Optimal - objective value 5\\n' > $2",
    "printf 'Optimal - objective value 1\\n 0 x_0_0_0 1 1\\n' > $2",
    "printf 'Optimal - objective value 2\\n 0 x_0_0_0 1 1\\n 1 x_0_0_1 1 1\\n' > $2",
];

pub(crate) fn attack(bench: &mut Bench) {
    let solver = *bench.one(&SOLVERS);
    let left = ["", "setsid sleep 1000 & echo $! > pid", "(setsid env -i sleep 1000 & echo $! > pid)"];
    let left = *bench.one(&left);
    bench.write("solver", format!("#!/bin/sh\n{left}\n{solver}\n"));
    std::fs::set_permissions(bench.path("solver"), Permissions::from_mode(0o755)).expect("set");
    let began = Instant::now();
    let words =
        ["solve", "3^3", "--time-limit", "1", "-o", "s.txt", "--backend", "./solver {model} {solution}"];
    bench.counts.commands += 1;
    bench.counts.lies += 1;
    let child = bench.command(&words).spawn().expect("runs");
    let ended = bench.wait(child, &format!("{} (a solver that does: {solver})", words.join(" ")));
    if began.elapsed() > Duration::from_secs(20) {
        bench.fail(&format!("{:?} with the limit 1 s and a solver that does: {solver}", began.elapsed()));
    }
    if ended.code == 0 && !solver.contains("value 1") {
        bench.fail(&format!("an answer from a solver that does: {solver}\n{}", ended.out));
    }
    if bench.path("s.txt").exists() {
        bench.answers("check s.txt", 0, "3^3");
    }
    let process = String::from_utf8(bench.read("pid")).unwrap_or_default();
    if cfg!(target_os = "linux") && !process.is_empty() {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
        let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
        if !state.is_empty() && !state.starts_with('Z') {
            bench.fail(&format!("process {process} outlives a solver that does: {left}; {solver}"));
        }
    }
}
