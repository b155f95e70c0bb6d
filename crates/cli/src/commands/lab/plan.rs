//! The command `ndq lab plan`.

use std::path::PathBuf;

use ndqueens_experiments::definition::Definition;
use ndqueens_experiments::{plan, planned};
use ndqueens_notation::counted::counted;

use crate::commands::Exit;
use crate::output::{Output, log};
use crate::progress::duration;
use crate::schema::printed;

printed!(planned::Planned: "lab plan");

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("plan.txt"))]
pub(crate) struct Args {
    /// The experiment file, such as instances/experiments/smoke.toml.
    pub(crate) file: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let plan = plan::plan(&Definition::read(&args.file)?)?;
    plan.iter().for_each(|run| out.notes().report_all(run.question.board.notes()));
    if out.json() {
        for run in &plan {
            out.result(run, "")?;
        }
        return Ok(Exit::Yes);
    }
    let text = planned::csv(&plan);
    out.result(&(), &text)?;
    let limit: Option<f64> = plan.iter().map(|run| run.question.time_limit_seconds).sum();
    let limit = limit.filter(|_| !plan.is_empty());
    let limit =
        limit.map_or_else(String::new, |limit| format!(", {} at most by their time limits", duration(limit)));
    log(&format!("{}{limit}", counted(plan.len(), "run")));
    Ok(Exit::Yes)
}
