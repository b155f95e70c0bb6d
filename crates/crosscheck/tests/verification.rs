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
    let (independent, dominating) = (Problem::IndependentSet, Problem::DominatingSet);
    let both = Problem::IndependentDominatingSet;
    let attack = |[a, b]: [&[u32]; 2], positions: (usize, usize)| Fault::Attack {
        squares: (a.to_vec(), b.to_vec()),
        positions,
    };
    for (certificate, expected) in [
        (
            certificate("4^3", independent, &[[0, 0], [1, 2]]),
            Fault::WrongDimension {
                board: BoardName::queen(&[4, 4, 4]),
                square: vec![0, 0],
                position: 1,
                expected: 3,
            },
        ),
        (
            certificate("4^2", independent, &[[0, 0], [1, 2], [0, 0]]),
            Fault::Repeated { square: vec![0, 0], first: 1, second: 3 },
        ),
        (
            certificate("4^2", dominating, &[[0, 0], [1, 2], [1, 2]]),
            Fault::Repeated { square: vec![1, 2], first: 2, second: 3 },
        ),
        (
            certificate("4^3", independent, &[[0, 0, 0], [1, 2, 0], [3, 2, 2]]),
            attack([&[1, 2, 0], &[3, 2, 2]], (2, 3)),
        ),
        (certificate("torus:5^2", independent, &[[0, 1], [1, 0]]), attack([&[0, 1], &[1, 0]], (1, 2))),
        (certificate("torus:5^2", independent, &[[0, 1], [4, 2]]), attack([&[0, 1], &[4, 2]], (1, 2))),
        (certificate("5^2", dominating, &[[2, 2]]), Fault::Undominated { square: vec![0, 1] }),
        (certificate("3^2", both, &[[1, 1], [0, 0]]), attack([&[1, 1], &[0, 0]], (1, 2))),
        (certificate("4^2", both, &[[1, 1]]), Fault::Undominated { square: vec![0, 3] }),
    ] {
        assert_eq!(verify(&certificate), Err(expected));
    }
    let fault = verify(&certificate("4x5", dominating, &[[0, 0], [4, 1]])).expect_err("off the board");
    let Fault::OffBoard { board, square, position, .. } = fault else { panic!("{fault}") };
    assert_eq!((board, square, position), (BoardName::queen(&[4, 5]), vec![4, 1], 2));
}

#[test]
fn rejects_certificates_for_another_board() {
    let certificate = certificate("4^2", Problem::IndependentSet, &[[0, 0], [1, 2]]);
    let (expected, found) = (BoardName::queen(&[5, 5]), BoardName::queen(&[4, 4]));
    let verified = verify_on(&expected, Problem::IndependentSet, &certificate);
    assert_eq!(verified, Err(Fault::WrongBoard { expected, found }));
}

#[test]
fn rejects_certificates_of_another_claim() {
    let row = certificate("3^2", Problem::DominatingSet, &[[0, 0], [0, 1], [0, 2]]);
    let (expected, found) = (Problem::IndependentSet, Problem::DominatingSet);
    assert_eq!(verify_on(&row.board, expected, &row), Err(Fault::WrongProblem { expected, found }));
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
        let attack = Fault::Attack { squares: (vec![0, 0], vec![1, 1]), positions: (1, 2) };
        let is_independent = ![Problem::DominatingSet, Problem::NoThreeInLine].contains(&solution);
        let fault = verify_partial(&pair.board, &pair, solution).err();
        assert_eq!(fault, is_independent.then_some(attack));
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
        verify_includes(&certificate, &[vec![2, 0], vec![0, 0]]),
        Err(Fault::Missing { queen: vec![0, 0], position: 2 })
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
