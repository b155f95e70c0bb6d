//! Enumeration of the solutions of a puzzle.
//!
//! A Sudoku is an exact cover problem: each cell must contain exactly one number, and each number must occur
//! exactly once in each row, column and box and, in a diagonal Sudoku, on each main diagonal. A constraint
//! with one candidate left fills the cell, and one without candidates refutes the branch. If no constraint
//! does either, the search branches on a cell with two candidates, or else on a constraint with the fewest.
//! One word is the set of cells, within a band of b rows, that are open to one number; hence most tests look
//! at many cells at once.
//!
//! # References
//! D. E. Knuth, *Dancing links*, 2000.

use num_traits::PrimInt;

use crate::puzzle::Puzzle;

/// Reason why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEnd {
    /// All solutions were visited.
    Complete,
    /// The visitor returned `false`.
    Stopped,
    /// The node limit was reached, or `stop` returned `true`.
    Limit,
}

/// Limits of a search.
#[derive(Clone, Copy)]
pub struct Budget<'s> {
    /// Maximum number of nodes of the search tree.
    pub nodes: u64,
    /// Returns `true` if the search must stop; called every 1024 nodes.
    pub stop: &'s (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Budget<'static> {
    /// Creates a budget of `nodes` nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, stop: &|| false }
    }

    /// Creates a budget without a limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::nodes(u64::MAX)
    }
}

/// Calls `visitor` with each solution, its cells row by row, until it returns `false` or the budget is spent.
///
/// # Panics
/// Panics if the order is not in [`ORDERS`](crate::puzzle::ORDERS).
pub fn visit(puzzle: &Puzzle, budget: Budget<'_>, visitor: &mut dyn FnMut(&[u32]) -> bool) -> SearchEnd {
    match puzzle.order {
        2 => run::<u32, 4, 2>(puzzle, budget, visitor),
        3 => run::<u32, 9, 3>(puzzle, budget, visitor),
        4 => run::<u64, 16, 4>(puzzle, budget, visitor),
        5 => run::<u128, 25, 5>(puzzle, budget, visitor),
        order => panic!("order {order} is not solved"),
    }
}

/// Returns the first solutions of a puzzle, at most `most`, and the reason why the search ended.
///
/// # Panics
/// Panics if the order is not in [`ORDERS`](crate::puzzle::ORDERS).
///
/// # Examples
/// ```
/// use ndqueens_sudoku::puzzle::Puzzle;
/// use ndqueens_sudoku::search::{Budget, SearchEnd, solutions};
///
/// let empty = Puzzle::new(2, vec![None; 16]);
/// let (found, end) = solutions(&empty, 300, Budget::unlimited());
/// assert_eq!((found.len(), end), (288, SearchEnd::Complete));
/// ```
#[must_use]
pub fn solutions(puzzle: &Puzzle, most: usize, budget: Budget<'_>) -> (Vec<Vec<u32>>, SearchEnd) {
    let mut found = Vec::new();
    let end = visit(puzzle, budget, &mut |cells| {
        found.push(cells.to_vec());
        found.len() < most
    });
    (found, end)
}

/// Enumerates the solutions of a puzzle of side `N` by depth-first search.
fn run<W: PrimInt, const N: usize, const B: usize>(
    puzzle: &Puzzle,
    budget: Budget<'_>,
    visitor: &mut dyn FnMut(&[u32]) -> bool,
) -> SearchEnd {
    let mut grid = Grid::<W, N, B>::new(puzzle.diagonals);
    for clue in puzzle.clues() {
        let place =
            Place { band: clue.row / B, number: clue.number as usize, at: clue.row % B * N + clue.column };
        if !grid.is_open(place) {
            return SearchEnd::Complete;
        }
        grid.put(place);
    }
    let mut left = budget.nodes;
    let mut cells = vec![0; N * N];
    // A search may be hundreds of nodes deep.
    let mut open: Vec<OpenNode<W, N, B>> = Vec::new();
    loop {
        if left == 0 || (left.is_multiple_of(1024) && (budget.stop)()) {
            return SearchEnd::Limit;
        }
        left -= 1;
        if grid.propagate() {
            if let Some(branches) = grid.branches() {
                open.push(OpenNode { grid, branches });
            } else {
                grid.write_cells(&mut cells);
                if !visitor(&cells) {
                    return SearchEnd::Stopped;
                }
            }
        }
        let Some(OpenNode { grid: parent, branches }) = open.last_mut() else { return SearchEnd::Complete };
        branches.count -= 1;
        let (place, is_last) = (branches.places[branches.count], branches.count == 0);
        grid = parent.clone();
        grid.put(place);
        if is_last {
            open.pop();
        }
    }
}

