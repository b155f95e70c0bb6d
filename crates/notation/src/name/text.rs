//! Parser of board files; [`super::file`] describes the format.

use super::graph_file::{self, LabelledGraph};
use super::lines::{Fault, HEADER, Numbered, fault};
use super::reading::Reading;
use super::{BoardName, MAX_SQUARES, NameError, Piece};
use crate::counted::counted;

/// Content of a board file.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::BoardContent;
/// use ndqueens_notation::name::file::{BoardFile, Reading};
///
/// let (reading, path) = Reading::split("file:path.col").expect("the name of a file");
/// let file = BoardFile::new(path, "p edge 3 2\ne 1 2\ne 2 3\n".to_owned(), reading)?;
/// let BoardContent::Graph(graph) = file.content() else { panic!("a graph") };
/// assert_eq!((graph.labels, graph.edges), (vec![1, 2, 3], vec![(0, 1), (1, 2)]));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardContent {
    /// A set of squares of a box.
    Drawing {
        /// The piece.
        piece: Piece,
        /// The sides of the box.
        sides: Vec<u32>,
        /// The numbers of the squares in the box, in increasing order.
        squares: Vec<u32>,
        /// `true` if holes block attacks.
        blocked: bool,
    },
    /// A graph.
    Graph(LabelledGraph),
}

/// Parses the text of a board file.
pub(super) fn parse_content(text: &str, reading: Reading) -> Result<BoardContent, Fault> {
    if text.len() as u64 > MAX_SQUARES {
        return fault(1, 1, format!("the file is larger than {MAX_SQUARES} bytes"));
    }
    let mut lines = (1..).zip(text.lines());
    let Some((number, line)) = lines.by_ref().find(|(_, line)| !line.trim().is_empty()) else {
        return graph_file::parse_graph(text, reading).map(BoardContent::Graph);
    };
    if line.trim() == HEADER {
        if reading != Reading::default() {
            let message =
                format!("the file is a drawing; its name is file:PATH, without {}", reading.prefix());
            return fault(number, 1, message);
        }
        return parse_drawing(lines, number);
    }
    if let Some(version) = line.trim().strip_prefix("ndqueens board") {
        let version = version.trim();
        return fault(
            number,
            1,
            format!("version \"{version}\" of board files is unknown; this reads \"{HEADER}\""),
        );
    }
    graph_file::parse_graph(text, reading).map(BoardContent::Graph)
}

/// Headers of a drawing; `None` if absent.
#[derive(Default)]
struct Headers {
    piece: Option<Piece>,
    sides: Option<Vec<u32>>,
    /// `true` if holes block attacks.
    blocked: Option<bool>,
}

impl Headers {
    /// Parses a header line, split at its first colon into `key` and `rest`.
    fn parse_line(&mut self, number: usize, line: &str, (key, rest): (&str, &str)) -> Result<(), Fault> {
        let value = rest.trim_start();
        let column = line.chars().count() - value.chars().count() + 1;
        let is_repeated = match key {
            "piece" => self
                .piece
                .replace(parse_piece(value).or_else(|error| fault(number, column, error.to_string()))?)
                .is_some(),
            "sides" => {
                let sides = parse_sides(value)
                    .or_else(|(at, error)| fault(number, column + at, error.to_string()))?;
                self.sides.replace(sides).is_some()
            }
            "vision" => self
                .blocked
                .replace(parse_vision(value).or_else(|error| fault(number, column, error.to_string()))?)
                .is_some(),
            "note" => false,
            _ => {
                let message =
                    format!("unknown header \"{key}:\"; expected one of piece, sides, vision and note");
                return fault(number, 1, message);
            }
        };
        if is_repeated { fault(number, 1, format!("\"{key}:\" is given twice")) } else { Ok(()) }
    }
}

/// Error in the value of a header.
#[derive(Debug, thiserror::Error)]
enum HeaderError {
    /// Unknown piece.
    #[error("a piece is queen, rook or bishop, not \"{0}\"")]
    Piece(String),
    /// Unknown rule for holes.
    #[error("vision is through or blocked, not \"{0}\"")]
    Vision(String),
    /// Malformed side lengths, with a description of the error.
    #[error("{0}")]
    Sides(String),
    /// Name of another board in place of side lengths.
    #[error("side lengths are expected, such as 3x4x5 or 3^3")]
    NoSides,
}

