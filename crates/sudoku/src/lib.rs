//! Sudoku puzzles: readers of their text formats, all solutions, contradicting clues, hints
//! and random puzzles.
//!
//! A Sudoku of order b has a grid of `n x n` cells, `n = b^2`, in boxes of `b x b`; orders 2 to 5 are read
//! and solved. Rows, columns and numbers count from 0 in this crate; texts and messages count from 1.
//!
//! | module | content |
//! | --- | --- |
//! | [`puzzle`] | puzzles and clues |
//! | [`reader`] | reads puzzles from text, tables, JSON and XML |
//! | [`search`] | enumerates the solutions, by exact cover on bit sets of cells |
//! | [`conflict`] | a minimal set of contradicting clues |
//! | [`hint`] | a forced number and the reason for it |
//! | [`generate`] | random puzzles with one solution |

#![forbid(unsafe_code)]

pub mod conflict;
pub mod generate;
pub mod hint;
pub mod puzzle;
pub mod reader;
pub mod search;
