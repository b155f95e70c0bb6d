//! The command `ndq lp relax`.

use std::path::PathBuf;

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_experiments::table::Format;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::{Formulation, builtin_names};
use ndqueens_model::model::Model;
use ndqueens_model::own::MAX_NUMBER;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_report::sheet::align_columns;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options};
use ndqueens_solver::orbit_lp::MAX_LOCAL_SQUARES;
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_system::file;
use ndqueens_workflow::lp::relaxation::{LOCAL_SQUARES, ensure_separable};
use ndqueens_workflow::record::Separated;
use ndqueens_workflow::run::GoalError;
use ndqueens_workflow::run::formulation;
use ndqueens_workflow::run::own::prove_own;

use super::comparison;
use super::cuts::{CutsFile, KeptCuts};
use super::gap::{Alpha, Comparison};
use super::optimum;
use super::relaxed::{LpOptimum, LpSettings, Relaxed, relax};
use crate::args::groups::{HighsSettings, LpSolver};
use crate::args::values::{board, whole};
use crate::commands::{Exit, archived};
use crate::output::Output;
use crate::progress::Display;
use crate::{interrupt, memory};

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("relax.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6. With several, LP bounds are compared with the best known bounds.
    #[arg(value_parser = board, required = true)]
    pub(crate) board: Vec<BoardName>,
    /// The formulations to compare, such as base,cube [default: all shipped ones for a maximum].
    #[arg(short, long, value_name = "FORMULATION", value_delimiter = ',')]
    pub(crate) formulation: Vec<String>,
    /// Add inequalities of these families that the optimum violates, until it violates no more.
    #[arg(long, value_enum, value_name = "FAMILY", value_delimiter = ',', conflicts_with = "weights")]
    pub(crate) separate: Vec<Separated>,
    /// Separate local cuts on sub-boxes of at most N squares, with and without the centres of their cells.
    #[arg(
        long,
        value_name = "N",
        default_value_t = LOCAL_SQUARES,
        value_parser = whole::<usize>(4..=MAX_LOCAL_SQUARES as u64)
    )]
    pub(crate) local_squares: usize,
    /// Write the formulation with the separated inequalities that bind at the optimum to this new file, which
    /// -f reads.
    #[arg(long, value_name = "FILE", requires = "separate")]
    pub(crate) cuts: Option<PathBuf>,
    /// Maximise the weight of the squares in this CSV file, with the columns square and weight, instead of
    /// the number of queens.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Add the bound of HiGHS at the root node of the integer program, after its own cuts.
    #[arg(long, conflicts_with = "weights")]
    pub(crate) root: bool,
    /// Solve the integer programs too, and add their times.
    #[arg(long, conflicts_with = "weights")]
    pub(crate) solve: bool,
    /// Write the optimum to this file, a value for each square, as .csv or .json.
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
    /// Write the binding rows and their duals to this file, as .csv or .json.
    #[arg(long, value_name = "FILE")]
    pub(crate) duals: Option<PathBuf>,
    /// The format of the table [default: aligned columns, with --output csv].
    #[arg(long, value_enum, conflicts_with = "weights")]
    pub(crate) format: Option<Format>,
    /// Write the table to this file.
    #[arg(short, long, value_name = "FILE", conflicts_with = "weights")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: LpSolver,
    #[command(flatten)]
    pub(crate) highs: HighsSettings,
}

/// Column headings of the table.
const HEADS: [&str; 6] = ["formulation", "LP bound", "rows", "nonzeros", "iterations", "seconds"];

