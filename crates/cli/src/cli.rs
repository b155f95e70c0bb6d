//! Definition of the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, CommandFactory as _, Parser, Subcommand};
use ndqueens_archive::archive;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_workflow::record::COMMIT;

use crate::args::groups::Limited;
use crate::args::values::whole;
use crate::commands::{
    archive as archive_command, check, colour, count, dots, draw, extend, face, facets, find, generate, info,
    lab, lp, model, prove, rerun, site, solve, sudoku, table,
};
use crate::help;
use crate::progress::{GLOBAL, Verbosity};

/// An integer-programming workbench for the (n,d)-queens problem: how many mutually non-attacking queens fit
/// on a d-dimensional board of side n?
#[derive(Debug, Parser)]
#[command(name = "ndq", version, arg_required_else_help = true, after_help = GUIDE)]
pub(crate) struct Cli {
    /// Print results as JSON, one object a line.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
    /// The archive to read instead of the one built into the program: a folder with any of ledger.csv,
    /// ledger/, certificates/ and box-table.csv, such as results/archive in a clone.
    #[arg(long, value_name = "DIR", env = archive::VARIABLE, hide_env_values = true, global = true, help_heading = GLOBAL)]
    pub(crate) data: Option<PathBuf>,
    /// Memory limit in GiB [default: nine tenths of the machine's memory].
    #[arg(long, global = true, value_name = "GIB", value_parser = whole::<u64>(1..=1_048_576), help_heading = GLOBAL)]
    pub(crate) memory: Option<u64>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const GUIDE: &str = "\
Boards:
  6^3, 4x5x6                   a cube of side 6, a box
  rook:6^3, bishop:6^3         other pieces, also knight:, king: and superqueen:
  torus:6^3                    a board that wraps round
  moebius:5x7, klein:6^2       boards whose sides are joined with a twist
  hex:6, three:8               a hexagon, the board for three players
  sudoku:3, sudoku-x:3         a Sudoku, one with diagonals
  cells:3, cells-x:3           the graphs of their cells
  file:PATH                    a drawing or a graph, as in instances/boards/
  edges:PATH, header:PATH      a list of edges whose first line is an edge, a header \"N M\"
  cliques:file:PATH            the complement of a graph

Formulations:
  base, lmr, cube, star, cube-star, all, dilated, cuboid, strong, strong-clique,
  volume, class, cube-faces, strong-faces, strong-clique-faces,
  edge, odd-cycle, maximal-clique, symmetry, lex     of a maximum
  full, modular, partial, completion, domination, independent-domination, no-three-in-line
  PATH.toml                    your own; those above are in models/

Exit codes:
  0  yes: the result is what was asked for
  1  no: the opposite is shown
  2  bad input
  3  not settled: stopped by a limit or Ctrl-C, incumbent and bound are printed;
     of ndq check: not checked, or holds under conditions only, which do not
     change the exit code of other commands
  4  a solver or ndq failed

Examples:
  ndq info 8^4                 what is known of a board, and what to run next
  ndq prove 5^3                prove a maximum
  ndq lp relax 6^3             compare the LP bounds of all formulations
  ndq solve 4^4 -f cube -o best.txt     solve, and write the certificate
  ndq check best.txt           check a certificate";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// All that is known of a board: size, symmetry, bounds, published values.
    Info(info::Args),
    /// Tables of bounds, sub-boxes and published values.
    #[command(subcommand)]
    Table(table::Args),
    /// Certificates, bounds and proofs in one place: add, verify, list.
    #[command(subcommand)]
    Archive(archive_command::Args),
    /// Prove a maximum, in one run or in parts.
    ///
    /// Prove a maximum: a checked certificate of k queens, and a proof that k + 1 do not fit; in
    /// one run or in parts.
    Prove(prove::Args),
    /// Check a certificate or a proof from the definition of an attack.
    Check(check::Args),
    /// Solve a formulation with HiGHS or another solver.
    ///
    /// Solve a formulation with HiGHS or another solver. The solution is checked from the
    /// definition of an attack.
    Solve(solve::Args),
    /// Write an integer program or a graph for other solvers.
    ///
    /// Write the integer program of a formulation, or the graph of a board, as a file for other solvers.
    Model(model::Args),
    /// LP bounds: relaxations side by side, the orbit LP in exact fractions.
    #[command(subcommand)]
    Lp(lp::Args),
    /// Dimension of the face of each inequality: which are facets, and why not.
    ///
    /// Compute the dimension of the face that each inequality defines in the convex hull of the
    /// solutions: which inequalities define facets, and why the others do not.
    Face(face::Args),
    /// All facets of the polytope of independent sets of a small board.
    Facets(facets::Args),
    /// Find large solutions by constructions or local search.
    Find(find::Args),
    /// Extend given queens to a solution, or prove that no solution contains them.
    Extend(extend::Args),
    /// Count all maximum solutions, and those up to symmetry.
    Count(count::Args),
    /// Colour a board with few colours, or list all n-colourings of n^2.
    ///
    /// Colour a board so that no two squares of one colour attack each other: with few colours, or all
    /// n-colourings of n^2.
    #[command(alias = "color")]
    Colour(colour::Args),
    /// Draw a board with pieces, a density or a colouring.
    ///
    /// Draw a board, with pieces, a density or a colouring, as SVG, PNG or text.
    Draw(draw::Args),
    /// Run experiments from one file into tables and plots.
    ///
    /// Run experiments: many boards, formulations, variants and seeds from one file, into tables and plots.
    #[command(subcommand)]
    Lab(lab::Args),
    /// Write HTML pages of all that is known.
    ///
    /// Write HTML pages of all that is known: bounds with their derivations, placements, counts, colourings,
    /// the book.
    Site(site::Args),
    /// Run a recorded solve or prove again and compare.
    ///
    /// Run a recorded solve or prove again and compare. A record may name a command as its backend, which
    /// then runs as you: see --allow-commands.
    Rerun(rerun::Args),
    /// Solve, count and make Sudoku puzzles.
    ///
    /// Solve Sudoku puzzles, count their solutions, give hints, make puzzles.
    Sudoku(sudoku::Args),
    /// CliqueR, a game of dots and segments: make boards, play, solve, draw.
    #[command(subcommand)]
    Dots(dots::Args),
    /// Print a completion script for a shell.
    Completions(generate::Completions),
    /// Write the manual pages.
    Man(generate::Man),
}

