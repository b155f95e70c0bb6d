//! HiGHS: mixed-integer programming by branch and cut, in floating point.
//!
//! Every run has a thread of its own, and the monitor is called on the thread of the caller. A run can
//! therefore be interrupted even while HiGHS presolves or solves the root LP of an integer program, where it
//! calls no callback for hours: its thread is then abandoned and ends at its next check. A panic of the
//! monitor never unwinds through C++. Each run may have its own number of threads, because HiGHS keeps one
//! scheduler per calling thread, which cannot be resized.
//!
//! # References
//! Q. Huangfu and J. A. J. Hall, "Parallelizing the dual revised simplex method", Mathematical Programming
//! Computation 10 (2018), 119-142.

use std::ffi::CString;
use std::ops::{Bound, ControlFlow};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use highs::{ColProblem, HighsModelStatus, HighsOptionValue, Model, RowProblem};
use highs_sys as c;
use ndqueens_model::ilp::{Comparison, Ilp, Program, Sense};
use parking_lot::Mutex;

use crate::backends::claim::{self, SolverClaim, SolverStatus};
use crate::backends::monitored::{MonitoredRun, SolverReport};
use crate::backends::{Backend, BackendError, Options, Progress, Relaxation};
use ndqueens_system::cancel::{Control, StopReason, run_stoppable};

mod ffi;
pub mod incremental;
use self::ffi::OptionValue;

mod native_option;

pub use self::native_option::{NativeOption, OptionError};

/// Absolute gap at which HiGHS may stop. Objectives are integral, so a dual bound less than 1 away from a
/// solution proves it optimal; the difference to 1 is a margin for the error of that bound.
const GAP: f64 = 0.99;

/// Linked library HiGHS.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::variant::{Goal, Variant};
/// use ndqueens_solver::backends::{Backend as _, Options, Outcome, highs::Highs};
///
/// let (board, formulation) = (Board::new(&"3^3".parse()?), Formulation::builtin("cube")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// let run = Highs.solve(&model.ilp(), &Options::default(), &mut |_| ControlFlow::Continue(()))?;
/// assert!(matches!(run.outcome, Outcome::Optimal { value: 4, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Highs;

impl Highs {
    /// Returns the version of the linked library: `1.15.0`.
    #[must_use]
    pub fn version() -> &'static str {
        ffi::version()
    }

    /// Solves the LP relaxation. Start and node limit are ignored.
    ///
    /// # Errors
    /// Returns an error if HiGHS fails.
    pub fn relax(
        &self,
        ilp: &Ilp,
        options: &Options,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Relaxation, BackendError> {
        let options = Options { start: None, node_limit: None, ..options.clone() };
        let mut run = MonitoredRun::new(self.solver(), ilp, &options, Instant::now(), monitor);
        let end = if ilp.columns().is_empty() { HighsEnd::empty(ilp) } else { run_highs(&mut run, false)? };
        let is_optimal = end.status == c::MODEL_STATUS_OPTIMAL;
        Ok(Relaxation {
            value: is_optimal.then_some(end.objective),
            point: end.last.solution.filter(|_| is_optimal).unwrap_or_default(),
            duals: if is_optimal { end.duals } else { Vec::new() },
            stop: match status_of(end.status)? {
                SolverStatus::Stopped(reason) => reason,
                SolverStatus::Optimal | SolverStatus::Infeasible | SolverStatus::Unbounded => {
                    StopReason::Finished
                }
            },
            lp_iterations: end.last.lp_iterations.unwrap_or(0),
            seconds: run.seconds(),
        })
    }

    /// Returns the optimal value (floating point) of the program in an LP or MPS file, which are
    /// distinguished by the ending of the name; `None` if the program is infeasible.
    ///
    /// # Errors
    /// Returns an error if HiGHS cannot read or solve the file.
    pub fn optimum_of_file(&self, path: &Path) -> Result<Option<f64>, BackendError> {
        let name = path.to_str().and_then(|path| CString::new(path).ok());
        let job = move |_: &Control| {
            let mut model = ColProblem::new().optimise(highs::Sense::Minimise);
            configure(&mut model, &Options::default())?;
            match name {
                Some(name) if ffi::read_model(&mut model, &name) => {
                    solve_model(model, &|_| ControlFlow::Continue(()))
                }
                _ => Err(failed("it cannot read the file")),
            }
        };
        let ended = run_stoppable("highs", job, &mut || ControlFlow::Continue(()));
        let end = ended.map_err(|error| failed(error.to_string()))?.expect("the run is not stopped")?;
        match end.status {
            c::MODEL_STATUS_OPTIMAL => Ok(Some(end.objective)),
            c::MODEL_STATUS_INFEASIBLE => Ok(None),
            status => Err(failed(describe_status(status))),
        }
    }
}

