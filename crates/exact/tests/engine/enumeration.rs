//! Compares counts of solutions with enumeration.

use std::collections::BTreeSet;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::{count, proof};
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::proof::header;
use ndqueens_exact::{Enumeration, Order, Question, Settings, Tally};
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::{BoardName, Piece};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::answers::random_settings;
use crate::{check_about, described, draw, name};

const KEEP: usize = 1 << 20;

/// Returns the tally, and the order of the symmetry group.
fn enumerate(board: &Board, size: u64, parts: usize, settings: &Settings<'_>) -> (Tally, Option<u64>) {
    let mut table = BoxTable::new(board.grid().map_or(Piece::Queen, |grid| grid.piece()));
    if let Some(grid) = board.grid().filter(|grid| !grid.is_torus()) {
        assert!(
            table.fill_inside(grid.sides(), settings, None, &mut |_| {}).expect("no proof").is_finished()
        );
    }
    let question = Question::new(board, size, Order::Lexicographic, &table, settings);
    let enumeration = question.enumerate(settings, parts, KEEP).expect("a small board").expect("not stopped");
    let Enumeration { ref weights, ref top, order, .. } = enumeration;
    let mut tally = top.clone();
    for part in 0..weights.len() {
        tally.add(enumeration.run(part).expect("a file").expect("not stopped"), KEEP);
    }
    (tally, order)
}

#[test]
fn counts_of_maximum_solutions_agree_with_bron_kerbosch() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let (mut by_lines, mut otherwise) = (0, 0);
    for drawn in 0..600 {
        let name = draw::board(&mut random, drawn % draw::KINDS, 36);
        let board = Board::new(&name);
        let count = count::count(&name, &|| false).expect("a small board");
        let settings = random_settings(&mut random);
        match board.trivial_bound() == count.independence_number as u64 {
            true if settings.components.narrowest && !settings.proofs => by_lines += 1,
            _ => otherwise += 1,
        }
        let parts = random.random_range(1..40);
        let (tally, order) = enumerate(&board, count.independence_number as u64, parts, &settings);
        assert_eq!(tally.solutions(), count.maximum_sets.into(), "{}", described(&name));
        if let (Some(orbits), Some(order)) = (count.orbits, order) {
            let up_to_symmetry: num_bigint::BigUint =
                tally.up_to_symmetry(order).into_iter().map(|(_, number)| number).sum();
            assert_eq!(up_to_symmetry, orbits.into(), "{}", described(&name));
            assert_eq!(tally.representatives.len() as u64, orbits, "{}", described(&name));
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
            assert_eq!(*here, on_square[square as usize].into(), "{} {square}", described(&name));
        }
    }
    assert!(by_lines > 50 && otherwise > 50, "{by_lines} {otherwise}");
}

/// Returns the number of independent sets of each size, from 0 to all squares.
fn count_by_size(name: &BoardName) -> Vec<u64> {
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
        for (size, &number) in count_by_size(&name).iter().enumerate() {
            let (tally, _) = enumerate(&board, size as u64, 5, &random_settings(&mut random));
            assert_eq!(tally.solutions(), number.into(), "{size} on {}", described(&name));
        }
    }
}

#[test]
fn counts_agree_with_published_ones() {
    for (board, size, solutions) in [
        ("5^3", 13, 1056u64),
        ("3^4", 6, 4992),
        ("8^2", 8, 92),
        ("torus:7^2", 7, 28),
        ("hex:8", 15, 6),
        ("hex:9", 16, 120),
        ("three:8", 12, 208),
    ] {
        let board = name(board);
        for proofs in [false, true] {
            let settings = Settings { proofs, ..crate::SETTINGS };
            let (tally, _) = enumerate(&Board::new(&board), size, 1, &settings);
            assert_eq!(tally.solutions(), solutions.into(), "{board}");
        }
    }
}

/// Returns all images of some sets under the symmetries of the board, including the sets themselves.
fn with_images(board: &Board, mut sets: BTreeSet<Vec<Square>>) -> BTreeSet<Vec<Square>> {
    let mut new: Vec<Vec<Square>> = sets.iter().cloned().collect();
    while let Some(set) = new.pop() {
        for generator in board.generators() {
            let mut image: Vec<Square> = set.iter().map(|&square| generator(square)).collect();
            image.sort_unstable();
            if sets.insert(image.clone()) {
                new.push(image);
            }
        }
    }
    sets
}

