//! Facets of small boards, compared with known numbers and with brute force.

use std::collections::BTreeSet;

use ndqueens_crosscheck::facets::verify_facets;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::BoardName;
use ndqueens_polytope::certificate::{certify, collect};
use ndqueens_polytope::facets::{Facets, Limits, Method, enumerate_facets};
use ndqueens_polytope::halfspace::Halfspace;
use ndqueens_polytope::solutions::{Kind, list};
use ndqueens_polytope::symmetry::Symmetries;
use ndqueens_system::cancel::Control;
use proptest::prelude::*;

fn board(name: &str) -> Board {
    Board::new(&name.parse().expect("a board"))
}

fn facets(board: &Board, method: Method, intermediate_facets: usize) -> Facets {
    let limits = Limits { method, intermediate_facets, ..Limits::default() };
    enumerate_facets(board, &limits, &Control::new()).expect("a small board")
}

/// Checks the numbers of facets and of orbits, which PPL computed, by both methods.
fn check_numbers(name: &str, number: usize, orbits: usize) {
    let board = board(name);
    for (method, intermediate) in [
        (Method::DoubleDescription, 0),
        (Method::AdjacencyDecomposition, 20_000),
        (Method::AdjacencyDecomposition, 20),
    ] {
        let found = facets(&board, method, intermediate);
        assert_eq!(found.incomplete, None, "{name}");
        assert_eq!((found.count(), found.orbits.len()), (number, orbits), "{name}, {method:?}");
        let certificates = found.orbits.iter().map(|orbit| certify(&board, &orbit.halfspace, &orbit.sets));
        verify_facets(&collect(&board, certificates.collect(), "a test"), &|| false).expect(name);
    }
}

#[test]
fn small_boards_have_the_known_numbers_of_facets() {
    for (name, number, orbits) in [("1^2", 2, 2), ("3^2", 19, 7), ("4^2", 196, 34), ("2x3x3", 66, 13)] {
        check_numbers(name, number, orbits);
    }
}

#[test]
fn stopped_enumerations_are_incomplete() {
    let control = Control::new();
    control.stop();
    let limits = Limits { method: Method::AdjacencyDecomposition, ..Limits::default() };
    let found = enumerate_facets(&board("4^2"), &limits, &control).expect("a small board");
    assert!(found.incomplete.is_some() && found.count() < 196);
    let limits = Limits { sets: 100, ..Limits::default() };
    assert!(enumerate_facets(&board("4^3"), &limits, &Control::new()).is_err());
}

/// Returns the determinant of a small matrix, by expansion along the first row.
fn determinant(rows: &[Vec<i64>]) -> i64 {
    let Some((first, rest)) = rows.split_first() else { return 1 };
    let minor = |k: usize| -> i64 {
        let rows: Vec<Vec<i64>> = rest
            .iter()
            .map(|row| row.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, &x)| x).collect())
            .collect();
        determinant(&rows)
    };
    let terms = first.iter().enumerate().filter(|(_, x)| **x != 0);
    terms.map(|(k, x)| if k % 2 == 0 { x * minor(k) } else { -x * minor(k) }).sum()
}

/// Returns the hyperplane through points, given as sets, if they are affinely independent.
fn hyperplane(points: &[&Vec<Square>], size: usize) -> Option<Halfspace> {
    let rows: Vec<Vec<i64>> = points
        .iter()
        .map(|set| (0..size as Square).map(|s| i64::from(set.contains(&s))).chain([1]).collect())
        .collect();
    let cofactor = |k: usize| -> i64 {
        let rows: Vec<Vec<i64>> = rows.iter().map(|row| [&row[..k], &row[k + 1..]].concat()).collect();
        if k.is_multiple_of(2) { determinant(&rows) } else { -determinant(&rows) }
    };
    let normal: Vec<i64> = (0..=size).map(cofactor).collect();
    let (rhs, coefficients) = normal.split_last()?;
    let halfspace = Halfspace { coefficients: coefficients.to_vec(), rhs: -rhs };
    coefficients.iter().any(|&a| a != 0).then_some(halfspace)
}

