//! Proofs for VeriPB, checked by that program.

use std::collections::BTreeMap;
use std::path::Path;

use ndqueens_notation::error_class::{Classified as _, ErrorClass};
use serde_json::Map;

use super::{CheckedFile, Conclusion, Evidence, EvidenceError, Given, Refusal, Statement};
use crate::external_checker::veripb::{self, Accepted};

/// Evidence in the form of proofs for VeriPB, packed or not.
#[derive(Debug)]
pub(super) struct VeriPb;

impl Evidence for VeriPb {
    fn name(&self) -> &'static str {
        "VeriPB proof"
    }

    fn is_name(&self, name: &Path) -> bool {
        veripb::formula_of(name).is_some()
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let options = given.options;
        let checked = veripb::check(given.name, options.board, options.stop);
        let Accepted { board, at_most, attained, checker } = checked.map_err(Refusal::from)?;
        let bounds = BTreeMap::from([(board.without_unit_sides(), at_most)]);
        let statement = Statement {
            board,
            conclusion: Conclusion::AtMost { value: at_most, attained, bounds },
            needs: BTreeMap::new(),
            words: checker.clone(),
            details: Map::from_iter([("attained".to_owned(), attained.into())]),
            checker: Some(checker),
        };
        Ok(statement.into())
    }
}

impl From<veripb::Refusal> for Refusal {
    fn from(refusal: veripb::Refusal) -> Self {
        let words = refusal.to_string();
        match refusal {
            veripb::Refusal::Checker(error) => error.into(),
            veripb::Refusal::NoBoard(_) => Self::NoBoard(words),
            veripb::Refusal::Formula { fault, .. } => match fault.class() {
                ErrorClass::BadInput | ErrorClass::Refuted => Self::Wrong(words),
                ErrorClass::Limit => Self::Limit(words),
                ErrorClass::Failure => Self::Failed(words),
            },
            refusal if refusal.is_verdict() => Self::Wrong(words),
            _ => Self::Unchecked(words),
        }
    }
}
