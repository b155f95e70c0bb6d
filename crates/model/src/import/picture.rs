//! Boards drawn with signs, read and written.
//!
//! A picture shows the squares of a board row by row, with a sign for each. Accepted forms:
//!
//! - rows of signs, with or without blanks between them: `.Q..`, `. Q . .`; or with bars: `|_|Q|_|_|`, `| | Q | | |`; or with
//!   commas, semicolons or tabs: `0,1,0,0`;
//! - nested lists with square brackets or braces, as JSON, Python, numpy or C write them: `[".Q..", ...]`,
//!   `[[0, 1, 0, 0], ...]`, `[['.' 'Q' '.' '.'] ...]`;
//! - the text that `ndq draw`, `ndq find`, `ndq solve` and `ndq prove` print, with its headings and with the titles of layers,
//!   such as `(0,*,*)`, side by side or one below the other; lists of squares such as `(0,1) (1,3)` beside a heading that names
//!   the board; and the grid of numbers of a Sudoku.
//!
//! Signs of a piece: `Q`, `q`, `♕`, `♛`, and `!` (a piece that attacks another one in the drawings of ndq); on boards of rooks also
//! `R`, `r`, `♖`, `♜`, of bishops `B`, `b`, `♗`, `♝`, of knights `N`, `♘`, `♞`, of kings `K`, `♔`, `♚`, and of superqueens
//! `S`. If one of these stands in the file, each of `.`, `_`, `-`, `0`, `·`, `*`, `+`, `x`,
//! `X`, `□`, `■` is a square without a piece, and any other sign is refused. If none of them does, the piece is `1`, `X` or `*`, whichever is there
//! alone, and one of `.`, `_`, `-`, `0` and `·` is the empty square; files in which two of them stand are refused.
//!
//! An empty line, or a line of words, separates layers of a board and boards of a file. Layers stand in lexicographic order of their
//! coordinates unless they have titles. Lines of words, lines that begin with `#` and rules such as `+---+---+` are skipped.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use ndqueens_notation::name::{BoardName, Leaper, Open, Piece};

use super::convention::{Convention, Inexpressible};
use crate::board::{Board, Form, Layout, Square};
use ndqueens_notation::certificate::{Certificate, CertificateError, fault};

/// Number of squares up to which boards are read from pictures.
const MOST_SQUARES: usize = 1 << 22;

/// Signs of a queen that no other sign can be taken for.
const QUEENS: [char; 5] = ['Q', 'q', '♕', '♛', '!'];
const ROOKS: [char; 4] = ['R', 'r', '♖', '♜'];
const BISHOPS: [char; 4] = ['B', 'b', '♗', '♝'];
// Small letters of these would be words of prose, such as k and n.
const KNIGHTS: [char; 3] = ['N', '♘', '♞'];
const KINGS: [char; 3] = ['K', '♔', '♚'];
const SUPERQUEENS: [char; 1] = ['S'];

/// Signs of an empty square, whatever else stands in the file.
const EMPTY: [char; 5] = ['.', '_', '-', '0', '·'];

/// Signs that mark a square without a piece where pieces are letters.
const MARKS: [char; 6] = ['*', '+', 'x', 'X', '□', '■'];

/// Signs of a piece in files without letters for pieces.
const PLAIN: [char; 3] = ['1', 'X', '*'];

/// Sign of a cell between bars that holds nothing.
const BLANK: char = ' ';

/// Placements read from a text, each with its first line.
pub(super) struct Pictures {
    pub(super) board: BoardName,
    pub(super) sets: Vec<(usize, Vec<Vec<u32>>)>,
}

/// Cell of a row.
#[derive(Debug, Clone)]
struct Cell {
    /// Text of the cell, one sign unless it is a number.
    text: String,
    line: usize,
    column: usize,
}

impl Cell {
    fn sign(&self) -> Option<char> {
        let mut signs = self.text.chars();
        signs.next().filter(|_| signs.next().is_none())
    }

    fn fault(&self, words: impl Into<String>) -> CertificateError {
        fault(self.line, self.column, words.into())
    }
}

/// Part of a text.
#[derive(Debug)]
enum Item {
    /// Row of cells; not empty.
    Row(Vec<Cell>),
    /// Titles of layers that stand side by side below: the coordinates that each fixes.
    Titles(usize, Vec<Vec<u32>>),
    /// Line that names the board, and perhaps the number of pieces.
    Heading { line: usize, board: String, pieces: Option<usize> },
    /// Squares listed by their coordinates.
    Squares(usize, Vec<Vec<u32>>),
    /// Empty line, or the end of a list of rows.
    Break,
    /// Line of words.
    Words,
}

/// Returns `true` if a text is a picture that shows pieces by letters, output of `ndq`, or a grid for the Sudoku that is asked for.
pub(super) fn is_picture(text: &str, board: Option<&BoardName>) -> bool {
    if matches!(board, Some(BoardName::Sudoku(_) | BoardName::SudokuX(_))) && text.contains(is_bar) {
        return true;
    }
    let is_piece = |cell: &Cell| cell.sign().is_some_and(is_letter);
    match items(text) {
        Ok(items) => items.iter().any(|item| match item {
            Item::Row(cells) => cells.iter().any(is_piece),
            Item::Heading { .. } => true,
            _ => false,
        }),
        // A text with an error in one line may still show the others as rows.
        Err(_) => text.lines().any(|line| {
            row(line, 1).is_ok_and(|cells| {
                cells.len() > 1
                    && cells.iter().any(is_piece)
                    && cells.iter().all(|cell| {
                        cell.sign().is_some_and(|sign| {
                            is_letter(sign) || EMPTY.contains(&sign) || MARKS.contains(&sign)
                        })
                    })
            })
        }),
    }
}

