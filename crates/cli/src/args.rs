//! The command line, as typed.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use ndqueens_lab::bounds::{Cube, Extent};
use ndqueens_lab::{archive, file};
use ndqueens_model::name::{BoardName, NameError};
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::choice::{self, UnknownBackend};

use crate::commands::bounds::range;
use crate::memory;

mod cliquer;
mod sudoku;

pub(crate) use self::cliquer::*;
pub(crate) use self::sudoku::*;

/// An integer-programming workbench for the (n,d)-queens problem: how many mutually non-attacking queens fit on a
/// d-dimensional board of side n?
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, after_help = GUIDE)]
pub(crate) struct Args {
    /// Print results as JSON, one object a line.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Tell more: progress lines every second.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Tell nothing but the result.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// The archive of what was proved and found before, instead of the one in the program: a folder with ledger.csv, ledger/,
    /// certificates/ and box-table.csv, or some of them, such as results/archive in a clone.
    #[arg(long, value_name = "DIR", env = archive::VARIABLE, global = true)]
    pub(crate) data: Option<PathBuf>,
    /// Memory that the command may take, in GiB; nine tenths of what the machine has when absent.
    #[arg(long, global = true, value_name = "GIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub(crate) memory: Option<u64>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const GUIDE: &str = "\
Boards:     6^3 is a cube of side 6, 4x5x6 a box; rook: or bishop: before it changes the piece, torus: wraps it round;
            hex:6 is a hexagon of side 6, three:8 the board for three players, sudoku:3 the usual Sudoku;
            file: and a path is a drawing or a graph in a file, as in instances/boards/.
Recipes:    for a maximum base, lmr, cube, star, cube-star, all, dilated, cuboid, strong, strong-clique, edge,
            odd-cycle, maximal-clique, symmetry, lex;
            for other problems full, modular, partial, completion, domination, independent-domination;
            or the path of a TOML file; models/ holds the shipped ones.
Exit codes: 0 done, and the answer is what was asked for; 1 done, and the answer is no; 2 bad input;
            3 left open, incumbent and bound printed: stopped at a limit or by Ctrl-C, no means is left, or it holds only
            if something does that was not checked;
            4 a solver or ndq itself failed.

Try:        ndq prove 5^3                      prove a maximum, with a certificate
            ndq relax 6^3                      compare the LP bounds of all recipes
            ndq solve 4^4 -f cube -o best.txt  solve with a recipe, keep the certificate
            ndq bound 8^4                      bound a maximum from above, in fractions that can be checked
            ndq check best.txt                 check a certificate from the definition of an attack";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a board: squares, lines, symmetry, and its layers drawn.
    Board(Board),
    /// Write the integer programme of a recipe, or the graph of a board, as a file for other solvers.
    Model(Model),
    /// Solve the LP relaxations of recipes and show their bounds side by side.
    Relax(Relax),
    /// Solve a recipe with HiGHS or another solver; the solution is checked independently.
    Solve(Solve),
    /// Prove a maximum: a checked certificate of k queens, and a proof that k + 1 do not fit.
    Prove(Prove),
    /// Bound all boxes inside a box, as a CSV table.
    Boxes(Boxes),
    /// Estimate how long the proof would take that K queens do not fit.
    Estimate(Estimate),
    /// Cut the question whether K queens fit into parts, for many runs, machines or days.
    Split(Split),
    /// Run a part, or all that are missing, of what was split.
    RunPart(RunPart),
    /// Put the proof together from its parts, and check it.
    Join(Join),
    /// Construct large solutions without a solver, and say which construction won.
    Construct(Construct),
    /// Search for large solutions, among the symmetric ones too, until time is up.
    Search(Search),
    /// Bound the queens on a box from above by the orbit LP, with a certificate in exact fractions.
    Bound(Bound),
    /// Bound the queens on n^d from below and above by all that is known here, and say why.
    Bounds(Bounds),
    /// Keep what is proved, with the files that show it, and verify it.
    #[command(subcommand)]
    Ledger(Ledger),
    /// Keep the certificates of the best lower bounds.
    #[command(subcommand)]
    Store(Store),
    /// Check a certificate, or a proof, from the definition of an attack.
    Check(Check),
    /// Count all maximum solutions, and the fundamental ones among them.
    Count(Count),
    /// Colour a board so that no two squares of one colour attack each other: fewest colours, or all n-colourings of n^2.
    Colour(Colour),
    /// Find a solution that contains given queens, or prove that there is none.
    Complete(Complete),
    /// Draw a board, with pieces, a density or a colouring, as SVG, PNG or text.
    Draw(Draw),
    /// Show published values: data to compare with, not proofs.
    Known(Known),
    /// Run a recorded solve or prove again and compare. A record may name a command as its backend, which then runs as you: see
    /// --allow-commands.
    Rerun(Rerun),
    /// Solve Sudoku puzzles, count their solutions, give hints, make puzzles.
    Sudoku(Sudoku),
    /// CliqueR, a game of dots and segments: make boards, play, solve, measure and draw.
    #[command(subcommand)]
    Cliquer(Cliquer),
    /// Run experiments: many boards, formulations, variants and seeds from one file, into tables and plots.
    #[command(subcommand)]
    Lab(Lab),
}

