//! The orbit LP: upper bounds from the LP relaxation of a formulation, reduced by the symmetry of the board.
//!
//! The LP has one column for each orbit of squares and one row for each orbit of inequalities; orbits are
//! never expanded. An interior-point method solves the LP in floating point. If there are few columns, HiGHS
//! then finds a dual vertex of the LP of the tight rows, because the dual values of a vertex are short
//! fractions. The dual solution is rounded to fractions and repaired where it is infeasible. The bound
//! therefore holds in exact arithmetic: if the multipliers `y >= 0` of the rows count each orbit of squares
//! at least as often as it has squares, at most `y b` queens fit.
//!
//! # References
//! R. Bödi, K. Herr, M. Joswig, *Algorithms for highly symmetric linear and integer programs*, Math. Program.
//! 137 (2013); the rounding of duals is the safe bound of A. Neumaier, O. Shcherbina, *Safe bounds in linear
//! and mixed-integer linear programming*, Math. Program. 99 (2004), in rationals.

mod cases;
mod cholesky;
mod clique;
mod file;
mod interior;
mod local_cuts;
mod rounding;
mod separator;

pub use self::cases::{NotLowered, Step, Term};
pub use self::separator::Separator;
pub use crate::weighted_independent_set::MAX_VERTICES as MAX_LOCAL_SQUARES;

use std::collections::{BTreeSet, HashMap};
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
use self::rounding::SparseRow;
use crate::backends::highs::Highs;
use crate::backends::{BackendError, Options, Progress};
use ndqueens_system::cancel::{Deadline, StopReason};

/// Maximum number of columns (orbits of squares). An LP of this size takes about 20 GB and a day.
pub const MAX_COLUMNS: u64 = 50_000;

/// Maximum number of nonzeros.
const MAX_NONZEROS: u64 = 100_000_000;

/// Maximum number of columns with which the simplex method looks for a vertex.
const MAX_VERTEX_COLUMNS: usize = 500;

/// A row is tight if its slack is at most this many times its dual.
const TIGHT: f64 = 10.0;

/// Relative amount by which the value of the LP of the tight rows may exceed that of the LP of all rows.
const SAME_VALUE: f64 = 1e-7;

/// Number of rows between two calls of the monitor.
const ROWS_PER_POLL: usize = 256;

/// Name of the family whose rows are separated instead of listed.
const SEPARATED_FAMILY: &str = "maximal-clique";

/// Error of the orbit LP.
#[derive(Debug, thiserror::Error)]
pub enum OrbitLpError {
    /// The board is not a plain box.
    #[error("{0} is not a plain box: the orbit LP is for boxes of squares, such as 6^4 or 4x5x6")]
    NoBox(String),
    /// The formulation does not maximise the number of queens.
    #[error("formulation {0} does not ask for the most queens of an independent set")]
    NotAMaximum(String),
    /// A family is invalid on the board, or cannot list its rows by orbits.
    #[error("the family \"{family}\" of formulation {formulation} cannot be used on {board}: {reason}")]
    Family {
        /// The family.
        family: &'static str,
        /// The formulation.
        formulation: String,
        /// The board.
        board: String,
        /// The reason.
        #[source]
        reason: UnusableFamily,
    },
    /// The LP is too large.
    #[error("the orbit LP of {board} is too large: it has more than {limit} {counted}")]
    TooLarge {
        /// The board.
        board: String,
        /// The limit.
        limit: u64,
        /// The objects whose number exceeds the limit, in the plural.
        counted: &'static str,
    },
    /// HiGHS failed.
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

/// Upper bound on the number of queens, with the weighted sum of rows that proves it.
#[derive(Debug, Clone)]
pub struct OrbitBound {
    /// Rows with their positive multipliers. A row represents the mean of its images.
    pub terms: Vec<(OrbitRow, BigRational)>,
    /// Steps of the tree of cases that lowers the bound; each case has terms of its own. Empty if the
    /// bound needs no cases.
    pub cases: Vec<Step>,
    /// Weighted sum of the right-hand sides, in queens; with cases, the largest one.
    pub value: BigRational,
    /// Optimum of the last LP, in floating point.
    pub lp_value: f64,
    /// Number of columns: orbits of squares.
    pub columns: usize,
    /// Number of rows of the last LP: orbits of inequalities, of which those with the same
    /// left-hand side count once.
    pub rows: usize,
    /// Number of violated cliques that were added; `None` if they were not separated.
    pub cliques: Option<usize>,
    /// Number of local cuts that were added; `None` if they were not separated.
    pub local_cuts: Option<usize>,
    /// Cliques and local cuts that were added and have a positive multiplier in the bound, or had one before
    /// the cases.
    pub kept: Vec<OrbitRow>,
    /// Number of LPs that were solved before the cases.
    pub lps: u64,
    /// Number of steps of the interior-point method and of simplex iterations.
    pub lp_iterations: u64,
    /// Reason why cases do not lower the bound by one more queen; `None` if no cases were tried.
    pub not_lowered: Option<NotLowered>,
    /// Reason why the work ended. Unless it finished, some clique or local cut may still be violated, or cases
    /// may lower the bound further.
    pub stop: StopReason,
}

/// Settings of the orbit LP.
#[derive(Debug, Clone, Copy)]
pub struct OrbitLpSettings<'a> {
    /// Options of the LP solvers. Only threads, seed, time limit and presolve are used.
    pub options: &'a Options,
    /// Maximum number of LPs that may be solved to lower the bound by one queen; 0 for no cases.
    pub case_limit: u64,
    /// `true` if violated cliques are added, even if no family of the formulation has them.
    pub separates_cliques: bool,
    /// Maximum number of squares of the sets on which local cuts are separated, at most
    /// [`MAX_LOCAL_SQUARES`]; 0 for no local cuts.
    pub local_squares: usize,
}

