//! Cases that lower a bound: the queens on an orbit of squares are a whole number, so that they are at most k or at least k + 1.
//!
//! Branch and bound on these numbers, depth first. The LP of a case has the rows of the orbit LP that are tight or violated, and one row for what is
//! assumed of each orbit. A case is done when fractions near its duals bound it by fewer queens than are asked for.
//!
//! # References
//! J. Ostrowski, J. Linderoth, F. Rossi, S. Smriglio, *Orbital branching*, Math. Program. 126 (2011), for orbits of variables in branch and bound.

use std::ops::ControlFlow;

use ndqueens_model::ilp::{Column, Comparison, Ilp, Program, Row, Sense, Tag};
use ndqueens_model::orbit::OrbitRow;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

use super::rounding::{self, Line};
use super::{OrbitBound, OrbitLp, OrbitLpError, Run, stopped};
use crate::backends::highs::Highs;
use crate::backends::{Options, Progress};
use ndqueens_system::cancel::StopReason;

/// A step of a tree of cases, in depth-first order.
#[derive(Debug, Clone)]
pub enum Step {
    /// The cases that follow first have at most so many queens on the images of a square, those after them more.
    Split {
        /// The square.
        square: Vec<u32>,
        /// The queens.
        at_most: u64,
    },
    /// A case that is bounded.
    Case {
        /// What is added up, with multipliers, which are positive.
        terms: Vec<(Term, BigRational)>,
        /// What the right-hand sides come to.
        value: BigRational,
    },
}

impl Step {
    /// What is added up, if this is a case.
    pub(super) fn terms(&self) -> &[(Term, BigRational)] {
        match self {
            Self::Case { terms, .. } => terms,
            Self::Split { .. } => &[],
        }
    }
}

/// Why cases do not lower a bound by one queen more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotLowered {
    /// More LPs would be needed than were asked for.
    TooManyCases,
    /// A point with whole numbers of queens on all orbits satisfies all rows of the LP: there is nothing left to split.
    WholePoint,
    /// No fractions near the duals of a case bound it as its LP does.
    Rounding,
    /// It was stopped before.
    Stopped(StopReason),
}

/// What is added up in a case.
#[derive(Debug, Clone)]
pub enum Term {
    /// A row of the orbit LP.
    Row(OrbitRow),
    /// The images of this square hold at most as many queens as is assumed.
    Most(Vec<u32>),
    /// They hold at least as many; this is taken away.
    Least(Vec<u32>),
}

impl Term {
    /// The row, if it is one.
    #[must_use]
    pub fn row(&self) -> Option<&OrbitRow> {
        match self {
            Self::Row(row) => Some(row),
            _ => None,
        }
    }
}

/// What is assumed of the queens on the orbit of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assumed {
    column: usize,
    is_most: bool,
    queens: u64,
}

/// Rows that are added at a time because they are violated.
const ROWS_AT_A_TIME: usize = 64;
/// A row is violated by more than this.
const VIOLATED: f64 = 1e-7;
/// A number is whole within this.
const WHOLE: f64 = 1e-6;
/// So many queens a queen costs that an orbit lacks of what is assumed: the LP has a solution where the case has none.
const COST: i64 = 1_000;
/// Denominators of the multipliers of what is assumed, smallest first.
const DENOMINATORS: [i64; 3] = [24, 5_040, 1_000_000];

impl Run<'_, '_> {
    /// Lowers a bound by one queen, and again, as long as no more than so many LPs suffice.
    pub(super) fn split(
        &mut self,
        best: &mut OrbitBound,
        options: &Options,
        cases: u64,
    ) -> Result<(), OrbitLpError> {
        if cases == 0 {
            return Ok(());
        }
        // The rows that are in the sum are tight.
        let in_sum = |(row, _): &(OrbitRow, _)| best.terms.iter().any(|(term, _)| term.shape == row.shape);
        let mut active: Vec<usize> =
            (0..self.lp.rows.len()).filter(|&row| in_sum(&self.lp.rows[row])).collect();
        loop {
            let mut tree = Tree {
                run: self,
                options,
                fewer_than: best.at_most(),
                left: cases,
                active,
                assumed: Vec::new(),
                steps: Vec::new(),
                largest: BigRational::zero(),
            };
            let lowered = tree.node()?;
            let Tree { steps, largest, active: tight, .. } = tree;
            active = tight;
            if let Err(why) = lowered {
                best.not_lowered = Some(why);
                if let NotLowered::Stopped(stop) = why {
                    best.stop = stop;
                }
                break;
            }
            (best.cases, best.value) = (steps, largest);
        }
        best.lp_iterations = self.lp_iterations;
        Ok(())
    }
}

