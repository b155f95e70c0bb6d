//! Files with the optimum of an LP, its binding rows and their duals, and with weights of squares.

use std::path::Path;

use anyhow::bail;
use ndqueens_model::board::Board;
use ndqueens_model::ilp::{Program as _, Row};
use ndqueens_model::own::{MAX_NUMBER, parse_square};
use ndqueens_system::file;
use serde::Serialize;

use super::relaxed::{Relaxed, SolvedLp};

/// Absolute difference of two sides of a row that count as equal.
const TOLERANCE: f64 = 1e-6;

/// Optimum of an LP.
#[derive(Serialize)]
struct Optimum<'a> {
    board: &'a str,
    formulation: &'a str,
    lp_bound: Option<f64>,
    squares: Vec<SquareValue>,
}

/// Value of the variable of a square.
#[derive(Serialize)]
struct SquareValue {
    square: Vec<u32>,
    value: f64,
}

/// Binding rows of an LP with their duals.
#[derive(Serialize)]
struct Duals<'a> {
    board: &'a str,
    formulation: &'a str,
    lp_bound: Option<f64>,
    families: Vec<BindingFamily>,
    rows: Vec<BindingRow>,
}

/// Binding rows of a family.
#[derive(Serialize)]
struct BindingFamily {
    family: &'static str,
    rows: usize,
    binding: usize,
    /// Sum of the right-hand sides times the duals: the share of the family in the bound.
    share: f64,
}

/// Row that the optimum satisfies with equality.
#[derive(Serialize)]
struct BindingRow {
    row: String,
    family: &'static str,
    sense: String,
    rhs: i64,
    dual: f64,
}

/// Form of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Csv,
    Json,
}

/// Checks that a file can be written and that its name ends in `.csv` or `.json`.
pub(super) fn ensure_writable(path: &Path) -> anyhow::Result<()> {
    form(path)?;
    Ok(file::writable(path)?)
}

fn form(path: &Path) -> anyhow::Result<Form> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => Ok(Form::Csv),
        Some("json") => Ok(Form::Json),
        _ => bail!("{}: the name of the file must end in .csv or .json", path.display()),
    }
}

/// Writes the optimum of an LP, one value for each square of the board.
pub(super) fn write_point(
    path: &Path,
    board: &Board,
    relaxed: &Relaxed,
    lp: &SolvedLp,
) -> anyhow::Result<()> {
    let values =
        || board.squares().zip(&lp.relaxation.point).map(|(square, &value)| (square, cleaned(value)));
    let text = match form(path)? {
        Form::Csv => {
            let line = |(square, value)| format!("\"{}\",{value}\n", board.label(square));
            "square,value\n".to_owned() + &values().map(line).collect::<String>()
        }
        Form::Json => {
            let squares =
                values().map(|(square, value)| SquareValue { square: board.coordinates(square), value });
            let (name, formulation) = (&relaxed.board, &relaxed.formulation);
            let optimum =
                Optimum { board: name, formulation, lp_bound: relaxed.lp_bound, squares: squares.collect() };
            serde_json::to_string_pretty(&optimum)? + "\n"
        }
    };
    Ok(file::write(path, |out| out.write_all(text.as_bytes()))?)
}

/// Writes the binding rows of an LP with their duals.
pub(super) fn write_duals(path: &Path, relaxed: &Relaxed, lp: &SolvedLp) -> anyhow::Result<()> {
    let duals = duals(relaxed, lp);
    let text = match form(path)? {
        Form::Csv => {
            let line = |row: &BindingRow| {
                let BindingRow { row, family, sense, rhs, dual } = row;
                format!("{row},{family},{sense},{rhs},{dual}\n")
            };
            "row,family,sense,rhs,dual\n".to_owned() + &duals.rows.iter().map(line).collect::<String>()
        }
        Form::Json => serde_json::to_string_pretty(&duals)? + "\n",
    };
    Ok(file::write(path, |out| out.write_all(text.as_bytes()))?)
}