impl<'a> OrbitLpSettings<'a> {
    /// Returns the settings without cases and without separation, except by a family of the formulation.
    #[must_use]
    pub const fn new(options: &'a Options) -> Self {
        Self { options, case_limit: 0, separates_cliques: false, local_squares: 0 }
    }
}

/// Outcome of the orbit LP.
#[derive(Debug, Clone)]
pub enum OrbitLpOutcome {
    /// A bound was computed.
    Bounded(Box<OrbitBound>),
    /// The work was stopped before the first LP was solved.
    Stopped(StopReason),
}

/// Solves the orbit LP of a formulation on a box, with right-hand sides from `bounds`. Then lowers the bound
/// by branching on the number of queens on an orbit of squares, which is an integer.
///
/// `monitor` is called often and stops the work by returning [`ControlFlow::Break`].
///
/// # Errors
/// Returns an error if the board is not a plain box, a family cannot be used on it, the LP is too
/// large, or HiGHS fails.
pub fn bound(
    board: &Board,
    formulation: &Formulation,
    bounds: &dyn UpperBounds,
    settings: &OrbitLpSettings<'_>,
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<OrbitLpOutcome, OrbitLpError> {
    let options = settings.options;
    let start = Instant::now();
    let deadline = Deadline::since(start, options.time_limit);
    let no_box = || OrbitLpError::NoBox(board.name().to_string());
    let grid = board.grid().ok_or_else(no_box)?;
    let orbits = BoxOrbits::of(grid).ok_or_else(no_box)?;
    if !formulation.maximises() {
        return Err(OrbitLpError::NotAMaximum(formulation.name.clone()));
    }
    if orbits.number() > u128::from(MAX_COLUMNS) {
        return Err(too_large(board, MAX_COLUMNS, "orbits of squares"));
    }
    let threads = options.threads.filter(|threads| *threads > 1);
    let pool =
        threads.and_then(|threads| ThreadPoolBuilder::new().num_threads(threads as usize).build().ok());
    let lp = OrbitLp::new(&orbits);
    let mut run = Run { board, grid, start, deadline, monitor, lp, lp_iterations: 0, pool };
    match run.compute_bound(formulation, bounds, settings) {
        Ok(bound) => Ok(OrbitLpOutcome::Bounded(Box::new(bound))),
        Err(Interruption::Stopped(reason)) => Ok(OrbitLpOutcome::Stopped(reason)),
        Err(Interruption::Failed(error)) => Err(error),
    }
}

fn too_large(board: &Board, limit: u64, counted: &'static str) -> OrbitLpError {
    OrbitLpError::TooLarge { board: board.name().to_string(), limit, counted }
}

/// Reason why a computation ended without a result.
enum Interruption {
    /// It was stopped.
    Stopped(StopReason),
    /// It failed.
    Failed(OrbitLpError),
}

impl From<StopReason> for Interruption {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl From<OrbitLpError> for Interruption {
    fn from(error: OrbitLpError) -> Self {
        Self::Failed(error)
    }
}

impl From<BackendError> for Interruption {
    fn from(error: BackendError) -> Self {
        Self::Failed(error.into())
    }
}

/// State of the computation of one bound.
struct Run<'a, 'm> {
    board: &'a Board,
    grid: &'a Grid,
    start: Instant,
    deadline: Deadline,
    monitor: &'m mut dyn FnMut(&Progress) -> ControlFlow<()>,
    lp: OrbitLp<'a>,
    /// Number of steps and simplex iterations of all LPs.
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
    fn compute_bound(
        &mut self,
        formulation: &Formulation,
        bounds: &dyn UpperBounds,
        settings: &OrbitLpSettings<'_>,
    ) -> Result<OrbitBound, Interruption> {
        let OrbitLpSettings { options, case_limit, separates_cliques, local_squares } = *settings;
        self.list_rows(formulation, bounds)?;
        let has_cliques = formulation.families().any(|family| family.name() == SEPARATED_FAMILY);
        let separates_cliques = has_cliques || separates_cliques;
        let separator = Separator::new(self.board, separates_cliques, local_squares)
            .ok_or_else(|| OrbitLpError::NoBox(self.board.name().to_string()))?;
        let separation = Separation {
            separator,
            cliques: separates_cliques.then_some(0),
            local_cuts: (local_squares > 0).then_some(0),
            rounds: 0,
        };
        let mut best = self.solve(separation, options)?;
        if best.stop == StopReason::Finished {
            self.lower_by_cases(&mut best, options, case_limit)?;
        }
        best.kept = self.lp.kept_rows(&best);
        Ok(best)
    }

    /// Adds the rows of all families except the one that is separated.
    fn list_rows(&mut self, formulation: &Formulation, bounds: &dyn UpperBounds) -> Result<(), Interruption> {
        let board = self.board;
        for family in formulation.families().filter(|family| family.name() != SEPARATED_FAMILY) {
            let unusable = |reason| OrbitLpError::Family {
                family: family.name(),
                formulation: formulation.name.clone(),
                board: board.name().to_string(),
                reason,
            };
            family
                .validity(board, formulation.problem, &Variant::of(Goal::Optimise))
                .map_err(|fault| unusable(fault.into()))?;
            if family.breaks_symmetry() {
                return Err(unusable(UnusableFamily::BreaksSymmetry).into());
            }
            let rows = family
                .orbit_rows(self.grid, self.lp.orbits, bounds)
                .ok_or_else(|| unusable(UnusableFamily::NoOrbitRows))?;
            for (number, row) in rows.enumerate() {
                if number.is_multiple_of(ROWS_PER_POLL)
                    && let Some(stop) = poll(self.monitor, self.start, self.deadline, Progress::default())
                {
                    return Err(stop.into());
                }
                if !is_whole_board(&row.shape, board) {
                    self.lp.add(row);
                }
                if self.lp.nonzeros > MAX_NONZEROS {
                    return Err(too_large(board, MAX_NONZEROS, "nonzeros").into());
                }
            }
        }
        Ok(())
    }

    /// Solves the LP, adds violated inequalities and solves it again until none is violated. Returns the best
    /// bound.
    fn solve(
        &mut self,
        mut separation: Separation<'_>,
        options: &Options,
    ) -> Result<OrbitBound, Interruption> {
        let mut best: Option<OrbitBound> = None;
        let stop = loop {
            let optimum = match self.relax(options, best.as_ref().map(|best| best.lp_value)) {
                Ok(optimum) => optimum,
                Err(Interruption::Stopped(stop)) => break stop,
                Err(failure) => return Err(failure),
            };
            let (terms, value) = self.lp.round_duals(&optimum.duals);
            if best.as_ref().is_none_or(|best| value <= best.value) {
                best = Some(OrbitBound {
                    terms,
                    cases: Vec::new(),
                    value,
                    lp_value: optimum.value,
                    columns: self.lp.columns.len(),
                    rows: self.lp.rows.len(),
                    cliques: separation.cliques,
                    local_cuts: separation.local_cuts,
                    kept: Vec::new(),
                    lps: separation.rounds + 1,
                    lp_iterations: self.lp_iterations,
                    not_lowered: None,
                    stop: StopReason::Finished,
                });
            }
            match self.separate(&mut separation, &optimum) {
                Err(stop) => break stop,
                Ok(0) => break StopReason::Finished,
                Ok(_) => separation.rounds += 1,
            }
        };
        let lp_iterations = self.lp_iterations;
        best.map(|best| OrbitBound { stop, lp_iterations, ..best }).ok_or(Interruption::Stopped(stop))
    }

    /// Solves the LP with its current rows. `known` is the value of the previous LP, which has fewer rows.
    fn relax(&mut self, options: &Options, known: Option<f64>) -> Result<Optimum, Interruption> {
        let Self { start, deadline, monitor, lp, lp_iterations, pool, .. } = self;
        let costs = lp.columns.iter().map(|(_, size)| *size as f64).collect();
        let near = interior::solve(costs, &lp.sparse_rows(), pool.as_ref(), &mut |state| {
            let progress = Progress {
                dual_bound: Some(known.map_or(state.value, |known| known.min(state.value))),
                lp_iterations: Some(state.steps + *lp_iterations),
                ..Progress::default()
            };
            poll(monitor, *start, *deadline, progress)
        });
        let NearOptimum { value, point, mut duals, slacks, steps } = near?;
        self.lp_iterations += steps;
        let tight: Vec<usize> = (0..duals.len()).filter(|&row| slacks[row] <= TIGHT * duals[row]).collect();
        if let Some(vertex) = self.vertex_duals(&tight, value, options)? {
            return Ok(Optimum { value, point, duals: vertex });
        }
        duals.iter_mut().zip(slacks).for_each(|(dual, slack)| {
            if slack > TIGHT * *dual {
                *dual = 0.0;
            }
        });
        Ok(Optimum { value, point, duals })
    }

    /// Returns the dual values of a vertex of the LP of the tight rows, or `None` if there are more than
    /// [`MAX_VERTEX_COLUMNS`] columns, the run is stopped, or that LP has a larger value.
    fn vertex_duals(
        &mut self,
        tight: &[usize],
        value: f64,
        options: &Options,
    ) -> Result<Option<Vec<f64>>, BackendError> {
        if self.lp.columns.len() > MAX_VERTEX_COLUMNS {
            return Ok(None);
        }
        let Self { start, lp, lp_iterations, monitor, .. } = self;
        let options = Options { time_limit: self.deadline.left(), ..options.clone() };
        let relaxed = Highs.relax(&Ilp::of(&CaseLp::new(lp, tight, &[])), &options, &mut |progress| {
            monitor(&Progress {
                seconds: start.elapsed().as_secs_f64(),
                dual_bound: Some(value),
                lp_iterations: progress.lp_iterations.map(|iterations| iterations + *lp_iterations),
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

    /// Adds inequalities that the optimum violates: cliques, or local cuts if no clique is violated. Returns
    /// their number.
    ///
    /// # Errors
    /// Returns the reason if the search was stopped.
    fn separate(&mut self, separation: &mut Separation<'_>, optimum: &Optimum) -> Result<usize, StopReason> {
        let Self { start, deadline, monitor, lp, lp_iterations, .. } = self;
        let mut stop = None;
        let mut keep_going = || {
            let progress = Progress {
                dual_bound: Some(optimum.value),
                lp_iterations: Some(*lp_iterations),
                ..Progress::default()
            };
            stop = poll(monitor, *start, *deadline, progress);
            stop.is_none()
        };
        let violated = separation.separator.violated_orbit_rows(&optimum.point, &mut keep_going);
        let mut added = 0;
        for row in violated {
            let is_local = matches!(row.shape, Shape::Weighted(_));
            if let Some(number) = lp.add(row) {
                lp.separated.insert(number);
                added += 1;
                let count = if is_local { &mut separation.local_cuts } else { &mut separation.cliques };
                *count.get_or_insert(0) += 1;
            }
        }
        stop.map_or(Ok(added), Err)
    }
}

/// Inequalities that are added to the LP if its optimum violates them.
struct Separation<'a> {
    separator: Separator<'a>,
    /// Number of cliques added; `None` if they are not separated.
    cliques: Option<usize>,
    /// Number of local cuts added; `None` if they are not separated.
    local_cuts: Option<usize>,
    /// Number of times that inequalities were added.
    rounds: u64,
}

/// Reports progress to the monitor. Returns the reason to stop if the monitor requests it or the
/// deadline has passed.
fn poll(
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    start: Instant,
    deadline: Deadline,
    progress: Progress,
) -> Option<StopReason> {
    let seconds = start.elapsed().as_secs_f64();
    let interrupted =
        monitor(&Progress { seconds, ..progress }).is_break().then_some(StopReason::Interrupted);
    interrupted.or_else(|| deadline.reason())
}

/// Returns `true` if a shape is a box that is the whole board. The bound of such a row would rest on itself.
fn is_whole_board(shape: &Shape, board: &Board) -> bool {
    let Shape::Lattice { sides, .. } = shape else { return false };
    sides.iter().map(|&n| n as usize).product::<usize>() == board.size()
}

/// The LP. Its columns are orbits of squares, its rows are orbits of inequalities.
struct OrbitLp<'a> {
    orbits: &'a BoxOrbits,
    /// Orbit and number of squares of each column.
    columns: Vec<(Orbit, u64)>,
    /// Columns in the form that file writers and HiGHS take.
    model_columns: Vec<Column>,
    rows: Vec<(OrbitRow, Entries)>,
    /// Column of each orbit.
    column_of: HashMap<Orbit, u32>,
    /// Number of the row with given entries.
    row_of: HashMap<Entries, usize>,
    /// Numbers of the rows that were added because the optimum violated them.
    separated: BTreeSet<usize>,
    nonzeros: u64,
}

/// Nonzeros of a row: columns, in increasing order, with the number of squares of their orbits
/// that lie on the row.
type Entries = Vec<(u32, u64)>;

impl<'a> OrbitLp<'a> {
    fn new(orbits: &'a BoxOrbits) -> Self {
        let columns = orbits.all();
        let column_of = columns.iter().zip(0..).map(|((orbit, _), number)| (orbit.clone(), number)).collect();
        let name = |orbit: &Orbit| orbit.iter().map(|x| format!("_{x}")).collect::<String>();
        let column = |(orbit, size): &(Orbit, u64)| Column {
            name: format!("x{}", name(orbit)),
            objective: i64::try_from(*size).unwrap_or(i64::MAX),
            lower: 0,
            upper: 1,
        };
        let model_columns = columns.iter().map(column).collect();
        Self {
            orbits,
            columns,
            model_columns,
            rows: Vec::new(),
            column_of,
            row_of: HashMap::new(),
            separated: BTreeSet::new(),
            nonzeros: 0,
        }
    }

    /// Adds a row, and replaces one with the same left-hand side and a larger right-hand side. Returns its
    /// number, or `None` if the LP already has a row that is at least as tight.
    fn add(&mut self, row: OrbitRow) -> Option<usize> {
        let entries = self.entries(&row);
        match self.row_of.get(&entries) {
            Some(&number) if self.rows[number].0.rhs <= row.rhs => None,
            Some(&number) => {
                self.rows[number].0 = row;
                Some(number)
            }
            None => {
                let number = self.rows.len();
                self.nonzeros += entries.len() as u64;
                self.row_of.insert(entries.clone(), number);
                self.rows.push((row, entries));
                Some(number)
            }
        }
    }

    /// Returns the nonzeros of a row.
    fn entries(&self, row: &OrbitRow) -> Entries {
        let entries = self.orbits.entries(&row.shape).into_iter();
        let mut entries: Entries =
            entries.map(|(orbit, squares)| (self.column_of[&orbit], squares)).collect();
        entries.sort_unstable();
        entries
    }

    /// Returns the separated rows among the terms of a bound and of its cases.
    fn kept_rows(&self, bound: &OrbitBound) -> Vec<OrbitRow> {
        let of_cases = bound.cases.iter().flat_map(Step::terms).filter_map(|(term, _)| term.row());
        let rows = bound.terms.iter().map(|(row, _)| row).chain(of_cases);
        let numbers: BTreeSet<usize> =
            rows.filter_map(|row| self.row_of.get(&self.entries(row)).copied()).collect();
        numbers.intersection(&self.separated).map(|&number| self.rows[number].0.clone()).collect()
    }

    /// Returns the coefficients and right-hand sides of the rows.
    fn sparse_rows(&self) -> Vec<SparseRow<'_>> {
        self.rows.iter().map(|(row, entries)| SparseRow { entries, rhs: row.rhs }).collect()
    }

    /// Returns the number of squares of each column.
    fn sizes(&self) -> Vec<BigRational> {
        self.columns.iter().map(|(_, size)| BigRational::from_integer((*size).into())).collect()
    }

    /// Returns rows with multipliers near the duals that are feasible in exact arithmetic, and the weighted
    /// sum of their right-hand sides.
    fn round_duals(&self, duals: &[f64]) -> (Vec<(OrbitRow, BigRational)>, BigRational) {
        let sizes = self.sizes();
        let multipliers = rounding::round(&sizes, &self.sparse_rows(), duals);
        let mut terms: Vec<(OrbitRow, BigRational)> = multipliers
            .of_rows
            .into_iter()
            .map(|(number, times)| (self.rows[number].0.clone(), times))
            .collect();
        terms.extend(
            multipliers.of_columns.into_iter().map(|(number, times)| (self.square_row(number), times)),
        );
        (terms, multipliers.value)
    }

    /// Returns the row that allows at most one queen on a square of a column.
    fn square_row(&self, column: usize) -> OrbitRow {
        OrbitRow::clique(Shape::Squares(vec![self.orbits.square(&self.columns[column].0)]))
    }
}
