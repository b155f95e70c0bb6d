//! HiGHS: mixed-integer programming by branch and cut, in floating point.
//!
//! Every run has a thread of its own, and the monitor is called on the thread that asked for the run. So a run can be
//! interrupted even while HiGHS presolves or solves the root LP of an integer program, where it asks nobody for
//! hours: then it is left alone, and ends at its next check. A panic of the monitor never meets C++; and each run may
//! have its own number of threads, because HiGHS keeps its scheduler per calling thread and takes no second number on
//! the same one.
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

use crate::backends::claim::{self, SolverStatus};
use crate::backends::{Backend, BackendError, Options, Outcome, Progress, Relaxation, Run};
use ndqueens_system::cancel::{Control, Deadline, StopReason, run_stoppable};

mod ffi;
pub mod incremental;
use self::ffi::OptionValue;

mod native_option;

pub use self::native_option::{NativeOption, OptionError};

/// Absolute gap at which HiGHS may stop. Objectives are integral, so a dual bound less than 1 away from a solution
/// proves it the best; what is left of the 1 has room for the error of that bound.
const GAP: f64 = 0.99;

/// The HiGHS that is linked in.
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
    /// Its version: `1.15.0`.
    #[must_use]
    pub fn version() -> &'static str {
        ffi::version()
    }

    /// Solves the LP relaxation. Start and node limit have no meaning here.
    ///
    /// # Errors
    /// When HiGHS fails.
    pub fn relax(
        &self,
        programme: &Ilp,
        options: &Options,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Relaxation, BackendError> {
        let began = Instant::now();
        let deadline = Deadline::since(began, options.time_limit);
        let options = Options { start: None, node_limit: None, ..options.clone() };
        let answer = match model_of(programme, false, options, deadline)? {
            Some(model) => {
                run_watched(model, deadline, &mut |latest| monitor(&latest.progress(began, None)))?
                    .or_empty(programme)
            }
            None => HighsEnd::late(),
        };
        let optimal = answer.status == c::MODEL_STATUS_OPTIMAL;
        Ok(Relaxation {
            value: optimal.then_some(answer.objective),
            point: answer.latest.solution.filter(|_| optimal).unwrap_or_default(),
            duals: if optimal { answer.duals } else { Vec::new() },
            stop: match status_of(answer.status)? {
                SolverStatus::Stopped(reason) => reason,
                SolverStatus::Optimal | SolverStatus::Infeasible | SolverStatus::Unbounded => {
                    StopReason::Finished
                }
            },
            lp_iterations: answer.latest.lp_iterations.unwrap_or(0),
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// The optimal value of the program in an LP or MPS file (the ending of its name says which), in floating
    /// point; `None` when it is infeasible.
    ///
    /// # Errors
    /// When HiGHS cannot read or solve it.
    pub fn optimum_of_file(&self, path: &Path) -> Result<Option<f64>, BackendError> {
        let name = path.to_str().and_then(|path| CString::new(path).ok());
        let model = move || {
            let mut model = ColProblem::new().optimise(highs::Sense::Minimise);
            configure(&mut model, &Options::default())?;
            match name {
                Some(name) if ffi::read_model(&mut model, &name) => Ok(model),
                _ => Err(failed("it cannot read the file")),
            }
        };
        let answer = run_watched(model, Deadline::NEVER, &mut |_| ControlFlow::Continue(()))?;
        match answer.status {
            c::MODEL_STATUS_OPTIMAL => Ok(Some(answer.objective)),
            c::MODEL_STATUS_INFEASIBLE => Ok(None),
            status => Err(failed(unexpected(status))),
        }
    }
}

impl Backend for Highs {
    fn solver(&self) -> String {
        format!("HiGHS {}", Self::version())
    }

    fn refuses(&self, _options: &Options, _start: bool) -> Option<&'static str> {
        None
    }

    fn solve(
        &self,
        programme: &Ilp,
        options: &Options,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Run, BackendError> {
        let began = Instant::now();
        let deadline = Deadline::since(began, options.time_limit);
        if let Some(violation) = options.start.as_ref().and_then(|start| programme.violation(start)) {
            return Err(BackendError::BadStart(violation));
        }
        let mut best = options.start.clone();
        let mut tick = |latest: Latest| {
            let solution = latest.solution.as_deref().and_then(|point| claim::feasible(programme, point));
            best = solution.or(best.take());
            monitor(&latest.progress(began, best.as_ref().map(|point| programme.value(point))))
        };
        let answer = match model_of(programme, true, options.clone(), deadline)? {
            Some(model) => run_watched(model, deadline, &mut tick)?.or_empty(programme),
            None => HighsEnd::late(),
        };
        if answer.spoilt && answer.status == c::MODEL_STATUS_INFEASIBLE && best.is_none() {
            return Err(failed("it found solutions, but none within its own tolerances"));
        }
        let bound =
            answer.latest.dual_bound.and_then(|bound| claim::integral_bound(programme.sense(), bound));
        let said = claim::SolverAnswer {
            claim: status_of(answer.status)?,
            solution: answer.latest.solution.as_deref().map(claim::rounded),
            bound,
        };
        let (outcome, stop) = said.judge(programme, best, &self.solver())?;
        if let Outcome::Optimal { value, .. } = outcome
            && bound.is_none()
            && programme.sense() != Sense::Feasibility
        {
            let violation = format!("it states no dual bound with its optimum {value}");
            return Err(BackendError::wrong(self.solver(), violation));
        }
        // To a feasibility problem, HiGHS states a bound on the constant 0.
        let optimise = programme.sense() != Sense::Feasibility;
        Ok(Run {
            solver: self.solver(),
            outcome,
            stop,
            dual_bound: answer.latest.dual_bound.filter(|_| optimise),
            nodes: answer.latest.nodes,
            lp_iterations: answer.latest.lp_iterations,
            seconds: began.elapsed().as_secs_f64(),
        })
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
        // "Unbounded or infeasible" is here too: all columns are bounded, so half of it is false, and the other half
        // is no proof.
        _ => Err(failed(unexpected(status))),
    }
}

fn unexpected(status: c::HighsInt) -> String {
    match HighsModelStatus::try_from(status) {
        Ok(status) => format!("it ended with model status {status:?}"),
        Err(_) => format!("it ended with model status {status}"),
    }
}

fn failed(fault: impl Into<String>) -> BackendError {
    BackendError::failed(Highs.solver(), fault)
}

fn exact(number: i64) -> Result<f64, BackendError> {
    claim::exact(number, &Highs.solver())
}

/// Translates a program; what is returned makes HiGHS's model of it, on the thread that will solve it. `None` when time was
/// up before the last row.
fn model_of(
    programme: &Ilp,
    integral: bool,
    options: Options,
    deadline: Deadline,
) -> Result<Option<impl FnOnce() -> Result<Model, BackendError> + Send + 'static>, BackendError> {
    let size = programme.nonzeros().max(programme.row_count()).max(programme.columns().len());
    if i32::try_from(size).is_err() {
        return Err(failed("the program is too large for its 32-bit indices"));
    }
    let (sense, has_objective) = match programme.sense() {
        Sense::Maximise => (highs::Sense::Maximise, true),
        Sense::Minimise => (highs::Sense::Minimise, true),
        Sense::Feasibility => (highs::Sense::Minimise, false),
    };
    let mut problem = RowProblem::new();
    let mut columns = Vec::with_capacity(programme.columns().len());
    for column in programme.columns() {
        let cost = if has_objective { exact(column.objective)? } else { 0.0 };
        let bounds = exact(column.lower)?..=exact(column.upper)?;
        columns.push(problem.add_column_with_integrality(cost, bounds, integral));
    }
    for (number, row) in programme.rows().enumerate() {
        // The program without its later rows would be another one.
        if number.is_multiple_of(ROWS_AT_A_TIME) && number > 0 && deadline.is_over() {
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

fn configure(model: &mut Model, options: &Options) -> Result<(), BackendError> {
    let threads = options.threads.unwrap_or(1);
    if threads == 0 {
        return Err(failed("the number of threads must be at least 1"));
    }
    set(model, "threads", int("threads", threads)?)?;
    if threads > 1 {
        // The tree is searched in parallel only on demand.
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

fn int(what: &str, value: u32) -> Result<i32, BackendError> {
    i32::try_from(value).map_err(|_| failed(format!("{what} {value} is above {}", i32::MAX)))
}

/// What is known of a run that goes on.
#[derive(Debug, Default)]
struct Latest {
    /// Finite.
    dual_bound: Option<f64>,
    nodes: Option<u64>,
    lp_iterations: Option<u64>,
    /// A solution better than all before, unless it has been taken from here.
    solution: Option<Vec<f64>>,
}

impl Latest {
    fn progress(&self, began: Instant, incumbent: Option<i64>) -> Progress {
        Progress {
            seconds: began.elapsed().as_secs_f64(),
            incumbent,
            dual_bound: self.dual_bound,
            nodes: self.nodes,
            lp_iterations: self.lp_iterations,
        }
    }
}

/// What is known at the end of a run.
#[derive(Debug)]
struct HighsEnd {
    status: c::HighsInt,
    objective: f64,
    latest: Latest,
    /// One for each row; none without an optimal LP.
    duals: Vec<f64>,
    /// HiGHS holds a point that it does not accept. It calls an integer program infeasible then.
    spoilt: bool,
}

impl HighsEnd {
    /// Time was up before HiGHS was asked.
    fn late() -> Self {
        Self { status: c::MODEL_STATUS_REACHED_TIME_LIMIT, ..Self::interrupted(Latest::default()) }
    }

    /// HiGHS was left alone.
    fn interrupted(latest: Latest) -> Self {
        Self {
            status: c::MODEL_STATUS_REACHED_INTERRUPT,
            objective: f64::NAN,
            latest,
            duals: Vec::new(),
            spoilt: false,
        }
    }

    /// HiGHS does not look at the rows of a model without columns: this does.
    fn or_empty(self, programme: &Ilp) -> Self {
        if self.status != c::MODEL_STATUS_MODEL_EMPTY {
            return self;
        }
        let feasible = programme.violation(&[]).is_none();
        Self {
            status: if feasible { c::MODEL_STATUS_OPTIMAL } else { c::MODEL_STATUS_INFEASIBLE },
            objective: 0.0,
            latest: Latest {
                dual_bound: feasible.then_some(0.0),
                solution: feasible.then(Vec::new),
                ..self.latest
            },
            duals: vec![0.0; programme.row_count()],
            spoilt: false,
        }
    }
}

/// What is known of a run, for the threads that share it.
#[derive(Debug, Default)]
struct Shared(Mutex<Latest>);

impl Shared {
    /// What is new; a solution is handed out once.
    fn news(&self) -> Latest {
        let mut latest = self.0.lock();
        Latest { solution: latest.solution.take(), ..*latest }
    }

    fn hear(&self, report: &ffi::Report<'_>) {
        let mut latest = self.0.lock();
        latest.dual_bound = report.dual_bound.filter(|bound| bound.is_finite()).or(latest.dual_bound);
        latest.nodes = report.nodes.or(latest.nodes);
        latest.lp_iterations = report.lp_iterations.or(latest.lp_iterations);
        if let Some(solution) = report.solution {
            latest.solution = Some(solution.to_vec());
        }
    }
}

/// Rows between two looks at the clock.
const ROWS_AT_A_TIME: usize = 4096;

/// How long HiGHS may take to see that time is up; in some phases it does not look at the clock.
const GRACE: Duration = Duration::from_millis(500);

/// Runs HiGHS on a thread of its own, and calls `tick` on this one until it breaks off, time is up or HiGHS has ended.
fn run_watched(
    model: impl FnOnce() -> Result<Model, BackendError> + Send + 'static,
    deadline: Deadline,
    tick: &mut dyn FnMut(Latest) -> ControlFlow<()>,
) -> Result<HighsEnd, BackendError> {
    let shared = Arc::new(Shared::default());
    let theirs = Arc::clone(&shared);
    let job = move |control: &Control| model().and_then(|model| solve(model, &theirs, control));
    let (late, mut is_late) = (deadline.later(GRACE), false);
    let mut go_on = || {
        is_late |= late.is_over();
        if is_late { ControlFlow::Break(()) } else { tick(shared.news()) }
    };
    let ended = run_stoppable("highs", job, &mut go_on).map_err(|fault| failed(fault.to_string()))?;
    let mut answer = ended.unwrap_or_else(|| Ok(HighsEnd::interrupted(shared.news())))?;
    if is_late && answer.status == c::MODEL_STATUS_REACHED_INTERRUPT {
        answer.status = c::MODEL_STATUS_REACHED_TIME_LIMIT;
    }
    Ok(answer)
}

fn solve(model: Model, shared: &Shared, control: &Control) -> Result<HighsEnd, BackendError> {
    let listener = |report: &ffi::Report<'_>| {
        shared.hear(report);
        if control.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let solved = ffi::solve(model, &listener).map_err(|_| failed("it could not run"))?;
    let point = ffi::int_info(&solved, c"primal_solution_status");
    let count = |count: Option<i64>| count.and_then(|count| u64::try_from(count).ok());
    Ok(HighsEnd {
        status: ffi::model_status(&solved),
        objective: solved.objective_value(),
        latest: Latest {
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
        spoilt: point == Some(c::SOLUTION_STATUS_INFEASIBLE),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backends::claim::{EXACT, integral_bound};

    #[test]
    fn a_bound_is_rounded_to_the_safe_side() {
        let maximum = |bound| integral_bound(Sense::Maximise, bound);
        assert_eq!(maximum(12.7), Some(12));
        assert_eq!(maximum(11.999_95), Some(12));
        assert_eq!(maximum(11.99), Some(11));
        assert_eq!(maximum(-0.5), Some(-1));
        let minimum = |bound| integral_bound(Sense::Minimise, bound);
        assert_eq!(minimum(12.3), Some(13));
        assert_eq!(minimum(12.000_05), Some(12));
        assert_eq!(minimum(-0.5), Some(0));
    }

    #[test]
    fn no_integer_is_proved_by_a_bound_that_is_not_one() {
        for bound in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e17] {
            assert_eq!(integral_bound(Sense::Maximise, bound), None);
            assert_eq!(integral_bound(Sense::Minimise, bound), None);
        }
        assert_eq!(integral_bound(Sense::Feasibility, 0.0), None);
    }

    #[test]
    fn numbers_that_floats_do_not_hold_are_refused() {
        assert_eq!(exact(-EXACT), Ok(-9_007_199_254_740_992.0));
        assert!(exact(EXACT + 1).is_err());
        assert!(exact(i64::MIN).is_err());
    }

    #[test]
    fn a_claim_of_unboundedness_is_no_proof() {
        let fault = status_of(c::MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "HiGHS 1.15.0 failed: it ended with model status UnboundedOrInfeasible"
        );
        assert!(status_of(19).unwrap_err().to_string().ends_with("model status 19"));
    }
}
