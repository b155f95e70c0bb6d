//! Any solver that a command can run on an LP file, and that writes a solution file which [`solution_file`] reads.
//!
//! The command is a template of words, quoted as in a shell but not run by one. It runs in a process group of its own,
//! without standard input; at the time limit and on interruption the group is asked to end. Then all that it has started is
//! killed.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_model::format::Format;
use ndqueens_model::ilp::{Ilp, Program as _};
use ndqueens_system::cancel::{self, PACE, StopReason};
use ndqueens_system::file;
use ndqueens_system::program::ProcessTree;
use ndqueens_system::program::scratch::Scratch;

use crate::backends::claim::{self, SolverAnswer, SolverStatus};
use crate::backends::solution_file::{self, SolutionFile};
use crate::backends::start_file::StartFile;
use crate::backends::{Backend, BackendError, Options, Progress, Run};

/// What a template may hold, each with what is put there.
const PLACES: [(&str, &str); 10] = [
    ("{model}", "the path of the LP file"),
    ("{solution}", "the path of the solution file"),
    ("{solution.json}", "the same for a solver that goes by the name's ending"),
    ("{seconds}", "the time limit, a billion without a limit"),
    ("{seed}", "the seed"),
    ("{threads}", "the number of threads"),
    ("{start}", "the path of the warm start, as CBC writes solutions"),
    ("{start.highs}", "the same as HiGHS writes them"),
    ("{start.scip}", "as SCIP does"),
    ("{start.gurobi}", "as Gurobi does"),
];

/// The time limit in seconds when there is none.
const FOREVER: f64 = 1e9;

/// How long after the time limit a command that was told the limit is stopped.
const GRACE: Duration = Duration::from_secs(1);

/// How long a command may take to print its version.
const VERSION_PATIENCE: Duration = Duration::from_secs(5);

/// How much of the beginning and of the end of what a command prints is kept, in bytes.
const WORDS: usize = 1 << 14;

/// A solver whose command is known.
#[derive(Debug)]
struct Known {
    name: &'static str,
    template: &'static str,
    /// The template when there is a start.
    started: &'static str,
    /// The argument that makes it print its version.
    version: &'static str,
}

const KNOWN: [Known; 4] = [
    Known {
        name: "highs-cli",
        template: "highs --threads {threads} --random_seed {seed} --time_limit {seconds} \
            --solution_file {solution} {model}",
        started: "highs --threads {threads} --random_seed {seed} --time_limit {seconds} \
            --read_solution_file {start.highs} --solution_file {solution} {model}",
        version: "--version",
    },
    Known {
        name: "cbc",
        template: "cbc {model} -timeMode elapsed -sec {seconds} -randomCbcSeed {seed} -solve -solution {solution}",
        // With a start, CBC 2.10.8 crashes when a limit of its own ends before the root node does; so it is interrupted.
        started: "cbc {model} -mipstart {start} -randomCbcSeed {seed} -solve -solution {solution}",
        version: "-stop",
    },
    Known {
        name: "scip",
        template: "scip -c 'read \"{model}\" set limits time {seconds} set randomization randomseedshift {seed} \
            optimize write solution \"{solution}\" quit'",
        started: "scip -c 'read \"{model}\" read \"{start.scip}\" set limits time {seconds} \
            set randomization randomseedshift {seed} optimize write solution \"{solution}\" quit'",
        version: "--version",
    },
    Known {
        name: "gurobi",
        template: "gurobi_cl MIPGap=0 Threads={threads} Seed={seed} TimeLimit={seconds} JSONSolDetail=1 \
            ResultFile={solution.json} {model}",
        started: "gurobi_cl MIPGap=0 Threads={threads} Seed={seed} TimeLimit={seconds} JSONSolDetail=1 \
            InputFile={start.gurobi} ResultFile={solution.json} {model}",
        version: "--version",
    },
];

/// The text is not the template of a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the command \"{template}\" {fault}")]
pub struct BadTemplate {
    /// The text as given.
    pub template: String,
    /// What is wrong with it.
    pub fault: String,
}

