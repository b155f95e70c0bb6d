//! Finds the files in a folder that hold tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ndqueens_report::column::{Data, Table};
use ndqueens_system::file::{self, FileError};

/// The CSV files below a folder.
#[derive(Debug)]
pub struct Files<'t> {
    /// Files with the columns of a table, by their paths relative to the folder.
    pub known: Vec<(String, &'t Table)>,
    /// Paths of the other files.
    pub others: Vec<PathBuf>,
}

impl<'t> Files<'t> {
    /// Finds the CSV files below a folder and matches their first lines with the columns of tables. Links,
    /// hidden folders and caches are skipped.
    ///
    /// # Errors
    /// Returns an error if a folder or a file cannot be read.
    pub fn below(folder: &Path, tables: &'t [Table]) -> Result<Self, FileError> {
        let head = |table: &Table| {
            let fields = table.fields.clone();
            Data { fields, rows: Vec::new() }.csv().trim_end().to_owned()
        };
        let by_head: BTreeMap<String, &Table> = tables.iter().map(|table| (head(table), table)).collect();
        let mut paths = Vec::new();
        csv_files(folder, &mut paths)?;
        paths.sort();
        let mut files = Self { known: Vec::new(), others: Vec::new() };
        for path in paths {
            let text = file::read(&path)?;
            match by_head.get(text.lines().next().unwrap_or_default()) {
                Some(table) => {
                    let relative = path.strip_prefix(folder).expect("a path of the folder");
                    files.known.push((relative.display().to_string(), *table));
                }
                None => files.others.push(path),
            }
        }
        Ok(files)
    }
}

fn csv_files(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), FileError> {
    if folder.join("CACHEDIR.TAG").exists() {
        return Ok(());
    }
    let unreadable = |fault| FileError::new("read", folder, fault);
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !is_hidden {
            csv_files(&path, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "csv") {
            paths.push(path);
        }
    }
    Ok(())
}
