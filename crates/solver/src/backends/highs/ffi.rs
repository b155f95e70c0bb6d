//! C functions of HiGHS that the crate `highs` does not wrap. They hold all unsafe code of the driver.

#![allow(unsafe_code, reason = "HiGHS has a C interface")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::{fmt, ptr, slice};

use highs::{HighsStatus, Model, SolvedModel};
use highs_sys as c;
use ndqueens_system::cancel::Control;

/// Report of HiGHS from a callback.
pub(super) struct Report<'a> {
    pub(super) dual_bound: Option<f64>,
    pub(super) nodes: Option<u64>,
    pub(super) lp_iterations: Option<u64>,
    /// Solution that is better than all before, one value for each column.
    pub(super) solution: Option<&'a [f64]>,
}

/// Receiver of the reports of a run, which may stop it. It is called very often and must not panic.
pub(super) type Listener<'a> = &'a dyn Fn(&Report<'_>) -> ControlFlow<()>;

/// Returns the version of the linked library.
pub(super) fn version() -> &'static str {
    // SAFETY: HiGHS returns a constant string that ends in NUL and is never freed.
    let version = unsafe { CStr::from_ptr(c::Highs_version()) };
    version.to_str().expect("a version is digits and dots")
}

/// Runs HiGHS, and passes its reports to `listener`.
pub(super) fn solve(mut model: Model, listener: Listener<'_>) -> Result<SolvedModel, HighsStatus> {
    let highs = model.as_mut_ptr();
    // SAFETY: `highs` is a live instance, and `listener` lives until this function returns. Before that, the
    // callback is removed, or `try_solve` has dropped the instance.
    unsafe {
        c::Highs_setCallback(highs, Some(report), (&raw const listener).cast_mut().cast());
        for kind in [
            c::kHighsCallbackSimplexInterrupt,
            c::kHighsCallbackIpmInterrupt,
            c::kHighsCallbackMipInterrupt,
            c::kHighsCallbackMipImprovingSolution,
        ] {
            c::Highs_startCallback(highs, kind);
        }
    }
    let mut solved = model.try_solve()?;
    // SAFETY: the instance is live; this also switches all kinds of callback off.
    unsafe { c::Highs_setCallback(solved.as_mut_ptr(), None, ptr::null_mut()) };
    Ok(solved)
}

