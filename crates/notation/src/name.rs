//! Board names: the short text that identifies a board in commands, files, tables and code.
//!
//! ```text
//! board = [piece ":"] ["torus:"] box | ("moebius:" | "klein:") box | "hex:" int | "three:" int
//!       | sudoku ":" int | file ":" path
//! box   = int "^" int | int {"x" int}
//! piece = "queen" | "rook" | "bishop" | "knight" | "king" | "superqueen"          (queen when absent)
//! sudoku = "sudoku" | "sudoku-x" | "cells" | "cells-x"
//! file  = ["cliques:"] ("file" | "edges" | "header")
//! ```
//!
//! | name | board |
//! | --- | --- |
//! | `hex:6` | hexagonal board for queens with 6 squares along each edge |
//! | `three:8` | board of three-player chess for queens with 8 squares along each edge |
//! | `sudoku:3` | placement of digits in the usual Sudoku |
//! | `sudoku-x:3` | the same with different digits on each main diagonal |
//! | `cells:3`, `cells-x:3` | graphs of the cells of these two Sudokus |
//!
//! On input, [`BoardName::parse_user_input`] also accepts `6,3` and `(6,3)` for `6^3`, and `4X5` and `4×5`
//! for `4x5`.
//!
//! A board has one canonical name, which [`std::fmt::Display`] prints: `5x5x5` and `queen:5^3` become `5^3`.
//! Paths are not changed. [`mod@file`] describes the format of board files.

pub mod file;
mod graph_file;
mod lines;
mod piece;
mod reading;
mod surface;
mod text;
pub use self::piece::{Leaper, Piece};
pub use self::surface::Surface;
pub use self::{graph_file::LabelledGraph, text::BoardContent};

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use self::file::{BoardFile, Reading};
use crate::error_class::{Classified, ErrorClass};
use crate::escape::escape;

/// Board name in canonical form.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::{BoardName, Piece};
///
/// let board: BoardName = "rook:5x5x5".parse()?;
/// assert_eq!(board, BoardName::grid(Piece::Rook, false, &[5, 5, 5]));
/// assert_eq!(board.to_string(), "rook:5^3");
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BoardName {
    /// A box of squares, plain or with periodic boundary: `6^3`, `4x5x6`, `rook:5^3`, `torus:7^2`.
    Grid {
        /// The piece.
        piece: Piece,
        /// `true` if opposite faces are identified; all sides are equal then.
        torus: bool,
        /// Side lengths, one for each axis, all at least 1.
        sides: Vec<u32>,
    },
    /// A box of squares for a piece with moves of fixed length: `knight:8^2`, `king:torus:5^3`.
    Leaper {
        /// The piece.
        leaper: Leaper,
        /// `true` if opposite faces are identified; all sides are equal then.
        torus: bool,
        /// Side lengths, one for each axis, all at least 1.
        sides: Vec<u32>,
    },
    /// A rectangle of squares for queens, with two or four sides identified: `moebius:5x7`, `klein:6^2`.
    Surface {
        /// The surface formed by the identified sides.
        surface: Surface,
        /// The numbers of rows and columns, both at least 1.
        sides: [u32; 2],
    },
    /// A hexagonal board for queens, given by the number of squares along each edge, at least 1: `hex:6`.
    Hex(u32),
    /// A three-player board for queens, given by the even number of squares along each of its six edges:
    /// `three:8`.
    Three(u32),
    /// Placements of digits in a Sudoku of order b, at least 1, with a grid of `b^2 x b^2` cells: `sudoku:3`.
    Sudoku(u32),
    /// Placements of digits in a Sudoku with different digits on each of the two main diagonals:
    /// `sudoku-x:3`.
    SudokuX(u32),
    /// The cells of a Sudoku of this order. Two cells attack each other if they cannot have the same digit:
    /// `cells:3`.
    Cells(u32),
    /// The cells of a Sudoku with different digits on each main diagonal: `cells-x:3`.
    CellsX(u32),
    /// A board read from a file: `file:instances/boards/petersen.col`.
    File(BoardFile),
}

