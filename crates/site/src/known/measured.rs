//! Counts and colourings: what scripts measured, and the colourings that come with the program.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use ndqueens_knowledge::tables;
use ndqueens_model::facts::colourings;
use ndqueens_report::column::Data;

use super::shell::{Shell, Tables};
use super::viewer::Viewer;
use super::{SiteError, checked};
use crate::table::Table;

const COUNTS: &str = include_str!("../../data/counts.csv");

static DENSITIES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/density");

/// Sides of the boards whose colourings are stored.
const COLOURED: [u32; 11] = [12, 14, 15, 16, 18, 20, 21, 22, 24, 28, 32];

/// The rows of a table that is compiled in.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().filter_map(Result::ok);
    rows.map(|row| row.iter().map(str::to_owned).collect()).collect()
}

/// A table that the data dictionary describes.
fn table(name: &str, text: &str) -> Option<Table> {
    let described = tables::tables().into_iter().find(|table| table.name == name)?;
    let data = Data { fields: described.fields, rows: rows(text) };
    Some(Table::of_data(described.title, "", &data))
}

pub(super) fn counts() -> Result<String, SiteError> {
    let tables = [
        ("counts", COUNTS),
        ("full", include_str!("../../data/full.csv")),
        ("domination", include_str!("../../data/domination.csv")),
    ];
    let tables = tables.into_iter().filter_map(|(name, text)| table(name, text)).collect();
    let content = Tables { tables }.html()?;
    Ok(Shell { title: "Counts", root: "", content: &content, boards: false }.page()?)
}

pub(super) fn colourings() -> Result<String, SiteError> {
    let tables = [
        ("chromatic", include_str!("../../data/chromatic.csv")),
        ("all-colourings", include_str!("../../data/all-colourings.csv")),
    ];
    let tables = tables.into_iter().filter_map(|(name, text)| table(name, text)).collect();
    let mut content = Tables { tables }.html()?;
    for side in COLOURED {
        let name = ndqueens_model::name::BoardName::queen(&[side, side]);
        let Some(text) = colourings::stored(&name) else { continue };
        let colouring = checked(text)?;
        let (colours, viewer) = (colouring.classes.len(), Viewer::of_colouring(&colouring).html()?);
        content.push_str(&format!(
            "<details><summary>{name} in {colours} colours</summary>{viewer}</details>\n"
        ));
    }
    Ok(Shell { title: "Colourings", root: "", content: &content, boards: true }.page()?)
}

/// What was counted on a board, with the names of the columns.
pub(super) fn counted(board: &str) -> Vec<(&'static str, String)> {
    let Some(described) = tables::tables().into_iter().find(|table| table.name == "counts") else {
        return Vec::new();
    };
    let row = rows(COUNTS).into_iter().find(|row| row.first().is_some_and(|name| name == board));
    let cells = described.fields.iter().zip(row.into_iter().flatten()).skip(1);
    cells.filter(|(_, value)| !value.is_empty()).map(|(field, value)| (field.meaning, value)).collect()
}

/// The share of the maximum solutions that have a queen on each square, in the order of the squares.
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
    fn densities_are_shares_of_all_squares() {
        let shares = density("5^3").expect("measured");
        let queens: f64 = shares.iter().sum();
        assert_eq!(shares.len(), 125);
        assert!((queens - 13.0).abs() < 1e-3, "{queens}");
        assert_eq!(density("../counts"), None);
    }

    #[test]
    fn counts_stand_on_the_page_of_their_board() {
        assert!(counted("5^3").iter().any(|(name, value)| *name == "queens of a solution" && value == "13"));
        assert_eq!(counted("30^8"), []);
    }
}