fn is_letter(sign: char) -> bool {
    let others = [&ROOKS[..], &BISHOPS, &KNIGHTS, &KINGS, &SUPERQUEENS];
    QUEENS.contains(&sign) || others.iter().any(|letters| letters.contains(&sign))
}

/// Reads all placements of a text. If `only_letters` is set, pieces must be letters.
pub(super) fn read(
    text: &str,
    board: Option<&BoardName>,
    only_letters: bool,
    open: Open<'_>,
) -> Result<Pictures, CertificateError> {
    let items = items(text)?;
    let name = match board {
        Some(board) => board.clone(),
        None => named(&items, open)?.map_or_else(|| inferred(&items), Ok)?,
    };
    for item in &items {
        if let Item::Heading { line, board, .. } = item
            && BoardName::read(board, open).is_ok_and(|heading| heading != name)
        {
            return Err(fault(*line, 1, format!("the heading names the board {board}, not {name}")));
        }
    }
    let board = Board::new(&name);
    if board.size() > MOST_SQUARES {
        let words =
            format!("{name} has {} squares, and pictures of up to {MOST_SQUARES} are read", board.size());
        return Err(fault(1, 1, words));
    }
    let sets = if items.iter().any(|item| matches!(item, Item::Squares(..))) {
        listed(&items)?
    } else {
        drawn(&items, &board, only_letters)?
    };
    Ok(Pictures { board: name, sets: sets.into_iter().map(|set| (set.line, set.squares)).collect() })
}

/// Returns the board that headings name; all must name the same.
fn named(items: &[Item], open: Open<'_>) -> Result<Option<BoardName>, CertificateError> {
    let mut found: Option<BoardName> = None;
    for item in items {
        let Item::Heading { line, board, .. } = item else { continue };
        let Ok(board) = BoardName::read(board, open) else { continue };
        if let Some(before) = found.as_ref().filter(|before| **before != board) {
            let words = format!("the heading names the board {board}, and one above it {before}");
            return Err(fault(*line, 1, words));
        }
        found = Some(board);
    }
    Ok(found)
}

/// Returns the only board that has the shape of the picture: a plain box of queens.
fn inferred(items: &[Item]) -> Result<BoardName, CertificateError> {
    let several = |line: usize, words: &str| fault(line, 1, format!("{words}; name the board with --board"));
    let mut blocks: Vec<(Vec<&Vec<Cell>>, bool)> = Vec::new();
    let mut titles: Vec<&Vec<u32>> = Vec::new();
    let (mut abreast, mut is_open, mut worded) = (1, false, true);
    for item in items {
        match item {
            Item::Row(cells) if is_open => blocks.last_mut().expect("an open block").0.push(cells),
            Item::Row(cells) => {
                blocks.push((vec![cells], worded));
                (is_open, worded) = (true, false);
            }
            Item::Titles(line, here) => {
                if !titles.is_empty() && here.len() > abreast {
                    return Err(several(*line, "layers stand side by side in different numbers"));
                }
                if titles.is_empty() {
                    abreast = here.len();
                }
                titles.extend(here);
                is_open = false;
            }
            Item::Break => is_open = false,
            Item::Words | Item::Heading { .. } => (is_open, worded) = (false, true),
            Item::Squares(line, _) => {
                return Err(several(*line, "a list of squares does not name its board"));
            }
        }
    }
    let Some((first, _)) = blocks.first() else {
        return Err(fault(1, 1, "there is no row of signs".to_owned()));
    };
    let start = &first[0][0];
    if !titles.is_empty() {
        let dimension = titles[0].len();
        let sides: Vec<u32> = (0..dimension)
            .map(|axis| {
                titles
                    .iter()
                    .filter_map(|title| title.get(axis))
                    .max()
                    .map_or(1, |last| last.saturating_add(1))
            })
            .collect();
        let all = sides.iter().map(|&side| u64::from(side)).product::<u64>();
        let columns = first[0].len() / abreast;
        if titles.iter().any(|title| title.len() != dimension) || all != titles.len() as u64 || columns == 0 {
            return Err(several(start.line, "the titles are not those of all layers of one box"));
        }
        if sides == [6] && first.len() == columns {
            return Err(several(start.line, "six square layers are a box or a board for three players"));
        }
        let sides = [sides, vec![first.len() as u32, columns as u32]].concat();
        return Ok(BoardName::queen(&sides));
    }
    for (rows, worded) in &blocks {
        let at = &rows[0][0];
        if !worded {
            return Err(several(
                at.line,
                "several blocks of rows are layers of one board or boards of their own",
            ));
        }
        if let Some(other) = rows.iter().find(|row| row.len() != first[0].len()) {
            let words =
                format!("{} signs found in the row, {} in the first one", other.len(), first[0].len());
            return Err(other[0].fault(format!("{words}; if the board is no box, name it with --board")));
        }
        if rows.len() != first.len() {
            return Err(several(at.line, "this board has another number of rows than the first one"));
        }
    }
    match (first.len(), first[0].len()) {
        (1, columns) if columns > 1 => {
            Err(several(start.line, "one row of signs may be a board of one or more axes"))
        }
        (rows, columns) => Ok(BoardName::queen(&[rows as u32, columns as u32])),
    }
}

/// One placement.
struct Set {
    line: usize,
    squares: Vec<Vec<u32>>,
}

/// Compares the numbers of pieces that headings state with those that were read. A heading belongs to the placement above it, unless
/// that has one already, and else to the next one.
#[derive(Default)]
struct Stated {
    /// Line and number of a heading whose placement is still to come.
    ahead: Option<(usize, usize)>,
    /// Number of pieces of the last placement, if no heading states it.
    unstated: Option<usize>,
}

impl Stated {
    /// Takes a heading.
    fn heading(&mut self, line: usize, pieces: usize) -> Result<(), CertificateError> {
        match self.unstated.take() {
            Some(found) => Self::compare((line, pieces), found),
            None => {
                self.end()?;
                self.ahead = Some((line, pieces));
                Ok(())
            }
        }
    }

