//! Checks that parallel checks and the sequential check accept the same proofs and report the same faults.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use ndqueens_crosscheck::proof::{self, ProofError, ProofResult, Statements};
use ndqueens_notation::name::{BoardName, NameError};
use ndqueens_system::file::packed;
use ndqueens_workflow::parallel_check::{CheckedAhead, check_on};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Returns the text of an archived proof.
fn archived(board: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/archive/ledger");
    let file = File::open(folder.join(format!("{board}.proof.gz"))).expect("an archived proof");
    let mut text = String::new();
    packed::read(BufReader::new(file)).expect("gzip").read_to_string(&mut text).expect("a text");
    text
}

fn read_board(name: &str) -> Result<BoardName, NameError> {
    name.parse()
}

fn on_threads(threads: usize, text: &str, ahead: &CheckedAhead) -> Result<ProofResult, ProofError> {
    check_on(threads, text.as_bytes(), &read_board, ahead, &|| false)
}

/// Returns a result as text, to compare faults.
fn shown(checked: &Result<ProofResult, ProofError>) -> String {
    match checked {
        Ok(proved) => format!("{:?} {} {}", proved.at_most(), proved.nodes(), proved.boxes()),
        Err(fault) => fault.to_string(),
    }
}

/// Checks every tree of a proof in advance.
fn checked_ahead(text: &str) -> CheckedAhead {
    let ahead = CheckedAhead::default();
    let mut rest = text.as_bytes();
    let mut statements = Statements::read(&mut rest, &read_board).expect("a proof");
    let mut bounds: HashMap<BoardName, u64> = HashMap::new();
    for part in text.split("\nbox ").skip(1) {
        let (statement, tree) = part.split_once('\n').unwrap_or((part, ""));
        let &[sides, most, how, ..] = statement.split(' ').collect::<Vec<_>>().as_slice() else { panic!() };
        let (board, most) = (sides.parse::<BoardName>().expect("a box"), most.parse().expect("a bound"));
        if how == "search" {
            let tree = tree.split("\nat most ").next().expect("a part").trim_end().to_owned() + "\n";
            ahead.check(board.clone(), most, bounds.clone(), tree.into());
            assert!(statements.next_tree().expect("it is accepted").is_some());
        }
        bounds.insert(board, most);
    }
    ahead
}

#[test]
fn threads_and_pieces_change_nothing() {
    for board in ["5^3", "7^3", "4x4x5x5"] {
        let text = archived(board);
        let (nothing, ahead) = (CheckedAhead::default(), checked_ahead(&text));
        let checked = proof::check(text.as_bytes(), &read_board);
        let proved = checked.as_ref().expect("it is accepted");
        for threads in [1, 2, 3] {
            let threaded = on_threads(threads, &text, &nothing);
            assert_eq!(threaded.as_ref().map_err(ToString::to_string), Ok(proved), "{board} {threads}");
        }
        assert_eq!(on_threads(2, &text, &ahead).as_ref().ok(), Some(proved), "{board}");
    }
}

#[test]
fn the_first_fault_is_reported() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let (mut accepted, mut refused) = (0, 0);
    for (board, edits) in [("5^3", 200), ("7^3", 60)] {
        let text = archived(board);
        let (nothing, ahead) = (CheckedAhead::default(), checked_ahead(&text));
        for _ in 0..edits {
            let at = rng.random_range(0..text.len());
            let other = ["", "1", "3", "-", " ", "a", "B", "\n"][rng.random_range(0..8)];
            let edit = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            let checked = proof::check(edit.as_bytes(), &read_board);
            *if checked.is_ok() { &mut accepted } else { &mut refused } += 1;
            for (threads, ahead) in [(2, &nothing), (3, &ahead)] {
                assert_eq!(shown(&on_threads(threads, &edit, ahead)), shown(&checked), "{board}, byte {at}");
            }
        }
    }
    assert!(accepted > 0 && refused > 100, "{accepted} {refused}");
}

#[test]
fn a_stopped_check_proves_nothing() {
    let text = archived("7^3");
    let stopped = check_on(2, text.as_bytes(), &read_board, &CheckedAhead::default(), &|| true);
    assert!(matches!(stopped, Err(ProofError::Stopped)), "{stopped:?}");
}
