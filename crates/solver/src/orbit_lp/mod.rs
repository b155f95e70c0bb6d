//! The orbit LP: upper bounds from the LP relaxation of a formulation, reduced by the symmetry of the board.
//!
//! One variable for each orbit of squares, one row for each orbit of rows; neither is ever expanded. An interior-point method solves the LP in
//! floating point. If there are few columns, HiGHS then finds a vertex of the dual with the rows that are tight, which has short
//! fractions. The dual solution is rounded to fractions and mended where these do not suffice, so that the bound
//! holds in exact arithmetic: row multipliers `y >= 0` that count each orbit of squares as often as it has squares bound
//! the number of queens by `y b`.
//!
//! # References
//! R. Bödi, K. Herr, M. Joswig, *Algorithms for highly symmetric linear and integer programs*, Math. Program. 137 (2013);
//! the rounding of duals is the safe bound of A. Neumaier, O. Shcherbina, *Safe bounds in linear and mixed-integer linear
//! programming*, Math. Program. 99 (2004), in rationals.

mod cases;
mod cholesky;
mod clique;
mod file;
mod interior;
mod rounding;

pub use self::cases::{NotLowered, Step, Term};

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use ndqueens_model::board::{Board, Grid};
use ndqueens_model::facts::UpperBounds;
use ndqueens_model::family::ValidityError;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Column, Ilp};
use ndqueens_model::orbit::{BoxOrbits, Orbit, OrbitRow, Shape};
use ndqueens_model::variant::{Goal, Variant};
use num_rational::BigRational;
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::cases::CaseLp;
use self::interior::NearOptimum;
use self::rounding::Line;
use crate::backends::highs::Highs;
use crate::backends::{BackendError, Options, Progress};
use ndqueens_system::cancel::{Deadline, StopReason};

/// Largest LP, in orbits of squares and in nonzeros, for which about twenty gigabytes and a day suffice.
pub const MOST_COLUMNS: u64 = 50_000;
const MOST_NONZEROS: u64 = 100_000_000;

/// Largest number of columns with which the simplex method looks for a vertex.
const VERTEX_COLUMNS: usize = 500;
/// A row is tight if its slack is at most this many times its dual.
const TIGHT: f64 = 10.0;
/// Relative amount by which the value of the tight rows alone may exceed that of all rows.
const SAME_VALUE: f64 = 1e-7;

/// Rows between two looks at whether to go on.
const ROWS_AT_A_TIME: usize = 256;

/// The name of the family whose rows are not listed but separated.
const SEPARATED: &str = "maximal-clique";

