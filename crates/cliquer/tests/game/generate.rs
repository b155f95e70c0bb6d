//! Boards with chosen properties.

use std::ops::ControlFlow;

use ndqueens_cliquer::board::turn;
use ndqueens_cliquer::generate::{GenerateError, Symmetry, Wanted, clearance, generate, size};
use ndqueens_cliquer::symmetry::symmetries;

use crate::boards::random_board;

fn wanted(dots: usize) -> Wanted {
    Wanted {
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

fn made(wanted: &Wanted) -> Result<ndqueens_cliquer::board::Board, GenerateError> {
    generate(wanted, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn boards_have_what_is_wanted_and_are_the_same_for_the_same_seed() {
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
            let wanted = Wanted { hull, four_cliques, symmetry, seed, ..wanted(dots) };
            let board = made(&wanted).unwrap_or_else(|fault| panic!("{wanted:?}: {fault}"));
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
            assert_eq!(made(&wanted), Ok(board));
        }
    }
}

#[test]
fn no_three_dots_are_nearly_on_a_line() {
    let board = made(&Wanted { clearance: 5, ..wanted(7) }).expect("a board");
    for &[a, b] in board.segments() {
        for c in (0..7).filter(|c| ![a, b].contains(c)) {
            let [p, q, r] = [a, b, c].map(|dot| board.dots()[dot]);
            let length = (q.x - p.x).pow(2) + (q.y - p.y).pow(2);
            assert!(turn(p, q, r).pow(2) >= 25 * i128::from(length));
        }
    }
}

#[test]
fn a_size_has_room_for_its_dots() {
    for dots in [3, 10, 11, 30, 52] {
        let size = size(dots);
        let wanted = Wanted { size, clearance: clearance(dots, size), tries: 20_000, ..wanted(dots) };
        assert_eq!(made(&wanted).expect("there is room").dots().len(), dots);
    }
    // All four corners of the smallest board of an odd size are places.
    let board = made(&Wanted { size: 3, clearance: 0, ..wanted(8) }).expect("two dots in each of four rows");
    assert!((0..=3).all(|y| board.dots().iter().filter(|dot| dot.y == y).count() == 2));
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let refused = |wanted: Wanted| made(&wanted).expect_err("impossible").to_string();
    let base = wanted(7);
    for (wanted, said) in [
        (Wanted { hull: Some(8), ..base.clone() }, "8 of 7 dots cannot be on the hull"),
        (Wanted { hull: Some(2), ..base.clone() }, "2 of 7 dots cannot be on the hull"),
        (
            Wanted { four_cliques: Some(30), ..base.clone() },
            "7 dots have at most 28 attainable 4-cliques, not 30",
        ),
        (
            Wanted { hull: Some(5), four_cliques: Some(5), ..base.clone() },
            "have at least 6 attainable 4-cliques, not 5",
        ),
        (Wanted { hull: Some(7), four_cliques: Some(1), ..base.clone() }, "have no attainable 4-clique"),
        (
            Wanted { symmetry: Symmetry::Turn(2), ..base.clone() },
            "and none is in the centre, and 7 dots do not come out",
        ),
        (
            Wanted { symmetry: Symmetry::Turn(5), ..base.clone() },
            "with or without one in the centre, and 7 dots do not",
        ),
        (Wanted { symmetry: Symmetry::Turn(3), hull: Some(4), ..base.clone() }, "and 4 do not come out"),
        (
            Wanted { size: 2, ..base.clone() },
            "coordinates from 0 to 2 leave room for 6 dots, not 7, for two of them at most are in a row",
        ),
        (Wanted { dots: 2, ..base.clone() }, "a board has 3 to 52 dots, not 2"),
    ] {
        let words = refused(wanted);
        assert!(words.starts_with("there is no such board: ") && words.contains(said), "{words}");
    }
    // No theorem here excludes it, but seven dots have at least nine convex sets of four.
    let words = refused(Wanted { four_cliques: Some(27), tries: 5000, ..base });
    assert!(words.starts_with("no such board was found in 5000 tries; the nearest has "), "{words}");
    assert!("turn:1".parse::<Symmetry>().is_err() && "spin".parse::<Symmetry>().is_err());
}

#[test]
fn the_theorems_that_refuse_boards_hold_on_random_ones() {
    for (dots, seed) in (3..=12).flat_map(|dots| (0..20).map(move |seed| (dots, seed))) {
        let board = random_board(dots, 700 + seed);
        let hull = board.hull().len();
        assert!(board.attainable() >= (dots - hull) * (hull - 2));
        let wanted =
            Wanted { hull: Some(hull), four_cliques: Some(board.attainable()), tries: 0, ..wanted(dots) };
        assert!(matches!(made(&wanted), Err(GenerateError::NotFound { .. })));
    }
}
