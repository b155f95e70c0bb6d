//! The command line as a whole, and which command it runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use ndqueens_knowledge::archive::{self, Archive};
use ndqueens_knowledge::ledger::Ledger;

use crate::args::groups::Verbosity;
use crate::commands::{
    Exit, archive as kept, check, colour, count, dots, draw, extend, find, info, lab, lp, model, prove,
    rerun, solve, sudoku, table,
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
    /// The archive to read instead of the one built into the program: a folder with any of ledger.csv, ledger/,
    /// certificates/ and box-table.csv, such as results/archive in a clone.
    #[arg(long, value_name = "DIR", env = archive::VARIABLE, global = true)]
    pub(crate) data: Option<PathBuf>,
    /// Memory limit in GiB [default: nine tenths of the machine's memory].
    #[arg(long, global = true, value_name = "GIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub(crate) memory: Option<u64>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const GUIDE: &str = "\
Boards:     6^3 is a cube of side 6, 4x5x6 a box; rook: or bishop: before it changes the piece, torus: wraps it round;
            hex:6 is a hexagon of side 6, three:8 the board for three players, sudoku:3 the usual Sudoku;
            file: and a path is a drawing or a graph in a file, as in instances/boards/.
Formulations:    for a maximum base, lmr, cube, star, cube-star, all, dilated, cuboid, strong, strong-clique, edge,
            odd-cycle, maximal-clique, symmetry, lex;
            for other problems full, modular, partial, completion, domination, independent-domination;
            or the path of a TOML file; models/ holds the shipped ones.
Exit codes: 0 done, and the answer is what was asked for; 1 done, and the answer is no; 2 bad input;
            3 left open, incumbent and bound printed: stopped at a limit or by Ctrl-C, or no means is left; ndq check: a
            bound holds only if something does that was not checked;
            4 a solver or ndq itself failed.

Try:        ndq prove 5^3                      prove a maximum, with a certificate
            ndq lp relax 6^3                   compare the LP bounds of all formulations
            ndq solve 4^4 -f cube -o best.txt  solve with a formulation, keep the certificate
            ndq lp certify 8^4                 bound a maximum from above, in fractions that can be checked
            ndq check best.txt                 check a certificate from the definition of an attack";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show all that is known of a board: size, symmetry, bounds and what they rest on, published values.
    Info(info::Args),
    /// Tables of bounds, of the sub-boxes of a box, and of published values.
    #[command(subcommand)]
    Table(table::Args),
    /// Prove a maximum: a checked certificate of k queens, and a proof that k + 1 do not fit; in one run or in parts.
    Prove(prove::Args),
    /// Solve a formulation with HiGHS or another solver; the solution is checked independently.
    Solve(solve::Args),
    /// Write the integer programme of a formulation, or the graph of a board, as a file for other solvers.
    Model(model::Args),
    /// LP bounds: relaxations side by side, and the orbit LP with a certificate in exact fractions.
    #[command(subcommand)]
    Lp(lp::Args),
    /// Find large solutions by constructions or by local search.
    Find(find::Args),
    /// Extend given queens to a solution, or prove that there is none that contains them.
    Extend(extend::Args),
    /// Check a certificate, or a proof, from the definition of an attack.
    Check(check::Args),
    /// Certificates, bounds and proofs in one place: add, verify, list.
    #[command(subcommand)]
    Archive(kept::Args),
    /// Count all maximum solutions, and those up to symmetry.
    Count(count::Args),
    /// Colour a board so that no two squares of one colour attack each other: fewest colours, or all n-colourings of n^2.
    #[command(alias = "color")]
    Colour(colour::Args),
    /// Draw a board, with pieces, a density or a colouring, as SVG, PNG or text.
    Draw(draw::Args),
    /// Run experiments: many boards, formulations, variants and seeds from one file, into tables and plots.
    #[command(subcommand)]
    Lab(lab::Args),
    /// Run a recorded solve or prove again and compare. A record may name a command as its backend, which then runs as you: see
    /// --allow-commands.
    Rerun(rerun::Args),
    /// Solve Sudoku puzzles, count their solutions, give hints, make puzzles.
    Sudoku(sudoku::Args),
    /// CliqueR, a game of dots and segments: make boards, play, solve, measure and draw.
    #[command(subcommand)]
    Dots(dots::Args),
}

impl Command {
    /// The wall-clock limit that was given for all of the command.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Table(table) => table.time_limit(),
            Self::Lp(lp) => lp.time_limit(),
            Self::Solve(solve) => solve.solver.time_limit,
            Self::Prove(prove) => prove.time_limit(),
            Self::Find(find) => find.time_limit(),
            Self::Dots(dots) => dots.time_limit(),
            Self::Check(check) => check.time_limit,
            Self::Count(count) => count.time_limit,
            Self::Extend(extend) => extend.time_limit,
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
        Command::Info(_)
        | Command::Model(_)
        | Command::Check(_)
        | Command::Draw(_)
        | Command::Prove(prove::Args { part: Some(prove::Part::Join(_) | prove::Part::Status(_)), .. })
        | Command::Table(table::Args::Bounds(_) | table::Args::Published)
        | Command::Archive(_)
        | Command::Dots(dots::Args::Check(_) | dots::Args::Play(_) | dots::Args::Draw(_)) => false,
        Command::Find(find) => !find.is_from_files(),
        _ => true,
    });
    let adds = matches!(cli.command, Command::Archive(kept::Args::Add(_)));
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
        Command::Info(info) => info::run(info, out),
        Command::Table(table) => table::run(table, cli.verbosity, out),
        Command::Prove(prove) => prove::run(prove, cli.verbosity, out),
        Command::Solve(solve) => solve::run(solve, &mut display(time_limit), out),
        Command::Model(model) => model::run(model, out),
        Command::Lp(lp) => lp::run(lp, cli.verbosity, out),
        Command::Find(find) => find::run(find, cli.verbosity, out),
        Command::Extend(extend) => extend::run(extend, &mut display(time_limit), out),
        Command::Check(check) => check::run(check, out),
        Command::Archive(archive) => kept::run(archive, out),
        Command::Count(count) => count::run(count, &mut display(time_limit), out),
        Command::Colour(colour) => colour::run(colour, &mut display(time_limit), out),
        Command::Draw(draw) => draw::run(draw, out),
        Command::Lab(lab) => lab::run(lab, cli.verbosity, out),
        Command::Rerun(rerun) => rerun::run(rerun, cli.verbosity, out),
        Command::Sudoku(sudoku) => sudoku::run(sudoku, cli.verbosity.quiet, out),
        Command::Dots(dots) => dots::run(dots, cli.verbosity, out),
    }
}
