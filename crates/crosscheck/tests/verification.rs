//! Tests that valid certificates are accepted, and that each kind of fault is reported with its place.

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::verify::{Fault, verify, verify_includes, verify_on, verify_partial};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::{BoardName, Piece};
use proptest::prelude::*;

fn certificate<const D: usize>(board: &str, problem: Problem, squares: &[[u32; D]]) -> Certificate {
    Certificate {
        board: board.parse().expect(board),
        problem,
        origin: "by hand".to_owned(),
        squares: squares.iter().map(|square| square.to_vec()).collect(),
    }
}

#[test]
fn accepts_valid_certificates() {
    for (certificate, size) in [
        (certificate("4^2", Problem::IndependentSet, &[[0, 1], [1, 3], [2, 0], [3, 2]]), 4),
        (certificate("3^3", Problem::IndependentSet, &[[0, 0, 0], [1, 2, 0], [2, 0, 1], [0, 1, 2]]), 4),
        (certificate("4^2", Problem::IndependentSet, &[] as &[[u32; 2]]), 0),
        (certificate("3^2", Problem::IndependentDominatingSet, &[[1, 1]]), 1),
        (certificate("4^2", Problem::DominatingSet, &[[0, 0], [1, 1], [2, 2], [3, 3]]), 4),
        (certificate("bishop:2x3", Problem::IndependentSet, &[[0, 0], [0, 1], [0, 2]]), 3),
        (certificate("rook:torus:3^2", Problem::IndependentSet, &[[0, 0], [1, 1], [2, 2]]), 3),
    ] {
        let verified = verify(&certificate).unwrap_or_else(|fault| panic!("{certificate}{fault}"));
        assert_eq!(
            (verified.board(), verified.problem(), verified.size()),
            (&certificate.board, certificate.problem, size)
        );
        assert_eq!(verify_on(&certificate.board, certificate.problem, &certificate), Ok(verified));
    }
}

#[test]
fn reports_each_fault_with_its_place() {
    for (certificate, message) in [
        (
            certificate("4^3", Problem::IndependentSet, &[[0, 0], [1, 2]]),
            "square 1 of the list, (0, 0), has 2 coordinates; on 4^3 a square has 3",
        ),
        (
            certificate("4x5", Problem::DominatingSet, &[[0, 0], [4, 1]]),
            "square 2 of the list, (4, 1), is off the board 4x5; the coordinates lie in [0,3] x [0,4]",
        ),
        (
            certificate("4^2", Problem::IndependentSet, &[[0, 0], [1, 2], [0, 0]]),
            "the square (0, 0) is in the list twice, at positions 1 and 3",
        ),
        (
            certificate("4^2", Problem::DominatingSet, &[[0, 0], [1, 2], [1, 2]]),
            "the square (1, 2) is in the list twice, at positions 2 and 3",
        ),
        (
            certificate("4^3", Problem::IndependentSet, &[[0, 0, 0], [1, 2, 0], [3, 2, 2]]),
            "squares 2 and 3 of the list, (1, 2, 0) and (3, 2, 2), attack each other",
        ),
        (
            certificate("torus:5^2", Problem::IndependentSet, &[[0, 1], [1, 0]]),
            "squares 1 and 2 of the list, (0, 1) and (1, 0), attack each other",
        ),
        (
            certificate("torus:5^2", Problem::IndependentSet, &[[0, 1], [4, 2]]),
            "squares 1 and 2 of the list, (0, 1) and (4, 2), attack each other",
        ),
        (
            certificate("5^2", Problem::DominatingSet, &[[2, 2]]),
            "the square (0, 1) is neither in the set nor attacked from it",
        ),
        (
            certificate("3^2", Problem::IndependentDominatingSet, &[[1, 1], [0, 0]]),
            "squares 1 and 2 of the list, (1, 1) and (0, 0), attack each other",
        ),
        (
            certificate("4^2", Problem::IndependentDominatingSet, &[[1, 1]]),
            "the square (0, 3) is neither in the set nor attacked from it",
        ),
    ] {
        assert_eq!(verify(&certificate).expect_err(message).to_string(), message);
    }
}

#[test]
fn rejects_certificates_for_another_board() {
    let certificate = certificate("4^2", Problem::IndependentSet, &[[0, 0], [1, 2]]);
    let fault = verify_on(&BoardName::queen(&[5, 5]), Problem::IndependentSet, &certificate);
    let message = fault.expect_err("another board").to_string();
    assert_eq!(message, "the certificate is for the board 4^2, but 5^2 was asked for");
}

#[test]
fn rejects_certificates_of_another_claim() {
    let row = certificate("3^2", Problem::DominatingSet, &[[0, 0], [0, 1], [0, 2]]);
    let fault = verify_on(&row.board, Problem::IndependentSet, &row).expect_err("another claim");
    assert_eq!(
        fault.to_string(),
        "the certificate is of a dominating set, but an independent set was asked for"
    );
    let both = certificate("3^2", Problem::IndependentDominatingSet, &[[1, 1]]);
    for problem in Problem::ALL {
        let is_accepted = verify_on(&both.board, problem, &both).is_ok();
        assert_eq!(is_accepted, problem != Problem::NoThreeInLine, "{problem:?}");
    }
}

