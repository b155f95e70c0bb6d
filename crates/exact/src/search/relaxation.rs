//! Fractional clique covers from the LP relaxation of a node, whose constraints are cliques and the bounds of
//! all boxes inside the board.
//!
//! Constraints are separated: each round adds the boxes and cliques that the last optimum violates most. The
//! dual solution is rounded to integer multipliers, and the bound is verified in integer arithmetic;
//! floating-point values serve only as hints.
//!
//! # References
//! The rounding is the safe bound of A. Neumaier, O. Shcherbina, *Safe bounds in linear and mixed-integer
//! linear programming*, Math. Program. 99 (2004).

use std::collections::{HashMap, HashSet};

use fixedbitset::FixedBitSet;
use ndqueens_system::cancel::Control;

use crate::settings::lp::{LinearProgram, LpSolver, Optimum};

/// Upper bounds of all boxes inside a box.
///
/// The number of a box is given by its intervals along the axes, the last axis varying fastest. Intervals
/// along an axis are ordered by first and then by last coordinate.
#[derive(Debug)]
pub(crate) struct BoxBounds {
    sides: Vec<usize>,
    /// Lexicographic number of the square at each place of the search.
    squares: Vec<u32>,
    /// Bound of each box, by number; infinite if no bound is known.
    bounds: Vec<f64>,
}

impl BoxBounds {
    /// Creates the table of a box with the given sides. `known` are bounds of boxes by their sorted sides;
    /// `squares[p]` is the lexicographic number of the square at place `p`.
    pub(crate) fn new(sides: &[u32], squares: &[u32], known: &[(Vec<u32>, u64)]) -> Self {
        let known: HashMap<&[u32], u64> =
            known.iter().map(|(sides, bound)| (sides.as_slice(), *bound)).collect();
        let mut boxes = Self {
            sides: sides.iter().map(|&n| n as usize).collect(),
            squares: squares.to_vec(),
            bounds: Vec::new(),
        };
        let bound_of = |number| {
            let mut sides: Vec<u32> =
                boxes.intervals(number).iter().map(|(from, to)| to - from + 1).collect();
            sides.sort_unstable();
            known.get(sides.as_slice()).map_or(f64::INFINITY, |&bound| bound as f64)
        };
        boxes.bounds = (0..boxes.count()).map(bound_of).collect();
        boxes
    }

    /// Returns the number of boxes.
    fn count(&self) -> usize {
        self.sides.iter().map(|n| n * (n + 1) / 2).product()
    }

    /// Returns the first and last coordinate of a box along each axis.
    pub(crate) fn intervals(&self, mut number: usize) -> Vec<(u32, u32)> {
        let mut intervals = Vec::new();
        for &n in self.sides.iter().rev() {
            let all = n * (n + 1) / 2;
            let mut place = number % all;
            number /= all;
            let mut from = 0;
            while place >= n - from {
                place -= n - from;
                from += 1;
            }
            intervals.push((from as u32, (from + place) as u32));
        }
        intervals.reverse();
        intervals
    }

    /// Returns the sum of the values of the places in each box; places without a value count 0.
    fn box_sums(&self, values: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut sums = vec![0.0; self.squares.len()];
        for (p, value) in values {
            sums[self.squares[p] as usize] = value;
        }
        let mut stride = sums.len();
        for &n in &self.sides {
            stride /= n;
            let mut next_sums = Vec::with_capacity(sums.len() / n * (n * (n + 1) / 2));
            for slab in sums.chunks(n * stride) {
                for from in 0..n {
                    let start = next_sums.len();
                    next_sums.extend_from_slice(&slab[from * stride..(from + 1) * stride]);
                    for (to, layer) in slab.chunks(stride).enumerate().skip(from + 1) {
                        let last = start + (to - from - 1) * stride;
                        for (k, value) in layer.iter().enumerate() {
                            next_sums.push(next_sums[last + k] + value);
                        }
                    }
                }
            }
            sums = next_sums;
        }
        sums
    }

    /// Returns a predicate that tests whether a place lies in the box of the given number.
    fn membership(&self, number: usize) -> impl Fn(usize) -> bool + '_ {
        let intervals = self.intervals(number);
        move |p| {
            let mut square = self.squares[p] as usize;
            self.sides.iter().zip(&intervals).rev().all(|(&n, &(from, to))| {
                let x = (square % n) as u32;
                square /= n;
                (from..=to).contains(&x)
            })
        }
    }
}

/// Constraint of the relaxation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum RelaxationRow {
    /// Clique constraint: at most one queen on these pairwise attacking squares.
    Clique(Vec<usize>),
    /// Box constraint: at most as many queens as the bound of the box with this number.
    Box(usize),
}

