//! The exact engine against enumeration on random boards; every proof is checked, and damaged proofs are refused.

use std::io::Write;
use std::sync::{Arc, Mutex};

use ndqueens_crosscheck::count;
use ndqueens_crosscheck::proof::{self, ProofError, Proved};
use ndqueens_crosscheck::verify;
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_solver::exact::{self, Control, Maximum, Settings};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

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

fn maximum_with_proof(name: &BoardName, settings: &Settings<'_>) -> (Maximum, String) {
    let shared = Shared::default();
    let maximum = exact::maximum(&Board::new(name), settings, Some(Box::new(shared.clone())), &mut |_| {})
        .expect("a proof in memory")
        .expect("not stopped");
    let text = String::from_utf8(shared.0.lock().expect("not poisoned").clone()).expect("text");
    (maximum, text)
}

fn check(proof: &str) -> Result<Proved, ProofError> {
    proof::check(proof.as_bytes(), &|board| board.parse().map_err(|_| format!("no board {board}")))
}

/// The value is that of an enumeration, the placement holds, and the proof is accepted.
fn assert_right(name: &BoardName, settings: &Settings<'_>) {
    let (maximum, proof) = maximum_with_proof(name, settings);
    let counted = count::count(name, &|| false).expect("a small board");
    assert_eq!(maximum.value, counted.independence_number as u64, "{name}");
    let placement = Certificate::independent(name.clone(), maximum.placement, "test");
    assert_eq!(verify::verify(&placement).expect("independent").size() as u64, maximum.value, "{name}");
    let proved = check(&proof).unwrap_or_else(|fault| panic!("{name}: {fault}\n{proof}"));
    assert_eq!((proved.board(), proved.at_most()), (name, maximum.value), "{name}");
}

#[test]
fn random_boards_agree_with_enumeration_and_their_proofs_hold() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut seen = std::collections::HashSet::new();
    for _ in 0..2000 {
        let dimension = random.random_range(1..=5);
        let torus = random.random_bool(0.2);
        let side = random.random_range(1..=5);
        let sides: Vec<u32> =
            (0..dimension).map(|_| if torus { side } else { random.random_range(1..=6) }).collect();
        if sides.iter().product::<u32>() > 40 {
            continue;
        }
        let piece = Piece::ALL[random.random_range(0..3)];
        let name = BoardName::grid(piece, torus, &sides);
        let settings = Settings {
            needs: random.random(),
            symmetry: random.random(),
            threads: random.random_range(1..=2),
            ..SETTINGS
        };
        if seen.insert((name.clone(), settings.needs, settings.symmetry)) {
            assert_right(&name, &settings);
        }
    }
}

#[test]
fn known_values_are_proved() {
    for (board, value) in
        [("3^3", 4), ("4^3", 7), ("5^3", 13), ("6^3", 21), ("3^4", 6), ("4^4", 16), ("3^5", 11)]
    {
        let (maximum, proof) = maximum_with_proof(&name(board), &SETTINGS);
        assert_eq!(maximum.value, value, "{board}");
        assert_eq!(check(&proof).expect(board).at_most(), value, "{board}");
    }
}

#[test]
fn damaged_proofs_are_refused() {
    let (_, whole) = maximum_with_proof(&name("4^3"), &SETTINGS);
    let refused = |damaged: &str, words: &str| {
        let fault = check(damaged).expect_err(words).to_string();
        assert!(fault.contains(words), "{fault} instead of {words}");
    };
    let lines: Vec<&str> = whole.lines().collect();
    let find = |part: &str| lines.iter().position(|line| line.contains(part)).expect(part);
    let with = |number: usize, line: &str| {
        let mut lines = lines.clone();
        lines[number] = line;
        lines.join("\n") + "\n"
    };
    let without = |number: usize| {
        let mut lines = lines.clone();
        lines.remove(number);
        lines.join("\n") + "\n"
    };
    // The order of the lines, the end, and what stands at the head.
    refused(&whole[..whole.len() / 2], "");
    refused(&whole[..whole.len() - 1], "cut off");
    refused(&whole.replace("\nend\n", "\n"), "too early");
    refused(&(whole.clone() + "end\n"), "must end");
    refused(&whole.replace("proof 1", "proof 2"), "must begin");
    refused(&whole.replace("board 4^3", "board 5^3"), "without a bound of 5^3");
    refused(&whole.replace("board 4^3", "board rook:4^3"), "");
    refused(&whole.replace("at most 7", "at most 6"), "shows at most 7, not 6");
    // A bound of a box one too small, or missing.
    let cut = find("box 2x3x4 4 cut");
    refused(&with(cut, &lines[cut].replace(" 4 cut", " 3 cut")), "not 3");
    refused(&without(find("box 2x2x2")), "");
    let searched = find("box 3x3x4 5 search");
    refused(&with(searched, "box 3x3x4 4 search"), "");
    // A clique with a pair that does not attack, cliques too many, a square not covered, a branch left out.
    let cover =
        (searched..).find(|&k| lines[k].starts_with("x ") && lines[k].contains(',')).expect("a cover");
    let region = lines[cover].split(' ').nth(1).expect("a region");
    refused(&with(cover, &format!("x {region} 0,1,2,3,4,5,6,7,8,9,10,11")), "do not attack each other");
    refused(&with(cover, &format!("{} 0 1 2 3 4 5 6 7 8 9", lines[cover])), "too many");
    refused(&with(cover, &format!("x {region}")), "not covered");
    refused(&with(cover, "x 99"), "no region 99");
    let branch = (0..lines.len()).find(|&k| lines[k].starts_with("b ")).expect("a branch");
    let (kept, _) = lines[branch].rsplit_once(' ').expect("children");
    refused(&with(branch, kept), "neither covered nor branched on");
    refused(&without(branch + 1), "");
    // A symmetry that is none, or that moves what was decided.
    let orbit = (searched..).find(|&k| lines[k].starts_with("o ")).expect("an orbit");
    refused(&with(orbit, &format!("{} 2,1,9", lines[orbit])), "not a signed permutation");
    refused(&with(orbit, &format!("{} 1,1,2", lines[orbit])), "");
    let deep = (orbit + 1..)
        .find(|&k| lines[k].starts_with("o ") && lines[k - 1].starts_with("o "))
        .expect("below it");
    refused(&with(deep, &format!("{} -1,-2,-3", lines[deep])), "moves the free squares");
    // A slab away from the faces, or of a box that is not bounded.
    let slab = find("slab");
    refused(&with(slab, "slab 0 7 1"), "face");
    refused(&with(slab, "slab 9 0 1"), "no axis");
}

#[test]
fn an_engine_that_is_stopped_says_so() {
    let control = Control::new();
    control.stop();
    let settings = Settings { control: &control, ..SETTINGS };
    let stopped =
        exact::maximum(&Board::new(&name("9^3")), &settings, None, &mut |_| {}).expect("no proof to write");
    assert_eq!(stopped, None);
}
