//! The LP relaxation of a node: rows of the formulation and separated cliques, solved by HiGHS.
//!
//! The program that HiGHS holds has only the rows that have been binding lately. The others wait in a pool; a
//! solution that violates some of them is cut off by these, so that a bound is that of all rows together.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Square;
use ndqueens_system::cancel::Control;

use crate::backends::BackendError;
use crate::backends::highs::incremental::{BASIC, Basis, Domain, IncrementalLp, LpRow, Optimum};

/// Inequality: the weights of the squares of an independent set add up to at most `rhs`.
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

    /// Returns the weight of a square, 0 if the row does not contain it.
    pub(super) fn weight(&self, square: usize) -> u32 {
        let place = self.squares.binary_search(&(square as Square));
        place.map_or(0, |place| self.weights.as_ref().map_or(1, |weights| weights[place]))
    }

    /// Returns the squares with their weights.
    pub(super) fn terms(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let weight = |place: usize| self.weights.as_ref().map_or(1, |weights| weights[place]);
        self.squares.iter().enumerate().map(move |(place, &square)| (square as usize, weight(place)))
    }
}

/// Placed and free squares of a node. The other squares are excluded.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeSquares<'n> {
    pub(super) placed: &'n FixedBitSet,
    pub(super) free: &'n FixedBitSet,
}

impl NodeSquares<'_> {
    /// Returns the bounds of the variable of a square.
    pub(super) fn domain(self, square: usize) -> Domain {
        match (self.placed.contains(square), self.free.contains(square)) {
            (true, _) => Domain::One,
            (false, true) => Domain::Free,
            (false, false) => Domain::Zero,
        }
    }
}

/// Squares and rows that determine the dual solution of a basis.
#[derive(Debug)]
pub(super) struct TightBasis {
    /// Squares whose variables are basic.
    pub(super) basic_squares: Vec<usize>,
    /// Numbers of the rows that are not basic.
    pub(super) tight_rows: Vec<usize>,
}

/// Row of the pool.
#[derive(Debug)]
pub(super) struct PoolRow {
    pub(super) row: Row,
    /// The clique as a term of a line `sum`, once it has been needed.
    pub(super) term: OnceLock<String>,
}

/// All rows, and the numbers of those in the program.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    /// Rows by their numbers.
    rows: Vec<Arc<PoolRow>>,
    /// Numbers of the rows in the program, in increasing order.
    program: Vec<usize>,
}

impl Pool {
    /// Creates the pool of the rows of a formulation, all of which the program holds.
    pub(super) fn new(size: usize, mut rows: Vec<Row>) -> Self {
        // Among rows with the same left-hand side, the first has the least right-hand side.
        rows.sort_by(|a, b| (&a.squares, &a.weights, a.rhs).cmp(&(&b.squares, &b.weights, b.rhs)));
        rows.dedup_by(|later, first| later.squares == first.squares && later.weights == first.weights);
        // Each square is counted by some row, so that multipliers can be repaired.
        let mut counted = FixedBitSet::with_capacity(size);
        counted.extend(rows.iter().flat_map(|row| &row.squares).map(|&square| square as usize));
        rows.extend(counted.zeroes().map(|square| Row::clique(vec![square as Square])));
        let program = (0..rows.len()).collect();
        Self { rows: rows.into_iter().map(PoolRow::new).collect(), program }
    }

