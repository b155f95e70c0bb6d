//! The C calls of HiGHS that the `highs` crate lacks. All unsafe code of the driver is here.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::{ptr, slice};

use highs::{HighsStatus, Model, SolvedModel};
use highs_sys as c;

/// What HiGHS tells from inside a run.
pub(super) struct Report<'a> {
    pub(super) dual_bound: Option<f64>,
    pub(super) nodes: Option<u64>,
    pub(super) lp_iterations: Option<u64>,
    /// A solution that is better than all before, one value for each column.
    pub(super) solution: Option<&'a [f64]>,
}

/// Hears the reports of a run, and may stop it. It is called very often, and must not panic.
pub(super) type Listener<'a> = &'a dyn Fn(&Report<'_>) -> ControlFlow<()>;

/// Version of the HiGHS that is linked in.
pub(super) fn version() -> &'static str {
    // SAFETY: HiGHS returns a constant string that ends in NUL and is never freed.
    let version = unsafe { CStr::from_ptr(c::Highs_version()) };
    version.to_str().expect("a version is digits and dots")
}

/// Runs HiGHS while `listener` hears its reports.
pub(super) fn solve(mut model: Model, listener: Listener<'_>) -> Result<SolvedModel, HighsStatus> {
    let highs = model.as_mut_ptr();
    // SAFETY: `highs` is a live instance, and `listener` lives until this function returns; before that the
    // callback is taken out again, or `try_solve` has dropped the instance.
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

/// Passes what HiGHS says on to the listener, and its wish to stop back.
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
    // Fields that do not belong to the kind of callback hold nothing of value.
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
    let wish = listener(&report);
    // HiGHS does not expect to be stopped while it stores a solution.
    if let (ControlFlow::Break(()), false, Some(input)) = (wish, improving, input) {
        input.user_interrupt = 1;
    }
}

/// The model status as a number: `SolvedModel::status` panics on those that it does not know.
pub(super) fn model_status(solved: &SolvedModel) -> c::HighsInt {
    // SAFETY: the instance is live.
    unsafe { c::Highs_getModelStatus(solved.as_ptr()) }
}

/// A value of the run that HiGHS keeps as an `int`.
pub(super) fn int_info(solved: &SolvedModel, name: &CStr) -> Option<c::HighsInt> {
    let mut value = 0;
    // SAFETY: the instance is live, the name ends in NUL, and HiGHS checks that the value is an `int`.
    let status = unsafe { c::Highs_getIntInfoValue(solved.as_ptr(), name.as_ptr(), &raw mut value) };
    (status == c::STATUS_OK).then_some(value)
}

/// A value of the run that HiGHS keeps as an `int64_t`.
pub(super) fn int64_info(solved: &SolvedModel, name: &CStr) -> Option<i64> {
    let mut value = 0;
    // SAFETY: the instance is live, the name ends in NUL, and HiGHS checks that the value is an `int64_t`.
    let status = unsafe { c::Highs_getInt64InfoValue(solved.as_ptr(), name.as_ptr(), &raw mut value) };
    (status == c::STATUS_OK).then_some(value)
}

/// A value of the run that HiGHS keeps as a `double`.
pub(super) fn double_info(solved: &SolvedModel, name: &CStr) -> Option<f64> {
    let mut value = 0.0;
    // SAFETY: the instance is live, the name ends in NUL, and HiGHS checks that the value is a `double`.
    let status = unsafe { c::Highs_getDoubleInfoValue(solved.as_ptr(), name.as_ptr(), &raw mut value) };
    (status == c::STATUS_OK).then_some(value)
}

/// Replaces the model by that of an LP or MPS file; the ending of the name says which. `false` when HiGHS cannot
/// read it.
pub(super) fn read_model(model: &mut Model, path: &CString) -> bool {
    // SAFETY: the instance is live, and the path ends in NUL.
    let status = unsafe { c::Highs_readModel(model.as_mut_ptr(), path.as_ptr()) };
    status != c::STATUS_ERROR
}