/// Function that takes the path of a board file and returns its text. This crate opens no files itself.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::{BoardName, OpenFile};
///
/// let open: OpenFile<'_> = &|_path| Ok("p edge 2 1\ne 1 2\n".to_owned());
/// assert_eq!(BoardName::parse_with("file:edge.col", open)?.to_string(), "file:edge.col");
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
pub type OpenFile<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// Opens no board file. Used where board files are not allowed.
///
/// # Errors
/// Always returns an error.
pub fn reject_files(_path: &str) -> io::Result<String> {
    Err(io::Error::other("board files are not opened here"))
}

/// Largest number of axes of a box.
pub const MAX_DIMENSION: usize = 20;

/// Largest number of squares of a board. Squares are numbered by 32-bit integers.
pub const MAX_SQUARES: u64 = 1 << 31;

/// Largest side length of a box.
pub const MAX_SIDE: u32 = 1 << 24;

/// Largest number of squares of a board on a surface. Limited because its lines are listed.
pub const MAX_SURFACE_SQUARES: u64 = 1 << 20;

/// Summary of the grammar, printed with every [`NameError::Malformed`].
const ALLOWED: &str = "a board is [PIECE:][torus:]BOX, moebius:BOX, klein:BOX, hex:N, three:N, sudoku:N, \
sudoku-x:N, cells:N, cells-x:N or [cliques:]FILE:PATH; a BOX is n^d such as 6^3 or sides such as 4x5x6, a PIECE is queen, \
rook, bishop, knight, king or superqueen, and FILE is file, edges or header";

/// Kind of board whose name is a word and one number.
#[derive(Clone, Copy)]
enum Kind {
    Hex,
    Three,
    Sudoku,
    SudokuX,
    Cells,
    CellsX,
}

impl Kind {
    const ALL: [Self; 6] = [Self::Hex, Self::Three, Self::Sudoku, Self::SudokuX, Self::Cells, Self::CellsX];

    /// Returns the word used in board names.
    fn word(self) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Three => "three",
            Self::Sudoku => "sudoku",
            Self::SudokuX => "sudoku-x",
            Self::Cells => "cells",
            Self::CellsX => "cells-x",
        }
    }

    /// Returns the name of the number, as used in messages.
    fn number_name(self) -> &'static str {
        match self {
            Self::Hex | Self::Three => "the side n",
            Self::Sudoku | Self::SudokuX | Self::Cells | Self::CellsX => "the order b",
        }
    }

    /// Returns the least number of a board.
    fn least(self) -> u32 {
        if matches!(self, Self::Three) { 2 } else { 1 }
    }

    /// Returns the number of squares, or `u128::MAX` if it exceeds 128 bits.
    fn count_squares(self, number: u32) -> u128 {
        let n = u128::from(number);
        match self {
            Self::Hex => 3 * n * n.saturating_sub(1) + 1,
            Self::Three => 3 * n * n / 2,
            Self::Sudoku | Self::SudokuX => n.saturating_pow(6),
            Self::Cells | Self::CellsX => n.saturating_pow(4),
        }
    }
}

/// Error in a board name or in a board file.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::{BoardName, NameError};
///
/// let error = "4x0".parse::<BoardName>().expect_err("no side is 0");
/// assert!(matches!(error, NameError::Malformed { position: 2, .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The text does not follow the grammar.
    #[error("board \"{input}\": {fault}, at column {}; {ALLOWED}\n    {input}\n    {:>column$}", position + 1, "^", column = position + 1)]
    Malformed {
        /// The text, with control characters replaced by spaces.
        input: String,
        /// Position of the error: the number of characters before it.
        position: usize,
        /// Description of the error.
        fault: String,
    },
    /// The board file cannot be read.
    #[error("cannot read the board file {path}: {cause}")]
    Unreadable {
        /// The path of the file.
        path: String,
        /// Error message of the operating system.
        cause: String,
    },
    /// The content of the board file is malformed.
    #[error("{path}, line {line}, column {column}: {}", escape(fault))]
    Contents {
        /// The path of the file.
        path: String,
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// Description of the error and of the values allowed there.
        fault: String,
    },
}

