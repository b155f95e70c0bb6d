//! Checks bounds from linear programming: a sum of valid inequalities shows that at most `k` queens fit on a
//! board.
//!
//! ```text
//! ndqueens bound 1
//! board 6^4
//! needs 3^4 6
//! clique 2/3 0,0,0,0 0,0,0,1 0,0,0,2 0,0,0,3 0,0,0,4 0,0,0,5
//! box 1/8 6 0,0,0,0 3x3x3x3 2
//! at most 80
//! end
//! ```
//!
//! This example shows the form of the lines only. A real file has enough inequalities to count
//! every square once.
//!
//! - `needs B k`: at most k queens fit on B, which is proved elsewhere. Each B appears once; sides of 1 and
//!   the order of the sides are ignored.
//! - `clique y squares`: the squares attack each other pairwise, so they hold at most 1 queen. The multiplier
//!   is y.
//! - `box y k corner sides stride`: the squares `corner + stride * offset`, for the offsets in a box, hold at
//!   most k queens. The multiplier is y.
//! - `at most k`: the bound.
//!
//! Each of these inequalities represents all its images under the reflections of the board and the exchanges
//! of axes of the same length, each with the multiplier y divided by the number of images. Every square of an
//! orbit is therefore counted equally often: y times the number of squares of the orbit in the inequality,
//! divided by the size of the orbit. If every square is counted at least once, a solution has at most as many
//! queens as the sum of the right-hand sides.
//!
//! Cliques are tested pair by pair from the definition. Squares of one line, and corners and centre of one
//! cube, are recognised without a test of each pair, because such cliques may be very large.
//!
//! In format 2 the sum is made case by case, because the number of queens on the images of a square is an
//! integer.
//!
//! ```text
//! ndqueens bound 2
//! board 3^2
//! split 0,0 0
//! clique 2 0,0 0,1 1,0 1,1
//! most 1/2 0,0
//! case 2
//! split 0,1 1
//! clique 1 0,0 0,2 1,1 2,0 2,2
//! most 1 0,1
//! case 2
//! clique 4 0,0 0,1 1,0 1,1
//! least 1 0,1
//! case 2
//! at most 2
//! end
//! ```
//!
//! - `split square k`: the cases that follow first have at most k queens on the images of the square, the
//!   cases after them have more.
//! - `most y square`: the images of the square hold at most as many queens as assumed. The multiplier is y.
//! - `least y square`: the images hold at least as many queens as assumed. The multiplier is -y.
//! - `case k`: the lines since the last case show that at most k queens fit in this case, as the whole file
//!   does in format 1. The bound of `at most` is compared with the sum of the right-hand sides of each case,
//!   not with k.
//!
//! Format 3 adds two kinds of lines to format 2, for queens. They are about a box with sides of 1 and 3, in
//! which the *class* of a square is the number of its offsets 1 along sides of 3.
//!
//! - `volume y k corner sides stride`: the volume inequality of dimension k. The multiplier is y.
//! - `class y b weights corner sides stride`: the queens, each with the weight of its class, add up to at
//!   most b. The multiplier is y.
//!
//! A bound of a box holds for the box with a stride as well: squares that attack each other in a box still do
//! so after all their differences are multiplied by the same number.

mod cases;
pub(crate) mod faces;
mod fractions;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, BufRead};

use ndqueens_notation::certificate::format_square;
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::{BoardName, MAX_DIMENSION, Piece};
use ndqueens_notation::proof::{BOUND, BOUND_WITH_CASES, BOUND_WITH_FACES};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _, Zero as _};

use self::cases::Cases;
use self::fractions::{Denominator, MAX_BITS, Multiplier, Numerator};
use crate::boards::Definition as _;
use crate::boards::grid::Grid;
use crate::fault::{FaultKind, LineFault, Reason};
use crate::reader;
use crate::reader::Fault;

/// Maximum number of squares of a row.
const MAX_SQUARES: u64 = 1 << 27;

/// Number of squares of a row that are processed between two calls of `go_on`.
const SQUARES_AT_A_TIME: u64 = 1 << 16;

/// Maximum number of digits of a number.
const MAX_DIGITS: usize = 10_000;

/// Maximum number of orbits of a board.
const MAX_ORBITS: u64 = 1 << 22;

/// Error of the check of a bound.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::bound;
///
/// let text = "ndqueens bound 1\nboard 2^2\nclique 1 0,0 0,1 1,0 1,1\nat most 1\nend\n";
/// let error = bound::check(text.replace("at most 1", "at most 0").as_bytes()).expect_err("the sum is 1");
/// let bound::BoundError::Line(fault) = error else { panic!("{error}") };
/// assert_eq!(fault.line, 4);
/// ```
#[derive(Debug, thiserror::Error)]
pub enum BoundError {
    /// The file cannot be read.
    #[error("the bound cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The check was stopped from outside.
    #[error("the check was stopped")]
    Stopped,
    /// A line is not accepted.
    #[error("{}", .0.message("bound"))]
    Line(LineFault),
}

impl BoundError {
    /// Returns the kind of the fault.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        match self {
            Self::Unreadable(_) => FaultKind::Unreadable,
            Self::Line(fault) => fault.kind,
            Self::Stopped => FaultKind::Limit,
        }
    }
}

impl Classified for BoundError {
    fn class(&self) -> ErrorClass {
        self.kind().into()
    }
}

impl From<Fault> for BoundError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unreadable(error) if error.kind() == io::ErrorKind::TimedOut => Self::Stopped,
            Fault::Unreadable(error) => Self::Unreadable(error),
            Fault::Line(fault) => Self::Line(fault),
        }
    }
}

/// Bound that a file proves. Only [`check`] and [`check_while`] create one.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::bound;
///
/// let text = "ndqueens bound 1\nboard 2^2\nclique 1 0,0 0,1 1,0 1,1\nat most 1\nend\n";
/// let proved = bound::check(text.as_bytes())?;
/// assert_eq!((proved.at_most(), proved.rows()), (1, 1));
/// # Ok::<(), bound::BoundError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedBound {
    board: BoardName,
    at_most: u64,
    sum: BigRational,
    rows: usize,
    cases: usize,
    needs: BTreeMap<BoardName, u64>,
}

impl ProvedBound {
    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// Returns the largest number of queens that may fit, if the bounds in [`Self::needs`] hold.
    #[must_use]
    pub fn at_most(&self) -> u64 {
        self.at_most
    }

    /// Returns the sum of the right-hand sides in the case in which it is largest.
    #[must_use]
    pub fn sum(&self) -> &BigRational {
        &self.sum
    }

