//! Surfaces with a twist, on which two-dimensional boards lie.

/// Surface that the sides of a rectangle of squares are joined to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Surface {
    /// The left side with the right one, after a reflection that exchanges up and down.
    Moebius,
    /// The Moebius board with the upper side joined to the lower one.
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
