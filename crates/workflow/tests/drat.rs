//! Tests of DRAT proofs by CaDiCaL. They require the program `rate` and are ignored by default;
//! scripts/test-sat runs them.
#![cfg(feature = "sat")]

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ndqueens_model::board::Board;
use ndqueens_model::facts::ArchivedBounds;
use ndqueens_solver::backends::Options;
use ndqueens_workflow::external_checker::drat::{self, Accepted, Refusal};
use ndqueens_workflow::prove::{self, Status};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;

mod common;

use common::{largest, small_board};

/// Proves the maximum of a board. Returns the maximum and the path of the proof.
fn proved(board: &Board, folder: &Path, name: &str) -> (u64, PathBuf) {
    let path = folder.join(name);
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let proof =
        prove::prove_by_sat(board, None, None, &Options::default(), Some(&path), go_on).expect("proved");
    assert_eq!(proof.status, Status::Proved);
    (proof.upper, path)
}

fn check(path: &Path) -> Result<Accepted, Refusal> {
    drat::check(path, &ArchivedBounds::builtin(), &|| false)
}

#[test]
#[ignore = "needs the program rate on the path"]
fn maxima_of_random_boards_are_what_trying_finds() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let folder = tempfile::tempdir().expect("a folder");
    let mut checked = 0;
    while checked < 60 {
        let board = small_board(&mut random);
        let (upper, path) = proved(&board, folder.path(), "a.drat");
        assert_eq!(
            upper,
            largest(&board, &board.squares().collect::<Vec<_>>()).len() as u64,
            "{}",
            board.name()
        );
        let accepted = check(&path).expect("accepted");
        assert_eq!((&accepted.board, accepted.at_most), (board.name(), upper));
        checked += 1;
    }
}

#[test]
#[ignore = "needs the program rate on the path"]
fn wrong_proofs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = |name: &str| Board::new(&name.parse().expect(name));
    let (upper, path) = proved(&board("4^3"), folder.path(), "a.drat");
    let proof = fs::read(&path).expect("written");
    let formula = fs::read_to_string(path.with_extension("cnf")).expect("written");
    assert_eq!(check(&path).expect("as it is").at_most, upper);
    let (_, other) = proved(&board("4x4x3"), folder.path(), "b.drat");
    let [other, other_formula] =
        [other.clone(), other.with_extension("cnf")].map(|path| fs::read(path).expect("written"));

    let mut negated = proof.clone();
    // The lowest bit of a literal's first byte is its sign; the first byte after each step's
    // end is "a" or "d".
    let ends: Vec<usize> = (1..proof.len()).filter(|&at| proof[at - 1] == 0 && proof[at] == b'a').collect();
    for &at in ends.iter().step_by(20).filter(|&&at| at + 1 < proof.len()) {
        negated[at + 1] ^= 1;
    }
    for (what, damaged) in [
        ("half of it", &proof[..proof.len() / 2]),
        ("a third of it", &proof[..proof.len() / 3]),
        ("nothing", &b""[..]),
        ("the empty clause alone", &b"a\0"[..]),
        ("signs", &negated),
        ("a clause that does not follow", &[&b"a\x02\0a\x04\0"[..], b"a\0"].concat()),
        ("no proof at all", b"c this is no proof\n"),
        ("a proof about another board", &other),
    ] {
        assert_ne!(damaged, proof, "{what}");
        fs::write(&path, damaged).expect("written");
        let refusal = check(&path).expect_err(what);
        assert!(matches!(refusal, Refusal::Proof(_)), "{what}: {refusal}");
    }
    fs::write(&path, &proof).expect("written");
    for (what, damaged) in [
        (
            "another formula",
            String::from_utf8(other_formula).expect("text").replacen("board 4x4x3", "board 4^3", 1),
        ),
        ("a clause more", format!("{formula}1 0\n")),
        ("another number", formula.replacen("c at least 8", "c at least 7", 1)),
        ("another board", formula.replacen("c board 4^3", "c board 4x4x3", 1)),
        ("a sign", formula.replacen("\n-1 ", "\n1 ", 1)),
    ] {
        assert_ne!(damaged, formula, "{what}");
        fs::write(path.with_extension("cnf"), damaged).expect("written");
        assert!(matches!(check(&path), Err(Refusal::OtherFormula { .. })), "{what}");
    }
    fs::write(path.with_extension("cnf"), &formula).expect("written");
    assert_eq!(check(&path).expect("as it was").at_most, upper);
}