/// Why there is no bound.
#[derive(Debug, thiserror::Error)]
pub enum OrbitLpError {
    /// The board has no orbits of this kind.
    #[error("{0} is not a plain box: the orbit LP is for boxes of squares, such as 6^4 or 4x5x6")]
    NoBox(String),
    /// The formulation asks for something else than the most queens.
    #[error("formulation {0} does not ask for the most queens of an independent set")]
    NotAMaximum(String),
    /// A family is not valid on the board, or does not give its rows by orbits.
    #[error("the family \"{family}\" of formulation {formulation} cannot be used on {board}: {reason}")]
    Family {
        /// The family.
        family: &'static str,
        /// The formulation.
        formulation: String,
        /// The board.
        board: String,
        /// Why.
        #[source]
        reason: UnusableFamily,
    },
    /// The LP would not fit.
    #[error("the orbit LP of {board} is too large: it has more than {most} {what}")]
    TooLarge {
        /// The board.
        board: String,
        /// So many may there be.
        most: u64,
        /// Of what there are too many.
        what: &'static str,
    },
    /// HiGHS gave no answer.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Reason why a family cannot be used in an orbit LP, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusableFamily {
    /// Family that is not valid on the board.
    #[error(transparent)]
    Invalid(#[from] ValidityError),
    /// Family that breaks the symmetry of the board.
    #[error("it breaks the symmetry that the orbit LP rests on")]
    BreaksSymmetry,
    /// Family without rows by orbits.
    #[error("it does not give its rows by orbits")]
    NoOrbitRows,
}

/// A bound with what it is the sum of.
#[derive(Debug, Clone)]
pub struct OrbitBound {
    /// The rows with their multipliers, which are positive. A row stands for the mean of its images.
    pub terms: Vec<(OrbitRow, BigRational)>,
    /// The cases that lower it, which have terms of their own; none where nothing is split.
    pub cases: Vec<Step>,
    /// What the right-hand sides add up to, in queens: in the case in which it is most.
    pub value: BigRational,
    /// The optimum of the last LP (float).
    pub lp_value: f64,
    /// Orbits of squares.
    pub columns: usize,
    /// Orbits of rows in the last LP, of those with the same left side the tightest.
    pub rows: usize,
    /// Cliques that were added because they were violated; `None` when the formulation does not ask for it.
    pub cliques: Option<usize>,
    /// Steps of the interior-point method and simplex iterations.
    pub lp_iterations: u64,
    /// Why cases do not show one queen less; `None` where nothing was to be split.
    pub not_lowered: Option<NotLowered>,
    /// Why the work stopped. Unless it finished, some clique may still be violated, or one queen less may be shown by cases.
    pub stop: StopReason,
}

/// Solves the orbit LP of a formulation on a box, with right-hand sides from `bounds`; then, with at most so many LPs of `cases` for each queen by which it is lowered,
/// lowers the bound by branching on the queens of an orbit, which are a whole number. Only threads, seed, time limit and presolve of the options mean
/// something here.
///
/// # Errors
/// When the board is not a plain box, a family cannot be used there, the LP is too large, or HiGHS fails. `Ok(Err(reason))` when it was stopped before
/// the first LP was solved.
pub fn bound(
    board: &Board,
    formulation: &Formulation,
    bounds: &dyn UpperBounds,
    (options, cases): (&Options, u64),
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Result<OrbitBound, StopReason>, OrbitLpError> {
    let began = Instant::now();
    let deadline = Deadline::since(began, options.time_limit);
    let no_box = || OrbitLpError::NoBox(board.name().to_string());
    let grid = board.grid().ok_or_else(no_box)?;
    let orbits = BoxOrbits::of(grid).ok_or_else(no_box)?;
    if !formulation.maximises() {
        return Err(OrbitLpError::NotAMaximum(formulation.name.clone()));
    }
    if orbits.number() > u128::from(MOST_COLUMNS) {
        return Err(too_large(board, MOST_COLUMNS, "orbits of squares"));
    }
    let threads = options.threads.filter(|threads| *threads > 1);
    let pool =
        threads.and_then(|threads| ThreadPoolBuilder::new().num_threads(threads as usize).build().ok());
    let lp = OrbitLp::new(&orbits);
    let mut run = Run { board, grid, began, deadline, monitor, lp, lp_iterations: 0, pool };
    if let Some(stop) = run.list(formulation, bounds)? {
        return Ok(Err(stop));
    }
    let separates = formulation.families.iter().any(|family| family.name() == SEPARATED);
    let mut found = run.solve(separates, options)?;
    if let Ok(best) = &mut found
        && best.stop == StopReason::Finished
    {
        run.split(best, options, cases)?;
    }
    Ok(found)
}

fn too_large(board: &Board, most: u64, what: &'static str) -> OrbitLpError {
    OrbitLpError::TooLarge { board: board.name().to_string(), most, what }
}

/// The work on one bound.
struct Run<'a, 'm> {
    board: &'a Board,
    grid: &'a Grid,
    began: Instant,
    deadline: Deadline,
    monitor: &'m mut dyn FnMut(&Progress) -> ControlFlow<()>,
    lp: OrbitLp<'a>,
    /// Steps and simplex iterations of all LPs.
    lp_iterations: u64,
    /// Threads of the interior-point method, if it has more than one.
    pool: Option<ThreadPool>,
}

/// A solution of the LP in floating point.
struct Optimum {
    value: f64,
    point: Vec<f64>,
    duals: Vec<f64>,
}

impl Run<'_, '_> {
    /// Lists the rows of all families but the one that is separated. The reason when it was stopped.
    fn list(
        &mut self,
        formulation: &Formulation,
        bounds: &dyn UpperBounds,
    ) -> Result<Option<StopReason>, OrbitLpError> {
        let board = self.board;
        for family in formulation.families.iter().filter(|family| family.name() != SEPARATED) {
            let refused = |reason| OrbitLpError::Family {
                family: family.name(),
                formulation: formulation.name.clone(),
                board: board.name().to_string(),
                reason,
            };
            family
                .validity(board, formulation.problem, &Variant::of(Goal::Optimise))
                .map_err(|fault| refused(fault.into()))?;
            if family.breaks_symmetry() {
                return Err(refused(UnusableFamily::BreaksSymmetry));
            }
            let rows = family
                .orbit_rows(self.grid, self.lp.orbits, bounds)
                .ok_or_else(|| refused(UnusableFamily::NoOrbitRows))?;
            for (number, row) in rows.enumerate() {
                if number.is_multiple_of(ROWS_AT_A_TIME)
                    && let Some(stop) = stopped(self.monitor, self.began, self.deadline, Progress::default())
                {
                    return Ok(Some(stop));
                }
                if !is_whole(&row.shape, board) {
                    self.lp.add(row);
                }
                if self.lp.nonzeros > MOST_NONZEROS {
                    return Err(too_large(board, MOST_NONZEROS, "nonzeros"));
                }
            }
        }
        Ok(None)
    }

    /// Solves the LP, and again with violated cliques until there are none, if it `separates`. The best of the bounds, or why
    /// there is none.
    fn solve(
        &mut self,
        separates: bool,
        options: &Options,
    ) -> Result<Result<OrbitBound, StopReason>, OrbitLpError> {
        let mut best: Option<OrbitBound> = None;
        let mut cliques = 0;
        let stop = loop {
            let optimum = match self.relax(options, best.as_ref().map(|best| best.lp_value))? {
                Ok(optimum) => optimum,
                Err(stop) => break stop,
            };
            let lp_value = optimum.value;
            let (terms, value) = self.lp.rounded(&optimum.duals);
            if best.as_ref().is_none_or(|best| value <= best.value) {
                best = Some(OrbitBound {
                    terms,
                    cases: Vec::new(),
                    value,
                    lp_value,
                    columns: self.lp.columns.len(),
                    rows: self.lp.rows.len(),
                    cliques: separates.then_some(cliques),
                    lp_iterations: self.lp_iterations,
                    not_lowered: None,
                    stop: StopReason::Finished,
                });
            }
            if !separates {
                break StopReason::Finished;
            }
            match self.separate(optimum.point, lp_value) {
                Err(stop) => break stop,
                Ok(0) => break StopReason::Finished,
                Ok(added) => cliques += added,
            }
        };
        let lp_iterations = self.lp_iterations;
        Ok(best.map(|best| OrbitBound { stop, lp_iterations, ..best }).ok_or(stop))
    }

    /// Solves the LP as it is, or returns why it was stopped; `known` is the value of the LP before.
    fn relax(
        &mut self,
        options: &Options,
        known: Option<f64>,
    ) -> Result<Result<Optimum, StopReason>, BackendError> {
        let Self { began, deadline, monitor, lp, lp_iterations, pool, .. } = self;
        let costs = lp.columns.iter().map(|(_, size)| *size as f64).collect();
        let near = interior::solve(costs, &lp.lines(), pool.as_ref(), &mut |state| {
            let progress = Progress {
                dual_bound: Some(known.map_or(state.value, |known| known.min(state.value))),
                lp_iterations: Some(state.steps + *lp_iterations),
                ..Progress::default()
            };
            stopped(monitor, *began, *deadline, progress)
        });
        let NearOptimum { value, point, mut duals, slacks, steps } = match near {
            Ok(near) => near,
            Err(stop) => return Ok(Err(stop)),
        };
        self.lp_iterations += steps;
        let tight: Vec<usize> = (0..duals.len()).filter(|&row| slacks[row] <= TIGHT * duals[row]).collect();
        if let Some(vertex) = self.vertex(&tight, value, options)? {
            return Ok(Ok(Optimum { value, point, duals: vertex }));
        }
        duals.iter_mut().zip(slacks).for_each(|(dual, slack)| {
            if slack > TIGHT * *dual {
                *dual = 0.0;
            }
        });
        Ok(Ok(Optimum { value, point, duals }))
    }

    /// Returns dual values of a vertex, from the LP of the tight rows alone; `None` if there are many columns, the run is stopped, or that LP has a
    /// larger value.
    fn vertex(
        &mut self,
        tight: &[usize],
        value: f64,
        options: &Options,
    ) -> Result<Option<Vec<f64>>, BackendError> {
        if self.lp.columns.len() > VERTEX_COLUMNS {
            return Ok(None);
        }
        let Self { began, lp, lp_iterations, monitor, .. } = self;
        let options = Options { time_limit: self.deadline.left(), ..options.clone() };
        let relaxed = Highs.relax(&Ilp::of(&CaseLp::new(lp, tight, &[])), &options, &mut |progress| {
            monitor(&Progress {
                seconds: began.elapsed().as_secs_f64(),
                dual_bound: Some(value),
                lp_iterations: progress.lp_iterations.map(|here| here + *lp_iterations),
                ..*progress
            })
        })?;
        *lp_iterations += relaxed.lp_iterations;
        if relaxed.value.is_none_or(|vertex| vertex > value * (1.0 + SAME_VALUE)) {
            return Ok(None);
        }
        let mut duals = vec![0.0; lp.rows.len()];
        tight.iter().zip(relaxed.duals).for_each(|(&row, dual)| duals[row] = dual);
        Ok(Some(duals))
    }

    /// Adds the cliques that the point violates; how many they are, or why it was stopped.
    fn separate(&mut self, point: Vec<f64>, lp_value: f64) -> Result<usize, StopReason> {
        let Self { board, began, deadline, monitor, lp, lp_iterations, .. } = self;
        let weight: HashMap<Orbit, f64> =
            lp.columns.iter().map(|(orbit, _)| orbit.clone()).zip(point).collect();
        let mut stop = None;
        let violated = clique::violated(board, lp.orbits, &weight, &mut || {
            let progress = Progress {
                dual_bound: Some(lp_value),
                lp_iterations: Some(*lp_iterations),
                ..Progress::default()
            };
            stop = stopped(monitor, *began, *deadline, progress);
            stop.is_none()
        });
        if let Some(stop) = stop {
            return Err(stop);
        }
        let cliques = violated.into_iter().map(|clique| OrbitRow::clique(Shape::Squares(clique)));
        Ok(cliques.filter(|clique| lp.add(clique.clone())).count())
    }
}

/// Why work that began then is to stop, if it is: the monitor asks for it, or time is up.
fn stopped(
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    began: Instant,
    deadline: Deadline,
    progress: Progress,
) -> Option<StopReason> {
    let seconds = began.elapsed().as_secs_f64();
    let broken = monitor(&Progress { seconds, ..progress }).is_break().then_some(StopReason::Interrupted);
    broken.or_else(|| deadline.reason())
}

/// Whether a box is all of the board, so that its bound would rest on itself.
fn is_whole(shape: &Shape, board: &Board) -> bool {
    let Shape::Lattice { sides, .. } = shape else { return false };
    sides.iter().map(|&n| n as usize).product::<usize>() == board.size()
}

/// The LP: columns are orbits of squares, rows are orbits of rows.
struct OrbitLp<'a> {
    orbits: &'a BoxOrbits,
    columns: Vec<(Orbit, u64)>,
    /// What file writers and HiGHS see of the columns.
    named: Vec<Column>,
    rows: Vec<(OrbitRow, Entries)>,
    index: HashMap<Orbit, u32>,
    /// Rows by their left sides.
    known: HashMap<Entries, usize>,
    nonzeros: u64,
}

/// How many squares of each column's orbit lie on a row.
type Entries = Vec<(u32, u64)>;

impl<'a> OrbitLp<'a> {
    fn new(orbits: &'a BoxOrbits) -> Self {
        let columns = orbits.all();
        let index = columns.iter().zip(0..).map(|((orbit, _), number)| (orbit.clone(), number)).collect();
        let name = |orbit: &Orbit| orbit.iter().map(|x| format!("_{x}")).collect::<String>();
        let column = |(orbit, size): &(Orbit, u64)| Column {
            name: format!("x{}", name(orbit)),
            objective: i64::try_from(*size).unwrap_or(i64::MAX),
            lower: 0,
            upper: 1,
        };
        let named = columns.iter().map(column).collect();
        Self { orbits, columns, named, rows: Vec::new(), index, known: HashMap::new(), nonzeros: 0 }
    }