/// Parses the value of `piece:`.
fn parse_piece(value: &str) -> Result<Piece, HeaderError> {
    let known = Piece::ALL.into_iter().find(|piece| piece.word() == value);
    known.ok_or_else(|| HeaderError::Piece(value.to_owned()))
}

/// Parses the value of `vision:`. Returns `true` if holes block attacks.
fn parse_vision(value: &str) -> Result<bool, HeaderError> {
    match value {
        "through" => Ok(false),
        "blocked" => Ok(true),
        _ => Err(HeaderError::Vision(value.to_owned())),
    }
}

/// Parses the headers and rows of a drawing, which follow line `last`.
fn parse_drawing<'t>(
    lines: impl Iterator<Item = Numbered<'t>>,
    mut last: usize,
) -> Result<BoardContent, Fault> {
    let mut headers = Headers::default();
    let mut rows: Vec<Numbered<'t>> = Vec::new();
    let mut gap = None;
    for (number, line) in lines {
        last = number;
        let line = line.trim_end();
        if line.is_empty() {
            gap = gap.or((!rows.is_empty()).then_some(number));
        } else if let (Some(header), true) = (line.split_once(':'), rows.is_empty()) {
            headers.parse_line(number, line, header)?;
        } else if let Some(column) = line.chars().position(|c| c != '#' && c != '.') {
            return fault(number, column + 1, "a row consists of # (a square) and . (a hole)");
        } else if let (Some(gap), None) = (gap, &headers.sides) {
            let message = "a blank line between rows; more than two dimensions need side lengths, such as \"sides: 3x3x3\"";
            return fault(gap, 1, message);
        } else {
            rows.push((number, line));
        }
    }
    build_drawing(headers, &rows, last)
}

