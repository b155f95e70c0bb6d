//! Table of the bounds that are not published.

use ndqueens_model::facts::Side;
use ndqueens_model::facts::known::{self, Published};
use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_report::column::{Column, Data, Field, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet};

use super::cases::{heads, text};
use super::cube::Cube;
use super::facts::{Bounds, Fact, Strength};
use super::table::STATUS;
use crate::ledger::{Ledger, LedgerRow};

/// A bound that is better than every published one of the board.
struct New<'b> {
    cube: Cube,
    fact: &'b Fact,
    /// Best published bound from the same side.
    published: Option<&'static Published>,
    /// Row of the ledger with the same bound, if there is one.
    row: Option<&'b LedgerRow>,
}

impl<'b> New<'b> {
    /// Returns the bound of a cube from one side if it is new. Returns `None` if it is published, or if it is
    /// a theorem and no bound of the board is published.
    fn of(bounds: &'b Bounds, ledger: &'b Ledger, cube: Cube, side: Side) -> Option<Self> {
        let (fact, board) = (bounds.of(cube, side), cube.board());
        let best = known::best(known::of_board(&board), side);
        let is_new = best
            .map_or(fact.strength > Strength::Theorem, |best| side.is_better(fact.value, best.value.into()));
        let row = ledger.row(&board, side).filter(|row| u128::from(row.value) == fact.value);
        is_new.then_some(Self { cube, fact, published: best, row })
    }

    /// Returns the statement, e.g. `|Qmax(9,4)| <= 396`.
    fn statement(&self) -> String {
        let Cube { dimension, side } = self.cube;
        format!("|Qmax({side},{dimension})| {} {}", self.fact.side.sign(), self.fact.value)
    }

    /// Formats the published bound with `format`; empty if no bound was published.
    fn format_published(&self, format: fn(&Published) -> String) -> String {
        self.published.map_or_else(String::new, format)
    }

    /// Returns the command that checks the bound, or recreates its proof if that is too large for the
    /// archive.
    fn check_command(&self) -> String {
        match self.row {
            Some(row) if row.bytes > MAX_BYTES => row.command.clone(),
            Some(row) => format!("ndq check results/archive/ledger/{}", row.file),
            None => format!("ndq info {} --why", self.cube.board()),
        }
    }
}

fn columns<'b>() -> [Column<New<'b>>; 11] {
    [
        Column::new("board", Unit::Text, "the board n^d", |new| new.cube.board().to_string()),
        Column::new("d", Unit::Count, "the dimension", |new| new.cube.dimension.to_string()),
        Column::new("n", Unit::Count, "the side", |new| new.cube.side.to_string()),
        Column::new("side", Unit::Text, "lower or upper", |new| new.fact.side.to_string()),
        Column::new("value", Unit::Queens, "the bound", |new| new.fact.value.to_string()),
        Column::new("status", Unit::Text, STATUS, |new| new.fact.strength.to_string()),
        Column::new(
            "published",
            Unit::Queens,
            "the best published bound from this side; empty: none",
            |new| new.format_published(|best| best.value.to_string()),
        ),
        Column::new("source", Unit::Text, "who published it, and when", |new| {
            new.format_published(|best| best.source.clone())
        }),
        Column::new("place", Unit::Text, "where in the source; empty: not stated", |new| {
            new.format_published(|best| best.place.clone())
        }),
        Column::new(
            "bytes",
            Unit::Memory,
            "size of the file that shows it; empty: it follows from others",
            |new| new.row.map_or_else(String::new, |row| row.bytes.to_string()),
        ),
        Column::new("check", Unit::Text, "the command that checks it", New::check_command),
    ]
}

/// Returns the columns of the data of [`new`].
#[must_use]
pub fn new_fields() -> Vec<Field> {
    columns().map(|column| column.field).to_vec()
}

/// Returns the table of those bounds of the cubes that are not published. `bounds` must not rest on
/// publications.
#[must_use]
pub fn new(bounds: &Bounds, cubes: &[Cube], ledger: &Ledger) -> (Data, Sheet) {
    let rows: Vec<New<'_>> = cubes
        .iter()
        .flat_map(|&cube| [Side::Lower, Side::Upper].map(|side| New::of(bounds, ledger, cube, side)))
        .flatten()
        .collect();
    let entries = rows.iter().map(|new| {
        Line::Entries(vec![
            text(&new.statement()),
            text(&new.fact.strength),
            text(&new.format_published(|best| format!("{}, {best}", best.value))),
            text(&new.row.map_or_else(String::new, |row| row.bytes.to_string())),
            Entry::code(new.check_command()),
        ])
    });
    let sheet = Sheet {
        title: "Bounds of queens on n^d that no publication has".to_owned(),
        notes: format!(
            "{STATUS}. Published bounds are those of instances/known-values.csv; theorems on boards \
             of which no bound is published are left out."
        ),
        labels: 1,
        words: &[1, 2, 4],
        heads: heads(&["bound", "status", "published", "bytes", "check it"]),
        rows: entries.collect(),
    };
    (Data::of(&columns().iter().collect::<Vec<_>>(), &rows), sheet)
}
