//! Job scripts for Slurm: an array of runners on one folder, and a job that runs after it.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use ndqueens_workflow::ranges;

use crate::typed::quote;

/// Maximum number of tasks of an array if Slurm does not report its own: the default `MaxArraySize` is 1001.
const USUAL_LIMIT: u32 = 1000;

/// Array of runners.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    /// Name of the job.
    pub(crate) name: String,
    /// Number of runners.
    pub(crate) tasks: u32,
    /// Time limit of each runner's job.
    pub(crate) time: Duration,
    /// Cores of each runner.
    pub(crate) cores: u32,
    /// Memory per core in MiB.
    pub(crate) memory: Option<u32>,
    /// Partition of the cluster.
    pub(crate) partition: Option<String>,
    /// Folder shared by the runners.
    pub(crate) folder: String,
    /// Shell command of a runner, without its share and its time.
    pub(crate) run: String,
    /// Shell command that runs after all runners have finished.
    pub(crate) join: String,
}

/// Minimum time limit of a task.
const LEAST: Duration = Duration::from_secs(180);

/// Error of an invalid array.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BatchError {
    /// The site does not allow this number of tasks.
    #[error("an array of {tasks} tasks is more than {limit}, the most that {who}")]
    Tasks {
        /// Requested number of tasks.
        tasks: u32,
        /// Maximum number of tasks.
        limit: u32,
        /// Source of the maximum, in words.
        who: &'static str,
    },
    /// Tasks would end before they had done any work.
    #[error(
        "a task needs 3 minutes or more, because it receives the signal to stop a minute or two before its end"
    )]
    Time,
}

impl Batch {
    /// Returns the script of the array.
    ///
    /// # Errors
    /// Returns an error if the site does not allow this number of tasks, or their time is too short.
    pub(crate) fn array(&self) -> Result<String, BatchError> {
        if self.time < LEAST {
            return Err(BatchError::Time);
        }
        let (limit, who) = match site_limit() {
            Some(limit) => (limit, "this site allows (MaxArraySize)"),
            None => (USUAL_LIMIT, "Slurm allows by default (MaxArraySize)"),
        };
        if self.tasks > limit {
            return Err(BatchError::Tasks { tasks: self.tasks, limit, who });
        }
        let Self { tasks, run, .. } = self;
        let folder = quote(&self.folder);
        let mut script = self.head(&[
            ("array", format!("1-{tasks}")),
            ("time", slurm_time(self.time)),
            ("requeue", String::new()),
            ("open-mode", "append".to_owned()),
            ("signal", "TERM@30".to_owned()),
        ]);
        let time = short(self.work_time());
        let _ = write!(
            script,
            r#"
# A task of an array is queued again by its own name. The job id of one task is the id of the whole array.
: "${{SLURM_ARRAY_TASK_ID:=1}}"
job=${{SLURM_ARRAY_JOB_ID:+${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID}}

# Each task runs its share first and then helps the others. It begins nothing that would not end in time.
code=0
srun {run} --share "$SLURM_ARRAY_TASK_ID/{tasks}" --for {time} || code=$?

# 0: nothing is left to begin. 1: there is an answer, and it is no. 3: time is up, and the task is queued again.
case $code in
0 | 1) exit 0 ;;
3) scontrol requeue "${{job:-$SLURM_JOB_ID}}" ;;
*)
    echo "task $SLURM_ARRAY_TASK_ID on" {folder} "ended with exit code $code" >&2
    exit "$code"
    ;;
esac
"#
        );
        Ok(script)
    }

    /// Returns the script of the job that follows.
    #[must_use]
    pub(crate) fn join(&self) -> String {
        let mut script = self.head(&[("time", slurm_time(self.time))]);
        let _ = write!(
            script,
            r#"
code=0
srun {} || code=$?
# 1: there is an answer, and it is no.
[ "$code" = 1 ] && exit 0
exit "$code"
"#,
            self.join
        );
        script
    }

    /// Returns the time in which a runner works, a few minutes less than its job has.
    #[must_use]
    pub(crate) fn work_time(&self) -> Duration {
        // Slurm may signal a task a minute early.
        let margin = (self.time / 24).clamp(Duration::from_secs(120), Duration::from_secs(600));
        self.time.saturating_sub(margin.min(self.time / 2))
    }

    fn head(&self, options: &[(&str, String)]) -> String {
        let mut script = "#!/bin/bash\n".to_owned();
        let mut option = |name: &str, value: &str| {
            let sign = if value.is_empty() { "" } else { "=" };
            let _ = writeln!(script, "#SBATCH --{name}{sign}{value}");
        };
        option("job-name", &one_word(&self.name));
        options.iter().for_each(|(name, value)| option(name, value));
        let folder = here();
        if let Some(folder) = folder.as_deref().filter(|folder| is_plain(folder)) {
            option("chdir", folder);
        }
        option("ntasks", "1");
        option("cpus-per-task", &self.cores.to_string());
        if let Some(memory) = self.memory {
            option("mem-per-cpu", &format!("{memory}M"));
        }
        if let Some(partition) = &self.partition {
            option("partition", partition);
        }
        if let Some(folder) = folder.filter(|folder| !is_plain(folder)) {
            let _ = writeln!(script, "\ncd {} || exit", quote(&folder));
        }
        script
    }
}