impl Command {
    /// The wall-clock limit that was given for all of the command.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Relax(Relax { solver, .. })
            | Self::Solve(Solve { solver, .. })
            | Self::Prove(Prove { solver, .. })
            | Self::Bound(Bound { solver, .. })
            | Self::Cliquer(Cliquer::Extremes(CliquerExtremes { solver, .. })) => solver.time_limit,
            Self::Check(check) => check.time_limit,
            Self::Count(count) => count.time_limit,
            Self::Complete(complete) => complete.time_limit,
            Self::Colour(colour) => colour.time_limit,
            Self::Sudoku(sudoku) => sudoku.time_limit,
            Self::Cliquer(Cliquer::Value(value)) => value.time_limit,
            _ => None,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Lab {
    /// List the runs of an experiment file, each with its id.
    Plan(LabPlan),
    /// Run what is missing in a folder, each run in a process of its own. An experiment file may name commands as backends,
    /// which then run as you: see --allow-commands.
    Run(LabRun),
    /// Print a table of a folder that ndq lab run has filled.
    Table(LabTable),
    /// Draw a folder that ndq lab run has filled: performance profile, time against n, bounds over time.
    Plot(LabPlot),
    /// Tell whether two folders, or the ways in one, differ by more than noise.
    Compare(LabCompare),
    /// Make a run that comes on standard input; ndq lab run starts this.
    #[command(hide = true)]
    Child,
}

#[derive(Debug, Group)]
pub(crate) struct LabPlan {
    /// The experiment file, such as instances/experiments/smoke.toml.
    pub(crate) file: PathBuf,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct LabRun {
    /// The experiment file, such as instances/experiments/smoke.toml.
    pub(crate) file: PathBuf,
    /// The folder for rows and tables, made if need be. The same command goes on there after it was stopped, and several
    /// runners may share it.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Runs that are made at a time; times are fair only if each has a core of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: u32,
    /// Make those runs again that ended in a crash or an error.
    #[arg(long)]
    pub(crate) retry: bool,
    #[command(flatten)]
    pub(crate) commands: Commands,
}

/// Whether a file that somebody else may have written can have programs run.
#[derive(Debug, Group)]
pub(crate) struct Commands {
    /// Run the commands that the file names as backends, templates with {model}. They are shown before they run, and may do
    /// whatever you may do: read the file first.
    #[arg(long)]
    pub(crate) allow_commands: bool,
}

#[derive(Debug, Group)]
pub(crate) struct LabTable {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// What the table holds.
    #[arg(long, value_enum, default_value_t = Layout::Comparison)]
    pub(crate) layout: Layout,
    /// Its form; when not given, Markdown, and CSV for the raw rows.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Which seconds are shown, when not those that the experiment file names.
    #[arg(long, value_enum)]
    pub(crate) time: Option<Clock>,
    /// The way that speed-ups are against, such as "base" or "cube, k+1"; when not given, the one that the experiment file
    /// names, or its first.
    #[arg(long, value_name = "WAY")]
    pub(crate) reference: Option<String>,
    /// Print what the columns of the CSV tables mean instead.
    #[arg(long)]
    pub(crate) columns: bool,
    /// Write into this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Group)]
pub(crate) struct LabPlot {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// Which seconds are drawn, when not those that the experiment file names.
    #[arg(long, value_enum)]
    pub(crate) time: Option<Clock>,
    /// Write the SVG files into this folder, made if need be; into plots/ of the first one when not given.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Group)]
pub(crate) struct LabCompare {
    /// A folder; alone, its ways are compared with its reference.
    pub(crate) first: PathBuf,
    /// Another folder: runs of the same board, way and seed are compared.
    pub(crate) second: Option<PathBuf>,
    /// What is compared.
    #[arg(long, value_enum, default_value_t = Effort::Seconds)]
    pub(crate) by: Effort,
    /// Which seconds are compared, when not those that the experiment file names.
    #[arg(long, value_enum)]
    pub(crate) time: Option<Clock>,
    /// The way that the others are compared with, when not the one that the experiment file names, or its first.
    #[arg(long, value_name = "WAY", conflicts_with = "second")]
    pub(crate) reference: Option<String>,
    /// Compare on this board only; may be given more than once.
    #[arg(long, value_name = "BOARD")]
    pub(crate) board: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Effort {
    /// Seconds.
    Seconds,
    /// Branch-and-bound nodes, which no other program on the machine disturbs; those of different solvers are not compared.
    Nodes,
    /// Simplex iterations; as nodes.
    LpIterations,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// A table for every way, a row for every board: mean, minimum, maximum of time, simplex iterations and nodes.
    Kunt,
    /// All ways side by side, the fastest marked, and summed up.
    Comparison,
    /// A row for every run.
    Raw,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Data with a line of names.
    Csv,
    /// To be read as it is.
    Markdown,
    /// For a paper, with the package booktabs.
    Latex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// Wall clock.
    Wall,
    /// Processor time of all threads.
    Cpu,
}

#[derive(Debug, Group)]
pub(crate) struct Board {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Draw the solution in this certificate file instead of the orbits of squares.
    #[arg(long, value_name = "FILE")]
    pub(crate) show: Option<PathBuf>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Asked {
    /// Ask for a solution with at least K queens, instead of a maximum one.
    #[arg(long, value_name = "K", value_parser = queens, conflicts_with_all = ["at_most", "exactly"])]
    pub(crate) at_least: Option<u64>,
    /// Ask for a dominating set with at most K queens, instead of a least one.
    #[arg(long, value_name = "K", value_parser = queens, conflicts_with = "exactly")]
    pub(crate) at_most: Option<u64>,
    /// Ask for a solution with exactly K queens (the main source's form).
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) exactly: Option<u64>,
    /// Queens that must be part of the solution: a certificate file.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    /// Which rows to keep.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) rows: Rows,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Rows {
    /// All rows as the families give them.
    #[default]
    All,
    /// One of each set of identical rows.
    Distinct,
    /// Distinct rows that no other row implies.
    Undominated,
}

const EXTENSIONS: &str = "\
Extensions of FILE:
  .lp   the programme as formulas (CPLEX LP)
  .mps  the programme as columns, a maximum as the minimum of the negated objective
  .opb  the programme as pseudo-Boolean constraints, a maximum likewise
  .cnf  a yes/no question as clauses (DIMACS): needs --at-least, --at-most or --exactly
  .clq  the complement of the board's graph (DIMACS): its cliques are the independent sets
  .col  the board's graph (DIMACS), to be coloured
Recipe, number, --include and --rows do not apply to .clq and .col.";

#[derive(Debug, Group)]
#[command(after_help = EXTENSIONS)]
pub(crate) struct Model {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The recipe: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "RECIPE")]
    pub(crate) formulation: Option<String>,
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// The file to write; its extension says what goes into it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write the file even when it is longer than 4 GiB.
    #[arg(long)]
    pub(crate) large: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Relax {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The recipes to compare; all shipped ones for a maximum when absent.
    #[arg(short, long, value_name = "RECIPE", num_args = 1..)]
    pub(crate) formulation: Vec<String>,
    #[command(flatten)]
    pub(crate) solver: Solver,
}

#[derive(Debug, Clone, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Solver {
    /// Threads for the solver.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: u32,
    /// Seed for random choices.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=2_147_483_647))]
    pub(crate) seed: u32,
    /// Wall-clock limit in seconds, for making the model too.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Limit on branch-and-bound nodes; for each box with the exact engine, which looks at it every 1024 nodes and then bounds what it cannot settle.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=2_147_483_647))]
    pub(crate) node_limit: Option<u64>,
    /// Presolve, when it is not to be left to the solver.
    #[arg(long, value_enum)]
    pub(crate) presolve: Option<Switch>,
    /// Symmetry detection, when it is not to be left to the solver.
    #[arg(long, value_enum)]
    pub(crate) symmetry: Option<Switch>,
    /// What a model may take, in GiB, when that is not for the whole process to say.
    #[arg(skip)]
    pub(crate) memory: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Switch it on.
    On,
    /// Switch it off.
    Off,
}

impl Solver {
    pub(crate) fn options(&self) -> Options {
        let on = |switch: Switch| switch == Switch::On;
        Options {
            seed: self.seed,
            threads: Some(self.threads),
            time_limit: self.time_limit,
            node_limit: self.node_limit,
            presolve: self.presolve.map(on),
            symmetry: self.symmetry.map(on),
            start: None,
        }
    }