    /// Returns the number of inequalities of the file, over all cases. An inequality and its images count
    /// once.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of cases, which is 1 if there is no split.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.cases
    }

    /// Returns the bounds of smaller boards on which this bound depends.
    #[must_use]
    pub fn needs(&self) -> &BTreeMap<BoardName, u64> {
        &self.needs
    }
}

/// Checks a bound from its first line to its last.
///
/// ```
/// use ndqueens_crosscheck::bound::check;
///
/// let bound = "ndqueens bound 1\nboard 2^2\nclique 1 0,0 0,1 1,0 1,1\nat most 1\nend\n";
/// assert_eq!(check(bound.as_bytes())?.at_most(), 1);
/// assert!(check(bound.replace("clique 1", "clique 1/2").as_bytes()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error at the first line that is not accepted, or if the file ends too early.
pub fn check(text: impl BufRead) -> Result<ProvedBound, BoundError> {
    check_while(text, &mut || true)
}

/// Checks a bound like [`check`], and stops if `go_on` returns `false`.
///
/// # Errors
/// Returns an error at the first line that is not accepted, if the file ends too early, or if the check was
/// stopped.
pub fn check_while(
    mut text: impl BufRead,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<ProvedBound, BoundError> {
    check_lines(&mut text, go_on)
}

/// Checks a bound. The function is not generic, so it is compiled with the profile of this crate, which traps
/// on overflow.
fn check_lines(text: &mut dyn BufRead, go_on: &mut dyn FnMut() -> bool) -> Result<ProvedBound, BoundError> {
    let mut lines: reader::Lines<'_, BoundError> = reader::Lines::new(text, "bound");
    let header = lines.read_header(&[BOUND, BOUND_WITH_CASES, BOUND_WITH_FACES])?;
    let format = Format { has_cases: header != BOUND, has_faces: header == BOUND_WITH_FACES };
    let board = lines.read_board(str::parse)?;
    let BoardName::Grid { piece, torus: false, sides } = &board else {
        return Err(lines.unreadable("a bound is about a plain box, such as 6^4"));
    };
    if !sides.is_sorted() {
        return Err(lines.fault("the sides of the board must be in increasing order"));
    }
    let mut sum = Sum::new(*piece, sides).map_err(|fault| lines.fault(fault))?;
    let at_most: u64 = loop {
        if !go_on() {
            return Err(BoundError::Stopped);
        }
        lines.read_line()?;
        if sum.cases.are_done && !lines.text.starts_with("at most ") {
            return Err(lines.unreadable("expected \"at most ...\", because all cases are bounded"));
        }
        let words: Vec<&str> = lines.text.split(' ').collect();
        let is_done = match words.as_slice() {
            ["at", "most", bound] if !format.has_cases => sum.end_case(bound, go_on),
            ["at", "most", _] => Ok(true),
            words => sum.read_line(format, words, go_on),
        };
        if !is_done.map_err(|fault| lines.fault(fault))? {
            return Err(BoundError::Stopped);
        }
        if let ["at", "most", bound] = words.as_slice() {
            break lines.parse_number(bound)?;
        }
    };
    if !sum.cases.are_done {
        return Err(lines.fault("a case is not bounded: expected \"case ...\" before this line"));
    }
    if BigRational::from_integer(BigInt::from(at_most) + 1) <= sum.largest {
        return Err(lines.fault(format!("a case is bounded by {}, not by {at_most}", sum.largest)));
    }
    lines.read_end()?;
    let Sum { largest, rows, bounded_cases: cases, used, needs, .. } = sum;
    let needs = needs.into_iter().filter(|(board, _)| used.contains(board)).collect();
    Ok(ProvedBound { board, at_most, sum: largest, rows, cases, needs })
}

/// Lines that a format has beyond those of format 1.
#[derive(Clone, Copy)]
struct Format {
    has_cases: bool,
    has_faces: bool,
}

impl Format {
    /// Returns the message for a line whose first word the format does not have.
    fn expected_words(self) -> &'static str {
        match self {
            Self { has_cases: false, .. } => {
                "expected \"needs ...\", \"clique ...\", \"box ...\" or \"at most ...\""
            }
            Self { has_faces: false, .. } => {
                "expected \"needs ...\", \"split ...\", \"clique ...\", \"box ...\", \"most ...\", \"least ...\", \"case ...\" or \"at most ...\""
            }
            Self { .. } => {
                "expected \"needs ...\", \"split ...\", \"clique ...\", \"box ...\", \"volume ...\", \"class ...\", \"most ...\", \"least ...\", \"case ...\" or \"at most ...\""
            }
        }
    }
}

/// Sum of the inequalities of the current case that have been read so far.
struct Sum {
    piece: Piece,
    grid: Grid,
    sides: Vec<u32>,
    needs: BTreeMap<BoardName, u64>,
    used: BTreeSet<BoardName>,
    rows: usize,
    cases: Cases,
    /// Number of cases that are bounded.
    bounded_cases: usize,
    /// Largest sum of the right-hand sides of those cases.
    largest: BigRational,
    /// `true` if the current case has rows.
    has_rows: bool,
    /// All orbits with their numbers of squares, in lexicographic order; computed when they are first needed.
    orbits: OnceCell<Vec<(Orbit, u64)>>,
    /// Common denominator of the multipliers of the case.
    denominator: Denominator,
    value: Numerator,
    /// Number of times that the squares of each orbit are counted, all squares together.
    counted: HashMap<Orbit, Numerator>,
}

/// Position of a box on the board.
pub(crate) struct Place {
    corner: Vec<u32>,
    pub(crate) extents: Vec<u32>,
    stride: u32,
}

impl Place {
    /// Reads the position of a box on the board with the sides `board`: its corner, its sides and its stride.
    pub(crate) fn parse(board: &[u32], [corner, sides, stride]: [&str; 3]) -> Result<Self, Reason> {
        for (text, between) in [(corner, ','), (sides, 'x')] {
            if text.split(between).count() != board.len() {
                let found = counted(text.split(between).count(), "number");
                let fault = format!(
                    "this has {found}, one for each axis, and the board has {}",
                    counted(board.len(), "axis")
                );
                return Err(Reason::from(fault).at(text));
            }
        }
        let at_corner = corner;
        let at_stride = stride;
        let stride = parse_number(stride)?;
        let corner = parse_coordinates(corner)?;
        let extents: Vec<u32> = parse_numbers(sides, 'x')?;
        if stride == 0 {
            return Err(Reason::from("the stride of a box must be positive").at(at_stride));
        }
        if extents.contains(&0) {
            return Err(Reason::from("the sides of a box must be positive").at(sides));
        }
        let inside = |((&a, &side), &n): ((&u32, &u32), &u32)| {
            u64::from(side - 1)
                .checked_mul(stride)
                .and_then(|span| span.checked_add(a.into()))
                .is_some_and(|end| end < u64::from(n))
        };
        if !corner.iter().zip(&extents).zip(board).all(inside) {
            return Err(Reason::from("the box does not lie on the board").at(at_corner));
        }
        // A side of 1 takes no step along its axis, so its stride may be arbitrarily long. All other strides
        // are shorter than the board.
        let stride = u32::try_from(stride).unwrap_or(u32::MAX);
        Ok(Self { corner, extents, stride })
    }

