//! Tables of bounds by dimension and side.

use std::collections::BTreeSet;

use ndqueens_model::facts::Side;
use ndqueens_report::column::{Column, Data, Field, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet, Style, align_columns};

use super::cube::Cube;
use super::facts::{Bounds, Fact, Strength};

/// A board with its best bounds.
struct CubeBounds<'b> {
    cube: Cube,
    lower: &'b Fact,
    upper: &'b Fact,
}

pub(super) const STATUS: &str = "The status of a bound is that of the weakest fact that it rests on: theorem, checked (when this table was made), archived (a proof that was not checked then) or reported (published, not checked)";

/// Returns the columns of [`data`].
fn columns<'b>() -> [Column<CubeBounds<'b>>; 7] {
    [
        Column::new("board", Unit::Text, "the board n^d", |row| row.cube.board().to_string()),
        Column::new("d", Unit::Count, "the dimension", |row| row.cube.dimension.to_string()),
        Column::new("n", Unit::Count, "the side", |row| row.cube.side.to_string()),
        Column::new("lower", Unit::Queens, "lower bound on the maximum", |row| row.lower.value.to_string()),
        Column::new("lower_status", Unit::Text, STATUS, |row| row.lower.strength.to_string()),
        Column::new("upper", Unit::Queens, "upper bound on the maximum", |row| row.upper.value.to_string()),
        Column::new("upper_status", Unit::Text, STATUS, |row| row.upper.strength.to_string()),
    ]
}

/// Returns the bounds of these boards with their status, a row for each board.
#[must_use]
pub fn data(bounds: &Bounds, cubes: &[Cube]) -> Data {
    let row =
        |&cube| CubeBounds { cube, lower: bounds.of(cube, Side::Lower), upper: bounds.of(cube, Side::Upper) };
    let rows: Vec<CubeBounds<'_>> = cubes.iter().map(row).collect();
    Data::of(&columns().iter().collect::<Vec<_>>(), &rows)
}

/// Returns the columns of [`data`].
#[must_use]
pub fn fields() -> Vec<Field> {
    columns().map(|column| column.field).to_vec()
}

/// Formats the bounds of a cube, e.g. `21` or `172-196*`, with a mark if they rest on unchecked proofs or
/// published values.
fn cell(bounds: &Bounds, cube: Cube) -> Entry {
    let [lower, upper] = [Side::Lower, Side::Upper].map(|side| bounds.of(cube, side));
    let mark = |fact: &Fact| match fact.strength {
        Strength::Theorem | Strength::Checked => "",
        Strength::Archived => "+",
        Strength::Reported => "*",
    };
    if lower.value == upper.value {
        let weaker = if lower.strength > upper.strength { lower } else { upper };
        return Entry { text: format!("{}{}", lower.value, mark(weaker)), style: Style::Bold };
    }
    Entry::from(format!("{}{}-{}{}", lower.value, mark(lower), upper.value, mark(upper)))
}

/// Returns a table with a row for each side and a column for each dimension; entries of other boards are
/// empty.
#[must_use]
pub fn sheet(bounds: &Bounds, cubes: &[Cube]) -> Sheet {
    let dimensions: BTreeSet<usize> = cubes.iter().map(|cube| cube.dimension).collect();
    let sides: BTreeSet<u32> = cubes.iter().map(|cube| cube.side).collect();
    let is_listed = |cube: &Cube| cubes.contains(cube);
    let head = |dimension: usize| (String::new(), format!("d = {dimension}"));
    let row = |side: u32| {
        let cell = |&dimension| {
            let cube = Some(Cube { dimension, side }).filter(is_listed);
            cube.map_or_else(|| Entry::from(String::new()), |cube| cell(bounds, cube))
        };
        let first = std::iter::once(Entry::from(side.to_string()));
        Line::Entries(first.chain(dimensions.iter().map(cell)).collect())
    };
    Sheet {
        title: "Queens on n^d".to_owned(),
        notes: "Bold: the maximum. Otherwise lower and upper bound. A plus sign marks what rests on an archived proof \
                not checked in this run (too large, or not kept), a star what rests on a published value."
            .to_owned(),
        labels: 1,
        words: &[],
        heads: std::iter::once((String::new(), "n".to_owned())).chain(dimensions.iter().copied().map(head)).collect(),
        rows: sides.into_iter().map(row).collect(),
    }
}

/// Returns the table for a terminal, with `=` before a maximum.
#[must_use]
pub fn text(bounds: &Bounds, cubes: &[Cube]) -> String {
    let Sheet { heads, rows, .. } = sheet(bounds, cubes);
    let entry =
        |entry: Entry| if entry.style == Style::Bold { format!("={}", entry.text) } else { entry.text };
    let mut lines = vec![heads.into_iter().map(|(_, name)| name).collect::<Vec<String>>()];
    for row in rows {
        if let Line::Entries(entries) = row {
            let mut entries = entries.into_iter();
            let first = entries.next().map(|first| first.text);
            lines.push(first.into_iter().chain(entries.map(entry)).collect());
        }
    }
    let mut text = align_columns(lines, &[]);
    text += "= the maximum; + rests on an archived proof not checked in this run (too large, or not kept); \
             * rests on a published value\n";
    text
}
