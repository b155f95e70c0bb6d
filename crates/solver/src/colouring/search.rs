//! The incomplete algorithm: one colouring with a symmetry, by random beginnings that are extended exhaustively.
//!
//! From side 17 on the solutions of n queens are too many to be listed. Classes are drawn instead, an orbit at a time, until
//! few are to come; then all solutions on the squares that are left are listed, and [`super::cover`] looks for a choice of
//! them. Without success another beginning is drawn. Leaving more orbits to the completion makes the enumeration far longer and
//! a colouring far more likely: their number is chosen so that the enumeration costs about as many nodes as the search has
//! spent so far.
//!
//! A drawn class has to be one that colourings can have. A diagonal of m squares is missed by n - m of the classes, no more:
//! the long ones by few. A class therefore may miss, of the diagonals in an orbit, no more than its share of what is left,
//! rounded up. The draw is a search that branches on the row with the fewest squares, in random order, in which squares on
//! diagonals with many uncoloured squares tend to come first.
//!
//! The fewer of the squares that are left stand on one diagonal, the more solutions these squares hold. Of many draws of a class the
//! one is taken that leaves the smallest sum of squares of the numbers of uncoloured squares on the diagonals. Drawing takes as many
//! nodes as the listing that follows, or so: with a hundred draws instead of one, four orbits of classes of 22^2 that are left have 28
//! times as many solutions, which are listed in twice the nodes.

use num_traits::{Bounded as _, One as _, PrimInt, Zero as _};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use super::candidates::{Candidate, DiagonalCounts, Quotient, State, numbers};
use super::cover::{Classes, Cover};
use super::operator::{Cell, Misfit, Operator};
use ndqueens_system::cancel::Control;

/// The longest side of a search.
pub const LONGEST: usize = super::candidates::LONGEST;

/// Nodes of a draw of a class, and how many draws may fail before the first that does not.
const NODES_OF_A_DRAW: u64 = 2_000;
const DRAWS: usize = 20;

/// How far chance goes in a draw, in quarters of an uncoloured square.
const CHANCE: u32 = 16;

/// Nodes of the first listing of the solutions for a completion.
const NODES_OF_A_LIST: u64 = 1_000_000;

/// The most classes that are left to a completion.
const MOST_COMPLETED: usize = 12;

/// Nodes between two looks at whether to go on.
const NODES_AT_A_TIME: u64 = 1 << 10;

/// Searches for a colouring with a symmetry until it is found or the control is stopped.
///
/// # Errors
/// When no colouring has the symmetry.
///
/// # Panics
/// If the side is 0 or above [`LONGEST`], or if the operator is [`Operator::None`].
pub fn search(
    side: usize,
    operator: Operator,
    seed: u64,
    control: &Control,
) -> Result<Option<Classes>, Misfit> {
    assert!((1..=LONGEST).contains(&side) && operator != Operator::None, "few enough orbits of squares");
    operator.fits(side)?;
    let quotient = Quotient::new(side, operator);
    let found = match side {
        ..=32 => Search::<u32>::new(&quotient, seed, control).run(),
        _ => Search::<u64>::new(&quotient, seed, control).run(),
    };
    Ok(found)
}

/// A search under way.
struct Search<'a, R> {
    frame: Frame<'a, R>,
    /// The most orbits that are left to a completion.
    most: usize,
    /// How many are.
    completed: usize,
    /// The nodes after which one more is tried.
    again: u64,
    /// The nodes of the last listing.
    listing: u64,
    /// Nodes so far.
    nodes: u64,
    rng: ChaCha8Rng,
    control: &'a Control,
}

impl<'a, R: Row> Search<'a, R> {
    fn new(quotient: &'a Quotient, seed: u64, control: &'a Control) -> Self {
        let order = quotient.operator.order();
        let most = (MOST_COMPLETED / order).min((quotient.side / order).saturating_sub(1)).max(1);
        Self {
            frame: Frame::new(quotient),
            most,
            completed: most,
            again: 0,
            listing: NODES_OF_A_LIST,
            nodes: 0,
            rng: ChaCha8Rng::seed_from_u64(seed),
            control,
        }
    }

    /// Tries one beginning after another.
    fn run(mut self) -> Option<Classes> {
        while !self.control.is_stopped() {
            if let Some(classes) = self.attempt() {
                return Some(classes);
            }
        }
        None
    }

