//! The incomplete algorithm: one colouring with a symmetry, by random beginnings that are completed in every way.
//!
//! From side 17 on the solutions of n queens are too many to be listed. Classes are drawn instead, an orbit at a time, until
//! few are to come; then all solutions on the squares that are left are listed, and [`super::cover`] looks for a choice of
//! them. Without success another beginning is drawn.
//!
//! A drawn class has to be one that colourings can have. A diagonal of m squares is missed by n - m of the classes, no more:
//! the long ones by few. A class therefore may miss, of the diagonals in an orbit, no more than its share of what is left,
//! rounded up. The draw is a search that branches on the line with the fewest squares of those that must be met, in random
//! order.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::candidates::{Candidate, Quotient, numbers};
use super::cover::{Classes, Cover, State};
use super::operator::{Cell, Misfit, Operator};
use crate::exact::Control;

/// The longest side of a search.
pub const LONGEST: usize = 32;

/// What the draws may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Orbits of classes that are left to the completion.
    pub completed: usize,
    /// Nodes of the search for a class that is drawn.
    pub draw: u64,
    /// Nodes of the listing of the solutions for a completion.
    pub list: u64,
}

impl Effort {
    /// What has turned out well.
    #[must_use]
    pub fn of(side: usize, operator: Operator) -> Self {
        let completed = match operator.order() {
            4 if side > 12 => 2,
            4 => 3,
            _ => 5,
        };
        Self { completed, draw: 2_000, list: 2_000_000 }
    }
}

/// Searches for a colouring with a symmetry until it is found or the control is stopped.
///
/// # Errors
/// When no colouring has the symmetry.
///
/// # Panics
/// If the side is 0 or above [`LONGEST`], or the operator is none.
pub fn search(
    side: usize,
    operator: Operator,
    effort: Effort,
    seed: u64,
    control: &Control,
) -> Result<Option<Classes>, Misfit> {
    assert!((1..=LONGEST).contains(&side) && operator != Operator::None, "few enough orbits of squares");
    operator.fits(side)?;
    let quotient = Quotient::new(side, operator);
    let frame = Frame::new(&quotient);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    while !control.is_stopped() {
        if let Some(classes) = frame.attempt(effort, &mut rng, control) {
            return Ok(Some(classes));
        }
    }
    Ok(None)
}

/// Squares as bits, row by row.
type Squares = [u64; 16];

/// A line's number: rows, columns, and either direction of diagonals.
type Line = u8;

/// What is fixed for a board and an operator.
struct Frame<'a> {
    quotient: &'a Quotient,
    lines: usize,
    /// The lines of each square.
    through: Vec<[Line; 4]>,
    /// The squares of each line.
    squares: Vec<Squares>,
    /// What a class cannot have beside a square: what is on its lines, and the images of the square.
    bars: Vec<Squares>,
    /// What a class that is its own image has besides a square: its images, none of which attack each other.
    images: Vec<Vec<usize>>,
}

/// A class that is being drawn.
#[derive(Clone)]
struct Draw {
    free: Squares,
    /// Free squares of each line.
    counts: [u8; 192],
    met: [bool; 192],
    /// Diagonals of each orbit that are missed.
    missed: [u8; 64],
}

impl<'a> Frame<'a> {
    fn new(quotient: &'a Quotient) -> Self {
        let n = quotient.side;
        let cell = |square: usize| -> Cell { (square / n, square % n) };
        let through: Vec<[Line; 4]> = (0..n * n)
            .map(|square| {
                let (row, column) = cell(square);
                let [sum, difference] = numbers(n, (row, column));
                [row, n + column, 2 * n + sum, 4 * n - 1 + difference].map(|line| line as Line)
            })
            .collect();
        let lines = 6 * n - 2;
        let mut squares = vec![[0; 16]; lines];
        for (square, through) in through.iter().enumerate() {
            through.iter().for_each(|&line| squares[line as usize][square / 64] |= 1 << (square % 64));
        }
        let images: Vec<Vec<usize>> = (0..n * n)
            .map(|square| {
                let images = quotient.operator.images(n, cell(square)).into_iter();
                let mut images: Vec<usize> = images.map(|(row, column)| row * n + column).collect();
                images.sort_unstable();
                images.dedup();
                images
            })
            .collect();
        let bars = (0..n * n)
            .map(|square| {
                let mut bars = [0; 16];
                for &line in &through[square] {
                    bars.iter_mut().zip(&squares[line as usize]).for_each(|(bars, line)| *bars |= line);
                }
                images[square].iter().for_each(|image| bars[image / 64] |= 1 << (image % 64));
                bars
            })
            .collect();
        Self { quotient, lines, through, squares, bars, images }
    }