/// Command groups of the help, in order.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Look up", &["info", "table", "archive", "site"]),
    ("Prove and check", &["prove", "check", "rerun"]),
    ("Integer programs", &["solve", "model", "lp", "face", "facets"]),
    ("Solutions", &["find", "extend", "count", "colour", "draw"]),
    ("Experiments and games", &["lab", "sudoku", "dots"]),
    ("Set-up", &["completions", "man"]),
];

/// Returns the command line with the commands of its help in groups.
pub(crate) fn command() -> clap::Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).global(true);
    let help = help.help("Print help; -h prints a summary").help_heading(GLOBAL);
    let command =
        help::with_headings(Cli::command()).long_version(version()).disable_help_flag(true).arg(help);
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("\n{heading}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            groups += &format!("  {name:<13}{}\n", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\nOptions:\n{{options}}{{after-help}}\n"
    );
    command.help_template(template)
}

/// Returns the text of `--version`: version, commit, HiGHS version and features.
fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let features = match (cfg!(feature = "cbc"), cfg!(feature = "sat")) {
        (false, false) => "none",
        (true, false) => "cbc",
        (false, true) => "sat",
        (true, true) => "cbc, sat",
    };
    format!("{version}\ncommit    {COMMIT}\nHiGHS     {}\nfeatures  {features}", Highs::version())
}

impl Limited for Command {
    fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Info(info) => info.time_limit,
            Self::Table(table) => table.time_limit(),
            Self::Archive(archive) => archive.time_limit(),
            Self::Prove(prove) => prove.time_limit(),
            Self::Check(check) => check.limit.time_limit,
            Self::Solve(solve) => solve.solver.time_limit,
            Self::Model(model) => model.limit.time_limit,
            Self::Lp(lp) => lp.time_limit(),
            Self::Face(face) => face.limit.time_limit,
            Self::Facets(facets) => facets.limit.time_limit,
            Self::Find(find) => find.time_limit,
            Self::Extend(extend) => extend.limit.time_limit,
            Self::Count(count) => count.time_limit,
            Self::Colour(colour) => colour.time_limit(),
            Self::Draw(draw) => draw.limit.time_limit,
            Self::Lab(lab) => lab.time_limit(),
            Self::Rerun(rerun) => rerun.time_limit,
            Self::Sudoku(sudoku) => sudoku.time_limit,
            Self::Dots(dots) => dots.time_limit(),
            Self::Site(_) | Self::Completions(_) | Self::Man(_) => None,
        }
    }
}
