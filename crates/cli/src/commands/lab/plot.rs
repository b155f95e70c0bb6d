//! The command `ndq lab plot`.

use std::path::PathBuf;

use ndqueens_experiments::definition::Clock;
use ndqueens_experiments::plot;
use ndqueens_report::svg::Format;

use super::folder::{evaluation, report_conflicts};
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

printed!(Vec<String>: "lab plot");

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("plot.txt"))]
pub(crate) struct Args {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// The clock of the seconds that are plotted [default: the one that the experiment file names].
    #[arg(long, value_enum)]
    pub(crate) time: Option<Clock>,
    /// The format of the plots: svg, png, pdf or tex (TikZ).
    #[arg(long, value_name = "FORMAT", default_value = "svg")]
    pub(crate) format: Format,
    /// Write the files into this folder, created if needed [default: plots/ in FOLDER].
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let evaluation = evaluation(&args.folder, args.time, None, out.notes())?;
    let folder = args.output.clone().unwrap_or_else(|| args.folder.join("plots"));
    let paths = plot::write(&evaluation, &folder, args.format)?;
    let text: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let words = if text.is_empty() { "there is nothing to draw yet".to_owned() } else { text.join("\n") };
    out.result(&text, &words)?;
    Ok(report_conflicts(&evaluation.conflicts))
}
