//! Tables of the boards n^d whose maximum is settled, and of those whose maximum is open.

use ndqueens_model::facts::Side;
use ndqueens_report::column::{Column, Data, Field, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet};

use super::cube::Cube;
use super::facts::{Bounds, Fact, Strength};
use super::table::STATUS;
use crate::effort::{Clock, Effort};
use crate::ledger::Ledger;
use crate::next::{Obstacle, Open, Suggestion};

/// A board with its bounds, the attempts on record, and commands to improve the bounds.
struct Case {
    cube: Cube,
    lower: Fact,
    upper: Fact,
    /// Command that created the archived proof of the upper bound, if that bound is a leaf.
    proved_by: Option<String>,
    lower_effort: Option<Effort>,
    upper_effort: Option<Effort>,
    /// Command that may find more queens.
    raise: Option<Suggestion>,
    /// Command that may lower the upper bound, or the reason why none is known.
    reduce: Result<Suggestion, Obstacle>,
}

impl Case {
    /// Returns `true` if the bounds meet and neither rests on a published value.
    fn is_settled(&self) -> bool {
        self.lower.value == self.upper.value
            && self.lower.strength.max(self.upper.strength) < Strength::Reported
    }

    /// Returns the weaker status of the two bounds.
    fn status(&self) -> String {
        self.lower.strength.max(self.upper.strength).to_string()
    }
}

/// Returns the cases of the cubes, in the same order.
fn cases(bounds: &Bounds, cubes: &[Cube], ledger: &Ledger, efforts: &[Effort]) -> Vec<Case> {
    cubes
        .iter()
        .map(|&cube| {
            let (lower, upper) = (bounds.of(cube, Side::Lower), bounds.of(cube, Side::Upper));
            let board = cube.board();
            let effort =
                |side| efforts.iter().find(|effort| effort.side == side && effort.board == board).cloned();
            // The row must be the origin of the bound; a theorem may give the same value.
            let rests_on = |file: &str| upper.premises.is_empty() && upper.reason.contains(file);
            let row = ledger.row(&board, Side::Upper);
            let row = row.filter(|row| u128::from(row.value) == upper.value && rests_on(&row.file));
            let (typed, squares) = (board.to_string(), cube.squares());
            let open = Open { board: &board, typed: &typed, squares, lower: lower.value, upper: upper.value };
            let reduce = match lower.value == upper.value {
                true => Err(Obstacle::BoundsMeet),
                false => open.reduce(ledger, efforts, &|| None),
            };
            Case {
                raise: open.raise(efforts),
                reduce,
                cube,
                lower: lower.clone(),
                upper: upper.clone(),
                proved_by: row.map(|row| row.command.clone()),
                lower_effort: effort(Side::Lower),
                upper_effort: effort(Side::Upper),
            }
        })
        .collect()
}

/// Returns the columns of the table of maxima.
fn maxima_columns() -> [Column<Case>; 6] {
    [
        BOARD,
        DIMENSION,
        SIDE,
        Column::new("maximum", Unit::Queens, "the maximum", |case| case.upper.value.to_string()),
        Column::new("status", Unit::Text, STATUS, Case::status),
        Column::new(
            "proved_by",
            Unit::Text,
            "the command that made the archived proof of the upper bound, where the maximum rests on it",
            |case| case.proved_by.clone().unwrap_or_default(),
        ),
    ]
}

/// Returns the columns of the data of [`maxima`].
#[must_use]
pub fn maxima_fields() -> Vec<Field> {
    maxima_columns().map(|column| column.field).to_vec()
}

/// Returns the table of the boards whose maximum is settled: the bounds meet, and neither rests on a
/// published value.
#[must_use]
pub fn maxima(bounds: &Bounds, cubes: &[Cube], ledger: &Ledger) -> (Data, Sheet) {
    let mut settled = cases(bounds, cubes, ledger, &[]);
    settled.retain(Case::is_settled);
    let entries = settled.iter().map(|case| {
        let mut entries = vec![text(&case.cube.board()), text(&case.upper.value), text(&case.status())];
        entries.extend([text(&case.lower.reason), text(&case.upper.reason)]);
        entries.push(Entry::code(case.proved_by.clone().unwrap_or_default()));
        Line::Entries(entries)
    });
    let sheet = Sheet {
        title: "Maxima of queens on n^d".to_owned(),
        notes: format!(
            "The bounds meet, and no published value is needed for it. {STATUS}. Maxima that are only reported \
             are open cases."
        ),
        labels: 1,
        words: &[2, 3, 4, 5],
        heads: heads(&["board", "maximum", "status", "lower bound", "upper bound", "proved by"]),
        rows: entries.collect(),
    };
    (Data::of(&maxima_columns().iter().collect::<Vec<_>>(), &settled), sheet)
}

