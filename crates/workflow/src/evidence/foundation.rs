//! The bounds of other boards that the proof of a bound rests on.

use std::sync::Arc;

use ndqueens_model::facts::UpperBound;
use schemars::JsonSchema;
use serde::Serialize;

use super::statement::Statement;
use crate::run::{PriorResults, lemmas_and_conditions};

/// Bounds that a file rests on.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct Foundation {
    /// Bounds that were checked in this run.
    pub rests_on: Vec<String>,
    /// Bounds that were not checked in this run.
    pub conditions: Vec<String>,
    /// Bounds that are missing from the ledger.
    pub missing: Vec<String>,
}

impl Foundation {
    /// Looks up the bounds that a file rests on among earlier results, and checks those whose files are
    /// available.
    #[must_use]
    pub fn of(statement: &Statement, prior: &PriorResults) -> Self {
        let (mut archived, mut missing) = (Vec::new(), Vec::new());
        for (board, most) in &statement.needs {
            match prior.bounds().ledger.upper(board).filter(|known| known.value <= *most) {
                Some(known) => archived.push(Arc::new(UpperBound { value: *most, ..known.clone() })),
                None => missing.push(format!("alpha({board}) <= {most}")),
            }
        }
        let (checked, conditions) = lemmas_and_conditions(&archived, prior);
        let words = |bounds: Vec<Arc<UpperBound>>| bounds.iter().map(ToString::to_string).collect();
        Self { rests_on: words(checked), conditions: words(conditions), missing }
    }
}
