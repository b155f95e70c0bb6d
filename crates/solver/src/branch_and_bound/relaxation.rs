//! The LP relaxation of a node: rows of the formulation and separated cliques, solved by HiGHS.
//!
//! The program that HiGHS holds has only the rows that have been binding lately. The others wait in a pool; a solution
//! that violates some of them is cut off by these, so that a bound is that of all rows together.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use fixedbitset::FixedBitSet;
use ndqueens_control::Control;
use ndqueens_model::board::Square;

use crate::backends::BackendError;
use crate::backends::highs::incremental::{Basis, Domain, IncrementalLp, LpRow, Optimum};

/// Squares with weights; those of the queens of an independent set add up to at most `rhs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// Numbers of the squares, in increasing order.
    pub squares: Vec<Square>,
    /// Weights of the squares, all positive; all 1 if absent.
    pub weights: Option<Vec<u32>>,
    /// Right-hand side.
    pub rhs: u32,
    /// The row as a term of a line `sum` in a proof, without its multiplier, for rows that are not cliques.
    pub term: Option<String>,
}

impl Row {
    /// Creates the row of a clique.
    #[must_use]
    pub(super) fn clique(mut squares: Vec<Square>) -> Self {
        squares.sort_unstable();
        Self { squares, weights: None, rhs: 1, term: None }
    }

    /// Returns the squares with their weights.
    pub(super) fn terms(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let weight = |place: usize| self.weights.as_ref().map_or(1, |weights| weights[place]);
        self.squares.iter().enumerate().map(move |(place, &square)| (square as usize, weight(place)))
    }
}

/// A row of the pool.
#[derive(Debug)]
pub(super) struct HeldRow {
    pub(super) row: Row,
    /// The clique as a term of a line `sum`, once it has been needed.
    pub(super) term: OnceCell<String>,
    /// Number of the row in the program; `None` while it is not there.
    in_program: Option<u64>,
    /// Number of solves in succession in which the row was in the program, and not binding.
    slack_for: u32,
}

/// Number of solves after which a row that was not binding leaves the program.
const MOST_SLACK: u32 = 12;

/// Number of such rows for which the program is changed.
const LEAST_DELETED: usize = 10;

/// Violation of a row of the pool for which it enters the program.
const VIOLATION: f64 = 1e-6;

/// Rows of the pool that enter the program at a time.
const ROWS_A_ROUND: usize = 100;

/// Linear program with its pool of rows.
#[derive(Debug)]
pub(super) struct Relaxation<'a> {
    lp: IncrementalLp<'a>,
    /// All rows; a row's place is its number.
    pool: Vec<HeldRow>,
    /// Numbers of the pool's rows by their numbers in the program.
    by_program: HashMap<u64, usize>,
    /// Numbers of the rows that contain each square.
    rows_of: Vec<Vec<usize>>,
    /// Squares of the rows without weights.
    known: HashSet<Vec<Square>>,
    /// Number of stored bases in which a row of the program is not basic.
    needed: HashMap<u64, u32>,
    pub(super) iterations: u64,
    pub(super) cuts: u64,
}

impl<'a> Relaxation<'a> {
    pub(super) fn new(
        size: usize,
        mut rows: Vec<Row>,
        seed: u32,
        control: &'a Control,
    ) -> Result<Self, BackendError> {
        // Of rows with the same left side the one with the least right-hand side counts.
        rows.sort_by(|a, b| (&a.squares, &a.weights, a.rhs).cmp(&(&b.squares, &b.weights, b.rhs)));
        rows.dedup_by(|later, first| later.squares == first.squares && later.weights == first.weights);
        let mut relaxation = Self {
            lp: IncrementalLp::new(size, seed, control)?,
            pool: Vec::new(),
            by_program: HashMap::new(),
            rows_of: vec![Vec::new(); size],
            known: HashSet::new(),
            needed: HashMap::new(),
            iterations: 0,
            cuts: 0,
        };
        for row in rows {
            relaxation.hold(row);
        }
        // Each square is counted by some row, so that multipliers can be repaired.
        for square in 0..size {
            if relaxation.rows_of[square].is_empty() {
                relaxation.hold(Row::clique(vec![square as Square]));
            }
        }
        let all: Vec<usize> = (0..relaxation.pool.len()).collect();
        relaxation.enter(&all)?;
        Ok(relaxation)
    }

    /// Adds a row to the pool.
    fn hold(&mut self, row: Row) {
        for &square in &row.squares {
            self.rows_of[square as usize].push(self.pool.len());
        }
        if row.weights.is_none() {
            self.known.insert(row.squares.clone());
        }
        self.pool.push(HeldRow { row, term: OnceCell::new(), in_program: None, slack_for: 0 });
    }