    /// Takes a placement.
    fn placement(&mut self, found: usize) -> Result<(), CertificateError> {
        match self.ahead.take() {
            Some(stated) => Self::compare(stated, found),
            None => {
                self.unstated = Some(found);
                Ok(())
            }
        }
    }

    /// Refuses a heading that no placement follows.
    fn end(&self) -> Result<(), CertificateError> {
        self.ahead.map_or(Ok(()), |(line, stated)| {
            Err(fault(line, 1, format!("the heading states {stated} pieces, and no placement belongs to it")))
        })
    }

    fn compare((line, stated): (usize, usize), found: usize) -> Result<(), CertificateError> {
        match stated == found {
            true => Ok(()),
            false => {
                Err(fault(line, 1, format!("the heading states {stated} pieces, but {found} stand here")))
            }
        }
    }
}

/// Reads placements that are listed by coordinates.
fn listed(items: &[Item]) -> Result<Vec<Set>, CertificateError> {
    let (mut sets, mut stated): (Vec<Set>, _) = (Vec::new(), Stated::default());
    let headless = |line: usize| {
        let words = "a list of squares needs a heading such as \"4 queens on 4^2\" above or below it; lists without one are \
                     read with --as tuples (counted from 0) or --as tuples1 (from 1)";
        Err(fault(line, 1, words.to_owned()))
    };
    for item in items {
        match item {
            Item::Squares(line, _) if stated.unstated.is_some() => return headless(*line),
            Item::Squares(line, squares) => {
                stated.placement(squares.len())?;
                sets.push(Set { line: *line, squares: squares.clone() });
            }
            Item::Heading { line, pieces: Some(pieces), .. } => stated.heading(*line, *pieces)?,
            Item::Row(cells) => {
                return Err(cells[0].fault("a list of squares and a drawing are in one file"));
            }
            Item::Titles(line, _) => {
                return Err(fault(*line, 1, "a list of squares and a drawing are in one file".to_owned()));
            }
            Item::Words | Item::Break | Item::Heading { .. } => {}
        }
    }
    stated.end()?;
    match (stated.unstated, sets.last()) {
        (Some(_), Some(last)) => headless(last.line),
        _ => Ok(sets),
    }
}

/// Squares of a board by layer and row, in the order in which a drawing shows them.
struct Shape {
    /// Coordinates that each layer fixes, and the squares of its rows.
    layers: Vec<(Vec<u32>, Vec<Vec<Square>>)>,
}

impl Shape {
    /// Returns the layers along the last two axes.
    fn of_layers(layout: &Layout) -> Self {
        let mut layers: BTreeMap<Vec<u32>, BTreeMap<u32, BTreeMap<u32, Square>>> = BTreeMap::new();
        for (square, place) in (0..).zip(&layout.places) {
            let (&column, rest) = place.split_last().expect("a place has coordinates");
            let (row, fixed) = rest.split_last().map_or((0, [].as_slice()), |(&row, fixed)| (row, fixed));
            layers.entry(fixed.to_vec()).or_default().entry(row).or_default().insert(column, square);
        }
        let side = |from_end: usize| layout.sides.iter().rev().nth(from_end).copied().unwrap_or(1);
        let all_fixed = &layout.sides[..layout.sides.len().saturating_sub(2)];
        // Layers without a square are drawn as well.
        let mut fixed = vec![Vec::new()];
        for &n in all_fixed {
            fixed = fixed.iter().flat_map(|f| (0..n).map(move |x| [f.as_slice(), &[x]].concat())).collect();
        }
        let rows_of = |fixed: &Vec<u32>| {
            let rows = layers.get(fixed);
            let row = |row| {
                rows.and_then(|rows| rows.get(&row))
                    .map_or_else(Vec::new, |row| row.values().copied().collect())
            };
            (0..side(1)).map(row).collect()
        };
        Self {
            layers: fixed
                .into_iter()
                .map(|fixed| {
                    let rows = rows_of(&fixed);
                    (fixed, rows)
                })
                .collect(),
        }
    }

    /// Returns one layer with the rows of a drawing in the plane.
    fn of_plane(layout: &Layout) -> Option<Self> {
        let Form::Polygons(polygons) = &layout.form else { return None };
        let middles: Vec<[f64; 2]> = polygons.iter().map(crate::board::Polygon::middle).collect();
        let places = crate::board::text_places(&middles)?;
        let mut rows: BTreeMap<usize, Vec<Square>> = BTreeMap::new();
        for ((row, _), square) in places {
            rows.entry(row).or_default().push(square);
        }
        Some(Self { layers: vec![(Vec::new(), rows.into_values().collect())] })
    }
}

/// Reads placements that are drawn.
fn drawn(items: &[Item], board: &Board, only_letters: bool) -> Result<Vec<Set>, CertificateError> {
    let name = board.name();
    let layout = board.layout().ok_or_else(|| {
        fault(
            1,
            1,
            format!(
                "{name} is a graph, which has no picture; its vertices are read with --as tuples or flat"
            ),
        )
    })?;
    let has_titles = items.iter().any(|item| matches!(item, Item::Titles(..)));
    let is_numbers = matches!(layout.form, Form::Numbers { .. }) && !has_titles;
    let shape = match &layout.form {
        Form::Polygons(_) if layout.sides.len() > 2 && !has_titles => {
            Shape::of_plane(&layout).ok_or_else(|| {
                fault(1, 1, format!("{name} is read from its layers, with titles such as (0,*,*)"))
            })?
        }
        Form::Numbers { .. } if is_numbers => Shape::of_cells(&layout),
        _ => Shape::of_layers(&layout),
    };
    let signs = match is_numbers {
        true => Signs::Numbers(Numbers::of(items, layout.sides[0])?),
        false => Signs::Pieces(pieces(items, board, only_letters)?),
    };
    let mut reader =
        Reader { shape: &shape, board, signs, sets: Vec::new(), stated: Stated::default(), open: None };
    for item in items {
        reader.take(item)?;
    }
    reader.end_board(None)?;
    reader.stated.end()?;
    if reader.sets.is_empty() {
        return Err(fault(1, 1, "there is no row of signs".to_owned()));
    }
    Ok(reader.sets)
}

