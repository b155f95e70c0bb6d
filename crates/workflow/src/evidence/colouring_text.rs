//! Colourings and cliques in the formats of other programs.

use std::collections::BTreeMap;

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::counted::counted;

/// Error of a line of an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub(super) struct AnswerTextError {
    /// Line, counted from 1.
    line: usize,
    fault: String,
}

impl AnswerTextError {
    fn new(line: usize, fault: impl Into<String>) -> Self {
        Self { line, fault: fault.into() }
    }
}

/// Number that the first line of an answer states, such as that of the colours.
#[derive(Debug, Clone, Copy)]
struct Stated<T> {
    number: T,
    line: usize,
}

/// Line that gives a colour.
struct Entry {
    /// Vertex as it is numbered in the file, or `None` if the lines are in the order of the squares.
    vertex: Option<u64>,
    colour: i64,
    line: usize,
}

/// Content of a file with colours.
#[derive(Default)]
struct ColourFile {
    /// Stated number of colours.
    stated: Option<Stated<i64>>,
    entries: Vec<Entry>,
    /// Form of the lines.
    style: Option<&'static str>,
}

/// Form of the lines of DIMACS, whose vertices count from 1.
const DIMACS: &str = "lines \"l VERTEX COLOUR\"";

/// Reads a colouring in a format of other programs: `s col K` and `l VERTEX COLOUR` as in DIMACS, a line
/// `VERTEX COLOUR` for each vertex, counted from 0 or from 1, or one colour per line in the order of the
/// squares.
pub(super) fn read_colouring(text: &str, board: &Board) -> Result<Colouring, AnswerTextError> {
    let file = read_entries(text)?;
    let (size, entries) = (board.size(), file.entries.len());
    if entries != size {
        let fault = format!(
            "{} {} coloured, but {} has {}",
            counted(entries, "vertex"),
            if entries == 1 { "is" } else { "are" },
            board.name(),
            board.format_squares(size as u64)
        );
        return Err(AnswerTextError::new(file.entries.last().map_or(1, |entry| entry.line), fault));
    }
    let colours = assign_colours(&file, size)?;
    let mut classes = BTreeMap::<i64, Vec<Vec<u32>>>::new();
    for (square, colour) in board.squares().zip(colours) {
        classes.entry(colour).or_default().push(board.coordinates(square));
    }
    if let Some(Stated { number, line }) = file.stated
        && i64::try_from(classes.len()).ok() != Some(number)
    {
        let fault =
            format!("the number of colours is given as {number}, but the file uses {}", classes.len());
        return Err(AnswerTextError::new(line, fault));
    }
    let classes = classes.into_values().collect();
    let origin = "colouring of another program";
    Ok(Colouring::new(board.name().clone(), ClassKind::IndependentSets, classes, origin))
}

/// Reads the lines of a file with colours.
fn read_entries(text: &str) -> Result<ColourFile, AnswerTextError> {
    let mut file = ColourFile::default();
    for (line, words) in (1..).zip(text.lines()) {
        let fault = |fault: String| AnswerTextError::new(line, fault);
        let words: Vec<&str> = words.split_whitespace().collect();
        let integer =
            |word: &str| word.parse().map_err(|_| fault(format!("\"{word}\" is not a whole number")));
        let vertex =
            |word: &str| word.parse().map(Some).map_err(|_| fault(format!("\"{word}\" is not a vertex")));
        let (style, vertex, colour) = match words[..] {
            [] | ["c", ..] => continue,
            ["s", "col", colours] if file.stated.is_none() => {
                file.stated = Some(Stated { number: integer(colours)?, line });
                continue;
            }
            ["s", ..] => return Err(fault("one line \"s col COLOURS\" is allowed".to_owned())),
            ["l", name, colour] => (DIMACS, vertex(name)?, integer(colour)?),
            [name, colour] => ("lines \"VERTEX COLOUR\"", vertex(name)?, integer(colour)?),
            [colour] => ("a colour a line", None, integer(colour)?),
            _ => {
                let words = "a colour, a vertex and a colour, or \"l\" with both are needed";
                return Err(fault(words.to_owned()));
            }
        };
        let before = *file.style.get_or_insert(style);
        if before != style {
            return Err(fault(format!("the lines before are {before}, and this one is another")));
        }
        file.entries.push(Entry { vertex, colour, line });
    }
    Ok(file)
}

/// Returns the colour of each square, where the file has one line for each of the `size` squares.
fn assign_colours(file: &ColourFile, size: usize) -> Result<Vec<i64>, AnswerTextError> {
    let counts_from_0 = file.entries.iter().any(|entry| entry.vertex == Some(0));
    let base = u64::from(!counts_from_0 || file.style == Some(DIMACS));
    let mut colours: Vec<Option<i64>> = vec![None; size];
    for (position, &Entry { vertex, colour, line }) in file.entries.iter().enumerate() {
        let square = match vertex {
            None => Some(position),
            Some(vertex) => vertex.checked_sub(base).and_then(|vertex| usize::try_from(vertex).ok()),
        };
        let vertex = vertex.unwrap_or_default();
        let Some(place) = square.and_then(|square| colours.get_mut(square)) else {
            let last = size as u64 + base - 1;
            let fault = format!("there is no vertex {vertex}: the vertices are {base} to {last}");
            return Err(AnswerTextError::new(line, fault));
        };
        if place.replace(colour).is_some() {
            return Err(AnswerTextError::new(line, format!("the vertex {vertex} has two colours")));
        }
    }
    Ok(colours.into_iter().flatten().collect())
}

/// Reads a clique of the complement in a format of other programs: numbers of vertices, counted from 1, in
/// `v` lines or alone.
pub(super) fn read_clique(text: &str, board: &Board) -> Result<Certificate, AnswerTextError> {
    let (mut stated, mut squares) = (None, Vec::new());
    for (line, words) in (1..).zip(text.lines()) {
        let fault = |fault: String| AnswerTextError::new(line, fault);
        let mut words: Vec<&str> = words.split_whitespace().collect();
        match words[..] {
            [] | ["c", ..] => continue,
            ["s", "clq" | "clique" | "mis" | "is", count] if stated.is_none() => {
                let number: usize =
                    count.parse().map_err(|_| fault(format!("\"{count}\" is not a number of vertices")))?;
                stated = Some(Stated { number, line });
                continue;
            }
            ["s", ..] => return Err(fault("one line \"s clq VERTICES\" is allowed".to_owned())),
            ["v", ..] => {
                words.remove(0);
            }
            _ => {}
        }
        for word in words {
            let Some(vertex) = parse_vertex(word, board) else {
                let most = board.size();
                return Err(fault(format!("\"{word}\" is not a vertex: the vertices are 1 to {most}")));
            };
            let square = board.coordinates(vertex);
            if squares.contains(&square) {
                return Err(fault(format!("the vertex {} is listed twice", u64::from(vertex) + 1)));
            }
            squares.push(square);
        }
    }
    if let Some(Stated { number, line }) = stated
        && number != squares.len()
    {
        let fault =
            format!("the number of vertices is given as {number}, but the file lists {}", squares.len());
        return Err(AnswerTextError::new(line, fault));
    }
    Ok(Certificate::independent(board.name().clone(), squares, "clique of another program"))
}

/// Returns the square of a vertex that is counted from 1.
fn parse_vertex(word: &str, board: &Board) -> Option<Square> {
    let vertex = word.parse::<u64>().ok().filter(|vertex| (1..=board.size() as u64).contains(vertex))?;
    Square::try_from(vertex - 1).ok()
}