    /// The orbit of diagonals of a line, if it is one.
    fn diagonals(&self, line: usize) -> Option<usize> {
        let n = self.quotient.side;
        match line {
            line if line < 2 * n => None,
            line if line < 4 * n - 1 => Some(self.quotient.diagonal_of[0][line - 2 * n]),
            line => Some(self.quotient.diagonal_of[1][line + 1 - 4 * n]),
        }
    }

    fn attempt(&self, effort: Effort, rng: &mut ChaCha8Rng, control: &Control) -> Option<Classes> {
        let (n, order) = (self.quotient.side, self.quotient.operator.order());
        let mut state = State::root(self.quotient);
        let mut classes: Classes = Vec::new();
        if n % 2 == 1 {
            let solution = self.drawn(&state, true, effort.draw, rng, control)?;
            let candidate = Candidate { solution: solution.clone(), classes: 1 };
            state.take(self.quotient, &self.quotient.listed(candidate));
            classes.push(solution);
        }
        while usize::from(state.left) > order * effort.completed {
            let solution = (0..DRAWS).find_map(|_| self.drawn(&state, false, effort.draw, rng, control))?;
            classes.extend(self.quotient.operator.orbit(&solution));
            let candidate = Candidate { solution, classes: order };
            state.take(self.quotient, &self.quotient.listed(candidate));
        }
        let candidates = self.listed(&state, effort.list, control)?;
        classes.extend(Cover::complete(self.quotient, candidates, &state, control)?);
        classes.sort_unstable();
        Some(classes)
    }

    /// How many of the diagonals of each orbit a class may miss; its fair share of that when it is drawn.
    fn caps(&self, state: &State, fair: bool, invariant: bool) -> [u8; 64] {
        let order = if invariant { 1 } else { self.quotient.operator.order() };
        let mut caps = [0; 64];
        for (orbit, diagonals) in self.quotient.diagonals.iter().enumerate() {
            let spare = diagonals.count * usize::from(state.left - state.uncoloured[orbit]);
            let most = if fair { spare.div_ceil(usize::from(state.left)) } else { spare / order };
            caps[orbit] = most.min(diagonals.count) as u8;
        }
        caps
    }

    fn begin(&self, state: &State, invariant: bool) -> Draw {
        let mut draw = Draw { free: [0; 16], counts: [0; 192], met: [false; 192], missed: [0; 64] };
        for (square, &orbit) in self.quotient.orbit_of.iter().enumerate() {
            if state.coloured[orbit / 64] >> (orbit % 64) & 1 == 1 {
                continue;
            }
            let images = &self.images[square];
            let attack = |a: &usize, b: &usize| {
                a != b && self.through[*a].iter().any(|line| self.through[*b].contains(line))
            };
            if invariant && images.iter().any(|a| images.iter().any(|b| attack(a, b))) {
                continue;
            }
            draw.free[square / 64] |= 1 << (square % 64);
            self.through[square].iter().for_each(|&line| draw.counts[line as usize] += 1);
        }
        draw
    }

    /// Puts a queen on a free square.
    fn put(&self, draw: &mut Draw, square: usize) {
        for (k, bars) in self.bars[square].iter().enumerate() {
            let mut gone = draw.free[k] & bars;
            draw.free[k] &= !bars;
            while gone != 0 {
                let square = k * 64 + gone.trailing_zeros() as usize;
                gone &= gone - 1;
                self.through[square].iter().for_each(|&line| draw.counts[line as usize] -= 1);
            }
        }
        self.through[square].iter().for_each(|&line| draw.met[line as usize] = true);
    }