/// Passes a report of HiGHS to the listener, and the stop request of the listener to HiGHS.
///
/// # Safety
/// `listener` points to a live [`Listener`]; the other pointers are those that HiGHS passes to a callback.
unsafe extern "C" fn report(
    kind: c_int,
    _message: *const c_char,
    output: *const c::HighsCallbackDataOut,
    input: *mut c::HighsCallbackDataIn,
    listener: *mut c_void,
) {
    // SAFETY: by the contract above; HiGHS keeps both structures for the length of the call.
    let (output, input, listener) =
        unsafe { (&*output, input.as_mut(), &*listener.cast_const().cast::<Listener<'_>>()) };
    // Fields that do not belong to the kind of callback are not set.
    let improving = kind == c::kHighsCallbackMipImprovingSolution;
    let report = if improving || kind == c::kHighsCallbackMipInterrupt {
        let solution = improving.then(|| {
            let length = usize::try_from(output.mip_solution_size).unwrap_or(0);
            // SAFETY: with this kind of callback `mip_solution` holds that many values.
            unsafe { slice::from_raw_parts(output.mip_solution, length) }
        });
        Report {
            dual_bound: Some(output.mip_dual_bound),
            nodes: u64::try_from(output.mip_node_count).ok(),
            lp_iterations: u64::try_from(output.mip_total_lp_iterations).ok(),
            solution,
        }
    } else {
        Report {
            dual_bound: None,
            nodes: None,
            lp_iterations: u64::try_from(output.simplex_iteration_count).ok(),
            solution: None,
        }
    };
    let request = listener(&report);
    // HiGHS does not support a stop while it stores a solution.
    if let (ControlFlow::Break(()), false, Some(input)) = (request, improving, input) {
        input.user_interrupt = 1;
    }
}

/// Returns the model status as a number. `SolvedModel::status` panics if it is unknown.
pub(super) fn model_status(solved: &SolvedModel) -> c::HighsInt {
    // SAFETY: the instance is live.
    unsafe { c::Highs_getModelStatus(solved.as_ptr()) }
}

/// Returns a value of the run of type `int`.
pub(super) fn int_info(solved: &SolvedModel, name: &CStr) -> Option<c::HighsInt> {
    let mut value = 0;
    // SAFETY: the instance is live, the name ends in NUL, and HiGHS checks that the value is an `int`.
    let status = unsafe { c::Highs_getIntInfoValue(solved.as_ptr(), name.as_ptr(), &raw mut value) };
    (status == c::STATUS_OK).then_some(value)
}

/// Returns a value of the run of type `int64_t`.
pub(super) fn int64_info(solved: &SolvedModel, name: &CStr) -> Option<i64> {
    let mut value = 0;
    // SAFETY: the instance is live, the name ends in NUL, and HiGHS checks that the value is an `int64_t`.
    let status = unsafe { c::Highs_getInt64InfoValue(solved.as_ptr(), name.as_ptr(), &raw mut value) };
    (status == c::STATUS_OK).then_some(value)
}

/// Returns a value of the run of type `double`.
pub(super) fn double_info(solved: &SolvedModel, name: &CStr) -> Option<f64> {
    let mut value = 0.0;
    // SAFETY: the instance is live, the name ends in NUL, and HiGHS checks that the value is a `double`.
    let status = unsafe { c::Highs_getDoubleInfoValue(solved.as_ptr(), name.as_ptr(), &raw mut value) };
    (status == c::STATUS_OK).then_some(value)
}

/// Replaces the model by that of an LP or MPS file, which are distinguished by the ending of the name.
/// Returns `false` if HiGHS cannot read the file.
pub(super) fn read_model(model: &mut Model, path: &CString) -> bool {
    // SAFETY: the instance is live, and the path ends in NUL.
    let status = unsafe { c::Highs_readModel(model.as_mut_ptr(), path.as_ptr()) };
    status != c::STATUS_ERROR
}

/// Value of an option of HiGHS.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum OptionValue {
    Flag(bool),
    Integer(c::HighsInt),
    Number(f64),
    Text(CString),
}

/// Values that an option of HiGHS can have.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum OptionKind {
    Flag,
    Integer { least: c::HighsInt, most: c::HighsInt },
    Number { least: f64, most: f64 },
    Text,
}

impl OptionKind {
    /// Parses a value of this kind. Returns `None` if the text is no such value.
    pub(super) fn parse(&self, text: &str) -> Option<OptionValue> {
        match self {
            Self::Flag => match text {
                "true" | "on" => Some(OptionValue::Flag(true)),
                "false" | "off" => Some(OptionValue::Flag(false)),
                _ => None,
            },
            Self::Integer { least, most } => {
                let value = text.parse().ok().filter(|value| (least..=most).contains(&value));
                value.map(OptionValue::Integer)
            }
            Self::Number { least, most } => {
                let value = text.parse().ok().filter(|value| (least..=most).contains(&value));
                value.map(OptionValue::Number)
            }
            Self::Text => CString::new(text).ok().map(OptionValue::Text),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => write!(f, "true or false"),
            Self::Integer { least, most } => write!(f, "an integer from {least} to {most}"),
            Self::Number { least, most } => write!(f, "a number from {least} to {most}"),
            Self::Text => write!(f, "one of the words in the documentation of HiGHS"),
        }
    }
}

/// Options of an instance of HiGHS that solves nothing.
pub(super) struct OptionList(*mut c_void);

