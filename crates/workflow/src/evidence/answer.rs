//! Answers of other programs to a model: solution files, colourings and cliques.

use std::io;
use std::path::Path;

use ndqueens_model::board::{Board, ensure_memory};
use ndqueens_model::colouring::ColouringProgram;
use ndqueens_model::facts::Bounds;
use ndqueens_model::format::{self, FileFormat, GraphFormat, Subject};
use ndqueens_model::ilp::Program;
use ndqueens_model::model::Model;
use ndqueens_model::variant::Goal;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified as _, ErrorClass};
use ndqueens_solver::backends::claim::SolverStatus;
use ndqueens_solver::backends::solution_file::{self, SolutionFile};

use super::asked_model::{self, AskedModel, AskedModelError};
use super::colouring_text::{AnswerTextError, read_clique, read_colouring};
use super::{
    CheckOptions, CheckedFile, Evidence, EvidenceError, Given, OptionsError, Refusal, colouring, placement,
    squares,
};
use crate::run::formulation;

/// Evidence in the form of answers to a model, which the options name.
#[derive(Debug)]
pub(super) struct Answer;

impl Evidence for Answer {
    fn name(&self) -> &'static str {
        "answer of another program"
    }

    fn is_text(&self, _: &str, options: &CheckOptions<'_>) -> bool {
        options.answer.is_given()
    }

    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        options.refuse_verified(name)
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let Given { name, text, options } = given;
        let text = io::read_to_string(text)
            .map_err(|fault| Refusal::from_read_error(&fault, "the answer of another program"))?;
        let model = AskedModel::of(options).map_err(refuse_model)?;
        options.notes.report_all(model.board.notes());
        let board = Board::new(&model.board);
        let malformed = unreadable::<AnswerTextError>;
        Ok(match &model.subject {
            Subject::Formulation { name: formulation, goal } => {
                let answer = read_squares(&text, formulation, *goal, &board, &model, options)?;
                placement::refuse_empty(&text)?;
                squares::check(name, answer.certificate, answer.violation, options)
            }
            Subject::Colouring { colours } => {
                let answer = read_classes(&text, *colours, &board, &model, (options.memory)())?;
                colouring::report(name, &answer).into()
            }
            Subject::Graph(GraphFormat::Col) => {
                colouring::report(name, &read_colouring(&text, &board).map_err(malformed)?).into()
            }
            Subject::Graph(GraphFormat::Clq) => {
                let clique = read_clique(&text, &board).map_err(malformed)?;
                placement::refuse_empty(&text)?;
                squares::check(name, clique, None, options)
            }
        })
    }
}

/// Refuses the file whose model is not usable, so that the message names the file, too.
#[expect(clippy::needless_pass_by_value, reason = "a function for map_err")]
fn refuse_model(error: AskedModelError) -> Refusal {
    match error.class() {
        ErrorClass::Failure => Refusal::Failed(error.to_string()),
        _ => Refusal::Unreadable(error.to_string()),
    }
}

/// Refuses a file as unreadable for this reason.
#[expect(clippy::needless_pass_by_value, reason = "a function for map_err")]
fn unreadable<E: ToString>(why: E) -> Refusal {
    Refusal::Unreadable(why.to_string())
}

/// Values of the columns of a program in a solution file.
struct Solution {
    file: SolutionFile,
    point: Vec<i64>,
}

/// Reads a solution file of a program. `model_name` is the path of the model in messages.
fn read_solution(
    text: &str,
    program: &dyn Program,
    model: &AskedModel,
    model_name: &str,
) -> Result<Solution, Refusal> {
    let order = match &model.file {
        Some((written, FileFormat::Program(format))) => {
            let names: Vec<&str> = program.columns().iter().map(|column| column.name.as_str()).collect();
            let order = format::column_order(written, *format, &names);
            Some(order.map_err(|fault| unreadable(format!("{model_name}: {fault}")))?)
        }
        _ => None,
    };
    let file = solution_file::read_ordered(text, program, order.as_deref()).map_err(unreadable)?;
    let reports = match file.status {
        SolverStatus::Infeasible => ": infeasibility is a claim of the solver, not a proof",
        SolverStatus::Unbounded => ": it reports \"unbounded\"",
        SolverStatus::Optimal | SolverStatus::Stopped(_) => "",
    };
    let Some(point) = file.point.clone() else {
        return Err(unreadable(format!("the file of {} holds no solution{reports}", file.solver)));
    };
    if !file.named
        && order.is_none()
        && file.solver == "GLPK"
        && let Some(violation) = program.violation(&point)
    {
        return Err(unreadable(format!(
            "cannot be read as a solution of this model: it has numbers in place of names, and in the order of the columns {violation}; \
             name the file that GLPK read with --model, or write names with glpsol -o"
        )));
    }
    Ok(Solution { file, point })
}

/// Squares of an answer, not yet checked.
struct AnswerSquares {
    certificate: Certificate,
    /// Violation of the model, if there is one.
    violation: Option<String>,
}

/// Reads the answer to a formulation.
fn read_squares(
    text: &str,
    name: &str,
    goal: Goal,
    board: &Board,
    asked: &AskedModel,
    options: &CheckOptions<'_>,
) -> Result<AnswerSquares, Refusal> {
    let formulation = formulation::load(name).map_err(|fault| refuse_model(fault.into()))?;
    let variant = asked_model::variant(board, formulation.problem, goal, options).map_err(refuse_model)?;
    let bounds = Bounds::with_publications(options.prior.bounds());
    let model = Model::new(board, &formulation, variant, &bounds, (options.memory)()).map_err(unreadable)?;
    let model_name = options.answer.model.map_or_else(String::new, |path| path.display().to_string());
    let Solution { file, point } = read_solution(text, &model, asked, &model_name)?;
    let squares = model.squares(&point).into_iter().map(|square| board.coordinates(square)).collect();
    let origin = format!("solution file of {}, formulation {}", file.solver, formulation.name);
    let certificate = Certificate {
        problem: formulation.problem,
        ..Certificate::independent(board.name().clone(), squares, origin)
    };
    Ok(AnswerSquares { certificate, violation: model.violation(&point) })
}

/// Reads the answer to a colouring program with a given number of colours. `memory` is the available memory
/// in bytes.
fn read_classes(
    text: &str,
    colours: u64,
    board: &Board,
    asked: &AskedModel,
    memory: u64,
) -> Result<Colouring, Refusal> {
    let colours = usize::try_from(colours).map_err(unreadable)?;
    let bytes = (board.size() as u64).saturating_mul(colours as u64 * 100);
    ensure_memory(board, "its program", bytes, memory).map_err(unreadable)?;
    let program = ColouringProgram::new(board, colours);
    let Solution { file, point } = read_solution(text, &program, asked, "the model")?;
    let mut classes: Vec<Vec<Vec<u32>>> = vec![Vec::new(); colours];
    for (square, values) in board.squares().zip(point.chunks(colours.max(1))) {
        let own: Vec<usize> = (0..values.len()).filter(|&colour| values[colour] == 1).collect();
        let [colour] = own[..] else {
            return Err(unreadable(format!(
                "it is not a colouring: the square {} has {}",
                board.label(square),
                counted(own.len(), "colour")
            )));
        };
        classes[colour].push(board.coordinates(square));
    }
    classes.retain(|class| !class.is_empty());
    let origin = format!("solution file of {}, {}", file.solver, counted(colours, "colour"));
    Ok(Colouring::new(board.name().clone(), ClassKind::IndependentSets, classes, origin))
}
