//! Job scripts, as `ndq prove batch` and `ndq lab batch` write them.

use std::path::PathBuf;

use anyhow::Context as _;
use ndqueens_console::batch::Batch;
use ndqueens_files as files;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::groups::Job;
use crate::args::typed::Typed;
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Written {
    script: PathBuf,
    join: PathBuf,
    tasks: u32,
}

printed!(Written: "prove batch", "lab batch");

/// This program, as job scripts start it.
pub(super) fn program() -> anyhow::Result<String> {
    let program = std::env::current_exe().context("this program's own path")?;
    Ok(program.display().to_string())
}

/// Writes the script of an array of runners on a folder, and that of the job that follows it.
pub(super) fn write(
    job: &Job,
    name: String,
    folder: String,
    run: String,
    join: String,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let Job { tasks, time, cores, memory_per_core: memory, partition, output } = job.clone();
    let batch = Batch { name, tasks, time, cores, memory, partition, folder, run, join };
    let array = batch.array()?;
    let after = output.with_extension("join.sbatch");
    for (path, text) in [(&output, array), (&after, batch.join())] {
        files::write(path, |out| out.write_all(text.as_bytes()))?;
    }
    let (script, follow) =
        (Typed::new("sbatch --parsable").word(output.display()).to_string(), after.display());
    let next = Typed::new("sbatch --dependency=afterok:$job").word(follow).to_string();
    let text = format!("{}: {tasks} tasks\nnext: job=$({script}) && {next}", output.display());
    out.result(&Written { script: output, join: after, tasks }, &text)?;
    Ok(Exit::Yes)
}
