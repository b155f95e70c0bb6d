//! The command `ndq solve`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_model::board::Board;
use ndqueens_model::model::two_on_each_line;
use ndqueens_model::variant::Goal;
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_workflow::dispatch;
use ndqueens_workflow::record::{self as record, Outcome, Question, Record, SquareWeight, Start, Stop, Task};
use ndqueens_workflow::run::RunContext;

use super::Exit;
use super::lp::optimum::read_weights;
use crate::args::groups::{Asked, Engine, Outputs, Solver};
use crate::args::values::{backend, board};
use crate::memory;
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

printed!(Record: "solve");

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("solve.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The formulation: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "FORMULATION")]
    pub(crate) formulation: Option<String>,
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// Maximise the weight of the squares in this CSV file, with the columns square and weight, instead of
    /// the number of queens.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// The warm start: cut, greedy, none, or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: Start,
    /// The solver: highs, microlp, cbc-lib (in builds with it); highs-cli, cbc, scip or gurobi as commands;
    /// or a command with {model} and {solution}, and perhaps {seconds}, {seed}, {threads} and {start}, such
    /// as "cbc {model} -solve -solution {solution}".
    #[arg(long, value_name = "NAME|COMMAND", default_value = "highs", value_parser = backend)]
    pub(crate) backend: String,
    /// The engine that finds and proves the maximum: highs, the formulation's integer program with HiGHS or
    /// another backend; or exact, branch and bound in integers, whose proof is checked.
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Engine::Highs)]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) outputs: Outputs,
    /// Solve the LP relaxation as well, for the record.
    #[arg(long)]
    pub(crate) root_bound: bool,
}

/// Problem and goal, for the words of the answer.
struct Sought {
    problem: Problem,
    goal: Goal,
}

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let (question, sought) = question(args)?;
    super::make_ready(&args.outputs)?;
    display.work_on(format!("solve {}", args.board));
    args.solver.highs.make_ready(&[("-o", args.outputs.output.as_deref())]).map_err(anyhow::Error::msg)?;
    let prior = archive.prior_results();
    let context = RunContext {
        root_bound: args.root_bound,
        log: args.solver.highs.log.as_deref(),
        start_as: args.asked.form.convention,
        ..RunContext::new(memory::for_models(None), &prior, out.notes())
    };
    let record = dispatch::run(&question, &context, &mut |event| display.show(event))?.record;
    let exit = match (record.answer.outcome, record.answer.stop) {
        (Outcome::Infeasible, _) => Exit::No,
        (Outcome::Optimal, _) | (_, Stop::Finished) => Exit::Yes,
        _ => Exit::Stopped,
    };
    let text = text(&record, &sought, exit)?;
    // Report the answer even if a file cannot be written.
    let kept = super::keep(&record, &args.outputs, display, out.notes());
    out.answer(&record, &text)?;
    kept.map(|()| super::exit_of_verdict(&record, exit))
}

fn question(args: &Args) -> anyhow::Result<(Question, Sought)> {
    let board = Board::new(&args.board);
    let has_file = args.asked.include.is_some() || args.start.file().is_some();
    args.asked.form.refuse_without(has_file, "--include and --start FILE").map_err(anyhow::Error::msg)?;
    let options = args.solver.options();
    match args.engine {
        Engine::Exact => {
            let for_highs = args.formulation.is_some()
                || args.backend != "highs"
                || !args.start.is_none()
                || args.weights.is_some()
                || args.root_bound;
            if for_highs || args.asked != Asked::default() {
                bail!(
                    "--engine exact finds how many queens fit, and takes no formulation, backend, start, weights or other question"
                );
            }
            if let Some(flag) = args.solver.first_flag(true) {
                bail!("{flag} is for --engine highs");
            }
            let options = args.solver.options_of_engine();
            let question = Question::new(Task::OPTIMISE, &args.board, record::Engine::Exact, &options);
            Ok((question, Sought { problem: Problem::IndependentSet, goal: Goal::Optimise }))
        }
        Engine::Lp => bail!("--engine lp proves a maximum: ndq prove {} --engine lp", board.name()),
        Engine::Sat => bail!("--engine sat proves a maximum: ndq prove {} --engine sat", board.name()),
        Engine::Highs => {
            let formulation = super::formulation(args.formulation.as_deref(), &board)?;
            let problem = formulation.problem;
            let variant = super::variant(&board, problem, &args.asked)?;
            let include = variant.include.iter().map(|&square| board.coordinates(square)).collect();
            let task = Task::Solve { goal: variant.goal, include, rows_kept: variant.keep };
            let backend = args.backend.clone();
            let engine = record::Engine::Backend { formulation: formulation.name.clone(), backend };
            let mut question = Question::new(task, &args.board, engine, &options);
            question.start = args.start.clone();
            if let Some(path) = &args.weights {
                question.weights = weights(path, &board)?;
            }
            Ok((question, Sought { problem, goal: variant.with_default_goal(&board, &formulation)?.goal }))
        }
    }
}