impl Classified for NameError {
    fn class(&self) -> ErrorClass {
        ErrorClass::BadInput
    }
}

impl BoardName {
    /// Creates the name of a plain box with queens.
    ///
    /// # Panics
    /// Panics if `sides` is empty or contains 0.
    #[must_use]
    pub fn queen(sides: &[u32]) -> Self {
        Self::grid(Piece::Queen, false, sides)
    }

    /// Creates the name of a box.
    ///
    /// # Panics
    /// Panics if `sides` is empty or contains 0.
    #[must_use]
    pub fn grid(piece: Piece, torus: bool, sides: &[u32]) -> Self {
        assert!(!sides.is_empty() && sides.iter().all(|&n| n > 0), "a board has positive side lengths");
        Self::Grid { piece, torus, sides: sides.to_vec() }
    }

    /// Returns the name of a box with its side lengths in increasing order. Other names are not changed.
    #[must_use]
    pub fn with_sorted_sides(&self) -> Self {
        let mut sorted = self.clone();
        if let Self::Grid { sides, .. } | Self::Leaper { sides, .. } = &mut sorted {
            sides.sort_unstable();
        }
        sorted
    }

    /// Returns [notes](BoardFile::notes) on the file of the board; none for other boards.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        match self {
            Self::File(file) => file.notes(),
            _ => &[],
        }
    }

    /// Returns the [sorted](Self::with_sorted_sides) name of a plain box without its sides of length 1,
    /// except that one side is kept if all have length 1. Sides of length 1 change neither the number of
    /// squares nor the attacks. Names of other boxes are only sorted.
    #[must_use]
    pub fn without_unit_sides(&self) -> Self {
        let mut reduced = self.with_sorted_sides();
        if let Self::Grid { torus: false, sides, .. } = &mut reduced {
            sides.retain(|&side| side > 1);
            if sides.is_empty() {
                sides.push(1);
            }
        }
        reduced
    }

    /// Returns the number of squares, or `u128::MAX` if it exceeds 128 bits.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_notation::name::BoardName;
    ///
    /// assert_eq!("4x5x6".parse::<BoardName>()?.count_squares(), 120);
    /// assert_eq!("three:8".parse::<BoardName>()?.count_squares(), 96);
    /// # Ok::<(), ndqueens_notation::name::NameError>(())
    /// ```
    #[must_use]
    pub fn count_squares(&self) -> u128 {
        let product =
            |sides: &[u32]| sides.iter().fold(1, |product: u128, &side| product.saturating_mul(side.into()));
        match self {
            Self::Grid { sides, .. } | Self::Leaper { sides, .. } => product(sides),
            Self::Surface { sides, .. } => product(sides),
            Self::Hex(side) => Kind::Hex.count_squares(*side),
            Self::Three(side) => Kind::Three.count_squares(*side),
            Self::Sudoku(order) | Self::SudokuX(order) => Kind::Sudoku.count_squares(*order),
            Self::Cells(order) | Self::CellsX(order) => Kind::Cells.count_squares(*order),
            Self::File(file) => match file.content() {
                BoardContent::Drawing { squares, .. } => squares.len() as u128,
                BoardContent::Graph(graph) => graph.labels.len() as u128,
            },
        }
    }

    /// Parses a name. Reads and checks the board file that it names, if any.
    ///
    /// # Errors
    /// Returns an error if the text is not a name, or if the file cannot be opened or is malformed.
    pub fn parse_with(input: &str, open: OpenFile<'_>) -> Result<Self, NameError> {
        let parser = Parser { input, rest: input };
        let Some((reading, path)) = Reading::split(input) else { return parser.parse_board() };
        if path.is_empty() || path.trim() != path || path.contains(char::is_control) {
            let rest = Parser { input, rest: path };
            return Err(rest.fault("a path is not empty, has no spaces round it and no control characters"));
        }
        let text =
            open(path).map_err(|e| NameError::Unreadable { path: path.to_owned(), cause: e.to_string() })?;
        BoardFile::new(path, text, reading).map(Self::File)
    }

    /// Returns `true` if a name is that of a file, or consists of lowercase letters, digits, `:`, `^` and `-`
    /// without leading zeros in numbers. Only such names are allowed in certificates and proofs, because
    /// every checker accepts them; [`Self::parse_with`] accepts others as well.
    #[must_use]
    pub fn is_portable(name: &str) -> bool {
        let is_padded = |run: &str| run.len() > 1 && run.starts_with('0');
        Reading::split(name).is_some()
            || name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b":^-".contains(&byte))
                && !name.split(|c: char| !c.is_ascii_digit()).any(is_padded)
    }

    /// Parses a name typed by a user. In addition to the names that [`Self::parse_with`] accepts, this method
    /// accepts `n,d` and `(n,d)` for `n^d`, `X` and `×` between side lengths, and spaces around numbers.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::parse_with`].
    pub fn parse_user_input(input: &str, open: OpenFile<'_>) -> Result<Self, NameError> {
        match Reading::split(input) {
            Some(_) => Self::parse_with(input, open),
            None => Self::parse_with(&normalise_input(input), open),
        }
    }

    /// Returns a function that opens the file of this board, with the text read before, and no other file.
    pub fn file_opener(&self) -> impl Fn(&str) -> io::Result<String> + '_ {
        move |path| match self {
            Self::File(file) if file.path() == path => Ok(file.text().to_owned()),
            _ => reject_files(path),
        }
    }
}

