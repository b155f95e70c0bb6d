//! Converts the flags of `ndq prove` to a question.

use anyhow::bail;
use ndqueens_model::board::Board;
use ndqueens_model::formulation::Need;
use ndqueens_notation::certificate::Problem;
use ndqueens_solver::branch_and_bound::{MOST_SQUARES, ProofError, ROOT_ROUNDS};
use ndqueens_workflow::prove::vipr;
use ndqueens_workflow::record::{self as record, Question, Task};
use ndqueens_workflow::run::formulation;

use super::args::Maximum;
use crate::args::groups::Engine;

/// Returns the question of the flags, or an error if they exclude each other.
pub(super) fn question(args: &Maximum) -> anyhow::Result<Question> {
    let name = args.board.as_ref().expect("it is required where no subcommand stands");
    let board = Board::new(name);
    let engine = engine(args, &board)?;
    let task = Task::Prove {
        claimed: args.k,
        exactly: args.equality.then(|| args.k.map_or(1, |k| k.saturating_add(1))),
        assume_reported: args.assume_reported,
        include: match &engine {
            record::Engine::BranchAndBound { formulation, .. } => include(args, &board, formulation)?,
            _ => Vec::new(),
        },
    };
    let options = match engine {
        record::Engine::Backend { .. } => args.solver.options(),
        _ => args.solver.options_of_engine(),
    };
    let mut question = Question::new(task, name, engine, &options);
    question.start = args.start.clone();
    question.box_limit = args.box_limit;
    Ok(question)
}

/// Returns the engine of the flags.
fn engine(args: &Maximum, board: &Board) -> anyhow::Result<record::Engine> {
    let for_backend = args.backend.is_some()
        || args.equality
        || args.assume_reported
        || args.solver.presolve.is_some()
        || args.solver.highs.first_flag().is_some();
    let for_tree = args.branching.is_some() || args.cut_rounds.is_some();
    let for_highs = for_backend || args.formulation.is_some() || args.solver.detect_symmetry.is_some();
    let for_tree_alone = for_tree || args.include.is_some();
    let default = match (for_tree_alone, for_backend) {
        (true, _) => Engine::Lp,
        (false, true) => Engine::Highs,
        (false, false) if args.formulation.is_some() => Engine::Lp,
        (false, false) if for_highs => Engine::Highs,
        (false, false) => Engine::Exact,
    };
    Ok(match args.engine.unwrap_or(default) {
        Engine::Lp if for_backend => {
            bail!(
                "--backend, --equality, --assume-reported, --presolve, --option and --log are for --engine highs"
            )
        }
        Engine::Lp => branch_and_bound(args, board)?,
        _ if for_tree => bail!("--branching and --cut-rounds are for --engine lp"),
        _ if args.include.is_some() => bail!("--include is for --engine lp"),
        Engine::Highs => backend(args, board)?,
        _ if for_highs => bail!(
            "--formulation and --detect-symmetry are for --engine lp and --engine highs; --backend, --equality, --assume-reported, --presolve, --option and --log are for --engine highs"
        ),
        Engine::Sat if args.work.is_some() => bail!("--work is for --engine exact and --engine lp"),
        Engine::Sat if args.box_limit.is_some() => bail!("--box-limit is for --engine exact"),
        Engine::Sat
            if args.solver.node_limit.is_some() || args.solver.threads.is_some_and(|threads| threads > 1) =>
        {
            bail!("--node-limit and --threads mean nothing to the SAT solver")
        }
        Engine::Sat => record::Engine::Sat,
        Engine::Exact if args.work.is_some() && board.plain_box().is_none() => {
            bail!(
                "--work stores sub-boxes, and {} has none; ndq prove split proves a bound in parts",
                board.name()
            )
        }
        Engine::Exact if args.box_limit.is_some() && board.plain_box().is_none() => {
            bail!("--box-limit is for sub-boxes, and {} has none", board.name())
        }
        Engine::Exact if by_search(args) => record::Engine::Exact,
        Engine::Exact => record::Engine::Route,
    })
}