/// The LP of a case, solved in floats.
struct Solved {
    point: Vec<f64>,
    value: f64,
    duals: Vec<f64>,
}

/// A tree of cases that grows.
struct Tree<'t, 'a, 'm> {
    run: &'t mut Run<'a, 'm>,
    options: &'t Options,
    /// Each case is to hold fewer queens.
    fewer_than: u64,
    /// LPs that may still be solved for the first time.
    left: u64,
    /// The rows of the LPs, by number.
    active: Vec<usize>,
    assumed: Vec<Assumed>,
    steps: Vec<Step>,
    largest: BigRational,
}

impl Tree<'_, '_, '_> {
    /// Bounds the case of what is assumed, or says why it is not.
    fn node(&mut self) -> Result<Result<(), NotLowered>, OrbitLpError> {
        let progress = Progress { nodes: Some(self.steps.len() as u64), ..Progress::default() };
        if let Some(stop) = stopped(self.run.monitor, self.run.began, self.run.deadline, progress) {
            return Ok(Err(NotLowered::Stopped(stop)));
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(Err(NotLowered::TooManyCases)) };
        self.left = left;
        let Solved { point, value, duals } = match self.solve()? {
            Ok(solved) => solved,
            Err(stop) => return Ok(Err(NotLowered::Stopped(stop))),
        };
        if value < self.fewer_than as f64
            && let Some((terms, value)) = self.terms(&duals)
        {
            if value > self.largest {
                self.largest = value.clone();
            }
            self.steps.push(Step::Case { terms, value });
            return Ok(Ok(()));
        }
        let lp = &self.run.lp;
        let counts = lp.columns.iter().zip(&point).map(|((_, size), density)| *size as f64 * density);
        let apart = |count: f64| (count - count.round()).abs();
        let widest = counts.enumerate().max_by(|a, b| apart(a.1).total_cmp(&apart(b.1)));
        let Some((column, count)) = widest.filter(|(_, count)| apart(*count) > WHOLE) else {
            let is_bounded = value < self.fewer_than as f64 - WHOLE;
            return Ok(Err(if is_bounded { NotLowered::Rounding } else { NotLowered::WholePoint }));
        };
        let square = lp.orbits.square(&lp.columns[column].0);
        let at_most = count.floor() as u64;
        self.steps.push(Step::Split { square, at_most });
        for assumed in [(true, at_most), (false, at_most + 1)] {
            let (is_most, queens) = assumed;
            self.assumed.push(Assumed { column, is_most, queens });
            let bounded = self.node()?;
            self.assumed.pop();
            if bounded.is_err() {
                return Ok(bounded);
            }
        }
        Ok(Ok(()))
    }

    /// Solves the LP with all rows that it violates, or says why it was stopped.
    fn solve(&mut self) -> Result<Result<Solved, StopReason>, OrbitLpError> {
        loop {
            let case = CaseLp::new(&self.run.lp, &self.active, &self.assumed);
            let options =
                Options { time_limit: self.run.deadline.left(), threads: Some(1), ..self.options.clone() };
            let relaxed = Highs.relax(&Ilp::of(&case), &options, &mut |_| ControlFlow::Continue(()))?;
            self.run.lp_iterations += relaxed.lp_iterations;
            let Some(value) = relaxed.value else { return Ok(Err(relaxed.stop)) };
            let lp = &self.run.lp;
            let lhs = |entries: &[(u32, u64)]| {
                entries
                    .iter()
                    .map(|&(column, squares)| squares as f64 * relaxed.point[column as usize])
                    .sum::<f64>()
            };
            let over = |number: usize| lhs(&lp.rows[number].1) - lp.rows[number].0.rhs as f64;
            let mut violated: Vec<(f64, usize)> = (0..lp.rows.len())
                .map(|number| (over(number), number))
                .filter(|(by, _)| *by > VIOLATED)
                .collect();
            violated.retain(|(_, number)| !self.active.contains(number));
            if violated.is_empty() || value < self.fewer_than as f64 {
                return Ok(Ok(Solved { point: relaxed.point, value, duals: relaxed.duals }));
            }
            violated.sort_by(|a, b| b.0.total_cmp(&a.0));
            self.active.extend(violated.into_iter().take(ROWS_AT_A_TIME).map(|(_, number)| number));
        }
    }

    /// Fractions near the duals that bound the case by fewer queens than are asked for, with what the right-hand sides come to.
    fn terms(&self, duals: &[f64]) -> Option<(Vec<(Term, BigRational)>, BigRational)> {
        let lp = &self.run.lp;
        let of_orbit = |column: usize| [(column as u32, lp.columns[column].1)];
        let (of_rows, of_assumed) = duals.split_at(self.active.len());
        let assumed = || self.assumed.iter().zip(of_assumed);
        let most: Vec<(Assumed, [(u32, u64); 1])> = assumed()
            .filter(|(assumed, _)| assumed.is_most)
            .map(|(assumed, _)| (*assumed, of_orbit(assumed.column)))
            .collect();
        let rows = self.active.iter().map(|&number| (&lp.rows[number].1[..], lp.rows[number].0.rhs));
        let rows: Vec<Line<'_>> = rows
            .chain(most.iter().map(|(assumed, entries)| (&entries[..], assumed.queens)))
            .map(|(entries, rhs)| Line { entries, rhs })
            .collect();
        let of_most = assumed().filter(|(assumed, _)| assumed.is_most).map(|(_, dual)| *dual);
        let duals: Vec<f64> = of_rows.iter().copied().chain(of_most).collect();
        let square = |column: usize| lp.orbits.square(&lp.columns[column].0);
        let rounded = |denominator: i64| {
            let mut sizes = lp.sizes();
            let (mut terms, mut value) = (Vec::new(), BigRational::zero());
            for (assumed, dual) in assumed().filter(|(assumed, _)| !assumed.is_most) {
                let times = rounding::nearest(dual.max(0.0), denominator);
                if times.is_zero() {
                    continue;
                }
                sizes[assumed.column] += &times * BigInt::from(lp.columns[assumed.column].1);
                value -= &times * BigInt::from(assumed.queens);
                terms.push((Term::Least(square(assumed.column)), times));
            }
            let multipliers = rounding::round(&sizes, &rows, &duals);
            value += multipliers.value;
            terms.extend(multipliers.of_rows.into_iter().map(|(number, times)| {
                let term = match self.active.get(number) {
                    Some(&row) => Term::Row(lp.rows[row].0.clone()),
                    None => Term::Most(square(most[number - self.active.len()].0.column)),
                };
                (term, times)
            }));
            terms.extend(
                multipliers
                    .of_columns
                    .into_iter()
                    .map(|(column, times)| (Term::Row(lp.single(column)), times)),
            );
            (terms, value)
        };
        let asked = BigRational::from_integer(BigInt::from(self.fewer_than));
        DENOMINATORS.into_iter().map(rounded).find(|(_, value)| *value < asked)
    }
}