/// Converts the typed name of a box to the grammar of names. Returns other texts unchanged.
fn normalise_input(input: &str) -> String {
    let start = input.rfind(':').map_or(0, |colon| colon + 1);
    let (lead, typed) = (&input[..start], &input[start..]);
    if typed.trim() != typed {
        return input.to_owned();
    }
    let inner = typed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(typed);
    let numbers = |separators: &[char]| {
        let parts: Vec<&str> = inner.split(separators).map(str::trim).collect();
        let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
        (parts.len() > 1 && parts.iter().all(is_number)).then_some(parts)
    };
    match (numbers(&[',']).as_deref(), numbers(&['x', 'X', '×']), numbers(&['^'])) {
        (Some([side, dimension]), ..) => format!("{lead}{side}^{dimension}"),
        (_, Some(sides), _) => format!("{lead}{}", sides.join("x")),
        (.., Some(power)) => format!("{lead}{}", power.join("^")),
        _ => match typed.split_once(',') {
            // Malformed, such as `8,2,`: the comma is replaced so that the error is located behind it.
            Some((side, rest)) if !side.is_empty() && side.bytes().all(|digit| digit.is_ascii_digit()) => {
                format!("{lead}{side}^{rest}")
            }
            _ => input.to_owned(),
        },
    }
}

impl fmt::Display for BoardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid { piece, torus, sides } => {
                if *piece != Piece::Queen {
                    write!(f, "{}:", piece.word())?;
                }
                write_box(f, *torus, sides)
            }
            Self::Leaper { leaper, torus, sides } => {
                write!(f, "{}:", leaper.word())?;
                write_box(f, *torus, sides)
            }
            Self::Surface { surface, sides } => {
                write!(f, "{}:", surface.word())?;
                write_box(f, false, sides)
            }
            Self::Hex(side) => write!(f, "hex:{side}"),
            Self::Three(side) => write!(f, "three:{side}"),
            Self::Sudoku(order) => write!(f, "sudoku:{order}"),
            Self::SudokuX(order) => write!(f, "sudoku-x:{order}"),
            Self::Cells(order) => write!(f, "cells:{order}"),
            Self::CellsX(order) => write!(f, "cells-x:{order}"),
            Self::File(file) => write!(f, "{}{}", file.reading().prefix(), file.path()),
        }
    }
}