fn duals<'a>(relaxed: &'a Relaxed, lp: &SolvedLp) -> Duals<'a> {
    let (mut families, mut rows): (Vec<BindingFamily>, Vec<BindingRow>) = (Vec::new(), Vec::new());
    for (row, &dual) in lp.ilp.rows().zip(&lp.relaxation.duals) {
        let family = row.tag.family;
        if families.last().is_none_or(|last| last.family != family) {
            families.push(BindingFamily { family, rows: 0, binding: 0, share: 0.0 });
        }
        let counts = families.last_mut().expect("it was pushed");
        counts.rows += 1;
        if (activity(&row, &lp.relaxation.point) - row.rhs as f64).abs() > TOLERANCE {
            continue;
        }
        let dual = cleaned(dual);
        counts.binding += 1;
        counts.share += dual * row.rhs as f64;
        rows.push(BindingRow {
            row: row.tag.to_string(),
            family,
            sense: row.comparison.to_string(),
            rhs: row.rhs,
            dual,
        });
    }
    let (board, formulation) = (&relaxed.board, &relaxed.formulation);
    Duals { board, formulation, lp_bound: relaxed.lp_bound, families, rows }
}

fn activity(row: &Row, point: &[f64]) -> f64 {
    row.terms().map(|(column, coefficient)| coefficient as f64 * point[column as usize]).sum()
}

/// Returns a number without rounding errors around 0.
fn cleaned(value: f64) -> f64 {
    if value.abs() < 1e-9 { 0.0 } else { value }
}

/// Reads the value of each square from a CSV file with the columns `square` and `column`; squares that do not
/// occur have the value 0. `parse` returns the value of a cell, or `None` if it is not of the `kind`.
fn read_squares<T: Copy + Default>(
    path: &Path,
    board: &Board,
    column: &str,
    kind: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> anyhow::Result<Vec<T>> {
    let text = file::read(path)?;
    let mut values = vec![None; board.size()];
    let place = |line: usize| format!("{}, line {line}", path.display());
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim_end()));
    if lines.next().is_none_or(|(_, header)| header != format!("square,{column}")) {
        bail!("{}: the columns must be square,{column}, in a first line", place(1));
    }
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let (square, cell) = line.rsplit_once(',').unwrap_or((line, ""));
        let name = square.trim_matches('"');
        let Some(square) = parse_square(name).and_then(|square| board.square(&square)) else {
            bail!(
                "{}: \"{}\" is not a square of {}; its first is {}",
                place(number),
                name.escape_debug(),
                board.name(),
                board.label(0)
            );
        };
        let Some(value) = parse(cell.trim()) else {
            bail!("{}: \"{}\" is not {kind}", place(number), cell.escape_debug());
        };
        if values[square as usize].replace(value).is_some() {
            bail!("{}: the square {} has a line already", place(number), board.label(square));
        }
    }
    if values.iter().all(Option::is_none) {
        bail!("{}: there is no square", path.display());
    }
    Ok(values.into_iter().map(Option::unwrap_or_default).collect())
}

/// Reads the weight of each square, from `least` on, which is 0 if the file does not have the square.
pub(in crate::commands) fn read_weights(path: &Path, board: &Board, least: i64) -> anyhow::Result<Vec<i64>> {
    let kind = format!("a whole number from {least} to {MAX_NUMBER}");
    let in_range = |weight: &i64| (least..=MAX_NUMBER).contains(weight);
    read_squares(path, board, "weight", &kind, |cell| cell.parse().ok().filter(in_range))
}

/// Reads the optimum of an LP from a file of [`write_point`] in CSV.
pub(in crate::commands) fn read_point(path: &Path, board: &Board) -> anyhow::Result<Vec<f64>> {
    let in_range = |value: &f64| (0.0..=1.0 + TOLERANCE).contains(value);
    read_squares(path, board, "value", "a number from 0 to 1", |cell| cell.parse().ok().filter(in_range))
}
