//! Surfaces with a twist, on which two-dimensional boards lie.

/// How the sides of a rectangle of squares are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Surface {
    /// The left side with the right one, after a reflection that exchanges up and down.
    Moebius,
    /// As the Moebius board, and the upper side with the lower one.
    Klein,
}

impl Surface {
    /// Every surface, in the order in which messages list them.
    pub const ALL: [Self; 2] = [Self::Moebius, Self::Klein];

    /// The word used in board names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Moebius => "moebius",
            Self::Klein => "klein",
        }
    }
}
