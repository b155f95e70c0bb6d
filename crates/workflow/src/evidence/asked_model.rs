//! The model that the answer of another program is for, given by a file or by options.

use std::path::{Path, PathBuf};

use ndqueens_crosscheck::vipr::formula::ProgramForm;
use ndqueens_model::board::Board;
use ndqueens_model::format::{self, FileFormat, GraphFormat, Heading, Subject, UnknownExtension};
use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::import::Convention;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::{BoardName, NameError};
use ndqueens_system::file::{self, FileError};

use super::options::{AnswerOptions, CheckOptions};
use crate::run::{self, WorkflowError, formulation};

/// Model that an answer is for.
pub(super) struct AskedModel {
    pub(super) board: BoardName,
    pub(super) subject: Subject,
    /// Text and format of the file that the solver read.
    pub(super) file: Option<(String, FileFormat)>,
}

/// Error of the question that an answer is for.
#[derive(Debug, thiserror::Error)]
pub enum AskedModelError {
    /// Formulation without a board.
    #[error("-f needs --board, the board of the model, or --model, the file that the solver read")]
    NoBoardOfFormulation,
    /// Model that cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Model in an unknown format.
    #[error(transparent)]
    Format(#[from] UnknownExtension),
    /// Model of another board than the requested one.
    #[error("{}: the file is about the board {found}, but {asked} was asked for", path.display())]
    OtherBoard {
        /// Path of the model.
        path: PathBuf,
        /// Board in its first comments.
        found: String,
        /// Requested board.
        asked: BoardName,
    },
    /// Malformed board in the first comments of a model.
    #[error("{}: {fault}", path.display())]
    Board {
        /// Path of the model.
        path: PathBuf,
        /// Error of the name.
        fault: NameError,
    },
    /// Model whose first comments state no question.
    #[error(
        "{}: its first comments do not name board and formulation, as ndq model writes them; name them with --board and -f",
        .0.display()
    )]
    NoHeading(PathBuf),
    /// Formulation for a graph.
    #[error("{}: the file holds no formulation: leave -f away", .0.display())]
    NotAFormulation(PathBuf),
    /// Model with another goal than the requested one.
    #[error("{}: the goal of the file is \"{goal}\", and another number of queens was asked for", path.display())]
    OtherGoal {
        /// Path of the model.
        path: PathBuf,
        /// Goal in its first comments.
        goal: Goal,
    },
    /// Model whose first comments name no formulation.
    #[error("{}: its first comments name no formulation; name it with -f", .0.display())]
    NoFormulation(PathBuf),
    /// VIPR file about another subject than a formulation.
    #[error("{}: a VIPR file is about a formulation on a board", .0.display())]
    ViprSubject(PathBuf),
    /// VIPR file with a goal whose proofs are not checked.
    #[error("{}: VIPR files are not checked for the goal \"{goal}\"", path.display())]
    ViprGoal {
        /// Path of the VIPR file.
        path: PathBuf,
        /// Goal of the model.
        goal: Goal,
    },
    /// Included squares that cannot be part of a solution.
    #[error("{}: {fault}", path.display())]
    Included {
        /// Path of the certificate.
        path: PathBuf,
        /// Error of its check.
        fault: Box<WorkflowError>,
    },
    /// Formulation or certificate that cannot be read.
    #[error(transparent)]
    Workflow(Box<WorkflowError>),
}

impl From<WorkflowError> for AskedModelError {
    fn from(error: WorkflowError) -> Self {
        Self::Workflow(Box::new(error))
    }
}

impl Classified for AskedModelError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::File(fault) if fault.is_failure() => ErrorClass::Failure,
            Self::Workflow(fault) | Self::Included { fault, .. } => fault.class(),
            _ => ErrorClass::BadInput,
        }
    }
}

impl AskedModel {
    /// Returns the model that the options describe.
    pub(super) fn of(options: &CheckOptions<'_>) -> Result<Self, AskedModelError> {
        let AnswerOptions { model, formulation, goal, .. } = options.answer;
        if let Some(path) = model {
            return Self::read(path, options);
        }
        let board = options.board.cloned().ok_or(AskedModelError::NoBoardOfFormulation)?;
        let subject = formulation.map_or(Subject::Graph(GraphFormat::Col), |name| Subject::Formulation {
            name: name.to_owned(),
            goal: goal.unwrap_or(Goal::Optimise),
        });
        Ok(Self { board, subject, file: None })
    }

