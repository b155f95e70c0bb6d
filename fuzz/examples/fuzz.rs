//! Runs the fuzz targets with a stable toolchain: mutates seed texts for some seconds, one
//! process for each target.
//!
//! Input number `n` of a target depends on the seed and on nothing else. A process that panics, ends in
//! another way or takes too long for an input is reported with this input, which is written to a file.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "a program for the terminal")]

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use ndqueens_fuzz::{Target, corpus, mutation, targets};
use nix::sys::resource::{Resource, setrlimit};

/// Processor time that one input may take.
const LONGEST_INPUT: Duration = Duration::from_secs(20);

/// Memory of a process in bytes.
const MOST_MEMORY: u64 = 4 << 30;

/// Runs the fuzz targets with a stable toolchain.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Work>,
    /// Run only these targets
    #[arg(long = "target", value_name = "TARGET")]
    targets: Vec<String>,
    /// Run for so many seconds, all targets together
    #[arg(long, env = "NDQ_FUZZ_SECONDS", default_value_t = 60.0)]
    seconds: f64,
    /// Number from which all inputs follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Subcommand)]
enum Work {
    /// Check one file with a target
    Replay {
        /// Name of the target
        target: String,
        /// The file
        file: PathBuf,
    },
    /// Print the input of a target with a number
    Input {
        /// Name of the target
        target: String,
        /// The number
        number: u64,
    },
    /// Write the seed texts of a target to a folder
    Seeds {
        /// Name of the target
        target: String,
        /// The folder
        folder: PathBuf,
    },
    /// Run one target in this process
    #[command(hide = true)]
    Worker {
        target: String,
        seconds: f64,
        seed: u64,
        /// File that receives the number of each input before it is checked
        state: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(Work::Replay { target, file }) => {
            let text = fs::read(&file).unwrap_or_else(|fault| fail(&format!("{}: {fault}", file.display())));
            let is_accepted = (named(&target).check)(&text);
            println!("{target}: {}", if is_accepted { "accepted" } else { "rejected with an error message" });
            ExitCode::SUCCESS
        }
        Some(Work::Input { target, number }) => {
            let text = mutation::input(&(named(&target).seeds)(), arguments.seed, number);
            io::stdout().write_all(&text).unwrap_or_else(|fault| fail(&fault.to_string()));
            ExitCode::SUCCESS
        }
        Some(Work::Seeds { target, folder }) => {
            fs::create_dir_all(&folder)
                .unwrap_or_else(|fault| fail(&format!("{}: {fault}", folder.display())));
            for (number, text) in (named(&target).seeds)().iter().enumerate() {
                let path = folder.join(format!("seed-{number}"));
                fs::write(&path, text).unwrap_or_else(|fault| fail(&format!("{}: {fault}", path.display())));
            }
            ExitCode::SUCCESS
        }
        Some(Work::Worker { target, seconds, seed, state }) => work(named(&target), seconds, seed, &state),
        None => run(&arguments),
    }
}

fn fail(words: &str) -> ! {
    eprintln!("fuzz: {words}");
    std::process::exit(2)
}

fn named(name: &str) -> &'static Target {
    Target::named(name).unwrap_or_else(|| {
        let names: Vec<&str> = targets::ALL.iter().map(|target| target.name).collect();
        fail(&format!("unknown target \"{name}\"; expected one of {}", names.join(", ")))
    })
}