impl Shape {
    /// Returns the cells of a grid of numbers, each as the first of its squares.
    fn of_cells(layout: &Layout) -> Self {
        let mut rows: BTreeMap<u32, BTreeMap<u32, Square>> = BTreeMap::new();
        for (square, place) in (0..).zip(&layout.places) {
            if place[2] == 0 {
                rows.entry(place[0]).or_default().insert(place[1], square);
            }
        }
        let rows = rows.into_values().map(|row| row.into_values().collect()).collect();
        Self { layers: vec![(Vec::new(), rows)] }
    }
}

/// Meaning of the signs of a file.
enum Signs {
    /// Signs of a piece; all others are empty squares.
    Pieces(Vec<char>),
    Numbers(Numbers),
}

/// Numbers in the cells of a Sudoku, from 1 to `most`.
struct Numbers {
    most: u32,
    /// Whether `0` is an empty cell.
    zero_is_empty: bool,
}

impl Numbers {
    fn of(items: &[Item], most: u32) -> Result<Self, CertificateError> {
        let mut zero_is_empty = false;
        let mut zero = None;
        for cell in cells(items) {
            zero_is_empty |= cell.text.parse::<u32>() == Ok(most);
            if cell.text == "0" {
                zero = zero.or(Some(cell));
            }
        }
        match zero {
            Some(cell) if !zero_is_empty => Err(cell.fault(format!(
                "0 may be an empty cell or a number counted from 0, since the file has no {most}; write empty cells as ."
            ))),
            _ => Ok(Self { most, zero_is_empty }),
        }
    }
}

fn cells(items: &[Item]) -> impl Iterator<Item = &Cell> {
    items.iter().filter_map(|item| if let Item::Row(cells) = item { Some(cells) } else { None }).flatten()
}

/// Returns the signs of a piece in a file, all of whose signs must be known.
fn pieces(items: &[Item], board: &Board, only_letters: bool) -> Result<Vec<char>, CertificateError> {
    let mut first: BTreeMap<char, &Cell> = BTreeMap::new();
    for cell in cells(items) {
        let Some(sign) = cell.sign() else { return Err(not_a_sign(cell)) };
        first.entry(sign).or_insert(cell);
    }
    let mut letters = QUEENS.to_vec();
    match board.piece() {
        Some(Piece::Rook) => letters.extend(ROOKS),
        Some(Piece::Bishop) => letters.extend(BISHOPS),
        _ => {}
    }
    match board.leaper() {
        Some(Leaper::Knight) => letters.extend(KNIGHTS),
        Some(Leaper::King) => letters.extend(KINGS),
        Some(Leaper::Superqueen) => letters.extend(SUPERQUEENS),
        None => {}
    }
    if first.keys().any(|sign| letters.contains(sign)) {
        let is_known = |sign: char| {
            letters.contains(&sign) || EMPTY.contains(&sign) || MARKS.contains(&sign) || sign == BLANK
        };
        return match earliest(first.iter().filter(|&(&sign, _)| !is_known(sign))) {
            Some((_, cell)) => Err(not_a_sign(cell)),
            None => Ok(letters),
        };
    }
    let is_empty = |sign: char| EMPTY.contains(&sign) || sign == BLANK;
    let empties: Vec<(&char, &&Cell)> = first.iter().filter(|(sign, _)| is_empty(**sign)).collect();
    let others: Vec<(&char, &&Cell)> = first.iter().filter(|(sign, _)| !is_empty(**sign)).collect();
    if let Some((_, cell)) = earliest(others.iter().copied().filter(|(sign, _)| !PLAIN.contains(sign))) {
        return Err(not_a_sign(cell));
    }
    if let [(one, _), (two, other), ..] = others.as_slice() {
        return Err(other.fault(format!(
            "\"{one}\" and \"{two}\" are in the file, and either may be the piece; write Q for a piece"
        )));
    }
    let Some(&(&piece, cell)) = others.first() else { return Ok(letters) };
    if only_letters {
        return Err(cell.fault(format!(
            "\"{piece}\" may be a piece or a number; --as picture reads a drawing, --as heights, tuples or flat numbers"
        )));
    }
    match empties.as_slice() {
        [_, (sign, other), ..] => Err(other.fault(format!(
            "\"{sign}\" and \"{}\" may both be empty squares, or one of them something else; write Q for a piece",
            empties[0].0
        ))),
        [] if piece != '1' => Err(cell.fault(format!("\"{piece}\" stands on every square; write Q for a piece"))),
        _ => Ok(vec![piece]),
    }
}

/// Returns the sign that stands first in the file.
fn earliest<'c>(signs: impl Iterator<Item = (&'c char, &'c &'c Cell)>) -> Option<(&'c char, &'c &'c Cell)> {
    signs.min_by_key(|(_, cell)| (cell.line, cell.column))
}

fn not_a_sign(cell: &Cell) -> CertificateError {
    cell.fault(match cell.text.as_str() {
        "x" => "\"x\" marks an attacked square, and the file has no piece (Q)".to_owned(),
        text => format!(
            "\"{}\" is not a sign of a picture here: Q, q, ♕ or ♛ is a piece, and ., _, - or 0 an empty square; or 1 a piece and 0 an \
             empty square; numbers of squares are read with --as tuples, flat or heights",
            text.escape_debug()
        ),
    })
}