/// The LP of a case, or of some rows alone where nothing is assumed.
pub(super) struct CaseLp<'c, 'a> {
    lp: &'c OrbitLp<'a>,
    active: &'c [usize],
    assumed: &'c [Assumed],
    /// Those of the orbit LP, and for each orbit of which something is assumed at least what it lacks of that.
    columns: Vec<Column>,
}

impl<'c, 'a> CaseLp<'c, 'a> {
    pub(super) fn new(lp: &'c OrbitLp<'a>, active: &'c [usize], assumed: &'c [Assumed]) -> Self {
        let lacks = assumed.iter().enumerate().filter(|(_, assumed)| !assumed.is_most);
        let lacks = lacks.map(|(number, assumed)| Column {
            name: format!("lacks_{number}"),
            objective: -COST,
            lower: 0,
            upper: i64::try_from(assumed.queens).unwrap_or(i64::MAX),
        });
        let columns = lp.named.iter().cloned().chain(lacks).collect();
        Self { lp, active, assumed, columns }
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
        let mut lacks = self.lp.columns.len() as u32;
        for &Assumed { column, is_most, queens } in self.assumed {
            let (size, queens) =
                (self.lp.columns[column].1 as i64, i64::try_from(queens).unwrap_or(i64::MAX));
            if is_most {
                rows.push(at_most(vec![column as u32], vec![size], queens));
            } else {
                rows.push(at_most(vec![column as u32, lacks], vec![-size, -1], -queens));
                lacks += 1;
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
