//! Counts and colourings: measurements of scripts, and the colourings that are part of the program.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use ndqueens_archive::bounds::Cube;
use ndqueens_archive::tables;
use ndqueens_model::facts::colourings;
use ndqueens_report::column::{Data, Field};

use super::shell::{Script, Shell, Tables};
use super::viewer::Viewer;
use super::{Known, SiteError, board_path, read_colouring};
use crate::page::group_digits;
use crate::table::Table;

const COUNTS: &str = include_str!("../../data/counts.csv");

static DENSITIES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/density");

/// Sides of the boards whose colourings are stored.
const COLOURED: [u32; 11] = [12, 14, 15, 16, 18, 20, 21, 22, 24, 28, 32];

const COUNTS_PAGE: &str = "<p>A maximum solution is a placement of as many non-attacking queens as fit on a board. The first table has \
     the number of maximum solutions of small boards, in all and up to symmetry; the others have the solutions that fill every \
     line, and the least sets of queens that attack all other squares. Queens on n^d come first, then other pieces and \
     other boards.</p>\n";

const COLOURINGS_PAGE: &str = "<p>A colouring divides the squares of a board into classes whose queens do not attack each other, \
     and the chromatic number is the least number of classes. The first table has chromatic numbers with the reason why fewer colours do \
     not suffice, and the second one counts the colourings of n^2 in n colours. Below the tables, a colouring opens on a \
     click; queens on n^2 come first in all of them.</p>\n";

/// Kinds of boards that are not plain boards of queens, in the order of the tables.
const OTHER_BOARDS: [&str; 12] = [
    "torus",
    "moebius",
    "klein",
    "bishop",
    "rook",
    "knight",
    "king",
    "superqueen",
    "three",
    "hex",
    "sudoku",
    "file",
];

/// Returns the rows of a table that is compiled in.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().filter_map(Result::ok);
    rows.map(|row| row.iter().map(str::to_owned).collect()).collect()
}

/// Returns the place of a board in the tables by its kind: queens first. The order is stable within a kind.
fn place(board: &str) -> usize {
    let kind = board.split_once(':').map(|(kind, _)| kind);
    kind.map_or(0, |kind| {
        1 + OTHER_BOARDS.iter().position(|other| *other == kind).unwrap_or(OTHER_BOARDS.len())
    })
}

/// Returns a table that the data dictionary describes, with plain boards of queens first.
fn table(name: &str, text: &str) -> Option<Table> {
    let described = tables::tables().into_iter().find(|table| table.name == name)?;
    let mut rows = rows(text);
    rows.sort_by_key(|row| place(&row[0]));
    let data = Data { fields: described.fields, rows };
    Some(Table::of_data(described.title, "", &data))
}

/// Returns the table with links from boards to their pages.
fn with_links(mut table: Table, known: &Known<'_>) -> Table {
    for cell in table.rows.iter_mut().filter_map(|row| row.first_mut()) {
        let cube = cell.text.parse().ok().filter(|_| cell.text.contains('^'));
        if let Some(cube) = cube.filter(|&cube: &Cube| known.contains(cube)) {
            cell.link = board_path(cube);
        }
    }
    table
}

/// Returns the page of counts.
///
/// # Errors
/// Returns an error if the template fails.
pub(super) fn counts(known: &Known<'_>) -> Result<String, SiteError> {
    let tables = [
        ("counts", COUNTS),
        ("full", include_str!("../../data/full.csv")),
        ("domination", include_str!("../../data/domination.csv")),
    ];
    let tables = tables.into_iter().filter_map(|(name, text)| table(name, text));
    let tables = tables.map(|table| with_links(table, known)).collect();
    let content = COUNTS_PAGE.to_owned() + &Tables { tables }.html()?;
    let shell =
        Shell { title: "Counts", path: "counts.html", content: &content, aside: "", script: Script::Tables };
    Ok(shell.page()?)
}

