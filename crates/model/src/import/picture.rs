//! Pictures of placements: boards drawn with one sign for each square.
//!
//! A picture shows the squares of a board row by row. Accepted forms:
//!
//! - rows of signs, with or without blanks between them: `.Q..`, `. Q . .`; or with bars: `|_|Q|_|_|`,
//!   `| | Q | | |`; or with commas, semicolons or tabs: `0,1,0,0`;
//! - nested lists with square brackets or braces, as JSON, Python, numpy or C write them: `[".Q..", ...]`,
//!   `[[0, 1, 0, 0], ...]`, `[['.' 'Q' '.' '.'] ...]`;
//! - the output of `ndq draw`, `ndq find`, `ndq solve` and `ndq prove`, with its headings and with the titles
//!   of layers, such as `(0,*,*)`, side by side or one below the other; lists of squares such as
//!   `(0,1) (1,3)` above or below a heading that names the board; and the grid of numbers of a Sudoku.
//!
//! Signs of a piece: `Q`, `q`, `♕`, `♛`, and `!` (a piece that attacks another one in the drawings of ndq);
//! on boards of rooks also `R`, `r`, `♖`, `♜`, of bishops `B`, `b`, `♗`, `♝`, of knights `N`, `♘`, `♞`, of
//! kings `K`, `♔`, `♚`, and of superqueens `S`. If the file contains one of these, each of `.`, `_`, `-`,
//! `0`, `·`, `*`, `+`, `x`, `X`, `□`, `■` is a square without a piece, and any other sign is rejected.
//! Otherwise the piece is the only one of `1`, `X` and `*` in the file, and the empty square is the only one
//! of `.`, `_`, `-`, `0` and `·`; files with two of either kind are rejected.
//!
//! An empty line, or a line of words, separates layers of a board and boards of a file. Layers are in
//! lexicographic order of their coordinates unless they have titles. Lines of words, lines that start with
//! `#` and rules such as `+---+---+` are skipped.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use ndqueens_notation::certificate::{Certificate, CertificateError, certificate_error};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, Leaper, OpenFile, Piece};

use super::convention::Inexpressible;
use super::signature::{ParserInput, Placements, WriterInput};
use crate::board::{Board, Form, Layout, Square};

/// Largest number of squares of a board that is read from a picture.
const MAX_SQUARES: usize = 1 << 22;

/// Signs of a queen.
const QUEENS: [char; 5] = ['Q', 'q', '♕', '♛', '!'];
/// Signs of a rook.
const ROOKS: [char; 4] = ['R', 'r', '♖', '♜'];
/// Signs of a bishop.
const BISHOPS: [char; 4] = ['B', 'b', '♗', '♝'];
/// Signs of a knight. Lower-case letters are left out here and below, since they occur as words.
const KNIGHTS: [char; 3] = ['N', '♘', '♞'];
/// Signs of a king.
const KINGS: [char; 3] = ['K', '♔', '♚'];
/// Signs of a superqueen.
const SUPERQUEENS: [char; 1] = ['S'];

/// Signs of an empty square in all files.
const EMPTY: [char; 5] = ['.', '_', '-', '0', '·'];

/// Signs of a square without a piece in files whose pieces are letters.
const MARKS: [char; 6] = ['*', '+', 'x', 'X', '□', '■'];

/// Signs of a piece in files whose pieces are not letters.
const PLAIN: [char; 3] = ['1', 'X', '*'];

/// Sign of an empty cell between bars.
const BLANK: char = ' ';

/// Cell of a row.
#[derive(Debug, Clone)]
struct PictureCell {
    /// Text of the cell, one sign unless it is a number.
    text: String,
    line: usize,
    column: usize,
}

impl PictureCell {
    /// Returns the text if it is a single sign.
    fn sign(&self) -> Option<char> {
        let mut signs = self.text.chars();
        signs.next().filter(|_| signs.next().is_none())
    }

    /// Creates an error located at the cell.
    fn fault(&self, words: impl Into<String>) -> CertificateError {
        certificate_error(self.line, self.column, words.into())
    }
}

/// Part of a text.
#[derive(Debug)]
enum PictureItem {
    /// Row of cells; not empty.
    Row(Vec<PictureCell>),
    /// Line of titles of the layers that follow side by side: the coordinates that each layer fixes.
    Titles(usize, Vec<Vec<u32>>),
    /// Line that names the board, and in some forms the number of pieces.
    Heading { line: usize, board: String, pieces: Option<usize> },
    /// Line of squares, listed by their coordinates.
    Squares(usize, Vec<Vec<u32>>),
    /// Empty line, or the end of a list of rows.
    Break,
    /// Line of words.
    Words,
}