/// Linear combination of constraints that proves that a node is infeasible. Every free square is covered with
/// total weight `denominator` or more, and the right-hand sides, less the queens placed, sum to less than
/// `denominator` times the target.
#[derive(Debug, Clone)]
pub(crate) struct FractionalCover {
    pub(crate) denominator: i64,
    /// Multipliers with their constraints.
    pub(crate) rows: Vec<(i64, RelaxationRow)>,
}

/// Maximum number of boxes, and of cliques, added per separation round.
const MAX_ROWS_PER_ROUND: usize = 150;

/// Maximum number of separation rounds.
const MAX_ROUNDS: usize = 40;

/// Threshold above which violations, values and multipliers count as positive.
const EPSILON: f64 = 1e-4;

/// Margin by which an LP optimum must lie below an integer to be rounded down.
const TOLERANCE: f64 = 1e-7;

/// Denominators tried for the multipliers; small ones make shorter proofs.
const DENOMINATORS: [i64; 10] = [6, 12, 24, 60, 120, 420, 840, 5_040, 100_000, 10_000_000];

/// Data common to the relaxations of all nodes.
#[derive(Debug)]
pub(crate) struct RelaxationContext {
    /// Neighbours of each square.
    pub(crate) attacks: Vec<FixedBitSet>,
    /// Bounds of the boxes inside the board, if it is a box and they are known.
    pub(crate) boxes: Option<BoxBounds>,
}

/// LP relaxation of a node.
pub(crate) struct Relaxation<'a> {
    context: &'a RelaxationContext,
    /// Squares of the columns.
    squares: Vec<usize>,
    /// Squares of the columns that have not been removed.
    free: FixedBitSet,
    /// Column of each square, if it has one.
    columns: Vec<Option<usize>>,
    /// Number of queens that each box may still receive.
    slacks: Vec<f64>,
    /// Number of queens still to be placed.
    target: i32,
    /// Constraints with their right-hand sides.
    rows: Vec<(RelaxationRow, i64)>,
    /// Set of these constraints.
    known_rows: HashSet<RelaxationRow>,
    /// LP solver state; `None` after the solver has failed.
    program: Option<Box<dyn LinearProgram>>,
    /// Optimum of the last LP, by column.
    point: Vec<f64>,
    /// Dual values of the last LP, by constraint.
    duals: Vec<f64>,
}

impl<'a> Relaxation<'a> {
    /// Creates the relaxation of a node with queens on `placed`, the free squares `squares` and `target`
    /// queens still to be placed. It starts with the constraints `inherited` from the parent. Returns `None`
    /// if the solver rejects it.
    pub(crate) fn new(
        solver: &dyn LpSolver,
        context: &'a RelaxationContext,
        placed: &[usize],
        squares: Vec<usize>,
        target: i32,
        inherited: &[RelaxationRow],
    ) -> Option<Self> {
        let program = solver.create_program(squares.len())?;
        let mut columns = vec![None; context.attacks.len()];
        let mut free = FixedBitSet::with_capacity(context.attacks.len());
        for (number, &x) in squares.iter().enumerate() {
            columns[x] = Some(number);
            free.insert(x);
        }
        let slacks = context.boxes.as_ref().map_or_else(Vec::new, |boxes| {
            let placed = boxes.box_sums(placed.iter().map(|&x| (x, 1.0)));
            boxes.bounds.iter().zip(placed).map(|(bound, placed)| bound - placed).collect()
        });
        let mut relaxation = Self {
            context,
            squares,
            free,
            columns,
            slacks,
            target,
            rows: Vec::new(),
            known_rows: HashSet::new(),
            program: Some(program),
            point: Vec::new(),
            duals: Vec::new(),
        };
        // A clique partition of all squares bounds the first LP.
        let mut rest = relaxation.free.clone();
        while let Some(x) = rest.minimum() {
            let clique = relaxation.heavy_clique(x, &rest);
            clique.iter().for_each(|&x| rest.set(x, false));
            relaxation.add(RelaxationRow::Clique(clique))?;
        }
        for row in inherited {
            relaxation.add(row.clone())?;
        }
        Some(relaxation)
    }

    /// Grows a clique from `x` by repeatedly adding the square of `set` with the largest LP value.
    fn heavy_clique(&self, x: usize, set: &FixedBitSet) -> Vec<usize> {
        let heavier = |y: &usize, z: &usize| self.weight(*y).total_cmp(&self.weight(*z)).then(z.cmp(y));
        self.grow_clique(vec![x], set.clone(), |candidates| candidates.ones().max_by(heavier))
    }

