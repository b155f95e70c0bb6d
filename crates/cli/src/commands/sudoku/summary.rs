//! Answers on Sudoku puzzles.

use std::ops::ControlFlow;
use std::time::Instant;

use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::counted::counted;
use ndqueens_report::diagram;
use ndqueens_sudoku::hint::{Hint, hint};
use ndqueens_sudoku::puzzle::{Clue, Puzzle};
use ndqueens_sudoku::search::{Budget, SearchEnd};
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::colour::polynomial::polynomial;
use ndqueens_workflow::run::Event;
use ndqueens_workflow::sudoku::{self, Method, PuzzleAnswer};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use super::route::{RouteSummary, route_of, route_text};
use crate::commands::Exit;
use crate::schema::printed;

/// Result for a puzzle.
#[derive(JsonSchema, Serialize)]
pub(super) struct Summary {
    /// Number of the puzzle in its file, counted from 1.
    puzzle: usize,
    /// Line of the file in which the puzzle begins.
    line: usize,
    order: usize,
    clues: usize,
    pub(super) answer: &'static str,
    /// Solutions as lines of cells: two of them if there are several.
    solutions: Vec<String>,
    /// Number of solutions if they are counted, or a lower bound on it if the count was stopped.
    count: Option<u64>,
    /// Number of ways to complete the clues, as a polynomial in the number k of symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    polynomial: Option<String>,
    /// Squares of the board, with numbers counted from 0, that rule out a solution; `minimal` is `true` if no
    /// part of them does.
    clash: Option<Vec<[usize; 3]>>,
    minimal: Option<bool>,
    /// The forced square; `reason` explains it.
    square: Option<[usize; 3]>,
    reason: Option<String>,
    /// Square of the solution whose cell has another number in the file; for a puzzle with several solutions,
    /// a square of the file that contradicts a clue.
    mismatch: Option<[usize; 3]>,
    /// The graphs between the puzzle and its solutions, with the method bron-kerbosch and one puzzle.
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<RouteSummary>,
    seconds: f64,
    #[serde(skip)]
    pub(super) text: String,
    #[serde(skip)]
    pub(super) exit: Exit,
    #[serde(skip)]
    pub(super) found: Vec<Certificate>,
}

printed!(Summary: "sudoku");

/// Solves, counts or gives a hint, as the flags request.
pub(super) fn solve(
    args: &Args,
    number: usize,
    puzzle: &Puzzle,
    alone: bool,
    budget: Budget<'_>,
) -> anyhow::Result<Summary> {
    let begin = Instant::now();
    let mut solved = Summary {
        puzzle: number,
        line: puzzle.line,
        order: puzzle.order,
        clues: puzzle.clues().count(),
        answer: "stopped",
        solutions: Vec::new(),
        count: None,
        polynomial: None,
        clash: None,
        minimal: None,
        square: None,
        reason: None,
        mismatch: None,
        route: None,
        seconds: 0.0,
        text: String::new(),
        exit: Exit::Stopped,
        found: Vec::new(),
    };
    let words = if args.count {
        count(args, puzzle, budget, &mut solved)?
    } else if args.polynomial {
        completions(args, puzzle, budget, &mut solved)?
    } else if args.hint {
        show_hint(args, puzzle, budget, &mut solved)?
    } else {
        let answer = sudoku::solve(puzzle, args.method, budget)?;
        let mut words = show(answer, &mut solved);
        if let Some(note) = compare(puzzle, &mut solved, budget)? {
            words = format!("{note}{words}");
        }
        words
    };
    if alone && !args.hint && args.method == Method::BronKerbosch {
        solved.route = route_of(puzzle, budget.stop)?;
    }
    solved.text = if alone { words } else { format!("puzzle {number}: {words}") };
    add_solutions(puzzle, alone, &mut solved);
    if let Some(route) = &solved.route {
        solved.text = format!("{}\n{}", solved.text.trim_end(), route_text(route));
    }
    solved.seconds = begin.elapsed().as_secs_f64();
    Ok(solved)
}