/// Writes the name of a box without its piece.
fn write_box(f: &mut fmt::Formatter<'_>, torus: bool, sides: &[u32]) -> fmt::Result {
    if torus {
        f.write_str("torus:")?;
    }
    if sides.iter().all(|n| n == &sides[0]) {
        return write!(f, "{}^{}", sides[0], sides.len());
    }
    for (axis, side) in sides.iter().enumerate() {
        write!(f, "{}{side}", if axis == 0 { "" } else { "x" })?;
    }
    Ok(())
}

/// Parses names that need no file; see [`BoardName::parse_with`] for the others.
impl FromStr for BoardName {
    type Err = NameError;

    fn from_str(input: &str) -> Result<Self, NameError> {
        Self::parse_with(input, &reject_files)
    }
}

/// Recursive-descent parser of board names.
struct Parser<'a> {
    input: &'a str,
    /// The part of `input` that has not been parsed yet.
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Creates an error at the current position.
    fn fault(&self, fault: impl Into<String>) -> NameError {
        let done = self.input.len() - self.rest.len();
        NameError::Malformed {
            input: self.input.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
            position: self.input[..done].chars().count(),
            fault: escape(&fault.into()),
        }
    }

    fn parse_board(mut self) -> Result<BoardName, NameError> {
        if self.rest.is_empty() {
            return Err(self.fault("the name is empty"));
        }
        if let Some(kind) = Kind::ALL.into_iter().find(|&kind| self.take_word(kind.word())) {
            return self.parse_kind(kind);
        }
        if let Some(surface) = Surface::ALL.into_iter().find(|&surface| self.take_word(surface.word())) {
            return self.parse_surface(surface);
        }
        let leaper = Leaper::ALL.into_iter().find(|&leaper| self.take_word(leaper.word()));
        let piece = Piece::ALL.into_iter().find(|&p| leaper.is_none() && self.take_word(p.word()));
        let torus = self.take_word("torus");
        let mut words = Piece::ALL.map(Piece::word).into_iter().chain(Leaper::ALL.map(Leaper::word));
        if let Some(piece) = words.find(|word| torus && self.rest.starts_with(&format!("{word}:"))) {
            return Err(self.fault(format!("the piece comes before the torus, as in {piece}:torus:5^2")));
        }
        if let Some((word, _)) = self.rest.split_once(':') {
            let is_first = self.rest.len() == self.input.len();
            let is_known = Kind::ALL.iter().any(|kind| kind.word() == word)
                || Surface::ALL.iter().any(|surface| surface.word() == word)
                || Reading::split(self.rest).is_some();
            return Err(self.fault(if is_known || word == "cliques" && !is_first {
                format!("\"{word}:\" must begin the name; no piece and no \"torus:\" may precede it")
            } else if word == "cliques" {
                "\"cliques:\" must be followed by \"file:\", \"edges:\" or \"header:\"".to_owned()
            } else {
                format!("\"{word}:\" is not a piece or a kind of board")
            }));
        }
        let whole_box = Self { input: self.input, rest: self.rest };
        let sides = self.parse_sides()?;
        if !self.rest.is_empty() {
            return Err(self.fault(format!("unexpected \"{}\"", self.rest)));
        }
        if torus && sides.iter().any(|n| n != &sides[0]) {
            return Err(whole_box.fault("a torus has equal sides: the modular attack is defined for n^d"));
        }
        let squares = sides.iter().try_fold(1u64, |product, &n| product.checked_mul(u64::from(n)));
        if squares.is_none_or(|n| n > MAX_SQUARES) {
            return Err(whole_box.fault(format!("more than {MAX_SQUARES} squares")));
        }
        Ok(match leaper {
            Some(leaper) => BoardName::Leaper { leaper, torus, sides },
            None => BoardName::Grid { piece: piece.unwrap_or(Piece::Queen), torus, sides },
        })
    }

    /// Parses the two sides of a board on a surface.
    fn parse_surface(mut self, surface: Surface) -> Result<BoardName, NameError> {
        let whole_box = Self { input: self.input, rest: self.rest };
        let sides = self.parse_sides()?;
        if !self.rest.is_empty() {
            return Err(self.fault(format!("unexpected \"{}\"", self.rest)));
        }
        let Ok(sides) = <[u32; 2]>::try_from(sides) else {
            return Err(whole_box.fault("a surface has two side lengths, as in moebius:5x7 or klein:6^2"));
        };
        if u64::from(sides[0]) * u64::from(sides[1]) > MAX_SURFACE_SQUARES {
            return Err(whole_box.fault(format!("more than {MAX_SURFACE_SQUARES} squares")));
        }
        Ok(BoardName::Surface { surface, sides })
    }

    /// Parses the number of a board of the given kind.
    fn parse_kind(mut self, kind: Kind) -> Result<BoardName, NameError> {
        let number = Self { input: self.input, rest: self.rest };
        let n = self.parse_positive(kind.number_name(), kind.least(), u32::MAX)?;
        if !self.rest.is_empty() {
            return Err(self.fault(format!("unexpected \"{}\"", self.rest)));
        }
        if kind.count_squares(n) > u128::from(MAX_SQUARES) {
            return Err(number.fault(format!("more than {MAX_SQUARES} squares")));
        }
        match kind {
            Kind::Three if n % 2 == 1 => Err(number.fault(
                "the side n is odd; it must be even, because the board is six parts of n/2 x n/2 squares round a centre",
            )),
            Kind::Hex => Ok(BoardName::Hex(n)),
            Kind::Three => Ok(BoardName::Three(n)),
            Kind::Sudoku => Ok(BoardName::Sudoku(n)),
            Kind::SudokuX => Ok(BoardName::SudokuX(n)),
            Kind::Cells => Ok(BoardName::Cells(n)),
            Kind::CellsX => Ok(BoardName::CellsX(n)),
        }
    }

    /// Consumes `word` and a colon. Returns `true` if they were present.
    fn take_word(&mut self, word: &str) -> bool {
        let after = self.rest.strip_prefix(word).and_then(|rest| rest.strip_prefix(':'));
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn parse_side(&mut self) -> Result<u32, NameError> {
        let before = Self { input: self.input, rest: self.rest };
        match self.parse_positive("a side length", 1, MAX_SIDE)? {
            side if side > MAX_SIDE => Err(before.fault(format!("a side length is above {MAX_SIDE}"))),
            side => Ok(side),
        }
    }

    fn parse_sides(&mut self) -> Result<Vec<u32>, NameError> {
        let first = self.parse_side()?;
        if self.consume('^') {
            let before_exponent = Self { input: self.input, rest: self.rest };
            let dimension = self.parse_positive("the dimension d", 1, u32::MAX)? as usize;
            if dimension > MAX_DIMENSION {
                return Err(before_exponent.fault(format!("the dimension is above {MAX_DIMENSION}")));
            }
            return Ok(vec![first; dimension]);
        }
        let mut sides = vec![first];
        while self.consume('x') {
            if sides.len() == MAX_DIMENSION {
                return Err(self.fault(format!("more than {MAX_DIMENSION} sides")));
            }
            sides.push(self.parse_side()?);
        }
        if sides.len() == 1 && self.rest.is_empty() {
            return Err(self.fault("the name ends after the side length; the dimension is missing"));
        }
        Ok(sides)
    }

    /// Consumes the character `c`. Returns `true` if it was present.
    fn consume(&mut self, c: char) -> bool {
        let after = self.rest.strip_prefix(c);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Parses a positive integer, which error messages call `what`.
    ///
    /// # Errors
    /// Returns an error if there is no integer, if it is 0 (the message contains the least value `least`), or
    /// if it exceeds 32 bits (the message contains the limit `max`). The caller compares it with `max`.
    fn parse_positive(&mut self, what: &str, least: u32, max: u32) -> Result<u32, NameError> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = self.rest.split_at(digits);
        if number.is_empty() {
            let found = rest.chars().next().map_or("the end".to_owned(), |c| format!("\"{c}\""));
            return Err(self.fault(format!("expected {what}, a positive integer, but found {found}")));
        }
        match number.parse::<u32>() {
            Ok(0) => Err(self.fault(format!("{what} is 0; it must be at least {least}"))),
            Err(_) => Err(self.fault(format!("{what} is above {max}"))),
            Ok(value) => {
                self.rest = rest;
                Ok(value)
            }
        }
    }
}