/// Runs each target in a process of its own.
fn run(arguments: &Arguments) -> ExitCode {
    let chosen: Vec<&Target> = if arguments.targets.is_empty() {
        targets::ALL.iter().collect()
    } else {
        arguments.targets.iter().map(|name| named(name)).collect()
    };
    let seconds = arguments.seconds / chosen.len() as f64;
    let folder = corpus::root().join("target/fuzz");
    fs::create_dir_all(&folder).unwrap_or_else(|fault| fail(&format!("{}: {fault}", folder.display())));
    let folder = folder.canonicalize().unwrap_or(folder);
    let mut failures = 0;
    for target in &chosen {
        let state = folder.join(format!("{}.{}.state", target.name, std::process::id()));
        let result = attend(target, seconds, arguments.seed, &state);
        let _ = fs::remove_file(&state);
        if let Err(Failure { number, reason }) = result {
            failures += 1;
            let text = mutation::input(&(target.seeds)(), arguments.seed, number);
            let path = folder.join(format!("{}-{}-{number}.txt", target.name, arguments.seed));
            fs::write(&path, text).unwrap_or_else(|fault| fail(&format!("{}: {fault}", path.display())));
            println!("{}: FAILED at input {number}: {reason}", target.name);
            println!("  input:  {}", path.display());
            println!("  replay: target/ci/examples/fuzz replay {} {}", target.name, path.display());
        }
    }
    println!("{} of {} targets failed", failures, chosen.len());
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// An input with which a property does not hold.
struct Failure {
    number: u64,
    reason: String,
}

/// Ends a process when it is dropped.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the process of a target and waits for its end, as long as it comes to new inputs.
fn attend(target: &Target, seconds: f64, seed: u64, state: &Path) -> Result<(), Failure> {
    let state_file = File::options().read(true).write(true).create(true).truncate(true).open(state);
    let state_file = state_file.unwrap_or_else(|fault| fail(&format!("{}: {fault}", state.display())));
    let program =
        std::env::current_exe().unwrap_or_else(|fault| fail(&format!("the program is not found: {fault}")));
    let mut command = Command::new(program);
    command.arg("worker").arg(target.name).args([seconds.to_string(), seed.to_string()]).arg(state);
    command.stdin(Stdio::null());
    let child =
        command.spawn().unwrap_or_else(|fault| fail(&format!("a process cannot be started: {fault}")));
    let mut child = Owned(child);
    let number = || {
        let mut bytes = [0; 8];
        state_file.read_exact_at(&mut bytes, 0).map_or(0, |()| u64::from_le_bytes(bytes))
    };
    let began = Instant::now();
    let (mut last, mut since) = (0, Duration::ZERO);
    loop {
        match child.0.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => {
                return Err(Failure { number: number(), reason: format!("the process ended with {status}") });
            }
            Ok(None) => {}
            Err(fault) => fail(&format!("a process cannot be waited for: {fault}")),
        }
        thread::sleep(Duration::from_millis(20));
        let now = number();
        // Without /proc, the time is that of the clock.
        let spent = processor_time(child.0.id()).unwrap_or_else(|| began.elapsed());
        if now != last {
            (last, since) = (now, spent);
        } else if spent.saturating_sub(since) > LONGEST_INPUT {
            let reason = format!("it takes more than {} s of processor time", LONGEST_INPUT.as_secs());
            return Err(Failure { number: now, reason });
        }
    }
}

/// Returns the processor time of a process, if the system has `/proc`. Other work on the
/// machine does not count.
fn processor_time(process: u32) -> Option<Duration> {
    /// Ticks per second, which are the same on all architectures.
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may hold blanks.
    let words: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = words.get(11)?.parse::<f64>().ok()? + words.get(12)?.parse::<f64>().ok()?;
    Some(Duration::from_secs_f64(ticks / TICKS))
}

/// Checks inputs of a target in this process until the time is over or a check panics.
fn work(target: &Target, seconds: f64, seed: u64, state: &Path) -> ExitCode {
    if let Err(fault) = setrlimit(Resource::RLIMIT_AS, MOST_MEMORY, MOST_MEMORY) {
        fail(&format!("the memory cannot be limited: {fault}"));
    }
    let state = File::options().write(true).open(state).unwrap_or_else(|fault| fail(&fault.to_string()));
    let seeds = (target.seeds)();
    let began = Instant::now();
    let (mut accepted, mut slowest) = (0_u64, (Duration::ZERO, 0));
    let mut number = 0_u64;
    // All seeds are checked, however short the time.
    while number < seeds.len() as u64 || began.elapsed().as_secs_f64() < seconds {
        let text = mutation::input(&seeds, seed, number);
        if let Err(fault) = state.write_all_at(&number.to_le_bytes(), 0) {
            fail(&fault.to_string());
        }
        let start = Instant::now();
        match panic::catch_unwind(|| (target.check)(&text)) {
            Ok(is_accepted) => accepted += u64::from(is_accepted),
            Err(_) => return ExitCode::FAILURE,
        }
        slowest = slowest.max((start.elapsed(), number));
        number += 1;
    }
    if accepted == 0 {
        fail(&format!(
            "{}: none of {number} inputs is accepted, so that its properties were not checked",
            target.name
        ));
    }
    let rate = number as f64 / began.elapsed().as_secs_f64();
    println!(
        "{}: {number} inputs, {accepted} accepted, {rate:.0} per second, slowest {:.3} s (input {})",
        target.name,
        slowest.0.as_secs_f64(),
        slowest.1
    );
    ExitCode::SUCCESS
}
