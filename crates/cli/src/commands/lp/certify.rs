//! The command `ndq lp certify`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_crosscheck::bound::format_mixed;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_report::sheet::align_columns;
use ndqueens_solver::orbit_lp::{MAX_LOCAL_SQUARES, NotLowered, OrbitBound, OrbitLpSettings};
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_system::file;
use ndqueens_workflow::evidence::orbit_lp::added_up;
use ndqueens_workflow::lp::orbit_lp::{self, Certified};
use ndqueens_workflow::run::{Interruptible, formulation};

use super::bounded::Bounded;
use super::cuts::{CutsFile, KeptCuts, of_orbit_rows};
use crate::args::groups::LpSolver;
use crate::args::values::{board, whole};
use crate::commands::Exit;
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::typed::Typed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("certify.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^4 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The formulations to try, such as cube,strong; the best bound wins.
    #[arg(short, long, value_name = "FORMULATION", value_delimiter = ',', default_value = "strong")]
    pub(crate) formulation: Vec<String>,
    /// Use published, unproved bounds as right-hand sides too; the result is then conditional.
    #[arg(long)]
    pub(crate) assume_reported: bool,
    /// Accept only bounds of smaller boards whose archived proofs are checked in this run, so that the
    /// bound is unconditional.
    #[arg(long, conflicts_with = "assume_reported")]
    pub(crate) certified: bool,
    /// Lower the bound by branching on the number of queens of an orbit, which is an integer: at most N LPs
    /// for each queen by which the bound is lowered; k cases take 2k - 1 of them.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) cases: u64,
    /// Add inequalities that the optimum violates, until it violates no more.
    #[arg(long, value_enum, value_name = "FAMILY", value_delimiter = ',')]
    pub(crate) separate: Vec<Separated>,
    /// Separate local cuts on sub-boxes of at most N squares, with and without the centres of their cells.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 162,
        value_parser = whole::<usize>(4..=MAX_LOCAL_SQUARES as u64)
    )]
    pub(crate) local_squares: usize,
    /// Write the formulation of the best bound, with the separated inequalities that the bound uses, to this new
    /// file, which -f reads.
    #[arg(long, value_name = "FILE", requires = "separate")]
    pub(crate) cuts: Option<PathBuf>,
    /// Write the best bound to this file, gzip-compressed when its name ends in .gz.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: LpSolver,
}

/// Inequalities that are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Separated {
    /// Maximal cliques.
    Clique,
    /// Facets of the independent-set polytope of small sets of squares.
    Local,
}

/// Column headings of the table.
const HEADS: [&str; 7] = ["formulation", "at most", "sum", "orbits", "rows", "used", "seconds"];

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if args.output.as_deref() == Some(Path::new("-")) {
        bail!("-o needs the name of a file, such as bound.txt; - is not allowed");
    }
    if let (Some(output), Some(cuts)) = (&args.output, &args.cuts)
        && file::are_one(output, cuts)
    {
        bail!("-o and --cuts name the same file {}", cuts.display());
    }
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let cuts = args.cuts.as_deref().map(CutsFile::new).transpose()?;
    let board = in_order(&args.board)?;
    let prior = archive.prior_results();
    let bounds = match (args.assume_reported, args.certified) {
        (true, _) => Bounds::with_publications(archive.bounds()),
        (_, true) => prior.checked_bounds(Deadline::after(args.solver.options().time_limit)),
        _ => Bounds::with_archive(archive.bounds()),
    };
    let mut best: Option<(Formulation, Certified)> = None;
    let mut exit = Exit::Yes;
    let mut rows = vec![HEADS.map(str::to_owned).to_vec()];
    let mut notes = String::new();
    for name in &args.formulation {
        let begin = std::time::Instant::now();
        display.work_on(format!("{name} on {}", board.name()));
        let watch = &mut |event: &_| display.show(event);
        let formulation =
            formulation::load_for(name, &board, Deadline::after(args.solver.limit.time_limit), watch)?;
        for inequality in formulation.own.lemmas_and_conditions(&board).conditions {
            writeln!(notes, "{name} leaves out {inequality}")?;
        }
        let certified = orbit_lp::bound(
            &board,
            &formulation,
            &bounds,
            &OrbitLpSettings {
                options: &args.solver.options(),
                case_limit: args.cases,
                separates_cliques: args.separate.contains(&Separated::Clique),
                local_squares: if args.separate.contains(&Separated::Local) { args.local_squares } else { 0 },
            },
            &prior,
            watch,
        )?;
        let seconds = begin.elapsed().as_secs_f64();
        let bounded = Bounded::new(&board, name, &certified, seconds);
        let (most, sum) = match (bounded.at_most, bounded.approximately) {
            (Some(most), Some(value)) => (most.to_string(), format!("{value:.4}")),
            _ => ("-".to_owned(), bounded.stop.clone()),
        };
        let [orbits, orbits_of_rows, used] =
            [bounded.orbits, bounded.row_orbits, bounded.inequalities].map(|number| number.to_string());
        rows.push(vec![name.clone(), most, sum, orbits, orbits_of_rows, used, format!("{seconds:.2}")]);
        if bounded.stop != StopReason::Finished.to_string() {
            exit = Exit::Stopped;
        }
        if let Interruptible::Finished(certified) = &certified {
            notes += &separated(name, &board, certified);
            notes += &why_no_less(name, certified, args.cases);
        }
        if out.json() {
            out.result(&bounded, "")?;
        }
        if let Interruptible::Finished(certified) = certified
            && best.as_ref().is_none_or(|(_, best)| certified.found.value < best.found.value)
        {
            best = Some((formulation, certified));
        }
    }
    let mut details = align_columns(rows, &[0]) + &notes;
    let mut verdict = String::new();
    let mut written = Ok(());
    if let Some((formulation, best)) = &best {
        details.push('\n');
        for below in &best.lemmas {
            writeln!(details, "  rests on  {below}")?;
        }
        for condition in &best.conditions {
            writeln!(verdict, "  holds if  {condition}")?;
        }
        writeln!(
            verdict,
            "at most {} on {}{}: formulation {}, checked in exact arithmetic",
            board.format_fitting(best.proved.at_most()),
            board.name(),
            if best.conditions.is_empty() { "" } else { ", conditionally" },
            formulation.name
        )?;
        written = write_files(args.output.as_deref(), cuts, &board, formulation, best, &mut details);
    }
    if !out.json() {
        // Without a bound, the reason is in the table.
        let answer = match &best {
            Some(_) => Answer { details, verdict },
            None => details.into(),
        };
        out.answer(&(), &answer)?;
    }
    written.map(|()| exit)
}

