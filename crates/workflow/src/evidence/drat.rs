//! DRAT proofs, checked by an external program.

use std::path::Path;

use serde_json::Map;

use super::{CheckedFile, Conclusion, Evidence, EvidenceError, Given, Refusal, Statement};
use crate::external_checker::drat::{self, Accepted};

/// Evidence in the form of DRAT proofs.
#[derive(Debug)]
pub(super) struct Drat;

impl Evidence for Drat {
    fn name(&self) -> &'static str {
        "DRAT proof"
    }

    fn is_name(&self, name: &Path) -> bool {
        drat::formula_of(name).is_some()
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let options = given.options;
        let checked = drat::check(given.name, options.prior.bounds(), options.stop);
        let Accepted { board, at_most, checker, formulation, needs } = checked.map_err(Refusal::from)?;
        let words = match formulation {
            None => checker.clone(),
            Some(name) => format!("{checker}, on the formula that ndq model writes for formulation {name}"),
        };
        let statement = Statement {
            conclusion: Conclusion::at_most(&board, at_most),
            board,
            needs,
            words,
            details: Map::new(),
            checker: Some(checker),
        };
        Ok(statement.into())
    }
}

impl From<drat::Refusal> for Refusal {
    fn from(refusal: drat::Refusal) -> Self {
        let words = refusal.to_string();
        match refusal {
            drat::Refusal::Checker(error) => error.into(),
            drat::Refusal::TooManySquares(_) => Self::Limit(words),
            refusal if refusal.is_verdict() => Self::Wrong(words),
            _ => Self::Unchecked(words),
        }
    }
}
