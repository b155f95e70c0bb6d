//! Properties of the machine and the process: CPU time and memory used, host name, CPU, job.

use ndqueens_system::claim::Holder;
pub use ndqueens_system::process::{cpu_time, host, peak_memory};

/// Returns the model of the CPU; `None` if the system does not state it.
#[must_use]
pub fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).trim().to_owned())
}

/// Returns the identifier of the scheduler's job that this process belongs to, with the number in the array
/// if there is one. Slurm, HyperQueue, PBS and LSF are supported.
#[must_use]
pub fn job() -> Option<String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let of = |job: &str, task: &str| match (variable(job), variable(task)) {
        (Some(job), Some(task)) => Some(format!("{job}_{task}")),
        _ => None,
    };
    of("SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID")
        .or_else(|| of("HQ_JOB_ID", "HQ_TASK_ID"))
        .or_else(|| ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"].into_iter().find_map(variable))
}

/// Returns the current time in UTC.
#[must_use]
pub fn date() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Returns this process as the holder of claims.
#[must_use]
pub fn holder() -> Holder {
    Holder::here(host(), job())
}
