//! Compares counts with published values.

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

fn count_board(text: &str) -> Count {
    count(&board(text), &|| false).expect(text)
}

/// Board, independence number, number of maximum solutions, and their number up to symmetry if it is
/// published.
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
    // J. A. de Groot, Solving n-queens on non-squares (2020), Tables 4.1 and 4.2; numbers up to symmetry
    // where the table shows them.
    ("hex:1", 1, 1, Some(1)),
    ("hex:2", 1, 7, Some(2)),
    ("hex:3", 3, 12, Some(1)),
    ("hex:4", 7, 2, Some(1)),
    ("hex:5", 7, 172, None),
    ("hex:6", 9, 390, None),
    ("hex:7", 12, 24, Some(2)),
    ("three:8", 12, 208, None),
    // The values for these boards in the same tables were computed by hand and have fewer queens or more
    // solutions; an independent program agrees with the values here.
    ("three:2", 2, 3, Some(1)),
    ("three:4", 6, 2, Some(1)),
    ("three:6", 9, 4, Some(1)),
    // Filled grids of the small Sudoku.
    ("sudoku:1", 1, 1, Some(1)),
    ("sudoku:2", 16, 288, Some(2)),
    ("4^1", 1, 4, Some(2)),
];

#[test]
fn maximum_solutions_agree_with_published_values() {
    for (text, independence_number, maximum_sets, orbits) in KNOWN {
        let count = count_board(text);
        assert_eq!(
            (count.independence_number, count.maximum_sets),
            (independence_number, maximum_sets),
            "{text}"
        );
        assert!(orbits.is_none() || count.orbits == orbits, "{text}: {count:?}");
    }
}

/// Superqueens: OEIS A051224 and, up to symmetry, A051223; `n` superqueens do not fit on n^2 for n < 10.
#[test]
fn superqueens_agree_with_published_values() {
    for n in 2..10 {
        assert!(count_board(&format!("superqueen:{n}^2")).independence_number < n, "{n}");
    }
    let ten = count_board("superqueen:10^2");
    assert_eq!((ten.independence_number, ten.maximum_sets, ten.orbits), (10, 4, Some(1)));
}

/// Kings: `ceil(n/2)^d`, and OEIS A018807 for the number of placements on 4^2. Knights: OEIS A030978.
#[test]
fn kings_and_knights_agree_with_published_values() {
    for (name, size, sets) in
        [("king:3^2", 4, 1), ("king:4^2", 4, 79), ("king:5^2", 9, 1), ("king:3^3", 8, 1)]
    {
        let count = count_board(name);
        assert_eq!((count.independence_number, count.maximum_sets), (size, sets), "{name}");
    }
    for (n, size) in [(1, 1), (2, 4), (3, 5), (4, 8), (5, 13), (6, 18)] {
        assert_eq!(count_board(&format!("knight:{n}^2")).independence_number, size, "{n}");
    }
}

/// P. Monsky, Problem E 3162, Amer. Math. Monthly 96 (1989) 258-259.
#[test]
fn modular_queens_agree_with_monskys_theorem() {
    for n in 1..=9 {
        let expected = match n {
            _ if n % 3 == 0 || n % 4 == 0 => n - 2,
            _ if n % 2 == 0 => n - 1,
            _ => n,
        };
        assert_eq!(count_board(&format!("torus:{n}^2")).independence_number, expected, "{n}");
    }
}

#[test]
fn algorithms_agree_on_the_independence_number() {
    for text in ["7^2", "8^2", "3^3", "3x4x4", "3x3x3x2", "torus:7^2", "rook:3^3", "bishop:5^2"] {
        let graph = Graph::new(&*definition(&board(text))).expect(text);
        assert_eq!(
            independence_number(&graph, &|| false),
            Ok(count_board(text).independence_number),
            "{text}"
        );
    }
}

#[test]
fn visits_every_maximum_set_once() {
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
fn stopped_search_returns_its_best_set() {
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
fn rejects_large_boards() {
    assert!(matches!(count(&board("50^3"), &|| false), Err(CountError::TooManySquares(_))));
}

#[test]
fn largest_possible_set_does_not_overflow_the_stack() {
    let board = board("bishop:4096^1");
    assert_eq!(count_board("bishop:4096^1").independence_number, 4096);
    let nodes = Cell::new(0);
    let stop = || {
        nodes.set(nodes.get() + 1);
        nodes.get() > 5000
    };
    let graph = Graph::new(&*definition(&board)).expect("not too large");
    assert!(independence_number(&graph, &stop).is_err());
}

#[test]
fn does_not_count_orbits_of_large_groups() {
    let Count { independence_number, maximum_sets, orbits, .. } = count_board("2^8");
    assert_eq!((independence_number, maximum_sets, orbits), (1, 256, None));
}
