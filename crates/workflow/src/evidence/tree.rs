//! Proof trees of the exact engine, checked by crosscheck.

use std::collections::BTreeMap;
use std::io::BufRead;

use ndqueens_crosscheck::proof::{self, ProofError, ProofResult};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, NameError};
use ndqueens_notation::proof::is_proof;
use ndqueens_system::file::{self, packed};
use serde_json::Map;

use super::{CheckedFile, Conclusion, Evidence, EvidenceError, Given, Refusal, Statement, check_unpacked};
use crate::parallel_check::{self, CheckedAhead};

/// Name of this kind of evidence.
pub const NAME: &str = "proof tree";

const WITH_ARTICLE: &str = "a proof tree";

/// Maximum length of a proof that is read from a pipe, in bytes.
pub(super) const LONGEST: u64 = 1 << 36;

/// Evidence in the form of proof trees, packed or not.
#[derive(Debug)]
pub(super) struct Tree;

impl Evidence for Tree {
    fn name(&self) -> &'static str {
        NAME
    }

    fn archived_as(&self) -> Option<&'static str> {
        Some("proof")
    }

    fn begins(&self, first: &[u8]) -> bool {
        is_proof(&packed::beginning(first))
    }

    fn most_bytes(&self) -> u64 {
        LONGEST
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let Given { text, options, .. } = given;
        let (threads, stop) = (options.threads, options.stop);
        let proved = check_unpacked(text, stop, |text| -> Result<ProofResult, ProofError> {
            parallel_check::check_text_on(&CheckedAhead::default(), threads, &read_board, text, stop)
        });
        Ok(statement(&proved.map_err(|fault| refusal(&fault))?)?.into())
    }
}

/// Converts the error of a proof to a refusal.
#[must_use]
pub fn refusal(fault: &ProofError) -> Refusal {
    match fault {
        ProofError::Unreadable(fault) => Refusal::from_read_error(fault, WITH_ARTICLE),
        fault => Refusal::new(fault, WITH_ARTICLE),
    }
}

/// Returns the statement that a proof shows.
///
/// # Errors
/// Returns an error if the proof has no conclusion.
pub fn statement(proved: &ProofResult) -> Result<Statement, Refusal> {
    let mut bounds = BTreeMap::new();
    for (board, most) in proved.bounds() {
        let known = bounds.entry(board.without_unit_sides()).or_insert(most);
        *known = most.min(*known);
    }
    let (nodes, boxes) = (proved.nodes(), proved.boxes());
    let mut details =
        Map::from_iter([("nodes".to_owned(), nodes.into()), ("boxes".to_owned(), boxes.into())]);
    let conclusion = match (proved.count(), proved.at_most()) {
        (Some(count), _) => {
            details.insert("size".to_owned(), count.size.into());
            details.insert("solutions".to_owned(), count.sets.into());
            details.insert("maximum".to_owned(), count.no_more_fit.into());
            Conclusion::Count { count, bounds }
        }
        (None, Some(value)) => Conclusion::AtMost { value, attained: false, bounds },
        (None, None) => return Err(Refusal::Wrong("it comes to no conclusion".to_owned())),
    };
    Ok(Statement {
        board: proved.board().clone(),
        conclusion,
        needs: BTreeMap::new(),
        words: match boxes {
            0 | 1 => counted(nodes, "node"),
            _ => format!("{}, {boxes} sub-boxes", counted(nodes, "node")),
        },
        details,
        checker: None,
    })
}

/// Checks a proof.
///
/// # Errors
/// Returns an error at the first step that is not accepted.
pub fn check_text(text: impl BufRead) -> Result<ProofResult, ProofError> {
    proof::check(text, &read_board)
}

fn read_board(name: &str) -> Result<BoardName, NameError> {
    BoardName::parse_with(name, &file::open)
}
