//! Numbers as the bytes that `numpy.frombuffer` reads.

use ndqueens_model::board::Square;

/// As `int32`, in which every square of a board can be told.
pub(crate) fn int32(numbers: impl IntoIterator<Item = Square>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_ne_bytes).collect()
}

/// As `int64`.
pub(crate) fn int64(numbers: impl IntoIterator<Item = i64>) -> Vec<u8> {
    numbers.into_iter().flat_map(i64::to_ne_bytes).collect()
}
