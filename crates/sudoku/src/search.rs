//! All solutions of a puzzle, or the first few.
//!
//! A Sudoku is an exact cover: each cell, and each number in each row, each column, each box and, in a diagonal Sudoku, each main
//! diagonal, wants exactly one triple
//! (row, column, number). What wants a triple and has one left forces it, what has none left refutes the branch, and the search
//! branches where two are left, or else the fewest. A word holds the cells of b rows that are open to one number, so that most
//! tests look at many cells at once.
//!
//! # References
//! D. E. Knuth, *Dancing links*, 2000.

use num_traits::PrimInt;

use crate::puzzle::Puzzle;

/// How far a search went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All solutions were visited.
    Complete,
    /// The visitor wanted no more.
    Stopped,
    /// The budget was spent.
    Limit,
}

/// How far a search may go.
#[derive(Clone, Copy)]
pub struct Budget<'s> {
    /// Nodes of the search tree.
    pub nodes: u64,
    /// Whether to stop now; asked every 1024 nodes.
    pub stop: &'s (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Budget<'static> {
    /// So many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, stop: &|| false }
    }

    /// As far as it takes.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::nodes(u64::MAX)
    }
}

/// Visits the solutions of a puzzle, cells row by row, until the visitor answers false or the budget is spent.
///
/// # Panics
/// If the order is none of [`ORDERS`](crate::puzzle::ORDERS).
pub fn visit(puzzle: &Puzzle, budget: Budget<'_>, visitor: &mut dyn FnMut(&[u32]) -> bool) -> End {
    match puzzle.order {
        2 => run::<u32, 4, 2>(puzzle, budget, visitor),
        3 => run::<u32, 9, 3>(puzzle, budget, visitor),
        4 => run::<u64, 16, 4>(puzzle, budget, visitor),
        5 => run::<u128, 25, 5>(puzzle, budget, visitor),
        order => panic!("order {order} is not solved"),
    }
}

/// The first solutions of a puzzle, so many at most, and how far the search went.
///
/// # Panics
/// As [`visit`].
#[must_use]
pub fn solutions(puzzle: &Puzzle, most: usize, budget: Budget<'_>) -> (Vec<Vec<u32>>, End) {
    let mut found = Vec::new();
    let end = visit(puzzle, budget, &mut |cells| {
        found.push(cells.to_vec());
        found.len() < most
    });
    (found, end)
}

fn run<W: PrimInt, const N: usize, const B: usize>(
    puzzle: &Puzzle,
    budget: Budget<'_>,
    visitor: &mut dyn FnMut(&[u32]) -> bool,
) -> End {
    let mut grid = Grid::<W, N, B>::new(puzzle.diagonals);
    for clue in puzzle.clues() {
        let place =
            Place { band: clue.row / B, number: clue.number as usize, at: clue.row % B * N + clue.column };
        if !grid.is_open(place) {
            return End::Complete;
        }
        grid.put(place);
    }
    let mut left = budget.nodes;
    let mut cells = vec![0; N * N];
    // Grids with the places that are still to be tried in them; a search may be hundreds of them deep.
    let mut open: Vec<(Grid<W, N, B>, [Place; N], usize)> = Vec::new();
    loop {
        if left == 0 || (left.is_multiple_of(1024) && (budget.stop)()) {
            return End::Limit;
        }
        left -= 1;
        if grid.settle() {
            if let Some((places, count)) = grid.branch() {
                open.push((grid, places, count));
            } else {
                grid.write(&mut cells);
                if !visitor(&cells) {
                    return End::Stopped;
                }
            }
        }
        let Some((parent, places, count)) = open.last_mut() else { return End::Complete };
        *count -= 1;
        let (place, is_last) = (places[*count], *count == 0);
        grid = parent.clone();
        grid.put(place);
        if is_last {
            open.pop();
        }
    }
}

/// A number in a cell: cell `at % N` of row `at / N` of a band of `B` rows.
#[derive(Clone, Copy, Default)]
struct Place {
    band: usize,
    number: usize,
    at: usize,
}

/// The places that are left, of a grid of side `N` with boxes of side `B`; a word holds the `B * N` cells of a band.
#[derive(Clone)]
struct Grid<W, const N: usize, const B: usize> {
    /// Whether the main diagonals have every number once.
    diagonals: bool,
    /// The cells open to each number, or filled with it.
    open: [[W; N]; B],
    /// The cells that are not filled.
    empty: [W; B],
    /// `open` when rows, columns and boxes were last looked at.
    seen: [[W; N]; B],
}

impl<W: PrimInt, const N: usize, const B: usize> Grid<W, N, B> {
    fn new(diagonals: bool) -> Self {
        let seen = [[W::zero(); N]; B];
        Self { diagonals, open: [[Self::band(); N]; B], empty: [Self::band(); B], seen }
    }

    fn bit(at: usize) -> W {
        W::one() << at
    }

    /// The lowest N bits, which are the first row.
    fn low() -> W {
        Self::bit(N) - W::one()
    }

    fn row(row: usize) -> W {
        Self::low() << (row * N)
    }

    fn column(column: usize) -> W {
        (0..B).fold(W::zero(), |cells, row| cells | Self::bit(row * N + column))
    }

    fn block(block: usize) -> W {
        (0..B).fold(W::zero(), |cells, column| cells | Self::column(block * B + column))
    }

