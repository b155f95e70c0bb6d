//! Plan of an experiment: the runs of an experiment file, with all names resolved and all formulations
//! checked.

mod combination;
mod exclusion;
mod resolver;
mod settings;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::{Options, choice};
use ndqueens_system::file;
use ndqueens_workflow::record::CountMethod;
use toml::Spanned;

use crate::definition::{Block, Definition, DefinitionError, Texts};
use crate::planned::{EXACT, LP, Planned, RELAXATION};

use combination::Combination;
use exclusion::Exclusions;
use resolver::Resolver;

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
        parse_board(definition, board)?;
    }
    let mut planner = Planner {
        definition,
        resolver: Resolver::new(definition),
        exclusions: Exclusions::new(definition)?,
        combinations: 0,
        rounds: BTreeMap::new(),
    };
    for block in &contents.runs {
        planner.add_block(&block.get_ref().clone().or(&contents.defaults), block.span())?;
    }
    planner.exclusions.ensure_all_match()?;
    planner.resolver.ensure_all_used()?;
    let runs: Vec<_> = planner.rounds.into_values().flatten().collect();
    ensure_reference_is_run(definition, &runs)?;
    if runs.is_empty() {
        let place = contents.exclude.last().map_or(0..0, Spanned::span);
        return Err(definition.fault(place, "no run is left"));
    }
    ensure_distinguishable(definition, &runs)?;
    let mut seen = HashSet::new();
    Ok(runs.into_iter().map(Spanned::into_inner).filter(|run| seen.insert(run.id.clone())).collect())
}

/// Checks that a run has the configuration to which speed-ups are relative.
fn ensure_reference_is_run(
    definition: &Definition,
    runs: &[Spanned<Planned>],
) -> Result<(), DefinitionError> {
    let Some(reference) = &definition.contents.tables.reference else { return Ok(()) };
    let configurations: BTreeSet<_> = runs.iter().map(|run| run.get_ref().configuration()).collect();
    if configurations.contains(reference.get_ref()) {
        return Ok(());
    }
    let configurations = configurations.into_iter().collect::<Vec<_>>().join("\", \"");
    let words = format!("no run has this configuration; the configurations are \"{configurations}\"");
    Err(definition.fault_of(reference, words))
}

/// Checks that runs that differ only in their limits are not in one plan.
fn ensure_distinguishable(definition: &Definition, runs: &[Spanned<Planned>]) -> Result<(), DefinitionError> {
    let mut cells: HashMap<(String, String, u32), &str> = HashMap::new();
    for place in runs {
        let run = place.get_ref();
        let (board, seed) = (run.question.board.to_string(), run.question.seed);
        let cell = (board, run.configuration(), seed);
        if *cells.entry(cell).or_insert(&run.id) != run.id {
            let words = format!(
                "{} is run twice as \"{}\" with seed {seed}, with different limits, so tables could not distinguish the two",
                run.question.board,
                run.configuration(),
            );
            return Err(definition.fault_of(place, words));
        }
    }
    Ok(())
}

struct Planner<'a> {
    definition: &'a Definition,
    resolver: Resolver<'a>,
    exclusions: Exclusions<'a>,
    /// Number of combinations of all blocks so far, including excluded ones.
    combinations: u64,
    /// Runs by the index of their seed in the block, each with the position of its block in the file.
    rounds: BTreeMap<usize, Vec<Spanned<Planned>>>,
}

/// Maximum number of combinations of an experiment.
const MOST_RUNS: u64 = 1_000_000;

