//! Checks of rows with their files and with the rows that they rest on.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_model::facts::{Side, UpperBound};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::thread::all_cores;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::Ledger;
use super::row::{Key, LedgerRow, Need, contradicts};
use super::row_check::{FilePart, RowError, RowStatus, check_row};
use crate::error::ArchiveError;

/// Size up to which a file is checked whenever an answer rests on it, in bytes; the check takes seconds.
/// Larger files are checked when the whole ledger is checked.
pub const QUICKLY_CHECKED: u64 = 2_000_000;

/// A row and the result of its check.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct CheckedRow {
    /// The row.
    #[serde(flatten)]
    pub row: LedgerRow,
    /// Status of the row.
    #[serde(flatten)]
    pub status: RowStatus,
    /// The files that the row ultimately rests on, each with the status of its check.
    pub foundation: BTreeSet<String>,
    /// The verified checker that accepted, in this run, its file and the files of all rows that it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_by: Option<String>,
}

/// Result of the check of a bound.
#[derive(Debug)]
pub struct BoundCheck<'l> {
    /// Row of the bound.
    pub row: &'l LedgerRow,
    /// Status of the row.
    pub status: RowStatus,
    /// Rejected rows of the board, each as a sentence with the reason.
    pub refusals: Vec<String>,
}

impl Ledger {
    /// Checks all rows. Of files of more than `largest` bytes only size and beginning are checked.
    #[must_use]
    pub fn check(&self, largest: u64) -> Vec<CheckedRow> {
        self.check_rows(&self.rows.iter().collect(), largest, Deadline::NEVER)
    }

    /// Returns the result of [`Archive::recheck`](crate::archive::Archive::recheck) on the assumption that all files pass the check. None of them
    /// is read.
    #[must_use]
    pub(crate) fn assume_valid(&self, bound: &UpperBound) -> UpperBound {
        let assume = || {
            let row = self.row_at_least(&bound.board, Side::Upper, bound.value)?;
            let rows = self.with_premises(vec![row]);
            let mut needed = rows.values().filter(|row| row.side == Side::Upper);
            needed.all(|row| row.bytes <= QUICKLY_CHECKED).then(|| row.proved_bound())
        };
        assume().unwrap_or_else(|| bound.clone())
    }

    /// Returns `true` if the file of a row exists and has the digest of the row.
    pub(super) fn has_file(&self, row: &LedgerRow) -> bool {
        let result = self.files.read(&row.file, all_cores(), Deadline::NEVER);
        matches!(&*result, Ok(Some(contents)) if contents.sha256 == row.sha256)
    }

    /// Checks that the ledger has the upper bounds `needs`, and checks the files of these rows and of all
    /// rows that they rest on. Returns the bounds that were not fully checked, because a file is not
    /// available.
    pub(super) fn check_needs(&self, needs: &[Need], path: &Path) -> Result<Vec<UpperBound>, ArchiveError> {
        let mut rows = Vec::new();
        for Need { board, most } in needs {
            match self.upper(board).filter(|row| row.value <= *most) {
                Some(row) => rows.push(row),
                None => {
                    let (path, board) = (path.to_owned(), board.clone());
                    return Err(ArchiveError::Unproved { path, board, most: *most });
                }
            }
        }
        let checked = self.check_rows(&self.with_premises(rows.clone()), u64::MAX, Deadline::NEVER);
        let refused = checked.iter().find_map(|one| match &one.status {
            RowStatus::Refused(why) if one.row.side == Side::Upper => Some((&one.row, why.clone())),
            _ => None,
        });
        if let Some((LedgerRow { board, value, .. }, why)) = refused {
            let (path, board) = (path.to_owned(), board.clone());
            return Err(ArchiveError::RejectedRow { path, board, most: *value, why });
        }
        let keys: BTreeSet<Key> = rows.iter().map(|row| row.key()).collect();
        let needed = checked.into_iter().filter(|one| keys.contains(&one.row.key()));
        Ok(needed
            .filter(|one| one.status != RowStatus::Checked)
            .map(|one| one.row.archived_bound())
            .collect())
    }