    /// Returns the cells of a band on the main diagonal or on the other one.
    fn diagonal(is_main: bool, band: usize) -> W {
        let column = |row: usize| if is_main { row } else { N - 1 - row };
        (0..B).fold(W::zero(), |cells, row| cells | Self::bit(row * N + column(band * B + row)))
    }

    fn band() -> W {
        (0..B).fold(W::zero(), |cells, row| cells | Self::row(row))
    }

    fn is_open(&self, Place { band, number, at }: Place) -> bool {
        self.open[band][number] & Self::bit(at) != W::zero()
    }

    /// Fills a cell with a number that is open to it.
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

    /// Fills all that is forced; false if something has no place left.
    fn settle(&mut self) -> bool {
        loop {
            let Some(cells) = self.settle_cells() else { return false };
            if cells {
                continue;
            }
            let Some(units) = self.settle_units() else { return false };
            if !units {
                return true;
            }
        }
    }

    /// Fills cells that are open to one number; nothing if one is open to none.
    fn settle_cells(&mut self) -> Option<bool> {
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

    /// Fills cells that are the only ones for a number in a row, a column or a box; nothing if it has none there.
    fn settle_units(&mut self) -> Option<bool> {
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
            if !changed {
                continue;
            }
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
            for column in bits(once & !twice & !filled) {
                let places = |band: usize| self.open[band][number] & Self::column(column);
                let band = (0..B).find(|&band| places(band) != W::zero())?;
                let at = places(band).trailing_zeros() as usize;
                self.put(Place { band, number, at });
                forced = true;
            }
        }
        Some(self.settle_diagonals()? || forced)
    }

    /// Fills cells that are the only ones for a number on a diagonal; nothing if it has none there.
    fn settle_diagonals(&mut self) -> Option<bool> {
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

    /// Places of which every solution has exactly one, as few as there are, and how many; nothing when the grid is full.
    fn branch(&self) -> Option<([Place; N], usize)> {
        if self.empty.iter().all(W::is_zero) {
            return None;
        }
        let mut choices = [Place::default(); N];
        for (band, open) in self.open.iter().enumerate() {
            let (mut once, mut twice, mut thrice) = (W::zero(), W::zero(), W::zero());
            for &open in open {
                thrice = thrice | twice & open;
                twice = twice | once & open;
                once = once | open;
            }
            if let Some(at) = bits(twice & !thrice & self.empty[band]).next() {
                let count = fill(&mut choices, self.of_cell(band, at));
                return Some((choices, count));
            }
        }
        let mut fewest = usize::MAX;
        let mut least = Demand::Cell(0, 0);
        let mut offer = |count: usize, demand| {
            if (2..fewest).contains(&count) {
                (fewest, least) = (count, demand);
            }
        };
        for band in 0..B {
            for number in 0..N {
                for index in 0..B {
                    for unit in [Self::row(index), Self::block(index)] {
                        let places = self.open[band][number] & unit;
                        offer(places.count_ones() as usize, Demand::InBand(band, number, places));
                    }
                }
            }
        }
        for number in 0..N {
            for column in 0..N {
                let places = |band: usize| (self.open[band][number] & Self::column(column)).count_ones();
                offer((0..B).map(places).sum::<u32>() as usize, Demand::InColumn(number, column));
            }
        }
        for band in 0..B {
            for at in bits(self.empty[band]) {
                offer(self.of_cell(band, at).count(), Demand::Cell(band, at));
            }
        }
        let count = match least {
            Demand::Cell(band, at) => fill(&mut choices, self.of_cell(band, at)),
            Demand::InBand(band, number, places) => {
                fill(&mut choices, bits(places).map(|at| Place { band, number, at }))
            }
            Demand::InColumn(number, column) => {
                let of_band = |band: usize| {
                    let places = bits(self.open[band][number] & Self::column(column));
                    places.map(move |at| Place { band, number, at })
                };
                fill(&mut choices, (0..B).flat_map(of_band))
            }
        };
        Some((choices, count))
    }

    /// The numbers to which a cell is open.
    fn of_cell(&self, band: usize, at: usize) -> impl Iterator<Item = Place> + '_ {
        (0..N).map(move |number| Place { band, number, at }).filter(|&place| self.is_open(place))
    }

    /// The number of every cell of a full grid, row by row.
    fn write(&self, cells: &mut [u32]) {
        for (band, of_band) in self.open.iter().enumerate() {
            for (number, &places) in of_band.iter().enumerate() {
                for at in bits(places) {
                    cells[band * B * N + at] = number as u32;
                }
            }
        }
    }
}

/// What every solution meets once.
enum Demand<W> {
    /// A cell of a band.
    Cell(usize, usize),
    /// A number in a row or a box, whose places in its band are these.
    InBand(usize, usize, W),
    /// A number in a column.
    InColumn(usize, usize),
}

/// Puts them at the beginning, and counts them.
fn fill<const N: usize>(choices: &mut [Place; N], places: impl Iterator<Item = Place>) -> usize {
    choices.iter_mut().zip(places).map(|(choice, place)| *choice = place).count()
}

fn is_one<W: PrimInt>(word: W) -> bool {
    word & (word - W::one()) == W::zero()
}

/// Which bits a word has.
fn bits<W: PrimInt>(mut word: W) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != W::zero()).then(|| word.trailing_zeros() as usize)?;
        word = word & (word - W::one());
        Some(bit)
    })
}
