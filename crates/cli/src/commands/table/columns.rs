//! `ndq table columns`

mod kinds;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args as Group;
use ndqueens_files as files;
use ndqueens_report::column::{Data, Table, package};
use ndqueens_report::sheet::{Entry, Line, Sheet};
use serde::Serialize;

use self::kinds::tables;
use crate::args::groups::Format;
use crate::commands::Exit;
use crate::output::{Output, log};

const EXAMPLES: &str = "\
Try:  ndq table columns                       the data dictionary
      ndq table columns --package results -o results/datapackage.json    for pandas, R and other readers";

#[derive(Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Describe the CSV files in this folder, such as one of ndq lab run, as a Frictionless Data Package (JSON) instead.
    #[arg(long, value_name = "DIR", conflicts_with = "format")]
    pub(crate) package: Option<PathBuf>,
    /// The form of the dictionary [default: csv].
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write it to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// A column of a table.
#[derive(Serialize)]
struct Described {
    table: &'static str,
    column: &'static str,
    unit: &'static str,
    meaning: &'static str,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let tables = tables();
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let text = match (&args.package, args.format.unwrap_or(Format::Csv)) {
        (Some(folder), _) => serde_json::to_string_pretty(&described(folder, &tables)?)? + "\n",
        (None, Format::Csv) => dictionary(&tables),
        (None, Format::Markdown) => {
            sheets(&tables).iter().map(Sheet::markdown).collect::<Vec<_>>().join("\n")
        }
        (None, Format::Latex) => sheets(&tables).iter().map(Sheet::latex).collect::<Vec<_>>().join("\n"),
    };
    if let Some(path) = &args.output {
        files::write(path, |file| file.write_all(text.as_bytes()))?;
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

fn dictionary(tables: &[Table]) -> String {
    let tables: Vec<_> = tables.iter().map(|table| (table.name, table.fields.clone())).collect();
    ndqueens_report::column::dictionary(&tables)
}

/// A table for each table.
fn sheets(tables: &[Table]) -> Vec<Sheet> {
    let text = |text: &str| Entry::from(text.to_owned());
    let sheet = |table: &Table| Sheet {
        title: table.name.to_owned(),
        notes: format!("{}.", table.title),
        labels: 1,
        words: &[1, 2],
        heads: ["column", "unit", "meaning"].map(|head| (String::new(), head.to_owned())).to_vec(),
        rows: table
            .fields
            .iter()
            .map(|field| {
                Line::Entries(vec![
                    Entry::code(field.name.to_owned()),
                    text(field.unit.word()),
                    text(field.meaning),
                ])
            })
            .collect(),
    };
    tables.iter().map(sheet).collect()
}

/// The package of the files in a folder that hold one of the tables; a note tells of others.
fn described(folder: &Path, tables: &[Table]) -> anyhow::Result<serde_json::Value> {
    let names = |table: &Table| {
        let fields = table.fields.clone();
        Data { fields, rows: Vec::new() }.csv().trim_end().to_owned()
    };
    let by_head: BTreeMap<String, &Table> = tables.iter().map(|table| (names(table), table)).collect();
    let mut paths = Vec::new();
    csv_files(folder, &mut paths)?;
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = files::read(&path)?;
        match by_head.get(text.lines().next().unwrap_or_default()) {
            Some(table) => {
                let inside = path.strip_prefix(folder).context("a path of the folder")?;
                found.push((inside.display().to_string(), *table));
            }
            None => log(&format!("note: {}: no table of ndq has these columns", path.display())),
        }
    }
    if found.is_empty() {
        bail!("{}: there is no CSV file of ndq in this folder", folder.display());
    }
    Ok(package("ndqueens", &found))
}

/// The CSV files below a folder; links, hidden folders and caches are left out.
fn csv_files(folder: &Path, paths: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if folder.join("CACHEDIR.TAG").exists() {
        return Ok(());
    }
    let place = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(place)? {
        let entry = entry.with_context(place)?;
        let (path, kind) = (entry.path(), entry.file_type().with_context(place)?);
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !is_hidden {
            csv_files(&path, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "csv") {
            paths.push(path);
        }
    }
    Ok(())
}
