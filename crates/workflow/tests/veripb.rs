//! Tests of formulas and proofs for VeriPB. Tests that run the program `veripb` are ignored by default;
//! scripts/test --all runs them.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ndqueens_crosscheck::opb::{self, OpbFormula, ProofFault, Question};
use ndqueens_exact::{self as exact, Settings};
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::format::Format;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::name::file::{BoardFile, Reading};
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_system::cancel::{Control, Deadline};
use ndqueens_workflow::external_checker::veripb::{self, Accepted, Refusal};
use ndqueens_workflow::prove::veripb as veripb_files;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

mod common;

use common::{largest, small_board};

fn board(name: &str) -> Board {
    Board::new(&name.parse().expect(name))
}

fn formula(board: &Board, goal: Goal) -> String {
    let base = Formulation::builtin("base").expect("shipped");
    let bounds = Bounds::default();
    let formula = Model::new(board, &base, Variant::of(goal), &bounds, 1 << 30).expect("a formulation");
    let mut text = Vec::new();
    Format::Opb.write(&formula, &mut text).expect("written to memory");
    String::from_utf8(text).expect("text")
}

/// Writes the formula and the proof of the maximum of a board. Returns the maximum and the path of the proof.
fn written(board: &Board, folder: &Path, name: &str, long: u64) -> (u64, PathBuf) {
    let placement = largest(board, &board.squares().collect::<Vec<_>>());
    let path = folder.join(name);
    let size = veripb_files::write(board, &placement, None, &path, long, Deadline::NEVER, &mut |_| {
        ControlFlow::Continue(())
    });
    size.expect("written").result().expect("not stopped");
    (placement.len() as u64, path)
}

fn drawn(text: &str) -> BoardName {
    BoardName::File(BoardFile::new("a.txt", text.to_owned(), Reading::default()).expect(text))
}

/// Returns boards of every kind, of some kinds many.
fn names() -> Vec<BoardName> {
    let plain = [
        "1^1",
        "1^3",
        "7^1",
        "2^3",
        "3^3",
        "4^3",
        "2x3x4",
        "4x3x2",
        "1x3x1x2",
        "3^4",
        "2^5",
        "6^2",
        "5x7",
        "torus:1^2",
        "torus:2^3",
        "torus:3^3",
        "torus:4^2",
        "torus:5^2",
        "torus:2^4",
        "torus:6^1",
        "hex:1",
        "hex:2",
        "hex:3",
        "hex:5",
        "three:2",
        "three:4",
        "three:6",
        "three:8",
        "sudoku:1",
        "sudoku:2",
        "sudoku:3",
        "knight:3x4",
        "king:3^2",
        "king:torus:4^2",
        "superqueen:4^2",
        "superqueen:torus:3^2",
        "moebius:3x4",
        "klein:4x3",
        "knight:5^2",
        "klein:5^2",
    ];
    let pieces = ["3^3", "4x3", "1x4x2", "5^1", "3^4", "torus:3^3", "torus:4^2", "torus:2^3"];
    let pieces =
        Piece::ALL.into_iter().flat_map(|piece| pieces.map(|name| format!("{}:{name}", piece.word())));
    let mut names: Vec<BoardName> =
        plain.map(str::to_owned).into_iter().chain(pieces).map(|name| name.parse().expect(&name)).collect();
    for text in ["n 5\n0 1\n3 1\n2 0\n", "n 3\n", "p edge 4 3\ne 4 1\ne 1 2\ne 2 3\n", "0 7\n7 3\n"] {
        names.push(drawn(text));
    }
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for number in 0..60 {
        let sides: Vec<u32> = (0..random.random_range(2..=3)).map(|_| random.random_range(1..=5)).collect();
        let piece = Piece::ALL[random.random_range(0..3)].word();
        let vision = if number % 2 == 0 { "through" } else { "blocked" };
        let lengths = sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
        let mut text = format!("ndqueens board 1\npiece: {piece}\nvision: {vision}\nsides: {lengths}\n");
        let width = sides[sides.len() - 1];
        for row in 0..sides.iter().product::<u32>() / width {
            let cell = |column| if row + column == 0 || random.random_bool(0.7) { '#' } else { '.' };
            text.extend((0..width).map(cell));
            text.push('\n');
        }
        names.push(drawn(&text));
    }
    names
}

/// Returns the lines of a formula that are not comments.
fn constraints(formula: &str) -> Vec<&str> {
    formula.lines().filter(|line| !line.starts_with('*')).collect()
}

#[test]
fn crosscheck_and_model_write_the_same_formula() {
    let names = names();
    for name in &names {
        let board = Board::new(name);
        for (goal, question) in
            [(Goal::Optimise, Question::Maximum), (Goal::AtLeast(1), Question::AtLeast(1))]
        {
            let theirs = formula(&board, goal);
            let own = OpbFormula::new(name, question).expect("small");
            assert_eq!(constraints(&theirs), constraints(own.text()), "{name} {question:?}");
            own.compare(&theirs).expect("the same");
            assert_eq!(opb::parse_question(&theirs).expect("a question"), question);
            assert_eq!(opb::parse_board(&theirs), Some(&*name.to_string()));
            let header = |text: &str| text.lines().next().map(str::to_owned);
            assert_eq!(header(&theirs), header(own.text()));
        }
    }
    let maxima: Vec<String> = names.iter().map(|name| formula(&Board::new(name), Goal::Optimise)).collect();
    for name in ["4^3", "torus:4^2", "bishop:3^3", "hex:3", "three:4", "sudoku:2"] {
        let name: BoardName = name.parse().expect(name);
        let own = OpbFormula::new(&name, Question::Maximum).expect("small");
        for (other, theirs) in names.iter().zip(&maxima) {
            assert_eq!(own.compare(theirs).is_ok(), *other == name, "{name} {other}");
        }
    }
}

