//! Compares the boards of the model with the definitions in crosscheck: squares, attacks and orbits must be
//! the same.

use std::collections::BTreeSet;

use ndqueens_crosscheck::boards::{Definition, definition};
use ndqueens_crosscheck::graph::Graph;
use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Leaper, Piece, Surface};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Returns the orbits of squares under the symmetries of the definition.
fn orbits(definition: &dyn Definition) -> BTreeSet<BTreeSet<Vec<u32>>> {
    let generators = definition.generators().expect("a known group");
    let orbit = |square: Vec<u32>| {
        let (mut orbit, mut next) = (BTreeSet::from([square.clone()]), vec![square]);
        while let Some(square) = next.pop() {
            for generator in &generators {
                let mut image = square.clone();
                generator(&mut image);
                if orbit.insert(image.clone()) {
                    next.push(image);
                }
            }
        }
        orbit
    };
    definition.squares().map(orbit).collect()
}

fn compare(name: &BoardName) {
    let (board, definition) = (Board::new(name), definition(name));
    let graph = Graph::new(&*definition).expect("a small board");
    let squares: Vec<Vec<u32>> = board.squares().map(|square| board.coordinates(square)).collect();
    assert_eq!(graph.squares(), squares, "{name}");
    for (square, row) in board.squares().zip(board.graph()) {
        assert_eq!(graph.neighbours(square as usize), &row, "{name} {}", board.label(square));
    }
    let mut ours = vec![BTreeSet::new(); board.orbits().count()];
    for square in board.squares() {
        ours[board.orbits().of(square)].insert(board.coordinates(square));
    }
    assert_eq!(ours.into_iter().collect::<BTreeSet<_>>(), orbits(&*definition), "{name}");
}

#[test]
fn definitions_agree_on_boards_other_than_boxes() {
    for n in 1..=8 {
        compare(&BoardName::Hex(n));
        compare(&BoardName::Three(2 * n));
    }
    for surface in Surface::ALL {
        for sides in (1..=7).flat_map(|m| (1..=7).map(move |n| [m, n])) {
            compare(&BoardName::Surface { surface, sides });
        }
    }
    for order in 1..=3 {
        compare(&BoardName::Sudoku(order));
        compare(&BoardName::SudokuX(order));
    }
    for order in 1..=5 {
        compare(&BoardName::Cells(order));
        compare(&BoardName::CellsX(order));
    }
}

#[test]
fn both_say_the_same_of_random_boxes() {
    let mut random = ChaCha8Rng::seed_from_u64(2020);
    for _ in 0..60 {
        let torus = random.random();
        let mut sides: Vec<u32> =
            (0..random.random_range(1..=4)).map(|_| random.random_range(1..=5)).collect();
        if torus {
            sides = vec![sides[0]; sides.len()];
        }
        compare(&BoardName::grid(Piece::ALL[random.random_range(0..3)], torus, &sides));
        let leaper = Leaper::ALL[random.random_range(0..3)];
        compare(&BoardName::Leaper { leaper, torus, sides });
    }
}
