//! Plan of an experiment: the runs of an experiment file, with all names resolved and all formulations
//! checked.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::facts::known;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::model::{Model, ModelError};
use ndqueens_model::variant::{Goal, Variant, full_size};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::{BoardName, reject_files};
use ndqueens_notation::similar::did_you_mean;
use ndqueens_solver::backends::highs::{NativeOption, OptionError};
use ndqueens_solver::backends::{Options, choice};
use ndqueens_solver::branch_and_bound::ROOT_ROUNDS;
use ndqueens_system::file;
use ndqueens_workflow::record::{CountMethod, Engine, Question, Start, Task};
use ndqueens_workflow::run::formulation;

use crate::definition::{Block, Definition, DefinitionError, Exclusion, Texts};
use crate::planned::{EXACT, LP, Planned};
use crate::variant::Asks;

/// Returns the runs of an experiment. All runs with the first seed of their block come first, then those with
/// the second one, and so on, so that an interrupted batch is balanced and a machine that becomes slower
/// affects all configurations alike.
///
/// # Errors
/// Returns an error if a name is unknown, a formulation is invalid on a board, or a part of an exclusion or
/// of `k` matches nothing; the error has a line and a column.
pub fn plan(definition: &Definition) -> Result<Vec<Planned>, DefinitionError> {
    let contents = &definition.contents;
    for board in contents.k.keys() {
        BoardName::parse_user_input(board.get_ref(), &file::open)
            .map_err(|e| definition.fault(board.span(), first_line(&e.to_string())))?;
    }
    let mut planner = Planner {
        definition,
        formulations: HashMap::new(),
        matched: vec![Matched::default(); contents.exclude.len()],
        beyond: HashSet::new(),
        started: HashSet::new(),
        combinations: 0,
    };
    let mut rounds = Rounds::new();
    for block in &contents.runs {
        let whole = block.get_ref().clone().or(&contents.defaults);
        planner.block(&whole, block.span(), &mut rounds)?;
    }
    for (exclusion, matched) in contents.exclude.iter().zip(&planner.matched) {
        all_match(definition, exclusion, matched)?;
    }
    let starts = contents.runs.iter().map(|block| &block.get_ref().start).chain([&contents.defaults.start]);
    if let Some(start) = starts.flatten().find(|start| !planner.started.contains(&start.span().start)) {
        return Err(
            definition.fault(start.span(), "no run starts from it: that takes the variant \"warm start\"")
        );
    }
    if let Some(board) = contents.k.keys().find(|board| !planner.beyond.contains(board.get_ref())) {
        return Err(
            definition.fault(board.span(), "no run asks for more queens than are known on this board")
        );
    }
    if let Some(reference) = &contents.tables.reference
        && !rounds.values().flatten().any(|(run, _)| run.configuration() == *reference.get_ref())
    {
        let configurations: Vec<_> = rounds
            .values()
            .flatten()
            .map(|(run, _)| run.configuration())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        let words = format!(
            "no run has this configuration; the configurations are \"{}\"",
            configurations.join("\", \"")
        );
        return Err(definition.fault(reference.span(), words));
    }
    if rounds.is_empty() {
        let place = contents.exclude.last().map_or(0..0, toml::Spanned::span);
        return Err(definition.fault(place, "no run is left"));
    }
    let mut cells: HashMap<(String, String, u32), &Planned> = HashMap::new();
    for (run, place) in rounds.values().flatten() {
        let cell = (run.question.board.to_string(), run.configuration(), run.question.seed);
        let other = cells.entry(cell).or_insert(run);
        if other.id != run.id {
            let words = format!(
                "{} is run twice as \"{}\" with seed {}, with different limits, so tables could not distinguish the two",
                run.question.board,
                run.configuration(),
                run.question.seed
            );
            return Err(definition.fault(place.clone(), words));
        }
    }
    let mut seen = HashSet::new();
    let runs = rounds.into_values().flatten().map(|(run, _)| run);
    Ok(runs.filter(|run| seen.insert(run.id.clone())).collect())
}

/// Runs by the index of their seed in the block, each with the position of its block in the file.
type Rounds = BTreeMap<usize, Vec<(Planned, Range<usize>)>>;

/// Name used in place of a formulation for the exact engine and for counts.
const NO_FORMULATION: &str = "none";

