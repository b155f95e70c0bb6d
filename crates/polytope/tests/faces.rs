//! Dimensions of faces, compared with enumeration and with those of docs/formulations.md.

use std::collections::BTreeMap;

use ndqueens_crosscheck::facets::verify_facets;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::Theorems;
use ndqueens_model::family::with_default_options;
use ndqueens_model::ilp::Comparison;
use ndqueens_polytope::certificate::{certify, collect};
use ndqueens_polytope::face::{Face, Hull, Reason, StopCause, Verdict, examine, examine_within};
use ndqueens_polytope::halfspace::Halfspace;
use ndqueens_polytope::solutions::{Kind, list};
use ndqueens_polytope::symmetry::Symmetries;
use ndqueens_system::cancel::Control;
use proptest::prelude::*;

fn board(name: &str) -> Board {
    Board::new(&name.parse().expect("a board"))
}

/// Returns the number of inequalities of a family by dimension and number of squares.
fn dimensions(name: &str, family: &str) -> BTreeMap<(i64, usize), usize> {
    let board = board(name);
    let symmetries = Symmetries::of(&board);
    let mut orbits: BTreeMap<Halfspace, usize> = BTreeMap::new();
    for row in with_default_options(family).expect("a family").rows(&board, &Theorems) {
        *orbits.entry(symmetries.representative(&Halfspace::of(&row, board.size()))).or_default() += 1;
    }
    let mut found = BTreeMap::new();
    for (halfspace, rows) in orbits {
        let face = examine(&board, &halfspace, &Control::new()).expect("a row of the board");
        let facet = face.dimension == board.size() as i64 - 1;
        assert_eq!(face.verdict == Verdict::Facet, facet, "{}", halfspace.format(&board));
        assert_eq!(face.sets.len() as i64, face.dimension + 1);
        *found.entry((face.dimension, halfspace.support().len())).or_default() += rows;
    }
    found
}

fn by_enumeration(board: &Board, halfspace: &Halfspace) -> Face {
    let sets = list(board, Kind::Independent, 100_000, &Control::new()).expect("a small board");
    let hull = Hull::of(board.size(), sets).expect("small integers");
    hull.examine(halfspace, Comparison::AtMost).expect("a row of the board")
}

/// The numbers that the enumeration of all independent sets in another language printed.
#[test]
fn families_on_3_3_have_the_known_dimensions() {
    let cliques = dimensions("3^3", "maximal-clique");
    assert_eq!(cliques, BTreeMap::from([((26, 6), 72), ((26, 7), 4), ((26, 8), 8), ((26, 9), 1)]));
    let volume = dimensions("3^3", "volume");
    assert_eq!(volume.iter().filter(|((dimension, _), _)| *dimension == 26).count(), 2);
    let layers = dimensions("3^3", "layer");
    assert_eq!(layers, BTreeMap::from([((14, 9), 3), ((15, 9), 6)]));
    let edges = dimensions("3^3", "edge");
    assert_eq!((edges.keys().next(), edges.keys().next_back()), (Some(&(9, 2)), Some(&(21, 2))));
}

#[test]
fn reasons_are_equations_of_all_tight_sets() {
    let board = board("3^2");
    // The pair of a corner and the centre is part of a larger clique.
    let mut row = Halfspace { coefficients: vec![0; 9], rhs: 1 };
    row.coefficients[0] = 1;
    row.coefficients[4] = 1;
    let face = examine(&board, &row, &Control::new()).expect("a row");
    let Verdict::NotFacet(Reason::Lift(square, coefficient)) = face.verdict else {
        panic!("{:?}", face.verdict)
    };
    let mut lifted = row.clone();
    lifted.coefficients[square as usize] = coefficient;
    assert!(!matches!(by_enumeration(&board, &lifted).verdict, Verdict::Invalid(_)));
    assert!(face.sets.iter().all(|set| !set.contains(&square)));
    // Twice a facet is a facet; the sum of two facets is not.
    let two = Halfspace { coefficients: vec![2, 2, 0, 2, 2, 0, 0, 0, 0], rhs: 2 };
    assert_eq!(examine(&board, &two, &Control::new()).expect("a row").verdict, Verdict::Facet);
    let slack = Halfspace { coefficients: vec![1; 9], rhs: 5 };
    let face = examine(&board, &slack, &Control::new()).expect("a row");
    assert_eq!((face.dimension, face.verdict), (-1, Verdict::NotFacet(Reason::Slack(2))));
    let nothing = Halfspace { coefficients: vec![0; 9], rhs: 0 };
    assert_eq!(examine(&board, &nothing, &Control::new()).expect("a row").verdict, Verdict::Whole);
}

#[test]
fn stopped_searches_give_lower_bounds() {
    let board = board("4^3");
    let row = Halfspace { coefficients: vec![1; 64], rhs: 7 };
    let face = examine_within(&board, &row, 100, &Control::new()).expect("a row");
    assert_eq!(face.verdict, Verdict::AtLeast(StopCause::Search));
}

#[test]
fn dominating_sets_and_full_solutions_have_the_known_faces() {
    let corner = board("3^2");
    let sets = list(&corner, Kind::Dominating, 1000, &Control::new()).expect("a small board");
    let hull = Hull::of(9, sets).expect("small integers");
    assert_eq!(hull.dimension(), 9);
    let rows = with_default_options("domination").expect("a family");
    let facets = rows.rows(&corner, &Theorems).filter(|row| {
        let face = hull.examine(&Halfspace::of(row, 9), row.comparison).expect("a row");
        face.verdict == Verdict::Facet
    });
    assert_eq!(facets.count(), 8);
    let latin = board("rook:3^3");
    let sets = list(&latin, Kind::IndependentOfSize(9), 1000, &Control::new()).expect("a small board");
    assert_eq!(sets.len(), 12);
    assert_eq!(Hull::of(27, sets).map(|hull| hull.dimension()), Some(8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The search over the support agrees with the list of all independent sets, and crosscheck with both.
    #[test]
    fn random_rows_agree_with_enumeration(
        coefficients in proptest::collection::vec(-1_i64..4, 12),
        extra in 0_i64..2,
    ) {
        let board = board("2x2x3");
        let sets = list(&board, Kind::Independent, 1000, &Control::new()).expect("a small board");
        let row = Halfspace { coefficients, rhs: 0 };
        let largest = sets.iter().map(|set: &Vec<Square>| row.left(set)).max().expect("the empty set");
        let row = Halfspace { rhs: largest - extra, ..row };
        let face = examine(&board, &row, &Control::new()).expect("a row");
        let expected = by_enumeration(&board, &row);
        let is_invalid = matches!(face.verdict, Verdict::Invalid(_));
        prop_assert_eq!(is_invalid, extra > 0);
        prop_assert_eq!(is_invalid, matches!(expected.verdict, Verdict::Invalid(_)));
        if !is_invalid {
            prop_assert_eq!(face.dimension, expected.dimension);
        }
        let certificate = collect(&board, vec![certify(&board, &row, &face.sets)], "a test");
        prop_assert_eq!(verify_facets(&certificate, &|| false).is_ok(), face.verdict == Verdict::Facet);
    }
}
