//! The command `ndq face`.

mod input;
mod kept;
mod report;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ndqueens_archive::archive::Archive;
use ndqueens_model::board::Board;
use ndqueens_notation::name::BoardName;
use ndqueens_polytope::certificate::{certify, collect};
use ndqueens_polytope::face::{Face, FaceError, MOST_SQUARES, Verdict};
use ndqueens_system::cancel::{Control, Deadline};
use ndqueens_system::file;

use self::input::Polytope;
use self::report::{Examined, Report};
use super::Exit;
use super::watched::run_watched;
use crate::args::groups::Limit;
use crate::args::values::board;
use crate::output::{Output, log};
use crate::progress::Display;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The board, such as 3^3 or 4x5.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The inequalities: an LP file, such as ndq model writes, or a CSV file, such as ndq facets -o
    /// writes.
    #[arg(value_name = "FILE", conflicts_with_all = ["formulation", "family"], required_unless_present_any = ["formulation", "family"])]
    pub(crate) file: Option<PathBuf>,
    /// Examine the inequalities of this formulation: a name or the path of a TOML file.
    #[arg(short, long, value_name = "FORMULATION", conflicts_with = "family")]
    pub(crate) formulation: Option<String>,
    /// Examine the inequalities of this family alone, such as cube or layer.
    #[arg(long, value_name = "FAMILY")]
    pub(crate) family: Option<String>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Write a certificate of each facet to this file, which ndq check verifies.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificates: Option<PathBuf>,
}

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    super::refuse_if_too_large(&board, "its faces", board.size() as u64 * 8)?;
    args.certificates.as_deref().map_or(Ok(()), file::writable)?;
    let deadline = Deadline::after(args.limit.time_limit);
    let control = Control::new();
    let done = AtomicUsize::new(0);
    let line = || format!("{} of the inequalities on {} examined", done.load(Relaxed), board.name());
    let report =
        run_watched(display, &control, deadline, &line, || examine(args, archive, &board, &control, &done))?;
    if let Some(path) = &args.certificates {
        let facets = report.examined.iter().filter(|examined| examined.face.verdict == Verdict::Facet);
        let facets = facets.map(|examined| certify(&board, &examined.halfspace, &examined.face.sets));
        let certificates = collect(&board, facets.collect(), "ndq face");
        if certificates.facets.is_empty() {
            log(&format!("note: no inequality defines a facet, and {} is not written", path.display()));
        } else {
            file::write(path, |file| write!(file, "{certificates}"))?;
        }
    }
    report.print(&board, deadline, out)?;
    Ok(report.exit())
}

/// Examines the inequalities, one of each orbit, until a stop is requested.
fn examine(
    args: &Args,
    archive: &Archive,
    board: &Board,
    control: &Control,
    done: &AtomicUsize,
) -> anyhow::Result<Report> {
    if board.size() > MOST_SQUARES {
        return Err(FaceError::TooManySquares(board.size()).into());
    }
    let input = input::read(args, archive, board)?;
    let polytope = Polytope::of(&input, board, control)?;
    if args.certificates.is_some() {
        polytope.refuse_certificates()?;
    }
    let orbits = input::orbits(&input, board);
    let mut report = Report::new(board, &polytope, orbits.len());
    for breaking in &input.breaking {
        if control.is_stopped() {
            return Ok(report);
        }
        report.kept.push(polytope.count_kept(breaking, board));
    }
    for orbit in orbits {
        if control.is_stopped() {
            break;
        }
        let face: Face = polytope.examine(board, &orbit, control)?;
        report.examined.push(Examined::new(orbit, face));
        done.fetch_add(1, Relaxed);
    }
    Ok(report)
}
