//! Questions: the complete definition of a run.

use std::fmt;
use std::time::Duration;

use ndqueens_model::board::Board;
use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::own::{MAX_NUMBER, format_square};
use ndqueens_model::variant::Goal;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::NativeOption;
use ndqueens_solver::branch_and_bound::Branching;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Separated, Start};

/// Complete definition of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The task on the board.
    pub task: Task,
    /// The board.
    pub board: BoardName,
    /// SHA-256 of the board file; `None` if the board has none.
    pub board_sha256: Option<String>,
    /// The engine that answers the question.
    pub engine: Engine,
    /// Weights of squares, whose sum is maximised; 0 for other squares. Empty to count queens.
    pub weights: Vec<SquareWeight>,
    /// Warm start.
    pub start: Start,
    /// Random seed of the solver.
    pub seed: u32,
    /// Number of threads of the solver.
    pub threads: u32,
    /// Wall-clock limit in seconds; `None` for no limit.
    pub time_limit_seconds: Option<f64>,
    /// Node limit; `None` for no limit.
    pub node_limit: Option<u64>,
    /// Node limit of each sub-box, if it is less than `node_limit`. Only the exact engine uses it.
    pub box_limit: Option<u64>,
    /// Presolve on or off; `None` for the default of the solver.
    pub presolve: Option<bool>,
    /// Symmetry detection on or off; `None` for the default of the solver.
    pub symmetry: Option<bool>,
    /// Native options of HiGHS.
    pub options: Vec<NativeOption>,
}

/// Square with its weight.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquareWeight {
    /// Coordinates, counted from 0.
    pub square: Vec<u32>,
    /// Weight, 0 or more.
    pub weight: i64,
}

/// The task on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// Find a solution.
    Solve {
        /// Goal for its number of queens.
        goal: Goal,
        /// Squares that the solution must contain.
        include: Vec<Vec<u32>>,
        /// Rows of the integer program that are kept.
        rows_kept: RowFilter,
    },
    /// Prove the maximum.
    Prove {
        /// Number of queens claimed to be the maximum; `None` to determine the maximum.
        claimed: Option<u64>,
        /// Number of queens whose infeasibility is proved, if the question is for exactly this number (the
        /// equality form of Kunt 2023) instead of at least as many. The run fills in the number, which is one
        /// more than the maximum.
        exactly: Option<u64>,
        /// Accept published right-hand sides.
        assume_reported: bool,
        /// Squares that every solution must contain.
        include: Vec<Vec<u32>>,
    },
}

impl Task {
    /// As many queens as possible; as few as possible for dominating sets.
    pub const OPTIMISE: Self =
        Self::Solve { goal: Goal::Optimise, include: Vec::new(), rows_kept: RowFilter::All };
}

/// The engine that answers a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// A backend that solves the integer program of a formulation.
    Backend {
        /// Name of the formulation, or path of its file.
        formulation: String,
        /// Name of the backend, or command that is run.
        backend: String,
    },
    /// Branch and bound on the LP relaxations of a formulation, with a checked proof.
    BranchAndBound {
        /// Name of the formulation, or path of its file.
        formulation: String,
        /// Rule for the choice of the square to branch on.
        branching: Branching,
        /// Number of rounds of clique separation at the root; 0 for no separation.
        cut_rounds: u32,
    },
    /// The LP relaxation of a formulation, solved by HiGHS for its bound.
    Relaxation {
        /// Name of the formulation, or path of its file.
        formulation: String,
        /// Families whose violated inequalities are added.
        separate: Vec<Separated>,
        /// `true` to compute the bound of HiGHS at the root node of the integer program, too.
        highs_root: bool,
    },
    /// The exact engine.
    Exact,
    /// A count of all maximum solutions by this method.
    Count(CountMethod),
    /// A SAT solver.
    Sat,
    /// The default route: techniques that prove a maximum, from the cheapest to the most expensive, until one
    /// closes the gap.
    Route,
}

/// A method of counting the maximum solutions of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountMethod {
    /// The exact engine, which enumerates solutions up to symmetry.
    Fast,
    /// Bron-Kerbosch with the pivot rule of Tomita, Tanaka and Takahashi.
    Bk,
    /// Bron-Kerbosch with the squares at the root in degeneracy ordering.
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

    /// Returns the method with this name, or `None` if the name is unknown.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl Engine {
    /// Returns the engine HiGHS with a formulation.
    #[must_use]
    pub fn highs(formulation: &str) -> Self {
        Self::Backend { formulation: formulation.to_owned(), backend: HIGHS.to_owned() }
    }
}

