//! `ndq cliquer table`

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args as Group;
use ndqueens_cliquer::depth::{COLUMNS, Row, row};
use ndqueens_cliquer::generate::{self, GenerateError, Symmetry, Wanted};
use ndqueens_cliquer::rules::Winner;
use ndqueens_files as files;

use super::watch::{Watch, go_on};
use crate::args::values::{range, whole};
use crate::commands::Exit;
use crate::output::{Output, log};
use crate::progress::Display;

/// The numbers of dots that tables may have.
const DOTS: RangeInclusive<usize> = 3..=10;

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The numbers of dots.
    #[arg(long, value_name = "N..N", default_value = "5..7", value_parser = |text: &str| range(text, &DOTS))]
    pub(crate) dots: RangeInclusive<usize>,
    /// Boards for each number of dots and each number of them on the hull.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole(1..=1_000_000))]
    pub(crate) boards: u64,
    /// Games of best play on each board, in which positions are counted.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) games: usize,
    /// Seed of the first board; the others follow.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Write a row for each board to this CSV file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print what the columns of the CSV file mean instead, as CSV.
    #[arg(long, conflicts_with = "output")]
    pub(crate) columns: bool,
}

/// Boards that are tried before the search for one gives up.
const TRIES: u64 = 1_000_000;

pub(super) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    if args.columns {
        let lines: Vec<String> =
            COLUMNS.iter().map(|(name, meaning)| format!("{name},\"{meaning}\"")).collect();
        out.result(&COLUMNS, &format!("column,meaning\n{}", lines.join("\n")))?;
        return Ok(Exit::Yes);
    }
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let mut rows = Vec::new();
    let mut watch = Watch::new(None, None, display);
    let mut exit = Exit::Yes;
    'all: for (dots, hull) in args.dots.clone().flat_map(|dots| (3..=dots).map(move |hull| (dots, hull))) {
        for number in 0..args.boards {
            let size = generate::size(dots);
            let wanted = Wanted {
                dots,
                hull: Some(hull),
                four_cliques: None,
                symmetry: Symmetry::Any,
                size,
                clearance: generate::clearance(dots, size),
                seed: args.seed + number,
                tries: TRIES,
            };
            let mut watched = |nodes| watch.go_on(nodes);
            let made = match generate::generate(&wanted, &mut |_| go_on()) {
                Err(fault @ GenerateError::NotFound { .. }) => {
                    log(&format!("{dots} dots, {hull} on the hull, seed {}: {fault}", wanted.seed));
                    exit = Exit::Stopped;
                    continue;
                }
                Err(GenerateError::Stopped { .. }) => None,
                made => row(&made?, wanted.seed, args.games, &mut watched)?,
            };
            let Some(row) = made else {
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
        files::write(path, |out| ndqueens_cliquer::depth::write(&rows, out))?;
    }
    if !out.json() {
        out.result(&(), &summary(&rows)?)?;
    }
    Ok(exit)
}

/// A table in Markdown with a line for each number of dots and each number of them on the hull.
fn summary(rows: &[Row]) -> Result<String, std::fmt::Error> {
    let mut text = String::from(
        "| dots | hull | boards | moves | last mover | first wins | second wins | drawn | mean margin | decisive positions | only moves | cost of greed, first | cost of greed, second |\n\
         | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for group in rows.chunk_by(|a, b| (a.dots, a.hull) == (b.dots, b.hull)) {
        let Some(first) = group.first() else { continue };
        let count = |winner: Winner| group.iter().filter(|row| row.winner == winner).count();
        let mean = |value: &dyn Fn(&Row) -> i32| {
            group.iter().map(|row| f64::from(value(row))).sum::<f64>() / group.len() as f64
        };
        let share = |part: &dyn Fn(&Row) -> usize| {
            let all: usize = group.iter().map(|row| row.positions).sum();
            100.0 * group.iter().map(part).sum::<usize>() as f64 / all.max(1) as f64
        };
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.0} % | {:.0} % | {:.1} | {:.1} |",
            first.dots,
            first.hull,
            group.len(),
            first.moves,
            first.last_mover,
            count(Winner::First),
            count(Winner::Second),
            count(Winner::Neither),
            mean(&|row| row.margin),
            share(&|row| row.decisive),
            share(&|row| row.only_moves),
            mean(&|row| row.margin - row.margin_first_greedy),
            mean(&|row| row.margin_second_greedy - row.margin),
        )?;
    }
    Ok(text)
}
