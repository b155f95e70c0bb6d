//! The exact engine against enumeration and HiGHS; every proof is checked, and damaged proofs are refused.

mod answers;
mod damage;
mod draw;
mod parts;

use std::io::Write;
use std::sync::{Arc, Mutex};

use ndqueens_crosscheck::proof::{self, ProofError, Proved};
use ndqueens_model::board::Board;
use ndqueens_model::name::BoardName;
use ndqueens_solver::exact::{self, Control, Maximum, Settings};

static CONTROL: Control = Control::new();
const SETTINGS: Settings<'_> = Settings {
    seed: 0,
    threads: 1,
    needs: true,
    symmetry: true,
    proofs: true,
    shelf: None,
    control: &CONTROL,
};

/// A writer that the test can look into after the engine is done with it.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn name(text: &str) -> BoardName {
    text.parse().expect(text)
}

/// What the board is, with its file if it has one.
fn told(name: &BoardName) -> String {
    match name {
        BoardName::File(file) => format!("{name}\n{}", file.text()),
        BoardName::Grid { .. } => name.to_string(),
    }
}

fn maximum_with_proof(name: &BoardName, settings: &Settings<'_>) -> (Maximum, String) {
    let shared = Shared::default();
    let maximum = exact::maximum(&Board::new(name), settings, Some(Box::new(shared.clone())), &mut |_| {})
        .expect("a proof in memory")
        .expect("not stopped");
    let text = String::from_utf8(shared.0.lock().expect("not poisoned").clone()).expect("text");
    (maximum, text)
}

/// Has a proof checked that may be about this board file, or about any board without one.
fn check_about(board: &BoardName, proof: &[u8]) -> Result<Proved, ProofError> {
    proof::check(proof, &|named| {
        BoardName::read(named, &board.opener()).map_err(|_| format!("no board {named}"))
    })
}
