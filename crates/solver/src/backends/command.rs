//! Solvers that run as commands: they read an LP file and write a solution file, which
//! [`solution_file`] reads.
//!
//! The command is a template of words, quoted as in a shell but not run by one. It runs in a process group of
//! its own, without standard input. At the time limit and on interruption the group receives a signal to end,
//! and then all its processes are killed.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_model::format::Format;
use ndqueens_model::ilp::{Ilp, Program as _};
use ndqueens_system::cancel::{self, PACE};
use ndqueens_system::file;
use ndqueens_system::program::ProcessTree;
use ndqueens_system::program::scratch::Scratch;

use crate::backends::claim::{self, SolverClaim, SolverStatus};
use crate::backends::monitored::{MonitoredRun, SolverReport};
use crate::backends::solution_file;
use crate::backends::start_file::StartFile;
use crate::backends::{Backend, BackendError, Options};

/// Placeholders of a template, each with the text that replaces it.
const PLACEHOLDERS: [(&str, &str); 10] = [
    ("{model}", "the path of the LP file"),
    ("{solution}", "the path of the solution file"),
    ("{solution.json}", "the same with the ending json, for solvers that choose the format by it"),
    ("{seconds}", "the time limit, a billion without a limit"),
    ("{seed}", "the seed"),
    ("{threads}", "the number of threads"),
    ("{start}", "the path of the warm start, as CBC writes solutions"),
    ("{start.highs}", "the same as HiGHS writes them"),
    ("{start.scip}", "as SCIP does"),
    ("{start.gurobi}", "as Gurobi does"),
];

/// Time after the deadline at which a command with its own time limit is stopped.
const GRACE: Duration = Duration::from_secs(1);

/// Time limit for a command that prints its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// Number of bytes kept of the beginning and of the end of the output of a command.
const KEPT_OUTPUT: usize = 1 << 14;

/// Solver with a built-in command.
#[derive(Debug)]
struct BuiltinCommand {
    name: &'static str,
    template: &'static str,
    /// Template for runs with a start.
    warm_template: &'static str,
    /// Argument that makes it print its version.
    version_argument: &'static str,
}

const BUILTIN: [BuiltinCommand; 4] = [
    BuiltinCommand {
        name: "highs-cli",
        template: "highs --threads {threads} --random_seed {seed} --time_limit {seconds} \
            --solution_file {solution} {model}",
        warm_template: "highs --threads {threads} --random_seed {seed} --time_limit {seconds} \
            --read_solution_file {start.highs} --solution_file {solution} {model}",
        version_argument: "--version",
    },
    BuiltinCommand {
        name: "cbc",
        template: "cbc {model} -timeMode elapsed -sec {seconds} -randomCbcSeed {seed} -solve -solution {solution}",
        // With a start, CBC 2.10.8 crashes if its own time limit ends before the root node does. So it gets
        // none and is interrupted.
        warm_template: "cbc {model} -mipstart {start} -randomCbcSeed {seed} -solve -solution {solution}",
        version_argument: "-stop",
    },
    BuiltinCommand {
        name: "scip",
        template: "scip -c 'read \"{model}\" set limits time {seconds} set randomization randomseedshift {seed} \
            optimize write solution \"{solution}\" quit'",
        warm_template: "scip -c 'read \"{model}\" read \"{start.scip}\" set limits time {seconds} \
            set randomization randomseedshift {seed} optimize write solution \"{solution}\" quit'",
        version_argument: "--version",
    },
    BuiltinCommand {
        name: "gurobi",
        template: "gurobi_cl MIPGap=0 Threads={threads} Seed={seed} TimeLimit={seconds} JSONSolDetail=1 \
            ResultFile={solution.json} {model}",
        warm_template: "gurobi_cl MIPGap=0 Threads={threads} Seed={seed} TimeLimit={seconds} JSONSolDetail=1 \
            InputFile={start.gurobi} ResultFile={solution.json} {model}",
        version_argument: "--version",
    },
];

