//! Progress on standard error: a live line on a terminal, log lines otherwise.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::Progress;
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::run::{
    BoxProgress, BoxesProgress, ConstructionProgress, Event, PartsProgress, SearchProgress, TreeProgress,
};

use crate::interrupt;
use crate::output::{log, plain};

/// Heading of the options that all commands have.
pub(crate) const GLOBAL: &str = "Global options";

/// Amount of output.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Verbosity {
    /// Print more: a progress line every second.
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub(crate) verbose: bool,
    /// Print the result only.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    pub(crate) quiet: bool,
}

/// Progress display of a workflow, which also passes on the user's request to stop.
#[derive(Debug)]
pub(crate) struct Display {
    bar: Option<ProgressBar>,
    quiet: bool,
    verbose: bool,
    time_limit: Option<Duration>,
    deadline: Deadline,
    last_line: Instant,
    /// Subject of the work, such as `cube on 100^3`, at the start of progress lines.
    task: Option<String>,
}

impl Display {
    /// Creates a display that exists until it is dropped. With a time limit, it shows the time left.
    #[must_use]
    pub(crate) fn new(verbosity: Verbosity, time_limit: Option<Duration>) -> Self {
        let Verbosity { quiet, verbose } = verbosity;
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a fixed template"));
            bar
        });
        Self {
            bar,
            quiet,
            verbose,
            time_limit,
            deadline: Deadline::NEVER,
            last_line: Instant::now(),
            task: None,
        }
    }

    /// Sets a deadline at which [`Self::show`] breaks, for work that does not check the clock itself.
    #[must_use]
    pub(crate) fn until(mut self, deadline: Deadline) -> Self {
        self.deadline = deadline;
        self
    }

    /// Shows an event. Breaks if a stop was requested or the deadline is over.
    pub(crate) fn show(&mut self, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Note(words) => self.print(words),
            _ if self.quiet => {}
            Event::Stage(words) => self.print(words),
            Event::Rows { rows, seconds } => {
                self.update(&format!("{} of the model, {seconds:.0} s", counted(*rows, "row")));
            }
            Event::Progress(progress) => self.update(&self.describe(progress)),
            Event::Boxes(boxes) => self.update(&self.boxes(boxes)),
            Event::Parts(parts) => self.update(&parts_done(parts)),
            Event::Tree(tree) => self.update(&self.tree(tree)),
            Event::Search(searched) => self.update(&self.format_search(searched)),
            Event::Construction(trying) => self.update(&format_construction(trying)),
        }
        self.flow()
    }

    /// Shows the state of work that reports no events. Breaks as [`Self::show`] does.
    pub(crate) fn show_line(&mut self, line: &str) -> ControlFlow<()> {
        if !self.quiet {
            self.update(line);
        }
        self.flow()
    }

    /// Breaks if a stop was requested or the deadline is over.
    fn flow(&self) -> ControlFlow<()> {
        if interrupt::is_requested() || self.deadline.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Sets the subject of the following progress lines.
    pub(crate) fn work_on(&mut self, task: impl Into<String>) {
        self.task = Some(task.into());
    }

    /// Prints a line above the live line.
    pub(crate) fn print(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| log(words)),
            None => log(words),
        }
    }

    /// Shows the state of the work.
    fn update(&mut self, line: &str) {
        let named = self.task.as_ref().map(|task| format!("{task}: {line}"));
        let line = named.as_deref().unwrap_or(line);
        if let Some(bar) = &self.bar {
            bar.set_message(plain(line));
            bar.tick();
        } else if self.last_line.elapsed() >= Duration::from_secs(if self.verbose { 1 } else { 10 }) {
            self.last_line = Instant::now();
            log(line);
        }
    }

    fn describe(&self, progress: &Progress) -> String {
        let Progress { seconds, incumbent, dual_bound, nodes, lp_iterations } = *progress;
        let mut parts = Vec::new();
        let bound = dual_bound.filter(|bound| bound.is_finite());
        parts.extend(incumbent.map(|value| format!("incumbent {value}")));
        parts.extend(bound.map(|bound| {
            if bound.fract() == 0.0 { format!("bound {bound:.0}") } else { format!("bound {bound:.2}") }
        }));
        if let (Some(value), Some(bound)) = (incumbent, bound)
            && value != 0
        {
            parts.push(format!("gap {:.1} %", (bound - value as f64).abs() / (value as f64).abs() * 100.0));
        }
        parts.extend(nodes.map(|nodes| at_rate(nodes, "nodes", seconds)));
        parts.extend(lp_iterations.map(|iterations| format!("{iterations} LP iterations")));
        parts.push(format!("{seconds:.0} s"));
        parts.extend(self.limit(seconds));
        parts.join(", ")
    }

    fn boxes(&self, progress: &BoxesProgress) -> String {
        let BoxesProgress { known, tree, nodes, seconds } = progress;
        let mut parts = Vec::new();
        parts.extend(
            known
                .as_ref()
                .map(|BoxProgress { done, boxes, last }| format!("{done} of {boxes} sub-boxes, {last}")),
        );
        parts.extend(tree.map(|(share, _)| format!("{:.1} % of the last one's tree", share * 100.0)));
        parts.push(at_rate(*nodes, "nodes", *seconds));
        parts.push(format!("{seconds:.0} s"));
        parts.extend(self.limit(*seconds));
        parts.extend(tree.map(|(_, left)| rest(left)));
        parts.join(", ")
    }

    fn tree(&self, tree: &TreeProgress) -> String {
        let TreeProgress { incumbent, bound, nodes, open, lp_iterations, done, left, seconds } = *tree;
        let mut parts = vec![format!("incumbent {incumbent}")];
        parts.extend(bound.map(|bound| {
            let gap = (bound - incumbent as f64).max(0.0) / (incumbent as f64).max(1.0) * 100.0;
            format!("bound {bound:.2}, gap {gap:.1} %")
        }));
        parts.push(format!("{}, {open} open", at_rate(nodes, "nodes", seconds)));
        parts.push(format!("{lp_iterations} LP iterations"));
        parts.push(format!("{:.1} % of the tree", done * 100.0));
        parts.push(format!("{seconds:.0} s"));
        parts.extend(self.limit(seconds));
        parts.extend(left.map(rest));
        parts.join(", ")
    }

    /// Formats the time left until the time limit, if there is one.
    fn limit(&self, seconds: f64) -> Option<String> {
        let left = self.time_limit?.as_secs_f64() - seconds;
        Some(format!("limit in {:.0} s", left.max(0.0)))
    }

    fn format_search(&self, searched: &SearchProgress) -> String {
        let SearchProgress { incumbent, bound, moves, seconds } = *searched;
        let moves = at_rate(moves, "moves", seconds);
        let mut line = format!("incumbent {incumbent}, bound {bound}, {moves}, {seconds:.0} s");
        if let Some(limit) = self.time_limit {
            line.push_str(&format!(" of {:.0}", limit.as_secs_f64()));
        }
        line
    }
}