/// A solver that is run as a command.
#[derive(Debug)]
pub struct Command {
    /// As it was given.
    template: String,
    /// The words without a start; a template with a place for one needs one.
    cold: Option<Vec<String>>,
    /// The words with a start.
    warm: Option<Vec<String>>,
    known: Option<&'static Known>,
    solver: OnceLock<String>,
}

impl Command {
    /// The names of the solvers whose command is known.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|known| known.name)
    }

    /// A solver whose command is known.
    #[must_use]
    pub fn known(name: &str) -> Option<Self> {
        let known = KNOWN.iter().find(|known| known.name == name)?;
        let (cold, warm) = (shlex::split(known.template), shlex::split(known.started));
        Some(Self {
            template: known.template.to_owned(),
            cold,
            warm,
            known: Some(known),
            solver: OnceLock::new(),
        })
    }

    /// A solver whose command is given: `cbc {model} solve solution {solution}`.
    ///
    /// # Errors
    /// When a quote is not closed, a placeholder is not known, or model or solution have no place.
    pub fn template(template: &str) -> Result<Self, BadTemplate> {
        let bad = |fault: String| BadTemplate { template: template.to_owned(), fault };
        let words = shlex::split(template).ok_or_else(|| bad("has a quote that is not closed".to_owned()))?;
        let rest = PLACES.iter().fold(words.join(" "), |text, (place, _)| text.replace(place, ""));
        if rest.contains(['{', '}']) {
            let places = PLACES.map(|(place, what)| format!("{place}, {what}")).join("; ");
            return Err(bad(format!("has a placeholder that is not known; known are: {places}")));
        }
        let warm = start_file(&words).is_some();
        let (cold, warm) = if warm { (None, Some(words)) } else { (Some(words), None) };
        let command =
            Self { template: template.to_owned(), cold, warm, known: None, solver: OnceLock::new() };
        if !command.has("{model}") || !(command.has("{solution}") || command.has("{solution.json}")) {
            return Err(bad(
                "needs {model} and {solution}, the paths of the LP file and of the answer".to_owned()
            ));
        }
        Ok(command)
    }

    /// The words of the template, with a start or without.
    fn words(&self, start: bool) -> &[String] {
        let words = if start { &self.warm } else { &self.cold };
        words.as_ref().or(self.cold.as_ref()).or(self.warm.as_ref()).expect("one of them is there")
    }

    fn has(&self, place: &str) -> bool {
        has(self.words(false), place)
    }

    fn failed(&self, fault: impl Into<String>) -> BackendError {
        BackendError::failed(self.solver(), fault)
    }

    fn answer(
        &self,
        programme: &Ilp,
        options: &Options,
        began: Instant,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<SolverAnswer, BackendError> {
        let folder = Scratch::new();
        let folder =
            folder.map_err(|error| self.failed(format!("it got no folder for its files: {error}")))?;
        let path = |name| folder.path().join(name);
        let model = path("model.lp");
        let solution = path(if self.has("{solution.json}") { "solution.json" } else { "solution.sol" });
        let written = File::create(&model).and_then(|mut file| Format::Lp.write(programme, &mut file));
        written.map_err(|error| self.failed(format!("its LP file could not be written: {error}")))?;

        let template = self.words(options.start.is_some());
        let start = path("start.sol");
        if let (Some(file), Some(point)) = (start_file(template), &options.start) {
            let written = File::create(&start)
                .map(BufWriter::new)
                .and_then(|mut out| file.write(programme, point, &mut out).and_then(|()| out.flush()));
            written.map_err(|error| self.failed(format!("its start could not be written: {error}")))?;
        }
        let left = options.time_limit.map(|limit| limit.saturating_sub(began.elapsed()));
        let seconds = left.map_or(FOREVER, |left| left.as_secs_f64().min(FOREVER));
        let mut values = vec![
            ("{model}", model.to_string_lossy().into_owned()),
            ("{solution}", solution.to_string_lossy().into_owned()),
            ("{solution.json}", solution.to_string_lossy().into_owned()),
            ("{seconds}", seconds.to_string()),
            ("{seed}", options.seed.to_string()),
            ("{threads}", options.threads.unwrap_or(1).to_string()),
        ];
        values.extend(StartFile::ALL.map(|file| (file.place(), start.to_string_lossy().into_owned())));
        let fill =
            |word: &String| values.iter().fold(word.clone(), |word, (place, x)| word.replace(place, x));
        let words: Vec<String> = template.iter().map(fill).collect();
        let mut command = std::process::Command::new(&words[0]);
        let (mut tree, said) = ProcessTree::spawn_captured(command.args(&words[1..]), WORDS)
            .map_err(|error| BackendError::missing(&words[0], &error))?;

        let grace = if has(template, "{seconds}") { GRACE } else { Duration::ZERO };
        let deadline = options.time_limit.map(|limit| limit.saturating_add(grace));
        let incumbent = options.start.as_ref().map(|start| programme.value(start));
        let status = loop {
            match tree.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => {}
                Err(error) => return Err(self.failed(format!("it cannot be waited for: {error}"))),
            }
            let elapsed = began.elapsed();
            let progress = Progress { seconds: elapsed.as_secs_f64(), incumbent, ..Progress::default() };
            let stop = if monitor(&progress).is_break() {
                Some(StopReason::Interrupted)
            } else {
                deadline.filter(|&deadline| elapsed >= deadline).map(|_| StopReason::TimeLimit)
            };
            if let Some(reason) = stop {
                // Most solvers take it as a wish to write what they have.
                tree.interrupt(cancel::GRACE);
                drop(tree);
                let stopped = SolverAnswer::stopped(reason);
                let file = salvaged(&solution, programme);
                return Ok(match file {
                    Some(file) => SolverAnswer { solution: file.point, ..stopped },
                    None => stopped,
                });
            }
            thread::sleep(PACE);
        };
        drop(tree);
        self.read(status, &solution, &said.collect(), programme)
    }

    /// Reads what a command that ended by itself has left.
    fn read(
        &self,
        status: ExitStatus,
        solution: &Path,
        said: &str,
        programme: &Ilp,
    ) -> Result<SolverAnswer, BackendError> {
        if !status.success() {
            return Err(self.failed(format!("it ended with {status}{}", last_words(said))));
        }
        let text = match read_solution(solution, programme) {
            Ok(text) if !text.is_empty() => text,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(self.failed("its solution file is not text"));
            }
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                return Err(self.failed(format!("its solution file {error}")));
            }
            _ => return Err(self.failed(format!("it wrote no solution file{}", last_words(said)))),
        };
        let file = solution_file::read(&text, programme).map_err(|error| {
            let name = solution.file_name().unwrap_or_default().display();
            self.failed(format!("its solution file {name}, {error}"))
        })?;
        let file = file.with_log(said, programme);
        let bound = file.bound.and_then(|bound| claim::integral_bound(programme.sense(), bound));
        // A point that comes with a claim of infeasibility is no solution.
        let solution = file.point.filter(|_| file.claim != SolverStatus::Infeasible);
        Ok(SolverAnswer { claim: file.claim, solution, bound })
    }
}

