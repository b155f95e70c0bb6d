//! Plain components for the engine: a local search and a solver of linear programs. They are slower than
//! those of the solver crate, and the engine trusts neither.

use ndqueens_exact::PrimalHeuristics;
use ndqueens_exact::lp::{LinearProgram, LpSolver, Optimum};
use ndqueens_model::board::{Board, Square};
use ndqueens_system::cancel::Control;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Local search that places a queen on a random square and removes the queens that attack
/// it, if there are few.
#[derive(Debug)]
pub(crate) struct RandomSwaps;

impl PrimalHeuristics for RandomSwaps {
    fn construct(&self, _: &Board, _: u64) -> Option<Vec<Square>> {
        None
    }

    fn search(&self, board: &Board, seed: u64, work: u64, target: usize) -> Option<Vec<Square>> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let squares = Square::try_from(board.size()).ok().filter(|&squares| squares > 0)?;
        let (mut set, mut best) = (Vec::<Square>::new(), Vec::new());
        for _ in 0..work.min(200_000) {
            let square = random.random_range(0..squares);
            let attackers =
                set.iter().filter(|&&queen| queen == square || board.attacks(queen, square)).count();
            let allowed = if random.random_range(0..200) == 0 { 2 } else { 1 };
            if attackers > allowed || set.contains(&square) {
                continue;
            }
            set.retain(|&queen| !board.attacks(queen, square));
            set.push(square);
            if set.len() > best.len() {
                best.clone_from(&set);
            }
            if best.len() >= target {
                break;
            }
        }
        Some(best)
    }
}

/// Simplex method on a dense floating-point tableau without warm starts.
#[derive(Debug)]
pub(crate) struct DenseSimplex;

impl DenseSimplex {
    /// Maximum number of variables. Larger programs take too long on a dense tableau.
    const MAX_VARIABLES: usize = 30;
}

impl LpSolver for DenseSimplex {
    fn create_program(&self, variables: usize) -> Option<Box<dyn LinearProgram>> {
        if variables > Self::MAX_VARIABLES {
            return None;
        }
        Some(Box::new(DenseProgram { upper: vec![1.0; variables], rows: Vec::new() }))
    }
}

/// Solver of linear programs that fails on every program.
#[derive(Debug)]
pub(crate) struct FailingSolver;

impl LpSolver for FailingSolver {
    fn create_program(&self, _: usize) -> Option<Box<dyn LinearProgram>> {
        None
    }
}

/// Solver of linear programs that fails and stops the search, as if the user had stopped it at that moment.
#[derive(Debug)]
pub(crate) struct StoppingSolver<'c>(pub(crate) &'c Control);

impl LpSolver for StoppingSolver<'_> {
    fn create_program(&self, _: usize) -> Option<Box<dyn LinearProgram>> {
        self.0.stop();
        None
    }
}

struct DenseProgram {
    /// Upper bound of each variable.
    upper: Vec<f64>,
    /// Variables and right-hand side of each constraint.
    rows: Vec<(Vec<usize>, f64)>,
}

impl LinearProgram for DenseProgram {
    fn add_row(&mut self, variables: &[usize], rhs: f64) -> Option<()> {
        self.rows.push((variables.to_vec(), rhs));
        Some(())
    }

    fn fix_to_zero(&mut self, variable: usize) {
        self.upper[variable] = 0.0;
    }

    fn solve(&mut self) -> Option<Optimum> {
        let columns = self.upper.len();
        let bounds = (0..columns).map(|variable| (vec![variable], self.upper[variable]));
        let mut tableau = Tableau::new(columns);
        for (variables, rhs) in self.rows.iter().cloned().chain(bounds) {
            tableau.add_row(&variables, rhs);
        }
        tableau.maximise()?;
        let (primal, dual) = tableau.values();
        let value = primal.iter().sum();
        Some(Optimum { value, primal, dual: dual[..self.rows.len()].to_vec() })
    }
}

