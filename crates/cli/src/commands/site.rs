//! The command `ndq site`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use ndqueens_archive::archive::Archive;
use ndqueens_archive::bounds::{Bounds, Cube, Extent, Sources};
use ndqueens_archive::effort;
use ndqueens_notation::counted::counted;
use ndqueens_site::known::{self, Known};
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Exit, archived};
use crate::args::values::range;
use crate::output::{Output, log};
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("site.txt"))]
pub(crate) struct Args {
    /// The dimensions.
    #[arg(long, value_name = "D..D", default_value = "2..8", value_parser = |text: &str| range(text, &Extent::ALLOWED.0))]
    pub(crate) d: RangeInclusive<usize>,
    /// The sides.
    #[arg(long, value_name = "N..N", default_value = "1..30", value_parser = |text: &str| range(text, &Extent::ALLOWED.1))]
    pub(crate) n: RangeInclusive<u32>,
    /// Write the pages into this folder, created if needed.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(JsonSchema, Serialize)]
struct Written {
    folder: String,
    files: usize,
    bytes: usize,
}

printed!(Written: "site");

pub(crate) fn run(args: &Args, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    let (dimensions, sides) = (args.d.clone(), args.n.clone());
    let extent = Extent { dimension: *dimensions.end(), side: *sides.end() };
    let sources = Sources { certificates: archived::certificates(archive)?, ..Sources::of(archive) };
    let bounds = |reported| {
        let sources = Sources { reported, ..sources.clone() };
        Bounds::new(extent, Cube::all(&dimensions, &sides), &sources)
    };
    let (bounds, unpublished) = match (bounds(true), bounds(false)) {
        (Ok(bounds), Ok(unpublished)) => (bounds, unpublished),
        (Err(contradiction), _) | (_, Err(contradiction)) => {
            log(&format!("error: no page is written: {contradiction}"));
            return Ok(Exit::Failed);
        }
    };
    let efforts = effort::of(archive.files())?;
    let pages = known::files(&Known {
        bounds: &bounds,
        unpublished: &unpublished,
        certificates: &sources.certificates,
        ledger: archive.ledger(),
        notes: archive.notes(),
        efforts: &efforts,
        dimensions,
        sides,
    })?;
    for (path, bytes) in &pages {
        let path = args.output.join(path);
        file::make_folder(path.parent().unwrap_or(&args.output))?;
        file::write_plain(&path, |file| file.write_all(bytes))?;
    }
    let bytes = pages.values().map(Vec::len).sum();
    let written = Written { folder: args.output.display().to_string(), files: pages.len(), bytes };
    let words = format!("{}: {}; index.html is the first", written.folder, counted(written.files, "file"));
    out.result(&written, &words)?;
    Ok(Exit::Yes)
}
