//! `ndq count`

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args as Group, ValueEnum};
use ndqueens_crosscheck::count::{self as bron_kerbosch, CountError};
use ndqueens_crosscheck::definition::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive;
use ndqueens_crosscheck::stop::Stop;
use ndqueens_files::{self as files, FileError};
use ndqueens_lab::run::Event;
use ndqueens_lab::workflow::count::{self, Counted, Request, Stopped, Threshold};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::solutions::{Listed, line};
use ndqueens_model::name::BoardName;
use ndqueens_report::figure::COLUMNS;
use ndqueens_solver::backend::{Options, Progress, StopReason};
use ndqueens_solver::deadline::Deadline;
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::{Value, json};

use super::Exit;
use crate::args::groups::Threads;
use crate::args::values::{board, queens, seconds};
use crate::interrupt;
use crate::output::{Output, counted, log};
use crate::progress::Display;

const EXAMPLES: &str = "\
Try:  ndq count 6^3                               maximum solutions, fundamental ones among them
      ndq count 4^3 --method all                  the same three times, by methods that share nothing
      ndq count 5^3 --solutions 5.txt             one solution of each orbit, for ndq check
      ndq count 6^3 --density 6.csv               how many solutions occupy each square
      ndq count 9^3 --threads 2 --work 9          in parts that are kept: go on later by the same command";

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
    #[arg(long)]
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

/// Which solutions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum List {
    /// One of each orbit under the board's symmetry group.
    #[default]
    Fundamental,
    /// Every one.
    All,
}

/// How solutions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// The exact engine, which meets every solution up to symmetry.
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

/// The most orbits of solutions that are kept in memory.
const KEEP: usize = 4_000_000;

const FAST: &str = "exact engine: every solution met up to symmetry, shares added up exactly";
const BRON_KERBOSCH: &str = "Bron-Kerbosch with pivot, every maximum solution visited";
/// Why fundamental solutions are not counted.
const UNKNOWN_GROUP: &str =
    "the symmetry group is not known, as of graphs and of drawings in seven dimensions or more";
const LARGE_GROUP: &str = "the symmetry group is too large to be listed";
const RECURSION: &str = "plain recursion, every independent set built, none counted";

