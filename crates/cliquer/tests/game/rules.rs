//! Tests of the rules of the game, and of theorems about finished games.

use ndqueens_cliquer::board::{Board, BoardError, Dot, turn};
use ndqueens_cliquer::rules::{Game, IllegalMove, Player};
use ndqueens_cliquer::symmetry::symmetries;
use ndqueens_cliquer::triangulation;
use ndqueens_cliquer::verify;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

use crate::boards::{convex_board, random_board};

/// Plays a random game to its end.
fn random_game(board: &Board, seed: u64) -> Game<'_> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(board);
    while let Some(&segment) = game.legal_moves().choose(&mut random) {
        game.play(segment).expect("legal");
    }
    game
}

fn ends(game: &Game<'_>) -> Vec<[usize; 2]> {
    game.segments().iter().map(|&segment| game.board().segments()[segment]).collect()
}

#[test]
fn moves_and_total_depend_only_on_the_triangulation() {
    for (dots, seed) in (3..=20).flat_map(|dots| (0..8).map(move |seed| (dots, seed))) {
        let board = random_board(dots, seed);
        let game = random_game(&board, seed);
        assert!(game.is_over());
        assert_eq!(game.moves().len(), 3 * dots - 3 - board.hull().len());
        assert_eq!(game.moves().len(), board.moves());
        // Compares with the same segments in other orders, and with a count of cliques without moves.
        let total = game.scores().iter().sum::<u32>();
        assert_eq!(verify::total(board.dots(), &ends(&game), [1, 3, 5]), Ok(total));
        let mut order = game.segments();
        order.reverse();
        assert_eq!(triangulation::total(&board, &order), Ok(total));
        order.sort_unstable();
        assert_eq!(triangulation::total(&board, &order), Ok(total));
    }
}

#[test]
fn moves_score_the_cliques_that_they_complete() {
    // A triangle with a dot inside, and one more outside below A-B.
    let dots = [(0, 0), (10, 1), (4, 9), (5, 3), (6, -9)].map(|(x, y)| Dot { x, y });
    let board = Board::new(dots.to_vec()).expect("general position");
    let mut game = Game::new(&board);
    let mut play = |name: &str| game.play(board.parse_segment(name).expect(name)).expect(name).points;
    assert_eq!(["A-B", "B-C", "A-C", "A-D", "B-D"].map(&mut play), [1, 1, 4, 1, 4]);
    assert_eq!(play("C-D"), 12, "the last of six segments: two triangles and four dots");
    assert_eq!(["A-E", "B-E"].map(&mut play), [1, 4]);
    assert!(game.is_over());
    assert_eq!(game.scores(), [1 + 4 + 4 + 1, 1 + 1 + 12 + 4]);
    assert_eq!(game.player(), Player::First);
    assert_eq!(game.undo().map(|taken| taken.points), Some(4));
    assert_eq!(game.legal_moves(), [board.parse_segment("BE").expect("a segment")]);
}

#[test]
fn one_move_completes_two_sets_of_four() {
    // D and E on both sides of A-B, and C beyond: A, B, C, D and A, B, C, E are completed by one of
    // their common segments.
    let dots = [(0, 0), (100, 0), (50, 100), (50, 30), (52, 60)].map(|(x, y)| Dot { x, y });
    let board = Board::new(dots.to_vec()).expect("general position");
    let names = ["A-C", "B-C", "A-D", "B-D", "A-E", "B-E", "C-E", "D-E"];
    let segments = names.map(|name| board.parse_segment(name).expect(name));
    let mut game = Game::replay(&board, &segments).expect("legal");
    assert_eq!(
        game.play(board.parse_segment("A-B").expect("a segment")).map(|made| made.points),
        Ok(1 + 3 * 3 + 5 * 2)
    );
    assert!(game.is_over());
}

