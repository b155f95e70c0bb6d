//! `ndq lab`

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ndqueens_files as files;
use ndqueens_lab::experiment::child::{self, Point, Refuted, Told};
use ndqueens_lab::experiment::compare::{self, Effort};
use ndqueens_lab::experiment::definition::{Clock, Definition};
use ndqueens_lab::experiment::evaluation::Evaluation;
use ndqueens_lab::experiment::judge::{Conflict, Judge};
use ndqueens_lab::experiment::planned::{self, Planned};
use ndqueens_lab::experiment::runner::{self, Batch, Event, Summary};
use ndqueens_lab::experiment::store::{Finished, Store};
use ndqueens_lab::experiment::table::{self, Format, Layout};
use ndqueens_lab::experiment::{plan, plot};
use ndqueens_lab::solve::LabError;
use serde::Serialize;

use super::Exit;
use super::rerun;
use crate::args::{self, Args, Lab, LabCompare, LabPlan, LabPlot, LabRun, LabTable};
use crate::interrupt;
use crate::output::{Output, log};
use crate::progress::{Display, duration};

pub(super) fn run(lab: &Lab, all: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    match lab {
        Lab::Plan(args) => list(args, out),
        Lab::Run(args) => batch(args, all, out),
        Lab::Table(args) => table(args, out),
        Lab::Plot(args) => draw(args, out),
        Lab::Compare(args) => compared(args, out),
        Lab::Child => answer(),
    }
}

fn list(args: &LabPlan, out: &mut Output) -> anyhow::Result<Exit> {
    let plan = plan::plan(&Definition::read(&args.file)?)?;
    if out.json() {
        for run in &plan {
            out.result(run, "")?;
        }
        return Ok(Exit::Yes);
    }
    let text = planned::csv(&plan);
    out.result(&(), &text)?;
    let limit: Option<f64> = plan.iter().map(|run| run.question.time_limit_seconds).sum();
    let limit = limit.filter(|_| !plan.is_empty());
    let limit =
        limit.map_or_else(String::new, |limit| format!(", {} at most by their time limits", duration(limit)));
    log(&format!("{} run{}{limit}", plan.len(), if plan.len() == 1 { "" } else { "s" }));
    Ok(Exit::Yes)
}

/// In the child: one run.
fn answer() -> anyhow::Result<Exit> {
    let planned = child::begin().context("ndq lab child takes a planned run on standard input")?;
    let mut last = Point::default();
    let mut display = Display::telling(move |progress| {
        if let Some(point) = last.new_since(progress) {
            last = point;
            // A parent that is gone sends a signal.
            let _ = child::tell(&Told::Point(point));
        }
    });
    let memory = planned.memory_limit_mib.map(|mib| mib.div_ceil(1024));
    let answered = rerun::answer(&planned.question, planned.root_bound, memory, &mut display);
    if let Err(error) = &answered
        && let Some(verdict) = error.chain().find_map(|cause| cause.downcast_ref::<LabError>()?.verdict())
    {
        child::tell(&Told::Refuted(Refuted { verdict, words: format!("{error:#}") }))?;
    }
    child::tell(&Told::Record(Box::new(answered?)))?;
    Ok(Exit::Yes)
}

#[derive(Serialize)]
struct Report {
    runs: usize,
    done: usize,
    failed: usize,
    wrong: usize,
    missing: usize,
}

fn batch(args: &LabRun, all: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let definition = Definition::read(&args.file)?;
    let plan = plan::plan(&definition)?;
    super::allow_commands(&args.file, plan.iter().map(Planned::backend), &args.commands)?;
    let store = Store::open(&args.output)?;
    store.keep(&definition, &plan)?;
    let program = std::env::current_exe().context("this program's own path")?;
    let jobs = args.jobs as usize;
    let batch = Batch { program: &program, store: &store, plan: &plan, jobs, retry: args.retry };
    let view = View::new(&plan, jobs, all);
    let summary = runner::run(&batch, &|event| view.show(&event))?;
    drop(view);
    let evaluation = Evaluation::read(&args.output, None)?;
    table::write(&evaluation, &args.output.join("tables"))?;
    plot::write(&evaluation, &args.output.join("plots"))?;
    let Summary { done, missing } = summary;
    let (failed, wrong) =
        (evaluation.runs.iter().filter(|run| run.failed()).count(), evaluation.conflicts.len());
    let text = format!(
        "{}: {done} of {} runs done, {failed} failed, {wrong} in contradiction; rows, tables and plots in {}",
        definition.contents.title,
        plan.len(),
        args.output.display()
    );
    if missing > 0 {
        log(&format!(
            "stopped with {missing} run{} missing; the same command goes on with them",
            if missing == 1 { "" } else { "s" }
        ));
    }
    out.result(&Report { runs: plan.len(), done, failed, wrong, missing }, &text)?;
    Ok(match (failed + wrong, missing) {
        (1.., _) => Exit::Failed,
        (_, 1..) => Exit::Stopped,
        _ => Exit::Yes,
    })
}

/// Reads a folder as the arguments want it.
fn evaluation(
    folder: &Path,
    clock: Option<args::Clock>,
    reference: Option<&str>,
) -> anyhow::Result<Evaluation> {
    let clock = clock.map(|clock| match clock {
        args::Clock::Wall => Clock::Wall,
        args::Clock::Cpu => Clock::Cpu,
    });
    let mut evaluation = Evaluation::read(folder, clock)?;
    if let Some(reference) = reference {
        evaluation.against(reference)?;
    }
    Ok(evaluation)
}

/// Shouts contradictions; with one, the command has failed.
fn shout(conflicts: &[Conflict]) -> Exit {
    for conflict in conflicts {
        log(&format!("CONTRADICTION: {}", conflict.words));
    }
    if conflicts.is_empty() { Exit::Yes } else { Exit::Failed }
}

