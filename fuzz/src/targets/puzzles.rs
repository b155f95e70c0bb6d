//! Sudoku puzzles.

use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_sudoku::reader::{Conventions, Symbols, read, read_with};
use ndqueens_sudoku::search::{Budget, solutions};

use super::utf8;
use crate::corpus;
use crate::sentence::assert_plain;

pub(super) fn sudoku_seeds() -> Vec<Vec<u8>> {
    let mut seeds = corpus::files("instances/sudoku", &["txt"]);
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let rows: Vec<&str> = (0..9).map(|row| &line[9 * row..][..9]).collect();
    let numbers = rows.iter().map(|row| {
        let cells = row.chars().map(|cell| if cell == '.' { '0' } else { cell }.to_string());
        format!("[{}]", cells.collect::<Vec<_>>().join(","))
    });
    let json = format!("[{}]", numbers.collect::<Vec<_>>().join(","));
    let texts = [
        line.to_owned(),
        rows.join("\n"),
        format!("id,puzzle\n1,{line}\n2,{line}\n"),
        json.clone(),
        format!("{{\"puzzle\": {json}}}"),
        format!(
            "<?xml version=\"1.0\"?><opensudoku><game data=\"{}\" /></opensudoku>",
            line.replace('.', "0")
        ),
        "1 . | . 4\n. . | 1 .\n----+----\n. 1 | . .\n4 . | . 1\n".to_owned(),
        "1..4..1..1..4..1\n".to_owned(),
        "[Puzzle]\n1..4\n..1.\n.1..\n4..1\n".to_owned(),
    ];
    seeds.extend(texts.map(String::into_bytes));
    seeds
}

/// Reads a text as puzzles, with each convention.
pub fn sudoku(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let mut is_accepted = false;
    for symbols in [None, Some(Symbols::FromZero), Some(Symbols::FromOne), Some(Symbols::Letters)] {
        for side in [None, Some(4), Some(9)] {
            match read_with(text, Conventions { symbols, side }) {
                Ok(puzzles) => {
                    is_accepted = true;
                    assert!(!puzzles.is_empty());
                    puzzles.iter().take(3).for_each(|puzzle| assert_reads_back(puzzle, text));
                }
                Err(fault) => {
                    assert_plain(&fault);
                    assert!(
                        (1..=text.lines().count() + 1).contains(&fault.line) && fault.column > 0,
                        "{fault}"
                    );
                }
            }
        }
    }
    assert_eq!(read(text), read_with(text, Conventions::default()));
    is_accepted
}

fn assert_reads_back(puzzle: &Puzzle, text: &str) {
    let n = puzzle.side();
    assert_eq!(puzzle.cells.len(), n * n, "{puzzle:?}");
    assert!((1..=text.lines().count().max(1)).contains(&puzzle.line), "{puzzle:?}");
    assert!(puzzle.expected.is_empty() || puzzle.expected.len() == n * n, "{puzzle:?}");
    for cells in [&puzzle.cells, &puzzle.expected] {
        assert!(cells.iter().flatten().all(|&number| (number as usize) < n), "{puzzle:?}");
    }
    let conventions = Conventions { symbols: Some(Symbols::FromOne), side: Some(n) };
    let line = Puzzle::format_line(&puzzle.cells);
    let again = read_with(&line, conventions).unwrap_or_else(|fault| panic!("{fault}: {line}"));
    assert_eq!(again.iter().map(|puzzle| &puzzle.cells).collect::<Vec<_>>(), [&puzzle.cells], "{line}");
    if puzzle.contradiction().is_none() && n <= 9 {
        let (found, _) = solutions(puzzle, 2, Budget::nodes(50));
        for solution in found {
            let agrees = puzzle
                .cells
                .iter()
                .zip(&solution)
                .all(|(clue, number)| clue.is_none_or(|clue| clue == *number));
            assert!(agrees, "{solution:?} has other clues than {line}");
            let filled = Puzzle::new(puzzle.order, solution.into_iter().map(Some).collect());
            assert!(filled.contradiction().is_none(), "{line}");
        }
    }
}
