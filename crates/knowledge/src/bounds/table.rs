//! The bounds as tables.

use std::ops::RangeInclusive;

use ndqueens_report::sheet::{self, Data, Entry, Field, Line, Sheet, Unit};

use super::{Bounds, Cube, Fact, Strength};
use crate::side::Side;

/// What the columns of [`data`] mean.
const FIELDS: [Field; 9] = [
    Field { name: "board", unit: Unit::Text, meaning: "the board n^d" },
    Field { name: "d", unit: Unit::Count, meaning: "the dimension" },
    Field { name: "n", unit: Unit::Count, meaning: "the side" },
    Field { name: "lower", unit: Unit::Queens, meaning: "so many fit" },
    Field {
        name: "lower_standing",
        unit: Unit::Text,
        meaning: "its weakest leaf: theorem, checked (in this run), archived (a proof that was not checked in this run) or reported",
    },
    Field {
        name: "lower_reason",
        unit: Unit::Text,
        meaning: "the last rule of its derivation, or its origin",
    },
    Field { name: "upper", unit: Unit::Queens, meaning: "no more than so many fit" },
    Field {
        name: "upper_standing",
        unit: Unit::Text,
        meaning: "its weakest leaf: theorem, checked (in this run), archived (a proof that was not checked in this run) or reported",
    },
    Field {
        name: "upper_reason",
        unit: Unit::Text,
        meaning: "the last rule of its derivation, or its origin",
    },
];

/// The bounds with their standing, a row for each board.
#[must_use]
pub fn data(bounds: &Bounds, dimensions: &RangeInclusive<usize>, sides: &RangeInclusive<u32>) -> Data {
    let row = |cube: Cube| {
        let mut row = vec![cube.board().to_string(), cube.dimension.to_string(), cube.side.to_string()];
        for side in [Side::Lower, Side::Upper] {
            let Fact { value, strength, reason, .. } = bounds.of(cube, side);
            row.extend([value.to_string(), strength.to_string(), reason.clone()]);
        }
        row
    };
    let cubes =
        dimensions.clone().flat_map(|dimension| sides.clone().map(move |side| Cube { dimension, side }));
    Data { fields: FIELDS.to_vec(), rows: cubes.map(row).collect() }
}

/// The data dictionary of [`data`], as CSV.
#[must_use]
pub fn dictionary() -> String {
    sheet::dictionary(&[("bounds", &FIELDS)])
}

/// `21`, or `172-196*`: marked where it rests on proofs that were not checked in this run, or on published values.
fn cell(bounds: &Bounds, cube: Cube) -> Entry {
    let [lower, upper] = [Side::Lower, Side::Upper].map(|side| bounds.of(cube, side));
    let mark = |fact: &Fact| match fact.strength {
        Strength::Theorem | Strength::Checked => "",
        Strength::Archived => "+",
        Strength::Reported => "*",
    };
    if lower.value == upper.value {
        let weaker = if lower.strength > upper.strength { lower } else { upper };
        return Entry { text: format!("{}{}", lower.value, mark(weaker)), bold: true };
    }
    Entry::from(format!("{}{}-{}{}", lower.value, mark(lower), upper.value, mark(upper)))
}

/// A table with a row for each side and a column for each dimension.
#[must_use]
pub fn sheet(bounds: &Bounds, dimensions: &RangeInclusive<usize>, sides: &RangeInclusive<u32>) -> Sheet {
    let head = |dimension: usize| (String::new(), format!("d = {dimension}"));
    let row = |side: u32| {
        let cell = |dimension| cell(bounds, Cube { dimension, side });
        let first = std::iter::once(Entry::from(side.to_string()));
        Line::Entries(first.chain(dimensions.clone().map(cell)).collect())
    };
    Sheet {
        title: "Queens on n^d".to_owned(),
        notes: "Bold: the maximum. Otherwise lower and upper bound. A plus sign marks what rests on archived proofs that are \
                not kept, so not checked for this table, a star what rests on published values."
            .to_owned(),
        labels: 1,
        heads: std::iter::once((String::new(), "n".to_owned())).chain(dimensions.clone().map(head)).collect(),
        rows: sides.clone().map(row).collect(),
    }
}

/// The table for the terminal: `=` before a maximum.
#[must_use]
pub fn text(bounds: &Bounds, dimensions: &RangeInclusive<usize>, sides: &RangeInclusive<u32>) -> String {
    let Sheet { heads, rows, .. } = sheet(bounds, dimensions, sides);
    let entry = |entry: Entry| if entry.bold { format!("={}", entry.text) } else { entry.text };
    let mut lines = vec![heads.into_iter().map(|(_, name)| name).collect::<Vec<String>>()];
    for row in rows {
        if let Line::Entries(entries) = row {
            let mut entries = entries.into_iter();
            let first = entries.next().map(|first| first.text);
            lines.push(first.into_iter().chain(entries.map(entry)).collect());
        }
    }
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let aligned = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    let mut text: String = lines.iter().map(|line| aligned(line) + "\n").collect();
    text += "= the maximum; + holds if archived proofs do that are not kept, so not checked in this run; \
             * holds if published values do\n";
    text
}
