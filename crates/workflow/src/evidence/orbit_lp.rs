//! Files with bounds by the orbit LP, checked by crosscheck in exact arithmetic.

use ndqueens_crosscheck::bound::{self, BoundError, format_mixed};
use ndqueens_notation::counted::counted;
use ndqueens_notation::proof::is_bound;
use ndqueens_system::file::packed;
use serde_json::Map;

use super::{CheckedFile, Conclusion, Evidence, EvidenceError, Given, Refusal, Statement, check_unpacked};

/// Formats a sum: `1 inequality that adds up to 1`, `7 inequalities that add up to 245 1/3`, `70 inequalities
/// in 9 cases that add up to 395 7/9 at most`.
#[must_use]
pub fn added_up(rows: u64, sum: &str, cases: u64) -> String {
    let inequalities = counted(rows, "inequality");
    match (rows, cases) {
        (1, 1) => format!("{inequalities} that adds up to {sum}"),
        (_, 1) => format!("{inequalities} that add up to {sum}"),
        _ => format!("{inequalities} in {} that add up to {sum} at most", counted(cases, "case")),
    }
}

/// Name of this kind of evidence.
pub(super) const NAME: &str = "orbit LP";

const WITH_ARTICLE: &str = "a bound by an orbit LP";

/// Evidence in the form of bounds by the orbit LP, packed or not.
#[derive(Debug)]
pub(super) struct OrbitLp;

impl Evidence for OrbitLp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn archived_as(&self) -> Option<&'static str> {
        Some("bound")
    }

    fn begins(&self, first: &[u8]) -> bool {
        is_bound(&packed::beginning(first))
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let stop = given.options.stop;
        let proved = check_unpacked(given.text, stop, |text| bound::check_while(text, &mut || !stop()));
        let proved = proved.map_err(|fault| match &fault {
            BoundError::Unreadable(fault) => Refusal::from_read_error(fault, WITH_ARTICLE),
            fault => Refusal::new(fault, WITH_ARTICLE),
        })?;
        let (inequalities, value) = (proved.rows(), format_mixed(proved.sum()));
        let statement = Statement {
            board: proved.board().clone(),
            conclusion: Conclusion::at_most(proved.board(), proved.at_most()),
            needs: proved.needs().clone(),
            words: added_up(inequalities as u64, &value, proved.cases() as u64),
            details: Map::from_iter([
                ("value".to_owned(), value.into()),
                ("inequalities".to_owned(), inequalities.into()),
                ("cases".to_owned(), proved.cases().into()),
            ]),
            checker: None,
        };
        Ok(statement.into())
    }
}