/// What one method says.
#[derive(Debug, Clone, Serialize, PartialEq)]
struct Answer {
    method: &'static str,
    /// Nothing when the size of the solutions was given.
    independence_number: Option<u64>,
    /// Numbers beyond 64 bits are strings. Plain recursion does not count.
    solutions: Option<Value>,
    fundamental_solutions: Option<Value>,
    /// Whether the method came to its end.
    finished: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct Told {
    board: String,
    size: Option<u64>,
    /// Why fundamental solutions are not counted.
    no_orbits: Option<&'static str>,
    /// For the sizes of stabilisers in the symmetry group, how many fundamental solutions have one of that size.
    stabilisers: Option<Vec<(u64, Value)>>,
    /// Squares that no solution occupies.
    forbidden_squares: Option<usize>,
    completion_threshold: Option<ToldThreshold>,
    methods: Vec<Answer>,
}

#[derive(Serialize)]
struct ToldThreshold {
    /// Nothing when the search for it was stopped.
    value: Option<usize>,
    /// Every non-attacking set of so many queens lies in a maximum solution.
    at_least: usize,
    /// The least non-attacking set that no maximum solution contains; none when every one is contained in one,
    /// or the search was stopped.
    witness: Option<Vec<Vec<u32>>>,
}

/// What is known when a count is stopped.
#[derive(Serialize)]
struct ToldStopped {
    board: String,
    method: &'static str,
    /// The size of the solutions, or the largest that was found.
    incumbent: Option<u64>,
    /// The largest set that Bron-Kerbosch found.
    squares: Option<Vec<Vec<u32>>>,
    trivial_bound: u64,
    /// Solutions met in the parts that are finished.
    met: Option<u64>,
    finished_parts: Option<usize>,
    parts: Option<usize>,
    stop: String,
    seconds: f64,
}

pub(super) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let fast = matches!(args.method, Method::Fast | Method::All);
    refuse_flags(args, fast)?;
    let begin = Instant::now();
    let deadline = Deadline::since(begin, args.time_limit);
    let board = Board::new(&args.board);
    let mut told = Told {
        board: args.board.to_string(),
        size: args.size,
        no_orbits: None,
        stabilisers: None,
        forbidden_squares: None,
        completion_threshold: None,
        methods: Vec::new(),
    };
    let counted = if fast {
        if let (Some(solutions), Some(density)) = (&args.solutions, &args.density)
            && files::are_one(solutions, density)
        {
            bail!("--solutions and --density name the same file, {}; they need two", density.display());
        }
        [&args.solutions, &args.density].into_iter().flatten().try_for_each(|path| files::writable(path))?;
        let listed = args.solutions.is_some() || args.threshold;
        let request =
            Request { size: args.size, keep: if listed { KEEP } else { 0 }, work: args.work.as_deref() };
        let options = Options { threads: Some(args.threads.threads), ..Options::default() };
        match count::count(&board, &request, &options, deadline, &mut |event| display.show(event))? {
            Ok(counted) => Some(counted),
            Err(stopped) => return tell_stopped(&board, &stopped, begin, out),
        }
    } else {
        None
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
    let group_is_listed = match &counted {
        Some(counted) => counted.order.is_some(),
        None => true,
    };
    if !board.symmetry_is_whole() {
        told.no_orbits = Some(UNKNOWN_GROUP);
    } else if !group_is_listed {
        told.no_orbits = Some(LARGE_GROUP);
    }
    if let Some(counted) = &counted {
        told.methods.push(fast_answer(counted, begin.elapsed().as_secs_f64()));
        describe(args, &board, counted, &mut told, &over)?;
    }
    if matches!(args.method, Method::Bk | Method::All) {
        let begin = Instant::now();
        match bron_kerbosch::count(&args.board, &over) {
            Ok(count) => told.methods.push(Answer {
                method: BRON_KERBOSCH,
                independence_number: Some(count.independence_number as u64),
                solutions: Some(json!(count.maximum_sets)),
                fundamental_solutions: count.orbits.map(|orbits| json!(orbits)),
                finished: true,
                seconds: begin.elapsed().as_secs_f64(),
            }),
            Err(CountError::Stopped { incumbent }) if args.method == Method::Bk => {
                let size = Some(incumbent.len() as u64);
                let stopped = Stopped { reason: reason(), size, met: 0, parts: None };
                return tell_stopped_of(BRON_KERBOSCH, &board, &stopped, Some(incumbent), begin, out);
            }
            Err(CountError::Stopped { .. }) => told.methods.push(Answer::unfinished(BRON_KERBOSCH, begin)),
            Err(fault) => return Err(fault.into()),
        }
    }
    if matches!(args.method, Method::Recursive | Method::All) {
        let begin = Instant::now();
        let graph = Graph::new(&*definition(&args.board))?;
        match recursive::independence_number(&graph, &over) {
            Ok(number) => told.methods.push(Answer {
                independence_number: Some(number as u64),
                finished: true,
                ..Answer::unfinished(RECURSION, begin)
            }),
            Err(_) if args.method == Method::Recursive => {
                let stopped = Stopped { reason: reason(), size: None, met: 0, parts: None };
                return tell_stopped_of(RECURSION, &board, &stopped, None, begin, out);
            }
            Err(_) => told.methods.push(Answer::unfinished(RECURSION, begin)),
        }
    }
    out.result(&told, &text(&told)?)?;
    Ok(verdict(&told))
}

/// Why the reference algorithms stop.
fn reason() -> StopReason {
    if interrupt::asked() { StopReason::Interrupted } else { StopReason::TimeLimit }
}

/// The reference algorithms count maximum solutions, and no more.
fn refuse_flags(args: &Args, fast: bool) -> anyhow::Result<()> {
    let only_fast = [
        (args.size.is_some(), "--size"),
        (args.density.is_some(), "--density"),
        (args.solutions.is_some(), "--solutions"),
        (args.threshold, "--threshold"),
        (args.work.is_some(), "--work"),
        (args.threads.threads > 1, "--threads"),
    ];
    if let Some((_, flag)) = only_fast.iter().find(|(given, _)| *given && !fast) {
        bail!("{flag} goes with the method fast, or with all");
    }
    if args.size.is_some() && (args.method == Method::All || args.threshold) {
        let other = if args.threshold { "--threshold" } else { "--method all" };
        bail!("{other} is about maximum solutions, and --size asks for others; leave one of them away");
    }
    Ok(())
}

impl Answer {
    fn unfinished(method: &'static str, begin: Instant) -> Self {
        Self {
            method,
            independence_number: None,
            solutions: None,
            fundamental_solutions: None,
            finished: false,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }
}

fn fast_answer(counted: &Counted, seconds: f64) -> Answer {
    Answer {
        method: FAST,
        independence_number: counted.maximum.then_some(counted.size),
        solutions: Some(number(&counted.solutions())),
        fundamental_solutions: counted.fundamental().as_ref().map(number),
        finished: true,
        seconds,
    }
}

/// Numbers beyond 64 bits would not survive most readers of JSON.
fn number(number: &BigUint) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

/// What the exact engine's tally says beyond the number, and the files that were asked for.
fn describe(
    args: &Args,
    board: &Board,
    counted: &Counted,
    told: &mut Told,
    over: Stop<'_>,
) -> anyhow::Result<()> {
    let stabilisers = counted.stabilisers();
    told.stabilisers =
        stabilisers.map(|sizes| sizes.iter().map(|(size, orbits)| (*size, number(orbits))).collect());
    let density = counted.density(board);
    told.forbidden_squares = Some(density.iter().filter(|&on| *on == BigUint::ZERO).count());
    if let Some(path) = &args.density {
        write_density(path, board, counted, &density)?;
    }
    if counted.tally.more && (args.solutions.is_some() || args.threshold) {
        bail!("there are more than {KEEP} fundamental solutions, too many to be listed");
    }
    if let Some(path) = &args.solutions {
        let listed = match args.list {
            List::Fundamental if counted.order.is_none() => {
                bail!(
                    "{}: {}, so that there are no fundamental solutions; --list all lists every solution",
                    board.name(),
                    told.no_orbits.unwrap_or(LARGE_GROUP)
                )
            }
            List::Fundamental => Listed::Fundamental,
            List::All => Listed::All,
        };
        let solutions = count::solutions(board, counted, listed)?;
        files::write(path, |out| solutions.write(out))?;
    }
    if args.threshold {
        let Threshold { at_least, finished, witness } = count::threshold(board, counted, over)?;
        let value = finished.then_some(at_least);
        told.completion_threshold = Some(ToldThreshold { value, at_least, witness });
    }
    Ok(())
}

fn write_density(
    path: &Path,
    board: &Board,
    counted: &Counted,
    density: &[BigUint],
) -> Result<(), FileError> {
    let all = counted.solutions();
    files::write(path, |out| {
        let name = board.name().to_string().replace('"', "\"\"");
        writeln!(out, "{}", COLUMNS.join(","))?;
        for square in board.squares() {
            let on = &density[square as usize];
            let share = if all == BigUint::ZERO { 0.0 } else { ratio(on, &all) };
            writeln!(out, "\"{}\",{on},{share:.6},\"{name}\"", board.label(square))?;
        }
        Ok(())
    })
}

/// A quotient, to about 15 digits.
fn ratio(part: &BigUint, whole: &BigUint) -> f64 {
    let scaled: BigUint = part * 1_000_000_000_000_000u64 / whole;
    u64::try_from(scaled).map_or(f64::NAN, |scaled| scaled as f64 / 1e15)
}

/// Methods that came to an end must agree.
fn verdict(told: &Told) -> Exit {
    let methods = &told.methods;
    let agree = |get: &dyn Fn(&Answer) -> Option<Value>| {
        let mut known = methods.iter().filter_map(get);
        known.next().is_none_or(|first| known.all(|other| other == first))
    };
    let number = |answer: &Answer| answer.independence_number.map(|number| json!(number));
    let same = agree(&number)
        && agree(&|answer| answer.solutions.clone())
        && agree(&|answer| answer.fundamental_solutions.clone());
    if !same {
        log("error: the methods disagree; one of them is wrong");
        return Exit::Failed;
    }
    let finished = methods.iter().all(|answer| answer.finished)
        && told.completion_threshold.as_ref().is_none_or(|threshold| threshold.value.is_some());
    if finished { Exit::Yes } else { Exit::Stopped }
}

fn text(told: &Told) -> anyhow::Result<String> {
    let mut text = format!("board                  {}\n", told.board);
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (place, answer) in told.methods.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        if !answer.finished {
            text += "stopped before its end\n";
        }
        if let Some(number) = answer.independence_number {
            writeln!(text, "independence number    {number}")?;
        }
        if let Some(solutions) = &answer.solutions {
            let of = told
                .size
                .map_or_else(|| "maximum solutions  ".to_owned(), |size| format!("solutions of {size:<6}"));
            let fundamental = answer.fundamental_solutions.as_ref().map_or_else(
                || format!("not counted: {}", told.no_orbits.unwrap_or(LARGE_GROUP)),
                |orbits| format!("{}, true orbits under the board's symmetry group", plain(orbits)),
            );
            write!(text, "{of}    {}\nfundamental solutions  {fundamental}\n", plain(solutions))?;
        }
        if place == 0 {
            for (size, orbits) in told.stabilisers.iter().flatten().filter(|(size, _)| *size > 1) {
                writeln!(text, "  with {size} symmetries    {}", plain(orbits))?;
            }
            if let Some(forbidden) = told.forbidden_squares.filter(|&forbidden| forbidden > 0) {
                writeln!(text, "squares in none        {forbidden}")?;
            }
            if let Some(ToldThreshold { value, at_least, witness }) = &told.completion_threshold {
                let (at_least, why) = match (value, witness) {
                    (None, _) => (
                        format!("{at_least} or more"),
                        format!("stopped ({}) before more was known", reason()),
                    ),
                    (_, None) => (
                        at_least.to_string(),
                        "every non-attacking set lies in a maximum solution".to_owned(),
                    ),
                    (_, Some(set)) => {
                        (at_least.to_string(), format!("no maximum solution contains {}", line(set)))
                    }
                };
                writeln!(text, "completion threshold   {at_least}; {why}")?;
            }
        }
        write!(
            text,
            "method                 {}\nseconds                {:.2}\n",
            answer.method, answer.seconds
        )?;
    }
    Ok(text)
}

fn tell_stopped(board: &Board, stopped: &Stopped, begin: Instant, out: &mut Output) -> anyhow::Result<Exit> {
    tell_stopped_of(FAST, board, stopped, None, begin, out)
}

fn tell_stopped_of(
    method: &'static str,
    board: &Board,
    stopped: &Stopped,
    squares: Option<Vec<Vec<u32>>>,
    begin: Instant,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let Stopped { reason, size, met, parts } = stopped;
    let trivial_bound = board.trivial_bound();
    let found =
        size.map_or_else(|| "no incumbent is kept".to_owned(), |n| format!("{} found", board.pieces(n)));
    let mut text = format!(
        "the count of {} was stopped ({reason}) before it was done: {found}, trivial bound {trivial_bound}",
        board.name()
    );
    if let Some((there, parts)) = parts {
        let of_parts = counted(*parts as u64, "part");
        write!(text, "; {there} of {of_parts} finished, {} met in them", counted(*met, "solution"))?;
    }
    let told = ToldStopped {
        board: board.name().to_string(),
        method,
        incumbent: *size,
        squares,
        trivial_bound,
        met: parts.map(|_| *met),
        finished_parts: parts.map(|(there, _)| there),
        parts: parts.map(|(_, parts)| parts),
        stop: reason.to_string(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    out.result(&told, &text)?;
    Ok(Exit::Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_64_bits_are_told_exactly() {
        let large = BigUint::from(u64::MAX) * 48u32;
        assert_eq!(number(&BigUint::from(u64::MAX)), json!(u64::MAX));
        assert_eq!(number(&large), json!("885443715538058477520"));
        let answer = Answer { solutions: Some(number(&large)), ..Answer::unfinished(FAST, Instant::now()) };
        let told = Told {
            board: "8^2".to_owned(),
            size: Some(8),
            no_orbits: None,
            stabilisers: None,
            forbidden_squares: None,
            completion_threshold: None,
            methods: vec![answer],
        };
        assert!(text(&told).expect("a text").contains(" 885443715538058477520\n"));
    }

    #[test]
    fn methods_that_disagree_are_a_failure() {
        let told = |methods| Told {
            board: "4^2".to_owned(),
            size: None,
            no_orbits: None,
            stabilisers: None,
            forbidden_squares: None,
            completion_threshold: None,
            methods,
        };
        let answer = |number: Option<u64>, solutions: Option<u64>| Answer {
            independence_number: number,
            solutions: solutions.map(|solutions| json!(solutions)),
            finished: number.is_some(),
            ..Answer::unfinished(RECURSION, Instant::now())
        };
        for (second, exit) in [
            ((Some(4), Some(16)), Exit::Yes),
            ((Some(4), None), Exit::Yes),
            ((Some(5), None), Exit::Failed),
            ((Some(4), Some(17)), Exit::Failed),
            ((None, None), Exit::Stopped),
        ] {
            let methods = vec![answer(Some(4), Some(16)), answer(second.0, second.1)];
            assert_eq!(verdict(&told(methods)), exit);
        }
    }
}