/// Tableau of a program that maximises the sum of its variables: a row for each constraint, then the
/// objective. Labels below the number of columns are variables, the others are slacks.
struct Tableau {
    columns: usize,
    /// Coefficients of the nonbasic labels, and the right-hand side.
    rows: Vec<Vec<f64>>,
    objective: Vec<f64>,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
}

impl Tableau {
    const TOLERANCE: f64 = 1e-9;

    fn new(columns: usize) -> Self {
        let mut objective = vec![-1.0; columns];
        objective.push(0.0);
        Self { columns, rows: Vec::new(), objective, basic: Vec::new(), nonbasic: (0..columns).collect() }
    }

    fn add_row(&mut self, variables: &[usize], rhs: f64) {
        let mut row = vec![0.0; self.columns + 1];
        variables.iter().for_each(|&variable| row[variable] += 1.0);
        row[self.columns] = rhs;
        self.basic.push(self.columns + self.rows.len());
        self.rows.push(row);
    }

    /// Makes pivots by Bland's rule until the tableau is optimal. Returns `None` if the origin is infeasible
    /// or the program is unbounded.
    fn maximise(&mut self) -> Option<()> {
        let last = self.columns;
        if self.rows.iter().any(|row| row[last] < 0.0) {
            return None;
        }
        loop {
            let improving = (0..self.columns).filter(|&column| self.objective[column] < -Self::TOLERANCE);
            let Some(entering) = improving.min_by_key(|&column| self.nonbasic[column]) else {
                return Some(());
            };
            let blocking = (0..self.rows.len()).filter(|&row| self.rows[row][entering] > Self::TOLERANCE);
            let ratio = |row: usize| self.rows[row][last] / self.rows[row][entering];
            let leaving = blocking
                .min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(self.basic[a].cmp(&self.basic[b])))?;
            self.pivot(leaving, entering);
        }
    }

    fn pivot(&mut self, leaving: usize, entering: usize) {
        let mut pivot_row = std::mem::take(&mut self.rows[leaving]);
        let pivot = pivot_row[entering];
        pivot_row[entering] = 1.0;
        pivot_row.iter_mut().for_each(|value| *value /= pivot);
        for row in self.rows.iter_mut().chain([&mut self.objective]).filter(|row| !row.is_empty()) {
            let factor = std::mem::replace(&mut row[entering], 0.0);
            if factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(value, own)| *value -= factor * own);
            }
        }
        self.rows[leaving] = pivot_row;
        std::mem::swap(&mut self.basic[leaving], &mut self.nonbasic[entering]);
    }

    /// Returns the values of the variables and the dual values of the constraints.
    fn values(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut primal, mut dual) = (vec![0.0; self.columns], vec![0.0; self.rows.len()]);
        for (row, &label) in self.rows.iter().zip(&self.basic).filter(|(_, label)| **label < self.columns) {
            primal[label] = row[self.columns];
        }
        for (&value, &label) in
            self.objective.iter().zip(&self.nonbasic).filter(|(_, label)| **label >= self.columns)
        {
            dual[label - self.columns] = value;
        }
        (primal, dual)
    }
}

#[test]
fn linear_programs_of_cycles_are_solved() {
    for length in [3, 5, 6, 9] {
        let mut cycle = DenseSimplex.create_program(length).expect("a program");
        for variable in 0..length {
            cycle.add_row(&[variable, (variable + 1) % length], 1.0).expect("a row");
        }
        let Optimum { value, primal, dual } = cycle.solve().expect("an optimum");
        let half = length as f64 / 2.0;
        assert!(
            (value - half).abs() < 1e-6 && (dual.iter().sum::<f64>() - half).abs() < 1e-6,
            "{value} {dual:?}"
        );
        assert!(primal.iter().all(|&x| (-1e-9..=1.0 + 1e-9).contains(&x)), "{primal:?}");
        cycle.fix_to_zero(0);
        let path = cycle.solve().expect("an optimum").value;
        assert!((path - (length / 2) as f64).abs() < 1e-6, "{path}");
    }
}
