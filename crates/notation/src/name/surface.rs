//! Non-orientable surfaces on which two-dimensional boards lie.

/// Surface formed from a rectangle of squares by identifying sides.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::{BoardName, Surface};
///
/// let board: BoardName = "klein:4x5".parse()?;
/// assert!(board.to_string().starts_with(Surface::Klein.word()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Surface {
    /// The Moebius strip: the left side is identified with the right one, turned upside down.
    Moebius,
    /// The Klein bottle: in addition, the upper side is identified with the lower one.
    Klein,
}

impl Surface {
    /// All surfaces, in the order used in messages.
    pub const ALL: [Self; 2] = [Self::Moebius, Self::Klein];

    /// Returns the word used in board names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Moebius => "moebius",
            Self::Klein => "klein",
        }
    }
}