    /// Checks the file of the row that bounds a board from a side by `value` or better, and all that it rests
    /// on, until `deadline`. Of files of more than 2 MB only size and beginning are checked. Returns `None` if
    /// there is no such row.
    #[must_use]
    pub fn check_bound(
        &self,
        board: &BoardName,
        side: Side,
        value: u64,
        deadline: Deadline,
    ) -> Option<BoundCheck<'_>> {
        let row = self.row_at_least(board, side, value)?;
        let checked = self.check_rows(&self.with_premises(vec![row]), QUICKLY_CHECKED, deadline);
        // A check that was cut short by the deadline has no result.
        if deadline.is_over() {
            return Some(BoundCheck { row, status: RowStatus::NotRechecked, refusals: Vec::new() });
        }
        let refusal = |CheckedRow { row: LedgerRow { side, board, value, .. }, status, .. }: &CheckedRow| {
            let RowStatus::Refused(why) = status else { return None };
            let sign = side.sign();
            (*board == row.board).then(|| format!("alpha({board}) {sign} {value} is refused: {why}"))
        };
        let refusals = checked.iter().filter_map(refusal).collect();
        let status = checked.into_iter().find(|one| one.row == *row).map(|one| one.status);
        Some(BoundCheck { row, status: status.unwrap_or(RowStatus::NotRechecked), refusals })
    }

    /// Returns `true` if a row is rejected although its file is available or too large to be stored. Returns
    /// `false` if the other row of the board is rejected as well, because it is unknown which one is wrong.
    pub(super) fn is_refused(&self, row: &LedgerRow) -> bool {
        let rows = self.with_premises(vec![row]);
        let checked = self.check_rows(&rows, QUICKLY_CHECKED, Deadline::NEVER);
        let of_board = checked.iter().filter(|one| one.row.board == row.board);
        let refused: Vec<_> = of_board.filter(|one| matches!(one.status, RowStatus::Refused(_))).collect();
        let is_alone = matches!(refused.as_slice(), [one] if one.row == *row);
        is_alone && (row.bytes > MAX_BYTES || self.has_file(row))
    }

    /// Checks `rows`, which contain all rows that they rest on. Of files of more than `largest` bytes only
    /// size and beginning are checked.
    fn check_rows(
        &self,
        rows: &BTreeMap<&Key, &LedgerRow>,
        largest: u64,
        deadline: Deadline,
    ) -> Vec<CheckedRow> {
        let files: BTreeSet<&str> = rows.values().map(|row| row.file.as_str()).collect();
        // If there are few files, a single one may need most of the time.
        let threads = if files.len() <= 8 { rayon::current_num_threads() } else { 1 };
        let read = |file| match self.files.size(file) {
            Ok(Some(bytes)) if bytes > largest => {
                (file, FilePart::Beginning { bytes, kind: self.files.read_kind(file) })
            }
            _ => (file, FilePart::Whole(self.files.read(file, threads, deadline))),
        };
        let files: HashMap<&str, FilePart> = files.into_par_iter().map(read).collect();
        // A bound rests only on bounds of smaller boards, so these are checked first.
        let mut order: Vec<(&Key, &LedgerRow)> = rows.iter().map(|(key, row)| (*key, *row)).collect();
        order.sort_by_key(|((board, _), _)| (squares(board), board));
        let mut done: HashMap<Key, CheckedRow> = HashMap::new();
        for of_board in order.chunk_by(|((board, _), _), ((other, _), _)| board == other) {
            let check = |&(_, row): &(&Key, &LedgerRow)| {
                self.with_foundation(row, &check_row(row, &files[row.file.as_str()]), &done)
            };
            let mut checked: Vec<CheckedRow> = of_board.iter().map(check).collect();
            reject_contradictions(&mut checked);
            done.extend(checked.into_iter().map(|one| (one.row.key(), one)));
        }
        rows.values().filter_map(|row| done.remove(&row.key())).collect()
    }

    /// Combines the status of a row with those of the rows that it rests on, which are in `done`.
    fn with_foundation(
        &self,
        row: &LedgerRow,
        status: &RowStatus,
        done: &HashMap<Key, CheckedRow>,
    ) -> CheckedRow {
        let mark = if *status == RowStatus::NotRechecked { " (not re-checked here)" } else { "" };
        let mut foundation = BTreeSet::from([format!("{} {}{mark}", row.kind, row.file)]);
        let mut combine = || -> Result<RowStatus, RowError> {
            let mut status = status.clone();
            for Need { board, most } in row.needs()? {
                if squares(&board) >= squares(&row.board) {
                    return Err(RowError::NoSmallerBoard(board));
                }
                let premise = self.upper(&board).filter(|premise| premise.value <= most);
                let Some(premise) = premise.and_then(|premise| done.get(&premise.key())) else {
                    return Err(RowError::Unproved { board, most });
                };
                if let RowStatus::Refused(why) = &premise.status {
                    return Err(RowError::RefusedPremise { board, why: why.clone() });
                }
                if status == RowStatus::Checked && premise.status != RowStatus::Checked {
                    status = RowStatus::RestsOnNotRechecked;
                }
                foundation.extend(premise.foundation.iter().cloned());
            }
            Ok(status)
        };
        let status = match status {
            RowStatus::Refused(_) => status.clone(),
            _ => combine().unwrap_or_else(|fault| RowStatus::Refused(fault.to_string())),
        };
        CheckedRow { row: row.clone(), status, foundation, verified_by: None }
    }
}

