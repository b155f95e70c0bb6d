//! Boards drawn as text: boxes of any dimension as rows of planar layers, with a sign for each square and spaces elsewhere.

use ndqueens_model::board::{Board, Layout, Square};

/// Draws a board, one sign for each square. The last two axes are drawn as a matrix (first of them downwards), the axis
/// before them as matrices side by side as far as `width` characters allow, and further axes one below the other.
/// `None` for a board that has no layout, and for one of more than `MOST_SQUARES` squares or one that is mostly holes.
#[must_use]
pub fn layers(board: &Board, width: usize, sign: impl Fn(Square) -> char) -> Option<String> {
    if board.size() > MOST_SQUARES {
        return None;
    }
    let Layout { sides, places } = board.layout()?;
    let all = sides.iter().map(|&n| n as usize).product();
    if all > MOST_PLACES {
        return None;
    }
    let shape = Shape::of(&sides);
    let mut signs = vec![' '; all];
    for (square, place) in board.squares().zip(places) {
        signs[place.iter().zip(&sides).fold(0, |at, (&x, &n)| at * n as usize + x as usize)] = sign(square);
    }
    let matrix_width = shape.columns.max(shape.title_width());
    let abreast = (width.saturating_sub(matrix_width) / (matrix_width + GAP) + 1).min(shape.matrices_in_row);
    let mut out = String::new();
    let matrices: Vec<usize> = (0..shape.matrices).collect();
    for block in matrices.chunks(shape.matrices_in_row).flat_map(|row| row.chunks(abreast)) {
        if shape.matrices > 1 {
            let titles = block.iter().map(|&m| format!("{:matrix_width$}", shape.title(&sides, m)));
            push_line(&mut out, titles);
        }
        for row in 0..shape.rows {
            let line = block.iter().map(|&m| {
                let first = (m * shape.rows + row) * shape.columns;
                let signs: String = signs[first..first + shape.columns].iter().collect();
                format!("{signs:matrix_width$}")
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

/// As many as a box of [`MOST_SQUARES`] squares has places, twice over: half of it may be holes.
const MOST_PLACES: usize = 4 * MOST_SQUARES;

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
    fn of(sides: &[u32]) -> Self {
        let from_end = |k: usize| sides.iter().rev().nth(k).map_or(1, |&n| n as usize);
        let others = sides[..sides.len().saturating_sub(2)].iter();
        Self {
            dimension: sides.len(),
            columns: from_end(0),
            rows: from_end(1),
            matrices_in_row: from_end(2),
            matrices: others.map(|&n| n as usize).product(),
        }
    }

    /// The coordinates that a matrix fixes: `(1,2,*,*)`.
    fn title(&self, sides: &[u32], matrix: usize) -> String {
        let mut rest = matrix;
        let mut coordinates = vec!["*".to_owned(); 2];
        for &side in sides[..self.dimension - 2].iter().rev() {
            coordinates.insert(0, (rest % side as usize).to_string());
            rest /= side as usize;
        }
        format!("({})", coordinates.join(","))
    }

    fn title_width(&self) -> usize {
        if self.matrices > 1 { 2 * self.dimension + 2 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_model::name::BoardName;

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

    #[test]
    fn holes_are_spaces_and_graphs_are_not_drawn() {
        let board = |text: &str| {
            let name = BoardName::read("file:a", &|_| Ok(text.to_owned()));
            Board::new(&name.expect("a board"))
        };
        let digit = |s| char::from_digit(s, 10).expect("a digit");
        let drawn = layers(&board("ndqueens board 1\n##.#\n.##.\n"), 80, digit);
        assert_eq!(drawn.as_deref(), Some("0 1   2\n  3 4"));
        let drawn = layers(&board("ndqueens board 1\nsides: 2^3\n#.\n.#\n..\n.#"), 80, digit);
        assert_eq!(drawn.as_deref(), Some("(0,*,*)    (1,*,*)\n0\n  1          2"));
        assert_eq!(layers(&board("0 1"), 80, digit), None);
    }
}