#[test]
fn illegal_moves_change_nothing() {
    let board = convex_board(5);
    let segment = |name: &str| board.parse_segment(name).expect(name);
    let mut game = Game::replay(&board, &[segment("A-C")]).expect("legal");
    let before = game.clone();
    let fault = game.play(segment("C-A")).expect_err("repeated");
    assert_eq!(fault, IllegalMove::Repeated { segment: "A-C".to_owned(), number: 1 });
    let fault = game.play(segment("B-D")).expect_err("crosses");
    assert_eq!(fault.to_string(), "B-D crosses A-C, which is move 1");
    assert_eq!(game, before);
}

#[test]
fn rejects_invalid_boards() {
    let board = |dots: &[(i64, i64)]| Board::new(dots.iter().map(|&(x, y)| Dot { x, y }).collect());
    let fault = board(&[(0, 0), (7, 1), (1, 1), (5, 9), (2, 2)]).expect_err("on a line");
    assert_eq!(fault.to_string(), "three dots are on a line: A at (0, 0), C at (1, 1), E at (2, 2)");
    assert_eq!(board(&[(0, 0), (1, 2)]), Err(BoardError::TooFew(2)));
    // Next to a line, at the largest coordinates, where only exact arithmetic distinguishes left from right.
    let far = 1_000_000_000;
    let near = board(&[(-far, -far), (far, far - 1), (0, 0), (0, -1)]).expect("no three on a line");
    assert_eq!(near.hull().len(), 4);
    assert!(board(&[(-far, -far), (far, far), (0, 0)]).is_err());
}

#[test]
fn hull_and_crossings_match_their_definitions() {
    for (dots, seed) in (4..=12).flat_map(|dots| (0..6).map(move |seed| (dots, seed))) {
        let board = random_board(dots, 100 + seed);
        // Four dots have one crossing if they are in convex position, and otherwise no crossing.
        assert_eq!(board.four_cliques().len(), board.four_clique_count());
        for &[a, b, c, inside] in &board.four_cliques() {
            let drawn = [(a, b), (a, c), (b, c), (a, inside), (b, inside), (c, inside)];
            let segments = drawn.map(|(p, q)| board.segment(p, q));
            assert!(Game::replay(&board, &segments).is_ok());
        }
        let place = |dot: usize| board.dots()[dot];
        let hull = board.hull();
        for (at, &a) in hull.iter().enumerate() {
            let b = hull[(at + 1) % hull.len()];
            let others = (0..dots).filter(|dot| ![a, b].contains(dot));
            assert!(others.into_iter().all(|c| turn(place(a), place(b), place(c)) > 0));
        }
    }
}

#[test]
fn symmetries_preserve_the_crossings() {
    // The dihedral group, and all permutations where nothing crosses.
    for (board, order) in
        [(convex_board(7), 14), (convex_board(10), 20), (convex_board(3), 6), (convex_board(4), 8)]
    {
        assert_eq!(symmetries(&board).len(), order);
    }
    let dots = [(0, 0), (10, 1), (4, 9), (5, 3)].map(|(x, y)| Dot { x, y });
    assert_eq!(symmetries(&Board::new(dots.to_vec()).expect("a board")).len(), 24);
    // Comparison with all permutations.
    for (dots, seed) in (4..=6).flat_map(|dots| (0..10).map(move |seed| (dots, seed))) {
        let board = random_board(dots, 200 + seed);
        let is_symmetry = |images: &Vec<usize>| {
            let crosses = |a: usize, b: usize, c: usize, d: usize| {
                board.crossing(board.segment(a, b)).contains(&board.segment(c, d))
            };
            board.segments().iter().all(|&[a, b]| {
                board
                    .segments()
                    .iter()
                    .all(|&[c, d]| crosses(a, b, c, d) == crosses(images[a], images[b], images[c], images[d]))
            })
        };
        let expected: Vec<Vec<usize>> = permutations(dots).into_iter().filter(is_symmetry).collect();
        assert_eq!(symmetries(&board), expected);
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |given: &Vec<usize>| {
            (0..n)
                .filter(|i| !given.contains(i))
                .map(|i| [given.as_slice(), &[i]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
