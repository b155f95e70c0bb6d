//! Chromatic numbers of small boards: lower bounds by cliques, upper bounds by tabu search, and
//! DSATUR branch and bound.
//!
//! # References
//! D. Brelaz, *New methods to color the vertices of a graph*, Communications of the ACM 22 (1979).

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};

use super::tabu;
use ndqueens_system::cancel::Control;
use ndqueens_system::stack;

/// Bounds on the chromatic number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chromatic {
    /// Lower bound on the number of colours.
    pub lower: usize,
    /// A clique: squares that attack each other pairwise.
    pub clique: Vec<Square>,
    /// The best colouring, as the colour of each square.
    pub colours: Vec<usize>,
    /// Number of colours of the best colouring.
    pub upper: usize,
    /// Number of squares coloured by the search.
    pub nodes: u64,
}

/// Maximum number of squares. The exact search is practical for far fewer squares.
pub const MAX_SQUARES: usize = 4096;

/// Number of moves of the tabu search for each square.
const MOVES_PER_SQUARE: u64 = 3_000;

/// Maximum number of moves of the tabu search.
const MAX_MOVES: u64 = 1_000_000;

/// Colours a board with the fewest colours. The bounds differ if the control is stopped early. The search
/// also ends at a colouring with `target` colours. If `max_colours` is given, colourings with more colours
/// are not searched, which decides whether `max_colours` colours suffice.
///
/// The colouring of the first branch is improved by tabu search before the other branches are visited.
///
/// The squares of a clique have fixed colours. The branch and bound then colours the uncoloured square whose
/// neighbours have the most colours; ties are broken by the number of uncoloured neighbours, then by the
/// number of the square. It tries every colour that no neighbour has, and a new colour as long as fewer
/// colours than in the best colouring are used.
///
/// # Panics
/// Panics if the board has more than [`MAX_SQUARES`] squares.
#[must_use]
pub fn chromatic(board: &Board, target: usize, max_colours: Option<usize>, control: &Control) -> Chromatic {
    let size = board.size();
    assert!(size <= MAX_SQUARES, "the board has at most {MAX_SQUARES} squares");
    let neighbours: Vec<Vec<usize>> = board
        .squares()
        .map(|square| board.neighbours(square).into_iter().map(|other| other as usize).collect())
        .collect();
    let clique = largest_clique(board, &neighbours, control);
    let mut search = Search {
        neighbours: &neighbours,
        colour: vec![usize::MAX; size],
        neighbours_with: vec![vec![0; size + 1]; size],
        saturation: vec![0; size],
        uncoloured_neighbours: neighbours.iter().map(Vec::len).collect(),
        best: None,
        upper: size + 1,
        max_colours: size,
        lower: clique.len().max(target),
        nodes: 0,
        control,
    };
    for (colour, &square) in clique.iter().enumerate() {
        search.colour_square(square, colour);
    }
    // With a lower bound of one colour for each square, the search ends after the first branch, which takes
    // one node for each square.
    let lower = std::mem::replace(&mut search.lower, size);
    search.branch(clique.len(), clique.len());
    (search.lower, search.max_colours) = (lower, max_colours.unwrap_or(size));
    let is_open = clique.len() <= search.max_colours;
    let moves = (MOVES_PER_SQUARE * size as u64).min(MAX_MOVES);
    while is_open && search.upper > lower {
        let fewer = search.max_colours.min(search.upper - 1);
        let Some(colours) = tabu::colouring(&neighbours, fewer, moves, 0, control) else { break };
        search.upper = fewer;
        search.best = Some(colours);
    }
    if is_open {
        search.branch(clique.len(), clique.len());
    }
    let is_finished = is_open && !control.is_stopped();
    let upper = search.upper;
    let is_optimal = is_finished && upper > search.lower;
    Chromatic {
        lower: if is_optimal { upper.min(search.max_colours + 1) } else { clique.len() },
        clique: clique.into_iter().map(|square| square as Square).collect(),
        colours: search.best.expect("the first branch gives a colouring"),
        upper,
        nodes: search.nodes,
    }
}

/// Colours the squares by first fit: in the order of their numbers, each square gets the first colour that no
/// square attacking it has. Returns the colour of each square.
#[must_use]
pub fn first_fit(board: &Board) -> Vec<usize> {
    let mut colours: Vec<usize> = Vec::with_capacity(board.size());
    for square in board.squares() {
        let earlier = board.neighbours(square).into_iter().filter_map(|other| colours.get(other as usize));
        let taken: FixedBitSet = earlier.copied().collect();
        let colour = taken.zeroes().next().unwrap_or(taken.len());
        colours.push(colour);
    }
    colours
}

