//! The command `ndq dots table`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use ndqueens_cliquer::depth::{self, BoardDepth, COLUMNS, row};
use ndqueens_cliquer::generate::{self, BoardSpec, GenerateError, Symmetry};
use ndqueens_system::file;

use super::watch::Watch;
use crate::args::groups::Limit;
use crate::args::values::{range, whole};
use crate::commands::Exit;
use crate::output::{Output, log};
use crate::progress::Display;
use crate::schema::printed;

printed!(BoardDepth: "dots table");
printed!(Vec<[String; 2]>: "dots table");

/// Allowed numbers of dots.
const DOTS: RangeInclusive<usize> = 3..=10;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("table.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The numbers of dots.
    #[arg(long, value_name = "N..N", default_value = "5..7", value_parser = |text: &str| range(text, &DOTS))]
    pub(crate) dots: RangeInclusive<usize>,
    /// The number of boards for each number of dots and each number of them on the hull.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) boards: u64,
    /// The number of games of best play on each board, in which positions are counted.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>(0..=u64::MAX))]
    pub(crate) games: usize,
    /// Seed of the first board; the others follow.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Write a row for each board to this CSV file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print the meaning of the columns of the CSV file instead, as CSV.
    #[arg(long, conflicts_with = "output")]
    pub(crate) columns: bool,
}

/// Number of boards tried before the search for one gives up.
const TRIES: u64 = 1_000_000;

pub(super) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    if args.columns {
        let lines: Vec<String> =
            COLUMNS.iter().map(|(name, meaning)| format!("{name},\"{meaning}\"")).collect();
        out.result(&COLUMNS, &format!("column,meaning\n{}", lines.join("\n")))?;
        return Ok(Exit::Yes);
    }
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let mut rows = Vec::new();
    let mut watch = Watch::new(args.limit.time_limit, None, display);
    let mut exit = Exit::Yes;
    'all: for (dots, hull) in args.dots.clone().flat_map(|dots| (3..=dots).map(move |hull| (dots, hull))) {
        for number in 0..args.boards {
            let size = generate::default_size(dots);
            let wanted = BoardSpec {
                dots,
                hull: Some(hull),
                four_cliques: None,
                symmetry: Symmetry::Any,
                size,
                clearance: generate::default_clearance(dots, size),
                seed: args.seed + number,
                tries: TRIES,
            };
            let made = match generate::generate(&wanted, &mut |tried| watch.go_on(tried)) {
                Err(fault @ GenerateError::NotFound { .. }) => {
                    log(&format!("{dots} dots, {hull} on the hull, seed {}: {fault}", wanted.seed));
                    exit = Exit::Stopped;
                    continue;
                }
                Err(GenerateError::Stopped { .. }) => None,
                made => row(&made?, wanted.seed, args.games, &mut |nodes| watch.go_on(nodes))?,
            };
            let Some(row) = made else {
                log(&format!("stopped ({}) before all boards were measured", watch.stop_reason()));
                exit = Exit::Stopped;
                break 'all;
            };
            if out.json() {
                out.result(&row, "")?;
            }
            rows.push(row);
        }
    }
    if let Some(path) = &args.output {
        file::write(path, |out| depth::write(&rows, out))?;
    }
    if !out.json() {
        out.result(&(), &depth::markdown(&rows))?;
    }
    Ok(exit)
}