/// Adds the solutions that were found to the text and to the list of solutions.
fn add_solutions(puzzle: &Puzzle, alone: bool, solved: &mut Summary) {
    for solution in &solved.found {
        let cells: Vec<Option<u32>> = sudoku::cells(solution).collect();
        let line = Puzzle::format_line(&cells);
        solved.text.push('\n');
        if alone {
            let rows: Vec<Vec<Option<u32>>> = cells.chunks(puzzle.side()).map(<[_]>::to_vec).collect();
            solved.text += &format!("{}\n", diagram::numbers(puzzle.order, &rows));
        } else {
            solved.text += &line;
        }
        solved.solutions.push(line);
    }
}

fn show(answer: PuzzleAnswer, solved: &mut Summary) -> String {
    match answer {
        PuzzleAnswer::One(solution) => {
            (solved.answer, solved.exit) = ("one solution", Exit::Yes);
            solved.found = vec![solution];
            "one solution".to_owned()
        }
        PuzzleAnswer::Several(two) => {
            (solved.answer, solved.exit) = ("several solutions", Exit::No);
            solved.found = two.into();
            "several solutions, two of them:".to_owned()
        }
        PuzzleAnswer::None(clash) => {
            (solved.answer, solved.exit) = ("no solution", Exit::No);
            solved.clash = Some(clash.clues.iter().map(square).collect());
            solved.minimal = Some(clash.minimal);
            format!("no solution; {clash}")
        }
        PuzzleAnswer::Stopped(found) => {
            solved.found = found.into_iter().collect();
            let known = if solved.found.is_empty() { "no solution was found" } else { "this is one of them" };
            format!("stopped before it was known how many solutions there are; {known}")
        }
    }
}

