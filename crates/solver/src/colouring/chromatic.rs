//! Chromatic numbers of small boards: a clique from below, tabu search from above, and DSATUR branch and bound between them.
//!
//! # References
//! D. Brelaz, *New methods to color the vertices of a graph*, Communications of the ACM 22 (1979).

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};

use super::tabu;
use ndqueens_system::cancel::Control;
use ndqueens_system::stack;

/// What is known of the least number of colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chromatic {
    /// No fewer will do.
    pub lower: usize,
    /// A clique: squares that attack each other pairwise.
    pub clique: Vec<Square>,
    /// The best colouring: the colour of each square.
    pub colours: Vec<usize>,
    /// How many colours it has.
    pub upper: usize,
    /// Squares coloured by the search.
    pub nodes: u64,
}

/// The most squares that are taken on; the search is for far fewer.
pub const MOST_SQUARES: usize = 4096;

/// Moves of the tabu search for each square, and in all.
const MOVES_OF_A_SQUARE: u64 = 3_000;
const MOST_MOVES: u64 = 1_000_000;

/// Colours a board with fewest colours, unless the control is stopped before: then the bounds may differ. The search ends
/// with `target` colours too. If it is asked whether `most` colours are enough, it looks for no colouring in more.
///
/// The colouring of the first branch is improved by tabu search before the others are visited.
///
/// The squares of a clique have fixed colours. Then the uncoloured square that sees the most colours is coloured, the one with
/// the most uncoloured neighbours among equals, then the first; in every colour that it does not see, and in one that is new,
/// while fewer colours than in the best colouring are used.
///
/// # Panics
/// If the board has more than [`MOST_SQUARES`] squares.
#[must_use]
pub fn chromatic(board: &Board, target: usize, most: Option<usize>, control: &Control) -> Chromatic {
    let size = board.size();
    assert!(size <= MOST_SQUARES, "a board for colouring");
    let neighbours: Vec<Vec<usize>> = board
        .squares()
        .map(|square| board.neighbours(square).into_iter().map(|other| other as usize).collect())
        .collect();
    let clique = largest_clique(board, &neighbours, control);
    let mut search = Search {
        neighbours: &neighbours,
        colour: vec![usize::MAX; size],
        seen: vec![vec![0; size + 1]; size],
        saturation: vec![0; size],
        open: neighbours.iter().map(Vec::len).collect(),
        best: None,
        upper: size + 1,
        most: size,
        lower: clique.len().max(target),
        nodes: 0,
        control,
    };
    for (colour, &square) in clique.iter().enumerate() {
        search.give(square, colour);
    }
    let lower = std::mem::replace(&mut search.lower, size);
    // A first colouring is there as soon as the first branch is at its end, which takes a step for each square.
    search.branch(clique.len(), clique.len());
    (search.lower, search.most) = (lower, most.unwrap_or(size));
    let in_question = clique.len() <= search.most;
    let moves = (MOVES_OF_A_SQUARE * size as u64).min(MOST_MOVES);
    while in_question && search.upper > lower {
        let fewer = search.most.min(search.upper - 1);
        let Some(colours) = tabu::colouring(&neighbours, fewer, moves, 0, control) else { break };
        search.upper = fewer;
        search.best = Some(colours);
    }
    if in_question {
        search.branch(clique.len(), clique.len());
    }
    let finished = in_question && !control.is_stopped();
    let upper = search.upper;
    Chromatic {
        lower: if finished && upper > search.lower { upper.min(search.most + 1) } else { clique.len() },
        clique: clique.into_iter().map(|square| square as Square).collect(),
        colours: search.best.expect("the first branch comes to its end"),
        upper,
        nodes: search.nodes,
    }
}

/// Colours the squares by first fit: in the order of their numbers, each in the first colour that no square attacking it has. Returns the
/// colour of each square.
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

/// Colours the squares edge by edge. All squares have colour 0 at first. The edges of the queen graph are visited in the
/// order of their squares; if both squares have the same colour, the second one receives the next colour. This is repeated
/// until both squares of every edge have different colours. Returns the colour of each square.
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

