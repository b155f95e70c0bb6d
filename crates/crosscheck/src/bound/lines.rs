//! Checker of the lines between the board and the bound.

use std::collections::{BTreeMap, BTreeSet};

use ndqueens_notation::certificate::format_square;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, Piece};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

use super::cases::Cases;
use super::cliques::is_known_clique;
use super::faces::{Claim, ClassWeights};
use super::format::Format;
use super::fractions::Multiplier;
use super::orbits::{Orbit, OrbitTable};
use super::place::Place;
use super::sum::{Sum, Visit};
use super::words::{parse_coordinates, parse_multiplier, parse_number};
use crate::boards::Definition as _;
use crate::boards::grid::Grid;
use crate::fault::Reason;
use crate::reader;
use crate::weighted::{self, Verdict, WeightedError};

/// Maximum number of nodes of the searches of all weighted inequalities of a file.
const MAX_NODES: u64 = 1 << 26;

/// State of the check after some lines.
pub(super) struct LineChecker {
    format: Format,
    piece: Piece,
    grid: Grid,
    sides: Vec<u32>,
    /// Bounds of boxes that are shown elsewhere.
    needs: BTreeMap<BoardName, u64>,
    /// Boxes whose bounds inequalities used.
    used: BTreeSet<BoardName>,
    /// Number of inequalities of all cases.
    pub(super) rows: usize,
    pub(super) cases: Cases,
    /// Number of cases that are bounded.
    pub(super) bounded_cases: usize,
    /// Largest sum of the right-hand sides of those cases.
    pub(super) largest: BigRational,
    sum: Sum,
    /// Number of nodes that the searches of weighted inequalities may still visit.
    nodes_left: u64,
}

impl LineChecker {
    /// Creates the state before the first line of a board with sides in increasing order.
    ///
    /// # Errors
    /// Returns an error if the board has too many orbits.
    pub(super) fn new(format: Format, piece: Piece, sides: &[u32]) -> Result<Self, Reason> {
        let sum = Sum::new(OrbitTable::new(sides)?);
        Ok(Self {
            format,
            piece,
            grid: Grid::new(piece, false, sides),
            sides: sides.to_vec(),
            needs: BTreeMap::new(),
            used: BTreeSet::new(),
            rows: 0,
            cases: Cases::default(),
            bounded_cases: 0,
            largest: BigRational::zero(),
            sum,
            nodes_left: MAX_NODES,
        })
    }

    /// Returns the bounds shown elsewhere that inequalities used.
    pub(super) fn used_needs(self) -> BTreeMap<BoardName, u64> {
        self.needs.into_iter().filter(|(board, _)| self.used.contains(board)).collect()
    }

