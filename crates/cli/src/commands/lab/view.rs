//! Progress display of a batch.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ndqueens_experiments::executor::Point;
use ndqueens_experiments::planned::Planned;
use ndqueens_experiments::runner::Event;
use ndqueens_experiments::store::Finished;
use ndqueens_notation::counted::counted;
use parking_lot::Mutex;

use crate::interrupt;
use crate::output::log;
use crate::progress::{Verbosity, duration};

/// Progress display of a batch: a live line on a terminal, otherwise a line at intervals.
pub(super) struct View {
    bar: Option<ProgressBar>,
    quiet: bool,
    every: Duration,
    jobs: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    total: usize,
    done: usize,
    failed: usize,
    running: HashMap<String, (String, Instant, Point)>,
    /// Sum of the seconds and number of finished runs, by the properties of a run other than its seed.
    took: HashMap<String, (f64, u32)>,
    /// Number of runs left, by the properties of a run other than its seed.
    left: HashMap<String, u32>,
    last_line: Option<Instant>,
}

fn cell(run: &Planned) -> String {
    format!("{} {}", run.question.board, run.configuration())
}

impl View {
    pub(super) fn new(plan: &[Planned], jobs: usize, verbosity: Verbosity) -> Self {
        use std::io::IsTerminal as _;
        let bar = (!verbosity.quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(plan.len() as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {wide_msg}");
            bar.set_style(style.expect("a fixed template"));
            bar
        });
        let mut state = State { total: plan.len(), ..State::default() };
        for run in plan {
            *state.left.entry(cell(run)).or_default() += 1;
        }
        let every = Duration::from_secs(if verbosity.verbose { 1 } else { 10 });
        Self { bar, quiet: verbosity.quiet, every, jobs, state: Mutex::new(state) }
    }

    pub(super) fn show(&self, event: &Event<'_>) -> ControlFlow<()> {
        let mut state = self.state.lock();
        match event {
            Event::AlreadyDone(runs, failed) => {
                state.there(runs, *failed);
                if !runs.is_empty() {
                    self.print(&format!(
                        "{} of {} {} there already, {failed} of them failed",
                        runs.len(),
                        counted(state.total, "run"),
                        if runs.len() == 1 { "is" } else { "are" }
                    ));
                }
            }
            Event::Begun(run) => {
                state.running.insert(run.id.clone(), (cell(run), Instant::now(), Point::default()));
            }
            Event::Point(run, point) => {
                if let (Some(point), Some(running)) = (point, state.running.get_mut(&run.id)) {
                    running.2 = **point;
                }
            }
            Event::Ended(row, failed) => {
                state.add_ended(row, *failed);
                if let Some(failure) = row.failure.as_ref().filter(|_| *failed) {
                    self.print(&format!(
                        "failed: run {} ({}): {failure}",
                        row.planned.id,
                        cell(&row.planned)
                    ));
                }
            }
            Event::Conflict(conflict) => self.print(&format!("CONTRADICTION: {}", conflict.words)),
        }
        if !self.quiet {
            if let Some(bar) = &self.bar {
                bar.set_position(state.done as u64);
                bar.set_message(state.line(self.jobs));
            } else if state.last_line.is_none_or(|last| last.elapsed() >= self.every)
                && !state.running.is_empty()
            {
                if state.last_line.is_some() {
                    log(&format!(
                        "{} of {} done, {}",
                        state.done,
                        counted(state.total, "run"),
                        state.line(self.jobs)
                    ));
                }
                state.last_line = Some(Instant::now());
            }
        }
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Prints a line. Contradictions and failures are also reported with `--quiet`.
    fn print(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| log(words)),
            None => log(words),
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl State {
    fn there(&mut self, runs: &[&Planned], failed: usize) {
        for run in runs {
            self.done(run);
        }
        self.failed = failed;
    }

    fn done(&mut self, run: &Planned) {
        self.done += 1;
        if let Some(left) = self.left.get_mut(&cell(run)) {
            *left = left.saturating_sub(1);
        }
    }

    fn add_ended(&mut self, row: &Finished, failed: bool) {
        self.done(&row.planned);
        self.failed += usize::from(failed);
        self.running.remove(&row.planned.id);
        let took = self.took.entry(cell(&row.planned)).or_default();
        *took = (took.0 + row.process.wall_seconds, took.1 + 1);
    }

    fn line(&self, jobs: usize) -> String {
        let mut parts = Vec::new();
        let mut running: Vec<_> = self.running.values().collect();
        running.sort_by(|a, b| a.0.cmp(&b.0));
        for (cell, begun, point) in running {
            let mut words = format!("{cell} {:.0} s", begun.elapsed().as_secs_f64());
            if let Some(incumbent) = point.incumbent {
                words.push_str(&format!(" [{incumbent}"));
                words.push_str(
                    &point.dual_bound.map_or_else(|| "]".to_owned(), |bound| format!("..{bound:.1}]")),
                );
            }
            parts.push(words);
        }
        parts.push(format!("{} failed", self.failed));
        if let Some(left) = self.seconds_left() {
            parts.push(format!("about {} left", duration(left / jobs as f64)));
        }
        parts.join(", ")
    }

    /// Returns the total time of the runs left. A run is estimated by the mean of the finished runs that
    /// differ only in the seed, or else by the mean of all finished runs.
    fn seconds_left(&self) -> Option<f64> {
        let (seconds, runs) = self.took.values().fold((0.0, 0), |sum, took| (sum.0 + took.0, sum.1 + took.1));
        let mean = |(seconds, runs): (f64, u32)| (runs > 0).then(|| seconds / f64::from(runs));
        let of_all = mean((seconds, runs))?;
        let of_cell = |cell| self.took.get(cell).and_then(|took| mean(*took)).unwrap_or(of_all);
        Some(self.left.iter().map(|(cell, left)| f64::from(*left) * of_cell(cell)).sum())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ndqueens_experiments::definition::Definition;
    use ndqueens_experiments::plan;

    use super::*;

    #[test]
    fn runs_that_failed_before_are_counted() {
        let text = "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\nseeds = 3\n";
        let definition = Definition::parse(Path::new("e.toml"), text.to_owned()).expect("well formed");
        let runs = plan::plan(&definition).expect("valid");
        let mut state = State { total: 3, left: HashMap::from([(cell(&runs[0]), 3)]), ..State::default() };
        state.there(&[&runs[0], &runs[1]], 1);
        assert_eq!((state.done, state.failed, state.left[&cell(&runs[0])]), (2, 1, 1));
        assert_eq!(state.line(1), "1 failed");
    }
}
