//! Runs a planned run in a child process with limits, and collects its messages and resource usage.
//!
//! The child is the program itself. It receives a [`Planned`] run as JSON on standard input and writes one
//! [`ChildMessage`] as a JSON object per line to standard output.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use ndqueens_system::program::ProcessTree;
use ndqueens_system::signal::Signal;
use ndqueens_system::{memory, process};
use ndqueens_workflow::dispatch;
use ndqueens_workflow::record::Record;
use ndqueens_workflow::run::{Event, RunContext, Watch, WorkflowError};
use serde::{Deserialize, Serialize};

use crate::executor::{End, Ended, Executor, Point, Refuted, Usage};
use crate::planned::Planned;

/// Fixed part of the time by which a run may exceed its time limit before it is killed; a tenth of the limit
/// is added. Also the time a child gets to exit after SIGTERM.
pub const GRACE: Duration = Duration::from_secs(10);

/// Message of the child to its parent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChildMessage {
    /// The incumbent or the bound has changed.
    Point(Point),
    /// The answer.
    Record(Box<Record>),
    /// The child found its solver's answer to be wrong.
    Refuted(Refuted),
}

/// Executor that starts a child process for every run.
#[derive(Debug, Clone)]
pub struct Processes {
    /// Program started for every run.
    pub program: PathBuf,
    /// Environment variables added for the children.
    pub environment: Vec<(String, PathBuf)>,
}

impl Executor for Processes {
    fn name(&self) -> String {
        self.program.display().to_string()
    }

    fn run(
        &self,
        planned: &Planned,
        watch: &mut dyn FnMut(Option<&Point>) -> ControlFlow<()>,
    ) -> io::Result<Ended> {
        let mut command = Command::new(&self.program);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        run(&mut command, planned, watch)
    }
}

fn run(
    command: &mut Command,
    planned: &Planned,
    watch: &mut dyn FnMut(Option<&Point>) -> ControlFlow<()>,
) -> io::Result<Ended> {
    let begin = Instant::now();
    let limit = planned.question.time_limit_seconds.map(Duration::from_secs_f64);
    let parts = if planned.root_bound { 2 } else { 1 };
    let deadline = limit.and_then(|limit| begin.checked_add(limit * parts + limit / 10 + GRACE));
    command.args(["--quiet", "lab", "child"]);
    // In its own process group, so that Ctrl-C on the terminal signals the runner only.
    let mut tree =
        ProcessTree::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let child = tree.child();
    let (input, output, error) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    if let Some(mut input) = input {
        // If the child has exited already, its exit status reports that.
        let _ = input.write_all(serde_json::to_string(planned)?.as_bytes());
    }
    let (sender, lines) = mpsc::channel();
    std::thread::scope(|threads| {
        threads.spawn(move || {
            for line in
                output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok)
            {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let words = threads.spawn(move || tail(error));
        let mut ended =
            Watched { deadline, asked: None, killed: false, record: None, refuted: None, trace: Vec::new() };
        let waited = ended.watch(&mut tree, &lines, watch);
        // Processes left behind by the child would keep its pipes open.
        drop(tree);
        let (status, usage) = waited?;
        for line in lines {
            ended.read_line(&line);
        }
        let end = match (ended.asked.is_some(), ended.killed) {
            (true, _) => End::Interrupted,
            (_, true) => End::HardLimit,
            _ => match (status.signal(), status.code()) {
                (Some(signal), _) => End::Signal(
                    Signal::try_from(signal).map_or_else(|_| signal.to_string(), |s| s.to_string()),
                ),
                (None, code) => End::Exit(code.unwrap_or_default()),
            },
        };
        let mut usage = Usage { wall_seconds: begin.elapsed().as_secs_f64(), ..usage };
        if let Some(peak) = ended.record.as_ref().and_then(|record| record.answer.peak_memory_bytes) {
            usage.peak_memory_bytes = peak;
        }
        let words = words.join().unwrap_or_default();
        let Watched { record, refuted, trace, .. } = ended;
        Ok(Ended { record, refuted, trace, end, usage, words })
    })
}

/// State of a running child.
struct Watched {
    deadline: Option<Instant>,
    /// Time at which the child was asked to stop.
    asked: Option<Instant>,
    killed: bool,
    record: Option<Box<Record>>,
    refuted: Option<Refuted>,
    trace: Vec<Point>,
}

impl Watched {
    /// Processes messages and enforces the limits until the child exits. Returns its exit status and resource
    /// usage; wall-clock time is not filled in.
    fn watch(
        &mut self,
        tree: &mut ProcessTree,
        lines: &mpsc::Receiver<String>,
        watch: &mut dyn FnMut(Option<&Point>) -> ControlFlow<()>,
    ) -> io::Result<(ExitStatus, Usage)> {
        let (mut open, mut pause) = (true, Duration::from_millis(1));
        loop {
            let mut point = None;
            if open {
                match lines.recv_timeout(Duration::from_millis(200)) {
                    Ok(line) => point = self.read_line(&line),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => open = false,
                }
            } else {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(200));
            }
            let now = Instant::now();
            if watch(point.as_ref()).is_break() && self.asked.is_none() {
                self.asked = Some(now);
                tree.signal(Signal::SIGTERM);
            }
            let too_late = self.deadline.is_some_and(|deadline| now > deadline);
            let deaf = self.asked.is_some_and(|asked| now > asked + GRACE);
            if (too_late || deaf) && !self.killed {
                self.killed = true;
                tree.signal(Signal::SIGKILL);
            }
            if point.is_none()
                && let Some((status, used)) = tree.try_wait_with_usage()?
            {
                let usage = Usage {
                    wall_seconds: 0.0,
                    cpu_seconds: used.cpu_seconds,
                    peak_memory_bytes: used.peak_memory_bytes,
                };
                return Ok((status, usage));
            }
        }
    }

    fn read_line(&mut self, line: &str) -> Option<Point> {
        // Ignore output of libraries on standard output.
        match serde_json::from_str(line).ok()? {
            ChildMessage::Point(point) => {
                self.trace.push(point);
                Some(point)
            }
            ChildMessage::Record(record) => {
                self.record = Some(record);
                None
            }
            ChildMessage::Refuted(refuted) => {
                self.refuted = Some(refuted);
                None
            }
        }
    }
}

/// Reads a stream to its end and returns its last 2000 bytes or so, trimmed.
fn tail(stream: Option<impl io::Read>) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    if let Some(mut stream) = stream {
        while let Ok(n @ 1..) = stream.read(&mut buffer) {
            kept.extend_from_slice(&buffer[..n]);
            kept.drain(..kept.len().saturating_sub(2000));
        }
    }
    String::from_utf8_lossy(&kept).trim().to_owned()
}