    pub(crate) fn memory(&self) -> u64 {
        memory::for_models(self.memory)
    }
}

/// How much works at a time.
#[derive(Debug, Clone, Copy, Group)]
pub(crate) struct Threads {
    /// How many threads work.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: u32,
}

/// What decides random choices.
#[derive(Debug, Clone, Copy, Group)]
pub(crate) struct Seed {
    /// Seed for random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u32,
}

/// How the exact engine bounds boxes.
#[derive(Debug, Clone, Copy, Group)]
pub(crate) struct Bounding {
    /// Limit on the nodes for each box, looked at every 1024 of them; what it leaves open is bounded.
    #[arg(long, value_name = "N")]
    pub(crate) node_limit: Option<u64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
}

impl Bounding {
    pub(crate) fn options(self) -> Options {
        Options {
            seed: self.seed.seed,
            threads: Some(self.threads.threads),
            node_limit: self.node_limit,
            ..Options::default()
        }
    }
}

fn board(name: &str) -> Result<BoardName, NameError> {
    BoardName::read(name, &file::open)
}

fn queens(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("it must be a whole number of queens, from 0 to {}", u64::MAX))
}

fn colours(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&k| k > 0).ok_or_else(|| "it must be a number of colours, 1 or more".to_owned())
}

/// A whole number of a range.
fn whole(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start(), *range.end()) {
            (least, u64::MAX) => format!("a whole number is needed, {least} or more"),
            (least, most) => format!("a whole number from {least} to {most} is needed"),
        })
    }
}

