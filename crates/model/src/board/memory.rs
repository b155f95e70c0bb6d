//! Boards whose squares are too many for what is to be done with them.

use super::Board;

/// A board has too many squares for what is to be done with them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{board} has {squares} squares, too many for {work}, which would take about {} GiB; {} GiB of memory are allowed",
    bytes.div_ceil(1 << 30),
    allowed >> 30
)]
pub struct TooMuchMemory {
    /// The board.
    pub board: String,
    /// How many squares it has.
    pub squares: usize,
    /// What would be done.
    pub work: &'static str,
    /// What it would take, in bytes.
    pub bytes: u64,
    /// What it may take, in bytes.
    pub allowed: u64,
}

/// What work that keeps something for every square may take, in bytes: minutes of it.
const MOST_BYTES: u64 = 4 << 30;

/// Refuses a board whose squares are too many for what is to be done with them, before it begins. `memory` is what there is,
/// in bytes.
///
/// # Errors
/// When the work would take more.
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