/// Returns the current folder. Jobs run there, because paths in their commands are relative to it.
fn here() -> Option<String> {
    Some(std::env::current_dir().ok()?.to_str()?.to_owned())
}

/// Returns `true` if a directive accepts the path of a folder.
fn is_plain(folder: &str) -> bool {
    folder.chars().all(|c| c.is_ascii_alphanumeric() || "+-._^,/@:=".contains(c))
}

/// Replaces the characters of a name that a directive does not accept.
fn one_word(name: &str) -> String {
    name.replace(|c: char| !(c.is_ascii_alphanumeric() || "+-._^,".contains(c)), "-")
}

/// Returns the maximum number of tasks of an array reported by the site's Slurm, if there is one.
fn site_limit() -> Option<u32> {
    let configuration = Command::new("scontrol").args(["show", "config"]).output().ok()?;
    limit_of(&String::from_utf8_lossy(&configuration.stdout))
}

fn limit_of(config: &str) -> Option<u32> {
    let value = config.lines().find_map(|line| line.trim_start().strip_prefix("MaxArraySize"))?;
    let size: u32 = value.trim_start_matches([' ', '=']).trim().parse().ok()?;
    // The largest task number is one less than the size, and the tasks are numbered from 1.
    Some(size.saturating_sub(1))
}

/// Formats a time for Slurm as days-hours:minutes:seconds.
fn slurm_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60);
    format!("{days}-{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// Formats a time such as 3h50m.
fn short(time: Duration) -> String {
    let seconds = time.as_secs().max(1);
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")];
    let parts = parts.into_iter().filter(|&(number, _)| number > 0);
    parts.map(|(number, unit)| format!("{number}{unit}")).collect()
}

/// Formats numbers in increasing order for the option `--array`, such as `0-3,17`.
#[must_use]
pub(crate) fn array_of(numbers: &[usize]) -> String {
    ranges::of(numbers).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_slurm_and_this_program_read_them() {
        for (seconds, slurm, work) in [
            (4 * 3600, "0-04:00:00", "3h50m"),
            (26 * 3600 + 90, "1-02:01:30", "25h51m30s"),
            (600, "0-00:10:00", "8m"),
            (180, "0-00:03:00", "1m30s"),
        ] {
            let time = Duration::from_secs(seconds);
            assert_eq!(slurm_time(time), slurm);
            assert_eq!(short(batch(time).work_time()), work);
        }
    }

    fn batch(time: Duration) -> Batch {
        Batch {
            name: "ndq 6^3 \"22\"".to_owned(),
            tasks: 3,
            time,
            cores: 1,
            memory: None,
            partition: None,
            folder: "parts".to_owned(),
            run: "ndq prove run parts --all".to_owned(),
            join: "ndq prove join parts".to_owned(),
        }
    }

    #[test]
    fn a_script_names_the_job_in_a_word() {
        let script = batch(Duration::from_secs(60)).join();
        assert!(
            script.starts_with("#!/bin/bash\n#SBATCH --job-name=ndq-6^3--22-\n#SBATCH --time=0-00:01:00\n")
        );
        assert!(script.contains("\nsrun ndq prove join parts || code=$?\n"));
    }

    #[test]
    fn the_name_of_a_folder_is_a_word_of_its_own() {
        let script = Batch { folder: "p $(x)".to_owned(), ..batch(LEAST) }.array().expect("a script");
        assert!(script.contains("on\" 'p $(x)' \"ended with"), "{script}");
        assert!(is_plain("/home/a-b/6^3") && !is_plain("/home/a b") && !is_plain("/home/%j"));
    }

    #[test]
    fn the_limit_of_the_site_is_read() {
        let config = "MaxArraySize            = 1001\nMaxDBDMsgs = 20012\n";
        assert_eq!((limit_of(config), limit_of(""), limit_of("MaxArraySize = x")), (Some(1000), None, None));
        let tasks = 1_000_000;
        let (tasks, time) = (Batch { tasks, ..batch(LEAST) }, batch(LEAST - Duration::from_secs(1)));
        assert!(matches!(tasks.array(), Err(BatchError::Tasks { .. })));
        assert!(matches!(time.array(), Err(BatchError::Time)));
    }

    #[test]
    fn numbers_are_written_as_ranges() {
        assert_eq!(array_of(&[0, 1, 2, 3, 17, 19, 20]), "0-3,17,19-20");
        assert_eq!(array_of(&[]), "");
    }
}
