//! `ndq solve`

use std::fmt::Write as _;

use anyhow::bail;
use clap::Args as Group;
use ndqueens_control::StopReason;
use ndqueens_files as files;
use ndqueens_knowledge::ARCHIVE;
use ndqueens_lab::record::{self, Command, Provenance, Question, Record};
use ndqueens_lab::run::Event;
use ndqueens_lab::workflow::prove::{self, Exactly, Status};
use ndqueens_lab::workflow::solve::{self, Problem, Solved};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Claim;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::name::BoardName;
use ndqueens_model::variant::Goal;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Outcome, choice};

use super::Exit;
use crate::args::groups::{Asked, Engine, Keep, Solver};
use crate::args::values::{backend, board};
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The recipe: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "RECIPE")]
    pub(crate) formulation: Option<String>,
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// The warm start: cut, greedy, none, or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: String,
    /// The solver: highs, microlp, cbc-lib (in builds with it); highs-cli, cbc, scip or gurobi as commands; or a command
    /// with {model} and {solution}, and perhaps {seconds}, {seed} and {threads}, such as
    /// "cbc {model} -solve -solution {solution}".
    #[arg(long, value_name = "NAME|COMMAND", default_value = "highs", value_parser = backend)]
    pub(crate) backend: String,
    /// What finds and proves the maximum: the recipe's integer programme (highs, or another backend), or the exact engine.
    #[arg(long, value_enum, default_value_t = Engine::Highs)]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) keep: Keep,
    /// Solve the LP relaxation as well, for the record.
    #[arg(long)]
    pub(crate) root_bound: bool,
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let (record, text, exit) = solve(args, display)?;
    if let Some(folder) = &args.keep.record {
        let path = record.store(folder)?;
        display.say(&format!("record: {}", path.display()));
    }
    out.result(&record, &text)?;
    Ok(super::judged(&record, exit))
}

/// Solves; makes the record and the text that tells it.
pub(super) fn solve(args: &Args, display: &mut Display) -> anyhow::Result<(Record, String, Exit)> {
    let board = Board::new(&args.board);
    match args.engine {
        Engine::Exact => return solve_exactly(&board, args, display),
        Engine::Sat => bail!("--engine sat proves a maximum: ndq prove {} --engine sat", board.name()),
        Engine::Highs => {}
    }
    let recipe = super::recipe(args.formulation.as_deref(), &board)?;
    let bounds = Bounds::with_reported();
    let variant = super::variant(&board, recipe.problem, &args.asked)?.settled(&board, &recipe)?;
    let options = args.solver.options();
    let backend = choice::backend(&args.backend)?;
    let mut start = super::start(&board, &args.start, &variant.include, options.seed)?;
    let size = start.as_ref().map_or(0, |made| made.size() as u64);
    let (goal, claim) = (variant.goal, recipe.problem);
    let fits = match goal {
        Goal::Optimise => true,
        Goal::AtLeast(k) => size >= k,
        Goal::AtMost(k) => size <= k,
        Goal::Exactly(k) => size == k,
    };
    if start.is_some() && !fits {
        display
            .say(&format!("the start has {}, {goal} are asked for, and it is not used", board.pieces(size)));
        start = None;
    }
    let mut question = Question::new(Command::Solve, board.name(), &recipe.name, &options);
    question.at_least = args.asked.at_least;
    question.at_most = args.asked.at_most;
    question.exactly = args.asked.exactly;
    question.include = variant.include.iter().map(|&square| board.coordinates(square)).collect();
    question.rows_kept = format!("{:?}", args.asked.rows).to_lowercase();
    question.start.clone_from(&args.start);
    question.backend.clone_from(&args.backend);
    super::make_ready(&args.keep)?;
    let memory = args.solver.memory();
    let root = if args.root_bound {
        let formulation = Formulation::new(&board, &recipe, variant.clone(), &bounds, memory)?;
        let watch = &mut |progress: &_| display.show(&Event::Progress(*progress));
        Highs.relax(&formulation.ilp(), &options, watch)?.value
    } else {
        None
    };
    let problem = Problem {
        board: &board,
        recipe: &recipe,
        variant,
        start: start.as_ref(),
        options,
        memory,
        prior: ARCHIVE,
    };
    let Solved { run, certificate, mut answer, .. } =
        solve::solve(&problem, &bounds, &*backend, &mut |event| display.show(event))?;
    answer.root_lp_bound = root;
    if let (Some(certificate), Some(path)) = (&certificate, &args.keep.output) {
        files::write(path, |file| write!(file, "{certificate}"))?;
    }
    let exit = match (&run.outcome, run.stop) {
        (Outcome::Infeasible, _) => Exit::No,
        (_, StopReason::Finished) => Exit::Yes,
        _ => Exit::Stopped,
    };
    let record = Record { layout: record::LAYOUT, question, answer, provenance: Provenance::here() };
    let text = text(&record, claim, goal, exit)?;
    Ok((record, text, exit))
}

