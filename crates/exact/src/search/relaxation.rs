//! Fractional covers: the LP relaxation at a node, of cliques and of the bounds of all boxes inside the board.
//!
//! Rows are separated: each round adds the boxes and the cliques that the optimum of the round before violates most. The
//! dual solution is rounded to integers, and holds or does not in integers; floats only suggest it.
//!
//! # References
//! The rounding is the safe bound of A. Neumaier, O. Shcherbina, *Safe bounds in linear and mixed-integer linear
//! programming*, Math. Program. 99 (2004).

use std::collections::{HashMap, HashSet};

use fixedbitset::FixedBitSet;
use ndqueens_system::cancel::Control;

use crate::settings::lp::{LinearProgramme, LpSolver, Optimum};

/// The bounds of all boxes inside a box.
///
/// A box is numbered by its intervals along the axes, the last axis fastest; an interval of an axis of side `n` by its
/// first and then its last coordinate.
#[derive(Debug)]
pub(crate) struct Boxes {
    sides: Vec<usize>,
    /// For each square of the search its lexicographic number.
    squares: Vec<u32>,
    /// By the number of the box; infinite where nothing is known.
    bounds: Vec<f64>,
}

impl Boxes {
    /// `known` are bounds of boxes by their sorted sides; `squares[p]` is the lexicographic number of the square that the
    /// search calls `p`.
    pub(crate) fn new(sides: &[u32], squares: &[u32], known: &[(Vec<u32>, u64)]) -> Self {
        let known: HashMap<&[u32], u64> =
            known.iter().map(|(sides, most)| (sides.as_slice(), *most)).collect();
        let mut boxes = Self {
            sides: sides.iter().map(|&n| n as usize).collect(),
            squares: squares.to_vec(),
            bounds: Vec::new(),
        };
        let bound = |number| {
            let mut sides: Vec<u32> =
                boxes.intervals(number).iter().map(|(from, to)| to - from + 1).collect();
            sides.sort_unstable();
            known.get(sides.as_slice()).map_or(f64::INFINITY, |&most| most as f64)
        };
        boxes.bounds = (0..boxes.number()).map(bound).collect();
        boxes
    }

    fn number(&self) -> usize {
        self.sides.iter().map(|n| n * (n + 1) / 2).product()
    }

    /// First and last coordinate along each axis.
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

    /// The sums of values of the search's squares over all boxes.
    fn sums(&self, values: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut sums = vec![0.0; self.squares.len()];
        for (p, value) in values {
            sums[self.squares[p] as usize] = value;
        }
        let mut after = sums.len();
        for &n in &self.sides {
            after /= n;
            let mut longer = Vec::with_capacity(sums.len() / n * (n * (n + 1) / 2));
            for slab in sums.chunks(n * after) {
                for from in 0..n {
                    let begin = longer.len();
                    longer.extend_from_slice(&slab[from * after..(from + 1) * after]);
                    for (to, layer) in slab.chunks(after).enumerate().skip(from + 1) {
                        let last = begin + (to - from - 1) * after;
                        for (k, value) in layer.iter().enumerate() {
                            longer.push(longer[last + k] + value);
                        }
                    }
                }
            }
            sums = longer;
        }
        sums
    }

    /// Whether each of the search's squares lies in a box.
    fn contains(&self, number: usize) -> impl Fn(usize) -> bool + '_ {
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

/// A row of the relaxation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum RelaxationRow {
    /// Squares that attack each other hold at most one queen.
    Clique(Vec<usize>),
    /// The box of this number holds at most as many as its bound.
    Box(usize),
}

/// Rows with multipliers, which count every free square at least `denominator` times; their right-hand sides, less the queens
/// placed, come to less than `denominator` times what is asked for.
#[derive(Debug, Clone)]
pub(crate) struct FractionalCover {
    pub(crate) denominator: i64,
    pub(crate) rows: Vec<(i64, RelaxationRow)>,
}

/// Rows that are added in one round, of boxes and of cliques each.
const ROWS_A_ROUND: usize = 150;

/// Rounds of separation.
const ROUNDS: usize = 40;

/// What counts as violated, or as more than nothing.
const EPSILON: f64 = 1e-4;

/// An optimum of the LP that is less below an integer may be that integer.
const TOLERANCE: f64 = 1e-7;

/// What is tried to round the multipliers to, the shortest first.
const DENOMINATORS: [i64; 10] = [6, 12, 24, 60, 120, 420, 840, 5_040, 100_000, 10_000_000];

/// What the relaxations of all nodes have in common.
#[derive(Debug)]
pub(crate) struct RelaxationContext {
    /// By square, the squares that it attacks.
    pub(crate) attacks: Vec<FixedBitSet>,
    pub(crate) boxes: Option<Boxes>,
}

