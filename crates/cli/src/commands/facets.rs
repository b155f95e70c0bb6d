//! The command `ndq facets`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::bail;
use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_polytope::certificate::{certify, collect};
use ndqueens_polytope::facets::{FacetOrbit, Facets, Limits, enumerate_facets_with, write_csv};
use ndqueens_polytope::halfspace::variable;
use ndqueens_report::sheet::align_columns;
use ndqueens_system::cancel::{Control, Deadline};
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::Exit;
use super::watched::run_watched;
use crate::args::groups::Limit;
use crate::args::values::board;
use crate::interrupt;
use crate::output::{Answer, Output, log};
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("facets.txt"))]
pub(crate) struct Args {
    /// The board, such as 4^2 or 2x3x3, with at most 20,000 independent sets.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Write one facet of each orbit to this CSV file of rows, which ndq face and formulations read.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write a certificate of each facet to this file, which ndq check verifies.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificates: Option<PathBuf>,
}

/// Facets of the convex hull of the independent sets of a board.
#[derive(JsonSchema, Serialize)]
struct Summary {
    board: String,
    squares: usize,
    /// Number of independent sets.
    sets: usize,
    /// Number of symmetries of the board that were used.
    symmetries: usize,
    /// Number of facets found.
    facets: usize,
    /// `true` if these are all facets.
    complete: bool,
    /// Reason why there may be more.
    stopped: Option<String>,
    orbits: Vec<Orbit>,
}

/// Orbit of facets.
#[derive(JsonSchema, Serialize)]
struct Orbit {
    /// Inequality of one facet of the orbit.
    inequality: String,
    /// Variables of the inequality, and their coefficients; the left-hand side is at most `rhs`.
    variables: Vec<String>,
    coefficients: Vec<i64>,
    rhs: i64,
    /// Number of facets in the orbit.
    size: usize,
    /// Number of independent sets on the facet.
    tight_sets: usize,
}

printed!(Summary: "facets");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    super::refuse_if_too_large(&board, "its graph", board.size() as u64 * 8)?;
    for path in [&args.output, &args.certificates].into_iter().flatten() {
        file::writable(path)?;
    }
    if let (Some(output), Some(certificates)) = (&args.output, &args.certificates)
        && file::are_one(output, certificates)
    {
        bail!("-o and --certificates name the same file {}", output.display());
    }
    let deadline = Deadline::after(args.limit.time_limit);
    let facets = enumerate(&board, deadline, display)?;
    if let Some(path) = &args.output {
        file::write(path, |file| write_csv(&board, &facets.orbits, file))?;
    }
    if facets.orbits.is_empty()
        && let Some(path) = &args.certificates
    {
        log(&format!("note: no facet was found, and {} is not written", path.display()));
    } else if let Some(path) = &args.certificates {
        let certificates = facets.orbits.iter().map(|orbit| certify(&board, &orbit.halfspace, &orbit.sets));
        let certificates = collect(&board, certificates.collect(), "ndq facets");
        file::write(path, |file| write!(file, "{certificates}"))?;
    }
    let stopped = facets.incomplete.clone().map(|reason| match deadline.is_over() {
        true => "time limit".to_owned(),
        false if interrupt::is_requested() => "interrupted".to_owned(),
        false => reason,
    });
    out.answer(&summary(&board, &facets, stopped.clone()), &text(&board, &facets, stopped))?;
    Ok(if facets.incomplete.is_none() { Exit::Yes } else { Exit::Stopped })
}

/// Enumerates the facets and shows the progress.
fn enumerate(board: &Board, deadline: Deadline, display: &mut Display) -> anyhow::Result<Facets> {
    let control = Control::new();
    let (orbits, untreated) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let line = || match orbits.load(Relaxed) {
        0 => format!("facets of {}", board.name()),
        orbits => format!(
            "facets of {}: {}, {} to do",
            board.name(),
            counted(orbits as u64, "orbit"),
            untreated.load(Relaxed)
        ),
    };
    let facets = run_watched(display, &control, deadline, &line, || {
        enumerate_facets_with(board, &Limits::default(), &control, &mut |found, left| {
            orbits.store(found, Relaxed);
            untreated.store(left, Relaxed);
        })
    })?;
    Ok(facets)
}

fn summary(board: &Board, facets: &Facets, stopped: Option<String>) -> Summary {
    let orbit = |orbit: &FacetOrbit| {
        let support = orbit.halfspace.support();
        Orbit {
            inequality: orbit.halfspace.format(board),
            variables: support.iter().map(|&square| variable(board, square)).collect(),
            coefficients: support.iter().map(|&s| orbit.halfspace.coefficients[s as usize]).collect(),
            rhs: orbit.halfspace.rhs,
            size: orbit.size,
            tight_sets: orbit.tight_sets,
        }
    };
    Summary {
        board: board.name().to_string(),
        squares: board.size(),
        sets: facets.sets,
        symmetries: facets.symmetries,
        facets: facets.count(),
        complete: facets.incomplete.is_none(),
        stopped,
        orbits: facets.orbits.iter().map(orbit).collect(),
    }
}

fn text(board: &Board, facets: &Facets, stopped: Option<String>) -> Answer {
    let mut table = vec![["facets", "tight sets", "inequality"].map(str::to_owned).to_vec()];
    table.extend(facets.orbits.iter().map(|orbit| {
        vec![orbit.size.to_string(), orbit.tight_sets.to_string(), orbit.halfspace.format(board)]
    }));
    let details = format!(
        "P({}): dimension {}, {}\n{}",
        board.name(),
        board.size(),
        counted(facets.sets as u64, "vertex"),
        align_columns(table, &[2])
    );
    let found = format!(
        "{} of P({}), in {} under {}",
        counted(facets.count() as u64, "facet"),
        board.name(),
        counted(facets.orbits.len() as u64, "orbit"),
        counted(facets.symmetries as u64, "symmetry"),
    );
    let verdict = match stopped {
        None => format!("{found}; each was checked"),
        Some(reason) => format!("stopped ({reason}): at least {found}; each was checked"),
    };
    Answer { details, verdict }
}