/// State of reading the boards of a text.
struct Reader<'b> {
    shape: &'b Shape,
    board: &'b Board,
    signs: Signs,
    sets: Vec<Set>,
    stated: Stated,
    open: Option<OpenBoard>,
}

/// Board of which some rows were read.
struct OpenBoard {
    set: Set,
    /// For each layer whether it has been read.
    read: Vec<bool>,
    /// Layers that stand side by side in the rows that follow.
    group: Vec<usize>,
    /// Next row of these.
    row: usize,
    /// Whether layers have titles.
    titled: bool,
    /// Whether an empty line may come before the next row.
    broken: bool,
}

impl Reader<'_> {
    fn take(&mut self, item: &Item) -> Result<(), CertificateError> {
        match item {
            Item::Row(cells) => self.take_row(cells),
            Item::Titles(line, titles) => self.take_titles(*line, titles),
            Item::Break => {
                if let Some(open) = &mut self.open {
                    open.broken = true;
                }
                Ok(())
            }
            Item::Words => self.end_board(None),
            Item::Heading { line, pieces, .. } => {
                self.end_board(None)?;
                pieces.map_or(Ok(()), |pieces| self.stated.heading(*line, pieces))
            }
            Item::Squares(line, _) => {
                Err(fault(*line, 1, "a list of squares is next to a drawing".to_owned()))
            }
        }
    }

    fn rows(&self, layer: usize) -> &[Vec<Square>] {
        &self.shape.layers[layer].1
    }

    /// Skips rows that have no square in any layer of the group; returns `true` if the group is complete.
    fn skip_holes(&mut self) -> bool {
        let Some(mut open) = self.open.take() else { return false };
        let rows = open.group.first().map_or(0, |&layer| self.rows(layer).len());
        while open.row < rows && open.group.iter().all(|&layer| self.rows(layer)[open.row].is_empty()) {
            open.row += 1;
        }
        let is_complete = open.row == rows;
        self.open = Some(open);
        is_complete
    }

    fn begin(&mut self, line: usize, titled: bool) {
        let read = vec![false; self.shape.layers.len()];
        let set = Set { line, squares: Vec::new() };
        self.open = Some(OpenBoard { set, read, group: Vec::new(), row: 0, titled, broken: true });
    }

    fn take_titles(&mut self, line: usize, titles: &[Vec<u32>]) -> Result<(), CertificateError> {
        if self.open.as_ref().is_some_and(|open| open.read.iter().all(|read| *read)) {
            self.end_board(None)?;
        }
        self.end_group(line)?;
        if self.open.is_none() {
            self.begin(line, true);
        }
        let mut group = Vec::new();
        let open = self.open.as_mut().expect("a board was begun");
        if !open.titled {
            return Err(fault(line, 1, "a layer with a title follows layers without one".to_owned()));
        }
        for title in titles {
            let words: Vec<String> = title.iter().map(u32::to_string).collect();
            let layer = self.shape.layers.iter().position(|(fixed, _)| fixed == title).ok_or_else(|| {
                fault(line, 1, format!("{} has no layer ({},*,*)", self.board.name(), words.join(",")))
            })?;
            if open.read[layer] || group.contains(&layer) {
                return Err(fault(
                    line,
                    1,
                    format!("the layer ({},*,*) stands here a second time", words.join(",")),
                ));
            }
            group.push(layer);
        }
        (open.group, open.row, open.broken) = (group, 0, true);
        Ok(())
    }

    /// Ends the layers that are being read, which must be complete.
    fn end_group(&mut self, line: usize) -> Result<(), CertificateError> {
        let is_complete = self.skip_holes();
        let Some(open) = &mut self.open else { return Ok(()) };
        if open.group.is_empty() {
            return Ok(());
        }
        if !is_complete {
            let rows = open.row;
            let words = format!(
                "the layer or board ends after {rows} rows, which are too few for {}",
                self.board.name()
            );
            return Err(fault(line, 1, words));
        }
        for layer in open.group.drain(..) {
            open.read[layer] = true;
        }
        open.row = 0;
        Ok(())
    }

    /// Ends a board, which must be complete.
    fn end_board(&mut self, line: Option<usize>) -> Result<(), CertificateError> {
        let Some(open) = &self.open else { return Ok(()) };
        let line = line.unwrap_or(open.set.line);
        self.end_group(line)?;
        let Some(open) = self.open.take() else { return Ok(()) };
        let found = open.read.iter().filter(|read| **read).count();
        if found != open.read.len() {
            let words = format!(
                "{found} layers found in the board, {} expected on {}",
                open.read.len(),
                self.board.name()
            );
            return Err(fault(line, 1, words));
        }
        self.stated.placement(open.set.squares.len())?;
        self.sets.push(open.set);
        Ok(())
    }

    fn take_row(&mut self, cells: &[Cell]) -> Result<(), CertificateError> {
        let at = &cells[0];
        let is_complete = self.skip_holes();
        let (titled, broken) = self.open.as_ref().map_or((false, true), |open| (open.titled, open.broken));
        if titled && (is_complete || self.open.as_ref().is_some_and(|open| open.group.is_empty())) {
            return Err(at.fault(format!("a row too many for the layers above on {}", self.board.name())));
        }
        if !titled {
            let holes = |open: &OpenBoard| {
                open.row > 0 && open.group.iter().all(|&layer| self.rows(layer)[open.row - 1].is_empty())
            };
            let in_board = self.open.as_ref().is_some_and(|open| !open.group.is_empty() && open.row > 0);
            if in_board && !is_complete && broken && !self.open.as_ref().is_some_and(holes) {
                let words =
                    format!("an empty line stands before this row, inside a layer of {}", self.board.name());
                return Err(at.fault(words));
            }
            if is_complete || self.open.is_none() {
                if !broken {
                    let words = format!(
                        "a row too many for {}; an empty line separates layers and boards",
                        self.board.name()
                    );
                    return Err(at.fault(words));
                }
                self.end_group(at.line)?;
                if self.open.as_ref().is_some_and(|open| open.read.iter().all(|read| *read)) {
                    self.end_board(None)?;
                }
                if self.open.is_none() {
                    self.begin(at.line, false);
                }
                let open = self.open.as_mut().expect("a board was begun");
                let next = open.read.iter().position(|read| !read).expect("a board with all layers is ended");
                (open.group, open.row) = (vec![next], 0);
                self.skip_holes();
            }
        }
        let open = self.open.as_mut().expect("a board was begun");
        open.broken = false;
        let squares: Vec<Square> = open
            .group
            .iter()
            .flat_map(|&layer| self.shape.layers[layer].1[open.row].iter().copied())
            .collect();
        if squares.len() != cells.len() {
            let (found, name) = (cells.len(), self.board.name());
            return Err(at.fault(format!(
                "{found} signs found in the row, {} expected here on {name}",
                squares.len()
            )));
        }
        for (cell, square) in cells.iter().zip(squares) {
            match &self.signs {
                Signs::Pieces(pieces) => {
                    if cell.sign().is_some_and(|sign| pieces.contains(&sign)) {
                        open.set.squares.push(self.board.coordinates(square));
                    }
                }
                Signs::Numbers(numbers) => {
                    if let Some(number) = numbers.of_cell(cell)? {
                        let mut coordinates = self.board.coordinates(square);
                        *coordinates.last_mut().expect("a square has coordinates") = number;
                        open.set.squares.push(coordinates);
                    }
                }
            }
        }
        open.row += 1;
        Ok(())
    }
}

