//! Cases that lower a bound: the number of queens on an orbit of squares is an integer, at most k
//! or at least k + 1.
//!
//! Depth-first branch and bound on these numbers. The LP of a case has the rows of the orbit LP that are
//! tight or were violated, and one row for each assumption. A case is finished when fractions near its duals
//! bound it below the target.
//!
//! # References
//! J. Ostrowski, J. Linderoth, F. Rossi, S. Smriglio, *Orbital branching*, Math. Program. 126 (2011), for
//! orbits of variables in branch and bound.

use std::ops::ControlFlow;

use ndqueens_model::ilp::{Column, Comparison, Ilp, Program, Row, Sense, Tag};
use ndqueens_model::orbit::OrbitRow;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

use super::rounding::{self, SparseRow};
use super::{Interruption, Optimum, OrbitBound, OrbitLp, OrbitLpError, Run, poll};
use crate::backends::highs::Highs;
use crate::backends::{Options, Progress};
use ndqueens_system::cancel::StopReason;

/// A step of a tree of cases, in depth-first order.
#[derive(Debug, Clone)]
pub enum Step {
    /// A branching on the number of queens on the images of a square. The subtree with at most `at_most` of
    /// them comes first, then the subtree with more.
    Split {
        /// The square.
        square: Vec<u32>,
        /// Largest number of queens in the first subtree.
        at_most: u64,
    },
    /// A case whose number of queens is bounded.
    Case {
        /// Terms of the bound with their positive multipliers.
        terms: Vec<(Term, BigRational)>,
        /// Weighted sum of the right-hand sides.
        value: BigRational,
    },
}

impl Step {
    /// Returns the terms of a case; a split has no terms.
    pub(super) fn terms(&self) -> &[(Term, BigRational)] {
        match self {
            Self::Case { terms, .. } => terms,
            Self::Split { .. } => &[],
        }
    }
}

/// Reason why cases do not lower a bound by one more queen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotLowered {
    /// The limit on LPs is reached.
    TooManyCases,
    /// A point with integral numbers of queens on all orbits satisfies all rows of the LP, so no
    /// branching is left.
    WholePoint,
    /// No fractions near the duals of a case give the bound of its LP.
    Rounding,
    /// The work was stopped.
    Stopped(StopReason),
}

/// Term of the bound of a case.
#[derive(Debug, Clone)]
pub enum Term {
    /// A row of the orbit LP.
    Row(OrbitRow),
    /// The assumption that the images of this square hold at most a number of queens.
    AtMost(Vec<u32>),
    /// The assumption that the images of this square hold at least a number of queens. It is subtracted.
    AtLeast(Vec<u32>),
}

impl Term {
    /// Returns the row, or `None` if the term is an assumption.
    #[must_use]
    pub fn row(&self) -> Option<&OrbitRow> {
        match self {
            Self::Row(row) => Some(row),
            _ => None,
        }
    }
}

/// Assumption about the number of queens on the orbit of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assumption {
    column: usize,
    /// `true` for at most `queens`, `false` for at least `queens`.
    is_upper: bool,
    queens: u64,
}

/// Maximum number of violated rows that are added to the LP of a case at a time.
const MAX_ROWS_PER_ROUND: usize = 64;
/// Tolerance of the violation of a row.
const ROW_TOLERANCE: f64 = 1e-7;
/// Distance from an integer up to which a number of queens counts as integral.
const INTEGRALITY_TOLERANCE: f64 = 1e-6;
/// Objective penalty for each queen that an orbit lacks of an assumed lower bound. It keeps the LP feasible
/// if the case is infeasible.
const PENALTY: i64 = 1_000;
/// Denominators of the multipliers of assumed lower bounds, smallest first.
const DENOMINATORS: [i64; 3] = [24, 5_040, 1_000_000];

/// Reason why a tree of cases was not finished.
enum Unfinished {
    NotLowered(NotLowered),
    Failed(OrbitLpError),
}

