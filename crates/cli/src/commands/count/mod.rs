//! `ndq count`

mod answer;
mod listed;
mod reference;
mod report;
mod stacks;
mod stopped;

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args as Group, ValueEnum};
use ndqueens_control::Deadline;
use ndqueens_files as files;
use ndqueens_lab::run::Event;
use ndqueens_lab::workflow::count::{self, CountRequest, Counted, Stopped};
use ndqueens_model::board::Board;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::{Options, Progress};

use self::answer::{FAST, LARGE_GROUP, Summary, UNKNOWN_GROUP, fast_answer, verdict};
use self::listed::{KEEP, List, describe};
use self::reference::Unfinished;
use self::report::{reason, text};
use self::stopped::tell_stopped;
use super::Exit;
use crate::args::groups::Threads;
use crate::args::values::{board, queens, seconds};
use crate::interrupt;
use crate::output::Output;
use crate::progress::Display;

const EXAMPLES: &str = "\
Try:  ndq count 6^3                               maximum solutions, all and up to symmetry
      ndq count 4^3 --method all                  the same three times, by methods that share nothing
      ndq count 5^3 --solutions 5.txt             one solution of each orbit, for ndq check
      ndq count 6^3 --density 6.csv               how many solutions occupy each square
      ndq count 9^3 --threads 2 --work 9          in parts that are stored: the same command resumes";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The board, such as 4^3 or 8^2.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// How they are counted; the methods share nothing but the definition of the board.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Method,
    /// Count the non-attacking sets of so many queens instead of the maximum solutions.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) size: Option<u64>,
    /// Write the solutions to this file; ndq check reads it.
    #[arg(long, value_name = "FILE")]
    pub(crate) solutions: Option<PathBuf>,
    /// Which solutions the file lists.
    #[arg(long, value_enum, default_value_t, requires = "solutions")]
    pub(crate) list: List,
    /// Write to this CSV file how many solutions occupy each square; ndq draw draws it.
    #[arg(long, value_name = "FILE")]
    pub(crate) density: Option<PathBuf>,
    /// Find the completion threshold: the largest t such that every non-attacking set of at most t queens is part of a maximum solution.
    #[arg(long, conflicts_with = "size")]
    pub(crate) threshold: bool,
    /// Keep finished parts and settled boxes in this folder, and take them from it.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Wall-clock limit in seconds, for all methods together.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
}

/// How solutions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// The exact engine, which meets every solution up to symmetry; on 11^3 and 13^3, when only numbers are asked for, every
    /// stack of full layers.
    #[default]
    Fast,
    /// Bron-Kerbosch, which visits every maximum solution.
    Bk,
    /// Plain recursion, which finds the independence number only.
    Recursive,
    /// All of them, one after the other; their numbers must agree.
    All,
}

/// How often the time is shown.
const EVERY: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let fast = matches!(args.method, Method::Fast | Method::All);
    refuse_flags(args, fast)?;
    let begin = Instant::now();
    let deadline = Deadline::since(begin, args.time_limit);
    let board = Board::new(&args.board);
    let mut told = Summary {
        board: args.board.to_string(),
        size: args.size,
        no_orbits: None,
        group_order: board.symmetry_order(),
        stabilisers: None,
        forbidden_squares: None,
        completion_threshold: None,
        taken_parts: None,
        methods: Vec::new(),
    };
    if stacks::answers(args) {
        return stacks::run(args, &board, told, deadline, display, out);
    }
    let counted = match fast.then(|| by_engine(args, &board, deadline, display)).transpose()? {
        Some(Err(stopped)) => return tell_stopped(FAST, &board, &stopped, None, begin, out),
        Some(Ok(counted)) => Some(counted),
        None => None,
    };
    let (display, shown) = (RefCell::new(display), Cell::new(begin));
    let over = || {
        if shown.get().elapsed() >= EVERY {
            shown.set(Instant::now());
            let progress = Progress { seconds: begin.elapsed().as_secs_f64(), ..Progress::default() };
            // Whether Ctrl-C was pressed is asked below, at every node.
            let _ = display.borrow_mut().show(&Event::Progress(progress));
        }
        interrupt::asked() || deadline.is_over()
    };
    let group_is_listed = counted.as_ref().is_none_or(|counted| counted.order.is_some());
    if !board.symmetry_is_whole() {
        told.no_orbits = Some(UNKNOWN_GROUP);
    } else if !group_is_listed {
        told.no_orbits = Some(LARGE_GROUP);
    }
    // What was counted is told even if it cannot be kept.
    let mut kept = Ok(());
    if let Some(counted) = &counted {
        told.taken_parts = Some(counted.taken).filter(|&taken| taken > 0);
        told.methods.push(fast_answer(counted, begin.elapsed().as_secs_f64()));
        kept = describe(args, &board, counted, &mut told, &over);
    }
    let all = args.method == Method::All;
    let mut references = Vec::new();
    if all || args.method == Method::Bk {
        references.push(reference::by_bron_kerbosch(&args.board, &over)?);
    }
    if all || args.method == Method::Recursive {
        references.push(reference::by_recursion(&args.board, &over)?);
    }
    for counted in references {
        match counted {
            Ok(answer) => told.methods.push(answer),
            Err(Unfinished { answer, .. }) if all => told.methods.push(answer),
            Err(Unfinished { answer, incumbent }) => {
                let size = incumbent.as_ref().map(|squares| squares.len() as u64);
                let stopped = Stopped { reason: reason(), size, met: 0, parts: None };
                return tell_stopped(answer.method, &board, &stopped, incumbent, begin, out);
            }
        }
    }
    out.result(&told, &text(&told)?)?;
    kept.map(|()| verdict(&told))
}

fn by_engine(
    args: &Args,
    board: &Board,
    deadline: Deadline,
    display: &mut Display,
) -> anyhow::Result<Result<Counted, Stopped>> {
    if let (Some(solutions), Some(density)) = (&args.solutions, &args.density)
        && files::are_one(solutions, density)
    {
        bail!("--solutions and --density name the same file, {}; they need two", density.display());
    }
    [&args.solutions, &args.density].into_iter().flatten().try_for_each(|path| files::writable(path))?;
    let listed = args.solutions.is_some() || args.threshold;
    let request =
        CountRequest { size: args.size, keep: if listed { KEEP } else { 0 }, work: args.work.as_deref() };
    let options = Options { threads: Some(args.threads.number()), ..Options::default() };
    Ok(count::count(board, &request, &options, deadline, &mut |event| display.show(event))?)
}

/// The reference algorithms count maximum solutions, and no more.
fn refuse_flags(args: &Args, fast: bool) -> anyhow::Result<()> {
    let only_fast = [
        (args.size.is_some(), "--size"),
        (args.density.is_some(), "--density"),
        (args.solutions.is_some(), "--solutions"),
        (args.threshold, "--threshold"),
        (args.work.is_some(), "--work"),
        (args.threads.threads.is_some(), "--threads"),
    ];
    if let Some((_, flag)) = only_fast.iter().find(|(given, _)| *given && !fast) {
        let methods = if *flag == "--size" { "the method fast" } else { "the method fast, or with all" };
        bail!("{flag} goes with {methods}");
    }
    if args.size.is_some() && args.method == Method::All {
        bail!("--method all is about maximum solutions, and --size asks for others; leave one of them away");
    }
    Ok(())
}
