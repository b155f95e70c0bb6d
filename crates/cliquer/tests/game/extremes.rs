//! Compares extreme total scores by the integer program with those of all triangulations, and the
//! triangulations with plain enumeration.

use std::ops::ControlFlow;
use std::time::Duration;

use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::extremes::{Extreme, ExtremeKind, ExtremesError, Model, extreme};
use ndqueens_cliquer::rules::Game;
use ndqueens_cliquer::triangulation::{
    Census, MOST_DOTS, ScoredTriangulation, TooManyDots, census, largest_total, least_total,
    stacked_triangulation, total,
};
use ndqueens_cliquer::verify::{self, NotFinished};
use ndqueens_model::ilp::{Ilp, Program as _};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options, Outcome};

use crate::boards::{convex_board, random_board};

/// Returns the census of all triangulations.
fn all(board: &Board) -> Census {
    census(board, &[], &mut |_| ControlFlow::Continue(())).expect("small").expect("not stopped")
}

/// Returns the total scores of all triangulations, by a binary choice for every segment that may be drawn.
fn totals(board: &Board) -> Vec<u32> {
    fn go(game: &mut Game<'_>, next: usize, totals: &mut Vec<u32>) {
        let count = game.board().segments().len();
        if game.moves().len() + (count - next) < game.board().moves() {
            return;
        }
        if next == count {
            totals.push(game.scores().iter().sum());
            return;
        }
        go(game, next + 1, totals);
        if game.play(next).is_ok() {
            go(game, next + 1, totals);
            game.undo();
        }
    }
    let mut totals = Vec::new();
    go(&mut Game::new(board), 0, &mut totals);
    totals
}

fn solved(board: &Board, side: ExtremeKind) -> u32 {
    solved_with(board, side, &[])
}

/// Solves the integer program with HiGHS, without the bound of a theorem and without an initial game.
fn solve_program(board: &Board, side: ExtremeKind, drawn: &[usize]) -> i64 {
    let program = Ilp::of(&Model::new(board, side, drawn));
    let run = Highs.solve(&program, &Options::default(), &mut |_| ControlFlow::Continue(())).expect("solved");
    match run.outcome {
        Outcome::Optimal { value, .. } => value,
        other => panic!("{other:?}"),
    }
}

fn solved_with(board: &Board, side: ExtremeKind, drawn: &[usize]) -> u32 {
    let found =
        extreme(board, side, drawn, &Options::default(), &mut |_| ControlFlow::Continue(())).expect("solved");
    assert!(found.is_extreme());
    assert!(drawn.iter().all(|segment| found.segments.contains(segment)));
    assert_eq!(total(board, &found.segments), Ok(found.total));
    assert_eq!(found.bound, i64::from(found.total));
    assert_eq!(solve_program(board, side, drawn), found.bound);
    found.total
}

#[test]
fn census_and_program_match_enumeration() {
    let boards = (3..=8).flat_map(|dots| (0..3).map(move |seed| random_board(dots, 400 + seed)));
    for board in boards.chain((3..=8).map(convex_board)) {
        let (plain, flips) = (totals(&board), all(&board));
        assert_eq!(flips.triangulations, plain.len());
        assert_eq!(Some(&flips.smallest.total), plain.iter().min());
        assert_eq!(Some(&flips.largest.total), plain.iter().max());
        assert_eq!(flips.largest.total as usize, largest_total(&board));
        assert!(flips.smallest.total as usize >= least_total(&board));
        for ScoredTriangulation { segments, total } in [&flips.smallest, &flips.largest] {
            let ends: Vec<[usize; 2]> = segments.iter().map(|&segment| board.segments()[segment]).collect();
            assert_eq!(verify::total(board.dots(), &ends, [1, 3, 5]), Ok(*total));
        }
        assert_eq!(solved(&board, ExtremeKind::Smallest), flips.smallest.total);
        assert_eq!(solved(&board, ExtremeKind::Largest), flips.largest.total);
    }
    // With ten dots, the program is compared with the census only.
    for seed in 0..3 {
        let board = random_board(10, 500 + seed);
        let flips = all(&board);
        assert_eq!(
            [ExtremeKind::Smallest, ExtremeKind::Largest].map(|side| solved(&board, side)),
            [flips.smallest.total, flips.largest.total]
        );
    }
}

#[test]
fn extremes_with_given_segments_match_the_census() {
    for seed in 0..8 {
        let board = random_board(7, 650 + seed);
        // The segment with the most crossings, and one that does not cross it.
        let long = (0..21).max_by_key(|&segment| board.crossing(segment).len()).expect("there are 21");
        let other =
            (0..21).find(|&s| s != long && !board.crossing(s).contains(&long)).expect("one of the hull");
        let drawn = [long, other];
        let flips =
            census(&board, &drawn, &mut |_| ControlFlow::Continue(())).expect("small").expect("not stopped");
        assert!(drawn.iter().all(|segment| flips.largest.segments.contains(segment)));
        assert_eq!(solved_with(&board, ExtremeKind::Largest, &drawn), flips.largest.total);
        assert_eq!(solved_with(&board, ExtremeKind::Smallest, &drawn), flips.smallest.total);
        let whole = all(&board);
        assert!(flips.triangulations < whole.triangulations);
        assert!(whole.smallest.total <= flips.smallest.total && flips.largest.total <= whole.largest.total);
    }
}

