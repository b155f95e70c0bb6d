//! The table of box bounds as a CSV file: how many queens fit on every box inside a box.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, Write};
use std::path::Path;

use flate2::Compression;
use ndqueens_crosscheck::proof::ProofError;
use ndqueens_files::{self as files, FileError, Named, packed};
use ndqueens_model::board::{Board, Grid};
use ndqueens_model::certificate::Claim;
use ndqueens_model::name::Piece;
use ndqueens_solver::backends::Options;
use ndqueens_solver::control::{Control, Deadline, StopReason, with_threads};
use ndqueens_solver::exact::Step;
use ndqueens_solver::exact::proof::HEADER;
use ndqueens_solver::exact::table::{BoxTable, Entry, How};
use serde::{Deserialize, Serialize};

use crate::evidence::tree::check_text;
use crate::run::check::{self, ensure_size};
use crate::run::engine::{FOUND_BY, report_box, settings};
use crate::run::{LabError, Watch, nodes, run_watched};

/// What is known of a box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What stands on the squares.
    pub piece: String,
    /// The sorted sides, such as `3x4x5`.
    pub sides: String,
    /// Queens on a placement that was found and checked.
    pub lower: u64,
    /// No more than these fit, by a checked proof.
    pub upper: u64,
    /// Why not: `lines`, `cut axis width` or `search`.
    pub how: String,
    /// Search nodes.
    pub nodes: u64,
}

/// The columns of a table.
const COLUMNS: [&str; 6] = ["piece", "sides", "lower", "upper", "how", "nodes"];

impl Row {
    fn new(piece: Piece, sides: &[u32], entry: &Entry) -> Self {
        let how = match entry.how {
            How::Lines => "lines".to_owned(),
            How::Cut { axis, width } => format!("cut {axis} {width}"),
            How::Search => "search".to_owned(),
        };
        let sides = sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
        let Entry { lower, upper, nodes, .. } = *entry;
        Self { piece: piece.word().to_owned(), sides, lower, upper, how, nodes }
    }

    /// Few sides before many, then small ones before large ones.
    fn key(&self) -> (String, usize, Vec<u32>) {
        let sides: Vec<u32> = self.sides.split('x').filter_map(|n| n.parse().ok()).collect();
        (self.piece.clone(), sides.len(), sides)
    }
}

/// What was found.
#[derive(Debug)]
pub struct Bounded {
    /// The boxes that were settled.
    pub rows: Vec<Row>,
    /// Why the work stopped before all were.
    pub stop: Option<StopReason>,
}

/// Finds out about a box and all boxes inside, with the options' limit on the nodes for each. Every placement and every proof
/// is checked. `None` when the board is not a plain box.
///
/// # Errors
/// When the box is too large for the search, a proof cannot be kept while it is checked, or placement or proof do not pass.
pub fn bound(board: &Board, options: &Options, watch: &mut Watch<'_>) -> Result<Option<Bounded>, LabError> {
    let Some(grid) = board.grid().filter(|grid| !grid.is_torus()) else { return Ok(None) };
    ensure_size(board)?;
    let control = Control::new();
    let settings = settings(options, &control);
    let mut table = BoxTable::new(grid.piece());
    let folder = std::env::temp_dir();
    let proofs = tempfile::tempfile().map_err(|cause| FileError::new("write", &folder, cause))?;
    let mut told = Vec::new();
    let (done, stop) =
        run_watched(&control, Deadline::NEVER, watch, &|seconds| nodes(&control, seconds), |tell| {
            let tell = &mut |sides: &[u32], entry: &Entry| {
                told.push((sides.to_vec(), *entry));
                report_box(tell, Step { sides, entry: *entry });
            };
            with_threads(settings.threads, || {
                packed::write(Named::new(&proofs, &folder), Compression::fast(), |out| {
                    let mut out: &mut dyn Write = out;
                    table.fill(grid.sides(), &settings, Some(&mut out), tell)
                })
            })
        });
    let whole = done.and_then(|done| done).map_err(LabError::engine)?;
    check(&told, &table, grid, proofs)?;
    let mut rows: Vec<Row> = told.iter().map(|(sides, entry)| Row::new(grid.piece(), sides, entry)).collect();
    rows.sort_by_cached_key(Row::key);
    Ok(Some(Bounded { rows, stop: stop.filter(|_| !whole.is_finished()) }))
}