    /// Adds rows of the pool to the program.
    fn enter(&mut self, rows: &[usize]) -> Result<(), BackendError> {
        let passed: Vec<LpRow<'_>> = rows
            .iter()
            .map(|&row| &self.pool[row].row)
            .map(|row| LpRow { columns: &row.squares, coefficients: row.weights.as_deref(), most: row.rhs })
            .collect();
        for (number, &row) in self.lp.add_rows(&passed)?.zip(rows) {
            let held = &mut self.pool[row];
            (held.in_program, held.slack_for) = (Some(number), 0);
            self.by_program.insert(number, row);
        }
        Ok(())
    }

    /// Adds cliques; returns how many were new.
    pub(super) fn add_cuts(&mut self, cliques: Vec<Vec<Square>>) -> Result<usize, BackendError> {
        let first = self.pool.len();
        for clique in cliques {
            if !self.known.contains(&clique) {
                self.hold(Row::clique(clique));
            }
        }
        let new: Vec<usize> = (first..self.pool.len()).collect();
        self.enter(&new)?;
        self.cuts += new.len() as u64;
        Ok(new.len())
    }

    /// Takes rows out of the program that have long not been binding, unless a stored basis needs them.
    fn purge(&mut self) -> Result<(), BackendError> {
        let is_needless = |number: &u64, row: &usize| {
            self.pool[*row].slack_for >= MOST_SLACK && !self.needed.contains_key(number)
        };
        let needless: HashSet<u64> = self
            .by_program
            .iter()
            .filter(|(number, row)| is_needless(number, row))
            .map(|(number, _)| *number)
            .collect();
        if needless.len() < LEAST_DELETED {
            return Ok(());
        }
        for number in &needless {
            let row = self.by_program.remove(number).expect("the row is in the program");
            self.pool[row].in_program = None;
        }
        self.lp.delete_rows(&|number| needless.contains(&number))
    }

    /// Solves the relaxation of the node with these placed and free squares; `None` if it was stopped.
    pub(super) fn solve(
        &mut self,
        placed: &FixedBitSet,
        free: &FixedBitSet,
    ) -> Result<Option<Optimum>, BackendError> {
        self.lp.set_domains(|square| match (placed.contains(square), free.contains(square)) {
            (true, _) => Domain::One,
            (false, true) => Domain::Free,
            (false, false) => Domain::Zero,
        })?;
        loop {
            let Some(optimum) = self.lp.solve()? else { return Ok(None) };
            self.iterations += optimum.iterations;
            for (number, dual) in self.lp.rows().iter().zip(&optimum.duals) {
                let slack_for = &mut self.pool[self.by_program[number]].slack_for;
                *slack_for = if *dual > 1e-9 { 0 } else { *slack_for + 1 };
            }
            let violated = self.violated(&optimum.point);
            if violated.is_empty() {
                return Ok(Some(optimum));
            }
            self.enter(&violated)?;
        }
    }

    /// Returns rows of the pool outside the program that a point violates, the most violated first.
    fn violated(&self, point: &[f64]) -> Vec<usize> {
        let mut violated: Vec<(f64, usize)> = Vec::new();
        for (number, held) in self.pool.iter().enumerate().filter(|(_, held)| held.in_program.is_none()) {
            let sum: f64 = held.row.terms().map(|(square, weight)| f64::from(weight) * point[square]).sum();
            let over = sum - f64::from(held.row.rhs);
            if over > VIOLATION {
                violated.push((over, number));
            }
        }
        violated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        violated.into_iter().take(ROWS_A_ROUND).map(|(_, number)| number).collect()
    }

    /// Returns the basis of the last solution, whose rows are not deleted until it is released.
    pub(super) fn store_basis(&mut self) -> Result<Basis, BackendError> {
        let basis = self.lp.basis()?;
        for row in basis.nonbasic_rows() {
            *self.needed.entry(row).or_insert(0) += 1;
        }
        Ok(basis)
    }

    /// Makes the next solve start from a stored basis, and releases it.
    pub(super) fn restore_basis(&mut self, basis: &Basis) -> Result<(), BackendError> {
        self.lp.set_basis(basis)?;
        // All rows that are not basic in this basis are still protected, so that it stays a basis.
        self.purge()?;
        for row in basis.nonbasic_rows() {
            if let Some(count) = self.needed.get_mut(&row) {
                *count -= 1;
                if *count == 0 {
                    self.needed.remove(&row);
                }
            }
        }
        Ok(())
    }

    /// Returns the rows with a positive dual value, with it, in the order of the program.
    pub(super) fn support(&self, duals: &[f64]) -> impl Iterator<Item = (usize, f64)> {
        let rows = self.lp.rows().iter().zip(duals).filter(|(_, dual)| **dual > 1e-9);
        rows.map(|(number, dual)| (self.by_program[number], *dual))
    }

    /// Returns a row of the pool.
    pub(super) fn row(&self, number: usize) -> &HeldRow {
        &self.pool[number]
    }

    /// Returns the numbers of the rows that contain a square.
    pub(super) fn rows_of(&self, square: usize) -> &[usize] {
        &self.rows_of[square]
    }
}