impl Backend for Highs {
    fn solver(&self) -> String {
        format!("HiGHS {}", Self::version())
    }

    fn unsupported_setting(&self, _options: &Options, _has_start: bool) -> Option<&'static str> {
        None
    }

    fn run_solver(&self, run: &mut MonitoredRun<'_>) -> Result<SolverClaim, BackendError> {
        let end = run_highs(run, true)?;
        if end.is_spoilt && end.status == c::MODEL_STATUS_INFEASIBLE && run.incumbent.is_none() {
            return Err(failed("it found solutions, but none within its own tolerances"));
        }
        let status = status_of(end.status)?;
        let SolverReport { dual_bound, nodes, lp_iterations, solution } = end.last;
        let sense = run.ilp.sense();
        let is_bounded = dual_bound.is_some_and(|bound| claim::integral_bound(sense, bound).is_some());
        if status == SolverStatus::Optimal && !is_bounded && sense != Sense::Feasibility {
            let violation = format!("it states no dual bound with its optimum {}", end.objective);
            return Err(BackendError::wrong(&run.solver, violation));
        }
        let solution = solution.as_deref().map(claim::round);
        Ok(SolverClaim { status, solution, dual_bound, nodes, lp_iterations })
    }
}

fn status_of(status: c::HighsInt) -> Result<SolverStatus, BackendError> {
    match status {
        c::MODEL_STATUS_OPTIMAL => Ok(SolverStatus::Optimal),
        c::MODEL_STATUS_INFEASIBLE => Ok(SolverStatus::Infeasible),
        c::MODEL_STATUS_REACHED_TIME_LIMIT => Ok(SolverStatus::Stopped(StopReason::TimeLimit)),
        // HiGHS's name for the limit on nodes.
        c::MODEL_STATUS_REACHED_SOLUTION_LIMIT => Ok(SolverStatus::Stopped(StopReason::NodeLimit)),
        c::MODEL_STATUS_REACHED_INTERRUPT => Ok(SolverStatus::Stopped(StopReason::Interrupted)),
        // This includes "unbounded or infeasible": all columns are bounded, so the first half is false, and
        // the second half is no proof.
        _ => Err(failed(describe_status(status))),
    }
}

fn describe_status(status: c::HighsInt) -> String {
    match HighsModelStatus::try_from(status) {
        Ok(status) => format!("it ended with model status {status:?}"),
        Err(_) => format!("it ended with model status {status}"),
    }
}

fn failed(fault: impl Into<String>) -> BackendError {
    BackendError::failed(Highs.solver(), fault)
}

