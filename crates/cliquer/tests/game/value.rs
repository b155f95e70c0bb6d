//! Compares the exact value with minimax without table, symmetry, bounds or bit sets.

use std::ops::ControlFlow;

use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::rules::{Game, Player, Winner};
use ndqueens_cliquer::triangulation::largest_total;
use ndqueens_cliquer::value::{Bounds, Margin, Search, Stopped};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

use crate::boards::{convex_board, random_board};

/// Returns the points by which the player to move wins the rest of the game, by plain minimax over the rules.
fn minimax(game: &mut Game<'_>) -> i32 {
    let mut best = None;
    for segment in game.legal_moves() {
        let value = value_after(game, segment);
        best = best.max(Some(value));
    }
    best.unwrap_or(0)
}

/// Returns the value of a move.
fn value_after(game: &mut Game<'_>, segment: usize) -> i32 {
    let points = game.play(segment).expect("legal").points as i32;
    let value = points - minimax(game);
    game.undo();
    value
}

/// Compares the search with minimax.
fn compare(game: &Game<'_>) {
    let mut go_on = |_| ControlFlow::Continue(());
    let mut search = Search::new(game.board(), &mut go_on).expect("small");
    let mut plain = game.clone();
    let value = minimax(&mut plain);
    assert_eq!(search.value(game).value(), Some(value));
    let best: Vec<usize> =
        game.legal_moves().into_iter().filter(|&segment| value_after(&mut plain, segment) == value).collect();
    assert_eq!(search.best_moves(game, value), Ok(best));
    assert_eq!(search.is_at_least(game, value), Ok(true));
    assert_eq!(search.is_at_least(game, value + 1), Ok(false));
}

/// Plays random moves.
fn play_random_moves(board: &Board, moves: usize, seed: u64) -> Game<'_> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(board);
    for _ in 0..moves {
        let &segment = game.legal_moves().choose(&mut random).expect("the game is not over");
        game.play(segment).expect("legal");
    }
    game
}

#[test]
fn value_matches_plain_minimax() {
    for seed in 0..40 {
        compare(&Game::new(&random_board(4, seed)));
    }
    for dots in 3..=5 {
        compare(&Game::new(&convex_board(dots)));
    }
    // Plain minimax is slow; on larger boards, the comparison starts some moves into a random game.
    for (dots, left, games) in [(5, 6, 40), (6, 6, 30), (7, 6, 20), (8, 5, 20), (9, 5, 20), (11, 4, 20)] {
        for seed in 0..games {
            let board = random_board(dots, 300 + seed);
            compare(&play_random_moves(&board, board.moves() - left, seed));
        }
    }
    // Boards with symmetries.
    for seed in 0..20 {
        compare(&play_random_moves(&convex_board(6), 3, seed));
        compare(&play_random_moves(&convex_board(7), 5, seed));
    }
}

#[test]
fn stopped_search_returns_valid_bounds() {
    let board = random_board(8, 5);
    let mut go_on = |_| ControlFlow::Continue(());
    let value = Search::new(&board, &mut go_on).expect("small").value(&Game::new(&board)).value();
    let value = value.expect("it ran to its end");
    let mut gaps = Vec::new();
    for nodes in [0, 10_001, 100_000, 1_000_000_000] {
        let mut go_on = |_| ControlFlow::Continue(());
        let mut search = Search::new(&board, &mut go_on).expect("small").with_node_limit(nodes);
        let bounds = search.value(&Game::new(&board));
        assert!(bounds.lower <= value && value <= bounds.upper, "{bounds:?} {value}");
        assert!(search.nodes() == nodes || bounds.value().is_some() && search.nodes() < nodes);
        gaps.push(bounds.upper - bounds.lower);
        if bounds.value().is_none() {
            assert_eq!(search.best_moves(&Game::new(&board), value), Err(Stopped));
        }
    }
    assert!(gaps[0] > 0 && gaps[3] == 0 && gaps.is_sorted_by(|a, b| a >= b), "{gaps:?}");
    let mut stop = |_| ControlFlow::Break(());
    let bounds = Search::new(&board, &mut stop).expect("small").value(&Game::new(&board));
    assert!(bounds.value().is_none() && bounds.lower <= value && value <= bounds.upper);
}

#[test]
fn initial_bounds_are_valid() {
    for seed in 0..40 {
        let board = random_board(5 + seed as usize % 3, 750 + seed);
        for moves in board.moves().saturating_sub(6)..=board.moves() {
            let game = play_random_moves(&board, moves, seed);
            let mut go_on = |_| ControlFlow::Continue(());
            let bounds = Search::new(&board, &mut go_on).expect("small").with_node_limit(0).value(&game);
            let value = minimax(&mut game.clone());
            assert!(bounds.lower <= value && value <= bounds.upper, "{bounds:?} {value}");
        }
        // A margin is at most the total score minus the minimum score of the moves of the other player.
        let mut go_on = |_| ControlFlow::Continue(());
        let bounds =
            Search::new(&board, &mut go_on).expect("small").with_node_limit(0).value(&Game::new(&board));
        let most = largest_total(&board) as i32;
        assert!(-most < bounds.lower && bounds.upper < most);
    }
}

#[test]
fn margin_is_relative_to_the_first_player() {
    let board = random_board(5, 1);
    for moves in 0..4 {
        let game = play_random_moves(&board, moves, 2);
        let [first, second] = game.scores().map(i64::from);
        assert_eq!(game.margin(), first - second);
        let margin = Margin::new(&game, Bounds { lower: -3, upper: 8 });
        let (least, most) = match game.player() {
            Player::First => (first - second - 3, first - second + 8),
            Player::Second => (first - second - 8, first - second + 3),
        };
        assert_eq!(margin, Margin { at_least: least, at_most: most });
        assert_eq!(margin.value(), None);
        let rest = minimax(&mut game.clone());
        let exact = Margin::new(&game, Bounds { lower: rest, upper: rest });
        assert_eq!(exact.winner(), exact.value().map(Winner::from_margin));
    }
    for (at_least, at_most, winner) in [
        (1, 9, Some(Winner::First)),
        (-9, -1, Some(Winner::Second)),
        (0, 0, Some(Winner::Neither)),
        (0, 1, None),
        (-1, 0, None),
        (-1, 1, None),
    ] {
        assert_eq!(Margin { at_least, at_most }.winner(), winner, "{at_least} {at_most}");
    }
}
