//! `ndq count`

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ndqueens_crosscheck::count::{self, Count, CountError};
use ndqueens_crosscheck::definition::definition;
use ndqueens_crosscheck::graph::{Graph, TooManySquares};
use ndqueens_crosscheck::recursive;
use ndqueens_crosscheck::stop::Stop;
use ndqueens_lab::solve::Event;
use ndqueens_model::board::Board;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backend::Progress;
use serde::Serialize;

use super::Exit;
use crate::args::{self, Method};
use crate::interrupt;
use crate::output::{Output, log};
use crate::progress::Display;

/// How often the time is shown.
const EVERY: Duration = Duration::from_millis(200);

const BRON_KERBOSCH: &str = "Bron-Kerbosch with pivot, every maximum solution visited";
const RECURSION: &str = "plain recursion, every independent set built, none counted";

#[derive(Serialize)]
struct Counted {
    board: String,
    independence_number: Option<usize>,
    /// Plain recursion does not count.
    maximum_solutions: Option<u64>,
    fundamental_solutions: Option<u64>,
    method: &'static str,
    seconds: f64,
    second: Option<Second>,
}

/// What plain recursion says after Bron-Kerbosch; no number when it was stopped.
#[derive(Serialize)]
struct Second {
    independence_number: Option<usize>,
    method: &'static str,
    seconds: f64,
}

/// What is known when a count is stopped. Plain recursion keeps no incumbent.
#[derive(Serialize)]
struct Stopped {
    board: String,
    incumbent: Option<usize>,
    squares: Option<Vec<Vec<u32>>>,
    trivial_bound: u64,
    method: &'static str,
    seconds: f64,
}

pub(super) fn run(args: &args::Count, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let (display, shown) = (RefCell::new(display), Cell::new(begin));
    let over = || {
        if shown.get().elapsed() >= EVERY {
            shown.set(Instant::now());
            let progress = Progress { seconds: begin.elapsed().as_secs_f64(), ..Progress::default() };
            // Whether Ctrl-C was pressed is asked below, at every node.
            let _ = display.borrow_mut().show(&Event::Progress(progress));
        }
        interrupt::asked() || args.time_limit.is_some_and(|limit| begin.elapsed() >= limit)
    };
    let mut counted = Counted {
        board: args.board.to_string(),
        independence_number: None,
        maximum_solutions: None,
        fundamental_solutions: None,
        method: RECURSION,
        seconds: 0.0,
        second: None,
    };
    if args.method == Method::Recursive {
        let Second { independence_number, seconds, .. } = recursive(&args.board, &over)?;
        if independence_number.is_none() {
            return stopped(&args.board, None, RECURSION, seconds, out);
        }
        counted = Counted { independence_number, seconds, ..counted };
    } else {
        let Count { independence_number, maximum_sets, orbits } = match count::count(&args.board, &over) {
            Err(CountError::Stopped { incumbent }) => {
                let seconds = begin.elapsed().as_secs_f64();
                return stopped(&args.board, Some(incumbent), BRON_KERBOSCH, seconds, out);
            }
            count => count?,
        };
        counted.independence_number = Some(independence_number);
        counted.maximum_solutions = Some(maximum_sets);
        counted.fundamental_solutions = orbits;
        (counted.method, counted.seconds) = (BRON_KERBOSCH, begin.elapsed().as_secs_f64());
    }
    if args.method == Method::All {
        counted.second = Some(recursive(&args.board, &over)?);
    }
    out.result(&counted, &text(&counted)?)?;
    Ok(verdict(&counted))
}

fn recursive(board: &BoardName, over: Stop<'_>) -> Result<Second, TooManySquares> {
    let begin = Instant::now();
    let graph = Graph::new(&*definition(board))?;
    let independence_number = recursive::independence_number(&graph, over).ok();
    Ok(Second { independence_number, method: RECURSION, seconds: begin.elapsed().as_secs_f64() })
}

/// Two methods that both came to an end must agree.
fn verdict(counted: &Counted) -> Exit {
    let Some(second) = &counted.second else { return Exit::Yes };
    match (counted.independence_number, second.independence_number) {
        (_, None) => Exit::Stopped,
        (first, second) if first == second => Exit::Yes,
        _ => {
            log("error: the two methods disagree about the independence number; one of them is wrong");
            Exit::Failed
        }
    }
}

fn text(counted: &Counted) -> anyhow::Result<String> {
    let told = |number: Option<usize>| {
        number.map_or_else(|| "stopped before it was known".to_owned(), |n| n.to_string())
    };
    let mut text = format!(
        "board                  {}\nindependence number    {}\n",
        counted.board,
        told(counted.independence_number)
    );
    if let Some(solutions) = counted.maximum_solutions {
        let fundamental = counted.fundamental_solutions.map_or_else(
            || "not counted: the symmetry group is not known or too large to be listed".to_owned(),
            |orbits| format!("{orbits}, true orbits under the board's symmetry group"),
        );
        write!(text, "maximum solutions      {solutions}\nfundamental solutions  {fundamental}\n")?;
    }
    write!(
        text,
        "method                 {}\nseconds                {:.2}\n",
        counted.method, counted.seconds
    )?;
    if let Some(Second { independence_number, method, seconds }) = &counted.second {
        writeln!(text, "\nindependence number    {}", told(*independence_number))?;
        write!(text, "method                 {method}\nseconds                {seconds:.2}\n")?;
    }
    Ok(text)
}

fn stopped(
    board: &BoardName,
    squares: Option<Vec<Vec<u32>>>,
    method: &'static str,
    seconds: f64,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let trivial_bound = Board::new(board).trivial_bound();
    let incumbent = squares.as_ref().map(Vec::len);
    let found = incumbent.map_or_else(|| "no incumbent is kept".to_owned(), |n| format!("{n} queens found"));
    let text = format!(
        "the count of {board} was stopped before it was done: {found}, trivial bound {trivial_bound}"
    );
    let stopped = Stopped { board: board.to_string(), incumbent, squares, trivial_bound, method, seconds };
    out.result(&stopped, &text)?;
    Ok(Exit::Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_disagree_are_a_failure() {
        for (second, exit) in [(Some(4), Exit::Yes), (Some(5), Exit::Failed), (None, Exit::Stopped)] {
            let second = Some(Second { independence_number: second, method: RECURSION, seconds: 0.0 });
            let counted = Counted {
                board: "3^3".to_owned(),
                independence_number: Some(4),
                maximum_solutions: Some(16),
                fundamental_solutions: Some(1),
                method: BRON_KERBOSCH,
                seconds: 0.0,
                second,
            };
            assert_eq!(verdict(&counted), exit);
        }
    }
}