/// Reads the weights above 0 of a file.
fn weights(path: &Path, board: &Board) -> anyhow::Result<Vec<SquareWeight>> {
    let weights = read_weights(path, board, 0)?;
    let weighted = board.squares().zip(weights).filter(|(_, weight)| *weight > 0);
    let weights: Vec<_> =
        weighted.map(|(square, weight)| SquareWeight { square: board.coordinates(square), weight }).collect();
    if weights.is_empty() {
        bail!("{}: no weight is above 0", path.display());
    }
    Ok(weights)
}

fn text(record: &Record, sought: &Sought, exit: Exit) -> anyhow::Result<Answer> {
    let answer = &record.answer;
    let verdict = describe_verdict(record, sought, exit)?;
    let mut text = String::new();
    super::prove::write_drawn(&mut text, record)?;
    super::prove::write_effort(&mut text, record)?;
    if let [first, others @ ..] = answer.lemmas.as_slice() {
        let others =
            if others.is_empty() { String::new() } else { format!(" and {} more bounds", others.len()) };
        writeln!(text, "rests on {first}{others}")?;
    }
    Ok(Answer { details: text, verdict })
}

/// Describes the outcome and its conditions.
fn describe_verdict(record: &Record, sought: &Sought, exit: Exit) -> Result<String, std::fmt::Error> {
    let Record { question, answer, .. } = record;
    let Sought { problem, goal } = *sought;
    let board = &Board::new(&question.board);
    let name = board.name();
    let mut text = String::new();
    for condition in &answer.conditions {
        writeln!(text, "holds if {condition}")?;
    }
    let solver = answer.solver.as_deref().unwrap_or("no solver");
    let float = if question.engine == record::Engine::Exact { "" } else { ", float" };
    let found = |n: i64| match answer.weight {
        Some(weight) => format!("{} of weight {weight} on {name}", board.format_pieces(n.unsigned_abs())),
        None => describe_found(board, problem, n.unsigned_abs()),
    };
    match (answer.outcome, answer.incumbent) {
        (Outcome::Optimal, Some(value)) => {
            writeln!(text, "{}: optimal [{}]", found(value), proof(record))?;
        }
        (Outcome::Infeasible, _) => {
            let none = describe_none(problem, goal, goal.number_on(board));
            writeln!(text, "{none} on {name} [{}]", proof(record))?;
        }
        (_, Some(value)) if exit == Exit::Yes => writeln!(text, "{}", found(value))?,
        // The solver reports an optimum that its own numbers do not confirm, or no status at all.
        (Outcome::Feasible, Some(value)) if answer.stop == Stop::Unstated => {
            let bound = answer
                .dual_bound
                .map_or_else(|| "no bound stated".to_owned(), |bound| format!("bound {bound}"));
            writeln!(text, "{}: feasible, {bound} [{solver}{float}]", found(value))?;
        }
        (_, incumbent) => {
            let incumbent = incumbent.map_or_else(|| format!("no solution on {name}"), found);
            let none = || match (problem, goal) {
                _ if !question.weights.is_empty() => "none".to_owned(),
                (Problem::IndependentSet, Goal::Optimise) => {
                    format!("{} (trivial)", board.trivial_bound())
                }
                (Problem::NoThreeInLine, Goal::Optimise) => format!("{} (trivial)", two_on_each_line(board)),
                _ => "none".to_owned(),
            };
            let bound = answer.proved_bound.map_or_else(none, |bound| bound.to_string());
            writeln!(text, "stopped ({}): found {incumbent}, bound {bound} [{solver}{float}]", answer.stop)?;
        }
    }
    Ok(text)
}

/// Describes a solution with `n` pieces.
fn describe_found(board: &Board, problem: Problem, n: u64) -> String {
    let (pieces, name) = (board.format_pieces(n), board.name());
    let dominate = if n == 1 { "dominates" } else { "dominate" };
    match problem {
        Problem::IndependentSet => format!("{pieces} on {name}"),
        Problem::NoThreeInLine => format!("{} of {name}, no three in line", board.format_squares(n)),
        Problem::DominatingSet => format!("{pieces} {dominate} {name}"),
        Problem::IndependentDominatingSet => {
            format!("{} {dominate} {name}", pieces.replacen(' ', " independent ", 1))
        }
    }
}

/// Names the solutions that do not exist; `asked` is the goal as a number of pieces.
fn describe_none(problem: Problem, goal: Goal, asked: Option<String>) -> String {
    match (problem, asked) {
        (Problem::IndependentSet | Problem::NoThreeInLine, None) => "no solution".to_owned(),
        (Problem::IndependentSet, Some(asked)) => format!("no solution with {asked}"),
        (Problem::NoThreeInLine, Some(_)) => format!("no solution of size {goal}"),
        (_, None) => format!("no {problem}"),
        (_, Some(asked)) => format!("no {problem} of {asked}"),
    }
}

fn proof(record: &Record) -> String {
    let proof = record.answer.proof.as_deref().unwrap_or("no proof");
    match &record.question.engine {
        record::Engine::Backend { formulation, .. } if record.answer.solver.is_some() => {
            format!("{proof}, formulation {formulation}")
        }
        _ => proof.to_owned(),
    }
}