impl Backend for Command {
    /// Name and version of a known solver; else the command, as it was given, in quotes.
    fn solver(&self) -> String {
        let name = || match self.known {
            Some(known) => {
                let version = version(&self.words(false)[0], known.version);
                format!("{} {}", known.name, version.as_deref().unwrap_or("of unknown version"))
            }
            None => format!("\"{}\"", self.template),
        };
        self.solver.get_or_init(name).clone()
    }

    fn refuses(&self, options: &Options, start: bool) -> Option<&'static str> {
        match (start, &self.cold, &self.warm) {
            (true, _, None) => Some("a start: the command has no {start}"),
            (false, None, _) => Some("a run without a start: the command has {start}"),
            _ if !self.has("{seed}") && options.seed != 0 => Some("a seed: the command has no {seed}"),
            _ => options.beyond_plain(self.has("{threads}"), true),
        }
    }

    fn solve(
        &self,
        programme: &Ilp,
        options: &Options,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Run, BackendError> {
        let began = Instant::now();
        let solver = self.solver();
        options.check(programme, self, &solver)?;
        let answer = match SolverAnswer::without_columns(programme) {
            Some(answer) => answer,
            None => self.answer(programme, options, began, monitor)?,
        };
        let dual_bound = answer.bound.map(|bound| bound as f64);
        let (outcome, stop) = answer.judge(programme, options.start.clone(), &solver)?;
        let seconds = began.elapsed().as_secs_f64();
        Ok(Run { solver, outcome, stop, dual_bound, nodes: None, lp_iterations: None, seconds })
    }
}