impl OptionList {
    pub(super) fn new() -> Self {
        // SAFETY: the instance is destroyed with the list. HiGHS prints nothing without this flag.
        unsafe {
            let highs = c::Highs_create();
            c::Highs_setBoolOptionValue(highs, c"output_flag".as_ptr(), 0);
            Self(highs)
        }
    }

    /// Returns the names of all options.
    pub(super) fn names(&self) -> Vec<String> {
        // SAFETY: the instance is live.
        let number = unsafe { c::Highs_getNumOptions(self.0) };
        let name = |index| {
            let mut name = ptr::null_mut();
            // SAFETY: the instance is live. HiGHS allocates the name with `malloc` and
            // leaves it to the caller.
            unsafe {
                if c::Highs_getOptionName(self.0, index, &raw mut name) == c::STATUS_ERROR || name.is_null() {
                    return None;
                }
                let copy = CStr::from_ptr(name).to_string_lossy().into_owned();
                free(name.cast());
                Some(copy)
            }
        };
        (0..number).filter_map(name).collect()
    }

    /// Returns the values that an option can have, or `None` if there is no option of this name.
    pub(super) fn kind(&self, name: &str) -> Option<OptionKind> {
        let name = CString::new(name).ok()?;
        let (mut kind, mut now, mut least, mut most, mut default) = (0, 0, 0, 0, 0);
        let (mut real_now, mut real_least, mut real_most, mut real_default) = (0.0, 0.0, 0.0, 0.0);
        // SAFETY: the instance is live, the name ends in NUL, and HiGHS checks that the values have the
        // type of the option.
        unsafe {
            if c::Highs_getOptionType(self.0, name.as_ptr(), &raw mut kind) != c::STATUS_OK {
                return None;
            }
            match kind {
                c::kHighsOptionTypeBool => Some(OptionKind::Flag),
                c::kHighsOptionTypeInt => {
                    let (now, least, most, default) =
                        (&raw mut now, &raw mut least, &raw mut most, &raw mut default);
                    c::Highs_getIntOptionValues(self.0, name.as_ptr(), now, least, most, default);
                    Some(OptionKind::Integer { least: *least, most: *most })
                }
                c::kHighsOptionTypeDouble => {
                    let (now, least, most, default) =
                        (&raw mut real_now, &raw mut real_least, &raw mut real_most, &raw mut real_default);
                    c::Highs_getDoubleOptionValues(self.0, name.as_ptr(), now, least, most, default);
                    Some(OptionKind::Number { least: *least, most: *most })
                }
                _ => Some(OptionKind::Text),
            }
        }
    }

    /// Returns `true` if HiGHS accepts a value of an option.
    pub(super) fn accepts(&self, name: &str, value: &OptionValue) -> bool {
        let Ok(name) = CString::new(name) else { return false };
        // SAFETY: the instance is live, and the texts end in NUL.
        let status = unsafe {
            match value {
                OptionValue::Flag(on) => {
                    c::Highs_setBoolOptionValue(self.0, name.as_ptr(), c::HighsInt::from(*on))
                }
                OptionValue::Integer(value) => c::Highs_setIntOptionValue(self.0, name.as_ptr(), *value),
                OptionValue::Number(value) => c::Highs_setDoubleOptionValue(self.0, name.as_ptr(), *value),
                OptionValue::Text(value) => {
                    c::Highs_setStringOptionValue(self.0, name.as_ptr(), value.as_ptr())
                }
            }
        };
        status == c::STATUS_OK
    }
}

impl Drop for OptionList {
    fn drop(&mut self) {
        // SAFETY: the instance is live and not used afterwards.
        unsafe { c::Highs_destroy(self.0) }
    }
}

unsafe extern "C" {
    /// Frees memory that the C library allocated.
    fn free(memory: *mut c_void);
}

/// Basis statuses of columns and rows, in the numbers of HiGHS.
#[derive(Debug, Clone, Default)]
pub(super) struct BasisStatuses {
    pub(super) columns: Vec<c::HighsInt>,
    pub(super) rows: Vec<c::HighsInt>,
}

