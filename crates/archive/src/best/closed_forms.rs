//! Bounds of boxes, tori, Sudoku and leaper boards in closed form. Proofs are in `docs/bounds.md`; the tests
//! compare each bound with exact search on small boards.

use ndqueens_model::facts::{Side, volume};
use ndqueens_notation::name::{BoardName, Leaper, Piece};
use ndqueens_solver::construct::linear::regular;

use crate::bounds::Strength;

/// A bound in closed form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClosedForm {
    pub(super) side: Side,
    /// The bound, in pieces.
    pub(super) value: u128,
    pub(super) strength: Strength,
    /// The theorem, in one line.
    pub(super) reason: String,
}

/// Returns the bounds in closed form of a board; empty if it has none.
pub(super) fn of(board: &BoardName) -> Vec<ClosedForm> {
    match board {
        BoardName::Sudoku(order) => {
            let cells = u128::from(*order).pow(4);
            exactly(cells, "each cell takes one digit, and a grid of digits exists")
        }
        BoardName::Grid { piece, torus, sides } => {
            let mut axes: Vec<u32> = sides.iter().copied().filter(|&side| side > 1).collect();
            axes.sort_unstable();
            of_box(*piece, *torus, &axes)
        }
        BoardName::Leaper { leaper: Leaper::King, torus: false, sides } => exactly(
            sides.iter().map(|&side| u128::from(side.div_ceil(2))).product(),
            "cubes of side 2 hold one king each, and those on squares with even coordinates are free",
        ),
        BoardName::Cells(order) => {
            let digits = u128::from(*order).pow(2);
            exactly(digits, "each row holds a digit once, and a grid of digits exists")
        }
        BoardName::Leaper { leaper: Leaper::Knight, torus, sides } if !*torus || sides[0] % 2 == 0 => {
            let squares: u128 = sides.iter().map(|&side| u128::from(side)).product();
            let reason = "a knight's move changes the colour, so that the squares of one colour are free";
            vec![theorem(Side::Lower, squares.div_ceil(2), reason)]
        }
        BoardName::Leaper { .. }
        | BoardName::Surface { .. }
        | BoardName::Hex(_)
        | BoardName::Three(_)
        | BoardName::SudokuX(_)
        | BoardName::CellsX(_)
        | BoardName::File(_) => Vec::new(),
    }
}

/// Returns the closed forms of a box whose sides are greater than 1 and in increasing order.
fn of_box(piece: Piece, torus: bool, axes: &[u32]) -> Vec<ClosedForm> {
    let product = |sides: &[u32]| sides.iter().map(|&side| u128::from(side)).product::<u128>();
    match (piece, torus, axes) {
        (_, _, []) => exactly(1, "the board has one square"),
        (Piece::Rook, _, [others @ .., _]) => exactly(
            product(others),
            "parallel lines along the longest axis hold one rook each, at the sum of the other coordinates",
        ),
        (Piece::Bishop, _, &[side]) => exactly(side.into(), "bishops do not move along one axis"),
        (Piece::Bishop, true, &[side, _]) => {
            exactly(side.into(), "parallel diagonals hold one bishop each, and those of one row are free")
        }
        (Piece::Bishop, false, &[a, b]) => bishops(a.into(), b.into()),
        (Piece::Queen, _, &[_]) => exactly(1, "all squares are on one line"),
        (Piece::Queen, false, [2, 2]) => exactly(1, "the board is a clique"),
        (Piece::Queen, false, [3, 3]) => exactly(2, "three queens do not fit on 3^2 (Ahrens 1910)"),
        (Piece::Queen, false, &[a, b]) => {
            let rows =
                if a == b { "closed form of Pauls 1874" } else { "rows of the closed form of Pauls 1874" };
            let rows = if b < 4 { "knight's move" } else { rows };
            exactly(a.into(), &format!("parallel lines hold one queen each: {rows}"))
        }
        (Piece::Queen, true, [2 | 3, ..]) => exactly(1, "the torus is a clique"),
        (Piece::Queen, true, &[side, ..]) => queens_on_torus(side, axes.len()),
        (Piece::Queen, false, sides) => match volume::bound(sides) {
            Some(bound) => {
                let reason = "volume of a cube: queens are disjoint faces that differ in direction or label";
                vec![theorem(Side::Upper, bound.into(), reason)]
            }
            None => Vec::new(),
        },
        (Piece::Bishop, ..) => Vec::new(),
    }
}

