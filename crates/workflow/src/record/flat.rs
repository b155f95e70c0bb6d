//! A question as it is stored in files: one flat object, in which fields that do not apply are empty.

use std::borrow::Cow;

use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::variant::Goal;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::highs::NativeOption;
use ndqueens_solver::branch_and_bound::{Branching, ROOT_ROUNDS};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::question::{HIGHS, NO_FORMULATION};
use super::{CountMethod, Engine, Question, QuestionError, Separated, SquareWeight, Start, Task};

/// Fields of a question, in the order in which they are written.
#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flat {
    command: Command,
    #[serde(deserialize_with = "super::deserialize_board")]
    board: BoardName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board_sha256: Option<String>,
    formulation: String,
    at_least: Option<u64>,
    at_most: Option<u64>,
    exactly: Option<u64>,
    claimed: Option<u64>,
    include: Vec<Vec<u32>>,
    #[serde(with = "RowsKept")]
    #[schemars(with = "RowsKept")]
    rows_kept: RowFilter,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weights: Vec<SquareWeight>,
    start: Start,
    assume_reported: bool,
    #[serde(default)]
    engine: EngineName,
    #[serde(default = "highs")]
    backend: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<CountMethod>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    branching: Option<Branching>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut_rounds: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    separate: Vec<Separated>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    highs_root: bool,
    seed: u32,
    threads: u32,
    time_limit_seconds: Option<f64>,
    node_limit: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    box_limit: Option<u64>,
    presolve: Option<bool>,
    symmetry: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    options: Vec<NativeOption>,
}

/// Returns the backend of records that do not name one.
fn highs() -> String {
    HIGHS.to_owned()
}

/// Name of the backend in records of proofs without an integer program.
const NO_BACKEND: &str = "none";

#[derive(Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Command {
    Solve,
    Prove,
}

/// Engine of a run. A record without an engine is of HiGHS.
#[derive(Clone, Copy, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EngineName {
    #[default]
    Highs,
    Exact,
    Count,
    Lp,
    Relaxation,
    Sat,
    #[serde(rename = "cheapest")]
    Route,
}

impl EngineName {
    fn of(engine: &Engine) -> Self {
        match engine {
            Engine::Backend { .. } => Self::Highs,
            Engine::BranchAndBound { .. } => Self::Lp,
            Engine::Relaxation { .. } => Self::Relaxation,
            Engine::Exact => Self::Exact,
            Engine::Count(_) => Self::Count,
            Engine::Sat => Self::Sat,
            Engine::Route => Self::Route,
        }
    }
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(remote = "RowFilter", rename_all = "lowercase")]
enum RowsKept {
    All,
    Distinct,
    Undominated,
}

impl From<Question> for Flat {
    fn from(question: Question) -> Self {
        let Question { task, board, board_sha256, engine, weights, start, seed, threads, .. } = question;
        let Question { time_limit_seconds, node_limit, box_limit, presolve, symmetry, options, .. } =
            question;
        let mut flat = Self {
            command: Command::Solve,
            board,
            board_sha256,
            formulation: NO_FORMULATION.to_owned(),
            at_least: None,
            at_most: None,
            exactly: None,
            claimed: None,
            include: Vec::new(),
            rows_kept: RowFilter::All,
            weights,
            start,
            assume_reported: false,
            engine: EngineName::of(&engine),
            backend: NO_BACKEND.to_owned(),
            method: None,
            branching: None,
            cut_rounds: None,
            separate: Vec::new(),
            highs_root: false,
            seed,
            threads,
            time_limit_seconds,
            node_limit,
            box_limit,
            presolve,
            symmetry,
            options,
        };
        flat.set_task(task);
        flat.set_engine(engine);
        flat
    }
}

impl Flat {
    fn set_task(&mut self, task: Task) {
        match task {
            Task::Solve { goal, include, rows_kept } => {
                (self.include, self.rows_kept) = (include, rows_kept);
                match goal {
                    Goal::Optimise => {}
                    Goal::AtLeast(k) => self.at_least = Some(k),
                    Goal::AtMost(k) => self.at_most = Some(k),
                    Goal::Exactly(k) => self.exactly = Some(k),
                }
            }
            Task::Prove { claimed, exactly, assume_reported, include } => {
                (self.command, self.include) = (Command::Prove, include);
                (self.claimed, self.exactly, self.assume_reported) = (claimed, exactly, assume_reported);
            }
        }
    }

