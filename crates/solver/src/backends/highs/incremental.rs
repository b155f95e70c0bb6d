//! Linear programs whose rows and bounds change between solves. Each solve starts from the basis
//! of the one before.
//!
//! The objective is the sum of all variables. It is maximised subject to rows that are weighted sums of
//! variables with an upper bound, or minimised subject to rows with a lower bound. HiGHS uses the dual
//! simplex method on one thread, without presolve, so that equal calls give equal answers.

#![allow(unsafe_code, reason = "HiGHS has a C interface")]

use std::fmt;
use std::marker::PhantomData;

use highs::{Model, RowProblem, Sense};
use highs_sys as c;
use ndqueens_system::cancel::Control;
use serde::{Deserialize, Serialize};

use super::ffi::Direction;
pub use super::ffi::LpRow;
use super::{describe_status, failed, ffi, set};
use crate::backends::BackendError;

/// Bounds of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Bounds 0 and 1; in a program that minimises, only the lower bound, since an upper bound is redundant.
    Free,
    /// Equal to 0.
    Zero,
    /// Equal to 1.
    One,
}

/// HiGHS status of a basic column or row.
pub const BASIC: c::HighsInt = c::kHighsBasisStatusBasic;

/// Basis from which a later solve may start. Rows that were added later are basic in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basis {
    /// HiGHS status of each column.
    pub columns: Vec<c::HighsInt>,
    /// Numbers and HiGHS statuses of the rows that are not basic, by increasing number. Rows are
    /// numbered in the order of addition, including deleted ones. These rows must not be deleted while
    /// the basis is in use.
    pub nonbasic_rows: Vec<(u64, c::HighsInt)>,
}

/// Optimal solution.
#[derive(Debug, Clone)]
pub struct Optimum {
    /// Objective value.
    pub value: f64,
    /// Value of each variable.
    pub point: Vec<f64>,
    /// Dual value of each row, in the order of [`IncrementalLp::rows`].
    pub duals: Vec<f64>,
    /// Number of simplex iterations.
    pub iterations: u64,
}

/// Linear program with the basis of its last solution.
pub struct IncrementalLp<'a> {
    model: Model,
    /// Numbers of the rows, in the order of HiGHS.
    rows: Vec<u64>,
    /// Number of the next row.
    next_row: u64,
    domains: Vec<Domain>,
    /// Direction of all rows.
    direction: Direction,
    /// Read by HiGHS during a run.
    control: PhantomData<&'a Control>,
}

impl fmt::Debug for IncrementalLp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IncrementalLp")
            .field("rows", &self.rows.len())
            .field("columns", &self.domains.len())
            .finish()
    }
}

impl<'a> IncrementalLp<'a> {
    /// Creates a program with `columns` free variables and no rows, whose runs `control` stops.
    ///
    /// # Errors
    /// Returns an error if HiGHS refuses an option.
    pub fn new(columns: usize, seed: u32, control: &'a Control) -> Result<Self, BackendError> {
        Self::with_direction(columns, Direction::AtMost, seed, control)
    }

    /// Creates the same program, but minimising the sum of all variables. Its rows have lower bounds.
    ///
    /// # Errors
    /// Returns an error if HiGHS refuses an option.
    pub fn minimising(columns: usize, seed: u32, control: &'a Control) -> Result<Self, BackendError> {
        Self::with_direction(columns, Direction::AtLeast, seed, control)
    }

    fn with_direction(
        columns: usize,
        direction: Direction,
        seed: u32,
        control: &'a Control,
    ) -> Result<Self, BackendError> {
        let (sense, most) = match direction {
            Direction::AtMost => (Sense::Maximise, 1.0),
            Direction::AtLeast => (Sense::Minimise, f64::INFINITY),
        };
        let mut problem = RowProblem::new();
        for _ in 0..columns {
            problem.add_column(1.0, 0.0..=most);
        }
        let mut model = problem.try_optimise(sense).map_err(|_| failed("it refused the model"))?;
        set(&mut model, "threads", 1)?;
        set(&mut model, "random_seed", i32::try_from(seed).unwrap_or(i32::MAX))?;
        set(&mut model, "presolve", "off")?;
        set(&mut model, "solver", "simplex")?;
        set(&mut model, "simplex_scale_strategy", 0)?;
        // SAFETY: the control outlives the model, by the lifetime of this type.
        unsafe { ffi::stop_on(&mut model, control) };
        Ok(Self {
            model,
            rows: Vec::new(),
            next_row: 0,
            domains: vec![Domain::Free; columns],
            direction,
            control: PhantomData,
        })
    }