impl From<NotLowered> for Unfinished {
    fn from(reason: NotLowered) -> Self {
        Self::NotLowered(reason)
    }
}

impl From<Interruption> for Unfinished {
    fn from(interruption: Interruption) -> Self {
        match interruption {
            Interruption::Stopped(reason) => Self::NotLowered(NotLowered::Stopped(reason)),
            Interruption::Failed(error) => Self::Failed(error),
        }
    }
}

impl Run<'_, '_> {
    /// Lowers a bound by one queen as long as at most `case_limit` LPs suffice for it.
    pub(super) fn lower_by_cases(
        &mut self,
        best: &mut OrbitBound,
        options: &Options,
        case_limit: u64,
    ) -> Result<(), OrbitLpError> {
        if case_limit == 0 {
            return Ok(());
        }
        // The rows with a positive multiplier are tight.
        let in_sum = |(row, _): &(OrbitRow, _)| best.terms.iter().any(|(term, _)| term.shape == row.shape);
        let mut active: Vec<usize> =
            (0..self.lp.rows.len()).filter(|&row| in_sum(&self.lp.rows[row])).collect();
        loop {
            let mut tree = CaseTree {
                run: self,
                options,
                fewer_than: best.at_most(),
                lps_left: case_limit,
                active,
                assumptions: Vec::new(),
                steps: Vec::new(),
                largest_value: BigRational::zero(),
            };
            match tree.bound_node() {
                Ok(()) => (best.cases, best.value, active) = (tree.steps, tree.largest_value, tree.active),
                Err(Unfinished::NotLowered(reason)) => {
                    best.not_lowered = Some(reason);
                    if let NotLowered::Stopped(stop) = reason {
                        best.stop = stop;
                    }
                    break;
                }
                Err(Unfinished::Failed(error)) => return Err(error),
            }
        }
        best.lp_iterations = self.lp_iterations;
        Ok(())
    }
}

/// Tree of cases.
struct CaseTree<'t, 'a, 'm> {
    run: &'t mut Run<'a, 'm>,
    options: &'t Options,
    /// Target: each case must be bounded by fewer queens.
    fewer_than: u64,
    /// Number of nodes whose LPs may still be solved.
    lps_left: u64,
    /// Numbers of the rows in the LPs.
    active: Vec<usize>,
    assumptions: Vec<Assumption>,
    steps: Vec<Step>,
    /// Largest value of a case.
    largest_value: BigRational,
}

