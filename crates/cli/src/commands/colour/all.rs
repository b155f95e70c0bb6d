//! All n-colourings of n^2.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::bail;
use ndqueens_files as files;
use ndqueens_lab::workflow::colour::{self, ColouringRequest, Covered, Listed};
use ndqueens_lab::workflow::few_colours::{self, Asked};
use ndqueens_report::figure::letter;
use ndqueens_solver::colouring::cover::{self, Classes};
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{squares, superimposed, symmetry};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::{Args, Method};
use crate::commands::{self, Exit};
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

/// All colourings.
#[derive(JsonSchema, Serialize)]
struct All {
    board: String,
    symmetry: String,
    filter: bool,
    solutions: Option<u64>,
    candidates: Option<usize>,
    nodes: u64,
    colourings: usize,
    up_to_symmetry: usize,
    with: std::collections::BTreeMap<String, usize>,
    /// Full solutions of n^3 whose layers along the last axis are the classes of one of them, every order counted; known when
    /// all colourings were visited.
    full_solutions: Option<usize>,
    classes: Option<Vec<Vec<Vec<Vec<u32>>>>>,
    parts: Option<usize>,
    seconds: f64,
    stop: Option<String>,
}

printed!(All: "colour");

pub(super) fn run(
    args: &Args,
    asked: &Asked<'_>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let Asked { board, symmetry, .. } = *asked;
    let Some(side) = few_colours::side(board.name()).filter(|&side| side <= cover::LONGEST) else {
        bail!("--all and --count are for n-colourings of queens on n^2 with n up to {}", cover::LONGEST);
    };
    few_colours::ensure_as_many("a count of all colourings", side, args.colours)?;
    if !matches!(args.method, Method::Auto | Method::Cover) {
        bail!("--all and --count are for --method cover, the complete algorithm");
    }
    let operator = symmetry.unwrap_or(Operator::None);
    let request = ColouringRequest {
        side,
        operator,
        filter: asked.filter,
        first: false,
        threads: asked.threads,
        deadline: asked.deadline,
        work: args.work.as_deref(),
    };
    let Covered { listed, tally, found, stop } = colour::cover(&request, &mut |event| display.show(event))?;
    let census = symmetry::census(&found);
    let whole = stop.is_none() && operator == Operator::None;
    let full = whole.then(|| found.iter().map(|classes| superimposed::stacks(classes).len()).sum());
    let mut details = format!(
        "{}-colourings of {}{}\n",
        side,
        board.name(),
        match operator {
            Operator::None => String::new(),
            operator => format!(" with the symmetry {operator}"),
        }
    );
    if let Some(Listed { solutions, candidates, .. }) = listed {
        let which = if args.no_filter { "" } else { " that meet both main diagonals" };
        writeln!(
            details,
            "solutions of {side} queens  {solutions}{which}\norbits as candidates    {candidates}"
        )?;
    }
    writeln!(details, "nodes                    {}", tally.nodes)?;
    let mut text = String::new();
    writeln!(text, "colourings               {}, up to colours", census.colourings)?;
    writeln!(text, "up to symmetry           {}", census.up_to_symmetry)?;
    for (operator, count) in &census.with {
        writeln!(text, "  with symmetry {operator:<9}{count}")?;
    }
    if let Some(full) = full {
        writeln!(text, "full solutions of {side}^3   {full}, by stacking the classes in every order")?;
    }
    if args.all {
        for classes in &found {
            details += &grid(classes);
            details.push('\n');
        }
    }
    if let Some(stop) = stop {
        writeln!(text, "stopped ({stop}) before every colouring was visited: there may be more")?;
    }
    let mut kept = Ok(());
    if let (Some(path), Some(classes)) = (&args.output, found.first()) {
        let colouring = colour::certified(classes, &format!("complete algorithm, symmetry {operator}"))?;
        kept = files::write(path, |file| write!(file, "{colouring}"));
    }
    let answer = All {
        board: board.name().to_string(),
        symmetry: operator.to_string(),
        filter: !args.no_filter,
        solutions: listed.map(|listed| listed.solutions),
        candidates: listed.map(|listed| listed.candidates),
        nodes: tally.nodes,
        colourings: census.colourings,
        up_to_symmetry: census.up_to_symmetry,
        with: census.with,
        full_solutions: full,
        classes: args.all.then(|| found.iter().map(squares).collect()),
        parts: listed.map(|listed| listed.parts),
        seconds: begin.elapsed().as_secs_f64(),
        stop: stop.map(|stop| stop.to_string()),
    };
    writeln!(details, "{:.1} s", answer.seconds)?;
    if stop.is_some() && args.work.is_none() {
        commands::discarded(commands::WITH_WORK, display);
    }
    out.answer(&answer, &Answer { details, verdict: text })?;
    kept?;
    Ok(match (stop, found.is_empty()) {
        (Some(_), _) => Exit::Stopped,
        (None, true) => Exit::No,
        (None, false) => Exit::Yes,
    })
}

/// A square board, a letter for the class of each square.
fn grid(classes: &Classes) -> String {
    let n = classes.len();
    let mut class = vec![vec!['?'; n]; n];
    for (k, members) in classes.iter().enumerate() {
        members
            .iter()
            .enumerate()
            .for_each(|(row, &column)| class[row][column as usize] = letter(k).unwrap_or('?'));
    }
    class.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}
