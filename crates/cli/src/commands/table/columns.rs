//! The command `ndq table columns`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use ndqueens_archive::tables::Files;
use ndqueens_cliquer::depth;
use ndqueens_experiments::table as experiments;
use ndqueens_experiments::table::Format;
use ndqueens_report::column::{Table, dictionary, package};
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::{Output, log};
use crate::schema::printed;

printed!(serde_json::Map<String, serde_json::Value>: "table columns");

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("columns.txt"))]
pub(crate) struct Args {
    /// Describe the CSV files in this folder, such as one of ndq lab run, as a Frictionless Data
    /// Package (JSON) instead.
    #[arg(long, value_name = "DIR", conflicts_with = "format")]
    pub(crate) package: Option<PathBuf>,
    /// The format of the dictionary [default: csv].
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write the dictionary to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// A column of a table.
#[derive(JsonSchema, Serialize)]
struct Described {
    table: &'static str,
    column: &'static str,
    unit: &'static str,
    meaning: &'static str,
}

printed!(Described: "table columns");

/// Returns all data tables.
pub(crate) fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = experiments::tables().into();
    tables.extend(ndqueens_archive::tables::tables());
    tables.extend([depth::table(), super::counts::table(), super::constant::table()]);
    tables.push(crate::commands::lp::comparison::table());
    tables
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let tables = tables();
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let text = match (&args.package, args.format.unwrap_or(Format::Csv)) {
        (Some(folder), _) => serde_json::to_string_pretty(&describe_package(folder, &tables)?)? + "\n",
        (None, Format::Csv) => dictionary(&tables),
        (None, Format::Markdown) => {
            tables.iter().map(|table| table.sheet().markdown()).collect::<Vec<_>>().join("\n")
        }
        (None, Format::Latex) => {
            tables.iter().map(|table| table.sheet().latex()).collect::<Vec<_>>().join("\n")
        }
    };
    if let Some(path) = &args.output {
        file::write(path, |file| file.write_all(text.as_bytes()))?;
    } else if out.json() && args.package.is_none() {
        for (table, field) in
            tables.iter().flat_map(|table| table.fields.iter().map(move |field| (table, field)))
        {
            let (column, unit, meaning) = (field.name, field.unit.word(), field.meaning);
            out.result(&Described { table: table.name, column, unit, meaning }, "")?;
        }
    } else if out.json() {
        out.result(&serde_json::from_str::<serde_json::Value>(&text)?, "")?;
    } else {
        out.result(&(), &text)?;
    }
    Ok(Exit::Yes)
}

/// Returns the data package of the files in a folder that hold one of the tables, and logs a note on each
/// other file.
fn describe_package(folder: &Path, tables: &[Table]) -> anyhow::Result<serde_json::Value> {
    let Files { known, others } = Files::below(folder, tables)?;
    for path in others {
        log(&format!("note: {}: no table of ndq has these columns", path.display()));
    }
    if known.is_empty() {
        bail!("{}: there is no CSV file of ndq in this folder", folder.display());
    }
    Ok(package("ndqueens", &known))
}