/// Returns the maximum as a lower and an upper bound.
fn exactly(value: u128, reason: &str) -> Vec<ClosedForm> {
    [Side::Lower, Side::Upper].map(|side| theorem(side, value, reason)).to_vec()
}

fn theorem(side: Side, value: u128, reason: &str) -> ClosedForm {
    ClosedForm { side, value, strength: Strength::Theorem, reason: reason.to_owned() }
}

/// Returns the bounds for bishops on `a x b` squares, `2 <= a <= b`.
fn bishops(a: u128, b: u128) -> Vec<ClosedForm> {
    let diagonals = a + b - 1;
    if a == b {
        return exactly(diagonals - 1, "2 n - 2 bishops on n^2: two corner diagonals share the long one");
    }
    match a.is_multiple_of(2) && b.is_multiple_of(2) {
        true => exactly(diagonals - 1, "a + b - 2 bishops on a x b, both even: the diagonals of each colour"),
        false => exactly(diagonals, "a + b - 1 bishops on a x b: each diagonal has one"),
    }
}

/// Returns the bounds for queens on the torus of side 4 or more.
fn queens_on_torus(side: u32, dimension: usize) -> Vec<ClosedForm> {
    let lines = u128::from(side).pow(dimension as u32 - 1);
    if let Ok(solution) = regular::first(side, dimension) {
        return exactly(lines, &format!("regular solution {solution}, a queen on each line"));
    }
    let n = u128::from(side);
    let rule =
        "at most n queens on torus:n^2 if gcd(n,6) = 1, n - 2 if 3 or 4 divides n, else n - 1 (Monsky 1989)";
    let planar = match side {
        _ if side.is_multiple_of(3) || side.is_multiple_of(4) => n - 2,
        _ if side.is_multiple_of(2) => n - 1,
        _ => n,
    };
    let reason = if dimension == 2 { rule.to_owned() } else { format!("layers: {rule}") };
    let mut forms = vec![theorem(Side::Upper, planar * n.pow(dimension as u32 - 2), &reason)];
    if dimension == 2 {
        let reason = "Monsky 1989: as many as the upper bound fit".to_owned();
        forms.push(ClosedForm { side: Side::Lower, value: planar, strength: Strength::Reported, reason });
    }
    forms
}

#[cfg(test)]
mod tests {
    use ndqueens_crosscheck::boards::definition;
    use ndqueens_crosscheck::graph::Graph;
    use ndqueens_crosscheck::recursive;
    use ndqueens_crosscheck::verify::verify;
    use ndqueens_notation::certificate::Certificate;

    use super::*;

    fn board(name: &str) -> BoardName {
        name.parse().expect("a board name")
    }

    /// Returns the independence number, computed by recursion in crosscheck.
    fn exact(board: &BoardName) -> u128 {
        let graph = Graph::new(&*definition(board)).expect("a small board");
        recursive::independence_number(&graph, &|| false).expect("not stopped") as u128
    }

    #[test]
    fn closed_forms_agree_with_exact_search() {
        let mut boards: Vec<BoardName> = Vec::new();
        let boxes = [
            "1^1", "4^1", "1x3", "2^2", "2x3", "2x4", "2x5", "2x6", "3^2", "3x4", "3x5", "3x6", "4^2", "4x5",
            "4x6", "5^2", "5x6", "6^2", "6x7", "4x8", "2^3", "2x3x3", "2x3x4", "3^3", "1x4x4", "2x2x5",
        ];
        for piece in ["queen", "rook", "bishop"] {
            boards.extend(boxes.map(|sides| board(&format!("{piece}:{sides}"))));
            boards.extend((1..=6).map(|n| board(&format!("{piece}:torus:{n}^2"))));
            boards.extend((1..=3).map(|n| board(&format!("{piece}:torus:{n}^3"))));
        }
        boards.extend(boxes.map(|sides| board(&format!("king:{sides}"))));
        boards.extend((7..=10).map(|n| board(&format!("torus:{n}^2"))));
        boards.extend(["torus:4^3", "sudoku:1", "sudoku:2", "cells:1", "cells:2"].map(board));
        let mut compared = 0;
        for board in &boards {
            let forms = of(board);
            let size = if forms.is_empty() { 0 } else { exact(board) };
            for form in forms {
                compared += 1;
                let met = match form.side {
                    Side::Lower => form.value <= size,
                    Side::Upper => form.value >= size,
                };
                assert!(met, "{board}: {form:?}, and the maximum is {size}");
                let is_sharp =
                    !matches!(board, BoardName::Grid { torus: true, sides, .. } if sides.len() > 2);
                assert!(!is_sharp || form.value == size, "{board}: {form:?}, and the maximum is {size}");
            }
        }
        assert!(compared > 150, "{compared}");
    }

