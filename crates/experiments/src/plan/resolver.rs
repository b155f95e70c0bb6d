//! Runs of combinations: the question that a board, a formulation, a variant and a backend define.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::facts::known;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::model::{Model, ModelError};
use ndqueens_model::variant::{Goal, Variant, full_size};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_notation::similar::did_you_mean;
use ndqueens_solver::backends::{Options, choice};
use ndqueens_solver::branch_and_bound::ROOT_ROUNDS;
use ndqueens_system::file;
use ndqueens_workflow::lp::relaxation::ensure_separable;
use ndqueens_workflow::record::{CountMethod, Engine, Question, Start, Task};
use ndqueens_workflow::run::formulation;
use toml::Spanned;

use super::combination::{Combination, is_name_of};
use crate::definition::{Definition, DefinitionError};
use crate::planned::{EXACT, LP, Planned, RELAXATION};
use crate::variant::Asks;

/// Name used in place of a formulation for the exact engine and for counts.
const NO_FORMULATION: &str = "none";

const VARIANT_NAMES: [&str; 6] = ["maximise", "minimise", "k+1", "at least k+1", "warm start", "count"];

const VARIANTS: &str = "maximise, minimise, k+1, at least k+1, warm start, count, and with a number exactly N, at least N and at most N";

/// Formulations of an experiment, and the values of its file that a run uses.
pub(super) struct Resolver<'a> {
    definition: &'a Definition,
    formulations: HashMap<String, Formulation>,
    /// Boards of `[k]` whose number has been used by a run.
    used_boards: HashSet<String>,
    /// Positions of the `start` values that a run uses.
    used_starts: HashSet<usize>,
}

/// Engine of a run, and the goal of its question.
struct Request {
    engine: Engine,
    goal: Goal,
    problem: Problem,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(definition: &'a Definition) -> Self {
        let (formulations, used_boards, used_starts) = Default::default();
        Self { definition, formulations, used_boards, used_starts }
    }

    /// Loads a formulation. Combinations may name loaded formulations only.
    pub(super) fn load_formulation(&mut self, name: &Spanned<String>) -> Result<(), DefinitionError> {
        let text = name.get_ref();
        if text != NO_FORMULATION && !self.formulations.contains_key(text) {
            let loaded =
                formulation::load(text).map_err(|e| self.definition.fault_of(name, e.to_string()))?;
            self.formulations.insert(text.clone(), loaded);
        }
        Ok(())
    }

    /// Checks that each start and each number of `[k]` has been used by a run.
    pub(super) fn ensure_all_used(&self) -> Result<(), DefinitionError> {
        let contents = &self.definition.contents;
        let starts = contents.runs.iter().map(|block| &block.get_ref().start);
        let mut starts = starts.chain([&contents.defaults.start]).flatten();
        if let Some(start) = starts.find(|start| !self.used_starts.contains(&start.span().start)) {
            let words = "no run starts from it: that takes the variant \"warm start\"";
            return Err(self.definition.fault_of(start, words));
        }
        match contents.k.keys().find(|board| !self.used_boards.contains(board.get_ref())) {
            Some(board) => {
                let words = "no run asks for more queens than are known on this board";
                Err(self.definition.fault_of(board, words))
            }
            None => Ok(()),
        }
    }

    /// Returns the run of a combination for these seeds, with seed, root bound and id left open.
    pub(super) fn plan_run(
        &mut self,
        combination: &Combination<'_>,
        seeds: &[u32],
        options: &Options,
    ) -> Result<Planned, DefinitionError> {
        let Combination { block, board, variant, backend, .. } = combination;
        let asks = self.parse_variant(combination)?;
        let method = CountMethod::by_name(backend.get_ref());
        self.ensure_matching(method, asks, combination)?;
        if let Some(method) = method {
            self.refuse_unused_settings(method, combination, seeds)?;
        }
        let goal = self.goal(asks, combination)?;
        let request = match (method, backend.get_ref().as_str()) {
            (Some(method), _) => {
                Request { engine: Engine::Count(method), goal, problem: Problem::IndependentSet }
            }
            (None, EXACT) => {
                self.ensure_exact_takes(asks, combination, options)?;
                Request { engine: Engine::Exact, goal, problem: Problem::IndependentSet }
            }
            (None, RELAXATION) => self.request_relaxation(asks, goal, combination, options)?,
            (None, LP) => self.request_branch_and_bound(asks, goal, combination, options)?,
            (None, _) => {
                let request = self.request_backend(asks, goal, combination)?;
                self.ensure_backend_takes(asks, combination, seeds, options)?;
                request
            }
        };
        self.refuse_branching(combination)?;
        self.refuse_separation(combination)?;
        let task = Task::Solve { goal: request.goal, include: Vec::new(), rows_kept: RowFilter::All };
        let mut question = Question::new(task, board.get_ref(), request.engine, options);
        if asks == Asks::WarmStart {
            question.start = self.start(combination)?;
        }
        Ok(Planned {
            id: String::new(),
            variant: variant.get_ref().clone(),
            problem: request.problem,
            question,
            root_bound: false,
            memory_limit_mib: block.memory_mib.as_ref().map(|mib| *mib.get_ref()),
        })
    }