fn backend(text: &str) -> Result<String, UnknownBackend> {
    choice::backend(text).map(|_| text.to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "a number of seconds is needed".to_owned())?;
    Duration::try_from_secs_f64(value).map_err(|_| "it must be a number of seconds, 0 or more".to_owned())
}

#[derive(Debug, Group)]
pub(crate) struct Solve {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The recipe: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "RECIPE")]
    pub(crate) formulation: Option<String>,
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// The warm start: cut, greedy, none, or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: String,
    /// The solver: highs, microlp, cbc-lib (in builds with it); highs-cli, cbc, scip or gurobi as commands; or a command
    /// with {model} and {solution}, and perhaps {seconds}, {seed} and {threads}, such as
    /// "cbc {model} -solve -solution {solution}".
    #[arg(long, value_name = "NAME|COMMAND", default_value = "highs", value_parser = backend)]
    pub(crate) backend: String,
    /// What finds and proves the maximum: the recipe's integer programme (highs, or another backend), or the exact engine.
    #[arg(long, value_enum, default_value_t = Engine::Highs)]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) keep: Keep,
    /// Solve the LP relaxation as well, for the record.
    #[arg(long)]
    pub(crate) root_bound: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Keep {
    /// Write the certificate to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write a run record into this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
}

/// What proves an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Branch and bound in integers; its proof is checked.
    Exact,
    /// The integer programme, given to HiGHS or another backend, in floating point: a second opinion.
    Highs,
    /// CaDiCaL, a SAT solver, in builds with it; its DRAT proof is checked by the program rate. For ndq prove.
    Sat,
}

