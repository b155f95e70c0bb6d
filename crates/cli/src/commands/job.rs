//! Job scripts of `ndq prove batch`, `ndq colour batch` and `ndq lab batch`.

use std::path::{Path, PathBuf};

use crate::batch::Batch;
use anyhow::{Context as _, bail};
use ndqueens_notation::counted::counted;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::groups::Job;
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;
use crate::typed::Typed;

#[derive(JsonSchema, Serialize)]
struct Written {
    script: PathBuf,
    join: PathBuf,
    tasks: u32,
}

printed!(Written: "prove batch", "colour batch", "lab batch");

/// Returns the path of this program for job scripts.
pub(super) fn program() -> anyhow::Result<String> {
    let program = std::env::current_exe().context("this program's own path")?;
    Ok(program.display().to_string())
}

/// Formats a path as an argument, also if it starts with a hyphen.
pub(super) fn name(path: &Path) -> String {
    let name = path.display().to_string();
    if name.starts_with('-') { format!("./{name}") } else { name }
}

/// Adds the option that limits memory to that of the task, in whole GiB.
pub(super) fn memory(job: &Job, typed: &mut Typed) {
    let gib = job.memory_per_core.map(|mib| u64::from(mib) * u64::from(job.cores) / 1024);
    if let Some(gib) = gib.filter(|&gib| gib > 0) {
        typed.option("--memory", gib);
    }
}

/// Writes the script of an array of runners on a folder, and the script of the job that follows it.
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
    let is_script = |ending: &&str| output.extension().is_some_and(|found| found == *ending);
    if !["sbatch", "slurm", "sh"].iter().any(is_script) {
        bail!("{}: the name of a job script must end in .sbatch, .slurm or .sh", output.display());
    }
    let array = batch.array()?;
    let after = output.with_extension("join.sbatch");
    for (path, text) in [(&output, array), (&after, batch.join())] {
        file::write(path, |out| out.write_all(text.as_bytes()))?;
    }
    let (script, follow) =
        (Typed::new("sbatch --parsable").word(output.display()).to_string(), after.display());
    let next = Typed::new("sbatch --dependency=afterok:$job").word(follow).to_string();
    let text = format!("{}: {}\nnext: job=$({script}) && {next}", output.display(), counted(tasks, "task"));
    out.result(&Written { script: output, join: after, tasks }, &text)?;
    Ok(Exit::Yes)
}