/// Returns the engine that gives an integer program to HiGHS or another backend.
fn backend(args: &Maximum, board: &Board) -> anyhow::Result<record::Engine> {
    if args.certified {
        bail!(
            "--certified accepts no floating-point result, so it excludes --engine highs and the flags for it"
        );
    }
    let formulation = crate::commands::formulation(args.formulation.as_deref(), board)?.name;
    if args.work.is_some() {
        bail!("--work is for --engine exact and --engine lp");
    }
    if args.box_limit.is_some() {
        bail!("--box-limit is for --engine exact");
    }
    if args.proof.is_some() {
        bail!("--proof is for --engine exact; HiGHS gives no proof");
    }
    Ok(match args.backend.clone() {
        Some(backend) => record::Engine::Backend { formulation, backend },
        None => record::Engine::highs(&formulation),
    })
}

/// Returns the engine that does branch and bound on the LP relaxations of a formulation.
fn branch_and_bound(args: &Maximum, board: &Board) -> anyhow::Result<record::Engine> {
    if args.box_limit.is_some() {
        bail!("--box-limit is for --engine exact");
    }
    let formulation = crate::commands::formulation(args.formulation.as_deref(), board)?;
    if args.include.is_some() && board.size() > MOST_SQUARES {
        bail!("{}", ProofError::TooLarge { board: board.name().to_string() });
    }
    if formulation.problem == Problem::NoThreeInLine {
        bail!(
            "no proof is written for no-three-in-line sets; ndq solve {} -f {} finds their maximum",
            board.name(),
            formulation.name
        );
    }
    let is_of_dominating_sets = formulation.problem != Problem::IndependentSet;
    if is_of_dominating_sets && (args.branching.is_some() || args.cut_rounds.is_some()) {
        bail!("--branching and --cut-rounds are for formulations of independent sets");
    }
    if formulation.needs.contains(&Need::Include) && args.include.is_none() {
        bail!("formulation {} needs queens to complete: --include FILE", formulation.name);
    }
    if formulation.needs.contains(&Need::Number) && args.k.is_none() {
        bail!("formulation {} needs a number of queens: --k K", formulation.name);
    }
    let is_vipr =
        is_of_dominating_sets || args.include.is_some() || args.proof.as_deref().is_some_and(vipr::is_name);
    if args.work.is_some() && is_vipr {
        bail!("--work stores parts of a proof tree, and a VIPR file has none");
    }
    if args.include.is_some() && formulation.maximises() {
        bail!(
            "--include is for formulations of completions and of dominating sets, not for {}",
            formulation.name
        );
    }
    if args.veripb.is_some() && !formulation.maximises() {
        bail!("--veripb is for maxima; a proof with formulation {} is a VIPR file", formulation.name);
    }
    if let Some(path) = &args.proof
        && (is_of_dominating_sets || args.include.is_some())
        && !vipr::is_name(path)
    {
        bail!(
            "{}: a proof about dominating sets or with included squares is a VIPR file, and its name ends in .vipr or .vipr.gz",
            path.display()
        );
    }
    Ok(record::Engine::BranchAndBound {
        formulation: formulation.name,
        branching: args.branching.unwrap_or_default(),
        cut_rounds: args.cut_rounds.unwrap_or(ROOT_ROUNDS),
    })
}

/// Returns the squares that must be part of the solution.
fn include(args: &Maximum, board: &Board, formulation: &str) -> anyhow::Result<Vec<Vec<u32>>> {
    let Some(path) = &args.include else { return Ok(Vec::new()) };
    let problem = formulation::load(formulation)?.problem;
    let squares = crate::commands::read_included(board, Some(path), args.form, problem)?;
    let mut squares: Vec<_> = squares.into_iter().map(|square| board.coordinates(square)).collect();
    squares.sort_unstable();
    Ok(squares)
}

/// Returns `true` if flags request results that only the search of the exact engine gives.
fn by_search(args: &Maximum) -> bool {
    args.engine.is_some()
        || args.work.is_some()
        || args.proof.is_some()
        || args.veripb.is_some()
        || args.solver.node_limit.is_some()
        || args.box_limit.is_some()
}