    /// Adds a row, unless one with the same left side says as much; whether it did.
    fn add(&mut self, row: OrbitRow) -> bool {
        let entries = self.orbits.entries(&row.shape).into_iter();
        let mut entries: Entries = entries.map(|(orbit, squares)| (self.index[&orbit], squares)).collect();
        entries.sort_unstable();
        match self.known.get(&entries) {
            Some(&number) if self.rows[number].0.rhs <= row.rhs => false,
            Some(&number) => {
                self.rows[number].0 = row;
                true
            }
            None => {
                self.nonzeros += entries.len() as u64;
                self.known.insert(entries.clone(), self.rows.len());
                self.rows.push((row, entries));
                true
            }
        }
    }

    /// Returns the rows in numbers.
    fn lines(&self) -> Vec<Line<'_>> {
        self.rows.iter().map(|(row, entries)| Line { entries, rhs: row.rhs }).collect()
    }

    /// How often the squares of each column are to be counted, all together.
    fn sizes(&self) -> Vec<BigRational> {
        self.columns.iter().map(|(_, size)| BigRational::from_integer((*size).into())).collect()
    }

    /// Multipliers near the duals that suffice in exact arithmetic, and what the right-hand sides then add up to.
    fn rounded(&self, duals: &[f64]) -> (Vec<(OrbitRow, BigRational)>, BigRational) {
        let sizes = self.sizes();
        let multipliers = rounding::round(&sizes, &self.lines(), duals);
        let mut terms: Vec<(OrbitRow, BigRational)> = multipliers
            .of_rows
            .into_iter()
            .map(|(number, times)| (self.rows[number].0.clone(), times))
            .collect();
        // A square by itself holds at most one queen.
        terms.extend(multipliers.of_columns.into_iter().map(|(number, times)| (self.single(number), times)));
        (terms, multipliers.value)
    }

    /// A square of a column by itself.
    fn single(&self, column: usize) -> OrbitRow {
        OrbitRow::clique(Shape::Squares(vec![self.orbits.square(&self.columns[column].0)]))
    }
}