/// Finds a maximum with the exact engine; its proof is checked.
fn solve_exactly(
    board: &Board,
    args: &Args,
    display: &mut Display,
) -> anyhow::Result<(Record, String, Exit)> {
    let for_highs = args.formulation.is_some() || args.backend != "highs" || args.start != "none";
    if for_highs || args.root_bound || args.asked != Asked::default() {
        bail!(
            "--engine exact finds how many queens fit, and takes no recipe, backend, start or other question"
        );
    }
    super::make_ready(&args.keep)?;
    let options = args.solver.options();
    let mut question = Question::new(Command::Solve, board.name(), "none", &options);
    question.engine = "exact".to_owned();
    let exactly = Exactly { options, ..Exactly::default() };
    let mut solved = prove::prove_exactly(board, None, None, &exactly, &mut |event| display.show(event))?;
    if let Some(path) = &args.keep.output {
        files::write(path, |file| write!(file, "{}", solved.certificate))?;
    }
    let (outcome, exit) = match solved.status {
        Status::Open => ("feasible", Exit::Stopped),
        Status::Proved | Status::Refuted | Status::Solved | Status::Conditional => ("optimal", Exit::Yes),
    };
    solved.answer.outcome = outcome.to_owned();
    let record =
        Record { layout: record::LAYOUT, question, answer: solved.answer, provenance: Provenance::here() };
    let text = text(&record, Claim::IndependentSet, Goal::Optimise, exit)?;
    Ok((record, text, exit))
}

fn text(record: &Record, problem: Claim, goal: Goal, exit: Exit) -> anyhow::Result<String> {
    let Record { question, answer, .. } = record;
    let mut text = String::new();
    let solver = answer.solver.as_deref().unwrap_or("no solver");
    let float = if question.engine == "exact" { "" } else { ", float" };
    let board = &Board::new(&question.board);
    let asked = goal.number_on(board);
    let name = board.name();
    let no_solution = match (problem, asked) {
        (Claim::IndependentSet, None) => "no solution".to_owned(),
        (Claim::IndependentSet, Some(asked)) => format!("no solution with {asked}"),
        (_, None) => format!("no {problem}"),
        (_, Some(asked)) => format!("no {problem} of {asked}"),
    };
    let found = |n: i64| {
        let pieces = board.pieces(n.unsigned_abs());
        let dominate = if n == 1 { "dominates" } else { "dominate" };
        match problem {
            Claim::IndependentSet => format!("{pieces} on {name}"),
            Claim::DominatingSet => format!("{pieces} {dominate} {name}"),
            Claim::IndependentDominatingSet => {
                format!("{} {dominate} {name}", pieces.replacen(' ', " independent ", 1))
            }
        }
    };
    match (answer.outcome.as_str(), answer.incumbent) {
        ("optimal", Some(value)) => writeln!(text, "{}: optimal [{}]", found(value), proof(record))?,
        ("infeasible", _) => writeln!(text, "{no_solution} on {name} [{}]", proof(record))?,
        (_, Some(value)) if exit == Exit::Yes => writeln!(text, "{}", found(value))?,
        (_, incumbent) => {
            let incumbent = incumbent.map_or_else(|| format!("no solution on {name}"), found);
            let none = || match (problem, goal) {
                (Claim::IndependentSet, Goal::Optimise) => {
                    format!("{} (trivial)", board.trivial_bound())
                }
                _ => "none".to_owned(),
            };
            let bound = answer.proved_bound.map_or_else(none, |bound| bound.to_string());
            writeln!(text, "stopped ({}): found {incumbent}, bound {bound} [{solver}{float}]", answer.stop)?;
        }
    }
    if let [first, others @ ..] = answer.lemmas.as_slice() {
        let others =
            if others.is_empty() { String::new() } else { format!(" and {} more bounds", others.len()) };
        writeln!(text, "rests on {first}{others}")?;
    }
    for condition in &answer.conditions {
        writeln!(text, "holds if {condition}")?;
    }
    super::prove::write_rest(&mut text, record)?;
    Ok(text)
}

fn proof(record: &Record) -> String {
    let proof = record.answer.proof.as_deref().unwrap_or("no proof");
    if record.question.engine == "exact" {
        return proof.to_owned();
    }
    format!("{proof}, recipe {}", record.question.formulation)
}
