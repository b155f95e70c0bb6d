//! What defines a run.

use std::fmt;
use std::time::Duration;

use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::variant::Goal;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::NativeOption;
use ndqueens_solver::branch_and_bound::Branching;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::Start;

/// Everything that defines a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked of the board.
    pub task: Task,
    /// The board.
    pub board: BoardName,
    /// SHA-256 of the board file, when the board has one.
    pub board_sha256: Option<String>,
    /// What answers it.
    pub engine: Engine,
    /// What it begins with.
    pub start: Start,
    /// The solver's seed.
    pub seed: u32,
    /// The solver's threads.
    pub threads: u32,
    /// Wall-clock limit in seconds [default: none].
    pub time_limit_seconds: Option<f64>,
    /// Node limit.
    pub node_limit: Option<u64>,
    /// Node limit of each sub-box.
    pub box_limit: Option<u64>,
    /// Presolve on or off, when not left to the solver.
    pub presolve: Option<bool>,
    /// Symmetry detection on or off, when not left to the solver.
    pub symmetry: Option<bool>,
    /// Options of HiGHS by their own names.
    pub options: Vec<NativeOption>,
}

/// What is asked of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// A solution.
    Solve {
        /// What is asked of its number of queens.
        goal: Goal,
        /// Squares that must be part of it.
        include: Vec<Vec<u32>>,
        /// Which rows of the integer program are kept.
        rows_kept: RowFilter,
    },
    /// A proof of the maximum.
    Prove {
        /// The number claimed to be the maximum; whatever it is when absent.
        claimed: Option<u64>,
        /// The number of queens that are shown not to fit, where exactly so many are asked for (the equality form of Kunt 2023)
        /// instead of at least as many. The run fills in the number, which is one more than the maximum.
        exactly: Option<u64>,
        /// Whether published right-hand sides are taken as given.
        assume_reported: bool,
        /// Squares that must be part of every solution.
        include: Vec<Vec<u32>>,
    },
}

impl Task {
    /// As many queens as possible; as few as possible for dominating sets.
    pub const OPTIMISE: Self =
        Self::Solve { goal: Goal::Optimise, include: Vec::new(), rows_kept: RowFilter::All };
}

/// What answers a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// A backend, given the integer program of a formulation.
    Programme {
        /// The formulation: its name, or the path of its file.
        formulation: String,
        /// The backend: its name, or the command that is run.
        backend: String,
    },
    /// Branch and bound on the LP relaxations of a formulation, with a proof that is checked.
    BranchAndBound {
        /// The formulation: its name, or the path of its file.
        formulation: String,
        /// Rule for the choice of the square to branch on.
        branching: Branching,
        /// Rounds of separation of cliques at the root; 0 for no separation.
        cut_rounds: u32,
    },
    /// The exact engine.
    Exact,
    /// A count of all maximum solutions by this method.
    Count(CountMethod),
    /// A SAT solver.
    Sat,
    /// Of the techniques that prove a maximum the cheapest that closes the gap.
    Cheapest,
}

/// A method of counting the maximum solutions of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountMethod {
    /// The exact engine, which enumerates solutions up to symmetry.
    Fast,
    /// Bron-Kerbosch with the pivot rule of Tomita, Tanaka and Takahashi.
    Bk,
    /// The same with the squares at the root in degeneracy ordering.
    BkDegeneracy,
    /// Plain recursion, which finds the maximum and does not count.
    Recursive,
    /// Branch and bound with a colouring bound, which finds the maximum and does not count.
    MaxClique,
}

impl CountMethod {
    /// Every method, in the order in which messages list them.
    pub const ALL: [Self; 5] = [Self::Fast, Self::Bk, Self::BkDegeneracy, Self::Recursive, Self::MaxClique];