/// Returns a proof that the sets found are all sets of a size, and their number.
fn prove_count(name: &BoardName, size: u64, parts: usize, settings: &Settings<'_>) -> (String, u64) {
    let settings = &Settings { proofs: true, ..*settings };
    let board = Board::new(name);
    let mut proof = header(name).into_bytes();
    let mut table = BoxTable::new(board.grid().map_or(Piece::Queen, |grid| grid.piece()));
    if let Some(grid) = board.grid().filter(|grid| !grid.is_torus()) {
        let filled = table.fill_inside(grid.sides(), settings, Some(&mut proof), &mut |_| {});
        assert!(filled.expect("in memory").is_finished());
    }
    let order = Order::ALL[parts % 2];
    let question = Question::new(&board, size, order, &table, settings);
    let enumeration = question.enumerate(settings, parts, KEEP).expect("a small board").expect("not stopped");
    let mut tally = enumeration.top.clone();
    // Parts may be finished in any order.
    for part in (0..enumeration.weights.len()).rev() {
        tally.add(enumeration.run(part).expect("a file").expect("not stopped"), KEEP);
    }
    let sets = with_images(&board, tally.representatives.clone());
    let number = sets.len() as u64;
    assert_eq!(tally.solutions(), number.into(), "{}", described(name));
    enumeration.write(&sets, &mut proof).expect("in memory");
    let proof = String::from_utf8(proof).expect("text");
    (format!("{proof}count {size} {number}\nend\n"), number)
}

/// Returns a proof with one change that makes its claim wrong: a solution removed, repeated or moved to
/// another square, or another number of solutions.
fn forge(proof: &str, random: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
    let listed: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("solution ")).collect();
    let heading = listed[0] - 1;
    let last = lines.len() - 2;
    let at = listed[random.random_range(0..listed.len())];
    let renumber = |lines: &mut Vec<String>, number: usize| {
        for line in [heading, lines.len() - 2] {
            let (words, _) = lines[line].rsplit_once(' ').expect("three words");
            lines[line] = format!("{words} {number}");
        }
    };
    match random.random_range(0..4) {
        0 => {
            lines.remove(at);
            renumber(&mut lines, listed.len() - 1);
        }
        1 => {
            lines.insert(at, lines[at].clone());
            renumber(&mut lines, listed.len() + 1);
        }
        2 => {
            let (words, square) = lines[at].rsplit_once(' ').expect("a square");
            let square: u64 = square.parse().expect("a number");
            lines[at] = format!("{words} {}", square + 1);
        }
        _ => lines[last] = format!("{}0", lines[last]),
    }
    lines.join("\n") + "\n"
}

#[test]
fn accepts_proofs_of_counts_and_rejects_forged_ones() {
    let mut random = ChaCha8Rng::seed_from_u64(10);
    let mut solutions = 0;
    for drawn in 0..300 {
        let name = draw::board(&mut random, drawn % draw::KINDS, 30);
        let count = count::count(&name, &|| false).expect("a small board");
        let size = count.independence_number as u64;
        let settings = random_settings(&mut random);
        let parts = 2 * random.random_range(0..20);
        let (proof, number) = prove_count(&name, size, parts, &settings);
        assert_eq!(number, count.maximum_sets, "{}", described(&name));
        let same = prove_count(&name, size, 2 * random.random_range(0..20), &settings);
        assert_eq!(same.0, proof, "{}: the parts change the proof", described(&name));
        let proved = check_about(&name, proof.as_bytes());
        let proved = proved.unwrap_or_else(|fault| panic!("{}: {fault}\n{proof}", described(&name)));
        let count = proof::SolutionCount { size, sets: number, no_more_fit: false };
        assert_eq!((proved.board(), proved.count(), proved.at_most()), (&name, Some(count), None));
        for _ in 0..5 {
            let forged = forge(&proof, &mut random);
            let fault = check_about(&name, forged.as_bytes());
            assert!(fault.is_err(), "{}:\n{forged}", described(&name));
        }
        solutions += number;
    }
    assert!(solutions > 1000, "{solutions}");
}

#[test]
fn proofs_of_counts_of_any_size_are_accepted() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for drawn in 0..140 {
        let name = draw::board(&mut random, drawn % draw::KINDS, 12);
        for (size, &number) in count_by_size(&name).iter().enumerate() {
            let (proof, found) = prove_count(&name, size as u64, drawn % 5, &random_settings(&mut random));
            let proved = check_about(&name, proof.as_bytes());
            let proved = proved.unwrap_or_else(|fault| panic!("{}: {fault}\n{proof}", described(&name)));
            let sets = proved.count().expect("a count").sets;
            assert_eq!((found, sets), (number, number), "{size} on {}", described(&name));
        }
    }
}