/// The LP of a node.
pub(crate) struct Relaxation<'a> {
    context: &'a RelaxationContext,
    /// The squares of the columns, and those of them that are left.
    squares: Vec<usize>,
    free: FixedBitSet,
    /// By square, its column.
    columns: Vec<Option<usize>>,
    /// What boxes may still hold.
    left: Vec<f64>,
    asked: i32,
    rows: Vec<(RelaxationRow, i64)>,
    known: HashSet<RelaxationRow>,
    /// `None` after the solver failed.
    programme: Option<Box<dyn LinearProgramme>>,
    point: Vec<f64>,
    duals: Vec<f64>,
}

impl<'a> Relaxation<'a> {
    /// Of a node with these squares taken and free, at which `asked` more queens are asked for. It begins with the rows
    /// `above`. `None` when the solver does not take it.
    pub(crate) fn new(
        solver: &dyn LpSolver,
        context: &'a RelaxationContext,
        placed: &[usize],
        squares: Vec<usize>,
        asked: i32,
        above: &[RelaxationRow],
    ) -> Option<Self> {
        let programme = solver.programme(squares.len())?;
        let mut columns = vec![None; context.attacks.len()];
        let mut free = FixedBitSet::with_capacity(context.attacks.len());
        for (number, &x) in squares.iter().enumerate() {
            columns[x] = Some(number);
            free.insert(x);
        }
        let left = context.boxes.as_ref().map_or_else(Vec::new, |boxes| {
            let placed = boxes.sums(placed.iter().map(|&x| (x, 1.0)));
            boxes.bounds.iter().zip(placed).map(|(bound, placed)| bound - placed).collect()
        });
        let mut relaxation = Self {
            context,
            squares,
            free,
            columns,
            left,
            asked,
            rows: Vec::new(),
            known: HashSet::new(),
            programme: Some(programme),
            point: Vec::new(),
            duals: Vec::new(),
        };
        // Cliques that cover all squares, so that the first point has a meaning.
        let mut rest = relaxation.free.clone();
        while let Some(x) = rest.minimum() {
            let clique = relaxation.clique(x, &rest);
            clique.iter().for_each(|&x| rest.set(x, false));
            relaxation.add(RelaxationRow::Clique(clique))?;
        }
        for row in above {
            relaxation.add(row.clone())?;
        }
        Some(relaxation)
    }

    /// A clique of a square and of others in a set, the heaviest one that fits each time.
    fn clique(&self, x: usize, inside: &FixedBitSet) -> Vec<usize> {
        let heavier = |y: &usize, z: &usize| self.weight(*y).total_cmp(&self.weight(*z)).then(z.cmp(y));
        self.grown(vec![x], inside.clone(), |candidates| candidates.ones().max_by(heavier))
    }

    /// A clique with what can be added to it anywhere on the board, the first square each time.
    fn completed(&self, clique: Vec<usize>) -> Vec<usize> {
        let candidates = self.context.attacks[clique[0]].clone();
        let mut completed = self.grown(clique, candidates, FixedBitSet::minimum);
        completed.sort_unstable();
        completed
    }

