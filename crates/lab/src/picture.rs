//! Boards drawn as text: a box of any dimension as rows of planar layers.

use ndqueens_model::board::{Board, Grid, Square};

/// Draws a box, one sign for each square. The last two axes are drawn as a matrix (first of them downwards), the axis
/// before them as matrices side by side as far as `width` characters allow, and further axes one below the other.
/// `None` for a board that is not a box, or one of more than `MOST_SQUARES` squares.
#[must_use]
pub fn layers(board: &Board, width: usize, sign: impl Fn(Square) -> char) -> Option<String> {
    let grid = board.grid().filter(|_| board.size() <= MOST_SQUARES)?;
    let shape = Shape::of(grid);
    let matrix_width = (2 * shape.columns - 1).max(shape.title_width());
    let abreast = (width.saturating_sub(matrix_width) / (matrix_width + GAP) + 1).min(shape.matrices_in_row);
    let mut out = String::new();
    let matrices: Vec<usize> = (0..shape.matrices).collect();
    for block in matrices.chunks(shape.matrices_in_row).flat_map(|row| row.chunks(abreast)) {
        if shape.matrices > 1 {
            let titles = block.iter().map(|&m| format!("{:matrix_width$}", shape.title(board, m)));
            push_line(&mut out, titles);
        }
        for row in 0..shape.rows {
            let line = block.iter().map(|&m| {
                let first = (m * shape.rows + row) * shape.columns;
                let signs = (first..first + shape.columns).map(|s| sign(s as Square).to_string());
                format!("{:matrix_width$}", signs.collect::<Vec<_>>().join(" "))
            });
            push_line(&mut out, line);
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    Some(out)
}

/// Larger boards are not drawn in a terminal.
pub const MOST_SQUARES: usize = 4096;

const GAP: usize = 3;

fn push_line(out: &mut String, parts: impl Iterator<Item = String>) {
    let line = parts.collect::<Vec<_>>().join(&" ".repeat(GAP));
    out.push_str(line.trim_end());
    out.push('\n');
}

struct Shape {
    dimension: usize,
    columns: usize,
    rows: usize,
    matrices_in_row: usize,
    matrices: usize,
}

impl Shape {
    fn of(grid: &Grid) -> Self {
        let from_end = |k: usize| grid.sides().iter().rev().nth(k).map_or(1, |&n| n as usize);
        let (columns, rows) = (from_end(0), from_end(1));
        let all: usize = grid.sides().iter().map(|&n| n as usize).product();
        Self {
            dimension: grid.dimension(),
            columns,
            rows,
            matrices_in_row: from_end(2),
            matrices: all / (rows * columns),
        }
    }

    /// The coordinates that a matrix fixes: `(1,2,*,*)`.
    fn title(&self, board: &Board, matrix: usize) -> String {
        let mut coordinates: Vec<String> = board
            .coordinates((matrix * self.rows * self.columns) as Square)
            .iter()
            .map(u32::to_string)
            .collect();
        coordinates[self.dimension - 2..].fill("*".to_owned());
        format!("({})", coordinates.join(","))
    }

    fn title_width(&self) -> usize {
        if self.matrices > 1 { 2 * self.dimension + 2 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(name: &str, width: usize) -> String {
        let board = Board::new(&name.parse().expect("a board name"));
        layers(&board, width, |s| char::from_digit(s % 10, 10).expect("a digit")).expect("small enough")
    }

    #[test]
    fn boxes_are_drawn_layer_by_layer() {
        assert_eq!(draw("3^1", 80), "0 1 2");
        assert_eq!(draw("2x3", 80), "0 1 2\n3 4 5");
        assert_eq!(draw("2^3", 80), "(0,*,*)    (1,*,*)\n0 1        4 5\n2 3        6 7");
        assert_eq!(draw("2^3", 10), "(0,*,*)\n0 1\n2 3\n\n(1,*,*)\n4 5\n6 7");
        assert_eq!(draw("2x1x1x2", 80), "(0,0,*,*)\n0 1\n\n(1,0,*,*)\n2 3");
    }
}