/// Name of the default backend.
pub(super) const HIGHS: &str = "highs";

/// Name of the formulation in questions without an integer program.
pub(super) const NO_FORMULATION: &str = "none";

/// Writes the name of the engine in files and flags.
impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Backend { .. } => HIGHS,
            Self::BranchAndBound { .. } => "lp",
            Self::Relaxation { .. } => "relaxation",
            Self::Exact => "exact",
            Self::Count(_) => "count",
            Self::Sat => "sat",
            Self::Route => "cheapest",
        })
    }
}

/// Reason why a question is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// More than one number of queens is given.
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
    /// A formulation or a backend is given for an engine that takes none.
    #[error("the engine {0} takes no formulation and no backend")]
    NoFormulation(Engine),
    /// The engine can only prove maxima.
    #[error("the engine {0} proves a maximum and solves nothing else")]
    NotSolved(Engine),
    /// The engine can only count all maximum solutions.
    #[error("a count is of all maximum solutions; it takes no start or other question, and proves nothing")]
    OnlyCount,
    /// A counting method without the engine for counts, or that engine without a method.
    #[error("a method of counting goes with the engine count, and the engine count with a method")]
    CountMethod,
    /// The exact engine can only find maxima.
    #[error("the exact engine finds how many queens fit, and takes no start or other question")]
    OnlyMaximum,
    /// Branch and bound on LPs can only solve the whole program.
    #[error("solving by the engine lp takes no included squares and no filter of rows")]
    OnlyWhole,
    /// A field is only for integer programs.
    #[error("exactly and assume_reported are for the engine highs, not for {0}")]
    OnlyBackend(Engine),
    /// Included squares in a proof are only for branch and bound on LPs.
    #[error("included squares in a proof are for the engine lp, not for {0}")]
    OnlyTreeIncludes(Engine),
    /// A field is only for branch and bound on LPs.
    #[error("branching and cut_rounds are for the engine lp, not for {0}")]
    OnlyBranchAndBound(Engine),
    /// A relaxation is only of the whole program, without a start.
    #[error(
        "the LP relaxation is that of a maximum or minimum; it takes no start or other question, and proves nothing"
    )]
    OnlyBound,
    /// Fields are only for LP relaxations.
    #[error("separate and highs_root are for the engine relaxation, not for {0}")]
    OnlyRelaxation(Engine),
    /// Weights are only for integer programs without a number of queens.
    #[error("weights of squares are maximised by the engine highs, without a number of queens")]
    NoWeights,
    /// A weight of a square is invalid.
    #[error(
        "the weight {weight} of {square} is invalid: weights are whole numbers from 0 to {MAX_NUMBER}, one for a square of the board"
    )]
    InvalidWeight {
        /// The square.
        square: String,
        /// Its weight.
        weight: i64,
    },
    /// The time limit is not a valid number of seconds.
    #[error("a time limit is a number of seconds, 0 or more, not {0}")]
    TimeLimit(String),
}