fn has(words: &[String], place: &str) -> bool {
    words.iter().any(|word| word.contains(place))
}

/// The kind of file that a template takes a start from.
fn start_file(words: &[String]) -> Option<StartFile> {
    StartFile::ALL.into_iter().find(|file| has(words, file.place()))
}

/// A solution that a stopped command could still write.
fn salvaged(path: &Path, programme: &Ilp) -> Option<SolutionFile> {
    let text = read_solution(path, programme).ok()?;
    let file = solution_file::read(&text, programme).ok()?;
    let feasible = file.point.as_ref().is_some_and(|point| programme.violation(point).is_none());
    feasible.then_some(file)
}

/// The text of a solution file, which is a file and no longer than one of this program can be.
fn read_solution(path: &Path, programme: &Ilp) -> io::Result<String> {
    // Solvers that write a line for every column and row take some 100 bytes for each.
    let most = (16 << 20) + 1024 * (programme.columns().len() + programme.row_count()) as u64;
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

/// The end of what a command printed, to be put behind an error.
fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].join(" | ");
    if last.is_empty() { last } else { format!("; its last words: {last}") }
}

/// What follows the word "version" in what a command prints, if it does so before long.
fn version(program: &str, argument: &str) -> Option<String> {
    let mut command = std::process::Command::new(program);
    let (mut tree, said) = ProcessTree::spawn_captured(command.arg(argument), WORDS).ok()?;
    let began = Instant::now();
    while matches!(tree.try_wait(), Ok(None)) && began.elapsed() < VERSION_PATIENCE {
        thread::sleep(PACE);
    }
    drop(tree);
    let text = said.collect().to_lowercase();
    let (_, rest) = text.split_once("version")?;
    rest.trim_start_matches(':').split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_needs_its_places_and_no_others() {
        let fault = |template| Command::template(template).expect_err(template).fault;
        assert!(fault("cbc {model} solve").contains("needs {model} and {solution}"));
        assert!(fault("cbc {modell} {solution}").contains("not known; known are: {model}, the path"));
        assert!(fault("cbc '{model} {solution}").contains("quote"));
        assert!(fault("").contains("needs"));
        let command = Command::template("solver -c 'read {model}' \"{solution}\"").expect("a template");
        assert_eq!(command.words(false), ["solver", "-c", "read {model}", "{solution}"]);
        assert_eq!(command.solver(), "\"solver -c 'read {model}' \"{solution}\"\"");
    }

    #[test]
    fn the_known_commands_are_templates() {
        for known in &KNOWN {
            for (template, start) in [(known.template, false), (known.started, true)] {
                let command = Command::template(template).expect(known.name);
                assert!(command.refuses(&Options::default(), start).is_none(), "{template}");
            }
            let command = Command::known(known.name).expect("a command");
            assert!(command.refuses(&Options::default(), true).is_none(), "{}", known.name);
            assert!(command.refuses(&Options { seed: 7, ..Options::default() }, false).is_none());
        }
        assert!(Command::known("cplex").is_none());
    }
}