    /// Returns the numbers of the rows, in the order of the duals.
    #[must_use]
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Adds rows and returns their numbers.
    ///
    /// # Errors
    /// Returns an error if HiGHS refuses them.
    pub fn add_rows(&mut self, rows: &[LpRow<'_>]) -> Result<std::ops::Range<u64>, BackendError> {
        ffi::add_rows(&mut self.model, rows, self.direction).map_err(|_| failed("it refused rows"))?;
        let first = self.next_row;
        self.next_row += rows.len() as u64;
        self.rows.extend(first..self.next_row);
        Ok(first..self.next_row)
    }

    /// Deletes the rows whose numbers satisfy `is_needless`.
    ///
    /// # Errors
    /// Returns an error if HiGHS refuses.
    pub fn delete_rows(&mut self, is_needless: &dyn Fn(u64) -> bool) -> Result<(), BackendError> {
        let needless: Vec<c::HighsInt> =
            (0..).zip(&self.rows).filter(|(_, row)| is_needless(**row)).map(|(place, _)| place).collect();
        ffi::delete_rows(&mut self.model, &needless).map_err(|_| failed("it did not delete rows"))?;
        self.rows.retain(|&row| !is_needless(row));
        Ok(())
    }

    /// Sets the domains of all variables.
    ///
    /// # Errors
    /// Returns an error if HiGHS refuses.
    pub fn set_domains(&mut self, domains: impl Fn(usize) -> Domain) -> Result<(), BackendError> {
        let (mut columns, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
        let most = if self.direction == Direction::AtMost { 1.0 } else { f64::INFINITY };
        for (number, (place, held)) in (0..).zip(self.domains.iter_mut()).enumerate() {
            let domain = domains(number);
            if *held == domain {
                continue;
            }
            *held = domain;
            columns.push(place);
            lower.push(if domain == Domain::One { 1.0 } else { 0.0 });
            upper.push(match domain {
                Domain::Zero => 0.0,
                Domain::One => 1.0,
                Domain::Free => most,
            });
        }
        ffi::change_column_bounds(&mut self.model, &columns, &lower, &upper)
            .map_err(|_| failed("it did not change bounds"))
    }

    /// Returns the basis of the last solution.
    ///
    /// # Errors
    /// Returns an error if the program has not been solved.
    pub fn basis(&self) -> Result<Basis, BackendError> {
        let statuses = ffi::basis(&self.model).map_err(|_| failed("it has no basis"))?;
        let rows = self.rows.iter().copied().zip(statuses.rows);
        let nonbasic_rows = rows.filter(|(_, status)| *status != c::kHighsBasisStatusBasic).collect();
        Ok(Basis { columns: statuses.columns, nonbasic_rows })
    }

    /// Makes the next solve start from `basis`.
    ///
    /// # Errors
    /// Returns an error if HiGHS refuses it.
    pub fn set_basis(&mut self, basis: &Basis) -> Result<(), BackendError> {
        let mut rows = vec![c::kHighsBasisStatusBasic; self.rows.len()];
        let mut nonbasic = basis.nonbasic_rows.iter().peekable();
        for (status, row) in rows.iter_mut().zip(&self.rows) {
            if let Some((_, held)) = nonbasic.next_if(|(number, _)| number == row) {
                *status = *held;
            }
        }
        let statuses = ffi::BasisStatuses { columns: basis.columns.clone(), rows };
        ffi::set_basis(&mut self.model, &statuses).map_err(|_| failed("it refused a basis"))
    }

    /// Solves the program. Returns `None` if the run was stopped.
    ///
    /// # Errors
    /// Returns an error if HiGHS fails.
    pub fn solve(&mut self) -> Result<Option<Optimum>, BackendError> {
        let status = ffi::run(&mut self.model).map_err(|_| failed("it could not run"))?;
        match status {
            c::MODEL_STATUS_OPTIMAL => {}
            c::MODEL_STATUS_REACHED_INTERRUPT => return Ok(None),
            status => return Err(failed(describe_status(status))),
        }
        let solution = ffi::lp_solution(&self.model).map_err(|_| failed("it has no solution"))?;
        let (iterations, value) = ffi::last_run(&self.model);
        Ok(Some(Optimum {
            value,
            point: solution.columns,
            duals: solution.row_duals,
            iterations: u64::try_from(iterations).unwrap_or(0),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(lp: &mut IncrementalLp<'_>) -> f64 {
        (lp.solve().expect("HiGHS runs").expect("not stopped").value * 1e6).round() / 1e6
    }

    fn row(columns: &[u32], rhs: u32) -> LpRow<'_> {
        LpRow { columns, coefficients: None, rhs }
    }

    #[test]
    fn passes_coefficients_to_their_columns() {
        let control = Control::new();
        let mut lp = IncrementalLp::new(4, 0, &control).expect("a program");
        let weighted = LpRow { columns: &[0, 1], coefficients: Some(&[4, 2]), rhs: 5 };
        lp.add_rows(&[row(&[2, 3], 1), weighted, row(&[1, 3], 2)]).expect("rows");
        assert_eq!(value(&mut lp), 2.75);
    }

    #[test]
    fn restores_bases_after_changes() {
        let control = Control::new();
        let mut lp = IncrementalLp::new(5, 0, &control).expect("a program");
        // A cycle of five, and a row that is never binding.
        let edges = [
            row(&[0, 1], 1),
            row(&[1, 2], 1),
            row(&[2, 3], 1),
            row(&[3, 4], 1),
            row(&[0, 4], 1),
            row(&[0, 2], 9),
        ];
        assert_eq!(lp.add_rows(&edges).expect("rows"), 0..6);
        assert_eq!(value(&mut lp), 2.5);
        let basis = lp.basis().expect("a basis");
        assert!(basis.nonbasic_rows.iter().all(|(row, _)| *row < 5));
        lp.set_domains(|v| if v == 0 { Domain::One } else { Domain::Free }).expect("bounds");
        assert_eq!(value(&mut lp), 2.0);
        lp.delete_rows(&|row| row == 5).expect("a row");
        assert_eq!(lp.rows(), [0, 1, 2, 3, 4]);
        assert_eq!(lp.add_rows(&[row(&[0, 1, 2, 3, 4], 2)]).expect("a row"), 6..7);
        lp.set_domains(|_| Domain::Free).expect("bounds");
        lp.set_basis(&basis).expect("the basis");
        assert_eq!(value(&mut lp), 2.0);
        lp.set_domains(|_| Domain::Zero).expect("bounds");
        assert_eq!(value(&mut lp), 0.0);
    }

    #[test]
    fn minimises_programs_with_lower_bounds() {
        let control = Control::new();
        let mut lp = IncrementalLp::minimising(5, 0, &control).expect("a program");
        let edges = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4]];
        lp.add_rows(&edges.each_ref().map(|edge| row(edge, 1))).expect("rows");
        assert_eq!(value(&mut lp), 2.5);
        let duals = lp.solve().expect("HiGHS runs").expect("not stopped").duals;
        assert!(duals.iter().all(|&dual| dual > 0.49), "{duals:?}");
        lp.set_domains(|v| if v == 0 { Domain::One } else { Domain::Free }).expect("bounds");
        assert_eq!(value(&mut lp), 3.0);
        lp.set_domains(|v| if v == 0 { Domain::Zero } else { Domain::Free }).expect("bounds");
        assert_eq!(value(&mut lp), 3.0);
    }

    #[test]
    fn stops_with_its_control() {
        let control = Control::new();
        control.stop();
        let mut lp = IncrementalLp::new(3, 0, &control).expect("a program");
        lp.add_rows(&[row(&[0, 1], 1), row(&[1, 2], 1)]).expect("rows");
        // HiGHS may end before it polls.
        assert!(lp.solve().expect("HiGHS runs").is_none_or(|optimum| optimum.value > 1.9));
    }
}