    fn parse_variant(&self, combination: &Combination<'_>) -> Result<Asks, DefinitionError> {
        let variant = combination.variant.get_ref();
        Asks::of(variant).ok_or_else(|| {
            let similar = did_you_mean(variant, VARIANT_NAMES);
            let words = format!("unknown variant \"{variant}\"; expected one of {VARIANTS}{similar}");
            self.definition.fault(combination.variant_place(), words)
        })
    }

    /// Checks that variant, formulation and backend go together.
    fn ensure_matching(
        &self,
        method: Option<CountMethod>,
        asks: Asks,
        combination: &Combination<'_>,
    ) -> Result<(), DefinitionError> {
        let Combination { block, formulation, backend, .. } = combination;
        if method.is_some() != (asks == Asks::Count) {
            let methods = CountMethod::ALL.map(CountMethod::name).join(", ");
            let words = match (asks, &block.backends) {
                (Asks::Count, None) => format!("the variant \"count\" needs backends, of {methods}"),
                _ => format!("the variant \"count\" goes with the backends {methods}, and these with it"),
            };
            return Err(self.definition.fault(combination.variant_place(), words));
        }
        let has_formulation = formulation.get_ref() != NO_FORMULATION;
        let words = match method {
            Some(_) if has_formulation => "a count takes no formulation: \"none\" goes with it",
            None if has_formulation == (backend.get_ref() == EXACT) => {
                "the exact engine takes no formulation, and the other backends need one: \"none\" goes with \"exact\""
            }
            _ => return Ok(()),
        };
        Err(self.definition.fault_of(formulation, words))
    }

    /// Checks that a block of counts has no settings that a count does not use.
    fn refuse_unused_settings(
        &self,
        method: CountMethod,
        combination: &Combination<'_>,
        seeds: &[u32],
    ) -> Result<(), DefinitionError> {
        let block = combination.block;
        let is_serial = method != CountMethod::Fast;
        let several = block.threads.as_ref().filter(|threads| is_serial && *threads.get_ref() > 1);
        let seeded = block.seeds.as_ref().filter(|_| seeds != [0]);
        let at_variant = |is_set: bool| is_set.then(|| combination.variant_place());
        let settings = [
            ("nodes", block.nodes.as_ref().map(Spanned::span)),
            ("seeds", seeded.map(Spanned::span)),
            ("threads above 1", several.map(Spanned::span)),
            ("root_bound", at_variant(block.root_bound == Some(true))),
            ("presolve", at_variant(block.presolve.is_some())),
            ("symmetry", at_variant(block.symmetry.is_some())),
            ("options", at_variant(block.options.is_some())),
        ];
        match settings.into_iter().find_map(|(name, place)| place.map(|place| (name, place))) {
            Some((name, place)) => {
                let words = format!("a count by {} does not use {name}; leave the key out", method.name());
                Err(self.definition.fault(place, words))
            }
            None => Ok(()),
        }
    }

    /// Checks that only branch and bound has settings of its own.
    fn refuse_branching(&self, combination: &Combination<'_>) -> Result<(), DefinitionError> {
        let block = combination.block;
        let branching = block.branching.as_ref().map(Spanned::span);
        match branching.or(block.cut_rounds.as_ref().map(Spanned::span)) {
            Some(place) if combination.backend.get_ref() != LP => {
                Err(self.definition.fault(place, "branching and cut_rounds are for the backend \"lp\""))
            }
            _ => Ok(()),
        }
    }

