//! Integer programs without objective for colourings of a board with a given number of colours.
//!
//! There is one variable for every square and colour. The rows state that every square has exactly one
//! colour, and that at most one square of a line has a given colour: exactly one if the line has as many
//! squares as there are colours. The colours of the first longest line are fixed, which breaks the symmetry
//! of the colours.

use crate::board::{Board, Line, Square};
use crate::ilp::{Column, Comparison, Program, Row, Sense, Tag};
use ndqueens_notation::counted::counted;

/// The integer program of a board and a number of colours.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::colouring::ColouringProgram;
/// use ndqueens_model::ilp::Program as _;
///
/// let board = Board::new(&"5^2".parse()?);
/// let program = ColouringProgram::new(&board, 5);
/// assert_eq!(program.columns().len(), 25 * 5);
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug)]
pub struct ColouringProgram<'b> {
    board: &'b Board,
    colours: usize,
    columns: Vec<Column>,
    lines: Vec<Line>,
}

impl<'b> ColouringProgram<'b> {
    /// Creates the program. Its columns are the pairs of square and colour, in lexicographic order.
    #[must_use]
    pub fn new(board: &'b Board, colours: usize) -> Self {
        let lines: Vec<Line> = board.lines().collect();
        let longest = lines.iter().rev().max_by_key(|line| line.len()).cloned().unwrap_or_else(|| vec![0]);
        let fixed = |square: Square| longest.iter().position(|&other| other == square);
        let column = |square: Square, colour: usize| {
            let coordinates: Vec<String> = board.coordinates(square).iter().map(u32::to_string).collect();
            let (lower, upper) = match fixed(square) {
                Some(own) if own < colours => (i64::from(own == colour), i64::from(own == colour)),
                _ => (0, 1),
            };
            let name = format!("x_{}_c{colour}", coordinates.join("_"));
            Column { name, objective: 0, lower, upper }
        };
        let columns = board.squares().flat_map(|s| (0..colours).map(move |c| (s, c)));
        let columns = columns.map(|(square, colour)| column(square, colour)).collect();
        Self { board, colours, columns, lines }
    }

    /// Returns the colour of each square at a feasible point, or `None` if a square has no colour.
    #[must_use]
    pub fn colours(&self, point: &[i64]) -> Option<Vec<usize>> {
        point.chunks(self.colours.max(1)).map(|square| square.iter().position(|&x| x == 1)).collect()
    }
}

impl Program for ColouringProgram<'_> {
    fn name(&self) -> String {
        format!("{} in {}", self.board.name(), counted(self.colours, "colour")).replace(' ', "_")
    }

    fn sense(&self) -> Sense {
        Sense::Feasibility
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        let colours = self.colours as u32;
        let row = |family, number, columns, comparison| Row {
            tag: Tag { family, number },
            columns,
            coefficients: None,
            comparison,
            rhs: 1,
        };
        let squares = self.board.squares().map(move |square| {
            let columns = (square * colours..(square + 1) * colours).collect();
            row("square", u64::from(square), columns, Comparison::Equal)
        });
        let lines = self.lines.iter().zip(0u64..).flat_map(move |(line, number)| {
            let full = line.len() == colours as usize;
            let comparison = if full { Comparison::Equal } else { Comparison::AtMost };
            (0..colours).map(move |colour| {
                let mut columns: Vec<u32> = line.iter().map(|square| square * colours + colour).collect();
                columns.sort_unstable();
                row("line", number * u64::from(colours) + u64::from(colour), columns, comparison)
            })
        });
        Box::new(squares.chain(lines))
    }

    fn remarks(&self) -> Vec<String> {
        vec![format!("a colouring of {} in {}", self.board.name(), counted(self.colours, "colour"))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ilp::Ilp;

    #[test]
    fn points_are_feasible_if_they_are_colourings() {
        let board = Board::new(&"5^2".parse().expect("a board name"));
        let program = ColouringProgram::new(&board, 5);
        // 25 squares; 5 rows, 5 columns and 14 diagonals, each in 5 colours.
        let ilp = Ilp::of(&program);
        assert_eq!((program.columns().len(), ilp.row_count()), (125, 25 + 24 * 5));
        let longest =
            board.lines().collect::<Vec<_>>().into_iter().rev().max_by_key(Vec::len).expect("a line");
        // The linear solution of a square is its class; classes are numbered as on the line whose colours are
        // fixed.
        let class = |square: Square, step: u32| (square % 5 + step * (square / 5)) % 5;
        for (step, feasible) in [(3, true), (2, true), (1, false)] {
            let name = |c: u32| longest.iter().position(|&square| class(square, step) == c);
            let colour = |square| name(class(square, step)).unwrap_or(0);
            let colours: Vec<usize> = board.squares().map(colour).collect();
            let point: Vec<i64> =
                colours.iter().flat_map(|&own| (0..5).map(move |colour| i64::from(own == colour))).collect();
            assert_eq!(ilp.violation(&point).is_none(), feasible, "step {step}");
            assert_eq!(program.colours(&point), Some(colours));
        }
    }
}
