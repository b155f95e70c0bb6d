//! The command `ndq count`.

mod answer;
mod args;
mod include;
mod listed;
mod maximal;
mod reference;
mod report;
mod stacks;
mod stopped;
mod symmetric;

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use anyhow::bail;
use ndqueens_crosscheck::bron_kerbosch::Ordering;
use ndqueens_model::board::Board;
use ndqueens_solver::backends::{Options, Progress};
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_system::note::Notes;
use ndqueens_workflow::count::{self, CountRequest, Counted, Stopped};
use ndqueens_workflow::run::{Event, Interruptible, WorkflowError};

pub(crate) use self::args::Args;

use self::answer::{FAST, LARGE_GROUP, ProofSummary, Summary, UNKNOWN_GROUP, fast_answer, verdict};
use self::args::{Method, RootOrder};
use self::listed::{KEEP, describe};
use self::reference::ReferenceCount;
use self::report::{reason, text};
use self::stopped::report_stopped;
use super::Exit;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Display;

/// Interval between updates of the time shown.
const EVERY: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    args.refuse_conflicts()?;
    let begin = Instant::now();
    display.work_on(format!("count {}", args.board));
    let deadline = Deadline::since(begin, args.time_limit);
    let board = Board::new(&args.board);
    if args.maximal {
        return maximal::run(args, &board, deadline, display, out);
    }
    if let Some(path) = &args.include {
        return include::run(args, &board, path, deadline, display, out);
    }
    if let Some(group) = &args.symmetry {
        return symmetric::run(args, &board, group, deadline, display, out);
    }
    let summary = Summary {
        board: args.board.to_string(),
        size: args.exactly,
        group_order: board.symmetry_order(),
        ..Summary::default()
    };
    match stacks::answers(args) {
        true => stacks::run(args, &board, summary, deadline, display, out),
        false => count_solutions(args, &board, summary, begin, deadline, display, out),
    }
}

/// Counts by the requested methods.
fn count_solutions(
    args: &Args,
    board: &Board,
    mut summary: Summary,
    begin: Instant,
    deadline: Deadline,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let counted = match args
        .takes_fast()
        .then(|| by_engine(args, board, deadline, display, out.notes()))
        .transpose()?
    {
        Some(Interruptible::Stopped(stopped)) => {
            if args.work.is_none() {
                super::report_discarded(super::WITH_WORK, display);
            }
            return report_stopped(FAST, board, &stopped, None, begin, out);
        }
        Some(Interruptible::Finished(counted)) => Some(counted),
        None => None,
    };
    let (display, last_report) = (RefCell::new(display), Cell::new(begin));
    let over = || {
        if last_report.get().elapsed() >= EVERY {
            last_report.set(Instant::now());
            let progress = Progress { seconds: begin.elapsed().as_secs_f64(), ..Progress::default() };
            // Ignore the answer: Ctrl-C is checked below, at every node.
            let _ = display.borrow_mut().show(&Event::Progress(progress));
        }
        interrupt::is_requested() || deadline.is_over()
    };
    let group_is_listed = counted.as_ref().is_none_or(|counted| counted.order.is_some());
    if !board.symmetry_is_whole() {
        summary.no_orbits = Some(UNKNOWN_GROUP);
    } else if !group_is_listed {
        summary.no_orbits = Some(LARGE_GROUP);
    }
    // Report the count even if a requested file cannot be written.
    let kept = match counted {
        Some(counted) => add_count(args, board, counted, begin, &mut summary, &over),
        None => Ok(()),
    };
    let work_on = |how: &str| display.borrow_mut().work_on(format!("count {} by {how}", args.board));
    for ReferenceCount { answer, incumbent } in by_references(args, board, &work_on, &over)? {
        if !answer.finished && args.method != Method::All {
            let size = incumbent.as_ref().map(|squares| squares.len() as u64);
            let stopped = Stopped { reason: reason(), size, met: 0, parts: None };
            return report_stopped(answer.method, board, &stopped, incumbent, begin, out);
        }
        summary.methods.push(answer);
    }
    out.answer(&summary, &text(&summary)?)?;
    kept.map(|()| verdict(&summary))
}

/// Adds the count by the exact engine to the summary, and writes the requested files.
fn add_count(
    args: &Args,
    board: &Board,
    mut counted: Counted,
    begin: Instant,
    summary: &mut Summary,
    over: &dyn Fn() -> bool,
) -> anyhow::Result<()> {
    let proved = counted.proved.take();
    summary.taken_parts = Some(counted.taken).filter(|&taken| taken > 0);
    summary.methods.push(fast_answer(&counted, begin.elapsed().as_secs_f64()));
    let kept = describe(args, board, &counted, summary, over);
    match (&args.proof, proved) {
        (Some(file), Some(Ok(proved))) => summary.proof = Some(ProofSummary::new(file, &proved)),
        (_, Some(Err(fault))) => return kept.and(Err(WorkflowError::from(fault).into())),
        _ => {}
    }
    kept
}

/// Counts by the reference algorithms of the method.
fn by_references(
    args: &Args,
    board: &Board,
    work_on: &dyn Fn(&str),
    over: &dyn Fn() -> bool,
) -> anyhow::Result<Vec<ReferenceCount>> {
    let mut counts = Vec::new();
    if matches!(args.method, Method::All | Method::Bk) {
        work_on("Bron-Kerbosch");
        let ordering = match args.ordering {
            Some(RootOrder::Degeneracy) => Ordering::Degeneracy,
            Some(RootOrder::Pivot) | None => Ordering::Pivot,
        };
        counts.push(reference::by_bron_kerbosch(&args.board, ordering, over)?);
    }
    if matches!(args.method, Method::All | Method::Recursive) {
        work_on("recursion");
        counts.push(reference::by_recursion(&args.board, over)?);
    }
    if args.method == Method::MaxClique {
        work_on("branch and bound");
        counts.push(reference::by_maximum_clique(board, over)?);
    }
    Ok(counts)
}

fn by_engine(
    args: &Args,
    board: &Board,
    deadline: Deadline,
    display: &mut Display,
    notes: &Notes,
) -> anyhow::Result<Interruptible<Counted, Stopped>> {
    let outputs = [("--solutions", &args.solutions), ("--density", &args.density), ("--proof", &args.proof)];
    let outputs: Vec<_> =
        outputs.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?))).collect();
    for (number, (flag, path)) in outputs.iter().enumerate() {
        if let Some((other, _)) = outputs[..number].iter().find(|(_, other)| file::are_one(other, path)) {
            bail!("{other} and {flag} name the same file, {}; they need two", path.display());
        }
        file::writable(path)?;
    }
    let listed = args.solutions.is_some() || args.threshold;
    let request = CountRequest {
        size: args.exactly,
        keep: if listed || args.proof.is_some() { KEEP } else { 0 },
        work: args.work.as_deref(),
        proof: args.proof.as_deref(),
    };
    let options =
        Options { threads: Some(args.threads.number()), notes: notes.clone(), ..Options::default() };
    Ok(count::count(board, &request, &options, deadline, &mut |event| display.show(event))?)
}
