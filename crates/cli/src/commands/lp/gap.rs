//! Best known bounds of a board, and the gap between an LP bound and them.

use anyhow::anyhow;
use ndqueens_archive::archive::Archive;
use ndqueens_archive::best::{self, Trust};
use ndqueens_archive::bounds::Strength;
use ndqueens_archive::certificates::Stored;
use ndqueens_model::board::Board;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

/// Best known bounds of a board, with which LP bounds are compared.
#[derive(Clone, Copy)]
pub(super) struct Alpha {
    pub(super) at_least: u64,
    at_most: u64,
    status: Strength,
}

/// Comparison of an LP bound with the best known bounds.
#[derive(Default, JsonSchema, Serialize)]
pub(in crate::commands) struct Comparison {
    /// Most queens that are known to fit; absent for other problems than independent sets.
    pub(super) alpha_at_least: Option<u64>,
    /// Best known upper bound on the number of queens.
    pub(super) alpha_at_most: Option<u64>,
    /// Status of the weaker one of these two bounds.
    pub(super) alpha_status: Option<Strength>,
    /// LP bound minus the most queens that are known to fit.
    pub(super) gap: Option<f64>,
    /// Share of the gap of the formulation base that is closed: 1 for all of it, negative if the bound is
    /// weaker; absent if base has no gap.
    pub(super) gap_closed: Option<f64>,
    /// Bound of HiGHS at the root node of the integer program, after its own cuts, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root_bound: Option<f64>,
    /// Solution of the integer program, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) integer: Option<IntegerRun>,
}

/// Solution of an integer program by HiGHS.
#[derive(JsonSchema, Serialize)]
pub(in crate::commands) struct IntegerRun {
    /// Queens of the best solution, checked.
    pub(super) queens: Option<i64>,
    /// `true` if HiGHS proved it optimal in floating point.
    pub(super) optimal: bool,
    pub(super) seconds: f64,
    pub(super) nodes: Option<u64>,
    pub(super) stop: String,
}

impl Alpha {
    /// Returns the best known bounds of a board.
    pub(super) fn of(
        board: &Board,
        certificates: &[Stored],
        archive: &Archive,
        deadline: Deadline,
    ) -> anyhow::Result<Self> {
        let found = best::best(archive, board, Trust::Reported, certificates, deadline);
        let [lower, upper] = found.map_err(|contradiction| anyhow!("{contradiction}"))?;
        let number = |value: u128| u64::try_from(value).unwrap_or(u64::MAX);
        Ok(Self {
            at_least: number(lower.value),
            at_most: number(upper.value),
            status: lower.strength.max(upper.strength),
        })
    }
}

impl Comparison {
    /// Compares an LP bound with the best known bounds and with the bound of the formulation `base`.
    pub(super) fn of(bound: Option<f64>, alpha: Alpha, base: Option<f64>) -> Self {
        let known = alpha.at_least as f64;
        let share = |bound: f64| {
            let gap = base.map(|base| base - known).filter(|gap| *gap > TOLERANCE)?;
            Some((gap - (bound - known)) / gap)
        };
        Self {
            alpha_at_least: Some(alpha.at_least),
            alpha_at_most: Some(alpha.at_most),
            alpha_status: Some(alpha.status),
            // Rounding errors around 0 would be printed as -0.
            gap: bound.map(|bound| bound - known).map(|gap| if gap.abs() < TOLERANCE { 0.0 } else { gap }),
            gap_closed: bound.and_then(share),
            ..Self::default()
        }
    }

    /// Formats the bounds, such as `13` or `241-245`.
    pub(super) fn alpha(&self) -> String {
        match (self.alpha_at_least, self.alpha_at_most) {
            (Some(least), Some(most)) if least == most => least.to_string(),
            (Some(least), Some(most)) => format!("{least}-{most}"),
            _ => String::new(),
        }
    }
}

/// Gap below which a bound counts as attained.
const TOLERANCE: f64 = 1e-6;
