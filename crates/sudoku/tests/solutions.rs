//! Solutions, counts, clashes and hints against the definition and against enumeration.

use ndqueens_crosscheck::count::for_each_maximum_set;
use ndqueens_crosscheck::verify::verify;
use ndqueens_model::certificate::Certificate;
use ndqueens_model::name::BoardName;
use ndqueens_sudoku::clash::clash;
use ndqueens_sudoku::hint::{Reason, hint};
use ndqueens_sudoku::puzzle::{Puzzle, read};
use ndqueens_sudoku::search::{Budget, End, solutions, visit};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn one(text: &str) -> Puzzle {
    read(text).expect(text).remove(0)
}

fn check(puzzle: &Puzzle, cells: &[u32]) {
    let n = puzzle.side();
    let square = |cell: usize| vec![(cell / n) as u32, (cell % n) as u32, cells[cell]];
    let board = BoardName::Sudoku(puzzle.order as u32);
    let certificate = Certificate::independent(board, (0..n * n).map(square).collect(), "search");
    assert_eq!(verify(&certificate).expect("a filled grid").size(), n * n);
    assert!(puzzle.clues().all(|clue| cells[clue.row * n + clue.column] == clue.number));
}

fn count(puzzle: &Puzzle) -> u64 {
    let mut count = 0;
    let end = visit(puzzle, Budget::unlimited(), &mut |cells| {
        check(puzzle, cells);
        count += 1;
        true
    });
    assert_eq!(end, End::Complete);
    count
}

/// Every filled grid of order 2, by enumeration of the maximum independent sets of the board.
fn grids() -> Vec<Vec<u32>> {
    let mut grids = Vec::new();
    let board: BoardName = "sudoku:2".parse().expect("a name");
    for_each_maximum_set(&board, &|| false, &mut |set: &[Vec<u32>]| {
        let mut cells = vec![0; 16];
        for square in set {
            cells[(square[0] * 4 + square[1]) as usize] = square[2];
        }
        grids.push(cells);
    })
    .expect("a small board");
    grids
}

#[test]
fn puzzles_have_as_many_solutions_as_grids_contain_their_clues() {
    let grids = grids();
    assert_eq!(grids.len(), 288);
    assert_eq!(count(&one(&".".repeat(16))), 288);
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..400 {
        let cell = |_| random.random_bool(0.25).then(|| random.random_range(0..4));
        let puzzle = Puzzle { order: 2, cells: (0..16).map(cell).collect(), line: 1 };
        let contains =
            |grid: &&Vec<u32>| grid.iter().zip(&puzzle.cells).all(|(a, b)| b.is_none_or(|b| b == *a));
        let expected: Vec<&Vec<u32>> = grids.iter().filter(contains).collect();
        assert_eq!(count(&puzzle), expected.len() as u64, "{puzzle:?}");
        if expected.is_empty() {
            let clash = clash(&puzzle, Budget::unlimited());
            assert!(clash.minimal);
            let with = |left_out: usize| {
                let kept =
                    clash.clues.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, clue)| *clue);
                let kept: Vec<_> = kept.collect();
                grids
                    .iter()
                    .any(|grid| kept.iter().all(|clue| grid[clue.row * 4 + clue.column] == clue.number))
            };
            assert!(!with(usize::MAX), "{clash:?} does not clash");
            assert!((0..clash.clues.len()).all(with), "{clash:?} is not minimal");
        }
        let forced: Vec<usize> = (0..16)
            .filter(|&cell| puzzle.cells[cell].is_none())
            .filter(|&cell| expected.windows(2).all(|pair| pair[0][cell] == pair[1][cell]))
            .collect();
        match hint(&puzzle, Budget::unlimited()) {
            Some((clue, reason)) if !expected.is_empty() => {
                assert!(
                    expected.iter().all(|grid| grid[clue.row * 4 + clue.column] == clue.number),
                    "{reason}"
                );
            }
            Some((_, reason)) => assert_ne!(reason, Reason::OthersFail),
            None => assert!(expected.is_empty() || forced.is_empty(), "{puzzle:?}"),
        }
    }
}

#[test]
fn a_puzzle_has_one_solution() {
    let puzzle = one(EASY);
    let (found, end) = solutions(&puzzle, 2, Budget::unlimited());
    assert_eq!((found.len(), end), (1, End::Complete));
    check(&puzzle, &found[0]);
}

#[test]
fn solutions_stop_when_enough_are_found_or_nodes_are_spent() {
    let empty = one(&".".repeat(81));
    assert_eq!(solutions(&empty, 2, Budget::unlimited()).0.len(), 2);
    assert_eq!(solutions(&empty, 2, Budget::unlimited()).1, End::Stopped);
    assert_eq!(solutions(&empty, 2, Budget::nodes(3)), (Vec::new(), End::Limit));
    for side in [16, 25] {
        let empty = Puzzle { order: if side == 16 { 4 } else { 5 }, cells: vec![None; side * side], line: 1 };
        let (found, _) = solutions(&empty, 1, Budget::nodes(1_000_000));
        check(&empty, &found[0]);
    }
}

#[test]
fn clues_that_clash_are_named() {
    let mut cells = one(EASY).cells;
    cells[8] = Some(4);
    let puzzle = Puzzle { cells, ..one(EASY) };
    let pair = clash(&puzzle, Budget::unlimited());
    let words: Vec<String> = pair.clues.iter().map(ToString::to_string).collect();
    assert_eq!(words, ["5 in row 1, column 1", "5 in row 1, column 9"]);
}
