//! Conversion of numbers to bytes for `numpy.frombuffer`.

use ndqueens_model::board::Square;

/// Encodes squares as `int32`, which is wide enough for every square of a board.
pub(crate) fn int32(numbers: impl IntoIterator<Item = Square>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_ne_bytes).collect()
}

/// Encodes numbers as `int64`.
pub(crate) fn int64(numbers: impl IntoIterator<Item = i64>) -> Vec<u8> {
    numbers.into_iter().flat_map(i64::to_ne_bytes).collect()
}
