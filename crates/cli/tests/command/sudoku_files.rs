//! Sudoku puzzles in the formats of other programs.