/// Number in a cell: cell `at % N` of row `at / N` of a band of `B` rows.
#[derive(Clone, Copy, Default)]
struct Place {
    band: usize,
    number: usize,
    at: usize,
}

/// Places of which every solution contains exactly one: the first `count` entries of `places`.
struct Branches<const N: usize> {
    places: [Place; N],
    count: usize,
}

impl<const N: usize> Branches<N> {
    fn new(places: impl Iterator<Item = Place>) -> Self {
        let mut branches = Self { places: [Place::default(); N], count: 0 };
        for (slot, place) in branches.places.iter_mut().zip(places) {
            *slot = place;
            branches.count += 1;
        }
        branches
    }
}

/// Node of the search tree with the branches that are not explored yet.
struct OpenNode<W, const N: usize, const B: usize> {
    grid: Grid<W, N, B>,
    branches: Branches<N>,
}

/// Candidates of a grid of side `N` with boxes of side `B`; a word is a set of the `B * N` cells of a band.
#[derive(Clone)]
struct Grid<W, const N: usize, const B: usize> {
    /// `true` if the main diagonals must contain every number once.
    diagonals: bool,
    /// Cells that are open to each number, or filled with it.
    open: [[W; N]; B],
    /// Cells that are not filled.
    empty: [W; B],
    /// `open` at the last examination of rows, columns and boxes.
    seen: [[W; N]; B],
}

impl<W: PrimInt, const N: usize, const B: usize> Grid<W, N, B> {
    fn new(diagonals: bool) -> Self {
        let seen = [[W::zero(); N]; B];
        Self { diagonals, open: [[Self::band(); N]; B], empty: [Self::band(); B], seen }
    }

    /// Returns the set of one cell.
    fn bit(at: usize) -> W {
        W::one() << at
    }

    /// Returns the first row of a band, which is the lowest `N` bits.
    fn low() -> W {
        Self::bit(N) - W::one()
    }

    /// Returns a row of a band.
    fn row(row: usize) -> W {
        Self::low() << (row * N)
    }

    /// Returns the cells of a band in a column.
    fn column(column: usize) -> W {
        (0..B).fold(W::zero(), |cells, row| cells | Self::bit(row * N + column))
    }

    /// Returns a box of a band.
    fn block(block: usize) -> W {
        (0..B).fold(W::zero(), |cells, column| cells | Self::column(block * B + column))
    }

    /// Returns the cells of a band on the main diagonal or on the other one.
    fn diagonal(is_main: bool, band: usize) -> W {
        let column = |row: usize| if is_main { row } else { N - 1 - row };
        (0..B).fold(W::zero(), |cells, row| cells | Self::bit(row * N + column(band * B + row)))
    }

    /// Returns all cells of a band.
    fn band() -> W {
        (0..B).fold(W::zero(), |cells, row| cells | Self::row(row))
    }

    fn is_open(&self, Place { band, number, at }: Place) -> bool {
        self.open[band][number] & Self::bit(at) != W::zero()
    }

    /// Fills a cell with a number that is open to it, and removes the number from the units of the cell.
    fn put(&mut self, Place { band, number, at }: Place) {
        let (bit, column) = (Self::bit(at), at % N);
        for open in &mut self.open[band] {
            *open = *open & !bit;
        }
        let others = !Self::column(column);
        for of_band in &mut self.open {
            of_band[number] = of_band[number] & others;
        }
        for is_main in [true, false] {
            if self.diagonals && Self::diagonal(is_main, band) & bit != W::zero() {
                for (of_band, open) in self.open.iter_mut().enumerate() {
                    open[number] = open[number] & !Self::diagonal(is_main, of_band);
                }
            }
        }
        let here = &mut self.open[band][number];
        *here = *here & !(Self::row(at / N) | Self::block(column / B)) | bit;
        self.empty[band] = self.empty[band] & !bit;
    }

