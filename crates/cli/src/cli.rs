//! The command line as a whole, and which command it runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use ndqueens_knowledge::archive::{self, Archive};
use ndqueens_knowledge::ledger::Ledger;

use crate::args::groups::Verbosity;
use crate::commands::{
    Exit, board, bound, bounds, boxes, check, cliquer, colour, complete, construct, count, draw, estimate,
    join, known, lab, ledger, model, prove, relax, rerun, run_part, search, solve, split, store, sudoku,
};
use crate::interrupt;
use crate::output::{Output, log};
use crate::progress::Display;

/// An integer-programming workbench for the (n,d)-queens problem: how many mutually non-attacking queens fit on a
/// d-dimensional board of side n?
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, after_help = GUIDE)]
pub(crate) struct Cli {
    /// Print results as JSON, one object a line.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(flatten)]
    verbosity: Verbosity,
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
            3 left open, incumbent and bound printed: stopped at a limit or by Ctrl-C, or no means is left; ndq check: a
            bound holds only if something does that was not checked;
            4 a solver or ndq itself failed.

Try:        ndq prove 5^3                      prove a maximum, with a certificate
            ndq relax 6^3                      compare the LP bounds of all recipes
            ndq solve 4^4 -f cube -o best.txt  solve with a recipe, keep the certificate
            ndq bound 8^4                      bound a maximum from above, in fractions that can be checked
            ndq check best.txt                 check a certificate from the definition of an attack";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a board: squares, lines, symmetry, and its layers drawn.
    Board(board::Args),
    /// Write the integer programme of a recipe, or the graph of a board, as a file for other solvers.
    Model(model::Args),
    /// Solve the LP relaxations of recipes and show their bounds side by side.
    Relax(relax::Args),
    /// Solve a recipe with HiGHS or another solver; the solution is checked independently.
    Solve(solve::Args),
    /// Prove a maximum: a checked certificate of k queens, and a proof that k + 1 do not fit.
    Prove(prove::Args),
    /// Bound all boxes inside a box, as a CSV table.
    Boxes(boxes::Args),
    /// Estimate how long the proof would take that K queens do not fit.
    Estimate(estimate::Args),
    /// Cut the question whether K queens fit into parts, for many runs, machines or days.
    Split(split::Args),
    /// Run a part, or all that are missing, of what was split.
    RunPart(run_part::Args),
    /// Put the proof together from its parts, and check it.
    Join(join::Args),
    /// Construct large solutions without a solver, and say which construction won.
    Construct(construct::Args),
    /// Search for large solutions, among the symmetric ones too, until time is up.
    Search(search::Args),
    /// Bound the queens on a box from above by the orbit LP, with a certificate in exact fractions.
    Bound(bound::Args),
    /// Bound the queens on n^d from below and above by all that is known here, and say why.
    Bounds(bounds::Args),
    /// Keep what is proved, with the files that show it, and verify it.
    #[command(subcommand)]
    Ledger(ledger::Args),
    /// Keep the certificates of the best lower bounds.
    #[command(subcommand)]
    Store(store::Args),
    /// Check a certificate, or a proof, from the definition of an attack.
    Check(check::Args),
    /// Count all maximum solutions, and the fundamental ones among them.
    Count(count::Args),
    /// Colour a board so that no two squares of one colour attack each other: fewest colours, or all n-colourings of n^2.
    Colour(colour::Args),
    /// Find a solution that contains given queens, or prove that there is none.
    Complete(complete::Args),
    /// Draw a board, with pieces, a density or a colouring, as SVG, PNG or text.
    Draw(draw::Args),
    /// Show published values: data to compare with, not proofs.
    Known(known::Args),
    /// Run a recorded solve or prove again and compare. A record may name a command as its backend, which then runs as you: see
    /// --allow-commands.
    Rerun(rerun::Args),
    /// Solve Sudoku puzzles, count their solutions, give hints, make puzzles.
    Sudoku(sudoku::Args),
    /// CliqueR, a game of dots and segments: make boards, play, solve, measure and draw.
    #[command(subcommand)]
    Cliquer(cliquer::Args),
    /// Run experiments: many boards, formulations, variants and seeds from one file, into tables and plots.
    #[command(subcommand)]
    Lab(lab::Args),
}

