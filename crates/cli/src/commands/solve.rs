//! `ndq solve`

use std::fmt::Write as _;

use ndqueens_lab::file;
use ndqueens_lab::record::{self, Command, Provenance, Question, Record};
use ndqueens_lab::solve::{self, Event, Problem, Solved};
use ndqueens_model::board::Board;
use ndqueens_model::bound::Bounds;
use ndqueens_model::formulation::{Formulation, Goal};
use ndqueens_solver::backend::{Outcome, StopReason};
use ndqueens_solver::highs::Highs;

use super::Exit;
use crate::args;
use crate::output::Output;
use crate::progress::Display;

pub(super) fn run(args: &args::Solve, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let (record, exit) = solve(args, display)?;
    if let Some(folder) = &args.keep.record {
        let path = record.store(folder)?;
        display.say(&format!("record: {}", path.display()));
    }
    out.result(&record, &text(&record, exit)?)?;
    Ok(exit)
}

/// Solves, and makes the record.
pub(super) fn solve(args: &args::Solve, display: &mut Display) -> anyhow::Result<(Record, Exit)> {
    let board = Board::new(&args.board);
    let recipe = super::recipe(&args.formulation)?;
    let bounds = Bounds::with_reported();
    let variant = super::variant(&board, &args.asked)?;
    let options = args.solver.options();
    let mut start = super::start(&board, &args.start, &variant.include, options.seed)?;
    if let (Goal::AtLeast(k) | Goal::Exactly(k), Some(made)) = (variant.goal, &start)
        && made.size() as u64 != k
        && (made.size() as u64) < k.max(1)
    {
        display.say(&format!("the start has {} queens, fewer than asked for, and is not used", made.size()));
        start = None;
    }
    let mut question = Question::new(Command::Solve, board.name(), &args.formulation, &options);
    question.at_least = args.asked.at_least;
    question.exactly = args.asked.exactly;
    question.include = variant.include.iter().map(|&square| board.coordinates(square)).collect();
    question.rows_kept = format!("{:?}", args.asked.rows).to_lowercase();
    question.start.clone_from(&args.start);
    let memory = args.solver.memory();
    let root = if args.root_bound {
        let formulation = Formulation::new(&board, &recipe, variant.clone(), &bounds, memory)?;
        let watch = &mut |progress: &_| display.show(&Event::Progress(*progress));
        Highs.relax(&formulation.ilp(), &options, watch)?.value
    } else {
        None
    };
    let problem = Problem { board: &board, recipe: &recipe, variant, start: start.as_ref(), options, memory };
    let Solved { run, certificate, mut answer, .. } =
        solve::solve(&problem, &bounds, &Highs, &mut |event| display.show(event))?;
    answer.root_lp_bound = root;
    if let (Some(certificate), Some(path)) = (&certificate, &args.keep.output) {
        file::write(path, |file| write!(file, "{certificate}"))?;
    }
    let exit = match (&run.outcome, run.stop) {
        (Outcome::Infeasible, _) => Exit::No,
        (_, StopReason::Finished) => Exit::Yes,
        _ => Exit::Stopped,
    };
    Ok((Record { layout: record::LAYOUT, question, answer, provenance: Provenance::here() }, exit))
}

fn text(record: &Record, exit: Exit) -> anyhow::Result<String> {
    let Record { question, answer, .. } = record;
    let mut text = String::new();
    let solver = answer.solver.as_deref().unwrap_or("no solver");
    let asked = match (question.at_least, question.exactly) {
        (Some(k), _) => format!(" with at least {k} queens"),
        (_, Some(k)) => format!(" with exactly {k} queens"),
        _ => String::new(),
    };
    match (answer.outcome.as_str(), answer.incumbent) {
        ("optimal", Some(value)) => {
            writeln!(text, "{value} queens on {}: optimal [{}]", question.board, proof(record))?
        }
        ("infeasible", _) => writeln!(text, "no solution{asked} on {} [{}]", question.board, proof(record))?,
        (_, Some(value)) if exit == Exit::Yes => writeln!(text, "{value} queens on {}", question.board)?,
        (_, incumbent) => {
            let incumbent = incumbent.map_or_else(|| "no solution".to_owned(), |n| format!("{n} queens"));
            let bound = answer.proved_bound.map_or_else(|| "none".to_owned(), |bound| bound.to_string());
            writeln!(
                text,
                "stopped ({}): {incumbent} found on {}, bound {bound} [{solver}, float]",
                answer.stop, question.board
            )?;
        }
    }
    for condition in &answer.conditions {
        writeln!(text, "holds if {condition}")?;
    }
    super::prove::write_rest(&mut text, record)?;
    Ok(text)
}

fn proof(record: &Record) -> &str {
    record.answer.proof.as_deref().unwrap_or("no proof")
}