/// Compares the numbers that the file states for the solution with the solutions of the puzzle.
fn compare(puzzle: &Puzzle, solved: &mut Summary, budget: Budget<'_>) -> anyhow::Result<Option<String>> {
    let n = puzzle.side();
    let stated = puzzle.expected.iter().enumerate().filter_map(|(cell, number)| Some((cell, (*number)?)));
    let square = |cell: usize, number: u32| Clue { row: cell / n, column: cell % n, number };
    match (solved.answer, &solved.found[..]) {
        ("one solution", [solution]) => {
            let numbers: Vec<Option<u32>> = sudoku::cells(solution).collect();
            let differs = stated.into_iter().find(|&(cell, number)| numbers[cell] != Some(number));
            let Some((cell, number)) = differs else { return Ok(None) };
            let found = square(cell, numbers[cell].unwrap_or_default());
            solved.mismatch = Some(self::square(&found));
            solved.exit = Exit::No;
            Ok(Some(format!(
                "the file states another solution: {}, where the solution has {}; ",
                square(cell, number),
                found.number + 1
            )))
        }
        ("several solutions", _) => {
            let mut both = puzzle.clone();
            for (cell, number) in stated {
                if both.cells[cell].is_some_and(|clue| clue != number) {
                    solved.mismatch = Some(self::square(&square(cell, number)));
                    return Ok(Some(format!("the file states {}, against a clue; ", square(cell, number))));
                }
                both.cells[cell] = Some(number);
            }
            if matches!(sudoku::solve(&both, Method::Search, budget)?, PuzzleAnswer::None(_)) {
                return Ok(Some("the file states another solution; ".to_owned()));
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

fn count(args: &Args, puzzle: &Puzzle, budget: Budget<'_>, solved: &mut Summary) -> anyhow::Result<String> {
    let (count, end) = sudoku::count(puzzle, args.method, budget)?;
    solved.count = Some(count);
    if count == 0 && puzzle.contradiction().is_some() {
        return Ok(show(sudoku::solve(puzzle, args.method, budget)?, solved));
    }
    if end != SearchEnd::Complete {
        return Ok(format!("at least {}; stopped before all were counted", counted(count, "solution")));
    }
    (solved.answer, solved.exit) = ("counted", if count == 0 { Exit::No } else { Exit::Yes });
    let method = match args.method {
        Method::Search => "exhaustive search",
        Method::BronKerbosch => "Bron-Kerbosch",
    };
    Ok(format!("{} [{method}]", counted(count, "solution")))
}

/// Computes the polynomial of the cells with the clues as given colours, and checks that its value is the
/// number of solutions.
fn completions(
    args: &Args,
    puzzle: &Puzzle,
    budget: Budget<'_>,
    solved: &mut Summary,
) -> anyhow::Result<String> {
    let board = Board::new(&sudoku::cell_board(puzzle));
    let given: Vec<Option<usize>> =
        puzzle.cells.iter().map(|cell| cell.map(|number| number as usize)).collect();
    let mut watch = |_: &Event| match (budget.stop)() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let (found, _) = polynomial(&board, &given, Deadline::after(None), &mut watch);
    let found = match found {
        Ok(found) => found,
        Err(fault) => return Ok(format!("the polynomial was not computed: {fault}")),
    };
    let value = found.value(puzzle.side() as u64);
    let (count, end) = sudoku::count(puzzle, args.method, budget)?;
    if end == SearchEnd::Complete && value != count.into() {
        anyhow::bail!(
            "the number of solutions is {value} by the polynomial and {count} by the search; one of them is wrong"
        );
    }
    let checked = if end == SearchEnd::Complete { "; as many by exhaustive search" } else { "" };
    let noun = if count == 1 { "solution" } else { "solutions" };
    let words = format!("P(k) = {found}\nP({}) = {value} {noun}{checked}", puzzle.side());
    solved.polynomial = Some(found.to_string());
    solved.count = u64::try_from(value).ok();
    (solved.answer, solved.exit) = ("counted", if solved.count == Some(0) { Exit::No } else { Exit::Yes });
    Ok(words)
}

fn show_hint(
    args: &Args,
    puzzle: &Puzzle,
    budget: Budget<'_>,
    solved: &mut Summary,
) -> anyhow::Result<String> {
    let answer = sudoku::solve(puzzle, args.method, budget)?;
    let (of_all, exit) = match answer {
        PuzzleAnswer::None(_) => return Ok(show(answer, solved)),
        PuzzleAnswer::One(_) if solved.clues == puzzle.cells.len() => {
            (solved.answer, solved.exit) = ("full grid", Exit::No);
            return Ok("the grid is full, and nothing is wrong with it".to_owned());
        }
        PuzzleAnswer::One(_) => ("", Exit::Yes),
        PuzzleAnswer::Several(_) => ("several solutions, and in all of them ", Exit::Yes),
        PuzzleAnswer::Stopped(_) => {
            ("stopped before it was known how many solutions there are; in all there are ", Exit::Stopped)
        }
    };
    let Some(Hint { clue, reason }) = hint(puzzle, budget) else {
        if exit != Exit::Stopped {
            (solved.answer, solved.exit) = ("no forced number", Exit::No);
        }
        return Ok(format!("{of_all}no number is known to be forced"));
    };
    (solved.answer, solved.exit) = ("forced number", exit);
    solved.square = Some(square(&clue));
    solved.reason = Some(reason.to_string());
    Ok(format!("{of_all}{clue}: {reason}"))
}

fn square(clue: &Clue) -> [usize; 3] {
    [clue.row, clue.column, clue.number as usize]
}

/// Answers, each with its name in the final summary.
const SUMMED: [(&str, &str); 8] = [
    ("one solution", "with one solution"),
    ("several solutions", "with several"),
    ("no solution", "with none"),
    ("counted", "counted"),
    ("forced number", "with a forced number"),
    ("no forced number", "without"),
    ("full grid", "full"),
    ("stopped", "stopped"),
];

pub(super) fn summary(ends: &[(&'static str, Exit)], puzzles: usize, seconds: f64) -> String {
    let many = |answer| ends.iter().filter(|(end, _)| *end == answer).count();
    let of_answers = SUMMED.iter().map(|&(answer, words)| (many(answer), words));
    let parts = of_answers.chain([(puzzles - ends.len(), "not looked at")]).filter(|&(many, _)| many > 0);
    let parts: Vec<String> = parts.map(|(many, words)| format!("{many} {words}")).collect();
    let rate = ends.len() as f64 / seconds.max(1e-6);
    format!("{}: {}; {seconds:.3} s, {rate:.0} a second", counted(puzzles as u64, "puzzle"), parts.join(", "))
}
