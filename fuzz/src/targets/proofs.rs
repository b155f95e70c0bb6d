//! Proof trees, bounds and VIPR files.

use std::cell::Cell;
use std::sync::Arc;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::proof::{self as trees, ProofError, ProofResult, Statements};
use ndqueens_crosscheck::{bound as bounds, vipr as files};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::{BoardName, NameError};

use crate::corpus;
use crate::sentence::assert_plain;
use crate::truth;

/// Largest number of calls of a function that limits a check.
const MOST_CALLS: u64 = 2_000;

fn read_board(name: &str) -> Result<BoardName, NameError> {
    name.parse()
}

pub(super) fn proof_seeds() -> Vec<Vec<u8>> {
    corpus::files("crates/crosscheck/tests/vectors/accepted", &["proof"])
}

/// Checks a text as a proof, both in order and with separate checks of its trees.
pub fn proof(bytes: &[u8]) -> bool {
    let checked = trees::check(bytes, &read_board);
    match (&checked, &check_apart(bytes)) {
        (Ok(checked), Ok(apart)) => assert_eq!(checked, apart),
        (Err(checked), Err(apart)) => assert_eq!(checked.to_string(), apart.to_string()),
        (checked, apart) => panic!("{checked:?} in order, {apart:?} apart"),
    }
    match checked {
        Ok(proved) => {
            for (board, most) in proved.bounds().chain(proved.at_most().map(|most| (proved.board(), most))) {
                assert!(truth::may_be_at_most(board, most), "{board}: accepted at most {most}");
            }
            if let Some(count) = proved.count() {
                let (board, size) = (proved.board(), count.size);
                let number = truth::independent_sets(board, size);
                assert!(number.is_none_or(|number| number == count.sets), "{board}: accepted {count:?}");
                assert!(
                    !count.no_more_fit || truth::may_be_at_most(board, size),
                    "{board}: accepted {count:?}"
                );
            }
            true
        }
        Err(fault) => {
            assert_plain(&fault);
            false
        }
    }
}

/// Checks a proof with separate checks of its trees of boxes, starting with the last tree.
fn check_apart(mut text: &[u8]) -> Result<ProofResult, ProofError> {
    let mut statements = Statements::read(&mut text, &read_board)?;
    let mut trees = Vec::new();
    let read = loop {
        match statements.next_tree() {
            Ok(Some(tree)) => trees.push(Arc::new(tree)),
            Ok(None) => break Ok(()),
            Err(fault) => break Err(fault),
        }
    };
    let mut checked: Vec<_> = trees.iter().rev().map(|tree| tree.check(&|| false)).collect();
    checked.reverse();
    let checked = checked.into_iter().collect::<Result<Vec<_>, _>>()?;
    read?;
    statements.conclude(checked)
}

pub(super) fn bound_seeds() -> Vec<Vec<u8>> {
    let mut seeds = corpus::files("crates/crosscheck/tests/vectors/accepted", &["bound"]);
    seeds.extend(corpus::files("crates/crosscheck/tests/data", &["bound"]));
    seeds
}

/// Checks a text as a bound.
pub fn bound(bytes: &[u8]) -> bool {
    let mut calls = 0;
    let mut go_on = || {
        calls += 1;
        calls <= MOST_CALLS
    };
    match bounds::check_while(bytes, &mut go_on) {
        Ok(shown) => {
            let needs_hold = shown
                .needs()
                .iter()
                .all(|(board, &most)| truth::independence_number(board).is_some_and(|alpha| alpha <= most));
            let (board, most) = (shown.board(), shown.at_most());
            assert!(!needs_hold || truth::may_be_at_most(board, most), "{board}: accepted at most {most}");
            true
        }
        Err(fault) => {
            assert_plain(&fault);
            false
        }
    }
}

pub(super) fn vipr_seeds() -> Vec<Vec<u8>> {
    corpus::files("crates/crosscheck/tests/vectors/vipr/accepted", &["vipr"])
}

/// Checks a text as a VIPR file.
pub fn vipr(bytes: &[u8]) -> bool {
    let calls = Cell::new(0);
    let stop = || {
        calls.set(calls.get() + 1);
        calls.get() > MOST_CALLS
    };
    match files::check(bytes, &read_board, &stop) {
        Ok(theorem) => {
            assert_holds(&theorem);
            true
        }
        Err(fault) => {
            assert_plain(&fault);
            false
        }
    }
}

/// Panics if a theorem is false on a small board.
fn assert_holds(theorem: &files::Theorem) {
    let board = theorem.board();
    let Some(graph) = truth::small_graph(board) else { return };
    let included = truth::places(&graph, theorem.included()).expect("squares of the board");
    let optimum = match theorem.problem() {
        Problem::IndependentSet if truth::is_independent(&graph, &included) => {
            let rest = Graph::residual(&*definition(board), theorem.included()).expect("a small board");
            truth::independence_number_of(&rest).map(|size| size + included.len() as u64)
        }
        Problem::DominatingSet => truth::domination_number(&graph, &included, false),
        Problem::IndependentDominatingSet => truth::domination_number(&graph, &included, true),
        _ => None,
    };
    let Some(optimum) = optimum else { return };
    assert!(theorem.at_most().is_none_or(|most| optimum <= most), "{theorem:?} but {optimum}");
    assert!(theorem.at_least().is_none_or(|least| optimum >= least), "{theorem:?} but {optimum}");
}