fn draw(args: &LabPlot, out: &mut Output) -> anyhow::Result<Exit> {
    let evaluation = evaluation(&args.folder, args.time, None)?;
    let folder = args.output.clone().unwrap_or_else(|| args.folder.join("plots"));
    let paths = plot::write(&evaluation, &folder)?;
    let text: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let words = if text.is_empty() { "there is nothing to draw yet".to_owned() } else { text.join("\n") };
    out.result(&text, &words)?;
    Ok(shout(&evaluation.conflicts))
}

fn compared(args: &LabCompare, out: &mut Output) -> anyhow::Result<Exit> {
    let effort = match args.by {
        args::Effort::Seconds => Effort::Seconds,
        args::Effort::Nodes => Effort::Nodes,
        args::Effort::LpIterations => Effort::LpIterations,
    };
    let mut first = evaluation(&args.first, args.time, args.reference.as_deref())?;
    let keep = |evaluation: &mut Evaluation| {
        if args.board.is_empty() { Ok(()) } else { evaluation.keep(&args.board) }
    };
    keep(&mut first)?;
    let (comparison, conflicts) = match &args.second {
        None => (compare::ways(&first, effort), first.conflicts),
        Some(folder) => {
            let clock = args.time.unwrap_or(match first.clock {
                Clock::Wall => args::Clock::Wall,
                Clock::Cpu => args::Clock::Cpu,
            });
            let mut second = evaluation(folder, Some(clock), None)?;
            keep(&mut second)?;
            let names = [&args.first, folder].map(|path| path.display().to_string());
            let conflicts = Judge::between(&[(&names[0], &first.judge), (&names[1], &second.judge)]);
            (compare::folders(&first, &second, (&names[0], &names[1]), effort), conflicts)
        }
    };
    if out.json() {
        for pairs in &comparison.groups {
            out.result(pairs, "")?;
        }
    } else {
        out.result(&(), &comparison.text(first.clock))?;
    }
    Ok(shout(&conflicts))
}

fn table(args: &LabTable, out: &mut Output) -> anyhow::Result<Exit> {
    let layout = match args.layout {
        args::Layout::Kunt => Layout::Kunt,
        args::Layout::Comparison => Layout::Comparison,
        args::Layout::Raw => Layout::Raw,
    };
    let format = match args.format {
        Some(args::Format::Csv) => Format::Csv,
        Some(args::Format::Markdown) => Format::Markdown,
        Some(args::Format::Latex) => Format::Latex,
        None if layout == Layout::Raw => Format::Csv,
        None => Format::Markdown,
    };
    let evaluation = evaluation(&args.folder, args.time, args.reference.as_deref())?;
    if out.json() && !args.columns {
        for object in table::data(&evaluation, layout).objects() {
            out.result(&object, "")?;
        }
        return Ok(shout(&evaluation.conflicts));
    }
    let text = if args.columns { Some(table::columns()) } else { table::text(&evaluation, layout, format) };
    let text = text.context("the raw rows are data: --format csv, or --json")?;
    match &args.output {
        Some(path) => files::write(path, |out| out.write_all(text.as_bytes()))?,
        None => out.result(&text, &text)?,
    }
    Ok(shout(&evaluation.conflicts))
}

/// What is shown while a batch runs: a live line on a terminal, a line now and then otherwise.
struct View {
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
    /// Seconds of the runs that have ended, by what is the same but for the seed: their sum and number.
    took: HashMap<String, (f64, u32)>,
    /// What is the same but for the seed, with the number of runs left.
    left: HashMap<String, u32>,
    last_line: Option<Instant>,
}

fn cell(run: &Planned) -> String {
    format!("{} {}", run.question.board, run.way())
}

impl View {
    fn new(plan: &[Planned], jobs: usize, all: &Args) -> Self {
        use std::io::IsTerminal as _;
        let bar = (!all.quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(plan.len() as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {wide_msg}");
            bar.set_style(style.expect("a fixed template"));
            bar
        });
        let mut state = State { total: plan.len(), ..State::default() };
        for run in plan {
            *state.left.entry(cell(run)).or_default() += 1;
        }
        let every = Duration::from_secs(if all.verbose { 1 } else { 10 });
        Self { bar, quiet: all.quiet, every, jobs, state: Mutex::new(state) }
    }

    fn show(&self, event: &Event<'_>) -> ControlFlow<()> {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match event {
            Event::There(runs, failed) => {
                state.there(runs, *failed);
                if !runs.is_empty() {
                    self.say(&format!(
                        "{} of {} runs are there already, {failed} of them failed",
                        runs.len(),
                        state.total
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
                state.ended(row, *failed);
                if let Some(failure) = row.failure.as_ref().filter(|_| *failed) {
                    self.say(&format!("failed: run {} ({}): {failure}", row.planned.id, cell(&row.planned)));
                }
            }
            Event::Conflict(conflict) => self.say(&format!("CONTRADICTION: {}", conflict.words)),
        }
        if !self.quiet {
            if let Some(bar) = &self.bar {
                bar.set_position(state.done as u64);
                bar.set_message(state.line(self.jobs));
            } else if state.last_line.is_none_or(|last| last.elapsed() >= self.every)
                && !state.running.is_empty()
            {
                if state.last_line.is_some() {
                    log(&format!("{} of {} runs done, {}", state.done, state.total, state.line(self.jobs)));
                }
                state.last_line = Some(Instant::now());
            }
        }
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Contradictions and failures are told in any case.
    fn say(&self, words: &str) {
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

    fn ended(&mut self, row: &Finished, failed: bool) {
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

    /// The time that the runs left will take one after another, if each takes as long as others that differ in the seed only, or
    /// else as all that have ended.
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