    fn attempt(&mut self) -> Option<Classes> {
        let quotient = self.frame.quotient;
        let order = quotient.operator.order();
        let mut state = State::root(quotient);
        let mut classes: Classes = Vec::new();
        if quotient.side % 2 == 1 {
            classes.extend(self.draw_into(&mut state, 1)?);
        }
        if self.completed < self.most && self.nodes >= self.again {
            self.completed += 1;
        }
        loop {
            while usize::from(state.left) > order * self.completed {
                classes.extend(self.draw_into(&mut state, order)?);
            }
            let limit = self.nodes.max(NODES_OF_A_LIST);
            let (candidates, nodes) = self.frame.listed(&state, limit, self.control);
            self.nodes += nodes;
            self.listing = nodes;
            if let Some(candidates) = candidates {
                classes.extend(Cover::complete(quotient, candidates, &state, self.control)?);
                classes.sort_unstable();
                return Some(classes);
            }
            if self.control.is_stopped() {
                return None;
            }
            self.completed -= 1;
            self.again = 2 * self.nodes;
        }
    }

    /// Takes a random orbit of so many classes, the best of many for those to come: its classes.
    fn draw_into(&mut self, state: &mut State, order: usize) -> Option<Classes> {
        let quotient = self.frame.quotient;
        let end = self.nodes + self.listing * quotient.operator.order() as u64 / quotient.side as u64;
        let (begin, aim) = self.frame.aim(state, order == 1);
        let mut best: Option<(u64, State, Classes)> = None;
        let mut draws = 0;
        while !self.control.is_stopped() && (self.nodes < end || best.is_none() && draws < DRAWS) {
            let (solution, nodes) = self.frame.drawn(&begin, &aim, &mut self.rng);
            self.nodes += nodes;
            self.control.count(nodes, 0.0);
            draws += 1;
            let Some(solution) = solution else { continue };
            let classes = quotient.operator.orbit(&solution);
            let mut after = state.clone();
            after.cover(quotient, &quotient.listed(Candidate { solution, classes: order }));
            let crowding = self.frame.crowding(&after);
            if best.as_ref().is_none_or(|(least, ..)| crowding < *least) {
                best = Some((crowding, after, classes));
            }
        }
        let (_, after, classes) = best?;
        *state = after;
        Some(classes)
    }
}

/// The squares of a row, as bits.
trait Row: PrimInt {
    /// The diagonals of a direction, twice as many.
    type Diagonals: PrimInt + From<Self>;
}

impl Row for u32 {
    type Diagonals = u64;
}

impl Row for u64 {
    type Diagonals = u128;
}

/// The bit of a number.
fn bit<B: PrimInt>(number: usize) -> B {
    B::one() << number
}

/// Squares as the bits of each row.
type Rows<R> = [R; LONGEST];

/// What is fixed for a board and an operator.
struct Frame<'a, R> {
    quotient: &'a Quotient,
    /// What else a class with a square has not: what is on its lines, and its other images.
    bars: Vec<Rows<R>>,
    /// The same for a class that is its own image: what is on the lines.
    lines: Vec<Rows<R>>,
    /// The images of each square.
    images: Vec<Vec<usize>>,
}

/// What a draw aims at.
struct Aim {
    /// How many diagonals of each orbit it may miss.
    caps: DiagonalCounts,
    /// Whether the class is to be its own image.
    invariant: bool,
    /// The uncoloured squares of each diagonal of either direction.
    uncoloured: [Vec<u8>; 2],
}

/// A class that is being drawn.
#[derive(Clone)]
struct Draw<R: Row> {
    /// Squares that may be taken.
    free: Rows<R>,
    /// Rows without a queen.
    open: R,
    /// Diagonals of each direction that have a queen.
    met: [R::Diagonals; 2],
    /// Diagonals of each direction that can no longer have one.
    lost: [R::Diagonals; 2],
    /// How many diagonals of each orbit are lost.
    missed: DiagonalCounts,
}

impl<'a, R: Row> Frame<'a, R> {
    fn new(quotient: &'a Quotient) -> Self {
        let n = quotient.side;
        let cell = |square: usize| -> Cell { (square / n, square % n) };
        let images: Vec<Vec<usize>> = (0..n * n)
            .map(|square| {
                let images = quotient.operator.images(n, cell(square)).into_iter();
                let mut images: Vec<usize> = images.map(|(row, column)| row * n + column).collect();
                images.sort_unstable();
                images.dedup();
                images
            })
            .collect();
        let lines: Vec<Rows<R>> = (0..n * n)
            .map(|square| {
                let mut lines = [R::zero(); LONGEST];
                (0..n * n)
                    .filter(|&other| attack(cell(square), cell(other)))
                    .for_each(|other| lines[other / n] = lines[other / n] | bit(other % n));
                lines
            })
            .collect();
        let mut bars = lines.clone();
        for (bars, images) in bars.iter_mut().zip(&images) {
            images.iter().for_each(|image| bars[image / n] = bars[image / n] | bit(image % n));
        }
        Self { quotient, bars, lines, images }
    }

