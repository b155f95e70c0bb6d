//! Tests the exact engine against enumeration. Every proof is checked, and damaged proofs must be rejected.

mod answers;
mod components;
mod damage;
mod draw;
mod enumeration;
mod parts;

use ndqueens_crosscheck::proof::{self, ProofError, ProofResult};
use ndqueens_exact::{self as exact, Maximum, Settings, Termination};
use ndqueens_model::board::Board;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Control;

use self::components::{DenseSimplex, RandomSwaps};

static CONTROL: Control = Control::new();
const SETTINGS: Settings<'_> = Settings {
    proofs: true,
    heuristics: Some(&RandomSwaps),
    lp: Some(&DenseSimplex),
    ..Settings::new(&CONTROL)
};

fn name(text: &str) -> BoardName {
    text.parse().expect(text)
}

/// Returns the name of a board, with its file if it has one.
fn described(name: &BoardName) -> String {
    match name {
        BoardName::File(file) => format!("{name}\n{}", file.text()),
        _ => name.to_string(),
    }
}

fn maximum_with_proof(name: &BoardName, settings: &Settings<'_>) -> (Maximum, String) {
    let mut proof = Vec::new();
    let maximum = exact::maximum(&Board::new(name), settings, Some(&mut proof), &mut |_| {})
        .expect("a proof in memory");
    assert_eq!(maximum.end, Termination::Finished);
    (maximum, String::from_utf8(proof).expect("text"))
}

/// Checks a proof about a board file, or about any board if `board` has no file.
fn check_about(board: &BoardName, proof: &[u8]) -> Result<ProofResult, ProofError> {
    proof::check(proof, &|named| BoardName::parse_with(named, &board.file_opener()))
}