#[test]
fn writes_no_proof_for_a_smaller_placement() {
    for long in [veripb_files::LONG, 0] {
        let mut out = Vec::new();
        let control = Control::default();
        let settings = Settings::new(&control);
        let fault = exact::veripb::write(&board("3^3"), &[0], None, long, &settings, &mut |_| {}, &mut out);
        assert_eq!(fault.expect_err("four queens fit").kind(), io::ErrorKind::InvalidInput);
        assert!(out.is_empty());
    }
}

#[test]
fn names_of_proofs_lead_to_their_formulas() {
    for proof in ["a/5.pbp", "a/5.pbp.gz"] {
        assert_eq!(veripb::formula_of(Path::new(proof)), Some(PathBuf::from("a/5.opb")));
    }
    for other in ["a.opb", "a.gz", "pbp", "a.pbp.txt"] {
        assert!(veripb::formula_of(Path::new(other)).is_none(), "{other}");
    }
}

fn check(path: &Path) -> Result<Accepted, Refusal> {
    veripb::check(path, None, &|| false)
}

fn assert_accepted(board: &Board, at_most: u64, path: &Path) {
    let accepted = check(path).unwrap_or_else(|refusal| panic!("{}: {refusal}", board.name()));
    let said = (&accepted.board, accepted.at_most, accepted.attained);
    assert_eq!(said, (board.name(), at_most, true), "{}", board.name());
}

#[test]
#[ignore = "needs the program veripb on the path"]
fn proofs_by_way_of_smaller_boxes_are_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["4^3", "3x4x4", "2x3x4", "3^4", "2x2x3x3", "6^2", "5x7", "rook:3x4x4", "bishop:3x4x4"] {
        let board = board(name);
        let (at_most, path) = written(&board, folder.path(), "a.pbp", 0);
        assert_accepted(&board, at_most, &path);
    }
}

#[test]
#[ignore = "needs the program veripb on the path"]
fn proofs_of_random_boards_are_accepted() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let folder = tempfile::tempdir().expect("a folder");
    let mut checked = 0;
    while checked < 150 {
        let board = small_board(&mut random);
        let packed = random.random();
        let long = if random.random() { veripb_files::LONG } else { 0 };
        let (at_most, path) = written(&board, folder.path(), if packed { "a.pbp.gz" } else { "a.pbp" }, long);
        assert_accepted(&board, at_most, &path);
        checked += 1;
    }
}

#[test]
#[ignore = "needs the program veripb on the path"]
fn damaged_proofs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = board("4x4x3");
    let (_, path) = written(&board, folder.path(), "a.pbp", veripb_files::LONG);
    let proof = fs::read_to_string(&path).expect("text");
    check(&path).expect("accepted as it is");
    let line = |start: &str| proof.lines().find(|line| line.starts_with(start)).expect(start);
    let symmetry = line("dom");
    let (clause, witness) = symmetry.split_once(" : ").expect("a witness");
    let (first, rest) = witness.split_once(' ').expect("a variable");
    let (image, rest) = rest.split_once(' ').expect("its image, and more");
    let rup = line("rup");
    for (what, old, new) in [
        ("the order", line("load_order"), line("load_order").replace('~', "")),
        ("an image", symmetry, format!("{clause} : {first} {first} {rest}")),
        ("two images", symmetry, format!("{clause} : {first} ~{image} {rest}")),
        ("a clause", rup, rup.replacen("1 ~", "1 ", 1)),
        ("a step", rup, String::new()),
        ("the divisor of a clique", " d;", " 1 + d;".to_owned()),
        ("the rows of a clique", " w x", " x".to_owned()),
        ("the conclusion", "conclusion BOUNDS -", "conclusion BOUNDS -1".to_owned()),
        ("a proof cut off", &proof[proof.len() / 2..], String::new()),
        ("the version", "version 3.0", "version 2.0".to_owned()),
        ("the number of rows", "f ", "f 1".to_owned()),
        ("nothing concluded", line("conclusion"), "conclusion NONE;".to_owned()),
        ("an open conclusion", line("conclusion"), "conclusion BOUNDS -999 INF;".to_owned()),
    ] {
        let damaged = proof.replacen(old, &new, 1);
        assert_ne!(damaged, proof, "{what}");
        fs::write(&path, damaged).expect("written");
        let refusal = check(&path).expect_err(what);
        assert!(refusal.is_verdict(), "{what}: {refusal}");
    }
    fs::write(&path, proof.replacen("dom", "a 1 x1 >= 1;\ndom", 1)).expect("written");
    assert!(matches!(check(&path), Err(Refusal::Proof(ProofFault::Assumptions))));

    fs::write(&path, &proof).expect("written");
    let other = self::board("4x3x4");
    fs::write(path.with_extension("opb"), formula(&other, Goal::Optimise)).expect("written");
    assert!(matches!(check(&path), Err(Refusal::Proof(ProofFault::NotVerified(_)))));
    let wrong = veripb::check(&path, Some(board.name()), &|| false);
    assert!(matches!(wrong, Err(Refusal::Formula { .. })));
    fs::write(path.with_extension("opb"), formula(&board, Goal::AtLeast(7))).expect("written");
    assert!(check(&path).expect_err("another question").is_verdict());
}