    /// Checks that only LP relaxations have settings of their own.
    fn refuse_separation(&self, combination: &Combination<'_>) -> Result<(), DefinitionError> {
        let block = combination.block;
        let separate = block.separate.as_ref().map(Spanned::span);
        match separate.or(block.highs_root.as_ref().map(Spanned::span)) {
            Some(place) if combination.backend.get_ref() != RELAXATION => {
                let words = "separate and highs_root are for the backend \"relaxation\"";
                Err(self.definition.fault(place, words))
            }
            _ => Ok(()),
        }
    }

    /// Returns a request for the LP bound of a formulation.
    fn request_relaxation(
        &self,
        asks: Asks,
        goal: Goal,
        combination: &Combination<'_>,
        options: &Options,
    ) -> Result<Request, DefinitionError> {
        let Combination { block, board, formulation, .. } = combination;
        let Request { goal, problem, .. } = self.request_backend(asks, goal, combination)?;
        if goal != Goal::Optimise || asks == Asks::WarmStart {
            let words =
                "the LP relaxation bounds a maximum or a minimum, without a number of queens or a start";
            return Err(self.definition.fault(combination.variant_place(), words));
        }
        let unused = [
            ("nodes", block.nodes.as_ref().map(Spanned::span)),
            ("symmetry", options.symmetry.is_some().then(|| combination.backend.span())),
            ("root_bound", (block.root_bound == Some(true)).then(|| combination.backend.span())),
        ];
        if let Some((name, place)) = unused.into_iter().find_map(|(name, place)| Some((name, place?))) {
            let words = format!("a relaxation does not use {name}; leave the key out");
            return Err(self.definition.fault(place, words));
        }
        let separate = block.separate.as_ref().map(|families| families.get_ref().clone()).unwrap_or_default();
        let board_of_run = Board::new(board.get_ref());
        if let (Some(place), Err(fault)) = (
            &block.separate,
            ensure_separable(&separate, &board_of_run, &self.formulations[formulation.get_ref()]),
        ) {
            return Err(self.definition.fault_of(place, fault.to_string()));
        }
        let engine = Engine::Relaxation {
            formulation: formulation.get_ref().clone(),
            separate,
            highs_root: block.highs_root.as_ref().is_some_and(|on| *on.get_ref()),
        };
        Ok(Request { engine, goal, problem })
    }

    fn ensure_exact_takes(
        &self,
        asks: Asks,
        combination: &Combination<'_>,
        options: &Options,
    ) -> Result<(), DefinitionError> {
        if asks != Asks::Maximise {
            let words = "the exact engine only maximises";
            return Err(self.definition.fault(combination.variant_place(), words));
        }
        if !options.native.is_empty() {
            let words = "the exact engine takes no options of HiGHS";
            return Err(self.definition.fault_of(combination.backend, words));
        }
        Ok(())
    }

    /// Returns a request to solve a formulation by a backend.
    fn request_backend(
        &self,
        asks: Asks,
        goal: Goal,
        combination: &Combination<'_>,
    ) -> Result<Request, DefinitionError> {
        let name = combination.formulation.get_ref();
        let board = Board::new(combination.board.get_ref());
        let formulation = &self.formulations[name];
        let problem = formulation.problem;
        let is_wrong_way = match asks {
            Asks::Maximise => !problem.is_maximised(),
            Asks::Minimise => problem.is_maximised(),
            _ => false,
        };
        if is_wrong_way {
            let variant = combination.variant;
            let words = format!("formulation {name} is about {problem}s, not to {variant}");
            return Err(self.definition.fault(combination.variant_place(), words));
        }
        Model::for_writing(&board, formulation, Variant::of(goal), &Theorems, u64::MAX)
            // With one queen more than is known, the number may exceed the trivial bound, which then
            // answers the question.
            .and_then(|model| match asks {
                Asks::Beyond { .. } => Ok(()),
                _ => model.ensure_open(),
            })
            .map_err(|e| {
                let place = match e {
                    ModelError::AboveTrivialBound { .. } | ModelError::Unsuited { .. } => {
                        combination.variant_place()
                    }
                    _ => combination.formulation.span(),
                };
                self.definition.fault(place, e.to_string())
            })?;
        let full = (goal == Goal::Optimise && formulation.full).then(|| full_size(&board).ok()).flatten();
        Ok(Request {
            engine: Engine::Backend {
                formulation: name.clone(),
                backend: combination.backend.get_ref().clone(),
            },
            goal: full.map_or(goal, Goal::Exactly),
            problem,
        })
    }