/// Reason why a text is not the template of a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// Unclosed quote.
    #[error("the command \"{template}\" has a quote that is not closed")]
    UnclosedQuote {
        /// Text as given.
        template: String,
    },
    /// Braces around an unknown placeholder.
    #[error(
        "the command \"{template}\" has a placeholder that is not known; known are: {}",
        PLACEHOLDERS.map(|(placeholder, meaning)| format!("{placeholder}, {meaning}")).join("; ")
    )]
    UnknownPlaceholder {
        /// Text as given.
        template: String,
    },
    /// Absence of the LP file or of the solution file.
    #[error(
        "the command \"{template}\" needs {{model}} and {{solution}}, the paths of the LP file and of the answer"
    )]
    MissingPlaceholder {
        /// Text as given.
        template: String,
    },
}

/// Solver that is run as a command.
#[derive(Debug)]
pub struct CommandSolver {
    /// Template as given.
    template: String,
    /// Words of the command for runs without a start; `None` if the template needs a start.
    cold: Option<Vec<String>>,
    /// Words of the command for runs with a start.
    warm: Option<Vec<String>>,
    builtin: Option<&'static BuiltinCommand>,
    /// Name and version, once they are known.
    solver: OnceLock<String>,
}

impl CommandSolver {
    /// Returns the names of the solvers with a built-in command.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|builtin| builtin.name)
    }

    /// Creates the solver of a built-in command. Returns `None` if the name is unknown.
    #[must_use]
    pub fn builtin(name: &str) -> Option<Self> {
        let builtin = BUILTIN.iter().find(|builtin| builtin.name == name)?;
        let (cold, warm) = (shlex::split(builtin.template), shlex::split(builtin.warm_template));
        Some(Self {
            template: builtin.template.to_owned(),
            cold,
            warm,
            builtin: Some(builtin),
            solver: OnceLock::new(),
        })
    }

    /// Creates the solver of a template such as `cbc {model} solve solution {solution}`.
    ///
    /// # Errors
    /// Returns an error if a quote is not closed, a placeholder is unknown, or the one for the model or the
    /// solution is missing.
    pub fn from_template(text: &str) -> Result<Self, TemplateError> {
        let template = text.to_owned();
        let Some(words) = shlex::split(text) else { return Err(TemplateError::UnclosedQuote { template }) };
        let rest = PLACEHOLDERS.iter().fold(words.join(" "), |text, (place, _)| text.replace(place, ""));
        if rest.contains(['{', '}']) {
            return Err(TemplateError::UnknownPlaceholder { template });
        }
        if !contains(&words, "{model}")
            || !(contains(&words, "{solution}") || contains(&words, "{solution.json}"))
        {
            return Err(TemplateError::MissingPlaceholder { template });
        }
        let (cold, warm) =
            if start_file(&words).is_some() { (None, Some(words)) } else { (Some(words), None) };
        Ok(Self { template, cold, warm, builtin: None, solver: OnceLock::new() })
    }

    /// Returns the words of the template for runs with or without a start.
    fn words(&self, has_start: bool) -> &[String] {
        let words = if has_start { &self.warm } else { &self.cold };
        words.as_ref().or(self.cold.as_ref()).or(self.warm.as_ref()).expect("one of them is there")
    }

    fn contains(&self, placeholder: &str) -> bool {
        contains(self.words(false), placeholder)
    }

    /// Writes the files of a run into `folder` and returns the words of the command.
    fn prepare(
        &self,
        run: &MonitoredRun<'_>,
        folder: &Path,
        solution: &Path,
    ) -> Result<Vec<String>, BackendError> {
        let (model, start) = (folder.join("model.lp"), folder.join("start.sol"));
        let written = write_file(&model, |out| Format::Lp.write(run.ilp, out));
        written.map_err(|error| run.failed(format!("its LP file could not be written: {error}")))?;
        let template = self.words(run.options.start.is_some());
        if let (Some(kind), Some(point)) = (start_file(template), &run.options.start) {
            let written = write_file(&start, |out| kind.write(run.ilp, point, out));
            written.map_err(|error| run.failed(format!("its start could not be written: {error}")))?;
        }
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let mut values = vec![
            ("{model}", path(&model)),
            ("{solution}", path(solution)),
            ("{solution.json}", path(solution)),
            ("{seconds}", run.seconds_left().to_string()),
            ("{seed}", run.options.seed.to_string()),
            ("{threads}", run.options.threads.unwrap_or(1).to_string()),
        ];
        values.extend(StartFile::ALL.map(|kind| (kind.placeholder(), path(&start))));
        let fill = |word: &String| {
            values.iter().fold(word.clone(), |word, (place, value)| word.replace(place, value))
        };
        Ok(template.iter().map(fill).collect())
    }
}