/// Additional headings if inequalities are separated.
const SEPARATED: [&str; 2] = ["cuts", "LPs"];

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let boards: Vec<Board> = args.board.iter().map(Board::new).collect();
    let mut formulations: Vec<Formulation> = if args.formulation.is_empty() {
        let shipped = builtin_names().into_iter().map(Formulation::builtin).collect::<Result<Vec<_>, _>>()?;
        shipped.into_iter().filter(Formulation::maximises).collect()
    } else {
        args.formulation.iter().map(|name| Ok(formulation::load(name)?)).collect::<anyhow::Result<_>>()?
    };
    for board in &boards {
        for formulation in &formulations {
            ensure_separable(&args.separate, board, formulation)?;
        }
    }
    let bounds = Bounds::with_publications(archive.bounds());
    let deadline = Deadline::after(args.solver.limit.time_limit);
    let is_single = boards.len() == 1 && formulations.len() == 1;
    refuse_files_of_one(args, is_single)?;
    refuse_one_file_for_two(args)?;
    args.highs.make_ready(&[("-o", args.output.as_deref()), ("--cuts", args.cuts.as_deref())])?;
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    for path in [&args.solution, &args.duals].into_iter().flatten() {
        optimum::ensure_writable(path)?;
    }
    let read_weights = |path| optimum::read_weights(path, &boards[0], -MAX_NUMBER);
    let weights = args.weights.as_deref().map(read_weights).transpose()?;
    if weights.is_some() {
        refuse_symmetry_breaking(&mut formulations, args.formulation.is_empty())?;
    }
    let mut cuts = args.cuts.as_deref().map(CutsFile::new).transpose()?;
    let HighsSettings { options: native, log } = args.highs.clone();
    let settings = LpSettings {
        archive,
        bounds: &bounds,
        separate: &args.separate,
        local_squares: args.local_squares,
        weights: weights.as_deref(),
        options: &Options { native, log, ..args.solver.options() },
        deadline,
    };
    for board in &boards {
        for formulation in &mut formulations {
            prove_own(formulation, board, deadline, &mut |event| display.show(event))?;
        }
    }
    let is_comparison =
        boards.len() > 1 || args.root || args.solve || args.format.is_some() || args.output.is_some();
    match is_comparison {
        true => compare(args, &boards, &formulations, &settings, &mut cuts, display, out),
        false => list(args, &boards[0], &formulations, &settings, &mut cuts, display, out),
    }
}

/// Removes the formulations that break symmetry, for which weights are invalid.
///
/// # Errors
/// Returns an error if such a formulation was named.
fn refuse_symmetry_breaking(formulations: &mut Vec<Formulation>, are_all: bool) -> anyhow::Result<()> {
    match formulations.iter().find(|formulation| formulation.breaks_symmetry()) {
        Some(formulation) if !are_all => {
            Err(GoalError::WeightsBreakSymmetry(formulation.name.clone()).into())
        }
        _ => {
            formulations.retain(|formulation| !formulation.breaks_symmetry());
            Ok(())
        }
    }
}

/// Returns an error if a file is for one LP only and there are several.
fn refuse_files_of_one(args: &Args, is_single: bool) -> anyhow::Result<()> {
    let of_one = [
        (
            "--solution",
            args.solution.is_some(),
            "the optimum of one LP; one board and one formulation go with it",
        ),
        ("--duals", args.duals.is_some(), "the duals of one LP; one board and one formulation go with it"),
        ("--cuts", args.cuts.is_some(), "the cuts of one LP; one board and one formulation go with it"),
    ];
    match of_one.into_iter().find(|(_, is_given, _)| *is_given && !is_single) {
        Some((flag, _, what)) => bail!("{flag} stores {what}"),
        None if args.weights.is_some() && args.board.len() > 1 => {
            bail!("--weights has the squares of one board; one board goes with it")
        }
        None if args.highs.log.is_some() && !is_single => {
            bail!("--log stores the log of one formulation, which -f names")
        }
        None => Ok(()),
    }
}

/// Returns an error if the table and the cuts are to be written to the same file.
fn refuse_one_file_for_two(args: &Args) -> anyhow::Result<()> {
    let files = [
        ("-o", &args.output),
        ("--cuts", &args.cuts),
        ("--solution", &args.solution),
        ("--duals", &args.duals),
        ("--log", &args.highs.log),
    ];
    let given: Vec<_> = files.iter().filter_map(|(flag, path)| Some((flag, path.as_ref()?))).collect();
    for (k, (flag, path)) in given.iter().enumerate() {
        if let Some((other, _)) = given[..k].iter().find(|(_, earlier)| file::are_one(earlier, path)) {
            bail!("{other} and {flag} name the same file {}", path.display());
        }
    }
    Ok(())
}

