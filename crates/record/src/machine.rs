//! What the machine says: CPU time and memory used, host name, CPU, job.

use std::time::Duration;

use ndqueens_files::claim::Holder;
use nix::sys::resource::{UsageWho, getrusage};

/// CPU time so far, user and system, of this process and of the commands that it ran.
#[must_use]
pub fn cpu_time() -> Duration {
    let micros = |t: nix::sys::time::TimeVal| t.tv_sec() as u64 * 1_000_000 + t.tv_usec() as u64;
    let usages = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].into_iter().flat_map(getrusage);
    Duration::from_micros(usages.map(|usage| micros(usage.user_time()) + micros(usage.system_time())).sum())
}

/// The most memory that this process has held so far, in bytes; `None` where the system does not tell. `getrusage` would
/// also count what the parent held when it made this process.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The host's name.
#[must_use]
pub fn host() -> String {
    nix::unistd::gethostname()
        .map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
}

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
    let told = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let of = |job: &str, task: &str| match (told(job), told(task)) {
        (Some(job), Some(task)) => Some(format!("{job}_{task}")),
        _ => None,
    };
    of("SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID")
        .or_else(|| of("HQ_JOB_ID", "HQ_TASK_ID"))
        .or_else(|| ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"].into_iter().find_map(told))
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