    fn assert_placed(name: &str, squares: Vec<Vec<u32>>) {
        let board = board(name);
        let form = of(&board).into_iter().find(|form| form.side == Side::Lower).expect("a lower bound");
        assert_eq!(form.value, squares.len() as u128, "{name}");
        verify(&Certificate::independent(board, squares, "a test")).expect(name);
    }

    /// Returns the bishops of the proof in `docs/bounds.md`: on two columns, and if `a < b` on squares
    /// between.
    fn bishops_of_the_proof(a: u32, b: u32) -> Vec<Vec<u32>> {
        let first = (0..a).map(|x| vec![x, 0]);
        if a == b {
            return first.chain((1..a - 1).map(|x| vec![x, b - 1])).collect();
        }
        let (columns, between) = (first.chain((0..a).map(|x| vec![x, b - 1])), b - a - 1);
        let square = |u: u32, v: u32| vec![(a - 1 + v - u) / 2, (a - 1 + u + v) / 2];
        match a % 2 {
            1 => columns.chain((1..=between).map(|u| square(u, u))).collect(),
            _ => {
                let pairs = (1..between).step_by(2);
                columns
                    .chain(pairs.flat_map(|u| [square(u, u + 1), vec![a / 2 - 1, (a + 2 * u) / 2]]))
                    .collect()
            }
        }
    }

    #[test]
    fn placements_of_the_proofs_hold() {
        for a in 2..14 {
            for b in a..24 {
                assert_placed(&format!("bishop:{a}x{b}"), bishops_of_the_proof(a, b));
            }
        }
        for (sides, name) in
            [([3u32, 4, 7], "rook:3x4x7"), ([5, 5, 5], "rook:5^3"), ([5, 5, 5], "rook:torus:5^3")]
        {
            let squares =
                (0..sides[0]).flat_map(|x| (0..sides[1]).map(move |y| vec![x, y, (x + y) % sides[2]]));
            assert_placed(name, squares.collect());
        }
        for (name, sides) in [("king:7^2", [7u32, 7]), ("king:6x9", [6, 9])] {
            let squares = (0..sides[0]).flat_map(|x| (0..sides[1]).map(move |y| vec![x, y]));
            assert_placed(name, squares.filter(|at| at.iter().all(|x| x % 2 == 0)).collect());
        }
        for (name, sides) in [("knight:5x7", [5u32, 7]), ("knight:1x4", [1, 4]), ("knight:torus:6^2", [6, 6])]
        {
            let squares = (0..sides[0]).flat_map(|x| (0..sides[1]).map(move |y| vec![x, y]));
            assert_placed(name, squares.filter(|at| at.iter().sum::<u32>() % 2 == 0).collect());
        }
        for b in 1..=4u32 {
            let n = b * b;
            let cell = |row: u32, column: u32| vec![row, column, (b * row + row / b + column) % n];
            assert_placed(&format!("sudoku:{b}"), (0..n * n).map(|i| cell(i / n, i % n)).collect());
        }
        for n in 4..30 {
            assert_placed(&format!("bishop:torus:{n}^2"), (0..n).map(|x| vec![0, x]).collect());
        }
    }

    #[test]
    fn torus_without_regular_solution_is_bounded() {
        let upper = |name: &str| {
            of(&board(name)).into_iter().find(|form| form.side == Side::Upper).expect(name).value
        };
        let sequence: Vec<u128> = (4..=24).map(|n| upper(&format!("torus:{n}^2"))).collect();
        assert_eq!(sequence, [2, 5, 4, 7, 6, 7, 9, 11, 10, 13, 13, 13, 14, 17, 16, 19, 18, 19, 21, 23, 22]);
        assert_eq!((upper("torus:12^3"), upper("torus:7^3"), upper("torus:11^3")), (120, 49, 121));
    }
}
