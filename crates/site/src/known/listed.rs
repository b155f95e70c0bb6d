//! Lists of boards: open cases and new bounds.

use ndqueens_archive::bounds::{self, Cube};
use ndqueens_report::column::Data;
use ndqueens_report::sheet::{Line, Sheet};

use super::shell::{Script, Shell, Tables};
use super::{Known, SiteError, board_path};
use crate::page::group_digits;
use crate::table::{Cell, Head, Table};

const OPEN: &str = "<p>These are the boards whose lower bound is below the upper bound, or whose bounds meet on a published value \
     alone. The boards with the fewest squares come first, because a search may still settle them; a click on a head sorts by \
     another column. The last two columns have commands that may change a bound, or the reason why no command is given; boards of \
     higher dimensions are in <a href=\"book/open-cases.html\">a table of the book</a>.</p>\n";

const NEW: &str = "<p>Each of these bounds is better than all published bounds of its board, or is the first bound of a board of \
     which nothing was published. Improvements on publications come first, then boards with few squares. The last column has \
     the command that checks the bound on your machine; boards of higher dimensions are in <a href=\"book/new.html\">a table of the \
     book</a>.</p>\n";

/// Rows of a list, as texts by the names of their columns.
struct Rows {
    data: Data,
    /// Cells of the same rows in the table for readers.
    sheet: Vec<Vec<Cell>>,
}

impl Rows {
    fn new(data: Data, sheet: &Sheet) -> Self {
        let entries = sheet.rows.iter().filter_map(|line| match line {
            Line::Entries(entries) => Some(entries.iter().map(Cell::entry).collect()),
            Line::Rule | Line::Sum { .. } => None,
        });
        Self { sheet: entries.collect(), data }
    }

    /// Returns the value of a row in a column.
    ///
    /// # Panics
    /// Panics if there is no column of this name.
    fn text(&self, row: usize, name: &str) -> &str {
        let column = self.data.fields.iter().position(|field| field.name == name).expect("a column");
        &self.data.rows[row][column]
    }

    /// Returns the board of a row.
    fn cube(&self, row: usize) -> Cube {
        self.text(row, "board").parse().expect("a cube")
    }

    /// Returns the cell with the board of a row, which leads to its page.
    fn board(&self, row: usize) -> Cell {
        Cell::of(self.text(row, "board")).to(board_path(self.cube(row)))
    }

    /// Returns a cell with the number of a row in a column.
    fn number(&self, row: usize, name: &str) -> Cell {
        Cell::of(group_digits(self.text(row, name)))
    }
}

/// Returns the page of open cases.
///
/// # Errors
/// Returns an error if the template fails.
pub(super) fn open(known: &Known<'_>) -> Result<String, SiteError> {
    let cubes: Vec<Cube> = known.cubes().collect();
    let (data, sheet) = bounds::open(known.bounds, &cubes, known.ledger, known.efforts);
    let rows = Rows::new(data, &sheet);
    let mut order: Vec<usize> = (0..rows.data.rows.len()).collect();
    order.sort_by_key(|&row| rows.cube(row).squares());
    let cells = |&row: &usize| {
        let mut cells = vec![rows.board(row)];
        for side in ["lower", "upper"] {
            let status = rows.text(row, &format!("{side}_status")).to_owned();
            cells.extend([rows.number(row, side), Cell::of(status)]);
        }
        cells.push(rows.number(row, "gap"));
        let [tried, raise, reduce] = [4, 5, 6].map(|column| rows.sheet[row][column].clone());
        cells.extend([tried, raise, reduce]);
        cells
    };
    let names =
        ["board", "lower bound", "status", "upper bound", "status", "gap", "tried", "to raise", "to reduce"];
    let table = Table {
        caption: "Boards n^d whose maximum is not proved".to_owned(),
        notes: "The status of a bound is that of the weakest fact that it rests on: theorem, checked (when this page was made), \
                archived (a proof that was not checked when this page was made) or reported (by a publication)."
            .to_owned(),
        heads: names.map(Head::plain).to_vec(),
        rows: order.iter().map(cells).collect(),
        foot: Vec::new(),
    };
    page("Open cases", "open.html", OPEN, table)
}

/// Returns the page of new bounds.
///
/// # Errors
/// Returns an error if the template fails.
pub(super) fn new(known: &Known<'_>) -> Result<String, SiteError> {
    let cubes: Vec<Cube> = known.cubes().collect();
    let (data, sheet) = bounds::new(known.unpublished, &cubes, known.ledger);
    let rows = Rows::new(data, &sheet);
    let mut order: Vec<usize> = (0..rows.data.rows.len()).collect();
    order.sort_by_key(|&row| (rows.text(row, "published").is_empty(), rows.cube(row).squares()));
    let cells = |&row: &usize| {
        let sign = if rows.text(row, "side") == "lower" { "≥" } else { "≤" };
        let [published, source] = ["published", "source"].map(|name| rows.text(row, name));
        let published = match published.is_empty() {
            true => "none".to_owned(),
            false => format!("{}, {source}", group_digits(published)),
        };
        vec![
            rows.board(row),
            Cell { strong: true, ..Cell::of(format!("{sign} {}", group_digits(rows.text(row, "value")))) },
            Cell::of(rows.text(row, "status")),
            Cell::of(published),
            rows.number(row, "bytes"),
            Cell { code: true, ..Cell::of(rows.text(row, "check")) },
        ]
    };
    let names = ["board", "maximum", "status", "best published bound", "bytes of the proof", "check it"];
    let table = Table {
        caption: "Bounds that no publication has".to_owned(),
        notes: "Published bounds are those of instances/known-values.csv. Theorems on boards of which no bound is published are \
                left out. A bound without a proof file follows from other bounds."
            .to_owned(),
        heads: names.map(Head::plain).to_vec(),
        rows: order.iter().map(cells).collect(),
        foot: Vec::new(),
    };
    page("New bounds", "new.html", NEW, table)
}

/// Returns a page with an introduction and a table.
fn page(title: &str, path: &str, introduction: &str, table: Table) -> Result<String, SiteError> {
    let content = introduction.to_owned() + &Tables { tables: vec![table] }.html()?;
    Ok(Shell { title, path, content: &content, aside: "", script: Script::Tables }.page()?)
}