impl Planner<'_> {
    /// Adds the runs of a block, into which the defaults are filled.
    fn add_block(&mut self, block: &Block, place: Range<usize>) -> Result<(), DefinitionError> {
        let definition = self.definition;
        let boards = required_list(definition, "boards", block.boards.as_ref(), &place)?
            .iter()
            .map(|text| Ok(Spanned::new(text.span(), parse_board(definition, text)?)))
            .collect::<Result<Vec<_>, DefinitionError>>()?;
        let formulations = required_list(definition, "formulations", block.formulations.as_ref(), &place)?;
        for name in formulations {
            self.resolver.load_formulation(name)?;
        }
        let default = |text: &str| vec![Spanned::new(place.clone(), text.to_owned())];
        let variants = block.variants.clone().unwrap_or_else(|| default("maximise"));
        let backends = block.backends.clone().unwrap_or_else(|| default("highs"));
        ensure_backends_exist(definition, &backends)?;
        for (key, list) in [("variants", &variants), ("backends", &backends)] {
            if list.is_empty() {
                return Err(definition.fault(place, format!("the list of {key} is empty")));
            }
        }
        let seeds = block.seeds.as_ref().map_or(Ok(vec![0]), |seeds| settings::seeds(definition, seeds))?;
        let options = settings::options(definition, block)?;
        let lengths = [boards.len(), formulations.len(), variants.len(), backends.len(), seeds.len()];
        self.count_combinations(lengths, &place)?;
        let pairs =
            boards.iter().flat_map(|board| formulations.iter().map(move |formulation| (board, formulation)));
        let questions = pairs.flat_map(|(board, formulation)| {
            variants.iter().map(move |variant| (board, formulation, variant))
        });
        let combinations = questions.flat_map(|(board, formulation, variant)| {
            let place = &place;
            backends.iter().map(move |backend| Combination {
                block,
                place,
                board,
                formulation,
                variant,
                backend,
            })
        });
        for combination in combinations {
            self.add_runs(&combination, &seeds, &options)?;
        }
        Ok(())
    }

    /// Adds a block with lists of these lengths to the number of combinations.
    ///
    /// # Errors
    /// Returns an error if the number becomes too large.
    fn count_combinations(
        &mut self,
        lengths: [usize; 5],
        block: &Range<usize>,
    ) -> Result<(), DefinitionError> {
        let product = lengths.iter().fold(1, |product: u64, &length| product.saturating_mul(length as u64));
        self.combinations = self.combinations.saturating_add(product);
        if self.combinations <= MOST_RUNS {
            return Ok(());
        }
        let words = format!(
            "with this block there are {} runs, and an experiment has {MOST_RUNS} at most; split it into several",
            self.combinations
        );
        Err(self.definition.fault(block.clone(), words))
    }

    /// Adds the runs of a combination, one for each seed that no exclusion removes.
    fn add_runs(
        &mut self,
        combination: &Combination<'_>,
        seeds: &[u32],
        options: &Options,
    ) -> Result<(), DefinitionError> {
        let kept = self.exclusions.kept_seeds(combination, seeds);
        if kept.is_empty() {
            return Ok(());
        }
        let kept_seeds: Vec<u32> = kept.iter().map(|(_, seed)| *seed).collect();
        let run = self.resolver.plan_run(combination, &kept_seeds, options)?;
        // The relaxation of a yes/no question has no objective.
        let has_root_bound = combination.block.root_bound == Some(true)
            && run.question.backend().is_some()
            && run.question.target().is_none();
        for (round, seed) in kept {
            let mut run = run.clone();
            run.question.seed = seed;
            run.root_bound = has_root_bound && round == 0;
            run.id = run.identify();
            self.rounds.entry(round).or_default().push(Spanned::new(combination.place.clone(), run));
        }
        Ok(())
    }
}

/// Returns a list of a block.
///
/// # Errors
/// Returns an error if it is missing or empty.
fn required_list<'b>(
    definition: &Definition,
    key: &str,
    list: Option<&'b Texts>,
    block: &Range<usize>,
) -> Result<&'b Texts, DefinitionError> {
    list.filter(|list| !list.is_empty()).ok_or_else(|| {
        definition.fault(block.clone(), format!("a block of runs needs {key}, itself or in defaults"))
    })
}

fn parse_board(definition: &Definition, text: &Spanned<String>) -> Result<BoardName, DefinitionError> {
    BoardName::parse_user_input(text.get_ref(), &file::open)
        .map_err(|e| definition.fault_of(text, e.to_string().lines().next().unwrap_or_default()))
}

/// Checks that each backend is an engine, a method that counts, or the name or command of a solver.
fn ensure_backends_exist(definition: &Definition, backends: &Texts) -> Result<(), DefinitionError> {
    let is_engine =
        |name: &str| [EXACT, LP, RELAXATION].contains(&name) || CountMethod::by_name(name).is_some();
    for backend in backends.iter().filter(|backend| !is_engine(backend.get_ref())) {
        choice::backend(backend.get_ref()).map_err(|e| {
            let methods = CountMethod::ALL.map(CountMethod::name).join(", ");
            definition.fault_of(backend, format!("{e}; or exact, lp or relaxation; or, to count, {methods}"))
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ndqueens_model::variant::Goal;
    use ndqueens_workflow::record::Start;

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
    fn relaxations_differ_by_what_is_separated() {
        let text = "boards = [\"3^3\"]\nformulations = [\"base\"]\n";
        let plain = runs(text).remove(0);
        let bound = runs(&format!("{text}backends = [\"relaxation\"]\n")).remove(0);
        let cuts = "backends = [\"relaxation\"]\nseparate = [\"clique\", \"local\"]\nhighs_root = true\n";
        let tight = runs(&format!("{text}{cuts}")).remove(0);
        assert_eq!(bound.configuration(), "base, relaxation");
        assert_eq!(tight.configuration(), "base, relaxation, separate clique+local");
        let ids: HashSet<_> = [&plain, &bound, &tight].map(|run| &run.id).into();
        let keys: HashSet<_> = [&plain, &bound, &tight].map(Planned::key).into();
        assert_eq!((ids.len(), keys.len(), tight.fault()), (3, 3, None));
        let written = serde_json::to_string(&tight).expect("JSON");
        assert_eq!(serde_json::from_str::<Planned>(&written).expect("a run"), tight);
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
            (
                format!("{base}separate = [\"clique\"]\n"),
                "line 6",
                "separate and highs_root are for the backend \"relaxation\"",
            ),
            (
                format!("{base}backends = [\"relaxation\"]\nseparate = [\"cliques\"]\n"),
                "line 7",
                "unknown variant `cliques`",
            ),
            (
                format!("{base}backends = [\"relaxation\"]\nvariants = [\"k+1\"]\n"),
                "line 7",
                "the LP relaxation bounds a maximum or a minimum",
            ),
            (format!("{base}backends = [\"relaxation\"]\nnodes = 3\n"), "line 7", "a relaxation does not use nodes"),
            (
                "boards = [\"hex:3\"]\nformulations = [\"base\"]\nbackends = [\"relaxation\"]\nseparate = [\"local\"]\n"
                    .to_owned(),
                "line 7",
                "hex:3 is not a plain box",
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
