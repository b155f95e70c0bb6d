//! Memory limits for work that stores data for every square of a board.

use ndqueens_notation::counted::counted;

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
    "{board} has {squares} squares, too many for {work}, which would take about {}; {} of memory is allowed",
    format_memory((*bytes).into(), (*allowed).into()).0,
    format_memory((*bytes).into(), (*allowed).into()).1
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
const MAX_BYTES: u64 = 4 << 30;

/// Formats an amount of memory and a smaller limit in bytes, in the largest unit in which the limit is not 0:
/// `3 GiB` and `2 GiB`. Rounds the amount up and the limit down.
#[must_use]
pub fn format_memory(need: u128, limit: u128) -> (String, String) {
    let (shift, unit) = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .into_iter()
        .find(|(shift, _)| limit >> shift > 0)
        .unwrap_or((0, ""));
    let format = |amount: u128| if shift == 0 { counted(amount, "byte") } else { format!("{amount} {unit}") };
    (format(need.div_ceil(1 << shift)), format(limit >> shift))
}

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
    let allowed = memory.min(MAX_BYTES);
    if bytes <= allowed {
        return Ok(());
    }
    let squares = board.size();
    Err(TooMuchMemory { board: board.name().to_string(), squares, work, bytes, allowed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_differ_in_the_unit_of_the_limit() {
        for (need, limit, formatted) in [
            ((5 << 30) + 1, 5 << 30, ("6 GiB", "5 GiB")),
            (7 << 30, (3 << 20) + 5, ("7168 MiB", "3 MiB")),
            (2000, 1024, ("2 KiB", "1 KiB")),
            (25_600, 1, ("25600 bytes", "1 byte")),
            (1, 0, ("1 byte", "0 bytes")),
        ] {
            let (need, limit) = format_memory(need, limit);
            assert_eq!((&*need, &*limit), formatted);
        }
    }
}
