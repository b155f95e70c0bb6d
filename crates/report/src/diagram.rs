//! Boards drawn as text. Boxes of any dimension are rows of planar layers, with a character for each square
//! and spaces elsewhere. A Sudoku is a grid of numbers.

use ndqueens_model::board::{Board, Form, Layout, Square, text_places};

/// Draws a board with one character per square. The last two axes form a matrix, with the former downwards.
/// Matrices along the axis before them stand side by side as far as `width` characters allow, and those along
/// further axes one below the other. Returns `None` for a board without a layout, with more than
/// [`MOST_SQUARES`] squares, or with mostly holes.
#[must_use]
pub fn layers(board: &Board, width: usize, sign: impl Fn(Square) -> char) -> Option<String> {
    table(board, width, |square| sign(square).to_string())
}

/// Draws a board as [`layers`] does, with a right-aligned word for each square.
#[must_use]
pub fn table(board: &Board, width: usize, word: impl Fn(Square) -> String) -> Option<String> {
    if board.size() > MOST_SQUARES {
        return None;
    }
    let Layout { sides, places, .. } = board.layout()?;
    let all = sides.iter().map(|&n| n as usize).product();
    if all > MOST_PLACES {
        return None;
    }
    let shape = Shape::of(&sides);
    let mut words = vec![String::new(); all];
    for (square, place) in board.squares().zip(places) {
        words[place.iter().zip(&sides).fold(0, |at, (&x, &n)| at * n as usize + x as usize)] = word(square);
    }
    // Places along the last axis are half a square apart.
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or_default();
    let half = longest / 2 + 1;
    let line = |row: &[String]| {
        let mut signs = vec![' '; (shape.columns - 1) * half + longest];
        for (column, word) in row.iter().enumerate() {
            let length = word.chars().count();
            let first = column * half + longest - length;
            signs[first..first + length].iter_mut().zip(word.chars()).for_each(|(place, sign)| *place = sign);
        }
        signs.into_iter().collect::<String>()
    };
    let matrix_width = ((shape.columns - 1) * half + longest).max(shape.title_width());
    let abreast = (width.saturating_sub(matrix_width) / (matrix_width + GAP) + 1).min(shape.matrices_in_row);
    let mut out = String::new();
    let matrices: Vec<usize> = (0..shape.matrices).collect();
    for block in matrices.chunks(shape.matrices_in_row).flat_map(|row| row.chunks(abreast)) {
        if shape.matrices > 1 {
            let titles = block.iter().map(|&m| format!("{:matrix_width$}", shape.title(&sides, m)));
            push_line(&mut out, titles);
        }
        for row in 0..shape.rows {
            let lines = block.iter().map(|&m| {
                let first = (m * shape.rows + row) * shape.columns;
                format!("{:matrix_width$}", line(&words[first..first + shape.columns]))
            });
            push_line(&mut out, lines);
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    Some(out)
}

/// Draws a placement: the letter of the piece on each occupied square and a dot on the others, or on a Sudoku
/// the grid of numbers. Returns `None` in the cases of [`layers`].
#[must_use]
pub fn placement(board: &Board, width: usize, occupied: impl Fn(Square) -> bool) -> Option<String> {
    if board.size() > MOST_SQUARES {
        return None;
    }
    match board.layout()? {
        Layout { form: Form::Numbers { order }, places, .. } => {
            let side = (order * order) as usize;
            let mut grid = vec![vec![None; side]; side];
            for (square, place) in board.squares().zip(places) {
                if occupied(square) {
                    grid[place[0] as usize][place[1] as usize] = Some(place[2] / 2);
                }
            }
            Some(numbers(order as usize, &grid))
        }
        _ => layers(board, width, |square| if occupied(square) { board.letter() } else { '.' }),
    }
}

/// Draws a grid of numbers, with lines between its boxes. Numbers start at 0 in `grid` and at 1 in the text.
#[must_use]
pub fn numbers(order: usize, grid: &[Vec<Option<u32>>]) -> String {
    let width = grid.len().to_string().len();
    let cell = |number: &Option<u32>| {
        format!("{:>width$}", number.map_or_else(|| ".".to_owned(), |number| (number + 1).to_string()))
    };
    let row = |row: &Vec<Option<u32>>| {
        let boxes = row.chunks(order).map(|cells| cells.iter().map(cell).collect::<Vec<_>>().join(" "));
        boxes.collect::<Vec<_>>().join(" | ")
    };
    let rule = vec!["-".repeat(order * (width + 1) - 1); order].join("-+-");
    let bands = grid.chunks(order).map(|rows| rows.iter().map(row).collect::<Vec<_>>().join("\n"));
    bands.collect::<Vec<_>>().join(&format!("\n{rule}\n"))
}

/// Draws squares near their places in the plane, with x to the right and y downwards, in the smallest scale
/// that leaves spaces between the characters. Returns `None` if the result is too wide.
#[must_use]
pub fn plane(middles: &[[f64; 2]], sign: impl Fn(Square) -> char) -> Option<String> {
    const WIDEST: usize = 250;
    let taken = text_places(middles)?;
    let rows = 1 + taken.keys().map(|at| at.0).max()?;
    let columns = 1 + taken.keys().map(|at| at.1).max()?;
    if columns > WIDEST {
        return None;
    }
    let row = |row| {
        let line: String =
            (0..columns).map(|column| taken.get(&(row, column)).map_or(' ', |&s| sign(s))).collect();
        line.trim_end().to_owned()
    };
    Some((0..rows).map(row).collect::<Vec<_>>().join("\n"))
}

/// Largest board that is drawn as text, in squares.
pub const MOST_SQUARES: usize = 4096;

/// Largest number of places of a drawn board. This is twice the number of places of a box with
/// [`MOST_SQUARES`] squares, so half of the places may be holes.
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

    /// Returns the coordinates that are fixed in a matrix, e.g. `(1,2,*,*)`.
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
    use ndqueens_notation::name::BoardName;

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
    fn words_are_aligned_to_the_right() {
        let board = Board::new(&"2x3".parse().expect("a board name"));
        let drawn = |words: &'static [&str]| table(&board, 80, |s| words[s as usize].to_owned());
        assert_eq!(drawn(&["1", "22", "333", "0", "0", "0"]).as_deref(), Some("  1  22 333\n  0   0   0"));
        assert_eq!(drawn(&["1", "22", "3", "0", "0", "0"]).as_deref(), Some(" 1  22   3\n 0   0   0"));
    }

    #[test]
    fn a_sudoku_is_its_grid() {
        let board = Board::new(&"sudoku:2".parse().expect("a board name"));
        let cells = [[0, 0, 3], [1, 2, 0], [3, 3, 1]].map(|cell| board.square(&cell).expect("a square"));
        let drawn = placement(&board, 80, |square| cells.contains(&square));
        assert_eq!(drawn.as_deref(), Some("4 . | . .\n. . | 1 .\n----+----\n. . | . .\n. . | . 2"));
        let wide = numbers(1, &[vec![Some(0)]]);
        assert_eq!(wide, "1");
    }

    #[test]
    fn squares_of_the_plane_keep_apart() {
        let middles = [[0.5, 0.0], [0.0, 1.0], [0.5, 1.0], [3.0, 1.1]];
        let drawn = plane(&middles, |square| char::from_digit(square, 10).expect("a digit"));
        assert_eq!(drawn.as_deref(), Some("  0\n\n1 2      3"));
        assert_eq!(plane(&[[0.0, 0.0], [0.0, 0.0]], |_| 'x'), None);
    }

    #[test]
    fn holes_are_spaces_and_graphs_are_not_drawn() {
        let board = |text: &str| {
            let name = BoardName::parse_with("file:a", &|_| Ok(text.to_owned()));
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