#[derive(Debug, Group)]
pub(crate) struct Prove {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The value claimed to be the maximum; whatever it is when absent.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) k: Option<u64>,
    /// What proves the upper bound; highs when a recipe, a backend or another flag for it is given. Else the cheapest that
    /// closes the gap: a theorem, the orbit LP, the exact engine, and HiGHS for boards that are too large for the engine.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<Engine>,
    /// Keep each box that is settled in this folder, made if need be; the same command goes on there after it was stopped.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Keep the proof in this file; ndq check reads it. The exact engine's is packed when the name ends in .gz; the name of
    /// a SAT solver's ends in .drat, and its formula goes beside it (.cnf).
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a proof for the checker VeriPB to this file, which ends in .pbp or .pbp.gz, and its formula beside it (.opb).
    #[arg(long, value_name = "FILE")]
    pub(crate) veripb: Option<PathBuf>,
    /// The recipe whose rows HiGHS takes: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "RECIPE")]
    pub(crate) formulation: Option<String>,
    /// Accept only bounds verified by ndq's own checker (no floating-point solver results).
    #[arg(long)]
    pub(crate) certified: bool,
    /// With HiGHS, ask for exactly k + 1 queens (the main source's form) instead of at least k + 1.
    #[arg(long)]
    pub(crate) exactly: bool,
    /// With HiGHS, take published right sides as given instead of proving them first; the result is then conditional.
    #[arg(long)]
    pub(crate) assume_reported: bool,
    /// The certificate to begin with: cut, greedy, none (the best construction, or one that is kept here), or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: String,
    /// The solver: highs, microlp, cbc-lib (in builds with it); highs-cli, cbc, scip or gurobi as commands; or a command
    /// with {model} and {solution}, and perhaps {seconds}, {seed} and {threads}, such as
    /// "cbc {model} -solve -solution {solution}".
    #[arg(long, value_name = "NAME|COMMAND", value_parser = backend)]
    pub(crate) backend: Option<String>,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) keep: Keep,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Boxes {
    /// The box, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Put the rows into this CSV file, beside those of other boxes that it holds.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bounding: Bounding,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Split {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The number of queens of which it is to be proved that they do not fit.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) at_least: u64,
    /// A new folder for the parts.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The least number of parts; the tree decides how many more there are.
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) parts: usize,
    #[command(flatten)]
    pub(crate) bounding: Bounding,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Estimate {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The number of queens of which it would be proved that they do not fit.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) at_least: u64,
    /// Random walks down the tree.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) samples: u64,
    /// Keep the boxes that are settled in this folder, and take them from it; ndq prove --work takes the same.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bounding: Bounding,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct RunPart {
    /// The folder that ndq split made.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The number of the part, counted from 0.
    #[arg(value_name = "I", conflicts_with = "all")]
    pub(crate) part: Option<usize>,
    /// Run all parts that are missing. What a stopped run has finished stays.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Debug, Group)]