    /// Extends a clique to a maximal one on the board by repeatedly adding the first square that attacks
    /// all of it; sorted.
    fn complete_clique(&self, clique: Vec<usize>) -> Vec<usize> {
        let candidates = self.context.attacks[clique[0]].clone();
        let mut completed = self.grow_clique(clique, candidates, FixedBitSet::minimum);
        completed.sort_unstable();
        completed
    }

    /// Extends a clique by the square that `next` selects among the remaining candidates,
    /// until none is selected.
    fn grow_clique(
        &self,
        mut clique: Vec<usize>,
        mut candidates: FixedBitSet,
        next: impl Fn(&FixedBitSet) -> Option<usize>,
    ) -> Vec<usize> {
        clique.iter().for_each(|&x| candidates.intersect_with(&self.context.attacks[x]));
        while let Some(x) = next(&candidates) {
            clique.push(x);
            candidates.intersect_with(&self.context.attacks[x]);
        }
        clique
    }

    /// Returns the constraints with a positive multiplier in the last optimum.
    pub(crate) fn binding_rows(&self) -> Vec<RelaxationRow> {
        let binding = self.rows.iter().zip(&self.duals).filter(|(_, dual)| **dual > EPSILON);
        binding.map(|((row, _), _)| row.clone()).collect()
    }

    /// Separates constraints until the LP bound drops below the target. Returns the rounded dual solution,
    /// or `None` if no constraint is violated any more, the round limit is reached, the search is stopped
    /// or the solver fails.
    pub(crate) fn tighten(&mut self, control: &Control) -> Option<FractionalCover> {
        for _ in 0..MAX_ROUNDS {
            if control.is_stopped() {
                break;
            }
            let value = self.solve()?;
            if value < f64::from(self.target) - TOLERANCE
                && let Some(cover) = self.round_duals()
            {
                return Some(cover);
            }
            if self.separate()? == 0 {
                break;
            }
        }
        None
    }

    /// Removes square `x`: sets its variable to 0.
    pub(crate) fn remove(&mut self, x: usize) {
        self.free.set(x, false);
        if let (Some(program), Some(column)) = (&mut self.program, self.columns[x]) {
            program.fix_to_zero(column);
        }
    }

    /// Returns the free square with the largest LP value, or `None` if no square is left or the
    /// solver has failed.
    pub(crate) fn heaviest_square(&self) -> Option<usize> {
        self.program.as_ref()?;
        self.free.ones().max_by(|&x, &y| self.weight(x).total_cmp(&self.weight(y)).then(y.cmp(&x)))
    }

    /// Returns the LP value of square `x`.
    fn weight(&self, x: usize) -> f64 {
        self.columns[x].and_then(|column| self.point.get(column).copied()).unwrap_or(0.0)
    }

    /// Adds a constraint, after extending a clique to a maximal one. Returns `Some(false)` if it was present
    /// before, and `None` if the solver fails.
    fn add(&mut self, row: RelaxationRow) -> Option<bool> {
        let row = match row {
            RelaxationRow::Clique(clique) => RelaxationRow::Clique(self.complete_clique(clique)),
            RelaxationRow::Box(_) => row,
        };
        if !self.known_rows.insert(row.clone()) {
            return Some(false);
        }
        let rhs = match row {
            RelaxationRow::Clique(_) => 1.0,
            RelaxationRow::Box(number) => self.slacks[number],
        };
        let squares = self.row_squares(&row)?;
        let columns: Vec<usize> = squares.iter().filter_map(|&x| self.columns[x]).collect();
        self.program.as_mut()?.add_row(&columns, rhs)?;
        self.rows.push((row, rhs as i64));
        Some(true)
    }

    /// Returns the squares of a constraint that have a column.
    fn row_squares(&self, row: &RelaxationRow) -> Option<Vec<usize>> {
        Some(match row {
            RelaxationRow::Clique(clique) => {
                clique.iter().copied().filter(|&x| self.columns[x].is_some()).collect()
            }
            RelaxationRow::Box(number) => {
                let contains = self.context.boxes.as_ref()?.membership(*number);
                self.squares.iter().copied().filter(|&x| contains(x)).collect()
            }
        })
    }

    /// Solves the LP and stores its optimum. Returns its value, or `None` if the solver fails.
    fn solve(&mut self) -> Option<f64> {
        let mut program = self.program.take()?;
        let Optimum { value, primal, dual } = program.solve()?;
        (self.point, self.duals, self.program) = (primal, dual, Some(program));
        Some(value)
    }