    /// Returns a copy of the pool with further cliques and with another program.
    pub(super) fn with_cliques(&self, cliques: &[Vec<Square>], program: Vec<usize>) -> Self {
        let cliques = cliques.iter().cloned().map(|clique| PoolRow::new(Row::clique(clique)));
        Self { rows: self.rows.iter().cloned().chain(cliques).collect(), program }
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

impl PoolRow {
    fn new(row: Row) -> Arc<Self> {
        Arc::new(Self { row, term: OnceLock::new() })
    }
}

/// Row of the pool during a search.
#[derive(Debug)]
struct HeldRow {
    row: Arc<PoolRow>,
    /// Number of the row in the program; `None` while it is not there.
    in_program: Option<u64>,
    /// Number of solves in succession in which the row was in the program, and not binding.
    slack_for: u32,
}

/// Number of solves after which a row that was not binding leaves the program.
const MOST_SLACK: u32 = 12;

/// Least number of such rows that are deleted together.
const LEAST_DELETED: usize = 10;

/// Violation above which a row of the pool enters the program.
const VIOLATION: f64 = 1e-6;

/// Largest number of rows of the pool that enter the program at a time.
const ROWS_A_ROUND: usize = 100;

/// Linear program with its pool of rows.
#[derive(Debug)]
pub(super) struct Relaxation<'a> {
    lp: IncrementalLp<'a>,
    /// All rows by their numbers.
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
    /// Creates the program of a pool. With a basis, whose rows are numbers of the pool, the first
    /// solve starts from it.
    pub(super) fn new(
        size: usize,
        pool: &Pool,
        basis: Option<&Basis>,
        seed: u32,
        control: &'a Control,
    ) -> Result<Self, BackendError> {
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
        for row in &pool.rows {
            relaxation.add_to_pool(Arc::clone(row));
        }
        let nonbasic = basis.map_or(&[][..], |basis| &basis.nonbasic_rows);
        let mut program = pool.program.clone();
        program.extend(nonbasic.iter().map(|(row, _)| *row as usize));
        program.sort_unstable();
        program.dedup();
        relaxation.add_to_program(&program)?;
        if let Some(basis) = basis {
            let number = |row: u64| relaxation.pool[row as usize].in_program.expect("the row has entered");
            let nonbasic_rows = nonbasic.iter().map(|&(row, status)| (number(row), status)).collect();
            relaxation.lp.set_basis(&Basis { columns: basis.columns.clone(), nonbasic_rows })?;
        }
        Ok(relaxation)
    }

    /// Returns the cliques that were added to a pool of `first` rows.
    pub(super) fn added_cliques(&self, first: usize) -> Vec<Vec<Square>> {
        self.pool[first..].iter().map(|held| held.row.row.squares.clone()).collect()
    }

    /// Returns the numbers of the rows in the program, in increasing order.
    pub(super) fn program(&self) -> Vec<usize> {
        let mut program: Vec<usize> = self.by_program.values().copied().collect();
        program.sort_unstable();
        program
    }

    /// Returns the basis from which the next solve starts; its rows are numbers of the pool.
    pub(super) fn pool_basis(&self) -> Result<Basis, BackendError> {
        let basis = self.lp.basis()?;
        let row = |number: &u64| self.by_program[number] as u64;
        let mut nonbasic_rows: Vec<_> =
            basis.nonbasic_rows.iter().map(|(number, status)| (row(number), *status)).collect();
        nonbasic_rows.sort_unstable();
        Ok(Basis { columns: basis.columns, nonbasic_rows })
    }

    /// Returns the equations of the dual solution in the basis of the last solution.
    pub(super) fn tight_basis(&self) -> Result<TightBasis, BackendError> {
        let basis = self.lp.basis()?;
        let columns = basis.columns.iter().enumerate().filter(|(_, status)| **status == BASIC);
        let basic_squares = columns.map(|(square, _)| square).collect();
        let tight_rows = basis.nonbasic_rows.iter().map(|(number, _)| self.by_program[number]).collect();
        Ok(TightBasis { basic_squares, tight_rows })
    }

    /// Adds a row to the pool.
    fn add_to_pool(&mut self, row: Arc<PoolRow>) {
        for &square in &row.row.squares {
            self.rows_of[square as usize].push(self.pool.len());
        }
        if row.row.weights.is_none() {
            self.known.insert(row.row.squares.clone());
        }
        self.pool.push(HeldRow { row, in_program: None, slack_for: 0 });
    }

    /// Adds rows of the pool to the program.
    fn add_to_program(&mut self, rows: &[usize]) -> Result<(), BackendError> {
        let passed: Vec<LpRow<'_>> = rows
            .iter()
            .map(|&row| &self.pool[row].row.row)
            .map(|row| LpRow { columns: &row.squares, coefficients: row.weights.as_deref(), rhs: row.rhs })
            .collect();
        for (number, &row) in self.lp.add_rows(&passed)?.zip(rows) {
            let held = &mut self.pool[row];
            (held.in_program, held.slack_for) = (Some(number), 0);
            self.by_program.insert(number, row);
        }
        Ok(())
    }

    /// Adds cliques, and returns the number of new ones.
    pub(super) fn add_cuts(&mut self, cliques: Vec<Vec<Square>>) -> Result<usize, BackendError> {
        let first = self.pool.len();
        for clique in cliques {
            if !self.known.contains(&clique) {
                self.add_to_pool(PoolRow::new(Row::clique(clique)));
            }
        }
        let new: Vec<usize> = (first..self.pool.len()).collect();
        self.add_to_program(&new)?;
        self.cuts += new.len() as u64;
        Ok(new.len())
    }

    /// Deletes rows from the program that have not been binding for long, unless a stored basis needs them.
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

    /// Solves the relaxation of a node. Returns `None` if it was stopped.
    pub(super) fn solve(&mut self, node: NodeSquares<'_>) -> Result<Option<Optimum>, BackendError> {
        self.lp.set_domains(|square| node.domain(square))?;
        loop {
            let Some(optimum) = self.lp.solve()? else { return Ok(None) };
            self.iterations += optimum.iterations;
            for (number, dual) in self.lp.rows().iter().zip(&optimum.duals) {
                let slack_for = &mut self.pool[self.by_program[number]].slack_for;
                *slack_for = if *dual > 1e-9 { 0 } else { *slack_for + 1 };
            }
            let violated = self.find_violated(&optimum.point);
            if violated.is_empty() {
                return Ok(Some(optimum));
            }
            self.add_to_program(&violated)?;
        }
    }

    /// Returns rows of the pool outside the program that a point violates, the most violated first.
    fn find_violated(&self, point: &[f64]) -> Vec<usize> {
        let mut violated: Vec<(f64, usize)> = Vec::new();
        for (number, held) in self.pool.iter().enumerate().filter(|(_, held)| held.in_program.is_none()) {
            let row = &held.row.row;
            let sum: f64 = row.terms().map(|(square, weight)| f64::from(weight) * point[square]).sum();
            let over = sum - f64::from(row.rhs);
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
        for (row, _) in &basis.nonbasic_rows {
            *self.needed.entry(*row).or_insert(0) += 1;
        }
        Ok(basis)
    }

    /// Makes the next solve start from a stored basis, and releases it.
    pub(super) fn restore_basis(&mut self, basis: &Basis) -> Result<(), BackendError> {
        self.lp.set_basis(basis)?;
        // All rows that are not basic in this basis are still protected, so that it stays a basis.
        self.purge()?;
        for (row, _) in &basis.nonbasic_rows {
            if let Some(count) = self.needed.get_mut(row) {
                *count -= 1;
                if *count == 0 {
                    self.needed.remove(row);
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
    pub(super) fn row(&self, number: usize) -> &Row {
        &self.pool[number].row.row
    }

    /// Returns a row as a term of a line `sum`, without its multiplier; `name` names a clique.
    pub(super) fn term(&self, number: usize, name: impl FnOnce(&[Square]) -> String) -> &str {
        let PoolRow { row, term } = &*self.pool[number].row;
        row.term.as_deref().unwrap_or_else(|| term.get_or_init(|| name(&row.squares)))
    }

    /// Returns the numbers of the rows that contain a square.
    pub(super) fn rows_of(&self, square: usize) -> &[usize] {
        &self.rows_of[square]
    }
}
