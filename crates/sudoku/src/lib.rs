//! Sudoku puzzles: the ways in which they are written down, their solutions, and what is wrong with those that have none.
//!
//! The Sudoku of order b has a grid of `n x n` cells, `n = b^2`, in boxes of `b x b`; orders 2 to 5 are read and solved. Rows, columns and
//! numbers count from 0 here; texts and messages count from 1.
//!
//! | module | is |
//! | --- | --- |
//! | [`puzzle`] | puzzles and clues |
//! | [`reader`] | reads puzzles from text, tables, JSON and XML |
//! | [`search`] | all solutions, by exact cover on words of cells |
//! | [`conflict`] | clues that rule each other out, as few as can be |
//! | [`hint`] | the next forced number, and why |
//! | [`generate`] | puzzles at random |

#![forbid(unsafe_code)]

pub mod conflict;
pub mod generate;
pub mod hint;
pub mod puzzle;
pub mod reader;
pub mod search;
