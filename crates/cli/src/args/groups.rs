//! Groups of flags shared by several commands.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use ndqueens_model::import::Convention;
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::{NativeOption, OptionError};
use ndqueens_system::file;
use ndqueens_system::thread::all_cores;
use ndqueens_workflow::parts::Share;

use super::values::{duration, queens, time, whole, word};

/// Maximum number of threads that a user may request.
const MOST_THREADS: u32 = 1024;

/// Arguments of a command that may have a wall-clock limit.
pub(crate) trait Limited {
    /// Returns the given wall-clock limit.
    fn time_limit(&self) -> Option<Duration>;
}

/// Question about a formulation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Asked {
    /// Require a solution with at least K queens, instead of a maximum one.
    #[arg(long, value_name = "K", value_parser = queens, conflicts_with_all = ["at_most", "exactly"])]
    pub(crate) at_least: Option<u64>,
    /// Require a dominating set with at most K queens, instead of a smallest one.
    #[arg(long, value_name = "K", value_parser = queens, conflicts_with = "exactly")]
    pub(crate) at_most: Option<u64>,
    /// Require exactly K queens (the equality form of Kunt 2023).
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) exactly: Option<u64>,
    /// Queens that must be part of the solution: a certificate file, or one of the form that --as names.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    /// Form of that file.
    #[command(flatten)]
    pub(crate) form: FileForm,
    /// Rows that the matrix keeps.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) rows: Rows,
}

/// Notation of a file with squares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub(crate) struct FileForm {
    /// Notation of the squares in the given file: native (a certificate, or a drawing with letters for
    /// pieces), tuples, tuples1, flat, flat1, degroot (on hex:n and three:n), heights, heights1 (1: counted
    /// from 1) or picture.
    #[arg(long = "as", value_name = "CONVENTION", default_value_t)]
    pub(crate) convention: Convention,
}

/// Error of a form of a file that is not given.
#[derive(Debug, thiserror::Error)]
#[error("--as {convention} is the form of a file with squares, and none is given; it goes with {flags}")]
pub(crate) struct FormWithoutFile {
    convention: Convention,
    /// Flags that take files with squares.
    flags: &'static str,
}

impl FileForm {
    /// Checks that `--as` is given only if a file with squares is given. `flags` are the flags that take such
    /// files.
    ///
    /// # Errors
    /// Returns an error if a convention other than the native one is given without a file.
    pub(crate) fn refuse_without(self, file: bool, flags: &'static str) -> Result<(), FormWithoutFile> {
        match file || self.convention.is_native() {
            true => Ok(()),
            false => Err(FormWithoutFile { convention: self.convention, flags }),
        }
    }
}

/// Rows of a matrix that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Rows {
    /// All rows of the families.
    #[default]
    All,
    /// One of each set of identical rows.
    Distinct,
    /// Distinct rows that no other row implies.
    Undominated,
}

