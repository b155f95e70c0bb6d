//! A board as the search sees it, in one of the orders of its squares.

use std::collections::HashMap;
use std::fmt::Write as _;

use ndqueens_model::board::{Board, Line, Square};

use super::STRING;
use crate::bits::Bits;
use crate::group::Group;
use crate::{Order, morton};

/// The rows of the formula: row `i + 1` is line `i`.
pub(super) struct Lines {
    pub(super) all: Vec<Line>,
    /// The line through two squares, the smaller one first.
    through: HashMap<[Square; 2], usize>,
}

impl Lines {
    pub(super) fn of(board: &Board) -> Self {
        let all: Vec<Line> = board.lines().collect();
        let mut through = HashMap::new();
        for (number, line) in all.iter().enumerate() {
            let pairs = line.iter().flat_map(|&a| line.iter().map(move |&b| [a, b])).filter(|[a, b]| a < b);
            through.extend(pairs.map(|pair| (pair, number)));
        }
        Self { all, through }
    }

    /// Writes the row of the line through two squares, weakened to some of its squares.
    pub(super) fn push_row(&self, a: Square, b: Square, kept: impl Fn(Square) -> bool, step: &mut String) {
        let line = self.through[&[a.min(b), a.max(b)]];
        write!(step, " {}", line + 1).expect(STRING);
        for &square in self.all[line].iter().filter(|&&square| !kept(square)) {
            write!(step, " {} w", variable(square)).expect(STRING);
        }
    }
}

/// The name of a square in formula and proof.
pub(super) fn variable(square: Square) -> String {
    format!("x{}", square + 1)
}

/// Squares are numbered by their places in an order.
pub(super) struct IndexedBoard<W> {
    squares: Vec<Square>,
    place: Vec<u32>,
    pub(super) attacks: Vec<W>,
    pub(super) group: Group,
}

impl<const W: usize> IndexedBoard<Bits<W>> {
    pub(super) fn new(board: &Board, order: Order) -> Self {
        let mut squares: Vec<Square> = board.squares().collect();
        if order == Order::Morton {
            squares.sort_by_key(|&square| morton(&board.coordinates(square)));
        }
        let mut place = vec![0; squares.len()];
        for (p, &square) in (0..).zip(&squares) {
            place[square as usize] = p;
        }
        let group = Group::of(board, &place);
        let mut field = Self { squares, place, attacks: Vec::new(), group };
        field.attacks = field.squares.iter().map(|&square| field.set(board.neighbours(square))).collect();
        field
    }

    pub(super) fn size(&self) -> usize {
        self.squares.len()
    }

    pub(super) fn square(&self, x: usize) -> Square {
        self.squares[x]
    }

    pub(super) fn variable(&self, x: usize) -> String {
        variable(self.squares[x])
    }

    pub(super) fn set(&self, squares: impl IntoIterator<Item = Square>) -> Bits<W> {
        let mut set = Bits::EMPTY;
        squares.into_iter().for_each(|square| set.insert(self.place[square as usize] as usize));
        set
    }

    /// The image of a square of the board.
    pub(super) fn image(&self, element: u32, square: Square) -> Square {
        self.squares[self.group.image(element, self.place[square as usize] as usize)]
    }

    /// The images of a place under some elements, with one of them that leads to each.
    pub(super) fn orbit(&self, x: usize, elements: &[u32]) -> Vec<(usize, u32)> {
        let mut orbit: Vec<(usize, u32)> = Vec::new();
        for &element in elements {
            let image = self.group.image(element, x);
            if orbit.iter().all(|&(known, _)| known != image) {
                orbit.push((image, element));
            }
        }
        orbit
    }

    /// A symmetry as a witness: what takes the place of each variable that moves.
    pub(super) fn witness(&self, element: u32) -> String {
        let mut witness = String::new();
        for x in 0..self.size() {
            let image = self.group.image(element, x);
            if image != x {
                write!(witness, " {} {}", self.variable(x), self.variable(image)).expect(STRING);
            }
        }
        witness
    }
}