/// A large clique: the best of the longest line and those grown from each square by most common neighbours.
fn largest_clique(board: &Board, neighbours: &[Vec<usize>], control: &Control) -> Vec<usize> {
    let line = board.lines().max_by_key(Vec::len).unwrap_or_else(|| vec![0]);
    let mut best: Vec<usize> = line.into_iter().map(|square| square as usize).collect();
    let sets: Vec<FixedBitSet> =
        neighbours.iter().map(|all| all.iter().copied().collect::<FixedBitSet>()).collect();
    let common = |a: &FixedBitSet, b: &FixedBitSet| a.intersection_count(b);
    for start in (0..neighbours.len()).take_while(|_| !control.is_stopped()) {
        let mut clique = vec![start];
        let mut candidates = sets[start].clone();
        while let Some(next) = candidates.ones().max_by_key(|&square| common(&candidates, &sets[square])) {
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
    /// For each square and colour, how many neighbours have it.
    seen: Vec<Vec<u32>>,
    /// For each square, how many colours its neighbours have.
    saturation: Vec<usize>,
    /// For each square, how many neighbours have no colour.
    open: Vec<usize>,
    best: Option<Vec<usize>>,
    /// Colours of the best colouring.
    upper: usize,
    /// Colourings in more colours are not looked for.
    most: usize,
    /// The search ends with a colouring of so many.
    lower: usize,
    nodes: u64,
    control: &'a Control,
}

impl Search<'_> {
    fn give(&mut self, square: usize, colour: usize) {
        self.colour[square] = colour;
        for &other in &self.neighbours[square] {
            let seen = &mut self.seen[other][colour];
            *seen += 1;
            self.open[other] -= 1;
            self.saturation[other] += usize::from(*seen == 1);
        }
    }

    fn uncolour(&mut self, square: usize) {
        let colour = std::mem::replace(&mut self.colour[square], usize::MAX);
        for &other in &self.neighbours[square] {
            let seen = &mut self.seen[other][colour];
            *seen -= 1;
            self.open[other] += 1;
            self.saturation[other] -= usize::from(*seen == 0);
        }
    }

    /// Colours what is left; so many squares are coloured, with so many colours.
    fn branch(&mut self, coloured: usize, used: usize) {
        if coloured == self.colour.len() {
            self.upper = used;
            self.best = Some(self.colour.clone());
            return;
        }
        let uncoloured = |square: &usize| self.colour[*square] == usize::MAX;
        let most = (0..self.colour.len())
            .filter(uncoloured)
            .max_by_key(|&square| (self.saturation[square], self.open[square], std::cmp::Reverse(square)));
        let square = most.expect("a square is left");
        for colour in 0..=used {
            if colour + 1 >= self.upper || colour >= self.most || self.upper <= self.lower {
                return;
            }
            if colour < used && self.seen[square][colour] > 0 {
                continue;
            }
            self.nodes += 1;
            self.control.count(1, 0.0);
            self.give(square, colour);
            stack::level(|| self.branch(coloured + 1, used.max(colour + 1)));
            self.uncolour(square);
            if used >= self.upper || self.best.is_some() && self.control.is_stopped() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(name: &str) -> Chromatic {
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
    fn small_boards_need_as_many_colours_as_is_known() {
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
            assert_eq!(number(name).upper, colours, "{name}");
        }
    }

    #[test]
    fn tabu_search_saves_the_search_for_a_last_colouring() {
        let board = Board::new(&"9^2".parse().expect("a board name"));
        let chromatic = chromatic(&board, 10, None, &Control::new());
        assert_eq!((chromatic.clique.len(), chromatic.upper), (9, 10));
    }

    #[test]
    fn a_number_of_colours_is_answered_without_more() {
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
                let sees = |colour| {
                    let mut earlier = board.neighbours(square).into_iter().filter(|&other| other < square);
                    earlier.any(|other| found[other as usize] == colour)
                };
                let own = found[square as usize];
                assert!(!sees(own) && (0..own).all(sees), "{name} {square}");
            }
        }
    }

    #[test]
    fn edges_join_different_colours() {
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
    fn a_stopped_search_still_has_a_colouring() {
        let control = Control::new();
        control.stop();
        let board = Board::new(&"6^2".parse().expect("a board name"));
        let chromatic = chromatic(&board, 0, None, &control);
        assert!(chromatic.lower == 6 && chromatic.upper >= 7, "{chromatic:?}");
    }
}