/// Returns the page of colourings.
///
/// # Errors
/// Returns an error if a stored colouring is unreadable or fails the check, or if the template fails.
pub(super) fn colourings(known: &Known<'_>) -> Result<String, SiteError> {
    let tables = [
        ("chromatic", include_str!("../../data/chromatic.csv")),
        ("all-colourings", include_str!("../../data/all-colourings.csv")),
    ];
    let tables = tables.into_iter().filter_map(|(name, text)| table(name, text));
    let tables = tables.map(|table| with_links(table, known)).collect();
    let mut content = COLOURINGS_PAGE.to_owned() + &Tables { tables }.html()?;
    content.push_str("<h2>Colourings of n^2 in n colours</h2>\n");
    for side in COLOURED {
        let name = ndqueens_notation::name::BoardName::queen(&[side, side]);
        let Some(text) = colourings::lookup(&name) else { continue };
        let colouring = read_colouring(text)?;
        let (colours, viewer) = (colouring.classes.len(), Viewer::of_colouring(&colouring).html()?);
        content.push_str(&format!(
            "<details><summary>{name} in {colours} colours</summary>{viewer}</details>\n"
        ));
    }
    let shell = Shell {
        title: "Colourings",
        path: "colourings.html",
        content: &content,
        aside: "",
        script: Script::Boards,
    };
    Ok(shell.page()?)
}

/// Returns the counts of a board, with their labels.
pub(super) fn counts_of(board: &str) -> Vec<(&'static str, String)> {
    let Some(described) = tables::tables().into_iter().find(|table| table.name == "counts") else {
        return Vec::new();
    };
    let row = rows(COUNTS).into_iter().find(|row| row.first().is_some_and(|name| name == board));
    let cells = described.fields.iter().zip(row.into_iter().flatten()).skip(1);
    let label = |field: &Field| match field.name {
        "method" => "method",
        "second_method" => "second method",
        "seconds" => "CPU seconds of the method",
        "reference_seconds" => "CPU seconds of the second method",
        _ => field.meaning,
    };
    cells
        .filter(|(_, value)| !value.is_empty())
        .map(|(field, value)| (label(field), group_digits(&value)))
        .collect()
}

/// Returns the share of the maximum solutions that have a queen on each square, in the order of the squares.
pub(super) fn density(board: &str) -> Option<Vec<f64>> {
    let text = DENSITIES.get_file(format!("{board}.csv"))?.contents_utf8()?;
    let mut shares = BTreeMap::new();
    for row in rows(text) {
        let square = row.first()?.trim_matches(['(', ')']);
        let square: Option<Vec<u32>> = square.split(',').map(|place| place.trim().parse().ok()).collect();
        shares.insert(square?, row.get(2)?.parse().ok()?);
    }
    Some(shares.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_fits_the_dictionary() {
        for (name, text) in [
            ("counts", COUNTS),
            ("full", include_str!("../../data/full.csv")),
            ("domination", include_str!("../../data/domination.csv")),
            ("chromatic", include_str!("../../data/chromatic.csv")),
            ("all-colourings", include_str!("../../data/all-colourings.csv")),
        ] {
            let table = table(name, text).expect("a table of the dictionary");
            assert!(!table.rows.is_empty());
            assert!(table.rows.iter().all(|row| row.len() == table.heads.len()), "{name}");
        }
    }

    #[test]
    fn tables_start_with_queens() {
        let boards =
            |name, text| table(name, text).expect("a table").rows.into_iter().map(|row| row[0].text.clone());
        let counted: Vec<String> = boards("counts", COUNTS).collect();
        assert_eq!((&*counted[0], &*counted[counted.len() - 1]), ("1^2", "hex:12"));
        assert_eq!(["3x4", "torus:5^2", "hex:3", "other:3"].map(place), [0, 1, 10, 13]);
    }

    #[test]
    fn densities_are_shares_of_all_squares() {
        let shares = density("5^3").expect("measured");
        let queens: f64 = shares.iter().sum();
        assert_eq!(shares.len(), 125);
        assert!((queens - 13.0).abs() < 1e-3, "{queens}");
        assert_eq!(density("../counts"), None);
    }

    #[test]
    fn counts_stand_on_the_page_of_their_board() {
        assert!(
            counts_of("5^3").iter().any(|(name, value)| *name == "queens of a solution" && value == "13")
        );
        assert_eq!(counts_of("30^8"), []);
    }
}