    /// A clique and the squares that `next` takes one after another of those candidates that attack all of it.
    fn grown(
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

    /// The rows that say most in the last solution.
    pub(crate) fn binding(&self) -> Vec<RelaxationRow> {
        let binding = self.rows.iter().zip(&self.duals).filter(|(_, dual)| **dual > EPSILON);
        binding.map(|((row, _), _)| row.clone()).collect()
    }

    /// Separates rows until they hold less than what is asked for, and tells of them, or until nothing is violated any more, or
    /// it is stopped.
    pub(crate) fn tighten(&mut self, control: &Control) -> Option<FractionalCover> {
        for _ in 0..ROUNDS {
            if control.is_stopped() {
                break;
            }
            let value = self.solve()?;
            if value < f64::from(self.asked) - TOLERANCE
                && let Some(cover) = self.rounded()
            {
                return Some(cover);
            }
            if self.separate()? == 0 {
                break;
            }
        }
        None
    }

    /// Takes a square out.
    pub(crate) fn remove(&mut self, x: usize) {
        self.free.set(x, false);
        if let (Some(programme), Some(column)) = (&mut self.programme, self.columns[x]) {
            programme.fix_to_zero(column);
        }
    }

    /// The free square that weighs most in the last solution; `None` when none is left, or the solver failed.
    pub(crate) fn heaviest(&self) -> Option<usize> {
        self.programme.as_ref()?;
        self.free.ones().max_by(|&x, &y| self.weight(x).total_cmp(&self.weight(y)).then(y.cmp(&x)))
    }

    fn weight(&self, x: usize) -> f64 {
        self.columns[x].and_then(|column| self.point.get(column).copied()).unwrap_or(0.0)
    }

    fn add(&mut self, row: RelaxationRow) -> Option<bool> {
        let row = match row {
            RelaxationRow::Clique(clique) => RelaxationRow::Clique(self.completed(clique)),
            RelaxationRow::Box(_) => row,
        };
        if !self.known.insert(row.clone()) {
            return Some(false);
        }
        let rhs = match row {
            RelaxationRow::Clique(_) => 1.0,
            RelaxationRow::Box(number) => self.left[number],
        };
        let inside = self.inside(&row)?;
        let columns: Vec<usize> = inside.iter().filter_map(|&x| self.columns[x]).collect();
        self.programme.as_mut()?.add_row(&columns, rhs)?;
        self.rows.push((row, rhs as i64));
        Some(true)
    }

    /// The squares of a row, as far as they are columns.
    fn inside(&self, row: &RelaxationRow) -> Option<Vec<usize>> {
        Some(match row {
            RelaxationRow::Clique(clique) => {
                clique.iter().copied().filter(|&x| self.columns[x].is_some()).collect()
            }
            RelaxationRow::Box(number) => {
                let contains = self.context.boxes.as_ref()?.contains(*number);
                self.squares.iter().copied().filter(|&x| contains(x)).collect()
            }
        })
    }

    fn solve(&mut self) -> Option<f64> {
        let mut programme = self.programme.take()?;
        let Optimum { value, primal, dual } = programme.solve()?;
        (self.point, self.duals, self.programme) = (primal, dual, Some(programme));
        Some(value)
    }

    /// Adds violated rows; how many.
    fn separate(&mut self) -> Option<usize> {
        let mut violated: Vec<(f64, RelaxationRow)> = Vec::new();
        if let Some(boxes) = &self.context.boxes {
            let sums = boxes.sums(self.squares.iter().map(|&x| (x, self.weight(x))));
            let over = sums.iter().zip(&self.left).map(|(sum, left)| sum - left).enumerate();
            violated.extend(
                over.filter(|(_, over)| *over > EPSILON).map(|(n, over)| (over, RelaxationRow::Box(n))),
            );
            violated.sort_by(|a, b| b.0.total_cmp(&a.0));
            violated.truncate(ROWS_A_ROUND);
        }
        let mut cliques: Vec<(f64, RelaxationRow)> = Vec::new();
        let mut seen = HashSet::new();
        for x in self.free.ones().filter(|&x| self.weight(x) >= EPSILON) {
            let clique = self.clique(x, &self.free);
            let sum = clique.iter().map(|&y| self.weight(y)).sum::<f64>();
            if sum > 1.0 + EPSILON && seen.insert(clique.clone()) {
                cliques.push((sum - 1.0, RelaxationRow::Clique(clique)));
            }
        }
        cliques.sort_by(|a, b| b.0.total_cmp(&a.0));
        cliques.truncate(ROWS_A_ROUND);
        let mut added = 0;
        for (_, row) in violated.into_iter().chain(cliques) {
            added += usize::from(self.add(row)?);
        }
        Some(added)
    }

    /// The duals as integers that suffice, if there are any.
    fn rounded(&self) -> Option<FractionalCover> {
        DENOMINATORS.into_iter().find_map(|denominator| self.rounded_to(denominator))
    }

    fn rounded_to(&self, denominator: i64) -> Option<FractionalCover> {
        let nearest = |dual: f64| (dual * denominator as f64).round().max(0.0) as i64;
        let mut lacking = vec![0i64; self.columns.len()];
        self.free.ones().for_each(|x| lacking[x] = denominator);
        let mut rows = Vec::new();
        let mut take = |lacking: &mut Vec<i64>, times, row: RelaxationRow, rhs| -> Option<()> {
            let inside = self.inside(&row)?;
            inside.iter().for_each(|&x| lacking[x] -= times);
            rows.push((times, rhs, row, inside));
            Some(())
        };
        for ((row, rhs), &dual) in self.rows.iter().zip(&self.duals) {
            let times = nearest(dual);
            if times > 0 {
                take(&mut lacking, times, row.clone(), *rhs)?;
            }
        }
        while let Some(x) = most_lacking(&self.free, &lacking) {
            let clique =
                self.grown(vec![x], self.free.clone(), |candidates| most_lacking(candidates, &lacking));
            let times = lacking[x];
            take(&mut lacking, times, RelaxationRow::Clique(self.completed(clique)), 1)?;
        }
        // What is not needed goes, the smallest multipliers first.
        rows.sort_by_key(|&(times, ..)| times);
        for (times, _, _, inside) in &mut rows {
            let free = inside.iter().filter(|&&x| self.free.contains(x));
            let unneeded = free.map(|&x| -lacking[x]).min().unwrap_or(*times).min(*times);
            *times -= unneeded;
            inside.iter().for_each(|&x| lacking[x] += unneeded);
        }
        rows.retain(|&(times, ..)| times > 0);
        let sum: i64 = rows.iter().map(|(times, rhs, ..)| times * rhs).sum();
        let rows = rows.into_iter().map(|(times, _, row, _)| (times, row)).collect();
        (sum < denominator * i64::from(self.asked)).then_some(FractionalCover { denominator, rows })
    }
}

/// The first square of a set that lacks most, if any lacks something.
fn most_lacking(squares: &FixedBitSet, lacking: &[i64]) -> Option<usize> {
    squares.ones().max_by_key(|&x| (lacking[x], usize::MAX - x)).filter(|&x| lacking[x] > 0)
}
