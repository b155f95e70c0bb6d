//! The incomplete algorithm: searches for one colouring with a symmetry by completing random partial
//! colourings exhaustively.
//!
//! There are too many solutions of n queens to list them from side 17 on. Classes are drawn instead, one
//! orbit at a time, until few remain; then all solutions on the uncoloured squares are listed, and
//! [`super::cover`] searches a completion by them. If that fails, another partial colouring is drawn. Leaving
//! more orbits to the completion makes the listing far longer and a colouring far more likely: their number
//! is chosen so that the listing takes about as many nodes as the search has taken so far.
//!
//! In a colouring, a diagonal of m squares is missed by exactly n - m classes, so long diagonals are missed
//! by few. A drawn class may therefore miss, of the diagonals in an orbit, at most its share of the remaining
//! misses, rounded up. The draw is a search that branches on the row with the fewest squares, in random order
//! with a preference for squares on diagonals with many uncoloured squares.
//!
//! The more evenly the uncoloured squares are distributed over the diagonals, the more solutions they
//! contain. Of many draws of a class, the one with the smallest sum of the squared numbers of uncoloured
//! squares on the diagonals is taken. Drawing takes about as many nodes as the listing: with a hundred draws
//! instead of one, four remaining orbits of classes of 22^2 have 28 times as many solutions, which are listed
//! in twice the nodes.

use num_traits::{Bounded as _, One as _, PrimInt, Zero as _};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use super::candidates::{Candidate, DiagonalCounts, Quotient, State, diagonal_numbers};
use super::cover::{Classes, Cover};
use super::operator::{Cell, Misfit, Operator};
use ndqueens_system::cancel::Control;

/// Maximum side of a search.
pub const MAX_SIDE: usize = super::candidates::MAX_SIDE;

/// Node limit of a draw of a class.
const NODES_PER_DRAW: u64 = 2_000;

/// Number of failed draws of a class after which the partial colouring is given up.
const MAX_FAILED_DRAWS: usize = 20;

/// Strength of the randomisation of a draw, in quarters of an uncoloured square.
const RANDOMISATION: u32 = 16;

/// Node limit of the first listing of the solutions for a completion.
const NODES_PER_LISTING: u64 = 1_000_000;

/// Maximum number of classes that are left to a completion.
const MAX_COMPLETED: usize = 12;

/// Number of nodes between two checks of the control.
const NODES_PER_CHECK: u64 = 1 << 10;

/// Searches for a colouring with a symmetry. Returns `None` if the control is stopped.
///
/// # Errors
/// Returns an error if no colouring has the symmetry.
///
/// # Panics
/// Panics if the side is 0 or above [`MAX_SIDE`], or if the operator is [`Operator::None`].
pub fn search(
    side: usize,
    operator: Operator,
    seed: u64,
    control: &Control,
) -> Result<Option<Classes>, Misfit> {
    assert!((1..=MAX_SIDE).contains(&side), "the side is from 1 to {MAX_SIDE}");
    assert!(operator != Operator::None, "the operator is nontrivial");
    operator.ensure_possible(side)?;
    let quotient = Quotient::new(side, operator);
    let found = match side {
        ..=32 => Search::<u32>::new(&quotient, seed, control).run(),
        _ => Search::<u64>::new(&quotient, seed, control).run(),
    };
    Ok(found)
}

/// State of a search.
struct Search<'a, R> {
    geometry: Geometry<'a, R>,
    /// Maximum number of orbits that are left to a completion.
    max_completed: usize,
    /// Current number of orbits that are left to a completion.
    completed: usize,
    /// Number of nodes from which on one more orbit is left.
    nodes_to_increase: u64,
    /// Number of nodes of the last listing.
    listing_nodes: u64,
    /// Number of nodes so far.
    nodes: u64,
    rng: ChaCha8Rng,
    control: &'a Control,
}