/// Writes the files of a bound and of its cuts, if they were requested, and appends a line about each.
fn write_files(
    output: Option<&Path>,
    cuts: Option<CutsFile>,
    board: &Board,
    formulation: &Formulation,
    bound: &Certified,
    details: &mut String,
) -> anyhow::Result<()> {
    if let Some(path) = output {
        file::write(path, |out| out.write_all(&bound.text))?;
        let Certified { proved, .. } = bound;
        let sum = added_up(proved.rows() as u64, &format_mixed(proved.sum()), proved.cases() as u64);
        let check = Typed::new("ndq check").word(path.display()).to_string();
        writeln!(details, "{}: {sum}; to check it: {check}", path.display())?;
    }
    if let Some(file) = cuts {
        let line = file.write(formulation, board, &of_orbit_rows(board, &bound.found.kept))?;
        writeln!(details, "{line}")?;
    }
    Ok(())
}

/// Returns a line with the numbers of cuts that were added and kept, if local cuts were separated.
fn separated(formulation: &str, board: &Board, certified: &Certified) -> String {
    let OrbitBound { local_cuts: Some(cuts), cliques, lps, kept, .. } = &certified.found else {
        return String::new();
    };
    let cliques = cliques.map_or_else(String::new, |cliques| format!("{} and ", counted(cliques, "clique")));
    let kept = KeptCuts::format(&KeptCuts::count(&of_orbit_rows(board, kept)));
    format!(
        "{formulation}: {cliques}{} in {}; cuts with a multiplier: {kept}\n",
        counted(*cuts, "local cut"),
        counted(*lps, "LP")
    )
}

/// Returns the reason why the bound is not lower, if further inequalities or the requested cases might lower it.
fn why_no_less(formulation: &str, certified: &Certified, cases: u64) -> String {
    let most = certified.proved.at_most();
    let why = match (certified.found.not_lowered, certified.found.stop) {
        (None, StopReason::Finished) => return String::new(),
        (None, stop) => {
            return format!("{formulation} stopped ({stop}): further inequalities may still be violated\n");
        }
        (Some(NotLowered::TooManyCases), _) => format!("not shown with {cases} LPs"),
        (Some(NotLowered::WholePoint), _) => format!(
            "not provable by cases, because an integer point with {} satisfies the LP",
            counted(most, "queen")
        ),
        (Some(NotLowered::Rounding), _) => {
            "not shown, for the duals of a case could not be rounded".to_owned()
        }
        (Some(NotLowered::Stopped(stop)), _) => format!("not shown by cases when it was stopped ({stop})"),
    };
    format!("{formulation}: {} is {why}\n", most.saturating_sub(1))
}

/// Returns a box with its sides in increasing order, as in the names of bound files.
fn in_order(name: &BoardName) -> anyhow::Result<Board> {
    let board = Board::new(&name.with_sorted_sides());
    if board.plain_box().is_none() {
        bail!("{name} is not a plain box: the orbit LP is for boxes of squares, such as 6^4 or 4x5x6");
    }
    Ok(board)
}