/// Settings of a solver.
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Solver {
    /// Threads [default: all cores for the exact engine, 1 for a backend, whose run depends on their number].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MOST_THREADS.into()))]
    pub(crate) threads: Option<u32>,
    /// Seed for random choices.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..=2_147_483_647))]
    pub(crate) seed: u32,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m, model building included [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
    /// Limit on branch-and-bound nodes; with the exact engine for each sub-box, checked every 1024 nodes; a
    /// sub-box that is not settled is bounded.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=2_147_483_647))]
    pub(crate) node_limit: Option<u64>,
    /// Presolve [default: the solver decides].
    #[arg(long, value_enum)]
    pub(crate) presolve: Option<Switch>,
    /// Symmetry detection by the solver [default: the solver decides].
    #[arg(long, value_enum)]
    pub(crate) detect_symmetry: Option<Switch>,
    /// Options and log of HiGHS.
    #[command(flatten)]
    pub(crate) highs: HighsSettings,
}

/// Options and log of HiGHS.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct HighsSettings {
    /// An option of HiGHS by its own name, such as mip_heuristic_effort=0.2; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = str::parse::<NativeOption>)]
    pub(crate) options: Vec<NativeOption>,
    /// Write the log of HiGHS to this file, for all programs that it solves, one after the other.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

/// Error of the options and the log of HiGHS.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HighsSettingsError {
    /// Option that is given twice.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Log with the name of a compressed file.
    #[error("{}: HiGHS writes its log as plain text; choose a name without .gz", .0.display())]
    Compressed(PathBuf),
    /// Log that is also another output.
    #[error("{flag} and --log name the same file, {}; they need two", log.display())]
    SameFile {
        /// Flag of the other output.
        flag: String,
        /// Path of the log.
        log: PathBuf,
    },
    /// Log that cannot be written.
    #[error("{}: the log cannot be written: {error}", log.display())]
    Unwritable {
        /// Path of the log.
        log: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
}

impl HighsSettings {
    /// Returns a flag that was given.
    #[must_use]
    pub(crate) fn first_flag(&self) -> Option<&'static str> {
        match (self.options.is_empty(), &self.log) {
            (false, _) => Some("--option"),
            (true, Some(_)) => Some("--log"),
            (true, None) => None,
        }
    }

    /// Checks that no option is given twice, and creates the file of the log. `outputs` are the other files
    /// that the command writes, with their flags.
    ///
    /// # Errors
    /// Returns an error if an option is given twice, the file cannot be written or is also one of `outputs`,
    /// or its name is that of a compressed file.
    pub(crate) fn make_ready(&self, outputs: &[(&str, Option<&Path>)]) -> Result<(), HighsSettingsError> {
        NativeOption::ensure_distinct(&self.options)?;
        let Some(log) = &self.log else { return Ok(()) };
        if log.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            return Err(HighsSettingsError::Compressed(log.clone()));
        }
        let is_log = |path: &Option<&Path>| path.is_some_and(|path| file::are_one(path, log));
        if let Some((flag, _)) = outputs.iter().find(|(_, path)| is_log(path)) {
            return Err(HighsSettingsError::SameFile { flag: (*flag).to_owned(), log: log.clone() });
        }
        let created = File::create(log).map(drop);
        created.map_err(|error| HighsSettingsError::Unwritable { log: log.clone(), error })
    }

    /// Returns a note if a log was requested and HiGHS wrote nothing, because no program was left to solve.
    #[must_use]
    pub(crate) fn unused_log(&self) -> Option<String> {
        let log = self.log.as_ref().filter(|log| log.metadata().is_ok_and(|file| file.len() == 0))?;
        Some(format!("HiGHS was not called, since the bounds meet without it: {} is empty", log.display()))
    }
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Switch it on.
    On,
    /// Switch it off.
    Off,
}

impl Solver {
    /// Returns the settings as options of a backend.
    #[must_use]
    pub(crate) fn options(&self) -> Options {
        let on = |switch: Switch| switch == Switch::On;
        Options {
            seed: self.seed,
            threads: self.threads,
            time_limit: self.time_limit,
            node_limit: self.node_limit,
            presolve: self.presolve.map(on),
            symmetry: self.detect_symmetry.map(on),
            native: self.highs.options.clone(),
            log: self.highs.log.clone(),
            ..Options::default()
        }
    }

    /// Returns the settings as options of the exact engine, which uses all cores if no number of threads is
    /// given.
    #[must_use]
    pub(crate) fn options_of_engine(&self) -> Options {
        let threads = self.threads.unwrap_or_else(default_threads);
        Options { threads: Some(threads), ..self.options() }
    }

    /// Returns a given flag that does not apply to other engines: a flag for solvers of integer programs, or,
    /// without `takes_threads`, also `--threads` and `--seed`.
    #[must_use]
    pub(crate) fn first_flag(&self, takes_threads: bool) -> Option<&'static str> {
        let flags = [
            ("--presolve", self.presolve.is_some()),
            ("--detect-symmetry", self.detect_symmetry.is_some()),
            ("--threads", !takes_threads && self.threads.is_some_and(|threads| threads > 1)),
            ("--seed", !takes_threads && self.seed != 0),
        ];
        self.highs.first_flag().or_else(|| flags.into_iter().find_map(|(flag, given)| given.then_some(flag)))
    }
}