const VARIANT_NAMES: [&str; 6] = ["maximise", "minimise", "k+1", "at least k+1", "warm start", "count"];

const VARIANTS: &str = "maximise, minimise, k+1, at least k+1, warm start, count, and with a number exactly N, at least N and at most N";

struct Planner<'a> {
    definition: &'a Definition,
    formulations: HashMap<String, Formulation>,
    /// Parts of every exclusion that have matched a run.
    matched: Vec<Matched>,
    /// Boards of `[k]` whose number has been used by a run.
    beyond: HashSet<String>,
    /// Positions of the `start` values that a run uses.
    started: HashSet<usize>,
    /// Number of combinations of all blocks so far, including excluded ones.
    combinations: u64,
}

/// Maximum number of combinations of an experiment.
const MOST_RUNS: u64 = 1_000_000;

/// Parts of an exclusion that have matched a run.
#[derive(Debug, Clone, Default)]
struct Matched {
    /// Positions of the strings that have matched.
    places: HashSet<usize>,
    seeds: HashSet<u32>,
}

/// Rejects an exclusion with a part that matches no run, since that is probably a mistake.
fn all_match(
    definition: &Definition,
    exclusion: &toml::Spanned<Exclusion>,
    matched: &Matched,
) -> Result<(), DefinitionError> {
    let (place, exclusion) = (exclusion.span(), exclusion.get_ref());
    let lists = [&exclusion.boards, &exclusion.formulations, &exclusion.variants, &exclusion.backends];
    let texts = || lists.into_iter().flatten().flatten();
    if matched.seeds.is_empty() {
        let place = texts().next().map_or(place, toml::Spanned::span);
        return Err(definition.fault(place, "this exclusion matches no run"));
    }
    if let Some(text) = texts().find(|text| !matched.places.contains(&text.span().start)) {
        let words = format!("\"{}\" matches no run that this exclusion could leave out", text.get_ref());
        return Err(definition.fault(text.span(), words));
    }
    if let Some(value) = &exclusion.seeds
        && let Some(seed) = seeds(definition, value)?.iter().find(|seed| !matched.seeds.contains(seed))
    {
        let words = format!("seed {seed} matches no run that this exclusion could leave out");
        return Err(definition.fault(value.span(), words));
    }
    Ok(())
}