impl<'a, R: Row> Search<'a, R> {
    fn new(quotient: &'a Quotient, seed: u64, control: &'a Control) -> Self {
        let order = quotient.operator.order();
        let max_completed = (MAX_COMPLETED / order).min((quotient.side / order).saturating_sub(1)).max(1);
        Self {
            geometry: Geometry::new(quotient),
            max_completed,
            completed: max_completed,
            nodes_to_increase: 0,
            listing_nodes: NODES_PER_LISTING,
            nodes: 0,
            rng: ChaCha8Rng::seed_from_u64(seed),
            control,
        }
    }

    /// Tries partial colourings until one is completed.
    fn run(mut self) -> Option<Classes> {
        while !self.control.is_stopped() {
            if let Some(classes) = self.attempt() {
                return Some(classes);
            }
        }
        None
    }

    /// Draws a partial colouring and completes it; `None` if that fails.
    fn attempt(&mut self) -> Option<Classes> {
        let quotient = self.geometry.quotient;
        let order = quotient.operator.order();
        let mut state = State::root(quotient);
        let mut classes: Classes = Vec::new();
        if quotient.side % 2 == 1 {
            classes.extend(self.draw_orbit(&mut state, 1)?);
        }
        if self.completed < self.max_completed && self.nodes >= self.nodes_to_increase {
            self.completed += 1;
        }
        loop {
            while usize::from(state.left) > order * self.completed {
                classes.extend(self.draw_orbit(&mut state, order)?);
            }
            let limit = self.nodes.max(NODES_PER_LISTING);
            let (candidates, nodes) = self.geometry.list_classes(&state, limit, self.control);
            self.nodes += nodes;
            self.listing_nodes = nodes;
            if let Some(candidates) = candidates {
                classes.extend(Cover::complete(quotient, candidates, &state, self.control)?);
                classes.sort_unstable();
                return Some(classes);
            }
            if self.control.is_stopped() {
                return None;
            }
            self.completed -= 1;
            self.nodes_to_increase = 2 * self.nodes;
        }
    }

    /// Draws random orbits of `order` classes, adds the one with the least crowding to the partial colouring,
    /// and returns its classes. Returns `None` if all draws fail.
    fn draw_orbit(&mut self, state: &mut State, order: usize) -> Option<Classes> {
        let quotient = self.geometry.quotient;
        let end = self.nodes + self.listing_nodes * quotient.operator.order() as u64 / quotient.side as u64;
        let (start, rules) = self.geometry.prepare_draws(state, order == 1);
        let mut best: Option<(u64, State, Classes)> = None;
        let mut draws = 0;
        while !self.control.is_stopped() && (self.nodes < end || best.is_none() && draws < MAX_FAILED_DRAWS) {
            let (solution, nodes) = self.geometry.draw_class(&start, &rules, &mut self.rng);
            self.nodes += nodes;
            self.control.count(nodes, 0.0);
            draws += 1;
            let Some(solution) = solution else { continue };
            let classes = quotient.operator.orbit(&solution);
            let mut after = state.clone();
            after.cover(quotient, &quotient.list(Candidate { solution, classes: order }));
            let crowding = self.geometry.crowding(&after);
            if best.as_ref().is_none_or(|(least, ..)| crowding < *least) {
                best = Some((crowding, after, classes));
            }
        }
        let (_, after, classes) = best?;
        *state = after;
        Some(classes)
    }
}

/// Bit set of the squares of a row.
trait Row: PrimInt {
    /// Bit set of the diagonals of a direction, of which there are less than twice as many.
    type Diagonals: PrimInt + From<Self>;
}

impl Row for u32 {
    type Diagonals = u64;
}

impl Row for u64 {
    type Diagonals = u128;
}

/// Returns the bit set with one element.
fn bit<B: PrimInt>(number: usize) -> B {
    B::one() << number
}

/// A set of squares, as the bits of each row.
type Rows<R> = [R; MAX_SIDE];

