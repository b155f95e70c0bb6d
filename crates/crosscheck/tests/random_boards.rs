//! Compares counts on random boards with exhaustive search.

use std::collections::HashSet;

use ndqueens_crosscheck::boards::{Definition, definition};
use ndqueens_crosscheck::count::{Count, count};
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive::independence_number;
use ndqueens_notation::name::{BoardName, Leaper, Piece};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const MAX_SQUARES: u32 = 24;

fn random_grid(rng: &mut ChaCha8Rng) -> (Piece, bool, Vec<u32>) {
    loop {
        let dimension = rng.random_range(1..=4);
        let torus = rng.random();
        let mut sides: Vec<u32> = (0..dimension).map(|_| rng.random_range(1..=6)).collect();
        if torus {
            sides = vec![sides[0]; dimension];
        }
        if sides.iter().product::<u32>() <= MAX_SQUARES {
            return (Piece::ALL[rng.random_range(0..3)], torus, sides);
        }
    }
}

/// Adds to `found` every independent set that consists of `chosen` and squares of `rest`.
fn independent_sets(
    definition: &dyn Definition,
    chosen: &[Vec<u32>],
    rest: &[Vec<u32>],
    found: &mut Vec<Vec<Vec<u32>>>,
) {
    let Some((square, rest)) = rest.split_first() else {
        found.push(chosen.to_vec());
        return;
    };
    independent_sets(definition, chosen, rest, found);
    if !chosen.iter().any(|c| definition.attacks(c, square)) {
        independent_sets(definition, &[chosen, std::slice::from_ref(square)].concat(), rest, found);
    }
}

fn permutations(axes: &[usize]) -> Vec<Vec<usize>> {
    if axes.is_empty() {
        return vec![vec![]];
    }
    let with_first = |&first: &usize| {
        let others: Vec<usize> = axes.iter().copied().filter(|&axis| axis != first).collect();
        permutations(&others).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    axes.iter().flat_map(with_first).collect()
}

/// Returns the smallest image of a set under axis permutations that preserve the shape, reflections and, on
/// the torus, translations.
fn canonical(set: &[Vec<u32>], torus: bool, sides: &[u32]) -> Vec<Vec<u32>> {
    let axes: Vec<usize> = (0..sides.len()).collect();
    let box_squares = definition(&BoardName::queen(sides));
    let shifts: Vec<Vec<u32>> = box_squares.squares().take(if torus { usize::MAX } else { 1 }).collect();
    let mut images = Vec::new();
    for order in permutations(&axes) {
        if axes.iter().any(|&axis| sides[order[axis]] != sides[axis]) {
            continue;
        }
        for mirrored in 0..1u32 << sides.len() {
            for shift in &shifts {
                let image = |square: &Vec<u32>| -> Vec<u32> {
                    let coordinate = |&axis: &usize| {
                        let x = square[order[axis]];
                        let x = if mirrored >> axis & 1 == 1 { sides[axis] - 1 - x } else { x };
                        (x + shift[axis]) % sides[axis]
                    };
                    axes.iter().map(coordinate).collect()
                };
                let mut images_of_squares: Vec<Vec<u32>> = set.iter().map(image).collect();
                images_of_squares.sort();
                images.push(images_of_squares);
            }
        }
    }
    images.into_iter().min().expect("the identity")
}

#[test]
fn counts_agree_with_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(1848);
    for _ in 0..300 {
        let (piece, torus, sides) = random_grid(&mut rng);
        let board = match rng.random_range(0..2) {
            0 => BoardName::grid(piece, torus, &sides),
            _ => {
                BoardName::Leaper { leaper: Leaper::ALL[rng.random_range(0..3)], torus, sides: sides.clone() }
            }
        };
        let definition = definition(&board);
        let squares: Vec<Vec<u32>> = definition.squares().collect();
        let mut sets = Vec::new();
        independent_sets(&*definition, &[], &squares, &mut sets);
        let largest = sets.iter().map(Vec::len).max().expect("the empty set");
        sets.retain(|set| set.len() == largest);
        let orbits: HashSet<_> = sets.iter().map(|set| canonical(set, torus, &sides)).collect();
        let Count { independence_number: most, mut example, maximum_sets, orbits: counted } =
            count(&board, &|| false).expect("not stopped");
        let expected = (largest, sets.len() as u64, Some(orbits.len() as u64));
        assert_eq!((most, maximum_sets, counted), expected, "{board}");
        example.sort();
        sets.iter_mut().for_each(|set| set.sort());
        assert!(sets.contains(&example), "{board}: {example:?}");
        let graph = Graph::new(&*definition).expect("small");
        assert_eq!(independence_number(&graph, &|| false), Ok(largest), "{board}");
    }
}