    fn check_size(&self) -> Result<(), Reason> {
        let size = self.extents.iter().try_fold(1u64, |size, &side| size.checked_mul(side.into()));
        if size.is_none_or(|size| size > MAX_SQUARES) {
            return Err(Reason::limit(format!("the box has more than {MAX_SQUARES} squares")));
        }
        Ok(())
    }

    /// Calls `visit` with the offset and the coordinates of each square in lexicographic order, until it
    /// returns `false`. Returns `true` if all squares were visited.
    pub(crate) fn visit_squares(&self, visit: &mut dyn FnMut(&[u32], &[u32]) -> bool) -> bool {
        let mut offset = vec![0; self.extents.len()];
        let mut square = self.corner.clone();
        loop {
            if !visit(&offset, &square) {
                return false;
            }
            let Some(axis) = (0..offset.len()).rfind(|&axis| offset[axis] + 1 < self.extents[axis]) else {
                return true;
            };
            offset[axis] += 1;
            square[axis] += self.stride;
            offset[axis + 1..].fill(0);
            square[axis + 1..].copy_from_slice(&self.corner[axis + 1..]);
        }
    }
}

/// Visitor of squares with their weights, which returns `false` to stop.
type Visit<'v> = dyn FnMut(&[u32], u64) -> bool + 'v;

/// Orbit of a square under the symmetries of the board: twice the distance of each coordinate from the middle
/// of its axis, in decreasing order among axes of the same length. On `4x5^2` the square `(0,3,0)` has the
/// orbit `[3, 4, 2]`.
type Orbit = Vec<u32>;

impl Sum {
    fn new(piece: Piece, sides: &[u32]) -> Result<Self, Reason> {
        let squares = sides.iter().try_fold(1u64, |squares, &n| squares.checked_mul(n.into()));
        let orbits = sides.chunk_by(|a, b| a == b).try_fold(1u64, |orbits, class| {
            let here =
                binomial(u64::from(class[0].div_ceil(2)) + class.len() as u64 - 1, class.len() as u64)?;
            orbits.checked_mul(here).filter(|all| *all <= MAX_ORBITS)
        });
        if squares.is_none() || orbits.is_none() || sides.len() > MAX_DIMENSION {
            let words =
                format!("the check reached a limit: a board with more than {MAX_ORBITS} orbits of squares");
            return Err(Reason::limit(words));
        }
        Ok(Self {
            cases: Cases::default(),
            bounded_cases: 0,
            largest: BigRational::zero(),
            has_rows: false,
            orbits: OnceCell::new(),
            piece,
            grid: Grid::new(piece, false, sides),
            sides: sides.to_vec(),
            needs: BTreeMap::new(),
            used: BTreeSet::new(),
            rows: 0,
            denominator: Denominator::new(),
            value: Numerator::default(),
            counted: HashMap::new(),
        })
    }