impl Question {
    /// Creates a question with the settings of the solver and no warm start.
    #[must_use]
    pub fn new(task: Task, board: &BoardName, engine: Engine, options: &Options) -> Self {
        Self {
            task,
            board: board.clone(),
            board_sha256: board_digest(board),
            engine,
            weights: Vec::new(),
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

    /// Checks that the engine can answer the question.
    ///
    /// # Errors
    /// Returns the reason if it cannot.
    pub fn ensure_answerable(&self) -> Result<(), QuestionError> {
        let engine = || self.engine.clone();
        let is_weighable = matches!(
            (&self.task, &self.engine),
            (Task::Solve { goal: Goal::Optimise, .. }, Engine::Backend { .. })
        );
        if !self.weights.is_empty() && !is_weighable {
            return Err(QuestionError::NoWeights);
        }
        match (&self.task, &self.engine) {
            (Task::Prove { include, .. }, engine)
                if !include.is_empty() && !matches!(engine, Engine::BranchAndBound { .. }) =>
            {
                return Err(QuestionError::OnlyTreeIncludes(engine.clone()));
            }
            (_, Engine::Backend { .. }) => {}
            (Task::Solve { include, rows_kept, .. }, Engine::BranchAndBound { .. })
                if !include.is_empty() || *rows_kept != RowFilter::All =>
            {
                return Err(QuestionError::OnlyWhole);
            }
            (Task::Solve { .. }, Engine::Sat | Engine::Route) => {
                return Err(QuestionError::NotSolved(engine()));
            }
            (task, Engine::Relaxation { .. }) if *task != Task::OPTIMISE || !self.start.is_none() => {
                return Err(QuestionError::OnlyBound);
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
                return Err(QuestionError::OnlyBackend(engine()));
            }
            (Task::Solve { .. } | Task::Prove { .. }, _) => {}
        }
        self.time_limit().map(|_| ())
    }

    /// Returns the time limit. A limit that exceeds the range of [`Duration`] becomes [`Duration::MAX`].
    fn time_limit(&self) -> Result<Option<Duration>, QuestionError> {
        let limit = self.time_limit_seconds.map(|seconds| match Duration::try_from_secs_f64(seconds) {
            Ok(limit) => Ok(limit),
            Err(_) if seconds > 0.0 => Ok(Duration::MAX),
            Err(_) => Err(QuestionError::TimeLimit(seconds.to_string())),
        });
        limit.transpose()
    }

    /// Returns the settings of the solver.
    ///
    /// # Errors
    /// Returns an error if the time limit is invalid.
    pub fn options(&self) -> Result<Options, QuestionError> {
        Ok(Options {
            seed: self.seed,
            threads: Some(self.threads),
            time_limit: self.time_limit()?,
            node_limit: self.node_limit,
            box_limit: self.box_limit,
            presolve: self.presolve,
            symmetry: self.symmetry,
            native: self.options.clone(),
            ..Options::default()
        })
    }

    /// Returns the weight of each square of the board, or `None` if queens are counted.
    ///
    /// # Errors
    /// Returns an error if a weight is out of range, or its square is not on the board or occurs twice.
    pub fn square_weights(&self, board: &Board) -> Result<Option<Vec<i64>>, QuestionError> {
        if self.weights.is_empty() {
            return Ok(None);
        }
        let mut weights = vec![None; board.size()];
        for SquareWeight { square, weight } in &self.weights {
            let place = board.square(square).map(|square| &mut weights[square as usize]);
            match place {
                Some(place @ None) if (0..=MAX_NUMBER).contains(weight) => *place = Some(*weight),
                _ => {
                    let (square, weight) = (format_square(square), *weight);
                    return Err(QuestionError::InvalidWeight { square, weight });
                }
            }
        }
        Ok(Some(weights.into_iter().map(Option::unwrap_or_default).collect()))
    }

    /// Returns the goal for the number of queens.
    #[must_use]
    pub fn goal(&self) -> Goal {
        match &self.task {
            Task::Solve { goal, .. } => *goal,
            Task::Prove { exactly: Some(k), .. } => Goal::Exactly(*k),
            Task::Prove { exactly: None, .. } => Goal::Optimise,
        }
    }

    /// Returns the target number of queens; `None` if the question has none.
    #[must_use]
    pub fn target(&self) -> Option<u64> {
        match self.goal() {
            Goal::Optimise => None,
            Goal::AtLeast(k) | Goal::AtMost(k) | Goal::Exactly(k) => Some(k),
        }
    }

    /// Returns the name of the formulation, or the path of its file; `none` without an integer program.
    #[must_use]
    pub fn formulation(&self) -> &str {
        match &self.engine {
            Engine::Backend { formulation, .. }
            | Engine::BranchAndBound { formulation, .. }
            | Engine::Relaxation { formulation, .. } => formulation,
            Engine::Exact | Engine::Count(_) | Engine::Sat | Engine::Route => NO_FORMULATION,
        }
    }

    /// Returns the name of the backend, or the command that is run; `None` without an integer program.
    #[must_use]
    pub fn backend(&self) -> Option<&str> {
        match &self.engine {
            Engine::Backend { backend, .. } => Some(backend),
            Engine::BranchAndBound { .. }
            | Engine::Relaxation { .. }
            | Engine::Exact
            | Engine::Count(_)
            | Engine::Sat
            | Engine::Route => None,
        }
    }
}

/// Parses the name of a board and reads its file if it has one, for serde.
///
/// # Errors
/// Returns an error if the name is unknown or its file cannot be read.
pub fn deserialize_board<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardName, D::Error> {
    BoardName::parse_with(&String::deserialize(deserializer)?, &ndqueens_system::file::open)
        .map_err(serde::de::Error::custom)
}

/// Returns the digest of the board's file; `None` if the board has no file.
#[must_use]
pub fn board_digest(board: &BoardName) -> Option<String> {
    match board {
        BoardName::File(file) => Some(file.digest()),
        _ => None,
    }
}