/// Tables for a board and an operator.
struct Geometry<'a, R> {
    quotient: &'a Quotient,
    /// For each square, the squares that a class with this square cannot have: those on its
    /// lines and its images.
    excluded: Vec<Rows<R>>,
    /// For each square, the squares on its lines. A class that is its own image cannot have these.
    lines: Vec<Rows<R>>,
    /// The images of each square.
    images: Vec<Vec<usize>>,
}

/// Rules for draws of a class.
struct Rules {
    /// Maximum number of diagonals of each orbit that the class misses.
    max_missed: DiagonalCounts,
    /// `true` if the class must be its own image.
    invariant: bool,
    /// Number of uncoloured squares on each diagonal of both directions.
    uncoloured: [Vec<u8>; 2],
}

/// A partial class: queens on some rows.
#[derive(Clone)]
struct PartialClass<R: Row> {
    /// Squares that can be added.
    free: Rows<R>,
    /// Rows without a queen.
    open: R,
    /// Diagonals of each direction that have a queen.
    met: [R::Diagonals; 2],
    /// Diagonals of each direction that have no queen and no free square.
    lost: [R::Diagonals; 2],
    /// Number of lost diagonals of each orbit.
    missed: DiagonalCounts,
}

impl<'a, R: Row> Geometry<'a, R> {
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
                let mut lines = [R::zero(); MAX_SIDE];
                (0..n * n)
                    .filter(|&other| attacks(cell(square), cell(other)))
                    .for_each(|other| lines[other / n] = lines[other / n] | bit(other % n));
                lines
            })
            .collect();
        let mut excluded = lines.clone();
        for (excluded, images) in excluded.iter_mut().zip(&images) {
            images.iter().for_each(|image| excluded[image / n] = excluded[image / n] | bit(image % n));
        }
        Self { quotient, excluded, lines, images }
    }

    /// Returns the maximum number of diagonals of each orbit that a class may miss. If `fair`, this is its
    /// share of the remaining misses, rounded up.
    fn miss_limits(&self, state: &State, fair: bool, invariant: bool) -> DiagonalCounts {
        let order = if invariant { 1 } else { self.quotient.operator.order() };
        let mut max_missed = [0; 2 * MAX_SIDE];
        for (orbit, diagonals) in self.quotient.diagonals.iter().enumerate() {
            let misses = diagonals.count * usize::from(state.left - state.uncoloured[orbit]);
            // A class that is its own image misses all diagonals of an orbit or none.
            let max = if fair && !invariant { misses.div_ceil(state.left.into()) } else { misses / order };
            max_missed[orbit] = max.min(diagonals.count) as u8;
        }
        max_missed
    }

    /// Returns the sum of the squared numbers of uncoloured squares on the diagonals.
    fn crowding(&self, state: &State) -> u64 {
        let diagonals = self.quotient.diagonals.iter().zip(state.uncoloured);
        diagonals.map(|(orbit, uncoloured)| orbit.count as u64 * u64::from(uncoloured).pow(2)).sum()
    }

    /// Returns the class without queens. The free squares are the uncoloured ones; if `invariant`, those
    /// whose images do not attack each other.
    fn empty_class(&self, state: &State, invariant: bool) -> PartialClass<R> {
        let n = self.quotient.side;
        let mut free = [R::zero(); MAX_SIDE];
        for (square, &orbit) in self.quotient.orbit_of.iter().enumerate() {
            if state.coloured[orbit / 64] >> (orbit % 64) & 1 == 1 {
                continue;
            }
            let cells = self.images[square].iter().map(|image| (image / n, image % n));
            if invariant && cells.clone().any(|a| cells.clone().any(|b| a != b && attacks(a, b))) {
                continue;
            }
            free[square / n] = free[square / n] | bit(square % n);
        }
        let open = R::max_value() >> (R::zero().count_zeros() as usize - n);
        let empty = [R::Diagonals::zero(); 2];
        PartialClass { free, open, met: empty, lost: empty, missed: [0; 2 * MAX_SIDE] }
    }

    /// Places a queen on a free square.
    fn place(&self, class: &mut PartialClass<R>, square: usize, invariant: bool) {
        let n = self.quotient.side;
        let excluded = if invariant { &self.lines } else { &self.excluded };
        class.free[..n].iter_mut().zip(&excluded[square]).for_each(|(free, &row)| *free = *free & !row);
        class.open = class.open & !bit::<R>(square / n);
        let [sum, difference] = diagonal_numbers(n, (square / n, square % n));
        class.met[0] = class.met[0] | bit(sum);
        class.met[1] = class.met[1] | bit(difference);
    }

    /// Updates the lost diagonals. Returns `false` if the class misses more diagonals of an
    /// orbit than allowed.
    fn update_lost(&self, class: &mut PartialClass<R>, max_missed: &DiagonalCounts) -> bool {
        let n = self.quotient.side;
        // A difference is row - column + n - 1, so bits are reversed to shift the columns of a row.
        let (mut sums, mut differences) = (class.met[0], class.met[1].reverse_bits());
        let bits = R::Diagonals::zero().count_zeros() as usize;
        for (row, &free) in class.free[..n].iter().enumerate() {
            let free = R::Diagonals::from(free);
            sums = sums | (free << row);
            differences = differences | (free << (bits - n - row));
        }
        let whole = R::Diagonals::max_value() >> (bits + 1 - 2 * n);
        for (direction, reached) in [sums, differences.reverse_bits()].into_iter().enumerate() {
            let mut lost = whole & !reached & !class.lost[direction];
            class.lost[direction] = class.lost[direction] | lost;
            while !lost.is_zero() {
                let orbit = self.quotient.diagonal_of[direction][lost.trailing_zeros() as usize];
                lost = lost & (lost - R::Diagonals::one());
                class.missed[orbit] += 1;
                if class.missed[orbit] > max_missed[orbit] {
                    return false;
                }
            }
        }
        true
    }

    /// Returns the open row with the fewest free squares.
    fn narrowest_row(&self, class: &PartialClass<R>) -> usize {
        (0..self.quotient.side)
            .filter(|&row| has_bit(class.open, row))
            .min_by_key(|&row| class.free[row].count_ones())
            .expect("a row is open")
    }

    /// Returns the partial class from which draws start, and their rules.
    fn prepare_draws(&self, state: &State, invariant: bool) -> (PartialClass<R>, Rules) {
        let n = self.quotient.side;
        let mut start = self.empty_class(state, invariant);
        if invariant {
            let centre = n / 2;
            self.place(&mut start, centre * n + centre, true);
        }
        let uncoloured = |direction: usize| {
            self.quotient.diagonal_of[direction].iter().map(|&orbit| state.uncoloured[orbit]).collect()
        };
        let max_missed = self.miss_limits(state, true, invariant);
        (start, Rules { max_missed, invariant, uncoloured: [0, 1].map(uncoloured) })
    }

    /// Draws a random class; `None` if the node limit is reached or there is no class. Also returns
    /// the number of nodes.
    fn draw_class(
        &self,
        start: &PartialClass<R>,
        rules: &Rules,
        rng: &mut ChaCha8Rng,
    ) -> (Option<Vec<u8>>, u64) {
        let n = self.quotient.side;
        let mut queens = vec![0; n];
        if rules.invariant {
            queens[n / 2] = (n / 2) as u8;
        }
        let mut nodes_left = NODES_PER_DRAW;
        let is_complete = self.extend_draw(start, rules, &mut queens, &mut nodes_left, rng);
        (is_complete.then_some(queens), NODES_PER_DRAW - nodes_left)
    }

    /// Extends a partial class at random, with backtracking. Returns `false` if that fails.
    fn extend_draw(
        &self,
        class: &PartialClass<R>,
        rules: &Rules,
        queens: &mut Vec<u8>,
        nodes_left: &mut u64,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        if class.open.is_zero() {
            return true;
        }
        let row = self.narrowest_row(class);
        let mut choices: Vec<(u32, usize)> = Vec::new();
        for column in columns(class.free[row]) {
            let [sum, difference] = diagonal_numbers(self.quotient.side, (row, column));
            let crowding = rules.uncoloured[0][sum] + rules.uncoloured[1][difference];
            choices.push((4 * u32::from(crowding) + rng.random_range(0..RANDOMISATION), column));
        }
        choices.sort_unstable_by(|one, other| other.cmp(one));
        for (_, column) in choices {
            if *nodes_left == 0 {
                return false;
            }
            *nodes_left -= 1;
            let mut class = class.clone();
            let n = self.quotient.side;
            let square = row * n + column;
            let images = if rules.invariant { self.images[square].as_slice() } else { &[square] };
            for &square in images {
                self.place(&mut class, square, rules.invariant);
                queens[square / n] = (square % n) as u8;
            }
            if self.update_lost(&mut class, &rules.max_missed)
                && self.extend_draw(&class, rules, queens, nodes_left, rng)
            {
                return true;
            }
        }
        false
    }

    /// Lists all classes on the uncoloured squares, one of each orbit; `None` if that takes more nodes than
    /// the limit or the control is stopped. Also returns the number of nodes.
    ///
    /// A class has one queen on each main diagonal. Let these be on the rows i and j. The first of these
    /// queens is on row n - 1 - i in the image under the half turn, on n - 1 - j under H and one quarter
    /// turn, and on j under V and the other quarter turn. These rows are different: if two of them were
    /// equal, two queens would be on one line or a queen would be in the middle. So exactly one image of a
    /// class has the least row.
    fn list_classes(&self, state: &State, limit: u64, control: &Control) -> (Option<Vec<Candidate>>, u64) {
        let (n, operator) = (self.quotient.side, self.quotient.operator);
        let has_quarter_turns = operator == Operator::R4;
        let mut listing = Listing {
            max_missed: self.miss_limits(state, false, false),
            nodes: 0,
            limit,
            queens: vec![0; n],
            classes: Vec::new(),
            control,
        };
        let start = self.empty_class(state, false);
        let is_complete = (0..n).all(|i| {
            if operator.contains(Operator::R2) && i > n - 1 - i {
                return true;
            }
            self.with_queen(&start, (i, i), &mut listing, |class, listing| {
                (0..n).all(|j| {
                    let is_later_image = (has_quarter_turns || operator.contains(Operator::H))
                        && i > n - 1 - j
                        || (has_quarter_turns || operator.contains(Operator::V)) && i > j;
                    let list = |class: &PartialClass<R>, listing: &mut Listing<'_>| {
                        self.list_extensions(class, listing)
                    };
                    is_later_image || self.with_queen(class, (j, n - 1 - j), listing, list)
                })
            })
        });
        control.count(listing.nodes % NODES_PER_CHECK, 0.0);
        (is_complete.then_some(listing.classes), listing.nodes)
    }

    /// Adds a queen to a partial class and calls `list` with it, unless the square is not free or too many
    /// diagonals are lost. Returns `false` if the listing must end.
    fn with_queen(
        &self,
        class: &PartialClass<R>,
        (row, column): Cell,
        listing: &mut Listing<'_>,
        list: impl FnOnce(&PartialClass<R>, &mut Listing<'_>) -> bool,
    ) -> bool {
        if !has_bit(class.free[row], column) {
            return true;
        }
        let is_check_due = listing.nodes.is_multiple_of(NODES_PER_CHECK);
        if listing.nodes == listing.limit || is_check_due && listing.control.is_stopped() {
            return false;
        }
        listing.nodes += 1;
        if listing.nodes.is_multiple_of(NODES_PER_CHECK) {
            listing.control.count(NODES_PER_CHECK, 0.0);
        }
        let mut class = class.clone();
        self.place(&mut class, row * self.quotient.side + column, false);
        listing.queens[row] = column as u8;
        !self.update_lost(&mut class, &listing.max_missed) || list(&class, listing)
    }

    /// Lists all classes that contain a partial class. Returns `false` if the listing must end.
    fn list_extensions(&self, class: &PartialClass<R>, listing: &mut Listing<'_>) -> bool {
        if class.open.is_zero() {
            let classes = self.quotient.operator.order();
            listing.classes.push(Candidate { solution: listing.queens.clone(), classes });
            return true;
        }
        // A class also has a queen on every column.
        let (mut at_least_one, mut at_least_two) = (R::zero(), R::zero());
        for &free in &class.free[..self.quotient.side] {
            at_least_two = at_least_two | at_least_one & free;
            at_least_one = at_least_one | free;
        }
        if at_least_one.count_ones() < class.open.count_ones() {
            return true;
        }
        let forced_columns = at_least_one & !at_least_two;
        let mut row = self.narrowest_row(class);
        let mut squares = class.free[row];
        if !forced_columns.is_zero() && squares.count_ones() > 1 {
            squares = bit(forced_columns.trailing_zeros() as usize);
            let forced_row = class.free.iter().position(|&free| !(free & squares).is_zero());
            row = forced_row.expect("the column has a free square");
        }
        columns(squares).all(|column| {
            self.with_queen(class, (row, column), listing, |class, listing| {
                self.list_extensions(class, listing)
            })
        })
    }
}