/// Checks the placements of these boxes in a table, smallest box first, and that the proofs, which are in a packed file, show
/// all their bounds.
fn check(
    boxes: &[(Vec<u32>, Entry)],
    table: &BoxTable,
    grid: &Grid,
    mut proofs: File,
) -> Result<(), LabError> {
    let Some((largest, entry)) = boxes.last() else { return Ok(()) };
    // What is there when the work was stopped is a proof about the largest of its boxes.
    let head = format!("{HEADER}\nboard {}\n", grid.part(false, largest));
    let end = format!("at most {}\nend\n", entry.upper);
    proofs.rewind().map_err(LabError::Engine)?;
    let proofs = packed::read(BufReader::new(proofs)).map_err(LabError::Engine)?;
    let refused = |fault| LabError::RefusedProof { found_by: FOUND_BY, fault, file: None };
    let proved = check_text(head.as_bytes().chain(proofs).chain(end.as_bytes())).map_err(refused)?;
    for (sides, entry) in boxes {
        let board = Board::new(&grid.part(false, sides));
        let placement = table.placement(sides).unwrap_or_default();
        let squares: Vec<_> = placement.iter().filter_map(|square| board.square(square)).collect();
        let placed = check::checked(&board, &squares, Claim::IndependentSet, &[], FOUND_BY)?.size() as u64;
        if (placed, proved.upper(board.name())) != (entry.lower, Some(entry.upper)) {
            let words = format!("it does not show what was found of {}", board.name());
            return Err(refused(ProofError::Unreadable(io::Error::other(words))));
        }
    }
    Ok(())
}

/// Puts rows into a CSV file: in place of those of the same boxes, unless these have better upper bounds, and beside the
/// others. Returns how many there are now.
///
/// # Errors
/// When there is a file that is not such a table, or says something else of a box, or it cannot be written.
pub fn extend(path: &Path, rows: &[Row]) -> Result<usize, FileError> {
    let refused =
        |fault: String| FileError::new("extend", path, io::Error::new(io::ErrorKind::InvalidData, fault));
    let _alone = files::exclusive(path)?;
    let mut all = BTreeMap::new();
    if path.is_file() {
        let text = files::read(path)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let head =
            reader.headers().map_err(|fault| refused(format!("it is not a table of boxes: {fault}")))?;
        if !text.is_empty() && !head.iter().eq(COLUMNS) {
            return Err(refused(format!(
                "it is not a table of boxes: its columns are not {}",
                COLUMNS.join(",")
            )));
        }
        for row in reader.deserialize::<Row>() {
            let row = row.map_err(|fault| refused(format!("it is not a table of boxes: {fault}")))?;
            all.insert(row.key(), row);
        }
    }
    for row in rows {
        let Some(other) = all.insert(row.key(), row.clone()) else { continue };
        let Row { sides, lower, upper, .. } = &other;
        if *lower > row.upper || *upper < row.lower {
            let found = row.lower;
            return Err(refused(format!(
                "it says from {lower} to {upper} queens of {sides}, and {found} were found to fit"
            )));
        }
        if *upper < row.upper {
            all.insert(row.key(), other);
        }
    }
    files::write(path, |out| write(out, all.values()))?;
    Ok(all.len())
}

/// Writes rows as CSV.
///
/// # Errors
/// When they cannot be written.
pub fn write<'a>(out: impl io::Write, rows: impl IntoIterator<Item = &'a Row>) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    for row in rows {
        table.serialize(row)?;
    }
    table.flush()
}
