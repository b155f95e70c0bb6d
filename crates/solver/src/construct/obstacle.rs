//! Reasons why a method fails on a board.

use super::corner;
use super::linear::regular::NoRegular;
use super::method::Method;

/// Reason why a method fails on a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The method is for other boards.
    #[error("this construction is for {0}")]
    For(&'static str),
    /// There is no regular solution of this side.
    #[error(transparent)]
    NoRegular(#[from] NoRegular),
    /// There is no regular solution of any smaller side above 1.
    #[error(
        "this construction extends a regular solution of a smaller cube, and the least side above 1 that has one in dimension \
{dimension} is {first}"
    )]
    NoCore {
        /// The dimension d.
        dimension: usize,
        /// The least side above 1 that has regular solutions.
        first: u32,
    },
    /// The board has too many squares, attacks or axes.
    #[error("the board is too large for this construction")]
    TooLarge,
    /// There is no construction on the next larger cube.
    #[error(
        "the board is too large for this construction: it cuts a corner off the best that {} make on the next larger cube, \
and they make nothing there",
        format_methods(&corner::METHODS)
    )]
    NoLarger,
    /// No set of this kind was found that contains the squares to be included.
    #[error("no set of this kind was found that contains the squares to be included")]
    NotIncluded,
}

/// Formats a list of methods, such as `cut, stack and greedy`.
///
/// # Panics
/// Panics if there are no methods.
pub(super) fn format_methods(methods: &[Method]) -> String {
    let names: Vec<String> = methods.iter().map(ToString::to_string).collect();
    let (last, others) = names.split_last().expect("there is at least one method");
    if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) }
}
