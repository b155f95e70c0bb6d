//! The JSON Schema of what commands print with `--json`.

use ndqueens_console::printed::schema as of_printed;
use ndqueens_report::column::{Table, object_schema};
use serde_json::Value;

pub(crate) use ndqueens_console::printed;

/// Commands whose objects are rows of tables.
const TABLES: [(&str, &[&str]); 6] = [
    ("table bounds", &["bounds"]),
    ("table maxima", &["maxima"]),
    ("table open", &["open"]),
    ("table new", &["new"]),
    ("table ratios", &["ratios"]),
    ("lab table", &["kunt", "comparison", "raw"]),
];

/// The schema of all that is printed, rows of these tables among it, with a definition for each command.
pub(crate) fn schema(tables: &[Table]) -> Value {
    let rows = TABLES.into_iter().flat_map(|(command, names)| {
        let named = tables.iter().filter(move |table| names.contains(&table.name));
        named.map(move |table| (command, object_schema(table)))
    });
    of_printed(rows)
}
