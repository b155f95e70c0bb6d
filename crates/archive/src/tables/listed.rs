//! Definition of tables by lists of columns.

use ndqueens_report::column::Unit;

/// A table: name, title and columns, each with its name, unit and meaning.
pub(super) type Listed = (&'static str, &'static str, &'static [(&'static str, Unit, &'static str)]);