    /// Adds violated constraints. Returns how many were added, or `None` if the solver fails.
    fn separate(&mut self) -> Option<usize> {
        let mut violated_boxes: Vec<(f64, RelaxationRow)> = Vec::new();
        if let Some(boxes) = &self.context.boxes {
            let sums = boxes.box_sums(self.squares.iter().map(|&x| (x, self.weight(x))));
            let violations = sums.iter().zip(&self.slacks).map(|(sum, slack)| sum - slack).enumerate();
            violated_boxes.extend(
                violations
                    .filter(|(_, violations)| *violations > EPSILON)
                    .map(|(n, violations)| (violations, RelaxationRow::Box(n))),
            );
            violated_boxes.sort_by(|a, b| b.0.total_cmp(&a.0));
            violated_boxes.truncate(MAX_ROWS_PER_ROUND);
        }
        let mut cliques: Vec<(f64, RelaxationRow)> = Vec::new();
        let mut seen = HashSet::new();
        for x in self.free.ones().filter(|&x| self.weight(x) >= EPSILON) {
            let clique = self.heavy_clique(x, &self.free);
            let sum = clique.iter().map(|&y| self.weight(y)).sum::<f64>();
            if sum > 1.0 + EPSILON && seen.insert(clique.clone()) {
                cliques.push((sum - 1.0, RelaxationRow::Clique(clique)));
            }
        }
        cliques.sort_by(|a, b| b.0.total_cmp(&a.0));
        cliques.truncate(MAX_ROWS_PER_ROUND);
        let mut added = 0;
        for (_, row) in violated_boxes.into_iter().chain(cliques) {
            added += usize::from(self.add(row)?);
        }
        Some(added)
    }

    /// Rounds the dual values to the smallest denominator that yields a valid cover.
    fn round_duals(&self) -> Option<FractionalCover> {
        DENOMINATORS.into_iter().find_map(|denominator| self.round_duals_to(denominator))
    }

    /// Rounds the dual values to multiples of `1 / denominator` and repairs the result: cliques are added for
    /// squares with insufficient weight, and superfluous multipliers are reduced. Returns `None` if the sum
    /// is not below the target.
    fn round_duals_to(&self, denominator: i64) -> Option<FractionalCover> {
        let nearest = |dual: f64| (dual * denominator as f64).round().max(0.0) as i64;
        let mut deficits = vec![0i64; self.columns.len()];
        self.free.ones().for_each(|x| deficits[x] = denominator);
        let mut rows = Vec::new();
        let mut add = |deficits: &mut Vec<i64>, multiplier, row: RelaxationRow, rhs| -> Option<()> {
            let squares = self.row_squares(&row)?;
            squares.iter().for_each(|&x| deficits[x] -= multiplier);
            rows.push((multiplier, rhs, row, squares));
            Some(())
        };
        for ((row, rhs), &dual) in self.rows.iter().zip(&self.duals) {
            let multiplier = nearest(dual);
            if multiplier > 0 {
                add(&mut deficits, multiplier, row.clone(), *rhs)?;
            }
        }
        while let Some(x) = largest_deficit(&self.free, &deficits) {
            let clique = self
                .grow_clique(vec![x], self.free.clone(), |candidates| largest_deficit(candidates, &deficits));
            let multiplier = deficits[x];
            add(&mut deficits, multiplier, RelaxationRow::Clique(self.complete_clique(clique)), 1)?;
        }
        // Reduce superfluous multipliers, smallest first.
        rows.sort_by_key(|&(multiplier, ..)| multiplier);
        for (multiplier, _, _, squares) in &mut rows {
            let free = squares.iter().filter(|&&x| self.free.contains(x));
            let surplus = free.map(|&x| -deficits[x]).min().unwrap_or(*multiplier).min(*multiplier);
            *multiplier -= surplus;
            squares.iter().for_each(|&x| deficits[x] += surplus);
        }
        rows.retain(|&(multiplier, ..)| multiplier > 0);
        let sum: i64 = rows.iter().map(|(multiplier, rhs, ..)| multiplier * rhs).sum();
        let rows = rows.into_iter().map(|(multiplier, _, row, _)| (multiplier, row)).collect();
        (sum < denominator * i64::from(self.target)).then_some(FractionalCover { denominator, rows })
    }
}

/// Returns the first square of `squares` with the largest deficit, or `None` if no deficit is positive.
fn largest_deficit(squares: &FixedBitSet, deficits: &[i64]) -> Option<usize> {
    squares.ones().max_by_key(|&x| (deficits[x], usize::MAX - x)).filter(|&x| deficits[x] > 0)
}
