//! Colouring the n x n board with n colours: partitions into solutions of n queens.

mod candidates;
pub mod cover;
pub mod operator;
pub mod search;