    /// How many of the diagonals of each orbit a class may miss; its fair share of that when it is drawn.
    fn caps(&self, state: &State, fair: bool, invariant: bool) -> DiagonalCounts {
        let order = if invariant { 1 } else { self.quotient.operator.order() };
        let mut caps = [0; 2 * LONGEST];
        for (orbit, diagonals) in self.quotient.diagonals.iter().enumerate() {
            let spare = diagonals.count * usize::from(state.left - state.uncoloured[orbit]);
            // A class that is its own image misses all diagonals of an orbit or none.
            let most = if fair && !invariant { spare.div_ceil(state.left.into()) } else { spare / order };
            caps[orbit] = most.min(diagonals.count) as u8;
        }
        caps
    }

    /// The sum of the squares of the numbers of uncoloured squares on the diagonals.
    fn crowding(&self, state: &State) -> u64 {
        let diagonals = self.quotient.diagonals.iter().zip(state.uncoloured);
        diagonals.map(|(orbit, uncoloured)| orbit.count as u64 * u64::from(uncoloured).pow(2)).sum()
    }

    fn begin(&self, state: &State, invariant: bool) -> Draw<R> {
        let n = self.quotient.side;
        let mut free = [R::zero(); LONGEST];
        for (square, &orbit) in self.quotient.orbit_of.iter().enumerate() {
            if state.coloured[orbit / 64] >> (orbit % 64) & 1 == 1 {
                continue;
            }
            let cells = self.images[square].iter().map(|image| (image / n, image % n));
            if invariant && cells.clone().any(|a| cells.clone().any(|b| a != b && attack(a, b))) {
                continue;
            }
            free[square / n] = free[square / n] | bit(square % n);
        }
        let open = R::max_value() >> (R::zero().count_zeros() as usize - n);
        let none = [R::Diagonals::zero(); 2];
        Draw { free, open, met: none, lost: none, missed: [0; 2 * LONGEST] }
    }

    /// Puts a queen on a free square.
    fn put(&self, draw: &mut Draw<R>, square: usize, invariant: bool) {
        let n = self.quotient.side;
        let bars = if invariant { &self.lines } else { &self.bars };
        draw.free[..n].iter_mut().zip(&bars[square]).for_each(|(free, &bars)| *free = *free & !bars);
        draw.open = draw.open & !bit::<R>(square / n);
        let [sum, difference] = numbers(n, (square / n, square % n));
        draw.met[0] = draw.met[0] | bit(sum);
        draw.met[1] = draw.met[1] | bit(difference);
    }

    /// Counts the diagonals that are lost: whether they are few enough.
    fn stands(&self, draw: &mut Draw<R>, caps: &DiagonalCounts) -> bool {
        let n = self.quotient.side;
        // A difference is row - column + n - 1: columns are taken in reverse order.
        let (mut sums, mut differences) = (draw.met[0], draw.met[1].reverse_bits());
        let bits = R::Diagonals::zero().count_zeros() as usize;
        for (row, &free) in draw.free[..n].iter().enumerate() {
            let free = R::Diagonals::from(free);
            sums = sums | (free << row);
            differences = differences | (free << (bits - n - row));
        }
        let whole = R::Diagonals::max_value() >> (bits + 1 - 2 * n);
        for (direction, reached) in [sums, differences.reverse_bits()].into_iter().enumerate() {
            let mut lost = whole & !reached & !draw.lost[direction];
            draw.lost[direction] = draw.lost[direction] | lost;
            while !lost.is_zero() {
                let orbit = self.quotient.diagonal_of[direction][lost.trailing_zeros() as usize];
                lost = lost & (lost - R::Diagonals::one());
                draw.missed[orbit] += 1;
                if draw.missed[orbit] > caps[orbit] {
                    return false;
                }
            }
        }
        true
    }

