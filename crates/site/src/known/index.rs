//! The table of what is known, the open cases and the new bounds.

use ndqueens_knowledge::bounds::{self, Cube, Fact, Strength};
use ndqueens_model::facts::Side;

use super::shell::{Shell, Tables};
use super::{Known, SiteError, board};
use crate::table::{Cell, Head, Table};

const NOTES: &str = "Bold: the maximum. Otherwise a lower and an upper bound. A plus sign marks what rests on an archived proof that was not \
     checked when this page was made, a star what rests on a published value. Each entry leads to the board: its bounds and their \
     derivations, files, a placement, and who published what.";

pub(super) fn page(known: &Known<'_>) -> Result<String, SiteError> {
    let head = |name: String| Head { name, unit: "", meaning: "" };
    let heads = known.dimensions.clone().map(|dimension| head(format!("d\u{a0}=\u{a0}{dimension}")));
    let rows = known.sides.clone().map(|side| {
        let cells = known.dimensions.clone().map(|dimension| cell(known, Cube { dimension, side }));
        std::iter::once(Cell::of(side.to_string())).chain(cells).collect()
    });
    let table = Table {
        caption: "The size |Qmax(n,d)| of a largest placement of queens on n^d".to_owned(),
        notes: NOTES.to_owned(),
        heads: std::iter::once(head("n".to_owned())).chain(heads).collect(),
        rows: rows.collect(),
        foot: Vec::new(),
    };
    let tables = Tables { tables: vec![table] }.html()?;
    let content = format!(
        "<p>How many queens fit on a d-dimensional chessboard of side n so that no two attack each other? Every bound here has \
         its reason: a theorem, a certificate or a proof that an independent checker verifies, or a publication.</p>\n{tables}"
    );
    Ok(Shell { title: "What is known", root: "", content: &content, boards: false }.page()?)
}

/// `21`, or `172–195*`.
fn cell(known: &Known<'_>, cube: Cube) -> Cell {
    let [lower, upper] = [Side::Lower, Side::Upper].map(|side| known.bounds.of(cube, side));
    let mark = |strength: Strength| match strength {
        Strength::Theorem | Strength::Checked => "",
        Strength::Archived => "+",
        Strength::Reported => "*",
    };
    let marked = |fact: &Fact| format!("{}{}", fact.value, mark(fact.strength));
    let cell = if lower.value == upper.value {
        let text = format!("{}{}", lower.value, mark(lower.strength.max(upper.strength)));
        Cell { strong: true, ..Cell::of(text) }
    } else {
        Cell::of(format!("{}–{}", marked(lower), marked(upper)))
    };
    cell.to(board::path(cube))
}

pub(super) fn open(known: &Known<'_>) -> Result<String, SiteError> {
    let cubes: Vec<Cube> = known.cubes().collect();
    let (_, sheet) = bounds::open(known.bounds, &cubes, known.ledger, known.efforts);
    listed("Open cases", Table::of_sheet(&sheet), known)
}

pub(super) fn new(known: &Known<'_>) -> Result<String, SiteError> {
    let cubes: Vec<Cube> = known.cubes().collect();
    let (_, sheet) = bounds::new(known.unpublished, &cubes, known.ledger);
    listed("Bounds that no publication has", Table::of_sheet(&sheet), known)
}

/// A page with a table whose rows lead to their boards.
fn listed(title: &str, mut table: Table, known: &Known<'_>) -> Result<String, SiteError> {
    for first in table.rows.iter_mut().filter_map(|row| row.first_mut()) {
        if let Some(cube) = board::named(&first.text).filter(|&cube| known.contains(cube)) {
            first.link = board::path(cube);
        }
    }
    let content = Tables { tables: vec![table] }.html()?;
    Ok(Shell { title, root: "", content: &content, boards: false }.page()?)
}
