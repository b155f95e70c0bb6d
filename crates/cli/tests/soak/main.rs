//! Soak test with a seed: commands are killed at random points, share files, run on a full disk, receive
//! wrong solutions from solvers and read damaged files. No finished work may be lost, no answer may be wrong,
//! and no command may panic, abort or exceed its limits.
//!
//! The test runs for `NDQ_SOAK_SECONDS` seconds, by default 15. It uses and prints the seed `NDQ_SOAK_SEED`,
//! by default the current time. `scripts/soak` starts long runs.

mod bench;
mod damage;
mod kills;
mod limits;
mod solvers;
mod writers;

use std::time::{Duration, Instant};

use bench::Bench;

/// Returns a number from an environment variable.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

#[test]
#[allow(clippy::print_stdout, reason = "the seed and the counts are what it is run for")]
fn nothing_is_lost_and_nothing_runs_away() {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("it is later").as_secs();
    let seed = setting("NDQ_SOAK_SEED").unwrap_or(now);
    let duration = Duration::from_secs(setting("NDQ_SOAK_SECONDS").unwrap_or(15));
    println!("soak: seed {seed}, {} s; NDQ_SOAK_SEED={seed} begins in the same way", duration.as_secs());
    let mut bench = Bench::new(seed);
    let corpus = damage::Corpus::new(&mut bench);
    let began = Instant::now();
    let mut round = 0;
    // Each of the five attacks runs at least once.
    while began.elapsed() < duration || round < 5 {
        bench.begin(round);
        match round % 5 {
            0 => kills::attack(&mut bench),
            1 => writers::attack(&mut bench),
            2 => limits::attack(&mut bench),
            3 => solvers::attack(&mut bench),
            _ => damage::attack(&mut bench, &corpus),
        }
        round += 1;
    }
    println!("soak: seed {seed}, {round} rounds in {:.0} s; {}", began.elapsed().as_secs_f64(), bench.counts);
}
