//! The command `ndq colour split`.

use std::path::PathBuf;

use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::colour::folder::ColouringFolder;
use ndqueens_workflow::run::Interruptible;
use schemars::JsonSchema;
use serde::Serialize;

use super::all::question;
use crate::args::groups::Limit;
use crate::args::values::board;
use crate::commands::Exit;
use crate::commands::parts::next;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("split.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The board, n^2 with n up to 16.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The symmetry that the colourings have: none (any), h, v, hv, r2 or r4.
    #[arg(long, value_name = "OPERATOR", default_value = "none", value_parser = str::parse::<Operator>)]
    pub(crate) symmetry: Operator,
    /// Leave out the clique filter of the complete algorithm.
    #[arg(long)]
    pub(crate) no_filter: bool,
    /// A new folder for the parts.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) limit: Limit,
}

#[derive(JsonSchema, Serialize)]
struct Cut<'a> {
    board: String,
    symmetry: String,
    filter: bool,
    parts: usize,
    digest: &'a str,
}

printed!(Cut<'static>: "colour split");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    display.work_on(format!("split of {}", args.board));
    let question = question(&args.board, Some(args.symmetry), !args.no_filter)?;
    let deadline = Deadline::after(args.limit.time_limit);
    let split = ColouringFolder::split(&question, &args.output, deadline, out.notes(), &mut |event| {
        display.show(event)
    })?;
    let folder = match split {
        Interruptible::Finished(folder) => folder,
        Interruptible::Stopped(stop) => {
            display.print(&format!("stopped ({stop}) before all solutions were listed: nothing is stored"));
            return Ok(Exit::Stopped);
        }
    };
    let parts = folder.parts();
    let cut = Cut {
        board: args.board.to_string(),
        symmetry: question.operator.to_string(),
        filter: question.filter,
        parts,
        digest: folder.digest(),
    };
    let next = match parts {
        0 => next("ndq colour join", &args.output, false),
        _ => next("ndq colour run", &args.output, true),
    };
    out.result(&cut, &format!("{question}: split into {}{next}", counted(parts as u64, "part")))?;
    Ok(Exit::Yes)
}
