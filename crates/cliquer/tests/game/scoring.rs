//! Compares games with other scoring rules with a minimax search that follows only the definition of the
//! rules.

use std::ops::ControlFlow;

use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::extremes::{ExtremeKind, extreme};
use ndqueens_cliquer::rules::Game;
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::text;
use ndqueens_cliquer::triangulation::{census, largest_total, least_total};
use ndqueens_cliquer::value::Search;
use ndqueens_cliquer::verify;
use ndqueens_solver::backends::Options;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

use crate::boards::{convex_board, random_board};

const RULES: [&str; 9] = [
    "2=1 3=3 4=5",
    "again=3",
    "again=4",
    "2=0 3=1 4=0",
    "2=0 3=0 4=1 again=4",
    "2=0 3=1 4=5 again=3",
    "2=2 3=0 4=7",
    "2=5 3=1 4=1 again=3",
    "2=0 3=0 4=0",
];

/// Returns the points of the first player minus those of the second in the rest of the game, computed from
/// the list of joined dots.
fn minimax(board: &Board, drawn: &mut Vec<[usize; 2]>, mover: i64, values: [i64; 3], again: usize) -> i64 {
    let joins = |drawn: &[[usize; 2]], a: usize, b: usize| drawn.contains(&[a.min(b), a.max(b)]);
    let mut best: Option<i64> = None;
    for &[a, b] in board.segments() {
        let crosses =
            |&[c, d]: &[usize; 2]| board.crossing(board.segment(a, b)).contains(&board.segment(c, d));
        if joins(drawn, a, b) || drawn.iter().any(crosses) {
            continue;
        }
        let dots = 0..board.dots().len();
        let common: Vec<usize> = dots.filter(|&c| joins(drawn, a, c) && joins(drawn, b, c)).collect();
        let fours = common
            .iter()
            .flat_map(|&c| common.iter().map(move |&d| (c, d)))
            .filter(|&(c, d)| c < d && joins(drawn, c, d))
            .count();
        let points = values[0] + values[1] * common.len() as i64 + values[2] * fours as i64;
        let largest = if fours > 0 {
            4
        } else if common.is_empty() {
            2
        } else {
            3
        };
        let next = if largest >= again { mover } else { -mover };
        drawn.push([a, b]);
        let value = mover * points + minimax(board, drawn, next, values, again);
        drawn.pop();
        best = Some(best.map_or(value, |best| if mover > 0 { best.max(value) } else { best.min(value) }));
    }
    best.unwrap_or(0)
}

/// Compares the search with minimax.
fn compare(game: &Game<'_>) {
    let (board, scoring) = (game.board(), game.board().scoring());
    let mut drawn: Vec<[usize; 2]> =
        game.segments().iter().map(|&segment| board.segments()[segment]).collect();
    let sign = |game: &Game<'_>| if game.player() == ndqueens_cliquer::rules::Player::First { 1 } else { -1 };
    let (values, again) = (scoring.values().map(i64::from), scoring.again().unwrap_or(5));
    let plain = sign(game) * minimax(board, &mut drawn, sign(game), values, again);
    let mut go_on = |_| ControlFlow::Continue(());
    let mut search = Search::new(board, &mut go_on).expect("small");
    let value = search.value(game).value().expect("it ran to its end");
    assert_eq!(i64::from(value), plain, "{scoring}");
    let keeps = |&segment: &usize| {
        let mut after = game.clone();
        let points = i64::from(after.play(segment).expect("legal").points);
        let mut drawn: Vec<[usize; 2]> =
            after.segments().iter().map(|&segment| board.segments()[segment]).collect();
        points + sign(game) * minimax(board, &mut drawn, sign(&after), values, again) == plain
    };
    let best: Vec<usize> = game.legal_moves().into_iter().filter(keeps).collect();
    assert_eq!(search.best_moves(game, value), Ok(best), "{scoring}");
    // The initial bounds are valid.
    let mut go_on = |_| ControlFlow::Continue(());
    let bounds = Search::new(board, &mut go_on).expect("small").with_node_limit(0).value(game);
    assert!(bounds.lower <= value && value <= bounds.upper, "{scoring}: {bounds:?} {value}");
}

/// Plays random moves until `left` moves are left.
fn play_until(board: &Board, left: usize, seed: u64) -> Game<'_> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(board);
    while game.moves().len() + left < board.moves() {
        let &segment = game.legal_moves().choose(&mut random).expect("the game is not over");
        game.play(segment).expect("legal");
    }
    game
}

#[test]
fn values_match_minimax_with_any_rules() {
    for rules in RULES {
        let scoring: Scoring = rules.parse().expect(rules);
        for seed in 0..4 {
            compare(&Game::new(&random_board(4, seed).with_scoring(scoring)));
            for (dots, left) in [(5, 5), (6, 5), (8, 4)] {
                compare(&play_until(&random_board(dots, 40 + seed).with_scoring(scoring), left, seed));
            }
        }
        compare(&Game::new(&convex_board(4).with_scoring(scoring)));
        compare(&play_until(&convex_board(6).with_scoring(scoring), 5, 1));
    }
}

#[test]
fn scores_match_the_independent_check() {
    for (rules, seed) in RULES.into_iter().flat_map(|rules| (0..6).map(move |seed| (rules, seed))) {
        let scoring: Scoring = rules.parse().expect(rules);
        let board = random_board(4 + seed as usize, seed).with_scoring(scoring);
        let game = play_until(&board, 0, seed);
        let ends: Vec<[usize; 2]> =
            game.segments().iter().map(|&segment| board.segments()[segment]).collect();
        let counted = verify::scores(board.dots().len(), &ends, scoring.values(), scoring.again());
        assert_eq!(game.scores(), counted, "{rules}");
        assert_eq!(verify::total(board.dots(), &ends, scoring.values()), Ok(counted[0] + counted[1]));
        let text = text::write(&board, &game.segments(), &[]);
        assert_eq!(text::read(&text), Ok((board.clone(), game.segments())));
    }
}

#[test]
fn extreme_totals_match_census_with_other_points() {
    for (rules, seed) in
        ["2=0 3=1 4=0", "2=2 3=0 4=7", "4=0 3=10"].into_iter().flat_map(|r| (0..3).map(move |s| (r, s)))
    {
        let board = random_board(7, seed).with_scoring(rules.parse().expect(rules));
        let all =
            census(&board, &[], &mut |_| ControlFlow::Continue(())).expect("small").expect("not stopped");
        assert_eq!(all.largest.total as usize, largest_total(&board), "{rules}");
        assert!(all.smallest.total as usize >= least_total(&board), "{rules}");
        for (side, total) in
            [(ExtremeKind::Largest, all.largest.total), (ExtremeKind::Smallest, all.smallest.total)]
        {
            let found = extreme(&board, side, &[], &Options::default(), &mut |_| ControlFlow::Continue(()));
            assert_eq!(found.expect("a game").total, total, "{rules} {side}");
        }
    }
}