/// Returns the columns of the table of open cases.
fn open_columns() -> [Column<Case>; 15] {
    [
        BOARD,
        DIMENSION,
        SIDE,
        Column::new("lower", Unit::Queens, "lower bound on the maximum", |case| case.lower.value.to_string()),
        Column::new("lower_status", Unit::Text, STATUS, |case| case.lower.strength.to_string()),
        Column::new("upper", Unit::Queens, "upper bound on the maximum", |case| case.upper.value.to_string()),
        Column::new("upper_status", Unit::Text, STATUS, |case| case.upper.strength.to_string()),
        Column::new("gap", Unit::Queens, "upper less lower bound", |case| {
            (case.upper.value - case.lower.value).to_string()
        }),
        Column::new("lower_minutes", Unit::Count, "minutes spent in vain on a larger placement", |case| {
            case.lower_effort.as_ref().map_or_else(String::new, |effort| effort.minutes.to_string())
        }),
        Column::new("lower_method", Unit::Text, "what spent them", |case| {
            case.lower_effort.as_ref().map_or_else(String::new, |effort| effort.method.clone())
        }),
        Column::new("upper_minutes", Unit::Count, "minutes that the upper bound took", |case| {
            case.upper_effort.as_ref().map_or_else(String::new, |effort| effort.minutes.to_string())
        }),
        Column::new("upper_method", Unit::Text, "what took them", |case| {
            case.upper_effort.as_ref().map_or_else(String::new, |effort| effort.method.clone())
        }),
        Column::new(
            "raise",
            Unit::Text,
            "a command that may find more queens, if the board is not too large",
            |case| command(case.raise.as_ref()),
        ),
        Column::new(
            "reduce",
            Unit::Text,
            "a command that may show that fewer fit, if one is known",
            |case| command(case.reduce.as_ref().ok()),
        ),
        Column::new(
            "reduce_effort",
            Unit::Text,
            "the estimated effort of that command, or why no command is given",
            |case| {
                case.reduce.as_ref().map_or_else(ToString::to_string, |suggestion| suggestion.effort.clone())
            },
        ),
    ]
}

/// Returns the columns of the data of [`open`].
#[must_use]
pub fn open_fields() -> Vec<Field> {
    open_columns().map(|column| column.field).to_vec()
}

/// Returns the table of the boards whose maximum is open, with earlier attempts and commands to run next.
#[must_use]
pub fn open(bounds: &Bounds, cubes: &[Cube], ledger: &Ledger, efforts: &[Effort]) -> (Data, Sheet) {
    let mut open = cases(bounds, cubes, ledger, efforts);
    open.retain(|case| !case.is_settled());
    let bound = |fact: &Fact| text(&format!("{}, {}", fact.value, fact.strength));
    let entries = open.iter().map(|case| {
        Line::Entries(vec![
            text(&case.cube.board()),
            bound(&case.lower),
            bound(&case.upper),
            text(&(case.upper.value - case.lower.value)),
            format_attempts(case).into(),
            Entry::code(command(case.raise.as_ref())),
            match &case.reduce {
                Ok(Suggestion { command, .. }) => Entry::code(command.clone()),
                Err(why) => text(why),
            },
        ])
    });
    let sheet = Sheet {
        title: "Open cases of queens on n^d".to_owned(),
        notes: format!(
            "A case closes when a placement of as many queens as the upper bound is found, or a proof that one queen more \
             than the lower bound does not fit, or when improved bounds meet. {STATUS}; \
             ndq info BOARD --why prints its derivation. A gap of 0 closes once the reported bound is proved. The \
             last columns have commands that may change a bound, or the reason why none is known."
        ),
        labels: 1,
        words: &[1, 2, 4, 5, 6],
        heads: heads(&["board", "lower bound", "upper bound", "gap", "tried", "to raise", "to reduce"]),
        rows: entries.collect(),
    };
    (Data::of(&open_columns().iter().collect::<Vec<_>>(), &open), sheet)
}

const BOARD: Column<Case> =
    Column::new("board", Unit::Text, "the board n^d", |case| case.cube.board().to_string());
const DIMENSION: Column<Case> =
    Column::new("d", Unit::Count, "the dimension", |case| case.cube.dimension.to_string());
const SIDE: Column<Case> = Column::new("n", Unit::Count, "the side", |case| case.cube.side.to_string());

fn command(suggestion: Option<&Suggestion>) -> String {
    suggestion.map_or_else(String::new, |suggestion| suggestion.command.clone())
}

/// Formats the earlier attempts on both bounds, e.g. `local search: 60 min of CPU, 14300 million moves`.
fn format_attempts(case: &Case) -> String {
    let describe = |effort: &Effort| {
        let Effort { method, minutes, clock, steps, .. } = effort;
        let of = match clock {
            Clock::Cpu => "of CPU",
            Clock::Wall => "of wall clock",
        };
        let what = match effort.side {
            Side::Lower => "moves",
            Side::Upper if *steps == 1 => "step",
            Side::Upper => "steps",
        };
        let steps =
            if *steps < 10_000_000 { steps.to_string() } else { format!("{} million", steps / 1_000_000) };
        format!("{method}: {minutes} min {of}, {steps} {what}")
    };
    let efforts = [&case.lower_effort, &case.upper_effort].into_iter().flatten().map(describe);
    efforts.collect::<Vec<_>>().join("; ")
}

pub(super) fn heads(names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|name| (String::new(), (*name).to_owned())).collect()
}

pub(super) fn text(value: &impl ToString) -> Entry {
    Entry::from(value.to_string())
}