impl Backend for CommandSolver {
    /// Returns name and version of a built-in solver, or else the command as it was given, in quotes.
    fn solver(&self) -> String {
        let name = || match self.builtin {
            Some(builtin) => {
                let version = version(&self.words(false)[0], builtin.version_argument);
                format!("{} {}", builtin.name, version.as_deref().unwrap_or("of unknown version"))
            }
            None => format!("\"{}\"", self.template),
        };
        self.solver.get_or_init(name).clone()
    }

    fn unsupported_setting(&self, options: &Options, has_start: bool) -> Option<&'static str> {
        match (has_start, &self.cold, &self.warm) {
            (true, _, None) => Some("a start: the command has no {start}"),
            (false, None, _) => Some("a run without a start: the command has {start}"),
            _ if !self.contains("{seed}") && options.seed != 0 => Some("a seed: the command has no {seed}"),
            _ => options.unsupported_by_plain_solver(self.contains("{threads}"), true),
        }
    }

    fn run_solver(&self, run: &mut MonitoredRun<'_>) -> Result<SolverClaim, BackendError> {
        let folder = Scratch::new()
            .map_err(|error| run.failed(format!("the folder for its files cannot be created: {error}")))?;
        let name = if self.contains("{solution.json}") { "solution.json" } else { "solution.sol" };
        let solution = folder.path().join(name);
        let words = self.prepare(run, folder.path(), &solution)?;
        let mut command = Command::new(&words[0]);
        let (mut tree, output) = ProcessTree::spawn_captured(command.args(&words[1..]), KEPT_OUTPUT)
            .map_err(|error| BackendError::missing(&words[0], &error))?;
        let has_own_limit = contains(self.words(run.options.start.is_some()), "{seconds}");
        let grace = if has_own_limit { GRACE } else { Duration::ZERO };
        let status = loop {
            match tree.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => {}
                Err(error) => return Err(run.failed(format!("waiting for its end failed: {error}"))),
            }
            if run.poll(grace, SolverReport::default).is_break() {
                // Most solvers then write their incumbent.
                tree.interrupt(cancel::GRACE);
                drop(tree);
                let solution = read_incumbent(&solution, run.ilp);
                return Ok(SolverClaim { solution, ..run.stopped() });
            }
            thread::sleep(PACE);
        };
        drop(tree);
        read_answer(run, status, &solution, &output.collect())
    }
}

/// Writes a file through a buffer.
fn write_file<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.flush()
}

/// Reads the answer of a command that ended by itself.
fn read_answer(
    run: &MonitoredRun<'_>,
    status: ExitStatus,
    solution: &Path,
    output: &str,
) -> Result<SolverClaim, BackendError> {
    if !status.success() {
        return Err(run.failed(format!("it ended with {status}{}", last_lines(output))));
    }
    let text = match read_solution(solution, run.ilp) {
        Ok(text) if !text.is_empty() => text,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Err(run.failed("its solution file is not text"));
        }
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            return Err(run.failed(format!("its solution file {error}")));
        }
        _ => return Err(run.failed(format!("it wrote no solution file{}", last_lines(output)))),
    };
    let file = solution_file::read(&text, run.ilp).map_err(|error| {
        let name = solution.file_name().unwrap_or_default().display();
        run.failed(format!("its solution file {name}, {error}"))
    })?;
    let file = file.with_log(output, run.ilp);
    let bound = file.bound.and_then(|bound| claim::integral_bound(run.ilp.sense(), bound));
    Ok(SolverClaim {
        // A point that comes with a claim of infeasibility is no solution.
        solution: file.point.filter(|_| file.status != SolverStatus::Infeasible),
        dual_bound: bound.map(|bound| bound as f64),
        ..SolverClaim::new(file.status)
    })
}

