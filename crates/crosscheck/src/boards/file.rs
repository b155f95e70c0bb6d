//! Board files, read on their own account; [`ndqueens_model::name::file`] says what they may hold.

use std::collections::BTreeSet;

use ndqueens_model::name::Piece;

use crate::boards::definition::Definition;
use crate::boards::drawing::Drawing;
use crate::boards::network::Network;

/// The board that a well-formed text describes.
///
/// # Panics
/// If the text is not well-formed: a board name has been checked for that.
#[must_use]
pub fn read(text: &str) -> Box<dyn Definition> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    if lines.first().is_some_and(|line| line.trim() == "ndqueens board 1") {
        return Box::new(drawing(&lines[1..]));
    }
    let is_remark = |line: &str| line.starts_with('#') || line.split_whitespace().next() == Some("c");
    let lines = lines.into_iter().filter(|line| !is_remark(line));
    let lines: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    Box::new(network(&lines))
}

fn drawing(lines: &[&str]) -> Drawing {
    let (mut piece, mut blocked, mut sides) = (Piece::Queen, false, None);
    let headers = lines.iter().take_while(|line| line.contains(':'));
    for (key, value) in headers.clone().filter_map(|line| line.split_once(':')) {
        match (key, value.trim()) {
            ("piece", "queen") | ("vision", "through") | ("note", _) => {}
            ("piece", "rook") => piece = Piece::Rook,
            ("piece", "bishop") => piece = Piece::Bishop,
            ("vision", "blocked") => blocked = true,
            ("sides", value) => sides = Some(side_lengths(value)),
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
                '#' => squares.insert(place(row_number * width + column, &sides)),
                '.' => continue,
                other => panic!("the sign \"{other}\""),
            };
        }
    }
    let sides: Vec<u32> = sides.iter().map(|&n| u32::try_from(n).expect("a side length")).collect();
    Drawing::new(piece, blocked, &sides, squares)
}

fn side_lengths(text: &str) -> Vec<usize> {
    let number = |word: &str| word.parse::<usize>().expect("a side length");
    match text.split_once('^') {
        Some((side, axes)) => vec![number(side); number(axes)],
        None => text.split('x').map(number).collect(),
    }
}

/// The coordinates of a cell of a box, cells being counted in lexicographic order.
fn place(mut cell: usize, sides: &[usize]) -> Vec<u32> {
    let mut coordinates = vec![0; sides.len()];
    for (coordinate, side) in coordinates.iter_mut().zip(sides).rev() {
        *coordinate = u32::try_from(cell % side).expect("a side length");
        cell /= side;
    }
    coordinates
}

fn network(lines: &[Vec<&str>]) -> Network {
    let number = |word: &str| word.parse::<u32>().expect("a number");
    let edge = |line: &Vec<&str>| match line[..] {
        ["e", a, b] => [number(a) - 1, number(b) - 1],
        [a, b] => [number(a), number(b)],
        _ => panic!("the line {line:?} of a graph"),
    };
    let edges = |lines: &[Vec<&str>]| lines.iter().map(edge).collect::<Vec<[u32; 2]>>();
    match lines[0][..] {
        ["p", "edge" | "col", vertices, count] => {
            let edges = edges(&lines[1..]);
            assert_eq!(edges.len(), number(count) as usize, "the number of edges");
            Network::new(number(vertices), &edges)
        }
        ["n", vertices] => Network::new(number(vertices), &edges(&lines[1..])),
        _ => {
            let edges = edges(lines);
            let largest = edges.iter().flatten().max().expect("there is a line");
            Network::new(largest + 1, &edges)
        }
    }
}