impl CaseTree<'_, '_, '_> {
    /// Bounds all cases in the subtree of the current assumptions.
    ///
    /// # Errors
    /// Returns an error if a case could not be bounded. The assumptions are then those of that case.
    fn bound_node(&mut self) -> Result<(), Unfinished> {
        let progress = Progress { nodes: Some(self.steps.len() as u64), ..Progress::default() };
        if let Some(stop) = poll(self.run.monitor, self.run.start, self.run.deadline, progress) {
            return Err(NotLowered::Stopped(stop).into());
        }
        self.lps_left = self.lps_left.checked_sub(1).ok_or(NotLowered::TooManyCases)?;
        let Optimum { point, value, duals } = self.solve_lp()?;
        if value < self.fewer_than as f64
            && let Some((terms, value)) = self.round_duals(&duals)
        {
            if value > self.largest_value {
                self.largest_value = value.clone();
            }
            self.steps.push(Step::Case { terms, value });
            return Ok(());
        }
        let lp = &self.run.lp;
        let counts = lp.columns.iter().zip(&point).map(|((_, size), density)| *size as f64 * density);
        let fractionality = |count: f64| (count - count.round()).abs();
        let most_fractional =
            counts.enumerate().max_by(|a, b| fractionality(a.1).total_cmp(&fractionality(b.1)));
        let branching = most_fractional.filter(|(_, count)| fractionality(*count) > INTEGRALITY_TOLERANCE);
        let Some((column, count)) = branching else {
            let is_bounded = value < self.fewer_than as f64 - INTEGRALITY_TOLERANCE;
            return Err(if is_bounded { NotLowered::Rounding } else { NotLowered::WholePoint }.into());
        };
        let square = lp.orbits.square(&lp.columns[column].0);
        let at_most = count.floor() as u64;
        self.steps.push(Step::Split { square, at_most });
        for (is_upper, queens) in [(true, at_most), (false, at_most + 1)] {
            self.assumptions.push(Assumption { column, is_upper, queens });
            self.bound_node()?;
            self.assumptions.pop();
        }
        Ok(())
    }

    /// Solves the LP of the current assumptions. Violated rows are added and the LP is solved again, until no
    /// row is violated or the value is below the target.
    fn solve_lp(&mut self) -> Result<Optimum, Interruption> {
        loop {
            let case = CaseLp::new(&self.run.lp, &self.active, &self.assumptions);
            let options =
                Options { time_limit: self.run.deadline.left(), threads: Some(1), ..self.options.clone() };
            let relaxed = Highs.relax(&Ilp::of(&case), &options, &mut |_| ControlFlow::Continue(()))?;
            self.run.lp_iterations += relaxed.lp_iterations;
            let Some(value) = relaxed.value else { return Err(relaxed.stop.into()) };
            let lp = &self.run.lp;
            let lhs = |entries: &[(u32, u64)]| {
                entries
                    .iter()
                    .map(|&(column, squares)| squares as f64 * relaxed.point[column as usize])
                    .sum::<f64>()
            };
            let violation = |number: usize| lhs(&lp.rows[number].1) - lp.rows[number].0.rhs as f64;
            let mut violated: Vec<(f64, usize)> = (0..lp.rows.len())
                .map(|number| (violation(number), number))
                .filter(|(violation, _)| *violation > ROW_TOLERANCE)
                .collect();
            violated.retain(|(_, number)| !self.active.contains(number));
            if violated.is_empty() || value < self.fewer_than as f64 {
                return Ok(Optimum { point: relaxed.point, value, duals: relaxed.duals });
            }
            violated.sort_by(|a, b| b.0.total_cmp(&a.0));
            self.active.extend(violated.into_iter().take(MAX_ROWS_PER_ROUND).map(|(_, number)| number));
        }
    }

    /// Returns terms with multipliers near the duals that bound the case below the target, and the weighted
    /// sum of their right-hand sides; `None` if no multipliers were found.
    fn round_duals(&self, duals: &[f64]) -> Option<(Vec<(Term, BigRational)>, BigRational)> {
        let lp = &self.run.lp;
        let (row_duals, assumption_duals) = duals.split_at(self.active.len());
        let upper = self.assumptions_with_duals(assumption_duals, true);
        let lower = self.assumptions_with_duals(assumption_duals, false);
        let orbit_entries = |column: usize| [(column as u32, lp.columns[column].1)];
        let upper_entries: Vec<[(u32, u64); 1]> =
            upper.iter().map(|(assumption, _)| orbit_entries(assumption.column)).collect();
        let upper_rows = upper.iter().zip(&upper_entries);
        let rows: Vec<SparseRow<'_>> = (self.active.iter())
            .map(|&number| SparseRow { entries: &lp.rows[number].1, rhs: lp.rows[number].0.rhs })
            .chain(upper_rows.map(|((assumption, _), entries)| SparseRow { entries, rhs: assumption.queens }))
            .collect();
        let duals: Vec<f64> = row_duals.iter().copied().chain(upper.iter().map(|(_, dual)| *dual)).collect();
        let square = |column: usize| lp.orbits.square(&lp.columns[column].0);
        let round = |denominator: i64| {
            let mut sizes = lp.sizes();
            let (mut terms, mut value) = (Vec::new(), BigRational::zero());
            for (assumption, dual) in &lower {
                let times = rounding::nearest(dual.max(0.0), denominator);
                if times.is_zero() {
                    continue;
                }
                sizes[assumption.column] += &times * BigInt::from(lp.columns[assumption.column].1);
                value -= &times * BigInt::from(assumption.queens);
                terms.push((Term::AtLeast(square(assumption.column)), times));
            }
            let multipliers = rounding::round(&sizes, &rows, &duals);
            value += multipliers.value;
            terms.extend(multipliers.of_rows.into_iter().map(|(number, times)| {
                let term = match self.active.get(number) {
                    Some(&row) => Term::Row(lp.rows[row].0.clone()),
                    None => Term::AtMost(square(upper[number - self.active.len()].0.column)),
                };
                (term, times)
            }));
            let columns = multipliers.of_columns.into_iter();
            terms.extend(columns.map(|(column, times)| (Term::Row(lp.square_row(column)), times)));
            (terms, value)
        };
        let target = BigRational::from_integer(BigInt::from(self.fewer_than));
        DENOMINATORS.into_iter().map(round).find(|(_, value)| *value < target)
    }

    /// Returns the upper or the lower bounds among the assumptions, with their duals.
    fn assumptions_with_duals(&self, duals: &[f64], is_upper: bool) -> Vec<(Assumption, f64)> {
        let all = self.assumptions.iter().copied().zip(duals.iter().copied());
        all.filter(|(assumption, _)| assumption.is_upper == is_upper).collect()
    }
}

