//! Tests of measurements of boards and of the computer player.

use std::ops::ControlFlow;

use ndqueens_cliquer::depth::measure;
use ndqueens_cliquer::player::ComputerPlayer;
use ndqueens_cliquer::rules::Game;
use ndqueens_cliquer::value::Search;

use crate::boards::{convex_board, random_board};

#[test]
fn greedy_play_never_gains() {
    for seed in 0..12 {
        let board = random_board(6, 800 + seed);
        let mut go_on = |_| ControlFlow::Continue(());
        let mut search = Search::new(&board, &mut go_on).expect("small");
        let depth = measure(&board, &mut search, 5, seed).expect("not stopped");
        assert_eq!(measure(&board, &mut search, 5, seed), Ok(depth.clone()));
        assert!(depth.margin_first_greedy <= depth.margin && depth.margin <= depth.margin_second_greedy);
        assert!(depth.only_moves <= depth.decisive && depth.decisive <= depth.positions);
        assert!((1..=depth.first_moves).contains(&depth.best_first_moves));
        assert_eq!(depth.first_moves, 15);
    }
    // On a triangle every move is optimal.
    let board = convex_board(3);
    let mut go_on = |_| ControlFlow::Continue(());
    let mut search = Search::new(&board, &mut go_on).expect("small");
    let depth = measure(&board, &mut search, 3, 0).expect("not stopped");
    assert_eq!((depth.margin, depth.positions, depth.decisive), (1 + 4 - 1, 6, 0));
}

#[test]
fn computer_player_keeps_the_value() {
    for (dots, seed) in [(6, 1), (7, 2), (14, 3)] {
        let board = random_board(dots, 900 + seed);
        let mut program = ComputerPlayer::new(200_000, seed);
        let mut game = Game::new(&board);
        let mut promised = None;
        while let Some(choice) = program.choose(&game) {
            let value = choice.value.map(|value| {
                let [mine, others] =
                    [game.moves().len() % 2, 1 - game.moves().len() % 2].map(|p| game.scores()[p] as i32);
                if game.moves().len() % 2 == 0 { value + mine - others } else { others - mine - value }
            });
            // Once the rest of the game is solved, optimal play keeps the margin.
            assert!(promised.is_none() || promised == value);
            promised = value;
            game.play(choice.segment).expect("legal");
        }
        assert!(game.is_over());
        let [first, second] = game.scores().map(|score| score as i32);
        assert!(promised.is_none_or(|promised| promised == first - second));
        assert_eq!(promised.is_none(), dots > 11);
    }
}