fn format_construction(trying: &ConstructionProgress) -> String {
    let ConstructionProgress { method, checking, best, seconds } = *trying;
    let best = best.map_or_else(
        || "nothing so far".to_owned(),
        |(queens, method)| format!("best so far {queens} by {method}"),
    );
    match checking {
        Some(queens) => format!("checking {queens} by {method}, {best}, {seconds:.0} s"),
        None => format!("trying {method}, {best}, {seconds:.0} s"),
    }
}

fn parts_done(parts: &PartsProgress) -> String {
    let PartsProgress { finished, parts, done, nodes, seconds, left } = *parts;
    let (percent, nodes) = (done * 100.0, at_rate(nodes, "nodes", seconds));
    let mut line = format!(
        "{finished} of {}, {percent:.2} % of the tree, {nodes}, {seconds:.0} s",
        counted(parts, "part")
    );
    if let Some(left) = left {
        line += &format!(", {}", rest(left));
    }
    line
}

/// Formats a number with its rate per second.
fn at_rate(number: u64, what: &str, seconds: f64) -> String {
    format!("{number} {what} ({:.0}/s)", number as f64 / seconds.max(0.001))
}

fn rest(left: f64) -> String {
    format!("about {} left if the rest is alike", duration(left))
}

/// Length of a year in seconds.
const YEAR: f64 = 31_557_600.0;

/// Formats a duration, such as `59 s`, `3 min` or `5.0 h`.
#[must_use]
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s if s < 2.0 * YEAR => format!("{:.1} days", s / 86400.0),
        s if s < 1e6 * YEAR => format!("{:.0} years", s / YEAR),
        s => format!("{:.0e} years", s / YEAR),
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