    /// Reads a line, except for "at most". Returns `false` if `go_on` stopped it.
    pub(super) fn read_line(
        &mut self,
        line: &[&str],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Reason> {
        match *line {
            ["needs", board, most] => self.read_needs(board, most)?,
            ["clique", times, ref squares @ ..] => return self.add_clique(times, squares, go_on),
            ["box", times, most, corner, sides, stride] => {
                return self.add_box([times, most, corner, sides, stride], go_on);
            }
            ["volume", times, least, corner, sides, stride] if self.format.has_faces() => {
                let claim = Claim::Volume { least };
                return self.add_class_row(times, &claim, [corner, sides, stride], go_on);
            }
            ["class", times, most, weights, corner, sides, stride] if self.format.has_faces() => {
                let claim = Claim::Class { most, weights };
                return self.add_class_row(times, &claim, [corner, sides, stride], go_on);
            }
            ["weighted", times, most, ref squares @ ..] if self.format.has_weights() => {
                return self.add_weighted(times, most, squares, go_on);
            }
            ["split", square, most] if self.format.has_cases() => self.split_case(square, most)?,
            ["most", times, square] if self.format.has_cases() => self.add_assumption(true, times, square)?,
            ["least", times, square] if self.format.has_cases() => {
                self.add_assumption(false, times, square)?;
            }
            ["case", bound] if self.format.has_cases() => return self.end_case(bound, go_on),
            _ => return Err(self.format.fault_of_form(line)),
        }
        Ok(true)
    }

    /// Reads a bound that is shown elsewhere.
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
        let is_known = is_known_clique(&self.grid, self.piece, &squares);
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
        if trivial_bound(self.piece, &shape) > most {
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

    /// Adds an inequality in the numbers of queens of each class. Returns `false` if `go_on` stopped it
    /// before all squares were processed.
    fn add_class_row(
        &mut self,
        times: &str,
        claim: &Claim<'_>,
        place: [&str; 3],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Reason> {
        let times = parse_multiplier(times)?;
        let place = Place::parse(&self.sides, place)?;
        let weights = ClassWeights::new(claim, self.piece, &place)?;
        let visit_all = |visit: &mut Visit<'_>| {
            place.visit_squares(&mut |offset, square| visit(square, weights.weight(offset)))
        };
        Ok(self.add_row(&times, weights.most, visit_all, go_on))
    }

    /// Adds a line `weighted`. Returns `false` if `go_on` stopped it before it was checked.
    fn add_weighted(
        &mut self,
        times: &str,
        most: &str,
        words: &[&str],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Reason> {
        let (times, most) = (parse_multiplier(times)?, parse_number(most)?);
        let (squares, weights) = self.parse_weights(words)?;
        let attacks = |a: usize, b: usize| self.grid.attacks(&squares[a], &squares[b]);
        match weighted::check(&attacks, &weights, most, self.nodes_left, go_on) {
            Ok(Verdict::Holds { nodes }) => self.nodes_left -= nodes,
            Ok(Verdict::Violated(set)) => {
                let total: u64 = set.iter().map(|&square| weights[square]).sum();
                let set: Vec<String> = set.iter().map(|&square| format_square(&squares[square])).collect();
                let set = set.join(" ");
                let fault = format!(
                    "the weights of the independent set {set} add up to {total}, which is more than {most}"
                );
                return Err(fault.into());
            }
            Ok(Verdict::Undecided) => {
                let fault = format!(
                    "the searches of the lines \"weighted\" up to this one have more than {MAX_NODES} nodes"
                );
                return Err(Reason::limit(fault));
            }
            Err(WeightedError::Stopped(_)) => return Ok(false),
            Err(fault) => return Err(Reason::limit(fault.to_string())),
        }
        let visit_all = |visit: &mut Visit<'_>| {
            squares.iter().zip(&weights).all(|(square, &weight)| visit(square, weight))
        };
        Ok(self.add_row(&times, most, visit_all, go_on))
    }

    /// Parses words `square:weight`. Returns the squares in increasing order, and their weights.
    fn parse_weights(&self, words: &[&str]) -> Result<(Vec<Vec<u32>>, Vec<u64>), Reason> {
        if words.len() > weighted::MAX_SQUARES {
            return Err(Reason::limit(WeightedError::TooManySquares.to_string()));
        }
        let mut weights = BTreeMap::new();
        for word in words {
            let Some((square, weight)) = word.split_once(':') else {
                return Err(Reason::unreadable("expected a square and its weight, such as 0,1:2").at(word));
            };
            let (square, at_weight) = (self.parse_square(square)?, weight);
            let weight = parse_number(weight)?;
            if weight == 0 {
                return Err(Reason::from("the weight of a square must be positive").at(at_weight));
            }
            let name = format_square(&square);
            if weights.insert(square, weight).is_some() {
                return Err(Reason::from(format!("{name} is listed twice")).at(word));
            }
        }
        Ok(weights.into_iter().unzip())
    }

    /// Adds `times` times the inequality that the weights of the squares with queens add up to at most
    /// `most`. Returns `false` if `go_on` stopped it before all squares were processed.
    fn add_row(
        &mut self,
        times: &Multiplier,
        most: u64,
        visit_all: impl FnOnce(&mut Visit<'_>) -> bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        self.rows += 1;
        self.sum.add_row(times, most, visit_all, go_on)
    }

    /// Returns the orbit of a square, and its size.
    fn read_orbit(&self, square: &str) -> Result<(Orbit, u64), Reason> {
        let orbit = self.sum.orbits.orbit(&self.parse_square(square)?);
        let size = self.sum.orbits.size(&orbit);
        Ok((orbit, size))
    }

    /// Adds `more`, divided by the common denominator, to the number of times that the squares of an orbit
    /// are counted.
    fn split_case(&mut self, square: &str, word: &str) -> Result<(), Reason> {
        let ((orbit, size), at_most) = (self.read_orbit(square)?, parse_number(word)?);
        if !self.sum.is_empty {
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
        self.sum.add_orbit(&times, orbit, size, assumed);
        Ok(())
    }

    /// Checks that the sum so far bounds the case by `bound`, and starts the next case. Returns `false` if
    /// `go_on` stopped it before all orbits were processed.
    pub(super) fn end_case(&mut self, word: &str, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Reason> {
        let bound: u64 = parse_number(word)?;
        if !self.sum.check(go_on)? {
            return Ok(false);
        }
        let value = self.sum.value();
        if BigRational::from_integer(BigInt::from(bound) + 1) <= value {
            let fault = format!("the right-hand sides add up to {value}, not to {bound}");
            return Err(Reason::from(fault).at(word));
        }
        self.cases.end();
        self.bounded_cases += 1;
        self.sum.clear();
        if value > self.largest {
            self.largest = value;
        }
        Ok(true)
    }
}

/// Returns a bound that needs no proof: parallel lines partition a box, and for queens so do boxes of
/// side at most 2, which are cliques.
fn trivial_bound(piece: Piece, ascending: &[u32]) -> u64 {
    let product =
        |sides: &mut dyn Iterator<Item = u32>| sides.fold(1u64, |all, n| all.saturating_mul(n.into()));
    let lines = match piece {
        // The lines of a bishop along one axis and another differ in length.
        Piece::Bishop => product(&mut ascending.iter().copied()),
        Piece::Queen | Piece::Rook => product(&mut ascending[..ascending.len() - 1].iter().copied()),
    };
    match piece {
        Piece::Queen => lines.min(product(&mut ascending.iter().map(|n| n.div_ceil(2)))),
        Piece::Rook | Piece::Bishop => lines,
    }
}

/// Returns the sides in increasing order.
fn sort_sides(sides: &[u32]) -> Vec<u32> {
    let mut sides = sides.to_vec();
    sides.sort_unstable();
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;

    #[test]
    fn nodes_of_all_lines_are_limited() {
        // Five squares in a cycle, of which each attacks the next one; no clique cover shows that at most two of
        // them are independent.
        let line = ["weighted", "1", "2", "0,0:1", "0,1:1", "1,2:1", "4,2:1", "2,0:1"];
        let format = Format::of_header("ndqueens bound 4").expect("a header");
        let mut lines = LineChecker::new(format, Piece::Queen, &[6, 6]).expect("small");
        assert!(lines.read_line(&line, &mut || true).expect("it holds"));
        let nodes = MAX_NODES - lines.nodes_left;
        assert!(nodes > 1, "the search branches");
        lines.nodes_left = nodes;
        assert!(lines.read_line(&line, &mut || true).expect("it holds"));
        assert_eq!(lines.nodes_left, 0);
        lines.nodes_left = nodes - 1;
        assert_eq!(lines.read_line(&line, &mut || true).expect_err("too long").kind, FaultKind::Limit);
    }
}