pub(crate) struct Join {
    /// The folder that ndq split made.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Keep the proof in this file, packed when its name ends in .gz; ndq check reads it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Construct {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Only this method: regular, planar, cut, extend, product, corner, stack or greedy.
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Count what the method regular or stack can make in all: regular solutions, or all full solutions on n^3.
    #[arg(long, requires = "method", conflicts_with = "include")]
    pub(crate) count: bool,
    /// Make it from these files: two certificates for the method product, one for corner, a colouring of n^2 for stack.
    #[arg(long, value_name = "FILE", num_args = 1..=2, requires = "method", conflicts_with_all = ["include", "count"])]
    pub(crate) from: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Queens that must be part of the solution: a certificate file.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Write the certificate to this file; with --method regular --count, all coefficient vectors as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const BOUNDS: &str = "\
Try:  ndq bounds                              all n^d for d = 2..8 and n = 1..30
      ndq bounds --why 8^4                    how the bounds of 8^4 are derived, down to the leaves
      ndq bounds --d 3 --unpublished -o d3.csv  what rests on nothing that is only published";

#[derive(Debug, Group)]
#[command(after_help = BOUNDS)]
pub(crate) struct Bounds {
    /// The dimensions.
    #[arg(long, value_name = "D..D", default_value = "2..8", value_parser = |text: &str| range(text, &Extent::ALLOWED.0))]
    pub(crate) d: RangeInclusive<usize>,
    /// The sides.
    #[arg(long, value_name = "N..N", default_value = "1..30", value_parser = |text: &str| range(text, &Extent::ALLOWED.1))]
    pub(crate) n: RangeInclusive<u32>,
    /// Show how the bounds of this board are derived, as trees.
    #[arg(long, value_name = "BOARD")]
    pub(crate) why: Option<Cube>,
    /// Use no published values, only theorems, checked certificates and archived bounds.
    #[arg(long)]
    pub(crate) unpublished: bool,
    /// As --unpublished, but use only archived bounds whose proofs are checked in this run.
    #[arg(long)]
    pub(crate) certified: bool,
    /// Use the values in this CSV file besides the published ones; it has the columns of instances/known-values.csv.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["unpublished", "certified"])]
    pub(crate) values: Option<PathBuf>,
    /// The form of the table [default: aligned columns, with --output csv].
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write the table to this file.
    #[arg(short, long, value_name = "FILE", conflicts_with = "why")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Store {
    /// Check certificates, and keep those that no rule and no stored one makes superfluous.
    Add(StoreAdd),
    /// Check every certificate of the store, and tell which are superfluous.
    Verify,
    /// List the certificates of the store.
    List,
}

#[derive(Debug, Group)]
pub(crate) struct StoreAdd {
    /// Certificate files.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Ledger {
    /// Check certificates, bounds and proofs, and take in what they show.
    Add(LedgerAdd),
    /// Check every file that is here, walk down what each bound rests on, and print it.
    Verify,
    /// List the bounds.
    List,
}

#[derive(Debug, Group)]
pub(crate) struct LedgerAdd {
    /// Certificates, bounds of ndq bound -o, or proofs of ndq prove --proof.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The command that makes the files again; files over a megabyte are not kept, and need it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) command: Option<String>,
}

const BOUND: &str = "\
The LP relaxation of a recipe, reduced to one variable for each orbit of squares and one row for each orbit of rows, is
solved by HiGHS; its dual solution is rounded to fractions, and the sum is checked in exact arithmetic.

Try:  ndq bound 6^4 -f cube
      ndq bound 8^4 -f cube dilated strong -o bound.txt
      ndq check bound.txt";

#[derive(Debug, Group)]
#[command(after_help = BOUND)]
pub(crate) struct Bound {
    /// The board, such as 6^4 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The recipes to try; the best bound is kept.
    #[arg(short, long, value_name = "RECIPE", num_args = 1.., default_value = "strong")]
    pub(crate) formulation: Vec<String>,
    /// Take published, unproved bounds as right sides too; the result holds if they do.
    #[arg(long)]
    pub(crate) assume_reported: bool,
    /// Accept only bounds of smaller boards whose archived proofs are checked in this run, so that the bound is unconditional.
    #[arg(long, conflicts_with = "assume_reported")]
    pub(crate) certified: bool,
    /// Write the best bound to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: Solver,
}

const SEARCH: &str = "\
GROUP:
  auto            no symmetry in half of the rounds, any one in the others
  none            no symmetry
  central         all axes reflected
  -1,3,2          the first axis reflected, the other two exchanged; several such symmetries, parted by semicolons,
                  generate a group

Try:  ndq search 14^3 --seconds 60 -o best.txt
      ndq search 14^3 --seconds 600 --from-round 5000 -o best.txt     the next rounds of the same search
      ndq search 14^3 --seconds 600 --start best.txt -o best.txt      half of the rounds change what was found";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = SEARCH)]
pub(crate) struct Search {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// How long to search [default: 10, or no limit with --rounds].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) seconds: Option<Duration>,
    /// How many rounds to make; a round is one walk, and the same in every search with this seed, start and symmetry.
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u64>,
    /// Stop when so many queens are found; the exit code is 3 when they are not.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) at_least: Option<u64>,
    /// Which symmetry the solution is to have.
    #[arg(long, value_name = "GROUP", default_value = "auto", allow_hyphen_values = true)]
    pub(crate) symmetry: String,
    /// Queens that must be part of the solution: a certificate file.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    /// A solution to go on from: cut, greedy, none, or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: String,
    /// The number of the first round, to go on after a search that was stopped.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 63))]
    pub(crate) from_round: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Keep the best certificate in this file, from the first one on; one that is there has to be beaten.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Search {
    /// How long the search may take.
    pub(crate) fn limit(&self) -> Option<Duration> {
        const SECONDS: Duration = Duration::from_secs(10);
        self.seconds.or_else(|| self.rounds.is_none().then_some(SECONDS))
    }
}

#[derive(Debug, Group)]
#[command(after_help = "\
Examples:
  ndq draw hex:6 -o hex.svg                              the empty board
  ndq draw three:8 --show t.txt --attacked -o three.png  a certificate and what it attacks
  ndq draw 6^3 --density 6.csv -o density.svg            what ndq count --density has written
  ndq draw 12^2 --colouring c.txt -o 12.svg              what ndq colour -o has written")]
pub(crate) struct Draw {
    /// The board.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The squares to be shown, checked before they are drawn.
    #[arg(long, value_name = "FILE")]
    pub(crate) show: Option<PathBuf>,
    /// How they are written; see ndq check.
    #[arg(long = "as", value_name = "CONVENTION", default_value = "native", requires = "show")]
    pub(crate) convention: String,
    /// Mark attacked squares; on a Sudoku, write the numbers that remain.
    #[arg(long, requires = "show")]
    pub(crate) attacked: bool,
    /// How often each square is occupied: a file of ndq count --density.
    #[arg(long, value_name = "FILE", conflicts_with = "show")]
    pub(crate) density: Option<PathBuf>,
    /// The colours of the squares: a file of ndq colour, checked before it is drawn.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["show", "density"])]
    pub(crate) colouring: Option<PathBuf>,
    /// The picture, its name ending in .svg or .png; without it, text is printed.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const COLOUR: &str = "\
Symmetries: h and v are the reflections that reverse rows and columns, hv both, r2 the half turn, r4 the quarter turns. They
            permute the classes of a colouring. Those that no n-colouring of n^2 has are refused, with the reason.";

/// How a colouring is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Colouring {
    /// What suits the board.
    #[default]
    Auto,
    /// Closed forms, for n^2.
    Closed,
    /// The complete algorithm, for n^2.
    Cover,
    /// Random beginnings that are completed in every way, for n^2.
    Draw,
    /// DSATUR branch and bound.
    Dsatur,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = COLOUR)]
pub(crate) struct Colour {
    /// The board, such as 12^2 or 3^3.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Ask whether K colours are enough, instead of for the fewest.
    #[arg(long, value_name = "K", value_parser = colours)]
    pub(crate) colours: Option<u64>,
    /// Give the first colouring that is found; this is the default.
    #[arg(long, conflicts_with_all = ["all", "count"])]
    pub(crate) first: bool,
    /// Visit all n-colourings of n^2, and list them up to colours.
    #[arg(long, conflicts_with = "count")]
    pub(crate) all: bool,
    /// Visit all n-colourings of n^2, and count them: up to colours, up to symmetry, and by their symmetries.
    #[arg(long)]
    pub(crate) count: bool,
    /// Which symmetry the colouring is to have: none (it may have any), h, v, hv, r2, r4, or auto.
    #[arg(long, value_name = "OPERATOR", default_value = "auto")]
    pub(crate) symmetry: String,
    /// How a colouring is found: auto, closed (closed forms), cover (complete, by lists of solutions), draw (random beginnings,
    /// completed in every way) or dsatur (branch and bound on any board).
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Colouring,
    /// Leave out the clique filter of the complete algorithm.
    #[arg(long)]
    pub(crate) no_filter: bool,
    /// Take the layers of this full solution of n^d as classes: the board is n^(d-1).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "count", "colours", "symmetry", "method", "write"])]
    pub(crate) layers: Option<PathBuf>,
    /// The axis along which the layers are taken, counted from 1.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), requires = "layers")]
    pub(crate) axis: u16,
    /// A folder for what is done of --all or --count, made if need be; the same command goes on there after it was stopped.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Write the question, with --colours, as a file for other solvers instead (.lp, .mps, .opb or .cnf).
    #[arg(long, value_name = "FILE", requires = "colours", conflicts_with_all = ["first", "all", "count", "symmetry", "method", "no_filter", "work", "output"])]
    pub(crate) write: Option<PathBuf>,
    /// Wall-clock limit in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Keep the colouring, the first one, in this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Check {
    /// The file to check: a certificate, a list of solutions written by ndq count --solutions, a proof written by ndq prove --proof, or a proof for VeriPB (.pbp, its formula beside
    /// it), which the program veripb checks.
    pub(crate) file: PathBuf,
    /// How the squares are written: native, tuples, tuples1, flat, flat1, degroot (on hex:n and three:n), heights or heights1
    /// (1: counted from 1).
    #[arg(long = "as", value_name = "CONVENTION", default_value = "native")]
    pub(crate) convention: String,
    /// The board that the file must be for; needed for all conventions but the native one.
    #[arg(long, value_parser = board)]
    pub(crate) board: Option<BoardName>,
    /// The file is a solution file of HiGHS, CBC, SCIP or Gurobi for the programme of this recipe on the board.
    #[arg(short, long, value_name = "RECIPE", requires = "board", conflicts_with = "convention")]
    pub(crate) formulation: Option<String>,
    /// That programme asked for at least K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation", conflicts_with_all = ["at_most", "exactly"])]
    pub(crate) at_least: Option<u64>,
    /// That programme asked for a dominating set of at most K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation", conflicts_with = "exactly")]
    pub(crate) at_most: Option<u64>,
    /// The queens in this certificate file had to be part of its solution.
    #[arg(long, value_name = "FILE", requires = "formulation")]
    pub(crate) include: Option<PathBuf>,
    /// That programme asked for exactly K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation")]
    pub(crate) exactly: Option<u64>,
    /// Wall-clock limit in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write the certificate to this file, in the native form.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const COUNT: &str = "\
Try:  ndq count 6^3                               maximum solutions, fundamental ones among them
      ndq count 4^3 --method all                  the same three times, by methods that share nothing
      ndq count 5^3 --solutions 5.txt             one solution of each orbit, for ndq check
      ndq count 6^3 --density 6.csv               how many solutions occupy each square
      ndq count 9^3 --threads 2 --work 9          in parts that are kept: go on later by the same command";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = COUNT)]
pub(crate) struct Count {
    /// The board, such as 4^3 or 8^2.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// How they are counted; the methods share nothing but the definition of the board.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Method,
    /// Count the non-attacking sets of so many queens instead of the maximum solutions.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) size: Option<u64>,
    /// Write the solutions to this file; ndq check reads it.
    #[arg(long, value_name = "FILE")]
    pub(crate) solutions: Option<PathBuf>,
    /// Which solutions the file lists.
    #[arg(long, value_enum, default_value_t, requires = "solutions")]
    pub(crate) list: List,
    /// Write to this CSV file how many solutions occupy each square; ndq draw draws it.
    #[arg(long, value_name = "FILE")]
    pub(crate) density: Option<PathBuf>,
    /// Find the completion threshold: the largest t such that every non-attacking set of at most t queens is part of a maximum solution.
    #[arg(long)]
    pub(crate) threshold: bool,
    /// Keep finished parts and settled boxes in this folder, and take them from it.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Wall-clock limit in seconds, for all methods together.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
}

const COMPLETE: &str = "\
When there is no such solution, a part of the queens is named that already rules it out, as small as can be.
Try:  ndq complete 8^2 --include queens.txt
      ndq complete 11^3 --size 121 --include queens.txt -o full.txt";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = COMPLETE)]
pub(crate) struct Complete {
    /// The board, such as 6^3 or 8^2.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Queens that must be part of the solution: a certificate file, or a list of solutions, of which the first is taken.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: PathBuf,
    /// How they are written; see ndq check.
    #[arg(long = "as", value_name = "CONVENTION", default_value = "native")]
    pub(crate) convention: String,
    /// The size of the solution; when absent, the independence number, which is proved first.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) size: Option<u64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Wall-clock limit in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write the completed solution to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Which solutions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum List {
    /// One of each orbit under the board's symmetry group.
    #[default]
    Fundamental,
    /// Every one.
    All,
}

/// How solutions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// The exact engine, which meets every solution up to symmetry.
    #[default]
    Fast,
    /// Bron-Kerbosch, which visits every maximum solution.
    Bk,
    /// Plain recursion, which finds the independence number only.
    Recursive,
    /// All of them, one after the other; their numbers must agree.
    All,
}

#[derive(Debug, Group)]
pub(crate) struct Known {
    /// The board; the whole table when absent.
    #[arg(value_parser = board)]
    pub(crate) board: Option<BoardName>,
}

#[derive(Debug, Group)]
pub(crate) struct Rerun {
    /// The record: a JSON file written by --record.
    pub(crate) record: PathBuf,
    #[command(flatten)]
    pub(crate) commands: Commands,
}