    /// Checks that a backend accepts the options with each of the seeds, and a start if there is one.
    fn ensure_backend_takes(
        &self,
        asks: Asks,
        combination: &Combination<'_>,
        seeds: &[u32],
        options: &Options,
    ) -> Result<(), DefinitionError> {
        let name = combination.backend;
        let backend =
            choice::backend(name.get_ref()).map_err(|e| self.definition.fault_of(name, e.to_string()))?;
        for &seed in seeds {
            let options = Options { seed, ..options.clone() };
            if let Some(setting) = backend.unsupported_setting(&options, asks == Asks::WarmStart) {
                return Err(self.definition.fault_of(name, format!("{name} cannot take {setting}")));
            }
        }
        Ok(())
    }

    /// Returns a request to solve a formulation by branch and bound with a checked proof.
    fn request_branch_and_bound(
        &self,
        asks: Asks,
        goal: Goal,
        combination: &Combination<'_>,
        options: &Options,
    ) -> Result<Request, DefinitionError> {
        let Combination { block, formulation, backend, .. } = combination;
        let Request { goal, problem, .. } = self.request_backend(asks, goal, combination)?;
        let fault = |words: &str| Err(self.definition.fault_of(backend, words));
        if problem == Problem::NoThreeInLine {
            return fault("the engine lp is for independent and dominating sets");
        }
        if problem != Problem::IndependentSet && matches!(goal, Goal::AtLeast(_) | Goal::Exactly(_)) {
            let words =
                "the engine lp minimises dominating sets: the variant must be \"minimise\" or \"at most K\"";
            return Err(self.definition.fault(combination.variant_place(), words));
        }
        if options.presolve.is_some() {
            return fault("the engine lp works without presolve");
        }
        if !options.native.is_empty() {
            return fault("the engine lp takes no options of HiGHS");
        }
        let engine = Engine::BranchAndBound {
            formulation: formulation.get_ref().clone(),
            branching: block.branching.as_ref().map(|rule| *rule.get_ref()).unwrap_or_default(),
            cut_rounds: block.cut_rounds.as_ref().map_or(ROOT_ROUNDS, |rounds| *rounds.get_ref()),
        };
        Ok(Request { engine, goal, problem })
    }

    fn goal(&mut self, asks: Asks, combination: &Combination<'_>) -> Result<Goal, DefinitionError> {
        let exactly = match asks {
            Asks::Maximise | Asks::Minimise | Asks::WarmStart | Asks::Count => return Ok(Goal::Optimise),
            Asks::Number(goal) => return Ok(goal),
            Asks::Beyond { exactly } => exactly,
        };
        let board = combination.board;
        let known = self.known_number(board.get_ref());
        let fault = |words: String| self.definition.fault_of(board, words);
        let known = known.ok_or_else(|| {
            fault(format!("no value of {board} is published; give the number of queens in [k]"))
        })?;
        let beyond = known.checked_add(1).filter(|&k| i64::try_from(k).is_ok());
        let beyond = beyond.ok_or_else(|| fault(format!("k = {known} is too large for [k]")))?;
        Ok(if exactly { Goal::Exactly(beyond) } else { Goal::AtLeast(beyond) })
    }

    /// Returns the number of queens in `[k]` for a board, or else the published one.
    fn known_number(&mut self, board: &BoardName) -> Option<u64> {
        let text = board.to_string();
        let mut numbers = self.definition.contents.k.iter();
        let Some((name, queens)) = numbers.find(|(name, _)| is_name_of(name.get_ref(), &text)) else {
            return known::lookup(board).and_then(|known| known.lower);
        };
        self.used_boards.insert(name.get_ref().clone());
        Some(*queens)
    }

    fn start(&mut self, combination: &Combination<'_>) -> Result<Start, DefinitionError> {
        let Some(text) = &combination.block.start else {
            let words = "a warm start needs start = \"cut\", \"greedy\" or the path of a certificate";
            return Err(self.definition.fault(combination.variant_place(), words));
        };
        self.used_starts.insert(text.span().start);
        if let Ok(method) = text.get_ref().parse() {
            return Ok(Start::Construction(method));
        }
        let folder = self.definition.path.parent().unwrap_or(Path::new(""));
        let board = combination.board.to_string();
        let path = folder.join(text.get_ref().replace("{board}", &board));
        file::read(&path).map_err(|e| self.definition.fault_of(text, e.to_string()))?;
        Ok(Start::File(path.to_string_lossy().into_owned()))
    }
}
