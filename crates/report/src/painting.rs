//! Why a drawing cannot be painted.

/// Why a drawing cannot be painted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaintingError {
    /// The picture would have too many points.
    #[error(
        "the picture would have {width} x {height} points, too many; write it to a file whose name ends in .svg"
    )]
    TooManyPoints {
        /// Points across.
        width: u64,
        /// Points down.
        height: u64,
    },
    /// Anything else.
    #[error("the picture cannot be painted: {0}")]
    Fault(String),
}
