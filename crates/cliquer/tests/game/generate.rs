//! Generation of boards with chosen properties.

use std::ops::ControlFlow;

use ndqueens_cliquer::board::{Board, turn};
use ndqueens_cliquer::generate::{
    BoardSpec, GenerateError, Symmetry, default_clearance, default_size, generate,
};
use ndqueens_cliquer::symmetry::symmetries;

use crate::boards::random_board;

/// Returns a specification without further conditions.
fn spec(dots: usize) -> BoardSpec {
    BoardSpec {
        dots,
        hull: None,
        four_cliques: None,
        symmetry: Symmetry::Any,
        size: 100,
        clearance: 1,
        seed: 1,
        tries: 200_000,
    }
}

fn generate_board(spec: &BoardSpec) -> Result<Board, GenerateError> {
    generate(spec, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn boards_satisfy_their_specification_reproducibly() {
    for (dots, hull, four_cliques, symmetry) in [
        (7, Some(4), Some(12), "any"),
        (8, Some(3), None, "mirror"),
        (7, Some(3), None, "turn:3"),
        (6, None, Some(9), "turn:3"),
        (8, Some(4), None, "turn:4"),
        (6, None, None, "turn:2"),
        (5, Some(5), None, "turn:5"),
        (9, None, Some(30), "none"),
        (9, None, None, "mirror"),
        (20, None, None, "any"),
    ] {
        let symmetry: Symmetry = symmetry.parse().expect("a symmetry");
        for seed in 0..3 {
            let spec = BoardSpec { hull, four_cliques, symmetry, seed, ..spec(dots) };
            let board = generate_board(&spec).unwrap_or_else(|fault| panic!("{spec:?}: {fault}"));
            assert_eq!(board.dots().len(), dots);
            assert!(board.dots().iter().all(|dot| (0..=100).contains(&dot.x) && (0..=100).contains(&dot.y)));
            assert!(hull.is_none_or(|hull| hull == board.hull().len()));
            assert!(four_cliques.is_none_or(|four| four == board.four_cliques().len()));
            let order = symmetries(&board).len();
            match symmetry {
                Symmetry::Any => {}
                Symmetry::None => assert_eq!(order, 1),
                Symmetry::Mirror => assert_eq!(order % 2, 0),
                Symmetry::Turn(turns) => assert_eq!(order % turns, 0),
            }
            assert_eq!(generate_board(&spec), Ok(board));
        }
    }
}

#[test]
fn boards_have_the_given_clearance() {
    let board = generate_board(&BoardSpec { clearance: 5, ..spec(7) }).expect("a board");
    for &[a, b] in board.segments() {
        for c in (0..7).filter(|c| ![a, b].contains(c)) {
            let [p, q, r] = [a, b, c].map(|dot| board.dots()[dot]);
            let length = (q.x - p.x).pow(2) + (q.y - p.y).pow(2);
            assert!(turn(p, q, r).pow(2) >= 25 * i128::from(length));
        }
    }
}

#[test]
fn default_sizes_have_room_for_their_dots() {
    for dots in [3, 10, 11, 30, 52] {
        let size = default_size(dots);
        let spec = BoardSpec { size, clearance: default_clearance(dots, size), tries: 20_000, ..spec(dots) };
        assert_eq!(generate_board(&spec).expect("there is room").dots().len(), dots);
    }
    // All four corners of the smallest board of an odd size are places.
    let board = generate_board(&BoardSpec { size: 3, clearance: 0, ..spec(8) })
        .expect("two dots in each of four rows");
    assert!((0..=3).all(|y| board.dots().iter().filter(|dot| dot.y == y).count() == 2));
}

#[test]
fn rejects_impossible_specifications_with_the_reason() {
    let error = |spec: BoardSpec| generate_board(&spec).expect_err("impossible").to_string();
    let base = spec(7);
    for (spec, expected) in [
        (BoardSpec { hull: Some(8), ..base.clone() }, "8 of 7 dots cannot be on the hull"),
        (BoardSpec { hull: Some(2), ..base.clone() }, "2 of 7 dots cannot be on the hull"),
        (
            BoardSpec { four_cliques: Some(30), ..base.clone() },
            "7 dots have at most 28 attainable 4-cliques, not 30",
        ),
        (
            BoardSpec { hull: Some(5), four_cliques: Some(5), ..base.clone() },
            "have at least 6 attainable 4-cliques, not 5",
        ),
        (BoardSpec { hull: Some(7), four_cliques: Some(1), ..base.clone() }, "have no attainable 4-clique"),
        (
            BoardSpec { symmetry: Symmetry::Turn(2), ..base.clone() },
            "and none is in the centre, and 7 dots do not come out",
        ),
        (
            BoardSpec { symmetry: Symmetry::Turn(5), ..base.clone() },
            "with or without one in the centre, and 7 dots do not",
        ),
        (BoardSpec { symmetry: Symmetry::Turn(3), hull: Some(4), ..base.clone() }, "and 4 do not come out"),
        (
            BoardSpec { size: 2, ..base.clone() },
            "coordinates from 0 to 2 leave room for 6 dots, not 7, for two of them at most are in a row",
        ),
        (BoardSpec { dots: 2, ..base.clone() }, "a board has 3 to 52 dots, not 2"),
    ] {
        let message = error(spec);
        assert!(message.starts_with("there is no such board: ") && message.contains(expected), "{message}");
    }
    // No theorem here excludes it, but seven dots have at least nine convex sets of four.
    let message = error(BoardSpec { four_cliques: Some(27), tries: 5000, ..base });
    assert!(message.starts_with("no such board was found in 5000 tries; the nearest has "), "{message}");
    assert!("turn:1".parse::<Symmetry>().is_err() && "spin".parse::<Symmetry>().is_err());
}

#[test]
fn feasibility_theorems_hold_on_random_boards() {
    for (dots, seed) in (3..=12).flat_map(|dots| (0..20).map(move |seed| (dots, seed))) {
        let board = random_board(dots, 700 + seed);
        let hull = board.hull().len();
        assert!(board.four_clique_count() >= (dots - hull) * (hull - 2));
        let spec = BoardSpec {
            hull: Some(hull),
            four_cliques: Some(board.four_clique_count()),
            tries: 0,
            ..spec(dots)
        };
        assert!(matches!(generate_board(&spec), Err(GenerateError::NotFound { .. })));
    }
}