/// Settings of a solver of linear programs.
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct LpSolver {
    /// Presolve [default: the solver decides].
    #[arg(long, value_enum)]
    presolve: Option<Switch>,
    /// Seed for random choices.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..=2_147_483_647))]
    seed: u32,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=MOST_THREADS.into()))]
    threads: u32,
    /// Time limit.
    #[command(flatten)]
    pub(crate) limit: Limit,
}

impl LpSolver {
    /// Returns the settings as options of a backend.
    #[must_use]
    pub(crate) fn options(&self) -> Options {
        Options {
            seed: self.seed,
            threads: Some(self.threads),
            time_limit: self.limit.time_limit,
            presolve: self.presolve.map(|switch| switch == Switch::On),
            ..Options::default()
        }
    }
}

/// Time limit.
#[derive(Debug, Clone, Copy, Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Limit {
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
}

/// Division of the work among several runners on one folder.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Sharing {
    /// Start with share I of N, then help with the others in random order: one runner for each I from 1 to N.
    #[arg(long, value_name = "I/N", value_parser = str::parse::<Share>)]
    pub(crate) share: Option<Share>,
    /// Work for this time, such as 3h50m, and start no part that would not end in it
    /// [default: until nothing is left].
    #[arg(long = "for", value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub(crate) work_time: Option<Duration>,
}

/// A job script for Slurm.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Job")]
pub(crate) struct Job {
    /// Tasks of the array: runners that share the folder.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(u32::MAX)))]
    pub(crate) tasks: u32,
    /// Time of each task, such as 4h.
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub(crate) time: Duration,
    /// The partition [default: the site's].
    #[arg(long, value_name = "NAME", value_parser = word)]
    pub(crate) partition: Option<String>,
    /// Cores of each task.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1024))]
    pub(crate) cores: u32,
    /// Memory for each core, in MiB [default: the site's].
    #[arg(long, value_name = "MIB", value_parser = whole::<u32>(1..=1 << 24))]
    pub(crate) memory_per_core: Option<u32>,
    /// The script, such as job.sbatch; the job that follows it goes to job.join.sbatch.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Returns the default number of threads: that of all cores, but at most [`MOST_THREADS`].
fn default_threads() -> u32 {
    all_cores().min(MOST_THREADS as usize) as u32
}

/// Number of threads.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Threads {
    /// Threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MOST_THREADS.into()))]
    pub(crate) threads: Option<u32>,
}

impl Threads {
    /// Returns the number of threads, given or by default.
    #[must_use]
    pub(crate) fn number(self) -> u32 {
        self.threads.unwrap_or_else(default_threads)
    }
}

/// Seed for random choices.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Seed {
    /// Seed for random choices.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..=u32::MAX.into()))]
    pub(crate) seed: u32,
}

/// Settings with which the exact engine bounds sub-boxes.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Bounding {
    /// Limit on the nodes for each sub-box, checked every 1024 nodes; a sub-box that is not
    /// settled is bounded.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) node_limit: Option<u64>,
    /// Threads.
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Seed for random choices.
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Time limit.
    #[command(flatten)]
    pub(crate) limit: Limit,
}

impl Bounding {
    /// Returns the settings as options of the engine.
    #[must_use]
    pub(crate) fn options(self) -> Options {
        Options {
            seed: self.seed.seed,
            threads: Some(self.threads.number()),
            time_limit: self.limit.time_limit,
            node_limit: self.node_limit,
            ..Options::default()
        }
    }
}

/// Output files: certificate and record.
#[derive(Debug, Args)]
pub(crate) struct Outputs {
    /// Write the certificate to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write a run record into this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
}

/// Engine that proves an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Branch and bound in integers; its proof is checked.
    Exact,
    /// The integer program, solved by HiGHS or another backend in floating point, as an independent check.
    Highs,
    /// Branch and bound on the LP relaxations of a formulation; its proof is checked. For ndq prove.
    Lp,
    /// CaDiCaL, a SAT solver, in builds with it; its DRAT proof is checked by the program
    /// rate. For ndq prove.
    Sat,
}

/// Permission to run programs that a file names, which another person may have written.
#[derive(Debug, Args)]
pub(crate) struct Commands {
    /// Run the commands that the file names as backends, templates with {model}. They are shown before they
    /// run, and may do whatever you may do: read the file first.
    #[arg(long)]
    pub(crate) allow_commands: bool,
}
