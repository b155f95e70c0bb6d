//! JSON Schema of the objects that commands print with `--json`.

use crate::printed::schema as of_printed;
use ndqueens_report::column::{Table, object_schema};
use serde_json::Value;

pub(crate) use crate::printed;

/// Commands whose objects are rows of data tables.
const TABLES: [(&str, &[&str]); 6] = [
    ("table bounds", &["bounds"]),
    ("table maxima", &["maxima"]),
    ("table open", &["open"]),
    ("table new", &["new"]),
    ("table ratios", &["ratios"]),
    ("lab table", &["kunt", "comparison", "raw", "relaxations"]),
];

/// Returns the schema of all printed objects, with a definition for each command. `tables` are the tables
/// whose rows are printed.
pub(crate) fn schema(tables: &[Table]) -> Value {
    let rows = TABLES.into_iter().flat_map(|(command, names)| {
        let named = tables.iter().filter(move |table| names.contains(&table.name));
        named.map(move |table| (command, object_schema(table)))
    });
    of_printed(rows)
}
