//! The command `ndq lab report`.

use std::path::{Path, PathBuf};

use ndqueens_experiments::definition::Clock;
use ndqueens_notation::counted::counted;
use ndqueens_site::report::{self, Experiment};
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::folder::{evaluation, report_conflicts};
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("report.txt"))]
pub(crate) struct Args {
    /// The folder of an experiment, or one that contains such folders.
    pub(crate) folder: PathBuf,
    /// The clock of the seconds that are shown [default: the one that the experiment file names].
    #[arg(long, value_enum)]
    pub(crate) time: Option<Clock>,
    /// Write the page into this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(JsonSchema, Serialize)]
struct Written {
    file: String,
    bytes: usize,
    experiments: usize,
    runs: usize,
    missing: usize,
    contradictions: usize,
}

printed!(Written: "lab report");

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    file::writable(&args.output)?;
    let read = |folder: PathBuf| -> anyhow::Result<Experiment> {
        let evaluation = evaluation(&folder, args.time, None, out.notes())?;
        let definition = file::read_plain(&folder.join("experiment.toml"))?;
        Ok(Experiment { name: name(&folder), definition, evaluation })
    };
    let experiments =
        report::folders(&args.folder).into_iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let page = report::page(&experiments, &name(&args.folder))?;
    file::write(&args.output, |file| file.write_all(page.as_bytes()))?;
    let mut conflicts = report::between(&experiments);
    conflicts.extend(experiments.iter().flat_map(|one| one.evaluation.conflicts.iter().cloned()));
    let written = Written {
        file: args.output.display().to_string(),
        bytes: page.len(),
        experiments: experiments.len(),
        runs: experiments.iter().map(|one| one.evaluation.runs.len()).sum(),
        missing: experiments.iter().map(|one| one.evaluation.missing).sum(),
        contradictions: conflicts.len(),
    };
    let words = format!(
        "{}: {}, {}",
        written.file,
        counted(written.runs, "run"),
        counted(written.contradictions, "contradiction")
    );
    out.result(&written, &words)?;
    Ok(report_conflicts(&conflicts))
}

/// Returns the last part of a path, which is the same on all machines.
fn name(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}
