//! The orbit LP gives the bounds of the full LP relaxation, in fractions, and its terms add up.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ndqueens_crosscheck::bound::{ProvedBound, check};
use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::Model;
use ndqueens_model::orbit::BoxOrbits;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::orbit_lp::{self, OrbitBound};
use num_bigint::BigInt;
use num_rational::BigRational;

const MEMORY: u64 = 1 << 30;

fn fraction(above: i64, below: i64) -> BigRational {
    BigRational::new(BigInt::from(above), BigInt::from(below))
}

fn bound(board: &str, formulation: &str, bounds: &Bounds) -> OrbitBound {
    let board = Board::new(&board.parse().expect("a board"));
    let formulation = Formulation::builtin(formulation).expect("shipped");
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let bound =
        orbit_lp::bound(&board, &formulation, bounds, (&Options::default(), 0), go_on).expect("valid");
    let bound = bound.expect("not stopped");
    adds_up(&board, &bound);
    bound
}

/// Every orbit is counted as often as it has squares.
fn adds_up(board: &Board, bound: &OrbitBound) {
    let orbits = BoxOrbits::of(board.grid().expect("a box")).expect("no torus");
    let mut counted = BTreeMap::new();
    let mut sum = fraction(0, 1);
    for (row, times) in &bound.terms {
        assert!(*times > fraction(0, 1));
        sum += times * BigInt::from(row.rhs);
        for (orbit, squares) in orbits.entries(&row.shape) {
            *counted.entry(orbit).or_insert_with(|| fraction(0, 1)) += times * BigInt::from(squares);
        }
    }
    assert_eq!(sum, bound.value);
    for (orbit, size) in orbits.all() {
        assert!(counted[&orbit] >= BigRational::from_integer(size.into()), "{orbit:?}");
    }
}

#[test]
fn it_is_the_lp_relaxation() {
    for board in ["5^2", "4x6", "4^3", "5^3", "6^3", "3x4x5", "4x4x5", "3^4", "4^4", "3x3x4x4", "3^5"] {
        for formulation in ["base", "cube", "star", "cube-star", "all", "dilated", "cuboid"] {
            let name = Board::new(&board.parse().expect("a board"));
            let shipped = Formulation::builtin(formulation).expect("shipped");
            let bounds = Bounds::with_archive(&ArchivedBounds::builtin());
            let full = Model::new(&name, &shipped, Variant::of(Goal::Optimise), &bounds, MEMORY);
            let full = full.expect("valid").ilp();
            let full = Highs.relax(&full, &Options::default(), &mut |_| ControlFlow::Continue(()));
            let full = full.expect("HiGHS runs").value.expect("feasible");
            let ours = bound(board, formulation, &bounds);
            assert!(
                (ours.lp_value - full).abs() < 1e-6,
                "{formulation} on {board}: {} and {full}",
                ours.lp_value
            );
            let exact = ours.value.numer().to_string().parse::<f64>().expect("a number")
                / ours.value.denom().to_string().parse::<f64>().expect("a number");
            assert!((exact - full).abs() < 1e-5, "{formulation} on {board}: {exact} and {full}");
        }
    }
}

/// Boards with too many orbits of squares for the search for a vertex.
#[test]
fn large_boards_have_the_lp_relaxation_too() {
    for (board, formulation, value) in
        [("45x47", "base", 45.0), ("24^4", "base", 13_824.0), ("16^5", "cube", 31_775.745_5)]
    {
        let ours = bound(board, formulation, &Bounds::default());
        assert!(ours.columns > 500 && (ours.lp_value - value).abs() < 1e-3, "{board}: {}", ours.lp_value);
    }
}

#[test]
fn lines_and_cubes_give_the_fractions_that_are_known() {
    let cube = |board: &str| bound(board, "cube", &Bounds::default()).value;
    for (board, above, below) in [
        ("4^4", 16, 1),
        ("6^4", 80, 1),
        ("8^4", 736, 3),
        ("4^5", 32, 1),
        ("4^6", 64, 1),
        ("5^5", 231, 2),
        ("6^5", 242, 1),
    ] {
        assert_eq!(cube(board), fraction(above, below), "{board}");
    }
}

#[test]
fn separated_cliques_give_what_all_maximal_cliques_give() {
    for board in ["3^2", "4^2", "5^2", "3^3", "2x3x4", "4^3", "3x3x4", "3^4"] {
        let name = Board::new(&board.parse().expect("a board"));
        let formulation = Formulation::builtin("maximal-clique").expect("shipped");
        let bounds = Bounds::default();
        let full = Model::new(&name, &formulation, Variant::of(Goal::Optimise), &bounds, MEMORY);
        let full = full.expect("few cliques").ilp();
        let full = Highs.relax(&full, &Options::default(), &mut |_| ControlFlow::Continue(()));
        let full = full.expect("HiGHS runs").value.expect("feasible");
        let ours = bound(board, "maximal-clique", &Bounds::default()).lp_value;
        assert!((ours - full).abs() < 1e-6, "{board}: {ours} and {full}");
    }
    assert_eq!(bound("3^4", "maximal-clique", &Bounds::default()).value, fraction(27, 4));
}

/// What crosscheck says of a bound by at most so many cases for each queen less.
fn by_cases(board: &str, formulation: &str, bounds: &Bounds, cases: u64) -> ProvedBound {
    let board = Board::new(&board.parse().expect("a board"));
    let formulation = Formulation::builtin(formulation).expect("shipped");
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let found = orbit_lp::bound(&board, &formulation, bounds, (&Options::default(), cases), go_on);
    let found = found.expect("valid").expect("not stopped");
    let mut text = Vec::new();
    found.write(board.name(), &mut text).expect("memory");
    let shown = check(text.as_slice()).expect("crosscheck accepts it");
    assert_eq!(shown.at_most(), found.at_most());
    shown
}

#[test]
fn cases_lower_bounds_but_never_below_what_fits() {
    let bounds = Bounds::with_archive(&ArchivedBounds::builtin());
    for (board, most) in [("5^5", 109), ("7^4", 148)] {
        let shown = by_cases(board, "strong-clique", &bounds, 1000);
        assert_eq!(shown.at_most(), most);
        assert!(shown.cases() > 1);
        assert!(by_cases(board, "strong-clique", &bounds, 2).cases() == 1, "two are not enough");
    }
    // The maxima of small boxes, and more than are known to fit on others.
    for (board, fits) in
        [("3^2", 2), ("3^3", 4), ("4^3", 7), ("5^3", 13), ("4x4x5", 9), ("3^4", 6), ("7^4", 145)]
    {
        for formulation in ["cube", "strong", "strong-clique"] {
            assert!(by_cases(board, formulation, &bounds, 300).at_most() >= fits, "{formulation} on {board}");
        }
    }
}

#[test]
fn families_without_orbits_are_refused() {
    let board = Board::new(&"3^3".parse().expect("a board"));
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    for (formulation, says) in [
        ("lex", "breaks the symmetry"),
        ("edge", "does not give its rows by orbits"),
        ("domination", "does not ask for the most queens"),
    ] {
        let formulation = Formulation::builtin(formulation).expect("shipped");
        let refused =
            orbit_lp::bound(&board, &formulation, &Bounds::default(), (&Options::default(), 0), go_on);
        assert!(refused.expect_err("refused").to_string().contains(says), "{}", formulation.name);
    }
}