/// Translates the program of a run, integral or relaxed. The result creates the model of HiGHS; it is called
/// on the thread that solves it. Returns `None` if the deadline passes before the last row.
fn translate(
    run: &MonitoredRun<'_>,
    is_integral: bool,
) -> Result<Option<impl FnOnce() -> Result<Model, BackendError> + Send + 'static>, BackendError> {
    let (ilp, deadline) = (run.ilp, run.deadline);
    let exact = |number| claim::exact(number, &run.solver);
    let size = ilp.nonzeros().max(ilp.row_count()).max(ilp.columns().len());
    if i32::try_from(size).is_err() {
        return Err(failed("the program is too large for its 32-bit indices"));
    }
    let (sense, has_objective) = match ilp.sense() {
        Sense::Maximise => (highs::Sense::Maximise, true),
        Sense::Minimise => (highs::Sense::Minimise, true),
        Sense::Feasibility => (highs::Sense::Minimise, false),
    };
    let mut problem = RowProblem::new();
    let mut columns = Vec::with_capacity(ilp.columns().len());
    for column in ilp.columns() {
        let cost = if has_objective { exact(column.objective)? } else { 0.0 };
        let bounds = exact(column.lower)?..=exact(column.upper)?;
        columns.push(problem.add_column_with_integrality(cost, bounds, is_integral));
    }
    for (number, row) in ilp.rows().enumerate() {
        // A program without its later rows would be another program.
        if number.is_multiple_of(ROWS_PER_CHECK) && number > 0 && deadline.is_over() {
            return Ok(None);
        }
        let rhs = exact(row.rhs)?;
        let bounds = match row.comparison {
            Comparison::AtMost => (Bound::Unbounded, Bound::Included(rhs)),
            Comparison::Equal => (Bound::Included(rhs), Bound::Included(rhs)),
            Comparison::AtLeast => (Bound::Included(rhs), Bound::Unbounded),
        };
        let terms = row.terms().map(|(column, factor)| Ok((columns[column as usize], exact(factor)?)));
        problem.add_row(bounds, terms.collect::<Result<Vec<_>, BackendError>>()?);
    }
    let options = run.options.clone();
    Ok(Some(move || {
        let refused = |_| failed("it refused the model");
        let mut model = problem.try_optimise(sense).map_err(refused)?;
        configure(&mut model, &Options { time_limit: deadline.left(), ..options.clone() })?;
        if let Some(start) = options.start {
            let start: Vec<f64> = start.iter().map(|&x| x as f64).collect();
            model.try_set_solution(Some(&start), None, None, None).map_err(refused)?;
        }
        Ok(model)
    }))
}

/// Passes the options to HiGHS.
fn configure(model: &mut Model, options: &Options) -> Result<(), BackendError> {
    let threads = options.threads.unwrap_or(1);
    if threads == 0 {
        return Err(failed("the number of threads must be at least 1"));
    }
    set(model, "threads", int("threads", threads)?)?;
    if threads > 1 {
        // The default of HiGHS is a sequential tree search.
        set(model, "parallel", "on")?;
    }
    set(model, "random_seed", int("seed", options.seed)?)?;
    set(model, "mip_rel_gap", 0.0)?;
    set(model, "mip_abs_gap", GAP)?;
    if let Some(limit) = options.time_limit {
        set(model, "time_limit", limit.as_secs_f64())?;
    }
    if let Some(limit) = options.node_limit {
        set(model, "mip_max_nodes", i32::try_from(limit).unwrap_or(i32::MAX))?;
    }
    if let Some(presolve) = options.presolve {
        set(model, "presolve", if presolve { "on" } else { "off" })?;
    }
    if let Some(symmetry) = options.symmetry {
        set(model, "mip_detect_symmetry", symmetry)?;
    }
    for option in &options.native {
        let name = option.name();
        match option.value() {
            OptionValue::Flag(value) => set(model, name, *value)?,
            OptionValue::Integer(value) => set(model, name, *value)?,
            OptionValue::Number(value) => set(model, name, *value)?,
            OptionValue::Text(value) => set(model, name, value.as_c_str())?,
        }
    }
    if let Some(log) = &options.log {
        let log = log.to_str().and_then(|path| CString::new(path).ok());
        let log = log.ok_or_else(|| failed("the path of the log is not UTF-8"))?;
        set(model, "log_to_console", false)?;
        set(model, "output_flag", true)?;
        set(model, "log_file", log.as_c_str())?;
    }
    Ok(())
}

fn set(model: &mut Model, name: &str, value: impl HighsOptionValue) -> Result<(), BackendError> {
    model.try_set_option(name, value).map_err(|_| failed(format!("it refused the option {name}")))
}

/// Converts a setting called `name` to the integers of HiGHS.
fn int(name: &str, value: u32) -> Result<i32, BackendError> {
    i32::try_from(value).map_err(|_| failed(format!("{name} {value} is above {}", i32::MAX)))
}

/// State of HiGHS at the end of a run.
#[derive(Debug)]
struct HighsEnd {
    status: c::HighsInt,
    objective: f64,
    last: SolverReport,
    /// Dual value of each row; empty without an optimal LP.
    duals: Vec<f64>,
    /// `true` if HiGHS holds a point that it does not accept. It then reports that an integer
    /// program is infeasible.
    is_spoilt: bool,
}

impl HighsEnd {
    /// Creates the end of a run that was stopped with this status.
    fn stopped(status: c::HighsInt, last: SolverReport) -> Self {
        Self { status, objective: f64::NAN, last, duals: Vec::new(), is_spoilt: false }
    }

