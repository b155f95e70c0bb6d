//! The command `ndq dots board`.

use std::path::PathBuf;

use ndqueens_cliquer::facts::Facts;
use ndqueens_cliquer::generate::{self, BoardSpec, GenerateError, Symmetry};
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::text;
use ndqueens_system::file;

use super::watch::Watch;
use crate::advice::report;
use crate::args::groups::Limit;
use crate::args::values::whole;
use crate::commands::Exit;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;
use crate::typed::Typed;

printed!(Facts: "dots board");

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true, after_help = include_str!("board.txt"))]
pub(crate) struct Args {
    /// The number of dots.
    pub(crate) dots: usize,
    /// The number of dots on the convex hull.
    #[arg(long, value_name = "H")]
    pub(crate) hull: Option<usize>,
    /// The number of sets of four dots that can be joined completely: those with one dot inside the triangle
    /// of the others.
    #[arg(long, value_name = "Q")]
    pub(crate) cliques: Option<usize>,
    /// The symmetry of the board.
    #[arg(long, value_name = "SYMMETRY", default_value = "any")]
    pub(crate) symmetry: Symmetry,
    /// The maximum of the coordinates, which start at 0 [default: 100, and with more than ten dots the square
    /// of their number].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(2..=1_000_000))]
    pub(crate) size: Option<i64>,
    /// The minimum height of a triangle of three dots, so that no three seem to be on a line [default: the
    /// size divided by four times the number of dots; with more than ten dots, by two fifths of the square of
    /// their number].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..=1_000_000))]
    pub(crate) clearance: Option<i64>,
    /// The number of boards that are tried before the search gives up.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) tries: u64,
    /// Seed for random choices.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Rules of the game, such as 2=1,3=3,4=5,again=3: the points of cliques of 2, 3 and 4 dots, and the
    /// fewest dots of a clique that gives another move [default: 2=1,3=3,4=5].
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Scoring>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Write the board to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

pub(super) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let size = args.size.unwrap_or_else(|| generate::default_size(args.dots));
    let wanted = BoardSpec {
        dots: args.dots,
        hull: args.hull,
        four_cliques: args.cliques,
        symmetry: args.symmetry,
        size,
        clearance: args.clearance.unwrap_or_else(|| generate::default_clearance(args.dots, size)),
        seed: args.seed,
        tries: args.tries,
    };
    let mut watch = Watch::new(args.limit.time_limit, None, display);
    let board = match generate::generate(&wanted, &mut |tried| watch.go_on(tried)) {
        Err(fault @ (GenerateError::NotFound { .. } | GenerateError::Stopped { .. })) => {
            out.fault(&report(&fault.into()), ndqueens_notation::error_class::ErrorClass::Limit);
            return Ok(Exit::Stopped);
        }
        board => board?.with_scoring(args.rules.unwrap_or_default()),
    };
    let facts = Facts::new(&board);
    let text = text::write(&board, &[], &remarks(&wanted, args.rules, &facts));
    let Some(path) = &args.output else {
        out.result(&facts, &text)?;
        return Ok(Exit::Yes);
    };
    file::write(path, |out| out.write_all(text.as_bytes()))?;
    out.result(&facts, &format!("{}: {}", path.display(), facts.describe()))?;
    Ok(Exit::Yes)
}

/// Returns a description of a board and the command that generates it.
fn remarks(wanted: &BoardSpec, rules: Option<Scoring>, facts: &Facts) -> Vec<String> {
    let Facts { dots, hull, attainable_4_cliques, symmetries, .. } = facts;
    let mut command = Typed::new("ndq dots board");
    command.word(dots);
    for (name, number) in [("--hull", wanted.hull), ("--cliques", wanted.four_cliques)] {
        if let Some(number) = number {
            command.option(name, number);
        }
    }
    command
        .option("--symmetry", wanted.symmetry)
        .option("--size", wanted.size)
        .option("--clearance", wanted.clearance)
        .option("--seed", wanted.seed);
    if let Some(rules) = rules {
        command.option("--rules", rules.to_string().replace(' ', ","));
    }
    vec![
        format!(
            "{dots} dots, {hull} on the hull, {attainable_4_cliques} attainable 4-cliques, symmetry of order {symmetries}"
        ),
        format!("made by {command}"),
    ]
}
