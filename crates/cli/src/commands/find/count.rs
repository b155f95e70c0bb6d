//! The command `ndq find --count`, which counts all solutions that a method can construct.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use ndqueens_solver::construct::{Method, stack};
use ndqueens_system::cancel::StopReason;
use ndqueens_system::file;
use ndqueens_workflow::count::full;
use ndqueens_workflow::run::Interruptible;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::commands::Exit;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Counted {
    board: String,
    method: String,
    /// Number of coefficient vectors of regular solutions.
    coefficient_vectors: Option<u64>,
    /// File that lists them.
    vectors: Option<PathBuf>,
    solutions: u64,
    /// Number of solutions up to symmetry.
    up_to_symmetry: Option<u64>,
    seconds: f64,
    /// Description of the counted objects.
    #[serde(skip)]
    what: String,
}

printed!(Counted: "find");

pub(super) fn run(
    args: &Args,
    method: Option<Method>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let (side, dimension, torus) = match (full::cube(&args.board), full::torus_cube(&args.board)) {
        (Some((side, dimension)), _) => (side, dimension, false),
        (None, Some((side, dimension))) => (side, dimension, true),
        (None, None) => bail!("--count is for queens on n^d and torus:n^d, not {}", args.board),
    };
    let counted = match method {
        Some(Method::Regular) => regular(args, side, dimension, torus, display)?,
        Some(Method::Stack) if torus => {
            bail!(
                "--method stack counts the full solutions of n^3, by layers that attack less than those of {}; --method \
                 regular counts its regular solutions",
                args.board
            )
        }
        Some(Method::Stack) => stacks(args, side, dimension, display)?,
        Some(method) => bail!("--count is for the methods regular and stack, not {method}"),
        None => bail!("--count needs a method: --method regular or --method stack"),
    };
    match counted {
        Interruptible::Finished(counted) => {
            let counted = Counted { seconds: begin.elapsed().as_secs_f64(), ..counted };
            let text = format!("{} {}\n{:.2} s", counted.solutions, counted.what, counted.seconds);
            out.result(&counted, &text)?;
            Ok(if counted.solutions > 0 { Exit::Yes } else { Exit::No })
        }
        Interruptible::Stopped(stop) => {
            let stop = if interrupt::is_requested() { stop } else { StopReason::TimeLimit };
            display.print(&format!("stopped ({stop}) before all were counted; nothing is known yet"));
            Ok(Exit::Stopped)
        }
    }
}

/// Count without the time that it took.
type Count = anyhow::Result<Interruptible<Counted>>;

impl Counted {
    fn new(args: &Args, method: Method, solutions: u64, what: String) -> Self {
        Self {
            board: args.board.to_string(),
            method: method.to_string(),
            coefficient_vectors: None,
            vectors: None,
            solutions,
            up_to_symmetry: None,
            seconds: 0.0,
            what,
        }
    }
}

/// Counts regular solutions. They are solutions of the torus, so their number is the same on both boards;
/// orbits are those under the symmetries of the cube.
fn regular(args: &Args, side: u32, dimension: usize, torus: bool, display: &mut Display) -> Count {
    if !full::can_list_regular(side, dimension) {
        bail!("{} has too many coefficient vectors to be listed", args.board);
    }
    let census = match full::list_regular(side, dimension, &mut |event| display.show(event)) {
        Ok(census) => census,
        Err(stop) => return Ok(Interruptible::Stopped(stop)),
    };
    if let Some(path) = &args.output {
        file::write(path, |file| full::write_vectors(&census, dimension, file))?;
    }
    let vectors = census.vectors.len() as u64;
    let up_to_symmetry = census.orbits.filter(|_| !torus).map(|orbits| orbits.solutions);
    let orbits = up_to_symmetry
        .map_or_else(|| "orbits are not counted".to_owned(), |orbits| format!("{orbits} up to symmetry"));
    let what = format!(
        "regular solutions on {}: {vectors} coefficient vectors, {side} constants; {orbits}",
        args.board
    );
    Ok(Interruptible::Finished(Counted {
        coefficient_vectors: Some(vectors),
        vectors: args.output.clone(),
        up_to_symmetry,
        ..Counted::new(args, Method::Regular, census.solutions, what)
    }))
}

fn stacks(args: &Args, side: u32, dimension: usize, display: &mut Display) -> Count {
    if args.output.is_some() {
        bail!(
            "-o with --count lists coefficient vectors, which the method stack has not: it counts solutions only"
        );
    }
    if dimension != 3 || side > stack::MAX_LAYERS {
        bail!("all stacks are visited on n^3 with n up to {} only", stack::MAX_LAYERS);
    }
    let solutions =
        full::count_stacks(side, args.threads.number() as usize, &mut |event| display.show(event))?;
    let what = format!("full solutions on {}, all: every stack of full layers was visited", args.board);
    Ok(match solutions {
        Interruptible::Finished(solutions) => {
            Interruptible::Finished(Counted::new(args, Method::Stack, solutions, what))
        }
        Interruptible::Stopped(stop) => Interruptible::Stopped(stop),
    })
}
