//! Counts solutions by their symmetry.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::bail;
use ndqueens_model::board::Board;
use ndqueens_notation::counted;
use ndqueens_report::sheet::align_columns;
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::local_search::Subgroup;
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::count::symmetric::{MOST_KEPT, SymmetryClass, by_symmetry, count_symmetric};
use ndqueens_workflow::count::{self, CountRequest};
use ndqueens_workflow::run::Interruptible;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use super::stopped::report_stopped;
use crate::commands::Exit;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

/// Solutions that are invariant under a group.
#[derive(JsonSchema, Serialize)]
struct KeptCount {
    board: String,
    /// Number of squares of a solution.
    size: u64,
    /// Generators of the group, as signed permutations of the axes.
    symmetry: String,
    /// Number of solutions that are invariant under the group.
    solutions: u64,
    method: String,
    seconds: f64,
}

printed!(KeptCount: "count");

/// All solutions by their symmetry.
#[derive(JsonSchema, Serialize)]
struct CountBySymmetry {
    board: String,
    /// Number of squares of a solution.
    size: u64,
    /// Number of solutions.
    solutions: u64,
    classes: Vec<SymmetryRow>,
    seconds: f64,
}

printed!(CountBySymmetry: "count");

/// The solutions whose stabilisers are conjugate.
#[derive(JsonSchema, Serialize)]
struct SymmetryRow {
    /// Generators of a stabiliser, on a plain box as signed permutations of the axes; null on boards whose
    /// symmetries have no names.
    symmetry: Option<String>,
    /// Order of the stabiliser.
    order: usize,
    /// Orders of its elements, increasing.
    element_orders: Vec<usize>,
    /// Number of solutions.
    solutions: u64,
    /// Number of solutions up to symmetry.
    up_to_symmetry: u64,
}

impl From<SymmetryClass> for SymmetryRow {
    fn from(class: SymmetryClass) -> Self {
        let SymmetryClass { group: symmetry, order, element_orders, solutions, up_to_symmetry } = class;
        Self { symmetry, order, element_orders, solutions, up_to_symmetry }
    }
}

/// Method name in the report of a stopped count by symmetry.
const METHOD: &str = "solutions by their symmetry";

/// Value of `--symmetry` that sorts all solutions.
const EACH: &str = "each";

pub(super) fn run(
    args: &Args,
    board: &Board,
    group: &str,
    deadline: Deadline,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if group == EACH {
        return each(args, board, deadline, display, out);
    }
    if group == "auto" {
        bail!("--symmetry auto is for a search; a count needs a group, such as central, or {EACH}");
    }
    let begin = Instant::now();
    let group = Subgroup::parse(group, board)?;
    let options = Options { threads: Some(args.threads.number()), ..Options::default() };
    let over = || interrupt::is_requested() || deadline.is_over();
    let mut watch = |event: &_| display.show(event);
    let counted = count_symmetric(board, &group, args.exactly, &options, deadline, &mut watch, &over)?;
    let counted = match counted {
        Interruptible::Finished(counted) => counted,
        Interruptible::Stopped(stopped) => return report_stopped(METHOD, board, &stopped, None, begin, out),
    };
    let answer = KeptCount {
        board: board.name().to_string(),
        size: counted.size,
        symmetry: group.to_string(),
        solutions: counted.solutions,
        method: counted.method.to_string(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    let maximum = if args.exactly.is_none() { "maximum " } else { "" };
    let solutions = counted::counted(answer.solutions, &format!("{maximum}solution"));
    let text = format!("{}: {solutions} of size {} kept by {}", answer.board, answer.size, answer.symmetry);
    out.result(&answer, &text)?;
    Ok(Exit::Yes)
}

/// Counts all solutions and sorts them by their stabilisers.
fn each(
    args: &Args,
    board: &Board,
    deadline: Deadline,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let request = CountRequest { size: args.exactly, keep: MOST_KEPT, work: None, proof: None };
    let options = Options { threads: Some(args.threads.number()), ..Options::default() };
    let counted = match count::count(board, &request, &options, deadline, &mut |event| display.show(event))? {
        Interruptible::Finished(counted) => counted,
        Interruptible::Stopped(stopped) => return report_stopped(METHOD, board, &stopped, None, begin, out),
    };
    let classes = by_symmetry(board, &counted)?;
    let answer = CountBySymmetry {
        board: board.name().to_string(),
        size: counted.size,
        solutions: classes.iter().map(|class| class.solutions).sum(),
        classes: classes.into_iter().map(SymmetryRow::from).collect(),
        seconds: begin.elapsed().as_secs_f64(),
    };
    let head = ["symmetry", "order", "solutions", "up to symmetry"].map(str::to_owned).to_vec();
    let lines = answer.classes.iter().map(|class| {
        let orders = || {
            let orders: Vec<String> = class.element_orders.iter().map(usize::to_string).collect();
            format!("elements of orders {}", orders.join(","))
        };
        vec![
            class.symmetry.clone().unwrap_or_else(orders),
            class.order.to_string(),
            class.solutions.to_string(),
            class.up_to_symmetry.to_string(),
        ]
    });
    let mut text = align_columns(std::iter::once(head).chain(lines), &[0]);
    let maximum = if args.exactly.is_none() { "maximum " } else { "" };
    let orbits: u64 = answer.classes.iter().map(|class| class.up_to_symmetry).sum();
    let solutions = counted::counted(answer.solutions, &format!("{maximum}solution"));
    writeln!(text, "{}: {solutions} of size {}, {orbits} up to symmetry", answer.board, answer.size)?;
    out.result(&answer, &text)?;
    Ok(Exit::Yes)
}
