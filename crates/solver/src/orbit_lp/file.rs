//! The file of a bound, which crosscheck reads. Its form is described there, in `bound`; nothing is shared with that code.

use std::io::{self, Write};

use ndqueens_model::name::BoardName;
use ndqueens_model::orbit::Shape;

use super::OrbitBound;

impl OrbitBound {
    /// The number of queens that it bounds a board by: its value, rounded down.
    #[must_use]
    pub fn at_most(&self) -> u64 {
        self.value.floor().to_integer().try_into().unwrap_or(u64::MAX)
    }

    /// Writes the bound for the box that it was made for, the sides of which stand in increasing order.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, board: &BoardName, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "ndqueens bound 1\nboard {board}\n")?;
        let mut needs: Vec<String> = self
            .terms
            .iter()
            .filter_map(|(row, _)| row.bound.as_ref())
            .map(|bound| format!("needs {} {}", bound.board.reduced(), bound.value))
            .collect();
        needs.sort_unstable();
        needs.dedup();
        needs.iter().try_for_each(|need| writeln!(out, "{need}"))?;
        for (row, times) in &self.terms {
            match (&row.shape, &row.bound) {
                (Shape::Lattice { corner, sides, stride }, Some(_)) => {
                    let (rhs, corner, sides) = (row.rhs, joined(corner, ","), joined(sides, "x"));
                    writeln!(out, "box {times} {rhs} {corner} {sides} {stride}")?;
                }
                (shape, _) => {
                    let squares: Vec<String> =
                        shape.squares().iter().map(|square| joined(square, ",")).collect();
                    writeln!(out, "clique {times} {}", squares.join(" "))?;
                }
            }
        }
        write!(out, "at most {}\nend\n", self.at_most())
    }
}

fn joined(numbers: &[u32], between: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}
