//! What a file shows, in words and as JSON.

use ndqueens_crosscheck::bound::mixed;
use ndqueens_lab::evidence::{Shown, orbit_lp};
use ndqueens_model::board::Board;
use serde::Serialize;

use crate::output::counted;

/// What a file rests on.
#[derive(Default)]
pub(super) struct Foundation {
    /// Bounds that were checked in this run.
    pub(super) checked: Vec<String>,
    /// Bounds that were not.
    pub(super) conditions: Vec<String>,
    /// Bounds that the ledger does not have.
    pub(super) missing: Vec<String>,
}

/// What stands beside board and bound.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum More {
    None {},
    Tree {
        nodes: u64,
        boxes: u64,
    },
    OrbitLp {
        value: String,
        inequalities: usize,
        rests_on: Vec<String>,
        conditions: Vec<String>,
        checked: bool,
    },
    Drat {
        checker: String,
    },
    VeriPb {
        attained: bool,
        checker: String,
    },
}

impl More {
    pub(super) fn of(shown: &Shown, foundation: &Foundation) -> Self {
        let Foundation { checked, conditions, missing } = foundation;
        match shown {
            Shown::Certificate(_) => Self::None {},
            Shown::Tree(proved) => Self::Tree { nodes: proved.nodes(), boxes: proved.boxes() },
            Shown::OrbitLp(shown) => Self::OrbitLp {
                value: mixed(shown.sum()),
                inequalities: shown.rows(),
                rests_on: checked.clone(),
                conditions: conditions.clone(),
                checked: missing.is_empty() && conditions.is_empty(),
            },
            Shown::Drat(accepted) => Self::Drat { checker: accepted.checker.clone() },
            Shown::VeriPb(accepted) => {
                Self::VeriPb { attained: accepted.attained, checker: accepted.checker.clone() }
            }
        }
    }
}

/// `at most 14 queens fit on 4^3 (12 nodes, 19 bounds)`
pub(super) fn words(shown: &Shown) -> String {
    let board = shown.board();
    let at_most = |k| format!("at most {} on {board}", Board::new(board).fitting(k));
    match shown {
        Shown::Certificate(certificate) => format!("{} fit on {board}", certificate.size()),
        Shown::Tree(proved) => {
            let (nodes, bounds) = (counted(proved.nodes(), "node"), counted(proved.boxes(), "bound"));
            format!("{} ({nodes}, {bounds})", at_most(proved.at_most()))
        }
        Shown::OrbitLp(shown) => {
            let sum = orbit_lp::added_up(shown.rows() as u64, &mixed(shown.sum()));
            format!("{} ({sum})", at_most(shown.at_most()))
        }
        Shown::Drat(accepted) => format!("{} ({})", at_most(accepted.at_most), accepted.checker),
        Shown::VeriPb(accepted) => {
            let k = accepted.at_most;
            let also = match accepted.attained {
                true => format!(", and {k} {}", if k == 1 { "does" } else { "do" }),
                false => String::new(),
            };
            format!("{}{also} ({})", at_most(k), accepted.checker)
        }
    }
}