impl Command {
    /// The wall-clock limit that was given for all of the command.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Relax(relax) => relax.solver.time_limit,
            Self::Solve(solve) => solve.solver.time_limit,
            Self::Prove(prove) => prove.solver.time_limit,
            Self::Bound(bound) => bound.solver.time_limit,
            Self::Cliquer(cliquer) => cliquer.time_limit(),
            Self::Check(check) => check.time_limit,
            Self::Count(count) => count.time_limit,
            Self::Complete(complete) => complete.time_limit,
            Self::Colour(colour) => colour.time_limit,
            Self::Sudoku(sudoku) => sudoku.time_limit,
            _ => None,
        }
    }
}

/// Runs a command.
pub(crate) fn run(cli: &Cli, out: &mut Output) -> anyhow::Result<Exit> {
    let time_limit = cli.command.time_limit();
    interrupt::limit(time_limit);
    interrupt::install(match &cli.command {
        Command::Board(_)
        | Command::Model(_)
        | Command::Check(_)
        | Command::Draw(_)
        | Command::Join(_)
        | Command::Bounds(_)
        | Command::Store(_)
        | Command::Ledger(_)
        | Command::Cliquer(cliquer::Args::Check(_) | cliquer::Args::Play(_) | cliquer::Args::Draw(_)) => {
            false
        }
        Command::Construct(construct) => construct.from.is_empty(),
        _ => true,
    });
    let adds =
        matches!(cli.command, Command::Ledger(ledger::Args::Add(_)) | Command::Store(store::Args::Add(_)));
    archive::choose(cli.data.as_deref(), adds)?;
    if !Archive::here().is_embedded() {
        // A ledger that is none is used by no command.
        Ledger::of(Archive::here())?;
        if !cli.verbosity.quiet {
            log(&format!(
                "note: the archive in {} takes the place of the one in the program",
                Archive::here()
            ));
        }
    }
    let display = |limit| Display::new(cli.verbosity, limit);
    match &cli.command {
        Command::Board(board) => board::run(board, out),
        Command::Model(model) => model::run(model, out),
        Command::Relax(relax) => relax::run(relax, &mut display(time_limit), out),
        Command::Solve(solve) => solve::run(solve, &mut display(time_limit), out),
        Command::Prove(prove) => prove::run(prove, &mut display(time_limit), out),
        Command::Boxes(boxes) => boxes::run(boxes, &mut display(None), out),
        Command::Estimate(sampling) => estimate::run(sampling, &mut display(None), out),
        Command::Split(split) => split::run(split, &mut display(None), out),
        Command::RunPart(part) => run_part::run(part, &mut display(None), out),
        Command::Join(join) => join::run(join, out),
        Command::Construct(construct) => construct::run(construct, cli.verbosity, out),
        Command::Search(search) => search::run(search, &mut display(search.limit()), out),
        Command::Bound(bound) => bound::run(bound, &mut display(time_limit), out),
        Command::Bounds(bounds) => bounds::run(bounds, out),
        Command::Ledger(ledger) => ledger::run(ledger, out),
        Command::Store(store) => store::run(store, out),
        Command::Check(check) => check::run(check, out),
        Command::Count(count) => count::run(count, &mut display(time_limit), out),
        Command::Complete(complete) => complete::run(complete, &mut display(time_limit), out),
        Command::Draw(draw) => draw::run(draw, out),
        Command::Colour(colour) => colour::run(colour, &mut display(time_limit), out),
        Command::Known(known) => known::run(known, out),
        Command::Rerun(rerun) => rerun::run(rerun, cli.verbosity, out),
        Command::Sudoku(sudoku) => sudoku::run(sudoku, cli.verbosity.quiet, out),
        Command::Cliquer(cliquer) => cliquer::run(cliquer, cli.verbosity, out),
        Command::Lab(lab) => lab::run(lab, cli.verbosity, out),
    }
}