/// Colours the squares edge by edge. All squares have colour 0 at first. The edges of the queen graph are
/// visited in the order of their squares; if both squares have the same colour, the second one receives the
/// next colour. This is repeated until both squares of every edge have different colours. Returns the
/// colour of each square.
///
/// # References
/// A. Mittal, P. Jain, S. Mathur, P. Bhatt, CSNT 2011, as described by Siddiqua and Apoorva 2021.
#[must_use]
pub fn by_edges(board: &Board) -> Vec<usize> {
    let mut colours = vec![0; board.size()];
    let mut is_changed = true;
    // A colour is at most the number of the square, so the repetition ends.
    while is_changed {
        is_changed = false;
        for first in board.squares() {
            let colour = colours[first as usize];
            for second in board.neighbours(first).into_iter().filter(|&second| second > first) {
                if colours[second as usize] == colour {
                    colours[second as usize] = colour + 1;
                    is_changed = true;
                }
            }
        }
    }
    colours
}

/// Returns the largest of these cliques: a longest line, and for each square the clique grown from it by
/// repeatedly adding the candidate with the most neighbours among the candidates.
fn largest_clique(board: &Board, neighbours: &[Vec<usize>], control: &Control) -> Vec<usize> {
    let line = board.lines().max_by_key(Vec::len).unwrap_or_else(|| vec![0]);
    let mut best: Vec<usize> = line.into_iter().map(|square| square as usize).collect();
    let sets: Vec<FixedBitSet> =
        neighbours.iter().map(|all| all.iter().copied().collect::<FixedBitSet>()).collect();
    for start in (0..neighbours.len()).take_while(|_| !control.is_stopped()) {
        let mut clique = vec![start];
        let mut candidates = sets[start].clone();
        let degree = |candidates: &FixedBitSet, square: usize| candidates.intersection_count(&sets[square]);
        while let Some(next) = candidates.ones().max_by_key(|&square| degree(&candidates, square)) {
            clique.push(next);
            candidates.intersect_with(&sets[next]);
        }
        if clique.len() > best.len() {
            best = clique;
        }
    }
    best
}

struct Search<'a> {
    neighbours: &'a [Vec<usize>],
    colour: Vec<usize>,
    /// For each square and colour, the number of neighbours with that colour.
    neighbours_with: Vec<Vec<u32>>,
    /// For each square, the number of different colours of its neighbours.
    saturation: Vec<usize>,
    /// For each square, the number of uncoloured neighbours.
    uncoloured_neighbours: Vec<usize>,
    best: Option<Vec<usize>>,
    /// Number of colours of the best colouring.
    upper: usize,
    /// Maximum number of colours of the colourings searched.
    max_colours: usize,
    /// Number of colours at which the search ends.
    lower: usize,
    nodes: u64,
    control: &'a Control,
}

