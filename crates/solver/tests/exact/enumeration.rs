//! Counts of solutions are those of plain enumerations.

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::count;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_exact::table::BoxTable;
use ndqueens_exact::{Enumeration, Order, Question, Settings, Tally};
use ndqueens_model::board::Board;
use ndqueens_model::name::{BoardName, Piece};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::answers::any_settings;
use crate::{draw, name, told};

const KEEP: usize = 1 << 20;

/// The tally, and the order of the group.
fn enumerate(board: &Board, size: u64, parts: usize, settings: &Settings<'_>) -> (Tally, Option<u64>) {
    let mut table = BoxTable::new(board.grid().map_or(Piece::Queen, |grid| grid.piece()));
    if let Some(grid) = board.grid().filter(|grid| !grid.is_torus()) {
        assert!(
            table.fill_inside(grid.sides(), settings, None, &mut |_, _| {}).expect("no proof").is_finished()
        );
    }
    let question = Question::new(board, size, Order::Lexicographic, &table, settings);
    let enumeration = question.enumerate(settings, parts, KEEP).expect("a small board").expect("not stopped");
    let Enumeration { ref weights, ref top, order, .. } = enumeration;
    let mut tally = top.clone();
    for part in 0..weights.len() {
        tally.add(enumeration.run(part).expect("not stopped"), KEEP);
    }
    (tally, order)
}

#[test]
fn counts_of_maximum_solutions_are_those_of_bron_kerbosch() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for drawn in 0..600 {
        let name = draw::board(&mut random, drawn % draw::KINDS, 36);
        let board = Board::new(&name);
        let count = count::count(&name, &|| false).expect("a small board");
        let settings = any_settings(&mut random);
        let parts = random.random_range(1..40);
        let (tally, order) = enumerate(&board, count.independence_number as u64, parts, &settings);
        assert_eq!(tally.solutions(), count.maximum_sets.into(), "{}", told(&name));
        if let (Some(orbits), Some(order)) = (count.orbits, order) {
            let fundamental: num_bigint::BigUint =
                tally.fundamental(order).into_iter().map(|(_, number)| number).sum();
            assert_eq!(fundamental, orbits.into(), "{}", told(&name));
            assert_eq!(tally.representatives.len() as u64, orbits, "{}", told(&name));
        }
        let mut on_square = vec![0u64; board.size()];
        let met = count::for_each_maximum_set(&name, &|| false, |set| {
            for square in set {
                on_square[board.square(square).expect("on the board") as usize] += 1;
            }
        });
        met.expect("a small board");
        let density = tally.density(board.orbits());
        for square in board.squares() {
            let here = &density[board.orbits().of(square)];
            assert_eq!(*here, on_square[square as usize].into(), "{} {square}", told(&name));
        }
    }
}

/// The number of independent sets of each size, from none to all squares.
fn by_size(name: &BoardName) -> Vec<u64> {
    fn grow(graph: &Graph, from: usize, set: &mut Vec<usize>, numbers: &mut [u64]) {
        numbers[set.len()] += 1;
        for x in from..graph.squares().len() {
            if set.iter().all(|&y| !graph.neighbours(x).contains(y)) {
                set.push(x);
                grow(graph, x + 1, set, numbers);
                set.pop();
            }
        }
    }
    let graph = Graph::new(&*definition(name)).expect("a small board");
    let mut numbers = vec![0; graph.squares().len() + 2];
    grow(&graph, 0, &mut Vec::new(), &mut numbers);
    numbers
}

#[test]
fn sets_of_any_size_are_counted() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for drawn in 0..300 {
        let name = draw::board(&mut random, drawn % draw::KINDS, 14);
        let board = Board::new(&name);
        for (size, &number) in by_size(&name).iter().enumerate() {
            let (tally, _) = enumerate(&board, size as u64, 5, &any_settings(&mut random));
            assert_eq!(tally.solutions(), number.into(), "{size} on {}", told(&name));
        }
    }
}

#[test]
fn published_counts_are_found() {
    for (board, size, solutions) in [("5^3", 13, 1056u64), ("3^4", 6, 4992), ("8^2", 8, 92)] {
        let board = name(board);
        let (tally, _) = enumerate(&Board::new(&board), size, 1, &crate::SETTINGS);
        assert_eq!(tally.solutions(), solutions.into(), "{board}");
    }
}
