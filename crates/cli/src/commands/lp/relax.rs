//! The command `ndq lp relax`.

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_model::board::Board;
use ndqueens_model::formulation::{Formulation, builtin_names};
use ndqueens_notation::name::BoardName;
use ndqueens_report::sheet::align_columns;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options};
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_workflow::run::formulation;

use super::relaxed::{Relaxed, Separated, relax};
use crate::args::groups::{HighsSettings, LpSolver};
use crate::args::values::board;
use crate::commands::Exit;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("relax.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The formulations to compare, such as base,cube [default: all shipped ones for a maximum].
    #[arg(short, long, value_name = "FORMULATION", value_delimiter = ',')]
    pub(crate) formulation: Vec<String>,
    /// Add inequalities of this family that the optimum violates, until it violates no more.
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(crate) separate: Option<Separated>,
    #[command(flatten)]
    pub(crate) solver: LpSolver,
    #[command(flatten)]
    pub(crate) highs: HighsSettings,
}

/// Column headings of the table.
const HEADS: [&str; 6] = ["formulation", "LP bound", "rows", "nonzeros", "iterations", "seconds"];

/// Additional headings if odd cycles are separated.
const SEPARATED: [&str; 2] = ["odd cycles", "LPs"];

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    let formulations: Vec<Formulation> = if args.formulation.is_empty() {
        let shipped = builtin_names().into_iter().map(Formulation::builtin).collect::<Result<Vec<_>, _>>()?;
        shipped.into_iter().filter(Formulation::maximises).collect()
    } else {
        args.formulation.iter().map(|name| Ok(formulation::load(name)?)).collect::<anyhow::Result<_>>()?
    };
    let deadline = Deadline::after(args.solver.limit.time_limit);
    if args.highs.log.is_some() && formulations.len() != 1 {
        bail!("--log stores the log of one formulation, which -f names");
    }
    args.highs.make_ready(&[])?;
    let HighsSettings { options: native, log } = args.highs.clone();
    let options = Options { native, log, ..args.solver.options() };
    let mut exit = Exit::Yes;
    let more: &[&str] = if args.separate.is_some() { &SEPARATED } else { &[] };
    let mut table = vec![HEADS.iter().chain(more).map(ToString::to_string).collect::<Vec<_>>()];
    let mut notes: Vec<String> = Vec::new();
    // If every formulation is rejected, the first reason becomes the error and nothing is printed.
    let (mut rows, mut answered) = (Vec::new(), false);
    for formulation in &formulations {
        let relaxed = relax(archive, &board, formulation, args.separate, &options, deadline, display)?;
        match (&relaxed.refused, relaxed.lp_bound) {
            (Some(reason), _) if args.formulation.is_empty() => notes.push(reason.clone()),
            (Some(reason), _) => return Err(anyhow::Error::msg(reason.clone())),
            (None, bound) => {
                let bound = match (bound, relaxed.lp_feasible) {
                    (Some(bound), _) => format!("{bound:.4}"),
                    (None, Some(true)) => "feasible".to_owned(),
                    (None, Some(false)) => "infeasible".to_owned(),
                    (None, None) => relaxed.stop.clone(),
                };
                let Relaxed { formulation, rows, nonzeros, lp_iterations, seconds, .. } = &relaxed;
                let [rows, nonzeros] = [rows, nonzeros].map(ToString::to_string);
                let (iterations, seconds) = (lp_iterations.to_string(), format!("{seconds:.2}"));
                let mut line = vec![formulation.clone(), bound, rows, nonzeros, iterations, seconds];
                line.extend(
                    relaxed
                        .separated
                        .iter()
                        .flat_map(|added| [added.rows, added.rounds])
                        .map(|n| n.to_string()),
                );
                table.push(line);
                if relaxed.separated.is_some() && relaxed.stop != StopReason::Finished.to_string() {
                    let stop = &relaxed.stop;
                    notes.push(format!("{formulation} stopped ({stop}): further odd cycles may be violated"));
                }
                let answered = relaxed.lp_feasible.is_some();
                notes.extend(
                    relaxed
                        .conditions
                        .iter()
                        .filter(|_| answered)
                        .map(|c| format!("{formulation} holds if {c}")),
                );
            }
        }
        if relaxed.stop != StopReason::Finished.to_string() {
            exit = Exit::Stopped;
        }
        answered |= relaxed.refused.is_none();
        rows.push(relaxed);
        interrupt::print_when_stopped(text(&board, &table, &notes));
        if out.json() && answered {
            rows.drain(..).try_for_each(|row| out.result(&row, ""))?;
        }
    }
    if let (false, Some(reason)) = (answered, rows.iter().find_map(|row| row.refused.as_deref())) {
        bail!("{reason}");
    }
    if !out.json() {
        out.result(&(), &text(&board, &table, &notes))?;
    }
    Ok(exit)
}

fn text(board: &Board, table: &[Vec<String>], notes: &[String]) -> String {
    let head = format!("{}, LP relaxations by {} (floating point)\n", board.name(), Highs.solver());
    head + &align_columns(table.to_vec(), &[0]) + &notes.join("\n")
}
