//! Compares solutions, counts, conflicts and hints with the definition and with enumeration.

use std::collections::HashSet;

use ndqueens_crosscheck::count::for_each_maximum_set;
use ndqueens_crosscheck::verify::verify;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_sudoku::conflict::conflict;
use ndqueens_sudoku::generate;
use ndqueens_sudoku::hint::{Hint, Reason, hint};
use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_sudoku::reader::read;
use ndqueens_sudoku::search::{Budget, SearchEnd, solutions, visit};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn one(text: &str) -> Puzzle {
    read(text).expect(text).remove(0)
}

/// Checks a solution by the definition of the board.
fn check(puzzle: &Puzzle, cells: &[u32]) {
    let n = puzzle.side();
    let square = |cell: usize| vec![(cell / n) as u32, (cell % n) as u32, cells[cell]];
    let order = puzzle.order as u32;
    let board = if puzzle.diagonals { BoardName::SudokuX(order) } else { BoardName::Sudoku(order) };
    let certificate = Certificate::independent(board, (0..n * n).map(square).collect(), "search");
    assert_eq!(verify(&certificate).expect("a filled grid").size(), n * n);
    assert!(puzzle.clues().all(|clue| cells[clue.row * n + clue.column] == clue.number));
}

/// Counts the solutions of a puzzle, and checks each.
fn count(puzzle: &Puzzle) -> u64 {
    let mut count = 0;
    let end = visit(puzzle, Budget::unlimited(), &mut |cells| {
        check(puzzle, cells);
        count += 1;
        true
    });
    assert_eq!(end, SearchEnd::Complete);
    count
}

/// Returns all filled grids of order 2, by enumeration of the maximum independent sets of the board.
fn grids(diagonals: bool) -> Vec<Vec<u32>> {
    let mut grids = Vec::new();
    let board = if diagonals { BoardName::SudokuX(2) } else { BoardName::Sudoku(2) };
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
fn solutions_of_puzzles_match_enumeration() {
    let grids = grids(false);
    assert_eq!(grids.len(), 288);
    assert_eq!(count(&one(&".".repeat(16))), 288);
    compare_with_enumeration(&grids, false);
}

#[test]
fn solutions_of_diagonal_puzzles_match_enumeration() {
    let grids = grids(true);
    assert_eq!(grids.len(), 48);
    let on_diagonals = |grid: &Vec<u32>| {
        let numbers =
            |cells: [usize; 4]| cells.map(|cell| grid[cell]).into_iter().collect::<HashSet<_>>().len();
        numbers([0, 5, 10, 15]) == 4 && numbers([3, 6, 9, 12]) == 4
    };
    assert!(grids.iter().all(on_diagonals));
    assert_eq!(self::grids(false).into_iter().filter(on_diagonals).count(), 48);
    compare_with_enumeration(&grids, true);
}

#[test]
fn generates_minimal_diagonal_puzzles() {
    for number in 0..5 {
        let puzzle = generate::random_puzzle(3, true, 1, number, &|| false).expect("not stopped");
        assert_eq!(count(&puzzle), 1);
        let clues: Vec<usize> = (0..81).filter(|&cell| puzzle.cells[cell].is_some()).collect();
        for cell in clues {
            let mut fewer = puzzle.clone();
            fewer.cells[cell] = None;
            assert_eq!(solutions(&fewer, 2, Budget::unlimited()).0.len(), 2, "{cell}");
        }
    }
}

/// Compares solutions, conflicts and hints of random puzzles with the list of all grids.
fn compare_with_enumeration(grids: &[Vec<u32>], diagonals: bool) {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..400 {
        let cell = |_| random.random_bool(0.25).then(|| random.random_range(0..4));
        let puzzle = Puzzle { diagonals, ..Puzzle::new(2, (0..16).map(cell).collect()) };
        let contains =
            |grid: &&Vec<u32>| grid.iter().zip(&puzzle.cells).all(|(a, b)| b.is_none_or(|b| b == *a));
        let expected: Vec<&Vec<u32>> = grids.iter().filter(contains).collect();
        assert_eq!(count(&puzzle), expected.len() as u64, "{puzzle:?}");
        if expected.is_empty() {
            let conflict_set = conflict(&puzzle, Budget::unlimited());
            assert!(conflict_set.minimal);
            let with = |left_out: usize| {
                let kept = conflict_set
                    .clues
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != left_out)
                    .map(|(_, clue)| *clue);
                let kept: Vec<_> = kept.collect();
                grids
                    .iter()
                    .any(|grid| kept.iter().all(|clue| grid[clue.row * 4 + clue.column] == clue.number))
            };
            assert!(!with(usize::MAX), "{conflict_set:?} is consistent");
            assert!((0..conflict_set.clues.len()).all(with), "{conflict_set:?} is not minimal");
        }
        let forced: Vec<usize> = (0..16)
            .filter(|&cell| puzzle.cells[cell].is_none())
            .filter(|&cell| expected.windows(2).all(|pair| pair[0][cell] == pair[1][cell]))
            .collect();
        match hint(&puzzle, Budget::unlimited()) {
            Some(Hint { clue, reason }) if !expected.is_empty() => {
                assert!(
                    expected.iter().all(|grid| grid[clue.row * 4 + clue.column] == clue.number),
                    "{reason}"
                );
            }
            Some(Hint { reason, .. }) => assert_ne!(reason, Reason::OthersFail),
            None => assert!(expected.is_empty() || forced.is_empty(), "{puzzle:?}"),
        }
    }
}

#[test]
fn finds_the_only_solution() {
    let puzzle = one(EASY);
    let (found, end) = solutions(&puzzle, 2, Budget::unlimited());
    assert_eq!((found.len(), end), (1, SearchEnd::Complete));
    check(&puzzle, &found[0]);
}