/// The LP of a case; without assumptions, the LP of some rows.
pub(super) struct CaseLp<'c, 'a> {
    lp: &'c OrbitLp<'a>,
    active: &'c [usize],
    assumptions: &'c [Assumption],
    /// Columns of the orbit LP, and a slack for each assumed lower bound: the number of queens
    /// that the orbit lacks.
    columns: Vec<Column>,
}

impl<'c, 'a> CaseLp<'c, 'a> {
    pub(super) fn new(lp: &'c OrbitLp<'a>, active: &'c [usize], assumptions: &'c [Assumption]) -> Self {
        let lower_bounds = assumptions.iter().enumerate().filter(|(_, assumption)| !assumption.is_upper);
        let slacks = lower_bounds.map(|(number, assumption)| Column {
            name: format!("lacks_{number}"),
            objective: -PENALTY,
            lower: 0,
            upper: i64::try_from(assumption.queens).unwrap_or(i64::MAX),
        });
        let columns = lp.model_columns.iter().cloned().chain(slacks).collect();
        Self { lp, active, assumptions, columns }
    }
}

impl Program for CaseLp<'_, '_> {
    fn name(&self) -> String {
        "orbit-lp".to_owned()
    }

    fn sense(&self) -> Sense {
        Sense::Maximise
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        let mut rows: Vec<Row> = Vec::new();
        let at_most = |columns: Vec<u32>, coefficients: Vec<i64>, rhs: i64| Row {
            tag: Tag { family: "orbit", number: 0 },
            columns,
            coefficients: Some(coefficients),
            comparison: Comparison::AtMost,
            rhs,
        };
        for &number in self.active {
            let (row, entries) = &self.lp.rows[number];
            let (columns, coefficients) =
                entries.iter().map(|&(column, squares)| (column, squares as i64)).unzip();
            rows.push(at_most(columns, coefficients, i64::try_from(row.rhs).unwrap_or(i64::MAX)));
        }
        let mut slack = self.lp.columns.len() as u32;
        for &Assumption { column, is_upper, queens } in self.assumptions {
            let (size, queens) =
                (self.lp.columns[column].1 as i64, i64::try_from(queens).unwrap_or(i64::MAX));
            if is_upper {
                rows.push(at_most(vec![column as u32], vec![size], queens));
            } else {
                rows.push(at_most(vec![column as u32, slack], vec![-size, -1], -queens));
                slack += 1;
            }
        }
        for (number, row) in (0..).zip(&mut rows) {
            row.tag.number = number;
        }
        Box::new(rows.into_iter())
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}