    /// The line with the fewest free squares of those that must be met; `None` when one cannot be, and the number of lines
    /// when all are met.
    fn narrowest(&self, draw: &mut Draw, caps: &[u8; 64]) -> Option<usize> {
        let n = self.quotient.side;
        draw.missed = [0; 64];
        for line in 2 * n..self.lines {
            if draw.counts[line] == 0 && !draw.met[line] {
                let orbit = self.diagonals(line).expect("a diagonal");
                draw.missed[orbit] += 1;
                if draw.missed[orbit] > caps[orbit] {
                    return None;
                }
            }
        }
        let (mut narrowest, mut fewest) = (self.lines, u8::MAX);
        for line in 0..self.lines {
            let count = draw.counts[line];
            if draw.met[line] || count >= fewest {
                continue;
            }
            let must = match self.diagonals(line) {
                None => true,
                Some(orbit) => count > 0 && draw.missed[orbit] == caps[orbit],
            };
            if must {
                if count == 0 {
                    return None;
                }
                (narrowest, fewest) = (line, count);
            }
        }
        Some(narrowest)
    }

    /// A random class.
    fn drawn(
        &self,
        state: &State,
        invariant: bool,
        nodes: u64,
        rng: &mut ChaCha8Rng,
        control: &Control,
    ) -> Option<Vec<u8>> {
        let caps = self.caps(state, true, invariant);
        let mut draw = self.begin(state, invariant);
        let mut queens = vec![0; self.quotient.side];
        if invariant {
            let centre = self.quotient.side * self.quotient.side / 2;
            if draw.free[centre / 64] >> (centre % 64) & 1 == 0 {
                return None;
            }
            self.put(&mut draw, centre);
            queens[centre / self.quotient.side] = (centre % self.quotient.side) as u8;
        }
        let mut left = nodes;
        let found = self.draw(&draw, &caps, invariant, &mut queens, &mut left, rng);
        control.count(nodes - left, 0.0);
        found.then_some(queens)
    }

    fn draw(
        &self,
        draw: &Draw,
        caps: &[u8; 64],
        invariant: bool,
        queens: &mut Vec<u8>,
        left: &mut u64,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        let mut draw = draw.clone();
        let Some(line) = self.narrowest(&mut draw, caps) else { return false };
        if line == self.lines {
            return true;
        }
        let mut choices: Vec<usize> = self.on(&draw, line).collect();
        choices.shuffle(rng);
        for square in choices {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let mut draw = draw.clone();
            let images = if invariant { self.images[square].as_slice() } else { &[square] };
            for &square in images {
                self.put(&mut draw, square);
                queens[square / self.quotient.side] = (square % self.quotient.side) as u8;
            }
            if self.draw(&draw, caps, invariant, queens, left, rng) {
                return true;
            }
        }
        false
    }

    fn on(&self, draw: &Draw, line: usize) -> impl Iterator<Item = usize> + use<> {
        let squares: Squares = std::array::from_fn(|k| self.squares[line][k] & draw.free[k]);
        (0..16).flat_map(move |k| {
            let mut word = squares[k];
            std::iter::from_fn(move || {
                let square = (word != 0).then(|| k * 64 + word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                square
            })
        })
    }

    /// All classes on the uncoloured squares; `None` when there are too many.
    fn listed(&self, state: &State, nodes: u64, control: &Control) -> Option<Vec<Candidate>> {
        let caps = self.caps(state, false, false);
        let mut all = Vec::new();
        let mut left = nodes;
        let draw = self.begin(state, false);
        let done = self.list(&draw, &caps, &mut vec![0; self.quotient.side], &mut left, &mut all, control);
        control.count(nodes - left, 0.0);
        done.then_some(all)
    }

    fn list(
        &self,
        draw: &Draw,
        caps: &[u8; 64],
        queens: &mut Vec<u8>,
        left: &mut u64,
        all: &mut Vec<Candidate>,
        control: &Control,
    ) -> bool {
        let mut draw = draw.clone();
        let Some(line) = self.narrowest(&mut draw, caps) else { return true };
        if line == self.lines {
            all.extend(self.quotient.candidate(queens));
            return true;
        }
        for square in self.on(&draw, line) {
            if *left == 0 || left.is_multiple_of(1024) && control.is_stopped() {
                return false;
            }
            *left -= 1;
            let mut draw = draw.clone();
            self.put(&mut draw, square);
            queens[square / self.quotient.side] = (square % self.quotient.side) as u8;
            if !self.list(&draw, caps, queens, left, all, control) {
                return false;
            }
        }
        true
    }
}

/// Draws that are tried for a class.
const DRAWS: usize = 20;
