//! Dispatch of the command line to the commands.

use std::time::Duration;

use ndqueens_archive::archive::Archive;

use crate::args::groups::Limited as _;
use crate::cli::{self, Cli, Command};
use crate::commands::{
    Exit, archive as archive_command, check, colour, count, dots, draw, extend, face, facets, find, generate,
    info, lab, lp, model, prove, rerun, site, solve, sudoku, table,
};
use crate::interrupt;
use crate::output::{Output, log};
use crate::progress::Display;

/// Returns `true` if a command stops at an interrupt or the time limit by itself, with what is known.
fn stops_by_itself(command: &Command) -> bool {
    match command {
        Command::Info(_)
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Model(_)
        | Command::Draw(_)
        | Command::Site(_)
        | Command::Prove(prove::Args {
            part: Some(prove::Part::Join(_) | prove::Part::Status(_) | prove::Part::Batch(_)),
            ..
        })
        | Command::Table(
            table::Args::Bounds(_)
            | table::Args::Maxima(_)
            | table::Args::Open(_)
            | table::Args::New(_)
            | table::Args::Columns(_)
            | table::Args::Ratios(_)
            | table::Args::Published
            | table::Args::Counts(_),
        )
        | Command::Archive(_)
        | Command::Dots(dots::Args::Check(_) | dots::Args::Play(_) | dots::Args::Draw(_)) => false,
        Command::Find(find) => !find.is_from_files(),
        _ => true,
    }
}

/// Runs a command.
pub(crate) fn run(args: &Cli, out: &mut Output) -> anyhow::Result<Exit> {
    let time_limit = args.command.time_limit();
    let stops = stops_by_itself(&args.command);
    match &args.command {
        // `ndq lab` is not ended at a limit: it waits for the started runs, and draws the finished ones.
        Command::Lab(_) => {}
        // For an LP, only the objective value is recorded.
        Command::Lp(lp::Args::Relax(_)) => interrupt::limit(time_limit, interrupt::OVERTIME / 2, out.json()),
        command => {
            let stops = stops || matches!(command, Command::Info(_));
            let overtime = if stops { interrupt::OVERTIME } else { Duration::ZERO };
            interrupt::limit(time_limit, overtime, out.json());
        }
    }
    interrupt::install(stops, out.json());
    let adds = matches!(args.command, Command::Archive(archive_command::Args::Add(_)));
    let archive = match &args.data {
        Some(folder) => Archive::open(folder, adds)?,
        None => Archive::embedded(),
    };
    let archive = archive.with_notes(out.notes());
    if args.data.is_some() && !args.verbosity.quiet {
        log(&format!("note: the archive in {} takes the place of the one in the program", archive.files()));
    }
    let display = |limit| Display::new(args.verbosity, limit);
    match &args.command {
        Command::Info(info) => info::run(info, &archive, out),
        Command::Table(table) => table::run(table, &archive, &mut display(time_limit), out),
        Command::Prove(prove) => prove::run(prove, &archive, &mut display(time_limit), out),
        Command::Solve(solve) => solve::run(solve, &archive, &mut display(time_limit), out),
        Command::Model(model) => model::run(model, &archive, out),
        Command::Lp(lp) => lp::run(lp, &archive, &mut display(time_limit), out),
        Command::Face(face) => face::run(face, &archive, &mut display(time_limit), out),
        Command::Facets(facets) => facets::run(facets, &mut display(time_limit), out),
        Command::Find(find) => find::run(find, args.verbosity, out),
        Command::Extend(extend) => extend::run(extend, &mut display(time_limit), out),
        Command::Check(check) => check::run(check, &archive, out),
        Command::Archive(archived) => archive_command::run(archived, &archive, out),
        Command::Count(count) => count::run(count, &mut display(time_limit), out),
        Command::Colour(colour) => colour::run(colour, &mut display(time_limit), out),
        Command::Draw(draw) => draw::run(draw, &archive, &mut display(time_limit), out),
        Command::Lab(lab) => lab::run(lab, &archive, args.verbosity, out),
        Command::Site(site) => site::run(site, &archive, out),
        Command::Rerun(rerun) => rerun::run(rerun, &archive, args.verbosity, out),
        Command::Sudoku(sudoku) => sudoku::run(sudoku, args.verbosity.quiet, out),
        Command::Dots(dots) => dots::run(dots, &mut display(time_limit), out),
        Command::Completions(completions) => generate::completions(completions, cli::command(), out),
        Command::Man(man) => generate::man(man, cli::command(), out),
    }
}