    fn set_engine(&mut self, engine: Engine) {
        match engine {
            Engine::Backend { formulation, backend } => {
                (self.formulation, self.backend) = (formulation, backend);
            }
            Engine::BranchAndBound { formulation, branching, cut_rounds } => {
                self.formulation = formulation;
                (self.branching, self.cut_rounds) = (Some(branching), Some(cut_rounds));
            }
            Engine::Relaxation { formulation, separate, highs_root } => {
                self.formulation = formulation;
                (self.separate, self.highs_root) = (separate, highs_root);
            }
            Engine::Count(method) => self.method = Some(method),
            Engine::Exact | Engine::Sat | Engine::Route => {
                if self.command == Command::Solve {
                    HIGHS.clone_into(&mut self.backend);
                }
            }
        }
    }
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Flat::from(self.clone()).serialize(serializer)
    }
}

impl JsonSchema for Question {
    fn schema_name() -> Cow<'static, str> {
        "Question".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Flat::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Flat::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl TryFrom<Flat> for Question {
    type Error = QuestionError;

    fn try_from(flat: Flat) -> Result<Self, QuestionError> {
        let (task, engine) = (flat.task()?, flat.engine()?);
        let Flat { board, board_sha256, weights, start, seed, threads, .. } = flat;
        let Flat { time_limit_seconds, node_limit, box_limit, presolve, symmetry, options, .. } = flat;
        let question = Self {
            task,
            board,
            board_sha256,
            engine,
            weights,
            start,
            seed,
            threads,
            time_limit_seconds,
            node_limit,
            box_limit,
            presolve,
            symmetry,
            options,
        };
        question.ensure_answerable()?;
        Ok(question)
    }
}

impl Flat {
    fn engine(&self) -> Result<Engine, QuestionError> {
        let (formulation, backend) = (self.formulation.clone(), self.backend.clone());
        let is_named = formulation != NO_FORMULATION || ![HIGHS, NO_BACKEND].contains(&&*backend);
        let engine = match self.engine {
            EngineName::Highs => Engine::Backend { formulation, backend },
            EngineName::Lp => Engine::BranchAndBound {
                formulation,
                branching: self.branching.unwrap_or_default(),
                cut_rounds: self.cut_rounds.unwrap_or(ROOT_ROUNDS),
            },
            EngineName::Relaxation => Engine::Relaxation {
                formulation,
                separate: self.separate.clone(),
                highs_root: self.highs_root,
            },
            EngineName::Exact => Engine::Exact,
            EngineName::Count => Engine::Count(self.method.ok_or(QuestionError::CountMethod)?),
            EngineName::Sat => Engine::Sat,
            EngineName::Route => Engine::Route,
        };
        let has_formulation = matches!(
            engine,
            Engine::Backend { .. } | Engine::BranchAndBound { .. } | Engine::Relaxation { .. }
        );
        if is_named && !has_formulation {
            return Err(QuestionError::NoFormulation(engine));
        }
        if self.method.is_some() && !matches!(engine, Engine::Count(_)) {
            return Err(QuestionError::CountMethod);
        }
        let has_branching = self.branching.is_some() || self.cut_rounds.is_some();
        let has_separation = !self.separate.is_empty() || self.highs_root;
        if has_separation && !matches!(engine, Engine::Relaxation { .. }) {
            return Err(QuestionError::OnlyRelaxation(engine));
        }
        if has_branching && !matches!(engine, Engine::BranchAndBound { .. }) {
            return Err(QuestionError::OnlyBranchAndBound(engine));
        }
        Ok(engine)
    }

    fn task(&self) -> Result<Task, QuestionError> {
        let Self { at_least, at_most, exactly, claimed, assume_reported, .. } = *self;
        let (command, foreign) = match self.command {
            Command::Solve => {
                ("solve", [("claimed", claimed.is_some()), ("assume_reported", assume_reported)].to_vec())
            }
            Command::Prove => (
                "prove",
                [
                    ("at_least", at_least.is_some()),
                    ("at_most", at_most.is_some()),
                    ("rows_kept", self.rows_kept != RowFilter::All),
                ]
                .to_vec(),
            ),
        };
        if let Some((field, _)) = foreign.into_iter().find(|(_, given)| *given) {
            return Err(QuestionError::OtherCommand { field, command });
        }
        if self.command == Command::Prove {
            let include = self.include.clone();
            return Ok(Task::Prove { claimed, exactly, assume_reported, include });
        }
        let goal = match (at_least, at_most, exactly) {
            (None, None, None) => Goal::Optimise,
            (Some(k), None, None) => Goal::AtLeast(k),
            (None, Some(k), None) => Goal::AtMost(k),
            (None, None, Some(k)) => Goal::Exactly(k),
            _ => return Err(QuestionError::SeveralGoals),
        };
        Ok(Task::Solve { goal, include: self.include.clone(), rows_kept: self.rows_kept })
    }
}
