//! Memory limits for work that stores data for every square of a board.

use super::Board;

/// Error for a board with too many squares for the requested work.
///
/// # Examples
/// ```
/// use ndqueens_model::board::{Board, ensure_memory};
///
/// let board = Board::new(&"3^2".parse()?);
/// assert!(ensure_memory(&board, "a table", 10, 5).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{board} has {squares} squares, too many for {work}, which would take about {} GiB; {} GiB of memory are allowed",
    bytes.div_ceil(1 << 30),
    allowed >> 30
)]
pub struct TooMuchMemory {
    /// Name of the board.
    pub board: String,
    /// Number of squares.
    pub squares: usize,
    /// Name of the work.
    pub work: &'static str,
    /// Required memory in bytes.
    pub bytes: u64,
    /// Allowed memory in bytes.
    pub allowed: u64,
}

/// Largest memory that work on the squares of a board may use, in bytes. Work of this size takes minutes.
const MOST_BYTES: u64 = 4 << 30;

/// Checks that work on a board, which needs `bytes` of memory, may be started. `memory` is the available
/// memory in bytes.
///
/// # Errors
/// Returns an error if the work needs more than the available memory or more than 4 GiB.
pub fn ensure_memory(
    board: &Board,
    work: &'static str,
    bytes: u64,
    memory: u64,
) -> Result<(), TooMuchMemory> {
    let allowed = memory.min(MOST_BYTES);
    if bytes <= allowed {
        return Ok(());
    }
    let squares = board.size();
    Err(TooMuchMemory { board: board.name().to_string(), squares, work, bytes, allowed })
}