/// State of a listing of classes.
struct Listing<'a> {
    /// Maximum number of diagonals of each orbit that a class may miss.
    max_missed: DiagonalCounts,
    nodes: u64,
    /// Node limit.
    limit: u64,
    /// Columns of the queens of the current class.
    queens: Vec<u8>,
    classes: Vec<Candidate>,
    control: &'a Control,
}

/// Returns `true` if queens on two squares attack each other, or the squares are equal.
fn attacks(one: Cell, other: Cell) -> bool {
    let (rows, columns) = (one.0.abs_diff(other.0), one.1.abs_diff(other.1));
    rows == 0 || columns == 0 || rows == columns
}

/// Returns `true` if a bit is set.
fn has_bit<B: PrimInt>(bits: B, number: usize) -> bool {
    !(bits >> number & B::one()).is_zero()
}

/// Iterates over the columns of a set of squares of a row.
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

    /// Orbits of classes that are removed from a colouring must be listed for the uncoloured squares.
    #[test]
    fn lists_the_classes_of_all_colourings() {
        let control = Control::new();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (side, operator) in [(11, Operator::R2), (12, Operator::H), (12, Operator::Hv)] {
            let cover =
                Cover::list(side, operator, true, &control).expect("possible").cover.expect("not stopped");
            let colourings = cover.all(&control);
            assert!(colourings.len() > 5, "{side} {operator}");
            let quotient = Quotient::new(side, operator);
            let (narrow, wide) = (Geometry::<u32>::new(&quotient), Geometry::<u64>::new(&quotient));
            for classes in colourings {
                let orbit =
                    |class: &Vec<u8>| -> BTreeSet<Vec<u8>> { operator.orbit(class).into_iter().collect() };
                let orbits: BTreeSet<BTreeSet<Vec<u8>>> = classes.iter().map(orbit).collect();
                let mut state = State::root(&quotient);
                let mut removed = BTreeSet::new();
                for orbit in orbits {
                    if orbit.len() == operator.order() && rng.random_bool(0.5) {
                        removed.insert(orbit);
                        continue;
                    }
                    let solution = orbit.first().expect("an orbit is not empty").clone();
                    let classes = orbit.len();
                    state.cover(&quotient, &quotient.list(Candidate { solution, classes }));
                }
                let listed = narrow.list_classes(&state, u64::MAX, &control);
                assert_eq!(wide.list_classes(&state, u64::MAX, &control), listed);
                let listed = listed.0.expect("there is no limit");
                let number = listed.len();
                let listed: BTreeSet<_> = listed.iter().map(|candidate| orbit(&candidate.solution)).collect();
                assert_eq!(listed.len(), number, "no orbit is listed twice");
                assert!(listed.is_superset(&removed), "{side} {operator}");
            }
        }
    }
}
