//! What the machine says: CPU time and memory used, host name, CPU, job.

use ndqueens_system::claim::Holder;
pub use ndqueens_system::process::{cpu_time, host, peak_memory};

/// The model of the CPU; `None` where the system does not tell.
#[must_use]
pub fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).trim().to_owned())
}

/// The job of the scheduler that this process is of: of Slurm, with the number in its array, of PBS, LSF or HyperQueue.
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

/// The time now, in UTC.
#[must_use]
pub fn date() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// This process, as it signs its claims.
#[must_use]
pub fn holder() -> Holder {
    Holder::here(host(), job())
}
