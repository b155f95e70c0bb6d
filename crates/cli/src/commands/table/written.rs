//! Destination and format of a table.

use std::path::PathBuf;

use clap::Args as Group;
use ndqueens_experiments::table::Format;
use ndqueens_report::column::Data;
use ndqueens_report::sheet::Sheet;
use ndqueens_system::file::{self, FileError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::Output;

/// Format and file of a table.
#[derive(Debug, Group)]
pub(crate) struct Destination {
    /// The format of the table [default: aligned columns, with --output csv].
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write the table to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Destination {
    /// Checks that the file, if one is given, can be written.
    ///
    /// # Errors
    /// Returns an error if it cannot.
    pub(super) fn ensure_writable(&self) -> Result<(), FileError> {
        self.output.as_deref().map_or(Ok(()), file::writable)
    }
}

/// Writes a table to its file, or prints it: as JSON with one row per line, or in its format.
pub(super) fn write<R: Serialize + JsonSchema>(
    destination: &Destination,
    rows: &[R],
    data: &Data,
    sheet: &Sheet,
    out: &mut Output,
) -> anyhow::Result<()> {
    let Destination { format, output } = destination;
    let text = match format.or(output.as_ref().map(|_| Format::Csv)) {
        None => format!("{}{}\n", sheet.text(None), sheet.notes),
        Some(Format::Csv) => data.csv(),
        Some(Format::Markdown) => sheet.markdown(),
        Some(Format::Latex) => sheet.latex(),
    };
    if let Some(path) = output {
        file::write(path, |file| file.write_all(text.as_bytes()))?;
    } else if out.json() {
        rows.iter().try_for_each(|row| out.result(row, ""))?;
    } else {
        out.result(&(), &text)?;
    }
    Ok(())
}