/// One combination, with the positions of its parts in the file.
struct Cell<'a> {
    board: (&'a BoardName, Range<usize>),
    formulation: (&'a str, Range<usize>),
    variant: (&'a str, Range<usize>),
    backend: (&'a str, Range<usize>),
    block: Range<usize>,
}

/// Returns `true` if a text in a file of experiments is a name of the board with this canonical name.
fn is_name_of(text: &str, canonical: &str) -> bool {
    text == canonical
        || BoardName::parse_user_input(text, &reject_files).is_ok_and(|named| named.to_string() == canonical)
}

impl Planner<'_> {
    fn block(
        &mut self,
        block: &Block,
        place: Range<usize>,
        rounds: &mut Rounds,
    ) -> Result<(), DefinitionError> {
        let definition = self.definition;
        let default = |text: &str| vec![toml::Spanned::new(place.clone(), text.to_owned())];
        let boards = self.find_named("boards", block.boards.as_ref(), &place)?;
        let boards = boards
            .iter()
            .map(|text| {
                BoardName::parse_user_input(text.get_ref(), &file::open)
                    .map(|board| (board, text.span()))
                    .map_err(|e| definition.fault(text.span(), first_line(&e.to_string())))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let formulations = self.find_named("formulations", block.formulations.as_ref(), &place)?.clone();
        for text in &formulations {
            self.formulation(text)?;
        }
        let variants = block.variants.clone().unwrap_or_else(|| default("maximise"));
        let backends = block.backends.clone().unwrap_or_else(|| default("highs"));
        let is_engine = |name: &str| [EXACT, LP].contains(&name) || CountMethod::by_name(name).is_some();
        for backend in backends.iter().filter(|backend| !is_engine(backend.get_ref())) {
            choice::backend(backend.get_ref()).map_err(|e| {
                let methods = CountMethod::ALL.map(CountMethod::name).join(", ");
                definition.fault(backend.span(), format!("{e}; or exact or lp; or, to count, {methods}"))
            })?;
        }
        for (key, list) in [("variants", &variants), ("backends", &backends)] {
            if list.is_empty() {
                return Err(definition.fault(place.clone(), format!("the list of {key} is empty")));
            }
        }
        let seeds = match &block.seeds {
            Some(value) => seeds(definition, value)?,
            None => vec![0],
        };
        let options = options(definition, block)?;
        let lists = [boards.len(), formulations.len(), variants.len(), backends.len(), seeds.len()];
        let combinations =
            lists.iter().fold(1, |product: u64, &length| product.saturating_mul(length as u64));
        self.combinations = self.combinations.saturating_add(combinations);
        if self.combinations > MOST_RUNS {
            let words = format!(
                "with this block there are {} runs, and an experiment has {MOST_RUNS} at most; split it into several",
                self.combinations
            );
            return Err(definition.fault(place, words));
        }
        for (board, board_place) in &boards {
            for formulation in &formulations {
                for variant in &variants {
                    for backend in &backends {
                        let cell = Cell {
                            board: (board, board_place.clone()),
                            formulation: (formulation.get_ref(), formulation.span()),
                            // If the file has no variants, a mismatch with the default is reported at the
                            // formulation.
                            variant: (
                                variant.get_ref(),
                                if block.variants.is_some() { variant.span() } else { formulation.span() },
                            ),
                            backend: (backend.get_ref(), backend.span()),
                            block: place.clone(),
                        };
                        self.cell(&cell, block, &seeds, &options, rounds)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns a list of a block.
    ///
    /// # Errors
    /// Returns an error if it is missing or empty.
    fn find_named<'b>(
        &self,
        key: &str,
        list: Option<&'b Texts>,
        block: &Range<usize>,
    ) -> Result<&'b Texts, DefinitionError> {
        list.filter(|list| !list.is_empty()).ok_or_else(|| {
            self.definition
                .fault(block.clone(), format!("a block of runs needs {key}, itself or in defaults"))
        })
    }

    fn formulation(&mut self, text: &toml::Spanned<String>) -> Result<(), DefinitionError> {
        let name = text.get_ref();
        if name == NO_FORMULATION || self.formulations.contains_key(name) {
            return Ok(());
        }
        let fault = |words: String| self.definition.fault(text.span(), words);
        let formulation = formulation::load(name).map_err(|e| fault(e.to_string()))?;
        self.formulations.insert(name.clone(), formulation);
        Ok(())
    }

    /// Plans a combination with all its seeds except those that are excluded.
    fn cell(
        &mut self,
        cell: &Cell<'_>,
        block: &Block,
        seeds: &[u32],
        options: &Options,
        rounds: &mut Rounds,
    ) -> Result<(), DefinitionError> {
        let mut kept = Vec::new();
        for (round, &seed) in seeds.iter().enumerate() {
            if !self.is_excluded(cell, seed)? {
                kept.push((round, seed));
            }
        }
        if kept.is_empty() {
            return Ok(());
        }
        let kept_seeds: Vec<u32> = kept.iter().map(|(_, seed)| *seed).collect();
        let model = self.plan_run(cell, block, options, &kept_seeds)?;
        for (round, seed) in kept {
            let mut run = model.clone();
            run.question.seed = seed;
            run.root_bound = block.root_bound == Some(true)
                && round == 0
                && run.question.backend().is_some()
                // The relaxation of a yes/no question has no objective.
                && run.question.target().is_none();
            run.id = run.identify();
            rounds.entry(round).or_default().push((run, cell.block.clone()));
        }
        Ok(())
    }

    fn is_excluded(&mut self, cell: &Cell<'_>, seed: u32) -> Result<bool, DefinitionError> {
        let board = cell.board.0.to_string();
        let mut excluded = false;
        for (number, exclusion) in self.definition.contents.exclude.iter().enumerate() {
            let exclusion = exclusion.get_ref();
            if let Some(value) = &exclusion.seeds
                && !self::seeds(self.definition, value)?.contains(&seed)
            {
                continue;
            }
            let lists = [
                (&exclusion.boards, board.as_str(), true),
                (&exclusion.formulations, cell.formulation.0, false),
                (&exclusion.variants, cell.variant.0, false),
                (&exclusion.backends, cell.backend.0, false),
            ];
            let mut places = Vec::new();
            let all = lists.into_iter().all(|(list, text, is_boards)| {
                let Some(list) = list else { return true };
                let found = list.iter().filter(|known| {
                    let known = known.get_ref();
                    if is_boards { is_name_of(known, text) } else { known == text }
                });
                let before = places.len();
                places.extend(found.map(|known| known.span().start));
                places.len() > before
            });
            if all {
                self.matched[number].places.extend(places);
                self.matched[number].seeds.insert(seed);
                excluded = true;
            }
        }
        Ok(excluded)
    }

    /// Returns the run of a combination, with seed and id left open.
    fn plan_run(
        &mut self,
        cell: &Cell<'_>,
        block: &Block,
        options: &Options,
        seeds: &[u32],
    ) -> Result<Planned, DefinitionError> {
        let fault = |place: &Range<usize>, words: &str| self.definition.fault(place.clone(), words);
        let (board, board_place) = &cell.board;
        let (name, formulation_place) = &cell.formulation;
        let (variant, variant_place) = &cell.variant;
        let asks = Asks::of(variant).ok_or_else(|| {
            fault(
                variant_place,
                &format!(
                    "unknown variant \"{variant}\"; expected one of {VARIANTS}{}",
                    did_you_mean(variant, VARIANT_NAMES)
                ),
            )
        })?;
        let (exact, is_tree) = (cell.backend.0 == EXACT, cell.backend.0 == LP);
        let method = CountMethod::by_name(cell.backend.0);
        if method.is_some() != (asks == Asks::Count) {
            let methods = CountMethod::ALL.map(CountMethod::name).join(", ");
            let words = match (asks, &block.backends) {
                (Asks::Count, None) => format!("the variant \"count\" needs backends, of {methods}"),
                _ => format!("the variant \"count\" goes with the backends {methods}, and these with it"),
            };
            return Err(fault(variant_place, &words));
        }
        if method.is_some() && *name != NO_FORMULATION {
            return Err(fault(formulation_place, "a count takes no formulation: \"none\" goes with it"));
        }
        if method.is_none() && exact != (*name == NO_FORMULATION) {
            return Err(fault(
                formulation_place,
                "the exact engine takes no formulation, and the other backends need one: \"none\" goes with \"exact\"",
            ));
        }
        if let Some(method) = method {
            self.refuse_settings_of_programs(method, cell, block, seeds)?;
        }
        let goal = self.goal(asks, board, board_place)?;
        let is_warm = asks == Asks::WarmStart;
        let (mut engine, mut asked, mut problem) = (Engine::Exact, goal, Problem::IndependentSet);
        if let Some(method) = method {
            engine = Engine::Count(method);
        } else if exact {
            if asks != Asks::Maximise {
                return Err(fault(variant_place, "the exact engine only maximises"));
            }
            if !options.native.is_empty() {
                return Err(fault(&cell.backend.1, "the exact engine takes no options of HiGHS"));
            }
        } else {
            let formulation = &self.formulations[*name];
            problem = formulation.problem;
            if goal == Goal::Optimise
                && formulation.full
                && let Ok(full) = full_size(&Board::new(board))
            {
                asked = Goal::Exactly(full);
            }
            let wrong_way = match asks {
                Asks::Maximise => !problem.is_maximised(),
                Asks::Minimise => problem.is_maximised(),
                _ => false,
            };
            if wrong_way {
                return Err(fault(
                    variant_place,
                    &format!("formulation {name} is about {problem}s, not to {variant}"),
                ));
            }
            Model::for_writing(&Board::new(board), formulation, Variant::of(goal), &Theorems, u64::MAX)
                // With one queen more than is known, the number may exceed the trivial bound, which then
                // answers the question.
                .and_then(|model| match asks {
                    Asks::Beyond { .. } => Ok(()),
                    _ => model.ensure_open(),
                })
                .map_err(|e| match e {
                    ModelError::AboveTrivialBound { .. } | ModelError::Unsuited { .. } => {
                        fault(variant_place, &e.to_string())
                    }
                    e => fault(formulation_place, &e.to_string()),
                })?;
            let formulation_name = (*name).to_owned();
            engine = if is_tree {
                Engine::BranchAndBound {
                    formulation: formulation_name,
                    branching: block.branching.as_ref().map(|rule| *rule.get_ref()).unwrap_or_default(),
                    cut_rounds: block.cut_rounds.as_ref().map_or(ROOT_ROUNDS, |rounds| *rounds.get_ref()),
                }
            } else {
                Engine::Programme { formulation: formulation_name, backend: cell.backend.0.to_owned() }
            };
        }
        let for_tree = block.branching.as_ref().map(toml::Spanned::span);
        if let Some(place) = for_tree.or(block.cut_rounds.as_ref().map(toml::Spanned::span))
            && !is_tree
        {
            return Err(fault(&place, "branching and cut_rounds are for the backend \"lp\""));
        }
        if is_tree {
            if problem == Problem::NoThreeInLine {
                let words = "the engine lp is for independent and dominating sets";
                return Err(fault(&cell.backend.1, words));
            }
            if problem != Problem::IndependentSet && matches!(asked, Goal::AtLeast(_) | Goal::Exactly(_)) {
                let words = "the engine lp minimises dominating sets: the variant must be \"minimise\" or \"at most K\"";
                return Err(fault(variant_place, words));
            }
            if options.presolve.is_some() {
                return Err(fault(&cell.backend.1, "the engine lp works without presolve"));
            }
            if !options.native.is_empty() {
                return Err(fault(&cell.backend.1, "the engine lp takes no options of HiGHS"));
            }
        } else if !exact && method.is_none() {
            let backend =
                choice::backend(cell.backend.0).map_err(|e| fault(&cell.backend.1, &e.to_string()))?;
            for seed in seeds {
                let options = Options { seed: *seed, ..options.clone() };
                if let Some(setting) = backend.unsupported_setting(&options, is_warm) {
                    let words = format!("{} cannot take {setting}", cell.backend.0);
                    return Err(fault(&cell.backend.1, &words));
                }
            }
        }
        let task = Task::Solve { goal: asked, include: Vec::new(), rows_kept: RowFilter::All };
        let mut question = Question::new(task, board, engine, options);
        if is_warm {
            question.start = self.start(block, board, variant_place)?;
        }
        Ok(Planned {
            id: String::new(),
            variant: (*variant).to_owned(),
            problem,
            question,
            root_bound: false,
            memory_limit_mib: block.memory_mib.as_ref().map(|mib| *mib.get_ref()),
        })
    }

    /// Checks that a block of counts has no settings that a count does not use.
    fn refuse_settings_of_programs(
        &self,
        method: CountMethod,
        cell: &Cell<'_>,
        block: &Block,
        seeds: &[u32],
    ) -> Result<(), DefinitionError> {
        let is_serial = method != CountMethod::Fast;
        let several = block.threads.as_ref().filter(|threads| is_serial && *threads.get_ref() > 1);
        let seeded = block.seeds.as_ref().filter(|_| seeds != [0]);
        let settings = [
            ("nodes", block.nodes.as_ref().map(toml::Spanned::span)),
            ("seeds", seeded.map(toml::Spanned::span)),
            ("threads above 1", several.map(toml::Spanned::span)),
            ("root_bound", (block.root_bound == Some(true)).then(|| cell.variant.1.clone())),
            ("presolve", block.presolve.map(|_| cell.variant.1.clone())),
            ("symmetry", block.symmetry.map(|_| cell.variant.1.clone())),
            ("options", block.options.as_ref().map(|_| cell.variant.1.clone())),
        ];
        match settings.into_iter().find_map(|(name, place)| place.map(|place| (name, place))) {
            Some((name, place)) => {
                let words = format!("a count by {} does not use {name}; leave the key out", method.name());
                Err(self.definition.fault(place, words))
            }
            None => Ok(()),
        }
    }

    fn goal(&mut self, asks: Asks, board: &BoardName, place: &Range<usize>) -> Result<Goal, DefinitionError> {
        let exactly = match asks {
            Asks::Maximise | Asks::Minimise | Asks::WarmStart | Asks::Count => return Ok(Goal::Optimise),
            Asks::Number(goal) => return Ok(goal),
            Asks::Beyond { exactly } => exactly,
        };
        let board_text = board.to_string();
        let given =
            self.definition.contents.k.iter().find(|(name, _)| is_name_of(name.get_ref(), &board_text));
        if let Some((name, _)) = given {
            self.beyond.insert(name.get_ref().clone());
        }
        let known = given
            .map(|(_, &queens)| queens)
            .or_else(|| known::lookup(board).and_then(|known| known.lower))
            .ok_or_else(|| {
                let words = format!("no value of {board} is published; give the number of queens in [k]");
                self.definition.fault(place.clone(), words)
            })?;
        let beyond = known.checked_add(1).filter(|&k| i64::try_from(k).is_ok()).ok_or_else(|| {
            self.definition.fault(place.clone(), format!("k = {known} is too large for [k]"))
        })?;
        Ok(if exactly { Goal::Exactly(beyond) } else { Goal::AtLeast(beyond) })
    }

    fn start(
        &mut self,
        block: &Block,
        board: &BoardName,
        place: &Range<usize>,
    ) -> Result<Start, DefinitionError> {
        let Some(text) = &block.start else {
            let words = "a warm start needs start = \"cut\", \"greedy\" or the path of a certificate";
            return Err(self.definition.fault(place.clone(), words));
        };
        self.started.insert(text.span().start);
        if let Ok(method) = text.get_ref().parse() {
            return Ok(Start::Construction(method));
        }
        let folder = self.definition.path.parent().unwrap_or(Path::new(""));
        let path = folder.join(text.get_ref().replace("{board}", &board.to_string()));
        file::read(&path).map_err(|e| self.definition.fault(text.span(), e.to_string()))?;
        Ok(Start::File(path.to_string_lossy().into_owned()))
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns the seeds of a list, or the first seeds from 0 if the value is their number.
fn seeds(definition: &Definition, value: &toml::Spanned<toml::Value>) -> Result<Vec<u32>, DefinitionError> {
    let fault = || {
        definition.fault(
            value.span(),
            "seeds are how many, from 1 to 100000, or a list of numbers from 0 to 2147483647",
        )
    };
    let seed = |value: &toml::Value| {
        value
            .as_integer()
            .and_then(|n| u32::try_from(n).ok())
            .filter(|&n| n <= 2_147_483_647)
            .ok_or_else(fault)
    };
    match value.get_ref() {
        toml::Value::Integer(n @ 1..=100_000) => Ok((0..u32::try_from(*n).map_err(|_| fault())?).collect()),
        toml::Value::Array(list) if !list.is_empty() => list.iter().map(seed).collect(),
        _ => Err(fault()),
    }
}

/// Maximum time limit of a run in seconds, about thirty years.
const MOST_SECONDS: f64 = 1e9;

fn options(definition: &Definition, block: &Block) -> Result<Options, DefinitionError> {
    let mut options = Options {
        threads: Some(1),
        presolve: block.presolve,
        symmetry: block.symmetry,
        ..Options::default()
    };
    for text in block.options.iter().flatten() {
        let fault = |error: OptionError| definition.fault(text.span(), error.to_string());
        let option: NativeOption = text.get_ref().parse().map_err(fault)?;
        options.native.push(option);
    }
    NativeOption::ensure_distinct(&options.native).map_err(|error| {
        let span = block.options.iter().flatten().next_back().map_or(0..0, toml::Spanned::span);
        definition.fault(span, error.to_string())
    })?;
    if let Some(threads) = &block.threads {
        if !(1..=1024).contains(threads.get_ref()) {
            return Err(definition.fault(threads.span(), "threads are 1 to 1024"));
        }
        options.threads = Some(*threads.get_ref());
    }
    if let Some(seconds) = &block.time_seconds {
        if !(0.0..=MOST_SECONDS).contains(seconds.get_ref()) {
            let words = format!("a limit is a number of seconds from 0 to {MOST_SECONDS}");
            return Err(definition.fault(seconds.span(), words));
        }
        options.time_limit = Some(Duration::from_secs_f64(*seconds.get_ref()));
    }
    if let Some(nodes) = &block.nodes {
        if *nodes.get_ref() > 2_147_483_647 {
            return Err(definition.fault(nodes.span(), "a limit is at most 2147483647 nodes"));
        }
        options.node_limit = Some(*nodes.get_ref());
    }
    if let Some(mib) = &block.memory_mib
        && !(256..=1 << 30).contains(mib.get_ref())
    {
        let words = "a process needs at least 256 MiB of address space, and is given at most 1073741824";
        return Err(definition.fault(mib.span(), words));
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::plan;

    fn runs(lines: &str) -> Vec<Planned> {
        plan(&format!("[[runs]]\n{lines}")).expect("a plan")
    }

    #[test]
    fn a_block_is_a_cross_product_with_all_first_seeds_first() {
        let runs = runs(
            "boards = [\"2^3\", \"3^3\"]\nformulations = [\"base\", \"cube\"]\nvariants = [\"maximise\", \"k+1\"]\nseeds = [7, 3]\n",
        );
        let labels =
            |run: &Planned| format!("{} {} {}", run.question.seed, run.question.board, run.configuration());
        let labels: Vec<_> = runs.iter().map(labels).collect();
        assert_eq!(labels.len(), 16);
        assert_eq!(labels[0..3], ["7 2^3 base", "7 2^3 base, k+1", "7 2^3 cube"]);
        assert_eq!(labels[8], "3 2^3 base");
        let ids: HashSet<_> = runs.iter().map(|run| &run.id).collect();
        assert_eq!(ids.len(), 16);
    }

    #[test]
    fn ids_stay_as_they_are_in_the_folders_that_are_there() {
        let [run] = &*runs(
            "boards = [\"2^5\"]\nformulations = [\"base\"]\ntime_seconds = 300\nmemory_mib = 4096\nroot_bound = true\n",
        ) else {
            panic!("one run")
        };
        assert_eq!((&*run.id, run.root_bound, run.fault()), ("8a2977a07f5c911a", true, None));
    }

    #[test]
    fn a_variant_says_how_many_queens_are_asked_for() {
        for (board, formulation, variant, goal) in [
            ("3^3", "base", "maximise", Goal::Optimise),
            ("3^3", "base", "k+1", Goal::Exactly(5)),
            ("3^3", "base", "at least k+1", Goal::AtLeast(5)),
            ("3^3", "base", "exactly 2", Goal::Exactly(2)),
            ("4^2", "domination", "minimise", Goal::Optimise),
            ("4^2", "domination", "at most 3", Goal::AtMost(3)),
            // The formulation determines the number of queens of a full solution.
            ("5^2", "full", "maximise", Goal::Exactly(5)),
            ("3^3", "none\"]\nbackends = [\"exact", "maximise", Goal::Optimise),
        ] {
            let [run] = &*runs(&format!(
                "boards = [\"{board}\"]\nformulations = [\"{formulation}\"]\nvariants = [\"{variant}\"]\n"
            )) else {
                panic!("one run")
            };
            assert_eq!((run.question.goal(), run.fault()), (goal, None), "{board} {variant}");
        }
        let given = plan(
            "[k]\n\"2x3x4\" = 4\n[[runs]]\nboards = [\"2x3x4\"]\nformulations = [\"base\"]\nvariants = [\"k+1\"]\n",
        );
        assert_eq!(given.expect("a plan")[0].target(), Some(5));
    }

    #[test]
    fn a_warm_start_begins_with_a_construction_or_a_file() {
        let runs = runs(
            "boards = [\"3^3\"]\nformulations = [\"base\"]\nvariants = [\"warm start\", \"maximise\"]\nstart = \"cut\"\n",
        );
        assert_eq!(runs[0].question.start, Start::Construction(ndqueens_solver::construct::Method::Cut));
        assert_eq!(runs[0].configuration(), "base, warm start cut");
        assert!(runs[1].question.start.is_none());
    }

    #[test]
    fn defaults_are_for_what_a_block_does_not_say_and_exclusions_take_out() {
        let runs = plan(
            "[defaults]\nformulations = [\"base\"]\nseeds = 2\nthreads = 2\n\
             [[runs]]\nboards = [\"2^3\", \"3^3\"]\n[[runs]]\nboards = [\"2^3\"]\nthreads = 1\n\
             [[exclude]]\nboards = [\"3^3\"]\nseeds = [1]\n",
        )
        .expect("a plan");
        let labels =
            |run: &Planned| (run.question.board.to_string(), run.question.threads, run.question.seed);
        let expected = [("2^3", 2, 0), ("3^3", 2, 0), ("2^3", 1, 0), ("2^3", 2, 1), ("2^3", 1, 1)];
        assert_eq!(
            runs.iter().map(labels).collect::<Vec<_>>(),
            expected.map(|(board, threads, seed)| (board.to_owned(), threads, seed))
        );
    }

    #[test]
    fn counts_take_the_settings_that_they_use() {
        let text =
            "boards = [\"3^3\"]\nformulations = [\"none\"]\nvariants = [\"count\"]\nbackends = [\"fast\"]\n";
        let [run] = &*runs(&format!(
            "{text}threads = 2\ntime_seconds = 9\nmemory_mib = 512\nseeds = [0]\nroot_bound = false\n"
        )) else {
            panic!("one run")
        };
        assert_eq!((run.question.threads, run.question.seed, run.memory_limit_mib), (2, 0, Some(512)));
    }

    #[test]
    fn what_cannot_be_run_is_refused_at_its_place() {
        let base = "boards = [\"3^3\"]\nformulations = [\"base\"]\n";
        let count = |more: &str| {
            format!("boards = [\"3^3\"]\nformulations = [\"none\"]\nvariants = [\"count\"]\n{more}")
        };
        for (text, place, words) in [
            ("boards = [\"3^3\"]\nformulations = [\"bass\"]\n".to_owned(), "line 5, column 17", "\"bass\""),
            (format!("{base}variants = [\"best\"]\n"), "line 6", "unknown variant \"best\""),
            (format!("{base}variants = [\"minimise\"]\n"), "line 6", "is about independent sets, not to minimise"),
            (format!("{base}backends = [\"exact\"]\n"), "line 5", "the exact engine takes no formulation"),
            (format!("{base}backends = [\"cplex\"]\n"), "line 6", "unknown backend \"cplex\""),
            (format!("{base}variants = [\"warm start\"]\n"), "line 6", "a warm start needs start"),
            (
                format!("{base}variants = [\"warm start\"]\nstart = \"cut\"\nbackends = [\"s {{model}} {{solution}}\"]\n"),
                "line 8",
                "cannot take a start: the command has no {start}",
            ),
            (
                format!("{base}backends = [\"s {{model}} {{solution}} {{start}}\"]\n"),
                "line 6",
                "cannot take a run without a start",
            ),
            (format!("{base}seeds = 2\nbackends = [\"microlp\"]\n"), "line 7", "microlp cannot take a seed"),
            (format!("{base}nodes = 2\nbackends = [\"cbc\"]\n"), "line 7", "cbc cannot take a node limit"),
            (format!("{base}start = \"cut\"\n"), "line 6", "no run starts from it"),
            (format!("{base}seeds = 0\n"), "line 6", "seeds are how many"),
            (format!("{base}[[exclude]]\nboards = [\"4^3\"]\n"), "line 7", "this exclusion matches no run"),
            (format!("{base}[[runs]]\n{base}nodes = 5\n"), "line 6", "with different limits"),
            (format!("{base}[tables]\nreference = \"cube\"\n"), "line 7", "the configurations are \"base\""),
            (
                "boards = [\"3^3\"]\nformulations = [\"none\"]\nbackends = [\"exact\"]\nvariants = [\"k+1\"]\n".to_owned(),
                "line 7",
                "the exact engine only maximises",
            ),
            (count(""), "line 6", "the variant \"count\" needs backends, of fast, bk, bk-degeneracy, recursive, max-clique"),
            (count("backends = [\"exact\"]\n"), "line 6", "the variant \"count\" goes with the backends fast"),
            (count("backends = [\"bk\"]\nnodes = 5\n"), "line 8", "a count by bk does not use nodes; leave the key out"),
            (count("backends = [\"fast\"]\nseeds = 2\n"), "line 8", "a count by fast does not use seeds"),
            (count("backends = [\"fast\"]\nroot_bound = true\n"), "line 6", "a count by fast does not use root_bound"),
            (count("backends = [\"bk\"]\npresolve = true\n"), "line 6", "a count by bk does not use presolve"),
            (count("backends = [\"bk\"]\nsymmetry = false\n"), "line 6", "a count by bk does not use symmetry"),
            (count("backends = [\"recursive\"]\nthreads = 2\n"), "line 8", "does not use threads above 1"),
        ] {
            let fault = plan(&format!("[[runs]]\n{text}")).expect_err(words).to_string();
            assert!(fault.contains(place) && fault.contains(words), "{fault}");
        }
    }
}