#[test]
fn verifies_parts_of_solutions() {
    let [apart, pair] = [[[0, 0], [1, 2]], [[0, 0], [1, 1]]]
        .map(|squares| certificate("4^2", Problem::IndependentDominatingSet, &squares));
    for solution in Problem::ALL {
        assert_eq!(verify_partial(&apart.board, &apart, solution), Ok(()));
        let fault = verify_partial(&pair.board, &pair, solution).err().map(|fault| fault.to_string());
        let attack = "squares 1 and 2 of the list, (0, 0) and (1, 1), attack each other";
        let is_independent = ![Problem::DominatingSet, Problem::NoThreeInLine].contains(&solution);
        assert_eq!(fault, is_independent.then(|| attack.to_owned()));
        let twice = certificate("4^2", Problem::DominatingSet, &[[0, 0], [0, 0]]);
        assert!(matches!(verify_partial(&twice.board, &twice, solution), Err(Fault::Repeated { .. })));
        let off = certificate("4^2", Problem::DominatingSet, &[[0, 4]]);
        assert!(matches!(verify_partial(&off.board, &off, solution), Err(Fault::OffBoard { .. })));
        let other = BoardName::queen(&[5, 5]);
        assert!(matches!(verify_partial(&other, &apart, solution), Err(Fault::WrongBoard { .. })));
    }
}

#[test]
fn completions_include_every_given_queen() {
    let certificate = certificate("4^2", Problem::IndependentSet, &[[0, 1], [1, 3], [2, 0], [3, 2]]);
    assert_eq!(verify_includes(&certificate, &[vec![2, 0], vec![0, 1]]), Ok(()));
    assert_eq!(
        verify_includes(&certificate, &[vec![2, 0], vec![0, 0]]).expect_err("missing").to_string(),
        "the queen (0, 0), number 2 of the required ones, is not among the squares"
    );
}

/// Returns a strategy for a board and an independent set of at least two squares, chosen greedily in a random
/// order.
fn independent_set() -> impl Strategy<Value = Certificate> {
    let sides = prop::collection::vec(2u32..6, 1..5);
    (sides, 0usize..3, any::<bool>())
        .prop_flat_map(|(sides, piece, torus)| {
            let sides = if torus { vec![sides[0]; sides.len()] } else { sides };
            let board = BoardName::grid(Piece::ALL[piece], torus, &sides);
            let squares: Vec<Vec<u32>> = definition(&board).squares().collect();
            (Just(board), Just(squares).prop_shuffle())
        })
        .prop_filter_map("one square only", |(board, order)| {
            let definition = definition(&board);
            let mut squares: Vec<Vec<u32>> = Vec::new();
            for square in order {
                if !squares.iter().any(|s| definition.attacks(s, &square)) {
                    squares.push(square);
                }
            }
            let problem = Problem::IndependentDominatingSet;
            let origin = "greedy".to_owned();
            (squares.len() > 1).then_some(Certificate { board, problem, origin, squares })
        })
}

proptest! {
    #[test]
    fn finds_one_wrong_square(
        good in independent_set(),
        changed: prop::sample::Index,
        other: prop::sample::Index,
        target: prop::sample::Index,
    ) {
        prop_assert!(verify(&good).is_ok());
        let changed = changed.index(good.size());
        let definition = definition(&good.board);

        let mut off_board = good.clone();
        let axis = target.index(definition.dimension());
        off_board.squares[changed][axis] = definition.squares().map(|s| s[axis]).max().expect("a square") + 1;
        prop_assert_eq!(verify(&off_board), Err(Fault::OffBoard {
            board: good.board.clone(),
            square: off_board.squares[changed].clone(),
            position: changed + 1,
            allowed: definition.describe_squares(),
        }));

        let mut too_long = good.clone();
        too_long.squares[changed].push(0);
        prop_assert_eq!(verify(&too_long), Err(Fault::WrongDimension {
            board: good.board.clone(),
            square: too_long.squares[changed].clone(),
            position: changed + 1,
            expected: definition.dimension(),
        }));

        let other = (changed + 1 + other.index(good.size() - 1)) % good.size();
        let mut repeated = good.clone();
        repeated.squares[changed] = good.squares[other].clone();
        prop_assert_eq!(verify(&repeated), Err(Fault::Repeated {
            square: good.squares[other].clone(),
            first: changed.min(other) + 1,
            second: changed.max(other) + 1,
        }));

        let mut missing = good.clone();
        missing.squares.remove(changed);
        let undominated = matches!(verify(&missing), Err(Fault::Undominated { .. }));
        prop_assert!(undominated);

        let attacked: Vec<_> =
            definition.squares().filter(|s| definition.attacks(&good.squares[other], s)).collect();
        prop_assume!(!attacked.is_empty());
        let mut attacking = good;
        attacking.squares[changed] = attacked[target.index(attacked.len())].clone();
        let fault = verify(&attacking);
        let Err(Fault::Attack { squares: (a, b), positions: (i, j) }) = fault else {
            return Err(TestCaseError::fail(format!("{fault:?}")));
        };
        prop_assert!(i == changed + 1 || j == changed + 1);
        prop_assert!(definition.attacks(&a, &b));
        prop_assert_eq!((&a, &b), (&attacking.squares[i - 1], &attacking.squares[j - 1]));
    }
}