/// Returns all facets: the hyperplanes through vertices that have all vertices on one side.
fn facets_by_brute_force(board: &Board) -> BTreeSet<Halfspace> {
    let size = board.size();
    let sets = list(board, Kind::Independent, 1000, &Control::new()).expect("a small board");
    let mut found = BTreeSet::new();
    let mut chosen: Vec<usize> = (0..size).collect();
    loop {
        let points: Vec<&Vec<Square>> = chosen.iter().map(|&k| &sets[k]).collect();
        if let Some(halfspace) = hyperplane(&points, size) {
            let slacks: Vec<i64> = sets.iter().map(|set| halfspace.rhs - halfspace.left(set)).collect();
            let negated = Halfspace {
                coefficients: halfspace.coefficients.iter().map(|a| -a).collect(),
                rhs: -halfspace.rhs,
            };
            if slacks.iter().all(|&slack| slack >= 0) {
                found.insert(halfspace.primitive());
            } else if slacks.iter().all(|&slack| slack <= 0) {
                found.insert(negated.primitive());
            }
        }
        let Some(k) = (0..size).rev().find(|&k| chosen[k] + size - k < sets.len()) else { return found };
        let next = chosen[k] + 1;
        chosen.iter_mut().skip(k).zip(next..).for_each(|(chosen, next)| *chosen = next);
    }
}

/// Returns all images of the facets.
fn expand(board: &Board, facets: &Facets) -> BTreeSet<Halfspace> {
    let symmetries = Symmetries::of(board);
    let images = |orbit: &Halfspace| symmetries.images().iter().map(|s| orbit.image(s)).collect::<Vec<_>>();
    facets.orbits.iter().flat_map(|orbit| images(&orbit.halfspace)).collect()
}

/// Returns the board of a graph whose pairs of vertices are edges as the bits of `edges` say.
fn graph(vertices: u32, edges: u32) -> Board {
    let pairs = (1..=vertices).flat_map(|a| (1..a).map(move |b| (a, b)));
    let chosen: Vec<String> = pairs
        .enumerate()
        .filter(|(k, _)| edges >> k & 1 == 1)
        .map(|(_, (a, b))| format!("e {a} {b}\n"))
        .collect();
    let text = format!("p edge {vertices} {}\n{}", chosen.len(), chosen.concat());
    let open = move |_: &str| Ok(text.clone());
    Board::new(&BoardName::parse_with("file:g.col", &open).expect("a graph"))
}

#[test]
fn boards_agree_with_brute_force() {
    let graphs = (0..64).map(|edges| graph(4, edges));
    let boards = ["1x4", "2^2", "2x3", "bishop:2^2", "rook:2x3", "torus:2^2"].map(board);
    for board in boards.into_iter().chain(graphs) {
        let expected = facets_by_brute_force(&board);
        for method in [Method::DoubleDescription, Method::AdjacencyDecomposition] {
            let found = expand(&board, &facets(&board, method, 1));
            assert_eq!(found, expected, "{}, {method:?}", board.name());
        }
    }
}

mod soak {
    use super::*;

    #[test]
    #[ignore = "takes minutes: scripts/soak runs it"]
    fn larger_boards_have_the_known_numbers_of_facets() {
        for (name, number, orbits) in
            [("3x6", 173, 52), ("2x2x3x3", 188, 17), ("2x3x4", 1644, 225), ("4x5", 4995, 1269)]
        {
            check_numbers(name, number, orbits);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn random_graphs_agree_with_brute_force(edges in 0_u32..1024) {
        prop_assume!(edges.count_ones() >= 5);
        let board = graph(5, edges);
        let expected = facets_by_brute_force(&board);
        prop_assert_eq!(expand(&board, &facets(&board, Method::Automatic, 1)), expected.clone());
        prop_assert_eq!(expand(&board, &facets(&board, Method::AdjacencyDecomposition, 1)), expected);
    }
}
