//! Tables of box bounds as CSV files: bounds on the maximum of every box inside a box.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use ndqueens_exact::box_table::{Entry, Justification};
use ndqueens_model::facts::reading;
use ndqueens_notation::name::Piece;
use ndqueens_system::file::{self, FileError};
use ndqueens_system::lock;
use ndqueens_system::note::Notes;
use ndqueens_workflow::boxes::Bounded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bounds on the maximum of a box.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxRow {
    /// Piece that is placed on the squares.
    pub piece: String,
    /// The sorted sides, such as `3x4x5`.
    pub sides: String,
    /// Number of pieces of a checked placement.
    pub lower: u64,
    /// Upper bound on the number of pieces, by a checked proof.
    pub upper: u64,
    /// Method that proves the upper bound: `lines`, `cut axis width` or `search`.
    pub how: String,
    /// Number of search nodes.
    pub nodes: u64,
}

/// Columns of the table.
const COLUMNS: [&str; 6] = ["piece", "sides", "lower", "upper", "how", "nodes"];

impl BoxRow {
    /// Returns the rows of a result, in the order of the table.
    #[must_use]
    pub fn of(found: &Bounded) -> Vec<Self> {
        let mut rows: Vec<Self> =
            found.boxes.iter().map(|(sides, entry)| Self::new(found.piece, sides, entry)).collect();
        rows.sort_by_cached_key(Self::key);
        rows
    }

    fn new(piece: Piece, sides: &[u32], entry: &Entry) -> Self {
        let how = match entry.justification {
            Justification::Lines => "lines".to_owned(),
            Justification::Cut { axis, width } => format!("cut {axis} {width}"),
            Justification::Search => "search".to_owned(),
        };
        let sides = sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
        let Entry { lower, upper, nodes, .. } = *entry;
        Self { piece: piece.word().to_owned(), sides, lower, upper, how, nodes }
    }

    /// Returns the sort key: fewer sides first, then smaller sides.
    fn key(&self) -> (String, usize, Vec<u32>) {
        let sides: Vec<u32> = self.sides.split('x').filter_map(|n| n.parse().ok()).collect();
        (self.piece.clone(), sides.len(), sides)
    }
}

/// Adds rows to a CSV file, which is created if it does not exist. A row replaces that of the same box,
/// unless the latter has a better upper bound. Returns the number of rows in the file.
///
/// # Errors
/// Returns an error if the file is not a table of boxes, if its bounds contradict those of a new row, or if
/// it cannot be read or written.
pub fn extend(path: &Path, rows: &[BoxRow], notes: &Notes) -> Result<usize, FileError> {
    let refused =
        |fault: String| FileError::new("extend", path, io::Error::new(io::ErrorKind::InvalidData, fault));
    let _alone = lock::exclusive(path, notes)?;
    let mut all = BTreeMap::new();
    if path.is_file() {
        let text = file::read_plain(path)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let head =
            reader.headers().map_err(|fault| refused(format!("it is not a table of boxes: {fault}")))?;
        if !text.is_empty() && !head.iter().eq(COLUMNS) {
            return Err(refused(format!(
                "it is not a table of boxes: its columns are not {}",
                COLUMNS.join(",")
            )));
        }
        let rows = reading::parse_numbered_rows::<BoxRow>(&text);
        let rows = rows.map_err(|fault| refused(format!("it is not a table of boxes: {fault}")))?;
        all.extend(rows.into_iter().map(|(line, row)| (row.key(), (Some(line), row))));
    }
    for row in rows {
        let Some((line, other)) = all.insert(row.key(), (None, row.clone())) else { continue };
        let BoxRow { sides, lower, upper, .. } = &other;
        if *lower > row.upper || *upper < row.lower {
            let line = line.map_or_else(String::new, |line| format!("line {line}: "));
            return Err(refused(format!(
                "{line}its bounds {lower} to {upper} on {sides} contradict the bounds {} to {} found now",
                row.lower, row.upper
            )));
        }
        if *upper < row.upper {
            all.insert(row.key(), (line, other));
        }
    }
    file::write(path, |out| write(out, all.values().map(|(_, row)| row)))?;
    Ok(all.len())
}

/// Writes rows as CSV.
///
/// # Errors
/// Returns an error if writing fails.
pub fn write<'a>(out: impl io::Write, rows: impl IntoIterator<Item = &'a BoxRow>) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    for row in rows {
        table.serialize(row)?;
    }
    table.flush()
}