impl Serialize for BoardName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for BoardName {
    fn schema_name() -> Cow<'static, str> {
        "BoardName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "description": "A board, such as `6^3`, `torus:5^2` or `file:PATH`."})
    }
}

impl<'de> Deserialize<'de> for BoardName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &str) -> NameError {
        text.parse::<BoardName>().expect_err(text)
    }

    #[test]
    fn errors_escape_control_characters() {
        let message = fault("3^3\n\u{1b}[2J").to_string();
        assert!(message.contains("\\n\\u{1b}[2J") && !message.contains('\u{1b}'), "{message}");
        let file = BoardFile::new("a.txt", "1 2\u{7}\n".to_owned(), Reading::default());
        let message = file.expect_err("no graph").to_string();
        assert!(message.contains("\\u{7}") && !message.contains(char::is_control), "{message}");
    }

    #[test]
    fn names_are_canonical() {
        for (given, printed) in [
            ("6^3", "6^3"),
            ("5x5x5", "5^3"),
            ("4x5x6", "4x5x6"),
            ("queen:3^4", "3^4"),
            ("rook:torus:7^2", "rook:torus:7^2"),
            ("torus:4x4", "torus:4^2"),
            ("bishop:2x3", "bishop:2x3"),
            ("7^1", "7^1"),
            ("03^2", "3^2"),
            ("knight:6x6", "knight:6^2"),
            ("king:torus:5^3", "king:torus:5^3"),
            ("superqueen:4x5", "superqueen:4x5"),
            ("moebius:5x5", "moebius:5^2"),
            ("klein:4x6", "klein:4x6"),
            ("hex:1", "hex:1"),
            ("hex:09", "hex:9"),
            ("three:8", "three:8"),
            ("sudoku:3", "sudoku:3"),
            ("hex:26755", "hex:26755"),
            ("three:37836", "three:37836"),
            ("sudoku:35", "sudoku:35"),
            ("sudoku-x:3", "sudoku-x:3"),
            ("cells:02", "cells:2"),
            ("cells-x:215", "cells-x:215"),
        ] {
            assert_eq!(given.parse::<BoardName>().expect(given).to_string(), printed);
        }
    }

    #[test]
    fn typed_names_become_canonical() {
        for (given, printed) in [
            ("8,2", "8^2"),
            ("(8,2)", "8^2"),
            ("( 8, 2 )", "8^2"),
            ("8X8", "8^2"),
            ("8×8", "8^2"),
            ("4x5X6", "4x5x6"),
            ("(4 × 5)", "4x5"),
            ("(6^3)", "6^3"),
            ("rook:8X8", "rook:8^2"),
            ("torus:8×8", "torus:8^2"),
            ("rook:torus:(8,2)", "rook:torus:8^2"),
            ("queen:3,4", "3^4"),
            ("hex:6", "hex:6"),
        ] {
            assert_eq!(BoardName::parse_user_input(given, &reject_files).expect(given).to_string(), printed);
        }
        for given in [
            "8,",
            ",2",
            "(8,2",
            "8,2)",
            "4,5,6",
            "8**2",
            "8xX8",
            "8,2,",
            "0,2",
            "8,21",
            "torus:4×5",
            "()",
            "８×8",
        ] {
            BoardName::parse_user_input(given, &reject_files).expect_err(given);
        }
        let error = BoardName::parse_user_input("4X0", &reject_files).expect_err("no side of 0");
        assert!(
            matches!(&error, NameError::Malformed { input, position: 2, .. } if input == "4x0"),
            "{error}"
        );
    }

    /// Malformed names with the position of the error.
    const MALFORMED: [(&str, usize); 54] = [
        ("", 0),
        ("0^3", 0),
        ("3^0", 2),
        ("6^", 2),
        ("6", 1),
        ("x^3", 0),
        ("4x", 2),
        ("4xx5", 2),
        ("4^3^2", 3),
        ("4.5", 1),
        ("-3^2", 0),
        ("camel:3^2", 0),
        ("king:rook:3^2", 5),
        ("king:torus:4x5", 11),
        ("klein:3^3", 6),
        ("moebius:5^1", 8),
        ("moebius:1025x1024", 8),
        ("moebius:torus:5^2", 8),
        ("rook:klein:5^2", 5),
        ("knight:hex:3", 7),
        ("torus:rook:3^2", 6),
        ("torus:camel:3^2", 6),
        ("torus:knight:3^2", 6),
        ("torus:4x5", 6),
        ("99999999999^2", 0),
        ("5^21", 2),
        ("99999^3", 0),
        ("6^3 ", 3),
        ("rook:file:a", 5),
        ("file:", 5),
        ("file: a", 5),
        ("hex:", 4),
        ("hex:0", 4),
        ("hex:-1", 4),
        ("hex:6^2", 5),
        ("16777217^1", 0),
        ("2x99999999", 2),
        ("hex:26756", 4),
        ("hex:4294967295", 4),
        ("hex:4294967296", 4),
        ("Hex:3", 0),
        ("three:0", 6),
        ("three:7", 6),
        ("three:37838", 6),
        ("sudoku:0", 7),
        ("sudoku:36", 7),
        ("sudoku:9x9", 8),
        ("sudoku-y:3", 0),
        ("cells:216", 6),
        ("cells-x:", 8),
        ("torus:cells:3", 6),
        ("rook:hex:3", 5),
        ("torus:three:4", 6),
        ("queen:sudoku:3", 6),
    ];

    #[test]
    fn rejects_malformed_names_at_their_position() {
        for (text, position) in MALFORMED {
            let error = fault(text);
            let NameError::Malformed { position: found, .. } = error else { panic!("{error}") };
            assert_eq!(found, position, "{text}");
        }
    }

    #[test]
    fn opens_board_files_only_with_the_given_function() {
        let opened =
            BoardName::parse_with("file:a b.txt", &|path| Ok(format!("# {path}\n0 1\n"))).expect("a graph");
        assert_eq!(opened.to_string(), "file:a b.txt");
        let elsewhere = BoardName::parse_with("file:c.txt", &|_| Ok("# a b.txt\n0 1\n".to_owned()));
        assert_eq!(elsewhere.as_ref(), Ok(&opened), "a board file is what it holds, wherever it lies");
        let error = fault("file:a.txt");
        assert!(matches!(&error, NameError::Unreadable { path, .. } if path == "a.txt"), "{error}");
    }

    #[test]
    fn caret_points_at_the_error() {
        let text = fault("4xé").to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2].chars().count(), 4 + 3);
        assert_eq!(lines[1].chars().nth(6), Some('é'));
    }

    proptest! {
        #[test]
        fn every_printed_name_can_be_parsed(sides in prop::collection::vec(1u32..9, 1..6), piece in 0usize..3, torus: bool) {
            let sides = if torus { vec![sides[0]; sides.len()] } else { sides };
            let name = BoardName::grid(Piece::ALL[piece], torus, &sides);
            prop_assume!(sides.len() > 1 || torus || sides.len() == 1);
            prop_assert_eq!(name.to_string().parse::<BoardName>().expect("canonical"), name);
        }

        #[test]
        fn parser_never_panics(text in ".{0,12}") {
            let _ = text.parse::<BoardName>();
        }
    }
}
