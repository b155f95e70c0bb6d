//! Tests that the orbit LP gives the bound of the full LP relaxation, in fractions, and that its
//! terms prove the bound.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ndqueens_crosscheck::bound::{ProvedBound, check};
use ndqueens_crosscheck::weighted::{self, Verdict};
use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::Model;
use ndqueens_model::orbit::{BoxOrbits, Shape};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::orbit_lp::{self, OrbitBound, OrbitLpOutcome, OrbitLpSettings};
use num_bigint::BigInt;
use num_rational::BigRational;

const MEMORY: u64 = 1 << 30;

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// Computes a bound with at most `case_limit` LPs for each queen by which cases reduce the bound.
fn solve(board: &Board, formulation: &str, bounds: &Bounds, case_limit: u64) -> OrbitBound {
    let options = Options::default();
    solve_with(board, formulation, bounds, OrbitLpSettings { case_limit, ..OrbitLpSettings::new(&options) })
}

fn solve_with(
    board: &Board,
    formulation: &str,
    bounds: &Bounds,
    settings: OrbitLpSettings<'_>,
) -> OrbitBound {
    let formulation = Formulation::builtin(formulation).expect("shipped");
    let monitor = &mut |_: &_| ControlFlow::Continue(());
    match orbit_lp::bound(board, &formulation, bounds, &settings, monitor).expect("valid") {
        OrbitLpOutcome::Bounded(bound) => *bound,
        OrbitLpOutcome::Stopped(reason) => panic!("stopped: {reason}"),
    }
}

/// Computes a bound without cases and checks its terms.
fn bound(board: &str, formulation: &str, bounds: &Bounds) -> OrbitBound {
    let board = Board::new(&board.parse().expect("a board"));
    let bound = solve(&board, formulation, bounds, 0);
    check_terms(&board, &bound);
    bound
}

/// Checks that the terms add up to the value and count every orbit at least as often as it has squares.
fn check_terms(board: &Board, bound: &OrbitBound) {
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
fn value_is_that_of_the_lp_relaxation() {
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

/// Tests boards with too many orbits of squares for the search for a vertex.
#[test]
fn value_is_correct_without_a_vertex() {
    for (board, formulation, value) in
        [("45x47", "base", 45.0), ("24^4", "base", 13_824.0), ("16^5", "cube", 31_775.745_5)]
    {
        let ours = bound(board, formulation, &Bounds::default());
        assert!(ours.columns > 500 && (ours.lp_value - value).abs() < 1e-3, "{board}: {}", ours.lp_value);
    }
}

#[test]
fn cube_formulation_gives_known_fractions() {
    let cube = |board: &str| bound(board, "cube", &Bounds::default()).value;
    for (board, numerator, denominator) in [
        ("4^4", 16, 1),
        ("6^4", 80, 1),
        ("8^4", 736, 3),
        ("4^5", 32, 1),
        ("4^6", 64, 1),
        ("5^5", 231, 2),
        ("6^5", 242, 1),
    ] {
        assert_eq!(cube(board), fraction(numerator, denominator), "{board}");
    }
}

#[test]
fn separation_gives_the_bound_of_all_maximal_cliques() {
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

/// Computes a bound with cases, writes it, and returns the bound that crosscheck proves from the file.
fn check_with_cases(board: &str, formulation: &str, bounds: &Bounds, case_limit: u64) -> ProvedBound {
    let board = Board::new(&board.parse().expect("a board"));
    let bound = solve(&board, formulation, bounds, case_limit);
    let mut text = Vec::new();
    bound.write(board.name(), &mut text).expect("memory");
    let proved = check(text.as_slice()).expect("crosscheck accepts it");
    assert_eq!(proved.at_most(), bound.at_most());
    proved
}

#[test]
fn cases_lower_bounds_to_valid_ones() {
    let bounds = Bounds::with_archive(&ArchivedBounds::builtin());
    for (board, most) in [("5^5", 109), ("7^4", 148)] {
        let proved = check_with_cases(board, "strong-clique", &bounds, 1000);
        assert_eq!(proved.at_most(), most);
        assert!(proved.cases() > 1);
        let limited = check_with_cases(board, "strong-clique", &bounds, 2);
        assert!(limited.cases() == 1, "two LPs do not suffice");
    }
    // Maxima of small boxes and lower bounds of others.
    for (board, fits) in
        [("3^2", 2), ("3^3", 4), ("4^3", 7), ("5^3", 13), ("4x4x5", 9), ("3^4", 6), ("7^4", 145)]
    {
        for formulation in ["cube", "strong", "strong-clique"] {
            let proved = check_with_cases(board, formulation, &bounds, 300);
            assert!(proved.at_most() >= fits, "{formulation} on {board}");
        }
    }
}

#[test]
fn rejects_families_without_orbits() {
    let board = Board::new(&"3^3".parse().expect("a board"));
    let options = Options::default();
    let settings = OrbitLpSettings::new(&options);
    let monitor = &mut |_: &_| ControlFlow::Continue(());
    for (formulation, expected) in [
        ("lex", "breaks the symmetry"),
        ("edge", "does not give its rows by orbits"),
        ("domination", "does not ask for the most queens"),
    ] {
        let formulation = Formulation::builtin(formulation).expect("shipped");
        let error = orbit_lp::bound(&board, &formulation, &Bounds::default(), &settings, monitor);
        assert!(error.expect_err("unusable").to_string().contains(expected), "{}", formulation.name);
    }
}

#[test]
fn local_cuts_are_valid_and_lower_the_bound() {
    let options = Options::default();
    for (board, max_squares) in [("6^3", 64), ("3x3x5x5", 54), ("5^4", 81)] {
        let board = Board::new(&board.parse().expect("a board"));
        let settings = OrbitLpSettings { local_squares: max_squares, ..OrbitLpSettings::new(&options) };
        let (plain, cut) = (
            solve(&board, "cube", &Bounds::default(), 0),
            solve_with(&board, "cube", &Bounds::default(), settings),
        );
        check_terms(&board, &cut);
        let added = cut.local_cuts.expect("cuts were separated");
        assert!(added > 0 && cut.value < plain.value, "{}: {} of {added} cuts", board.name(), cut.value);
        let mut weighted = 0;
        for (row, _) in &cut.terms {
            let Shape::Weighted(terms) = &row.shape else { continue };
            weighted += 1;
            let squares: Vec<_> =
                terms.iter().map(|(square, _)| board.square(square).expect("on the board")).collect();
            let weights: Vec<u64> = terms.iter().map(|(_, weight)| *weight).collect();
            let attacks = |a: usize, b: usize| board.attacks(squares[a], squares[b]);
            let check =
                |bound| weighted::check(&attacks, &weights, bound, 1 << 24, &mut || true).expect("small");
            assert!(matches!(check(row.rhs), Verdict::Holds { .. }), "{row:?}");
            assert!(matches!(check(row.rhs - 1), Verdict::Violated(_)), "{row:?}");
        }
        assert!(weighted > 0, "{}", board.name());
    }
}