    /// Fills all forced cells. Returns `false` if a constraint has no candidate left.
    fn propagate(&mut self) -> bool {
        loop {
            let Some(is_filled) = self.fill_by_number() else { return false };
            if is_filled {
                continue;
            }
            let Some(is_filled) = self.fill_by_place() else { return false };
            if !is_filled {
                return true;
            }
        }
    }

    /// Fills cells that are open to one number. Returns `true` if a cell was filled, or `None` if a cell is
    /// open to no number.
    fn fill_by_number(&mut self) -> Option<bool> {
        let mut forced = false;
        for band in 0..B {
            let (mut once, mut twice) = (W::zero(), W::zero());
            for &open in &self.open[band] {
                twice = twice | once & open;
                once = once | open;
            }
            if once != Self::band() {
                return None;
            }
            for at in bits(once & !twice & self.empty[band]) {
                let number = self.open[band].iter().position(|&open| open & Self::bit(at) != W::zero())?;
                self.put(Place { band, number, at });
                forced = true;
            }
        }
        Some(forced)
    }

    /// Fills cells that are the only place for a number in a unit. Returns `true` if a cell was filled, or
    /// `None` if a number has no place in a unit.
    fn fill_by_place(&mut self) -> Option<bool> {
        let mut forced = false;
        for number in 0..N {
            let mut changed = false;
            for band in 0..B {
                let now = self.open[band][number];
                if now == self.seen[band][number] {
                    continue;
                }
                changed = true;
                self.seen[band][number] = now;
                for index in 0..B {
                    for unit in [Self::row(index), Self::block(index)] {
                        let places = self.open[band][number] & unit;
                        if places == W::zero() {
                            return None;
                        }
                        if is_one(places) && places & self.empty[band] != W::zero() {
                            let at = places.trailing_zeros() as usize;
                            self.put(Place { band, number, at });
                            forced = true;
                        }
                    }
                }
            }
            if changed {
                forced |= self.fill_columns(number)?;
            }
        }
        Some(self.fill_diagonals()? || forced)
    }

    /// Fills cells that are the only place for a number in a column. Returns as [`Grid::fill_by_place`].
    fn fill_columns(&mut self, number: usize) -> Option<bool> {
        let (mut once, mut twice, mut filled) = (W::zero(), W::zero(), W::zero());
        for band in 0..B {
            let open = self.open[band][number];
            for row in 0..B {
                let places = open >> (row * N) & Self::low();
                twice = twice | once & places;
                once = once | places;
                filled = filled | (open & !self.empty[band]) >> (row * N) & Self::low();
            }
        }
        if once != Self::low() {
            return None;
        }
        let forced = once & !twice & !filled;
        for column in bits(forced) {
            let places = |band: usize| self.open[band][number] & Self::column(column);
            let band = (0..B).find(|&band| places(band) != W::zero())?;
            let at = places(band).trailing_zeros() as usize;
            self.put(Place { band, number, at });
        }
        Some(forced != W::zero())
    }

    /// Fills cells that are the only place for a number on a diagonal. Returns as [`Grid::fill_by_place`].
    fn fill_diagonals(&mut self) -> Option<bool> {
        let mut forced = false;
        let diagonals: &[bool] = if self.diagonals { &[true, false] } else { &[] };
        for &is_main in diagonals {
            for number in 0..N {
                let places = |band: usize| self.open[band][number] & Self::diagonal(is_main, band);
                let count: u32 = (0..B).map(|band| places(band).count_ones()).sum();
                if count > 1 {
                    continue;
                }
                let band = (0..B).find(|&band| places(band) != W::zero())?;
                if places(band) & self.empty[band] != W::zero() {
                    let at = places(band).trailing_zeros() as usize;
                    self.put(Place { band, number, at });
                    forced = true;
                }
            }
        }
        Some(forced)
    }