/// Writes the files with the optimum, the duals and the cuts of an LP, if they were requested. Returns a line
/// about the cuts.
fn write_files(
    args: &Args,
    board: &Board,
    formulation: &Formulation,
    lp: &LpOptimum,
    cuts: &mut Option<CutsFile>,
) -> anyhow::Result<Option<String>> {
    let Some(solved) = lp.solved.as_ref().filter(|solved| !solved.relaxation.point.is_empty()) else {
        // The answer states why there is no optimum.
        return Ok(None);
    };
    if let Some(path) = &args.solution {
        optimum::write_point(path, board, &lp.relaxed, solved)?;
    }
    if let Some(path) = &args.duals {
        optimum::write_duals(path, &lp.relaxed, solved)?;
    }
    cuts.take().map(|file| file.write(formulation, board, &solved.cuts)).transpose()
}

/// Shows the LP bounds of formulations on one board.
fn list(
    args: &Args,
    board: &Board,
    formulations: &[Formulation],
    settings: &LpSettings<'_>,
    cuts: &mut Option<CutsFile>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Yes;
    let more: &[&str] = if args.separate.is_empty() { &[] } else { &SEPARATED };
    let mut table = vec![HEADS.iter().chain(more).map(ToString::to_string).collect::<Vec<_>>()];
    let mut notes: Vec<String> = Vec::new();
    // If every formulation is rejected, the first reason becomes the error and nothing is printed.
    let (mut rows, mut answered) = (Vec::new(), false);
    for formulation in formulations {
        let lp = relax(board, formulation, settings, display)?;
        let written = write_files(args, board, formulation, &lp, cuts)?;
        let relaxed = lp.relaxed;
        match &relaxed.refused {
            Some(reason) if args.formulation.is_empty() => notes.push(reason.clone()),
            Some(reason) => return Err(anyhow::Error::msg(reason.clone())),
            None => {
                table.push(line(&relaxed));
                notes.extend(self::notes(&relaxed));
                notes.extend(written);
            }
        }
        if relaxed.stop != StopReason::Finished.to_string() {
            exit = Exit::Stopped;
        }
        answered |= relaxed.refused.is_none();
        rows.push(relaxed);
        interrupt::print_when_stopped(text(board, &table, &notes));
        if out.json() && answered {
            rows.drain(..).try_for_each(|row| out.result(&row, ""))?;
        }
    }
    if let (false, Some(reason)) = (answered, rows.iter().find_map(|row| row.refused.as_deref())) {
        bail!("{reason}");
    }
    if !out.json() {
        out.result(&(), &text(board, &table, &notes))?;
    }
    Ok(exit)
}

/// Returns the line of the table of one board.
fn line(relaxed: &Relaxed) -> Vec<String> {
    let bound = match (relaxed.lp_bound, relaxed.lp_feasible) {
        (Some(bound), _) => format!("{bound:.4}"),
        (None, Some(true)) => "feasible".to_owned(),
        (None, Some(false)) => "infeasible".to_owned(),
        (None, None) => relaxed.stop.clone(),
    };
    let Relaxed { formulation, rows, nonzeros, lp_iterations, seconds, .. } = relaxed;
    let [rows, nonzeros] = [rows, nonzeros].map(ToString::to_string);
    let (iterations, seconds) = (lp_iterations.to_string(), format!("{seconds:.2}"));
    let mut line = vec![formulation.clone(), bound, rows, nonzeros, iterations, seconds];
    let separated = relaxed.separated.iter().flat_map(|added| [added.rows, added.rounds]);
    line.extend(separated.map(|n| n.to_string()));
    line
}

/// Returns what limits the bound of a formulation.
fn notes(relaxed: &Relaxed) -> Vec<String> {
    let Relaxed { formulation, stop, .. } = relaxed;
    let mut notes = Vec::new();
    if relaxed.separated.is_some() && *stop != StopReason::Finished.to_string() {
        notes.push(format!("{formulation} stopped ({stop}): further inequalities may be violated"));
    }
    if let Some(separated) = &relaxed.separated {
        let kept = KeptCuts::format(&separated.kept);
        notes.push(format!("{formulation}: cuts that bind, up to symmetry: {kept}"));
    }
    let answered = relaxed.lp_feasible.is_some();
    let conditions = relaxed.conditions.iter().filter(|_| answered);
    notes.extend(conditions.map(|condition| format!("{formulation} holds if {condition}")));
    notes
}