    /// Reads a line, except for "at most". Returns `false` if `go_on` stopped it.
    fn read_line(
        &mut self,
        format: Format,
        line: &[&str],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Reason> {
        match *line {
            ["needs", board, most] => self.read_needs(board, most)?,
            ["clique", times, ref squares @ ..] => return self.add_clique(times, squares, go_on),
            ["box", times, most, corner, sides, stride] => {
                return self.add_box([times, most, corner, sides, stride], go_on);
            }
            ["volume", times, least, corner, sides, stride] if format.has_faces => {
                let claim = faces::Claim::Volume { least };
                return self.add_class_row(times, &claim, [corner, sides, stride], go_on);
            }
            ["class", times, most, weights, corner, sides, stride] if format.has_faces => {
                let claim = faces::Claim::Class { most, weights };
                return self.add_class_row(times, &claim, [corner, sides, stride], go_on);
            }
            ["split", square, most] if format.has_cases => self.split_case(square, most)?,
            ["most", times, square] if format.has_cases => self.add_assumption(true, times, square)?,
            ["least", times, square] if format.has_cases => self.add_assumption(false, times, square)?,
            ["case", bound] if format.has_cases => return self.end_case(bound, go_on),
            [word @ ("volume" | "class"), ..] if !format.has_faces => return Err(wrong_format(word, 3)),
            [word @ ("split" | "most" | "least" | "case"), ..] if !format.has_cases => {
                return Err(wrong_format(word, 2));
            }
            [word @ "needs", ..] => return Err(wrong_form(word, "board bound")),
            [word @ "clique", ..] => return Err(wrong_form(word, "multiplier square ...")),
            [word @ "box", ..] => return Err(wrong_form(word, "multiplier bound corner sides stride")),
            [word @ "volume", ..] => {
                return Err(wrong_form(word, "multiplier dimension corner sides stride"));
            }
            [word @ "class", ..] => {
                return Err(wrong_form(word, "multiplier bound weights corner sides stride"));
            }
            [word @ "split", ..] => return Err(wrong_form(word, "square bound")),
            [word @ ("most" | "least"), ..] => {
                return Err(wrong_form(word, "multiplier square"));
            }
            [word @ "case", ..] => return Err(wrong_form(word, "bound")),
            [word @ "at", ..] => return Err(wrong_form(word, "most bound")),
            _ => return Err(Reason::unreadable(format.expected_words())),
        }
        Ok(true)
    }

    fn read_needs(&mut self, name: &str, most: &str) -> Result<(), Reason> {
        let board = reader::parse_board(name).map_err(|error| Reason::from(error).at(name))?;
        let BoardName::Grid { piece, torus: false, sides } = &board else {
            return Err(Reason::from(format!("{board} is not a plain box")).at(name));
        };
        if *piece != self.piece {
            return Err(Reason::from(format!("{board} is a board of another piece")).at(name));
        }
        // A bound must not replace one that a row used, because the bounds that were used are reported at the
        // end.
        let board = BoardName::grid(*piece, false, sides).without_unit_sides();
        let most = parse_number(most)?;
        if let Some(before) = self.needs.insert(board.clone(), most) {
            let fault = match before == most {
                true => format!("{board} is needed twice"),
                false => format!("{board} is needed twice, first with {before} and then with {most}"),
            };
            return Err(Reason::from(fault).at(name));
        }
        Ok(())
    }

    /// Adds a line `clique`. Returns `false` if `go_on` stopped it before all squares were processed.
    fn add_clique(
        &mut self,
        times: &str,
        words: &[&str],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Reason> {
        let times = parse_multiplier(times)?;
        let squares = words.iter().map(|word| self.parse_square(word)).collect::<Result<Vec<_>, _>>()?;
        let is_known = self.is_on_a_line(&squares) || self.is_in_a_cube(&squares);
        for (i, a) in squares.iter().enumerate().filter(|_| !is_known) {
            if i % 256 == 255 && !go_on() {
                return Ok(false);
            }
            if let Some(b) = squares[..i].iter().find(|b| !self.grid.attacks(a, b)) {
                let fault = if a == b {
                    format!("{} is listed twice", format_square(a))
                } else {
                    format!("{} and {} do not attack each other", format_square(b), format_square(a))
                };
                return Err(Reason::from(fault).at(words[i]));
            }
        }
        let visit_all = |visit: &mut Visit<'_>| squares.iter().all(|square| visit(square, 1));
        Ok(self.add_row(&times, 1, visit_all, go_on))
    }

    /// Parses a square of the board.
    fn parse_square(&self, word: &str) -> Result<Vec<u32>, Reason> {
        let square = parse_coordinates(word)?;
        if self.grid.contains(&square) {
            return Ok(square);
        }
        let name = format_square(&square);
        if square.len() != self.sides.len() {
            let (found, axes) = (counted(square.len(), "coordinate"), self.sides.len());
            return Err(
                Reason::from(format!("{name} has {found}, and a square of the board has {axes}")).at(word)
            );
        }
        let squares = self.grid.describe_squares();
        Err(Reason::from(format!("{name} is not a square of the board; {squares}")).at(word))
    }

    /// Returns `true` if the squares are different squares of a line along which the piece moves: each is
    /// reached from the first by a number of steps of 1 or -1 along the axes on which the second square
    /// differs from the first. The difference of any two squares is then the difference of their numbers of
    /// steps.
    fn is_on_a_line(&self, squares: &[Vec<u32>]) -> bool {
        let [first, second, ..] = squares else { return false };
        if !self.grid.attacks(first, second) {
            return false;
        }
        let apart = |square: &[u32], axis: usize| i64::from(square[axis]) - i64::from(first[axis]);
        let axes = 0..self.sides.len();
        let direction: Vec<i64> = axes.clone().map(|axis| apart(second, axis).signum()).collect();
        let lead = axes.clone().find(|&axis| direction[axis] != 0).expect("a square does not attack itself");
        let mut steps = BTreeSet::new();
        squares.iter().all(|square| {
            let step = apart(square, lead) * direction[lead];
            axes.clone().all(|axis| apart(square, axis) == step * direction[axis]) && steps.insert(step)
        })
    }

    /// Returns `true` if the piece is the queen and the squares are distinct, each a corner or the centre of
    /// one cube. Along each axis, two corners differ by 0 or by the side of the cube, and a corner and the
    /// centre by half of it, so the squares are a clique.
    fn is_in_a_cube(&self, squares: &[Vec<u32>]) -> bool {
        let extent = |axis: usize| {
            let along = || squares.iter().map(|square| square[axis]);
            along().min().zip(along().max()).unwrap_or_default()
        };
        let extents: Vec<(u32, u32)> = (0..self.sides.len()).map(extent).collect();
        let side = extents.iter().map(|(least, most)| most - least).max().unwrap_or_default();
        let has_one_side = extents.iter().all(|(least, most)| [0, side].contains(&(most - least)));
        let with_extents = |square: &[u32], fits: fn(u32, (u32, u32)) -> bool| {
            square.iter().zip(&extents).all(|(&coordinate, &ends)| fits(coordinate, ends))
        };
        let is_corner =
            |square: &[u32]| with_extents(square, |place, (least, most)| place == least || place == most);
        let is_centre =
            |square: &[u32]| with_extents(square, |place, (least, most)| 2 * place == least + most);
        let different = || squares.iter().collect::<HashSet<_>>().len() == squares.len();
        self.piece == Piece::Queen
            && has_one_side
            && squares.iter().all(|square| is_corner(square) || is_centre(square))
            && different()
    }

    /// Adds a line `box`. Returns `false` if `go_on` stopped it before all squares were processed.
    fn add_box(
        &mut self,
        [times, most, corner, sides, stride]: [&str; 5],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Reason> {
        let (times, most) = (parse_multiplier(times)?, parse_number(most)?);
        let place = Place::parse(&self.sides, [corner, sides, stride])?;
        let shape = sort_sides(&place.extents);
        if shape == self.sides {
            return Err(Reason::from("the box is the board itself").at(sides));
        }
        place.check_size()?;
        if self.trivial_bound(&shape) > most {
            let board = BoardName::grid(self.piece, false, &shape).without_unit_sides();
            if self.needs.get(&board).is_none_or(|&needed| needed > most) {
                let fault = format!("no line before this one states \"needs {board} {most}\" or less");
                return Err(Reason::from(fault).at(sides));
            }
            self.used.insert(board);
        }
        let visit_all = |visit: &mut Visit<'_>| place.visit_squares(&mut |_, square| visit(square, 1));
        Ok(self.add_row(&times, most, visit_all, go_on))
    }

    /// Returns a bound that needs no proof: parallel lines partition a box, and for queens so do boxes of
    /// side at most 2, which are cliques.
    fn trivial_bound(&self, ascending: &[u32]) -> u64 {
        let product =
            |sides: &mut dyn Iterator<Item = u32>| sides.fold(1u64, |all, n| all.saturating_mul(n.into()));
        let lines = match self.piece {
            // The lines of a bishop along one axis and another differ in length.
            Piece::Bishop => product(&mut ascending.iter().copied()),
            Piece::Queen | Piece::Rook => product(&mut ascending[..ascending.len() - 1].iter().copied()),
        };
        match self.piece {
            Piece::Queen => lines.min(product(&mut ascending.iter().map(|n| n.div_ceil(2)))),
            Piece::Rook | Piece::Bishop => lines,
        }
    }

    /// Adds `times` times the inequality that the weights of the squares with queens add up to at most
    /// `most`, spread over all its images. `visit_all` visits each square with its weight, and returns
    /// `false` if the visitor did. Returns `false` if `go_on` stopped it before all squares were processed.
    fn add_row(
        &mut self,
        times: &Multiplier,
        most: u64,
        visit_all: impl FnOnce(&mut Visit<'_>) -> bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        // The sums do not overflow: they have at most 2^27 terms below 2^64.
        let mut here: HashMap<Orbit, u128> = HashMap::new();
        let (mut orbit, mut number) = (Vec::new(), 0u64);
        let is_done = visit_all(&mut |square, weight| {
            self.write_orbit(square, &mut orbit);
            match here.get_mut(&orbit) {
                Some(sum) => *sum += u128::from(weight),
                None => drop(here.insert(orbit.clone(), weight.into())),
            }
            number += 1;
            !number.is_multiple_of(SQUARES_AT_A_TIME) || go_on()
        });
        if !is_done {
            return false;
        }
        let times = self.denominator.numerator(times);
        if !self.denominator.is_too_large() {
            for (orbit, squares) in here {
                self.count_squares(orbit, &times * squares);
            }
            self.denominator.add(&mut self.value, times * most);
        }
        self.rows += 1;
        self.has_rows = true;
        true
    }

    /// Adds `more`, divided by the common denominator, to the number of times that the squares of an orbit
    /// are counted.
    fn count_squares(&mut self, orbit: Orbit, more: BigInt) {
        self.denominator.add(self.counted.entry(orbit).or_default(), more);
    }

    /// Returns the orbit of a square, and its size.
    fn read_orbit(&self, square: &str) -> Result<(Orbit, u64), Reason> {
        let square = self.parse_square(square)?;
        let orbit = self.orbit(&square);
        let orbits = self.orbits();
        let place = orbits.binary_search_by(|(known, _)| known.cmp(&orbit));
        let size = orbits[place.expect("every square lies in an orbit")].1;
        Ok((orbit, size))
    }

    fn orbits(&self) -> &[(Orbit, u64)] {
        self.orbits.get_or_init(|| orbits_with_sizes(&self.sides))
    }

    /// Splits the current case.
    fn split_case(&mut self, square: &str, word: &str) -> Result<(), Reason> {
        let ((orbit, size), at_most) = (self.read_orbit(square)?, parse_number(word)?);
        if self.has_rows {
            return Err("this case already has inequalities, so it can no longer be split".into());
        }
        if at_most >= size {
            let (images, limit) = (counted(size, "image"), counted(at_most, "queen"));
            let fault = format!("{square} has {images}, so a limit of {limit} splits nothing");
            return Err(Reason::from(fault).at(word));
        }
        self.cases.split(orbit, at_most);
        Ok(())
    }

    /// Adds the assumption of the case about an orbit: the upper limit if `is_most`, otherwise the lower one.
    fn add_assumption(&mut self, is_most: bool, times: &str, square: &str) -> Result<(), Reason> {
        let (times, (orbit, size)) = (parse_multiplier(times)?, self.read_orbit(square)?);
        let (assumed, times) = match is_most {
            true => (self.cases.upper_limit(&orbit), times),
            false => (self.cases.lower_limit(&orbit), Multiplier { above: -times.above, ..times }),
        };
        let side = if is_most { "at most" } else { "at least" };
        let assumed = assumed.ok_or_else(|| {
            let fault = format!("this case assumes no \"{side}\" about {square} and its images");
            Reason::from(fault).at(square)
        })?;
        let times = self.denominator.numerator(&times);
        if !self.denominator.is_too_large() {
            self.count_squares(orbit, &times * size);
            self.denominator.add(&mut self.value, times * assumed);
        }
        self.has_rows = true;
        Ok(())
    }

    /// Checks that the sum so far bounds the case by `bound`, and starts the next case. Returns `false` if
    /// `go_on` stopped it before all orbits were processed.
    fn end_case(&mut self, word: &str, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Reason> {
        let bound: u64 = parse_number(word)?;
        if self.denominator.is_too_large() {
            let words =
                format!("the common denominator of the multipliers has more than {MAX_BITS} binary digits");
            return Err(Reason::limit(words));
        }
        if !self.covers_every_square(go_on)? {
            return Ok(false);
        }
        let value = BigRational::new(self.denominator.scale(&self.value), self.denominator.value().clone());
        if BigRational::from_integer(BigInt::from(bound) + 1) <= value {
            let fault = format!("the right-hand sides add up to {value}, not to {bound}");
            return Err(Reason::from(fault).at(word));
        }
        self.cases.end();
        self.bounded_cases += 1;
        self.has_rows = false;
        self.counted.clear();
        (self.denominator, self.value) = (Denominator::new(), Numerator::default());
        if value > self.largest {
            self.largest = value;
        }
        Ok(true)
    }

    /// Returns the groups of consecutive axes that have the same length.
    fn classes(&self) -> impl Iterator<Item = &[u32]> {
        self.sides.chunk_by(|a, b| a == b)
    }

    fn orbit(&self, square: &[u32]) -> Orbit {
        let mut orbit = Vec::new();
        self.write_orbit(square, &mut orbit);
        orbit
    }

    /// Replaces `orbit` by the orbit of a square.
    fn write_orbit(&self, square: &[u32], orbit: &mut Orbit) {
        orbit.clear();
        orbit.extend(square.iter().zip(&self.sides).map(|(&x, &n)| (2 * x).abs_diff(n - 1)));
        let mut begin = 0;
        for class in self.classes() {
            orbit[begin..begin + class.len()].sort_unstable_by(|a, b| b.cmp(a));
            begin += class.len();
        }
    }

    /// Checks that every square is counted at least once. All squares of an orbit are counted equally often,
    /// so it suffices that their average is at least 1. Returns `false` if `go_on`
    /// stopped it before all orbits were processed.
    fn covers_every_square(&self, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Reason> {
        let orbits = self.orbits();
        for ((orbit, size), number) in orbits.iter().zip(1u64..) {
            if number.is_multiple_of(SQUARES_AT_A_TIME) && !go_on() {
                return Ok(false);
            }
            let counted = self.counted.get(orbit).map(|sum| self.denominator.scale(sum)).unwrap_or_default();
            if counted < self.denominator.value() * *size {
                let square: Vec<u32> =
                    orbit.iter().zip(&self.sides).map(|(distance, n)| (n - 1 - distance) / 2).collect();
                let each = BigRational::new(counted, self.denominator.value() * *size);
                return Err(format!(
                    "the square {} and its images are counted {each} times, less than once",
                    format_square(&square)
                )
                .into());
            }
        }
        Ok(true)
    }
}

/// Returns the fault of a line that belongs to a later format than that of the file.
fn wrong_format(word: &str, format: u32) -> Reason {
    let fault =
        format!("the line \"{word}\" needs format {format}, whose first line is \"ndqueens bound {format}\"");
    Reason::unreadable(fault).at(word)
}

/// Returns the fault of a line with too few or too many words.
fn wrong_form(word: &str, others: &str) -> Reason {
    Reason::unreadable(format!("expected \"{word} {others}\""))
}

/// Returns all orbits in lexicographic order, with their numbers of squares. Together they have all squares.
fn orbits_with_sizes(sides: &[u32]) -> Vec<(Orbit, u64)> {
    let mut orbits: Vec<(Orbit, u64)> = vec![(Vec::new(), 1)];
    for class in sides.chunk_by(|a, b| a == b) {
        let distances: Vec<u32> = (0..class[0])
            .map(|x| (2 * x).abs_diff(class[0] - 1))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let mut longer = Vec::new();
        for (orbit, size) in &orbits {
            for (part, squares) in descending_sequences(&distances, class.len()) {
                longer.push(([orbit.as_slice(), &part].concat(), size * squares));
            }
        }
        orbits = longer;
    }
    let squares: u128 = orbits.iter().map(|(_, size)| u128::from(*size)).sum();
    assert_eq!(
        squares,
        sides.iter().map(|&n| u128::from(n)).product::<u128>(),
        "every square lies in one orbit"
    );
    orbits
}

/// Returns all descending sequences of `distances`, which are given in increasing order, with the number of
/// squares that have these distances in any order: each distance except 0 occurs on both sides of the middle.
/// For the distances 0 and 2 of an axis of length 3, and two axes: `[0, 0]` of 1 square, `[2, 0]` of 4
/// squares and `[2, 2]` of 4 squares.
fn descending_sequences(distances: &[u32], length: usize) -> Vec<(Vec<u32>, u64)> {
    // Each entry is a sequence, the index of its last distance, how often that distance occurs, and the
    // number of positions.
    let mut all: Vec<(Vec<u32>, usize, u64, u64)> = vec![(Vec::new(), distances.len() - 1, 0, 1)];
    for places in 1..=length as u64 {
        let mut longer = Vec::new();
        for (begin, last, many, positions) in &all {
            for (at, &distance) in distances.iter().enumerate().take(last + 1) {
                let many = if at == *last { many + 1 } else { 1 };
                let sides = if distance == 0 { 1 } else { 2 };
                let positions = u128::from(*positions) * u128::from(places) / u128::from(many) * sides;
                let positions = u64::try_from(positions).expect("a board has at most 2^64 squares");
                longer.push(([begin.as_slice(), &[distance]].concat(), at, many, positions));
            }
        }
        all = longer;
    }
    all.into_iter().map(|(sequence, _, _, positions)| (sequence, positions)).collect()
}

/// Returns the number of ways to choose k of n, or `None` if it is too large.
fn binomial(n: u64, k: u64) -> Option<u64> {
    (0..k).try_fold(1u64, |all, i| Some(all.checked_mul(n - i)? / (i + 1)))
}

fn sort_sides(sides: &[u32]) -> Vec<u32> {
    let mut sides = sides.to_vec();
    sides.sort_unstable();
    sides
}

fn parse_number(text: &str) -> Result<u64, Reason> {
    reader::parse_number(text).ok_or_else(|| reader::not_a_number(text))
}

fn parse_numbers(text: &str, between: char) -> Result<Vec<u32>, Reason> {
    let small = |n: u64| u32::try_from(n).ok().filter(|n| *n < 1 << 30);
    text.split(between)
        .map(|n| {
            parse_number(n)
                .and_then(|value| small(value).ok_or_else(|| Reason::from(format!("{n} is too large")).at(n)))
        })
        .collect()
}

/// Parses the coordinates of a square, such as `0,3,1`.
fn parse_coordinates(text: &str) -> Result<Vec<u32>, Reason> {
    parse_short_numbers(text.as_bytes()).map_or_else(|| parse_numbers(text, ','), Ok)
}

/// Parses numbers of at most six digits without leading zeros, separated by commas. Most of the time of a
/// check of a large file is spent here.
fn parse_short_numbers(text: &[u8]) -> Option<Vec<u32>> {
    let mut values = Vec::with_capacity(12);
    for word in text.split(|&byte| byte == b',') {
        if word.is_empty() || word.len() > 6 || word.len() > 1 && word[0] == b'0' {
            return None;
        }
        let mut value = 0;
        for byte in word {
            value = 10 * value + u32::from(byte.checked_sub(b'0').filter(|&digit| digit < 10)?);
        }
        values.push(value);
    }
    Some(values)
}

/// Parses a nonnegative fraction, such as `2/3` or `1`.
fn parse_multiplier(text: &str) -> Result<Multiplier, Reason> {
    let digits = |text: &str| {
        if text.len() > MAX_DIGITS {
            return None;
        }
        reader::parse_number::<BigInt>(text)
    };
    let (above, below) = text
        .split_once('/')
        .map_or_else(|| (digits(text), Some(BigInt::one())), |(a, b)| (digits(a), digits(b)));
    match (above, below) {
        (Some(above), Some(below)) if !below.is_zero() => Ok(Multiplier { above, below }),
        (Some(_), Some(_)) => {
            Err(Reason::unreadable("the denominator of a multiplier must be positive").at(text))
        }
        // The text consists of digits and a slash, so only its length can be wrong.
        _ if text.len() > MAX_DIGITS => {
            let fault = format!("a number of a multiplier has more than {MAX_DIGITS} digits");
            Err(Reason::limit(fault).at(text))
        }
        _ => {
            let fault = format!("\"{text}\" should be a fraction that is not negative, such as 2/3");
            Err(Reason::unreadable(fault).at(text))
        }
    }
}

/// Formats a fraction as a mixed number, such as `245 1/3`.
#[must_use]
pub fn format_mixed(value: &BigRational) -> String {
    let whole = value.floor().to_integer();
    let rest = value - BigRational::from_integer(whole.clone());
    if rest.is_zero() { whole.to_string() } else { format!("{whole} {rest}") }
}

/// Returns the nearest floating-point number, or NaN if it is not finite.
#[must_use]
pub fn approximate(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bound of 3^2 by lines. The four border lines are images of one line, and so are the two middle lines;
    /// each of these lines counts 1/2 in total.
    const LINES: &str = "ndqueens bound 1
board 3^2
clique 2 0,0 0,1 0,2
clique 1/2 1,0 1,1 1,2
clique 1/2 0,1 1,1 2,1
at most 3
end
";

    /// Bound of 4^3 by a cut into two halves.
    const BOXES: &str = "ndqueens bound 1
board 4^3
needs 2x4x4 4
box 2 4 0,0,0 2x4x4 1
at most 8
end
";

    /// Bound of 3^2 with cases for the numbers of queens on corners and edges.
    const CASES: &str = include_str!("../tests/data/cases.bound");

    /// Returns the line and the kind of the fault of a bound.
    fn fault(text: &str) -> (u64, FaultKind) {
        match check(text.as_bytes()).expect_err(text) {
            BoundError::Line(fault) => (fault.line, fault.kind),
            fault => panic!("{fault}"),
        }
    }

    #[test]
    fn descending_sequences_represent_all_positions() {
        for (distances, length) in [([0, 2, 4].as_slice(), 3), (&[1, 3], 4), (&[0], 2), (&[1, 3, 5, 7], 2)] {
            let all = descending_sequences(distances, length);
            let positions: u64 = distances.iter().map(|&distance| if distance == 0 { 1 } else { 2 }).sum();
            assert_eq!(all.iter().map(|(_, many)| many).sum::<u64>(), positions.pow(length as u32));
            assert!(all.iter().all(|(sequence, _)| sequence.is_sorted_by(|a, b| a >= b)));
            assert_eq!(all.iter().map(|(sequence, _)| sequence).collect::<HashSet<_>>().len(), all.len());
        }
        assert_eq!(descending_sequences(&(0..100_000).collect::<Vec<_>>(), 1).len(), 100_000);
    }

    #[test]
    fn rejects_or_stops_very_long_rows() {
        let long = format!("ndqueens bound 1\nboard 3^2\nclique 1/{} 0,0 0,1\n", "7".repeat(20_000));
        assert_eq!(fault(&long), (3, FaultKind::Limit));
        let stride = "ndqueens bound 1\nboard 3^2\nneeds 2^2 1\nbox 1 1 1,0 2x2 18446744073709551615\n";
        assert_eq!(fault(stride), (4, FaultKind::Invalid));
        let wide = "ndqueens bound 1\nboard 400^3\nbox 1 160000 0,0,0 300x300x300 1\n";
        let mut looks = 0;
        let mut twice = || {
            looks += 1;
            looks < 3
        };
        assert!(matches!(check_while(wide.as_bytes(), &mut twice), Err(BoundError::Stopped)));
    }

    #[test]
    fn accepts_sums_that_count_every_square() {
        let shown = check(LINES.as_bytes()).expect("it holds");
        assert_eq!((shown.at_most(), shown.rows()), (3, 3));
        assert_eq!(format_mixed(shown.sum()), "3");
        assert!(shown.needs().is_empty());
        let shown = check(BOXES.as_bytes()).expect("it holds");
        assert_eq!((shown.at_most(), shown.needs().len()), (8, 0));
    }

    #[test]
    fn bounds_each_case_separately() {
        let shown = check(CASES.as_bytes()).expect("it holds");
        assert_eq!((shown.at_most(), shown.rows(), shown.cases()), (2, 3, 3));
        let loose = check(CASES.replace("at most 2", "at most 3").as_bytes()).expect("it holds");
        assert_eq!((loose.at_most(), format_mixed(loose.sum())), (3, "2".to_owned()));
        assert_eq!(check(LINES.as_bytes()).expect("it holds").cases(), 1);
    }

    #[test]
    fn trivial_box_bounds_need_no_proof() {
        let text = BOXES.replace("needs 2x4x4 4\n", "");
        assert!(check(text.as_bytes()).expect("cubes of side 2").needs().is_empty());
        let less = BOXES.replace("x4 4\nbox 2 4", "x4 3\nbox 2 3").replace("at most 8", "at most 6");
        let shown = check(less.as_bytes()).expect("it holds");
        assert_eq!((shown.at_most(), shown.needs().len()), (6, 1));
    }

    #[test]
    fn reports_the_bounds_that_rows_use() {
        let less = BOXES
            .replace("needs 2x4x4 4\nbox 2 4", "needs 4x2x4 3\nbox 2 3")
            .replace("at most 8", "at most 6");
        let needs = |text: &str| check(text.as_bytes()).expect("it holds").needs().clone();
        assert_eq!(needs(&less), BTreeMap::from([("2x4x4".parse().expect("a board"), 3)]));
        for again in ["2x4x4 4", "2x4x4 3", "4x4x2 2", "1x2x4x4 9"] {
            for (place, line) in [("box", 4), ("at most", 5)] {
                let text = less.replacen(place, &format!("needs {again}\n{place}"), 1);
                assert_eq!(fault(&text), (line, FaultKind::Invalid), "{again}");
            }
        }
        let square = "ndqueens bound 1\nboard 9^3\nneeds 3^2 1\nneeds 1x3x3 3\n";
        assert_eq!(fault(square), (4, FaultKind::Invalid));
    }

    #[test]
    fn clique_shortcuts_agree_with_pairwise_tests() {
        use rand::{RngExt as _, SeedableRng as _};
        let mut random = rand::rngs::ChaCha8Rng::seed_from_u64(3);
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let d = random.random_range(1..=3);
            let piece = Piece::ALL[random.random_range(0..3)];
            let sum = Sum::new(piece, &vec![4; d]).expect("small");
            let corner: Vec<u32> = (0..d).map(|_| random.random_range(0..3)).collect();
            let reach = random.random_range(1..=2);
            let near = |random: &mut rand::rngs::ChaCha8Rng| -> Vec<u32> {
                corner.iter().map(|x| (x + random.random_range(0..=reach)).min(3)).collect()
            };
            let squares: Vec<Vec<u32>> = (0..random.random_range(0..5)).map(|_| near(&mut random)).collect();
            let pairwise = |i: usize| squares[..i].iter().all(|b| sum.grid.attacks(&squares[i], b));
            let clique = (0..squares.len()).all(pairwise);
            let glances = [sum.is_on_a_line(&squares), sum.is_in_a_cube(&squares)];
            assert!(clique || glances == [false, false], "{piece:?} {squares:?} {glances:?}");
            for (count, seen_one) in seen.iter_mut().zip([glances[0], glances[1], clique]) {
                *count += usize::from(seen_one);
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
        let stopped = check_while(LINES.as_bytes(), &mut || false);
        assert!(matches!(stopped, Err(BoundError::Stopped)));
    }

    #[test]
    fn parses_short_numbers_like_others() {
        for text in [
            "0", "0,3,12", "999999", "1000000", "00", "01,2", "", ",", "1,", "1,,2", "1, 2", "+1", "a", "1,٣",
        ] {
            let usual: Result<Vec<u32>, Reason> = parse_numbers(text, ',');
            assert_eq!(parse_coordinates(text).ok(), usual.ok(), "{text}");
            let short = parse_short_numbers(text.as_bytes());
            assert!(short.is_none() || short == parse_numbers(text, ',').ok(), "{text}");
        }
    }

    #[test]
    fn rejects_every_damaged_file() {
        use FaultKind::{Invalid, Limit, Unreadable};
        for (text, from, to, line, kind) in [
            (LINES, "ndqueens bound 1", "ndqueens bound 4", 1, Unreadable),
            (LINES, "ndqueens bound 1", "ndqueens bound 3", 6, Invalid),
            (LINES, "ndqueens bound 1", "ndqueens bound 2", 6, Invalid),
            (LINES, "at most 3", "case 3\nat most 3", 6, Unreadable),
            (CASES, "ndqueens bound 2", "ndqueens bound 1", 3, Unreadable),
            (CASES, "split 0,0 0", "split 0,0 2", 6, Invalid),
            (CASES, "split 0,0 0", "split 0,0 4", 3, Invalid),
            (CASES, "split 0,0 0", "split 0,3 0", 3, Invalid),
            (CASES, "most 1/2 0,0", "most 1/3 0,0", 6, Invalid),
            (CASES, "most 1/2 0,0", "most 1/2 0,1", 5, Invalid),
            (CASES, "most 1/2 0,0", "least 1/2 0,0", 5, Invalid),
            (CASES, "least 1 0,1", "least 2 0,1", 13, Invalid),
            (CASES, "least 1 0,1", "least 1/2 0,1", 13, Invalid),
            (CASES, "split 0,1 1", "split 0,1 0", 13, Invalid),
            (CASES, "split 0,1 1\n", "", 8, Invalid),
            (CASES, "split 0,1 1\nclique 1", "clique 1 0,0\nsplit 0,1 1\nclique 1", 8, Invalid),
            (CASES, "least 1 0,1\ncase 2\n", "least 1 0,1\ncase 2\ncase 2\n", 14, Unreadable),
            (CASES, "at most 2\nend", "clique 1 0,0\nat most 2\nend", 14, Unreadable),
            (CASES, "clique 4 0,0 0,1 1,0 1,1\nleast 1 0,1\ncase 2\n", "", 11, Invalid),
            (CASES, "at most 2", "at most 1", 14, Invalid),
            (CASES, "at most 2", "split 0,0 1\nat most 2", 14, Unreadable),
            (LINES, "board 3^2", "board torus:3^2", 2, Unreadable),
            (LINES, "board 3^2", "board 4^2", 6, Invalid),
            (LINES, "board 3^2", "board 3^", 2, Unreadable),
            (LINES, "clique 2 ", "clique 7/4 ", 6, Invalid),
            (LINES, "clique 1/2 0,1", "clique -1/2 0,1", 5, Unreadable),
            (LINES, "clique 1/2 0,1", "clique 1/0 0,1", 5, Unreadable),
            (LINES, "1,0 1,1 1,2", "1,0 1,1 0,2 2,1", 4, Invalid),
            (LINES, "1,0 1,1 1,2", "1,0 1,1 1,1", 4, Invalid),
            (LINES, "1,0 1,1 1,2", "1,0 1,1 1,3", 4, Invalid),
            (LINES, "1,0 1,1 1,2", "1,0 1,1 1", 4, Invalid),
            (LINES, "clique 1/2 0,1 1,1 2,1\n", "", 5, Invalid),
            (LINES, "at most 3", "at most 2", 6, Invalid),
            (LINES, "at most 3", "at most +3", 6, Unreadable),
            (LINES, "end\n", "", 7, Unreadable),
            (LINES, "end\n", "end", 7, Unreadable),
            (LINES, "end\n", "end\nend\n", 7, Unreadable),
            (LINES, "at most 3\n", "", 6, Unreadable),
            (BOXES, "box 2 4", "box 2 3", 4, Invalid),
            (BOXES, "needs 2x4x4 4\nbox 2 4", "needs rook:2x4x4 3\nbox 2 3", 3, Invalid),
            (BOXES, "needs 2x4x4 4\nbox 2 4", "needs torus:4^3 3\nbox 2 3", 3, Invalid),
            (BOXES, "0,0,0 2x4x4 1", "3,0,0 2x4x4 1", 4, Invalid),
            (BOXES, "0,0,0 2x4x4 1", "0,0,0 2x4x4 2", 4, Invalid),
            (BOXES, "0,0,0 2x4x4 1", "0,0,0 2x4x4 0", 4, Invalid),
            (BOXES, "0,0,0 2x4x4 1", "0,0,0 0x4x4 1", 4, Invalid),
            (BOXES, "0,0,0 2x4x4 1", "0,0 2x4 1", 4, Invalid),
            (BOXES, "needs 2x4x4 4\nbox 2 4 0,0,0 2x4x4 1", "needs 4^3 7\nbox 1 7 0,0,0 4x4x4 1", 4, Invalid),
            (BOXES, "0,0,0 2x4x4 1", "0,0,0 2x4x4 99999999999999999999", 4, Limit),
            (BOXES, "0,0,0 2x4x4 1", "4294967295,0,0 2x4x4 1", 4, Invalid),
        ] {
            assert!(text.contains(from), "{from}");
            assert_eq!(fault(&text.replacen(from, to, 1)), (line, kind), "{from} -> {to}");
        }
        for board in ["1000000^9", "3^33", "1x1x1x2x3"] {
            let text = LINES.replace("3^2", board);
            assert!(check(text.as_bytes()).is_err(), "{board}");
        }
    }

    #[test]
    fn averages_over_unevenly_counted_orbits_are_valid() {
        // Averages over images are valid even if the squares of an orbit are distributed unevenly over a row.
        let text =
            "ndqueens bound 1\nboard 2x3\nclique 1 0,0 0,1 1,0 1,1\nclique 1 0,2 1,2\nat most 2\nend\n";
        assert_eq!(check(text.as_bytes()).expect("two cliques partition the board").at_most(), 2);
        let text = text.replace("clique 1 0,2 1,2", "clique 1/2 0,2 1,2");
        assert_eq!(fault(&text.replace("at most 2", "at most 1")), (5, FaultKind::Invalid));
    }

    #[test]
    fn orbits_agree_with_the_symmetries() {
        for sides in [&[1][..], &[5], &[4, 4], &[3, 4, 4], &[3, 3, 3, 3], &[2, 2, 5, 5], &[1, 1, 3]] {
            let sum = Sum::new(Piece::Queen, sides).expect("small");
            assert!(sum.orbits().is_sorted());
            let generators = sum.grid.generators().expect("known");
            for square in sum.grid.squares() {
                for generator in &generators {
                    let mut image = square.clone();
                    generator(&mut image);
                    assert_eq!(sum.orbit(&image), sum.orbit(&square));
                }
            }
            let fault = sum.covers_every_square(&mut || true).expect_err("nothing is counted");
            assert_eq!(fault.kind, FaultKind::Invalid);
        }
    }
}