impl Numbers {
    /// Returns the number in a cell, counted from 0.
    fn of_cell(&self, cell: &Cell) -> Result<Option<u32>, CertificateError> {
        match cell.text.as_str() {
            "." | "_" | "-" | "·" | " " => Ok(None),
            "0" if self.zero_is_empty => Ok(None),
            text => match text.parse::<u32>() {
                Ok(number) if (1..=self.most).contains(&number) && !text.starts_with(['+', '0']) => {
                    Ok(Some(number - 1))
                }
                _ => Err(cell.fault(format!(
                    "a cell must be an integer from 1 to {}, or empty (., - or _), not \"{}\"",
                    self.most,
                    text.escape_debug()
                ))),
            },
        }
    }
}

/// Splits a text into its parts.
fn items(text: &str) -> Result<Vec<Item>, CertificateError> {
    let mut items = Vec::new();
    let has_bars = text.contains(is_bar);
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            items.push(Item::Break);
        } else if trimmed.starts_with('#') {
            let is_piece = |c: char| is_letter(c) || PLAIN.contains(&c);
            if words(trimmed) == 0 && trimmed.contains(is_piece) {
                let column = column_of(line, trimmed);
                let words = "\"#\" begins a comment, and a piece may are in this line; \"#\" is not a sign of a picture";
                return Err(fault(number, column, words.to_owned()));
            }
        } else if trimmed.starts_with(['[', '{']) {
            let mut list = vec![(number, line)];
            let mut depth = Depth::default();
            depth.add(line);
            while depth.is_open() {
                let Some(next) = lines.next() else { break };
                depth.add(next.1);
                list.push(next);
            }
            lists(&list, &mut items)?;
        } else if let Some(titles) = titles(trimmed) {
            items.push(Item::Titles(number, titles));
        } else if let Some(squares) = squares(trimmed) {
            items.push(Item::Squares(number, squares));
        } else if is_rule(trimmed, has_bars) {
            // A rule belongs to the rows beside it.
        } else if let Some((board, pieces)) = heading(trimmed) {
            items.push(Item::Heading { line: number, board, pieces });
        } else if is_words(trimmed) {
            items.push(Item::Words);
        } else {
            let cells = row(line, number)?;
            if cells.is_empty() {
                return Err(fault(number, column_of(line, trimmed), "this row has no sign".to_owned()));
            }
            items.push(Item::Row(cells));
        }
    }
    Ok(items)
}

/// Returns the column at which a part of a line begins, counted from 1.
fn column_of(line: &str, part: &str) -> usize {
    line[..part.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1
}

/// Returns the coordinates that titles such as `(0,1,*,*)  (0,2,*,*)` fix.
fn titles(line: &str) -> Option<Vec<Vec<u32>>> {
    let title = |word: &str| {
        let fixed = word.strip_prefix('(')?.strip_suffix(",*,*)")?;
        fixed.split(',').map(plain_number).collect()
    };
    line.split_whitespace().map(title).collect()
}

/// Returns the squares of a list such as `(0,1) (1,3)`.
fn squares(line: &str) -> Option<Vec<Vec<u32>>> {
    let square =
        |word: &str| word.strip_prefix('(')?.strip_suffix(')')?.split(',').map(plain_number).collect();
    line.split_whitespace().map(square).collect()
}

fn plain_number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|_| word.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Returns `true` for a bar between cells.
fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '║' | '┃')
}

/// Returns `true` for a rule between rows, such as `+---+---+`, `----+----` or `|---|---|`, in a file whose rows have bars.
fn is_rule(line: &str, has_bars: bool) -> bool {
    let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    let dashes =
        |part: &str| part.chars().count() > 1 && part.chars().all(|c| matches!(c, '-' | '=' | '─' | '═'));
    if line.contains(is_bar) {
        return line.trim_matches(is_bar).split(is_bar).all(dashes);
    }
    has_bars && line.chars().all(|c| matches!(c, '+' | '-' | '=' | ' ') || is_drawn(c))
}

