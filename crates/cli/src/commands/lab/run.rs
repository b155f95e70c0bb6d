//! The command `ndq lab run`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use ndqueens_archive::archive::{Archive, VARIABLE};
use ndqueens_experiments::child::Processes;
use ndqueens_experiments::definition::Definition;
use ndqueens_experiments::evaluation::Evaluation;
use ndqueens_experiments::planned::Planned;
use ndqueens_experiments::runner::{self, Batch, Event, Summary};
use ndqueens_experiments::store::Store;
use ndqueens_experiments::{plan, plot, table};
use ndqueens_notation::counted::counted;
use ndqueens_report::svg::Format;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

use super::view::View;
use crate::args::groups::{Commands, Sharing};
use crate::args::values::{duration, whole};
use crate::commands::Exit;
use crate::output::{Output, log};
use crate::progress::Verbosity;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("run.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The experiment file, such as instances/experiments/smoke.toml.
    pub(crate) file: PathBuf,
    /// The folder for rows and tables, created if needed. The same command resumes there, and several
    /// runners may share it.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Number of runs that are executed in parallel; times are comparable only if each run has a core of its
    /// own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1024))]
    pub(crate) jobs: u32,
    /// Execute again the runs that ended in a crash or an error.
    #[arg(long)]
    pub(crate) retry: bool,
    /// Wall-clock limit of the whole batch, in seconds or as 90s, 15m or 3h50m: the next call executes the
    /// runs that are not finished by then [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true, conflicts_with = "work_time")]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) sharing: Sharing,
    /// Write neither tables nor plots.
    #[arg(long)]
    pub(crate) no_tables: bool,
    #[command(flatten)]
    pub(crate) commands: Commands,
}

#[derive(JsonSchema, Serialize)]
struct Report {
    runs: usize,
    done: usize,
    failed: usize,
    wrong: usize,
    missing: usize,
    /// Number of missing runs that other runners have claimed.
    elsewhere: usize,
    /// Number of missing runs that would not end in the remaining time.
    too_long: usize,
}

printed!(Report: "lab run");

pub(super) fn run(
    args: &Args,
    archive: &Archive,
    verbosity: Verbosity,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let Sharing { share, work_time } = args.sharing;
    let deadline = Deadline::after(work_time.or(args.time_limit));
    let definition = Definition::read(&args.file)?;
    let plan = plan::plan(&definition)?;
    crate::commands::allow_commands(&args.file, plan.iter().map(Planned::backend), &args.commands)?;
    let store = Store::open(&args.output, out.notes())?;
    store.begin(&definition, &plan)?;
    let program = std::env::current_exe().context("this program's own path")?;
    let environment = archive.files().folder().map(|folder| (VARIABLE.to_owned(), folder.to_owned()));
    let processes = Processes { program, environment: environment.into_iter().collect() };
    let jobs = args.jobs as usize;
    let fitting = if work_time.is_some() { deadline } else { Deadline::NEVER };
    let (store, plan, retry) = (&store, plan.as_slice(), args.retry);
    let batch = Batch { executor: &processes, store, plan, jobs, retry, share, fitting };
    let view = View::new(plan, jobs, verbosity);
    let watch = |event: Event<'_>| {
        let flow = view.show(&event);
        if deadline.is_over() { ControlFlow::Break(()) } else { flow }
    };
    let summary = runner::run(&batch, &watch)?;
    drop(view);
    let evaluation = Evaluation::read(&args.output, None, out.notes())?;
    let there = if args.no_tables {
        "rows"
    } else {
        table::write(&evaluation, &args.output.join("tables"))?;
        plot::write(&evaluation, &args.output.join("plots"), Format::Svg)?;
        "rows, tables and plots"
    };
    let Summary { done, missing, elsewhere, too_long } = summary;
    let stopped = missing.saturating_sub(elsewhere);
    let (failed, wrong) =
        (evaluation.runs.iter().filter(|run| run.has_failed()).count(), evaluation.conflicts.len());
    let text = format!(
        "{}: {done} of {} done, {failed} failed, {wrong} in contradiction; {there} in {}",
        definition.contents.title,
        counted(plan.len(), "run"),
        args.output.display()
    );
    log_missing(stopped, elsewhere, too_long);
    out.result(&Report { runs: plan.len(), done, failed, wrong, missing, elsewhere, too_long }, &text)?;
    Ok(match (failed + wrong, stopped) {
        (1.., _) => Exit::Failed,
        (_, 1..) => Exit::Stopped,
        _ => Exit::Yes,
    })
}

/// Logs the numbers of runs that are missing because of a stop, and because other runners have claimed them.
fn log_missing(stopped: usize, elsewhere: usize, too_long: usize) {
    if stopped > 0 {
        let missing = counted(stopped as u64, "run");
        log(&match too_long {
            0 => format!("stopped with {missing} missing; the same command resumes"),
            _ => format!("stopped with {missing} missing, of which {too_long} may take longer than was left"),
        });
    }
    if elsewhere > 0 {
        log(&format!("{} claimed by other runners", counted(elsewhere as u64, "run")));
    }
}