    /// The open row with the fewest free squares.
    fn narrowest(&self, draw: &Draw<R>) -> usize {
        (0..self.quotient.side)
            .filter(|&row| has(draw.open, row))
            .min_by_key(|&row| draw.free[row].count_ones())
            .expect("an open row")
    }

    /// Where draws of a class begin, and what they aim at.
    fn aim(&self, state: &State, invariant: bool) -> (Draw<R>, Aim) {
        let n = self.quotient.side;
        let mut draw = self.begin(state, invariant);
        if invariant {
            let centre = n / 2;
            self.put(&mut draw, centre * n + centre, true);
        }
        let uncoloured = |direction: usize| {
            self.quotient.diagonal_of[direction].iter().map(|&orbit| state.uncoloured[orbit]).collect()
        };
        (draw, Aim { caps: self.caps(state, true, invariant), invariant, uncoloured: [0, 1].map(uncoloured) })
    }

    /// A random class, and the nodes that it took.
    fn drawn(&self, begin: &Draw<R>, aim: &Aim, rng: &mut ChaCha8Rng) -> (Option<Vec<u8>>, u64) {
        let n = self.quotient.side;
        let mut queens = vec![0; n];
        if aim.invariant {
            queens[n / 2] = (n / 2) as u8;
        }
        let mut left = NODES_OF_A_DRAW;
        let found = self.draw(begin, aim, &mut queens, &mut left, rng);
        (found.then_some(queens), NODES_OF_A_DRAW - left)
    }

    fn draw(
        &self,
        draw: &Draw<R>,
        aim: &Aim,
        queens: &mut Vec<u8>,
        left: &mut u64,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        if draw.open.is_zero() {
            return true;
        }
        let row = self.narrowest(draw);
        let mut choices: Vec<(u32, usize)> = Vec::new();
        for column in columns(draw.free[row]) {
            let [sum, difference] = numbers(self.quotient.side, (row, column));
            let crowding = aim.uncoloured[0][sum] + aim.uncoloured[1][difference];
            choices.push((4 * u32::from(crowding) + rng.random_range(0..CHANCE), column));
        }
        choices.sort_unstable_by(|one, other| other.cmp(one));
        for (_, column) in choices {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let mut draw = draw.clone();
            let n = self.quotient.side;
            let square = row * n + column;
            let images = if aim.invariant { self.images[square].as_slice() } else { &[square] };
            for &square in images {
                self.put(&mut draw, square, aim.invariant);
                queens[square / n] = (square % n) as u8;
            }
            if self.stands(&mut draw, &aim.caps) && self.draw(&draw, aim, queens, left, rng) {
                return true;
            }
        }
        false
    }

    /// All classes on the uncoloured squares, one of each orbit, and the nodes that they took; `None` when these are above the
    /// limit or the control is stopped.
    ///
    /// A class has one queen on either main diagonal, on the rows i and j. The first of its images have theirs on n - 1 - i (half
    /// turn), n - 1 - j (H and one quarter turn) and j (V and the other). These numbers differ: with two of them the same, two
    /// queens would be on one line or in the middle. So just one image of a class has the least number.
    fn listed(&self, state: &State, limit: u64, control: &Control) -> (Option<Vec<Candidate>>, u64) {
        let (n, operator) = (self.quotient.side, self.quotient.operator);
        let quarter = operator == Operator::R4;
        let mut list = List {
            caps: self.caps(state, false, false),
            nodes: 0,
            limit,
            queens: vec![0; n],
            all: Vec::new(),
            control,
        };
        let begin = self.begin(state, false);
        let done = (0..n).all(|i| {
            if operator.contains(Operator::R2) && i > n - 1 - i {
                return true;
            }
            self.lists(&begin, i, i, &mut list, |one, list| {
                (0..n).all(|j| {
                    let not_first = (quarter || operator.contains(Operator::H)) && i > n - 1 - j
                        || (quarter || operator.contains(Operator::V)) && i > j;
                    not_first || self.lists(one, j, n - 1 - j, list, |two, list| self.list(two, list))
                })
            })
        });
        control.count(list.nodes % NODES_AT_A_TIME, 0.0);
        (done.then_some(list.all), list.nodes)
    }