/// Returns the board and the number of pieces of a heading such as `4 queens on 4^2: optimal` or `alpha(4^2) = 4: proved`.
fn heading(line: &str) -> Option<(String, Option<usize>)> {
    if let Some(rest) = line.strip_prefix("alpha(") {
        let (board, _) = rest.split_once(')')?;
        return Some((board.to_owned(), None));
    }
    let words: Vec<&str> = line.split(' ').collect();
    let on = words.iter().position(|word| *word == "on").filter(|&on| on >= 2)?;
    let board = words.get(on + 1)?.trim_end_matches([',', ':', ';', '.']);
    let pieces: usize = words[on - 2].parse().ok()?;
    let is_word = words[on - 1].len() > 1 && words[on - 1].chars().all(char::is_alphabetic);
    let is_board = board.contains(|c: char| c.is_ascii_digit()) || board.contains(':');
    // Other lines state a number that was asked for.
    let is_shown = on == 2 || words[..on - 2].ends_with(&["complete", "to"]);
    (is_word && is_board).then(|| (board.to_owned(), is_shown.then_some(pieces)))
}

/// Returns the number of words with three letters or more that are no signs.
fn words(line: &str) -> usize {
    let is_sign = |c: char| is_letter(c) || MARKS.contains(&c);
    let words = line.split(|c: char| !c.is_alphabetic());
    words.filter(|word| word.chars().filter(|&c| !is_sign(c)).count() >= 3).count()
}

/// Returns `true` for a line of words: no row of signs has words in it.
fn is_words(line: &str) -> bool {
    let words = words(line);
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let all = line.chars().filter(|c| !c.is_whitespace()).count();
    let has_piece = line.split_whitespace().any(|word| word.chars().all(is_letter));
    !has_piece && (words >= 2 && 3 * letters >= all || words >= 1 && 3 * letters >= 2 * all)
}

/// Splits a row into its cells.
fn row(line: &str, number: usize) -> Result<Vec<Cell>, CertificateError> {
    let cell =
        |part: &str| Cell { text: sign_of(part).to_owned(), line: number, column: column_of(line, part) };
    let blank = |part: &str| Cell { text: BLANK.to_string(), line: number, column: column_of(line, part) };
    let trimmed = line.trim();
    if trimmed.contains(is_bar) {
        let is_framed =
            trimmed.starts_with(is_bar) && trimmed.ends_with(is_bar) && trimmed.chars().count() > 1;
        let inner = if is_framed {
            let first = trimmed.chars().next().map_or(0, char::len_utf8);
            let last = trimmed.chars().next_back().map_or(0, char::len_utf8);
            &trimmed[first..trimmed.len() - last]
        } else {
            trimmed
        };
        let parts: Vec<&str> = inner.split(is_bar).collect();
        if parts.iter().all(|part| part.trim().chars().count() <= 1 && (is_framed || !part.trim().is_empty()))
        {
            let one = |part: &&str| if part.trim().is_empty() { blank(part) } else { cell(part.trim()) };
            return Ok(parts.iter().map(one).collect());
        }
        // Bars between groups, as in a Sudoku: each group has its cells, blanks apart or not.
        let mut cells = Vec::new();
        for part in parts {
            cells.extend(signs(part.trim(), line, number)?);
        }
        return Ok(cells);
    }
    if let Some(separator) = [',', ';', '\t'].into_iter().find(|&separator| trimmed.contains(separator)) {
        let parts: Vec<&str> = trimmed.split(separator).map(str::trim).collect();
        return parts
            .into_iter()
            .map(|part| match part.is_empty() {
                true => Err(fault(number, column_of(line, part), "a cell is empty here".to_owned())),
                false => Ok(cell(unquoted(part))),
            })
            .collect();
    }
    signs(trimmed, line, number)
}

/// Splits signs that stand blanks apart, or close together.
fn signs(part: &str, line: &str, number: usize) -> Result<Vec<Cell>, CertificateError> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let at =
        |text: &str, part: &str| Cell { text: text.to_owned(), line: number, column: column_of(line, part) };
    let is_number = |word: &&str| word.len() > 1 && word.bytes().all(|digit| digit.is_ascii_digit());
    let is_single = |word: &&str| word.chars().count() == 1;
    match words.as_slice() {
        [word] => Ok(word.char_indices().map(|(i, c)| at(c.encode_utf8(&mut [0; 4]), &word[i..])).collect()),
        words if words.iter().all(|word| is_single(word) || is_number(word) || sign_of(word) != *word) => {
            Ok(words.iter().map(|word| at(sign_of(word), word)).collect())
        }
        words => {
            let odd = words.iter().find(|word| !is_single(word)).copied().unwrap_or(part);
            let words = format!(
                "\"{}\" is in a row of several groups; signs are all close together or all separated by blanks, and layers one below the \
                 other unless they have titles",
                odd.escape_debug()
            );
            Err(fault(number, column_of(line, odd), words))
        }
    }
}

fn unquoted(word: &str) -> &str {
    let quoted = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    quoted('"').or_else(|| quoted('\'')).unwrap_or(word)
}

/// Returns the sign of a number or truth value as other programs print it, such as `1.` or `True`, else the word.
fn sign_of(word: &str) -> &str {
    match word {
        "0." | "0.0" | "False" | "false" => "0",
        "1." | "1.0" | "True" | "true" => "1",
        word => word,
    }
}

/// Number of brackets that are open.
#[derive(Default)]
struct Depth {
    depth: i64,
    quote: Option<char>,
}

impl Depth {
    fn add(&mut self, line: &str) {
        for c in line.chars() {
            match (c, self.quote) {
                (c, Some(quote)) if c == quote => self.quote = None,
                (_, Some(_)) => {}
                ('"' | '\'', None) => self.quote = Some(c),
                ('[' | '{' | '(', None) => self.depth += 1,
                (']' | '}' | ')', None) => self.depth -= 1,
                _ => {}
            }
        }
    }

