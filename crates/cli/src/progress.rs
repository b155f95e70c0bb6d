//! Progress on standard error: a live line on a terminal, log lines otherwise.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ndqueens_lab::run::{ConstructionProgress, Event, PartsProgress, SearchProgress};
use ndqueens_solver::backends::Progress;

use crate::args::groups::Verbosity;
use crate::interrupt;
use crate::output::{counted, log, plain};

/// Shows events of a workflow and passes on the user's wish to stop.
pub(crate) struct Display {
    bar: Option<ProgressBar>,
    quiet: bool,
    verbose: bool,
    time_limit: Option<Duration>,
    last_line: Instant,
}

impl Display {
    pub(crate) fn new(verbosity: Verbosity, time_limit: Option<Duration>) -> Self {
        let Verbosity { quiet, verbose } = verbosity;
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a fixed template"));
            bar
        });
        Self { bar, quiet, verbose, time_limit, last_line: Instant::now() }
    }

    /// Takes an event; breaks when Ctrl-C was pressed.
    pub(crate) fn show(&mut self, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Note(words) => self.say(words),
            _ if self.quiet => {}
            Event::Stage(words) => self.say(words),
            Event::Rows { rows, seconds } => self.tell(&format!("{rows} rows of the model, {seconds:.0} s")),
            Event::Progress(progress) => self.tell(&self.describe(progress)),
            Event::Parts(parts) => self.tell(&parts_done(parts)),
            Event::Search(searched) => self.tell(&self.searched(searched)),
            Event::Construction(trying) => self.tell(&being_tried(trying)),
        }
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Prints a line above the live one.
    pub(crate) fn say(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| log(words)),
            None => log(words),
        }
    }

    /// Shows how far the work is.
    fn tell(&mut self, line: &str) {
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
        parts.extend(bound.map(|bound| format!("bound {bound:.2}")));
        if let (Some(value), Some(bound)) = (incumbent, bound)
            && value != 0
        {
            parts.push(format!("gap {:.1} %", (bound - value as f64).abs() / (value as f64).abs() * 100.0));
        }
        if let Some(nodes) = nodes {
            parts.push(format!("{nodes} nodes ({:.0}/s)", nodes as f64 / seconds.max(0.001)));
        }
        parts.extend(lp_iterations.map(|iterations| format!("{iterations} LP iterations")));
        parts.push(format!("{seconds:.0} s"));
        if let Some(limit) = self.time_limit {
            parts.push(format!("limit in {:.0} s", (limit.as_secs_f64() - seconds).max(0.0)));
        }
        parts.join(", ")
    }
}

impl Display {
    fn searched(&self, searched: &SearchProgress) -> String {
        let SearchProgress { queens, bound, moves, seconds } = *searched;
        let per_second = moves as f64 / seconds.max(0.001);
        let mut line = format!(
            "{}, bound {bound}, {moves} moves ({per_second:.0}/s), {seconds:.0} s",
            counted(queens as u64, "queen")
        );
        if let Some(limit) = self.time_limit {
            line.push_str(&format!(" of {:.0}", limit.as_secs_f64()));
        }
        line
    }
}

fn being_tried(trying: &ConstructionProgress) -> String {
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
    let PartsProgress { there, parts, done, nodes, seconds, left } = *parts;
    let per_second = nodes as f64 / seconds.max(0.001);
    let percent = done * 100.0;
    let mut line = format!(
        "{there} of {parts} parts, {percent:.2} % of the tree, {nodes} nodes ({per_second:.0}/s), {seconds:.0} s"
    );
    if let Some(left) = left {
        line.push_str(&format!(", about {} left if the rest is alike", duration(left)));
    }
    line
}

/// In seconds.
const YEAR: f64 = 31_557_600.0;

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