impl Search<'_> {
    fn colour_square(&mut self, square: usize, colour: usize) {
        self.colour[square] = colour;
        for &other in &self.neighbours[square] {
            let count = &mut self.neighbours_with[other][colour];
            *count += 1;
            self.uncoloured_neighbours[other] -= 1;
            self.saturation[other] += usize::from(*count == 1);
        }
    }

    fn uncolour_square(&mut self, square: usize) {
        let colour = std::mem::replace(&mut self.colour[square], usize::MAX);
        for &other in &self.neighbours[square] {
            let count = &mut self.neighbours_with[other][colour];
            *count -= 1;
            self.uncoloured_neighbours[other] += 1;
            self.saturation[other] -= usize::from(*count == 0);
        }
    }

    /// Colours the remaining squares after `coloured` squares were coloured with `used` colours.
    fn branch(&mut self, coloured: usize, used: usize) {
        if coloured == self.colour.len() {
            self.upper = used;
            self.best = Some(self.colour.clone());
            return;
        }
        let is_uncoloured = |square: &usize| self.colour[*square] == usize::MAX;
        let priority = |&square: &usize| {
            (self.saturation[square], self.uncoloured_neighbours[square], std::cmp::Reverse(square))
        };
        let next = (0..self.colour.len()).filter(is_uncoloured).max_by_key(priority);
        let square = next.expect("a square is uncoloured");
        for colour in 0..=used {
            if colour + 1 >= self.upper || colour >= self.max_colours || self.upper <= self.lower {
                return;
            }
            if colour < used && self.neighbours_with[square][colour] > 0 {
                continue;
            }
            self.nodes += 1;
            self.control.count(1, 0.0);
            self.colour_square(square, colour);
            stack::level(|| self.branch(coloured + 1, used.max(colour + 1)));
            self.uncolour_square(square);
            if used >= self.upper || self.best.is_some() && self.control.is_stopped() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solves a board and checks the colouring.
    fn solve(name: &str) -> Chromatic {
        let board = Board::new(&name.parse().expect("a board name"));
        let chromatic = chromatic(&board, 0, None, &Control::new());
        for a in board.squares() {
            for b in board.neighbours(a) {
                assert_ne!(
                    chromatic.colours[a as usize], chromatic.colours[b as usize],
                    "{name}: {a} and {b}"
                );
            }
        }
        assert!(chromatic.colours.iter().all(|&colour| colour < chromatic.upper));
        assert_eq!(chromatic.lower, chromatic.upper, "{name}");
        chromatic
    }

    #[test]
    fn small_boards_have_known_chromatic_numbers() {
        // Queens on n^2: 1, 4, 5, 5, 5, 7, 7 colours.
        for (name, colours) in [
            ("1^2", 1),
            ("2^2", 4),
            ("3^2", 5),
            ("4^2", 5),
            ("5^2", 5),
            ("6^2", 7),
            ("7^2", 7),
            ("rook:4^2", 4),
            ("bishop:4^2", 4),
            ("2^3", 8),
            ("2x3", 4),
        ] {
            assert_eq!(solve(name).upper, colours, "{name}");
        }
    }

    #[test]
    fn tabu_search_finds_the_last_colouring() {
        let board = Board::new(&"9^2".parse().expect("a board name"));
        let chromatic = chromatic(&board, 10, None, &Control::new());
        assert_eq!((chromatic.clique.len(), chromatic.upper), (9, 10));
    }

    #[test]
    fn limit_on_colours_decides_that_number_only() {
        let board = Board::new(&"6^2".parse().expect("a board name"));
        for (colours, lower) in [(1, 6), (5, 6), (6, 7), (7, 6), (36, 6)] {
            let chromatic = chromatic(&board, colours, Some(colours), &Control::new());
            assert_eq!(chromatic.lower, lower, "{colours}");
            assert_eq!(chromatic.upper <= colours, colours >= 7, "{colours}");
        }
    }

    #[test]
    fn first_fit_takes_the_first_free_colour() {
        for (name, number) in [("rook:2^2", 2), ("1x3", 3), ("4^2", 6), ("5^2", 8), ("3^3", 10)] {
            let board = Board::new(&name.parse().expect("a board name"));
            let found = first_fit(&board);
            assert_eq!(found.iter().max().expect("a square") + 1, number, "{name}");
            for square in board.squares() {
                let is_taken = |colour| {
                    let mut earlier = board.neighbours(square).into_iter().filter(|&other| other < square);
                    earlier.any(|other| found[other as usize] == colour)
                };
                let own = found[square as usize];
                assert!(!is_taken(own) && (0..own).all(is_taken), "{name} {square}");
            }
        }
    }

    #[test]
    fn edge_by_edge_colouring_is_proper() {
        for (name, number) in
            [("rook:2^2", 2), ("1x3", 3), ("hex:1", 1), ("4^2", 7), ("8^2", 16), ("3^3", 12)]
        {
            let board = Board::new(&name.parse().expect("a board name"));
            let found = by_edges(&board);
            assert_eq!(found.iter().max().expect("a square") + 1, number, "{name}");
            for square in board.squares() {
                let differs = |other: Square| found[other as usize] != found[square as usize];
                assert!(board.neighbours(square).into_iter().all(differs), "{name} {square}");
            }
        }
    }

    #[test]
    fn stopped_search_returns_a_colouring() {
        let control = Control::new();
        control.stop();
        let board = Board::new(&"6^2".parse().expect("a board name"));
        let chromatic = chromatic(&board, 0, None, &control);
        assert!(chromatic.lower == 6 && chromatic.upper >= 7, "{chromatic:?}");
    }
}