    fn is_open(&self) -> bool {
        self.depth > 0 || self.quote.is_some()
    }
}

/// Value in a list.
enum Value {
    List(Vec<Value>),
    /// Word or quoted text, with the cells that it stands for.
    Text(Vec<Cell>),
}

/// Adds the rows of nested lists, with a break after each list of rows.
fn lists(lines: &[(usize, &str)], items: &mut Vec<Item>) -> Result<(), CertificateError> {
    let mut stack: Vec<(char, Vec<Value>)> = Vec::new();
    let mut done = Vec::new();
    for &(number, line) in lines {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let here = |words: String| fault(number, column_of(line, rest), words);
            let after = &rest[c.len_utf8()..];
            let value = match c {
                '[' | '{' | '(' => {
                    stack.push((c, Vec::new()));
                    rest = after;
                    continue;
                }
                ']' | '}' | ')' => {
                    let (open, values) =
                        stack.pop().ok_or_else(|| here(format!("\"{c}\" closes nothing")))?;
                    if !matches!((open, c), ('[', ']') | ('{', '}') | ('(', ')')) {
                        return Err(here(format!("\"{c}\" closes \"{open}\"")));
                    }
                    rest = after;
                    Value::List(values)
                }
                '"' | '\'' => {
                    let end = after.find(c).ok_or_else(|| here(format!("{c} is not closed in its line")))?;
                    let text = &after[..end];
                    if text.contains('\\') || text.trim().is_empty() {
                        return Err(here("a text between quotes is a row of signs".to_owned()));
                    }
                    rest = &after[end + 1..];
                    Value::Text(signs(text.trim(), line, number)?)
                }
                c if c.is_whitespace() || c == ',' || c == ';' => {
                    rest = after;
                    continue;
                }
                _ => {
                    let end = rest
                        .find(|c: char| {
                            c.is_whitespace()
                                || matches!(c, ',' | ';' | '[' | ']' | '{' | '}' | '(' | ')' | '"' | '\'')
                        })
                        .unwrap_or(rest.len());
                    let word = &rest[..end];
                    let column = column_of(line, word);
                    rest = &rest[end..];
                    Value::Text(vec![Cell { text: sign_of(word).to_owned(), line: number, column }])
                }
            };
            match stack.last_mut() {
                Some((_, values)) => values.push(value),
                None => done.push((number, value)),
            }
        }
    }
    let last = lines.last().expect("a list has lines");
    if !stack.is_empty() {
        return Err(fault(
            last.0,
            last.1.chars().count() + 1,
            "the list is not closed: a bracket is missing".to_owned(),
        ));
    }
    for (number, value) in done {
        let first = items.len();
        if let Value::Text(cells) = &value {
            return Err(cells.first().map_or_else(
                || fault(number, 1, "empty".to_owned()),
                |cell| cell.fault("a word stands outside the list"),
            ));
        }
        add_rows(value, number, items)?;
        // A list that is one row belongs to the rows beside it.
        if items.len() - first > 1 {
            items.push(Item::Break);
        }
    }
    Ok(())
}

/// Adds the rows of a value: a text of several signs is a row, and so is a list of single signs.
fn add_rows(value: Value, line: usize, items: &mut Vec<Item>) -> Result<(), CertificateError> {
    match value {
        Value::Text(cells) => items.push(Item::Row(cells)),
        Value::List(values) if values.is_empty() => {
            return Err(fault(line, 1, "a list in the file is empty".to_owned()));
        }
        Value::List(values) => {
            let is_single = |value: &Value| matches!(value, Value::Text(cells) if cells.len() == 1);
            if values.iter().all(is_single) {
                let cells = values
                    .into_iter()
                    .flat_map(|value| if let Value::Text(cells) = value { cells } else { Vec::new() });
                items.push(Item::Row(cells.collect()));
                return Ok(());
            }
            let are_rows = values.iter().all(|value| match value {
                Value::Text(_) => true,
                Value::List(inner) => !inner.is_empty() && inner.iter().all(is_single),
            });
            let is_nested = values.iter().all(|value| matches!(value, Value::List(_)));
            if !are_rows && !is_nested {
                return Err(fault(line, 1, "a list holds rows and lists of rows side by side".to_owned()));
            }
            for value in values {
                add_rows(value, line, items)?;
                if !are_rows {
                    items.push(Item::Break);
                }
            }
            if are_rows {
                items.push(Item::Break);
            }
        }
    }
    Ok(())
}

/// Writes the squares of a certificate as a picture that is read back.
pub(super) fn write(certificate: &Certificate, board: &Board) -> Result<String, Inexpressible> {
    let layout =
        board.layout().ok_or_else(|| Inexpressible::NoPicture { board: certificate.board.clone() })?;
    let shape = Shape::of_layers(&layout);
    let mut occupied = HashSet::new();
    for square in &certificate.squares {
        let number = board.square(square).ok_or_else(|| Inexpressible::OffBoard {
            square: square.clone(),
            board: certificate.board.clone(),
            convention: Convention::Picture,
        })?;
        occupied.insert(number);
    }
    let mut text = String::new();
    let is_titled = shape.layers.len() > 1;
    for (at, (fixed, rows)) in shape.layers.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        if is_titled {
            let fixed: Vec<String> = fixed.iter().map(u32::to_string).collect();
            let _ = writeln!(text, "({},*,*)", fixed.join(","));
        }
        for row in rows {
            let mut line = String::new();
            for square in row {
                let column =
                    *layout.places[*square as usize].last().expect("a place has coordinates") as usize;
                while line.chars().count() < column {
                    line.push(' ');
                }
                line.push(if occupied.contains(square) { 'Q' } else { '.' });
            }
            text += &line;
            text.push('\n');
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
