//! Counts and lists all n-colourings of n^2.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_report::figure::letter;
use ndqueens_solver::colouring::cover::{self, Classes};
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{squares, superimposed, symmetry};
use ndqueens_system::cancel::StopReason;
use ndqueens_system::file;
use ndqueens_workflow::colour;
use ndqueens_workflow::colour::cover::{ColouringRequest, Covered};
use ndqueens_workflow::colour::few_colours::{self, ColourRequest, ColouringMethod};
use ndqueens_workflow::colour::question::ColouringQuestion;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Colours;
use crate::commands::{self, Exit};
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

/// All colourings.
#[derive(JsonSchema, Serialize)]
pub(super) struct All {
    board: String,
    symmetry: String,
    filter: bool,
    /// Number of solutions of n queens that are candidates for classes of any colouring: with the filter,
    /// those that meet both main diagonals.
    solutions: Option<u64>,
    /// Number of solutions of n queens that were listed.
    sets: u64,
    /// Number of listed solutions that meet both main diagonals.
    meeting: u64,
    /// Number of listed solutions that can be classes of a colouring with the symmetry; with the filter, of
    /// those that meet both main diagonals.
    with_symmetry: u64,
    /// Number of orbits of these classes under the symmetry.
    candidates: Option<u64>,
    nodes: u64,
    colourings: usize,
    up_to_symmetry: usize,
    with: BTreeMap<String, usize>,
    /// Number of full solutions of n^3 whose layers along the last axis are the classes of a colouring, in
    /// any order; null unless all colourings were visited.
    full_solutions: Option<usize>,
    classes: Option<Vec<Vec<Vec<Vec<u32>>>>>,
    parts: Option<usize>,
    parts_done: usize,
    seconds: f64,
    stop: Option<String>,
}

printed!(All: "colour", "colour join");

/// Returns the question that asks for all n-colourings of a board.
pub(super) fn question(
    board: &BoardName,
    symmetry: Option<Operator>,
    filter: bool,
) -> anyhow::Result<ColouringQuestion> {
    let Some(side) = few_colours::side(board).filter(|&side| side <= cover::MAX_SIDE) else {
        bail!(
            "all colourings are counted for n-colourings of queens on n^2 with n up to {}",
            cover::MAX_SIDE
        );
    };
    Ok(ColouringQuestion { side, operator: symmetry.unwrap_or(Operator::None), filter })
}

pub(super) fn run(
    args: &Colours,
    request: &ColourRequest<'_>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let question = question(request.board.name(), request.symmetry, request.filter)?;
    few_colours::ensure_as_many("a count of all colourings", question.side, args.colours)?;
    if !matches!(args.method, ColouringMethod::Auto | ColouringMethod::Cover) {
        bail!("--all and --count are for --method cover, the complete algorithm");
    }
    let (threads, deadline) = (request.threads, request.deadline);
    let request = ColouringRequest {
        question,
        first: false,
        threads,
        deadline,
        work: args.work.as_deref(),
        notes: out.notes(),
    };
    let covered = colour::cover::cover(&request, &mut |event| display.show(event))?;
    if covered.stop.is_some() && args.work.is_none() {
        commands::report_discarded(commands::WITH_WORK, display);
    }
    let seconds = begin.elapsed().as_secs_f64();
    report(&question, &covered, seconds, "", args.all, args.output.as_deref(), out)
}

/// Reports the result of the complete algorithm and the basis of a count. Lists the colourings if `list` is
/// set, and writes the first one to the output file, if there is one.
pub(super) fn report(
    question: &ColouringQuestion,
    covered: &Covered,
    seconds: f64,
    rests_on: &str,
    list: bool,
    output: Option<&Path>,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let &ColouringQuestion { side, operator, filter } = question;
    let Covered { counts, parts, done, nodes, found, stop } = covered;
    let census = symmetry::census(found);
    let whole = stop.is_none() && operator == Operator::None;
    let full = whole.then(|| found.iter().map(|classes| superimposed::stacks(classes).len()).sum());
    let mut details = describe_search(question, covered, seconds)?;
    details += rests_on;
    if list {
        for classes in found {
            details += &grid(classes);
            details.push('\n');
        }
    }
    let verdict = describe_count(side, &census, full, *stop)?;
    let mut kept = Ok(());
    if let (Some(path), Some(classes)) = (output, found.first()) {
        let colouring = colour::certify(classes, &format!("complete algorithm, symmetry {operator}"))?;
        kept = file::write(path, |file| write!(file, "{colouring}"));
    }
    let answer = All {
        board: format!("{side}^2"),
        symmetry: operator.to_string(),
        filter,
        solutions: parts.map(|_| if filter { counts.meeting } else { counts.all }),
        sets: counts.all,
        meeting: counts.meeting,
        with_symmetry: counts.in_candidates,
        candidates: parts.map(|_| counts.candidates),
        nodes: *nodes,
        colourings: census.colourings,
        up_to_symmetry: census.up_to_symmetry,
        with: census.with,
        full_solutions: full,
        classes: list.then(|| found.iter().map(squares).collect()),
        parts: *parts,
        parts_done: *done,
        seconds,
        stop: stop.map(|stop| stop.to_string()),
    };
    out.answer(&answer, &Answer { details, verdict })?;
    kept?;
    Ok(match (stop, found.is_empty()) {
        (Some(_), _) => Exit::Stopped,
        (None, true) => Exit::No,
        (None, false) => Exit::Yes,
    })
}

/// Describes the numbers of colourings; `full` is the number of full solutions whose layers are classes.
fn describe_count(
    side: usize,
    census: &symmetry::Census,
    full: Option<usize>,
    stop: Option<StopReason>,
) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "colourings               {}, up to colours", census.colourings)?;
    writeln!(text, "up to symmetry           {}", census.up_to_symmetry)?;
    for (operator, count) in &census.with {
        writeln!(text, "  with symmetry {operator:<9}{count}")?;
    }
    if let Some(full) = full {
        writeln!(text, "full solutions of {side}^3   {full}, by stacking the classes in every order")?;
    }
    if let Some(stop) = stop {
        writeln!(text, "stopped ({stop}) before every colouring was visited: there may be more")?;
    }
    Ok(text)
}

/// Describes the search: its question, the listed solutions, parts, nodes and time.
fn describe_search(
    question: &ColouringQuestion,
    covered: &Covered,
    seconds: f64,
) -> Result<String, std::fmt::Error> {
    let &ColouringQuestion { side, operator, .. } = question;
    let Covered { counts, parts, done, nodes, .. } = covered;
    let with = match operator {
        Operator::None => String::new(),
        operator => format!(" with the symmetry {operator}"),
    };
    let so_far = if parts.is_none() { " so far" } else { "" };
    let mut text = format!("{side}-colourings of {side}^2{with}\n");
    let sets = format!("sets of {}", counted(side, "queen"));
    writeln!(text, "{sets:<25}{}{so_far}", counts.all)?;
    writeln!(text, "  on both main diagonals {}{so_far}", counts.meeting)?;
    if operator != Operator::None {
        let name = format!("  with symmetry {operator}");
        let orbits = counted(counts.candidates, "orbit");
        writeln!(text, "{name:<25}{}, in {orbits}{so_far}", counts.in_candidates)?;
    }
    if let Some(parts) = parts {
        writeln!(text, "orbits as candidates     {}", counts.candidates)?;
        writeln!(text, "parts                    {done} of {parts} done")?;
    }
    writeln!(text, "nodes                    {nodes}")?;
    writeln!(text, "seconds                  {seconds:.1}")?;
    Ok(text)
}

/// Draws a square board with a letter for the class of each square.
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
