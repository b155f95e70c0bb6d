//! Command-line arguments of `ndq prove BOARD`.

use std::path::PathBuf;

use ndqueens_notation::name::BoardName;
use ndqueens_solver::branch_and_bound::Branching;
use ndqueens_workflow::record::Start;

use crate::args::groups::{Engine, FileForm, Outputs, Solver};
use crate::args::values::{backend, board, queens, whole};

#[derive(Debug, clap::Args)]
pub(crate) struct Maximum {
    /// The board, such as 6^3 or 4x5x6.
    // Absent where a subcommand stands.
    #[arg(value_parser = board, required = true)]
    pub(crate) board: Option<BoardName>,
    /// The target: a maximum to be proved or refuted, or the size of a smallest dominating set [default: it
    /// is determined]. With formulations of full solutions and completions, the required number of queens
    /// [default: n^(d-1)].
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) k: Option<u64>,
    /// The engine that proves the bound: lp if a formulation is given, highs if a backend or another flag for
    /// it is given. Otherwise the cheapest that closes the gap: a theorem, the orbit LP, the exact engine,
    /// and HiGHS for boards that are too large for the engine.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<Engine>,
    /// Store every settled sub-box, or with --engine lp every finished part of the tree, in this folder,
    /// created if needed; the same command resumes from it.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Write the proof to this file; ndq check verifies it. A name that ends in .gz has it gzip-compressed.
    /// With --engine lp, a name that ends in .vipr or .vipr.gz has it written as a VIPR file. The name of a
    /// SAT solver's proof ends in .drat, and its formula is written next to it (.cnf).
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a proof for the checker VeriPB to this file, which ends in .pbp or .pbp.gz, and its formula
    /// next to it (.opb).
    #[arg(long, value_name = "FILE")]
    pub(crate) veripb: Option<PathBuf>,
    /// The formulation for --engine lp and --engine highs: a name or the path of a TOML file [default:
    /// cube where it is valid, else base]. With formulations of dominating sets, the size of a
    /// smallest one is proved.
    #[arg(short, long, value_name = "FORMULATION")]
    pub(crate) formulation: Option<String>,
    /// The squares of this certificate file must be part of the solution: with formulations of completions
    /// and of dominating sets.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    /// With --engine lp, the rule for the choice of the square to branch on.
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) branching: Option<Branching>,
    /// With --engine lp, rounds of separation of cliques at the root, one at every other node; 0 for no
    /// separation [default: 20].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=1000))]
    pub(crate) cut_rounds: Option<u32>,
    /// Accept only bounds verified by ndq's own checker (no floating-point solver results).
    #[arg(long)]
    pub(crate) certified: bool,
    /// With HiGHS, require exactly k + 1 queens (the equality form of Kunt 2023) instead of at least k + 1.
    #[arg(long)]
    pub(crate) equality: bool,
    /// With HiGHS, take published right-hand sides as given instead of proving them first; the result
    /// is then conditional.
    #[arg(long)]
    pub(crate) assume_reported: bool,
    /// The warm start: cut, greedy (constructions), none, or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: Start,
    #[command(flatten)]
    pub(crate) form: FileForm,
    /// The solver: highs, microlp, cbc-lib (in builds with it); highs-cli, cbc, scip or gurobi as commands;
    /// or a command with {model} and {solution}, and perhaps {seconds}, {seed}, {threads} and {start}, such
    /// as "cbc {model} -solve -solution {solution}".
    #[arg(long, value_name = "NAME|COMMAND", value_parser = backend)]
    pub(crate) backend: Option<String>,
    #[command(flatten)]
    pub(crate) solver: Solver,
    /// Limit on the nodes of each proper sub-box; the board itself has the limit --node-limit [default:
    /// --node-limit].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) box_limit: Option<u64>,
    #[command(flatten)]
    pub(crate) outputs: Outputs,
}
