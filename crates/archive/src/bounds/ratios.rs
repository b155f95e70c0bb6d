//! Table of bounds divided by the trivial bound n^(d-1).

use ndqueens_model::facts::Side;
use ndqueens_report::column::{Column, Data, Field, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet, Style};

use super::cube::Cube;
use super::facts::{Bounds, Strength};
use super::table::STATUS;

/// Bounds of a board, to be divided by n^(d-1).
struct CubeRatios {
    cube: Cube,
    lower: u128,
    upper: u128,
    /// Strengths of the two bounds.
    strengths: [Strength; 2],
}

/// Direction of rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RatioRounding {
    Down,
    Up,
    Nearest,
}

/// Number of digits after the decimal point in data.
const DIGITS: usize = 6;
/// Number of digits after the decimal point in tables for readers.
const FEW_DIGITS: usize = 4;

const ROUNDING: &str =
    "rounded down for a lower bound, up for an upper bound, to the nearest where the bounds meet";

impl CubeRatios {
    fn of(bounds: &Bounds, cube: Cube) -> Self {
        let [lower, upper] = [Side::Lower, Side::Upper].map(|side| bounds.of(cube, side));
        let strengths = [lower.strength, upper.strength];
        Self { cube, lower: lower.value, upper: upper.value, strengths }
    }

    fn is_settled(&self) -> bool {
        self.lower == self.upper
    }

    fn lower(&self, digits: usize) -> String {
        let rounding = if self.is_settled() { RatioRounding::Nearest } else { RatioRounding::Down };
        decimal(self.lower, self.cube.lines(), digits, rounding)
    }

    fn upper(&self, digits: usize) -> String {
        let rounding = if self.is_settled() { RatioRounding::Nearest } else { RatioRounding::Up };
        decimal(self.upper, self.cube.lines(), digits, rounding)
    }

    /// Describes the value, as the maximum or as bounds on it, with its status.
    fn status(&self) -> String {
        let [lower, upper] = self.strengths;
        match self.is_settled() {
            true => format!("maximum, {}", lower.max(upper)),
            false => format!("lower bound {lower}, upper bound {upper}"),
        }
    }

    fn entry(&self) -> Entry {
        match self.is_settled() {
            true => Entry { text: self.lower(FEW_DIGITS), style: Style::Bold },
            false => Entry::from(format!("{}-{}", self.lower(FEW_DIGITS), self.upper(FEW_DIGITS))),
        }
    }
}

/// Returns `part / whole` in decimal notation with `digits` digits after the point.
fn decimal(part: u128, whole: u128, digits: usize, rounding: RatioRounding) -> String {
    let (mut number, mut rest) = (part / whole, part % whole);
    for _ in 0..digits {
        rest *= 10;
        number = number * 10 + rest / whole;
        rest %= whole;
    }
    let rises = match rounding {
        RatioRounding::Down => false,
        RatioRounding::Up => rest > 0,
        RatioRounding::Nearest => 2 * rest >= whole,
    };
    let text = format!("{:0width$}", number + u128::from(rises), width = digits + 1);
    let (integer, fraction) = text.split_at(text.len() - digits);
    format!("{integer}.{fraction}")
}

fn columns() -> [Column<CubeRatios>; 10] {
    [
        Column::new("board", Unit::Text, "the board n^d", |row| row.cube.board().to_string()),
        Column::new("d", Unit::Count, "the dimension", |row| row.cube.dimension.to_string()),
        Column::new("n", Unit::Count, "the side", |row| row.cube.side.to_string()),
        Column::new("lines", Unit::Count, "n^(d-1), the trivial bound", |row| row.cube.lines().to_string()),
        Column::new("lower", Unit::Queens, "lower bound on the maximum", |row| row.lower.to_string()),
        Column::new("upper", Unit::Queens, "upper bound on the maximum", |row| row.upper.to_string()),
        Column::new(
            "lower_ratio",
            Unit::Ratio,
            "lower bound on R(n), the maximum divided by n^(d-1); rounded down, or to the nearest where the bounds meet",
            |row| row.lower(DIGITS),
        ),
        Column::new(
            "upper_ratio",
            Unit::Ratio,
            "upper bound on R(n); rounded up, or to the nearest where the bounds meet",
            |row| row.upper(DIGITS),
        ),
        Column::new("lower_status", Unit::Text, STATUS, |row| row.strengths[0].to_string()),
        Column::new("upper_status", Unit::Text, STATUS, |row| row.strengths[1].to_string()),
    ]
}

/// Returns the columns of the data of [`ratios`].
#[must_use]
pub fn ratios_fields() -> Vec<Field> {
    columns().map(|column| column.field).to_vec()
}

/// Returns the table of the ratios R(n) of these boards: the maximum divided by n^(d-1), or bounds on it.
///
/// # References
/// T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, section 3.1, after McCarthy (1978).
#[must_use]
pub fn ratios(bounds: &Bounds, cubes: &[Cube]) -> (Data, Sheet) {
    let rows: Vec<CubeRatios> = cubes.iter().map(|&cube| CubeRatios::of(bounds, cube)).collect();
    let line = |row: &CubeRatios| {
        let cells = [row.cube.board().to_string(), row.cube.lines().to_string()];
        let bounds = match row.is_settled() {
            true => row.lower.to_string(),
            false => format!("{}-{}", row.lower, row.upper),
        };
        let cells = cells.into_iter().chain([bounds]).map(Entry::from);
        Line::Entries(cells.chain([row.entry(), Entry::from(row.status())]).collect())
    };
    let sheet = Sheet {
        title: "Queens on n^d as a part of n^(d-1)".to_owned(),
        notes: format!("R(n) is the maximum divided by n^(d-1); {ROUNDING}. {STATUS}."),
        labels: 1,
        words: &[4],
        heads: ["board", "n^(d-1)", "queens", "R(n)", "status"]
            .map(|name| (String::new(), name.to_owned()))
            .to_vec(),
        rows: rows.iter().map(line).collect(),
    };
    (Data::of(&columns().iter().collect::<Vec<_>>(), &rows), sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_in_the_given_direction() {
        for (part, whole, rounding, text) in [
            (91, 100, RatioRounding::Nearest, "0.9100"),
            (4, 9, RatioRounding::Nearest, "0.4444"),
            (2, 3, RatioRounding::Nearest, "0.6667"),
            (2, 3, RatioRounding::Down, "0.6666"),
            (1, 3, RatioRounding::Up, "0.3334"),
            (9, 9, RatioRounding::Up, "1.0000"),
            (99_999, 100_000, RatioRounding::Up, "1.0000"),
            (1, u128::MAX / 20, RatioRounding::Up, "0.0001"),
        ] {
            assert_eq!(decimal(part, whole, 4, rounding), text, "{part}/{whole} {rounding:?}");
        }
    }
}