/// In the child: reads the planned run from standard input and sets the limits. The child is terminated when
/// its parent dies.
///
/// # Errors
/// Returns an error if standard input does not hold a planned run, or a limit cannot be set.
pub fn begin() -> io::Result<Planned> {
    process::end_with_parent()?;
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let planned: Planned = serde_json::from_str(&text)?;
    if let Some(mib) = planned.memory_limit_mib {
        memory::limit_permanently(mib.saturating_mul(1 << 20))?;
    }
    Ok(planned)
}

/// Error of a run in the child.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// Standard output that is closed.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// Run without an answer.
    #[error(transparent)]
    Run(Box<WorkflowError>),
}

impl From<WorkflowError> for ChildError {
    fn from(error: WorkflowError) -> Self {
        Self::Run(Box::new(error))
    }
}

/// In the child: executes the run, and sends progress and the answer to the parent.
///
/// # Errors
/// Returns an error if the run has no answer, or if standard output is closed.
pub fn answer(planned: &Planned, context: &RunContext<'_>, watch: &mut Watch<'_>) -> Result<(), ChildError> {
    let context = RunContext { root_bound: planned.root_bound, ..*context };
    let mut last = Point::default();
    let answered = dispatch::run(&planned.question, &context, &mut |event| {
        if let Event::Progress(progress) = event
            && let Some(point) = last.new_since(progress)
        {
            last = point;
            // If the parent is gone, a signal terminates this process.
            let _ = send(&ChildMessage::Point(point));
        }
        watch(event)
    });
    match answered {
        Ok(answered) => Ok(send(&ChildMessage::Record(Box::new(answered.record)))?),
        Err(error) => {
            if let Some(verdict) = error.verdict() {
                send(&ChildMessage::Refuted(Refuted { verdict, words: error.to_string() }))?;
            }
            Err(error.into())
        }
    }
}

/// Writes a message as one line and flushes standard output.
fn send(message: &ChildMessage) -> io::Result<()> {
    let mut line = serde_json::to_string(message)?;
    line.push('\n');
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()
}
