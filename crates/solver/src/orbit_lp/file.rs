//! Writer of bound files. The reader and the description of the format are in the module `bound` of
//! crosscheck; no code is shared, so that the check is independent.

use std::io::{self, Write};

use ndqueens_model::orbit::{ClassWeights, OrbitRow, Shape};
use ndqueens_notation::name::BoardName;
use ndqueens_notation::proof::{BOUND, BOUND_WITH_CASES, BOUND_WITH_FACES, BOUND_WITH_WEIGHTS};
use num_rational::BigRational;
use num_traits::Signed as _;

use super::{OrbitBound, Step, Term};

impl OrbitBound {
    /// Returns the upper bound on the number of queens: the value, rounded down.
    #[must_use]
    pub fn at_most(&self) -> u64 {
        round_down(&self.value)
    }

    /// Writes the bound as a file. `board` must be the box that it was computed for, with sides
    /// in increasing order.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written to.
    pub fn write(&self, board: &BoardName, out: &mut dyn Write) -> io::Result<()> {
        let has_shape = |is_shape: fn(&Shape) -> bool| self.rows().any(|row| is_shape(&row.shape));
        let header = if has_shape(|shape| matches!(shape, Shape::Weighted(_))) {
            BOUND_WITH_WEIGHTS
        } else if has_shape(|shape| matches!(shape, Shape::Faces { .. })) {
            BOUND_WITH_FACES
        } else if !self.cases.is_empty() {
            BOUND_WITH_CASES
        } else {
            BOUND
        };
        write!(out, "{header}\nboard {board}\n")?;
        // If there are cases, their sums replace the sum of the orbit LP.
        let sum: &[(OrbitRow, BigRational)] = if self.cases.is_empty() { &self.terms } else { &[] };
        let mut needs: Vec<String> = self
            .rows()
            .filter_map(|row| row.bound.as_ref())
            .map(|bound| format!("needs {} {}", bound.board.without_unit_sides(), bound.value))
            .collect();
        needs.sort_unstable();
        needs.dedup();
        needs.iter().try_for_each(|need| writeln!(out, "{need}"))?;
        sum.iter().try_for_each(|(row, times)| write_row(row, times, out))?;
        if header != BOUND && self.cases.is_empty() {
            writeln!(out, "case {}", self.at_most())?;
        }
        for step in &self.cases {
            match step {
                Step::Split { square, at_most } => writeln!(out, "split {} {at_most}", join(square, ","))?,
                Step::Case { terms, value } => {
                    for (term, times) in terms {
                        match term {
                            Term::Row(row) => write_row(row, times, out)?,
                            Term::AtMost(square) => writeln!(out, "most {times} {}", join(square, ","))?,
                            Term::AtLeast(square) => writeln!(out, "least {times} {}", join(square, ","))?,
                        }
                    }
                    writeln!(out, "case {}", round_down(value))?;
                }
            }
        }
        write!(out, "at most {}\nend\n", self.at_most())
    }

    /// Returns the rows of the sums of the cases, or those of the sum of the orbit LP if there are no cases.
    fn rows(&self) -> impl Iterator<Item = &OrbitRow> {
        let sum = self.terms.iter().filter(|_| self.cases.is_empty()).map(|(row, _)| row);
        sum.chain(self.cases.iter().flat_map(Step::terms).filter_map(|(term, _)| term.row()))
    }
}

fn write_row(row: &OrbitRow, times: &BigRational, out: &mut dyn Write) -> io::Result<()> {
    match (&row.shape, &row.bound) {
        (Shape::Lattice { corner, sides, stride }, Some(_)) => {
            let (rhs, corner, sides) = (row.rhs, join(corner, ","), join(sides, "x"));
            writeln!(out, "box {times} {rhs} {corner} {sides} {stride}")
        }
        (Shape::Faces { corner, sides, stride, weights }, _) => {
            let place = format!("{} {} {stride}", join(corner, ","), join(sides, "x"));
            match weights {
                ClassWeights::Volume { least } => writeln!(out, "volume {times} {least} {place}"),
                ClassWeights::Of(weights) => {
                    let weights: Vec<String> = weights.iter().map(u64::to_string).collect();
                    writeln!(out, "class {times} {} {} {place}", row.rhs, weights.join(","))
                }
            }
        }
        (Shape::Weighted(terms), _) => {
            let weighted = |(square, weight): &(Vec<u32>, u64)| format!("{}:{weight}", join(square, ","));
            let terms: Vec<String> = terms.iter().map(weighted).collect();
            writeln!(out, "weighted {times} {} {}", row.rhs, terms.join(" "))
        }
        (shape, _) => {
            let squares: Vec<String> = shape.squares().iter().map(|square| join(square, ",")).collect();
            writeln!(out, "clique {times} {}", squares.join(" "))
        }
    }
}

/// Rounds a bound down to a number of queens; 0 if it is negative.
fn round_down(value: &BigRational) -> u64 {
    match value.is_negative() {
        true => 0,
        false => value.floor().to_integer().try_into().unwrap_or(u64::MAX),
    }
}

fn join(numbers: &[u32], separator: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator)
}
