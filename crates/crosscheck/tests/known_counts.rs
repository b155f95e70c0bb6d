//! Counts against published values.

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::count::{Count, CountError, count, for_each_maximum_set};
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive::independence_number;
use ndqueens_crosscheck::verify::verify;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use std::cell::Cell;

fn board(text: &str) -> BoardName {
    text.parse().expect(text)
}

fn counted(text: &str) -> Count {
    count(&board(text), &|| false).expect(text)
}

/// Board, independence number, number of maximum solutions, number of those up to symmetry where it is published.
const KNOWN: [(&str, usize, u64, Option<u64>); 33] = [
    // OEIS A000170 and A002562; at n = 2 and 3, where no full solution exists, by hand.
    ("1^2", 1, 1, Some(1)),
    ("2^2", 1, 4, Some(1)),
    ("3^2", 2, 8, Some(1)),
    ("4^2", 4, 2, Some(1)),
    ("5^2", 5, 10, Some(2)),
    ("6^2", 6, 4, Some(1)),
    ("7^2", 7, 40, Some(6)),
    ("8^2", 8, 92, Some(12)),
    // T. Kunt, The n-Queens Problem in Higher Dimensions (2023).
    ("1^3", 1, 1, Some(1)),
    ("2^3", 1, 8, Some(1)),
    ("3^3", 4, 16, None),
    ("4^3", 7, 1344, None),
    ("1^4", 1, 1, Some(1)),
    ("2^4", 1, 16, Some(1)),
    ("3^4", 6, 4992, None),
    // Latin squares of order 3; permutations, up to the symmetries of the square OEIS A000903.
    ("rook:3^3", 9, 12, None),
    ("rook:3^2", 3, 6, Some(2)),
    ("rook:4^2", 4, 24, Some(7)),
    ("rook:5^2", 5, 120, Some(23)),
    // J. A. de Groot, Solving n-queens on non-squares (2020), Tables 4.1 and 4.2; fundamental solutions where they can be told
    // from the table.
    ("hex:1", 1, 1, Some(1)),
    ("hex:2", 1, 7, Some(2)),
    ("hex:3", 3, 12, Some(1)),
    ("hex:4", 7, 2, Some(1)),
    ("hex:5", 7, 172, None),
    ("hex:6", 9, 390, None),
    ("hex:7", 12, 24, Some(2)),
    ("three:8", 12, 208, None),
    // His rows for these were worked out by hand and have fewer queens or more solutions; an independent program agrees.
    ("three:2", 2, 3, Some(1)),
    ("three:4", 6, 2, Some(1)),
    ("three:6", 9, 4, Some(1)),
    // The filled grids of the small Sudoku.
    ("sudoku:1", 1, 1, Some(1)),
    ("sudoku:2", 16, 288, Some(2)),
    ("4^1", 1, 4, Some(2)),
];

#[test]
fn maximum_solutions_are_as_many_as_published() {
    for (text, independence_number, maximum_sets, orbits) in KNOWN {
        let count = counted(text);
        assert_eq!(
            (count.independence_number, count.maximum_sets),
            (independence_number, maximum_sets),
            "{text}"
        );
        assert!(orbits.is_none() || count.orbits == orbits, "{text}: {count:?}");
    }
}

/// Superqueens: OEIS A051224 and, up to symmetry, A051223; n of them do not fit on n^2 below n = 10.
#[test]
fn superqueens_are_as_many_as_published() {
    for n in 2..10 {
        assert!(counted(&format!("superqueen:{n}^2")).independence_number < n, "{n}");
    }
    let ten = counted("superqueen:10^2");
    assert_eq!((ten.independence_number, ten.maximum_sets, ten.orbits), (10, 4, Some(1)));
}

/// Kings: `ceil(n/2)^d`, and OEIS A018807 for the number of placements on 4^2. Knights: OEIS A030978.
#[test]
fn kings_and_knights_are_as_many_as_published() {
    for (name, size, sets) in
        [("king:3^2", 4, 1), ("king:4^2", 4, 79), ("king:5^2", 9, 1), ("king:3^3", 8, 1)]
    {
        let count = counted(name);
        assert_eq!((count.independence_number, count.maximum_sets), (size, sets), "{name}");
    }
    for (n, size) in [(1, 1), (2, 4), (3, 5), (4, 8), (5, 13), (6, 18)] {
        assert_eq!(counted(&format!("knight:{n}^2")).independence_number, size, "{n}");
    }
}

/// P. Monsky, Problem E 3162, Amer. Math. Monthly 96 (1989) 258-259.
#[test]
fn modular_queens_are_as_many_as_in_monskys_theorem() {
    for n in 1..=9 {
        let expected = match n {
            _ if n % 3 == 0 || n % 4 == 0 => n - 2,
            _ if n % 2 == 0 => n - 1,
            _ => n,
        };
        assert_eq!(counted(&format!("torus:{n}^2")).independence_number, expected, "{n}");
    }
}

#[test]
fn both_algorithms_agree_on_the_independence_number() {
    for text in ["7^2", "8^2", "3^3", "3x4x4", "3x3x3x2", "torus:7^2", "rook:3^3", "bishop:5^2"] {
        let graph = Graph::new(&*definition(&board(text))).expect(text);
        assert_eq!(independence_number(&graph, &|| false), Ok(counted(text).independence_number), "{text}");
    }
}

#[test]
fn every_maximum_set_is_visited_once_and_verifies() {
    let board = board("4^3");
    let mut sets = Vec::new();
    for_each_maximum_set(&board, &|| false, |set| {
        let certificate = Certificate::independent(board.clone(), set.to_vec(), "enumeration");
        assert_eq!(verify(&certificate).expect("independent").size(), 7);
        sets.push(certificate.squares);
    })
    .expect("done");
    sets.sort();
    sets.dedup();
    assert_eq!(sets.len(), 1344);
}

#[test]
fn a_search_stops_when_told_and_keeps_the_best_set_it_has() {
    let nodes = Cell::new(0);
    let stop = || {
        nodes.set(nodes.get() + 1);
        nodes.get() > 1000
    };
    let Err(CountError::Stopped { incumbent }) = count(&board("7^3"), &stop) else {
        panic!("the count of 7^3 takes more than 1000 nodes");
    };
    assert!(incumbent.len() > 1);
    verify(&Certificate::independent(board("7^3"), incumbent, "stopped search")).expect("independent");
    let graph = Graph::new(&*definition(&board("7^3"))).expect("small");
    assert!(independence_number(&graph, &|| true).is_err());
    assert_eq!(
        for_each_maximum_set(&board("3^3"), &|| true, |_| panic!("stopped")),
        Err(CountError::Stopped { incumbent: vec![] })
    );
}

#[test]
fn boards_too_large_are_refused() {
    assert!(matches!(count(&board("50^3"), &|| false), Err(CountError::TooManySquares(_))));
}

#[test]
fn the_largest_independent_set_possible_fits_the_stack() {
    let board = board("bishop:4096^1");
    assert_eq!(counted("bishop:4096^1").independence_number, 4096);
    let nodes = Cell::new(0);
    let stop = || {
        nodes.set(nodes.get() + 1);
        nodes.get() > 5000
    };
    let graph = Graph::new(&*definition(&board)).expect("not too large");
    assert!(independence_number(&graph, &stop).is_err());
}

#[test]
fn a_group_too_large_to_list_leaves_the_orbits_uncounted() {
    let Count { independence_number, maximum_sets, orbits, .. } = counted("2^8");
    assert_eq!((independence_number, maximum_sets, orbits), (1, 256, None));
}