#[test]
fn construction_attains_the_largest_total() {
    for (dots, seed) in (3..=30).flat_map(|dots| (0..3).map(move |seed| (dots, seed))) {
        let board = random_board(dots, 660 + seed);
        let segments = stacked_triangulation(&board);
        assert_eq!(total(&board, &segments).map(|total| total as usize), Ok(largest_total(&board)));
        assert_eq!(segments.len(), board.moves());
    }
    for (dots, seed) in [(10, 1), (11, 2), (12, 3), (14, 4)] {
        let board = random_board(dots, 680 + seed);
        assert_eq!(solved(&board, ExtremeKind::Largest) as usize, 17 * dots - 12 * board.hull().len() - 9);
        assert_eq!(largest_total(&board), 17 * dots - 12 * board.hull().len() - 9);
    }
}

#[test]
fn theorems_bound_totals_without_the_solver() {
    let stopped = Options { time_limit: Some(Duration::ZERO), ..Options::default() };
    for seed in 0..6 {
        let board = random_board(12, 690 + seed);
        let found = |side, options: &Options| {
            extreme(&board, side, &[], options, &mut |_| ControlFlow::Continue(())).expect("checked")
        };
        let largest = found(ExtremeKind::Largest, &stopped);
        assert!(largest.is_extreme() && largest.run.is_none());
        assert_eq!(largest.total as usize, largest_total(&board));
        let (early, smallest) =
            (found(ExtremeKind::Smallest, &stopped), found(ExtremeKind::Smallest, &Options::default()));
        assert!(least_total(&board) as i64 <= early.bound && early.bound <= smallest.bound);
        assert!(early.total >= smallest.total && smallest.is_extreme());
    }
    for dots in 4..=9 {
        let board = convex_board(dots);
        assert_eq!(least_total(&board), largest_total(&board));
        let found = extreme(&board, ExtremeKind::Smallest, &[], &stopped, &mut |_| ControlFlow::Continue(()));
        assert!(found.expect("checked").is_extreme());
    }
}

#[test]
fn convex_polygons_have_catalan_many_triangulations() {
    for (dots, catalan) in [(3, 1), (4, 2), (5, 5), (6, 14), (7, 42), (8, 132), (9, 429)] {
        let census = all(&convex_board(dots));
        assert_eq!(census.triangulations, catalan);
        let total = (2 * dots - 3 + 3 * (dots - 2)) as u32;
        assert_eq!((census.smallest.total, census.largest.total), (total, total));
    }
}

#[test]
fn feasible_points_are_finished_games() {
    for seed in 0..5 {
        let board = random_board(6, 600 + seed);
        let model = Model::new(&board, ExtremeKind::Largest, &[]);
        let ScoredTriangulation { segments, total } = all(&board).smallest;
        let drawn = |a: usize, b: usize| segments.contains(&board.segment(a, b));
        let point: Vec<i64> = (model.columns().iter())
            .map(|column| {
                let dots: Vec<usize> =
                    column.name.split('_').skip(1).map(|dot| dot.parse().expect("a dot")).collect();
                i64::from(dots.iter().all(|&a| dots.iter().all(|&b| a == b || drawn(a, b))))
            })
            .collect();
        assert_eq!(model.violation(&point), None);
        assert_eq!(model.value(&point), i64::from(total));
        // Each entry follows from those of the segments, and no single entry of a segment can change.
        for column in 0..point.len() {
            let mut other = point.clone();
            other[column] = 1 - other[column];
            assert!(model.violation(&other).is_some(), "{}", model.columns()[column].name);
        }
    }
}

#[test]
fn rejects_unfinished_games() {
    let board = convex_board(5);
    let ends = |names: &[&str]| -> Vec<[usize; 2]> {
        names.iter().map(|name| board.segments()[board.parse_segment(name).expect(name)]).collect()
    };
    let check = |names: &[&str]| verify::total(board.dots(), &ends(names), [1, 3, 5]);
    let whole = ["A-B", "B-C", "C-D", "D-E", "A-E", "A-C", "A-D"];
    assert_eq!(check(&whole), Ok(7 + 9));
    assert_eq!(check(&whole[1..]), Err(NotFinished::Open([0, 1])));
    assert_eq!(check(&[&whole[..], &["A-C"]].concat()), Err(NotFinished::Repeated([0, 2])));
    assert_eq!(check(&[&whole[..], &["B-E"]].concat()), Err(NotFinished::Crossing([1, 4], [0, 2])));
    let large = random_board(MOST_DOTS + 1, 0);
    assert_eq!(census(&large, &[], &mut |_| ControlFlow::Continue(())), Err(TooManyDots(MOST_DOTS + 1)));
}

#[test]
fn extreme_of_a_census_is_checked() {
    let board = random_board(6, 3);
    let census = all(&board);
    for side in [ExtremeKind::Largest, ExtremeKind::Smallest] {
        let found = Extreme::from_census(&board, side, &census).expect("a game");
        assert!(found.is_extreme());
        let drawn = [found.segments[4], found.segments[1]];
        let moves = found.moves(&drawn);
        assert_eq!(moves[..2], drawn);
        assert_eq!(total(&board, &moves), Ok(found.total));
        assert_eq!(moves.len(), board.moves());
    }
    let ScoredTriangulation { segments, total: claimed } = census.largest.clone();
    let with_largest = |segments: &[usize], total: u32| Census {
        largest: ScoredTriangulation { segments: segments.to_vec(), total },
        ..census.clone()
    };
    let wrong = with_largest(&segments, claimed + 1);
    let refused = Extreme::from_census(&board, ExtremeKind::Largest, &wrong);
    assert!(matches!(refused, Err(ExtremesError::Miscounted { counted, .. }) if counted == claimed));
    let short = with_largest(&segments[1..], claimed);
    assert!(matches!(
        Extreme::from_census(&board, ExtremeKind::Largest, &short),
        Err(ExtremesError::Refused { .. })
    ));
}