#[test]
fn search_stops_at_its_limits() {
    let empty = one(&".".repeat(81));
    assert_eq!(solutions(&empty, 2, Budget::unlimited()).0.len(), 2);
    assert_eq!(solutions(&empty, 2, Budget::unlimited()).1, SearchEnd::Stopped);
    assert_eq!(solutions(&empty, 2, Budget::nodes(3)), (Vec::new(), SearchEnd::Limit));
    for side in [16, 25] {
        let empty = Puzzle::new(if side == 16 { 4 } else { 5 }, vec![None; side * side]);
        let (found, _) = solutions(&empty, 1, Budget::nodes(1_000_000));
        check(&empty, &found[0]);
    }
}

#[test]
fn names_two_equal_clues() {
    let mut cells = one(EASY).cells;
    cells[8] = Some(4);
    let puzzle = Puzzle { cells, ..one(EASY) };
    let pair = conflict(&puzzle, Budget::unlimited());
    let clues: Vec<String> = pair.clues.iter().map(ToString::to_string).collect();
    assert_eq!(clues, ["5 in row 1, column 1", "5 in row 1, column 9"]);
}

/// Returns a grid of this order: the first solution of the empty grid with rows, columns and numbers
/// permuted at random.
fn random_grid(order: usize, random: &mut ChaCha8Rng) -> Vec<u32> {
    let n = order * order;
    let empty = Puzzle::new(order, vec![None; n * n]);
    let first = solutions(&empty, 1, Budget::unlimited()).0.remove(0);
    let mut lines = || {
        let mut bands: Vec<usize> = (0..order).collect();
        bands.shuffle(random);
        let in_band = bands.into_iter().flat_map(|band| {
            let mut lines: Vec<usize> = (band * order..(band + 1) * order).collect();
            lines.shuffle(random);
            lines
        });
        in_band.collect::<Vec<_>>()
    };
    let (rows, columns) = (lines(), lines());
    let mut numbers: Vec<u32> = (0..n as u32).collect();
    numbers.shuffle(random);
    let cell = |cell: usize| numbers[first[rows[cell / n] * n + columns[cell % n]] as usize];
    (0..n * n).map(cell).collect()
}

#[test]
fn finds_the_grid_of_random_clues_once() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for (order, kept, rounds) in [(2, 5, 50), (3, 32, 50), (4, 170, 20), (5, 480, 10)] {
        for _ in 0..rounds {
            let grid = random_grid(order, &mut random);
            let mut left: Vec<usize> = (0..grid.len()).collect();
            left.shuffle(&mut random);
            let mut cells = vec![None; grid.len()];
            for &cell in &left[..kept] {
                cells[cell] = Some(grid[cell]);
            }
            let puzzle = Puzzle::new(order, cells);
            let (mut matches, mut seen) = (0, HashSet::new());
            let end = visit(&puzzle, Budget::unlimited(), &mut |cells| {
                matches += u32::from(cells == grid);
                if seen.len() < 100 {
                    check(&puzzle, cells);
                }
                assert!(seen.insert(cells.to_vec()), "a solution is visited twice");
                true
            });
            assert_eq!((matches, end), (1, SearchEnd::Complete), "{puzzle:?}");
            let text = Puzzle::format_line(&puzzle.cells);
            assert_eq!(one(&text).cells, puzzle.cells, "reads back");
        }
    }
}

#[test]
fn counts_match_backtracking_by_cells() {
    fn backtrack(cells: &mut Vec<Option<u32>>, at: usize) -> u64 {
        if at == 81 {
            return 1;
        }
        if cells[at].is_some() {
            return backtrack(cells, at + 1);
        }
        let mut count = 0;
        for number in 0..9 {
            let sees = |other: usize| {
                let one_box = other / 27 == at / 27 && other % 9 / 3 == at % 9 / 3;
                other / 9 == at / 9 || other % 9 == at % 9 || one_box
            };
            if (0..81).all(|other| cells[other] != Some(number) || !sees(other)) {
                cells[at] = Some(number);
                count += backtrack(cells, at + 1);
                cells[at] = None;
            }
        }
        count
    }
    let mut random = ChaCha8Rng::seed_from_u64(12);
    for round in 0..40 {
        let grid = random_grid(3, &mut random);
        let mut cells: Vec<Option<u32>> =
            grid.iter().map(|&number| random.random_bool(0.45).then_some(number)).collect();
        // Half of the puzzles get a random clue, which may be wrong.
        if round % 2 == 0 {
            cells[random.random_range(0..81)] = Some(random.random_range(0..9));
        }
        let mut puzzle = Puzzle::new(3, cells);
        if puzzle.contradiction().is_some() {
            continue;
        }
        assert_eq!(count(&puzzle), backtrack(&mut puzzle.cells, 0));
    }
}

#[test]
fn random_texts_give_puzzles_or_valid_positions() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let signs: Vec<char> = "..00112349AGPYz|-+= \n\n#[é\u{0}*_".chars().collect();
    for _ in 0..20_000 {
        let length = random.random_range(0..100);
        let text: String = (0..length).map(|_| signs[random.random_range(0..signs.len())]).collect();
        match read(&text) {
            Ok(puzzles) => assert!(puzzles.iter().all(|puzzle| puzzle.cells.len() == puzzle.order.pow(4))),
            Err(fault) => {
                let line = text.lines().nth(fault.line - 1).unwrap_or("");
                assert!(fault.column >= 1 && fault.column <= line.chars().count() + 1, "{text:?}: {fault}");
            }
        }
    }
}
