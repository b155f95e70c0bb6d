//! CSV files.

use ndqueens_model::facts::counts::{KnownCount, PrintedCount};
use ndqueens_model::facts::full_counts::PublishedCount;
use ndqueens_model::facts::known::Published;
use ndqueens_model::facts::reading;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::utf8;
use crate::corpus;
use crate::sentence::assert_plain;

pub(super) fn ledger_seeds() -> Vec<Vec<u8>> {
    let tables = [
        "instances/full-counts.csv",
        "instances/known-counts.csv",
        "instances/known-values.csv",
        "instances/printed-counts.csv",
        "results/archive/ledger.csv",
    ];
    tables.map(|table| corpus::head(table, 8)).into()
}

/// Reads a text as each of the tables.
pub fn ledger(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let known = [
        read::<KnownCount>(text).is_some(),
        read::<PrintedCount>(text).is_some(),
        reads_back::<PublishedCount>(text),
        reads_back::<Published>(text),
    ];
    #[cfg(feature = "highs")]
    let is_ledger = reads_back::<ndqueens_archive::ledger::LedgerRow>(text);
    #[cfg(not(feature = "highs"))]
    let is_ledger = false;
    is_ledger || known.contains(&true)
}

fn read<R: DeserializeOwned>(text: &str) -> Option<Vec<R>> {
    reading::parse_rows(text).map_err(|fault| assert_plain(&fault)).ok().filter(|rows| !rows.is_empty())
}

/// Returns `true` if a text is a table with rows, and panics unless it is the same after it
/// was written and read.
fn reads_back<R: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(text: &str) -> bool {
    let Some(rows) = read::<R>(text) else { return false };
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().for_each(|row| writer.serialize(row).expect("memory takes everything"));
    let written = String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("UTF-8");
    assert_eq!(reading::parse_rows::<R>(&written).expect(&written), rows);
    true
}