/// Rejects bounds of a board that contradict each other, except one that is checked if the other one is not.
fn reject_contradictions(of_board: &mut [CheckedRow]) {
    let [lower, upper] = of_board else { return };
    let is_refused = |one: &CheckedRow| matches!(one.status, RowStatus::Refused(_));
    if is_refused(lower) || is_refused(upper) || !contradicts(&lower.row, &upper.row) {
        return;
    }
    let (below, above) = (lower.row.value, upper.row.value);
    let why = format!("the lower bound {below} is above the upper bound {above}");
    let is_shown = [&*lower, &*upper].map(|one| one.status == RowStatus::Checked);
    if is_shown != [true, false] {
        lower.status = RowStatus::Refused(why.clone());
    }
    if is_shown != [false, true] {
        upper.status = RowStatus::Refused(why);
    }
}

/// Returns the number of squares of a box, and 0 for other boards, whose bounds rest on no others.
pub(super) fn squares(board: &BoardName) -> u128 {
    match board {
        BoardName::Grid { sides, .. } => {
            sides.iter().fold(1, |product: u128, &side| product.saturating_mul(side.into()))
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::tests::{ledger, row};

    #[test]
    fn a_row_comes_with_its_premises() {
        let ledger = ledger([
            row("6^4", Side::Upper, 80, "6^4.bound", "3^4<=6"),
            row("3^4", Side::Upper, 6, "3^4.bound", "3^3<=4;3^2<=2"),
            row("3^3", Side::Upper, 4, "3^3.bound", ""),
            row("3^3", Side::Lower, 4, "3^3.txt", ""),
            row("5^3", Side::Upper, 13, "5^3.bound", ""),
        ]);
        let top = ledger.upper(&"6^4".parse().expect("a board")).expect("a row");
        let below: Vec<String> =
            ledger.with_premises(vec![top]).keys().map(|(board, _)| board.to_string()).collect();
        assert_eq!(below.len(), 3, "{below:?}");
        assert!(["6^4", "3^4", "3^3"].iter().all(|board| below.contains(&(*board).to_owned())));
    }

    #[test]
    fn the_checked_one_of_two_contradicting_bounds_remains() {
        let refusals = |lower: RowStatus, upper: RowStatus, values: [u64; 2]| {
            let one = |side, value, status| CheckedRow {
                row: row("4^4", side, value, "4^4.file", ""),
                status,
                foundation: BTreeSet::new(),
                verified_by: None,
            };
            let mut rows = [one(Side::Lower, values[0], lower), one(Side::Upper, values[1], upper)];
            reject_contradictions(&mut rows);
            rows.map(|one| matches!(one.status, RowStatus::Refused(_)))
        };
        use RowStatus::{Checked, NotRechecked, RestsOnNotRechecked};
        for (lower, upper, refused) in [
            (Checked, NotRechecked, [false, true]),
            (Checked, RestsOnNotRechecked, [false, true]),
            (NotRechecked, Checked, [true, false]),
            (NotRechecked, NotRechecked, [true, true]),
            (NotRechecked, RestsOnNotRechecked, [true, true]),
            (Checked, Checked, [true, true]),
        ] {
            assert_eq!(refusals(lower.clone(), upper.clone(), [17, 16]), refused, "{lower:?} and {upper:?}");
            assert_eq!(refusals(lower, upper, [16, 16]), [false, false]);
        }
        let wrong = || RowStatus::Refused("no".to_owned());
        assert_eq!(refusals(wrong(), NotRechecked, [17, 16]), [true, false]);
        assert_eq!(refusals(NotRechecked, wrong(), [17, 16]), [false, true]);
    }
}
