//! Compares the optima that HiGHS finds for the shipped formulations of every problem with known values.
//! Every solution is checked.
//!
//! # References
//! OEIS A075458 (queen domination), A075324 (independent domination); P. Monsky, E3162, American Mathematical
//! Monthly 96 (1989), 258-259 (queens on a torus: n, n - 2 where 3 or 4 divides n, else n - 1).

use std::ops::ControlFlow;

use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Options, Outcome};
use ndqueens_workflow::prove::{self, BackendRequest};
use ndqueens_workflow::run::{GoalError, PriorResults, WorkflowError};
use ndqueens_workflow::solve::{SolveRequest, Solved, solve};

fn board(name: &str) -> Board {
    Board::new(&name.parse().expect("a board name"))
}

fn shipped(name: &str) -> Formulation {
    Formulation::builtin(name).expect("shipped")
}

fn run(board: &Board, formulation: &Formulation, variant: Variant) -> Solved {
    let options = Options::default();
    let request = SolveRequest {
        board,
        formulation,
        variant,
        weights: None,
        start: None,
        options,
        memory: 1 << 30,
        prior: &PriorResults::none(),
    };
    solve(&request, &Theorems, &Highs, &mut |_| ControlFlow::Continue(())).expect("an answer")
}

/// Returns the number of queens of a solution that is proved to be optimal.
fn optimum(name: &str, formulation: &Formulation) -> usize {
    let solved = run(&board(name), formulation, Variant::of(Goal::Optimise));
    assert!(matches!(solved.run.outcome, Outcome::Optimal { .. }), "{name} {}", formulation.name);
    let certificate = solved.certificate.expect("an optimal solution");
    assert_eq!(certificate.problem, formulation.problem, "{name} {}", formulation.name);
    certificate.size()
}

/// Returns the number of queens of a solution, or `None` if the problem is proved infeasible.
fn found(name: &str, formulation: &str, variant: Variant) -> Option<usize> {
    let solved = run(&board(name), &shipped(formulation), variant);
    assert_eq!(
        solved.certificate.is_none(),
        solved.run.outcome == Outcome::Infeasible,
        "{name} {formulation}"
    );
    solved.certificate.map(|certificate| certificate.size())
}

#[test]
fn the_fewest_queens_that_dominate_a_square_board() {
    for (n, fewest) in (1..).zip([1, 1, 1, 2, 3, 3, 4, 5]) {
        let name = format!("{n}^2");
        assert_eq!(optimum(&name, &shipped("domination")), fewest, "{n}");
        let at_most = |k: usize| found(&name, "domination", Variant::of(Goal::AtMost(k as u64)));
        assert!(at_most(fewest).is_some_and(|queens| queens <= fewest), "{n}");
        assert_eq!(at_most(fewest - 1), None, "{n}");
    }
    assert_eq!(found("4^2", "domination", Variant::of(Goal::AtLeast(16))), Some(16));
}

#[test]
fn smallest_independent_dominating_sets_of_square_boards() {
    for (n, fewest) in (1..).zip([1, 1, 1, 3, 3, 4, 4, 5]) {
        assert_eq!(optimum(&format!("{n}^2"), &shipped("independent-domination")), fewest, "{n}");
    }
}

#[test]
fn one_queen_in_the_centre_dominates_side_three() {
    for d in 1..=5 {
        assert_eq!(optimum(&format!("3^{d}"), &shipped("domination")), 1, "{d}");
    }
    assert_eq!(optimum("rook:3^2", &shipped("domination")), 3);
    assert_eq!(optimum("rook:4^3", &shipped("domination")), 8);
}

#[test]
fn rooks_fill_every_board() {
    for (name, most) in [("rook:4^2", 4), ("rook:3^3", 9), ("rook:2^4", 8), ("rook:torus:3^3", 9)] {
        assert_eq!(optimum(name, &shipped("base")), most, "{name}");
        assert_eq!(found(name, "full", Variant::of(Goal::Optimise)), Some(most), "{name}");
    }
}

#[test]
fn queens_on_a_torus() {
    for n in 1..=9usize {
        let most = match n {
            _ if n % 2 != 0 && n % 3 != 0 => n,
            _ if n % 3 == 0 || n % 4 == 0 => n - 2,
            _ => n - 1,
        };
        let name = format!("torus:{n}^2");
        assert_eq!(optimum(&name, &shipped("base")), most, "{n}");
        let full = found(&name, "modular", Variant::of(Goal::Optimise));
        assert_eq!(full, (most == n).then_some(n), "{n}");
    }
}

#[test]
fn full_solutions_in_the_plane_and_their_completion() {
    for n in 1..=8 {
        let full = found(&format!("{n}^2"), "full", Variant::of(Goal::Optimise));
        assert_eq!(full, (n != 2 && n != 3).then_some(n), "{n}");
    }
    let including = |goal, include: &[u32]| Variant { include: include.to_vec(), ..Variant::of(goal) };
    assert_eq!(found("5^2", "completion", including(Goal::Optimise, &[0])), Some(5));
    assert_eq!(found("4^2", "completion", including(Goal::Optimise, &[0])), None);
    assert_eq!(found("4^2", "completion", including(Goal::Exactly(3), &[0])), Some(3));
    assert_eq!(found("3^3", "partial", Variant::of(Goal::AtLeast(4))), Some(4));
    assert_eq!(found("3^3", "partial", Variant::of(Goal::Exactly(5))), None);
}

#[test]
fn every_formulation_for_a_maximum_gives_the_same() {
    for (name, most) in [
        ("3^3", 4),
        ("4^3", 7),
        ("5^2", 5),
        ("2x3x4", 4),
        ("rook:3^3", 9),
        ("bishop:4^2", 6),
        ("torus:4^2", 2),
    ] {
        for formulation in ["base", "edge", "odd-cycle", "maximal-clique", "symmetry", "lex"] {
            assert_eq!(optimum(name, &shipped(formulation)), most, "{name} {formulation}");
        }
    }
}

#[test]
fn breaking_symmetry_keeps_the_fewest() {
    let text = |problem: &str, families: &str| {
        format!(
            "title = \"\"\nsource = \"\"\nproblem = \"{problem}\"\nfamilies = [{families}, \"symmetry\", \"lex\"]"
        )
    };
    let parse = |text: String| Formulation::parse("broken", &text).expect("a formulation");
    let domination = parse(text("dominating set", "\"domination\""));
    let independent = parse(text("independent dominating set", "\"line\", \"domination\""));
    for (n, (fewest, fewest_independent)) in (1..).zip([(1, 1), (1, 1), (1, 1), (2, 3), (3, 3), (3, 4)]) {
        assert_eq!(optimum(&format!("{n}^2"), &domination), fewest, "{n}");
        assert_eq!(optimum(&format!("{n}^2"), &independent), fewest_independent, "{n}");
    }
}

#[test]
fn rejects_formulations_of_other_problems_for_maxima() {
    let board = board("4^2");
    for formulation in ["domination", "independent-domination", "full", "partial", "completion"] {
        let formulation = shipped(formulation);
        let claimed = BackendRequest {
            board: &board,
            formulation: &formulation,
            value: None,
            certificate: None,
            known: None,
            exactly: false,
            assume_reported: false,
            options: Options::default(),
            memory: 1 << 30,
            prior: &PriorResults::none(),
        };
        let error = prove::prove_by_backend(&claimed, &Highs, &mut |_| ControlFlow::Continue(()))
            .expect_err("refused");
        assert!(matches!(error, WorkflowError::Goal(GoalError::NotAMaximum { .. })), "{error}");
    }
}