fn contains(words: &[String], placeholder: &str) -> bool {
    words.iter().any(|word| word.contains(placeholder))
}

/// Returns the kind of file from which a template takes a start.
fn start_file(words: &[String]) -> Option<StartFile> {
    StartFile::ALL.into_iter().find(|kind| contains(words, kind.placeholder()))
}

/// Returns the solution that a stopped command wrote, if it is readable and feasible.
fn read_incumbent(path: &Path, ilp: &Ilp) -> Option<Vec<i64>> {
    let text = read_solution(path, ilp).ok()?;
    let point = solution_file::read(&text, ilp).ok()?.point?;
    ilp.violation(&point).is_none().then_some(point)
}

/// Reads the text of a solution file.
///
/// # Errors
/// Returns an error if it cannot be read, is not a plain file, or is longer than a solution of
/// this program can be.
fn read_solution(path: &Path, ilp: &Ilp) -> io::Result<String> {
    // Solvers that write a line for every column and row take some 100 bytes for each.
    let most = (16 << 20) + 1024 * (ilp.columns().len() + ilp.row_count()) as u64;
    let too_large = |words: String| Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
    let file = match file::open_plain(path) {
        // It exists, but as a folder, a pipe or a device.
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
            return too_large("is not a plain file".to_owned());
        }
        opened => opened?,
    };
    let mut text = String::new();
    if file.take(most + 1).read_to_string(&mut text)? as u64 > most {
        return too_large(format!("is larger than {most} bytes, too large for this model"));
    }
    Ok(text)
}

/// Returns the last lines of the output of a command, to be appended to an error.
fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].join(" | ");
    if last.is_empty() { last } else { format!("; its last output: {last}") }
}

/// Returns the word after "version" in the output of a program, or `None` without one within
/// [`VERSION_LIMIT`].
fn version(program: &str, argument: &str) -> Option<String> {
    let mut command = Command::new(program);
    let (mut tree, output) = ProcessTree::spawn_captured(command.arg(argument), KEPT_OUTPUT).ok()?;
    let began = Instant::now();
    while matches!(tree.try_wait(), Ok(None)) && began.elapsed() < VERSION_LIMIT {
        thread::sleep(PACE);
    }
    drop(tree);
    let text = output.collect().to_lowercase();
    let (_, rest) = text.split_once("version")?;
    rest.trim_start_matches(':').split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_need_their_placeholders_and_no_others() {
        let fault = |template| CommandSolver::from_template(template).expect_err(template).to_string();
        assert!(fault("cbc {model} solve").contains("needs {model} and {solution}"));
        assert!(fault("cbc {modell} {solution}").contains("not known; known are: {model}, the path"));
        assert!(fault("cbc '{model} {solution}").contains("quote"));
        assert!(fault("").contains("needs"));
        let command =
            CommandSolver::from_template("solver -c 'read {model}' \"{solution}\"").expect("a template");
        assert_eq!(command.words(false), ["solver", "-c", "read {model}", "{solution}"]);
        assert_eq!(command.solver(), "\"solver -c 'read {model}' \"{solution}\"\"");
    }

    #[test]
    fn builtin_commands_are_valid_templates() {
        let seeded = Options { seed: 7, ..Options::default() };
        for builtin in &BUILTIN {
            for (template, has_start) in [(builtin.template, false), (builtin.warm_template, true)] {
                let command = CommandSolver::from_template(template).expect(builtin.name);
                let unsupported = command.unsupported_setting(&Options::default(), has_start);
                assert!(unsupported.is_none(), "{template}");
            }
            let command = CommandSolver::builtin(builtin.name).expect("a command");
            let unsupported = command.unsupported_setting(&Options::default(), true);
            assert!(unsupported.is_none(), "{}", builtin.name);
            assert!(command.unsupported_setting(&seeded, false).is_none());
        }
        assert!(CommandSolver::builtin("cplex").is_none());
    }
}
