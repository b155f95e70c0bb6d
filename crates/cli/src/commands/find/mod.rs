//! The command `ndq find`.

mod args;
mod construct;
mod count;
mod from;
mod search;

use anyhow::bail;
use ndqueens_solver::construct::local_search::Technique;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;

pub(crate) use self::args::Args;

use self::args::{By, name_of};
use super::Exit;
use crate::output::Output;
use crate::progress::{Display, Verbosity};

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let has_file =
        args.include.is_some() || args.search.start.as_ref().is_some_and(|start| start.file().is_some());
    args.form.refuse_without(has_file, "--include and --start FILE").map_err(anyhow::Error::msg)?;
    let method = match args.method {
        Some(By::Search(technique)) => {
            if args.count || args.is_from_files() {
                bail!(
                    "--method {} takes neither --count nor --from; a solution to start from is named by --start",
                    name_of(technique)
                );
            }
            let display = &mut Display::new(verbosity, args.limit_of_search());
            display.work_on(match technique {
                Technique::Tabu => format!("local search on {}", args.board),
                Technique::Faces => format!("annealing among faces on {}", args.board),
            });
            return search::run(args, technique, display, out);
        }
        Some(By::Construction(method)) => Some(method),
        None => None,
    };
    if let Some(flag) = args.search.first_flag() {
        bail!("{flag} is for --method search and faces");
    }
    args.refuse_ignored(method)?;
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let display = &mut Display::new(verbosity, args.time_limit).until(Deadline::after(args.time_limit));
    display.work_on(format!("{} {}", if args.count { "count on" } else { "constructions on" }, args.board));
    if args.count {
        count::run(args, method, display, out)
    } else {
        construct::run(args, method, display, out)
    }
}