    /// Creates the end of a run on a program without columns, whose rows HiGHS ignores.
    fn empty(ilp: &Ilp) -> Self {
        let is_feasible = ilp.violation(&[]).is_none();
        Self {
            status: if is_feasible { c::MODEL_STATUS_OPTIMAL } else { c::MODEL_STATUS_INFEASIBLE },
            objective: 0.0,
            last: SolverReport::default(),
            duals: vec![0.0; ilp.row_count()],
            is_spoilt: false,
        }
    }
}

/// Latest report of a run, shared by the thread of HiGHS and that of the monitor.
#[derive(Debug, Default)]
struct SharedReport(Mutex<SolverReport>);

impl SharedReport {
    /// Returns the report. Each solution is returned once.
    fn take(&self) -> SolverReport {
        let mut latest = self.0.lock();
        SolverReport { solution: latest.solution.take(), ..*latest }
    }

    fn update(&self, report: &ffi::Report<'_>) {
        let mut latest = self.0.lock();
        latest.dual_bound = report.dual_bound.filter(|bound| bound.is_finite()).or(latest.dual_bound);
        latest.nodes = report.nodes.or(latest.nodes);
        latest.lp_iterations = report.lp_iterations.or(latest.lp_iterations);
        if let Some(solution) = report.solution {
            latest.solution = Some(solution.to_vec());
        }
    }
}

/// Number of rows between two checks of the deadline.
const ROWS_PER_CHECK: usize = 4096;

/// Time after the deadline at which a run is stopped; in some phases HiGHS does not check its own limit.
const GRACE: Duration = Duration::from_millis(500);

/// Runs HiGHS on the program of a run, integral or relaxed.
fn run_highs(run: &mut MonitoredRun<'_>, is_integral: bool) -> Result<HighsEnd, BackendError> {
    let Some(model) = translate(run, is_integral)? else {
        return Ok(HighsEnd::stopped(c::MODEL_STATUS_REACHED_TIME_LIMIT, SolverReport::default()));
    };
    let shared = Arc::new(SharedReport::default());
    let of_highs = Arc::clone(&shared);
    let job = move |control: &Control| {
        solve_model(model()?, &|report| {
            of_highs.update(report);
            if control.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    let ended = run.run_on_thread(GRACE, &|| shared.take(), job)?;
    let mut end =
        ended.unwrap_or_else(|| Ok(HighsEnd::stopped(c::MODEL_STATUS_REACHED_INTERRUPT, shared.take())))?;
    if run.is_late && end.status == c::MODEL_STATUS_REACHED_INTERRUPT {
        end.status = c::MODEL_STATUS_REACHED_TIME_LIMIT;
    }
    Ok(end)
}

/// Solves a model and reads the result.
fn solve_model(model: Model, listener: ffi::Listener<'_>) -> Result<HighsEnd, BackendError> {
    let solved = ffi::solve(model, listener).map_err(|_| failed("it could not run"))?;
    let point = ffi::int_info(&solved, c"primal_solution_status");
    let count = |count: Option<i64>| count.and_then(|count| u64::try_from(count).ok());
    Ok(HighsEnd {
        status: ffi::model_status(&solved),
        objective: solved.objective_value(),
        last: SolverReport {
            dual_bound: ffi::double_info(&solved, c"mip_dual_bound").filter(|bound| bound.is_finite()),
            nodes: count(ffi::int64_info(&solved, c"mip_node_count")),
            lp_iterations: count(ffi::int_info(&solved, c"simplex_iteration_count").map(i64::from)),
            solution: (point == Some(c::SOLUTION_STATUS_FEASIBLE))
                .then(|| solved.get_solution().columns().to_vec()),
        },
        duals: if ffi::int_info(&solved, c"dual_solution_status") == Some(c::SOLUTION_STATUS_FEASIBLE) {
            solved.get_solution().dual_rows().to_vec()
        } else {
            Vec::new()
        },
        is_spoilt: point == Some(c::SOLUTION_STATUS_INFEASIBLE),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_statuses_that_prove_nothing() {
        let fault = status_of(c::MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "HiGHS 1.15.0 failed: it ended with model status UnboundedOrInfeasible"
        );
        assert!(status_of(19).unwrap_err().to_string().ends_with("model status 19"));
    }
}