    /// Returns the name of the method in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Bk => "bk",
            Self::BkDegeneracy => "bk-degeneracy",
            Self::Recursive => "recursive",
            Self::MaxClique => "max-clique",
        }
    }

    /// Returns the method with this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl Engine {
    /// HiGHS with a formulation.
    #[must_use]
    pub fn highs(formulation: &str) -> Self {
        Self::Programme { formulation: formulation.to_owned(), backend: HIGHS.to_owned() }
    }
}

/// The backend where none is named.
pub(super) const HIGHS: &str = "highs";

/// The formulation where there is no integer program.
pub(super) const NO_FORMULATION: &str = "none";

/// The name under which files and flags know it.
impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Programme { .. } => HIGHS,
            Self::BranchAndBound { .. } => "lp",
            Self::Exact => "exact",
            Self::Count(_) => "count",
            Self::Sat => "sat",
            Self::Cheapest => "cheapest",
        })
    }
}

/// Why there is no such question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// Only one number can be asked for.
    #[error("several numbers of queens are asked for; at_least, at_most and exactly exclude each other")]
    SeveralGoals,
    /// A field belongs to the other command.
    #[error("{field} is not for {command}")]
    OtherCommand {
        /// The field.
        field: &'static str,
        /// The command.
        command: &'static str,
    },
    /// The engine has no integer program.
    #[error("the engine {0} takes no formulation and no backend")]
    NoProgramme(Engine),
    /// The engine proves maxima and nothing else.
    #[error("the engine {0} proves a maximum and solves nothing else")]
    NotSolved(Engine),
    /// Counts are of maximum solutions.
    #[error("a count is of all maximum solutions; it takes no start or other question, and proves nothing")]
    OnlyCount,
    /// The method of a count goes with the engine for counts, and that with a method.
    #[error("a method of counting goes with the engine count, and the engine count with a method")]
    CountMethod,
    /// The exact engine finds maxima and nothing else.
    #[error("the exact engine finds how many queens fit, and takes no start or other question")]
    OnlyMaximum,
    /// Branch and bound on LPs solves the whole program.
    #[error("solving by the engine lp takes no included squares and no filter of rows")]
    OnlyWholeProgramme,
    /// A field is for integer programs alone.
    #[error("exactly and assume_reported are for the engine highs, not for {0}")]
    OnlyProgramme(Engine),
    /// Included squares are for branch and bound on LPs.
    #[error("included squares in a proof are for the engine lp, not for {0}")]
    OnlyTreeIncludes(Engine),
    /// A field is for branch and bound on LPs alone.
    #[error("branching and cut_rounds are for the engine lp, not for {0}")]
    OnlyBranchAndBound(Engine),
    /// The limit is no time.
    #[error("a time limit is a number of seconds, 0 or more, not {0}")]
    TimeLimit(String),
}

impl Question {
    /// A question with the solver's settings filled in, and nothing to begin with.
    #[must_use]
    pub fn new(task: Task, board: &BoardName, engine: Engine, options: &Options) -> Self {
        Self {
            task,
            board: board.clone(),
            board_sha256: board_digest(board),
            engine,
            start: Start::None,
            seed: options.seed,
            threads: options.threads.unwrap_or(1),
            time_limit_seconds: options.time_limit.map(|limit| limit.as_secs_f64()),
            node_limit: options.node_limit,
            box_limit: options.box_limit,
            presolve: options.presolve,
            symmetry: options.symmetry,
            options: options.native.clone(),
        }
    }