/// Returns `true` if a text is a picture that shows pieces by letters, output of `ndq`, or a grid with bars
/// if the given board is a Sudoku.
pub(super) fn is_picture(text: &str, board: Option<&BoardName>) -> bool {
    if matches!(board, Some(BoardName::Sudoku(_) | BoardName::SudokuX(_))) && text.contains(is_bar) {
        return true;
    }
    let is_piece = |cell: &PictureCell| cell.sign().is_some_and(is_letter);
    match split_items(text) {
        Ok(items) => items.iter().any(|item| match item {
            PictureItem::Row(cells) => cells.iter().any(is_piece),
            PictureItem::Heading { .. } => true,
            _ => false,
        }),
        // An error in one line does not prevent the other lines from being rows.
        Err(_) => text.lines().any(|line| {
            split_row(line, 1).is_ok_and(|cells| {
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

/// Returns `true` for a letter or symbol of a piece of any kind.
fn is_letter(sign: char) -> bool {
    let others = [&ROOKS[..], &BISHOPS, &KNIGHTS, &KINGS, &SUPERQUEENS];
    QUEENS.contains(&sign) || others.iter().any(|letters| letters.contains(&sign))
}

/// Parses all placements of a picture.
///
/// # Errors
/// Returns an error if the board is neither given nor determined by the picture, or if the picture is not one
/// of that board.
pub(super) fn parse(input: &ParserInput<'_>) -> Result<Placements, CertificateError> {
    parse_pictures(input, false)
}

/// Parses all placements of a picture in which pieces are letters.
///
/// # Errors
/// Returns an error under the conditions of [`parse`], or if pieces are not letters.
pub(super) fn parse_letters(input: &ParserInput<'_>) -> Result<Placements, CertificateError> {
    parse_pictures(input, true)
}

/// Parses all placements of a picture. If `only_letters` is set, pieces must be letters.
fn parse_pictures(input: &ParserInput<'_>, only_letters: bool) -> Result<Placements, CertificateError> {
    let &ParserInput { text, board, open, .. } = input;
    let items = split_items(text)?;
    let name = match board {
        Some(board) => board.clone(),
        None => board_of_headings(&items, open)?.map_or_else(|| infer_board(&items), Ok)?,
    };
    for item in &items {
        if let PictureItem::Heading { line, board, .. } = item
            && BoardName::parse_with(board, open).is_ok_and(|heading| heading != name)
        {
            return Err(certificate_error(
                *line,
                1,
                format!("the heading names the board {board}, not {name}"),
            ));
        }
    }
    let board = Board::new(&name);
    if board.size() > MAX_SQUARES {
        let words =
            format!("{name} has {} squares; pictures of at most {MAX_SQUARES} are read", board.size());
        return Err(certificate_error(1, 1, words));
    }
    let sets = if items.iter().any(|item| matches!(item, PictureItem::Squares(..))) {
        read_lists(&items)?
    } else {
        read_drawings(&items, &board, only_letters)?
    };
    let certificate = |squares| Certificate::independent(name.clone(), squares, "imported, picture");
    Ok(sets.into_iter().map(|set| (set.line, certificate(set.squares))).collect())
}

/// Returns the board that the headings name, or `None` if no heading names one.
///
/// # Errors
/// Returns an error if two headings name different boards.
fn board_of_headings(
    items: &[PictureItem],
    open: OpenFile<'_>,
) -> Result<Option<BoardName>, CertificateError> {
    let mut found: Option<BoardName> = None;
    for item in items {
        let PictureItem::Heading { line, board, .. } = item else { continue };
        let Ok(board) = BoardName::parse_with(board, open) else { continue };
        if let Some(before) = found.as_ref().filter(|before| **before != board) {
            let words = format!("the heading names the board {board}, and one above it {before}");
            return Err(certificate_error(*line, 1, words));
        }
        found = Some(board);
    }
    Ok(found)
}

/// Rows of one block of a picture.
struct Block<'i> {
    rows: Vec<&'i [PictureCell]>,
    /// `true` if words stand before the block.
    worded: bool,
}

/// Blocks of rows and titles of layers in a picture.
#[derive(Default)]
struct Outline<'i> {
    blocks: Vec<Block<'i>>,
    titles: Vec<&'i [u32]>,
    /// Number of layers that stand side by side.
    abreast: usize,
}

fn several_boards(line: usize, words: &str) -> CertificateError {
    certificate_error(line, 1, format!("{words}; name the board with --board"))
}

/// Returns the plain box of queens with the shape of the picture.
///
/// # Errors
/// Returns an error if several boards have the shape of the picture, or no box has.
fn infer_board(items: &[PictureItem]) -> Result<BoardName, CertificateError> {
    let outline = Outline::of(items)?;
    let Some(first) = outline.blocks.first() else {
        return Err(certificate_error(1, 1, "there is no row of signs".to_owned()));
    };
    let sides = if outline.titles.is_empty() {
        infer_rectangle(first, &outline.blocks)?
    } else {
        outline.infer_layers(first)?
    };
    Ok(BoardName::queen(&sides))
}

impl<'i> Outline<'i> {
    fn of(items: &'i [PictureItem]) -> Result<Self, CertificateError> {
        let mut outline = Self { abreast: 1, ..Self::default() };
        let (mut is_open, mut worded) = (false, true);
        for item in items {
            match item {
                PictureItem::Row(cells) if is_open => {
                    outline.blocks.last_mut().expect("an open block").rows.push(cells);
                }
                PictureItem::Row(cells) => {
                    outline.blocks.push(Block { rows: vec![cells], worded });
                    (is_open, worded) = (true, false);
                }
                PictureItem::Titles(line, here) => {
                    if outline.titles.is_empty() {
                        outline.abreast = here.len();
                    } else if here.len() > outline.abreast {
                        return Err(several_boards(*line, "layers stand side by side in different numbers"));
                    }
                    outline.titles.extend(here.iter().map(Vec::as_slice));
                    is_open = false;
                }
                PictureItem::Break => is_open = false,
                PictureItem::Words | PictureItem::Heading { .. } => (is_open, worded) = (false, true),
                PictureItem::Squares(line, _) => {
                    return Err(several_boards(*line, "a list of squares does not name its board"));
                }
            }
        }
        Ok(outline)
    }

    /// Returns the sides of a box with titles for all of its layers.
    fn infer_layers(&self, first: &Block<'_>) -> Result<Vec<u32>, CertificateError> {
        let (titles, rows, line) = (&self.titles, first.rows.len(), first.rows[0][0].line);
        let dimension = titles[0].len();
        let side = |axis| titles.iter().filter_map(|title| title.get(axis)).max();
        let mut sides: Vec<u32> =
            (0..dimension).map(|axis| side(axis).map_or(1, |last| last.saturating_add(1))).collect();
        let all = sides.iter().map(|&side| u64::from(side)).product::<u64>();
        let columns = first.rows[0].len() / self.abreast;
        if titles.iter().any(|title| title.len() != dimension) || all != titles.len() as u64 || columns == 0 {
            return Err(several_boards(line, "the titles are not those of all layers of one box"));
        }
        if sides == [6] && rows == columns {
            return Err(several_boards(line, "six square layers are a box or a board for three players"));
        }
        sides.extend([rows as u32, columns as u32]);
        Ok(sides)
    }
}

/// Returns the sides of the boards that all blocks draw.
fn infer_rectangle(first: &Block<'_>, blocks: &[Block<'_>]) -> Result<Vec<u32>, CertificateError> {
    let (rows, columns) = (first.rows.len(), first.rows[0].len());
    for block in blocks {
        let line = block.rows[0][0].line;
        if !block.worded {
            let words = "several blocks of rows are layers of one board or boards of their own";
            return Err(several_boards(line, words));
        }
        if let Some(other) = block.rows.iter().find(|row| row.len() != columns) {
            let signs = counted(other.len(), "sign");
            return Err(other[0].fault(format!(
                "{signs} found in the row, {columns} in the first one; if the board is no box, name it with --board"
            )));
        }
        if block.rows.len() != rows {
            return Err(several_boards(line, "this board has another number of rows than the first one"));
        }
    }
    if rows == 1 && columns > 1 {
        let line = first.rows[0][0].line;
        return Err(several_boards(line, "one row of signs may be a board of one or more axes"));
    }
    Ok(vec![rows as u32, columns as u32])
}

/// Placement that has been read, with its first line.
struct DrawnSet {
    line: usize,
    squares: Vec<Vec<u32>>,
}

/// Comparison of the numbers of pieces in headings with those of the placements. A heading belongs to the
/// placement above it, or to the one below it if no placement is above it or that one has a heading already.
#[derive(Default)]
struct StatedSizes {
    /// Line and number of a heading whose placement has not been read yet.
    ahead: Option<(usize, usize)>,
    /// Number of pieces of the last placement if it has no heading yet.
    unstated: Option<usize>,
}

impl StatedSizes {
    /// Adds a heading that states a number of pieces.
    fn add_heading(&mut self, line: usize, pieces: usize) -> Result<(), CertificateError> {
        match self.unstated.take() {
            Some(found) => Self::compare((line, pieces), found),
            None => {
                self.finish()?;
                self.ahead = Some((line, pieces));
                Ok(())
            }
        }
    }

    /// Adds a placement of `found` pieces.
    fn add_placement(&mut self, found: usize) -> Result<(), CertificateError> {
        match self.ahead.take() {
            Some(stated) => Self::compare(stated, found),
            None => {
                self.unstated = Some(found);
                Ok(())
            }
        }
    }

    /// Checks that the last heading belongs to a placement.
    fn finish(&self) -> Result<(), CertificateError> {
        self.ahead.map_or(Ok(()), |(line, stated)| {
            Err(certificate_error(
                line,
                1,
                format!("the heading states {}, and no placement belongs to it", counted(stated, "piece")),
            ))
        })
    }

    /// Checks that a heading states the number of pieces that were found.
    fn compare((line, stated): (usize, usize), found: usize) -> Result<(), CertificateError> {
        match stated == found {
            true => Ok(()),
            false => Err(certificate_error(
                line,
                1,
                format!("the heading states {}, but the placement has {found}", counted(stated, "piece")),
            )),
        }
    }
}

/// Reads the placements of lists of squares.
fn read_lists(items: &[PictureItem]) -> Result<Vec<DrawnSet>, CertificateError> {
    let (mut sets, mut stated): (Vec<DrawnSet>, _) = (Vec::new(), StatedSizes::default());
    let headless = |line: usize| {
        let words = "a list of squares needs a heading such as \"4 queens on 4^2\" above or below it; lists without one are \
                     read with --as tuples (counted from 0) or --as tuples1 (from 1)";
        Err(certificate_error(line, 1, words.to_owned()))
    };
    for item in items {
        match item {
            PictureItem::Squares(line, _) if stated.unstated.is_some() => return headless(*line),
            PictureItem::Squares(line, squares) => {
                stated.add_placement(squares.len())?;
                sets.push(DrawnSet { line: *line, squares: squares.clone() });
            }
            PictureItem::Heading { line, pieces: Some(pieces), .. } => stated.add_heading(*line, *pieces)?,
            PictureItem::Row(cells) => {
                return Err(cells[0].fault("a list of squares and a drawing are in one file"));
            }
            PictureItem::Titles(line, _) => {
                return Err(certificate_error(
                    *line,
                    1,
                    "a list of squares and a drawing are in one file".to_owned(),
                ));
            }
            PictureItem::Words | PictureItem::Break | PictureItem::Heading { .. } => {}
        }
    }
    stated.finish()?;
    match (stated.unstated, sets.last()) {
        (Some(_), Some(last)) => headless(last.line),
        _ => Ok(sets),
    }
}

/// Squares of a board by layer and row, in the order of a drawing.
struct PictureShape {
    /// Coordinates that each layer fixes, and the squares of its rows.
    layers: Vec<(Vec<u32>, Vec<Vec<Square>>)>,
}

impl PictureShape {
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
        // Layers without a square are part of a drawing, too.
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

    /// Returns one layer with the rows of a drawing in the plane, or `None` if the board has no such drawing.
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

/// Reads the placements of drawings.
fn read_drawings(
    items: &[PictureItem],
    board: &Board,
    only_letters: bool,
) -> Result<Vec<DrawnSet>, CertificateError> {
    let name = board.name();
    let layout = board.layout().ok_or_else(|| {
        certificate_error(
            1,
            1,
            format!(
                "{name} is a graph, which has no picture; its vertices are read with --as tuples or flat"
            ),
        )
    })?;
    let has_titles = items.iter().any(|item| matches!(item, PictureItem::Titles(..)));
    let is_numbers = matches!(layout.form, Form::Numbers { .. }) && !has_titles;
    let shape = match &layout.form {
        Form::Polygons(_) if layout.sides.len() > 2 && !has_titles => PictureShape::of_plane(&layout)
            .ok_or_else(|| {
                certificate_error(
                    1,
                    1,
                    format!("{name} is read from its layers, with titles such as (0,*,*)"),
                )
            })?,
        Form::Numbers { .. } if is_numbers => PictureShape::of_cells(&layout),
        _ => PictureShape::of_layers(&layout),
    };
    let signs = match is_numbers {
        true => Signs::Digits(DigitSigns::from_items(items, layout.sides[0])?),
        false => Signs::Pieces(piece_signs(items, board, only_letters)?),
    };
    let mut reader = PictureReader {
        shape: &shape,
        board,
        signs,
        sets: Vec::new(),
        stated: StatedSizes::default(),
        open: None,
    };
    for item in items {
        reader.add_item(item)?;
    }
    reader.end_board(None)?;
    reader.stated.finish()?;
    if reader.sets.is_empty() {
        return Err(certificate_error(1, 1, "there is no row of signs".to_owned()));
    }
    Ok(reader.sets)
}

impl PictureShape {
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
    Digits(DigitSigns),
}

/// Numbers in the cells of a Sudoku, from 1 to `most`.
struct DigitSigns {
    most: u32,
    /// `true` if `0` is an empty cell.
    zero_is_empty: bool,
}

impl DigitSigns {
    /// Determines the meaning of `0`: an empty cell if `most` occurs, so that numbers are counted from 1.
    ///
    /// # Errors
    /// Returns an error if `0` occurs and `most` does not.
    fn from_items(items: &[PictureItem], most: u32) -> Result<Self, CertificateError> {
        let mut zero_is_empty = false;
        let mut zero = None;
        for cell in row_cells(items) {
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

/// Returns the cells of all rows.
fn row_cells(items: &[PictureItem]) -> impl Iterator<Item = &PictureCell> {
    items
        .iter()
        .filter_map(|item| if let PictureItem::Row(cells) = item { Some(cells) } else { None })
        .flatten()
}

/// Returns the signs of a piece in a file.
///
/// # Errors
/// Returns an error if the file has a sign that is neither a piece nor an empty square, or if a sign may be
/// either.
fn piece_signs(
    items: &[PictureItem],
    board: &Board,
    only_letters: bool,
) -> Result<Vec<char>, CertificateError> {
    let mut first: BTreeMap<char, &PictureCell> = BTreeMap::new();
    for cell in row_cells(items) {
        let Some(sign) = cell.sign() else { return Err(unknown_sign(cell)) };
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
        return match first_in_file(first.iter().filter(|&(&sign, _)| !is_known(sign))) {
            Some((_, cell)) => Err(unknown_sign(cell)),
            None => Ok(letters),
        };
    }
    let is_empty = |sign: char| EMPTY.contains(&sign) || sign == BLANK;
    let empties: Vec<(&char, &&PictureCell)> = first.iter().filter(|(sign, _)| is_empty(**sign)).collect();
    let others: Vec<(&char, &&PictureCell)> = first.iter().filter(|(sign, _)| !is_empty(**sign)).collect();
    if let Some((_, cell)) = first_in_file(others.iter().copied().filter(|(sign, _)| !PLAIN.contains(sign))) {
        return Err(unknown_sign(cell));
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

/// Returns the sign that occurs first in the file.
fn first_in_file<'c>(
    signs: impl Iterator<Item = (&'c char, &'c &'c PictureCell)>,
) -> Option<(&'c char, &'c &'c PictureCell)> {
    signs.min_by_key(|(_, cell)| (cell.line, cell.column))
}

/// Creates the error for a sign that is neither a piece nor an empty square.
fn unknown_sign(cell: &PictureCell) -> CertificateError {
    cell.fault(match cell.text.as_str() {
        "x" => "\"x\" marks an attacked square, and the file has no piece (Q)".to_owned(),
        text => format!(
            "\"{}\" is not a sign of a picture here: Q, q, ♕ or ♛ is a piece, and ., _, - or 0 an empty square; or 1 a piece and 0 an \
             empty square; numbers of squares are read with --as tuples, flat or heights",
            text.escape_debug()
        ),
    })
}

/// Reader of the drawn boards of a text.
struct PictureReader<'b> {
    shape: &'b PictureShape,
    board: &'b Board,
    signs: Signs,
    /// Placements of complete boards.
    sets: Vec<DrawnSet>,
    stated: StatedSizes,
    /// Board that is being read.
    open: Option<OpenBoard>,
}

/// Board that is being read.
struct OpenBoard {
    set: DrawnSet,
    /// Flag for each layer: `true` if all its rows have been read.
    read: Vec<bool>,
    /// Layers that are side by side in the current rows.
    group: Vec<usize>,
    /// Next row of these layers.
    row: usize,
    /// `true` if layers have titles.
    titled: bool,
    /// `true` if an empty line or a title precedes the next row.
    broken: bool,
}

impl PictureReader<'_> {
    /// Adds the next part of the text.
    fn add_item(&mut self, item: &PictureItem) -> Result<(), CertificateError> {
        match item {
            PictureItem::Row(cells) => self.add_row(cells),
            PictureItem::Titles(line, titles) => self.add_titles(*line, titles),
            PictureItem::Break => {
                if let Some(open) = &mut self.open {
                    open.broken = true;
                }
                Ok(())
            }
            PictureItem::Words => self.end_board(None),
            PictureItem::Heading { line, pieces, .. } => {
                self.end_board(None)?;
                pieces.map_or(Ok(()), |pieces| self.stated.add_heading(*line, pieces))
            }
            PictureItem::Squares(line, _) => {
                Err(certificate_error(*line, 1, "a list of squares is next to a drawing".to_owned()))
            }
        }
    }

    /// Returns the squares of the rows of a layer.
    fn rows(&self, layer: usize) -> &[Vec<Square>] {
        &self.shape.layers[layer].1
    }

    /// Skips rows without a square in any layer of the group. Returns `true` if no row of the group is left.
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

    /// Starts a board at a line.
    fn start_board(&mut self, line: usize, titled: bool) {
        let read = vec![false; self.shape.layers.len()];
        let set = DrawnSet { line, squares: Vec::new() };
        self.open = Some(OpenBoard { set, read, group: Vec::new(), row: 0, titled, broken: true });
    }

    /// Starts the group of layers with these titles.
    fn add_titles(&mut self, line: usize, titles: &[Vec<u32>]) -> Result<(), CertificateError> {
        if self.open.as_ref().is_some_and(|open| open.read.iter().all(|read| *read)) {
            self.end_board(None)?;
        }
        self.end_group(line)?;
        if self.open.is_none() {
            self.start_board(line, true);
        }
        let mut group = Vec::new();
        let open = self.open.as_mut().expect("a board was begun");
        if !open.titled {
            return Err(certificate_error(
                line,
                1,
                "a layer with a title follows layers without one".to_owned(),
            ));
        }
        for title in titles {
            let words: Vec<String> = title.iter().map(u32::to_string).collect();
            let layer = self.shape.layers.iter().position(|(fixed, _)| fixed == title).ok_or_else(|| {
                certificate_error(
                    line,
                    1,
                    format!("{} has no layer ({},*,*)", self.board.name(), words.join(",")),
                )
            })?;
            if open.read[layer] || group.contains(&layer) {
                return Err(certificate_error(
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

    /// Ends the current group of layers.
    ///
    /// # Errors
    /// Returns an error if rows are missing.
    fn end_group(&mut self, line: usize) -> Result<(), CertificateError> {
        let is_complete = self.skip_holes();
        let Some(open) = &mut self.open else { return Ok(()) };
        if open.group.is_empty() {
            return Ok(());
        }
        if !is_complete {
            let words = format!(
                "the layer or board ends after {}, too early for {}",
                counted(open.row, "row"),
                self.board.name()
            );
            return Err(certificate_error(line, 1, words));
        }
        for layer in open.group.drain(..) {
            open.read[layer] = true;
        }
        open.row = 0;
        Ok(())
    }

    /// Ends the current board.
    ///
    /// # Errors
    /// Returns an error, located at `line` or at the first line of the board, if rows or layers are missing.
    fn end_board(&mut self, line: Option<usize>) -> Result<(), CertificateError> {
        let Some(open) = &self.open else { return Ok(()) };
        let line = line.unwrap_or(open.set.line);
        self.end_group(line)?;
        let Some(open) = self.open.take() else { return Ok(()) };
        let found = open.read.iter().filter(|read| **read).count();
        if found != open.read.len() {
            let words = format!(
                "{} found in the board, {} expected on {}",
                counted(found, "layer"),
                open.read.len(),
                self.board.name()
            );
            return Err(certificate_error(line, 1, words));
        }
        self.stated.add_placement(open.set.squares.len())?;
        self.sets.push(open.set);
        Ok(())
    }

    /// Starts the next layer or board at a row without titles if the group is complete.
    fn start_layer(
        &mut self,
        at: &PictureCell,
        is_complete: bool,
        broken: bool,
    ) -> Result<(), CertificateError> {
        let is_inside = |open: &OpenBoard| {
            let is_hole = |&layer: &usize| self.rows(layer)[open.row - 1].is_empty();
            !open.group.is_empty() && open.row > 0 && !open.group.iter().all(is_hole)
        };
        if !is_complete && broken && self.open.as_ref().is_some_and(is_inside) {
            let words =
                format!("an empty line stands before this row, inside a layer of {}", self.board.name());
            return Err(at.fault(words));
        }
        if !is_complete && self.open.is_some() {
            return Ok(());
        }
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
            self.start_board(at.line, false);
        }
        let open = self.open.as_mut().expect("a board was begun");
        let next = open.read.iter().position(|read| !read).expect("a board with all layers is ended");
        (open.group, open.row) = (vec![next], 0);
        self.skip_holes();
        Ok(())
    }

    /// Adds a row to the current group; without titles, starts the next layer or board if the group is
    /// complete.
    fn add_row(&mut self, cells: &[PictureCell]) -> Result<(), CertificateError> {
        let at = &cells[0];
        let is_complete = self.skip_holes();
        let (titled, broken) = self.open.as_ref().map_or((false, true), |open| (open.titled, open.broken));
        if titled && (is_complete || self.open.as_ref().is_some_and(|open| open.group.is_empty())) {
            return Err(at.fault(format!("a row too many for the layers above on {}", self.board.name())));
        }
        if !titled {
            self.start_layer(at, is_complete, broken)?;
        }
        let open = self.open.as_mut().expect("a board was begun");
        open.broken = false;
        let squares: Vec<Square> = open
            .group
            .iter()
            .flat_map(|&layer| self.shape.layers[layer].1[open.row].iter().copied())
            .collect();
        if squares.len() != cells.len() {
            return Err(at.fault(format!(
                "{} found in the row, {} expected here on {}",
                counted(cells.len(), "sign"),
                squares.len(),
                self.board.name()
            )));
        }
        for (cell, square) in cells.iter().zip(squares) {
            match &self.signs {
                Signs::Pieces(pieces) => {
                    if cell.sign().is_some_and(|sign| pieces.contains(&sign)) {
                        open.set.squares.push(self.board.coordinates(square));
                    }
                }
                Signs::Digits(numbers) => {
                    if let Some(number) = numbers.parse_cell(cell)? {
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

impl DigitSigns {
    /// Returns the number in a cell, counted from 0, or `None` for an empty cell.
    fn parse_cell(&self, cell: &PictureCell) -> Result<Option<u32>, CertificateError> {
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
fn split_items(text: &str) -> Result<Vec<PictureItem>, CertificateError> {
    let mut items = Vec::new();
    let has_bars = text.contains(is_bar);
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            items.push(PictureItem::Break);
        } else if trimmed.starts_with('#') {
            let is_piece = |c: char| is_letter(c) || PLAIN.contains(&c);
            if count_words(trimmed) == 0 && trimmed.contains(is_piece) {
                let column = column_of(line, trimmed);
                let words = "\"#\" begins a comment, and a piece may be in this line; \"#\" is not a sign of a picture";
                return Err(certificate_error(number, column, words.to_owned()));
            }
        } else if trimmed.starts_with(['[', '{']) {
            let mut list = vec![(number, line)];
            let mut depth = BracketDepth::default();
            depth.add(line);
            while depth.is_open() {
                let Some(next) = lines.next() else { break };
                depth.add(next.1);
                list.push(next);
            }
            add_lists(&list, &mut items)?;
        } else if let Some(titles) = parse_titles(trimmed) {
            items.push(PictureItem::Titles(number, titles));
        } else if let Some(squares) = parse_squares(trimmed) {
            items.push(PictureItem::Squares(number, squares));
        } else if is_rule(trimmed, has_bars) {
            // Rules between rows are skipped.
        } else if let Some((board, pieces)) = parse_heading(trimmed) {
            items.push(PictureItem::Heading { line: number, board, pieces });
        } else if is_words(trimmed) {
            items.push(PictureItem::Words);
        } else {
            let cells = split_row(line, number)?;
            if cells.is_empty() {
                return Err(certificate_error(
                    number,
                    column_of(line, trimmed),
                    "this row has no sign".to_owned(),
                ));
            }
            items.push(PictureItem::Row(cells));
        }
    }
    Ok(items)
}

/// Returns the column at which a part of a line starts, counted from 1.
fn column_of(line: &str, part: &str) -> usize {
    line[..part.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1
}

/// Returns the coordinates that titles such as `(0,1,*,*)  (0,2,*,*)` fix.
fn parse_titles(line: &str) -> Option<Vec<Vec<u32>>> {
    let title = |word: &str| {
        let fixed = word.strip_prefix('(')?.strip_suffix(",*,*)")?;
        fixed.split(',').map(parse_number).collect()
    };
    line.split_whitespace().map(title).collect()
}

/// Returns the squares of a list such as `(0,1) (1,3)`.
fn parse_squares(line: &str) -> Option<Vec<Vec<u32>>> {
    let square =
        |word: &str| word.strip_prefix('(')?.strip_suffix(')')?.split(',').map(parse_number).collect();
    line.split_whitespace().map(square).collect()
}

/// Parses a number in decimal digits without a sign.
fn parse_number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|_| word.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Returns `true` for a bar between cells.
fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '║' | '┃')
}

/// Returns `true` for a rule between rows, such as `+---+---+`, `----+----` or `|---|---|`, in a file whose
/// rows have bars.
fn is_rule(line: &str, has_bars: bool) -> bool {
    let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    let dashes =
        |part: &str| part.chars().count() > 1 && part.chars().all(|c| matches!(c, '-' | '=' | '─' | '═'));
    if line.contains(is_bar) {
        return line.trim_matches(is_bar).split(is_bar).all(dashes);
    }
    has_bars && line.chars().all(|c| matches!(c, '+' | '-' | '=' | ' ') || is_drawn(c))
}

/// Returns the board and the number of pieces of a heading such as `4 queens on 4^2: optimal` or
/// `alpha(4^2) = 4: proved`.
fn parse_heading(line: &str) -> Option<(String, Option<usize>)> {
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
    // Other lines state the number of pieces that was requested.
    let is_shown = on == 2 || words[..on - 2].ends_with(&["complete", "to"]);
    (is_word && is_board).then(|| (board.to_owned(), is_shown.then_some(pieces)))
}

/// Returns the number of words that have at least three letters other than signs.
fn count_words(line: &str) -> usize {
    let is_sign = |c: char| is_letter(c) || MARKS.contains(&c);
    let words = line.split(|c: char| !c.is_alphabetic());
    words.filter(|word| word.chars().filter(|&c| !is_sign(c)).count() >= 3).count()
}

/// Returns `true` for a line of words, which has no piece and consists of letters to a large part.
fn is_words(line: &str) -> bool {
    let words = count_words(line);
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let all = line.chars().filter(|c| !c.is_whitespace()).count();
    let has_piece = line.split_whitespace().any(|word| word.chars().all(is_letter));
    !has_piece && (words >= 2 && 3 * letters >= all || words >= 1 && 3 * letters >= 2 * all)
}

/// Splits a row into its cells.
fn split_row(line: &str, number: usize) -> Result<Vec<PictureCell>, CertificateError> {
    let cell = |part: &str| PictureCell {
        text: normalise_sign(part).to_owned(),
        line: number,
        column: column_of(line, part),
    };
    let blank =
        |part: &str| PictureCell { text: BLANK.to_string(), line: number, column: column_of(line, part) };
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
        // Bars separate groups of cells, as in a Sudoku.
        let mut cells = Vec::new();
        for part in parts {
            cells.extend(split_signs(part.trim(), line, number)?);
        }
        return Ok(cells);
    }
    if let Some(separator) = [',', ';', '\t'].into_iter().find(|&separator| trimmed.contains(separator)) {
        let parts: Vec<&str> = trimmed.split(separator).map(str::trim).collect();
        return parts
            .into_iter()
            .map(|part| match part.is_empty() {
                true => {
                    Err(certificate_error(number, column_of(line, part), "a cell is empty here".to_owned()))
                }
                false => Ok(cell(strip_quotes(part))),
            })
            .collect();
    }
    split_signs(trimmed, line, number)
}

/// Splits signs that are all separated by blanks or all close together.
fn split_signs(part: &str, line: &str, number: usize) -> Result<Vec<PictureCell>, CertificateError> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let at = |text: &str, part: &str| PictureCell {
        text: text.to_owned(),
        line: number,
        column: column_of(line, part),
    };
    let is_number = |word: &&str| word.len() > 1 && word.bytes().all(|digit| digit.is_ascii_digit());
    let is_single = |word: &&str| word.chars().count() == 1;
    match words.as_slice() {
        [word] => Ok(word.char_indices().map(|(i, c)| at(c.encode_utf8(&mut [0; 4]), &word[i..])).collect()),
        words
            if words
                .iter()
                .all(|word| is_single(word) || is_number(word) || normalise_sign(word) != *word) =>
        {
            Ok(words.iter().map(|word| at(normalise_sign(word), word)).collect())
        }
        words => {
            let odd = words.iter().find(|word| !is_single(word)).copied().unwrap_or(part);
            let words = format!(
                "\"{}\" is in a row of several groups; signs are all close together or all separated by blanks, and layers one below the \
                 other unless they have titles",
                odd.escape_debug()
            );
            Err(certificate_error(number, column_of(line, odd), words))
        }
    }
}

/// Returns a word without the quotes around it.
fn strip_quotes(word: &str) -> &str {
    let quoted = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    quoted('"').or_else(|| quoted('\'')).unwrap_or(word)
}

/// Returns `0` or `1` for a number or truth value as other programs print it, such as `1.` or `True`, and
/// other words unchanged.
fn normalise_sign(word: &str) -> &str {
    match word {
        "0." | "0.0" | "False" | "false" => "0",
        "1." | "1.0" | "True" | "true" => "1",
        word => word,
    }
}

/// Depth of nested brackets, outside quotes.
#[derive(Default)]
struct BracketDepth {
    depth: i64,
    quote: Option<char>,
}

impl BracketDepth {
    /// Adds the brackets of a line.
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

    /// Returns `true` if a bracket or quote is not closed.
    fn is_open(&self) -> bool {
        self.depth > 0 || self.quote.is_some()
    }
}

/// Value in a nested list.
enum ListValue {
    List(Vec<ListValue>),
    /// Cells of a word or of a quoted text.
    Text(Vec<PictureCell>),
}

/// Parses nested lists. Returns the outermost values, each with the number of its last line.
///
/// # Errors
/// Returns an error if brackets or quotes do not match, or if a text between quotes is not a row of signs.
fn parse_values(lines: &[(usize, &str)]) -> Result<Vec<(usize, ListValue)>, CertificateError> {
    let mut stack: Vec<(char, Vec<ListValue>)> = Vec::new();
    let mut done = Vec::new();
    for &(number, line) in lines {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let here = |words: String| certificate_error(number, column_of(line, rest), words);
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
                    ListValue::List(values)
                }
                '"' | '\'' => {
                    let end = after.find(c).ok_or_else(|| here(format!("{c} is not closed in its line")))?;
                    let text = &after[..end];
                    if text.contains('\\') || text.trim().is_empty() {
                        return Err(here("a text between quotes is a row of signs".to_owned()));
                    }
                    rest = &after[end + 1..];
                    ListValue::Text(split_signs(text.trim(), line, number)?)
                }
                c if c.is_whitespace() || c == ',' || c == ';' => {
                    rest = after;
                    continue;
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || ",;[]{}()\"'".contains(c);
                    let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                    let column = column_of(line, word);
                    rest = &rest[word.len()..];
                    let text = normalise_sign(word).to_owned();
                    ListValue::Text(vec![PictureCell { text, line: number, column }])
                }
            };
            match stack.last_mut() {
                Some((_, values)) => values.push(value),
                None => done.push((number, value)),
            }
        }
    }
    if !stack.is_empty() {
        let (number, line) = lines.last().expect("a list has lines");
        let words = "the list is not closed: a bracket is missing".to_owned();
        return Err(certificate_error(*number, line.chars().count() + 1, words));
    }
    Ok(done)
}

/// Parses nested lists and adds their rows, with a break after each list of rows.
fn add_lists(lines: &[(usize, &str)], items: &mut Vec<PictureItem>) -> Result<(), CertificateError> {
    for (number, value) in parse_values(lines)? {
        let first = items.len();
        if let ListValue::Text(cells) = &value {
            return Err(cells.first().map_or_else(
                || certificate_error(number, 1, "empty".to_owned()),
                |cell| cell.fault("a word stands outside the list"),
            ));
        }
        add_rows(value, number, items)?;
        // Lists of one row each are rows of one block.
        if items.len() - first > 1 {
            items.push(PictureItem::Break);
        }
    }
    Ok(())
}

/// Adds the rows of a value: a text is a row, and so is a list of single signs.
fn add_rows(value: ListValue, line: usize, items: &mut Vec<PictureItem>) -> Result<(), CertificateError> {
    match value {
        ListValue::Text(cells) => items.push(PictureItem::Row(cells)),
        ListValue::List(values) if values.is_empty() => {
            return Err(certificate_error(line, 1, "a list in the file is empty".to_owned()));
        }
        ListValue::List(values) => {
            let is_single = |value: &ListValue| matches!(value, ListValue::Text(cells) if cells.len() == 1);
            if values.iter().all(is_single) {
                let cells = values
                    .into_iter()
                    .flat_map(|value| if let ListValue::Text(cells) = value { cells } else { Vec::new() });
                items.push(PictureItem::Row(cells.collect()));
                return Ok(());
            }
            let are_rows = values.iter().all(|value| match value {
                ListValue::Text(_) => true,
                ListValue::List(inner) => !inner.is_empty() && inner.iter().all(is_single),
            });
            let is_nested = values.iter().all(|value| matches!(value, ListValue::List(_)));
            if !are_rows && !is_nested {
                return Err(certificate_error(
                    line,
                    1,
                    "a list holds rows and lists of rows side by side".to_owned(),
                ));
            }
            for value in values {
                add_rows(value, line, items)?;
                if !are_rows {
                    items.push(PictureItem::Break);
                }
            }
            if are_rows {
                items.push(PictureItem::Break);
            }
        }
    }
    Ok(())
}

/// Writes the squares of a certificate as a picture, which [`parse`] reads back.
///
/// # Errors
/// Returns an error if the board is a graph or if a square is off the board.
pub(super) fn write(input: &WriterInput<'_>) -> Result<String, Inexpressible> {
    let &WriterInput { certificate, board, .. } = input;
    let layout =
        board.layout().ok_or_else(|| Inexpressible::NoPicture { board: certificate.board.clone() })?;
    let shape = PictureShape::of_layers(&layout);
    let mut occupied = HashSet::new();
    for square in &certificate.squares {
        occupied.insert(input.number(square)?);
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
                line.push(if occupied.contains(square) { board.letter() } else { '.' });
            }
            text += &line;
            text.push('\n');
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
