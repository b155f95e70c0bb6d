//! Statements that files prove.

use std::collections::BTreeMap;

use ndqueens_crosscheck::proof::SolutionCount;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use serde_json::{Map, Value};

/// Result of checking a file.
#[derive(Debug)]
pub struct Statement {
    /// Board of the file.
    pub board: BoardName,
    /// Statement about the board that the file proves.
    pub conclusion: Conclusion,
    /// Upper bounds of other boards on which the statement depends.
    pub needs: BTreeMap<BoardName, u64>,
    /// Description of the proof: `12 nodes, 19 sub-boxes`.
    pub words: String,
    /// Properties of the proof for machine-readable output, by name.
    pub details: Map<String, Value>,
    /// Name and version of the external checker, if one was used.
    pub checker: Option<String>,
}

impl Statement {
    /// Creates the statement of a placement that passed the check.
    pub(super) fn of_placement(certificate: Certificate) -> Self {
        Self {
            board: certificate.board.clone(),
            conclusion: Conclusion::Fit(certificate),
            needs: BTreeMap::new(),
            words: String::new(),
            details: Map::new(),
            checker: None,
        }
    }

    /// Returns the upper bound on the number of queens on the board, if the file proves one.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        match &self.conclusion {
            Conclusion::Fit(_) | Conclusion::Restricted { .. } => None,
            Conclusion::AtMost { value, .. } => Some(*value),
            Conclusion::Count { bounds, .. } => bounds.get(&self.board.without_unit_sides()).copied(),
        }
    }

    /// Describes the statement and its proof: `at most 14 queens fit on 4^3 (12 nodes, 19 sub-boxes)`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (board, by) = (&self.board, &self.words);
        match &self.conclusion {
            Conclusion::Fit(certificate) => format!("{} fit on {board}", certificate.size()),
            Conclusion::AtMost { value, attained, .. } => {
                let also = match (attained, value) {
                    (false, _) => String::new(),
                    (true, 1) => ", and 1 does".to_owned(),
                    (true, value) => format!(", and {value} do"),
                };
                format!("at most {} on {board}{also} ({by})", Board::new(board).format_fitting(*value))
            }
            Conclusion::Restricted { problem, included, value, attained } => {
                let words = Board::new(board);
                let one = |number: u64| number == 1;
                let with = match included {
                    0 => String::new(),
                    included => format!(", with {} included", words.format_pieces(*included)),
                };
                let (claim, verb) = match problem {
                    Problem::IndependentSet | Problem::NoThreeInLine => {
                        (format!("at most {} on {board}", words.format_fitting(*value)), "do")
                    }
                    Problem::DominatingSet | Problem::IndependentDominatingSet => {
                        let dominate = if one(*value) { "dominates" } else { "dominate" };
                        let pieces = words.format_pieces(*value);
                        let pieces = match problem {
                            Problem::IndependentDominatingSet => pieces.replacen(' ', " independent ", 1),
                            _ => pieces,
                        };
                        (format!("at least {pieces} {dominate} {board}"), "do")
                    }
                };
                let verb = if one(*value) { "does" } else { verb };
                let also = if *attained { format!(", and {value} {verb}") } else { String::new() };
                format!("{claim}{with}{also} ({by})")
            }
            Conclusion::Count { count: SolutionCount { size, sets, no_more_fit }, .. } => {
                let pieces = Board::new(board).format_pieces(*size);
                match (sets, no_more_fit) {
                    (0, _) => format!("no independent set of {pieces} on {board} ({by})"),
                    (_, true) => {
                        let sets = counted(*sets, "maximum solution");
                        format!("exactly {sets} of {board}, of {pieces} ({by})")
                    }
                    (_, false) => {
                        let sets = counted(*sets, "independent set");
                        format!("exactly {sets} of {pieces} on {board} ({by})")
                    }
                }
            }
        }
    }
}

/// Statement about a board that a file proves.
#[derive(Debug)]
pub enum Conclusion {
    /// A placement of queens.
    Fit(Certificate),
    /// An upper bound.
    AtMost {
        /// Bound, in queens.
        value: u64,
        /// True if the file also proves that `value` queens fit.
        attained: bool,
        /// Bounds of all boards that the file bounds, including its own,
        /// [reduced](BoardName::without_unit_sides).
        bounds: BTreeMap<BoardName, u64>,
    },
    /// A bound other than for independent sets of the whole board: a lower bound for dominating sets, or a
    /// bound for sets with included squares.
    Restricted {
        /// Properties of the sets.
        problem: Problem,
        /// Number of squares that every set contains.
        included: u64,
        /// Bound on the number of squares: from above for independent sets, from below for dominating sets.
        value: u64,
        /// `true` if the file has a set of this size.
        attained: bool,
    },
    /// The number of independent sets of a size.
    Count {
        /// Size of the sets, their number, and whether no more queens fit.
        count: SolutionCount,
        /// Bounds of all boards that the file bounds, [reduced](BoardName::without_unit_sides).
        bounds: BTreeMap<BoardName, u64>,
    },
}

impl Conclusion {
    /// Returns the upper bound of one board.
    pub(super) fn at_most(board: &BoardName, value: u64) -> Self {
        Self::AtMost { value, attained: false, bounds: BTreeMap::from([(board.without_unit_sides(), value)]) }
    }
}
