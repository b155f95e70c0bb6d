//! One question, one answer: solves, proves, counts, colours and finds, and checks each result.

pub mod assembly;
pub mod boxes;
pub mod colour;
pub mod count;
pub mod dispatch;
pub mod evidence;
pub mod external_checker;
pub mod find;
pub mod graph;
pub mod lp;
pub mod parallel_check;
pub mod parts;
pub mod prove;
pub mod ranges;
pub mod record;
pub mod run;
pub mod solve;
pub mod split;
mod square_colouring;
pub mod sudoku;
