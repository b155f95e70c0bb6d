//! Comparison of a row of the ledger with its file.

use std::sync::Arc;

use ndqueens_model::facts::Side;
use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_workflow::evidence::{Conclusion, Refusal};
use schemars::JsonSchema;
use serde::Serialize;

use super::evidence_files::{Contents, Finding, ReadError, ReadResult};
use super::kind::Kind;
use super::row::{LedgerRow, Need, NeedError, join_needs, needs};

/// Reason why a row of the ledger does not hold.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error("the board must be written as {0}")]
    BoardForm(BoardName),
    #[error("{} shows no bound from this side", .0.with_article())]
    Side(Kind),
    #[error(transparent)]
    Need(#[from] NeedError),
    #[error("\"{0}\" is no SHA-256 digest of 64 hexadecimal digits")]
    DigestForm(String),
    #[error("{file} is another file: it has {}, not {expected}", counted(*bytes, "byte"))]
    Size { file: String, bytes: u64, expected: u64 },
    #[error("{file} is another file: its digest is {digest}")]
    Digest { file: String, digest: String },
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{file} does not begin as {} does", kind.with_article())]
    Beginning { file: String, kind: Kind },
    #[error("{file} is missing, and the ledger lists it as archived: it has {}", counted(*bytes, "byte"))]
    Missing { file: String, bytes: u64 },
    #[error("{0} is missing, and no command reproduces it")]
    NoCommand(String),
    /// Reason for which the file is rejected.
    #[error("{0}")]
    Refused(String),
    #[error("{file} is {}, not {}", kind.with_article(), expected.with_article())]
    Kind { file: String, kind: Kind, expected: Kind },
    #[error("{0} is about another board")]
    OtherBoard(String),
    #[error("{file} shows {proved}, not {value}")]
    Value { file: String, proved: u64, value: u64 },
    #[error("{file} rests on \"{needs}\", not on \"{listed}\"")]
    OtherNeeds { file: String, needs: String, listed: String },
    #[error("it rests on {0}, which is no smaller board")]
    NoSmallerBoard(BoardName),
    #[error("it rests on alpha({board}) <= {most}, which the ledger does not prove")]
    Unproved { board: BoardName, most: u64 },
    #[error("it rests on {board}, and there: {why}")]
    RefusedPremise { board: BoardName, why: String },
}

/// The part of a file that was read.
pub(super) enum FilePart {
    Whole(Arc<ReadResult>),
    /// Size of the file in bytes, and its kind according to the first bytes.
    Beginning {
        bytes: u64,
        kind: Result<Option<Kind>, ReadError>,
    },
}

/// Status of a row after its check.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case", tag = "status", content = "why")]
pub enum RowStatus {
    /// Its file was checked, and so were those of all rows that it rests on.
    Checked,
    /// Its file was checked, but it rests on a row whose file was not checked.
    RestsOnNotRechecked,
    /// Its file was not checked: it is not archived and the command regenerates it, it is too large to be
    /// checked in passing, or its check reached a limit.
    NotRechecked,
    /// The row does not hold, for this reason.
    Refused(String),
}

/// Checks that the file of a row shows the bound of the row, as far as the file was read.
pub(super) fn check_row(row: &LedgerRow, part: &FilePart) -> RowStatus {
    let check = || -> Result<RowStatus, RowError> {
        let listed = check_form(row)?;
        match part {
            FilePart::Whole(result) => check_whole(row, &listed, result),
            FilePart::Beginning { bytes, kind } => check_beginning(row, *bytes, kind),
        }
    };
    check().unwrap_or_else(|fault| RowStatus::Refused(fault.to_string()))
}

/// Checks those entries of a row that do not depend on its file. Returns the bounds that the row rests on.
fn check_form(row: &LedgerRow) -> Result<Vec<Need>, RowError> {
    let board = row.board.without_unit_sides();
    if board != row.board {
        return Err(RowError::BoardForm(board));
    }
    if (row.kind == Kind::CERTIFICATE) != (row.side == Side::Lower) {
        return Err(RowError::Side(row.kind));
    }
    let listed = row.needs()?;
    if row.sha256.len() != 64 || !row.sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(RowError::DigestForm(row.sha256.clone()));
    }
    Ok(listed)
}

fn check_size(row: &LedgerRow, bytes: u64) -> Result<(), RowError> {
    match bytes == row.bytes {
        true => Ok(()),
        false => Err(RowError::Size { file: row.file.clone(), bytes, expected: row.bytes }),
    }
}

/// Checks the size of a file and its kind according to its first bytes.
fn check_beginning(
    row: &LedgerRow,
    bytes: u64,
    kind: &Result<Option<Kind>, ReadError>,
) -> Result<RowStatus, RowError> {
    check_size(row, bytes)?;
    // A file without a known beginning is read as a certificate.
    if kind.clone()?.unwrap_or(Kind::CERTIFICATE) != row.kind {
        return Err(RowError::Beginning { file: row.file.clone(), kind: row.kind });
    }
    Ok(RowStatus::NotRechecked)
}

/// Checks a file that was read in whole. `listed` are the bounds that the row rests on.
fn check_whole(row: &LedgerRow, listed: &[Need], result: &ReadResult) -> Result<RowStatus, RowError> {
    let file = || row.file.clone();
    let Some(Contents { bytes, sha256, finding }) = result.as_ref().map_err(Clone::clone)? else {
        if row.bytes <= MAX_BYTES {
            return Err(RowError::Missing { file: file(), bytes: row.bytes });
        }
        if row.command.is_empty() {
            return Err(RowError::NoCommand(file()));
        }
        return Ok(RowStatus::NotRechecked);
    };
    check_size(row, *bytes)?;
    if *sha256 != row.sha256 {
        return Err(RowError::Digest { file: file(), digest: sha256.clone() });
    }
    let Finding { kind, statement } = match finding {
        Ok(finding) => finding,
        Err(Refusal::Limit(_)) => return Ok(RowStatus::NotRechecked),
        Err(refusal) => return Err(RowError::Refused(refusal.to_string())),
    };
    if *kind != row.kind {
        return Err(RowError::Kind { file: file(), kind: *kind, expected: row.kind });
    }
    let value = match &statement.conclusion {
        Conclusion::Fit(certificate) => {
            (statement.board.without_unit_sides() == row.board).then_some(certificate.size() as u64)
        }
        Conclusion::Restricted { .. } => None,
        Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. } => {
            bounds.get(&row.board).copied()
        }
    };
    let value = value.ok_or_else(|| RowError::OtherBoard(file()))?;
    if row.side.is_better(row.value, value) {
        return Err(RowError::Value { file: file(), proved: value, value: row.value });
    }
    let needs = needs(statement);
    if needs != listed {
        let (needs, listed) = (join_needs(&needs), row.rests_on.clone());
        return Err(RowError::OtherNeeds { file: file(), needs, listed });
    }
    Ok(RowStatus::Checked)
}
