//! The file of a bound, which crosscheck reads. Its form is described there, in `bound`; nothing is shared with that code.

use std::io::{self, Write};

use ndqueens_model::orbit::{ClassWeights, OrbitRow, Shape};
use ndqueens_notation::name::BoardName;
use ndqueens_notation::proof::{BOUND, BOUND_WITH_CASES, BOUND_WITH_FACES};
use num_rational::BigRational;
use num_traits::Signed as _;

use super::{OrbitBound, Step, Term};

impl OrbitBound {
    /// The number of queens that it bounds a board by: its value, rounded down.
    #[must_use]
    pub fn at_most(&self) -> u64 {
        whole(&self.value)
    }

    /// Writes the bound for the box that it was made for, the sides of which stand in increasing order.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, board: &BoardName, out: &mut dyn Write) -> io::Result<()> {
        let header = match (self.rows().any(is_of_faces), self.cases.is_empty()) {
            (true, _) => BOUND_WITH_FACES,
            (false, false) => BOUND_WITH_CASES,
            (false, true) => BOUND,
        };
        write!(out, "{header}\nboard {board}\n")?;
        // What the cases have in their sums takes the place of the one sum.
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
        if header == BOUND_WITH_FACES && self.cases.is_empty() {
            writeln!(out, "case {}", self.at_most())?;
        }
        for step in &self.cases {
            match step {
                Step::Split { square, at_most } => writeln!(out, "split {} {at_most}", joined(square, ","))?,
                Step::Case { terms, value } => {
                    for (term, times) in terms {
                        match term {
                            Term::Row(row) => write_row(row, times, out)?,
                            Term::Most(square) => writeln!(out, "most {times} {}", joined(square, ","))?,
                            Term::Least(square) => writeln!(out, "least {times} {}", joined(square, ","))?,
                        }
                    }
                    writeln!(out, "case {}", whole(value))?;
                }
            }
        }
        write!(out, "at most {}\nend\n", self.at_most())
    }

    /// Returns the rows of the sum, or those of the sums of the cases, which take its place.
    fn rows(&self) -> impl Iterator<Item = &OrbitRow> {
        let sum = self.terms.iter().filter(|_| self.cases.is_empty()).map(|(row, _)| row);
        sum.chain(self.cases.iter().flat_map(Step::terms).filter_map(|(term, _)| term.row()))
    }
}

/// Returns `true` if a row is one of those for which format 3 was made.
fn is_of_faces(row: &OrbitRow) -> bool {
    matches!(row.shape, Shape::Faces { .. })
}

fn write_row(row: &OrbitRow, times: &BigRational, out: &mut dyn Write) -> io::Result<()> {
    match (&row.shape, &row.bound) {
        (Shape::Lattice { corner, sides, stride }, Some(_)) => {
            let (rhs, corner, sides) = (row.rhs, joined(corner, ","), joined(sides, "x"));
            writeln!(out, "box {times} {rhs} {corner} {sides} {stride}")
        }
        (Shape::Faces { corner, sides, stride, weights }, _) => {
            let place = format!("{} {} {stride}", joined(corner, ","), joined(sides, "x"));
            match weights {
                ClassWeights::Volume { least } => writeln!(out, "volume {times} {least} {place}"),
                ClassWeights::Of(weights) => {
                    let weights: Vec<String> = weights.iter().map(u64::to_string).collect();
                    writeln!(out, "class {times} {} {} {place}", row.rhs, weights.join(","))
                }
            }
        }
        (shape, _) => {
            let squares: Vec<String> = shape.squares().iter().map(|square| joined(square, ",")).collect();
            writeln!(out, "clique {times} {}", squares.join(" "))
        }
    }
}

/// The queens that a sum leaves room for.
fn whole(value: &BigRational) -> u64 {
    match value.is_negative() {
        true => 0,
        false => value.floor().to_integer().try_into().unwrap_or(u64::MAX),
    }
}

fn joined(numbers: &[u32], between: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}
