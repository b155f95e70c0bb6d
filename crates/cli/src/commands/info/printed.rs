//! Numbers that sources print in their tables of solutions, compared with those found here.

use std::fmt::{self, Display};

use ndqueens_archive::best::Best;
use ndqueens_model::board::Board;
use ndqueens_model::facts::counts::{self, KnownCount, PrintedCount, YesNo};
use ndqueens_notation::name::BoardName;
use schemars::JsonSchema;
use serde::Serialize;

use super::optimal::Optimality;

/// Numbers of maximum solutions and their source.
#[derive(JsonSchema, Serialize)]
pub(super) struct Solutions {
    maximum: u64,
    up_to_symmetry: Option<u64>,
    source: &'static str,
}

impl From<&'static KnownCount> for Solutions {
    fn from(known: &'static KnownCount) -> Self {
        Self { maximum: known.solutions, up_to_symmetry: known.up_to_symmetry, source: &known.source }
    }
}

impl Display for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of maximum size", self.maximum)?;
        if let Some(orbits) = self.up_to_symmetry {
            write!(f, ", {orbits} up to symmetry")?;
        }
        write!(f, " [{}]", self.source)
    }
}

/// A row of a table in a source.
#[derive(JsonSchema, Serialize)]
pub(super) struct Printed {
    source: &'static str,
    values: Vec<PrintedValue>,
}

/// A printed value and its status.
#[derive(JsonSchema, Serialize)]
struct PrintedValue {
    quantity: &'static str,
    printed: String,
    standing: Standing,
    /// The value found here; null if it is not known.
    here: Option<String>,
}

/// Status of a printed value.
#[derive(Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum Standing {
    Confirmed,
    Wrong,
    NotChecked,
}

impl PrintedValue {
    /// Compares a printed value with the one known here, if there is one. `agree` returns `true` if it equals
    /// the printed one.
    fn new<T: Display>(
        quantity: &'static str,
        printed: String,
        here: Option<T>,
        agree: impl Fn(&T) -> bool,
    ) -> Self {
        let standing = match &here {
            Some(here) if agree(here) => Standing::Confirmed,
            Some(_) => Standing::Wrong,
            None => Standing::NotChecked,
        };
        Self { quantity, printed, standing, here: here.map(|here| here.to_string()) }
    }
}

impl Display for PrintedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.quantity, self.printed)?;
        match (&self.here, self.standing) {
            (Some(here), Standing::Wrong) => write!(f, " (wrong: {here})"),
            (_, Standing::NotChecked) => f.write_str(" (not checked)"),
            _ => f.write_str(" (confirmed)"),
        }
    }
}

impl Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(ToString::to_string).collect();
        write!(f, "{} [{}]", values.join(", "), self.source)
    }
}

/// Returns the rows that sources print for a board, each value with the result of its comparison: sizes are
/// compared with the bounds if both are checked, numbers of solutions with the table of known counts.
pub(super) fn of(name: &BoardName, board: Option<&Board>, lower: &Best, upper: &Best) -> Vec<Printed> {
    let settled = lower.value == upper.value && lower.is_checked() && upper.is_checked();
    let maximum = settled.then_some(lower.value);
    let optimal = board.filter(|_| settled).and_then(|board| Optimality::of(board, lower, upper)?.reached);
    let known = counts::lookup(name);
    counts::printed_counts(name).map(|row| compare(row, maximum, optimal, known)).collect()
}

fn compare(
    row: &'static PrintedCount,
    maximum: Option<u128>,
    optimal: Option<bool>,
    known: Option<&KnownCount>,
) -> Printed {
    let mut values = Vec::new();
    if let Some(queens) = row.queens {
        let agree = |here: &u128| *here == u128::from(queens);
        values.push(PrintedValue::new("queens", queens.to_string(), maximum, agree));
    }
    let here = known.map(|known| known.solutions);
    let agree = |here: &u64| *here == row.solutions;
    values.push(PrintedValue::new("solutions", row.solutions.to_string(), here, agree));
    if let (Some(least), Some(most)) = (row.up_to_symmetry_least, row.up_to_symmetry_most) {
        let printed = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let here = known.and_then(|known| known.up_to_symmetry);
        let agree = |here: &u64| (least..=most).contains(here);
        values.push(PrintedValue::new("up to symmetry", printed, here, agree));
    }
    if let Some(answer) = row.optimal {
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let printed = word(answer == YesNo::Yes);
        let agree = |here: &&str| *here == printed;
        values.push(PrintedValue::new("optimal", printed.to_owned(), optimal.map(word), agree));
    }
    Printed { source: &row.place, values }
}
