use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, Property, ValidityError};
use crate::board::{Board, Extent, Grid};
use crate::facts::UpperBounds;
use crate::variant::Variant;

/// Collinearity inequalities: at most two squares on each straight line with three or more squares, for all
/// slopes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Collinear {}

impl Family for Collinear {
    fn name(&self) -> &'static str {
        "collinear"
    }

    fn summary(&self) -> &'static str {
        "at most two on every straight line of three squares or more, of whatever slope"
    }

    fn citation(&self) -> &'static str {
        "Dudeney 1917, puzzle 317"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        if problem != Problem::NoThreeInLine {
            return Err(ValidityError::ThreeInLine(problem));
        }
        match board.grid().map(Grid::is_torus) {
            None => Err(ValidityError::NoStraightLines),
            Some(true) => Err(ValidityError::Torus),
            Some(false) => Ok(()),
        }
    }

    fn ensures(&self) -> Option<Property> {
        Some(Property::NoThreeInLine)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let grid = board.grid().expect("valid on boxes only");
        let of_direction = |direction: Vec<i32>| {
            // Returns the number of squares from which `steps` steps lead to a square.
            let starts = |steps: u32| -> u128 {
                let along = |(&side, step): (&u32, &i32)| {
                    u128::from(side).saturating_sub(u128::from(steps) * u128::from(step.unsigned_abs()))
                };
                grid.sides().iter().zip(&direction).map(along).product()
            };
            let (three, four) = (starts(2), starts(3));
            Extent { rows: three - four, nonzeros: 3 * three - 2 * four }
        };
        directions(grid).map(of_direction).fold(Extent::default(), |sum, extent| sum + extent)
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on boxes only");
        Box::new(directions(grid).flat_map(move |direction| {
            board.squares().filter_map(move |square| {
                let from = board.coordinates(square);
                if grid.step(&from, &direction, -1).is_some() || grid.step(&from, &direction, 2).is_none() {
                    return None;
                }
                let on_line = (0..).map_while(|steps| grid.step(&from, &direction, steps));
                Some(Inequality { rhs: 2, ..Inequality::clique(on_line.collect()) })
            })
        }))
    }
}

/// Returns the directions of the straight lines with at least three squares in lexicographic order, one of
/// each two opposite ones.
///
/// These are the vectors without a common divisor whose first nonzero entry is positive.
fn directions(grid: &Grid) -> impl Iterator<Item = Vec<i32>> + use<> {
    let most: Vec<i32> = grid.sides().iter().map(|&side| ((side - 1) / 2) as i32).collect();
    let extents = most.iter().map(|&most| 2 * most as u32 + 1).collect();
    super::positions(extents)
        .map(move |place| place.iter().zip(&most).map(|(&x, &most)| x as i32 - most).collect::<Vec<i32>>())
        .filter(|direction| {
            let first = direction.iter().find(|&&step| step != 0);
            let divisor = direction.iter().fold(0, |divisor, step| gcd(divisor, step.unsigned_abs()));
            first.is_some_and(|&step| step > 0) && divisor == 1
        })
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Bounds;

    #[test]
    fn generates_all_lines_of_three_squares() {
        // 3^2: 3 rows, 3 columns and 2 diagonals; 3x5 also has the 2 lines of slope 1/2.
        for (name, rows) in [("3^2", 8), ("2^2", 0), ("3x1", 1), ("3x5", 3 + 5 + 6 + 2), ("3^3", 49)] {
            let board = Board::new(&name.parse().expect("a board name"));
            let bounds = Bounds::default();
            let family = Collinear::default();
            assert_eq!(family.rows(&board, &bounds).count(), rows, "{name}");
            assert_eq!(family.extent(&board, &bounds).rows, rows as u128, "{name}");
        }
    }
}