/// Builds a drawing from its headers and rows. `last` is the number of the last line of the text.
fn build_drawing(headers: Headers, rows: &[Numbered<'_>], last: usize) -> Result<BoardContent, Fault> {
    let Headers { piece, sides, blocked } = headers;
    let Some(&(first, row)) = rows.first() else { return fault(last + 1, 1, "the board has no rows") };
    let side = |length: usize| u32::try_from(length).expect("a board file has less than 2^32 bytes");
    let sides = sides.unwrap_or_else(|| vec![side(rows.len()), side(row.len())]);
    let (&width, others) = sides.split_last().expect("a box has sides");
    if let Some((number, row)) = rows.iter().find(|(_, row)| row.len() != width as usize) {
        let message = format!("the row has {}; {width} expected", counted(row.len(), "character"));
        return fault(*number, row.len().min(width as usize) + 1, message);
    }
    let expected = others.iter().product::<u32>() as usize;
    if rows.len() != expected {
        let place = rows.get(expected).map_or(last + 1, |(number, _)| *number);
        return fault(
            place,
            1,
            format!("the board has {}; its sides make {expected}", counted(rows.len(), "row")),
        );
    }
    let cells = (0..).zip(rows.iter().flat_map(|(_, row)| row.chars()));
    let squares: Vec<u32> = cells.filter(|(_, c)| *c == '#').map(|(cell, _)| cell).collect();
    if squares.is_empty() {
        return fault(first, 1, "the board has no squares");
    }
    let (piece, blocked) = (piece.unwrap_or(Piece::Queen), blocked.unwrap_or(false));
    Ok(BoardContent::Drawing { piece, sides, squares, blocked })
}

/// Parses side lengths as in the name of a plain box.
///
/// # Errors
/// Returns the number of characters before the error and the error if the text is not a list of side lengths.
fn parse_sides(text: &str) -> Result<Vec<u32>, (usize, HeaderError)> {
    match BoardName::parse_user_input(text, &super::reject_files) {
        Ok(BoardName::Grid { sides, .. }) if !text.contains(':') => Ok(sides),
        Err(NameError::Malformed { position, fault, .. }) => Err((position, HeaderError::Sides(fault))),
        _ => Err((0, HeaderError::NoSides)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_error_at(text: &str, line: usize, column: usize) {
        let fault = parse_content(text, Reading::default()).expect_err(text);
        assert_eq!((fault.line, fault.column), (line, column), "{text}: {}", fault.message);
    }

    #[test]
    fn errors_of_drawings_have_line_and_column() {
        let drawing = |rest: &str| format!("ndqueens board 1\n{rest}");
        for (text, line, column) in [
            (String::new(), 1, 1),
            ("#####\n#####\n".to_owned(), 1, 1),
            ("##.##\n.###.\n".to_owned(), 2, 1),
            ("\nndqueens board 2\n##\n".to_owned(), 2, 1),
            ("ndqueens certificate 1".to_owned(), 1, 1),
            (drawing(""), 2, 1),
            (drawing("piece: rook\n\n"), 4, 1),
            (drawing("...\n...\n"), 2, 1),
            (drawing("###\n##\n"), 3, 3),
            (drawing("###\n#####\n"), 3, 4),
            (drawing("###\n#o#\n"), 3, 2),
            (drawing("###\n \u{e9}##\n"), 3, 1),
            (drawing("###\npiece: rook\n"), 3, 1),
            (drawing("###\n\n###\n"), 3, 1),
            (drawing("piece:  king\n#\n"), 2, 9),
            (drawing("vision: blind\n#\n"), 2, 9),
            (drawing("colour: red\n#\n"), 2, 1),
            (drawing("piece: rook\npiece: rook\n#\n"), 3, 1),
            (drawing("sides: 2x0\n#\n"), 2, 10),
            (drawing("sides: rook:2^2\n##\n##"), 2, 8),
            (drawing("sides: torus:2^2\n##\n##"), 2, 8),
            (drawing("sides: queen:2x2\n##\n##"), 2, 8),
            (drawing("sides: file:a\n##\n##"), 2, 8),
            (drawing("sides: 2x1x2\n##\n"), 4, 1),
            (drawing("sides: 2x1x2\n##\n\n##\n##\n"), 6, 1),
            (drawing("sides: 99999^3\n#\n"), 2, 8),
        ] {
            assert_error_at(&text, line, column);
        }
    }

    #[test]
    fn errors_of_graphs_have_line_and_column() {
        for (text, line, column) in [
            ("p edge 3", 1, 1),
            ("p clique 3 1\ne 1 2", 1, 3),
            ("p edge 0 0", 1, 8),
            ("p edge 99999999999 0", 1, 8),
            ("p edge 3 1 x\ne 1 2", 1, 12),
            ("p edge 3 1 2 3\ne 1 2", 1, 1),
            ("p edge 3 1\nn 1 2", 2, 5),
            ("p edge 3 1\nn 4 1", 2, 3),
            ("p edge 3 1\ne 1 2 7", 2, 7),
            ("p edge 3 1\np edge 3 1", 2, 1),
            ("p td 3 1\ne 1 2", 2, 1),
            ("p td 3 1\n0 2", 2, 1),
            ("p sp 3 1\na 1 2 7", 1, 3),
            ("p edge 3 1\re 1 2", 1, 11),
            ("p edge 3 1\n1 2", 2, 1),
            ("p edge 3 1\ne 0 2", 2, 3),
            ("p edge 3 1\ne 1  4", 2, 6),
            ("p edge 3 1\ne 2 2", 2, 3),
            ("0 1\n1 1", 2, 1),
            ("0 1 2", 1, 1),
            ("0 1\n1 2 {'weight': 3}", 2, 1),
            ("0 1\n2", 2, 1),
            ("0,1\n1,", 2, 3),
            ("0 1\n1 2,3", 2, 1),
            ("0 1\n01 2", 2, 1),
            ("0 1\n+1 2", 2, 1),
            ("5 0", 1, 1),
            ("4 3\n0 1\n1 2\n2 3", 1, 1),
            ("# a remark\n4 4\n1 2\n2 3\n3 4\n4 1", 2, 1),
            ("source,target\n1,2", 1, 1),
            ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3", 1, 1),
            ("%%MatrixMarket matrix coordinate pattern symmetric\n2 3 1\n2 1", 2, 3),
            ("0 1\n1 x", 2, 3),
            ("0 1\nn 3", 2, 1),
            ("0 4294967296", 1, 3),
            ("n 3\n0 3", 2, 3),
            ("n\n0 3", 1, 1),
            ("n 0", 1, 3),
        ] {
            assert_error_at(text, line, column);
        }
    }

    proptest::proptest! {
        #[test]
        fn reader_never_panics(
            head in "(ndqueens board 1\n(sides: [0-9x^]{1,5}\n)?)?", text in "([#.0-3epnc :\n-]|edge){0,30}",
        ) {
            let _ = parse_content(&(head + &text), Reading::default());
        }
    }
}