    /// Finds out whether its engine can answer it.
    ///
    /// # Errors
    /// When it cannot.
    pub fn ensure_answerable(&self) -> Result<(), QuestionError> {
        let engine = || self.engine.clone();
        match (&self.task, &self.engine) {
            (Task::Prove { include, .. }, engine)
                if !include.is_empty() && !matches!(engine, Engine::BranchAndBound { .. }) =>
            {
                return Err(QuestionError::OnlyTreeIncludes(engine.clone()));
            }
            (_, Engine::Programme { .. }) => {}
            (Task::Solve { include, rows_kept, .. }, Engine::BranchAndBound { .. })
                if !include.is_empty() || *rows_kept != RowFilter::All =>
            {
                return Err(QuestionError::OnlyWholeProgramme);
            }
            (Task::Solve { .. }, Engine::Sat | Engine::Cheapest) => {
                return Err(QuestionError::NotSolved(engine()));
            }
            (task, Engine::Count(_)) if *task != Task::OPTIMISE || !self.start.is_none() => {
                return Err(QuestionError::OnlyCount);
            }
            (task @ Task::Solve { .. }, Engine::Exact)
                if *task != Task::OPTIMISE || !self.start.is_none() =>
            {
                return Err(QuestionError::OnlyMaximum);
            }
            (Task::Prove { exactly, assume_reported, .. }, _) if exactly.is_some() || *assume_reported => {
                return Err(QuestionError::OnlyProgramme(engine()));
            }
            (Task::Solve { .. } | Task::Prove { .. }, _) => {}
        }
        self.time_limit().map(|_| ())
    }

    /// A limit that no clock can tell is never over.
    fn time_limit(&self) -> Result<Option<Duration>, QuestionError> {
        let limit = self.time_limit_seconds.map(|seconds| match Duration::try_from_secs_f64(seconds) {
            Ok(limit) => Ok(limit),
            Err(_) if seconds > 0.0 => Ok(Duration::MAX),
            Err(_) => Err(QuestionError::TimeLimit(seconds.to_string())),
        });
        limit.transpose()
    }

    /// The solver's settings.
    ///
    /// # Errors
    /// When the limit is no time.
    pub fn options(&self) -> Result<Options, QuestionError> {
        Ok(Options {
            seed: self.seed,
            threads: Some(self.threads),
            time_limit: self.time_limit()?,
            node_limit: self.node_limit,
            box_limit: self.box_limit,
            presolve: self.presolve,
            symmetry: self.symmetry,
            start: None,
            native: self.options.clone(),
            log: None,
        })
    }

    /// What is asked of the number of queens.
    #[must_use]
    pub fn goal(&self) -> Goal {
        match &self.task {
            Task::Solve { goal, .. } => *goal,
            Task::Prove { exactly: Some(k), .. } => Goal::Exactly(*k),
            Task::Prove { exactly: None, .. } => Goal::Optimise,
        }
    }

    /// The number of queens asked for, when there is one.
    #[must_use]
    pub fn asked(&self) -> Option<u64> {
        match self.goal() {
            Goal::Optimise => None,
            Goal::AtLeast(k) | Goal::AtMost(k) | Goal::Exactly(k) => Some(k),
        }
    }

    /// The formulation: its name, or the path of its file; `none` where there is no integer program.
    #[must_use]
    pub fn formulation(&self) -> &str {
        match &self.engine {
            Engine::Programme { formulation, .. } | Engine::BranchAndBound { formulation, .. } => formulation,
            Engine::Exact | Engine::Count(_) | Engine::Sat | Engine::Cheapest => NO_FORMULATION,
        }
    }

    /// The backend: its name, or the command that is run; `None` where there is no integer program.
    #[must_use]
    pub fn backend(&self) -> Option<&str> {
        match &self.engine {
            Engine::Programme { backend, .. } => Some(backend),
            Engine::BranchAndBound { .. }
            | Engine::Exact
            | Engine::Count(_)
            | Engine::Sat
            | Engine::Cheapest => None,
        }
    }
}

/// Opens the board that a record names, for serde.
///
/// # Errors
/// When the name is none, or its file cannot be read.
pub fn opened<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardName, D::Error> {
    BoardName::parse_with(&String::deserialize(deserializer)?, &ndqueens_system::file::open)
        .map_err(serde::de::Error::custom)
}

/// The digest of a board's file, if it has one.
#[must_use]
pub fn board_digest(board: &BoardName) -> Option<String> {
    match board {
        BoardName::File(file) => Some(file.digest()),
        _ => None,
    }
}
