//! The command `ndq sudoku`.

mod args;
mod generate;
mod route;
mod summary;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, bail};
use ndqueens_notation::counted::counted;
use ndqueens_sudoku::conflict::conflict;
use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_sudoku::reader::{Conventions, read_with};
use ndqueens_sudoku::search::Budget;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_workflow::sudoku;

pub(crate) use self::args::Args;
use self::summary::{Summary, solve, summary};
use super::Exit;
use crate::interrupt;
use crate::output::{Output, log};

/// Number of puzzles solved before their answers are printed.
const CHUNK: usize = 4096;

pub(crate) fn run(args: &Args, quiet: bool, out: &mut Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let deadline = Deadline::since(begin, args.time_limit);
    let stop = || interrupt::is_requested() || deadline.is_over();
    if let Some(number) = args.generate {
        return generate::run(args, number, &stop, out);
    }
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let mut puzzles = puzzles(path, args.puzzle, args.conventions())?;
    for (_, puzzle) in &mut puzzles {
        puzzle.diagonals = args.diagonal;
    }
    // Reading may take long if the input is a pipe, so it does not count.
    let read = Instant::now();
    make_ready(args, &puzzles)?;
    let budget = Budget { nodes: args.node_limit.unwrap_or(u64::MAX), stop: &stop };
    let alone = puzzles.len() == 1;
    let mut ends = Vec::new();
    for chunk in puzzles.chunks(CHUNK) {
        let answers = sudoku::each(chunk, args.threads.number(), |&(number, ref puzzle)| {
            solve(args, number, puzzle, alone, budget)
        })?;
        for solved in answers {
            let solved = solved?;
            out.result(&solved, &solved.text)?;
            if let Some(path) = &args.output {
                let words = write_solution(path, &solved)?;
                if !quiet {
                    log(&words);
                }
            }
            ends.push((solved.answer, solved.exit));
        }
        if stop() {
            break;
        }
    }
    let seconds = read.elapsed().as_secs_f64();
    if !quiet {
        log(&summary(&ends, puzzles.len(), seconds));
    }
    let worst = |exit| ends.iter().any(|&(_, end)| end == exit);
    Ok(match () {
        () if worst(Exit::Stopped) || ends.len() < puzzles.len() => Exit::Stopped,
        () if worst(Exit::No) => Exit::No,
        () => Exit::Yes,
    })
}

/// Checks that the output files can be written, and writes the clues if they are requested.
fn make_ready(args: &Args, puzzles: &[(usize, Puzzle)]) -> anyhow::Result<()> {
    for path in [&args.clues, &args.output].into_iter().flatten() {
        if puzzles.len() > 1 {
            bail!(
                "{} puzzles are there, and a certificate holds one; --puzzle K takes one of them",
                puzzles.len()
            );
        }
        file::writable(path)?;
    }
    if let (Some(path), [(_, puzzle)]) = (&args.clues, puzzles) {
        if puzzle.contradiction().is_some() {
            bail!("line {}: {}", puzzle.line, conflict(puzzle, Budget::unlimited()));
        }
        let clues = sudoku::clues(puzzle)?;
        file::write(path, |file| write!(file, "{clues}"))?;
    }
    Ok(())
}

/// Reads the puzzles of a file with their numbers, or only the one with the number `wanted`.
fn puzzles(
    path: &Path,
    wanted: Option<u64>,
    conventions: Conventions,
) -> anyhow::Result<Vec<(usize, Puzzle)>> {
    let name =
        || if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let text = file::read(file::input(path, |_| file::LARGEST)?.path())?;
    let mut puzzles: Vec<(usize, Puzzle)> =
        (1..).zip(read_with(&text, conventions).with_context(name)?).collect();
    let Some(wanted) = wanted else { return Ok(puzzles) };
    let wanted = usize::try_from(wanted - 1).unwrap_or(usize::MAX);
    if wanted >= puzzles.len() {
        bail!("{} has {}", name(), counted(puzzles.len() as u64, "puzzle"));
    }
    Ok(vec![puzzles.swap_remove(wanted)])
}

/// Writes the solution of a puzzle if it is unique. Returns a message on what was written.
fn write_solution(path: &Path, solved: &Summary) -> anyhow::Result<String> {
    let path_name = path.display();
    Ok(match (solved.exit, solved.found.first()) {
        (Exit::Yes, Some(solution)) => {
            file::write(path, |file| write!(file, "{solution}"))?;
            format!("{path_name}: the solution")
        }
        (Exit::Stopped, _) => {
            format!(
                "{path_name}: nothing was written, because it is not known whether the puzzle has just one solution"
            )
        }
        (Exit::No, Some(_)) if solved.answer == "one solution" => {
            format!("{path_name}: nothing was written, because the file states another solution")
        }
        _ => format!("{path_name}: nothing was written, because the puzzle has {}", solved.answer),
    })
}