    /// Reads the file of a model, whose first comments name board and question unless the options do.
    fn read(path: &Path, options: &CheckOptions<'_>) -> Result<Self, AskedModelError> {
        let format = FileFormat::of_path(path)?;
        let text = file::read(path)?;
        let heading = format::heading(&text, format);
        let path = || path.to_owned();
        let board = match (options.board, &heading) {
            (Some(asked), Some(Heading { board: own, .. })) if asked.to_string() != *own => {
                let (found, asked) = (own.clone(), asked.clone());
                return Err(AskedModelError::OtherBoard { path: path(), found, asked });
            }
            (Some(board), _) => board.clone(),
            (None, Some(Heading { board, .. })) => BoardName::parse_with(board, &file::open)
                .map_err(|fault| AskedModelError::Board { path: path(), fault })?,
            (None, None) => return Err(AskedModelError::NoHeading(path())),
        };
        let AnswerOptions { formulation, goal, coloured, .. } = options.answer;
        let own_name = |name: &str, goal| Subject::Formulation { name: name.to_owned(), goal };
        let subject = match (formulation, heading.map(|heading| heading.subject)) {
            (Some(name), Some(Subject::Formulation { goal: own, .. })) => own_name(name, goal.unwrap_or(own)),
            (Some(name), None) => own_name(name, goal.unwrap_or(Goal::Optimise)),
            (Some(_), Some(_)) => return Err(AskedModelError::NotAFormulation(path())),
            (None, Some(Subject::Formulation { goal: own, .. })) if goal.is_some_and(|goal| goal != own) => {
                return Err(AskedModelError::OtherGoal { path: path(), goal: own });
            }
            (None, Some(subject)) => subject,
            (None, None) if coloured => Subject::Graph(GraphFormat::Col),
            (None, None) => return Err(AskedModelError::NoFormulation(path())),
        };
        Ok(Self { board, subject, file: Some((text, format)) })
    }
}

/// Returns the goal and the included squares of the model of an answer.
pub(super) fn variant(
    board: &Board,
    problem: Problem,
    goal: Goal,
    options: &CheckOptions<'_>,
) -> Result<Variant, AskedModelError> {
    let include = match options.answer.include {
        None => Vec::new(),
        Some(path) => {
            let given = run::certificate::read_for(board.name(), path, Convention::Native)?;
            given.note.iter().for_each(|note| (options.remark)(note));
            run::placement_check::verify_included(board, &given.certificate, problem).map_err(|fault| {
                AskedModelError::Included { path: path.to_owned(), fault: Box::new(fault) }
            })?
        }
    };
    Ok(Variant { goal, include, keep: RowFilter::All })
}

/// Returns the board and the form of the integer program that a VIPR file is about. `name` is the path of the
/// VIPR file.
pub(super) fn program_form(
    name: &Path,
    options: &CheckOptions<'_>,
) -> Result<(BoardName, ProgramForm), AskedModelError> {
    let AskedModel { board, subject: Subject::Formulation { name: formulation, goal }, .. } =
        AskedModel::of(options)?
    else {
        return Err(AskedModelError::ViprSubject(name.to_owned()));
    };
    let problem = formulation::load(&formulation)?.problem;
    let limit = match (goal, problem) {
        (Goal::Optimise, _) => None,
        (Goal::AtLeast(limit), Problem::IndependentSet) => Some(limit),
        (Goal::AtMost(limit), Problem::DominatingSet | Problem::IndependentDominatingSet) => Some(limit),
        _ => return Err(AskedModelError::ViprGoal { path: name.to_owned(), goal }),
    };
    let mut included = variant(&Board::new(&board), problem, Goal::Optimise, options)?.include;
    included.sort_unstable();
    let included = included.into_iter().map(|square| square as usize).collect();
    Ok((board, ProgramForm { problem, included, limit, ..ProgramForm::default() }))
}
