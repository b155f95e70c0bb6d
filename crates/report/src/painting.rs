//! Errors of painting a drawing.

/// Reason why a drawing cannot be painted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaintingError {
    /// The picture would have too many pixels.
    #[error(
        "the picture would have {width} x {height} points, too many; write it to a file whose name ends in .svg"
    )]
    TooManyPoints {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
    },
    /// Another error.
    #[error("the picture cannot be painted: {0}")]
    Fault(String),
}
