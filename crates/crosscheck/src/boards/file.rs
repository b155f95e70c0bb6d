//! Independent parser of board files; [`ndqueens_notation::name::file`] describes the format.

use std::collections::BTreeSet;

use ndqueens_notation::name::Piece;
use ndqueens_notation::name::file::{FirstLine, Reading};

use crate::boards::definition::Definition;
use crate::boards::drawing::Drawing;
use crate::boards::network::Network;

/// Parses the text of a board file.
///
/// # Panics
/// Panics if the text is malformed. The text of a parsed board name is well-formed.
#[must_use]
pub fn file_definition(text: &str, reading: Reading) -> Box<dyn Definition> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    if lines.first().is_some_and(|line| line.trim() == "ndqueens board 1") {
        return Box::new(parse_drawing(&lines[1..]));
    }
    Box::new(parse_network(&lines, reading))
}

/// Parses the headers and rows of a drawing.
fn parse_drawing(lines: &[&str]) -> Drawing {
    let (mut piece, mut blocked, mut sides) = (Piece::Queen, false, None);
    let headers = lines.iter().take_while(|line| line.contains(':'));
    for (key, value) in headers.clone().filter_map(|line| line.split_once(':')) {
        match (key, value.trim()) {
            ("piece", "queen") | ("vision", "through") | ("note", _) => {}
            ("piece", "rook") => piece = Piece::Rook,
            ("piece", "bishop") => piece = Piece::Bishop,
            ("vision", "blocked") => blocked = true,
            ("sides", value) => sides = Some(parse_sides(value)),
            (key, value) => panic!("the header \"{key}: {value}\""),
        }
    }
    let rows = &lines[headers.count()..];
    let sides = sides.unwrap_or_else(|| vec![rows.len(), rows[0].len()]);
    let width = sides[sides.len() - 1];
    assert!(rows.iter().all(|row| row.len() == width), "every row has {width} characters");
    assert_eq!(rows.len() * width, sides.iter().product::<usize>(), "the rows fill the box");
    let mut squares = BTreeSet::new();
    for (row_number, row) in rows.iter().enumerate() {
        for (column, sign) in row.chars().enumerate() {
            match sign {
                '#' => squares.insert(cell_coordinates(row_number * width + column, &sides)),
                '.' => continue,
                other => panic!("the sign \"{other}\""),
            };
        }
    }
    let sides: Vec<u32> = sides.iter().map(|&n| u32::try_from(n).expect("a side length")).collect();
    Drawing::new(piece, blocked, &sides, squares)
}

/// Parses side lengths in any form that users type.
fn parse_sides(text: &str) -> Vec<usize> {
    let number = |word: &str| word.trim().parse::<usize>().expect("a side length");
    let text = text.trim_start_matches('(').trim_end_matches(')');
    if let Some((side, axes)) = text.split_once(',') {
        return vec![number(side); number(axes)];
    }
    match text.split_once('^') {
        Some((side, axes)) => vec![number(side); number(axes)],
        None => text.split(['x', 'X', '×']).map(number).collect(),
    }
}

/// Returns the coordinates of a cell of a box, given by its number in lexicographic order.
fn cell_coordinates(mut cell: usize, sides: &[usize]) -> Vec<u32> {
    let mut coordinates = vec![0; sides.len()];
    for (coordinate, side) in coordinates.iter_mut().zip(sides).rev() {
        *coordinate = u32::try_from(cell % side).expect("a side length");
        cell /= side;
    }
    coordinates
}

/// Parses a graph from the non-empty lines of a file.
fn parse_network(lines: &[&str], reading: Reading) -> Network {
    let is_comment = |line: &&str| {
        let line = line.trim_start();
        line.starts_with('#') || line.starts_with('%') || line.split_whitespace().next() == Some("c")
    };
    let matrix = lines[0].trim_start().to_ascii_lowercase().starts_with("%%matrixmarket");
    let rows: Vec<Vec<&str>> =
        lines.iter().filter(|line| !is_comment(line)).map(|line| split_words(line)).collect();
    let number = |word: &str| word.parse::<u32>().expect("a number");
    let (first, others) = rows.split_first().expect("a graph has a line that is no remark");
    let edges =
        |rows: &[Vec<&str>]| -> Vec<[u32; 2]> { rows.iter().filter_map(|row| parse_edge(row)).collect() };
    match first[..] {
        ["p", _, vertices, _] | ["p", _, vertices, _, _] => {
            let before = lines.iter().take_while(|line| is_comment(line));
            let words: Vec<&str> = before.flat_map(|line| line.split_whitespace().skip(1)).collect();
            let complement = reading.complement || words.join(" ").contains(COMPLEMENT_SENTENCE);
            Network::new((1..=number(vertices)).collect(), &edges(others), complement)
        }
        [vertices, _, _] if matrix => {
            Network::new((1..=number(vertices)).collect(), &edges(others), reading.complement)
        }
        ["n", vertices] => Network::new((0..number(vertices)).collect(), &edges(others), reading.complement),
        _ if reading.first_line == FirstLine::Header => {
            let edges = edges(others);
            let vertices = header_vertices(number(first[0]), endpoints(&edges));
            Network::new(vertices, &edges, reading.complement)
        }
        _ => {
            let edges = edges(&rows);
            Network::new(endpoints(&edges), &edges, reading.complement)
        }
    }
}

/// Sentence in files that contain the complement of a board's graph.
const COMPLEMENT_SENTENCE: &str =
    "an edge joins squares that do not attack each other: cliques are independent sets";

/// Splits a line of a graph at commas, else at semicolons, else at white space.
fn split_words(line: &str) -> Vec<&str> {
    for sign in [',', ';'] {
        if line.contains(sign) {
            return line.split(sign).map(str::trim).collect();
        }
    }
    line.split_whitespace().collect()
}

/// Parses the edge in a line. Returns `None` for lines that do not contain edges.
fn parse_edge(row: &[&str]) -> Option<[u32; 2]> {
    let number = |word: &str| word.parse::<u32>().expect("a number");
    match *row {
        ["n" | "d" | "v" | "x", ..] => None,
        ["e", a, b] | [a, b] | [a, b, "{}"] => Some([number(a), number(b)]),
        _ => panic!("the line {row:?} of a graph"),
    }
}

/// Returns the vertices with edges.
fn endpoints(edges: &[[u32; 2]]) -> BTreeSet<u32> {
    edges.iter().flatten().copied().collect()
}

/// Returns the `number` vertices that a header declares. `used` are the vertices with edges.
fn header_vertices(number: u32, used: BTreeSet<u32>) -> BTreeSet<u32> {
    let all = [(0..number).collect::<BTreeSet<u32>>(), (1..=number).collect()];
    if used.len() == number as usize {
        return used;
    }
    let mut fitting = all.into_iter().filter(|vertices| used.is_subset(vertices));
    let vertices = fitting.next().expect("the vertices fit the header");
    assert!(fitting.next().is_none(), "the vertices fit the header in one way");
    vertices
}
