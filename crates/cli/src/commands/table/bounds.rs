//! The commands `ndq table bounds`, `maxima`, `open`, `new` and `ratios`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use ndqueens_archive::archive::Archive;
use ndqueens_archive::bounds::{self, Bounds, Contradiction, Cube, Derivation, Extent, Sources};
use ndqueens_archive::effort;
use ndqueens_experiments::table::Format;
use ndqueens_model::facts::known::{self, Published};
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::groups::Limit;
use crate::args::values::range;
use crate::commands::{Exit, archived};
use crate::output::{Output, log, terminal_width};
use crate::schema::printed;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The dimensions [default: 2..9, and those of boards in the archive].
    #[arg(long, value_name = "D..D", value_parser = |text: &str| range(text, &Extent::ALLOWED.0))]
    pub(crate) d: Option<RangeInclusive<usize>>,
    /// The sides [default: 1..30, and those of boards in the archive].
    #[arg(long, value_name = "N..N", value_parser = |text: &str| range(text, &Extent::ALLOWED.1))]
    pub(crate) n: Option<RangeInclusive<u32>>,
    /// Use no published values, only theorems, checked certificates and archived bounds.
    #[arg(long)]
    pub(crate) unpublished: bool,
    /// As --unpublished, but use only archived bounds whose proofs are checked in this run.
    #[arg(long)]
    pub(crate) certified: bool,
    /// Use the values in this CSV file in addition to the published ones; it has the columns of
    /// instances/known-values.csv.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["unpublished", "certified"])]
    pub(crate) values: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// The format of the table [default: aligned columns, with --output csv].
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write the table to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(JsonSchema, Serialize)]
struct Contradicting {
    contradiction: bool,
    lower: Derivation,
    upper: Derivation,
}

printed!(Contradicting: "table bounds", "table maxima", "table open", "table new", "table ratios", "info");

/// Dimensions and sides of the table if none are given.
const DEFAULT: (RangeInclusive<usize>, RangeInclusive<u32>) = (2..=9, 1..=30);

impl Args {
    /// Returns the boards of the table by dimension and side: those in the ranges, and, if a range is not
    /// given, also the boards `held` in the archive outside its default.
    fn cubes(&self, held: impl Iterator<Item = Cube>) -> BTreeSet<Cube> {
        let is_given = |cube: &Cube| {
            self.d.as_ref().is_none_or(|d| d.contains(&cube.dimension))
                && self.n.as_ref().is_none_or(|n| n.contains(&cube.side))
        };
        let (d, n) = (self.d.as_ref().unwrap_or(&DEFAULT.0), self.n.as_ref().unwrap_or(&DEFAULT.1));
        let held = held.filter(is_given).filter(|&cube| Cube::check_range(Some(cube)).is_ok());
        Cube::all(d, n).chain(held).collect()
    }
}

/// Boards in the range that the table lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boards {
    /// All boards.
    All,
    /// Boards with a known maximum.
    Settled,
    /// Boards with an unknown maximum.
    Open,
    /// Boards with a bound that is not in any publication.
    New,
    /// All boards, with their bounds divided by n^(d-1).
    Ratios,
}

pub(crate) fn run(args: &Args, archive: &Archive, boards: Boards, out: &mut Output) -> anyhow::Result<Exit> {
    let values = args.values.as_deref().map(values).transpose()?.unwrap_or_default();
    let asked = values.iter().filter_map(|value| Cube::of(&value.board));
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let (certificates, ledger) = (archived::certificates(archive)?, archive.ledger());
    let held = certificates.iter().map(|(_, certificate)| &certificate.board);
    let held = held.chain(ledger.rows().map(|row| &row.board)).filter_map(Cube::of);
    let cubes: Vec<Cube> = args.cubes(held).into_iter().collect();
    let extent = cubes.iter().copied().chain(asked).fold(Extent { dimension: 1, side: 1 }, Extent::with);
    let reported = !(args.unpublished || args.certified || boards == Boards::New);
    let sources =
        Sources { certificates, reported, checked_only: args.certified, values, ..Sources::of(archive) };
    let bounds = match Bounds::new(extent, cubes.iter().copied(), &sources) {
        Ok(bounds) => bounds,
        Err(contradiction) => return contradicting(*contradiction, out),
    };
    let (data, sheet) = match boards {
        Boards::All => (bounds::data(&bounds, &cubes), bounds::sheet(&bounds, &cubes)),
        Boards::Settled => bounds::maxima(&bounds, &cubes, ledger),
        Boards::Ratios => bounds::ratios(&bounds, &cubes),
        Boards::New => bounds::new(&bounds, &cubes, ledger),
        Boards::Open => bounds::open(&bounds, &cubes, ledger, &effort::of(archive.files())?),
    };
    let format = args.format.or(args.output.as_ref().map(|_| Format::Csv));
    let text = match format {
        None if boards == Boards::All => bounds::text(&bounds, &cubes),
        None => sheet.text(terminal_width()),
        Some(Format::Csv) => data.csv(),
        Some(Format::Markdown) => sheet.markdown(),
        Some(Format::Latex) => sheet.latex(),
    };
    if let Some(path) = &args.output {
        file::write(path, |file| file.write_all(text.as_bytes()))?;
    } else if out.json() {
        data.objects().try_for_each(|row| out.result(&row, ""))?;
    } else {
        out.result(&(), &text)?;
    }
    Ok(Exit::Yes)
}

/// Reads values of cubes from a file in the format of `instances/known-values.csv`.
fn values(path: &Path) -> anyhow::Result<Vec<Published>> {
    let place = || path.display().to_string();
    let values = known::parse(&file::read(path)?).with_context(place)?;
    for value in &values {
        Cube::check_range(Cube::of(&value.board))
            .map_err(|fault| anyhow!("{}: {fault}", value.board))
            .with_context(place)?;
    }
    if values.is_empty() {
        bail!("{}: there are no values in it", place());
    }
    Ok(values)
}

fn contradicting(contradiction: Contradiction, out: &mut Output) -> anyhow::Result<Exit> {
    let Contradiction { lower, upper } = contradiction;
    log("error: a lower bound is above an upper bound, so one of the leaves below is wrong");
    let text = format!("{lower}\n\n{upper}\n");
    out.result(&Contradicting { contradiction: true, lower, upper }, &text)?;
    Ok(Exit::Failed)
}