/// Values of the last LP solution.
#[derive(Debug, Clone, Default)]
pub(super) struct LpSolution {
    pub(super) columns: Vec<f64>,
    pub(super) row_duals: Vec<f64>,
}

/// Converts a length to the integers of HiGHS.
fn length(items: usize) -> Result<c::HighsInt, HighsStatus> {
    c::HighsInt::try_from(items).map_err(|_| HighsStatus::Error)
}

/// Converts the status of a call to a result.
fn check(status: c::HighsInt) -> Result<(), HighsStatus> {
    if status == c::STATUS_ERROR { Err(HighsStatus::Error) } else { Ok(()) }
}

/// Solves the LP of a model from its current basis. The model keeps the solution and the new basis.
pub(super) fn run(model: &mut Model) -> Result<c::HighsInt, HighsStatus> {
    let highs = model.as_mut_ptr();
    // SAFETY: the instance is live.
    unsafe {
        check(c::Highs_run(highs))?;
        Ok(c::Highs_getModelStatus(highs))
    }
}

/// Makes HiGHS poll `control` during each simplex run, and end the run if it is stopped.
///
/// # Safety
/// `control` must stay in place until the model is dropped.
pub(super) unsafe fn stop_on(model: &mut Model, control: &Control) {
    // SAFETY: the instance is live, and by the contract above the control outlives it.
    unsafe {
        let data = ptr::from_ref(control).cast_mut().cast();
        c::Highs_setCallback(model.as_mut_ptr(), Some(interrupt_if_stopped), data);
        c::Highs_startCallback(model.as_mut_ptr(), c::kHighsCallbackSimplexInterrupt);
    }
}

/// Sets `user_interrupt` if the control is stopped.
///
/// # Safety
/// `control` points to a live [`Control`]; the other pointers are those that HiGHS passes to a callback.
unsafe extern "C" fn interrupt_if_stopped(
    _kind: c_int,
    _message: *const c_char,
    _output: *const c::HighsCallbackDataOut,
    input: *mut c::HighsCallbackDataIn,
    control: *mut c_void,
) {
    // SAFETY: by the contract above.
    let (input, control) = unsafe { (input.as_mut(), &*control.cast_const().cast::<Control>()) };
    if let Some(input) = input {
        input.user_interrupt = c_int::from(control.is_stopped());
    }
}

/// Changes the bounds of some columns, given in increasing order.
pub(super) fn change_column_bounds(
    model: &mut Model,
    columns: &[c::HighsInt],
    lower: &[f64],
    upper: &[f64],
) -> Result<(), HighsStatus> {
    assert!(columns.len() == lower.len() && columns.len() == upper.len(), "one pair of bounds a column");
    if columns.is_empty() {
        return Ok(());
    }
    // SAFETY: the instance is live, and the three arrays have the same length.
    check(unsafe {
        c::Highs_changeColsBoundsBySet(
            model.as_mut_ptr(),
            length(columns.len())?,
            columns.as_ptr(),
            lower.as_ptr(),
            upper.as_ptr(),
        )
    })
}

/// Row of a linear program: a weighted sum of variables with a bound.
#[derive(Debug, Clone, Copy)]
pub struct LpRow<'r> {
    /// Numbers of the variables.
    pub columns: &'r [u32],
    /// Coefficient of each variable; all 1 if absent.
    pub coefficients: Option<&'r [u32]>,
    /// Upper bound, or lower bound in a program that minimises.
    pub rhs: u32,
}

/// Direction of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    AtMost,
    AtLeast,
}

