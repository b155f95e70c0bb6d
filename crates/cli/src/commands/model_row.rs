//! Shows a row of a formulation on a board, with the reason why it is valid.

use std::fmt::Write as _;

use ndqueens_archive::archive::Archive;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::Bounds;
use ndqueens_model::ilp::{Program, Row};
use ndqueens_model::model::Model;
use ndqueens_model::named_row::NamedRow;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_report::figure::{Figure, Show};
use schemars::JsonSchema;
use serde::Serialize;

use crate::memory;
use crate::output::Output;
use crate::schema::printed;

/// A row as `ndq model --row` prints it.
#[derive(JsonSchema, Serialize)]
struct RowSummary {
    board: String,
    formulation: String,
    /// The name of the row, as in files.
    row: String,
    /// The family; absent for the row that states the number of queens.
    family: Option<&'static str>,
    squares: Vec<Vec<u32>>,
    /// The coefficients of the squares; absent if all are 1.
    coefficients: Option<Vec<i64>>,
    /// `<=`, `=` or `>=`.
    comparison: String,
    right_hand_side: i64,
    /// Reason why all solutions satisfy the row.
    reason: String,
    /// The condition under which the row is valid; absent if it is proved.
    condition: Option<String>,
    /// The picture as text; absent for a board that has none.
    text: Option<String>,
}

printed!(RowSummary: "model");

/// Width of the picture in characters.
const WIDTH: usize = 100;
/// Maximum number of squares that are listed in text.
const MOST_LISTED: usize = 24;

/// Returns the squares and coefficients of a row of a formulation on a board, to be drawn.
pub(super) fn to_draw(
    archive: &Archive,
    board: &Board,
    formulation: Option<&str>,
    name: &str,
) -> anyhow::Result<Show> {
    let formulation = super::proved_formulation(formulation, board)?;
    let bounds = Bounds::with_publications(archive.bounds());
    let variant = Variant::of(Goal::Optimise);
    let model = Model::for_writing(board, &formulation, variant, &bounds, memory::for_models(None))?;
    Ok(picture(&model.row(name)?))
}

/// Prints a row of a model.
pub(super) fn print(model: &Model<'_>, name: &str, out: &mut Output) -> anyhow::Result<()> {
    let board = model.board();
    let named = model.row(name)?;
    let Row { tag, columns, coefficients, comparison, rhs } = &named.row;
    let row = RowSummary {
        board: board.name().to_string(),
        formulation: model.formulation().name.clone(),
        row: tag.to_string(),
        family: named.family.map(|family| family.name()),
        squares: columns.iter().map(|&square| board.coordinates(square)).collect(),
        coefficients: coefficients.clone(),
        comparison: comparison.to_string(),
        right_hand_side: *rhs,
        reason: named.reason(board).to_string(),
        condition: named.condition(),
        text: Figure::new(board, picture(&named)).text(WIDTH).ok(),
    };
    let mut text = format!("{} of formulation {} on {}\n", row.row, row.formulation, row.board);
    writeln!(text, "constraint  {}", formula(model, &named.row))?;
    if let Some(family) = named.family {
        writeln!(text, "family      {}: {} [{}]", family.name(), family.summary(), family.citation())?;
    }
    writeln!(text, "squares     {}", squares(board, &named))?;
    writeln!(text, "valid       {}", row.reason)?;
    if let Some(condition) = &row.condition {
        writeln!(text, "condition   {condition}")?;
    }
    if let Some(picture) = &row.text {
        write!(text, "\n{picture}")?;
    }
    out.result(&row, &text)?;
    Ok(())
}

fn picture(named: &NamedRow<'_>) -> Show {
    Show::Row { name: named.row.tag.to_string(), coefficients: named.terms().into_iter().collect() }
}

/// Returns the row as a formula, such as `x_0_0 + x_0_1 <= 1`. The middle of a long one is left out.
fn formula(model: &Model<'_>, row: &Row) -> String {
    let columns = model.columns();
    let term = |(k, (column, coefficient)): (usize, (u32, i64))| {
        let sign = match (coefficient < 0, k) {
            (true, _) => "- ",
            (false, 0) => "",
            (false, _) => "+ ",
        };
        let name = &columns[column as usize].name;
        match coefficient.unsigned_abs() {
            1 => format!("{sign}{name}"),
            size => format!("{sign}{size} {name}"),
        }
    };
    let terms: Vec<String> = row.terms().enumerate().map(term).collect();
    let left = match terms.as_slice() {
        [] => "0".to_owned(),
        all if all.len() <= MOST_LISTED => all.join(" "),
        all => format!("{} + ... {}", all[..3].join(" "), all[all.len() - 1]),
    };
    format!("{left} {} {}", row.comparison, row.rhs)
}

/// Returns the squares in words: their number, and the box that they fill or their coordinates.
fn squares(board: &Board, named: &NamedRow<'_>) -> String {
    let squares: &[Square] = &named.row.columns;
    let number = squares.len();
    if let Some((sides, first)) = named.filled_box(board) {
        let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
        return format!("{number}, the box {} from {}", sides.join("x"), board.label(first));
    }
    let listed: Vec<String> = squares.iter().take(MOST_LISTED).map(|&square| board.label(square)).collect();
    let more = if number > MOST_LISTED { " ..." } else { "" };
    format!("{number}: {}{more}", listed.join(" "))
}