    /// Returns the branches of a grid in which no cell is forced, or `None` if the grid is full.
    fn branches(&self) -> Option<Branches<N>> {
        if self.empty.iter().all(W::is_zero) {
            return None;
        }
        if let Some(cell) = self.cell_with_two_numbers() {
            return Some(self.candidates(&cell));
        }
        Some(self.candidates(&self.smallest_constraint()))
    }

    /// Returns a cell that is open to exactly two numbers.
    fn cell_with_two_numbers(&self) -> Option<Constraint<W>> {
        for (band, open) in self.open.iter().enumerate() {
            let (mut once, mut twice, mut thrice) = (W::zero(), W::zero(), W::zero());
            for &open in open {
                thrice = thrice | twice & open;
                twice = twice | once & open;
                once = once | open;
            }
            if let Some(at) = bits(twice & !thrice & self.empty[band]).next() {
                return Some(Constraint::Cell { band, at });
            }
        }
        None
    }

    /// Returns a constraint with the fewest candidates, at least two.
    fn smallest_constraint(&self) -> Constraint<W> {
        let mut fewest = usize::MAX;
        let mut smallest = Constraint::Cell { band: 0, at: 0 };
        let mut offer = |count: usize, constraint| {
            if (2..fewest).contains(&count) {
                (fewest, smallest) = (count, constraint);
            }
        };
        for band in 0..B {
            for number in 0..N {
                for index in 0..B {
                    for unit in [Self::row(index), Self::block(index)] {
                        let places = self.open[band][number] & unit;
                        let constraint = Constraint::InBand { band, number, places };
                        offer(places.count_ones() as usize, constraint);
                    }
                }
            }
        }
        for number in 0..N {
            for column in 0..N {
                let places = |band: usize| (self.open[band][number] & Self::column(column)).count_ones();
                offer((0..B).map(places).sum::<u32>() as usize, Constraint::InColumn { number, column });
            }
        }
        for band in 0..B {
            for at in bits(self.empty[band]) {
                offer(self.numbers_of_cell(band, at).count(), Constraint::Cell { band, at });
            }
        }
        smallest
    }

    /// Returns the candidates of a constraint.
    fn candidates(&self, constraint: &Constraint<W>) -> Branches<N> {
        match *constraint {
            Constraint::Cell { band, at } => Branches::new(self.numbers_of_cell(band, at)),
            Constraint::InBand { band, number, places } => {
                Branches::new(bits(places).map(|at| Place { band, number, at }))
            }
            Constraint::InColumn { number, column } => {
                let places_in_band = |band: usize| {
                    let places = bits(self.open[band][number] & Self::column(column));
                    places.map(move |at| Place { band, number, at })
                };
                Branches::new((0..B).flat_map(places_in_band))
            }
        }
    }

    /// Returns the numbers to which a cell is open.
    fn numbers_of_cell(&self, band: usize, at: usize) -> impl Iterator<Item = Place> + '_ {
        (0..N).map(move |number| Place { band, number, at }).filter(|&place| self.is_open(place))
    }

    /// Writes the number of every cell of a full grid, row by row.
    fn write_cells(&self, cells: &mut [u32]) {
        for (band, of_band) in self.open.iter().enumerate() {
            for (number, &places) in of_band.iter().enumerate() {
                for at in bits(places) {
                    cells[band * B * N + at] = number as u32;
                }
            }
        }
    }
}

/// Constraint of the exact cover problem, which every solution satisfies with one place.
enum Constraint<W> {
    /// A cell of a band contains one number.
    Cell { band: usize, at: usize },
    /// A row or a box of a band contains the number once; `places` are its candidates there.
    InBand { band: usize, number: usize, places: W },
    /// A column contains the number once.
    InColumn { number: usize, column: usize },
}

/// Returns `true` if a word has at most one bit.
fn is_one<W: PrimInt>(word: W) -> bool {
    word & (word - W::one()) == W::zero()
}

/// Returns the positions of the bits of a word, lowest first.
fn bits<W: PrimInt>(mut word: W) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != W::zero()).then(|| word.trailing_zeros() as usize)?;
        word = word & (word - W::one());
        Some(bit)
    })
}