/// Adds rows, all of one direction.
pub(super) fn add_rows(
    model: &mut Model,
    rows: &[LpRow<'_>],
    direction: Direction,
) -> Result<(), HighsStatus> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut starts = Vec::with_capacity(rows.len());
    let (mut index, mut values) = (Vec::new(), Vec::new());
    for row in rows {
        starts.push(length(index.len())?);
        for &column in row.columns {
            index.push(c::HighsInt::try_from(column).map_err(|_| HighsStatus::Error)?);
        }
        values.extend(row.coefficients.unwrap_or_default().iter().copied().map(f64::from));
        // The coefficients are 1 where none are given.
        values.resize(index.len(), 1.0);
    }
    let right: Vec<f64> = rows.iter().map(|row| f64::from(row.rhs)).collect();
    let (lower, upper) = match direction {
        Direction::AtMost => (vec![f64::NEG_INFINITY; rows.len()], right),
        Direction::AtLeast => (right, vec![f64::INFINITY; rows.len()]),
    };
    // SAFETY: the instance is live, and the arrays have the lengths that are passed with them.
    check(unsafe {
        c::Highs_addRows(
            model.as_mut_ptr(),
            length(rows.len())?,
            lower.as_ptr(),
            upper.as_ptr(),
            length(index.len())?,
            starts.as_ptr(),
            index.as_ptr(),
            values.as_ptr(),
        )
    })
}

/// Deletes some rows, given in increasing order.
pub(super) fn delete_rows(model: &mut Model, rows: &[c::HighsInt]) -> Result<(), HighsStatus> {
    if rows.is_empty() {
        return Ok(());
    }
    // SAFETY: the instance is live, and the array has the length that is passed with it.
    check(unsafe { c::Highs_deleteRowsBySet(model.as_mut_ptr(), length(rows.len())?, rows.as_ptr()) })
}

/// Returns the statuses of all columns and rows in the basis of the last run.
pub(super) fn basis(model: &Model) -> Result<BasisStatuses, HighsStatus> {
    let mut statuses = BasisStatuses { columns: vec![0; model.num_cols()], rows: vec![0; model.num_rows()] };
    // SAFETY: the instance is live, and the arrays have an entry for each column and row.
    check(unsafe {
        c::Highs_getBasis(model.as_ptr(), statuses.columns.as_mut_ptr(), statuses.rows.as_mut_ptr())
    })?;
    Ok(statuses)
}

/// Makes the next run start from a basis.
pub(super) fn set_basis(model: &mut Model, statuses: &BasisStatuses) -> Result<(), HighsStatus> {
    assert_eq!(statuses.columns.len(), model.num_cols(), "one status a column");
    assert_eq!(statuses.rows.len(), model.num_rows(), "one status a row");
    // SAFETY: the instance is live, and the arrays have an entry for each column and row.
    check(unsafe { c::Highs_setBasis(model.as_mut_ptr(), statuses.columns.as_ptr(), statuses.rows.as_ptr()) })
}

/// Returns the solution of the last run.
pub(super) fn lp_solution(model: &Model) -> Result<LpSolution, HighsStatus> {
    let mut solution =
        LpSolution { columns: vec![0.0; model.num_cols()], row_duals: vec![0.0; model.num_rows()] };
    // SAFETY: the instance is live, the arrays have an entry for each column and row, and null pointers are
    // allowed for values that are not requested.
    check(unsafe {
        c::Highs_getSolution(
            model.as_ptr(),
            solution.columns.as_mut_ptr(),
            ptr::null_mut(),
            ptr::null_mut(),
            solution.row_duals.as_mut_ptr(),
        )
    })?;
    Ok(solution)
}

/// Returns the number of simplex iterations of the last run, and its objective value.
pub(super) fn last_run(model: &Model) -> (i64, f64) {
    let (mut iterations, mut objective) = (0, f64::NAN);
    // SAFETY: the instance is live, the names end in NUL, and HiGHS checks the types of the values.
    unsafe {
        let highs = model.as_ptr();
        let _ = c::Highs_getIntInfoValue(highs, c"simplex_iteration_count".as_ptr(), &raw mut iterations);
        let _ = c::Highs_getDoubleInfoValue(highs, c"objective_function_value".as_ptr(), &raw mut objective);
    }
    (iterations.into(), objective)
}
