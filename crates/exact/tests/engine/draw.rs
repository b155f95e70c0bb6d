//! Random boards of every kind.

use ndqueens_exact::{Components, Layers, Relax};
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::{BoardName, Piece};
use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;

/// Number of kinds of boards: boxes, tori, boxes with holes, sets of squares with some symmetry, graphs,
/// boards of other shapes, and parts of those.
pub(crate) const KINDS: usize = 7;

/// Returns random components of the engine.
pub(crate) fn components(random: &mut ChaCha8Rng) -> Components {
    Components {
        demands: random.random(),
        symmetry: random.random(),
        second_cover: random.random(),
        narrowest: random.random(),
        layers: [Layers::Never, Layers::LargeTrees, Layers::Always][random.random_range(0..3)],
        relax: [Relax::Never, Relax::LargeTrees, Relax::Always][random.random_range(0..3)],
    }
}

/// Returns a random board of a kind with at most `most` squares.
pub(crate) fn board(random: &mut ChaCha8Rng, kind: usize, most: u32) -> BoardName {
    let piece = Piece::ALL[[0, 0, 0, 1, 2][random.random_range(0..5)]];
    match kind {
        0 => BoardName::grid(piece, false, &sides(random, most)),
        1 => BoardName::grid(piece, true, &cube(random, most)),
        2 => {
            let sides = sides(random, most);
            let mut present = vec![true; sides.iter().product::<u32>() as usize];
            for _ in 0..random.random_range(1..=1 + present.len() / 4) {
                let hole = random.random_range(0..present.len());
                present[hole] = false;
            }
            drawing(random, piece, &sides, &mut present)
        }
        3 => {
            let sides = if random.random_bool(0.7) { cube(random, most) } else { sides(random, most) };
            let mut present = symmetric(random, &sides);
            drawing(random, piece, &sides, &mut present)
        }
        4 => graph(random, most),
        5 => named(random, most),
        _ => part_of_named(random, most),
    }
}

const NAMED: [(&str, u32); 9] = [
    ("hex:1", 1),
    ("three:2", 6),
    ("hex:2", 7),
    ("hex:3", 19),
    ("three:4", 24),
    ("hex:4", 37),
    ("three:6", 54),
    ("hex:5", 61),
    ("sudoku:2", 64),
];

fn named(random: &mut ChaCha8Rng, most: u32) -> BoardName {
    let fitting: Vec<&str> =
        NAMED.iter().filter(|(_, squares)| *squares <= most).map(|(name, _)| *name).collect();
    fitting[random.random_range(0..fitting.len())].parse().expect("a name")
}

/// Returns random squares or random orbits of a board that is not a box, as a graph.
fn part_of_named(random: &mut ChaCha8Rng, most: u32) -> BoardName {
    let (name, _) = NAMED[random.random_range(1..NAMED.len())];
    let board = Board::new(&name.parse().expect("a name"));
    let orbits = board.orbits();
    let density = random.random_range(0.2..1.0);
    let in_orbit: Vec<bool> = (0..orbits.count()).map(|_| random.random_bool(density)).collect();
    let whole_orbits = random.random_bool(0.5);
    let mut squares: Vec<Square> = board
        .squares()
        .filter(|&x| if whole_orbits { in_orbit[orbits.of(x)] } else { random.random_bool(density) })
        .collect();
    if squares.len() > most as usize {
        squares.shuffle(random);
        squares.truncate(most as usize);
    }
    let mut text = format!("n {}\n", squares.len().max(1));
    for (b, &y) in squares.iter().enumerate() {
        for (a, _) in squares[..b].iter().enumerate().filter(|(_, x)| board.attacks(**x, y)) {
            text += &format!("{a} {b}\n");
        }
    }
    file(&text)
}

fn sides(random: &mut ChaCha8Rng, most: u32) -> Vec<u32> {
    loop {
        let sides: Vec<u32> = (0..random.random_range(1..=5)).map(|_| random.random_range(1..=7)).collect();
        if sides.iter().product::<u32>() <= most {
            return sides;
        }
    }
}

fn cube(random: &mut ChaCha8Rng, most: u32) -> Vec<u32> {
    loop {
        let (side, dimension) = (random.random_range(1..=8u32), random.random_range(2..=5));
        if side.pow(dimension) <= most {
            return vec![side; dimension as usize];
        }
    }
}

fn file(text: &str) -> BoardName {
    BoardName::parse_with("file:drawn", &|_| Ok(text.to_owned()))
        .unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn drawing(random: &mut ChaCha8Rng, piece: Piece, sides: &[u32], present: &mut [bool]) -> BoardName {
    if !present.contains(&true) {
        present[0] = true;
    }
    let vision = if random.random_bool(0.2) { "blocked" } else { "through" };
    let words: Vec<String> = sides.iter().map(u32::to_string).collect();
    let sides = if let [side] = sides { format!("{side}^1") } else { words.join("x") };
    let mut text = format!("ndqueens board 1\npiece: {}\nvision: {vision}\nsides: {sides}\n", piece.word());
    let width: usize = words.last().and_then(|side| side.parse().ok()).expect("a side");
    for row in present.chunks(width) {
        text.extend(row.iter().map(|there| if *there { '#' } else { '.' }));
        text.push('\n');
    }
    file(&text)
}

/// Returns some orbits of a box under a random subgroup of its symmetries.
fn symmetric(random: &mut ChaCha8Rng, sides: &[u32]) -> Vec<bool> {
    let axes: Vec<usize> = (0..sides.len()).collect();
    let squares = sides.iter().product::<u32>() as usize;
    let generators: Vec<Vec<usize>> = (0..random.random_range(0..=2))
        .map(|_| {
            let mut order = axes.clone();
            loop {
                order.shuffle(random);
                if axes.iter().all(|&axis| sides[order[axis]] == sides[axis]) {
                    break;
                }
            }
            let mirrored: Vec<bool> = axes.iter().map(|_| random.random()).collect();
            (0..squares).map(|square| image(sides, &order, &mirrored, square)).collect()
        })
        .collect();
    let density = random.random_range(0.3..1.0);
    let mut present: Vec<Option<bool>> = vec![None; squares];
    for square in 0..squares {
        let there = random.random_bool(density);
        let mut orbit = vec![square];
        while let Some(x) = orbit.pop() {
            if present[x].is_none() {
                present[x] = Some(there);
                orbit.extend(generators.iter().map(|generator| generator[x]));
            }
        }
    }
    present.into_iter().map(|there| there == Some(true)).collect()
}

/// Returns the image of a square, given by its number: the coordinates are permuted, and some are reflected.
fn image(sides: &[u32], order: &[usize], mirrored: &[bool], square: usize) -> usize {
    let mut coordinates = vec![0; sides.len()];
    let mut rest = square;
    for (coordinate, &side) in coordinates.iter_mut().zip(sides).rev() {
        (*coordinate, rest) = (rest % side as usize, rest / side as usize);
    }
    let mut image = 0;
    for (axis, &side) in sides.iter().enumerate() {
        let side = side as usize;
        let moved = coordinates[order[axis]];
        image = image * side + if mirrored[axis] { side - 1 - moved } else { moved };
    }
    image
}

fn graph(random: &mut ChaCha8Rng, most: u32) -> BoardName {
    let vertices = random.random_range(1..=most);
    let density = random.random_range(0.05..0.9);
    let mut text = format!("n {vertices}\n");
    for (a, b) in (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b))) {
        if random.random_bool(density) {
            text += &format!("{a} {b}\n");
        }
    }
    file(&text)
}