fn text(board: &Board, table: &[Vec<String>], notes: &[String]) -> String {
    let head = format!("{}, LP relaxations by {} (floating point)\n", board.name(), Highs.solver());
    head + &align_columns(table.to_vec(), &[0]) + &notes.join("\n")
}

/// Compares the LP bounds of formulations on several boards with the best known bounds.
fn compare(
    args: &Args,
    boards: &[Board],
    formulations: &[Formulation],
    settings: &LpSettings<'_>,
    cuts: &mut Option<CutsFile>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if !args.formulation.is_empty() {
        ensure_valid(boards, formulations, settings)?;
    }
    let certificates = archived::certificates(settings.archive)?;
    let (mut rows, mut notes, mut exit) = (Vec::new(), Vec::new(), Exit::Yes);
    for board in boards {
        let alpha = Alpha::of(board, &certificates, settings.archive, settings.deadline)?;
        let of_base = relax(board, &Formulation::builtin("base")?, settings, display)?;
        let base = of_base.relaxed.lp_bound;
        let mut of_base = Some(of_base);
        for formulation in formulations {
            let lp = match of_base.take_if(|of_base| of_base.relaxed.formulation == formulation.name) {
                Some(lp) => lp,
                None => relax(board, formulation, settings, display)?,
            };
            notes.extend(write_files(args, board, formulation, &lp, cuts)?);
            let mut relaxed = lp.relaxed;
            if let Some(reason) = &relaxed.refused {
                notes.push(reason.clone());
                continue;
            }
            let counts_queens = formulation.problem == Problem::IndependentSet && formulation.maximises();
            let mut comparison = match counts_queens {
                true => Comparison::of(relaxed.lp_bound, alpha, base),
                false => Comparison::default(),
            };
            if let Some(solved) = lp.solved.as_ref().filter(|_| args.root) {
                comparison.root_bound = comparison::root_bound(solved, settings, display)?;
            }
            if args.solve {
                comparison.integer = Some(comparison::integer_run(board, formulation, settings, display)?);
            }
            let is_stopped = relaxed.stop != StopReason::Finished.to_string()
                || comparison.integer.as_ref().is_some_and(|run| !run.optimal);
            if is_stopped {
                exit = Exit::Stopped;
            }
            relaxed.comparison = Some(comparison);
            notes.extend(self::notes(&relaxed).into_iter().map(|note| format!("{}: {note}", board.name())));
            rows.push(relaxed);
            interrupt::print_when_stopped(comparison::sheet(&rows, &notes).text(None));
        }
    }
    if rows.is_empty() {
        bail!("{}", notes.first().map_or("there is no LP", String::as_str));
    }
    print_comparison(args, &rows, &notes, out)?;
    Ok(exit)
}

/// Checks that all formulations are valid on all boards, before the first LP is solved.
fn ensure_valid(
    boards: &[Board],
    formulations: &[Formulation],
    settings: &LpSettings<'_>,
) -> anyhow::Result<()> {
    for board in boards {
        for formulation in formulations {
            let variant = Variant::of(Goal::Optimise);
            Model::relaxation(board, formulation, variant, settings.bounds, memory::for_models(None))?;
        }
    }
    Ok(())
}

/// Prints the comparison as JSON, or in the requested format, to the requested file.
fn print_comparison(args: &Args, rows: &[Relaxed], notes: &[String], out: &mut Output) -> anyhow::Result<()> {
    let sheet = comparison::sheet(rows, notes);
    let text = match args.format.or(args.output.as_ref().map(|_| Format::Csv)) {
        None => format!("{}{}\n", sheet.text(None), sheet.notes),
        Some(Format::Csv) => comparison::data(rows).csv(),
        Some(Format::Markdown) => sheet.markdown(),
        Some(Format::Latex) => sheet.latex(),
    };
    if let Some(path) = &args.output {
        file::write(path, |file| file.write_all(text.as_bytes()))?;
    } else if out.json() {
        rows.iter().try_for_each(|row| out.result(row, ""))?;
    } else {
        out.result(&(), &text)?;
    }
    Ok(())
}