    /// Lists classes with a queen on a square, if that is free, by going on. Whether to go on with others.
    fn lists(
        &self,
        draw: &Draw<R>,
        row: usize,
        column: usize,
        list: &mut List<'_>,
        go_on: impl FnOnce(&Draw<R>, &mut List<'_>) -> bool,
    ) -> bool {
        if !has(draw.free[row], column) {
            return true;
        }
        if list.nodes == list.limit || list.nodes.is_multiple_of(NODES_AT_A_TIME) && list.control.is_stopped()
        {
            return false;
        }
        list.nodes += 1;
        if list.nodes.is_multiple_of(NODES_AT_A_TIME) {
            list.control.count(NODES_AT_A_TIME, 0.0);
        }
        let mut draw = draw.clone();
        self.put(&mut draw, row * self.quotient.side + column, false);
        list.queens[row] = column as u8;
        !self.stands(&mut draw, &list.caps) || go_on(&draw, list)
    }

    fn list(&self, draw: &Draw<R>, list: &mut List<'_>) -> bool {
        if draw.open.is_zero() {
            let classes = self.quotient.operator.order();
            list.all.push(Candidate { solution: list.queens.clone(), classes });
            return true;
        }
        // Every column has a queen, too.
        let (mut some, mut more) = (R::zero(), R::zero());
        for &free in &draw.free[..self.quotient.side] {
            more = more | some & free;
            some = some | free;
        }
        if some.count_ones() < draw.open.count_ones() {
            return true;
        }
        let only = some & !more;
        let mut row = self.narrowest(draw);
        let mut squares = draw.free[row];
        if !only.is_zero() && squares.count_ones() > 1 {
            squares = bit(only.trailing_zeros() as usize);
            row =
                draw.free.iter().position(|&free| !(free & squares).is_zero()).expect("it is in one of them");
        }
        columns(squares).all(|column| self.lists(draw, row, column, list, |draw, list| self.list(draw, list)))
    }
}

/// The classes that are listed.
struct List<'a> {
    /// How many diagonals of each orbit they may miss.
    caps: DiagonalCounts,
    nodes: u64,
    limit: u64,
    /// The queens of the class that is being made.
    queens: Vec<u8>,
    all: Vec<Candidate>,
    control: &'a Control,
}

/// Whether queens on two squares attack each other; a square attacks itself.
fn attack((row, column): Cell, (other, another): Cell) -> bool {
    let (down, right) = (row.abs_diff(other), column.abs_diff(another));
    down == 0 || right == 0 || down == right
}

/// Whether a bit is set.
fn has<B: PrimInt>(bits: B, number: usize) -> bool {
    !(bits >> number & B::one()).is_zero()
}

/// The squares of a row.
fn columns<R: Row>(row: R) -> impl Iterator<Item = usize> {
    std::iter::successors((!row.is_zero()).then_some(row), |&row| {
        Some(row & (row - R::one())).filter(|row| !row.is_zero())
    })
    .map(|row| row.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What is taken out of a colouring is among the classes that are listed for the squares left.
    #[test]
    fn the_classes_of_all_colourings_are_listed() {
        let control = Control::new();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (side, operator) in [(11, Operator::R2), (12, Operator::H), (12, Operator::Hv)] {
            let cover =
                Cover::list(side, operator, true, &control).expect("it fits").cover.expect("not stopped");
            let colourings = cover.all(&control);
            assert!(colourings.len() > 5, "{side} {operator}");
            let quotient = Quotient::new(side, operator);
            let (frame, wide) = (Frame::<u32>::new(&quotient), Frame::<u64>::new(&quotient));
            for classes in colourings {
                let orbit =
                    |class: &Vec<u8>| -> BTreeSet<Vec<u8>> { operator.orbit(class).into_iter().collect() };
                let orbits: BTreeSet<BTreeSet<Vec<u8>>> = classes.iter().map(orbit).collect();
                let mut state = State::root(&quotient);
                let mut left = BTreeSet::new();
                for orbit in orbits {
                    if orbit.len() == operator.order() && rng.random_bool(0.5) {
                        left.insert(orbit);
                        continue;
                    }
                    let solution = orbit.first().expect("an orbit is not empty").clone();
                    let classes = orbit.len();
                    state.cover(&quotient, &quotient.listed(Candidate { solution, classes }));
                }
                let listed = frame.listed(&state, u64::MAX, &control);
                assert_eq!(wide.listed(&state, u64::MAX, &control), listed);
                let listed = listed.0.expect("there is no limit");
                let number = listed.len();
                let listed: BTreeSet<_> = listed.iter().map(|candidate| orbit(&candidate.solution)).collect();
                assert_eq!(listed.len(), number, "no orbit is listed twice");
                assert!(listed.is_superset(&left), "{side} {operator}");
            }
        }
    }
}
