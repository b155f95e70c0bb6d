//! All solutions of a puzzle.
//!
//! A Sudoku is an exact cover: each cell, and each number in each row, each column and each box, is to be met by exactly one
//! triple (row, column, number). For each of these `4 n^2` demands a word holds the triples that still meet it; a demand that
//! one triple meets forces it, one that none meets refutes the branch, and the search branches on one that fewest meet.
//!
//! # References
//! D. E. Knuth, *Dancing links*, 2000.

use crate::puzzle::{Clue, Puzzle};

/// How far a search went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All solutions were visited.
    Complete,
    /// The visitor wanted no more.
    Stopped,
    /// The limit on nodes was reached.
    Limit,
}

/// Visits the solutions of a puzzle, cells row by row, until the visitor answers false or so many nodes were visited.
pub fn visit(puzzle: &Puzzle, nodes: u64, visitor: &mut dyn FnMut(&[u32]) -> bool) -> End {
    let mut search = Search { nodes, visitor };
    match Grid::new(puzzle.order, puzzle.clues()) {
        Some(grid) => search.descend(&grid).err().unwrap_or(End::Complete),
        None => End::Complete,
    }
}

/// The first solutions of a puzzle, so many at most, and how far the search went.
#[must_use]
pub fn solutions(puzzle: &Puzzle, most: usize, nodes: u64) -> (Vec<Vec<u32>>, End) {
    let mut found = Vec::new();
    let end = visit(puzzle, nodes, &mut |cells| {
        found.push(cells.to_vec());
        found.len() < most
    });
    (found, end)
}

struct Search<'v> {
    nodes: u64,
    visitor: &'v mut dyn FnMut(&[u32]) -> bool,
}

impl Search<'_> {
    fn descend(&mut self, grid: &Grid) -> Result<(), End> {
        if self.nodes == 0 {
            return Err(End::Limit);
        }
        self.nodes -= 1;
        let Some(demand) = grid.branch() else {
            let cells: Vec<u32> = grid.cells().collect();
            return if (self.visitor)(&cells) { Ok(()) } else { Err(End::Stopped) };
        };
        let mut left = grid.open[demand];
        while left != 0 {
            let triple = grid.triple(demand, left.trailing_zeros() as usize);
            left &= left - 1;
            let mut child = grid.clone();
            if child.place(triple) {
                self.descend(&child)?;
            }
        }
        Ok(())
    }
}

/// Row, column and number.
type Triple = [usize; 3];

/// Which triples still meet each demand: cells, then rows, columns and boxes with each number.
#[derive(Clone)]
struct Grid {
    order: usize,
    open: Vec<u32>,
}

impl Grid {
    /// The grid after these clues and all that follows from single demands; nothing if a demand cannot be met.
    fn new(order: usize, clues: impl Iterator<Item = Clue>) -> Option<Self> {
        let n = order * order;
        let all = ((1u64 << n) - 1) as u32;
        let mut grid = Self { order, open: vec![all; 4 * n * n] };
        for clue in clues {
            if !grid.place([clue.row, clue.column, clue.number as usize]) {
                return None;
            }
        }
        Some(grid)
    }

    /// The four demands that a triple meets, and its bit in the word of each.
    fn demands(&self, [row, column, number]: Triple) -> [(usize, usize); 4] {
        let b = self.order;
        let n = b * b;
        let of_box = row / b * b + column / b;
        let in_box = row % b * b + column % b;
        [
            (row * n + column, number),
            (n * n + row * n + number, column),
            (2 * n * n + column * n + number, row),
            (3 * n * n + of_box * n + number, in_box),
        ]
    }

    /// The triple of a bit.
    fn triple(&self, demand: usize, bit: usize) -> Triple {
        let b = self.order;
        let n = b * b;
        let (kind, first, second) = (demand / (n * n), demand / n % n, demand % n);
        match kind {
            0 => [first, second, bit],
            1 => [first, bit, second],
            2 => [bit, first, second],
            _ => [first / b * b + bit / b, first % b * b + bit % b, second],
        }
    }

    /// Takes a triple, and all that are forced by it in turn; false if a demand cannot be met any more.
    fn place(&mut self, triple: Triple) -> bool {
        let [(cell, bit), ..] = self.demands(triple);
        if self.open[cell] >> bit & 1 == 0 {
            return false;
        }
        let mut forced = vec![triple];
        while let Some(triple) = forced.pop() {
            for (demand, bit) in self.demands(triple) {
                let mut others = self.open[demand] & !(1 << bit);
                if self.open[demand] >> bit & 1 == 0 {
                    return false;
                }
                while others != 0 {
                    let other = self.triple(demand, others.trailing_zeros() as usize);
                    others &= others - 1;
                    if !self.remove(other, &mut forced) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Rules a triple out.
    fn remove(&mut self, triple: Triple, forced: &mut Vec<Triple>) -> bool {
        for (demand, bit) in self.demands(triple) {
            let before = self.open[demand];
            let after = before & !(1 << bit);
            if after == before {
                continue;
            }
            self.open[demand] = after;
            if after == 0 {
                return false;
            }
            if after.is_power_of_two() {
                forced.push(self.triple(demand, after.trailing_zeros() as usize));
            }
        }
        true
    }

    /// A demand that fewest triples meet of those that several do; nothing when the grid is full.
    fn branch(&self) -> Option<usize> {
        let mut best = None;
        let mut least = u32::MAX;
        for (demand, open) in self.open.iter().enumerate() {
            let count = open.count_ones();
            if count > 1 && count < least {
                best = Some(demand);
                least = count;
                if least == 2 {
                    break;
                }
            }
        }
        best
    }

    fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        let n = self.order * self.order;
        self.open[..n * n].iter().map(|open| open.trailing_zeros())
    }
}
