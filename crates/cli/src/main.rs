//! `ndq`: parses the command line and runs a command. Exit codes: 0 success, answer yes; 1 success, answer
//! no; 2 bad input; 3 stopped early; 4 failure.

mod advice;
mod args;
mod batch;
mod cli;
mod commands;
mod dispatch;
mod exit;
mod help;
mod interrupt;
mod memory;
mod output;
mod printed;
mod progress;
mod running;
mod schema;
mod typed;

use std::ffi::OsStr;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use clap::{ArgMatches, FromArgMatches as _};
use ndqueens_notation::name::BoardName;
use ndqueens_system::note::Notes;

/// Stack of the thread that runs the program, in bytes, independent of `ulimit -s`; code that recurses deeper
/// grows it.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    match thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(ndq) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(exit::Exit::Failed as u8)),
        Err(_) => ndq(),
    }
}

fn ndq() -> ExitCode {
    let matches = cli::command().try_get_matches().unwrap_or_else(|fault| refuse(&fault));
    let args = cli::Cli::from_arg_matches(&matches).unwrap_or_else(|fault| refuse(&fault));
    memory::limit(args.memory);
    ndqueens_system::program::adopt_orphans();
    end_without_threads();
    let mut out = output::Output::new(args.json).quietly(args.verbosity.quiet).with_notes();
    report_boards(&matches, out.notes());
    let ran = std::panic::catch_unwind(AssertUnwindSafe(|| dispatch::run(&args, &mut out)));
    interrupt::wait_if_ending();
    let exit = match ran {
        Ok(Ok(exit)) => out.end(exit),
        Ok(Err(error)) => {
            let class = exit::class_of_chain(&error);
            out.fault(&advice::report(&error), class);
            class.into()
        }
        // The panic has printed its message.
        Err(_) => exit::Exit::Failed,
    };
    ExitCode::from(exit as u8)
}

/// Reports notes on the board files that the arguments name.
fn report_boards(matches: &ArgMatches, notes: &Notes) {
    for id in matches.ids() {
        if let Ok(Some(boards)) = matches.try_get_many::<BoardName>(id.as_str()) {
            boards.for_each(|board| notes.report_all(board.notes()));
        }
    }
    if let Some((_, matches)) = matches.subcommand() {
        report_boards(matches, notes);
    }
}

/// Source files of the standard library that start threads, and panic if the system starts none.
const STARTS_OF_THREADS: [&str; 4] = [
    "std/src/thread/mod.rs",
    "std/src/thread/functions.rs",
    "std/src/thread/scoped.rs",
    "std/src/sys/pal/unix/stack_overflow.rs",
];

/// Returns `true` if a panic in this source file comes from the start of a thread, in the standard library or
/// in rayon.
fn starts_threads(file: &Path) -> bool {
    let is_rayon = |part: &OsStr| part.as_encoded_bytes().starts_with(b"rayon-core");
    STARTS_OF_THREADS.iter().any(|end| file.ends_with(end))
        || file.ends_with("src/registry.rs") && file.iter().any(is_rayon)
}

/// Sets a panic hook for threads that cannot be started: this is a limit of the system, not an error of the
/// program. The hook ends the process, because a thread without an alternative stack panics where nothing can
/// catch it.
fn end_without_threads() {
    // After another panic, `std::thread::scope` also panics, at its end.
    static PANICKED: AtomicBool = AtomicBool::new(false);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_start = panic.location().is_some_and(|place| starts_threads(Path::new(place.file())));
        if is_start && !PANICKED.load(Relaxed) {
            memory::give_up(
                b"\nerror: cannot start a thread: the limits on memory or on processes (ulimit) are too low\n",
            );
        }
        PANICKED.store(true, Relaxed);
        usual(panic);
    }));
}

/// Ends the program as clap does, for help and for invalid arguments. With `--json`, an error is also printed
/// as an object.
fn refuse(fault: &clap::Error) -> ! {
    if fault.use_stderr() && std::env::args_os().any(|word| word == "--json") {
        let words = fault.to_string();
        let words = words.split("\n\nUsage:").next().and_then(|words| words.split("\n\nFor more").next());
        let words = words.unwrap_or_default().trim_start_matches("error: ").trim_end();
        output::Output::new(true).fault(words, ndqueens_notation::error_class::ErrorClass::BadInput);
    }
    fault.exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_the_start_of_a_thread() {
        for file in [
            "/rustc/0/library/std/src/thread/functions.rs",
            "/home/a/rust/library/std/src/sys/pal/unix/stack_overflow.rs",
            "/home/a/.cargo/registry/src/index.crates.io-0/rayon-core-1.13.0/src/registry.rs",
        ] {
            assert!(starts_threads(Path::new(file)), "{file}");
        }
        for file in ["crates/cli/src/main.rs", "a/src/registry.rs", "std/src/sync/mpsc/mod.rs"] {
            assert!(!starts_threads(Path::new(file)), "{file}");
        }
    }
}
