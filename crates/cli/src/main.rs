//! `ndq`: flags and glue. Exit codes: 0 done and yes, 1 done and no, 2 bad input, 3 stopped early, 4 failure.

mod args;
mod commands;
mod interrupt;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let mut out = output::Output::new(args.json);
    match commands::run(&args, &mut out) {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => {
            output::report(&error);
            ExitCode::from(commands::exit_of(&error) as u8)
        }
    }
}
