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
//! Format 4 adds one kind of line to format 3, for all pieces.
//!
//! - `weighted y b square:weight ...`: the queens, each with the weight of its square, add up to at most b. The
//!   multiplier is y. The checker proves this by a search.
//!
//! A bound of a box holds for the box with a stride as well: squares that attack each other in a box still do
//! so after all their differences are multiplied by the same number.

mod cases;
mod cliques;
pub(crate) mod faces;
mod format;
mod fractions;
mod lines;
mod orbits;
mod place;
mod sum;
mod words;

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;
use ndqueens_notation::proof::BOUNDS;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive as _, Zero as _};

use self::format::Format;
use self::lines::LineChecker;
pub(crate) use self::place::Place;
use crate::fault::{FaultKind, LineFault};
use crate::reader;
use crate::reader::Fault;

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
    let header = lines.read_header(&BOUNDS)?;
    let format = Format::of_header(header).expect("one of the headers");
    let board = lines.read_board(str::parse)?;
    let BoardName::Grid { piece, torus: false, sides } = &board else {
        return Err(lines.unreadable("a bound is about a plain box, such as 6^4"));
    };
    if !sides.is_sorted() {
        return Err(lines.fault("the sides of the board must be in increasing order"));
    }
    let mut state = LineChecker::new(format, *piece, sides).map_err(|fault| lines.fault(fault))?;
    let at_most: u64 = loop {
        if !go_on() {
            return Err(BoundError::Stopped);
        }
        lines.read_line()?;
        if state.cases.are_done && !lines.text.starts_with("at most ") {
            return Err(lines.unreadable("expected \"at most ...\", because all cases are bounded"));
        }
        let words: Vec<&str> = lines.text.split(' ').collect();
        let is_done = match words.as_slice() {
            ["at", "most", bound] if !format.has_cases() => state.end_case(bound, go_on),
            ["at", "most", _] => Ok(true),
            words => state.read_line(words, go_on),
        };
        if !is_done.map_err(|fault| lines.fault(fault))? {
            return Err(BoundError::Stopped);
        }
        if let ["at", "most", bound] = words.as_slice() {
            break lines.parse_number(bound)?;
        }
    };
    if !state.cases.are_done {
        return Err(lines.fault("a case is not bounded: expected \"case ...\" before this line"));
    }
    if BigRational::from_integer(BigInt::from(at_most) + 1) <= state.largest {
        return Err(lines.fault(format!("a case is bounded by {}, not by {at_most}", state.largest)));
    }
    lines.read_end()?;
    let (sum, rows, cases) = (state.largest.clone(), state.rows, state.bounded_cases);
    let needs = state.used_needs();
    Ok(ProvedBound { board, at_most, sum, rows, cases, needs })
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
        let stopped = check_while(LINES.as_bytes(), &mut || false);
        assert!(matches!(stopped, Err(BoundError::Stopped)));
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
    fn rejects_every_damaged_file() {
        use FaultKind::{Invalid, Limit, Unreadable};
        for (text, from, to, line, kind) in [
            (LINES, "ndqueens bound 1", "ndqueens bound 5", 1, Unreadable),
            (LINES, "ndqueens bound 1", "ndqueens bound 4", 6, Invalid),
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
}
